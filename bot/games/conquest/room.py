"""The room of conquests, as the registry has it."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, OtherLines, Reading, Solving, Words
from bot.games.conquest import answers
from bot.games.conquest.boards import map_command, show_board, suggest_garrisons
from bot.games.conquest.completion import complete, suggest_conquests
from bot.games.conquest.help import HELP
from bot.games.conquest.live import LIVE
from bot.games.conquest.notation.changes import check_name, keep
from bot.games.conquest.notation.reading import claims, read
from bot.games.conquest.notation.writing import MAP_WORD, write_conquest
from bot.games.conquest.words import brief, describe, titles
from bot.games.conquest.work import CHART, ESTIMATES, is_quick, odds_work
from bot.games.dice.notation.building import explicit
from bot.languages import N_
from solver.conquest.game import CONQUEST


def _write_part(reading: Reading, _lone: str) -> str:
    """Write the line of a reading that may leave out the number of a start."""
    return write_conquest(reading.battle, reading.details.asked_start)


ROOM = GameRoom(
    CONQUEST,
    notation=Notation(
        read=read,
        write=write_conquest,
        write_part=_write_part,
        claims=claims,
        explicit=explicit,
        complete=complete,
        other_lines=OtherLines(
            MAP_WORD,
            keep=keep,
            check_name=check_name,
            show=show_board,
            about=N_(
                "`{name}` holds garrisons, not a battle: `/conquer {name} 12 siam > australia` uses them, "
                "`/map {name} indonesia 4` changes them."
            ),
        ),
    ),
    words=Words(describe=describe, titles=titles, brief=brief),
    comparison=Comparison(answers.compared_plan, answers.line_options),
    live=LIVE,
    suggested=("need",),
    answers={"battle": answers.answer_battle, "need": answers.answer_need},
    changes={
        "more": partial(answers.add_attackers, 1),
        "fewer": partial(answers.add_attackers, -1),
        "conquer all": partial(answers.with_aim, "all"),
        "conquer most": partial(answers.with_aim, "most"),
    },
    commands={"conquer": answers.conquer, "map": map_command},
    suggestions={"conquer": suggest_conquests, "map": suggest_garrisons},
    help=HELP,
    refusals=dict.fromkeys(
        ("table", "dice", "dice all", "swap", "ends"),
        N_("That doesn't work with territories of a map. Try `/conquer`, `/need` or `/compare`."),
    ),
    solving=Solving(odds_work, is_quick),
    estimates=ESTIMATES,
    charts=(CHART,),
)
