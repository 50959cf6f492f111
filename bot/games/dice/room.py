"""The room of battles with dice, as the registry has it."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.games.dice import work
from bot.games.dice.answers import add_attackers, answer_battle, asked_end, compared_plan, line_options, swap
from bot.games.dice.ends import answer_ends
from bot.games.dice.help import HELP
from bot.games.dice.live import LIVE
from bot.games.dice.need import answer_need, answer_need_left, answer_table
from bot.games.dice.notation.building import battle_remarks, explicit
from bot.games.dice.notation.reading import claims, read
from bot.games.dice.notation.suggestions import option_completions
from bot.games.dice.notation.writing import CHANGES, write_dice, write_part
from bot.games.dice.result import find_result
from bot.games.dice.rounds.answers import answer_dice, answer_dice_all, dice
from bot.games.dice.tables import answer_rounds, answer_stops
from bot.games.dice.words import describe, matchup
from bot.languages import _
from bot.words.numbers import brief_victory
from solver.dice.battle import Battle
from solver.dice.game import DICE


def _titles(battle: Battle) -> tuple[str, ...]:
    """Return the only title of a battle."""
    return (matchup(battle),)


def _short_titles(battle: Battle) -> list[str]:
    """Return titles with the ships in short, then without them."""
    sizes = {"attackers": battle.attackers, "defenders": battle.defenders}
    return [matchup(battle, short=True), _("{attackers} against {defenders}", **sizes)]


ROOM = GameRoom(
    DICE,
    notation=Notation(
        read=read,
        write=write_dice,
        write_part=write_part,
        claims=claims,
        remarks=battle_remarks,
        explicit=explicit,
        changes=CHANGES,
        complete=option_completions,
        numbers_alone=True,
    ),
    words=Words(describe=describe, titles=_titles, short_titles=_short_titles, brief=brief_victory),
    comparison=Comparison(compared_plan, line_options, asked_end=asked_end),
    questions={
        "odds": work.answer_odds,
        "table": work.answer_on_grid,
        **dict.fromkeys(("advice", "rounds", "stops"), work.answer_on_grid),
        "need": work.answer_need,
    },
    live=LIVE,
    help=HELP,
    suggested=("need", "table", "dice"),
    answers={
        "battle": answer_battle,
        "ends": answer_ends,
        "need": answer_need,
        "need left": answer_need_left,
        "table": answer_table,
        "table rounds": answer_rounds,
        "table stop": answer_stops,
        "dice": answer_dice,
        "dice all": answer_dice_all,
    },
    changes={"swap": swap, "more": partial(add_attackers, 1), "fewer": partial(add_attackers, -1)},
    commands={"dice": dice},
    solving=Solving(work.odds_work, work.is_quick, work.check_size),
    charts=work.CHARTS,
    find_result=find_result,
    drawing_work=(work.tabulate,),
    warm_up=work.warm_up,
)
