"""Narrow tables for phones: no line in letters of one width is longer than WIDEST."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

from bot.replies import align_columns

WIDEST = 42
"""The letters of one width that fit side by side on a phone."""
LEAST_WORDS = 12
"""A column of words is folded to no fewer letters than this."""
GAP = INDENT = "  "
GLUE = "\N{NO-BREAK SPACE}"

Cells = Sequence[Sequence[str]]


def unbroken(text: str) -> str:
    """Return a text that `fold` keeps on one line."""
    return text.replace(" ", GLUE)


def unbroken_units(text: str) -> str:
    """Return a text in which `fold` keeps each number with the word it counts: "3 inf"."""
    return re.sub(r"(?<![^\s(])(\d+) (?=[^\W\d])", rf"\1{GLUE}", text)


def fold(text: str, first: str = "", later: str = INDENT, width: int = WIDEST) -> list[str]:
    """Split a text into lines of at most `width` letters: `first` begins the first line, `later` the others."""
    if len(first) + len(text) <= width:
        return [(first + text).replace(GLUE, " ")]
    lines = wrap(unbroken_units(text), width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    return [line.replace(GLUE, " ") for line in lines]


def narrow(cells: Cells, sides: str) -> tuple[str, ...]:
    """Return the lines of a table with its headings in the first row; `sides` aligns each column with "<" or ">".

    Where it is too wide, headings take several lines, then columns of words do; what still does not fit becomes a
    table of its own below, after the first column.
    """
    fits = len(sides)
    while fits > 2 and _width(_narrow_widths([row[:fits] for row in cells], sides[:fits])) > WIDEST:
        fits -= 1
    here = [row[:fits] for row in cells]
    lines = _table_lines(here, sides, _narrow_widths(here, sides[:fits], breaks=fits == 2))
    if fits == len(sides):
        return lines
    rest = [[row[0], *row[fits:]] for row in cells]
    return (*lines, "", *narrow(rest, sides[0] + sides[fits:]))


def with_texts(cells: Cells, sides: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return a table of numbers with a text behind each row, each row with all its lines.

    Where one of the texts is too long for that, all go below their rows.
    """
    lines = _table_lines(cells, sides, _narrow_widths(cells, sides, folds=False, breaks=True))
    *above, head = lines[: len(lines) - len(cells) + 1]
    rows = [head, *lines[len(above) + 1 :]]
    width = max(map(len, rows))
    parts = [f"{row:<{width}}{GAP}{text}".rstrip() for row, text in zip(rows, texts, strict=True)]
    if max(map(len, parts)) > WIDEST:
        parts = ["\n".join([row, *below(text)]) for row, text in zip(rows, texts, strict=True)]
    return ("\n".join([*above, parts[0]]), *parts[1:])


def _longest_word(text: str) -> int:
    """Return the length of the longest word of a text."""
    return max(map(len, text.split()), default=0)


def _width(widths: Sequence[int]) -> int:
    """Return the width of a table with columns of these widths."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _narrow_widths(cells: Cells, sides: str, folds: bool = True, breaks: bool = False) -> list[int]:
    """Return the widths of columns, narrower than their words if there is too little room.

    Headings are folded first, then columns of words if this table `folds` them, between words as long as that is
    enough; if it `breaks` words of headings, then these at last.
    """
    heads, rows = cells[0], cells[1:] or [[""] * len(sides)]
    bodies = [max(map(len, column)) for column in zip(*rows, strict=True)]
    words = [_longest_word(head) for head in heads]
    widths = [max(len(head), body) for head, body in zip(heads, bodies, strict=True)]
    narrowest, whole = bodies.copy(), bodies.copy()
    for place, column in enumerate(zip(*rows, strict=True)):
        if folds and sides[place] == "<":
            narrowest[place] = min(bodies[place], LEAST_WORDS)
            whole[place] = max(narrowest[place], *map(_longest_word, column))
    last = [0] * len(heads) if breaks else words
    for values, names in (bodies, words), (whole, words), (narrowest, words), (narrowest, last):
        floors = [max(value, name) for value, name in zip(values, names, strict=True)]
        while _width(widths) > WIDEST and (wide := [at for at, floor in enumerate(floors) if widths[at] > floor]):
            widths[max(wide, key=lambda at: widths[at])] -= 1
    return widths


def _table_lines(cells: Cells, sides: str, widths: Sequence[int]) -> tuple[str, ...]:
    """Return the lines of a table with columns of these widths; long cells take several lines."""
    lines: list[str] = []
    for number, row in enumerate(cells):
        parts = [
            fold(
                cell,
                later=INDENT if number and side == "<" and _longest_word(cell) + len(INDENT) <= width else "",
                width=width,
            )
            for cell, side, width in zip(row, sides, widths, strict=False)
        ]
        if not number:
            height = max(map(len, parts))
            parts = [[*[""] * (height - len(part)), *part] for part in parts]
        for some in zip_longest(*parts, fillvalue=""):
            placed = (f"{cell:{side}{width}}" for cell, side, width in zip(some, sides, widths, strict=False))
            lines.append(GAP.join(placed).rstrip())
    return tuple(lines)


def below(text: str) -> list[str]:
    """Return the lines of a text below a row, indented."""
    return fold(text, INDENT, INDENT * 2) if text else []


def both_below(first: str, second: str) -> list[str]:
    """Return the lines of two texts below a row, on one line if they fit."""
    both = below(f"{first} · {second}")
    return both if len(both) == 1 else [*below(first), *below(second)]


def is_narrow(cells: Cells) -> bool:
    """Return whether a table fits without any rule for wide ones."""
    return max(map(len, align_columns(cells))) <= WIDEST
