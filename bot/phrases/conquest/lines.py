"""Composes the line of a conquest from what a phrase says of its places and numbers, or an example of one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.languages import Translation, _, join_texts
from bot.maps.map import Continent, Map, name_of_key
from bot.phrases.conquest.gathering import OURS, THEIRS, Loose, Mention, Situation
from bot.phrases.meaning import NotClearError

MOST_READINGS = 3
"""The most starts that a question back offers."""
MOST_NAMED = 4
"""The most territories that a question back names."""
ARMIES = 12
"""The armies of a start without a number, in an example."""
GARRISONS = (3, 2)
"""The first garrisons without a number there; all others have one army."""
Numbers = dict[str, int | None]
"""The armies in territories; None where a phrase does not say them."""


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

    starts: Numbers
    targets: Numbers
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

    def battle(self) -> str:
        """Return the line of its only battle, in which places make no difference."""
        return " ".join(map(str, (*self.starts.values(), *self.targets.values())))

    def line(self) -> str:
        """Return its line of notation, without options."""
        row = f"{name_of_key(self.continent)}: {' '.join(map(str, self.row))}"
        return f"{_list_places(self.starts)} > {row if self.row else _list_places(self.targets)}"


def _list_places(numbers: Numbers) -> str:
    """Write territories with their armies."""
    names = ((name_of_key(key), number) for key, number in numbers.items())
    return ", ".join(name if number is None else f"{number} {name}" for name, number in names)


def make_plan(board: Map, situation: Situation, needs: bool) -> Plan:
    """Make the plan of a phrase; NotClearError if it leaves something open.

    Args:
        board: The map.
        situation: What the phrase says.
        needs: Whether the phrase asks how many armies are needed.
    """
    _decide(situation)
    numbers = _numbers(situation.mentions)
    starts = {key: number for key, number in numbers.items() if _side(situation.mentions, key) == OURS}
    targets = {key: number for key, number in numbers.items() if key not in starts}
    row, armies = _give_numbers(situation, starts, targets, needs)
    whole = _territories_of_continents(situation, starts)
    if whole:  # the numbers of a continent come in the order of the map
        targets = {key: targets.get(key) for key in board.territories if key in whole or key in targets}
    if not targets:
        raise NotClearError("which targets")
    _fill(situation, targets)
    if not (starts or row) and None in targets.values():
        raise NotClearError(_ask_for_all(board, _lacking(targets), armies))
    plan = _with_row(Plan(starts, targets), row, list(situation.continents))
    if not starts:
        raise NotClearError("which start", *_lines_of_starts(board, plan, armies))
    _check_starts(plan, needs)
    _check_reach(board, plan)
    return plan


def _territories_of_continents(situation: Situation, starts: Numbers) -> set[str]:
    """Return the territories of all continents that a phrase names, without the starts."""
    continents = situation.continents.values()
    return {key for continent in continents for key in continent.territories if key not in starts}


def _lacking(numbers: Numbers) -> list[str]:
    """Return the territories without a number."""
    return [key for key, number in numbers.items() if number is None]


def _decide(situation: Situation) -> None:
    """Decide whose the places are of which nothing says it where they stand."""
    mentions = situation.mentions
    for mention in mentions:
        same = [other for other in mentions if other.part.key == mention.part.key]
        clear = [other.side for other in same if other.lead in ("from", "want")]
        elsewhere = (other.side for other in same if other.side)
        mention.side = clear[0] if clear else mention.side or next(elsewhere, "")
    open_ones = [mention for mention in mentions if not mention.side]
    if not situation.starts:
        for mention in _likely_starts(mentions, open_ones):
            mention.side = OURS
    for mention in open_ones:
        mention.side = mention.side or THEIRS


def _likely_starts(mentions: Sequence[Mention], open_ones: Sequence[Mention]) -> Sequence[Mention]:
    """Return the places where armies stand, or that come first; else the only one outside the continents to take."""
    early = [mention for mention in open_ones if mention.early]
    if starts := [mention for mention in early or open_ones if mention.lead == "at"] or early:
        return starts
    continents = [mention.part for mention in mentions if isinstance(mention.part, Continent)]
    theirs = {key for continent in continents for key in (continent.key, *continent.territories)}
    outside = [mention for mention in mentions if mention.lead == "at" and mention.part.key not in theirs]
    return outside if theirs and len({mention.part.key for mention in outside}) == 1 else []


def _numbers(mentions: Sequence[Mention]) -> Numbers:
    """Return the numbers of territories; NotClearError if one has two."""
    named: Numbers = {}
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


def _give_numbers(situation: Situation, starts: Numbers, targets: Numbers, needs: bool) -> tuple[list[int], int | None]:
    """Give numbers that stand at no place to those that they belong to.

    Returns:
        The garrisons that are left, and the armies of a start that nobody named.
    """
    ours = [loose for loose in situation.loose if loose.side == OURS]
    row = [loose for loose in situation.loose if loose.side != OURS]
    lacking = _starts_without_number(situation, starts)
    if needs and len(lacking) == 1:
        lacking = []  # that is what the phrase asks
    if not ours and len(lacking) == 1 and row and not row[0].side:
        ours = [row.pop(0)]  # "12, Siam to Australia, 3 2 1 1"
    ours = _take(ours, starts, lacking)
    armies = ours.pop().number if not starts and len(ours) == 1 else None
    if ours and row:
        raise NotClearError("a number is left")
    return [loose.number for loose in row or _garrisons_of(ours, targets)], armies


def _starts_without_number(situation: Situation, starts: Numbers) -> Sequence[str]:
    """Return the starts without a number, after those have theirs of which the phrase names one for each."""
    lacking = _lacking(starts)
    if situation.each_ours is not None and not lacking and situation.each is None:
        situation.each, situation.each_ours = situation.each_ours, None  # "I have 12 in Siam, 2 each in Australia"
    if situation.each_ours is None:
        return lacking
    if not lacking:
        raise NotClearError("a number is left")
    starts.update(dict.fromkeys(lacking, situation.each_ours))
    return []


def _take(ours: list[Loose], starts: Numbers, lacking: Sequence[str]) -> list[Loose]:
    """Give the starts that lack a number their own, and return the numbers that are left."""
    if len(ours) < len(lacking):
        return ours
    own = [loose for loose in ours if loose.behind is not None and loose.behind.side == OURS] or ours
    taken = own[: len(lacking)]
    starts.update(zip(lacking, (loose.number for loose in taken), strict=False))
    return [loose for loose in ours if loose not in taken]


def _garrisons_of(ours: list[Loose], targets: Numbers) -> list[Loose]:
    """Return numbers as garrisons, but for those that stand right behind their territory: "Indonesia with 3"."""
    left: list[Loose] = []
    for loose in ours:
        key = loose.behind.part.key if loose.behind else ""
        if key in targets and targets[key] is None and sum(other.behind is loose.behind for other in ours) == 1:
            targets[key] = loose.number
        else:
            left.append(loose)
    return left


def _fill(situation: Situation, targets: Numbers) -> None:
    """Give the territories without a number the garrison of each, or of the rest."""
    if situation.rest is not None and situation.each is not None:
        raise NotClearError("a number is left")
    garrison = situation.each if situation.each is not None else situation.rest
    if garrison is None:
        return
    lacking = _lacking(targets)
    if not lacking:
        raise NotClearError("a number is left")
    targets.update(dict.fromkeys(lacking, garrison))


def _with_row(plan: Plan, row: Sequence[int], continents: Sequence[str]) -> Plan:
    """Return a plan with garrisons that have no names, in the order of the phrase or of the map."""
    if not row:
        return plan
    lacking = _lacking(plan.targets)
    if not continents and len(row) == len(lacking):
        plan.targets.update(zip(lacking, row, strict=True))
        return plan
    if len(continents) != 1 or len(lacking) != len(plan.targets):
        raise NotClearError("whose garrisons" if lacking else "a number is left")
    plan.continent, plan.row = continents[0], row
    if len(row) == len(lacking):
        plan.targets.update(zip(lacking, row, strict=True))
    return plan


def _lines_of_starts(board: Map, plan: Plan, armies: int | None) -> Iterator[str]:
    """Yield the lines with each start that there may be, where the phrase names none."""
    starts = _beside(board, plan.targets)
    for start in starts if armies is not None and plan.is_complete and len(starts) <= MOST_READINGS else ():
        yield replace(plan, starts={start: armies}).line()


def _beside(board: Map, targets: Numbers) -> list[str]:
    """Return the territories from which targets can be attacked."""
    return [key for key, near in board.neighbours.items() if key not in targets and not targets.keys().isdisjoint(near)]


def _check_starts(plan: Plan, needs: bool) -> None:
    """Raise NotClearError unless each start has a number, but for the one that is asked for."""
    lacking = _lacking(plan.starts)
    if needs and not lacking:
        raise NotClearError("a battle beside another question")
    if len(lacking) > needs:
        raise NotClearError("how many start")


def _ask_for_all(board: Map, lacking: Sequence[str], armies: int | None) -> Translation:
    """Ask where an attack starts, how many armies attack if nobody says it, and how many hold each territory."""
    named = [board.territories[key].name for key in lacking[:MOST_NAMED]]
    names = join_texts(", ", [*named, *(["…"] if len(lacking) > MOST_NAMED else [])])
    attack = [_("How many armies attack?")] if armies is None else []
    return join_texts(
        " ",
        [_("Where does the attack start?"), *attack, _("How many armies hold {territories}?", territories=names)],
    )


def _check_reach(board: Map, plan: Plan) -> None:
    """Raise NotClearError if the only start does not border the only target, or a target is out of reach."""
    if len(plan.starts) == len(plan.targets) == 1:
        (start,), (target,) = plan.starts, plan.targets
        if target not in board.neighbours[start]:
            first, second = board.territories[start].name, board.territories[target].name
            raise NoBorderError(_("{start} doesn't border {target}.", start=first, target=second))
    if set(plan.targets) - board.reach(plan.starts, plan.targets):
        raise NotClearError("out of reach")


def make_example(board: Map, situation: Situation, needs: bool) -> str:
    """Return a line with the territories and all numbers of a phrase, for a question back; "" if there is none.

    Args:
        board: The map.
        situation: What the phrase says.
        needs: Whether the phrase asks how many armies are needed.
    """
    starts = {mention.part.key: mention.number for mention in situation.mentions if mention.side == OURS}
    numbers = {mention.part.key: mention.number for mention in situation.mentions if mention.part.key not in starts}
    whole = _territories_of_continents(situation, starts)
    targets = {key: numbers.get(key) for key in board.territories if key in whole or key in numbers}
    if not targets:
        return ""
    armies = _example_armies(board, situation, starts, targets, needs)
    garrisons = _example_garrisons(situation, targets)
    continents = [*situation.continents]
    row = [*garrisons.values()] if len(continents) == 1 and targets.keys() == whole else []
    line = Plan(armies, {**garrisons}, continents[0] if row else "", row).line()
    if Counter(situation.numbers) - Counter(map(int, re.findall(r"\b\d+\b", line))):
        return ""
    return f"/need {line}" if needs else line


def _example_armies(board: Map, situation: Situation, starts: Numbers, targets: Numbers, needs: bool) -> Numbers:
    """Return the armies of each start, of one beside the targets if there is none."""
    loose = (number.number for number in situation.loose if number.side == OURS)
    armies: Numbers = {}
    for key, number in (starts or dict.fromkeys(_beside(board, targets)[:1])).items():
        usual = None if needs else next(loose, situation.each_ours or ARMIES)
        armies[key] = usual if number is None else number
    return armies


def _example_garrisons(situation: Situation, targets: Numbers) -> dict[str, int]:
    """Return the garrison of each target, a usual one where the phrase does not say it."""
    row = iter([loose.number for loose in situation.loose if loose.side != OURS])
    each = situation.each if situation.each is not None else situation.rest
    usual = iter(GARRISONS)
    return {
        key: next(row, next(usual, 1) if each is None else each) if number is None else number
        for key, number in targets.items()
    }
