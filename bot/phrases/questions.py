"""Composes the lines of the commands that a phrase asks for: "how many do I need to beat 9" is `/need 9`."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from bot.phrases.armies import HOLD_LAST, SHIPS, Army, Mark, Piece, Stack, gather, pieces_of, pieces_of_armies
from bot.phrases.dice_lines import counts_of_territories, exchange_sides, list_ships, without_implied
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import options_of, unit_options
from bot.phrases.plans import compose_comparison, leaves_ships_open
from bot.phrases.tag import Tag

TOPICS = (
    *("risk", "rules", "starwars", "icons", "axis", "waves", "armies", "questions"),
    *("rolling", "presets", "fairness", "proof", "packs", "more"),
)
"""The topics of `/help` besides the variants."""
WITHOUT_LINE = ("luck", "help", *(f"help {topic}" for topic in TOPICS), "verify", "history list")
"""The questions that are about no battle of the phrase."""
BESIDE_BATTLE = ("luck", "help")
"""Those among them that people also ask in passing: "12 vs 9, my dice are cursed"."""
MOST_DICE = 4
"""The most dice of a side that a number beside other dice can stand for."""


def compose(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a question; NotClearError if the phrase does not ask it."""
    if question in WITHOUT_LINE:
        if any(tag.table in ("number", "units", "ships", "chance", "die") for tag in tags):
            raise NotClearError("a battle beside another question")
        games = {tag.value for tag in tags if tag.table == "variants"} if question == "help" else set()
        return Meaning(" ".join([f"/{question}", *games]) if len(games) < 2 else "/help")
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
    pieces = pieces_of_armies(tags, "chance")
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    if len(chances) > 1 or any(stack.vague for stack in stacks):
        raise NotClearError("need against how many")
    if any(stack.unit and stack.unit not in SHIPS for stack in stacks):
        if any(tag.value == "need" and unit.table == "units" for tag, unit in pairwise(tags)):
            raise NotClearError("which units")  # "how many inf do I need"
        meaning = _battle_of_need([tag for tag in tags if tag.table != "chance"])
        lines = [" ".join([f"/need {line}", *chances]) if line else "" for line in (meaning.line, meaning.other)]
        return Meaning(lines[0], meaning.reasons, lines[1])
    armies, after = gather(pieces)
    main = [army for army in armies if army.numbers]
    options = options_of(tags)
    stopped = [option for option in options if option.startswith("stop:")]
    if not main and len(stopped) == 1:  # "how many do I need to stop 10"
        options.remove(stopped[0])
        return Meaning(" ".join([f"/need {stopped[0].removeprefix('stop:')} vs", *options, *chances]))
    if len(main) != 1:
        raise NotClearError("need against how many")
    if any(option.startswith(("stop:", "behind:", "leave:", "reserve:")) for option in options):
        raise NotClearError("a battle beside another question")
    other = main[0]
    if {mark.role for mark in other.before[-2:]} == {"have", "self"}:
        raise NotClearError("need against how many")
    holds = _asks_to_hold(tags, other.label, other.before, after)
    ours = Army([Stack(0)])
    attack, defence = (other, ours) if holds else (ours, other)
    if not other.label and not holds:
        other.label = "other"
    ships = list_ships(armies, [ours, other], attack, defence)
    line = f"{other.numbers[0]} vs" if holds else str(other.numbers[0])
    lines = [
        " ".join([f"/need {line}", *some, *without_implied(options, some), *chances])
        for some in (ships, exchange_sides(ships))
    ]
    if ships and leaves_ships_open(tags):
        raise NotClearError("which side", *lines)  # "to beat 9 with 2 bombers"
    return Meaning(lines[0])


def _battle_of_need(tags: Sequence[Tag]) -> Meaning:
    """Compose the battle of two armies of units, of which the first is the target in "to take 5 inf out of 9 inf"."""
    sends = [tag.is_role("send") and after.is_role("against", "onto") for tag, after in pairwise(tags)]
    tags = [tag for tag, sent in zip(tags, [*sends, False], strict=True) if not sent]
    try:
        return compose_battle(tags)
    except NotClearError as error:
        armies, _after = gather(pieces_of_armies(tags))
        roles = [mark.role for army in armies[:1] for mark in army.before]
        found = [line for line in error.readings if len(armies) == 2 and line.startswith(armies[1].units)]
        if error.why != "who attacks" or not found or roles[-1:] != ["attack"] or "other" in roles:
            raise
        return Meaning(found[0])


def _asks_to_hold(tags: Sequence[Tag], label: str, before: Sequence[Mark], after: Sequence[Mark]) -> bool:
    """Tell whether the number is that of attackers, against whom somebody wants to hold."""
    asked = " ".join(tag.text for tag in tags if tag.table == "questions")
    defended = any(tag.table == "questions" and tag.value == "need defenders" for tag in tags)
    if any(mark.role == "from" for mark in before) and not any(mark.role == "attack" for mark in before):
        return True
    if defended and label == "self" and before[-1].role != "self":  # "defenders do I need, so that 11 ..."
        return True
    if [mark.role for mark in before[-2:]] == ["attack", "self"]:
        return False  # "how many must he bring to beat my 9"
    if label == "self" or (label == "attacker" and not any(mark.role == "attacker" for mark in before)):
        return label == "attacker"
    marks = [*before, *after]
    if (
        any(mark.role in ("hold", "repelled", "attacked", *HOLD_LAST) for mark in marks)
        or "defend" in asked
        or defended
    ):
        return True
    if any(mark.role == "attacker" for mark in after[:1]):
        return True
    roles = [mark.role for mark in before]
    if "attack" in roles and "other" in roles[: roles.index("attack")]:
        return True
    behind = [mark.role for mark in after]
    if "attack" not in behind or "attack" in roles:
        return False
    subjects = [role for role in behind[: behind.index("attack")] if role in ("self", "other")]
    return subjects[-1:] != ["self"]  # "he has 9, how many do I need before I attack?"


def _dice(_question: str, tags: Sequence[Tag]) -> Meaning:
    options = options_of(tags)
    thrown = [option for option in options if option.startswith("dice:")]
    options = [option for option in options if option not in thrown]
    numbers = [int(number) for option in thrown for number in option.removeprefix("dice:").split("v")]
    pieces = pieces_of([tag for tag in tags if tag.table not in ("options", "variants")])
    ships = [piece for piece in pieces if isinstance(piece, Stack) and piece.unit in SHIPS]
    asked = [tag for tag in tags if tag.table == "questions" and tag.value == "dice"]
    numbers += [number for tag in asked for number in tag.numbers]
    plain = [piece.count for piece in pieces if isinstance(piece, Stack) and not piece.unit]
    first = next((tag for tag in tags if tag.table == "number" or (tag in asked and tag.numbers)), None)
    versus = any(isinstance(piece, Mark) and piece.role in ("against", "and") for piece in pieces)
    options = [option for option in options if option != "rounds:1"]  # "in one round"
    if any("rounds:" in option for option in options):
        raise NotClearError("a battle beside another question")
    if len(numbers) + len(plain) > 1 and any(number > MOST_DICE for number in [*numbers, *plain]):  # "11 vs 8 dice"
        raise NotClearError("how many dice")
    numbers = [*plain, *numbers] if first and first.table == "number" else [*numbers, *plain]
    if plain and not (len(numbers) == 2 and versus):
        raise NotClearError("how many dice")
    if len(numbers) == 1 and any(tag.is_role("each") for tag in tags):
        numbers *= 2
    if len(numbers) == 1 and not ships and all(len(tag.text.split()) < 3 for tag in asked):
        raise NotClearError("how many dice")
    if not 1 <= len(numbers) <= 2:
        raise NotClearError("how many dice")
    parts = [*map(str, numbers), *(f"{SHIPS[stack.unit]}:{stack.count}" for stack in ships), *options]
    return Meaning(" ".join(["/dice", *parts]))


def _bombing(_question: str, tags: Sequence[Tag]) -> Meaning:
    pieces = pieces_of_armies(tags)
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    bombers = [stack for stack in stacks if stack.unit not in ("", "fig")]
    points = [*(stack.count for stack in stacks if not stack.unit), *_points_said(tags, "bombing")]
    damage = _points_said(tags, "bombing damage")
    if len(damage) == 2:  # "6 of 20"
        points.append(max(damage))
        damage = [min(damage)]
    if len(damage) == 1 and len(points) == 1:
        points = [points[0] - damage[0]]
    elif damage:
        raise NotClearError("a raid")
    if len(bombers) != 1 or bombers[0].unit != "bom" or len(points) != 1 or any(stack.vague for stack in stacks):
        raise NotClearError("a raid")
    armies, _after = gather([bombers[0]])
    _ours, options = unit_options(tags, armies[0], armies[0])
    escorts, interceptors = _fighters_of_raid(pieces, bombers[0])
    return Meaning(" ".join([f"/bombing {bombers[0].count} bom{escorts} vs{interceptors} {points[0]}", *options]))


def _fighters_of_raid(pieces: Sequence[Piece], bombers: Stack) -> tuple[str, str]:
    """Return the fighters on the bombers' side of "against" and those on the other side, as a line has them."""
    between = next((place for place, piece in enumerate(pieces) if _divides_sides(piece)), len(pieces))
    sides = pieces[:between], pieces[between:]
    if bombers not in sides[0]:
        sides = sides[1], sides[0]
    fighters = [[piece.count for piece in side if isinstance(piece, Stack) and piece.unit == "fig"] for side in sides]
    if any(len(side) > 1 for side in fighters):
        raise NotClearError("a raid")
    escorts, interceptors = ("".join(f" {count} fig" for count in side) for side in fighters)
    return escorts, interceptors


def _divides_sides(piece: Piece) -> bool:
    return isinstance(piece, Mark) and piece.role in ("against", "onto")


def _points_said(tags: Sequence[Tag], question: str) -> list[int]:
    """Return the points that words about a factory name: what it can take, or the damage that it has."""
    return [number for tag in tags if tag.table == "questions" and tag.value == question for number in tag.numbers]


def _place(_question: str, tags: Sequence[Tag]) -> Meaning:
    _no_chance(tags)
    pieces = pieces_of_armies(tags)
    armies, after = gather(pieces, ("open",))
    parted, behind_parts = gather(pieces, ("open", "and"))
    if len(armies) == 2 and len(parted) == 3 and parted[0].units == armies[0].units:
        armies, after = parted, behind_parts
    if len(armies) < 2 or any(army.numbers for army in armies):
        raise NotClearError("which attacks")
    mine = [army for army in armies if army.label == "self"]
    asked = next((tag for tag in tags if tag.table in ("questions", "number")), None)
    if (
        asked and asked.table == "number" and armies[0].label in ("", "other") and len(mine) == 1
    ):  # "5 inf hit one, 4 inf the other, split my 8 inf"
        armies.remove(mine[0])
        armies.insert(0, mine[0])
    parts = [armies[0].units]
    for index, army in enumerate(armies[1:], 1):
        behind = armies[index + 1].before if index + 1 < len(armies) else after
        if any(mark.role == "here" for mark in behind):
            if len(parts) == 1:  # "Egypt (2 inf are there already) faces ..."
                raise NotClearError("which attacks")
            parts[-1] += f" vs {army.units}"
        elif army.label == "self":
            raise NotClearError("which attacks")
        else:
            parts.append(army.units)
    if len(parts) < 3 or (any(tag.text == "already" for tag in tags) and not any(" vs " in part for part in parts)):
        raise NotClearError("which attacks")
    _ours, options = unit_options(tags, armies[1], armies[0])
    named = counts_of_territories(tags)
    if any(number not in (1, len(parts) - 1) for number in named):  # "one territory ..., the other ..."
        raise NotClearError("which attacks")
    first = " ".join([parts[0], *options])
    return Meaning("/place " + " || ".join([first, *parts[1:]]))


_COMPOSERS: dict[str, Callable[[str, Sequence[Tag]], Meaning]] = {
    "need": _need,
    "need defenders": _need,
    "dice": _dice,
    "bombing": _bombing,
    "bombing damage": _bombing,
    "compare": compose_comparison,
    "place": _place,
}
