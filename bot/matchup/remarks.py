"""Remarks about words of a line: those that make no difference, and those that may have been meant otherwise."""

from collections.abc import Iterator, Sequence

from bot.languages import N_, _, _n
from bot.matchup.meant import Fields
from bot.matchup.writing import AnyBattle
from solver import Battle
from solver.axis import AxisBattle
from solver.paths import Path
from solver.ships import SHIPS
from solver.waves import Waves, waves_of

ALL_ELSEWHERE = 100
"""The number of rounds that means all of them in other calculators."""
_CRASHES = {
    "crash": N_("`crash`: the defender loses planes without room on a carrier at the end."),
    "acrash": N_("`acrash`: the attacker loses planes without room on a carrier at the end."),
}


def idle_remark(word: str, useful: int) -> str:
    """Say that a word counts no more than is useful."""
    return _("`{word}` counts as {useful}; more make no difference.", word=word, useful=useful)


def own_remarks(battle: AnyBattle) -> Iterator[str]:
    """What is to be said of a battle itself, however it was asked for: by a line, or by a button."""
    if isinstance(battle, Path):
        return
    if isinstance(battle, Battle):
        if 0 < battle.stop <= battle.reserve:
            plans = {"stop": f"stop:{battle.stop}", "reserve": f"reserve:{battle.reserve}"}
            yield _("With `{reserve}`, `{stop}` makes no difference.", **plans)
        limits = [battle.rounds]
    else:
        yield from _crash_remarks(battle)
        limits = [wave.round_limit for wave in waves_of(battle)]
    if ALL_ELSEWHERE in limits:
        yield _("`rounds:100` is a limit of 100 rounds; `rounds:all` means no limit.")


def _crash_remarks(battle: AxisBattle | Waves) -> Iterator[str]:
    """Say whose planes crash; of several waves, in which."""
    waves = waves_of(battle)
    for word, field in {"crash": "crash_stranded_fighters", "acrash": "crash_attacking_fighters"}.items():
        places = [str(place) for place, wave in enumerate(waves, start=1) if getattr(wave, field)]
        if places and waves[0].theatre == "land":
            yield _("`{word}` makes no difference on land.", word=word)
        elif places:
            yield _(_CRASHES[word]) if isinstance(battle, AxisBattle) else _crash_in_waves(word, places)


def _crash_in_waves(word: str, places: Sequence[str]) -> str:
    """The same of these waves, each of which has an attacker of its own."""
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


def battle_remarks(line: str, fields: Fields, battle: Battle) -> Iterator[str]:
    """Which ships and rerolls of the line are more than can be used."""
    for side, pool, ships in (
        ("attack", battle.attack, battle.attack_ships),
        ("defence", battle.defence, battle.defence_ships),
    ):
        for kind, useful in {**ships.to_dict(), "rerolls": pool.rerolls}.items():
            field = fields.get(f"{side}.{kind}")
            if field and field.value > useful:
                word = line[field.start : field.end]
                yield idle_remark(word, useful)


def path_remarks(line: str, legs: list[Fields]) -> Iterator[str]:
    """Ships whose owner may not be the one who was meant: behind a territory's number they are its defender's."""
    for fields in legs[1:]:
        for key, field in fields.items():
            word = line[field.start : field.end]
            ship = key.startswith("defence.") and key.removeprefix("defence.") in SHIPS
            if ship and not field.kept and not word.startswith("d"):
                yield _("There `{word}` is for the defender; use `a{word}` for the attacker.", word=word)
