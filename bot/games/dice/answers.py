"""Battles with dice: the answer to "what are the odds", the battles its buttons make, a plan of a comparison, advice.

The advice under the odds is whether a side does better with fewer dice than it could roll, where, and by how much.
"""

from dataclasses import replace

import numpy as np

from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.words import (
    alternative,
    answer,
    exactly,
    fates,
    game,
    has_end,
    marked_margins,
    matchup,
    neither,
)
from bot.games.dice.work import CHART, begin_answer, compute_on_grid, find_fraction
from bot.languages import N_, _, _p, in_percent, number
from bot.replies import Button, Picture, Reply, TextFile, picture_name
from bot.request import Request, Services
from bot.words.asked_ends import AskedChance, asked_chance, facts_of
from bot.words.compared_plan import LOST, ROUNDS, ComparedPlan, law_by_winner
from bot.words.numbers import LAST, percent
from solver import Battle, Odds, Pool
from solver.dice.advice import Advice, LaterAdvice, advice
from solver.dice.questions import MOST_ADVISED
from solver.dice.sizes import worth_going_on
from solver.ends import ends_within

MOST_STEPS = 12


async def answer_battle(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds, a picture, and buttons for what may be asked next."""
    if not reading.asked.get("end"):  # the picture of what is asked about ends needs the odds first
        begin_answer(services.engine, battle, advised=_has_advice(battle, bool(reading.asked.get("advice"))))
    odds = await services.engine.odds(battle)
    advised = await advice_lines(battle, odds, bool(reading.asked.get("advice")), services)
    worth = await _worth(battle, odds, services)
    short, long = await exactly(find_fraction(services.engine, battle)) if reading.exact else ("", "")
    texts = answer(battle, odds, reading.remarks)
    end_facts, marked = _asked_ends(battle, odds, reading)
    facts = (*end_facts, *texts.facts, *filter(None, [*advised, *worth, short]))
    picture = None
    if has_end(odds):
        png = await services.engine.draw(CHART, (battle, marked), battle, odds, marked)
        beside = (*end_facts, *advised, *facts[len(end_facts) + 1 :])
        picture = Picture(png, picture_name(texts.line), alternative(battle, odds), beside)
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
    return replace(
        texts,
        facts=facts,
        file=TextFile("exact.txt", long) if long else None,
        picture=picture,
        buttons=buttons,
        private=request.private,
    )


def asked_end(_battle: Battle, odds: Odds, reading: Reading) -> AskedChance | None:
    """Return how likely the ends are that a line asks about; None if it asks about none."""
    return asked_chance(reading.asked.get("end"), odds, odds.count, odds.chances)


def _asked_ends(battle: Battle, odds: Odds, reading: Reading) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Say how likely the ends are that a line asks about, and return their margins; nothing if it asks about none."""
    asked = reading.asked.get("end")
    if not asked:
        return (), ()
    marked = marked_margins(odds, ends_within(asked.ranges, odds.count, len(odds.chances)))
    return facts_of(asked_end(battle, odds, reading)), marked


def swap(battle: Battle) -> tuple[Battle, tuple[str, ...]]:
    """Return the battle with the sides exchanged, and a remark if something was lost by that."""
    after = battle.swap_sides()
    return after, () if after.swap_sides() == battle else (_("I left out what only makes sense for the other side."),)


def add_attackers(count: int, battle: Battle) -> tuple[Battle, tuple[str, ...]]:
    """Return the battle with so many attackers more; UserError if none would be left."""
    if battle.attackers + count < 1:
        raise UserError(_(LAST))
    return replace(battle, attackers=battle.attackers + count), ()


async def _worth(battle: Battle, odds: Odds, services: Services) -> list[str]:
    """Say when to go on and when to stop, for a battle over a territory with a value."""
    if battle.value is None or not battle.defenders:
        return []
    steps = await compute_on_grid(services.engine, worth_going_on, battle)
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


def compared_plan(battle: Battle, odds: Odds, line: str) -> ComparedPlan:
    """Return the result of a plan from its battle, its odds and its canonical line."""
    standing = odds.defenders_end > 0
    rungs = np.where(standing, -odds.defenders_end, odds.attackers_end)
    alone = standing != (odds.attackers_end > 0)
    lost = None if odds.never else odds.attackers - odds.attackers_left
    return ComparedPlan(
        line=line,
        description=matchup(battle),
        game=game(battle),
        odds=odds,
        attacker_result="wins",
        chances=(odds.attacker_wins, odds.beaten, neither(odds)),
        ends=fates(odds),
        law=law_by_winner(rungs, alone & ~standing, alone & standing, odds.chances),
        gain=None if lost is None else -lost,
        amounts={LOST: lost, ROUNDS: odds.rounds},
        error=odds.error,
        caveats=(_("It never ends once nobody can hit anything"),) if odds.never else (),
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are not numbers."""
    return [word for word in line.split() if not word.isdigit() and word not in ("vs", ">")]


LEAST_GAIN, LEAST_LATER_GAIN = 0.0005, 0.005
"""By how much the choice of dice must move the chance to be worth a line unasked: now, and if it comes later."""
MOST_PLACES = 4
"""Up to so many decimals of a percentage tell two chances apart."""
MOST_SIZES = 3
FEWER = {
    "attacker": N_(
        "**The attacker does better with fewer dice** ({when}): {best} to win with the best number "
        "each time, {usual} otherwise"
    ),
    "defender": N_(
        "**The defender does better with fewer dice** ({when}): the attacker wins {best} with the "
        "best number each time, {usual} otherwise"
    ),
}
HARDLY = {
    "attacker": N_("The attacker does better with fewer dice ({when}), but by less than {points} points"),
    "defender": N_("The defender does better with fewer dice ({when}), but by less than {points} points"),
}


async def advice_lines(battle: Battle, odds: Odds, asked: bool, services: Services) -> list[str]:
    """Return the advice to roll fewer dice; if it is `asked` for, also where the gain is small or there is none."""
    if not _has_advice(battle, asked):
        return []
    if battle.chain().cells > MOST_ADVISED:
        limit = int(MOST_ADVISED**0.5) - 1
        return [_("This battle is too large for advice on dice; {most} against {most} works", most=limit)] * asked
    ours, theirs = await compute_on_grid(services.engine, advice, battle)
    if asked and ours is theirs is None:
        return [_("With these rules I can't tell whether fewer dice are better")]
    parts = [_side_line("attacker", ours, odds, asked), _side_line("defender", theirs, odds, asked)]
    return parts if any(parts) or not asked else [_("Nobody does better with fewer dice here")]


def _has_advice(battle: Battle, asked: bool) -> bool:
    """Tell whether fewer dice may be better, or somebody asks; they never are where all dice are alike, as in Risk."""
    plain = all(pool == Pool(pool.dice) and len(set(pool.dice)) == 1 for pool in battle.pools)
    return asked or not plain or bool(battle.attack_ships) or bool(battle.defence_ships)


def _side_line(side: str, given: Advice | None, odds: Odds, asked: bool) -> str:
    """Return the advice for one side, where it changes what to do by enough, or by anything where that is asked."""
    if given is None or (given.dice == given.most and given.later is None):
        return ""
    if not asked and given.gain < (LEAST_GAIN if given.dice < given.most else LEAST_LATER_GAIN):
        return ""
    now = _("roll {dice} now, not {most}", dice=given.dice, most=given.most)
    when = _from_where(given.later) if given.later else now
    if chances := _distinct_chances(given, odds):
        return _(FEWER[side], when=when, best=chances[0], usual=chances[1])
    return _(HARDLY[side], when=when, points=number(0.1**MOST_PLACES, MOST_PLACES))


def _from_where(later: LaterAdvice) -> str:
    """Return what to roll at which sizes first: "roll 1, not 2, from 2 against 2"."""
    sizes = [_("{attackers} against {defenders}", attackers=a, defenders=d) for a, d in later.sizes[:MOST_SIZES]]
    named = sizes[0] if not sizes[1:] else _("{sizes} or {last}", sizes=", ".join(sizes[:-1]), last=sizes[-1])
    if not later.dice:
        return _("from {sizes}", sizes=named)
    return _("roll {dice}, not {most}, from {sizes}", dice=later.dice, most=later.most, sizes=named)


def _distinct_chances(given: Advice, odds: Odds) -> tuple[str, str] | None:
    """Return both chances with as many decimals as tell them apart; None where that takes too many."""
    best, usual = percent(given.best, odds), percent(given.usual, odds)
    if best != usual:
        return best, usual
    for places in range(2, MOST_PLACES + 1):
        parts = [number(100 * chance, places) for chance in (given.best, given.usual)]
        ends = {number(0, places), number(100, places)}
        if parts[0] != parts[1] and not ends & set(parts):
            return in_percent(f"{parts[0]}"), in_percent(f"{parts[1]}")
    return None
