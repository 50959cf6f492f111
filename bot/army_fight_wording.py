"""A live battle of Axis & Allies in words: every die of every volley, who is left, how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from gettext import ngettext
from itertools import groupby

from bot.editions import editions
from bot.matchup.armies_writing import told_units
from bot.wording import certain
from solver.axis_fights import AxisFight, Volley
from solver.play import Die
from solver.waves_fights import WavesFight

FIRING = {"guns": "guns", "strike": "subs", "fire": "att"}
"""What stands before the dice of a volley, where it is the attacker's, or where only one side fires."""
MOST_DICE_SHOWN = 12
"""More dice of one kind than this are told by how many show each face."""
CUT_SHORT = {
    "stopped": "Attack called off",
    "rounds": "Undecided",
    "deadlock": "Nobody can hit anybody",
    "retreat": "Attacker retreats",
}


def left(fight: AxisFight) -> str:
    """Who is left in the fight: "3 inf 1 arm against 2 inf"; in brackets those who have left it alive."""
    return " against ".join(_sides(fight))


def outcome(fight: AxisFight) -> str:
    """How it ended, in words."""
    ours, theirs = _sides(fight, together=True)
    land = fight.battle.theatre == "land"
    if fight.ended == "won":
        return f"Attacker {'takes it' if land else 'wins'} with {ours} left"
    if fight.ended == "lost":
        return f"Defender holds with {theirs} left"
    if fight.ended == "nobody":
        return "Nobody is left"
    if fight.ended == "cleared":
        return f"Cleared but not taken, {ours} left"
    if not fight.rounds and fight.ended != "deadlock":
        return "The attack is not made"
    fought = f"after {fight.rounds} {ngettext('round', 'rounds', fight.rounds)}"
    return f"{CUT_SHORT[fight.ended or 'rounds']} {fought}, {ours} against {theirs} left"


def waves_left(fight: WavesFight) -> str:
    """The same of several waves: "Wave 2 of 3: 4 arm against 2 inf"."""
    return f"Wave {fight.wave + 1} of {len(fight.waves.battles)}: {left(fight.fight)}"


def waves_outcome(fight: WavesFight) -> str:
    """How several waves ended, in words."""
    if fight.ended == "nobody":
        return "Nobody is left in the end"
    holder = "Attacker" if fight.ended == "won" else "Defender"
    # Each wave has an attacker of its own, who may be of the first defender's side.
    attacked = (fight.ended == "won") == (fight.side == 0)
    return f"{holder} holds it in the end with {_sides(fight.fight, together=True)[0 if attacked else 1]} left"


def volley(throw: Volley, real: bool) -> Iterator[str]:
    """The rows of a throw: the dice of each side by what they need to hit, and its hits."""
    number = f"{throw.number}{'*' if real else ''}"
    told = [(FIRING[throw.stage], 0, throw.attack), (FIRING[throw.stage].replace("att", "def"), 1, throw.defence)]
    for name, side, dice in told:
        if dice or throw.hits[side]:
            hits = f"{throw.hits[side]} {ngettext('hit', 'hits', throw.hits[side])}"
            yield f"{number:<3}{name:<5}{_dice(dice, throw.needs[side])} → {hits}"
            number = ""


def state(fight: AxisFight, chance: float | None) -> str:
    """The row of who is left, with the chance to win from there."""
    return f"   {' v '.join(_sides(fight))}{'' if chance is None else f'  {certain(chance)}'}"


def _dice(dice: Sequence[Die], needs: Sequence[int]) -> str:
    """Dice by what they need: "@3 1 4  @1 5 1 6" are two that hit at 3 and below, and three that hit at 1."""
    groups = groupby(zip(needs, dice, strict=True), key=lambda pair: pair[0])
    return "  ".join(f"@{need} {_faces([die.face for _, die in some])}" for need, some in groups) or "–"


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
            told.append(told_units(_added(here, gone), edition) or "nobody")
        else:
            away = f"({told_units(gone, edition)})" if gone else ""
            told.append(" ".join(filter(None, [told_units(here, edition), away])) or "nobody")
    return told


def _added(some: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    return {name: some.get(name, 0) + others.get(name, 0) for name in {**some, **others}}
