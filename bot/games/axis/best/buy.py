"""/need with money for Axis & Allies: what to buy beside the units that are there, for the chance or the TUV swing.

A need without money is for bring.py, whose texts this room uses.
"""

from dataclasses import replace

from bot.games.axis.best.bring import NOTHING, SHORT, BringTexts, chance_text, draw, profit, read_goal, rows
from bot.games.axis.best.bring import answer_need as answer_bring
from bot.games.axis.matchup import against, side_text
from bot.games.axis.money import value_unit
from bot.games.axis.need_lines import write_need
from bot.games.axis.writing import units_text
from bot.games.base import Reading
from bot.languages import _
from bot.notation.options import write_number
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.numbers import fate_text
from solver.axis.best.armies import Armies, ArmyGoal, RankedArmy, Survey
from solver.axis.limits import survey_within
from solver.axis.units import Role
from solver.axis.waves.waves import Waves

DIGITS = 3
"""The picture names chances with so many digits."""


async def answer_need(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Find what to bring, or what to buy if the line names money."""
    if not reading.asked.get("money"):
        return await answer_bring(battle, reading, request, services)
    reading, goal = read_goal(reading, request, "survives" if reading.asked.get("survive") else "wins")
    survey = await services.engine.compute_within(survey_within, reading.battle, goal)
    best = survey.cheapest.best
    texts = BringTexts(
        reading.battle, _goal_of_picture(goal, best), without_own_units(reading.battle, goal.role, survey)
    )
    facts = (profit(texts),) if best else ()
    return Reply(
        f"{headline(texts)} · {_matchup(texts)}",
        facts=facts,
        remarks=(*reading.remarks, *_remarks(texts)),
        table=rows(texts) if best else (),
        note=" · ".join([_("out of all that {money} buys, exact", money=_money(texts)), _(texts.edition.name)]),
        line=texts.line(best[0].units) if best else write_need(reading),
        picture=await draw(texts, facts, services) if best else None,
        buttons=(Button(_("Odds"), "battle"), Button(_("Which unit?"), "table")) if best else (),
        private=request.private,
    )


def _goal_of_picture(goal: ArmyGoal, best: tuple[RankedArmy, ...]) -> ArmyGoal:
    """Return the goal whose chance is the best there is, which the picture marks."""
    chance = round(best[0].odds[goal.of], DIGITS) if best else 0
    return replace(goal, target=chance) if chance else goal


def without_own_units(battle: Waves, role: Role, survey: Survey) -> Survey:
    """Return the answers about what is bought, without the units that are there already."""
    first = battle.battles[0]
    own, table = dict(first.army(role).units), first.rules.table
    worth = sum(first.worth.of(table[name], role) * count for name, count in own.items() if not table[name].captured)

    def purchases(armies: Armies) -> Armies:
        return Armies(*(tuple(map(purchase, some)) for some in (armies.best, armies.closest)))

    def purchase(army: RankedArmy) -> RankedArmy:
        units = tuple((name, count - own.get(name, 0)) for name, count in army.units if count > own.get(name, 0))
        return army._replace(units=units, cost=army.cost - worth)

    return replace(
        survey,
        cheapest=purchases(survey.cheapest),
        profitable=survey.profitable and purchases(survey.profitable),
        frontier=tuple((cost - worth, round(chance, DIGITS)) for cost, chance in survey.frontier),
    )


def headline(texts: BringTexts) -> str:
    """Say what to buy: "**Buy 4 inf 3 art** (24 IPC): takes it 88.0%"."""
    if not texts.survey.cheapest.best:
        return _(NOTHING[texts.word], others=texts.others)
    best = texts.survey.cheapest.best[0]
    fate = fate_text(_(SHORT[texts.word]), chance_text(texts, best))
    units = units_text(dict(best.units), texts.edition) or _("nothing")
    cost = f"{write_number(best.cost)} {value_unit(texts.first)}"
    return _("**Buy {units}** ({cost}): {fate}", units=units, cost=cost, fate=fate)


def _money(texts: BringTexts) -> str:
    return _("{amount} IPC", amount=write_number(texts.goal.money or 0))


def _matchup(texts: BringTexts) -> str:
    """Say who fights: "4 inf + 24 IPC against 5 inf"."""
    army, money = texts.first.army(texts.goal.role), _money(texts)
    asker = f"{side_text(army, texts.edition)} + {money}" if army.units else money
    return against(asker, texts.others) if texts.attacks else against(texts.others, asker)


def _remarks(texts: BringTexts) -> tuple[str, ...]:
    """Say what else may be asked."""
    if not texts.attacks:
        return ()
    hold = _("`{line}` asks what to buy to hold", line=f"/need 5 inf 2 arm vs {texts.goal.money} ipc")
    return (hold,)
