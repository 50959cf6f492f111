"""Says which words are names, who the people are, and which presets are meant: "my brother-in-law has 9, I have 12"."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.meaning import Conditions, Rule, find_condition, find_rule
from bot.phrases.pieces import VERBS
from bot.phrases.tag import NOTHING, OF_UNITS, OWNERS, PARTING, Tag, has_role, tag_at
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.vocabulary import Vocabulary, vocabularies

SHORTEST_NAME = 3
"""The fewest letters of an unknown word that may be a name."""
OF_OWNERS = ("have", "hold", "attack", "attacked", "send", "is_attacker", "is_defender")
"""The roles of verbs whose subject has an army."""
COUNTABLE = ("number", *OF_UNITS, "die", "chance")
"""The tables of words beside which an unknown word may be a unit, or change one."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?:\n]+")


def capital_words(text: str) -> frozenset[str]:
    """Return the words that begin with a capital letter in the middle of a sentence, in small letters."""
    names: set[str] = set()
    for sentence in _SENTENCE.split(unicodedata.normalize("NFKC", text)):
        words = _WORD.findall(sentence)
        capital = [word for word in words if word.istitle()]
        if 2 * len(capital) <= len(words):
            names.update(word.casefold() for word in capital[capital[:1] == words[:1] :])
    return frozenset(names)


class Place(NamedTuple):
    """A word that may be a name, and where it stands.

    Attributes:
        tags: The tags of the phrase.
        at: Its place among them.
        known: The words of the language.
        capital: Whether it begins with a capital letter.
    """

    tags: Sequence[Tag]
    at: int
    known: Vocabulary
    capital: bool = False

    @property
    def tag(self) -> Tag:
        """The word itself."""
        return self.tags[self.at]

    @property
    def after(self) -> Tag:
        """The word behind it."""
        return tag_at(self.tags, self.at + 1)

    @property
    def verb(self) -> Tag:
        """The word behind it, or behind whom it does something to: "Iker me ataca"."""
        return tag_at(self.tags, self.at + 2) if self.after.is_role("self") else self.after

    @property
    def led(self) -> Tag:
        """The word right before it."""
        return tag_at(self.tags, self.at - 1)

    @property
    def article(self) -> Tag:
        """The article before it; NOTHING if there is none."""
        return self.led if self.led.text in self.known.asides["articles"] else NOTHING

    @property
    def before(self) -> Tag:
        """The word before it, its article and other names: "у" in "у дяди вовы"."""
        words = reversed(self.tags[: self.at - (self.article is not NOTHING)])
        return next((tag for tag in words if tag.table != "names"), NOTHING)

    @property
    def ends(self) -> bool:
        """Whether a sign or nothing follows."""
        return self.after.table in ("", "sign")

    @property
    def is_open(self) -> bool:
        """Whether it is not known, wherever it stands: long enough, like no word but a name, no thing, no denial."""
        tag, known = self.tag, self.known
        letters = len(tag.text) >= SHORTEST_NAME and tag.text.replace("'", "").isalpha()
        like = not tag.value or any(row.table == "names" for row in known.patterns.get(tag.value, ()))
        return tag.table == "unknown" and letters and like and tag.text not in known.asides["things"] | known.negations

    @property
    def is_apart(self) -> bool:
        """Whether nothing before it says what it is: it begins a clause, but for words of no weight such as "so"."""
        light = self.before.table == "noise" and self.before.text in self.known.light
        return light or self.before.table in ("", "sign") or self.before.is_role("and")

    @property
    def is_subject(self) -> bool:
        """Whether a verb behind it says what it does: neither in "a flurb attacks" nor in "my flurb attacks"."""
        person = self.article.table in ("", "noise") and self.article.value != "1"
        return person and self.verb.is_role(*OF_OWNERS)

    @property
    def has_rival(self) -> bool:
        """Whether a number follows, and another army is this player's."""
        return self.after.table == "number" and has_role(self.tags, "self")

    @property
    def is_possessive(self) -> bool:
        """Whether its form says whose army follows: "Kev's", and "thorbens" behind a word such as "gegen"."""
        text, before = self.tag.text, self.before
        bare = text.endswith("s") and (before is NOTHING or before.is_role(*PARTING))
        return self.after.table == "number" and (
            text.endswith(("'s", "s'")) or (bare and (self.capital or self.has_rival))
        )

    @property
    def may_be_thing(self) -> bool:
        """Whether it may be a thing or change an army: "a flurb attacks", "12 flurb", "with flurb"."""
        named = self.article is not NOTHING and not self.capital
        return named or self.before.table in ("", *COUNTABLE) or self.before.is_role("have", "with")

    @property
    def moves(self) -> bool:
        """Whether it is that person's turn: "Jake's turn", "turno de Jaime", "Lukas ist dran"."""
        known, moves = self.known, self.known.asides["moves"]
        of = self.led.text in known.asides["of"] and tag_at(self.tags, self.at - 2).text in moves
        goes = self.after.text in known.asides["copula"] and "goes" in tag_at(self.tags, self.at + 2).value.split()
        return self.led.text in moves or of or goes or self.after.text in moves


_NAMES: Sequence[Rule[Place, bool]] = (
    Rule("Horst: 12 vs 9", lambda it: not it.at and it.after.text == ":", True),
    Rule("der Horst hat 14; me 12, sinead 9", lambda it: it.is_apart and (it.is_subject or it.has_rival), True),
    Rule("Kev's 14, Thorbens 14", lambda it: it.is_possessive, True),
    Rule("hey jonno, 12 v 9", lambda it: it.before.text in it.known.asides["calls"] and it.ends, True),
    Rule("a flurb, 12 flurb, with flurb", lambda it: it.may_be_thing, False),
    Rule("in Karlsruhe", lambda it: it.before.text in it.known.asides["places"] and it.after.table != "number", True),
    Rule("vs Karl", lambda it: it.capital or it.before.is_role("attack"), True),
)
"""Where a word that is not known is a name; the first rule that fits counts."""


def name_places(tags: Sequence[Tag], capitals: Set[str], known: Vocabulary) -> list[Tag]:
    """Return tags in which an unknown word is a name if it stands where a place or a person does, and only there."""
    named = list(tags)
    for index, tag in enumerate(tags):
        place = Place(named, index, known, tag.text in capitals)
        rule = find_rule(_NAMES, place) if place.is_open else None
        if rule and rule.make:
            named[index] = replace(tag, table="names", value="name")
        elif tag.table == "names" and _fights(Place(tags, index, known)):
            named[index] = replace(tag, table="unknown", value="")
    return named


def _fights(place: Place) -> bool:
    """Tell whether somebody with a name fights: "12 with gandalf vs 9", "he has Darth Vader"; "w russia" is western."""
    words = (tag for tag in reversed(place.tags[: place.at]) if tag.text not in place.known.asides["articles"])
    before = next((tag for tag in words if tag.table != "names" and not tag.is_role("onto")), NOTHING)
    beside = before.is_role("with") and before.text not in place.known.asides["compass"]
    had = before.is_role("have") and before.text not in place.known.asides["copula"] and place.ends
    return (beside and place.after.table not in COUNTABLE) or had


def name_people(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which relatives, and names that do something, are the other player, where the player is named too.

    Args:
        tags: The tags of a phrase.
        known: The words of its language.
    """
    plain = list(tags)
    for index, (tag, after) in enumerate(pairwise(tags)):
        if tag.is_role(*OWNERS) and _is_relative(after, known):
            plain[index] = tag.left_out  # "my brother-in-law"
    if not any(tag.table == "roles" and ("self" in tag.value.split() or tag.case == "self") for tag in plain):
        return plain
    people: list[Tag] = []
    for index, tag in enumerate(plain):
        place = Place(plain, index, known)
        if find_condition(_PEOPLE, place):
            case = "subject" if place.led.case == "other" else ""  # "ataca pedro"
            tag = replace(tag, table="roles", value="other goes" if place.moves else "other", case=case)
        people.append(tag)
    return people


def _is_relative(tag: Tag, known: Vocabulary) -> bool:
    return tag.table in ("noise", "names") and tag.text in known.asides["people"]


_PEOPLE: Conditions[Place] = {
    "my brother-in-law": lambda it: _is_relative(it.tag, it.known) and it.led.table != "number",
    "jake's turn": lambda it: (it.tag.table == "names" or it.tag.text.endswith("'s")) and it.moves,
    "ataca pedro": lambda it: it.tag.table == "names" and it.led.case == "other",
    "der hat 9": lambda it: it.tag.text in it.known.asides["pronouns"] and it.after.is_role(*VERBS, "have"),
}
"""How a word is known to be a person, by an example of each."""


def name_presets(tags: Sequence[Tag], saved: Collection[str]) -> Iterator[Tag]:
    """Let names of presets mean these, wherever a word means nothing else for a battle: "ours", but not "12 ours"."""
    counted = {tag.end for tag in tags if tag.table in COUNTABLE}
    for tag in tags:
        owner = tag.is_role(*OWNERS) and tag.case == "own" and tag.start not in counted
        named = tag.text in saved and (tag.means_nothing or tag.table == "unknown" or owner)
        yield replace(tag, table="presets", value=tag.text) if named else tag


def says_who_plays(text: str) -> bool:
    """Tell whether somebody says in words who plays: "12 9 opponent Bob", "12 9 open", "12 9 at an open table"."""
    words = [token.text for token in tokens_of(normal_phrase(text)) if token.text[0].isalnum()]
    said, last = f" {' '.join(words)} ", words[-1] if words and words[-1].isalpha() else ""
    for known in vocabularies().values():
        says, ends, names = (known.asides[name] for name in ("plays", "opens", "opponents"))
        behind = [*ends, *(f"{name} {last}" for name in names if last)]
        if any(f" {words} " in said for words in says) or any(said.endswith(f" {words} ") for words in behind):
            return True
    return False
