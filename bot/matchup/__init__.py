"""The notation: text to Battle and back.

    12 9 bombers:2 stop:4               the attacker's number, the defender's, then options in any order
    12 fighters:1 vs 9 capitals:1       after "vs", options belong to the defender
    20 > 5 > 4 > 2 leave:1              a path: each territory with its defenders, and options of its own
    3 inf 2 arm vs 5 inf 1 aa           Axis & Allies: units with their numbers (armies.py)
    3 inf vs 5 inf then hold 2 arm      several waves: who comes next, and who attacks those that have taken it
    12 9 bombers:2 || bombers:1         two plans to be compared (plans.py)

`parse` reads a line, `write` gives the canonical line of a battle or a path, and parsing that gives it back. The
notation is public: a line that once worked keeps working.
"""

from bot.matchup.explicit import explicit
from bot.matchup.habits import RULES, Unsaid, meaning
from bot.matchup.mistakes import MatchupError
from bot.matchup.old_lines import spelled_out
from bot.matchup.plans import (
    BETWEEN,
    LONGEST_PLANS,
    PLANS,
    Plans,
    parse_plans,
    split_plans,
    write_plans,
)
from bot.matchup.reading import (
    EXAMPLE,
    LONGEST_LINE,
    LONGEST_TYPED,
    Reading,
    is_name,
    may_name_a_setup,
    parse,
    strangers,
)
from bot.matchup.writing import AnyBattle, write
from bot.words import CLASSIC, OPTIONS, normal

__all__ = [
    "BETWEEN",
    "CLASSIC",
    "EXAMPLE",
    "LONGEST_LINE",
    "LONGEST_PLANS",
    "LONGEST_TYPED",
    "OPTIONS",
    "PLANS",
    "RULES",
    "AnyBattle",
    "MatchupError",
    "Plans",
    "Reading",
    "Unsaid",
    "explicit",
    "is_name",
    "may_name_a_setup",
    "meaning",
    "normal",
    "parse",
    "parse_plans",
    "spelled_out",
    "split_plans",
    "strangers",
    "write",
    "write_plans",
]
