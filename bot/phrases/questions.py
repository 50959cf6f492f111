"""Composes the lines of the commands that a phrase asks for: "how many do I need to beat 9" is `/need 9`."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.armies import Army, gather
from bot.phrases.commands.buys import compose_buy
from bot.phrases.commands.needs import compose_need
from bot.phrases.comparisons.changes import CHANGES, swaps_units
from bot.phrases.comparisons.plans import compose_comparison, part_battles
from bot.phrases.dice_lines import counts_of_territories, write_ships
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import Conditions, Meaning, NotClearError, Rule, find_condition
from bot.phrases.options import options_of, says_dice, unit_options
from bot.phrases.pieces import (
    OR,
    Mark,
    Piece,
    Stack,
    pieces_of_armies,
    roles_of,
    stacks_of,
)
from bot.phrases.tag import OF_ARMIES, Tag, has_role, has_table, tag_at, tags_of, values_of
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
"""The questions among them that people also ask in passing: "12 vs 9, my dice are cursed"."""
MOST_DICE = 4
"""The most dice of a side that a number beside other dice can stand for."""

OF_RAIDS = {"bom", "fig", "tac"}
"""The units of raids: "SBR 2 bombers against 1 fighter" is no battle."""
LINE_ALONE = "line"
"""In place of a command, for phrases that are battles only."""


class Asking(NamedTuple):
    """A phrase, and its words that ask something, the longest first."""

    tags: Sequence[Tag]
    words: Sequence[Tag]

    def asks(self, *questions: str) -> bool:
        """Tell whether words ask one of these questions."""
        return any(tag.value in questions for tag in self.words)


def questions_of(tags: Sequence[Tag], command: str) -> Sequence[str]:
    """Return the questions that a phrase may ask, the likeliest first."""
    if command == LINE_ALONE:
        return ["battle"]
    words = sorted(tags_of(tags, "questions"), key=lambda tag: tag.start - tag.end)
    asking = Asking(tags, [tag for tag in words if not (_is_noun(tag, tags) or _is_of_talk(tag, tags))])
    said = [tag.value for tag in asking.words]
    implied = [rule.make for rule in _IMPLIED if rule.fits(asking)]
    placed = said[:1] == ["place"]  # "... or Persia, how do I split them?"
    first = [question for question in implied if question == "compare" and not placed]
    questions = [*dict.fromkeys([*first, *said, *implied])]
    if command in ("", "battle"):
        return questions
    return [*dict.fromkeys([command, *questions, *(["battle"] if command == "need" else [])])]


def _is_noun(question: Tag, tags: Sequence[Tag]) -> bool:
    """Tell whether the word of a question is a noun beside dice: "my roll"."""
    icons = any("icons:" in tag.value for tag in tags)
    return question.value == "roll" and says_dice(tags) and (question.start > 0 or icons)


def _is_of_talk(question: Tag, tags: Sequence[Tag]) -> bool:
    """Tell whether the word of a question is only a noun behind others: "what a fight!", "at my kitchen table"."""
    before = tag_at(tags, tags.index(question) - 1)
    noun = (question.value == "table" and question.text.isalpha()) or question.text.endswith("!")
    return noun and before.means_nothing


def _has_lone_dice(asking: Asking) -> bool:
    """Tell whether a phrase has numbers of dice, and no other."""
    dice = any(option.startswith("dice:") for option in values_of(asking.tags, "options"))
    return dice and not has_table(asking.tags, "number")


def _asks_hits(asking: Asking) -> bool:
    """Tell whether words ask how likely some hits are."""
    return any(option.startswith("hits:") for option in values_of(asking.tags, "options"))


def _is_chance_for_number(asking: Asking) -> bool:
    """Tell whether a phrase has a chance beside one number, which no word says to attack: "need to beat 8 at 90%"."""
    pairs = [*pairwise(asking.tags)]
    numbers = [place for place, tag in enumerate(asking.tags) if tag.table == "number"]
    met = any(tag.is_role("onto") and after.table != "chance" for tag, after in pairs[(numbers or [0])[0] :])
    chance = has_table(asking.tags, "chance") and not met and not has_role(asking.tags, "against")
    return chance and not find_condition(_NO_BATTLE, asking)


_NO_BATTLE: Conditions[Asking] = {
    "SBR 2 bombers": lambda it: it.asks("bombing") and {*values_of(it.tags, "units")} <= OF_RAIDS,
    "how does it work": lambda it: any(" " in tag.text for tag in it.words if tag.value not in BESIDE_BATTLE),
    "which is better": lambda it: it.asks("compare", "need", "place") or has_role(it.tags, *OR),
    "a bomber instead of a tank": lambda it: has_role(it.tags, *CHANGES) and swaps_units(it.tags),
}
"""The signs that a phrase asks for no battle, by an example of each."""
_IMPLIED: Sequence[Rule[Asking, str]] = (
    Rule("12 or 13 against 9", lambda it: has_role(part_battles(it.tags), *OR, *CHANGES), "compare"),
    Rule("3 dice against 2", _has_lone_dice, "dice"),
    Rule("3 hits with 10 inf", _asks_hits, "dice"),
    Rule("12 against 9", lambda it: not find_condition(_NO_BATTLE, it), "battle"),
    Rule("90% for 9", _is_chance_for_number, "need"),
)
"""The questions that a phrase may ask without words for them; every rule that fits adds one."""


def compose(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a question; NotClearError if the phrase does not ask it."""
    if question in WITHOUT_LINE:
        armies = has_table(tags, *OF_ARMIES, "chance", "die")
        if armies and (question != "verify" or has_role(tags, "against", "onto", "attack")):
            raise NotClearError("a battle beside another question")  # but not "check those dice, his 6 6 6 was odd"
        if question == "help" and has_role(tags, "self attack"):
            raise NotClearError("no armies")  # "attack or not? help"
        games = {*values_of(tags, "variants")} if question == "help" else set()
        return Meaning(" ".join([f"/{question}", *games]) if len(games) < 2 else "/help", is_summed=armies)
    return _COMPOSERS.get(question, _before_battle)(question, tags)


def _before_battle(question: str, tags: Sequence[Tag]) -> Meaning:
    meaning = compose_battle(tags)
    if question == "roll" and any(tag.who == "self" and tag.value.startswith("rounds:") for tag in tags):
        raise NotClearError(
            "another command", meaning.line, f"/roll {meaning.line}"
        )  # "roll 14 on 12 twice, then I stop"
    return Meaning(f"/{question} {meaning.line}", meaning.reasons)


def _table(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question for a table of rounds, or of stops."""
    table, _space, word = question.partition(" ")
    said = _numbers_said(tags, question)
    if said and has_table(tags, *OF_ARMIES):
        raise NotClearError("a number is left")
    # "wann soll ich mit 12 gegen 9 aufhören" has the battle in its question
    meaning = Meaning(" ".join([*map(str, said), *options_of(tags)])) if said else compose_battle(tags)
    if word == "stop" and " value:" in meaning.line:
        return meaning  # Its odds say when to stop.
    return Meaning(f"/{table} {meaning.line} {word}", meaning.reasons)


def _luck(question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question how much luck it takes to win or to lose."""
    command, _space, end = question.partition(" ")
    meaning = compose_battle(tags)
    return Meaning(f"/{command} {meaning.line} {end}", meaning.reasons)


def _throw(tags: Sequence[Tag]) -> Meaning:
    """Compose the question how many hits units make in one throw."""
    armies, _after = gather(pieces_of_armies(tags))
    if _numbers_said(tags, "dice"):
        raise NotClearError("how many dice")  # "8 inf vs 8 inf, first 2 die"
    if len(armies) != 1:
        meaning = compose_battle(tags)
        return Meaning(f"/dice {meaning.line}", meaning.reasons)
    if any(army.numbers for army in armies):
        raise NotClearError("how many dice")
    _ours, options = unit_options(tags, armies[0], armies[0])
    defends = armies[0].label == "defender" or has_role(tags, "hold", "as_defender")
    return Meaning(" ".join(["/dice", armies[0].units, *options, *(["defend"] if defends else [])]))


def _dice(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question what the dice of one round do."""
    if has_table(tags, "units"):
        return _throw(tags)
    options = options_of(tags)
    thrown = [option for option in options if option.startswith("dice:")]
    stacks = stacks_of(pieces_of_armies(tags))
    ships = write_ships(stacks)
    dice = [*map(int, re.findall(r"\d+", " ".join(thrown))), *_numbers_said(tags, "dice")]
    plain = [stack.count for stack in stacks if not stack.unit]
    if len(dice + plain) not in ((1, 2) if ships else (2,)) or max(dice + plain) > MOST_DICE:
        raise NotClearError("how many dice")  # also "11 vs 8 dice"
    begins = next((tag.table for tag in tags if tag.numbers), "") == "number"
    numbers = plain + dice if begins else dice + plain
    rest = [option for option in options if option not in (*thrown, "rounds:1")]  # "in one round"
    return Meaning(" ".join(["/dice", *map(str, numbers), *ships, *rest]))


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
    if len(bombers) != 1 or len(points) != (0 if base else 1):
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
        sides = _part_clause(pieces, bombers)
    if bombers not in sides[0]:
        sides = sides[1], sides[0]
    fighters = [[stack.count for stack in stacks_of(side) if stack.unit == "fig"] for side in sides]
    escorts, interceptors = ("".join(f" {count} fig" for count in side) for side in fighters)
    return escorts, interceptors


def _part_clause(pieces: Sequence[Piece], bombers: Stack) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """Return the clause of the bombers, and all others: "he'd intercept with 3 fighters, I'd raid with 5 bombers"."""
    clauses: list[list[Piece]] = [[]]
    for piece in pieces:
        clauses[-1].append(piece)
        if isinstance(piece, Mark) and piece.role in ENDS:
            clauses.append([])
    own = next(clause for clause in clauses if bombers in clause)
    return own, [piece for clause in clauses if clause is not own for piece in clause]


def _numbers_said(tags: Sequence[Tag], question: str) -> list[int]:
    """Return the numbers in the words of a question: dice, what a factory can take, or the damage that it has."""
    return [number for tag in tags_of(tags, "questions") if tag.value == question for number in tag.numbers]


def _place(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the question where to place units."""
    armies, after = _armies_of_places(tags)
    attacks = _attacks_on_places(armies, after)
    if len(attacks) < 2 or {*counts_of_territories(tags)} - {1, len(attacks)}:  # "one territory ..., the other ..."
        raise NotClearError("which attacks")
    _ours, options = unit_options(tags, armies[1], armies[0])
    return Meaning("/place " + " || ".join([" ".join([armies[0].units, *options]), *attacks]))


def _armies_of_places(tags: Sequence[Tag]) -> tuple[list[Army], list[Mark]]:
    """Return the units that are placed, then those of the attacks, and the marks behind the last army."""
    pieces = pieces_of_armies(tags)
    armies, after = gather(pieces, ("open",))
    parted, behind_parts = gather(pieces, ("open", "and"))
    if len(armies) == 2 and len(parted) == 3:
        armies, after = parted, behind_parts
    if len(armies) < 2 or any(army.numbers for army in armies):
        raise NotClearError("which attacks")
    return armies, after


def _attacks_on_places(armies: Sequence[Army], after: Sequence[Mark]) -> list[str]:
    """Return the attacks, each with the units that are there already, behind those that are placed."""
    attacks: list[str] = []
    for index, army in enumerate(armies[1:], 2):
        here = "here" in (armies[index].roles if index < len(armies) else roles_of(after))
        here = here or (army.label == "self" and bool(attacks) and " vs " not in attacks[-1])  # "where I have 2 inf"
        if (here and not attacks) or (army.label == "self" and not here):
            raise NotClearError("which attacks")  # "Egypt (2 inf are there already) faces ..."
        if here:
            attacks[-1] += f" vs {army.units}"
        else:
            attacks.append(army.units)
    return attacks


_COMPOSERS: dict[str, Callable[[str, Sequence[Tag]], Meaning]] = {
    "buy": compose_buy,
    "need": compose_need,
    "need defenders": compose_need,
    "dice": _dice,
    "table rounds": _table,
    "table stop": _table,
    "luck lost": _luck,
    "luck won": _luck,
    "bombing": _bombing,
    "bombing damage": _bombing,
    "compare": compose_comparison,
    "place": _place,
}
