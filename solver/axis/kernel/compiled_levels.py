"""The kernel of levels.py in compiled code: the same lines and rounds, but cell by cell."""

from ctypes import c_double
from typing import Any

import numpy as np

from solver.axis.kernel import native
from solver.axis.kernel.lattice import Lattice
from solver.axis.kernel.levels import Front, LevelKernel
from solver.chain import Cell, Grid, Mask
from solver.progress import Meter


def level_kernel(attack: Lattice, defence: Lattice, fights: Mask, trim: bool, eps: float, meter: Meter) -> LevelKernel:
    """Return the kernel of a battle on lines: compiled if that is there, else in numpy. See `LevelKernel`.

    Args:
        attack: The attacker's forces, on lines.
        defence: The defender's forces, on lines.
        fights: Whether there is a next round: [row, column].
        trim: Whether hits with next to no chance are left out.
        eps: Probability in a cell that is no longer followed.
        meter: Counts the work.
    """
    made = CompiledLevelKernel if native.library() else LevelKernel
    return made(attack, defence, fights, trim, eps, meter)


class CompiledLevelKernel(LevelKernel):
    """The kernel in compiled code: see `LevelKernel`."""

    def push(self, law: Grid, step: range, floor: int = 0, stopped: Mask | None = None) -> float:
        """Fight all rounds: see `Kernel.push`. Mass that is no longer followed stays in its cell."""
        del floor, stopped
        grid, visits = np.ascontiguousarray(self._law_on_lines(law)), c_double()
        if step:
            self._run("push_levels", grid, grid.shape[2], visits)
        law[...] = self._on_nodes(grid).reshape(law.shape)
        return visits.value

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """Fight a single round: see `SpreadKernel.spread`. Mass that is no longer followed stays in its cell."""
        waiting = np.zeros_like(law)
        waiting[..., low[0] :, low[1] :] = fighting
        begun = np.where(self.fights & (waiting > self.eps), waiting, 0.0)
        visits = np.ascontiguousarray(self._law_on_lines(begun))
        grid = np.zeros_like(visits)
        self._run("spread_levels", grid, visits, visits.shape[2])
        law += waiting - begun + self._on_nodes(grid).reshape(law.shape)
        return float(begun.sum())

    def pull(self, worth: Grid, step: range, floor: int = 0, stop_pays: Grid | None = None) -> None:
        """Set the worth of all cells: see `Kernel.pull`. `worth` is [payoff, row, column]."""
        del floor, stop_pays
        grid = np.ascontiguousarray(np.where(self._shares() > 0, 0.0, self._on_lines(worth)))
        if step:
            self._run("pull_levels", grid, len(worth), native.describe_choice(self.choice), worth)
        self._take_from_lines(worth, grid)

    def _run(self, name: str, *arguments: Any) -> None:
        """Run a function of the compiled code on this battle, and count its work."""
        kills, shares = np.ascontiguousarray(self._ours.laws[..., ::-1]), self._shares()
        ours, theirs = _Described(self._ours), _Described(self._theirs)
        described = native.LevelsStruct(ours.front, theirs.front, native.address(kills), native.address(shares))
        described.eps, described.least = self.eps, self.eps * native.TRIFLE
        native.run_metered(name, self.meter, described, *arguments)


class _Described:
    """The layout of the lines of a side, and the arrays that it is about."""

    def __init__(self, front: Front) -> None:
        limits = np.array(front.fewest), np.array(front.most)
        self.arrays = front.laws, front.tails, front.nodes, *limits
        self.front = native.FrontStruct(*front.laws.shape, *map(native.address, self.arrays))
