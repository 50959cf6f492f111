"""Lists of all ends of Axis & Allies: the likeliest in a message, and all of them in a file."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.games.axis.ends import Ends, Row, headings, rows, totals
from bot.languages import N_, _, _n
from bot.replies import align_columns
from bot.words.chances import MOST_LISTED, WriteChance, left_out_text
from bot.words.narrow import fold, with_texts
from bot.words.numbers import fate_text

MOST_SHOWN = 60
"""More ends than that fit into no message."""
SORTED = {
    "chance": N_("likeliest first"),
    "money": N_("best TUV first"),
    "winner": N_("by winner"),
}
"""What the orders are called."""


class EndLines(NamedTuple):
    """Lines of a table, and the number of ends in them."""

    lines: tuple[str, ...]
    ends: int


def chat_lines(ends: Ends, order: str, told: WriteChance, room: int) -> EndLines:
    """Return the likeliest ends that fit into so many characters, in an order."""
    ranks = {end: rank for rank, end in enumerate(ends.likeliest(MOST_SHOWN).tolist())}
    found = list(rows(ends, order, ends.likeliest(MOST_SHOWN), told))
    for most in range(len(found), 0, -1):
        some = [row for row in found if ranks[row.end] < most]
        lines = _lines(ends, order, some, told)
        if sum(len(line) + 1 for line in lines) <= room:
            return EndLines(lines, most)
    return EndLines((), 0)


def _lines(ends: Ends, order: str, some: Sequence[Row], told: WriteChance) -> tuple[str, ...]:
    """Return rows for a phone, with the units left behind the numbers, or below them if that is too wide."""
    numbers = [headings(ends, order)[:3], *(row[:3] for row in some)]
    lines = with_texts(numbers, ">>>", [ends.heading, *(" / ".join(row.left) for row in some)])
    whole = lines if order != "winner" else _with_headings(ends, lines, some, told)
    return tuple("\n".join(whole).splitlines())


def _with_headings(ends: Ends, lines: Sequence[str], some: Iterable[Row], told: WriteChance) -> list[str]:
    """Return the lines with a heading above the ends of each winner, which has their chance together."""
    chances, parted, before = totals(ends), [lines[0]], ""
    for line, row in zip(lines[1:], some, strict=True):
        if row.winner != before:
            others = sum(chance for name, chance in chances.items() if name != row.winner)
            parted += fold(fate_text(row.winner, told(chances[row.winner], others)))
        before = row.winner
        parted.append(line)
    return parted


def file_text(ends: Ends, order: str, told: WriteChance, head: Sequence[str]) -> str:
    """Return all ends as a text below some lines; of very many only the likeliest."""
    listed = ends.likeliest(MOST_LISTED)
    some = list(rows(ends, order, listed, told))
    cells = [headings(ends, order, more=True), *((*row[:3], *row.more, *row.left) for row in some)]
    lines: Sequence[str] = align_columns(cells)
    if order == "winner":
        lines = _with_headings(ends, lines, some, told)
    text = [*head, "", *lines]
    if len(ends) > len(listed):
        rest = told(1 - float(ends.chances[listed].sum()), 1)
        text.append(left_out_text(len(ends) - len(listed), rest))
    return "\n".join([*text, ""])


def ends_count_text(ends: Ends, order: str, shown: int) -> str:
    """Say how many ends there are, how many of them are shown, and in which order."""
    sort = _(SORTED[order])
    if shown == len(ends) == 2:
        return _("Both endings, {order}", order=sort)
    if shown == len(ends):
        return _n("{n} ending, {order}", "All {n} endings, {order}", shown, order=sort)
    if not shown:
        return _("The file has all {n} endings, {order}", n=len(ends), order=sort)
    if len(ends) > MOST_LISTED:
        return _(
            "The {shown} likeliest of {all} endings, {order}; the file has the {most} likeliest",
            shown=shown,
            all=len(ends),
            order=sort,
            most=MOST_LISTED,
        )
    return _(
        "The {shown} likeliest of {all} endings, {order}; the file has all of them",
        shown=shown,
        all=len(ends),
        order=sort,
    )
