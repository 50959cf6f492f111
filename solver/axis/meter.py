"""A meter of the work that a computation takes, for limits on large battles."""

from dataclasses import dataclass
from math import inf

from solver.errors import TooLargeError
from solver.progress import Progress, tell


@dataclass
class Meter:
    """The work done for a computation, about in multiplications.

    Attributes:
        most: The most work that may be done.
        done: The work done so far.
    """

    most: float = inf
    done: float = 0.0

    def add(self, work: float) -> None:
        """Count some work before it is done.

        Args:
            work: How much.

        Raises:
            TooLargeError: If that is more than `most` in all.
        """
        self.done += work
        if self.done > self.most:
            raise TooLargeError("units", "this battle takes more work than is allowed")
        if self.most < inf:
            tell(Progress(self.done / self.most))
