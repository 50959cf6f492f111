"""Gathers the numbers and units of a phrase into armies, with the words between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.phrases.tag import ENDS, Tag

SHIPS = {"bom": "bombers", "fig": "fighters", "capitals": "capitals"}
"""The ships of Star Wars Risk, by the units of Axis & Allies that have the same words."""
LETTERS = {
    "i": "inf",
    "a": "art",
    "t": "arm",
    "f": "fig",
    "b": "bom",
    "m": "mec",
    "s": "sub",
    "c": "cru",
    "d": "des",
    "r": "art",
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
LAST = ("attack-last", "attack-object", *HOLD_LAST)
"""The roles of verbs at the end; one with an object has it right before itself: "meine 9 schlagen"."""
VERBS = ("attack", "attacked", "hold", FRONT, *LAST)
"""The roles of all verbs."""
ARE = ("is", "are")
SUBJECTS = ("attacker", "defender", "self", "other")
"""The roles of words that name a side."""


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
        role: What it says.
        text: The word.
        near: Whether it stands right behind a number or a unit.
        case: The role that its form plays, such as "subject".
    """

    role: str
    text: str
    near: bool = False
    case: str = ""


@dataclass
class Army:
    """Stacks that fight together.

    Attributes:
        stacks: The stacks.
        before: The marks before the army, after the army before it.
        label: The side that a word names: "attacker", "defender", "self", "other" or "each"; "" if none does.
        closed: Whether a word behind it named its side, so that nothing joins it any more.
        horde: Whether it is of zombies.
    """

    stacks: list[Stack]
    before: list[Mark] = field(default_factory=list)
    label: str = ""
    closed: bool = False
    horde: bool = False

    @property
    def numbers(self) -> list[int]:
        """The numbers of armies without a unit."""
        return [stack.count for stack in self.stacks if not stack.unit]

    @property
    def is_of_ships(self) -> bool:
        """Whether there are only ships, which join an army."""
        return all(stack.unit in SHIPS for stack in self.stacks)

    @property
    def units(self) -> str:
        """The units, as the notation writes them."""
        together: dict[str, int] = {}
        for stack in self.stacks:
            together[stack.unit] = together.get(stack.unit, 0) + stack.count
        return " ".join(f"{count} {unit}" for unit, count in together.items())


Piece = Stack | Mark
NO_ARMIES = ("options", "variants", "questions", "skips")
"""The tables of words that are no part of an army, nor stand between two."""


def pieces_of_armies(tags: Sequence[Tag], *besides: str) -> list[Piece]:
    """Return the stacks and the marks of a phrase without its options and questions, and without the tables besides."""
    owned = [replace(tag, table="roles", value=tag.who) if _names_owner(tag) else tag for tag in tags]
    return pieces_of([tag for tag in owned if tag.table not in (*NO_ARMIES, *besides)])


def _names_owner(tag: Tag) -> bool:
    """Tell whether a variant is said of one side: "his capital has 18"."""
    return tag.table == "variants" and tag.who in ("self", "other")


def pieces_of(tags: Sequence[Tag]) -> list[Piece]:
    """Return the stacks and the marks of a phrase, in order."""
    letters, units_first = _uses_letters(tags), _puts_units_first(tags)
    pieces: list[Piece] = []
    index = 0
    while index < len(tags):
        if units_first and tags[index].is_role("men"):
            index += 1  # "troops 11": the number is enough
            continue
        piece, index = _piece(tags, index, letters, units_first)
        pieces += piece
    return pieces


def _puts_units_first(tags: Sequence[Tag]) -> bool:
    """Tell whether all units stand before their numbers: "inf 3 tank 2 vs inf 4", "troops 11 against troops 9"."""
    counted = [tag.table == "number" for tag in tags if tag.table in ("number", "units", "ships") or tag.is_role("men")]
    pairs = len(counted) // 2
    return pairs > 1 and counted == [False, True] * pairs


def _uses_letters(tags: Sequence[Tag]) -> bool:
    """Tell whether letters behind numbers are units, as in "6i 2a", rather than sides, as in "12a 9d"."""
    found = [tag.text for tag in tags if tag.table == "letter"]
    return len(found) > 2 or any(letter in "itfbms" for letter in found)


def _piece(tags: Sequence[Tag], index: int, letters: bool, units_first: bool) -> tuple[list[Piece], int]:
    """Return the next piece, and the index after it."""
    tag = tags[index]
    if tag.table in ("number", "units", "ships"):
        by_number = tag.table == "number"
        found, after = (
            _read_count_first(tags, index, letters) if by_number else _read_unit_first(tags, index, units_first)
        )
        words = [*tags[index:after], *(one for one in tags[after : after + 1] if one.is_role("men", "unit"))]
        return [*(Mark(one.case, one.text) for one in words if one.case)][:1] + found, after
    if tag.table == "die" and tag.text == f"d{tag.value}":
        return [Mark("defender", tag.text), Stack(tag.numbers[0])], index + 1
    if tag.text == ":" and not _is_near(tags, index):
        return [Mark("colon", tag.text)], index + 1
    if tag.table == "roles":
        return [Mark(role, tag.text, _is_near(tags, index), tag.case) for role in tag.value.split()], index + 1
    if tag.table == "names":
        return [Mark("name", tag.text)], index + 1
    if tag.table == "sign" and tag.text in (*ENDS, ",", ";", "(", ")", "/", ":"):
        role = "open" if tag.text == "(" else "pause" if tag.text in ",;" else "end"
        return [Mark(role, tag.text)], index + 1
    return [], index + 1


def _is_near(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a word stands right behind an army: "12 attackers", "12 armies attacking"."""
    before = next(
        (tag for tag in reversed(tags[:index]) if not tag.is_role("men", "unit", "for") and tag.text != "("), None
    )
    return before is not None and before.table in ("number", "units", "ships", "letter")


def _read_count_first(tags: Sequence[Tag], index: int, letters: bool) -> tuple[list[Piece], int]:
    """Return a stack that begins with its number."""
    count = tags[index].numbers[0]
    after = index + 1
    if after < len(tags) and tags[after].text in TIMES:
        after += 1
    if after < len(tags) and tags[after].table == "letter":
        letter = tags[after].text
        if letters:
            return [Stack(count, LETTERS[letter])], after + 1
        if letter in "ad":
            return [Stack(count), Mark("attacker" if letter == "a" else "defender", letter, near=True)], after + 1
    unit = after
    while unit < len(tags) and unit - after < 3 and _stands_between(tags[unit], count):
        unit += 1
    alone = unit == after < len(tags) and count > MOST_SHIPS and tags[unit].table == "ships" and not tags[unit].plural
    if alone:  # "17 vs 15 capital ship for the defender"
        return [Stack(count)], after
    if unit < len(tags) and tags[unit].table in ("units", "ships") and not _is_option(tags, index, unit):
        return [Stack(count, _unit(tags[unit]))], unit + 1
    return [Stack(count)], index + 1


def _stands_between(tag: Tag, count: int) -> bool:
    """Tell whether a word may stand between a number and its unit: "3 of the German tanks", "1 lone tank"."""
    plain = tag.table == "names" or (tag.table == "noise" and tag.value in ("", str(count)))
    return plain or tag.is_role("for", "self", "other") or tag.text == "more"


def _is_option(tags: Sequence[Tag], index: int, unit: int) -> bool:
    """Tell whether a unit has its own number behind it, as in "12 9 bombers 2"."""
    rest = [tag for tag in tags[unit + 1 : unit + 4] if tag.text not in (":", "=")]
    counted = bool(rest) and rest[0].table == "number" and (len(rest) == 1 or rest[1].table not in ("units", "ships"))
    tail = [tag for tag in tags[unit:] if tag.text not in (":", "=") and not tag.means_nothing]
    kinds = [tag.table in ("units", "ships") for tag in tail]
    paired = kinds == [True, False] * (len(kinds) // 2) and all(tag.table == "number" for tag in tail[1::2])
    before = index > 0 and tags[index - 1].table == "number"
    return (counted and (before or tags[unit + 1].text in (":", "="))) or (before and len(kinds) > 1 and paired)


def _read_unit_first(tags: Sequence[Tag], index: int, units_first: bool) -> tuple[list[Piece], int]:
    """Return a stack that begins with its unit: "inf 3", "infantry: 4" or "a tank"."""
    tag = tags[index]
    after = index + 1
    while after < len(tags) and tags[after].text in (":", "=", *TIMES):
        after += 1
    if after < len(tags) and tags[after].table == "number":
        following = tags[after + 1] if after + 1 < len(tags) else None
        times = tags[after - 1].text in TIMES
        if units_first or times or following is None or following.table not in ("units", "ships"):
            return [Stack(tags[after].numbers[0], _unit(tag))], after + 1
    counted = index > 0 and tags[index - 1].table == "noise" and tags[index - 1].value.isdigit()
    count = int(tags[index - 1].value) if counted else 1
    return [Stack(count, _unit(tag), vague=tag.plural and not counted)], index + 1


def _unit(tag: Tag) -> str:
    return next((unit for unit, ship in SHIPS.items() if tag.table == "ships" and ship == tag.value), tag.value)


def gather(pieces: Sequence[Piece], breaks: Sequence[str] = ()) -> tuple[list[Army], list[Mark]]:
    """Return the armies of a phrase, and the marks after the last one.

    Args:
        pieces: The stacks and marks.
        breaks: The roles of marks that end an army here, beside those that always do.
    """
    armies: list[Army] = []
    marks: list[Mark] = []
    labels_first = _labels_first(pieces)
    named = [piece for piece in pieces if isinstance(piece, Mark) and piece.role in ("attacker", "defender")]
    alone = len(named) == 1 and not labels_first
    for index, piece in enumerate(pieces):
        if isinstance(piece, Stack):
            if armies and _joins(armies[-1], piece, marks, breaks):
                armies[-1].stacks.append(piece)
            else:
                armies.append(Army([piece], marks, _label_before(marks)))
            marks = []
            continue
        following = pieces[index + 1] if index + 1 < len(pieces) else None
        behind = piece.near and not (
            isinstance(following, Mark) and following.text == ":"
        )  # "15v12 attacker: 1 fighter"
        if behind and alone and piece in named and isinstance(following, Stack):
            piece, behind = Mark("unclear", piece.text), False
        told = piece.case == "own" or (piece.role in ("attacker", "defender") and not labels_first)
        if armies and behind and told:
            _name(armies, piece.role, last_only=False)
        elif armies and behind and piece.role == "zombies":
            armies[-1].horde = True
        elif armies and piece.role in ("is_attacker", "is_defender"):
            armies[-1].label = piece.role.removeprefix("is_")
        elif armies and piece.role in SUBJECTS and _is_said_of_ships(armies[-1], marks, pieces[index + 1 :]):
            _name(armies, piece.role, last_only=True)
        elif armies and behind and piece.text in ("attacking", "defending") and _at_end(pieces, index):
            _name(armies, "attacker" if piece.role == "attack" else "defender", last_only=True)
        elif armies and piece.role == "each" and armies[-1].stacks[-1].unit:
            _name(armies, "each", last_only=True)
        else:
            marks.append(piece)
    return armies, marks


def _is_said_of_ships(army: Army, marks: Sequence[Mark], rest: Sequence[Piece]) -> bool:
    """Tell whether a side is named behind ships: "2 bombers for the attacker", "2 bombers on my side"."""
    roles = [mark.role for mark in marks]
    own = bool(rest) and isinstance(rest[0], Stack)  # "2 bombers / def 10"
    linked = roles == ["onto"] or (roles == ["have"] and marks[0].text in ARE)  # "the bombers are mine"
    near = army.stacks[-1].unit in SHIPS or "pause" not in roles  # not "12 vs 9, what is better for me"
    return (roles[-1:] == ["for"] and near) or (linked and army.stacks[-1].unit in SHIPS and not own)


def _labels_first(pieces: Sequence[Piece]) -> bool:
    """Tell whether sides are named before their numbers, as in "def 7 att 11"."""
    first = next(
        (piece for piece in pieces if isinstance(piece, Stack) or piece.role in ("attacker", "defender")), None
    )
    return isinstance(first, Mark)


def _at_end(pieces: Sequence[Piece], index: int) -> bool:
    following = pieces[index + 1] if index + 1 < len(pieces) else None
    return following is None or (isinstance(following, Mark) and following.role in ("pause", "end", "and"))


def _label_before(marks: Sequence[Mark]) -> str:
    """Return the side that the marks before an army name."""
    if any(mark.role == "each" for mark in marks):
        return "each"
    for index, mark in reversed(list(enumerate(marks))):
        if mark.role == "onto" and index and marks[index - 1].role in (*SUBJECTS, "have"):
            continue  # "he's on 19"
        if index and mark.role in SUBJECTS and marks[index - 1].role == "for":
            return ""  # "ahead of me: 6"
        if mark.role in SUBJECTS:
            return "" if index and marks[index - 1].role == "attack" and mark.text else mark.role
        if mark.role == "outcome":
            return ""
        if mark.role in (*VERBS, "against", "onto", "by", "counter"):
            return ""
    return ""


def _name(armies: list[Army], label: str, last_only: bool) -> None:
    """Give the last army a label; with `last_only` its ships alone, if it has more."""
    army = armies[-1]
    ships = [stack for stack in army.stacks if stack.unit in SHIPS]
    if last_only and ships and army.numbers:
        army.stacks = [stack for stack in army.stacks if stack not in ships]
        armies.append(Army(ships, [], label, closed=True))
    elif not army.label or not last_only or army.is_of_ships:
        army.label, army.closed = label, last_only


_ALWAYS = (
    *(*VERBS, "against", "by", "then", "through", "counter", "have", "or", *SUBJECTS, "each"),
    *("wave", "afterwards", "held", "row", "reinforces", "colon", "send", "faces"),
)
"""The roles of marks that always end an army."""


def _is_object(army: Army) -> bool:
    """Tell whether an army is attacked by the verb before it: "hit 6 inf with ..."."""
    roles = [mark.role for mark in army.before]
    return "attack" in roles and "with" not in roles[roles.index("attack") :]


def _joins(army: Army, stack: Stack, marks: Sequence[Mark], breaks: Sequence[str]) -> bool:
    """Tell whether a stack belongs to the army before it."""
    roles = {mark.role for mark in marks}
    if not stack.unit:  # a number of armies begins an army of its own
        return False
    if army.closed or ("with" in roles and stack.unit not in SHIPS and _is_object(army)):
        return False
    if "from" in roles and any(mark.role == "hold" for mark in army.before):
        return False
    if any(stack.unit == own.unit for own in army.stacks) and not roles & {"and", "overland", "landed"}:
        return False  # named twice, it is another army or said again
    if roles & {*_ALWAYS, *breaks} - ({"with"} if "and" in roles else set()):
        return False
    if "for" in roles and stack.unit in {one.unit for one in army.stacks}:
        return False
    if army.numbers and stack.unit not in SHIPS:
        return False
    split = bool(army.numbers) or "onto" in breaks
    return not (split and "onto" in roles and all(mark.role == "onto" and mark.text != ":" for mark in marks))
