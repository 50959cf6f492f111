"""JSON documents that name a map: territories by any name, whole continents, and errors that name the field."""

from typing import Any

import pytest

from bot.errors import UserError
from bot.maps.documents import with_neighbours
from bot.maps.reading import load_maps
from bot.settings import Settings
from tests.helpers.bot.answers import answers
from tests.helpers.cases import each

CLASSIC = load_maps()["classic"]
AUSTRALIA = {"map": "classic", "question": "conquer", "starts": {"Siam": 20}, "targets": {"Australia": 2}}


def test_a_document_with_a_map_gets_its_neighbours_and_keys() -> None:
    document = {
        "map": "classic",
        "starts": {"Südostasien": 9},
        "targets": {"indonesia": 3, "n guinea": 2},
        "leave": {"Indonesien": 2},
        "values": {"Новая Гвинея": 5},
    }
    assert with_neighbours(document) == {
        "neighbours": {key: list(near) for key, near in CLASSIC.neighbours.items()},
        "starts": {"siam": 9},
        "targets": {"indonesia": 3, "new_guinea": 2},
        "leave": {"indonesia": 2},
        "values": {"new_guinea": 5},
    }


def test_a_continent_in_a_document_stands_for_its_territories() -> None:
    found = with_neighbours(AUSTRALIA)
    assert found["targets"] == dict.fromkeys(CLASSIC.continents["australia"].territories, 2)


def test_a_territory_beside_its_continent_has_a_number_of_its_own() -> None:
    found = with_neighbours({"map": "classic", "targets": {"w aus": 7, "Australia": 2, "Siam": 1}})
    assert found["targets"] == {
        "indonesia": 2,
        "new_guinea": 2,
        "western_australia": 7,
        "eastern_australia": 2,
        "siam": 1,
    }


def test_a_start_inside_a_continent_is_no_target() -> None:
    document = {"map": "classic", "starts": {"Indonesia": 9}, "targets": {"Australia": 1}, "leave": {"Australia": 2}}
    found = with_neighbours(document)
    rest = ["new_guinea", "western_australia", "eastern_australia"]
    assert (found["targets"], found["leave"]) == (dict.fromkeys(rest, 1), dict.fromkeys(rest, 2))


def test_a_field_of_wrong_type_is_left_to_the_solver() -> None:
    found = with_neighbours({"map": "classic", "starts": 3, "targets": None, "leave": 2})
    assert {key: value for key, value in found.items() if key != "neighbours"} == {
        "starts": 3,
        "targets": None,
        "leave": 2,
    }


@each(
    [
        ({"map": "mars"}, 'map: there is no map "mars"; the maps are classic.'),
        ({"map": ["classic"]}, 'map: there is no map ["classic"]; the maps are classic.'),
        ({"map": None}, "map: there is no map null; the maps are classic."),
        ({"neighbours": {}}, "neighbours: the map has them already; leave out one of the two."),
        ({"starts": {"Sima": 3}}, "starts: There is no `Sima` on this map. Did you mean `Siam`?"),
        ({"targets": {"Atlantis": 3}}, "targets: There is no `Atlantis` on this map."),
        ({"targets": {"Siam": 3, "Thailand": 2}}, "targets.Thailand: siam is named twice."),
        ({"targets": {"Australia": 3, "Oceania": 2}}, "targets.Oceania: indonesia is named twice."),
    ]
)
def test_a_wrong_map_document_is_refused_with_its_field(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError) as error:
        with_neighbours(AUSTRALIA | changes)
    assert error.value.text == sentence


async def test_naming_a_map_answers_like_listing_its_neighbours(settings: Settings) -> None:
    names = ("indonesia", "new_guinea", "western_australia", "eastern_australia")
    neighbours = {
        "siam": ["indonesia"],
        "indonesia": names[1:3],
        "new_guinea": names[2:],
        "eastern_australia": names[2:3],
    }
    by_hand = {
        "question": "conquer",
        "neighbours": neighbours,
        "starts": {"siam": 20},
        "targets": dict.fromkeys(names, 2),
    }
    found, expected = await answers(settings, AUSTRALIA, by_hand)
    assert found == expected
    assert found["fall"].keys() == set(names)
    assert 0.5 < found["takes_all"] < 1


async def test_errors_about_maps_are_json_answers(settings: Settings) -> None:
    unknown, mixed, other = await answers(
        settings,
        AUSTRALIA | {"targets": {"Sima": 3}},
        AUSTRALIA | {"targets": {"Siam": 3}},
        {"game": "risk", "attackers": 3, "defenders": 2, "map": "classic"},
    )
    assert unknown == {"error": "targets: There is no `Sima` on this map. Did you mean `Siam`?"}
    assert mixed["error"].startswith("targets.siam: ")
    assert other["error"].startswith("map: there is no such field")
