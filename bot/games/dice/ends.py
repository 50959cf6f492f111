"""All ends of battles with dice, in tables and in a file: the losses of each side; of a path also the territory."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bot.games.base import Reading
from bot.games.dice.answers import advice_lines
from bot.games.dice.words import answer, exactly, has_end
from bot.games.dice.work import find_fraction
from bot.languages import _, _p, in_percent
from bot.notation.dice_options import ENDS
from bot.replies import Reply, TextFile, full_text, without_marks
from bot.request import Request, Services
from bot.words.asked_ends import asked_chance, facts_of
from bot.words.ends import FILE, MOST_CHARACTERS, WriteChance, chance_text, left_out_text, with_odds_button
from bot.words.narrow import fold, narrow
from bot.words.numbers import percent
from solver import Battle, Odds
from solver.chain import Chances, Counts
from solver.documents import MOST_LISTED
from solver.path.odds import PathOdds

MOST_ROWS = 20, 14, 9
"""The most rows for a side in the chat; with more ends, several share a row."""
TAIL = 0.0005
"""The share of all ends that may stand in one row at either end, where ends are put together."""
STEPS = tuple(digit * 10**power for power in range(6) for digit in (1, 2, 5))


class Row(NamedTuple):
    """A row of ends: from `least` to `most` left, their chance, and that of them and all better ends.

    `others` and `worse` are the chances of all that is not in these two.
    """

    least: int
    most: int
    chance: float
    reached: float
    others: float
    worse: float


def side_rows(left: Counts, odds: Odds, groups: int = 0) -> list[Row]:
    """Return the chances of all numbers left of one side, highest first, in at most so many rows."""
    counts, place = np.unique(left[odds.chances > 0], return_inverse=True)
    chances = np.asarray(np.bincount(place, odds.chances[odds.chances > 0], len(counts)), float)
    counts, chances = counts[::-1], chances[::-1]
    starts = _starts(counts, chances, groups) if 0 < groups < len(counts) else np.arange(len(counts))
    return list(_rows(counts, chances, starts, odds.never))


def _rows(counts: Counts, chances: Chances, starts: Counts, never: float) -> Iterator[Row]:
    """Yield the rows that begin at these places."""
    if not len(counts):
        return
    sums = np.add.reduceat(chances, starts)
    after, before = np.append(np.cumsum(sums[::-1])[::-1], 0.0), np.append(0.0, np.cumsum(sums))
    ends = np.append(starts[1:], len(counts)) - 1
    for row, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        worse = float(after[row + 1]) + never
        yield Row(
            int(counts[end]),
            int(counts[start]),
            float(sums[row]),
            float(before[row + 1]),
            float(before[row]) + worse,
            worse,
        )


def _starts(counts: Counts, chances: Chances, groups: int) -> Counts:
    """Return the places where rows begin: a tail at either end, nobody left, and steps of one width between."""
    tail = TAIL * chances.sum()  # most battles may never end
    likely = np.flatnonzero((np.cumsum(chances) > tail) & (np.cumsum(chances[::-1])[::-1] > tail))
    high, low = (int(counts[place]) for place in (likely[0], likely[-1]))
    low = max(low, 1)
    width = next(step for step in STEPS if (high - low) // step + 2 <= groups - 3 or step == STEPS[-1])
    keys = np.where(counts > high, -1, np.where(counts < low, 10**8, (high // width) - counts // width))
    keys = np.where(counts == 0, 10**9, keys)
    return np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))


def side_table(name: str, whole: int, rows: Sequence[Row], write: WriteChance) -> tuple[str, ...]:
    """Return a side's table below its name: lost, left, the chance of that, and of so many left or more."""
    cells: list[list[str]] = [[_p("ends", "lost"), _p("ends", "left"), _("chance"), _("at least")]]
    cells += [
        [
            _range(whole - row.most, whole - row.least),
            _range(row.least, row.most),
            write(row.chance, row.others),
            # All have nobody left or more, however little was left out of their chances.
            in_percent("100") if row.least == 0 and row.worse == 0 else write(row.reached, row.worse),
        ]
        for row in rows
    ]
    return (name, *narrow(cells, ">>>>"))


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def tables(odds: Odds, groups: int = 0, fine: bool = False) -> tuple[str, ...]:
    """Return the tables of both sides, with at most `groups` rows each; without it, a row for each number."""
    lines: list[str] = []
    write = chance_text(odds, fine)
    for name, whole, left in (
        (_("attacker"), odds.attackers, odds.attackers_end),
        (_("defender"), odds.defenders, odds.defenders_end),
    ):
        rows = side_rows(left, odds, groups)
        ranked = sorted(rows, key=lambda row: -row.chance)
        likely = sorted(ranked[:MOST_LISTED], key=lambda row: -row.most)
        lines += ["", *side_table(name, whole, likely, write)]
        if rest := ranked[MOST_LISTED:]:
            lines += fold(left_out_text(len(rest), write(sum(row.chance for row in rest), 1)))
    return tuple(lines[1:])


def path_table(odds: PathOdds, limit: int = MOST_LISTED, fine: bool = False) -> tuple[tuple[str, ...], int]:
    """Return the likeliest ends of a path as rows, the best first, and the number of ends without a row."""
    there, write = np.flatnonzero(odds.chances > 0), chance_text(odds, fine)
    order = there[np.lexsort((odds.defenders_end[there], -odds.attackers_end[there], -odds.taken[there]))]
    chances = odds.chances[order]
    reached, before = np.cumsum(chances), np.append(0.0, np.cumsum(chances)[:-1])
    worse = np.append(np.cumsum(chances[::-1])[::-1][1:], 0.0) + odds.never
    head = _p("territories", "taken"), _p("short", "A / D"), _("chance"), _("at least")
    cells: list[list[str]] = [[*head]]
    likeliest = np.argsort(-chances, kind="stable")
    for row in np.sort(likeliest[:limit]).tolist():
        end = order[row]
        counts = str(odds.taken[end]), f"{odds.attackers_end[end]} / {odds.defenders_end[end]}"
        chance = write(float(chances[row]), float(before[row] + worse[row]))
        cells.append([*counts, chance, write(float(reached[row]), float(worse[row]))])
    rest = likeliest[limit:]
    more = fold(left_out_text(len(rest), write(float(chances[rest].sum()), 1))) if len(rest) else []
    return (*narrow(cells, ">>>>"), *more), len(rest)


async def answer_ends(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """List what each side has left, and how likely each number is."""
    odds = await services.engine.odds(battle)
    short, long = await exactly(find_fraction(services.engine, battle)) if reading.exact else ("", "")
    asked = [*await advice_lines(battle, odds, True, services), short] if reading.asked.get("advice") else [short]
    end_facts = facts_of(asked_chance(reading.asked.get("end"), odds, odds.count, odds.chances))
    remarks = [*order_remarks(reading)]
    if odds.never:
        remarks.append(
            _("{chance} of these battles never end. They are not in the list.", chance=percent(odds.never, odds))
        )
    reply = replace(answer(battle, odds, remarks), facts=(*end_facts, *filter(None, asked)))
    reply = with_odds_button(reply, request.private)
    if not has_end(odds):
        return reply
    reply, missing = await asyncio.to_thread(_in_rows, odds, reply)
    lines = await asyncio.to_thread(tables, odds, fine=True) if missing else ()
    return replace(reply, file=ends_file([reply.text, reply.line], lines, long))


def _in_rows(odds: Odds, reply: Reply) -> tuple[Reply, bool]:
    """Return the reply with the tables of both sides, and whether several numbers share rows for lack of room."""
    there = odds.chances > 0
    count = max(len(np.unique(left[there])) for left in (odds.attackers_end, odds.defenders_end))
    shared = _("Some rows combine several numbers; the file has each one.")
    if count > MOST_LISTED:
        shared = _(
            "Some rows combine several numbers; the file has the {most} likeliest of each side.", most=MOST_LISTED
        )
    for groups in MOST_ROWS:
        remarks = (*reply.remarks, *[shared] * (groups < count))
        fitting = replace(reply, remarks=remarks, table=tables(odds, groups))
        if len(full_text(fitting)) <= MOST_CHARACTERS:
            break
    return fitting, groups < count


def ends_file(head: Sequence[str], lines: Sequence[str], fraction: str) -> TextFile | None:
    """Return a file with a table below its heading, a fraction, or both; None where there is neither."""
    if not lines:
        return TextFile("exact.txt", fraction) if fraction else None
    about = map(without_marks, head)
    return TextFile(FILE, "\n".join([*about, "", *lines, "", *([fraction, ""] if fraction else [])]))


def order_remarks(reading: Reading) -> tuple[str, ...]:
    """Return the remarks of a line, and that its order of the ends is not for these games."""
    if reading.ends == ENDS[0]:
        return reading.remarks
    remark = _("`all:{order}` works only for Axis & Allies. These rows are sorted by losses.", order=reading.ends)
    return reading._replace(of_words=(*reading.of_words, remark)).remarks
