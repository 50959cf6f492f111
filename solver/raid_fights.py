"""A bombing raid of Axis & Allies on the table: the throw of the flak, then that of the bombers that are left."""

from dataclasses import dataclass, replace

from solver.axis_fights import Group, dice_of, rolled
from solver.bombing import Raid
from solver.play import Die, Ending, Source

FACES = {
    "standard": (1, 2, 3, 4, 5, 6),
    "low_luck": (3, 4),
    "biased": (1, 2, 2, 3, 3, 3, 4, 4, 5, 6),
}
"""What a bomber's die shows on each of its faces: with low luck it has two, of biased dice ten."""


@dataclass(frozen=True, slots=True)
class Bombs:
    """One throw of a raid: of the flak, whose dice hit at or below what they `need`, or of the bombers.

    `lost` bombers fell since the throw before. Each of those left does its damage in `values`.
    """

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    needs: tuple[int, ...]
    lost: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RaidFight:
    """A raid as it stands: how many `bombers` are left, and once they have dropped their bombs the points of `damage`.

    Nobody wins a raid: it has ended with "rounds", with "lost" if no bomber is left, or with "retreat".
    """

    raid: Raid
    bombers: int
    flak_over: bool = False
    damage: int = 0
    ended: Ending | None = None

    @property
    def resting(self) -> bool:
        """See `Fight`: between flak and bombs nobody turns back."""
        return self.ended is not None or not self.flak_over

    @property
    def flak_dice(self) -> list[tuple[int, int | None]]:
        """The dice of the flak in the next throw: the sides of each, and at or below which face it hits."""
        flak = Group(6, ()) if self.ended else self._flak
        return [(flak.sides, need) for need in flak.needs]

    @property
    def damage_dice(self) -> list[tuple[int, int | None]]:
        """The same of the bombers: their dice do not hit, but do damage."""
        flak = self._flak
        count = 0 if self.ended or flak.needs else self.bombers - flak.sure
        return [(len(FACES[self.raid.dice]), None)] * count

    @property
    def _flak(self) -> Group:
        quiet = self.flak_over or self.raid.aa_already_fired
        return dice_of((0, 0 if quiet else self.bombers), self.raid.dice)

    def throw(self, source: Source) -> tuple[Bombs, "RaidFight"]:
        """See `Fight`."""
        flak = self._flak
        fallen, lost = rolled(flak, source)
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
        """See `Fight`: the raid is not flown."""
        return self if self.ended else replace(self, ended="retreat")
