"""Solves a usual battle in one call of the compiled code: from two orders of loss to the law of all ends.

Submarines that submerge, planes that crash and some rare rules take the general way of solve.py, and so do waves with
many histories, and every battle where the code is not compiled.
"""

from array import array
from collections.abc import Sequence
from ctypes import POINTER, Structure, byref, c_double, c_void_p, string_at
from functools import lru_cache
from itertools import chain
from sys import float_info
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.ends import deadzone_loss
from solver.axis.fates import Fates
from solver.axis.kernel.forces import Nodes, full_force, is_land, support_rank
from solver.axis.kernel.hits import CHANCES
from solver.axis.kernel.native import ListStruct
from solver.axis.loss_order import Force, Segment
from solver.axis.odds import AxisOdds
from solver.axis.opening import find_opening
from solver.axis.plans import limits_of
from solver.axis.sides import LOW_LUCK, Units
from solver.axis.units import Role, Rules, Unit
from solver.chain import Chances, Grid
from solver.compiled import library
from solver.progress import Meter

MOST_NUMBERS = 12_000_000
"""About how many numbers the cells of a battle may have here; larger battles take the general way."""
COLUMNS = 13
"""The columns of `CHANCES` that the compiled code knows: with 12 faces not those of the better of two dice."""
PLANES, SUBS, OTHERS = range(3)
SPARE = 32
TAKEN, ATTACKERS, DEFENDERS, STANDOFF, FIGHT = 1, 2, 4, 8, 16
FIGURES = 18
FOUND = "takes", "attacker_survives", "defender_survives", "attacker_loss", "defender_loss", "wins"
"""Properties of odds that the compiled code works out."""
WAYS = "holds", "submerged", "both", "cleared", "nobody"
"""The endings of `AxisOdds.ends_without_win`."""


class _Answer(Structure):
    """The answer of the compiled code: `answer` in battle.c."""

    _fields_ = (("numbers", ListStruct), ("reals", ListStruct), ("work", c_double))


class _Kind(NamedTuple):
    """A kind of unit as the compiled code takes it: see battle.h."""

    column: int
    dice: int
    group: int
    flags: int
    strikes: bool


class _Side(NamedTuple):
    """A side of a battle."""

    role: Role
    segments: tuple[Segment, ...]
    known: list[_Kind]
    """Describe the unit of each segment for the compiled code."""
    whole: dict[str, int]
    """The number of units of each kind, as fates count them, in alphabetical order."""
    damage: dict[str, int]
    """The ships that fates tell from damaged ones, and where the hits stand that whole ones can still take."""

    @classmethod
    def of(cls, battle: AxisBattle, role: Role) -> "_Side":
        """Return a side of a battle."""
        segments, table = battle.segments(role), _kinds(battle.rules, role)
        whole = dict.fromkeys(sorted({segment.unit.repaired or segment.unit.name for segment in segments}), 0)
        for unit, count, spare in segments:
            whole[unit.repaired or unit.name] += 0 if spare else count
        damage: dict[str, int] = {}
        for unit, _, spare in segments if battle.damage_stays else ():
            if spare or unit.repaired:
                damage.setdefault(unit.repaired or unit.name, len(whole) + len(damage))
        return cls(role, segments, [table[segment.unit.name] for segment in segments], whole, damage)


def solve_at_once(battle: AxisBattle, dropped: float, meter: Meter, exact_cells: int = 0) -> AxisOdds | None:
    """Return the odds of a battle, as `solve_axis`; None if it has to take the general way.

    Args:
        battle: The battle.
        dropped: The most probability, of 1, that may be dropped to save work; with 0 nothing is dropped.
        meter: Counts the work.
        exact_cells: Nothing is dropped in battles with up to so many cells.

    Raises:
        TooLargeError: If it is more work than the meter allows.
    """
    fought = solve_fights(battle, [battle.defender.units], np.ones((1, 1)), dropped, meter, exact_cells)
    return fought and fought[0]


def solve_fights(
    battle: AxisBattle, starts: Sequence[Units], chances: Grid, dropped: float, meter: Meter, exact_cells: int = 0
) -> tuple[AxisOdds, Grid] | None:
    """Return the odds of several fights together, and the share of each, as `solve_each`: [fight, end].

    None if they have to take the general way.

    Args:
        battle: The battle.
        starts: The sets of units with which the defender may begin.
        chances: The probability of each in each fight: [fight, start].
        dropped: See `solve_at_once`.
        meter: Counts the work.
        exact_cells: See `solve_at_once`.

    Raises:
        TooLargeError: It is more work than is allowed.
    """
    if not library.library() or not _is_usual(battle):
        return None
    sides = _Side.of(battle, "attack"), _Side.of(battle, "defence")
    subs = any(kind.group == SUBS for side in sides for kind in side.known)
    if not all(side.segments for side in sides) or _has_rare_rules(battle, sides, subs):
        return None
    begins = _find_starts(battle, sides[1], starts, chances)
    if not begins:
        return None
    roots, law = _begin(battle, sides, begins)
    limit = -1 if battle.round_limit is None else battle.round_limit
    numbers = [battle.theatre == "land", LOW_LUCK.get(battle.unit_dice, 0), limit, exact_cells, MOST_NUMBERS]
    numbers += [bool(battle.ships), *_dice_of_ships(battle)]
    reals = [dropped, battle.territory_value, *CHANCES.get(battle.unit_dice, CHANCES["standard"])[:COLUMNS], *law]
    for side, forces in zip(sides, roots, strict=True):
        numbers += _describe_side(side, forces)
        reals += [0.0 if segment.spare else segment.unit.cost for segment in side.segments]
        reals += _captor_losses(battle, side, battle.deadzone)
    plan, payoffs = _describe_plan(battle, sides[0])
    answer = _call(numbers + plan, reals + payoffs, meter)
    if answer is None:
        return None
    odds, fight = _read(battle, sides, subs, sum(law), *answer)
    one = len(chances) == 1
    return odds, odds.chances[None] if one else odds.chances * (fight == np.arange(len(chances))[:, None])


class _Start(NamedTuple):
    """A force with which a side may begin, in a fight, and the chance of it."""

    force: Force
    fight: int
    chance: float


def _find_starts(battle: AxisBattle, side: _Side, starts: Sequence[Units], chances: Grid) -> list[_Start]:
    """The defender's starts, the largest first; none if they need another order of loss."""
    forces = [full_force(side.segments)]
    if list(starts) != [battle.defender.units]:
        segments, (whole, *forces) = battle.line_up([battle.defender.units, *starts])
        if segments != side.segments or whole != full_force(segments):
            return []
    begins = [
        _Start(force, fight, chance)
        for fight, row in enumerate(chances.tolist())
        for force, chance in zip(forces, row, strict=True)
        if chance
    ]
    return sorted(begins, key=lambda start: sum(start.force.active), reverse=True)


def _begin(
    battle: AxisBattle, sides: tuple[_Side, _Side], starts: list[_Start]
) -> tuple[tuple[list[_Start], list[_Start]], list[float]]:
    """The forces with which both sides may come to the first round, and the chance of each pair."""
    planes = battle.theatre == "land" and any(kind.group == PLANES for kind in sides[0].known)
    if not (battle.opening_ships or (planes and (battle.air_battle or _has_guns(battle)))):
        return ([_Start(full_force(sides[0].segments), 0, 1.0)], starts), [start.chance for start in starts]
    opening = find_opening(battle, sides[0].segments, sides[1].segments, [start.force for start in starts])
    law = np.array([start.chance for start in starts])[:, None, None] * opening.laws
    law = law.transpose(1, 0, 2).reshape(law.shape[1], -1)
    rows, columns = np.flatnonzero(law.any(axis=1)), np.flatnonzero(law.any(axis=0))
    pairs = zip(starts, opening.columns, strict=True)
    opened = [start._replace(force=force) for start, forces in pairs for force in forces]
    ours = [_Start(opening.rows[row], 0, 1.0) for row in rows]
    return (ours, [opened[column] for column in columns]), law[np.ix_(rows, columns)].reshape(-1).tolist()


def _has_guns(battle: AxisBattle) -> bool:
    """Whether the defender has guns that fire before the first round."""
    return battle.guns_can_fire and any(battle.rules.table[name].antiaircraft for name, _ in battle.defender.units)


def _is_usual(battle: AxisBattle) -> bool:
    """Whether nobody declines the battle, submerges, leaves as a defender or crashes, by the fields of a battle."""
    plan = battle.retreat
    looks_ahead = plan.clear_chance_above is not None or plan.air_loss_chance_above is not None or plan.transports_alone
    declines = battle.decline_allowed and plan
    leaves = looks_ahead or declines or any(battle.submerge) or any(battle.keep_last_destroyer)
    leaves = bool(leaves or battle.defender_retreat)
    crashes = battle.crash_stranded_fighters or battle.crash_attacking_fighters
    return not (leaves or crashes or battle.kamikaze)


def _has_rare_rules(battle: AxisBattle, sides: tuple[_Side, _Side], subs: bool) -> bool:
    """Whether units have rules that only the general way knows."""
    landed = battle.ends_early and any(segment.unit.amphibious for segment in sides[0].segments)
    supreme = any(segment.unit.supremacy for side in sides for segment in side.segments)
    # Ships that take fewer hits as attackers are damaged, but not by a hit in this battle.
    frail = battle.damage_stays and any(
        unit.hits > 1 == unit.hit_points(side.role) for side in sides for unit, *_ in side.segments
    )
    unknown = battle.rules.faces > 6 and any(kind.column >= COLUMNS for side in sides for kind in side.known)
    return any((landed, supreme, frail, unknown, subs and battle.unit_dice in LOW_LUCK))


@lru_cache(100)
def _kinds(rules: Rules, role: Role) -> dict[str, _Kind]:
    """Describe each kind of unit of an edition in a role for the compiled code."""
    return {name: _kind(unit, role, rules.faces) for name, unit in rules.table.items()}


def _kind(unit: Unit, role: Role, faces: int) -> _Kind:
    more = unit.rolls_more(role)
    column = unit.strength(role) + (more and unit.better_of_two) * faces
    group = SUBS if unit.surprise else PLANES if unit.kind == "air" else OTHERS
    flags = unit.screens, unit.hunted, unit.defenceless, unit.idle, is_land(unit)
    bits = sum(1 << place for place, flag in enumerate(flags) if flag)
    return _Kind(column, unit.attack_dice if more else 1, group, bits, unit.strikes(role))


def _dice_of_ships(battle: AxisBattle) -> list[int]:
    """The dice of each column beside the attackers in the first round."""
    dice = [0] * COLUMNS if battle.ships else []
    for unit, count in battle.ships:
        dice[unit.strength("attack")] += count
    return dice


def _captor_losses(battle: AxisBattle, side: _Side, deadzone: bool) -> list[float]:
    """Return the loss in money of a unit of each segment in a captured territory."""
    return [
        deadzone_loss(battle, segment.unit) if deadzone and is_land(segment.unit) and not segment.spare else 0.0
        for segment in side.segments
    ]


def _describe_plan(battle: AxisBattle, side: _Side) -> tuple[list[int], list[float]]:
    """When the attacker retreats, as whole numbers and reals: see `read_plan` in battle.c."""
    plan, limits = battle.retreat, limits_of(battle.retreat)
    few = -1 if plan.units_at_most is None else plan.units_at_most
    numbers = [bool(plan), few, battle.win_means == "take", len(limits), *(limit.gained for limit in limits)]
    deadzone = battle.deadzone if battle.planned_deadzone is None else battle.planned_deadzone
    value = battle.territory_value if battle.planned_value is None else battle.planned_value
    return numbers, [*(limit.minimum for limit in limits), value, *_captor_losses(battle, side, deadzone)]


def _describe_side(side: _Side, roots: Sequence[_Start]) -> list[int]:
    """A side as whole numbers: see `read_side` in battle.c."""
    segments, known, places = side.segments, side.known, {name: place for place, name in enumerate(side.whole)}
    names = [segment.unit.name for segment in segments]
    boosts, pools = _supports(segments) if side.role == "attack" else ([], [])
    strikes = any(kind.strikes for kind in known)
    numbers = [len(segments), len(places) + len(side.damage), len(roots), len(boosts) // 4, len(pools), strikes]
    numbers += [segment.units for segment in segments]
    numbers += [names.index(name) for name in names]
    numbers += [kind[field] for field in range(3) for kind in known]  # columns, then dice, then groups
    numbers += [kind.flags | SPARE * segment.spare for kind, segment in zip(known, segments, strict=True)]
    numbers += [
        side.damage.get(unit.name, -1) if spare else places[unit.repaired or unit.name] for unit, _, spare in segments
    ]
    numbers += chain(*pools, boosts)
    for root in roots:
        numbers += root.force.active
    return numbers + [root.fight for root in roots]


def _supports(segments: Sequence[Segment]) -> tuple[list[int], list[list[int]]]:
    """The units that others raise, in the order in which they are raised, and how many each unit raises: by pool."""
    units = [segment.unit for segment in segments]
    names = [unit.name for unit in units]
    raised = {unit.name: unit for unit in units if unit.boost is not None}
    if not raised:
        return [], []
    pools: dict[tuple[str, ...], int] = {}
    boosts: list[int] = []
    for name, unit in sorted(raised.items(), key=lambda item: support_rank(item[1])):
        boosts += names.index(name), unit.attack, unit.boost or 0, pools.setdefault(unit.by, len(pools))
    supporters = [
        [
            0 if segment.spare or unit.name.removeprefix("amphibious_") not in by else unit.supports
            for unit, segment in zip(units, segments, strict=True)
        ]
        for by in pools
    ]
    return boosts, supporters


def _call(numbers: list[int], reals: list[float], meter: Meter) -> tuple[Nodes, Chances] | None:
    """Solve a battle in compiled code; return its whole numbers and its reals, None if it is too large for that."""
    given, values, pointer = array("q", numbers), array("d", reals), POINTER(_Answer)()
    loaded = library.library()
    assert loaded is not None, "it is there"
    where = c_void_p(given.buffer_info()[0]), c_void_p(values.buffer_info()[0])
    failed = loaded.solve_battle(*where, c_double(meter.limit - meter.done), byref(pointer))
    if failed == library.TOO_LARGE:
        return None
    library.check(failed)
    answer = pointer.contents
    whole = np.frombuffer(string_at(answer.numbers.at, 8 * answer.numbers.count), np.int64)
    chances = np.frombuffer(string_at(answer.reals.at, 8 * answer.reals.count))
    meter.add(answer.work)
    loaded.forget_battle(pointer)
    return whole, chances


def _read(
    battle: AxisBattle, sides: tuple[_Side, _Side], subs: bool, given: float, numbers: Nodes, reals: Chances
) -> tuple[AxisOdds, Nodes]:
    """The odds, whose chances are `given` in all, and the fight of each end: see `write_answer` in ends.c."""
    ends, *fates, amounts = numbers[:4].tolist()
    rows, columns, flags = numbers[4 : 4 + 3 * ends].reshape(3, ends)
    figures = reals[:FIGURES].tolist()
    chances, attacker_loss, defender_loss = reals[FIGURES : FIGURES + 3 * ends].reshape(3, ends)
    (rounds, territory), (fought, dropped) = figures[:2], figures[-2:]
    error = max(given - fought, 0.0) + 8 * float_info.epsilon * (1 + rounds) if dropped else 0.0
    at, place = FIGURES + 3 * ends, 4 + 3 * ends
    profit, at = (reals[at : at + amounts], reals[at + amounts : at + 2 * amounts]), at + 2 * amounts
    fates_of_sides: list[Fates] = []
    ranked, lost = [], []
    for side, count in zip(sides, fates, strict=True):
        width = len(side.whole) + len(side.damage) + 1
        left, place = numbers[place : place + count * width].reshape(count, width), place + count * width
        fates_of_sides.append(Fates(side.whole, left.tolist(), side.damage))
        ranked.append((numbers[place : place + count].tolist(), reals[at : at + count].tolist()))
        place, at = place + count, at + count + width - 1
        means = zip(side.whole, reals[at - width + 1 : at].tolist(), strict=False)
        lost.append({name: mean for name, mean in means if mean})
    odds = AxisOdds(
        fates_of_sides[0],
        fates_of_sides[1],
        rows,
        columns,
        chances,
        attacker_loss,
        defender_loss,
        (flags & TAKEN) > 0,
        (flags & ATTACKERS) > 0,
        (flags & DEFENDERS) > 0,
        rounds,
        battle.theatre == "land",
        territory,
        error=error + (dropped / 2 if battle.round_limit is not None else 0.0),
        standoff=(flags & STANDOFF) > 0 if subs else None,
    )
    known = dict(zip(FOUND, figures[2:8], strict=True))
    ways = dict(zip(WAYS, figures[8:13], strict=True))
    more = {"end_chances": ways, "profit": profit, "profit_percentiles": tuple(figures[13:16])}
    vars(odds).update(known | more, units_lost=tuple(lost), likeliest=tuple(ranked))
    return odds, flags // FIGHT
