"""The different values of an array of whole numbers, and which of them stands where."""

import numpy as np
import numpy.typing as npt

SPARSE = 8
"""A table is faster than sorting for numbers that are on average no further apart than this."""


def unique_inverse(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the different values of an array of whole numbers, and the place of each element among them.

    It does what `numpy.unique` does with `return_inverse`, but avoids sorting if the values are close together.

    Args:
        codes: Whole numbers, of any shape.

    Returns:
        The different values in ascending order, and for each element the place of its value.
    """
    least, most = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    if most - least > SPARSE * (codes.size + 1000):
        found, which = np.unique(codes, return_inverse=True)
        return found, which.reshape(codes.shape)
    seen = np.zeros(most - least + 1, bool)
    seen[codes - least] = True
    found = np.flatnonzero(seen)
    place = np.zeros(len(seen), np.int64)
    place[found] = np.arange(len(found))
    return found + least, place[codes - least]
