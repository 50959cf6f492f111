"""The room of turns that take territories to hold them, as the registry has it; their lines are those of conquests."""

from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, Reading, Solving, Words
from bot.games.conquest.notation.reading import read
from bot.games.conquest.notation.writing import HOLDING_CHANGES, write_holding
from bot.games.conquest.room import REFUSALS
from bot.games.dice.notation.building import doubts, explicit
from bot.languages import N_
from solver.conquest.holding import Holding
from solver.games import HOLDING
from solver.late import Late, LateModule

holding, need, work = (LateModule(f"bot.games.conquest.{name}") for name in ("holding", "need", "work"))


def _write_part(reading: Reading, _lone: str) -> str:
    """Write the line of a reading, in which the number of a start may be asked for."""
    return write_holding(reading.battle, reading.details.asked_start)


def _remarks(held: Holding) -> list[str]:
    """Say what is not sure about the rules of the turn."""
    return doubts([held.conquest.rules])


ROOM = GameRoom(
    HOLDING,
    notation=Notation(
        read=read,
        write=write_holding,
        write_part=_write_part,
        claims=None,
        remarks=_remarks,
        explicit=explicit,
        changes=HOLDING_CHANGES,
    ),
    words=Words(describe=holding.describe_holding, titles=holding.titles_of_holding, brief=holding.brief),
    comparison=Comparison(
        holding.compared_plan,
        Late("bot.games.conquest.answers", "line_options"),
        alone=N_("Some plans ask to hold what they take, others don't: use `hold:` or `counter:` in all or in none."),
    ),
    suggested=("need",),
    answers={"battle": holding.answer_battle, "need": need.answer_need_to_hold},
    changes={"more": partial(holding.add_attackers, 1), "fewer": partial(holding.add_attackers, -1)},
    refusals={
        **REFUSALS,
        "roll": N_("`/roll` rolls the turn alone: leave out `hold`, `counter` and `then fortify`."),
    },
    solving=Solving(work.hold_work, work.is_quick_to_hold),
)
