"""What JSON documents may ask about battles with dice, and the answers as documents."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from solver.dice.advice import Advice, advice
from solver.dice.battle import ATTACK, DEFENCE, GAMES, Battle
from solver.dice.documents import read_faces, read_fleet, read_pool
from solver.dice.exact import attacker_wins
from solver.dice.odds import solve
from solver.dice.pools import Pool
from solver.dice.rolls import MOST_ICON_UNITS, icon_weights, roll_weights, round_law
from solver.dice.sizes import MOST_NEEDED, ArmySide, Need, check_goal, need, win_chances, worth_going_on
from solver.documents import clamp_chance, clamp_chances, quotient, read_exact, read_part
from solver.errors import BattleError, check_count, quoted
from solver.game import Question, QuestionKind

MOST_TABLE_CELLS = 250_000
MOST_ADVISED = 160_000


class NeedAsked(NamedTuple):
    """The side whose armies are counted, the chance to be reached, and a number of armies to show the chance of."""

    side: ArmySide
    goal: float
    own: int


def read_dice_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read a question about dice: see `Game`. It refuses documents of games that nobody knows.

    "odds": how a battle ends. "round": what one round costs. "roll": how often a side rolls what. "table": the chance
    to win of all sizes up to the battle's. "need": how many armies reach a `chance`. "advice": whether fewer dice are
    better.
    """
    game = document.get("game")
    if (isinstance(game, str) and game in rules) or (kind == "odds" and "path" in document):
        return None
    if not isinstance(game, str) or game not in GAMES:
        known = ", ".join((*GAMES, *rules))
        raise BattleError("game", "the game must be one of {known}, not {value}", known=known, value=quoted(game))
    readers = {"odds": _odds, "round": _round, "roll": _roll, "table": _table, "need": _need, "advice": _advice}
    if not isinstance(kind, str) or kind not in readers:
        raise BattleError(
            "question", "the question must be one of {known}, not {value}", known=", ".join(readers), value=quoted(kind)
        )
    return readers[kind](document)


def need_to_dict(found: Need) -> dict[str, Any]:
    """Return how many armies are needed as a JSON document.

    Args:
        found: The answer; "limited" is true if larger armies could not be tried.
    """
    lists = {"counts": list(found.counts), "chances": clamp_chances(found.chances)}
    return {"answer": found.answer, "limited": found.limited, **lists, "error": found.error}


def _odds(document: dict[str, Any]) -> Question:
    exact = read_exact(document)
    battle = Battle.from_dict(document)
    return Question(ODDS, battle, exact)


def _odds_to_dict(battle: Battle, exact: bool) -> dict[str, Any]:
    answer = solve(battle).to_dict()
    if battle.value is not None:
        answer["worth_going_on"] = list(worth_going_on(battle))
    if exact:
        answer["attacker_wins_exact"] = quotient(attacker_wins(battle))
    return answer


def _round(document: dict[str, Any]) -> Question:
    """Read a question about a round. Without numbers of armies, both sides roll all their dice."""
    if document.get("game") == "risk":
        for side, usual, count in (("attack", ATTACK, "attackers"), ("defence", DEFENCE, "defenders")):
            document.setdefault(count, len(read_part(side, partial(read_pool, document.get(side, {}), usual)).dice))
    battle = Battle.from_dict(document)
    return Question(ROUND, battle)


def _losses_to_dict(battle: Battle) -> dict[str, Any]:
    law = round_law(battle)
    return {"losses": [[*lost, quotient(chance)] for lost, chance in law.items()]}


def _roll(document: dict[str, Any]) -> Question:
    game = document.pop("game", None)
    units = document.pop("units", None)
    if game == "icons":
        faces, _other = read_faces(document)
        check_count(
            "units", units, 1, MOST_ICON_UNITS, "the number of units that roll must be {least} to {most}, not {value}"
        )
        return Question(ROLL, None, partial(icon_weights, faces, units))
    if game == "starwars":
        pool, ships = read_fleet(document, Pool((6,) * max(units if type(units) is int and units < 7 else 3, 1)))
        pool = ships.arm(pool)
    elif game == "risk":
        pool = read_pool(document, ATTACK)
    else:
        raise BattleError("game", "the game must be risk, starwars or icons, not {value}", value=quoted(game))
    units = len(pool.dice) if units is None else units
    check_count(
        "units", units, 1, len(pool.dice), "the number of units that roll must be {least} to {most}, not {value}"
    )
    return Question(ROLL, None, partial(roll_weights, pool, units))


def _weights_to_dict(_battle: None, work: Callable[[], dict[tuple[int, ...], int]]) -> dict[str, Any]:
    weights = work()
    return {
        "weights": [[list(values), weight] for values, weight in weights.items()],
        "total": sum(weights.values()),
    }


def _table(document: dict[str, Any]) -> Question:
    battle = Battle.from_dict(document)
    if battle.attackers * battle.defenders > MOST_TABLE_CELLS:
        raise BattleError("attackers", "a table can have up to {most} numbers", most=MOST_TABLE_CELLS)
    return Question(TABLE, battle)


def _table_to_dict(battle: Battle) -> dict[str, Any]:
    chances = win_chances(battle, battle.attackers, battle.defenders)[1:, 1:]
    return {"attacker_wins": [clamp_chances(row) for row in chances]}


def _need(document: dict[str, Any]) -> Question:
    """Read a question about the armies that are needed; the number of that side may be missing."""
    goal = document.pop("chance", 0.8)
    check_goal(goal)
    side = document.pop("side", "attackers")
    if side not in ("attackers", "defenders"):
        raise BattleError("side", "the side must be attackers or defenders, not {value}", value=quoted(side))
    own = document.setdefault(side, 0)
    battle = Battle.from_dict(document)
    return Question(NEED, battle, NeedAsked(side, goal, own))


def _find_need(battle: Battle, asked: NeedAsked) -> dict[str, Any]:
    return need_to_dict(need(battle, asked.side, asked.goal, MOST_NEEDED, asked.own))


def _advice(document: dict[str, Any]) -> Question:
    battle = Battle.from_dict(document)
    if battle.chain().cells > MOST_ADVISED:
        raise BattleError("attackers", "advice works up to {most} sizes, such as 399 against 399", most=MOST_ADVISED)
    return Question(ADVICE, battle)


def _advice_to_dict(battle: Battle) -> dict[str, Any]:
    attacker, defender = advice(battle)
    return {"attacker": _side_to_dict(attacker), "defender": _side_to_dict(defender)}


def _side_to_dict(given: Advice | None) -> dict[str, Any] | None:
    if given is None:
        return None
    chances = {"best": clamp_chance(given.best), "usual": clamp_chance(given.usual)}
    return {"dice": given.dice, "most": given.most, **chances}


ODDS = QuestionKind("odds", _odds_to_dict)
"""Its details say whether the chance is wanted as a fraction too."""
ROUND = QuestionKind("round", _losses_to_dict)
ROLL = QuestionKind("roll", _weights_to_dict)
"""Its details count the ways in which the dice fall."""
TABLE = QuestionKind("table", _table_to_dict)
NEED = QuestionKind("need", _find_need)
ADVICE = QuestionKind("advice", _advice_to_dict)
