"""A side of a battle of Axis & Allies, and when an attacker retreats, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

MOST_UNITS = 10_000
MOST_ROUNDS = 1_000
MOST_MONEY = 1_000_000
Means = Literal["take", "destroy"]

Units = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One side: how many units of each kind, and its order of loss, first lost first; empty means the usual one.

    `keep_land` land units, no guns, are lost last of all, after the planes. `aa_second_last`: a defender's guns are the
    last to be lost but one unit; both at once are refused.
    """

    units: Units
    loss_order: tuple[str, ...] = ()
    keep_land: int = 0
    aa_second_last: bool = False

    @classmethod
    def of(cls, units: Mapping[str, int], *loss_order: str, keep_land: int = 0, aa_second_last: bool = False) -> "Side":
        """The side with these units, in whatever order they are named."""
        return cls(tuple(units.items()), loss_order, keep_land, aa_second_last)

    def count(self, name: str) -> int:
        """How many units of a kind."""
        return dict(self.units).get(name, 0)


@dataclass(frozen=True, slots=True)
class Retreat:
    """When the attacker retreats: as soon as any of these is so; None is never.

    At most `units_at_most` units are left; the expected profit from here is below `profit_below`; the chance to win
    is below `win_chance_below` (`win_means`: to take the territory, which never happens at sea, or to destroy all
    defenders); the chance to clear the territory in the next round is above `clear_chance_above`; that to lose a plane
    in it above `air_loss_chance_above`.
    """

    units_at_most: int | None = None
    profit_below: float | None = None
    win_chance_below: float | None = None
    win_means: Means | None = None
    clear_chance_above: float | None = None
    air_loss_chance_above: float | None = None

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return any(getattr(self, name) is not None for name in RETREATS)

    @property
    def plans(self) -> bool:
        """Whether a rule plans to the end of the battle."""
        return self.profit_below is not None or self.win_chance_below is not None


RETREATS = ("units_at_most", "profit_below", "win_chance_below", "clear_chance_above", "air_loss_chance_above")

NEVER = Retreat()
"""No rule for retreating."""
SIDES = ("attacker", "defender")
