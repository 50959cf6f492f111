"""Solves a battle of Axis & Allies: fights its chain to the end and returns the odds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from sys import float_info

import numpy as np

from solver.axis.at_once import solve_at_once
from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain, AxisKernel
from solver.axis.course import has_first_round, last_round
from solver.axis.kernel.forces import Forces, Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.odds import AxisOdds, join_odds, odds_of_ends
from solver.axis.plans import Future, RetreatPlans
from solver.axis.sides import Army
from solver.chain import Grid, Mask, forward, forward_rounds
from solver.progress import Meter

DROPPED = 1e-10
"""The probability that may be dropped in all, by default."""
UNLIKELY = 50
"""At first a cell drops so many times its share of that: most cells are hardly ever reached."""
MOST_TOGETHER = 1_000_000
"""About how many cells of battles that are fought together are in memory."""

MOST_SECONDS = 3.0
"""Seconds for the largest battle of Axis & Allies, at which the solver stops."""


def count_forces(army: Army, battle: AxisBattle) -> int:
    """Estimate how many forces a side can be reduced to.

    Args:
        army: The side.
        battle: The battle.
    """
    if battle.theatre == "land":
        return 1 + sum(count for _, count in army.units)
    kinds = dict.fromkeys(("sub", "air", "ship"), 1)
    for name, count in army.units:
        unit = battle.rules.table[name]
        kinds["sub" if unit.surprise else "air" if unit.kind == "air" else "ship"] += count
    return prod(kinds.values())


def army_seconds(battle: AxisBattle, dropped: float = DROPPED, *_others: object) -> float:
    """Estimate the seconds for the odds of a battle: see `Estimate`."""
    cells = prod(count_forces(side, battle) for side in (battle.attacker, battle.defender))
    if battle.theatre == "land":
        # Each number of planes that the guns have shot down is followed by itself.
        seconds = 0.004 + 2.5e-7 * cells * (1 + _most_shot_down(battle))
    else:
        seconds = 0.008 + 1.7e-4 * cells**0.45
    return min(seconds * (3 if battle.retreat.plans else 1) * (1 if dropped else 3), MOST_SECONDS)


def _most_shot_down(battle: AxisBattle) -> int:
    """The most planes that guns can hit before the first round."""
    table = battle.rules.table
    planes = sum(count for name, count in battle.attacker.units if table[name].kind == "air")
    shots = sum(count * table[name].antiaircraft for name, count in battle.defender.units)
    return min(planes, shots) if battle.guns_can_fire else 0


def solve_axis(battle: AxisBattle, dropped: float = DROPPED) -> AxisOdds:
    """Return the odds of a battle in which both sides follow their orders of loss, also where a side would choose.

    Args:
        battle: The battle.
        dropped: The most probability, of 1, that may be dropped to save work; with 0 nothing is dropped.

    Returns:
        The odds; `error` bounds the error of each probability.

    Raises:
        TooLargeError: If a side has too many forces.

    Example:
        >>> from solver.axis.sides import Army
        >>> from solver.axis.units import Rules, Unit
        >>> infantry, tank = Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6)
        >>> rules = Rules("1942", (infantry, tank), (("infantry", "tank"),) * 4)
        >>> battle = AxisBattle(rules, "land", Army.of({"infantry": 3, "tank": 2}), Army.of({"infantry": 4}))
        >>> round(solve_axis(battle).takes, 6)
        0.793881
    """
    return solve_at_once(battle, dropped, Meter()) or solve_chain(AxisChain(battle), dropped)


def solve_chain(chain: AxisChain, dropped: float) -> AxisOdds:
    """Return the odds of a battle from its chain; TooLargeError if its meter does not allow the work.

    Args:
        chain: The chain of the battle.
        dropped: The most probability, of 1, that may be dropped; with 0 nothing is dropped.
    """
    return solve_each(chain, dropped, None, np.array([list(chain.chances.values())]))[0]


def solve_each(
    chain: AxisChain, dropped: float, future: Future | None, starts: Grid, unmet: Mask | None = None
) -> tuple[AxisOdds, Grid]:
    """Return the odds of several battles of one chain together, and the share of each: [battle, end].

    TooLargeError if it takes more work than the meter of the chain allows.

    Args:
        chain: The chain.
        dropped: The most probability that may be dropped; with 0 nothing is dropped.
        future: The worth of the ends for later waves; None for a battle of one wave.
        starts: The probability of each force with which the defender may begin: [battle, start]. The sum over all
            battles may be less than 1; then the probabilities of the odds add up to that sum.
        unmet: Whether no enemy is there, so that there is no battle after which planes crash: [start]; None for never.
    """
    battle = chain.battle
    chain.trim = dropped > 0
    share = dropped / (2 * len(chain.attack) * len(chain.defence) * len(starts))
    last = last_round(battle)
    if last is None:
        # Few cells ever hold almost as much as may be dropped, so the sum is checked afterwards.
        chain.eps = share * UNLIKELY
        plans = RetreatPlans(chain, future)
        odds, shares = _solve(chain, plans, starts, unmet)
        if odds.error > dropped > 0:
            chain.eps = share
            odds, shares = _solve(chain, plans, starts, unmet)
        return odds, shares
    # Each round may drop mass again.
    chain.eps = share / (last + 1)
    odds, shares = _solve(chain, RetreatPlans(chain, future), starts, unmet)
    return replace(odds, error=odds.error + dropped / 2), shares


def _solve(chain: AxisChain, plans: RetreatPlans, starts: Grid, unmet: Mask | None) -> tuple[AxisOdds, Grid]:
    """The odds if probabilities below the chain's `eps` are no longer followed."""
    declined = np.array(plans.declines())
    unmet = np.zeros(len(declined), bool) if unmet is None else unmet
    rounds, cells, shares = _fight_to_ends(chain, plans.stops, starts * ~(declined | unmet))
    parts = []
    if not (declined | unmet).all():
        ends = *np.divmod(cells, len(chain.defence)), shares.sum(axis=0), rounds
        parts = [(odds_of_ends(chain.battle, chain.attack, chain.defence, *ends), shares)]
    odds, shares = add_unfought(chain, parts, starts, declined, unmet)
    lost = max(float(starts.sum() - odds.chances.sum()), 0.0) + 8 * float_info.epsilon * (1 + rounds)
    return replace(odds, error=lost if chain.trim else 0.0), shares


def add_unfought(
    chain: AxisChain, fought: Sequence[tuple[AxisOdds, Grid]], starts: Grid, declined: Mask, unmet: Mask
) -> tuple[AxisOdds, Grid]:
    """Return the odds of several battles together, and the share of each, with those in which nobody is lost.

    Args:
        chain: The chain.
        fought: The odds and the shares of the battles that are fought.
        starts: The probability of each force with which the defender may begin: [battle, start].
        declined: Whether the attackers decline the battle: [start].
        unmet: Whether they come and find no enemy: [start].
    """
    parts = [
        *fought,
        *(
            odds_without_battle(chain, starts * which, is_declined)
            for which, is_declined in ((declined, True), (unmet, False))
            if which.any()
        ),
    ]
    odds, shares = join_odds([odds for odds, _ in parts]), np.concatenate([shares for _, shares in parts], axis=1)
    return replace(odds, declined=float((starts * declined).sum())), shares


def odds_without_battle(chain: AxisChain, starts: Grid, declined: bool) -> tuple[AxisOdds, Grid]:
    """Return the odds, and each battle's share of them, where nobody is lost.

    Args:
        chain: The chain.
        starts: The probability of each force with which the defender may begin: [battle, start].
        declined: Whether the attackers decline the battle; otherwise they come and find no enemy.
    """
    some = np.flatnonzero(starts.any(axis=0))
    everybody = chain.attack.active[chain.row][None]
    nobody = 0 * everybody
    here, gone = (nobody, everybody) if declined else (everybody, nobody)
    forces = Forces(chain.attack.segments, "attack", chain.battle.unit_dice, here, gone)
    rows, shares = np.zeros(len(some), int), starts[:, some]
    odds = odds_of_ends(
        chain.battle.without_crashes, forces, chain.defence, rows, chain.columns[some], shares.sum(axis=0), 0.0
    )
    return replace(odds, declined_at=np.full(len(some), declined)), shares


def _fight_to_ends(chain: AxisChain, stops: Mask, starts: Grid) -> tuple[float, Nodes, Grid]:
    """The rounds of all battles, the numbers of the cells in which any ends, and each battle's share of these."""
    rounds, parts = 0.0, []
    for fought, law in fight_battles(chain, stops, starts):
        if last_round(chain.battle) is None:
            np.copyto(law, 0, where=chain.fights & ~stops)  # what was dropped
        # Few cells are ends, and all the others of many battles take much memory.
        rows, columns = np.nonzero(law.any(axis=0))
        parts.append((rows * len(chain.defence) + columns, law[:, rows, columns]))
        rounds += fought
    return rounds, *gather_shares(parts)


def gather_shares(parts: Sequence[tuple[Nodes, Grid]]) -> tuple[Nodes, Grid]:
    """Return the numbers of the cells in which any of several battles ends, and each battle's share of these.

    Args:
        parts: For some of the battles the cells in which any of them ends, in ascending order, and their shares:
            [battle, cell].
    """
    if len(parts) == 1:
        return parts[0]
    cells, _ = unique_inverse(np.concatenate([some for some, _ in parts]))
    shares, first = np.zeros((sum(len(share) for _, share in parts), len(cells))), 0
    for some, share in parts:
        shares[first : first + len(share), np.searchsorted(cells, some)] = share
        first += len(share)
    return cells, shares


def fight_battles(chain: AxisChain, stops: Mask, starts: Grid) -> Iterator[tuple[float, Grid]]:
    """Fight battles to the end, as many at once as the kernel takes.

    For the next battles yield the expected number of rounds of all together, and the probability of each cell at the
    end: [battle, row, column].

    Args:
        chain: The chain.
        stops: Whether the attacker stops: [row, column].
        starts: The probability of each force with which the defender may begin: [battle, start].
    """
    together = max(MOST_TOGETHER // chain.cells, 1) if chain.on_lines else 1
    for first in range(0, len(starts), together):
        yield _fight_at_once(chain, stops, starts[first : first + together])


def _fight_at_once(chain: AxisChain, stops: Mask, starts: Grid) -> tuple[float, Grid]:
    """Fight battles to the end; return what `fight_battles` yields."""
    every = np.zeros((len(starts), *chain.kernel().empty().shape))
    law = every if chain.on_lines else every[0]
    chain.begin(law, starts if chain.on_lines else starts[0])
    rounds = fight_after_opening(chain, stops, law)
    return rounds, every[:, : len(chain.attack)]


def fight_after_opening(chain: AxisChain, stops: Mask, law: Grid) -> float:
    """Fight battles to the end from their first round on; return the expected number of rounds of all together.

    Args:
        chain: The chain.
        stops: Whether the attacker stops: [row, column].
        law: The probability of each cell; afterwards that of each cell at the end.
    """
    rounds, fought = 0.0, 0
    if has_first_round(chain.battle):
        # An attacker who has only ships still fights the first round.
        first = chain.bombardment_kernel()
        first.make_moves(law)
        waiting = law.copy()
        law[...] = 0
        rounds += first.spread(law, waiting, (0, 0))
        fought = 1
    return rounds + fight_on(chain, stops, law, fought)


def fight_on(chain: AxisChain, stops: Mask, law: Grid, fought: int) -> float:
    """Fight battles under way to the end; return the expected number of further rounds of all together.

    Args:
        chain: The chain.
        stops: Whether the attacker stops: [row, column].
        law: The probability of each cell; afterwards that of each cell at the end.
        fought: The number of rounds that they have had.
    """
    kernel, rounds, battle = chain.kernel().with_stops(stops), 0.0, chain.battle
    kernel.make_moves(law)
    limit, last = battle.round_limit, battle.defender_retreat.rounds
    if limit is not None and (last is None or limit <= last):
        rounds += _fight_rounds(chain, kernel, law, stops, max(limit - fought, 0))
        fought = max(limit, fought)
        # The rounds are over: units that can leave do so, the others fight on.
        stops = (chain.fights | chain.leaves) & chain.can_retreat[:, None]
        kernel = kernel.with_stops(stops)
        kernel.make_moves(law)
    if last is None:
        rounds += forward(kernel, law)
        chain.leave(law, chain.leaves & ~stops)
        return rounds
    rounds += forward_rounds(kernel, law, last - fought, everywhere=True)
    chain.leave(law, (chain.fights | chain.leaves) & ~stops)
    return rounds


def _fight_rounds(chain: AxisChain, kernel: AxisKernel, law: Grid, stops: Mask, count: int) -> float:
    """Fight so many rounds. After the last of them attackers decide before the defender leaves."""
    rounds = 0.0
    if count and chain.leaves.any():
        rounds += forward_rounds(kernel, law, count - 1, everywhere=True)
        chain.leave(law, chain.leaves & ~stops)
        count = 1
    return rounds + forward_rounds(kernel, law, count, everywhere=True)
