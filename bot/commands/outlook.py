"""What two plans are compared by, the same of every game: the chance to win, how it ends, what it costs, how sure.

A new kind of battle needs one more function here, and is compared with all others.
"""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from bot import army_wording, waves_wording
from bot.commands.path import march_text
from bot.editions import editions
from bot.engine import AnyOdds
from bot.languages import N_, _
from bot.matchup import AnyBattle, write
from bot.wording import (
    CALLED_OFF,
    HELD,
    NEVER,
    describe,
    exactness,
    fates,
    gained,
    game,
    neither,
    percent,
    tenths,
    victory,
)
from solver import Battle, Odds
from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds
from solver.odds import Chances, Counts
from solver.paths import Path, PathOdds
from solver.waves import Waves
from solver.waves_odds import WavesOdds
from solver.worth import Worth

WINS, HOLDS, NEITHER = range(3)
STOPPED = N_("is stopped")
LOST, ROUNDS, TAKEN = N_("attackers lost"), N_("rounds"), N_("territories taken")
LOSSES, PROFIT = (N_("attacker loses"), N_("defender loses")), N_("TUV swing")


class Figure(NamedTuple):
    """A number of the table: what it counts, in English, how much, that in words, and whether it is money."""

    name: str
    amount: float
    told: str
    money: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """How one plan turns out.

    `deed` is what the attacker does who wins, `held` what happens where the defender does, both in English. `chances`
    are that the attacker wins, that the defender does, that neither does; `numbers` the same in words. `places` are the
    ends in order, the attacker's best last, and `law`, of shape (3, ends), how likely each is with each of the three.
    Both are counted in `measure`: "armies" left, the defender's as less than 0, or the profit in "IPC" or what else
    units count, by their `worth`. `gain` is what the attacker gains on average in that measure, losses less than 0;
    None where nobody can say. `fates` are the ways to end but the attacker's victory that are possible, `figures` what
    else is worth telling. `error` bounds what a chance may be off, `gain_error` the gain; 0 is hardly at all.
    `unplanned` is a plan that was too large to be worked out: its numbers are those of a fight without its rules.
    """

    line: str
    told: str
    game: str
    deed: str
    held: str
    chances: tuple[float, float, float]
    numbers: tuple[str, str, str]
    places: Chances
    law: Chances
    measure: str
    gain: float | None
    fates: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    certainty: str
    error: float = 0.0
    gain_error: float = 0.0
    caveats: tuple[str, ...] = ()
    worth: Worth | None = None
    unplanned: bool = False


def outlook(battle: AnyBattle, odds: AnyOdds) -> Outlook:
    """How a battle turns out that has these odds."""
    if isinstance(odds, WavesOdds):
        assert isinstance(battle, Waves), "these are the odds of several waves"
        return _of_waves(battle, odds)
    if isinstance(odds, AxisOdds):
        assert isinstance(battle, AxisBattle), "these are the odds of Axis & Allies"
        return _of_armies(battle, odds)
    if isinstance(odds, PathOdds):
        assert isinstance(battle, Path), "these are the odds of a path"
        return _of_path(battle, odds)
    assert isinstance(battle, Battle), "these are the odds of one battle with dice"
    assert isinstance(odds, Odds), "these are the odds of one battle with dice"
    return _of_dice(battle, odds)


def _of_dice(battle: Battle, odds: Odds) -> Outlook:
    standing = odds.defenders_end > 0
    rungs = np.where(standing, -odds.defenders_end, odds.attackers_end)
    alone = standing != (odds.attackers_end > 0)
    winner = np.select([alone & standing, alone], [HOLDS, WINS], NEITHER)
    chances = odds.attacker_wins, odds.beaten, neither(odds)
    lost = None if odds.never else odds.attackers - odds.attackers_left
    rounds = [] if odds.rounds is None else [Figure(ROUNDS, odds.rounds, tenths(odds.rounds))]
    return Outlook(
        write(battle),
        describe(battle),
        game(battle),
        "wins",
        HELD,
        chances,
        (victory(odds), percent(chances[1], odds), percent(chances[2], odds, chances[0] + chances[1])),
        *_law(rungs, winner, odds.chances),
        "armies",
        None if lost is None else -lost,
        tuple(Figure(name, of, percent(of, odds)) for name, of in fates(odds).items()),
        (*_fallen(lost), *rounds),
        exactness(odds.error),
        odds.error,
        caveats=(_("It never ends once nobody can hit anything"),) if odds.never else (),
    )


def _of_path(path: Path, odds: PathOdds) -> Outlook:
    ahead = np.cumsum([0, *(leg.defenders for leg in path.legs[:0:-1])])[::-1]
    waiting = np.append(ahead, 0)[odds.taken]
    through = odds.taken == odds.legs
    rungs = np.where(through, odds.attackers_end, -(odds.defenders_end + waiting))
    winner = np.where(through, WINS, np.where(odds.attackers_end > 0, NEITHER, HOLDS))
    chances = odds.takes_all, odds.beaten, odds.called_off + odds.never
    ends = {STOPPED: odds.beaten, CALLED_OFF: odds.called_off, NEVER: odds.never}
    fallen = float(odds.taken @ odds.chances)
    return Outlook(
        write(path),
        march_text(path),
        ", ".join(dict.fromkeys(game(leg) for leg in path.legs)),
        "takes all" if odds.legs > 1 else "takes it",
        STOPPED,
        chances,
        (victory(odds), percent(chances[1], odds), percent(chances[2], odds)),
        *_law(rungs, winner, odds.chances),
        "armies",
        None if odds.lost is None else -odds.lost,
        tuple(Figure(name, of, percent(of, odds)) for name, of in ends.items() if of),
        (*_fallen(odds.lost), Figure(TAKEN, fallen, tenths(fallen))),
        exactness(0),
    )


def _of_armies(battle: AxisBattle, odds: AxisOdds) -> Outlook:
    edition = editions()[battle.rules.key]
    holds = odds.defender_stands & ~odds.attacker_stands
    profits = np.round(odds.defender_loss_at - odds.attacker_loss_at, 6)
    chances = odds.wins, odds.fates["holds"], sum(odds.fates.values()) - odds.fates["holds"]
    lost, beaten = army_wording.money_lost(odds)
    gain = odds.defender_loss - odds.attacker_loss
    caveats = army_wording.caveats(edition, odds)
    if odds.declined:
        caveats.append(_("No attack: a retreat rule applies before the first shot"))
    # Of what is rolled, the mean is this near to the truth in 19 of 20 cases.
    spread = sqrt(float((profits - gain) ** 2 @ odds.chances) / odds.sampled) if odds.sampled else 0.0
    return Outlook(
        write(battle),
        army_wording.describe(battle),
        _(edition.name),
        "takes it" if odds.land else "wins",
        HELD,
        chances,
        (victory(odds), percent(chances[1], odds), percent(chances[2], odds, chances[0] + chances[1])),
        *_law(profits, np.select([odds.won, holds], [WINS, HOLDS], NEITHER), odds.chances),
        army_wording.counted(battle),
        gain,
        tuple(
            Figure(name, odds.fates[fate], percent(odds.fates[fate], odds))
            for fate, name in army_wording.fate_names(battle).items()
            if odds.fates[fate]
        ),
        (
            *_money((lost, beaten), gain),
            Figure(ROUNDS, odds.rounds, tenths(odds.rounds)),
        ),
        army_wording.certainty(odds),
        odds.error,
        1.96 * spread,
        tuple(caveats),
        battle.worth,
        odds.unplanned,
    )


def _of_waves(waves: Waves, odds: WavesOdds) -> Outlook:
    first, every = waves.battles[0], odds.together
    chances = odds.holds(0), odds.holds(1), odds.holds(None)
    caveats = waves_wording.caveats(odds)
    lost = None if every is None else waves_wording.money_lost(waves, every)
    if every is None:
        gain = sum((1 - 2 * side) * wave.profit for side, wave in zip(odds.sides, odds.waves, strict=True))
        law = np.array([gain]), np.array(chances)[:, None]
    else:
        holders = np.array([{0: WINS, 1: HOLDS, None: NEITHER}[field.holder] for field in every.fields])
        gain = float(every.profits @ every.chances)
        law = _law(np.round(every.profits, 6), holders[every.at], every.chances)
    numbers = victory(odds), percent(chances[HOLDS], odds), percent(chances[NEITHER], odds)
    ends = {HELD: chances[HOLDS]} | waves_wording.unheld(odds)
    return Outlook(
        write(waves),
        waves_wording.describe(waves),
        _(editions()[first.rules.key].name),
        "holds it in the end",
        HELD,
        chances,
        numbers,
        *law,
        army_wording.counted(first),
        gain,
        tuple(Figure(name, of, percent(of, odds)) for name, of in ends.items() if of),
        (
            *_money(lost, gain),
            Figure(ROUNDS, odds.rounds, tenths(odds.rounds)),
        ),
        exactness(odds.error),
        odds.error,
        caveats=tuple(caveats),
        worth=first.worth,
    )


def _law(ends: Chances | Counts, winner: Counts, chances: Chances) -> tuple[Chances, Chances]:
    """Every end once, in order, and the chances of each with each of the three who may win there."""
    places, place = np.unique(ends, return_inverse=True)
    law = np.zeros((3, len(places)))
    np.add.at(law, (winner, place), chances)
    return places.astype(float), law


def _fallen(lost: float | None) -> list[Figure]:
    return [] if lost is None else [Figure(LOST, lost, tenths(lost))]


def _money(lost: tuple[float, float] | None, gain: float) -> list[Figure]:
    """What both sides lose, where that is known, and what the attacker gains."""
    losses = [Figure(name, of, tenths(of), money=True) for name, of in zip(LOSSES, lost or (), strict=False)]
    return [*losses, Figure(PROFIT, gain, gained(gain), money=True)]
