"""The help about conquests: territories of a map that are to be taken in one turn."""

import re

from bot.games.help import Help, Screen
from bot.languages import N_

CONQUER = Screen(
    N_("Territories on a map"),
    (
        N_("**Territories on a map**: can I take these territories this turn, in which order, and how do I split up?"),
        N_("`/conquer 12 siam > australia: 3 2 1 1` from Siam with 12; the numbers follow the order of the map"),
        N_("`20 siam > 3 indonesia, 2 new guinea` single territories with their garrisons; 0 is an empty one"),
        N_("`12 siam, 8 china > 3 india, 4 mongolia` several starts at once"),
        N_("`20 ukraine > asia rest:1` one army in every territory that has no number"),
        "",
        N_(
            "Don't count the army that must stay where you start. `leave:2` two stay in each captured territory, "
            "`leave:3 indonesia` three in Indonesia; otherwise one."
        ),
        N_("`most` take as many as possible, and know when to stop · `value:3 indonesia` some count for more"),
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
    words=dict.fromkeys(("map", "territory", "territories", "continent", "conquest", "australia", "leave"), "conquer"),
    examples={
        "conquer": {
            **dict.fromkeys(("battle", "roll", "conquer"), _EXAMPLE),
            "need": "siam > australia: 3 2 1 1",
            "compare": f"{_EXAMPLE} || 15 siam > australia: 3 2 1 1",
        }
    },
    guess=_guess,
)
