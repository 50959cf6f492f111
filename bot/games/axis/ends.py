"""All ends of a battle of Axis & Allies, one a row: chance, running total, money, who is left; in three orders."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.editions import Edition, editions
from bot.games.axis.waves.words import UNHELD, field_name
from bot.games.axis.words import fate_names, hundredths, left_texts, signed_money
from bot.games.raid.notation import interceptors_text, planes_text
from bot.languages import _, _p
from bot.words.ends import WriteChance
from solver.axis.battle import AxisBattle
from solver.axis.endings import merge_alike
from solver.axis.kernel.forces import Nodes
from solver.axis.odds import AxisOdds
from solver.axis.waves.joint import set_prices
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves
from solver.chain import Chances
from solver.raid.odds import RaidOdds


class Column(NamedTuple):
    """A column of the table of ends: end i has the text `word(codes[i])`."""

    heading: str
    word: Callable[[int], str]
    codes: Nodes


@dataclass(frozen=True, eq=False)
class Ends:
    """The possible ends of a battle: end i has `chances[i]`, `profits[i]`, and the heading `winners[names[i]]`.

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
        """Return the number of ends."""
        return len(self.chances)

    def likeliest(self, limit: int) -> Nodes:
        """Return the places of the likeliest ends, the likeliest first."""
        return np.argsort(-self.chances, kind="stable")[:limit]


class Row(NamedTuple):
    """An end in words: chance, running total, money, who is left, who wins, and its place among the ends."""

    chance: str
    total: str
    profit: str
    left: tuple[str, ...]
    more: tuple[str, ...]
    winner: str
    end: int


def ends_of(battle: AxisBattle, odds: AxisOdds) -> Ends:
    """Return the ends of one battle; ends that look alike are one."""
    edition = editions()[battle.rules.key]
    words, ours, theirs = left_texts(odds, edition)
    profits = np.round(odds.defender_loss_at - odds.attacker_loss_at, 6)
    places, chances = merge_alike((ours, theirs, odds.ways, profits), odds.chances)
    won = _("attacker takes it") if odds.land else _("attacker wins")
    names = fate_names(battle)
    return Ends(
        chances,
        profits[places],
        odds.ways[places],
        (won, *(names[name] for name in odds.ends_without_win)),
        (
            Column(_("attacker left"), words.__getitem__, ours[places]),
            Column(_("defender left"), words.__getitem__, theirs[places]),
        ),
        _p("short", "A / D"),
        _losses(battle, odds, places),
    )


def _losses(battle: AxisBattle, odds: AxisOdds, places: Nodes) -> tuple[Column, ...]:
    """Return the columns of the money that both sides lose, without the territory."""
    ours = odds.attacker_loss_at
    if battle.deadzone or battle.territory_value:
        ours = set_prices(battle, 0, [fate.lost for fate in odds.attackers])[odds.rows]
    return tuple(
        _amount_column(heading, of[places])
        for heading, of in ((_("attacker loses"), ours), (_("defender loses"), odds.defender_loss_at))
    )


def _amount_column(heading: str, amounts: Chances) -> Column:
    distinct, codes = np.unique(np.round(amounts, 6), return_inverse=True)
    return Column(heading, lambda code: hundredths(float(distinct[code])), codes)


def ends_of_waves(waves: Waves, odds: WavesOdds) -> Ends:
    """Return the ends of several waves; ValueError if the odds do not keep them apart."""
    every = odds.joint
    if every is None:
        raise ValueError("the ends of these waves are not kept apart")
    edition: Edition = editions()[waves.battles[0].rules.key]
    names: dict[tuple[int | None, int | None], str] = {(None, side): _(name) for side, name in UNHELD.items()}
    names = {(0, None): _("attacker holds it"), (1, None): _("defender holds it")} | names
    kinds = list(names)
    who = np.array([kinds.index((field.holder, field.submerged_side)) for field in every.fields], np.int64)
    profits = np.round(every.profits, 6)
    places, chances = merge_alike((every.at, profits), every.chances)

    def left(field: int) -> str:
        return field_name(every.fields[field], edition)

    at = every.at[places]
    end = _("left at the end")
    return Ends(chances, profits[places], who[at], tuple(names.values()), (Column(end, left, at),), end)


def ends_of_raid(odds: RaidOdds) -> Ends:
    """Return the ends of a bombing raid: the planes lost and the damage."""
    ends = odds.ends()
    profits = np.round(ends.profits(odds.raid), 2)
    columns = [Column(_("bombers lost"), str, ends.bombers)]
    if odds.raid.interceptors:
        kinds = odds.raid.escorts + 1
        codes = ends.bombers * kinds + ends.escorts
        columns = [
            Column(_("lost"), lambda code: planes_text(odds.raid, *divmod(code, kinds)), codes),
            Column(_("shot down"), lambda code: interceptors_text(odds.raid, code), ends.interceptors),
        ]
    columns.append(Column(_("damage"), str, ends.damage))
    return Ends(
        ends.chances,
        profits,
        np.where(profits > 0, 0, np.where(profits < 0, 2, 1)),
        (_("worth it"), _("breaks even"), _("not worth it")),
        tuple(columns),
        " / ".join(column.heading for column in columns),
    )


def rows(ends: Ends, order: str, shown: Nodes, write: WriteChance) -> Iterator[Row]:
    """Yield the ends in these places as rows, sorted by `order`; the running total counts all ends.

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
            write(float(chances[end]), float(before[number] + rest[number])),
            write(float(total[last]), float(rest[last])),
            signed_money(float(profits[end])),
            tuple(column.word(int(column.codes[end])) for column in ends.columns),
            tuple(column.word(int(column.codes[end])) for column in ends.more),
            ends.winners[names[end]],
            int(end),
        )


def totals(ends: Ends) -> dict[str, float]:
    """Return the chance of each heading of the ends."""
    by_heading: dict[str, float] = {}
    sums = np.bincount(ends.names, ends.chances, len(ends.winners))
    for name, chance in zip(ends.winners, sums.tolist(), strict=True):
        by_heading[name] = by_heading.get(name, 0.0) + chance
    return by_heading


def headings(ends: Ends, order: str, more: bool = False) -> tuple[str, ...]:
    """Return the headings of the columns."""
    total = _("at least") if order == "money" else _p("running", "total")
    return (
        *(_("chance"), total, _p("column", "TUV")),
        *(column.heading for column in (*(ends.more if more else ()), *ends.columns)),
    )
