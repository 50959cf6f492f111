"""The choices of players in live battles of Axis & Allies, and the chance at every stage and after every choice."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from solver.axis.kernel.forces import Places
from solver.axis.live.chances import chances_from
from solver.axis.live.fight import AxisFight, Volley
from solver.axis.live.foresight import chances_with_choices
from solver.axis.live.stage import rows_of
from solver.axis.live.standings import Standing, laws_after
from solver.axis.odds import AxisOdds
from solver.axis.opening import rest_of_opening
from solver.axis.solve import MOST_SECONDS, army_seconds
from solver.errors import TooLargeError
from solver.game import Choices, SideName
from solver.progress import takes

WAYS_COMPARED = (300, 60, 12)
"""How many ways are compared; fewer, near the order of loss, if more are too much work."""


DIGITS = 12
"""Chances that are the same to so many digits are equally good."""


class WayChance(NamedTuple):
    """One way to take the hits of the last volley.

    Attributes:
        choice: The way as a choice.
        chance: The attacker's chance to win after it.
        by_order: Whether the order of loss takes the hits like that.
        now: Whether these are the losses now.
    """

    choice: dict[str, Any]
    chance: float
    by_order: bool
    now: bool


class WayChances(NamedTuple):
    """The ways in which a side can take the hits of the last volley.

    Attributes:
        ways: The ways, best for the side first; those with the same chance by how near they are to the order of loss.
        chooses: Whether the chances count on the side choosing its best losses from there on. Otherwise it follows its
            order of loss, as the other side does.
        complete: Whether these are all ways.
    """

    ways: list[WayChance]
    chooses: bool
    complete: bool


def axis_chances(fights: Sequence[AxisFight], limit: float = inf) -> list[float | None]:
    """Return the attacker's chance to win at each stage, as `AxisOdds.wins` counts it: see `Game`.

    Both sides go on by their orders of loss from there. It is None if a round under way can leave too much.
    """
    standings = [standing_of(stage) for stage in fights]
    waiting = [standing for standing in standings if standing]
    later: list[float] | list[None]
    try:
        later = chances_from(fights[0].battle, waiting, limit)
    except TooLargeError:
        later = [None] * len(waiting)
    known = iter(later)
    chances = [next(known) if standing else None for standing in standings]
    ends = [stage.ended or stage.pending for stage in fights]
    return [float(end == "won") if end else chance for end, chance in zip(ends, chances, strict=True)]


def standing_of(stage: AxisFight) -> Standing | None:
    """Return a stage before the end; None if it has ended, or if what a round under way leaves cannot be found.

    Args:
        stage: The stage.
    """
    if stage.ended or stage.pending:
        return None
    if stage.resting:
        return Standing(stage.attack, stage.defence, stage.rounds)
    if phase := stage.opening_phase:
        rest = rest_of_opening(stage.battle, phase, stage.segments, (stage.attack, stage.defence))
        return Standing(stage.attack, stage.defence, stage.rounds, opening=rest)
    try:
        spread = laws_after(rows_of(stage.battle), stage.field(), stage.salvos(), stage.sub_flags)
    except TooLargeError:
        return None
    return Standing(stage.attack, stage.defence, stage.rounds, spread)


@takes(lambda fight, *_others: min(0.4 + 30 * army_seconds(fight.battle), MOST_SECONDS))
def way_chances(fight: AxisFight, side: SideName, work_limit: float = inf) -> WayChances:
    """Return the chance to win after each way in which a side can take the hits of the last volley.

    Args:
        fight: The battle.
        side: The side; it is one of `AxisFight.choosers`.
        work_limit: The most work, in the unit of `Meter`.

    Raises:
        TooLargeError: Even the chances of a few ways are more work.
    """
    volley = fight.volley
    assert volley, "there was a volley"
    toll, now = volley.toll(side), fight.losses(side)
    for limit in sorted({min(number, len(toll.ways)) for number in WAYS_COMPARED}, reverse=True):
        ways = toll.ways[:limit]
        ways += [] if now in ways else [now]
        try:
            chances, chooses = _chances_after(volley, side, [toll.after(way) for way in ways], work_limit)
        except TooLargeError:
            continue
        ranked = [
            WayChance({"side": side, **toll.write(way)}, chance, way == toll.order, way == now)
            for way, chance in zip(ways, chances, strict=True)
        ]
        ranked.sort(key=lambda way: round(way.chance, DIGITS), reverse=side == "attacker")
        return WayChances(ranked, chooses, toll.complete and limit == len(toll.ways))
    raise TooLargeError("units", "this battle takes more work than is allowed")


def _chances_after(
    volley: Volley, side: SideName, lefts: Sequence[Places], limit: float
) -> tuple[Sequence[float], bool]:
    """The attacker's chance after each way to take the hits on a side, and whether the side goes on choosing."""
    volley.plan_for(side, lefts)
    outcomes = [volley.outcome(side, left) for left in lefts]
    try:
        return chances_with_choices(volley.before, outcomes, side, limit), True
    except TooLargeError:
        known = [chance for chance in axis_chances(outcomes, limit) if chance is not None]
    if len(known) < len(outcomes):
        raise TooLargeError("units", "this battle takes more work than is allowed")
    return known, False


def axis_percentile(odds: AxisOdds, fight: AxisFight) -> float | None:
    """Return the percentile of an ended battle by its profit: see `Game`."""
    (profit,), _chances = fight.as_odds().profit
    return odds.percentile(float(profit))


def is_loss_due(fight: AxisFight) -> bool:
    """Tell whether the battle waits for its end, which losses can still change: see `Choices`."""
    return fight.pending is not None


def can_choose(fight: AxisFight) -> bool:
    """Tell whether a side can take the hits of the last volley in more than one way: see `Choices`."""
    return bool(fight.choosers)


def loss_chooser(fight: AxisFight) -> SideName | None:
    """Return the side that has to choose now: see `Choices`."""
    return fight.asked[0] if fight.asked else None


def order_or_wish(fight: AxisFight, wish: Any = None, limit: float = inf) -> dict[str, Any]:
    """Return what a player wished, or that the side that has to choose keeps the losses of its order: see `Choices`."""
    del limit
    if wish is not None:
        return dict(wish)
    side = fight.asked[0]
    assert fight.volley, "a battle that waits had a volley"
    toll = fight.volley.toll(side)
    return {"side": side, **toll.write(toll.order)}


CHOICES = Choices(
    due=is_loss_due, possible=can_choose, chooser=loss_chooser, best=order_or_wish, choose=AxisFight.choose
)
