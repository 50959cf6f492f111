"""The rights of players in a live battle: who may press what, the refusals for others, and how the battle stands.

A battle says in its log who may press: see `bot.live.fair`. Older ones do not: there both named players may press, or
everybody if no opponent is named, and only the attacker retreats. On an open table everybody may press.
"""

import asyncio
from typing import NamedTuple

from bot.errors import UserError
from bot.games.base import GameRoom, Rooms, require
from bot.games.live import Choosing, Live
from bot.languages import N_, _, compose
from bot.live.fair import EVERYBODY, last_typed
from bot.live.replay import ReplayError, damaged_log_error, replay_turns, room_and_battle
from bot.live.turns import Turns
from bot.live.words import players_text
from bot.names import safe_name
from bot.request import Request, Services
from bot.store.records import BattleRecord
from solver.game import SIDES, Fight, SideName

ROLL_OWN = N_("Roll your own")


class Position(NamedTuple):
    """A live battle as it stands: the room of its game, the fight, and whose turn it is; None if that is free."""

    room: GameRoom
    fight: Fight
    turns: Turns | None

    @property
    def waits_for(self) -> SideName | None:
        """The side whose choice the next roll waits for; None if it waits for none."""
        return self.turns.waits_for(self.fight) if self.turns else None


async def position_of(record: BattleRecord, message: str, services: Services) -> Position:
    """Return a battle as it stands; `message` is the one that shows it, if nobody has pressed before."""
    fought = record.battle
    room, battle = room_and_battle(services.rooms, fought.line, fought.rules)
    shown_in = fought.message or message
    try:
        fight, turns = await asyncio.to_thread(replay_turns, room.game, battle, record.entries, record.rights, shown_in)
    except ReplayError as error:
        raise damaged_log_error(error) from None
    return Position(room, fight, turns)


def has_opponent(record: BattleRecord) -> bool:
    """Return whether an opponent is named."""
    return "defender" in record.fighters


def check_presser(record: BattleRecord, request: Request, rooms: Rooms) -> None:
    """Raise UserError unless the presser is one of the players, if only these may press.

    Once we have forgotten their names, everybody may.
    """
    users = {player.user for player in record.fighters.values()} - {None}
    only_players = isinstance(record.rights, dict) or (record.rights is None and has_opponent(record))
    if not only_players or not users or request.user in users:
        return
    if has_opponent(record):
        text = _("Only the two players can press here: {names}.", names=players_text(record.players))
    else:
        text = _("Only {name} can press here: this battle has no opponent.", name=player_name(record, "attacker"))
    line = request.line_for_here(rooms, record.battle.line)
    raise UserError(_and_where(text, record, request), f"roll {line}", _(ROLL_OWN))


def check_rolling(record: BattleRecord, request: Request, here: Position) -> None:
    """Raise UserError unless this person may roll, type dice or retreat now."""
    if here.turns is None:
        return
    mine, side = sides_of(record, request, here), here.fight.attacking_side
    if waits := here.waits_for:
        if waits in mine:
            raise UserError(_(require(require(here.room.live).choosing).first))
        name = player_name(record, waits)
        raise UserError(_and_when(_("The next roll waits until {name} has chosen.", name=name), record, here, waits))
    if side not in mine:
        text = _("Only the attacker rolls, retreats and types dice: {name}.", name=player_name(record, side))
        raise UserError(_and_when(text, record, here, side))


def check_retreating(record: BattleRecord, request: Request, live: Live, here: Position) -> None:
    """Raise UserError if nobody can retreat now, or somebody else decides that.

    In a battle that gives its sides to nobody only the attacker can retreat, while we know a player's name; nobody can
    if the attacker has asked us to forget theirs. Once we have forgotten all names, everybody can.
    """
    fight = here.fight
    fighters = {side: player.user for side, player in record.fighters.items()}
    attacker = fighters[fight.attacking_side if has_opponent(record) else "attacker"]
    if here.turns is None and any(fighters.values()) and request.user != attacker:
        raise UserError(_("Only the attacker can retreat."))
    check_rolling(record, request, here)
    if not fight.resting:
        raise UserError(_("The attacker can retreat after this round."))
    if fight.retreat() == fight:
        raise UserError(_(live.no_retreat))


def sides_of(record: BattleRecord, request: Request, here: Position) -> frozenset[SideName]:
    """Return the sides for which this person may go on: their own, and that of a player who has let them wait."""
    turns = here.turns
    late = {side for side in SIDES if turns and turns.is_free(here.fight, side, request.interaction)}
    return own_sides(record, request, here) | late


def own_sides(record: BattleRecord, request: Request, here: Position) -> frozenset[SideName]:
    """Return the sides for which this person may choose, and roll if the battle says so.

    Without an opponent these are both. Everybody who can press here may choose for a player who has asked us to forget
    the name, so that the battle can go on.
    """
    if record.rights == EVERYBODY or (here.turns is None and not has_opponent(record)):
        return frozenset(SIDES)
    if here.turns is None:
        fighters = record.fighters
        return frozenset(side for side in SIDES if side not in fighters or fighters[side].user in (None, request.user))
    users = {player.tag: player.user for player in record.players}
    return frozenset(side for side, tag in here.turns.tags.items() if users.get(tag) in (None, request.user))


def check_going_on(record: BattleRecord, request: Request, here: Position, choosing: Choosing, side: SideName) -> None:
    """Raise UserError unless this person may make the best choice for a side, or keep its losses once."""
    if side not in sides_of(record, request, here):
        raise UserError(_and_when(_(choosing.refusal), record, here, side))


def check_chooser(record: BattleRecord, request: Request, here: Position, choosing: Choosing, side: SideName) -> None:
    """Raise UserError unless this person may choose for a side.

    Nobody chooses the losses of a player who lets them wait: they would choose the worst.
    """
    check_going_on(record, request, here, choosing, side)
    if choosing.keep and side not in own_sides(record, request, here):
        raise UserError(_("Only {name} can choose here. Keep the losses to go on.", name=player_name(record, side)))


def check_keeping(record: BattleRecord, request: Request, here: Position, always: bool) -> None:
    """Raise UserError unless this person may keep the losses that the next roll waits for, or `always` keep them."""
    if side := here.waits_for:
        check = check_chooser if always else check_going_on
        check(record, request, here, require(require(here.room.live).choosing), side)


def check_undoing(record: BattleRecord, request: Request) -> None:
    """Raise UserError unless this person typed the last roll, and nobody has pressed since."""
    typed = last_typed(record.entries, len(record.entries))
    if typed is None:
        raise UserError(_("Only the last roll can be taken back, if its dice were typed."))
    if typed[1] not in [player.tag for player in record.players if player.user == request.user]:
        raise UserError(_("Only the player who typed these dice can take them back."))


def check_marking(record: BattleRecord, request: Request, here: Position) -> bool:
    """Raise UserError unless this person may mark the battle as mistyped; return whether it takes a moderator.

    Who may press for the attacker may. In a battle that gives its sides to nobody that is the attacker alone, as for a
    retreat, while we know a player's name.
    """
    users = {side: player.user for side, player in record.fighters.items()}
    is_known = any(users.values())
    if here.turns is None:
        may = not is_known or request.user == users["attacker"]
    else:
        may = "attacker" in sides_of(record, request, here) and (not is_known or request.user in users.values())
    if not may and not (request.moderates and request.place == record.battle.place):
        text = _("Only {name} or a moderator can mark this battle as mistyped.", name=player_name(record, "attacker"))
        raise UserError(text)
    return not may


def is_without_player(record: BattleRecord, here: Position) -> bool:
    """Return whether a player of the battle has asked us to forget the name."""
    users = {player.tag: player.user for player in record.players}
    return here.turns is not None and None in {users.get(tag) for tag in here.turns.tags.values()}


def _and_when(text: str, record: BattleRecord, here: Position, side: SideName) -> str:
    """Return why somebody may not press for a side, and from when on they may."""
    free_at = here.turns.free_at(here.fight, side) if here.turns and has_opponent(record) else None
    if free_at is None:
        return text
    later = _(
        "If {name} doesn't go on by {time}, you can.",
        name=player_name(record, side),
        time=f"<t:{free_at // 1000}:f>",
    )
    return compose("{text} {later}", text=text, later=later)


def _and_where(text: str, record: BattleRecord, request: Request) -> str:
    """Add a link to where a battle of this server goes on, if somebody has pressed in another message of it."""
    fought = record.battle
    is_elsewhere = fought.channel and fought.shown_in not in (None, request.message)
    if not is_elsewhere or fought.ended or request.place != fought.place:
        return text
    link = f"https://discord.com/channels/{fought.place.removeprefix('guild:')}/{fought.channel}/{fought.shown_in}"
    return compose("{text} {where}", text=text, where=_("The battle goes on here: {link}", link=link))


def player_name(record: BattleRecord, side: SideName) -> str:
    """Return the name of the player of a side, as it may stand in a message."""
    roles = {player.role: safe_name(player.name) for player in record.players}
    return roles.get(side) or roles.get("attacker") or "–"
