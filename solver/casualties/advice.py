"""Advice on casualties: the best losses for every number of hits that may fall first, and what choosing gains."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.kernel.forces import Force, Segment
from solver.axis.kernel.hits import Laws
from solver.axis.kernel.kinds import keeps_destroyer
from solver.axis.odds import AxisOdds
from solver.axis.solve import solve_axis
from solver.casualties.battle import Aim, Chooses, ChosenBattle
from solver.casualties.phases import Stage
from solver.casualties.sides import Side
from solver.casualties.solve import CasualtyGame, must_fight, solve_casualties
from solver.casualties.sweep import laws_of, takes_of
from solver.casualties.tables import Grid
from solver.casualties.ways import find_loss_ways
from solver.documents import clamp_chance

FIRED_BY = {"ships": "submarines", "surface": "planes", "any": "others", "planes": "guns"}
"""The shooters of the hits of each reach, where several groups fire apart."""

Counts = dict[tuple[str, bool], int]
"""The number of units by kind, and of first hits by the kind of ship."""


class FirstLosses(NamedTuple):
    """The best losses for some hits that a side may take first.

    Attributes:
        defends: Whether the defender takes the hits, not the attacker.
        hits: The number of hits.
        by: The number of hits by who fired them, "submarines", "planes", "guns" or "others"; empty if nobody fires
            apart.
        chance: The probability of these hits.
        lose: The units to lose, by kind.
        damage: The ships to damage, by kind.
        value: What the battle is worth to the attacker then, with the best choices afterwards.
        order_lose: The units that the order of loss takes.
        order_value: What the battle is worth then; None if that is unknown.
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
    """What the best casualties bring in a battle.

    Attributes:
        value: What the battle is worth to the attacker: the chance to take the territory, or the TUV swing in money.
        now: The best losses for the hits that may fall first.
    """

    value: float
    now: list[FirstLosses]


def find_casualties(battle: AxisBattle, chooses: Chooses, aim: Aim, most: float) -> Casualties:
    """Return what the best casualties bring in a battle.

    Args:
        battle: The battle.
        chooses: Whether the attacker and whether the defender chooses; the other follows the order of loss.
        aim: "takes" or "profit".
        most: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: If it takes more, or if there are too many ways to lose units.
    """
    game = solve_casualties(ChosenBattle.of(battle, chooses, aim), most)
    return Casualties(game.value, list(_first_losses(game, battle)))


def casualties_to_dict(found: Casualties, battle: AxisBattle, aim: Aim) -> dict[str, Any]:
    """Return what the best casualties bring as a JSON document.

    Args:
        found: The answer.
        battle: The battle, in which both sides follow their orders of loss, and the attacker their plan.
        aim: "takes" or "profit".
    """

    def worth(value: float) -> float:
        return clamp_chance(value) if aim == "takes" else value

    now = [
        {
            "side": "defender" if one.defends else "attacker",
            "hits": one.hits,
            **({"by": one.by} if one.by else {}),
            "chance": clamp_chance(one.chance),
            "lose": one.lose,
            **({"damage": one.damage} if one.damage else {}),
            "value": worth(one.value),
        }
        for one in found.now
    ]
    usual = worth_of_odds(solve_axis(battle, 0.0), aim)
    return {"value": worth(found.value), "value_of_orders": usual, "now": now, "error": 0.0}


def worth_of_odds(odds: AxisOdds, aim: Aim) -> float:
    """Return what a battle with these odds is worth to the attacker.

    Args:
        odds: The odds.
        aim: "takes" or "profit".
    """
    return clamp_chance(odds.wins) if aim == "takes" else odds.defender_loss - odds.attacker_loss


def _first_losses(game: CasualtyGame, battle: AxisBattle) -> Iterator[FirstLosses]:
    """The best losses of those who choose; `battle` has the orders of loss for comparison."""
    sweep, usual = game.sweep, AxisChain(battle)
    guns_fire = len(game.guns) > 1 and game.battle.chooses[0]
    if game.declined:
        return
    if guns_fire:
        side = _Comparison(sweep.attack, usual, 0)
        for planes in np.flatnonzero(game.guns[1:]) + 1:
            row, taken = int(game.rows[planes]), usual.roots[planes]
            yield side.compare(int(planes), {"guns": int(planes)}, float(game.guns[planes]), row, game.first, taken)
    if must_fight(game.battle) or sweep.moves.fights[sweep.defence.start, sweep.attack.start]:
        yield from _losses_of_round(game, usual, game.battle.chooses[0] and not guns_fire)


def _losses_of_round(game: CasualtyGame, usual: AxisChain, of_attacker: bool) -> Iterator[FirstLosses]:
    """The best losses in the first phase of the first round; those of the attacker only if they are wanted."""
    sweep = game.sweep
    row, column = np.array([sweep.attack.start]), np.array([sweep.defence.start])
    shooters = sweep.attack.forces.with_ships(game.battle.ships)
    here = slice(int(column[0]), int(column[0]) + 1), slice(int(row[0]), int(row[0]) + 1)
    phase = next(phase for phase, _columns, _rows in sweep.meetings(0, *here))
    chances = sweep.joint_hits(phase, shooters, row)[:, 0]
    left = np.full(len(chances), column[0])
    if phase.attack:
        first, ways = sweep.first_replies(phase, column, row, shooters)
        left = np.append(ways.left_by_rank, column)[first[0, :, 0]]
    if game.battle.chooses[1]:
        table, fire = sweep.after_fire(phase, column)
        worth = table[row[0]] @ fire[0]
        side = _Comparison(sweep.defence, usual, 1)
        for place, counts in _combinations(laws_of(shooters, phase.attack)):
            if chances[place] and left[place] != column[0]:
                told, taken = _by_shooter(phase.attack, counts), side.in_order(phase.attack, counts)
                yield side.compare(sum(counts), told, float(chances[place]), int(left[place]), worth, taken)
    if of_attacker:
        worth, side = chances @ sweep.worth[phase.leads_to][left], _Comparison(sweep.attack, usual, 0)
        laws = [law[column] for law in laws_of(sweep.defence.forces, phase.defence)]
        ours = find_loss_ways(sweep.attack, row, takes_of(phase.defence), [law.shape[1] - 1 for law in laws])
        for place, counts in _combinations(laws):
            chance = prod(float(law[0, count]) for law, count in zip(laws, counts, strict=True))
            if chance and (ours.hits == place).any():
                told, taken = _by_shooter(phase.defence, counts), side.in_order(phase.defence, counts)
                yield side.compare(sum(counts), told, chance, ours.best_for_attacker(place, worth), worth, taken)


def _combinations(laws: Sequence[Laws]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """All combinations of hits of several groups, each with its place among them."""
    return enumerate(np.ndindex(*(law.shape[1] for law in laws)))


def _by_shooter(stages: Sequence[Stage], counts: Sequence[int]) -> dict[str, int]:
    """The hits by who fired them; empty if all fire together."""
    if len(stages) == 1 and stages[0].group == "all":
        return {}
    return {FIRED_BY[stage.take.reach]: count for stage, count in zip(stages, counts, strict=True) if count}


class _Comparison:
    """The losses of a side that chooses, compared with those by its order of loss."""

    def __init__(self, side: Side, usual: AxisChain, place: int) -> None:
        """Take the forces of a side, the battle with its orders of loss, and 0 for the attacker or 1."""
        self._side, self._place, self._usual = side, place, usual
        self._lattice = usual.defence if place else usual.attack
        self._start = int((usual.columns if place else usual.rows)[0])

    def in_order(self, stages: Sequence[Stage], counts: Sequence[int]) -> Force:
        """Return the force that hits leave by the order of loss."""
        node = self._start
        keeps = keeps_destroyer(self._usual.battle, self._place, self._usual.segments[1 - self._place])
        for stage, count in zip(stages, counts, strict=True):
            after = self._lattice.nodes_after(stage.take._replace(keep=keeps), count)[node]
            node = int(after[min(count, len(after) - 1)])
        return self._lattice.nodes[node]

    def compare(
        self, hits: int, by: dict[str, int], chance: float, node: int, worth: Grid, in_order: Force
    ) -> FirstLosses:
        """Return losses that leave a node, with the worth of all nodes, and the force that the order leaves."""
        whole, order = self._counts(self._side.start), _by_kind(self._lattice.segments, in_order.active)
        lost = [_difference(whole, after) for after in (self._counts(node), order)]
        wanted = [order[segment.unit.name, segment.spare] for segment in self._side.forces.segments]
        forces = self._side.forces
        same = np.flatnonzero((forces.active == wanted).all(axis=1) & ~forces.gone.any(axis=1))
        value = float(worth[same[0]]) if len(same) else None
        (lose, damage), (order_lose, _damage) = lost
        return FirstLosses(bool(self._place), hits, by, chance, lose, damage, float(worth[node]), order_lose, value)

    def _counts(self, node: int) -> Counts:
        return _by_kind(self._side.forces.segments, self._side.forces.active[node].tolist())


def _by_kind(segments: Sequence[Segment], counts: Sequence[int]) -> Counts:
    """The number of units of each kind, and of first hits."""
    found: Counts = {}
    for segment, count in zip(segments, counts, strict=True):
        key = segment.unit.name, segment.spare
        found[key] = found.get(key, 0) + count
    return found


def _difference(before: Counts, after: Counts) -> tuple[dict[str, int], dict[str, int]]:
    """The units lost by kind, and the ships damaged: a ship that sinks is not told as damaged, too."""
    gone = {key: count - after[key] for key, count in before.items()}
    lose = {name: count for (name, spare), count in gone.items() if count and not spare}
    damage = {name: count - lose.get(name, 0) for (name, spare), count in gone.items() if spare}
    return lose, {name: count for name, count in damage.items() if count > 0}
