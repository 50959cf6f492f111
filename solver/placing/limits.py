"""The best placements of units within a limit of work."""

from solver.axis.limits import TIMES
from solver.errors import TooLargeError, explain_too_large
from solver.placing.placements import Placements, place
from solver.placing.placing import Placing


def placements_within(placing: Placing, most: int) -> Placements:
    """Return the best placements of units: see `place`.

    Args:
        placing: The units and the territories.
        most: The limit, in the unit of `Meter`; up to `TIMES` as much work is done.

    Raises:
        TooLargeError: It is more work.
    """
    error = TooLargeError(
        "units", "there are too many placements to try them all; use up to 25 units against 20 in each territory"
    )
    with explain_too_large(error):
        return place(placing, TIMES * most)
