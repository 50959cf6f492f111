"""The names that some questions have in Redis."""

from bot.work import shared_cache
from bot.work.shared_cache import stable_text
from solver import Battle
from tests.helpers.bot.lines import parse

LINES = (
    "12 9 bombers:2",
    "20 > 5 > 4 leave:1",
    "icons AAD,ADD,A,D,-,- 3 4",
    "3 inf 2 arm 3 fig vs 5 inf 1 aa then 4 inf",
)


def names() -> str:
    """The program and some questions as they are told to Redis."""
    battles = [parse(line).battle for line in LINES]
    keys = [battle.chain() if isinstance(battle, Battle) else battle for battle in battles]
    return " ".join((shared_cache._program_digest(), *map(stable_text, [*keys, *battles, frozenset(("a", "b", "c"))])))
