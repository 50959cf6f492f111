"""The room of paths, as the registry has it."""

from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.games.dice.answers import line_options
from bot.games.dice.notation.explicit import explicit
from bot.games.path import work
from bot.games.path.battle import (
    answer_battle,
    answer_ends,
    chance_of_all,
    compared_plan,
    describe,
    fewer,
    march_text,
    more,
    path_title,
)
from bot.games.path.live import LIVE
from bot.games.path.reading import PATH_CHANGES, claims, read
from bot.games.path.writing import write_path
from bot.languages import N_
from solver.path.game import PATH
from solver.path.path import Path


def _titles(path: Path) -> tuple[str, ...]:
    """Return the only title of a path."""
    return (march_text(path),)


def _short_titles(path: Path) -> list[str]:
    """Return the title that fits a picture."""
    return [path_title(path)]


ROOM = GameRoom(
    PATH,
    notation=Notation(read=read, write=write_path, claims=claims, explicit=explicit, changes=PATH_CHANGES),
    words=Words(describe=describe, titles=_titles, short_titles=_short_titles, brief=chance_of_all),
    comparison=Comparison(compared_plan, line_options),
    questions={"odds": work.answer_odds},
    live=LIVE,
    suggested=("need", "table", "dice"),
    answers={"battle": answer_battle, "ends": answer_ends},
    changes={"more": more, "fewer": fewer},
    refusals=dict.fromkeys(
        ("need", "table", "dice", "dice all", "swap"),
        N_("That works for a single battle such as `12 9`, not for a path."),
    ),
    solving=Solving(work.odds_work, work.is_quick, work.check_march),
    estimates=work.ESTIMATES,
    charts=(work.CHART,),
)
