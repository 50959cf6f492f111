"""What JSON documents may ask about paths, and the answers as documents."""

from collections.abc import Mapping
from typing import Any

from solver.documents import quotient, read_exact
from solver.errors import BattleError
from solver.game import Question, QuestionKind
from solver.path.exact import takes_all
from solver.path.path import Path, march


def read_path_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read a question for the odds of a path: see `Game`."""
    game = document.get("game")
    if kind != "odds" or "path" not in document or (isinstance(game, str) and game in rules):
        return None
    exact = read_exact(document)
    if "defenders" in document:
        raise BattleError("defenders", "put the defenders of a path in `path`")
    path = Path.from_dict(document)
    return Question(ODDS, path, exact)


def _odds_to_dict(path: Path, exact: bool) -> dict[str, Any]:
    answer = march(path).to_dict()
    if exact:
        answer["takes_all_exact"] = quotient(takes_all(path))
    return answer


ODDS = QuestionKind("odds", _odds_to_dict)
"""Its details say whether the chance is wanted as a fraction too."""
