"""Throws of live battles of Axis & Allies: which dice each side rolls, and how they fall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.axis.course import AIMED, Phase
from solver.axis.kernel.forces import Forces, can_reach
from solver.axis.kernel.hits import CHANCES
from solver.axis.loss_order import Force, Places, Segment
from solver.axis.rows import Salvo
from solver.axis.sides import FACES, LOW_LUCK, Dice, Units
from solver.axis.units import name_of_damaged
from solver.game import Die, Source

MOST_SIDES = 256
"""The most sides of a die: a byte of a seed makes one."""
Counted = Mapping[str, int]
"""The number of units of each kind."""


@dataclass(frozen=True, slots=True)
class Group:
    """Dice that one side rolls together.

    Attributes:
        sides: The sides of each die.
        needs: The highest face that hits, for each die.
        sure: The number of hits that need no dice.
        pairs: So many of the first dice are rolled twice, and the better roll counts.
    """

    sides: int
    needs: tuple[int, ...]
    sure: int = 0
    pairs: int = 0

    @property
    def rolls(self) -> tuple[int, ...]:
        """The highest face that hits, for each roll."""
        return tuple(need for place, need in enumerate(self.needs) for _ in range(1 + (place < self.pairs)))


@dataclass(frozen=True, slots=True)
class AxisThrow:
    """One throw of a battle. The first of each pair is the attacker's.

    A side rolls first for its submarines, then for planes that roll by themselves, then for all others; in each group
    the strongest units come first.

    Attributes:
        number: The number of the round, from 1.
        stage: Who fires.
        attack: The attacker's dice.
        defence: The defender's dice.
        needs: The highest face that hits, for each die of each side; 0 for one that draws a plane that is hit.
        hits: The hits of each side, those without dice included.
        lost: The units that each side has lost since the throw before.
        damaged: The units of each side that took the first of two hits since the throw before.
        aims: The kinds of units at which the dice are aimed, in their order, and how many are; empty if at none.
    """

    number: int
    stage: Phase
    attack: tuple[Die, ...]
    defence: tuple[Die, ...]
    needs: tuple[tuple[int, ...], tuple[int, ...]]
    hits: tuple[int, int]
    lost: tuple[Counted, Counted]
    damaged: tuple[Counted, Counted]
    aims: Units


def aim_salvo(salvo: Salvo, target: Forces) -> Salvo:
    """Return a salvo without the dice that could hit nobody.

    Args:
        salvo: The salvo of one battle.
        target: The forces it is fired at; their first row counts.
    """

    def can_hit(reach: str) -> bool:
        if reach.startswith(AIMED):
            return True
        pairs = zip(target.segments, target.active[0].tolist(), strict=True)
        return any(count and can_reach(reach, segment.unit) for segment, count in pairs)

    pairs = zip(salvo.reaches, salvo.powers, strict=True)
    return salvo._replace(powers=tuple(powers if can_hit(reach) else 0 * powers for reach, powers in pairs))


def salvo_groups(salvo: Salvo, dice: Dice) -> list[Group]:
    """Return the dice of a salvo of one battle, group by group: see `Group`."""
    return [dice_group(powers[0].tolist(), dice) for powers in salvo.powers]


def dice_group(powers: Sequence[int], dice: Dice) -> Group:
    """Return the dice of units that roll together.

    Args:
        powers: The number of dice of each column of `CHANCES`, some of which may be left out at the end.
        dice: The kind of dice.
    """
    faces = FACES[dice]
    if dice in LOW_LUCK:
        sure, over = divmod(sum(strength * count for strength, count in enumerate(powers)), faces)
        return Group(faces, (over,) if over else (), sure)
    strongest = [column for column in range(len(powers) - 1, 0, -1) for _ in range(powers[column])]
    sides, pairs = 10 if dice == "biased" else faces, sum(powers[faces + 1 :])
    strengths = [column - faces if place < pairs else column for place, column in enumerate(strongest)]
    return Group(sides, tuple(round(CHANCES[dice][strength] * sides) for strength in strengths), pairs=pairs)


def roll_group(group: Group, source: Source) -> tuple[tuple[Die, ...], int]:
    """Roll the dice of a group; return the dice as they fell, and the number of hits. See `Source`."""
    dice = tuple(
        Die(group.sides, (source(group.sides), source(group.sides)), lowest=True)
        if place < group.pairs
        else Die(group.sides, (source(group.sides),))
        for place in range(len(group.needs))
    )
    return dice, group.sure + sum(die.face <= need for die, need in zip(dice, group.needs, strict=True))


def draw_planes(planes: Counted, hits: int, source: Source) -> tuple[tuple[Die, ...], tuple[int, ...]]:
    """Draw the planes that hits take; return the dice as they fell, and how many of each kind are drawn.

    Each die has as many sides as there are planes left; planes count in the order of `planes`. No die falls where all
    planes are hit.

    Args:
        planes: The planes of each kind.
        hits: The number of hits.
        source: See `Source`.
    """
    left = [place for place, count in enumerate(planes.values()) for _ in range(count)]
    if hits >= len(left):
        return (), tuple(planes.values())
    dice, drawn = list[Die](), [0] * len(planes)
    for _hit in range(hits):
        some, face = _draw(len(left), source)
        dice += some
        drawn[left.pop(face - 1)] += 1
    return tuple(dice), tuple(drawn)


def _draw(count: int, source: Source) -> tuple[list[Die], int]:
    """Dice that choose one of so many, and which: two where one is too small, again as long as they say too much."""
    if count <= MOST_SIDES:
        die = Die(count, (source(count),))
        return [die], die.face
    dice = list[Die]()
    while True:
        dice += [Die(sides, (source(sides),)) for sides in (-(-count // MOST_SIDES), MOST_SIDES)]
        face = (dice[-2].face - 1) * MOST_SIDES + dice[-1].face
        if face <= count:
            return dice, face


def needs_of(groups: Sequence[Group]) -> tuple[int, ...]:
    """Return the highest face that hits, for each die of several groups: see `Group`."""
    return tuple(need for group in groups for need in group.needs)


def count_units(segments: Sequence[Segment], counts: Places) -> Counted:
    """Return the number of units of each kind; units without their spare hit count as damaged ones.

    A unit that takes two hits only where it attacks, such as the tank of 1914, is no other unit after the first.

    Args:
        segments: The order of loss of the side.
        counts: The units of each segment.
    """
    spare = {segment.unit.name: count for segment, count in zip(segments, counts, strict=True) if segment.spare}
    two_hits = {segment.unit.name for segment in segments if segment.spare}
    units: dict[str, int] = {}
    for segment, count in zip(segments, counts, strict=True):
        name = segment.unit.name
        if segment.spare or not count:
            continue
        whole = min(count, spare.get(name, 0)) if name in two_hits else count
        spare[name] = spare.get(name, 0) - whole
        damaged = name_of_damaged(name) if segment.unit.hits > 1 else name
        for kind, number in ((name, whole), (damaged, count - whole)):
            if number:
                units[kind] = units.get(kind, 0) + number
    return units


def count_losses(segments: Sequence[Segment], before: Force, after: Force, spare: bool) -> Counted:
    """Return the number of units, or of spare hits, that a side has lost between two forces.

    Args:
        segments: The order of loss of the side.
        before: Its force before.
        after: Its force after.
        spare: Whether to count spare hits.
    """
    losses: dict[str, int] = {}
    for place, segment in enumerate(segments):
        lost = before.active[place] + before.gone[place] - after.active[place] - after.gone[place]
        if lost and segment.spare == spare:
            name = segment.unit.repaired or segment.unit.name
            losses[name] = losses.get(name, 0) + lost
    return losses
