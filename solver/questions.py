"""Questions as JSON documents: what may be asked besides the odds of a battle, and the answers as documents."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from solver.advice import Advice, advice
from solver.axis import AxisBattle
from solver.axis_matters import Change, matters
from solver.axis_needs import Armies, Army, Goal, best_armies
from solver.axis_odds import DROPPED, AxisOdds, solve_axis
from solver.axis_orders import best_orders, told_orders
from solver.battle import ATTACK, DEFENCE, Battle
from solver.bombing import Raid, solve_raid
from solver.dice import Pool
from solver.documents import (
    check_fields,
    check_nulls,
    faces_from,
    fleet_from,
    pool_from,
    quotient,
    told_chance,
    told_chances,
    within,
)
from solver.errors import BattleError, check_count, shown
from solver.exact import attacker_wins, takes_all
from solver.odds import solve
from solver.parts import Wanted
from solver.paths import Path, march
from solver.placing import Placement, Placements, Placing, place
from solver.rolls import MOST_ICON_UNITS, icon_weights, roll_weights, round_law
from solver.sides import SIDES
from solver.tables import MOST_NEEDED, Need, Side, check_goal, need, win_chances, worth_going_on
from solver.units import Rules
from solver.waves import Waves, battle_from
from solver.waves_odds import WavesOdds, solve_waves

MOST_TABLE_CELLS = 250_000
MOST_ADVISED = 160_000
MOST_STEPS = 200_000_000
"""About how many steps may be taken to find the best order, where nobody says how many."""


Document = Mapping[str, Any]


class Asked(NamedTuple):
    """A question that was understood: the battles or the path whose size says how much work it is, and that work.

    `armies` is a battle of Axis & Allies and how much may be dropped, `waves` the same of several waves, `matters` a
    battle whose units are asked about, `orders` one whose orders of loss are, `army` one of which a part is wanted, and
    what for, `placing` units to place over territories. `grid` says that it takes a grid of their sizes, whatever their
    odds take. `needs` are the arguments of `solver.tables.need` but the most that is tried, for somebody who knows how
    much that may be here.
    """

    battles: tuple[Battle, ...]
    work: Callable[[], dict[str, Any]]
    grid: bool = True
    path: Path | None = None
    needs: tuple[Battle, Side, float, int] | None = None
    armies: tuple[AxisBattle, float] | None = None
    waves: tuple[Waves, float] | None = None
    matters: AxisBattle | None = None
    orders: AxisBattle | None = None
    army: tuple[AxisBattle, Goal] | None = None
    placing: Placing | None = None


def read(document: Document, rules: Mapping[str, Rules] | None = None) -> Asked:
    """What a document asks; BattleError names the field that is wrong. `rules` are editions of Axis & Allies by game.

    Without a `question` the odds of a battle, or of a path where there is one. "round": what one round costs. "roll":
    how often a side rolls what. "table": the chance to win of all sizes up to the battle's. "need": how many armies
    reach a `chance`. "advice": whether fewer dice are better. Of Axis & Allies also "units": which unit matters,
    "order": which order of loss is best, and "bombing": what a raid on a factory does and costs.
    """
    check_nulls(document)
    rest = {name: value for name, value in document.items() if name != "question"}
    kind = document.get("question", "odds")
    game = document.get("game")
    if rules and isinstance(game, str) and game in rules:
        return _armies(rest, kind, rules[game])
    readers = {"odds": _odds, "round": _round, "roll": _roll, "table": _table, "need": _need, "advice": _advice}
    if not isinstance(kind, str) or kind not in readers:
        raise BattleError(
            "question", "the question must be one of {known}, not {value}", known=", ".join(readers), value=shown(kind)
        )
    return readers[kind](rest)


def _armies(document: dict[str, Any], kind: Any, rules: Rules) -> Asked:
    """A question about Axis & Allies: a battle's odds, its units, its orders, what to bring; or a bombing raid."""
    kinds = ("odds", "units", "order", "army", "place", "bombing")
    if kind not in kinds:
        raise BattleError(
            "question",
            "for this game the question must be one of {known}, not {value}",
            known=", ".join(kinds),
            value=shown(kind),
        )
    if kind == "bombing":
        return Asked((), partial(_raided, Raid.from_dict(document, rules)))
    if kind == "place":
        return ask_placing(Placing.from_dict(document, rules))
    if kind == "army":
        goal = within("recommend", partial(_goal, document.pop("recommend", {})))
        whole = battle_from(document, rules)
        if isinstance(whole, Waves):
            raise BattleError("waves", "this question works for a battle of one wave")
        return Asked((), partial(_army, whole, goal), army=(whole, goal))
    dropped = DROPPED
    if "exact" in document:
        exact = document.pop("exact")
        if type(exact) is not bool:
            raise BattleError("exact", "this must be true or false, not {value}", value=shown(exact))
        dropped = 0.0 if exact else DROPPED
    battle = battle_from(document, rules)
    if isinstance(battle, Waves):
        if kind != "odds":
            raise BattleError("waves", "this question works for a battle of one wave")
        return Asked((), partial(_waves_odds, battle, dropped), waves=(battle, dropped))
    if kind == "units":
        return Asked((), partial(_units, battle), matters=battle)
    if kind == "order":
        return Asked((), partial(_best_orders, battle), orders=battle)
    return Asked((), partial(_army_odds, battle, dropped), armies=(battle, dropped))


def _raided(raid: Raid) -> dict[str, Any]:
    return solve_raid(raid).to_dict()


def _army_odds(battle: AxisBattle, dropped: float) -> dict[str, Any]:
    return told_odds(battle, solve_axis(battle, dropped))


def told_odds(battle: AxisBattle, odds: AxisOdds) -> dict[str, Any]:
    """The odds of a battle of Axis & Allies as a document, with the orders of loss that were used."""
    return {**odds.to_dict(), "loss_orders": _orders(battle)}


def _waves_odds(waves: Waves, dropped: float) -> dict[str, Any]:
    return told_waves(waves, solve_waves(waves, dropped))


def told_waves(waves: Waves, odds: WavesOdds) -> dict[str, Any]:
    """The odds of several waves as a document, each with the orders of loss that were used."""
    answer = odds.to_dict()
    for wave, battle in zip(answer["waves"], waves.battles, strict=True):
        wave["loss_orders"] = _orders(battle)
    return answer


def _orders(battle: AxisBattle) -> dict[str, list[str]]:
    orders = {"attacker": battle.order_of_loss("attack"), "defender": battle.order_of_loss("defence")}
    return {side: list(order) for side, order in orders.items()}


def _units(battle: AxisBattle) -> dict[str, Any]:
    return told_changes(*matters(battle))


def _best_orders(battle: AxisBattle) -> dict[str, Any]:
    return told_orders(battle, best_orders(battle, MOST_STEPS))


def told_changes(wins: float, changes: list[Change]) -> dict[str, Any]:
    """What one unit more or less does to the attacker's chance, as a document."""
    changed = [change._asdict() | {"wins": told_chance(change.wins)} for change in changes]
    return {"wins": told_chance(wins), "changes": changed}


GOALS: dict[str, Wanted] = {"target_survival": "survives", "target_wins": "wins", "max_profit": "profit"}


def _goal(document: Any) -> Goal:
    """What an army is wanted for: the cheapest attacker that survives in 80 of 100 cases, if nothing else is said."""
    if not isinstance(document, Mapping):
        raise BattleError("", "this must be an object, not {value}", value=shown(document))
    check_fields(document, {"side", "goal", "target", "how_many", "minimum"})
    side, goal = document.get("side", "attacker"), document.get("goal", "target_survival")
    for name, value, known in (("side", side, SIDES), ("goal", goal, GOALS)):
        if not isinstance(value, str) or value not in known:
            raise BattleError(
                name,
                "the {name} must be one of {known}, not {value}",
                name=name,
                known=", ".join(known),
                value=shown(value),
            )
    minimum = document.get("minimum")
    if not isinstance(minimum, Mapping | None):
        raise BattleError("minimum", "this must be an object, not {value}", value=shown(minimum))
    given = {name: document[name] for name in ("target", "how_many") if name in document}
    least = tuple((minimum or {}).items())
    return Goal("attack" if side == "attacker" else "defence", GOALS[goal], minimum=least, **given)


def _army(battle: AxisBattle, goal: Goal) -> dict[str, Any]:
    return told_armies(battle, goal, best_armies(battle, goal))


def told_armies(battle: AxisBattle, goal: Goal, found: Armies) -> dict[str, Any]:
    """The best armies as a document; where none is good enough, `best` is empty, and `closest` tells the nearest.

    Of each its side's chances to survive and to win, and the chance that the territory is taken.
    """

    def told(army: Army) -> dict[str, Any]:
        wins = army.odds["wins"] if goal.role == "attack" else 1 - army.odds["wins"]
        takes = told_chance(wins) if battle.theatre == "land" else 0.0
        known = {name: of if name == "profit" else told_chance(of) for name, of in army.odds.items()}
        return {"army": dict(army.units), "cost": army.cost, "takes": takes} | known

    best, closest = ([told(army) for army in armies] for armies in (found.best, found.closest))
    return {"best": best, "reached": bool(best), "closest": closest}


def ask_placing(placing: Placing) -> Asked:
    """The question where to place units."""
    return Asked((), partial(_placed, placing), placing=placing)


def _placed(placing: Placing) -> dict[str, Any]:
    return told_placements(placing, place(placing))


def told_placements(placing: Placing, found: Placements) -> dict[str, Any]:
    """The best placements of units as a document; not `reached` where so many territories cannot be held."""
    told = partial(_told_placement, placing)
    simple = {"without": told(found.without), "even": told(found.even), "together": told(found.together)}
    reached = placing.aim == "value" or found.held == placing.wanted
    alike = [list(names) for names in found.alike]
    return {"best": [told(one) for one in found.best], "reached": reached, **simple, "alike": alike}


def _told_placement(placing: Placing, placement: Placement) -> dict[str, Any]:
    territories = [
        {"units": dict(units), "held": told_chance(chance), "value": territory.value}
        for units, chance, territory in zip(placement.shares, placement.chances, placing.territories, strict=True)
    ]
    return {
        "worth": placement.worth if placing.aim == "value" else told_chance(placement.worth),
        "territories": territories,
        "kept": dict(placement.kept),
        "exactly": told_chances(placement.law),
    }


def _odds(document: dict[str, Any]) -> Asked:
    exact = document.pop("exact", False)
    if type(exact) is not bool:
        raise BattleError("exact", "this must be true or false, not {value}", value=shown(exact))
    if "path" in document:
        if "defenders" in document:
            raise BattleError("defenders", "put the defenders of a path in `path`")
        path = Path.from_dict(document)
        return Asked((), partial(_path_odds, path, exact), path=path)
    battle = Battle.from_dict(document)
    return Asked((battle,), partial(_battle_odds, battle, exact), grid=exact)


def _battle_odds(battle: Battle, exact: bool) -> dict[str, Any]:
    answer = solve(battle).to_dict()
    if battle.value is not None:
        answer["worth_going_on"] = list(worth_going_on(battle))
    if exact:
        chance = attacker_wins(battle)
        answer["attacker_wins_exact"] = quotient(chance)
    return answer


def _path_odds(path: Path, exact: bool) -> dict[str, Any]:
    answer = march(path).to_dict()
    if exact:
        chance = takes_all(path)
        answer["takes_all_exact"] = quotient(chance)
    return answer


def _round(document: dict[str, Any]) -> Asked:
    """Where no numbers are given, everybody rolls all dice there are."""
    if document.get("game") == "risk":
        for side, usual, count in (("attack", ATTACK, "attackers"), ("defence", DEFENCE, "defenders")):
            document.setdefault(count, len(within(side, partial(pool_from, document.get(side, {}), usual)).dice))
    battle = Battle.from_dict(document)
    return Asked((), partial(_round_losses, battle))


def _round_losses(battle: Battle) -> dict[str, Any]:
    law = round_law(battle)
    return {"losses": [[*lost, quotient(chance)] for lost, chance in law.items()]}


def _roll(document: dict[str, Any]) -> Asked:
    game = document.pop("game", None)
    units = document.pop("units", None)
    if game == "icons":
        faces, _ = faces_from(document)
        check_count(
            "units", units, 1, MOST_ICON_UNITS, "the number of units that roll must be {least} to {most}, not {value}"
        )
        return Asked((), partial(_told_weights, partial(icon_weights, faces, units)))
    if game == "starwars":
        pool, ships = fleet_from(document, Pool((6,) * max(units if type(units) is int and units < 7 else 3, 1)))
        pool = ships.arm(pool)
    elif game == "risk":
        pool = pool_from(document, ATTACK)
    else:
        raise BattleError("game", "the game must be risk, starwars or icons, not {value}", value=shown(game))
    units = len(pool.dice) if units is None else units
    check_count(
        "units", units, 1, len(pool.dice), "the number of units that roll must be {least} to {most}, not {value}"
    )
    return Asked((), partial(_told_weights, partial(roll_weights, pool, units)))


def _told_weights(work: Callable[[], dict[tuple[int, ...], int]]) -> dict[str, Any]:
    weights = work()
    return {
        "weights": [[list(values), weight] for values, weight in weights.items()],
        "total": sum(weights.values()),
    }


def _table(document: dict[str, Any]) -> Asked:
    battle = Battle.from_dict(document)
    if battle.attackers * battle.defenders > MOST_TABLE_CELLS:
        raise BattleError("attackers", "a table can have up to {most} numbers", most=MOST_TABLE_CELLS)
    return Asked((battle,), partial(_chances, battle))


def _chances(battle: Battle) -> dict[str, Any]:
    chances = win_chances(battle, battle.attackers, battle.defenders)[1:, 1:]
    return {"attacker_wins": [told_chances(row) for row in chances]}


def _need(document: dict[str, Any]) -> Asked:
    """Of the two numbers of armies only the other side's must be given."""
    goal = document.pop("chance", 0.8)
    check_goal(goal)
    side = document.pop("side", "attackers")
    if side not in ("attackers", "defenders"):
        raise BattleError("side", "the side must be attackers or defenders, not {value}", value=shown(side))
    own = document.setdefault(side, 0)
    battle = Battle.from_dict(document)
    asked = battle, side, goal, own
    return Asked((), partial(_needed, *asked), needs=asked)


def _needed(battle: Battle, side: Side, goal: float, shown: int) -> dict[str, Any]:
    return needed(need(battle, side, goal, MOST_NEEDED, shown))


def needed(found: Need) -> dict[str, Any]:
    """The answer to how many are needed, as a document; `limited` where more could not be tried."""
    lists = {"counts": list(found.counts), "chances": told_chances(found.chances)}
    return {"answer": found.answer, "limited": found.limited, **lists, "error": found.error}


def _advice(document: dict[str, Any]) -> Asked:
    battle = Battle.from_dict(document)
    if battle.chain().cells > MOST_ADVISED:
        raise BattleError("attackers", "advice works up to {most} sizes, such as 399 against 399", most=MOST_ADVISED)
    return Asked((battle,), partial(_advised, battle))


def _advised(battle: Battle) -> dict[str, Any]:
    attacker, defender = advice(battle)
    return {"attacker": _told(attacker), "defender": _told(defender)}


def _told(given: Advice | None) -> dict[str, Any] | None:
    if given is None:
        return None
    chances = {"best": told_chance(given.best), "usual": told_chance(given.usual)}
    return {"dice": given.dice, "most": given.most, **chances}
