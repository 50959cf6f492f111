"""The odds of a conquest: `conquer` finds the best plan; `armies_needed` finds the armies for a chance."""

from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any

from solver.conquest.board import Board
from solver.conquest.bounds import bound_worth
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.fronts import Fronts, Law, target_laws
from solver.conquest.plan import ArmedFront, Attack, ConquestPlan, PlanNode
from solver.conquest.shares import share_targets, worths_by_armies
from solver.conquest.trees import SAME, TreePlans
from solver.documents import clamp_chance
from solver.errors import BattleError, TooLargeError
from solver.game import GameOdds
from solver.progress import takes

MOST_WORK = 5_000_000_000
"""The most work for an exact answer, about in multiplications: some four seconds."""
FIRST_TRIED = 24
"""The first number of armies up to which the chances are computed."""
FEW = 100
"""With fewer defenders no chance is too small for a number."""
LEAST = 5e-324
"""The smallest number above 0, for what is possible although the chance of the rest is rounded to 1."""


@dataclass(frozen=True, eq=False)
class ConquestOdds(GameOdds):
    """How a conquest may end under the best plan.

    Each front goes on to its end, whatever happens on the others; with the aim "all" it stops once it cannot take all
    of its own targets.

    Attributes:
        conquest: The conquest.
        plan: The best plan, followed to its ends.
        worth: What the aim counts: the chance to take all, or the average number or value of targets taken.
        bound: What no plan exceeds.
        exact: Whether the plan is the best there is, up to rounding.
    """

    conquest: Conquest
    plan: ConquestPlan
    worth: float
    bound: float
    exact: bool

    @property
    def takes_all(self) -> float:
        """The chance to take every target."""
        return self.worth if self.conquest.aim == "all" else self.plan.takes_all

    @cached_property
    def expected(self) -> float:
        """The average number of targets taken; for the aim "value" their average value."""
        if self.conquest.aim != "all":
            return self.worth
        return float(self.plan.fall.sum())

    @property
    def success(self) -> float:
        """See `GameOdds`: for other aims than "all" the share of the targets, or of their value, taken on average."""
        if self.conquest.aim == "all":
            return self.takes_all
        whole = sum(target.worth for target in self.conquest.targets)
        return self.worth / whole if whole else 0.0

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """See `GameOdds`."""
        certain = not any(target.garrison for target in self.conquest.targets)
        return self.success, 1 - self.success if certain else max(1 - self.success, LEAST)

    @property
    def true_zeros(self) -> bool:
        """See `GameOdds`: so few defenders are always beaten with a chance that can be written as a number."""
        return sum(target.garrison for target in self.conquest.targets) <= FEW

    @property
    def nbytes(self) -> int:
        """See `GameOdds`."""
        return self.plan.nbytes

    @cached_property
    def fall(self) -> dict[str, float]:
        """The chance of each target to fall."""
        chances = self.plan.fall.tolist()
        return {target.name: chance for target, chance in zip(self.conquest.targets, chances, strict=True)}

    @property
    def error(self) -> float:
        """The most by which another plan may be better, in the unit of `worth`; 0 for an exact answer."""
        return self.bound - self.worth

    def attack(self, origin: str, targets: tuple[str, ...], armies: int) -> Attack | None:
        """Return the next attack of the plan from a territory.

        Args:
            origin: The name of the territory.
            targets: The names of all targets that are to be taken onward from there.
            armies: The free armies there.

        Returns:
            The attack, with the moves after it; None if the plan stops there, or never comes there.

        Raises:
            KeyError: A name is neither that of a start nor that of a target.
        """
        place = {name: number for number, name in enumerate(self.plan.board.names)}
        return self.plan.attack(
            ArmedFront(place[origin], reduce(or_, (1 << place[name] for name in targets), 0), armies)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        return {
            "takes_all": clamp_chance(self.takes_all),
            "expected": self.expected,
            "plan": [_node_to_dict(node) for node in self.plan.tree()],
            "fall": {name: clamp_chance(chance) for name, chance in self.fall.items()},
            "exact": self.exact,
            "error": self.error,
        }


SLOWEST = 5.0
"""Seconds for the largest conquest."""


def conquest_seconds(conquest: Conquest, *_others: object) -> float:
    """Estimate the seconds for the best plan: see `Estimate`. The ways to go on double with each target."""
    armies = max(count for _name, count in conquest.starts)
    return float(min(0.005 + 2e-7 * 3.0 ** len(conquest.targets) * (20 + armies) ** 2 / 20, SLOWEST))


@takes(conquest_seconds)
def conquer(conquest: Conquest, most_work: float = MOST_WORK) -> ConquestOdds:
    """Return the best plan of a conquest and its odds.

    If there are too many plans to try them all, it is the best plan found; see `ConquestOdds.error`.

    Args:
        conquest: The conquest.
        most_work: The most work for the best plan, about in multiplications.

    Raises:
        TooLargeError: So many armies are too many for these dice.

    Example:
        >>> conquest = Conquest.of({"a": ["b", "c"], "b": ["c"]}, {"a": 9}, {"b": 3, "c": 2})
        >>> odds = conquer(conquest)
        >>> round(odds.takes_all, 3), odds.attack("a", ("b", "c"), 9).to
        (0.844, 'b')
    """
    laws = target_laws(conquest)
    try:
        fronts = Fronts(Board(conquest), laws, most_work)
        worth, shares = share_targets(fronts)
        plan = ConquestPlan(Board(conquest), laws, fronts.decide, shares)
        return ConquestOdds(conquest, plan, worth, worth, exact=True)
    except TooLargeError:
        return _roughly(Board(conquest), laws)


def _roughly(board: Board, laws: list[Law]) -> ConquestOdds:
    """Return a good plan, where there are too many to find the best, and a bound on all plans."""
    bound = bound_worth(board, laws)
    trees = TreePlans(board, laws, bound)
    plan = ConquestPlan(board, laws, trees.decide, trees.roots)
    exact = bound <= trees.worth * (1 + SAME)
    return ConquestOdds(board.conquest, plan, trees.worth, trees.worth if exact else bound, exact)


def _node_to_dict(node: PlanNode) -> dict[str, Any]:
    attack = node.attack
    return {
        "from": attack.origin,
        "to": attack.to,
        "armies": attack.armies,
        "takes": clamp_chance(attack.chance),
        "moves": [[move.left, move.moving, list(move.onward)] for move in attack.moves],
        "left": node.move.left,
        "then": [_node_to_dict(after) for after in node.then],
    }


@dataclass(frozen=True, slots=True)
class ConquestNeed:
    """The chances to take all targets, by the armies of one start.

    Attributes:
        start: The name of the start.
        goal: The chance to reach.
        chances: The chance with 0, 1, 2, ... free armies there.
        limited: Whether more armies would be too much work to try.
    """

    start: str
    goal: float
    chances: tuple[float, ...]
    limited: bool

    @property
    def answer(self) -> int | None:
        """The fewest armies that reach the goal; None if none of the numbers does."""
        return self.least(self.goal)

    def least(self, chance: float) -> int | None:
        """Return the fewest armies with a chance; None if none of the numbers has it.

        Args:
            chance: The chance.
        """
        return next((count for count, own in enumerate(self.chances) if own >= chance), None)


@takes(lambda conquest, *_others: min(3 * conquest_seconds(conquest), 2 * SLOWEST))
def armies_needed(conquest: Conquest, start: str, goal: float, most_work: float = MOST_WORK) -> ConquestNeed:
    """Return how many free armies a start needs.

    Args:
        conquest: The conquest; the aim is to take all targets, and the armies of that start do not count.
        start: The name of the start.
        goal: The chance to reach, above 0 and below 1.
        most_work: The most work for one number of armies, about in multiplications.

    Raises:
        BattleError: There is no such start.
        TooLargeError: There are too many targets to find the best plan.

    Example:
        >>> conquest = Conquest.of({"a": ["b"]}, {"a": 0}, {"b": 2})
        >>> armies_needed(conquest, "a", 0.8).answer
        5
    """
    if start not in dict(conquest.starts):
        raise BattleError("starts", "the map has no such territory")
    known: tuple[float, ...] = ()
    armies = FIRST_TRIED
    while True:
        try:
            known = _chances(conquest, start, armies, most_work)
        except TooLargeError:
            if not known:
                raise
            return ConquestNeed(start, goal, known, limited=True)
        if max(known) >= max(goal, 0.95) or armies == MOST_FREE:
            return ConquestNeed(start, goal, known, limited=False)
        armies = min(2 * armies, MOST_FREE)


def _chances(conquest: Conquest, start: str, limit: int, most_work: float) -> tuple[float, ...]:
    """Return the chance to take all targets with 0 up to `limit` armies at a start."""
    starts = tuple((name, limit if name == start else armies) for name, armies in conquest.starts)
    whole = replace(conquest, starts=starts, aim="all")
    board = Board(whole)
    fronts = Fronts(board, target_laws(whole), most_work)
    return tuple(worths_by_armies(fronts, board.names.index(start))[: limit + 1].tolist())
