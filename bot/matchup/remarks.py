"""Remarks about words of a line: those that make no difference, and those that may have been meant otherwise."""

from collections.abc import Iterator

from bot.languages import _
from bot.matchup.meant import Fields
from solver import Battle
from solver.ships import SHIPS

ALL_ELSEWHERE = 100
"""The number of rounds that means all of them in other calculators."""


def idle_remark(word: str, useful: int) -> str:
    """Say that a word counts no more than is useful."""
    return _("`{word}` counts as {useful}: more make no difference.", word=word, useful=useful)


def limit_remark() -> str:
    """Say that `rounds:100` is a limit, as other calculators mean all rounds by it."""
    return _("`rounds:100` is a limit of 100 rounds; `rounds:all` sets none.")


def battle_remarks(line: str, fields: Fields, battle: Battle) -> Iterator[str]:
    """What the line says to no effect."""
    for side, pool, ships in (
        ("attack", battle.attack, battle.attack_ships),
        ("defence", battle.defence, battle.defence_ships),
    ):
        for kind, useful in {**ships.to_dict(), "rerolls": pool.rerolls}.items():
            field = fields.get(f"{side}.{kind}")
            if field and field.value > useful:
                word = line[field.start : field.end]
                yield idle_remark(word, useful)
    if 0 < battle.stop <= battle.reserve:
        plans = {"stop": f"stop:{battle.stop}", "reserve": f"reserve:{battle.reserve}"}
        yield _("`{stop}` makes no difference beside `{reserve}`.", **plans)
    if battle.rounds == ALL_ELSEWHERE:
        yield limit_remark()


def path_remarks(line: str, legs: list[Fields]) -> Iterator[str]:
    """Ships whose owner may not be the one who was meant: behind a territory's number they are its defender's."""
    for fields in legs[1:]:
        for key, field in fields.items():
            word = line[field.start : field.end]
            ship = key.startswith("defence.") and key.removeprefix("defence.") in SHIPS
            if ship and not field.kept and not word.startswith("d"):
                yield _("`{word}` is the defender's there; `a{word}` would be the attacker's.", word=word)
