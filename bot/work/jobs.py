"""The work of workers for every game: plain functions, so that they can be sent to another process."""

from importlib import import_module
from typing import Any, NamedTuple


class Chart(NamedTuple):
    """A kind of picture.

    Attributes:
        function: The dotted name of the function that draws it. Its module is only loaded where pictures are drawn, as
            loading what draws takes long.
        personal: Whether it shows what people rolled, so that it does not leave the process.
    """

    function: str
    personal: bool

    @property
    def module(self) -> str:
        """The module that draws it."""
        return self.function.rpartition(".")[0]


def draw(chart: Chart, *parts: Any) -> bytes:
    """Return a picture of these parts as PNG."""
    png: bytes = getattr(import_module(chart.module), chart.function.rpartition(".")[2])(*parts)
    return png
