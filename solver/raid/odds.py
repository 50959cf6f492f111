"""The exact odds of a bombing raid: planes lost, damage, profit, and the best numbers of planes on both sides."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.hits import Laws
from solver.axis.worth import plain_number
from solver.chain import Chances, Grid
from solver.documents import clamp_chance, clamp_chances
from solver.game import GameOdds
from solver.raid.air import profits_by_planes
from solver.raid.raid import Raid

ROUNDING = 1e-9
"""Amounts of money and shares that differ by no more than this are equal."""
TENTHS = np.array([0.1, 0.5, 0.9]) - ROUNDING
"""The shares of the percentiles. Shares such as a tenth are met exactly, as far as a sum of floats can be exact."""


class Flight(NamedTuple):
    """The averages of a raid with some number of bombers, with all escorts and against all interceptors.

    Attributes:
        bombers: The number of bombers.
        damage: The expected damage, in money.
        loss: The expected loss, in money.
        bombed_out: The chance that the target takes all the damage that it can.
        shot_down: The expected loss of the interceptors, in money.
    """

    bombers: int
    damage: float
    loss: float
    bombed_out: float
    shot_down: float = 0.0

    @property
    def profit(self) -> float:
        """The expected profit, in money."""
        return self.damage + self.shot_down - self.loss


class RaidOutcomes(NamedTuple):
    """All that can happen on the attacker's side, one place each.

    The hits tell how many escorts are lost, and link these outcomes with the interceptors lost: see `RaidOdds.air`.

    Attributes:
        hits: The hits of the interceptors.
        lost: The bombers lost.
        damage: The damage to the target.
        chances: Its chance.
    """

    hits: Nodes
    lost: Nodes
    damage: Nodes
    chances: Chances


class RaidEnds(NamedTuple):
    """The ends of a raid, one place each.

    Attributes:
        bombers: The bombers lost.
        escorts: The escorts lost.
        interceptors: The interceptors lost.
        damage: The damage to the target.
        chances: The chance of the end.
    """

    bombers: Nodes
    escorts: Nodes
    interceptors: Nodes
    damage: Nodes
    chances: Chances

    def profits(self, raid: Raid) -> Chances:
        """Return the profit of each end, in money.

        Args:
            raid: The raid.
        """
        escort, interceptor = raid.fighter_prices
        lost = raid.bomber.cost * self.bombers + escort * self.escorts
        return np.asarray(self.damage + interceptor * self.interceptors - lost, float)


class PlaneNumbers(NamedTuple):
    """So many planes on both sides, and the expected profit of their raid, in money."""

    bombers: int
    escorts: int
    interceptors: int
    profit: float


@dataclass(frozen=True, eq=False)
class RaidOdds(GameOdds):
    """The exact odds of a raid.

    Attributes:
        raid: The raid.
        laws: `[h, k, d]` is the probability of h hits of the interceptors, k bombers lost, and d damage.
        flights: The averages for 1, 2, ... bombers, up to those of the raid.
        pays_from: The least damage that a target must be able to take for all these bombers to make a profit on
            average; None if they never do.
        air: The probability of the air battle to go so: [interceptors lost, hits of the interceptors].
        worth: The expected profit of 0, 1, 2, ... bombers that reach the target, in money.
    """

    raid: Raid
    laws: Laws
    flights: tuple[Flight, ...]
    pays_from: int | None
    air: Grid
    worth: Chances

    @cached_property
    def chances(self) -> Laws:
        """The probability to lose k bombers and do d damage: [k, d]."""
        return self.laws[0] if len(self.laws) == 1 else np.asarray(self.laws.sum(axis=0))

    @cached_property
    def outcomes(self) -> RaidOutcomes:
        """All that can happen on the attacker's side."""
        hits, lost, damage = self.laws.nonzero()
        return RaidOutcomes(hits, lost, damage, self.laws[hits, lost, damage])

    @property
    def expected(self) -> Flight:
        """The averages for all bombers of the raid."""
        return self.flights[-1]

    @property
    def best(self) -> Flight:
        """The averages for the fewest bombers with the largest expected profit."""
        highest = max(flight.profit for flight in self.flights)
        return next(flight for flight in self.flights if flight.profit > highest - ROUNDING)

    @cached_property
    def profits(self) -> Grid:
        """The expected profit of every number of planes up to those of the raid: [bombers, escorts, interceptors]."""
        return profits_by_planes(self.raid, self.worth)

    @cached_property
    def best_attack(self) -> PlaneNumbers:
        """The planes with the largest expected profit against all interceptors; no bomber if no raid makes one.

        Of equal numbers it has the fewest bombers, then the fewest escorts.
        """
        return best_numbers(self.profits[:, :, -1:])._replace(interceptors=self.raid.interceptors)

    @cached_property
    def best_defence(self) -> PlaneNumbers:
        """The fewest interceptors against which all bombers and escorts have the smallest expected profit."""
        profits = self.profits[-1, -1]
        number = int(np.flatnonzero(profits < profits.min() + ROUNDING)[0])
        return PlaneNumbers(self.raid.bombers, self.raid.escorts, number, float(profits[number]))

    @cached_property
    def best_of_both(self) -> PlaneNumbers:
        """The raid with the largest expected profit if the defender then answers with the best number of interceptors.

        The defender sees the raid first. No bomber flies if no raid makes a profit.
        """
        return best_numbers(self.profits)

    def ends(self) -> RaidEnds:
        """Return all ends of the raid."""
        hits, lost, damage, chances = self.outcomes
        shares = self._shares_of_kills[:, hits] * chances
        kills, place = shares.nonzero()
        escorts = np.minimum(hits, self.raid.escorts)[place]
        codes = np.ravel_multi_index(
            (lost[place], escorts, kills, damage[place]),
            (self.raid.bombers + 1, self.raid.escorts + 1, len(self.air), self.chances.shape[1]),
        )
        _codes, first, same = np.unique(codes, return_index=True, return_inverse=True)
        together = np.asarray(np.bincount(same, shares[kills, place], len(first)), float)
        return RaidEnds(lost[place][first], escorts[first], kills[first], damage[place][first], together)

    @cached_property
    def _shares_of_kills(self) -> Grid:
        """The law of the interceptors lost if the others hit so often: [interceptors lost, hits]."""
        hits = self.air.sum(axis=0)
        return np.asarray(np.divide(self.air, hits, out=np.zeros_like(self.air), where=hits > 0))

    @cached_property
    def escorts_lost(self) -> Chances:
        """The probability to lose 0, 1, 2, ... escorts."""
        hits = self.air.sum(axis=0)
        lost = np.minimum(np.arange(len(hits)), self.raid.escorts)
        return np.asarray(np.bincount(lost, hits, self.raid.escorts + 1), float)

    @property
    def interceptors_lost(self) -> Chances:
        """The probability to shoot down 0, 1, 2, ... interceptors."""
        return np.asarray(self.air.sum(axis=1))

    @cached_property
    def bombers_survive(self) -> float:
        """The chance that a bomber is left."""
        return float(self.chances[:-1].sum())

    @cached_property
    def factory_survives(self) -> float:
        """The chance that the target could take more damage."""
        return float(self.chances[:, : self.raid.factory_points].sum())

    @cached_property
    def out_of_action(self) -> float | None:
        """The chance that the target is out of action afterwards; None if nobody said how much damage it has."""
        needed = self.raid.puts_out_of_action
        return None if needed is None else float(self.chances[:, needed:].sum())

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the profit: amounts of money in ascending order, and their chances."""
        hits, lost, damage, chances = self.outcomes
        money = damage - float(self.raid.bomber.cost) * lost
        if not self.raid.interceptors:
            return _law(money, chances)
        escort, interceptor = self.raid.fighter_prices
        money -= escort * np.minimum(hits, self.raid.escorts)
        own, place = np.unique(money.round(2), return_inverse=True)
        kinds = self.air.shape[1]
        laws = np.bincount(hits * len(own) + place, chances, kinds * len(own)).reshape(kinds, -1)
        amounts = own + interceptor * np.arange(len(self.air))[:, None]
        together = self._shares_of_kills @ laws
        return _law(amounts[together > 0], together[together > 0])

    @cached_property
    def balance(self) -> tuple[float, float, float]:
        """The chances that the profit is below 0, above 0, and 0."""
        amounts, chances = self.profit
        even, pays = amounts.searchsorted(0), amounts.searchsorted(0, "right")
        return float(chances[:even].sum()), float(chances[pays:].sum()), float(chances[even:pays].sum())

    @cached_property
    def percentiles(self) -> tuple[float, float, float]:
        """The 10th, 50th and 90th percentile of the profit, in money."""
        return _percentiles(*self.profit)

    @cached_property
    def damage_percentiles(self) -> tuple[float, float, float]:
        """The 10th, 50th and 90th percentile of the damage."""
        law = self.chances.sum(axis=0)
        return _percentiles(np.arange(len(law), dtype=float), law)

    @property
    def success(self) -> float | None:
        """The chance that the attacker reaches the aim: see `GameOdds`."""
        return None

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chance of each way to end: see `GameOdds`."""
        return self.balance

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return 5 * self.laws.nbytes

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        amounts, chances = self.profit
        whole = amounts.astype(np.int64)
        numbers = whole.tolist() if (whole == amounts).all() else map(plain_number, amounts.tolist())
        names = ("10", "50", "90")
        ends = self.outcomes[1:3] if len(self.laws) == 1 else self.chances.nonzero()
        each = zip(*(place.tolist() for place in ends), clamp_chances(self.chances[ends]), strict=True)
        return {
            "bombers_survive": clamp_chance(self.bombers_survive),
            "attacker_loss": self.expected.loss,
            "damage": self.expected.damage,
            "factory_survives": clamp_chance(self.factory_survives),
            "profit": [[amount, chance] for amount, chance in zip(numbers, clamp_chances(chances), strict=True)],
            **dict(zip(("costs", "pays", "even"), clamp_chances(self.balance), strict=True)),
            "profit_percentiles": dict(zip(names, self.percentiles, strict=True)),
            "damage_percentiles": dict(zip(names, self.damage_percentiles, strict=True)),
            "pays_from": self.pays_from,
            "best": self.best.bombers,
            "by_bombers": [_flight_document(flight) for flight in self.flights],
            "outcomes": [[lost, damage, chance] for lost, damage, chance in each],
            **self._air_document(),
            "error": self.error,
        }

    def _air_document(self) -> dict[str, Any]:
        """Return the fields about the planes that fight before the raid, and about a target with damage."""
        out = {} if self.out_of_action is None else {"out_of_action": clamp_chance(self.out_of_action)}
        if not self.raid.escorts and not self.raid.interceptors:
            return out
        answers = {"attack": self.best_attack, "defence": self.best_defence, "both": self.best_of_both}
        return out | {
            "shot_down": self.expected.shot_down,
            "escorts_lost": clamp_chances(self.escorts_lost),
            "interceptors_lost": clamp_chances(self.interceptors_lost),
            "best_planes": {name: numbers._asdict() for name, numbers in answers.items()},
        }


def _flight_document(flight: Flight) -> dict[str, Any]:
    """Return the averages of some number of bombers; interceptors shot down are named where there are any."""
    document = {
        "bombers": flight.bombers,
        "damage": flight.damage,
        "loss": flight.loss,
        "bombed_out": clamp_chance(flight.bombed_out),
        "profit": flight.profit,
    }
    return document | {"shot_down": flight.shot_down} if flight.shot_down else document


def best_numbers(profits: Grid) -> PlaneNumbers:
    """Return the fewest planes with the largest profit after the best answer of the interceptors.

    Args:
        profits: The expected profit of every number of planes: [bombers, escorts, interceptors].
    """
    answered = profits.min(axis=2)
    bombers, escorts = np.argwhere(answered > answered.max() - ROUNDING)[0].tolist()
    answers = profits[bombers, escorts]
    interceptors = int(np.flatnonzero(answers < answers.min() + ROUNDING)[0])
    return PlaneNumbers(bombers, escorts, interceptors, float(answers[interceptors]))


def _law(amounts: Chances, chances: Chances) -> tuple[Chances, Chances]:
    """Return a law of money with each amount once, in ascending order."""
    money = amounts.round(2)
    order = money.argsort(kind="stable")
    money = money[order]
    new = np.ones(len(money), bool)
    np.not_equal(money[1:], money[:-1], out=new[1:])
    (first,) = new.nonzero()
    return money[first], np.add.reduceat(chances[order], first)


def _percentiles(amounts: Chances, chances: Chances) -> tuple[float, float, float]:
    reached = chances.cumsum()
    low, middle, high = map(plain_number, amounts[reached.searchsorted(TENTHS * reached[-1])].tolist())
    return low, middle, high
