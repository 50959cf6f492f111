"""Rounds with dice on the table: scripted dice, and dice against odds."""

from functools import cache, partial

from solver import Battle, Faces, Pool, Ships, solve
from solver.game import Die
from solver.path.odds import march
from solver.path.path import Path
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver.chance_tests import sequential_test
from tests.helpers.solver.dice_rolled import by_chance, rounds, script, stages
from tests.helpers.solver.fights import begin, next_dice


def test_a_battle_is_rolled_as_the_rulebook_says() -> None:
    first, second = rounds(Battle(4, 2), script(6, 4, 1, 5, 4, 3, 3, 3, 2))
    assert [die.face for die in first.attack] == [6, 4, 1]
    assert (first.attackers_lost, first.defenders_lost) == (1, 1)
    assert (second.attackers, second.defenders) == (3, 0)
    assert second.defence == (Die(6, (2,)),)


def test_a_1_is_rerolled_at_once_largest_die_first() -> None:
    ships = Ships(fighters=2, bombers=1, capitals=1)
    (fought,) = rounds(Battle(3, 1, attack_ships=ships), script(1, 1, 7, 1, 3, 1, 2))
    assert fought.attack == (Die(8, (1, 1, 7)), Die(6, (1, 3)), Die(6, (1,)))
    assert fought.attack_values == (8, 3, 1)
    assert fought.defence_values == (2,)


def test_rolled_battles_end_at_their_stop_or_round_limit() -> None:
    lost = script(*[1, 1, 1, 6, 6] * 9)
    assert [r.attackers for r in rounds(Battle(9, 9, stop=5), lost)] == [7, 5]
    assert [r.attackers for r in rounds(Battle(9, 9, rounds=1), lost)] == [7]
    (only,) = rounds(Battle(5, 9, reserve=4), script(1, 6, 6))
    assert (only.attackers, len(only.attack)) == (4, 1)
    assert not list(rounds(Battle(3, 3, stop=3), script()))
    assert begin(Battle(3, 0)).ended == "won"


@each(
    [
        *pick((), (Battle(9, 8),)),
        Battle(7, 6, attack_ships=Ships(1, 1, 1), defence_ships=Ships(1, 1, 0)),
        Battle(9, 7, stop=3),
        Battle(9, 9, reserve=2, rounds=6),
        Battle(6, 6, Pool((8, 6, 6), bonus=(-1, 1)), Pool((6, 6), rerolls=1, clamp=(2, 6)), ties="both"),
        Path.of((Battle(11, 3), Battle(0, 2, Pool((8, 6)), ties="both"), Battle(0, 2, stop=1)), (1, 2)),
    ]
)
def test_rolled_battles_end_as_often_as_the_odds_say(battle: Battle | Path) -> None:
    """A sequential test of Wald's: right odds are refused, and odds off by some points passed, as rarely as `error`."""
    points, error = pick((0.08, 1e-3), (0.04, 1e-6))
    win = march(battle).takes_all if isinstance(battle, Path) else solve(battle).attacker_wins
    played = cache(partial(wins, battle))
    for wrong in (win - points, win + points):
        assert sequential_test(map(played, range(10**6)), win, wrong, error)


def test_next_dice_lists_the_dice_of_both_sides() -> None:
    start = begin(Battle(9, 1, attack_ships=Ships(2, 1, 1), reserve=6))
    assert next_dice(start) == ([(1, 8, None), (2, 6, None)], [(1, 6, None)])
    assert next_dice(start.retreat()) == ([], [])
    icons = Battle(3, 2, faces=(Faces(((1, 0), (0, 1))), Faces(((1, 0), (0, 1), (0, 0)))))
    assert next_dice(begin(icons)) == ([(3, 2, None)], [(2, 3, None)])
    path = begin(Path.of([Battle(5, 1), Battle(5, 2)], (1,)))
    assert next_dice(path) == ([(3, 6, None)], [(1, 6, None)])
    _, path = path.throw(script(6, 1, 1, 5))
    assert next_dice(path) == ([(3, 6, None)], [(2, 6, None)])


def wins(battle: Battle | Path, seed: int) -> bool:
    *_, last = stages(battle, by_chance(seed))
    return last.ended == "won"
