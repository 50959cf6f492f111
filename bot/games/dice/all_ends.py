"""All ends of a battle with dice: how many each side loses and has left; the rest of the tables goes into a file."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from bot.games.base import Reading
from bot.games.dice.advice import advice_lines
from bot.games.dice.ends import MOST_ROWS, most_rows, shared_rows_remark, tables
from bot.games.dice.fractions import exactly
from bot.games.dice.words import answer, has_end
from bot.games.dice.work import find_fraction
from bot.languages import _
from bot.notation.dice_options import ENDS
from bot.replies import Reply, TextFile, full_text, without_marks
from bot.request import Request, Services
from bot.words.ends import FILE, MOST_CHARACTERS, with_odds_button
from bot.words.numbers import percent
from solver import Battle, Odds


async def answer_ends(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """List what each side has left, and how likely each number is."""
    odds = await services.engine.odds(battle)
    short, long = await exactly(find_fraction(services.engine, battle)) if reading.exact else ("", "")
    asked = [*await advice_lines(battle, odds, True, services), short] if reading.asked.get("advice") else [short]
    remarks = [*order_remarks(reading)]
    if odds.never:
        remarks.append(
            _("{chance} of these battles never end. They are not in the list.", chance=percent(odds.never, odds))
        )
    reply = replace(answer(battle, odds, remarks), facts=tuple(filter(None, asked)))
    reply = with_odds_button(reply, request.private)
    if not has_end(odds):
        return reply
    reply, missing = await asyncio.to_thread(_in_rows, odds, reply)
    lines = await asyncio.to_thread(tables, odds, fine=True) if missing else ()
    return replace(reply, file=ends_file([reply.text, reply.line], lines, long))


def _in_rows(odds: Odds, reply: Reply) -> tuple[Reply, bool]:
    """Return the reply with the tables of both sides, and whether several numbers share rows for lack of room."""
    most = most_rows(odds)
    for groups in MOST_ROWS:
        remarks = (*reply.remarks, *([shared_rows_remark(most)] if groups < most else []))
        fitting = replace(reply, remarks=remarks, table=tables(odds, groups))
        if len(full_text(fitting)) <= MOST_CHARACTERS:
            break
    return fitting, groups < most


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
    told = _("`all:{order}` works only for Axis & Allies. These rows are sorted by losses.", order=reading.ends)
    return reading._replace(of_words=(*reading.of_words, told)).remarks
