"""/need with Axis & Allies: which part of an army to bring, the cheapest that will do and the one that pays best."""

from math import ceil

from bot.army_wording import counted, told_side
from bot.commands.path import file_called
from bot.commands.request import Request, Services
from bot.editions import editions
from bot.matchup import Reading, write
from bot.matchup.armies_writing import plain, told_units
from bot.replies import Button, Picture, Reply, aligned
from bot.wording import certain, gained
from solver.axis import AxisBattle
from solver.axis_needs import HOPELESS, ROUNDING, Army, Goal, Survey
from solver.axis_parts import with_part

GOAL = 0.8
SHOWN = 3
_TWO = Army((("", 2),), 0, {})
"""Some army, to say what many do."""
LEAST_SHOWN, ALL_BUT = 0.002, 0.999
"""The curve is drawn from the first of these chances to the second."""


async def bring(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """The cheapest part of the attacker's army, or of the defender's, that wins with a chance; and what pays best."""
    wish = reading.wish
    assert wish is not None, "a line of units was read"
    goal = Goal(
        wish.value("side") or "attack",
        "survives" if wish.value("survive") else "wins",
        GOAL if reading.chance is None else reading.chance,
        SHOWN,
        wish.value("least") or (),
    )
    found = await services.engine.survey(battle, goal)
    best = next(iter(found.cheapest.best or _closest(goal, found)), None)
    remarks = [f"-# {remark}" for remark in (_bombards(battle, goal, found), _other_question(goal)) if remark]
    lines = [_headline(battle, goal, found), _profit(battle, goal, found), *remarks]
    line = write(with_part(battle, goal.role, best.units) if best else battle)
    return Reply(
        "\n".join(lines),
        table=_rows(battle, goal, found),
        note=f"out of {_whole(battle, goal)}, exact · {editions()[battle.rules.key].name} · `{line}`",
        picture=await _picture(battle, goal, found, services),
        buttons=(Button("Odds", "battle"), Button("Which unit?", "table")),
        private=request.private,
    )


def _headline(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """ "**10 inf 4 art 1 arm** (52 IPC) take it from 8 inf 1 aa with a chance of 90 %: 90.3 %"."""
    wanted = f"{100 * goal.target:.10g} %"
    if found.cheapest.best:
        best = found.cheapest.best[0]
        return f"{_army(battle, best)} {_deed(battle, goal, best)} with a chance of {wanted}: {_chance(goal, best)}"
    if not (closest := _closest(goal, found)):
        deed = _deed(battle, goal, _TWO)
        return f"**Nothing here can {deed}**" + _why(battle, goal)
    best = closest[0]
    told = f"even {_army(battle, best)} {_deed(battle, goal, best)} in {_chance(goal, best)}"
    return f"**{wanted} is out of reach**: {told}"


def _closest(goal: Goal, found: Survey) -> tuple[Army, ...]:
    """The armies that come closest to a chance that none has, if these have any at all."""
    return tuple(army for army in found.cheapest.closest if army.odds[goal.of] >= HOPELESS)


def _why(battle: AxisBattle, goal: Goal) -> str:
    """Why no army has a chance, where that is not that they are too few."""
    kinds = {battle.rules.table[name].kind for name, _ in battle.attacker.units}
    if goal.role == "defence" or goal.of == "survives" or battle.theatre == "sea" or "land" in kinds:
        planned = goal.role == "attack" and battle.retreat
        return " with these rules for retreating" if planned else ", not even all of it together"
    who = {"air": "planes", "sea": "ships"}
    return f": {' and '.join(who[kind] for kind in sorted(kinds))} alone never take a territory"


def _bombards(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """What explains that ships alone may pay best against a territory."""
    best = found.profitable.best[0].units if found.profitable and goal.role == "attack" else ()
    alone = best and battle.theatre == "land" and all(battle.rules.table[name].kind == "sea" for name, _ in best)
    return "Ships bombard whether anybody lands or not, and are in no danger" if alone else ""


def _profit(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """What pays best."""
    if found.profitable is None:
        return "-# What pays best is not worked out: this army has too many parts to try them all"
    best = found.profitable.best[0]
    does = f"{_short(battle, goal)} {_chance(goal, best)}"
    what = "Nothing pays, this loses least" if _gained(best).startswith("−") else "Best profit"
    return f"{what}: {_army(battle, best)}, {_gained(best)} {counted(battle)} on average · {does}"


def _other_question(goal: Goal) -> str:
    """What else may be asked, in small print."""
    other = "" if goal.role == "defence" else "`side:defender` asks about the defender's army · "
    if goal.of == "survives":
        return f"{other}without `survive` it must win"
    return f"{other}`survive` asks that somebody is left, not to win"


def _whole(battle: AxisBattle, goal: Goal) -> str:
    """All that there was to choose from."""
    side = battle.attacker if goal.role == "attack" else battle.defender
    return told_side(side, editions()[battle.rules.key])


def _army(battle: AxisBattle, army: Army) -> str:
    return f"**{told_units(dict(army.units), editions()[battle.rules.key])}** ({plain(army.cost)} {counted(battle)})"


def _deed(battle: AxisBattle, goal: Goal, army: Army) -> str:
    """What an army does, and to whom."""
    one = sum(count for _, count in army.units) == 1
    other = battle.defender if goal.role == "attack" else battle.attacker
    if goal.of == "survives":
        verb, to = "survive", "against"
    elif goal.role == "defence":
        verb, to = "hold", "against"
    else:
        verb, to = ("take it", "from") if battle.theatre == "land" else ("win", "against")
    verb = verb.replace(" ", "s ", 1) if one and " " in verb else verb + "s" * one
    return f"{verb} {to} {told_side(other, editions()[battle.rules.key])}"


def _short(battle: AxisBattle, goal: Goal) -> str:
    """The same in a word or two, for the head of a column."""
    if goal.of == "survives":
        return "survives"
    if goal.role == "defence":
        return "holds"
    return "takes it" if battle.theatre == "land" else "wins"


def _chance(goal: Goal, army: Army) -> str:
    return certain(army.odds[goal.of])


def _gained(army: Army) -> str:
    return gained(army.odds["profit"])


def _rows(battle: AxisBattle, goal: Goal, found: Survey) -> tuple[str, ...]:
    """The best of both kinds, with the runners-up."""
    edition = editions()[battle.rules.key]
    kinds = {
        "cheapest": found.cheapest.best,
        "closest": () if found.cheapest.best else _closest(goal, found),
        "best profit": found.profitable.best if found.profitable else (),
    }
    cells: list[list[str]] = []
    for name, armies in kinds.items():
        if armies:
            cells.append([name, *(["", "", ""] if cells else [counted(battle), _short(battle, goal), "profit"])])
        for army in armies:
            told = told_units(dict(army.units), edition)
            cells.append([told, plain(army.cost), _chance(goal, army), _gained(army)])
    return aligned(cells) if cells else ()


async def _picture(battle: AxisBattle, goal: Goal, found: Survey, services: Services) -> Picture | None:
    """The curve of the best chance that money buys."""
    low, high = min(LEAST_SHOWN, goal.target), max(ALL_BUT, goal.target) - ROUNDING
    last = next((place for place, (_, chance) in enumerate(found.frontier) if chance >= high), len(found.frontier))
    points = [point for point in found.frontier[: last + 1] if point[1] >= low - ROUNDING]
    if not points:
        return None
    # Prices may be fractions; what so much money buys is the most that any army has that costs no more.
    costs, chances = zip(*{ceil(cost): chance for cost, chance in points}.items(), strict=True)
    best = found.cheapest.best
    side = "attackers" if goal.role == "attack" else "defenders"
    head = _headline(battle, goal, found).replace("*", "")
    answer = ceil(best[0].cost) if best else None
    title = _deed(battle, goal, _TWO)
    parts = f"{title[0].upper()}{title[1:]}"[:52], side, costs, chances, goal.target, answer
    png = await services.engine.drawn((battle, goal), "draw_bring", *parts, _short(battle, goal), counted(battle))
    least = told_units(dict(goal.minimum), editions()[battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {least} {write(battle)}"
    return Picture(png, file_called(asked), f"{head}. The curve: the best chance that so much money buys.", 0, False)
