"""What stories about live battles share: their buttons, dice typed in the form, what stands under a frame, lists."""

import json
import re
from typing import Any

from bot.request import Services
from bot.store.records import BattleRecord
from tests.fake_discord import Person, Shown

LIVE = ["Roll", "Roll to the end", "Retreat", "Real dice"]
BACK, MISTYPED = "Take back", "Mistyped"
TYPED = [BACK, MISTYPED]
OVER = ["Roll again", "Verify"]
FIELD = "What you rolled, such as 6 4 1 vs 5 3"


async def types_dice(person: Person, shown: Shown, dice: str) -> Shown:
    """The next frame, with dice from somebody's table."""
    return await person.submits(await person.opens(shown, "Real dice"), {FIELD: dice})


def first_line(shown: Shown) -> str:
    """The words in bold in the first line of a frame."""
    return shown.content.splitlines()[0].split("**")[1]


def rows(shown: Shown) -> list[str]:
    """The rows of the table of a frame, with the names of the columns; none if it has no table."""
    block = shown.content.split("```\n")[1] if "```" in shown.content else ""
    return [" ".join(row.split()) for row in block.splitlines()]


def under(shown: Shown, what: str) -> str:
    """What stands in back-ticks under a frame: "commitment", "log" or "battle", under a check "seed"."""
    found = re.search(rf"{what} `([^`]+)`", shown.content)
    assert found, f"no {what} in {shown.content}"
    return found[1]


async def record_of(services: Services, shown: Shown) -> BattleRecord:
    """The stored record of the battle of a frame."""
    record = await services.store.battles.find(under(shown, "battle"))
    assert record
    return record


def log_of(shown: Shown) -> dict[str, Any]:
    """The log that came with an answer."""
    (file,) = (file for file in shown.files if file.name.endswith(".json"))
    log: dict[str, Any] = json.loads(file.data)
    return log


async def fought(person: Person, line: str = "6 4", **given: Any) -> Shown:
    """The last frame of a battle rolled to its end."""
    return await person.presses(await person.sends("roll", matchup=line, **given), "Roll to the end")


def listed(shown: Shown) -> list[str]:
    """The rows of a list of battles, each with the lines below it that begin with a space."""
    _heading, *battles = re.split(r"\n(?! )", shown.content.split("```")[1].strip("\n"))
    return [" ".join(row.split()) for row in battles]
