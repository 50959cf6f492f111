"""Live battles with dice: the state of a battle, its rounds, and the chance to win at any stage.

Dice come from a source of numbers, so a battle can be replayed throw by throw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from solver.chain import Mask
from solver.dice.battle import Battle
from solver.dice.choices import ChoiceTable
from solver.dice.faces import ALL_LUCK, Faces
from solver.dice.odds import Odds
from solver.dice.pools import DIE_BY_DIE, Pool, losses
from solver.dice.sizes import chances_by_rounds, win_chances
from solver.errors import BattleError
from solver.game import DiceToRoll, Die, Ending, Fight, Source, group_dice


@dataclass(frozen=True, slots=True)
class Round:
    """One round that was rolled.

    Attributes:
        number: The number of the round, from 1.
        attack: The attacker's dice.
        defence: The defender's dice.
        attack_values: The attacker's values that are compared, highest first; of icon dice the numbers of all attack
            icons and all defence icons, drawn to the average where not all is luck.
        defence_values: The defender's.
        attackers_lost: The attackers lost in this round.
        defenders_lost: The defenders lost.
        attackers: The attackers left after it.
        defenders: The defenders left.
    """

    number: int
    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    attack_values: tuple[int, ...]
    defence_values: tuple[int, ...]
    attackers_lost: int
    defenders_lost: int
    attackers: int
    defenders: int


@dataclass(frozen=True, slots=True)
class DiceFight(Fight):
    """A live battle with dice.

    Attributes:
        battle: The battle.
        attackers: The attackers left.
        defenders: The defenders left.
        rounds: The number of rounds that are over.
        retreated: Whether the attacker has retreated.
    """

    battle: Battle
    attackers: int
    defenders: int
    rounds: int = 0
    retreated: bool = False

    @classmethod
    def begin(cls, battle: Battle) -> "DiceFight":
        """Return a battle before its first throw.

        Args:
            battle: The battle.

        Raises:
            BattleError: Its odds are reshaped, so it has no dice.
        """
        if battle.reshape:
            raise BattleError("reshape", "reshaped odds have no dice to roll")
        return cls(battle, battle.attackers, battle.defenders)

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
        if self.attackers <= battle.floor:
            return "stopped"
        if battle.rounds is not None and self.rounds >= battle.rounds:
            return "rounds"
        mask = None if battle.value is None else _stop_mask(battle)
        return "stopped" if mask is not None and mask[self.attackers - battle.reserve, self.defenders] else None

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        if self.ended:
            return [], []
        battle, acting = self.battle, (self.attackers - self.battle.reserve, self.defenders)
        pools = zip(battle.pools, acting, strict=True)
        dice: Iterable[tuple[int, ...]] = (pool.for_units(count).dice for pool, count in pools)
        if battle.faces:
            dice = ((len(faces.faces),) * count for faces, count in zip(battle.faces, acting, strict=True))
        attack, defence = (group_dice((sides, None) for sides in side) for side in dice)
        return attack, defence

    def throw(self, source: Source) -> tuple[Round, "DiceFight"]:
        """See `Fight`: the attacker's dice come first, the largest first, a re-roll right after the die it replaces."""
        battle, sizes = self.battle, (self.attackers - self.battle.reserve, self.defenders)
        values: tuple[tuple[int, ...], tuple[int, ...]]
        if battle.faces:
            attack, defence = (
                _roll_icons(faces, count, source) for faces, count in zip(battle.faces, sizes, strict=True)
            )
            values = _count_icons(attack, battle.faces[0]), _count_icons(defence, battle.faces[1])
            if battle.luck < ALL_LUCK:
                values = _kills(battle, sizes, values)
            (hit, block), (hit_back, block_back) = values
            lost = min(sizes[0], max(hit_back - block, 0)), min(sizes[1], max(hit - block_back, 0))
        else:
            ours, theirs = (pool.for_units(count) for pool, count in zip(battle.pools, sizes, strict=True))
            attack = _roll_pool(ours, source)
            seen = ours.values_of(die.face for die in attack)
            if battle.late == DIE_BY_DIE:
                defence = _roll_die_by_die(battle, sizes, seen, source)
                theirs = theirs.for_units(len(defence))
            else:
                theirs = theirs.for_units(_late_dice(battle, sizes, seen)) if battle.late else theirs
                defence = _roll_pool(theirs, source)
            values = seen, theirs.values_of(die.face for die in defence)
            lost = losses(*values, battle.ties, battle.totals)
        left = self.attackers - lost[0], self.defenders - lost[1]
        fought = Round(self.rounds + 1, attack, defence, *values, *lost, *left)
        return fought, replace(self, attackers=left[0], defenders=left[1], rounds=self.rounds + 1)

    def retreat(self) -> "DiceFight":
        """See `Fight`."""
        return replace(self, retreated=True)


def begin_dice(battle: Battle) -> DiceFight:
    """Return a battle before its first throw: see `Game`."""
    return DiceFight.begin(battle)


def dice_chances(fights: Sequence[DiceFight], limit: float = inf) -> list[float | None]:  # noqa: ARG001
    """Return the attacker's chance to win at each stage, which is always known: see `Game`."""
    battle, chain = fights[0].battle, fights[0].battle.chain()
    cells = [(stage.attackers, stage.defenders) for stage in fights]
    if chain.rounds is None:
        grid = win_chances(battle, max(a for a, _ in cells), max(d for _, d in cells))
        chances = [grid.item(cell) for cell in cells]
    else:
        left = {chain.rounds - stage.rounds: (stage.attackers - chain.reserve, stage.defenders) for stage in fights}
        grids = enumerate(chances_by_rounds(chain))
        worth = {rounds: grid.item(left[rounds]) for rounds, grid in grids if rounds in left}
        chances = [worth[chain.rounds - stage.rounds] for stage in fights]
    ends = [stage.ended for stage in fights]
    return [float(end == "won") if end else chance for end, chance in zip(ends, chances, strict=True)]


def dice_percentile(odds: Odds, fight: DiceFight) -> float | None:
    """Return where the end of a battle stands among all: see `Game`."""
    return odds.percentile(fight.attackers, fight.defenders)


@lru_cache(maxsize=4)
def _stop_mask(battle: Battle) -> Mask | None:
    """Return where an attacker who fights for a value stops: [attackers who may roll, defenders]; None if no value."""
    return battle.chain().stop_mask()


def _late_dice(battle: Battle, cell: tuple[int, int], values: tuple[int, ...]) -> int:
    """Return the best number of dice for a defender who has seen these values."""
    dice = min(cell[1], battle.pools[1].units)
    return dice - _best_choices(battle, cell)[values[:dice]]


def _roll_die_by_die(battle: Battle, cell: tuple[int, int], values: tuple[int, ...], source: Source) -> tuple[Die, ...]:
    """Roll one die for a defender who has seen these values, and a second one if that is better then."""
    pool = battle.pools[1].for_units(cell[1])
    first, left = _roll_die(pool.dice[0], pool, pool.rerolls, source)
    if pool.units == 1 or _best_choices(battle, cell)[(*values[: pool.units], first.face, left)]:
        return (first,)
    return first, _roll_die(pool.dice[1], pool, left, source)[0]


@lru_cache(maxsize=32)
def _best_choices(battle: Battle, cell: tuple[int, int]) -> dict[tuple[int, ...], int]:
    """Return how many dice fewer than all are best for the defender after each roll that he may see."""
    kernel = battle.chain().kernel()
    assert isinstance(kernel, ChoiceTable)
    return kernel.best_choices(kernel.worth, cell)


def _roll_icons(faces: Faces, count: int, source: Source) -> tuple[Die, ...]:
    sides = len(faces.faces)
    return tuple(Die(sides, (source(sides),)) for _ in range(count))


def _count_icons(dice: tuple[Die, ...], faces: Faces) -> tuple[int, int]:
    """Return the number of attack icons and of defence icons on these dice."""
    attack, defence = zip(*(faces.faces[die.face - 1] for die in dice), strict=True)
    return sum(attack), sum(defence)


def _kills(
    battle: Battle, sizes: tuple[int, int], icons: tuple[tuple[int, ...], tuple[int, ...]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what both sides kill with these icons where not all is luck, in place of their attack icons."""
    assert battle.faces, "other dice have all luck"
    (hit, block), (hit_back, block_back) = icons
    ours, theirs = battle.faces
    return (ours.kills(sizes[0], hit, battle.luck), block), (theirs.kills(sizes[1], hit_back, battle.luck), block_back)


def _roll_pool(pool: Pool, source: Source) -> tuple[Die, ...]:
    left, dice = pool.rerolls, []
    for sides in pool.dice:
        die, left = _roll_die(sides, pool, left, source)
        dice.append(die)
    return tuple(dice)


def _roll_die(sides: int, pool: Pool, rerolls: int, source: Source) -> tuple[Die, int]:
    """Return the next die of a pool that has so many re-rolls left, and those left after it."""
    faces, throws = [source(sides)], 1
    if faces[0] == 1 and rerolls:
        rerolls -= 1
        faces.append(source(sides))
        while faces[-1] == 1 and not pool.once:
            faces.append(source(sides))
    while faces[-1] == sides and throws <= pool.explosions:
        faces.append(source(sides))
        throws += 1
    return Die(sides, tuple(faces), throws=throws), rerolls
