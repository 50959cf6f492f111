"""The course of a battle: who fires when, and at what.

Simulations and live battles read all of it, exact odds the phases of a round; their openings are worked out in
opening.py. If both sides fire in a phase, they fire at the same time. Casualties leave at its end, and do not fire in a
later one.
"""

from typing import Literal, NamedTuple

from solver.axis.kernel.forces import Flags, Forces
from solver.axis.kernel.kinds import KindFlags
from solver.axis.units import ROLES, Role

OpeningPhase = Literal["guns", "air", "bombard", "kamikaze"]
"""The phases before the first round: anti-aircraft guns fire, planes fight each other, ships bombard; at sea there are
kamikaze attacks."""
Phase = OpeningPhase | Literal["strike", "fire"]
"""The phases of a battle: those of the opening, then in each round the strike of submarines where no enemy destroyer
is, and the fire of everybody else."""
Fighters = Forces | KindFlags
"""A force in each of many battles, or all forces of one kind."""


class PhaseRule(NamedTuple):
    """What happens in a phase.

    Attributes:
        roles: Who fires.
        reach: Which units the hits may take: see `can_reach`. In "fire" hits of some groups reach less: see `fire_of`.
        repeats: Whether it goes on as long as anybody can fire.
    """

    roles: tuple[Role, ...]
    reach: str
    repeats: bool = False


OPENING: dict[OpeningPhase, PhaseRule] = {
    "guns": PhaseRule(("defence",), "planes"),
    "air": PhaseRule(ROLES, "planes", repeats=True),
    "bombard": PhaseRule(("attack",), "any"),
    "kamikaze": PhaseRule(("defence",), "aimed"),
}
"""The phases before the first round, in their order. An edition has some of them."""
ROUND: dict[Literal["strike", "fire"], PhaseRule] = {
    "strike": PhaseRule(ROLES, "ships"),
    "fire": PhaseRule(ROLES, "any"),
}
"""The phases of a round, in their order."""


def phases_left(phase: OpeningPhase) -> list[OpeningPhase]:
    """Return the phases of the opening that may follow a volley.

    Args:
        phase: The phase of the volley.
    """
    phases = list(OPENING)
    return phases[phases.index(phase) + (not OPENING[phase].repeats) :]


class GroupFire(NamedTuple):
    """The fire of some units of a side in the phase "fire".

    Attributes:
        group: Who fires: "subs" or "planes".
        reach: Which units the hits may take.
        apart: Whether these units fire, and roll apart from all others.
        barred: Whether the reach leaves out any unit of the target.
    """

    group: str
    reach: str
    apart: Flags | bool
    barred: Flags | bool


def strikes_at(shooter: Fighters, target: Fighters) -> Flags | bool:
    """Return whether a side has submarines that strike first, because no enemy destroyer is there.

    Args:
        shooter: The forces of the side.
        target: The forces that they meet.
    """
    return shooter.subs & _no(target.screens) & shooter.strikes


def fire_of(shooter: Fighters, target: Fighters, hunted: bool, had_subs: Flags | bool) -> tuple[GroupFire, GroupFire]:
    """Return the fire of submarines and that of planes, in the order in which hits are allotted.

    Submarines that have struck first fire no more, and hit no planes. Planes hit submarines only beside a destroyer of
    their own. Those that do not roll apart roll with all others, whose hits may take any unit and are allotted last.

    Args:
        shooter: The forces that fire.
        target: The forces at which they fire.
        hunted: Whether planes can hit submarines without a destroyer.
        had_subs: Whether any side had submarines when the round began.
    """
    subs = GroupFire("subs", "ships", shooter.subs & _no(strikes_at(shooter, target)), target.planes)
    return subs, GroupFire("planes", "surface", _no(shooter.screens | hunted) & had_subs, target.subs)


def _no(flags: Flags | bool) -> Flags | bool:
    """The opposite of flags; `~` of a bool would be a number."""
    return flags ^ True
