"""The exact chance to win a battle of Axis & Allies from wherever it stands, and the plan that its attacker follows.

All stages of one battle are cells of the same lattice, so one sweep back over it tells the chances of all of them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np

from solver.axis import AxisBattle
from solver.axis_answers import MOST_NUMBERS
from solver.axis_chain import AxisChain
from solver.axis_odds import DROPPED, AxisOdds, ending_in, fought_on, solve_chain
from solver.chain import Grid, Mask, backward
from solver.forces import Force, Nodes
from solver.plans import Ends, Plans, of_beginning
from solver.product import Meter

TOGETHER = 3
"""So many times the work that may go into one stage of a battle may go into all its stages together."""
MOST_PLANNED = 200_000_000.0
"""About how much work may be done to find a plan, in the unit of `Meter`: a second or so."""


class Standing(NamedTuple):
    """Where a battle stands at the beginning of a round: both forces, and how many rounds are over."""

    attack: Force
    defence: Force
    rounds: int


class Plan(NamedTuple):
    """Where an attacker who plans to the end stops, by the places of both forces; and whether he attacks at all."""

    stops: Mask
    rows: Mapping[Force, int]
    columns: Mapping[Force | int, int]
    declined: bool

    def stops_at(self, attack: Force, defence: Force) -> bool:
        """Whether he stops where these forces meet."""
        column = self.columns[defence] if defence in self.columns else self.columns[sum(defence.active)]
        return bool(self.stops[self.rows[attack], column])


@lru_cache(maxsize=4)
def plan_of(battle: AxisBattle) -> Plan:
    """The plan of a battle's rules; TooLargeError where it is too large for that."""
    chain = _chain(battle, Meter(MOST_PLANNED))
    plans = Plans(chain)
    return Plan(plans.stops, chain.attack.place, _columns(chain), plans.declined()[0])


def chances_from(battle: AxisBattle, standings: Sequence[Standing], most: float = inf) -> list[float]:
    """The chance to win a battle from each of these on, as `AxisOdds.wins` counts it.

    TooLargeError for more work than `most`; where each has to be solved by itself, than `TOGETHER` times that.
    """
    meter = Meter(most)
    if battle.round_limit is not None:
        meter = Meter(TOGETHER * most)
        return [ends_from(battle, standing, meter).wins for standing in standings]
    chain = _chain(battle, meter)
    worth = _worth(chain, _stops(chain))
    columns, begun = _columns(chain), -1.0
    found = []
    for standing in standings:
        column = columns[_seen(chain, standing.defence)]
        if standing.attack not in chain.attack.place:
            found.append(ends_from(battle, standing, meter).wins)
        elif standing.rounds:
            found.append(float(worth[0, chain.attack.place[standing.attack], column]))
        else:
            begun = float(of_beginning(chain, chain.bombardment(), worth)[0]) if begun < 0 else begun
            found.append(begun)
    return found


def ends_from(battle: AxisBattle, standing: Standing, meter: Meter) -> AxisOdds:
    """How a battle ends that has come so far; TooLargeError where that is more work than the meter allows."""
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
        # Where no rule ends a battle early, it has no place for those who stay behind when people retreat.
        force = Force(force.active, (0,) * len(force.gone))
        chain = chain.among("attack", [force])
        stops = np.zeros((len(chain.attack), len(chain.defence)), bool)
    chain.eps = DROPPED / (2 * chain.cells * ((left or 0) + 1))
    law = chain.kernel().empty()
    law[chain.attack.place[force], _columns(chain)[_seen(chain, standing.defence)]] = 1
    rounds = fought_on(chain, stops, law, left)
    law = law[: len(chain.attack)]
    rows, columns = np.nonzero(law)
    return ending_in(battle, chain.attack, chain.defence, rows, columns, law[rows, columns], rounds)


def _chain(battle: AxisBattle, meter: Meter) -> AxisChain:
    chain = AxisChain(battle)
    chain.meter = meter
    if chain.numbers > MOST_NUMBERS:
        Meter(meter.most).add(inf)
    chain.trim = True
    return chain


def _stops(chain: AxisChain) -> Mask:
    return plan_of(chain.battle).stops if chain.battle.retreat.plans else Plans(chain).stops


def _seen(chain: AxisChain, force: Force) -> Force | int:
    """What tells the defender's forces apart: on land that is their rank, in whatever segments a chain has them."""
    return force if chain.battle.theatre == "sea" else sum(force.active)


def _columns(chain: AxisChain) -> dict[Force | int, int]:
    """The columns of the defender's forces, by what tells them apart."""
    return {_seen(chain, force): column for column, force in enumerate(chain.defence.nodes)}


def _worth(chain: AxisChain, stops: Mask) -> Grid:
    """The chance to win from every cell of a battle without a limit of rounds: [0, row, column]."""
    kernel = chain.kernel()
    cells = np.ogrid[: len(chain.attack), : len(chain.defence)]
    wins = Ends(chain.battle, chain.attack, chain.defence, *cells).wins
    worth = np.zeros((1, *kernel.empty().shape))
    worth[0, : wins.shape[0]] = wins

    def choose(rows: Nodes, columns: Nodes, going: Grid) -> Grid:
        stays = chain.stays[rows]
        paid = np.where(stays == rows, wins[rows, columns], worth[:, stays, columns])
        return np.where(stops[rows, columns][None], paid, going)

    if stops.any():
        kernel.choose = choose
    return backward(kernel, worth)
