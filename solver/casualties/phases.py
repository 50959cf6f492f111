"""The phases of a round of a battle in which casualties are chosen: who fires, and which units the hits may take."""

from typing import NamedTuple

from solver.axis.kernel.forces import Take
from solver.axis.kernel.kinds import HadSubs, KindFlags, Kinds
from solver.axis.kernel.meetings import fire_stages
from solver.axis.kernel.ways import FireStage


class Phase(NamedTuple):
    """Fire of both sides at the same time. The hits of a side are allotted in the order of its stages.

    Attributes:
        attack: The attacker's fire.
        defence: The defender's fire.
        leads_to: 0 if the round is over afterwards, else the phase that follows.
    """

    attack: tuple[FireStage, ...]
    defence: tuple[FireStage, ...]
    leads_to: int


def find_phases(kinds: Kinds, row_kind: int, column_kind: int) -> list[Phase]:
    """Return the phases in which forces of two kinds may meet.

    Args:
        kinds: The kinds of all forces.
        row_kind: The kind of the attacker's force.
        column_kind: The kind of the defender's force.

    Returns:
        The first phase of a round, then the second phase after each of `Kinds.beginnings`.
    """
    if not kinds.subs_about:
        everybody = (FireStage(Take("any"), "all"),)
        return [Phase(everybody, everybody, 0)]
    ours, theirs = kinds.flags(row_kind, column_kind)
    strikes = ours.strikes_at(theirs), theirs.strikes_at(ours)
    had = ours.subs, theirs.subs
    if any(strikes):
        strike = (FireStage(Take("ships"), "subs"),)
        place = kinds.beginnings.index(had) if had in kinds.beginnings else 0
        first = Phase(strike if strikes[0] else (), strike if strikes[1] else (), place + 1)
    else:
        first = _salvo(kinds, ours, theirs, had)
    return [first, *(_salvo(kinds, ours, theirs, begun) for begun in kinds.beginnings)]


def _salvo(kinds: Kinds, ours: KindFlags, theirs: KindFlags, had: HadSubs) -> Phase:
    """The fire of all that have not fired yet, in a round that began with such submarines."""
    keeps = [kinds.keeps_destroyer(side) and had[1 - side] for side in (0, 1)]
    attack = _stages(fire_stages(ours, theirs, any(had)), keeps[1])
    return Phase(attack, _stages(fire_stages(theirs, ours, any(had)), keeps[0]), 0)


def _stages(texts: tuple[str, ...], keep: bool) -> tuple[FireStage, ...]:
    parts = (text.split(":") for text in texts)
    return tuple(FireStage(Take(reach, keep), group) for reach, group in parts)
