"""The room of bombing raids, as the registry has it."""

from functools import partial

from bot.editions import with_edition
from bot.games.base import Comparison, GameRoom, Notation, OwnCommand, Solving, Words
from bot.games.help import Help
from bot.games.raid.notation import RAID as EXAMPLE
from bot.games.raid.notation import claims, read, write_raid
from bot.languages import N_
from solver.games import RAID
from solver.late import LateModule

answers, live, suggestions, words = (
    LateModule(f"bot.games.raid.{name}") for name in ("answers", "live", "suggestions", "words")
)
NOT_SAVED = N_("You can save a battle, but not a bombing raid; `/bombing` has its odds.")

ROOM = GameRoom(
    RAID,
    notation=Notation(
        read=read,
        write=write_raid,
        claims=claims,
        explicit=with_edition,
        own_command=OwnCommand("bombing", refusal=NOT_SAVED, hint=N_("That is a bombing raid; use `/bombing`.")),
    ),
    words=Words(describe=words.describe, titles=words.titles, brief=words.brief),
    comparison=Comparison(
        answers.compared_plan,
        answers.line_options,
        alone=N_("These two can't be compared: they are of different kinds."),
    ),
    live=live.LIVE,
    help=Help(examples={"axis": {"bombing": EXAMPLE}}),
    answers={"battle": answers.answer_battle, "ends": answers.answer_ends},
    changes={"more": partial(answers.add_bombers, 1), "fewer": partial(answers.add_bombers, -1)},
    commands={
        "bombing": answers.bombing,
        "bombing more": answers.change,
        "bombing fewer": answers.change,
        "bombing edit": answers.edit,
    },
    suggestions={"bombing": suggestions.suggest_raids},
    solving=Solving(answers.odds_work, answers.is_quick),
    charts=(answers.CHART,),
)
