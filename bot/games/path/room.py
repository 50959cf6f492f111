"""The room of paths, as the registry has it."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, Solving, Words
from bot.games.dice.notation.building import explicit
from bot.games.path.notation import PATH_CHANGES, claims, path_remarks, read, write_part, write_path
from bot.languages import N_
from solver.games import PATH
from solver.late import Late, LateModule

battle, live, need = (LateModule(f"bot.games.path.{name}") for name in ("battle", "live", "need"))

ROOM = GameRoom(
    PATH,
    notation=Notation(
        read=read,
        write=write_path,
        write_part=write_part,
        claims=claims,
        remarks=path_remarks,
        explicit=explicit,
        changes=PATH_CHANGES,
    ),
    words=Words(battle.describe, battle.titles, battle.chance_of_all, battle.short_titles),
    comparison=Comparison(
        battle.compared_plan, Late("bot.games.dice.answers", "line_options"), asked_end=battle.asked_end
    ),
    questions={"odds": battle.answer_odds, "need": need.answer_question},
    live=live.LIVE,
    suggested=("need", "table", "dice"),
    answers={"battle": battle.answer_battle, "ends": battle.answer_ends, "need": need.answer_need},
    changes={"more": partial(battle.add_attackers, 1), "fewer": partial(battle.add_attackers, -1)},
    refusals=dict.fromkeys(
        ("table", "table rounds", "table stop", "dice", "dice all", "swap"),
        N_("That works for a single battle such as `12 9`, not for a path."),
    ),
    solving=Solving(battle.odds_work, battle.is_quick, battle.check_march),
    charts=(battle.CHART,),
    find_result=Late("bot.games.dice.result", "find_path_result"),
)
