"""The odds of several waves: the odds of each wave, and the joint law of all of them.

Each wave is solved as one battle that begins with one of many sets of defenders. Each set keeps the losses of both
sides so far as its *history*, so nothing is taken as independent that is not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, NamedTuple

import numpy as np

from solver.axis.at_once import solve_fights
from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.kernel.forces import Nodes
from solver.axis.odds import AxisOdds, join_odds, odds_of_no_fight
from solver.axis.sides import Ruling, Units
from solver.axis.solve import DROPPED, solve_each
from solver.axis.waves.ahead import Holder, WaveEnds, WaveFuture, canonical_units, unmet_starts
from solver.axis.waves.endings import FleetEndings, alike_fleets, losses_of, with_fleets, without_fleet
from solver.axis.waves.histories import covering_fights, group_histories, law_after, select_ends, stack_groups
from solver.axis.waves.joint import JointOdds, LossLaw, TooManyEndsError, codes_of, joint_odds
from solver.axis.waves.units import add_units, missing_worth
from solver.axis.waves.waves import Waves
from solver.chain import Grid, Mask
from solver.documents import clamp_chance
from solver.errors import TooLargeError
from solver.late import LateModule
from solver.progress import Meter

_choices = LateModule("solver.axis.waves.choices")

MOST_WORK = 100_000_000.0
"""The approximate limit of the work to keep histories apart, in the unit of `Meter`."""
MOST_AT_ONCE = 8
"""So many fights may be one call of compiled code, which tells the same ends of several fights apart."""
END_WORK = 40.0
"""The approximate work to pass on one ending with its history, in the unit of `Meter`."""
Solve = Callable[[Meter], tuple[AxisOdds, Grid]]
"""Counts its work, and returns the odds of several fights together, and the share of each: see `solve_each`."""


@dataclass(frozen=True, eq=False)
class WaveOdds:
    """The odds of one wave.

    Attributes:
        own: The odds of its battle; at sea attackers who find no enemy left win too.
        fought: The chance that the wave is fought.
        attacker_survives: The chance that its attackers survive, including a wave that is not fought because their side
            holds the territory; at sea including every wave that is not fought.
        defender_survives: The chance that its defenders survive.
        takes: The chance that its attackers' side holds the territory after it, whether fought or not; at sea 0.
        attacker_loss, defender_loss: The expected loss of each side in this wave alone, in money.
    """

    own: AxisOdds
    fought: float
    attacker_survives: float
    defender_survives: float
    takes: float
    attacker_loss: float
    defender_loss: float

    @property
    def profit(self) -> float:
        """The expected profit of its attackers, in money: the losses of this wave, and the territory."""
        return self.defender_loss - self.attacker_loss

    @property
    def wins(self) -> float:
        """The chance that it is fought and won by its attackers."""
        return max(self.own.wins + self.fought - float(self.own.chances.sum()), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        wave: dict[str, Any] = self.own.to_dict()["waves"][0]
        names = ("wins", "fought", "attacker_survives", "defender_survives", "takes")
        chances = {name: clamp_chance(getattr(self, name)) for name in names} | {"captured": wave["takes"]}
        losses = {"attacker_loss": self.attacker_loss, "defender_loss": self.defender_loss}
        return wave | chances | losses | {"declined": clamp_chance(self.own.declined)}


@dataclass(frozen=True, eq=False)
class WavesOdds:
    """The odds of several waves.

    Attributes:
        waves: The odds of each wave.
        sides: The side that attacks in each: 0 the first attacker's, 1 the first defender's.
        joint: The joint law of all waves; None if there are too many endings to keep apart.
        held: The chance that each side holds the field at the end, and that nobody does: for 0, 1 and None. A
            territory belongs to its last holder, even while nobody stands there.
        error: An upper bound on the error of any probability.
        ordered: See `AxisOdds.ordered`.
    """

    waves: tuple[WaveOdds, ...]
    sides: tuple[int, ...]
    joint: JointOdds | None
    held: Mapping[int | None, float]
    error: float
    ordered: Waves | None = None

    @property
    def true_zeros(self) -> bool:
        """Whether a chance of 0 is impossible."""
        return self.error == 0

    def hold_chance(self, side: int | None) -> float:
        """Return the chance that a side holds the field at the end: see `WavesOdds.held`."""
        return self.joint.hold_chance(side) if self.joint else self.held[side]

    @property
    def rounds(self) -> float:
        """The expected number of rounds of all waves."""
        return sum(wave.own.rounds for wave in self.waves)

    @property
    def success(self) -> float:
        """The chance that the attacker reaches the aim: see `GameOdds`."""
        return self.hold_chance(0)

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end: see `GameOdds`."""
        return self.hold_chance(0), self.hold_chance(1), self.hold_chance(None)

    @property
    def sampled(self) -> int:
        """The number of simulated battles, which is 0: see `GameOdds`."""
        return 0

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return sum(3_500 + wave.own.nbytes for wave in self.waves) + (self.joint.nbytes if self.joint else 0)

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        every = {"all_waves": self.joint.to_dict()} if self.joint else {}
        return {"waves": [wave.to_dict() for wave in self.waves], "error": self.error, **every}


def solve_waves(waves: Waves, dropped: float = DROPPED, limit: float = inf, largest: float = inf) -> WavesOdds:
    """Return the odds of several waves.

    Args:
        waves: The battle.
        dropped: The most probability that may be left out.
        limit: The most work to do, in the unit of `Meter`.
        largest: The size of a wave that is too large, in the unit of `AxisChain.numbers`.

    Raises:
        TooLargeError: It takes more work, or a wave is too large.

    Example:
        >>> from solver.axis.units import Rules, Unit
        >>> from solver.axis.waves.waves import battle_from_dict
        >>> units = (Unit("infantry", "land", 1, 2, 3), Unit("tank", "land", 3, 3, 6))
        >>> rules = Rules("mini", units, (("infantry", "tank"),) * 4)
        >>> wave = {"attacker": {"units": {"tank": 2}}, "defender": {"units": {"infantry": 2}}}
        >>> odds = solve_waves(battle_from_dict({"game": "mini", "theatre": "land", "waves": [wave, wave]}, rules))
        >>> round(odds.hold_chance(0), 3)
        0.756
    """
    return _WavesSolver(waves, dropped, Meter(limit), largest).odds()


def hold_chance_from(waves: Waves, number: int, holder: Holder, odds: AxisOdds, meter: Meter) -> float:
    """Return the chance that the first attacker's side holds the field at the end, from the odds of one wave on.

    TooLargeError if it takes more work than the meter allows.

    Args:
        waves: The battle.
        number: The wave, from 0.
        holder: The holder of the field before that wave.
        odds: The odds of that wave.
        meter: Counts the work.
    """
    return _WavesSolver(waves, DROPPED, meter, inf).hold_chance_after(number, holder, odds)


class _WavesSolver:
    """Solves one wave after the other, and keeps histories apart until there are too many."""

    def __init__(self, waves: Waves, dropped: float, meter: Meter, largest: float) -> None:
        waves = waves.free if waves.has_choices else waves
        self.waves, self.dropped, self.meter, self.largest = waves, dropped / len(waves.battles), meter, largest
        self.coming: list[dict[Holder, list[LossLaw]]] = [{} for _ in waves.battles]
        self.codes = codes_of(waves.most_lost())
        self.sets: dict[Units, int] = {}
        self.endings = FleetEndings()
        self.error = 0.0
        self.worths = _choices.ChosenWorths(waves, meter) if waves.has_choices else None
        self.future = WaveFuture(waves, meter) if waves.look_ahead else None

    def odds(self) -> WavesOdds:
        """Solve every wave, and combine the endings."""
        nobody = np.array([self._set_number(())])
        nothing = np.zeros((2, 1), np.int64)
        self.coming[0][Holder(-1, ())] = [LossLaw(nothing, nothing, nobody, np.ones((1, 1)))]
        solved: list[WaveOdds] = []
        for number in range(len(self.waves.battles)):
            before = [{holder: list(laws) for holder, laws in later.items()} for later in self.coming]
            held = dict(self.endings.held)
            try:
                fights = self._fight_wave(number)
            except TooManyEndsError:
                self.codes, self.coming, self.endings.held = [], before, held
                fights = self._fight_wave(number)
            solved.append(self._wave_odds(number, fights, solved[-1] if solved else None))
        ends, every = self.endings, None
        if self.codes:
            every = joint_odds(self.waves.battles[0], self.codes, list(ends.fields), ends.laws)
        return WavesOdds(tuple(solved), tuple(map(self.waves.side, range(len(solved)))), every, ends.held, self.error)

    def hold_chance_after(self, number: int, holder: Holder, odds: AxisOdds) -> float:
        """Return the chance of `hold_chance_from`; earlier losses make no difference to it."""
        self.codes = []
        battle = self.waves.battle_against(number, dict(holder.before))
        shares, nothing = odds.chances[None], np.zeros((2, 1), np.int64)
        self._send_on(WaveEnds(self.waves, number, holder, battle), [holder], odds, shares, [nothing], np.ones((1, 1)))
        for later in range(number + 1, len(self.waves.battles)):
            self._fight_wave(later)
        return self.endings.held[0]

    def _fight_wave(self, number: int) -> list["_Fought"]:
        groups: dict[Holder, list[Holder]] = {}
        for holder in self.coming[number]:
            # Only those who choose, or look ahead by a plan, know the fleet that fights no more.
            alike = holder if self.future else holder._replace(fleet=(), brought=())
            if any(self.waves.battles[number].chooses):
                alike = alike._replace(fleet=_choices.known_fleet(self.waves, number, holder.fleet))
            groups.setdefault(alike, []).append(holder)
        return [self._fight(number, holders) for holders in groups.values()]

    def _set_number(self, units: Units) -> int:
        return self.sets.setdefault(units, len(self.sets))

    def _fight(self, number: int, holders: list[Holder]) -> "_Fought":
        """Fight a wave against holders of the field that differ only in the fleets against them."""
        holder = holders[0]
        battle = self.waves.battle_against(number, dict(holder.before))
        fresh = dict(self.waves.fresh[number])
        sets = list(self.sets)
        parts = [group_histories(self._laws(number, against)) for against in holders]
        places, meets = stack_groups([(places, meets) for _, places, meets in parts])
        starts = [canonical_units(add_units(dict(sets[place]), fresh)) for place in places.tolist()]
        if not number:
            starts = [battle.defender.units]
        weights, chances, left_out = covering_fights(meets, self.dropped)
        come = dict(zip(starts, meets.sum(axis=0).tolist(), strict=True))
        odds, shares = self._solve(partial(self._fight_to_end, number, holder, battle, come, chances), len(chances) > 1)
        self.error += odds.error + left_out
        cuts = np.cumsum([histories.shape[1] for histories, _, _ in parts])[:-1]
        ways = WaveEnds(self.waves, number, holder, battle)
        rows = np.split(weights, cuts)
        for some in alike_fleets(ways, holders, self.codes):
            against, histories = [holders[place] for place in some], [parts[place][0] for place in some]
            self._send_on(ways, against, odds, shares, histories, np.concatenate([rows[place] for place in some]))
        calm = battle.theatre == "sea" and battle.ruling >= Ruling.FLEETS_STAY
        return _Fought(odds, missing_worth(battle, come), come.get((), 0.0) if calm else 0.0)

    def _fight_to_end(
        self, number: int, holder: Holder, battle: AxisBattle, starts: dict[Units, float], chances: Grid, meter: Meter
    ) -> tuple[AxisOdds, Grid]:
        """Fight a wave against some defenders in several fights, [fight, defenders]: see `solve_each`."""
        chosen = any(battle.chooses)
        if not (self.future or chosen) and len(chances) <= MOST_AT_ONCE:
            fought = solve_fights(battle, list(starts), chances, self.dropped, meter)
            if fought:
                return fought
        chain = AxisChain(battle, chances=starts)
        chain.meter = meter
        if self.largest < inf and chain.numbers > self.largest:
            raise TooLargeError("waves", "a wave of this size is too large to solve")
        if chosen:
            ways = WaveEnds(self.waves, number, holder, battle)
            solved: tuple[AxisOdds, Grid] = _choices.ChosenFight(self.worths, chain, ways).odds(chances)
            return solved
        future = self.future.future(number, holder, chain) if self.future else None
        return solve_each(chain, self.dropped, future, chances, unmet_starts(chain))

    def _laws(self, number: int, holder: Holder) -> list[LossLaw]:
        """The laws that lead to a wave against a holder, without losses if they are not kept apart."""
        laws = self.coming[number][holder]
        return laws if self.codes else [law._replace(lost=0 * law.lost, more=0 * law.more) for law in laws]

    def _solve(self, solve: Solve, several: bool) -> tuple[AxisOdds, Grid]:
        """Return the result of fights, with a limit on the work to keep the histories of several of them apart."""
        if not (several and self.codes):
            return solve(self.meter)
        meter = Meter(min(MOST_WORK, self.meter.limit - self.meter.done))
        try:
            return solve(meter)
        except TooLargeError:
            raise TooManyEndsError from None
        finally:
            self.meter.done += meter.done

    def _send_on(
        self,
        ways: WaveEnds,
        holders: Sequence[Holder],
        odds: AxisOdds,
        shares: Grid,
        known: Sequence[Nodes],
        weights: Grid,
    ) -> None:
        """Pass the endings of fights on to the next waves, or to the end of the battle.

        `holders` are alike, see `alike_fleets`, and `known` has the histories against each of them. `shares` are the
        chances of the endings of each fight, [fight, ending], and `weights` the shares of all histories in the fights,
        [history, fight].
        """
        self.meter.add(END_WORK * len(weights) * len(odds.chances))
        mass = weights.sum(axis=0) @ shares
        reached = np.flatnonzero(mass > 0)
        if 2 * len(reached) < len(mass):
            odds, shares, mass = select_ends(odds, reached), shares[:, reached], mass[reached]
        ways, span = ways.with_fleet_of(holders[0]), self.codes[ways.side].end if self.codes else 0
        captured, histories = ways.capture_mask(odds), known[0]
        fleets: list[Units] = [()]
        if len(holders) > 1:
            fleets, histories = [holder.fleet for holder in holders], with_fleets(known, ways.side, span)
            ways = ways.with_fleet_of(holders[0]._replace(fleet=(), brought=()))
        losses: dict[tuple[bool, Units], tuple[Nodes, Nodes]] = {}
        for taken, holder, which, units in self._groups(ways, odds, captured):
            some = np.flatnonzero(which & (mass > 0))
            if not len(some):
                continue
            following, places, before = ways.next[taken], units[some], histories
            if following is None:
                sets = list(self.sets)
                self.endings.hold(ways, taken, sets, places, mass[some])
                if not self.codes:
                    continue
                places = self.endings.rest_numbers(ways, odds, some, sets, places, taken)
            elif taken:
                before = without_fleet(histories, ways, self.codes)
            key = taken, holder.before if taken else ()
            if key not in losses:
                losses[key] = losses_of(ways, odds, taken, holder, self.codes)
            lost, beaten = losses[key]
            law = law_after(ways.side, before, weights, shares[:, some], (lost[some], beaten[some], places))
            if following is None:
                self.endings.add(ways, taken, law, holder.fleet, fleets, span)
            else:
                self.coming[following].setdefault(holder, []).append(law)

    def _groups(self, ways: WaveEnds, odds: AxisOdds, captured: Mask) -> Iterator[tuple[bool, Holder, Mask, Nodes]]:
        """The endings by the holder of the field: whether it was captured, the holder, which endings they are, and the
        numbers of the holder's units in all endings.
        """
        ours: list[tuple[Holder, Units]] = [(ways.defending, ())] * len(odds.attackers)
        for place in np.flatnonzero(np.bincount(odds.rows[captured])).tolist():
            ours[place] = ways.holder_after_capture(odds.attackers[place])
        theirs = [ways.units_after_defence(fate) for fate in odds.defenders]
        stays = np.array([self._set_number(units) for _, units in ours], np.int64)[odds.rows]
        stands = np.array([self._set_number(units) for units in theirs], np.int64)[odds.columns]
        defending, against = ways.holders_after_defence(odds)
        captors = {holder: number for number, holder in enumerate(dict.fromkeys(holder for holder, _ in ours))}
        by = np.array([captors[holder] for holder, _ in ours], np.int64)[odds.rows]
        for number, holder in enumerate(defending):
            yield False, holder, ~captured & (against == number), stands
        for holder, number in captors.items():
            yield True, holder, captured & (by == number), stays

    def _wave_odds(self, number: int, fights: Sequence["_Fought"], last: WaveOdds | None) -> WaveOdds:
        land = self.waves.battles[0].theatre == "land"
        own = join_odds([fight.odds for fight in fights]) if fights else odds_of_no_fight(land)
        come = float(own.chances.sum())
        takes, survives = own.takes, own.attacker_survives
        if land and last is not None:
            held = 1 - last.takes if self.waves.holds[number] else last.takes
            takes, survives = takes + held, survives + held
        elif self.waves.holds[number]:
            survives += 1 - come
        loss = own.defender_loss - sum(fight.lost_before for fight in fights)
        fought = come - sum(fight.calm for fight in fights)
        return WaveOdds(own, fought, survives, own.defender_survives, takes, own.attacker_loss, loss)


class _Fought(NamedTuple):
    """A wave against some holders of the field.

    `odds` are those of its battle, `lost_before` is the expected money that the holders lost before, and `calm` is the
    chance that no enemy is there.
    """

    odds: AxisOdds
    lost_before: float
    calm: float
