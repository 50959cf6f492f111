"""The room of bombing raids, as the registry has it."""

from functools import partial

from bot.editions import with_edition
from bot.games.base import Comparison, GameRoom, Notation, OwnCommand, Solving, Words
from bot.games.help import Help
from bot.games.raid import answers
from bot.games.raid.live import LIVE
from bot.games.raid.notation import RAID as EXAMPLE
from bot.games.raid.notation import claims, read, write_raid
from bot.games.raid.suggestions import suggest_raids
from bot.games.raid.words import describe, titles
from bot.languages import N_, _, number
from bot.words.numbers import signed_tenths
from solver.raid.game import RAID
from solver.raid.odds import RaidOdds

NOT_SAVED = N_("You can save a battle, but not a bombing raid; `/bombing` has its odds.")


def _brief(odds: RaidOdds) -> str:
    """Say what the raid brings, does and costs on average."""
    flight = odds.expected
    values = {"profit": signed_tenths(flight.profit), "damage": number(flight.damage), "lost": number(flight.loss)}
    if odds.raid.interceptors:
        down = number(flight.shot_down)
        return _("{profit} IPC: {damage} damage, {down} shot down, {lost} lost", down=down, **values)
    return _("{profit} IPC: {damage} damage, {lost} lost", **values)


ROOM = GameRoom(
    RAID,
    notation=Notation(
        read=read,
        write=write_raid,
        claims=claims,
        explicit=with_edition,
        own_command=OwnCommand("bombing", refusal=NOT_SAVED, hint=N_("That is a bombing raid; use `/bombing`.")),
    ),
    words=Words(describe=describe, titles=titles, brief=_brief),
    comparison=Comparison(answers.compared_plan, answers.line_options),
    live=LIVE,
    help=Help(examples={"axis": {"bombing": EXAMPLE}}),
    answers={"battle": answers.answer_battle, "ends": answers.answer_ends},
    changes={"more": partial(answers.add_bombers, 1), "fewer": partial(answers.add_bombers, -1)},
    commands={
        "bombing": answers.bombing,
        "bombing more": answers.change,
        "bombing fewer": answers.change,
        "bombing edit": answers.edit,
    },
    suggestions={"bombing": suggest_raids},
    solving=Solving(answers.odds_work, answers.is_quick),
    charts=(answers.CHART,),
)
