"""The same battle played with real dice, a round at a time, from any source of numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from solver.battle import Battle
from solver.chain import backward, worth_by_rounds
from solver.dice import Pool, losses

Source = Callable[[int], int]
"""Rolls one die: given its sides, a face from 1 to that."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it fell: every face it showed, the 1s that were rolled again first."""

    sides: int
    faces: tuple[int, ...]

    @property
    def face(self) -> int:
        """The face that counts."""
        return self.faces[-1]


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the dice as they fell, the values compared, highest first, what is lost and what is left."""

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
    while not over(battle, attackers, defenders, number):
        number += 1
        fought = fight(battle, attackers, defenders, number, source)
        attackers, defenders = fought.attackers, fought.defenders
        yield fought


def over(battle: Battle, attackers: int, defenders: int, rounds: int) -> bool:
    """Whether nothing more is rolled once so many are left after so many rounds."""
    return defenders == 0 or attackers <= battle.floor or (battle.rounds is not None and rounds >= battle.rounds)


def fight(battle: Battle, attackers: int, defenders: int, number: int, source: Source) -> Round:
    """One round. Dice are taken attacker's first, largest first, a re-roll right after what it replaces."""
    attack_pool, defence_pool = battle.pools
    attack_pool, defence_pool = attack_pool.first(attackers - battle.reserve), defence_pool.first(defenders)
    attack, defence = _roll(attack_pool, source), _roll(defence_pool, source)
    attack_values = attack_pool.shows(die.face for die in attack)
    defence_values = defence_pool.shows(die.face for die in defence)
    attackers_lost, defenders_lost = losses(attack_values, defence_values, battle.ties)
    return Round(
        number,
        attack,
        defence,
        attack_values,
        defence_values,
        attackers_lost,
        defenders_lost,
        attackers - attackers_lost,
        defenders - defenders_lost,
    )


def ribbon(battle: Battle, rounds: Sequence[Round]) -> list[float]:
    """The attacker's exact chance to win before the first of these rounds and after each of them."""
    chain = battle.chain()
    path = [(chain.acting, chain.defenders), *((r.attackers - chain.reserve, r.defenders) for r in rounds)]
    if chain.rounds is None:
        worth = backward(chain.table(), chain.won(), chain.floor)
        return [worth.item(cell) for cell in path]
    left = {chain.rounds - played: cell for played, cell in enumerate(path)}
    grids = worth_by_rounds(chain.table(), chain.won(), chain.rounds, chain.floor)
    return [grid.item(left[rounds]) for rounds, grid in enumerate(grids) if rounds in left][::-1]


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
