"""The registry of games: one line for each; it finds the game of a battle.

A game is loaded when something is asked of it. Dice are the last: they refuse documents that no other game claims.
"""

from typing import Any

from solver.game import Game
from solver.late import LateModule

CONQUEST: Game = LateModule("solver.conquest.game").CONQUEST
HOLDING: Game = LateModule("solver.conquest.game").HOLDING
PATH: Game = LateModule("solver.path.game").PATH
AXIS: Game = LateModule("solver.axis.game").AXIS
RAID: Game = LateModule("solver.raid.game").RAID
PLACING: Game = LateModule("solver.placing.game").PLACING
DICE: Game = LateModule("solver.dice.game").DICE

GAMES = (CONQUEST, HOLDING, PATH, AXIS, RAID, PLACING, DICE)
OF_EDITIONS = AXIS, RAID, PLACING
"""The games whose documents name an edition of Axis & Allies as their game."""


def game_of(battle: Any) -> Game:
    """Return the game of a battle.

    Args:
        battle: A battle of one of the games.

    Raises:
        TypeError: No game has battles of this type.
    """
    for game in GAMES:
        if isinstance(battle, game.battle_type):
            return game
    raise TypeError(f"no game has battles of the type {type(battle).__name__}")
