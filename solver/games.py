"""The registry of games: one line for each; it finds the game of a battle.

Dice are the last: they refuse documents that no other game claims.
"""

from typing import Any

from solver.axis.game import AXIS
from solver.conquest.game import CONQUEST
from solver.dice.game import DICE
from solver.game import Game
from solver.path.game import PATH
from solver.placing.game import PLACING
from solver.raid.game import RAID

GAMES: tuple[Game, ...] = (CONQUEST, PATH, AXIS, RAID, PLACING, DICE)


def game_of(battle: Any, games: tuple[Game, ...] = GAMES) -> Game:
    """Return the game of a battle.

    Args:
        battle: A battle of one of the games.
        games: The games to look through.

    Raises:
        TypeError: No game has battles of this type.
    """
    for game in games:
        if isinstance(battle, game.battle_type):
            return game
    raise TypeError(f"no game has battles of the type {type(battle).__name__}")
