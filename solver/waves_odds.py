"""The odds of several waves: what each comes to, and the joint law of what all of them come to together.

Wave after wave is solved as one battle that begins with one of many sets of defenders. What the waves before have cost
both sides is kept beside each set, as its *history*, so that nothing is taken for independent that is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from solver.axis_chain import AxisChain
from solver.axis_odds import DROPPED, AxisOdds, Fate, joined, solve_each
from solver.chain import Grid
from solver.documents import told_chance
from solver.errors import TooLargeError
from solver.forces import Nodes, ranked
from solver.plans import Future
from solver.product import Meter
from solver.sides import Units
from solver.units import AMPHIBIOUS
from solver.waves import Waves, added
from solver.waves_ahead import Holder, Outlook, Ways, in_order
from solver.waves_together import Field, Law, Together, TooManyEndsError, codes_of, different, together

MOST_ENDS = 3_000_000
"""How many ends of a wave are followed at the most, each with its history."""
MOST_WORK = 100_000_000.0
"""About how much work may be done to keep histories apart, in the unit of `Meter`."""


END = 40.0
"""About how much work it is to send on an end with its history."""


@dataclass(frozen=True, eq=False)
class WaveOdds:
    """What a wave comes to. It is fought with chance `fought`, which the chances of its `own` ends add up to.

    `attacker_survives` and `takes` also count that it is not fought because its attackers' side holds the territory;
    at sea the first counts all in which it is not fought, the second nothing. `defender_loss` is the money lost in this
    wave alone.
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
        """What the wave brings its attackers on average, in money: this wave's losses, and the territory."""
        return self.defender_loss - self.attacker_loss

    def to_dict(self) -> dict[str, Any]:
        """The wave as a JSON document."""
        wave: dict[str, Any] = self.own.to_dict()["waves"][0]
        names = ("fought", "attacker_survives", "defender_survives", "takes")
        chances = {name: told_chance(getattr(self, name)) for name in names} | {"captured": wave["takes"]}
        losses = {"attacker_loss": self.attacker_loss, "defender_loss": self.defender_loss}
        return wave | chances | losses | {"declined": told_chance(self.own.declined)}


@dataclass(frozen=True, eq=False)
class WavesOdds:
    """The odds of every wave, and of all `together`; None where these are too many ends to be kept apart.

    `sides` says whose attack each wave is: 0 the first attacker's, 1 the first defender's. `error` bounds what any
    probability may be off.
    """

    waves: tuple[WaveOdds, ...]
    sides: tuple[int, ...]
    together: Together | None
    error: float

    @property
    def true_zeros(self) -> bool:
        """Whether a chance of 0 means that it cannot happen."""
        return self.error == 0

    def holds(self, side: int | None) -> float:
        """The chance that a side holds the field in the end: 0 the first attacker's, 1 the other; None is nobody.

        A territory belongs to whoever held it last, also while nobody stands there. Where ends are not kept apart
        nobody counts as the side that the last wave attacked.
        """
        if self.together:
            return self.together.holds(side)
        last = self.waves[-1]
        taken = last.takes if last.own.land else last.own.wins
        return 0.0 if side is None else taken if side == self.sides[-1] else 1 - taken

    @property
    def rounds(self) -> float:
        """The expected number of rounds of all waves."""
        return sum(wave.own.rounds for wave in self.waves)

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        every = {"all_waves": self.together.to_dict()} if self.together else {}
        return {"waves": [wave.to_dict() for wave in self.waves], "error": self.error, **every}


def solve_waves(waves: Waves, dropped: float = DROPPED, most: float = inf, largest: float = inf) -> WavesOdds:
    """The odds of all waves, where at most `dropped` is not followed.

    TooLargeError for more work than `most`, and where a wave is `largest` (see `AxisChain.numbers`) and more.
    """
    return _Course(waves, dropped, Meter(most), largest).odds()


def holds_from(waves: Waves, number: int, holder: Holder, odds: AxisOdds, meter: Meter) -> float:
    """The chance that the first attacker's side holds the field in the end, once a wave has these odds to end.

    `holder` is who meets that wave. TooLargeError for more work than the meter allows.
    """
    course = _Course(waves, DROPPED, meter, inf)
    return course.holds_after(number, holder, odds)


class _Course:
    """All waves as they are solved, one after the other; histories are kept apart until these are too many."""

    def __init__(self, waves: Waves, dropped: float, meter: Meter, largest: float) -> None:
        self.waves, self.dropped, self.meter, self.largest = waves, dropped / len(waves.battles), meter, largest
        self.coming: list[dict[Holder, list[Law]]] = [{} for _ in waves.battles]
        self.codes = codes_of(waves.most_lost())
        self.sets: dict[Units, int] = {}
        self.fields: dict[tuple[Field, bool], int] = {}
        self.ended: list[Law] = []
        self.error = 0.0
        self.outlook = Outlook(waves, meter) if waves.look_ahead else None

    def odds(self) -> WavesOdds:
        """Solve every wave, and put together what they come to."""
        nobody = np.array([self._place(())])
        nothing = np.zeros((2, 1), np.int64)
        self.coming[0][Holder(-1, ())] = [Law(nothing, nothing, nobody, np.ones((1, 1)))]
        solved: list[WaveOdds] = []
        for number in range(len(self.waves.battles)):
            before = [{holder: list(laws) for holder, laws in later.items()} for later in self.coming]
            try:
                fights = self._fights(number)
            except TooManyEndsError:
                self.codes, self.coming = [], before
                fights = self._fights(number)
            solved.append(self._told(number, fights, solved[-1] if solved else None))
        every = together(self.waves.battles[0], self.codes, list(self.fields), self.ended) if self.codes else None
        sides = tuple(map(self.waves.side, range(len(solved))))
        return WavesOdds(tuple(solved), sides, every, self.error)

    def holds_after(self, number: int, holder: Holder, odds: AxisOdds) -> float:
        """See `holds_from`: what was lost on the way makes no difference here."""
        self.codes = codes_of(({}, {}))
        battle = self.waves.against(number, dict(holder.before))
        shares, nothing = odds.chances[None], np.zeros((2, 1), np.int64)
        self._go_on(Ways(self.waves, number, holder, battle), odds, shares, nothing, np.ones((1, 1)))
        for later in range(number + 1, len(self.waves.battles)):
            self._fights(later)
        return together(self.waves.battles[0], self.codes, list(self.fields), self.ended).holds(0)

    def _fights(self, number: int) -> list[tuple[AxisOdds, float]]:
        return [self._fight(number, holder, laws) for holder, laws in self.coming[number].items()]

    def _place(self, units: Units) -> int:
        return self.sets.setdefault(units, len(self.sets))

    def _fight(self, number: int, holder: Holder, laws: list[Law]) -> tuple[AxisOdds, float]:
        """Fight a wave against those who hold the field; returns its odds, and the money they had lost before."""
        battle = self.waves.against(number, dict(holder.before))
        fresh = dict(self.waves.fresh[number])
        sets = list(self.sets)
        if not self.codes:
            laws = [law._replace(lost=0 * law.lost, more=0 * law.more) for law in laws]
        histories, places, meets = _grouped(laws)
        starts = [in_order(added(dict(sets[place]), fresh)) for place in places.tolist()]
        if not number:
            starts = [battle.defender.units]
        chain = AxisChain(battle, chances=dict(zip(starts, meets.sum(axis=0).tolist(), strict=True)))
        chain.meter = self.meter
        if chain.numbers > self.largest:
            raise TooLargeError("waves", "a wave of this size is too large to solve")
        future = self.outlook.future(number, holder, chain) if self.outlook else None
        weights, chances = _passes(self._likely(meets))
        odds, shares = self._solved(chain, future, chances)
        self.error += odds.error
        self._go_on(Ways(self.waves, number, holder, battle), odds, shares, histories, weights)
        whole, cost = chain.defence.whole_cost, chain.defence.cost()[chain.columns]
        return odds, float((whole - cost) @ np.array(list(chain.chances.values())))

    def _solved(self, chain: AxisChain, future: Future | None, chances: Grid) -> tuple[AxisOdds, Grid]:
        """See `solve_each`; to keep histories apart only so much work is done."""
        if len(chances) == 1:
            return solve_each(chain, self.dropped, future, chances)
        chain.meter = Meter(min(MOST_WORK, self.meter.most - self.meter.done))
        try:
            return solve_each(chain, self.dropped, future, chances)
        except TooLargeError:
            raise TooManyEndsError from None
        finally:
            self.meter.done += chain.meter.done

    def _likely(self, meets: Grid) -> Grid:
        """Without what is so unlikely that all of it together may be dropped."""
        likely = meets > self.dropped / meets.size
        if len(meets) == 1 or not likely.any():
            return meets
        self.error += self.dropped
        return np.where(likely, meets, 0.0)

    def _go_on(self, ways: Ways, odds: AxisOdds, shares: Grid, histories: Nodes, weights: Grid) -> None:
        """Send the ends of fights to the waves that follow, or to the end of all.

        `shares` are the chances of the ends of each fight, [fight, end], and `weights` the parts that the histories
        have in the fights: [history, fight].
        """
        self.meter.add(END * len(weights) * len(odds.chances))
        captured = ways.captured(odds)
        ours: list[tuple[Holder, Units]] = [(ways.held, ())] * len(odds.attackers)
        for place in np.unique(odds.rows[captured]).tolist():
            ours[place] = ways.of_attacker(odds.attackers[place])
        theirs = [ways.of_defender(fate) for fate in odds.defenders]
        stays = np.array([self._place(units) for _, units in ours], np.int64)[odds.rows]
        stands = np.array([self._place(units) for _, units in theirs], np.int64)[odds.columns]
        holders = {holder: number for number, holder in enumerate(dict.fromkeys(holder for holder, _ in ours))}
        by = np.array([holders[holder] for holder, _ in ours], np.int64)[odds.rows]
        groups = [(False, ways.held, ~captured, stands)]
        groups += [(True, holder, captured & (by == number), stays) for holder, number in holders.items()]
        for taken, holder, which, units in groups:
            some = np.flatnonzero(which)
            following = ways.next[taken]
            if not len(some) or (following is None and not self.codes):
                continue
            places = units[some]
            if following is None:
                places = self._fields(ways, taken, places)
                if not taken and not ways.land:
                    places = self._under_water(ways, odds, some, places)
            lost, beaten = self._lost(ways, odds, some, taken, holder)
            law = _followed(ways.side, histories, weights, shares[:, some], (lost, beaten, places))
            (self.ended if following is None else self.coming[following].setdefault(holder, [])).append(law)

    def _lost(self, ways: Ways, odds: AxisOdds, some: Nodes, taken: bool, holder: Holder) -> tuple[Nodes, Nodes]:
        """What the attackers and the defenders of a wave have lost in some of the ends.

        Whoever holds the field from then on is counted with it later on.
        """
        lost, beaten = np.zeros(len(odds.attackers), np.int64), np.zeros(len(odds.defenders), np.int64)
        if self.codes:
            ours, theirs = self.codes[ways.side].places, self.codes[1 - ways.side].places
            counted = dict(holder.before) if taken and ways.next[taken] is not None else {}
            lost = _coded(odds.attackers, {name: place for name, place in ours.items() if name not in counted})
            if taken or ways.next[taken] is None:
                beaten = _coded(odds.defenders, theirs)
        return lost[odds.rows[some]], beaten[odds.columns[some]]

    def _fields(self, ways: Ways, taken: bool, places: Nodes) -> Nodes:
        """The fields on which these sets of units stand in the end: see `together`."""
        sets = list(self.sets)
        side = ways.side if taken else 1 - ways.side
        exposed = taken and ways.land and ways.battle.deadzone
        found = np.zeros(len(sets), np.int64)
        for place in np.unique(places).tolist():
            field = Field(side if sets[place] or ways.owned else None, sets[place])
            found[place] = self.fields.setdefault((field, exposed), len(self.fields))
        return np.asarray(found[places])

    def _under_water(self, ways: Ways, odds: AxisOdds, some: Nodes, places: Nodes) -> Nodes:
        """The same fields of some of the ends, where attackers lie submerged in those that nobody holds."""
        nobodys = self.fields.get((Field(None, ()), False), -1)
        rows, under = odds.rows[some], np.full(len(odds.attackers), nobodys)
        for row in np.unique(rows[places == nobodys]).tolist():
            if units := ways.submerged(odds.attackers[row]):
                field = Field(None, (), (ways.side, units)), False
                under[row] = self.fields.setdefault(field, len(self.fields))
        return np.where(places == nobodys, under[rows], places)

    def _told(self, number: int, fights: Sequence[tuple[AxisOdds, float]], last: WaveOdds | None) -> WaveOdds:
        land = self.waves.battles[0].theatre == "land"
        own = joined([odds for odds, _ in fights]) if fights else _nothing(land)
        fought = float(own.chances.sum())
        takes, survives = own.takes, own.attacker_survives
        if land and last is not None:
            held = 1 - last.takes if self.waves.holds[number] else last.takes
            takes, survives = takes + held, survives + held
        elif self.waves.holds[number]:
            survives += 1 - fought
        loss = own.defender_loss - sum(before for _, before in fights)
        return WaveOdds(own, fought, survives, own.defender_survives, takes, own.attacker_loss, loss)


def _coded(fates: Sequence[Fate], places: Mapping[str, int]) -> Nodes:
    """The numbers of what is lost of units with these places in the `Codes`, wherever they came from."""
    worth = dict(places) | {f"{AMPHIBIOUS}{name}": place for name, place in places.items()}
    return np.array([sum([worth.get(name, 0) * count for name, count in fate.lost]) for fate in fates], np.int64)


def _followed(side: int, histories: Nodes, weights: Grid, shares: Grid, ends: tuple[Nodes, Nodes, Nodes]) -> Law:
    """The law after ends with these losses of the attackers, of the defenders, and places: see `_Course._go_on`."""
    lost, beaten, places = ends
    steps, step = ranked(lost)
    # What the defenders have lost and who holds the field hang together: of both there are few.
    columns, column = different(np.stack([beaten, places]))
    joint = np.zeros((len(shares), len(steps) * columns.shape[1]))
    for share, row in zip(shares, joint, strict=True):
        row += np.bincount(step * columns.shape[1] + column, share, len(row))
    moves = np.zeros((2, 1, len(steps)), np.int64)
    moves[side] = steps
    found, which = different(histories[:, :, None] + moves)
    if found.shape[1] * columns.shape[1] > MOST_ENDS:
        raise TooManyEndsError
    chances = np.zeros((found.shape[1], columns.shape[1]))
    if len(which) < len(steps):
        for rows, weight in zip(which, weights, strict=True):
            chances[rows] += (weight @ joint).reshape(len(steps), -1)
    else:
        joint = joint.reshape(len(shares), len(steps), -1)
        for number, rows in enumerate(which.T):
            chances[rows] += weights @ joint[:, number]
    more = np.zeros_like(columns)
    more[1 - side] = columns[0]
    return Law(found, more, columns[1], chances)


def _grouped(laws: Sequence[Law]) -> tuple[Nodes, Nodes, Grid]:
    """The histories there are, [side, history], the sets of units there are, and the chance of each pair of both."""
    parts = [part for law in laws for part in law.parts()]
    places, which = ranked(np.concatenate([units for _, units, _ in parts]))
    histories, past = different(np.concatenate([lost for lost, _, _ in parts], axis=1))
    if histories.shape[1] * len(places) > MOST_ENDS:
        raise TooManyEndsError
    meets = np.zeros(histories.shape[1] * len(places))
    for lost, units, chances in parts:
        rows, past = past[: lost.shape[1]], past[lost.shape[1] :]
        columns, which = which[: len(units)], which[len(units) :]
        cells = rows[:, None] * len(places) + columns
        meets += np.bincount(cells.reshape(-1), chances.reshape(-1), len(meets))
    meets = meets.reshape(-1, len(places))
    some = meets.any(axis=1)
    return histories[:, some], places, meets[some]


def _passes(meets: Grid) -> tuple[Grid, Grid]:
    """The fights that must be solved each by itself so that every set of defenders is met with its own history.

    Each is some histories with their weights, and the chances of the sets of defenders for these: one history with all
    its sets, or one of these with all its histories, whichever covers most of what is left. The answer is what part the
    histories have in the fights, [history, fight], and the chances of the sets there, [fight, set].
    """
    left = meets > 0
    by_history, by_set = left.sum(axis=1), left.sum(axis=0)
    weights, chances = [], []
    while by_history.any():
        weight, chance = np.zeros(len(by_history)), np.zeros(len(by_set))
        if by_history.max() >= by_set.max():
            one = int(by_history.argmax())
            weight[one], chance[left[one]] = 1.0, meets[one, left[one]]
            by_set -= left[one]
            left[one] = by_history[one] = 0
        else:
            one = int(by_set.argmax())
            chance[one] = meets[left[:, one], one].sum()
            weight[left[:, one]] = meets[left[:, one], one] / chance[one]
            by_history -= left[:, one]
            left[:, one] = by_set[one] = 0
        weights.append(weight)
        chances.append(chance)
    return np.stack(weights, axis=1), np.stack(chances)


def _nothing(land: bool) -> AxisOdds:
    """The odds of a wave that is never fought."""
    none, never, amounts = np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0)
    return AxisOdds((), (), none, none, amounts, amounts, amounts, never, never, never, 0.0, land)
