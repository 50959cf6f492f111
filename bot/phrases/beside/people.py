"""Says who the people in a phrase are, beside the player who asks: "my brother-in-law has 9, I have 12"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.meaning import Conditions, find_condition
from bot.phrases.pieces import VERBS
from bot.phrases.tag import NOTHING, OWNERS, Tag, tag_at
from bot.phrases.vocabulary import Vocabulary

ACTS = (*VERBS, "send", "goes")
"""The roles of verbs for what people do with their armies."""


def name_people(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which relatives, and names that do something, are the other player, where the player is named too.

    Args:
        tags: The tags of a phrase.
        known: The words of its language.
    """
    relatives = known.asides["people"]
    plain = list(tags)
    for index, (tag, after) in enumerate(pairwise(tags)):
        if tag.is_role(*OWNERS) and _is_relative(after, relatives):
            plain[index] = tag.left_out  # "my brother-in-law"
    if not any(tag.table == "roles" and ("self" in tag.value.split() or tag.case == "self") for tag in plain):
        return plain
    return [
        replace(tag, table="roles", value=_value_of(place), case=_case_of(plain, index))
        if find_condition(_PEOPLE, place)
        else tag
        for index, tag in enumerate(plain)
        for place in [Place(tag, plain, index, known)]
    ]


def _is_relative(tag: Tag, relatives: frozenset[str]) -> bool:
    return tag.table in ("noise", "names") and tag.text in relatives


def _roles(tag: Tag) -> Sequence[str]:
    return tag.value.split() if tag.table == "roles" else ()


def _value_of(place: "Place") -> str:
    """Return the roles of another player, whose turn it may be."""
    return "other goes" if place.moves else "other"


def _case_of(tags: Sequence[Tag], index: int) -> str:
    """Return "subject" for a person behind a verb in the third person: "ataca pedro"."""
    return "subject" if tag_at(tags, index - 1).case == "other" else ""


class Place(NamedTuple):
    """A word that may be a person, with the phrase, its place there, and the words of the language."""

    tag: Tag
    tags: Sequence[Tag]
    at: int
    known: Vocabulary

    @property
    def is_name(self) -> bool:
        """Whether it is a name."""
        return self.tag.table == "names"

    @property
    def moves(self) -> bool:
        """Whether it is that person's turn: "Jake's turn", "turno de Jaime", "Lukas ist dran"."""
        moves = self.known.asides["moves"]
        before = [tag.text for tag in self.tags[max(self.at - 2, 0) : self.at]]
        led = before[-1:] != [] and (before[-1] in moves or (before[0] in moves and before[-1] == "de"))
        after = tag_at(self.tags, self.at + 1)
        goes = after.text in self.known.asides["copula"] and "goes" in _roles(tag_at(self.tags, self.at + 2))
        return led or goes or after.text in moves

    @property
    def begins(self) -> bool:
        """Whether nothing that matters stands between it and the start of its clause."""
        before = self.at - 1
        while before >= 0 and self.tags[before].table in ("noise", "skips"):
            if self.tags[before].text in self.known.asides["inside"]:
                return False
            before -= 1
        first = tag_at(self.tags, before)
        return first is NOTHING or first.table == "sign" or first.is_role("and", "pause")

    @property
    def acts(self) -> bool:
        """Whether what it does stands behind it."""
        rest = (tag for tag in self.tags[self.at + 1 :] if tag.table not in ("noise", "names", "skips"))
        return not {*ACTS}.isdisjoint(_roles(next(rest, NOTHING)))


_PEOPLE: Conditions[Place] = {
    "my brother-in-law": lambda it: (
        _is_relative(it.tag, it.known.asides["people"]) and tag_at(it.tags, it.at - 1).table != "number"
    ),
    "jake's turn": lambda it: (it.is_name or it.tag.text.endswith("'s")) and it.moves,
    "pedro attacks": lambda it: it.is_name and it.begins and it.acts,
    "ataca pedro": lambda it: (
        it.is_name and tag_at(it.tags, it.at - 1).case == "other" and "ends self" in it.known.asides
    ),
    "der hat 9": lambda it: (
        it.tag.text in it.known.asides["pronouns"]
        and not {*ACTS, "have"}.isdisjoint(_roles(tag_at(it.tags, it.at + 1)))
    ),
    "у Лёхи 9": lambda it: it.is_name and tag_at(it.tags, it.at - 1).text in it.known.asides["owns"],
}
"""How a word is known to be a person, by an example of each."""
