"""The questions of JSON documents about battles with dice, and the answers as documents."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from solver.dice.advice import Advice, advice
from solver.dice.battle import ATTACK, DEFENCE, GAMES, Battle
from solver.dice.documents import read_faces, read_fleet, read_pool
from solver.dice.exact import attacker_wins
from solver.dice.faces import Faces
from solver.dice.large_need import find_need
from solver.dice.odds import Odds, solve
from solver.dice.pools import Pool
from solver.dice.rolls import MOST_ICON_UNITS, icon_weights, roll_weights, round_law
from solver.dice.sizes import ArmySide, Need, check_goal, stop_for_ends, win_chances, worth_going_on
from solver.documents import clamp_chance, clamp_chances, quotient, read_part, take_flag
from solver.ends import ends_to_dict, take_ranges
from solver.errors import BattleError, check_choice, check_count, quoted
from solver.game import OddsDetails, Question, QuestionKind

MOST_TABLE_CELLS = 250_000
MOST_ADVISED = 160_000
MOST_CUT = 200
MOST_ROWS = 100
"""The most rounds, or plans, that are listed; of more, only the first."""
OVER = 1e-9
"""No more rounds are listed once no more than this share of all battles goes on."""


@dataclass(frozen=True, slots=True)
class NeedDetails:
    """The side whose armies are counted, the chance to be reached, and a number of armies to show the chance of."""

    side: ArmySide
    goal: float
    own: int


@dataclass(frozen=True, slots=True)
class RollDetails:
    """The dice of one side, and how many units roll them."""

    dice: Pool | Faces
    units: int


def read_dice_question(document: dict[str, Any], kind: Any, rules: Mapping[str, Any]) -> Question | None:
    """Read a question about dice: see `Game`. It refuses documents of games that nobody knows.

    "odds": how a battle ends. "round": what one round costs. "roll": how often a side rolls what. "table": the chance
    to win of all sizes up to the battle's. "need": how many armies reach a `chance`. "advice": whether fewer dice are
    better. "rounds": what is left after each round. "stops": what stopping earlier changes.
    """
    game = document.get("game")
    if kind in ("odds", "need") and "path" in document:
        return None
    check_choice("game", game, (*GAMES, *rules), "the game must be one of {known}, not {value}")
    readers = {"odds": _odds, "round": _round, "roll": _roll, "table": _table, "need": _need, "advice": _advice}
    readers |= {kind.name: partial(_cut, kind) for kind in (ROUNDS, STOPS)}
    check_choice("question", kind, tuple(readers), "the question must be one of {known}, not {value}")
    return readers[kind](document)


def need_to_dict(needed: Need) -> dict[str, Any]:
    """Return how many armies are needed as a JSON document.

    Args:
        needed: The answer; "limited" is true if larger armies could not be tried.
    """
    lists = {"counts": list(needed.counts), "chances": clamp_chances(needed.chances)}
    return {"answer": needed.answer, "limited": needed.limited, **lists, "error": needed.error}


def _odds(document: dict[str, Any]) -> Question:
    details = OddsDetails(take_flag(document, "exact"), take_ranges(document))
    return Question(ODDS, Battle.from_dict(document), details)


def _odds_to_dict(battle: Battle, details: OddsDetails) -> dict[str, Any]:
    odds = solve(battle)
    answer = odds.to_dict() | ends_to_dict(details.ends, odds.count, odds.chances)
    if battle.value is not None:
        answer["worth_going_on"] = list(worth_going_on(battle))
    if details.exact:
        answer["attacker_wins_exact"] = quotient(attacker_wins(battle))
    return answer


def _round(document: dict[str, Any]) -> Question:
    """Read a question about a round. Without numbers of armies, both sides roll all their dice."""
    if document.get("game") == "risk":
        for side, usual, count in (("attack", ATTACK, "attackers"), ("defence", DEFENCE, "defenders")):
            document.setdefault(count, read_part(side, partial(read_pool, document.get(side, {}), usual)).units)
    return Question(ROUND, Battle.from_dict(document))


def _losses_to_dict(battle: Battle) -> dict[str, Any]:
    return {"losses": [[*lost, quotient(chance)] for lost, chance in round_law(battle).items()]}


def _roll(document: dict[str, Any]) -> Question:
    game, units = document.pop("game", None), document.pop("units", None)
    dice: Pool | Faces
    if game == "icons":
        dice, _other = read_faces(document)
        maximum = MOST_ICON_UNITS
    else:
        if game == "starwars":
            pool, ships = read_fleet(document, Pool((6,) * max(units if type(units) is int and units < 7 else 3, 1)))
            dice = ships.arm(pool)
        elif game == "risk":
            dice = read_pool(document, ATTACK)
        else:
            raise BattleError("game", "the game must be risk, starwars or icons, not {value}", value=quoted(game))
        maximum = dice.units
        units = maximum if units is None else units
    check_count("units", units, 1, maximum, "the number of units that roll must be {least} to {most}, not {value}")
    return Question(ROLL, None, RollDetails(dice, units))


def _weights_to_dict(_battle: None, details: RollDetails) -> dict[str, Any]:
    dice, units = details.dice, details.units
    weights = icon_weights(dice, units) if isinstance(dice, Faces) else roll_weights(dice, units)
    return {"weights": [[list(values), weight] for values, weight in weights.items()], "total": sum(weights.values())}


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
    own, ranges = document.setdefault(side, 0), take_ranges(document)
    battle = Battle.from_dict(document)
    if ranges:
        stopped = stop_for_ends(battle, ranges) if side == "attackers" else None
        if stopped is None:
            raise BattleError("ends", "this question only takes the least that the attacker has left")
        battle = stopped
    return Question(NEED, battle, NeedDetails(side, goal, own))


def _find_need(battle: Battle, details: NeedDetails) -> dict[str, Any]:
    return need_to_dict(find_need(battle, details.side, details.goal, details.own))


def _advice(document: dict[str, Any]) -> Question:
    battle = Battle.from_dict(document)
    if battle.chain().cells > MOST_ADVISED:
        raise BattleError("attackers", "advice works up to {most} sizes, such as 399 against 399", most=MOST_ADVISED)
    return Question(ADVICE, battle)


def _advice_to_dict(battle: Battle) -> dict[str, Any]:
    return dict(zip(("attacker", "defender"), map(_side_to_dict, advice(battle)), strict=True))


def _side_to_dict(side: Advice | None) -> dict[str, Any] | None:
    if side is None:
        return None
    chances = {"best": clamp_chance(side.best), "usual": clamp_chance(side.usual)}
    return {"dice": side.dice, "most": side.most, **chances}


def _cut(kind: QuestionKind, document: dict[str, Any]) -> Question:
    """Read a question about a battle that is cut short, of which several are solved."""
    battle = Battle.from_dict(document)
    if battle.attackers + battle.defenders > MOST_CUT:
        raise BattleError("attackers", "this question works for up to {most} armies in all", most=MOST_CUT)
    return Question(kind, battle)


def rounds_to_dict(battle: Battle) -> dict[str, Any]:
    """Return what is left after each round, and the chances that the battle is over and won by then.

    Args:
        battle: The battle.

    Raises:
        BattleError: Cut short, it has other plans or odds.
    """
    if battle.value is not None or battle.late or battle.reshape:
        raise BattleError("question", "`value`, `late` and `reshape` don't work round by round")
    return {"rounds": [[number, *row] for number, row in enumerate(_by_rounds(battle), start=1)]}


def _by_rounds(battle: Battle) -> Iterator[list[float]]:
    most = MOST_ROWS if battle.rounds is None else min(battle.rounds, MOST_ROWS)
    for rounds in range(1, most + 1):
        odds = solve(replace(battle, rounds=rounds))
        going = odds.unresolved + odds.never
        yield [*_left(odds), clamp_chance(1 - going), clamp_chance(odds.attacker_wins)]
        if going <= OVER:
            return


def stops_to_dict(battle: Battle) -> dict[str, Any]:
    """Return what is left, and the chance to win, if the attacker stops with 0, 1, 2, ... armies.

    Args:
        battle: The battle; its own `stop` and `value` do not count.
    """
    plain = replace(battle, value=None)
    odds = (solve(replace(plain, stop=stop)) for stop in range(min(max(battle.attackers, 1), MOST_ROWS)))
    return {"stops": [[stop, *_left(of), clamp_chance(of.attacker_wins)] for stop, of in enumerate(odds)]}


def _left(odds: Odds) -> tuple[float, float]:
    return odds.attackers_left, odds.defenders_left


ODDS = QuestionKind("odds", _odds_to_dict)
ROUND = QuestionKind("round", _losses_to_dict)
ROLL = QuestionKind("roll", _weights_to_dict)
TABLE = QuestionKind("table", _table_to_dict)
NEED = QuestionKind("need", _find_need)
ADVICE = QuestionKind("advice", _advice_to_dict)
ROUNDS = QuestionKind("rounds", rounds_to_dict)
STOPS = QuestionKind("stops", stops_to_dict)
