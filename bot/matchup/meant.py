"""What a dice line says, and what of it is meant though it does not say it: its game, and who stays behind."""

from typing import Any, NamedTuple

from bot.languages import _, _n
from bot.matchup.habits import unsaid
from bot.matchup.mistakes import MatchupError
from bot.matchup.writing import usual
from bot.words import CLASSIC
from solver.battle import MOST_ARMIES
from solver.ships import SHIPS

OWN_GAME = {f"{side}{word}" for side in ("", "a", "d") for word in (*SHIPS, "icons")}
"""Words that tell the game: a line that has one is not in the game that is usual where it is typed."""


class Field(NamedTuple):
    """One thing the line says about the battle, and where; `kept` if it comes from a saved set-up."""

    value: Any
    start: int
    end: int
    kept: bool = False


Fields = dict[str, Field]
"""What a line says, by the names of the solver's documents: "attackers", "attack.bombers", "stop"."""


def in_usual_game(line: str, legs: list[Fields]) -> list[Fields]:
    """What a line says, in the game that is usual where it is typed, unless a word tells another."""
    told = any(key.rpartition(".")[2] in OWN_GAME for fields in legs for key in fields)
    if unsaid().game != CLASSIC and not told and "variant" not in legs[0]:
        legs[0]["variant"] = Field(unsaid().game, 0, len(line), kept=True)
    return legs


def staying(line: str, legs: list[Fields], lone: str) -> tuple[int, tuple[str, ...]]:
    """Take from the attackers those who stay behind: how many these are, and what is to be said of that.

    The line says how many, or it is as usual where a number is typed; a lone one that tells only a size has nobody.
    """
    ours, given = legs[0].get("attackers"), legs[0].pop("behind", None)
    counted = not (ours and ours.kept) and not (lone == "attackers" and "defenders" not in legs[0])
    behind = given.value if given else unsaid().behind * (counted and not _with_icons(legs))
    if not ours or not behind:
        return behind, ()
    if ours.value < behind:
        reason = _("An army of {attackers} can't leave {behind} behind.", attackers=ours.value, behind=behind)
        raise MatchupError(line, *(given or ours)[1:3], reason)
    if ours.value - behind > MOST_ARMIES:
        return behind, ()  # It is refused as it was typed.
    legs[0]["attackers"] = ours._replace(value=ours.value - behind)
    told = _n(
        "{n} of the {attackers} stays behind.", "{n} of the {attackers} stay behind.", behind, attackers=ours.value
    )
    return behind, (told,)


def _with_icons(legs: list[Fields]) -> bool:
    """Whether somebody rolls icon dice, for whom armies are not counted so."""
    packs = (fields["variant"].value for fields in legs if "variant" in fields)
    return any(key.endswith(".icons") for fields in legs for key in fields) or any(usual(pack).faces for pack in packs)
