"""The numbers that a comparison takes of each plan, alike in every game: chances, ends, costs, and certainty."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.languages import N_
from bot.words.numbers import signed_tenths, tenths
from solver.axis.worth import Worth
from solver.chain import Chances, Counts

WINS, HOLDS, NEITHER = range(3)
STOPPED = N_("is stopped")
LOST, ROUNDS, TAKEN = N_("attackers lost"), N_("rounds"), N_("territories taken")
LOSSES, PROFIT = (N_("attacker loses"), N_("defender loses")), N_("TUV swing")


class Figure(NamedTuple):
    """A number of a comparison.

    Attributes:
        name: Its name in the table, in English.
        amount: The amount.
        text: The amount in words.
        money: Whether it is money.
    """

    name: str
    amount: float
    text: str
    money: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPlan:
    """The result of one of two plans.

    Attributes:
        line: The canonical line of its battle.
        description: Both sides in words.
        game: The name of the game or variant.
        attacker_result: The attacker's success, in English: a key of `difference.SUCCEEDS`.
        defender_result: The defender's success, in English.
        chances: The chances that the attacker succeeds, that the defender does, and that neither does.
        numbers: These chances in words.
        places: The endings in order, the attacker's best last, counted in `measure`.
        law: The chance of each ending with each of the three, of shape (3, endings); None if it is not known.
        measure: "armies" left, those of the defender as less than 0; or the money in which the profit is counted; or
            "territories" or "value" taken.
        gain: The attacker's average gain in that measure, negative for a loss; None if it is not known.
        fates: The possible endings other than the attacker's success.
        figures: Further rows of the table.
        certainty: The accuracy of the numbers in words.
        error: The most that a chance may be off.
        gain_error: The most that the gain may be off.
        apart: The most that the differences between both plans may be off, of the chance and of the gain, if they were
            simulated with the same luck.
        caveats: The caveats of these numbers.
        worth: The worth of units, if the measure is money.
        unplanned: Whether the plan was too large to follow, so that the numbers are those of a fight without its rules.
        by_gain: Whether the plan aims at the gain, not at the chance.
    """

    line: str
    description: str
    game: str
    attacker_result: str
    defender_result: str
    chances: tuple[float, float, float]
    numbers: tuple[str, str, str]
    places: Chances
    law: Chances | None
    measure: str
    gain: float | None
    fates: tuple[Figure, ...]
    figures: tuple[Figure, ...]
    certainty: str
    error: float = 0.0
    gain_error: float = 0.0
    apart: tuple[float, float] | None = None
    caveats: tuple[str, ...] = ()
    worth: Worth | None = None
    unplanned: bool = False
    by_gain: bool = False


def law_by_winner(ends: Chances | Counts, winner: Counts, chances: Chances) -> tuple[Chances, Chances]:
    """Return every ending once, in order, and its chance with each of the three who may succeed there."""
    places, place = np.unique(ends, return_inverse=True)
    law = np.zeros((3, len(places)))
    np.add.at(law, (winner, place), chances)
    return places.astype(float), law


def loss_figures(lost: float | None) -> list[Figure]:
    """Return the figure of the attacker's average loss; none if it is not known."""
    return [] if lost is None else [Figure(LOST, lost, tenths(lost))]


def rounds_figures(rounds: float | None) -> list[Figure]:
    """Return the figure of the average number of rounds; none if the battle has no end."""
    return [] if rounds is None else [Figure(ROUNDS, rounds, tenths(rounds))]


def money_figures(lost: tuple[float, float] | None, gain: float) -> list[Figure]:
    """Return what both sides lose, if that is known, and what the attacker gains."""
    losses = [Figure(name, of, tenths(of), money=True) for name, of in zip(LOSSES, lost or (), strict=False)]
    return [*losses, Figure(PROFIT, gain, signed_tenths(gain), money=True)]
