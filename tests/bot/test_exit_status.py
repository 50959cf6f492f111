"""How the bot ends by itself: its exit status says whether a new start may help, and its last line says why."""

import asyncio
import json
import logging
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot import __main__ as start
from tests.fake_discord import FakeDiscord
from tests.helpers.program import LONGEST, program, say, until

STARTING = "bot.discord_app.starting"


async def test_a_final_close_of_discord_ends_the_bot(discord: FakeDiscord, tmp_path: Path) -> None:
    async with program(discord.token, tmp_path, discord) as process:
        await discord.ready()
        async with asyncio.timeout(LONGEST):
            # The code of a socket that breaks while it is being opened may get lost, so Discord says it each time.
            while process.returncode is None:
                await discord.drop_gateway(code=4013)
                await asyncio.sleep(0.3)
        _, errors = await process.communicate()
    assert process.returncode == 78
    assert errors.decode().endswith(" CRITICAL bot: Discord closed the connection for good, with code 4013.\n")


@pytest.mark.parametrize(
    ("mode", "variable", "address", "sentence"),
    [
        (
            "discord",
            "SANDTABLE_DATABASE",
            "postgresql://sand@127.0.0.1:9/table",
            "The database table at 127.0.0.1:9",
        ),
        ("http", "SANDTABLE_API", "http://127.0.0.1:9/api/v10", "Discord at http://127.0.0.1:9/api/v10 cannot be"),
    ],
)
async def test_a_start_waits_for_discord_and_the_database_but_not_for_good(
    discord: FakeDiscord, tmp_path: Path, mode: str, variable: str, address: str, sentence: str
) -> None:
    nowhere = {variable: address, "SANDTABLE_LOG_FORMAT": "json"}
    hasty = {f"{STARTING}.FIRST_PAUSE": 0.01, f"{STARTING}.LONGEST_AWAY": 0.1}
    async with program(discord.token, tmp_path, discord, hasty, mode, **nowhere) as process:
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    *attempts, last = [json.loads(line) for line in errors.decode().splitlines()]
    assert len([line for line in attempts if line["message"].endswith("The next attempt is in 0 seconds.")]) == 4
    assert (process.returncode, last["level"]) == (75, "CRITICAL")
    assert last["message"].startswith(sentence)


async def test_a_start_goes_on_when_discord_is_back(discord: FakeDiscord, tmp_path: Path) -> None:
    discord.fail_next("GET /gateway", status=503)
    async with program(discord.token, tmp_path, discord, {f"{STARTING}.FIRST_PAUSE": 0.01}) as process:
        await discord.ready()
        process.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    assert process.returncode == 0
    assert "does not work: it answers with status 503. The next attempt" in errors.decode()


async def test_sigterm_ends_a_start_that_waits(discord: FakeDiscord, tmp_path: Path) -> None:
    discord.fail_next("GET /gateway", status=503)
    patient = {f"{STARTING}.FIRST_PAUSE": 600.0, f"{STARTING}.LONGEST_AWAY": 6000.0}
    async with program(discord.token, tmp_path, discord, patient) as process:
        await until(lambda: bool(discord.requests))
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), LONGEST)
    assert (process.returncode, [request.path for request in discord.requests]) == (0, ["/api/v10/gateway"])


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        (None, "There is no token."),
        (" ", "There is no token."),
        ("wrong", "Discord does not accept the token in SANDTABLE_TOKEN."),
    ],
)
async def test_a_wrong_token_is_a_sentence(
    discord: FakeDiscord, tmp_path: Path, token: str | None, sentence: str
) -> None:
    async with program(token, tmp_path, discord) as process:
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    discord.violations.clear()
    assert process.returncode == 78
    assert f" CRITICAL bot: {sentence}" in errors.decode().splitlines()[-1]
    assert "Traceback" not in errors.decode()


@pytest.mark.parametrize("variable", ["SANDTABLE_WORKRES", "SANDTABLE_WORKERS"])
async def test_wrong_settings_end_the_bot_in_the_form_of_its_log(
    discord: FakeDiscord, tmp_path: Path, variable: str
) -> None:
    async with program(discord.token, tmp_path, discord, SANDTABLE_LOG_FORMAT="json", **{variable: "four"}) as process:
        _, errors = await asyncio.wait_for(process.communicate(), LONGEST)
    last = json.loads(errors)
    assert (process.returncode, last["level"]) == (78, "CRITICAL")
    assert "SANDTABLE_WORKERS" in last["message"]


def test_a_fault_of_the_program_is_one_line_of_its_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDTABLE_LOG_FORMAT", "json")
    monkeypatch.setitem(start.STARTS, "http", lambda *_: 1 // 0)
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()  # so that the program sets up its own
    try:
        status, _, errors = say(capsys, "http")
    finally:
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
    assert (status, json.loads(errors)["message"]) == (1, "a fault of the program ends it")
    assert "ZeroDivisionError" in json.loads(errors)["traceback"]


def test_another_system_is_a_sentence() -> None:
    missing = ["fcntl", "resource", "grp", "pwd", "termios"]
    lines = f"import shutil, sys; sys.platform = 'win32'; sys.modules.update(dict.fromkeys({missing}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{lines}; from bot.__main__ import main; sys.exit(main(['12', '9']))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "Sandtable runs on Linux and macOS, not on win32; Docker or WSL brings Linux there.\n",
    )
