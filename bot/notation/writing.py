"""The canonical line of a battle of any game."""

from typing import Any

from bot.games.base import Rooms

AnyBattle = Any
"""A battle of any game."""


def write(rooms: Rooms, battle: AnyBattle) -> str:
    """Write the canonical line of a battle: pasted anywhere, it means that battle again."""
    return rooms.of(battle).notation.write(battle)
