"""The slow twin of turns on a map: every throw, every number that moves in, in fractions. Nothing here is clever."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from solver import Battle
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.conquest_brute import Asked, most_dice

Armies = frozenset[tuple[str, int]]
"""Free armies by territory, or garrisons by target."""


@cache
def throw_law(rules: Battle, attackers: int, defenders: int) -> dict[tuple[int, int], Fraction]:
    """The law of the losses in one throw that costs anybody anything; empty if none does."""
    if rules.faces:
        law = brute_more.icons(*(faces.words for faces in rules.faces))(attackers, defenders)
    else:
        law = brute.round_law(*rules.pools, attackers, defenders, rules.ties)
    changing = {lost: chance for lost, chance in law.items() if any(lost)}
    return {lost: chance / sum(changing.values()) for lost, chance in changing.items()}


def best_of_turn(asked: Asked) -> Fraction:
    """What best play of the turn is worth, where each throw may come from any front."""
    adds = asked.aim != "all"
    values = asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, 1)
    worth_of = _worths(asked, values if adds else dict.fromkeys(values, 0), Fraction(not adds))
    return worth_of(frozenset(asked.starts.items()), frozenset(asked.targets.items()))


def _worths(asked: Asked, values: Mapping[str, int], end: Fraction) -> Callable[[Armies, Armies], Fraction]:
    """The worth of each state; `end` is that of a turn in which nothing is left to take."""

    @cache
    def worth(free: Armies, garrisons: Armies) -> Fraction:
        ways = (way(dict(free), dict(garrisons), *throw) for throw in _throws(asked, dict(free), dict(garrisons)))
        return max(ways, default=Fraction(0)) if garrisons else end

    def way(free: dict[str, int], garrisons: dict[str, int], place: str, target: str) -> Fraction:
        if not garrisons[target]:
            return capture(free, garrisons, place, target)
        total = Fraction(0)
        for (lost, beaten), chance in throw_law(asked.rules, free[place], garrisons[target]).items():
            after = free | {place: free[place] - lost}
            holds = garrisons | {target: garrisons[target] - beaten}
            if after[place] and not holds[target]:
                total += chance * capture(after, holds, place, target)
            else:
                total += chance * worth(frozenset(after.items()), frozenset(holds.items()))
        return total

    def capture(free: dict[str, int], garrisons: dict[str, int], place: str, target: str) -> Fraction:
        rest = frozenset((name, count) for name, count in garrisons.items() if name != target)
        tried = []
        for moving in range(min(most_dice(asked), free[place]), free[place] + 1):
            after = free | {place: free[place] - moving, target: max(0, moving - asked.leave[target])}
            tried.append(worth(frozenset(after.items()), rest))
        return values[target] + max(tried)

    return worth


def _throws(asked: Asked, free: dict[str, int], garrisons: dict[str, int]) -> Iterator[tuple[str, str]]:
    for place, count in free.items():
        for target in sorted(garrisons.keys() & set(asked.neighbours[place])):
            if count:
                yield place, target
