"""Odds: the joint law of how a battle ends, and everything people ask of it."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import log10
from sys import float_info
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.battle import Battle
from solver.chain import Grid, Mask, bounded, certain, forward, stalled
from solver.choices import ChoiceTable
from solver.dice import loss_table
from solver.dice_chain import DiceChain
from solver.documents import told_chance, told_chances
from solver.lines import ends
from solver.reshape import Reshape

Counts = npt.NDArray[np.signedinteger[Any]]
Chances = npt.NDArray[np.float64]

MOST_CELLS_FOLLOWED = 4_000_000
DROPPED = 1e-27
"""In battles of more cells than that, what is less likely than this is not followed any further."""


@dataclass(frozen=True, eq=False)
class Odds:
    """How a battle of so many against so many ends.

    `attackers_end[i]` attackers and `defenders_end[i]` defenders are left with probability `chances[i]`, in
    order of attackers, then defenders; `open_end[i]` says that the rounds ran out there. `never` is the chance
    that it comes to a place where nobody can ever lose a unit again: such battles have no end and no row. With
    it, the chances of the fates (`attacker_wins` to `unresolved`) add up to 1. `rounds` is the expected number
    of rounds, None where it is endless. `error` bounds what any probability here may be off beyond rounding; 0
    says exact. Without `true_zeros` a chance of 0 may also be one too small for a float.
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
        """The chance that no defender is left but an attacker is."""
        return self._sum((self.defenders_end == 0) & (self.attackers_end > 0))

    @cached_property
    def defender_wins(self) -> float:
        """The chance that a defender is left and the attack is over, beaten or called off."""
        return self._sum((self.defenders_end > 0) & ~self.open_end)

    @cached_property
    def beaten(self) -> float:
        """The chance that the attack is beaten: a defender is left and no attacker is."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end == 0))

    @cached_property
    def both_left(self) -> float:
        """The chance that both sides have armies left at the end: the attacker stopped, or the rounds ran out."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end > 0))

    @cached_property
    def called_off(self) -> float:
        """The part of the defender's wins in which attackers are left: they stopped, or stood by in reserve."""
        return self._sum((self.defenders_end > 0) & (self.attackers_end > 0) & ~self.open_end)

    @cached_property
    def draw(self) -> float:
        """The chance that nobody is left."""
        return self._sum((self.defenders_end == 0) & (self.attackers_end == 0))

    @cached_property
    def unresolved(self) -> float:
        """The chance that the rounds run out before the battle is over."""
        return self._sum(self.open_end)

    @cached_property
    def attackers_left(self) -> float:
        """The expected number of attackers left."""
        return float(self.attackers_end @ self.chances)

    @cached_property
    def defenders_left(self) -> float:
        """The expected number of defenders left."""
        return float(self.defenders_end @ self.chances)

    @cached_property
    def ladder(self) -> tuple[Counts, Chances]:
        """The ends as one line of rungs, from the defender's best to the attacker's best, with their chances.

        While a defender stands the rung is minus the defenders left, otherwise the attackers left. Where the
        rounds may run out with both sides standing, it is attackers minus defenders throughout. Only rungs that
        can be an end are there. The chances are of shape (3, rungs): only the attacker is left there, only the
        defender is, and both or nobody are.
        """
        if self.unresolved:
            rung = self.attackers_end - self.defenders_end
        else:
            rung = np.where(self.defenders_end > 0, -self.defenders_end, self.attackers_end)
        rungs, place = np.unique(rung, return_inverse=True)
        attacks, defends = self.attackers_end > 0, self.defenders_end > 0
        winner = np.where(attacks == defends, 2, np.where(defends, 1, 0))
        chances = np.zeros((3, len(rungs)))
        np.add.at(chances, (winner, place), self.chances)
        return rungs, chances

    @cached_property
    def middle(self) -> tuple[int, int]:
        """The lowest and the highest rung without the tenth of worst and the tenth of best luck, of battles that end.

        ValueError where none ever ends.
        """
        rungs, chances = self.ladder
        if not len(rungs):
            raise ValueError("this battle never ends, so there is no middle of its ends")
        reached = np.cumsum(chances.sum(axis=0))
        low, high = np.searchsorted(reached / reached[-1], [0.1, 0.9])
        return int(rungs[low]), int(rungs[high])

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        fates = ("attacker_wins", "defender_wins", "called_off", "draw", "unresolved", "never")
        rows = zip(self.attackers_end.tolist(), self.defenders_end.tolist(), told_chances(self.chances), strict=True)
        return {
            **{name: told_chance(getattr(self, name)) for name in fates},
            "attackers_left": self.attackers_left,
            "defenders_left": self.defenders_left,
            "rounds": self.rounds,
            "survivors": [list(row) for row in rows],
            "error": self.error,
        }

    def _sum(self, rows: npt.NDArray[np.bool_]) -> float:
        return float(self.chances[rows].sum())


def solve(battle: Battle | DiceChain) -> Odds:
    """The odds of a battle: exact, but for armies too large for every possibility to be followed; see `Odds.error`."""
    chain = battle.chain() if isinstance(battle, Battle) else battle
    if chain.line:
        odds = _along_lines(chain)
    elif chain.rounds is None:
        odds = from_the_start(chain, certain((chain.acting, chain.defenders)))
    else:
        odds = _by_rounds(chain, chain.rounds)
    return _reshaped(odds, chain.reshape) if chain.reshape else odds


def from_the_start(chain: DiceChain, law: Grid) -> Odds:
    """The odds where only the law of the beginning is known: a grid with its probability, which is used up."""
    kernel, stopped = chain.kernel(), chain.stopped()
    rounds = forward(kernel, law, chain.floor, stopped)
    never = stalled(kernel, law, chain.floor, stopped)
    acting, defenders = _final_cells(law, chain.floor, stopped)
    return _odds(chain, acting, defenders, law[acting, defenders], never, rounds)


def _along_lines(chain: DiceChain) -> Odds:
    table = loss_table(chain.attack, chain.defence, chain.ties)
    drop = 0.0 if chain.cells <= MOST_CELLS_FOLLOWED else DROPPED
    acting, defenders, chances, never, rounds, dropped = ends(table, (chain.acting, chain.defenders), chain.floor, drop)
    odds = _odds(chain, acting, defenders, chances, never, rounds)
    # A round multiplies once and adds up a few numbers; so often rounding can have gone the same way.
    return replace(odds, error=dropped + 4 * float_info.epsilon * rounds) if drop else odds


def _reshaped(odds: Odds, reshape: Reshape) -> Odds:
    """The odds of battles that one side wins, bent as a whole; there are no rounds any more."""
    won = odds.defenders_end == 0
    # From the attacker's best end to the defender's best: most attackers left first, then fewest defenders.
    line = np.lexsort((odds.defenders_end, -odds.attackers_end, ~won))
    chances = np.empty_like(odds.chances)
    chances[line] = reshape.bent(odds.chances[line], won[line])
    kept = chances > 0
    ends = odds.attackers_end[kept], odds.defenders_end[kept], chances[kept], odds.open_end[kept]
    return replace(odds, attackers_end=ends[0], defenders_end=ends[1], chances=ends[2], open_end=ends[3], rounds=None)


def _by_rounds(chain: DiceChain, most: int) -> Odds:
    kernel = chain.kernel()
    assert not isinstance(kernel, ChoiceTable), "late choices go without a limit of rounds"
    law = certain((chain.acting, chain.defenders))
    rounds = bounded(kernel, law, most, chain.floor)
    acting, defenders = np.nonzero(law)
    odds = _odds(chain, acting, defenders, law[acting, defenders], 0.0, rounds)
    return replace(odds, open_end=(acting > chain.floor) & (defenders > 0))


def _odds(chain: DiceChain, acting: Counts, defenders: Counts, chances: Chances, never: float, rounds: float) -> Odds:
    return Odds(
        attackers=chain.acting + chain.reserve,
        defenders=chain.defenders,
        attackers_end=acting + chain.reserve,
        defenders_end=defenders,
        chances=chances,
        open_end=np.zeros(len(chances), bool),
        never=never,
        rounds=None if never else rounds,
        true_zeros=not rounds or least_chance(chain) > log10(float_info.min),
    )


def least_chance(chain: DiceChain) -> float:
    """The decimal logarithm of what the least likely way for a battle to go is at least: the rarest turn each round."""
    units = chain.acting + chain.defenders
    turns = units if chain.rounds is None else chain.rounds
    if chain.faces:
        # Every unit's die may have to fall as it rarely does, and in a battle to the end there is one less each round.
        turns = units * (units + 1) // 2 if chain.rounds is None else turns * units
    return turns * log10(chain.kernel().least_chance)


def _final_cells(law: Grid, floor: int, stopped: Mask | None) -> tuple[Counts, Counts]:
    """The cells that are an end and have a chance."""
    final = np.zeros(law.shape, bool) if stopped is None else stopped.copy()
    final[: floor + 1] = final[:, 0] = True
    acting, defenders = np.nonzero(final & (law > 0))
    return acting, defenders
