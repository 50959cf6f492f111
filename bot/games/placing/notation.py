"""Units over several territories: "8 inf 1 fig || 4 inf 2 arm vs 1 inf value:3 || 6 inf" as a question, and back.

First who is at hand, then one attack for each territory: behind `vs` who stands there already, if anybody does. Options
in the first piece are those of all attacks.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain

from bot.editions import USUAL, VARIANT, editions, example_here, has_own_units, is_table, names_a_unit, with_edition
from bot.games.axis.lasting_orders import full_order
from bot.games.axis.named.presets import split_presets
from bot.games.axis.notation import Attack, read_attack, read_units
from bot.games.axis.reading import mistake_sentence
from bot.games.axis.writing import attack_words, units_text
from bot.games.base import Claim, Reading
from bot.languages import N_, _
from bot.notation.defaults import NotationDefaults, current_defaults
from bot.notation.lexer import normal, unknown_words
from bot.notation.mistakes import MatchupError, with_correction
from bot.notation.options import write_number
from bot.notation.plans import BETWEEN, split_plans
from bot.notation.reading import check_length
from solver import BattleError
from solver.placing.placing import Aim, Placing, Territory

LONGEST_PLACING = 1_500
LONGEST_TYPED = LONGEST_PLACING + len(f" variant:{USUAL}")
"""With what lines say only where another edition is usual."""
PLACING = f"8 inf 2 art 1 fig {BETWEEN} 4 inf 2 arm vs 1 inf {BETWEEN} 6 inf 1 fig"

_NAME = re.compile(r"(?<!\s)\s*+/?place(?=\s|$)(?:\s+matchup:)?", re.IGNORECASE)
_OWN_UNIT = re.compile(r"(?<!\S)unit:\S+")
_HOLD = re.compile(r"(?<![^\s,;])(?:hold|goal)(?![a-z])(?: ?[:=] ?| )?([^\s,;]*)")


def is_placing(text: str) -> bool:
    """Return whether a text begins like the line under an answer."""
    return bool(_NAME.match(text)) and BETWEEN in text


def claims(text: str, _saved: Mapping[str, str]) -> Claim:
    """Claim texts that begin like the line under an answer."""
    return Claim.YES if is_placing(text) else Claim.NO


def read(text: str, saved: Mapping[str, str], _takes: Collection[str], _lone: str) -> Reading:
    """Read a line as units to place."""
    return Reading(parse_placing(text, saved))


def explicit(line: str, defaults: NotationDefaults) -> str:
    """Return a canonical line with its edition, in the first piece, if these defaults have another."""
    if " variant:" in line:
        return line
    units, between, attacks = line.partition(f" {BETWEEN} ")
    return f"{with_edition(units, defaults)}{between}{attacks}"


def parse_placing(text: str, saved: Mapping[str, str] | None = None) -> Placing:
    """Read the question of a line; `saved` maps names of presets, in lower case, to their lines."""
    try:
        return _read_text(text, saved or {})
    except MatchupError as error:
        raise with_correction(error, lambda line: _read_text(line, saved or {})) from None


def _read_text(text: str, saved: Mapping[str, str]) -> Placing:
    text = _NAME.sub("", text.partition("→")[0], count=1)
    sentence = N_("A line for several territories can have at most {most} characters.")
    check_length(text, LONGEST_TYPED, LONGEST_PLACING, sentence)
    pieces = [line for line in map(normal, split_plans(text)) if line]
    if len(pieces) < 2:
        line = normal(text)
        reason = _(
            "Type your units, then the attack on each territory, with `||` between them: `{example}`.",
            example=example_here(PLACING),
        )
        raise MatchupError(line, len(line), len(line) + 1, reason)
    pieces = _with_tables(pieces, saved)
    try:
        return _of_pieces(pieces, saved)
    except _InPieceError as error:
        own = [] if error.number or has_own_units(pieces[0]) else [*chain(*map(_OWN_UNIT.findall, pieces[1:]))]
        if own:  # Those of an attack are unknown where the units are placed.
            attacks = (" ".join(_OWN_UNIT.sub("", piece).split()) for piece in pieces[1:])
            error.better = f" {BETWEEN} ".join([" ".join([pieces[0], *dict.fromkeys(own)]), *attacks])
        elif error.better:
            # In its piece it was blanked out; where it stands is free.
            hold = "".join(f" {match[0]}" for match in _HOLD.finditer(pieces[error.number]))
            pieces[error.number] = f"{' '.join(error.better.split())}{hold}"
            error.better = f" {BETWEEN} ".join(pieces)
        raise


def _with_tables(pieces: list[str], saved: Mapping[str, str]) -> list[str]:
    """The pieces without names of presets that hold the rules of a table; the first has these rules, for all."""
    words = [word for line in pieces for word in unknown_words(line) if word in saved and not names_a_unit(word)]
    tables = {word: line for word in words if is_table(line := normal(saved[word]))}
    if not tables:
        return pieces
    named = re.compile(rf"(?<![^\s,;])(?:{'|'.join(map(re.escape, tables))})(?![^\s,;])")
    units, *attacks = (" ".join(named.sub(" ", line).split()) for line in pieces)
    return [" ".join([units, *tables.values()]), *attacks]


def _of_pieces(pieces: list[str], saved: Mapping[str, str]) -> Placing:
    """Read a question of at least two pieces."""
    lines, aim, at_least = _aim(pieces)
    variant = _common_edition(lines, saved)
    try:
        units, places, shared = read_units(lines[0], variant)
    except MatchupError as error:
        raise _in_piece(0, error) from None
    shared = f"vs {shared}" if "variant" in shared else f"vs {shared} variant:{variant}"
    attacks = [_attack(number, line, shared, saved) for number, line in enumerate(lines[1:], start=1)]
    for number, attack in enumerate(attacks, start=1):
        if attack.battle.rules.edition != variant:
            reason = _("All territories use one edition, so say it once.")
            raise _in_piece(number, MatchupError(attack.line, *attack.options["variant"][1:3], reason))
    placing = _build_placing(lines[0], units, places, attacks, aim, at_least)
    if len(write_placing(placing)) > LONGEST_PLACING:
        reason = _("Written out in full, this has more than {most} characters.", most=LONGEST_PLACING)
        raise MatchupError(lines[0], 0, len(lines[0]), reason)
    return placing


def _common_edition(lines: list[str], saved: Mapping[str, str]) -> str:
    """Return the edition of all attacks: that of a line, of the first preset, or the usual one here."""
    named = [
        saved[word] for line in lines[1:] for word in unknown_words(line) if word in saved and not names_a_unit(word)
    ]
    options = (match[1] for match in map(VARIANT.search, [*lines, *map(normal, named)]) if match)
    usual = USUAL if named else current_defaults().edition
    return next((name for name in options if name in editions()), usual)  # others are a mistake where they stand


def _aim(pieces: list[str]) -> tuple[list[str], Aim, int | None]:
    """Return what to hold, and the pieces without that word, which may stand in any of them."""
    aim: Aim | None = None
    lines, at_least = [], None
    for number, line in enumerate(pieces):
        for match in _HOLD.finditer(line):
            word = match[1]
            if aim:
                raise _in_piece(number, MatchupError(line, match.start(), match.end(), _("Use `hold:` only once.")))
            if word not in ("all", "value") and not word.isdecimal():
                reason = _("`hold:` needs all, a number of territories such as 2, or value.")
                raise _in_piece(number, MatchupError(line, match.start(), match.end(), reason))
            if word.isdecimal() and not 1 <= int(word[:9]) <= len(pieces) - 1:
                territories = len(pieces) - 1
                reason = _("You can hold 1 to {most} territories, not {number}.", most=territories, number=word)
                raise _in_piece(number, MatchupError(line, match.start(), match.end(), reason))
            aim = "at_least" if word.isdecimal() else "value" if word == "value" else "all"
            at_least = int(word) if word.isdecimal() else None
        lines.append(_HOLD.sub(lambda match: " " * len(match[0]), line))
    return lines, aim or "all", at_least


def _attack(number: int, line: str, shared: str, saved: Mapping[str, str]) -> Attack:
    """Read the attack on a territory, by itself or with the name of a preset."""
    name = next((word for word in unknown_words(line) if word in saved and not names_a_unit(word)), "")
    try:
        if not name:
            return read_attack(line, [shared])
        preset, armies = split_presets(line, saved)
        rest = re.sub(rf"(?<![^\s,;]){re.escape(name)}(?![^\s,;])", " " * len(name), line, count=1)
        try:
            read_attack(normal(saved[name]), [])
        except MatchupError:
            start = line.index(name)
            reason = _("The preset `{name}` isn't an Axis & Allies battle that works here.", name=name)
            raise MatchupError(line, start, start + len(name), reason) from None
        if armies and preset is None:
            return read_attack(line, [shared], armies, saved)
        return read_attack(rest, [shared, normal(saved[name])])
    except MatchupError as error:
        if name:
            error.better = ""  # It would go without the set-up.
        raise _in_piece(number, error) from None


def _build_placing(
    line: str,
    units: Mapping[str, int],
    places: Mapping[str, tuple[int, int]],
    attacks: list[Attack],
    aim: Aim,
    at_least: int | None,
) -> Placing:
    """Build the question of its pieces; an error points into the piece that is wrong."""
    territories = []
    for number, attack in enumerate(attacks, start=1):
        battle = attack.battle
        there = dict(units) | dict(battle.defender.units)
        order = full_order(attack.order, battle.rules, battle.theatre, "defence", there)
        try:
            territories.append(Territory(battle, 1 if attack.value is None else attack.value, order))
        except BattleError as error:
            raise _in_piece(number, attack.mistake(error)) from None
    try:
        return Placing(tuple(units.items()), tuple(territories), aim, at_least)
    except BattleError as error:
        if error.field.startswith("territories."):
            _territories, place, field = error.field.split(".", 2)
            inner = BattleError(field.removeprefix("waves.0."), error.text, **error.values)
            raise _in_piece(int(place) + 1, attacks[int(place)].mistake(inner)) from None
        start, end = places.get(error.field.removeprefix("units."), (0, len(line)))
        reason = mistake_sentence(error, editions()[attacks[0].battle.rules.key])
        raise _in_piece(0, MatchupError(line, start, end, reason)) from None


class _InPieceError(MatchupError):
    """A mistake in one of the pieces, with the number of that piece."""

    number = 0


def _in_piece(number: int, error: MatchupError) -> _InPieceError:
    if number:
        reason = _("Territory {number}: {reason}", number=number, reason=error.reason)
    else:
        reason = _("Your units: {reason}", reason=error.reason)
    mistake = _InPieceError(error.line, error.start, error.end, reason)
    mistake.number, mistake.better = number, error.better
    return mistake


# Writing ------------------------------------------------------------------------------------------------


def write_placing(placing: Placing) -> str:
    """Write the canonical line: pasted anywhere, it asks the question again."""
    ours = ["place", units_text(dict(placing.units), editions()[placing.rules.key])]
    if placing.aim != "all":
        ours.append(f"hold:{placing.at_least or 'value'}")
    parts = [_attack_words(placing, place) for place in range(len(placing.territories))]
    common = [word for word in parts[0][1] if all(word in words for _sides, words in parts)]
    lines = [
        " ".join([*sides, *(word for word in words if word not in common), *_value(territory)])
        for (sides, words), territory in zip(parts, placing.territories, strict=True)
    ]
    return f" {BETWEEN} ".join([" ".join([*ours, *common]), *lines])


def _attack_words(placing: Placing, place: int) -> tuple[list[str], list[str]]:
    territory = placing.territories[place]
    plain_attack = replace(territory.attack, territory_value=0)
    return attack_words(plain_attack, territory.with_units(placing.placeable(place)))


def _value(territory: Territory) -> list[str]:
    """Return the worth of a territory, if the line gives one; it is equal for both sides then."""
    unsaid = territory.value == 1 and not territory.attack.territory_value
    return [] if unsaid else [f"value:{write_number(territory.value)}"]
