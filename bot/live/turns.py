"""Turns in a live battle, by the rights in its log: who rolls, and whose choice the next roll waits for.

`bot.live.fair` explains "press" of a log. Here "the attacker" is the side that attacked first, in all waves.
"""

from collections.abc import Mapping
from math import inf
from typing import Any

from bot.languages import _
from bot.live.fair import is_id, is_press, kinds_of
from solver.game import Choices, Fight, Game, SideName

OTHER: Mapping[SideName, SideName] = {"attacker": "defender", "defender": "attacker"}
HOUR = 3_600_000
"""The milliseconds of an hour."""
DISCORD_EPOCH = 1_420_070_400_000
"""When the time in Discord's ids begins, in milliseconds of Unix time."""


class Turns:
    """The turns of a battle whose log gives its sides to players, followed from entry to entry.

    Attributes:
        tags: The tag of the player of each side; the same for both if one person plays both.
    """

    def __init__(self, choices: Choices | None, press: Mapping[str, Any], message: str | int, start: Fight) -> None:
        self.tags: dict[SideName, str] = {side: press[side] for side in OTHER}
        self._choices, self._wait = choices, press["wait"] * HOUR
        self._by_discord = str(message) != "0"
        self._decided: set[SideName] = set()
        self._lasting: set[SideName] = set()
        self._since: dict[SideName, int] = {}
        self._before_roll: tuple[SideName, set[SideName], dict[SideName, int]] = "attacker", set(), {}
        if self._by_discord:
            self._since[self.turn(start)] = self._time(message)

    def follow(self, before: Fight, entry: Mapping[str, Any], after: Fight) -> None:
        """Go on after an entry of the log, from the battle before it to the one after it."""
        side = self.side_of(before, entry)
        if "undo" in entry:
            _side, self._decided, self._since = self._before_roll
        elif "keep" in entry or "choice" in entry:
            self._decided.add(side)
            self._lasting |= {side} if entry.get("always") else set()
        else:
            self._before_roll = side, self._decided, dict(self._since)
            self._decided = set()
        for own in [own for own, tag in self.tags.items() if tag == str(entry["user"])]:
            self._since.pop(own, None)
        self._since.setdefault(self.turn(after), self._time(entry["interaction"]))

    def waits_for(self, fight: Fight) -> SideName | None:
        """Return the side whose choice the next roll waits for; None if it waits for none."""
        side = OTHER[fight.attacking_side]
        if self._choices is None or len(set(self.tags.values())) == 1 or side in self._decided | self._lasting:
            return None
        return side if side in self._choices.choosers(fight) else None

    def turn(self, fight: Fight) -> SideName:
        """Return the side that has to go on."""
        asked = self._choices.chooser(fight) if self._choices else None
        return asked or self.waits_for(fight) or fight.attacking_side

    def keeps(self, side: SideName) -> bool:
        """Return whether a side keeps its order of loss to the end, and is not asked any more."""
        return side in self._lasting

    def free_at(self, fight: Fight, side: SideName) -> int | None:
        """Return from when on others may go on for a side, in milliseconds of Unix time; None if it is not its turn."""
        since = self._since.get(side)
        return None if since is None or fight.ended or side != self.turn(fight) else since + self._wait

    def is_free(self, fight: Fight, side: SideName, interaction: str | int) -> bool:
        """Return whether others may go on for a side at the time of an interaction."""
        free_at = self.free_at(fight, side)
        return free_at is not None and self._time(interaction) >= free_at

    def side_of(self, fight: Fight, entry: Mapping[str, Any]) -> SideName:
        """Return the side whose player makes an entry at this moment of the battle."""
        if "keep" in entry:
            side: SideName = entry["keep"]
            return side
        if "choice" in entry and self._choices:
            return self._choices.side(fight, entry["choice"])
        if "undo" in entry:
            return self._before_roll[0]
        return "attacker" if entry.get("mistyped") else fight.attacking_side

    def problem(self, fight: Fight, entry: Mapping[str, Any]) -> str:
        """Say why the one who made an entry of the log had no right to; "" if they had, or an older version took it."""
        if "side" not in entry or "undo" in entry:  # `entry_problems` says who may take a roll back
            return ""
        if not {"keep", "choice", "mistyped"}.intersection(kinds_of(entry)) and self.waits_for(fight):
            return _("by the rules something has to be chosen before the next roll")
        side, user = self.side_of(fight, entry), str(entry["user"])
        in_place = user in self.tags.values() and self.is_free(fight, side, entry["interaction"])
        by_moderator = entry.get("mistyped") and entry.get("moderator")
        allowed = entry.get("forgotten") or by_moderator or in_place or self._is_kept(fight, side, entry)
        if user == self.tags[side] or allowed:
            return ""
        return _("player {other} made it, but only player {tag} had the right to", other=user, tag=self.tags[side])

    def _is_kept(self, fight: Fight, side: SideName, entry: Mapping[str, Any]) -> bool:
        """Whether an entry is the choice that a side's order makes, as it keeps that to the end."""
        choices = self._choices
        if not (choices and side in self._lasting and "choice" in entry and choices.chooser(fight) == side):
            return False
        return bool(choices.best(fight, None, inf) == entry["choice"])

    def _time(self, number: str | int) -> int:
        """The time in an id of Discord, or in the number of a press in a terminal, in milliseconds of Unix time."""
        return (int(number) >> 22) + DISCORD_EPOCH if self._by_discord else int(number)


def turns_of(game: Game, press: Any, message: Any, start: Fight) -> Turns | None:
    """Return the turns before the first entry; None if a log gives the sides to nobody: then everybody may press.

    Args:
        game: The game.
        press: The rights of the log, which may be anything.
        message: The message of the log, which may be anything.
        start: The battle before the first throw.
    """
    known = isinstance(press, dict) and is_press(press) and is_id(message)
    return Turns(game.choices, press, message, start) if known else None
