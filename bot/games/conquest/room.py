"""The room of conquests, as the registry has it, and their help."""

import re
from functools import partial

from bot.games.base import Comparison, GameRoom, Notation, OtherLines, Reading, Solving, Words
from bot.games.conquest.notation.pieces import PLACE
from bot.games.conquest.notation.reading import claims, read
from bot.games.conquest.notation.writing import CHANGES, is_board, write_conquest
from bot.games.dice.notation.building import doubts, explicit
from bot.games.help import Help, Screen
from bot.languages import N_
from solver.conquest.conquest import Conquest
from solver.games import CONQUEST
from solver.late import LateModule

answers, boards, changes, completion, live, need, words, work = (
    LateModule(f"bot.games.conquest.{name}")
    for name in ("answers", "boards", "notation.changes", "completion", "live", "need", "words", "work")
)

CONQUER = Screen(
    N_("Territories on a map"),
    (
        N_("**Territories on a map**: can I take these territories this turn, in which order, and how do I split up?"),
        N_("`/conquer 12 siam > australia: 3 2 1 1` from Siam with 12; the numbers follow the order of the map"),
        N_("`20 siam > 3 indonesia, 2 new guinea` single territories with their garrisons; 0 is an empty one"),
        N_("`12 siam, 8 china > 3 india, 4 mongolia` several starts at once · without a map: `12, 8 > 9 > 4`"),
        N_("`20 ukraine > asia rest:1` one army in every territory that has no number"),
        "",
        N_(
            "Don't count the army that must stay where you start. `leave:2` two stay in each captured territory, "
            "`leave:3 indonesia` three in Indonesia; otherwise one."
        ),
        N_("`most` take as many as possible · `value:3 indonesia` some count for more"),
        N_("`/conquer 12 siam, 8 china > 9 india place:6` where do 6 new armies help most?"),
        N_("`then fortify`, `hold:3 india`, `counter:8 china`: can you hold it too? `/conquer` then plays for both"),
        N_("`/need siam > australia: 3 2 1 1 90%` how many you need in Siam · `/compare` two ways · `/roll` play it"),
        N_("`/map indonesia 4` saves garrisons here: then `/conquer 12 siam > australia` needs no numbers"),
        N_("Variants, ships and house rules work as in Risk: `/help risk`, `/help rules`"),
    ),
    (
        "conquer 12 siam > australia: 3 2 1 1",
        "conquer 20 ukraine > asia rest:1",
        "need siam > australia: 3 2 1 1 90%",
        "compare 12 siam > australia: 3 2 1 1 || 15 siam > australia: 3 2 1 1",
    ),
    ("risk", "rules", "questions", ""),
)

_EXAMPLE = "12 siam > australia: 3 2 1 1"


def _guess(line: str) -> str:
    """Return the topic of a line in which a name stands before `>`."""
    return "conquer" if re.search(r"(?<![^\W\d_])[^\W\d_]{3,}+ *+>", line) else ""


HELP = Help(
    screens={"conquer": CONQUER},
    words=dict.fromkeys(
        (
            "map",
            "territory",
            "territories",
            "continent",
            "conquest",
            "australia",
            "leave",
            "hold",
            "counter",
            "fortify",
        ),
        "conquer",
    ),
    examples={
        "conquer": {
            **dict.fromkeys(("battle", "roll", "conquer"), _EXAMPLE),
            "need": "siam > australia: 3 2 1 1",
            "compare": f"{_EXAMPLE} || 15 siam > australia: 3 2 1 1",
        }
    },
    guess=_guess,
)


def _about(_line: str) -> str:
    """Return the text that says what a preset with garrisons holds."""
    return N_(
        "`{name}` holds garrisons, not a battle: `/conquer {name} 12 siam > australia` uses them, "
        "`/map {name} indonesia 4` changes them."
    )


def _write_part(reading: Reading, _lone: str) -> str:
    """Write the line of a reading with what it asks: an army, or where new ones go."""
    details = reading.details
    placing = [] if details.placing is None else [f"{PLACE}:{details.placing}"]
    return " ".join([write_conquest(reading.battle, details.asked_start), *placing])


def _remarks(conquest: Conquest) -> list[str]:
    """Say what is not sure about the rules of a turn."""
    return doubts([conquest.rules])


REFUSALS = {
    **dict.fromkeys(
        ("table", "dice", "dice all", "swap", "ends"),
        N_("That doesn't work with territories of a map. Try `/conquer`, `/need` or `/compare`."),
    ),
    "luck": N_("`/luck` is about single battles: type each of them, such as `12 3 won 9`, with `;` between them."),
}

ROOM = GameRoom(
    CONQUEST,
    notation=Notation(
        read=read,
        write=write_conquest,
        write_part=_write_part,
        claims=claims,
        remarks=_remarks,
        other_lines=OtherLines(
            is_board,
            keep=changes.keep,
            show=boards.show_board,
            about=_about,
            check_name=changes.check_name,
        ),
        explicit=explicit,
        changes=CHANGES,
        complete=completion.complete,
    ),
    words=Words(describe=words.describe, titles=words.titles, brief=words.brief),
    comparison=Comparison(answers.compared_plan, answers.line_options),
    live=live.LIVE,
    suggested=("need",),
    answers={"battle": answers.answer_battle, "need": need.answer_need},
    changes={
        "more": partial(answers.add_attackers, 1),
        "fewer": partial(answers.add_attackers, -1),
        "conquer all": partial(answers.with_aim, "all"),
        "conquer most": partial(answers.with_aim, "most"),
    },
    commands={"conquer": answers.conquer, "map": boards.map_command},
    suggestions={"conquer": completion.suggest_conquests, "map": boards.suggest_garrisons},
    help=HELP,
    refusals=REFUSALS,
    solving=Solving(work.odds_work, work.is_quick),
    charts=(work.CHART,),
)
