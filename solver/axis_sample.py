"""Battles of Axis & Allies that are too large to solve: many of them rolled, and how far their shares may be off.

What the rules say is done to arrays with a row for each battle. So it takes as long as there are rounds and segments of
the orders of loss; how many units there are makes no difference.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds, ending_in
from solver.axis_rows import AxisRows, Field, Had, Salvos, is_any, withdrawn
from solver.errors import TooLargeError, check_count
from solver.forces import Forces, Nodes, ranked
from solver.hits import CHANCES, Counts

MOST_BATTLES = 1_000_000
AT_ONCE, AT_FIRST = 20_000, 1_000
"""How many battles are rolled together; the first of them tell how long they take."""
MOST_WORK = 5_000_000
"""About how many rounds of single battles are rolled; where they last long, fewer battles are."""
ENDLESS = 2_000
"""A battle that is not over after so many rounds counts as one that nobody has won."""
MOST_UNDECIDED = 0.01
"""The largest share of such battles of which odds are still told."""

Rows = npt.NDArray[np.int16]


class Endings(NamedTuple):
    """Battles that are over: the counts of each side, active and then gone, and the rounds and undecided in all."""

    attack: Rows
    defence: Rows
    rounds: int
    undecided: int


def sample_axis(battle: AxisBattle, battles: int = 100_000, seed: int | None = None) -> AxisOdds:
    """The odds of a battle as the shares of so many that are rolled; of fewer where these last very long.

    `error` is the half-width of an interval that holds a probability in 19 of 20 cases, whatever it is, and
    `sampled` how many battles there were. Where the attacker declines, nothing is rolled.
    """
    check_count(
        "battles", battles, 1, MOST_BATTLES, "the number of battles to simulate must be {least} to {most}, not {value}"
    )
    for name in ("profit_below", "win_chance_below"):
        if getattr(battle.retreat, name) is not None:
            raise TooLargeError(
                f"retreat.{name}", "this battle is too large to plan to the end; use another retreat rule"
            )
    sampler = _Sampler(battle, np.random.default_rng(seed))
    if sampler.rows.declined():
        start, place = sampler.rows.whole(1), np.zeros(1, np.int64)
        home = withdrawn(start.attack, np.ones(1, bool), is_any)
        return replace(ending_in(battle.calm, home, start.defence, place, place, np.ones(1), 0.0), declined=1.0)
    return sampler.odds(battles)


class _Sampler:
    """Who rolls a battle many times at once."""

    def __init__(self, battle: AxisBattle, generator: np.random.Generator) -> None:
        self.battle, self.generator = battle, generator
        self.rows = AxisRows(battle)

    def odds(self, battles: int) -> AxisOdds:
        """Roll the battles, so many at once, and count how they end."""
        found: list[Endings] = []
        done = work = 0
        while done < battles and (not done or work < MOST_WORK):
            affordable = AT_FIRST if not done else max(1, (MOST_WORK - work) * done // max(work, 1))
            some = min(AT_ONCE, battles - done, affordable)
            found.append(self._fought(self._begun(some)))
            done, work = done + some, work + found[-1].rounds
        undecided = sum(endings.undecided for endings in found)
        if undecided > done * MOST_UNDECIDED:
            raise TooLargeError(
                "units", "this battle lasts too long to follow to the end; add a limit such as `rounds:100`"
            )
        ours, rows = _distinct(np.concatenate([endings.attack for endings in found]))
        theirs, columns = _distinct(np.concatenate([endings.defence for endings in found]))
        pairs, counts = np.unique(rows * len(theirs) + columns, return_counts=True)
        attack, defence = self.rows.forces("attack", ours), self.rows.forces("defence", theirs)
        odds = ending_in(self.battle, attack, defence, *np.divmod(pairs, len(theirs)), counts / done, work / done)
        error = 1.96 * sqrt(0.25 / done) + (1 + undecided) / done
        return replace(odds, sampled=done, error=min(error, 1.0))

    def _begun(self, battles: int) -> Field:
        """So many battles after the fire of anti-aircraft guns."""
        field = self.rows.whole(battles)
        return self._volley(field, self.rows.guns(field))

    def _fought(self, field: Field) -> Endings:
        """Fight until all battles are over: in every turn each ends or has a round."""
        ended: list[Field] = []
        ships = self.battle.ships
        undecided = 0
        while len(field.rounds):
            field, fights, _ = self.rows.settled(field, ships)
            endless = fights & (field.rounds >= ENDLESS)
            undecided += int(endless.sum())
            over = ~fights | endless
            if over.any():
                ended.append(field.chosen(over))
                field = field.chosen(~over)
            field = self._round(field._replace(attack=field.attack.with_ships(ships)))
            ships = ()
        rounds = sum(int(some.rounds.sum()) for some in ended)
        ours, theirs = [some.attack for some in ended], [some.defence for some in ended]
        return Endings(_recorded(ours), _recorded(theirs), rounds, undecided)

    def _round(self, field: Field) -> Field:
        """The battles after one more round."""
        had = (field.attack.subs, field.defence.subs) if self.rows.subs_about else None
        if had:
            field = self._volley(field, self.rows.strike(field))
        field = self._volley(field, self.rows.fire(field, had), had)
        return field._replace(rounds=field.rounds + 1)

    def _volley(self, field: Field, salvos: Salvos, had: Had | None = None) -> Field:
        """The battles after both sides have fired."""
        at_theirs, at_ours = (salvo.shots([self._hits(powers) for powers in salvo.powers]) for salvo in salvos)
        return self.rows.struck(field, at_theirs, at_ours, had)

    def _hits(self, powers: Counts) -> Counts:
        """Roll the dice of every battle: so many units of strength 0, 1, ... in each."""
        if self.battle.dice == "low_luck":
            sixes, over = np.divmod(powers @ np.arange(7), 6)
            return np.asarray(sixes + (self.generator.integers(6, size=len(powers)) < over))
        hits = np.zeros(len(powers), np.int64)
        for strength, chance in enumerate(CHANCES[self.battle.dice]):
            if strength and powers[:, strength].any():
                hits += self.generator.binomial(powers[:, strength], chance)
        return hits


def _recorded(sides: Sequence[Forces]) -> Rows:
    """The counts of a side, active and then gone, of all battles."""
    return np.concatenate([np.concatenate([side.active, side.gone], axis=1).astype(np.int16) for side in sides])


def _distinct(rows: Rows) -> tuple[Rows, Nodes]:
    """Every row once, and which of these each is."""
    place = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, place = ranked(place * (int(column.max(initial=0)) + 1) + column)
    some = np.empty(int(place.max(initial=-1)) + 1, np.int64)
    some[place] = np.arange(len(rows))
    return rows[some], place
