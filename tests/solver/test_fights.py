"""Battles on the table, throw by throw: the chance to win on the way, how they end, what is rolled next."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from solver import Battle, BattleError, Faces, Pool, Ships, solve
from solver.dice.fight import DiceFight
from solver.dice.reshape import Reshape
from solver.dice.rolls import round_law
from solver.game import DiceToRoll, Fight
from solver.path.fight import PathFight
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.dice_rolled import by_chance, script, stages
from tests.helpers.solver.fights import begin, chances, next_dice

ICONS = Faces.of(["AA", "A", "AD", ""]), Faces.of(["A", "DD", "D", ""])
MARCH = Path.of((Battle(12, 4), Battle(0, 3, Pool((8, 6)), ties="both"), Battle(0, 2, stop=2)), (1, 2))


@each(
    [
        (battle, seed)
        for seed in range(pick(1, 3))
        for battle in [
            Battle(8, 7),
            Battle(7, 6, attack_ships=Ships(1, 1, 1), defence_ships=Ships(0, 1, 0)),
            Battle(6, 4, rounds=4),
            Battle(9, 4, reserve=3, stop=4),
            Battle(9, 6, reserve=2, rounds=5, stop=3),
            Battle(9, 6, value=4),
            Battle(8, 6, late=True),
            Battle(8, 6, defence=Pool((6, 6), 1, explosions=1), late="die"),
            Battle(8, 6, Pool((6, 6, 6), 2, once=True), Pool((6, 6, 6), keep=2)),
            Battle(8, 6, Pool((8, 6, 6), leader=2), Pool((6, 6), 1, explosions=3)),
            Battle(18, 6, Pool((6,) * 8), Pool((6,) * 6), totals=True),
            Battle(5, 6, faces=ICONS),
            Battle(5, 6, faces=ICONS, rounds=4),
            Battle(6, 6, ties="both"),
            Battle(6, 6, ties="neither", rounds=9),
        ]
    ]
)
def test_the_chance_after_each_round_is_that_of_the_armies_left(battle: Battle, seed: int) -> None:
    fought = list(stages(battle, by_chance(seed)))
    assert chances(fought) == pytest.approx([chance_left(stage) for stage in fought], abs=1e-12)
    assert chances(fought[-2:]) == pytest.approx(chances(fought)[-2:], abs=1e-12), "whichever stages are asked for"


def chance_left(fight: Fight) -> float:
    """The slow twin: a new battle of those who are left, in the rounds that are left."""
    assert isinstance(fight, DiceFight)
    battle = replace(fight.battle, attackers=fight.attackers, defenders=fight.defenders)
    if battle.rounds is not None:
        battle = replace(battle, rounds=battle.rounds - fight.rounds)
    return solve(battle).attacker_wins


@each(
    [
        Battle(3, 2, Pool((3, 3, 2), keep=2, worst=True), Pool((3, 3, 3), bonus=(1,), keep=2)),
        Battle(1, 1, Pool((3, 3, 2), keep=2), Pool((3, 3, 3), keep=2)),
        Battle(2, 2, Pool((3, 2), 1, once=True), Pool((2, 2), 2, once=True)),
        Battle(3, 2, Pool((3, 3, 3)), Pool((4, 4), bonus=(1,)), ties="both", totals=True),
        Battle(2, 2, Pool((3, 2), 1, once=True, explosions=2, leader=1), Pool((2, 2), leader=-1, bonus=(1,))),
        Battle(3, 2, faces=(Faces.of(["AA", "A", ""]), Faces.of(["A", ""])), luck=40),
    ]
)
def test_every_way_in_which_the_dice_can_fall_gives_the_law_of_a_round(battle: Battle) -> None:
    """The slow twin: a round is rolled with each row of numbers that there is."""
    law: dict[tuple[int, int], Fraction] = {}
    waiting: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while waiting:
        fallen, chance = waiting.pop()
        rest = iter(fallen)

        def next_face(sides: int, rest: Iterator[int] = rest) -> int:
            face = next(rest, None)
            if face is None:
                raise NotYetRolledError(sides)
            return face

        try:
            fought, _after = DiceFight.begin(battle).throw(next_face)
        except NotYetRolledError as missing:
            sides = missing.args[0]
            waiting += [([*fallen, face], chance / sides) for face in range(1, sides + 1)]
        else:
            lost = fought.attackers_lost, fought.defenders_lost
            law[lost] = law.get(lost, Fraction(0)) + chance
    assert law == round_law(battle)


class NotYetRolledError(Exception):
    """A die must fall before the round is over; its argument is the number of sides."""


@each(range(6))
def test_the_chance_on_a_path_is_that_of_its_remaining_territories(seed: int) -> None:
    fought = list(stages(MARCH, by_chance(seed)))
    assert chances(fought) == pytest.approx([way_left(stage) for stage in fought], abs=1e-12)
    assert chances(fought[-3:]) == pytest.approx(chances(fought)[-3:], abs=1e-12), "whichever stages are asked for"
    assert chances(fought, 0) == [None] * (len(fought) - 1) + [float(fought[-1].ended == "won")], (
        "how it ended is known"
    )


def way_left(fight: Fight) -> float:
    """The slow twin: what the battle for this territory leaves, and a march of each of these through the rest."""
    assert isinstance(fight, PathFight)
    here, rest = fight.fight, fight.path.legs[fight.leg + 1 :]
    odds = solve(replace(here.battle, attackers=here.attackers, defenders=here.defenders))
    chance = 0.0
    for attackers, defenders, share in zip(odds.attackers_end, odds.defenders_end, odds.chances, strict=True):
        if defenders or not attackers:
            continue
        if not rest:
            chance += share
            continue
        stay, *stays = fight.path.leave[fight.leg :]
        first = replace(rest[0], attackers=max(int(attackers) - stay, 0))
        chance += share * march(Path.of((first, *rest[1:]), stays)).takes_all
    return chance


def test_armies_left_behind_do_not_go_on_along_a_path() -> None:
    faces = [6, 6, 6, 1, 1] * 2 + [8, 6, 1, 1, 7, 2, 1] + [6, 6, 6, 5, 5]
    fought = list(stages(MARCH, script(*faces)))
    assert [where(stage) for stage in fought] == [
        (0, 12, 4),
        (0, 12, 2),
        (1, 11, 3),
        (1, 11, 1),
        (2, 9, 2),
        (2, 9, 0),
    ]
    assert [len(side) and side[0].sides for side in next_dice(fought[2])] == [8, 6]
    assert fought[-1].ended == "won"


def where(fight: Fight) -> tuple[int, int, int]:
    assert isinstance(fight, PathFight)
    return fight.leg, fight.fight.attackers, fight.fight.defenders


def test_a_path_goes_through_empty_territories() -> None:
    assert where(begin(Path.of((Battle(5, 0), Battle(0, 0), Battle(0, 3)), (1, 1)))) == (2, 3, 3)
    assert begin(Path.of((Battle(5, 0), Battle(0, 0)), (1,))).ended == "won"
    *_, last = stages(Path.of((Battle(3, 1), Battle(0, 5)), (9,)), script(6, 6, 6, 1))
    assert (where(last), last.ended) == ((1, 0, 5), "lost")
    *_, last = stages(Path.of((Battle(9, 1), Battle(0, 5, stop=4)), (5,)), script(6, 6, 6, 1))
    assert (where(last), last.ended) == ((1, 4, 5), "stopped")


@each(
    [
        (Battle(1, 1), [6, 1], "won"),
        (Battle(1, 1), [1, 6], "lost"),
        (Battle(1, 1, ties="both"), [3, 3], "nobody"),
        (Battle(3, 9, stop=1), [1, 1, 1, 6, 6], "stopped"),
        (Battle(3, 9, reserve=1), [1, 1, 6, 6], "stopped"),
        (Battle(9, 9, value=0), [], "stopped"),
        (Battle(5, 9, rounds=1), [1, 1, 1, 6, 6], "rounds"),
        (Battle(5, 9, rounds=0), [], "rounds"),
        (Battle(5, 0), [], "won"),
        (Battle(0, 5), [], "lost"),
    ]
)
def test_a_live_battle_has_its_end(battle: Battle, faces: list[int], ended: str) -> None:
    *_, last = stages(battle, script(*faces))
    assert last.ended == ended
    assert chances([last]) == [float(ended == "won")]


def test_a_retreated_attacker_has_not_won_and_rolls_no_dice() -> None:
    for battle in (Battle(12, 9), Battle(12, 9, rounds=4), MARCH):
        here = begin(battle)
        gone = here.retreat()
        assert (here.resting, here.ended, gone.ended) == (True, None, "retreat")
        assert chances([here, gone]) == [*chances([here]), 0.0]
        assert next_dice(gone) == ([], [])


def test_a_retreat_does_not_change_a_decided_battle() -> None:
    assert begin(Battle(5, 0)).retreat().ended == "won"
    assert begin(Battle(0, 5)).retreat().ended == "lost"


def test_reshaped_odds_have_no_dice() -> None:
    with pytest.raises(BattleError, match="reshaped odds have no dice to roll"):
        begin(Battle(3, 2, reshape=Reshape()))


@each(
    [
        (Battle(4, 2), [(3, 6)], [(2, 6)]),
        (Battle(2, 1), [(2, 6)], [(1, 6)]),
        (Battle(4, 2, attack_ships=Ships(bombers=2)), [(3, 6)], [(2, 6)]),
        (Battle(4, 2, attack_ships=Ships(capitals=1)), [(1, 8), (2, 6)], [(2, 6)]),
        (Battle(4, 2, reserve=2), [(2, 6)], [(2, 6)]),
        (Battle(4, 2, late=True), [(3, 6)], [(2, 6)]),
        (Battle(4, 2, faces=ICONS), [(4, 4)], [(2, 4)]),
        (Battle(4, 0), [], []),
    ]
)
def test_next_dice_names_numbers_and_sides(
    battle: Battle, attack: list[tuple[int, int]], defence: list[tuple[int, int]]
) -> None:
    told = [DiceToRoll(number, sides, None) for number, sides in attack], [DiceToRoll(*one, None) for one in defence]
    assert next_dice(begin(battle)) == told
