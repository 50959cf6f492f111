"""One round of a live battle with dice: rolls them from any source of numbers and takes off the losses."""

from dataclasses import dataclass
from functools import lru_cache

from solver.dice.battle import Battle
from solver.dice.choices import ChoiceTable
from solver.dice.faces import Faces
from solver.dice.pools import Pool, losses
from solver.game import Die, Source


@dataclass(frozen=True, slots=True)
class Round:
    """One round that was rolled.

    Attributes:
        number: The number of the round, from 1.
        attack: The attacker's dice.
        defence: The defender's dice.
        attack_values: The attacker's values that are compared, highest first; of icon dice the numbers of all attack
            icons and all defence icons.
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


def is_over(battle: Battle, attackers: int, defenders: int, rounds: int) -> bool:
    """Return whether a battle is over; the value of a territory, another reason to stop, does not count here.

    Args:
        battle: The battle.
        attackers: The attackers left.
        defenders: The defenders left.
        rounds: The number of rounds that were fought.
    """
    return defenders == 0 or attackers <= battle.floor or (battle.rounds is not None and rounds >= battle.rounds)


def roll_round(battle: Battle, attackers: int, defenders: int, number: int, source: Source) -> Round:
    """Roll one round: the attacker's dice first, the largest first, a re-roll right after the die that it replaces.

    Args:
        battle: The battle.
        attackers: The attackers left before the round.
        defenders: The defenders left.
        number: The number of the round, from 1.
        source: Rolls one die.
    """
    acting = attackers - battle.reserve
    shown: tuple[tuple[int, ...], tuple[int, ...]]
    if battle.faces:
        attack, defence = (
            _roll_icons(faces, count, source) for faces, count in zip(battle.faces, (acting, defenders), strict=True)
        )
        shown = _count_icons(attack, battle.faces[0]), _count_icons(defence, battle.faces[1])
        (hit, block), (hit_back, block_back) = shown
        lost = min(acting, max(hit_back - block, 0)), min(defenders, max(hit - block_back, 0))
    else:
        ours, theirs = (pool.for_units(count) for pool, count in zip(battle.pools, (acting, defenders), strict=True))
        attack = _roll_pool(ours, source)
        values = ours.values_of(die.face for die in attack)
        if battle.late:
            theirs = theirs.for_units(_late_dice(battle, (acting, defenders), values))
        defence = _roll_pool(theirs, source)
        shown = values, theirs.values_of(die.face for die in defence)
        lost = losses(*shown, battle.ties)
    return Round(number, attack, defence, *shown, *lost, attackers - lost[0], defenders - lost[1])


def _late_dice(battle: Battle, cell: tuple[int, int], values: tuple[int, ...]) -> int:
    """Return the best number of dice for a defender who has seen these values."""
    most = min(cell[1], len(battle.pools[1].dice))
    return most - _best_choices(battle, cell)[values[:most]]


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
    shown = [faces.faces[die.face - 1] for die in dice]
    return sum(hit for hit, _ in shown), sum(block for _, block in shown)


def _roll_pool(pool: Pool, source: Source) -> tuple[Die, ...]:
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
