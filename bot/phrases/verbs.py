"""Says what verbs and prepositions around two armies tell about them, wherever a language puts them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.phrases.armies import Army
from bot.phrases.meaning import Evidence, Rule, find_rule
from bot.phrases.pieces import FRONT, LAST, SUBJECTS, VERBS, Mark, roles_behind, roles_of

GAP = Mark("army", "")
"""Stands for an army among the words around both."""
BEFORE, AFTER = "before", "after"
"""The army in front of a word, and the one behind it."""
ENDS = ("pause", "end")
"""The roles of marks that end a clause."""
BREAKS = (*ENDS, "and", "have")
"""The roles of marks between two clauses."""
PEOPLE = ("self", "other", "name")
"""The roles of words that a verb may follow."""


def index_of(roles: Sequence[str], *wanted: str) -> int:
    """Return the index of the first of some roles; the end if there is none."""
    return next((index for index, role in enumerate(roles) if role in wanted), len(roles))


class Word(NamedTuple):
    """A telling word in the gap before an army.

    Attributes:
        opens: Whether no army is in front of the gap.
        ahead: The roles of the words in front of it.
        rest: The roles of the words behind it, as far as the next verb.
        last: The last word of the gap.
        verbs: The roles of the verbs behind it.
    """

    opens: bool
    ahead: Sequence[str]
    rest: Sequence[str]
    last: Mark
    verbs: Sequence[str]

    @property
    def takes_place(self) -> bool:
        """Whether the army before it attacks a place with an army in it."""
        return not self.opens and "with" in self.rest and {*self.ahead} <= {"name", "have", "men", "unit"}

    @property
    def names_target(self) -> bool:
        """Whether a place or a player is attacked, and the armies follow: "Red jumps on Blue, 16 ..."."""
        target = self.rest[: index_of(self.rest, *ENDS, "colon")]
        return self.opens and target != self.rest and "name" in target and "with" not in self.rest

    @property
    def is_of_next(self) -> bool:
        """Whether the army behind it does it: "with 12", "attack: 12", "..., the Germans hit 4 inf"."""
        others = "name" in self.ahead[index_of(self.ahead, *ENDS) :]
        return "with" in self.rest or (self.last.text == ":" if self.opens else others)

    @property
    def asks_of_self(self) -> bool:
        """Whether the player asks it in a sentence before the other's army."""
        return self.ahead[-1:] == ["self"] and self.rest[:1] == ["end"] and "other" in self.rest

    @property
    def is_of_last(self) -> bool:
        """Whether the army before it holds: it meets another, or nobody else is named."""
        meets = {"against", "onto"} & {*self.rest} or "attack" in self.verbs
        owned = {*self.ahead} & {*SUBJECTS, "have"} or "name" in self.ahead[index_of(self.ahead, *ENDS) :]
        return bool(meets or not owned)


def read_gap(marks: Sequence[Mark], opens: bool, army: int) -> Iterable[Evidence]:
    """Yield what the words before an army say about it and, unless they open the phrase, about the one before it."""
    if opens and marks and marks[-1].text == "?":
        return  # "can I take and hold it? 7 inf vs 5 inf"
    roles = roles_of(marks)
    for position, mark in enumerate(marks):
        rest = roles[position + 1 :]
        verbs = [role for role in rest if role in VERBS]
        word = Word(opens, roles[:position], rest[: index_of(rest, *VERBS)], marks[-1], verbs)
        rule = find_rule(_READERS.get(mark.role, ()), word)
        if rule and rule.make:
            yield Evidence(army if rule.make == AFTER else 0, rule.name, mark.text)
    yield from _of_prepositions(marks, opens, army)


_READERS: Mapping[str, Sequence[Rule[Word, str | None]]] = {
    "attack": (
        Rule("attacks in spite of `against`", lambda it: "against" in it.ahead, AFTER),
        Rule("my attack: ...", lambda it: it.names_target and it.last.text == ":" and "self" in it.ahead, AFTER),
        Rule("a target before both armies", lambda it: it.names_target, None),
        # This tells who is there, "he has 12, I attack with 9" who attacks.
        Rule("12 take a territory with 9 in it", lambda it: it.takes_place, BEFORE),
        Rule("attacks with these", lambda it: it.is_of_next, AFTER),
        Rule("attacks these", lambda _: True, AFTER),
    ),
    "attacked": (
        Rule("whom I have attacked", lambda it: {"have", "self"} <= {*it.rest}, AFTER),
        Rule("attacked by", lambda it: {*ENDS, "colon"}.isdisjoint(it.rest), AFTER),
    ),
    "hold": (
        Rule("should I be worried? He has 15", lambda it: it.asks_of_self, None),
        Rule("holds with these", lambda it: it.opens or "with" in it.rest, AFTER),
        Rule("those before hold", lambda it: it.is_of_last, BEFORE),
    ),
    "faces": (Rule("faces these", lambda _: True, AFTER),),
    "send": (Rule("sends these", lambda _: True, AFTER),),
}
"""The side of the army in front of telling words or behind, by their roles: the first rule that fits counts."""
OF_GAPS = ("attack", "attacked", "hold", "against", "onto", "with", "by")
"""The roles of verbs and prepositions between armies."""


def _of_prepositions(marks: Sequence[Mark], opens: bool, army: int) -> Iterable[Evidence]:
    """Yield what words such as "against" say where no verb does."""
    roles = roles_of(marks)
    words = [mark for mark in marks if mark.role in OF_GAPS]
    last = [GAP, *words][-1]
    there = {"name", "territory"} & {*roles_behind(roles, "onto")}  # "into Peru with 12" tells who is there
    if not opens and last.role == "with" and not there and {"attack", "hold", "against"}.isdisjoint(roles):
        owned = {"other", "self"} <= {*roles} or roles[-2:] == ["self", "with"]
        yield Evidence(army, "with what I attack" if owned else "with these", last.text)
    elif opens and roles[-2:] == ["onto", "self"]:
        yield Evidence(army, "onto my army", last.text)
    elif opens and ({*roles_of(words)} == {"against"} or ("wave" in roles and last.role in ("against", "onto"))):
        yield Evidence(army, "against these, in front", last.text)


def straighten(marks: Sequence[Mark]) -> list[Mark]:
    """Return marks with each subject in front of its verb: "greife ich" becomes "ich greife".

    In "a territory with 18" the word "with" says who is there, and "to" in "to attack" says nothing; they go.
    """
    ordered: list[Mark] = []
    for mark in marks:
        last = ordered[-1].role if ordered else ""
        if mark.role == "with" and last == "territory":
            continue
        if mark.role == "attack" and last == "onto":
            ordered.pop()
        led = {*roles_of(ordered[-2:-1])} & {*PEOPLE, FRONT}
        if mark.role in PEOPLE and last == FRONT and not led:
            ordered.insert(-1, mark)
        else:
            ordered.append(mark)
    return [Mark("attack", mark.text, case=mark.case) if mark.role == FRONT else mark for mark in ordered]


def judge_last_verbs(first: Army, second: Army, after: Sequence[Mark]) -> list[Evidence]:
    """Return what verbs at the end say about both armies."""
    evidence = [
        Evidence(0, "verb at the end, in front: defends", mark.text)
        for mark in first.before
        if mark.role == "hold-last"
    ]
    between = {*second.roles}
    spoken = [mark for mark in first.before if mark.text.isalpha() or mark.role in BREAKS]
    if _near(spoken) == "against" and between & {"attack", FRONT, "with"} and not between & {"against", "onto"}:
        evidence.append(Evidence(0, "against these another attacks", "against"))
    for position, mark in enumerate(second.before):
        if mark.role in LAST:
            evidence += _between(mark, first, second.before[:position], second.before[position + 1 :])
    for mark in after:
        if mark.role in ENDS:
            break
        if mark.role in LAST:
            evidence += _behind(mark, first, second)
    return evidence


def _between(verb: Mark, first: Army, before: Sequence[Mark], rest: Sequence[Mark]) -> list[Evidence]:
    """Return what a verb behind the first army says."""
    near, roles = _near(first.before), roles_of(rest)
    apart = any(mark.role in BREAKS for mark in before) and not {*BREAKS, "against"} & {*roles}
    if apart and verb.role == "hold-last":
        return [Evidence(1, "defends in a clause of its own", verb.text)]
    if verb.role.startswith("hold"):
        against = near == "against" or (verb.role == "hold-object" and near != "with")
        return [
            Evidence(1 if against else 0, "defends against the first" if against else "the first defends", verb.text)
        ]
    if near not in ("with", "by") and {"with", "by"} & {*roles[: index_of(roles, *VERBS)]}:
        return [Evidence(1, "with the second, behind a verb", verb.text)]
    return [Evidence(0, "the first attacks", verb.text)]


def _behind(verb: Mark, first: Army, second: Army) -> list[Evidence]:
    """Return what a verb behind the second army says; one right behind it may be its verb, or have it as its object."""
    near = _near(second.before)
    apart = any(mark.role in BREAKS for mark in second.before)
    if verb.role.startswith("hold"):
        own = near == "with" or verb.role == "hold-last"
        army, rules = 1, ["the second defends" if own else "the second is held off"]
        if near == "against":
            army, rules = 0, ["defends against the second"]
    elif near in ("with", "by"):
        army, rules = 1, ["with the second"]
    elif near == "against" or not apart or _near(first.before) == "with":
        army, rules = 1, ["attacks the second"]
    else:
        objects = verb.role == "attack-object"
        army, rules = 1, ["attacks the second"] if objects else ["its subject attacks", "its object is attacked"]
    return [Evidence(army, rule, verb.text) for rule in rules]


def _near(marks: Sequence[Mark]) -> str:
    """Return the last preposition of a gap, "against" for "onto"; "" if there is none behind the last verb."""
    for mark in reversed(straighten(marks)):
        if mark.role in ("with", "by", "against", "onto"):
            return "against" if mark.role == "onto" else mark.role
        if mark.role in (*ENDS, "have", "attack", "attacked", "hold"):
            return ""
    return ""
