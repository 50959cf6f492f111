"""The meaning of a phrase, and the error for phrases without one."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.phrases.armies import Mark
from bot.phrases.sides import Evidence

ARROWS = ("→", "->", ">", "➡", "=>")
"""The signs between territories that an army goes through."""


class NotClearError(Exception):
    """The phrase has no one meaning; `readings` are the lines that it may mean, and `why` says what is missing."""

    def __init__(self, why: str, *readings: str) -> None:
        super().__init__(why)
        self.why, self.readings = why, readings


@dataclass
class Meaning:
    """The line of a phrase, with the reasons for it and the line that it may mean instead."""

    line: str
    reasons: tuple[Evidence, ...] = ()
    other: str = ""


def check_end(after: Sequence[Mark]) -> None:
    """Raise NotClearError if a word behind the last army wants another one behind it."""
    if any(mark.role in ("then", "counter", "against", "or", "through") or mark.text in ARROWS for mark in after):
        raise NotClearError("what comes next")
