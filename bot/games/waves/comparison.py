"""The result of a battle in several waves, for a comparison of two plans."""

import numpy as np

from bot.editions import editions
from bot.games.axis.bombardment import bombardment_remarks
from bot.games.axis.words import value_unit
from bot.games.waves import words
from bot.languages import _
from bot.words.compared_plan import HOLDS, NEITHER, WINS, ComparedPlan, law_by_winner, money_figures, rounds_figures
from bot.words.numbers import HELD
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
    ends = {HELD: chances[HOLDS]} | words.unheld_fates(odds)
    return ComparedPlan(
        line=line,
        description=words.matchup(waves),
        game=_(editions()[first.rules.key].name),
        odds=odds,
        attacker_result="holds it in the end",
        chances=chances,
        ends={name: chance for name, chance in ends.items() if chance},
        law=law,
        measure=value_unit(first),
        gain=gain,
        figures=(*money_figures(lost, gain), *rounds_figures(odds.rounds)),
        error=odds.error,
        caveats=tuple(caveats),
        worth=first.worth,
    )
