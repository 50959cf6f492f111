"""Odds in words: short, plain, and never more certain than the numbers."""

from collections.abc import Iterable
from gettext import ngettext

from bot.matchup import write
from solver import Battle, Odds, Ships
from solver.battle import ATTACK, DEFENCE

OTHER_FATES = {"draw": "draw", "unresolved": "undecided", "never": "never ends"}


def answer(battle: Battle, odds: Odds, remarks: Iterable[str] = ()) -> str:
    """The whole answer: a verdict, the numbers, how sure they are, and the line that brings the battle back."""
    lines = [f"**{verdict(battle, odds)}** · {describe(battle)} · {game(battle)}"]
    if odds.never < 1:
        lost = odds.attackers - odds.attackers_left
        lines.append(f"8 in 10: {eight_in_ten(odds)} · expect to lose {lost:.1f} of {odds.attackers}")
    lines += [f"-# {remark}" for remark in remarks]
    lines.append(f"-# {sureness(odds)} · {duration(odds)} · `{write(battle)}`")
    return "\n".join(lines)


def verdict(battle: Battle, odds: Odds) -> str:
    """Who wins, in a few words; draws and battles without a winner are named where they can happen."""
    if odds.never == 1:
        return "Nobody can ever win"
    if battle.defenders and battle.attackers <= max(battle.stop, battle.reserve):
        return "The attack stops before the first roll"
    words = [f"Attacker wins {percent(odds.attacker_wins, odds)}"]
    words += [f"{name} {percent(getattr(odds, fate), odds)}" for fate, name in _possible(odds)]
    return ", ".join(words)


def describe(battle: Battle, plans: bool = True) -> str:
    """Who meets whom: "12 with 2 bombers against 9, stop at 4"; without the plans for the fight if so wished."""
    attack = f"{battle.attackers}{_fleet(battle.attack_ships)}"
    defence = f"{battle.defenders}{_fleet(battle.defence_ships)}"
    parts = [f"{attack} against {defence}"]
    if plans and battle.stop:
        parts.append(f"stop at {battle.stop}")
    if plans and battle.reserve:
        parts.append(f"{battle.reserve} in reserve")
    if plans and battle.rounds is not None:
        parts.append(f"{battle.rounds} {ngettext('round', 'rounds', battle.rounds)}")
    return ", ".join(parts)


def game(battle: Battle) -> str:
    """The name of the game for people."""
    if battle.game == "starwars":
        return "Star Wars Risk"
    usual = (battle.attack, battle.defence, battle.ties) == (ATTACK, DEFENCE, "defender")
    return "classic Risk" if usual else "Risk with house rules"


def percent(chance: float, odds: Odds) -> str:
    """A chance out of these odds; it is "100 %" only where nothing else can happen."""
    fates = (odds.attacker_wins, odds.defender_wins, odds.draw, odds.unresolved, odds.never)
    certain = chance > 0.5 and sum(fate > 0 for fate in fates) == 1
    return "100 %" if certain else uncertain(chance)


def uncertain(chance: float) -> str:
    """A chance for people, of something that is not sure to happen."""
    if chance == 0:
        return "0 %"
    if chance < 0.0005:
        return "<0.1 %"
    if chance >= 0.9995:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def eight_in_ten(odds: Odds) -> str:
    """Between which ends eight of ten battles finish: "from 3 defenders left to 9 attackers left"."""
    low, high = odds.middle()
    state = "ahead" if odds.unresolved else "left"
    if low == high:
        return _survivors(low, state)
    if (low > 0) == (high > 0) and low and high:
        least, most = sorted((low, high), key=abs)
        return f"{abs(least)} to {_survivors(most, state)}"
    return f"from {_survivors(low, state)} to {_survivors(high, state)}"


def sureness(odds: Odds) -> str:
    """How far the numbers may be off."""
    return "exact" if odds.error == 0 else f"within {odds.error:.0e}"


def duration(odds: Odds) -> str:
    """How many rounds to expect."""
    if odds.rounds is None:
        return "endless"
    whole = round(odds.rounds)
    if abs(odds.rounds - whole) < 1e-9:
        return f"{whole or 'no'} {ngettext('round', 'rounds', whole or 1)}"
    return f"about {odds.rounds:.1f} rounds"


def twenty(odds: Odds) -> str:
    """What twenty such battles look like, told for the likeliest fate."""
    tales = {"attacker wins": odds.attacker_wins, "defender holds": odds.defender_wins}
    tales |= {name: getattr(odds, fate) for fate, name in _possible(odds)}
    tale = max(tales, key=lambda tale: tales[tale])
    count = round(20 * tales[tale])
    much = str(count) if count < 20 or percent(tales[tale], odds) == "100 %" else "more than 19"
    return f"{tale} {much} of 20 such battles"


def undecided(odds: Odds) -> str:
    """The name of the likeliest end that neither side has won."""
    return OTHER_FATES[max(OTHER_FATES, key=lambda fate: float(getattr(odds, fate)))]


def rungs(low: int, high: int, odds: Odds) -> str:
    """Rungs of the ladder for a picture: "4 D", "5–9 A", "nobody"."""
    if low == high == 0:
        return "even" if odds.unresolved else "nobody"
    ends = sorted((abs(low), abs(high)))
    count = str(ends[0]) if low == high else f"{ends[0]}–{ends[1]}"
    return f"{count} {'A' if high > 0 else 'D'}{' ahead' if odds.unresolved else ''}"


def alternative(battle: Battle, odds: Odds) -> str:
    """The picture in a sentence, for those who cannot see it."""
    return (
        f"{verdict(battle, odds)}; defender holds {percent(odds.defender_wins, odds)}. "
        f"8 in 10 battles: {eight_in_ten(odds)}. Bars show how many are left of each side."
    )


def _possible(odds: Odds) -> list[tuple[str, str]]:
    return [(fate, name) for fate, name in OTHER_FATES.items() if getattr(odds, fate) > 0]


def _survivors(rung: int, state: str) -> str:
    if rung == 0:
        return "a tie" if state == "ahead" else "nobody left"
    name = ngettext("attacker", "attackers", rung) if rung > 0 else ngettext("defender", "defenders", -rung)
    return f"{abs(rung)} {name} {state}"


def _fleet(ships: Ships) -> str:
    named = [
        f"{count} {ngettext(one, many, count)}"
        for count, one, many in (
            (ships.fighters, "fighter", "fighters"),
            (ships.bombers, "bomber", "bombers"),
            (ships.capitals, "capital ship", "capital ships"),
        )
        if count
    ]
    if not named:
        return ""
    return f" with {' and '.join([', '.join(named[:-1]), named[-1]] if named[1:] else named)}"
