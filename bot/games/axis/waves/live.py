"""A live battle of several waves in words, and the check before it begins."""

from collections.abc import Sequence

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.live import words as army_live
from bot.games.axis.writing import units_text
from bot.games.live import LiveStage
from bot.languages import _
from bot.work.engine import Engine
from solver.axis.battle import AxisBattle
from solver.axis.live.throws import AxisThrow
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.waves import Waves, add_units


def left_text(fight: WavesFight) -> str:
    """Say who is left in which wave: "Wave 2 of 3: 4 arm against 2 inf"."""
    waves, units = len(fight.waves.battles), army_live.left_text(fight.fight)
    return _("Wave {place} of {waves}: {units}", place=fight.wave + 1, waves=waves, units=units)


def outcome(fight: WavesFight, _rounds: int) -> str:
    """Say how the waves ended."""
    army, won = fight.fight, fight.ended == "won"
    there = [add_units(here, gone) for here, gone in zip(army.left, army.gone, strict=True)]
    there[0] = add_units(there[0], dict(fight.holder.fleet))
    units = [units_text(counts, editions()[army.battle.rules.key]) or _("nobody") for counts in there]
    alive = list(map(bool, there))
    if fight.ended == "nobody":
        # Planes hold no sea by themselves, nor do submarines that have submerged.
        if alive[0]:
            return _("Nobody holds it in the end, {units} left", units=units[0])
        return _("Nobody is left in the end")
    # Each wave has an attacker of its own, who may be of the first defender's side.
    side = 0 if won == (fight.side == 0) else 1
    if not alive[side]:
        return (
            _("It ends up empty; the attacker still owns it")
            if won
            else _("It ends up empty; the defender still owns it")
        )
    if won:
        return _("Attacker holds it in the end with {units} left", units=units[side])
    return _("Defender holds it in the end with {units} left", units=units[side])


def hopes(_waves: Waves) -> tuple[str, str]:
    """Say what the defender and the attacker hope for."""
    return _("defender in the end"), _("attacker in the end")


def faces_hint(fight: WavesFight) -> str:
    """Say in which order the dice of the wave are typed."""
    return army_live.faces_hint(fight.fight)


def win_text(_fight: WavesFight, chance: str, begins: bool) -> str:
    """Say how likely the attacker holds the territory in the end."""
    if begins:
        return _("Attacker holds it in the end: {chance}", chance=chance)
    return _("attacker holds it in the end: {chance}", chance=chance)


def rows(stages: Sequence[LiveStage[WavesFight, AxisThrow]]) -> tuple[str, ...]:
    """Return the table: every volley, where each wave begins, and after each round who is left and the chance."""
    lines: list[str] = []
    wave = -1
    for place, stage in enumerate(stages):
        fight = stage.fight
        lines += army_live.move_rows(stage, fight.fight.battle.rules.key) if place else []
        lines += [_("wave {place}: no roll", place=skipped + 1) for skipped in range(wave + 1, fight.wave)]
        lines += [] if fight.wave == wave else [_("wave {place}", place=fight.wave + 1)]
        lines += army_live.left_rows(fight.fight, stage) if fight.resting else []
        wave = fight.wave
    return tuple(lines)


async def check_length(_engine: Engine, battle: AxisBattle | Waves) -> None:
    """Raise UserError if a plan looks ahead to later waves: live battles cannot follow it."""
    if isinstance(battle, Waves) and battle.look_ahead:
        raise UserError(_("I can't follow `lookahead` plans roll by roll. Leave out `lookahead`."))
