"""The answers about a conquest: its odds with best play, the armies that it needs, and a plan in a comparison."""

from dataclasses import replace

from bot.charts import NEED, NeedCurve
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.conquest.notation.fronts import NAMELESS
from bot.games.conquest.notation.pieces import MOST, PLACE
from bot.games.conquest.notation.writing import map_of, targets_in_order, write_conquest
from bot.games.conquest.picture import plan_picture, result_in_picture
from bot.games.conquest.reinforcing import answer_placing
from bot.games.conquest.words import (
    UNLIKELY,
    certainty,
    continent_name,
    describe,
    fall_rows,
    first_steps,
    hopeless_text,
    plan_file,
    plan_steps,
    shown_rows,
    summary,
    unreachable_texts,
    verdict,
)
from bot.games.dice.need import GOAL, marks_text
from bot.games.dice.words import behind_text, game
from bot.languages import N_, _, _n, in_percent, join_texts, short_number
from bot.notation.defaults import reading_with
from bot.notation.lexer import may_name_a_preset
from bot.notation.reading import read_in_room
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.compared_plan import STOPPED, TAKEN, ComparedPlan
from bot.words.numbers import LAST, outer_percents, unsure_percent
from solver.conquest.conquest import Aim, Conquest
from solver.conquest.odds import ConquestNeed, ConquestOdds, armies_needed
from solver.conquest.planned import UNIT
from solver.conquest.play import has_plans

WIDEST_NAME = 60


async def conquer(request: Request, services: Services) -> Reply:
    """Answer /conquer: read its line, which can only be a conquest, perhaps one that is to be held."""
    text = request.options["matchup"]
    saved = await services.saved_lines(request.place) if may_name_a_preset(text) else {}
    room = next(room for room in services.rooms if "conquer" in room.commands)
    with reading_with(request.line_defaults):
        reading = read_in_room(services.rooms, room, text, saved, (PLACE,))
    return await services.rooms.answer("battle", reading, request, services)


async def answer_battle(conquest: Conquest, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the chance of the aim and the plan, or where new armies go."""
    details = reading.details
    if details and details.placing is not None:
        return await answer_placing(conquest, reading, request, services)
    odds = await services.engine.odds(conquest)
    line, steps, rows = write_conquest(conquest), plan_steps(conquest, odds), fall_rows(conquest, odds)
    head, sure = f"**{verdict(conquest, odds)}** · {describe(conquest)}", certainty(odds)
    if conquest.rules.variant:  # which the description names
        sure = f"{sure} · {game(conquest.rules)}"
    else:
        head = f"{head} · {game(conquest.rules)}"
    shown = first_steps(conquest, steps)
    hopeless = await _without_hope(conquest, odds, services)
    several = conquest.aim == "all" and len(conquest.targets) > 1
    aims = [Button(_("Most territories"), "conquer most")] * several
    aims += [Button(_("Take all"), "conquer all")] * (conquest.aim != "all")
    return Reply(
        head,
        facts=tuple(filter(None, [hopeless or summary(conquest, odds), *shown])),
        remarks=(*reading.remarks, *unreachable_texts(conquest)),
        table=shown_rows(rows),
        note=sure,
        line=line,
        file=plan_file(head, shown, steps, rows),
        picture=await plan_picture(conquest, odds, services, verdict(conquest, odds), result_in_picture(odds)),
        buttons=(
            Button(_("Roll it"), "roll", enabled=odds.success > 0 and (odds.exact or has_plans(conquest))),
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=any(armies > 1 for _name, armies in conquest.starts)),
            *aims,
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


async def _without_hope(conquest: Conquest, odds: ConquestOdds, services: Services) -> str:
    """Say that all targets can't be taken, and what the turn takes if as many as possible are; "" if they can."""
    if conquest.aim != "all" or len(conquest.targets) == 1 or odds.bound or not odds.true_zeros:
        return ""
    most = replace(conquest, aim="most")
    return hopeless_text(most, await services.engine.odds(most))


def add_attackers(count: int, conquest: Conquest) -> tuple[Conquest, tuple[str, ...]]:
    """Return the conquest with so many armies more in the largest start; UserError if none would be left."""
    largest, size = max(conquest.starts, key=lambda start: start[1])
    if size + count < 1:
        raise UserError(_(LAST))
    starts = tuple((name, armies + count * (name == largest)) for name, armies in conquest.starts)
    return replace(conquest, starts=starts), ()


def with_aim(aim: Aim, conquest: Conquest) -> tuple[Conquest, tuple[str, ...]]:
    """Return the conquest with another aim."""
    return replace(conquest, aim=aim), ()


async def answer_need(conquest: Conquest, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many armies the start needs whose number the line leaves out, or the only start."""
    goal = GOAL if reading.chance is None else reading.chance
    start = reading.details.asked_start or (conquest.starts[0][0] if len(conquest.starts) == 1 else "")
    if not start:
        text = N_("Leave out the number of one start: that is the one I work out, as in `siam > australia: 3 2 1 1`.")
        if map_of(conquest).key == NAMELESS:
            text = N_("Put `?` in place of one number: that is the one I work out, as in `?, 8 > 9`.")
        raise UserError(_(text))
    need = await services.engine.compute_or_explain(
        armies_needed, conquest, start, goal, UNIT * services.engine.most_work
    )
    answer = need.answer
    with_answer = replace(
        conquest,
        aim="all",
        starts=tuple(
            (name, (answer if answer is not None else len(need.chances) - 1) if name == start else armies)
            for name, armies in conquest.starts
        ),
    )
    behind = reading.details.behind
    head = _need_text(conquest, need, behind)
    counted = [behind_text(behind)] if behind and start == reading.details.asked_start else []
    certain = _("exact, best play") if need.exact else _("too large to be exact: fewer may be enough")
    aim = [_("This is how many take all, whatever else the line aims at")] if conquest.aim != "all" else []
    return Reply(
        head,
        facts=(marks_text(need.least, len(need.chances) - 1, behind), *_help_text(conquest, need))
        if answer is not None
        else (),
        remarks=(*reading.remarks, *unreachable_texts(conquest), *aim, *counted),
        note=f"{certain} · {game(conquest.rules)}",
        line=write_conquest(with_answer),
        picture=await _need_picture(conquest, need, behind, head, services),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def _need_text(conquest: Conquest, need: ConquestNeed, behind: int) -> str:
    """Answer with the armies that stay behind: "**You need 14 in Siam to take Australia** (81.2%, target 80%)"."""
    count = len(need.chances) - 1 if need.answer is None else need.answer
    start, target = map_of(conquest).territories[need.start].name, _target_name(conquest)
    text = N_("**{goal} is out of reach**: even {most} in {start} have {chance}")
    if need.answer is not None:
        text = N_("**You need {armies} in {start} to take {target}** ({chance}, target {goal})")
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


async def _need_picture(
    conquest: Conquest, need: ConquestNeed, behind: int, head: str, services: Services
) -> Picture | None:
    """Return the curve; None if it ends only because more armies are too much work."""
    if need.limited:
        return None
    start = map_of(conquest).territories[need.start].name
    title = _("Take {target} from {start}", target=_target_name(conquest), start=start)
    last = need.least(0.995) or len(need.chances) - 1
    counts = tuple(range(1, max(last, need.answer or 0, 2) + 1))
    counted, chances = tuple(count + behind for count in counts), [need.chances[count] for count in counts]
    answer = None if need.answer is None else need.answer + behind
    curve = NeedCurve(title, "attackers", counted, chances, need.goal, answer, behind=behind)
    png = await services.engine.draw(NEED, (conquest, need.start, need.goal, behind), curve)
    alternative = _("{answer}. The curve shows the chance for each number.", answer=without_marks(head))
    return Picture(png, picture_name(f"need {write_conquest(conquest, need.start)}"), alternative, table=False)


def compared_plan(conquest: Conquest, odds: ConquestOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its conquest, its odds and its canonical line."""
    stopped = max(1 - odds.takes_all, odds.fate_chances[1])
    taken = odds.expected if conquest.aim != "value" else sum(odds.falls)
    worth, bound, by_gain = odds.worth, odds.bound, conquest.aim != "all"
    return ComparedPlan(
        line=line,
        description=describe(conquest),
        game=game(conquest.rules),
        odds=odds,
        attacker_result="takes all" if len(conquest.targets) > 1 else "takes it",
        defender_result=STOPPED,
        chances=(odds.takes_all, stopped, 0.0),
        texts=None if odds.exact or by_gain else (_range(worth, bound), _range(1 - bound, 1 - worth), ""),
        ends={STOPPED: stopped},
        measure="value" if conquest.aim == "value" else "territories",
        gain=odds.worth if by_gain else taken if odds.exact else None,
        amounts={TAKEN: taken},
        by_gain=by_gain,
        most=None if odds.exact else odds.bound,
        certainty="" if odds.exact else certainty(odds),
    )


def _range(least: float, most: float) -> str:
    """Write two bounds of a chance with one unit: "81.2–98.6%"."""
    low, high = outer_percents(least, most)
    return high if low == high else f"{low.removesuffix('%').rstrip()}–{high}"


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor territories."""
    return [word for word in line.split() if ":" in word or word == MOST]
