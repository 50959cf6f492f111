"""Composes the line of a conquest from what a phrase says of its places and numbers, or an example of one."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.languages import Translation, _, join_texts
from bot.maps.map import Continent, Map, name_of_key
from bot.phrases.conquest.gathering import OURS, Situation
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


class FarError(NotClearError):
    """A territory to take is out of reach."""


@dataclass
class Plan:
    """A conquest that a phrase means: the armies where it starts, and those in the territories to take.

    `row` stands for the latter in its line, where a phrase has as many numbers for a continent.
    """

    starts: Numbers
    targets: Numbers
    row: str = ""

    @property
    def is_battle(self) -> bool:
        """Whether it is no more than a battle for one territory, in which places make no difference."""
        return len(self.starts) == len(self.targets) == 1 and None not in self.targets.values()

    def line(self) -> str:
        """Return its line of notation, without options."""
        return f"{_list_places(self.starts)} > {self.row or _list_places(self.targets)}"


def _list_places(numbers: Numbers) -> str:
    """Write territories with their armies."""
    names = ((name_of_key(key), number) for key, number in numbers.items())
    return ", ".join(name if number is None else f"{number} {name}" for name, number in names)


def _write_row(continent: Continent, row: Sequence[int]) -> str:
    """Write the numbers of a continent in the order of the map."""
    return f"{name_of_key(continent.key)}: {' '.join(map(str, row))}"


def make_plan(board: Map, situation: Situation, needs: bool) -> Plan:
    """Make the plan of a phrase; NotClearError if it leaves something open.

    Args:
        board: The map.
        situation: The places and numbers of the phrase.
        needs: Whether the phrase asks how many armies are needed.
    """
    plan = _name_places(board, situation)
    if not plan.targets:
        raise NotClearError("which targets")
    if plan.starts.keys() & plan.targets.keys():
        raise NotClearError("whose territory")
    ours = _give_to_starts(situation, plan.starts, needs)
    armies = ours.pop() if len(ours) == 1 and not plan.starts else None
    row = situation.theirs or ours
    if situation.each is not None:
        plan.targets.update(dict.fromkeys(_lacking(plan.targets), situation.each))
    lacking = _lacking(plan.targets)
    if lacking and not (plan.starts or row):
        raise NotClearError(_ask_for_all(board, lacking, armies))
    if row and lacking:
        _give_to_targets(plan, row, lacking, [*situation.continents.values()])
    if not plan.starts:
        raise NotClearError("which start", *_lines_of_starts(board, plan, armies))
    _check_starts(plan, needs)
    _check_reach(board, plan)
    if _drops_number(situation, plan.line()):
        raise NotClearError("a number is left")
    return plan


def _name_places(board: Map, situation: Situation) -> Plan:
    """Return the places of a phrase, with the numbers that stand beside them."""
    starts: Numbers = {}
    targets: Numbers = {}
    for mention in situation.mentions:
        if not isinstance(mention.part, Continent):
            own, key = starts if mention.side == OURS else targets, mention.part.key
            own[key] = own.get(key) if mention.number is None else mention.number
    continents = situation.continents.values()
    if whole := {key for continent in continents for key in continent.territories} - starts.keys():
        # The numbers of a continent come in the order of the map.
        targets = {key: targets.get(key) for key in board.territories if key in whole or key in targets}
    return Plan(starts, targets)


def _lacking(numbers: Numbers) -> list[str]:
    """Return the territories without a number."""
    return [key for key, number in numbers.items() if number is None]


def _give_to_starts(situation: Situation, starts: Numbers, needs: bool) -> list[int]:
    """Give the starts their numbers that stand elsewhere, unless it `needs` them; return those that are left."""
    lacking, ours = _lacking(starts), situation.ours
    if situation.each_ours is not None:
        if not lacking:  # "I have 12 in Siam, 2 each in Australia"
            situation.each, situation.each_ours = situation.each_ours, None
        starts.update(dict.fromkeys(lacking, situation.each_ours))
    elif not needs:
        starts.update(zip(lacking, ours, strict=False))
        return ours[len(lacking) :]
    return [*ours]


def _give_to_targets(plan: Plan, row: Sequence[int], lacking: Sequence[str], continents: Sequence[Continent]) -> None:
    """Give the targets the numbers of a row, in the order of the phrase or of the map."""
    if len(continents) == 1 and len(lacking) == len(plan.targets):
        plan.row = _write_row(continents[0], row)
    elif continents or len(row) != len(lacking):
        raise NotClearError("whose garrisons")
    if len(row) == len(lacking):
        plan.targets.update(zip(lacking, row, strict=True))


def _drops_number(situation: Situation, line: str) -> bool:
    """Tell whether a line lacks a number of the phrase."""
    return bool(Counter(situation.numbers) - Counter(map(int, re.findall(r"\b\d+\b", line))))


def _lines_of_starts(board: Map, plan: Plan, armies: int | None) -> list[str]:
    """Return the lines with each start that there may be, where the phrase names none."""
    starts = beside(board, plan.targets)
    if armies is None or _lacking(plan.targets) or len(starts) > MOST_READINGS:
        return []
    return [replace(plan, starts={start: armies}).line() for start in starts]


def beside(board: Map, targets: Numbers) -> list[str]:
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
    """Raise FarError if the only start does not border the only target, or a target is out of reach."""
    missed = set(plan.targets) - board.reach(plan.starts, plan.targets)
    if missed and len(plan.starts) == len(plan.targets) == 1:
        first, second = (board.territories[key].name for key in (*plan.starts, *plan.targets))
        raise FarError(_("{start} doesn't border {target}.", start=first, target=second))
    if missed:
        raise FarError("out of reach")


def make_example(board: Map, situation: Situation, needs: bool) -> str:
    """Return a line with the territories and all numbers of a phrase, for a question back; "" if there is none.

    Args:
        board: The map.
        situation: The places and numbers of the phrase.
        needs: Whether the phrase asks how many armies are needed.
    """
    plan = _name_places(board, situation)
    if not plan.targets:
        return ""
    start = dict.fromkeys(beside(board, plan.targets)[:1]) if not plan.starts else {}
    plan.starts.update(start)
    ours, theirs, usual = iter(situation.ours), iter(situation.theirs), iter(GARRISONS)
    for key in _lacking(plan.starts) if not needs else ():
        plan.starts[key] = next(ours, situation.each_ours or ARMIES)
    for key in _lacking(plan.targets):
        plan.targets[key] = next(theirs, next(usual, 1) if situation.each is None else situation.each)
    continents = [*situation.continents.values()]
    if len(continents) == 1 and plan.targets.keys() == {*continents[0].territories} - plan.starts.keys():
        plan.row = _write_row(continents[0], [number or 0 for number in plan.targets.values()])
    line = f"/need {plan.line()}" if needs else plan.line()
    return "" if _drops_number(situation, line) else line
