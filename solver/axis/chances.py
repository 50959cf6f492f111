"""The attacker's chance to win a live battle of Axis & Allies at any stage, and the plan that they follow.

All stages of one battle are cells of one lattice, so one sweep back over it gives the chances at all of them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.ends import AxisEnds
from solver.axis.kernel.forces import Force
from solver.axis.kernel.ground import Choice
from solver.axis.limits import MOST_NUMBERS
from solver.axis.meter import Meter
from solver.axis.odds import AxisOdds, odds_of_ends
from solver.axis.plans import RetreatPlans, worth_of_start
from solver.axis.solve import DROPPED, fight_on, solve_chain
from solver.chain import Grid, Mask, backward

TOGETHER = 3
"""All stages of a battle together may take so many times the work of one."""
MOST_PLANNED = 200_000_000.0
"""About how much work a plan may take, in the unit of `Meter`: a second or so."""


class Standing(NamedTuple):
    """A battle at the beginning of a round.

    Attributes:
        attack: The attacker's force.
        defence: The defender's force.
        rounds: The number of rounds fought.
    """

    attack: Force
    defence: Force
    rounds: int


class Plan(NamedTuple):
    """The plan of an attacker who looks to the end of the battle.

    Attributes:
        stops: Whether they stop: [row, column].
        rows: The row of each of the attacker's forces.
        columns: The column of each of the defender's forces, by its rank on land.
        declined: Whether they decline the battle.
    """

    stops: Mask
    rows: Mapping[Force, int]
    columns: Mapping[Force | int, int]
    declined: bool

    def stops_at(self, attack: Force, defence: Force) -> bool:
        """Return whether the attacker stops where two forces meet.

        Args:
            attack: The attacker's force.
            defence: The defender's force.
        """
        column = self.columns[defence] if defence in self.columns else self.columns[sum(defence.active)]
        return bool(self.stops[self.rows[attack], column])


@lru_cache(maxsize=4)
def plan_of(battle: AxisBattle) -> Plan:
    """Return the plan that the rules of a battle lead to.

    Args:
        battle: The battle.

    Raises:
        TooLargeError: If the plan takes more work than `MOST_PLANNED`.
    """
    chain = _chain(battle, Meter(MOST_PLANNED))
    plans = RetreatPlans(chain)
    return Plan(plans.stops, chain.attack.place, _columns(chain), plans.declines()[0])


def chances_from(battle: AxisBattle, standings: Sequence[Standing], most: float = inf) -> list[float]:
    """Return the attacker's chance to win at several stages of a battle, as `AxisOdds.wins` counts it.

    Args:
        battle: The battle.
        standings: The stages.
        most: The most work that this may take, in the unit of `Meter`; `TOGETHER` times as much if each stage has to be
            solved by itself.

    Raises:
        TooLargeError: If it takes more work.
    """
    meter = Meter(most)
    if battle.round_limit is not None:
        meter = Meter(TOGETHER * most)
        return [odds_from(battle, standing, meter).wins for standing in standings]
    chain = _chain(battle, meter)
    worth = _win_chances(chain, _stops(chain))
    columns, begun = _columns(chain), -1.0
    found = []
    for standing in standings:
        column = columns[_defence_key(chain, standing.defence)]
        if standing.attack not in chain.attack.place:
            found.append(odds_from(battle, standing, meter).wins)
        elif standing.rounds:
            found.append(float(worth[0, chain.attack.place[standing.attack], column]))
        else:
            begun = float(worth_of_start(chain, chain.bombardment_kernel(), worth)[0]) if begun < 0 else begun
            found.append(begun)
    return found


def odds_from(battle: AxisBattle, standing: Standing, meter: Meter) -> AxisOdds:
    """Return the odds of a battle that has come to a stage.

    Args:
        battle: The battle.
        standing: The stage.
        meter: Counts the work.

    Raises:
        TooLargeError: If it takes more work than the meter allows.
    """
    chain = _chain(battle, meter)
    if not standing.rounds:
        return solve_chain(chain, DROPPED)
    limit, left = battle.round_limit, None
    if limit is not None:
        left = max(limit - standing.rounds, 0)
    force = standing.attack
    if force in chain.attack.place:
        stops = _stops(chain)
    else:
        # If no rule ends the battle early, its chain lacks the force that stays behind when others retreat.
        force = Force(force.active, (0,) * len(force.gone))
        chain = chain.with_roots("attack", [force])
        stops = np.zeros((len(chain.attack), len(chain.defence)), bool)
    chain.eps = DROPPED / (2 * chain.cells * ((left or 0) + 1))
    law = chain.kernel().empty()
    law[chain.attack.place[force], _columns(chain)[_defence_key(chain, standing.defence)]] = 1
    rounds = fight_on(chain, stops, law, left)
    law = law[: len(chain.attack)]
    rows, columns = np.nonzero(law)
    return odds_of_ends(battle, chain.attack, chain.defence, rows, columns, law[rows, columns], rounds)


def _chain(battle: AxisBattle, meter: Meter) -> AxisChain:
    """The chain of a battle, if it fits into memory."""
    chain = AxisChain(battle)
    chain.meter = meter
    if chain.numbers > MOST_NUMBERS:
        Meter(meter.most).add(inf)
    chain.trim = True
    return chain


def _stops(chain: AxisChain) -> Mask:
    """Whether the attacker stops in each cell."""
    return plan_of(chain.battle).stops if chain.battle.retreat.plans else RetreatPlans(chain).stops


def _defence_key(chain: AxisChain, force: Force) -> Force | int:
    """The key of a defender's force: its rank on land, where segments differ by chain; at sea the force itself."""
    return force if chain.battle.theatre == "sea" else sum(force.active)


def _columns(chain: AxisChain) -> dict[Force | int, int]:
    """The column of each of the defender's forces, by its key."""
    return {_defence_key(chain, force): column for column, force in enumerate(chain.defence.nodes)}


def _win_chances(chain: AxisChain, stops: Mask) -> Grid:
    """The chance to win from every cell of a battle without a limit of rounds: [0, row, column]."""
    kernel = chain.kernel()
    cells = np.ogrid[: len(chain.attack), : len(chain.defence)]
    wins = AxisEnds(chain.battle, chain.attack, chain.defence, *cells).wins
    worth = np.zeros((1, *kernel.empty().shape))
    worth[0, : wins.shape[0]] = wins

    if stops.any():
        kernel.choice = Choice(worth, wins[None].astype(float), stops, stops, stops.copy(), stays=chain.stays)
    return backward(kernel, worth)
