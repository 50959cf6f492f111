"""/need on a map: how many armies a start needs to take all targets, or to take and hold them, with a curve."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from bot.charts import NEED, NeedCurve
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.conquest.notation.fronts import NAMELESS
from bot.games.conquest.notation.writing import map_of, targets_in_order, write_conquest, write_holding
from bot.games.conquest.words import UNLIKELY, continent_name, unreachable_texts
from bot.games.dice.need import GOAL, marks_text
from bot.games.dice.words import behind_text, game
from bot.languages import N_, _, _n, in_percent, join_texts, short_number
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.numbers import unsure_percent
from solver.conquest.conquest import Conquest
from solver.conquest.hold_odds import armies_to_hold
from solver.conquest.holding import Holding
from solver.conquest.odds import ConquestNeed, armies_needed, with_armies_at
from solver.conquest.planned import UNIT

WIDEST_NAME = 60


class Purpose(NamedTuple):
    """The purpose for which armies are needed.

    Attributes:
        battle: The battle of the line: a conquest, or one that is to be held.
        conquest: The conquest itself.
        find: Finds the armies, from the battle, the start, the chance and the most work.
        needed: The text that says how many are needed.
        title: The title of the curve.
        certainty: The text about an exact answer.
        write: Writes the line with another conquest, and without the number of a start.
    """

    battle: Conquest | Holding
    conquest: Conquest
    find: Callable[[Any, str, float, float], ConquestNeed]
    needed: str
    title: str
    certainty: str
    write: Callable[[Conquest, str], str]


async def answer_need(conquest: Conquest, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many armies the start needs whose number the line leaves out, or the only start."""
    purpose = Purpose(
        conquest,
        conquest,
        armies_needed,
        N_("**You need {armies} in {start} to take {target}** ({chance}, target {goal})"),
        N_("Take {target} from {start}"),
        N_("exact, best play"),
        write_conquest,
    )
    return await _answer(purpose, reading, request, services)


async def answer_need_to_hold(holding: Holding, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many armies that start needs to take all targets and to hold them."""
    purpose = Purpose(
        holding,
        holding.conquest,
        armies_to_hold,
        N_("**You need {armies} in {start} to take and hold {target}** ({chance}, target {goal})"),
        N_("Take and hold {target} from {start}"),
        N_("exact, best play to take and hold it"),
        lambda conquest, left_out: write_holding(replace(holding, conquest=conquest), left_out),
    )
    return await _answer(purpose, reading, request, services)


async def _answer(purpose: Purpose, reading: Reading, request: Request, services: Services) -> Reply:
    conquest, goal = purpose.conquest, GOAL if reading.chance is None else reading.chance
    start = reading.details.asked_start or (conquest.starts[0][0] if len(conquest.starts) == 1 else "")
    if not start:
        text = N_("Leave out the number that I should work out, as in `siam > australia: 3 2 1 1`.")
        if map_of(conquest).key == NAMELESS:
            text = N_("Put `?` in place of the number that I should work out, as in `?, 8 > 9`.")
        raise UserError(_(text))
    need = await services.engine.compute_or_explain(
        purpose.find, purpose.battle, start, goal, UNIT * services.engine.most_work
    )
    with_answer = with_armies_at(conquest, start, need.most if need.answer is None else need.answer)
    behind = reading.details.behind
    head = _head(purpose, need, behind)
    counted = [behind_text(behind)] if behind and start == reading.details.asked_start else []
    certain = _(purpose.certainty) if need.exact else _("too large to be exact: fewer may be enough")
    other_aim = [_("This is for taking all of them, whatever aim the line has")] if conquest.aim != "all" else []
    return Reply(
        head,
        facts=() if need.answer is None else (marks_text(need.least, need.most, behind), *_help_text(conquest, need)),
        remarks=(*reading.remarks, *unreachable_texts(conquest), *other_aim, *counted),
        note=f"{certain} · {game(conquest.rules)}",
        line=purpose.write(with_answer, ""),
        picture=await _picture(purpose, need, behind, head, services),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def _head(purpose: Purpose, need: ConquestNeed, behind: int) -> str:
    """Answer with the armies that stay behind: "**You need 14 in Siam to take Australia** (81.2%, target 80%)"."""
    count = need.most if need.answer is None else need.answer
    start, target = map_of(purpose.conquest).territories[need.start].name, _target_name(purpose.conquest)
    text = N_("**{goal} is out of reach**: even {most} in {start} have {chance}")
    if need.answer is not None:
        text = purpose.needed
    elif need.limited:
        text = N_("**You need more than {most} in {start}**, the most I can work out: {chance}")
    numbers = {"chance": unsure_percent(need.chances[count]), "goal": in_percent(short_number(100 * need.goal))}
    return _(text, armies=count + behind, most=count + behind, start=start, target=target, **numbers)


def _help_text(conquest: Conquest, need: ConquestNeed) -> list[str]:
    """Say from where one more army helps most, if several can help and one of them helps more than the others."""
    helps = sorted(need.helps, key=lambda name: -need.helps[name])
    if len(helps) < 2 or need.helps[helps[0]] - need.helps[helps[1]] < UNLIKELY:
        return []
    name, chance = map_of(conquest).territories[helps[0]].name, unsure_percent(need.helps[helps[0]])
    return [_("One more army helps most in {start}: {chance}", start=name, chance=chance)]


def _target_name(conquest: Conquest) -> str:
    """Name what is to be taken: a continent, a territory or their number."""
    area = map_of(conquest)
    if name := continent_name(conquest, area):
        return name
    names = join_texts(", ", [territory.name for territory in targets_in_order(conquest, area)])
    return names if len(names) <= WIDEST_NAME else _n("{n} territory", "{n} territories", len(conquest.targets))


async def _picture(purpose: Purpose, need: ConquestNeed, behind: int, head: str, services: Services) -> Picture | None:
    """Return the curve; None if it ends only because more armies are too much work."""
    if need.limited:
        return None
    start = map_of(purpose.conquest).territories[need.start].name
    title = _(purpose.title, target=_target_name(purpose.conquest), start=start)
    last = need.least(0.995) or need.most
    counts = tuple(range(1, max(last, need.answer or 0, 2) + 1))
    counted, chances = tuple(count + behind for count in counts), [need.chances[count] for count in counts]
    answer = None if need.answer is None else need.answer + behind
    curve = NeedCurve(title, "attackers", counted, chances, need.goal, answer, behind=behind)
    png = await services.engine.draw(NEED, (purpose.battle, need.start, need.goal, behind), curve)
    alternative = _("{answer}. The curve shows the chance for each number.", answer=without_marks(head))
    return Picture(png, picture_name(f"need {purpose.write(purpose.conquest, need.start)}"), alternative, table=False)
