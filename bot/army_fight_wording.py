"""A live battle of Axis & Allies in words: every die of every volley, who is left, how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from bot.army_wording import only_bombards
from bot.editions import editions
from bot.languages import N_, _, _n, _p
from bot.matchup.armies_writing import told_units
from bot.narrow import GLUE, folded, glued
from bot.wording import certain
from solver.axis_fights import AxisFight, Volley
from solver.play import Die
from solver.waves_fights import WavesFight

FIRING = {"guns": (N_("guns"), N_("guns")), "strike": (N_("subs"), N_("subs")), "fire": (N_("att"), N_("def"))}
"""What stands before the dice of a volley, the attacker's and the defender's."""
MOST_DICE_SHOWN = 12
"""More dice of one kind than this are told by how many show each face."""
LONGEST_GROUP = 26
"""Dice that need the same to hit stay on one line up to so many letters."""


def left(fight: AxisFight) -> str:
    """Who is left in the fight: "3 inf 1 arm against 2 inf"; in brackets those who have left it alive."""
    ours, theirs = _sides(fight)
    return _("{attackers} against {defenders}", attackers=ours, defenders=theirs)


def outcome(fight: AxisFight) -> str:
    """How it ended, in words."""
    ours, theirs = _sides(fight, together=True)
    land = fight.battle.theatre == "land"
    if fight.ended == "won" and land:
        return _("Attacker takes it with {attackers} left", attackers=ours)
    if fight.ended == "won":
        return _("Attacker wins with {attackers} left", attackers=ours)
    if fight.ended == "lost":
        return _("Defender holds with {defenders} left", defenders=theirs)
    if fight.ended == "nobody" and only_bombards(fight.battle):
        ours = told_units(dict(fight.battle.attacker.units), editions()[fight.battle.rules.key])
        return _("Attacker clears it but can't take it, {attackers} left", attackers=ours)
    if fight.ended == "nobody":
        return _("Both sides are wiped out")
    if fight.ended == "cleared":
        return _("Attacker clears it but can't take it, {attackers} left", attackers=ours)
    if not fight.rounds and fight.ended != "deadlock":
        return _("No attack is made")
    after = _n("after {n} round", "after {n} rounds", fight.rounds)
    both = _("{attackers} against {defenders}", attackers=ours, defenders=theirs)
    if fight.ended == "deadlock":
        return _("Stalemate {after}, {left} left", after=after, left=both)
    return _("Attack called off {after}, {left} left", after=after, left=both)


def waves_left(fight: WavesFight) -> str:
    """The same of several waves: "Wave 2 of 3: 4 arm against 2 inf"."""
    waves, units = len(fight.waves.battles), left(fight.fight)
    return _("Wave {place} of {waves}: {units}", place=fight.wave + 1, waves=waves, units=units)


def waves_outcome(fight: WavesFight) -> str:
    """How several waves ended, in words."""
    army, won = fight.fight, fight.ended == "won"
    units = _sides(army, together=True)
    alive = [bool(here or gone) for here, gone in zip(army.left, army.gone, strict=True)]
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


def volley(throw: Volley, real: bool) -> Iterator[str]:
    """The rows of a throw: the dice of each side by what they need to hit, and its hits."""
    number = f"{throw.number}{'*' if real else ''}"
    width = max(len(_(name)) for names in FIRING.values() for name in names) + 1
    for side, dice in enumerate((throw.attack, throw.defence)):
        if dice or throw.hits[side]:
            name, hits = _(FIRING[throw.stage][side]), _n("{n} hit", "{n} hits", throw.hits[side])
            first = f"{f'{number} ':<3}{name:<{width}}"
            yield from folded(f"{_dice(dice, throw.needs[side])} {glued(f'→ {hits}')}", first, " " * len(first))
            number = ""


def state(fight: AxisFight, chance: float | None) -> list[str]:
    """The row of who is left, with the chance to win from there; in several lines where it is too long for one."""
    ours, theirs = _sides(fight)
    told = _p("short", "{attackers} v {defenders}", attackers=ours, defenders=theirs)
    return folded(f"{told}{'' if chance is None else f'  {glued(certain(chance))}'}", " " * 3, " " * 5)


def _dice(dice: Sequence[Die], needs: Sequence[int]) -> str:
    """Dice by what they need: "@3 1 4  @1 5 1 6" are two that hit at 3 and below, and three that hit at 1."""
    groups = groupby(zip(needs, dice, strict=True), key=lambda pair: pair[0])
    told = (f"@{need}{GLUE}{_faces([die.face for _need, die in some])}" for need, some in groups)
    return "  ".join(glued(group) if len(group) <= LONGEST_GROUP else group for group in told) or "–"


def _faces(faces: Sequence[int]) -> str:
    """Faces as they fell, or of many dice how often each did: "4×1 3×2 7×6"."""
    if len(faces) <= MOST_DICE_SHOWN:
        return " ".join(map(str, faces))
    return " ".join(f"{count}×{face}" for face, count in sorted(Counter(faces).items()))


def _sides(fight: AxisFight, together: bool = False) -> list[str]:
    """The units of both sides, those gone from the fight in brackets, or all `together`."""
    edition = editions()[fight.battle.rules.key]
    told = []
    for here, gone in zip(fight.left, fight.gone, strict=True):
        if together:
            told.append(told_units(_added(here, gone), edition) or _("nobody"))
        else:
            away = f"({told_units(gone, edition)})" if gone else ""
            told.append(" ".join(filter(None, [told_units(here, edition), away])) or _("nobody"))
    return told


def _added(some: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    return {name: some.get(name, 0) + others.get(name, 0) for name in {**some, **others}}
