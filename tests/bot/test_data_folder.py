"""The data folder: only its owner can read the one that the bot makes, and `sandtable check` says what is wrong."""

import os
from pathlib import Path

import pytest

from bot import editions, upkeep
from bot.errors import UserError
from bot.store.database import open_store
from bot.store.unopened import hold_lock
from solver.compiled import library
from tests.helpers.program import say

FILE = "sandtable.db"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def rights(place: Path) -> int:
    return place.stat().st_mode & 0o777


async def test_files_of_the_bot_are_readable_by_their_owner_alone(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = os.umask(0)
    try:
        async with open_store(data / FILE) as store:
            await store.set_fact("commands", "a")
            files = {file.name: rights(file) for file in data.iterdir()}
    finally:
        os.umask(before)
    assert files == {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}
    assert rights(data) == 0o700
    assert f"The data folder {data} is right." in say(capsys, "check")[1]


def test_the_lock_makes_a_data_folder_readable_by_its_owner_alone(data: Path) -> None:
    with hold_lock(data / FILE):
        assert rights(data) == 0o700


def test_check_names_a_data_folder_that_is_open_to_others(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.mkdir()
    data.chmod(0o750)
    with hold_lock(data / FILE):
        pass
    assert rights(data) == 0o750
    status, told, _ = say(capsys, "check")
    assert status == 0
    assert f"The data folder {data} is open to others on this machine: `chmod 700 {data}` closes it." in told


@pytest.mark.parametrize("database", ["", "postgresql://sand@127.0.0.1:1/table"])
@pytest.mark.parametrize(
    ("folder", "reason"),
    [("link", "as {} is no folder."), ("link/data", "as {} is no folder."), ("x" * 300, "File name too long.")],
    ids=["link", "below a link", "long"],
)
def test_a_data_folder_that_cannot_be_made_is_a_sentence(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    database: str,
    folder: str,
    reason: str,
) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / folder))
    monkeypatch.setenv("SANDTABLE_DATABASE", database)
    status, _, wrong = say(capsys, "check")
    assert (status, wrong.count(f"The data folder {tmp_path / folder} cannot be made")) == (2, 1)
    assert reason.format(tmp_path / "link") in wrong


def test_a_pipe_named_as_the_database_is_a_sentence(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    data.mkdir()
    os.mkfifo(data / FILE)
    assert say(capsys, "check")[::2] == (2, f"The database {data / FILE} cannot be used: it is no file.\n")


@pytest.mark.parametrize(("kernel", "said"), [(None, upkeep.NO_KERNEL), (object(), "compiled kernel is there")])
def test_check_says_whether_there_is_a_compiled_kernel(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kernel: object, said: str
) -> None:
    monkeypatch.setattr(library, "library", lambda: kernel)
    status, told, _ = say(capsys, "check")
    assert status == 0
    assert said in told


def test_check_says_a_repeated_mistake_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong() -> None:
        raise UserError("axis.toml, [mine]: an edition has no such field.")

    monkeypatch.setattr(editions, "editions", wrong)
    monkeypatch.setattr(upkeep, "openings", wrong)  # they are those of the editions
    assert say(capsys, "check")[::2] == (2, "axis.toml, [mine]: an edition has no such field.\n")
