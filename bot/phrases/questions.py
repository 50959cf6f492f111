"""Composes the lines of the commands that a phrase asks for: "how many do I need to beat 9" is `/need 9`."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.armies import Army, gather
from bot.phrases.comparisons.changes import CHANGES, swaps_units
from bot.phrases.comparisons.plans import compose_comparison, leaves_ships_open
from bot.phrases.dice_lines import counts_of_territories, exchange_sides, list_ships, without_implied, write_ships
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import Meaning, NotClearError, Rule, find_rule
from bot.phrases.options import OF_DICE, options_of, unit_options
from bot.phrases.pieces import (
    FRONT,
    HOLD_LAST,
    OR,
    SHIPS,
    Mark,
    Piece,
    Stack,
    pieces_of,
    pieces_of_armies,
    roles_of,
    stacks_of,
)
from bot.phrases.tag import OF_ARMIES, Tag, has_role, has_table, tags_of, values_of
from bot.phrases.verbs import ENDS, index_of

TOPICS = (
    *("risk", "rules", "starwars", "icons", "axis", "waves", "armies", "questions"),
    *("rolling", "presets", "fairness", "proof", "packs", "more"),
)
"""The topics of `/help` besides the variants."""
LUCK = ("luck", "luck tonight", "luck everybody", "luck everybody tonight", "luck everybody since:1d")
"""The questions about luck, as `/luck` takes them."""
WITHOUT_LINE = (*LUCK, "help", *(f"help {topic}" for topic in TOPICS), "verify", "history list")
"""The questions that are about no battle of the phrase."""
BESIDE_BATTLE = (*LUCK, "help")
"""Those among them that people also ask in passing: "12 vs 9, my dice are cursed"."""
MOST_DICE = 4
"""The most dice of a side that a number beside other dice can stand for."""

OF_RAIDS = {"bom", "fig", "tac"}
"""The units of raids: "SBR 2 bombers against 1 fighter" is no battle."""
LINE_ALONE = "line"
"""In place of a command, for phrases that are battles only."""


def questions_of(tags: Sequence[Tag], command: str) -> Sequence[str]:
    """Return the questions that a phrase may ask, the likeliest first."""
    if command == LINE_ALONE:
        return ["battle"]
    asked = sorted(tags_of(tags, "questions"), key=lambda tag: tag.start - tag.end)
    asked = [tag for tag in asked if not _is_noun(tag, tags)]
    questions = list(dict.fromkeys(tag.value for tag in asked))
    dice = any(option.startswith("dice:") for option in values_of(tags, "options"))
    if dice and not has_table(tags, "number"):
        questions.append("dice")
    if "compare" not in questions and has_role(tags, *OR):
        questions.insert(0, "compare")
    may_be_battle = _may_be_battle(tags, asked, questions)
    if "compare" not in questions and has_role(tags, *CHANGES):
        questions.insert(0, "compare")
        may_be_battle = may_be_battle and not swaps_units(tags)
    if may_be_battle:
        questions.append("battle")
        if has_table(tags, "chance") and not has_role(tags, "against", "onto"):
            questions.append("need")  # a chance beside one number
    if command in ("", "battle"):
        return questions
    return list(dict.fromkeys([command, *questions, *(["battle"] if command == "need" else [])]))


def _is_noun(question: Tag, tags: Sequence[Tag]) -> bool:
    """Tell whether the word of a question is a noun beside dice: "my roll"."""
    if question.value != "roll" or " " in question.text:
        return False
    thrown = any(option.startswith(OF_DICE) for option in values_of(tags, "options"))
    return thrown and (question.start > 0 or any("icons:" in tag.value for tag in tags))


def _may_be_battle(tags: Sequence[Tag], asked: Sequence[Tag], questions: Sequence[str]) -> bool:
    """Tell whether a phrase may be a battle, whatever it asks."""
    raid = "bombing" in questions and {*values_of(tags, "units")} <= OF_RAIDS
    sure = any(" " in tag.text for tag in asked if tag.value not in BESIDE_BATTLE)
    return not (raid or sure) and {"compare", "need", "place"}.isdisjoint(questions)


def compose(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a question; NotClearError if the phrase does not ask it."""
    if question in WITHOUT_LINE:
        if has_table(tags, *OF_ARMIES, "chance", "die"):
            raise NotClearError("a battle beside another question")
        games = {*values_of(tags, "variants")} if question == "help" else set()
        return Meaning(" ".join([f"/{question}", *games]) if len(games) < 2 else "/help")
    return _COMPOSERS.get(question, _before_battle)(question, tags)


def _before_battle(question: str, tags: Sequence[Tag]) -> Meaning:
    _check_no_chance(tags)
    meaning = compose_battle(tags)
    return Meaning(f"/{question} {meaning.line}", meaning.reasons)


def _check_no_chance(tags: Sequence[Tag]) -> None:
    if has_table(tags, "chance"):
        raise NotClearError("a chance beside a battle")


def _need(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question how many armies are needed."""
    chances = values_of(tags, "chance")
    pieces = pieces_of_armies(tags, "chance")
    stacks = stacks_of(pieces)
    if len(chances) > 1 or any(stack.vague for stack in stacks):
        raise NotClearError("need against how many")
    if any(stack.unit and stack.unit not in SHIPS for stack in stacks):
        if any(tag.value == "need" and unit.table == "units" for tag, unit in pairwise(tags)):
            raise NotClearError("which units")  # "how many inf do I need"
        meaning = _battle_of_need([tag for tag in tags if tag.table != "chance"])
        lines = [" ".join([f"/need {line}", *chances]) if line else "" for line in (meaning.line, meaning.other)]
        return Meaning(lines[0], meaning.reasons, lines[1])
    return _need_of_number(*gather(pieces), tags, chances)


def _need_of_number(armies: list[Army], after: list[Mark], tags: Sequence[Tag], chances: list[str]) -> Meaning:
    """Compose the question how many armies are needed against a number."""
    main = [army for army in armies if army.numbers]
    options = options_of(tags)
    stopped = [option for option in options if option.startswith("stop:")]
    if not main and len(stopped) == 1:  # "how many do I need to stop 10"
        options.remove(stopped[0])
        return Meaning(" ".join([f"/need {stopped[0].removeprefix('stop:')} vs", *options, *chances]))
    if len(main) != 1:
        raise NotClearError("need against how many")
    if any(option.startswith(("stop:", "losses:", "behind:", "leave:", "reserve:")) for option in options):
        raise NotClearError("a battle beside another question")
    if any(count > 1 for count in counts_of_territories(tags)):
        raise NotClearError("need against how many")  # "12 territories with 1 each" are no army
    other = main[0]
    if {*other.roles[-2:]} == {"have", "self"}:
        raise NotClearError("need against how many")
    holds = _is_to_hold(other, after, tags)
    ships = _list_ships_of_need(armies, other, holds)
    line = f"{other.numbers[0]} vs" if holds else str(other.numbers[0])
    lines = [
        " ".join([f"/need {line}", *some, *without_implied(options, some), *chances])
        for some in (ships, exchange_sides(ships))
    ]
    if ships and leaves_ships_open(tags):
        raise NotClearError("which side", *lines)  # "to beat 9 with 2 bombers"
    return Meaning(lines[0])


def _is_to_hold(other: Army, after: Sequence[Mark], tags: Sequence[Tag]) -> bool:
    """Tell whether an army attacks, and somebody wants to hold it off; `after` are the marks behind the last army."""
    asked = " ".join(tag.text for tag in tags_of(tags, "questions"))
    defenders = "need defenders" in values_of(tags, "questions")
    rule = find_rule(_HOLDS, Needed(other.label, other.roles, roles_of(after), asked, defenders))
    return rule is not None and rule.make


def _list_ships_of_need(armies: Sequence[Army], other: Army, holds: bool) -> list[str]:
    """Return the options of the ships beside the army whose number is known; it attacks if the other side `holds`."""
    ours = Army([Stack(0)])
    attack, defence = (other, ours) if holds else (ours, other)
    if not other.label and not holds:
        other.label = "other"
    return list_ships(armies, [ours, other], attack, defence)


def _battle_of_need(tags: Sequence[Tag]) -> Meaning:
    """Compose the battle of two armies of units, of which the first is the target in "to take 5 inf out of 9 inf"."""
    sends = [tag.is_role("send") and after.is_role("against", "onto") for tag, after in pairwise(tags)]
    tags = [tag for tag, sent in zip(tags, [*sends, False], strict=True) if not sent]
    try:
        return compose_battle(tags)
    except NotClearError as error:
        armies, _after = gather(pieces_of_armies(tags))
        roles = armies[0].roles if armies else []
        lines = [line for line in error.readings if len(armies) == 2 and line.startswith(armies[1].units)]
        if error.why != "who attacks" or not lines or roles[-1:] != ["attack"] or "other" in roles:
            raise
        return Meaning(lines[0])


class Needed(NamedTuple):
    """A question how many armies are needed: the side of its number, the roles around that, and the words that ask."""

    label: str
    before: Sequence[str]
    after: Sequence[str]
    asked: str
    defenders: bool


def _others_attack(needed: Needed) -> bool:
    """Tell whether it is another player who attacks: not "he has 9, how many do I need before I attack?"."""
    if "attack" not in needed.after or "attack" in needed.before:
        return False
    verb = needed.after.index("attack")
    return [role for role in needed.after[:verb] if role in ("self", "other")][-1:] != ["self"]


DEFENCE = {"hold", "repelled", "attacked", *HOLD_LAST}
"""The roles of verbs of defence."""
_HOLDS: Sequence[Rule[Needed, bool]] = (
    Rule("um 14 abzuwehren", lambda it: it.after[:1] == ["hold-object"] and it.before.count("self") < 2, True),
    Rule("seine 17 greifen mich an", lambda it: it.label == "other" and it.after[:1] == [FRONT], True),
    Rule("hold from", lambda it: "from" in it.before and "attack" not in it.before, True),
    Rule("so that my 11 ...", lambda it: it.defenders and it.label == "self" and it.before[-1:] != ["self"], True),
    Rule("to beat my 9", lambda it: it.before[-2:] == ["attack", "self"], False),
    Rule("my number", lambda it: it.label == "self", False),
    Rule("9 attackers", lambda it: it.label == "attacker" and "attacker" not in it.before, True),
    Rule("a verb of defence", lambda it: not DEFENCE.isdisjoint((*it.before, *it.after)), True),
    Rule("how many to defend", lambda it: "defend" in it.asked or it.defenders, True),
    Rule("attackers behind the number", lambda it: it.after[:1] == ["attacker"], True),
    Rule("he attacks", lambda it: "attack" in it.before and "other" in it.before[: it.before.index("attack")], True),
    Rule("9 attack me", _others_attack, True),
)
"""Whether a number is that of attackers whom somebody wants to hold off: the first rule that fits counts."""


def _dice(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question what the dice of one round do."""
    options = [option for option in options_of(tags) if option != "rounds:1"]  # "in one round"
    if any("rounds:" in option for option in options):
        raise NotClearError("a battle beside another question")
    thrown = [option for option in options if option.startswith("dice:")]
    pieces = pieces_of([tag for tag in tags if tag.table not in ("options", "variants")])
    ships = [stack for stack in stacks_of(pieces) if stack.unit in SHIPS]
    numbers = _numbers_of_dice(tags, thrown, pieces, bool(ships))
    rest = [option for option in options if option not in thrown]
    return Meaning(" ".join(["/dice", *map(str, numbers), *write_ships(ships), *rest]))


def _numbers_of_dice(tags: Sequence[Tag], thrown: Sequence[str], pieces: Sequence[Piece], sure: bool) -> Sequence[int]:
    """Return the dice of one side or both; NotClearError unless it is clear that numbers are dice.

    `thrown` are the options of dice, and `sure` tells whether a number of dice can be that of one side.
    """
    asked = [tag for tag in tags_of(tags, "questions") if tag.value == "dice"]
    dice = [*map(int, re.findall(r"\d+", " ".join(thrown))), *_numbers_said(tags, "dice")]
    plain = [stack.count for stack in stacks_of(pieces) if not stack.unit]
    if len(dice) == 1 and not plain and has_role(tags, "each"):
        return dice * 2
    if len(dice) == 1 and not plain and (sure or any(tag.text.count(" ") > 1 for tag in asked)):
        return dice
    if len(dice) + len(plain) != 2 or max(dice + plain) > MOST_DICE or (plain and not _are_parted(pieces)):
        raise NotClearError("how many dice")  # also "11 vs 8 dice"
    return plain + dice if _begins_with_number(tags) else dice + plain


def _begins_with_number(tags: Sequence[Tag]) -> bool:
    """Tell whether a number stands before the words that ask for dice with theirs."""
    words = (tag for tag in tags if tag.table == "number" or (tag.table == "questions" and tag.value == "dice"))
    return next((word.table for word in words if word.numbers), "") == "number"


def _are_parted(pieces: Sequence[Piece]) -> bool:
    """Tell whether a word parts two sides."""
    return any(isinstance(piece, Mark) and piece.role in ("against", "and") for piece in pieces)


def _bombing(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose a raid on a factory."""
    pieces = pieces_of_armies(tags)
    stacks = stacks_of(pieces)
    bombers = [stack for stack in stacks if stack.unit not in ("", "fig")]
    base = has_role(tags, "base")
    points = [*(stack.count for stack in stacks if not stack.unit), *_numbers_said(tags, "bombing")]
    damage = _numbers_said(tags, "bombing damage")
    if len(damage) == 2:  # "6 of 20"
        points.append(max(damage))
        damage = [min(damage)]
    if len(bombers) != 1 or bombers[0].unit not in ("bom", "tac") or any(stack.vague for stack in stacks):
        raise NotClearError("a raid")
    if len(points) != (0 if base else 1) or len(damage) > 1:
        raise NotClearError("a raid")
    armies, _after = gather([bombers[0]])
    _ours, options = unit_options(tags, armies[0], armies[0])
    escorts, interceptors = _fighters_of_raid(pieces, bombers[0])
    target = "base" if base else points[0] - sum(damage)
    return Meaning(
        " ".join([f"/bombing {bombers[0].count} {bombers[0].unit}{escorts} vs{interceptors} {target}", *options])
    )


def _fighters_of_raid(pieces: Sequence[Piece], bombers: Stack) -> tuple[str, str]:
    """Return the fighters on the bombers' side of "against" and those on the other side, as a line has them."""
    roles = [piece.role if isinstance(piece, Mark) else "" for piece in pieces]
    between = index_of(roles, "against", "onto")
    sides = pieces[:between], pieces[between:]
    if "against" not in roles and (between == len(pieces) or "other" in roles):
        sides = _clauses_of_raid(pieces, bombers)
    if bombers not in sides[0]:
        sides = sides[1], sides[0]
    fighters = [[stack.count for stack in stacks_of(side) if stack.unit == "fig"] for side in sides]
    if any(len(side) > 1 for side in fighters):
        raise NotClearError("a raid")
    escorts, interceptors = ("".join(f" {count} fig" for count in side) for side in fighters)
    return escorts, interceptors


def _clauses_of_raid(pieces: Sequence[Piece], bombers: Stack) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """Return the clause of the bombers and the others, if those say whose they are.

    "3 bombers with 2 fighters escorting, 1 interceptor"; "he'd intercept with 3 fighters, I'd raid with 5 bombers".
    """
    clauses: list[list[Piece]] = [[]]
    for piece in pieces:
        clauses[-1].append(piece)
        if isinstance(piece, Mark) and piece.role in ENDS:
            clauses.append([])
    own = next(clause for clause in clauses if bombers in clause)
    others = [piece for clause in clauses if clause is not own for piece in clause]
    theirs = any(isinstance(piece, Mark) and piece.role == "other" for piece in others)
    if len(stacks_of(own)) == 1 and not theirs and any(stack.unit for stack in stacks_of(others)):
        raise NotClearError("a raid")
    return own, others


def _numbers_said(tags: Sequence[Tag], question: str) -> list[int]:
    """Return the numbers in the words of a question: dice, what a factory can take, or the damage that it has."""
    return [number for tag in tags_of(tags, "questions") if tag.value == question for number in tag.numbers]


def _place(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question where to place units."""
    _check_no_chance(tags)
    armies, after = _armies_of_places(tags)
    attacks = _attacks_on_places(armies, after)
    there = any(" vs " in attack for attack in attacks) or all(tag.text != "already" for tag in tags)
    if len(attacks) < 2 or not there:
        raise NotClearError("which attacks")
    _ours, options = unit_options(tags, armies[1], armies[0])
    if {*counts_of_territories(tags)} - {1, len(attacks)}:  # "one territory ..., the other ..."
        raise NotClearError("which attacks")
    return Meaning("/place " + " || ".join([" ".join([armies[0].units, *options]), *attacks]))


def _armies_of_places(tags: Sequence[Tag]) -> tuple[list[Army], list[Mark]]:
    """Return the units that are placed, then those of the attacks, and the marks behind the last army."""
    pieces = pieces_of_armies(tags)
    armies, after = gather(pieces, ("open",))
    parted, behind_parts = gather(pieces, ("open", "and"))
    if len(armies) == 2 and len(parted) == 3 and parted[0].units == armies[0].units:
        armies, after = parted, behind_parts
    if len(armies) < 2 or any(army.numbers for army in armies):
        raise NotClearError("which attacks")
    mine = [army for army in armies if army.label == "self"]
    asked = next((tag.table for tag in tags if tag.table in ("questions", "number")), "")
    if asked == "number" and armies[0].label in ("", "other") and len(mine) == 1:
        armies.remove(mine[0])  # "5 inf hit one, 4 inf the other, split my 8 inf"
        armies.insert(0, mine[0])
    return armies, after


def _attacks_on_places(armies: Sequence[Army], after: Sequence[Mark]) -> list[str]:
    """Return the attacks, each with the units that are there already, behind those that are placed."""
    attacks: list[str] = []
    for index, army in enumerate(armies[1:], 2):
        here = "here" in (armies[index].roles if index < len(armies) else roles_of(after))
        if (here and not attacks) or (army.label == "self" and not here):
            raise NotClearError("which attacks")  # "Egypt (2 inf are there already) faces ..."
        if here:
            attacks[-1] += f" vs {army.units}"
        else:
            attacks.append(army.units)
    return attacks


_COMPOSERS: dict[str, Callable[[str, Sequence[Tag]], Meaning]] = {
    "need": _need,
    "need defenders": _need,
    "dice": _dice,
    "bombing": _bombing,
    "bombing damage": _bombing,
    "compare": compose_comparison,
    "place": _place,
}
