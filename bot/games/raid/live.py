"""A live bombing raid in words: the flak, the bombs, what they did and what that is worth."""

from collections.abc import Sequence
from itertools import chain

from bot.editions import editions
from bot.games.live import Live, LiveStage
from bot.languages import N_, _, _n
from bot.words.narrow import fold, unbroken
from bot.words.numbers import signed_tenths
from solver.raid.fight import Bombs, RaidFight

ENDINGS: dict[str | None, str] = {"rounds": N_("raid over"), "lost": N_("all bombers lost")}
"""The ends of a raid in lists; the usual words do not fit, as a raid takes no territory."""


def left_text(fight: RaidFight) -> str:
    """Say who is left: "4 bom on their way"."""
    return _("{bombers} on their way", bombers=_bombers(fight))


def outcome(fight: RaidFight, _rounds: int) -> str:
    """Say how the raid ended."""
    if fight.ended == "retreat":
        return _("Raid called off")
    lost = fight.raid.bombers - fight.bombers
    money = fight.damage - lost * fight.raid.bomber.cost
    damage = _("Factory damage {n}", n=fight.damage)
    bombers = _n("{n} bomber lost", "{n} bombers lost", lost) if lost else _("no bombers lost")
    return f"{damage}, {bombers}: {_('{amount} IPC', amount=signed_tenths(money))}"


def rows(stages: Sequence[LiveStage[RaidFight, Bombs]]) -> tuple[str, ...]:
    """Return the table: what the flak rolled, and what the bombs did."""
    return tuple(chain.from_iterable(_throw_rows(stage.throw, stage.real) for stage in stages[1:]))


def _throw_rows(throw: Bombs | None, real: bool) -> list[str]:
    if throw is None:
        return [_("retreat")]
    names = _("flak"), _("bombs")
    flak, bombs = (f"{name}{'*' if real else ''}".ljust(max(map(len, names)) + 1) for name in names)
    dice = " ".join(str(die.face) for die in throw.defence)
    if throw.needs:
        lost = unbroken(f"→ {_('{bombers} lost', bombers=throw.lost)}")
        return fold(f"@{throw.needs[0]} {dice} {lost}", flak, " " * len(flak))
    total = unbroken(f"= {sum(throw.values)}")
    return fold(f"{' '.join(map(str, throw.values))} {total}", bombs, " " * len(bombs))


def _bombers(fight: RaidFight) -> str:
    return f"{fight.bombers} {editions()[fight.raid.rules.key].short[fight.raid.bomber.name]}"


def ending(ended: str | None) -> str | None:
    """Say in a list how a raid ended; None for the usual words."""
    return _(ENDINGS[ended]) if ended in ENDINGS else None


LIVE = Live(left=left_text, outcome=outcome, rows=rows, ending=ending)
