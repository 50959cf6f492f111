"""One throw in Axis & Allies: the law of the hits of each side if all its units fire once, at full strength."""

from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.rows import AxisRows
from solver.axis.sides import SIDES
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.documents import clamp_chances
from solver.errors import BattleError, TooLargeError

MOST_THROWN = 1_000
"""The most units of a side that throw."""


def throw_laws(battle: AxisBattle) -> tuple[Chances, Chances]:
    """Return the probability of each number of hits of the attacker, and of the defender.

    It is the fire of the first round as if nothing came before it: no guns, no air battle, and no first strike of
    submarines. Ships that bombard beside the attackers fire, too.

    Args:
        battle: The battle; a side may have no units.

    Raises:
        TooLargeError: A side has too many units.
    """
    for name, army in zip(SIDES, (battle.attacker, battle.defender), strict=True):
        if sum(count for _name, count in army.units) > MOST_THROWN:
            raise TooLargeError(name, "a throw can have up to {most} units", most=MOST_THROWN)
    start = AxisRows(battle).start(1)
    laws = start.attack.with_ships(battle.ships).laws("all")[0], start.defence.laws("all")[0]
    return laws[0], laws[1]


def has_more_fire(battle: AxisBattle) -> bool:
    """Return whether some units fire at another time than all others in the first round.

    Args:
        battle: The battle.
    """
    units = [segment.unit for role in ROLES for segment in battle.segments(role)]
    planes = any(unit.kind == "air" for unit in units)
    guns = battle.guns_can_fire and planes and any(unit.antiaircraft for unit in units)
    strikes = any(unit.surprise for unit in units)
    return guns or strikes or bool(battle.opening_ships or battle.air_battle or battle.kamikaze)


def find_throw(waves: Waves) -> tuple[Chances, Chances]:
    """Return the laws of the hits in the battle of one wave: see `throw_laws`.

    Args:
        waves: The battle.

    Raises:
        BattleError: There are several waves.
    """
    if not waves.only:
        raise BattleError("waves", "one throw needs one wave, not several")
    return throw_laws(waves.only)


def throw_to_dict(waves: Waves, laws: tuple[Chances, Chances]) -> dict[str, Any]:
    """Return the laws of a throw as a JSON document: the chances of 0, 1, 2, ... hits of each side.

    Args:
        waves: The battle, of which the laws say all.
        laws: The laws.
    """
    del waves
    return {side: clamp_chances(law) for side, law in zip(SIDES, laws, strict=True)}
