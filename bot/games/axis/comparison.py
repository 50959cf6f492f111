"""The result of a battle of Axis & Allies, for a comparison of two plans."""

import numpy as np

from bot.editions import editions, names_a_unit
from bot.games.axis import words
from bot.games.axis.bombardment import bombardment_remarks
from bot.games.axis.options import WORDS
from bot.languages import _
from bot.words.compared_plan import HOLDS, NEITHER, WINS, ComparedPlan, law_by_winner, money_figures, rounds_figures
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds


def compared_plan(line: str, battle: AxisBattle, odds: AxisOdds) -> ComparedPlan:
    """Return the result of a plan from its canonical line, its battle and its odds."""
    edition = editions()[battle.rules.key]
    holds = odds.defender_stands & ~odds.attacker_stands
    profits = np.round(odds.defender_loss_at - odds.attacker_loss_at, 6)
    holds_chance = odds.end_chances["holds"]
    gain = odds.defender_loss - odds.attacker_loss
    caveats = [*bombardment_remarks(battle), *words.caveats(edition, odds)]
    if odds.declined:
        caveats.append(_("No attack: a retreat rule applies before the first shot"))
    return ComparedPlan(
        line=line,
        description=words.matchup(battle),
        game=_(edition.name),
        odds=odds,
        attacker_result="takes it" if odds.land else "wins",
        chances=(odds.wins, holds_chance, sum(odds.end_chances.values()) - holds_chance),
        ends={name: chance for fate, name in words.fate_names(battle).items() if (chance := odds.end_chances[fate])},
        law=law_by_winner(profits, np.select([odds.ends_won, holds], [WINS, HOLDS], NEITHER), odds.chances),
        measure=words.value_unit(battle),
        gain=gain,
        figures=(*money_figures(words.money_lost(odds), gain), *rounds_figures(odds.rounds)),
        certainty=words.certainty(odds),
        error=odds.wins_error if odds.sampled else odds.error,
        gain_error=odds.profit_error,
        caveats=tuple(caveats),
        worth=battle.worth,
        unplanned=odds.unplanned,
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor units; the defender's with a d in front."""
    words, theirs = [], False
    for word in line.split():
        theirs = theirs or word == "vs"
        if not word.isdigit() and word not in ("vs", ">") and not names_a_unit(word):
            name = word.partition(":")[0]
            words.append(f"d{word}" if theirs and name in WORDS and WORDS[name].sided else word)
    return words
