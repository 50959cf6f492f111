"""/compare: two plans side by side, and which is better; of more plans, several.py says which is best."""

from collections.abc import Sequence
from dataclasses import replace

from bot.charts import PLANS
from bot.commands.comparing.descriptions import describe_plans
from bot.commands.comparing.difference import (
    alternative,
    certainty,
    defender_text,
    has_bars,
    headlines,
    neither_name,
    rows,
    success_text,
    verdict,
)
from bot.commands.comparing.several import show_several
from bot.commands.comparing.solving import asked_facts, compare_plan, solve_plans
from bot.commands.comparing.steps import NAMES
from bot.games.base import require
from bot.languages import _
from bot.notation.defaults import reading_with
from bot.notation.lexer import may_name_a_preset
from bot.notation.plans import LONGEST_PLANS, Plans, parse_plans, split_plans, write_plans
from bot.replies import Button, Form, FormField, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.compared_plan import ComparedPlan, DrawnPlan

PAIR = 2
"""The number of plans that stand side by side."""


async def compare(request: Request, services: Services) -> Reply:
    """Compare two plans in one sentence, a small table, and one picture of both."""
    return await show_plans(await read_plans(request, services), request, services)


async def swap_plans(request: Request, services: Services) -> Reply:
    """Compare the two plans in the other order."""
    plans = await read_plans(request, services)
    return await show_plans(Plans((plans.second, plans.first)), request, services)


async def edit_plans(request: Request, services: Services) -> Form:
    """Ask for other plans with a form, filled in with the lines of both."""
    field = FormField("matchup", _("Two plans, || between them"), request.options["matchup"], LONGEST_PLANS)
    return Form(_("Change the plans"), "compare", (field,))


async def read_plans(request: Request, services: Services) -> Plans:
    """Read the two plans of the request's line; each may name a preset."""
    text = request.options["matchup"]
    named = any(may_name_a_preset(part) for part in split_plans(text))
    saved = await services.saved_lines(request.place) if named else {}
    with reading_with(request.line_defaults):
        return parse_plans(services.rooms, text, saved)


async def show_plans(plans: Plans, request: Request, services: Services) -> Reply:
    """Answer which of the plans is best."""
    if len(plans) > PAIR:
        return await show_several(plans, request, services)
    both = await _compared_plans(plans, services)
    rooms = services.rooms.of(plans.first.battle), services.rooms.of(plans.second.battle)
    described, asked = describe_plans(rooms, both), asked_facts(both)
    games = [plan.game for plan in both]
    alike = games[0] == games[1]
    return Reply(
        f"**{verdict(both)}**",
        facts=tuple(
            f"{name}: {text}{'' if alike else f' · {game}'}"
            for name, text, game in zip(NAMES, described, games, strict=True)
        )
        + asked,
        remarks=_remarks(*((*reading.remarks, *plan.caveats) for reading, plan in zip(plans, both, strict=True))),
        table=rows(both),
        note=" · ".join([certainty(both), *games[:alike]]),
        line=write_plans(services.rooms, plans),
        picture=replace(await _picture(plans, both, described, services), beside=asked),
        buttons=(
            Button(_("Odds of {plan}", plan="A"), "plan a"),
            Button(_("Odds of {plan}", plan="B"), "plan b"),
            Button(_("Swap A and B"), "swap plans"),
            Button(_("Edit"), "edit plans"),
        ),
        private=request.private,
    )


def _remarks(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Return the remarks about two plans: those about both once, and each other one with the name of its plan."""
    shared = [remark for remark in first if remark in second]
    parts = zip(NAMES, (first, second), strict=True)
    return (*shared, *(f"{name}: {remark}" for name, part in parts for remark in part if remark not in shared))


async def _compared_plans(plans: Plans, services: Services) -> tuple[ComparedPlan, ComparedPlan]:
    """Work out both plans at the same time; UserError says what is wrong with either."""
    battles = [reading.battle for reading in plans]
    both = await solve_plans(plans, services)
    rooms = [services.rooms.of(battle) for battle in battles]
    together, pair = require(rooms[0].comparison).together, None
    if together and rooms[0] is rooms[1] and all(odds.sampled and not odds.unplanned for odds in both):
        pair = await together(services.engine, *battles)
    first, second = (
        compare_plan(reading, odds, services) for reading, odds in zip(plans, pair[:2] if pair else both, strict=True)
    )
    apart = pair and pair[2:]
    return replace(first, apart=apart), replace(second, apart=apart)


async def _picture(
    plans: Plans, both: tuple[ComparedPlan, ComparedPlan], described: tuple[str, str], services: Services
) -> Picture:
    titles = []
    for text, reading in zip(described, plans, strict=True):
        words = require(services.rooms.of(reading.battle).words)
        titles.append([without_marks(text), *words.one_line_titles(reading.battle)])
    drawn = [
        DrawnPlan(texts, plan.chances, plan.numbers, neither_name(plan), plan.law if has_bars(both) else None)
        for texts, plan in zip(titles, both, strict=True)
    ]
    names = success_text(both), defender_text(both)
    key = tuple((plan.line, plan.chances, plan.asked) for plan in both)
    png = await services.engine.draw(PLANS, key, headlines(both), drawn, names, both[0].measure)
    return Picture(png, picture_name(f"compare {write_plans(services.rooms, plans)}"), alternative(both))
