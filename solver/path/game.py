"""The entry of paths in the registry of games, and the question for their odds in JSON documents."""

from collections.abc import Mapping
from typing import Any

from solver.documents import quotient, read_exact
from solver.errors import BattleError
from solver.game import Game, OddsDetails, Question, QuestionKind
from solver.path.fight import PathFight, path_chances, path_percentile
from solver.path.path import Path, march, takes_all


def read_path_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read a question for the odds of a path: see `Game`."""
    game = document.get("game")
    if kind != "odds" or "path" not in document or (isinstance(game, str) and game in rules):
        return None
    details = OddsDetails(read_exact(document))
    if "defenders" in document:
        raise BattleError("defenders", "put the defenders of a path in `path`")
    return Question(ODDS, Path.from_dict(document), details)


def _odds_to_dict(path: Path, details: OddsDetails) -> dict[str, Any]:
    return march(path).to_dict() | ({"takes_all_exact": quotient(takes_all(path))} if details.exact else {})


ODDS = QuestionKind("odds", _odds_to_dict)

PATH = Game(
    "path", Path, ask=read_path_question, begin=PathFight.begin, chances=path_chances, percentile=path_percentile
)
