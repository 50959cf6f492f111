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
from tests.helpers.bot.lines import explicit, parse
from tests.helpers.examples import examples

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
    values = {key: draw(st.sampled_from([0, 1, 2.5, 7])) for key in targets} if aim == "value" else None
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
def test_a_line_means_the_same_where_other_games_are_usual(conquest: Conquest) -> None:
    defaults = NotationDefaults(game="2210", behind=1)
    with reading_with(defaults):
        assert parse(explicit(write_conquest(conquest), defaults)).battle == conquest


@given(wild)
@examples(200)
def test_whatever_is_typed_behind_a_start_is_a_conquest_or_an_error_of_ours(text: str) -> None:
    for line in (f"12 siam > {text}", f"12 siam, {text} > 3 indonesia", f"12 siam > 3 indonesia leave:{text}"):
        try:
            battle = parse(line).battle
        except MatchupError:
            continue
        if isinstance(battle, Conquest):
            assert parse(write_conquest(battle)).battle == battle


@pytest.mark.parametrize(
    "line",
    ["20 > 5 > 4", "20 bombers:2 > 5 > 4", "12 9", "3 inf 2 arm vs 4 inf", "5 bom vs 20", "", "ukraine", "ukraine > 3"],
)
def test_lines_of_other_games_are_not_claimed(line: str) -> None:
    assert claims(line, {}) == Claim.NO


def test_every_territory_is_read_by_each_of_its_names() -> None:
    for territory in CLASSIC.territories.values():
        start = next(key for key in CLASSIC.territories if key != territory.key)
        for code in LANGUAGES:
            for name in territory.all_names(code):
                with speaking(code):
                    conquest = parse(f"5 {start.replace('_', ' ')} > 3 {name.replace('_', ' ')}").battle
                assert [target.name for target in conquest.targets] == [territory.key], name


def test_the_map_of_a_conquest_is_one_on_which_it_asks_the_same() -> None:
    conquest = parse(AUSTRALIA).battle
    assert map_of(conquest).key == "classic"
    shorter = replace(conquest, borders=conquest.borders[1:])
    with pytest.raises(Exception, match="don't have the map"):
        map_of(shorter)


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("12 siam > asutralia: 3 2 1 1", AUSTRALIA),
        ("12 siam > 3 indonesai", "12 siam > 3 indonesia"),
        ("12 siam > 3 indonesia varient:2210", "12 siam > 3 indonesia variant:2210"),
    ],
)
def test_a_slip_is_put_right(line: str, better: str) -> None:
    with pytest.raises(MatchupError) as caught:
        parse(line)
    assert write_conquest(parse(caught.value.better).battle) == better


def test_a_preset_is_a_plan_that_may_be_changed() -> None:
    saved = {"plan": "12 siam > 3 indonesia, 2 new guinea", "indonesia": "12 9"}
    assert write_conquest(parse("plan", saved).battle) == "12 siam > 3 indonesia, 2 new guinea"
    assert write_conquest(parse("plan most leave:2", saved).battle) == (
        "12 siam > 3 indonesia, 2 new guinea most leave:2"
    )
    assert write_conquest(parse("12 siam > 3 indonesia", saved).battle) == "12 siam > 3 indonesia"
