"""Chosen casualties: the answer to "what are the odds"."""

from dataclasses import replace

from bot.games.axis.answers import picture
from bot.games.axis.bombardment import bombardment_remarks, rulebook_button
from bot.games.axis.words import answer
from bot.games.base import Reading
from bot.games.casualties.words import TOO_LARGE
from bot.languages import _
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.numbers import exact_percent, signed_tenths
from solver.axis.odds import AxisOdds
from solver.casualties.battle import ChosenBattle
from solver.casualties.limits import ChosenOdds


async def answer_battle(battle: ChosenBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds if casualties are chosen in the best way, and with what that gains."""
    odds = await services.engine.odds(battle, reading.exact)
    usual = await services.engine.odds(battle.in_order, reading.exact)
    told = answer(battle, odds, [*reading.remarks, *_caveats(odds), *bombardment_remarks(battle)])
    return replace(
        told,
        facts=(*told.facts, *([] if odds.declined else [_gain(battle, odds, usual)])),
        picture=await picture(battle, odds, services),
        buttons=(
            Button(_("All endings"), "ends", enabled=not odds.declined),
            *rulebook_button(battle),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


def _caveats(odds: ChosenOdds) -> list[str]:
    return [_(TOO_LARGE)] if odds.in_order else []


def _gain(battle: ChosenBattle, odds: AxisOdds, usual: AxisOdds) -> str:
    """Say what choosing changes, beside the odds where both sides follow their orders."""
    if battle.aim == "profit":
        change = odds.defender_loss - odds.attacker_loss - usual.defender_loss + usual.attacker_loss
        return _("Against fixed casualty orders, choosing changes the TUV swing by {more}", more=signed_tenths(change))
    told = {"chance": exact_percent(usual.wins), "points": signed_tenths(100 * (odds.wins - usual.wins))}
    if odds.land:
        return _(
            "With fixed casualty orders the attacker takes it {chance}; choosing changes that by {points} points",
            **told,
        )
    return _("With fixed casualty orders the attacker wins {chance}; choosing changes that by {points} points", **told)
