"""Simulation of Axis & Allies battles that are too large to solve: many battles rolled, and the error of their shares.

The rules are applied to arrays with a row for each battle. So the time depends on the number of rounds and of segments
in the orders of loss, and not on the number of units.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.battle import AxisBattle
from solver.axis.kernel.distinct import unique_inverse
from solver.axis.kernel.forces import Forces, Nodes
from solver.axis.kernel.hits import CHANCES, UnitCounts
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.opening import OPENING
from solver.axis.opening_fire import opening_fire
from solver.axis.rows import AxisRows, BattleRows, Salvos, SubFlags, is_anything, withdraw_units
from solver.errors import TooLargeError, check_count

MOST_BATTLES = 1_000_000
AT_ONCE, AT_FIRST = 20_000, 1_000
"""The number of battles rolled together; the first, smaller part shows how long they last."""
MOST_WORK = 5_000_000
"""About how many rounds are rolled, over all battles; if they last long, fewer battles are rolled."""
ENDLESS = 2_000
"""A battle that is not over after so many rounds counts as undecided."""
MOST_UNDECIDED = 0.01
"""The largest share of undecided battles with which odds are still returned."""

Rows = npt.NDArray[np.int16]


class Endings(NamedTuple):
    """Battles that are over.

    Attributes:
        attack: The attacker's units in the fight, then those gone from it: [battle, segment].
        defence: The defender's units in the fight, then those gone from it: [battle, segment].
        rounds: The number of rounds of all battles together.
        undecided: The number of battles given up after `ENDLESS` rounds.
    """

    attack: Rows
    defence: Rows
    rounds: int
    undecided: int


def sample_axis(battle: AxisBattle, battles: int = 100_000, seed: int | None = None) -> AxisOdds:
    """Return the odds of a battle as shares of simulated battles.

    Args:
        battle: The battle.
        battles: How many battles to simulate; fewer are simulated if they last very long.
        seed: The seed of the random generator; None for a random one.

    Returns:
        The odds. `sampled` is the number of battles, and each probability is within `error` in 19 of 20 cases. If the
        attacker declines, nothing is rolled.

    Raises:
        TooLargeError: If a rule plans to the end, or if the battles last too long.
        BattleError: If the number of battles is out of range.
    """
    check_count(
        "battles", battles, 1, MOST_BATTLES, "the number of battles to simulate must be {least} to {most}, not {value}"
    )
    for name in ("profit_below", "win_chance_below"):
        if getattr(battle.retreat, name) is not None:
            raise TooLargeError(
                f"retreat.{name}", "this battle is too large to plan to the end; use another retreat rule"
            )
    sampler = _Sampler(battle, np.random.default_rng(seed))
    if sampler.rows.declines():
        start, place = sampler.rows.start(1), np.zeros(1, np.int64)
        home = withdraw_units(start.attack, np.ones(1, bool), is_anything)
        return replace(
            odds_of_ends(battle.without_crashes, home, start.defence, place, place, np.ones(1), 0.0), declined=1.0
        )
    return sampler.odds(battles)


class _Sampler:
    """A simulator of many battles at once."""

    def __init__(self, battle: AxisBattle, generator: np.random.Generator) -> None:
        self.battle, self.generator = battle, generator
        self.rows = AxisRows(battle)

    def odds(self, battles: int) -> AxisOdds:
        """Roll so many battles, part after part, and count their ends."""
        found: list[Endings] = []
        done = work = 0
        while done < battles and (not done or work < MOST_WORK):
            affordable = AT_FIRST if not done else max(1, (MOST_WORK - work) * done // max(work, 1))
            some = min(AT_ONCE, battles - done, affordable)
            found.append(self._fight(self._start(some)))
            done, work = done + some, work + found[-1].rounds
        undecided = sum(endings.undecided for endings in found)
        if undecided > done * MOST_UNDECIDED:
            raise TooLargeError(
                "units", "this battle lasts too long to follow to the end; add a limit such as `rounds:100`"
            )
        ours, rows = _unique_rows(np.concatenate([endings.attack for endings in found]))
        theirs, columns = _unique_rows(np.concatenate([endings.defence for endings in found]))
        pairs, counts = np.unique(rows * len(theirs) + columns, return_counts=True)
        attack, defence = self.rows.forces("attack", ours), self.rows.forces("defence", theirs)
        odds = odds_of_ends(self.battle, attack, defence, *np.divmod(pairs, len(theirs)), counts / done, work / done)
        error = 1.96 * sqrt(0.25 / done) + (1 + undecided) / done
        return replace(odds, sampled=done, error=min(error, 1.0))

    def _start(self, battles: int) -> BattleRows:
        """Begin so many battles; return them after the opening."""
        field = self.rows.start(battles)
        for phase in OPENING:
            salvos = opening_fire(self.rows, phase, field)
            while any(powers.any() for salvo in salvos for powers in salvo.powers):
                field = self._volley(field, salvos)
                if phase != "air":
                    break
                salvos = opening_fire(self.rows, phase, field)
        return field

    def _fight(self, field: BattleRows) -> Endings:
        """Fight until all battles are over: in every turn each one ends or has a round."""
        ended: list[BattleRows] = []
        ships = self.battle.ships
        undecided = 0
        while len(field.rounds):
            field, fights, _ = self.rows.make_moves(field, ships)
            endless = fights & (field.rounds >= ENDLESS)
            undecided += int(endless.sum())
            over = ~fights | endless
            if over.any():
                ended.append(field.select(over))
                field = field.select(~over)
            field = self._round(field._replace(attack=field.attack.with_ships(ships)))
            ships = ()
        rounds = sum(int(some.rounds.sum()) for some in ended)
        ours, theirs = [some.attack for some in ended], [some.defence for some in ended]
        return Endings(_counts_of(ours), _counts_of(theirs), rounds, undecided)

    def _round(self, field: BattleRows) -> BattleRows:
        """The battles after one more round."""
        had = (field.attack.subs, field.defence.subs) if self.rows.subs_about else None
        if had:
            field = self._volley(field, self.rows.strike(field))
        field = self._volley(field, self.rows.fire(field, had), had)
        return field._replace(rounds=field.rounds + 1)

    def _volley(self, field: BattleRows, salvos: Salvos, had: SubFlags | None = None) -> BattleRows:
        """The battles after both sides have fired."""
        at_theirs, at_ours = (salvo.shots([self._hits(powers) for powers in salvo.powers]) for salvo in salvos)
        return self.rows.take_hits(field, at_theirs, at_ours, had)

    def _hits(self, powers: UnitCounts) -> UnitCounts:
        """Roll the dice of every battle: the hits of so many units of each strength."""
        if self.battle.dice == "low_luck":
            sixes, over = np.divmod(powers @ np.arange(7), 6)
            return np.asarray(sixes + (self.generator.integers(6, size=len(powers)) < over))
        hits = np.zeros(len(powers), np.int64)
        for counts, chance in zip(powers.T, CHANCES[self.battle.dice], strict=False):
            if chance and counts.any():
                hits += self.generator.binomial(counts, chance)
        return hits


def _counts_of(sides: Sequence[Forces]) -> Rows:
    """The units of a side in all battles: those in the fight, then those gone from it."""
    return np.concatenate([np.concatenate([side.active, side.gone], axis=1).astype(np.int16) for side in sides])


def _unique_rows(rows: Rows) -> tuple[Rows, Nodes]:
    """The different rows, and the place of each row among them."""
    place = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, place = unique_inverse(place * (int(column.max(initial=0)) + 1) + column)
    some = np.empty(int(place.max(initial=-1)) + 1, np.int64)
    some[place] = np.arange(len(rows))
    return rows[some], place
