"""Composes the line of a conquest from what a phrase says of its places and numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.languages import Translation, _, join_texts
from bot.maps.map import Continent, Map, name_of_key
from bot.phrases.conquest.gathering import OURS, THEIRS, Gathered, Loose, Mention
from bot.phrases.meaning import NotClearError

MOST_READINGS = 3
"""The most starts that a question back offers."""
MOST_NAMED = 4
"""The most territories that a question back names."""


class NoBorderError(NotClearError):
    """The only territory to take does not border the only start."""


@dataclass
class Plan:
    """A conquest that a phrase means.

    Attributes:
        starts: The armies in each territory of the player; None for the number that is left out.
        targets: The garrison of each territory to take; None where the phrase does not say it.
        continent: The continent that garrisons without a name belong to; "" if there is none.
        row: These garrisons.
    """

    starts: dict[str, int | None]
    targets: dict[str, int | None]
    continent: str = ""
    row: Sequence[int] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every garrison is known."""
        return None not in self.targets.values()

    @property
    def is_battle(self) -> bool:
        """Whether it is no more than a battle for one territory, in which places make no difference."""
        return len(self.starts) == len(self.targets) == 1 and self.is_complete

    def line(self) -> str:
        """Return its line of notation, without options."""
        starts = ", ".join(_with_number(key, number) for key, number in self.starts.items())
        if self.row:
            row = f"{name_of_key(self.continent)}: {' '.join(map(str, self.row))}"
            return f"{starts} > {row}"
        return f"{starts} > {', '.join(_with_number(key, number) for key, number in self.targets.items())}"


def _with_number(key: str, number: int | None) -> str:
    return name_of_key(key) if number is None else f"{number} {name_of_key(key)}"


def make_plan(found: Map, told: Gathered, needs: bool) -> Plan:
    """Make the plan of a phrase; NotClearError if it leaves something open.

    Args:
        found: The map.
        told: What the phrase says.
        needs: Whether the phrase asks how many armies are needed.
    """
    _decide(told)
    named = _numbers(told.mentions)
    starts = {key: number for key, number in named.items() if _side(told.mentions, key) == OURS}
    continents = {mention.part.key: mention.part for mention in told.mentions if isinstance(mention.part, Continent)}
    targets = {key: number for key, number in named.items() if key not in starts}
    row, armies = _give_numbers(told, starts, targets, needs)
    whole = {key for continent in continents.values() for key in continent.territories if key not in starts}
    if whole:  # the numbers of a continent come in the order of the map
        targets = {key: targets.get(key) for key in found.territories if key in whole or key in targets}
    if not targets:
        raise NotClearError("which targets")
    _fill(told, targets)
    if not (starts or row) and None in targets.values():
        raise NotClearError(_ask_for_all(found, [key for key, number in targets.items() if number is None], armies))
    plan = _with_row(Plan(starts, targets), row, list(continents))
    if not starts:
        raise NotClearError("which start", *_lines_of_starts(found, plan, armies))
    _check_starts(plan, needs)
    _check_border(found, plan)
    _check_reach(found, plan)
    return plan


def _decide(told: Gathered) -> None:
    """Decide whose the places are of which nothing says it where they stand."""
    mentions = told.mentions
    for mention in mentions:
        same = [other for other in mentions if other.part.key == mention.part.key]
        clear = [other.side for other in same if other.lead in ("from", "want")]
        told_elsewhere = (other.side for other in same if other.side)
        mention.side = clear[0] if clear else mention.side or next(told_elsewhere, "")
    open_ones = [mention for mention in mentions if not mention.side]
    if not any(mention.side == OURS for mention in mentions):
        for mention in _likely_starts(mentions, open_ones):
            mention.side = OURS
    for mention in open_ones:
        mention.side = mention.side or THEIRS


def _likely_starts(mentions: Sequence[Mention], open_ones: Sequence[Mention]) -> Sequence[Mention]:
    """Return the places where armies stand, or that come first; else the only one outside the continents to take."""
    early = [mention for mention in open_ones if mention.early]
    if starts := [mention for mention in early or open_ones if mention.lead == "at"] or early:
        return starts
    theirs = {
        key for one in mentions if isinstance(one.part, Continent) for key in (one.part.key, *one.part.territories)
    }
    outside = [mention for mention in mentions if mention.lead == "at" and mention.part.key not in theirs]
    return outside if theirs and len({one.part.key for one in outside}) == 1 else []


def _numbers(mentions: Sequence[Mention]) -> dict[str, int | None]:
    """Return the numbers of territories; NotClearError if one has two."""
    named: dict[str, int | None] = {}
    for mention in mentions:
        key, number = mention.part.key, mention.number
        if isinstance(mention.part, Continent):
            continue
        if number is not None and named.get(key) not in (None, number):
            raise NotClearError("a number is left")
        named[key] = named.get(key) if number is None else number
    return named


def _side(mentions: Sequence[Mention], key: str) -> str:
    sides = {mention.side for mention in mentions if mention.part.key == key}
    if len(sides) > 1:
        raise NotClearError("whose territory")
    return sides.pop()


def _give_numbers(
    told: Gathered, starts: dict[str, int | None], targets: dict[str, int | None], needs: bool
) -> tuple[list[int], int | None]:
    """Give numbers that stand at no place to those that they belong to.

    Returns:
        The garrisons that are left, and the armies of a start that nobody named.
    """
    ours = [loose for loose in told.loose if loose.side == OURS]
    row = [loose for loose in told.loose if loose.side != OURS]
    lacking = [key for key, number in starts.items() if number is None]
    if told.each_ours is not None and not lacking and told.each is None:
        told.each, told.each_ours = told.each_ours, None  # "I have 12 in Siam, 2 each in Australia"
    if told.each_ours is not None:
        if not lacking:
            raise NotClearError("a number is left")
        starts.update(dict.fromkeys(lacking, told.each_ours))
        lacking = []
    if needs and len(lacking) == 1:
        lacking = []  # that is what the phrase asks
    if not ours and len(lacking) == 1 and row and not row[0].side:
        ours = [row.pop(0)]  # "12, Siam to Australia, 3 2 1 1"
    ours = _take(ours, starts, lacking)
    armies = ours.pop().number if not starts and len(ours) == 1 else None
    if ours and row:
        raise NotClearError("a number is left")
    row = row or _garrisons_of(ours, targets)
    return [loose.number for loose in row], armies


def _take(ours: list[Loose], starts: dict[str, int | None], lacking: Sequence[str]) -> list[Loose]:
    """Give the starts that lack a number their own, and return the numbers that are left."""
    if len(ours) < len(lacking):
        return ours
    own = [loose for loose in ours if loose.behind is not None and loose.behind.side == OURS] or ours
    taken = own[: len(lacking)]
    starts.update(zip(lacking, (loose.number for loose in taken), strict=False))
    return [loose for loose in ours if loose not in taken]


def _garrisons_of(ours: list[Loose], targets: dict[str, int | None]) -> list[Loose]:
    """Return numbers as garrisons, but for those that stand right behind their territory: "Indonesia with 3"."""
    left: list[Loose] = []
    for loose in ours:
        key = loose.behind.part.key if loose.behind else ""
        if key in targets and targets[key] is None and sum(one.behind is loose.behind for one in ours) == 1:
            targets[key] = loose.number
        else:
            left.append(loose)
    return left


def _fill(told: Gathered, targets: dict[str, int | None]) -> None:
    """Give the territories without a number the garrison of each, or of the rest."""
    if told.rest is not None and told.each is not None:
        raise NotClearError("a number is left")
    garrison = told.each if told.each is not None else told.rest
    if garrison is None:
        return
    lacking = [key for key, number in targets.items() if number is None]
    if not lacking:
        raise NotClearError("a number is left")
    targets.update(dict.fromkeys(lacking, garrison))


def _with_row(plan: Plan, row: Sequence[int], continents: Sequence[str]) -> Plan:
    """Return a plan with garrisons that have no names, in the order of the phrase or of the map."""
    if not row:
        return plan
    lacking = [key for key, number in plan.targets.items() if number is None]
    if not continents and len(row) == len(lacking):
        plan.targets.update(zip(lacking, row, strict=True))
        return plan
    if len(continents) != 1 or len(lacking) != len(plan.targets):
        raise NotClearError("whose garrisons" if lacking else "a number is left")
    plan.continent, plan.row = continents[0], row
    if len(row) == len(lacking):
        plan.targets.update(zip(lacking, row, strict=True))
    return plan


def _lines_of_starts(found: Map, plan: Plan, armies: int | None) -> Iterator[str]:
    """Yield the lines with each start that there may be, where the phrase names none."""
    targets = set(plan.targets)
    starts = [key for key, near in found.neighbours.items() if key not in targets and not targets.isdisjoint(near)]
    for start in starts if armies is not None and plan.is_complete and len(starts) <= MOST_READINGS else ():
        yield replace(plan, starts={start: armies}).line()


def _check_starts(plan: Plan, needs: bool) -> None:
    """Raise NotClearError unless each start has a number, but for the one that is asked for."""
    lacking = [key for key, number in plan.starts.items() if number is None]
    if needs and not lacking:
        raise NotClearError("a battle beside another question")
    if len(lacking) > needs:
        raise NotClearError("how many start")


def _ask_for_all(found: Map, lacking: Sequence[str], armies: int | None) -> Translation:
    """Ask where an attack starts, how many armies attack if nobody says it, and how many hold each territory."""
    named = [found.territories[key].name for key in lacking[:MOST_NAMED]]
    names = join_texts(", ", [*named, *(["…"] if len(lacking) > MOST_NAMED else [])])
    attack = [_("How many armies attack?")] if armies is None else []
    return join_texts(
        " ",
        [_("Where does the attack start?"), *attack, _("How many armies hold {territories}?", territories=names)],
    )


def _check_border(found: Map, plan: Plan) -> None:
    """Raise NotClearError if the only start does not border the only target."""
    if len(plan.starts) > 1 or len(plan.targets) > 1:
        return
    (key,), (other,) = plan.starts, plan.targets
    if other not in found.neighbours[key]:
        start, target = found.territories[key].name, found.territories[other].name
        raise NoBorderError(_("{start} doesn't border {target}.", start=start, target=target))


def _check_reach(found: Map, plan: Plan) -> None:
    """Raise NotClearError if a target is out of reach."""
    if set(plan.targets) - found.reach(plan.starts, plan.targets):
        raise NotClearError("out of reach")
