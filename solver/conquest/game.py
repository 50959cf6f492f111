"""The entry of conquests in the registry of games, and the question about them in JSON documents.

Armies in some territories of a map take others, and split up on the way.
"""

from collections.abc import Mapping
from typing import Any

from solver.conquest.choices import CHOICES, UNIT, conquest_chances
from solver.conquest.conquest import Conquest
from solver.conquest.fight import ConquestFight
from solver.conquest.odds import ConquestOdds, conquer
from solver.errors import BattleError, quoted
from solver.game import Game, Question, QuestionKind


def read_conquest_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read the question "conquer", how to take territories on a map: see `Game`."""
    if kind != "conquer":
        return None
    game = document.get("game")
    if isinstance(game, str) and game in rules:
        raise BattleError("game", "a conquest needs a game with dice, such as risk, not {value}", value=quoted(game))
    return Question(CONQUER, Conquest.from_dict(document))


def _find_within(conquest: Conquest, limit: int) -> ConquestOdds:
    return conquer(conquest, UNIT * limit)


def _odds_to_dict(_conquest: Conquest, odds: ConquestOdds) -> dict[str, Any]:
    return odds.to_dict()


CONQUER = QuestionKind("conquer", conquer, _odds_to_dict, _find_within)
CONQUEST = Game(
    "conquest",
    Conquest,
    ask=read_conquest_question,
    begin=ConquestFight.begin,
    chances=conquest_chances,
    choices=CHOICES,
)
