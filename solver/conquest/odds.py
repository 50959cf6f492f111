"""The odds of a conquest: `conquer` finds best play, throw by throw; `armies_needed` finds the armies for a chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from solver.conquest.board import Board
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.fronts import Fronts, target_laws
from solver.conquest.phase import MOST_STATES, SAME, FollowedWorths, State, Worths, first_state
from solver.conquest.plan import ConquestPlan
from solver.conquest.shares import share_targets, worths_by_armies
from solver.conquest.trees import TreePlans
from solver.conquest.turn import MapFight, typical_turn
from solver.conquest.whole_fights import Bounds, find_bounds
from solver.conquest.worths import worths_of
from solver.documents import clamp_chance
from solver.errors import BattleError, TooLargeError
from solver.game import GameOdds
from solver.progress import takes

MOST_WORK = 5_000_000_000
"""The most work for an answer, about in multiplications: some four seconds."""
STATE_WORK = 1_000
"""The work that a state counts as."""
FIRST_WORK = 1_000_000_000
"""The work after which whole fights are tried: in many large turns they are as good as best play, and soon found."""
CLOSE = 0.0005
"""Bounds that are so near, as a share, answer a large turn: they read alike, and best play takes seconds more."""
FIRST_TRIED = 24
"""The first number of armies up to which the chances are computed, before those of many are tried."""
CERTAIN = 0.995
"""Further armies are not tried beyond this chance."""
FEW = 100
"""With fewer defenders no chance is too small for a number."""
LEAST = 5e-324
"""The smallest number above 0, for what is possible although the chance of the rest is rounded to 1."""


@dataclass(frozen=True, eq=False)
class ConquestOdds(GameOdds):
    """How a conquest may end under best play: before each throw the best one is chosen.

    Where there are too many states for that, each fight goes on to its end, and the answer is what such a plan reaches
    at least.

    Attributes:
        conquest: The conquest.
        worth: The result that the aim counts: the chance to take all, or the average number or value of targets taken.
        bound: An upper bound for the worth.
        exact: Whether this is best play, up to rounding.
        takes_all: The chance to take every target.
        falls: The chance of each target to fall, in the order of `Conquest.targets`.
        fights: A typical turn.
    """

    conquest: Conquest
    worth: float
    bound: float
    exact: bool
    takes_all: float
    falls: tuple[float, ...]
    fights: tuple[MapFight, ...]

    @property
    def expected(self) -> float:
        """The average number of targets taken; for the aim "value" their average value."""
        return self.worth if self.conquest.aim != "all" else sum(self.falls)

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
        return 1_000 + sum(1_000 + 70 * len(fight.moves) for fight in self.fights)

    @property
    def fall(self) -> dict[str, float]:
        """The chance of each target to fall, by its name."""
        return {target.name: chance for target, chance in zip(self.conquest.targets, self.falls, strict=True)}

    @property
    def error(self) -> float:
        """The most by which best play may be better, in the unit of `worth`; 0 for an exact answer."""
        return self.bound - self.worth

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        bounds = {} if self.exact else {"at_least": self.worth, "at_most": self.bound}
        return {
            "takes_all": clamp_chance(self.takes_all),
            "expected": self.expected,
            "plan": [fight.to_dict() for fight in self.fights],
            "fall": {name: clamp_chance(chance) for name, chance in self.fall.items()},
            "exact": self.exact,
            "error": self.error,
            **bounds,
        }


SLOWEST = 5.0
"""Seconds for the largest conquest."""


def conquest_seconds(conquest: Conquest, *_others: object) -> float:
    """Estimate the seconds for best play: see `Estimate`. The states multiply with each territory."""
    states = prod(armies + 1 for _, armies in conquest.starts) * prod(each.garrison + 2 for each in conquest.targets)
    return float(min(0.01 + 3e-7 * states, SLOWEST))


@takes(conquest_seconds)
def conquer(conquest: Conquest, most_work: float = MOST_WORK) -> ConquestOdds:
    """Return what best play of a conquest reaches.

    If that is too much work, it is what a good plan reaches, with a bound: see `ConquestOdds.error`.

    Args:
        conquest: The conquest.
        most_work: The most work, about in multiplications.

    Raises:
        TooLargeError: So many armies are too many for these dice.

    Example:
        >>> conquest = Conquest.of({"a": ["b", "c"], "b": ["c"]}, {"a": 9}, {"b": 3, "c": 2})
        >>> odds = conquer(conquest)
        >>> round(odds.takes_all, 3), odds.fights[0].to
        (0.856, 'b')
    """
    board = Board(conquest)
    try:
        return _best_play(worths_within(board, min(most_work, FIRST_WORK)))
    except TooLargeError:
        bounds = find_bounds(board, _most_states(most_work))
    proven = bounds.least * (1 + SAME) >= bounds.most
    try:
        if not proven and bounds.least < bounds.most * (1 - CLOSE):
            return _best_play(worths_within(board, most_work))
        if proven and bounds.worths:
            return _best_play(bounds.worths)
    except TooLargeError:
        pass
    return _roughly(board, bounds, most_work)


def _best_play(worths: FollowedWorths) -> ConquestOdds:
    """Return what best play reaches; TooLargeError if its worths are too much work."""
    state, conquest = first_state(worths.board), worths.board.conquest
    worth = worths.worth(state)
    falls, takes_all = worths.follow(state)
    if conquest.aim == "all":
        takes_all = worth
    fights = typical_turn(worths, state)
    return ConquestOdds(conquest, worth, worth, True, takes_all, tuple(falls.tolist()), fights)


def worths_within(board: Board, most_work: float) -> FollowedWorths:
    """Return the worths of the states of a turn, of which none is worked out yet.

    Args:
        board: The map.
        most_work: The most work for them, about in multiplications.

    Raises:
        TooLargeError: It is too large.
    """
    return worths_of(board, _most_states(most_work))


def _most_states(most_work: float) -> int:
    """Return how many states may be worked out."""
    return int(min(max(most_work / STATE_WORK, 1), MOST_STATES))


def _roughly(board: Board, bounds: Bounds, most_work: float) -> ConquestOdds:
    """Return what a good plan reaches, and a bound on best play.

    Either every fight is a whole one, or each front has its own targets too; the better of the two counts.
    """
    state = first_state(board)
    odds = plan_by_shares(board, bounds.most, most_work)
    if bounds.worths and bounds.least > odds.worth:
        try:
            falls, takes_all = bounds.worths.follow(state)
            fights = typical_turn(bounds.worths, state)
            odds = replace(odds, worth=bounds.least, takes_all=takes_all, falls=tuple(falls.tolist()), fights=fights)
        except TooLargeError:
            pass
    exact = bounds.most <= odds.worth * (1 + SAME) or _is_one_way(board)
    return replace(odds, bound=odds.worth, exact=True) if exact else odds


def plan_by_shares(board: Board, bound: float, most_work: float) -> ConquestOdds:
    """Return what the best plan reaches in which each front fights its own targets, each attack to its end.

    Args:
        board: The map.
        bound: A worth that no plan exceeds.
        most_work: The most work for it, about in multiplications; if it is more, the plan is a good one.
    """
    laws = target_laws(board.conquest)
    try:
        fronts = Fronts(board, laws, most_work)
        worth, roots = share_targets(fronts)
        plan = ConquestPlan(board, laws, fronts.decide, roots)
    except TooLargeError:
        trees = TreePlans(board, laws, bound)
        worth, plan = trees.worth, ConquestPlan(board, laws, trees.decide, trees.roots)
    takes_all = worth if board.conquest.aim == "all" else plan.takes_all
    falls = tuple(plan.fall.tolist())
    return ConquestOdds(board.conquest, worth, bound, False, takes_all, falls, plan.fights())


def _is_one_way(board: Board) -> bool:
    """Whether there is never more than one throw to choose from: then every attack is best fought to its end."""
    acting = board.acting
    if len(acting) != 1:
        return not acting
    seen, near = 0, board.adjacent[acting[0]]
    while near.bit_count() == 1:
        seen |= near
        near = board.adjacent[near.bit_length() - 1] & ~seen
    return not near


@dataclass(frozen=True, slots=True)
class ConquestNeed:
    """The chances to take all targets, by the armies of one start.

    Attributes:
        start: The name of the start.
        goal: The chance to reach.
        chances: The chance with 0, 1, 2, ... free armies there.
        limited: Whether more armies would be too much work to try.
        exact: Whether these are the chances of best play; otherwise they are reached at least.
        helps: With as many armies as reach the goal, the chance with one more at each start, by its name; empty where
            that is too much work.
    """

    start: str
    goal: float
    chances: tuple[float, ...]
    limited: bool
    exact: bool
    helps: dict[str, float]

    @property
    def most(self) -> int:
        """The most armies whose chance is known."""
        return len(self.chances) - 1

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


@takes(lambda conquest, start, *_others: conquest_seconds(with_armies_at(conquest, start, FIRST_TRIED)))
def armies_needed(conquest: Conquest, start: str, goal: float, most_work: float = MOST_WORK) -> ConquestNeed:
    """Return how many free armies a start needs.

    Args:
        conquest: The conquest; the aim is to take all targets, and the armies of that start do not count.
        start: The name of the start.
        goal: The chance to reach, above 0 and below 1.
        most_work: The most work, about in multiplications; for plans, for one number of armies.

    Raises:
        BattleError: There is no such start.
        TooLargeError: There are too many targets to find a plan.

    Example:
        >>> conquest = Conquest.of({"a": ["b"]}, {"a": 0}, {"b": 2})
        >>> armies_needed(conquest, "a", 0.8).answer
        5
    """
    # Plain Python can do only few armies, as can some icon dice, and the laws of many icon dice take seconds.
    sizes = FIRST_TRIED, MOST_FREE
    need = exactly_needed(lambda board: worths_within(board, most_work), conquest, start, goal, sizes)
    return need if need.answer is not None or not need.limited else _roughly_needed(conquest, start, goal, most_work)


def exactly_needed(
    begin: Callable[[Board], Worths], conquest: Conquest, start: str, goal: float, sizes: Sequence[int]
) -> ConquestNeed:
    """Return how many free armies a start needs for best play.

    Args:
        begin: Returns the worths on a map; TooLargeError if that is too much work.
        conquest: The conquest.
        start: The name of the start.
        goal: The chance to reach.
        sizes: The most armies to try: a number that is not enough, or too much work, makes way for the next.

    Raises:
        BattleError: There is no such start.
    """
    if start not in dict(conquest.starts):
        raise BattleError("starts", "the map has no such territory")
    need: ConquestNeed | None = None
    for size in sizes:
        tried = _need_on(begin, Board(with_armies_at(conquest, start, size)), start, goal)
        need = tried if need is None or len(tried.chances) > len(need.chances) else need
        if len(tried.chances) <= size:
            break
    assert need, "some number is tried"
    return need


def _need_on(begin: Callable[[Board], Worths], board: Board, start: str, goal: float) -> ConquestNeed:
    """Return how many free armies a start needs for best play, up to as many as it has on the board."""
    state, place = first_state(board), board.names.index(start)
    enough, known, helps = max(goal, CERTAIN), list[float](), dict[str, float]()
    try:
        worths = begin(board)
        while len(known) <= board.armies(place) and max(known, default=0.0) < enough:
            known.append(worths.worth(_with_free(state, place, len(known))))
        limited = max(known) < enough and board.armies(place) < MOST_FREE
        if max(known) >= goal:
            answer = next(armies for armies, chance in enumerate(known) if chance >= goal)
            helps = _helps(worths, _with_free(state, place, answer))
    except TooLargeError:
        limited = True
    return ConquestNeed(start, goal, tuple(known), limited=limited, exact=True, helps=helps)


def _with_free(state: State, place: int, armies: int) -> State:
    """Return the state with so many free armies at a place."""
    return State((*state.free[:place], armies, *state.free[place + 1 :]), state.garrisons)


def _helps(worths: Worths, state: State) -> dict[str, float]:
    """Return the worth with one more army, by the name of the start that has it; empty if that is too much work."""
    more = {worths.board.names[place]: _with_free(state, place, state.free[place] + 1) for place in worths.board.starts}
    try:
        return {name: worths.worth(after) for name, after in more.items()}
    except TooLargeError:
        return {}


def with_armies_at(conquest: Conquest, start: str, armies: int) -> Conquest:
    """Return the conquest that takes all, with so many armies at a start.

    Args:
        conquest: The conquest.
        start: The name of the start.
        armies: The free armies.
    """
    starts = tuple((name, armies if name == start else own) for name, own in conquest.starts)
    return replace(conquest, starts=starts, aim="all")


def _roughly_needed(conquest: Conquest, start: str, goal: float, most_work: float) -> ConquestNeed:
    """Return how many free armies a start needs for plans that fight each attack to its end."""
    known: tuple[float, ...] = ()
    armies = FIRST_TRIED
    while True:
        try:
            known = _chances(with_armies_at(conquest, start, armies), start, most_work)
        except TooLargeError:
            if not known:
                raise
            return ConquestNeed(start, goal, known, limited=True, exact=False, helps={})
        if max(known) >= max(goal, 0.95) or armies == MOST_FREE:
            return ConquestNeed(start, goal, known, limited=False, exact=False, helps={})
        armies = min(2 * armies, MOST_FREE)


def _chances(conquest: Conquest, start: str, most_work: float) -> tuple[float, ...]:
    """Return what a plan reaches with 0 up to as many armies as a start has."""
    board = Board(conquest)
    fronts = Fronts(board, target_laws(conquest), most_work)
    return tuple(worths_by_armies(fronts, board.names.index(start))[: dict(conquest.starts)[start] + 1].tolist())
