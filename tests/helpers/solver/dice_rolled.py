"""Dice to roll with in tests: scripted or by chance, and battles fought with them to their end."""

import random
from collections.abc import Iterator

from solver.dice.battle import Battle
from solver.dice.fight import DiceFight, Round
from solver.game import Fight, Source
from solver.path.path import Path
from tests.helpers.solver.fights import begin


def script(*faces: int) -> Source:
    """Dice that fall as written; asking for a larger face than a die has is a fault of the script."""
    left = iter(faces)

    def roll(sides: int) -> int:
        face = next(left)
        assert 1 <= face <= sides
        return face

    return roll


def by_chance(seed: int) -> Source:
    """Dice that nobody knows before."""
    generator = random.Random(seed)
    return lambda sides: generator.randint(1, sides)


def stages(battle: Battle | Path, source: Source) -> Iterator[Fight]:
    """A battle before the first throw and after each, to its end."""
    fight = begin(battle)
    yield fight
    while fight.ended is None:
        _, fight = fight.throw(source)
        yield fight


def rounds(battle: Battle, source: Source) -> Iterator[Round]:
    """All rounds of a battle, from the first to its end."""
    fight = DiceFight(battle, battle.attackers, battle.defenders)
    while fight.ended is None:
        fought, fight = fight.throw(source)
        yield fought
