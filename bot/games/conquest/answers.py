"""The answers about a conquest: its odds with best play, and a plan in a comparison."""

from dataclasses import replace

from bot.errors import UserError
from bot.games.base import Reading
from bot.games.conquest.notation.pieces import MOST, PLACE
from bot.games.conquest.notation.writing import write_conquest
from bot.games.conquest.picture import plan_picture, result_in_picture
from bot.games.conquest.reinforcing import answer_placing
from bot.games.conquest.words import (
    certainty,
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
from bot.games.dice.words import game
from bot.languages import _
from bot.notation.defaults import reading_with
from bot.notation.lexer import may_name_a_preset
from bot.notation.reading import read_in_room
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.compared_plan import STOPPED, TAKEN, ComparedPlan
from bot.words.numbers import LAST, outer_percents
from solver.conquest.conquest import Aim, Conquest
from solver.conquest.odds import ConquestOdds
from solver.conquest.play import has_plans


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
