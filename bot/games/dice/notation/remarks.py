"""Remarks about a battle with dice, and about the words of its line."""

from collections.abc import Iterator

from bot.languages import _
from bot.notation.lexer import Fields
from bot.notation.remarks import idle_remark, round_remarks
from solver import Battle


def battle_remarks(battle: Battle) -> Iterator[str]:
    """Explain plans of a battle that make no difference, or may be meant otherwise."""
    if 0 < battle.stop <= battle.reserve:
        plans = {"stop": f"stop:{battle.stop}", "reserve": f"reserve:{battle.reserve}"}
        yield _("With `{reserve}`, `{stop}` makes no difference.", **plans)
    yield from round_remarks([battle.rounds])


def ship_remarks(line: str, fields: Fields, battle: Battle) -> Iterator[str]:
    """Name the ships and rerolls of a line that are more than can be used."""
    for side, pool, ships in (
        ("attack", battle.attack, battle.attack_ships),
        ("defence", battle.defence, battle.defence_ships),
    ):
        for kind, useful in {**ships.to_dict(), "rerolls": pool.rerolls}.items():
            field = fields.get(f"{side}.{kind}")
            if field and field.value > useful:
                word = line[field.start : field.end]
                yield idle_remark(word, useful)
