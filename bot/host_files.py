"""Reads the files that a host writes, such as settings, rule packs, maps and openings: never one without an end."""

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

from bot.errors import UserError

MOST_BYTES = 2**20


def data_folders(folder: Path, own: Path) -> list[Path]:
    """Return a folder of data and the host's own, whose files add to those of the first or replace them."""
    # A program that starts in a checkout has only one folder.
    return [folder, *([own] if own.is_dir() and not own.samefile(folder) else [])]


def data_files(folder: Path, own: Path, pattern: str = "*.toml") -> list[Path]:
    """Return the files of both folders, those of each in the order of their names."""
    return [file for place in data_folders(folder, own) for file in sorted(place.glob(pattern))]


def read_tables(file: Path) -> dict[str, Any]:
    """Read the tables of a TOML file; UserError says why it cannot be read."""
    data = read_file(file)
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file} cannot be read: {error}.") from None


def read_file(file: Path, most: int = MOST_BYTES) -> bytes:
    """Read a file of at most `most` bytes; UserError says why it cannot be read."""
    try:
        return _read(file, most)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise UserError(f"{file} cannot be read: {error}.") from None


def refuse_pipe(file: Path) -> None:
    """Raise ValueError for a named pipe, at which one may wait for ever; what a shell opens has somebody who writes."""
    if file.is_fifo() and not file.is_relative_to("/dev") and not file.is_relative_to("/proc"):
        raise ValueError("it is a pipe, and no file")


def _read(file: Path, most: int) -> bytes:
    """Return all bytes of a file; OSError or ValueError if it cannot be read, or is no file of at most `most` bytes."""
    with open(file, "rb", opener=_open_at_once) as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ValueError("it is a pipe or a device, and no file")
        # The size that the system says may be wrong, or change.
        data = opened.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it has more than {most} bytes")
    return data


def _open_at_once(file: str, flags: int) -> int:
    """Open a file without the wait for somebody who writes into a named pipe."""
    return os.open(file, flags | os.O_NONBLOCK)
