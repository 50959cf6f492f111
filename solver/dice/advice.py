"""Whether a side should roll fewer dice than it can: now or later in the battle, and for which gain."""

from typing import NamedTuple

import numpy as np

from solver.chain import Cell, Grid, Mask, backward, forward, point_law
from solver.dice.battle import Battle, grid_seconds
from solver.dice.chain import DiceChain
from solver.dice.choices import ChoiceTable, Optimum, early_table
from solver.progress import takes


class LaterAdvice(NamedTuple):
    """The sizes of the battle at which fewer dice are better, if they are not better yet.

    At some smaller sizes all dice may be better again.

    Attributes:
        sizes: The first (attackers, defenders) that can be met at which fewer dice are better, with the reserve among
            the attackers. Most attackers come first; none has more of both sides than another.
        dice: The number of dice to roll there; 0 if it differs between the sizes.
        most: The number that could be rolled there.
    """

    sizes: tuple[Cell, ...]
    dice: int
    most: int


class Advice(NamedTuple):
    """How many dice one side should roll, if the other side always rolls all it can.

    Attributes:
        dice: The best number of dice now.
        most: The number that the side could roll.
        best: The attacker's chance to win if this side always rolls the best number.
        usual: The attacker's chance to win if this side always rolls all it can.
        later: The sizes at which fewer dice become better; None if they are better now or never.
    """

    dice: int
    most: int
    best: float
    usual: float
    later: LaterAdvice | None = None

    @property
    def gain(self) -> float:
        """The change of the attacker's chance by choosing well."""
        return abs(self.best - self.usual)


@takes(lambda battle: 4 * grid_seconds(battle))
def advice(battle: Battle) -> tuple[Advice | None, Advice | None]:
    """Return how many dice to roll, for the attacker and for the defender.

    Args:
        battle: The battle.

    Returns:
        The advice for each side; None if the side has nothing to choose.

    Example:
        >>> attacker, defender = advice(Battle(12, 9))
        >>> attacker.dice, attacker.gain
        (3, 0.0)
    """
    chain = battle.chain()
    if not chain.level_by_level or chain.reshape or chain.totals or chain.acting <= chain.floor or not chain.defenders:
        return None, None
    usual = backward(chain.kernel(), chain.win_pays(), chain.floor)
    return _side_advice(chain, "most", usual), _side_advice(chain, "least", usual)


def _side_advice(chain: DiceChain, side: Optimum, usual: Grid) -> Advice | None:
    """Return the advice for the attacker, who wants the most worth, or the defender, who wants the least."""
    table = early_table(chain.attack, chain.defence, chain.ties, side)
    if table is None:
        return None
    cell = chain.acting, chain.defenders
    most = _most_dice(table, cell)
    chance = float(usual[cell])
    if not table.has_better_choice(usual, chain.floor):
        return Advice(most, most, chance, chance)
    followed = ChoiceTable(table.options, side)
    followed.find_choices(chain.win_pays(), chain.floor)
    best = followed.worth
    (option,) = followed.best_choices(best, cell).values()
    later = None if option else _later_advice(chain, followed)
    return Advice(most - option, most, float(best[cell]), chance, later)


def _later_advice(chain: DiceChain, table: ChoiceTable) -> LaterAdvice | None:
    """Return where fewer dice become better; `table` has found the best choices and follows them."""
    met = point_law((chain.acting, chain.defenders))
    forward(table, met, chain.floor)
    options = table.choices(table.worth, chain.floor)
    met[: chain.floor + 1], met[:, 0] = 0, 0
    cells = _maximal_cells((met > 0) & (options > 0))
    rolled = {(_most_dice(table, cell) - int(options[cell]), _most_dice(table, cell)) for cell in cells}
    dice, most = rolled.pop() if len(rolled) == 1 else (0, 0)
    sizes = tuple((attackers + chain.reserve, defenders) for attackers, defenders in cells)
    return LaterAdvice(sizes, dice, most) if sizes else None


def _most_dice(table: ChoiceTable, cell: Cell) -> int:
    """Return how many dice the side that chooses can roll in a cell."""
    place = table.best == "least"
    return min(cell[place], table.caps[place])


def _maximal_cells(pays: Mask) -> list[Cell]:
    """Return the marked cells that no other marked cell exceeds on both sides, most attackers first."""
    maximal: list[Cell] = []
    for attackers in range(pays.shape[0] - 1, 0, -1):
        defenders = int(np.flatnonzero(pays[attackers])[-1]) if pays[attackers].any() else 0
        if defenders > (maximal[-1][1] if maximal else 0):
            maximal.append((attackers, defenders))
    return maximal
