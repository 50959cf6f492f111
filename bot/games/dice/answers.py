"""Battles with dice: the answer to "what are the odds", the battles its buttons make, and a plan of a comparison."""

from dataclasses import replace

import numpy as np

from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.advice import advice_lines
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.words import alternative, answer, exactly, fates, game, has_end, matchup, neither
from bot.games.dice.work import CHART, compute_on_grid, find_fraction
from bot.languages import _, _p, number
from bot.replies import Button, Picture, Reply, TextFile, picture_name
from bot.request import Request, Services
from bot.words.compared_plan import LOST, ROUNDS, ComparedPlan, law_by_winner
from bot.words.numbers import LAST
from solver import Battle, Odds
from solver.dice.sizes import worth_going_on

MOST_STEPS = 12


async def answer_battle(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds, a picture, and buttons for what may be asked next."""
    odds = await services.engine.odds(battle)
    advised = await advice_lines(battle, odds, bool(reading.asked.get("advice")), services)
    worth = await _worth(battle, odds, services)
    short, long = await exactly(find_fraction(services.engine, battle)) if reading.exact else ("", "")
    texts = answer(battle, odds, reading.remarks)
    facts = (*texts.facts, *filter(None, [*advised, *worth, short]))
    picture = None
    if has_end(odds):
        png = await services.engine.draw(CHART, battle, battle, odds)
        beside = (*advised, *facts[1:])
        picture = Picture(png, picture_name(write_dice(battle)), alternative(battle, odds), beside)
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


def compared_plan(line: str, battle: Battle, odds: Odds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its battle and its odds."""
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
