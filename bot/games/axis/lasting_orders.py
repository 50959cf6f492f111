"""Orders of loss over several waves: an order lasts, for the units that are left, until a wave gives another."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.editions import Edition
from solver.axis.loss_order import usual_order
from solver.axis.units import AMPHIBIOUS, Role, Rules, Theatre

USUAL_ORDER = "usual"
"""The word for the usual order of loss: it takes back another that would go on."""
Order = tuple[str, ...]
"""Names of units, first lost first; empty for the usual order."""


class Lasting(NamedTuple):
    """How a side is lost: its order, whether its guns are lost last but one, and how many land units are kept."""

    order: Order = ()
    guns: bool = False
    keep: int = 0


class LastingOrders:
    """How each side is lost, as it goes on from wave to wave. The attacker of the first wave is side 0."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._side = rules, 0
        self._sides = [Lasting(), Lasting()]

    def begin(self, hold: bool) -> None:
        """Begin the next wave. In a hold the captors defend, so the sides change places."""
        self._side ^= hold

    @property
    def defender(self) -> Lasting:
        """How the defender is lost where this wave does not say so."""
        return self._sides[1 - self._side]

    def keeps(self, land: int) -> None:
        """Note how many of the attacker's land units are kept: those who capture are."""
        self._sides[self._side] = self._sides[self._side]._replace(keep=land)

    def attacks(self, order: Order) -> None:
        """Note the order of loss that a wave gives for its attacker: who captures keeps it."""
        names = (name.removeprefix(AMPHIBIOUS) for name in order)
        order = tuple(dict.fromkeys(self._rules.table[name].repaired or name for name in names))
        self._sides[self._side] = self._sides[self._side]._replace(order=order)

    def defends(self, lasting: Lasting) -> None:
        """Note how the defender of a wave is lost."""
        self._sides[1 - self._side] = lasting


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
    """Return for every wave the orders of loss of both sides, and the defender's `guns` and `keep`: see `Lasting`.

    `names` are the orders that the waves give, () for the usual one and None where they give none. Where nothing is
    `lasting`, each wave has what it gives.
    """
    goes_on = LastingOrders(edition.rules)
    losses: list[dict[str, Any]] = []
    everybody: dict[str, int] = {}
    for sides, wave, orders in zip(units, options, names, strict=True):
        goes_on.begin(bool(wave.get("hold")))
        for name in (*sides["attacker"], *sides["defender"]):
            plain = name.removeprefix(AMPHIBIOUS)
            everybody[edition.rules.table[plain].repaired or plain] = 1
        theirs = _of_defender(wave, orders["defender"], goes_on.defender if lasting else Lasting())
        goes_on.defends(theirs)
        if orders["attacker"] is not None:
            goes_on.attacks(orders["attacker"])
        if "keep" in wave:
            goes_on.keeps(wave["keep"])
        there = everybody | dict(sides["defender"]) if losses else sides["defender"]
        losses.append(
            {
                "attacker": full_order(orders["attacker"] or (), edition.rules, theatre, "attack", sides["attacker"]),
                "defender": full_order(theirs.order, edition.rules, theatre, "defence", there),
                "guns": theirs.guns,
                "keep": theirs.keep,
            }
        )
    return losses


def _of_defender(wave: Mapping[str, Any], order: Order | None, before: Lasting) -> Lasting:
    """Return how the defender of a wave is lost: as its line says, or else as `before`."""
    before = Lasting() if order == () else before  # The usual order takes back all that would go on.
    guns = bool(wave.get("gunslast", before.guns and not wave.get("dkeep")))
    return Lasting(before.order if order is None else order, guns, wave.get("dkeep", 0 if guns else before.keep))
