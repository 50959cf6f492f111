"""The spaceships of Star Wars Risk, and what they do to the dice of their side."""

from dataclasses import dataclass
from typing import Self

from solver.dice import Pool
from solver.errors import check_count

MOST_SHIPS = 1_000_000
SHIPS = ("fighters", "bombers", "capitals")


@dataclass(frozen=True, slots=True)
class Ships:
    """The spaceships of one side in Star Wars Risk (Original Trilogy Edition, 2006).

    They do not fight and stay for the whole battle. A fighter re-rolls a 1 until it is none, a bomber adds 1
    to a die (the first to the highest), a capital ship makes a die eight-sided. More of a kind than dice are
    idle.
    """

    fighters: int = 0
    bombers: int = 0
    capitals: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that are not counts."""
        check_count(
            "fighters", self.fighters, 0, MOST_SHIPS, "the number of fighters must be {least} to {most}, not {value}"
        )
        check_count(
            "bombers", self.bombers, 0, MOST_SHIPS, "the number of bombers must be {least} to {most}, not {value}"
        )
        check_count(
            "capitals",
            self.capitals,
            0,
            MOST_SHIPS,
            "the number of capital ships must be {least} to {most}, not {value}",
        )

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.fighters or self.bombers or self.capitals)

    def useful(self, dice: int, pairs: int) -> Self:
        """The ships that can make a difference where so many dice are rolled and so many pairs compared."""
        return type(self)(min(self.fighters, dice), min(self.bombers, pairs), min(self.capitals, dice))

    def arm(self, pool: Pool) -> Pool:
        """The pool of six-sided dice as these ships change it."""
        dice = ((8,) * self.capitals + pool.dice[self.capitals :])[: len(pool.dice)]
        return Pool(dice, min(self.fighters, len(dice)), (1,) * min(self.bombers, len(dice)))

    def to_dict(self) -> dict[str, int]:
        """The ships as documents write them."""
        return {"fighters": self.fighters, "bombers": self.bombers, "capitals": self.capitals}
