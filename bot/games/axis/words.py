"""Odds of Axis & Allies in words: who wins, the losses, the survivors, and the order of loss."""

import re
from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Literal

import numpy as np

from bot.editions import Edition, editions, names_a_unit
from bot.games.axis.writing import sorted_units_text, units_text, write_armies
from bot.languages import N_, _, _n, _p, number, sentence, short_number, whole_number
from bot.replies import Reply
from bot.words.narrow import fold, narrow, with_texts
from bot.words.numbers import (
    CALLED_OFF,
    HELD,
    about_rounds,
    describe_with,
    exactness,
    fate_text,
    percent,
    signed_tenths,
    tenths,
    unsure_percent,
    victory,
)
from solver.axis.battle import AxisBattle
from solver.axis.kernel.forces import Nodes
from solver.axis.odds import AxisOdds, percentiles
from solver.axis.sides import Aim, Army, Chooses, Units
from solver.axis.units import ROLES, Role
from solver.axis.waves.joint import JointOdds

MOST_ENDS = 6
LONGEST_SIDE = 44
FATES = {
    "holds": HELD,
    "cleared": N_("attacker clears it"),
    "submerged": N_("defender submerged"),
    "both": N_("stalemate"),
    "nobody": N_("both wiped out"),
}

CHOICES: dict[tuple[Chooses, Aim], str] = {
    ((True, False), "takes"): N_("attacker chooses casualties"),
    ((False, True), "takes"): N_("defender chooses casualties"),
    ((True, True), "takes"): N_("both choose casualties"),
    ((True, False), "profit"): N_("attacker chooses casualties for the TUV swing"),
    ((False, True), "profit"): N_("defender chooses casualties for the TUV swing"),
    ((True, True), "profit"): N_("both choose casualties for the TUV swing"),
}
"""How a description says who chooses casualties after each roll, and for what."""


def verdict(battle: AxisBattle, odds: AxisOdds) -> str:
    """Say who wins and with what chance; name all other possible ends."""
    if odds.declined:
        return _("No attack is made")
    wins = victory(odds)
    words: list[str] = [
        _("Attacker takes it: {chance}", chance=wins) if odds.land else _("Attacker wins {chance}", chance=wins)
    ]
    names = fate_names(battle)
    words += [
        fate_text(names[fate], percent(odds.end_chances[fate], odds)) for fate in names if odds.end_chances[fate] > 0
    ]
    return ", ".join(words)


def fate_names(battle: AxisBattle, short: bool = False) -> dict[str, str]:
    """Return a name for each end but the attacker's victory; in short for a picture."""
    names: dict[str, str] = {fate: _(name) for fate, name in FATES.items()}
    both: str = _(CALLED_OFF) if battle.retreat or battle.round_limit is not None else names["both"]
    if short:
        both = _p("short", "attack called off") if both == _(CALLED_OFF) else _p("short", "stalemate")
        names = {
            "holds": _p("short", "defender holds"),
            "cleared": _p("short", "attacker clears it"),
            "submerged": _p("short", "defender submerged"),
            "nobody": _p("short", "both wiped out"),
        }
    return names | {"both": both} | ({"nobody": names["cleared"]} if only_bombards(battle) else {})


def only_bombards(battle: AxisBattle) -> bool:
    """Return whether ships alone attack a territory, so that none of them can be lost."""
    alone = all(battle.rules.table[name].kind == "sea" for name, _count in battle.attacker.units)
    return alone and battle.theatre == "land"


def answer(battle: AxisBattle, odds: AxisOdds, remarks: Sequence[str] = ()) -> Reply:
    """Return the texts of the answer: the headline, money and losses, the remarks, and the note."""
    edition = editions()[battle.rules.key]
    why = _("A retreat rule applies before the first shot. Add `decline:no` to attack anyway.")
    return Reply(
        headline(battle, odds),
        facts=(why,) if odds.declined else (*rare_end(battle, odds), gain(battle, odds), losses(battle, odds)),
        remarks=(*remarks, *caveats(edition, odds)),
        table=() if odds.declined else ends(odds, edition),
        note=note(odds),
        line=write_armies(battle),
    )


def rare_end(battle: AxisBattle, odds: AxisOdds) -> tuple[str, ...]:
    """Say how rare the victory of a side is that hardly ever wins, if that is simulated."""
    if not odds.rare:
        return ()
    wins = _("attacker takes it") if odds.land else _("attacker wins")
    end = wins if odds.rare.name == "wins" else fate_names(battle)["holds"]
    often, seldom = _one_in(odds.rare.most), _one_in(odds.rare.least)
    text = _(
        "Rare: {end} in about 1 of {n} battles ({often} to {seldom})",
        end=end,
        n=_one_in(odds.rare.chance),
        often=often,
        seldom=seldom,
    )
    return (text,)


def _one_in(chance: float) -> str:
    """Write one over a small chance, with two digits before the zeros: "1,300,000"."""
    zeros = 10 ** (floor(log10(1 / chance)) - 1)
    return whole_number(round(1 / chance / zeros) * zeros)


def headline(battle: AxisBattle, odds: AxisOdds) -> str:
    """Return the first line of an answer: the verdict, who meets whom, and the edition."""
    edition = editions()[battle.rules.key]
    return f"**{verdict(battle, odds)}** · {describe(battle)} · {_(edition.name)}"


def caveats(edition: Edition, odds: AxisOdds) -> list[str]:
    """Return the caveats of these odds."""
    if odds.unplanned:
        plain = _("Too large to plan ahead: the rules for profit and win chance are ignored")
        return [*edition.remarks, plain]
    return edition.remarks


def describe(battle: AxisBattle) -> str:
    """Describe both sides and the options: "3 inf 2 arm against 5 inf, 2 rounds, low luck"."""
    text = matchup(battle)
    if any(battle.chooses):
        text = f"{text}, {_(CHOICES[battle.chooses, battle.aim])}"
    return with_options(text, write_armies(battle))


def with_options(text: str, line: str) -> str:
    """Return a description with the options of its line: low luck and rounds in words, others as a mark.

    The rounds of several waves are such others, as a description would not say which wave they limit.
    """
    words = [word for word in line.split() if not word.isdigit() and not names_a_unit(word)]
    silent = "vs", "then", "hold", "choose", "choose:tuv"
    options = [word for word in words if word not in silent and not word.startswith("variant:")]
    said = {"lowluck": _("low luck")}
    if "then" not in words:
        limits = [word for word in options if re.fullmatch(r"rounds:\d+", word)]
        said |= {word: _n("{n} round", "{n} rounds", int(word.removeprefix("rounds:"))) for word in limits}
    named = [said[word] for word in options if word in said]
    return describe_with(", ".join([text, *named]), options=len(named) < len(options))


def matchup(battle: AxisBattle) -> str:
    """Describe both sides: "3 inf 2 arm against 5 inf"; of great armies only the number of units."""
    edition = editions()[battle.rules.key]
    ours, theirs = side_text(battle.attacker, edition), side_text(battle.defender, edition)
    return _("{attackers} against {defenders}", attackers=ours, defenders=theirs)


def side_text(side: Army, edition: Edition) -> str:
    """Write the units of a side; of a great army only their number."""
    text = units_text(dict(side.units), edition)
    return text if len(text) <= LONGEST_SIDE else count_text(side.units)


def count_text(units: Units) -> str:
    """Say how many units these are."""
    return _n("{n} unit", "{n} units", sum(count for _name, count in units))


def join_words(words: Sequence[str], units: bool = False) -> str:
    """Join words for a sentence: "6", "6 and 2"; with `units`: "inf and arm"."""
    text, *more = words
    for word in more:
        both = _p("units", "{some} and {more}", some=text, more=word)
        text = both if units else _("{some} and {more}", some=text, more=word)
    return text


def losses(battle: AxisBattle, odds: AxisOdds) -> str:
    """Say what each side loses on average, its units in casualty order and what they are worth."""
    # Ships that bombard a battle on land are in no danger.
    ours, theirs = (
        hundredths(sum(part.unit.cost * part.units for part in battle.segments(role) if not part.spare))
        for role in ROLES
    )
    lost, beaten = (tenths(loss) for loss in money_lost(odds))
    return _(
        "Average losses: attacker {units} ({lost} of {ours}); defender {others} ({beaten} of {theirs})",
        units=_lost_units(battle, "attack", odds) or _("nothing"),
        lost=lost,
        ours=in_money(battle, ours),
        others=_lost_units(battle, "defence", odds) or _("nothing"),
        beaten=beaten,
        theirs=in_money(battle, theirs),
    )


def _lost_units(battle: AxisBattle, role: Role, odds: AxisOdds) -> str:
    """List the units of a side in casualty order, each with how many fall on average: "2.9 inf, 1.8 arm"."""
    short, table = editions()[battle.rules.key].short, battle.rules.table
    lost = odds.lost_units(defenders=role == "defence")
    # Damaged ships are counted with those that were whole, wherever the first of them stand.
    names = dict.fromkeys(table[unit].repaired or unit for unit in battle.order_of_loss(role))
    return ", ".join(f"{number(lost.get(name, 0.0))} {short[name]}" for name in names)


def gain(battle: AxisBattle, odds: AxisOdds | JointOdds) -> str:
    """Say what the attacker gains: "TUV swing: +1.5 IPC on average, median +5 (8 battles in 10: −21 to +17)"."""
    swing = spread(battle, odds)
    if battle.deadzone or battle.territory_value:
        return _("{profit}, territory included", profit=swing)
    return swing


def money_lost(odds: AxisOdds) -> tuple[float, float]:
    """Return the average worth of the units that the attacker and the defender lose, without the territory."""
    return odds.attacker_loss + odds.territory, odds.defender_loss


def value_unit(battle: AxisBattle) -> str:
    """Name the unit of value: the game's money, or the measure that somebody counts instead."""
    return {"value": _("value"), "units": _("units"), "IPC": _("IPC")}[_measure(battle)]


def in_money(battle: AxisBattle, amount: str) -> str:
    """Write an amount with its unit: "20 IPC"; with own prices the bare number."""
    measure = _measure(battle)
    if measure == "value":
        return amount
    return _("{amount} units", amount=amount) if measure == "units" else _("{amount} IPC", amount=amount)


def _measure(battle: AxisBattle) -> Literal["value", "units", "IPC"]:
    if battle.worth.has_prices or battle.worth.measure == "power":
        return "value"
    return "units" if battle.worth.measure == "units" else "IPC"


def spread(battle: AxisBattle, odds: AxisOdds | JointOdds) -> str:
    """Say what the TUV swing is on average, its median, and between which values most battles end."""
    amounts, chances = odds.profit
    low, median, high = percentiles(amounts, chances)
    if len(amounts) == 1:
        return _("TUV swing: always {amount}", amount=in_money(battle, signed_money(low)))
    return _(
        "TUV swing: {mean} on average, median {median} (8 battles in 10: {range})",
        mean=in_money(battle, signed_tenths(float(amounts @ chances))),
        median=signed_money(median),
        range=_range(low, high),
    )


def short_spread(odds: AxisOdds | JointOdds) -> str:
    """Say between which TUV swings most battles end: "8 battles in 10: TUV swing −23 to +14"."""
    amounts, _chances = odds.profit
    if len(amounts) == 1:
        return _("TUV swing: always {amount}", amount=signed_money(float(amounts[0])))
    return _("8 battles in 10: TUV swing {range}", range=swing_range(odds))


def swing_range(odds: AxisOdds | JointOdds) -> str:
    """Write between which TUV swings 8 battles in 10 end."""
    low, _median, high = percentiles(*odds.profit)
    return _range(low, high)


def _range(low: float, high: float) -> str:
    """Write two amounts, or the one they both are: "−23 to +14"."""
    return (
        _p("signed", "{least} to {most}", least=signed_money(low), most=signed_money(high))
        if low < high
        else signed_money(low)
    )


def worth_of(battle: AxisBattle, role: Role, units: Mapping[str, int]) -> float:
    """Return what units of a side are worth together."""
    return sum(count * battle.worth.of(battle.rules.table[name], role) for name, count in units.items())


def signed_money(amount: float) -> str:
    """Write money with its sign, to the hundredth: "+14", "−2.5"."""
    amount = round(amount, 2)
    return f"{'−' if amount < 0 else '+' * (amount > 0)}{hundredths(abs(amount))}"


def hundredths(amount: float) -> str:
    """Write money with as many decimals as it has, two at most: "14", "2.5"."""
    return short_number(round(amount, 2), 15)


def ends(odds: AxisOdds, edition: Edition) -> tuple[str, ...]:
    """Return the likeliest ends, one a row: the chance, and the units left of both sides."""
    words, ours, theirs = left_texts(odds, edition)
    joint, place = np.unique(ours * len(words) + theirs, return_inverse=True)
    chances = np.bincount(place, odds.chances)
    likeliest = np.argsort(-chances, kind="stable")
    ranked = [
        ((words[joint[end] // len(words)], words[joint[end] % len(words)]), float(chances[end]))
        for end in likeliest[:MOST_ENDS].tolist()
    ]
    rest = float(chances[likeliest[MOST_ENDS:]].sum())
    cells: list[list[str]] = [["", _("attacker left"), _("defender left")]]
    likely = [percent(of, odds, float(len(joint) > 1)) for _sides, of in ranked]
    # The rest may be likelier than each of them, and its chance longer.
    width = max(map(len, [*likely, unsure_percent(rest)] if rest else likely))
    cells += [[f"{of:>{width}}", *sides] for of, (sides, _of) in zip(likely, ranked, strict=True)]
    lines = narrow(cells, "><<")
    if any(units not in "\n".join(lines) for sides, _of in ranked for units in sides):
        # Where a unit is alone on a second line, both sides often fit on the first one without columns.
        left = [_("left: attacker / defender"), *(" / ".join(sides) for sides, _of in ranked)]
        joined = with_texts([row[:1] for row in cells], ">", left)
        lines = min(joined, lines, key=lambda some: len("\n".join(some).splitlines()))
    if not rest:
        return lines
    others = _n("{n} other ending", "{n} other endings", len(joint) - MOST_ENDS)
    return *lines, *fold(f"{unsure_percent(rest):>{width}}  {others}")


def left_texts(odds: AxisOdds, edition: Edition) -> tuple[list[str], Nodes, Nodes]:
    """Return different texts of the units left, and for each end the places there of the attacker's and defender's."""
    # Each fate is put in words once: there may be hundreds of thousands of ends.
    codes: dict[str, int] = {}
    ours, theirs = (
        np.array([codes.setdefault(_left_text(fate.left, fate.gone, edition), len(codes)) for fate in fates], np.int64)
        for fates in (odds.attackers, odds.defenders)
    )
    return list(codes), ours[odds.rows], theirs[odds.columns]


def _left_text(left: Units, gone: Units, edition: Edition) -> str:
    """Write the units left: "2 arm 3 fig", in brackets those that left the fight early; "–" for none."""
    parts = [sorted_units_text(units, edition) for units in (left, gone)]
    if parts[0] and parts[1]:
        return f"{parts[0]} ({parts[1]})"
    return parts[0] or parts[1] or "–"


def certainty(odds: AxisOdds) -> str:
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


def note(odds: AxisOdds) -> str:
    """Say how sure the odds are, and how long the battle is."""
    return f"{certainty(odds)} · {duration(odds.rounds)}"


def alternative(battle: AxisBattle, odds: AxisOdds) -> str:
    """Describe the picture in a sentence or two, for people who cannot see it."""
    bars = _("Bars show how likely each TUV swing is.")
    return f"{verdict(battle, odds)}. {sentence(spread(battle, odds))} {bars}"
