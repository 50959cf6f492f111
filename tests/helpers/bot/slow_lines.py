"""Lines that would keep a careless reader of the notation busy for very long."""

from contextlib import suppress

from bot.notation.mistakes import MatchupError
from tests.helpers.bot.lines import parse

WORDS = ("", "reshape", "leave", "icons", "adice", "abonus", "clamp", "variant", "dice", "late")
REPEATED = (
    *("1" * 70 + ",", "1,", "1 , ", "a,", "a-", "-,", "d1,", ">", "> ", "1", "a", "-", ".1,", "1.", "1%", "9" * 9),
    *("a,,", ",", "/", "a, ,/", "0,", '["a",'),
)
LISTS = [",".join(["1" * (270 // parts)] * parts) for parts in (1, 2, 3, 4, 6)]


def read_slow_lines(word: str) -> None:
    """Read all lines that such things make behind an option; without one, where that is ""."""
    for body in (*REPEATED, *LISTS):
        for end in ("", "x", "!"):
            line = f"1 1 {word}:{body * (1 if body in LISTS else 300)}" if word else body * 300
            with suppress(MatchupError):
                parse(line[:299] + end, {"march": "20 > 5"}, takes=("exact", "chance"), lone="defenders")
