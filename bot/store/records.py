"""The records of the database as values: presets, live battles, their players and rolls, and the refusals to save one.

The commands need these without the database itself, which takes long to load.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

MODERATOR = "moderator"
"""The ending of a battle that a moderator ended: bot/live/fair.py, which must run alone, has the same word."""

STOPPED = "stopped"
"""The ending of a battle that somebody marked as mistyped while it went on; versions before know the word."""

Role = Literal["attacker", "defender", ""]
"""The side of a player; "" for somebody who only pressed a button."""


def personal_place(user: str) -> str:
    """Return the place of the settings that a person has of their own, which count wherever they ask."""
    return f"user:{user}/mine"


class FullError(Exception):
    """The place has no room for another battle or set-up."""


class Setup(NamedTuple):
    """A saved set-up: its name, its line in canonical notation, its owner and date, and a note of one line.

    `owner` and `owner_name` are empty after the owner asked to be forgotten.
    """

    name: str
    line: str
    owner: str
    owner_name: str
    saved_at: datetime
    note: str = ""


@dataclass(eq=False)
class NotOwnerError(Exception):
    """The set-up belongs to somebody else."""

    setup: Setup


@dataclass(eq=False)
class TakenError(Exception):
    """Another set-up has the name."""

    setup: Setup


class StoredBattle(NamedTuple):
    """A live battle, unfinished or ended, as a row of the database.

    Attributes:
        place: Where it is fought: "guild:1", "user:2" or "terminal".
        line: The battle in canonical notation.
        seed: The secret seed of its fair dice.
        commitment: The hash of the seed, published before the first roll.
        head: The hash of the last log entry; the commitment before the first.
        start: The attacker's chance to win before the first roll; None if unknown.
        turn: The number of log entries.
        shown: The newest frame known to have been shown in its message; -1 before the first.
        chance: The attacker's last known chance to win; None if unknown.
        judged: The number of fair rolls that led to `chance`.
        kept: Whether it stays in the history.
        message: Discord's id of the message pressed first; part of the dice, so it never changes.
        shown_in: The id of the message that shows it now.
        channel: The channel of that message, if the bot may write there without an interaction.
        ended: How it ended; None if unfinished.
        begun_by: The tag of the player who began it.
        aside: Whether it no longer counts against new battles.
        rules: The version of the rules it is fought by, see `bot.notation.defaults.RULES`.
        press: Who may press, as JSON, see `bot.live.fair`; None for older battles.
        mistyped: Whether its last entry marks it as mistyped: it counts for no luck and stands in no list.
        base64url: Whether its messages write the commitment in base64url; older battles go on in hexadecimal.
    """

    id: str
    place: str
    line: str
    seed: str
    commitment: str
    head: str
    start: float | None
    started_at: datetime
    changed_at: datetime
    turn: int = 0
    shown: int = -1
    chance: float | None = None
    judged: int = 0
    kept: bool = True
    message: str | None = None
    shown_in: str | None = None
    channel: str | None = None
    ended: str | None = None
    begun_by: str = "1"
    aside: bool = False
    rules: int = 1
    base64url: bool = False
    press: str | None = None
    mistyped: bool = False

    @property
    def frame(self) -> int:
        """The number of the newest frame: the turn, plus one if a moderator ended the battle."""
        return self.turn + (self.ended == MODERATOR)


class Spot(NamedTuple):
    """The place that shows a battle: a message, its channel if the bot may write there, and whether it is private."""

    message: str
    channel: str | None = None
    private: bool = False


class Roll(NamedTuple):
    """An entry of a log, numbered from 1: JSON, its hash, and the attacker's chance if a round ends with it."""

    n: int
    entry: str
    hash: str
    chance: float | None


class Player(NamedTuple):
    """A player of a battle. The log holds the tag only; `forget` blanks the user and the name."""

    tag: str
    user: str | None
    name: str
    role: Role


class BattleSummary(NamedTuple):
    """A battle and its players."""

    battle: StoredBattle
    players: tuple[Player, ...]


class BattleRecord(NamedTuple):
    """A battle, its players, and its whole log in order."""

    battle: StoredBattle
    players: tuple[Player, ...]
    rolls: tuple[Roll, ...]

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries of the log, without their hashes."""
        return [json.loads(roll.entry) for roll in self.rolls]

    @property
    def fighters(self) -> dict[Role, Player]:
        """The players by their sides, without those who only pressed a button."""
        return {player.role: player for player in self.players if player.role}

    def after(self, battle: StoredBattle, who: Player, rolls: Sequence[Roll]) -> "BattleRecord":
        """Return the battle after a press of a player, who may be new to it, with the entries that it added."""
        players = self.players if who in self.players else (*self.players, who)
        return BattleRecord(battle, players, (*self.rolls, *rolls))

    @property
    def rights(self) -> Any:
        """The people who may press: see "press" in `bot.live.fair`. The battle's own counts before the first entry."""
        if self.rolls:
            return json.loads(self.rolls[0].entry).get("press")
        return json.loads(self.battle.press) if self.battle.press else None


class LuckRecord(NamedTuple):
    """A battle for the luck statistics: the attacker's first and last chance, and one of its players with their side.

    `user` and `name` are empty after the player asked to be forgotten.
    """

    id: str
    start: float
    chance: float
    role: Role
    user: str | None
    name: str
