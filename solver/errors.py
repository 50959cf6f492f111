"""What the solver says when it is asked about a battle that cannot be."""

import json
from typing import Any


class BattleError(ValueError):
    """A battle that breaks a rule or a limit: which field, and in a sentence what would be right.

    `field` names the place as the documents do, with dots: "attackers", "attack.dice", "defence.fighters". The reason
    is the text `told` with the `values` of its placeholders, so that it can be told in another language too.
    """

    def __init__(self, field: str, told: str, /, **values: Any) -> None:
        self.field = field
        self.told = told
        self.values = values
        super().__init__(f"{field}: {self.reason}")

    @property
    def reason(self) -> str:
        """What would be right, or what is wrong, as a part of a sentence."""
        return self.told.format_map(self.values) if self.values else self.told

    @property
    def sentence(self) -> str:
        """The reason as a sentence of its own."""
        return f"{self.reason[0].upper()}{self.reason[1:]}."

    def __reduce__(self) -> tuple[Any, ...]:
        """How it crosses from one process to another."""
        return _made, (type(self), self.field, self.told, self.values)

    def inside(self, field: str) -> "BattleError":
        """The same error, seen from the document that holds the field."""
        return type(self)(f"{field}.{self.field}".strip("."), self.told, **self.values)


class TooLargeError(BattleError):
    """A battle, or a question about it, that takes more work or memory than is allowed. The battle itself is fine."""


def _made(kind: type[BattleError], field: str, told: str, values: dict[str, Any]) -> BattleError:
    return kind(field, told, **values)


def check_count(field: str, value: Any, least: int, most: int, told: str) -> None:
    """Refuse anything but a whole number from `least` to `most`, in a text with {least}, {most} and {value}."""
    if type(value) is not int or not least <= value <= most:
        raise BattleError(field, told, least=least, most=most, value=shown(value))


def check_number(field: str, value: Any, least: float, most: float, told: str) -> None:
    """Refuse anything but a number from `least` to `most`, in a text with {least}, {most} and {value}."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise BattleError(field, told, least=least, most=most, value=shown(value))


def shown(value: Any) -> str:
    """A value as documents write it, for a sentence: shortened where it is long."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else f"{text[:40]}…"
