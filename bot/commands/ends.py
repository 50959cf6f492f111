"""All ends: every way in which the battle of an answer can end, with its chance; `all` in a line of /battle."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from bot import army_wording, bombing_wording, waves_wording
from bot.army_ends import Ends, ends_of, ends_of_raid, ends_of_waves
from bot.army_wording import counted
from bot.chance_wording import chance_text
from bot.commands.advice import advice_lines
from bot.commands.path import exactly, verdict_line
from bot.commands.request import Request, Services, read
from bot.dice_ends import MOST_ROWS, most_rows, path_table, shared_rows_remark, tables
from bot.editions import editions
from bot.ends_wording import counted_ends, in_chat, in_file
from bot.errors import UserError
from bot.languages import _
from bot.matchup import Reading, meaning, write
from bot.matchup.bombing import pasted_raid, read_raid
from bot.replies import Button, Reply, TextFile, whole, with_remarks
from bot.wording import describe, duration, exactness, game, has_end, percent, verdict
from bot.words import ENDS
from solver import Battle, Odds
from solver.axis import AxisBattle
from solver.axis_odds import DROPPED, AxisOdds
from solver.bombing import Raid, RaidOdds
from solver.paths import Path
from solver.waves import Waves
from solver.waves_odds import WavesOdds

ROOM = 1_900
"""How many characters of a message are for an answer; its line may be longer where another game is usual."""
MOST_PATH_ROWS = 30
NAME = "ends.txt"


async def all_ends(order: str, request: Request, services: Services) -> Reply:
    """All ends of the battle, in one of the orders of `words.ENDS`."""
    line = request.options["matchup"]
    try:
        reading = await read(request, services)
    except UserError:
        if not pasted_raid(line):
            raise
        with meaning(request.meant):
            raid = read_raid(line)
        return await show_raid_ends(raid, order, request, services)
    return await show_ends(reading._replace(ends=order), request, services)


async def show_ends(reading: Reading, request: Request, services: Services) -> Reply:
    """The answer to "how can it end, and how likely is each end"."""
    battle = reading.battle
    if isinstance(battle, AxisBattle):
        return await _of_armies(battle, reading, request, services)
    if isinstance(battle, Waves):
        return await _of_waves(battle, reading, request, services)
    if reading.ends != ENDS[0]:
        told = _("`all:{order}` works only for Axis & Allies. These rows are sorted by losses.", order=reading.ends)
        reading = reading._replace(of_words=(*reading.of_words, told))
    if isinstance(battle, Path):
        return await _of_path(battle, reading, request, services)
    return await _of_dice(battle, reading, request, services)


async def _of_dice(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    odds = await services.engine.odds(battle)
    short, long = await exactly(battle, services) if reading.exact else ("", "")
    asked = [*await advice_lines(battle, odds, True, services), short] if reading.advice else [short]
    head = f"**{verdict(battle, odds)}** · {describe(battle)} · {game(battle)}"
    remarks = [*reading.remarks]
    if odds.never:
        remarks.append(
            _("{chance} of these battles never end. They are not in the list.", chance=percent(odds.never, odds))
        )
    rounds = [] if battle.reshape else [duration(odds)]
    note = " · ".join([exactness(odds.error), *rounds, f"`{write(battle)}`"])
    reply = _with_odds("\n".join(filter(None, [head, *asked])), note, request)
    if not has_end(odds):
        return replace(reply, text=with_remarks(reply.text, remarks))
    answer, missing = await asyncio.to_thread(_in_rows, odds, reply, remarks)
    lines = await asyncio.to_thread(tables, odds, fine=True) if missing else ()
    return replace(answer, file=_file([head, write(battle)], lines, long))


def _in_rows(odds: Odds, reply: Reply, remarks: Sequence[str]) -> tuple[Reply, bool]:
    """The reply with the tables of both sides, and whether numbers share rows there, as there is no room for each."""
    most = most_rows(odds)
    for groups in MOST_ROWS:
        text = with_remarks(reply.text, [*remarks, *([shared_rows_remark(most)] if groups < most else [])])
        answer = replace(reply, text=text, table=tables(odds, groups))
        if len(whole(answer)) <= ROOM:
            break
    return answer, groups < most


async def _of_path(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    odds = await services.engine.march(path)
    short, long = await exactly(path, services) if reading.exact else ("", "")
    head = verdict_line(path, odds)
    rows, missing = await asyncio.to_thread(path_table, odds, MOST_PATH_ROWS)
    said = _("Territories taken and armies left, best ending first")
    if missing:
        said = _("Territories taken and armies left; the likeliest endings, best first. The file has all of them.")
    legend = f"{said} · {_('A / D: what attacker / defender have left')}"
    text = with_remarks("\n".join(filter(None, [head, legend, short])), reading.remarks)
    lines = (await asyncio.to_thread(path_table, odds, fine=True))[0] if missing else ()
    file = _file([head, write(path)], lines, long)
    return replace(_with_odds(text, f"{_('exact')} · `{write(path)}`", request), table=rows, file=file)


def _with_odds(text: str, note: str, request: Request) -> Reply:
    """An answer with a button back to the odds."""
    return Reply(text, note=note, buttons=(Button(_("Odds"), "battle"),), private=request.private)


def _file(head: Sequence[str], lines: Sequence[str], fraction: str) -> TextFile | None:
    """A table as a file, below what it is about, or a fraction, or both; None where there is neither."""
    if not lines:
        return TextFile("exact.txt", fraction) if fraction else None
    about = [line.replace("*", "") for line in head]
    return TextFile(NAME, "\n".join([*about, "", *lines, "", *([fraction, ""] if fraction else [])]))


async def _of_armies(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    odds = await services.engine.armies(battle, 0.0 if reading.exact else DROPPED)
    note = army_wording.note(battle, odds)
    if odds.declined:
        return _with_odds(army_wording.answer(battle, odds, reading.remarks), note, request)
    edition = editions()[battle.rules.key]
    head = f"**{army_wording.verdict(battle, odds)}** · {army_wording.describe(battle)} · {_(edition.name)}"
    ends = await asyncio.to_thread(ends_of, battle, odds)
    remarks = [*reading.remarks, *army_wording.caveats(edition, odds)]
    legend = [_money(battle), _("A / D: what attacker / defender have left")]
    return await _with_list(Reply(head, note=note), ends, odds, reading.ends, legend, remarks, request)


async def _of_waves(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    odds = await services.engine.waves(waves, 0.0 if reading.exact else DROPPED)
    edition = editions()[waves.battles[0].rules.key]
    head = f"**{waves_wording.verdict(waves, odds)}** · {waves_wording.describe(waves)} · {_(edition.name)}"
    remarks = [*reading.remarks, *edition.remarks, *waves_wording.caveats(odds)]
    note = waves_wording.note(waves, odds)
    if odds.together is None:
        return _with_odds(with_remarks(head, remarks), note, request)
    ends = await asyncio.to_thread(ends_of_waves, waves, odds)
    legend = [_money(waves.battles[0])]
    return await _with_list(Reply(head, note=note), ends, odds, reading.ends, legend, remarks, request)


def _money(battle: AxisBattle) -> str:
    """What the column of money counts."""
    profit = _("TUV swing in {money}", money=counted(battle))
    return _("{profit}, territory included", profit=profit) if battle.deadzone or battle.territory_value else profit


async def show_raid_ends(raid: Raid, order: str, request: Request, services: Services) -> Reply:
    """All ends of a bombing raid."""
    odds = await services.engine.raid(raid)
    edition = editions()[raid.rules.key]
    head = f"**{bombing_wording.verdict(odds)}** · {bombing_wording.describe(raid)} · {_(edition.name)}"
    ends = await asyncio.to_thread(ends_of_raid, odds)
    legend = [_("TUV swing in {money}", money=_("IPC"))]
    reply, caveats = Reply(head, note=bombing_wording.note(odds)), bombing_wording.caveats(raid)
    return await _with_list(reply, ends, odds, order, legend, caveats, request, odds_of="bombing")


async def _with_list(
    reply: Reply,
    ends: Ends,
    odds: AxisOdds | WavesOdds | RaidOdds,
    order: str,
    legend: Sequence[str],
    remarks: Sequence[str],
    request: Request,
    odds_of: str = "battle",
) -> Reply:
    """The reply with the ends in an order, those that do not fit in a file, and buttons for the other orders."""

    def text(shown: int) -> str:
        return with_remarks("\n".join([reply.text, " · ".join([counted_ends(ends, order, shown), *legend])]), remarks)

    room = ROOM - len(whole(replace(reply, text=text(0)), ["", ""]))
    lines, shown = await asyncio.to_thread(in_chat, ends, order, chance_text(odds), room)
    file = None
    if shown < len(ends):
        about = f"{counted_ends(ends, order, len(ends))} · {legend[0]}"
        head = [reply.text.replace("*", ""), reply.note.replace("`", ""), about]
        file = TextFile(NAME, await asyncio.to_thread(in_file, ends, order, chance_text(odds, fine=True), head))
    return replace(
        reply,
        text=text(shown),
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
