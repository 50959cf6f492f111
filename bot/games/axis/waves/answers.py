"""Several waves of Axis & Allies: the work for their odds, the answer to "what are the odds", and a compared plan."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bot.editions import editions
from bot.games.axis.all_ends import list_ends, money_heading
from bot.games.axis.answers import buttons
from bot.games.axis.bombardment import bombardment_remarks
from bot.games.axis.ends import ends_of_waves
from bot.games.axis.swing import swing_unit
from bot.games.axis.waves import words
from bot.games.axis.waves.words import alternative, answer, picture_of_waves, wave_rows
from bot.games.axis.words import value_unit
from bot.games.axis.work import CHART
from bot.games.axis.work import is_quick as is_quick_battle
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Picture, Reply, picture_name
from bot.request import Request, Services
from bot.words.compared_plan import BEATS, LOSES, PROFIT, ROUNDS, ComparedPlan, law_by_winner, possible
from bot.words.ends import with_odds_button
from bot.words.numbers import HELD
from solver.axis.limits import waves_within
from solver.axis.solve import DROPPED
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves

PREVIEW_WAVES = 3


def odds_work(waves: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of several waves; `exact` leaves nothing out."""
    return waves_within, (waves, 0.0 if exact else DROPPED, most_work)


def is_quick(waves: Waves) -> bool:
    """Say whether the odds of several waves are found while somebody types."""
    return len(waves.battles) <= PREVIEW_WAVES and all(map(is_quick_battle, waves.battles))


async def answer_battle(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with who holds the field in the end, how each wave ends, and a picture."""
    odds = await services.engine.odds(waves, reading.exact)
    return replace(
        answer(waves, odds, [*reading.remarks, *bombardment_remarks(waves)]),
        table=wave_rows(waves, odds),
        picture=await _picture(waves, odds, services),
        buttons=buttons(waves, reading, has_ends=odds.joint is not None),
        private=request.private,
    )


async def answer_ends(waves: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """List who holds the field after the last wave, and how likely each end is."""
    odds = await services.engine.odds(waves, reading.exact)
    reply = replace(answer(waves, odds, reading.remarks), facts=())
    if odds.joint is None:
        return with_odds_button(reply, request.private)
    ends = await asyncio.to_thread(ends_of_waves, waves, odds)
    legend = [money_heading(waves.battles[0])]
    return await list_ends(reply, ends, odds, reading.ends, legend, request)


async def _picture(waves: Waves, odds: WavesOdds, services: Services) -> Picture | None:
    drawn = picture_of_waves(waves, odds)
    if drawn is None:
        return None
    png = await services.engine.draw(CHART, (waves, odds.error), drawn, swing_unit(waves.battles[0]))
    return Picture(png, picture_name(write_armies(waves)), alternative(waves, odds))


def compared_plan(line: str, waves: Waves, odds: WavesOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its waves and their odds."""
    first, every = waves.battles[0], odds.joint
    chances = odds.hold_chance(0), odds.hold_chance(1), odds.hold_chance(None)
    caveats = [*bombardment_remarks(waves), *words.caveats(odds)]
    ours, theirs = words.money_lost(waves, every) if every else (None, None)
    if every is None:
        gain = sum((1 - 2 * side) * wave.profit for side, wave in zip(odds.sides, odds.waves, strict=True))
        law = np.array([gain]), np.array(chances)[:, None]
    else:
        won, held = (np.array([field.holder == side for field in every.fields])[every.at] for side in (0, 1))
        gain = float(every.profits @ every.chances)
        law = law_by_winner(np.round(every.profits, 6), won, held, every.chances)
    return ComparedPlan(
        line=line,
        description=words.matchup(waves),
        game=_(editions()[first.rules.key].name),
        odds=odds,
        attacker_result="holds it in the end",
        chances=chances,
        ends=possible({HELD: chances[1]} | words.unheld_fates(odds)),
        law=law,
        measure=value_unit(first),
        gain=gain,
        amounts={LOSES: ours, BEATS: theirs, PROFIT: gain, ROUNDS: odds.rounds},
        error=odds.error,
        caveats=tuple(caveats),
        worth=first.worth,
    )
