"""Parts phrases into clauses, and says which of these are talk: "watching a film, 12 vs 9"."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.meaning import Rule, find_rule
from bot.phrases.tag import ENDS, OF_ARMIES, OF_UNITS, OWNERS, PARTING, Tag, has_role, has_table, leave_out
from bot.phrases.vocabulary import Vocabulary

COUNTED = ("number", "die", "chance", "options", "variants", "presets")
"""The tables of words that are no talk: numbers, and what somebody wants of a battle."""
OF_BATTLES = (*COUNTED, *OF_UNITS)
"""The tables of words that belong to no story."""
CLAUSE_ENDS = {",", ";", ":", *ENDS}
"""The signs that end a clause with a count."""
BREAKS = {*CLAUSE_ENDS, "(", ")", "-", "…"}
"""The signs between two clauses."""
DECIDING = (*{*PARTING} - {"onto"}, "with", "self attack")
"""The roles of words that decide something about a battle."""
OF_MEN = ("men", "unit", "attacker", "defender", "vague", "apart")
"""The roles of words for armies."""
SHORTEST_TALK = 3
"""The fewest words of a clause that speaks of something else: "no castle" speaks of the battle."""


def clauses(tags: Sequence[Tag], breaks: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where each clause starts and ends, with the sign or the word that ends it."""
    start = 0
    for index, tag in enumerate(tags):
        if tag.text in breaks or index == len(tags) - 1:
            yield start, index + 1
            start = index + 1


def says(tags: Sequence[Tag], words: Collection[str]) -> bool:
    """Tell whether one of these words or pairs of words is among tags."""
    said = [word for tag in tags for word in tag.text.split()]
    return not {*said, *map(" ".join, pairwise(said))}.isdisjoint(words)


def owner_in(tags: Sequence[Tag]) -> str:
    """Return the last player whom tags name; "" if they name none."""
    return next((tag.value for tag in reversed(tags) if tag.is_role(*OWNERS)), "")


class Clause(NamedTuple):
    """A clause: its tags, those of the whole phrase before it, and the words of its language."""

    tags: Sequence[Tag]
    before: Sequence[Tag]
    known: Vocabulary

    @property
    def words(self) -> Sequence[Tag]:
        """Its tags without its signs."""
        return [tag for tag in self.tags if tag.table != "sign"]

    def says(self, *kinds: str) -> bool:
        """Tell whether it has a word or a phrase of some kinds of asides."""
        return any(says(self.tags, self.known.asides[kind]) for kind in kinds)

    @property
    def is_about_battle(self) -> bool:
        """Whether it has words that belong to no story."""
        return has_table(self.tags, *OF_BATTLES)

    @property
    def tells(self) -> bool:
        """Whether it tells of films, dreams and birthdays, and of no numbers."""
        return not has_table(self.tags, *COUNTED, "questions") and self.says("telling")

    @property
    def opens(self) -> bool:
        """Whether it is before the battle and gives nobody anything: "he has a dragon" does.

        Before a mere comma it has no word for players and armies either: "they ride elks, 12 vs 9".
        """
        if has_table([*self.before, *self.tags], *OF_BATTLES) or self.says("giving", "ruling"):
            return False
        last = self.tags[-1].text
        if last in ENDS or last in self.known.asides["turns"]:
            return True
        of_battle = self.says("things", "persons") or has_role(self.tags, *DECIDING, *OF_MEN)
        return last != ":" and len(self.words) >= SHORTEST_TALK and not of_battle  # "Death Star fleet: 18 vs 15"

    @property
    def denies(self) -> bool:
        """Whether it denies something that is no part of a battle: "I'm not even mad"; "not all of them" may be one."""
        denials = [index for index, tag in enumerate(self.words) if self.is_denial(tag)]
        battle = self.is_about_battle or has_role(self.tags, *DECIDING) or self.says("knowing", "ruling")
        if battle or not denials or len(self.words) < SHORTEST_TALK:
            return False
        said = self.says("saying") or any(map(self._is_person, self.words[: denials[0]]))
        return said or not has_table(self.before, *OF_BATTLES)

    def is_denial(self, tag: Tag) -> bool:
        """Tell whether a word denies something."""
        denials = self.known.negations | self.known.asides["denials"]
        return (tag.table == "unknown" or tag.is_role("vague")) and tag.text in denials

    def is_idle(self, tag: Tag) -> bool:
        """Tell whether a word is not known, or matters only beside an army: "most people", "last week"."""
        idle = tag.is_role("vague") and tag.text in self.known.asides["idle"]
        return tag.table == "unknown" or idle or self.is_denial(tag)

    def is_verb(self, tag: Tag) -> bool:
        """Tell whether an unknown word says what a person does: "he giggled", "he is grinning"."""
        index = self.tags.index(tag)
        person = next((place for place in reversed(range(index)) if self._is_person(self.tags[place])), index)
        between = self.tags[person + 1 : index]
        if tag.table != "unknown" or tag.text in self.known.asides["things"] or person == index:
            return False
        quiet = all(some.means_nothing or some.is_role("have") for some in between)
        return quiet and tag.text.endswith(tuple(self.known.asides["doing" if between else "acting"]))

    def _is_person(self, tag: Tag) -> bool:
        return says([tag], self.known.asides["persons"])


TALK: Sequence[Rule[Clause, Callable[[Clause, Tag], bool]]] = (
    Rule("watching a film with wizards, 12 vs 9", lambda it: it.tells, lambda _it, tag: tag.table != "sign"),
    Rule("my dog ate the rulebook. 12 vs 9", lambda it: it.opens, lambda it, tag: it.is_idle(tag)),
    Rule("I'm not even mad, 12 vs 9", lambda it: it.denies, lambda it, tag: it.is_denial(tag) or it.is_verb(tag)),
    Rule("12 vs 9. He is grinning", lambda it: not it.is_about_battle, lambda it, tag: it.is_verb(tag)),
)
"""The rules about talk: the first that fits a clause says which of its words mean nothing. Each name is an example."""


def leave_out_talk(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let the words of clauses beside a battle mean nothing; `known` are the words of their language."""
    left: set[int] = set()
    for breaks in (BREAKS, ENDS):
        for start, end in clauses(tags, breaks | known.asides["turns"]):
            clause = Clause(tags[start:end], tags[:start], known)
            if rule := find_rule(TALK, clause):
                left.update(index for index in range(start, end) if rule.make(clause, tags[index]))
    rest = leave_out(tags, left)
    return rest if has_table(rest, *OF_ARMIES) else list(tags)
