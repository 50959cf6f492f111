"""The room of paths, as the registry has it."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.games.dice.answers import line_options
from bot.games.dice.notation.building import explicit
from bot.games.path import battle, work
from bot.games.path.live import LIVE
from bot.games.path.notation import PATH_CHANGES, claims, read, write_path
from bot.languages import N_
from solver.path.game import PATH

ROOM = GameRoom(
    PATH,
    notation=Notation(read=read, write=write_path, claims=claims, explicit=explicit, changes=PATH_CHANGES),
    words=Words(battle.describe, battle.titles, battle.chance_of_all, battle.short_titles),
    comparison=Comparison(battle.compared_plan, line_options),
    questions={"odds": work.answer_odds},
    live=LIVE,
    suggested=("need", "table", "dice"),
    answers={"battle": battle.answer_battle, "ends": battle.answer_ends},
    changes={"more": partial(battle.add_attackers, 1), "fewer": partial(battle.add_attackers, -1)},
    refusals=dict.fromkeys(
        ("need", "table", "dice", "dice all", "swap"),
        N_("That works for a single battle such as `12 9`, not for a path."),
    ),
    solving=Solving(work.odds_work, work.is_quick, work.check_march),
    estimates=work.ESTIMATES,
    charts=(work.CHART,),
)
