"""Roll a live battle on from where its log ends, with fair dice or with dice that people typed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from bot.errors import UserError
from bot.games.base import Live, TypedDice
from bot.languages import Translation, _, _n, compose, join_texts
from bot.live.fair import Dice, dice_sides
from bot.live.replay import ReplayError, damaged_log_error, replay, throw_entry
from bot.notation.defaults import RULES
from solver.game import Ending, Fight, Game

MOST_AT_ONCE = 2_000
"""The most rounds of one press."""
LONGEST_FACE = 20
"""The most letters or digits of a typed face that an answer quotes."""
TOO_LONG = 10**LONGEST_FACE

Move = Literal["round", "end", "retreat"] | TypedDice
"""One round, all rounds, the attacker's retreat; or dice that people rolled on their table."""
Entry = Mapping[str, Any]
"""An entry of the log of a battle, without its hash."""


class Press(NamedTuple):
    """The parts of a press of a button that the dice and the log need: see `bot.live.fair`.

    `line` and `rules` are those of the battle, `user` is the tag of the person.
    """

    line: str
    seed: str
    battle: str
    message: str
    interaction: str
    user: str
    rules: int = RULES


class NewEntry(NamedTuple):
    """A new entry of the log, the attacker's chance after it if it is known, and how the battle ended if it did."""

    entry: Entry
    chance: float | None
    ended: Ending | None

    @property
    def faces(self) -> list[tuple[int, int]]:
        """The sides and the face of each fair die."""
        dice = [] if self.entry.get("real") else zip(self.entry["dice"], ("attack", "defence"), strict=True)
        return [pair for words, side in dice for pair in zip(dice_sides(words), self.entry[side], strict=True)]


def advance(
    battle: Any, game: Game, live: Live, log: Sequence[Entry], move: Move, press: Press, most: float
) -> list[NewEntry]:
    """Return the entries that a press adds to the log; UserError if typed dice are not those of the next throw.

    `most` is how much work may go into the chances, in the unit of `DiceChain.work`.
    """
    try:
        here = replay(game, battle, log)[-1].fight
    except ReplayError as error:
        raise damaged_log_error(error) from None
    if move == "end":
        thrown = list(_rounds(here, press, len(log), MOST_AT_ONCE))
    elif move == "round":
        thrown = list(_rounds(here, press, len(log), 1))
    elif move == "retreat":
        thrown = [({"attack": [], "defence": [], "dice": ["", ""], "retreat": True}, here.retreat())]
    else:
        thrown = [_typed_throw(live, here, move)]
    stages = [after for _entry, after in thrown]
    asked = {"interaction": press.interaction, "user": press.user}
    entries = [{"n": n, **asked, **fell} for n, (fell, _after) in enumerate(thrown, start=len(log) + 1)]
    if not log:
        # The commitment does not depend on these, but all hashes shall.
        entries[0] |= {"line": press.line, "message": press.message}
        entries[0] |= {"rules": press.rules} if press.rules > 1 else {}
    known = game.chances(stages, most) if game.chances else [None] * len(stages)
    return [NewEntry(*parts) for parts in zip(entries, known, (stage.ended for stage in stages), strict=True)]


def read_faces(live: Live, text: str, fight: Fight) -> TypedDice:
    """Return the faces of both sides that somebody typed, "6 4 1 vs 5 3"; UserError if they cannot be read."""
    words = live.read_faces(text, fight) if live.read_faces else None
    return _read_numbers(live, text, fight) if words is None else words


def _read_numbers(live: Live, text: str, fight: Fight) -> TypedDice:
    sides = re.split(r"vs?\.?|against|[/|:;-]", text.strip().casefold())
    numbers = [tuple(map(int, re.findall(r"\d+", side))) for side in sides]
    if len(numbers) > 2 or not any(numbers) or re.search(r"[^\d\s,.]", "".join(sides)):
        how = _("Type what you rolled, the attacker's dice first: `6 4 1 vs 5 3`.")
        raise UserError(compose("{how} {next}", how=how, next=_next_roll(live, fight)))
    if len(numbers) == 1:
        wanted = [sum(some.number for some in side) for side in fight.next_dice()]
        if len(numbers[0]) != sum(wanted):
            raise UserError(_wrong_dice(live, fight, numbers))
        numbers = [numbers[0][: wanted[0]], numbers[0][wanted[0] :]]
    return numbers[0], numbers[1]


def _rounds(here: Fight, press: Press, before: int, most: int) -> Iterator[tuple[Entry, Fight]]:
    """Yield up to so many rounds with fair dice, throw by throw."""
    number = before
    while here.ended is None and most:
        number += 1
        throw, here = here.throw(Dice(press.seed, press.battle, press.message, number, press.interaction))
        yield throw_entry(throw), here
        most -= here.resting


def _typed_throw(live: Live, here: Fight, faces: TypedDice) -> tuple[Entry, Fight]:
    """Return the next throw with dice from somebody's table, and the battle after it."""
    remaining = chain(*faces)

    def source(sides: int) -> int:
        face = next(remaining, None)
        if face is None:
            raise UserError(_wrong_dice(live, here, faces))
        if not 1 <= face <= sides:
            seen = str(face) if face < TOO_LONG else f"{str(face)[:LONGEST_FACE]}…"
            raise UserError(_("A die with {sides} sides has no {face}.", face=seen, sides=sides))
        return face

    throw, after = here.throw(source)
    entry = throw_entry(throw)
    if (tuple(entry["attack"]), tuple(entry["defence"])) != faces:
        raise UserError(_wrong_dice(live, here, faces))
    return {**entry, "real": True}, after


def _wrong_dice(live: Live, here: Fight, faces: Sequence[tuple[int, ...]]) -> Translation:
    """Say how many dice are next and how many somebody typed."""
    counts = [len(side) for side in faces]
    if len(counts) == 1:
        typed = _n("You typed {n} die.", "You typed {n} dice.", counts[0])
    else:
        typed = _("You typed {attack} and {defence} dice.", attack=counts[0], defence=counts[1])
    hints = live.dice_hints(here) if live.dice_hints else []
    return join_texts(" ", [_next_roll(live, here), typed, *hints])


def _next_roll(live: Live, here: Fight) -> Translation:
    return _("Next roll: {dice}.", dice=next_dice_text(live, here))


def next_dice_text(live: Live, fight: Fight) -> Translation:
    """Name the dice of the next throw: "attacker 3; defender 2", "attacker 1 of 8 sides, 2; defender 2 at 2"."""
    attack, defence = (
        join_texts(", ", [_alike_dice(*dice) for dice in side] or [_("none")]) for side in fight.next_dice()
    )
    parts = [_("attacker {dice}", dice=attack), _("defender {dice}", dice=defence)]
    hint = live.faces_hint(fight) if live.faces_hint else ""
    return join_texts("; ", [*parts, hint] if hint else parts)


def _alike_dice(number: int, sides: int, at: int | None) -> Translation:
    """Name dice that are alike: "3", "2 of 8 sides at 3" hit at 3 and below."""
    if sides == 6:
        return _("{number} at {need}", number=number, need=at) if at else compose("{number}", number=number)
    if at:
        return _("{number} of {sides} sides at {need}", number=number, sides=sides, need=at)
    return _("{number} of {sides} sides", number=number, sides=sides)
