"""The classic map is right, and territories are read by their names."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UserError
from bot.languages import LANGUAGES, speaking
from bot.maps.map import Border, Map, Names, common_form
from bot.maps.reading import load_maps
from tests.helpers.cases import each
from tests.helpers.documents import ROOT

NOWHERE = Path("nowhere")
CLASSIC = load_maps(own=NOWHERE)["classic"]
SMALL = ROOT / "tests" / "data" / "maps" / "islands.toml"
ISLANDS = load_maps(SMALL.parent, NOWHERE)["islands"]

# The classic map -----------------------------------------------------------------------------------------

BONUSES = {
    "north_america": (5, 9),
    "south_america": (2, 4),
    "europe": (5, 7),
    "africa": (3, 6),
    "asia": (7, 12),
    "australia": (2, 4),
}
"""The bonus of each continent and the number of its territories, from the encyclopedia's list of territories."""
NEIGHBOURS = """
    Alaska 3, Alberta 4, Central America 3, Eastern United States 4, Greenland 4, Northwest Territory 4, Ontario 6,
    Quebec 3, Western United States 4;
    Argentina 2, Brazil 4, Peru 3, Venezuela 3;
    Great Britain 4, Iceland 3, Northern Europe 5, Scandinavia 4, Southern Europe 6, Ukraine 6, Western Europe 4;
    Congo 3, East Africa 6, Egypt 4, Madagascar 2, North Africa 6, South Africa 3;
    Afghanistan 5, China 6, India 4, Irkutsk 4, Japan 2, Kamchatka 5, Middle East 6, Mongolia 5, Siam 3, Siberia 5,
    Ural 4, Yakutsk 3;
    Eastern Australia 2, Indonesia 3, New Guinea 3, Western Australia 3
"""
"""How many neighbours each territory has.

They were counted in a third program, a German one that has a list of neighbours for each territory. It lacks the border
of East Africa and the Middle East, as the board of the 40th anniversary does, which is added here.
"""
GATES = {
    ("africa", "asia"): "east_africa-middle_east egypt-middle_east",
    ("africa", "europe"): "egypt-southern_europe north_africa-southern_europe north_africa-western_europe",
    ("africa", "south_america"): "brazil-north_africa",
    ("asia", "australia"): "indonesia-siam",
    ("asia", "europe"): """
        afghanistan-ukraine middle_east-southern_europe middle_east-ukraine ukraine-ural""",
    ("asia", "north_america"): "alaska-kamchatka",
    ("europe", "north_america"): "greenland-iceland",
    ("north_america", "south_america"): "central_america-venezuela",
}
"""All borders between two continents."""


def continent_of(key: str) -> str:
    return next(continent.key for continent in CLASSIC.continents.values() if key in continent.territories)


def test_the_classic_map_has_42_territories_6_continents_and_83_borders() -> None:
    assert {key: (one.bonus, len(one.territories)) for key, one in CLASSIC.continents.items()} == BONUSES
    assert (len(CLASSIC.territories), len(CLASSIC.borders)) == (42, 83)


def test_every_territory_has_as_many_neighbours_as_on_the_board() -> None:
    expected = {name: int(count) for name, count in re.findall(r"(\w[\w ]+) (\d)", NEIGHBOURS)}
    assert {CLASSIC.territories[key].name: len(near) for key, near in CLASSIC.neighbours.items()} == expected


def test_the_borders_between_continents() -> None:
    found: dict[tuple[str, ...], set[str]] = {}
    for border in CLASSIC.borders:
        ends = sorted((border.first, border.second))
        continents = tuple(sorted(map(continent_of, ends)))
        if len(set(continents)) == 2:
            found.setdefault(continents, set()).add("-".join(ends))
    assert found == {continents: set(borders.split()) for continents, borders in GATES.items()}


def test_borders_hold_both_ways_and_alaska_borders_kamchatka() -> None:
    for one, near in CLASSIC.neighbours.items():
        assert all(one in CLASSIC.neighbours[other] for other in near)
    assert [border for border in CLASSIC.borders if border.around] == [Border("alaska", "kamchatka", True)]


def test_australia_in_the_order_of_the_map() -> None:
    assert CLASSIC.continents["australia"].territories == tuple(list(CLASSIC.territories)[-4:])
    assert [one.name for one in CLASSIC.find("Australia")] == [
        *("Indonesia", "New Guinea", "Western Australia", "Eastern Australia"),
    ]


def test_no_two_lines_cross_and_none_goes_through_a_third_territory() -> None:
    at = {key: complex(*one.place) for key, one in CLASSIC.territories.items()}
    lines = [(one, other) for one, other, around in CLASSIC.borders if not around]
    for (a, b), (c, d) in combinations(lines, 2):
        crossing = (
            {turn(at[a], at[b], at[c]), turn(at[a], at[b], at[d])}
            == {True, False}
            == {
                *(turn(at[c], at[d], at[a]), turn(at[c], at[d], at[b])),
            }
        )
        assert not crossing or len({a, b, c, d}) < 4, (a, b, c, d)
    for a, b in lines:
        for key in set(at) - {a, b}:
            assert distance(at[key], at[a], at[b]) >= 3, (a, b, key)


def turn(start: complex, end: complex, point: complex) -> bool:
    """Whether a point is to the left of a line."""
    return ((end - start).conjugate() * (point - start)).imag > 0


def distance(point: complex, start: complex, end: complex) -> float:
    """The distance of a point from the nearest one of a line."""
    along = ((point - start) * (end - start).conjugate()).real / abs(end - start) ** 2
    return abs(point - start - min(max(along, 0), 1) * (end - start))


@each(LANGUAGES)
def test_no_label_covers_another(code: str) -> None:
    """A letter takes 0.8% of the width of the picture, and a line of text 4% of its height."""
    for one, other in combinations(CLASSIC.territories.values(), 2):
        across, down = (abs(a - b) for a, b in zip(one.place, other.place, strict=True))
        letters = len(one.names[code].short) + len(other.names[code].short)
        assert down >= 4 or across > letters / 2 * 0.8, (one.key, other.key)
        assert dist(one.place, other.place) >= 8


# Names ---------------------------------------------------------------------------------------------------


@each(
    [
        (code, typed, key)
        for typed, key in [
            ("Western Australia", "western_australia"),
            ("w aus", "western_australia"),
            ("W. Aus.", "western_australia"),
            ("western_australia", "western_australia"),
            ("Westaustralien", "western_australia"),
            ("west-australien", "western_australia"),
            ("Australia Occidental", "western_australia"),
            ("Западная Австралия", "western_australia"),
            ("з. австралия", "western_australia"),
            ("SIAM", "siam"),
            ("Southeast Asia", "siam"),
            ("Südostasien", "siam"),
            ("Suedostasien", "siam"),
            ("sudeste asiatico", "siam"),
            ("Сиам", "siam"),
            ("irkutzk", "irkutsk"),
            ("Mitteleuropa", "northern_europe"),
            ("Grossbritannien", "great_britain"),
            ("Ost-Kanada", "quebec"),
            ("Nordwest-Afrika", "north_africa"),
            ("russia", "ukraine"),
            ("Якутия", "yakutsk"),
            ("Medio Oriente", "middle_east"),
        ]
        for code in LANGUAGES
    ]
)
def test_territories_are_read_in_four_languages_for_every_reader(code: str, typed: str, key: str) -> None:
    with speaking(code):
        assert CLASSIC.territory(typed) is CLASSIC.territories[key]
        assert CLASSIC.find(typed) == (CLASSIC.territories[key],)


def test_a_reader_sees_names_in_their_own_language() -> None:
    shown = {}
    for code in LANGUAGES:
        with speaking(code):
            territory, continent = CLASSIC.territory("wus"), CLASSIC.continents["south_america"]
            shown[code] = territory.name, territory.short, continent.name
    assert shown == {
        "en": ("Western United States", "Western US", "South America"),
        "de": ("Weststaaten", "Weststaaten", "Südamerika"),
        "es": ("Estados Unidos Occidentales", "EE. UU. Occ.", "América del Sur"),
        "ru": ("Западные Штаты", "Зап. США", "Южная Америка"),
    }


def test_no_name_on_the_classic_map_has_two_meanings_in_two_languages() -> None:
    for part in (*CLASSIC.territories.values(), *CLASSIC.continents.values()):
        for code in LANGUAGES:
            for name in part.all_names(code):
                found = CLASSIC.find(name)
                assert [one.key for one in found] == [*getattr(part, "territories", [part.key])], name


@each(
    [
        ("en", "ukrain", "There is no `ukrain` on this map. Did you mean `Ukraine`?"),
        ("en", "Sima", "There is no `Sima` on this map. Did you mean `Siam`?"),
        (
            *("en", "east"),
            "There is no `east` on this map. "
            "Did you mean `Eastern United States`, `East Africa` or `Eastern Australia`?",
        ),
        ("en", "Atlantis", "There is no `Atlantis` on this map."),
        ("en", "", "There is no `…` on this map."),
        ("en", "`@everyone` <@1>", "There is no `everyone 1` on this map."),
        ("en", "a" * 99, f"There is no `{'a' * 40}` on this map."),
        ("de", "ukrain", "Auf dieser Karte gibt es kein `ukrain`. Meintest du `Ukraine`?"),
        ("es", "Ucrani", "En este mapa no hay `Ucrani`. ¿Querías decir `Ucrania`?"),
        ("ru", "Сиа", "На этой карте нет `Сиа`. Может быть, `Сиам`?"),
    ]
)
def test_an_unknown_territory_gets_similar_names(code: str, typed: str, sentence: str) -> None:
    with speaking(code), pytest.raises(UserError) as error:
        CLASSIC.find(typed)
    assert error.value.text == sentence


def test_a_continent_is_no_territory() -> None:
    with pytest.raises(UserError, match="There is no `Asia` on this map"):
        CLASSIC.territory("Asia")


def test_the_language_of_the_reader_decides_what_a_name_means() -> None:
    with speaking("de"):
        assert ISLANDS.territory("pier").key == "port"
    with speaking("es"):
        assert ISLANDS.territory("pier").key == "lake"
    with pytest.raises(UserError) as error:
        ISLANDS.territory("pier")
    assert error.value.text == "`pier` can mean `Old Port` or `Lake`."


def test_a_missing_translation_falls_back_to_the_english_name() -> None:
    assert ISLANDS.names == dict.fromkeys(LANGUAGES, "Islands")
    assert ISLANDS.territories["port"].names["es"] == Names("Old Port", "Old Port", ("harbour",))
    assert ISLANDS.territories["port"].names["de"] == Names("Alter Hafen", "Alter Hafen", ("Pier",))
    assert ISLANDS.territories["cape"].place == (20, 80.5)
    assert ISLANDS.neighbours["reef"] == ("port", "lake")


@given(st.text(max_size=60), st.sampled_from([*LANGUAGES]), st.sampled_from([CLASSIC, ISLANDS]))
def test_any_text_is_a_territory_or_a_sentence(text: str, code: str, on: Map) -> None:
    refused = []
    with speaking(code):
        for find in (on.find, on.territory):
            try:
                find(text)
            except UserError as error:
                refused.append(error.text)
    assert all(sentence.count("`") % 2 == 0 and "@" not in sentence and "\n" not in sentence for sentence in refused)


@given(st.text(alphabet="aeouäöüßéñ -'ЁёЙй", max_size=20))
def test_capitals_and_spaces_make_no_difference(text: str) -> None:
    assert common_form(text) == common_form(text.upper().lower()) == common_form(f" {text.title()}-")
