"""From the words of a line of Axis & Allies to the battle, or the waves, that they mean; errors point at the word."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from bot.editions import USUAL, Edition, editions
from bot.errors import sentence_of
from bot.languages import _, joined
from bot.matchup.army_words import ARMIES, SHARED, Said, read_chance, read_number
from bot.matchup.habits import example, unsaid
from bot.matchup.lasting_orders import USUAL_ORDER, Order, orders_of_waves
from bot.matchup.mistakes import MatchupError, meant
from bot.matchup.nearest import edition_with, in_edition, nearest_edition, nearest_unit
from solver import BattleError
from solver.axis import AxisBattle
from solver.documents import within
from solver.sides import Retreat, Side
from solver.units import Theatre
from solver.waves import Waves
from solver.worth import Measure, Prices, Worth

CHANGE = "+"
"""What stands before the word for a unit whose number is added to that of a saved set-up, or taken from it."""


def edition_of(line: str, said: Mapping[str, Said], usual: str = USUAL) -> Edition:
    """The edition that a line speaks of."""
    variant = said["variant"].value if "variant" in said else usual
    edition = editions().get(variant)
    if edition is None:
        raise MatchupError(line, *said["variant"][1:3], no_edition(variant), nearest_edition(variant))
    return edition


def battle_of(line: str, said: Mapping[str, Said], empty: bool = False) -> AxisBattle | Waves:
    """The battle of what a line says, several waves where it speaks of them; with `empty` nobody need defend."""
    edition = edition_of(line, said)
    waves = [_of_wave(said, number) for number in range(waves_in(said))]
    units = [_counted(line, wave, edition) for wave in waves]
    for wave, sides in zip(waves, units, strict=True):
        if not any(sides["attacker"].values()):
            place = wave["hold"][1:3] if "hold" in wave else (0, 1)
            raise MatchupError(line, *place, _("Who attacks? For example `{example}`.", example=example(ARMIES)))
    if not any(units[0]["defender"].values()) and not empty:
        end = said["1|hold"].start if len(waves) > 1 else len(line)
        raise MatchupError(line, end, end + 1, _("Against whom? For example `{example}`.", example=example(ARMIES)))
    try:
        return _built(edition, units, [{key: field.value for key, field in wave.items()} for wave in waves])
    except BattleError as error:
        number, name = _which_wave(error.field)
        start, end = place_of(line, waves[number], edition, name)
        unit, near = (error.values.get(value, "") for value in ("word", "near"))
        instead = _with(line, Said(None, start, end), unit, near)
        raise MatchupError(line, start, end, told_mistake(error, edition), instead) from None


def mark_of(wave: int) -> str:
    """What stands before all that is said of a wave; nothing before the first."""
    return f"{wave}|" if wave else ""


def waves_in(said: Mapping[str, Said]) -> int:
    """How many waves the line speaks of."""
    return 1 + max((int(key.partition("|")[0]) for key in said if "|" in key), default=0)


def _of_wave(said: Mapping[str, Said], number: int) -> dict[str, Said]:
    """What is said of a wave, and of all of them."""
    mark = mark_of(number)
    own = (
        {key.removeprefix(mark): field for key, field in said.items() if key.startswith(mark)}
        if mark
        else {key: field for key, field in said.items() if "|" not in key}
    )
    return own | {key: said[key] for key in SHARED & said.keys()}


def _which_wave(field: str) -> tuple[int, str]:
    """The wave that the field of an error is of, and its name in that wave."""
    found = re.match(r"waves\.(\d+)\.(.*)", field)
    return (int(found[1]), found[2]) if found else (0, field)


def _counted(line: str, said: Mapping[str, Said], edition: Edition) -> dict[str, dict[str, int]]:
    """The units of both sides in a wave."""
    units: dict[str, dict[str, int]] = {"attacker": {}, "defender": {}}
    for key, field in said.items():
        side, dot, word = key.partition(".")
        word = word.removeprefix(CHANGE)
        if not dot or (field.kept and not field.value):
            continue
        if word not in edition.words:
            raise no_unit(line, field, word, edition)
        if not field.kept or not _said_anew(said, side, edition, word):
            unit = edition.words[word]
            units[side][unit] = units[side].get(unit, 0) + field.value
    return {side: {unit: max(count, 0) for unit, count in there.items()} for side, there in units.items()}


def _said_anew(said: Mapping[str, Said], side: str, edition: Edition, word: str) -> bool:
    """Whether the line says another number of a unit than the saved set-up, in whatever word."""
    others = (key.partition(".")[2] for key, field in said.items() if key.startswith(f"{side}.") and not field.kept)
    return any(edition.words.get(other) == edition.words[word] for other in others)


def _built(
    edition: Edition, units: Sequence[Mapping[str, Mapping[str, int]]], said: Sequence[Mapping[str, Any]]
) -> AxisBattle | Waves:
    theatre = theatre_of(edition, [side for sides in units for side in sides.values()], said[0])
    names = [within(f"waves.{number}", partial(_named_orders, edition, wave)) for number, wave in enumerate(said)]
    orders = orders_of_waves(edition, theatre, units, said, names, unsaid().rules > 1)
    given = [
        within(f"waves.{number}", partial(_fields, edition, theatre, *wave))
        for number, wave in enumerate(zip(units, said, orders, strict=True))
    ]
    if len(given) == 1:
        if said[0].get("lookahead"):
            raise BattleError("lookahead", "there is no later wave to look ahead to: add one with `... then 4 arm`")
        return AxisBattle(edition.rules, **given[0])
    every = [{**fields, "hold": wave.get("hold", "")} for fields, wave in zip(given, said, strict=True)]
    return Waves.of(edition.rules, every, bool(said[0].get("lookahead")))


def _fields(
    edition: Edition,
    theatre: Theatre,
    units: Mapping[str, Mapping[str, int]],
    said: Mapping[str, Any],
    orders: Mapping[str, Any],
) -> dict[str, Any]:
    """The fields of `AxisBattle` for a wave."""
    attacker = Side.of(units["attacker"], *orders["attacker"], keep_land=said.get("keep", 0))
    last = {"keep_land": orders["keep"], "aa_second_last": orders["guns"]}
    defender = Side.of(units["defender"], *orders["defender"], **last)
    dice = [name for word, name in (("lowluck", "low_luck"), ("biased", "biased")) if said.get(word)]
    if len(dice) > 1:
        raise BattleError("lowluck", "use either low luck or biased dice, not both")
    flags = {name: tuple(bool(said.get(f"{side}:{name}")) for side in units) for name in ("submerge", "keepdestroyer")}
    return {
        "theatre": theatre,
        "attacker": attacker,
        "defender": defender,
        "dice": dice[0] if dice else "standard",
        "round_limit": said.get("rounds"),
        "retreat": _retreat(said.get("retreat", ())),
        "submerge": flags["submerge"],
        "keep_last_destroyer": flags["keepdestroyer"],
        "crash_stranded_fighters": bool(said.get("crash")),
        "crash_attacking_fighters": bool(said.get("acrash")),
        "deadzone": bool(said.get("deadzone")),
        "territory_value": said.get("value", 0),
        "planned_deadzone": said.get("plandeadzone"),
        "planned_value": said.get("planvalue"),
        "decline_allowed": said.get("decline", True),
        "aa_already_fired": bool(said.get("aafired")) and "hold" not in said,
        "worth": read_worth(edition, said),
        "ruling": unsaid().rules,
    }


def _named_orders(edition: Edition, said: Mapping[str, Any]) -> dict[str, Order | None]:
    """The orders of loss that a wave gives: () for the usual one, None where it gives none."""
    found: dict[str, Order | None] = {}
    for side in ("attacker", "defender"):
        words = said.get(f"{side}:loss")
        usual = words == (USUAL_ORDER,)
        found[side] = words and (() if usual else tuple(_unit(edition, word, f"{side}.loss_order") for word in words))
    return found


def theatre_of(edition: Edition, sides: Iterable[Mapping[str, int]], said: Mapping[str, Any]) -> Theatre:
    """Where sides with these units fight: at sea if somebody there can only be at sea."""
    if said.get("sea") and said.get("land"):
        raise BattleError("sea", "a battle is either at sea or on land")
    if said.get("sea"):
        return "sea"
    table = edition.rules.table
    kinds = {table[name].kind for side in sides for name, count in side.items() if count}
    return "land" if said.get("land") or "land" in kinds or "sea" not in kinds else "sea"


def _unit(edition: Edition, word: str, field: str) -> str:
    if word not in edition.words:
        told = {"word": word, "edition": edition.name}
        if other := edition_with(word):
            raise BattleError(field, "{edition} has no unit `{word}`, but `variant:{other}` does", **told, other=other)
        if near := nearest_unit(word, edition):
            raise BattleError(field, "{edition} has no unit `{word}`, but it has `{near}`", **told, near=near)
        raise BattleError(field, "{edition} has no unit `{word}`", **told)
    return edition.words[word]


def read_worth(edition: Edition, said: Mapping[str, Any]) -> Worth:
    """Read what units count: one measure at the most, and one price for each unit, of both sides or of one."""
    parts = said.get("worth", ())
    measures = [part for part in parts if "=" not in part]
    if len(measures) > 1:
        raise BattleError("worth", "use only one of `ipc`, `units` and `power`, with your own prices before it")
    own = {"worth": [part for part in parts if "=" in part]}
    own |= {word: said.get(word, ()) for word in ("aworth", "dworth")}
    prices = [_prices(edition, word, given) for word, given in own.items()]
    return Worth(cast(Measure, measures[0]) if measures else "ipc", *prices)


def _prices(edition: Edition, field: str, parts: Iterable[str]) -> Prices:
    """The prices that a word gives, each unit's once."""
    prices: dict[str, float] = {}
    for word, price in (re.split(" ?= ?", part) for part in parts):
        unit = _unit(edition, word, field)
        if unit in prices:
            raise BattleError(field, "{unit} already has a price", unit=unit)
        prices[unit] = read_number(price)
    return tuple(prices.items())


def _retreat(rules: tuple[str, ...]) -> Retreat:
    """The rules for retreating, of which each kind is said once."""
    given: dict[str, Any] = {}
    for rule in rules:
        name, sign, number = re.match(r"([a-z]+) ?([<>]=?) ?(.*)", rule).groups()  # type: ignore[union-attr]
        percent = number.rstrip("% ")
        value = read_number(percent) if name in ("units", "profit") else read_chance(number)
        if name not in ("units", "profit") and value > 1:
            raise BattleError("retreat", "a chance must be between 0% and 100%, not {percent}%", percent=percent)
        if name == "units":
            value = int(value) - (sign == "<")
        field = _RULES[name]
        if field in given:
            raise BattleError("retreat", "use each retreat rule once, and not `win` together with `destroy`")
        given[field] = value
        if name in ("win", "destroy"):
            given["win_means"] = {"win": None, "destroy": "destroy"}[name]
    return Retreat(**given)


_RULES = {
    "units": "units_at_most",
    "profit": "profit_below",
    "win": "win_chance_below",
    "destroy": "win_chance_below",
    "air": "air_loss_chance_above",
    "clear": "clear_chance_above",
}


def no_unit(line: str, field: Said, word: str, edition: Edition) -> MatchupError:
    """The error where an edition has no unit of which a part of the line speaks."""
    other, near = edition_with(word), nearest_unit(word, edition)
    known = ", ".join(edition.short[unit.name] for unit in edition.rules.units)
    hint = meant(near) if near else _("Its units are {names}.", names=known)
    hint = _("It is a unit with `{variant}`.", variant=f"variant:{other}") if other else hint
    what = _("{edition} has no unit `{word}`.", word=word, edition=_(edition.name))
    reason = joined("{what} {hint}", what=what, hint=hint)
    error = MatchupError(line, field.start, field.end, reason, _with(line, field, word, near))
    if other:
        error.better = in_edition(line, other)
    return error


def _with(line: str, field: Said, word: str, near: str) -> str:
    """A part of the line with another word for a unit; empty where there is none."""
    return re.sub(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", near, line[field.start : field.end]) if near else ""


def no_edition(name: str) -> str:
    """What is said where there is no such edition."""
    near = nearest_edition(name)
    hint = meant(near) if near else _("The editions are {names}.", names=", ".join(editions()))
    return joined("{what} {hint}", what=_("There is no edition called `{name}`.", name=name), hint=hint)


def place_of(line: str, said: Mapping[str, Said], edition: Edition, name: str) -> tuple[int, int]:
    """Where the line speaks of the field an error names; else the whole line."""
    side, _, rest = name.partition(".")
    unit = rest.removeprefix("units.")
    keys = [
        key
        for key in said
        if key.startswith(f"{side}.") and edition.words.get(key.partition(".")[2].removeprefix(CHANGE)) == unit
    ]
    keys += [f"{side}:{_FIELDS.get(rest, rest)}", _FIELDS.get(name, name), _FIELDS.get(name.rpartition(".")[0], side)]
    keys += {"aa_second_last": ["gunslast"], "keep_land": ["dkeep"] if side == "defender" else []}.get(rest, [])
    for key in keys:
        if key in said:
            return said[key].start, said[key].end
    return 0, len(line)


_FIELDS = {
    "loss_order": "loss",
    "keep_land": "keep",
    "round_limit": "rounds",
    "territory_value": "value",
    "planned_value": "planvalue",
    "worth.attacker": "aworth",
    "worth.defender": "dworth",
}


def told_mistake(error: BattleError, edition: Edition) -> str:
    """An error in the words of the notation."""
    return sentence_of(in_notation(error, edition))


def in_notation(error: BattleError, edition: Edition) -> BattleError:
    """The error with the words of the notation for units."""
    values = {name: _written(of, edition) if isinstance(of, str) else of for name, of in error.values.items()}
    return BattleError(error.field, error.told if values else _written(error.told, edition), **values)


def _written(text: str, edition: Edition) -> str:
    for unit in sorted(edition.short, key=len, reverse=True):
        text = re.sub(rf"\b{unit}\b", f"`{edition.short[unit]}`", text, flags=re.IGNORECASE)
    return text
