"""The answer where to place new armies before a turn on a map: the best ways, with a table."""

from bot.games.base import Reading
from bot.games.conquest.notation.writing import map_of, write_conquest
from bot.games.conquest.words import average_text, describe, takes_text
from bot.games.dice.words import game
from bot.languages import _, number
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import unsure_percent
from solver.conquest.conquest import Conquest
from solver.conquest.planned import UNIT
from solver.conquest.reinforcements import Reinforcements, reinforce

MOST_ROWS = 6
"""The most rows of the table."""
SMALL = 1e-3
"""Ways of which the best and the worst are nearer to each other hardly differ."""


async def answer_placing(conquest: Conquest, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the best way to place new armies; the line is that of the turn with them."""
    most_work = UNIT * services.engine.most_work
    answer = await services.engine.compute_or_explain(reinforce, conquest, reading.details.placing, most_work)
    best = answer.best[0]
    result = takes_text(conquest, unsure_percent(best.worth))
    if conquest.aim != "all":
        result = average_text(conquest, number(best.worth, 2))
    several = len(answer.best) > 1 and best.worth - answer.worst < SMALL * max(best.worth, 1)
    same = [_("it hardly matters where they go")] * several
    head = _("**Best: {armies}** · {result}", armies=_armies_text(conquest, best.armies), result=result)
    return Reply(
        f"{head} · {describe(conquest)}",
        facts=(_("without new armies: {worth}", worth=_worth_text(conquest, answer.without)), *same),
        remarks=reading.remarks,
        table=_rows(conquest, answer),
        note=f"{_('exact, best play')} · {game(conquest.rules)}",
        line=write_conquest(answer.reinforced),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def _rows(conquest: Conquest, answer: Reinforcements) -> tuple[str, ...]:
    """Return a row for each of the best ways."""
    rows = [[_armies_text(conquest, way.armies), _worth_text(conquest, way.worth)] for way in answer.best[:MOST_ROWS]]
    return narrow([[_("new armies"), _("takes all") if conquest.aim == "all" else _("on average")], *rows], "<>")


def _armies_text(conquest: Conquest, armies: dict[str, int]) -> str:
    """Name the territories with their new armies: "Siam +4, China +2"."""
    names = map_of(conquest).territories
    return ", ".join(f"{names[name].name} +{count}" for name, count in armies.items() if count)


def _worth_text(conquest: Conquest, worth: float) -> str:
    return unsure_percent(worth) if conquest.aim == "all" else number(worth, 2)
