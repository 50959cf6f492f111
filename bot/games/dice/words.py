"""Odds of battles with dice in words."""

from collections.abc import Awaitable, Iterable

import numpy as np

from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.writing import usual_rules, write_dice
from bot.languages import _, _n, _p, number, sentence
from bot.packs import STACKED, find
from bot.replies import Reply
from bot.words.numbers import (
    CALLED_OFF,
    DRAWN,
    HELD,
    NEVER,
    about_rounds,
    describe_with,
    exactness,
    fate_text,
    percent,
    split_of_twenty,
)
from solver import Battle, Odds, Ships
from solver.chain import Counts, Mask
from solver.dice.battle import RULES
from solver.dice.faces import ALL_LUCK

LONGEST_FRACTION = 400


def answer(battle: Battle, odds: Odds, remarks: Iterable[str] = ()) -> Reply:
    """Return the texts of an answer: a verdict, the numbers, how sure they are, and the line of the battle."""
    rounds = [] if battle.reshape else [duration(odds)]
    numbers = [spread(odds), *([] if odds.never else [losses(odds)])] if has_end(odds) and odds.rounds != 0 else []
    return Reply(
        f"**{verdict(battle, odds)}** · {describe(battle)} · {game_name(battle)}",
        facts=(" · ".join(numbers),) if numbers else (),
        remarks=tuple(remarks),
        note=" · ".join([exactness(odds.error), *rounds]),
        line=write_dice(battle),
    )


def has_end(odds: Odds) -> bool:
    """Return whether the battle can come to an end at all."""
    return len(odds.chances) > 0


def verdict(battle: Battle, odds: Odds) -> str:
    """Say who wins and with what chance; name all other possible ends."""
    if not has_end(odds):
        return _("Neither side can ever win")
    if battle.defenders and battle.attackers <= battle.floor:
        return _("The attack ends before the first roll")
    if battle.value is not None and battle.defenders and odds.rounds == 0:
        return _("Don't attack: a territory worth {value} armies doesn't justify the losses", value=battle.value)
    words: list[str] = [_("Attacker wins {chance}", chance=percent(odds.attacker_wins, odds))]
    words += [fate_text(_(fate), percent(chance, odds)) for fate, chance in fates(odds).items() if fate != HELD]
    return ", ".join(words)


def fates(odds: Odds) -> dict[str, float]:
    """Return the possible ends but the attacker's victory, in English, and how likely each is."""
    chances = {HELD: odds.beaten, CALLED_OFF: odds.both_left, DRAWN: odds.draw, NEVER: odds.never}
    return {fate: chance for fate, chance in chances.items() if chance > 0}


def describe(battle: Battle) -> str:
    """Describe the battle, and tell whether it has rules of its own: "12 against 9, stop at 4, house rules"."""
    changed, named = house_rules(battle, usual_rules(battle.variant)), _is_icons(battle)
    return describe_with(matchup(battle), not named, True) if changed else matchup(battle)


def matchup(battle: Battle, short: bool = False) -> str:
    """Describe both sides and the limits: "12 with 2 bombers against 9, stop at 4"; short: "12 (2 B) against 9"."""
    attackers = f"{battle.attackers}{fleet(battle.attack_ships, short)}"
    defenders = f"{battle.defenders}{fleet(battle.defence_ships, short)}"
    parts = [_("{attackers} against {defenders}", attackers=attackers, defenders=defenders)]
    if battle.stop:
        parts.append(_("stop at {attackers}", attackers=battle.stop))
    if battle.reserve:
        parts.append(_("{attackers} in reserve", attackers=battle.reserve))
    if battle.rounds is not None:
        parts.append(_n("{n} round", "{n} rounds", battle.rounds))
    if battle.luck < ALL_LUCK:
        parts.append(_("{luck}% luck", luck=battle.luck))
    if battle.value is not None:
        parts.append(_("territory worth {value}", value=battle.value))
    return ", ".join(parts)


def game(battle: Battle) -> str:
    """Return the name of the game, or of the rule pack, for people, and tell whether the battle has its own rules."""
    changed = house_rules(battle, usual_rules(battle.variant)) and not _is_icons(battle)
    return _("{game} with house rules", game=game_name(battle)) if changed else game_name(battle)


def game_name(battle: Battle) -> str:
    """Return the name of the game, or of the rule pack, for people."""
    base = usual_rules(battle.variant)
    if pack := find(battle.variant):
        return STACKED.join(map(_, pack.names))
    if _is_icons(battle):
        return _("icon dice")
    if battle.game == "starwars":
        return _("Star Wars Risk")
    return _("Risk") if house_rules(battle, base) else _("classic Risk")


def _is_icons(battle: Battle) -> bool:
    """Return whether the dice have symbols of no rule pack; that is the name of the game then."""
    return bool(battle.faces) and not usual_rules(battle.variant).variant


def house_rules(battle: Battle, base: Battle | None = None) -> bool:
    """Return whether the dice, or the winner of ties, differ from the rulebook or from `base`."""
    base = base or usual_rules("")
    return any(getattr(battle, name) != getattr(base, name) for name in _RULES)


_RULES = ("attack", "defence", "faces", *RULES)


def spread(odds: Odds) -> str:
    """Say between which ends most battles finish: "8 battles in 10 end between 3 defenders and 9 attackers left"."""
    low, high = odds.central_80
    if odds.unresolved > 0:
        between = _leads(low, high)
    elif low == high:
        between = _end_text(low)
    elif low >= 0:
        between = _n("between {least} and {n} attacker left", "between {least} and {n} attackers left", high, least=low)
    elif high <= 0:
        between = _n(
            "between {least} and {n} defender left", "between {least} and {n} defenders left", -low, least=-high
        )
    elif odds.true_zeros and np.count_nonzero(odds.margin_law[1].sum(axis=0)) == 2:
        either = _n("with {n} defender", "with {n} defenders", -low)
        between = f"{either} {_n('or {n} attacker left', 'or {n} attackers left', high)}"
    else:
        lower = _n("between {n} defender", "between {n} defenders", -low)
        between = f"{lower} {_n('and {n} attacker left', 'and {n} attackers left', high)}"
    return f"{share(odds)} {between}"


def marked_margins(odds: Odds, asked: Mask) -> tuple[int, ...]:
    """Return the margins of the ends that are `asked`; none where other ends have the same margin."""
    there = odds.chances > 0
    marked, others = ({*odds.margins[there & which].tolist()} for which in (asked, ~asked))
    return () if marked & others else tuple(sorted(marked))


def share(odds: Odds) -> str:
    """Say how many battles end between the two margins of `Odds.central_80`."""
    low, high = odds.central_80
    rungs, chances = odds.margin_law
    if odds.true_zeros and not chances[:, (rungs < low) | (rungs > high)].any():
        return _("If it ends, it ends") if odds.never else _("Ends")
    return _("If it ends, 8 battles in 10 end") if odds.never else _("8 battles in 10 end")


def _end_text(rung: int) -> str:
    """Name a single ending by who is left: "with 9 attackers left"."""
    if rung == 0:
        return _("with both sides wiped out")
    if rung > 0:
        return _n("with {n} attacker left", "with {n} attackers left", rung)
    return _n("with {n} defender left", "with {n} defenders left", -rung)


def losses(odds: Odds) -> str:
    """Say how many armies each side loses on average, out of how many."""
    return _(
        "average losses: attacker {lost}, defender {beaten}",
        lost=_loss_text(odds.attackers_end, odds.attackers, odds),
        beaten=_loss_text(odds.defenders_end, odds.defenders, odds),
    )


def _loss_text(left: Counts, whole: int, odds: Odds) -> str:
    """Write an average loss: "2.4 of 3"; "0.0" and bare "3.0 of 3" only if nothing else is possible."""
    possible = left[odds.chances > 0]
    if odds.true_zeros and possible.min() == possible.max():
        return _("{lost} of {all}", lost=number(whole - float(possible[0])), all=whole)
    average = whole - float(left @ odds.chances)
    if number(average) == number(whole):
        return _("{lost} of {all} (nearly all)", lost=number(average), all=whole)
    return _("{lost} of {all}", lost=f"<{number(0.1)}" if average < 0.05 else number(average), all=whole)


def duration(odds: Odds) -> str:
    """Say how many rounds to expect."""
    if odds.rounds is None:
        return _("endless")
    whole = round(odds.rounds)
    if abs(odds.rounds - whole) < 1e-9:
        return _n("{n} round", "{n} rounds", whole) if whole else _("no rounds")
    return about_rounds(odds.rounds)


def twenty_battles(odds: Odds) -> tuple[int, int, int]:
    """Divide twenty such battles among the attacker, the defender and neither."""
    if abs(odds.attacker_wins - odds.beaten) < 1e-12:
        each = round(20 * odds.attacker_wins)
        return each, each, 20 - 2 * each
    return split_of_twenty((odds.attacker_wins, odds.beaten, neither(odds)))


def alternative(battle: Battle, odds: Odds) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    text = f"{verdict(battle, odds)}."
    if odds.beaten:
        held = percent(odds.beaten, odds)
        text = _("{verdict}; defender holds {chance}.", verdict=verdict(battle, odds), chance=held)
    if odds.unresolved:
        bars = _("Bars show how far ahead each side is.")
    else:
        bars = _("Bars show how many each side has left.")
    return f"{text} {sentence(spread(odds))} {bars}"


def neither(odds: Odds) -> float:
    """Return the chance that neither side wins."""
    return odds.both_left + odds.draw + odds.never


def _leads(low: int, high: int) -> str:
    """Name the margins of a battle that is cut short: "between the defender 1 ahead and the attacker 7 ahead"."""
    if low == high == 0:
        return _("with both sides even")
    if low == high > 0:
        return _("with the attacker {lead} ahead", lead=low)
    if low == high:
        return _("with the defender {lead} ahead", lead=-low)
    if low > 0:
        return _("with the attacker {least} to {most} ahead", least=low, most=high)
    if high < 0:
        return _("with the defender {least} to {most} ahead", least=-high, most=-low)
    start = _("between the defender {lead} ahead", lead=-low) if low else _("between even")
    end = _("and the attacker {lead} ahead", lead=high) if high else _("and even")
    return f"{start} {end}"


def remarks_with(reading: Reading, behind: int) -> tuple[str, ...]:
    """Return a line's remarks, and how attackers are counted where it does not say how many there are."""
    if not behind or (reading.details.behind and "attackers" in reading.details.given):
        return reading.remarks
    return *reading.remarks, behind_text(behind)


def behind_text(behind: int) -> str:
    """Say that a number of attackers counts those that stay behind."""
    return _n(
        "The attackers include the {n} that stays behind.", "The attackers include the {n} that stay behind.", behind
    )


def fleet(ships: Ships, short: bool = False) -> str:
    """Write the ships of a side to stand behind its number: " with 2 bombers", short " (2 B)"; "" without ships."""
    if not ships:
        return ""
    fighters, bombers, capitals = ships.fighters, ships.bombers, ships.capitals
    if short:
        letters = _p("short", "{n} F", n=fighters), _p("short", "{n} B", n=bombers), _p("short", "{n} C", n=capitals)
        parts = [name for name, count in zip(letters, (fighters, bombers, capitals), strict=True) if count]
        return f" ({', '.join(parts)})"
    names = (
        _n("{n} fighter", "{n} fighters", fighters),
        _n("{n} bomber", "{n} bombers", bombers),
        _n("{n} capital ship", "{n} capital ships", capitals),
    )
    parts = [name for name, count in zip(names, (fighters, bombers, capitals), strict=True) if count]
    if parts[1:]:
        parts = [_("{names} and {last}", names=", ".join(parts[:-1]), last=parts[-1])]
    return f" {_('with {ships}', ships=parts[0])}"


def fraction(exact: str) -> tuple[str, str]:
    """Write a fraction as a line of an answer; a long one is also a text of its own."""
    if len(exact) <= LONGEST_FRACTION:
        return _("exactly {fraction}", fraction=exact), ""
    text = _n(
        "exactly a fraction whose denominator has {n} digit: see the file",
        "exactly a fraction whose denominator has {n} digits: see the file",
        len(exact.partition("/")[2]),
    )
    return text, exact


async def exactly(work: Awaitable[str]) -> tuple[str, str]:
    """Return the fraction that the work finds, in short and in full, or the reason why there is none."""
    try:
        return fraction(await work)
    except UserError as error:
        return error.text.removesuffix("."), ""
