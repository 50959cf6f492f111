"""The chain of a battle with dice: everything that decides its odds, equal for every way to write the battle."""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, isqrt
from typing import Any, Literal

import numpy as np

from solver.chain import Grid, Mask, backward
from solver.dice.choices import ChoiceTable, late_table
from solver.dice.compared import LossTable, has_library
from solver.dice.faces import ALL_LUCK, Faces
from solver.dice.icon_rounds import MOST_NUMBERS
from solver.dice.icons import IconTable
from solver.dice.kill_rates import icon_table
from solver.dice.pools import DIE_BY_DIE, Pool, Ties, loss_laws
from solver.dice.reshape import Reshape

MOST_CELLS_FOLLOWED = 4_000_000
"""In battles with more cells, unlikely cells are dropped."""
STEP = 7e-9
"""Seconds of a step, the unit of `DiceChain.work`; on a slow day."""


@dataclass(frozen=True, slots=True)
class DiceChain:
    """Everything that decides the odds of a battle with dice: the key of caches.

    Attributes:
        acting: The attackers that may roll.
        attack: The attacker's dice, with ships applied.
        defence: The defender's dice, with ships applied.
        floor: The battle is over once no more acting attackers than this are left.
        defenders, ties, reserve, rounds, faces, late, value, reshape, totals, luck: See `Battle`.
    """

    acting: int
    defenders: int
    attack: Pool
    defence: Pool
    ties: Ties
    floor: int
    reserve: int
    rounds: int | None
    faces: tuple[Faces, Faces] | None = None
    late: bool | Literal["die"] = False
    value: int | None = None
    reshape: Reshape | None = None
    totals: bool = False
    luck: int = ALL_LUCK

    @property
    def level_by_level(self) -> bool:
        """Whether it is a fight to the end with compared dice and no choices."""
        return self.faces is None and self.rounds is None and self.value is None and not self.late

    def kernel(self) -> LossTable | IconTable | ChoiceTable:
        """Return the kernel for every number of dice that can be rolled here."""
        if self.faces is not None:
            return self._icon_table(*self.faces)
        if self.late:
            return _late_kernel(self)
        return loss_table(self.attack, self.defence, self.ties, self.totals)

    def win_pays(self, dtype: type = float) -> Any:
        """Return the payoff of the attacker's victory: 1 in the cells with an attacker and no defender, else 0.

        Args:
            dtype: The type of the numbers, float or object.
        """
        won: Any = np.zeros((self.acting + 1, self.defenders + 1), dtype)
        won[:, 0] = 1
        won[0, 0] = int(self.reserve > 0)
        return won

    def stop_pays(self) -> Grid:
        """Return the payoff of stopping in each cell, in armies.

        It is the number of attackers left, plus the value of the territory if it is taken.
        """
        assert self.value is not None, "only a battle for a value has a price"
        pays = np.zeros((self.acting + 1, self.defenders + 1))
        pays += np.arange(self.reserve, self.reserve + self.acting + 1).reshape(-1, 1)
        pays[:, 0] += self.value * self.win_pays()[:, 0]
        return pays

    def stop_mask(self) -> Mask | None:
        """Return a mask of the cells where an attacker who fights for a value stops; None without a value."""
        if self.value is None:
            return None
        pays = self.stop_pays()
        worth = backward(self.kernel(), pays.copy(), self.floor, pays)
        # The gain of going on must be larger than an error of rounding.
        return np.asarray(worth <= pays + 1e-11 * (1 + self.acting + self.reserve + self.value))

    @property
    def _is_one_volley(self) -> bool:
        """Whether both sides shoot once and nobody defends: what each of them kills has a law of its own."""
        return self.rounds == 1 and self.faces is not None and not any(faces.most_icons[1] for faces in self.faces)

    def _icon_table(self, attack: Faces, defence: Faces) -> IconTable:
        return icon_table(attack, defence, self.luck, volley=self._is_one_volley)

    @property
    def cells(self) -> int:
        """The count of numbers in the grid of this chain."""
        return (self.acting + 1) * (self.defenders + 1)

    @property
    def table_work(self) -> int:
        """The approximate time to compute the laws of its rounds, in the unit of `work`."""
        fewer, more = sorted((self.attack.rolls, self.defence.rolls))
        compared = 0 if self.totals else fewer * (1_000 + more * len(self.attack.dice))
        return self.attack.work + self.defence.work + compared

    @property
    def work(self) -> int:
        """The approximate time to solve it, in visits to a cell; everything else is converted to such visits."""
        before = self.table_work + (0 if self._in_levels or self._line_by_line else self.cells)
        if self.acting <= self.floor or self.defenders == 0:
            return before
        if self.faces is not None:
            volley = 2_000 * (self.acting + self.defenders) + self.cells
            return before + (volley if self._is_one_volley else self._sweep_work(*self.faces))
        levels = self.acting + self.defenders
        if self._in_levels:
            return before + 8_000 + levels * self._level_work
        if self.late:
            seen, options, outcomes = self._late_sizes
            tables = 1_000 * seen * self.defence.rolls
            return before + tables + (500 * levels + self.cells) * (10 + seen * options * (2 + outcomes // 4) // 3)
        if self.rounds is None:
            return before + 3 * (500 * levels + self.cells)
        return before + self._rounds_work(self.rounds)

    @property
    def _level_work(self) -> int:
        """The approximate time of a level; in large battles unlikely cells are not followed."""
        pairs, fewer = self._pairs, min(self.acting, self.defenders)
        if self._leaps:
            return 25 + (fewer // 20 if self.cells <= MOST_CELLS_FOLLOWED else 0)
        cells = fewer // 10 if self.cells <= MOST_CELLS_FOLLOWED else isqrt(self.acting + self.defenders)
        return 100 + (pairs + 1) * (pairs + 2) // 2 * cells // 3

    def _sweep_work(self, attack: Faces, defence: Faces) -> int:
        """Return the approximate time of a battle with icon dice that goes through all cells."""
        sweep, rounds = self._icon_table(attack, defence).work(self.acting, self.defenders), self.rounds or 0
        sweeps = sweep * (1 if self.value is None else 2)
        return sweeps + rounds * self.cells // MOST_NUMBERS * sweep + max(rounds - 1, 0) * self.cells**2 // 20

    def _rounds_work(self, rounds: int) -> int:
        """Return the approximate time of a limited number of rounds with compared dice."""
        # Only cells that have been reached are touched.
        pairs = self._pairs
        reached = min(self.acting, rounds * pairs), min(self.defenders, rounds * pairs)
        if self._line_by_line:
            leap = min(rounds, self.acting // pairs, self.defenders // pairs)
            walked = min(rounds, self.acting + self.defenders) - leap
            return leap * leap // 50 + walked * (500 + sum(reached) // 2)
        # On average over the rounds these are a third of those at the end.
        return rounds * (reached[0] * reached[1] // 3 + _overhead(20_000))

    @property
    def _pairs(self) -> int:
        """The most units that a round can cost a side."""
        units = self.attack.units, self.defence.units
        return max(units) if self.totals else min(units)

    @property
    def _in_levels(self) -> bool:
        """Whether `solve_by_levels` solves it, with armies of any size."""
        return self.level_by_level and has_library()

    @property
    def _leaps(self) -> bool:
        """Whether every round with all dice costs both sides together the same, so that many are fought at once."""
        return self.faces is None and self.ties in ("defender", "attacker") and not self.totals

    @property
    def _line_by_line(self) -> bool:
        """Whether `solve_within_rounds` solves it, without a grid."""
        return self._leaps and self.rounds is not None and has_library()

    @property
    def grid_work(self) -> int:
        """The approximate time of a table of all sizes up to its own, in the unit of `work`."""
        rounds = 0 if self.rounds is None or self.faces else self.rounds * (2 * self.cells + _overhead(20_000))
        if self.faces and self._is_one_volley:
            rounds = self._sweep_work(*self.faces)
        return self.work + rounds + _overhead(1_500) * (self.acting + self.defenders) + self.cells

    @property
    def _late_sizes(self) -> tuple[int, int, int]:
        """With a late defender: the most rolls that may be seen, the number of options, and of outcomes."""
        pairs = self._pairs
        seen = comb(pairs + self.attack.most_faces + abs(self.attack.leader) - 1, pairs)
        if self.late == DIE_BY_DIE:
            seen *= self.defence.most_faces * (self.defence.rerolls + 1)
        return seen, self.defence.units, (pairs + 1) * (pairs + 2) // 2

    @property
    def numbers(self) -> int:
        """The approximate count of numbers in memory at once while it is solved."""
        if self._in_levels:
            return 4 * self.acting
        if self._line_by_line:
            rows, columns = max(self.attack.units, self.floor + 1), self.defence.units
            return min(rows * (self.defenders + 1) + columns * (self.acting + 1), self.cells)
        if self.faces is not None:
            if self._is_one_volley:
                return 3 * self.cells
            return self.cells + self._icon_table(*self.faces).numbers(self.acting, self.defenders)
        if self.late:
            seen, options, outcomes = self._late_sizes
            return self.cells * (2 + outcomes) + seen * options * min(self.acting, self.defenders)
        return self.cells * (4 if self.value is not None else 1)


def loss_table(attack: Pool, defence: Pool, ties: Ties, totals: bool = False) -> LossTable:
    """Return the kernel of battles between two pools, compiled if that is there, else in numpy: see `Battle`."""
    return _loss_table(attack, defence, ties, totals, has_library())


@lru_cache(maxsize=256)
def _loss_table(attack: Pool, defence: Pool, ties: Ties, totals: bool, compiled: bool) -> LossTable:
    from solver.dice.compiled import CompiledTable  # Writing battles down never needs it.

    return (CompiledTable if compiled else LossTable)(loss_laws(attack, defence, ties, totals))


def _overhead(steps: int) -> int:
    """Return the time that a level or a round takes beside its cells, from that with numpy."""
    return steps // 20 if has_library() else steps


@lru_cache(maxsize=1)  # one may hold tens of megabytes
def _late_kernel(chain: DiceChain) -> ChoiceTable:
    """Return the kernel of a battle with a late defender, with the best choices found."""
    kernel = late_table(chain.attack, chain.defence, chain.ties, by_die=chain.late == DIE_BY_DIE)
    kernel.find_choices(chain.win_pays(), chain.floor)
    return kernel
