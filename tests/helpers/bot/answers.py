"""Answers to lines and documents, and the parts of one on Discord: its table, its picture, and the line under it."""

import io
import json
from collections.abc import Iterable
from typing import Any

from PIL import Image

from bot.commands.run import run
from bot.console import request_from, solve_lines
from bot.replies import Reply, full_text
from bot.request import Services
from bot.settings import Settings
from tests.fake_discord import Shown

ANSWER = (
    "**Attacker wins 99.4%** · 12 with 2 bombers against 9 · Star Wars Risk\n"
    "8 battles in 10 end between 6 and 12 attackers left"
    " · average losses: attacker 3.0 of 12, defender 9.0 of 9 (nearly all)\n"
    "-# exact · about 6 rounds · `12 9 bombers:2`"
)


def rows(shown: Shown) -> list[list[str]]:
    """The table of an answer, in words."""
    return [row.split() for row in shown.content.split("```")[1].strip("\n").splitlines()]


def picture(shown: Shown) -> str:
    """That there is one picture, and what it says to those who cannot see it."""
    file = shown.files[0]
    with Image.open(io.BytesIO(file.data)) as drawn:
        assert drawn.size == (800, 640)
    assert file.description
    return file.description


def line_of(shown: Shown) -> str:
    """The line under an answer."""
    return shown.content.split("`")[-2]


def small_print(shown: Shown) -> list[str]:
    """The small lines of an answer, top to bottom."""
    return [line.removeprefix("-# ") for line in shown.content.splitlines() if line.startswith("-# ")]


def check_in_order(text: str, parts: Iterable[str]) -> None:
    """Check that a text has all these parts, each behind the one before it."""
    for part in parts:
        before, there, text = text.partition(part)
        assert there == part, (part, before)


async def answers(settings: Settings, *documents: Any, like_input: bool = False) -> list[dict[str, Any]]:
    """The answers of `sandtable solve` to documents, one on each line."""
    out = io.StringIO()
    await solve_lines(settings, map(json.dumps, documents), out, like_input=like_input)
    return [json.loads(line) for line in out.getvalue().splitlines()]


async def reply_to(line: str, services: Services) -> str:
    """The answer to a typed line as text."""
    reply = await run(request_from(line), services)
    assert isinstance(reply, Reply)
    return full_text(reply)
