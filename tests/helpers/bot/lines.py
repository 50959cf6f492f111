"""The functions that read and write lines, for the games of the product."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import Any

from bot.games.raid.notation import read_corrected
from bot.live import replay
from bot.notation import old_lines, plans, reading
from bot.notation.mistakes import MatchupError
from bot.rooms import ROOMS
from solver import AxisBattle, Battle, Waves
from solver.raid.raid import Raid

parse = partial(reading.parse, ROOMS)
parse_plans = partial(plans.parse_plans, ROOMS)
write_plans = partial(plans.write_plans, ROOMS)
explicit = partial(old_lines.explicit, ROOMS)
spelled_out = partial(old_lines.in_todays_notation, ROOMS)
battle_of = partial(replay.battle_of, ROOMS)
check = partial(replay.check, ROOMS, most_work=100_000_000)


def write(battle: Any) -> str:
    """Return the canonical line of a battle; one of Axis & Allies may be that of an only wave."""
    return ROOMS.write(Waves.one(battle) if isinstance(battle, AxisBattle) else battle)


def waves_of(line: str) -> Waves:
    """Return the waves of a line."""
    waves = parse(line).battle
    assert isinstance(waves, Waves), f"{line} is no battle of Axis & Allies"
    return waves


def wave_of(line: str) -> AxisBattle:
    """Return the battle of the only wave of a line."""
    battle = waves_of(line).only
    assert isinstance(battle, AxisBattle), f"{line} has one wave"
    return battle


def read_battle(line: str) -> Battle:
    """Return the battle with dice that a line means."""
    battle = parse(line).battle
    assert isinstance(battle, Battle), f"{line} is no battle with dice"
    return battle


is_name = partial(reading.is_name, ROOMS)


def read_raid(text: str, takes: Collection[str] = ()) -> Raid:
    """Read the raid of a line."""
    raid = read_corrected(text, takes).battle
    assert isinstance(raid, Raid), "a line of the game was read"
    return raid


def pasted_raid(text: str) -> bool:
    """Tell whether a line that is no battle can only be meant as a raid."""
    room = reading.own_room(ROOMS, text)
    return room is not None and room.game.battle_type is Raid


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
