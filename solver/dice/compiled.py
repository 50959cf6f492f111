"""The kernel of compared.py in compiled code: the same laws of rounds, but the whole grid in one call.

The C files whose names begin with `dice` read the laws as flat arrays, which are made once for each kind of dice.
"""

from collections.abc import Iterable, Sequence
from ctypes import Structure, c_double, c_int64, c_void_p
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import inf
from typing import Any

import numpy as np

from solver.chain import Cell, Chances, Grid, Mask, RoundLaw
from solver.compiled import library
from solver.dice.compared import LossTable
from solver.dice.faces import CountedFaces


class TableStruct(Structure):
    """`dice_table` of dice.h."""

    _fields_ = (
        ("caps", c_int64 * 2),
        ("most_lost", c_int64 * 2),
        ("steady", c_int64),
        *((name, c_void_p) for name in ("first", "owns", "lost", "chance", "share", "leave", "stay")),
    )


class GridStruct(Structure):
    """`dice_grid` of dice_grids.c."""

    _fields_ = tuple((name, c_int64) for name in ("rows", "columns", "floor"))


class EdgeStruct(Structure):
    """`dice_edge_of` of dice_grids.c."""

    _fields_ = (
        *((name, c_int64) for name in ("side", "counted", "other", "floor", "guarded", "at_least")),
        ("enough", c_double),
        ("count", c_int64),
    )


class BattleStruct(Structure):
    """`dice_battle` of dice_lines.c."""

    _fields_ = (
        *((name, c_int64) for name in ("attackers", "defenders", "floor")),
        ("drop", c_double),
        *((name, c_int64) for name in ("shortest_leap", "most_steps")),
        *((name, c_double) for name in ("rounds", "never", "dropped")),
    )


class PowerStruct(Structure):
    """`dice_power_law` of dice_lines.c."""

    _fields_ = (
        ("rounds", c_int64),
        ("drop", c_double),
        ("missing", c_double),
        ("fewest", c_int64),
        ("size", c_int64),
    )


class IconRowStruct(Structure):
    """`icon_row` of icon_laws.c."""

    _fields_ = (
        *((name, c_int64) for name in ("attackers", "first", "last", "hit_back", "block_back", "faces")),
        ("moves", c_void_p),
        ("weights", c_void_p),
        ("total", c_double),
        ("wide", c_int64),
        ("length", c_int64),
    )


class IconCellsStruct(Structure):
    """`icon_cells` of icon_laws.c."""

    _fields_ = tuple((name, c_int64) for name in ("attackers", "first", "count", "row_step", "column_step"))


class CourseStruct(Structure):
    """`dice_course` of dice_rounds.c."""

    _fields_ = (
        *((name, c_int64) for name in ("attackers", "defenders", "floor", "limit", "shortest_leap")),
        *((name, c_int64) for name in ("rows", "columns", "level", "low", "count")),
        ("rounds", c_double),
    )


class FlatLaws:
    """The laws of rounds as the compiled code reads them.

    Args:
        laws: As for `LossTable`.
        steady: The losses of both sides together in each round with all dice, or 0 if they vary.
    """

    def __init__(self, laws: Sequence[Sequence[RoundLaw]], steady: int) -> None:
        leaving = [sorted(item for item in law.items() if any(item[0]) and item[1]) for law in chain(*laws)]
        leave = [sum(dict(law).values(), Fraction(0)) for law in leaving]
        outcomes = [(loss, chance, sums) for law, sums in zip(leaving, leave, strict=True) for loss, chance in law]
        self._arrays = (
            np.cumsum([0, *map(len, leaving)]),
            np.array([sum(not loss[0] for loss, _ in law) for law in leaving]),
            np.array([loss for loss, _, _ in outcomes], np.int64).reshape(-1, 2),
            _floats(chance for _, chance, _ in outcomes),
            _floats(chance if sums == 1 else chance / sums for _, chance, sums in outcomes),
            _floats(leave),
            _floats(1 - chance for chance in leave),
        )
        most_lost = self._arrays[2].max(axis=0, initial=0).tolist()
        addresses = map(library.address, self._arrays)
        self.struct = TableStruct((len(laws), len(laws[0])), tuple(most_lost), steady, *addresses)


class CompiledTable(LossTable):
    """The kernel in compiled code: see `LossTable`. The whole grid is a single step."""

    def __init__(self, laws: Sequence[Sequence[RoundLaw]]) -> None:
        super().__init__(laws)
        self._laws, self._flat = laws, FlatLaws(laws, self.steady_loss)

    @cached_property
    def turned(self) -> FlatLaws:
        """The laws with the sides exchanged."""
        columns = zip(*self._laws, strict=True)
        turned = [[{loss[::-1]: chance for loss, chance in law.items()} for law in column] for column in columns]
        return FlatLaws(turned, self.steady_loss)

    def run(self, name: str, *arguments: Any) -> None:
        """Call a function of the compiled code with these laws.

        Args:
            name: Its name.
            arguments: Its further arguments.
        """
        library.run(name, self._flat.struct, *arguments)

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """Return the whole grid as one step: see `Kernel.steps`."""
        del shape, floor
        return range(1)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """Fight to the end: see `Kernel.push`."""
        del step
        rounds = c_double()
        self.run("dice_push", GridStruct(*law.shape, floor), law, stopped, rounds)
        return rounds.value

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """Set the worth of all cells: see `Kernel.pull`."""
        del step
        self.run("dice_pull", GridStruct(*worth.shape, floor), worth, stop_pays)

    def fight_rounds(self, law: Grid, rounds: int, floor: int) -> float:
        """Fight a limited number of rounds from the highest cell, and return the expected number of rounds.

        Args:
            law: The probability of each cell, changed in place to the law after the rounds.
            rounds: The most rounds that are fought.
            floor: A cell with no more attackers than this is final.
        """
        low, fought = np.array(law.shape) - 1, c_double()
        self.run("dice_spread", GridStruct(*law.shape, floor), rounds, low, law, fought)
        return fought.value

    def pull_rounds(self, worth: Grid, rounds: int, floor: int) -> Grid:
        """Set the worth of all cells with some rounds more to fight, and return it.

        Args:
            worth: The payoff in each cell once no rounds are left, changed in place.
            rounds: The rounds that are left.
            floor: A cell with no more attackers than this is final.
        """
        self.run("dice_gather", GridStruct(*worth.shape, floor), rounds, worth)
        return worth

    def edge_chances(
        self, side: int, sizes: Cell, floor: int, guarded: bool = False, least: int = 0, enough: float = inf
    ) -> Chances:
        """Return the attacker's chances to win at the edge of a table of all sizes, which may be too large to keep.

        Args:
            side: 0 for 0, 1, ... attackers against the most defenders; 1 for the most attackers against 0, 1, ...
                defenders.
            sizes: The most attackers and defenders.
            floor: The battle is over once no more attackers than this are left.
            guarded: Whether attackers who never roll win if nobody else is left.
            least: A count that is not left out.
            enough: Larger counts are left out once this side's chance is so high; that of defenders is to hold.
        """
        chances = np.empty(sizes[side] + 1)
        edge = EdgeStruct(side, sizes[side], sizes[1 - side], floor, guarded, least, enough)
        library.run("dice_edge", (self.turned if side else self._flat).struct, edge, chances)
        return chances[: edge.count + 1]

    def power(self, rounds: int, drop: float) -> tuple[int, Chances, float]:
        """Return the law of the attackers lost in several rounds with all dice.

        Args:
            rounds: Their number, at least 1.
            drop: Losses at either end that are less likely than this are left out.

        Returns:
            The lowest number, the chances from there on, and what they lack to 1.
        """
        chances, law = np.empty(rounds * self.most_lost[0] + 1), PowerStruct(rounds, drop)
        self.run("dice_power", law, chances)
        return law.fewest, chances[: law.size].copy(), law.missing


def icon_laws(die: CountedFaces, margins: Cell, attackers: int, defenders: range, start: Grid) -> list[Grid]:
    """Return the laws of rounds with icon dice, [defenders lost, attackers left].

    Args:
        die: The defender's die.
        margins: The most attack icons and defence icons of it.
        attackers: Their number.
        defenders: The numbers of defenders, from that of the attackers on.
        start: The law against as many defenders as attackers, as `IconTable` keeps it; it is overwritten.
    """
    moves, weights = np.array([face[:2] for face in die.faces]), _floats(face[2] for face in die.faces)
    row = IconRowStruct(attackers, defenders[0], defenders[-1], *margins, len(weights))
    row.moves, row.weights, row.total = library.address(moves), library.address(weights), die.total
    row.wide, row.length = start.shape
    ends = np.cumsum([(number + 1) * (attackers + 1) for number in defenders])
    laws = np.zeros(ends[-1])
    library.run("icon_laws", row, start, np.empty_like(start), laws)
    return [law.reshape(-1, attackers + 1) for law in np.split(laws, ends[:-1])]


def push_icons(law: Grid, attackers: int, first: int, stopped: Mask | None, laws: list[Grid]) -> float:
    """Push the cells of a row of icon dice, as `IconTable` does, and return the rounds fought in them.

    Args:
        law: The probability of each cell, a whole grid or one turned around; changed in place.
        attackers: The row.
        first: The least defenders.
        stopped: Marks final cells, turned as `law` is.
        laws: The laws of the cells, from those of `icon_laws` that follow each other.
    """
    rounds = c_double()
    cells = _icon_cells(law, attackers, first, laws)
    library.run(
        "icon_push",
        cells,
        laws[0],
        _in_memory_order(law),
        None if stopped is None else _in_memory_order(stopped),
        rounds,
    )
    return rounds.value


def pull_icons(worth: Grid, attackers: int, first: int, stop_pays: Grid | None, laws: list[Grid]) -> None:
    """Pull the cells of a row of icon dice, as `IconTable` does.

    Args:
        worth: The worth of each cell, a whole grid or one turned around; changed in place.
        attackers: The row.
        first: The least defenders.
        stop_pays: The worth of stopping, turned as `worth` is.
        laws: The laws of the cells, from those of `icon_laws` that follow each other.
    """
    cells = _icon_cells(worth, attackers, first, laws)
    library.run(
        "icon_pull", cells, laws[0], _in_memory_order(worth), None if stop_pays is None else _in_memory_order(stop_pays)
    )


def _icon_cells(grid: Grid, attackers: int, first: int, laws: list[Grid]) -> IconCellsStruct:
    steps = (step // grid.itemsize for step in grid.strides)
    return IconCellsStruct(attackers, first, min(len(laws), grid.shape[1] - first), *steps)


def _in_memory_order(grid: Any) -> Any:
    return grid if grid.flags.c_contiguous else grid.T


def _floats(numbers: Iterable[Any]) -> Chances:
    return np.array([float(number) for number in numbers])
