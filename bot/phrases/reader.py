"""Reads a line: as the notation has it if that can be, else as people say it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.errors import UserError, sentence_of
from bot.games.base import Rooms
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from bot.notation.reading import is_notation
from bot.phrases.asides import capital_words, leave_out_asides, name_places, name_presets
from bot.phrases.asking import DICE_ALONE, UNKNOWN, check_words, sentence_for
from bot.phrases.canonical import canonical, canonical_or_none
from bot.phrases.conquest.reader import IN_ORDER, read_conquest
from bot.phrases.conquest.unknown import find_unknown_in_line
from bot.phrases.lines import compose_battle, compose_beside_preset, other_line
from bot.phrases.meaning import Evidence, Meaning, NotClearError
from bot.phrases.options import OF_DICE, options_of
from bot.phrases.own_words import UNSAID_RULES, Headline, find_headline, find_line, leaves_out_options
from bot.phrases.questions import BESIDE_BATTLE, compose
from bot.phrases.tag import Tag
from bot.phrases.tags import Tagger
from bot.phrases.tokens import (
    LONGEST_PHRASE,
    MOST_TOKENS,
    Token,
    drop_turns,
    is_time,
    normal_phrase,
    spell_sides,
    tokens_of,
)
from bot.phrases.words import Words
from solver import BattleError

OF_RAIDS = {"bom", "fig", "tac"}
"""The units of raids: "SBR 2 bombers against 1 fighter" is no battle."""
LINE_ALONE = "line"
"""In place of a command, for phrases that are battles only."""

OF_MAPS = ("", "battle", "conquer", "need", "roll", LINE_ALONE)
"""The commands that answer about territories of a map."""
_ROLLED = r"(?<![\w.,:=])(\d{1,3})[dwдк](\d{1,3})(?!\w)"
_DICE = re.compile(_ROLLED)
_DICE_OF_BOTH = re.compile(rf"{_ROLLED}\s+(?:vs?\.?|versus|against|gegen|contra|против)\s+{_ROLLED}")
NOUNS_IN_CAPITALS = ("de",)
"""The languages in which a capital letter says nothing about a name."""


@dataclass(frozen=True)
class Understood:
    """The meaning of a phrase.

    Attributes:
        line: The line in canonical notation, with its command unless that is `/battle`; "" if nobody could know.
        readings: The lines it may mean, where nobody could know.
        why: The reason to ask back then.
        tags: The words with their tags.
        reasons: Why an army attacks or defends.
        other: The line that it may mean instead; "" if there is none.
        example: A line about the same territories, where something is asked back about a map; "" elsewhere.
        on_map: Whether it is about a map.
        remark: What the answer says about the words; "" for nothing.
    """

    line: str = ""
    readings: tuple[str, ...] = ()
    why: str = ""
    tags: tuple[Tag, ...] = ()
    reasons: tuple[Evidence, ...] = ()
    other: str = ""
    example: str = ""
    on_map: bool = False
    remark: str = ""


def understand(
    rooms: Rooms, text: str, language: str = "", saved: Mapping[str, str] | None = None, command: str = ""
) -> Understood:
    """Read a phrase freely, by the defaults of lines that hold now; it never raises.

    Args:
        rooms: The games.
        text: The phrase.
        language: The language that wins where the words are of two.
        saved: The lines of presets, by their names.
        command: The command after which the phrase is typed; "" and "battle" leave the question to the phrase, and
            LINE_ALONE takes battles only.
    """
    if pasted := _understand_answer(rooms, text, language, command):
        return pasted
    phrase = normal_phrase(text)
    tokens = tokens_of(phrase) if len(phrase) <= LONGEST_PHRASE else []
    if len(phrase) > LONGEST_PHRASE or len(tokens) > MOST_TOKENS:
        return Understood(why="too long")
    if dice := _read_dice(rooms, phrase):
        return dice
    known = saved or {}
    tokens = drop_turns(spell_sides(tokens))
    if time := next((tokens[index : index + 3] for index in range(len(tokens)) if is_time(tokens, index)), None):
        return Understood(why=UNKNOWN + "".join(token.text for token in time))
    words = Words(tokens, language)
    if wrong := find_unknown_in_line(phrase, words.order[:2], known):
        return Understood(why=wrong, on_map=True)
    capitals = capital_words(text) if words.language not in NOUNS_IN_CAPITALS else frozenset()
    battle = _understand_battle(rooms, words, capitals, known, command)
    return _understand_conquest(rooms, words, capitals, known, command, battle)


def _understand_battle(
    rooms: Rooms, words: Words, capitals: Set[str], known: Mapping[str, str], command: str
) -> Understood:
    """Read a phrase about anything but a map."""
    found = Tagger(words).tags()
    if negative := _negative_number(words.tokens, found):
        return Understood(why=f"{UNKNOWN}-{negative}")
    if nothing := _counted_nothing(found):
        return Understood(why=f"{UNKNOWN}{nothing}")
    told = leave_out_asides(found, words.order[0].articles)
    tags = tuple(name_presets(name_places(told, capitals), known))
    try:
        meaning = _meaning(rooms, tags, known, command)
    except NotClearError as error:
        readings = [line for reading in error.readings if (line := canonical_or_none(rooms, reading, known))]
        return Understood("", tuple(dict.fromkeys(readings)), error.why, tags)
    other = canonical_or_none(rooms, meaning.other, known) if meaning.other else ""
    other = other if other != meaning.line else ""
    return Understood(meaning.line, (), "", tags, meaning.reasons, other, remark=meaning.remark)


def _understand_conquest(
    rooms: Rooms, words: Words, capitals: Set[str], known: Mapping[str, str], command: str, battle: Understood
) -> Understood:
    """Read a phrase about a map, if it is clearer so than as a battle: its line, or a question back about it."""
    if command not in OF_MAPS:
        return battle
    read = read_conquest(words, battle.tags, capitals, known, command)
    if command == "conquer":
        battle = Understood(tags=battle.tags)  # which no line of another game answers
    is_lone = battle.line and ">" not in battle.line and not _is_of_each(words)
    if read is None or (is_lone and not read.is_firm):
        return battle
    unclear = not battle.line and (read.line or not battle.why.startswith(UNKNOWN))
    if not (read.is_likely or (unclear and read.is_open)):
        return battle
    problem, line = read.problem, ""
    if problem is None:
        try:
            line = canonical(rooms, _after_command(Meaning(read.line), command).line, known)
        except NotClearError as error:
            problem = error
        except (UserError, BattleError) as error:
            problem = NotClearError(_reason_of(error))
    if problem is None and battle.line and not read.is_sure and read.targets <= battle.line.count(">"):
        return replace(battle, other=battle.other or (line if ">" in battle.line else ""))
    if problem is None:
        ordered = any(tag.is_role(*IN_ORDER) for tag in read.tags)
        other = battle.line if ordered and battle.line.count(">") >= read.targets else ""
        return Understood(line, (), "", read.tags, other=other, on_map=True)
    if battle.line and (">" in battle.line or not problem.readings) and not read.is_firm:
        return battle
    lines = [*problem.readings, *([battle.line] if battle.line else [])]
    readings = [line for one in lines if (line := canonical_or_none(rooms, one, known))]
    example = canonical_or_none(rooms, read.example, known) and read.example
    return Understood("", tuple(dict.fromkeys(readings)), problem.why, read.tags, example=example, on_map=True)


def _is_of_each(words: Words) -> bool:
    """Tell whether a number may be that of several territories: "2 each"."""
    return any(token.text in one.conquest.get("each", ()) for one in words.order[:2] for token in words.tokens)


def _understand_answer(rooms: Rooms, text: str, language: str, command: str) -> Understood | None:
    """Read an answer that somebody pasted by its own line, else by its headline; None if the text is neither.

    So is read what people say about a game that reads phrases by itself.
    """
    said = (room.notation.phrase(text) for room in rooms if room.notation.phrase)
    line = next(filter(None, said), "") or canonical_or_none(rooms, find_line(text))
    if not line:
        if leaves_out_options(text):
            return Understood(why=UNSAID_RULES)
        headline = find_headline(text)
        if not headline:
            return None
        found = _understand_headline(rooms, headline, language)
        if not found.line:
            return found
        line = found.line
    try:
        return Understood(_after_command(Meaning(line), command).line)
    except NotClearError as error:
        return Understood("", error.readings, error.why)


def _understand_headline(rooms: Rooms, headline: Headline, language: str) -> Understood:
    """Read the description in a headline by the rules that the headline names; its numbers are those that fight."""
    with reading_with(NotationDefaults()):
        line = canonical_or_none(rooms, headline.description)
        found = Understood(line) if line else understand(rooms, headline.description, language)
        if not found.line:
            return found
        line = canonical_or_none(rooms, headline.complete(found.line))
        return Understood(line) if line else Understood(why=UNSAID_RULES)


def _read_dice(rooms: Rooms, phrase: str) -> Understood | None:
    """Read a phrase with dice such as "3d6": it rolls no battle, but two sides with their dice are a question."""
    rolled = _DICE.findall(phrase)
    if not rolled:
        return None
    sixes = all(int(sides) == 6 for _dice, sides in rolled) and len(rolled) <= 2
    line = canonical_or_none(rooms, f"/dice {' '.join(dice for dice, _sides in rolled)}") if sixes else ""
    if _DICE_OF_BOTH.fullmatch(phrase):
        return Understood(line, (), "" if line else DICE_ALONE)
    return Understood("", (line,) if line else (), DICE_ALONE)


def _counted_nothing(tags: Sequence[Tag]) -> str:
    """Return a word for none right before a number, as "no" in "no 13"; "" if there is none."""
    for nothing, number in pairwise(tags):
        if (
            nothing.value == "0"
            and not nothing.text.isdecimal()
            and number.table == "number"
            and number.start == nothing.end
        ):
            return nothing.text
    return ""


def _negative_number(tokens: Sequence[Token], tags: Sequence[Tag]) -> str:
    """Return the number behind a minus that is part of no option; "" if there is none."""
    said = {index for tag in tags if tag.table == "options" for index in range(tag.start, tag.end)}
    for index, (sign, number) in enumerate(pairwise(tokens)):
        negative = sign.text == "-" and not sign.glued and number.number is not None and number.glued
        if negative and index not in said:
            return number.text
    return ""


def _meaning(rooms: Rooms, tags: tuple[Tag, ...], saved: Mapping[str, str], command: str) -> Meaning:
    """Return the meaning of tagged words, in canonical notation."""
    check_words(tags)
    first: NotClearError | None = None
    for question in _questions(tags, command):
        try:
            meaning = _after_command(_compose(question, tags), command)
            _check_numbers(tags, meaning.line)
            line = _possible_line(rooms, meaning, saved)
            if meaning.remark:
                return replace(meaning, line=line)
            return Meaning(line, meaning.reasons, other_line(line, tags, meaning.reasons))
        except NotClearError as error:
            first = first or error
        except (UserError, BattleError) as error:
            first = first or NotClearError(_reason_of(error))
    assert first is not None
    raise first


def _reason_of(error: UserError | BattleError) -> str:
    """Return why the notation refuses a line."""
    if isinstance(error, BattleError):
        return sentence_of(error)
    return error.reason if isinstance(error, MatchupError) else error.text


def _possible_line(rooms: Rooms, meaning: Meaning, saved: Mapping[str, str]) -> str:
    """Return the canonical line of a meaning, with the sides exchanged if only that can be: AA guns never attack."""
    try:
        return canonical(rooms, meaning.line, saved)
    except (UserError, BattleError):
        if other := meaning.other and canonical_or_none(rooms, meaning.other):
            return other
        raise


def _check_numbers(tags: Sequence[Tag], line: str) -> None:
    """Raise NotClearError unless every number of the phrase is in the line; units of a kind may be added up."""
    chances = [tag.value for tag in tags if tag.table == "chance"]
    if any(float(chance.rstrip("%")) not in map(float, re.findall(r"[\d.]+(?=%)", line)) for chance in chances):
        raise NotClearError("a chance beside a battle")
    if line.startswith("/bombing") and any(tag.value == "bombing damage" for tag in tags):
        return  # "max 20, 7 damage" is 13
    counted = [tag for tag in tags if tag.table == "number" and (tag.value != "1" or tag.text == "1")]
    given = Counter(number for tag in counted for number in tag.numbers)
    written = Counter(int(number) for number in re.findall(r"\d+", line))
    lost = given - written
    # A row tells how many territories there are, and who stays counts among all.
    told = {line.count(">"), max(written, default=0) + 1}
    left = [number for number in lost.elements() if number not in told]
    added = Counter() if line.startswith(("/compare", "/place")) else written - given
    if sum(left) > sum(added.elements()):
        raise NotClearError("a number is left")


def _questions(tags: Sequence[Tag], command: str) -> Sequence[str]:
    """Return the questions that a phrase may ask, the likeliest first."""
    if command == LINE_ALONE:
        return ["battle"]
    asked = [tag for tag in tags if tag.table == "questions"]
    asked.sort(key=lambda tag: tag.start - tag.end)
    thrown = any(tag.table == "options" and tag.value.startswith(OF_DICE) for tag in tags)
    shown = any("icons:" in tag.value for tag in tags)
    noun = [tag for tag in asked if thrown and tag.value == "roll" and " " not in tag.text and (tag.start or shown)]
    asked = [tag for tag in asked if tag not in noun]
    questions = list(dict.fromkeys(tag.value for tag in asked))
    numbers = any(tag.table == "number" for tag in tags)
    if not numbers and any(tag.table == "options" and tag.value.startswith("dice:") for tag in tags):
        questions.append("dice")
    if "compare" not in questions and any(tag.is_role("or") for tag in tags):
        questions.insert(0, "compare")
    raided = "bombing" in questions and {tag.value for tag in tags if tag.table == "units"} <= OF_RAIDS
    sure = any(" " in tag.text for tag in asked if tag.value not in BESIDE_BATTLE)
    if not ({"compare", "need", "place"} & {*questions} or raided or sure):
        questions.append("battle")
        if any(tag.table == "chance" for tag in tags) and not any(tag.is_role("against", "onto") for tag in tags):
            questions.append("need")  # a chance beside one number
    if command in ("", "battle"):
        return questions
    return list(dict.fromkeys([command, *questions, *(["battle"] if command == "need" else [])]))


def _after_command(meaning: Meaning, command: str) -> Meaning:
    """Return a meaning with the command after which it is typed; NotClearError if it asks another question."""
    if command in ("", "battle", LINE_ALONE) or meaning.line.startswith(f"/{command} "):
        return meaning
    if meaning.line.startswith("/"):
        raise NotClearError("another command", meaning.line)
    return replace(meaning, line=f"/{command} {meaning.line}", other=meaning.other and f"/{command} {meaning.other}")


def _compose(question: str, tags: tuple[Tag, ...]) -> Meaning:
    named = [tag for tag in tags if tag.table == "presets"]
    if named and question != "compare":
        return _compose_preset(question, tags, named)
    if not question.startswith("bombing") and any(
        tag.numbers for tag in tags if tag.table == "questions" and tag.value.startswith("bombing")
    ):
        raise NotClearError("points beside a battle")
    if question != "battle":
        return compose(question, tags)
    if any(tag.table == "chance" for tag in tags):
        raise NotClearError("a chance beside a battle")
    return compose_battle(tags)


def _compose_preset(question: str, tags: tuple[Tag, ...], named: Sequence[Tag]) -> Meaning:
    """Compose the line of a preset with the options beside it."""
    before = "" if question == "battle" else f"/{question} "
    line = " ".join([f"{before}{named[0].value}", *options_of(tags)])
    if len(named) > 1 or any(tag.table in ("number", "units", "ships", "die") for tag in tags):
        beside = compose_beside_preset(question, tags, named[0], _compose) if len(named) == 1 else None
        if beside:
            return beside
        readings = []
        with suppress(NotClearError):
            numbers = _compose(question, tuple(tag for tag in tags if tag.table != "presets")).line
            readings = [numbers, *(f"{before}{tag.value}" for tag in named)]
        raise NotClearError("a preset beside a battle", *readings)
    chances = [tag.value for tag in tags if tag.table == "chance"]
    if chances and question != "need":
        raise NotClearError("a chance beside a battle")
    return Meaning(" ".join([line, *chances]))


def meaning_document(rooms: Rooms, text: str, language: str = "") -> dict[str, object]:
    """Answer the JSON question "meaning"."""
    stripped = text.strip()
    with suppress(UserError, BattleError):
        try:
            return {"line": canonical(rooms, stripped)}
        except MatchupError as error:
            if is_notation(stripped, error):
                return {"error": error.reason}
    found = understand(rooms, stripped, language)
    if found.line:
        return {"line": found.line}
    if found.readings:
        return {"readings": list(found.readings)}
    return {"error": sentence_for(found.why)}
