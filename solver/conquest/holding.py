"""The question of taking territories to hold them: what must stand after a turn, and who attacks it then."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from solver.conquest.conquest import MOST_FREE, Border, Conquest, field_of, read_neighbours, read_numbers
from solver.dice.ships import Ships
from solver.errors import BattleError, check_count, check_flag

MOST_COUNTERS = 6
HOLDING_FIELDS = ("hold", "counter", "fortify")
"""The fields of this question in a document, beside those of a conquest, and the words for them in a line.

They are about armies that must stand after the turn, enemies that attack, and a last move.
"""
FAR: Literal["far"] = "far"
"""The last move of newer rules: through any territories of the player, one next to the other."""


@dataclass(frozen=True, slots=True, order=True)
class Counter:
    """An attack of an enemy after the turn, from one territory.

    Attributes:
        name: The territory.
        armies: The armies that may leave it: they all attack one target that was taken, to the end.
        against: The names of the targets next to it.
    """

    name: str
    armies: int
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """A turn whose aim is to take all targets and to hold them.

    After the attacks the player may fortify once: any free armies go from one of their territories to a target next to
    it, or to one farther off through other territories of theirs. Then there must be so many armies in some targets.
    Last, each counter attacks one target next to it, all at once, to the end, with the dice of the turn; their order
    and targets are the worst for the player. What is taken stands if at least one army is left in each target.

    Attributes:
        conquest: The turn. It takes all targets, and one army stays in each.
        least: The fewest armies that must be in some targets after the turn, with those that stay.
        counters: The attacks after it.
        fortify: Whether the player may fortify; FAR if also through other starts and targets.
        ways: With FAR the borders between starts, both names sorted; no attack needs these.

    Raises:
        BattleError: The values break a rule or a limit, or do not fit together.

    Example:
        >>> turn = Conquest.of({"a": ["b"], "b": ["c"]}, {"a": 9}, {"b": 3})
        >>> Holding.of(turn, {"a": ["b"], "b": ["c"]}, counters={"c": 5}).counters
        (Counter(name='c', armies=5, against=('b',)),)
    """

    conquest: Conquest
    least: tuple[tuple[str, int], ...]
    counters: tuple[Counter, ...]
    fortify: bool | Literal["far"]
    ways: tuple[Border, ...] = ()

    def __post_init__(self) -> None:
        """Check the fields and bring them to one form."""
        conquest, targets = self.conquest, {target.name for target in self.conquest.targets}
        if conquest.aim != "all":
            raise BattleError("aim", "you can only hold all targets together, so this doesn't work here")
        if conquest.rules.late:
            raise BattleError("late", "`hold` and `counter` don't work where the defender chooses the dice")
        if any(target.leave != 1 for target in conquest.targets):
            raise BattleError("leave", "with `hold` or `counter` best play decides how many stay: leave this out")
        for name, armies in self.least:
            _check_armies(field_of("hold", name), armies)
            if name not in targets:
                raise BattleError(field_of("hold", name), "this territory isn't one of the targets")
        check_count("counter", len(self.counters), 0, MOST_COUNTERS, "there can be up to {most} counter-attacks")
        for counter in self.counters:
            _check_armies(field_of("counter", counter.name), counter.armies)
            if not counter.against:
                raise BattleError(field_of("counter", counter.name), "this territory doesn't border any of the targets")
        if not self.least and not self.counters:
            raise BattleError("hold", "say what must stand after the turn, or who attacks then")
        if self.counters and (conquest.rules.attack_ships != Ships() or conquest.rules.defence_ships != Ships()):
            raise BattleError("counter", "counter-attacks don't work with ships")
        object.__setattr__(self, "least", tuple(sorted(self.least)))
        object.__setattr__(self, "counters", tuple(sorted(self.counters)))

    @classmethod
    def of(
        cls,
        conquest: Conquest,
        neighbours: Mapping[str, Any],
        least: Mapping[str, int] | None = None,
        counters: Mapping[str, int] | None = None,
        fortify: bool | Literal["far"] = False,
    ) -> "Holding":
        """Return the question with these numbers.

        Args:
            conquest: The turn.
            neighbours: The neighbours of each territory, as for `Conquest.of`; here with those of the counters.
            least: See `Holding`.
            counters: The armies of each counter by its territory.
            fortify: See `Holding`.

        Raises:
            BattleError: The values break a rule or a limit, or do not fit together.
        """
        targets = [target.name for target in conquest.targets]
        own = {*targets, *dict(conquest.starts)}
        borders = {frozenset((name, other)) for name, near in neighbours.items() for other in near}
        known = {*neighbours}.union(*borders)
        attacks = []
        for name, armies in (counters or {}).items():
            if name not in known:
                raise BattleError(field_of("counter", name), "the map has no such territory")
            if name in own:
                raise BattleError(field_of("counter", name), "a counter-attack comes from a territory of an enemy")
            near = (other for other in targets if frozenset((name, other)) in borders)
            attacks.append(Counter(name, armies, tuple(near)))
        starts = combinations(dict(conquest.starts), 2) if fortify == FAR else ()
        ways = tuple(pair for pair in starts if frozenset(pair) in borders)
        return cls(conquest, tuple((least or {}).items()), tuple(attacks), fortify, ways)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Holding":
        """Read the question from a JSON document.

        Args:
            document: As docs/api.md lists it.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        conquest = Conquest.from_dict({k: value for k, value in document.items() if k not in HOLDING_FIELDS})
        least, counters = (read_numbers(document, name) if name in document else {} for name in ("hold", "counter"))
        fortify = document.get("fortify", False)
        if fortify != FAR:
            check_flag("fortify", fortify)
        return cls.of(conquest, read_neighbours(document), least, counters, fortify)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as a JSON document with every field."""
        document = self.conquest.to_dict()
        for counter in self.counters:
            document["neighbours"][counter.name] = list(counter.against)
        for here, there in self.ways:
            document["neighbours"][here].append(there)
        counters = {counter.name: counter.armies for counter in self.counters}
        return {**document, "hold": dict(self.least), "counter": counters, "fortify": self.fortify}


def _check_armies(field: str, armies: int) -> None:
    check_count(field, armies, 1, MOST_FREE, "the number of armies must be {least} to {most}, not {value}")
