"""Maps: the classic one is right, a host's own need no code, and a wrong one is refused in a sentence."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UserError
from bot.languages import LANGUAGES, speaking
from bot.maps import reading
from bot.maps.map import Border, Map, Names, common_form
from bot.maps.reading import load_maps
from bot.settings import CONFIG
from tests.helpers import forked
from tests.helpers.cases import check_each, each
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


# A host's own --------------------------------------------------------------------------------------------


def own(folder: Path, text: str | bytes, name: str = "club") -> Path:
    file = folder / "config" / "maps" / f"{name}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_the_example_for_hosts_adds_a_map_without_code(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "hosting.md").read_text(), re.DOTALL)
    (example,) = (text for text in examples if "borders = " in text)
    found = load_maps(own=own(tmp_path, example, "harbour").parent)
    assert list(found) == ["classic", "harbour"]
    assert {key: len(near) for key, near in found["harbour"].neighbours.items()} == {"docks": 2, "market": 2, "fort": 2}
    assert found["harbour"].territory("Hafen").key == "docks"


def test_a_map_of_the_host_replaces_the_shipped_map_of_its_name(tmp_path: Path) -> None:
    found = load_maps(own=own(tmp_path, SMALL.read_bytes(), "classic").parent)
    assert found["classic"].territories == ISLANDS.territories


def test_the_folder_of_maps_of_a_checkout_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def reading_file(file: Path) -> Map:
        read.append(file)
        return CLASSIC

    monkeypatch.setattr(reading, "_read", reading_file)
    monkeypatch.chdir(ROOT)
    load_maps.cache_clear()
    load_maps()
    load_maps.cache_clear()
    assert read == [CONFIG / "maps" / "classic.toml"]


# What is wrong -------------------------------------------------------------------------------------------

TEXT = SMALL.read_text()
REEF = '[territories.reef]\nplace = [90, 80]\nen = "Reef"'


def test_a_wrong_map_is_refused_with_file_key_and_reason(tmp_path: Path) -> None:
    def check(old: str, new: str, sentence: str) -> None:
        assert TEXT.count(old) == 1
        file = own(tmp_path, TEXT.replace(old, new))
        with pytest.raises(UserError) as error:
            load_maps(own=file.parent)
        assert error.value.text.startswith(f"{file}, {sentence}")
        assert error.value.text.endswith(".")

    check_each(
        [
            ('["lake", "reef"]]', '["lake", "rief"]]', 'borders: there is no territory "rief".'),
            ('["lake", "reef"]]', '["lake", 3]]', "borders: there is no territory 3."),
            ('["lake", "reef"]]', '["lake", "lake"]]', "borders: lake cannot be its own neighbour."),
            ('["lake", "reef"]]', '["lake", "hill"]]', "borders: the border of lake and hill is written twice."),
            ('[["reef", "port"]]', '[["reef", "lake"]]', "around: the border of reef and lake is written twice."),
            (
                '[["reef", "port"]]',
                '["reef", "port"]',
                'around: a border is a pair such as ["siam", "india"], not "reef".',
            ),
            ('[["reef", "port"]]', "3", 'around: it must be a list of pairs such as ["siam", "india"], not 3.'),
            (', ["lake", "reef"]]\naround = [["reef", "port"]]', "]", "borders: they lead nowhere from port to reef."),
            ('"cape", "reef"]', '"cape"]', "continents: reef is in none of them."),
            (
                '["lake", "hill"]',
                '["lake", "hill", "reef"]',
                "continents.lowland.territories: reef is in upland already.",
            ),
            ('["lake", "hill"]', '["lake", "rief"]', 'continents.upland.territories: there is no territory "rief".'),
            ('["lake", "hill"]', "[]", "continents.upland.territories: it must be a list of the keys of territories."),
            ('["lake", "hill"]', '["lake", "lake"]', "continents.upland.territories: lake is written twice."),
            ('en = "Reef"', 'en = "Most"', 'territories.reef.en: "most" means something else in lines.'),
            (
                'en = "Reef"',
                'en = "Reef"\nde = "West All"',
                'territories.reef.de: "all" means something else in lines.',
            ),
            (
                'en = "Reef"',
                'en = { name = "Reef", also = ["Map Rest"] }',
                'territories.reef.en: "map" means something else in lines.',
            ),
            ('en = "Reef"', 'en = "From Afar"', 'territories.reef.en: "from" means something else in lines.'),
            ("bonus = 2", 'bonus = "2"', 'continents.upland.bonus: it must be a whole number from 0 to 99, not "2".'),
            ("bonus = 2", "bonus = 2.5", "continents.upland.bonus: it must be a whole number from 0 to 99, not 2.5."),
            ("bonus = 2", "bonus = true", "continents.upland.bonus: it must be a whole number from 0 to 99, not true."),
            ("bonus = 2", "bonus = -1", "continents.upland.bonus: it must be a whole number from 0 to 99, not -1."),
            ("bonus = 2\n", "", "continents.upland.bonus: it must be a whole number from 0 to 99, not null."),
            (
                "bonus = 2",
                "bonus = 2\nbonsu = 3",
                "continents.upland.bonsu: there is no such field; the fields are en, de, ",
            ),
            ("[90, 80]", "[90, 101]", "territories.reef.place: it must be two numbers from 0 to 100, not [90, 101]."),
            ("[90, 80]", "[-1, 80]", "territories.reef.place: it must be two numbers from 0 to 100, not [-1, 80]."),
            ("[90, 80]", "[nan, 80]", "territories.reef.place: it must be two numbers from 0 to 100, not [NaN, 80]."),
            ("[90, 80]", "[90]", "territories.reef.place: it must be two numbers from 0 to 100, not [90]."),
            ("place = [90, 80]\n", "", "territories.reef.place: it must be two numbers from 0 to 100, not null."),
            (
                "[90, 80]",
                "[53, 82]",
                "territories.reef.place: it is too close to the place of lake; the least distance is 4.",
            ),
            ('en = "Reef"', 'en = "Cape"', 'territories.reef.en: "Cape" is a name of territories.cape already.'),
            ('en = "Reef"', 'en = "H-i-l-l"', 'territories.reef.en: "H-i-l-l" is a name of territories.hill already.'),
            ('en = "Reef"', 'en = "Upland"', 'continents.upland.en: "Upland" is a name of territories.reef already.'),
            (
                'en = "Reef"',
                'en = { name = "Reef", also = ["Four Winds"] }',
                'territories.reef.en: "Four Winds" is a name of territories.hill already.',
            ),
            (
                'en = "Reef"',
                'en = "Reef"\nru = "Мыс"',
                'territories.reef.ru: "Мыс" is a name of territories.cape already.',
            ),
            ('en = "Reef"', 'de = "Riff"', "territories.reef.en: it is missing."),
            ('en = "Reef"', "en = 3", "territories.reef.en: a name is a text of 1 to 32 letters, not 3."),
            ('en = "Reef"', "en = {}", "territories.reef.en.name: a name is a text of 1 to 32 letters, not null."),
            ('en = "Reef"', 'en = ""', 'territories.reef.en: a name is a text of 1 to 32 letters, not "".'),
            ('en = "Reef"', f'en = "{"r" * 33}"', "territories.reef.en: a name is a text of 1 to 32 letters, not "),
            ('en = "Reef"', 'en = "<@1>"', "territories.reef.en: a name is letters with spaces, dots, hyphens and "),
            (
                'en = "Reef"',
                'en = "@everyone"',
                "territories.reef.en: a name is letters with spaces, dots, hyphens and ",
            ),
            ('en = "Reef"', 'en = "re`ef"', "territories.reef.en: a name is letters with spaces, dots, hyphens and "),
            (
                'en = "Reef"',
                'en = "reef > sea"',
                "territories.reef.en: a name is letters with spaces, dots, hyphens and ",
            ),
            ('en = "Reef"', 'en = "Reef 9"', "territories.reef.en: a name is letters with spaces, dots, hyphens and "),
            (
                'en = "Reef"',
                'en = "reef\\nsea"',
                "territories.reef.en: a name is letters with spaces, dots, hyphens and ",
            ),
            (
                'en = "Reef"',
                'en = "reef\\u202e"',
                "territories.reef.en: a name is letters with spaces, dots, hyphens and ",
            ),
            ('en = "Reef"', 'en = "reef "', "territories.reef.en: a name is letters with spaces, dots, hyphens and "),
            (
                'en = "Reef"',
                'en = "The Reef in the Far West"',
                'territories.reef.en.short: it is missing, and "The Reef in the Far West" is longer than 12 letters.',
            ),
            (
                'en = "Reef"',
                'en = { name = "Reef", short = "The Reef in the Far West" }',
                'territories.reef.en.short: a name is a text of 1 to 12 letters, not "The Reef in the Far West".',
            ),
            (
                'en = "Reef"',
                'en = { name = "Reef", also = "Riff" }',
                "territories.reef.en.also: it must be a list of 20 names at most.",
            ),
            (
                'en = "Reef"',
                'en = { name = "Reef", also = ["x, y"] }',
                "territories.reef.en.also: a name is letters with spaces, dots, hyphens and ",
            ),
            (
                'en = "Reef"',
                'en = { name = "Reef", aliases = [] }',
                "territories.reef.en.aliases: there is no such field; the fields are name, short, also.",
            ),
            (
                REEF,
                REEF.replace("reef", "Reef"),
                'territories."Reef": a key is 2 to 32 small letters from a to z, with ',
            ),
            (REEF, REEF.replace("reef", "r"), 'territories."r": a key is 2 to 32 small letters from a to z, with '),
            (
                REEF,
                REEF.replace("en =", "fr ="),
                "territories.reef.fr: there is no such field; the fields are en, de, es, ru, ",
            ),
            (REEF, "[territories]\nreef = 3", "territories.reef: it must be a table of fields, not 3."),
            (
                TEXT[TEXT.index("[territories") :],
                "",
                "territories: there must be a table for each, such as [territories.siam].",
            ),
            ('en = "Islands"\n', "", "en: it is missing."),
            ('en = "Islands"', 'en = "Islands"\nde = 3', "de: a name is a text of 1 to 32 letters, not 3."),
            ('source = "made for tests"\n', "", "source: it must be a text of 1 to 300 letters."),
            (
                "around =",
                "around_the_edge =",
                "around_the_edge: there is no such field; the fields are en, de, es, ru, ",
            ),
        ],
        check,
    )


def test_a_map_of_more_than_200_territories_is_refused(tmp_path: Path) -> None:
    keys = ["".join(letters) for letters in combinations("abcdefghij", 4)][:201]
    tables = "".join(f'[territories.{key}]\nplace = [0, 0]\nen = "{key}"\n' for key in keys)
    file = own(tmp_path, f'en = "Many"\nsource = "us"\n{tables}')
    with pytest.raises(UserError) as error:
        load_maps(own=file.parent)
    assert error.value.text == f"{file}, territories: there are 201, and 200 are the most."


def test_a_map_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    def check(text: str | bytes) -> None:
        file = own(tmp_path, text)
        with pytest.raises(UserError, match=re.escape(f"{file} cannot be read: ")):
            load_maps(own=file.parent)

    check_each(["[", b"\xff", "a = " + "[" * 9_999], check)


def test_a_map_file_with_a_wrong_name_is_refused(tmp_path: Path) -> None:
    file = own(tmp_path, TEXT, "My Map")
    with pytest.raises(
        UserError, match=re.escape(f"{file}: a name is 2 to 24 small letters, digits and single hyphens")
    ):
        load_maps(own=file.parent)


def test_the_bot_does_not_start_with_a_wrong_map(tmp_path: Path) -> None:
    def check(face: str) -> None:
        own(tmp_path, TEXT.replace("bonus = 2", "bonus = 100"))
        done = forked.run("bot", face, folder=tmp_path, environment={"SANDTABLE_DATA": str(tmp_path / "data")})
        sentence = b"config/maps/club.toml, continents.upland.bonus: it must be a whole number from 0 to 99, not 100.\n"
        assert done.stderr.endswith(sentence)
        assert done.returncode == (2 if face == "check" else 78)

    check_each(["discord", "http", "check"], check)


def test_a_terminal_reads_no_maps(tmp_path: Path) -> None:
    own(tmp_path, "[")
    done = forked.run("bot", "12 9", folder=tmp_path, environment={"SANDTABLE_DATA": str(tmp_path / "data")})
    assert (done.returncode, done.stderr) == (0, b"")
