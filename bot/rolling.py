"""Rolling a live battle on: its log is followed to where it stands, then come fair dice, or typed ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from bot.errors import UserError
from bot.fair import Dice, uncoded
from bot.replay import Rolled, fallen, replay
from solver import Faces
from solver.fights import DiceFight, Ending, Fight, PathFight, chances, next_dice

MOST_AT_ONCE = 2_000
"""The most rounds of one press."""

How = Literal["round", "end", "retreat"] | tuple[tuple[int, ...], tuple[int, ...]]
"""One round, all rounds, the attacker's retreat; or the faces of both sides as they lie on somebody's table."""
Entry = Mapping[str, Any]
"""An entry of the log of a battle, without its hash."""


class Press(NamedTuple):
    """What a press adds to the dice and to the log, see `bot.fair`; `user` is who pressed, `line` the battle's."""

    line: str
    seed: str
    battle: str
    message: str
    interaction: str
    user: str


class Step(NamedTuple):
    """A new entry, the chance to win after it where odds can be told, and how the battle ended with it, if it did."""

    entry: Entry
    chance: float | None
    ended: Ending | None

    @property
    def faces(self) -> list[tuple[int, int]]:
        """What fair dice fell: their sides and faces."""
        dice = [] if self.entry.get("real") else zip(self.entry["dice"], ("attack", "defence"), strict=True)
        return [pair for words, side in dice for pair in zip(uncoded(words), self.entry[side], strict=True)]


def advance(battle: Rolled, log: Sequence[Entry], how: How, press: Press, most: float) -> list[Step]:
    """The entries that a press adds to the log; UserError where typed dice are not those that are thrown next.

    `most` is how much work may go into the odds, in the unit of `DiceChain.work`.
    """
    here = replay(battle, log)[-1].fight
    if how == "end":
        thrown = list(_rounds(here, press, len(log), MOST_AT_ONCE))
    elif how == "round":
        thrown = list(_rounds(here, press, len(log), 1))
    elif how == "retreat":
        thrown = [({"attack": [], "defence": [], "dice": ["", ""], "retreat": True}, here.retreat())]
    else:
        thrown = [_typed(here, how)]
    stages = [after for _, after in thrown]
    asked = {"interaction": press.interaction, "user": press.user}
    entries = [{"n": n, **asked, **fell} for n, (fell, _) in enumerate(thrown, start=len(log) + 1)]
    if not log:
        # The commitment does not depend on these, but all hashes shall.
        entries[0] |= {"line": press.line, "message": press.message}
    known = chances(stages, most)
    return [Step(*step) for step in zip(entries, known, (stage.ended for stage in stages), strict=True)]


def faces_in(text: str, fight: Fight) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The faces of both sides in what somebody typed, "6 4 1 vs 5 3"; UserError where it cannot be read."""
    if (dice := _dice_of(fight)) and dice.battle.faces and re.search("[ad–-]", text.casefold().replace("against", "")):
        return _icons_in(text, dice.battle.faces)
    sides = re.split(r"vs?\.?|against|[/|:;-]", text.strip().casefold())
    numbers = [tuple(map(int, re.findall(r"\d+", side))) for side in sides]
    if len(numbers) > 2 or not any(numbers) or re.search(r"[^\d\s,.]", "".join(sides)):
        raise UserError(f"Dice are typed as they lie, the attacker's first: `6 4 1 vs 5 3`. {_thrown_next(fight)}")
    if len(numbers) == 1:
        wanted = [sum(some.number for some in side) for side in next_dice(fight)]
        if len(numbers[0]) != sum(wanted):
            raise UserError(_wrong_dice(fight, numbers))
        numbers = [numbers[0][: wanted[0]], numbers[0][wanted[0] :]]
    return numbers[0], numbers[1]


def _icons_in(text: str, faces: tuple[Faces, Faces]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the faces that somebody typed as letters, "AAD A - vs D D"; a blank one is a dash."""
    sides = re.split(r"vs?\.?|against|[/|:;]", text.strip().upper().replace("–", "-"), flags=re.IGNORECASE)
    if len(sides) != 2:
        raise UserError("Icon dice are typed as they lie, the attacker's first: `AAD A - vs D D`.")
    found: list[tuple[int, ...]] = []
    for side, die in zip(sides, faces, strict=True):
        words = [word or "-" for word in die.words]
        typed = side.replace(",", " ").split()
        if unknown := [word for word in typed if word not in words]:
            raise UserError(
                f"There is no face `{unknown[0][:20]}` on these dice, only {', '.join(dict.fromkeys(words))}."
            )
        found.append(tuple(words.index(word) + 1 for word in typed))
    return found[0], found[1]


def _rounds(here: Fight, press: Press, before: int, most: int) -> Iterator[tuple[Entry, Fight]]:
    """Up to so many rounds with fair dice, throw by throw."""
    number = before
    while here.ended is None and most:
        number += 1
        throw, here = here.throw(Dice(press.seed, press.battle, press.message, number, press.interaction))
        yield fallen(throw), here
        most -= here.resting


def _typed(here: Fight, faces: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[Entry, Fight]:
    """The next throw with dice from somebody's table."""
    lying = chain(*faces)

    def source(sides: int) -> int:
        face = next(lying, None)
        if face is None:
            raise UserError(_wrong_dice(here, faces))
        if not 1 <= face <= sides:
            raise UserError(f"There is no {face} on a die with {sides} sides.")
        return face

    throw, after = here.throw(source)
    entry = fallen(throw)
    if (tuple(entry["attack"]), tuple(entry["defence"])) != faces:
        raise UserError(_wrong_dice(here, faces))
    return {**entry, "real": True}, after


def _wrong_dice(here: Fight, faces: Sequence[tuple[int, ...]]) -> str:
    given = " and ".join(str(len(side)) for side in faces)
    hint, dice = "", _dice_of(here)
    if dice and any(pool.rerolls for pool in dice.battle.pools):
        hint = " A die that is rolled again is given right after the 1 it replaces."
    if dice and dice.battle.late:
        hint += " With `late` the defender rolls as many as are best against what the attacker shows."
    return f"{_thrown_next(here)} You gave {given}.{hint}"


def _dice_of(here: Fight) -> DiceFight | None:
    """The battle of dice that is under way, if it is one."""
    here = here.fight if isinstance(here, PathFight) else here
    return here if isinstance(here, DiceFight) else None


def _thrown_next(here: Fight) -> str:
    return f"Thrown next: {dice_words(here)}."


def dice_words(fight: Fight) -> str:
    """What dice are thrown next: "attacker 3; defender 2", "attacker 1 of 8 sides, 2; defender 2 at 2"."""
    told = []
    for name, side in zip(("attacker", "defender"), next_dice(fight), strict=True):
        some = [f"{n}{'' if sides == 6 else f' of {sides} sides'}{f' at {at}' if at else ''}" for n, sides, at in side]
        told.append(f"{name} {', '.join(some) or 'none'}")
    dice = _dice_of(fight)
    letters = ["faces as letters, - is blank"] if dice and dice.battle.faces else []
    return "; ".join([*told, *letters])
