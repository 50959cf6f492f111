"""All ends of a path: how many territories are taken, and who is left."""

import asyncio

from bot.games.base import Reading
from bot.games.dice.all_ends import ends_file, order_remarks
from bot.games.dice.ends import path_table
from bot.games.dice.fractions import exactly
from bot.games.path.battle import verdict_line
from bot.games.path.work import find_fraction
from bot.games.path.writing import write_path
from bot.languages import _
from bot.replies import Reply
from bot.request import Request, Services
from bot.words.ends import with_odds_button
from solver.path.path import Path

MOST_ROWS = 30


async def answer_ends(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """List how far the attacker comes, and how likely each end is."""
    odds = await services.engine.odds(path)
    short, long = await exactly(find_fraction(services.engine, path)) if reading.exact else ("", "")
    head = verdict_line(path, odds)
    rows, missing = await asyncio.to_thread(path_table, odds, MOST_ROWS)
    said = _("Territories taken and armies left, best ending first")
    if missing:
        said = _("Territories taken and armies left; the likeliest endings, best first. The file has all of them.")
    legend = f"{said} · {_('A / D: what attacker / defender have left')}"
    lines = (await asyncio.to_thread(path_table, odds, fine=True))[0] if missing else ()
    file = ends_file([head, write_path(path)], lines, long)
    reply = Reply(
        head,
        facts=tuple(filter(None, [legend, short])),
        remarks=order_remarks(reading),
        table=rows,
        note=_("exact"),
        line=write_path(path),
        file=file,
    )
    return with_odds_button(reply, request.private)
