"""JSON lines for programs: rule packs, paths, questions of every kind, and errors that name the field."""

import json
from fractions import Fraction
from typing import Any

import pytest

from bot.packs import load
from bot.settings import Settings
from solver import Battle, Pool, Ships, solve
from solver.path.odds import march, takes_all
from solver.path.path import Path
from tests.helpers.bot.answers import answers
from tests.helpers.bot.lines import parse

ALL_GAMES = (
    "risk, starwars, icons, axis1914, axis1940, axis1940-europe, axis1940-pacific, axis1941, axis1942, axisaa-classic,"
    " axisaa50, axisrevised"
)
RISK = {"game": "risk", "attackers": 12, "defenders": 9}
MARCH = {"game": "risk", "attackers": 20, "path": [5, 4]}


async def same(settings: Settings, document: dict[str, Any], line: str) -> None:
    """That a document and a line of the notation are answered alike, but for a remark about the line."""
    found, expected = await answers(settings, document, {"text": line})
    expected.pop("remark", None)
    assert "error" not in found or isinstance(found["error"], float), found
    assert found == expected


# Rule packs ---------------------------------------------------------------------------------------------


async def test_json_takes_every_variant_by_its_name(settings: Settings) -> None:
    keys = sorted(load())
    found = await answers(settings, *({"variant": key, "attackers": 5, "defenders": 4} for key in keys))
    assert found == [json.loads(json.dumps(solve(load()[key].battle(5, 4)).to_dict())) for key in keys]


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"variant": "2210"}, "variant:2210"),
    ({"variant": "2210", "attack": {"bonus": [1]}}, "variant:2210 abonus:1"),
    ({"variant": "2210", "attack": {"dice": [6]}}, "variant:2210 adice:6"),
    ({"variant": "bunker", "defence": {"bonus": []}}, "variant:bunker dbonus:0"),
    ({"variant": "bunker", "defence": {"clamp": None}}, "variant:bunker dclamp:none"),
    ({"variant": "war-god", "ties": "defender"}, "variant:war-god ties:defender"),
    ({"variant": "late-defence", "late": False}, "variant:late-defence late:no"),
    ({"variant": "late-defence"}, "late"),
    ({"variant": "blitz", "reshape": None}, "variant:blitz reshape:none"),
    ({"variant": "blitz"}, "reshape:0.05,1.3,0.1,1.8"),
    ({"reshape": {}}, "variant:blitz"),
    ({"variant": "wall", "stop": 3, "value": 40}, "variant:wall stop:3 value:40"),
]


async def test_json_changes_rules_of_a_variant(settings: Settings) -> None:
    for changes, words in CHANGES:
        await same(settings, {**RISK, **changes}, f"12 9 {words}")


async def test_json_with_a_variant_needs_no_game(settings: Settings) -> None:
    await same(settings, {"variant": "coin", "attackers": 3, "defenders": 2}, "3 2 icons:A,D")
    await same(settings, {"variant": "2210", "attackers": 3, "defenders": 2}, "3 2 variant:2210")


# Territories on a map ------------------------------------------------------------------------------------


async def test_a_conquest_is_fought_by_the_rules_of_a_variant(settings: Settings) -> None:
    turn = {"question": "conquer", "neighbours": {"a": ["b"]}, "starts": {"a": 7}, "targets": {"b": 5}}
    rules: list[dict[str, Any]] = [
        {},
        {"variant": "2210"},
        {"game": "starwars", "attack": {"bombers": 2}},
        {"variant": "late-defence"},
    ]
    found = await answers(settings, *({**turn, **rule} for rule in rules))
    battles = await answers(settings, *({"game": "risk", "attackers": 7, "defenders": 5, **rule} for rule in rules))
    for conquest, battle in zip(found, battles, strict=True):
        assert conquest["takes_all"] == pytest.approx(battle["attacker_wins"], rel=1e-12)
        assert conquest["fall"] == {"b": pytest.approx(conquest["takes_all"], rel=1e-12)}
        assert conquest["error"] == 0


async def test_a_wrong_conquest_does_not_stop_the_lines_after_it(settings: Settings) -> None:
    turn = {"question": "conquer", "neighbours": {"a": ["b"]}, "starts": {"a": 7}, "targets": {"b": 5}}
    wrong: list[dict[str, Any]] = [
        {"variant": "blitz"},
        {"variant": "nothing"},
        {"game": "axis1942"},
        {"neighbours": {"a": {"b": 1}}},
    ]
    found = await answers(settings, *({**turn, **rule} for rule in wrong), turn)
    assert [answer["error"] for answer in found[:-1]] == [
        "reshape: in a conquest best play decides when an attack ends, so this doesn't work here",
        'variant: there is no rule pack "nothing".',
        "question: for this game the question must be one of odds, units, order, army, throw, casualties, place, "
        'bombing, not "conquer"',
        'neighbours.a: this must be a list of names, not {"b": 1}',
    ]
    assert found[-1]["takes_all"] > 0


# Paths --------------------------------------------------------------------------------------------------


MARCHES: list[tuple[dict[str, Any], str]] = [
    (MARCH, "20 > 5 > 4"),
    ({**MARCH, "leave": [0]}, "20 > 5 > 4 leave:0"),
    ({**MARCH, "leave": [3, 9]}, "20 > 5 > 4 leave:3"),
    ({**MARCH, "stop": 3}, "20 > 5 > 4 stop:3"),
    ({**MARCH, "legs": [{}, {"variant": "wall"}]}, "20 > 5 > 4 variant:wall"),
    ({**MARCH, "variant": "2210"}, "20 variant:2210 > 5 > 4"),
    ({**MARCH, "variant": "2210", "legs": [{}, {"variant": "wall"}]}, "20 variant:2210 > 5 > 4 variant:wall"),
    (
        {**MARCH, "variant": "late-defence", "legs": [{"variant": "war-god"}, {}]},
        "20 variant:late-defence > 5 variant:war-god > 4",
    ),
    (
        {**MARCH, "variant": "2210", "attack": {"bonus": [1]}, "legs": [{}, {"variant": "wall"}]},
        "20 variant:2210 abonus:1 > 5 > 4 variant:wall",
    ),
    (
        {**MARCH, "legs": [{}, {"variant": "2210", "defence": {"bonus": [1]}}]},
        "20 > 5 > 4 variant:2210 dbonus:1",
    ),
    ({**MARCH, "legs": [{"late": True}, {"ties": "both"}]}, "20 > 5 late > 4 ties:both"),
    ({"variant": "coin", "attackers": 20, "path": [5, 4]}, "20 icons:A,D > 5 > 4"),
    (
        {"variant": "coin", "attackers": 20, "path": [5, 4], "legs": [{}, {"variant": "battle-dice"}]},
        "20 variant:coin > 5 > 4 variant:battle-dice",
    ),
    (
        {**MARCH, "game": "starwars", "attack": {"bombers": 1}, "legs": [{}, {"defence": {"capitals": 1}}]},
        "20 bombers:1 > 5 > 4 capitals:1",
    ),
]


async def test_json_and_chat_answer_paths_alike(settings: Settings) -> None:
    for document, line in MARCHES:
        await same(settings, document, line)


async def test_json_answers_paths_with_fractions(settings: Settings) -> None:
    path = parse("20 > 5 > 4").battle
    assert isinstance(path, Path)
    found, text, plain = await answers(settings, {**MARCH, "exact": True}, {"text": "20 > 5 > 4 exact"}, MARCH)
    assert found["takes_all_exact"] == str(takes_all(path))
    assert text == found
    assert {**plain, "takes_all_exact": found["takes_all_exact"]} == found
    assert plain == json.loads(json.dumps(march(path).to_dict()))


# Questions ----------------------------------------------------------------------------------------------


async def test_json_answers_need(settings: Settings) -> None:
    attack, defence, pack, path, wrong, large = await answers(
        settings,
        {"question": "need", "game": "risk", "defenders": 9},
        {"question": "need", "game": "risk", "attackers": 12, "side": "defenders", "chance": 0.9},
        {"question": "need", "variant": "late-defence", "defenders": 9, "chance": 0.5},
        {"question": "need", "game": "risk", "path": [5, 4, 2], "chance": 0.9},
        {"question": "need", "game": "risk", "path": [5], "chance": 2},
        {"question": "need", "game": "risk", "path": [250_000] * 3},
    )
    assert path["answer"] == 19
    assert "between 0 and 1" in wrong["error"]
    assert "too large" in large["error"]
    assert attack["answer"] == 13
    assert attack["counts"] == list(range(1, len(attack["chances"]) + 1))
    assert attack["chances"][12] == pytest.approx(solve(Battle(13, 9)).attacker_wins)
    assert defence["answer"] == 22
    assert defence["chances"][21] == pytest.approx(solve(Battle(12, 22)).defender_wins)
    assert pack["answer"] == 10


async def test_json_answers_table(settings: Settings) -> None:
    (found,) = await answers(settings, {**RISK, "question": "table", "attackers": 3, "defenders": 2})
    assert [[round(chance, 4) for chance in row] for row in found["attacker_wins"]] == [
        [0.4167, 0.1061],
        [0.7542, 0.3627],
        [0.9164, 0.6560],
    ]


async def test_json_answers_round(settings: Settings) -> None:
    whole, pack, icons, few = await answers(
        settings,
        {"question": "round", "game": "risk"},
        {"question": "round", "variant": "2210-attack"},
        {"question": "round", "game": "icons", "attackers": 1, "defenders": 1, "faces": ["A", "D"]},
        {"question": "round", "game": "risk", "attackers": 1, "defenders": 1},
    )
    assert whole["losses"] == [[0, 2, "1445/3888"], [1, 1, "2611/7776"], [2, 0, "2275/7776"]]
    assert pack["losses"][0] == [0, 2, "305/648"]
    assert icons["losses"] == [[0, 0, "3/4"], [1, 1, "1/4"]]
    assert few["losses"] == [[0, 1, "5/12"], [1, 0, "7/12"]]


async def test_json_answers_roll(settings: Settings) -> None:
    risk, ships, one = await answers(
        settings,
        {"question": "roll", "game": "risk", "dice": [6, 6]},
        {"question": "roll", "game": "starwars", "units": 2, "bombers": 1},
        {"question": "roll", "game": "risk", "units": 1},
    )
    assert (len(risk["weights"]), risk["total"]) == (21, 36)
    assert ships["weights"][-1] == [[7, 6], 1]
    assert one == {"weights": [[[face], 1] for face in range(1, 7)], "total": 6}


async def test_json_answers_advice(settings: Settings) -> None:
    ships, classic, none = await answers(
        settings,
        {"question": "advice", "game": "starwars", "attackers": 2, "defenders": 2, "attack": {"capitals": 1}},
        {**RISK, "question": "advice"},
        {**RISK, "question": "advice", "variant": "blitz"},
    )
    usual = solve(Battle(2, 2, attack_ships=Ships(capitals=1))).attacker_wins
    assert (ships["attacker"]["dice"], ships["attacker"]["most"]) == (1, 2)
    assert ships["attacker"]["usual"] == pytest.approx(usual)
    assert ships["attacker"]["best"] > usual
    assert classic["attacker"]["best"] == pytest.approx(classic["attacker"]["usual"])
    assert none == {"attacker": None, "defender": None}


async def test_json_answers_where_to_go_on_for_a_value(settings: Settings) -> None:
    (found,) = await answers(settings, {**RISK, "value": 6})
    assert found["worth_going_on"] == [1, 2, 3, 3, 5, 7, None, None, None]
    await same(settings, {**RISK, "value": 6}, "12 9 value:6")


async def test_json_text_may_ask_for_the_fraction(settings: Settings) -> None:
    exact, plain = await answers(settings, {"text": "3 2 exact"}, {"text": "3 2"})
    assert exact["attacker_wins_exact"] == "6610505/10077696"
    assert float(Fraction(exact["attacker_wins_exact"])) == pytest.approx(plain["attacker_wins"])
    assert "attacker_wins_exact" not in plain


async def test_json_text_may_ask_for_all_endings(settings: Settings) -> None:
    for line in ("3 inf 1 fig vs 2 inf 1 aa", "3 inf vs 2 inf then hold 1 arm"):
        usual = parse(line).battle.to_dict()
        await same(settings, {**usual, "all": True}, f"{line} all")
        await same(settings, {**usual, "all": True, "exact": True}, f"{line} exact all:money")


# Errors -------------------------------------------------------------------------------------------------


ONLY_AXIS = "`all` lists the endings of a battle of Axis & Allies."
WRONG: list[tuple[dict[str, Any], str]] = [
    ({**RISK, "variant": "chess"}, 'variant: there is no rule pack "chess".'),
    ({**RISK, "variant": 7}, "variant: there is no rule pack 7."),
    ({**RISK, "variant": ["2210", 7]}, 'variant: there is no rule pack ["2210", 7].'),
    ({**RISK, "variant": "d8,d10"}, "variant: `d8` and `d10` contradict each other: both set `adice`"),
    ({**RISK, "game": "icons", "variant": "2210"}, 'variant: 2210 is a rule pack of risk, not of "icons".'),
    ({**RISK, "variant": "2210", "attack": 7}, "attack: this must be an object, not 7"),
    (
        {**RISK, "variant": "2210", "attack": {"dices": [6]}},
        "attack.dices: there is no such field; the fields are bonus",
    ),
    (
        {"game": "risk", "question": "need", "defenders": 10**6},
        "`/need` works against up to ",
    ),
    (
        {"game": ["risk"], "attackers": 1, "defenders": 1},
        f'game: the game must be one of {ALL_GAMES}, not ["risk"]',
    ),
    ({"question": "bombing", "bombers": 3}, f"game: the game must be one of {ALL_GAMES}, not null"),
    ({"game": "revised", "waves": []}, f'game: the game must be one of {ALL_GAMES}, not "revised"'),
    ({**RISK, "path": [3]}, "defenders: put the defenders of a path in `path`"),
    ({"text": "/dice 3 2"}, "A text is a battle; /dice is asked with a `question` in a document."),
    ({"text": "12 9 || 13"}, "A text is one battle; give each plan a line of its own."),
    ({**RISK, "reshape": {}, "exact": True}, "exact: reshaped odds can't be fractions"),
    ({**RISK, "reshape": 7}, "reshape: this must be an object, not 7"),
    ({**RISK, "reshape": {"cut": 0.9}}, "reshape.cut: give a number from 0 to 0.49, not 0.9"),
    ({**RISK, "reshape": {"cuts": 0}}, ("reshape.cuts: there is no such field; the fields are certain, cut, ")),
    ({**MARCH, "legs": [{"variant": "coin"}, {}]}, "legs.0.attack.faces: there is no such field"),
    ({**MARCH, "legs": [{"variant": "chess"}, {}]}, 'variant: there is no rule pack "chess".'),
    ({**MARCH, "variant": "blitz"}, ("path: a path can't have `reserve`, `rounds`, `value` or reshaped odds")),
    ({**MARCH, "question": "table"}, "path: there is no such field"),
    ({**RISK, "legs": [{}]}, "legs: there is no such field"),
    (
        {**RISK, "question": "chess"},
        "question: the question must be one of odds, round, roll, table, need, advice, rounds, stops, not",
    ),
    ({"question": "round", **RISK, "late": True}, "late: with this rule a round has no odds of its own"),
    ({**RISK, "variant": None}, "variant: this needs a value, not null"),
    ({**MARCH, "legs": [{"variant": None}, {}]}, "legs.0.variant: this needs a value, not null"),
    ({"text": "12 9 variant:2200"}, "There is no variant called `2200`. Did you mean `variant:2210`?"),
    ({"text": "12 9 80%"}, "A chance such as `80%` works with `/need`."),
    ({"text": "20 > 5 rounds:3"}, "A path can't have `rounds`."),
    *(({"text": f"{line} all"}, ONLY_AXIS) for line in ("12 9", "20 > 5", "5 bom vs 20")),
    ({**RISK, "all": True}, "all: there is no such field"),
    ({"text": "12 9", "variant": "2210"}, "A line in the notation has nothing but its text"),
]


async def test_json_errors_name_their_field(settings: Settings) -> None:
    found = await answers(settings, *(document for document, _ in WRONG))
    for answer, (document, sentence) in zip(found, WRONG, strict=True):
        assert list(answer) == ["error"], document
        assert answer["error"].startswith(sentence)
        assert len(answer["error"]) < 300


async def test_json_changes_leave_the_variant_as_it_is(settings: Settings) -> None:
    """Reading a pack must leave the packs as they are for the next line."""
    before = load()["2210"].battle(5, 4)
    await answers(settings, {**RISK, "variant": "2210", "attack": {"dice": [4]}, "defence": {"bonus": [3]}})
    assert load()["2210"].battle(5, 4) == before
    assert before.attack == Pool((8, 6, 6))


@pytest.mark.parametrize(("side", "other"), [("attacker", "defender"), ("defender", "attacker")])
async def test_an_army_without_units_is_not_called_too_large(settings: Settings, side: str, other: str) -> None:
    wave = {side: {"units": {}}, other: {"units": {"infantry": 1}}}
    document = {"game": "axis1942", "theatre": "land", "waves": [wave], "question": "army", "recommend": {"side": side}}
    (found,) = await answers(settings, document)
    assert found == {"error": "There are no units to choose from."}


async def test_a_text_keeps_to_the_limit_on_bombarding_ships(settings: Settings) -> None:
    found, plain = await answers(settings, {"text": "1 ainf 2 bat vs 2 inf"}, {"text": "1 ainf 1 bat vs 2 inf"})
    remark = (
        "Left out 1 bat: only as many ships may bombard as units land from the sea (1942 rulebook, second edition)."
    )
    assert found == {**plain, "remark": remark}


# What people say ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("12 9 bombers:2", {"line": "12 9 bombers:2"}),
        ("my 12 against his 9", {"line": "12 9"}),
        ("how many do I need to beat 9 with 95%", {"line": "/need 9 95%"}),
        ("/need 9 95%", {"line": "/need 9 95%"}),
    ],
)
async def test_the_question_meaning_reads_a_phrase(settings: Settings, text: str, answer: dict[str, Any]) -> None:
    assert await answers(settings, {"question": "meaning", "text": text}) == [answer]


async def test_an_unclear_text_has_several_readings_or_an_error(settings: Settings) -> None:
    several, none = await answers(
        settings, {"question": "meaning", "text": "12 9 7"}, {"question": "meaning", "text": "hello there"}
    )
    assert several == {"readings": ["12 > 9 > 7 leave:1"], "offers": ["9 7", "12 7"]}
    assert isinstance(none["error"], str)


async def test_a_follow_up_needs_the_answer_that_it_goes_on_from(settings: Settings) -> None:
    said = {"question": "meaning", "text": "and with 3 more?"}
    after, alone = await answers(settings, {**said, "after": "12 9"}, said)
    assert after == {"line": "15 9"}
    assert alone == {
        "error": "That sounds like a follow-up, but I don't see to which answer. "
        "Reply to one of mine, or type the whole battle."
    }


@pytest.mark.parametrize("document", [{"text": 5}, {"text": ["12 9"]}, {}, {"text": "12 9", "game": "risk"}])
async def test_the_question_meaning_needs_a_text(settings: Settings, document: dict[str, Any]) -> None:
    (answer,) = await answers(settings, {"question": "meaning", **document})
    assert answer["error"].startswith("A meaning is that of a text:")
