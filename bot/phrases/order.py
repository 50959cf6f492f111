"""Reads verbs of languages that put them at the end, behind their object, or in front of their subject."""

from collections.abc import Sequence

from bot.phrases.armies import FRONT, LAST, VERBS, Army, Mark

SUBJECTS = ("self", "other", "name")
"""The roles of words that a verb may follow."""
BREAKS = ("pause", "end", "and", "have")
"""The roles of marks between two clauses."""
Told = tuple[int, int, str]
"""The index of an army, how much says that it attacks, and the word that says so."""


def straighten(marks: Sequence[Mark]) -> list[Mark]:
    """Return marks with each subject in front of its verb: "greife ich" becomes "ich greife".

    In "a territory with 18" the word "with" says who is there, and "to" in "to attack" says nothing; they go.
    """
    found: list[Mark] = []
    for mark in marks:
        if mark.role == "with" and found and found[-1].role == "territory":
            continue
        if mark.role == "attack" and found and found[-1].role == "onto":
            found.pop()
        led = [one.role for one in found[-2:] if one.role in (*SUBJECTS, FRONT)]
        if mark.role in SUBJECTS and led == [FRONT] and found[-1].role == FRONT:
            found.insert(len(found) - 1, mark)
        else:
            found.append(mark)
    return [Mark("attack", mark.text) if mark.role == FRONT else mark for mark in found]


def verb_of_subject(first: Army, second: Army) -> Mark | None:
    """Return the verb in front of two armies that follow each other: "greifen meine 12 seine 9 an"."""
    roles = {mark.role for mark in [*first.before, *second.before]}
    verb = next((mark for mark in first.before if mark.role == FRONT), None)
    if roles & {"with", "against", "onto", "by"} or any(mark.role in BREAKS for mark in second.before):
        return None
    return verb


def judge_last_verbs(first: Army, second: Army, after: Sequence[Mark]) -> list[Told]:
    """Return what verbs at the end say about both armies."""
    found = [(0, -6, mark.text) for mark in first.before if mark.role == "hold-last"]
    between = {mark.role for mark in second.before}
    spoken = [mark for mark in first.before if mark.text.isalpha() or mark.role in BREAKS]
    if _near(spoken) == "against" and between & {"attack", FRONT, "with"} and not between & {"against", "onto"}:
        found.append((0, -12, "against"))
    for position, mark in enumerate(second.before):
        if mark.role in LAST:
            found += _between(mark, first, second.before[:position], second.before[position + 1 :])
    for position, mark in enumerate(after):
        if mark.role in LAST and not any(one.role in ("pause", "end") for one in after[:position]):
            found += _behind(mark, first, second)
    return found


def _between(verb: Mark, first: Army, before: Sequence[Mark], rest: Sequence[Mark]) -> list[Told]:
    """Return what a verb behind the first army says."""
    text = verb.text
    near = _near(first.before)
    roles = [mark.role for mark in rest]
    roles = roles[: next((index for index, role in enumerate(roles) if role in VERBS), len(roles))]
    apart = not set(roles) & {*BREAKS, "against"} and any(mark.role in BREAKS for mark in before)
    if apart and verb.role == "hold-last":
        return [(1, -6, text)]
    if verb.role.startswith("hold"):
        if near == "against" or (verb.role == "hold-object" and near != "with"):
            return [(1, -6, text)]
        return [(0, -6, text)]
    if near in ("with", "by"):
        return [(0, 6, text)]
    if "with" in roles or "by" in roles:
        return [(1, 6, text)]
    if not set(roles) & set(BREAKS):
        return [(0, 5, text)]
    return _of_object(verb, 0)


def _behind(verb: Mark, first: Army, second: Army) -> list[Told]:
    """Return what a verb behind the second army says."""
    text = verb.text
    near = _near(second.before)
    if verb.role.startswith("hold"):
        if near == "against":
            return [(0, -6, text)]
        return [(1, -6 if near == "with" or verb.role == "hold-last" else 5, text)]
    if near in ("with", "by"):
        return [(1, 6, text)]
    apart = any(mark.role in BREAKS for mark in second.before)
    if near == "against" or not apart or _near(first.before) == "with":
        return [(1, -5, text)]
    return _of_object(verb, 1)


def _of_object(verb: Mark, army: int) -> list[Told]:
    """Return what a verb says of an army right before it: without an object of its own that may be its subject."""
    if verb.role == "attack-object":
        return [(army, -5, verb.text)]
    return [(army, 4, verb.text), (army, -4, verb.text)]


def _near(marks: Sequence[Mark]) -> str:
    """Return the last preposition of a gap, "against" for "onto"; "" if there is none behind the last verb."""
    for mark in reversed(straighten(marks)):
        if mark.role in ("with", "by", "against", "onto"):
            return "against" if mark.role == "onto" else mark.role
        if mark.role in ("pause", "end", "have", "attack", "attacked", "hold"):
            return ""
    return ""
