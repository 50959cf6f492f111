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
UNBOUNDED = 10**9
"""What one round can cost a side here: all it has."""
BATCH = 20_000
"""About how many numbers are worked on at once: what fits in a processor's own memory is quickest."""


@dataclass(frozen=True, slots=True)
class Faces:
    """An icon die: for every face how many attack and how many defence icons it shows, in no order that matters."""

    faces: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Put the faces in one order and refuse what is no die."""
        check_count("faces", len(self.faces), 2, MOST_FACES, "a die has", "faces")
        for icons in (icons for face in self.faces for icons in face):
            check_count("faces", icons, 0, MOST_ICONS, "a face shows", "icons of a kind")
        object.__setattr__(self, "faces", tuple(sorted(self.faces, reverse=True)))

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """The die whose faces are written as letters, A for attack and D for defence: ["AAD", "D", ""]."""
        faces = []
        for word in words:
            if not isinstance(word, str) or set(word.upper()) - set("AD"):
                raise BattleError("faces", f'a face is a text of A and D, such as "AAD", not {shown(word)}')
            faces.append((word.upper().count("A"), word.upper().count("D")))
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
    """A die for adding up: its distinct faces in groups that share a weight, and the total of the weights."""

    groups: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    total: int


class IconTable:
    """The kernel of icon dice: the joint law of both sides' losses in a round, grown one die at a time.

    With X = the attackers' attack icons less the defenders' defence icons, and Y the other way round, n attackers
    against m defenders lose min(n, max(0, Y)) and min(m, max(0, X)). A step is a run of rows of the grid, highest
    first: for all its rows at once the law of (X, n - Y) is grown from no defender to all of them, and on the way
    it is that of every cell of the row. Both only fall while defenders are added, so all below 0 stays there and
    is kept in one place, and so is all that can no longer come below the most that matters. No Fourier transform:
    its error would drown small chances. Over whole numbers (`exact`) laws are weights.
    """

    def __init__(self, attack: Faces, defence: Faces, exact: bool = False) -> None:
        self.attack, self.defence, self.exact = attack, defence, exact
        self.dice = _die(attack), _die(defence)
        self.least_chance = 1 / max(die.total for die in self.dice)
        self.most_lost = UNBOUNDED, UNBOUNDED
        self._own: list[Any] = [np.ones((1, 1), self._kind)]

    @property
    def _kind(self) -> type:
        return object if self.exact else float

    def steps(self, shape: tuple[int, ...], floor: int) -> list[range]:
        """Runs of rows from the most attackers down to the floor, each of rows that are worked on together."""
        runs, row = [], shape[0] - 1
        (hit, block), (hit_back, block_back) = self.attack.most, self.defence.most
        while row > floor:
            size = (block_back + hit * row + 1) * (hit_back + (1 + block) * row + 1)
            last = max(floor + 1, row + 1 - max(BATCH // size, 1))
            runs.append(range(row, last - 1, -1))
            row = last - 1
        return runs

    def push(self, law: Grid, step: range, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`."""
        del floor
        reached = np.flatnonzero(law[step[-1] : step[0] + 1, 1:].any(axis=0))
        laws = self._laws(step, int(reached[-1]) + 1 if len(reached) else 0)
        rounds = 0.0
        for row, n in enumerate(step):
            for m in range(len(laws), 0, -1):
                if not law[n, m] or (stopped is not None and stopped[n, m]):
                    continue
                ways, leave = _leaving(laws[m - 1][row, :, : n + 1])
                if leave:
                    visits = law[n, m] / leave
                    rounds += float(visits)
                    law[: n + 1, m::-1] += visits * ways.T
        return rounds

    def pull(self, worth: Grid, step: range, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`."""
        del floor
        laws = self._laws(step, worth.shape[1] - 1)
        for row, n in reversed(list(enumerate(step))):
            for m, of_rows in enumerate(laws, start=1):
                ways, leave = _leaving(of_rows[row, :, : n + 1])
                if leave:
                    worth[n, m] = (ways.T * worth[: n + 1, m::-1]).sum() / leave
                if stop_pays is not None:
                    worth[n, m] = max(worth[n, m], stop_pays[n, m])

    def spread(self, law: Grid, fighting: Grid, low: Cell) -> None:
        """See `RoundKernel`."""
        for n, m, ways in self._cells(low, law.shape):
            if mass := fighting[n - low[0], m - low[1]]:
                law[: n + 1, m::-1] += mass * ways.T

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """See `RoundKernel`."""
        for n, m, ways in self._cells(low, worth.shape):
            mean = (ways.T * worth[: n + 1, m::-1]).sum()
            ahead[n - low[0], m - low[1]] = Fraction(mean, self.total(n, m)) if self.exact else mean

    def stuck(self, shape: tuple[int, ...]) -> Mask:
        """See `Kernel`."""
        attackers, defenders = np.ogrid[: shape[0], : shape[1]]
        ours = attackers * self.attack.most[0] <= defenders * min(block for _, block in self.defence.faces)
        theirs = defenders * self.defence.most[0] <= attackers * min(block for _, block in self.attack.faces)
        return np.asarray(ours & theirs)

    def law(self, attackers: int, defenders: int) -> RoundLaw:
        """The exact law of a round; of a table made for whole numbers."""
        ways = self._laws(range(attackers, attackers - 1, -1), defenders)[-1][0]
        total = self.total(attackers, defenders)
        weights = {(attackers - left, lost): int(weight) for (lost, left), weight in np.ndenumerate(ways) if weight}
        return {lost: Fraction(weight, total) for lost, weight in sorted(weights.items())}

    def work(self, attackers: int, defenders: int) -> int:
        """About how long a sweep takes, in the unit of `DiceChain.work`."""
        (hit, block), (hit_back, _) = self.attack.most, self.defence.most
        wide, long = hit * attackers / 2 + 1, (1 + block) * attackers / 2 + hit_back
        passes = 8 + sum(len(faces) + 1 for _, faces in self.dice[1].groups)
        return int(attackers * defenders * (4_000 + wide * long * passes / 10))

    def total(self, attackers: int, defenders: int) -> int:
        """What the weights of a law over whole numbers add up to."""
        return int(self.dice[0].total ** attackers * self.dice[1].total ** defenders)

    def attackers(self, count: int) -> Any:
        """The law of [attack icons, defence icons] of so many attackers' dice."""
        (hit, block), die = self.attack.most, self.dice[0]
        for dice in range(len(self._own), count + 1):
            law: Any = np.zeros((hit * dice + 1, block * dice + 1), self._kind)
            before = self._own[-1]
            for weight, faces in die.groups:
                for a, d in faces:
                    law[a : a + before.shape[0], d : d + before.shape[1]] += before * weight
            self._own.append(law if self.exact else law / die.total)
        return self._own[count]

    def _cells(self, low: Cell, shape: tuple[int, ...]) -> Iterator[tuple[int, int, Any]]:
        """Every cell from a corner on, with the law of its round: [defenders lost, attackers left]."""
        for n in range(low[0], shape[0]):
            for m, ways in enumerate(self._laws(range(n, n - 1, -1), shape[1] - 1), start=1):
                if m >= low[1]:
                    yield n, m, ways[0]

    def _laws(self, rows: range, defenders: int) -> list[Any]:
        """The laws of a round against 1, 2, ... defenders: [row, defenders lost, attackers left]."""
        top = rows[0]
        (hit, block), (hit_back, block_back) = self.attack.most, self.defence.most
        # Before x = 0 and y = 0 there is a margin, for what the next die takes below.
        shape = len(rows), block_back + hit * top + 1, hit_back + (1 + block) * top + 1
        room: list[Any] = [np.zeros(shape, self._kind) for _ in range(3)]
        now = room[0]
        for row, n in enumerate(rows):
            own = self.attackers(n)
            now[row, block_back : block_back + own.shape[0], hit_back + n : hit_back + n + own.shape[1]] = own
        laws = []
        for m in range(1, defenders + 1):
            room = [room[1], room[0], room[2]]
            now = self._with_defender(now, *room[::2])
            now = _cut(now, 1, block_back + defenders + block_back * (defenders - m))
            now = _cut(now, 2, hit_back + top + hit_back * (defenders - m))
            laws.append(_clipped(now[:, block_back:, hit_back:], rows, m))
        return laws

    def _with_defender(self, now: Any, after: Any, room: Any) -> Any:
        """The law with one defender more; `after` and `room` are scratch arrays, of which it takes the first."""
        _, wide, long = now.shape
        after, room = after[:, :wide, :long], room[:, :wide, :long]
        die = self.dice[1]
        for number, (weight, faces) in enumerate(die.groups):
            sums = room if number else after
            for place, (a, d) in enumerate(faces):
                there, here = sums[:, : wide - d, : long - a], now[:, d:, a:]
                if place:
                    there += here
                else:
                    np.copyto(there, here)
                    sums[:, wide - d :] = 0
                    sums[:, :, long - a :] = 0
            if weight != 1:
                sums *= weight
            if number:
                after += sums
        if not self.exact:
            after *= 1 / die.total
        hit_back, block_back = self.defence.most
        if block_back:
            after[:, block_back] += after[:, :block_back].sum(axis=1)
            after[:, :block_back] = 0
        if hit_back:
            after[:, :, hit_back] += after[:, :, :hit_back].sum(axis=2)
            after[:, :, :hit_back] = 0
        return after


@lru_cache(maxsize=32)
def icon_table(attack: Faces, defence: Faces) -> IconTable:
    """The kernel of battles between these dice."""
    return IconTable(attack, defence)


def _die(faces: Faces) -> Die:
    """The groups begin with the face that moves least, so that there is little to clear beside it."""
    counts = Counter(faces.faces)
    groups: dict[int, list[tuple[int, int]]] = {}
    for face in sorted(counts, key=sum):
        groups.setdefault(counts[face], []).append(face)
    return Die(tuple((weight, tuple(group)) for weight, group in groups.items()), len(faces.faces))


def _cut(law: Any, axis: int, most: int) -> Any:
    """A law with all from place `most` on in that one place, for more than that makes no difference any more."""
    if law.shape[axis] <= most + 1:
        return law
    law = np.moveaxis(law, axis, 0)
    law[most] += law[most + 1 :].sum(axis=0)
    return np.moveaxis(law[: most + 1], 0, axis)


def _clipped(law: Any, rows: range, defenders: int) -> Any:
    """The law [row, defenders lost, attackers left] of the law of (X, n - Y)."""
    ways = np.zeros((len(rows), defenders + 1, rows[0] + 1), law.dtype)
    seen = law[:, : defenders + 1]
    ways[:, : seen.shape[1]] = seen[:, :, : rows[0] + 1]
    beyond = law[:, defenders + 1 :].sum(axis=1)
    ways[:, defenders] += beyond[:, : rows[0] + 1]
    for row, n in enumerate(rows):
        ways[row, : seen.shape[1], n] = seen[row, :, n:].sum(axis=1)
        ways[row, defenders, n] += beyond[row, n:].sum()
    return ways


def _leaving(ways: Any) -> tuple[Any, Any]:
    """A cell's law without the way in which nobody loses anything, and the chance of the others."""
    leaving = ways.copy()
    leaving[0, -1] = 0
    return leaving, leaving.sum()
