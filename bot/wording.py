"""Odds in words: short, plain, and never more certain than the numbers."""

from collections.abc import Iterable
from math import log10

import numpy as np

from bot.languages import N_, _, _n, _p, in_percent, number, sentence
from bot.matchup import Reading, write
from bot.matchup.writing import usual
from bot.packs import load
from solver import Battle, Odds, Ships
from solver.axis_odds import AxisOdds
from solver.odds import Counts
from solver.paths import PathOdds
from solver.waves_odds import WavesOdds

AnyOdds = Odds | PathOdds | AxisOdds | WavesOdds

LONGEST_FRACTION = 400
FEW_ROUNDS = 3
"""Fewer rounds than these are written with a decimal."""
HELD, CALLED_OFF = N_("defender holds"), N_("attack called off")
DRAWN, NEVER = N_("draw"), N_("never ends")


def answer(battle: Battle, odds: Odds, remarks: Iterable[str] = (), more: Iterable[str] = ()) -> str:
    """The whole answer: a verdict, the numbers, how sure they are, and the line that brings the battle back.

    `more` are lines that say more than the odds, `remarks` small print.
    """
    lines = [f"**{verdict(battle, odds)}** · {describe(battle)} · {game(battle)}"]
    if has_end(odds) and odds.rounds != 0:
        lines.append(spread(odds) if odds.never else f"{spread(odds)} · {losses(odds)}")
    lines += [*more, *(f"-# {remark}" for remark in remarks)]
    rounds = [] if battle.reshape else [duration(odds)]
    lines.append(f"-# {' · '.join([exactness(odds.error), *rounds, f'`{write(battle)}`'])}")
    return "\n".join(lines)


def has_end(odds: Odds) -> bool:
    """Whether the battle can come to an end at all."""
    return len(odds.chances) > 0


def verdict(battle: Battle, odds: Odds) -> str:
    """Who wins, in a few words; whatever else can happen is named."""
    if not has_end(odds):
        return _("Neither side can ever win")
    if battle.defenders and battle.attackers <= battle.floor:
        return _("The attack ends before the first roll")
    if battle.value is not None and battle.defenders and odds.rounds == 0:
        return _("Don't attack: a territory worth {value} armies doesn't justify the losses", value=battle.value)
    words: list[str] = [_("Attacker wins {chance}", chance=percent(odds.attacker_wins, odds))]
    words += [fated(_(fate), percent(chance, odds)) for fate, chance in fates(odds).items() if fate != HELD]
    return ", ".join(words)


def fates(odds: Odds) -> dict[str, float]:
    """Return the possible ends but the attacker's victory, in English, and how likely each is."""
    chances = {HELD: odds.beaten, CALLED_OFF: odds.both_left, DRAWN: odds.draw, NEVER: odds.never}
    return {fate: chance for fate, chance in chances.items() if chance > 0}


def fated(fate: str, chance: str) -> str:
    """A way to end and its chance: "draw 2.5%"."""
    return _("{fate} {chance}", fate=fate, chance=chance)


def describe(battle: Battle, short: bool = False) -> str:
    """Who meets whom, and for how long: "12 with 2 bombers against 9, stop at 4"; short: "12 (2 B) against 9"."""
    attackers = f"{battle.attackers}{fleet(battle.attack_ships, short)}"
    defenders = f"{battle.defenders}{fleet(battle.defence_ships, short)}"
    parts = [_("{attackers} against {defenders}", attackers=attackers, defenders=defenders)]
    if battle.stop:
        parts.append(_("stop at {attackers}", attackers=battle.stop))
    if battle.reserve:
        parts.append(_("{attackers} in reserve", attackers=battle.reserve))
    if battle.rounds is not None:
        parts.append(_n("{n} round", "{n} rounds", battle.rounds))
    if battle.value is not None:
        parts.append(_("territory worth {value}", value=battle.value))
    return ", ".join(parts)


def game(battle: Battle) -> str:
    """The name of the game, or of the rule pack, for people."""
    base = usual(battle.variant)
    changed = house_rules(battle, base)
    if base.variant:
        name = _(load()[base.variant].name)
    elif battle.faces:
        return _("icon dice")
    elif battle.game == "starwars":
        name = _("Star Wars Risk")
    else:
        name = _("Risk") if changed else _("classic Risk")
    return _("{game} with house rules", game=name) if changed else name


def house_rules(battle: Battle, base: Battle | None = None) -> bool:
    """Whether the dice, or who wins ties, are not those of the rulebook, or of the rules in `base`."""
    base = base or usual("")
    return any(getattr(battle, name) != getattr(base, name) for name in _RULES)


_RULES = ("attack", "defence", "ties", "faces", "late", "reshape")


def percent(chance: float, odds: AnyOdds, rest: float | None = None) -> str:
    """A chance out of any odds; "0%" and "100%" only where that is the whole truth.

    `rest` is the chance of everything else. Without it, `chance` is that of one of the ways in which all can end.
    """
    if rest is None:
        rest = float(chance <= 0.5 or sum(way > 0 for way in _ways(odds)) > 1)
    if odds.true_zeros and 0 in (chance, rest):
        return in_percent("0") if chance == 0 else in_percent("100")
    return uncertain(chance)


def _ways(odds: AnyOdds) -> tuple[float, ...]:
    """The chances of the ways to end, of which only one can happen."""
    if isinstance(odds, Odds):
        return odds.attacker_wins, odds.beaten, odds.both_left, odds.draw, odds.never
    if isinstance(odds, PathOdds):
        return odds.takes_all, odds.beaten, odds.called_off, odds.never
    if isinstance(odds, WavesOdds):
        return odds.holds(0), odds.holds(1), odds.holds(None)
    return odds.wins, *odds.fates.values()


def victory(odds: AnyOdds) -> str:
    """The chance that the attacker reaches the aim, as all answers tell it."""
    if isinstance(odds, WavesOdds):
        return percent(odds.holds(0), odds)
    if isinstance(odds, PathOdds):
        return percent(odds.takes_all, odds)
    return percent(odds.attacker_wins if isinstance(odds, Odds) else odds.wins, odds)


def uncertain(chance: float) -> str:
    """A chance for people, of something that may happen or not."""
    if chance < 0.0005:
        return in_percent(f"<{number(0.1)}")
    if chance >= 0.9995:
        return in_percent(f">{number(99.9)}")
    return in_percent(number(100 * chance))


def certain(chance: float) -> str:
    """The same of exact odds, where 0 and 1 are the whole truth: "0%", "100%"."""
    return uncertain(chance) if 0 < chance < 1 else in_percent(number(100 * chance, 0))


def tenths(of: float) -> str:
    """Money, or what else is counted, on average: "13.2", "−0.4"; nothing has no sign: "0.0"."""
    return number(of, 1, "z")


def gained(of: float) -> str:
    """The same with its sign: "+13.2", "−0.4", "0.0"."""
    told = tenths(of)
    return told if of < 0 or told == tenths(0) else f"+{told}"


def spread(odds: Odds) -> str:
    """Say between which endings most battles finish: "8 battles in 10 end between 3 defenders and 9 attackers left"."""
    low, high = odds.middle
    if odds.unresolved > 0:
        between = _lead(low) if low == high else _leads(low, high)
    elif low == high:
        between = _left(low)
    elif low >= 0:
        between = _n("between {least} and {n} attacker left", "between {least} and {n} attackers left", high, least=low)
    elif high <= 0:
        between = _n(
            "between {least} and {n} defender left", "between {least} and {n} defenders left", -low, least=-high
        )
    elif _only_two(odds):
        between = _either(low, high)
    else:
        between = f"{_n('between {n} defender', 'between {n} defenders', -low)} {_and_attackers(high)}"
    return f"{share(odds)} {between}"


def share(odds: Odds) -> str:
    """Say how many battles end between the two margins of `Odds.middle`."""
    low, high = odds.middle
    rungs, chances = odds.ladder
    if odds.true_zeros and not chances[:, (rungs < low) | (rungs > high)].any():
        return _("If it ends, it ends") if odds.never else _("Ends")
    return _("If it ends, 8 battles in 10 end") if odds.never else _("8 battles in 10 end")


def _only_two(odds: Odds) -> bool:
    """Whether the battle has two possible endings and no others."""
    _rungs, chances = odds.ladder
    return bool(odds.true_zeros) and int(np.count_nonzero(chances.sum(axis=0))) == 2


def _either(low: int, high: int) -> str:
    """Name two endings, of which the defender wins one: "with 1 defender or 1 attacker left"."""
    defenders = _n("with {n} defender", "with {n} defenders", -low)
    return f"{defenders} {_n('or {n} attacker left', 'or {n} attackers left', high)}"


def _and_attackers(count: int) -> str:
    """Name the end of a range that begins with defenders."""
    return _n("and {n} attacker left", "and {n} attackers left", count)


def _left(rung: int) -> str:
    """Name a single ending by who is left: "with 9 attackers left"."""
    if rung == 0:
        return _("with both sides wiped out")
    if rung > 0:
        return _n("with {n} attacker left", "with {n} attackers left", rung)
    return _n("with {n} defender left", "with {n} defenders left", -rung)


def losses(odds: Odds) -> str:
    """Say how many armies each side loses on average, out of how many."""
    return _(
        "average losses: attacker {lost} of {attackers}, defender {beaten} of {defenders}",
        lost=_lost(odds.attackers_end, odds.attackers, odds),
        attackers=odds.attackers,
        beaten=_lost(odds.defenders_end, odds.defenders, odds),
        defenders=odds.defenders,
    )


def _lost(left: Counts, most: int, odds: Odds) -> str:
    """Write an average loss out of `most`; "0.0" and all of them only if nothing else is possible."""
    average, possible = most - float(left @ odds.chances), left[odds.chances > 0]
    if odds.true_zeros and possible.min() == possible.max():
        return number(average)
    if average < 0.05:
        return f"<{number(0.1)}"
    return f">{number(most - 0.1)}" if number(average) == number(most) else number(average)


def exactness(error: float) -> str:
    """How far numbers may be off."""
    if error == 0:
        return _("exact")
    return _n("accurate to {n} decimal", "accurate to {n} decimals", int(-log10(error)))


def duration(odds: Odds) -> str:
    """Say how many rounds to expect."""
    if odds.rounds is None:
        return _("endless")
    whole = round(odds.rounds)
    if abs(odds.rounds - whole) < 1e-9:
        return _n("{n} round", "{n} rounds", whole) if whole else _("no rounds")
    return about_rounds(odds.rounds)


def about_rounds(rounds: float) -> str:
    """Write an average number of rounds: "about 2.4 rounds", "about 8 rounds"."""
    if round(rounds) < FEW_ROUNDS:
        return _("about {rounds} rounds", rounds=number(rounds))
    return _n("about {n} round", "about {n} rounds", round(rounds))


def of_twenty(odds: Odds) -> tuple[int, int, int]:
    """What twenty such battles look like: won by the attacker, by the defender, by neither; 20 in all."""
    if abs(odds.attacker_wins - odds.beaten) < 1e-12:
        each = round(20 * odds.attacker_wins)
        return each, each, 20 - 2 * each
    return parted((odds.attacker_wins, odds.beaten, neither(odds)))


def parted(chances: tuple[float, float, float]) -> tuple[int, int, int]:
    """Twenty in three parts, as near to these chances as can be."""
    shares = [20 * chance for chance in chances]
    counts = [int(share) for share in shares]
    for index in sorted(range(3), key=lambda index: counts[index] - shares[index])[: 20 - sum(counts)]:
        counts[index] += 1
    return counts[0], counts[1], counts[2]


def alternative(battle: Battle, odds: Odds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    told = f"{verdict(battle, odds)}."
    if odds.beaten:
        held = percent(odds.beaten, odds)
        told = _("{verdict}; defender holds {chance}.", verdict=verdict(battle, odds), chance=held)
    if odds.unresolved:
        bars = _("Bars show how far ahead each side is.")
    else:
        bars = _("Bars show how many each side has left.")
    return f"{told} {sentence(spread(odds))} {bars}"


def neither(odds: Odds) -> float:
    """The chance that neither side wins."""
    return odds.both_left + odds.draw + odds.never


def _lead(rung: int) -> str:
    """Name a single margin of a battle that its limit of rounds cuts short: "with the attacker 3 ahead"."""
    if rung == 0:
        return _("with both sides even")
    return (
        _("with the attacker {lead} ahead", lead=rung) if rung > 0 else _("with the defender {lead} ahead", lead=-rung)
    )


def _leads(low: int, high: int) -> str:
    """Name a range of margins: "between the defender 1 ahead and the attacker 7 ahead"."""
    if low > 0:
        return _("with the attacker {least} to {most} ahead", least=low, most=high)
    if high < 0:
        return _("with the defender {least} to {most} ahead", least=-high, most=-low)
    return f"{_from_lead(low)} {_to_lead(high)}"


def _from_lead(rung: int) -> str:
    """Name the lower end of a range of margins, which the attacker is not above."""
    return _("between the defender {lead} ahead", lead=-rung) if rung else _("between even")


def _to_lead(rung: int) -> str:
    """Name the upper end of a range of margins, which the defender is not above."""
    return _("and the attacker {lead} ahead", lead=rung) if rung else _("and even")


def attackers_with(behind: int) -> str:
    """Say what attackers are counted, those who stay behind among them."""
    told = _n("attackers, {n} of whom stays behind", "attackers, {n} of whom stay behind", behind)
    return told if behind else _("attackers")


def remarks_with(reading: Reading, behind: int) -> tuple[str, ...]:
    """Return a line's remarks, and how attackers are counted where it does not say how many there are."""
    if not behind or (reading.behind and "attackers" in reading.given):
        return reading.remarks
    counted = _n(
        "The attackers include the {n} that stays behind.",
        "The attackers include the {n} that stay behind.",
        behind,
    )
    return *reading.remarks, counted


def fleet(ships: Ships, short: bool = False) -> str:
    """The ships of a side, to stand behind its number: " with 2 bombers", short " (2 B)"; without ships nothing."""
    if not ships:
        return ""
    counts = ships.fighters, ships.bombers, ships.capitals
    if short:
        letters = (
            _p("short", "{n} F", n=counts[0]),
            _p("short", "{n} B", n=counts[1]),
            _p("short", "{n} C", n=counts[2]),
        )
        return f" ({', '.join(told for told, count in zip(letters, counts, strict=True) if count)})"
    names = (
        _n("{n} fighter", "{n} fighters", counts[0]),
        _n("{n} bomber", "{n} bombers", counts[1]),
        _n("{n} capital ship", "{n} capital ships", counts[2]),
    )
    told = [name for name, count in zip(names, counts, strict=True) if count]
    if told[1:]:
        told = [_("{names} and {last}", names=", ".join(told[:-1]), last=told[-1])]
    return f" {_('with {ships}', ships=told[0])}"


def fraction(exact: str) -> tuple[str, str]:
    """A fraction as a line of an answer, and as a text of its own where it is too long for that."""
    if len(exact) <= LONGEST_FRACTION:
        return _("exactly {fraction}", fraction=exact), ""
    told = _n(
        "exactly a fraction whose denominator has {n} digit: see the file",
        "exactly a fraction whose denominator has {n} digits: see the file",
        len(exact.partition("/")[2]),
    )
    return told, exact
