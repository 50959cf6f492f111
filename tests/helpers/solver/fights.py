"""Live battles of any game, for tests: begun, with their chances and their next dice."""

from collections.abc import Sequence
from math import inf
from typing import Any

from solver.game import DiceToRoll, Fight
from solver.games import GAMES, game_of


def begin(battle: Any) -> Fight:
    """The battle before its first throw."""
    start = game_of(battle).begin
    assert start is not None
    return start(battle)


def chances(fights: Sequence[Fight], most: float = inf) -> list[float | None]:
    """The attacker's chance to win at each of these stages of one battle."""
    (game,) = [game for game in GAMES if game.begin and _battle(fights[0], game.battle_type) is not None]
    return [None] * len(fights) if game.chances is None else game.chances(fights, most)


def next_dice(fight: Fight) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
    """The dice of the next throw of both sides."""
    return fight.next_dice()


def _battle(fight: Fight, kind: Any) -> Any:
    found = [getattr(fight, name) for name in ("path", "waves", "raid", "battle") if hasattr(fight, name)]
    return found[0] if isinstance(found[0], kind) else None
