"""A battle on the table, whatever the game: what is thrown next, how it ends, and the chance to win on the way.

Nothing here is random. Dice come from a source, so what fell once can be followed again, throw by throw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import inf
from typing import NamedTuple, Protocol, Self

from solver.axis import AxisBattle
from solver.axis_fights import AxisFight, axis_chances
from solver.battle import Battle
from solver.bombing import Raid
from solver.chain import Mask, worth_by_rounds
from solver.choices import ChoiceTable
from solver.errors import BattleError
from solver.paths import Path, chances_on
from solver.play import Die, Ending, Round, Source, fight, over
from solver.raid_fights import RaidFight
from solver.tables import win_chances
from solver.waves import Waves
from solver.waves_fights import WavesFight, waves_chances

__all__ = [
    "AxisFight",
    "DiceFight",
    "Ending",
    "Fight",
    "PathFight",
    "RaidFight",
    "Throw",
    "ToRoll",
    "WavesFight",
    "begin",
    "chances",
    "next_dice",
]


class Throw(Protocol):
    """The dice of one throw as they fell, the attacker's before the defender's."""

    @property
    def attack(self) -> tuple[Die, ...]:
        """The attacker's."""

    @property
    def defence(self) -> tuple[Die, ...]:
        """The defender's."""


class Fight(Protocol):
    """A battle as it stands. A round is one throw, or several where some fire before others."""

    @property
    def ended(self) -> Ending | None:
        """How it ended, if it did."""

    @property
    def resting(self) -> bool:
        """Whether no round is under way: then odds are told, and the attacker may retreat."""

    def throw(self, source: Source) -> tuple[Throw, Self]:
        """The next throw, with dice from this source, and the battle after it."""

    def retreat(self) -> Self:
        """The battle once all attackers have retreated who can."""


@dataclass(frozen=True, slots=True)
class DiceFight:
    """A battle of dice: so many are left on both sides after so many rounds."""

    battle: Battle
    attackers: int
    defenders: int
    rounds: int = 0
    retreated: bool = False

    @property
    def ended(self) -> Ending | None:
        """See `Fight`."""
        battle = self.battle
        if not self.defenders:
            return "won" if self.attackers else "nobody"
        if not self.attackers:
            return "lost"
        if self.retreated:
            return "retreat"
        if over(battle, self.attackers, self.defenders, self.rounds):
            return "stopped" if self.attackers <= battle.floor else "rounds"
        mask = None if battle.value is None else _stopped(battle)
        return "stopped" if mask is not None and mask[self.attackers - battle.reserve, self.defenders] else None

    @property
    def resting(self) -> bool:
        """See `Fight`: every round is one throw."""
        return True

    def throw(self, source: Source) -> tuple[Round, "DiceFight"]:
        """See `Fight`."""
        fought = fight(self.battle, self.attackers, self.defenders, self.rounds + 1, source)
        return fought, DiceFight(self.battle, fought.attackers, fought.defenders, fought.number, self.retreated)

    def retreat(self) -> "DiceFight":
        """See `Fight`."""
        return replace(self, retreated=True)


@dataclass(frozen=True, slots=True)
class PathFight:
    """A path: the territory that is fought for, the first is 0, and the battle for it."""

    path: Path
    leg: int
    fight: DiceFight

    @property
    def ended(self) -> Ending | None:
        """See `Fight`: "won" says that all territories are taken."""
        return self.fight.ended

    @property
    def resting(self) -> bool:
        """See `Fight`."""
        return self.fight.resting

    def throw(self, source: Source) -> tuple[Round, "PathFight"]:
        """See `Fight`."""
        fought, after = self.fight.throw(source)
        return fought, replace(self, fight=after).moved_in()

    def retreat(self) -> "PathFight":
        """See `Fight`."""
        return replace(self, fight=self.fight.retreat())

    def moved_in(self) -> "PathFight":
        """The path once all have moved on who can: through territories that are taken, up to the last."""
        here = self
        while here.fight.ended == "won" and here.leg < len(self.path.legs) - 1:
            left = max(here.fight.attackers - self.path.leave[here.leg], 0)
            leg = self.path.legs[here.leg + 1]
            here = PathFight(self.path, here.leg + 1, DiceFight(leg, left, leg.defenders))
        return here


def begin(battle: Battle | Path | AxisBattle | Waves | Raid) -> Fight:
    """The battle before the first throw; BattleError where it has no dice."""
    if isinstance(battle, Path):
        first = battle.legs[0]
        return PathFight(battle, 0, DiceFight(first, first.attackers, first.defenders)).moved_in()
    if isinstance(battle, AxisBattle):
        return AxisFight.begin(battle)
    if isinstance(battle, Waves):
        return WavesFight.begin(battle)
    if isinstance(battle, Raid):
        return RaidFight(battle, battle.bombers)
    if battle.reshape:
        raise BattleError("reshape", "reshaped odds have no dice to roll")
    return DiceFight(battle, battle.attackers, battle.defenders)


def chances(fights: Sequence[Fight], most: float = inf) -> list[float | None]:
    """The attacker's chance to win in each of these stages of one battle, the earliest first; None where unknown.

    That is so within a round, and where it would be more work than `most`, in the unit of `Meter`; of a battle of
    dice in one territory they are always known.
    """
    first = fights[0]
    if isinstance(first, AxisFight):
        return axis_chances([stage for stage in fights if isinstance(stage, AxisFight)], most)
    if isinstance(first, WavesFight):
        return waves_chances([stage for stage in fights if isinstance(stage, WavesFight)], most)
    if isinstance(first, RaidFight):
        return [None] * len(fights)  # nobody wins a raid
    if isinstance(first, PathFight):
        return _path_chances([stage for stage in fights if isinstance(stage, PathFight)], most)
    assert isinstance(first, DiceFight), "there are no other games"
    return list(_dice_chances([stage for stage in fights if isinstance(stage, DiceFight)]))


class ToRoll(NamedTuple):
    """Dice of a kind that are rolled next: how many, their sides, and at or below which face each hits.

    That is None of dice that are compared, and of icon dice.
    """

    number: int
    sides: int
    hits_at: int | None


def next_dice(fight: Fight) -> tuple[list[ToRoll], list[ToRoll]]:
    """The dice of the next throw of both sides, the attacker's first; none once the battle has ended.

    Where the defender chooses how many to roll it is the most he can.
    """
    if isinstance(fight, PathFight | WavesFight):
        return next_dice(fight.fight)
    if isinstance(fight, AxisFight):
        ours, theirs = ([(group.sides, need) for group in side for need in group.needs] for side in fight.groups)
        return _to_roll(ours), _to_roll(theirs)
    if isinstance(fight, RaidFight):
        return _to_roll(fight.damage_dice), _to_roll(fight.flak_dice)
    assert isinstance(fight, DiceFight), "there are no other games"
    if fight.ended:
        return [], []
    battle, acting = fight.battle, (fight.attackers - fight.battle.reserve, fight.defenders)
    dice: Iterable[tuple[int, ...]] = (pool.first(count).dice for pool, count in zip(battle.pools, acting, strict=True))
    if battle.faces:
        dice = ((len(faces.faces),) * count for faces, count in zip(battle.faces, acting, strict=True))
    attack, defence = (_to_roll([(sides, None) for sides in side]) for side in dice)
    return attack, defence


def _to_roll(dice: Sequence[tuple[int, int | None]]) -> list[ToRoll]:
    """Dice, each with its sides and where it hits, with those together that are alike and next to each other."""
    return [ToRoll(len(list(alike)), *kind) for kind, alike in groupby(dice)]


def _dice_chances(fights: Sequence[DiceFight]) -> list[float]:
    battle, chain = fights[0].battle, fights[0].battle.chain()
    cells = [(stage.attackers, stage.defenders) for stage in fights]
    if chain.rounds is None:
        grid = win_chances(battle, max(a for a, _ in cells), max(d for _, d in cells))
        found = [grid.item(cell) for cell in cells]
    else:
        kernel = chain.kernel()
        assert not isinstance(kernel, ChoiceTable), "late choices go without a limit of rounds"
        left = {chain.rounds - stage.rounds: (stage.attackers - chain.reserve, stage.defenders) for stage in fights}
        grids = worth_by_rounds(kernel, chain.won(), chain.rounds, chain.floor)
        worth = {rounds: grid.item(left[rounds]) for rounds, grid in enumerate(grids) if rounds in left}
        found = [worth[chain.rounds - stage.rounds] for stage in fights]
    return [
        chance if stage.ended is None else float(stage.ended == "won")
        for stage, chance in zip(fights, found, strict=True)
    ]


def _path_chances(fights: Sequence[PathFight], most: float) -> list[float | None]:
    places = [(stage.leg, stage.fight.attackers, stage.fight.defenders) for stage in fights if stage.ended is None]
    known = iter(chances_on(fights[0].path, places, most) if places else ())
    return [next(known) if stage.ended is None else float(stage.ended == "won") for stage in fights]


@lru_cache(maxsize=4)
def _stopped(battle: Battle) -> Mask | None:
    """Where an attacker who fights for a value stops: [those who may roll, defenders]; None where there is no value."""
    return battle.chain().stopped()
