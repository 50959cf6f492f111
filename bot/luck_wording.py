"""Luck in words: how rare it is, and which side the dice have helped."""

from math import floor

from bot.languages import _, in_percent, whole
from bot.wording import gained

ROUND_ONES = [*range(2, 20), *(of * 10**power for power in range(1, 6) for of in (2, 2.5, *range(3, 11)))]
LEAST = 1e-6


def one_in(chance: float) -> str:
    """How rare something is, told by a round number: "1 in 12"; "nothing unusual" from two in three on.

    Beyond one in a million it is "1 in more than a million": so far out no approximate law is to be trusted.
    """
    if chance < LEAST:
        return _("1 in more than a million")
    if 1 / chance < 1.5:
        return _("nothing unusual")
    return _("1 in {number}", number=whole(min(ROUND_ONES, key=lambda number: abs(number - 1 / chance))))


def points(luck: float) -> str:
    """Luck in percentage points: "+21.0", "−3.4"."""
    return gained(100 * luck)


def helped(luck: float, standing: float | None = None) -> str:
    """Whom the dice of a battle have helped, from the attacker's luck, and by how much.

    `standing` is where its end stands for the attacker among all; it is told for the side that was helped.
    """
    if points(luck) == points(0):
        return _("The dice helped nobody")
    gift = in_percent(points(abs(luck)))
    if luck > 0:
        text = _("The dice helped the attacker: {points} points", points=gift)
    else:
        text = _("The dice helped the defender: {points} points", points=gift)
    return text if standing is None else f"{text} · {_among_all(standing if luck > 0 else 1 - standing)}"


def _among_all(standing: float) -> str:
    """How many of a hundred battles end worse, or better where these are more; never more than is sure."""
    good = standing >= 0.5
    fewer = floor(100 * (standing if good else 1 - standing))
    if good:
        return _("by what is left better than {number} in 100 such battles", number=fewer)
    return _("by what is left worse than {number} in 100 such battles", number=fewer)
