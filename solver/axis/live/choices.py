"""The choices of players in live battles of Axis & Allies, and the chance at every stage and after every choice."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import compress
from math import inf, nextafter
from typing import Any, NamedTuple

from solver.axis.battle import AxisBattle
from solver.axis.live.chances import TOGETHER, After, chances_from, odds_from
from solver.axis.live.fight import AxisFight, Volley, odds_of_stages
from solver.axis.live.foresight import (
    MOST_FORESEEN,
    SWING_ALONE,
    chances_with_choices,
    later_with_choices,
    past_swing,
    swings_with_choices,
)
from solver.axis.live.stage import rows_of
from solver.axis.live.standings import Standing, laws_after
from solver.axis.loss_order import Places
from solver.axis.odds import AxisOdds
from solver.axis.opening import rest_of_opening
from solver.axis.sides import Aim
from solver.axis.solve import MOST_SECONDS, army_seconds
from solver.axis.waves.choices import ChosenWorths
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.odds import WavesOdds, hold_chance_from
from solver.axis.waves.waves import Waves, as_waves
from solver.errors import TooLargeError
from solver.game import Choices, SideName
from solver.progress import Meter, takes

WAYS_COMPARED = (300, 60, 12)
"""How many ways are compared; fewer, near the order of loss, if more are too much work."""


DIGITS = 12
"""Chances that are the same to so many digits are equally good."""


class WayChance(NamedTuple):
    """One way to take the hits of the last volley.

    Attributes:
        choice: The way as a choice.
        chance: The attacker's chance to win after it, in several waves the first attacker's.
        swing: The attacker's mean TUV swing from the volley on if the battle is fought to the end, in several waves the
            first attacker's; None if that is too much work.
        retreat: The attacker's TUV swing from the volley on if they retreat at once; None if they cannot, and in
            several waves.
        by_order: Whether the order of loss takes the hits like that.
        now: Whether these are the losses now.
    """

    choice: dict[str, Any]
    chance: float
    swing: float | None
    retreat: float | None
    by_order: bool
    now: bool


class WayChances(NamedTuple):
    """The ways in which a side can take the hits of the last volley.

    Attributes:
        ways: The ways, best for the side first; those with the same chance by how near they are to the order of loss.
        chooses: Whether the chances and the swings each count on the side choosing from there on what is best for them.
            Otherwise it follows its order of loss, as the other side does.
        complete: Whether these are all ways.
    """

    ways: list[WayChance]
    chooses: bool
    complete: bool


AnyFight = AxisFight | WavesFight


def wave_of(fight: AnyFight) -> AxisFight:
    """Return the battle of the wave under way.

    Args:
        fight: A battle of one wave or several.
    """
    return fight.fight if isinstance(fight, WavesFight) else fight


def player_of(fight: AnyFight, side: SideName) -> SideName:
    """Return the player whose units are on a side: who defended first may attack in a later wave.

    Args:
        fight: The battle.
        side: The side in the wave under way.
    """
    return "attacker" if side == fight.attacking_side else "defender"


def axis_chances(fights: Sequence[AnyFight], limit: float = inf) -> list[float | None]:
    """Return the attacker's chance at each stage to win, with several waves to hold the field in the end: see `Game`.

    All go on by their orders of loss from there. It is None if a round under way can leave too much, if a plan looks
    ahead to later waves, and for stages that are too much work: those of several waves may take `TOGETHER` times as
    much as the limit in all.
    """
    if isinstance(fights[0], WavesFight):
        meter = Meter(TOGETHER * limit)
        return [_hold_chance(here, here.fight, meter) for here in fights if isinstance(here, WavesFight)]
    return _chances_in_wave([wave_of(fight) for fight in fights], limit)


def _chances_in_wave(stages: Sequence[AxisFight], limit: float, after: After | None = None) -> list[float | None]:
    """The attacker's chance to win at each stage of a wave; the first attacker's if others follow.

    Where something follows, TooLargeError if it is too much work.
    """
    standings = [standing_of(stage) for stage in stages]
    waiting = [standing for standing in standings if standing]
    later: list[float] | list[None]
    try:
        later = chances_from(stages[0].battle, waiting, limit, after)
    except TooLargeError:
        later = [None] * len(waiting)
    known = iter(later)
    ends = [stage.ended or stage.pending for stage in stages]
    over = [*compress(stages, ends)]
    won = [float(end == "won") for end in filter(None, ends)]
    wins = iter(after(odds_of_stages(over)).tolist() if after and over else won)
    return [
        next(known) if standing else next(wins) if end else None for end, standing in zip(ends, standings, strict=True)
    ]


def _hold_chance(here: WavesFight, stage: AxisFight, meter: Meter) -> float | None:
    """The chance that the first attacker's side holds the field in the end, from a stage of the wave under way on."""
    if here.ended:
        return float(here.ended == "won")
    if here.waves.look_ahead:
        return None
    try:
        if standing := standing_of(stage):
            odds = odds_from(stage.battle, standing, meter)
        elif stage.ended or stage.pending:
            odds = stage.as_odds()
        else:
            return None
        return hold_chance_from(here.waves, here.wave, here.holder, odds, meter)
    except TooLargeError:
        return None


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
    if stage.stage == "strike":  # The opening is over, and the first round begins.
        return Standing(stage.attack, stage.defence, stage.rounds, opening=((stage.attack, stage.defence, 1.0),))
    try:
        spread = laws_after(rows_of(stage.battle), stage.field(), stage.salvos(), stage.sub_flags)
    except TooLargeError:
        return None
    return Standing(stage.attack, stage.defence, stage.rounds, spread)


def _seconds(fight: AnyFight, *_others: object) -> float:
    battles = fight.waves.battles if isinstance(fight, WavesFight) else (fight.battle,)
    return min(0.8 + 60 * sum(map(army_seconds, battles)), MOST_SECONDS)


@takes(_seconds)
def way_chances(fight: AnyFight, side: SideName, work_limit: float = inf) -> WayChances:
    """Return the chance to win and the TUV swing after each way in which a side can take the hits of the last volley.

    Args:
        fight: The battle.
        side: The side in the wave under way; it is one of `AxisFight.choosers`.
        work_limit: The most work, in the unit of `Meter`.

    Raises:
        TooLargeError: Even the chances of a few ways are more work.
    """
    wave = wave_of(fight)
    assert wave.volley, "there was a volley"
    toll, now = wave.volley.toll(side), wave.losses(side)
    for limit in sorted({min(number, len(toll.ways)) for number in WAYS_COMPARED}, reverse=True):
        ways = toll.ways[:limit]
        ways += [] if now in ways else [now]
        try:
            outcomes = _outcomes(wave.volley, side, [toll.after(way) for way in ways])
            chances, chooses = _chances_after(fight, side, outcomes, work_limit)
        except TooLargeError:
            continue
        # A chance may only be rounded to 1 until the end.
        chances = [
            chance if after.ended else min(chance, nextafter(1, 0))
            for chance, after in zip(chances, outcomes, strict=True)
        ]
        swings = _swings_after(fight, side, outcomes, chooses, work_limit)
        retreats = _retreat_swings(fight, outcomes)
        ranked = [
            WayChance({"side": side, **toll.write(way)}, chance, swing, retreat, way == toll.order, way == now)
            for way, chance, swing, retreat in zip(ways, chances, swings, retreats, strict=True)
        ]
        ranked.sort(key=lambda way: round(way.chance, DIGITS), reverse=player_of(fight, side) == "attacker")
        return WayChances(ranked, chooses, toll.complete and limit == len(toll.ways))
    raise TooLargeError("units", "this battle takes more work than is allowed")


def _outcomes(volley: Volley, side: SideName, lefts: Sequence[Places]) -> list[AxisFight]:
    """Where each way to take the hits on a side leads."""
    volley.plan_for(side, lefts)
    return [volley.outcome(side, left) for left in lefts]


def _chances_after(
    fight: AnyFight, side: SideName, outcomes: Sequence[AxisFight], limit: float
) -> tuple[Sequence[float], bool]:
    """The attacker's chance after each way to take the hits on a side, and whether the side goes on choosing."""
    before = _before(fight)
    with suppress(TooLargeError):
        if not isinstance(fight, WavesFight):
            return chances_with_choices(before, outcomes, side, limit), True
        later = later_with_choices(fight, side, limit, "takes")
        return [_sign(fight) * chance for chance in chances_with_choices(before, outcomes, side, limit, later)], True
    if isinstance(fight, WavesFight):
        chances = _hold_chances(fight, outcomes, limit)
    else:
        chances = _chances_in_wave(outcomes, limit)
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(outcomes):
        raise TooLargeError("units", "this battle takes more work than is allowed")
    return known, False


def _swings_after(
    fight: AnyFight, side: SideName, outcomes: Sequence[AxisFight], chooses: bool, limit: float
) -> Sequence[float | None]:
    """The attacker's mean TUV swing from the volley on after each way to take the hits on a side: see `WayChance`."""
    before, none = _before(fight), [None] * len(outcomes)
    if any(before.attack.gone) or any(before.defence.gone):
        return none  # chains do not count what has gone before
    try:
        if chooses:
            later = later_with_choices(fight, side, limit, "profit") if isinstance(fight, WavesFight) else SWING_ALONE
            return [_sign(fight) * swing for swing in swings_with_choices(before, outcomes, side, limit, later)]
        if not isinstance(fight, WavesFight):
            swings = _chances_in_wave(outcomes, limit, lambda odds: odds.profits)
        elif fight.waves.look_ahead:
            return none
        else:
            swings = _worths_by_ends(fight, outcomes, limit, "profit")
    except TooLargeError:
        return none
    past = _sign(fight) * past_swing(before)
    return none if None in swings else [swing - past for swing in swings if swing is not None]


def _retreat_swings(fight: AnyFight, outcomes: Sequence[AxisFight]) -> Sequence[float | None]:
    """The attacker's TUV swing from the volley on if they retreat after each way: see `WayChance`."""
    swings: list[float | None] = [None] * len(outcomes)
    if not isinstance(fight, WavesFight):
        past = past_swing(_before(fight))
        for place, outcome in enumerate(outcomes):
            after = outcome.retreat() if outcome.resting and not outcome.ended else outcome
            if after != outcome and after.ended:
                swings[place] = float(odds_of_stages([after]).profits[0]) - past
    return swings


def _before(fight: AnyFight) -> AxisFight:
    """The battle of the wave before the last volley."""
    volley = wave_of(fight).volley
    assert volley, "there was a volley"
    return volley.before


def _sign(fight: AnyFight) -> int:
    """1 if the first attacker attacks in the wave under way, -1 if the first defender does."""
    return 1 if fight.attacking_side == "attacker" else -1


def _hold_chances(here: WavesFight, outcomes: Sequence[AxisFight], limit: float) -> list[float | None]:
    """The chance of the first attacker's side to hold the field in the end, from stages of the wave under way on.

    They are found together from what each end of the wave is worth; a few are found one by one if that is less work.
    """
    chances: list[float | None] = [None] * len(outcomes)
    if here.waves.look_ahead:
        return chances
    with suppress(TooLargeError):
        chances = _worths_by_ends(here, outcomes, limit, "takes")
    if None in chances and len(outcomes) <= WAYS_COMPARED[1] + 1:
        meter = Meter(TOGETHER * limit)
        chances = [_hold_chance(here, outcome, meter) for outcome in outcomes]
    return chances


def _worths_by_ends(here: WavesFight, outcomes: Sequence[AxisFight], limit: float, aim: Aim) -> list[float | None]:
    """Return the worth of stages of this wave to the first attacker's side, by the worth of each end of the wave."""
    worths = ChosenWorths(here.waves, Meter(min(limit, MOST_FORESEEN)), aim)
    return _chances_in_wave(outcomes, limit, partial(worths.worth_of_ends, here.ends))


def begin_axis(battle: AxisBattle | Waves) -> AnyFight:
    """Return a battle before its first throw: see `Game`."""
    waves = as_waves(battle)
    return AxisFight.begin(waves.only) if waves.only else WavesFight.begin(waves)


def axis_percentile(odds: AxisOdds | WavesOdds, fight: AnyFight) -> float | None:
    """Return the percentile of an ended battle of one wave by its profit; None for several waves: see `Game`."""
    if isinstance(odds, WavesOdds) or isinstance(fight, WavesFight):
        return None
    (profit,), _chances = fight.as_odds().profit
    return odds.percentile(float(profit))


def is_loss_due(fight: AnyFight) -> bool:
    """Tell whether the battle waits for the end of a wave, which losses can still change: see `Choices`."""
    return wave_of(fight).pending is not None


def loss_choosers(fight: AnyFight) -> tuple[SideName, ...]:
    """Return the players who can take the hits of the last volley in more than one way: see `Choices`."""
    return tuple(player_of(fight, side) for side in wave_of(fight).choosers)


def player_of_losses(fight: AnyFight, choice: Any) -> SideName:
    """Return the player whose losses were chosen: see `Choices`."""
    return player_of(fight, choice["side"])


def loss_chooser(fight: AnyFight) -> SideName | None:
    """Return the player who has to choose now: see `Choices`."""
    asked = wave_of(fight).asked
    return player_of(fight, asked[0]) if asked else None


def order_or_wish(fight: AnyFight, wish: Any = None, limit: float = inf) -> dict[str, Any]:
    """Return what a player wished, or that the side that has to choose keeps the losses of its order: see `Choices`."""
    del limit
    if wish is not None:
        return dict(wish)
    wave = wave_of(fight)
    assert wave.volley, "a battle that waits had a volley"
    toll = wave.volley.toll(wave.asked[0])
    return {"side": wave.asked[0], **toll.write(toll.order)}


def choose_losses(fight: AnyFight, choice: Any) -> AnyFight:
    """Return the battle after a side has chosen other losses: see `AxisFight.choose`."""
    return fight.choose(choice)


CHOICES = Choices(
    due=is_loss_due,
    choosers=loss_choosers,
    side=player_of_losses,
    chooser=loss_chooser,
    best=order_or_wish,
    choose=choose_losses,
)
