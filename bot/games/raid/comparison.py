"""The result of a bombing raid, for a comparison of two plans."""

import numpy as np

from bot.editions import editions
from bot.games.raid.words import caveats, fates, matchup
from bot.languages import N_, _
from bot.words.compared_plan import (
    HOLDS,
    NEITHER,
    PROFIT,
    WINS,
    ComparedPlan,
    Figure,
    law_by_winner,
)
from bot.words.numbers import signed_tenths, tenths
from solver.raid.odds import RaidOdds
from solver.raid.raid import Raid

NOT_WORTH_IT, EVEN = N_("not worth it"), N_("breaks even")
DAMAGE, SHOT_DOWN, LOST = N_("damage"), N_("shot down"), N_("lost")


def compared_plan(line: str, raid: Raid, odds: RaidOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its raid and its odds."""
    costs, pays, even = odds.balance
    cost_text, pay_text, even_text = fates(odds)
    flight = odds.expected
    amounts, chances = odds.profit
    winners = np.where(amounts > 0, WINS, np.where(amounts < 0, HOLDS, NEITHER))
    money = {DAMAGE: flight.damage, LOST: flight.loss}
    if raid.interceptors:
        money[SHOT_DOWN] = flight.shot_down
    return ComparedPlan(
        line=line,
        description=matchup(raid),
        game=_(editions()[raid.rules.key].name),
        odds=odds,
        attacker_result="is worth it",
        defender_result=NOT_WORTH_IT,
        chances=(pays, costs, even),
        texts=(pay_text, cost_text, even_text),
        ends={NOT_WORTH_IT: costs, **({EVEN: even} if even else {})},
        law=law_by_winner(amounts, winners, chances),
        measure=_("IPC"),
        gain=flight.profit,
        figures=(
            *(Figure(name, of, tenths(of), money=True) for name, of in money.items()),
            Figure(PROFIT, flight.profit, signed_tenths(flight.profit), money=True),
        ),
        caveats=tuple(caveats(raid)),
        worth=raid.worth,
        by_gain=True,
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor units."""
    return [word for word in line.split() if ":" in word or word in ("lowluck", "biased", "aafired")]
