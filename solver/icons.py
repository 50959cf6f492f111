"""Icon dice: faces with attack and defence icons, and the kernel of battles fought with them.

Every unit rolls one die. A side loses the attack icons of the other side that its own defence icons do not stop,
max(0, attack - defence), but never more units than it has; both sides roll at once, so both can be wiped out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple, Self

import numpy as np

from solver.chain import Cell, Grid, Mask, RoundLaw
from solver.errors import BattleError, check_count, shown

MOST_FACES = 60
MOST_ICONS = 12
BLANKS = ("", "-", "blank", "empty", "0")
"""The ways to write a face without icons."""
UNBOUNDED = 10**9
"""What one round can cost a side here: all it has."""
SMALLEST_SCALE = 1e-100
"""Weights are not brought back to chances after every die, but before they become too large for a float."""


@dataclass(frozen=True, slots=True)
class Faces:
    """An icon die: for every face how many attack and how many defence icons it shows, in no order that matters."""

    faces: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Put the faces in one order and refuse what is no die."""
        check_count("faces", len(self.faces), 2, MOST_FACES, "a die must have {least} to {most} faces, not {value}")
        for icons in (icons for face in self.faces for icons in face):
            check_count("faces", icons, 0, MOST_ICONS, "a face can show {least} to {most} icons of a kind, not {value}")
        object.__setattr__(self, "faces", tuple(sorted(self.faces, reverse=True)))

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """The die whose faces are written as letters, A for attack and D for defence: ["AAD", "D", "-"]."""
        faces = []
        for word in words:
            icons = Counter(word.upper() if isinstance(word, str) and word.lower() not in BLANKS else "")
            if not isinstance(word, str) or icons.keys() - set("AD"):
                raise BattleError(
                    "faces", 'a face must be made of A and D, such as "AAD", not {value}', value=shown(word)
                )
            faces.append((icons["A"], icons["D"]))
        return cls(tuple(faces))

    @property
    def words(self) -> tuple[str, ...]:
        """The faces as letters; a blank one is an empty text."""
        return tuple("A" * attack + "D" * defence for attack, defence in self.faces)

    def reduced(self) -> Self:
        """The smallest die with the same odds: A,A,D,D is A,D."""
        counts = Counter(self.faces)
        share = gcd(*counts.values())
        faces = [face for face, count in sorted(counts.items()) for _ in range(count // share)]
        return type(self)(tuple(faces if len(faces) > 1 else faces * 2))

    @property
    def most(self) -> tuple[int, int]:
        """The most attack and the most defence icons on a face."""
        return max(attack for attack, _ in self.faces), max(defence for _, defence in self.faces)


class Die(NamedTuple):
    """A die for adding up: its distinct faces as (attack icons, defence icons, weight), and what the weights total."""

    faces: tuple[tuple[int, int, int], ...]
    total: int


class IconTable:
    """The kernel of icon dice: the joint law of both sides' losses in a round, grown one die at a time.

    With X = the attackers' attack icons less the defenders' defence icons, and Y the other way round, n attackers
    against m defenders lose min(n, max(0, Y)) and min(m, max(0, X)). A step is a *shell*, all cells in which the
    smaller army is of one size k: a row of the grid, k attackers against more, and a column, which is the same row
    for the `mirror` with the sides exchanged. Its laws are grown from that of k against k, a defender at a time.
    X and n - Y only fall then, so all below 0 stays there and is kept in one place, and so is all that can no
    longer come below the most that matters. No Fourier transform: its error would drown small chances. Over whole
    numbers (`exact`) laws are weights.
    """

    def __init__(self, attack: Faces, defence: Faces, exact: bool = False, mirror: "IconTable | None" = None) -> None:
        self.attack, self.defence, self.exact = attack, defence, exact
        self.dice = _die(attack), _die(defence)
        self.most_icons = *attack.most, *defence.most
        self.least_chance = 1 / max(die.total for die in self.dice)
        self.most_lost = UNBOUNDED, UNBOUNDED
        self.mirror = mirror or IconTable(defence, attack, exact, mirror=self)
        # Of k against k dice the law of [X, Y], from the least of both on; the mirror has no list of its own.
        self._even: list[Any] = [] if mirror else [np.ones((1, 1), self._kind)]

    @property
    def _kind(self) -> type:
        return object if self.exact else float

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """See `Kernel`: the shells, largest first."""
        del floor
        return range(min(shape) - 1, 0, -1)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`."""
        row, column = (int(np.flatnonzero(arm)[-1]) if arm.any() else 0 for arm in (law[step, step:], law[step:, step]))
        laws, turned = self._shell(step, step + row, step + column)
        rounds = self._push(law, step, step + 1, stopped, laws[1:]) if step > floor else 0.0
        # The corner of the shell, which both its arms feed, is the column's last cell.
        least = max(step, floor + 1)
        barred = None if stopped is None else stopped.T
        rounds += self.mirror._push(law.T, step, least, barred, turned[least - step :])
        if step == 1:
            del self._even[1:]  # The battle is over, and these are tens of megabytes.
        return rounds

    def _push(self, law: Grid, n: int, least: int, stopped: Mask | None, laws: list[Any]) -> float:
        """Take the cells of row n, the last first; the laws are those against `least` defenders and more."""
        rounds = 0.0
        for m, ways in reversed(list(enumerate(laws, start=least))):
            if m >= law.shape[1] or not law[n, m] or (stopped is not None and stopped[n, m]):
                continue
            leaving, leave = _leaving(ways)
            if leave:
                visits = law[n, m] / leave
                rounds += float(visits)
                law[: n + 1, m::-1] += visits * leaving.T
        return rounds

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`."""
        laws, turned = self._shell(step, worth.shape[1] - 1, worth.shape[0] - 1)
        least = max(step, floor + 1)
        pays = None if stop_pays is None else stop_pays.T
        self.mirror._pull(worth.T, step, least, pays, turned[least - step :])
        if step > floor:
            self._pull(worth, step, step + 1, stop_pays, laws[1:])

    def _pull(self, worth: Grid, n: int, least: int, stop_pays: Grid | None, laws: list[Any]) -> None:
        for m, ways in enumerate(laws[: worth.shape[1] - least], start=least):
            leaving, leave = _leaving(ways)
            if leave:
                worth[n, m] = (leaving.T * worth[: n + 1, m::-1]).sum() / leave
            if stop_pays is not None:
                worth[n, m] = max(worth[n, m], stop_pays[n, m])

    def _shell(self, step: int, defenders: int, attackers: int) -> tuple[list[Any], list[Any]]:
        """The laws of both arms of a shell from the corner on, the column's as the mirror has them."""
        if self.attack == self.defence:
            laws = self._laws(step, step, max(defenders, attackers))
            return laws, laws
        return self._laws(step, step, defenders), self.mirror._laws(step, step, attackers)

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> float:
        """See `SpreadKernel`."""
        for n, m, ways in self._cells(low, law.shape):
            if mass := fighting[n - low[0], m - low[1]]:
                law[: n + 1, m::-1] += mass * ways.T
        return float(fighting.sum())

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """See `RoundKernel`."""
        for n, m, ways in self._cells(low, worth.shape):
            mean = (ways.T * worth[: n + 1, m::-1]).sum()
            ahead[n - low[0], m - low[1]] = Fraction(mean, self.total(n, m)) if self.exact else mean

    def stuck(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`."""
        attackers, defenders = np.ogrid[: shape[0], : shape[1]]
        ours = attackers * self.attack.most[0] <= defenders * min(block for _, block in self.defence.faces)
        theirs = defenders * self.defence.most[0] <= attackers * min(block for _, block in self.attack.faces)
        return np.asarray(ours & theirs)

    def law(self, attackers: int, defenders: int) -> RoundLaw:
        """The exact law of a round; of a table made for whole numbers."""
        ((_, _, ways),) = self._cells((attackers, defenders), (attackers + 1, defenders + 1))
        total = self.total(attackers, defenders)
        weights = {(attackers - left, lost): int(weight) for (lost, left), weight in np.ndenumerate(ways) if weight}
        return {lost: Fraction(weight, total) for lost, weight in sorted(weights.items())}

    def total(self, attackers: int, defenders: int) -> int:
        """What the weights of a law over whole numbers add up to."""
        return int(self.dice[0].total ** attackers * self.dice[1].total ** defenders)

    def work(self, attackers: int, defenders: int) -> int:
        """About how long a sweep takes, in the unit of `DiceChain.work`."""
        work = 0.0
        arms = (self, defenders), (self.mirror, attackers)
        for table, others in arms if self.attack != self.defence else [max(arms, key=lambda arm: arm[1])]:
            shells = np.arange(1.0, min(attackers, defenders) + 1)
            hit, block, hit_back, _ = table.most_icons
            sizes = (hit * shells + 1) * ((1 + block) * shells + hit_back + 1)
            work += float(((others - shells + 1) * (4_000 + sizes * (3 + len(table.dice[1].faces)) / 8)).sum())
        return int(work)

    def numbers(self, attackers: int, defenders: int) -> int:
        """About how many numbers are in memory at once."""
        hit, block, hit_back, block_back = self.most_icons
        shells, most = min(attackers, defenders), max(attackers, defenders)
        return ((hit + block_back) * (hit_back + block) * shells**3) // 3 + shells * most**2 // 2

    def _cells(self, low: Cell, shape: tuple[int, ...]) -> Iterator[tuple[int, int, Any]]:
        """Every cell from a corner on, with the law of its round: [defenders lost, attackers left]."""
        for n in range(low[0], shape[0]):
            for m, ways in enumerate(self._laws(n, max(low[1], n), shape[1] - 1), start=max(low[1], n)):
                yield n, m, ways
        for m in range(low[1], shape[1]):
            for n, ways in enumerate(self.mirror._laws(m, max(low[0], m + 1), shape[0] - 1), start=max(low[0], m + 1)):
                yield n, m, ways[::-1, ::-1].T

    def _laws(self, n: int, least: int, most: int) -> list[Any]:
        """The laws of a round of n against `least` to `most`, at least n: [defenders lost, attackers left]."""
        laws: list[Any] = []
        if most < least:
            return laws
        now = self._start(n)
        other = np.zeros_like(now)
        *_, hit_back, block_back = self.most_icons
        scale = 1.0
        for m in range(n, most + 1):
            if m > n:
                now, other = self._with_defender(now, other), now
                scale /= 1 if self.exact else self.dice[1].total
            now = _cut(now, 0, block_back + most + block_back * (most - m))
            now = _cut(now, 1, hit_back + n + hit_back * (most - m))
            if m >= least:
                laws.append(_clipped(now[block_back:, hit_back:], n, m))
                if scale != 1:
                    laws[-1] *= scale
            if scale < SMALLEST_SCALE:
                now *= scale
                scale = 1.0
        return laws

    def _start(self, n: int) -> Any:
        """The law of X and n - Y of n against n, each after a margin for what the next die takes below 0."""
        hit, block, hit_back, block_back = self.most_icons
        even = self.even(n)[:, ::-1]  # the least of n - Y first, which is (1 - hit_back) * n
        start: Any = np.zeros((block_back + hit * n + 1, hit_back + (1 + block) * n + 1), self._kind)
        below = block_back * n
        held = even[below:].copy()
        held[0] += even[:below].sum(axis=0)
        first = (hit_back - 1) * n
        inside = start[block_back:, hit_back:]
        inside[:, max(-first, 0) :] = held[:, max(first, 0) :]
        if first > 0:
            inside[:, 0] += held[:, :first].sum(axis=1)
        return start

    def even(self, count: int) -> Any:
        """The law of (X, Y) of so many against as many, each from its least on."""
        if not self._even:
            return self.mirror.even(count).T
        hit, block, hit_back, block_back = self.most_icons
        for _ in range(len(self._even), count + 1):
            law = self._even[-1]
            ours = [(a, block - d, weight) for a, d, weight in self.dice[0].faces]
            theirs = [(block_back - d, a, weight) for a, d, weight in self.dice[1].faces]
            for moves, room in ((ours, (hit, block)), (theirs, (block_back, hit_back))):
                law = _grown(law, moves, room)
            if not self.exact:
                law /= self.dice[0].total * self.dice[1].total
            self._even.append(law)
        return self._even[count]

    def _with_defender(self, now: Any, after: Any) -> Any:
        """The weights with one defender more, in the scratch array `after`; what goes below 0 is put at 0."""
        wide, long = now.shape
        after = after[:wide, :long]
        (a, d, weight), *others = self.dice[1].faces
        np.multiply(now[d:, a:], weight, out=after[: wide - d, : long - a])
        after[wide - d :] = 0
        after[:, long - a :] = 0
        for a, d, weight in others:
            here = now[d:, a:]
            after[: wide - d, : long - a] += here if weight == 1 else here * weight
        *_, hit_back, block_back = self.most_icons
        if block_back:
            after[block_back] += after[:block_back].sum(axis=0)
            after[:block_back] = 0
        if hit_back:
            after[:, hit_back] += after[:, :hit_back].sum(axis=1)
            after[:, :hit_back] = 0
        return after


@lru_cache(maxsize=1)  # one may hold tens of megabytes
def icon_table(attack: Faces, defence: Faces) -> IconTable:
    """The kernel of battles between these dice."""
    return IconTable(attack, defence)


def _die(faces: Faces) -> Die:
    """The face that moves least comes first, so that there is little to clear beside it."""
    counts = Counter(faces.faces)
    return Die(tuple((*face, counts[face]) for face in sorted(counts, key=sum)), len(faces.faces))


def _cut(law: Any, axis: int, most: int) -> Any:
    """A law with all from place `most` on in that one place, for more than that makes no difference any more."""
    if law.shape[axis] <= most + 1:
        return law
    if axis == 0:
        law[most] += law[most + 1 :].sum(axis=0)
        return law[: most + 1]
    law[:, most] += law[:, most + 1 :].sum(axis=1)
    return law[:, : most + 1]


def _clipped(law: Any, n: int, defenders: int) -> Any:
    """The law [defenders lost, attackers left] of the law of (X, n - Y)."""
    ways: Any = np.zeros((defenders + 1, n + 1), law.dtype)
    seen = law[: defenders + 1]
    ways[: len(seen)] = seen[:, : n + 1]
    ways[: len(seen), n] += seen[:, n + 1 :].sum(axis=1)
    if len(law) > len(seen):
        beyond = law[defenders + 1 :].sum(axis=0)
        ways[defenders] += beyond[: n + 1]
        ways[defenders, n] += beyond[n + 1 :].sum()
    return ways


def _leaving(ways: Any) -> tuple[Any, Any]:
    """A cell's law without the way in which nobody loses anything, and the chance of the others."""
    leaving = ways.copy()
    leaving[0, -1] = 0
    return leaving, leaving.sum()


def roll_law(faces: Faces, units: int) -> Any:
    """The weights of [attack icons, defence icons] that so many dice show together."""
    (hit, block), die = faces.most, _die(faces)
    law: Any = np.ones((1, 1), object)
    for _ in range(units):
        law = _grown(law, die.faces, (hit, block))
    return law


def _grown(law: Any, moves: Iterable[tuple[int, int, int]], room: tuple[int, int]) -> Any:
    """A law [x, y] with one die more, whose faces move it by so much with these weights, and by `room` at the most."""
    grown: Any = np.zeros((law.shape[0] + room[0], law.shape[1] + room[1]), law.dtype)
    for x, y, weight in moves:
        grown[x : x + law.shape[0], y : y + law.shape[1]] += law if weight == 1 else law * weight
    return grown
