"""The throws that the attacker of a live turn on a map can choose, in words: the next one, and the others' chances."""

import re
from collections.abc import Sequence

from bot.errors import UserError
from bot.games.conquest.notation.writing import map_of
from bot.games.live import LATE, Advice
from bot.languages import _, _p
from bot.words.luck import points
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent
from bot.work.engine import Engine
from solver.conquest.game import AnyFight
from solver.conquest.live_turn import LiveTurn
from solver.conquest.phase import MapThrow
from solver.conquest.play import ThrowChance, throw_chances
from solver.game import SideName

MOST_ROWS = 15
"""The most throws that are listed, each with a button."""


def name_of_place(fight: AnyFight, place: int, short: bool = False) -> str:
    """Return the name of a place in the reader's language."""
    territory = map_of(fight.conquest).territories[fight.board.names[place]]
    return territory.short if short else territory.name


def throw_text(fight: LiveTurn, throw: MapThrow, short: bool = False) -> str:
    """Name a throw: "China → India"."""
    return " → ".join(name_of_place(fight, place, short) for place in throw)


def read_throw(fight: LiveTurn, text: str) -> MapThrow:
    """Return the throw of a button; UserError if it is not possible any more."""
    match = re.fullmatch(r"(\d{1,3})>(\d{1,3})", text, re.ASCII)
    throw = MapThrow(int(match[1]), int(match[2])) if match else None
    if throw is None or throw not in fight.throws:
        raise UserError(_(LATE))
    return throw


async def advise(engine: Engine, fight: AnyFight, _sides: Sequence[SideName]) -> Advice:
    """Return the throws that are possible, each with its chance and a button."""
    if not isinstance(fight, LiveTurn) or not fight.throws:
        raise UserError(_(LATE))
    question, next_one = f"**{_('Which attack is next?')}**", fight.attack if fight.decision is None else None
    try:
        throws: list[ThrowChance] = await engine.compute_within(throw_chances, fight)
    except UserError:
        text = f"{question} {_('The turn is too large to know the chances yet.')}"
        return Advice(text, (), tuple(throw_options(fight, fight.throws[:MOST_ROWS], next_one)), ())
    next_one = next_one or throws[0].throw
    text = f"{question} {_('Your choice counts for one roll; these chances assume best play after it.')}"
    remarks = (_("Only the best {n} are shown", n=MOST_ROWS),) if len(throws) > MOST_ROWS else ()
    options = throw_options(fight, [each.throw for each in throws[:MOST_ROWS]], next_one)
    return Advice(text, _table(fight, throws, next_one), tuple(options), (), remarks)


def throw_options(fight: LiveTurn, throws: Sequence[MapThrow], next_one: MapThrow | None) -> list[tuple[str, str]]:
    """Return the labels and texts of the buttons for all throws but the next one."""
    others = (throw for throw in throws if throw != next_one)
    return [(throw_text(fight, throw), f"{throw.place}>{throw.target}") for throw in others]


def _table(fight: LiveTurn, throws: Sequence[ThrowChance], next_one: MapThrow) -> tuple[str, ...]:
    """Return the table of the best throws, with what each changes."""
    reached = next(each.chance for each in throws if each.throw == next_one)
    heading = _p("short", "takes all") if len(fight.conquest.targets) > 1 else _p("short", "attacker takes it")
    if fight.conquest.aim != "all":
        heading = _p("short", "taken on average")
    cells: list[list[str]] = [[_("attack"), heading, _p("difference", "change")]]
    for throw, chance in throws[:MOST_ROWS]:
        change = _p("attack", "next") if throw == next_one else points(chance - reached)
        cells.append([throw_text(fight, throw, short=True), exact_percent(chance), change])
    return narrow(cells, "<>>")
