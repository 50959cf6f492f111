"""The law of an attack: how many attackers are left, for every number that may attack."""

from dataclasses import replace

import numpy as np

from solver.chain import Grid, backward
from solver.dice.battle import Battle
from solver.dice.compared import LossTable

Law = Grid
"""`law[n, k]` is the chance that n attackers take the territory with k of them left; `law[n, 0]` is 0."""


def attack_laws(rules: Battle, most: int, garrisons: set[int]) -> dict[int, Law]:
    """Return the law of an attack on each garrison.

    Args:
        rules: The rules of the battle.
        most: The most attackers.
        garrisons: The numbers of defenders.

    Returns:
        For each garrison an array of shape (most + 1, most + 1), indexed by the attackers before and after.

    Example:
        >>> attack_laws(Battle(0, 0), 2, {1})[1].round(3).tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.417, 0.0], [0.0, 0.176, 0.579]]
    """
    unopposed = np.eye(most + 1)
    unopposed[0, 0] = 0.0
    highest = max(garrisons)
    if highest == 0 or most == 0:
        return dict.fromkeys(garrisons, unopposed)
    chain = replace(rules, attackers=most, defenders=highest).chain()
    kernel = chain.kernel()
    if isinstance(kernel, LossTable):
        return _laws_of_losses(kernel, most, garrisons, unopposed)
    laws = {garrison: np.zeros((most + 1, most + 1)) for garrison in garrisons}
    for left in range(1, most + 1):
        worth = np.zeros((most + 1, highest + 1))
        worth[left, 0] = 1.0
        backward(kernel, worth)
        for garrison, law in laws.items():
            law[:, left] = worth[:, garrison]
    return laws


def laws_work(rules: Battle, most: int, highest: int) -> int:
    """Return about how many multiplications `attack_laws` takes.

    Args:
        rules: The rules of the battle.
        most: The most attackers.
        highest: The largest garrison.
    """
    chain = replace(rules, attackers=most, defenders=highest).chain()
    if chain.level_by_level:
        return chain.table_work + most * highest * (5_000 + 2 * most)
    return chain.table_work + most * chain.grid_work * (6 if rules.faces else 1)


def _laws_of_losses(table: LossTable, most: int, garrisons: set[int], unopposed: Law) -> dict[int, Law]:
    """Return the laws of dice that are compared, a row of survivors at a time; few laws are in memory at once."""
    laws = {0: unopposed}
    for defenders in range(1, max(garrisons) + 1):
        law = laws[defenders] = np.zeros((most + 1, most + 1))
        for attackers in range(1, most + 1):
            moves = table.moves_at(attackers, defenders)
            for lost, beaten, chance in moves.outcomes:
                law[attackers] += chance / moves.leave * laws[defenders - beaten][attackers - lost]
        if (old := defenders - table.most_lost[1]) >= 0 and old not in garrisons:
            del laws[old]
    return {garrison: laws[garrison] for garrison in garrisons}
