"""The air battle before a raid: one round of bombers and escorts against interceptors.

Both sides fire at the same time, unless the edition lets the attacker fire first: then only the interceptors that are
left fire back.
"""

import numpy as np

from solver.axis.kernel.hits import Laws, hit_laws
from solver.axis.sides import FACES
from solver.chain import Chances, Counts, Grid
from solver.raid.raid import Raid


def split_losses(bombers: int, escorts: int, hits: int) -> tuple[int, int]:
    """Return the bombers and the escorts lost to so many hits: escorts are lost first.

    Args:
        bombers: The number of bombers.
        escorts: The number of escorts.
        hits: The hits of the interceptors; more hits than planes do nothing more.

    Example:
        >>> split_losses(bombers=3, escorts=2, hits=4)
        (2, 2)
    """
    return min(max(hits - escorts, 0), bombers), min(hits, escorts)


def losses_to_hits(raid: Raid, bombers: Counts, escorts: Counts, hits: int) -> tuple[Counts, Chances]:
    """Return what so many hits leave of some numbers of planes, and what they cost; escorts are lost first.

    Args:
        raid: The raid.
        bombers: The numbers of bombers.
        escorts: As many numbers of escorts.
        hits: The hits of the interceptors.

    Returns:
        The bombers that reach the target, and the planes lost in money: [numbers] each.
    """
    down, price = np.clip(hits - escorts, 0, bombers), raid.fighter_prices[0]
    return bombers - down, raid.bomber.cost * down + price * np.minimum(hits, escorts)


def _interceptor_laws(raid: Raid) -> Laws:
    """Return the laws of the hits of 0, 1, 2, ... interceptors, up to those of a raid: [interceptors, hits]."""
    if not raid.interceptors:
        return np.ones((1, 1))
    strength = 0 if raid.fighter is None else raid.fighter.air_defence or 0
    return hit_laws(_powers((np.arange(raid.interceptors + 1), strength)), raid.dice)


def _raider_laws(raid: Raid, bombers: Counts, escorts: Counts) -> Laws:
    """Return the laws of the hits of some numbers of bombers and as many numbers of escorts: [numbers, hits]."""
    strength = 0 if raid.fighter is None else raid.fighter.air_attack
    return hit_laws(_powers((bombers, raid.bomber.air_attack), (escorts, strength)), raid.dice)


def air_law(raid: Raid) -> Grid:
    """Return the law of the air battle of all planes of a raid: [interceptors lost, hits of the interceptors].

    Args:
        raid: The raid.
    """
    if not raid.interceptors:
        return np.ones((1, 1))
    hits = _raider_laws(raid, np.array([raid.bombers]), np.array([raid.escorts]))
    firing = _left_to_fire(raid, raid.interceptors)
    return np.asarray(_kills(hits, raid.interceptors)[0][:, None] * _interceptor_laws(raid)[firing])


def profits_by_planes(raid: Raid, worth: Chances) -> Grid:
    """Return the expected profit of every number of planes up to those of a raid, in money.

    Args:
        raid: The raid.
        worth: The expected profit of 0, 1, 2, ... bombers that reach the target.

    Returns:
        The profit: [bombers, escorts, interceptors]. Without a bomber there is no raid, and the profit is 0.
    """
    shape = raid.bombers + 1, raid.escorts + 1, raid.interceptors + 1
    bombers, escorts = (numbers.ravel() for numbers in np.indices(shape[:2]))
    interceptor = raid.fighter_prices[1]
    after = np.zeros((len(bombers), shape[2]))  # after the fire of 0, 1, 2, ... interceptors
    for hits, chances in enumerate(_interceptor_laws(raid).T):
        arrive, lost = losses_to_hits(raid, bombers, escorts, hits)
        after += (worth[arrive] - lost)[:, None] * chances
    profits, attack = np.zeros_like(after), _raider_laws(raid, bombers, escorts)
    for number in range(shape[2]):
        paid = after[:, _left_to_fire(raid, number)] + interceptor * np.arange(number + 1)
        profits[:, number] = (_kills(attack, number) * paid).sum(axis=1)
    profits[bombers == 0] = 0
    return profits.reshape(shape)


def kills_and_losses(raid: Raid, bombers: Counts, escorts: Counts) -> tuple[Chances, Laws]:
    """Return the expected interceptors shot down, and the law of their hits, for some numbers of planes.

    Args:
        raid: The raid, all of whose interceptors fight.
        bombers: The numbers of bombers.
        escorts: As many numbers of escorts.

    Returns:
        The expected number of interceptors shot down, [numbers], and the law of the hits of those that fire back:
        [numbers, hits].
    """
    if not raid.interceptors:
        return np.zeros(len(bombers)), np.ones((len(bombers), 1))
    kills = _kills(_raider_laws(raid, bombers, escorts), raid.interceptors)
    back = kills @ _interceptor_laws(raid)[_left_to_fire(raid, raid.interceptors)]
    return np.asarray(kills @ np.arange(raid.interceptors + 1)), np.asarray(back)


def _kills(hits: Laws, interceptors: int) -> Laws:
    """Return the laws of so many interceptors shot down, from those of the hits: [numbers, interceptors lost]."""
    law = np.zeros((len(hits), interceptors + 1))
    within = min(interceptors, hits.shape[1])
    law[:, :within] = hits[:, :within]
    law[:, interceptors] = hits[:, interceptors:].sum(axis=1)
    return law


def _left_to_fire(raid: Raid, interceptors: int) -> Counts:
    """Return how many of so many interceptors fire, if 0, 1, 2, ... of them are shot down."""
    lost = np.arange(interceptors + 1)
    return interceptors - lost if raid.rules.air_attack_first else np.full_like(lost, interceptors)


def _powers(*groups: tuple[Counts, int]) -> Counts:
    """Return how many planes of each strength roll: [numbers, strength]."""
    powers = np.zeros((len(groups[0][0]), FACES["standard"] + 1), np.int64)
    for planes, strength in groups:
        powers[:, strength] += planes
    return powers
