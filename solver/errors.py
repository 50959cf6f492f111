"""What the solver says when it is asked about a battle that cannot be."""

import json
from typing import Any


class BattleError(ValueError):
    """A battle that breaks a rule or a limit: which field, and in a sentence what would be right.

    `field` names the place as the documents do, with dots: "attackers", "attack.dice", "defence.fighters".
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason

    @property
    def sentence(self) -> str:
        """The reason as a sentence of its own."""
        return f"{self.reason[0].upper()}{self.reason[1:]}."

    def __reduce__(self) -> tuple[type["BattleError"], tuple[str, str]]:
        """How it crosses from one process to another."""
        return BattleError, (self.field, self.reason)

    def inside(self, field: str) -> "BattleError":
        """The same error, seen from the document that holds the field."""
        return BattleError(f"{field}.{self.field}".strip("."), self.reason)


def check_count(field: str, value: Any, least: int, most: int, what: str, unit: str = "") -> None:
    """Refuse anything but a whole number from `least` to `most`, in a sentence that begins with `what`."""
    if type(value) is not int or not least <= value <= most:
        unit = f" {unit}" if unit else ""
        raise BattleError(field, f"{what} {least} to {most}{unit}, not {shown(value)}")


def check_number(field: str, value: Any, least: float, most: float, what: str) -> None:
    """Refuse anything but a number from `least` to `most`, in a sentence that begins with `what`."""
    if type(value) not in (int, float) or not least <= value <= most:
        raise BattleError(field, f"{what} {least} to {most}, not {shown(value)}")


def shown(value: Any) -> str:
    """A value as documents write it, for a sentence: shortened where it is long."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 40 else f"{text[:40]}…"
