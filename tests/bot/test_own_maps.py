"""A host's own maps need no code, and a wrong one is refused in a sentence."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.maps import reading
from bot.maps.map import Map
from bot.maps.reading import load_maps
from bot.settings import CONFIG
from tests.helpers import forked
from tests.helpers.cases import check_each
from tests.helpers.documents import ROOT
from tests.helpers.program import write_config

NOWHERE = Path("nowhere")
CLASSIC = load_maps(own=NOWHERE)["classic"]
SMALL = ROOT / "tests" / "data" / "maps" / "islands.toml"


def own(folder: Path, text: str | bytes, name: str = "club") -> Path:
    return write_config(folder, "maps", name, text)


def test_the_example_for_hosts_adds_a_map_without_code(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "hosting.md").read_text(), re.DOTALL)
    (example,) = (text for text in examples if "borders = " in text)
    found = load_maps(own=own(tmp_path, example, "harbour").parent)
    assert list(found) == ["classic", "harbour"]
    assert {key: len(near) for key, near in found["harbour"].neighbours.items()} == {"docks": 2, "market": 2, "fort": 2}
    assert found["harbour"].territory("Hafen").key == "docks"


def test_a_map_of_the_host_replaces_the_shipped_map_of_its_name(tmp_path: Path) -> None:
    found = load_maps(own=own(tmp_path, SMALL.read_bytes(), "classic").parent)
    assert found["classic"].territories == load_maps(SMALL.parent, NOWHERE)["islands"].territories


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
