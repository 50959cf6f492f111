"""A logged battle followed by the rules of its line: whether it went on as it had to, and how it stood after each roll.

bot/fair.py says whether the dice fell as drawn; here is whether they were the right dice.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from bot.errors import UserError, sentence_of
from bot.fair import MODERATOR, coded, garbled, problems
from bot.fair_wording import found
from bot.languages import N_, _
from bot.limits import Limits
from bot.matchup import RULES, AnyBattle, MatchupError, Unsaid, meaning, parse
from bot.matchup.bombing import pasted_raid, read_raid
from solver import Battle, BattleError
from solver.bombing import Raid
from solver.fights import Fight, Throw, begin
from solver.paths import Path

Rolled = AnyBattle | Raid
"""What can be rolled."""
NOT_HERE = N_("this line can't be replayed here: {reason}")
NOT_SO_MANY = N_(
    "by the rules the attacker rolls {ours} dice and the defender {theirs}, rerolls included, "
    "not {attack} and {defence}"
)


class ReplayError(Exception):
    """The rules do not lead to this log; the `reason` says at which roll, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GarbledError(ReplayError):
    """The same of an entry that cannot be read, which bot/fair.py finds too."""


def damage(error: ReplayError) -> UserError:
    """What to tell people whose battle cannot go on because its log is damaged."""
    return UserError(_("The log of this battle is damaged: {reason}. Check it with `/verify`.", reason=error.reason))


class Stage(NamedTuple):
    """A battle as it stands, and the throw that led there: None before the first one, and of a retreat."""

    fight: Fight
    throw: Throw | None


@lru_cache(500)
def battle_of(line: str, rules: int) -> Rolled:
    """What a line is about that can be rolled: a battle or a bombing raid; UserError where it cannot be read.

    Each press asks that several times about the same line, which is in full notation: it means the same everywhere.
    `rules` are those of the time when it was written.
    """
    with meaning(Unsaid(rules=rules)):
        try:
            return parse(line).battle
        except UserError:
            if pasted_raid(line):
                return read_raid(line)
            raise


def fallen(throw: Throw) -> dict[str, Any]:
    """What the log says of a throw: faces and dice of both sides as they fell, each re-roll after what it replaces."""
    sides = throw.attack, throw.defence
    attack, defence = ([face for die in dice for face in die.faces] for dice in sides)
    dice = [coded([die.sides for die in dice for _ in die.faces]) for dice in sides]
    return {"attack": attack, "defence": defence, "dice": dice}


def replay(battle: Rolled, entries: Iterable[Mapping[str, Any]]) -> list[Stage]:
    """The battle before the first roll and after each entry of its log; ReplayError where the rules forbid one."""
    return list(_stages(battle, entries))


def check(log: Any, limits: Limits) -> list[str]:
    """Everything that is wrong with a log, whatever it is: its dice, its hashes, and by the rules of its line."""
    if not isinstance(log, dict) or not isinstance(log.get("line"), str) or not isinstance(log.get("rolls"), list):
        return problems(log)
    dice: list[list[str]] = []
    against_rules: list[str] = []
    try:
        for stage in _stages(_battle(log, limits), log["rolls"]):
            last = stage.fight
            dice.append(fallen(stage.throw)["dice"] if stage.throw else ["", ""])
        if last.ended and log.get("seed") is None:
            against_rules.append(_("by the rules the battle is over, but its seed is missing"))
        elif not last.ended and log.get("seed") is not None and log.get("ended") != MODERATOR:
            against_rules.append(_("the seed is there, but by the rules the battle is not over: rolls are missing"))
    except GarbledError:
        pass
    except ReplayError as error:
        against_rules.append(error.reason)
    # The first stage is before the first roll.
    return list(dict.fromkeys([*problems(log, dice[1:]), *against_rules]))


def _battle(log: Mapping[str, Any], limits: Limits) -> Rolled:
    """The battle of a log, if it is one whose rules are followed in reasonable time."""
    rules = log.get("rules", 1)
    if type(rules) is not int or not 1 <= rules <= RULES:
        raise ReplayError(_("this version doesn't know its rules; a newer Sandtable may"))
    try:
        battle = battle_of(log["line"], rules)
        for leg in battle.legs if isinstance(battle, Path) else [battle]:
            if isinstance(leg, Battle):
                limits.check_size(leg, grid=True)
    except UserError as error:
        reason = error.reason if isinstance(error, MatchupError) else error.text
        raise ReplayError(_(NOT_HERE, reason=reason)) from None
    return battle


def _stages(battle: Rolled, entries: Iterable[Mapping[str, Any]]) -> Iterator[Stage]:
    try:
        fight = begin(battle)
    except BattleError as error:
        raise ReplayError(_(NOT_HERE, reason=sentence_of(error))) from None
    except (AssertionError, AttributeError):
        raise ReplayError(_("this line can't be replayed here")) from None
    yield Stage(fight, None)
    for number, entry in enumerate(entries, start=1):
        try:
            stage = _after(fight, entry, number)
        except ReplayError as error:
            raise type(error)(_("roll {number}: {problem}", number=number, problem=error.reason)) from None
        fight = stage.fight
        yield stage


def _after(fight: Fight, entry: Mapping[str, Any], number: int) -> Stage:
    """The battle after an entry."""
    if wrong := garbled(entry, number):
        raise GarbledError(found(wrong[0]))
    if fight.ended:
        raise ReplayError(_("by the rules the battle is already over"))
    if entry.get("retreat"):
        if not fight.resting:
            raise ReplayError(_("by the rules the attacker can't retreat in the middle of a round"))
        if fight.retreat() == fight:
            raise ReplayError(_("by the rules no unit is left that can retreat"))
        return Stage(fight.retreat(), None)
    faces = iter([*entry["attack"], *entry["defence"]])

    def source(sides: int) -> int:
        # Where dice are missing any will do, to find out how many; the largest face is never rolled again.
        face = next(faces, sides)
        if face > sides:
            text = _("by the rules this die has {sides} sides and can't show {face}", sides=sides, face=face)
            raise ReplayError(text)
        return face

    throw, after = fight.throw(source)
    fell = fallen(throw)
    right, logged = ([len(one["attack"]), len(one["defence"])] for one in (fell, entry))
    if right != logged:
        ours, theirs = right
        text = _(NOT_SO_MANY, ours=ours, theirs=theirs, attack=logged[0], defence=logged[1])
        raise ReplayError(text)
    if entry.get("dice", fell["dice"]) != fell["dice"]:
        dice, instead = str(fell["dice"]), str(entry["dice"])
        raise ReplayError(_("by the rules its dice are {dice}, not {instead}", dice=dice, instead=instead))
    return Stage(after, throw)
