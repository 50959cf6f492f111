"""Live battles of Axis & Allies after a throw with so many hits, and choices of losses."""

from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.live.choices import axis_chances
from solver.axis.live.fight import AxisFight
from solver.game import SideName
from tests.helpers.solver.axis_battles import battle, units
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin

Case = tuple[AxisBattle, tuple[int, int], dict[str, Any]]
"""A battle, how many dice of each side hit in its first throw, and a choice after it."""


def started(fought: AxisBattle) -> AxisFight:
    fight = begin(fought)
    assert isinstance(fight, AxisFight)
    return fight


def thrown(fight: AxisFight, *fell: int) -> AxisFight:
    return fight.throw(script(*fell))[1]


def hit(fight: AxisFight, ours: int, theirs: int) -> AxisFight:
    """After a throw in which the first dice of each side hit, and the others do not."""
    fell: list[int] = []
    for side, hits in zip(fight.next_dice(), (ours, theirs), strict=True):
        fell += [1] * hits + [6] * (sum(alike.number for alike in side) - hits)
    return thrown(fight, *fell)


def after_first(case: Case) -> AxisFight:
    return hit(started(case[0]), *case[1])


def chance(fight: AxisFight) -> float:
    (found,) = axis_chances([fight])
    assert found is not None
    return found


def loses(side: SideName, damage: dict[str, int] | None = None, **lose: int) -> dict[str, Any]:
    return {"side": side, "lose": lose, **({"damage": damage} if damage else {})}


FOUGHT: dict[str, Case] = {
    "land": (battle("land", "2 infantry, 2 tank, 1 fighter", "3 infantry, 1 tank"), (1, 2), loses("attacker", tank=2)),
    "defender": (
        battle("land", "3 infantry, 2 tank", "2 infantry, 1 tank, 2 fighter"),
        (3, 0),
        loses("defender", tank=1, fighter=2),
    ),
    "guns": (
        battle("land", "2 infantry, 1 fighter, 1 bomber", "2 infantry, 1 aa_gun"),
        (0, 1),
        loses("attacker", bomber=1),
    ),
    "kept": (
        battle("land", units("3 infantry, 2 tank, 1 fighter", keep_land=1), units("4 infantry, 2 tank", keep_land=2)),
        (3, 2),
        loses("defender", tank=2, infantry=1),
    ),
    "guns last but one": (
        battle("land", "3 tank", units("2 infantry, 1 aa_gun, 1 tank", aa_second_last=True)),
        (2, 0),
        loses("defender", infantry=1, aa_gun=1),
    ),
    "sea": (
        battle("sea", "2 submarine, 1 destroyer, 1 cruiser", "1 submarine, 1 destroyer, 1 cruiser, 1 transport"),
        (1, 2),
        loses("attacker", cruiser=1, destroyer=1),
    ),
    "strike": (
        battle("sea", "2 submarine, 1 cruiser", "2 cruiser, 1 battleship"),
        (1, 0),
        loses("defender", cruiser=1),
    ),
    "damaged": (
        battle("sea", "2 battleship, 2 fighter", "2 battleship, 1 cruiser"),
        (1, 2),
        loses("attacker", {"battleship": 1}, battleship=1),
    ),
    "carrier": (
        battle("sea", "3 cruiser, 1 fighter", "1 carrier, 2 fighter, 1 cruiser", crash_stranded_fighters=True),
        (1, 0),
        loses("defender", fighter=1),
    ),
}
