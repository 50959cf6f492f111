"""Settings of the host: read from the environment and config/sandtable.toml, checked, and typed."""

import difflib
import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.errors import UserError

log = logging.getLogger(__name__)

_HERE = Path(__file__).parent
# Installed packages carry the folder inside; in a checkout it stands beside this package.
CONFIG = next(folder for folder in (_HERE / "config", _HERE.parent / "config") if folder.is_dir())
FILE = Path("config", "sandtable.toml")
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

    def hears(self, place: str) -> bool:
        """Whether Discord sends this process the events of a place: "guild:1", or (on shard 0) "user:2"."""
        kind, _, number = place.partition(":")
        return self.first <= (int(number) >> 22 if kind == "guild" else 0) % self.count <= self.last


class Settings(BaseSettings):
    """The settings of the host; config/sandtable.toml explains each and holds the defaults."""

    model_config = SettingsConfigDict(env_prefix="SANDTABLE_", extra="forbid", frozen=True)

    token: SecretStr | None = None
    data: Path
    database: SecretStr
    redis: SecretStr
    shards: str
    workers: Annotated[int, Field(ge=1, le=64)]
    most_work: Annotated[int, Field(ge=1, le=10_000)]
    most_waiting: Annotated[int, Field(ge=1)]
    most_waiting_user: Annotated[int, Field(ge=1)]
    most_seconds_user: Annotated[int, Field(ge=1)]
    most_seconds_server: Annotated[int, Field(ge=1)]
    cache: Annotated[int, Field(ge=1)]
    most_setups: Annotated[int, Field(ge=1)]
    most_battles: Annotated[int, Field(ge=1)]
    most_per_minute_user: Annotated[int, Field(ge=1)]
    most_per_minute_server: Annotated[int, Field(ge=1)]
    log: Literal["DEBUG", "INFO", "WARNING", "ERROR"]
    log_format: Literal["text", "json"]
    metrics: Annotated[str, Field(pattern=r"^(\S+:\d+)?$")]
    http_host: Annotated[str, Field(pattern=r"^\S+$")]
    http_port: Annotated[int, Field(ge=1, le=MOST_PORTS)]
    api: Annotated[str, Field(pattern=r"^https?://\S+[^/\s]$")]
    gateway: Annotated[str, Field(pattern=r"^wss?://\S+$")]

    @property
    def file(self) -> Path:
        """The file of the SQLite database."""
        return self.data / "sandtable.db"

    @property
    def store(self) -> Path | str:
        """The place of the database: its file, or the full address of PostgreSQL, with the password."""
        return self.database.get_secret_value() or self.file

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
        return self.token.get_secret_value().strip() if self.token else ""

    @field_validator("data", mode="before")
    @classmethod
    def _default_folder(cls, value: object) -> object:
        return Path(str(value)).expanduser() if value else platformdirs.user_data_path("sandtable", appauthor=False)

    @field_validator("token")
    @classmethod
    def _check_token(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not all(c.isprintable() and not c.isspace() for c in value.get_secret_value().strip()):
            raise ValueError("a token is one word, without line breaks")
        return value

    @field_validator("metrics")
    @classmethod
    def _check_port(cls, value: str) -> str:
        if value and int(value.rpartition(":")[2]) > MOST_PORTS:
            raise ValueError(f"a port is at most {MOST_PORTS}")
        return value

    @field_validator("database")
    @classmethod
    def _check_database(cls, value: SecretStr) -> SecretStr:
        return _check_address(value, ("postgresql", "postgres"), "postgresql://user:password@host/name", path=True)

    @field_validator("redis")
    @classmethod
    def _check_redis(cls, value: SecretStr) -> SecretStr:
        right = _check_address(value, ("redis", "rediss"), "redis://:password@host:6379/0")
        if urlsplit(right.get_secret_value()).query:
            raise ValueError("an address of Redis has no options behind a question mark")
        return right

    @field_validator("shards")
    @classmethod
    def _check_shards(cls, value: str) -> str:
        found = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", value)
        if value and not (found and int(found[1]) <= int(found[2] or found[1]) < int(found[3]) <= MOST_SHARDS):
            raise ValueError("the first four of eight shards are 0-3/8, the others 4-7/8, and one alone is 0/8")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, the strongest first: arguments, environment, the host's file, the file we ship."""
        files = TomlConfigSettingsSource(settings_cls, [CONFIG / FILE.name, FILE])
        return init_settings, env_settings, files


def _check_address(value: SecretStr, schemes: tuple[str, ...], example: str, path: bool = False) -> SecretStr:
    """Return the address if it has one of these schemes; the error never repeats it, as it may hold a password."""
    text = value.get_secret_value()
    try:
        parts = urlsplit(text)
        right = parts.scheme in schemes and parts.port != 0 and text.isprintable() and " " not in text
    except ValueError:
        right = False
    if text and not (right and (parts.hostname or "host=" in parts.query) and (parts.path.strip("/") or not path)):
        raise ValueError(f"an address looks like {example}")
    return value


def load(**given: Any) -> Settings:
    """Read the settings; UserError names the one that is missing or wrong."""
    for name in sorted(os.environ):
        if name.startswith("SANDTABLE_") and name.removeprefix("SANDTABLE_").lower() not in Settings.model_fields:
            log.warning("There is no setting %s; %s lists them all.", name, FILE)
    if FILE.exists() and not FILE.is_file():
        raise UserError(f"{FILE} is no file. Docker makes a folder of it where the file of a mount is not there.")
    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            raise UserError(f"There is no setting `{name}`, which {FILE} names.{_did_you_mean(name)}") from None
        where = f"{FILE} or SANDTABLE_{name.upper()}"
        raise UserError(f"The setting `{name}` ({where}) is wrong: {first['msg']}.") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise UserError(f"The settings in {FILE} cannot be read: {str(error).rstrip('.')}.") from None


def _did_you_mean(name: str) -> str:
    near = difflib.get_close_matches(name, Settings.model_fields, n=1)
    return f" Did you mean `{near[0]}`?" if near else ""
