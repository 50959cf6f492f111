"""Odds: the joint law of how a battle ends, and everything people ask of it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.battle import Battle, DiceChain
from solver.chain import Grid, bounded, forward, stalled

Counts = npt.NDArray[np.signedinteger[Any]]
Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Odds:
    """How a battle of so many against so many ends.

    `attackers_end[i]` attackers and `defenders_end[i]` defenders are left with probability `chances[i]`, in
    order of attackers, then defenders. The five fates add up to 1: the attacker wins (an attacker is left but
    no defender); the defender wins (a defender is left and the attack is over, beaten or called off); draw
    (nobody is left); unresolved (the rounds ran out); never (nobody can ever lose a unit again: such
    battles have no end and no row). `rounds` is the expected number of rounds, None where it is endless.
    `error` bounds what any probability here may be off beyond rounding; 0 says exact.
    """

    attackers: int
    defenders: int
    attackers_end: Counts
    defenders_end: Counts
    chances: Chances
    attacker_wins: float
    defender_wins: float
    draw: float
    unresolved: float
    never: float
    rounds: float | None
    error: float = 0.0

    @cached_property
    def attackers_left(self) -> float:
        """The expected number of attackers left."""
        return float(self.attackers_end @ self.chances)

    @cached_property
    def defenders_left(self) -> float:
        """The expected number of defenders left."""
        return float(self.defenders_end @ self.chances)

    def ladder(self) -> tuple[Counts, Chances]:
        """The ends as one line of rungs, from the defender's best to the attacker's best, with their chances.

        While a defender stands the rung is minus the defenders left, otherwise the attackers left. Where the
        rounds may run out with both sides standing, it is attackers minus defenders throughout.
        """
        if self.unresolved:
            rung = self.attackers_end - self.defenders_end
        else:
            rung = np.where(self.defenders_end > 0, -self.defenders_end, self.attackers_end)
        law = np.zeros(self.attackers + self.defenders + 1)
        np.add.at(law, rung + self.defenders, self.chances)
        return np.arange(-self.defenders, self.attackers + 1), law

    def middle(self, share: float = 0.8) -> tuple[int, int]:
        """The lowest and highest rung, of battles that end, when equal shares of bad and good luck are left out."""
        rungs, law = self.ladder()
        reached = np.cumsum(law) / law.sum()
        tail = (1 - share) / 2
        low, high = np.searchsorted(reached, [tail, 1 - tail])
        return int(rungs[low]), int(rungs[min(high, len(rungs) - 1)])

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        fates = (
            "attacker_wins",
            "defender_wins",
            "draw",
            "unresolved",
            "never",
            "attackers_left",
            "defenders_left",
        )
        rows = zip(self.attackers_end.tolist(), self.defenders_end.tolist(), self.chances.tolist(), strict=True)
        return {
            **{name: getattr(self, name) for name in fates},
            "rounds": self.rounds,
            "survivors": [list(row) for row in rows],
            "error": self.error,
        }


def solve(battle: Battle | DiceChain) -> Odds:
    """The exact odds of a battle."""
    chain = battle.chain() if isinstance(battle, Battle) else battle
    table = chain.table()
    if chain.rounds is None:
        law, rounds = forward(table, chain.start(), chain.floor)
        final = _final_cells(law, chain.floor)
        stuck = stalled(table, law, chain.floor)
        return _odds(chain, final, None if stuck else rounds, never=stuck)
    law, rounds = bounded(table, chain.start(), chain.rounds, chain.floor)
    acting, defenders = np.nonzero(law)
    return _odds(
        chain,
        (acting, defenders, law[acting, defenders]),
        rounds,
        unresolved=float(law[chain.floor + 1 :, 1:].sum()),
    )


def _final_cells(law: Grid, floor: int) -> tuple[Counts, Counts, Chances]:
    """The cells that can be an end and have a chance: few attackers with any defenders, then no defenders."""
    rows, columns = law.shape
    attackers = np.concatenate([np.repeat(np.arange(floor + 1), columns), np.arange(floor + 1, rows)])
    defenders = np.concatenate([np.tile(np.arange(columns), floor + 1), np.zeros(rows - floor - 1, np.intp)])
    chances = law[attackers, defenders]
    possible = np.flatnonzero(chances)
    return attackers[possible], defenders[possible], chances[possible]


def _odds(
    chain: DiceChain,
    ends: tuple[Counts, Counts, Chances],
    rounds: float | None,
    unresolved: float = 0.0,
    never: float = 0.0,
) -> Odds:
    acting, defenders, chances = ends
    fighting = (acting > chain.floor) & (defenders > 0)
    attackers = acting + chain.reserve
    standing = defenders > 0
    return Odds(
        attackers=chain.acting + chain.reserve,
        defenders=chain.defenders,
        attackers_end=attackers,
        defenders_end=defenders,
        chances=chances,
        attacker_wins=float(chances[~standing & (attackers > 0)].sum()),
        defender_wins=float(chances[standing & ~fighting].sum()),
        draw=float(chances[~standing & (attackers == 0)].sum()),
        unresolved=unresolved,
        never=never,
        rounds=rounds,
    )
