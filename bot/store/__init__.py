"""Presets and battles in a database: SQLAlchemy's Core, without its mapper of objects.

The mapper takes 12 MB. `sqlalchemy.ext.asyncio` loads it for two modules that nobody here uses, so these have
stand-ins, which must be there before SQLAlchemy is loaded.
"""

import sys
from types import ModuleType


class _Unused(ModuleType):
    """A module whose names are there, but mean nothing."""

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


for _name in ("sqlalchemy.ext.asyncio.session", "sqlalchemy.ext.asyncio.scoping"):
    sys.modules.setdefault(_name, _Unused(_name))
