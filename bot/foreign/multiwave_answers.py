"""Writes answers in the shape of another calculator, aacalc2: our odds of a battle become its MultiwaveOutput."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import xor
from typing import Any

from bot.editions import rules_by_game
from bot.foreign.multiwave import GAME, SIDES, UNITS, Multiwave

_SHORT = {"aa": "AA", "acc": "ACC", "dbat": "DBat", "inf_a": "Inf*", "art_a": "Art*", "arm_a": "Arm*"}
_NAMES = {ours: _SHORT.get(name, name.capitalize()) for name, ours in reversed(UNITS.items())}
"""How the calculator writes our units in a table."""
NOT_LISTED = "The waves have too many endings to keep apart, so casualtiesInfo is empty."
Units = Mapping[str, int]
Row = tuple[Units, Units, Units, float]
"""The units that are lost, left and gone, and their chance."""


def multiwave_answer(asked: Multiwave, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the odds of a battle, which if it has several waves are those with all endings, like the calculator's."""
    # Of one wave the answer itself has the casualty orders.
    waves = [{**answer, **wave} for wave in answer["waves"]]
    holds = [bool(wave.get("previous_attackers_defend")) for wave in asked.battle["waves"]]
    tables = [_tables(wave, number, asked.least) for number, wave in enumerate(waves)]
    remark = " ".join(filter(None, [asked.remark, NOT_LISTED if answer.get("endings", ()) is None else ""]))
    return {
        **_sums(waves, holds),
        "casualtiesInfo": _joint_tables(answer, asked.least) if waves[1:] else _tables(waves[0], None, asked.least),
        "casualtiesInfoArr": tables,
        "profitDistribution": [
            {f"{profit:.10g}": {"ipc": profit, "prob": chance} for profit, chance in wave["profit"]} for wave in waves
        ],
        "takesTerritory": [wave["takes"] for wave in waves],
        "rounds": [wave["rounds"] for wave in waves],
        "waves": len(waves),
        "complexity": sum(len(wave["attackers"]) * len(wave["defenders"]) for wave in waves),
        **({"remark": remark} if remark else {}),
    }


def _sums(waves: Sequence[Mapping[str, Any]], holds: Sequence[bool]) -> dict[str, Any]:
    """Return what each side loses, and how likely it survives, wave by wave.

    `ipcLoss` of a defender counts from the first wave on, with those who lost the territory in an earlier wave; that of
    an attacker goes on from its side's in the wave before. `cumulativeIpcLoss` is that of the sides of the first wave.
    """
    own = {side: [wave[f"{ours}_loss"] for wave in waves] for side, ours in SIDES.items()}
    since: dict[str, list[float]] = {side: [] for side in SIDES}
    for number, (wave, hold) in enumerate(zip(waves, holds, strict=True)):
        before = since["defense" if hold else "attack"][-1:]
        earlier = [] if hold else waves[:number]
        taken = sum(one["captured"] * _cost_of_all(one["defenders"]) for one in earlier)
        since["attack"].append(own["attack"][number] + sum(before))
        since["defense"].append(sum(_cost(lost) * chance for lost, _left, _gone, chance in wave["defenders"]) + taken)
    exchanged = list(accumulate(holds, xor))
    return {
        side: {
            "survives": [wave[f"{SIDES[side]}_survives"] for wave in waves],
            "ipcLoss": since[side],
            "incrementalLoss": own[side],
            "cumulativeIpcLoss": list(accumulate(own[other if swap else side][n] for n, swap in enumerate(exchanged))),
        }
        for side, other in (("attack", "defense"), ("defense", "attack"))
    }


def _tables(wave: Mapping[str, Any], number: int | None, least: float) -> dict[str, Any]:
    """Return how likely each loss of each side in a wave is; the attacker's keys end with its number, if it has one."""
    ends = {"attack": "" if number is None else f";{number}", "defense": ""}
    return {
        side: _table(wave[f"{ours}s"], wave["loss_orders"][ours], least, ends[side]) for side, ours in SIDES.items()
    }


def _joint_tables(answer: Mapping[str, Any], least: float) -> dict[str, Any]:
    """Return how likely each loss of each side in all waves is, with those who hold the field in the end.

    Nobody knows there who has retreated.
    """
    tables = {}
    for side, ours in SIDES.items():
        rows: list[Row] = []
        for ending in answer.get("endings") or ():
            field = ending["left"]
            left = field["units"] if field["holder"] == ours else field.get("against", {})
            rows.append((ending[f"{ours}_lost"], left, {}, ending["chance"]))
        tables[side] = _table(rows, (), least, "")
    return tables


def _table(rows: Iterable[Any], order: Sequence[str], least: float, end: str) -> dict[str, Any]:
    """Return rows of a table by their keys, alike ones added up, without those that are less likely than `least`."""
    table: dict[str, Any] = {}
    for lost, left, gone, chance in rows:
        texts = [_text(units, order) for units in (lost, left, gone)]
        names = dict(zip(("casualties", "survivors", "retreaters"), texts, strict=True))
        row = table.setdefault(";".join(texts) + end, {**names, "amount": 0.0, "ipcLoss": _cost(lost)})
        row["amount"] += chance
    return {key: row for key, row in table.items() if row["amount"] >= least}


def _text(units: Units, order: Sequence[str]) -> str:
    """Return units as the calculator writes them, those that are lost last first."""
    ranked = sorted(units, key=lambda name: order.index(name) if name in order else -1, reverse=True)
    return ", ".join(f"{units[name]} {_NAMES[name]}" for name in ranked)


def _cost(units: Units) -> float:
    table = rules_by_game()[GAME].table
    return sum(table[name].cost * count for name, count in units.items())


def _cost_of_all(rows: Iterable[Sequence[Any]]) -> float:
    """Return what a whole army costs, of which each row says who is lost, left and gone."""
    return max((_cost(lost) + _cost(left) + _cost(gone) for lost, left, gone, _chance in rows), default=0.0)
