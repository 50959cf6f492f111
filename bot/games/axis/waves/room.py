"""The room of battles in several waves, as the registry has it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from bot.games.axis.answers import line_options
from bot.games.axis.best.order import NO_DICE
from bot.games.axis.bombardment import by_rulebook
from bot.games.axis.remarks import remarks_of_waves
from bot.games.axis.room import SHARED_NOTATION
from bot.games.axis.waves import answers
from bot.games.axis.waves.best import answer_need, answer_order, answer_table, answer_with_best
from bot.games.axis.waves.live import LIVE
from bot.games.axis.waves.words import describe, titles
from bot.games.axis.writing import CHANGES, completions
from bot.games.base import Comparison, GameRoom, Solving, Words
from bot.languages import N_
from bot.words.numbers import brief_victory
from solver.axis.game import WAVES
from solver.axis.waves.waves import Waves


def _completions(waves: Waves, before: str, begun: str) -> Iterator[str]:
    """Complete a word of a change to a unit of the first wave."""
    return completions(waves.battles[0], before, begun)


ROOM = GameRoom(
    WAVES,
    notation=replace(SHARED_NOTATION, remarks=remarks_of_waves, changes=replace(CHANGES, complete=_completions)),
    words=Words(describe=describe, titles=titles, brief=brief_victory),
    comparison=Comparison(answers.compared_plan, line_options),
    live=LIVE,
    answers={
        "battle": answers.answer_battle,
        "ends": answers.answer_ends,
        "need": answer_need,
        "table": answer_table,
        "order": answer_order,
        "best attack": partial(answer_with_best, "attack"),
        "best defence": partial(answer_with_best, "defence"),
    },
    changes={
        "more": partial(answers.add_attackers, 1),
        "fewer": partial(answers.add_attackers, -1),
        "rulebook": by_rulebook,
    },
    refusals={
        **dict.fromkeys(("dice", "dice all"), NO_DICE),
        "swap": N_("You can't swap the sides of a battle with several waves."),
    },
    solving=Solving(answers.odds_work, answers.is_quick),
    estimates=answers.ESTIMATES,
)
