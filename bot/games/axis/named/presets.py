"""The names of presets in lines of Axis & Allies: a preset is a battle, one army of that, or an army alone."""

import re
from collections.abc import Iterator, Mapping

from bot.editions import USUAL, VARIANT, editions, has_own_units, in_edition, is_army, is_table, names_a_unit
from bot.games.axis.named.openings import NamedArmy, edition_named, named_defenders, names_units
from bot.games.axis.options import WORDS
from bot.languages import _
from bot.notation.dice_options import QUESTION_WORDS
from bot.notation.lexer import VERSUS_ALONE, Fields, ParsedOption, Token, may_be_name, normal, tokens
from bot.notation.mistakes import MatchupError, with_hint
from bot.notation.reading import preset_remark
from bot.openings import openings
from solver.axis.own_units import OWN_RULES
from solver.axis.sides import SIDES

_THEN = re.compile(r"(?<![^\s,;])then(?![^\W\d_])")


def may_be_armies(line: str) -> bool:
    """Return whether a line has units of Axis & Allies, some of which may also be ships of Star Wars Risk."""
    return any(names_a_unit(word) for word in unit_words(line)) or has_own_units(line)


def unit_words(line: str) -> Iterator[str]:
    """Yield the words behind the numbers of a line."""
    for match in re.finditer(r"(?<![\w:=.-])\d+(?: ?([a-z][a-z_]*)(?![\w:=-])|([a-z][a-z_]*)(?=\d))", line):
        # "3i2t3f": what follows a number is a word of its own, but in "9 d8" there is no unit "d".
        yield match[1] or match[2]


def presets_in(line: str, saved: Mapping[str, str]) -> list[Token]:
    """Return the names of presets in a normal line; one that is a unit's name too is not meant beside units."""
    if not saved:
        return []
    return [
        token for token in tokens(line) if token.text in saved and may_be_name(token) and not names_a_unit(token.text)
    ]


def split_presets(line: str, saved: Mapping[str, str]) -> tuple[Token | None, list[NamedArmy]]:
    """Return the preset that is used as a whole, if there is one, and those of which one army is used.

    Raises:
        MatchupError: If two presets name the same army, or are of different editions and the line names none.
    """
    presets = [token for token in presets_in(line, saved) if may_be_armies(normal(saved[token.text]))]
    if not presets:
        return None, []
    place = named_defenders(line, edition_named(line, normal(saved[presets[0].text])), saved)
    presets = [token for token in presets if place is None or not place.has(token.start)]
    ends = [name.end for name in (*presets, place) if name]
    whole, armies = None, dict[tuple[int, str], NamedArmy]()
    for token in presets:
        wave, side = _army_named(line, token, saved[token.text], ends)
        if not side:
            whole = whole or token
            continue
        if (wave, side) in armies:
            other = line[armies[wave, side].start : armies[wave, side].end]
            reason = _("Use one preset at a time; `{setup}` is already one.", setup=other)
            raise MatchupError(line, token.start, token.end, reason)
        armies[wave, side] = _army(line, token, side, normal(saved[token.text]))
    _check_editions(line, presets, saved)
    return whole, list(armies.values())


def _check_editions(line: str, presets: list[Token], saved: Mapping[str, str]) -> None:
    """Raise MatchupError if presets are of different editions, and the line does not say which one counts."""
    keys = [edition_named("", normal(saved[token.text])) for token in presets]
    for token, key in zip(presets, keys, strict=True):
        if key != keys[0] and not VARIANT.search(line):
            names = {"first": presets[0].text, "second": token.text}
            reason = _("`{first}` is of {edition}, `{second}` of {other}.", **names, edition=keys[0], other=key)
            hint = _("Say which one counts: `{variant}`.", variant=f"variant:{keys[0]}")
            better = in_edition(line, keys[0])
            mistake = MatchupError(line, token.start, token.end, with_hint(reason, hint), better=better)
            mistake.certain = True
            raise mistake


def _army_named(line: str, token: Token, saved_line: str, name_ends: list[int]) -> tuple[int, str]:
    """Return the wave and the side in which a preset's name means one army; the side is "" if it means them all."""
    if is_table(saved_line):
        return 0, ""
    starts = [match.end() for match in _THEN.finditer(line, 0, token.start)]
    start = starts[-1] if starts else 0
    after = _THEN.search(line, token.end)
    end = after.start() if after else len(line)
    versus = VERSUS_ALONE.search(line, start, end)
    behind = versus is not None and versus.end() <= token.start
    side = "defender" if behind else "attacker"
    if starts or is_army(saved_line):
        return len(starts), side  # A later wave is one army against what is left, or two.
    if versus is None:
        return 0, ""
    first, last = (start, versus.start()) if behind else (versus.end(), end)
    opposed = names_units(line[first:last]) or any(first < name_end <= last for name_end in name_ends)
    return 0, side if opposed else ""


def _army(line: str, token: Token, side: str, saved_line: str) -> NamedArmy:
    place = _place_of_name(line, token, saved_line) if side == "defender" else ""
    remark = preset_remark(token.text, side)
    if is_army(saved_line):
        remark = _("Preset `{name}`: `{units}`", name=token.text, units=saved_line)
        if place:
            remark = _("Preset `{name}`: `{units}`, not {place}", name=token.text, units=saved_line, place=place)
        versus = "vs " if side == "defender" else ""
        return NamedArmy(token.start, token.end, f"{versus}{saved_line}", remark, side)
    if place:
        remark = _(
            "Only the defenders of the preset `{name}` are used, not those of {place}.", name=token.text, place=place
        )
    return NamedArmy(token.start, token.end, saved_line, remark, side)


def remarks_on_whole(line: str, token: Token, saved_line: str) -> tuple[str, ...]:
    """Say that a preset is used as a whole if its name is also that of a place, and stands where a place would."""
    place = VERSUS_ALONE.search(line, 0, token.start) and _place_of_name(line, token, saved_line)
    return (_("The preset `{name}` is used, not {place}.", name=token.text, place=place),) if place else ()


def _place_of_name(line: str, token: Token, saved_line: str) -> str:
    """Return the place of an opening that has the name of a preset, in words; "" if there is none."""
    edition = edition_named(line, saved_line)
    opening = openings().get(edition)
    place = opening.find(token.text) if opening else None
    if place is None:
        return ""
    return _("{place} in the opening of {edition}", place=place.name, edition=_(editions()[edition].name))


def options_of_army(options: Mapping[str, ParsedOption], army: NamedArmy, wave: int) -> dict[str, ParsedOption]:
    """Return the options of a preset that go with the army that is named in a wave.

    Attackers that are named in the first wave bring their later waves, up to a counter-attack.
    """
    counters = [_wave_of(key) for key, field in options.items() if key.endswith("|hold") and field.value]
    waves = range(1) if wave or army.side == "defender" else range(min(counters, default=len(options)))
    return {
        key: ParsedOption(field.value, army.start, army.end, saved=True)
        for key, field in options.items()
        if _wave_of(key) in waves and _goes_with(army.side, key.rpartition("|")[2])
    }


def _wave_of(key: str) -> int:
    number, stroke, _key = key.partition("|")
    return int(number) if stroke else 0


def _goes_with(side: str, key: str) -> bool:
    """Tell whether an option of a preset goes with its army of this side."""
    if key.startswith(SIDES):
        return key.startswith((f"{side}.", f"{side}:"))
    owner = WORDS[key].owner if key in WORDS else "attacker"
    return owner in (side, "both") and key not in QUESTION_WORDS


def join_tables(options: Fields, saved: Fields) -> Fields:
    """Return the rules and units of a line with those of a preset, but for what the line says otherwise."""
    ours = {key: field for key, field in options.items() if key in saved and not field.saved}
    joined: Fields = {}
    if rules := ours.get("rule"):
        switched = {field for word in rules.value for field in OWN_RULES.get(word, ())}
        more = [word for word in saved["rule"].value if switched.isdisjoint(OWN_RULES[word])]
        joined["rule"] = rules._replace(value=(*rules.value, *more))
    if units := ours.get("unit"):
        variant = options["variant"].value if "variant" in options else USUAL
        words = editions().get(variant, editions()[USUAL]).words
        names = [_name_of(text, words) for text in units.value]
        more = [text for text in saved["unit"].value if _name_of(text, words) not in names]
        joined["unit"] = units._replace(value=(*units.value, *more))
    return joined


def _name_of(own_unit: str, words: Mapping[str, str]) -> str:
    """Return the unit that a text such as "mech=1/2/4" is about."""
    word = own_unit.partition("=")[0].strip()
    return words.get(word, word)
