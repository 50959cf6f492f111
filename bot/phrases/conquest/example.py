"""Makes an example of a line about the territories of a phrase, for a question back."""

from collections import Counter
from collections.abc import Iterator

from bot.maps.map import Continent, Map
from bot.phrases.conquest.gathering import OURS, Gathered

ARMIES = 12
"""The armies of a start without a number."""
GARRISONS = (3, 2)
"""The first garrisons without a number; all others have one army."""


def make_example(found: Map, told: Gathered, needs: bool) -> str:
    """Return a line with the territories and all numbers of a phrase; "" if there is none.

    Args:
        found: The map.
        told: What the phrase says.
        needs: Whether the phrase asks how many armies are needed.
    """
    starts = {one.part.key: one.number for one in told.mentions if one.side == OURS}
    others = [one for one in told.mentions if one.part.key not in starts]
    continents = {one.part.key: one.part for one in others if isinstance(one.part, Continent)}
    inside = {key for continent in continents.values() for key in continent.territories if key not in starts}
    numbers = {one.part.key: one.number for one in others if one.part.key not in continents}
    targets = {key: numbers.get(key) for key in found.territories if key in inside or key in numbers}
    if not targets:
        return ""
    starts = starts or dict.fromkeys(_beside(found, targets)[:1])
    own = [one.number for one in told.loose if one.side == OURS]
    row = iter([one.number for one in told.loose if one.side != OURS])
    each = told.each if told.each is not None else told.rest
    usual = iter(GARRISONS)
    garrisons = [
        next(row, next(usual, 1) if each is None else each) if number is None else number for number in targets.values()
    ]
    armies = iter(own)
    first = ", ".join(
        _start(key, number, None if needs else next(armies, told.each_ours or ARMIES)) for key, number in starts.items()
    )
    if len(continents) == 1 and set(targets) == inside:
        second = f"{_name_of(next(iter(continents)))}: {' '.join(map(str, garrisons))}"
    else:
        second = ", ".join(f"{number} {_name_of(key)}" for key, number in zip(targets, garrisons, strict=True))
    line = f"{first} > {second}"
    lost = Counter(_numbers(told)) - Counter(int(word) for word in line.replace(",", " ").split() if word.isdecimal())
    return "" if lost else f"/need {line}" if needs else line


def _beside(found: Map, targets: dict[str, int | None]) -> list[str]:
    """Return the territories from which targets can be attacked."""
    return [key for key, near in found.neighbours.items() if key not in targets and not targets.keys().isdisjoint(near)]


def _start(key: str, number: int | None, usual: int | None) -> str:
    told = usual if number is None else number
    return _name_of(key) if told is None else f"{told} {_name_of(key)}"


def _name_of(key: str) -> str:
    return key.replace("_", " ")


def _numbers(told: Gathered) -> Iterator[int]:
    """Yield all numbers of a phrase."""
    yield from (one.number for one in told.loose)
    yield from {one.part.key: one.number for one in told.mentions if one.number is not None}.values()
    yield from (number for number in (told.each, told.rest, told.each_ours) if number is not None)
