"""/need with Axis & Allies: which part of an army to bring, the cheapest that will do and the one that pays best."""

from math import ceil

from bot.army_wording import counted, told_side
from bot.commands.path import file_called
from bot.commands.request import Request, Services
from bot.editions import editions
from bot.matchup import Reading, write
from bot.matchup.armies_writing import plain, told_units
from bot.replies import Button, Picture, Reply, aligned
from bot.wording import uncertain
from solver.axis import AxisBattle
from solver.axis_needs import ROUNDING, Army, Goal, Survey
from solver.axis_parts import with_part

GOAL = 0.8
SHOWN = 3
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
    best = (found.cheapest.best or found.cheapest.closest)[0]
    lines = [_headline(battle, goal, found), _profit(battle, goal, found), _other_question(goal)]
    line = write(with_part(battle, goal.role, best.units))
    return Reply(
        "\n".join(filter(None, lines)),
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
    best = found.cheapest.closest[0]
    told = f"even {_army(battle, best)} {_deed(battle, goal, best)} in {_chance(goal, best)}"
    return f"**{wanted} is out of reach**: {told}"


def _profit(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """What pays best."""
    if found.profitable is None:
        return "-# What pays best is not worked out: this army has too many parts to try them all"
    best = found.profitable.best[0]
    does = f"{_short(battle, goal)} {_chance(goal, best)}"
    what = "Best profit" if best.odds["profit"] > 0 else "Nothing pays, this loses least"
    return f"{what}: {_army(battle, best)}, {_gained(best)} {counted(battle)} on average · {does}"


def _other_question(goal: Goal) -> str:
    """What else may be asked, in small print."""
    other = "" if goal.role == "defence" else "`side:defender` asks about the defender's army · "
    if goal.of == "survives":
        return f"-# {other}without `survive` it must win"
    return f"-# {other}`survive` asks that somebody is left, not to win"


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
    chance = army.odds[goal.of]
    return f"{100 * chance:.0f} %" if chance in (0, 1) else uncertain(chance)


def _gained(army: Army) -> str:
    return f"{army.odds['profit']:+.1f}".replace("-", "−")


def _rows(battle: AxisBattle, goal: Goal, found: Survey) -> tuple[str, ...]:
    """The best of both kinds, with the runners-up."""
    edition = editions()[battle.rules.key]
    first, profitable = found.cheapest.best or found.cheapest.closest, found.profitable
    cells = [["cheapest" if found.cheapest.best else "closest", counted(battle), _short(battle, goal), "profit"]]
    for army in (*first, None, *(profitable.best if profitable else ())):
        if army:
            told = told_units(dict(army.units), edition)
            cells.append([told, plain(army.cost), _chance(goal, army), _gained(army)])
        elif profitable:
            cells.append(["best profit", "", "", ""])
    return aligned(cells)


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
    title = _deed(battle, goal, Army((("", 2),), 0, {}))
    parts = f"{title[0].upper()}{title[1:]}"[:52], side, costs, chances, goal.target, answer
    png = await services.engine.drawn((battle, goal), "draw_bring", *parts, _short(battle, goal), counted(battle))
    least = told_units(dict(goal.minimum), editions()[battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {least} {write(battle)}"
    return Picture(png, file_called(asked), f"{head}. The curve: the best chance that so much money buys.")
