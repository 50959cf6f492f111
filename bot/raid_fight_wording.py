"""A live bombing raid in words: the flak, the bombs, what they did and what that is worth."""

from bot.editions import editions
from bot.languages import _, _n
from bot.narrow import folded, glued
from bot.wording import gained
from solver.fights import Throw
from solver.raid_fights import Bombs, RaidFight


def left(fight: RaidFight) -> str:
    """Who is left: "4 bom on their way"."""
    return _("{bombers} on their way", bombers=_bombers(fight))


def outcome(fight: RaidFight) -> str:
    """How it ended, in words."""
    if fight.ended == "retreat":
        return _("Raid called off")
    lost = fight.raid.bombers - fight.bombers
    money = fight.damage - lost * fight.raid.bomber.cost
    damage = _("Factory damage {n}", n=fight.damage)
    bombers = _n("{n} bomber lost", "{n} bombers lost", lost) if lost else _("no bombers lost")
    return f"{damage}, {bombers}: {_('{amount} IPC', amount=gained(money))}"


def rows(throw: Throw | None, real: bool) -> list[str]:
    """The lines of a throw: what the flak rolled, or what the bombs did."""
    if not isinstance(throw, Bombs):
        return [_("retreat")]
    names = _("flak"), _("bombs")
    flak, bombs = (f"{name}{'*' if real else ''}".ljust(max(map(len, names)) + 1) for name in names)
    dice = " ".join(str(die.face) for die in throw.defence)
    if throw.needs:
        lost = glued(f"→ {_('{bombers} lost', bombers=throw.lost)}")
        return folded(f"@{throw.needs[0]} {dice} {lost}", flak, " " * len(flak))
    total = glued(f"= {sum(throw.values)}")
    return folded(f"{' '.join(map(str, throw.values))} {total}", bombs, " " * len(bombs))


def _bombers(fight: RaidFight) -> str:
    return f"{fight.bombers} {editions()[fight.raid.rules.key].short[fight.raid.bomber.name]}"
