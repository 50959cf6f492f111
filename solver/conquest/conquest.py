"""The question of a conquest: the map, the armies at its start, the territories to take and the aim."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

from solver.dice.battle import GAMES, Battle
from solver.documents import check_fields, check_nulls, read_object, read_part
from solver.errors import BattleError, check_choice, check_count, check_number, quoted

MOST_TARGETS, MOST_STARTS = 60, 60
MOST_TERRITORIES = 1_000
"""The most territories on a map."""
MOST_FREE = 500
"""The most armies in a territory."""
MOST_WORTH = 1_000_000
LONGEST_NAME = 60

Aim = Literal["all", "most", "value"]
Border = tuple[str, str]

RULES = Battle(0, 0)
"""Classic Risk."""
FIELDS = ("neighbours", "starts", "targets", "leave", "aim", "values")
"""The fields of a conquest in a document, beside those of the dice."""
PLANS = ("stop", "reserve", "rounds", "value", "reshape")
"""The fields of a battle that do not go with a conquest."""


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A territory to take.

    Attributes:
        name: Its name.
        garrison: The armies that hold it; 0 is entered without a battle.
        leave: The armies that stay in it after its capture; all of them if fewer came.
        worth: Its worth, for the aim "value".

    Raises:
        BattleError: A number is out of range.
    """

    name: str
    garrison: int
    leave: int = 1
    worth: float = 1

    def __post_init__(self) -> None:
        """Check the numbers."""
        _check_armies(field_of("targets", self.name), self.garrison)
        _check_armies(field_of("leave", self.name), self.leave)
        field = field_of("values", self.name)
        check_number(field, self.worth, 0, MOST_WORTH, "a territory's value must be 0 to {most}, not {value}")


@dataclass(frozen=True, slots=True)
class Conquest:
    """Territories to conquer on a map.

    At any moment the player may throw once, with the most dice, from any territory with free armies against any target
    next to it. Of k attackers left after a capture, some move in: at least as many as could have rolled. The others
    stay free where they came from. Armies go nowhere else.

    Two conquests are equal if they ask the same: territories are sorted, and those that play no part are left out.

    Attributes:
        borders: The pairs of neighbours, both names sorted.
        starts: The player's territories, with the free armies in each: those that need not stay behind.
        targets: The territories to take.
        aim: Take all of them, as many as possible on average, or as much value as possible.
        rules: The dice, ships and ties of all battles; its numbers of armies are 0.
        to_the_end: Whether a live conquest fights each attack to its end, as older logs do. This changes no odds.

    Raises:
        BattleError: The values break a rule or a limit, or do not fit together.

    Example:
        >>> conquest = Conquest.of({"a": ["b"], "b": ["c"]}, {"a": 9}, {"b": 3, "c": 2})
        >>> conquest.borders
        (('a', 'b'), ('b', 'c'))
    """

    borders: tuple[Border, ...]
    starts: tuple[tuple[str, int], ...]
    targets: tuple[Target, ...]
    aim: Aim = "all"
    rules: Battle = RULES
    to_the_end: bool = False

    def __post_init__(self) -> None:
        """Check the fields and bring them to one form."""
        counts = ("starts", MOST_STARTS, len(self.starts)), ("targets", MOST_TARGETS, len(self.targets))
        for field, limit, count in counts:
            check_count(field, count, 1, limit, "the number of territories must be {least} to {most}, not {value}")
        for name, armies in self.starts:
            _check_armies(field_of("starts", name), armies)
        names = [*(name for name, _ in self.starts), *(target.name for target in self.targets)]
        if max(map(len, names)) > LONGEST_NAME:
            raise BattleError("neighbours", "a name can have up to {most} letters", most=LONGEST_NAME)
        check_choice("aim", self.aim, get_args(Aim), "the aim must be one of {known}, not {value}")
        for plan in PLANS:
            if getattr(self.rules, plan) != getattr(RULES, plan):
                raise BattleError(
                    plan, "in a conquest best play decides when an attack ends, so this doesn't work here"
                )
        object.__setattr__(self, "starts", tuple(sorted(self.starts)))
        worths = self.targets if self.aim == "value" else (replace(target, worth=1) for target in self.targets)
        object.__setattr__(self, "targets", tuple(sorted(worths)))
        object.__setattr__(self, "borders", self._canonical_borders(set(names)))

    def _canonical_borders(self, names: set[str]) -> tuple[Border, ...]:
        """Return the borders that play a part, each with both names sorted; refuse what no map can have."""
        own, others = {name for name, _ in self.starts}, {target.name for target in self.targets}
        if len(names) < len(self.starts) + len(self.targets):
            field = field_of("targets", min(own & others, default="")).rstrip(".")
            raise BattleError(field, "each territory can be named once, as a start or as a target")
        if alone := next((name for name, other in self.borders if name == other), ""):
            raise BattleError(field_of("neighbours", alone), "a territory can't be its own neighbour")
        useful = (pair for pair in self.borders if names.issuperset(pair) and not own.issuperset(pair))
        return tuple(sorted({(min(pair), max(pair)) for pair in useful}))

    @property
    def most_dice(self) -> int:
        """The least armies that move into a captured territory, if so many are left."""
        return MOST_FREE if self.rules.faces else self.rules.attack.units

    @classmethod
    def of(
        cls,
        neighbours: Mapping[str, Iterable[str]],
        starts: Mapping[str, int],
        targets: Mapping[str, int],
        leave: int | Mapping[str, int] = 1,
        aim: Aim = "all",
        values: Mapping[str, float] | None = None,
        rules: Battle = RULES,
    ) -> "Conquest":
        """Return the conquest with these numbers.

        Args:
            neighbours: The neighbours of each territory. A border counts both ways, even if only one side names it.
            starts: The free armies in each of the player's territories.
            targets: The garrison of each territory to take.
            leave: The armies that stay in each captured territory: one number for all, or one for each, else 1.
            aim: See `Conquest`.
            values: The value of each target, else 1.
            rules: The rules of all battles; the numbers of armies are not used.

        Raises:
            BattleError: The values break a rule or a limit, or do not fit together.
        """
        known = {*neighbours, *(other for others in neighbours.values() for other in others)}
        stays = leave if isinstance(leave, Mapping) else dict.fromkeys(targets, leave)
        worths = values or {}
        for field, numbers in (("starts", starts), ("targets", targets)):
            for name in numbers:
                if name not in known:
                    raise BattleError(field_of(field, name), "the map has no such territory")
        for field, by_target in (("leave", stays), ("values", worths)):
            for name in by_target:
                if name not in targets:
                    raise BattleError(field_of(field, name), "this territory isn't one of the targets")
        aims = (Target(name, count, stays.get(name, 1), worths.get(name, 1)) for name, count in targets.items())
        borders = tuple((name, other) for name, others in neighbours.items() for other in others)
        return cls(borders, tuple(starts.items()), tuple(aims), aim, replace(rules, attackers=0, defenders=0))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Conquest":
        """Read the conquest from a JSON document.

        Args:
            document: The fields of a conquest and of a battle's rules, as docs/api.md lists them.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        check_nulls(document)
        for name in ("attackers", "defenders"):
            if name in document:
                raise BattleError(name, "a conquest has its armies in `starts` and `targets`")
        rest = {name: value for name, value in document.items() if name not in FIELDS}
        game = rest.setdefault("game", "risk")
        dice = GAMES.get(game, ()) if isinstance(game, str) else ()
        known = {*FIELDS, "game", "attack", "defence", *dice}.difference(PLANS)
        check_fields({name: value for name, value in document.items() if name not in PLANS}, known)
        rules = Battle.from_dict({**rest, "attackers": 0, "defenders": 0})
        for name in ("neighbours", "starts", "targets"):
            if name not in document:
                raise BattleError(name, "this is missing")
        aim = document.get("aim", "all")
        if "values" in document and aim != "value":
            raise BattleError("values", 'this works only with the aim "value"')
        leave = document.get("leave", 1)
        if isinstance(leave, Mapping):
            leave = read_numbers(document, "leave")
        else:
            _check_armies("leave", leave)
        values = read_numbers(document, "values") if "values" in document else None
        starts, targets = read_numbers(document, "starts"), read_numbers(document, "targets")
        return cls.of(read_neighbours(document), starts, targets, leave, aim, values, rules)

    def to_dict(self) -> dict[str, Any]:
        """Return the conquest as a JSON document with every field."""
        names = sorted([*dict(self.starts), *(target.name for target in self.targets)])
        neighbours: dict[str, list[str]] = {name: [] for name in names}
        for name, other in self.borders:
            neighbours[name].append(other)
            neighbours[other].append(name)
        values = {"values": {target.name: target.worth for target in self.targets}} if self.aim == "value" else {}
        rules = self.rules.to_dict()
        return {
            "question": "conquer",
            "neighbours": neighbours,
            "starts": dict(self.starts),
            "targets": {target.name: target.garrison for target in self.targets},
            "leave": {target.name: target.leave for target in self.targets},
            "aim": self.aim,
            **values,
            **{name: rules[name] for name in rules if name not in ("attackers", "defenders")},
        }


def field_of(field: str, name: str) -> str:
    """Return the field of a document that holds the number of a territory.

    Args:
        field: The field with the numbers of all territories.
        name: The territory.
    """
    return f"{field}.{quoted(name)[1:-1]}"


def _check_armies(field: str, armies: int) -> None:
    check_count(field, armies, 0, MOST_FREE, "the number of armies must be {least} to {most}, not {value}")


def read_numbers(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a field that holds a number for each of some territories.

    Args:
        document: The document.
        name: The field.

    Raises:
        BattleError: It is no such object.
    """
    return dict(read_part(name, partial(read_object, document[name])))


def read_neighbours(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """Read the map of a document: the neighbours of each territory.

    Args:
        document: The document.

    Raises:
        BattleError: It is wrong.
    """
    neighbours = read_numbers(document, "neighbours")
    count = len(neighbours)
    check_count(
        "neighbours", count, 1, MOST_TERRITORIES, "the number of territories must be {least} to {most}, not {value}"
    )
    for name, others in neighbours.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise BattleError(
                field_of("neighbours", name), "this must be a list of names, not {value}", value=quoted(others)
            )
    return neighbours
