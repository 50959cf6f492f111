"""All ends of a battle of Axis & Allies, one a row: chance, running total, money, who is left; in three orders."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.army_wording import fate_names, hundredths, left_words, signed
from bot.chance_wording import Told
from bot.editions import Edition, editions
from bot.languages import _, _p
from bot.waves_wording import UNHELD, field_names
from solver.axis import AxisBattle
from solver.axis_odds import AxisOdds
from solver.bombing import RaidOdds
from solver.forces import Nodes
from solver.odds import Chances
from solver.waves import Waves
from solver.waves_odds import WavesOdds
from solver.waves_together import prices

Values = npt.NDArray[Any]


class Column(NamedTuple):
    """What of each end is `word(codes[i])`, under a heading."""

    heading: str
    word: Callable[[int], str]
    codes: Nodes


@dataclass(frozen=True, eq=False)
class Ends:
    """Ways to end: with chance `chances[i]` the attacker has made `profits[i]`, and `winners[names[i]]` came about.

    `columns` say who is left, all of them under `heading` where there is little room; in a file `more` columns stand
    between the money and these.
    """

    chances: Chances
    profits: Chances
    names: Nodes
    winners: tuple[str, ...]
    columns: tuple[Column, ...]
    heading: str
    more: tuple[Column, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.chances)

    def likeliest(self, most: int) -> Nodes:
        """So many of them at the most, the likeliest first."""
        return np.argsort(-self.chances, kind="stable")[:most]


class Row(NamedTuple):
    """An end in words: its chance, that of it and those before, the money, who is left, who wins, its place."""

    chance: str
    total: str
    profit: str
    left: tuple[str, ...]
    more: tuple[str, ...]
    winner: str
    end: int


def ends_of(battle: AxisBattle, odds: AxisOdds) -> Ends:
    """The ends of one battle; those that look alike are one."""
    edition = editions()[battle.rules.key]
    words: dict[str, int] = {}
    ours, theirs = (
        np.array([words.setdefault(left_words(fate.left, fate.gone, edition), len(words)) for fate in fates], np.int64)
        for fates in (odds.attackers, odds.defenders)
    )
    fates = np.zeros(len(odds.chances), np.int64)
    for number, which in enumerate(odds.unwon.values(), start=1):
        fates[which] = number
    profits = np.round(odds.defender_loss_at - odds.attacker_loss_at, 6)
    left = ours[odds.rows], theirs[odds.columns]
    places, chances = _once((*left, fates, profits), odds.chances)
    won = _("attacker takes it") if odds.land else _("attacker wins")
    names, some = fate_names(battle), list(words)
    return Ends(
        chances,
        profits[places],
        fates[places],
        (won, *(names[name] for name in odds.unwon)),
        (
            Column(_("attacker left"), some.__getitem__, left[0][places]),
            Column(_("defender left"), some.__getitem__, left[1][places]),
        ),
        _p("short", "A / D"),
        _losses(battle, odds, places),
    )


def _once(codes: Iterable[Values], chances: Chances) -> tuple[Nodes, Chances]:
    """Where the first of all ends stands that share these codes, and the chance of them together."""
    there = np.flatnonzero(chances > 0)
    joint = np.zeros(len(there), np.int64)
    for code in codes:
        different, place = np.unique(code[there], return_inverse=True)
        _found, joint = np.unique(joint * len(different) + place, return_inverse=True)
    _found, first = np.unique(joint, return_index=True)
    return there[first], np.asarray(np.bincount(joint, chances[there], len(first)), float)


def _losses(battle: AxisBattle, odds: AxisOdds, places: Nodes) -> tuple[Column, ...]:
    """The money that both sides lose in ends, the territory not counted."""
    ours = odds.attacker_loss_at
    if battle.deadzone or battle.territory_value:
        ours = prices(battle, 0, [fate.lost for fate in odds.attackers])[odds.rows]
    return tuple(
        _amounts(heading, of[places])
        for heading, of in ((_("attacker loses"), ours), (_("defender loses"), odds.defender_loss_at))
    )


def _amounts(heading: str, amounts: Chances) -> Column:
    found, codes = np.unique(np.round(amounts, 6), return_inverse=True)
    return Column(heading, lambda code: hundredths(float(found[code])), codes)


def ends_of_waves(waves: Waves, odds: WavesOdds) -> Ends:
    """The ends of several waves; ValueError where they are not kept apart."""
    every = odds.together
    if every is None:
        raise ValueError("the ends of these waves are not kept apart")
    edition: Edition = editions()[waves.battles[0].rules.key]
    names: dict[tuple[int | None, int | None], str] = {(None, side): _(name) for side, name in UNHELD.items()}
    names = {(0, None): _("attacker holds it"), (1, None): _("defender holds it")} | names
    kinds = list(names)
    who = np.array([kinds.index((field.holder, field.diver)) for field in every.fields], np.int64)
    profits = np.round(every.profits, 6)
    places, chances = _once((every.at, profits), every.chances)

    def left(field: int) -> str:
        return field_names([every.fields[field]], edition)[0]

    at = every.at[places]
    end = _("left at the end")
    return Ends(chances, profits[places], who[at], tuple(names.values()), (Column(end, left, at),), end)


def ends_of_raid(odds: RaidOdds) -> Ends:
    """The ends of a bombing raid: how many bombers it costs, and what it does."""
    lost, damage = np.nonzero(odds.chances)
    money: Chances = damage - float(odds.raid.bomber.cost) * lost
    profits = np.round(money, 2)
    return Ends(
        odds.chances[lost, damage],
        profits,
        np.where(profits > 0, 0, np.where(profits < 0, 2, 1)),
        (_("worth it"), _("breaks even"), _("not worth it")),
        (Column(_("bombers lost"), str, lost), Column(_("damage"), str, damage)),
        _("bombers lost / damage"),
    )


def rows(ends: Ends, order: str, shown: Nodes, told: Told) -> Iterator[Row]:
    """The ends in these places, sorted by `order`. The running total also counts the ends that are not shown.

    Sorted by money, it counts all ends that bring as much or more.
    """
    chances, names, profits = ends.chances, ends.names, ends.profits
    keys = {"chance": (-chances,), "money": (-chances, -profits), "winner": (-chances, names)}[order]
    place = np.lexsort(keys)
    total = np.cumsum(chances[place])
    rest = np.append(np.cumsum(chances[place][::-1])[::-1][1:], 0.0)
    before = np.append(0.0, total[:-1])
    at = np.arange(len(place))
    if order == "money":
        at = np.searchsorted(-profits[place], -profits[place], side="right") - 1
    wanted = np.zeros(len(place), bool)
    wanted[shown] = True
    for number in np.flatnonzero(wanted[place]).tolist():
        end, last = place[number], at[number]
        yield Row(
            told(float(chances[end]), float(before[number] + rest[number])),
            told(float(total[last]), float(rest[last])),
            signed(float(profits[end])),
            tuple(column.word(int(column.codes[end])) for column in ends.columns),
            tuple(column.word(int(column.codes[end])) for column in ends.more),
            ends.winners[names[end]],
            int(end),
        )


def totals(ends: Ends) -> dict[str, float]:
    """The chance of each heading under which ends stand."""
    found: dict[str, float] = {}
    sums = np.bincount(ends.names, ends.chances, len(ends.winners))
    for name, chance in zip(ends.winners, sums.tolist(), strict=True):
        found[name] = found.get(name, 0.0) + chance
    return found


def headings(ends: Ends, order: str, more: bool = False) -> tuple[str, ...]:
    """What stands over the columns."""
    total = _("at least") if order == "money" else _p("running", "total")
    return (
        *(_("chance"), total, _p("column", "TUV")),
        *(column.heading for column in (*(ends.more if more else ()), *ends.columns)),
    )
