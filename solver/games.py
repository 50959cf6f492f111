"""The registry of games: one line for each; it finds the game of a battle, and of a question as a JSON document.

Dice are the last: they refuse documents that no other game claims.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from solver.axis.game import AXIS
from solver.axis.units import Rules
from solver.conquest.game import CONQUEST
from solver.dice.game import DICE
from solver.documents import check_nulls
from solver.errors import BattleError
from solver.game import Game, Question
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


def read_question(
    document: Mapping[str, Any], rules: Mapping[str, Rules] | None = None, games: Iterable[Game] = GAMES
) -> Question:
    """Read what a document asks.

    Args:
        document: The fields of a battle, and perhaps a `question`; without one the odds are asked for. The page
            docs/api.md lists all questions.
        rules: The editions of Axis & Allies by the name of their game.
        games: The games that may be meant, in the order in which they are asked.

    Returns:
        The question, which `Question.work` answers.

    Raises:
        BattleError: The document is wrong; the error names the field.

    Example:
        >>> round(read_question({"game": "risk", "attackers": 3, "defenders": 2}).work()["attacker_wins"], 3)
        0.656
    """
    check_nulls(document)
    fields = {name: value for name, value in document.items() if name != "question"}
    for game in games:
        if game.ask and (question := game.ask(dict(fields), document.get("question", "odds"), rules or {})):
            return question
    raise BattleError("game", "no game has this name")
