"""Composes the lines of the commands that a phrase asks for: "how many do I need to beat 9" is `/need 9`."""

from collections.abc import Callable, Sequence

from bot.phrases.armies import SHIPS, Mark, Stack, gather, pieces_of
from bot.phrases.lines import Meaning, NotClearError, _ships, compose_battle, options_of, unit_options
from bot.phrases.tags import Tag

WITHOUT_LINE = ("luck", "help", "help packs", "verify", "history list")
"""The questions that are about no battle of the phrase."""


ATTACKER = Tag("roles", "self", 0, 0)
"""Goes before what two plans differ in: ships without a side are the attacker's there."""


def compose(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a question; NotClearError if the phrase does not ask it."""
    if question in WITHOUT_LINE:
        if any(tag.table in ("number", "units", "ships", "chance", "die") for tag in tags):
            raise NotClearError("a battle beside another question")
        return Meaning(f"/{question}")
    return _COMPOSERS.get(question, _before_battle)(question, tags)


def _before_battle(question: str, tags: Sequence[Tag]) -> Meaning:
    _no_chance(tags)
    meaning = compose_battle(tags)
    return Meaning(f"/{question} {meaning.line}", meaning.reasons)


def _no_chance(tags: Sequence[Tag]) -> None:
    if any(tag.table == "chance" for tag in tags):
        raise NotClearError("a chance beside a battle")


def _need(_question: str, tags: Sequence[Tag]) -> Meaning:
    chances = [tag.value for tag in tags if tag.table == "chance"]
    pieces = pieces_of(
        [tag for tag in tags if tag.table not in ("options", "variants", "questions", "skips", "chance")]
    )
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    if len(chances) > 1 or not stacks:
        raise NotClearError("need against how many")
    if any(stack.unit and stack.unit not in SHIPS for stack in stacks):
        meaning = compose_battle([tag for tag in tags if tag.table != "chance"])
        return Meaning(" ".join([f"/need {meaning.line}", *chances]), meaning.reasons)
    armies, after = gather(pieces)
    main = [army for army in armies if army.numbers]
    options = options_of(tags)
    if len(main) != 1:
        raise NotClearError("need against how many")
    other = main[0]
    holds = _asks_to_hold(tags, pieces, other.before, after)
    ours = gather([Stack(0)])[0][0]
    attack, defence = (other, ours) if holds else (ours, other)
    if not other.label and not holds:
        other.label = "other"
    ships = _ships(armies, [other], attack, defence)
    line = f"{other.numbers[0]} vs" if holds else str(other.numbers[0])
    return Meaning(" ".join([f"/need {line}", *ships, *options, *chances]))


def _asks_to_hold(
    tags: Sequence[Tag], pieces: Sequence[Stack | Mark], before: Sequence[Mark], after: Sequence[Mark]
) -> bool:
    """Tell whether the number is that of attackers, against whom somebody wants to hold."""
    asked = " ".join(tag.text for tag in tags if tag.table == "questions")
    marks = [*before, *after]
    if any(mark.role in ("hold", "repelled") for mark in marks) or "defend" in asked:
        return True
    if any(mark.role == "attacker" for mark in after[:1]):
        return True
    roles = [mark.role for mark in before]
    if "attack" in roles and "other" in roles[: roles.index("attack")]:
        return True
    return any(mark.role == "attack" for mark in after) and "attack" not in roles


def _dice(_question: str, tags: Sequence[Tag]) -> Meaning:
    numbers = [tag.numbers[0] for tag in tags if tag.table == "number" or (tag.table == "questions" and tag.numbers)]
    ships = [
        piece
        for piece in pieces_of([tag for tag in tags if tag.table not in ("questions", "options")])
        if isinstance(piece, Stack) and piece.unit in SHIPS
    ]
    counted = [stack.count for stack in ships]
    for count in counted:
        if count in numbers[::-1]:
            numbers.reverse()
            numbers.remove(count)
            numbers.reverse()
    options = options_of(tags)
    for option in [option for option in options if option.startswith("dice:")]:
        numbers += map(int, option.removeprefix("dice:").split("v"))
        options.remove(option)
    each = any(tag.is_role("each") for tag in tags)
    if not 1 <= len(numbers) <= 2:
        raise NotClearError("how many dice")
    if each and len(numbers) == 1:
        numbers *= 2
    parts = [*map(str, numbers), *(f"{SHIPS[stack.unit]}:{stack.count}" for stack in ships), *options]
    return Meaning(" ".join(["/dice", *parts]))


def _bombing(_question: str, tags: Sequence[Tag]) -> Meaning:
    pieces = pieces_of([tag for tag in tags if tag.table not in ("options", "variants", "questions", "skips")])
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    planes = [stack for stack in stacks if stack.unit]
    points = [stack.count for stack in stacks if not stack.unit]
    if len(planes) != 1 or planes[0].unit != "bom" or len(points) != 1:
        raise NotClearError("a raid")
    armies, _after = gather([planes[0]])
    _ours, options = unit_options(tags, armies[0], armies[0])
    return Meaning(" ".join([f"/bombing {planes[0].count} bom vs {points[0]}", *options]))


def _compare(_question: str, tags: Sequence[Tag]) -> Meaning:
    at = [index for index, tag in enumerate(tags) if tag.is_role("or")]
    if len(at) != 1:
        raise NotClearError("two plans")
    left, right = list(tags[: at[0]]), list(tags[at[0] + 1 :])
    left = [tag for tag in left if tag.table != "questions"]
    right = [tag for tag in right if tag.table != "questions"]
    try:
        second = compose_battle(right)
        first = compose_battle(left)
    except NotClearError:
        base, old = _parts_of_plan(left, right)
        first, second = compose_battle([*base, ATTACKER, *old]), compose_battle([*base, ATTACKER, *right])
    return Meaning(f"/compare {first.line} or {second.line}", first.reasons)


def _parts_of_plan(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[list[Tag], list[Tag]]:
    """Split the tags of a first plan: what both plans have, and what the second, which is no whole battle, changes."""
    tables = {tag.table for tag in right} & {"options", "variants", "units", "ships"}
    if not tables or any(tag.table == "number" for tag in right[-1:]):
        raise NotClearError("the second plan")
    options = {tag.value.split(":")[0] for tag in right if tag.table == "options"}
    kept: list[Tag] = []
    old: list[Tag] = []
    for tag in left:
        if tag.table == "options" and tag.value.split(":")[0] in options:
            old.append(tag)
        elif tag.value in (*SHIPS, *SHIPS.values()) and tables & {"units", "ships"}:
            counted = bool(kept) and (
                kept[-1].table == "number" or (kept[-1].table == "noise" and kept[-1].value != "")
            )
            old += [*([kept.pop()] if counted else []), tag]
        else:
            kept.append(tag)
    return kept, old


def _place(_question: str, tags: Sequence[Tag]) -> Meaning:
    _no_chance(tags)
    pieces = pieces_of([tag for tag in tags if tag.table not in ("options", "variants", "questions", "skips")])
    armies, after = gather(pieces)
    if len(armies) < 2 or any(army.numbers for army in armies):
        raise NotClearError("which attacks")
    parts = [armies[0].units]
    for index, army in enumerate(armies[1:], 1):
        behind = armies[index + 1].before if index + 1 < len(armies) else after
        if any(mark.role == "here" for mark in behind) and len(parts) > 1:
            parts[-1] += f" vs {army.units}"
        else:
            parts.append(army.units)
    _ours, options = unit_options(tags, armies[1], armies[0])
    first = " ".join([parts[0], *options])
    return Meaning("/place " + " || ".join([first, *parts[1:]]))


_COMPOSERS: dict[str, Callable[[str, Sequence[Tag]], Meaning]] = {
    "need": _need,
    "dice": _dice,
    "bombing": _bombing,
    "compare": _compare,
    "place": _place,
}
