"""/roll: every die of every round, as it fell and as it counted, and how it ended."""

from itertools import islice

import pytest

from bot.commands.request import only
from bot.commands.roll import tell
from bot.engine import Played
from bot.matchup import parse
from bot.replies import Reply
from solver import solve
from solver.play import play, ribbon


def told(line: str, *faces: int, most: int = 100) -> Reply:
    """The story of the battle with dice that fall as written."""
    battle = only(parse(line).battle)
    dice = iter(faces)
    rounds = list(islice(play(battle, lambda _: next(dice)), most))
    assert next(dice, None) is None, "all dice were rolled"
    return tell(battle, Played(rounds, ribbon(battle, rounds), solve(battle)), private=False)


def test_every_round_is_a_line_with_the_dice_what_is_left_and_the_chance_from_there() -> None:
    reply = told("4 2", 6, 4, 1, 5, 4, 3, 3, 3, 2)
    assert reply.text == "🎲 **Attacker wins with 3 left** · 4 against 2"
    assert reply.table == (
        "   attack  defence  left   win",
        "                    4 v 2  78.5 %",
        "1  6 4 1   5 4      3 v 1  91.6 %",
        "2  3 3 3   2        3 v 0",
    )
    assert reply.note == "dice from the system's randomness · `4 2`"
    assert [button.label for button in reply.buttons] == ["Roll again"]


def test_a_die_shows_its_re_rolls_its_bonus_and_what_counts_where_that_is_not_plain() -> None:
    reply = told("2 1 fighters:1 bombers:1", 1, 1, 5, 2, 5)
    assert reply.table[2].startswith("1  1→1→5+1 2  5")
    reply = told("2 2 dbonus:-1 dclamp:1..4", 3, 2, 6, 1, most=1)
    assert reply.table[2].startswith("1  3 2     6-1 1 = 4 1")


@pytest.mark.parametrize(
    ("line", "faces", "outcome"),
    [
        ("1 1", [1, 6], "Defender holds with 1 left"),
        ("1 1 ties:both", [3, 3], "Nobody is left"),
        ("5 9 stop:4", [1, 1, 1, 6, 6], "Attack called off after 1 round, 3 against 9 left"),
        ("5 9 reserve:4", [1, 6, 6], "Attack called off after 1 round, 4 against 9 left"),
        ("5 9 rounds:1", [1, 1, 1, 6, 6], "Undecided after 1 round, 3 against 9 left"),
        ("5 9 rounds:0", [], "Undecided after 0 rounds, 5 against 9 left"),
        ("4 9 stop:4", [], "The attack ends before the first roll"),
        ("0 9", [], "The attack ends before the first roll"),
        ("9 0", [], "Attacker wins with 9 left"),
    ],
)
def test_how_it_ended(line: str, faces: list[int], outcome: str) -> None:
    assert told(line, *faces).text.startswith(f"🎲 **{outcome}**")


def test_a_battle_longer_than_is_shown_is_still_undecided() -> None:
    assert told("9 9 ties:neither", *[3, 3, 3, 3, 3] * 2, most=2).text.startswith(
        "🎲 **Still undecided after 2 rounds, 9 against 9 left**"
    )


def test_what_cannot_be_is_no_small_chance() -> None:
    reply = told("9 9 rounds:2", *[3, 3, 3, 3, 3] * 2)
    assert [row.split("  ")[-1] for row in reply.table[1:3]] == ["0 %", "0 %"]
