"""Questions of another calculator: its MultiwaveInput means a battle of ours, and is answered in its shape, too."""

from typing import Any

import pytest

from bot.foreign.multiwave import read_multiwave
from bot.settings import Settings
from tests.helpers.bot.answers import answers

LAND = {"attack": ["inf", "art", "arm", "fig", "bom"], "defense": ["aa", "inf", "art", "arm", "bom", "fig"]}


def wave(attack: dict[str, Any], defense: dict[str, Any], **more: Any) -> dict[str, Any]:
    sides = {"attack": attack, "defense": defense}
    armies = {side: {"units": units, "ool": LAND[side], "takes": 0, "aaLast": False} for side, units in sides.items()}
    return {**armies, "rounds": 100, "retreat_threshold": 0, "is_crash_fighters": False, **more}


EVERY_FIELD = {
    "is_naval": True,
    "diceMode": "lowluck",
    "is_deadzone": False,
    "territory_value": 3,
    "retreat_round_zero": False,
    "in_progress": True,
    "ev_future_wave": True,
    "prune_threshold": 1e-12,
    "report_prune_threshold": 0.01,
    "sortMode": "unit_count",
    "debug": False,
    "num_runs": 3,
    "wave_info": [
        {
            "attack": {
                "units": {"des": 2, "bat": 1, "bat1": 1, "dbat": 1, "sub": 0},
                "ool": ["des", "dbat", "bat1", "bat"],
            },
            "defense": {"units": {"sub": 2}, "ool": ["sub"], "takes": 2, "aaLast": True},
            "att_submerge": True,
            "def_submerge": False,
            "att_dest_last": True,
            "def_dest_last": False,
            "is_crash_fighters": True,
            "rounds": 3,
            "retreat_threshold": 2,
            "retreat_expected_ipc_profit_threshold": -5,
            "retreat_pwin_threshold": 0.5,
            "pwinMode": "destroys",
            "retreat_strafe_threshold": 0.6,
            "retreat_lose_air_probability": 0.7,
            "ev_deadzone": True,
            "ev_territory_value": 4,
        },
        None,
        {
            "attack": {"units": {"fig": 1}, "takes": 1, "aaLast": True},
            "rounds": -1,
            "retreat_threshold": 0,
            "retreat_pwin_threshold": 0.1,
            "pwinMode": "takes",
            "retreat_lose_air_probability": 1,
            "use_attackers_from_previous_wave": True,
        },
    ],
}
OURS = {
    "game": "axis1942",
    "theatre": "sea",
    "dice": "low_luck",
    "deadzone": False,
    "territory_value": 3,
    "decline_allowed": False,
    "aa_already_fired": True,
    "look_ahead": True,
    "waves": [
        {
            "attacker": {
                "units": {"destroyer": 2, "battleship": 2, "damaged_battleship": 1},
                "loss_order": ["destroyer", "damaged_battleship", "battleship"],
            },
            "defender": {"units": {"submarine": 2}, "loss_order": ["submarine"], "aa_second_last": True},
            "submerge": {"attacker": True, "defender": False},
            "keep_last_destroyer": {"attacker": True, "defender": False},
            "crash_stranded_fighters": True,
            "round_limit": 3,
            "retreat": {
                "units_at_most": 2,
                "profit_below": -5,
                "win_chance_below": 0.5,
                "win_means": "destroy",
                "clear_chance_above": 0.6,
                "air_loss_chance_above": 0.7,
            },
            "retreat_ev_override": {"deadzone": True, "territory_value": 4},
        },
        {
            "attacker": {"units": {"fighter": 1}, "keep_land": 1},
            "retreat": {"win_chance_below": 0.1},
            "previous_attackers_defend": True,
        },
    ],
}
IDLE = "num_runs, sortMode, wave_info.0.defense.takes, wave_info.1.attack.aaLast, wave_info.1.pwinMode"


def test_every_field_of_the_calculator_has_its_place_or_is_named() -> None:
    assert read_multiwave(EVERY_FIELD) == (OURS, f"These fields have no effect here: {IDLE}.", 0.01)


async def test_a_question_of_the_calculator_is_answered_like_ours(settings: Settings) -> None:
    theirs = {"wave_info": [wave({"inf": 3, "fig": 1}, {"inf": 2, "aa": 1})], "verbose_level": 2}
    ours = {
        "game": "axis1942",
        "waves": [
            {"attacker": {"units": {"infantry": 3, "fighter": 1}}, "defender": {"units": {"infantry": 2, "aa_gun": 1}}}
        ],
    }
    found, expected = await answers(settings, theirs, ours)
    assert found == {**expected, "remark": "These fields have no effect here: verbose_level."}
    assert await answers(settings, ours, like_input=True) == [expected]


async def test_an_answer_like_the_calculators_has_its_numbers(settings: Settings) -> None:
    """The numbers are those of the calculator, for two attacks and a counter-attack."""
    hold = {"use_attackers_from_previous_wave": True}
    waves = [
        wave({"inf": 1, "arm": 1}, {"inf": 4, "aa": 1}),
        wave({"inf": 2, "arm": 1, "fig": 2}, {}),
        wave({"inf": 2}, {}, **hold),
    ]
    for one in waves:
        one["defense"]["aaLast"] = True
    (found,) = await answers(settings, {"wave_info": waves}, like_input=True)
    attack, defense = found["attack"], found["defense"]
    assert attack["survives"] == pytest.approx([0.023171426334031, 0.871053707243936, 0.451943932142794], abs=1e-9)
    assert attack["ipcLoss"] == pytest.approx([8.845739230940863, 19.631630917377095, 19.50558008230619], abs=1e-9)
    assert defense["survives"] == pytest.approx([0.969050913262694, 0.111891474987238, 0.49316872426591], abs=1e-9)
    assert defense["ipcLoss"] == pytest.approx([3.829921932700006, 16.063194933313998, 4.102892602233529], abs=1e-9)
    assert found["takesTerritory"] == pytest.approx([0.023171426334031, 0.7117250171687, 0.451943932142794], abs=1e-9)
    # In the third wave the sides have exchanged their roles.
    assert attack["cumulativeIpcLoss"][2] == pytest.approx(
        sum(attack["incrementalLoss"][:2]) + defense["incrementalLoss"][2]
    )
    # Every ending is in the tables of all waves, and costs what the sums say.
    for side, sums in (("attack", attack), ("defense", defense)):
        rows = found["casualtiesInfo"][side].values()
        assert sum(row["amount"] for row in rows) == pytest.approx(1)
        assert sum(row["amount"] * row["ipcLoss"] for row in rows) == pytest.approx(sums["cumulativeIpcLoss"][2])


async def test_tables_like_the_calculators_name_units_as_it_does(settings: Settings) -> None:
    theirs = {
        "report_prune_threshold": 0.2,
        "wave_info": [wave({"inf_a": 1, "inf": 1, "cru": 1}, {"inf": 1}, rounds=1)],
    }
    theirs["wave_info"][0]["attack"]["ool"] = ["inf_a", "inf"]  # type: ignore[index]
    (found,) = await answers(settings, theirs, like_input=True)
    assert found["casualtiesInfoArr"][0]["attack"].keys() == {";1 Inf, 1 Inf*;;0", "1 Inf*;1 Inf;;0", "1 Inf*;;1 Inf;0"}
    (row, *_) = found["casualtiesInfo"]["defense"].values()
    assert row == {"casualties": "1 Inf", "survivors": "", "retreaters": "", "amount": row["amount"], "ipcLoss": 3}
    profits = found["profitDistribution"][0]
    assert profits["3"]["ipc"] == 3
    assert sum(part["prob"] for part in profits.values()) == pytest.approx(1)


ONE = wave({"inf": 1}, {"inf": 1})
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"wave_info": 7}, "wave_info: this must be a list, not 7"),
    ({"wave_info": []}, "wave_info: give one wave or more"),
    ({"wave_info": [ONE] * 21}, "wave_info: there can be up to 20 waves, not 21"),
    ({"wave_info": [{"attack": []}]}, "wave_info.0.attack: this must be an object, not []"),
    ({"wave_info": [ONE], "waves": 1}, "waves: there is no such field"),
    ({"wave_info": [ONE], "is_naval": "no"}, 'is_naval: this must be true or false, not "no"'),
    (
        {"wave_info": [ONE], "diceMode": "d12"},
        'diceMode: the diceMode must be one of standard, lowluck, biased, not "d12"',
    ),
    ({"wave_info": [ONE], "is_deadzone": 3}, "is_deadzone: this must be true or false, not 3"),
    ({"wave_info": [{**ONE, "att_submerge": 3}]}, "wave_info.0.att_submerge: this must be true or false, not 3"),
    ({"wave_info": [{**ONE, "rounds": 1.5}]}, "wave_info.0.rounds: the number of rounds must be 1 to 1000, not 1.5"),
    ({"wave_info": [wave({"ic": 1}, {})]}, "wave_info.0.attack.units: the units must be one of aa, inf,"),
    (
        {"wave_info": [ONE, wave({"inf": 1}, {"inf": -2})]},
        "wave_info.1.defense.units.inf: the number of units must be 0 to 10000, not -2",
    ),
    ({"wave_info": [wave({"inf": 10**9}, {})]}, "wave_info.0.attack.units.inf: the number of units must be 0 to 10000"),
    ({"wave_info": [wave({"cru": 1, "des": 1}, {})]}, "wave_info.0.attack.units.des: destroyer can't fight on land"),
    ({"wave_info": [{"attack": {"units": {"fig": 1}, "ool": ["inf"]}}]}, "wave_info.0.attack.ool: fighter is not in"),
    ({"wave_info": [ONE], "attackerList": []}, "attackerList: lists of armies are not read; ask about each battle"),
    ({"attack": {"units": {}}, "defense": {"units": {"ic": 5}}}, "attack.units.bom: the number of bombers must be 1"),
    ({"attack": {"units": {"bom": 1}}, "defense": {"units": {"ic": -5}}}, "defense.units.ic: the number of units must"),
]


async def test_errors_name_the_field_of_the_calculator(settings: Settings) -> None:
    found = await answers(settings, *(document for document, _ in WRONG))
    assert [(list(answer), answer["error"][: len(text)]) for answer, (_, text) in zip(found, WRONG, strict=True)] == [
        (["error"], text) for _, text in WRONG
    ]


RAID = {"attack": {"units": {"bom": 2}}, "defense": {"units": {"ic": 5, "aa": 1}}}


async def test_a_raid_of_the_calculator_is_answered_like_ours_and_in_its_form(settings: Settings) -> None:
    """With low luck two bombers lose one in 2 of 6 raids; the other does 3 or 4, and both together do all 5."""
    theirs = {**RAID, "diceMode": "lowluck", "verbose_level": 0, "reportPruneThreshold": 0.3, "in_progress": False}
    (found,) = await answers(settings, theirs, like_input=True)
    assert found["attack"]["survives"] == pytest.approx([1, 0, 0])
    assert found["defense"]["cumulativeIpcLoss"] == pytest.approx([2 / 3 * 5 + 1 / 3 * 3.5, 0, 0])
    rows = found["casualtiesInfo"]["attack"]
    assert [(row["casualties"], row["survivors"], row["ipcLoss"]) for row in rows.values()] == [
        ("1 Bom", "1 Bom", 12),
        ("", "2 Bom", 0),
    ]
    assert [(row["casualties"], row["survivors"]) for row in found["casualtiesInfo"]["defense"].values()] == [
        ("5 IPC", "")
    ]
    assert found["profitDistribution"][0].keys() == {"-9", "-8", "5"}
    ours = {"question": "bombing", "game": "axis1942", "bombers": 2, "factory_points": 5, "dice": "low_luck"}
    plain, expected = await answers(settings, theirs, ours)
    assert plain == {**expected, "remark": "These fields have no effect here: defense.units.aa."}
