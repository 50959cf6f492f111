"""The work of workers for every game: plain functions, so that they can be sent to another process."""

from importlib import import_module
from typing import Any


def draw(name: str, *parts: Any) -> bytes:
    """Return a picture as PNG.

    `name` is the dotted name of the function that draws it. Its module is only loaded here, as loading what draws takes
    long.
    """
    module, _dot, function = name.rpartition(".")
    png: bytes = getattr(import_module(module), function)(*parts)
    return png
