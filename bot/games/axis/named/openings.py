"""The names of places in lines of Axis & Allies: `3 inf vs ukraine` means those who stand there at the opening."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from bot.editions import USUAL, VARIANT, editions, in_edition, names_a_unit, nearest_edition
from bot.games.axis.options import OTHER_WORDS
from bot.games.axis.reading import unknown_edition_text
from bot.languages import _, compose, join_texts
from bot.names import nearest
from bot.notation.defaults import current_defaults
from bot.notation.lexer import VERSUS, normal
from bot.notation.mistakes import MatchupError, unknown_word_hint
from bot.openings import EditionOpening, Place, name_form, openings

MOST_WORDS = 5
LEAST_LETTERS = 4
"""The fewest letters of a name that may be mistyped: shorter ones are near too much."""

_VERSUS = re.compile(rf"(?<![^\s,;]){VERSUS}[\s,;]+(?=[^\W\d_])")
_WORD = re.compile(r"[^\W\d_][^\W_.'’-]*([.'’-][^\W_.'’-]+)*")
_UNITS = re.compile(r"(?<![\w:=.+-])(?<![+-] )\d+ ?([a-z][a-z_]*)(?![a-z_:=-])")
_OPTION = re.compile(r"[^\s:=]+[:=][^\s]*")
_SEA_ZONE = re.compile(r"(?:sz|sea ?zone) ?\d+")


class NamedArmy(NamedTuple):
    """An army that a line names: defenders by their place, or one army of a preset.

    Attributes:
        start: Where the name begins in the line.
        end: Where it ends.
        line: A line with that army and its edition, to which the rest of the line adds as to a preset.
        remark: The remark of the answer about it.
        side: The side of the army, "attacker" or "defender".
    """

    start: int
    end: int
    line: str
    remark: str
    side: str = "defender"

    def has(self, position: int) -> bool:
        """Tell whether a position of the line is in the name."""
        return self.start <= position < self.end


def edition_named(line: str, saved_line: str = "") -> str:
    """Return the edition of a normal line, or else of the preset in it, or else of the place."""
    match = VARIANT.search(line) or VARIANT.search(saved_line)
    if match:
        return match[1]
    return USUAL if saved_line else current_defaults().edition


def names_units(text: str) -> bool:
    """Tell whether a text has units with their numbers, or money for some.

    "+1 fig" only changes a number, "least:1inf" is an option.
    """
    return any(names_a_unit(match[1]) or match[1] == "ipc" for match in _UNITS.finditer(_OPTION.sub("", text)))


def named_defenders(line: str, variant: str, presets: Collection[str]) -> NamedArmy | None:
    """Return the defenders whose place stands behind `vs` in a normal line; None if there is no name, or a preset's.

    Raises:
        MatchupError: If nobody stands there, nobody knows who, or the name is nearly right or of another edition.
    """
    versus = _VERSUS.search(line)
    if versus is None:
        return None
    start, opening = versus.end(), openings().get(variant)
    if names_units(line[start:].partition(" then ")[0]):
        return None  # "vs Japan 4 inf" says whose units these are.
    if variant not in editions():
        if wrong := VARIANT.search(line):
            raise MatchupError(line, *wrong.span(), unknown_edition_text(variant), nearest_edition(variant))
        return None
    texts = list(_beginnings(line, start))
    for text in texts:
        place = opening.find(text) if opening else None
        if opening and place:
            return None if text in presets else _defenders(line, start, start + len(text), opening, place)
    first = texts[-1]
    is_name = _WORD.fullmatch(first) and first not in OTHER_WORDS and not names_a_unit(first)
    if (is_name or any(map(_SEA_ZONE.fullmatch, texts))) and first not in presets:
        _check_other_names(line, start, texts, variant)
    return None


def place_completions(line: str, variant: str) -> Iterator[str]:
    """Complete the name of a place behind `vs`, where one is begun; where the sources differ, into what each has."""
    opening = openings().get(variant)
    versus = _VERSUS.search(line)
    if opening is None or versus is None:
        return
    begun = name_form(line[versus.end() :])
    for name in sorted(opening.names, key=lambda name: name_form(opening.names[name]) != name):
        place = opening.places[opening.names[name]]
        if name.startswith(begun):
            offers = place.choices if place.choices[1:] else (normal(place.name),) * bool(place.choices[0])
            yield from (f"{line[: versus.end()]}{offer}" for offer in offers if offer)


def _beginnings(line: str, start: int) -> Iterator[str]:
    """Yield what may be a name from here on, the most words first."""
    ends = [match.end() for match in re.compile(r"[^\s,;]+").finditer(line, start)][:MOST_WORDS]
    return (line[start:end] for end in reversed(ends))


def _defenders(line: str, start: int, end: int, opening: EditionOpening, place: Place) -> NamedArmy:
    edition, name = opening.edition, place.name
    if len(place.choices) > 1:
        lists = [compose("`{units}`", units=text) if text else _("nobody") for text in place.choices]
        both = _("{first} or {second}", first=join_texts(", ", lists[:-1]), second=lists[-1])
        reason = _("The sources of this opening differ about {place}: {lists}. Type the units.", place=name, lists=both)
        raise MatchupError(line, start, end, reason, next(filter(None, place.choices), ""))
    units = place.choices[0]
    if not units:
        reason = _("Nobody stands in {place} in the opening of {edition}.", place=name, edition=_(edition.name))
        raise MatchupError(line, start, end, reason)
    remark = _(
        "{place} ({nation}) in the opening of {edition}: `{units}`",
        place=name,
        nation=_(place.nation),
        edition=_(edition.name),
        units=units,
    )
    return NamedArmy(start, end, f"vs {units} variant:{edition.key}", remark)


def _check_other_names(line: str, start: int, texts: list[str], variant: str) -> None:
    """Raise MatchupError for a name that is nearly right, or that only the opening of another edition has."""
    edition, opening = editions()[variant], openings().get(variant)
    others = sorted(openings().values(), key=lambda candidate: candidate.edition.key != USUAL)
    for text in texts:
        reason = ""
        other = next((candidate for candidate in others if candidate.find(text)), None)
        numbered = _SEA_ZONE.fullmatch(text)  # sea zones with almost the same number are no mistyped names
        if opening and (other or numbered):
            name = _(edition.name)
            reason = _("I don't know who stands in `{place}` at the opening of {edition}.", place=text, edition=name)
        elif other:
            known = join_texts(", ", [_(candidate.edition.name) for candidate in openings().values()])
            reason = _("I know who stands where at the opening of {known} only. Type the units.", known=known)
        if reason:
            better = in_edition(line, other.edition.key) if other else ""
            raise MatchupError(line, start, start + len(text), reason, better=better)
        if opening and len(text) >= LEAST_LETTERS and (near := _nearest(text, opening)):
            raise MatchupError(line, start, start + len(text), unknown_word_hint(text, near), near)


def _nearest(text: str, opening: EditionOpening) -> str:
    near = nearest(name_form(text), opening.names, 0.8)
    return normal(opening.names[near]) if near else ""
