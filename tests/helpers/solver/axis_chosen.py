"""What a battle of Axis & Allies is worth to a side that always chooses its best losses: every die and every choice."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from solver.axis.battle import AxisBattle
from solver.axis.live.choices import AnyFight, player_of, wave_of
from solver.axis.live.fight import AxisFight, odds_of_stages
from solver.axis.sides import DefenderRetreat
from solver.axis.waves.fight import WavesFight
from solver.errors import BattleError
from solver.game import SideName
from tests.helpers.solver.axis_battles import battle, units
from tests.helpers.solver.axis_fought import by_order, falls, key, ways
from tests.helpers.solver.dice_rolled import script

FOUGHT: dict[str, tuple[AxisBattle, tuple[int, int]]] = {
    "planes": (battle("land", "2 tank, 2 fighter", "2 infantry", territory_value=4), (0, 1)),
    "alike": (battle("land", "3 tank", "1 infantry, 1 artillery, 1 tank"), (1, 1)),
    "guns": (battle("land", "1 infantry, 1 fighter, 1 bomber", "1 infantry, 1 aa_gun"), (0, 1)),
    "bombarded": (battle("land", "1 infantry, 1 fighter, 1 bomber, 1 cruiser", "1 infantry, 1 aa_gun"), (0, 1)),
    "kept": (battle("land", "2 infantry, 1 fighter", units("2 infantry, 1 tank", keep_land=1), deadzone=True), (1, 1)),
    "leaving": (
        battle("land", "2 tank, 1 fighter", "2 infantry, 1 tank", defender_retreat=DefenderRetreat(units_at_most=1)),
        (1, 1),
    ),
    "sea": (battle("sea", "1 submarine, 1 destroyer, 1 fighter", "1 submarine, 1 cruiser"), (1, 1)),
    "strike": (battle("sea", "1 submarine, 1 cruiser", "2 cruiser, 1 battleship"), (1, 0)),
    "damaged": (battle("sea", "1 battleship, 1 cruiser", "1 battleship, 1 destroyer"), (1, 2)),
    "carrier": (
        battle("sea", "2 cruiser, 1 fighter", "1 carrier, 1 fighter, 1 cruiser", crash_stranded_fighters=True),
        (1, 1),
    ),
}
"""Battles in which a side chooses losses after a throw in which so many dice of each side hit."""

AnyChoices = list[list[tuple[float, AnyFight]]]
"""What a player can choose between: for each choice where the other's dice then lead, each with its chance."""


def throws(fight: AnyFight, player: SideName) -> list[tuple[float, AnyChoices]]:
    """Everything that the dice can leave a player to choose between; a defender chooses before the own dice fall."""
    side = player_of(fight, player)
    found: dict[tuple[int, ...], tuple[float, list[tuple[float, AnyFight]]]] = {}
    for (share, ours), (later, theirs) in falls(fight):
        after = fight.throw(script(*ours, *theirs))[1]
        seen = ours if side == "defender" else (*ours, *theirs)
        _share, then = found.setdefault(seen, (share if side == "defender" else share * later, []))
        then.append((later if side == "defender" else 1.0, after))
    return [(share, _choices(then, side)) for share, then in found.values()]


def _choices(then: list[tuple[float, AnyFight]], side: SideName) -> AnyChoices:
    """Where each way to take the hits leads: all these throws hit the side alike."""
    volley = next((volley for _, after in then if (volley := wave_of(after).volley)), None)
    toll = volley.toll(side) if volley else None
    choices = [{"side": side, **toll.write(way)} for way in toll.ways] if toll else [None]
    return [[(share, _after_choice(after, choice)) for share, after in then] for choice in choices]


def _after_choice(fight: AnyFight, choice: Any) -> AnyFight:
    """Where a choice leads, if there is one, and if the losses are not those already; the others follow the order."""
    with suppress(BattleError):
        fight = fight.choose(choice)
    after: AnyFight = by_order(fight)
    return after


def _nobody(fight: AnyFight) -> list[tuple[float, AnyChoices]]:
    """The same where nobody chooses."""
    then: list[Any] = list(ways(fight))
    return [(1.0, [then])]


def victory(fight: AnyFight) -> float:
    """What the end of a battle is worth to an attacker who wants to win."""
    return float(fight.ended == "won")


def swing(fight: AnyFight) -> float:
    """The attacker's TUV swing of a battle of one wave that has ended."""
    assert isinstance(fight, AxisFight)
    return float(odds_of_stages([fight]).profits[0])


def best(fights: Iterable[AnyFight], player: SideName | None, worth: Callable[[Any], float] = victory) -> list[float]:
    """What stages of a battle are worth to the attacker if a player always chooses the best losses, or nobody.

    This is a slow twin. Stages that follow from several of them are followed once.
    """
    starts = list(fights)
    waiting, stages = list(starts), {}
    while waiting:
        here = waiting.pop()
        if (place := key(here)) not in stages:
            following = [] if here.ended else throws(here, player) if player else _nobody(here)
            waiting += [after for _, choices in following for then in choices for _, after in then]
            stages[place] = (
                here,
                [
                    (share, [[(part, key(after)) for part, after in then] for then in choices])
                    for share, choices in following
                ],
            )
    found = {place: worth(here) if here.ended else 0.0 for place, (here, _) in stages.items()}
    choose, change = max if player == "attacker" else min, 1.0
    while change > 1e-13:
        change = 0.0
        for place, (here, following) in stages.items():
            if not here.ended:
                now = sum(
                    share * choose(sum(part * found[after] for part, after in then) for then in choices)
                    for share, choices in following
                )
                change, found[place] = max(change, abs(now - found[place])), now
    return [found[key(fight)] for fight in starts]


def swings_in_waves(here: WavesFight, fights: Iterable[AxisFight], player: SideName | None) -> list[float]:
    """The TUV swings of the attacker of a wave from its beginning on, if a player of all waves chooses the best losses.

    `fights` are stages of the wave.
    """
    known: dict[Any, float] = {}

    def worth(ended: AxisFight) -> float:
        after = replace(here, fight=ended)._skip_ended_waves()
        if after.ended:
            return swing(ended)
        sign = 1 if after.side == here.side else -1
        if key(after) not in known:
            (known[key(after)],) = swings_in_waves(after, [after.fight], player)
        return swing(ended) + sign * known[key(after)]

    side = player and player_of(here, player)
    return best(fights, side, worth)
