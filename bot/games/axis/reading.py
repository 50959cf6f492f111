"""Builds the battle or the waves from the words of a line of Axis & Allies; errors point at the wrong word."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from bot.editions import USUAL, Edition, edition_with, editions, example_here, in_edition, nearest_edition, nearest_unit
from bot.errors import sentence_of
from bot.games.axis.lasting_orders import USUAL_ORDER, Order, orders_of_waves
from bot.games.axis.options import ARMIES, OPTIONS, OTHER_WORDS, WHOLE_BATTLE, WORD_OF_FIELD
from bot.games.axis.values import aim_of, dice_of, read_worth, theatre_of, unit_of
from bot.languages import _, compose
from bot.notation.asked_ends import WORDS as WORDS_OF_ENDS
from bot.notation.asked_ends import Span, asked_ends
from bot.notation.defaults import current_defaults
from bot.notation.lexer import ParsedOption
from bot.notation.mistakes import MatchupError, did_you_mean, nearest_word, with_hint
from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.own_units import OWN_RULES, with_own_rules, with_own_units
from solver.axis.sides import SIDES, Army
from solver.axis.units import AMPHIBIOUS, Theatre
from solver.axis.waves.units import add_units
from solver.axis.waves.waves import Waves
from solver.documents import read_part
from solver.ends import lacking

CHANGE = "+"
"""The mark before the word for a unit whose number changes that of a preset."""
MONEY = "money"
MOST_SCRAMBLED = 3
"""The most planes that an air base sends to a battle at sea (rulebooks of 1940, second edition)."""
COUNTED_ALIKE = {
    **dict.fromkeys(("air", "planes", "plane"), ("air", "air")),
    **dict.fromkeys(("sea", "ships", "ship"), ("sea", "sea")),
    "land": ("land", "land"),
    **dict.fromkeys(("ipc", "tuv", MONEY), (MONEY, "ipc")),
    **dict.fromkeys(("units", "unit", ""), ("", "")),
}
"""Words for what a range counts besides one kind of unit, as `EndRange.of` and in canonical words."""


def edition_of(line: str, options: Mapping[str, ParsedOption], usual: str = USUAL) -> Edition:
    """Return the edition of a line."""
    variant = options["variant"].value if "variant" in options else usual
    edition = editions().get(variant)
    if edition is None:
        raise MatchupError(line, *options["variant"][1:3], unknown_edition_text(variant), nearest_edition(variant))
    if "rule" in options:
        edition = _with_own_rules(line, edition, options["rule"])
    return _with_own_units(line, edition, options["unit"]) if "unit" in options else edition


def _with_own_rules(line: str, edition: Edition, field: ParsedOption) -> Edition:
    """Return an edition with the rules that a line switches."""
    for word in field.value:
        if word not in OWN_RULES:
            near, known = nearest_word(word, OWN_RULES, 0.6), ", ".join(f"`{name}`" for name in OWN_RULES)
            hint = did_you_mean(near) if near else _("The rules are {names}.", names=known)
            text = with_hint(_("I don't know the rule `{word}`.", word=word), hint)
            instead = line[field.start : field.end].replace(word, near) if near else ""
            raise MatchupError(line, field.start, field.end, text, instead)
    try:
        return editions()[with_own_rules(edition.rules, field.value).key]
    except BattleError as error:
        raise MatchupError(line, field.start, field.end, mistake_sentence(error, edition)) from None


def _with_own_units(line: str, edition: Edition, field: ParsedOption) -> Edition:
    """Return an edition with the own units of a line."""
    own: dict[str, str] = {}
    for part in field.value:
        word, text = re.split(" ?= ?", part, maxsplit=1)
        if own.setdefault(name := edition.words.get(word, word), text) != text:
            raise MatchupError(line, field.start, field.end, _("`unit:` says two things about `{unit}`.", unit=word))
        own[name] = text
    try:
        _check_names(own.keys() - edition.words.keys())
        return editions()[with_own_units(edition.rules, own).key]
    except BattleError as error:
        name, _dot, _rest = error.field.removeprefix("units.").partition(".")
        word = edition.short.get(name, name)
        reason = mistake_sentence(error, edition)
        text = compose("{unit}: {reason}", unit=f"`{word}`", reason=reason) if word else reason
        raise MatchupError(line, field.start, field.end, text) from None


def _check_names(names: set[str]) -> None:
    """Raise BattleError if a new unit has the name of something else in lines."""
    for name in sorted(names & {*OTHER_WORDS, *COUNTED_ALIKE, "ipc"}):
        raise BattleError(name, "`{word}` means something else in a battle already", word=name)


def battle_of(line: str, options: Mapping[str, ParsedOption], empty: str = "") -> Waves:
    """Build the battle of a line, or its waves; the side `empty` of the first may have no units."""
    edition = edition_of(line, options)
    waves = [_wave_options(options, number) for number in range(count_waves(options))]
    units = [unit_counts(line, wave, edition) for wave in waves]
    for wave, sides in zip(waves, units, strict=True):
        if not any(sides["attacker"].values()) and empty != "attacker":
            place = wave["hold"][1:3] if "hold" in wave else (0, 1)
            raise MatchupError(line, *place, _("Who attacks? For example `{example}`.", example=example_here(ARMIES)))
    if not any(units[0]["defender"].values()) and empty != "defender":
        end = options["1|hold"].start if len(waves) > 1 else len(line)
        raise MatchupError(
            line, end, end + 1, _("Against whom? For example `{example}`.", example=example_here(ARMIES))
        )
    try:
        return _build_battle(edition, units, [{key: field.value for key, field in wave.items()} for wave in waves])
    except BattleError as error:
        number, name = _split_field(error.field)
        start, end = place_of(line, waves[number], edition, name)
        unit, near = (error.values.get(value, "") for value in ("word", "near"))
        instead = _with_word(line, ParsedOption(None, start, end), unit, near)
        mistake = MatchupError(line, start, end, mistake_sentence(error, edition), instead)
        mistake.certain = name.endswith(".choose")
        raise mistake from None


def wave_prefix(wave: int) -> str:
    """Return the prefix of the keys of a wave; empty for the first."""
    return f"{wave}|" if wave else ""


def count_waves(options: Mapping[str, ParsedOption]) -> int:
    """Return the number of waves in a line."""
    return 1 + max((int(key.partition("|")[0]) for key in options if "|" in key), default=0)


def _wave_options(options: Mapping[str, ParsedOption], number: int) -> dict[str, ParsedOption]:
    """Return the options of one wave, with those of all waves."""
    mark = wave_prefix(number)
    own = (
        {key.removeprefix(mark): field for key, field in options.items() if key.startswith(mark)}
        if mark
        else {key: field for key, field in options.items() if "|" not in key}
    )
    return own | {key: options[key] for key in WHOLE_BATTLE & options.keys()}


def _split_field(field: str) -> tuple[int, str]:
    """Split the field of an error into its wave and its name there: "waves.1.defender" is 1 and "defender"."""
    match = re.match(r"waves\.(\d+)\.(.*)", field)
    return (int(match[1]), match[2]) if match else (0, field)


def unit_counts(line: str, options: Mapping[str, ParsedOption], edition: Edition) -> dict[str, dict[str, int]]:
    """Return the units of both sides in a wave."""
    units: dict[str, dict[str, int]] = {"attacker": {}, "defender": {}}
    forms = {side: forms_of(line, options, side, edition) for side in units}
    for key, field in options.items():
        side, dot, word = key.partition(".")
        word = word.removeprefix(CHANGE)
        if not dot or (field.saved and not field.value):
            continue
        unit = unit_named(line, field, word, edition, forms[side])
        if not field.saved or not _is_restated(options, side, edition, word):
            units[side][unit] = units[side].get(unit, 0) + field.value
    if "scramble" in options:
        units["defender"] = add_units(units["defender"], _read_scramble(line, options, edition))
    return {side: {unit: max(count, 0) for unit, count in there.items()} for side, there in units.items()}


def _read_scramble(line: str, options: Mapping[str, ParsedOption], edition: Edition) -> dict[str, int]:
    """Return the planes that join the defence of a sea zone from an air base."""
    field, planes = options["scramble"], dict[str, int]()
    for count, word in field.value:
        unit = unit_named(line, field, word, edition, {})
        planes[unit] = planes.get(unit, 0) + int(count)
    kinds = [edition.rules.table[unit] for unit in planes]
    reason = ""
    if edition.rules.base_points is None:
        reason = _("{edition} has no air bases, so no planes scramble.", edition=_(edition.name))
    elif any(unit.kind != "air" or unit.land_based for unit in kinds):
        reason = _("Only fighters and tactical bombers scramble.")
    elif sum(planes.values()) > MOST_SCRAMBLED:
        reason = _("An air base sends up to 3 planes. If there are several, type their planes as defenders.")
    elif "crash" in options and options["crash"].value:
        reason = _("Planes that scramble land on their base again: leave out `crash`.")
    if reason:
        better = in_edition(line, "1940") if edition.rules.base_points is None else ""
        raise MatchupError(line, field.start, field.end, reason, better=better)
    return planes


def forms_of(line: str, options: Mapping[str, ParsedOption], side: str, edition: Edition) -> dict[str, str]:
    """Return the units that the technologies of a side change, each with what it becomes."""
    field = options.get(f"{side}:tech")
    if field is None:
        return {}
    for word in field.value:
        if word not in edition.technologies:
            raise _no_technology_error(line, field, word, edition)
    return edition.forms(field.value)


def _no_technology_error(line: str, field: ParsedOption, word: str, edition: Edition) -> MatchupError:
    """Return the error for a word that names no technology of the edition."""
    name, known = _(edition.name), ", ".join(dict.fromkeys(edition.technologies.values()))
    if not known:
        return MatchupError(line, field.start, field.end, _("{edition} has no technologies.", edition=name))
    near = nearest_word(word, edition.technologies, 0.6)
    hint = did_you_mean(near) if near else _("It has {names}.", names=known)
    reason = with_hint(_("{edition} has no technology `{word}`.", word=word, edition=name), hint)
    return MatchupError(line, field.start, field.end, reason, _with_word(line, field, word, near))


def _is_restated(options: Mapping[str, ParsedOption], side: str, edition: Edition, word: str) -> bool:
    """Return whether the line gives its own number of a unit of the preset, in any word for it."""
    others = (key.partition(".")[2] for key, field in options.items() if key.startswith(f"{side}.") and not field.saved)
    return any(edition.words.get(other) == edition.words[word] for other in others)


def _build_battle(
    edition: Edition, units: Sequence[Mapping[str, Mapping[str, int]]], options: Sequence[Mapping[str, Any]]
) -> Waves:
    theatre = theatre_of(edition, [side for sides in units for side in sides.values()], options[0])
    names = [read_part(f"waves.{number}", partial(_named_orders, edition, wave)) for number, wave in enumerate(options)]
    orders = orders_of_waves(edition, theatre, units, options, names, current_defaults().rules > 1)
    waves = [
        read_part(f"waves.{number}", partial(_fields, edition, theatre, *wave))
        for number, wave in enumerate(zip(units, options, orders, strict=True))
    ]
    if len(waves) == 1:
        if options[0].get("lookahead"):
            raise BattleError("lookahead", "there is no later wave to look ahead to: add one with `... then 4 arm`")
        return Waves.one(AxisBattle(edition.rules, **waves[0]))
    _check_aims(waves)
    every = [{**fields, "hold": wave.get("hold", "")} for fields, wave in zip(waves, options, strict=True)]
    return Waves.of(edition.rules, every, bool(options[0].get("lookahead")))


def _check_aims(waves: Sequence[Mapping[str, Any]]) -> None:
    """Refuse waves in which casualties are chosen for different aims."""
    choosing = [(number, wave) for number, wave in enumerate(waves) if any(wave["chooses"])]
    for number, wave in choosing:
        if wave["aim"] != choosing[0][1]["aim"]:
            side = SIDES[wave["chooses"].index(True)]
            raise BattleError(
                f"waves.{number}.{side}.choose",
                "all who choose need the same aim: `choose:takes` for all, or `choose:tuv` for all",
            )


def _fields(
    edition: Edition,
    theatre: Theatre,
    units: Mapping[str, Mapping[str, int]],
    options: Mapping[str, Any],
    orders: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the fields of `AxisBattle` for a wave."""
    attacker = Army.of(units["attacker"], *orders["attacker"], keep_land=options.get("keep", 0))
    last = {"keep_land": orders["keep"], "aa_second_last": orders["guns"]}
    defender = Army.of(units["defender"], *orders["defender"], **last)
    if theatre == "land" and "scramble" in options:
        raise BattleError("scramble", "planes scramble only to battles at sea")
    dice = dice_of(options)
    values: dict[str, Any] = {}
    for option in _OF_BATTLE:
        if option.sided:
            given = (options.get(f"{side}:{option.word}") for side in units)
            values[option.field] = tuple(value if isinstance(value, int) else bool(value) for value in given)
        elif option.word in options:
            value = options[option.word]
            values[option.field] = option.make(value, edition, attacker) if option.make else value
    if "hold" in options:
        values["aa_already_fired"] = False  # Guns fire anew in a later wave.
    return values | {
        "theatre": theatre,
        "attacker": attacker,
        "defender": defender,
        "dice": dice,
        "worth": read_worth(edition, options),
        "aim": aim_of(options),
        "ruling": current_defaults().rules,
    }


_OF_BATTLE = [option for option in OPTIONS if option.field in {field.name for field in fields(AxisBattle)}]
"""The options that set one field of a battle."""


def _named_orders(edition: Edition, options: Mapping[str, Any]) -> dict[str, Order | None]:
    """Return the orders of loss of a wave: () for the usual one, None if it gives none."""
    orders: dict[str, Order | None] = {}
    for side in SIDES:
        words = options.get(f"{side}:loss")
        usual = words == (USUAL_ORDER,)
        order = words and (() if usual else tuple(unit_of(edition, word, f"{side}.loss_order") for word in words))
        forms = edition.forms(options.get(f"{side}:tech", ()))
        orders[side] = order and tuple(forms.get(unit, unit) for unit in order)
    return orders


def unit_named(line: str, field: ParsedOption, word: str, edition: Edition, forms: Mapping[str, str]) -> str:
    """Return the unit that a word names, as technologies change it; MatchupError if the edition has none.

    `forms` are those of `forms_of`.
    """
    if word not in edition.words:
        raise _no_unit_error(line, field, word, edition)
    unit = edition.words[word]
    return forms.get(unit, unit)


def _no_unit_error(line: str, field: ParsedOption, word: str, edition: Edition) -> MatchupError:
    """Return the error for a word that names no unit of the edition."""
    other, near = edition_with(word), nearest_unit(word, edition)
    known = ", ".join(edition.short[unit.name] for unit in edition.rules.units)
    hint = did_you_mean(near) if near else _("Its units are {names}.", names=known)
    hint = _("It is a unit with `{variant}`.", variant=f"variant:{other}") if other else hint
    what = _("{edition} has no unit `{word}`.", word=word, edition=_(edition.name))
    reason = with_hint(what, hint)
    instead, better = ("", in_edition(line, other)) if other else (_with_word(line, field, word, near), "")
    return MatchupError(line, field.start, field.end, reason, instead, better)


def _with_word(line: str, field: ParsedOption, word: str, near: str) -> str:
    """Return a part of the line with another word for a unit; empty if there is none."""
    return re.sub(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", near, line[field.start : field.end]) if near else ""


def unknown_edition_text(name: str) -> str:
    """Say that there is no edition of this name."""
    near = nearest_edition(name)
    hint = did_you_mean(near) if near else _("The editions are {names}.", names=", ".join(editions()))
    return with_hint(_("There is no edition called `{name}`.", name=name), hint)


def place_of(line: str, options: Mapping[str, ParsedOption], edition: Edition, name: str) -> tuple[int, int]:
    """Return the place in the line of the field that an error names; else the whole line."""
    side, _dot, rest = name.partition(".")
    unit = rest.removeprefix("units.")
    keys = [
        key
        for key in options
        if key.startswith(f"{side}.") and edition.words.get(key.partition(".")[2].removeprefix(CHANGE)) == unit
    ]
    of_side, word = (WORD_OF_FIELD.get(field, field) for field in (rest, name))
    keys += [f"{side}:{of_side}", word, WORD_OF_FIELD.get(name.rpartition(".")[0], side)]
    for key in keys:
        if key in options:
            return options[key].start, options[key].end
    return 0, len(line)


def mistake_sentence(error: BattleError, edition: Edition) -> str:
    """Return the sentence of an error in the words of the notation."""
    return sentence_of(_in_notation(error, edition))


def _in_notation(error: BattleError, edition: Edition) -> BattleError:
    """Return an error with the words of the notation for units."""
    values = {name: _units_text(of, edition) if isinstance(of, str) else of for name, of in error.values.items()}
    return BattleError(error.field, error.text if values else _units_text(error.text, edition), **values)


def _units_text(text: str, edition: Edition) -> str:
    for unit in sorted(edition.short, key=len, reverse=True):
        text = re.sub(rf"\b{unit}\b", f"`{edition.short[unit]}`", text, flags=re.IGNORECASE)
    return text


def read_ends(
    line: str, fields: Mapping[str, ParsedOption], battle: Waves, options: Mapping[str, ParsedOption]
) -> dict[str, Any]:
    """Return the ends that a line asks about: see `asked_ends`; MatchupError for a unit that the side does not have."""
    edition = editions()[battle.battles[0].rules.key]

    def unit_of(word: str, span: Span) -> tuple[str, str]:
        if span.unit in COUNTED_ALIKE:
            return COUNTED_ALIKE[span.unit]
        field, (side, _lost) = fields[word], WORDS_OF_ENDS[word]
        named = unit_named(line, field, span.unit, edition, forms_of(line, options, side, edition))
        unit = edition.rules.table[named].repaired or named.removeprefix(AMPHIBIOUS)
        if unit not in battle.most_lost()[SIDES.index(side)]:
            raise MatchupError(line, field.start, field.end, mistake_sentence(lacking(side, unit), edition))
        return unit, edition.short[unit]

    return asked_ends({word: field.value for word, field in fields.items()}, unit_of)
