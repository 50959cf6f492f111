"""The numbers that a comparison takes of each plan, alike in every game: chances, ends, costs, and certainty."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bot.languages import N_
from bot.words.asked_ends import AskedChance
from bot.words.numbers import HELD, percent, signed_tenths, tenths
from solver.axis.worth import Worth
from solver.game import GameOdds

if TYPE_CHECKING:  # most commands compare nothing
    from solver.chain import Chances, Counts, Mask

WINS, HOLDS, NEITHER = range(3)
STOPPED, NOT_HELD = N_("is stopped"), N_("taken, but not held")
LOST, ROUNDS, TAKEN = N_("attackers lost"), N_("rounds"), N_("territories taken")
LOSES, BEATS, PROFIT = N_("attacker loses"), N_("defender loses"), N_("TUV swing")
DAMAGE, RAID_LOSS, SHOT_DOWN = N_("damage"), N_("lost"), N_("shot down")
MONEY = {LOSES, BEATS, PROFIT, DAMAGE, RAID_LOSS, SHOT_DOWN}
"""The amounts that are money."""

Three = tuple[float, float, float]
Law = tuple["Chances", "Chances"]
"""Ends in order, and their chances of shape (3, ends): that the attacker, the defender and neither wins there."""


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


class DrawnPlan(NamedTuple):
    """A plan in the picture of two.

    Attributes:
        titles: Its battle in ever fewer words.
        chances: The chances that the attacker succeeds, that the defender does, and that neither does.
        numbers: These chances in words.
        other: The name of the ends that neither side wins.
        law: Its endings, as in `ComparedPlan`; None if the endings of both plans have no common axis.
    """

    titles: Sequence[str]
    chances: Three
    numbers: tuple[str, str, str]
    other: str
    law: Law | None


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparedPlan:
    """The result of one of two plans.

    Attributes:
        line: The canonical line of its battle.
        description: Both sides in words.
        game: The name of the game or variant.
        odds: The odds of its battle.
        attacker_result: The attacker's success, in English: a key of `difference.SUCCEEDS`.
        defender_result: The defender's success, in English.
        chances: The chances that the attacker succeeds, that the defender does, and that neither does.
        texts: These chances in words, if these are not those of `numbers.percent`.
        ends: The chance of each possible ending other than the attacker's success, by its name.
        law: The endings in order, the attacker's best last, counted in `measure`, and the chance of each ending with
            each of the three, of shape (3, endings); None if it is not known.
        measure: "armies" left, those of the defender as less than 0; or the money in which the profit is counted; or
            "territories" or "value" taken.
        gain: The attacker's average gain in that measure, negative for a loss; None if it is not known.
        amounts: The amounts of further rows of the table, by their names in English; None if one is not known.
        certainty: The accuracy of the numbers in words, if `error` does not say it all.
        error: The most that a chance may be off.
        gain_error: The most that the gain may be off.
        most: An upper bound for the aim of the plan, the chance or the gain, if its number is only a lower bound;
            otherwise None.
        apart: The most that the differences between both plans may be off, of the chance and of the gain, if they were
            simulated with the same luck.
        caveats: The caveats of these numbers.
        worth: The worth of units, if the measure is money.
        unplanned: Whether the plan was too large to follow, so that the numbers are those of a fight without its rules.
        by_gain: Whether the plan aims at the gain, not at the chance.
        asked: How likely the ends are that its line asks about; None if it asks about none.
    """

    line: str
    description: str
    game: str
    odds: GameOdds
    attacker_result: str
    chances: Three
    ends: Mapping[str, float]
    gain: float | None
    defender_result: str = HELD
    texts: tuple[str, str, str] | None = None
    law: Law | None = None
    measure: str = "armies"
    amounts: Mapping[str, float | None] = field(default_factory=dict)
    certainty: str = ""
    error: float = 0.0
    gain_error: float = 0.0
    most: float | None = None
    apart: tuple[float, float] | None = None
    caveats: tuple[str, ...] = ()
    worth: Worth | None = None
    unplanned: bool = False
    by_gain: bool = False
    asked: AskedChance | None = None

    @property
    def numbers(self) -> tuple[str, str, str]:
        """The three chances in words."""
        wins, holds, neither = self.chances
        odds = self.odds
        return self.texts or (
            percent(wins, odds, holds + neither),
            percent(holds, odds),
            percent(neither, odds, wins + holds),
        )

    @property
    def fates(self) -> tuple[Figure, ...]:
        """The possible endings other than the attacker's success."""
        beaten = self.defender_result
        return tuple(
            Figure(name, chance, self.numbers[HOLDS] if name == beaten else percent(chance, self.odds))
            for name, chance in self.ends.items()
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Further rows of the table."""
        return tuple(
            Figure(name, amount, signed_tenths(amount) if name == PROFIT else tenths(amount), name in MONEY)
            for name, amount in self.amounts.items()
            if amount is not None
        )


def are_bounds(plans: Sequence[ComparedPlan]) -> bool:
    """Return whether a plan's number is only reached at least."""
    return any(plan.most is not None for plan in plans)


def possible(ends: Mapping[str, float]) -> dict[str, float]:
    """Return the ends that can happen."""
    return {name: chance for name, chance in ends.items() if chance}


def law_by_winner(ends: "Chances | Counts", won: "Mask", held: "Mask", chances: "Chances") -> Law:
    """Return every ending once, in order, and its chance with each of the three who may succeed there.

    The attacker succeeds where it is `won`, the defender where it is `held`.
    """
    import numpy as np

    places, place = np.unique(ends, return_inverse=True)
    law = np.zeros((3, len(places)))
    np.add.at(law, (np.select([won, held], [WINS, HOLDS], NEITHER), place), chances)
    return places.astype(float), law
