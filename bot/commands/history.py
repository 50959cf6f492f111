"""/history and /verify: list, open, share, export, check and end battles, and forget who fought and saved."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.autocomplete import LONGEST_SUGGESTION, Suggestion, with_place_defaults
from bot.commands.live import GONE, frame, log_file, log_of
from bot.commands.mistyped import mark
from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import N_, _, _n, day, language, speaking
from bot.live.fair import MODERATOR
from bot.live.page import page
from bot.live.replay import problem_list, report_lines, room_and_battle
from bot.live.words import players_text
from bot.live.work import check_log
from bot.names import safe_name
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord, BattleSummary, StoredBattle
from bot.words.narrow import INDENT, WIDEST, both_below, with_texts

CHANGES_BATTLE = "history end", "history mistyped"
"""The commands after which the message of a battle has to change, though nobody has pressed there."""
SHOWN, SUGGESTED = 20, 8
LONGEST_LINE = WIDEST - len(INDENT)
NOT_HERE = N_("I can't find that battle here. See `/history list`.")
ENDED: dict[str | None, str] = {
    None: N_("not over"),
    "won": N_("attacker won"),
    "lost": N_("defender held"),
    "nobody": N_("both wiped out"),
    "cleared": N_("attacker cleared it"),
    "stopped": N_("attack called off"),
    "rounds": N_("attack called off"),
    "deadlock": N_("stalemate"),
    "retreat": N_("attack called off"),
    MODERATOR: N_("ended by a moderator"),
}


async def list_battles(request: Request, services: Services) -> Reply:
    """List the latest battles of this place, or those of one player."""
    player = request.options.get("player")
    battles = await services.store.battles.history(request.place, player, SHOWN)
    if not battles:
        return Reply(_("No battles here yet. Start one with `/roll 12 9`."), private=True)
    cells: list[list[str]] = [[_("battle"), _("day")]]
    ended, about = [""], [(str(_("line")), str(_("who")))]
    for battle, players in battles:
        names = players_text(players) or ", ".join(safe_name(p.name) for p in players if p.role == "attacker")
        line = request.line_for_here(services.rooms, battle.line)
        line = line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
        cells.append([battle.id, day(battle.started_at)])
        ended.append(_ending(services.rooms, battle))
        about.append((line, names))
    title = _("**The latest battles here**, for `/history open`, `share` and `export`")
    rows = zip(with_texts(cells, "<<", ended), about, strict=True)
    return Reply(title, table=tuple("\n".join([row, *both_below(*pair)]) for row, pair in rows), private=True)


def _ending(rooms: Rooms, battle: StoredBattle) -> str:
    """Say in two or three words how a battle ended; some games have words of their own."""
    try:
        room, fought = room_and_battle(rooms, battle.line, battle.rules)
        own = room.live.ending(fought, battle.ended) if room.live and room.live.ending else None
    except UserError:
        own = None
    return own or _(ENDED[battle.ended])


async def open_battle(request: Request, services: Services) -> Reply:
    """Show a battle as it stands: only to the person if it is over, else it goes on here."""
    record = await _record(request, services)
    private = record.battle.ended is not None or record.battle.place.startswith("user:")
    with speaking(request.reader if private else language()):
        return await frame(record, services, private)


async def share(request: Request, services: Services) -> Reply:
    """Show a battle to everybody."""
    return await frame(await _record(request, services), services, private=False)


async def export(request: Request, services: Services) -> Reply:
    """Return the log of a battle as a file that anybody can check."""
    record = await _record(request, services)
    line = request.line_for_here(services.rooms, record.battle.line)
    text: str = _("The log of battle `{battle}`: `{line}`.", battle=record.battle.id, line=line)
    if not record.battle.ended:
        text = f"{text} {_('It will include the seed once the battle is over.')}"
    return Reply(text, file=log_file(record), note=_("check it with `sandtable verify FILE`"), private=True)


async def end(request: Request, services: Services) -> Reply:
    """End a battle of this place as a moderator: its log shows the seed, and it doesn't count for luck."""
    if not request.moderates:
        raise UserError(_("Only moderators can end a battle: people who may manage messages or this server."))
    record = await _named_record(request, services)
    if record.battle.place != request.place:
        raise UserError(_(NOT_HERE))
    if not await services.store.battles.end(record.battle.id, datetime.now(UTC)):
        raise UserError(_("That battle is over."))
    # Only the moderator sees this; the players do not see it yet.
    ended = await services.store.battles.find(record.battle.id)
    return replace(await frame(ended or record, services, private=True), frame=None)


async def mark_mistyped(request: Request, services: Services) -> Reply:
    """Leave a battle of real dice out of luck and lists, as somebody mistyped some."""
    marked = await mark(await _named_record(request, services), request, services)
    # Only the person sees this; the others do not see it yet.
    return replace(await frame(marked, services, private=True), frame=None)


async def verify(request: Request, services: Services) -> Reply:
    """Check the dice and the log of a battle, and show its seed if it is over."""
    record = await _record(request, services)
    log = log_of(record)
    wrong = await check_log(services.engine, services.rooms, log)
    if wrong:
        text = f"❌ **{_('Battle `{battle}`', battle=record.battle.id)}** {problem_list(wrong)}"
    else:
        first, *rest = report_lines(log)
        text = "\n".join([f"✅ **{first}**", *rest])
    seed = [_("seed `{seed}`", seed=log["seed"])] if log["seed"] else []
    how = _("check it yourself: open `verify.html` in a browser and give it the log (`/help fairness` has more ways)")
    note = "\n-# ".join([*seed, how])
    return Reply(text, note=note, file=log_file(record), page=page(), private=request.private)


async def forget(request: Request, services: Services) -> Reply:
    """Remove the person's name from all battles and presets, and delete the data of their direct messages."""
    erased = await services.store.cleaning.erase(request.user)
    services.forget_known_settings(f"user:{request.user}")
    sentences = []
    if erased.battles:
        removed = _n(
            "Your name was removed from {n} battle on all servers.",
            "Your name was removed from {n} battles on all servers.",
            erased.battles,
        )
        sentences += [removed, _("Private battles are deleted; other battles stay without your name.")]
    if erased.presets:
        removed = _n(
            "Your name was removed from {n} preset; it stays, and server managers can delete it.",
            "Your name was removed from {n} presets; they stay, and server managers can delete them.",
            erased.presets,
        )
        sentences.append(removed)
    if erased.own_presets:
        deleted = _n(
            "{n} preset of your direct messages was deleted.",
            "{n} presets of your direct messages were deleted.",
            erased.own_presets,
        )
        sentences.append(deleted)
    if erased.own_settings:
        sentences.append(_("Your own settings were deleted."))
    if erased.own_faces:
        sentences.append(_("The counts of dice of your direct messages were deleted."))
    return Reply(" ".join(sentences) or _("Your name isn't in any battle or preset."), private=True)


@with_place_defaults
async def suggest_battle_ids(request: Request, services: Services) -> list[Suggestion]:
    """Suggest battles while their name is typed, with their players."""
    return _suggestions(request, services.rooms, await services.store.battles.history(request.place, limit=100))


@with_place_defaults
async def suggest_unfinished(request: Request, services: Services) -> list[Suggestion]:
    """Suggest battles that a moderator can end."""
    if not request.moderates:
        return []
    battles = await services.store.battles.history(request.place, limit=100, going_on=True)
    return _suggestions(request, services.rooms, battles)


def _suggestions(request: Request, rooms: Rooms, battles: list[BattleSummary]) -> list[Suggestion]:
    typed = request.options.get("battle", "").strip().casefold()
    matching = [summary for summary in battles if typed in f"{summary.battle.id} {summary.battle.line}"]
    suggestions = []
    for battle, players in matching[:SUGGESTED]:
        label = f"{battle.id} {request.line_for_here(rooms, battle.line)} · {_ending(rooms, battle)}"
        label += f" · {players_text(players)}"
        suggestions.append(Suggestion(label[:LONGEST_SUGGESTION].rstrip(" ·"), battle.id))
    return suggestions


async def _named_record(request: Request, services: Services) -> BattleRecord:
    """Return the battle that a request names; UserError if it names none."""
    if not request.options.get("battle", "").strip():
        raise UserError(_("Which battle? `/history list` shows their names."), "history list")
    return await _record(request, services)


async def _record(request: Request, services: Services) -> BattleRecord:
    """Return the battle that a request names; UserError unless it is of this place or one of the person's own."""
    name = request.argument or request.options.get("battle", "").split(" ")[0].strip("`").casefold()
    name = name or await services.store.battles.latest_id(request.place) or ""
    record = await services.store.battles.find(name)
    mine = record and (
        record.battle.place == request.place or request.user in [p.user for p in record.players if p.role]
    )
    # Everybody who sees a message with the battle may press there.
    shown = record and services.store.battles.is_shown_in(request.message, record.battle)
    there = record and (record.battle.id == request.shows or shown)
    if record is None or not (mine or there):
        if request.argument:
            raise UserError(_(GONE))
        raise UserError(_(NOT_HERE))
    return record
