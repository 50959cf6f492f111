"""/compare with more than two plans: a table with a row for each, the best marked, and a picture of their chances."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.charts import SEVERAL, DrawnChances
from bot.commands.comparing.asked import about_asked
from bot.commands.comparing.difference import SUCCEEDS, certainty_of, ends_text
from bot.commands.comparing.solving import asked_facts, compare_plan, solve_plans
from bot.commands.comparing.steps import LEAST, LEAST_GAIN, points_between, points_text
from bot.games.base import require
from bot.languages import N_, _, join_texts
from bot.notation.plans import PLAN_NAMES, Plans, write_plans
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.compared_plan import DAMAGE, HOLDS, LOST, PROFIT, TAKEN, WINS, ComparedPlan, are_bounds
from bot.words.narrow import narrow
from bot.words.numbers import fate_text

HEADS = {
    "wins": N_("wins"),
    "takes it": N_("takes it"),
    "takes all": N_("takes all"),
    "holds it in the end": N_("holds it"),
    "takes and holds": N_("takes and holds"),
    "is worth it": N_("worth it"),
    "succeeds": N_("succeeds"),
}
"""The heads of the column with the chances, by `ComparedPlan.attacker_result`."""
AMOUNTS = {LOST: N_("lost"), PROFIT: N_("TUV"), TAKEN: N_("taken"), DAMAGE: N_("damage")}
"""The heads of columns with amounts, by their names; the first that all plans have is shown."""


LONGEST_FACTS = 500
"""The most characters of what the plans are, which stands in full in the line below."""


async def show_several(plans: Plans, request: Request, services: Services) -> Reply:
    """Answer which of several plans is best."""
    rooms, results = [services.rooms.of(plan.battle) for plan in plans], await solve_plans(plans, services)
    compared = [compare_plan(plan, odds, services) for plan, odds in zip(plans, results, strict=True)]
    games = list(dict.fromkeys(plan.game for plan in compared))
    named, asked = list(zip(PLAN_NAMES, plans, compared, strict=False)), asked_facts(compared)
    return Reply(
        f"**{verdict(compared)}**",
        facts=(*_facts(compared, len(games) > 1), *asked),
        remarks=_remarks([(name, (*reading.remarks, *plan.caveats)) for name, reading, plan in named]),
        table=rows(compared),
        note=" · ".join([certainty_of(compared), *(games if len(games) == 1 else ())]),
        line=write_plans(services.rooms, plans),
        picture=replace(await _picture(plans, compared, rooms, services), beside=asked),
        buttons=(
            *(Button(_("Odds of {plan}", plan=name), f"plan {name.lower()}") for name, _reading, _plan in named),
            Button(_("Edit"), "edit plans"),
        ),
        private=request.private,
    )


def best_plans(plans: Sequence[ComparedPlan]) -> list[int]:
    """Return the places of the best plans: of the best one, and of those that nobody can tell from it."""
    plans = about_asked(plans) or plans
    by_gain = _is_by_gain(plans)
    worths = [(plan.gain or 0.0) if by_gain else plan.chances[WINS] for plan in plans]
    errors = [plan.gain_error if by_gain else plan.error for plan in plans]
    top = max(range(len(plans)), key=worths.__getitem__)
    least = LEAST_GAIN if by_gain else LEAST
    return [
        place
        for place, (worth, plan) in enumerate(zip(worths, plans, strict=True))
        if worths[top] - worth <= max(least, errors[top] + errors[place]) or (plan.most or 0.0) > worths[top]
    ]


def _is_by_gain(plans: Sequence[ComparedPlan]) -> bool:
    """Tell whether all plans aim at a gain that is counted alike, not at the chance."""
    alike = len({(plan.measure, str(plan.worth)) for plan in plans}) == 1
    return alike and all(plan.by_gain and plan.gain is not None for plan in plans)


def verdict(plans: Sequence[ComparedPlan]) -> str:
    """Say which plan is best, or that nobody can tell."""
    unplanned = [name for name, plan in zip(PLAN_NAMES, plans, strict=False) if plan.unplanned]
    if unplanned:
        return _("I can't tell which is best: too large to plan: {plans}", plans=", ".join(unplanned))
    best, asked = best_plans(plans), about_asked(plans)
    if len(best) > 1 and are_bounds([plans[place] for place in best]):
        return _("I can't tell which of these is best: {plans}", plans=", ".join(PLAN_NAMES[place] for place in best))
    if len(best) == len(plans):
        if asked:
            return _("Hardly any difference for the end you ask about: {chances}", chances=asked[0].numbers[WINS])
        return _("Hardly any difference: {odds}", odds=_success_text(plans[best[0]]))
    if asked:
        likeliest = join_texts(", ", [PLAN_NAMES[place] for place in best])
        chances = asked[best[0]].numbers[WINS]
        return _("The end you ask about is likeliest with {plan}: {chances}", plan=likeliest, chances=chances)
    names = [PLAN_NAMES[place] for place in best]
    text = N_("{plan} is best for the attacker: {odds}")
    if len(names) > 1:
        text = N_("{plan} are best for the attacker, hardly any difference between them: {odds}")
    return _(text, plan=join_texts(", ", names), odds=_success_text(plans[best[0]]))


def _success_text(plan: ComparedPlan) -> str:
    """Write the chance of the attacker's success: "attacker wins 98.8%"."""
    return fate_text(_(SUCCEEDS[plan.attacker_result].name), plan.numbers[WINS])


def rows(plans: Sequence[ComparedPlan]) -> tuple[str, ...]:
    """Return the table: a row for each plan, with its chance, by how much it is below the best, and what it costs."""
    if asked := about_asked(plans):
        return _rows_about_asked(plans, asked)
    results = {plan.attacker_result for plan in plans}
    top, best = max(plan.chances[WINS] for plan in plans), best_plans(plans)
    amount = next((name for name in AMOUNTS if all(name in _amounts(plan) for plan in plans)), None)
    head = _(HEADS[results.pop() if len(results) == 1 else "succeeds"])
    cells = [["", head, _("points"), *([_(AMOUNTS[amount])] if amount else []), ""]]
    for place, plan in enumerate(plans):
        name, step = PLAN_NAMES[place], plan.chances[WINS] - top
        amounts = [_amounts(plan)[amount]] if amount else []
        mark = _("best") if place in best and len(best) < len(plans) else ""
        cells.append([name, plan.numbers[WINS], points_between(plans, step), *amounts, mark])
    return narrow(cells, f"<>>{'>' if amount else ''}<")


def _rows_about_asked(plans: Sequence[ComparedPlan], asked: Sequence[ComparedPlan]) -> tuple[str, ...]:
    """Return the table of plans that ask about ends: how likely these are, and the attacker's chance."""
    results, best = {plan.attacker_result for plan in plans}, best_plans(plans)
    top = max(plan.chances[WINS] for plan in asked)
    cells = [["", _("asked"), _("points"), _(HEADS[results.pop() if len(results) == 1 else "succeeds"]), ""]]
    for place, (name, plan, end) in enumerate(zip(PLAN_NAMES, plans, asked, strict=False)):
        mark = _("likeliest") if place in best and len(best) < len(plans) else ""
        cells.append([name, end.numbers[WINS], points_text(end.chances[WINS] - top), plan.numbers[WINS], mark])
    return narrow(cells, "<>>><")


def _amounts(plan: ComparedPlan) -> dict[str, str]:
    """Return the amounts of a plan in words, by their names."""
    return {figure.name: figure.text for figure in plan.figures}


def _facts(plans: Sequence[ComparedPlan], with_games: bool) -> tuple[str, ...]:
    """Say what each plan is: in words if these differ, else by its line; nothing if that is long, as the line below."""
    described = len({plan.description for plan in plans}) == len(plans)
    texts = [plan.description if described else f"`{plan.line}`" for plan in plans]
    games = [f" · {plan.game}" if with_games else "" for plan in plans]
    if sum(map(len, texts)) > LONGEST_FACTS:
        return ()
    return tuple(f"{name}: {text}{game}" for name, text, game in zip(PLAN_NAMES, texts, games, strict=False))


def _remarks(named: Sequence[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """Return the remarks about all plans once, and each other one with the names of its plans."""
    every = dict.fromkeys(remark for _name, remarks in named for remark in remarks)
    whose = {remark: [name for name, remarks in named if remark in remarks] for remark in every}
    return tuple(
        remark if len(names) == len(named) else f"{', '.join(names)}: {remark}" for remark, names in whose.items()
    )


async def _picture(plans: Plans, compared: Sequence[ComparedPlan], rooms: Sequence[Any], services: Services) -> Picture:
    """Return the picture with the chances of each plan, or with those that all plans ask about."""
    best, asked = best_plans(compared), about_asked(compared)
    drawn = [
        DrawnChances(
            PLAN_NAMES[place],
            [*require(room.words).one_line_titles(reading.battle)],
            plan.chances,
            (plan.numbers[WINS], plan.numbers[HOLDS]),
            place in best,
        )
        for place, (room, reading, plan) in enumerate(zip(rooms, plans, asked or compared, strict=True))
    ]
    key = tuple((plan.line, plan.chances, plan.asked) for plan in compared)
    text = without_marks(verdict(compared))
    png = await services.engine.draw(SEVERAL, key, [text, *_short(compared)], drawn)
    texts = [plan.numbers[WINS] for plan in asked] or [ends_text(plan) for plan in compared]
    ends = "; ".join(f"{name}: {text}" for name, text in zip(PLAN_NAMES, texts, strict=False))
    name = picture_name(f"compare {write_plans(services.rooms, plans)}")
    described = _("{verdict}. Bands show the chances: {plans}.", verdict=text, plans=ends)
    return Picture(png, name, described, table=not asked)


def _short(plans: Sequence[ComparedPlan]) -> list[str]:
    """Return the verdict in a few words, for the picture."""
    best = best_plans(plans)
    if len(best) == len(plans):
        return [_("Hardly any difference")]
    names = ", ".join(PLAN_NAMES[place] for place in best)
    return [_("likeliest: {plans}", plans=names) if about_asked(plans) else _("best: {plans}", plans=names)]
