"""The log: lines of text or of JSON, each with the interaction it is about."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal

_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)


def configure(level: str, form: Literal["text", "json"] = "text") -> None:
    """Write the log to stderr, at this level and above."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text())
    handler.addFilter(_is_loggable)
    logging.basicConfig(level=level, handlers=[handler])
    logging.getLogger("alembic.runtime.plugins").setLevel("WARNING")


def _is_loggable(record: logging.LogRecord) -> bool:
    """Whether a record may be logged: below INFO the libraries log what people typed, their names, and tokens."""
    return record.levelno >= logging.INFO or record.name.startswith("bot.")


def set_interaction(interaction: object, command: str) -> None:
    """Name the interaction in all later log lines of this task and of the tasks that it starts."""
    _about.set({"interaction": str(interaction), "command": command})


class Text(logging.Formatter):
    """Formats log lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return the line, with the interaction at its end."""
        about = _about.get()
        line = super().formatMessage(record)
        return f"{line} [{about['interaction']} {about['command']}]" if about else line


class Json(logging.Formatter):
    """Formats log lines for programs, each as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object: time in UTC, level, logger, message, and any interaction, command and traceback."""
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
