"""Roll a live battle on from where its log ends, with fair dice or with dice that people typed."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Literal, NamedTuple

from bot.errors import UserError, sentence_of
from bot.games.live import Live, TypedDice
from bot.languages import Translation, _, _n, compose, join_texts
from bot.live.fair import Dice, dice_sides, last_typed
from bot.live.replay import ReplayError, damaged_log_error, replay, replay_turns, throw_entry
from bot.live.turns import Turns
from bot.notation.defaults import RULES
from solver.errors import BattleError
from solver.game import Choices, Ending, Fight, Game, SideName

MOST_AT_ONCE = 2_000
"""The most rounds of one press."""
LONGEST_FACE = 20
"""The most letters or digits of a typed face that an answer quotes."""
TOO_LONG = 10**LONGEST_FACE


@dataclass(frozen=True, slots=True)
class Wish:
    """The choice of a player, as `Choices.best` takes it."""

    value: Any


Move = Literal["round", "end", "retreat", "keep", "keep always", "undo"] | Wish | TypedDice
"""One round, all rounds, the attacker's retreat; the losses are kept, or the order of loss to the end; the last
roll, of real dice, is taken back; what was chosen; dice that people rolled on their table."""
Entry = Mapping[str, Any]
"""An entry of the log of a battle, without its hash."""
NO_DICE: Entry = {"attack": [], "defence": [], "dice": ["", ""]}


class Press(NamedTuple):
    """The parts of a press of a button that the dice and the log need: see `bot.live.fair`.

    `line`, `rules` and `rights` are those of the battle, `user` is the tag of the person. `sides` are those for which
    this person may press; where the player of the other one is asked, all rounds end. `forgotten` says whether the
    person goes on for a player whose name was removed.
    """

    line: str
    seed: str
    battle: str
    message: str
    interaction: str
    user: str
    rules: int = RULES
    sides: Collection[SideName] = ("attacker", "defender")
    rights: Any = None
    forgotten: bool = False

    @property
    def signature(self) -> dict[str, Any]:
        """The person who pressed, and when, as an entry says it."""
        return {"interaction": self.interaction, "user": self.user, **({"forgotten": True} if self.forgotten else {})}


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
    battle: Any, game: Game, live: Live, log: Sequence[Entry], move: Move, press: Press, limit: float
) -> list[NewEntry]:
    """Return the entries that a press adds to the log; UserError if typed dice are not those of the next throw.

    The best choices are made wherever people need not be asked. `limit` is how much work may go into the chances, in
    the unit of `DiceChain.work`.
    """
    try:
        here, turns = replay_turns(game, battle, log, press.rights, press.message)
    except ReplayError as error:
        raise damaged_log_error(error) from None
    try:
        if move == "undo":
            thrown = [_undo_roll(game, battle, log)]
        else:
            thrown = list(_moves(here, game, live, move, press, turns, len(log), limit))
    except BattleError as error:
        raise UserError(sentence_of(error)) from None
    stages = [after for _entry, after in thrown]
    entries = [{"n": n, **press.signature, **fell} for n, (fell, _after) in enumerate(thrown, start=len(log) + 1)]
    if turns:
        for entry, before in zip(entries, [here, *stages], strict=False):
            entry["side"] = turns.side_of(before, entry)
    if not log:
        # The commitment does not depend on these, but all hashes shall.
        entries[0] |= {"line": press.line, "message": press.message}
        entries[0] |= {"rules": press.rules} if press.rules > 1 else {}
        entries[0] |= {"press": press.rights} if press.rights else {}
    known = game.chances(stages, limit) if game.chances else [None] * len(stages)
    return [NewEntry(*parts) for parts in zip(entries, known, (stage.ended for stage in stages), strict=True)]


def up_to_dice(game: Game, fight: Fight, limit: float) -> Fight:
    """Return a battle after the choices that are due and leave people nothing to decide."""
    choices = game.choices
    while choices and choices.due(fight) and choices.chooser(fight) is None:
        fight = choices.choose(fight, choices.best(fight, None, limit))
    return fight


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
        # Where only the defender rolls, dice may follow whose number nobody knows yet.
        if len(numbers[0]) != sum(wanted) and not (0 == wanted[0] < wanted[1] < len(numbers[0])):
            raise UserError(_wrong_dice(live, fight, numbers))
        numbers = [numbers[0][: wanted[0]], numbers[0][wanted[0] :]]
    return numbers[0], numbers[1]


def _undo_roll(game: Game, battle: Any, log: Sequence[Entry]) -> tuple[Entry, Fight]:
    """Return what takes the last roll back, which somebody typed, and the battle before that."""
    number, _user = last_typed(log, len(log)) or (len(log), "")
    return {**NO_DICE, "undo": number}, replay(game, battle, log[: number - 1])[-1].fight


def _moves(
    here: Fight, game: Game, live: Live, move: Move, press: Press, turns: Turns | None, before: int, limit: float
) -> Iterator[tuple[Entry, Fight]]:
    """Yield what a press adds after so many entries, and the battle after each."""
    if move == "retreat":
        yield {**NO_DICE, "retreat": True}, here.retreat()
    elif move in ("keep", "keep always"):
        keep = {**NO_DICE, "keep": turns and turns.waits_for(here)}
        yield {**keep, "always": True} if move == "keep always" else keep, here
    elif game.choices and isinstance(move, Wish):
        added = _choice(here, game.choices, move.value, limit)
        yield added
        _follow(turns, here, press, added)
        yield from _entries(added[1], game, live, move, press, turns, before + 1, limit)
    else:
        yield from _entries(here, game, live, move, press, turns, before, limit)


def _entries(
    here: Fight, game: Game, live: Live, move: Move, press: Press, turns: Turns | None, before: int, limit: float
) -> Iterator[tuple[Entry, Fight]]:
    """Yield what a press adds after so many entries: throws, and choices up to the next dice or the next question.

    Where somebody is asked already, a round is the best choice.
    """
    choices, typed = game.choices, move if isinstance(move, tuple) else None
    is_asked = move == "round" and choices is not None and choices.chooser(here) is not None
    rounds = MOST_AT_ONCE if move == "end" else int(move == "round" and not is_asked)
    is_thrown = False
    for number in count(before + 1):
        if here.ended is not None:
            return
        if choices and _is_choice_next(choices, here, is_thrown, limit):
            if _is_left_to_player(choices.chooser(here), is_asked or move == "end", press, turns):
                return
            added = _choice(here, choices, None, limit)
        elif typed:
            added, typed = _typed_throw(live, here, typed), None
        elif rounds and not _blocks_throw(turns, here, press):
            throw, after = here.throw(Dice(press.seed, press.battle, press.message, number, press.interaction))
            added = throw_entry(throw), after
            rounds -= after.resting
        else:
            return
        yield added
        _follow(turns, here, press, added)
        here, is_thrown = added[1], "choice" not in added[0]


def _is_choice_next(choices: Choices, here: Fight, is_thrown: bool, limit: float) -> bool:
    """Return whether somebody must choose before dice: a choice is due, or after a throw the best is another one."""
    return choices.due(here) or (is_thrown and choices.is_outdated is not None and choices.is_outdated(here, limit))


def _follow(turns: Turns | None, here: Fight, press: Press, added: tuple[Entry, Fight]) -> None:
    """Note whose turn it is after an entry."""
    if turns:
        turns.follow(here, {**press.signature, **added[0]}, added[1])


def _is_left_to_player(asked: SideName | None, decides: bool, press: Press, turns: Turns | None) -> bool:
    """Return whether a choice is left to the player who is asked; `decides` is whether a press makes it."""
    if asked is None or (decides and asked in press.sides):
        return False
    return not (turns and turns.keeps(asked))


def _blocks_throw(turns: Turns | None, here: Fight, press: Press) -> bool:
    """Return whether somebody else has to press before the next throw."""
    return turns is not None and (turns.waits_for(here) is not None or here.attacking_side not in press.sides)


def _choice(here: Fight, choices: Choices, wish: Any, limit: float) -> tuple[Entry, Fight]:
    """Return the best choice, perhaps with what somebody wished, and the battle after it."""
    choice = choices.best(here, wish, limit)
    return {**NO_DICE, "choice": choice}, choices.choose(here, choice)


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
