"""What workers do: plain functions, so that they can be sent to another process."""

from functools import cache
from typing import Any

from bot.languages import in_language
from solver import Battle, solve
from solver.documents import quotient
from solver.exact import attacker_wins, takes_all
from solver.paths import Path
from solver.tables import least_attackers, win_chances

Table = tuple[bytes, list[tuple[int | None, ...]]]
"""A picture, and for each number of defenders the least attackers that reach each of some goals."""


@cache
def warm() -> None:
    """Make, once in each process, the tables of the common game and the fonts and shapes of the first picture."""
    battle = Battle(3, 2)
    draw("draw_battle", battle, solve(battle))


def in_fractions(battle: Battle | Path) -> str:
    """The attacker's chance as "p/q"; BattleError says why it cannot be had."""
    chance = takes_all(battle) if isinstance(battle, Path) else attacker_wins(battle)
    return quotient(chance)


def draw(kind: str, *parts: Any) -> bytes:
    """A picture of one kind."""
    from bot import charts

    png: bytes = getattr(charts, kind)(*parts)
    return png


def tabulate(
    battle: Battle,
    ring: tuple[int, int] | None,
    title: str,
    goals: tuple[float, ...],
    behind: int,
    language: str,
    drawn: bool = True,
) -> Table:
    """The picture of the chances of all sizes up to the battle's, and for 0, 1, ... defenders who reaches each goal.

    The chances themselves may be megabytes, so they stay in the worker. The language is that of the picture,
    which is empty where none is to be `drawn`; there so many attackers `behind` are counted too.
    """
    chances = win_chances(battle, battle.attackers, battle.defenders)
    png = in_language(language, draw, "draw_table", title, chances, ring, behind) if drawn else b""
    return png, least_attackers(chances, goals)
