"""/order for several waves: the best casualty orders of each side, and the odds with them."""

from bot.editions import editions
from bot.games.axis.best.order import best_names, order_reply
from bot.games.axis.best.order_words import OrderTexts, SuccessTexts, Wording, pair_text
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.games.waves.answers import answer_battle
from bot.games.waves.remarks import battle_remarks
from bot.games.waves.words import describe
from bot.languages import N_, _
from bot.replies import Reply
from bot.request import Request, Services
from solver.axis.loss_order import usual_order
from solver.axis.units import ROLES, Role
from solver.waves.orders import WavesNames, best_wave_orders, role_in_wave, with_wave_orders
from solver.waves.waves import Waves

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
    return order_reply(texts_of(waves), orders, write_armies(waves), reading, request)


async def answer_with_best(role: Role, waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of the waves if a side uses its best casualty orders."""
    del reading
    side = ROLES.index(role)
    best = best_names((await services.engine.compute_within(best_wave_orders, waves))[side])
    after = with_wave_orders(waves, side, best)
    return await answer_battle(after, Reading(after, of_battle=tuple(battle_remarks(after))), request, services)


def texts_of(waves: Waves) -> OrderTexts[WavesNames]:
    """Return the texts about the orders of several waves."""
    first, edition = waves.battles[0], editions()[waves.battles[0].rules.key]

    def order(names: WavesNames) -> str:
        return "; ".join(
            _("wave {wave} {units}", wave=number, units=" ".join(edition.short[name] for name in one))
            for number, one in enumerate(names, start=1)
            if len(one) > 1
        )

    def change(names: WavesNames, given: WavesNames) -> str:
        # What stays as it is goes without saying.
        changed = tuple(one if one != other else () for one, other in zip(names, given, strict=True))
        return order(changed)

    def pair(kinds: tuple[str, str], names: WavesNames, given: WavesNames) -> str:
        wave = next(number for number, one in enumerate(names) if one != given[number])
        return _("{units} in wave {wave}", units=pair_text(first, kinds), wave=wave + 1)

    def is_usual(role: Role, names: WavesNames) -> bool:
        for number, (battle, one) in enumerate(zip(waves.battles, names, strict=True)):
            usual = usual_order(battle.rules, battle.theatre, role_in_wave(waves, ROLES.index(role), number))
            if tuple(name for name in usual if name in one) != one:
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
