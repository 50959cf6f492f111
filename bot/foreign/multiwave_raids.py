"""Reads the bombing raid of another calculator, aacalc2, its SbrInput, and writes our answer in its shape, too."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from bot.editions import rules_by_game
from bot.foreign.multiwave import DICE, GAME, SIDES, Multiwave, choice, remark_of
from solver.documents import check_fields, read_object, read_part
from solver.errors import BattleError, check_count, check_number
from solver.raid.raid import MOST_POINTS

UNITS = {"attack": "bom", "defense": "ic"}
"""The units of each side of a raid: bombers, and a factory of so many points."""
_FIELDS = {
    "bombers": "attack.units.bom",
    "factory_points": "defense.units.ic",
    "dice": "diceMode",
    "aa_already_fired": "in_progress",
}
"""The calculator's names by our fields."""
_ARMY = {"units", "ool", "takes", "aaLast"}
_THRESHOLDS = "pruneThreshold", "reportPruneThreshold"
_KNOWN = {*UNITS, "diceMode", "in_progress", "verbose_level", *_THRESHOLDS}


def read_raid(document: Mapping[str, Any]) -> Multiwave:
    """Read a SbrInput; BattleError has the calculator's name for the field that is wrong."""
    check_fields(document, _KNOWN)
    given = {name: value for name, value in document.items() if value is not None}
    for name in _THRESHOLDS:
        check_number(name, given.get(name, 0), 0, 1, "a chance must be {least} to {most}, not {value}")
    idle = ["verbose_level"] * bool(given.get("verbose_level"))
    dice = choice("diceMode", given.get("diceMode", "standard"), DICE)
    bombers, points = (read_part(side, partial(_read_army, given.get(side), side, idle)) for side in SIDES)
    raid = {"question": "bombing", "game": GAME, "bombers": bombers, "factory_points": points, "dice": dice}
    raid |= {"aa_already_fired": given["in_progress"]} if "in_progress" in given else {}
    return Multiwave(raid, remark_of(idle), given.get("reportPruneThreshold", 0))


def _read_army(army: Any, side: str, idle: list[str]) -> int:
    """Return how many bombers or points of its factory a side has, and add what has no effect to `idle`."""
    check_fields(read_object(army), _ARMY)
    idle += [f"{side}.{name}" for name in ("takes", "aaLast") if army.get(name)]
    units: Mapping[str, int] = read_part("units", partial(read_object, army.get("units")))
    for name, count in units.items():
        check_count(
            f"units.{name}", count, 0, MOST_POINTS, "the number of units must be {least} to {most}, not {value}"
        )
    idle += [f"{side}.units.{name}" for name, count in units.items() if count and name != UNITS[side]]
    return units.get(UNITS[side], 0)


def with_their_names(error: BattleError) -> BattleError:
    """Return an error about the document of the raid with the calculator's name for its field."""
    return type(error)(_FIELDS.get(error.field, error.field), error.text, **error.values)


def raid_answer(asked: Multiwave, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the odds of a raid in the shape of a MultiwaveOutput."""
    bombers, points = (asked.battle[name] for name in ("bombers", "factory_points"))
    price = rules_by_game()[GAME].table["bomber"].cost
    by_loss, by_damage = ([(row[at], row[2]) for row in answer["outcomes"]] for at in (0, 1))
    attack = {"survives": [answer["bombers_survive"], 0, 0], "ipcLoss": [answer["attacker_loss"], 0, 0]}
    defense = {"survives": [answer["factory_survives"], 0, 0], "ipcLoss": [answer["damage"], 0, 0]}
    return {
        "attack": {**attack, "cumulativeIpcLoss": attack["ipcLoss"]},
        "defense": {**defense, "cumulativeIpcLoss": defense["ipcLoss"]},
        "casualtiesInfo": {
            "attack": _table(by_loss, bombers, "Bom", price, asked.least),
            "defense": _table(by_damage, points, "IPC", 1, asked.least),
        },
        "casualtiesInfoArr": [],
        "profitDistribution": [
            {f"{profit:.10g}": {"ipc": profit, "prob": chance} for profit, chance in answer["profit"]}
        ],
        "takesTerritory": [],
        "rounds": [1, 0, 0],
        "waves": 1,
        "complexity": 0,
        **({"remark": asked.remark} if asked.remark else {}),
    }


def _table(losses: Iterable[tuple[int, float]], most: int, name: str, price: float, least: float) -> dict[str, Any]:
    """Return how likely each loss of a side is, the largest first, without those that are less likely than `least`."""
    chances: dict[int, float] = {}
    for lost, chance in losses:
        chances[lost] = chances.get(lost, 0.0) + chance
    rows = [
        {
            "casualties": f"{lost} {name}" if lost else "",
            "survivors": f"{most - lost} {name}" if lost < most else "",
            "retreaters": "",
            "amount": chances[lost],
            "ipcLoss": price * lost,
        }
        for lost in sorted(chances, reverse=True)
        if chances[lost] >= least
    ]
    return {str(number): row for number, row in enumerate(rows)}
