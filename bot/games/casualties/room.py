"""The room of battles with chosen casualties, as the registry has it."""

from bot.games.axis.all_ends import answer_ends
from bot.games.axis.best.order import NO_DICE
from bot.games.axis.bombardment import by_rulebook
from bot.games.axis.comparison import line_options
from bot.games.axis.room import SHARED_NOTATION, WORDS
from bot.games.base import Comparison, GameRoom, Solving
from bot.games.casualties import work
from bot.games.casualties.answers import answer_battle, answer_order_without, chosen_plan
from bot.languages import N_
from solver.casualties.game import CASUALTIES

_WITHOUT = N_("Leave out `choose` for that: it only works with `/battle`, `/compare` and `/order`.")
_ROLL_WITHOUT = N_("Roll it without `choose`, and press **What should I lose?** after a roll.")

ROOM = GameRoom(
    CASUALTIES,
    notation=SHARED_NOTATION,
    words=WORDS,
    comparison=Comparison(chosen_plan, line_options),
    answers={"battle": answer_battle, "ends": answer_ends, "order": answer_order_without},
    changes={"rulebook": by_rulebook},
    refusals={
        **dict.fromkeys(("dice", "dice all"), NO_DICE),
        **dict.fromkeys(("need", "table", "best attack", "best defence", "swap", "more", "fewer"), _WITHOUT),
        "roll": _ROLL_WITHOUT,
    },
    solving=Solving(work.odds_work, work.is_quick),
    estimates=work.ESTIMATES,
)
