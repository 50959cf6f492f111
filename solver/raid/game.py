"""The entry of bombing raids in the registry of games: live raids, and the question about raids in documents.

A live raid is the air battle, if there is one, then the flak, then the bombs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from solver.axis.live.throws import Group, dice_group, roll_group
from solver.axis.own_units import take_rules
from solver.axis.sides import FACES
from solver.axis.units import Rules
from solver.game import DiceToRoll, Die, Ending, Fight, Game, Question, QuestionKind, Source, group_dice
from solver.raid.air import split_losses
from solver.raid.raid import BOMBS, Raid
from solver.raid.solve import solve_raid


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
class AirThrow:
    """One throw of the air battle before a raid. The first of each pair is the attacker's.

    Attributes:
        attack: The dice of bombers and escorts.
        defence: The dice of the interceptors.
        needs: The highest face that hits, for each die of each side.
        bombers: The bombers shot down since the throw before.
        escorts: The escorts shot down since then.
        interceptors: The interceptors shot down since then.
    """

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    needs: tuple[tuple[int, ...], tuple[int, ...]]
    bombers: int
    escorts: int
    interceptors: int


@dataclass(frozen=True, slots=True)
class RaidFight(Fight):
    """A live raid. Nobody wins it: it ends with "rounds", with "lost" if no bomber is left, or with "retreat".

    Attributes:
        raid: The raid.
        bombers: The bombers left.
        escorts: The escorts left.
        interceptors: The interceptors left.
        air_steps: How many steps of the air battle are still to come: both sides fire at once in one, or the
            attacker's planes and then the interceptors in two.
        flak_over: Whether the flak has fired.
        damage: The damage to the target.
        ended: See `Fight`.
    """

    raid: Raid
    bombers: int
    escorts: int = 0
    interceptors: int = 0
    air_steps: int = 0
    flak_over: bool = False
    damage: int = 0
    ended: Ending | None = None

    @classmethod
    def begin(cls, raid: Raid) -> "RaidFight":
        """Return a raid before its first throw: see `Game`."""
        return cls._before(raid)._without_diceless_steps()

    @classmethod
    def _before(cls, raid: Raid) -> "RaidFight":
        """Return a raid before the first step of its air battle."""
        steps = 0 if not raid.interceptors else 2 if raid.rules.air_attack_first else 1
        return cls(raid, raid.bombers, raid.escorts, raid.interceptors, steps)

    @property
    def resting(self) -> bool:
        """See `Fight`: once a plane is lost or a die has fallen, nobody retreats before the bombs."""
        return self.ended is not None or self == RaidFight._before(self.raid)

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`: the air battle, then the flak alone, then the bombers, whose dice do damage rather than hit."""
        if self.air_steps and not self.ended:
            attack, defence = (group_dice((group.sides, need) for need in group.needs) for group in self._air_groups)
            return attack, defence
        flak = Group(6, ()) if self.ended else self._flak
        bombers = 0 if self.ended or flak.needs else self.bombers - flak.sure
        sides = len(BOMBS[self.raid.dice])
        return group_dice([(sides, None)] * bombers), group_dice((flak.sides, need) for need in flak.needs)

    @property
    def _air_groups(self) -> tuple[Group, Group]:
        """The dice of the next step of the air battle, the attacker's and the interceptors'."""
        fighter, dice = self.raid.fighter, self.raid.dice
        assert fighter is not None, "without fighters there is no air battle"
        powers, back = [0] * (FACES[dice] + 1), [0] * (FACES[dice] + 1)
        if self.air_steps == 2 or not self.raid.rules.air_attack_first:
            powers[self.raid.bomber.air_attack] += self.bombers
            powers[fighter.air_attack] += self.escorts
        if self.air_steps == 1:
            back[fighter.air_defence or 0] += self.interceptors
        return dice_group(powers, dice), dice_group(back, dice)

    def _after_hits(self, hits: int, back: int) -> "RaidFight":
        """Return the raid after a step of the air battle in which both sides hit so often."""
        down, escorts = split_losses(self.bombers, self.escorts, back)
        bombers, interceptors = self.bombers - down, max(self.interceptors - hits, 0)
        steps = self.air_steps - 1 if interceptors else 0
        ended: Ending | None = None if bombers else "lost"
        planes = bombers, self.escorts - escorts, interceptors
        return RaidFight(self.raid, *planes, steps, self.flak_over, self.damage, ended)._without_diceless_steps()

    def _without_diceless_steps(self) -> "RaidFight":
        """Return the raid after the next steps of the air battle that need no dice."""
        if not self.air_steps or self.ended:
            return self
        attack, defence = self._air_groups
        return self if attack.needs or defence.needs else self._after_hits(attack.sure, defence.sure)

    @property
    def _flak(self) -> Group:
        quiet = self.flak_over or self.raid.aa_already_fired
        return dice_group((0, 0 if quiet else self.bombers), self.raid.dice)

    def throw(self, source: Source) -> tuple[Bombs | AirThrow, "RaidFight"]:
        """See `Fight`."""
        return self._throw_in_the_air(source) if self.air_steps else self._throw_bombs(source)

    def _throw_in_the_air(self, source: Source) -> tuple[AirThrow, "RaidFight"]:
        """Roll the next step of the air battle."""
        groups = self._air_groups
        (attack, hits), (defence, back) = (roll_group(group, source) for group in groups)
        after = self._after_hits(hits, back)
        lost = self.bombers - after.bombers, self.escorts - after.escorts, self.interceptors - after.interceptors
        return AirThrow(attack, defence, (groups[0].needs, groups[1].needs), *lost), after

    def _throw_bombs(self, source: Source) -> tuple[Bombs, "RaidFight"]:
        """Roll for the flak, or for the bombs if it has fired or needs no dice."""
        flak = self._flak
        fallen, lost = roll_group(flak, source)
        left = replace(self, bombers=self.bombers - lost, flak_over=True)
        if not left.bombers:
            return Bombs((), fallen, flak.needs, lost, ()), replace(left, ended="lost")
        if flak.needs:
            return Bombs((), fallen, flak.needs, lost, ()), left
        faces = BOMBS[self.raid.dice]
        dice = tuple(Die(len(faces), (source(len(faces)),)) for _ in range(left.bombers))
        values = tuple(faces[die.face - 1] + (self.raid.bomber.raid or 0) for die in dice)
        damage = min(sum(values), self.raid.factory_points)
        return Bombs(dice, (), (), lost, values), replace(left, damage=damage, ended="rounds")

    def retreat(self) -> "RaidFight":
        """See `Fight`: the raid is called off."""
        return self if self.ended else replace(self, ended="retreat")


def read_raid_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read the question "bombing", what a raid does and costs: see `Game`."""
    if kind != "bombing":
        return None
    return Question(BOMBING, Raid.from_dict(document, take_rules(document, rules[document["game"]])))


def _find_odds(raid: Raid) -> dict[str, Any]:
    return solve_raid(raid).to_dict()


BOMBING = QuestionKind("bombing", _find_odds)
RAID = Game("raid", Raid, ask=read_raid_question, begin=RaidFight.begin)
