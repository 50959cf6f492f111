"""Functions that are one for battles of one wave, another for several waves, and a third where losses are chosen."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bot.errors import UserError
from bot.languages import _
from solver.axis.battle import AxisBattle
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.waves import Waves, waves_of

Act = Callable[..., Any] | str
"""A function, or the sentence that refuses."""


def by_waves(one: Act, several: Act | None = None, chosen: Act | None = None) -> Callable[..., Any]:
    """Return the function that calls one of these by its first argument, a battle or a live battle.

    Where there is no `several` or `chosen`, it calls `one`.
    """
    return partial(_act, one, several or one, chosen or one)


def has_choices(battle: AxisBattle | Waves) -> bool:
    """Tell whether a side chooses its casualties in a wave of a battle."""
    return any(any(wave.chooses) for wave in waves_of(battle))


def is_plain(battle: AxisBattle | Waves) -> bool:
    """Tell whether a battle has one wave in which all losses follow the orders."""
    return not (isinstance(battle, Waves) or has_choices(battle))


def _act(one: Act, several: Act, chosen: Act, battle: Any, *others: Any) -> Any:
    chooses = isinstance(battle, AxisBattle) and any(battle.chooses)
    act = several if isinstance(battle, Waves | WavesFight) else chosen if chooses else one
    if isinstance(act, str):
        raise UserError(_(act))
    return act(battle, *others)
