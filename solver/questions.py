"""Questions as JSON documents: finds the game that a document is about."""

from collections.abc import Iterable, Mapping
from typing import Any

from solver.axis.units import Rules
from solver.documents import check_nulls
from solver.errors import BattleError
from solver.game import Game, Question
from solver.games import GAMES, OF_EDITIONS


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
    known, name = rules or {}, document.get("game")
    in_edition = isinstance(name, str) and name in known
    for game in games:
        if (game in OF_EDITIONS) != in_edition or not game.ask:
            continue
        if question := game.ask(dict(fields), document.get("question", "odds"), known):
            return question
    raise BattleError("game", "no game has this name")
