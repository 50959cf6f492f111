"""Odds in words: short, plain, and never more certain than the numbers."""

from collections.abc import Iterable
from gettext import ngettext
from math import log10

from bot.matchup import write
from bot.matchup.writing import usual
from bot.packs import load
from solver import Battle, Odds, Ships

LONGEST_FRACTION = 400
OTHER_FATES = {"called_off": "called off", "draw": "draw", "unresolved": "undecided", "never": "never ends"}


def answer(battle: Battle, odds: Odds, remarks: Iterable[str] = (), more: Iterable[str] = ()) -> str:
    """The whole answer: a verdict, the numbers, how sure they are, and the line that brings the battle back.

    `more` are lines that say more than the odds, `remarks` small print.
    """
    lines = [f"**{verdict(battle, odds)}** · {describe(battle)} · {game(battle)}"]
    if has_end(odds):
        lines.append(f"{spread(odds)} · expect to lose {losses(odds)}" if not odds.never else spread(odds))
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
        return "Nobody can ever win"
    if battle.defenders and battle.attackers <= battle.floor:
        return "The attack ends before the first roll"
    if battle.value is not None and odds.rounds == 0:
        return "It does not pay to attack"
    words = [f"Attacker wins {percent(odds.attacker_wins, odds)}"]
    words += [f"{name} {percent(getattr(odds, fate), odds)}" for fate, name in _possible(odds)]
    return ", ".join(words)


def describe(battle: Battle, short: bool = False) -> str:
    """Who meets whom, and for how long: "12 with 2 bombers against 9, stop at 4"; short: "12 (2 B) against 9"."""
    attack = f"{battle.attackers}{fleet(battle.attack_ships, short)}"
    parts = [f"{attack} against {battle.defenders}{fleet(battle.defence_ships, short)}"]
    if battle.stop:
        parts.append(f"stop at {battle.stop}")
    if battle.reserve:
        parts.append(f"{battle.reserve} in reserve")
    if battle.rounds is not None:
        parts.append(f"{battle.rounds} {ngettext('round', 'rounds', battle.rounds)}")
    if battle.value is not None:
        parts.append(f"territory worth {battle.value}")
    return ", ".join(parts)


def game(battle: Battle) -> str:
    """The name of the game, or of the rule pack, for people."""
    base = usual(battle.variant)
    if base.variant:
        name = load()[base.variant].name
    elif battle.faces:
        return "icon dice"
    else:
        name = "Star Wars Risk" if battle.game == "starwars" else "classic Risk"
    return f"{name.removeprefix('classic ')} with house rules" if house_rules(battle, base) else name


def house_rules(battle: Battle, base: Battle | None = None) -> bool:
    """Whether the dice, or who wins ties, are not those of the rulebook, or of the rules in `base`."""
    base = base or usual("")
    return any(getattr(battle, name) != getattr(base, name) for name in _RULES)


_RULES = ("attack", "defence", "ties", "faces", "late", "reshape")


def percent(chance: float, odds: Odds) -> str:
    """A chance out of these odds; "0 %" and "100 %" only where that is the whole truth."""
    fates = (odds.attacker_wins, odds.defender_wins, odds.draw, odds.unresolved, odds.never)
    if odds.true_zeros and chance == 0:
        return "0 %"
    if odds.true_zeros and chance > 0.5 and sum(fate > 0 for fate in fates) == 1:
        return "100 %"
    return uncertain(chance)


def uncertain(chance: float) -> str:
    """A chance for people, of something that may happen or not."""
    if chance < 0.0005:
        return "<0.1 %"
    if chance >= 0.9995:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def certain(chance: float) -> str:
    """The same of exact odds, where 0 and 1 are the whole truth: "0 %", "100 %"."""
    return f"{100 * chance:.0f} %" if chance in (0, 1) else uncertain(chance)


def tenths(of: float) -> str:
    """Money, or what else is counted, on average: "13.2", "−0.4"; nothing has no sign: "0.0"."""
    return f"{of:z.1f}".replace("-", "−")


def gained(of: float) -> str:
    """The same with its sign: "+13.2", "−0.4", "0.0"."""
    told = tenths(of)
    return told if of < 0 or told == "0.0" else f"+{told}"


def spread(odds: Odds) -> str:
    """Between which ends most battles finish: "8 in 10: from 3 defenders left to 9 attackers left"."""
    low, high = odds.middle
    ahead = odds.unresolved > 0
    if low == high:
        between = _end(low, ahead)
    elif low * high > 0 and not ahead:
        least, most = sorted((low, high), key=abs)
        between = f"{abs(least)} to {_end(most, ahead)}"
    else:
        between = f"from {_end(low, ahead)} to {_end(high, ahead)}"
    return f"{share(odds)}: {between}"


def share(odds: Odds) -> str:
    """How many battles end between the two rungs of `Odds.middle`."""
    low, high = odds.middle
    rungs, chances = odds.ladder
    if odds.true_zeros and not chances[:, (rungs < low) | (rungs > high)].any():
        return "all that end" if odds.never else "always"
    return "8 in 10 that end" if odds.never else "8 in 10"


def losses(odds: Odds) -> str:
    """How many attackers to expect to lose, out of how many; "0.0" only where no loss is possible."""
    lost = odds.attackers - odds.attackers_left
    number = f"{lost:.1f}"
    if lost < 0.05 and (lost > 0 or not odds.true_zeros):
        number = "hardly any"
    elif number == f"{odds.attackers:.1f}" and (odds.attackers_left > 0 or not odds.true_zeros):
        number = "nearly all"
    return f"{number} of {odds.attackers}"


def exactness(error: float) -> str:
    """How far numbers may be off."""
    return "exact" if error == 0 else f"right to {int(-log10(error))} decimals"


def duration(odds: Odds) -> str:
    """How many rounds to expect."""
    if odds.rounds is None:
        return "endless"
    whole = round(odds.rounds)
    if abs(odds.rounds - whole) < 1e-9:
        return f"{whole or 'no'} {ngettext('round', 'rounds', whole)}"
    return f"about {odds.rounds:.1f} rounds"


def even(odds: Odds) -> bool:
    """Whether both sides have the same chance to win."""
    return abs(odds.attacker_wins - odds.defender_wins) < 1e-12


def of_twenty(odds: Odds) -> tuple[int, int, int]:
    """What twenty such battles look like: won by the attacker, by the defender, by neither; 20 in all."""
    if even(odds):
        each = round(20 * odds.attacker_wins)
        return each, each, 20 - 2 * each
    return parted((odds.attacker_wins, odds.defender_wins, neither(odds)))


def parted(chances: tuple[float, float, float]) -> tuple[int, int, int]:
    """Twenty in three parts, as near to these chances as can be."""
    shares = [20 * chance for chance in chances]
    counts = [int(share) for share in shares]
    for index in sorted(range(3), key=lambda index: counts[index] - shares[index])[: 20 - sum(counts)]:
        counts[index] += 1
    return counts[0], counts[1], counts[2]


def count_of_twenty(counted: int, sure: bool) -> str:
    """How many of twenty battles; all of them only where that is sure."""
    return str(counted) if counted < 20 or sure else "more than 19"


def twenty(odds: Odds) -> str:
    """The same in a sentence, told for the likeliest fate."""
    fates = (odds.attacker_wins, odds.defender_wins, neither(odds))
    likeliest = max(range(3), key=lambda index: fates[index])
    tale = ("attacker wins", "defender holds", without_winner(odds))[likeliest]
    count = of_twenty(odds)[likeliest]
    if even(odds) and likeliest < 2:
        tale = "each side wins"
    sure = percent(fates[likeliest], odds) == "100 %"
    return f"{tale} {count_of_twenty(count, sure)} of 20 such battles"


def without_winner(odds: Odds) -> str:
    """The name for all ends that neither side has won."""
    names = [name for fate, name in _possible(odds) if fate != "called_off"]
    return names[0] if len(names) == 1 else "no winner"


def rungs(low: int, high: int, odds: Odds) -> str:
    """Rungs of the ladder for a picture: "4 D", "5–9 A", "nobody"."""
    if low == high == 0:
        return "even" if odds.unresolved else "nobody"
    if low < 0 < high:
        return f"{-low} D to {high} A ahead"
    ends = sorted((abs(low), abs(high)))
    count = str(ends[0]) if low == high else f"{ends[0]}–{ends[1]}"
    return f"{count} {'A' if high > 0 else 'D'}{' ahead' if odds.unresolved else ''}"


def alternative(battle: Battle, odds: Odds) -> str:
    """The picture in a sentence or two, for those who cannot see it."""
    told = f"{verdict(battle, odds)}; defender holds {percent(odds.defender_wins, odds)}. "
    counted = "by how many each side is ahead" if odds.unresolved else "how many are left of each side"
    return f"{told}{spread(odds).capitalize()}. Bars show {counted}."


def _possible(odds: Odds) -> list[tuple[str, str]]:
    return [(fate, name) for fate, name in OTHER_FATES.items() if getattr(odds, fate) > 0]


def neither(odds: Odds) -> float:
    """The chance that neither side wins."""
    return odds.draw + odds.unresolved + odds.never


def _end(rung: int, ahead: bool) -> str:
    """A rung of the ladder in words."""
    if rung == 0:
        return "even" if ahead else "nobody left"
    if ahead:
        return f"the {'attacker' if rung > 0 else 'defender'} {abs(rung)} ahead"
    name = ngettext("attacker", "attackers", rung) if rung > 0 else ngettext("defender", "defenders", -rung)
    return f"{abs(rung)} {name} left"


def fleet(ships: Ships, short: bool = False) -> str:
    """The ships of a side, to stand behind its number: " with 2 bombers", short " (2 B)"; without ships nothing."""
    kinds = (
        (ships.fighters, "F", "fighter", "fighters"),
        (ships.bombers, "B", "bomber", "bombers"),
        (ships.capitals, "C", "capital ship", "capital ships"),
    )
    if not ships:
        return ""
    if short:
        return f" ({', '.join(f'{count} {letter}' for count, letter, _, _ in kinds if count)})"
    named = [f"{count} {ngettext(one, many, count)}" for count, _, one, many in kinds if count]
    return f" with {' and '.join([', '.join(named[:-1]), named[-1]] if named[1:] else named)}"


def fraction(exact: str) -> tuple[str, str]:
    """A fraction as a line of an answer, and as a text of its own where it is too long for that."""
    if len(exact) <= LONGEST_FRACTION:
        return f"exactly {exact}", ""
    digits = len(exact.partition("/")[2])
    return f"exactly a fraction whose denominator has {digits} digits: see the file", exact
