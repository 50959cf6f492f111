"""Advice on casualties: the best losses for every number of hits that may fall first, and what choosing gains."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.casualties.sides import Side
from solver.axis.casualties.solve import CasualtyGame, FirstRound, has_special_first_round, solve_casualties
from solver.axis.casualties.sweep import laws_of, takes_of
from solver.axis.casualties.tables import Grid, find_loss_ways
from solver.axis.chain import AxisChain
from solver.axis.course import guns_choose
from solver.axis.kernel.forces import Nodes, withdraw
from solver.axis.kernel.hits import Laws
from solver.axis.kernel.kinds import keeps_destroyer
from solver.axis.kernel.meetings import sub_places
from solver.axis.kernel.ways import FireStage
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import Aim
from solver.documents import clamp_chance

FIRED_BY = {"ships": "submarines", "surface": "planes", "any": "others", "planes": "guns"}
"""The shooters of the hits of each reach, where several groups fire apart."""

Counts = Counter[tuple[str, bool]]
"""The number of units by kind, and of first hits by the kind of ship."""


class FirstLosses(NamedTuple):
    """The best losses for some hits that a side may take first.

    They are chosen before the other side's losses are known: the attacker's losses are best on average over the hits on
    the defender, and the defender's over the planes that guns shoot down.

    Attributes:
        defends: Whether the defender takes the hits, not the attacker.
        hits: The number of hits.
        by: The number of hits by who fired them, "submarines", "planes", "guns" or "others"; empty if all hits may take
            any unit.
        chance: The probability of these hits.
        lose: The units to lose, by kind.
        damage: The ships to damage, by kind.
        value: The worth of the battle to the attacker then, with the best choices afterwards.
        order_lose: The units that the order of loss takes.
        order_value: The worth of the battle then; None if that is unknown.
    """

    defends: bool
    hits: int
    by: dict[str, int]
    chance: float
    lose: dict[str, int]
    damage: dict[str, int]
    value: float
    order_lose: dict[str, int]
    order_value: float | None


class Casualties(NamedTuple):
    """The result of the best casualties in a battle.

    Attributes:
        value: The worth of the battle to the attacker: the chance to take the territory, or the TUV swing in money.
        now: The best losses for the hits that may fall first.
    """

    value: float
    now: list[FirstLosses]


def find_casualties(battle: AxisBattle, limit: float = inf) -> Casualties:
    """Return what the best casualties bring in a battle; a side that does not choose follows its order of loss.

    Args:
        battle: The battle.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more, or if there are too many ways to lose units.
    """
    game = solve_casualties(battle, limit)
    return Casualties(game.value, list(first_losses(game, battle.in_order)))


def casualties_to_dict(casualties: Casualties, usual: float, aim: Aim) -> dict[str, Any]:
    """Return what the best casualties bring as a JSON document.

    Args:
        casualties: The answer.
        usual: The worth of the battle if both sides follow their orders of loss, and the attacker their plan.
        aim: "takes" or "profit".
    """

    def worth(value: float) -> float:
        return clamp_chance(value) if aim == "takes" else value

    now = [
        {
            "side": "defender" if losses.defends else "attacker",
            "hits": losses.hits,
            **({"by": losses.by} if losses.by else {}),
            "chance": clamp_chance(losses.chance),
            "lose": losses.lose,
            **({"damage": losses.damage} if losses.damage else {}),
            "value": worth(losses.value),
        }
        for losses in casualties.now
    ]
    return {"value": worth(casualties.value), "value_of_orders": worth(usual), "now": now, "error": 0.0}


def first_losses(game: CasualtyGame, battle: AxisBattle) -> Iterator[FirstLosses]:
    """Yield the best losses of those who choose for the hits that may fall first.

    Args:
        game: The battle, solved.
        battle: The battle with the orders of loss, for comparison.
    """
    sweep, usual, opening = game.sweep, AxisChain(battle), game.opening
    guns_fire = len(opening.law) > 1
    if game.declined or usual.sizes[1] > 1 or battle.kamikaze:
        return  # The first hits fall in the air or are kamikaze attacks, where there is nothing to choose.
    row, column = _submerge_first(game)
    if usual.sizes[2] > 1:
        if game.battle.chooses[1]:
            yield from _losses_to_ships(game, usual, column)
        return
    rows, shares = (opening.rows, opening.law[:, 0]) if guns_fire else (np.array([row]), np.ones(1))
    fights = FirstRound(game.battle, sweep, column, opening.helpless).fights[rows]
    if guns_fire and game.battle.chooses[0] and not guns_choose(game.battle):
        side = _Comparison(sweep.attack, usual, 0, row)
        for planes in np.flatnonzero(shares[1:]) + 1:
            left, taken = int(rows[planes]), usual.roots[planes]
            yield side.compare(int(planes), {"guns": int(planes)}, float(shares[planes]), left, game.first, taken)
    if not fights.any():
        return
    first = _FirstRound(game, usual, rows[fights], shares[fights], column)
    if game.battle.chooses[1]:
        yield from first.defender_losses()
    if game.battle.chooses[0] and not guns_fire:
        yield from first.attacker_losses()


def _losses_to_ships(game: CasualtyGame, usual: AxisChain, column: int) -> Iterator[FirstLosses]:
    """Yield the defender's losses to ships that bombard first, if guns have hit nobody."""
    sweep, opening = game.sweep, game.opening
    side, row = _Comparison(sweep.defence, usual, 1, column), int(opening.rows[0])
    worth = np.array([game.worth(node)[row] for node in range(len(sweep.defence))])
    for hits, chance in enumerate(opening.law.sum(axis=0).tolist()):
        left = int(opening.columns[0, hits])
        if chance and left != column:
            taken = usual.defence.nodes[usual.opened[0, hits]]
            yield side.compare(hits, {}, chance, left, worth, taken)


def _submerge_first(game: CasualtyGame) -> tuple[int, int]:
    """The row and the column after the submarines that submerge before the first round."""
    sweep, moves = game.sweep, game.sweep.moves
    row, column = sweep.attack.start, sweep.defence.start
    while moves.dives is not None:
        at_once = has_special_first_round(game.battle)
        first = FirstRound(game.battle, sweep, column, game.opening.helpless)
        ours, theirs = first.dives if at_once else sweep.submerge[:, column]
        if ours[row]:
            row = int(moves.dived[0][row])
        elif theirs[row]:
            column = int(moves.dived[1][column])
        else:
            break
    return row, column


class _FirstRound:
    """The first phase of the first round, in which each of the attacker's rows has a share of the probability."""

    def __init__(self, game: CasualtyGame, usual: AxisChain, rows: Nodes, shares: Grid, column: int) -> None:
        """Take a battle, solved, the battle with its orders of loss, and the forces that fight the first round."""
        self._sweep, self._usual, self._rows, self._column = game.sweep, usual, rows, np.array([column])
        here = slice(column, column + 1), slice(int(rows[0]), int(rows[0]) + 1)
        self._phase = next(phase for phase, _columns, _rows in game.sweep.meetings(0, *here))
        shooters = game.sweep.attack.forces.with_ships(game.battle.ships)
        self._laws = [law[rows] for law in laws_of(shooters, self._phase.attack)]
        self._chances = game.sweep.joint_hits(self._phase, shooters, rows) * shares
        self._left = np.full(len(self._chances), column)
        self._choose()

    def _choose(self) -> None:
        """Choose the defender's losses for every combination of hits."""
        limits = [law.shape[1] - 1 for law in self._laws]
        ways = find_loss_ways(self._sweep.defence, self._column, takes_of(self._phase.attack), limits)
        for place in np.unique(ways.hits).tolist():
            if self._chances[place].any():
                self._left[place] = ways.best(place, -self._worth_of_defenders(place))

    def _worth_of_defenders(self, place: int) -> Grid:
        """Return the worth of each of the defender's forces before the defender fires, after some hits: [column]."""
        table, fire = self._sweep.after_fire(self._phase, self._column)
        shares = self._chances[place] / self._chances[place].sum()
        return np.asarray(shares @ (table[self._rows] @ fire[0]))

    def defender_losses(self) -> Iterator[FirstLosses]:
        """Yield the defender's losses."""
        side = _Comparison(self._sweep.defence, self._usual, 1, int(self._column[0]))
        for place, counts in _combinations(self._laws):
            if self._left[place] != self._column[0]:
                stages, chance = self._phase.attack, float(self._chances[place].sum())
                by, taken = _by_shooter(stages, counts, self._laws), side.in_order(stages, counts)
                worth = self._worth_of_defenders(place)
                yield side.compare(sum(counts), by, chance, int(self._left[place]), worth, taken)

    def attacker_losses(self) -> Iterator[FirstLosses]:
        """Yield the attacker's losses, which are best on average over what the defender loses."""
        sweep, stages = self._sweep, self._phase.defence
        worth = self._chances[:, 0] @ sweep.worth[self._phase.leads_to][self._left]
        side = _Comparison(sweep.attack, self._usual, 0, int(self._rows[0]))
        laws = [law[self._column] for law in laws_of(sweep.defence.forces, stages)]
        ways = find_loss_ways(sweep.attack, self._rows, takes_of(stages), [law.shape[1] - 1 for law in laws])
        for place, counts in _combinations(laws):
            chance = prod(float(law[0, count]) for law, count in zip(laws, counts, strict=True))
            if chance and (ways.hits == place).any():
                by, taken = _by_shooter(stages, counts, laws), side.in_order(stages, counts)
                yield side.compare(sum(counts), by, chance, ways.best(place, worth), worth, taken)


def _combinations(laws: Sequence[Laws]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """All combinations of hits of several groups, each with its place among them."""
    return enumerate(np.ndindex(*(law.shape[1] for law in laws)))


def _by_shooter(stages: Sequence[FireStage], counts: Sequence[int], laws: Sequence[Laws]) -> dict[str, int]:
    """The hits by who fired them; empty if nobody fires whose hits may not take any unit."""
    if not any(law[:, 1:].any() for stage, law in zip(stages, laws, strict=True) if stage.take.reach != "any"):
        return {}
    return {FIRED_BY[stage.take.reach]: count for stage, count in zip(stages, counts, strict=True) if count}


class _Comparison:
    """The losses of a side that chooses, compared with those by its order of loss."""

    def __init__(self, side: Side, usual: AxisChain, place: int, start: int) -> None:
        """Take the forces of a side, the battle with its orders of loss, 0 for the attacker or 1, and who is hit."""
        self._side, self._place, self._usual, self._start = side, place, usual, start
        self._lattice = usual.defence if place else usual.attack
        self._usual_start = int((usual.columns if place else usual.rows)[0])
        if start != side.start:
            whole, subs = self._lattice.nodes[self._usual_start], sub_places(self._lattice.segments)
            self._usual_start = self._lattice.place[withdraw(whole, subs)]

    def in_order(self, stages: Sequence[FireStage], counts: Sequence[int]) -> Force:
        """Return the force that hits leave by the order of loss."""
        node = self._usual_start
        keeps = keeps_destroyer(self._usual.battle, self._place, self._usual.segments[1 - self._place])
        for stage, count in zip(stages, counts, strict=True):
            after = self._lattice.nodes_after(stage.take._replace(keep=keeps), count)[node]
            node = int(after[min(count, len(after) - 1)])
        return self._lattice.nodes[node]

    def compare(
        self, hits: int, by: dict[str, int], chance: float, node: int, worth: Grid, in_order: Force
    ) -> FirstLosses:
        """Return losses that leave a node, with the worth of all nodes, and the force that the order leaves."""
        whole, order = self._counts(self._start), _by_kind(self._lattice.segments, in_order.active)
        lost = [_difference(whole, after) for after in (self._counts(node), order)]
        wanted = [order[segment.unit.name, segment.spare] for segment in self._side.forces.segments]
        forces = self._side.forces
        away = (forces.gone == forces.gone[self._start]).all(axis=1)
        same = np.flatnonzero((forces.active == wanted).all(axis=1) & away)
        value = float(worth[same[0]]) if len(same) else None
        (lose, damage), (order_lose, _damage) = lost
        return FirstLosses(bool(self._place), hits, by, chance, lose, damage, float(worth[node]), order_lose, value)

    def _counts(self, node: int) -> Counts:
        return _by_kind(self._side.forces.segments, self._side.forces.active[node].tolist())


def _by_kind(segments: Sequence[Segment], counts: Sequence[int]) -> Counts:
    """The number of units of each kind, and of first hits."""
    totals: Counts = Counter()
    for segment, count in zip(segments, counts, strict=True):
        totals[segment.unit.name, segment.spare] += count
    return totals


def _difference(before: Counts, after: Counts) -> tuple[dict[str, int], dict[str, int]]:
    """The units lost by kind, and the ships damaged: a ship that sinks does not count as damaged, too."""
    gone = {key: count - after[key] for key, count in before.items()}
    lose = {name: count for (name, spare), count in gone.items() if count and not spare}
    damage = {name: count - lose.get(name, 0) for (name, spare), count in gone.items() if spare}
    return lose, {name: count for name, count in damage.items() if count > 0}
