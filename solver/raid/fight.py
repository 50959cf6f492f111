"""Live bombing raids of Axis & Allies: the throw of the flak, then that of the bombers that are left."""

from dataclasses import dataclass, replace

from solver.axis.live.throws import Group, dice_group, roll_group
from solver.game import DiceToRoll, Die, Ending, SideName, Source, group_dice
from solver.raid.raid import Raid

FACES = {
    "standard": (1, 2, 3, 4, 5, 6),
    "low_luck": (3, 4),
    "biased": (1, 2, 2, 3, 3, 3, 4, 4, 5, 6),
}
"""What a bomber's die shows on each of its faces: with low luck it has two, of biased dice ten."""


@dataclass(frozen=True, slots=True)
class Bombs:
    """One throw of a raid: of the flak or of the bombers.

    Attributes:
        attack: The dice of the bombers.
        defence: The dice of the flak.
        needs: The highest face that hits, for each die of the flak.
        lost: The bombers shot down since the throw before.
        values: The damage of each bomber, in points.
    """

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    needs: tuple[int, ...]
    lost: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RaidFight:
    """A live raid. Nobody wins it: it ends with "rounds", with "lost" if no bomber is left, or with "retreat".

    Attributes:
        raid: The raid.
        bombers: The bombers left.
        flak_over: Whether the flak has fired.
        damage: The damage to the factory, in points.
        ended: See `Fight`.
    """

    raid: Raid
    bombers: int
    flak_over: bool = False
    damage: int = 0
    ended: Ending | None = None

    @classmethod
    def begin(cls, raid: Raid) -> "RaidFight":
        """Return a raid before its first throw.

        Args:
            raid: The raid.
        """
        return cls(raid, raid.bombers)

    @property
    def resting(self) -> bool:
        """See `Fight`: nobody retreats between flak and bombs."""
        return self.ended is not None or not self.flak_over

    @property
    def attacking_side(self) -> SideName:
        """See `Fight`."""
        return "attacker"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`: first the flak rolls alone, then the bombers, whose dice do damage rather than hit."""
        flak = Group(6, ()) if self.ended else self._flak
        bombers = 0 if self.ended or flak.needs else self.bombers - flak.sure
        sides = len(FACES[self.raid.dice])
        return group_dice([(sides, None)] * bombers), group_dice((flak.sides, need) for need in flak.needs)

    @property
    def _flak(self) -> Group:
        quiet = self.flak_over or self.raid.aa_already_fired
        return dice_group((0, 0 if quiet else self.bombers), self.raid.dice)

    def throw(self, source: Source) -> tuple[Bombs, "RaidFight"]:
        """See `Fight`."""
        flak = self._flak
        fallen, lost = roll_group(flak, source)
        left = replace(self, bombers=self.bombers - lost, flak_over=True)
        if not left.bombers:
            return Bombs((), fallen, flak.needs, lost, ()), replace(left, ended="lost")
        if flak.needs:
            return Bombs((), fallen, flak.needs, lost, ()), left
        faces = FACES[self.raid.dice]
        dice = tuple(Die(len(faces), (source(len(faces)),)) for _ in range(left.bombers))
        values = tuple(faces[die.face - 1] + (self.raid.bomber.raid or 0) for die in dice)
        damage = min(sum(values), self.raid.factory_points)
        return Bombs(dice, (), (), lost, values), replace(left, damage=damage, ended="rounds")

    def retreat(self) -> "RaidFight":
        """See `Fight`: the raid is called off."""
        return self if self.ended else replace(self, ended="retreat")
