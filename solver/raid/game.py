"""The entry of bombing raids in the registry of games, and the question about them in JSON documents."""

from collections.abc import Mapping
from typing import Any

from solver.axis.units import Rules
from solver.game import Game, Question, QuestionKind
from solver.raid.fight import RaidFight
from solver.raid.raid import Raid
from solver.raid.solve import solve_raid


def read_raid_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Rules]) -> Question | None:
    """Read the question "bombing", what a raid does and costs: see `Game`."""
    game = document.get("game")
    if kind != "bombing" or not isinstance(game, str) or game not in rules:
        return None
    return Question(BOMBING, Raid.from_dict(document, rules[game]))


def _find_odds(raid: Raid) -> dict[str, Any]:
    return solve_raid(raid).to_dict()


BOMBING = QuestionKind("bombing", _find_odds)
RAID = Game("raid", Raid, ask=read_raid_question, begin=RaidFight.begin)
