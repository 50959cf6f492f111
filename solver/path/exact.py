"""The chance to take every territory of a path as a fraction."""

from fractions import Fraction

from solver.dice.exact import worth_fought_out
from solver.path.path import Path


def takes_all(path: Path) -> Fraction:
    """Return the exact chance to take every territory of a path.

    Args:
        path: The path.

    Raises:
        TooLargeError: The path takes too much work, or the fraction is too long.

    Example:
        >>> from solver.dice.battle import Battle
        >>> takes_all(Path.of([Battle(2, 1), Battle(2, 1)], leave=[1]))
        Fraction(625, 2592)
    """
    chains = [leg.chain() for leg in path.legs]
    pays = [Fraction(0), *[Fraction(1)] * chains[-1].acting]
    for chain, stay in zip(chains[::-1], (*path.leave, 0)[::-1], strict=True):
        # The attackers left in this territory go on to the next one without the garrison.
        pays = worth_fought_out(chain, [Fraction(0), *(pays[max(a - stay, 0)] for a in range(1, chain.acting + 1))])
    return pays[-1]
