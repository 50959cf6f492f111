"""Gives each word of a phrase its tag: the longest patterns of the vocabulary first, then the words that are left."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.phrases.beside.companions import MEETING, SITES
from bot.phrases.beside.own_units import own_unit_tags
from bot.phrases.beside.rolled_dice import rolled_dice_tags
from bot.phrases.faces import FaceReader
from bot.phrases.matching import STAYING, Match, Matcher
from bot.phrases.meaning import Rule, find_rule
from bot.phrases.options import OF_ATTACKER
from bot.phrases.pieces import SUBJECTS
from bot.phrases.spelling import SHORTEST_TYPO
from bot.phrases.tag import BATTLE, ENDS, PARTING, Tag, has_role, has_table, tags_of
from bot.phrases.tokens import SIDES, Token
from bot.phrases.vocabulary import FIRST
from bot.phrases.words import PAUSES, Words

LONG = 7
"""The fewest letters of a mistyped word that may mean nothing."""
OF_UNITS = ("aafired", "~submerge")
"""The options that begin with a unit."""
UNREADABLE = ("^", "√", "≠", "<", "~", "±", "≤", "≥")
"""The signs that change a number; a "%" right behind one does, too."""
OF_ENDS = ("options", "outlooks")
"""The tables of words that say who stays, and who is left."""
CLAUSE_ENDS = {*ENDS, ";"}
"""The signs that end what a title such as "defender:" is about."""
NO_TOKEN = Token("", 0, 0)
"""Stands before the first token and behind the last."""


class Alone(NamedTuple):
    """A word that is part of no pattern: its place, its token, the ones beside it, and its number."""

    words: Words
    place: int
    token: Token
    text: str
    before: Token
    after: Token
    number: int | None
    light: bool

    @property
    def is_number(self) -> bool:
        """Whether it is a number, and no word of no weight such as an article."""
        return self.number is not None and (self.token.number is not None or not self.light)

    @property
    def is_open(self) -> bool:
        """Whether it is a question mark that stands for an army: "12 vs ?"."""
        rows = self.words.order[0].patterns.get(self.before.text, ())
        met = any(row.value == "against" and len(row.elements) == 1 for row in rows)
        return self.text == "?" and (met or self.before.text in (",", ">", "→"))

    @property
    def is_unreadable(self) -> bool:
        """Whether it is a sign that changes the number beside it."""
        unequal = self.text == "=" and self.before.text in ("!", "<", ">")
        return self.text in UNREADABLE or (self.text == "%" and self.words.follows_number(self.place)) or unequal

    @property
    def is_word(self) -> bool:
        """Whether it means nothing; a mistyped one only if it is long and can be no word that matters."""
        known = [some for some in self.words.order if some.language in (self.words.language, FIRST)]
        counted = (self.words.numbers[self.place - 1] or 0) > 1 if self.place else False
        if (counted and any(self.text in some.counted for some in known)) or self.text in known[0].negations:
            return False
        near = self._likely_words()
        if any(self.words.texts[self.place][word] > 1 for word in near):
            return False
        return all(any(word in some.quiet for some in known) for word in near or [self.text])

    @property
    def near(self) -> Sequence[str]:
        """The words that are like it."""
        return [word for word in self.words.texts[self.place] if word != self.text]

    @property
    def like(self) -> str:
        """The word that it may be: one that changes the battle by itself, else a name; "" for a quiet one."""
        known = self.words.languages
        tables = {
            word: {row.table for some in known for row in some.patterns.get(word, ()) if len(row.elements) == 1}
            | {"numbers" for some in known if word in some.numbers}
            for word in self.near
        }
        names = next((word for word, mean in tables.items() if "names" in mean), "")
        return next((word for word, mean in tables.items() if mean - {"names", "skips", "questions"}), names)

    def _likely_words(self) -> Sequence[str]:
        """Return the words that it may be if it is mistyped: a letter is missing, or too many, or two are exchanged."""
        near = [word for word in self.near if len(word) != len(self.text) or sorted(word) == sorted(self.text)]
        light = any(word in some.light for some in self.words.languages for word in near)
        if len(self.text) >= LONG or (light and len(self.text) > SHORTEST_TYPO):
            return near
        return [word for word in near if sorted(word) == sorted(self.text)]


def _unknown(alone: Alone) -> tuple[str, str]:
    return "unknown", alone.text


_ALONE: Sequence[Rule[Alone, Callable[[Alone], tuple[str, str]]]] = (
    Rule("chance", lambda it: it.token.chance != "", lambda it: ("chance", it.token.chance)),
    Rule("die", lambda it: bool(it.token.die), lambda it: ("die", str(it.token.die))),
    Rule("letter behind a number", lambda it: it.words.is_letter(it.place), lambda it: ("letter", it.text)),
    Rule("no, 13 v 8", lambda it: it.number == 0 and not it.place and it.after.text in PAUSES, lambda _: ("noise", "")),
    Rule("number", lambda it: it.is_number, lambda it: ("number", str(it.number))),
    Rule("question mark for an army", lambda it: it.is_open, _unknown),
    Rule("sign that changes a number", lambda it: it.is_unreadable, _unknown),
    Rule("sign", lambda it: not it.text[0].isalpha(), lambda it: ("sign", it.text)),
    Rule("word of no weight", lambda it: it.is_word, lambda it: ("noise", "" if it.number is None else str(it.number))),
    Rule("not known", lambda _: True, lambda it: ("unknown", it.like)),
)
"""The meaning of a word alone, as its table and its value: the first rule that fits counts."""


def _without_false_raids(matches: Sequence[Match]) -> Sequence[Match]:
    """Leave out the points of a factory where nothing names a raid: "12 on 10, max 2 dice"."""
    raids = [match for match in matches if match.pattern.value.startswith("bombing")]
    if any(not match.numbers for match in raids) or any(match.pattern.value == "escort" for match in matches):
        return matches
    return [match for match in matches if match not in raids]


def _without_false_shares(matches: Sequence[Match]) -> Sequence[Match]:
    """Leave out "9 von zwei" where the second number counts sides: "ich greife seine 9 von zwei Seiten an"."""
    fronts = [match.start for match in matches if match.pattern.value == "fronts"]
    return [
        match
        for match in matches
        if match.pattern.value != "vague" or not any(match.start < start < match.end for start in fronts)
    ]


def _without_false_dice(matches: Sequence[Match]) -> Sequence[Match]:
    """Leave out a question about dice whose last word begins a variant: "5 vs 3 dice wars"."""
    variants = {match.start for match in matches if match.pattern.table == "variants"}
    return [match for match in matches if match.pattern.value != "dice" or match.end - 1 not in variants]


def _lacks_army(tags: Sequence[Tag]) -> bool:
    """Tell whether words that say who stays or is left took the number of an army: "I have 16 sitting, he has 10"."""
    alone = len(tags_of(tags, "number")) < BATTLE and not has_table(tags, "questions", "units")
    owned, parted = has_role(tags, "self") and has_role(tags, "other"), has_role(tags, *PARTING)
    stays = owned and any(tag.numbers and tag.value.startswith(STAYING) for tag in tags)
    left = parted and any(tag.table == "outlooks" and tag.who in SIDES.values() for tag in tags)
    return alone and (stays or left)


class Tagger:
    """Tags the words of one phrase."""

    def __init__(self, words: Words) -> None:
        """Tag these words."""
        self._words = words

    def tags(self) -> list[Tag]:
        """Return the tags in the order of the phrase."""
        matches = _without_false_shares(_without_false_raids([*Matcher(self._words).matches()]))
        matches = sorted(_without_false_dice(matches), key=lambda match: match.order)
        tags = self._tags_of(matches)
        if not _lacks_army(tags):
            return tags
        return self._tags_of([match for match in matches if not (match.numbers and match.pattern.table in OF_ENDS)])

    def _tags_of(self, matches: Sequence[Match]) -> list[Tag]:
        """Return the tags, with those of matches, the best of which come first."""
        taken: dict[int, Tag] = {}
        words = self._words
        for tag in (*FaceReader(words).tags(), *own_unit_tags(words), *rolled_dice_tags(words)):
            taken.update(dict.fromkeys(range(tag.start, tag.end), tag))
        for match in matches:
            self._leave_verb(match)
            span = range(match.start, match.end)
            if not any(index in taken for index in span):
                tag = self._tag(match)
                taken.update(dict.fromkeys(span, tag))
                if label := self._label_of(match):
                    taken[match.start] = label
                    taken.update(dict.fromkeys(span[1:], replace(tag, start=match.start + 1)))
        tags: list[Tag] = []
        index = 0
        while index < len(self._words.tokens):
            tag = taken.get(index) or self._tag_alone(index)
            tags.append(self._with_value(tag))
            index = tags[-1].end
        return tags

    def _with_value(self, tag: Tag) -> Tag:
        """Return a word that is not known with the number behind its colon: in "dretreat:2" there is no army of 2."""
        behind = self._words.tokens[tag.end : tag.end + 2]
        glued = len(behind) > 1 and behind[0].text in (":", "=") and all(token.glued for token in behind)
        if not (tag.table == "unknown" or tag.is_role("vague")) or not glued or behind[1].number is None:
            return tag
        return replace(
            tag, table="unknown", value="", end=tag.end + 2, text="".join([tag.text, *(token.text for token in behind)])
        )

    def _tag_alone(self, index: int) -> Tag:
        """Return the tag of a word that is part of no pattern."""
        words = self._words
        before, token, after = (
            words.tokens[place] if 0 <= place < len(words.tokens) else NO_TOKEN for place in range(index - 1, index + 2)
        )
        alone = Alone(words, index, token, token.text, before, after, words.numbers[index], words.light[index])
        rule = find_rule(_ALONE, alone)
        assert rule is not None, "the last rule always fits"
        table, value = rule.make(alone)
        numbers = (int(value),) if table in ("die", "number") else ()
        case = words.case(index, index + 1) if rule.name == "number" else ""
        return Tag(table, value, index, index + 1, numbers, text=token.text, case=case)

    def _leave_verb(self, match: Match) -> None:
        """Leave the verb or the preposition before a place to itself: "storming a castle" says who attacks, too."""
        place = match.pattern.table == "variants" and match.pattern.value in SITES and match.end > match.start + 1
        if place and self._words.meaning(match.start, "roles") in MEETING:
            match.start += 1

    def _label_of(self, match: Match) -> Tag | None:
        """Return the tag of the army that an option begins with: "9 defenders roll one die"."""
        words, start = self._words, match.start
        if not words.follows_number(start):
            return None
        unit = words.meaning(start, "units") if match.pattern.value in OF_UNITS else ""
        if unit:  # "2 inf and an AA gun that has fired"
            return Tag("units", unit, start, start + 1, text=words.tokens[start].text)
        side = words.meaning(start, "roles") if match.pattern.table == "options" and match.end > start + 1 else ""
        if side not in SIDES.values() or not words.tokens[start].text.endswith("s"):
            return None
        return Tag("roles", side, start, start + 1, text=words.tokens[start].text)

    def _is_modal(self, index: int) -> bool:
        """Tell whether a word may stand between a side and what is said of it: "the attacker must keep 1"."""
        words = self._words
        return words.light[index] and words.tokens[index].text not in PAUSES and not words.meaning(index, "roles")

    def _tag(self, match: Match) -> Tag:
        """Return the tag of a match."""
        words, pattern = self._words, match.pattern
        number, chance = pattern.table == "numbers", pattern.table == "chances"
        return Tag(
            "number" if number else "chance" if chance else pattern.table,
            _percent(pattern.value, match.numbers) if chance else pattern.value,
            match.start,
            match.end,
            (int(pattern.value),) if number else tuple(match.numbers),
            tuple(match.slots),
            self._owner(match) if pattern.loose else "",
            pattern.plural,
            " ".join(token.text for token in words.tokens[match.start : match.end]),
            self._person(match) or words.case(match.start, match.end),
        )

    def _person(self, match: Match) -> str:
        """Return the side whose verb a match is, or the verb of those who leave in it; "" if its form does not say."""
        words = self._words
        if match.pattern.value in ("attack", "attack-first", "hold"):
            return words.person(match.start)
        places = range(match.start, match.end) if match.pattern.value.startswith(OF_ATTACKER) else ()
        leaving = words.order[0].leaving
        return next((words.person(place) for place in places if words.tokens[place].text in leaving), "")

    def _owner(self, match: Match) -> str:
        """Return the side that the words of a match, or the one before them, name; "" if none."""
        words = self._words
        gap = 2 if match.start > 1 and self._is_modal(match.start - 1) else 1
        indices: Sequence[int] = range(max(match.start - gap, 0), match.end)
        if match.pattern.value.startswith(OF_ATTACKER):  # "strafe him for 2 rounds" is said of the attacker
            indices = [index for index in indices if words.tokens[index].text not in words.order[0].asides["objects"]]
        elif match.pattern.value.startswith("~submerge"):  # in "submerge as soon as they can" they are submarines
            indices = indices[: gap + 1]
        roles = [role for index in indices for role in words.meaning(index, "roles").split()]
        named = [role for role in roles if role in SUBJECTS]
        sides = [role for role in named if role in SIDES.values()]  # "my defenders"
        return next(iter([*sides, *named]), "") or self._title_before(match.start)

    def _title_before(self, end: int) -> str:
        """Return the only side that titles a clause: "attacker: 5 inf; defender: 4 inf, leaves after 2 rounds"."""
        words = self._words
        texts = [token.text for token in words.tokens[:end]]
        start = max((index + 1 for index, text in enumerate(texts) if text in CLAUSE_ENDS), default=0)
        titles = {words.meaning(index, "roles") for index in range(start, end - 1) if texts[index + 1] == ":"}
        return titles.pop() if len(titles) == 1 and titles <= {*SIDES.values()} else ""


def _percent(value: str, numbers: Sequence[int]) -> str:
    """Return the chance that words mean: "{n}%" is a number of percent, "{n}/{n}" so many times out of so many."""
    if value == "{n}%":
        return f"{numbers[0]}%"
    return f"{100 * numbers[0] / max(numbers[1], 1):.4g}%" if value == "{n}/{n}" else value
