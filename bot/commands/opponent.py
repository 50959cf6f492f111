"""Asks the opponent of a new battle: the one person whom an answer may mention, once for each battle."""

import logging
import re
from typing import Any

from bot.errors import UserError
from bot.games.live import Live
from bot.languages import N_, _, join_texts
from bot.names import safe_name
from bot.place_settings import PlaceSettings
from bot.replies import Question
from bot.request import Request, Services
from bot.store.records import BattleRecord, personal_place

log = logging.getLogger(__name__)

PLAYERS_IN_LINE = re.compile(r"<@!?\d+>|\b(?:opponent|open)\s*:", re.IGNORECASE)
"""The players as somebody may type them into the line of a battle: a mention, or an option of the command."""
OPTIONS_OF_PLAYERS = N_(
    "`opponent:` and `open:` are options of the command `/roll`. Choose them there, outside the line."
)


def decisions_for_opponent(record: BattleRecord, live: Live, battle: Any) -> str:
    """Say what the line, which the attacker has typed, decides for the opponent; "" if it decides nothing."""
    opponent, decisions = record.fighters.get("defender"), live.decisions(battle) if live.decisions else ()
    if opponent is None or not decisions:
        return ""
    return _("The line decides for {name}: {what}.", name=safe_name(opponent.name), what=join_texts("; ", decisions))


async def question_to_opponent(
    record: BattleRecord, decided: str, request: Request, services: Services
) -> Question | None:
    """Return the sentence for the opponent of a battle that has just begun; None if nobody is to be mentioned.

    `decided` is what `decisions_for_opponent` says.

    That is so if no opponent is named, or they have asked for the battle themselves, cannot see the channel, or have
    chosen not to be mentioned.
    """
    fighters = record.fighters
    opponent = fighters.get("defender")
    if opponent is None or opponent.user in (None, request.user) or not _sees(str(opponent.user), request, services):
        return None
    try:
        mine = await services.store.settings(personal_place(str(opponent.user)))
    except UserError as error:
        log.info("the opponent of battle %s is not mentioned: %s", record.battle.id, error)
        return None
    if not PlaceSettings.of(mine).pings:
        return None
    name = safe_name(fighters["attacker"].name)
    text = _("{opponent}, {name} attacks you.", opponent=f"<@{opponent.user}>", name=name)
    return Question(text, str(opponent.user), decided)


def _sees(opponent: str, request: Request, services: Services) -> bool:
    """Return whether Discord has said that an opponent sees the channel: with this command, or before "Roll again"."""
    if request.options.get("opponent_sees") and request.channel:
        services.seers[request.channel, opponent] = True
    return bool(request.options.get("opponent_sees")) or (request.channel or "", opponent) in services.seers
