"""Bombing raids of Axis & Allies: bombers against a factory and its flak.

The flak fires one shot at each bomber, which hits with 1 of 6 (biased dice: 0.1; with low luck all shots are one
group). Then each bomber left rolls a die, and the rules of 1940 add 2. The sum is the damage, up to the limit of the
factory. One point of damage costs its owner 1 IPC. Escorts and interceptors are not included.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, get_args

import numpy as np

from solver.axis.kernel.forces import Nodes
from solver.axis.kernel.hits import Dice, Laws
from solver.axis.units import Rules, Unit
from solver.axis.worth import IPC, Worth, plain_number
from solver.chain import Chances
from solver.documents import check_fields, check_nulls, clamp_chance, clamp_chances, read_part
from solver.errors import BattleError, check_count, quoted
from solver.raid.laws import damage_laws, flak_laws

MOST_BOMBERS = 500
MOST_POINTS = 500
FACES = {
    "standard": (1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6),
    "low_luck": (0.0, 0.0, 0.5, 0.5),
    "biased": (0.1, 0.2, 0.3, 0.2, 0.1, 0.1),
}
"""The chance of each face, from 1 on, of a bomber's die."""
ROUNDING = 1e-9
"""Amounts of money and shares that differ by no more than this are equal."""
TENTHS = np.array([0.1, 0.5, 0.9]) - ROUNDING
"""The shares of the percentiles. Shares such as a tenth are met exactly, as far as a sum of floats can be exact."""


@dataclass(frozen=True, slots=True)
class Raid:
    """A bombing raid on one factory.

    Attributes:
        rules: The edition.
        bombers: The number of bombers, 1 to 500.
        factory_points: The damage that the factory can still take, 1 to 500.
        dice: The kind of dice.
        aa_already_fired: Whether the flak has fired without a hit.
        worth: The worth of units; only the price of a bomber is kept, if it is not its cost.

    Raises:
        BattleError: A number is out of range, or the edition has no bombers.

    Example:
        >>> rules = Rules("mini", (Unit("bomber", "air", 4, 1, 12),), ((),) * 4)
        >>> Raid(rules, bombers=2, factory_points=8).damages
        (0, 8)
    """

    rules: Rules
    bombers: int
    factory_points: int
    dice: Dice = "standard"
    aa_already_fired: bool = False
    worth: Worth = IPC

    def __post_init__(self) -> None:
        """Check the fields and reduce the worth to the price of a bomber."""
        check_count(
            "bombers", self.bombers, 1, MOST_BOMBERS, "the number of bombers must be {least} to {most}, not {value}"
        )
        check_count(
            "factory_points",
            self.factory_points,
            1,
            MOST_POINTS,
            "the damage a factory can take must be {least} to {most}, not {value}",
        )
        if self.dice not in get_args(Dice):
            raise BattleError(
                "dice",
                "the dice must be one of {known}, not {value}",
                known=", ".join(get_args(Dice)),
                value=quoted(self.dice),
            )
        if type(self.aa_already_fired) is not bool:
            raise BattleError(
                "aa_already_fired", "this must be true or false, not {value}", value=quoted(self.aa_already_fired)
            )
        unit = raiding_unit(self.rules)
        price = read_part("worth", partial(self.worth.canonical, self.rules)).of(unit, "attack")
        own = Worth(units=((unit.name, plain_number(price)),))
        object.__setattr__(self, "worth", IPC if price == unit.cost else own)

    @property
    def bomber(self) -> Unit:
        """The unit that raids, at its price."""
        return self.worth.at_worth(raiding_unit(self.rules), "attack")

    @property
    def die(self) -> tuple[float, ...]:
        """The chance that one bomber does 0, 1, 2, ... points of damage."""
        return (0.0,) * (1 + (self.bomber.raid or 0)) + FACES[self.dice]

    @property
    def losses(self) -> tuple[int, int]:
        """The fewest and the most bombers that can be lost."""
        if self.aa_already_fired:
            return 0, 0
        return (self.bombers // 6, -(-self.bombers // 6)) if self.dice == "low_luck" else (0, self.bombers)

    @property
    def damages(self) -> tuple[int, int]:
        """The least and the most damage that the factory can take."""
        least, most = self.losses
        die, points = self.die, self.factory_points
        lowest = next(damage for damage, chance in enumerate(die) if chance)
        return min((self.bombers - most) * lowest, points), min((self.bombers - least) * (len(die) - 1), points)

    @property
    def profits(self) -> tuple[float, float]:
        """The least and the most profit, in money: a raid that loses more bombers does no more damage."""
        least, most = (self.bomber.cost * count for count in self.losses)
        return round(self.damages[0] - most, 2), round(self.damages[1] - least, 2)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "Raid":
        """Read the raid from a JSON document.

        Args:
            document: The fields of the raid, as docs/api.md lists them.
            rules: The edition.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        check_nulls(document)
        known = ("bombers", "factory_points", "dice", "aa_already_fired")
        check_fields(document, {"game", *known, "worth"})
        for name in known[:2]:
            if name not in document:
                raise BattleError(name, "this must be a whole number")
        given = {name: document[name] for name in known if name in document}
        worth = read_part("worth", partial(Worth.from_dict, document["worth"])) if "worth" in document else IPC
        return cls(rules, **given, worth=worth)

    def to_dict(self) -> dict[str, Any]:
        """Return the raid as a JSON document with every field."""
        numbers = {"bombers": self.bombers, "factory_points": self.factory_points}
        fields = {**numbers, "dice": self.dice, "aa_already_fired": self.aa_already_fired}
        own = {"worth": self.worth.to_dict()} if self.worth != IPC else {}
        return {"game": f"axis{self.rules.key}", "question": "bombing", **fields, **own}


def raiding_unit(rules: Rules) -> Unit:
    """Return the unit that raids factories: the one with a raid bonus, else the bomber.

    Args:
        rules: The edition.

    Raises:
        BattleError: The edition has no bombers.
    """
    for unit in rules.units:
        if unit.raid is not None:
            return unit
    if "bomber" not in rules.table:
        raise BattleError("bombers", "these rules have no bombers")
    return rules.table["bomber"]


class Flight(NamedTuple):
    """The averages of a raid with some number of bombers.

    Attributes:
        bombers: The number of bombers.
        damage: The expected damage, in money.
        loss: The expected loss, in money.
        bombed_out: The chance that the factory takes all the damage that it can.
    """

    bombers: int
    damage: float
    loss: float
    bombed_out: float

    @property
    def profit(self) -> float:
        """The expected profit, in money."""
        return self.damage - self.loss


@dataclass(frozen=True, eq=False)
class RaidOdds:
    """The exact odds of a raid.

    Attributes:
        raid: The raid.
        chances: `[k, d]` is the probability to lose k bombers and do d damage.
        flights: The averages for 1, 2, ... bombers, up to those of the raid.
        pays_from: The least damage that a factory must be able to take for all these bombers to make a profit on
            average; None if they never do.
        error: 0, because the odds are exact.
    """

    raid: Raid
    chances: Laws
    flights: tuple[Flight, ...]
    pays_from: int | None
    error: float = 0.0

    @property
    def expected(self) -> Flight:
        """The averages for all bombers of the raid."""
        return self.flights[-1]

    @property
    def best(self) -> Flight:
        """The averages for the fewest bombers with the largest expected profit."""
        most = max(flight.profit for flight in self.flights)
        return next(flight for flight in self.flights if flight.profit > most - ROUNDING)

    @cached_property
    def bombers_survive(self) -> float:
        """The chance that a bomber is left."""
        return float(self.chances[:-1].sum())

    @cached_property
    def factory_survives(self) -> float:
        """The chance that the factory could take more damage."""
        return float(self.chances[:, : self.raid.factory_points].sum())

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the profit: amounts of money in ascending order, and their chances."""
        lost, damage, chances = self._outcomes
        money = (damage - float(self.raid.bomber.cost) * lost).round(2)
        order = money.argsort(kind="stable")
        money = money[order]
        new = np.ones(len(money), bool)
        np.not_equal(money[1:], money[:-1], out=new[1:])
        (first,) = new.nonzero()
        return money[first], np.add.reduceat(chances[order], first)

    @cached_property
    def _outcomes(self) -> tuple[Nodes, Nodes, Chances]:
        """What can happen: the bombers lost and the damage of each outcome, and its chance."""
        lost, damage = self.chances.nonzero()
        return lost, damage, self.chances[lost, damage]

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
    def sampled(self) -> int:
        """The number of simulated battles, which is 0: see `GameOdds`."""
        return 0

    @property
    def true_zeros(self) -> bool:
        """Whether a chance of 0 means that it cannot happen, which is so: all is exact."""
        return True

    @property
    def nbytes(self) -> int:
        """About how many bytes the odds take: see `GameOdds`."""
        return 2 * self.chances.nbytes

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        flights = [
            {
                "bombers": bombers,
                "damage": damage,
                "loss": loss,
                "bombed_out": clamp_chance(bombed_out),
                "profit": damage - loss,
            }
            for bombers, damage, loss, bombed_out in self.flights
        ]
        each_lost, each_damage, likely = self._outcomes
        outcomes = zip(each_lost.tolist(), each_damage.tolist(), clamp_chances(likely), strict=True)
        amounts, chances = self.profit
        whole = amounts.astype(np.int64)
        numbers = whole.tolist() if (whole == amounts).all() else map(plain_number, amounts.tolist())
        names = ("10", "50", "90")
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
            "by_bombers": flights,
            "outcomes": [[lost, damage, chance] for lost, damage, chance in outcomes],
            "error": self.error,
        }


def solve_raid(raid: Raid) -> RaidOdds:
    """Return the exact odds of a raid.

    Args:
        raid: The raid.

    Example:
        >>> rules = Rules("mini", (Unit("bomber", "air", 4, 1, 12),), ((),) * 4)
        >>> odds = solve_raid(Raid(rules, bombers=2, factory_points=8))
        >>> round(odds.expected.damage, 2), round(odds.expected.loss, 2)
        (5.45, 4.0)
    """
    count, cost, top = raid.bombers, raid.bomber.cost, raid.damages[1]
    flak, whole = flak_laws(count, raid.dice, raid.aa_already_fired), damage_laws(count, raid.die)
    left, damages = flak.left[1 : count + 1, : count + 1], whole[: count + 1]
    # A factory that has taken all it can takes no more.
    full = damages[:, raid.factory_points :].sum(axis=1)
    last = full if top == raid.factory_points else damages[:, top]
    means = damages[:, :top] @ np.arange(top) + top * last
    averages = left @ means, cost * flak.lost[1 : count + 1], left @ full
    flights = tuple(map(Flight, range(1, count + 1), *(each.tolist() for each in averages)))
    # The flak shoots down as many as are not left.
    falls = left[-1, ::-1]
    chances = falls[:, None] * damages[::-1, : top + 1]
    chances[:, top] = falls * last[::-1]
    return RaidOdds(raid, chances, flights, _pays_from(left[-1] @ damages, flights[-1].loss))


def _pays_from(law: Chances, loss: float) -> int | None:
    """Return the least limit of the factory at which this law of damage makes up for the loss; None if none does."""
    # Of c points it takes as many as there are j < c with more than j damage.
    taken = law[:0:-1].cumsum()[::-1].cumsum()
    points = int(taken.searchsorted(loss - ROUNDING))
    return points + 1 if points < len(taken) else None


def _percentiles(amounts: Chances, chances: Chances) -> tuple[float, float, float]:
    reached = chances.cumsum()
    low, middle, high = map(plain_number, amounts[reached.searchsorted(TENTHS * reached[-1])].tolist())
    return low, middle, high
