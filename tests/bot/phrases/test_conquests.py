"""Phrases about territories of a map: each is read as it is meant, and no number of one is lost."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.maps.reading import load_maps
from bot.phrases.after.lines import WHICH_PLACE
from bot.phrases.after.reader import understand_after
from bot.phrases.canonical import canonical
from bot.phrases.conquest import reader
from bot.phrases.explain import explain
from bot.phrases.meaning import Understood
from bot.phrases.questions import LINE_ALONE
from bot.phrases.reader import understand
from bot.phrases.vocabulary import vocabularies
from bot.rooms import ROOMS
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick

FILE = Path(__file__).parents[2] / "data" / "phrases_conquest.jsonl"
PHRASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
CLEAR = [(phrase["say"], phrase["means"]) for phrase in PHRASES if phrase["means"]]
UNCLEAR = [phrase["say"] for phrase in PHRASES if not phrase["means"]]
AUSTRALIA = "3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"


def read(said: str, command: str = "", saved: dict[str, str] | None = None) -> Understood:
    return understand(ROOMS, said, saved=saved, command=command)


def lines_of(found: Understood) -> list[str]:
    return [line for line, _without in found.offers]


@each(pick(CLEAR[::2], CLEAR))
def test_each_phrase_has_its_canonical_line(said: str, means: str) -> None:
    assert read(said).line == canonical(ROOMS, means)


@each(UNCLEAR)
def test_an_unclear_phrase_is_asked_back(said: str) -> None:
    found = read(said)
    assert (found.line, found.why != "") == ("", True)


def test_there_are_phrases_in_every_language() -> None:
    assert min(Counter(phrase["lang"] for phrase in PHRASES)[language] for language in vocabularies()) >= 15


def test_a_neighbour_is_offered_as_an_enemy_that_strikes_back_or_as_a_target() -> None:
    found = read("12 from siam attack india 3, next to it china has 8")
    assert lines_of(found) == ["12 siam > 3 india counter:8 china", "12 siam > 8 china, 3 india"]


def test_a_list_of_wrong_length_is_asked_back_with_its_territories() -> None:
    found = read("can I take Australia from Siam with 12, they have 3 2 1")
    assert found.why == "Type a number for each: Indonesia, New Guinea, Western Australia, Eastern Australia."


@each(
    [
        "12 from siam against india 3, can I hold it against 8 in china",
        "12 siam take india 3, can I hold off 8 from china",
        "can I take and hold india 3 with 12 from siam against 8 from china",
        "if I take india 3 with 12 from siam can china 8 take it back",
        "if he counterattacks with 8 from China after I take India 3 with 12 from Siam",
        "wenn ich Indien 3 mit 12 aus Siam erobere, kann China mit 8 es zurückerobern",
        "si tomo India 3 con 12 desde Siam, puede contraatacar con 8 desde China",
        "12 von Siam gegen Indien 3, kann ich es gegen 8 in China halten",
        "12 desde Siam contra India 3, puedo aguantar contra 8 en China",
        "12 из Сиама против Индии 3, удержу ли я её против 8 в Китае",
    ]
)
def test_attacks_after_the_turn_are_read(said: str) -> None:
    assert read(said).line == "12 siam > 3 india counter:8 china"


@each(
    [
        "12 from siam against india 3, can I hold it?",
        "can I take and hold india 3 with 12 from siam",
        "take India 3 with 12 from Siam, can he take it back",
        "12 from Siam against India 3, can he take it back",
        "meine 12 aus Siam greifen Indien mit 3 an, kann ich es halten?",
        "ataco India 3 con 12 desde Siam, puedo mantenerla?",
        "атакую Индию 3 из Сиама 12, удержу ли я её?",
    ]
)
def test_holding_without_an_enemy_is_asked_back_with_the_turn_alone(said: str) -> None:
    found = read(said)
    assert (found.line, "`/conquer 12 siam > 3 india counter:8 afghanistan`" in found.why) == ("", True)
    assert lines_of(found)[0] == "12 siam > 3 india"
    fronts = read("12 und 8 gegen seine 9 von zwei Seiten, kann ich es halten")
    assert ("`/conquer 12, 8 > 9 hold:3`" in fronts.why, lines_of(fronts)[0]) == (True, "12, 8 > 9")
    assert read("he takes India with 3, can I take it back with 12 from Siam").line == "12 3"
    assert read("I'm sitting on 12 in Indonesia, 15 coming from Siam. will I survive").line == "15 12"
    assert read("12 aus Siam gegen Indien, das 3 halten").line == "12 3", "there the defenders hold it"


@each(
    [
        "how many do I need in Siam to take and hold India 3 against 8 from China",
        "wie viele brauche ich in Siam um Indien 3 zu erobern und gegen 8 aus China zu halten",
        "how many from Siam to take India 3, can he take it back with 8 from China",
    ]
)
def test_how_many_take_and_hold_is_read(said: str) -> None:
    assert read(said).line == "/need siam > 3 india counter:8 china"
    open_enemy = read("how many do I need in Siam to take India 3 and hold it")
    assert (open_enemy.line, "`/need siam > 3 india counter:8 afghanistan`" in open_enemy.why) == ("", True)


@each(
    [
        ("12 from siam against india 3, leave 3 there", ["12 siam > 3 india hold:3 india", "9 3"]),
        ("12 from siam to india 3 but keep 3 in siam", ["9 siam > 3 india"]),
        (
            "take indonesia 3 from siam with 12, fortify it with 5",
            ["12 siam > 3 indonesia then fortify hold:5 indonesia"],
        ),
        (
            "I take Siam with 10 against 4, he counters from India with 7",
            ["10 china > 4 siam counter:7 india", "10 indonesia > 4 siam counter:7 india"],
        ),
        (
            "12 siam take india 3 and china 4, hold it with 2",
            [f"12 siam > 4 china, 3 india hold:2 {where}" for where in ("china", "china, 2 india")],
        ),
        (
            "12 siam attack india 3, he hits back with 8",
            [f"12 siam > 3 india counter:8 {enemy}" for enemy in ("afghanistan", "china", "middle east")],
        ),
        (
            "14 brazil > 3 north africa then he attacks from egypt with 6",
            ["14 brazil > 3 north africa counter:6 egypt"],
        ),
        ("red takes india 3 from siam with 12, I counter from china with 8", ["12 siam > 3 india counter:8 china"]),
    ]
)
def test_what_is_open_about_the_time_after_a_turn_is_offered(said: str, offers: list[str]) -> None:
    assert (read(said).line, lines_of(read(said))) == ("", offers)


def test_an_example_keeps_what_is_held_after_the_turn() -> None:
    asked = read("12 from siam take australia and hold it with 3")
    assert (asked.line, asked.example) == ("", "12 siam > australia: 3 2 1 1 hold:3 australia")


def test_a_follow_up_changes_a_turn_or_asks_which_territory() -> None:
    held = "12 siam > 3 indonesia then fortify counter:8 new guinea"
    assert understand_after(ROOMS, "and with 3 more?", held).line == held.replace("12", "15")
    assert understand_after(ROOMS, "what if he has 5", "12, 8 > 9 leave:2").line == "12, 8 > 5 leave:2"
    asked = understand_after(ROOMS, "and with 3 more?", "8 china, 12 siam > 9 india")
    assert asked.why == WHICH_PLACE
    assert lines_of(asked)[:2] == ["11 china, 12 siam > 9 india", "8 china, 15 siam > 9 india"]


def test_a_missing_start_is_asked_back_with_the_possible_starts() -> None:
    found = read("can I take Australia with 12, they have 3 2 1 1")
    assert (found.why, lines_of(found)) == ("which start", [f"12 siam > {AUSTRALIA}"])
    south = read("can I take South America with 12, they have 2 each")
    starts = [line.partition(" >")[0] for line in lines_of(south)]
    assert starts == ["12 central america", "12 north africa", "12 2"]


def test_garrisons_come_from_a_preset() -> None:
    board = {"board": f"map:classic {AUSTRALIA}"}
    assert read("can I take Australia from Siam with 12").line == ""
    assert read("can I take Australia from Siam with 12", saved=board).line == f"12 siam > {AUSTRALIA}"
    boards = {**board, "other": "map:classic 9 indonesia"}
    assert read("board: can I take Australia from Siam with 12?", saved=boards).line == f"12 siam > {AUSTRALIA}"


def test_the_command_decides_the_question_of_a_conquest() -> None:
    said = "Australia from Siam with 12, they have 3 2 1 1"
    assert read(said, "conquer").line == f"12 siam > {AUSTRALIA}"
    assert read(said, LINE_ALONE).line == f"12 siam > {AUSTRALIA}"
    assert read("to take Australia from Siam, they have 3 2 1 1", "need").line == f"/need siam > {AUSTRALIA}"


def test_a_row_through_neighbours_is_a_path_and_may_be_a_conquest() -> None:
    found = read("go from Siam with 14: Indonesia 3, New Guinea 2, Western Australia 1")
    assert found.line == "14 > 3 > 2 > 1 leave:1"
    assert found.other == "14 siam > 3 indonesia, 2 new guinea, 1 western australia"


@each(
    [
        ("3 inf 2 arm vs japan 4 inf from china", "3 inf 2 arm vs 4 inf"),
        ("Japan attacks China, 12 vs 9", "12 9"),
        ("trying to break into Australia, 13 on Siam vs 8 on Indonesia", "13 8"),
        ("can I take Indonesia from Siam with 12, they have 3", "12 3"),
        ("30 through Asia: 8, 5, 3, 2", "30 > 8 > 5 > 3 > 2 leave:1"),
    ]
)
def test_place_names_beside_a_battle_make_no_conquest(said: str, line: str) -> None:
    assert (read(said).line, read(said).other) == (line, "")


@each(
    [
        ("Bob 12 > Anna 9", "12 9"),
        ("my 12 vs red 9", "12 9"),
        ("my 12 > japan 9", "12 9"),
        ("can Bob take Indonesia from Siam with 12, Anna has 3", "12 3"),
        ("take Indonesia from Bob with 12, he has 3", "12 3"),
        ("I attack Bob from Siam with 12, he has 3", "12 3"),
        ("kann ich Bob von Siam aus mit 12 angreifen, er hat 3", "12 3"),
    ]
)
def test_names_of_players_are_no_territories(said: str, line: str) -> None:
    assert read(said).line == line


@each(
    [
        ("siam > 3 atlantis", "need", "atlantis"),
        ("atlantis > 3 india", "need", "atlantis"),
        ("atlantis 12 > 3 india", "roll", "atlantis"),
        ("12 atlantis > 3 india or 14 atlantis > 3 india", "compare", "atlantis"),
        ("12 western > 3 siam", "", "western"),
        ("12 us > 3 siam", "", "us"),
        ("20 ukraine > 3 mars, 2 ural leave:2 80%", "", "mars"),
        ("can I take Atlantis from Siam with 12, they have 3", "", "atlantis"),
        ("kann ich mit 10 von Mordor aus Indien erobern, da stehen 3", "", "mordor"),
    ]
)
def test_an_unknown_territory_is_an_error_and_no_battle(said: str, command: str, name: str) -> None:
    found = read(said, command)
    assert (found.line, found.why.partition(" on this map")[0]) == ("", f"There is no `{name}`")


def test_a_mistyped_territory_gets_a_suggestion() -> None:
    why = read("can I take Brasl from Peru with 12, they have 3").why
    assert why == "There is no `brasl` on this map. Did you mean `Brazil`?"


def test_a_territory_that_does_not_border_the_start_is_named() -> None:
    found = read("can I take Brazil from Siam with 12, they have 3")
    assert (found.why, lines_of(found)) == ("Siam doesn't border Brazil.", ["12 3"])
    assert read("how many do I need in Siam to take Japan, they have 3").why == "Siam doesn't border Japan."


def test_missing_armies_are_asked_for_with_an_example() -> None:
    names = "Indonesia, New Guinea, Western Australia, Eastern Australia"
    lacking = read("can I take Australia from Siam with 14")
    assert lacking.why.startswith(f"How many armies hold {names}?")
    assert lacking.example == "14 siam > australia: 3 2 1 1"
    nothing = read("can I take Australia")
    assert nothing.why == f"Where does the attack start? How many armies attack? How many armies hold {names}?"
    assert read("can I take Australia with 12").why == f"Where does the attack start? How many armies hold {names}?"
    assert read("can I take Australia from Siam with 12, they have 4 2 1").example == "12 siam > australia: 4 2 1 1"
    assert read("can I take Australia from Siam with 12, they have 4 2 1 1 1").example == ""
    assert read("can I take Brazil and Japan from Siam with 12, they have 4 and 2").example == ""
    assert read("how many do I need in Siam to take Australia").example == "/need siam > australia: 3 2 1 1"


def test_a_row_of_names_and_numbers_is_a_conquest_or_a_path() -> None:
    found = read("siam 12 attacks indonesia 3 then new guinea 2")
    assert (found.line, found.other) == ("12 siam > 3 indonesia, 2 new guinea", "12 > 3 > 2 leave:1")


@each(
    [
        ("How many do I need in Siam to hold against 3 in Indonesia", "/need 3 vs"),
        ("how many should I put in Siam so he can't take it with 12 from India", "/need 12 vs"),
        ("how many must I leave in Siam when I take Indonesia, he has 12 in India", "/need 12 vs"),
        ("how many do I need in Siam if 12 attack from India", "/need 12 vs"),
        ("how many do I need in Siam so that 12 from India can't take it", "/need 12 vs"),
        ("wie viele brauche ich in Siam um gegen 12 aus Indien zu halten", "/need 12 vs"),
        ("cuántos necesito en Siam para aguantar contra 12 desde India", "/need 12 vs"),
        ("сколько нужно в Сиаме чтобы удержать против 12 из Индии", "/need 12 vs"),
    ]
)
def test_a_question_about_holding_a_territory_is_no_conquest(said: str, line: str) -> None:
    assert read(said).line == line


def test_conquer_and_roll_read_conquests() -> None:
    assert read("12 from siam to indonesia 3", "conquer").line == "12 siam > 3 indonesia"
    assert read("my 12 against his 9", "conquer").line == ""
    assert read("12 in Siam against Australia 3 2 1 1", "roll").line == f"/roll 12 siam > {AUSTRALIA}"
    assert read("my 12 in Siam vs his 3 in Indonesia", "roll").line == "/roll 12 3"


def test_a_value_belongs_to_the_territory_named_before() -> None:
    said = "Siam is worth 3, can I take Australia from Siam with 12, they have 3 2 1 1"
    assert read(said).why == "Siam isn't one of the territories to take."
    assert read("12 in Siam vs Australia 3 2 1 1, worth 3").why == "which territory"


def test_a_territory_is_read_in_other_cases_forms_and_with_typos() -> None:
    for name in ("AUSTRALIA", "australien", "Australiens", "Австралию", "oceanía", "austrailia"):
        assert read(f"12 in Siam vs {name} 3 2 1 1").line == f"12 siam > {AUSTRALIA}", name


def test_an_explanation_shows_the_places() -> None:
    lines = list(explain(ROOMS, "12 armies in Siam vs Australia 3 2 1 1"))
    assert "siam       where an attack starts: `siam`" in lines
    assert "australia  a place to take: `australia`" in lines
    assert lines[-1] == f"read as: 12 siam > {AUSTRALIA}"


def test_no_map_is_read_for_a_line_without_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "usual_maps", lambda: pytest.fail("a map is read"))
    for said in ("my 12 against his 9", "12 9 8", "can I win with 12 against 3 2 1 1?", "3 inf vs 2 inf each"):
        read(said)


NAMES = ("Siam", "Indonesia", "New Guinea", "Australia", "China", "India", "Peru", "South America")
WORDS = ("from", "in", "with", "and", ",", "they have", "I have", "take", "vs", "each", "the rest", "(", ")", ":", ".")
HOLDING = ("hold it with", "keep", "leave", "there", "fortify", "he hits back")
pieces = st.lists(st.sampled_from((*NAMES, *WORDS, *HOLDING)) | st.integers(2, 40).map(str), min_size=3, max_size=14)


@given(pieces)
@examples(300)
def test_no_number_of_a_phrase_is_lost(said: list[str]) -> None:
    line = read(" ".join(said)).line
    if re.search(r"> \d+ [a-z]", line):
        assert {word for word in said if word.isdecimal()} <= set(re.findall(r"\d+", line))


@each(
    [("12 из Китая против 9", "китая"), ("12 from China against 9 in Siam", "china siam"), ("12 vs 9 war brazil", "")]
)
def test_a_place_that_makes_no_difference_for_a_battle_is_named(said: str, places: str) -> None:
    assert understand(ROOMS, said).remark == (f"Left out: `{places}`." if places else "")


def test_every_language_has_the_words_of_conquests() -> None:
    for language, known in vocabularies().items():
        assert {"from", "at", "want", "take", "each", "rest", "most", "counted"} <= known.conquest.keys(), language


def test_every_territory_of_the_map_is_read_in_its_language() -> None:
    """In its own language each name is a place where an attack may start, or what it takes."""
    classic = load_maps()["classic"]
    for number, language in enumerate(vocabularies()):
        words = {"en": "from", "de": "von", "es": "desde", "ru": "из"}[language]
        for territory in pick([*classic.territories.values()][number::4], [*classic.territories.values()]):
            near = ", ".join(
                f"3 {classic.territories[key].names[language].name}" for key in classic.neighbours[territory.key]
            )
            line = understand(ROOMS, f"20 {words} {territory.names[language].name}: {near}", language).line
            assert line.startswith((f"20 {territory.key.replace('_', ' ')} > ", "20 > ")), (
                language,
                territory.key,
                line,
            )
