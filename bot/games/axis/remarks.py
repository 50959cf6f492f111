"""Remarks about a battle of Axis & Allies, of one wave."""

from collections.abc import Iterator

from bot.editions import editions
from bot.games.axis.writing import units_text
from bot.languages import N_, _
from bot.notation.remarks import round_remarks
from solver.axis.battle import AxisBattle

CRASHES = {"crash": "crash_stranded_fighters", "acrash": "crash_attacking_fighters"}
"""The fields that the options about planes without room set."""
_CRASHES = {
    "crash": N_("`crash`: the defender loses planes without room on a carrier at the end."),
    "acrash": N_("`acrash`: the attacker loses planes without room on a carrier at the end."),
}


def battle_remarks(battle: AxisBattle) -> Iterator[str]:
    """Say whose planes crash, and explain a limit of rounds that may be meant otherwise."""
    for word, field in CRASHES.items():
        if getattr(battle, field):
            yield idle_on_land(word) if battle.theatre == "land" else _(_CRASHES[word])
    if battle.kamikaze:
        ships = units_text(dict(battle.kamikaze), editions()[battle.rules.key])
        yield _("`kamikaze`: aimed at {ships} before the battle; each attack hits with 2 or less.", ships=ships)
    yield from round_remarks([battle.round_limit])


def idle_on_land(word: str) -> str:
    """Say that an option makes no difference on land."""
    return _("`{word}` makes no difference on land.", word=word)
