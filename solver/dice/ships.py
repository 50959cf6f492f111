"""The spaceships of Star Wars Risk and their effects on the dice of their side."""

from dataclasses import dataclass
from typing import Self

from solver.dice.pools import Pool
from solver.errors import CountLimit, check_limits

MOST_SHIPS = 1_000_000
LIMITS = (
    CountLimit("fighters", 0, MOST_SHIPS, "the number of fighters must be {least} to {most}, not {value}"),
    CountLimit("bombers", 0, MOST_SHIPS, "the number of bombers must be {least} to {most}, not {value}"),
    CountLimit("capitals", 0, MOST_SHIPS, "the number of capital ships must be {least} to {most}, not {value}"),
)
SHIPS = tuple(limit.field for limit in LIMITS)


@dataclass(frozen=True, slots=True)
class Ships:
    """The spaceships of one side in Star Wars Risk: Original Trilogy Edition (2006).

    Ships do not fight and stay for the whole battle.

    Attributes:
        fighters: Each re-rolls one 1 until it is no longer a 1.
        bombers: Each adds 1 to one die, the first to the highest die.
        capitals: Each makes one die eight-sided.

    Raises:
        BattleError: A number is not a whole number from 0 to a million.

    Example:
        >>> Ships(fighters=1, capitals=1).arm(Pool((6, 6, 6))) == Pool((8, 6, 6), rerolls=1)
        True
    """

    fighters: int = 0
    bombers: int = 0
    capitals: int = 0

    def __post_init__(self) -> None:
        """Check that the fields are counts."""
        check_limits(self, LIMITS)

    def __bool__(self) -> bool:
        """Return whether there are any ships."""
        return bool(self.fighters or self.bombers or self.capitals)

    def without_idle(self, dice: int, pairs: int) -> Self:
        """Return the ships that can make a difference.

        Args:
            dice: The number of dice that their side rolls.
            pairs: The number of pairs of dice that are compared.
        """
        if not self:
            return self
        return type(self)(min(self.fighters, dice), min(self.bombers, pairs), min(self.capitals, dice))

    def arm(self, pool: Pool) -> Pool:
        """Return the dice with the effects of these ships.

        Args:
            pool: Six-sided dice without re-rolls or bonuses.
        """
        dice = ((8,) * self.capitals + pool.dice[self.capitals :])[: len(pool.dice)]
        return Pool(dice, min(self.fighters, len(dice)), (1,) * min(self.bombers, len(dice)))

    def to_dict(self) -> dict[str, int]:
        """Return the ships as part of a JSON document."""
        return {"fighters": self.fighters, "bombers": self.bombers, "capitals": self.capitals}
