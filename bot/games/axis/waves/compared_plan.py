"""Several waves of Axis & Allies as a plan of a comparison."""

import numpy as np

from bot.editions import editions
from bot.games.axis.bombardment import bombardment_remarks
from bot.games.axis.waves import words
from bot.games.axis.words import value_unit
from bot.languages import _
from bot.words.compared_plan import BEATS, LOSES, PROFIT, ROUNDS, ComparedPlan, law_by_winner, possible
from bot.words.numbers import HELD
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves


def compared_plan(waves: Waves, odds: WavesOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its waves, their odds and its canonical line."""
    first, every = waves.battles[0], odds.joint
    chances = odds.hold_chance(0), odds.hold_chance(1), odds.hold_chance(None)
    caveats = [*bombardment_remarks(waves), *words.caveats(odds)]
    ours, theirs = words.money_lost(waves, every) if every else (None, None)
    if every is None:
        gain = sum((1 - 2 * side) * wave.profit for side, wave in zip(odds.sides, odds.waves, strict=True))
        law = np.array([gain]), np.array(chances)[:, None]
    else:
        won, held = (np.array([field.holder == side for field in every.fields])[every.at] for side in (0, 1))
        gain = float(every.profits @ every.chances)
        law = law_by_winner(np.round(every.profits, 6), won, held, every.chances)
    return ComparedPlan(
        line=line,
        description=words.matchup(waves),
        game=_(editions()[first.rules.key].name),
        odds=odds,
        attacker_result="holds it in the end",
        chances=chances,
        ends=possible({HELD: chances[1]} | words.unheld_fates(odds)),
        law=law,
        measure=value_unit(first),
        gain=gain,
        amounts={LOSES: ours, BEATS: theirs, PROFIT: gain, ROUNDS: odds.rounds},
        error=odds.error,
        caveats=tuple(caveats),
        worth=first.worth,
    )
