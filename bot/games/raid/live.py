"""A live bombing raid in words: the air battle, the flak, the bombs, what they did and what that is worth."""

from collections.abc import Sequence
from itertools import chain, groupby
from typing import Any

from bot.games.live import Live, LiveStage, text_without_dice
from bot.games.raid.notation import interceptors_text, planes_text
from bot.languages import N_, _, _n
from bot.words.narrow import fold, unbroken
from bot.words.numbers import signed_tenths
from solver.game import Die
from solver.raid.game import AirThrow, Bombs, RaidFight

ENDINGS: dict[str | None, str] = {"rounds": N_("raid over"), "lost": N_("all bombers lost")}
"""The ends of a raid in lists; the usual words do not fit, as a raid takes no territory."""


def left_text(fight: RaidFight) -> str:
    """Say who is left: "4 bom on their way", or "5 bom 2 fig against 3 fig" before the air battle is over."""
    planes = planes_text(fight.raid, fight.bombers, fight.escorts)
    if fight.air_steps:
        fighters = interceptors_text(fight.raid, fight.interceptors)
        return _("{planes} against {fighters}", planes=planes, fighters=fighters)
    return _("{bombers} on their way", bombers=planes_text(fight.raid, fight.bombers, 0))


def outcome(fight: RaidFight, _rounds: int) -> str:
    """Say how the raid ended."""
    if fight.ended == "retreat":
        return _("Raid called off")
    raid = fight.raid
    escort, interceptor = raid.fighter_prices
    lost, escorts = raid.bombers - fight.bombers, raid.escorts - fight.escorts
    down = raid.interceptors - fight.interceptors
    money = fight.damage + interceptor * down - lost * raid.bomber.cost - escort * escorts
    parts = [_("Damage {n}", n=fight.damage) if raid.target == "base" else _("Factory damage {n}", n=fight.damage)]
    parts.append(_n("{n} bomber lost", "{n} bombers lost", lost) if lost else _("no bombers lost"))
    parts += [_n("{n} escort lost", "{n} escorts lost", escorts)] if escorts else []
    parts += [_n("{n} interceptor shot down", "{n} interceptors shot down", down)] if down else []
    return f"{', '.join(parts)}: {_('{amount} IPC', amount=signed_tenths(money))}"


def rows(stages: Sequence[LiveStage[RaidFight, Bombs | AirThrow]]) -> tuple[str, ...]:
    """Return the table: the air battle, what the flak rolled, and what the bombs did."""
    throws = [
        _throw_rows(stage.throw, stage.real) if stage.throw else [text_without_dice(stage)] for stage in stages[1:]
    ]
    return tuple(chain(_rows_before_dice(stages[0].fight), *throws))


def _rows_before_dice(fight: RaidFight) -> list[str]:
    """Return the steps of the air battle before the first throw, which need no dice with low luck."""
    raid = fight.raid
    lost = raid.bombers - fight.bombers + raid.escorts - fight.escorts
    sides = ((_("planes"), raid.interceptors - fight.interceptors), (_("fighters"), lost))
    return [f"{name} → {_('{bombers} lost', bombers=count)}" for name, count in sides if count]


def _throw_rows(throw: Bombs | AirThrow, real: bool) -> list[str]:
    names = _("flak"), _("bombs"), _("planes"), _("fighters")
    width = max(map(len, names)) + 1
    flak, bombs, planes, fighters = (f"{name}{'*' if real else ''}".ljust(width) for name in names)
    if isinstance(throw, AirThrow):
        ours = _air_row(planes, throw.attack, throw.needs[0], throw.interceptors)
        return ours + _air_row(fighters, throw.defence, throw.needs[1], throw.bombers + throw.escorts)
    dice = " ".join(str(die.face) for die in throw.defence)
    if throw.needs:
        lost = unbroken(f"→ {_('{bombers} lost', bombers=throw.lost)}")
        return fold(f"@{throw.needs[0]} {dice} {lost}", flak, " " * len(flak))
    total = unbroken(f"= {sum(throw.values)}")
    return fold(f"{' '.join(map(str, throw.values))} {total}", bombs, " " * len(bombs))


def _air_row(name: str, dice: Sequence[Die], needs: Sequence[int], lost: int) -> list[str]:
    """Return the dice of one side in the air battle, and the planes that the other side loses; nothing without dice."""
    if not dice and not lost:
        return []
    alike = groupby(zip(needs, dice, strict=True), key=lambda pair: pair[0])
    rolled = "  ".join(f"@{need} {' '.join(str(die.face) for _need, die in some)}" for need, some in alike)
    losses = unbroken(f"→ {_('{bombers} lost', bombers=lost)}")
    return fold(f"{rolled} {losses}".strip(), name, " " * len(name))


def ending(_raid: Any, ended: str | None) -> str | None:
    """Say in a list how a raid ended; None for the usual words."""
    return _(ENDINGS[ended]) if ended in ENDINGS else None


LIVE = Live(left=left_text, outcome=outcome, rows=rows, ending=ending)
