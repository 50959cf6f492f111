"""/need for Axis & Allies: the cheapest part of an army that succeeds, and the one with the best TUV swing.

Battles of one wave and of several have the same answer; `BringTexts` has what differs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from bot.charts import NEED, NeedCurve
from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.bombardment import allow, landing_units, limit_text, limited_ships
from bot.games.axis.matchup import count_text, matchup, side_text, titles
from bot.games.axis.money import value_unit
from bot.games.axis.writing import units_text, write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _n, _p, compose, in_percent, short_number
from bot.notation.options import write_number
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, fate_text, signed_tenths
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import HOPELESS, ROUNDING, ArmyGoal, RankedArmy, Survey
from solver.axis.best.part_odds import with_units
from solver.axis.best.parts import Wanted
from solver.axis.limits import survey_within
from solver.axis.sides import Units
from solver.axis.units import Role
from solver.axis.waves.armies import with_first_units
from solver.axis.waves.waves import Waves, waves_of

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
"""The texts about armies, by the result that `_goal_word` names."""


@dataclass(frozen=True)
class BringTexts:
    """The texts about the army to bring to a battle.

    `battle` says how money is counted, and which edition it is. `success` says what an army of so many units achieves,
    `hopeless` that none has a chance. `to_succeed` and `short` name the result for a curve and for a column; `titles`
    are those of the picture, the longest first. `whole` names the units to choose from, and `line` writes the battle
    with some of them, or with all for None. `remarks` explain the answer.
    """

    battle: AxisBattle
    success: Callable[[str, int], str]
    hopeless: str
    to_succeed: str
    short: str
    titles: tuple[str, ...]
    whole: str
    line: Callable[[Units | None], str]
    remarks: tuple[str, ...] = ()


def texts_of(battle: AxisBattle, goal: ArmyGoal, survey: Survey) -> BringTexts:
    """Return the texts about a battle of one wave."""
    opponent = battle.defender if goal.role == "attack" else battle.attacker
    word, others = _goal_word(battle, goal), _side(battle, goal, own=False)

    def success(army: str, count: int) -> str:
        names = {"army": army, "others": others}
        if word == "survive":
            return _n("{army} survives against {others}", "{army} survive against {others}", count, **names)
        if word == "hold":
            return _n("{army} holds against {others}", "{army} hold against {others}", count, **names)
        if word == "take":
            return _n("{army} takes it from {others}", "{army} take it from {others}", count, **names)
        return _n("{army} beats {others}", "{army} beat {others}", count, **names)

    return BringTexts(
        battle,
        success,
        _hopeless(battle, goal),
        _(TO_SUCCEED[word]),
        _(SHORT[word]),
        tuple(_(TITLES[word], others=name) for name in (others, count_text(opponent.units))),
        _side(battle, goal, own=True),
        lambda units: write_armies(battle if units is None else with_units(battle, goal.role, units)),
        tuple(filter(None, [bombards(battle, goal, survey), aims_anew(battle, goal), _other_question(goal)])),
    )


def texts_of_waves(waves: Waves, goal: ArmyGoal) -> BringTexts:
    """Return the texts about the first army of a side in several waves."""
    first, ours = waves.battles[0], goal.role == "attack"
    army = first.attacker if ours else first.defender
    stops = first.theatre == "sea" and not ours

    def success(army: str, count: int) -> str:
        names = {"army": army}
        if stops:
            return _n("{army} at the start stops the attacker", "{army} at the start stop the attacker", count, **names)
        return _n("{army} at the start holds it in the end", "{army} at the start hold it in the end", count, **names)

    def line(units: Units | None) -> str:
        return write_armies(waves if units is None else with_first_units(waves, goal.role, units))

    varied = (
        _("Only the attackers of wave 1 vary; every later wave stays as it is")
        if ours
        else _("Only the defenders of wave 1 vary; every later wave stays as it is")
    )
    return BringTexts(
        first,
        success,
        _("**Nothing here can stop the attacker**") if stops else _("**Nothing here can hold it in the end**"),
        _("to stop the attacker") if stops else _("to hold it in the end"),
        _("stops the attacker") if stops else _("holds it"),
        tuple(title for title in titles(waves) if "\n" not in title),
        side_text(army, editions()[first.rules.key]),
        line,
        tuple(filter(None, [matchup(waves), varied, aims_anew(first, goal), ask_for_defender(goal)])),
    )


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


def bombards(battle: AxisBattle, goal: ArmyGoal, survey: Survey) -> str:
    """Explain why ships alone may have the best TUV swing against a territory."""
    best = survey.profitable.best[0].units if survey.profitable and goal.role == "attack" else ()
    alone = best and battle.theatre == "land" and all(battle.rules.table[name].kind == "sea" for name, _other in best)
    return _("Ships bombard even if no unit lands, and can't be lost") if alone else ""


def aims_anew(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Say that kamikaze attacks are aimed at the ships that an army has."""
    anew = battle.kamikaze and goal.role == "attack"
    return _("Kamikaze attacks on ships that stay behind are aimed at the others") if anew else ""


def _other_question(goal: ArmyGoal) -> str:
    """Say what else may be asked."""
    survive = _("Add `survive` to ask for survivors instead of a win")
    survive = _("Leave out `survive` to ask for a win") if goal.of == "survives" else survive
    return " · ".join(filter(None, [ask_for_defender(goal), survive]))


def ask_for_defender(goal: ArmyGoal) -> str:
    """Say how to ask for the defender, if it is not asked."""
    return "" if goal.role == "defence" else _("Add `side:defender` to ask what the defender needs")


def _side(battle: AxisBattle, goal: ArmyGoal, own: bool) -> str:
    """Name all units to choose from, or the units on the other side."""
    side = battle.attacker if (goal.role == "attack") == own else battle.defender
    return side_text(side, editions()[battle.rules.key])


def _goal_word(battle: AxisBattle, goal: ArmyGoal) -> str:
    """Return the goal of an army: "survive", "hold", "take" or "win"."""
    if goal.of == "survives":
        return "survive"
    if goal.role == "defence":
        return "hold"
    return "take" if battle.theatre == "land" else "win"


def headline(texts: BringTexts, goal: ArmyGoal, survey: Survey) -> str:
    """Say which army succeeds: "**10 inf 4 art 1 arm** (52 IPC) take it from 8 inf 1 aa (90.3%, target 90%)"."""
    wanted = in_percent(short_number(100 * goal.target))
    if survey.cheapest.best:
        best = survey.cheapest.best[0]
        values = {"succeeds": _success(texts, best), "chance": _chance(goal, best)}
        return _("{succeeds} ({chance}, target {goal})", **values, goal=wanted)
    if not (closest := closest_armies(goal, survey)):
        return texts.hopeless
    values = {"succeeds": _success(texts, closest[0]), "chance": _chance(goal, closest[0])}
    return _("**{goal} is out of reach**: even {succeeds} only {chance} of the time", **values, goal=wanted)


def closest_armies(goal: ArmyGoal, survey: Survey) -> tuple[RankedArmy, ...]:
    """Return the armies that come closest to a chance that none reaches, if they have a chance at all."""
    return tuple(army for army in survey.cheapest.closest if army.odds[goal.of] >= HOPELESS)


def profit(texts: BringTexts, goal: ArmyGoal, best: RankedArmy) -> str:
    """Say which army has the best TUV swing."""
    does = fate_text(texts.short, _chance(goal, best))
    values = {"army": _army(texts.battle, best), "profit": _swing(best), "money": value_unit(texts.battle)}
    if _swing(best).startswith("−"):
        return f"{_('Smallest loss: {army}, {profit} {money} on average', **values)} · {does}"
    return f"{_('Best TUV swing: {army}, {profit} {money} on average', **values)} · {does}"


def _army(battle: AxisBattle, army: RankedArmy) -> str:
    units, cost = units_text(dict(army.units), editions()[battle.rules.key]), write_number(army.cost)
    return f"**{units}** ({cost} {value_unit(battle)})"


def _success(texts: BringTexts, army: RankedArmy) -> str:
    """Say what an army achieves against the other side."""
    return texts.success(_army(texts.battle, army), sum(units for _name, units in army.units))


def _chance(goal: ArmyGoal, army: RankedArmy) -> str:
    return exact_percent(max(0.0, army.odds[goal.of]))  # There is a −0.0, which would be shown.


def _swing(army: RankedArmy) -> str:
    return signed_tenths(army.odds["profit"])


def rows(texts: BringTexts, goal: ArmyGoal, survey: Survey) -> tuple[str, ...]:
    """Return rows with the cheapest armies and those with the best TUV swing."""
    edition, money = editions()[texts.battle.rules.key], value_unit(texts.battle)
    kinds: dict[str, tuple[RankedArmy, ...]] = {
        _("cheapest"): survey.cheapest.best,
        _("closest"): () if survey.cheapest.best else closest_armies(goal, survey),
        _("best TUV"): survey.profitable.best if survey.profitable else (),
    }
    cells: list[list[str]] = []
    for name, armies in kinds.items():
        if armies:
            cells.append([name, *(["", "", ""] if cells else [money, texts.short, _p("column", "TUV")])])
        for army in armies:
            units = units_text(dict(army.units), edition)
            cells.append([units, write_number(army.cost), _chance(goal, army), _swing(army)])
    return narrow(cells, "<>>>") if cells else ()


GOAL = 0.8
SHOWN = 3
LONGEST_TITLE = 52
LEAST_SHOWN, ALL_BUT = 0.002, 0.999
"""The curve is drawn from the first of these chances to the second."""


async def answer_need(battle: AxisBattle | Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's army that succeeds with a chance, and the part with the best TUV swing.

    In several waves that is the army of the first, which is to hold the field in the end.
    """
    survive = reading.asked.get("survive")
    if survive and isinstance(battle, Waves):
        raise UserError(_("With several waves I look for the army that holds it in the end. Leave out `survive`."))
    reading, goal = read_goal(reading, request, "survives" if survive else "wins")
    battle = reading.battle
    survey = await services.engine.compute_within(survey_within, battle, goal)
    texts = texts_of_waves(battle, goal) if isinstance(battle, Waves) else texts_of(battle, goal, survey)
    return await need_reply(texts, goal, survey, reading, request, services)


def read_goal(reading: Reading, request: Request, of: Wanted) -> tuple[Reading, ArmyGoal]:
    """Return the reading with a battle that the rulebook allows, and the goal that it asks for.

    Of attackers every part is allowed or not by itself; those who attack the asking side are whole.
    """
    role: Role = reading.asked.get("side") or "attack"
    reading = allow(reading, parts=role == "attack") if request.is_new else reading
    first, *_later = waves_of(reading.battle)
    ships = limited_ships(first) if role == "attack" else ()
    minimum = dict(reading.asked.get("least") or ())
    if ships:
        if sum(minimum.get(name, 0) for name in ships) > landing_units(first):
            raise UserError(limit_text(first))
        reading = reading._replace(of_words=(*reading.of_words, limit_text(first)))
    chance = GOAL if reading.chance is None else reading.chance
    goal = ArmyGoal(role, of, chance, SHOWN, tuple(minimum.items()), ships)
    return reading, goal


async def need_reply(
    texts: BringTexts, goal: ArmyGoal, survey: Survey, reading: Reading, request: Request, services: Services
) -> Reply:
    """Return the answer about these armies, with its picture."""
    best = next(iter(survey.cheapest.best or closest_armies(goal, survey)), None)
    swing = profit(texts, goal, survey.profitable.best[0]) if survey.profitable else ""
    why = _("I can't work out the best TUV swing: this army has too many parts to try them all")
    facts = tuple(filter(None, [swing]))
    return Reply(
        headline(texts, goal, survey),
        facts=facts,
        remarks=(*(() if swing else (why,)), *reading.remarks, *texts.remarks),
        table=rows(texts, goal, survey),
        note=" · ".join([_("out of {units}, exact", units=texts.whole), _(editions()[texts.battle.rules.key].name)]),
        line=texts.line(best.units if best else None),
        picture=await _picture(texts, goal, survey, facts, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")),
        private=request.private,
    )


async def _picture(
    texts: BringTexts, goal: ArmyGoal, survey: Survey, beside: tuple[str, ...], services: Services
) -> Picture | None:
    """Return the curve of the best chance for each price."""
    low, high = min(LEAST_SHOWN, goal.target), max(ALL_BUT, goal.target) - ROUNDING
    frontier = survey.frontier
    last = next((place for place, (_cost, chance) in enumerate(frontier) if chance >= high), len(frontier))
    points = [point for point in frontier[: last + 1] if point[1] >= low - ROUNDING]
    if not points:
        return None
    # Prices may be fractions; what so much money buys is the most that any army has that costs no more.
    costs, chances = zip(*{ceil(cost): chance for cost, chance in points}.items(), strict=True)
    best, line = survey.cheapest.best, texts.line(None)
    head = without_marks(headline(texts, goal, survey))
    answer = ceil(best[0].cost) if best else None
    curve = NeedCurve(
        next((title for title in texts.titles if len(title) <= LONGEST_TITLE), texts.titles[-1]),
        "attackers" if goal.role == "attack" else "defenders",
        *(costs, chances, goal.target, answer, answer),
        money=value_unit(texts.battle),
        succeeds=_("best chance {to_succeed}", to_succeed=texts.to_succeed),
    )
    png = await services.engine.draw(NEED, (line, goal), curve)
    minimum = units_text(dict(goal.minimum), editions()[texts.battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {minimum} {line}"
    alternative = _("{answer}. The curve shows the best chance for each price.", answer=head)
    return Picture(png, picture_name(asked), alternative, beside, table=False)
