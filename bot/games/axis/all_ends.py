"""All ends of a battle of Axis & Allies: the likeliest in the chat, all in a file, and buttons for other orders."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.games.axis.ends import Ends, Row, ends_of, headings, rows, totals
from bot.games.axis.money import value_unit, with_territory
from bot.games.axis.outcomes import law_of
from bot.games.axis.words import answer, asked_end, with_usual_decimals
from bot.games.base import Reading
from bot.languages import N_, _, _n
from bot.replies import Button, Reply, TextFile, align_columns, full_text, without_marks
from bot.request import Request, Services
from bot.words.asked_ends import facts_of
from bot.words.ends import FILE, MOST_CHARACTERS, WriteChance, chance_text, left_out_text, with_odds_button
from bot.words.narrow import fold, with_texts
from bot.words.numbers import USUAL_DECIMALS, fate_text, writing_decimals
from solver.axis.odds import AxisOdds
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves
from solver.documents import MOST_LISTED
from solver.raid.odds import RaidOdds

MOST_SHOWN = 60
"""More ends than that fit into no message."""
SORTED = {
    "chance": N_("likeliest first"),
    "money": N_("best TUV first"),
    "winner": N_("by winner"),
}
"""The names of the orders."""


def chat_lines(ends: Ends, order: str, write: WriteChance, room: int) -> tuple[tuple[str, ...], int]:
    """Return lines of the likeliest ends that fit into so many characters, in an order, and the number of ends."""
    ranks = {end: rank for rank, end in enumerate(ends.likeliest(MOST_SHOWN).tolist())}
    listed = list(rows(ends, order, ends.likeliest(MOST_SHOWN), write))
    for limit in range(len(listed), 0, -1):
        some = [row for row in listed if ranks[row.end] < limit]
        lines = _lines(ends, order, some, write)
        if sum(len(line) + 1 for line in lines) <= room:
            return lines, limit
    return (), 0


def _lines(ends: Ends, order: str, some: Sequence[Row], write: WriteChance) -> tuple[str, ...]:
    """Return rows for a phone, with the units left behind the numbers, or below them if that is too wide."""
    numbers = [headings(ends, order)[:3], *(row[:3] for row in some)]
    lines = with_texts(numbers, ">>>", [ends.heading, *(" / ".join(row.left) for row in some)])
    whole = lines if order != "winner" else _with_headings(ends, lines, some, write)
    return tuple("\n".join(whole).splitlines())


def _with_headings(ends: Ends, lines: Sequence[str], some: Iterable[Row], write: WriteChance) -> list[str]:
    """Return the lines with a heading above the ends of each winner, which has their chance together."""
    chances, parted, before = totals(ends), [lines[0]], ""
    for line, row in zip(lines[1:], some, strict=True):
        if row.winner != before:
            others = sum(chance for name, chance in chances.items() if name != row.winner)
            parted += fold(fate_text(row.winner, write(chances[row.winner], others)))
        before = row.winner
        parted.append(line)
    return parted


def file_text(ends: Ends, order: str, write: WriteChance, head: Sequence[str]) -> str:
    """Return all ends as a text below some lines; of very many only the likeliest."""
    listed = ends.likeliest(MOST_LISTED)
    some = list(rows(ends, order, listed, write))
    cells = [headings(ends, order, more=True), *((*row[:3], *row.more, *row.left) for row in some)]
    lines: Sequence[str] = align_columns(cells)
    if order == "winner":
        lines = _with_headings(ends, lines, some, write)
    text = [*head, "", *lines]
    if len(ends) > len(listed):
        rest = write(1 - float(ends.chances[listed].sum()), 1)
        text.append(left_out_text(len(ends) - len(listed), rest))
    return "\n".join([*text, ""])


def ends_count_text(ends: Ends, order: str, shown: int) -> str:
    """Say how many ends there are, how many of them are shown, and in which order."""
    values = {"order": _(SORTED[order]), "shown": shown, "all": len(ends), "most": MOST_LISTED}
    if shown == len(ends) == 2:
        return _("Both endings, {order}", **values)
    if shown == len(ends):
        return _n("{n} ending, {order}", "All {n} endings, {order}", shown, **values)
    if not shown:
        return _("The file has all {n} endings, {order}", n=len(ends), **values)
    text = N_("The {shown} likeliest of {all} endings, {order}; the file has all of them")
    if len(ends) > MOST_LISTED:
        text = N_("The {shown} likeliest of {all} endings, {order}; the file has the {most} likeliest")
    return _(text, **values)


async def answer_ends(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """List who is left, or who holds the field after the last wave, the money, and how likely each end is."""
    odds = await services.engine.odds(battle, reading.in_full)
    if odds.sampled and reading.digits > USUAL_DECIMALS:
        with writing_decimals(USUAL_DECIMALS):
            return await answer_ends(battle, with_usual_decimals(reading), request, services)
    end_facts, law = facts_of(asked_end(battle, odds, reading)), law_of(odds)
    reply = replace(answer(battle, odds, reading.remarks), table=())
    if law is None:
        return with_odds_button(replace(reply, facts=(*end_facts, *reply.facts)), request.private)
    reply = replace(reply, facts=end_facts)
    ends = await asyncio.to_thread(ends_of, battle, law)
    first = battle.battles[0]
    legend = [with_territory(first, _("TUV swing in {money}", money=value_unit(first)))]
    legend += [_("A / D: what attacker / defender have left")] if battle.only else []
    return await list_ends(reply, ends, odds, reading.ends, legend, request)


async def list_ends(
    reply: Reply,
    ends: Ends,
    odds: AxisOdds | WavesOdds | RaidOdds,
    order: str,
    legend: Sequence[str],
    request: Request,
    odds_of: str = "battle",
) -> Reply:
    """Add the ends to a reply in an order, those without room there in a file, and buttons for the other orders."""

    def facts(shown: int) -> tuple[str, ...]:
        return (*reply.facts, " · ".join([ends_count_text(ends, order, shown), *legend]))

    room = MOST_CHARACTERS - len(full_text(replace(reply, facts=facts(0)), ["", ""]))
    lines, shown = await asyncio.to_thread(chat_lines, ends, order, chance_text(odds), room)
    file = None
    if shown < len(ends):
        about = f"{ends_count_text(ends, order, len(ends))} · {legend[0]}"
        head = [without_marks(reply.text), f"{reply.note} · {reply.line}", about]
        file = TextFile(FILE, await asyncio.to_thread(file_text, ends, order, chance_text(odds, fine=True), head))
    return replace(
        reply,
        facts=facts(shown),
        table=lines,
        file=file,
        buttons=(
            Button(_("By chance"), "ends", enabled=order != "chance"),
            Button(_("By TUV"), "ends money", enabled=order != "money"),
            Button(_("By winner"), "ends winner", enabled=order != "winner"),
            Button(_("Odds"), odds_of),
        ),
        private=request.private,
    )
