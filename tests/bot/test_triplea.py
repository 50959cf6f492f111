"""`sandtable edition` makes an edition and its opening of a map file of TripleA, and says what it leaves out."""

import tomllib
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.editions import editions
from bot.errors import UserError
from bot.foreign.triplea import MOST_BYTES, read_map_file
from bot.foreign.triplea_packs import make_edition
from bot.openings import read_opening
from tests.helpers.cases import check_each

HARBOUR = Path(__file__).parents[1] / "data" / "foreign" / "harbour.xml"
KEY = "harbour-war-our-club-s"
SEA = {"kind": "sea"}
UNITS = {
    "infantry": {"kind": "land", "attack": 1, "defence": 2, "cost": 3, "boost": {"attack": 2, "by": ["howitzer"]}},
    "tank": {"kind": "land", "attack": 3, "defence": 3, "cost": 5.5},
    "howitzer": {"kind": "land", "attack": 2, "defence": 2, "cost": 4},
    "flak_gun": {"kind": "land", "attack": 0, "defence": 0, "cost": 5, "antiaircraft": 2, "antiaircraft_hits": 2},
    "fighter": {"kind": "air", "attack": 3, "defence": 4, "cost": 10, "air_attack": 1, "air_defence": 2},
    "bomber": {
        **{"kind": "air", "attack": 4, "defence": 1, "cost": 12},
        **{"land_based": True, "raid": 0, "only_bases": True, "air_attack": 0},
    },
    "submarine": {
        **SEA,
        **{"attack": 2, "defence": 1, "cost": 6},
        **{"surprise": True, "hunted": True, "surprise_defence": False},
    },
    "transport": {**SEA, "attack": 0, "defence": 0, "cost": 7, "defenceless": True},
    "carrier": {**SEA, "attack": 0, "defence": 2, "cost": 16, "hits": 2, "carries": 2, "carries_damaged": 0},
    "battleship": {**SEA, "attack": 4, "defence": 4, "cost": 0, "bombards": True, "hits": 2},
}
RULES = {
    "bombardment": "TripleA's map file",
    "bombardment_first": True,
    "damage_stays": True,
    "land_rounds": 3,
    "base_points": 6,
    "land_attack": ["infantry", "howitzer", "tank", "fighter", "bomber"],
    "land_defence": ["flak_gun", "infantry", "howitzer", "tank", "bomber", "fighter"],
    "sea_attack": ["battleship", "submarine", "fighter", "bomber", "carrier", "transport"],
    "sea_defence": ["battleship", "submarine", "fighter", "carrier", "transport"],
}
LEFT_OUT = [
    "units that do not fight: factory, port",
    "armour: isMarine",
    "battleship: no price in the file",
    "battleship: hitPoints above 2",
    "armour: its support defence strength allied for infantry",
    "jetPower: movementBonus 2:fighter",
    "technologies without a known effect on a battle: shipyards",
    "planes that AA guns hit are not chosen in this game; here the owner's order of loss says which",
    "properties of the game: Always on AA",
    "the opening of 40+8: a name is 1 to 40 letters and digits, with spaces, dots, hyphens and apostrophes between",
    "the opening of 4 Sea Zone: that it has units of Reds, Blues",
]


def test_a_pack_has_what_the_map_file_says() -> None:
    made = make_edition(read_map_file(HARBOUR))
    pack = tomllib.loads(made.pack)[KEY]
    assert {name: {key: unit[key] for key in unit if key != "words"} for name, unit in pack["units"].items()} == UNITS
    assert {name: pack[name] for name in RULES} == RULES
    assert pack["units"]["tank"]["words"] == ["arm", "t", "tank", "armour", "armor"]
    changes = {key: list(table.values())[1] for key, table in pack["technologies"].items()}
    assert [changes[key]["name"] for key in ("jets", "heavy")] == ["jet_fighter", "heavy_bomber"]
    assert changes["jets"]["attack"] == 4
    assert changes["heavy"]["better_of_two"]
    assert changes["artillery"] == {"name": "artillery_howitzer", "words": ["artillery_howitzer"], "supports": 2}
    assert made.left_out == LEFT_OUT
    unwrapped = made.pack.replace("\n#  ", "")
    assert all(f"\n# - {row}\n" in unwrapped for row in LEFT_OUT)


def test_a_host_puts_an_edition_and_its_opening_beside_those_of_the_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, opening = tmp_path / "axis-harbour.toml", tmp_path / "opening.toml"
    words = ["edition", str(HARBOUR), "--to", str(pack), "--opening", str(opening)]
    assert main(words) == 0
    out = capsys.readouterr()
    assert out.out == ""
    assert f"variant:{KEY}" in out.err
    assert out.err.splitlines()[2:] == [f"- {row}" for row in LEFT_OUT]
    edition = editions(own=tmp_path)[KEY]
    assert edition.rules.table["tank"].cost == 5.5
    places = read_opening(edition, tomllib.loads(opening.read_text()), 1)
    assert places.sources == ("TripleA's map file Harbour War, our club's game 2.0",)
    assert [(place.name, place.nation, place.choices) for place in places.places.values()] == [
        ("The Docks", "Reds", ("4 inf 1 howitzer",)),
        ("Sea Zone 4", "Reds", ("2 sub 1 tra",)),
        ("Market", "Blues", ("",)),
        ("Hill 101", "Blues", ("",)),
    ]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"{pack} is there already, and an edition takes nothing's place.")


def one_unit(options: str, more: str = "") -> str:
    attachment = f'<attachment attachTo="a" javaClass="UnitAttachment">{options}</attachment>'
    return f'<game><info name="One"/>{more}<unitList><unit name="a"/></unitList>{attachment}</game>'


ATTACK = '<option name="attack" value="1"/>'


def test_a_file_that_is_unsafe_or_no_map_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "game.xml"

    def check(text: str, sentence: str) -> None:
        file.write_text(text)
        with pytest.raises(UserError) as error:
            make_edition(read_map_file(file))
        assert error.value.text.removeprefix(f"{file} ").startswith(sentence)
        assert error.value.text.endswith(".")

    entities = "cannot be read: a map file needs no entities, and this one declares some."
    check_each(
        [
            ('<!DOCTYPE g [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]><game>&b;</game>', entities),
            ('<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]><game>&a;</game>', entities),
            ('<!DOCTYPE g [<!ENTITY % a SYSTEM "http://127.0.0.1:1/a"> %a;]><game/>', entities),
            ("<a>" * 200, "cannot be read: its elements are nested more than 100 deep."),
            (f"<game>{' ' * MOST_BYTES}</game>", f"cannot be read: it has more than {MOST_BYTES} bytes."),
            ("", "is no XML: no element found"),
            ("<html/>", "is no map file of TripleA: it has no <game> with a <unitList>."),
            (one_unit(""), "An edition has 1 to 100 kinds of units that fight; this game has 0."),
            (
                one_unit(ATTACK, '<diceSides value="8"/>'),
                "The dice of this game have '8' faces; those of an edition have 6 or 12",
            ),
            (one_unit(ATTACK.replace("1", "one")), "The map file has 'one' where a whole number is wanted."),
            (one_unit(ATTACK.replace("1", "-1")), "This game makes no edition: units.ax.attack: the attack of a unit"),
        ],
        check,
    )


def test_strengths_above_the_faces_of_a_die_and_names_in_other_letters_make_an_edition(tmp_path: Path) -> None:
    file = tmp_path / "game.xml"
    options = ATTACK.replace("1", "8") + '<option name="isAir" value="true"/>'
    file.write_text(one_unit(options).replace('"One"', '" Гавань"'), "utf-8")
    made = make_edition(read_map_file(file))
    assert made.key == "map"
    assert tomllib.loads(made.pack)["map"]["name"] == "Гавань"
    assert tomllib.loads(made.pack)["map"]["units"]["ax"]["attack"] == 6


def test_an_edition_has_the_dice_of_its_map(tmp_path: Path) -> None:
    file = tmp_path / "game.xml"
    shots = '<option name="isAAforCombatOnly" value="true"/><option name="attackAAmaxDieSides" value="12"/>'
    file.write_text(one_unit(ATTACK.replace("1", "8") + shots, '<diceSides value="12"/>'))
    made = make_edition(read_map_file(file))
    pack = tomllib.loads(made.pack)["one"]
    assert (pack["faces"], pack["units"]["ax"]["attack"]) == (12, 8)
    assert not [row for row in made.left_out if "Sides" in row]


def test_an_edition_draws_planes_that_guns_hit_where_its_map_does(tmp_path: Path) -> None:
    file = tmp_path / "game.xml"
    shots = '<option name="isAAforCombatOnly" value="true"/>'
    for more, is_drawn in (("", True), ('<property name="Roll AA Individually" value="true"/>', False)):
        file.write_text(one_unit(ATTACK + shots, f'<property name="Random AA Casualties" value="true"/>{more}'))
        made = make_edition(read_map_file(file))
        assert tomllib.loads(made.pack)["one"].get("antiaircraft_at_random", False) is is_drawn
        assert any("planes that AA guns hit" in row for row in made.left_out) is not is_drawn
