"""The frozen logs of live battles, and changes to them; `fair_twin.py` made them."""

import copy
import json

from tests.helpers.bot import fair_twin as twin
from tests.helpers.bot.fair_twin import Log
from tests.helpers.documents import ROOT

LOGS: dict[str, Log] = json.loads((ROOT / "tests" / "data" / "fair.json").read_text())
UNSAID = "rolls of Star Wars that do not say their dice"


def a_log(name: str = "classic Risk") -> Log:
    """A frozen log that a test may change."""
    return copy.deepcopy(LOGS[name])


def reroll(log: Log, number: int, attack: list[int], defence: list[int]) -> None:
    """Roll again in the log with other dice."""
    entry = log["rolls"][number - 1]
    dice = twin.dice(log["seed"], log["battle"], log["message"], number, entry["interaction"])
    entry |= {"attack": [dice(sides) for sides in attack], "defence": [dice(sides) for sides in defence]}
    entry["dice"] = [twin.in_words(attack), twin.in_words(defence)]
