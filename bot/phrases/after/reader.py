"""Reads a follow-up: what somebody asks next about the battle of an answer, as a line of its own.

A follow-up changes that battle, as the second plan of a comparison does, or asks another question about it. A whole
battle is none: it is read as if nothing stood before it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from bot.errors import UserError, sentence_of
from bot.games.base import Rooms
from bot.languages import LANGUAGES, N_
from bot.notation.asked_ends import swap_words
from bot.notation.dice_options import ASKED_WITH_BATTLE, OF_DICE, RULES
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from bot.packs import find
from bot.phrases.after.armies import ADDED_OR_ALL
from bot.phrases.after.changes import change
from bot.phrases.after.context import Context, apply_change, context_of
from bot.phrases.after.questions import QUESTIONS, Asked, asked_options, still_asked
from bot.phrases.after.said import Said
from bot.phrases.after.words import read_words
from bot.phrases.asking import UNKNOWN, sentence_for
from bot.phrases.canonical import ENDED, canonical, canonical_or_none
from bot.phrases.meaning import Conditions, NotClearError, Offer, Understood, find_condition, find_rule
from bot.phrases.options import options_of
from bot.phrases.pieces import OR, SIDES
from bot.phrases.reader import MOST_OFFERS, document_of, meaning_document, understand
from bot.phrases.special import OPEN, leaves_options_open, with_each_choice
from bot.phrases.tag import CHOICES, Tag
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.words import Words
from solver import BattleError

NO_FOLLOW_UP = ""
"""The reason where a text says nothing about the battle before it."""
LONGEST = 30
"""The most words of a follow-up: a longer text is a story of its own."""
CHANGING = ("no", "more", "fewer", "without", "old", "instead", "if", "make")
"""The words with which a text that could be a whole battle goes on from an answer all the same."""
PLAINLY = ("no", "more", "fewer", "old", "make")
"""The words among them after which a whole battle is no more than another reading."""
MOST_ALONE = 1
"""The most armies of a text that can only go on from an answer: two may be a battle."""
ADDING = ("set", "more")
"""The possible meanings of a number that somebody still has."""
_DICE = ("dice", "adice", "ddice", "aexplosions", "dexplosions")
_RULES = (*(option.word for option in RULES), *(f"{side}{option.word}" for side in "ad" for option in OF_DICE))
ENDING = {
    "onward": ("stop", "retreat", "rounds"),
    "no rounds": ("rounds",),
    "no bonus": ("abonus", "dbonus"),
    "plain dice": ("lowluck", *_DICE),
    "plain": ("variant", "lowluck", "biased", *_DICE, *_RULES),
}
"""The words after which options end, with the names of these options."""
_VARIANT = re.compile(r"variant:(\S+)")
GOES_ON = {"more", "fewer", "old", "instead", "again", "swap", "swapped", *ENDING}
"""The words with which a text that is no whole question can only go on from an answer."""
_NOTATION = re.compile(r"(vs \d+ )?([a-z]+:\S+ ?)+$|[+-] ?\d+ ?[a-z]", re.IGNORECASE)
"""A change in notation; a bare number in one would be that of nobody."""
LEFT_OR_BEFORE = N_("Is that how many were left, or how many there were before the battle?")
HAPPENED = N_("If that has happened, this is the battle now.")
OF_TARGETS = ("against", "onto", "attack", "attacked", "hold", "defender")
"""The roles of words that say that a number is to be beaten."""
NOTHING_BEFORE = N_(
    "That sounds like a follow-up, but I don't see to which answer. Reply to one of mine, or type the whole battle."
)


def understand_after(rooms: Rooms, text: str, after: str) -> Understood:
    """Read a text as a follow-up to the answer with the line `after`, or else as a whole; it never raises."""
    return read_after(rooms, text, after, understand(rooms, text))


def read_after(rooms: Rooms, text: str, after: str, whole: Understood, language: str = "") -> Understood:
    """Read a text as a follow-up; `whole`, which it means by itself, if it is none."""
    try:
        context = context_of(rooms, after)
    except (UserError, BattleError):
        return whole
    tokens = tokens_of(normal_phrase(text))
    if len(tokens) > LONGEST:
        return whole
    return _Reader(context, whole).read(text, Words(tokens, language))


def is_follow_up(text: str, language: str = "") -> bool:
    """Tell whether a text that is no whole question can only go on from an answer: "and with 3 more?"."""
    tokens = tokens_of(normal_phrase(text))
    if not 0 < len(tokens) <= LONGEST:
        return False
    try:
        said = read_words(Words(tokens, language))
    except NotClearError:
        return False
    return not said.unknown and len(said.amounts) <= MOST_ALONE and bool(said.marks & GOES_ON)


def document_after(rooms: Rooms, text: str, after: str = "") -> dict[str, object]:
    """Answer the JSON question "meaning", also for a text after an answer with the line `after`."""
    stripped = text.strip()
    if not after:
        document = meaning_document(rooms, stripped)
        goes_on = "error" in document and is_follow_up(stripped)
        return {"error": sentence_for(NOTHING_BEFORE)} if goes_on else document
    line = canonical_or_none(rooms, stripped)
    return document_of(Understood(line) if line else understand_after(rooms, stripped, after))


class _Reader(NamedTuple):
    """Reads a text after an answer; `whole` is what it means by itself."""

    context: Context
    whole: Understood

    def read(self, text: str, words: Words) -> Understood:
        """Return the meaning of a text."""
        if line := self._read_notation(text):
            return Understood(line)
        if likely := self._chances():
            return self._ask_back("a chance beside a battle", likely)
        try:
            said = read_words(words)
            if _is_part(self.whole, said):
                return self._replace(whole=replace(self.whole, line=""))._answer(said)
            if self.whole.line and not said.marks & {*CHANGING}:
                return self.whole
            if said.marks & {*PLAINLY}:
                offers = (*map(Offer, filter(None, [self.whole.line])), *self.whole.offers)
                return self._replace(whole=replace(self.whole, line="", offers=offers))._answer(said)
            return self._answer(said)
        except NotClearError as error:
            return self._ask_back(error.why, error.readings)

    def _chances(self) -> Sequence[str]:
        """Return what "what would it take to get 90" may mean: a number as a chance, or as armies."""
        match, numbers = re.fullmatch(r"/need ([5-9]\d)", self.whole.line), self.context.numbers
        return [f"/need {numbers[1]} {match[1]}%", match[0]] if match and numbers else []

    def _answer(self, said: Said) -> Understood:
        """Return what a follow-up means, or the question back about it."""
        try:
            return self._understood(said)
        except NotClearError as error:
            return self._ask_back(error.why, error.readings)
        except (UserError, BattleError) as error:
            reason = sentence_of(error) if isinstance(error, BattleError) else error.text
            return self._ask_back(error.reason if isinstance(error, MatchupError) else reason)

    def _read_notation(self, text: str) -> str:
        """Return the line after a change in notation, such as "stop:4" or "+1 fig"; "" if the text is none."""
        if not _NOTATION.match(text) or self.context.plans:
            return ""
        with suppress(UserError, BattleError):
            return self.context.write(apply_change(self.context, self.context.line, text))
        return ""

    def _understood(self, said: Said) -> Understood:
        """Return the line that words mean; NotClearError if that is open."""
        if said.unknown:
            return self._leave_out(said)
        if "lost" in said.marks and "first" not in said.marks:
            raise NotClearError(HAPPENED, self._line(said, False))  # "I lost 3"
        if "still" in said.marks and [(one.mode, one.led == "then") for one in said.amounts] == [("set", False)]:
            lines = [self._line(replace(said, amounts=[replace(said.amounts[0], mode=mode)]), False) for mode in ADDING]
            if len({*lines}) > 1:
                raise NotClearError(ADDED_OR_ALL, *lines)  # "er hat noch 2"
        if find_condition(_NO_CHANGE, said):
            raise NotClearError(NO_FOLLOW_UP)
        if any(map(leaves_options_open, said.tags)):
            self._ask_which("which rule", (replace(said, tags=choice) for choice in with_each_choice(said.tags)))
        language = next((name for name in LANGUAGES if name in said.marks), "")
        private = any(tag.value == "private" for tag in said.values("skips"))
        line = self._line(said, bool(language))
        return Understood(line, tags=tuple(said.tags), is_private=private, language=language)

    def _leave_out(self, said: Said) -> Understood:
        """Return the question back about words that nobody knows, with the line that is meant if they mean nothing."""
        self._check_choices(said)
        why, words = f"{UNKNOWN}{said.unknown[0].text}", " ".join(tag.text for tag in said.unknown)
        known = any(not offer.line.startswith("/need") for offer in self.whole.offers)
        if self.whole.line or known or said.roles & {*OR}:
            raise NotClearError(why)
        with suppress(NotClearError, UserError, BattleError):
            line = self._line(said, False)
            if line != self.context.write(self.context.line):
                return replace(self.whole, offers=(Offer(line, words),), why=why)
        raise NotClearError(why)

    def _check_choices(self, said: Said) -> None:
        """Raise NotClearError with the lines that a word such as "leader" may mean, if it is the only one left open."""
        if [tag.table in OPEN for tag in said.unknown] != [True]:
            return
        choices = with_each_choice(said.unknown)
        self._ask_which("which variant", (replace(said, unknown=[], tags=[*said.tags, *choice]) for choice in choices))

    def _ask_which(self, why: str, choices: Iterable[Said]) -> None:
        """Raise NotClearError with the lines of all that a follow-up may mean."""
        lines = list[str]()
        for choice in choices:
            try:
                lines.append(self._line(choice, False))
            except NotClearError as error:
                lines += error.readings
            except (UserError, BattleError):
                continue  # what the word would mean does not go with the battle
        raise NotClearError(why, *lines)

    def _line(self, said: Said, just_again: bool) -> str:
        """Return the line of the battle after a change, with the question that is asked about it."""
        context = self.context
        if context.command == "luck" and (line := self._other_end(said)):
            return line
        line = _after_change(context, said)
        _check_variants(context, said, line)
        if said.defends or said.marks & {"swap", "swapped"}:
            line = _swap_after(context, said, line)
            context = replace(context, asked=swap_words(context.asked))
        if rule := find_rule(QUESTIONS, Asked(context, said, line)):
            return canonical(context.rooms, rule.make(Asked(context, said, line)))
        if asked := asked_options(said):
            return canonical(context.rooms, " ".join([line, *still_asked(context, asked), *asked]))
        said_more = said.ended or (_says_change(said) and not said.amounts)
        if line == context.line and not (just_again or "again" in said.marks or said_more):
            raise NotClearError(NO_FOLLOW_UP)
        return context.write(line)

    def _other_end(self, said: Said) -> str:
        """Return the line of a battle that ended otherwise; NotClearError where a number may be another battle's."""
        context, (word, *_left) = self.context, self.context.asked.split()
        winner = SIDES[word == ENDED[1]]
        bare = [(one.unit, one.mode) for one in said.amounts] == [("", "set")] and context.numbers
        if not (bare and said.amounts[0].side in ("", winner)):
            return ""
        line = canonical(context.rooms, f"/luck {context.line} {word} {said.amounts[0].count}")
        if "left" in said.marks:
            return line
        raise NotClearError(LEFT_OR_BEFORE, line, context.write(_after_change(context, said)))

    def _ask_back(self, why: str, readings: Sequence[str] = ()) -> Understood:
        """Return a question back, with the lines that may be meant."""
        if self.whole.line and self.whole.line not in readings:
            return self.whole
        lines: dict[str, None] = dict.fromkeys(
            filter(None, (canonical_or_none(self.context.rooms, line) for line in readings))
        )
        if not lines and (not why or why.startswith(UNKNOWN) or self.whole.offers):
            return self.whole  # which is no follow-up, or says better what is missing
        offers = [*map(Offer, lines), *(offer for offer in self.whole.offers if offer.line not in lines)]
        return replace(self.whole, line="", offers=tuple(offers)[:MOST_OFFERS], why=why)


def _is_part(whole: Understood, said: Said) -> bool:
    """Tell whether a text that could be a whole question is about a battle: "he only rolls one die", "need for 95"."""
    dice = whole.line.startswith("/dice") and not said.values("questions") and not said.amounts
    if said.amounts and said.amounts[0].led == "against" and said.amounts[0].mode == "set" and len(whole.line) > 0:
        return True  # "vs 6 then 4"
    return dice or (whole.line.startswith("/need") and len(said.amounts) == 1 and said.roles.isdisjoint(OF_TARGETS))


def _has_mode(said: Said, *modes: str) -> bool:
    """Tell whether an amount is said in one of these ways."""
    return any(amount.mode in modes for amount in said.amounts)


_NO_CHANGE: Conditions[Said] = {
    "won with 6 left": lambda it: "ended" in it.marks,
    "2 on each side more": lambda it: (
        bool(it.amounts and it.marks & {"more", "fewer"})
        and not (_has_mode(it, "more", "fewer") or any(amount.led == "then" for amount in it.amounts))
    ),
    "not exactly": lambda it: "old" in it.marks and not (it.ended or _has_mode(it, "old")),
}
"""When words of follow-ups change no battle that is known, by an example of each."""


def _says_change(said: Said) -> bool:
    """Tell whether words change a battle."""
    options = [option for option in options_of(said.tags) if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    return bool(said.amounts or options)


def _after_change(context: Context, said: Said) -> str:
    """Return the line of a battle after the change that words make."""
    if _names_old_option(context, said):
        said = replace(said, amounts=[])
    line = change(context, said) if _says_change(said) else context.line
    there = {word.partition(":")[0]: word for word in context.line.split()}
    ended = _options_gone(said, there)
    ending = {*ended, *(name for mark in said.marks & ENDING.keys() for name in ENDING[mark])}
    if not ending:
        return line
    if not ending & there.keys():
        raise NotClearError(NO_FOLLOW_UP)
    left = [word for word in line.split() if word.partition(":")[0] not in ending]
    if "variant" in ended:
        left += _variants_left(there["variant"], ended["variant"])
    return canonical(context.rooms, " ".join(left))


def _options_gone(said: Said, there: Mapping[str, str]) -> Mapping[str, str]:
    """Return the options that go, by their names; NotClearError if a word means none of those of the battle."""
    gone = [option.split(CHOICES)[0].split() for option in options_of(_choose_gone(said, there.get("variant", "")))]
    named = [{word.partition(":")[0]: word for word in words} for words in gone]
    if not all(words.keys() & there.keys() for words in named):  # dice of both sides may explode
        raise NotClearError(NO_FOLLOW_UP)
    return {name: word for words in named for name, word in words.items()}


def _choose_gone(said: Said, variant: str) -> list[Tag]:
    """Return what goes; a word such as "leader" is the variant of the battle that it may mean."""
    stacked = find(variant.partition(":")[2])
    chosen = []
    for tag in said.ended:
        keys = [key for key in tag.value.split() if stacked and key in stacked.changes] if tag.table in OPEN else []
        if tag.table in OPEN and len(keys) != 1:
            raise NotClearError(NO_FOLLOW_UP)
        chosen += [replace(tag, table="variants", value=key) for key in keys] or [tag]
    return chosen


def _variants_left(there: str, gone: str) -> list[str]:
    """Return the option for the variants of another one that are left without some; NotClearError if it lacks these."""
    if there == gone:
        return []
    stacked, without = (find(option.partition(":")[2]) for option in (there, gone))
    if not (stacked and without and without.changes.keys() <= stacked.changes.keys()):
        raise NotClearError(NO_FOLLOW_UP)
    left = [key for key in stacked.changes if key not in without.changes]
    return [f"variant:{','.join(left)}"] if left else []


def _names_old_option(context: Context, said: Said) -> bool:
    """Tell whether the only number is the value that an option has had: "stop at 5 instead of 3"."""
    names = {option.partition(":")[0] for option in options_of(said.tags)}
    options = (word.partition(":") for word in context.line.split())
    values = [value for name, _colon, value in options if name in names]
    return len(said.amounts) == 1 and said.amounts[0].mode == "old" and str(said.amounts[0].count) in values


def _check_variants(context: Context, said: Said, line: str) -> None:
    """Raise NotClearError where another variant may come in place of that of the battle, or stack with it."""
    old, new = (_VARIANT.search(of) for of in (context.line, line))
    if not (said.values("variants") and old and new) or old[0] == new[0] or "instead" in said.marks:
        return
    both = canonical_or_none(context.rooms, line.replace(new[0], f"{old[0]},{new[1]}"))
    if both and both != line:
        raise NotClearError("which variant", line, both)


def _swap_after(context: Context, said: Said, changed: str) -> str:
    """Return a changed line with the sides exchanged; NotClearError if the change is lost: "swap sides, stop at 4"."""
    line = _swap_sides(replace(context, line=changed))
    if said.values("options") and changed != context.line and line == _swap_sides(context):
        raise NotClearError("which side", line)
    return line


def _swap_sides(context: Context) -> str:
    """Return the line with the sides exchanged."""
    if context.plans:
        raise NotClearError(NO_FOLLOW_UP)
    battle = parse(context.rooms, context.line, own_commands=True).battle
    battle, _remarks = context.rooms.change("swap", battle)
    return context.rooms.write(battle)
