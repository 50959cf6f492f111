"""The end of a battle with dice, or of a path, that somebody tells: "lost 4" for four defenders left."""

import re

import numpy as np
import numpy.typing as npt

from bot.errors import UserError
from bot.languages import _, _n
from bot.words.numbers import exactness
from bot.words.result import Result
from solver import Battle, Odds
from solver.path.odds import PathOdds
from solver.path.path import Path

LEFT = re.compile(r"(?:with )?(\d{1,9})(?: left)?")


def find_result(_battle: Battle, odds: Odds, won: bool, left: str) -> Result:
    """Return the ends with so many armies of the winner left."""
    names = _("attackers left"), _("defenders left")
    if odds.unresolved:
        names = _("attackers ahead"), _("defenders ahead")
    result = _armies_result(odds, (odds.defenders_end == 0) & (odds.attackers_end > 0), won, left)
    # The attacker is on the left, as in the picture of the odds.
    return result._replace(sureness=exactness(odds.error), amounts=-odds.worth, names=names)


def find_path_result(_path: Path, odds: PathOdds, won: bool, left: str) -> Result:
    """Return the ends with so many armies of the winner left in the last territory that was fought for."""
    return _armies_result(odds, odds.taken == odds.legs, won, left)


def _armies_result(odds: Odds | PathOdds, wins: npt.NDArray[np.bool_], won: bool, left: str) -> Result:
    match = LEFT.fullmatch(left)
    if left and not match:
        raise UserError(_("After `won` or `lost`, type how many armies the winner had left: `12 9 lost 4`."))
    matches = wins if won else ~wins
    words: list[str] = [_("attacker won") if won else _("attacker lost")]
    if match:
        count = int(match[1])
        matches = matches & ((odds.attackers_end if won else odds.defenders_end) == count)
        if won:
            words.append(_n("{n} attacker left", "{n} attackers left", count))
        else:
            words.append(_n("{n} defender left", "{n} defenders left", count))
    winners = np.where(wins, 0, np.where((odds.defenders_end > 0) & (odds.attackers_end == 0), 1, 2))
    return Result(", ".join(words), won, matches, odds.worth, winners, odds.chances, _("exact"))
