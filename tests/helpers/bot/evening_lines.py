"""What is asked on an evening: lines for every command, each asked the more often the earlier it stands."""

from collections.abc import Iterator
from itertools import accumulate, product
from random import Random


class Asked:
    """Lines by how often they are asked: friends ask the same things, so the second half as often as the first."""

    def __init__(self, lines: Iterator[str], chance: Random) -> None:
        self._lines = list(dict.fromkeys(lines))
        chance.shuffle(self._lines)
        self._often = list(accumulate(1 / rank for rank in range(1, len(self._lines) + 1)))

    def one(self, chance: Random) -> str:
        """A line that somebody asks."""
        return chance.choices(self._lines, cum_weights=self._often)[0]


def risk() -> Iterator[str]:
    """Classic Risk, with plans and variants."""
    for a, d in product(range(2, 41), range(1, 31)):
        yield f"{a} {d}"
        yield f"{a}v{d} stop:{min(a, 4)}"
        if d % 4 == 0:
            yield from (f"{a} vs {d} dice:2v1", f"{a} {d} ties:attacker", f"{a} {d} variant:2210")
            yield from (f"{a} {d} late", f"{a} {d} value:6", f"{a} {d} exact")


def star_wars() -> Iterator[str]:
    """Star Wars Risk with its ships."""
    for a, d in product(range(3, 31), range(2, 21)):
        yield f"{a} {d} bombers:{a % 3} dfighters:{d % 2}"
        yield f"{a} fighters:1 vs {d} capitals:1"


def icons() -> Iterator[str]:
    """Icon dice."""
    for a, d in product(range(1, 13), repeat=2):
        yield f"icons AAD,ADD,A,D,-,- {a} {d}"
        yield f"{a} {d} icons:AA,D,-"


def paths() -> Iterator[str]:
    """One army through a row of territories."""
    for a, b, c in product(range(8, 31), range(1, 7), range(1, 5)):
        yield f"{a} > {b} > {c} leave:1"
        yield f"{a} > {b} > {c} > 2"


def land() -> Iterator[str]:
    """Axis & Allies on land, some with plans to retreat."""
    for inf, arm, theirs in product(range(2, 12), range(5), range(1, 10)):
        yield f"{inf} inf {arm} arm {arm // 2} fig vs {theirs} inf {theirs // 3} art 1 aa"
        yield f"{inf} inf {arm} art vs {theirs} inf retreat:units<=2"
        if theirs % 3 == 0:
            yield f"{inf} inf {arm} arm vs {theirs} inf 1 arm retreat:profit<0 value:4 deadzone"


def sea() -> Iterator[str]:
    """Axis & Allies at sea."""
    for subs, ships, theirs in product(range(1, 5), range(4), range(1, 5)):
        yield f"{subs} sub {ships} des {ships} fig vs {theirs} cru 1 sub"
        yield f"{subs} sub 1 bat vs {theirs} des 1 acc 1 fig"


def waves() -> Iterator[str]:
    """Several waves of Axis & Allies."""
    for first, second, theirs in product(range(3, 8), range(1, 5), range(2, 7)):
        yield f"{first} inf vs {theirs} inf then {second} arm"
        yield f"{first} inf 1 fig vs {theirs} inf then hold {second} inf 1 arm"


BATTLES = {"risk": risk, "ships": star_wars, "icons": icons, "paths": paths, "land": land, "sea": sea, "waves": waves}
OFTEN = {"risk": 40, "ships": 15, "icons": 5, "paths": 10, "land": 18, "sea": 6, "waves": 6}
"""How often each game is played, for one another."""


def needs() -> Iterator[str]:
    """How many it takes."""
    for d in range(2, 31):
        yield from (f"{d}", f"{d + 3} {d} 90%", f"{d} vs", f"{d} dcapitals:1")
    for inf, theirs in product(range(3, 8), range(2, 6)):
        yield f"{inf} inf 2 arm 1 fig vs {theirs} inf 1 aa"


def tables() -> Iterator[str]:
    """Maps of all sizes, and which unit matters."""
    for a, d in product(range(5, 31, 2), range(5, 21, 2)):
        yield from (f"{a} {d}", f"{a} {d} bombers:1")
    for inf, theirs in product(range(3, 8), range(2, 6)):
        yield f"{inf} inf 2 arm vs {theirs} inf 1 art"


def dice() -> Iterator[str]:
    """What a round costs."""
    yield from ("3 2", "3 1", "2 2", "2 1", "1 1", "3", "3 fighters:1", "3 2 bombers:1", "3 2 adice:8,6,6", "")


def compared() -> Iterator[str]:
    """Two plans side by side."""
    for a, d in product(range(6, 25), range(4, 16)):
        yield from (f"{a} {d} stop:3 || stop:5", f"{a} {d} bombers:2 or bombers:1")
    for inf, theirs in product(range(3, 8), range(2, 6)):
        yield f"{inf} inf 2 arm vs {theirs} inf or retreat:profit<0"


def raids() -> Iterator[str]:
    """Bombing raids."""
    yield from (f"{bombers} bom vs {points}" for bombers, points in product(range(1, 9), range(4, 21, 2)))


def orders() -> Iterator[str]:
    """Orders of loss."""
    for inf, fig, theirs in product(range(2, 7), range(1, 4), range(2, 7)):
        yield f"{inf} inf 2 arm {fig} fig vs {theirs} inf 1 fig"


def placings() -> Iterator[str]:
    """Units over several territories."""
    for inf, theirs in product(range(4, 11), range(2, 6)):
        yield f"{inf} inf 1 fig || {theirs} inf 2 arm vs 1 inf || {theirs + 1} inf"


QUESTIONS = {
    "need": needs,
    "table": tables,
    "dice": dice,
    "compare": compared,
    "bombing": raids,
    "order": orders,
    "place": placings,
}
WRONG = (
    *("12 nine", "12 9 bmobers:2", "inf vs", "12 > > 4", "hello", "99999999999 1", "3 inf vs 2 xyz", "12 9 stop:x"),
    *("||", "ukraine-that-is-not", "12 9 dice:9v9", "5 bom vs", "`12 9`", "@everyone 12", "12 9 variant:none-such"),
)
"""What people mistype."""
