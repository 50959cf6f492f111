"""Orders of loss over several waves: an order lasts, for the units that are left, until a wave gives another."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.editions import Edition
from solver.axis.loss_order import usual_order
from solver.axis.units import AMPHIBIOUS, Role, Rules, Theatre

USUAL_ORDER = "usual"
"""The word for the usual order of loss: it takes back another that would go on."""
Order = tuple[str, ...]
"""Names of units, first lost first; empty for the usual order."""


class LastingOrders:
    """The order of loss of each side, and the units it loses late, as they go on from wave to wave.

    The attacker of the first wave is side 0. `defender`, `guns` and `keep` are what goes on for the defender of the
    wave that was begun last.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules, self._side = rules, 0
        self._orders: list[Order] = [(), ()]
        self._guns = [False, False]
        self._keep = [0, 0]

    def begin(self, hold: bool) -> None:
        """Begin the next wave. In a hold the captors defend, so the sides change places."""
        self._side ^= hold

    @property
    def defender(self) -> Order:
        """The order of loss of the defender, if this wave gives none."""
        return self._orders[1 - self._side]

    @property
    def guns(self) -> bool:
        """Whether the defender's guns are lost last but one, if this wave does not say so."""
        return self._guns[1 - self._side]

    @property
    def keep(self) -> int:
        """How many of the defender's land units are kept to the last, if this wave does not say so."""
        return self._keep[1 - self._side]

    def keeps(self, land: int) -> None:
        """Note how many of the attacker's land units are kept: those who capture are."""
        self._keep[self._side] = land

    def attacks(self, order: Order) -> None:
        """Note the order of loss that a wave gives for its attacker: who captures keeps it."""
        names = (name.removeprefix(AMPHIBIOUS) for name in order)
        self._orders[self._side] = tuple(dict.fromkeys(self._rules.table[name].repaired or name for name in names))

    def defends(self, order: Order, guns: bool, keep: int) -> None:
        """Note how the defender of a wave is lost."""
        other = 1 - self._side
        self._orders[other], self._guns[other], self._keep[other] = order, guns, keep


def full_order(order: Order, rules: Rules, theatre: Theatre, role: Role, there: Mapping[str, int]) -> Order:
    """Return an order with all units that take part; those it does not name follow as usual."""
    usual = usual_order(rules, theatre, role)
    return order and (*order, *(name for name in usual if there.get(name) and name not in order))


def orders_of_waves(
    edition: Edition,
    theatre: Theatre,
    units: Sequence[Mapping[str, Mapping[str, int]]],
    options: Sequence[Mapping[str, Any]],
    names: Sequence[Mapping[str, Order | None]],
    lasting: bool,
) -> list[dict[str, Any]]:
    """Return for every wave the orders of loss of both sides, and the defender's `guns` and `keep`: see `Side`.

    `names` are the orders that the waves give, () for the usual one and None where they give none. Where nothing is
    `lasting`, each wave has what it gives.
    """
    goes_on = LastingOrders(edition.rules)
    losses: list[dict[str, Any]] = []
    everybody: dict[str, int] = {}
    for sides, wave, orders in zip(units, options, names, strict=True):
        goes_on.begin("hold" in wave and bool(wave["hold"]))
        for name in (*sides["attacker"], *sides["defender"]):
            plain = name.removeprefix(AMPHIBIOUS)
            everybody[edition.rules.table[plain].repaired or plain] = 1
        usual_again = orders["defender"] == ()
        guns = bool(wave.get("gunslast", lasting and not usual_again and not wave.get("dkeep") and goes_on.guns))
        keep = wave.get("dkeep", goes_on.keep if lasting and not usual_again and not guns else 0)
        theirs = orders["defender"]
        if theirs is None:
            theirs = goes_on.defender if lasting else ()
        goes_on.defends(theirs, guns, keep)
        if orders["attacker"] is not None:
            goes_on.attacks(orders["attacker"])
        if "keep" in wave:
            goes_on.keeps(wave["keep"])
        there = everybody | dict(sides["defender"]) if losses else sides["defender"]
        losses.append(
            {
                "attacker": full_order(orders["attacker"] or (), edition.rules, theatre, "attack", sides["attacker"]),
                "defender": full_order(theirs, edition.rules, theatre, "defence", there),
                "guns": guns,
                "keep": keep,
            }
        )
    return losses
