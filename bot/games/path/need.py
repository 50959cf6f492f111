"""/need for paths: how many attackers take all territories of a line such as "5 > 4 > 2"."""

from typing import Any

from bot.charts import NEED, NeedCurve
from bot.games.base import Reading
from bot.games.dice.need import GOAL, marks_text
from bot.games.dice.notation.building import stays_behind
from bot.games.dice.words import fleet
from bot.games.path.notation import write_path, write_territories
from bot.languages import _, _n, in_percent, join_texts, short_number
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.numbers import exactness, unsure_percent
from bot.work.engine import Engine
from solver.dice.questions import need_to_dict
from solver.dice.sizes import Need
from solver.game import Question
from solver.path.needs import path_need, with_attackers
from solver.path.path import Path

LONGEST_NAMED = 6
"""The most territories whose defenders a sentence names."""


async def answer_need(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many attackers take all territories with a chance."""
    goal = GOAL if reading.chance is None else reading.chance
    behind = stays_behind(reading._replace(battle=path.legs[0]), request.place_settings.line_defaults)
    need = await services.engine.compute_within(path_need, path, goal)
    count = need.answer or need.counts[-1]
    head = headline(path, need, count, behind)

    def least(mark: float) -> int | None:
        return next((at for at, chance in zip(need.counts, need.chances, strict=True) if chance >= mark), None)

    return Reply(
        head,
        facts=(marks_text(least, need.counts[-1], behind),) if need.answer else (),
        remarks=(*reading.remarks, _("All numbers are defenders, in the order in which they are attacked.")),
        note=exactness(0),
        line=write_path(with_attackers(path, count)),
        picture=await _picture(path, need, behind, head, services),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


async def answer_question(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer the JSON question how many attackers take all territories."""
    return need_to_dict(await engine.compute_within(path_need, question.battle, question.details))


def headline(path: Path, need: Need, count: int, behind: int) -> str:
    """Answer the question: "**You need 16 attackers to take 5, 4, 2** (81.8% to take all, target 80%)"."""
    values = {
        "territories": _names(path),
        "chance": unsure_percent(need.chances[need.counts.index(count)]),
        "goal": in_percent(short_number(100 * need.goal)),
        "ships": fleet(path.legs[0].attack_ships),
    }
    if need.answer is None:
        return _(
            "**You need more than {n} attackers{ships}** to take {territories}: {chance} with these, target {goal}",
            n=count + behind,
            **values,
        )
    return _n(
        "**You need {n} attacker{ships} to take {territories}** ({chance} to take all, target {goal})",
        "**You need {n} attackers{ships} to take {territories}** ({chance} to take all, target {goal})",
        count + behind,
        **values,
    )


def _names(path: Path) -> str:
    """Name the territories by their defenders: "5, 4, 2"; of many only how many there are."""
    if len(path.legs) > LONGEST_NAMED:
        return _n("{n} territory", "{n} territories", len(path.legs))
    return join_texts(", ", [str(leg.defenders) for leg in path.legs])


async def _picture(path: Path, need: Need, behind: int, head: str, services: Services) -> Picture:
    """Return the curve of the chance by the number of attackers."""
    counts = tuple(count + behind for count in need.counts)
    answer = None if need.answer is None else need.answer + behind
    title, succeeds = _("Take {territories}", territories=_names(path)), _("chance to take all")
    curve = NeedCurve(title, "attackers", counts, need.chances, need.goal, answer, None, behind, succeeds=succeeds)
    png = await services.engine.draw(NEED, (path, need.goal, behind), curve)
    name = picture_name(f"need {100 * need.goal:.10g} {write_territories(path)}")
    alternative = _("{answer}. The curve shows the chance for each number.", answer=without_marks(head))
    return Picture(png, name, alternative)
