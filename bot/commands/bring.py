"""/need with Axis & Allies: which part of an army to bring, the cheapest that will do and the one that pays best."""

from math import ceil

from bot.army_wording import counted, told_side
from bot.commands.path import file_called
from bot.commands.request import Request, Services
from bot.editions import editions
from bot.languages import N_, _, _n, _p, in_percent, joined, shortest
from bot.matchup import Reading, write
from bot.matchup.armies_writing import plain, told_units
from bot.narrow import narrow
from bot.replies import Button, Picture, Reply
from bot.wording import certain, fated, gained
from solver.axis import AxisBattle
from solver.axis_needs import HOPELESS, ROUNDING, Army, Goal, Survey
from solver.axis_parts import with_part

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
"""What is said of armies that are to do what `_deed` names."""
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
    remarks = *reading.remarks, _bombards(battle, goal, found), _other_question(goal)
    lines = [_headline(battle, goal, found), _profit(battle, goal, found)]
    lines += [f"-# {remark}" for remark in remarks if remark]
    line, whole = write(with_part(battle, goal.role, best.units) if best else battle), _side(battle, goal, own=True)
    return Reply(
        "\n".join(lines),
        table=_rows(battle, goal, found),
        note=" · ".join([_("out of {units}, exact", units=whole), _(editions()[battle.rules.key].name), f"`{line}`"]),
        picture=await _picture(battle, goal, found, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")),
        private=request.private,
    )


def _headline(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """ "**10 inf 4 art 1 arm** (52 IPC) take it from 8 inf 1 aa (90.3%, target 90%)"."""
    wanted = in_percent(shortest(100 * goal.target))
    if found.cheapest.best:
        best = found.cheapest.best[0]
        told = {"succeeds": _does(battle, goal, best), "chance": _chance(goal, best)}
        return _("{succeeds} ({chance}, target {goal})", **told, goal=wanted)
    if not (closest := _closest(goal, found)):
        return _hopeless(battle, goal)
    told = {"succeeds": _does(battle, goal, closest[0]), "chance": _chance(goal, closest[0])}
    return _("**{goal} is out of reach**: even {succeeds} only {chance} of the time", **told, goal=wanted)


def _closest(goal: Goal, found: Survey) -> tuple[Army, ...]:
    """The armies that come closest to a chance that none has, if these have any at all."""
    return tuple(army for army in found.cheapest.closest if army.odds[goal.of] >= HOPELESS)


def _hopeless(battle: AxisBattle, goal: Goal) -> str:
    """That no army has a chance, and why."""
    nothing = _(NOTHING[_deed(battle, goal)], others=_side(battle, goal, own=False))
    kinds = {battle.rules.table[name].kind for name, _ in battle.attacker.units}
    if goal.role == "defence" or goal.of == "survives" or battle.theatre == "sea" or "land" in kinds:
        if goal.role == "attack" and battle.retreat:
            return joined("{nothing} {rules}", nothing=nothing, rules=_("with these retreat rules"))
        return joined("{nothing}, {all}", nothing=nothing, all=_("not even all of it together"))
    if len(kinds) > 1:
        why = _("planes and ships alone can't take a territory")
    elif "air" in kinds:
        why = _("planes alone can't take a territory")
    else:
        why = _("ships alone can't take a territory")
    return joined("{nothing}: {why}", nothing=nothing, why=why)


def _bombards(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """What explains that ships alone may pay best against a territory."""
    best = found.profitable.best[0].units if found.profitable and goal.role == "attack" else ()
    alone = best and battle.theatre == "land" and all(battle.rules.table[name].kind == "sea" for name, _ in best)
    return _("Ships bombard even if no unit lands, and can't be lost") if alone else ""


def _profit(battle: AxisBattle, goal: Goal, found: Survey) -> str:
    """What pays best."""
    if found.profitable is None:
        why = _("I can't work out the best TUV swing: this army has too many parts to try them all")
        return f"-# {why}"
    best = found.profitable.best[0]
    does = fated(_short(battle, goal), _chance(goal, best))
    told = {"army": _army(battle, best), "profit": _gained(best), "money": counted(battle)}
    if _gained(best).startswith("−"):
        return f"{_('Smallest loss: {army}, {profit} {money} on average', **told)} · {does}"
    return f"{_('Best TUV swing: {army}, {profit} {money} on average', **told)} · {does}"


def _other_question(goal: Goal) -> str:
    """What else may be asked, in small print."""
    other = [] if goal.role == "defence" else [_("Add `side:defender` to ask what the defender needs")]
    survive = _("Add `survive` to ask for survivors instead of a win")
    return " · ".join([*other, _("Leave out `survive` to ask for a win") if goal.of == "survives" else survive])


def _side(battle: AxisBattle, goal: Goal, own: bool) -> str:
    """All that there was to choose from, or whom they meet."""
    side = battle.attacker if (goal.role == "attack") == own else battle.defender
    return told_side(side, editions()[battle.rules.key])


def _units(battle: AxisBattle, goal: Goal) -> str:
    """Say how many units they meet."""
    side = battle.defender if goal.role == "attack" else battle.attacker
    return _n("{n} unit", "{n} units", sum(count for _name, count in side.units))


def _army(battle: AxisBattle, army: Army) -> str:
    return f"**{told_units(dict(army.units), editions()[battle.rules.key])}** ({plain(army.cost)} {counted(battle)})"


def _deed(battle: AxisBattle, goal: Goal) -> str:
    """What an army is to do: "survive", "hold", "take" or "win"."""
    if goal.of == "survives":
        return "survive"
    if goal.role == "defence":
        return "hold"
    return "take" if battle.theatre == "land" else "win"


def _does(battle: AxisBattle, goal: Goal, army: Army) -> str:
    """What an army does, and to whom."""
    count, deed = sum(units for _name, units in army.units), _deed(battle, goal)
    told = {"army": _army(battle, army), "others": _side(battle, goal, own=False)}
    if deed == "survive":
        return _n("{army} survives against {others}", "{army} survive against {others}", count, **told)
    if deed == "hold":
        return _n("{army} holds against {others}", "{army} hold against {others}", count, **told)
    if deed == "take":
        return _n("{army} takes it from {others}", "{army} take it from {others}", count, **told)
    return _n("{army} beats {others}", "{army} beat {others}", count, **told)


def _short(battle: AxisBattle, goal: Goal) -> str:
    """The same in a word or two, for the head of a column."""
    return _(SHORT[_deed(battle, goal)])


def _chance(goal: Goal, army: Army) -> str:
    return certain(max(0.0, army.odds[goal.of]))  # There is a −0.0, which would be shown.


def _gained(army: Army) -> str:
    return gained(army.odds["profit"])


def _rows(battle: AxisBattle, goal: Goal, found: Survey) -> tuple[str, ...]:
    """The best of both kinds, with the runners-up."""
    edition = editions()[battle.rules.key]
    kinds: dict[str, tuple[Army, ...]] = {
        _("cheapest"): found.cheapest.best,
        _("closest"): () if found.cheapest.best else _closest(goal, found),
        _("best TUV"): found.profitable.best if found.profitable else (),
    }
    cells: list[list[str]] = []
    for name, armies in kinds.items():
        if armies:
            heads: list[str] = [counted(battle), _short(battle, goal), _p("column", "TUV")]
            cells.append([name, *(["", "", ""] if cells else heads)])
        for army in armies:
            told = told_units(dict(army.units), edition)
            cells.append([told, plain(army.cost), _chance(goal, army), _gained(army)])
    return narrow(cells, "<>>>") if cells else ()


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
    title = _(TITLES[_deed(battle, goal)], others=_side(battle, goal, own=False))
    if len(title) > LONGEST_TITLE:
        title = _(TITLES[_deed(battle, goal)], others=_units(battle, goal))
    parts = title, side, costs, chances, goal.target, answer
    png = await services.engine.drawn(
        (battle, goal), "draw_bring", *parts, _(TO_SUCCEED[_deed(battle, goal)]), counted(battle)
    )
    least = told_units(dict(goal.minimum), editions()[battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {least} {write(battle)}"
    curve = _("{answer}. The curve shows the best chance for each price.", answer=head)
    return Picture(png, file_called(asked), curve, lines=0, table=False)
