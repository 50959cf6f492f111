"""The army of a side of an Axis & Allies battle, the rules for the attacker's retreat, and those of old logs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

MOST_UNITS = 10_000
MOST_ROUNDS = 1_000
MOST_MONEY = 1_000_000
EVERYBODY = 10**9
"""More units than a side can have."""
MOST_BUDGET = 1_000
"""The most money to buy an army for."""
Luck = Literal["standard", "low_luck", "biased", "low_luck_aa", "low_luck_but_aa"]
"""The law of the dice: "low_luck_aa" is low luck for anti-aircraft guns alone, "low_luck_but_aa" for all others."""
Dice = Literal["standard", "low_luck", "biased", "d12", "low_luck_d12"]
FACES: dict[Dice, int] = {"standard": 6, "low_luck": 6, "biased": 6, "d12": 12, "low_luck_d12": 12}
"""The highest strength of each kind of dice. Units of which the better of two dice counts stand so many columns behind
others of their strength.
"""
LOW_LUCK: dict[Dice, int] = {dice: faces for dice, faces in FACES.items() if dice.startswith("low_luck")}
"""The kinds of dice with low luck, and the sum of strengths that is a hit."""
Means = Literal["take", "destroy"]
Aim = Literal["takes", "profit"]
"""The aim of a choice of casualties: see `AxisBattle.aim`."""
Chooses = tuple[bool, bool]
"""Whether the attacker and whether the defender chooses casualties."""
CHOOSERS: dict[str, Chooses] = {"attacker": (True, False), "defender": (False, True), "both": (True, True)}
"""The values of the field `chooses` of a JSON document."""

Units = tuple[tuple[str, int], ...]


def dice_of(luck: Luck, faces: int, guns: bool = False) -> Dice:
    """Return the kind of dice of anti-aircraft guns or of all others.

    Args:
        luck: How the dice of the battle fall.
        faces: The faces of a die: 6, or 12 unless dice are biased.
        guns: Whether the dice are those of guns.

    Example:
        >>> dice_of("low_luck_aa", 6), dice_of("low_luck_aa", 6, guns=True)
        ('standard', 'low_luck')
    """
    if luck == "biased":
        return "biased"
    if luck in ("low_luck", "low_luck_aa" if guns else "low_luck_but_aa"):
        return "low_luck" if faces == 6 else "low_luck_d12"
    return "standard" if faces == 6 else "d12"


@dataclass(frozen=True, slots=True)
class Army:
    """The units of one side and the order in which it loses them.

    Attributes:
        units: The number of units of each kind.
        loss_order: The kinds of units, first lost first; empty for the usual order.
        keep_land: How many land units, guns excepted, are lost last of all, even after the planes.
        aa_second_last: Whether the defender's guns are lost last but one unit. It excludes `keep_land`.

    Example:
        >>> Army.of({"infantry": 3, "tank": 2}).count("tank")
        2
    """

    units: Units
    loss_order: tuple[str, ...] = ()
    keep_land: int = 0
    aa_second_last: bool = False

    @classmethod
    def of(cls, units: Mapping[str, int], *loss_order: str, keep_land: int = 0, aa_second_last: bool = False) -> "Army":
        """Return the army with these units.

        Args:
            units: The number of units of each kind, in any order.
            loss_order: The kinds of units, first lost first; none for the usual order.
            keep_land: How many land units are lost last of all.
            aa_second_last: Whether the defender's guns are lost last but one unit.
        """
        return cls(tuple(units.items()), loss_order, keep_land, aa_second_last)

    def count(self, name: str) -> int:
        """Return the number of units of a kind.

        Args:
            name: The name of the kind.
        """
        return dict(self.units).get(name, 0)


@dataclass(frozen=True, slots=True)
class Retreat:
    """When the attacker retreats: as soon as one of these rules applies. None switches a rule off.

    Attributes:
        units_at_most: At most so many attacking units are left.
        profit_below: The expected profit from here on, in money, is less than this.
        win_chance_below: The chance to win is less than this.
        win_means: A win in that rule: "take" the territory, which never happens at sea, or "destroy" all defenders.
        clear_chance_above: The chance to clear the territory in the next round is greater than this.
        air_loss_chance_above: The chance to lose a plane in the next round is greater than this.
        transports_alone: Whether nobody is left who can hit, but transports.
    """

    units_at_most: int | None = None
    profit_below: float | None = None
    win_chance_below: float | None = None
    win_means: Means | None = None
    clear_chance_above: float | None = None
    air_loss_chance_above: float | None = None
    transports_alone: bool = False

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return self.transports_alone or any(getattr(self, name) is not None for name in RETREATS)

    @property
    def plans(self) -> bool:
        """Whether a rule plans to the end of the battle."""
        return self.profit_below is not None or self.win_chance_below is not None


@dataclass(frozen=True, slots=True)
class DefenderRetreat:
    """When the defender leaves after a round, by a house rule: as soon as one of these applies, if attackers fight on.

    Attributes:
        rounds: So many rounds are over; None switches the rule off.
        units_at_most: At most so many defending units are left; None switches the rule off.
    """

    rounds: int | None = None
    units_at_most: int | None = None

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return self != STAYS


RETREATS = ("units_at_most", "profit_below", "win_chance_below", "clear_chance_above", "air_loss_chance_above")

NEVER = Retreat()
"""No rule for retreating."""
STAYS = DefenderRetreat()
"""The defender never leaves, as in the rules of all editions."""
SIDES = ("attacker", "defender")


class Ruling(IntEnum):
    """The rules that battles of old logs follow: each of these changed something, and holds from its number on."""

    FIRST = 1
    """The rules before November 2026, which differ slightly."""
    HELPLESS_FALL = 2
    """Helpless defenders fall without a fight, also to ships alone. A territory stays with its holder until enemies
    stand there, and attackers win at sea once all planes on the other side crash."""
    CHOSEN_LOSSES = 3
    """Players of live battles choose their losses."""
    WHOLE_EDITIONS = 4
    """Editions have all that happens before and after a battle."""
    FLEETS_STAY = 5
    """Fleets stay at sea, bombers need no carrier, guns can fire at kinds of planes apart, and other corrections."""
    CHOSEN_IN_WAVES = 6
    """Players choose their losses in live battles of several waves, too."""
    CHOSEN_TO_THE_END = 7
    """The last losses of a live battle are chosen also where the order of loss only costs more."""
    TURNS_BY_THROWS = 8
    """Turns on a map changed; these battles did not."""
    SUBMERGED_LATE = 9
    """Submarines of Revised submerge after a round. Guns that fire at each kind of plane have a shot at every plane."""


LATEST_RULING = int(max(Ruling))
