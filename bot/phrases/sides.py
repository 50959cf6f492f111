"""Decides which of two armies attacks, by the words around them, and says why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.phrases.armies import Army
from bot.phrases.meaning import Conditions, Evidence, Rule, find_condition, find_rule
from bot.phrases.pieces import ATTACK_LAST, FRONT, HOLD_LAST, SIDES, SUBJECTS, VERBS, Mark, roles_of
from bot.phrases.verbs import ENDS, GAP, PEOPLE, index_of, judge_last_verbs, read_gap, straighten

STEM = 4
"""The letters that two forms of a name share: "Germany", "the Germans"."""
SURE = 2.0
"""The least sum of weights that decides. Cross-validation says how many phrases are read wrongly with it."""
OF_ORDER = "order", "both only have armies"
"""The rules by which nothing but the order of the armies tells who attacks."""
ENEMIES = {"self": "other", "other": "self"}
"""The sides of the player and of the other, each with its enemy's."""


class Sides(NamedTuple):
    """The answer: whether the first army attacks, whether that is in doubt, and the reasons."""

    first_attacks: bool
    doubtful: bool
    reasons: tuple[Evidence, ...]


class Meeting(NamedTuple):
    """Two armies, and the words around them.

    Attributes:
        first, second: The armies.
        end: The words behind the second, as they were said.
        before, between, after: The words around both, with each subject in front of its verb.
        is_versus: Whether no more than a word such as "against" parts the armies.
    """

    first: Army
    second: Army
    end: Sequence[Mark]
    before: Sequence[Mark]
    between: Sequence[Mark]
    after: Sequence[Mark]
    is_versus: bool


def judge(first: Army, second: Army, after: Sequence[Mark]) -> Sides:
    """Decide which army attacks; `after` are the marks behind the second."""
    before, between, behind = map(straighten, (first.before, second.before, after))
    roles = [role for role in roles_of(between) if role not in ("name", "self", "other", "pause")]
    versus = ("against" in roles or roles == ["onto"]) and "hold" not in first.roles
    meeting = Meeting(first, second, after, before, between, behind, versus)
    reasons = tuple(reason for find in _EVIDENCE.values() for reason in find(meeting))
    if find_condition(_DOUBTS, meeting):
        return Sides(True, True, reasons)
    if len(reasons) == 1 and not meeting.is_versus and _only_states(meeting):
        return Sides(False, False, (*reasons, Evidence(1, "both only have armies", "self")))
    score = sum(reason.weight if reason.army == 0 else -reason.weight for reason in reasons)
    return Sides(score >= 0, abs(score) < SURE, reasons)


def _says_who_defends(meeting: Meeting) -> bool:
    """Tell whether a phrase ends with who defends, though it does not say whose the armies are."""
    ends = [role for role in roles_of(meeting.after) if role != "end"][-2:]
    named = meeting.first.label or meeting.second.label
    return not named and ends[:1] in (["self"], ["other"]) and ends[1:] in (["hold"], ["defender"])


def _lists_people(meeting: Meeting) -> bool:
    """Tell whether two people are listed, and then what they have."""
    people = [role for role in roles_of(meeting.before) if role not in (*ENDS, "colon")]
    pair = people[1:2] in (["and"], ["with"]) and {people[0], *people[2:]} <= {*PEOPLE}
    return pair and roles_of(meeting.between) == ["and"]


def _names_two(meeting: Meeting) -> bool:
    """Tell whether each of two others has an army, and neither does anything."""
    gaps = [{*roles_of(gap)} for gap in (meeting.before, meeting.between, meeting.after)]
    others = {*VERBS, *SUBJECTS, "goes", "send", "with", "onto", "against"} & set().union(*gaps)
    return gaps[0] == {"name", "have"} and {"name", "and"} <= gaps[1] and not others


def _both_attack(meeting: Meeting) -> bool:
    """Tell whether it is said of both that they attack with their armies."""
    gaps = [{*roles_of(gap)} for gap in (meeting.before, meeting.between)]
    people = {"self", "other"} & gaps[0] and {"self", "other"} & gaps[1]
    return all({"attack", "with"} <= gap for gap in gaps) and bool(people)


_DOUBTS: Conditions[Meeting] = {
    "one of us attacks, 12 and 9": lambda it: "somebody" in roles_of((*it.before, *it.between, *it.after)),
    "me and dave, 12 and 9": _lists_people,
    "ana has 13 and ben 10": _names_two,
    "he attacks with 12, and I'm the one attacking with 9": _both_attack,
    "chance that 5 of my 12 survive": lambda it: (
        roles_of(it.between) == ["for"] and it.first.closed and bool(it.first.numbers) and not it.second.label
    ),
    "she has 16, I have 14, Marge attacks": lambda it: (
        bool(it.first.label + it.second.label) and ("name", "attack") in pairwise(roles_of(it.after))
    ),
    "9 vs 12, and I'm defending": lambda it: it.is_versus and _says_who_defends(it),
}
"""Phrases that do not say who attacks, by an example of each."""


def _only_states(meeting: Meeting) -> bool:
    """Tell whether a phrase says what both have, the others first: "he has 7, I have 11" asks about an attack."""
    first, second, between = meeting.first, meeting.second, roles_of(meeting.between[:2])
    if first.label == "other" and not second.label and second.roles[-1:] in (["end"], ["pause"]):
        return True  # "he left 4 in Peru. 6 enough?"
    if FRONT in first.roles or (first.roles[:1] in (["name"], ["have"]) and "attack" in first.roles):
        return False  # "Japan will mit 6 Inf in mein Burma, da stehen 4 Inf", "Marge attacks. She has 16, I have 14"
    behind = between in (["other"], ["have", "other"], ["other", "end"], ["other", "pause"])
    theirs = first.label == "other" or (not first.label and (behind or "name" in first.roles))
    after = [role for role in roles_of(meeting.after) if role != "have"]
    return theirs and (second.label == "self" or after[:1] == ["self"])


def _first_clause(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks before the first pause."""
    return marks[: index_of(roles_of(marks), *ENDS, "and")]


def _labels(meeting: Meeting) -> Iterable[Evidence]:
    for index, army in enumerate((meeting.first, meeting.second)):
        if army.label in SIDES:
            yield Evidence(index, f"named the {army.label}", army.label)


def _of_defence(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what a list of those who are there says: "invade Peru, 6 there", "there are 6 in Peru, I bring 11"."""
    here = roles_of(meeting.between[:1]) == ["here"] and "attack" in roles_of(meeting.before)
    if here or _is_listed(meeting.first, meeting.second):
        yield Evidence(0, "only there", "there")


def _is_listed(first: Army, second: Army) -> bool:
    """Tell whether the first army is only there, and the player has the other."""
    roles = second.roles
    clause = roles[max((index for index, role in enumerate(roles) if role in ("pause", "and")), default=-1) + 1 :]
    mine = second.label == "self" or clause[:1] == ["self"]
    attacks = roles[:1] == ["attack"] or ("attack" in clause and "with" not in clause)  # "and I attack 10"
    met = {*clause} & {"attacked", "hold", "against", "then", "onto"}
    return "there" in first.roles and mine and not attacks and not met


def _of_title(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what a title says: "on 12 inf: 5 inf" and "into 9 from 12" name the target first."""
    title = roles_of(meeting.before[-1:]) in (["onto"], ["against"])
    if title and [mark.text for mark in meeting.between] in ([":"], ["from"]):
        yield Evidence(0, "title with the target", meeting.before[-1].text)


def _of_named_target(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the name of the target says: "attacking Peru from Brazil. 13 there, 6 in Peru"."""
    behind = meeting.before[index_of(roles_of(meeting.before), "attack") :]
    target = next((mark.text for mark in behind if mark.role in ("name", "from", "with")), "")
    gaps = [_first_clause(meeting.between), _first_clause(meeting.after)]
    armies = [army for army, gap in enumerate(gaps) if ("name", target) in [(mark.role, mark.text) for mark in gap]]
    if len(armies) == 1:
        yield Evidence(armies[0], "name of the target", target)


def _of_clauses(meeting: Meeting) -> list[Evidence]:
    """Return what two verbs say of which each goes before its army: "attacking 20, defending 15"."""
    titles = [_without_title(gap) for gap in (meeting.before, meeting.between)]
    titles = [marks[:-1] if marks and marks[-1].role == "with" else marks for marks in titles]
    verbs = [marks[-1] for marks in titles if marks]
    roles = {*roles_of(titles[1][:-1])}
    if {*roles_of(verbs)} != {"attack", "hold"} or roles == {"and"} or roles - {*ENDS, "and", "self", "other", "name"}:
        return []
    return [Evidence(index, f"clause of {verb.role}", verb.text) for index, verb in enumerate(verbs)]


def _without_title(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return marks without what follows a verb and says no more: "attacking Egypt: ...", "I attack. ..."."""
    ends = len(marks)
    while ends and marks[ends - 1].role in (*ENDS, "self", "other"):
        ends -= 1
    if ends and marks[ends - 1].role in ("attack", "hold"):
        return marks[:ends]
    if marks and marks[-1].text in (":", "\n"):
        marks = marks[:-1]
        while marks and marks[-1].role == "name":
            marks = marks[:-1]
    return marks


class Later(NamedTuple):
    """A word behind the second army: its role, that of the one before it, and the army's label.

    `is_free` tells whether there are words between the armies, and none says that one attacks.
    """

    role: str
    previous: str
    label: str
    is_free: bool


_LATER: Sequence[Rule[Later, bool]] = (
    Rule("another clause", lambda it: it.role == "hold" and it.previous in ENDS, False),
    Rule("I am attacked", lambda it: it.role == "attacked" and it.previous == "self" != it.label, True),
    Rule("it is attacked", lambda it: it.role in ("hold", "attacked"), True),
    Rule("it attacks", lambda it: it.role == "attack" and it.previous == GAP.role and it.is_free, True),
)
"""The meanings of the two words behind the second army."""


def _behind(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the words behind the second army say about it."""
    attacked = "attack" in roles_of(meeting.between)
    if "here" in roles_of(meeting.after):
        yield Evidence(1, "those there, attacked" if attacked else "those there", "there")
    after = [mark for mark in meeting.after if mark.role not in ("name", "and")]
    for previous, mark in zip([GAP, *after], after[:2], strict=False):
        word = Later(mark.role, previous.role, meeting.second.label, bool(meeting.between) and not attacked)
        rule = find_rule(_LATER, word)
        if rule and rule.make:
            yield Evidence(1, rule.name, mark.text)


class Spoken(NamedTuple):
    """A word: its role, the side that its form names, the role of the one before it, and the subject of its clause.

    `passive` tells whether "by" stands in the clause.
    """

    role: str
    person: str
    previous: str
    subject: str
    passive: bool

    @property
    def is_call(self) -> bool:
        """Whether it is a call to attack, of nobody in particular."""
        return self.previous in ENDS and self.role == "attack" and self.person in ("", "doing")

    @property
    def is_right_before(self) -> bool:
        """Whether the subject stands right before the word."""
        return self.subject != "" and self.previous == self.subject


_OF_SUBJECTS: Sequence[Rule[Spoken, str]] = (
    Rule("whose turn it is", lambda it: it.role == "goes" and bool(it.subject), ""),
    Rule("is attacked by", lambda it: it.role in ATTACK_LAST and it.passive and bool(it.subject), ""),
    # "I have 12, he has 9. Attack!"
    Rule("call to attack", lambda it: it.is_call, "self"),
    Rule("attacks", lambda it: it.role == "attack" and bool(it.subject), ""),
    Rule("verb at the end: attacks", lambda it: it.role in ATTACK_LAST and it.is_right_before, ""),
    Rule("verb at the end: defends", lambda it: it.role in HOLD_LAST and it.is_right_before, ""),
    Rule("defends", lambda it: it.role in ("hold", "attacked") and bool(it.subject), ""),
    Rule("I'm the defender", lambda it: it.role == "defender" and it.is_right_before, ""),
)
"""Whom a verb says something of ("" is its subject)."""


def _of_owners(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the sides of verbs say about armies that people own: "I have 9, he attacks with 12"."""
    rules = _rules_of_owners(meeting)
    for index, (army, side) in enumerate(zip((meeting.first, meeting.second), _owners(meeting), strict=True)):
        for owner in (side, *(() if army.label else _names_of(army))):
            enemy = ENEMIES.get(owner, "")
            if owner in rules:
                yield Evidence(index, rules[owner], owner)
            elif enemy in rules:
                yield Evidence(index, rules[enemy], owner, of_enemy=True)


def _owners(meeting: Meeting) -> tuple[str, str]:
    """Return whose the armies are; a name that has an army beside the player is the other's.

    Where one is the player's and nothing names the other's side, that is the enemy's.
    """
    beside_self = {*roles_of((*meeting.before, *meeting.between, *meeting.after))} & {"self"}
    first, second = (
        army.label or ("other" if beside_self and ("name", "have") in pairwise(army.roles) else "")
        for army in (meeting.first, meeting.second)
    )
    return first or ENEMIES.get(second, ""), second or ENEMIES.get(first, "")


def _rules_of_owners(meeting: Meeting) -> dict[str, str]:
    """Return the rules about the sides of verbs, by sides and names."""
    marks = [*meeting.before, GAP, *meeting.between, GAP, *meeting.after]
    rules: dict[str, str] = {}
    subject, passive = "", False
    roles = ["start", *roles_of(marks), "end"]
    for previous, mark, following in zip(roles, marks, roles[2:], strict=False):
        owner = _owner_of(mark, previous, meeting.is_versus)
        if owner and previous == "attack":
            rules[owner] = "subject behind its verb" if mark.case == "subject" else "object behind a verb"
            continue
        actor = owner or (mark.case if _tells_subject(mark, previous, following) else "")
        ended = mark.role in ENDS and subject not in ENEMIES
        subject = _subject_of(mark, actor, previous, following) if actor else "" if ended else subject
        passive = mark.role not in ENDS and (passive or mark.role == "by")
        rule = find_rule(_OF_SUBJECTS, Spoken(mark.role, mark.case, previous, subject, passive))
        if rule and not owner:
            rules.setdefault(rule.make or subject, rule.name)
    return rules


def _owner_of(mark: Mark, previous: str, versus: bool) -> str:
    """Return whom a word names as an owner; beside "against" a name is none, nor is whom a preposition leads."""
    if mark.role == "name":
        return "" if versus or previous in ("with", "onto", "by") else mark.text[:STEM]
    return "" if mark.role not in ENEMIES or previous in ("onto", "against") else mark.role  # "на мои 9 идут 13"


def _subject_of(mark: Mark, actor: str, previous: str, following: str) -> str:
    """Return the subject that a word names: "I have his ..." still speaks of "I", and "меня атакует" of the enemy."""
    if mark.case == "object" and previous != "have" and following == "attack":
        return ENEMIES.get(actor, actor)
    return "self" if previous == "have" and mark.case != "object" else actor


def _tells_subject(verb: Mark, previous: str, following: str) -> bool:
    """Tell whether the form of a verb says whose it is: "ataco", or "пробьет?" behind what both have."""
    stated = following == ENEMIES.get(verb.case)  # "атакую его" has an object, "атакует я" a mistake
    if verb.case == "self":
        return previous not in ENEMIES
    return verb.case == "other" and verb.role == "attack" and previous in (*ENDS, "start", "end", "and") and not stated


def _names_of(army: Army) -> list[str]:
    """Return the names right before an army; in "the Germans attack 3 inf" they are those of others."""
    start = max((index + 1 for index, role in enumerate(army.roles) if role in (*VERBS, *ENDS)), default=0)
    return [mark.text[:STEM] for mark in army.before[start:] if mark.role == "name"]


def _around(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the words in front of both armies say about them."""
    if clauses := _of_clauses(meeting):
        return clauses
    opening = () if meeting.is_versus else read_gap(meeting.before, True, 0)
    return [*opening, *read_gap(meeting.between, False, 1)]


_EVIDENCE: Mapping[str, Callable[[Meeting], Iterable[Evidence]]] = {
    "the order of the armies": lambda _meeting: [Evidence(0, "order", "first")],
    "their sides": _labels,
    "words in front of them": _around,
    "words behind them": _behind,
    "their owners": _of_owners,
    "verbs at the end": lambda it: judge_last_verbs(it.first, it.second, it.end),
    "a title": _of_title,
    "the name of the target": _of_named_target,
    "who is there": _of_defence,
}
"""The kinds of evidence about two armies, each with the function that yields it."""
