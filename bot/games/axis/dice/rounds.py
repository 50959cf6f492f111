"""/table with `rounds` for Axis & Allies: a battle round by round."""

from dataclasses import replace
from typing import get_args

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.matchup import matchup
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.after_rounds import OVER, AfterRound, round_table, rounds_picture, rounds_shown
from bot.words.numbers import exactness
from solver.axis.endings import count_ends
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves
from solver.ends import EndRange
from solver.game import SideName


async def answer_rounds(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Say after each round what is left on average, and how likely the battle is over and won."""
    battle = waves.only
    if not battle or battle.retreat or battle.defender_retreat:
        raise UserError(_("Round by round works for one wave without `retreat` or `dretreat`."))
    whole = await services.engine.odds(waves)
    if whole.sampled:
        raise UserError(_("This battle is too large for a table of that kind. Try fewer armies."))
    rows: list[AfterRound] = []
    for rounds in rounds_shown(whole.rounds):
        if battle.round_limit is not None and rounds > battle.round_limit:
            break
        cut = Waves.one(replace(battle, round_limit=rounds))
        odds = await services.engine.odds(cut)
        ours, theirs = (float(count_ends(cut, odds, EndRange(side)) @ odds.chances) for side in get_args(SideName))
        rows.append(AfterRound(rounds, odds, ours, theirs, odds.end_chances["both"]))
        if rows[-1].going < 1 - OVER:
            break
    start = [float(sum(part.units for part in battle.segments(role) if not part.spare)) for role in ROLES]
    head = _("{battle}, round by round", battle=matchup(waves))
    return Reply(
        f"**{head}** · {_(editions()[battle.rules.key].name)}",
        remarks=reading.remarks,
        table=round_table(rows, (start[0], start[1])),
        note=exactness(max([whole.error, *(row.odds.error for row in rows)])),
        line=write_armies(waves),
        picture=await rounds_picture(rows, head, write_armies(waves), services.engine.draw),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )
