"""The names that some questions have in Redis."""

from bot import shared_cache
from bot.matchup import parse
from bot.shared_cache import spelled
from solver import Battle

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
    return " ".join((shared_cache._program(), *map(spelled, [*keys, *battles, frozenset(("a", "b", "c"))])))
