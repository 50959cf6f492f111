"""/need for Axis & Allies: the cheapest part of an army that succeeds, and the one with the best TUV swing."""

from math import ceil

from bot.editions import editions
from bot.games.axis.words import side_text, value_unit
from bot.games.axis.work import survey_parts
from bot.games.axis.writing import plain, units_text, write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _n, _p, compose, in_percent, short_number
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, fate_text, signed_tenths
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import HOPELESS, ROUNDING, ArmyGoal, RankedArmy, Survey
from solver.axis.best.part_odds import with_units

GOAL = 0.8
SHOWN = 3
LONGEST_TITLE = 52
TO_SUCCEED = {"survive": N_("to survive"), "hold": N_("to hold"), "take": N_("to take it"), "win": N_("to win")}
SHORT = {"survive": N_("survives"), "hold": N_("holds"), "take": N_("takes it"), "win": N_("wins")}
TITLES = {
    "survive": N_("Survive against {others}"),
    "hold": N_("Hold against {others}"),
    "take": N_("Take it from {others}"),
    "win": N_("Beat {others}"),
}
NOTHING = {
    "survive": N_("**Nothing here can survive against {others}**"),
    "hold": N_("**Nothing here can hold against {others}**"),
    "take": N_("**Nothing here can take it from {others}**"),
    "win": N_("**Nothing here can beat {others}**"),
}
"""The texts about armies, by the result that `_deed` names."""
LEAST_SHOWN, ALL_BUT = 0.002, 0.999
"""The curve is drawn from the first of these chances to the second."""


async def answer_need(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's army that succeeds with a chance, and the part with the best TUV swing."""
    goal = ArmyGoal(
        reading.asked.get("side") or "attack",
        "survives" if reading.asked.get("survive") else "wins",
        GOAL if reading.chance is None else reading.chance,
        SHOWN,
        reading.asked.get("least") or (),
    )
    found = await survey_parts(services.engine, battle, goal)
    best = next(iter(found.cheapest.best or _closest_armies(goal, found)), None)
    head, whole = _headline(battle, goal, found), _side(battle, goal, own=True)
    profit = _profit(battle, goal, found.profitable.best[0]) if found.profitable else ""
    why = _("I can't work out the best TUV swing: this army has too many parts to try them all")
    remarks = "" if profit else why, *reading.remarks, _bombards(battle, goal, found), _other_question(goal)
    facts = tuple(filter(None, [profit]))
    return Reply(
        head,
        facts=facts,
        remarks=tuple(filter(None, remarks)),
        table=_rows(battle, goal, found),
        note=" · ".join([_("out of {units}, exact", units=whole), _(editions()[battle.rules.key].name)]),
        line=write_armies(with_units(battle, goal.role, best.units) if best else battle),
        picture=await _picture(battle, goal, found, facts, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")),
        private=request.private,
    )


def _headline(battle: AxisBattle, goal: ArmyGoal, found: Survey) -> str:
    """Say which army succeeds: "**10 inf 4 art 1 arm** (52 IPC) take it from 8 inf 1 aa (90.3%, target 90%)"."""
    wanted = in_percent(short_number(100 * goal.target))
    if found.cheapest.best:
        best = found.cheapest.best[0]
        told = {"succeeds": _success(battle, goal, best), "chance": _chance(goal, best)}
        return _("{succeeds} ({chance}, target {goal})", **told, goal=wanted)
    if not (closest := _closest_armies(goal, found)):
        return _hopeless(battle, goal)
    told = {"succeeds": _success(battle, goal, closest[0]), "chance": _chance(goal, closest[0])}
    return _("**{goal} is out of reach**: even {succeeds} only {chance} of the time", **told, goal=wanted)


def _closest_armies(goal: ArmyGoal, found: Survey) -> tuple[RankedArmy, ...]:
    """Return the armies that come closest to a chance that none reaches, if they have a chance at all."""
    return tuple(army for army in found.cheapest.closest if army.odds[goal.of] >= HOPELESS)


def _hopeless(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Say that no army has a chance, and why."""
    nothing = _(NOTHING[_goal_word(battle, goal)], others=_side(battle, goal, own=False))
    kinds = {battle.rules.table[name].kind for name, _other in battle.attacker.units}
    if goal.role == "defence" or goal.of == "survives" or battle.theatre == "sea" or "land" in kinds:
        if goal.role == "attack" and battle.retreat:
            return compose("{nothing} {rules}", nothing=nothing, rules=_("with these retreat rules"))
        return compose("{nothing}, {all}", nothing=nothing, all=_("not even all of it together"))
    if len(kinds) > 1:
        why = _("planes and ships alone can't take a territory")
    elif "air" in kinds:
        why = _("planes alone can't take a territory")
    else:
        why = _("ships alone can't take a territory")
    return compose("{nothing}: {why}", nothing=nothing, why=why)


def _bombards(battle: AxisBattle, goal: ArmyGoal, found: Survey) -> str:
    """Explain why ships alone may have the best TUV swing against a territory."""
    best = found.profitable.best[0].units if found.profitable and goal.role == "attack" else ()
    alone = best and battle.theatre == "land" and all(battle.rules.table[name].kind == "sea" for name, _other in best)
    return _("Ships bombard even if no unit lands, and can't be lost") if alone else ""


def _profit(battle: AxisBattle, goal: ArmyGoal, best: RankedArmy) -> str:
    """Say which army has the best TUV swing."""
    does = fate_text(_short(battle, goal), _chance(goal, best))
    told = {"army": _army(battle, best), "profit": _swing(best), "money": value_unit(battle)}
    if _swing(best).startswith("−"):
        return f"{_('Smallest loss: {army}, {profit} {money} on average', **told)} · {does}"
    return f"{_('Best TUV swing: {army}, {profit} {money} on average', **told)} · {does}"


def _other_question(goal: ArmyGoal) -> str:
    """Say what else may be asked."""
    other = [] if goal.role == "defence" else [_("Add `side:defender` to ask what the defender needs")]
    survive = _("Add `survive` to ask for survivors instead of a win")
    return " · ".join([*other, _("Leave out `survive` to ask for a win") if goal.of == "survives" else survive])


def _side(battle: AxisBattle, goal: ArmyGoal, own: bool) -> str:
    """Name all units to choose from, or the units on the other side."""
    side = battle.attacker if (goal.role == "attack") == own else battle.defender
    return side_text(side, editions()[battle.rules.key])


def _units(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Say how many units they meet."""
    side = battle.defender if goal.role == "attack" else battle.attacker
    return _n("{n} unit", "{n} units", sum(count for _name, count in side.units))


def _army(battle: AxisBattle, army: RankedArmy) -> str:
    return f"**{units_text(dict(army.units), editions()[battle.rules.key])}** ({plain(army.cost)} {value_unit(battle)})"


def _goal_word(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Return the goal of an army: "survive", "hold", "take" or "win"."""
    if goal.of == "survives":
        return "survive"
    if goal.role == "defence":
        return "hold"
    return "take" if battle.theatre == "land" else "win"


def _success(battle: AxisBattle, goal: ArmyGoal, army: RankedArmy) -> str:
    """Say what an army achieves against the other side."""
    count, deed = sum(units for _name, units in army.units), _goal_word(battle, goal)
    told = {"army": _army(battle, army), "others": _side(battle, goal, own=False)}
    if deed == "survive":
        return _n("{army} survives against {others}", "{army} survive against {others}", count, **told)
    if deed == "hold":
        return _n("{army} holds against {others}", "{army} hold against {others}", count, **told)
    if deed == "take":
        return _n("{army} takes it from {others}", "{army} take it from {others}", count, **told)
    return _n("{army} beats {others}", "{army} beat {others}", count, **told)


def _short(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Say what an army achieves in a word or two, for the head of a column."""
    return _(SHORT[_goal_word(battle, goal)])


def _chance(goal: ArmyGoal, army: RankedArmy) -> str:
    return exact_percent(max(0.0, army.odds[goal.of]))  # There is a −0.0, which would be shown.


def _swing(army: RankedArmy) -> str:
    return signed_tenths(army.odds["profit"])


def _rows(battle: AxisBattle, goal: ArmyGoal, found: Survey) -> tuple[str, ...]:
    """Return rows with the cheapest armies and those with the best TUV swing."""
    edition = editions()[battle.rules.key]
    kinds: dict[str, tuple[RankedArmy, ...]] = {
        _("cheapest"): found.cheapest.best,
        _("closest"): () if found.cheapest.best else _closest_armies(goal, found),
        _("best TUV"): found.profitable.best if found.profitable else (),
    }
    cells: list[list[str]] = []
    for name, armies in kinds.items():
        if armies:
            heads: list[str] = [value_unit(battle), _short(battle, goal), _p("column", "TUV")]
            cells.append([name, *(["", "", ""] if cells else heads)])
        for army in armies:
            told = units_text(dict(army.units), edition)
            cells.append([told, plain(army.cost), _chance(goal, army), _swing(army)])
    return narrow(cells, "<>>>") if cells else ()


async def _picture(
    battle: AxisBattle, goal: ArmyGoal, found: Survey, beside: tuple[str, ...], services: Services
) -> Picture | None:
    """Return the curve of the best chance for each price."""
    low, high = min(LEAST_SHOWN, goal.target), max(ALL_BUT, goal.target) - ROUNDING
    last = next((place for place, (_other, chance) in enumerate(found.frontier) if chance >= high), len(found.frontier))
    points = [point for point in found.frontier[: last + 1] if point[1] >= low - ROUNDING]
    if not points:
        return None
    # Prices may be fractions; what so much money buys is the most that any army has that costs no more.
    costs, chances = zip(*{ceil(cost): chance for cost, chance in points}.items(), strict=True)
    best = found.cheapest.best
    side = "attackers" if goal.role == "attack" else "defenders"
    head = without_marks(_headline(battle, goal, found))
    answer = ceil(best[0].cost) if best else None
    title = _(TITLES[_goal_word(battle, goal)], others=_side(battle, goal, own=False))
    if len(title) > LONGEST_TITLE:
        title = _(TITLES[_goal_word(battle, goal)], others=_units(battle, goal))
    parts = title, side, costs, chances, goal.target, answer
    png = await services.engine.draw(
        "bot.charts.need.draw_bring",
        (battle, goal),
        *parts,
        _(TO_SUCCEED[_goal_word(battle, goal)]),
        value_unit(battle),
    )
    least = units_text(dict(goal.minimum), editions()[battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {least} {write_armies(battle)}"
    curve = _("{answer}. The curve shows the best chance for each price.", answer=head)
    return Picture(png, picture_name(asked), curve, beside, table=False)
