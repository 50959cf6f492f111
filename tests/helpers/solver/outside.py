"""Right answers from outside."""

import json
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
CASES = json.loads((DATA / "dice_battles.json").read_text())
