"""The odds of battles with dice: `solve` computes the joint law of the ending, `Odds` answers questions about it."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import log10
from sys import float_info
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.chain import Chances, Counts, Grid, forward, forward_rounds, point_law, stuck_chance
from solver.dice.battle import Battle
from solver.dice.chain import MOST_CELLS_FOLLOWED, STEP, DiceChain
from solver.dice.choices import ChoiceTable
from solver.dice.compiled import CompiledTable
from solver.dice.icon_rounds import fight_icon_rounds
from solver.dice.icons import IconTable
from solver.dice.kill_rates import RateTable
from solver.dice.lines import SurvivorLaw, solve_by_levels, solve_within_rounds
from solver.dice.reshape import Reshape
from solver.documents import clamp_chance, clamp_chances
from solver.ends import EndRange, check_all_units
from solver.errors import TooLargeError
from solver.game import GameOdds
from solver.luck import central_80, rank_among
from solver.progress import takes

MOST_CELLS = 50_000_000
"""More cells have no room in memory at once."""
SMALL_GRID = 400
"""With fewer cells, rounds are fought on a grid, though a line would do."""
DROPPED = 1e-27
"""The probability below which a cell is dropped."""


@dataclass(frozen=True, eq=False)
class Odds(GameOdds):
    """The odds of a battle with dice: the joint law of the units left on both sides.

    The chances attacker_wins, defender_wins, draw, unresolved and never add up to 1.

    Attributes:
        attackers: The attackers at the start.
        defenders: The defenders at the start.
        attackers_end: The attackers left in each ending, in ascending order.
        defenders_end: The defenders left in each, in ascending order for equal attackers.
        chances: The probability of each.
        open_end: Whether the rounds ran out in each.
        never: The chance of reaching a point where neither side can lose a unit; such a battle has no ending.
        rounds: The expected number of rounds; None if `never` is more than 0, or after reshaping.
        error: An upper bound on the error of any probability beyond rounding; 0 for exact odds.
        true_zeros: Whether a chance of 0 is impossible; otherwise it may be too small for a float.

    Example:
        >>> margins, chances = solve(Battle(2, 1)).margin_law
        >>> margins.tolist(), chances.sum(axis=0).round(3).tolist()
        ([-1, 1, 2], [0.246, 0.176, 0.579])
    """

    attackers: int
    defenders: int
    attackers_end: Counts
    defenders_end: Counts
    chances: Chances
    open_end: npt.NDArray[np.bool_]
    never: float
    rounds: float | None
    error: float = 0.0
    true_zeros: bool = True

    @cached_property
    def attacker_wins(self) -> float:
        """The chance that an attacker and no defender is left."""
        return self._sum((self.defenders_end == 0) & (self.attackers_end > 0))

    @cached_property
    def defender_wins(self) -> float:
        """The chance that a defender is left and the attack is over, beaten or called off."""
        return self._sum((self.defenders_end > 0) & ~self.open_end)

    @cached_property
    def beaten(self) -> float:
        """The chance that a defender and no attacker is left."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end == 0))

    @cached_property
    def both_left(self) -> float:
        """The chance that both sides have armies left: the attacker stopped, or the rounds ran out."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end > 0))

    @cached_property
    def called_off(self) -> float:
        """The part of `defender_wins` in which attackers are left: they stopped, or stood in reserve."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end > 0) & ~self.open_end)

    @cached_property
    def draw(self) -> float:
        """The chance that nobody is left."""
        return self._sum((self.defenders_end == 0) & (self.attackers_end == 0))

    @cached_property
    def unresolved(self) -> float:
        """The chance that the rounds run out first."""
        return self._sum(self.open_end)

    @cached_property
    def attackers_left(self) -> float:
        """The expected number of attackers left."""
        return float(self.attackers_end @ self.chances)

    @cached_property
    def defenders_left(self) -> float:
        """The expected number of defenders left."""
        return float(self.defenders_end @ self.chances)

    @property
    def worth(self) -> Counts:
        """How far the attacker is ahead in each ending."""
        return self.attackers_end - self.defenders_end

    def count(self, asked: EndRange) -> Counts:
        """Return what a range counts in each ending: see `EndRange`."""
        check_all_units(asked)
        left, whole = self.attackers_end, self.attackers
        if asked.side == "defender":
            left, whole = self.defenders_end, self.defenders
        return whole - left if asked.lost else left

    def percentile(self, attackers: int, defenders: int) -> float:
        """Return the share of all endings that are worse for the attacker than this one; see `rank_among`.

        The more the attacker is ahead, the better. The battle need not have ended there.

        Args:
            attackers: The attackers left.
            defenders: The defenders left.
        """
        return rank_among(self.worth, self.chances, attackers - defenders)

    @cached_property
    def margins(self) -> Counts:
        """The margin of each ending.

        It is the attackers left, or minus the defenders left while a defender stands. If the rounds may run out with
        both sides standing, it is always attackers minus defenders.
        """
        if self.unresolved:
            return self.worth
        return np.where(self.defenders_end > 0, -self.defenders_end, self.attackers_end)

    @cached_property
    def margin_law(self) -> tuple[Counts, Chances]:
        """The law of the margin, from the defender's best ending to the attacker's best: see `margins`.

        Returns:
            The possible margins in ascending order, and their chances, of shape (3, margins): only an attacker is left,
            only a defender is left, both or neither are left.
        """
        attacks, defends = self.attackers_end > 0, self.defenders_end > 0
        margins, place = np.unique(self.margins, return_inverse=True)
        winner = np.where(attacks == defends, 2, np.where(defends, 1, 0))
        chances = np.zeros((3, len(margins)))
        np.add.at(chances, (winner, place), self.chances)
        return margins, chances

    @cached_property
    def central_80(self) -> tuple[int, int]:
        """The lowest and the highest margin, without the tenth of the worst and the tenth of the best luck.

        Battles without an ending are left out.

        Raises:
            ValueError: No battle ever ends.
        """
        margins, chances = self.margin_law
        if not len(margins):
            raise ValueError("this battle never ends, so there is no middle of its ends")
        return central_80(margins, chances.sum(axis=0))

    @property
    def success(self) -> float:
        """The chance that the attacker reaches the aim: see `GameOdds`."""
        return self.attacker_wins

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end: see `GameOdds`."""
        return self.attacker_wins, self.beaten, self.both_left, self.draw, self.never

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return 2 * (self.attackers_end.nbytes + self.defenders_end.nbytes + self.chances.nbytes)

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        fates = ("attacker_wins", "defender_wins", "called_off", "draw", "unresolved", "never")
        rows = zip(self.attackers_end.tolist(), self.defenders_end.tolist(), clamp_chances(self.chances), strict=True)
        return {
            **{name: clamp_chance(getattr(self, name)) for name in fates},
            "attackers_left": self.attackers_left,
            "defenders_left": self.defenders_left,
            "rounds": self.rounds,
            "survivors": [list(row) for row in rows],
            "error": self.error,
        }

    def _sum(self, rows: npt.NDArray[np.bool_]) -> float:
        return float(self.chances[rows].sum())


@takes(lambda chain: STEP * chain.work)
def solve(battle: Battle | DiceChain) -> Odds:
    """Return the odds of a battle.

    They are exact, except for armies too large to follow every possibility; see `Odds.error`.

    Args:
        battle: A battle, or its chain.

    Raises:
        BattleError: The battle takes too many rounds.

    Example:
        >>> round(solve(Battle(12, 9)).attacker_wins, 3)
        0.79
    """
    chain = battle.chain() if isinstance(battle, Battle) else battle
    kernel = chain.kernel()
    if chain.level_by_level and isinstance(kernel, CompiledTable):
        odds = _odds_by_levels(chain, kernel)
    elif chain.rounds is None:
        odds = solve_from_law(chain, _start_grid(chain))
    else:
        odds = _odds_within_rounds(chain, chain.rounds)
    return _reshape_odds(odds, chain.reshape) if chain.reshape else odds


def solve_from_law(chain: DiceChain, law: Grid) -> Odds:
    """Return the odds of a battle if only the law of its beginning is known.

    Args:
        chain: The battle; it must be a fight to the end.
        law: The probability of each cell at the start, of shape (acting + 1, defenders + 1); it is overwritten.
    """
    kernel, stopped = chain.kernel(), chain.stop_mask()
    rounds = forward(kernel, law, chain.floor, stopped)
    never = stuck_chance(kernel, law, chain.floor, stopped)
    final = np.zeros(law.shape, bool) if stopped is None else stopped.copy()
    final[: chain.floor + 1] = final[:, 0] = True
    acting, defenders = np.nonzero(final & (law > 0))
    return _odds(chain, SurvivorLaw(acting, defenders, law[acting, defenders], rounds, never))


def _start_grid(chain: DiceChain) -> Grid:
    """Return the law of the beginning of a battle, with all its cells."""
    if chain.cells > MOST_CELLS:
        raise TooLargeError("attackers", "this battle takes more work than is allowed")
    return point_law((chain.acting, chain.defenders))


def _odds_by_levels(chain: DiceChain, table: CompiledTable) -> Odds:
    """Return the odds of a fight to the end with compared dice."""
    drop = 0.0 if chain.cells <= MOST_CELLS_FOLLOWED else DROPPED
    law = solve_by_levels(table, (chain.acting, chain.defenders), chain.floor, drop)
    odds = _odds(chain, law)
    # A round multiplies once and adds up a few numbers; so often rounding can have gone the same way.
    return replace(odds, error=law.dropped + 4 * float_info.epsilon * law.rounds) if drop else odds


def _reshape_odds(odds: Odds, reshape: Reshape) -> Odds:
    """Return the odds after reshaping; they have no rounds any more."""
    won = odds.defenders_end == 0
    # From the attacker's best end to the defender's best: most attackers left first, then fewest defenders.
    line = np.lexsort((odds.defenders_end, -odds.attackers_end, ~won))
    chances = np.empty_like(odds.chances)
    chances[line] = reshape.reshape_ends(odds.chances[line], won[line])
    left = chances > 0
    names = "attackers_end", "defenders_end", "open_end"
    return replace(odds, chances=chances[left], rounds=None, **{name: getattr(odds, name)[left] for name in names})


def _odds_within_rounds(chain: DiceChain, limit: int) -> Odds:
    """Return the odds of a battle with a limit of rounds."""
    kernel = chain.kernel()
    assert not isinstance(kernel, ChoiceTable), "late choices go without a limit of rounds"
    if isinstance(kernel, CompiledTable) and kernel.steady_loss and chain.cells > SMALL_GRID:
        law = solve_within_rounds(kernel, (chain.acting, chain.defenders), limit, chain.floor)
    else:
        grid = _start_grid(chain)
        if isinstance(kernel, RateTable) and limit == 1:
            rounds = kernel.shoot_once(grid, chain.floor)
        elif isinstance(kernel, IconTable):
            rounds = fight_icon_rounds(kernel, grid, limit, chain.floor)
        elif isinstance(kernel, CompiledTable):
            rounds = kernel.fight_rounds(grid, limit, chain.floor)
        else:
            rounds = forward_rounds(kernel, grid, limit, chain.floor)
        acting, defenders = np.nonzero(grid)
        law = SurvivorLaw(acting, defenders, grid[acting, defenders], rounds)
    return replace(_odds(chain, law), open_end=(law.attackers > chain.floor) & (law.defenders > 0))


def _odds(chain: DiceChain, law: SurvivorLaw) -> Odds:
    """Return the odds of a battle from the law of the units that act and are left."""
    return Odds(
        attackers=chain.acting + chain.reserve,
        defenders=chain.defenders,
        attackers_end=law.attackers + chain.reserve,
        defenders_end=law.defenders,
        chances=law.chances,
        open_end=np.zeros(len(law.chances), bool),
        never=law.never,
        rounds=None if law.never else law.rounds,
        true_zeros=not law.rounds or log10_least_chance(chain) > log10(float_info.min),
    )


def log10_least_chance(chain: DiceChain) -> float:
    """Return the decimal logarithm of a lower bound on the chance of any course of a battle.

    The bound takes the rarest outcome in every round.

    Args:
        chain: The battle.
    """
    units = chain.acting + chain.defenders
    turns = units if chain.rounds is None else chain.rounds
    if chain.faces:
        # Every unit's die may have to fall as it rarely does, and in a battle to the end there is one less each round.
        turns = units * (units + 1) // 2 if chain.rounds is None else turns * units
    return turns * log10(chain.kernel().least_chance)
