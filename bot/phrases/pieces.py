"""Reads a phrase as pieces: the stacks of its armies, and the marks between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.phrases.tag import BATTLE, ENDS, NOTHING, OF_ARMIES, OF_UNITS, Tag, tag_at, tags_of
from bot.phrases.tokens import SIDES as LETTER_SIDES

SHIPS = {"bom": "bombers", "fig": "fighters", "capitals": "capitals"}
"""The ships of Star Wars Risk, by the units of Axis & Allies that have the same words."""
LETTERS = {
    **{"i": "inf", "a": "art", "t": "arm", "f": "fig", "b": "bom"},
    **{"m": "mec", "s": "sub", "c": "cru", "d": "des", "r": "art"},
}
"""The units that a letter behind a number stands for."""
LANDING = {"inf": "ainf", "art": "aart", "arm": "aarm"}
"""The units that come from the sea, by those on land."""
MOST_SHIPS = 9
"""More ships than this beside a number of armies are more likely armies."""
TIMES = ("x", "х", "*")
"""The signs between a number and a unit, in both alphabets."""
FRONT = "attack-first"
"""The role of a verb that may stand in front of its subject: "greift ..."."""
HOLD_LAST = ("hold-last", "hold-object")
ATTACK_LAST = ("attack-last", "attack-object")
ATTACKS = ("attack", FRONT, *ATTACK_LAST)
"""The roles of verbs of attack."""
DOING = {"is_attacker": "attack", "is_defender": "hold"}
"""The side of the person whom words such as "is attacking" follow; behind an army they name its side."""
LAST = (*ATTACK_LAST, *HOLD_LAST)
"""The roles of verbs at the end; one with an object has it right before itself: "meine 9 schlagen"."""
VERBS = ("attack", "attacked", "hold", FRONT, *LAST)
"""The roles of all verbs."""
OR = ("or", "instead")
"""The roles of words between two plans."""
SIDES = ("attacker", "defender")
SUBJECTS = (*SIDES, "self", "other")
"""The roles of words that name a side."""
ARROWS = ("→", "->", ">", "➡", "=>")
"""The signs between territories that an army goes through."""


@dataclass
class Stack:
    """So many units of a kind; a number of armies has no unit."""

    count: int
    unit: str = ""
    vague: bool = False


@dataclass
class Mark:
    """A word between armies that says something about them.

    Attributes:
        role: Its meaning.
        text: The word.
        near: Whether it stands right behind a number or a unit.
        case: The role that its form plays, such as "subject".
    """

    role: str
    text: str
    near: bool = False
    case: str = ""


Piece = Stack | Mark
NO_ARMIES = ("options", "variants", "outlooks", "questions", "skips")
"""The tables of words that are no part of an army, nor stand between two."""
SIGNS = {**dict.fromkeys((*ENDS, ")", "/", ":"), "end"), **dict.fromkeys(",;", "pause"), "(": "open"}
"""The roles of signs."""


def roles_of(marks: Iterable[Mark]) -> list[str]:
    """Return what marks say, in their order."""
    return [mark.role for mark in marks]


def roles_behind(roles: Sequence[str], role: str) -> Sequence[str]:
    """Return the roles from the first of these on; none if it is missing."""
    return roles[roles.index(role) :] if role in roles else ()


def marks_of(pieces: Iterable[Piece]) -> list[Mark]:
    """Return the marks of a phrase."""
    return [piece for piece in pieces if isinstance(piece, Mark)]


def stacks_of(pieces: Iterable[Piece]) -> list[Stack]:
    """Return the stacks of a phrase."""
    return [piece for piece in pieces if isinstance(piece, Stack)]


def pieces_of_armies(tags: Sequence[Tag], *besides: str) -> list[Piece]:
    """Return the stacks and the marks of a phrase without its options and questions, and without the tables besides."""
    armies = [tag for index, tag in enumerate(tags) if not _has_usual_dice(tag, tag_at(tags, index + 1))]
    return pieces_of([tag for tag in armies if tag.table not in (*NO_ARMIES, *besides)])


def _has_usual_dice(tag: Tag, after: Tag) -> bool:
    """Tell whether a word names a player of whom only the dice are said: "I roll d8 and he normal dice, 14 vs 12"."""
    return tag.is_role("self", "other") and (after.table, after.value) == ("variants", "classic")


def pieces_of(tags: Sequence[Tag]) -> list[Piece]:
    """Return the stacks and the marks of a phrase, in order."""
    letters, units_first = uses_letters(tags), _puts_units_first(tags)
    pieces: list[Piece] = []
    index = 0
    while index < len(tags):
        tag, after = tags[index], index + 1
        if tag.table in OF_ARMIES:
            stack, after = (
                _read_count_first(tags, index, letters)
                if tag.table == "number"
                else _read_unit_first(tags, index, units_first)
            )
            words = [*tags[index:after], *(word for word in tags[after : after + 1] if word.is_role("men", "unit"))]
            pieces += [*[Mark(word.case, word.text) for word in words if word.case][:1], *stack]
        elif not (units_first and tag.is_role("men")):  # "troops 11": the number is enough
            pieces += _read_mark(tags, index)
        index = after
    return pieces


def _puts_units_first(tags: Sequence[Tag]) -> bool:
    """Tell whether all units stand before their numbers: "inf 3 tank 2 vs inf 4", "troops 11 against troops 9"."""
    counted = [tag.table == "number" for tag in tags if tag.table in OF_ARMIES or tag.is_role("men")]
    pairs = len(counted) // 2
    return pairs > 1 and counted == [False, True] * pairs


def uses_letters(tags: Sequence[Tag]) -> bool:
    """Tell whether letters behind numbers are units, as in "6i 2a", rather than sides, as in "12a 9d"."""
    letters = [tag.text for tag in tags_of(tags, "letter")]
    return len(letters) > 2 or not set(letters).isdisjoint("itfbms")


def _read_mark(tags: Sequence[Tag], index: int) -> list[Piece]:
    """Return what a word says that is no army, as far as it says something of armies."""
    tag = tags[index]
    if tag.table == "die" and tag.text == f"d{tag.value}":
        return [Mark("defender", tag.text), Stack(tag.numbers[0])]
    if tag.text == ":" and not _is_near(tags, index):
        return [Mark("colon", tag.text)]
    before = tag_at(tags, index - 1)
    if tag.value in DOING and (before.table in ("", "names") or before.is_role(*SUBJECTS)):
        return [Mark(DOING[tag.value], tag.text)]  # "Marge is attacking. She has 16, ...", "is attacking 9 with 12 ..."
    if tag.table == "roles":
        return [Mark(role, tag.text, _is_near(tags, index), tag.case) for role in tag.value.split()]
    role = "name" if tag.table == "names" else SIGNS.get(tag.text, "") if tag.table == "sign" else ""
    return [Mark(role, tag.text)] if role else []


def _is_near(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a word stands right behind an army: "12 attackers", "12 armies attacking"."""
    words = (tag for tag in reversed(tags[:index]) if not tag.is_role("men", "unit", "for") and tag.text != "(")
    return next(words, NOTHING).table in (*OF_ARMIES, "letter")


def _read_count_first(tags: Sequence[Tag], index: int, letters: bool) -> tuple[list[Piece], int]:
    """Return a stack that begins with its number, and the index after it."""
    count = tags[index].numbers[0]
    after = index + 1
    if tag_at(tags, after).text in TIMES:
        after += 1
    letter = tag_at(tags, after)
    if letter.table == "letter" and letters:
        return [Stack(count, LETTERS[letter.text])], after + 1
    if letter.table == "letter" and letter.text in LETTER_SIDES:
        return [Stack(count), Mark(LETTER_SIDES[letter.text], letter.text, near=True)], after + 1
    unit = after
    while unit - after < 3 and _stands_between(tag_at(tags, unit), count):
        unit += 1
    kind = tag_at(tags, unit)
    counts_armies = unit == after and _stands_beside_armies(kind, count, tags)
    if kind.table in OF_UNITS and not counts_armies and not _is_option(tags, index, unit):
        return [Stack(count, _unit(kind))], unit + 1
    return [Stack(count)], after if counts_armies else index + 1  # "17 vs 15 capital ship for the defender"


def _stands_beside_armies(ship: Tag, count: int, tags: Sequence[Tag]) -> bool:
    """Tell whether a word for one ship stands behind a number of armies: "12 v 9 fighter for me"."""
    if count < 2 or ship.table != "ships" or ship.plural:
        return False
    # A capital may be a city.
    return count > MOST_SHIPS or (_unit(ship) != "capitals" and len(tags_of(tags, "number")) == BATTLE)


def _stands_between(tag: Tag, count: int) -> bool:
    """Tell whether a word may stand between a number and its unit: "3 of the German tanks", "1 lone tank"."""
    plain = tag.table == "names" or (tag.table == "noise" and tag.value in ("", str(count)))
    return plain or tag.is_role("for", "self", "other", "vague")


def _is_option(tags: Sequence[Tag], index: int, unit: int) -> bool:
    """Tell whether a unit has its own number behind it, as in "12 9 bombers 2"."""
    equals = (":", "=")
    rest = [tag for tag in tags[unit + 1 : unit + 4] if tag.text not in equals]
    counted = tag_at(rest, 0).table == "number" and tag_at(rest, 1).table not in OF_UNITS
    before = tag_at(tags, index - 1).table == "number"
    if counted and (before or tags[unit + 1].text in equals):
        return True
    tail = [tag.table for tag in tags[unit:] if tag.text not in equals and not tag.means_nothing]
    pairs = zip(tail[::2], tail[1::2], strict=False)
    return (
        before
        and len(tail) > 1
        and len(tail) % 2 == 0
        and all(kind in OF_UNITS and number == "number" for kind, number in pairs)
    )


def _read_unit_first(tags: Sequence[Tag], index: int, units_first: bool) -> tuple[list[Piece], int]:
    """Return a stack that begins with its unit, and the index after it: "inf 3", "infantry: 4" or "a tank"."""
    tag = tags[index]
    after = index + 1
    while tag_at(tags, after).text in (":", "=", *TIMES):
        after += 1
    if tag_at(tags, after).table == "number":
        times = tags[after - 1].text in TIMES
        if units_first or times or tag_at(tags, after + 1).table not in OF_UNITS:
            return [Stack(tags[after].numbers[0], _unit(tag))], after + 1
    before = tag_at(tags, index - 1)
    counted = before.table == "noise" and before.value.isdigit()
    count = int(before.value) if counted else 1
    return [Stack(count, _unit(tag), vague=tag.plural and not counted)], index + 1


def _unit(tag: Tag) -> str:
    return next((unit for unit, ship in SHIPS.items() if tag.table == "ships" and ship == tag.value), tag.value)
