"""What dice show before anything is fought: how often a side rolls what, and what one round costs both."""

from fractions import Fraction
from math import gcd

import numpy as np

from solver.battle import Battle
from solver.chain import Cell, RoundLaw
from solver.dice import Pool, loss_laws, value_laws
from solver.errors import BattleError, check_count
from solver.icons import Faces, IconTable, roll_law

MOST_ICON_CELLS = 400
MOST_ICON_UNITS = 20


def roll_weights(pool: Pool, units: int) -> dict[tuple[int, ...], int]:
    """How often so many units roll which values, highest first: whole numbers without a common divisor."""
    if not 1 <= units <= len(pool.dice):
        raise BattleError("units", "1 to {most} units can roll, not {n}", most=len(pool.dice), n=units)
    law = value_laws(pool)[units - 1]
    share = gcd(*law.values())
    return {values: weight // share for values, weight in sorted(law.items())}


def icon_weights(faces: Faces, units: int) -> dict[tuple[int, ...], int]:
    """How often so many units show how many (attack icons, defence icons): as `roll_weights`."""
    check_count(
        "units",
        units,
        1,
        MOST_ICON_UNITS,
        "a roll table works for {least} to {most} units, not {value}",
    )
    law = roll_law(faces, units)
    share = gcd(*law.flat)
    return {icons: int(weight) // share for icons, weight in np.ndenumerate(law) if weight}


def rank_laws(weights: dict[tuple[int, ...], int]) -> list[dict[int, Fraction]]:
    """The law of the highest value, of the second highest, and so on."""
    total = sum(weights.values())
    laws: list[dict[int, Fraction]] = [{} for _ in next(iter(weights))]
    for values, weight in weights.items():
        for law, value in zip(laws, values, strict=True):
            law[value] = law.get(value, Fraction(0)) + Fraction(weight, total)
    return [dict(sorted(law.items())) for law in laws]


def round_law(battle: Battle) -> RoundLaw:
    """The law of (attackers lost, defenders lost) in the first round of a battle, all who can roll rolling."""
    acting = _check_round(battle)
    if battle.faces:
        if acting * battle.defenders > MOST_ICON_CELLS:
            raise BattleError(
                "attackers", "a round of so many icon dice has more than {most} rows", most=MOST_ICON_CELLS
            )
        faces = battle.faces[0].reduced(), battle.faces[1].reduced()
        return IconTable(*faces, exact=True).law(acting, battle.defenders)
    return next(iter(round_laws(battle).values()))


def round_laws(battle: Battle) -> dict[Cell, RoundLaw]:
    """Return the law of one round for every number of dice that the two sides of a battle can roll.

    Args:
        battle: who rolls; armies beyond the dice of a side change nothing. Not one of icon dice.

    Returns:
        The exact chance of each (attackers lost, defenders lost), by (attacker's dice, defender's dice), most first.

    Raises:
        BattleError: where one side has nobody to roll, or a round has no law of its own (`late`, `reshape`).

    Example:
        >>> round_laws(Battle(3, 2))[3, 1]
        {(0, 1): Fraction(95, 144), (1, 0): Fraction(49, 144)}
    """
    acting = _check_round(battle)
    attack, defence = battle.pools
    laws = loss_laws(attack.first(acting), defence.first(battle.defenders), battle.ties)
    return {
        (ours, theirs): dict(sorted(laws[ours - 1][theirs - 1].items()))
        for ours in range(len(laws), 0, -1)
        for theirs in range(len(laws[0]), 0, -1)
    }


def _check_round(battle: Battle) -> int:
    """Return how many attackers may roll; BattleError where one round of the battle has no law."""
    if battle.late or battle.reshape:
        raise BattleError("late" if battle.late else "reshape", "with this rule a round has no odds of its own")
    acting = battle.attackers - battle.reserve
    if acting < 1 or battle.defenders < 1:
        raise BattleError("attackers" if acting < 1 else "defenders", "there are no dice to roll")
    return acting
