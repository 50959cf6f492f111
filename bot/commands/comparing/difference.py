"""Two plans side by side in words: which is better and by how much, and a small table."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.commands.comparing.asked import about_asked, headlines_about_asked, verdict_about_asked
from bot.commands.comparing.steps import (
    NAMES,
    Difference,
    chance_difference,
    error_text,
    gain_difference,
    instead_text,
    plan_ahead,
    points_between,
    points_text,
    share_measure,
)
from bot.languages import N_, _, _p, compose, number
from bot.notation.plans import PLAN_NAMES
from bot.words.compared_plan import HOLDS, NEITHER, WINS, ComparedPlan, Figure, are_bounds
from bot.words.narrow import narrow
from bot.words.numbers import CALLED_OFF, HELD, NEARLY_HALF, exactness, fate_text, signed_tenths


class SuccessTexts(NamedTuple):
    """The attacker's success: by itself, where a plan has it more often, and behind a number of points."""

    name: str
    more_often: str
    to_succeed: str


SUCCEEDS = {
    "wins": SuccessTexts(N_("attacker wins"), N_("{plan} wins more often: {chances}, but {gain}"), N_("to win")),
    "takes it": SuccessTexts(
        N_("attacker takes it"), N_("{plan} takes it more often: {chances}, but {gain}"), N_("to take it")
    ),
    "takes all": SuccessTexts(
        N_("attacker takes all"), N_("{plan} takes all more often: {chances}, but {gain}"), N_("to take all")
    ),
    "holds it in the end": SuccessTexts(
        N_("attacker holds it"),
        N_("{plan} holds it in the end more often: {chances}, but {gain}"),
        N_("to hold it in the end"),
    ),
    "takes and holds": SuccessTexts(
        N_("takes and holds"),
        N_("{plan} takes and holds more often: {chances}, but {gain}"),
        N_("to take and hold"),
    ),
    "is worth it": SuccessTexts(
        N_("worth it"), N_("{plan} is worth it more often: {chances}, but {gain}"), N_("to be worth it")
    ),
    "succeeds": SuccessTexts(
        N_("attacker succeeds"), N_("{plan} succeeds more often: {chances}, but {gain}"), N_("to succeed")
    ),
}
"""These texts by `ComparedPlan.attacker_result`."""


class GainTexts(NamedTuple):
    """The texts about what the better plan gains or loses beside the other, in a sentence and in brief."""

    more: str
    less: str
    brief_more: str
    brief_less: str


GAINS = {
    "armies": GainTexts(
        N_("loses {armies} fewer armies on average"),
        N_("loses {armies} more armies on average"),
        N_("{armies} fewer armies lost"),
        N_("{armies} more armies lost"),
    ),
    "territories": GainTexts(
        N_("takes {amount} more territories on average"),
        N_("takes {amount} fewer territories on average"),
        N_("{amount} more territories"),
        N_("{amount} fewer territories"),
    ),
    "value": GainTexts(
        N_("takes {amount} more in value on average"),
        N_("takes {amount} less in value on average"),
        N_("{amount} more in value"),
        N_("{amount} less in value"),
    ),
}
"""These texts by `ComparedPlan.measure`, unless that is money."""
OF_MONEY = GainTexts(
    N_("brings {amount} {money} more on average"),
    N_("brings {amount} {money} less on average"),
    N_("{amount} {money} more"),
    N_("{amount} {money} less"),
)
IN_HUNDREDTHS = "territories", "value"
"""The measures that are small, so that a tenth says too little."""


def has_bars(plans: tuple[ComparedPlan, ComparedPlan]) -> bool:
    """Return whether a picture can show the endings of both plans as bars on one axis."""
    return share_measure(plans) and all(plan.law is not None for plan in plans)


def verdict(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Say in one sentence which plan is better and by how much."""
    chance, gain = chance_difference(plans), gain_difference(plans)
    if (plans[0].line, plans[0].asked) == (plans[1].line, plans[1].asked):
        return _("A and B are the same plan: {odds}", odds=_both_chances(plans))
    if _unplanned_names(plans):
        return _("I can't tell which is better: {plans}", plans=_unplanned_text(plans))
    if asked := about_asked(plans):
        return verdict_about_asked((asked[0], asked[1]))
    aim = gain if all(plan.by_gain for plan in plans) else None
    if are_bounds(plans):
        return _verdict_by_bounds(plans, aim or chance)
    return _verdict_by_gain(plans, aim) if aim else _verdict_by_chance(plans, chance, gain)


def _verdict_by_chance(plans: tuple[ComparedPlan, ComparedPlan], chance: Difference, gain: Difference | None) -> str:
    """Say which of two plans succeeds more often, and which gains more if that is counted."""
    way, money = chance.way, gain.way if gain else 0
    if not way and not money:
        return _no_difference(plans, chance)
    name, better = plan_ahead(plans, way or money)
    if not way:
        assert gain is not None, "money decides only where it is counted"
        values = {"plan": name, "gain": _gain_text(better, gain, money)}
        return compose("{plan} {gain}, {chance}", **values, chance=_as_likely_text(plans, chance))
    head = instead_text(better, plan_ahead(plans, -way)[1], chance)
    if money == -way:
        assert gain is not None, "money decides only where it is counted"
        return _(_success(plans).more_often, plan=name, chances=head, gain=_gain_text(better, gain, way))
    if gain and money:
        also = _gain_text(better, gain, way)
        return _("{plan} is better for the attacker: {chances}, and {gain}", plan=name, chances=head, gain=also)
    return _("{plan} is better for the attacker: {chances}", plan=name, chances=head)


def _verdict_by_bounds(plans: tuple[ComparedPlan, ComparedPlan], aim: Difference) -> str:
    """Say which of two plans is better, if every number that one may reach is above those of the other."""
    texts = [_mean_text(plan) if plan.by_gain else plan.numbers[WINS] for plan in plans]
    if not aim.way:
        named = (f"{name}: {text}" for name, text in zip(NAMES, texts, strict=True))
        return _("I can't tell which is better: {plans}", plans="; ".join(named))
    worse, better = texts[:: aim.way]
    chances = _("{better} instead of {worse}", better=better, worse=worse)
    return _("{plan} is better for the attacker: {chances}", plan=plan_ahead(plans, aim.way)[0], chances=chances)


def _verdict_by_gain(plans: tuple[ComparedPlan, ComparedPlan], gain: Difference) -> str:
    """Say which of two plans takes more on average."""
    if not gain.way:
        return _("Hardly any difference: {mean} on average", mean=_mean_text(plans[0]))
    name, better = plan_ahead(plans, gain.way)
    worse = plan_ahead(plans, -gain.way)[1]
    return _(
        "{plan} is better: {more} on average instead of {less}",
        plan=name,
        more=_mean_text(better),
        less=_mean_text(worse),
    )


def _mean_text(plan: ComparedPlan) -> str:
    """Say what a plan takes or brings on average: "3.80 territories", "a value of 5.10", "+4.3 IPC"."""
    if plan.worth is not None:
        return compose("{amount} {money}", amount=signed_tenths(plan.gain or 0.0), money=plan.measure)
    mean = number(plan.gain or 0.0, 2)
    if plan.most is not None:
        mean = f"{mean}–{number(plan.most + NEARLY_HALF / 100, 2)}"
    return _("{mean} territories", mean=mean) if plan.measure == "territories" else _("a value of {mean}", mean=mean)


def headlines(plans: tuple[ComparedPlan, ComparedPlan]) -> list[str]:
    """Say which plan is better in a few words for the picture, then in still fewer."""
    if _unplanned_names(plans) and plans[0].line != plans[1].line:
        return [_unplanned_text(plans)]
    if asked := about_asked(plans):
        return headlines_about_asked((asked[0], asked[1]))
    chance, gain = chance_difference(plans), gain_difference(plans)
    way, money = chance.way, gain.way if gain else 0
    if are_bounds(plans) and way:
        return [_("best: {plans}", plans=plan_ahead(plans, way)[0])]
    if not way or all(plan.by_gain for plan in plans):
        return [_headline_by_gain(plans, chance, gain)]
    name, better = plan_ahead(plans, way)
    points = {"plan": name, "points": points_text(chance.by * way), "to_win": _(_success(plans).to_succeed)}
    short = _("{plan}: {points} points {to_win}", **points)
    if not gain or not money:
        return [short]
    more = _gain_text(better, gain, way, brief=True)
    if money == -way:
        return [_("{plan}: {points} points {to_win}, but {gain}", **points, gain=more), short]
    return [_("{plan}: {points} points {to_win}, {gain}", **points, gain=more), short]


def _headline_by_gain(plans: tuple[ComparedPlan, ComparedPlan], chance: Difference, gain: Difference | None) -> str:
    """Say which plan gains more, or that there is hardly a difference."""
    if gain and gain.way:
        name, better = plan_ahead(plans, gain.way)
        return _("{plan} is better: {gain}", plan=name, gain=_gain_text(better, gain, gain.way, brief=True))
    if chance.unsure:
        return _("Too close to tell")
    return _("Hardly any difference") if chance.by else _("No difference")


def neither_name(plan: ComparedPlan) -> str:
    """Return the short name of the ends that neither side wins."""
    ends = [fate for fate in plan.fates if _(fate.name) != _(plan.defender_result)]
    if plan.chances[NEITHER] <= 0 or len(ends) != 1:
        return _("neither")
    name = _(ends[0].name)
    return _p("short", "attack called off") if name == _(CALLED_OFF) else name


def rows(plans: tuple[ComparedPlan, ComparedPlan]) -> tuple[str, ...]:
    """Return the table: a row for every number of a plan, and by how much the second plan differs in it."""
    first, second = plans
    cells = [["", *NAMES, ""]]
    if asked := about_asked(plans):
        cells.append([_("that end"), *_both_numbers(asked)])
    cells.append([success_text(plans), *_both_numbers(plans)])
    for name, before, after in _pairs(first.fates, second.fates):
        step = (after.amount if after else 0.0) - (before.amount if before else 0.0)
        cells.append(_row(name, before, after, points_between(plans, step)))
    return narrow([*cells, *_figure_rows(plans)], "<>>>")


def _figure_rows(plans: tuple[ComparedPlan, ComparedPlan]) -> list[list[str]]:
    """Return the rows of all numbers that are no chances."""
    first, second = plans
    cells: list[list[str]] = []
    counted = [_("counted in"), first.measure, second.measure, ""]
    for name, before, after in _pairs(first.figures, second.figures):
        strange = before and after and before.money and not share_measure(plans)
        blank = strange or are_bounds(plans)
        if strange and counted not in cells:
            cells.append(counted)
        step_text = signed_tenths(after.amount - before.amount) if before and after and not blank else ""
        cells.append(_row(name, before, after, step_text))
    return cells


def _both_numbers(plans: Sequence[ComparedPlan]) -> list[str]:
    """Write the attacker's chance in both plans, and by how much it differs."""
    first, second = plans
    step = second.chances[WINS] - first.chances[WINS]
    return [first.numbers[WINS], second.numbers[WINS], points_between(plans, step)]


def _row(name: str, before: Figure | None, after: Figure | None, step: str) -> list[str]:
    """Return the cells of a row: a figure of both plans, of which one may lack it, and the step between them."""
    return [_(name), before.text if before else "–", after.text if after else "–", step]


def _pairs(before: Sequence[Figure], after: Sequence[Figure]) -> list[tuple[str, Figure | None, Figure | None]]:
    """Pair the figures of both plans by their names; None stands for a figure that a plan lacks."""
    first, second = ({figure.name: figure for figure in figures} for figures in (before, after))
    return [(name, first.get(name), second.get(name)) for name in dict.fromkeys([*first, *second])]


def certainty(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Say how sure the numbers of both plans are."""
    first, second = (plan.certainty or exactness(plan.error) for plan in plans)
    return first if first == second else compose("A {first}, B {second}", first=first, second=second)


def certainty_of(plans: Sequence[ComparedPlan]) -> str:
    """Say how sure the numbers of several plans are: those of all, or each by its name."""
    texts = [plan.certainty or exactness(plan.error) for plan in plans]
    return (
        texts[0]
        if len({*texts}) == 1
        else ", ".join(f"{name} {text}" for name, text in zip(PLAN_NAMES, texts, strict=False))
    )


def ends_text(plan: ComparedPlan) -> str:
    """Say how a plan may end, with its chances."""
    return ", ".join(_ends(plan))


def alternative(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Describe the picture in a few sentences, for people who cannot see it."""
    parts = [f"{name}: {', '.join(_ends(plan))}." for name, plan in zip(NAMES, plans, strict=True)]
    if has_bars(plans):
        armies = plans[0].measure == "armies"
        left = _("Bars show how many are left of each side, A above B.")
        parts.append(left if armies else _("Bars show the TUV swing, A above B."))
    return f"{verdict(plans)}. {' '.join(parts)}"


def _ends(plan: ComparedPlan) -> list[str]:
    """List the ends of a plan with their chances, as the table has them."""
    ends = [fate_text(_(SUCCEEDS[plan.attacker_result].name), plan.numbers[WINS])]
    if plan.chances[HOLDS] > 0 or not plan.fates:
        ends.append(fate_text(_(plan.defender_result), plan.numbers[HOLDS]))
    return ends + [fate_text(_(fate.name), fate.text) for fate in plan.fates if _(fate.name) != _(plan.defender_result)]


def success_text(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Name the attacker's success in both plans: "attacker takes it"."""
    return _(_success(plans).name)


def defender_text(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Name the defender's success in both plans: "defender holds"."""
    return _(plans[0].defender_result if plans[0].defender_result == plans[1].defender_result else HELD)


# Parts of sentences -------------------------------------------------------------------------------------


def _success(plans: tuple[ComparedPlan, ComparedPlan]) -> SuccessTexts:
    """Return the texts about the attacker's success in both plans."""
    first, second = (plan.attacker_result for plan in plans)
    return SUCCEEDS[first if first == second else "succeeds"]


def _unplanned_names(plans: tuple[ComparedPlan, ComparedPlan]) -> list[str]:
    """Return the names of the plans that are too large to follow with their rules."""
    return [name for name, plan in zip(NAMES, plans, strict=True) if plan.unplanned]


def _unplanned_text(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Say which plans are too large: "B is too large to plan"."""
    unplanned = _unplanned_names(plans)
    if len(unplanned) == 2:
        return _("A and B are too large to plan")
    return _("{plan} is too large to plan", plan=unplanned[0])


def _both_chances(plans: tuple[ComparedPlan, ComparedPlan]) -> str:
    """Write the attacker's nearly equal chances in both plans: "attacker wins 78.6%"."""
    first, second = (plan.numbers[WINS] for plan in plans)
    chances = first if first == second else _("{first} or {second}", first=first, second=second)
    return compose("{attacker} {chances}", attacker=success_text(plans), chances=chances)


def _no_difference(plans: tuple[ComparedPlan, ComparedPlan], chance: Difference) -> str:
    """Say that neither plan is better, and how sure that is."""
    if chance.unsure:
        return _("Too close to tell: {odds}, ± {error} points", odds=_both_chances(plans), error=error_text(chance))
    if abs(chance.by) < 1e-9:
        return _("Both plans come to the same: {odds}", odds=_both_chances(plans))
    return _("Hardly any difference: {odds}", odds=_both_chances(plans))


def _as_likely_text(plans: tuple[ComparedPlan, ComparedPlan], chance: Difference) -> str:
    """Say that the chances are nearly equal: "at nearly the same chance: attacker wins 78.6%"."""
    if chance.unsure:
        values = {"odds": _both_chances(plans), "error": error_text(chance)}
        return _("and the chance is too close to tell: {odds}, ± {error} points", **values)
    if abs(chance.by) < 1e-9:
        return _("at the same chance: {odds}", odds=_both_chances(plans))
    return _("at nearly the same chance: {odds}", odds=_both_chances(plans))


def _gain_text(plan: ComparedPlan, gain: Difference, way: int, brief: bool = False) -> str:
    """Say what the better plan gains beside the other: "loses 1.3 fewer armies on average", or in a few words."""
    more, less, brief_more, brief_less = GAINS.get(plan.measure, OF_MONEY)
    text = (brief_more if brief else more) if gain.by * way > 0 else (brief_less if brief else less)
    amount = number(abs(gain.by), 2) if plan.measure in IN_HUNDREDTHS else number(abs(gain.by))
    return _(text, amount=amount, armies=amount, money=plan.measure)
