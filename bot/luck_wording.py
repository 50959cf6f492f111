"""Luck in words: how rare it is, and which side the dice have helped."""

from math import floor

from bot.languages import N_, _, in_percent, whole
from bot.wording import gained

ROUND_ONES = [*range(2, 20), *(of * 10**power for power in range(1, 6) for of in (2, 2.5, *range(3, 11)))]
LEAST, USUAL = 1e-6, 1.5
SHARES = ((0.95, N_("nearly all")), (0.82, N_("9 in 10")), (0.7, N_("3 in 4")), (0.6, N_("2 in 3")))
UNUSUAL = 0.05
"""Dice whose faces fall so unevenly, or more, in a smaller part of all cases are called unusual."""


def one_in(chance: float) -> str:
    """How rare something is, told by a round number: "1 in 12"; "nothing unusual" from two in three on.

    Beyond one in a million it is "1 in more than a million": so far out no approximate law is to be trusted.
    """
    if chance < LEAST:
        return _("less than 1 time in a million")
    if 1 / chance < USUAL:
        return _("nothing unusual")
    return _("1 time in {number}", number=_round_number(chance))


def luck_title(luck: float, chance: float) -> str:
    """Say in a few words how lucky somebody was, and how rare as much luck is: "lucky: like this 1 time in 10"."""
    if chance >= LEAST and 1 / chance < USUAL:
        return _("nothing unusual")
    if chance < LEAST:
        return _("lucky: rarer than 1 in a million") if luck > 0 else _("unlucky: rarer than 1 in a million")
    number = _round_number(chance)
    if luck > 0:
        return _("lucky: like this 1 time in {number}", number=number)
    return _("unlucky: like this 1 time in {number}", number=number)


def evenness(chance: float) -> tuple[str, str]:
    """Say whether dice fell strangely, and how many fair dice look at least as uneven, which has this `chance`."""
    rare = _("1 in {number}", number=_round_number(chance)) if chance >= LEAST else _("fewer than 1 in a million")
    share = next((_(words) for least, words in SHARES if chance > least), rare)
    title = _("nothing unusual") if chance >= UNUSUAL else _("unusual")
    return title, _("{share} fair dice look at least this uneven", share=share)


def _round_number(chance: float) -> str:
    return whole(min(ROUND_ONES, key=lambda number: abs(number - 1 / chance)))


def points(luck: float) -> str:
    """Luck in percentage points: "+21.0", "−3.4"."""
    return gained(100 * luck)


def helped(luck: float, standing: float | None = None) -> str:
    """Whom the dice of a battle have helped, from the attacker's luck, and by how much.

    `standing` is where its end stands for the attacker among all; it is told for the side that was helped.
    """
    if points(luck) == points(0):
        return _("The dice were even")
    gift = in_percent(points(abs(luck)))
    if luck > 0:
        text = _("The dice helped the attacker: {points} win chance", points=gift)
    else:
        text = _("The dice helped the defender: {points} win chance", points=gift)
    return text if standing is None else f"{text} · {_among_all(standing if luck > 0 else 1 - standing)}"


def _among_all(standing: float) -> str:
    """How many of a hundred battles end worse, or better where these are more; never more than is sure."""
    good = standing >= 0.5
    fewer = floor(100 * (standing if good else 1 - standing))
    if good:
        return _("survivors: more than in {number}% of such battles", number=fewer)
    return _("survivors: fewer than in {number}% of such battles", number=fewer)
