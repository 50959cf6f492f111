"""The chance that all plans of a comparison ask about, as in `left:5+`: it decides which is better."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.comparing.steps import chance_difference, error_text, instead_text, plan_ahead, points_text
from bot.languages import _
from bot.words.compared_plan import WINS, ComparedPlan


def about_asked(plans: Sequence[ComparedPlan]) -> list[ComparedPlan]:
    """Return the plans with the chance that they ask about in place of the attacker's; nothing if one asks none."""
    known: list[ComparedPlan] = []
    for plan in plans:
        if plan.asked is None or plan.asked.chance is None:
            return []
        chances, texts = (plan.asked.chance, 0.0, 1 - plan.asked.chance), (plan.asked.number, "", "")
        known.append(replace(plan, chances=chances, texts=texts, apart=None, by_gain=False))
    return known


def verdict_about_asked(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Say with which of two plans the ends that they ask about are likelier."""
    chance = chance_difference(plans)
    if not chance.way:
        first, second = (plan.numbers[WINS] for plan in plans)
        chances = first if first == second else _("{first} or {second}", first=first, second=second)
        if chance.unsure:
            return _(
                "Too close to tell for the end you ask about: {chances}, ± {error} points",
                chances=chances,
                error=error_text(chance),
            )
        return _("Hardly any difference for the end you ask about: {chances}", chances=chances)
    name, better = plan_ahead(plans, chance.way)
    chances = instead_text(better, plan_ahead(plans, -chance.way)[1], chance)
    return _("The end you ask about is likelier with {plan}: {chances}", plan=name, chances=chances)


def headlines_about_asked(plans: tuple[ComparedPlan, ComparedPlan]) -> list[str]:
    """Say in a few words with which plan the ends that they ask about are likelier."""
    chance = chance_difference(plans)
    if not chance.way:
        return [verdict_about_asked(plans)]
    name, points = plan_ahead(plans, chance.way)[0], points_text(abs(chance.by))
    return [_("{plan}: {points} points for that end", plan=name, points=points)]
