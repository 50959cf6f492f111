"""Settings of the host: read from the environment and config/sandtable.toml, checked, and typed."""

import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import platformdirs

from bot.errors import UserError
from bot.host_files import read_tables
from bot.names import nearest

_HERE = Path(__file__).parent
# Installed packages carry the folder inside; in a checkout it stands beside this package.
CONFIG = next(folder for folder in (_HERE / "config", _HERE.parent / "config") if folder.is_dir())
FILE = Path("config", "sandtable.toml")
PREFIX = "SANDTABLE_"
OF_KUBERNETES = re.compile(rf"{PREFIX}(SERVICE_(HOST|PORT)|PORT_\d+_|PORT=\w+://)")
"""The beginnings of what Kubernetes adds to the environment where a service has the name of the bot."""
CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""The processor time in microseconds that Linux gives a container in so many microseconds."""
MOST_PORTS = 65_535
MOST_SHARDS = 10_000


@dataclass(frozen=True)
class Shards:
    """The shards of one process: the numbers `first` to `last`, counted from 0, of `count` shards in all."""

    first: int
    last: int
    count: int

    @property
    def ids(self) -> list[int]:
        """The numbers of these shards."""
        return list(range(self.first, self.last + 1))

    def shard_of(self, place: str) -> int:
        """Return the shard on which Discord sends the events of a place: "guild:1", or (on shard 0) "user:2"."""
        kind, _, number = place.partition(":")
        return (int(number) >> 22 if kind == "guild" else 0) % self.count

    def hears(self, place: str) -> bool:
        """Whether Discord sends this process the events of a place."""
        return self.first <= self.shard_of(place) <= self.last


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of the host; config/sandtable.toml explains each and holds the defaults."""

    token: str = field(default="", repr=False)
    data: Path
    database: str = field(repr=False)
    most_connections: int
    redis: str = field(repr=False)
    shards: str
    workers: int
    most_work: int
    most_waiting: int
    most_waiting_user: int
    most_seconds_user: int
    most_seconds_server: int
    cache: int
    most_setups: int
    most_battles: int
    history_days: int
    keep_after_leaving: int
    privacy_url: str
    terms_url: str
    contact: str
    most_per_minute_user: int
    most_per_minute_server: int
    messages: bool
    log: str
    log_format: Literal["text", "json"]
    metrics: str
    http_host: str
    http_port: int
    api: str
    gateway: str

    @property
    def file(self) -> Path:
        """The file of the SQLite database."""
        return self.data / "sandtable.db"

    @property
    def store(self) -> Path | str:
        """The place of the database: its file, or the full address of PostgreSQL, with the password."""
        return self.database or self.file

    @property
    def own_shards(self) -> Shards | None:
        """The shards of this process; None if it runs all shards, as many as Discord recommends."""
        first, _, rest = self.shards.partition("/")
        if not rest:
            return None
        return Shards(int(first.partition("-")[0]), int(first.rpartition("-")[2]), int(rest))

    @property
    def bare_token(self) -> str:
        """The token in plain text, as Discord expects it; empty if there is none."""
        return self.token.strip()


NAMES = tuple(setting.name for setting in fields(Settings))
"""The names of all settings."""


def load(**chosen: Any) -> Settings:
    """Read the settings; UserError names the one that is missing or wrong.

    The values in `chosen` override the environment, which overrides the host's file, which overrides the file we ship.
    """
    try:
        if FILE.is_dir():
            raise UserError(f"{FILE} is no file. Docker makes a folder of it where the file of a mount is not there.")
        values = _read_file(CONFIG / FILE.name) | _read_file(FILE) | _read_environment() | chosen
        if unknown := next((name for name in values if name not in NAMES), ""):
            raise UserError(f"There is no setting `{unknown}`, which {FILE} names.{_hint(unknown)}")
        return Settings(**{name: _value(name, values) for name in NAMES})
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(f"The settings in {FILE} cannot be read: {str(error).rstrip('.')}.") from None


def log_format() -> Literal["text", "json"]:
    """Return the form of the log, also where other settings are wrong."""
    with suppress(UserError, OSError, ValueError):
        wanted = os.environ.get(f"{PREFIX}LOG_FORMAT") or _read_file(FILE).get("log_format")
        return "json" if str(wanted).lower() == "json" else "text"
    return "text"


def _read_file(file: Path) -> dict[str, Any]:
    return read_tables(file) if file.exists() else {}


def _read_environment() -> dict[str, str]:
    """Return the settings of the environment; UserError if a name is none of them."""
    values = {}
    for variable, value in sorted(os.environ.items()):
        if variable.startswith(PREFIX) and not OF_KUBERNETES.match(f"{variable}={value}"):
            name = variable.removeprefix(PREFIX).lower()
            if name not in NAMES:
                hint = _hint(name, lambda near: f"{PREFIX}{near.upper()}")
                raise UserError(f"There is no setting `{variable}`, which the environment names.{hint}")
            values[name] = value
    return values


def _hint(unknown: str, spell: Callable[[str], str] = str) -> str:
    """Return a question after the setting that an unknown name may mean."""
    near = nearest(unknown, NAMES)
    return f" Did you mean `{spell(near)}`?" if near else ""


def _value(name: str, values: Mapping[str, Any]) -> Any:
    """Return the checked value of a setting; UserError says what is wrong with it, but never repeats it."""
    try:
        return CHECKS[name](values.get(name, ""))
    except _WrongError as error:
        raise UserError(f"The setting `{name}` ({FILE} or {PREFIX}{name.upper()}) is wrong: {error}.") from None


# What a value may be ------------------------------------------------------------------------------------


class _WrongError(Exception):
    """The value of a setting is wrong; the text says why."""


def _whole(minimum: int, maximum: float = math.inf, more: str = "") -> Callable[[object], int]:
    """Return the check of a whole number between two limits; `more` is what the error adds to them."""
    limits = f"of {minimum} or more" if maximum == math.inf else f"from {minimum} to {maximum}"

    def check(value: object) -> int:
        try:
            number = int(value) if isinstance(value, str) else value
        except ValueError:
            number = None
        if type(number) is not int or not minimum <= number <= maximum:
            raise _WrongError(f"it is a whole number {limits}{more}")
        return number

    return check


def _one_of(*values: str) -> Callable[[object], str]:
    """Return the check of one of these words, in small or capital letters."""

    def check(value: object) -> str:
        for right in values:
            if isinstance(value, str) and value.lower() == right.lower():
                return right
        *first, last = (f"`{right}`" for right in values)
        raise _WrongError(f"it is {', '.join(first)} or {last}")

    return check


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _WrongError("it is a text, which stands in quotation marks in the file")
    return value


def _like(pattern: str, right: str) -> Callable[[object], str]:
    """Return the check of a text of this pattern; `right` describes it in words."""

    def check(value: object) -> str:
        text = _text(value)
        if not re.fullmatch(pattern, text):
            raise _WrongError(f"it is {right}")
        return text

    return check


def _yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    return _one_of("true", "false")(value) == "true"


def _workers(value: object) -> int:
    if value == "":
        return min(2, processors())
    return _whole(1, 64, ", or empty for one worker per processor, at most two")(value)


def _folder(value: object) -> Path:
    return Path(str(value)).expanduser() if value else platformdirs.user_data_path("sandtable", appauthor=False)


def _token(value: object) -> str:
    text = _text(value)
    if not all(c.isprintable() and not c.isspace() for c in text.strip()):
        raise _WrongError("a token is one word, without line breaks")
    if any(quote in text for quote in "\"'`“”„‘’"):
        raise _WrongError("a token has no quotation marks; `docker run --env-file` takes them for a part of it")
    return text


def _metrics(value: object) -> str:
    text = _like(r"(\S+:\d+)?", "an address such as `127.0.0.1:9464`, or empty for none")(value)
    if text and not 0 < int(text.rpartition(":")[2]) <= MOST_PORTS:
        raise _WrongError(f"a port is a number from 1 to {MOST_PORTS}")
    return text


def _database(value: object) -> str:
    return _address(_text(value), ("postgresql", "postgres"), "postgresql://user:password@host/name", path=True)


def _redis(value: object) -> str:
    right = _address(_text(value), ("redis", "rediss"), "redis://:password@host:6379/0")
    if urlsplit(right).query:
        raise _WrongError("an address of Redis has no options behind a question mark")
    return right


def _address(text: str, schemes: tuple[str, ...], example: str, path: bool = False) -> str:
    """Return the address if it has one of these schemes; the error never repeats it, as it may hold a password."""
    try:
        parts = urlsplit(text)
        right = parts.scheme in schemes and parts.port != 0 and text.isprintable() and " " not in text
    except ValueError:
        right = False
    if text and not (right and (parts.hostname or "host=" in parts.query) and (parts.path.strip("/") or not path)):
        raise _WrongError(f"an address looks like {example}")
    return text


def _shards(value: object) -> str:
    text = _text(value)
    parts = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", text)
    if text and not (parts and int(parts[1]) <= int(parts[2] or parts[1]) < int(parts[3]) <= MOST_SHARDS):
        raise _WrongError("the first four of eight shards are 0-3/8, the others 4-7/8, and one alone is 0/8")
    return text


def processors() -> int:
    """Return how many processors this process may use: those of its affinity, or fewer by the limit of a container."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        share, period = CPU_LIMIT.read_text().split()
        return max(1, min(count, math.ceil(int(share) / int(period))))
    except (OSError, ValueError):  # no Linux, or "max": no limit
        return count


_COUNT = _whole(1)
_URL = _like(r"(https?://[^\s<>]{1,200})?", "an address such as `https://example.org/privacy`, or empty for none")
CHECKS: dict[str, Callable[[object], Any]] = {
    **dict.fromkeys(NAMES, _COUNT),
    "token": _token,
    "data": _folder,
    "database": _database,
    "redis": _redis,
    "shards": _shards,
    "workers": _workers,
    "history_days": _whole(0),
    "privacy_url": _URL,
    "terms_url": _URL,
    "contact": _like(r"[^\x00-\x1f]{0,200}", "one line such as `help@example.org`, of at most 200 letters"),
    "most_work": _whole(1, 10_000),
    "messages": _yes_or_no,
    "most_connections": _whole(3, 1_000),
    "log": _one_of("DEBUG", "INFO", "WARNING", "ERROR"),
    "log_format": _one_of("text", "json"),
    "metrics": _metrics,
    "http_host": _like(r"\S+", "an address such as `127.0.0.1`, or `0.0.0.0` for all machines"),
    "http_port": _whole(1, MOST_PORTS),
    "api": _like(r"https?://\S+[^/\s]", "an address such as `https://discord.com/api/v10`, without a slash at its end"),
    "gateway": _like(r"wss?://\S+", "an address such as `wss://gateway.discord.gg/`"),
}
"""The check of each setting, which returns its value; most are counts."""
