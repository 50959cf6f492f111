"""An estimate of the processor time, in seconds, of finding the best placements."""

from math import prod

from bot.games.axis.work import MOST, count_forces
from solver.placing.placing import Placing


def placement_seconds(placing: Placing, *_others: object) -> float:
    """Estimate the seconds to find the best placements."""
    shares = prod(count + 1 for _, count in placing.units)
    attacks = [territory.attack for territory in placing.territories]
    cells = sum(count_forces(attack.attacker, attack.theatre == "land", attack) for attack in attacks)
    return min(0.01 * len(attacks) + 2e-6 * shares * cells, 2 * MOST)
