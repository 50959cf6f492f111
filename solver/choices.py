"""Choices: how many dice to roll, before the roll or after seeing the other side's, and what the best choice is.

The engine works the choices out backward, level by level, as it does the worth of a battle: where somebody
chooses, the worth of a cell is the best of its options.
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
from solver.dice import Pool, Ties, ValueLaw, compare, loss_laws, value_laws
from solver.table import blocks, given_a_loss, level_cells, levels, shifted

Best = Literal["most", "least"]

SAME = 1e-12
"""Options whose worths differ by less are as good as each other: only rounding tells them apart."""


class Options(NamedTuple):
    """What can be chosen in cells of one kind.

    First something is seen, `seen[k]` with probability `chances[k]` (a roll of the other side; or there is nothing to
    see). Then `laws[k, option, outcome]` is the chance of each of the `outcomes` (attackers lost, defenders lost).
    """

    seen: tuple[tuple[int, ...], ...]
    chances: Any
    laws: Any
    outcomes: tuple[Cell, ...]


class ChoiceTable:
    """The kernel of rounds in which one side chooses: the attacker for the `most` worth, or the defender for the least.

    `options[i][j]` is what can be chosen with i + 1 attackers against j + 1 defenders; larger armies use the last row
    and column. Of options as good as each other the first is taken. In every outcome somebody loses something. A
    step is a level of the grid. `settle` must come before `push`, which follows the choices it finds, and from then on
    `pull` follows them too, whatever pays then; both for grids of the settled shape. With a `unit` all numbers are
    whole: chances of outcomes times the unit to the power of all that is lost.
    """

    def __init__(self, options: Sequence[Sequence[Options]], best: Best, unit: int = 0) -> None:
        self.options, self.best, self.unit = options, best, unit
        self.caps: Cell = len(options), len(options[0])
        every = [one for row in options for one in row]
        self.outcomes = sorted({outcome for one in every for outcome in one.outcomes})
        chances = (one.chances[:, None, None] * one.laws for one in every)
        self.least_chance = 0.0 if unit else float(min(chance[chance > 0].min() for chance in chances))
        self.worth: Any = None
        self._followed: Any = None

    def settle(self, worth: Grid, floor: int) -> None:
        """Find the best choices of every cell by what the final ones pay; `worth` is then that of every cell."""
        self._followed = np.zeros((len(self.outcomes), worth.size))
        self.worth = backward(self, worth, floor)

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """See `Kernel`: the levels of a grid, highest first."""
        return levels(shape, floor)

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`; nobody stops for a value where dice are chosen."""
        assert stop_pays is None
        flat, width = worth.reshape(-1), worth.shape[1]
        for cells, options in self._parts(worth.shape, step, floor):
            ahead = np.array([flat[shifted(cells, i * width + j)] for i, j in options.outcomes])
            rows = [self.outcomes.index(outcome) for outcome in options.outcomes]
            if self.worth is not None:
                flat[cells] = (self._followed[rows, cells] * ahead).sum(axis=0)
                continue
            worths = np.dot(options.laws, ahead)  # [seen, option, cell]
            choice = self._choice(worths)
            picked = np.take_along_axis(worths, choice[:, None], axis=1)[:, 0]
            flat[cells] = np.dot(options.chances, picked)
            if self._followed is not None:
                for option in range(options.laws.shape[1]):
                    chances = options.chances[:, None] * options.laws[:, option]
                    self._followed[rows, cells] += chances.T @ (choice == option)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`; nobody stops for a value where dice are chosen."""
        assert stopped is None
        flat, width = law.reshape(-1), law.shape[1]
        rounds = 0.0
        for cells, options in self._parts(law.shape, step, floor):
            visits = flat[cells].copy()
            rounds += float(visits.sum())
            for outcome in options.outcomes:
                to = shifted(cells, outcome[0] * width + outcome[1])
                flat[to] += visits * self._followed[self.outcomes.index(outcome), cells]
        return rounds

    def stuck(self, shape: tuple[int, ...]) -> Mask:
        """See `Kernel`: somebody always loses something."""
        return np.zeros(shape, bool)

    def betters(self, worth: Grid, floor: int) -> bool:
        """Whether there is a cell where another option than the first is better, with `worth` what comes after it.

        If `worth` is that of taking the first option everywhere and there is none, that is the best one can do.
        """
        return any(choice.any() for _rows, _columns, choice in self._block_choices(worth, floor))

    def choices(self, worth: Grid, floor: int) -> npt.NDArray[np.int64]:
        """Return the number of the best option in every cell, 0 where nobody fights; of kernels with nothing to see.

        Args:
            worth: that of every cell, of shape (attackers + 1, defenders + 1).
            floor: with no more attackers than this the battle is over.

        Returns:
            An array of the shape of `worth`.
        """
        found = np.zeros(worth.shape, np.int64)
        for rows, columns, choice in self._block_choices(worth, floor):
            found[rows, columns] = choice.reshape(found[rows, columns].shape)
        return found

    def _block_choices(self, worth: Grid, floor: int) -> Iterator[tuple[slice, slice, Any]]:
        """Yield the cells of the same options, as rows and columns, and the best of these, [seen, cell]."""
        for rows, columns, (i, j) in blocks(self.caps, (floor + 1, 1), worth.shape):
            options = self.options[i - 1][j - 1]
            ahead = [worth[shifted(rows, lost), shifted(columns, killed)].ravel() for lost, killed in options.outcomes]
            yield rows, columns, self._choice(np.dot(options.laws, np.array(ahead)))

    def chosen(self, worth: Grid, cell: Cell) -> dict[tuple[int, ...], int]:
        """The number of the best option at a cell for each thing that may be seen, by the worth of lower cells."""
        options = self._at(*cell)
        ahead = np.array([worth[cell[0] - i, cell[1] - j] for i, j in options.outcomes])
        choice = self._choice(np.dot(options.laws, ahead)[:, :, None])
        return dict(zip(options.seen, choice[:, 0].tolist(), strict=True))

    def _choice(self, worths: Any) -> Any:
        """The number of the best option, [seen, cell]; of those as good as each other, the first."""
        same = 0 if self.unit else SAME
        if self.best == "most":
            return (worths >= worths.max(axis=1, keepdims=True) - same).argmax(axis=1)
        return (worths <= worths.min(axis=1, keepdims=True) + same).argmax(axis=1)

    def _at(self, attackers: int, defenders: int) -> Options:
        return self.options[min(attackers, self.caps[0]) - 1][min(defenders, self.caps[1]) - 1]

    def _parts(self, shape: tuple[int, ...], level: int, floor: int) -> Iterator[tuple[slice, Options]]:
        """The cells of a level still fighting, in slices of the flat grid whose cells have the same options."""
        inner, rim = level_cells(shape, level, floor, self.caps)
        for a in rim:
            place = a * shape[1] + level - a
            yield slice(place, place + 1), self._at(a, level - a)
        if inner is not None:
            yield inner, self.options[-1][-1]


def late_table(attack: Pool, defence: Pool, ties: Ties, exact: bool = False) -> ChoiceTable:
    """The defender chooses how many dice to roll after seeing the attacker's; most dice first among equals.

    `exact`: in whole numbers, with `ChoiceTable.unit`.
    """
    options, unit = _late_options(attack, defence, ties, exact)
    return ChoiceTable(options, "least", unit)


@lru_cache(maxsize=2)  # each may hold tens of megabytes
def _late_options(attack: Pool, defence: Pool, ties: Ties, exact: bool) -> tuple[list[list[Options]], int]:
    """The options and the unit of a `late_table`: battles of any size between these pools have the same."""
    attacks, defences = value_laws(attack), value_laws(defence)
    totals = [sum(law.values()) for law in (*attacks, *defences)]
    unit = lcm(*totals) ** 2 if exact else 0

    def options(roll: ValueLaw, most: int) -> Options:
        pairs = min(len(next(iter(roll))), most)
        seen: Counter[tuple[int, ...]] = Counter()
        for values, weight in roll.items():
            seen[values[:pairs]] += weight
        laws = [[compare({values: 1}, defences[dice - 1], ties) for dice in range(most, 0, -1)] for values in seen]
        return _options(seen, laws, unit)

    return [[options(roll, most) for most in range(1, len(defences) + 1)] for roll in attacks], unit


@lru_cache(maxsize=64)
def early_table(attack: Pool, defence: Pool, ties: Ties, best: Best) -> ChoiceTable | None:
    """One side chooses how many dice to roll before anybody rolls, the other rolls all it can; most dice first.

    The attacker's choice is for the `most`, the defender's for the `least`. None where with some number of dice
    nobody can ever lose anything.
    """
    laws = loss_laws(attack, defence, ties)
    if any(law.get((0, 0), 0) == 1 for row in laws for law in row):
        return None

    def options(attackers: int, defenders: int) -> Options:
        if best == "most":
            choices = [laws[dice - 1][defenders - 1] for dice in range(attackers, 0, -1)]
        else:
            choices = [laws[attackers - 1][dice - 1] for dice in range(defenders, 0, -1)]
        return _options({(): 1}, [[given_a_loss(law) for law in choices]])

    return ChoiceTable([[options(i, j) for j in range(1, len(laws[0]) + 1)] for i in range(1, len(laws) + 1)], best)


def _options(seen: Mapping[tuple[int, ...], int], laws: list[list[RoundLaw]], unit: int = 0) -> Options:
    """Options as arrays, by the weights of what may be seen and the laws of what follows: [seen][option]."""
    outcomes = tuple(sorted({outcome for row in laws for law in row for outcome in law}))
    total = sum(seen.values())

    def number(law: RoundLaw, outcome: Cell) -> Any:
        chance = law.get(outcome, Fraction(0))
        return int(chance * unit ** sum(outcome) / total) if unit else float(chance)

    filled = [[[number(law, outcome) for outcome in outcomes] for law in row] for row in laws]
    weights = np.array(list(seen.values()), object if unit else float)
    return Options(tuple(seen), weights if unit else weights / total, np.array(filled, weights.dtype), outcomes)
