"""Simulation of Axis & Allies battles that are too large to solve: many battles rolled, and the error of their shares.

The rules are applied to arrays with a row for each battle. So the time depends on the number of rounds and of segments
in the orders of loss, and not on the number of units. The battles are rolled in parts. Within a part they share out the
luck evenly: see `EvenLuck`. The parts know nothing of each other, and so their spread shows the error.
"""

from dataclasses import replace
from math import ceil, hypot, sqrt
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Nodes
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.rows import AxisRows, is_anything, withdraw_units
from solver.axis.simulation.even_luck import EvenLuck
from solver.axis.simulation.fights import Endings, Simulator, gather_ends
from solver.axis.solve import MOST_SECONDS
from solver.chain import Chances
from solver.errors import TooLargeError, check_count
from solver.progress import Progress, takes, tell

MOST_BATTLES = 1_000_000
AT_ONCE, PARTS, AT_FIRST = 8_192, 16, 200
"""The number of battles rolled together, the least number of such parts, and the battles that show how long they last.
"""
PRECISE = 0.001
"""Battles are rolled until the attacker's chance is as near to the truth in 19 of 20 cases."""
MOST_WORK = 3_000_000
"""About how many rounds are rolled, over all battles; if they last long, fewer battles are rolled."""
MOST_UNDECIDED = 0.01
"""The largest share of undecided battles with which odds are still returned."""


class SampledPair(NamedTuple):
    """Two plans that were simulated with the same luck.

    Attributes:
        first: The odds of the first.
        second: The odds of the second.
        wins_error: How far the difference between their chances to win may be off, in 19 of 20 cases.
        profit_error: The same for their profits.
    """

    first: AxisOdds
    second: AxisOdds
    wins_error: float
    profit_error: float


def sample_axis(battle: AxisBattle, battles: int | None = None, seed: int | None = None) -> AxisOdds:
    """Return the odds of a battle as shares of simulated battles.

    Args:
        battle: The battle.
        battles: How many battles to simulate; fewer are simulated if they last very long. None for as many as make the
            attacker's chance precise.
        seed: The seed of the random generator; None for a random one.

    Returns:
        The odds. `sampled` is the number of battles, and the chance of each way to end is within `error` in 19 of 20
        cases. If the attacker declines, nothing is rolled.

    Raises:
        TooLargeError: If a rule plans to the end, or if the battles last too long.
        BattleError: If the number of battles is out of range.
    """
    _refuse_plans(battle)
    return _odds_if_declined(battle) or _roll_together([_Sampled(battle)], battles, seed)[0].odds()


@takes(lambda *_plans: MOST_SECONDS)
def sample_pair(
    first: AxisBattle, second: AxisBattle, battles: int | None = None, seed: int | None = None
) -> SampledPair | None:
    """Return the odds of two plans that meet the same luck, battle by battle, so that their difference is precise.

    It is None if the attacker declines one of them. Errors are those of `sample_axis`.

    Args:
        first: The first plan.
        second: The second.
        battles: How many battles to simulate, as for `sample_axis`.
        seed: The seed of the random generator.
    """
    for plan in (first, second):
        _refuse_plans(plan)
        if _odds_if_declined(plan):
            return None
    ours, theirs = _roll_together([_Sampled(first), _Sampled(second)], battles, seed)
    return SampledPair(
        ours.odds(),
        theirs.odds(),
        chance_error(theirs.sums["wins"] - ours.sums["wins"], ours.sizes),
        safe_error(theirs.sums["profit"] - ours.sums["profit"], ours.sizes, max(ours.spread, theirs.spread)),
    )


def _refuse_plans(battle: AxisBattle) -> None:
    """Refuse rules for the retreat that plan to the end."""
    for name in ("profit_below", "win_chance_below"):
        if getattr(battle.retreat, name) is not None:
            raise TooLargeError(
                f"retreat.{name}", "this battle is too large to plan to the end; use another retreat rule"
            )


def _odds_if_declined(battle: AxisBattle) -> AxisOdds | None:
    """The odds of a battle that the attacker declines; None if they do not."""
    rows = AxisRows(battle)
    if not rows.declines():
        return None
    start, place = rows.start(1), np.zeros(1, np.int64)
    home = withdraw_units(start.attack, np.ones(1, bool), is_anything)
    odds = odds_of_ends(battle.without_crashes, home, start.defence, place, place, np.ones(1), 0.0)
    return replace(odds, declined=1.0)


def _roll_together(plans: list["_Sampled"], battles: int | None, seed: int | None) -> list["_Sampled"]:
    """Roll plans with the same luck, part after part: so many battles, or until their chances to win are precise."""
    if battles is not None:
        check_count(
            "battles",
            battles,
            1,
            MOST_BATTLES,
            "the number of battles to simulate must be {least} to {most}, not {value}",
        )
    root = np.random.SeedSequence(seed)
    trial = min(AT_FIRST, battles or AT_FIRST)
    luck = EvenLuck(trial, np.random.SeedSequence(root.entropy, spawn_key=(0,)))
    each = sum(plan.simulator.roll(luck, trial).work for plan in plans) / trial
    affordable = min(max(int(MOST_WORK / max(each, 1.0)), 1), MOST_BATTLES)
    wanted = min(battles or PARTS * AT_ONCE, affordable)
    done, known = 0, (0.0, 0.0)
    while done < wanted:
        # A last part of another size would spoil the even shares.
        parts = max(min(PARTS, wanted) if not done else 0, ceil((wanted - done) / AT_ONCE))
        for part in range(parts):
            size = (wanted - done) // (parts - part)
            number = len(plans[0].found) + 1
            luck = EvenLuck(size, np.random.SeedSequence(root.entropy, spawn_key=(number,)))
            for plan in plans:
                plan.found.append(plan.simulator.roll(luck, size))
            done += size
            tell(Progress(done / wanted, done, *known))
        for plan in plans:
            plan.count()
        if battles is None:
            first = plans[0]
            known = float(first.sums["wins"].sum() / done), chance_error(first.sums["wins"], first.sizes)
            error = max(chance_error(plan.sums["wins"], plan.sizes) for plan in plans)
            if error > PRECISE:
                wanted = min(int(1.1 * done * min((error / PRECISE) ** 2, 100.0)), affordable)
    return plans


class _Sampled:
    """A plan and its rolled parts.

    `sums` has for each part the number of battles with each result, and the sum of their profits; `sizes` has the
    number of battles. `spread` is the difference between the highest and the lowest profit, or the
    worth of all units if there is none.
    """

    def __init__(self, battle: AxisBattle) -> None:
        self.simulator = Simulator(battle)
        self.found: list[Endings] = []
        self.sums: dict[str, Chances] = {}
        self.sizes = np.zeros(0, np.int64)
        self.spread = 0.0

    def count(self) -> None:
        """Count the ends of all parts."""
        parts, rows = self.found, self.simulator.rows
        self.sizes = np.array([len(endings.weights) for endings in parts])
        undecided = sum(endings.undecided for endings in parts)
        if undecided > self.sizes.sum() * MOST_UNDECIDED:
            raise TooLargeError(
                "units", "this battle lasts too long to follow to the end; add a limit such as `rounds:100`"
            )
        self._ends, place = gather_ends(rows, parts)
        self._counts = np.bincount(place)
        self._undecided = undecided
        ends = AxisEnds(rows.battle, *self._ends)
        worth = self._ends[0].whole_cost + self._ends[1].whole_cost
        self.spread = float(np.ptp(ends.profit)) or worth
        part = np.repeat(np.arange(len(parts)), self.sizes)
        values = {
            "wins": ends.wins,
            "takes": ends.taken,
            "attackers": ends.attacker_stands,
            "defenders": ends.defender_stands,
            "both": ends.attacker_stands & ends.defender_stands,
            "cleared": ends.cleared & ends.defender_stands,
            "profit": ends.profit,
        }
        self.sums = {
            name: np.bincount(part, np.asarray(of, float)[place], len(parts)).astype(float)
            for name, of in values.items()
        }

    def odds(self) -> AxisOdds:
        """Return the odds as shares of all battles."""
        done = int(self.sizes.sum())
        rounds = sum(endings.rounds for endings in self.found) / done
        odds = odds_of_ends(self.simulator.battle, *self._ends, self._counts / done, rounds)
        missing = self._undecided / done
        errors = {name: chance_error(of, self.sizes) for name, of in self.sums.items() if name != "profit"}
        return replace(
            odds,
            sampled=done,
            error=min(max(errors.values()) + missing, 1.0),
            wins_error=min(errors["wins"] + missing, 1.0),
            profit_error=safe_error(self.sums["profit"], self.sizes, self.spread),
        )


NORMAL = 1.959964
"""So many standard errors hold the truth in 19 of 20 cases, if they are known."""
FEW = 4.0
"""Something that happened in none of the battles could still have happened in so many."""


def mean_error(sums: Chances, sizes: Nodes) -> float:
    """Return how far the mean of all battles may be from the truth in 19 of 20 cases.

    Args:
        sums: The sum over the battles of each part.
        sizes: The number of battles of each part.
    """
    if len(sizes) < 2:
        return float("inf")
    total = float(sizes.sum())
    off = sums - sizes * (sums.sum() / total)
    return _quantile(len(sizes) - 1) * sqrt(float(off @ off) * len(sizes) / (len(sizes) - 1)) / total


def safe_error(sums: Chances, sizes: Nodes, unseen: float) -> float:
    """Return the same as `mean_error`, but large enough for what happened in none of the battles.

    Args:
        sums: The sum over the battles of each part.
        sizes: The number of battles of each part.
        unseen: By how much one battle may change the sum.
    """
    return hypot(mean_error(sums, sizes), FEW * unseen / float(sizes.sum()))


def chance_error(sums: Chances, sizes: Nodes) -> float:
    """Return how far a share of all battles, or a difference of two, may be from the chance in 19 of 20 cases.

    Args:
        sums: The number of battles in each part that count.
        sizes: The number of battles of each part.
    """
    return min(safe_error(sums, sizes, 1.0), 1.0)


def _quantile(freedom: int) -> float:
    """Student's quantile: how many standard errors, found from one part more than this, hold the truth as often."""
    first, three = NORMAL, NORMAL**3
    five, seven = NORMAL**5, NORMAL**7
    return (
        first
        + (three + first) / (4 * freedom)
        + (5 * five + 16 * three + 3 * first) / (96 * freedom**2)
        + (3 * seven + 19 * five + 17 * three - 15 * first) / (384 * freedom**3)
    )
