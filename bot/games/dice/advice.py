"""Advice under the odds: whether a side does better with fewer dice than it could roll, where, and by how much."""

from bot.games.dice.work import compute_on_grid
from bot.languages import N_, _, in_percent, number
from bot.request import Services
from bot.words.numbers import percent
from solver import Battle, Odds, Pool
from solver.dice.advice import Advice, LaterAdvice, advice
from solver.dice.game import MOST_ADVISED

LEAST_GAIN, LEAST_LATER_GAIN = 0.0005, 0.005
"""By how much the choice of dice must move the chance to be worth a line unasked: now, and if it comes later."""
MOST_PLACES = 4
"""Up to so many decimals of a percentage tell two chances apart."""
MOST_SIZES = 3
FEWER = {
    "attacker": N_(
        "**The attacker does better with fewer dice** ({when}): {best} to win with the best number "
        "each time, {usual} otherwise"
    ),
    "defender": N_(
        "**The defender does better with fewer dice** ({when}): the attacker wins {best} with the "
        "best number each time, {usual} otherwise"
    ),
}
HARDLY = {
    "attacker": N_("The attacker does better with fewer dice ({when}), but by less than {points} points"),
    "defender": N_("The defender does better with fewer dice ({when}), but by less than {points} points"),
}


async def advice_lines(battle: Battle, odds: Odds, asked: bool, services: Services) -> list[str]:
    """Return the advice to roll fewer dice; if it is `asked` for, also where the gain is small or there is none."""
    if not asked and _all_alike(battle):
        return []
    if battle.chain().cells > MOST_ADVISED:
        most = int(MOST_ADVISED**0.5) - 1
        return [_("This battle is too large for advice on dice; {most} against {most} works", most=most)] * asked
    ours, theirs = await compute_on_grid(services.engine, advice, battle)
    if asked and ours is theirs is None:
        return [_("With these rules I can't tell whether fewer dice are better")]
    parts = [_side_line("attacker", ours, odds, asked), _side_line("defender", theirs, odds, asked)]
    return parts if any(parts) or not asked else [_("Nobody does better with fewer dice here")]


def _all_alike(battle: Battle) -> bool:
    """Return whether all dice are equally good, as in classic Risk; then fewer are never better."""
    plain = all(pool == Pool(pool.dice) and len(set(pool.dice)) == 1 for pool in battle.pools)
    return plain and not battle.attack_ships and not battle.defence_ships


def _side_line(side: str, given: Advice | None, odds: Odds, asked: bool) -> str:
    """Return the advice for one side, where it changes what to do by enough, or by anything where that is asked."""
    if given is None or (given.dice == given.most and given.later is None):
        return ""
    if not asked and given.gain < (LEAST_GAIN if given.dice < given.most else LEAST_LATER_GAIN):
        return ""
    now = _("roll {dice} now, not {most}", dice=given.dice, most=given.most)
    when = _from_where(given.later) if given.later else now
    if chances := _distinct_chances(given, odds):
        return _(FEWER[side], when=when, best=chances[0], usual=chances[1])
    return _(HARDLY[side], when=when, points=number(0.1**MOST_PLACES, MOST_PLACES))


def _from_where(later: LaterAdvice) -> str:
    """Return what to roll at which sizes first: "roll 1, not 2, from 2 against 2"."""
    sizes = [_("{attackers} against {defenders}", attackers=a, defenders=d) for a, d in later.sizes[:MOST_SIZES]]
    named = sizes[0] if not sizes[1:] else _("{sizes} or {last}", sizes=", ".join(sizes[:-1]), last=sizes[-1])
    if not later.dice:
        return _("from {sizes}", sizes=named)
    return _("roll {dice}, not {most}, from {sizes}", dice=later.dice, most=later.most, sizes=named)


def _distinct_chances(given: Advice, odds: Odds) -> tuple[str, str] | None:
    """Return both chances with as many decimals as tell them apart; None where that takes too many."""
    best, usual = percent(given.best, odds), percent(given.usual, odds)
    if best != usual:
        return best, usual
    for places in range(2, MOST_PLACES + 1):
        parts = [number(100 * chance, places) for chance in (given.best, given.usual)]
        ends = {number(0, places), number(100, places)}
        if parts[0] != parts[1] and not ends & set(parts):
            return in_percent(f"{parts[0]}"), in_percent(f"{parts[1]}")
    return None
