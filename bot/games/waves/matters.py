"""/table for several waves: which unit matters most, and in which wave."""

from bot.editions import editions
from bot.games.axis.bombardment import allowed_change
from bot.games.axis.matters import Change, change_rows, most_helpful, table_reply
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.games.waves.words import describe
from bot.languages import _
from bot.replies import Reply
from bot.request import Request, Services
from bot.words.numbers import percent
from solver.axis.units import ROLES
from solver.waves.limits import wave_sensitivity_within
from solver.waves.orders import role_in_wave
from solver.waves.waves import Waves


async def answer_table(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Show what one unit more or less of each kind in each wave does to the attacker's chance."""
    wins, tried = await services.engine.compute_within(wave_sensitivity_within, waves)
    changes = []
    for one in tried:
        changed = waves.with_more(one.unit, one.more, one.wave, role_in_wave(waves, one.side, one.wave))
        allowed = allowed_change(waves, changed)
        if allowed:
            after = one.wins if allowed == changed else (await services.engine.odds(allowed)).hold_chance(0)
            changes.append(Change(ROLES[one.side], one.wave, one.unit, one.more, after))
    edition = editions()[waves.battles[0].rules.key]
    odds = await services.engine.odds(waves)
    won = _("attacker holds it in the end {chance}", chance=percent(odds.hold_chance(0), odds))
    head = f"{most_helpful(edition, wins, changes, waves=True)} · {won} · {describe(waves)}"
    rows = change_rows(edition, wins, changes, waves=True)
    return table_reply(head, rows, write_armies(waves), reading, request)
