"""Several waves of Axis & Allies: the answer to "what are the odds"."""

from bot.commands.armies import first_lost
from bot.commands.bombardment import bombardment_remarks, rulebook_button
from bot.commands.path import file_name
from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.languages import _
from bot.matchup import Reading
from bot.replies import Button, Picture, Reply
from bot.waves_wording import alternative, answer, drawn, left, note
from solver import BattleError
from solver.axis_odds import DROPPED
from solver.waves import Waves
from solver.waves_odds import WavesOdds


async def show_waves(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """The odds of several waves: who holds the field in the end, what each wave comes to, and a picture."""
    odds = await services.engine.waves(waves, 0.0 if reading.exact else DROPPED)
    return Reply(
        answer(waves, odds, [*reading.remarks, *bombardment_remarks(waves)]),
        table=left(waves, odds),
        note=note(waves, odds),
        picture=await _picture(waves, odds, services),
        buttons=(
            Button(_("Roll it"), "roll"),
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=fewer_in_wave(waves) is not None),
            *rulebook_button(waves),
            Button(_("All endings"), "ends", enabled=odds.together is not None),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


async def _picture(waves: Waves, odds: WavesOdds, services: Services) -> Picture | None:
    parts = drawn(waves, odds)
    if parts is None:
        return None
    png = await services.engine.drawn((waves, odds.error), "draw_axis", *parts)
    return Picture(png, file_name(waves), alternative(waves, odds))


def more_in_wave(waves: Waves) -> Waves:
    """The same with one unit more in the first attack, of the kind that is lost first."""
    try:
        return waves.with_more(first_lost(waves.battles[0]), 1)
    except BattleError:
        raise UserError(_("That's the most there can be.")) from None


def fewer_in_wave(waves: Waves) -> Waves | None:
    """The same with one unit less in the first attack; None where that would be the last."""
    battle = waves.battles[0]
    if sum(count for _name, count in battle.attacker.units) < 2:
        return None
    return waves.with_more(first_lost(battle), -1)
