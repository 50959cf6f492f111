"""About how many seconds of the processor a piece of work takes, known before it is begun."""

from collections.abc import Callable
from typing import Any

CHEAP = 0.05
"""Seconds up to which work is cheap."""


class Costs:
    """What work is expected to take."""

    def expected(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
        """The seconds that this work should take."""
        return 0.01

    def learn(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> None:
        """Remember what some work took."""
