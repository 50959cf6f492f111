"""Replay a logged battle by the rules of its line, check its log, and say what the check has found.

bot/live/fair.py checks that the dice fell as drawn; this module checks that they were the right dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from bot.errors import UserError, reason_of, sentence_of
from bot.games.base import GameRoom, Rooms
from bot.languages import N_, _, _n, _p
from bot.live.fair import MODERATOR, MOST_SHOWN, Count, Finding, base64url, entry_problems, kinds_of, problems, results
from bot.live.turns import Turns, turns_of
from bot.notation.defaults import RULES, NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from solver import BattleError
from solver.game import Fight, Game, Throw

NOT_HERE = N_("this line can't be replayed here: {reason}")
OVER = N_("by the rules the battle is already over")
NOT_SO_MANY = N_(
    "by the rules the attacker rolls {ours} dice and the defender {theirs}, rerolls included, "
    "not {attack} and {defence}"
)


@dataclass(eq=False)
class ReplayError(Exception):
    """A log that the rules do not lead to; the `reason` names the roll and the mistake."""

    reason: str


class GarbledError(ReplayError):
    """An entry of a log that cannot be read; bot/live/fair.py finds it too."""


def damaged_log_error(error: ReplayError) -> UserError:
    """Return the error for people whose battle cannot go on because its log is damaged."""
    return UserError(_("The log of this battle is damaged: {reason}. Check it with `/verify`.", reason=error.reason))


class ReplayStep(NamedTuple):
    """A battle after an entry of its log, and the throw that led there.

    It is None before the first one, and for a choice or a retreat.
    """

    fight: Fight
    throw: Throw | None


@lru_cache(500)
def battle_of(rooms: Rooms, line: str, rules: int) -> Any:
    """Return the battle, or the raid, of a line in full notation; UserError if it cannot be read.

    Each press needs that several times for the same line. `rules` are those of the time when it was written.
    """
    with reading_with(NotationDefaults(rules=rules)):
        return parse(rooms, line, own_commands=True).battle


def room_and_battle(rooms: Rooms, line: str, rules: int) -> tuple[GameRoom, Any]:
    """Return the battle of a line in full notation and the room of its game; UserError if it cannot be read."""
    battle = battle_of(rooms, line, rules)
    return rooms.of(battle), battle


def dice_code(sides: Sequence[int]) -> str:
    """Write the dice of one side as entries have them: [8, 6, 6] is "1d8+2d6", no dice are an empty text."""
    return "+".join(f"{len(list(dice))}d{size}" for size, dice in groupby(sides))


def throw_entry(throw: Throw) -> dict[str, Any]:
    """Return a throw as the log has it: faces and dice of both sides as they fell, rerolls after what they replace."""
    sides = throw.attack, throw.defence
    attack, defence = ([face for die in dice for face in die.faces] for dice in sides)
    dice = [dice_code([die.sides for die in dice for _face in die.faces]) for dice in sides]
    return {"attack": attack, "defence": defence, "dice": dice}


def void_entries(log: Sequence[Mapping[str, Any]]) -> set[int]:
    """Return the numbers of the entries that count for nothing: rolls taken back, up to what takes them back."""
    return {n for entry in log if "undo" in entry for n in range(entry["undo"], entry["n"] + 1)}


def replay(game: Game, battle: Any, entries: Sequence[Mapping[str, Any]]) -> list[ReplayStep]:
    """Return a battle before the first roll and after each entry of its log; ReplayError where the rules forbid one."""
    return list(_steps(game, battle, entries))


def replay_turns(
    game: Game, battle: Any, entries: Sequence[Mapping[str, Any]], press: Any, message: str
) -> tuple[Fight, Turns | None]:
    """Return a battle after its log, and whose turn it is; None if the log gives the sides to nobody.

    ReplayError where the rules forbid an entry.
    """
    fights = [step.fight for step in _steps(game, battle, entries)]
    turns = turns_of(game, press, message, fights[0])
    if turns:
        for (before, after), entry in zip(pairwise(fights), entries, strict=True):
            turns.follow(before, entry, after)
    return fights[-1], turns


def check(rooms: Rooms, log: Any, most_work: int) -> list[str]:
    """List all problems of a log, which may be anything: its dice, its hashes, and by the rules of its line."""
    if not isinstance(log, dict) or not isinstance(log.get("line"), str) or not isinstance(log.get("rolls"), list):
        return problems(log)
    dice: list[list[str]] = []
    against_rules: list[str] = []
    try:
        battle = _battle(rooms, log, most_work)
        game = rooms.of(battle).game
        steps = _steps(game, battle, log["rolls"])
        last = next(steps).fight
        turns = turns_of(game, log.get("press"), log.get("message", "0"), last)
        for entry, step in zip(log["rolls"], steps, strict=False):
            dice.append(throw_entry(step.throw)["dice"] if step.throw else ["", ""])
            if turns:
                if wrong := turns.problem(last, entry):
                    against_rules.append(_("roll {number}: {problem}", number=entry["n"], problem=wrong))
                turns.follow(last, entry, step.fight)
            last = step.fight
        against_rules += _end_problems(log, last)
    except GarbledError:
        pass
    except ReplayError as error:
        against_rules.append(error.reason)
    return list(dict.fromkeys([*problems(log, dice), *against_rules]))


def _end_problems(log: Mapping[str, Any], last: Fight) -> Iterator[str]:
    """Yield what is wrong if a log ends where the battle stands as in `last`."""
    is_over = last.ended or any(entry.get("mistyped") for entry in log["rolls"])
    if is_over and log.get("seed") is None:
        yield _("by the rules the battle is over, but its seed is missing")
    elif not is_over and log.get("seed") is not None and log.get("ended") != MODERATOR:
        yield _("the seed is there, but by the rules the battle is not over: rolls are missing")


def _battle(rooms: Rooms, log: Mapping[str, Any], most_work: int) -> Any:
    """Return the battle of a log; ReplayError unless its rules can be followed in reasonable time."""
    rules = log.get("rules", 1)
    if type(rules) is not int or not 1 <= rules <= RULES:
        raise ReplayError(_("this version doesn't know its rules; a newer Sandtable may"))
    try:
        battle = battle_of(rooms, log["line"], rules)
        live = rooms.of(battle).live
        if live and live.check_size:
            live.check_size(most_work, battle)
    except UserError as error:
        reason = error.reason if isinstance(error, MatchupError) else error.text
        raise ReplayError(_(NOT_HERE, reason=reason)) from None
    return battle


def _steps(game: Game, battle: Any, entries: Sequence[Mapping[str, Any]]) -> Iterator[ReplayStep]:
    if game.begin is None:
        raise ReplayError(_("this line can't be replayed here"))
    try:
        fight = game.begin(battle)
    except BattleError as error:
        raise ReplayError(_(NOT_HERE, reason=sentence_of(error))) from None
    yield ReplayStep(fight, None)
    befores: list[Fight] = []
    for number in range(1, len(entries) + 1):
        befores.append(fight)
        try:
            step = _next_step(game, befores, entries, number)
        except ReplayError as error:
            raise type(error)(_("roll {number}: {problem}", number=number, problem=error.reason)) from None
        fight = step.fight
        yield step


def _without_dice(game: Game, before: Sequence[Fight], entry: Mapping[str, Any]) -> ReplayStep:
    """Return the battle after an entry that is no roll; ReplayError if the rules forbid it."""
    fight = before[-1]
    if entry.get("mistyped"):
        return ReplayStep(fight, None)
    if fight.ended:
        raise ReplayError(_(OVER))
    if "undo" in entry:
        return ReplayStep(before[entry["undo"] - 1], None)
    if entry.get("retreat"):
        if not fight.resting:
            raise ReplayError(_("by the rules the attacker can't retreat in the middle of a round"))
        if fight.retreat() == fight:
            raise ReplayError(_("by the rules no unit is left that can retreat"))
        return ReplayStep(fight.retreat(), None)
    choosers = game.choices.choosers(fight) if game.choices else ()
    if not (game.choices and choosers) or entry.get("keep", choosers[0]) not in choosers:
        raise ReplayError(_("by the rules there is nothing to choose"))
    if "keep" in entry:
        return ReplayStep(fight, None)
    try:
        return ReplayStep(game.choices.choose(fight, entry["choice"]), None)
    except BattleError as error:
        raise ReplayError(_("by the rules {reason}", reason=reason_of(error))) from None


def _next_step(game: Game, before: Sequence[Fight], entries: Sequence[Mapping[str, Any]], number: int) -> ReplayStep:
    """Return the battle after the entry with this number; ReplayError if the rules forbid it.

    `before` has the battle before each entry up to this one.
    """
    entry, fight = entries[number - 1], before[-1]
    if wrong := entry_problems(entries, number):
        raise GarbledError(translate_finding(wrong[0]))
    if kinds_of(entry):
        return _without_dice(game, before, entry)
    if fight.ended:
        raise ReplayError(_(OVER))
    if game.choices and game.choices.due(fight):
        raise ReplayError(_("by the rules something has to be chosen before the next roll"))
    faces = iter([*entry["attack"], *entry["defence"]])

    def source(sides: int) -> int:
        # Where dice are missing any will do, to find out how many; the largest face is never rolled again.
        face = next(faces, sides)
        if face > sides:
            impossible = _("by the rules this die has {sides} sides and can't show {face}", sides=sides, face=face)
            raise ReplayError(impossible)
        return face

    throw, after = fight.throw(source)
    fell = throw_entry(throw)
    (ours, theirs), (attack, defence) = ((len(dice["attack"]), len(dice["defence"])) for dice in (fell, entry))
    if (ours, theirs) != (attack, defence):
        raise ReplayError(_(NOT_SO_MANY, ours=ours, theirs=theirs, attack=attack, defence=defence))
    if entry.get("dice", fell["dice"]) != fell["dice"]:
        dice, instead = str(fell["dice"]), str(entry["dice"])
        raise ReplayError(_("by the rules its dice are {dice}, not {instead}", dice=dice, instead=instead))
    return ReplayStep(after, throw)


def translate_finding(finding: Any) -> Any:
    """Return what bot/live/fair.py found in a log in the reader's language, and anything else as it is."""
    if isinstance(finding, Finding):
        return _(finding.text, **{name: translate_finding(value) for name, value in finding.values.items()})
    if isinstance(finding, Count):
        return f"{_n('{n} roll', '{n} rolls', finding.rolls)}, {_n('{n} dice', '{n} dice', finding.dice)}"
    return finding


def problem_list(wrong: Sequence[str]) -> str:
    """Write problems as a list, at most MOST_SHOWN of them."""
    left = len(wrong) - MOST_SHOWN
    more: list[str] = [_n("... and {n} more", "... and {n} more", left)] if left > 0 else []
    return "\n- ".join([_("This log has problems:"), *map(translate_finding, wrong[:MOST_SHOWN]), *more])


def report_lines(log: Mapping[str, Any]) -> list[str]:
    """List the checks that a log has passed, those of its rules too, and the checks left to the reader.

    The first line says that there are no problems, the last one asks to compare the hashes with the chat.
    """
    last = log["rolls"][-1]["hash"][:8] if log["rolls"] else _p("hash", "none")
    compare = _(
        "Compare with the chat: commitment `{base64url}` (in hex `{commitment}`), log `{hash}`, message `{message}`.",
        base64url=base64url(log["commitment"]),
        commitment=log["commitment"],
        hash=last,
        message=log["message"],
    )
    return [*map(translate_finding, results(log, by_rules=True)), compare]
