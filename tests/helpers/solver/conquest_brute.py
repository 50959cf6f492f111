"""The slow twin of conquests: every order, every way to share and every number that moves in, in fractions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from typing import Any

from hypothesis import strategies as st

from solver import Battle, BattleError, Conquest, Faces, Pool, Ships
from solver.conquest.conquest import RULES, Aim
from solver.conquest.fight import ConquestFight
from solver.conquest.live_turn import LiveTurn
from tests.helpers.solver import brute, brute_more

Names = frozenset[str]

LIVE_RULES = [
    Battle(0, 0),
    Battle(0, 0, ties="both"),
    Battle(0, 0, attack=Pool((4, 4)), defence=Pool((4, 3)), ties="neither"),
    Battle(0, 0, attack_ships=Ships(1, 1, 0), defence_ships=Ships(0, 0, 1)),
    Battle(0, 0, faces=(Faces.of(["A", "D"]), Faces.of(["AA", "D", ""]))),
]
"""Rules of live turns, one of each kind."""
MAP = {"siam": ["china", "indonesia"], "china": ["india"], "indonesia": ["india", "new guinea"], "peru": ["brazil"]}


def from_siam(**given: Any) -> Conquest:
    """China, India, Indonesia and New Guinea, from Siam."""
    targets = {"china": 2, "india": 1, "indonesia": 2, "new guinea": 0}
    return Conquest.of(MAP, given.pop("starts", {"siam": 12}), given.pop("targets", targets), **given)


@cache
def survivors(rules: Battle, attackers: int, defenders: int) -> dict[int, Fraction]:
    """The law of the attackers left after a capture."""
    if not attackers or not defenders:
        return {attackers: Fraction(1)} if attackers else {}
    if rules.faces:
        ends = brute.follow(brute_more.icons(*(faces.words for faces in rules.faces)), (attackers, defenders))
    elif rules.late:
        ends = brute_more.late(*rules.pools, rules.ties, (attackers, defenders)).ends
    else:
        ends = brute.ends(*rules.pools, rules.ties, (attackers, defenders), totals=rules.totals)
    return {left: chance for (left, others), chance in ends.items() if left and not others}


def parts(targets: Names) -> Iterator[Names]:
    """Every subset."""
    ordered = sorted(targets)
    every = chain.from_iterable(combinations(ordered, size) for size in range(len(ordered) + 1))
    return map(frozenset, every)


@dataclass(frozen=True, eq=False)
class Asked:
    """A conquest in plain words."""

    neighbours: Mapping[str, list[str]]
    starts: Mapping[str, int]
    targets: Mapping[str, int]
    leave: Mapping[str, int]
    aim: Aim
    values: Mapping[str, int]
    rules: Battle = RULES

    def conquest(self) -> Conquest:
        """The conquest for the solver."""
        return Conquest.of(self.neighbours, self.starts, self.targets, self.leave, self.aim, self.values, self.rules)


def best(asked: Asked) -> Fraction:
    """What the best plan is worth."""
    worth, _onward = _worth_of_fronts(asked)
    everything = frozenset(asked.targets)

    def shared(starts: list[tuple[str, int]], targets: Names) -> Fraction:
        (name, armies), *others = starts
        if not others:
            return worth(name, targets, armies)
        tried = []
        for own in parts(targets):
            mine, theirs = worth(name, own, armies), shared(others, targets - own)
            tried.append(mine * theirs if asked.aim == "all" else mine + theirs)
        return max(tried)

    return shared(list(asked.starts.items()), everything)


def worth_of_stage(asked: Asked, stage: ConquestFight) -> Fraction:
    """What the best plan reaches from a stage of a live conquest: a chance, or a share of all targets."""
    adds = asked.aim != "all"
    values = asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, 1)
    names = stage.board.names
    if stage.ended and not adds:
        return Fraction(stage.ended == "won")
    worth, onward = _worth_of_fronts(asked)
    ahead = Fraction(not adds)
    if stage.sharing:
        ahead = best(asked)
    elif not stage.ended:
        for place, targets, armies in stage.fronts[1:] if stage.assault else stage.fronts:
            found = worth(names[place], frozenset(stage.names(targets)), armies)
            ahead = ahead + found if adds else ahead * found
        if stage.assault:
            fight, target = stage.assault.fight, names[stage.assault.target]
            gain = values[target] if adds and fight.defenders else 0
            rest, first = frozenset(stage.names(stage.rest)), Fraction(0)
            for left, chance in survivors(asked.rules, fight.attackers, fight.defenders).items():
                first += chance * (gain + onward(names[stage.fronts[0].place], target, rest, left))
            ahead = ahead + first if adds else ahead * first
    if not adds:
        return ahead
    return (sum(values[names[target]] for target in stage.taken) + ahead) / Fraction(sum(values.values()) or 1)


def choices(stage: ConquestFight) -> list[Any]:
    """Every choice that the rules allow, found by trying all that can be said with the names on the map."""
    board = stage.board
    names = board.names[: board.targets]
    if stage.sharing:
        starts = [board.names[front.place] for front in stage.fronts]
        owners = product([None, *starts], repeat=len(names))
        tried: Iterable[Any] = (
            {"shares": {start: [name for name, own in zip(names, by, strict=True) if own == start] for start in starts}}
            for by in owners
        )
    elif stage.assault:
        left = stage.assault.fight.attackers
        tried = (
            {"move": moving, "onward": sorted(taken)} for moving in range(left + 2) for taken in parts(frozenset(names))
        )
    else:
        tried = [{"stop": True}, *({"attack": name} for name in names)]
    return [choice for choice in tried if is_allowed(stage, choice)]


def is_allowed(stage: ConquestFight | LiveTurn, choice: Any) -> bool:
    """Whether the rules allow a choice."""
    try:
        stage.choose(choice)
    except BattleError:
        return False
    return True


def _worth_of_fronts(
    asked: Asked,
) -> tuple[Callable[[str, Names, int], Fraction], Callable[[str, str, Names, int], Fraction]]:
    """The worth of fronts, and the worth of what follows a capture."""
    dice = most_dice(asked)
    values = asked.values if asked.aim == "value" else dict.fromkeys(asked.targets, 1)
    adds = asked.aim != "all"

    @cache
    def worth(front: str, targets: Names, armies: int) -> Fraction:
        if not targets:
            return Fraction(not adds)
        found = Fraction(0)
        for target in sorted(targets & set(asked.neighbours[front])):
            total = Fraction(0)
            for left, chance in survivors(asked.rules, armies, asked.targets[target]).items():
                total += chance * ((values[target] if adds else 0) + onward(front, target, targets - {target}, left))
            found = max(found, total)
        return found

    @cache
    def onward(front: str, target: str, rest: Names, left: int) -> Fraction:
        tried = []
        for moving in range(min(dice, left), left + 1):
            for taken in parts(rest):
                ahead = worth(target, taken, max(0, moving - asked.leave[target]))
                behind = worth(front, rest - taken, left - moving)
                tried.append(ahead + behind if adds else ahead * behind)
        return max(tried)

    return worth, onward


def most_dice(asked: Asked) -> int:
    """The armies that must move in, if so many are left: as many as may have rolled."""
    return 10**6 if asked.rules.faces else len(asked.rules.attack.dice)


@st.composite
def any_conquest(draw: st.DrawFn, most_targets: int = 4, most_armies: int = 8, starts: int = 2) -> Asked:
    """A small conquest on a random map, perhaps with territories that cannot be reached."""
    own = [f"s{number}" for number in range(draw(st.integers(1, starts)))]
    names = [f"t{number}" for number in range(draw(st.integers(1, most_targets)))]
    pairs = [(one, other) for one, other in combinations(own + names, 2) if other not in own]
    borders = draw(st.lists(st.sampled_from(pairs), min_size=min(len(names), len(pairs)), max_size=8, unique=True))
    neighbours: dict[str, list[str]] = {name: [] for name in own + names}
    for one, other in borders:
        neighbours[one].append(other)
        neighbours[other].append(one)
    return Asked(
        neighbours,
        {name: draw(st.integers(0, most_armies // len(own))) for name in own},
        {name: draw(st.integers(0, 3)) for name in names},
        {name: draw(st.integers(0, 2)) for name in names},
        draw(st.sampled_from(["all", "most", "value"])),
        {name: draw(st.integers(0, 4)) for name in names},
    )
