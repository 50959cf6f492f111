"""The room of battles of Axis & Allies, as the registry has it."""

from dataclasses import replace
from functools import partial

from bot.editions import with_edition
from bot.games.axis import work
from bot.games.axis.all_ends import answer_ends
from bot.games.axis.answers import add_attackers, answer_battle, answer_table, compared_plan, line_options, swap
from bot.games.axis.best.bring import answer_need
from bot.games.axis.best.order import NO_DICE, answer_order, answer_with_best, order
from bot.games.axis.bombardment import allow, by_rulebook
from bot.games.axis.completion import army_completions
from bot.games.axis.help import HELP
from bot.games.axis.live.words import LIVE
from bot.games.axis.notation import claims, read, reserved_words
from bot.games.axis.remarks import battle_remarks
from bot.games.axis.swing import battle_titles
from bot.games.axis.words import describe
from bot.games.axis.writing import CHANGES, write_armies
from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.words.numbers import brief_victory
from solver.axis.game import AXIS

NOTATION = Notation(
    read=read,
    write=write_armies,
    claims=claims,
    remarks=battle_remarks,
    explicit=with_edition,
    changes=CHANGES,
    allow=allow,
    complete=army_completions,
    reserved_words=reserved_words,
)
SHARED_NOTATION = replace(NOTATION, claims=None, complete=None, reserved_words=None)
"""The notation of the other games that are read like this one: this room claims, completes and reserves for all."""
WORDS = Words(describe=describe, titles=battle_titles, brief=brief_victory)

ROOM = GameRoom(
    AXIS,
    notation=NOTATION,
    words=WORDS,
    comparison=Comparison(compared_plan, line_options, work.find_pair),
    live=LIVE,
    help=HELP,
    suggested=("need", "table", "dice", "order"),
    answers={
        "battle": answer_battle,
        "ends": answer_ends,
        "need": answer_need,
        "table": answer_table,
        "order": answer_order,
        "best attack": partial(answer_with_best, "attack"),
        "best defence": partial(answer_with_best, "defence"),
    },
    changes={
        "swap": swap,
        "more": partial(add_attackers, 1),
        "fewer": partial(add_attackers, -1),
        "rulebook": by_rulebook,
    },
    commands=dict.fromkeys(("order", "best attack", "best defence"), order),
    refusals=dict.fromkeys(("dice", "dice all"), NO_DICE),
    solving=Solving(work.odds_work, work.is_quick),
    estimates=work.ESTIMATES,
    charts=(work.CHART,),
)
