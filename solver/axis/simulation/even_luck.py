"""The luck of simulated battles: a number from 0 to 1 for each throw of each battle, shared out evenly.

Before each round the battles are put in order by who is ahead; chance orders those that are equally far ahead, anew
each time. Neighbours in that order are alike, so their luck must differ: together they get numbers that lie evenly
between 0 and 1, as the points of a net of Sobol' do. The luck of each single battle is as random as that of dice. But
their shares are much nearer to the truth than those of battles that know nothing of each other. P. L'Ecuyer, C. Lécot
and B. Tuffin describe this as array-RQMC.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from solver.axis.kernel.forces import Nodes
from solver.chain import Chances

THROWS = 8
"""The coordinates of the points: as many as a round has throws, two strikes of submarines, then three groups of dice of
each side."""
DIRECTIONS = ((1, 0, (1,)), (2, 1, (1, 3)), (3, 1, (1, 3, 1)), (3, 2, (1, 1, 1)), (4, 1, (1, 1, 3, 3)),
              (4, 4, (1, 3, 5, 13)), (5, 2, (1, 1, 5, 5, 17)))  # fmt: skip
"""The primitive polynomials and first direction numbers of Sobol's points after the first, by S. Joe and F. Y. Kuo."""
BITS = 32

Points = npt.NDArray[np.uint32]
Moment = tuple[int, ...]
"""When dice fall: 0 and the step of the opening, or 1 and the number of rounds fought."""


class EvenLuck:
    """The luck of battles that are rolled together.

    A second plan that uses the same luck meets the same numbers, battle by battle, as long as it lasts.

    Attributes:
        generator: It rolls dice for which there are no numbers.

    Args:
        battles: How many battles.
        seed: Where the luck comes from.
    """

    def __init__(self, battles: int, seed: np.random.SeedSequence) -> None:
        self._points = sobol_points(battles)
        self._seed = seed
        self.generator = np.random.default_rng(np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 2)))
        self._ahead = np.zeros(battles)
        self._places: dict[Moment, Points] = {}
        self._shifts: dict[Moment, Points] = {}

    def begin(self, moment: Moment, battles: Nodes, ahead: Chances) -> None:
        """Put the battles in order before the throws of a moment, unless another plan has done so.

        Args:
            moment: The moment.
            battles: The battles that are not over.
            ahead: How far the attacker is ahead in each of them.
        """
        if moment in self._places:
            return
        # Those that are over keep their places between the others.
        self._ahead[battles] = ahead
        places = np.empty(len(self._ahead), np.uint32)
        seed = np.random.SeedSequence(self._seed.entropy, spawn_key=(*self._seed.spawn_key, *moment))
        generator = np.random.default_rng(seed)
        # Random bits for each throw; with them every point is as likely as any other.
        self._shifts[moment] = generator.integers(2**BITS, size=THROWS, dtype=np.uint32)
        shuffled = generator.permutation(len(places))
        order = shuffled[np.argsort(self._ahead[shuffled], kind="stable")]
        places[order] = np.arange(len(places), dtype=np.uint32)
        self._places[moment] = places

    @property
    def moments(self) -> int:
        """The number of moments of the longest battle so far."""
        return len(self._places)

    def numbers(self, moment: Moment, throw: int, battles: Nodes) -> Chances:
        """Return the luck of some battles in a throw: evenly distributed from 0 to 1, without 1.

        Args:
            moment: The moment, which has begun.
            throw: The number of the throw in it, below `THROWS`.
            battles: The battles.
        """
        points = self._points[throw][self._places[moment][battles]]
        return np.asarray(((points ^ self._shifts[moment][throw]) + 0.5) / 2.0**BITS)


@lru_cache(2)
def sobol_points(count: int) -> Points:
    """Return the first points of Sobol's sequence, times 2**32: [throw, point].

    Args:
        count: How many points.
    """
    digits = np.arange(max(count - 1, 1).bit_length(), dtype=np.uint32)
    bits = (np.arange(count, dtype=np.uint32)[:, None] >> digits) & 1
    points = np.zeros((THROWS, count), np.uint32)
    for throw in range(THROWS):
        for place, direction in enumerate(_direction_numbers(throw)[: bits.shape[1]]):
            points[throw] ^= bits[:, place] * np.uint32(direction << (BITS - 1 - place))
    return points


def _direction_numbers(throw: int) -> list[int]:
    """The direction numbers of one coordinate of Sobol's points."""
    if not throw:
        return [1] * BITS
    degree, polynomial, first = DIRECTIONS[throw - 1]
    numbers = list(first)
    for place in range(degree, BITS):
        new = numbers[place - degree] ^ (numbers[place - degree] << degree)
        for step in range(1, degree):
            if polynomial >> (degree - 1 - step) & 1:
                new ^= numbers[place - step] << step
        numbers.append(new)
    return numbers
