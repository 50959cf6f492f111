"""The decisions in the line of a live battle of Axis & Allies for the player who defends at first."""

from collections.abc import Iterator

from bot.editions import editions
from bot.games.axis.options import WORDS
from bot.games.axis.writing import side_words, units_text
from bot.languages import N_, _, _n, join_texts
from solver.axis.battle import AxisBattle
from solver.axis.sides import EVERYBODY
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves

_PLANS = (
    (N_("when to stop (`{words}`)"), ("rounds", "retreat")),
    (N_("when to leave (`{words}`)"), ("dretreat",)),
)
"""How a plan of the attacker and one of the defender are said, and the options that are one."""


def list_decisions(waves: Waves) -> list[str]:
    """Say what a line decides for the defender, wave by wave if there are several.

    In a hold the players change sides.
    """
    decisions, side = list[str](), 1
    for number, (wave, hold) in enumerate(zip(waves.battles, waves.holds, strict=True), start=1):
        side ^= bool(hold)
        of_wave = [*_decisions(wave, side)]
        if of_wave and len(waves.battles) > 1:
            decisions.append(_("wave {number}: {what}", number=number, what=join_texts(", ", of_wave)))
        else:
            decisions += of_wave
    return decisions


def _decisions(wave: AxisBattle, side: int) -> Iterator[str]:
    """Yield what a line decides in a wave for one side: 0 attacks, 1 defends."""
    if wave.kamikaze and side == 1:
        ships = units_text(dict(wave.kamikaze), editions()[wave.rules.key])
        count = sum(number for _ship, number in wave.kamikaze)
        yield _n("{n} kamikaze attack, aimed at {ships}", "{n} kamikaze attacks, aimed at {ships}", count, ships=ships)
    if (most := wave.submerge[side]) == EVERYBODY:
        yield _("submarines submerge once no enemy destroyer is there")
    elif most:
        yield _n(
            "{n} submarine submerges once no enemy destroyer is there",
            "{n} submarines submerge once no enemy destroyer is there",
            most,
        )
    text, names = _PLANS[side]
    if plan := [*filter(None, (WORDS[name].write([wave]) for name in names))]:
        yield _(text, words=" ".join(plan))
    late = []
    for word in side_words(wave, ROLES[side]):
        name, _colon, value = word.partition(":")
        if name == "loss":
            yield _("casualties in the order {order}, unless others are chosen", order=value.replace(",", ", "))
        elif name != "submerge":
            late.append(word)
    if late:
        yield _("which units are lost late (`{words}`), unless others are chosen", words=" ".join(late))
