"""Decides which of two armies attacks, by the words around them, and says why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.phrases.armies import Army
from bot.phrases.meaning import Conditions, Evidence, Rule, find_condition, find_rule
from bot.phrases.pieces import ATTACK_LAST, HOLD_LAST, SIDES, VERBS, Mark, roles_of
from bot.phrases.verbs import ENDS, GAP, index_of, judge_last_verbs, read_gap, straighten, verb_of_subject

STEM = 4
"""The letters that two forms of a name share: "Germany", "the Germans"."""
SURE = 2
"""The least sum of weights that decides. Cross-validation says how many phrases are read wrongly with it."""
OF_ORDER = "order", "both only have armies"
"""The rules by which nothing but the order of the armies tells who attacks."""
OUTRIGHT = "I'm the attacker", "I'm the defender"
"""The rules that count whatever was said before."""


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


def _says_attack_late(meeting: Meeting) -> bool:
    """Tell whether "attack" follows armies of which no side is named."""
    roles = [role for role in roles_of(meeting.after) if role != "open"]
    return roles[:1] == ["attack"] and not {meeting.first.label, meeting.second.label} & {*SIDES}


_DOUBTS: Conditions[Meeting] = {
    "9 vs 12, and I'm defending": lambda it: it.is_versus and _says_who_defends(it),
    "12 vs 9 attack!": lambda it: it.is_versus and _says_attack_late(it),
}
"""Phrases that do not say who attacks, by an example of each."""


def _only_states(meeting: Meeting) -> bool:
    """Tell whether a phrase says what both have, the others first: "he has 7, I have 11" asks about an attack."""
    first, second, between = meeting.first, meeting.second, roles_of(meeting.between[:1])
    if first.label == "other" and not second.label and not {*second.roles}.isdisjoint(ENDS):
        return {*roles_of(_last_clause(second.before))} <= {"end"}  # "he left 4 in Peru. 6 enough?"
    theirs = first.label == "other" or between == ["other"] or (not first.label and "name" in first.roles)
    return theirs and (second.label == "self" or roles_of(meeting.after[:1]) == ["self"])


def _last_clause(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks behind the last pause."""
    return marks[max((index + 1 for index, mark in enumerate(marks) if mark.role in ENDS), default=0) :]


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


def _of_own_number(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what "I attack 14, he has 10" says: the number behind the verb is its subject's."""
    roles, label = roles_of(meeting.before), meeting.second.label
    attacks = roles[-2:] in (["self", "attack"], ["other", "attack"])
    if attacks and roles[-2] != label and {*roles_of(meeting.between)} == {"pause", label, "have"}:
        yield Evidence(0, "number of the subject", meeting.before[-1].text)


def _of_motion(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what a verb says that moves its object: "pushes 9 inf into Peru: 4 inf"."""
    verb = next((mark for mark in meeting.before if mark.role == "attack"), None)
    roles = roles_of(meeting.between)
    moved = roles[:1] == ["onto"] and meeting.between[0].text != ":"
    still = {*roles} & {"with", "have", "self", "by", *VERBS} or {*roles_of(meeting.before)} & {
        "against",
        "onto",
        "with",
    }
    if verb and moved and not still:
        yield Evidence(0, "moved by a verb", verb.text)


def _of_clauses(meeting: Meeting) -> list[Evidence]:
    """Return what two verbs say of which each goes before its army: "attacking 20, defending 15"."""
    titles = [_without_title(army.before) for army in (meeting.first, meeting.second)]
    titles = [marks[:-1] if marks and marks[-1].role == "with" else marks for marks in titles]
    verbs = [marks[-1] for marks in titles if marks]
    roles = {*roles_of(titles[1][:-1])}
    if {*roles_of(verbs)} != {"attack", "hold"} or roles == {"and"} or roles - {*ENDS, "and", "self", "other"}:
        return []
    return [Evidence(index, f"clause of {verb.role}", verb.text) for index, verb in enumerate(verbs)]


def _without_title(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return marks without a place and a colon at the end: "attacking Egypt: ..." is "attacking ..."."""
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
    Rule("a call to attack", lambda it: (it.previous, it.role) == ("end", "attack"), False),
    Rule("I am attacked", lambda it: it.role == "attacked" and it.previous == "self" != it.label, True),
    Rule("it is attacked", lambda it: it.role in ("hold", "attacked"), True),
    Rule("it attacks", lambda it: it.role == "attack" and it.previous == GAP.role and it.is_free, True),
)
"""What the two words behind the second army say about it."""


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
    """A word: its role, those of the ones beside it, and the subject of its clause."""

    role: str
    previous: str
    following: str
    subject: str

    @property
    def is_right_before(self) -> bool:
        """Whether the subject stands right before the word."""
        return self.subject != "" and self.previous == self.subject


_OF_SUBJECTS: Sequence[Rule[Spoken, str]] = (
    # "I have 12, he has 9. Attack!"
    Rule("call to attack", lambda it: (it.previous, it.role) == ("end", "attack"), "self"),
    # "he has 13, I have 17, do I attack?"
    Rule("do I attack?", lambda it: it.role == "attack" and it.is_right_before and it.following == "end", ""),
    Rule("attacks", lambda it: it.role == "attack" and bool(it.subject), ""),
    Rule("verb at the end: attacks", lambda it: it.role in ATTACK_LAST and it.is_right_before, ""),
    Rule("verb at the end: defends", lambda it: it.role in HOLD_LAST and it.is_right_before, ""),
    Rule("defends", lambda it: it.role in ("hold", "attacked") and bool(it.subject), ""),
    Rule("I'm the attacker", lambda it: it.role == "attacker" and it.is_right_before, ""),
    Rule("I'm the defender", lambda it: it.role == "defender" and it.is_right_before, ""),
)
"""Whom a verb says something of ("" is its subject)."""


def _of_owners(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the sides of verbs say about armies that people own: "I have 9, he attacks with 12"."""
    rules = _rules_of_owners([*meeting.before, GAP, *meeting.between, GAP, *meeting.after], not meeting.is_versus)
    for index, army in enumerate((meeting.first, meeting.second)):
        for owner in (army.label, *(() if army.label else _names_of(army))):
            enemy = {"self": "other", "other": "self"}.get(owner, "")
            if owner in rules:
                yield Evidence(index, rules[owner], owner)
            elif enemy in rules:
                yield Evidence(index, rules[enemy], owner, of_enemy=True)


def _rules_of_owners(marks: Sequence[Mark], named: bool) -> dict[str, str]:
    """Return the rules about the sides of verbs, by sides and names; names are owners if they are `named`."""
    rules: dict[str, str] = {}
    subject = ""
    roles = ["start", *roles_of(marks), "end"]
    for previous, mark, following in zip(roles, marks, roles[2:], strict=False):
        owner = mark.role if mark.role in ("self", "other") else ""
        if mark.role == "name" and named and previous not in ("with", "onto", "by"):
            owner = mark.text[:STEM]
        if owner and previous == "attack":
            rules[owner] = "subject behind its verb" if mark.case == "subject" else "object behind a verb"
        elif owner:
            subject = "self" if previous == "have" else owner
        elif mark.role in ENDS:
            subject = subject if subject in ("self", "other") else ""
        elif rule := find_rule(_OF_SUBJECTS, Spoken(mark.role, previous, following, subject)):
            actor = rule.make or subject
            if actor not in rules or rule.name in OUTRIGHT:
                rules[actor] = rule.name
    return rules


def _names_of(army: Army) -> list[str]:
    """Return the names right before an army; in "the Germans attack 3 inf" they are those of others."""
    start = max((index + 1 for index, role in enumerate(army.roles) if role in (*VERBS, *ENDS)), default=0)
    return [mark.text[:STEM] for mark in army.before[start:] if mark.role == "name"]


def _around(meeting: Meeting) -> Iterable[Evidence]:
    """Yield what the words in front of both armies say about them."""
    if clauses := _of_clauses(meeting):
        return clauses
    front = verb_of_subject(meeting.first, meeting.second)
    opening = (
        [Evidence(0, "verb in front of its subject", front.text)]
        if front
        else []
        if meeting.is_versus
        else read_gap(meeting.before, True, 0)
    )
    return [*opening, *read_gap(meeting.between, False, 1)]


_EVIDENCE: Mapping[str, Callable[[Meeting], Iterable[Evidence]]] = {
    "the order of the armies": lambda _meeting: [Evidence(0, "order", "first")],
    "their sides": _labels,
    "words in front of them": _around,
    "words behind them": _behind,
    "their owners": _of_owners,
    "verbs at the end": lambda it: judge_last_verbs(it.first, it.second, it.end),
    "a title": _of_title,
    "a verb that moves its object": _of_motion,
    "the number of its subject": _of_own_number,
    "the name of the target": _of_named_target,
    "who is there": _of_defence,
}
"""The kinds of evidence about two armies, each with the function that yields it."""
