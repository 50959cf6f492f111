"""Battles of Axis & Allies on the table, followed through every throw."""

import random
from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import pytest

from solver.axis.battle import AxisBattle
from solver.axis.live.choices import is_loss_due, order_or_wish
from solver.axis.live.fight import AxisFight
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.waves import Waves
from solver.game import DiceToRoll, Fight, Source
from tests.helpers.solver.axis_battles import battle, units
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, chances, next_dice


def dice(seed: int) -> Source:
    generator = random.Random(seed)
    return lambda sides: generator.randint(1, sides)


def key(fight: Fight) -> Any:
    """What is the same of battles that go on in the same way; how many rounds there were matters up to a limit."""
    if isinstance(fight, WavesFight):
        return fight.wave, fight.holder, fight.fight.battle.defender, key(fight.fight), fight.ended
    assert isinstance(fight, AxisFight)
    rounds = min(fight.rounds, fight.battle.round_limit or 1)
    return fight.attack, fight.defence, rounds, fight.stage, fight.resting, fight.had, fight.reason, fight.pending


def by_order(fight: Any) -> Any:
    """The battle after all losses of the order that it waits for are kept."""
    while isinstance(fight, AxisFight | WavesFight) and is_loss_due(fight):
        fight = fight.choose(order_or_wish(fight))
    return fight


Fall = tuple[float, tuple[int, ...]]
"""What dice can show, after its chance."""


def falls(fight: Fight) -> Iterator[tuple[Fall, Fall]]:
    """Everything that the next dice of both sides can show."""
    wave = fight.fight if isinstance(fight, WavesFight) else fight
    assert isinstance(wave, AxisFight)
    attack, defence = next_dice(fight)
    return product(_falls(attack, bool(wave.aims)), _falls(defence, bool(wave.aims)))


def _falls(dice: list[DiceToRoll], every_die: bool) -> Iterator[Fall]:
    """Of alike dice only how many hit makes a difference, so the first of them do; or which, where each has an aim.

    A battle that counted one die otherwise than those like it would not come to the right chance.
    """
    if every_die:
        dice = [kind._replace(number=1) for kind in dice for _ in range(kind.number)]
    for hits in product(*(range(kind.number + 1) for kind in dice)):
        chance, faces = 1.0, []
        for kind, count in zip(dice, hits, strict=True):
            need, misses = kind.hits_at or 0, kind.number - count
            share = need / kind.sides
            chance *= comb(kind.number, count) * share**count * (1 - share) ** misses
            faces += [need] * count + [need + 1] * misses
        if chance:
            yield chance, tuple(faces)


def ways(fight: Fight) -> Iterator[tuple[float, Fight]]:
    """All battles that the next throw can lead to, each with its chance."""
    for (ours, attack), (theirs, defence) in falls(fight):
        yield ours * theirs, by_order(fight.throw(script(*attack, *defence))[1])


def stages_from(*starts: Fight) -> dict[Any, tuple[Fight, list[tuple[float, Fight]]]]:
    """Every stage that a battle can come to from some of them, with where the next throw leads from there."""
    waiting = [*starts]
    found: dict[Any, tuple[Fight, list[tuple[float, Fight]]]] = {}
    while waiting:
        fight = waiting.pop()
        if key(fight) not in found:
            following = [] if fight.ended else list(ways(fight))
            found[key(fight)] = fight, following
            waiting += [after for _, after in following]
    return found


def check_that_chances_are_means(fought: AxisBattle | Waves, now: float) -> None:
    """The chance now is as given, and in every stage it is the mean of the chances after the throw."""
    assert check_means_from(begin(fought)) == pytest.approx([now], abs=1e-9)


def check_means_from(*starts: Fight) -> list[float]:
    """The chances in stages of a battle; in every stage from there on it is the mean of the chances after the throw."""
    stages = stages_from(*starts)
    known: dict[Any, float | None] = dict(zip(stages, chances([fight for fight, _ in stages.values()]), strict=True))
    for place, (fight, following) in stages.items():
        if fight.ended:
            assert known[place] == (fight.ended == "won")
        else:
            assert sum(share for share, _ in following) == pytest.approx(1)
            mean = sum(share * (known[key(after)] or 0.0) for share, after in following)
            assert known[place] == pytest.approx(mean, abs=1e-9)
    return [known[key(fight)] or 0.0 for fight in starts]


# Any battle --------------------------------------------------------------------------------------------------

LAND = ("infantry", "artillery", "tank", "fighter", "bomber")
SEA = ("submarine", "destroyer", "cruiser", "carrier", "fighter", "battleship", "damaged_battleship", "transport")


def any_battle(generator: random.Random) -> AxisBattle:
    """A small battle with all that decides what a hit may take."""
    land = generator.random() < 0.3
    sides = []
    for others in (("amphibious_tank",), ("aa_gun",)) if land else (("bomber",), ()):
        kinds = generator.sample((*(LAND if land else SEA), *others), k=generator.randint(1, 5))
        sides.append(units(", ".join(f"{generator.randint(1, 3)} {kind}" for kind in kinds)))
    flags: dict[str, Any] = {
        name: (generator.random() < 0.3, generator.random() < 0.3) for name in ("submerge", "keep_last_destroyer")
    }
    return battle("land" if land else "sea", *sides, **flags)


def volleys(seeds: range) -> Iterator[AxisFight]:
    """Live battles after a throw, before the next one."""
    for seed in seeds:
        fight, source = begin(any_battle(random.Random(seed))), dice(seed)
        assert isinstance(fight, AxisFight)
        for _ in range(3):
            if fight.ended:
                break
            after = fight.throw(source)[1]
            if after.volley:
                yield after
            settled = by_order(after)
            assert isinstance(settled, AxisFight)
            fight = settled
