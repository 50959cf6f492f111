"""The odds of an Axis & Allies battle: the joint law of who is left on both sides, and everything people ask of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from sys import float_info
from typing import Any, NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_chain import AxisChain
from solver.chain import Grid, Mask, bounded, forward
from solver.documents import told_chance, told_chances
from solver.forces import Flags, Forces, Nodes, ranked
from solver.odds import Chances
from solver.plans import Ends, Future, Plans, remove_crashed

DROPPED = 1e-10
"""How much probability may be dropped in all, unless somebody asks for less."""
UNLIKELY, UNLIKELY_AT_SEA = 50, 300
"""How many times more than its share of that is dropped in a cell at first; at sea most cells of large battles are
hardly ever reached."""
MOST_TOGETHER = 1_000_000
"""About how many cells of battles that are fought at once are in memory."""


class Fate(NamedTuple):
    """What has become of a side: who is lost, who is left in the fight, who is gone from it alive; by unit."""

    lost: tuple[tuple[str, int], ...]
    left: tuple[tuple[str, int], ...]
    gone: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class AxisOdds:
    """How a battle ends: with probability `chances[i]` in `attackers[rows[i]]` and `defenders[columns[i]]`.

    In the i-th end the attacker has lost money worth `attacker_loss_at[i]`, a taken territory counted as the battle
    says, the defender `defender_loss_at[i]`, and the territory is `taken[i]` or not. `territory` is what a taken one
    brings on average. Money is counted as the battle's `worth` says. `rounds` is the expected number of rounds;
    `declined` is the chance that the attacker does not attack, `unplanned` says that rules for retreating that plan to
    the end were left out, as the battle is too large for them. `error` bounds what any probability may be off; 0 says
    exact. Of odds that are no more than the shares of `sampled` battles it bounds each probability in 19 of 20 cases.
    """

    attackers: tuple[Fate, ...]
    defenders: tuple[Fate, ...]
    rows: Nodes
    columns: Nodes
    chances: Chances
    attacker_loss_at: Chances
    defender_loss_at: Chances
    taken: Flags
    attacker_stands: Flags
    defender_stands: Flags
    rounds: float
    land: bool
    territory: float = 0.0
    declined: float = 0.0
    unplanned: bool = False
    error: float = 0.0
    sampled: int = 0

    @property
    def true_zeros(self) -> bool:
        """Whether a chance of 0 means that it cannot happen."""
        return not self.sampled and self.error == 0

    @cached_property
    def takes(self) -> float:
        """The chance that the territory is taken."""
        return float(self.chances[self.taken].sum())

    @cached_property
    def attacker_survives(self) -> float:
        """The chance that the attacker has units left, in the fight or gone from it."""
        return float(self.chances[self.attacker_stands].sum())

    @cached_property
    def defender_survives(self) -> float:
        """The chance that the defender has units left."""
        return float(self.chances[self.defender_stands].sum())

    @cached_property
    def attacker_loss(self) -> float:
        """The money the attacker loses on average, a taken territory counted."""
        return float(self.attacker_loss_at @ self.chances)

    @cached_property
    def defender_loss(self) -> float:
        """The money the defender loses on average."""
        return float(self.defender_loss_at @ self.chances)

    @cached_property
    def wins(self) -> float:
        """The chance that the territory is taken, or at sea that only attackers are left."""
        return float(self.chances[self.won].sum())

    @cached_property
    def won(self) -> Flags:
        """The ends that count as a victory of the attacker."""
        if self.land:
            return self.taken
        return self.cleared & ~self.defender_stands & self._left(self.attackers, self.rows)

    @cached_property
    def cleared(self) -> Flags:
        """The ends in which no defender is left in the fight."""
        return ~self._left(self.defenders, self.columns)

    @cached_property
    def fates(self) -> dict[str, float]:
        """The chances of all ways to end but the attacker's victory; with that they add up to 1."""
        return {name: float(self.chances[which].sum()) for name, which in self.unwon.items()}

    @cached_property
    def unwon(self) -> dict[str, Flags]:
        """The ends of each way to end but the attacker's victory.

        `holds`: only defenders are left, or those that have submerged; `dived`: only these, and the attacker; `both`:
        the attacker has stopped, or nobody can hit; `cleared`: nobody defends, but planes take no territory; `nobody`
        is left.
        """
        attackers, defenders = self.attacker_stands, self.defender_stands
        ends = {
            "holds": defenders & ~attackers,
            "dived": defenders & attackers & self.cleared,
            "both": defenders & attackers & ~self.cleared,
            "cleared": ~defenders & attackers,
            "nobody": ~defenders & ~attackers,
        }
        return {name: which & ~self.won for name, which in ends.items()}

    def _left(self, fates: tuple[Fate, ...], places: Nodes) -> Flags:
        return np.array([bool(fate.left) for fate in fates], bool)[places]

    def lost_units(self, defenders: bool = False) -> dict[str, float]:
        """How many units of each kind a side loses on average; the attacker without `defenders`."""
        fates, places = (self.defenders, self.columns) if defenders else (self.attackers, self.rows)
        shares = np.bincount(places, self.chances, len(fates))
        lost: dict[str, float] = {}
        for fate, chance in zip(fates, shares.tolist(), strict=True):
            for name, count in fate.lost:
                lost[name] = lost.get(name, 0.0) + count * chance
        return lost

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the profit, the defender's losses less the attacker's: amounts of money, and their chances."""
        amounts = np.round(self.defender_loss_at - self.attacker_loss_at, 6)
        found, place = np.unique(amounts, return_inverse=True)
        return found, np.asarray(np.bincount(place, self.chances, len(found)), float)

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        amounts, chances = self.profit
        wave = {
            "wins": told_chance(self.wins),
            **{name: told_chance(chance) for name, chance in self.fates.items()},
            "attacker_survives": told_chance(self.attacker_survives),
            "defender_survives": told_chance(self.defender_survives),
            "takes": told_chance(self.takes),
            "attacker_loss": self.attacker_loss,
            "defender_loss": self.defender_loss,
            "rounds": self.rounds,
            "declined": self.declined == 1,
            "unplanned": self.unplanned,
            "units_lost": {"attacker": self.lost_units(), "defender": self.lost_units(defenders=True)},
            "profit_percentiles": dict(zip(("10", "50", "90"), percentiles(*self.profit), strict=True)),
            "profit": [list(pair) for pair in zip(amounts.tolist(), told_chances(chances), strict=True)],
            "attackers": _told(self.attackers, self.rows, self.chances),
            "defenders": _told(self.defenders, self.columns, self.chances),
        }
        return {"waves": [wave], "error": self.error} | ({"simulated": self.sampled} if self.sampled else {})


def percentiles(amounts: Chances, chances: Chances) -> tuple[float, float, float]:
    """The amount that a tenth, a half and nine tenths of a law do not exceed."""
    if not len(amounts):
        return 0.0, 0.0, 0.0
    reached = np.cumsum(chances)
    low, middle, high = np.searchsorted(reached / reached[-1], [0.1, 0.5, 0.9])
    return float(amounts[low]), float(amounts[middle]), float(amounts[high])


def _told(fates: tuple[Fate, ...], places: Nodes, chances: Chances) -> list[list[Any]]:
    totals = np.bincount(places, chances, len(fates))
    order = np.argsort(-totals, kind="stable")
    return [[*map(dict, fates[place]), told_chance(float(totals[place]))] for place in order.tolist() if totals[place]]


def solve_axis(battle: AxisBattle, dropped: float = DROPPED) -> AxisOdds:
    """The odds of a battle; at most `dropped` of the probability is not followed, with 0 nothing is left out."""
    return solve_chain(AxisChain(battle), dropped)


def solve_chain(chain: AxisChain, dropped: float, future: Future | None = None) -> AxisOdds:
    """The same for a battle whose chain is at hand."""
    return solve_each(chain, dropped, future, np.array([list(chain.chances.values())]))[0]


def solve_each(chain: AxisChain, dropped: float, future: Future | None, starts: Grid) -> tuple[AxisOdds, Grid]:
    """Several battles of one chain: their odds together, and which share of its ends each has, [battle, end].

    `starts` are the chances of what the defender begins with, [battle, start]; all together they may be less than 1, as
    the odds are then.
    """
    battle = chain.battle
    chain.trim = dropped > 0
    share = dropped / (2 * len(chain.attack) * len(chain.defence) * len(starts))
    if battle.round_limit is None:
        # Few cells ever hold almost as much as is dropped: what it comes to in the end is counted.
        chain.eps = share * (UNLIKELY_AT_SEA if chain.tells_subs else UNLIKELY)
        plans = Plans(chain, future)
        odds, shares = _solved(chain, plans, starts)
        if odds.error > dropped > 0:
            chain.eps = share
            odds, shares = _solved(chain, plans, starts)
        return odds, shares
    # What is dropped in one round may be dropped in the next again.
    chain.eps = share / (battle.round_limit + 1)
    odds, shares = _solved(chain, Plans(chain, future), starts)
    return replace(odds, error=odds.error + dropped / 2), shares


def _solved(chain: AxisChain, plans: Plans, starts: Grid) -> tuple[AxisOdds, Grid]:
    """The odds where what is less likely than the chain's `eps` is not followed any further."""
    declined = np.array(plans.declined())
    calm = starts * declined
    rounds, law = fought(chain, plans.stops, starts - calm)
    if chain.battle.round_limit is None:
        law[:, chain.fights & ~plans.stops] = 0  # what was dropped
    odds, shares = _told_odds(chain.battle, chain, law, rounds)
    if declined.any():
        unmade, others = _unmade(chain, calm)
        if declined.all():
            odds, shares = unmade, others
        else:
            odds, shares = joined([odds, unmade]), np.concatenate([shares, others], axis=1)
        odds = replace(odds, declined=float(calm.sum()))
    lost = max(float(starts.sum() - odds.chances.sum()), 0.0) + 8 * float_info.epsilon * (1 + rounds)
    return replace(odds, error=lost if chain.trim else 0.0), shares


def _unmade(chain: AxisChain, starts: Grid) -> tuple[AxisOdds, Grid]:
    """The odds of attacks that are not made, against what the defender has with these chances: nobody is lost."""
    some = np.flatnonzero(starts.any(axis=0))
    everybody = chain.attack.active[chain.row]
    home = Forces(chain.attack.segments, "attack", chain.battle.dice, 0 * everybody[None], everybody[None])
    rows, shares = np.zeros(len(some), int), starts[:, some]
    odds = ending_in(chain.battle.calm, home, chain.defence, rows, chain.columns[some], shares.sum(axis=0), 0.0)
    return odds, shares


def fought(chain: AxisChain, stops: Mask, starts: Grid) -> tuple[float, Grid]:
    """Fight battles; returns the expected number of rounds of all together, and where each ends: [battle, row, column].

    `starts` are the chances of what the defender begins with: [battle, start].
    """
    together = max(MOST_TOGETHER // chain.cells, 1) if chain.on_lines else 1
    fights = [_fought(chain, stops, starts[first : first + together]) for first in range(0, len(starts), together)]
    return sum(rounds for rounds, _ in fights), np.concatenate([law for _, law in fights])


def _fought(chain: AxisChain, stops: Mask, starts: Grid) -> tuple[float, Grid]:
    """The same for as many battles as the kernel takes at once."""
    battle, kernel = chain.battle, chain.kernel()
    every = np.zeros((len(starts), *kernel.empty().shape))
    law = every if chain.on_lines else every[0]
    chain.begin(law, starts if chain.on_lines else starts[0])
    kernel.settle(law)
    rounds, limit = 0.0, battle.round_limit
    if battle.ships or battle.retreat:
        # Without its ships the attacker may have nobody: then the only round is still fought.
        waiting = law.copy()
        law[...] = 0
        rounds += chain.bombardment().spread(law, waiting, (0, 0))
        limit = None if limit is None else limit - 1
    rounds += fought_on(chain, stops, law, limit)
    return rounds, every[:, : len(chain.attack)]


def fought_on(chain: AxisChain, stops: Mask, law: Grid, limit: int | None) -> float:
    """Fight battles to the end that stand in the cells of a law, so many rounds at the most; returns their number.

    The attacker stops in the cells that say so, and the expected number is that of all together.
    """
    kernel, rounds = chain.kernel().stopping(stops), 0.0
    kernel.settle(law)
    if limit is not None:
        rounds += bounded(kernel, law, limit, everywhere=True)
        # The rounds are over: those who can leave do, the others fight on.
        kernel = kernel.stopping(chain.fights & chain.can_retreat[:, None])
        kernel.settle(law)
    return rounds + forward(kernel, law)


def _told_odds(battle: AxisBattle, chain: AxisChain, law: Grid, rounds: float = 0.0) -> tuple[AxisOdds, Grid]:
    rows, columns = np.nonzero(law.any(axis=0))
    shares = law[:, rows, columns]
    return ending_in(battle, chain.attack, chain.defence, rows, columns, shares.sum(axis=0), rounds), shares


def joined(parts: Sequence[AxisOdds]) -> AxisOdds:
    """The odds of several kinds of battles, each with its share of the probability, as those of one."""
    sides: list[tuple[tuple[Fate, ...], Nodes]] = []
    for fates, places in (("attackers", "rows"), ("defenders", "columns")):
        known: dict[Fate, int] = {}
        found = []
        for part in parts:
            mine = np.array([known.setdefault(fate, len(known)) for fate in getattr(part, fates)], np.int64)
            found.append(mine[getattr(part, places)])
        sides.append((tuple(known), np.concatenate(found)))
    (attackers, rows), (defenders, columns) = sides

    ends = ("chances", "attacker_loss_at", "defender_loss_at", "taken", "attacker_stands", "defender_stands")
    every: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ends}
    return AxisOdds(
        attackers,
        defenders,
        rows,
        columns,
        **every,
        rounds=sum(part.rounds for part in parts),
        land=parts[0].land,
        error=sum(part.error for part in parts),
        declined=sum(part.declined for part in parts),
        territory=sum(part.territory for part in parts),
    )


def ending_in(
    battle: AxisBattle, attack: Forces, defence: Forces, rows: Nodes, columns: Nodes, chances: Chances, rounds: float
) -> AxisOdds:
    """The odds of a battle that ends with chance `chances[i]` where the forces `rows[i]` and `columns[i]` meet."""
    ends = Ends(battle, attack, defence, rows, columns)
    withdrawn = ~ends.cleared & ~ends.deserted
    gains = ends.gains(battle.deadzone, battle.territory_value)
    attackers, row_fates = _fates(attack, rows, ends.attackers_crashed, withdrawn=withdrawn)
    defenders, column_fates = _fates(defence, columns, ends.crashed, cleared=ends.cleared)
    return AxisOdds(
        attackers,
        defenders,
        row_fates,
        column_fates,
        chances,
        ends.attacker_loss - gains,
        ends.defender_loss,
        ends.taken,
        np.array([bool(fate.left or fate.gone) for fate in attackers], bool)[row_fates],
        np.array([bool(fate.left or fate.gone) for fate in defenders], bool)[column_fates],
        rounds,
        battle.theatre == "land",
        float(gains @ chances),
    )


def _fates(
    forces: Forces, nodes: Nodes, crashed: Nodes | None, withdrawn: Flags | None = None, cleared: Flags | None = None
) -> tuple[tuple[Fate, ...], Nodes]:
    """What has become of a side in each end, every fate once, and which is whose."""
    whole = np.array(forces.whole.active, np.int64)
    flags = withdrawn if withdrawn is not None else cleared
    assert flags is not None
    pairs, place = ranked(2 * nodes + flags)
    active, gone = forces.active[pairs // 2], forces.gone[pairs // 2]
    flagged = (pairs % 2 == 1)[:, None]
    if withdrawn is not None:
        active, gone = np.where(flagged, 0, active), gone + np.where(flagged, active, 0)
    if crashed is not None:
        active, gone = remove_crashed(active, gone, crashed[pairs // 2])
    if cleared is not None:
        active = np.where(flagged, 0, active)
    fates: dict[Fate, int] = {}
    counted = (_counted(forces, counts) for counts in (whole - active - gone, active, gone))
    which = [fates.setdefault(Fate._make(parts), len(fates)) for parts in zip(*counted, strict=True)]
    return tuple(fates), np.array(which, np.int64)[place]


def _counted(forces: Forces, counts: Nodes) -> list[tuple[tuple[str, int], ...]]:
    """The units of each force by name, without spare hits; of segments of a kind together."""
    kinds: dict[str, list[int]] = {}
    for place, segment in enumerate(forces.segments):
        if not segment.spare:
            kinds.setdefault(segment.unit.repaired or segment.unit.name, []).append(place)
    if not counts.any():
        return [()] * len(counts)
    columns = []
    for name in sorted(kinds):
        totals = counts[:, kinds[name]].sum(axis=1)
        pairs = [None, *((name, count) for count in range(1, int(totals.max()) + 1))]
        columns.append([pairs[total] for total in totals.tolist()])
    return [tuple(filter(None, row)) for row in zip(*columns, strict=True)]
