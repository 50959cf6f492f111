"""/need for several waves: the cheapest part of a side's first army that holds the field in the end."""

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.best.bring import need_reply, read_goal
from bot.games.axis.best.bring_words import BringTexts, ask_for_defender
from bot.games.axis.words import side_text
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.games.waves.words import matchup, titles
from bot.languages import _, _n
from bot.replies import Reply
from bot.request import Request, Services
from solver.axis.best.armies import ArmyGoal
from solver.axis.sides import Units
from solver.waves.limits import wave_survey_within
from solver.waves.waves import Waves


async def answer_need(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's first army with which it holds the field in the end with a chance."""
    if reading.asked.get("survive"):
        raise UserError(_("With several waves I look for the army that holds it in the end. Leave out `survive`."))
    reading, goal = read_goal(reading, request, "wins")
    waves = reading.battle
    found = await services.engine.compute_within(wave_survey_within, waves, goal)
    return await need_reply(texts_of(waves, goal), goal, found, reading, request, services)


def texts_of(waves: Waves, goal: ArmyGoal) -> BringTexts:
    """Return the texts about the first army of a side in several waves."""
    first, ours = waves.battles[0], goal.role == "attack"
    army = first.attacker if ours else first.defender
    stops = first.theatre == "sea" and not ours

    def success(army: str, count: int) -> str:
        told = {"army": army}
        if stops:
            return _n("{army} at the start stops the attacker", "{army} at the start stop the attacker", count, **told)
        return _n("{army} at the start holds it in the end", "{army} at the start hold it in the end", count, **told)

    def line(units: Units | None) -> str:
        return write_armies(waves if units is None else waves.with_army(dict(units), 0, goal.role))

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
        titles(waves, on_two_lines=False),
        side_text(army, editions()[first.rules.key]),
        line,
        tuple(filter(None, [matchup(waves), varied, ask_for_defender(goal)])),
    )
