"""A live battle of Axis & Allies in words: every die of every volley, who is left, how it ended."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.live.losses import choice_text
from bot.games.axis.options import WORDS
from bot.games.axis.outcomes import FATES, SUCCESS, only_bombards
from bot.games.axis.writing import units_text
from bot.games.live import LiveStage, text_without_dice, usual_round_name
from bot.languages import N_, _, _n, _p
from bot.words.narrow import GLUE, fold, unbroken
from bot.words.numbers import exact_percent
from bot.work.engine import Engine
from solver.axis.live.choices import AnyFight, wave_of
from solver.axis.live.fight import AxisFight
from solver.axis.live.throws import AxisThrow
from solver.axis.solve import MOST_SECONDS, army_seconds
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.steps import waves_seconds
from solver.axis.waves.units import add_units
from solver.axis.waves.waves import Waves
from solver.game import Die

FIRING = {
    "guns": (N_("guns"), N_("guns")),
    "air": (N_("air"), N_("air")),
    "bombard": (N_("navy"), N_("navy")),
    "kamikaze": (N_("kami"), N_("kami")),
    "strike": (N_("subs"), N_("subs")),
    "fire": (N_("att"), N_("def")),
}
"""The marks before the dice of a volley, the attacker's and the defender's."""
MOST_DICE_SHOWN = 12
"""Of more dice of one kind than this the table counts how many show each face."""
LONGEST_GROUP = 26
"""Dice that need the same to hit stay on one line up to so many letters."""


def left_text(fight: AnyFight) -> str:
    """Say who is left: "3 inf 1 arm against 2 inf"; of several waves also in which."""
    ours, theirs = sides(wave_of(fight))
    units = _("{attackers} against {defenders}", attackers=ours, defenders=theirs)
    if isinstance(fight, AxisFight):
        return units
    return _("Wave {place} of {waves}: {units}", place=fight.wave + 1, waves=len(fight.waves.battles), units=units)


def outcome(fight: AnyFight, _rounds: int) -> str:
    """Say how the battle ended."""
    if isinstance(fight, WavesFight):
        return _end_of_waves(fight)
    ours, theirs = sides(fight, together=True)
    both = _("{attackers} against {defenders}", attackers=ours, defenders=theirs)
    land, ended = fight.battle.theatre == "land", fight.ended
    if ended == "won":
        text = N_("Attacker takes it with {attackers} left") if land else N_("Attacker wins with {attackers} left")
        return _(text, attackers=ours)
    if ended == "lost":
        return _("Defender holds with {defenders} left", defenders=theirs)
    if ended == "nobody" and not only_bombards(fight.battle):
        return _("Both sides are wiped out")
    if ended == "cleared" and not land and fight.gone[1]:
        return _("Defender submerged, {left} left", left=both)
    if ended in ("cleared", "nobody"):
        if ended == "nobody":
            ours = units_text(dict(fight.battle.attacker.units), editions()[fight.battle.rules.key])
        return _("Attacker clears it but can't take it, {attackers} left", attackers=ours)
    if not fight.rounds and ended != "deadlock":
        return _("No attack is made")
    text = N_("Stalemate {after}, {left} left") if ended == "deadlock" else N_("Attack called off {after}, {left} left")
    return _(text, after=_n("after {n} round", "after {n} rounds", fight.rounds), left=both)


def _end_of_waves(fight: WavesFight) -> str:
    """Say how several waves ended."""
    wave, won = fight.fight, fight.ended == "won"
    there = [add_units(here, gone) for here, gone in zip(wave.left, wave.gone, strict=True)]
    there[0] = add_units(there[0], dict(fight.holder.fleet))
    units = [units_text(counts, editions()[wave.battle.rules.key]) for counts in there]
    if fight.ended == "nobody":
        # Planes hold no sea by themselves, nor do submarines that have submerged.
        text = N_("Nobody holds it in the end, {units} left") if units[0] else N_("Nobody is left in the end")
        return _(text, units=units[0])
    # Each wave has an attacker of its own, who may be of the first defender's side.
    left = units[won != (fight.side == 0)]
    if won:
        text = N_("Attacker holds it in the end with {units} left")
        return _(text, units=left) if left else _("It ends up empty; the attacker still owns it")
    text = N_("Defender holds it in the end with {units} left")
    return _(text, units=left) if left else _("It ends up empty; the defender still owns it")


def faces_hint(fight: AnyFight) -> str:
    """Say in which order dice are typed that are aimed at kinds of units or draw them, "" if there is one order."""
    wave = wave_of(fight)
    edition = editions()[wave.battle.rules.key]
    if planes := wave.planes_to_draw:
        return _(
            "then for each hit the number of a plane that is left, of {planes}", planes=units_text(planes, edition)
        )
    short = edition.short
    groups = [_("{number} against {unit}", number=number, unit=short[kind]) for kind, number in wave.aims]
    return _("in this order: {groups}", groups=", ".join(groups)) if len(groups) > 1 else ""


def win_text(fight: AnyFight, chance: str, begins: bool) -> str:
    """Say how likely the attacker wins: on land, takes the territory; of several waves, holds it in the end."""
    texts = SUCCESS[wave_of(fight).battle.theatre, isinstance(fight, WavesFight)]
    return _(texts.headline if begins else texts.chance, chance=chance)


def ending(waves: Waves, ended: str | None) -> str | None:
    """Say in a list how a battle ended; None for the usual words."""
    first, *later = waves.battles
    if ended == "won" and (later or first.theatre == "land"):
        return _("attacker holds it") if later else _("attacker took it")
    return _(FATES["submerged"]) if ended == "cleared" and first.theatre == "sea" else None


def hopes(waves: Waves) -> tuple[str, str]:
    """Say what the defender and the attacker hope for: on land the attacker must take the territory."""
    first, *later = waves.battles
    if later:
        return _("defender in the end"), _("attacker in the end")
    wins = _p("short", "attacker takes it") if first.theatre == "land" else _p("short", "attacker wins")
    return _p("short", "defender holds"), wins


async def check_length(_engine: Engine, waves: Waves) -> None:
    """Raise UserError if a plan looks ahead to later waves: live battles cannot follow it."""
    if waves.look_ahead:
        raise UserError(_("I can't follow `lookahead` plans roll by roll. Leave out `lookahead`."))


def seconds(waves: Waves) -> float:
    """Estimate how many seconds of a processor the chances after a press take."""
    if not waves.only:
        return waves_seconds(waves)
    return min((waves.only.round_limit or 1) * army_seconds(waves.only), MOST_SECONDS)


def rows(stages: Sequence[LiveStage[Any, AxisThrow]]) -> tuple[str, ...]:
    """Return the table: every volley and choice, and after each round who is left and the chance to win.

    Of several waves it says where each begins.
    """
    lines: list[str] = []
    wave = -1
    for place, stage in enumerate(stages):
        fight = wave_of(stage.fight)
        lines += move_rows(stage, fight.battle.rules.key) if place else []
        lines += leaving_rows(wave_of(stages[place - 1].fight), stage) if place else []
        if isinstance(stage.fight, WavesFight):
            lines += [_("wave {place}: no roll", place=skipped + 1) for skipped in range(wave + 1, stage.fight.wave)]
            lines += [] if stage.fight.wave == wave else [_("wave {place}", place=stage.fight.wave + 1)]
            wave = stage.fight.wave
        lines += left_rows(fight, stage) if fight.resting else []
    return tuple(lines)


def move_rows(stage: LiveStage[Any, AxisThrow], key: str) -> list[str]:
    """Return the rows of the volley, the choice of losses or the retreat that led to a stage.

    `key` is that of the edition.
    """
    if stage.choice is not None:
        return fold(choice_text(stage.fight, stage.choice), " " * 3, " " * 5)
    if stage.throw is None:
        return [f"   {text_without_dice(stage)}"]
    # Dice are aimed at kinds of units only where there are several.
    aims, short = stage.throw.aims, editions()[key].short
    targets = [short[kind] for kind, number in aims for _die in range(number)] if len(aims) > 1 else []
    drawn = f": {units_text(stage.throw.lost[0], editions()[key])}" if 0 in stage.throw.needs[1] else ""
    return list(_volley_rows(stage.throw, stage.real, targets, drawn))


def leaving_rows(before: AxisFight, stage: LiveStage[Any, AxisThrow]) -> list[str]:
    """Return the row of a defender who leaves after a volley or a choice of losses, with the words that say when."""
    rule = WORDS["dretreat"].write([before.battle])
    after = before
    if rule and stage.throw:
        # The fight behind the stage may be that of the next wave, so the volley is thrown again.
        faces = iter([face for die in (*stage.throw.attack, *stage.throw.defence) for face in die.faces])
        _throw, after = before.throw(lambda _sides: next(faces))
    elif rule and stage.choice is not None:
        after = before.choose(stage.choice)
    if after.gone[1] == before.gone[1]:
        return []
    return fold(_("the defender leaves (`{words}`)", words=rule), " " * 3, " " * 5)


def round_name(fight: AnyFight, throw: AxisThrow, _number: int) -> str:
    """Name a round by the number in front of its dice; of several waves also its wave."""
    if isinstance(fight, WavesFight):
        return _("wave {wave}, round {number}", wave=fight.wave + 1, number=throw.number)
    return usual_round_name(fight, throw, throw.number)


def left_rows(fight: AxisFight, stage: LiveStage[Any, AxisThrow]) -> list[str]:
    """Return the row of who is left in a battle, with the chance to win from there; several where it is too long."""
    ours, theirs = sides(fight)
    units = _p("short", "{attackers} v {defenders}", attackers=ours, defenders=theirs)
    chance = "" if stage.fight.ended or stage.chance is None else f"  {unbroken(exact_percent(stage.chance))}"
    return fold(f"{units}{chance}", " " * 3, " " * 5)


def _volley_rows(throw: AxisThrow, real: bool, targets: Sequence[str], drawn: str) -> Iterator[str]:
    """Yield the rows of a throw: the dice of each side by what they need to hit and their targets, and its hits.

    Behind the hits stand the planes that guns have `drawn`, ": 1 bom".
    """
    number = f"{throw.number}{'*' if real else ''}"
    width = max(len(_(name)) for names in FIRING.values() for name in names) + 1
    for side, dice in enumerate((throw.attack, throw.defence)):
        if dice or throw.hits[side]:
            name, hits = _(FIRING[throw.stage][side]), _n("{n} hit", "{n} hits", throw.hits[side])
            first = f"{f'{number} ':<3}{name:<{width}}"
            yield from fold(
                f"{_dice(dice, throw.needs[side], targets)} {unbroken(f'→ {hits}{drawn}')}", first, " " * len(first)
            )
            number = ""


def _dice(dice: Sequence[Die], needs: Sequence[int], targets: Sequence[str]) -> str:
    """Return dice by what they need: "@3 1 4  @1 5 1 6" are two that hit at 3 and below, and three that hit at 1.

    With targets it names those: "fig @1 3 4  bom @1 1". Dice that draw a plane for a hit need nothing: "plane 2".
    """
    heads = [f"@{need}" if need else _("plane") for need in needs]
    if len(targets) == len(dice):
        heads = [f"{target}{GLUE}{head}" for target, head in zip(targets, heads, strict=True)]
    alike = groupby(zip(heads, dice, strict=True), key=lambda pair: pair[0])
    groups = (f"{head}{GLUE}{_faces([_die_text(die) for _head, die in some])}" for head, some in alike)
    return "  ".join(unbroken(group) if len(group) <= LONGEST_GROUP else group for group in groups) or "–"


def _die_text(die: Die) -> str:
    """Return the face of a die, or both of two dice of which the better counts: "2/5"."""
    return "/".join(map(str, die.faces)) if die.lowest else str(die.face)


def _faces(faces: Sequence[str]) -> str:
    """Return faces as they fell, or of many dice how often each did: "4×1 3×2 7×6"."""
    if len(faces) <= MOST_DICE_SHOWN:
        return " ".join(faces)
    return " ".join(f"{count}×{face}" for face, count in sorted(Counter(faces).items()))


def sides(fight: AxisFight, together: bool = False) -> list[str]:
    """Return the units of both sides; those gone from the battle are in brackets, or among the others if `together`."""
    edition = editions()[fight.battle.rules.key]
    texts = []
    for here, gone in zip(fight.left, fight.gone, strict=True):
        if together:
            texts.append(units_text(add_units(here, gone), edition) or _("nobody"))
        else:
            away = f"({units_text(gone, edition)})" if gone else ""
            texts.append(" ".join(filter(None, [units_text(here, edition), away])) or _("nobody"))
    return texts
