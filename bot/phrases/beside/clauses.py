"""Says which clauses are talk beside a battle, so that their words belong to no army: "watching a film, 12 vs 9"."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.meaning import Rule
from bot.phrases.special import OPEN
from bot.phrases.tag import ENDS, OF_ARMIES, OF_UNITS, PARTING, Tag, has_role, has_table
from bot.phrases.vocabulary import Vocabulary

COUNTED = ("number", "die", "chance", "options", "variants", "presets")
"""The tables of words that are no talk: numbers, and what somebody wants of a battle."""
OF_BATTLES = (*COUNTED, *OF_UNITS)
"""The tables of words that belong to no story."""
BREAKS = {",", ";", ":", "(", ")", "-", "…", *ENDS}
"""The signs between two clauses."""
DECIDING = (*{*PARTING} - {"onto"}, "with", "self attack")
"""The roles of words that decide something about a battle."""
OF_DICE = ("ties:", "dice:", "adice", "ddice", "arerolls", "drerolls", "abonus", "dbonus", "d8")
"""How rules of the dice begin."""
OF_MEN = ("men", "unit", "attacker", "defender", "vague", "apart")
"""The roles of words for armies."""
SHORTEST_TALK = 3
"""The fewest words of a clause that speaks of something else: "no castle" speaks of the battle."""


class Clause(NamedTuple):
    """A clause: its tags, those of the whole phrase before it, and the words of its language."""

    tags: Sequence[Tag]
    before: Sequence[Tag]
    known: Vocabulary

    @property
    def words(self) -> Sequence[Tag]:
        """Its tags without its signs."""
        return [tag for tag in self.tags if tag.table != "sign"]

    def says(self, kind: str) -> bool:
        """Tell whether it has a word or a phrase of a kind of asides."""
        words = [word for tag in self.tags for word in tag.text.split()]
        said = {*words, *(" ".join(pair) for pair in pairwise(words))}
        return not said.isdisjoint(self.known.asides[kind])

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
        if self.is_about_battle or has_table(self.before, *OF_BATTLES) or self.says("giving") or self.says("ruling"):
            return False
        last = self.tags[-1].text
        if last in ENDS or last in self.known.asides["turns"]:
            return True
        of_battle = self.says("things") or self.says("persons") or has_role(self.tags, *DECIDING, *OF_MEN)
        return last != ":" and len(self.words) >= SHORTEST_TALK and not of_battle  # "Death Star fleet: 18 vs 15"

    @property
    def places(self) -> Sequence[Tag]:
        """The tags before a rule of the dice, if none is about an army: "in our club the attacker wins ties"."""
        rules = [index for index, tag in enumerate(self.tags) if _is_rule(tag)]
        army = has_table(self.tags, *OF_ARMIES, "die", "chance", *OPEN)
        return [] if army or not rules else self.tags[: rules[0]]

    @property
    def grounds(self) -> Sequence[Tag]:
        """The tags behind a word such as "because", if these are about no army and give nobody anything."""
        words = self.known.asides["because"]
        reason = next((index for index, tag in enumerate(self.tags) if tag.text in words), len(self.tags))
        behind = self._replace(tags=self.tags[reason:])
        open_ = behind.is_about_battle or has_table(behind.tags, *OPEN) or behind.says("giving")
        return [] if open_ else behind.tags

    def is_ground(self, tag: Tag) -> bool:
        """Tell whether an unknown word only says where or why a rule holds; a denial may only say why."""
        if not self.is_idle(tag) or tag.text in self.known.asides["things"]:
            return False
        return tag in self.grounds or (tag in self.places and not self.is_denial(tag))

    @property
    def denies(self) -> bool:
        """Whether it denies something that is no part of a battle: "I'm not even mad"; "not all of them" may be one."""
        denials = [index for index, tag in enumerate(self.words) if self.is_denial(tag)]
        battle = self.is_about_battle or has_table(self.tags, *OPEN) or has_role(self.tags, *DECIDING)
        if battle or self.says("knowing") or self.says("ruling") or not denials or len(self.words) < SHORTEST_TALK:
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
        return idle or self.is_denial(tag) or (tag.table == "unknown" and tag.text[0].isalpha())

    def is_verb(self, tag: Tag) -> bool:
        """Tell whether an unknown word says what a person does: "he giggled", "he is grinning"."""
        index = self.tags.index(tag)
        person = next((place for place in reversed(range(index)) if self._is_person(self.tags[place])), -1)
        between = self.tags[person + 1 : index]
        thing = tag.table != "unknown" or tag.text in self.known.asides["things"]
        if person < 0 or thing or not all(some.means_nothing or some.is_role("have") for some in between):
            return False
        return tag.text.endswith(tuple(self.known.asides["doing" if between else "acting"]))

    def is_doer(self, tag: Tag) -> bool:
        """Tell whether an unknown word is the person or the animal that does something: "my dog is snoring"."""
        return tag.table == "unknown" and self._is_person(tag) and any(map(self.is_verb, self.tags))

    def _is_person(self, tag: Tag) -> bool:
        return not self.known.asides["persons"].isdisjoint(tag.text.split())


TALK: Sequence[Rule[Clause, Callable[[Clause, Tag], bool]]] = (
    Rule("watching a film with wizards, 12 vs 9", lambda it: it.tells, lambda _it, tag: tag.table != "sign"),
    Rule("my dog ate the rulebook. 12 vs 9", lambda it: it.opens, lambda it, tag: it.is_idle(tag)),
    Rule("ties are mine cos Tom says so", lambda it: bool(it.places or it.grounds), lambda it, tag: it.is_ground(tag)),
    Rule("I'm not even mad, 12 vs 9", lambda it: it.denies, lambda it, tag: it.is_denial(tag) or it.is_verb(tag)),
    Rule(
        "12 vs 9. My dog is snoring",
        lambda it: not it.is_about_battle,
        lambda it, tag: it.is_verb(tag) or it.is_doer(tag),
    ),
)
"""The rules about talk: the first that fits a clause says which of its words mean nothing. Each name is an example."""


def _is_rule(tag: Tag) -> bool:
    """Tell whether words name a rule of the dice."""
    return tag.table in ("options", "variants") and tag.value.startswith(OF_DICE)


def leave_out_talk(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let the words of clauses beside a battle mean nothing; `known` are the words of their language."""
    left: set[int] = set()
    for breaks in (BREAKS, ENDS):
        for start, end in _clauses(tags, breaks, known):
            clause = Clause(tags[start:end], tags[:start], known)
            rule = next((rule for rule in TALK if rule.fits(clause)), None)
            if rule:
                left.update(index for index in range(start, end) if rule.make(clause, tags[index]))
    rest = [tag.left_out if index in left else tag for index, tag in enumerate(tags)]
    return rest if has_table(rest, *OF_ARMIES) else list(tags)


def _clauses(tags: Sequence[Tag], breaks: set[str], known: Vocabulary) -> Iterator[tuple[int, int]]:
    """Yield where each clause starts and ends, with the sign or the word that ends it, such as "anyway"."""
    start = 0
    for index, tag in enumerate(tags):
        if tag.text in breaks or tag.text in known.asides["turns"] or index == len(tags) - 1:
            yield start, index + 1
            start = index + 1
