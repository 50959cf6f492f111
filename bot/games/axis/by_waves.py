"""Functions that are one for battles of one wave, another for several waves, and a third where losses are chosen."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bot.errors import UserError
from bot.languages import _
from solver.axis.casualties.battle import ChosenBattle
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.waves import Waves

Act = Callable[..., Any] | str
"""A function, or the sentence that refuses."""


def by_waves(one: Act, several: Act | None = None, chosen: Act | None = None, place: int = 0) -> Callable[..., Any]:
    """Return the function that calls one of these by the battle, or the live battle, among its arguments.

    Where there is no `several` or `chosen`, it calls `one`. `place` is the position of the battle among the arguments.
    """
    return partial(_act, one, several or one, chosen or one, place)


def is_plain(battle: Any) -> bool:
    """Tell whether a battle has one wave in which all losses follow the orders."""
    return not isinstance(battle, Waves | ChosenBattle)


def _act(one: Act, several: Act, chosen: Act, place: int, *arguments: Any) -> Any:
    battle = arguments[place]
    act = several if isinstance(battle, Waves | WavesFight) else chosen if isinstance(battle, ChosenBattle) else one
    if isinstance(act, str):
        raise UserError(_(act))
    return act(*arguments)
