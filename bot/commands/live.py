"""/roll: a live battle, how each of its frames looks, and its log; bot/commands/presses.py has its buttons."""

import asyncio
import json
import logging
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.commands.habits import Habits, as_shown
from bot.commands.request import Request, Services, read
from bot.engine import drawing
from bot.errors import UserError
from bot.fair import MODERATOR, base64url, commitment, new_seed
from bot.fight_wording import (
    Stage,
    headline,
    left,
    names_of,
    ribbon,
    sides,
    staged,
    standing,
    table,
    titles,
    who_meets,
)
from bot.languages import N_, _, language, speaking
from bot.luck_wording import helped
from bot.matchup import RULES, meaning, spelled_out, write
from bot.matchup.bombing import pasted_raid, read_raid, write_raid
from bot.names import bare_name
from bot.replay import Rolled, battle_of
from bot.replies import Button, Frame, Picture, Reply, TextFile, with_remarks
from bot.store.battles import Fought, Player, Record
from bot.store.connections import FullError
from solver.bombing import Raid
from solver.fights import begin

log = logging.getLogger(__name__)

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What names of battles are made of: nothing that is easily taken for something else."""
MOST_PRESSES = 10
"""While people press in more battles than this, frames go without pictures: in a rush people get their dice first."""
GONE = N_("That battle is no longer stored. Start a new one with `/roll 12 9`.")


async def roll(request: Request, services: Services) -> Reply:
    """Begin a battle and return its first frame: the odds and the commitment to the dice."""
    battle, remarks = await _battle(request, services)
    start = await services.engine.chance_to_roll(battle)
    if begin(battle).ended is not None:
        text = f"⚔️ **{headline(staged(battle, []))}** · {who_meets(battle)}"
        return Reply(with_remarks(text, remarks), note=f"`{_line(battle)}`", private=request.private)
    name, seed = "".join(secrets.choice(LETTERS) for _ in range(8)), new_seed()
    players = await _players(request, services)
    begun_by = next(player.tag for player in players if player.user == request.user)
    place = f"user:{request.user}" if request.private else request.place
    committed, now = commitment(name, seed), datetime.now(UTC)
    kept = await is_kept(place, request, services)
    fought = Fought(name, place, _line(battle), seed, committed, committed, start, now, now)
    fought = fought._replace(chance=start, kept=kept, begun_by=begun_by, rules=RULES, base64url=True)
    try:
        await services.store.battles.begin(fought, players, services.settings.most_battles)
    except FullError:
        told = _("Too many unfinished battles. Finish one first (`/history list`).")
        raise UserError(told) from None
    first = await frame(Record(fought, tuple(players), ()), services, request.private)
    return replace(first, text=with_remarks(first.text, remarks))


async def look(name: str, services: Services) -> Reply | None:
    """The frame of a battle for everybody, in the language chosen there; None where it is not kept any more."""
    record = await services.store.battles.find(name)
    if record is None:
        return None
    habits = await services.habits(record.battle.place)
    with speaking(habits.language or language()), drawing(habits.show != "words"):
        shown = as_shown(await frame(record, services, private=False), habits)
    assert isinstance(shown, Reply), "a frame is no form"
    return shown


async def frame(record: Record, services: Services, private: bool, aside: str = "") -> Reply:
    """A battle as it stands."""
    fought = record.battle
    battle = battle_of(fought.line, fought.rules)
    stages = await asyncio.to_thread(staged, battle, record.rolls, fought.start)
    over = _is_over(fought, stages)
    title = f"{_('Ended by a moderator')} · {left(stages[-1].fight)}" if fought.ended == MODERATOR else headline(stages)
    names = names_of(record.players)
    picture = await _ribbon(fought, battle, stages, services) if fought.turn else None
    told = " · ".join(filter(None, [f"{'🎲' if fought.turn else '⚔️'} **{title}**", who_meets(battle), names]))
    judged = over and fought.ended != MODERATOR and not stages[-1].real
    luck = await _luck(fought, battle, stages, services) if judged else ""
    return Reply(
        "\n".join(filter(None, [told, luck])),
        table=table(stages) if fought.turn else (),
        note="\n-# ".join(_notes(fought, stages)),
        file=log_file(record) if over and not fought.kept else None,
        picture=picture,
        buttons=_buttons(record, stages),
        private=private,
        frame=Frame(fought.id, fought.frame),
        aside=aside,
    )


def _notes(fought: Fought, stages: Sequence[Stage]) -> Iterator[str]:
    """Yield the small print of a battle: hashes, for those who check, then its name and the line that buttons read."""
    if any(stage.real for stage in stages):
        yield _("* real dice, typed in; they don't count for luck and statistics")
    promise = base64url(fought.commitment) if fought.base64url else fought.commitment
    head = [_("log `{hash}`", hash=fought.head[:8])] if fought.turn else []
    yield " · ".join([_("commitment `{commitment}`", commitment=promise), *head])
    line = fought.line if fought.rules == RULES else spelled_out(fought.line)
    yield f"{_('battle `{battle}`', battle=fought.id)} · `{line}`"


def battle_in(content: str) -> str:
    """Return the name of the battle in a message of ours, "" if there is none.

    In older messages the hash of the log stands between the name and the line.
    """
    found = re.search(r"^-# [^`\n]+ `([a-z0-9]{8})` · (?:[^`\n]+ `\w+` · )?`[^`\n]+`\s*\Z", content, re.MULTILINE)
    return found[1] if found else ""


def log_of(record: Record) -> dict[str, Any]:
    """Return the log of a battle for export; it has the seed if the battle is over."""
    battle = record.battle
    return {
        "battle": battle.id,
        "commitment": battle.commitment,
        "message": battle.message or "0",
        "seed": battle.seed if battle.ended else None,
        "line": battle.line,
        **({"rules": battle.rules} if battle.rules > 1 else {}),
        **({"ended": MODERATOR} if battle.ended == MODERATOR else {}),
        "rolls": [{**json.loads(roll.entry), "hash": roll.hash} for roll in record.rolls],
        "people": {player.tag: bare_name(player.name) or "somebody" for player in record.players},
    }


def log_file(record: Record) -> TextFile:
    """Return the log of a battle as a file."""
    return TextFile(f"battle-{record.battle.id}.json", f"{json.dumps(log_of(record), indent=1)}\n")


async def _ribbon(fought: Fought, battle: Rolled, stages: Sequence[Stage], services: Services) -> Picture | None:
    """The picture of a battle; None where there can be none just now, as what fell is shown all the same."""
    title, ended = headline(stages), stages[-1].fight.ended
    chances, marks = ribbon(stages)
    if not any(chance is not None for chance in chances):
        return None
    if len(services.presses) > MOST_PRESSES and not ended:
        log.info("battle %s goes without its picture, as people press in many others", fought.id)
        return None
    parts = titles(battle), chances, marks, title if ended else "", _won(ended), sides(battle)
    try:
        png = await services.engine.drawn((fought.id, fought.turn), "draw_ribbon", *parts)
    except UserError as error:
        log.info("battle %s goes without its picture: %s", fought.id, error)
    except Exception:
        log.exception("battle %s goes without its picture", fought.id)
    else:
        alternative = _("{title}. The attacker's chance to win after each round.", title=title)
        return Picture(png, f"battle-{fought.id}-{fought.turn}.png", alternative)
    return None


async def _luck(fought: Fought, battle: Rolled, stages: Sequence[Stage], services: Services) -> str:
    """What the dice did to a battle that is over; nothing where people typed some, or it went on after a retreat."""
    start, last = fought.start, fought.chance
    frozen = any(stage.real or stage.throw is None for stage in stages[1:-1])
    if frozen or not fought.judged or start is None or last is None:
        return ""
    assert not isinstance(battle, Raid), "a raid has no chance to win"
    try:
        odds = await services.engine.any_odds(battle)
        return helped(last - start, standing(odds, stages[-1].fight))
    except Exception as error:  # The end is shown whatever is wrong with this.
        log.info("nothing is told of where battle %s ended among all: %s", fought.id, error)
        return helped(last - start)


def _won(ended: str | None) -> bool | None:
    """Whether the attacker has won; None where nobody has."""
    return {"won": True, "lost": False}.get(ended or "")


def _is_over(fought: Fought, stages: Sequence[Stage]) -> bool:
    """Whether a battle is over, by its rules or because a moderator has ended it."""
    return stages[-1].fight.ended is not None or fought.ended == MODERATOR


def _buttons(record: Record, stages: Sequence[Stage]) -> tuple[Button, ...]:
    fought, here = record.battle, stages[-1].fight
    if _is_over(fought, stages):
        again = [Button(_("Roll again"), "roll", argument=fought.id)] if fought.kept or not meet(record) else []
        return (*again, *([Button(_("Verify"), "verify", argument=fought.id)] if fought.kept else []))
    now = f"{fought.id}:{fought.turn}"
    return (
        Button(_("Roll"), "roll on", argument=now),
        Button(_("Roll to the end"), "roll out", argument=now),
        Button(_("Retreat"), "retreat", enabled=here.resting and here.retreat() != here, argument=now),
        Button(_("Real dice"), "ask dice", argument=now),
    )


async def is_kept(place: str, request: Request, services: Services) -> bool:
    """Whether a battle of a place is kept: neither there nor where it is asked about is the history switched off.

    Only the database can say so; what the process remembers of these places might cost a battle that is to stay.
    """
    return all([Habits.of(await services.store.settings(one)).history for one in {place, request.place}])


def meet(record: Record) -> bool:
    """Whether an opponent is named."""
    return any(player.role == "defender" for player in record.players)


async def _players(request: Request, services: Services) -> list[Player]:
    """Who attacks, and who defends if somebody is named; after "Roll again" those who met before."""
    if request.argument:
        before = await services.store.battles.find(request.argument)
        fighters = [player for player in before.players if player.role] if before else []
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
    if opponent:
        players.append(Player("2", opponent, request.options["opponent_name"], "defender"))
    return players


async def _battle(request: Request, services: Services) -> tuple[Rolled, tuple[str, ...]]:
    """The battle of a line, or the raid, and the remarks about the line."""
    try:
        reading = await read(request, services)
    except UserError:
        if pasted_raid(request.options["matchup"]):
            with meaning(request.meant):
                return read_raid(request.options["matchup"]), ()
        raise
    return reading.battle, reading.remarks


def _line(battle: Rolled) -> str:
    return write_raid(battle) if isinstance(battle, Raid) else write(battle)
