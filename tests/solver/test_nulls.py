"""null in a document: refused wherever it stands, with the name of the field; in a few fields it stands for none."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bot.editions import rules_by_game
from solver import Battle, BattleError
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.path.path import Path as March
from solver.placing.placing import Placing
from solver.questions import read_question
from solver.raid.raid import Raid
from tests.helpers.cases import each
from tests.helpers.extent import pick

Document = dict[str, Any]
DATA = Path(__file__).parents[1] / "data"
RULES = rules_by_game()

LAND: Document = {
    "game": "axis1942",
    "theatre": "land",
    "dice": "standard",
    "deadzone": False,
    "territory_value": 0,
    "decline_allowed": True,
    "aa_already_fired": False,
    "worth": {"measure": "ipc", "units": {"tank": 5}},
    "waves": [
        {
            "attacker": {"units": {"infantry": 3, "tank": 1}, "loss_order": ["infantry", "tank"], "keep_land": 0},
            "defender": {"units": {"infantry": 2}, "loss_order": ["infantry"], "aa_second_last": False},
            "round_limit": None,
            "retreat": {"units_at_most": 1, "profit_below": None, "win_means": "take", "win_chance_below": 0.1},
            "submerge": {"attacker": False, "defender": False},
            "keep_last_destroyer": {"attacker": False, "defender": False},
            "crash_stranded_fighters": False,
            "retreat_ev_override": {"deadzone": None, "territory_value": None},
        }
    ],
}
TWO_WAVES: Document = {
    **{name: value for name, value in LAND.items() if name != "waves"},
    "look_ahead": False,
    "waves": [
        {"attacker": {"units": {"infantry": 3}}, "defender": {"units": {"infantry": 2}}},
        {"attacker": {"units": {"infantry": 3}}, "defender": {"units": {}}, "previous_attackers_defend": True},
    ],
}
PLACING: Document = {
    "game": "axis1942",
    "units": {"infantry": 3},
    "goal": "at_least",
    "at_least": 1,
    "how_many": 2,
    "territories": [
        {
            "game": "axis1942",
            "value": 3,
            "waves": [{"attacker": {"units": {"infantry": 3}}, "defender": {"units": {"infantry": 1}}}],
        }
    ],
}
RAID: Document = {"game": "axis1942", "bombers": 3, "factory_points": 20, "dice": "standard", "aa_already_fired": False}
RISK: Document = {
    "game": "risk",
    "attackers": 7,
    "defenders": 5,
    "attack": {"dice": [6, 6, 6], "rerolls": 0, "bonus": [1], "clamp": [1, 6]},
    "defence": {"dice": [6, 6], "clamp": None},
    "ties": "defender",
    "late": False,
    "reshape": {"certain": 0.1, "win_power": 1.5, "cut": 0.1, "end_power": 1.5},
    "stop": 0,
    "reserve": 0,
    "rounds": None,
    "value": None,
}
FLEETS: Document = {
    "game": "starwars",
    "attackers": 7,
    "defenders": 5,
    "attack": {"fighters": 1, "bombers": 1, "capitals": 1, "dice": [6, 6, 6]},
    "defence": {"fighters": 1},
}
ICONS: Document = {"game": "icons", "faces": ["AAD", "A", "D", ""], "attackers": 4, "defenders": 3, "rounds": 2}
OWN_ICONS: Document = {
    **{"game": "icons", "attackers": 4, "defenders": 3},
    **{"attack": {"faces": ["A", ""]}, "defence": {"faces": ["D", ""]}},
}
MARCH: Document = {
    "game": "risk",
    "attackers": 9,
    "path": [3, 2],
    "leave": [1],
    "legs": [{"ties": "attacker", "attack": {"dice": [6, 6]}, "rounds": None}, {}],
    "stop": 0,
}
RECOMMEND: Document = {
    **{"side": "attacker", "goal": "target_survival", "target": 0.8, "how_many": 3},
    "minimum": {"infantry": 1},
}

QUESTIONS: dict[str, Document] = {
    "odds": {**RISK, "exact": True},
    "fleets": FLEETS,
    "icons": ICONS,
    "own icons": OWN_ICONS,
    "march": {**MARCH, "exact": True},
    "round": {**RISK, "question": "round"},
    "roll": {"game": "risk", "question": "roll", "dice": [8, 6], "rerolls": 0, "bonus": [1], "clamp": None, "units": 1},
    "roll ships": {"game": "starwars", "question": "roll", "units": 2, "fighters": 1},
    "roll icons": {"game": "icons", "question": "roll", "faces": ["A", "D"], "units": 2},
    "table": {**FLEETS, "question": "table"},
    "need": {"game": "risk", "defenders": 5, "question": "need", "chance": 0.9, "side": "attackers"},
    "advice": {**FLEETS, "question": "advice"},
    "armies": {**LAND, "exact": True},
    "units": {**LAND, "question": "units"},
    "order": {**LAND, "question": "order"},
    "waves": TWO_WAVES,
    "army": {**LAND, "question": "army", "recommend": RECOMMEND},
    "place": {**PLACING, "question": "place"},
    "bombing": {**RAID, "question": "bombing"},
}
MAY_BE_NULL = (
    *("rounds", "value", "reshape", "clamp", "attack.clamp", "defence.clamp", "legs.0.rounds", "legs.0.value"),
    *("waves.0.round_limit", "waves.1.round_limit", "recommend.minimum", "territories.0.waves.0.round_limit"),
    *(f"waves.0.retreat.{name}" for name in ("units_at_most", "profit_below", "win_means", "win_chance_below")),
    *(f"waves.0.retreat_ev_override.{name}" for name in ("deadzone", "territory_value")),
)
"""The fields in which documents have null for none."""


def nulled(document: Document) -> Iterator[tuple[str, Document]]:
    """The document with null in the place of each value, and where that stands."""
    for place in _places(document):
        changed = deepcopy(document)
        inside: Any = changed
        for name in place[:-1]:
            inside = inside[name]
        inside[place[-1]] = None
        yield ".".join(map(str, place)), changed


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*at, name)
        if isinstance(part, dict | list):
            yield from _places(part, (*at, name))


@each(QUESTIONS.values())
def test_null_in_any_field_of_a_question_names_the_field(document: Document) -> None:
    read_question(document, RULES)
    for place, changed in nulled(document):
        if place in MAY_BE_NULL:
            read_question(changed, RULES)
            continue
        with pytest.raises(BattleError) as error:
            read_question(changed, RULES)
        assert error.value.field == place, json.dumps(changed)


@each(["dice_battles.json", "dice_questions.json", "axis1942.json", "armies.json"])
def test_null_in_any_field_of_known_documents_names_the_field(file: str) -> None:
    """Each kind of document in the files once: those that have the same fields are alike."""
    known: dict[str, Document] = {}
    for one in json.loads((DATA / file).read_text()):
        document = one["battle"]
        known.setdefault(str(sorted(_fields(document))), document)
    assert len(known) > 3
    for document in list(known.values())[:: pick(3, 1)]:
        for place, changed in nulled(document):
            name = place.rpartition(".")[2]
            if name.isdigit() or not any(place.endswith(f".{one}") or place == one for one in NONE):
                with pytest.raises(BattleError) as error:
                    read_question(changed, RULES)
                assert error.value.field == place


NONE = (
    *("rounds", "value", "reshape", "clamp", "round_limit", "recommend.minimum"),
    *("retreat.units_at_most", "retreat.profit_below", "retreat.win_chance_below", "retreat.win_means"),
    *("retreat.clear_chance_above", "retreat.air_loss_chance_above"),
    *("retreat_ev_override.deadzone", "retreat_ev_override.territory_value"),
)


def _fields(document: Any, at: str = "") -> Iterator[str]:
    for place in _places(document):
        yield ".".join("0" if isinstance(part, int) else part for part in place)


@each([RISK, FLEETS, ICONS, OWN_ICONS, MARCH, LAND, TWO_WAVES, PLACING, RAID])
def test_null_in_any_field_read_by_the_library_names_the_field(document: Document) -> None:
    def made(document: Document) -> Any:
        rules = RULES["axis1942"]
        if "bombers" in document:
            return Raid.from_dict(document, rules)
        if "territories" in document:
            return Placing.from_dict(document, rules)
        if "waves" in document:
            return battle_from_dict(document, rules)
        return March.from_dict(document) if "path" in document else Battle.from_dict(document)

    whole = made(document)
    for place, changed in nulled(document):
        if place in MAY_BE_NULL or place in ("bombers", "territories", "waves", "path"):
            continue
        with pytest.raises(BattleError) as error:
            made(changed)
        assert error.value.field == place
    if isinstance(whole, Battle | March | Waves):
        again = whole.to_dict()
        assert made(again).to_dict() == again, "what we write has null only where it may be"


def test_null_deep_inside_a_document_is_refused() -> None:
    deep: Any = None
    for _ in range(900):
        deep = [deep]
    with pytest.raises(BattleError, match="this needs a value, not null"):
        read_question({"game": "risk", "attackers": 3, "defenders": 2, "stop": deep})
