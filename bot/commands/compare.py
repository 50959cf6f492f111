"""/compare: two plans side by side, and which is better."""

import asyncio

from bot import waves_wording
from bot.commands.difference import (
    NAMES,
    alternative,
    certainty,
    counted_alike,
    headlines,
    held,
    others,
    rows,
    succeeds,
    told_plans,
    verdict,
)
from bot.commands.outlook import Outlook, outlook
from bot.commands.path import file_called, path_title
from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.languages import _, joined
from bot.matchup import (
    LONGEST_PLANS,
    AnyBattle,
    Plans,
    may_name_a_setup,
    meaning,
    parse_plans,
    split_plans,
    write_plans,
)
from bot.replies import Button, Field, Form, Picture, Reply
from bot.swing_wording import battle_titles
from bot.wording import describe
from solver import Battle
from solver.paths import Path
from solver.waves import Waves


async def compare(request: Request, services: Services) -> Reply:
    """The difference between two plans in one sentence, a small table, and both in one picture."""
    return await show_plans(await read_plans(request, services), request, services)


async def swap_plans(request: Request, services: Services) -> Reply:
    """The same with the plans exchanged."""
    plans = await read_plans(request, services)
    return await show_plans(Plans(plans.second, plans.first), request, services)


async def edit_plans(request: Request, services: Services) -> Form:
    """A form with both lines, to change anything about them."""
    field = Field("matchup", _("Two plans, || between them"), request.options["matchup"], LONGEST_PLANS)
    return Form(_("Change the plans"), "compare", (field,))


async def read_plans(request: Request, services: Services) -> Plans:
    """What the request's line means; saved set-ups go by name on both sides."""
    text = request.options["matchup"]
    named = any(may_name_a_setup(part) for part in split_plans(text))
    saved = await services.store.setups(request.place) if named else []
    with meaning(request.meant):
        return parse_plans(text, {setup.name: setup.line for setup in saved})


async def show_plans(plans: Plans, request: Request, services: Services) -> Reply:
    """The answer to "which plan is better"."""
    both = await _outlooks(plans, services)
    battles = plans.first.battle, plans.second.battle
    told = told_plans(battles, both)
    games = [plan.game for plan in both]
    alike = games[0] == games[1]
    lines = [f"**{verdict(both)}**"]
    lines += [
        f"{name}: {text}{'' if alike else f' · {game}'}" for name, text, game in zip(NAMES, told, games, strict=True)
    ]
    for name, reading, plan in zip(NAMES, plans, both, strict=True):
        lines += [f"-# {name}: {remark}" for remark in (*reading.remarks, *plan.caveats)]
    return Reply(
        "\n".join(lines),
        table=rows(both),
        note=" · ".join([certainty(both), *games[:alike], f"`{write_plans(plans)}`"]),
        picture=await _picture(plans, both, told, services),
        buttons=(
            Button(_("Odds of {plan}", plan="A"), "plan a"),
            Button(_("Odds of {plan}", plan="B"), "plan b"),
            Button(_("Swap A and B"), "swap plans"),
            Button(_("Edit"), "edit plans"),
        ),
        private=request.private,
    )


async def _outlooks(plans: Plans, services: Services) -> tuple[Outlook, Outlook]:
    """How both turn out, worked out at the same time; UserError tells what is wrong with either."""
    battles = [reading.battle for reading in plans]
    found = await asyncio.gather(*map(services.engine.any_odds, battles), return_exceptions=True)
    wrong = {name: error.text for name, error in zip(NAMES, found, strict=True) if isinstance(error, UserError)}
    if wrong:
        raise UserError(_refusal(wrong))
    known = []
    for battle, odds in zip(battles, found, strict=True):
        if isinstance(odds, BaseException):
            raise odds
        known.append(outlook(battle, odds))
    return known[0], known[1]


def _refusal(wrong: dict[str, str]) -> str:
    """What is wrong with the plans of these names, told once where it is the same of both."""
    told = [_("Plan {plan}: {mistake}", plan=name, mistake=text) for name, text in wrong.items()]
    if len(told) == 1:
        return told[0]
    first, second = wrong.values()
    return first if first == second else joined("{first}\n{second}", first=told[0], second=told[1])


async def _picture(plans: Plans, both: tuple[Outlook, Outlook], told: tuple[str, str], services: Services) -> Picture:
    parts = (
        headlines(both),
        [[text.replace("`", ""), *_shorter(reading.battle)] for text, reading in zip(told, plans, strict=True)],
        (succeeds(both), held(both)),
        [plan.chances for plan in both],
        [plan.numbers for plan in both],
        [others(plan) for plan in both],
        [(plan.places, plan.law) for plan in both] if counted_alike(both) else None,
        both[0].measure,
    )
    key = tuple((plan.line, plan.chances) for plan in both)
    png = await services.engine.drawn(key, "draw_plans", *parts)
    return Picture(png, file_called(f"compare {write_plans(plans)}"), alternative(both))


def _shorter(battle: AnyBattle) -> list[str]:
    """Say who meets whom in fewer words, for a picture that has no room for more."""
    if isinstance(battle, Battle):
        return [describe(battle, short=True), _("{attackers} against {defenders}", **_sizes(battle))]
    if isinstance(battle, Path):
        return [path_title(battle)]
    if isinstance(battle, Waves):
        return list(waves_wording.titles(battle, parted=False))
    return [title for title in battle_titles(battle) if "\n" not in title]


def _sizes(battle: Battle) -> dict[str, int]:
    return {"attackers": battle.attackers, "defenders": battle.defenders}
