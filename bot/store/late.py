"""The database of a terminal: it is loaded when something is stored, and not for settings and the lines of set-ups."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from bot.store.unopened import make_folder, read_lines, read_settings

if TYPE_CHECKING:  # this module is there so that it need not be loaded
    from bot.store.database import Store


class LateStore:
    """A store that is opened with its first use. Use it as an async context manager."""

    def __init__(self, where: Path | str) -> None:
        """`where` is that of `open_store`."""
        self._where = where
        self._store: Store | None = None

    async def __aenter__(self) -> Self:
        """Open a database now that could not be read otherwise, or needs a migration; UserError says what is wrong."""
        if isinstance(self._where, Path):
            make_folder(self._where)
        if self._read_settings("") is None:
            await self.store().open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the database if it was loaded."""
        if self._store:
            await self._store.close()

    def store(self) -> "Store":
        """Return the store; its first transaction opens it."""
        if self._store is None:
            # Imported here, because most answers of a terminal need no database.
            from bot.store.database import Store

            self._store = Store(self._where)
        return self._store

    async def settings(self, place: str) -> dict[str, str]:
        """Return all settings of a place, as the store does."""
        chosen = self._read_settings(place)
        return await self.store().settings(place) if chosen is None else chosen

    async def lines(self, place: str) -> dict[str, str]:
        """Return the lines of all set-ups of a place by their names, as the store does."""
        saved = read_lines(self._where, place) if isinstance(self._where, Path) else None
        return await self.store().lines(place) if saved is None else saved

    def _read_settings(self, place: str) -> dict[str, str] | None:
        """Return all settings of a place if they can be read without the store."""
        return read_settings(self._where, place) if isinstance(self._where, Path) else None
