"""Luck in words: how rare it is, and which side the dice have helped."""

from math import floor

from bot.languages import N_, _, _n, whole_number
from bot.words.numbers import signed_tenths

ROUND_ONES = [*range(2, 20), *(of * 10**power for power in range(1, 6) for of in (2, 2.5, *range(3, 11)))]
LEAST, USUAL = 1e-6, 1.5
SHARES = ((0.95, N_("nearly all")), (0.82, N_("9 in 10")), (0.7, N_("3 in 4")), (0.6, N_("2 in 3")))
UNUSUAL = 0.05
"""Dice are unusual if a smaller share of fair dice falls at least as unevenly."""


def rarity(chance: float) -> str:
    """Say how rare something is with a round number, "1 time in 12"; "nothing unusual" from two in three on.

    Beyond one in a million the number is left out: no approximate law can be trusted so far out.
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
    share = next((_(words) for limit, words in SHARES if chance > limit), rare)
    title = _("nothing unusual") if chance >= UNUSUAL else _("unusual")
    return title, _("{share} fair dice look at least this uneven", share=share)


def _round_number(chance: float) -> str:
    return whole_number(min(ROUND_ONES, key=lambda number: abs(number - 1 / chance)))


def points(luck: float) -> str:
    """Write luck in percentage points: "+21.0", "−3.4"."""
    return signed_tenths(100 * luck)


def left_out_text(players: int) -> str:
    """Say how many players in the middle of a ranking are left out."""
    return _n("… {n} player in between", "… {n} players in between", players)


def choices_sentence(luck: float, choices: float, words: tuple[str, str], is_share: bool) -> str:
    """Say what the dice of a battle changed in the attacker's chance and what the choices did, unlike the usual ones.

    `words` are the texts for choices that changed nothing, and for those that changed so many `points`. With `is_share`
    the chance is none to win, but a share such as of the targets taken.
    """
    none, some = words
    plan = _(none) if points(choices) == points(0) else _(some, points=points(choices))
    return f"{luck_sentence(luck, is_share=is_share)} · {plan}"


def luck_sentence(luck: float, percentile: float | None = None, is_share: bool = False) -> str:
    """Say which side the dice of a battle helped, from the attacker's luck, and by how much.

    `percentile` is the share of all endings that are worse for the attacker; the text has it for the side that was
    helped. If it is a share that has changed, the text does not call it a chance.
    """
    if points(luck) == points(0):
        return _("The dice were even")
    gift = points(abs(luck))
    if is_share:
        if luck > 0:
            return _("The dice helped the attacker: {points} points", points=gift)
        return _("The dice helped the defender: {points} points", points=gift)
    if luck > 0:
        text = _("The dice helped the attacker: {points} points of win chance", points=gift)
    else:
        text = _("The dice helped the defender: {points} points of win chance", points=gift)
    return text if percentile is None else f"{text} · {_endings_share(percentile if luck > 0 else 1 - percentile)}"


def luckiest_sentence(place: str, luck: float) -> str:
    """Say in which round the dice of a battle changed most, from the attacker's luck there; "" if that is nothing."""
    if points(luck) == points(0):
        return ""
    if luck > 0:
        return _("Luckiest roll: {round}, {points} points for the attacker", round=place, points=points(luck))
    return _("Luckiest roll: {round}, {points} points for the defender", round=place, points=points(-luck))


def _endings_share(percentile: float) -> str:
    """Say how many of a hundred battles end worse, or better if these are more; never more than is sure."""
    good = percentile >= 0.5
    fewer = floor(100 * (percentile if good else 1 - percentile))
    if good:
        return _("survivors: more than in {number}% of such battles", number=fewer)
    return _("survivors: fewer than in {number}% of such battles", number=fewer)
