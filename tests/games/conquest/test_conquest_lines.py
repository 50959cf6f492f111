"""Lines of conquests: text to conquest and back, and promises about what is typed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.base import Claim
from bot.games.conquest.notation.reading import claims
from bot.games.conquest.notation.writing import map_of, write_conquest
from bot.languages import LANGUAGES, speaking
from bot.maps.reading import load_maps
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from solver import Battle, Ships
from solver.conquest.conquest import Aim, Conquest
from tests.helpers.bot.any_line import wild
from tests.helpers.bot.lines import explicit, parse, parse_plans, write, write_plans
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick

CLASSIC = load_maps()["classic"]
KEYS = sorted(CLASSIC.territories)
RULES = [Battle(0, 0), Battle(0, 0, attack_ships=Ships(1, 2, 0)), Battle(0, 0, ties="attacker")]
AUSTRALIA = "12 siam > 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"


@st.composite
def conquests(draw: st.DrawFn) -> Conquest:
    """Any conquest on the classic map."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=2, max_size=7, unique=True))
    cut = draw(st.integers(1, len(keys) - 1))
    counts = st.integers(0, 500)
    starts = {key: draw(counts) for key in keys[:cut]}
    targets = {key: draw(counts) for key in keys[cut:]}
    leave = {key: draw(st.integers(0, 3)) for key in targets}
    aims: list[Aim] = ["all", "most", "value"]
    aim = draw(st.sampled_from(aims))
    values = {key: draw(st.integers(0, 10**12)) / 10**6 for key in targets} if aim == "value" else None
    rules = draw(st.sampled_from(RULES))
    return Conquest.of(CLASSIC.neighbours, starts, targets, leave, aim, values, rules)


@given(conquests())
def test_conquest_to_text_to_conquest_is_the_identity(conquest: Conquest) -> None:
    line = write_conquest(conquest)
    assert parse(line).battle == conquest
    assert write_conquest(parse(line.upper()).battle) == line


@given(conquests(), st.sampled_from(sorted(LANGUAGES)))
def test_a_canonical_line_is_read_alike_in_every_language(conquest: Conquest, language: str) -> None:
    with speaking(language):
        assert parse(write_conquest(conquest)).battle == conquest


@given(conquests())
@examples(50)
def test_a_conquest_means_the_same_where_another_game_is_usual(conquest: Conquest) -> None:
    defaults = NotationDefaults(game="2210", behind=1)
    with reading_with(defaults):
        assert parse(explicit(write_conquest(conquest), defaults)).battle == conquest


@given(wild)
@examples(pick(50, 200))
def test_any_text_behind_a_start_is_a_conquest_or_an_error(text: str) -> None:
    starts = f"12 siam, {text} > 3 indonesia", f"12, 8 {text} > 9", f"12, 8 > {text}"
    for line in (f"12 siam > {text}", f"12, 8 > 9 {text}", *starts, f"12 siam > 3 indonesia leave:{text}"):
        try:
            battle = parse(line).battle
        except MatchupError:
            continue
        if isinstance(battle, Conquest):
            assert parse(write_conquest(battle)).battle == battle


@each(
    {
        "12, 8 >": "How many armies",
        "12, 8 > 9 >": "`>`",
        "12, 8 > 9 > ? > 2": "`?`",
        ", 8 china > 3 india": "`,`",
    }.items()
)
def test_a_sign_without_a_number_is_refused(line: str, reason: str) -> None:
    with pytest.raises(MatchupError) as mistake:
        parse(line)
    assert reason in mistake.value.reason


@each(
    ["20 > 5 > 4", "20 bombers:2 > 5 > 4", "12 9", "3 inf 2 arm vs 4 inf", "5 bom vs 20", "", "ukraine", "ukraine > 3"]
)
def test_lines_of_other_games_are_not_claimed_as_conquests(line: str) -> None:
    assert claims(line, {}) == Claim.NO


def test_every_territory_is_read_by_each_of_its_names() -> None:
    for territory in CLASSIC.territories.values():
        start = next(key for key in CLASSIC.territories if key != territory.key)
        for code in LANGUAGES:
            for name in territory.all_names(code):
                with speaking(code):
                    conquest = parse(f"5 {start.replace('_', ' ')} > 3 {name.replace('_', ' ')}").battle
                assert [target.name for target in conquest.targets] == [territory.key], name


def test_the_map_of_a_conquest_has_its_borders() -> None:
    conquest = parse(AUSTRALIA).battle
    assert map_of(conquest).key == "classic"
    shorter = replace(conquest, borders=conquest.borders[1:])
    with pytest.raises(Exception, match="don't have the map"):
        map_of(shorter)


@each(
    [
        ("12 siam > asutralia: 3 2 1 1", AUSTRALIA),
        ("12 siam > 3 indonesai", "12 siam > 3 indonesia"),
        ("12 siam > 3 indonesia varient:2210", "12 siam > 3 indonesia variant:2210"),
    ]
)
def test_a_typo_in_a_conquest_is_corrected(line: str, better: str) -> None:
    with pytest.raises(MatchupError) as caught:
        parse(line)
    assert write_conquest(parse(caught.value.better).battle) == better


@each(
    [
        ("12 siam > 3 indonesia dice:3", "dice:3", ""),
        ("12 siam > 3 indonesia reshape:1", "reshape:1", ""),
        ("12 siam > 3 indonesia ties:foo leave:2", "ties:foo", "12 siam > 3 indonesia ties:attacker leave:2"),
        ("12 siam dbonus:x > 3 indonesia", "dbonus:x", "12 siam dbonus:1 > 3 indonesia"),
        ("12 siam > 3 indonesia behind:13", "behind:13", ""),
        ("12 siam > 3 indonesia variant:starwras", "variant:starwras", "12 siam > 3 indonesia variant:starwars"),
        ("12 siam > 3 indonesia, 5000 siberia", "5000", ""),
        ("8 china, 501 siam > 3 indonesia", "501", ""),
        ("12 siam > 3 indonesia value:indonesia=5", "indonesia=5", "12 siam > 3 indonesia value:5 indonesia"),
    ]
)
def test_a_mistake_in_a_conquest_is_shown_in_the_typed_line(line: str, wrong: str, better: str) -> None:
    with pytest.raises(MatchupError) as caught:
        parse(line)
    assert (caught.value.line, caught.value.line[caught.value.start : caught.value.end]) == (line, wrong)
    assert caught.value.better == better


@each(
    [
        ("12 siam > 3 india hold:3", "hold:4", "12 siam > 3 india hold:4 india"),
        (
            "12 siam > 3 india counter:8 china",
            "then fortify hold:3",
            "12 siam > 3 india then fortify hold:3 india counter:8 china",
        ),
        (
            "12 siam > 3 indonesia, 1 india value:2.5 india ties:attacker",
            "most leave:2",
            "12 siam > 1 india, 3 indonesia ties:attacker most leave:2",
        ),
        ("12, 8 > 9 > 4 leave:3", "leave:2", "12, 8 > 9 > 4 leave:2"),
    ]
)
def test_a_later_plan_of_a_turn_needs_only_what_changes(first: str, change: str, later: str) -> None:
    plans = parse_plans(f"{first} or {change}")
    assert write(plans.second.battle) == later
    assert parse_plans(write_plans(plans)) == plans


@each(["12 siam > australia: 3 2 1 1 india 3", "12 siam > 3 2 1 1 india 3", "12 siam > australia 3 2 1 1 india 3"])
def test_a_name_between_two_numbers_of_a_row_is_asked_back(line: str) -> None:
    with pytest.raises(MatchupError, match=r"Which number belongs to `india`\? A comma") as caught:
        parse(line)
    garrisons = "3 india, 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"
    assert caught.value.better == line.replace("1 india", "1, india")
    if "australia" in line:
        assert write_conquest(parse(caught.value.better).battle) == f"12 siam > {garrisons}"


def test_the_number_of_a_territory_beside_its_continent_is_its_own() -> None:
    for row in (" rest:7", ": 7 7 7"):
        for typed in (f"12 siam > 6 indonesia, australia{row}", f"12 siam > indonesia 6 > australia{row}"):
            assert write_conquest(parse(typed).battle) == (
                "12 siam > 6 indonesia, 7 new guinea, 7 western australia, 7 eastern australia"
            )
    with pytest.raises(MatchupError, match="in the line twice"):
        parse("12 siam > australia: 3 2 1 1, australia: 3 2 1 1")


@each(
    [
        ("value:2,5 indonesia", "Is that `2.5` or `2, 5`?"),
        ("value:0.1234567 indonesia", "up to 6 decimals"),
        ("value:0.0000001", "up to 6 decimals"),
        ("value:1000001 indonesia", "up to 1000000"),
        ("leave:2 europe", "No territory to take is in Europe"),
        ("value:2 europe", "No territory to take is in Europe"),
        ("leave:2 siam", "Siam isn't one of the territories to take"),
        ("leave:501", "whole number up to 500"),
        ("leave:1000000 indonesia", "whole number up to 500"),
        ("leave:indonesia", "`leave:2 indonesia`"),
        ("leave:", "`leave:` needs a whole number"),
    ]
)
def test_a_wrong_option_of_a_conquest_gets_a_sentence(options: str, told: str) -> None:
    with pytest.raises(MatchupError) as caught:
        parse(f"12 siam > 3 indonesia {options}")
    assert told in caught.value.text


def test_an_option_for_a_continent_holds_for_its_targets() -> None:
    assert write_conquest(parse("12 siam > 3 indonesia, 1 india leave:2 australia value:2.5 asia").battle) == (
        "12 siam > 1 india, 3 indonesia value:2.5 india leave:2 indonesia"
    )


def test_a_preset_of_a_conquest_may_be_changed() -> None:
    saved = {"plan": "12 siam > 3 indonesia, 2 new guinea", "indonesia": "12 9"}
    assert write_conquest(parse("plan", saved).battle) == "12 siam > 3 indonesia, 2 new guinea"
    assert write_conquest(parse("plan most leave:2", saved).battle) == (
        "12 siam > 3 indonesia, 2 new guinea most leave:2"
    )
    assert write_conquest(parse("12 siam > 3 indonesia", saved).battle) == "12 siam > 3 indonesia"
