"""The defaults of a dice line: its game, and how many attackers stay behind."""

from bot.games.base import Reading
from bot.games.dice.notation.writing import usual_rules
from bot.languages import _, _n
from bot.notation.defaults import NotationDefaults, current_defaults
from bot.notation.lexer import CLASSIC, Fields, ParsedOption
from bot.notation.mistakes import MatchupError
from solver.dice.battle import MOST_ARMIES
from solver.dice.ships import SHIPS

OWN_GAME = {f"{side}{word}" for side in ("", "a", "d") for word in (*SHIPS, "icons")}
"""Words that tell the game: a line that has one is not in the game that is usual where it is typed."""


def in_usual_game(line: str, legs: list[Fields]) -> list[Fields]:
    """Return the options of a line in the game that is usual here, unless a word names another."""
    told = any(key.rpartition(".")[2] in OWN_GAME for fields in legs for key in fields)
    if current_defaults().game != CLASSIC and not told and "variant" not in legs[0]:
        legs[0]["variant"] = ParsedOption(current_defaults().game, 0, len(line), kept=True)
    return legs


def take_garrison(line: str, legs: list[Fields], lone: str) -> tuple[int, tuple[str, ...]]:
    """Take those who stay behind from the attackers; return their number, and the remark about it.

    The line says how many, or it is as usual where a number is typed; a lone one that tells only a size has nobody.
    """
    ours, given = legs[0].get("attackers"), legs[0].pop("behind", None)
    counted = not (ours and ours.kept) and not (lone == "attackers" and "defenders" not in legs[0])
    behind = given.value if given else current_defaults().behind * (counted and not _with_icons(legs))
    if not ours or not behind:
        return behind, ()
    if ours.value < behind:
        reason = _("An army of {attackers} can't leave {behind} behind.", attackers=ours.value, behind=behind)
        raise MatchupError(line, *(given or ours)[1:3], reason)
    if ours.value - behind > MOST_ARMIES:
        return behind, ()  # It is refused as it was typed.
    legs[0]["attackers"] = ours._replace(value=ours.value - behind)
    text = _n(
        "{n} of the {attackers} stays behind.", "{n} of the {attackers} stay behind.", behind, attackers=ours.value
    )
    return behind, (text,)


def _with_icons(legs: list[Fields]) -> bool:
    """Return whether somebody rolls icon dice; their armies have no garrison."""
    packs = (fields["variant"].value for fields in legs if "variant" in fields)
    return any(key.endswith(".icons") for fields in legs for key in fields) or any(
        usual_rules(pack).faces for pack in packs
    )


def stays_behind(reading: Reading, defaults: NotationDefaults) -> int:
    """Return how many of an attacker's number stay behind, as the line or else the place counts."""
    behind: int = reading.details.behind
    return behind or (0 if reading.battle.faces else defaults.behind)
