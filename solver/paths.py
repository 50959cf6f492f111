"""Paths: one army takes a row of territories, leaving some behind in each before it goes on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf, log10
from sys import float_info
from typing import Any, Self

import numpy as np

from solver.battle import Battle
from solver.chain import Grid, backward
from solver.documents import check_nulls, list_from, told_chance, told_chances, within
from solver.errors import BattleError, check_count
from solver.odds import Chances, Counts, from_the_start, least_chance

MOST_LEGS = 40

Place = tuple[int, int, int]
"""Where a march stands: the leg, the first is 0, and how many attackers and defenders are left in it."""


@dataclass(frozen=True, slots=True)
class Path:
    """A march: each leg a battle with rules of its own, fought by those who are left of the leg before.

    `legs[i].attackers` are those who come to it if nobody falls. Once the defenders of a leg are gone, all who are
    left move in, `leave[i]` of them stay, and the rest goes on; so there is one number less than legs. Where nobody
    goes on, or no more than the attacker's `stop`, the march ends before the next territory that is defended.
    """

    legs: tuple[Battle, ...]
    leave: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no path."""
        check_count("path", len(self.legs), 1, MOST_LEGS, "a path must have {least} to {most} territories, not {value}")
        check_count(
            "leave",
            len(self.leave),
            len(self.legs) - 1,
            len(self.legs) - 1,
            "for this path the number must be {least} to {most}, not {value}",
        )
        for stay in self.leave:
            check_count(
                "leave", stay, 0, 1_000_000, "the number of armies that stay must be {least} to {most}, not {value}"
            )
        for leg in self.legs:
            if leg.reserve or leg.rounds is not None or leg.value is not None or leg.reshape:
                raise BattleError("path", "a path can't have `reserve`, `rounds`, `value` or reshaped odds")
        attackers = self.legs[0].attackers
        for number, stay in enumerate((*self.leave, 0)):
            if self.legs[number].attackers != attackers:
                raise BattleError(
                    "path", "the attackers of a later territory are the armies that moved on; leave their number out"
                )
            attackers = max(attackers - stay, 0)

    @classmethod
    def of(cls, legs: Iterable[Battle], leave: Iterable[int]) -> Self:
        """The path of these legs, of which the first says how many attack."""
        legs, leave = tuple(legs), tuple(leave)
        attackers = legs[0].attackers if legs else 0
        marching = []
        for leg, stay in zip(legs, (*leave, *[0] * len(legs)), strict=False):
            marching.append(replace(leg, attackers=attackers))
            attackers = max(attackers - stay, 0) if type(stay) is int else attackers
        return cls(tuple(marching), leave)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The path of a JSON document; BattleError names the field that is wrong.

        `path` is the defenders of each territory, `leave` how many stay in each (a number more, for the last, is
        forgiven); `legs`, where given, holds the rules that differ from the document's in each territory.
        """
        check_nulls(document)
        shared = {name: value for name, value in document.items() if name not in ("path", "leave", "legs")}
        path = list_from(document, "path")
        check_count("path", len(path), 1, MOST_LEGS, "a path must have {least} to {most} territories, not {value}")
        leave = list_from(document, "leave") if "leave" in document else [1] * len(path)
        own = list_from(document, "legs") if "legs" in document else [{}] * len(path)
        if len(own) != len(path):
            raise BattleError("legs", "give rules for each of the {n} territories", n=len(path))
        legs = []
        for number, (defenders, rules) in enumerate(zip(path, own, strict=True)):
            if not isinstance(rules, Mapping) or rules.keys() & {"game", "attackers", "defenders", "path", "leave"}:
                raise BattleError(f"legs.{number}", "give an object with the rules of this territory")
            leg = {**shared, **rules, "defenders": defenders}
            legs.append(within(f"legs.{number}" if rules else "", partial(Battle.from_dict, leg)))
        return cls.of(legs, leave[: len(path) - 1] if len(leave) == len(path) else leave)

    def to_dict(self) -> dict[str, Any]:
        """The path as a JSON document, every leg with all its rules."""
        documents = [leg.to_dict() for leg in self.legs]
        first = {name: documents[0][name] for name in ("game", "attackers")}
        rules = [{name: part for name, part in one.items() if name not in (*first, "defenders")} for one in documents]
        return first | {"path": [leg.defenders for leg in self.legs], "leave": list(self.leave), "legs": rules}


@dataclass(frozen=True, eq=False)
class PathOdds:
    """Where a march ends: after so many territories `taken[i]`, with so many attackers and defenders left there.

    The rows are in order of territories, then attackers, then defenders; `never` is the chance of places in which
    nobody can ever lose anything. `lost` is how many attackers fall on average, None where there are such places.
    Without `true_zeros` a chance of 0 may also be one too small for a float.
    """

    legs: int
    taken: Counts
    attackers_end: Counts
    defenders_end: Counts
    chances: Chances
    never: float
    lost: float | None
    true_zeros: bool = True

    @cached_property
    def takes(self) -> tuple[float, ...]:
        """The chance to take the first territory, the first two, ... all of them."""
        return tuple(float(self.chances[self.taken >= leg].sum()) for leg in range(1, self.legs + 1))

    @cached_property
    def takes_all(self) -> float:
        """The chance to take every territory."""
        return self.takes[-1]

    @cached_property
    def beaten(self) -> float:
        """The chance that no attacker can go on before the last territory is taken."""
        return float(self.chances[(self.taken < self.legs) & (self.attackers_end == 0)].sum())

    @cached_property
    def called_off(self) -> float:
        """The chance that the attacker stops before the last territory is taken, with attackers left."""
        return float(self.chances[(self.taken < self.legs) & (self.attackers_end > 0)].sum())

    @cached_property
    def attackers_left(self) -> float:
        """The expected number of attackers where the march ends, those who stayed behind on the way not counted."""
        return float(self.attackers_end @ self.chances)

    def to_dict(self) -> dict[str, Any]:
        """The odds as a JSON document."""
        counts = (self.taken, self.attackers_end, self.defenders_end)
        rows = zip(*(count.tolist() for count in counts), told_chances(self.chances), strict=True)
        return {
            "takes_all": told_chance(self.takes_all),
            "taken": told_chances(self.chances[self.taken == leg].sum() for leg in range(self.legs + 1)),
            "survivors": [list(row) for row in rows],
            "never": told_chance(self.never),
        }


def march(path: Path) -> PathOdds:
    """The exact odds of a path."""
    begin = np.zeros(path.legs[0].attackers + 1)
    begin[-1] = 1.0
    never = least = lost = 0.0
    rows: list[tuple[int, Counts, Counts, Chances]] = []
    for number, leg in enumerate(path.legs):
        law: Grid = np.zeros((leg.attackers + 1, leg.defenders + 1))
        law[:, leg.defenders] = begin
        chain = leg.chain()
        odds = from_the_start(chain, law)
        never += odds.never
        least += least_chance(chain)
        lost += float(begin @ np.arange(len(begin))) - odds.attackers_left
        won = (odds.defenders_end == 0) & (odds.attackers_end > 0)
        last = number == len(path.legs) - 1
        kept = slice(None) if last else ~won
        rows.append((number, odds.attackers_end[kept], odds.defenders_end[kept], odds.chances[kept]))
        if not last:
            begin = np.zeros(path.legs[number + 1].attackers + 1)
            np.add.at(begin, np.maximum(odds.attackers_end[won] - path.leave[number], 0), odds.chances[won])
    defenders = np.concatenate([row[2] for row in rows])
    attackers = np.concatenate([row[1] for row in rows])
    taken = np.concatenate([np.full(len(row[1]), row[0]) for row in rows])
    taken += (defenders == 0) & (attackers > 0) & (taken == len(path.legs) - 1)
    chances = np.concatenate([row[3] for row in rows])
    fallen = None if never else max(lost, 0.0)
    return PathOdds(len(path.legs), taken, attackers, defenders, chances, never, fallen, least > log10(float_info.min))


def chances_on(path: Path, places: Sequence[Place], most: float = inf) -> list[float] | list[None]:
    """The chance to take every territory from each of these places of one march, the earliest first.

    They are those of `PathOdds.takes_all`. All None where it would be more work than `most`, in the unit of
    `DiceChain.work`.
    """
    first, attackers, defenders = places[0]
    here = replace(path.legs[first], attackers=attackers, defenders=defenders)
    rest = Path.of((here, *path.legs[first + 1 :]), path.leave[first:])
    if sum(leg.chain().grid_work for leg in rest.legs) > most:
        return [None] * len(places)
    found: dict[Place, float] = {}
    arriving: Grid | None = None
    for number in reversed(range(len(rest.legs))):
        chain = rest.legs[number].chain()
        worth: Grid = chain.won()
        if arriving is not None:
            worth[:, 0] = arriving[np.maximum(np.arange(chain.acting + 1) - rest.leave[number], 0)]
        # A late defender has chosen for the odds of this leg alone: his kernel follows what it settled on.
        backward(chain.kernel(), worth, chain.floor)
        arriving = worth[:, -1]
        found |= {place: worth.item(place[1:]) for place in places if place[0] == first + number}
    return [found[place] for place in places]
