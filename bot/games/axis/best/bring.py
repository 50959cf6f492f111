"""/need for Axis & Allies: the cheapest part of an army that succeeds, and the one with the best TUV swing."""

from math import ceil

from bot.charts import BRING
from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.best.bring_words import BringTexts, closest_armies, headline, profit, rows, texts_of
from bot.games.axis.bombardment import allow, landing_units, limit_text, limited_ships
from bot.games.axis.words import value_unit
from bot.games.axis.writing import units_text
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from solver.axis.battle import AxisBattle
from solver.axis.best.armies import ROUNDING, ArmyGoal, Survey
from solver.axis.best.parts import Wanted
from solver.axis.limits import survey_within
from solver.axis.units import Role
from solver.waves.waves import waves_of

GOAL = 0.8
SHOWN = 3
LONGEST_TITLE = 52
LEAST_SHOWN, ALL_BUT = 0.002, 0.999
"""The curve is drawn from the first of these chances to the second."""


async def answer_need(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's army that succeeds with a chance, and the part with the best TUV swing."""
    reading, goal = read_goal(reading, request, "survives" if reading.asked.get("survive") else "wins")
    battle = reading.battle
    found = await services.engine.compute_within(survey_within, battle, goal)
    return await need_reply(texts_of(battle, goal, found), goal, found, reading, request, services)


def read_goal(reading: Reading, request: Request, of: Wanted) -> tuple[Reading, ArmyGoal]:
    """Return the reading with a battle that the rulebook allows, and the goal that it asks for.

    Of attackers every part is allowed or not by itself; those who attack the asking side are whole.
    """
    role: Role = reading.asked.get("side") or "attack"
    reading = allow(reading, parts=role == "attack") if request.is_new else reading
    first, *_later = waves_of(reading.battle)
    ships = limited_ships(first) if role == "attack" else ()
    least = dict(reading.asked.get("least") or ())
    if ships:
        if sum(least.get(name, 0) for name in ships) > landing_units(first):
            raise UserError(limit_text(first))
        reading = reading._replace(of_words=(*reading.of_words, limit_text(first)))
    chance = GOAL if reading.chance is None else reading.chance
    goal = ArmyGoal(role, of, chance, SHOWN, tuple(least.items()), ships)
    return reading, goal


async def need_reply(
    texts: BringTexts, goal: ArmyGoal, found: Survey, reading: Reading, request: Request, services: Services
) -> Reply:
    """Return the answer about these armies, with its picture."""
    best = next(iter(found.cheapest.best or closest_armies(goal, found)), None)
    swing = profit(texts, goal, found.profitable.best[0]) if found.profitable else ""
    why = _("I can't work out the best TUV swing: this army has too many parts to try them all")
    facts = tuple(filter(None, [swing]))
    return Reply(
        headline(texts, goal, found),
        facts=facts,
        remarks=(*(() if swing else (why,)), *reading.remarks, *texts.remarks),
        table=rows(texts, goal, found),
        note=" · ".join([_("out of {units}, exact", units=texts.whole), _(editions()[texts.battle.rules.key].name)]),
        line=texts.line(best.units if best else None),
        picture=await _picture(texts, goal, found, facts, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")),
        private=request.private,
    )


async def _picture(
    texts: BringTexts, goal: ArmyGoal, found: Survey, beside: tuple[str, ...], services: Services
) -> Picture | None:
    """Return the curve of the best chance for each price."""
    low, high = min(LEAST_SHOWN, goal.target), max(ALL_BUT, goal.target) - ROUNDING
    last = next((place for place, (_other, chance) in enumerate(found.frontier) if chance >= high), len(found.frontier))
    points = [point for point in found.frontier[: last + 1] if point[1] >= low - ROUNDING]
    if not points:
        return None
    # Prices may be fractions; what so much money buys is the most that any army has that costs no more.
    costs, chances = zip(*{ceil(cost): chance for cost, chance in points}.items(), strict=True)
    best, line = found.cheapest.best, texts.line(None)
    head = without_marks(headline(texts, goal, found))
    png = await services.engine.draw(
        BRING,
        (line, goal),
        next((title for title in texts.titles if len(title) <= LONGEST_TITLE), texts.titles[-1]),
        "attackers" if goal.role == "attack" else "defenders",
        costs,
        chances,
        goal.target,
        ceil(best[0].cost) if best else None,
        texts.to_succeed,
        value_unit(texts.battle),
    )
    least = units_text(dict(goal.minimum), editions()[texts.battle.rules.key])
    asked = f"need {100 * goal.target:.10g} {goal.role} {goal.of} {least} {line}"
    curve = _("{answer}. The curve shows the best chance for each price.", answer=head)
    return Picture(png, picture_name(asked), curve, beside, table=False)
