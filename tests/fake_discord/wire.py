"""The words both ends of the wire use: kinds and flags by number, and errors in Discord's own form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

Json = dict[str, Any]

API_PATH = "/api/v10"

# Message flags
SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15

MEBIBYTE = 1 << 20


def copy_json(part: list[Json]) -> list[Json]:
    """Return a copy of JSON, some times faster than `deepcopy`."""
    made: list[Json] = json.loads(json.dumps(part))
    return made


class Kind(IntEnum):
    """What a person did, as the `type` of an interaction."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """How the bot answers first, as the `type` of a callback."""

    MESSAGE = 4
    THINKING = 5
    UPDATE_LATER = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a request body: `where` is a dotted path into it, "" for the body itself."""

    where: str
    what: str
    code: str = "INVALID"

    def __str__(self) -> str:
        return f"{self.where or 'body'}: {self.what}"


class ApiError(Exception):
    """A request is refused; `mistake` says whether a correct bot could never have caused it."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        problems: Sequence[Problem] = (),
        *,
        mistake: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.problems = tuple(problems)
        self.mistake = mistake

    def __str__(self) -> str:
        details = "; ".join(str(problem) for problem in self.problems)
        return f"{self.message} (code {self.code})" + (f": {details}" if details else "")

    def payload(self) -> Json:
        """The JSON error Discord would send, problems nested by their path."""
        body: Json = {"message": self.message, "code": self.code}
        if self.problems:
            errors: Json = {}
            for problem in self.problems:
                place = errors
                for step in filter(None, problem.where.split(".")):
                    place = place.setdefault(step, {})
                place.setdefault("_errors", []).append({"code": problem.code, "message": problem.what})
            body["errors"] = errors
        return body


class ImpossibleError(AssertionError):
    """The test asked a person for something Discord would not let them do."""


def invalid_form(problems: Sequence[Problem]) -> ApiError:
    return ApiError(400, 50035, "Invalid Form Body", problems)


def unknown_message(*, mistake: bool = True) -> ApiError:
    return ApiError(404, 10008, "Unknown Message", mistake=mistake)


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def too_large(name: str, limit: int) -> ApiError:
    return ApiError(413, 40005, "Request entity too large", [Problem("", f"{name} is over {limit} bytes")])
