"""Chances, averages, their accuracy and progress in words, never more certain than the numbers; marks of a battle."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import log10

from bot.languages import N_, _, _n, in_percent, number, short_number, whole_number
from solver.game import GameOdds
from solver.progress import Progress

USUAL_DECIMALS = 1
"""The decimals of a chance in percent where nobody asks for more; pictures have no room for more."""
NEARLY_HALF = 0.4999999
"""So much of the last decimal turns rounding to the nearest into rounding down or up."""
_decimals = ContextVar("decimals", default=USUAL_DECIMALS)
FEW_ROUNDS = 3
"""Fewer rounds than these are written with a decimal."""
DOUBT = 2.0**-53
"""The smallest chance that can be told from 0 beside 1."""
LAST = N_("There is only one attacker.")
"""The refusal of a battle with one attacker less."""
HELD, CALLED_OFF = N_("defender holds"), N_("attack called off")
DRAWN, NEVER = N_("draw"), N_("never ends")
HOUSE_RULES = N_("{battle}, house rules")
OPTIONS = N_("{battle}, with options")
MARKS = (HOUSE_RULES, OPTIONS)
"""The texts that say of a description that it is not all."""


@contextmanager
def writing_decimals(decimals: int) -> Iterator[None]:
    """Write chances with so many decimals inside."""
    token = _decimals.set(decimals)
    try:
        yield
    finally:
        _decimals.reset(token)


def fate_text(fate: str, chance: str) -> str:
    """Write an end with its chance: "draw 2.5%"."""
    return _("{fate} {chance}", fate=fate, chance=chance)


def percent(chance: float, odds: GameOdds, rest: float | None = None) -> str:
    """Write a chance out of any odds; "0%" and "100%" only where that is the whole truth.

    `rest` is the chance of everything else. Without it, `chance` is that of one of `odds.fate_chances`.
    """
    return exact_percent(honest_chance(chance, odds, rest))


def honest_chance(chance: float, odds: GameOdds, rest: float | None = None) -> float:
    """Return a chance out of any odds, see `percent`: 0 or 1 only where that is the whole truth."""
    if rest is None:
        rest = float(chance <= 0.5 or sum(fate > 0 for fate in odds.fate_chances) > 1)
    if odds.true_zeros and 0 in (chance, rest):
        return float(chance > 0)
    return min(max(chance, DOUBT), 1 - DOUBT)


def until_over(chance: float) -> float:
    """Return the chance in a battle that is not known to be certain, which may have been rounded to 1."""
    return min(chance, 1 - DOUBT)


def victory(odds: GameOdds) -> str:
    """Write the chance that the attacker reaches the aim, as all answers do."""
    assert odds.success is not None, "asked only of games that somebody wins"
    return percent(odds.success, odds)


def brief_victory(odds: GameOdds) -> str:
    """Say who is likely to win in the few words of a suggestion."""
    return _("{chance} attacker", chance=victory(odds))


def unsure_percent(chance: float) -> str:
    """Write the chance of something that is neither certain nor impossible: at least "<0.1%"."""
    return in_percent(unsure_number(chance))


def outer_percents(low: float, high: float) -> tuple[str, str]:
    """Write two bounds so that neither promises too much: the lower one is rounded down, the upper one up."""
    unit = 10.0 ** -(_decimals.get() + 2)
    certain = low >= 1 - unit / 2  # then it is written as more than the highest number below 100
    lower = low if certain else max(low - NEARLY_HALF * unit, 0.0)
    return unsure_percent(lower), unsure_percent(min(high + NEARLY_HALF * unit, 1.0))


def unsure_number(chance: float) -> str:
    """Write a chance as `unsure_percent` does, without its unit, with the decimals of `writing_decimals`."""
    decimals = _decimals.get()
    least = 10.0**-decimals
    if 100 * chance < least / 2:
        return f"<{number(least, decimals)}"
    return f">{number(100 - least, decimals)}" if 100 * chance >= 100 - least / 2 else number(100 * chance, decimals)


def short_percent(chance: float) -> str:
    """Write a chance for a small place, without its unit: "79", ">99"."""
    if chance < 0.005:
        return "<1"
    return ">99" if chance >= 0.995 else f"{100 * chance:.0f}"


def shorter_percent(chance: float, text: str) -> str:
    """Write a chance as `short_percent`, and as 0 or 100 if its longer text does: there it is the whole truth."""
    return f"{100 * chance:.0f}" if text in (in_percent("0"), in_percent("100")) else short_percent(chance)


def exact_percent(chance: float) -> str:
    """Write an exact chance, where 0 and 1 are the whole truth: "0%", "100%"."""
    return unsure_percent(chance) if 0 < chance < 1 else in_percent(number(100 * chance, 0))


def tenths(of: float) -> str:
    """Write an average amount, such as money: "13.2", "−0.4"; zero has no sign: "0.0"."""
    return number(of, 1, "z")


def signed_tenths(of: float) -> str:
    """Write an average amount with its sign: "+13.2", "−0.4", "0.0"."""
    text = tenths(of)
    return text if of < 0 or text == tenths(0) else f"+{text}"


def exactness(error: float) -> str:
    """Say how far numbers may be off."""
    if error == 0:
        return _("exact except for rounding") if _decimals.get() > USUAL_DECIMALS else _("exact")
    return _n("accurate to {n} decimal", "accurate to {n} decimals", int(-log10(error)))


def about_rounds(rounds: float) -> str:
    """Write an average number of rounds: "about 2.4 rounds", "about 8 rounds"."""
    if round(rounds) < FEW_ROUNDS:
        return _("about {rounds} rounds", rounds=number(rounds))
    return _n("about {n} round", "about {n} rounds", round(rounds))


def split_of_twenty(chances: tuple[float, float, float]) -> tuple[int, int, int]:
    """Split twenty into three parts in proportion to these chances."""
    shares = [20 * chance for chance in chances]
    counts = [int(share) for share in shares]
    for index in sorted(range(3), key=lambda index: counts[index] - shares[index])[: 20 - sum(counts)]:
        counts[index] += 1
    return counts[0], counts[1], counts[2]


def attackers_with(behind: int) -> str:
    """Name the attackers, with the number of those who stay behind."""
    text = _n("attackers, {n} of whom stays behind", "attackers, {n} of whom stay behind", behind)
    return text if behind else _("attackers")


def describe_with(battle: str, house_rules: bool = False, options: bool = False) -> str:
    """Return a description with the mark for what it does not say, if there is anything."""
    if house_rules:
        return _(HOUSE_RULES, battle=battle)
    return _(OPTIONS, battle=battle) if options else battle


def progress_text(progress: Progress) -> str:
    """Say how far some work is."""
    if not progress.battles:
        share = unsure_percent(min(progress.share, 1.0))
        return _("Working: {share} of my limit for one answer", share=share)
    if not progress.error:
        share = unsure_percent(min(progress.share, 1.0))
        return _("Simulating: {n} battles so far, {share} of all", n=whole_number(progress.battles), share=share)
    return _(
        "Simulating: {n} battles so far, the attacker wins {chance}, ± {error} points",
        n=whole_number(progress.battles),
        chance=unsure_percent(progress.chance),
        error=short_number(100 * progress.error, 1),
    )
