"""/order: which order of loss is best for each side of a battle of Axis & Allies; and the odds with it."""

from bot.commands.battle import show
from bot.commands.request import Request, Services, read
from bot.errors import UserError
from bot.languages import _
from bot.matchup import Reading, normal
from bot.matchup.army_words import ARMIES
from bot.order_wording import answer, note, rows
from bot.replies import Button, Reply, with_remarks
from solver.axis import AxisBattle
from solver.axis_orders import SideOrders, with_order
from solver.units import ROLES, Role
from solver.waves import Waves


async def order(request: Request, services: Services) -> Reply:
    """The best orders of loss of both sides."""
    reading, battle = await _read(request, services)
    orders = await services.engine.orders(battle)
    return Reply(
        with_remarks(answer(battle, orders), reading.remarks),
        table=rows(battle, orders),
        note=note(battle, orders),
        buttons=(
            Button(_("Attacker's best"), "best attack", enabled=_better(orders.attacker)),
            Button(_("Defender's best"), "best defence", enabled=_better(orders.defender)),
            Button(_("Odds"), "battle"),
        ),
        private=request.private,
    )


async def use_attack(request: Request, services: Services) -> Reply:
    """The odds with the attacker's best order."""
    return await _use("attack", request, services)


async def use_defence(request: Request, services: Services) -> Reply:
    """The odds with the defender's best order."""
    return await _use("defence", request, services)


async def _use(role: Role, request: Request, services: Services) -> Reply:
    _reading, battle = await _read(request, services)
    side = (await services.engine.orders(battle))[ROLES.index(role)]
    if side is None:
        raise UserError(_("That side has no casualty order to choose."))
    return await show(Reading(with_order(battle, role, side.chance.order.names)), request, services)


def _better(side: SideOrders | None) -> bool:
    return side is not None and side.chance.order.names != side.given.names


async def _read(request: Request, services: Services) -> tuple[Reading, AxisBattle]:
    right = request.offered(f"order {ARMIES}").removeprefix("order ")
    if not normal(request.options["matchup"]):
        raise UserError(_("For which battle? For example `/order {battle}`.", battle=right), f"order {right}")
    reading = await read(request, services)
    if isinstance(reading.battle, Waves):
        raise UserError(_("I can work out the best casualty order for one wave at a time."))
    if not isinstance(reading.battle, AxisBattle):
        told = _(
            "Casualty orders are for Axis & Allies: `/order {battle}`. In other games all armies are alike.",
            battle=right,
        )
        raise UserError(told)
    return reading, reading.battle
