"""/order: which casualty order is best for each side of a battle of Axis & Allies, and the odds with it."""

from bot.errors import UserError
from bot.games.axis.best.order_words import OrderTexts, note, order_lines, rows
from bot.games.axis.chosen_casualties import choice_lines, choice_rows
from bot.games.axis.options import ARMIES
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.notation.lexer import normal
from bot.replies import Button, Reply
from bot.request import Request, Services, read_question
from solver.axis.best.order_names import with_orders
from solver.axis.best.orders import best_orders
from solver.axis.best.ranking import SideOrders
from solver.axis.casualties.limits import choices_within
from solver.axis.checks import may_choose
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves


async def order(request: Request, services: Services) -> Reply:
    """Answer /order and the buttons under its answer."""
    right = request.as_example_here(services.rooms, f"order {ARMIES}").removeprefix("order ")
    if not normal(request.options["matchup"]):
        raise UserError(_("For which battle? For example `/order {battle}`.", battle=right), f"order {right}")
    reading = await read_question(request, services)
    refusal = _(
        "Casualty orders are for Axis & Allies: `/order {battle}`. In other games all armies are alike.", battle=right
    )
    return await services.rooms.answer(request.command, reading, request, services, refusal)


async def answer_order(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Show the best casualty orders of both sides, of several waves those in all of them."""
    ignored = [_("`/order` ignores `choose`.")] if battle.has_choices else []
    battle = battle.in_order
    orders, texts = await services.engine.compute_within(best_orders, battle), OrderTexts(battle)
    head, *facts = order_lines(texts, orders)
    table = rows(texts, orders)
    if battle.only and not may_choose(battle.only):
        ignored.append(_("What to lose now is left out, as the defender may leave (`dretreat`)."))
    elif battle.only:
        choices = await services.engine.compute_within(choices_within, battle.only)
        facts += choice_lines(battle.only, orders, choices)
        table += choice_rows(battle.only, orders, choices)
    return Reply(
        head,
        facts=tuple(facts),
        remarks=(*reading.remarks, *ignored),
        table=table,
        note=note(texts.wording, orders),
        line=write_armies(battle),
        buttons=(
            Button(_("Attacker's best"), "best attack", enabled=_better(orders.attacker)),
            Button(_("Defender's best"), "best defence", enabled=_better(orders.defender)),
            Button(_("Odds"), "battle"),
        ),
        private=request.private,
    )


async def answer_with_best(role: Role, battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of the battle if a side uses its best casualty order, or orders in several waves."""
    del reading
    number = ROLES.index(role)
    side = (await services.engine.compute_within(best_orders, battle))[number]
    if side is None:
        raise UserError(_("That side has no casualty order to choose."))
    after = with_orders(battle, number, side.chance.order.names)
    return await services.rooms.answer("battle", services.rooms.with_remarks(Reading(after)), request, services)


def _better(side: SideOrders | None) -> bool:
    return side is not None and side.chance.order.names != side.given.names
