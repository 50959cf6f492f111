"""Says what verbs and prepositions around two armies tell about them, wherever a language puts them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.phrases.armies import Army
from bot.phrases.meaning import Evidence, Rule, find_rule
from bot.phrases.pieces import FRONT, LAST, SUBJECTS, VERBS, Mark, roles_behind, roles_of

GAP = Mark("army", "")
"""Stands for an army among the words around both."""
BY = ("by", "from", "with")
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
        mark: The word.
        opens: Whether no army is in front of the gap.
        ahead: The roles of the words in front of it.
        rest: The roles of the words behind it, as far as the next verb.
        last: The last word of the gap.
        verbs: The roles of the verbs behind it.
    """

    mark: Mark
    opens: bool
    ahead: Sequence[str]
    rest: Sequence[str]
    last: Mark
    verbs: Sequence[str]

    @property
    def is_clause(self) -> bool:
        """Whether it is a clause of its own."""
        return self.ahead[-1:] in (["pause"], ["end"]) and not self.rest

    @property
    def is_of_mine(self) -> bool:
        """Whether it says with what I can attack."""
        return "self" in self.ahead and roles_behind(self.rest, "with")[1:2] in (["pause"], ["end"])

    @property
    def takes_place(self) -> bool:
        """Whether the army before it attacks a place with an army in it."""
        return "with" in self.rest and {*self.ahead} <= {"name", "have", "men", "unit"}

    @property
    def names_target(self) -> bool:
        """Whether a place or a player is attacked, and the armies follow: "Red jumps on Blue, 16 ..."."""
        pause = index_of(self.rest, *ENDS, "colon")
        return self.opens and pause < len(self.rest) and "name" in self.rest[:pause] and "with" not in self.rest

    @property
    def is_of_others(self) -> bool:
        """Whether a name behind a pause is its subject: "..., the Germans hit"."""
        return "name" in self.ahead[index_of(self.ahead, *ENDS) :]

    @property
    def asks_of_self(self) -> bool:
        """Whether the player asks it in a sentence before the other's army."""
        return self.ahead[-1:] == ["self"] and self.rest[:1] == ["end"] and "other" in self.rest

    @property
    def goes_onto(self) -> bool:
        """Whether a preposition before whom it meets follows it."""
        return not {"against", "onto"}.isdisjoint(self.rest)

    @property
    def has_owner(self) -> bool:
        """Whether a side, or somebody who has an army, is named in front of it."""
        return not {*self.ahead}.isdisjoint((*SUBJECTS, "have"))

    @property
    def is_of_nobody(self) -> bool:
        """Whether nothing but an army can be its subject."""
        return not (self.has_owner or self.is_of_others)


def read_gap(marks: Sequence[Mark], opens: bool, army: int) -> Iterable[Evidence]:
    """Yield what the words before an army say about it and, unless they open the phrase, about the one before it."""
    if opens and marks and marks[-1].text == "?":
        return  # "can I take and hold it? 7 inf vs 5 inf"
    roles = roles_of(marks)
    for position, mark in enumerate(marks):
        if mark.role not in _READERS:
            continue
        rest = roles[position + 1 :]
        verbs = [role for role in rest if role in VERBS]
        word = Word(mark, opens, roles[:position], rest[: index_of(rest, *VERBS)], marks[-1], verbs)
        rule = find_rule(_READERS[mark.role], word)
        if rule and rule.make:
            yield Evidence(army if rule.make == AFTER else 0, rule.name, mark.text)
    yield from _of_prepositions(marks, opens, army)


def _always(_word: Word) -> bool:
    return True


_READERS: Mapping[str, Sequence[Rule[Word, str | None]]] = {
    "attack": (
        Rule("what somebody has to attack with", lambda it: it.opens and "have" in it.rest, None),
        Rule("attacks in spite of `against`", lambda it: "against" in it.ahead, AFTER),
        Rule("my attack: ...", lambda it: it.names_target and it.last.text == ":" and "self" in it.ahead, AFTER),
        Rule("a target before both armies", lambda it: it.names_target, None),
        Rule("12 that I can attack with, he has 9", lambda it: not it.opens and it.is_of_mine, BEFORE),
        # This tells who is there, "he has 12, I attack with 9" who attacks.
        Rule("12 take a territory with 9 in it", lambda it: not it.opens and it.takes_place, BEFORE),
        Rule("attacks with these", lambda it: "with" in it.rest, AFTER),
        # These may be theirs or their enemy's.
        Rule("the Germans hit 4 inf", lambda it: not it.opens and it.is_of_others, AFTER),
        Rule("an attack: ...", lambda it: it.opens and it.last.text == ":", AFTER),
        Rule("attack on these", lambda it: it.opens and it.goes_onto, AFTER),
        Rule("attacks whom the next have", lambda it: it.goes_onto, AFTER),
        Rule("those before attack", lambda it: not it.opens and not it.has_owner, BEFORE),
        Rule("attacks these", _always, AFTER),
    ),
    "attacked": (
        Rule("whom I have attacked", lambda it: {"have", "self"} <= {*it.rest}, AFTER),
        Rule("attacked by", lambda it: it.mark.text.endswith(BY) or {*ENDS, "colon"}.isdisjoint(it.rest), AFTER),
    ),
    "hold": (
        Rule("should I be worried? He has 15", lambda it: it.asks_of_self, None),
        Rule("holds with these", lambda it: it.opens or "with" in it.rest, AFTER),
        Rule("another clause that defends", lambda it: it.mark.text == "defending" and it.is_clause, AFTER),
        Rule("those before hold", lambda it: it.goes_onto or "attack" in it.verbs or it.is_of_nobody, BEFORE),
        Rule("holds these", _always, AFTER),
    ),
    "held": (Rule("held by these", _always, AFTER),),
    "here": (Rule("attack on those there", lambda it: "attack" in it.ahead, AFTER),),
    "repelled": (Rule("those before repel", lambda it: not it.opens, BEFORE),),
    "faces": (Rule("faces these", _always, AFTER),),
    "send": (Rule("sends these", _always, AFTER),),
}
"""What telling words say about the army in front of them or behind, by their roles: the first rule that fits counts."""
OF_GAPS = ("attack", "attacked", "hold", "against", "onto", "with", "by")
"""The roles of verbs and prepositions between armies."""


def _of_prepositions(marks: Sequence[Mark], opens: bool, army: int) -> Iterable[Evidence]:
    """Yield what words such as "against" say where no verb does."""
    roles = roles_of(marks)
    words = [mark for mark in marks if mark.role in OF_GAPS]
    last = words[-1] if words else GAP
    there = not {"name", "territory"}.isdisjoint(roles_behind(roles, "onto"))  # "into Peru with 12" tells who is there
    if not opens:
        if last.role == "with" and not there and {"attack", "hold", "against"}.isdisjoint(roles):
            owned = {"other", "self"} <= {*roles} or roles[-2:] == ["self", "with"]
            yield Evidence(army, "with what I attack" if owned else "with these", last.text)
        return
    if roles[-2:] == ["onto", "self"]:
        yield Evidence(army, "onto my army", last.text)
    if "wave" in roles and last.role in ("against", "onto"):
        yield Evidence(army, "a wave against these", last.text)
    elif {*roles_of(words)} == {"against"}:
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


def verb_of_subject(first: Army, second: Army) -> Mark | None:
    """Return the verb in front of two armies that follow each other: "greifen meine 12 seine 9 an"."""
    roles = {*first.roles, *second.roles}
    verb = next((mark for mark in first.before if mark.role == FRONT), None)
    if roles & {"with", "against", "onto", "by"} or any(mark.role in BREAKS for mark in second.before):
        return None
    return verb


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
    text = verb.text
    near = _near(first.before)
    roles = roles_of(rest)
    roles = roles[: index_of(roles, *VERBS)]
    apart = not set(roles) & {*BREAKS, "against"} and any(mark.role in BREAKS for mark in before)
    if apart and verb.role == "hold-last":
        return [Evidence(1, "defends in a clause of its own", text)]
    if verb.role.startswith("hold"):
        if near == "against" or (verb.role == "hold-object" and near != "with"):
            return [Evidence(1, "defends against the first", text)]
        return [Evidence(0, "the first defends", text)]
    if near in ("with", "by"):
        return [Evidence(0, "with the first", text)]
    if "with" in roles or "by" in roles:
        return [Evidence(1, "with the second, behind a verb", text)]
    if not set(roles) & set(BREAKS):
        return [Evidence(0, "the first attacks", text)]
    return _of_object(verb, 0)


def _behind(verb: Mark, first: Army, second: Army) -> list[Evidence]:
    """Return what a verb behind the second army says."""
    text = verb.text
    near = _near(second.before)
    if verb.role.startswith("hold"):
        if near == "against":
            return [Evidence(0, "defends against the second", text)]
        own = near == "with" or verb.role == "hold-last"
        return [Evidence(1, "the second defends" if own else "the second is held off", text)]
    if near in ("with", "by"):
        return [Evidence(1, "with the second", text)]
    apart = any(mark.role in BREAKS for mark in second.before)
    if near == "against" or not apart or _near(first.before) == "with":
        return [Evidence(1, "attacks the second", text)]
    return _of_object(verb, 1)


def _of_object(verb: Mark, army: int) -> list[Evidence]:
    """Return what a verb says of an army right before it: without an object of its own that may be its subject."""
    if verb.role == "attack-object":
        return [Evidence(army, "attacks its object", verb.text)]
    return [Evidence(army, rule, verb.text) for rule in ("its subject attacks", "its object is attacked")]


def _near(marks: Sequence[Mark]) -> str:
    """Return the last preposition of a gap, "against" for "onto"; "" if there is none behind the last verb."""
    for mark in reversed(straighten(marks)):
        if mark.role in ("with", "by", "against", "onto"):
            return "against" if mark.role == "onto" else mark.role
        if mark.role in (*ENDS, "have", "attack", "attacked", "hold"):
            return ""
    return ""
