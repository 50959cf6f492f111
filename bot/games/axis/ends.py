"""All ends of a battle of Axis & Allies, one a row: chance, running total, money, who is left; in three orders."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bot.editions import Edition, editions
from bot.errors import UserError, sentence_of
from bot.games.axis.left import field_name, left_texts
from bot.games.axis.money import hundredths, signed_money
from bot.games.axis.outcomes import UNHELD, Law, fate_names, law_of, success
from bot.games.axis.swing import swing_name, swing_unit
from bot.games.axis.values import unit_of
from bot.games.axis.words import certainty
from bot.games.axis.writing import units_text
from bot.games.raid.notation import interceptors_text, planes_text
from bot.languages import _, _p
from bot.words.ends import WriteChance
from bot.words.result import Result
from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.endings import merge_alike
from solver.axis.kernel.forces import Flags, Nodes
from solver.axis.odds import AxisOdds
from solver.axis.units import AMPHIBIOUS
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


def ends_of(battle: Waves, law: Law) -> Ends:
    """Return the ends of a battle; ends that look alike are one."""
    first = battle.battles[0]
    edition = editions()[first.rules.key]
    if isinstance(law, AxisOdds):
        words, ours, theirs = left_texts(law, edition)
        headings, codes, heading = (_("attacker left"), _("defender left")), (ours, theirs), _p("short", "A / D")
        columns = tuple(Column(name, words.__getitem__, code) for name, code in zip(headings, codes, strict=True))
        who, names = law.ways, list(map(fate_names(first).__getitem__, law.ends_without_win))
    else:
        heading = _("left at the end")
        columns = (Column(heading, lambda field: field_name(law.fields[field], edition), law.at),)
        kinds = [(0, None), (1, None), *((None, side) for side in UNHELD)]
        who = np.array([kinds.index((field.holder, field.submerged_side)) for field in law.fields], np.int64)[law.at]
        names = [_("defender holds it"), *(_(name) for name in UNHELD.values())]
    profits = np.round(law.profits, 6)
    places, chances = merge_alike((*(column.codes for column in columns), who, profits), law.chances)
    return Ends(
        chances,
        profits[places],
        who[places],
        (_(success(battle).alone), *names),
        tuple(column._replace(codes=column.codes[places]) for column in columns),
        heading,
        _losses(first, law, places) if isinstance(law, AxisOdds) else (),
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


LEFT = re.compile(r"(?:with )?((?:\d{1,9} ?[a-z_]+[ ,]*)+?)(?: ?left)?")
RANK = np.array([2, 0, 1])
"""The rank of the ends that the attacker wins, that the defender wins, and of all others."""


def find_result(battle: Waves, odds: AxisOdds | WavesOdds, won: bool, left: str) -> Result:
    """Return the ends with these units of the winner left: first by who wins, then by money."""
    law, first = law_of(odds), battle.battles[0]
    if law is None:
        raise UserError(_("I have no list of endings for this battle."))
    matches = law.winners == 0 if won else law.winners != 0
    words: list[str] = [_("attacker won") if won else _("attacker lost")]
    if left:
        edition = editions()[first.rules.key]
        units = _read_left(edition, left)
        matches = matches & _ends_with(law, units, won, first)
        words.append(_("{units} left", units=units_text(units, edition)))
    span = float(np.ptp(law.profits)) + 1
    return Result(
        text=", ".join(words),
        won=won,
        matches=matches,
        worth=np.round(RANK[law.winners] * span + law.profits, 6),
        winners=law.winners,
        chances=law.chances,
        sureness=certainty(odds),
        amounts=law.profits,
        names=(swing_name(swing_unit(first)),),
        by_money=True,
    )


def _read_left(edition: Edition, left: str) -> dict[str, int]:
    """Read the units that the winner had left: "3 inf 1 fig"."""
    match = LEFT.fullmatch(left)
    if not match:
        raise UserError(_("After `won` or `lost`, type which units the winner had left: `lost 3 inf`."))
    units: dict[str, int] = {}
    for count, word in re.findall(r"(\d+) ?([a-z_]+)", match[1]):
        try:
            unit = unit_of(edition, word, "left")
        except BattleError as error:
            raise UserError(sentence_of(error)) from None
        units[unit] = units.get(unit, 0) + int(count)
    return units


def _ends_with(law: Law, units: Mapping[str, int], won: bool, battle: AxisBattle) -> Flags:
    """Return which ends leave the winner these units; guns and transports count only if they are named."""
    table = battle.rules.table

    def fits(*sets: tuple[tuple[str, int], ...]) -> bool:
        there: dict[str, int] = {}
        for name, count in (pair for pairs in sets for pair in pairs):
            plain = name.removeprefix(AMPHIBIOUS)
            there[plain] = there.get(plain, 0) + count
        idle = {name for name in there if table[name].antiaircraft or table[name].defenceless}
        return all(there.get(name, 0) == units.get(name, 0) for name in (there.keys() - idle) | units.keys())

    if isinstance(law, AxisOdds):
        fates, places = (law.attackers, law.rows) if won else (law.defenders, law.columns)
        return np.array([fits(fate.left, fate.gone) for fate in fates], bool)[places]
    side = 0 if won else 1
    return np.array([field.holder == side and fits(field.units) for field in law.fields], bool)[law.at]
