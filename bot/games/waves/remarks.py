"""Remarks about a battle in several waves."""

from collections.abc import Iterator, Sequence

from bot.games.axis.remarks import OF_SEA, idle_on_land
from bot.languages import _, _n
from bot.notation.remarks import round_remarks
from solver.waves.waves import Waves


def battle_remarks(waves: Waves) -> Iterator[str]:
    """Say in which waves whose planes crash, and explain a limit of rounds that may be meant otherwise."""
    for option in OF_SEA:
        places = [str(place) for place, wave in enumerate(waves.battles, start=1) if option.write([wave])]
        if places:
            on_land = waves.battles[0].theatre == "land"
            yield idle_on_land(option.word) if on_land else _crash_in_waves(option.word, places)
            if option.word == "acrash" and not on_land and places != ["1"]:
                yield _(
                    "`acrash`: only carriers of the same wave count, and a wave that finds no enemy loses no plane."
                )
    yield from round_remarks([wave.round_limit for wave in waves.battles])


def _crash_in_waves(word: str, places: Sequence[str]) -> str:
    """Say whose planes crash in these waves, each of which has an attacker of its own."""
    numbers = ", ".join(places)
    if word == "acrash":
        return _n(
            "Wave {waves}, `acrash`: its attackers lose planes without room on a carrier at its end.",
            "Waves {waves}, `acrash`: their attackers lose planes without room on a carrier at their end.",
            len(places),
            waves=numbers,
        )
    return _n(
        "Wave {waves}, `crash`: its defenders lose planes without room on a carrier at its end.",
        "Waves {waves}, `crash`: their defenders lose planes without room on a carrier at their end.",
        len(places),
        waves=numbers,
    )
