"""The odds of several waves: what each comes to, and the joint law of what all of them come to together.

Wave after wave is solved as one battle that begins with one of many sets of defenders. What the waves before have cost
both sides is kept beside each set, as its *history*, so that nothing is taken for independent that is not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from solver.axis import Units
from solver.axis_chain import AxisChain
from solver.axis_odds import DROPPED, AxisOdds, joined, solve_chain
from solver.chain import Grid
from solver.errors import BattleError
from solver.forces import Nodes
from solver.odds import Chances
from solver.product import Meter
from solver.waves import Waves, added
from solver.waves_ahead import Holder, Outlook, Ways, in_order, plain
from solver.waves_together import Field, Law, Together, TooManyEndsError, codes_of, merged, together

MOST_ENDS = 3_000_000
"""How many ends of a wave are followed at the most, each with its history."""
MOST_WORK = 200_000_000.0
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

    def to_dict(self) -> dict[str, Any]:
        """The wave as a JSON document."""
        wave: dict[str, Any] = self.own.to_dict()["waves"][0]
        names = ("fought", "attacker_survives", "defender_survives", "takes", "attacker_loss", "defender_loss")
        return wave | {name: getattr(self, name) for name in names} | {"declined": self.own.declined}


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

    def holds(self, side: int | None) -> float:
        """The chance that a side holds the field in the end: 0 the first attacker's, 1 the other; None is nobody.

        Where ends are not kept apart nobody counts as the side that the last wave attacked.
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

    BattleError for more work than `most`, and where a wave is `largest` (see `AxisChain.numbers`) and more.
    """
    return _Course(waves, dropped, Meter(most), largest).odds()


class _Course:
    """All waves as they are solved, one after the other; histories are kept apart until these are too many."""

    def __init__(self, waves: Waves, dropped: float, meter: Meter, largest: float) -> None:
        self.waves, self.dropped, self.meter, self.largest = waves, dropped / len(waves.battles), meter, largest
        self.coming: list[dict[Holder, list[Law]]] = [{} for _ in waves.battles]
        self.codes = codes_of(waves.most_lost())
        self.sets: dict[Units, int] = {}
        self.fields: dict[Field, int] = {}
        self.ended: list[Law] = []
        self.error = 0.0
        self.outlook = Outlook(waves, meter) if waves.look_ahead else None

    def odds(self) -> WavesOdds:
        """Solve every wave, and put together what they come to."""
        nobody = np.array([self._place(())])
        self.coming[0][Holder(-1, ())] = [Law(np.zeros((2, 1), np.int64), nobody, np.ones(1))]
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

    def _fights(self, number: int) -> list[tuple[AxisOdds, float]]:
        return [self._fight(number, holder, laws) for holder, laws in self.coming[number].items()]

    def _place(self, units: Units) -> int:
        return self.sets.setdefault(units, len(self.sets))

    def _fight(self, number: int, holder: Holder, laws: list[Law]) -> tuple[AxisOdds, float]:
        """Fight a wave against those who hold the field; returns its odds, and the money they had lost before."""
        battle = self.waves.against(number, dict(holder.before))
        fresh = dict(self.waves.fresh[number])
        sets = list(self.sets)
        law = merged(laws)
        histories, places, meets = _grouped(law if self.codes else law._replace(lost=0 * law.lost))
        starts = [in_order(added(dict(sets[place]), fresh)) for place in places.tolist()]
        if not number:
            starts = [battle.defender.units]
        chain = AxisChain(battle, chances=dict(zip(starts, meets.sum(axis=0).tolist(), strict=True)))
        chain.meter = self.meter
        if chain.numbers > self.largest:
            raise BattleError("waves", "a wave of this size is too large to be solved")
        future = self.outlook.future(number, holder, chain) if self.outlook else None
        before = self.meter.done
        odds = solve_chain(chain, self.dropped, future)
        self.error += odds.error
        ways = Ways(self.waves, number, holder, battle)
        if len(meets) == 1:
            self._go_on(ways, odds, histories, np.ones(1))
        else:
            if (self.meter.done - before) * min(meets.shape) > MOST_WORK:
                raise TooManyEndsError
            for some, weights, chances in _passes(self._likely(meets)):
                part = solve_chain(chain, self.dropped, future, chances.tolist())
                self._go_on(ways, part, histories[:, some], weights)
        whole, cost = chain.defence.whole_cost, chain.defence.cost()[chain.columns]
        return odds, float((whole - cost) @ np.array(list(chain.chances.values())))

    def _likely(self, meets: Grid) -> Grid:
        """Without what is so unlikely that all of it together may be dropped."""
        if not self.dropped:
            return meets
        self.error += self.dropped
        return np.where(meets > self.dropped / meets.size, meets, 0.0)

    def _go_on(self, ways: Ways, odds: AxisOdds, histories: Nodes, weights: Chances) -> None:
        """Send the ends of a fight to the waves that follow, or to the end of all, for each history by its weight."""
        self.meter.add(END * len(weights) * len(odds.chances))
        if len(weights) > 1 and len(weights) * len(odds.chances) > MOST_ENDS:
            raise TooManyEndsError
        captured = ways.captured(odds)
        ours = [ways.of_attacker(fate) for fate in odds.attackers]
        theirs = [ways.of_defender(fate) for fate in odds.defenders]
        numbers = {holder: number for number, holder in enumerate(dict.fromkeys(holder for holder, _ in ours))}
        by = np.array([numbers[holder] for holder, _ in ours], np.int64)[odds.rows]
        stays = np.array([self._place(units) for _, units in ours], np.int64)[odds.rows]
        stands = np.array([self._place(units) for _, units in theirs], np.int64)[odds.columns]
        groups = [(False, ways.held, ~captured, stands)]
        groups += [(True, holder, captured & (by == number), stays) for holder, number in numbers.items()]
        for taken, holder, which, units in groups:
            some = np.flatnonzero(which)
            following = ways.next[taken]
            if not len(some) or (following is None and not self.codes):
                continue
            places = units[some]
            if following is None:
                places = self._fields(ways.side if taken else 1 - ways.side, places)
            lost = self._lost(ways, odds, some, taken, holder, histories)
            chances = weights[:, None] * odds.chances[some]
            law = Law(lost, np.broadcast_to(places, chances.shape).reshape(-1), chances.reshape(-1))
            (self.ended if following is None else self.coming[following].setdefault(holder, [])).append(law)

    def _lost(self, ways: Ways, odds: AxisOdds, some: Nodes, taken: bool, holder: Holder, histories: Nodes) -> Nodes:
        """What both sides have lost after some of the ends, for every history: [side, history and end].

        Whoever holds the field from then on is counted with it later on.
        """
        if not self.codes:
            return np.zeros((2, len(some)), np.int64)
        ours, theirs = self.codes[ways.side], self.codes[1 - ways.side]
        counted = dict(holder.before) if taken and ways.next[taken] is not None else {}
        lost = np.array(
            [
                ours.code((name, count) for name, count in plain(fate.lost) if name not in counted)
                for fate in odds.attackers
            ]
        )
        beaten = np.zeros(len(odds.defenders), np.int64)
        if taken or ways.next[taken] is None:
            beaten = np.array([theirs.code(fate.lost) for fate in odds.defenders])
        more = np.stack([lost[odds.rows[some]], beaten[odds.columns[some]]])
        if ways.side:
            more = more[::-1]
        return np.asarray((histories[:, :, None] + more[:, None, :]).reshape(2, -1))

    def _fields(self, side: int, places: Nodes) -> Nodes:
        """The fields on which these sets of units of a side stand in the end; nobody's where they are empty."""
        sets = list(self.sets)
        found = np.zeros(len(sets), np.int64)
        for place in set(places.tolist()):
            field = Field(side if sets[place] else None, sets[place])
            found[place] = self.fields.setdefault(field, len(self.fields))
        return np.asarray(found[places])

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


def _grouped(law: Law) -> tuple[Nodes, Nodes, Grid]:
    """The histories there are, [side, history], the sets of units there are, and the chance of each pair of both."""
    places, which = np.unique(law.units, return_inverse=True)
    histories, past = np.unique(law.lost, axis=1, return_inverse=True)
    if histories.shape[1] > 1 and histories.shape[1] * len(places) > MOST_ENDS:
        raise TooManyEndsError
    meets = np.zeros((histories.shape[1], len(places)))
    np.add.at(meets, (past.reshape(-1), which), law.chances)
    return histories, places, meets


def _passes(meets: Grid) -> Iterator[tuple[Nodes, Chances, Chances]]:
    """The fights that must be solved each by itself so that every set of defenders is met with its own history.

    Each is some histories with their weights, and the chances of the sets of defenders for these: one history with all
    its sets, or one of these with all its histories, whichever covers most of what is left.
    """
    left = meets.copy()
    while left.any():
        by_history, by_set = (left > 0).sum(axis=1), (left > 0).sum(axis=0)
        if by_history.max() >= by_set.max():
            one = int(by_history.argmax())
            yield np.array([one]), np.ones(1), left[one].copy()
            left[one] = 0
        else:
            one = int(by_set.argmax())
            some = np.flatnonzero(left[:, one])
            yield some, left[some, one], np.eye(left.shape[1])[one]
            left[:, one] = 0


def _nothing(land: bool) -> AxisOdds:
    """The odds of a wave that is never fought."""
    none, never, amounts = np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0)
    return AxisOdds((), (), none, none, amounts, amounts, amounts, never, never, never, 0.0, land)
