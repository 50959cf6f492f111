"""Bombing raids of Axis & Allies: bombers against a factory and its flak, who falls, and what the factory takes.

The flak fires a shot at each bomber, which hits with 1 of 6 (biased dice 0.1; with low luck the shots are one group).
Then each bomber that is left rolls a die, to which the rules of 1940 add 2: that is its damage, and the factory takes
as many points in all as it can. A point costs its owner 1 IPC. Escorts and interceptors are not part of this.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, get_args

import numpy as np

from solver.documents import check_fields, check_nulls, told_chance, told_chances, within
from solver.errors import BattleError, check_count, shown
from solver.hits import Dice, Laws, hit_laws, tails
from solver.odds import Chances
from solver.units import Rules, Unit
from solver.worth import IPC, Worth, plain_number

MOST_BOMBERS = 500
MOST_POINTS = 500
FACES = {
    "standard": (1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6),
    "low_luck": (0.0, 0.0, 0.5, 0.5, 0.0, 0.0),
    "biased": (0.1, 0.2, 0.3, 0.2, 0.1, 0.1),
}
"""How likely a bomber's die shows 1 to 6."""
ROUNDING = 1e-9
"""Money, or shares, that differ by no more than this are the same."""


@dataclass(frozen=True, slots=True)
class Raid:
    """So many bombers against a factory that can take so many points more, under the rules of an edition.

    `aa_already_fired`: the flak is done, and nobody fell. `worth` says what a bomber counts: of that it keeps only its
    price, where that is not what it costs.
    """

    rules: Rules
    bombers: int
    factory_points: int
    dice: Dice = "standard"
    aa_already_fired: bool = False
    worth: Worth = IPC

    def __post_init__(self) -> None:
        """Bring it to one form and refuse what is no raid."""
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
                value=shown(self.dice),
            )
        if type(self.aa_already_fired) is not bool:
            raise BattleError(
                "aa_already_fired", "this must be true or false, not {value}", value=shown(self.aa_already_fired)
            )
        unit = raider(self.rules)
        price = within("worth", partial(self.worth.settled, self.rules)).of(unit, "attack")
        own = Worth(units=((unit.name, plain_number(price)),))
        object.__setattr__(self, "worth", IPC if price == unit.cost else own)

    @property
    def bomber(self) -> Unit:
        """The unit that raids, at what it is worth."""
        return self.worth.priced(raider(self.rules), "attack")

    @property
    def faces(self) -> dict[int, float]:
        """The damage that a bomber can do, and how likely each is."""
        more = 1 + (self.bomber.raid or 0)
        return {face: chance for face, chance in enumerate(FACES[self.dice], more) if chance}

    @property
    def losses(self) -> tuple[int, int]:
        """The fewest and the most bombers that can fall."""
        if self.aa_already_fired:
            return 0, 0
        return (self.bombers // 6, -(-self.bombers // 6)) if self.dice == "low_luck" else (0, self.bombers)

    @property
    def damages(self) -> tuple[int, int]:
        """The least and the most points that the factory can take."""
        least, most = self.losses
        damages = (self.bombers - most) * min(self.faces), (self.bombers - least) * max(self.faces)
        return min(damages[0], self.factory_points), min(damages[1], self.factory_points)

    @property
    def profits(self) -> tuple[float, float]:
        """The least and the most money that can be made: who loses more bombers does not do more damage either."""
        least, most = (self.bomber.cost * count for count in self.losses)
        return round(self.damages[0] - most, 2), round(self.damages[1] - least, 2)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "Raid":
        """The raid of a JSON document under these rules; BattleError names the field that is wrong."""
        check_nulls(document)
        known = ("bombers", "factory_points", "dice", "aa_already_fired")
        check_fields(document, {"game", *known, "worth"})
        for name in known[:2]:
            if name not in document:
                raise BattleError(name, "this must be a whole number")
        given = {name: document[name] for name in known if name in document}
        worth = within("worth", partial(Worth.from_dict, document["worth"])) if "worth" in document else IPC
        return cls(rules, **given, worth=worth)

    def to_dict(self) -> dict[str, Any]:
        """The raid as a JSON document, with every field."""
        numbers = {"bombers": self.bombers, "factory_points": self.factory_points}
        fields = {**numbers, "dice": self.dice, "aa_already_fired": self.aa_already_fired}
        own = {"worth": self.worth.to_dict()} if self.worth != IPC else {}
        return {"game": f"axis{self.rules.key}", "question": "bombing", **fields, **own}


def raider(rules: Rules) -> Unit:
    """The unit that raids factories; where rules have no raids that is the bomber, BattleError if there is none."""
    for unit in rules.units:
        if unit.raid is not None:
            return unit
    if "bomber" not in rules.table:
        raise BattleError("bombers", "these rules have no bombers")
    return rules.table["bomber"]


class Flight(NamedTuple):
    """What so many bombers may expect, in money, and the chance that they leave nothing to be bombed."""

    bombers: int
    damage: float
    loss: float
    bombed_out: float

    @property
    def profit(self) -> float:
        """What they do to the factory, less what they lose."""
        return self.damage - self.loss


@dataclass(frozen=True, eq=False)
class RaidOdds:
    """How a raid ends: with probability `chances[k, d]` it costs k bombers, and the factory takes d points.

    `flights` are the averages for 1, 2, ... bombers up to those of the raid. `pays_from`: the points that a factory
    must be able to take for all of them to pay for themselves on average; None where they never do. All is exact.
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
        """The fewest bombers that make the most money on average."""
        most = max(flight.profit for flight in self.flights)
        return next(flight for flight in self.flights if flight.profit > most - ROUNDING)

    @cached_property
    def bombers_survive(self) -> float:
        """The chance that a bomber is left."""
        return float(self.chances[:-1].sum())

    @cached_property
    def factory_survives(self) -> float:
        """The chance that the factory could take more."""
        return float(self.chances[:, : self.raid.factory_points].sum())

    @cached_property
    def profit(self) -> tuple[Chances, Chances]:
        """The law of the damage less the worth of the bombers lost: amounts of money, and their chances."""
        lost, damage = np.nonzero(self.chances)
        money: Chances = damage - float(self.raid.bomber.cost) * lost
        amounts, places = np.unique(np.round(money, 2), return_inverse=True)
        law = np.bincount(places, self.chances[lost, damage])
        return amounts, np.asarray(law, float)

    @cached_property
    def fates(self) -> tuple[float, float, float]:
        """The chances that the raid costs more than it does, that it does more than it costs, and that it is even."""
        amounts, chances = self.profit
        costs, pays, even = (float(chances[which].sum()) for which in (amounts < 0, amounts > 0, amounts == 0))
        return costs, pays, even

    @cached_property
    def percentiles(self) -> tuple[float, float, float]:
        """The profit that a tenth, a half and nine tenths of all raids do not exceed."""
        return _percentiles(*self.profit)

    @cached_property
    def damage_percentiles(self) -> tuple[float, float, float]:
        """The same of the damage."""
        law = self.chances.sum(axis=0)
        return _percentiles(np.arange(len(law), dtype=float), law)

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        flights = [
            {**flight._asdict(), "bombed_out": told_chance(flight.bombed_out), "profit": flight.profit}
            for flight in self.flights
        ]
        lost, damage = np.nonzero(self.chances)
        outcomes = zip(lost.tolist(), damage.tolist(), told_chances(self.chances[lost, damage]), strict=True)
        amounts, chances = self.profit
        names = ("10", "50", "90")
        return {
            "bombers_survive": told_chance(self.bombers_survive),
            "attacker_loss": self.expected.loss,
            "damage": self.expected.damage,
            "factory_survives": told_chance(self.factory_survives),
            "profit": [
                list(pair) for pair in zip(map(plain_number, amounts.tolist()), told_chances(chances), strict=True)
            ],
            **dict(zip(("costs", "pays", "even"), told_chances(self.fates), strict=True)),
            "profit_percentiles": dict(zip(names, self.percentiles, strict=True)),
            "damage_percentiles": dict(zip(names, self.damage_percentiles, strict=True)),
            "pays_from": self.pays_from,
            "best": self.best.bombers,
            "by_bombers": flights,
            "outcomes": [list(outcome) for outcome in outcomes],
            "error": self.error,
        }


def solve_raid(raid: Raid) -> RaidOdds:
    """The odds of a raid."""
    flak, whole = _flak(raid), _damage(raid)
    top, cost = raid.damages[1], raid.bomber.cost
    # A factory that has taken all it can takes no more.
    capped = whole[:, : top + 1].copy()
    capped[:, top] += whole[:, top + 1 :].sum(axis=1)
    means, full = capped @ np.arange(top + 1), whole[:, raid.factory_points :].sum(axis=1)
    flights = []
    for count in range(1, raid.bombers + 1):
        law = flak[count, : count + 1]
        damage, bombed_out = (float(law @ of[count::-1]) for of in (means, full))
        flights.append(Flight(count, damage, cost * float(law @ np.arange(count + 1)), bombed_out))
    chances = flak[-1][:, None] * capped[::-1]
    return RaidOdds(raid, chances, tuple(flights), _pays_from(flak[-1] @ whole[::-1], flights[-1].loss))


def _flak(raid: Raid) -> Laws:
    """The chance that of so many bombers so many fall: `[bombers, fallen]`."""
    shots = np.zeros((raid.bombers + 1, 2), np.int64)
    if not raid.aa_already_fired:
        shots[:, 1] = np.arange(raid.bombers + 1)
    laws = hit_laws(shots, raid.dice)[:, : raid.bombers + 1]
    return np.pad(laws, ((0, 0), (0, raid.bombers + 1 - laws.shape[1])))


def _damage(raid: Raid) -> Laws:
    """The chance that so many bombers do so much damage, where nothing limits it: `[bombers, points]`."""
    laws = np.zeros((raid.bombers + 1, raid.bombers * max(raid.faces) + 1))
    laws[0, 0] = 1
    for count in range(1, raid.bombers + 1):
        for face, chance in raid.faces.items():
            laws[count, face:] += chance * laws[count - 1, : laws.shape[1] - face]
    return laws


def _pays_from(law: Chances, loss: float) -> int | None:
    """The fewest points that a factory must be able to take for this law of damage to make up for the loss."""
    # Of c points it takes as many as there are j < c with more than j damage.
    reached = tails(law[None])[0, 1:].cumsum() >= loss - ROUNDING
    return int(reached.argmax()) + 1 if reached.any() else None


def _percentiles(amounts: Chances, chances: Chances) -> tuple[float, float, float]:
    reached = np.cumsum(chances)
    # Shares such as a tenth are met exactly, as far as a sum of floats can be exact.
    places = np.searchsorted(reached / reached[-1], np.array([0.1, 0.5, 0.9]) - ROUNDING)
    low, middle, high = map(plain_number, amounts[places].tolist())
    return low, middle, high
