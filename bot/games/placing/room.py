"""The room of units to place, as the registry has it."""

from functools import partial

from bot.games.base import GameRoom, Notation, OwnCommand
from bot.games.help import Help
from bot.games.placing.notation import PLACING as EXAMPLE
from bot.games.placing.notation import claims, explicit, read, write_placing
from solver.games import PLACING
from solver.late import Late, LateModule
from solver.placing.placing import MOST_TERRITORIES

answers = LateModule("bot.games.placing.answers")

ROOM = GameRoom(
    PLACING,
    notation=Notation(
        read=read,
        write=write_placing,
        claims=claims,
        explicit=explicit,
        own_command=OwnCommand("place", ask=Late("solver.placing.game", "ask_placing")),
    ),
    help=Help(examples={"axis": {"place": EXAMPLE}}),
    suggestions={"place": Late("bot.games.placing.completion", "suggest_places")},
    commands={
        "place": answers.place,
        "place all": partial(answers.with_aim, "all"),
        "place most": partial(answers.with_aim, "at_least"),
        "place value": partial(answers.with_aim, "value"),
        "edit placing": answers.edit_placing,
        **{f"place odds {number + 1}": partial(answers.odds_of, number) for number in range(MOST_TERRITORIES)},
    },
    charts=(answers.CHART,),
)
