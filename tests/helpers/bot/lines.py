"""The functions that read and write lines, for the games of the product."""

from collections.abc import Collection
from functools import partial

from bot.games.raid.notation import read_corrected
from bot.live import replay
from bot.notation import old_lines, plans, reading
from bot.rooms import ROOMS
from solver import Battle
from solver.raid.raid import Raid

parse = partial(reading.parse, ROOMS)
write = ROOMS.write
parse_plans = partial(plans.parse_plans, ROOMS)
write_plans = partial(plans.write_plans, ROOMS)
explicit = partial(old_lines.explicit, ROOMS)
spelled_out = partial(old_lines.in_todays_notation, ROOMS)
battle_of = partial(replay.battle_of, ROOMS)
check = partial(replay.check, ROOMS)


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
