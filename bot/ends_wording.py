"""Lists of all ends of Axis & Allies: as many as fit into a message, and all of them as a file."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.army_ends import Ends, Row, headings, rows, totals
from bot.chance_wording import Told
from bot.languages import N_, _, _n
from bot.narrow import folded, with_texts
from bot.replies import aligned
from bot.wording import fated

MOST_SHOWN = 60
"""More ends than that fit into no message."""
MOST_LISTED = 5_000
"""How many ends stand in a file, the likeliest."""
SORTED = {
    "chance": N_("likeliest first"),
    "money": N_("best TUV first"),
    "winner": N_("by winner"),
}
"""What the orders are called."""


class Listed(NamedTuple):
    """Lines of a table, and how many ends they have."""

    lines: tuple[str, ...]
    ends: int


def in_chat(ends: Ends, order: str, told: Told, room: int) -> Listed:
    """The likeliest ends that fit into so many characters, in an order."""
    ranks = {end: rank for rank, end in enumerate(ends.likeliest(MOST_SHOWN).tolist())}
    found = list(rows(ends, order, ends.likeliest(MOST_SHOWN), told))
    for most in range(len(found), 0, -1):
        some = [row for row in found if ranks[row.end] < most]
        lines = _lines(ends, order, some, told)
        if sum(len(line) + 1 for line in lines) <= room:
            return Listed(lines, most)
    return Listed((), 0)


def _lines(ends: Ends, order: str, some: Sequence[Row], told: Told) -> tuple[str, ...]:
    """Rows for a phone: who is left stands behind the numbers, or below them where that is too wide."""
    numbers = [headings(ends, order)[:3], *(row[:3] for row in some)]
    lines = with_texts(numbers, ">>>", [ends.heading, *(" / ".join(row.left) for row in some)])
    whole = lines if order != "winner" else _with_headings(ends, lines, some, told)
    return tuple("\n".join(whole).splitlines())


def _with_headings(ends: Ends, lines: Sequence[str], some: Iterable[Row], told: Told) -> list[str]:
    """The lines with a heading above the ends of each winner, and the chance of these together."""
    chances, parted, before = totals(ends), [lines[0]], ""
    for line, row in zip(lines[1:], some, strict=True):
        if row.winner != before:
            others = sum(chance for name, chance in chances.items() if name != row.winner)
            parted += folded(fated(row.winner, told(chances[row.winner], others)))
        before = row.winner
        parted.append(line)
    return parted


def in_file(ends: Ends, order: str, told: Told, head: Sequence[str]) -> str:
    """All ends as a text below some lines, or the likeliest of very many."""
    listed = ends.likeliest(MOST_LISTED)
    some = list(rows(ends, order, listed, told))
    cells = [headings(ends, order, more=True), *((*row[:3], *row.more, *row.left) for row in some)]
    lines: Sequence[str] = aligned(cells)
    if order == "winner":
        lines = _with_headings(ends, lines, some, told)
    text = [*head, "", *lines]
    if len(ends) > len(listed):
        rest = told(1 - float(ends.chances[listed].sum()), 1)
        text.append(left_out_ends(len(ends) - len(listed), rest))
    return "\n".join([*text, ""])


def counted_ends(ends: Ends, order: str, shown: int) -> str:
    """How many ends there are, how many of them are shown, and in which order."""
    sort = _(SORTED[order])
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


def left_out_ends(count: int, chance: str) -> str:
    """How many ends are not even in a file, and their chance together."""
    return _n("and {n} more ending, {chance}", "and {n} more endings, {chance} together", count, chance=chance)
