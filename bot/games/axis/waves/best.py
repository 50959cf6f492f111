"""/need and /order for several waves: what to bring, and the best casualty orders."""

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.best.bring import BringTexts, aims_anew, ask_for_defender, need_reply, read_goal
from bot.games.axis.best.order import best_names, order_reply
from bot.games.axis.best.order_words import OrderTexts, SuccessTexts, Wording, pair_text
from bot.games.axis.remarks import remarks_of_waves
from bot.games.axis.waves.answers import answer_battle
from bot.games.axis.waves.words import describe, matchup, titles
from bot.games.axis.words import side_text
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _n
from bot.replies import Reply
from bot.request import Request, Services
from solver.axis.best.armies import ArmyGoal
from solver.axis.limits import survey_within
from solver.axis.loss_order import usual_order
from solver.axis.sides import Units
from solver.axis.units import ROLES, Role
from solver.axis.waves.orders import WavesNames, best_wave_orders, role_in_wave, with_wave_orders
from solver.axis.waves.waves import Waves


async def answer_need(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Find the cheapest part of one side's first army with which it holds the field in the end with a chance."""
    if reading.asked.get("survive"):
        raise UserError(_("With several waves I look for the army that holds it in the end. Leave out `survive`."))
    reading, goal = read_goal(reading, request, "wins")
    waves = reading.battle
    survey = await services.engine.compute_within(survey_within, waves, goal)
    return await need_reply(bring_texts(waves, goal), goal, survey, reading, request, services)


def bring_texts(waves: Waves, goal: ArmyGoal) -> BringTexts:
    """Return the texts about the first army of a side in several waves."""
    first, ours = waves.battles[0], goal.role == "attack"
    army = first.attacker if ours else first.defender
    stops = first.theatre == "sea" and not ours

    def success(army: str, count: int) -> str:
        names = {"army": army}
        if stops:
            return _n("{army} at the start stops the attacker", "{army} at the start stop the attacker", count, **names)
        return _n("{army} at the start holds it in the end", "{army} at the start hold it in the end", count, **names)

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
        tuple(filter(None, [matchup(waves), varied, aims_anew(waves.battles[0], goal), ask_for_defender(goal)])),
    )


SUCCESS_TEXTS: dict[tuple[Role, str], SuccessTexts] = {
    ("attack", "land"): SuccessTexts(
        N_("holds it"),
        N_("holds it in the end {chance}"),
        N_("**Attacker's best casualty orders: {units}**, {chance} to hold it in the end ({given})"),
    ),
    ("defence", "land"): SuccessTexts(
        N_("holds it"),
        N_("holds it in the end {chance}"),
        N_("**Defender's best casualty orders: {units}**, {chance} to hold it in the end ({given})"),
    ),
    ("defence", "sea"): SuccessTexts(
        N_("stops the attacker"),
        N_("stops the attacker {chance}"),
        N_("**Defender's best casualty orders: {units}**, {chance} to stop the attacker ({given})"),
    ),
}
SUCCESS_TEXTS["attack", "sea"] = SUCCESS_TEXTS["attack", "land"]
WORDING = Wording(
    (N_("usual orders: {chance}"), N_("yours: {chance}")),
    (N_("the usual orders are almost the best"), N_("your orders are almost the best")),
    (N_("the usual orders are best"), N_("your orders are best")),
    (N_("the usual orders are the best found"), N_("your orders are the best found")),
    (N_("the usual orders"), N_("your orders")),
    N_("the same orders"),
    N_("all combinations of orders tried: {orders}"),
    (
        N_("{tried} of the attacker's {all} combinations of orders"),
        N_("{tried} of the defender's {all} combinations of orders"),
    ),
)


async def answer_order(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Show the best casualty orders of both sides in all waves."""
    orders = await services.engine.compute_within(best_wave_orders, waves)
    return order_reply(order_texts(waves), orders, write_armies(waves), reading, request)


async def answer_with_best(role: Role, waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of the waves if a side uses its best casualty orders."""
    del reading
    side = ROLES.index(role)
    best = best_names((await services.engine.compute_within(best_wave_orders, waves))[side])
    after = with_wave_orders(waves, side, best)
    return await answer_battle(after, Reading(after, of_battle=tuple(remarks_of_waves(after))), request, services)


def order_texts(waves: Waves) -> OrderTexts[WavesNames]:
    """Return the texts about the orders of several waves."""
    first, edition = waves.battles[0], editions()[waves.battles[0].rules.key]

    def order(names: WavesNames) -> str:
        return "; ".join(
            _("wave {wave} {units}", wave=number, units=" ".join(edition.short[name] for name in kinds))
            for number, kinds in enumerate(names, start=1)
            if len(kinds) > 1
        )

    def change(names: WavesNames, current: WavesNames) -> str:
        # What stays as it is goes without saying.
        changed = tuple(kinds if kinds != other else () for kinds, other in zip(names, current, strict=True))
        return order(changed)

    def pair(kinds: tuple[str, str], names: WavesNames, current: WavesNames) -> str:
        wave = next(number for number, order_there in enumerate(names) if order_there != current[number])
        return _("{units} in wave {wave}", units=pair_text(first, kinds), wave=wave + 1)

    def is_usual(role: Role, names: WavesNames) -> bool:
        for number, (battle, order_there) in enumerate(zip(waves.battles, names, strict=True)):
            usual = usual_order(battle.rules, battle.theatre, role_in_wave(waves, ROLES.index(role), number))
            if tuple(name for name in usual if name in order_there) != order_there:
                return False
        return True

    return OrderTexts(
        first,
        f"{describe(waves)} · {_(edition.name)}",
        {role: SUCCESS_TEXTS[role, first.theatre] for role in ROLES},
        order,
        change,
        pair,
        is_usual,
        lambda _role, _order: False,
        WORDING,
    )
