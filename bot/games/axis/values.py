"""Values of options of Axis & Allies that need code: from the words of a line to the field of a battle, and back."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from bot.editions import USUAL, Edition, edition_with, editions, nearest_unit
from bot.notation.options import read_number, write_number
from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.checks import usual_kamikaze
from solver.axis.loss_order import usual_order
from solver.axis.sides import EVERYBODY, SIDES, Aim, Army, DefenderRetreat, Luck, Retreat, Units
from solver.axis.units import ROLES, Theatre
from solver.axis.worth import Measure, Prices, Worth


def read_chance(text: str) -> float:
    """Read a chance: both "40%" and "0.4" are 0.4."""
    number = round(float(text.rstrip("% ")), 8)
    return number / 100 if "%" in text or number > 1 else number


def unit_of(edition: Edition, word: str, field: str) -> str:
    """Return the unit that a word means in an edition; the BattleError for another word names this field."""
    if word not in edition.words:
        values = {"word": word, "edition": edition.name}
        if other := edition_with(word):
            raise BattleError(
                field, "{edition} has no unit `{word}`, but `variant:{other}` does", **values, other=other
            )
        if near := nearest_unit(word, edition):
            raise BattleError(field, "{edition} has no unit `{word}`, but it has `{near}`", **values, near=near)
        raise BattleError(field, "{edition} has no unit `{word}`", **values)
    return edition.words[word]


# Sides --------------------------------------------------------------------------------------------------


def loss_order(battles: Sequence[AxisBattle], side: int) -> str | None:
    """Return the order of loss of a side of the first battle, None for the usual one."""
    battle, order = battles[0], (battles[0].attacker, battles[0].defender)[side].loss_order
    if order == usual_order(battle.rules, battle.theatre, ROLES[side]):
        return None
    return ",".join(editions()[battle.rules.key].short[name] for name in order)


def choice(battles: Sequence[AxisBattle], side: int) -> str | bool:
    """Return the aim of a side of the first battle that chooses its casualties; True for the usual aim."""
    battle = battles[0]
    return battle.chooses[side] and (battle.aim == "takes" or "tuv")


# Rules of the battle ------------------------------------------------------------------------------------


def aim_of(options: Mapping[str, Any]) -> Aim:
    """Return what the sides that choose their casualties aim at, which must be the same."""
    choices = {choice for side in SIDES if (choice := options.get(f"{side}:choose"))}
    if len(choices) > 1:
        raise BattleError(
            "defender.choose", "both sides need the same aim: `choose:takes` for both, or `choose:tuv` for both"
        )
    return "profit" if choices == {"profit"} else "takes"


def theatre_of(edition: Edition, sides: Iterable[Mapping[str, int]], options: Mapping[str, Any]) -> Theatre:
    """Return the theatre of sides with these units: the sea if one of them can only be there."""
    if options.get("sea") and options.get("land"):
        raise BattleError("sea", "a battle is either at sea or on land")
    if options.get("sea"):
        return "sea"
    table = edition.rules.table
    kinds = {table[name].kind for side in sides for name, count in side.items() if count}
    return "land" if options.get("land") or "land" in kinds or "sea" not in kinds else "sea"


_LUCK: dict[bool | str, Luck] = {False: "standard", True: "low_luck", "aa": "low_luck_aa", "noaa": "low_luck_but_aa"}
"""The dice by the values of `lowluck`."""


def dice_of(options: Mapping[str, Any]) -> Luck:
    """Return the dice that a line asks for."""
    if options.get("lowluck") and options.get("biased"):
        raise BattleError("lowluck", "use either low luck or biased dice, not both")
    return "biased" if options.get("biased") else _LUCK[options.get("lowluck", False)]


def low_luck(battles: Sequence[Any]) -> str | bool:
    """Return who has low luck: True for all, "aa" for the AA guns alone, "noaa" for all others."""
    return next((who for who, dice in _LUCK.items() if dice == battles[0].dice), False)


def unusual_edition(battles: Sequence[Any]) -> str | None:
    """Return the edition, if it is not the usual one."""
    key: str = battles[0].rules.edition
    return key if key != USUAL else None


def own_units(battles: Sequence[Any]) -> str | None:
    """Return the own units of a table in a battle; None if it has none."""
    return own_units_text(editions()[battles[0].rules.key]) or None


def own_rules(battles: Sequence[Any]) -> str | None:
    """Return the rules that a table switches in a battle; None if there are none."""
    return ",".join(battles[0].rules.own[1]) or None


def own_units_text(edition: Edition) -> str:
    """Write the own units of a table: "mech=1/2/4,arm=4/3/6"; "" if it has none."""
    return ",".join(f"{edition.short[name]}={text}" for name, text in edition.rules.own[0].items())


def is_hidden_theatre(battles: Sequence[AxisBattle], theatre: Theatre) -> bool:
    """Tell whether this is the theatre, and the units of all waves do not show it."""
    if battles[0].theatre != theatre:
        return False
    sides = [dict(side.units) for battle in battles for side in (battle.attacker, battle.defender)]
    return theatre_of(editions()[battles[0].rules.key], sides, {}) != theatre


def round_limit(battles: Sequence[AxisBattle]) -> int | None:
    """Return the limit of rounds, if it is not that of the edition."""
    battle = battles[0]
    usual = battle.rules.land_rounds if battle.theatre == "land" else None
    return battle.round_limit if battle.round_limit != usual else None


def submerging(battles: Sequence[AxisBattle], side: int) -> int:
    """Return how many submarines of a side submerge; True for all."""
    most = battles[0].submerge[side]
    return most == EVERYBODY or (most or False)


# Plans --------------------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    """A rule for retreating: its sign, the field that has its number, and whether that is a chance."""

    sign: str
    field: str
    is_chance: bool = True


_RULES = {
    "units": _Rule("<=", "units_at_most", is_chance=False),
    "profit": _Rule("<", "profit_below", is_chance=False),
    "win": _Rule("<", "win_chance_below"),
    "destroy": _Rule("<", "win_chance_below"),
    "clear": _Rule(">", "clear_chance_above"),
    "air": _Rule(">", "air_loss_chance_above"),
}
"""The rules for retreating by their words, in the order in which they are written."""
ALONE = "transports"
"""The rule by which transports leave when they are alone."""


def read_retreat(rules: Sequence[str], *_others: Any) -> Retreat:
    """Read the rules for retreating, one of each kind."""
    limits: dict[str, Any] = {}
    for text in rules:
        if text == ALONE:
            limits["transports_alone"] = True
            continue
        name, sign, number = re.match(r"([a-z]+) ?([<>]=?) ?(.*)", text).groups()  # type: ignore[union-attr]
        percent, rule = number.rstrip("% "), _RULES[name]
        value = read_chance(number) if rule.is_chance else read_number(percent)
        if rule.is_chance and value > 1:
            raise BattleError("retreat", "a chance must be between 0% and 100%, not {percent}%", percent=percent)
        if name == "units":
            value = int(value) - (sign == "<")
        if rule.field in limits:
            raise BattleError("retreat", "use each retreat rule once, and not `win` together with `destroy`")
        limits[rule.field] = value
        if name == "destroy":
            limits["win_means"] = name
    return Retreat(**limits)


def read_defender_retreat(rules: Sequence[str], *_others: Any) -> DefenderRetreat:
    """Read when the defender leaves: after so many rounds, with so many units left, or both."""
    limits: dict[str, int] = {}
    for text in rules:
        name, less, number = re.match(r"(units)? ?(<)?=? ?(\d+)", text).groups()  # type: ignore[union-attr]
        field = "units_at_most" if name else "rounds"
        if field in limits:
            raise BattleError("defender_retreat", "say once after how many rounds, and once with how many units")
        limits[field] = int(number) - bool(less and "=" not in text)
    return DefenderRetreat(**limits)


def write_defender_retreat(battles: Sequence[AxisBattle]) -> str | None:
    """Write when the defender of the first battle leaves."""
    plan = battles[0].defender_retreat
    rounds = [] if plan.rounds is None else [str(plan.rounds)]
    units = [] if plan.units_at_most is None else [f"units<={plan.units_at_most}"]
    return ",".join([*rounds, *units]) or None


def write_retreat(battles: Sequence[AxisBattle]) -> str | None:
    """Write the rules for retreating of the first battle."""
    retreat = battles[0].retreat
    if battles[0].rules.transports_leave:
        retreat = replace(retreat, transports_alone=False)
    return ",".join(_retreat_rules(retreat)) or None


def _retreat_rules(retreat: Retreat) -> Iterator[str]:
    if retreat.transports_alone:
        yield ALONE
    idle = "win" if retreat.win_means == "destroy" else "destroy"
    for name, rule in _RULES.items():
        value = getattr(retreat, rule.field)
        if value is not None and name != idle:
            yield f"{name}{rule.sign}{_percent(value) if rule.is_chance else write_number(value)}"


def _percent(chance: float) -> str:
    """Write a chance with all its digits, so that it is read again exactly."""
    text = write_number(round(100 * chance, 10))
    return f"{text}%" if read_chance(f"{text}%") == chance else write_number(chance)


def among_units(battles: Sequence[AxisBattle]) -> None:
    """Return nothing, as a line has the planes that scramble among its units."""
    del battles


def read_kamikaze(asked: int | Sequence[tuple[str, str]], edition: Edition, attacker: Army) -> Units:
    """Read the ships at which kamikaze attacks are aimed; a number alone has the usual aims."""
    if isinstance(asked, int):
        usual = usual_kamikaze(asked, attacker, edition.rules) if asked <= edition.rules.kamikaze else ()
        if usual or not asked:
            return usual
        return (("", asked),)  # They are too many, or have no ship to aim at: the battle says so.
    aims: dict[str, int] = {}
    for count, word in asked:
        name = unit_of(edition, word, "kamikaze")
        aims[name] = aims.get(name, 0) + int(count)
    return tuple(aims.items())


def write_kamikaze(battles: Sequence[AxisBattle]) -> str | None:
    """Write the kamikaze attacks of the first battle, with their aims if these are not the usual ones."""
    battle = battles[0]
    if not battle.kamikaze:
        return None
    total, short = sum(count for _, count in battle.kamikaze), editions()[battle.rules.key].short
    if dict(usual_kamikaze(total, battle.attacker, battle.rules)) == dict(battle.kamikaze):
        return str(total)
    return ",".join(f"{count}{short[name]}" for name, count in battle.kamikaze)


# Worth --------------------------------------------------------------------------------------------------


def read_worth(edition: Edition, options: Mapping[str, Any]) -> Worth:
    """Read what units count: one measure at the most, and one price for each unit, of both sides or of one."""
    parts = options.get("worth", ())
    measures = [part for part in parts if "=" not in part]
    if len(measures) > 1:
        raise BattleError("worth", "use only one of `ipc`, `units` and `power`, with your own prices before it")
    own = {"worth": [part for part in parts if "=" in part]}
    own |= {word: options.get(word, ()) for word in ("aworth", "dworth")}
    prices = [_prices(edition, word, texts) for word, texts in own.items()]
    return Worth(cast(Measure, measures[0]) if measures else "ipc", *prices)


def _prices(edition: Edition, field: str, parts: Iterable[str]) -> Prices:
    """Return the prices that a word gives, one for each unit."""
    prices: dict[str, float] = {}
    for word, price in (re.split(" ?= ?", part) for part in parts):
        unit = unit_of(edition, word, field)
        if unit in prices:
            raise BattleError(field, "{unit} already has a price", unit=unit)
        prices[unit] = read_number(price)
    return tuple(prices.items())


def write_prices(battle: Any, field: str) -> str | None:
    """Write the prices of one field of the worth in a battle; in that for both sides also the measure of the others."""
    worth, prices = battle.worth, getattr(battle.worth, field)
    measure = [worth.measure] if field == "units" and worth.measure != "ipc" else []
    if not prices and not measure:
        return None
    short = editions()[battle.rules.key].short
    return ",".join([*measure, *(f"{short[name]}={write_number(price)}" for name, price in prices)])
