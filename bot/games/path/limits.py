"""The limits on the size of paths."""

from bot.errors import UserError
from bot.games.dice.limits import Limits
from bot.languages import _
from solver.path.path import Path


def check_march(path: Path, most_work: int) -> None:
    """Raise UserError if a path is too large."""
    for leg in path.legs:
        Limits(most_work).check_size(leg, grid=True)
    if sum(leg.chain().grid_work for leg in path.legs) > most_work:
        raise UserError(_("This path is too large for me. Try a part of it."))
