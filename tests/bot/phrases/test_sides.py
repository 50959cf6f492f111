"""Who attacks, and why: the reader says which words told it."""

import tomllib
from pathlib import Path

from bot.phrases.armies import Army
from bot.phrases.meaning import weights
from bot.phrases.pieces import SIDES, Mark, Stack
from bot.phrases.reader import understand
from bot.phrases.sides import judge
from bot.rooms import ROOMS
from bot.settings import CONFIG
from tests.helpers.cases import each

PHRASES = Path(__file__).parents[3] / "bot" / "phrases"


@each(
    [
        ("12 9", "12 9", "first"),
        ("12 attackers, 9 defenders", "12 9", "attacker"),
        ("9 defenders against 12 attackers", "12 9", "defender"),
        ("def 7 att 11", "11 7", "attacker"),
        ("I have 9, he attacks with 12", "12 9", "attacks"),
        ("my 9 are hit by 12", "12 9", "are hit by"),
        ("12 take on 9", "12 9", "take on"),
        ("can 9 hold against 12", "12 9", "hold"),
        ("meine 9 halten gegen 12", "12 9", "halten"),
        ("ich greife mit 12 seine 9 an", "12 9", "greife"),
        ("mis 9 defienden contra 12", "12 9", "defienden"),
        ("tengo 9 y me ataca con 12", "12 9", "me ataca"),
        ("враг атакует мои 9 с 12", "12 9", "атакует"),
        ("у меня 9, он нападает с 12", "12 9", "нападает"),
    ]
)
def test_the_words_say_who_attacks(said: str, line: str, why: str) -> None:
    found = understand(ROOMS, said)
    assert found.line == line
    assert any(why in reason.why for reason in found.reasons), found.reasons


def test_the_first_army_attacks_unless_the_words_say_otherwise() -> None:
    sides = judge(Army([Stack(12)]), Army([Stack(9)], [Mark("against", "vs")]), [])
    assert (sides.first_attacks, sides.doubtful) == (True, False)
    assert [reason.why for reason in sides.reasons] == ["first"]


def test_a_named_side_counts_more_than_the_order() -> None:
    sides = judge(Army([Stack(9)], label="defender"), Army([Stack(12)], label="attacker"), [])
    assert (sides.first_attacks, sides.doubtful) == (False, False)
    assert [(reason.army, reason.why) for reason in sides.reasons if reason.weight < 0] == [(0, "defender")]


def test_the_name_of_a_side_counts_more_than_a_verb() -> None:
    assert understand(ROOMS, "12 defenders attack 9 attackers").line == "9 12"


def test_the_player_asks_about_an_attack_where_both_only_have_armies() -> None:
    found = understand(ROOMS, "he has 7, I have 11")
    assert (found.line, found.other) == ("11 7", "7 11")


@each(tomllib.loads((CONFIG / "sides.toml").read_text("utf-8"))["examples"].items())
def test_each_rule_about_who_attacks_speaks_in_its_example(rule: str, said: str) -> None:
    assert rule in {reason.rule for reason in understand(ROOMS, said).reasons}


def test_every_rule_about_who_attacks_has_a_weight() -> None:
    """The names of rules are the texts of both modules that the table has; none of a rule is left over."""
    sources = "".join((PHRASES / name).read_text("utf-8") for name in ("sides.py", "verbs.py"))
    written = {rule for rule in weights() if f'"{rule}"' in sources}
    assert weights().keys() - written == {f"named the {side}" for side in SIDES} | {
        "clause of attack",
        "clause of hold",
    }
