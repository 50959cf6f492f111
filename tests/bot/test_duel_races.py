"""Two presses of a duel at once, in two processes: one roll, one choice, nothing is lost, and the log verifies."""

from typing import Any

import pytest

from bot.commands.presses import CHANGED, TAKEN_BACK
from bot.games.live import LATE
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.battles import Battles
from bot.store.database import open_store
from bot.work.engine import Engine
from tests.helpers.bot.duels import DICE, Table

Press = tuple[str, ...]
"""Who presses, which button, and the text of a choice."""
KEEP, ALWAYS, LOSE = ("2", "keep"), ("2", "keep always"), ("2", "choose", "defender 1 inf")
ROLL, END, LEAVE, BACK = ("1", "roll on"), ("1", "roll out"), ("1", "retreat"), ("1", "take back")
IN_PLACE, OTHERS_ROLL = ("1", "keep"), ("2", "roll on")
WAITING, KEPT, WAITED = "the defender chooses", "the losses are kept", "the defender has not chosen for a day"
ALONE, WAVE = "the attacker has not come for a day", "the defender attacks next"
GONE_ON = "The battle has gone on: these losses can't be chosen any more."
RACES = [
    (WAITING, KEEP, LOSE, "keep choice", ""),
    (WAITING, LOSE, KEEP, "choice", ""),
    (WAITING, ALWAYS, LOSE, "always choice", ""),
    (WAITING, KEEP, BACK, "keep", CHANGED),
    (WAITING, BACK, KEEP, "undo", TAKEN_BACK),
    (WAITING, LOSE, BACK, "choice", CHANGED),
    (WAITING, BACK, LOSE, "undo", GONE_ON),
    (WAITING, KEEP, ROLL, "keep", "The next roll waits until Bob has chosen."),
    (KEPT, LOSE, ROLL, "choice", CHANGED),
    (KEPT, ROLL, LOSE, "roll", GONE_ON),
    (KEPT, LOSE, LEAVE, "choice", CHANGED),
    (KEPT, LEAVE, LOSE, "retreat", GONE_ON),
    (KEPT, ROLL, END, "roll", LATE),
    (WAITED, IN_PLACE, KEEP, "keep", ""),
    (WAITED, IN_PLACE, LOSE, "keep choice", ""),
    (WAITED, LOSE, IN_PLACE, "choice", ""),
    (ALONE, ROLL, OTHERS_ROLL, "roll", LATE),
    (ALONE, OTHERS_ROLL, ROLL, "roll", LATE),
    (WAVE, OTHERS_ROLL, ROLL, "roll", "Only the attacker rolls, retreats and types dice: Bob."),
    (WAVE, OTHERS_ROLL, OTHERS_ROLL, "roll", LATE),
]
"""How the battle stands, two presses at once, what they add to the log, and what the second person is told.

The second press is handled up to what it writes; the first one is handled whole before that.
"""


async def begin(services: Services, state: str) -> Table:
    """Return a battle as it stands when two people press."""
    table = Table(services)
    await table.begin(*(["3 inf 1 arm vs 1 inf then hold 3 inf loss:arm,inf"] if state == WAVE else []))
    if state == WAVE:
        await table.presses("1", "real dice", dice="1 6 6 6 vs 6")
    elif state != ALONE:
        await table.presses("1", "real dice", dice=DICE)
    if state == KEPT:
        await table.presses(*KEEP)
    table.after(24 if state in (WAITED, ALONE) else 0)
    return table


def kind_of(entry: dict[str, Any]) -> str:
    return next((kind for kind in ("always", "keep", "choice", "undo", "retreat") if kind in entry), "roll")


async def at_once(table: Table, first: Press, second: Press, others: Services) -> str:
    """What the second of two people is told, in a process of others; the first press comes before that one writes."""
    asked, late, append = await table.press(*first), await table.press(*second), Battles.append
    handled: list[str] = []

    async def write(battles: Battles, *given: Any, **named: Any) -> Any:
        if battles is others.store.battles and not handled:
            handled.append(await table.answer(asked, table.services))
        return await append(battles, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Battles, "append", write)
        told = await table.answer(late, others)
    first_told = handled[0] if handled else await table.answer(asked, table.services)
    assert first_told.startswith("🎲"), first_told
    return told


@pytest.mark.usefixtures("unpainted", "solved_once")
async def test_two_presses_at_once_in_two_processes_count_once(shared: str, settings: Settings) -> None:
    async with open_store(shared) as one, open_store(shared) as two, Engine(settings, ROOMS, processes=False) as engine:
        services, others = (
            Services(settings, engine, lambda: one, ROOMS),
            Services(settings, engine, lambda: two, ROOMS),
        )
        for state, first, second, added, expected in RACES:
            table = await begin(services, state)
            before = len(await table.entries())
            told = await at_once(table, first, second, others)
            kinds = " ".join(map(kind_of, (await table.entries())[before:]))
            assert (kinds, expected in told) == (added, True), (state, first, second, told)
            assert expected or not any(why in told for why in (CHANGED, TAKEN_BACK, LATE, GONE_ON)), (
                state,
                first,
                second,
                told,
            )
            assert "no problems found" in await table.verify()
