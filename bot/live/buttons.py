"""The buttons that go on from where a live battle is: dice, a choice, what is best, advice and the retreat."""

import asyncio
from collections.abc import Sequence

from bot.games.base import GameRoom, require
from bot.games.live import Choosing
from bot.languages import _
from bot.live.work import best_choice
from bot.replies import Button
from bot.work.engine import Engine
from solver.game import Fight, SideName


def first_choices(now: str, room: GameRoom, ready: Fight) -> tuple[Button, ...]:
    """Return the buttons that choose something else than the first dice of a battle find.

    They are on its own message, which becomes a part of the dice.
    """
    choosing = require(room.live).choosing
    return _option_buttons(now, choosing.options(ready, None) if choosing and choosing.options else ())


def _option_buttons(now: str, options: Sequence[tuple[str, str]]) -> tuple[Button, ...]:
    """Return the buttons of a choice: each has a label and a text."""
    return tuple(Button(label, "choose", argument=f"{now}:{text}") for label, text in options)


async def move_buttons(
    now: str, room: GameRoom, here: Fight, waits_for: SideName | None, engine: Engine, advises: bool
) -> tuple[Button, ...]:
    """Return the buttons that go on from where a battle is `now`: its id and its turn.

    `advises` is whether one of them may ask for the odds of choices.
    """
    choices, choosing = room.game.choices, require(room.live).choosing
    out = Button(_("Roll to the end"), "roll out", argument=now)
    leave = Button(_("Retreat"), "retreat", enabled=here.resting and here.retreat() != here, argument=now)
    usual = Button(_("Roll"), "roll on", argument=now), out, leave, Button(_("Real dice"), "ask dice", argument=now)
    if choosing is None or choices is None:
        return usual
    asked = choices.chooser(here) is not None
    if choosing.options and asked:
        options = choosing.options(here, await best_choice(engine, room, here))
        more = choosing.has_others and choosing.has_others(here, len(options))
        others = [Button(_(choosing.title), "ask choice", argument=now)] if more else []
        return *_option_buttons(now, options), *others, out, leave
    if choosing.advice is None or not advises:
        return usual
    keep = _keep_buttons(now, choosing, asked, waits_for) or usual
    possible = await asyncio.to_thread(choices.choosers, here)
    if not possible or (choosing.has_others and not choosing.has_others(here, 1)):
        return keep
    return *keep, Button(_(choosing.advice[0]), "advise", argument=now)


def _keep_buttons(now: str, choosing: Choosing, asked: bool, waits_for: SideName | None) -> tuple[Button, ...]:
    """Return the buttons that make the best choice; none if nobody is asked and no roll waits for a choice."""
    labels = {}
    if asked:
        labels = {"roll on": choosing.keep}
    elif waits_for:
        labels = {"keep": choosing.keep, "keep always": choosing.keep_always}
    return tuple(Button(_(label), command, argument=now) for command, label in labels.items())
