"""/roll: begin a live battle, render its frames and export its log; bot/commands/presses.py has its buttons."""

import asyncio
import json
import logging
import math
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from bot.charts import COURSE, Course
from bot.commands.opponent import OPTIONS_OF_PLAYERS, PLAYERS_IN_LINE, decisions_for_opponent, question_to_opponent
from bot.commands.rights import has_opponent, player_name, position_of
from bot.errors import UserError
from bot.games.base import GameRoom, Rooms, require
from bot.games.live import Live
from bot.languages import N_, _, compose, language, speaking
from bot.live.buttons import first_choices, move_buttons
from bot.live.dice import with_dice
from bot.live.fair import EVERYBODY, MODERATOR, base64url, commitment, last_typed, typed_rolls
from bot.live.replay import room_and_battle
from bot.live.words import Stages, changes, course, headline, live_stages, luckiest_round, players_text, standing
from bot.live.work import after_best_choices, start_chance
from bot.names import bare_name, safe_name
from bot.notation.defaults import RULES
from bot.notation.old_lines import FIRST, in_todays_notation
from bot.place_settings import adapt_to_place
from bot.replies import Button, Frame, Picture, Reply, TextFile
from bot.request import UNNAMED, Request, Services, read_question
from bot.store.records import BattleRecord, FullError, Player, StoredBattle
from bot.words.luck import choices_sentence, luck_sentence
from bot.work.engine import drawing, draws_pictures
from solver.game import Fight, SideName

log = logging.getLogger(__name__)

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Names of battles have these letters and digits, none of which looks like another."""
MOST_PRESSES = 10
"""While people press in more battles than this, frames go without pictures: in a rush people get their dice first."""
GONE = N_("That battle is no longer stored. Start a new one with `/roll 12 9`.")


async def roll(request: Request, services: Services) -> Reply:
    """Begin a battle and return its first frame: the odds and the commitment to the dice."""
    if request.typed and PLAYERS_IN_LINE.search(request.options.get("matchup", "")):
        raise UserError(_(OPTIONS_OF_PLAYERS))
    battle, remarks = await _battle(request, services)
    room = services.rooms.of(battle)
    start = await start_chance(services.engine, room, battle)
    stages = live_stages(room.game, battle, [])
    if stages[0].fight.ended is not None:
        text = f"⚔️ **{headline(require(room.live), stages)}** · {require(room.words).describe(battle)}"
        line = services.rooms.write(battle)
        return Reply(text, remarks=tuple(remarks), line=line, private=request.private)
    name, seed = name_of(request.interaction), new_seed()
    before = await services.store.battles.find(request.argument) if request.argument else None
    players = _players(request, before)
    begun_by = next(player.tag for player in players if player.user == request.user)
    place = f"user:{request.user}" if request.private else request.place
    committed, now = commitment(name, seed), datetime.now(UTC)
    is_to_stay = await is_kept(place, request, services)
    fought = StoredBattle(name, place, services.rooms.write(battle), seed, committed, committed, start, now, now)
    fought = fought._replace(chance=start, kept=is_to_stay, begun_by=begun_by, rules=RULES, base64url=True)
    fought = fought._replace(press=json.dumps(_rights(request, players, before)))
    new = BattleRecord(fought, tuple(players), ())
    record: BattleRecord | None = new
    # The limit of a server is for its crowd: who can end battles there is only held to the limit of a person.
    limit = math.inf if request.moderates and request.in_server else services.settings.most_battles
    question, decided = None, decisions_for_opponent(new, require(room.live), battle)
    try:
        if await services.store.battles.begin(fought, players, limit):
            question = await question_to_opponent(new, decided, request, services)
        else:
            record = await services.store.battles.find(name)  # begun by a process that ended before it had answered
    except FullError:
        text = _("Too many unfinished battles. Finish one first (`/history list`).")
        raise UserError(text) from None
    if record is None or record.battle.place != place:
        raise UserError(_(GONE))
    shown = await frame(record, services, request.private)
    return replace(shown, remarks=tuple(filter(None, [*remarks, decided])), question=question)


def new_seed() -> str:
    """Draw a seed from the system's randomness: 32 bytes as 64 hex digits."""
    return secrets.token_hex(32)


def name_of(interaction: str) -> str:
    """Return the name of the battle that an interaction begins, the same if it comes again, to another process."""
    source = secrets.token_bytes() if interaction == UNNAMED else f"battle {interaction}".encode()
    number, name = int.from_bytes(sha256(source).digest()), ""
    for _letter in range(8):
        number, letter = divmod(number, len(LETTERS))
        name += LETTERS[letter]
    return name


async def render_frame(name: str, services: Services, channel: str = "") -> Reply | None:
    """Return the frame of a battle for everybody, by the settings of its place; None if it is no longer stored.

    `channel` is the channel whose own settings count where the battle is shown.
    """
    record = await services.store.battles.find(name)
    if record is None:
        return None
    chosen = await services.place_settings(record.battle.place, channel)
    with speaking(chosen.language or language()), drawing(chosen.show != "words"):
        shown = adapt_to_place(services.rooms, await frame(record, services, private=False), chosen)
    assert isinstance(shown, Reply), "a frame is no form"
    return shown


async def frame(record: BattleRecord, services: Services, private: bool, aside: str = "") -> Reply:
    """Return the message of a battle as it stands."""
    fought = record.battle
    room, battle = room_and_battle(services.rooms, fought.line, fought.rules)
    live = require(room.live)
    shown = await asyncio.to_thread(live_stages, room.game, battle, record.rolls, fought.start)
    stages = standing(shown)
    over = _is_over(fought, stages)
    waits_for = await _waits_for(record, room, services) if not over else None
    picture = await _ribbon(fought, battle, stages, services) if fought.turn else None
    at_end = over and fought.ended != MODERATOR and not fought.mistyped
    luck = await _luck(fought, battle, stages, services) if at_end and not stages[-1].real else ""
    luckiest = luckiest_round(live, stages) if at_end else ""
    begins = not over and not fought.turn
    ready = await after_best_choices(services.engine, room, stages[-1].fight) if begins else None
    message = Reply(
        _first_line(record, room, battle, stages, waits_for),
        facts=tuple(filter(None, [ready and live.left(ready), luck, luckiest])),
        table=live.rows(shown) if fought.turn else (),
        note="\n-# ".join(_notes(fought, shown)),
        line=line_below(fought, services.rooms),
        file=log_file(record) if over and not fought.kept else None,
        picture=picture,
        buttons=await _buttons(record, room, stages, waits_for, ready, services),
        private=private,
        frame=Frame(fought.id, fought.frame),
        aside=aside,
    )
    return with_dice(message, live, stages, services.dice if draws_pictures() else {})


def _first_line(record: BattleRecord, room: GameRoom, battle: Any, stages: Stages, waits_for: SideName | None) -> str:
    """Return the first line of a frame: how the battle stands, whom it waits for, what it is and who plays."""
    live, waiting, table = require(room.live), "", ""
    if not _is_over(record.battle, stages):
        waiting = _waiting_text(record, live, stages[-1].fight, waits_for)
        table = _("open table") if record.rights == EVERYBODY else ""
    head = f"{'🎲' if record.battle.turn else '⚔️'} **{_title(record, live, stages)}**"
    described = require(room.words).describe(battle)
    return " · ".join(filter(None, [head, waiting, described, players_text(record.players), table]))


def _title(record: BattleRecord, live: Live, stages: Stages) -> str:
    """Say how a battle stands, and whether a moderator has ended it, and who has marked it as mistyped."""
    fought, here = record.battle, stages[-1].fight
    went_on = here.ended is None and (fought.ended == MODERATOR or fought.mistyped)
    titles = [live.left(here) if went_on else headline(live, stages)]
    if fought.ended == MODERATOR:
        titles.insert(0, _("Ended by a moderator"))
    if fought.mistyped:
        names = {player.tag: player.name for player in record.players}
        name = safe_name(names.get(record.entries[-1]["user"], ""))
        titles.insert(0, _("Marked as mistyped by {name}", name=name))
    return " · ".join(titles)


def line_below(fought: StoredBattle, rooms: Rooms) -> str:
    """Return the line of a battle as it is written today."""
    return in_todays_notation(rooms, fought.line) if fought.rules == FIRST.rules else fought.line


def _notes(fought: StoredBattle, stages: Stages) -> Iterator[str]:
    """Yield the small print of a battle: hashes, for those who check, then its name."""
    if any(stage.real for stage in stages):
        yield _("* real dice, typed in; they don't count for luck and statistics")
    promise = base64url(fought.commitment) if fought.base64url else fought.commitment
    head = [_("log `{hash}`", hash=fought.head[:8])] if fought.turn else []
    yield " · ".join([_("commitment `{commitment}`", commitment=promise), *head])
    yield _("battle `{battle}`", battle=fought.id)


def battle_in(content: str) -> str:
    """Return the name of the battle in a message of ours, "" if there is none.

    In older messages the hash of the log stands between the name and the line.
    """
    note = re.search(r"^-# [^`\n]+ `([a-z0-9]{8})` · (?:[^`\n]+ `\w+` · )?`[^`\n]+`\s*\Z", content, re.MULTILINE)
    return note[1] if note else ""


def log_of(record: BattleRecord) -> dict[str, Any]:
    """Return the log of a battle for export; it has the seed if the battle is over."""
    battle = record.battle
    return {
        "battle": battle.id,
        "commitment": battle.commitment,
        "message": battle.message or "0",
        "seed": battle.seed if battle.ended else None,
        "line": battle.line,
        **({"rules": battle.rules} if battle.rules > 1 else {}),
        **({"press": record.rights} if record.rights else {}),
        **({"ended": MODERATOR} if battle.ended == MODERATOR else {}),
        "rolls": [{**json.loads(roll.entry), "hash": roll.hash} for roll in record.rolls],
        "people": {player.tag: bare_name(player.name) or "somebody" for player in record.players},
    }


def log_file(record: BattleRecord) -> TextFile:
    """Return the log of a battle as a file."""
    return TextFile(f"battle-{record.battle.id}.json", f"{json.dumps(log_of(record), indent=1)}\n")


async def _ribbon(fought: StoredBattle, battle: Any, stages: Stages, services: Services) -> Picture | None:
    """Return the picture of a battle; None if there can be none just now: the dice are shown all the same."""
    room = services.rooms.of(battle)
    live = require(room.live)
    title, ended = headline(live, stages), stages[-1].fight.ended
    chances, befores, marks = course(live, stages)
    if not any(chance is not None for chance in chances) or (ended and len(chances) == 1):
        return None
    if len(services.presses) > MOST_PRESSES and not ended:
        log.info("battle %s goes without its picture, as people press in many others", fought.id)
        return None
    hopes = live.hopes(battle) if live.hopes else None
    titles, end = require(room.words).titles(battle), title if ended else ""
    attacker_won = {"won": True, "lost": False}.get(ended or "")
    drawn = Course(titles, chances, marks, end, attacker_won, hopes, befores, live.is_share(battle))
    try:
        png = await services.engine.draw(COURSE, (fought.id, fought.turn), drawn)
    except UserError as error:
        log.info("battle %s goes without its picture: %s", fought.id, error)
    except Exception:
        log.exception("battle %s goes without its picture", fought.id)
    else:
        text = N_("{title}. The attacker's chance to win after each round.")
        if live.is_share(battle):
            text = N_("{title}. The average share after each round.")
        alternative = _(text, title=title)
        return Picture(png, f"battle-{fought.id}-{fought.turn}.png", alternative)
    return None


async def _luck(fought: StoredBattle, battle: Any, stages: Stages, services: Services) -> str:
    """Say what the dice did to a battle that is over; "" if people typed some, or it went on after a retreat."""
    room, start, last = services.rooms.of(battle), fought.start, fought.chance
    live = require(room.live)
    if live.choosing and any(stage.choice is not None for stage in stages):
        by_dice_and_choices = changes(stages) if any(stage.throw for stage in stages) else None
        if by_dice_and_choices is None:
            return ""
        return choices_sentence(*by_dice_and_choices, live.choosing.luck, live.is_share(battle))
    frozen = any(stage.real or stage.throw is None for stage in stages[1:-1])
    if frozen or not fought.judged or start is None or last is None:
        return ""
    percentile = room.game.percentile
    try:
        odds = await services.engine.odds(battle)
        return luck_sentence(last - start, percentile(odds, stages[-1].fight) if percentile else None)
    except Exception as error:  # The end is shown whatever is wrong with this.
        log.info("nothing is told of where battle %s ended among all: %s", fought.id, error)
        return luck_sentence(last - start)


def _is_over(fought: StoredBattle, stages: Stages) -> bool:
    """Return whether a battle is over, by its rules, or because it was ended by a moderator or marked as mistyped."""
    return stages[-1].fight.ended is not None or fought.ended == MODERATOR or fought.mistyped


async def _waits_for(record: BattleRecord, room: GameRoom, services: Services) -> SideName | None:
    """Return the side whose choice the next roll waits for; None if it waits for none."""
    if room.game.choices is None or not isinstance(record.rights, dict) or not has_opponent(record):
        return None  # so the log need not be replayed again
    return (await position_of(record, "0", services)).waits_for


def _waiting_text(record: BattleRecord, live: Live, here: Fight, waits_for: SideName | None) -> str:
    """Say whom a duel waits for, if that is not the player who attacked first; "" if it is, or it is no duel.

    In a hold the player who attacked first defends, and is named.
    """
    if waits_for and live.choosing:
        waiting, name = _(live.choosing.waiting), player_name(record, waits_for)
        return compose("{waiting}: {name}", waiting=waiting, name=name) if waits_for == "attacker" else waiting
    if here.attacking_side == "defender" and isinstance(record.rights, dict) and has_opponent(record):
        return _("{name} rolls", name=player_name(record, "defender"))
    return ""


async def _buttons(
    record: BattleRecord,
    room: GameRoom,
    stages: Stages,
    waits_for: SideName | None,
    ready: Fight | None,
    services: Services,
) -> tuple[Button, ...]:
    fought, entries = record.battle, record.entries
    may_mark = not fought.mistyped and typed_rolls(entries)
    mark = [Button(_("Mistyped"), "ask mistyped", argument=fought.id)] if may_mark else []
    if _is_over(fought, stages):
        again = [Button(_("Roll again"), "roll", argument=fought.id)] if fought.kept or not has_opponent(record) else []
        return (*again, *([Button(_("Verify"), "verify", argument=fought.id), *mark] if fought.kept else []))
    now = f"{fought.id}:{fought.turn}"
    back = [Button(_("Take back"), "take back", argument=now)] if last_typed(entries, len(entries)) else []
    first = first_choices(now, room, ready) if ready else ()
    return *await move_buttons(now, room, stages[-1].fight, waits_for, services.engine, not ready), *first, *back, *mark


async def is_kept(place: str, request: Request, services: Services) -> bool:
    """Return whether a battle of a place is kept: the history is on both there and where the request comes from.

    Only the database can say so; what the process remembers of these places might cost a battle that is to stay.
    """
    here = await services.read_settings(request.place, request.settings_channel)
    return here.history and (place == request.place or (await services.read_settings(place)).history)


def _rights(request: Request, players: Sequence[Player], before: BattleRecord | None) -> Any:
    """Return who may press in a new battle, as its log says it; after "Roll again" that is as before."""
    usual = before.rights == EVERYBODY if before and before.rights else request.place_settings.open
    if request.options.get("open", "yes" if usual else "no") == "yes":
        return EVERYBODY
    tags = {player.role: player.tag for player in players}
    attacker, wait = tags["attacker"], int(request.place_settings.wait)
    return {"attacker": attacker, "defender": tags.get("defender", attacker), "wait": wait}


def _players(request: Request, before: BattleRecord | None) -> list[Player]:
    """Return the attacker, and the defender if one is named; after "Roll again" the players of the battle before."""
    fighters = [*before.fighters.values()] if before else []
    if request.user in [player.user for player in fighters] and all(player.user for player in fighters):
        return fighters
    players = [Player("1", request.user, request.user_name, "attacker")]
    opponent = request.options.get("opponent")
    if opponent == request.user:
        raise UserError(_("Pick someone else, or leave `opponent` empty to roll both sides."))
    if "opponent_is_bot" in request.options:
        raise UserError(_("A bot can't press buttons. Pick a person, or leave `opponent` empty to roll both sides."))
    if opponent and request.private:
        raise UserError(_("Your opponent can't see a private battle. Leave out `private` or `opponent`."))
    if opponent and request.channel and not request.in_server:  # a group of friends is no channel that we may write in
        raise UserError(_("Your opponent can't see our direct messages. Use a server, or leave out `opponent`."))
    if opponent:
        players.append(Player("2", opponent, request.options["opponent_name"], "defender"))
    return players


async def _battle(request: Request, services: Services) -> tuple[Any, tuple[str, ...]]:
    """Return the battle of the request's line, or the raid, and the remarks about the line."""
    reading = await read_question(request, services, own_commands=True)
    return reading.battle, reading.remarks
