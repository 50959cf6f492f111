"""The result of a battle in several waves, for a comparison of two plans."""

import numpy as np

from bot.editions import editions
from bot.games.axis.bombardment import bombardment_remarks
from bot.games.axis.words import value_unit
from bot.games.waves import words
from bot.languages import _
from bot.words.compared_plan import (
    HOLDS,
    NEITHER,
    WINS,
    ComparedPlan,
    Figure,
    law_by_winner,
    money_figures,
    rounds_figures,
)
from bot.words.numbers import HELD, exactness, percent, victory
from solver.waves.odds import WavesOdds
from solver.waves.waves import Waves


def compared_plan(line: str, waves: Waves, odds: WavesOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its waves and their odds."""
    first, every = waves.battles[0], odds.joint
    chances = odds.hold_chance(0), odds.hold_chance(1), odds.hold_chance(None)
    caveats = [*bombardment_remarks(waves), *words.caveats(odds)]
    lost = None if every is None else words.money_lost(waves, every)
    if every is None:
        gain = sum((1 - 2 * side) * wave.profit for side, wave in zip(odds.sides, odds.waves, strict=True))
        law = np.array([gain]), np.array(chances)[:, None]
    else:
        holders = np.array([{0: WINS, 1: HOLDS, None: NEITHER}[field.holder] for field in every.fields])
        gain = float(every.profits @ every.chances)
        law = law_by_winner(np.round(every.profits, 6), holders[every.at], every.chances)
    numbers = victory(odds), percent(chances[HOLDS], odds), percent(chances[NEITHER], odds)
    ends = {HELD: chances[HOLDS]} | words.unheld_fates(odds)
    return ComparedPlan(
        line,
        words.matchup(waves),
        _(editions()[first.rules.key].name),
        "holds it in the end",
        HELD,
        chances,
        numbers,
        *law,
        value_unit(first),
        gain,
        tuple(Figure(name, of, percent(of, odds)) for name, of in ends.items() if of),
        (
            *money_figures(lost, gain),
            *rounds_figures(odds.rounds),
        ),
        exactness(odds.error),
        odds.error,
        caveats=tuple(caveats),
        worth=first.worth,
    )
