"""Openings of Axis & Allies: the data are whole, and the name of a place behind `vs` means who stands there."""

import re
from collections import Counter
from pathlib import Path

import pytest

from bot.discord_app.client import Client
from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.completion import army_completions
from bot.games.placing.notation import parse_placing
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.openings import EditionOpening, name_form, openings
from solver.placing.placing import Placing
from tests.fake_discord import FakeDiscord
from tests.helpers import forked
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import parse, parse_plans, wave_of, write
from tests.helpers.cases import check_each, each
from tests.helpers.program import write_config

NOWHERE = Path("nowhere")
SHIPPED = openings(own=NOWHERE)

# The data ------------------------------------------------------------------------------------------------

# What each nation has, counted in the first list of the sources, without the places that are left out.
TOTALS = {
    "1940": {
        "Germany": "36 inf 4 mec 8 art 9 arm 6 aa 5 fig 5 tac 2 bom 5 sub 1 tra 1 cru 1 bat",
        "Italy": "17 inf 1 mec 5 art 3 arm 4 aa 2 fig 1 bom 1 sub 3 tra 2 des 2 cru 1 bat",
        "Soviet Union": "24 inf 1 art 4 aa 1 fig",
        "France": "10 inf 2 art 2 arm 1 aa 1 fig",
        "United Kingdom": "23 inf 1 mec 1 art 9 aa 7 fig 1 tac 1 bom 1 tra 1 des 1 cru 1 bat",
        "ANZAC": "5 inf 1 art 2 aa 3 fig 1 tra 1 des 1 cru",
        "Japan": "37 inf 1 mec 8 art 1 arm 5 aa 11 fig 8 tac 2 bom 2 sub 3 tra 4 des 2 cru 3 acc 2 bat",
        "China": "17 inf 1 fig",
        "United States": "6 inf 1 mec 1 art 2 aa 5 fig 1 tac 2 sub 2 tra 3 des 2 cru 1 acc 1 bat",
        "Neutral": "56 inf",
    },
    "aa50": {
        "Soviet Union": "37 inf 2 art 1 arm 3 aa 1 sub",
        "Germany": "18 inf 3 art 7 arm 1 aa 4 fig 1 bom 3 sub 2 tra 1 cru",
        "Italy": "6 inf 2 art 3 arm 1 aa 1 fig 1 tra 2 cru 1 bat",
        "United Kingdom": "17 inf 4 art 3 arm 3 aa 3 fig 1 bom 4 tra 5 des 1 cru 1 bat",
        "Japan": "18 inf 1 art 1 arm 1 aa 9 fig 5 tra 1 des 1 cru 3 acc 1 bat",
        "China": "4 inf 1 fig",
        "United States": "9 inf 1 art 2 aa 4 fig 2 bom 3 tra 4 des 1 acc 1 bat",
    },
    "1942": {
        "Soviet Union": "21 inf 3 art 4 arm 2 aa 2 fig 1 sub",
        "Germany": "29 inf 4 art 12 arm 3 aa 6 fig 1 bom 2 sub 1 tra 1 bat",
        "United Kingdom": "17 inf 2 art 3 arm 2 aa 4 fig 1 bom 2 tra 2 des 1 cru 1 acc",
        "Japan": "25 inf 4 art 1 arm 1 aa 6 fig 1 bom 1 sub 2 tra 2 des 1 cru 2 acc 2 bat",
        "United States": "13 inf 1 art 1 arm 2 aa 5 fig 1 bom 1 sub 3 tra 3 des 1 cru 1 acc 1 bat",
    },
    "revised": {
        "Soviet Union": "24 inf 2 art 4 arm 2 aa 2 fig 1 sub",
        "Germany": "25 inf 4 art 10 arm 3 aa 6 fig 1 bom 3 sub 2 tra 1 des 1 bat",
        "United Kingdom": "14 inf 1 art 3 arm 2 aa 4 fig 1 bom 1 sub 4 tra 2 des 1 acc 2 bat",
        "Japan": "21 inf 1 art 1 arm 1 aa 6 fig 1 bom 1 sub 2 tra 1 des 2 acc 2 bat",
        "United States": "14 inf 1 art 1 arm 2 aa 5 fig 1 bom 1 sub 3 tra 2 des 1 acc 1 bat",
    },
    "aa-classic": {
        "Soviet Union": "19 inf 4 arm 2 aa 2 fig 1 sub 1 tra",
        "Germany": "19 inf 10 arm 3 aa 5 fig 1 bom 2 sub 2 tra 1 bat",
        "United Kingdom": "10 inf 3 arm 1 aa 3 fig 1 bom 1 sub 3 tra 2 bat",
        "Japan": "19 inf 1 arm 1 aa 5 fig 1 bom 1 sub 2 tra 1 acc 2 bat",
        "United States": "11 inf 1 arm 2 aa 4 fig 1 bom 1 sub 2 tra 1 acc 1 bat",
    },
}
SHIPS = {"sub", "tra", "des", "cru", "acc", "bat"}


def counted(units: str) -> Counter[str]:
    return Counter({word: int(count) for count, word in re.findall(r"(\d+) (\w+)", units)})


@each(SHIPPED)
def test_each_nation_has_the_units_of_its_first_list(key: str) -> None:
    found: dict[str, Counter[str]] = {}
    for place in SHIPPED[key].places.values():
        found.setdefault(place.nation, Counter()).update(counted(place.choices[0]))
    assert found == {nation: counted(units) for nation, units in TOTALS[key].items()}


@each(SHIPPED)
def test_ships_are_in_sea_zones_and_land_units_are_not(key: str) -> None:
    for place in SHIPPED[key].places.values():
        for units in map(counted, place.choices):
            assert (units.keys() <= SHIPS | {"fig", "tac"}) if "Sea Zone" in place.name else not (units.keys() & SHIPS)
        assert len(set(place.choices)) == len(place.choices)


@each(SHIPPED.values())
def test_every_place_with_undisputed_units_can_be_attacked(opening: EditionOpening) -> None:
    for name in opening.names:
        place = opening.places[opening.names[name]]
        ours = "3 sub 1 bat" if "Sea Zone" in place.name else "3 inf 2 arm"
        line = f"{ours} vs {normal(place.name)} variant:{opening.edition.key}"
        if len(place.choices) == 1 and place.choices[0]:
            reading = parse(line)
            assert reading.battle == parse(f"{ours} vs {place.choices[0]} variant:{opening.edition.key}").battle
            assert place.name in reading.remarks[0]
        else:
            with pytest.raises(MatchupError, match=re.escape(place.name)):
                parse(line)


# Lines ---------------------------------------------------------------------------------------------------


@each(
    [
        (
            "3 inf 2 arm 1 fig vs ukraine variant:revised",
            "3 inf 2 arm 1 fig vs 3 inf 1 art 1 arm 1 fig variant:revised",
        ),
        ("variant:revised 3 inf versus Ukraine S.S.R.", "3 inf vs 3 inf 1 art 1 arm 1 fig variant:revised"),
        ("3 inf v WEST-RUSSIA", "3 inf vs 3 inf 1 art 1 arm"),
        ("3 inf vs evenki national okrug retreat:win<40%", "3 inf vs 2 inf retreat:win<40%"),
        ("3 inf 2 tac vs holland variant:1940", "3 inf 2 tac vs 4 inf 2 art 3 arm 1 fig variant:1940"),
        ("2 sub against sz 17", "2 sub vs 1 des"),
        ("2 sub vs sea zone 17", "2 sub vs 1 des"),
        ("3 inf vs libya +2 inf -1 arm", "3 inf vs 3 inf"),
        ("3 inf vs libya loss:arm value:3", "3 inf vs 1 inf 1 arm loss:arm value:3"),
        ("5 inf vs libya then 3 arm", "5 inf vs 1 inf 1 arm then 3 arm"),
        ("3 inf vs germany 4 inf", None),
        ("3 inf vs 4 inf", "3 inf vs 4 inf"),
    ]
)
def test_a_place_of_the_opening_means_its_units(typed: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(MatchupError, match="I don't know `germany`"):
            parse(typed)
        return
    reading = parse(typed)
    assert reading.battle == parse(meant).battle
    assert parse(write(reading.battle)).battle == reading.battle
    assert not any(letters in write(reading.battle) for letters in ("ukraine", "libya", "russia", "sz"))


def test_units_in_options_beside_a_place_are_not_its_defenders() -> None:
    line = "3 inf 1 arm vs {} least:1inf,1arm"
    reading = parse(line.format("libya"), takes=("least",))
    assert reading.battle == parse(line.format("1 inf 1 arm"), takes=("least",)).battle
    with pytest.raises(MatchupError, match="The sources of this opening differ about Ukraine"):
        parse(line.format("ukraine"), takes=("least",))


def test_a_remark_names_place_nation_and_units_of_the_opening() -> None:
    remarks = parse("3 inf vs ukraine variant:revised").remarks
    assert remarks[0] == "Ukraine (Germany) in the opening of A&A Revised: `3 inf 1 art 1 arm 1 fig`"


def test_a_place_of_an_edition_chooses_that_edition() -> None:
    with reading_with(NotationDefaults(edition="revised")):
        battle = parse("3 inf vs balkans").battle
        assert wave_of("3 inf vs karelia variant:aa-classic").rules.key == "aa-classic"
    assert battle == parse("3 inf vs 2 inf 1 arm 1 fig variant:revised").battle


@each(
    [
        ("3 inf vs libya", {"libya": "2 inf vs 9 inf"}),
        ("libya vs karelia", {"libya": "2 inf vs 9 inf"}),
        ("3 inf vs west russia", {"west": "2 inf vs 9 inf"}),
        ("stack vs libya lowluck", {"stack": "6 inf vs 9 inf 1 aa"}),
        ("stack vs balkans", {"stack": "6 inf vs 9 inf variant:revised"}),
    ]
)
def test_a_preset_goes_before_a_place_of_the_same_name(line: str, saved: dict[str, str]) -> None:
    meant = {
        "3 inf vs libya": "3 inf vs 9 inf",
        "libya vs karelia": "2 inf vs 4 inf 1 art 1 fig",
        "3 inf vs west russia": "3 inf vs 3 inf 1 art 1 arm",
        "stack vs libya lowluck": "6 inf vs 1 inf 1 arm lowluck",
        "stack vs balkans": "6 inf vs 2 inf 1 arm 1 fig variant:revised",
    }
    assert parse(line, saved).battle == parse(meant[line]).battle


STACK = dict.fromkeys(("stack", "karelia"), "8 inf 3 art 4 arm 2 fig vs 6 inf 1 art 2 fig")
MARCH = {"march": "6 inf keep:1 rounds:3 vs 4 inf 1 aa gunslast then 2 arm then hold 1 fig"}
ISLAND = {"island": "9 inf vs 2 inf variant:1940"}


@each(
    [
        ("3 inf 2 arm vs karelia", "3 inf 2 arm vs 6 inf 1 art 2 fig", STACK),
        ("3i2t v stack", "3 inf 2 arm vs 6 inf 1 art 2 fig", STACK),
        ("3 inf 2 arm vs stack 1 inf +1 fig", "3 inf 2 arm vs 1 inf 1 art 3 fig", STACK),
        ("stack vs 2 inf", "8 inf 3 art 4 arm 2 fig vs 2 inf", STACK),
        ("stack vs belorussia", "8 inf 3 art 4 arm 2 fig vs 3 inf", STACK),
        ("stack vs karelia", STACK["stack"], STACK),
        ("vs 2 inf stack", "8 inf 3 art 4 arm 2 fig vs 2 inf 1 art 2 fig", STACK),
        ("stack vs +1 fig", "8 inf 3 art 4 arm 2 fig vs 6 inf 1 art 3 fig", STACK),
        ("2 inf stack", "2 inf 3 art 4 arm 2 fig vs 6 inf 1 art 2 fig", STACK),
        ("3 inf vs 2 inf then 4 arm vs stack", "3 inf vs 2 inf then 4 arm vs 6 inf 1 art 2 fig", STACK),
        ("3 inf vs 2 inf then 4 arm vs belorussia", "3 inf vs 2 inf then 4 arm vs 3 inf", {}),
        ("3 inf vs 2 inf then hold stack", "3 inf vs 2 inf then hold 8 inf 3 art 4 arm 2 fig", STACK),
        ("3 inf vs march", "3 inf vs 4 inf 1 aa gunslast", MARCH),
        ("march vs 2 inf", "6 inf keep:1 vs 2 inf rounds:3 then 2 arm", MARCH),
        ("march vs 2 inf then 1 fig", "6 inf keep:1 vs 2 inf rounds:3 then 2 arm then 1 fig", MARCH),
        ("3 inf vs island", "3 inf vs 2 inf variant:1940", ISLAND),
        ("3 inf vs island variant:1942", "3 inf vs 2 inf", ISLAND),
    ]
)
def test_a_preset_beside_vs_gives_its_army_of_that_side(line: str, means: str, saved: dict[str, str]) -> None:
    assert write(parse(line, saved).battle) == write(parse(means).battle)


def test_the_answer_says_which_army_of_a_preset_is_used() -> None:
    assert parse("3 inf vs stack", STACK).remarks == ("Only the defenders of the preset `stack` are used.",)
    assert parse("stack vs 3 inf", STACK).remarks == ("Only the attackers of the preset `stack` are used.",)
    assert parse("3 inf vs karelia", STACK).remarks == (
        "Only the defenders of the preset `karelia` are used, not those of Karelia in the opening of A&A 1942.",
    )
    assert parse("14 vs alamo", {"alamo": "12 9 stop:4"}).remarks == (
        "Only the defenders of the preset `alamo` are used.",
    )
    assert parse("vs karelia", STACK).remarks == (
        "The preset `karelia` is used, not Karelia in the opening of A&A 1942.",
    )
    for whole in ("stack", "karelia", "vs 2 inf stack", "stack rounds:2"):
        assert parse(whole, STACK).remarks == ()
    with pytest.raises(MatchupError, match="Use one preset at a time; `stack` is already one"):
        parse("stack karelia vs 3 inf", STACK)


def test_a_number_beside_vs_replaces_one_army_of_a_dice_preset() -> None:
    saved = {"fleet": "12 9 bombers:2 dcapitals:1 stop:4 ties:both", "coin": "3 4 icons:AA,D", "row": "20 > 5 > 4"}
    for line, means in {
        "14 vs fleet": "14 9 dcapitals:1 ties:both",
        "fleet vs 7": "12 7 bombers:2 stop:4 ties:both",
        "fleet vs capitals:2": "12 9 bombers:2 dcapitals:2 stop:4 ties:both",
        "5 vs coin": "5 4 icons:AA,D",
        "25 vs row": "25 > 5 > 4",
    }.items():
        assert write(parse(line, saved).battle) == write(parse(means).battle)


def test_a_preset_gives_one_army_to_an_attack_in_a_placing() -> None:
    attacks = "4 inf 2 arm vs karelia || stack vs belorussia || stack 2 inf"
    placing = parse_placing(f"place 8 inf || {attacks}", STACK)
    first, second, third = (write(territory.attack) for territory in placing.territories)
    assert first == "4 inf 2 arm vs 6 inf 1 art 2 fig"
    assert second == "8 inf 3 art 4 arm 2 fig vs 3 inf"
    assert third == "2 inf 3 art 4 arm 2 fig vs 6 inf 1 art 2 fig"


@each(
    [
        (
            "3 inf vs ukraine",
            "The sources of this opening differ about Ukraine: `3 inf 1 art 1 arm 1 fig 1 bom` or "
            "`3 inf 1 art 1 arm 1 fig`. Type the units.",
            "3 inf vs 3 inf 1 art 1 arm 1 fig 1 bom",
        ),
        (
            "3 inf vs kwangtung variant:revised",
            "The sources of this opening differ about Kwangtung: `3 inf` or nobody. Type the units.",
            "3 inf vs 3 inf variant:revised",
        ),
        ("3 inf vs gibraltar", "Nobody stands in Gibraltar in the opening of A&A 1942.", ""),
        ("3 inf vs karela", "I don't know `karela`. Did you mean `karelia`?", "3 inf vs karelia"),
        (
            "2 sub vs sea zone 110 variant:1940",
            "I don't know who stands in `sea zone 110` at the opening of A&A Global 1940.",
            "",
        ),
        ("3 inf vs wst russia", "I don't know `wst russia`. Did you mean `west russia`?", "3 inf vs west russia"),
        (
            "3 inf vs balkans",
            "I don't know who stands in `balkans` at the opening of A&A 1942.",
            "3 inf vs balkans variant:aa50",
        ),
        (
            "3 inf vs poland variant:revised",
            "I don't know who stands in `poland` at the opening of A&A Revised.",
            "3 inf vs poland variant:1942",
        ),
        (
            "3 arm vs moscow variant:1940",
            "I don't know who stands in `moscow` at the opening of A&A Global 1940.",
            "3 arm vs moscow variant:1942",
        ),
        (
            "3 inf vs balkans variant:1941",
            "I know who stands where at the opening of A&A Global 1940, A&A 1942, A&A Classic, A&A Anniversary, ",
            "3 inf vs balkans variant:aa50",
        ),
        ("3 inf vs libya los:inf", "I don't know `los`. Did you mean `loss`?", "3 inf vs libya loss:inf"),
        ("3 inf vs libya loss:zeb", "A&A 1942 has no unit `zeb`.", "3 inf vs libya"),
        ("3 inf vs ukraine variant:zeb", "There is no edition called `zeb`.", None),
    ]
)
def test_a_place_that_cannot_be_used_gets_a_sentence(line: str, reason: str, better: str | None) -> None:
    with pytest.raises(MatchupError) as error:
        parse(line)
    assert error.value.reason.startswith(reason)
    assert error.value.line == line
    assert better is None or error.value.better == better


def test_two_plans_and_placings_take_places_of_the_opening() -> None:
    first, second = parse_plans("5 inf 2 arm vs belorussia || vs west russia")
    assert second.battle == parse("5 inf 2 arm vs 3 inf 1 art 1 arm").battle != first.battle
    placing = parse("place 8 inf || 4 inf 2 arm vs karelia || 2 inf", own_commands=True).battle
    assert isinstance(placing, Placing)
    assert placing == parse("place 8 inf || 4 inf 2 arm vs 4 inf 1 art 1 fig || 2 inf", own_commands=True).battle


@each(
    [
        ("3 inf vs kar", "3 inf vs karelia"),
        ("3 inf vs west r", "3 inf vs west russia"),
        ("3 inf variant:revised vs bal", "3 inf variant:revised vs balkans"),
        ("3 inf vs ukr", "3 inf vs 3 inf 1 art 1 arm 1 fig"),
        ("2 sub vs sz 1", "2 sub vs sea zone 17"),
    ]
)
def test_places_of_the_opening_are_suggested(typed: str, completed: str) -> None:
    found = list(army_completions(typed, questions=False))
    assert completed in found
    assert "3 inf vs gibraltar" not in list(army_completions("3 inf vs gib", questions=False))


# As a chat -----------------------------------------------------------------------------------------------


async def test_answers_and_buttons_write_the_units_of_a_place(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 inf 2 arm vs Karelia")
    assert line_of(shown) == "3 inf 2 arm vs 4 inf 1 art 1 fig"
    assert "Karelia (Soviet Union) in the opening of A&A 1942: `4 inf 1 art 1 fig`" in shown.content
    saved = await alice.sends("preset save", name="north", matchup="3 inf 2 arm vs karelia")
    assert "`3 inf 2 arm vs 4 inf 1 art 1 fig`" in saved.content
    assert "3 inf 2 arm vs karelia" in [
        choice.value for choice in await alice.types("battle", matchup="3 inf 2 arm vs ka")
    ]
    await alice.sends("preset save", name="karelia", matchup="1 inf vs 7 inf")
    assert line_of(await alice.sends("battle", matchup="3 inf 2 arm vs karelia")) == "3 inf 2 arm vs 7 inf"


# A host's own --------------------------------------------------------------------------------------------

TEXT = """
sources = ["the box", "our club"]
[Britain]
"Sea Zone 3" = "2 infantry 1 f"
"Scapa Flow" = ""
[also]
"Orkney" = "Scapa Flow"
"""


def own(folder: Path, text: str, name: str = "1941") -> Path:
    return write_config(folder, "openings", name, text)


def test_a_host_adds_an_opening(tmp_path: Path) -> None:
    found = openings(own=own(tmp_path, TEXT).parent)
    assert set(found) == {*SHIPPED, "1941"}
    place = found["1941"].find("SZ3")
    assert place is not None
    assert (place.nation, place.choices) == ("Britain", ("2 inf 1 fig",))
    assert found["1941"].find("orkney") == found["1941"].find("scapa-flow")


def test_a_wrong_opening_is_refused_with_file_key_and_reason(tmp_path: Path) -> None:
    def check(old: str, new: str, sentence: str) -> None:
        assert TEXT.count(old) == 1
        file = own(tmp_path, TEXT.replace(old, new))
        with pytest.raises(UserError) as error:
            openings(own=file.parent)
        assert error.value.text.startswith(f"{file}, {sentence}")
        assert error.value.text.endswith(".")

    check_each(
        [
            ('["the box", "our club"]', "[]", "sources: an opening needs 1 at least."),
            ('["the box", "our club"]', '"the box"', "sources: it must be a list of texts."),
            (
                '"2 infantry 1 f"',
                "3",
                'Britain.Sea Zone 3: give the units as a text such as "3 inf 1 arm", or a list of ',
            ),
            (
                '"2 infantry 1 f"',
                "[]",
                'Britain.Sea Zone 3: give the units as a text such as "3 inf 1 arm", or a list of ',
            ),
            ("1 f", "1 zeb", 'Britain.Sea Zone 3: "zeb" is no unit of this edition, or stands there twice.'),
            ("1 f", "1 inf", 'Britain.Sea Zone 3: "inf" is no unit of this edition, or stands there twice.'),
            ("1 f", "0 f", 'Britain.Sea Zone 3: a number from 1 to 99 stands before each unit, not "0".'),
            ("1 f", "f", 'Britain.Sea Zone 3: a number from 1 to 99 stands before each unit, not "f".'),
            ('"Scapa Flow" = ""', '"sz 3" = ""', "Britain.sz 3: Sea Zone 3 has this name already."),
            (
                '"Scapa Flow" = ""',
                '"7 Isles" = ""',
                "Britain.7 Isles: a name is 1 to 40 letters and digits, with spaces",
            ),
            ('"Orkney"', '"then"', "also.then: this means something else in a battle already."),
            ('"Orkney"', '"tank"', "also.tank: this means something else in a battle already."),
            ('= "Scapa Flow"', "= 3", "also.Orkney: there is no place 3 in the tables above."),
            ("[Britain]", "Malta = 3\n[Britain]", "Malta: it must be a table of names, not 3."),
        ],
        check,
    )


def test_an_opening_must_have_the_name_of_an_edition(tmp_path: Path) -> None:
    file = own(tmp_path, TEXT, "1943")
    with pytest.raises(UserError) as error:
        openings(own=file.parent)
    assert error.value.text == f"{file}: there is no edition of this name; the editions are {', '.join(editions())}."


def test_check_refuses_a_wrong_opening(tmp_path: Path) -> None:
    own(tmp_path, TEXT.replace("1 f", "1 zeb"))
    done = forked.run("bot", "check", folder=tmp_path, environment={"SANDTABLE_DATA": str(tmp_path / "data")})
    sentence = (
        b'config/openings/1941.toml, Britain.Sea Zone 3: "zeb" is no unit of this edition, or stands there twice.\n'
    )
    assert (done.returncode, done.stderr) == (2, sentence)


def test_other_spellings_of_places_are_read() -> None:
    assert {name_form(name) for name in ("Trans-Jordan", "transjordan", "TRANS JORDAN")} == {"transjordan"}
    assert wave_of("3 inf vs trans jordan")
