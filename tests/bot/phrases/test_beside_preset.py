"""An army in own words against a preset: the preset gives the other army alone, or the bot asks back."""

from bot.phrases.reader import understand
from bot.rooms import ROOMS
from tests.helpers.cases import each

SAVED = {
    "karelia": "8 inf 3 art 4 arm 2 fig vs 6 inf 1 art 2 fig",
    "alamo": "12 9 bombers:2 dfighters:1 stop:4",
}
KARELIA = "3 inf 2 arm vs 6 inf 1 art 2 fig"


@each(
    [
        ("3 inf 2 arm gegen karelia", KARELIA, "defenders"),
        ("3 inf 2 arm contra karelia", KARELIA, "defenders"),
        ("3 inf 2 arm attack karelia", KARELIA, "defenders"),
        ("my 3 inf 2 arm against karelia, low luck", f"{KARELIA} lowluck", "defenders"),
        ("can 3 inf and 2 tanks take karelia", KARELIA, "defenders"),
        ("karelia attacks my 5 inf", "8 inf 3 art 4 arm 2 fig vs 5 inf", "attackers"),
        ("what do I need to beat karelia with 5 inf 3 arm", "/need 5 inf 3 arm vs 6 inf 1 art 2 fig", "defenders"),
        ("my 14 against alamo", "14 9 dfighters:1", "defenders"),
        ("twelve against alamo", "12 9 dfighters:1", "defenders"),
        ("my 14 men against alamo, two rounds", "14 9 dfighters:1 rounds:2", "defenders"),
        ("alamo attacks my 11", "12 11 bombers:2 stop:4", "attackers"),
    ]
)
def test_an_army_against_a_preset_meets_one_side_of_it(said: str, line: str, side: str) -> None:
    preset = next(name for name in SAVED if name in said)
    found = understand(ROOMS, said, saved=SAVED)
    remark = f"Only the {side} of the preset `{preset}` are used."
    assert (found.line, found.remark, found.other) == (line, remark, "")


@each(
    [
        "karelia and 12 men",
        "my 3 inf against alamo",
        "twelve against karelia",
        "my 3 inf against karelia then hold 2 inf",
        "my 14 men with 2 bombers against alamo",
    ]
)
def test_no_preset_is_offered_in_place_of_what_was_typed(said: str) -> None:
    found = understand(ROOMS, said, saved=SAVED)
    assert (found.line, found.offers) == ("", ())
    assert found.why


def test_a_preset_beside_a_whole_battle_is_asked_back_with_both() -> None:
    found = understand(ROOMS, "12 9 alamo please", saved=SAVED)
    assert [line for line, _without in found.offers[:2]] == ["12 9", "12 9 bombers:2 dfighters:1 stop:4"]
