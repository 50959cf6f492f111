"""The slow twin of turns on a map: every throw, every number that moves in, in fractions. Nothing here is clever."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from solver import Battle
from solver.conquest.live_turn import LiveTurn
from tests.helpers.solver import brute, brute_more
from tests.helpers.solver.conquest_brute import Asked, most_dice

Armies = frozenset[tuple[str, int]]
"""Free armies by territory, or garrisons by target."""


class Turn(NamedTuple):
    """What states of a turn are worth: before a throw is chosen, with this throw, and after a capture."""

    worth: Callable[[Armies, Armies], Fraction]
    way: Callable[[dict[str, int], dict[str, int], str, str], Fraction]
    capture: Callable[[dict[str, int], dict[str, int], str, str], Fraction]


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
    turn = _turn(asked, _values(asked), lambda _free: Fraction(asked.aim == "all"))
    return turn.worth(frozenset(asked.starts.items()), frozenset(asked.targets.items()))


def worths_of_stages(asked: Asked, stages: list[LiveTurn]) -> list[Fraction]:
    """What best play reaches from stages of a live turn: a chance, or a share of all targets."""
    values = _values(asked)
    turn = _turn(asked, values, lambda _free: Fraction(asked.aim == "all"))
    names, whole = stages[0].board.names, Fraction(sum(values.values()) or 1)

    def worth(stage: LiveTurn) -> Fraction:
        free = {names[place]: count for place, count in stage.armies}
        garrisons = {name: count for name, count in zip(names, stage.state.garrisons, strict=False) if count >= 0}
        attack = [names[place] for place in stage.attack or ()]
        if stage.ended:
            ahead = Fraction(asked.aim == "all" and stage.ended == "won")
        elif stage.decision == "move":
            ahead = turn.capture(free, garrisons, *attack) - values[attack[1]]
        elif stage.decision == "attack" or not stage.chosen:
            ahead = turn.worth(frozenset(free.items()), frozenset(garrisons.items()))
        else:
            ahead = turn.way(free, garrisons, *attack)
        return ahead if asked.aim == "all" else (sum(values[names[target]] for target in stage.taken) + ahead) / whole

    return [worth(stage) for stage in stages]


def _values(asked: Asked) -> Mapping[str, int]:
    """What each target adds to the worth of a turn."""
    return asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, int(asked.aim != "all"))


def best_to_hold(asked: Asked, least: Mapping[str, int], counters: Mapping[str, int], fortify: bool | str) -> Fraction:
    """The chance to take all and to hold it, if the turn is played for that; one army stays in each target."""
    mine = {*asked.starts, *asked.targets}

    def onward(place: str) -> set[str]:
        """Where armies of a territory may go at the end: next to it, or as far as the player's territories reach."""
        reached = mine.intersection(asked.neighbours[place])
        for _step in mine if fortify == "far" else ():
            reached |= {other for name in reached for other in asked.neighbours[name]} & mine
        return reached

    def end(free: Armies) -> Fraction:
        own = dict(free)
        moves = [own]
        for place, target in product(own, asked.targets) if fortify else ():
            if target != place and target in onward(place):
                numbers = range(1, own[place] + 1)
                moves += [own | {place: own[place] - gone, target: own[target] + gone} for gone in numbers]
        return max(map(stand, moves))

    def stand(own: Mapping[str, int]) -> Fraction:
        armies = {target: own[target] + 1 for target in asked.targets}
        if any(armies[target] < count for target, count in least.items()):
            return Fraction(0)
        return worst(frozenset(armies.items()), frozenset(counters))

    @cache
    def worst(armies: Armies, enemies: frozenset[str]) -> Fraction:
        ways = []
        for enemy in enemies:
            for target, count in armies:
                if target in asked.neighbours[enemy]:
                    left = [item for item in armies if item[0] != target]
                    ways.append(
                        sum(
                            chance * worst(frozenset([*left, (target, after)]), enemies - {enemy})
                            for after, chance in defended(counters[enemy], count).items()
                        )
                    )
        return Fraction(min(ways, default=1))

    @cache
    def defended(attackers: int, defenders: int) -> dict[int, Fraction]:
        """The chances of the defenders left where they are not beaten."""
        if not attackers or not defenders:
            return {defenders: Fraction(1)} if defenders else {}
        law: dict[int, Fraction] = {}
        for (lost, beaten), chance in throw_law(asked.rules, attackers, defenders).items():
            for after, share in defended(attackers - lost, defenders - beaten).items():
                law[after] = law.get(after, Fraction(0)) + chance * share
        return law

    turn = _turn(asked, dict.fromkeys(asked.targets, 0), end)
    free = {**asked.starts, **dict.fromkeys(asked.targets, 0)}
    return turn.worth(frozenset(free.items()), frozenset(asked.targets.items()))


def _turn(asked: Asked, values: Mapping[str, int], end: Callable[[Armies], Fraction]) -> Turn:
    """The worth of each state; `end` gives that of a turn in which nothing is left to take, by its free armies."""

    @cache
    def worth(free: Armies, garrisons: Armies) -> Fraction:
        ways = (way(dict(free), dict(garrisons), *throw) for throw in _throws(asked, dict(free), dict(garrisons)))
        return max(ways, default=Fraction(0)) if garrisons else end(free)

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

    return Turn(worth, way, capture)


def _throws(asked: Asked, free: dict[str, int], garrisons: dict[str, int]) -> Iterator[tuple[str, str]]:
    for place, count in free.items():
        for target in sorted(garrisons.keys() & set(asked.neighbours[place])):
            if count:
                yield place, target
