"""The log: lines of text or of JSON, each with the interaction it is about."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)


def begin(level: str, form: Literal["text", "json"] = "text") -> None:
    """Write to stderr from here on, at this level and above."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text())
    handler.addFilter(_may_be_kept)
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("alembic.runtime.plugins").setLevel("WARNING")


def _may_be_kept(record: logging.LogRecord) -> bool:
    """Whether a record is fit for a file: below INFO the libraries tell what people typed, their names, and tokens."""
    return record.levelno >= logging.INFO or record.name.startswith("bot.")


def note(interaction: object, command: str) -> None:
    """Tell which interaction all that this task logs is about, and all tasks that it starts from here on."""
    _about.set({"interaction": str(interaction), "command": command})


class Text(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """The line, with the interaction at its end."""
        about = _about.get()
        line = super().formatMessage(record)
        return f"{line} [{about['interaction']} {about['command']}]" if about else line


class Json(logging.Formatter):
    """Lines for programs, each one object."""

    def format(self, record: logging.LogRecord) -> str:
        """The object: time in UTC, level, logger, message, and where there are any, interaction, command, traceback."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **(_about.get() or {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)
