"""The exact odds of a bombing raid, step by step: the air battle, the flak, and the damage."""

from typing import NamedTuple

import numpy as np

from solver.axis.kernel.hits import Laws
from solver.chain import Chances
from solver.progress import takes
from solver.raid.air import air_law, kills_and_losses, losses_to_hits, split_losses
from solver.raid.laws import damage_laws, flak_laws
from solver.raid.odds import ROUNDING, Flight, RaidOdds
from solver.raid.raid import Raid


@takes(lambda raid: 0.001 + 2e-7 * raid.bombers**2 + 1e-4 * raid.bombers * raid.interceptors)
def solve_raid(raid: Raid) -> RaidOdds:
    """Return the exact odds of a raid.

    Args:
        raid: The raid.

    Example:
        >>> from solver.axis.units import Rules, Unit
        >>> rules = Rules("mini", (Unit("bomber", "air", 4, 1, 12),), ((),) * 4)
        >>> odds = solve_raid(Raid(rules, bombers=2, factory_points=8))
        >>> round(odds.expected.damage, 2), round(odds.expected.loss, 2)
        (5.45, 4.0)
    """
    count, cost, top = raid.bombers, raid.bomber.cost, raid.damages[1]
    flak, whole = flak_laws(count, raid.dice, raid.aa_already_fired), damage_laws(count, raid.die)
    left, damages = flak.left[: count + 1, : count + 1], whole[: count + 1]
    # A factory that has taken all it can takes no more.
    full = damages[:, raid.factory_points :].sum(axis=1)
    last = full if top == raid.factory_points else damages[:, top]
    capped = damages[:, : top + 1].copy()
    capped[:, top] = last
    reached = _Averages(left @ (capped @ np.arange(top + 1)), cost * flak.lost[: count + 1], left @ full)
    air = air_law(raid)
    hits = air.sum(axis=0)
    flights = _flights(raid, reached)
    laws = _laws_by_hits(raid, hits, left, capped)
    down_law = np.bincount([split_losses(count, raid.escorts, hit)[0] for hit in range(len(hits))], hits)
    law = sum(chance * (left[count - down] @ damages) for down, chance in enumerate(down_law.tolist()))
    expected = flights[-1]
    pays_from = _pays_from(law, expected.loss - expected.shot_down)
    worth = reached.damage - reached.loss
    return RaidOdds(raid, laws, flights, pays_from, air, worth)


class _Averages(NamedTuple):
    """The averages of 0, 1, 2, ... bombers that reach the target: damage, loss to the flak, chance of all damage."""

    damage: Chances
    loss: Chances
    bombed_out: Chances


def _flights(raid: Raid, reached: _Averages) -> tuple[Flight, ...]:
    """Return the averages of 1, 2, ... bombers with all escorts against all interceptors."""
    if not raid.interceptors:
        return tuple(map(Flight, range(1, raid.bombers + 1), *(each[1:].tolist() for each in reached)))
    bombers, escorts = np.arange(1, raid.bombers + 1), np.full(raid.bombers, raid.escorts)
    damage, loss, bombed_out = (np.zeros(raid.bombers) for _ in range(3))
    kills, laws = kills_and_losses(raid, bombers, escorts)
    for hit, chance in enumerate(laws.T):
        arrive, lost = losses_to_hits(raid, bombers, escorts, hit)
        damage += chance * reached.damage[arrive]
        loss += chance * (reached.loss[arrive] + lost)
        bombed_out += chance * reached.bombed_out[arrive]
    averages = bombers, damage, loss, bombed_out, raid.fighter_prices[1] * kills
    return tuple(map(Flight, *(each.tolist() for each in averages)))


def _laws_by_hits(raid: Raid, hits: Chances, left: Laws, damages: Laws) -> Laws:
    """Return the probability of each number of hits of the interceptors, bombers lost, and damage: see `RaidOdds`."""
    laws = np.zeros((len(hits), *damages.shape))
    for hit, chance in enumerate(hits.tolist()):
        down, _escorts = split_losses(raid.bombers, raid.escorts, hit)
        arrive = raid.bombers - down
        np.multiply(chance * left[arrive, arrive::-1, None], damages[arrive::-1], out=laws[hit, down:])
    return laws


def _pays_from(law: Chances, loss: float) -> int | None:
    """Return the least limit of the factory at which this law of damage makes up for the loss; None if none does."""
    # Of c points it takes as many as there are j < c with more than j damage.
    taken = law[:0:-1].cumsum()[::-1].cumsum()
    points = int(taken.searchsorted(loss - ROUNDING))
    return points + 1 if points < len(taken) else None
