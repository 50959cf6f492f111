"""Paths: one army takes several territories in a row and leaves a garrison in each before it goes on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from solver.dice.battle import Battle
from solver.documents import check_nulls, read_list, read_part
from solver.errors import BattleError, check_count

MOST_LEGS = 40


@dataclass(frozen=True, slots=True)
class Path:
    """A path of battles, each fought by the army that is left of the one before.

    After a leg all attackers left move in, the garrison stays, and the others go on. If nobody goes on, or no more than
    the attacker's `stop`, the path ends before the next territory that has defenders.

    Attributes:
        legs: The battle for each territory, with its own rules; its attackers are those that arrive if nobody falls.
        leave: The garrison of each territory except the last.

    Raises:
        BattleError: The legs break a rule or a limit, or do not fit together.

    Example:
        >>> path = Path.of([Battle(12, 5), Battle(0, 4)], leave=[1])
        >>> [leg.attackers for leg in path.legs]
        [12, 11]
    """

    legs: tuple[Battle, ...]
    leave: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check that the legs fit together."""
        legs, leave = len(self.legs), len(self.leave)
        check_count("path", legs, 1, MOST_LEGS, "a path must have {least} to {most} territories, not {value}")
        check_count(
            "leave", leave, legs - 1, legs - 1, "for this path the number must be {least} to {most}, not {value}"
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
        """Return the path through these territories.

        Args:
            legs: The battle for each; only the attackers of the first are used.
            leave: The garrison of each territory except the last.
        """
        legs, leave = tuple(legs), tuple(leave)
        attackers = legs[0].attackers if legs else 0
        marching = []
        for leg, stay in zip(legs, (*leave, *[0] * len(legs)), strict=False):
            marching.append(replace(leg, attackers=attackers))
            attackers = max(attackers - stay, 0) if type(stay) is int else attackers
        return cls(tuple(marching), leave)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read the path from a JSON document.

        Args:
            document: The fields of a battle, and `path`, the defenders of each territory; `leave`, the garrisons (one
                for the last territory may be given too); and `legs`, the rules in which each territory differs.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        check_nulls(document)
        shared = {name: value for name, value in document.items() if name not in ("path", "leave", "legs")}
        path = read_list(document, "path")
        check_count("path", len(path), 1, MOST_LEGS, "a path must have {least} to {most} territories, not {value}")
        leave = read_list(document, "leave") if "leave" in document else [1] * len(path)
        own = read_list(document, "legs") if "legs" in document else [{}] * len(path)
        if len(own) != len(path):
            raise BattleError("legs", "give rules for each of the {n} territories", n=len(path))
        legs = []
        for number, (defenders, rules) in enumerate(zip(path, own, strict=True)):
            if not isinstance(rules, Mapping) or rules.keys() & {"game", "attackers", "defenders", "path", "leave"}:
                raise BattleError(f"legs.{number}", "give an object with the rules of this territory")
            leg = {**shared, **rules, "defenders": defenders}
            legs.append(read_part(f"legs.{number}" if rules else "", partial(Battle.from_dict, leg)))
        return cls.of(legs, leave[: len(path) - 1] if len(leave) == len(path) else leave)

    def to_dict(self) -> dict[str, Any]:
        """Return the path as a JSON document; every leg has all its rules."""
        legs = [leg.to_dict() for leg in self.legs]
        path = [leg.pop("defenders") for leg in legs]
        (game, attackers), *_ = [(leg.pop("game"), leg.pop("attackers")) for leg in legs]
        return {"game": game, "attackers": attackers, "path": path, "leave": list(self.leave), "legs": legs}
