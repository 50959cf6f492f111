"""The same battle played with real dice, a round at a time, from any source of numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from solver.battle import Battle
from solver.chain import worth_by_rounds
from solver.choices import ChoiceTable
from solver.dice import Pool, losses
from solver.icons import Faces
from solver.tables import win_chances

Source = Callable[[int], int]
"""Rolls one die: given its sides, a face from 1 to that."""


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


def play(battle: Battle, source: Source) -> Iterator[Round]:
    """Fight the battle round by round until it is over; endless where no round can cost anybody anything."""
    attackers, defenders, number = battle.attackers, battle.defenders, 0
    stopped = battle.chain().stopped()
    while not over(battle, attackers, defenders, number):
        if stopped is not None and stopped[attackers - battle.reserve, defenders]:
            return
        number += 1
        fought = fight(battle, attackers, defenders, number, source)
        attackers, defenders = fought.attackers, fought.defenders
        yield fought


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


def ribbon(battle: Battle, rounds: Sequence[Round]) -> list[float]:
    """The attacker's exact chance to win before the first of these rounds and after each of them."""
    path = [(battle.attackers, battle.defenders), *((fought.attackers, fought.defenders) for fought in rounds)]
    chain = battle.chain()
    if chain.rounds is None:
        chances = win_chances(battle, *path[0])
        return [chances.item(cell) for cell in path]
    kernel = chain.kernel()
    assert not isinstance(kernel, ChoiceTable), "late choices go without a limit of rounds"
    left = {chain.rounds - played: (a - chain.reserve, d) for played, (a, d) in enumerate(path)}
    grids = worth_by_rounds(kernel, chain.won(), chain.rounds, chain.floor)
    return [grid.item(left[rounds]) for rounds, grid in enumerate(grids) if rounds in left][::-1]


def _late_dice(battle: Battle, cell: tuple[int, int], values: tuple[int, ...]) -> int:
    """How many dice are best for the defender who has seen these values."""
    kernel = battle.chain().kernel()
    assert isinstance(kernel, ChoiceTable)
    most = min(cell[1], len(battle.pools[1].dice))
    return most - kernel.chosen(kernel.worth, cell)[values[:most]]


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
