"""Odds of Axis & Allies in words, of one wave or several: who wins, what it costs, and what else there is to say."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import floor, log10

from bot.editions import Edition, editions
from bot.errors import UserError
from bot.games.axis.at_sea import remarks_at_sea
from bot.games.axis.left import table
from bot.games.axis.matchup import describe
from bot.games.axis.money import gain, losses, spread
from bot.games.axis.outcomes import Law, fate_names, fates, law_of, success
from bot.games.axis.reading import MONEY, mistake_sentence
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _n, _p, sentence, short_number, whole_number
from bot.replies import Reply
from bot.words.asked_ends import AskedChance, asked_chance
from bot.words.numbers import HELD, USUAL_DECIMALS, about_rounds, exactness, fate_text, percent, unsure_percent, victory
from solver import BattleError
from solver.axis.endings import count_ends
from solver.axis.odds import AxisOdds, RareEnd
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves


def answer(battle: Waves, odds: AxisOdds | WavesOdds, remarks: Sequence[str] = ()) -> Reply:
    """Return the texts of the answer: the headline, money and losses, the remarks, the likeliest ends, and the note."""
    return Reply(
        f"**{verdict(battle, odds)}** · {describe(battle)} · {_(editions()[battle.battles[0].rules.key].name)}",
        facts=tuple(_facts(battle, odds)),
        remarks=(*remarks, *remarks_at_sea(battle, odds), *caveats(battle, odds)),
        table=table(battle, odds),
        note=f"{certainty(odds)} · {duration(odds.rounds)}",
        line=write_armies(battle),
    )


def verdict(battle: Waves, odds: AxisOdds | WavesOdds) -> str:
    """Say who wins and with what chance; name all other possible ends."""
    if isinstance(odds, AxisOdds) and odds.declined:
        return _("No attack is made")
    words: list[str] = [_(success(battle).headline, chance=victory(odds))]
    others = fates(battle, odds)
    if isinstance(odds, WavesOdds):
        words.append(_("defender {chance}", chance=percent(others.pop(HELD), odds)))
    words += [fate_text(_(name), percent(chance, odds)) for name, chance in others.items() if chance > 0]
    return ", ".join(words)


def _facts(battle: Waves, odds: AxisOdds | WavesOdds) -> Iterator[str]:
    """Say what the battle costs both sides on average, and the attacker's gain."""
    law = law_of(odds)
    if isinstance(odds, AxisOdds) and odds.declined:
        yield _("A retreat rule applies before the first shot. Add `decline:no` to attack anyway.")
    if isinstance(odds, AxisOdds) and odds.rare:
        yield _rare_end(battle, odds.rare)
    yield from _leaving(odds)
    if law:
        yield gain(battle.battles[0], law)
        yield losses(battle, law)


def _leaving(odds: AxisOdds | WavesOdds) -> Iterator[str]:
    """Say how likely the defender leaves, in each wave in which that can be."""
    waves = [odds] if isinstance(odds, AxisOdds) else [wave.own for wave in odds.waves]
    text = N_("The defender leaves: {chance}") if len(waves) == 1 else N_("Wave {place}: the defender leaves {chance}")
    for place, wave in enumerate(waves, start=1):
        if wave.defender_left is not None and wave.declined != 1:
            left, rest = (float(wave.chances[which].sum()) for which in (wave.defender_left, ~wave.defender_left))
            yield _(text, place=place, chance=percent(left, odds, rest))


def _rare_end(battle: Waves, rare: RareEnd) -> str:
    """Say how rare the victory of a side is that hardly ever wins."""
    return _(
        "Rare: {end} in about 1 of {n} battles ({often} to {seldom})",
        end=_(success(battle).alone) if rare.name == "wins" else fate_names(battle.battles[0])["holds"],
        n=_one_in(rare.chance),
        often=_one_in(rare.most),
        seldom=_one_in(rare.least),
    )


def _one_in(chance: float) -> str:
    """Write one over a small chance, with two digits before the zeros: "1,300,000"."""
    zeros = 10 ** (floor(log10(1 / chance)) - 1)
    return whole_number(round(1 / chance / zeros) * zeros)


def caveats(battle: Waves, odds: AxisOdds | WavesOdds) -> Iterator[str]:
    """Say what is unsure or left out, and which of several waves are not always made."""
    yield from editions()[battle.battles[0].rules.key].remarks
    if isinstance(odds, AxisOdds):
        if odds.unplanned:
            yield _("Too large to plan ahead: the rules for profit and win chance are ignored")
        return
    for place, wave in enumerate(odds.waves, start=1):
        share = wave.own.declined / wave.fought if wave.fought else 0.0
        if share > 1 - 1e-12:
            yield _("Wave {place}: no attack", place=place)
        elif share > 0:
            yield _("Wave {place}: no attack {share} of the time", place=place, share=unsure_percent(share))
    if odds.joint is None:
        yield _("There are too many endings to list them")


def certainty(odds: AxisOdds | WavesOdds) -> str:
    """Say how sure the numbers are."""
    if odds.sampled:
        return _n(
            "simulated: {n} battle, ±{error} points",
            "simulated: {n} battles, ±{error} points",
            odds.sampled,
            error=short_number(100 * odds.error, 1),
        )
    return exactness(odds.error)


def duration(rounds: float) -> str:
    """Say how many rounds to expect."""
    whole = round(rounds)
    if abs(rounds - whole) < 1e-12 and whole < 2:
        return _n("{n} round", "{n} rounds", whole) if whole else _("no rounds")
    return about_rounds(rounds)


def alternative(battle: Waves, odds: AxisOdds | WavesOdds, law: Law) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    bars = _("Bars show how likely each TUV swing is.")
    if isinstance(odds, WavesOdds):
        bars = _("Bars show how likely each TUV swing of all waves is.")
    return f"{verdict(battle, odds)}. {sentence(spread(battle.battles[0], law))} {bars}"


def with_usual_decimals(reading: Reading) -> Reading:
    """Return the reading of a line that asks for more decimals than a simulation has, with a remark about that."""
    few = _("Chances of simulated battles have no more decimals.")
    asked = {**reading.asked, "digits": USUAL_DECIMALS, "exact": True}
    return reading._replace(of_words=(*reading.of_words, few), asked=asked)


def asked_end(battle: Waves, odds: AxisOdds | WavesOdds, reading: Reading) -> AskedChance | None:
    """Return how likely the ends are that a line asks about; None if it asks about none."""
    law, edition = law_of(odds), editions()[battle.battles[0].rules.key]
    if law is None:
        untold = _("I can't say how likely that end is: I have no list of endings for this battle.")
        return AskedChance(untold) if reading.asked.get("end") else None
    count, name = partial(count_ends, battle, law), partial(_name, edition)
    try:
        return asked_chance(reading.asked.get("end"), odds, count, law.chances, name)
    except BattleError as error:
        raise UserError(mistake_sentence(error, edition)) from None


def _name(edition: Edition, of: str) -> str:
    """Name what a range counts, behind its number."""
    kinds = {
        "air": _p("counted", "planes"),
        "land": _p("counted", "land units"),
        "sea": _p("counted", "ships"),
        MONEY: _("IPC"),
    }
    return kinds.get(of) or edition.short[of]
