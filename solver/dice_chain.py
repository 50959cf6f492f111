"""The chain a battle is: all that decides its odds, one value for every way of saying it."""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, isqrt
from typing import Any

import numpy as np

from solver.chain import Grid, Mask, backward
from solver.choices import ChoiceTable, late_table
from solver.dice import Pool, Ties, loss_table
from solver.icons import Faces, IconTable, icon_table
from solver.reshape import Reshape
from solver.table import LossTable


@dataclass(frozen=True, slots=True)
class DiceChain:
    """All that decides the odds of a dice battle, one value for every way of saying it: the key of caches.

    `acting` attackers fight until no more than `floor` of them are left; `reserve` more stand by. With `faces` the
    dice are icon dice, and pools and ties mean nothing. See `Battle` for `late`, `value` and `reshape`.
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
    late: bool = False
    value: int | None = None
    reshape: Reshape | None = None

    @property
    def line(self) -> bool:
        """Whether it is fought to the end with compared dice and nothing to choose: then armies may be of any size."""
        return self.faces is None and self.rounds is None and self.value is None and not self.late

    def kernel(self) -> LossTable | IconTable | ChoiceTable:
        """What a round does, for every number of dice that can be rolled here."""
        if self.faces is not None:
            return icon_table(*self.faces)
        if self.late:
            return _settled(self)
        return loss_table(self.attack, self.defence, self.ties)

    def won(self, dtype: type = float) -> Any:
        """What the attacker's victory pays at the final cells: 1 where no defender is left but an attacker is."""
        won: Any = np.zeros((self.acting + 1, self.defenders + 1), dtype)
        won[:, 0] = 1
        won[0, 0] = int(self.reserve > 0)
        return won

    def stop_pays(self) -> Grid:
        """What it pays to stop at each cell, in armies: those left, and `value` for the territory if it is taken."""
        assert self.value is not None, "only a battle for a value has a price"
        pays = np.zeros((self.acting + 1, self.defenders + 1))
        pays += np.arange(self.reserve, self.reserve + self.acting + 1).reshape(-1, 1)
        pays[:, 0] += self.value * self.won()[:, 0]
        return pays

    def stopped(self) -> Mask | None:
        """The cells in which the attacker who wants the most for the territory's value does better to stop."""
        if self.value is None:
            return None
        pays = self.stop_pays()
        worth = backward(self.kernel(), pays.copy(), self.floor, pays)
        # What is gained by going on must be more than rounding can feign.
        return np.asarray(worth <= pays + 1e-11 * (1 + self.acting + self.reserve + self.value))

    @property
    def cells(self) -> int:
        """How many numbers the grid of this chain holds."""
        return (self.acting + 1) * (self.defenders + 1)

    @property
    def table_work(self) -> int:
        """About how long it takes to find the laws of its rounds, in the unit of `work`."""
        few, many = sorted((self.attack.rolls, self.defence.rolls))
        return self.attack.work + self.defence.work + few * (1_000 + many * len(self.attack.dice))

    @property
    def work(self) -> int:
        """About how many cells are worked on to solve it; everything else is counted as so many cells."""
        before = self.table_work + (0 if self.line else self.cells)
        if self.acting <= self.floor or self.defenders == 0:
            return before
        if self.faces is not None:
            sweeps = self.rounds or (1 if self.value is None else 2)
            return before + sweeps * icon_table(*self.faces).work(self.acting, self.defenders)
        levels = self.acting + self.defenders
        if self.line:
            # In large battles most levels are leapt over, but not where rounds cost now more, now less.
            leaps = self.ties in ("defender", "attacker")
            steps = min(levels, 40 * isqrt(min(self.acting, self.defenders))) if leaps else levels
            return before + steps * (2_500 + isqrt(levels)) + self.acting
        if self.late:
            seen, options, outcomes = self._late_sizes
            tables = 1_000 * seen * self.defence.rolls
            return before + tables + (500 * levels + self.cells) * (10 + seen * options * (2 + outcomes // 4) // 3)
        if self.rounds is None:
            return before + 3 * (500 * levels + self.cells)
        # Only cells that have been reached are touched: a third of those at the end, on average over the rounds.
        reach = self.rounds * min(len(self.attack.dice), len(self.defence.dice))
        reached = min(self.acting, reach) * min(self.defenders, reach) // 3
        return before + self.rounds * (reached + 20_000)

    @property
    def grid_work(self) -> int:
        """The same for a table of all sizes up to its own."""
        rounds = 0 if self.rounds is None or self.faces else self.rounds * (2 * self.cells + 20_000)
        return self.work + rounds + 1_500 * (self.acting + self.defenders) + self.cells

    @property
    def _late_sizes(self) -> tuple[int, int, int]:
        """At most how many rolls a late defender may see, how many options there are, and how many outcomes."""
        pairs = min(len(self.attack.dice), len(self.defence.dice))
        seen = comb(pairs + max(self.attack.dice) - 1, pairs)
        return seen, len(self.defence.dice), (pairs + 1) * (pairs + 2) // 2

    @property
    def numbers(self) -> int:
        """About how many numbers must be in memory at once to solve it."""
        if self.line:
            return 4 * self.acting
        if self.faces is not None:
            return self.cells + icon_table(*self.faces).numbers(self.acting, self.defenders)
        if self.late:
            seen, options, outcomes = self._late_sizes
            return self.cells * (2 + outcomes) + seen * options * min(self.acting, self.defenders)
        return self.cells * (4 if self.value is not None else 1)


@lru_cache(maxsize=1)  # one may hold tens of megabytes
def _settled(chain: DiceChain) -> ChoiceTable:
    """The kernel of a battle in which the defender chooses late, knowing everywhere what is best."""
    kernel = late_table(chain.attack, chain.defence, chain.ties)
    kernel.settle(chain.won(), chain.floor)
    return kernel
