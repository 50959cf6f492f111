"""All ends of a battle of Axis & Allies: the list in the chat, the rest in a file, and buttons for other orders."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from bot.editions import editions
from bot.games.axis.end_lists import chat_lines, ends_count_text, file_text
from bot.games.axis.ends import Ends, ends_of
from bot.games.axis.words import answer, caveats, headline, note, value_unit
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button, Reply, TextFile, full_text, without_marks
from bot.request import Request, Services
from bot.words.chances import chance_text
from bot.words.ends import FILE, MOST_CHARACTERS, with_odds_button
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds
from solver.raid.odds import RaidOdds
from solver.waves.odds import WavesOdds


async def answer_ends(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """List who is left, the money lost and gained, and how likely each end is."""
    odds = await services.engine.odds(battle, reading.exact)
    if odds.declined:
        return with_odds_button(answer(battle, odds, reading.remarks), request.private)
    ends = await asyncio.to_thread(ends_of, battle, odds)
    reply = Reply(
        headline(battle, odds),
        remarks=(*reading.remarks, *caveats(editions()[battle.rules.key], odds)),
        note=note(odds),
        line=write_armies(battle),
    )
    legend = [money_heading(battle), _("A / D: what attacker / defender have left")]
    return await list_ends(reply, ends, odds, reading.ends, legend, request)


def money_heading(battle: AxisBattle) -> str:
    """Say what the column of money counts."""
    profit = _("TUV swing in {money}", money=value_unit(battle))
    return _("{profit}, territory included", profit=profit) if battle.deadzone or battle.territory_value else profit


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
        return (" · ".join([ends_count_text(ends, order, shown), *legend]),)

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
