"""A good plan where there are too many to try them all: a tree on the map that is improved step by step.

In the tree every target hangs on the territory that it is attacked from. A front takes all that hangs on its place, in
the best order; after a capture, all that hangs on the captured territory is taken onward from there. Only how many
armies move in depends on the survivors.
"""

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from random import Random

import numpy as np

from solver.chain import Grid, Mask
from solver.conquest.board import Board, Sets, members
from solver.conquest.fronts import Decision, Law, Numbers
from solver.conquest.phase import SAME, TIE
from solver.conquest.plan import ArmedFront

MOST_ORDERED = 5
"""If more targets hang on one place, they are attacked from the smallest garrison to the largest."""
TREE_WORK = 2_000_000_000
"""The work to look for a better tree, about in multiplications: one or two seconds."""
TRIES, WALKS, PATIENCE = 3, 40, 30
"""So many trees are improved. Each is the best of so many walks. It is done after so many vain changes per target."""


@dataclass(frozen=True)
class _Tree:
    """A tree, or one for each start.

    Attributes:
        parent: The place that each target hangs on.
        worths: The worth of the front at each place with all that hangs there, by its armies, as far as it is known.
    """

    parent: dict[int, int]
    worths: dict[int, Grid]

    def children(self, place: int) -> list[int]:
        """Return the targets that hang on a place."""
        return [target for target, parent in self.parent.items() if parent == place]

    def below(self, place: int) -> int:
        """Return the set of all targets that hang on a place, over any number of steps."""
        return reduce(or_, (1 << child | self.below(child) for child in self.children(place)), 0)

    def upward(self, place: int) -> list[int]:
        """Return a place and all places that it hangs on."""
        way = [place]
        while way[-1] in self.parent:
            way.append(self.parent[way[-1]])
        return way


class TreePlans:
    """Plans that follow a tree.

    Args:
        board: The map.
        laws: The law of an attack on each target, for as many attackers as any start has.
        bound: A worth that no plan exceeds; a tree that reaches it need not be improved.
    """

    def __init__(self, board: Board, laws: list[Law], bound: float) -> None:
        """Look for a good tree; which one depends on nothing but the conquest."""
        self._board, self._laws = board, laws
        self._most = len(laws[0]) - 1
        self._adds = board.conquest.aim != "all"
        self._spent, self._enough = 0, bound * (1 - SAME)
        self._starts = board.acting
        random = Random(0)
        trees = [self._improve(self._grow(random), random, number + 1) for number in range(TRIES)]
        self._tree = max(trees, key=self._worth)
        self.worth = self._worth(self._tree)

    @property
    def roots(self) -> list[ArmedFront]:
        """The fronts at the beginning; none if the aim cannot be reached."""
        if not self.worth:
            return []
        return [ArmedFront(start, self._tree.below(start), self._board.armies(start)) for start in self._starts]

    def decide(self, place: int, targets: int) -> Decision:
        """Return what a front does: see `Fronts.decide`."""
        hanging = sum(1 << child for child in self._tree.children(place)) & targets
        tables = self._tables(self._tree, place)
        attacks, highest = np.full(self._most + 1, -1), np.zeros(self._most + 1)
        onward: dict[int, Sets] = {}
        moving: dict[int, Numbers] = {}
        for child in self._choices(hanging, len(self._tree.children(place))):
            ahead = self._tree.worths[child][self._free(child)]
            moving[child] = self._divide(ahead, tables[hanging & ~(1 << child)]).argmax(axis=1)
            onward[child] = np.full(self._most + 1, self._tree.below(child))
            worth = self._attack(child, ahead, tables[hanging & ~(1 << child)])
            better = worth > highest * (1 + TIE)
            attacks[better], highest[better] = child, worth[better]
        return Decision(tables[hanging], attacks, onward, moving)

    # The worth of a tree --------------------------------------------------------------------------------

    def _worth(self, tree: _Tree) -> float:
        """Return the worth of a tree."""
        if not self._adds and len(tree.parent) < self._board.targets:
            return 0.0
        worths = [float(self._front(tree, start)[self._board.armies(start)]) for start in self._starts]
        return float(sum(worths) if self._adds else np.prod(worths))

    def _front(self, tree: _Tree, place: int) -> Grid:
        """Return the worth of the front at a place, with all that hangs there."""
        if place not in tree.worths:
            whole = sum(1 << child for child in tree.children(place))
            tree.worths[place] = self._tables(tree, place)[whole]
        return tree.worths[place]

    def _tables(self, tree: _Tree, place: int) -> dict[int, Grid]:
        """Return the worth of the front at a place for each part of the targets that hang there and may be left."""
        children = sorted(tree.children(place), key=self._strength)
        ahead = {child: self._front(tree, child)[self._free(child)] for child in children}
        tables = {0: np.zeros(self._most + 1) if self._adds else np.ones(self._most + 1)}
        if len(children) > MOST_ORDERED:
            rest = 0
            for child in reversed(children):
                tables[rest | 1 << child] = self._attack(child, ahead[child], tables[rest])
                rest |= 1 << child
            return tables
        for number in range(1, 1 << len(children)):
            part = sum(1 << children[bit] for bit in members(number))
            worths = [self._attack(child, ahead[child], tables[part & ~(1 << child)]) for child in members(part)]
            tables[part] = np.max(worths, axis=0)
        return tables

    def _choices(self, hanging: int, children: int) -> list[int]:
        """Return the targets that may be attacked next."""
        choices = list(members(hanging))
        return sorted(choices, key=self._strength)[:1] if children > MOST_ORDERED else choices

    def _strength(self, target: int) -> tuple[int, int]:
        """Return the garrison of a target, with its number, which decides between equals."""
        return self._board.conquest.targets[target].garrison, target

    def _attack(self, target: int, ahead: Grid, behind: Grid) -> Grid:
        """Return the worth of an attack by its armies.

        `ahead` is the worth of going on from the target, by the armies that move in, `behind` that of the front that
        stays, by its armies.
        """
        self._spent += 40_000 + 6 * self._most**2
        best = self._divide(ahead, behind).max(axis=1)
        worth: Grid = self._laws[target] @ (best + self._board.conquest.targets[target].worth if self._adds else best)
        return worth

    def _divide(self, ahead: Grid, behind: Grid) -> Grid:
        """Return the worth of each division, by survivors and by the armies that move in; below 0 if impossible."""
        staying = behind[self._staying]
        worth = staying + ahead if self._adds else staying * ahead
        worth[self._impossible] = -1.0
        return worth

    @cached_property
    def _staying(self) -> Numbers:
        """The number of armies that stay, by survivors and by the armies that move in."""
        return np.asarray(np.maximum(np.arange(self._most + 1)[:, None] - np.arange(self._most + 1), 0))

    @cached_property
    def _impossible(self) -> Mask:
        """Whether a division breaks the rules, by the same: more move in than are left, or fewer than must."""
        left, moved = np.arange(self._most + 1)[:, None], np.arange(self._most + 1)
        return np.asarray((moved > left) | (moved < np.minimum(left, self._board.conquest.most_dice)))

    def _free(self, target: int) -> Numbers:
        """Return how many armies are free in a target, by the number that moves in."""
        return np.asarray(np.maximum(np.arange(self._most + 1) - self._board.conquest.targets[target].leave, 0))

    # Looking for a better tree ---------------------------------------------------------------------------

    def _grow(self, random: Random) -> _Tree:
        """Return a first tree: of several, the one that splits armies least."""
        return max((self._walk(random) for _ in range(WALKS)), key=_count_inner)

    def _walk(self, random: Random) -> _Tree:
        """Return a tree in which the strongest start walks on, first to targets that have few ways left."""
        parent: dict[int, int] = {}
        left = (1 << self._board.targets) - 1
        walks = {start: [start] for start in self._starts}
        strength = {start: self._board.armies(start) for start in self._starts}
        while walks:
            start = max(walks, key=strength.__getitem__)
            near = list(members(self._board.adjacent[walks[start][-1]] & left))
            if near:
                random.shuffle(near)
                target = min(near, key=lambda place: (self._board.adjacent[place] & left).bit_count())
                parent[target] = walks[start][-1]
                left &= ~(1 << target)
                walks[start].append(target)
                strength[start] -= self._board.conquest.targets[target].garrison + 1
            elif len(walks[start]) > 1:
                walks[start].pop()
            else:
                del walks[start]
        return _Tree(parent, {})

    def _improve(self, tree: _Tree, random: Random, share: int) -> _Tree:
        """Hang parts of a tree elsewhere as long as that helps now and then, and there is work left."""
        score, failed = self._score(tree), 0
        targets = list(tree.parent)
        while targets and score[0] < self._enough and failed < PATIENCE * len(targets):
            failed += 1
            other = self._rehang(tree, random.choice(targets), random)
            if other and (changed := self._score(other)) >= score:
                failed = 0 if changed > score else failed
                tree, score = other, changed
            if self._spent > TREE_WORK * share / TRIES:
                break
        return tree

    def _score(self, tree: _Tree) -> tuple[float, int]:
        """Return how good a tree is: its worth, and among equals how seldom it splits armies."""
        return self._worth(tree), _count_inner(tree)

    def _rehang(self, tree: _Tree, target: int, random: Random) -> _Tree | None:
        """Return the tree with the part below a target hung on another place, by any of its targets."""
        part = 1 << target | tree.below(target)
        top = random.choice(list(members(part)))
        places = [*self._starts, *(target for target in tree.parent if not part >> target & 1)]
        places = [place for place in places if self._board.adjacent[place] >> top & 1]
        if not places:
            return None
        place = random.choice(places)
        if top == target and place == tree.parent[target]:
            return None
        changed = {*tree.upward(top), *tree.upward(place)}
        parent = dict(tree.parent)
        # The way from the target down to its new top is turned round.
        way = tree.upward(top)
        for child in way[: way.index(target)]:
            parent[tree.parent[child]] = child
        parent[top] = place
        return _Tree(parent, {front: worth for front, worth in tree.worths.items() if front not in changed})


def _count_inner(tree: _Tree) -> int:
    """Count the places on which targets hang: the more, the fewer armies stay behind."""
    return len(set(tree.parent.values()))
