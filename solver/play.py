"""A round of a battle with real dice, from any source of numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from solver.battle import Battle
from solver.choices import ChoiceTable
from solver.dice import Pool, losses
from solver.icons import Faces

Source = Callable[[int], int]
"""Rolls one die: given its sides, a face from 1 to that."""


Ending = Literal["won", "lost", "nobody", "cleared", "stopped", "rounds", "deadlock", "retreat"]
"""How a battle ended: who won, nobody is left, no defender is left in the fight but nothing is taken, a rule or a plan
of the line stopped it, its rounds are over, nobody can hit anybody, or the attacker retreated."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it fell: every face it showed, the 1s that were rolled again first; of icon dice its number."""

    sides: int
    faces: tuple[int, ...]

    @property
    def face(self) -> int:
        """The face that counts."""
        return self.faces[-1]


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the dice as they fell, the values compared, highest first, what is lost and what is left.

    Of icon dice the values are all attack and all defence icons of a side.
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


def over(battle: Battle, attackers: int, defenders: int, rounds: int) -> bool:
    """Whether nothing more is rolled once so many are left after so many rounds; a value is another reason to stop."""
    return defenders == 0 or attackers <= battle.floor or (battle.rounds is not None and rounds >= battle.rounds)


def fight(battle: Battle, attackers: int, defenders: int, number: int, source: Source) -> Round:
    """One round. Dice are taken attacker's first, largest first, a re-roll right after what it replaces."""
    acting = attackers - battle.reserve
    shown: tuple[tuple[int, ...], tuple[int, ...]]
    if battle.faces:
        attack, defence = (
            _icons(faces, count, source) for faces, count in zip(battle.faces, (acting, defenders), strict=True)
        )
        shown = (hit, block), (hit_back, block_back) = _sum(attack, battle.faces[0]), _sum(defence, battle.faces[1])
        lost = min(acting, max(hit_back - block, 0)), min(defenders, max(hit - block_back, 0))
    else:
        ours, theirs = (pool.first(count) for pool, count in zip(battle.pools, (acting, defenders), strict=True))
        attack = _roll(ours, source)
        values = ours.shows(die.face for die in attack)
        if battle.late:
            theirs = theirs.first(_late_dice(battle, (acting, defenders), values))
        defence = _roll(theirs, source)
        shown = values, theirs.shows(die.face for die in defence)
        lost = losses(*shown, battle.ties)
    return Round(number, attack, defence, *shown, *lost, attackers - lost[0], defenders - lost[1])


def _late_dice(battle: Battle, cell: tuple[int, int], values: tuple[int, ...]) -> int:
    """How many dice are best for the defender who has seen these values."""
    most = min(cell[1], len(battle.pools[1].dice))
    return most - _chosen(battle, cell)[values[:most]]


@lru_cache(maxsize=32)
def _chosen(battle: Battle, cell: tuple[int, int]) -> dict[tuple[int, ...], int]:
    """How many dice fewer than all are best for the defender after each roll that he may see."""
    kernel = battle.chain().kernel()
    assert isinstance(kernel, ChoiceTable)
    return kernel.chosen(kernel.worth, cell)


def _icons(faces: Faces, count: int, source: Source) -> tuple[Die, ...]:
    sides = len(faces.faces)
    return tuple(Die(sides, (source(sides),)) for _ in range(count))


def _sum(dice: tuple[Die, ...], faces: Faces) -> tuple[int, int]:
    """All attack and all defence icons that these dice show."""
    shown = [faces.faces[die.face - 1] for die in dice]
    return sum(hit for hit, _ in shown), sum(block for _, block in shown)


def _roll(pool: Pool, source: Source) -> tuple[Die, ...]:
    rerolls = pool.rerolls
    dice = []
    for sides in pool.dice:
        faces = [source(sides)]
        if faces[0] == 1 and rerolls:
            rerolls -= 1
            while faces[-1] == 1:
                faces.append(source(sides))
        dice.append(Die(sides, tuple(faces)))
    return tuple(dice)
