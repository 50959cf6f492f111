"""What stories about live battles share: dice typed in the form, and what stands under a frame."""

import json
import re
from typing import Any

from tests.fake_discord import Person, Shown

FIELD = "As they lie, such as 6 4 1 vs 5 3"


async def types_dice(person: Person, shown: Shown, dice: str) -> Shown:
    """The next frame, with dice from somebody's table."""
    return await person.submits(await person.opens(shown, "Real dice"), {FIELD: dice})


def under(shown: Shown, what: str) -> str:
    """What stands in back-ticks under a frame: "commitment", "seed", "battle" or "log"."""
    found = re.search(rf"{what} `([^`]+)`", shown.content)
    assert found, f"no {what} in {shown.content}"
    return found[1]


def log_of(shown: Shown) -> dict[str, Any]:
    """The log that came with an answer."""
    (file,) = (file for file in shown.files if file.name.endswith(".json"))
    log: dict[str, Any] = json.loads(file.data)
    return log
