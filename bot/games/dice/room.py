"""The room of battles with dice, as the registry has it."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.games.dice.help import HELP
from bot.games.dice.notation.building import battle_remarks, explicit
from bot.games.dice.notation.reading import claims, read
from bot.games.dice.notation.suggestions import option_completions
from bot.games.dice.notation.writing import CHANGES, write_dice, write_part
from bot.languages import _
from bot.words.numbers import brief_victory
from solver.dice.battle import Battle
from solver.games import DICE
from solver.late import Late, LateModule

answers, live, need, rounds, tables, words, work = (
    LateModule(f"bot.games.dice.{name}")
    for name in ("answers", "live", "need", "rounds.answers", "tables", "words", "work")
)


def _titles(battle: Battle) -> tuple[str, ...]:
    """Return the only title of a battle."""
    return (words.matchup(battle),)


def _short_titles(battle: Battle) -> list[str]:
    """Return titles with the ships in short, then without them."""
    sizes = {"attackers": battle.attackers, "defenders": battle.defenders}
    return [words.matchup(battle, short=True), _("{attackers} against {defenders}", **sizes)]


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
    words=Words(describe=words.describe, titles=_titles, short_titles=_short_titles, brief=brief_victory),
    comparison=Comparison(answers.compared_plan, answers.line_options, asked_end=answers.asked_end),
    questions={
        "odds": work.answer_odds,
        "table": work.answer_on_grid,
        **dict.fromkeys(("advice", "rounds", "stops"), work.answer_on_grid),
        "need": work.answer_need,
    },
    live=live.LIVE,
    help=HELP,
    suggested=("need", "table", "dice"),
    answers={
        "battle": answers.answer_battle,
        "ends": Late("bot.games.dice.ends", "answer_ends"),
        "need": need.answer_need,
        "need left": need.answer_need_left,
        "table": need.answer_table,
        "table rounds": tables.answer_rounds,
        "table stop": tables.answer_stops,
        "dice": rounds.answer_dice,
        "dice all": rounds.answer_dice_all,
    },
    changes={
        "swap": answers.swap,
        "more": partial(answers.add_attackers, 1),
        "fewer": partial(answers.add_attackers, -1),
    },
    commands={"dice": rounds.dice},
    solving=Solving(work.odds_work, work.is_quick, work.check_size),
    charts=(work.CHART, work.TABLE, work.ROLL, work.ROUNDS),
    find_result=Late("bot.games.dice.result", "find_result"),
    drawing_work=(work.tabulate, work.solve_and_draw),
    warm_up=work.warm_up,
)
