"""Rolling a live battle on: its log is followed to where it stands, then come fair dice, or typed ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from bot.errors import UserError
from bot.fair import Dice, uncoded
from bot.languages import Said, _, _n, joined
from bot.matchup import RULES
from bot.replay import ReplayError, Rolled, damage, fallen, replay
from solver import Faces
from solver.fights import DiceFight, Ending, Fight, PathFight, chances, next_dice
from solver.icons import BLANKS

MOST_AT_ONCE = 2_000
"""The most rounds of one press."""
LONGEST_FACE = 20
"""As many letters or digits of a typed face are told back to who typed it."""
TOO_LONG = 10**LONGEST_FACE

How = Literal["round", "end", "retreat"] | tuple[tuple[int, ...], tuple[int, ...]]
"""One round, all rounds, the attacker's retreat; or the faces of both sides as they lie on somebody's table."""
Entry = Mapping[str, Any]
"""An entry of the log of a battle, without its hash."""


class Press(NamedTuple):
    """What a press adds to the dice and to the log, see `bot.fair`.

    `line` and `rules` are those of the battle, `user` is the person.
    """

    line: str
    seed: str
    battle: str
    message: str
    interaction: str
    user: str
    rules: int = RULES


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
    try:
        here = replay(battle, log)[-1].fight
    except ReplayError as error:
        raise damage(error) from None
    if how == "end":
        thrown = list(_rounds(here, press, len(log), MOST_AT_ONCE))
    elif how == "round":
        thrown = list(_rounds(here, press, len(log), 1))
    elif how == "retreat":
        thrown = [({"attack": [], "defence": [], "dice": ["", ""], "retreat": True}, here.retreat())]
    else:
        thrown = [_typed(here, how)]
    stages = [after for _entry, after in thrown]
    asked = {"interaction": press.interaction, "user": press.user}
    entries = [{"n": n, **asked, **fell} for n, (fell, _) in enumerate(thrown, start=len(log) + 1)]
    if not log:
        # The commitment does not depend on these, but all hashes shall.
        entries[0] |= {"line": press.line, "message": press.message}
        entries[0] |= {"rules": press.rules} if press.rules > 1 else {}
    known = chances(stages, most)
    return [Step(*step) for step in zip(entries, known, (stage.ended for stage in stages), strict=True)]


def faces_in(text: str, fight: Fight) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The faces of both sides in what somebody typed, "6 4 1 vs 5 3"; UserError where it cannot be read."""
    letters = re.search("[ad–-]|empty", text.casefold().replace("against", ""))
    if letters and (dice := _dice_of(fight)) and dice.battle.faces:
        return _icons_in(text, dice.battle.faces)
    sides = re.split(r"vs?\.?|against|[/|:;-]", text.strip().casefold())
    numbers = [tuple(map(int, re.findall(r"\d+", side))) for side in sides]
    if len(numbers) > 2 or not any(numbers) or re.search(r"[^\d\s,.]", "".join(sides)):
        told = _("Type what you rolled, the attacker's dice first: `6 4 1 vs 5 3`.")
        raise UserError(joined("{told} {next}", told=told, next=_thrown_next(fight)))
    if len(numbers) == 1:
        wanted = [sum(some.number for some in side) for side in next_dice(fight)]
        if len(numbers[0]) != sum(wanted):
            raise UserError(_wrong_dice(fight, numbers))
        numbers = [numbers[0][: wanted[0]], numbers[0][wanted[0] :]]
    return numbers[0], numbers[1]


def _icons_in(text: str, faces: tuple[Faces, Faces]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the faces that somebody typed as letters, "AAD A - vs D D"; one of BLANKS is blank."""
    sides = re.split(r"vs?\.?|against|[/|:;]", text.strip().upper().replace("–", "-"), flags=re.IGNORECASE)
    if len(sides) != 2:
        raise UserError(_("Type what you rolled, the attacker's dice first: `AAD A - vs D D`."))
    found: list[tuple[int, ...]] = []
    for side, die in zip(sides, faces, strict=True):
        words = [word or "-" for word in die.words]
        typed = ["-" if word.lower() in BLANKS else word for word in side.replace(",", " ").split()]
        if unknown := [word for word in typed if word not in words]:
            known = ", ".join(dict.fromkeys(words))
            raise UserError(
                _("These dice have no face `{face}`, only {faces}.", face=unknown[0][:LONGEST_FACE], faces=known)
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
            seen = str(face) if face < TOO_LONG else f"{str(face)[:LONGEST_FACE]}…"
            raise UserError(_("A die with {sides} sides has no {face}.", face=seen, sides=sides))
        return face

    throw, after = here.throw(source)
    entry = fallen(throw)
    if (tuple(entry["attack"]), tuple(entry["defence"])) != faces:
        raise UserError(_wrong_dice(here, faces))
    return {**entry, "real": True}, after


def _wrong_dice(here: Fight, faces: Sequence[tuple[int, ...]]) -> Said:
    counts, dice = [len(side) for side in faces], _dice_of(here)
    if len(counts) == 1:
        told = [_thrown_next(here), _n("You typed {n} die.", "You typed {n} dice.", counts[0])]
    else:
        told = [_thrown_next(here), _("You typed {attack} and {defence} dice.", attack=counts[0], defence=counts[1])]
    if dice and any(pool.rerolls for pool in dice.battle.pools):
        told.append(_("Type a reroll right after the 1 it replaces."))
    if dice and dice.battle.late:
        told.append(_("With `late` the defender sees the attacker's dice first and rolls the best number of dice."))
    return _strung(" ", told)


def _dice_of(here: Fight) -> DiceFight | None:
    """The battle of dice that is under way, if it is one."""
    here = here.fight if isinstance(here, PathFight) else here
    return here if isinstance(here, DiceFight) else None


def _thrown_next(here: Fight) -> Said:
    return _("Next roll: {dice}.", dice=dice_words(here))


def dice_words(fight: Fight) -> Said:
    """What dice are thrown next: "attacker 3; defender 2", "attacker 1 of 8 sides, 2; defender 2 at 2"."""
    attack, defence = (_strung(", ", [_some(*some) for some in side] or [_("none")]) for side in next_dice(fight))
    told, dice = [_("attacker {dice}", dice=attack), _("defender {dice}", dice=defence)], _dice_of(fight)
    if dice and dice.battle.faces:
        told.append(_("faces as letters, - is blank"))
    return _strung("; ", told)


def _some(number: int, sides: int, at: int | None) -> Said:
    """Some dice that are alike: "3", "2 of 8 sides at 3" hit at 3 and below."""
    if sides == 6:
        return _("{number} at {need}", number=number, need=at) if at else joined("{number}", number=number)
    if at:
        return _("{number} of {sides} sides at {need}", number=number, sides=sides, need=at)
    return _("{number} of {sides} sides", number=number, sides=sides)


def _strung(between: str, parts: Sequence[str]) -> Said:
    """Parts one after the other, each of which can be said again."""
    named = {f"part{place}": part for place, part in enumerate(parts)}
    return joined(between.join(f"{{{name}}}" for name in named), **named)
