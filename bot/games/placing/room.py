"""The room of units to place, as the registry has it."""

from functools import partial

from bot.games.base import GameRoom, Notation, OwnCommand
from bot.games.help import Help
from bot.games.placing.answers import CHART, edit_placing, odds_of, place, with_aim
from bot.games.placing.completion import suggest_places
from bot.games.placing.notation import PLACING as EXAMPLE
from bot.games.placing.notation import claims, explicit, read, write_placing
from solver.placing.game import PLACING, ask_placing
from solver.placing.placing import MOST_TERRITORIES

ROOM = GameRoom(
    PLACING,
    notation=Notation(
        read=read,
        write=write_placing,
        claims=claims,
        explicit=explicit,
        own_command=OwnCommand("place", ask=ask_placing),
    ),
    help=Help(examples={"axis": {"place": EXAMPLE}}),
    suggestions={"place": suggest_places},
    commands={
        "place": place,
        "place all": partial(with_aim, "all"),
        "place most": partial(with_aim, "at_least"),
        "place value": partial(with_aim, "value"),
        "edit placing": edit_placing,
        **{f"place odds {number + 1}": partial(odds_of, number) for number in range(MOST_TERRITORIES)},
    },
    charts=(CHART,),
)
