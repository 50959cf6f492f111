"""Files that a host writes: whatever is none, or has no end, is one sentence that names it."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import editions, packs, settings
from bot.errors import UserError
from bot.host_files import MOST_BYTES
from bot.maps.reading import load_maps
from bot.openings import openings

READERS: dict[str, Callable[[Path], object]] = {
    "sandtable.toml": lambda _folder: settings.load(),
    "risk.toml": lambda folder: packs.load(own=folder),
    "axis1.toml": lambda folder: editions.editions(own=folder),
    "moon.toml": lambda folder: load_maps(own=folder),
    "1942.toml": lambda folder: openings(own=folder),
}
"""A file of each kind, and what reads it in a folder."""


def long_file(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(MOST_BYTES + 1)


ENDLESS: dict[Callable[[Path], None], str] = {
    os.mkfifo: "it is a pipe or a device, and no file",
    lambda file: file.symlink_to("/dev/zero"): "it is a pipe or a device, and no file",
    long_file: f"it has more than {MOST_BYTES} bytes",
}


def test_an_endless_file_of_the_host_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FILE", tmp_path / "sandtable.toml")
    for make, reason in ENDLESS.items():
        for name, read in READERS.items():
            make(tmp_path / name)
            with pytest.raises(UserError, match=f"^{re.escape(f'{tmp_path / name} cannot be read: {reason}.')}$"):
                read(tmp_path)
            (tmp_path / name).unlink()


def test_a_file_of_the_maximum_size_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FILE", tmp_path / "sandtable.toml")
    text = "workers = 3\n"
    settings.FILE.write_text(text + "#" * (MOST_BYTES - len(text)))
    assert settings.load().workers == 3
