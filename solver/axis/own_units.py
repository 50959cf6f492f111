"""Own units and rules of a table: kinds of units that it adds to an edition or changes in it, and rules of others.

A unit is written in a few signs: "1/2/4" is its attack, its defence and its price. Words may follow, as in
"3/4/9/hits2/aa1": see `WORDS` and `NUMBERS`. The key of the rules holds these units and rules behind the name of the
edition, so that a battle with others has other rules.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from solver.axis.units import EDITION_RULES, EVERY_PLANE, MOST_COST, MOST_SHOTS, ORDERS, Rules, Unit
from solver.documents import read_list, read_part
from solver.errors import BattleError, check_choice, quoted

WORDS: dict[str, dict[str, Any]] = {
    "land": {"kind": "land"},
    "air": {"kind": "air"},
    "sea": {"kind": "sea"},
    "sub": {"kind": "sea", "surprise": True},
    "des": {"kind": "sea", "screens": True},
    "tra": {"kind": "sea", "defenceless": True},
    "bombards": {"kind": "sea", "bombards": True},
}
"""The fields that each word gives a unit. A unit without any is on land."""
NUMBERS = {
    "hits": ("hits", 1, 2),
    "aa": ("antiaircraft", 1, EVERY_PLANE),
    "carries": ("carries", 1, 20),
    "dice": ("attack_dice", 1, 6),
    "raid": ("raid", 0, 20),
}
"""The field that each word with a number sets, and its least and its largest number."""
PLAIN = "plain"
"""The word that takes everything from a known unit but its place and what the words behind it say."""
SUPPORTED = "supported"
"""The word for a unit whose attack artillery raises by 1, as it does that of infantry."""
OWN_RULES: dict[str, dict[str, Any]] = {
    "aa-by-kind": {"antiaircraft_by_kind": True, "antiaircraft_at_random": False},
    "aa-by-order": {"antiaircraft_by_kind": False, "antiaircraft_at_random": False},
    "aa-at-random": {"antiaircraft_by_kind": False, "antiaircraft_at_random": True},
    "bombard-first": {"bombardment_first": True},
    "bombard-with": {"bombardment_first": False},
    "damage-stays": {"damage_stays": True},
    "repaired": {"damage_stays": False},
    "bombard-all": {"all_ships_bombard": True},
    "bombard-limited": {"all_ships_bombard": False},
    "bombard-bat": {"bombarding": ("battleship",)},
    "bombard-cru": {"bombarding": ("battleship", "cruiser")},
    "bombard-des": {"bombarding": ("battleship", "cruiser", "destroyer")},
    "lone-guns-fire": {"lone_guns_fire": True},
    "lone-guns-fall": {"lone_guns_fire": False},
    "planes-hit-subs": {"hunted": True},
    "planes-need-destroyers": {"hunted": False},
    "subs-strike-attacking": {"surprise_defence": False},
    "subs-strike-both": {"surprise_defence": True},
    "submerge-after": {"submerge_after": True},
    "submerge-before": {"submerge_after": False},
    "transports-leave": {"transports_leave": True},
    "transports-stay": {"transports_leave": False},
    "d6": {"faces": 6},
    "d12": {"faces": 12},
}
"""The rules by the words that switch them: the fields of `Rules`, or of each submarine, and their values.

"bombarding" is which of three kinds of ships bombard; all other ships stay as they are.
"""
_OF_SUBMARINES = "hunted", "surprise_defence"
"""The fields among them that belong to each submarine."""
MOST_OWN = 8
"""The most own units of a table."""
_NAME = re.compile("[a-z][a-z_]{1,19}")
_TEXT = re.compile(r"(\d{1,4})/(\d{1,4})/(\d{1,4}(?:\.\d{1,2})?)((?:/[^/]+)*)")
_PART = re.compile(r"([a-z]+)(\d{0,4})")


def take_rules(document: dict[str, Any], rules: Rules) -> Rules:
    """Take the own units and rules out of a document; returns the rules with them.

    Args:
        document: The document, perhaps with the fields "own_units" and "own_rules".
        rules: The rules of its edition.

    Raises:
        BattleError: If they are wrong.
    """
    own = document.pop("own_units", {})
    if not isinstance(own, Mapping) or not all(isinstance(text, str) for text in own.values()):
        raise BattleError("own_units", "give an object with the text of each unit, such as 1/2/4")
    words = read_list(document, "own_rules") if "own_rules" in document else []
    document.pop("own_rules", None)
    rules = read_part("own_rules", partial(with_own_rules, rules, words)) if words else rules
    return read_part("own_units", partial(with_own_units, rules, own)) if own else rules


def with_own_rules(rules: Rules, words: Sequence[str]) -> Rules:
    """Return the rules of an edition with some switched by a table.

    Args:
        rules: The rules of the edition.
        words: Words of `OWN_RULES`. Those that the edition has anyway change nothing.

    Raises:
        BattleError: If a word is unknown, contradicts another, or does not go with the edition.

    Example:
        >>> tank = Unit("tank", "land", 3, 3, 6)
        >>> with_own_rules(Rules("mini", (tank,), (("tank",),) * 4), ["repaired", "bombard-first"]).key
        'mini +bombard-first'
    """
    changed = _changes_of(rules, words)
    own = sorted(
        word
        for word, fields in OWN_RULES.items()
        if fields.items() <= changed.items() and _with_fields(rules, fields) != rules
    )
    return replace(_with_fields(rules, changed), key=" ".join([rules.key, *(f"+{word}" for word in own)]))


def words_of_rules(rules: Rules) -> list[str]:
    """Return the words of `OWN_RULES` for the rules that an edition has.

    Args:
        rules: The rules of the edition.
    """
    ships = [rules.table[name] for name in OWN_RULES["bombard-des"]["bombarding"] if name in rules.table]
    has = {name: getattr(rules, name) for name in EDITION_RULES}
    has["bombarding"] = tuple(ship.name for ship in ships if ship.bombards)
    for unit in rules.units:
        if unit.surprise:
            has |= {name: getattr(unit, name) for name in _OF_SUBMARINES}
    return [word for word, fields in OWN_RULES.items() if fields.items() <= has.items()]


def _with_fields(rules: Rules, fields: Mapping[str, Any]) -> Rules:
    """The rules with other values of fields of theirs, and of their units."""
    units = tuple(replace(unit, **_fields_of_unit(unit, fields)) for unit in rules.units)
    return replace(rules, units=units, **{field: fields[field] for field in EDITION_RULES if field in fields})


def _fields_of_unit(unit: Unit, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a unit that rules of a table set."""
    if unit.surprise:
        return {field: fields[field] for field in _OF_SUBMARINES if field in fields}
    switched = "bombarding" in fields and unit.name in OWN_RULES["bombard-des"]["bombarding"]
    return {"bombards": unit.name in fields["bombarding"]} if switched else {}


def _changes_of(rules: Rules, words: Sequence[str]) -> dict[str, Any]:
    """Return the fields that words of `OWN_RULES` set; refuse words that do not go together or with the edition."""
    changed: dict[str, Any] = {}
    for word in words:
        check_choice("", word, tuple(OWN_RULES), "a rule of a table must be one of {known}, not {value}")
        if any(changed.get(field, value) != value for field, value in OWN_RULES[word].items()):
            raise BattleError("", "`{word}` contradicts another rule of this table", word=word)
        _check_ships(word, rules)
        changed |= OWN_RULES[word]
    limited = any(0 < unit.antiaircraft < MOST_SHOTS for unit in rules.units)
    if changed.get("antiaircraft_by_kind") and limited:
        raise BattleError("", "guns fire separately at each kind of plane only if they have a shot at every plane")
    if rules.air_battle and (changed.get("antiaircraft_by_kind") or changed.get("antiaircraft_at_random")):
        raise BattleError("", "AA guns hit by kind or at random only where planes don't fight each other first")
    return changed


def _check_ships(word: str, rules: Rules) -> None:
    """Refuse a word of `OWN_RULES` about submarines or ships that an edition has not."""
    fields = OWN_RULES[word]
    if any(field in _OF_SUBMARINES for field in fields) and not any(unit.surprise for unit in rules.units):
        raise BattleError("", "`{word}` needs submarines that strike first; this edition has none", word=word)
    if not rules.table.keys() >= {*fields.get("bombarding", ())[-1:]}:
        raise BattleError("", "`{word}` is about a ship that this edition doesn't have", word=word)


def with_own_units(rules: Rules, own: Mapping[str, str]) -> Rules:
    """Return the rules of an edition with own units of a table.

    A unit of the edition keeps all that its new text does not say. A new one is lost before the first that is dearer.

    Args:
        rules: The rules of the edition.
        own: The text of each unit by its name.

    Raises:
        BattleError: If a text is wrong, or a unit does not go with the others; it names the unit.

    Example:
        >>> tank = Unit("tank", "land", 3, 3, 6)
        >>> rules = with_own_units(Rules("mini", (tank,), (("tank",),) * 4), {"mech": "1/2/4"})
        >>> rules.key, rules.orders[0]
        ('mini mech=1/2/4', ('mech', 'tank'))
    """
    if len(own) > MOST_OWN:
        raise BattleError("", "a table can have at most {most} units of its own", most=MOST_OWN)
    units, orders, texts = {unit.name: unit for unit in rules.units}, list(rules.orders), dict[str, str]()
    for name in sorted(own, key=lambda name: (name in units and units[name].form_of != "", name)):
        known = units.get(name)
        if known is None:
            _check_name(name, rules)
        words = own[name].split("/")
        plain = known is not None and PLAIN in words
        base = _base_of(name, known, plain)
        text = "/".join(word for word in words if word != PLAIN)
        unit = read_part(name, partial(_read, text, rules, base, known is not None))
        texts[name] = "/".join([f"{name}={_write(unit, base)}", *([PLAIN] if plain else [])])
        if known:
            units |= {form.name: _form_of(unit, known, form) for form in rules.units if form.form_of == name}
        else:
            orders = [_with_place(unit, of, order, units) for of, order in zip(ORDERS, orders, strict=True)]
            units = _beside_its_kind(unit, units)
        units[name] = unit
    key = " ".join([rules.key, *(texts[name] for name in sorted(texts))])
    return replace(rules, key=key, units=tuple(units.values()), orders=tuple(orders))


def _check_name(name: str, rules: Rules) -> None:
    """Raise BattleError if a new unit cannot have a name."""
    if name in rules.table or not _NAME.fullmatch(name):
        raise BattleError(quoted(name)[1:-1], "change the unit itself, or give a new one a name of 2 to 20 letters")


def _base_of(name: str, known: Unit | None, plain: bool) -> Unit:
    """Return the unit that a text changes: the `known` one, or one that has only a name and a kind."""
    if known and plain and known.antiaircraft:
        raise BattleError(name, "a known gun stays one: give a unit without shots another name")
    return known if known and not plain else Unit(name, known.kind if known else "land", 0, 0, 0)


def _form_of(unit: Unit, known: Unit, form: Unit) -> Unit:
    """The form that a technology makes of a changed unit, as it makes `form` of the `known` one."""
    names = form.__dataclass_fields__
    changed = {name: getattr(form, name) for name in names if getattr(form, name) != getattr(known, name)}
    return replace(unit, **changed)


def _beside_its_kind(unit: Unit, units: Mapping[str, Unit]) -> dict[str, Unit]:
    """Units with a new one behind the last of its kind."""
    every = list(units.values())
    place = max((at + 1 for at, other in enumerate(every) if other.kind == unit.kind), default=len(every))
    return {one.name: one for one in [*every[:place], unit, *every[place:]]}


def _read(text: str, rules: Rules, base: Unit, known: bool) -> Unit:
    """The unit that a text makes of another, which may be `known` to the edition."""
    values = _values(text, rules)
    if known and values.get("kind", base.kind) != base.kind:
        raise BattleError("", "a known unit can't change between land, air and sea; give a new one another name")
    unit = replace(base, **(_fields_with_attack(base, values["attack"] - base.attack, rules.faces) | values))
    if unit.antiaircraft and unit.kind != "land":
        raise BattleError("", "only land units have AA shots")
    if unit.defenceless and unit.defence:
        word = PLAIN if base.defenceless else unit.kind
        raise BattleError("", "a transport falls without a fight; write `{word}` for a ship that defends", word=word)
    if unit.raid is not None and base.raid is None and unit.kind != "air":
        raise BattleError("", "only planes raid")
    tough = unit.kind == "air" and unit.hit_points("attack") > 1
    if tough and (rules.antiaircraft_by_kind or rules.antiaircraft_at_random):
        raise BattleError("", "planes take two hits only where AA guns hit by the owner's order: `aa-by-order`")
    return _like_others(unit, base, rules)


def _like_others(unit: Unit, base: Unit, rules: Rules) -> Unit:
    """A unit that raids or strikes first, other than its base, with the other fields of such units of the edition."""
    if unit.raid is not None and base.raid is None:
        bomber = next((other for other in rules.units if other.raid is not None), base)
        unit = replace(unit, air_attack=bomber.air_attack)
    if unit.surprise and not base.surprise:
        subs = [other for other in rules.units if other.surprise]
        unit = replace(unit, hunted=subs[0].hunted, surprise_defence=subs[0].surprise_defence) if subs else unit
    return unit


def _values(text: str, rules: Rules) -> dict[str, Any]:
    """The fields that a text sets."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise BattleError("", "write a unit as attack/defence/price, such as 1/2/4, and words behind it")
    attack, defence = int(match[1]), int(match[2])
    price = float(match[3])
    if max(attack, defence) > rules.faces or price > MOST_COST:
        raise BattleError(
            "",
            "attack and defence must be 0 to {most}, and the price 0 to {cost}",
            most=rules.faces,
            cost=MOST_COST,
        )
    values: dict[str, Any] = {"attack": attack, "defence": defence, "cost": int(price) if price.is_integer() else price}
    for word in match[4].split("/")[1:]:
        more = _meaning(word, attack, rules)
        if any(values.get(field, value) != value for field, value in more.items()):
            raise BattleError("", "`{word}` contradicts another word of this unit", word=word)
        values |= more
    return values | ({"attack_hits": None} if "hits" in values else {})


def _fields_with_attack(base: Unit, by: int, most: int) -> dict[str, Any]:
    """The fields of a unit that change with its attack, each of which is `most` at most."""
    fields: dict[str, Any] = {}
    if base.boost is not None:
        fields["boost"] = min(base.boost + by, most)
    if base.supremacy:
        fields["supremacy"] = tuple(min(max(strength + by, 0), most) for strength in base.supremacy)
    return fields


def _meaning(word: str, attack: int, rules: Rules) -> dict[str, Any]:
    """The fields that a word of a unit sets."""
    if word == SUPPORTED:
        by = next((unit.by for unit in rules.units if unit.kind == "land" and unit.by), ())
        if not by:
            raise BattleError("", "in this edition no unit supports others")
        return {"boost": min(attack + 1, rules.faces), "by": by}
    if word in WORDS:
        return WORDS[word]
    part = _PART.fullmatch(word)
    if part is None or part[1] not in NUMBERS or not part[2]:
        known = ", ".join(f"`{name}`" for name in [*WORDS, SUPPORTED, PLAIN, *(f"{name}2" for name in NUMBERS)])
        raise BattleError("", "`{word}` is no word for a unit; the words are {known}", word=word, known=known)
    field, least, most = NUMBERS[part[1]]
    if not least <= int(part[2]) <= most:
        raise BattleError("", "`{name}` needs a number from {least} to {most}", name=part[1], least=least, most=most)
    return {field: int(part[2])}


def _write(unit: Unit, base: Unit) -> str:
    """The one text of a unit that differs from another so."""
    changed = {field for field in unit.__dataclass_fields__ if getattr(unit, field) != getattr(base, field)}
    changed |= {"hits"} if "attack_hits" in changed else set()
    words = [
        word for word, means in WORDS.items() if "kind" in means and len(means) > 1 and {*means} - {"kind"} <= changed
    ]
    words = words or [unit.kind] * (unit.kind != base.kind)
    words += [SUPPORTED] * (unit.by != base.by)
    words += [f"{word}{getattr(unit, field)}" for word, (field, *_limits) in NUMBERS.items() if field in changed]
    return "/".join([f"{unit.attack}/{unit.defence}/{unit.cost:.10g}", *words])


def _with_place(unit: Unit, of: str, order: tuple[str, ...], units: Mapping[str, Unit]) -> tuple[str, ...]:
    """An order of loss with a new unit, if it fights there: before the first dearer one, guns and transports aside."""
    theatre, role = of.split("_")
    if unit.kind not in ("air", theatre) or (unit.antiaircraft and role == "attack"):
        return order
    dearer = (name for name in order if units[name].cost > unit.cost and not units[name].antiaircraft)
    late = (name for name in order if units[name].defenceless and not unit.defenceless)
    before = next(dearer, None) or next(late, None)
    place = order.index(before) if before else len(order)
    return (*order[:place], unit.name, *order[place:])
