"""A live bombing raid in words: the flak, the bombs, what they did and what that is worth."""

from gettext import ngettext

from bot.editions import editions
from bot.wording import gained
from solver.fights import Throw
from solver.raid_fights import Bombs, RaidFight


def left(fight: RaidFight) -> str:
    """Who is left: "4 bom on their way"."""
    return f"{_bombers(fight)} on their way"


def outcome(fight: RaidFight) -> str:
    """How it ended, in words."""
    if fight.ended == "retreat":
        return "The raid is not flown"
    lost = fight.raid.bombers - fight.bombers
    money = fight.damage - lost * fight.raid.bomber.cost
    points = f"{fight.damage} {ngettext('point', 'points', fight.damage)} of damage"
    return f"{points}, {lost or 'no'} {ngettext('bomber', 'bombers', lost)} lost: {gained(money)} IPC"


def row(throw: Throw | None, real: bool) -> str:
    """The row of a throw: what the flak rolled, or what the bombs did."""
    if not isinstance(throw, Bombs):
        return "retreat"
    star = "*" if real else " "
    dice = " ".join(str(die.face) for die in throw.defence)
    if throw.needs:
        return f"flak{star} @{throw.needs[0]} {dice} → {throw.lost} lost"
    return f"bombs{star}{' '.join(map(str, throw.values))} = {sum(throw.values)}"


def _bombers(fight: RaidFight) -> str:
    return f"{fight.bombers} {editions()[fight.raid.rules.key].short[fight.raid.bomber.name]}"
