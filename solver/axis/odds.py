"""The odds of an Axis & Allies battle: the joint law of the units left on both sides, and all answers drawn from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.ends import AxisEnds
from solver.axis.fates import Fate, Fates, find_fates
from solver.axis.kernel.forces import Flags, Forces, Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.sides import SIDES
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.documents import clamp_chance, clamp_chances
from solver.luck import rank_among

ROUNDING = 1e-12
"""Sums of probabilities that differ by no more are the same."""
RankedFates = tuple[list[int], list[float]]
"""The places of fates, the likeliest first, and their chances."""
DOCUMENT_NAMES = {"submerged": "dived"}
"""Endings with another name in JSON documents, which keep their first names."""


class RareEnd(NamedTuple):
    """The chance of a rare end of a simulated battle.

    Attributes:
        name: "wins" for the attacker's victory, "holds" if only defenders are left.
        chance: The chance.
        least: The least that it may be, in 19 of 20 cases.
        most: The most that it may be.
    """

    name: str
    chance: float
    least: float
    most: float


@dataclass(frozen=True, eq=False)
class AxisOdds:
    """The odds of a battle: the joint law of the fates of both sides. Probabilities are of 1, money is counted as the
    battle's `worth` says.

    Attributes:
        attackers: The different fates of the attacker.
        defenders: The different fates of the defender.
        rows: The attacker's fate in each end: [end].
        columns: The defender's fate in each end: [end].
        chances: The probability of each end: [end].
        attacker_loss_at: The attacker's losses in money, less the value of a captured territory: [end].
        defender_loss_at: The defender's losses in money: [end].
        taken: Whether the territory is captured: [end].
        attacker_stands: Whether the attacker has units left, in the fight or gone from it: [end].
        defender_stands: Whether the defender has units left: [end].
        rounds: The expected number of rounds.
        land: Whether the battle is on land.
        territory: The expected value of the territory to the attacker, in money.
        declined: The probability that the attacker declines the battle.
        unplanned: Whether rules that plan to the end were left out because the battle is too large for them.
        error: A bound on the error of any probability; 0 for exact odds. If `sampled`, it holds in 19 of 20 cases for
            the chance of each way to end.
        sampled: The number of simulated battles; 0 if the battle was solved.
        wins_error: How far the chance that the attacker wins may be off in 19 of 20 cases, if `sampled`.
        profit_error: How far the attacker's expected profit may be off in 19 of 20 cases, if `sampled`.
        rare: The chance of the side that hardly ever wins, if `sampled` and if it is known.
        declined_at: Whether the attackers have declined the battle: [end]; None if they never do.
        standoff: Whether nobody can hit anybody, so that both sides stay: [end]; None if that never happens.
        defender_left: Whether the defender has left the field alive: [end]; None where that cannot be.
        ordered: The battle in which those who choose casualties follow their best orders of loss, if it is too large to
            choose in.
    """

    attackers: Sequence[Fate]
    defenders: Sequence[Fate]
    rows: Nodes
    columns: Nodes
    chances: Chances
    attacker_loss_at: Chances
    defender_loss_at: Chances
    taken: Flags
    attacker_stands: Flags
    defender_stands: Flags
    rounds: float
    land: bool
    territory: float = 0.0
    declined: float = 0.0
    unplanned: bool = False
    error: float = 0.0
    sampled: int = 0
    wins_error: float = 0.0
    profit_error: float = 0.0
    rare: RareEnd | None = None
    declined_at: Flags | None = None
    standoff: Flags | None = None
    defender_left: Flags | None = None
    ordered: Waves | None = None

    @property
    def true_zeros(self) -> bool:
        """Whether a probability of 0 means that something cannot happen."""
        return not self.sampled and self.error == 0

    @cached_property
    def takes(self) -> float:
        """The probability that the territory is captured."""
        return float(self.chances[self.taken].sum())

    @cached_property
    def attacker_survives(self) -> float:
        """The probability that the attacker has units left, in the fight or gone from it."""
        return float(self.chances[self.attacker_stands].sum())

    @cached_property
    def defender_survives(self) -> float:
        """The probability that the defender has units left."""
        return float(self.chances[self.defender_stands].sum())

    @cached_property
    def attacker_loss(self) -> float:
        """The attacker's expected loss in money, less the value of a captured territory."""
        return float(self.attacker_loss_at @ self.chances)

    @cached_property
    def defender_loss(self) -> float:
        """The defender's expected loss in money."""
        return float(self.defender_loss_at @ self.chances)

    @cached_property
    def wins(self) -> float:
        """The probability that the attacker wins: that the territory is captured, or at sea that only attackers are
        left.
        """
        return float(self.chances[self.ends_won].sum())

    @cached_property
    def ends_won(self) -> Flags:
        """Whether the attacker wins: [end]."""
        if self.land:
            return self.taken
        return self.ends_cleared & ~self.defender_there & self._left(self.attackers, self.rows)

    @property
    def defender_there(self) -> Flags:
        """Whether the defender has units left that have not left the field: [end]."""
        return self.defender_stands if self.defender_left is None else self.defender_stands & ~self.defender_left

    @cached_property
    def ends_cleared(self) -> Flags:
        """Whether no defender is left in the fight: [end]."""
        return ~self._left(self.defenders, self.columns)

    @cached_property
    def end_chances(self) -> dict[str, float]:
        """The probability of each ending without a victory of the attacker; with `wins` they add up to 1."""
        return {name: float(self.chances[which].sum()) for name, which in self.ends_without_win.items()}

    @cached_property
    def ends_without_win(self) -> dict[str, Flags]:
        """Whether each end belongs to an ending without a victory of the attacker: by name, [end].

        "holds": only defenders are left, submerged ones included. "submerged": the attacker and submerged defenders are
        left. "both": the attacker has stopped, or nobody can hit. "cleared": only attackers are left, but planes
        capture no territory. "nobody": nobody is left. Defenders who have left the field do not count.
        """
        attackers, defenders = self.attacker_stands, self.defender_there
        ends = {
            "holds": defenders & ~attackers,
            "submerged": defenders & attackers & self.ends_cleared,
            "both": defenders & attackers & ~self.ends_cleared,
            "cleared": ~defenders & attackers,
            "nobody": ~defenders & ~attackers,
        }
        return {name: which & ~self.ends_won for name, which in ends.items()}

    @cached_property
    def ways(self) -> Nodes:
        """The number of the way to end of each end: [end]; 0 if the attacker wins, then as in `ends_without_win`."""
        ways = np.zeros(len(self.chances), np.int64)
        for number, which in enumerate(self.ends_without_win.values(), start=1):
            ways[which] = number
        return ways

    def _left(self, fates: Sequence[Fate], places: Nodes) -> Flags:
        """Whether any unit is left in the fight, in each end."""
        return np.array([bool(fate.left) for fate in fates], bool)[places]

    def lost_units(self, defenders: bool = False) -> dict[str, float]:
        """Return the expected number of lost units of each kind.

        Args:
            defenders: Whether to count the defender's units instead of the attacker's.
        """
        return dict(self.units_lost[defenders])

    @cached_property
    def units_lost(self) -> tuple[dict[str, float], dict[str, float]]:
        """The expected number of lost units of each kind, of the attacker and of the defender."""
        return self._lost(self.attackers, self.rows), self._lost(self.defenders, self.columns)

    def _lost(self, fates: Sequence[Fate], places: Nodes) -> dict[str, float]:
        """The expected number of lost units of each kind of a side."""
        shares = np.bincount(places, self.chances, len(fates))
        lost: dict[str, float] = {}
        for fate, chance in zip(fates, shares.tolist(), strict=True):
            for name, count in fate.lost:
                lost[name] = lost.get(name, 0.0) + count * chance
        return lost

    @cached_property
    def likeliest(self) -> tuple[RankedFates, RankedFates]:
        """The places of the fates of the attacker and of the defender, the likeliest first, and their chances."""
        return _rank_fates(self.attackers, self.rows, self.chances), _rank_fates(
            self.defenders, self.columns, self.chances
        )

    @property
    def profits(self) -> Chances:
        """The attacker's profit in money: [end]."""
        return self.defender_loss_at - self.attacker_loss_at

    @property
    def winners(self) -> Nodes:
        """The winner: 0 for the attacker, 1 for the defender, 2 for neither: [end]."""
        return np.minimum(self.ways, 2)  # The defender holds the field in the first of all other ways.

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the attacker's profit: amounts of money in ascending order, and the probability of each."""
        return law_of_amounts(self.profits, self.chances)

    @cached_property
    def profit_percentiles(self) -> tuple[float, float, float]:
        """The amounts of money that the profit does not exceed in a tenth, a half and nine tenths of all cases."""
        return percentiles(*self.profit)

    def percentile(self, profit: float) -> float:
        """Return the percentile of a profit in money among all endings for the attacker: see `Game`."""
        return rank_among(*self.profit, round(profit, 6))

    @property
    def success(self) -> float:
        """The chance that the attacker reaches the aim: see `GameOdds`."""
        return self.wins

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end: see `GameOdds`."""
        return self.wins, *self.end_chances.values()

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return 400 * (len(self.attackers) + len(self.defenders)) + 8 * self.chances.nbytes

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        amounts, chances = self.profit
        wave = {
            "wins": clamp_chance(self.wins),
            **{DOCUMENT_NAMES.get(name, name): clamp_chance(chance) for name, chance in self.end_chances.items()},
            "attacker_survives": clamp_chance(self.attacker_survives),
            "defender_survives": clamp_chance(self.defender_survives),
            "takes": clamp_chance(self.takes),
            "attacker_loss": self.attacker_loss,
            "defender_loss": self.defender_loss,
            "rounds": self.rounds,
            "declined": self.declined == 1,
            "unplanned": self.unplanned,
            "units_lost": dict(zip(SIDES, map(dict, self.units_lost), strict=True)),
            "profit_percentiles": dict(zip(("10", "50", "90"), self.profit_percentiles, strict=True)),
            "profit": list(map(list, zip(amounts.tolist(), clamp_chances(chances), strict=True))),
            "attackers": _fates_to_list(self.attackers, *self.likeliest[0]),
            "defenders": _fates_to_list(self.defenders, *self.likeliest[1]),
        }
        simulated = {"simulated": self.sampled} if self.sampled else {}
        rare = {"rare": self.rare._asdict()} if self.rare else {}
        return {"waves": [wave], "error": self.error} | simulated | rare


def law_of_amounts(amounts: Chances, chances: Chances) -> tuple[Chances, Chances]:
    """Return the law of an amount of money: the different amounts in ascending order, and the probability of each.

    Args:
        amounts: Amounts of money; they are rounded to six decimals.
        chances: The probability of each.
    """
    millionths = np.rint(amounts * 1e6).astype(np.int64)
    # Most amounts are whole, so their multiples of a common step are close together.
    step = max(int(np.gcd.reduce(millionths)), 1)
    steps, place = unique_inverse(millionths // step)
    return steps * step / 1e6, np.asarray(np.bincount(place, chances, len(steps)), float)


def percentiles(amounts: Chances, chances: Chances) -> tuple[float, float, float]:
    """Return the amounts that a tenth, a half and nine tenths of a law do not exceed.

    Args:
        amounts: Amounts of money in ascending order.
        chances: The probability of each.
    """
    if not len(amounts):
        return 0.0, 0.0, 0.0
    reached = np.cumsum(chances)
    low, middle, high = np.searchsorted(reached / reached[-1], np.array([0.1, 0.5, 0.9]) - ROUNDING)
    return float(amounts[low]), float(amounts[middle]), float(amounts[high])


def _rank_fates(fates: Sequence[Fate], places: Nodes, chances: Chances) -> RankedFates:
    """The places of the fates of a side, the likeliest first, and their chances."""
    totals = np.bincount(places, chances, len(fates))
    order = np.argsort(-totals, kind="stable")[: np.count_nonzero(totals)]
    return order.tolist(), totals[order].tolist()


def _fates_to_list(fates: Sequence[Fate], order: Sequence[int], chances: Sequence[float]) -> list[list[Any]]:
    """The fates of a side with their probabilities as a JSON list, in the given order."""
    units = fates.units_at if isinstance(fates, Fates) else lambda place: tuple(map(dict, fates[place]))
    return [[*units(place), min(chance, 1.0)] for place, chance in zip(order, chances, strict=True)]


def join_odds(parts: Sequence[AxisOdds]) -> AxisOdds:
    """Return the odds of several kinds of battles as the odds of one.

    Args:
        parts: The odds of each, whose probabilities add up to its share of 1.
    """
    if len(parts) == 1:
        return parts[0]
    attackers, rows = _join_fates([(part.attackers, part.rows) for part in parts])
    defenders, columns = _join_fates([(part.defenders, part.columns) for part in parts])
    ends = ("chances", "attacker_loss_at", "defender_loss_at", "taken", "attacker_stands", "defender_stands")
    every: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ends}
    for name in ("declined_at", "standoff", "defender_left"):
        flags = [getattr(part, name) for part in parts]
        if any(flag is not None for flag in flags):
            pairs = zip(flags, parts, strict=True)
            every[name] = np.concatenate([np.zeros_like(part.taken) if flag is None else flag for flag, part in pairs])
    every |= {name: sum(getattr(part, name) for part in parts) for name in ("rounds", "error", "declined", "territory")}
    return AxisOdds(attackers, defenders, rows, columns, **every, land=parts[0].land)


def _join_fates(parts: Sequence[tuple[Sequence[Fate], Nodes]]) -> tuple[tuple[Fate, ...], Nodes]:
    """The different fates of a side in several parts, and the number of the fate in each of all their ends."""
    known: dict[Fate, int] = {}
    ends = []
    for fates, places in parts:
        numbers = np.array([known.setdefault(fate, len(known)) for fate in fates], np.int64)
        ends.append(numbers[places])
    return tuple(known), np.concatenate(ends)


def odds_of_no_fight(land: bool) -> AxisOdds:
    """Return the odds of a battle, on land or at sea, that is never fought: see `AxisOdds.land`."""
    none, never, amounts = np.zeros(0, np.int64), np.zeros(0, bool), np.zeros(0)
    return AxisOdds((), (), none, none, amounts, amounts, amounts, never, never, never, 0.0, land)


def odds_of_ends(
    battle: AxisBattle, attack: Forces, defence: Forces, rows: Nodes, columns: Nodes, chances: Chances, rounds: float
) -> AxisOdds:
    """Return the odds of a battle from the probability of each of its ends.

    Args:
        battle: The battle.
        attack: The attacker's forces.
        defence: The defender's forces.
        rows: The attacker's force in each end: [end].
        columns: The defender's force in each end: [end].
        chances: The probability of each end: [end].
        rounds: The expected number of rounds.
    """
    ends = AxisEnds(battle, attack, defence, rows, columns)
    withdrawn = ~ends.cleared & ~ends.attacker_alone
    gains = ends.gains(battle.deadzone, battle.territory_value)
    stays = battle.damage_stays
    attackers, row_fates = find_fates(attack, rows, ends.attackers_crashed, stays, withdrawn=withdrawn)
    defenders, column_fates = find_fates(defence, columns, ends.crashed, stays, cleared=ends.cleared)
    return AxisOdds(
        attackers,
        defenders,
        row_fates,
        column_fates,
        chances,
        ends.attacker_loss - gains,
        ends.defender_loss,
        ends.taken,
        np.array([bool(fate.left or fate.gone) for fate in attackers], bool)[row_fates],
        np.array([bool(fate.left or fate.gone) for fate in defenders], bool)[column_fates],
        rounds,
        battle.theatre == "land",
        float(gains @ chances),
        standoff=ends.standoff,
        defender_left=ends.defender_left if battle.defender_retreat else None,
    )
