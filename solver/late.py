"""Things of modules that are loaded with their first use: a program that answers one question needs few of them."""

from importlib import import_module
from typing import Any

_named: dict[tuple[str, str], "Late"] = {}


class Late:
    """A function or a row of another module, which stands for it by its name. Worker processes can pickle it."""

    def __init__(self, module: str, name: str) -> None:
        """Name it; nothing is loaded yet.

        Args:
            module: The name of its module, such as "solver.axis.throw".
            name: Its own name there.
        """
        self._where = module, name
        _named[self._where] = self

    def load(self) -> Any:
        """Return the thing itself."""
        module, name = self._where
        return getattr(import_module(module), name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function."""
        return self.load()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the thing."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.load(), name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it be pickled by its name."""
        return Late, self._where


class LateModule:
    """A module that is loaded when something of it is used: its attributes are late."""

    def __init__(self, name: str) -> None:
        """Name it; nothing is loaded yet.

        Args:
            name: The name of the module, such as "solver.axis.throw".
        """
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """Return something of the module, which stays late."""
        if name.startswith("__"):
            raise AttributeError(name)
        return _named.get((self._name, name)) or Late(self._name, name)


def load(thing: Any) -> Any:
    """Return a thing itself.

    Args:
        thing: The thing, late or not.
    """
    return thing.load() if isinstance(thing, Late) else thing


def load_all() -> None:
    """Load everything late: a process that goes on does that before anybody waits.

    Raises:
        AttributeError: A module has nothing of this name.
    """
    count = 0
    while count < len(_named):  # a module that is loaded may name others
        for late in list(_named.values())[count:]:
            late.load()
            count += 1
