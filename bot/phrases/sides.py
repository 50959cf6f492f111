"""Decides which of two armies attacks, by the words around them, and says why."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.phrases.armies import LAST, VERBS, Army, Mark
from bot.phrases.order import judge_last_verbs, straighten, verb_of_subject

GAP = Mark("army", "")
"""Stands for an army among the words around both."""
STEM = 4
"""The letters that two forms of a name share: "Germany", "the Germans"."""
BY = ("by", "from", "with")
SURE = 4
"""The least difference of evidence that decides where there is evidence for both sides."""


class Evidence(NamedTuple):
    """A reason why an army attacks, or defends where `weight` is negative."""

    army: int
    weight: int
    why: str


class Sides(NamedTuple):
    """The answer: whether the first army attacks, whether that is in doubt, and the reasons."""

    first_attacks: bool
    doubtful: bool
    reasons: tuple[Evidence, ...]


def judge(first: Army, second: Army, after: Sequence[Mark]) -> Sides:
    """Decide which army attacks; `after` are the marks behind the second."""
    front = verb_of_subject(first, second)
    last = judge_last_verbs(first, second, after)
    before, between, after = straighten(first.before), straighten(second.before), straighten(after)
    roles = [mark.role for mark in between if mark.role not in ("name", "self", "other", "pause")]
    versus = ("against" in roles or roles == ["onto"]) and not any(mark.role == "hold" for mark in first.before)
    gaps = [Evidence(0, 4, front.text)] if front else [] if versus else _of_gap(before, None, 0)
    reasons = [
        Evidence(0, 1, "first"),
        *_labels((first, second)),
        *(_of_clauses(first, second) or [*gaps, *_of_gap(between, 0, 1)]),
        *_behind(second.label, between, after),
        *_owners((first, second), [*before, GAP, *between, GAP, *after], named=not versus),
        *(Evidence(*one) for one in last),
        *_of_title(before, between),
        *_of_motion(before, between),
        *_of_owners(before, between, second),
        *_of_named_target(before, between, after),
        *([Evidence(0, -6, "there")] if _is_there(before, between) or _is_listed(first, second) else []),
    ]
    score = sum(one.weight if one.army == 0 else -one.weight for one in reasons)
    contrary = any(((one.weight > 0) == (one.army == 0)) == (score < 0) for one in reasons[1:])
    if versus and not first.label and not second.label and _says_who_defends(after):
        return Sides(True, True, tuple(reasons))  # "9 vs 12, and I'm defending"
    late = versus and any(mark.role == "attack" for mark in [one for one in after if one.role != "open"][:1])
    if late and not {first.label, second.label} & {"attacker", "defender"}:
        return Sides(True, True, tuple(reasons))  # "12 vs 9 attack!"
    if len(reasons) == 1 and not versus and _only_states(first, second, between[:1], after[:1]):
        return Sides(False, False, (*reasons, Evidence(1, 1, "self")))
    return Sides(score >= 0, abs(score) < SURE and (contrary or score <= 0), tuple(reasons))


def _says_who_defends(after: Sequence[Mark]) -> bool:
    """Tell whether a phrase ends with who defends, though it does not say whose the armies are."""
    roles = [mark.role for mark in after if mark.role != "end"]
    return roles[-2:] in (["self", "hold"], ["other", "hold"], ["self", "defender"], ["other", "defender"])


def _only_states(first: Army, second: Army, between: Sequence[Mark], after: Sequence[Mark]) -> bool:
    """Tell whether a phrase says what both have, the others first: "he has 7, I have 11" asks about an attack."""
    theirs = first.label == "other" or any(mark.role == "other" for mark in between)
    if first.label == "other" and not second.label and {mark.role for mark in second.before} & {"pause", "end"}:
        return {mark.role for mark in _last_clause(second.before)} <= {"end"}  # "he left 4 in Peru. 6 enough?"
    named = not first.label and any(mark.role == "name" for mark in first.before)
    return (theirs or named) and (second.label == "self" or any(mark.role == "self" for mark in after))


def _last_clause(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks behind the last pause."""
    pauses = [index for index, mark in enumerate(marks) if mark.role in ("pause", "end")]
    return marks[pauses[-1] + 1 :] if pauses else marks


def _labels(armies: Sequence[Army]) -> list[Evidence]:
    weights = {"attacker": 12, "defender": -12}
    return [
        Evidence(index, weights[army.label], army.label) for index, army in enumerate(armies) if army.label in weights
    ]


def _is_there(before: Sequence[Mark], between: Sequence[Mark]) -> bool:
    """Tell whether the first army stands where somebody attacks: "invade Peru, 6 there"."""
    return bool(between) and between[0].role == "here" and any(mark.role == "attack" for mark in before)


def _is_listed(first: Army, second: Army) -> bool:
    """Tell whether the first army is only there, and the player has the other: "there are 6 in Peru, I bring 11"."""
    there = any(mark.role == "there" for mark in first.before)
    roles = [mark.role for mark in second.before]
    clause = roles[max((index for index, role in enumerate(roles) if role in ("pause", "and")), default=-1) + 1 :]
    mine = second.label == "self" or clause[:1] == ["self"]
    told = {*clause} & {"attacked", "hold", "against", "then", "onto"} or roles[:1] == ["attack"]
    told = told or ("attack" in clause and "with" not in clause)  # "and I attack 10"
    return there and mine and not told


def _of_title(before: Sequence[Mark], between: Sequence[Mark]) -> list[Evidence]:
    """Return what a title says: "on 12 inf: 5 inf" and "into 9 from 12" name the target first."""
    roles = [mark.role for mark in before]
    if roles[-1:] in (["onto"], ["against"]) and [mark.text for mark in between] in ([":"], ["from"]):
        return [Evidence(0, -8, before[-1].text)]
    return []


def _of_named_target(before: Sequence[Mark], between: Sequence[Mark], after: Sequence[Mark]) -> list[Evidence]:
    """Return what the name of the target says: "attacking Peru from Brazil. 13 there, 6 in Peru"."""
    verb = next((index for index, mark in enumerate(before) if mark.role == "attack"), len(before))
    target = next((mark.text for mark in before[verb:] if mark.role in ("name", "from", "with")), "")
    gaps = [_first_clause(between), _first_clause(after)]
    found = [
        index for index, gap in enumerate(gaps) if any(mark.role == "name" and mark.text == target for mark in gap)
    ]
    return [Evidence(found[0], -20, target)] if len(found) == 1 else []


def _first_clause(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return the marks before the first pause."""
    pause = next((index for index, mark in enumerate(marks) if mark.role in ("pause", "end", "and")), len(marks))
    return marks[:pause]


def _of_owners(before: Sequence[Mark], between: Sequence[Mark], second: Army) -> list[Evidence]:
    """Return what "I attack 14, he has 10" says: the number behind the verb is its subject's."""
    roles = [mark.role for mark in before]
    attacks = roles[-2:] in (["self", "attack"], ["other", "attack"])
    has = {mark.role for mark in between} == {"pause", second.label, "have"}
    return [Evidence(0, 12, before[-1].text)] if attacks and has and roles[-2] != second.label else []


def _of_motion(before: Sequence[Mark], between: Sequence[Mark]) -> list[Evidence]:
    """Return what a verb says that moves its object: "pushes 9 inf into Peru: 4 inf"."""
    verb = next((mark for mark in before if mark.role == "attack"), None)
    roles = [mark.role for mark in between]
    moved = roles[:1] == ["onto"] and between[0].text != ":" and not {*roles} & {"with", "have", "self", "by", *VERBS}
    still = {mark.role for mark in before} & {"against", "onto", "with"}
    return [Evidence(0, 8, verb.text)] if verb and moved and not still else []


def _of_clauses(first: Army, second: Army) -> list[Evidence]:
    """Return what two verbs say of which each goes before its army: "attacking 20, defending 15"."""
    titles = [_without_title(army.before) for army in (first, second)]
    titles = [marks[:-1] if marks and marks[-1].role == "with" else marks for marks in titles]
    verbs = [marks[-1] for marks in titles if marks]
    roles = {mark.role for mark in titles[1][:-1]}
    if (
        {mark.role for mark in verbs} != {"attack", "hold"}
        or roles == {"and"}
        or roles - {"pause", "and", "end", "self", "other"}
    ):
        return []
    return [Evidence(index, 6 if verb.role == "attack" else -6, verb.text) for index, verb in enumerate(verbs)]


def _without_title(marks: Sequence[Mark]) -> Sequence[Mark]:
    """Return marks without a place and a colon at the end: "attacking Egypt: ..." is "attacking ..."."""
    if marks and marks[-1].text in (":", "\n"):
        marks = marks[:-1]
        while marks and marks[-1].role == "name":
            marks = marks[:-1]
    return marks


class Word(NamedTuple):
    """A telling word in the gap before an army.

    Attributes:
        mark: The word.
        before: The army in front of the gap; None at the beginning of the phrase.
        after: The army behind the gap.
        ahead: The roles of the words in front of it.
        rest: The roles of the words behind it, as far as the next verb.
        last: The last word of the gap.
        verbs: The roles of the verbs behind it.
    """

    mark: Mark
    before: int | None
    after: int
    ahead: Sequence[str]
    rest: Sequence[str]
    last: Mark
    verbs: Sequence[str]

    def says(self, army: int, weight: int) -> Evidence:
        """Return this word as evidence about an army."""
        return Evidence(army, weight, self.mark.text)


def _of_gap(marks: Sequence[Mark], before: int | None, after: int) -> list[Evidence]:
    """Return what the words before an army say about it and the one before it."""
    if before is None and marks and marks[-1].text == "?":
        return []  # "can I take and hold it? 7 inf vs 5 inf"
    roles = [mark.role for mark in marks]
    found: list[Evidence | None] = []
    for position, mark in enumerate(marks):
        rest = roles[position + 1 :]
        rest = rest[: next((index for index, role in enumerate(rest) if role in VERBS), len(rest))]
        if mark.role in _READERS:
            verbs = [role for role in roles[position + 1 :] if role in VERBS]
            found.append(_READERS[mark.role](Word(mark, before, after, roles[:position], rest, marks[-1], verbs)))
    return [*filter(None, found), *_of_prepositions(marks, before, after)]


def _names_target(rest: Sequence[str]) -> bool:
    """Tell whether a place or a player is attacked, and the armies follow: "Red jumps on Blue, 16 ..."."""
    pauses = [index for index, role in enumerate(rest) if role in ("pause", "end", "colon")]
    return bool(pauses) and "name" in rest[: pauses[0]] and "with" not in rest


def _is_of_others(ahead: Sequence[str]) -> bool:
    """Tell whether a name behind a pause is the subject of a verb: "..., the Germans hit"."""
    pause = next((index for index, role in enumerate(ahead) if role in ("pause", "end")), len(ahead))
    return "name" in ahead[pause:]


def _read_attack(word: Word) -> Evidence | None:
    owned = "self" in word.rest and "have" in word.rest
    if word.before is None and "have" in word.rest:
        return None
    if "against" in word.ahead:
        return word.says(word.after, 4)
    if word.before is None and _names_target(word.rest):
        return word.says(word.after, 4) if "self" in word.ahead and word.last.text == ":" else None
    if "with" in word.rest:
        behind = word.rest[word.rest.index("with") + 1 :]
        if word.before is not None and "self" in word.ahead and behind[:1] in (["pause"], ["end"]):
            return word.says(word.before, 6)  # "12 that I can attack with, he has 9"
        # "12 take a territory with 9 in it" tells who is there, "he has 12, I attack with 9" who attacks.
        if word.before is not None and not set(word.ahead) - {"name", "have", "men", "unit"}:
            return word.says(word.before, 6)
        return word.says(word.after, 6)
    if word.before is not None and _is_of_others(word.ahead):
        return word.says(word.after, 3)  # "..., the Germans hit 4 inf": these may be theirs or their enemy's
    if word.before is None and (word.last.text == ":" or owned):
        return word.says(word.after, 6)
    if "against" in word.rest or "onto" in word.rest:
        return word.says(word.after, -5 if word.before is None else -2)
    if word.before is not None and not set(word.ahead) & {"self", "other", "attacker", "defender", "have"}:
        return word.says(word.before, 5)
    return word.says(word.after, -4)


def _read_attacked(word: Word) -> Evidence | None:
    if {"have", "self"} <= set(word.rest):
        return word.says(word.after, -6)
    if word.mark.text.endswith(BY) or not {"colon", "end", "pause"} & {*word.rest}:
        return word.says(word.after, 6)
    return None


def _read_hold(word: Word) -> Evidence | None:
    if word.before is None or "with" in word.rest:
        return word.says(word.after, -6)
    subject = set(word.ahead) & {"self", "other", "attacker", "defender", "have"} or _is_of_others(word.ahead)
    if word.mark.text == "defending" and word.ahead and word.ahead[-1] in ("pause", "end") and not word.rest:
        return word.says(word.after, -6)
    if {"against", "onto"} & {*word.rest} or not subject or "attack" in word.verbs:
        return word.says(word.before, -6)
    return word.says(word.after, -6)


_READERS: dict[str, Callable[[Word], Evidence | None]] = {
    "attack": _read_attack,
    "attacked": _read_attacked,
    "hold": _read_hold,
    "held": lambda word: word.says(word.after, -6),
    "here": lambda word: word.says(word.after, -6) if "attack" in word.ahead else None,
    "repelled": lambda word: None if word.before is None else word.says(word.before, 6),
    "faces": lambda word: word.says(word.after, 3),
    "send": lambda word: word.says(word.after, 5),
}
"""Reads each telling word, by its role."""


def _of_prepositions(marks: Sequence[Mark], before: int | None, after: int) -> list[Evidence]:
    """Return what words such as "against" say where no verb does."""
    found: list[Evidence] = []
    roles = [mark.role for mark in marks]
    told = [mark for mark in marks if mark.role in ("attack", "attacked", "hold", "against", "onto", "with", "by")]
    if not told:
        return []
    last = told[-1]
    if before is not None:
        there = {"name", "territory"} & set(roles[roles.index("onto") :]) if "onto" in roles else ()
        if last.role == "with" and there:
            return found  # "into Peru with 12" tells who is there
        if last.role == "with" and not {"attack", "hold", "against"} & set(roles):
            found.append(
                Evidence(
                    after, 5 if {"other", "self"} <= set(roles) or roles[-2:] == ["self", "with"] else 3, last.text
                )
            )
        return found
    if roles[-2:] == ["onto", "self"]:
        found.append(Evidence(after, -8, last.text))
    if "wave" in roles and last.role in ("against", "onto"):
        found.append(Evidence(after, -3, last.text))
    elif {mark.role for mark in told} == {"against"}:
        found.append(Evidence(after, -6, last.text))
    return found


def _behind(label: str, between: Sequence[Mark], after: Sequence[Mark]) -> list[Evidence]:
    """Return what the words behind the second army say about it."""
    found: list[Evidence] = []
    if any(mark.role == "here" for mark in after):
        found.append(Evidence(1, -14 if any(mark.role == "attack" for mark in between) else -8, "there"))
    after = [mark for mark in after if mark.role not in ("name", "and")]
    for previous, mark in zip([GAP, *after], after[:2], strict=False):
        if (mark.role == "hold" and previous.role in ("pause", "end")) or (mark.role, previous.role) == (
            "attack",
            "end",
        ):
            continue
        if mark.role == "attacked" and previous.role == "self" != label:
            found.append(Evidence(1, 6, mark.text))
        elif mark.role == "hold" or mark.role == "attacked":
            found.append(Evidence(1, -4, mark.text))
        elif (
            between and mark is after[0] and mark.role == "attack" and not any(one.role == "attack" for one in between)
        ):
            found.append(Evidence(1, 5, mark.text))
    return found


def _owners(armies: Sequence[Army], marks: Sequence[Mark], named: bool) -> list[Evidence]:
    """Return what the sides of verbs say about armies that people own: "I have 9, he attacks with 12"."""
    attacks: dict[str, int] = {}
    subject = ""
    for previous, mark, following in zip([None, *marks], marks, [*marks[1:], None], strict=False):
        place = previous is not None and previous.role in ("with", "onto", "by")
        if mark.role in ("self", "other") or (mark.role == "name" and named and not place):
            owner = mark.role if mark.role != "name" else mark.text[:STEM]
            if previous and previous.role == "attack":
                attacks[owner] = 3 if mark.case == "subject" else -3
            else:
                subject = "self" if previous and previous.role == "have" else owner
        elif mark.role in ("pause", "end") and subject not in ("self", "other"):
            subject = ""
        elif mark.role == "attack" and previous and previous.role == "end":
            attacks.setdefault("self", 3)  # "I have 12, he has 9. Attack!"
        elif mark.role == "attack" and subject:
            asked = previous and previous.role == subject and (following is None or following.role == "end")
            attacks.setdefault(subject, 6 if asked else 3)  # "he has 13, I have 17, do I attack?"
        elif mark.role in LAST and previous and previous.role == subject:
            attacks.setdefault(subject, 3 if "attack" in mark.role else -3)
        elif mark.role in ("hold", "attacked") and subject:
            attacks.setdefault(subject, -3)
        elif mark.role in ("attacker", "defender") and previous and previous.role == subject:
            attacks[subject] = 12 if mark.role == "attacker" else -12  # "I'm the defender"
    for owner, other in (("self", "other"), ("other", "self")):
        if owner in attacks:
            attacks.setdefault(other, -attacks[owner])
    owners = [
        (index, owner)
        for index, army in enumerate(armies)
        for owner in (army.label, *(name for name in _names_of(army) if not army.label))
    ]
    return [Evidence(index, attacks[owner], owner) for index, owner in owners if owner in attacks]


def _names_of(army: Army) -> list[str]:
    """Return the names right before an army; in "the Germans attack 3 inf" they are those of others."""
    roles = [mark.role for mark in army.before]
    verb = max((index for index, role in enumerate(roles) if role in (*VERBS, "pause", "end")), default=-1)
    return [mark.text[:STEM] for mark in army.before[verb + 1 :] if mark.role == "name"]
