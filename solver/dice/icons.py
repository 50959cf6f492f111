"""The kernel of battles with icon dice.

Every unit rolls one die. A side loses as many units as the other side's attack icons exceed its own defence icons, but
never more than it has. Both sides roll at once, so both can be wiped out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from solver.chain import Cell, Grid, Mask, RoundLaw
from solver.dice.compared import has_library
from solver.dice.faces import CountedFaces, Faces

UNBOUNDED = 10**9
"""The most units that one round can cost a side: all it has."""
SMALLEST_SCALE = 1e-100
"""Below this scale weights are converted back to chances, before they become too large for a float."""


class IconTable:
    """The kernel of icon dice: the joint law of both sides' losses in a round, built one die at a time.

    Let X be the attackers' attack icons minus the defenders' defence icons, and Y the defenders' attack icons minus the
    attackers' defence icons. Then n attackers against m defenders lose min(n, max(0, Y)) and min(m, max(0, X)). A step
    is a *shell*: all cells in which the smaller army has the size k. It consists of a row of the grid, k attackers
    against more, and of a column, which is the row of the `mirror` with the sides exchanged. The laws of a row start
    from k against k and add one defender at a time. X and n - Y only fall then, so everything below 0 stays there and
    is kept in one place, and so is everything that can no longer come below the largest number that matters. There is
    no Fourier transform, because its error would drown small chances.

    Args:
        attack: The attacker's die.
        defence: The defender's die.
        exact: Compute with whole numbers; laws are weights then, not chances.
        mirror: The kernel with the sides exchanged; None to create it.
    """

    def __init__(self, attack: Faces, defence: Faces, exact: bool = False, mirror: "IconTable | None" = None) -> None:
        """Count the faces and create the mirror."""
        self.attack, self.defence, self.exact = attack, defence, exact
        self.dice = _count_faces(attack), _count_faces(defence)
        self.most_icons = *attack.most_icons, *defence.most_icons
        self.least_chance = 1 / max(die.total for die in self.dice)
        self.most_lost = UNBOUNDED, UNBOUNDED
        self.mirror = mirror or IconTable(defence, attack, exact, mirror=self)
        # Of k against k dice the law of [X, Y], from the least of both on; the mirror has no list of its own.
        self._even: list[Any] = [] if mirror else [np.ones((1, 1), self._kind)]

    @property
    def _kind(self) -> type:
        return object if self.exact else float

    @property
    def _is_compiled(self) -> bool:
        return not self.exact and has_library()

    def steps(self, shape: tuple[int, ...], floor: int) -> range:
        """See `Kernel`: the shells, largest first."""
        del floor
        return range(min(shape) - 1, 0, -1)

    def push(self, law: Grid, step: int, floor: int, stopped: Mask | None = None) -> float:
        """See `Kernel`."""
        row, column = (int(np.flatnonzero(arm)[-1]) if arm.any() else 0 for arm in (law[step, step:], law[step:, step]))
        laws, turned = self.shell_laws(step, step + row, step + column)
        rounds = self._push_row(law, step, step + 1, stopped, laws[1:]) if step > floor else 0.0
        # The corner of the shell, which both its arms feed, is the column's last cell.
        first = max(step, floor + 1)
        barred = None if stopped is None else stopped.T
        rounds += self.mirror._push_row(law.T, step, first, barred, turned[first - step :])
        if step == 1:
            self.forget_laws()
        return rounds

    def _push_row(self, law: Grid, n: int, first: int, stopped: Mask | None, laws: list[Any]) -> float:
        """Push the cells of row n, the last first. The laws are those against `first` defenders and more."""
        if laws and self._is_compiled:
            from solver.dice.compiled import push_icons  # Writing battles down never needs it.

            return push_icons(law, n, first, stopped, laws)
        rounds = 0.0
        for m, ways in reversed(list(enumerate(laws, start=first))):
            if m >= law.shape[1] or not law[n, m] or (stopped is not None and stopped[n, m]):
                continue
            leaving, leave = _law_of_leaving(ways)
            if leave:
                visits = law[n, m] / leave
                rounds += float(visits)
                law[: n + 1, m::-1] += visits * leaving.T
        return rounds

    def pull(self, worth: Grid, step: int, floor: int, stop_pays: Grid | None = None) -> None:
        """See `Kernel`."""
        laws, turned = self.shell_laws(step, worth.shape[1] - 1, worth.shape[0] - 1)
        first = max(step, floor + 1)
        pays = None if stop_pays is None else stop_pays.T
        self.mirror._pull_row(worth.T, step, first, pays, turned[first - step :])
        if step > floor:
            self._pull_row(worth, step, step + 1, stop_pays, laws[1:])

    def _pull_row(self, worth: Grid, n: int, first: int, stop_pays: Grid | None, laws: list[Any]) -> None:
        """Pull the cells of row n from `first` defenders on, with the laws against that many and more."""
        if laws and self._is_compiled:
            from solver.dice.compiled import pull_icons  # Writing battles down never needs it.

            pull_icons(worth, n, first, stop_pays, laws)
            return
        for m, ways in enumerate(laws[: worth.shape[1] - first], start=first):
            leaving, leave = _law_of_leaving(ways)
            if leave:
                worth[n, m] = (leaving.T * worth[: n + 1, m::-1]).sum() / leave
            if stop_pays is not None:
                worth[n, m] = max(worth[n, m], stop_pays[n, m])

    def shell_laws(self, step: int, defenders: int, attackers: int) -> tuple[list[Any], list[Any]]:
        """Return the laws of the rounds in the cells of a shell, from its corner on, [defenders lost, attackers left].

        Args:
            step: The shell, the size of the smaller army.
            defenders: The most defenders in its row.
            attackers: The most attackers in its column.

        Returns:
            The laws of the row, and those of the column with the sides exchanged.
        """
        if self.attack == self.defence:
            laws = self._row_laws(step, step, max(defenders, attackers))
            return laws, laws
        return self._row_laws(step, step, defenders), self.mirror._row_laws(step, step, attackers)

    def forget_laws(self) -> None:
        """Forget the laws of equal armies, which are tens of megabytes, once a battle is over."""
        del self._even[1:]

    def gather(self, ahead: Grid, worth: Grid, low: Cell) -> None:
        """Set `ahead` to the mean of `worth` after one more round: see `RoundKernel`."""
        for n, m, ways in self._cells(low, worth.shape):
            mean = (ways.T * worth[: n + 1, m::-1]).sum()
            ahead[n - low[0], m - low[1]] = Fraction(mean, self.total(n, m)) if self.exact else mean

    def stuck_cells(self, shape: tuple[int, ...]) -> Mask:
        """See `EndlessKernel`."""
        attackers, defenders = np.ogrid[: shape[0], : shape[1]]
        ours = attackers * self.attack.most_icons[0] <= defenders * min(block for _, block in self.defence.faces)
        theirs = defenders * self.defence.most_icons[0] <= attackers * min(block for _, block in self.attack.faces)
        return np.asarray(ours & theirs)

    def law(self, attackers: int, defenders: int) -> RoundLaw:
        """Return the exact law of the losses in one round; only for a table made with `exact`.

        Args:
            attackers: Their number.
            defenders: Their number.
        """
        ((_, _, ways),) = self._cells((attackers, defenders), (attackers + 1, defenders + 1))
        total = self.total(attackers, defenders)
        weights = {(attackers - left, lost): int(weight) for (lost, left), weight in np.ndenumerate(ways) if weight}
        return {lost: Fraction(weight, total) for lost, weight in sorted(weights.items())}

    def total(self, attackers: int, defenders: int) -> int:
        """Return the sum of the weights of a law over whole numbers: see `IconTable.law`."""
        return int(self.dice[0].total ** attackers * self.dice[1].total ** defenders)

    def work(self, attackers: int, defenders: int) -> int:
        """Return the approximate time of a sweep up to these armies, in the unit of `DiceChain.work`: see `Battle`."""
        work = 0.0
        arms = (self, defenders), (self.mirror, attackers)
        for table, others in arms if self.attack != self.defence else [max(arms, key=lambda arm: arm[1])]:
            shells = np.arange(1.0, min(attackers, defenders) + 1)
            hit, block, hit_back, _ = table.most_icons
            sizes = (hit * shells + 1) * ((1 + block) * shells + hit_back + 1)
            work += float(((others - shells + 1) * (4_000 + sizes * (3 + len(table.dice[1].faces)) / 8)).sum())
        return int(work)

    def numbers(self, attackers: int, defenders: int) -> int:
        """Return the approximate count of numbers in memory at once in battles up to these armies: see `Battle`."""
        hit, block, hit_back, block_back = self.most_icons
        shells, larger = min(attackers, defenders), max(attackers, defenders)
        return ((hit + block_back) * (hit_back + block) * shells**3) // 3 + shells * larger**2 // 2

    def _cells(self, low: Cell, shape: tuple[int, ...]) -> Iterator[tuple[int, int, Any]]:
        """Yield every cell from a corner on, with the law of its round, [defenders lost, attackers left]."""
        for n in range(low[0], shape[0]):
            first = max(low[1], n)
            for m, ways in enumerate(self._row_laws(n, first, shape[1] - 1), start=first):
                yield n, m, ways
        for m in range(low[1], shape[1]):
            first = max(low[0], m + 1)
            for n, ways in enumerate(self.mirror._row_laws(m, first, shape[0] - 1), start=first):
                yield n, m, ways[::-1, ::-1].T

    def _row_laws(self, n: int, first: int, last: int) -> list[Any]:
        """Return the laws of n against `first` to `last` defenders, at least n: [defenders lost, attackers left]."""
        laws: list[Any] = []
        if last < first:
            return laws
        now = self._even_start(n)
        *_, hit_back, block_back = self.most_icons
        if self._is_compiled:
            from solver.dice.compiled import icon_laws  # Writing battles down never needs it.

            return icon_laws(self.dice[1], (hit_back, block_back), n, range(first, last + 1), now)
        other = np.zeros_like(now)
        scale = 1.0
        for m in range(n, last + 1):
            if m > n:
                now, other = self._with_defender(now, other), now
                scale /= 1 if self.exact else self.dice[1].total
            now = _lump_above(now, 0, block_back + last + block_back * (last - m))
            now = _lump_above(now, 1, hit_back + n + hit_back * (last - m))
            if m >= first:
                laws.append(_clip_losses(now[block_back:, hit_back:], n, m))
                if scale != 1:
                    laws[-1] *= scale
            if scale < SMALLEST_SCALE:
                now *= scale
                scale = 1.0
        return laws

    def _even_start(self, n: int) -> Any:
        """Return the law of X and n - Y for n against n.

        Each axis begins with a margin for the part that the next die moves below 0.
        """
        hit, block, hit_back, block_back = self.most_icons
        even = self._even_law(n)[:, ::-1]  # the least of n - Y first, which is (1 - hit_back) * n
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

    def _even_law(self, count: int) -> Any:
        """Return the law of (X, Y) for equal armies of this size, each axis from its lowest value on."""
        if not self._even:
            return self.mirror._even_law(count).T
        hit, block, hit_back, block_back = self.most_icons
        for _ in range(len(self._even), count + 1):
            law = self._even[-1]
            ours = [(a, block - d, weight) for a, d, weight in self.dice[0].faces]
            theirs = [(block_back - d, a, weight) for a, d, weight in self.dice[1].faces]
            for moves, room in ((ours, (hit, block)), (theirs, (block_back, hit_back))):
                law = _add_die(law, moves, room)
            if not self.exact:
                law /= self.dice[0].total * self.dice[1].total
            self._even.append(law)
        return self._even[count]

    def _with_defender(self, now: Any, after: Any) -> Any:
        """Return the weights with one more defender, in the scratch array `after`.

        Whatever falls below 0 is put at 0.
        """
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


def _count_faces(faces: Faces) -> CountedFaces:
    """Count the equal faces of a die, with the face first that moves least.

    So there is little to clear beside it.
    """
    counts = Counter(faces.faces)
    return CountedFaces(tuple((*face, counts[face]) for face in sorted(counts, key=sum)), len(faces.faces))


def _lump_above(law: Any, axis: int, last: int) -> Any:
    """Return a law with everything from a place on in that place, because more makes no difference any longer."""
    if law.shape[axis] <= last + 1:
        return law
    if axis == 0:
        law[last] += law[last + 1 :].sum(axis=0)
        return law[: last + 1]
    law[:, last] += law[:, last + 1 :].sum(axis=1)
    return law[:, : last + 1]


def _clip_losses(law: Any, n: int, defenders: int) -> Any:
    """Return the law [defenders lost, attackers left] from the law of (X, n - Y)."""
    ways: Any = np.zeros((defenders + 1, n + 1), law.dtype)
    seen = law[: defenders + 1]
    ways[: len(seen)] = seen[:, : n + 1]
    ways[: len(seen), n] += seen[:, n + 1 :].sum(axis=1)
    if len(law) > len(seen):
        beyond = law[defenders + 1 :].sum(axis=0)
        ways[defenders] += beyond[: n + 1]
        ways[defenders, n] += beyond[n + 1 :].sum()
    return ways


def _law_of_leaving(ways: Any) -> tuple[Any, Any]:
    """Return the law of a cell without the outcome that costs nobody a unit, and the sum of the others."""
    leaving = ways.copy()
    leaving[0, -1] = 0
    return leaving, leaving.sum()


def roll_law(faces: Faces, units: int) -> Any:
    """Return the weights of the icons that several dice show together.

    Args:
        faces: The die.
        units: The number of dice.

    Returns:
        An array of whole numbers, [attack icons, defence icons].
    """
    (hit, block), die = faces.most_icons, _count_faces(faces)
    law: Any = np.ones((1, 1), object)
    for _ in range(units):
        law = _add_die(law, die.faces, (hit, block))
    return law


def _add_die(law: Any, moves: Iterable[tuple[int, int, int]], room: tuple[int, int]) -> Any:
    """Return a law [x, y] with one more die, whose faces move it by these steps with these weights.

    `room` is the largest step on each axis.
    """
    grown: Any = np.zeros((law.shape[0] + room[0], law.shape[1] + room[1]), law.dtype)
    for x, y, weight in moves:
        grown[x : x + law.shape[0], y : y + law.shape[1]] += law if weight == 1 else law * weight
    return grown
