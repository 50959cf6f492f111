"""The room of battles of Axis & Allies, of one wave or several, as the registry has it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bot.editions import with_edition
from bot.errors import UserError
from bot.games.axis.bombardment import allow, by_rulebook
from bot.games.axis.completion import army_completions
from bot.games.axis.dice.reading import write_thrown
from bot.games.axis.help import HELP
from bot.games.axis.notation import claims, read, reserved_words
from bot.games.axis.options import WHOLE_BATTLE
from bot.games.axis.writing import CHANGES, write_armies
from bot.games.base import Comparison, GameRoom, Notation, OtherLines, Solving, Words
from bot.games.live import Live
from bot.languages import N_, _
from bot.words.numbers import brief_victory
from solver.axis.units import ROLES
from solver.axis.waves.waves import Waves
from solver.games import AXIS
from solver.late import Late, LateModule

answers, armies = LateModule("bot.games.axis.answers"), LateModule("bot.games.axis.named.armies")
live_words, losses = (LateModule(f"bot.games.axis.live.{name}") for name in ("words", "losses"))
buy, order, matchup = (LateModule(f"bot.games.axis.{name}") for name in ("best.buy", "best.order", "matchup"))

_WITHOUT = N_("Leave out `choose` for that: it works with `/battle` and `/compare`, and `/order` ignores it.")
NO_DICE = N_("That works for dice games such as `12 9`, not for Axis & Allies.")
NO_STOPS = N_("That works for dice games such as `12 9`; for Axis & Allies compare two plans with `/compare`.")
_ROLL_WITHOUT = N_("Roll it without `choose`, and press **What should I lose?** after a roll.")


def check_choices(_most_work: float, battle: Waves) -> None:
    """Raise UserError if a line says who chooses: in a live battle players choose themselves."""
    if battle.has_choices:
        raise UserError(_(_ROLL_WITHOUT))


def _in_order(act: Callable[..., Any], battle: Waves, *others: Any) -> Any:
    """Do what works only where no line says who chooses."""
    if battle.has_choices:
        raise UserError(_(_WITHOUT))
    return act(battle, *others)


def _is_plain(battle: Waves) -> bool:
    """Tell whether a battle has one wave in which all losses follow the orders."""
    return battle.only is not None and not battle.has_choices


NOTATION = Notation(
    read=read,
    write=write_armies,
    claims=claims,
    remarks=Late("bot.games.axis.remarks", "battle_remarks"),
    write_part=write_thrown,
    explicit=with_edition,
    changes=CHANGES,
    allow=allow,
    complete=army_completions,
    reserved_words=reserved_words,
    other_lines=OtherLines(armies.holds, armies.keep, armies.show, armies.about, explicit=with_edition),
)
LIVE = Live(
    left=live_words.left_text,
    outcome=live_words.outcome,
    rows=live_words.rows,
    win_text=live_words.win_text,
    choosing=losses.CHOOSING,
    decisions=Late("bot.games.axis.live.decisions", "list_decisions"),
    no_retreat=N_("Units landed from the sea can't retreat, and no others are left."),
    hopes=live_words.hopes,
    ending=live_words.ending,
    faces_hint=live_words.faces_hint,
    check_plan=check_choices,
    check_size=check_choices,
    check_length=live_words.check_length,
    round_name=live_words.round_name,
    seconds=live_words.seconds,
)

ROOM = GameRoom(
    AXIS,
    notation=NOTATION,
    words=Words(describe=matchup.describe, titles=matchup.titles, brief=brief_victory),
    comparison=Comparison(
        answers.compared_plan,
        answers.line_options,
        answers.find_pair,
        WHOLE_BATTLE,
        asked_end=Late("bot.games.axis.words", "asked_end"),
    ),
    live=LIVE,
    help=HELP,
    suggested=("need", "table", "dice", "order"),
    is_suggested=_is_plain,
    answers={
        "battle": answers.answer_battle,
        "ends": Late("bot.games.axis.all_ends", "answer_ends"),
        "need": partial(_in_order, buy.answer_need),
        "table": partial(_in_order, answers.answer_table),
        "table rounds": partial(_in_order, Late("bot.games.axis.dice.rounds", "answer_rounds")),
        "order": order.answer_order,
        "dice": partial(_in_order, Late("bot.games.axis.dice.answers", "answer_throw")),
        **{f"best {role}": partial(_in_order, partial(order.answer_with_best, role)) for role in ROLES},
    },
    changes={
        "swap": partial(_in_order, answers.swap),
        "more": partial(_in_order, partial(answers.add_attackers, 1)),
        "fewer": partial(_in_order, partial(answers.add_attackers, -1)),
        "rulebook": by_rulebook,
    },
    commands=dict.fromkeys(("order", "best attack", "best defence"), order.order),
    refusals={"dice all": NO_DICE, "table stop": NO_STOPS},
    solving=Solving(answers.odds_work, answers.is_quick),
    charts=(answers.CHART,),
    find_result=Late("bot.games.axis.ends", "find_result"),
)
