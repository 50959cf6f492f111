"""/battle and the buttons under its answer: odds, and the next question about the same battle."""

import re
from dataclasses import replace

from bot.commands import bombing
from bot.commands.advice import advice_lines
from bot.commands.armies import fewer_units, more_units, show_armies, swapped_units
from bot.commands.bombardment import by_rulebook
from bot.commands.compare import compare, read_plans, show_plans
from bot.commands.ends import show_ends
from bot.commands.path import exactly, file_name, show_path
from bot.commands.place import place
from bot.commands.request import Request, Services, only, read
from bot.commands.waves import fewer_in_wave, more_in_wave, show_waves
from bot.errors import UserError
from bot.languages import N_, _, _p, number
from bot.matchup import BETWEEN, LONGEST_TYPED, AnyBattle, Plans, Reading
from bot.matchup.bombing import pasted_raid
from bot.matchup.placing import is_placing
from bot.replies import Button, Field, Form, Picture, Reply, TextFile
from bot.wording import alternative, answer, has_end
from solver import Battle, Odds
from solver.axis import AxisBattle
from solver.paths import Path
from solver.tables import worth_going_on
from solver.waves import Waves

MOST_PIECES = 50
ASKED = ("exact", "all", "advice")
"""Words about the question that go with a battle."""
MOST_STEPS = 12
LAST = N_("There is only one attacker.")


async def battle(request: Request, services: Services) -> Reply:
    """The odds of a battle or a path, with a picture; of two plans the difference, of a bombing raid what it does."""
    if BETWEEN in request.options["matchup"]:
        return await compare(request, services)
    try:
        reading = await read(request, services, takes=ASKED)
    except UserError:
        if pasted_raid(request.options["matchup"]):
            return await bombing.bombing(request, services)
        raise
    return await show(reading, request, services)


async def find(request: Request, services: Services) -> Reply:
    """The odds of the first battle, or pair of plans, that stands in a text: in back-ticks, or as a line of its own."""
    text = request.options["text"]
    for piece in [*re.findall(r"`([^`\n]+)`", text)[::-1], text, *text.splitlines()][:MOST_PIECES]:
        # What stands in back-ticks was copied from an answer.
        asked = replace(request, options={"matchup": piece}, typed=request.typed and f"`{piece}`" not in text)
        try:
            if is_placing(piece):
                return await place(asked, services)
            found = await (read_plans(asked, services) if BETWEEN in piece else read(asked, services, ASKED))
        except UserError:
            if pasted_raid(piece):
                return await bombing.bombing(asked, services)
            continue
        if isinstance(found, Plans):
            return await show_plans(found, request, services)
        return await show(found, request, services)
    raise UserError(_("I found no battle such as `12 9` in that message."), "battle 12 9")


async def plan_a(request: Request, services: Services) -> Reply:
    """The odds of the first of two plans."""
    return await show((await read_plans(request, services)).first, request, services)


async def plan_b(request: Request, services: Services) -> Reply:
    """The odds of the second of two plans."""
    return await show((await read_plans(request, services)).second, request, services)


async def swap(request: Request, services: Services) -> Reply:
    """The same battle with the sides exchanged."""
    reading = await read(request, services)
    if isinstance(reading.battle, AxisBattle):
        return await show(Reading(*swapped_units(reading.battle)), request, services)
    if isinstance(reading.battle, Waves):
        raise UserError(_("You can't swap the sides of a battle with several waves."))
    before = only(reading.battle)
    after = before.swapped()
    lost = () if after.swapped() == before else (_("I left out what only makes sense for the other side."),)
    return await show(Reading(after, lost), request, services)


async def rulebook(request: Request, services: Services) -> Reply:
    """The odds of the battle of Axis & Allies with only as many ships as may bombard."""
    before = (await read(request, services)).battle
    after = by_rulebook(before) if isinstance(before, AxisBattle | Waves) else None
    if after is None:
        raise UserError(_("No unit could attack."))
    return await show(Reading(after), request, services)


async def more(request: Request, services: Services) -> Reply:
    """The same battle, or path, with one more attacker."""
    return await show(Reading(_with_more((await read(request, services)).battle, 1)), request, services)


async def fewer(request: Request, services: Services) -> Reply:
    """The same battle, or path, with one attacker less."""
    before = (await read(request, services)).battle
    if isinstance(before, AxisBattle | Waves):
        less = fewer_units(before) if isinstance(before, AxisBattle) else fewer_in_wave(before)
        if less is None:
            raise UserError(_(LAST))
        return await show(Reading(less), request, services)
    if (before.legs[0] if isinstance(before, Path) else before).attackers <= 1:
        raise UserError(_(LAST))
    return await show(Reading(_with_more(before, -1)), request, services)


async def edit(request: Request, services: Services) -> Form:
    """A form with the battle's line, to change anything about it."""
    return Form(_("Change the battle"), "battle", (line_field(request),))


def line_field(request: Request) -> Field:
    """The field of a form that holds the battle's line."""
    return Field("matchup", _("Attackers and defenders"), request.options["matchup"], LONGEST_TYPED)


async def show(reading: Reading, request: Request, services: Services) -> Reply:
    """The answer to "what are the odds": text, picture and what may be asked next."""
    if reading.ends:
        return await show_ends(reading, request, services)
    if isinstance(reading.battle, Path):
        return await show_path(reading.battle, reading, request, services)
    if isinstance(reading.battle, AxisBattle):
        return await show_armies(reading.battle, reading, request, services)
    if isinstance(reading.battle, Waves):
        return await show_waves(reading.battle, reading, request, services)
    battle = reading.battle
    odds = await services.engine.odds(battle)
    picture = None
    if has_end(odds):
        png = await services.engine.picture(battle, odds)
        picture = Picture(png, file_name(battle), alternative(battle, odds), lines=1)
    buttons = (
        Button(_("Roll it"), "roll", enabled=odds.rounds is not None),
        Button(_("Swap sides"), "swap", enabled=battle.defenders > 0),
        Button(_("+1 attacker"), "more"),
        Button(_("−1 attacker"), "fewer", enabled=battle.attackers > 1),
        Button(_("How many?"), "need", enabled=battle.defenders > 0),
        Button(_("Table"), "table", enabled=battle.defenders > 0),
        Button(_("All endings"), "ends", enabled=has_end(odds)),
        Button(_("Edit"), "edit"),
        Button(_("Save"), "save"),
    )
    short, long = await exactly(battle, services) if reading.exact else ("", "")
    told = [*await advice_lines(battle, odds, reading.advice, services), *await _plan(battle, odds, services), short]
    text = answer(battle, odds, reading.remarks, filter(None, told))
    return Reply(
        text,
        file=TextFile("exact.txt", long) if long else None,
        picture=picture,
        buttons=buttons,
        private=request.private,
    )


def _with_more(battle: AnyBattle, attackers: int) -> AnyBattle:
    if isinstance(battle, Waves):
        return more_in_wave(battle)
    if isinstance(battle, AxisBattle):
        return more_units(battle)
    if isinstance(battle, Path):
        first = replace(battle.legs[0], attackers=battle.legs[0].attackers + attackers)
        return Path.of((first, *battle.legs[1:]), battle.leave)
    return replace(battle, attackers=battle.attackers + attackers)


async def _plan(battle: Battle, odds: Odds, services: Services) -> list[str]:
    """When to go on and when to stop, for a battle over a territory of some worth."""
    if battle.value is None or not battle.defenders:
        return []
    steps: tuple[int | None, ...] = await services.engine.ask(worth_going_on, battle)
    known: list[str] = [
        _p("short", "{attackers} v {defenders}", attackers=least, defenders=defenders)
        for defenders, least in enumerate(steps, start=1)
        if least is not None
    ]
    if not known:
        return [_("The territory is never worth an attack")]
    if len(known) > MOST_STEPS:
        known = [*known[: MOST_STEPS // 2], "…", *known[-MOST_STEPS // 2 :]]
    worth, least = odds.attackers_left + battle.value * odds.attacker_wins, " · ".join(known)
    if odds.rounds == 0:
        going_on = _("If you attack anyway, keep going with at least: {armies}", armies=least)
    else:
        going_on = _("Keep going while you have at least: {armies}", armies=least)
    return [
        going_on,
        _(
            "Expected value: {armies} armies ({attackers} if you don't attack)",
            armies=number(worth, 2),
            attackers=battle.attackers,
        ),
    ]
