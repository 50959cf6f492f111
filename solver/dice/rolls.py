"""The dice before a fight: the frequencies of a side's rolls, and the losses of one round."""

from fractions import Fraction
from math import gcd

import numpy as np

from solver.chain import Cell, RoundLaw
from solver.dice.battle import Battle
from solver.dice.faces import Faces
from solver.dice.icons import roll_law
from solver.dice.kill_rates import icon_table
from solver.dice.pools import Pool, loss_laws, value_laws
from solver.errors import BattleError, check_count

MOST_ICON_CELLS = 400
MOST_ICON_UNITS = 20


def roll_weights(pool: Pool, units: int) -> dict[tuple[int, ...], int]:
    """Return how often some units roll each combination of values.

    Args:
        pool: The dice of their side.
        units: The number of units, 1 to the number of dice that are compared.

    Returns:
        The values, highest first, with whole-number weights that have no common divisor.

    Raises:
        BattleError: The units do not fit the dice.

    Example:
        >>> roll_weights(Pool((2, 2)), 2)
        {(1, 1): 1, (2, 1): 2, (2, 2): 1}
    """
    if not 1 <= units <= pool.units:
        raise BattleError("units", "1 to {most} units can roll, not {n}", most=pool.units, n=units)
    law = value_laws(pool)[units - 1]
    share = gcd(*law.values())
    return {values: weight // share for values, weight in sorted(law.items())}


def icon_weights(faces: Faces, units: int) -> dict[tuple[int, ...], int]:
    """Return how often some units show each number of icons.

    Args:
        faces: Their die.
        units: The number of units, 1 to 20.

    Returns:
        The (attack icons, defence icons) with whole-number weights that have no common divisor.

    Raises:
        BattleError: There are too many units.
    """
    check_count("units", units, 1, MOST_ICON_UNITS, "a roll table works for {least} to {most} units, not {value}")
    law = roll_law(faces, units)
    share = gcd(*law.flat)
    return {icons: int(weight) // share for icons, weight in np.ndenumerate(law) if weight}


def rank_laws(weights: dict[tuple[int, ...], int]) -> list[dict[int, Fraction]]:
    """Return the law of the highest value, of the second highest, and so on.

    Args:
        weights: The weights of combinations of values, highest first, as `roll_weights` returns them.
    """
    total = sum(weights.values())
    laws: list[dict[int, Fraction]] = [{} for _ in next(iter(weights))]
    for values, weight in weights.items():
        for law, value in zip(laws, values, strict=True):
            law[value] = law.get(value, Fraction(0)) + Fraction(weight, total)
    return [dict(sorted(law.items())) for law in laws]


def round_law(battle: Battle) -> RoundLaw:
    """Return the law of the first round of a battle, in which all units roll that can.

    Args:
        battle: The battle.

    Returns:
        The exact chance of each (attackers lost, defenders lost).

    Raises:
        BattleError: Nobody can roll, or a round has no law of its own, or has too many outcomes.

    Example:
        >>> round_law(Battle(1, 1))
        {(0, 1): Fraction(5, 12), (1, 0): Fraction(7, 12)}
    """
    acting = _check_round(battle)
    if battle.faces:
        if acting * battle.defenders > MOST_ICON_CELLS:
            raise BattleError(
                "attackers", "a round of so many icon dice has more than {most} rows", most=MOST_ICON_CELLS
            )
        faces = battle.faces[0].in_lowest_terms(), battle.faces[1].in_lowest_terms()
        return icon_table(*faces, battle.luck, exact=True).law(acting, battle.defenders)
    return next(iter(round_laws(battle).values()))


def round_laws(battle: Battle) -> dict[Cell, RoundLaw]:
    """Return the law of one round for every number of dice that the two sides of a battle can roll.

    Args:
        battle: A battle without icon dice. Armies beyond the dice of a side make no difference.

    Returns:
        The exact chance of each (attackers lost, defenders lost), by (attacker's dice, defender's dice), most first.

    Raises:
        BattleError: One side has nobody to roll, or a round has no law of its own (`late`, `reshape`).

    Example:
        >>> round_laws(Battle(3, 2))[3, 1]
        {(0, 1): Fraction(95, 144), (1, 0): Fraction(49, 144)}
    """
    acting = _check_round(battle)
    attack, defence = battle.pools
    laws = loss_laws(attack.for_units(acting), defence.for_units(battle.defenders), battle.ties, battle.totals)
    return {
        (ours, theirs): dict(sorted(laws[ours - 1][theirs - 1].items()))
        for ours in range(len(laws), 0, -1)
        for theirs in range(len(laws[0]), 0, -1)
    }


def _check_round(battle: Battle) -> int:
    """Return how many attackers may roll; raise BattleError if one round of the battle has no law."""
    if battle.late or battle.reshape:
        raise BattleError("late" if battle.late else "reshape", "with this rule a round has no odds of its own")
    acting = battle.attackers - battle.reserve
    if acting < 1 or battle.defenders < 1:
        raise BattleError("attackers" if acting < 1 else "defenders", "there are no dice to roll")
    return acting
