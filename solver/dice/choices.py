"""Kernels of battles in which a side chooses its number of dice, before the roll or after the other side's.

The engine computes the best choices backward, level by level. Where a side chooses, the worth of a cell is the best of
its options.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.chain import Cell, Grid, Mask, RoundLaw, backward
from solver.dice.compared import blocks, law_given_loss, level_cells, levels, shift
from solver.dice.pools import Pool, Ties, ValueLaw, compare_laws, falls_of_die, loss_laws, value_laws

Optimum = Literal["most", "least"]
"""Whether the side that chooses wants the most worth, as the attacker does, or the least, as the defender does."""

SAME = 1e-12
"""Options whose worth differs by less are equal: only rounding separates them."""


class DiceOptions(NamedTuple):
    """The options in cells of one kind.

    Attributes:
        seen: The rolls of the other side that can be seen before the choice; one empty roll if there is nothing to see.
        chances: The probability of each of these rolls.
        laws: `[seen, option, outcome]` is the chance of each outcome.
        outcomes: The (attackers lost, defenders lost) of each outcome. Every outcome costs somebody a unit.
    """

    seen: tuple[tuple[int, ...], ...]
    chances: Any
    laws: Any
    outcomes: tuple[Cell, ...]


class ChoiceTable:
    """The kernel of rounds in which one side chooses how many dice to roll.

    Of equal options the first is taken. A step is a level of the grid. `find_choices` must come before `push`, which
    follows the choices found; from then on `pull` follows them too, whatever the payoff. Both need a grid of the shape
    given to `find_choices`.

    Args:
        options: `[i][j]` has the options of i + 1 attackers against j + 1 defenders; larger armies use the last row and
            column.
        best: Whether the attacker chooses, for the most worth, or the defender, for the least.
        unit: 0 for floats. Otherwise all numbers are whole: the chance of an outcome times the unit to the power of the
            units lost.
    """

    def __init__(self, options: Sequence[Sequence[DiceOptions]], best: Optimum, unit: int = 0) -> None:
        self.options, self.best, self.unit = options, best, unit
        self.caps: Cell = len(options), len(options[0])
        kinds = [kind for row in options for kind in row]
        self.outcomes = sorted({outcome for kind in kinds for outcome in kind.outcomes})
        chances = (kind.chances[:, None, None] * kind.laws for kind in kinds)
        self.least_chance = 0.0 if unit else float(min(chance[chance > 0].min() for chance in chances))
        self.worth: Any = None
        self._followed: Any = None

    def find_choices(self, worth: Grid, floor: int) -> None:
        """Find the best choice in every cell, and the worth of all cells from that of the final ones: see `Kernel`."""
        self._followed = np.zeros((len(self.outcomes), worth.size))
        self.worth = backward(self, worth, floor)

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """See `Kernel`: the levels of a grid, highest first."""
        return levels(shape, floor)

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`; with a choice of dice nobody stops for a value."""
        assert stop_pays is None
        flat, width = worth.reshape(-1), worth.shape[1]
        for cells, options in self._level_slices(worth.shape, step, floor):
            ahead = np.array([flat[shift(cells, i * width + j)] for i, j in options.outcomes])
            rows = [self.outcomes.index(outcome) for outcome in options.outcomes]
            if self.worth is not None:
                flat[cells] = (self._followed[rows, cells] * ahead).sum(axis=0)
                continue
            worths = np.dot(options.laws, ahead)  # [seen, option, cell]
            choice = self._best_option(worths)
            picked = np.take_along_axis(worths, choice[:, None], axis=1)[:, 0]
            flat[cells] = np.dot(options.chances, picked)
            if self._followed is not None:
                for option in range(options.laws.shape[1]):
                    chances = options.chances[:, None] * options.laws[:, option]
                    self._followed[rows, cells] += chances.T @ (choice == option)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`; with a choice of dice nobody stops for a value."""
        assert stopped is None
        flat, width = law.reshape(-1), law.shape[1]
        rounds = 0.0
        for cells, options in self._level_slices(law.shape, step, floor):
            visits = flat[cells].copy()
            rounds += float(visits.sum())
            for outcome in options.outcomes:
                to = shift(cells, outcome[0] * width + outcome[1])
                flat[to] += visits * self._followed[self.outcomes.index(outcome), cells]
        return rounds

    def stuck_cells(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`: every round costs somebody a unit."""
        return np.zeros(shape, bool)

    def has_better_choice(self, worth: Grid, floor: int) -> bool:
        """Return whether another option than the first is better in any cell: see `Kernel`.

        If there is none and `worth` comes from taking the first option everywhere, no choices are better than that.
        """
        return any(choice.any() for _rows, _columns, choice in self._block_choices(worth, floor))

    def choices(self, worth: Grid, floor: int) -> npt.NDArray[np.int64]:
        """Return the number of the best option in every cell, 0 in final cells: see `Kernel`.

        It works only for kernels with nothing to see. The array has the shape of `worth`.
        """
        best = np.zeros(worth.shape, np.int64)
        for rows, columns, choice in self._block_choices(worth, floor):
            best[rows, columns] = choice.reshape(best[rows, columns].shape)
        return best

    def _block_choices(self, worth: Grid, floor: int) -> Iterator[tuple[slice, slice, Any]]:
        """Yield the cells with equal options, as rows and columns, and the best of these options, [seen, cell]."""
        for rows, columns, (i, j) in blocks(self.caps, (floor + 1, 1), worth.shape):
            options = self.options[i - 1][j - 1]
            ahead = [worth[shift(rows, lost), shift(columns, killed)].ravel() for lost, killed in options.outcomes]
            yield rows, columns, self._best_option(np.dot(options.laws, np.array(ahead)))

    def best_choices(self, worth: Grid, cell: Cell) -> dict[tuple[int, ...], int]:
        """Return the number of the best option in a cell after each roll that may be seen.

        Args:
            worth: The worth of every lower cell.
            cell: The attackers and defenders left.
        """
        options = self._options_at(*cell)
        ahead = np.array([worth[cell[0] - i, cell[1] - j] for i, j in options.outcomes])
        choice = self._best_option(np.dot(options.laws, ahead)[:, :, None])
        return dict(zip(options.seen, choice[:, 0].tolist(), strict=True))

    def _best_option(self, worths: Any) -> Any:
        """Return the number of the best option, [seen, cell]; of equal options the first."""
        same = 0 if self.unit else SAME
        if self.best == "most":
            return (worths >= worths.max(axis=1, keepdims=True) - same).argmax(axis=1)
        return (worths <= worths.min(axis=1, keepdims=True) + same).argmax(axis=1)

    def _options_at(self, attackers: int, defenders: int) -> DiceOptions:
        return self.options[min(attackers, self.caps[0]) - 1][min(defenders, self.caps[1]) - 1]

    def _level_slices(self, shape: tuple[int, ...], level: int, floor: int) -> Iterator[tuple[slice, DiceOptions]]:
        """Yield the cells of a level that still fight, in slices of the flat grid with equal options."""
        inner, rim = level_cells(shape, level, floor, self.caps)
        for a in rim:
            place = a * shape[1] + level - a
            yield slice(place, place + 1), self._options_at(a, level - a)
        if inner is not None:
            yield inner, self.options[-1][-1]


def late_table(attack: Pool, defence: Pool, ties: Ties, exact: bool = False, by_die: bool = False) -> ChoiceTable:
    """Return the kernel of a defender who chooses the number of dice after seeing the attacker's roll: see `Battle`.

    Of equal options the most dice are rolled. If `exact`, all numbers are whole: see `ChoiceTable`. If `by_die`, the
    defender rolls a die first, and then chooses whether to roll a second one.
    """
    options, unit = _late_options(attack, defence, ties, exact, by_die)
    return ChoiceTable(options, "least", unit)


@lru_cache(maxsize=2)  # each may hold tens of megabytes
def _late_options(
    attack: Pool, defence: Pool, ties: Ties, exact: bool, by_die: bool
) -> tuple[list[list[DiceOptions]], int]:
    """Return the options and the unit of a `late_table`: battles of any size between these pools share them."""
    attacks, defences = value_laws(attack), value_laws(defence)
    totals = [sum(law.values()) for law in (*attacks, *defences)]
    unit = lcm(*totals) ** 2 if exact else 0

    def options(roll: ValueLaw, units: int) -> DiceOptions:
        pairs = min(len(next(iter(roll))), units)
        seen: Counter[tuple[int, ...]] = Counter()
        for values, weight in roll.items():
            seen[values[:pairs]] += weight
        if by_die and units > 1:
            first = {
                (*values, face, left): weight * share
                for values, weight in seen.items()
                for face, left, share in falls_of_die(defence.dice[0], defence, defence.rerolls)
            }
            return _dice_options(first, [_laws_after(values, defence, ties) for values in first], unit)
        fewer = range(units, 0, -1)
        laws = [[compare_laws({values: 1}, defences[dice - 1], ties) for dice in fewer] for values in seen]
        return _dice_options(seen, laws, unit)

    return [[options(roll, units) for units in range(1, len(defences) + 1)] for roll in attacks], unit


def _laws_after(seen: tuple[int, ...], defence: Pool, ties: Ties) -> list[RoundLaw]:
    """Return the laws of a round if the defender rolls a second die, and if not.

    The last that is seen is what the first die shows, and the re-rolls that are left after it.
    """
    *attack, first, rerolls = seen
    both = Counter[tuple[int, ...]]()
    for second, _left, share in falls_of_die(defence.dice[1], defence, rerolls):
        both[defence.values_of((first, second))] += share
    alone = {defence.for_units(1).values_of((first,)): 1}
    return [compare_laws({tuple(attack): 1}, law, ties) for law in (both, alone)]


@lru_cache(maxsize=64)
def early_table(attack: Pool, defence: Pool, ties: Ties, best: Optimum) -> ChoiceTable | None:
    """Return the kernel of a side that chooses its number of dice before the roll; the other side rolls all it can.

    Of equal options the most dice are rolled. For the arguments see `Battle` and `ChoiceTable`.

    Returns:
        The kernel; None if some number of dice can never cost anybody a unit.
    """
    laws = loss_laws(attack, defence, ties)
    if any(law.get((0, 0), 0) == 1 for row in laws for law in row):
        return None

    def options(attackers: int, defenders: int) -> DiceOptions:
        if best == "most":
            choices = [laws[dice - 1][defenders - 1] for dice in range(attackers, 0, -1)]
        else:
            choices = [laws[attackers - 1][dice - 1] for dice in range(defenders, 0, -1)]
        return _dice_options({(): 1}, [[law_given_loss(law) for law in choices]])

    return ChoiceTable([[options(i, j) for j in range(1, len(laws[0]) + 1)] for i in range(1, len(laws) + 1)], best)


def _dice_options(seen: Mapping[tuple[int, ...], int], laws: list[list[RoundLaw]], unit: int = 0) -> DiceOptions:
    """Return options as arrays.

    `seen` has the weights of what may be seen, `laws[seen][option]` the law that follows.
    """
    outcomes = tuple(sorted({outcome for row in laws for law in row for outcome in law}))
    total = sum(seen.values())

    def number(law: RoundLaw, outcome: Cell) -> Any:
        chance = law.get(outcome, Fraction(0))
        return int(chance * unit ** sum(outcome) / total) if unit else float(chance)

    filled = [[[number(law, outcome) for outcome in outcomes] for law in row] for row in laws]
    weights = np.array(list(seen.values()), object if unit else float)
    return DiceOptions(tuple(seen), weights if unit else weights / total, np.array(filled, weights.dtype), outcomes)
