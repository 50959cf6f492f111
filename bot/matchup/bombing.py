"""Lines of bombing raids: "5 bom vs 20", five bombers against a factory that can take 20 points, and back to text.

They are read only where a raid is asked about; to `/battle` a number without a unit means something else.
"""

import difflib
import re
from collections.abc import Collection
from functools import partial
from typing import Any, NamedTuple

from bot.editions import USUAL, Edition, editions, names_a_unit
from bot.errors import sentence_of
from bot.languages import N_, _, joined
from bot.matchup.armies_writing import plain
from bot.matchup.army_battles import in_notation, no_edition, read_worth
from bot.matchup.army_words import ALSO as ARMY_ALSO
from bot.matchup.army_words import ASKED, Word
from bot.matchup.army_words import WORDS as ARMY_WORDS
from bot.matchup.habits import example, unsaid
from bot.matchup.mistakes import MatchupError, put_right, unknown
from bot.matchup.nearest import in_edition, nearest_edition
from bot.matchup.reading import LONGEST_LINE
from bot.words import LONGEST_TEXT, normal, order_of
from solver import BattleError
from solver.bombing import Raid, raider

RAID = "5 bom vs 20"
WORDS = {name: ARMY_WORDS[name] for name in ("lowluck", "biased", "aafired", "variant", "worth")}
_TAKEN = WORDS | {
    "all": ARMY_WORDS["all"],
    "rounds": Word(r"all|0", lambda _text: None, N_("all or 0, because a raid has no rounds to limit")),
}
"""With the word about the question, and with one that makes no difference."""
ALSO = {
    "low luck": "lowluck",
    "low-luck": "lowluck",
    "aa-fired": "aafired",
    "aa fired": "aafired",
    "edition": "variant",
    **{other: word for other, word in ARMY_ALSO.items() if word == "worth"},
}
VERSUS = {"v", "vs", "x", "versus", "against", "on", "at"}
POINTS = {"point", "points", "pts", "ipc", "ipcs", "factory", "factories", "ic", "complex", "damage", "factory_points"}

_GAP = re.compile(r"[\s,;.]+")
_SIGN = re.compile(r"-*>+|-(?= ?\d)")
_COUNTED = re.compile(r"(\d+)(?!\d|\.\d)(?: ?(?:strategic (?=bom))?(?!aa[ -]fired)([a-z][a-z_]*))?")
_NAMED = re.compile(r"([a-z][a-z_]*)(?: ?[:=] ?| )(\d+)(?![a-z0-9])")
_NAME = re.compile(r"low[ -]luck|aa[ -]fired|[a-z][a-z_]*")
_PIECE = re.compile(r"[^\s,;]+")
_ENDS = r"(?=[\s,;]|$)"


class Said(NamedTuple):
    """One thing the line says, and where."""

    value: Any
    start: int
    end: int


def read_raid(text: str, takes: Collection[str] = ()) -> Raid:
    """The raid a line describes; MatchupError says what is wrong with it. `takes` may be the word "all"."""
    try:
        return _read(text, takes)
    except MatchupError as error:
        raise put_right(error, partial(_read, takes=takes), normal(text)) from None


def ends_asked(text: str) -> str:
    """The order in which a line about a raid asks for all ends; "" where it does not."""
    try:
        return order_of(_said(normal(text))["all"].value)
    except (MatchupError, KeyError):
        return ""


def _read(text: str, takes: Collection[str]) -> Raid:
    line = normal(text)
    if len(line) > LONGEST_LINE or len(text.partition("→")[0]) > LONGEST_TEXT:
        reason = _("A line can have at most {most} characters.", most=LONGEST_LINE)
        raise MatchupError(line, min(LONGEST_LINE, len(line)), len(line), reason)
    said = _said(line)
    if "all" not in takes and (field := said.get("all")) and field.value:
        raise MatchupError(line, field.start, field.end, _(ASKED["all"]))
    return _raid(line, said)


def pasted_raid(text: str) -> bool:
    """Whether a line that is no battle can only be meant as a raid: it is one, and its bombers stand there in words."""
    try:
        read_raid(text, takes=("all",))
    except MatchupError:
        return False
    return any(names_a_unit(found[2] or "") for found in _COUNTED.finditer(normal(text)))


def write_raid(raid: Raid) -> str:
    """The canonical line of a raid."""
    words = [f"{raid.bombers} {editions()[raid.rules.key].short[raid.bomber.name]} vs {raid.factory_points}"]
    words += [f"variant:{raid.rules.key}"] if raid.rules.key != USUAL else []
    words += {"standard": [], "low_luck": ["lowluck"], "biased": ["biased"]}[raid.dice]
    words += ["aafired"] if raid.aa_already_fired else []
    short = editions()[raid.rules.key].short
    prices = [f"{short[name]}={plain(price)}" for name, price in raid.worth.units]
    return " ".join(words + ([f"worth:{','.join(prices)}"] if prices else []))


# What is said -------------------------------------------------------------------------------------------


def _said(line: str) -> dict[str, Said]:
    """What the line says: "bombers", "points", and the options."""
    said: dict[str, Said] = {}
    position, crossed = 0, False
    while position < len(line):
        if found := _GAP.match(line, position):
            position = found.end()
            continue
        if said and not crossed and (found := _SIGN.match(line, position)):
            crossed, position = True, found.end()
            continue
        key, field = _next(line, position, crossed or "bombers" in said)
        crossed, position = crossed or key == "versus", field.end
        if key in ("versus", "filler"):
            continue
        if key in said:
            number = str(field.value)
            instead = f"variant:{number}" if key in ("bombers", "points") and number in editions() else ""
            raise MatchupError(line, field.start, field.end, _surplus(key, number), instead)
        said[key] = field
    return said


def _next(line: str, start: int, factory: bool) -> tuple[str, Said]:
    """The next thing that is said; a number without a word is the factory's where that is its turn."""
    if found := _COUNTED.match(line, start):
        number, word = int(found[1]), found[2] or ""
        if word in POINTS or names_a_unit(word):
            return _whose(line, start, found.end(), word), Said(number, start, found.end())
        return "points" if factory else "bombers", Said(number, start, found.end(1))
    named = _NAME.match(line, start)
    if not named:
        piece = _PIECE.match(line, start)
        assert piece is not None, "a gap was skipped before, so something is here"
        reason = _(
            "I can't read this. Type bombers and the damage the factory can take: `{example}`.", example=example(RAID)
        )
        raise MatchupError(line, start, piece.end(), reason)
    word = named[0]
    if ALSO.get(word, word) in _TAKEN:
        return _option(line, start, ALSO.get(word, word), named.end())
    if word in VERSUS:
        return "versus", Said(None, start, named.end())
    if (found := _NAMED.match(line, start)) and (word in POINTS or names_a_unit(word)):
        return _whose(line, start, found.end(), word), Said(int(found[2]), start, found.end())
    if word in POINTS:
        return "filler", Said(None, start, named.end())
    raise MatchupError(line, start, named.end(), _unknown(word), _nearest(word))


def _option(line: str, start: int, name: str, end: int) -> tuple[str, Said]:
    """An option with its value, after a colon, an equals sign or a space."""
    word = _TAKEN[name]
    value = re.compile(rf"(?: ?[:=] ?| )({word.form}){_ENDS}").match(line, end)
    if value:
        return name, Said(word.read(value[1]), start, value.end())
    wrong = re.compile(r" ?[:=] ?[^\s;]*").match(line, end)
    if word.flag and not wrong:
        return name, Said(True, start, end)
    reason = _("`{name}:` needs {wanted}.", name=name, wanted=_(word.wanted))
    raise MatchupError(line, start, wrong.end() if wrong else end, reason)


def _whose(line: str, start: int, end: int, word: str) -> str:
    """Whether a number with this word tells the factory's points or the bombers."""
    if word in POINTS:
        return "points"
    if not _is_bomber(word):
        reason = _(
            "In a raid only bombers attack, and only the factory's own AA fires: `{example}`.", example=example(RAID)
        )
        raise MatchupError(line, start, end, reason)
    return "bombers"


def _is_bomber(word: str) -> bool:
    """Whether a word means bombers in some edition: in a raid it then does in all."""
    return any(word in edition.words and edition.words[word] in _raiders(edition) for edition in editions().values())


def _surplus(key: str, number: str) -> str:
    if key not in ("bombers", "points"):
        return _("This is in the line twice.")
    if number in editions():
        return _("A raid has two numbers. Did you mean `{near}`?", near=f"variant:{number}")
    return _(
        "A raid has two numbers, the bombers and the damage the factory can take: `{example}`.", example=example(RAID)
    )


def _unknown(word: str) -> str:
    if names_a_unit(word):
        return _("How many? Write a raid like this: `{example}`.", example=example(RAID))
    if near := _nearest(word):
        return unknown(word, near)
    words = ", ".join(f"`{name}`" for name in WORDS)
    hint = _("Write a raid like `{example}`; it also takes {words}.", example=example(RAID), words=words)
    return joined("{what} {hint}", what=_("I don't know `{word}`.", word=word), hint=hint)


def _nearest(word: str) -> str:
    """The word that was probably meant; empty where none is near, and for a unit that only lacks its number."""
    near = difflib.get_close_matches(word, [*WORDS, *POINTS, "bom", "bombers"], n=1, cutoff=0.6)
    return near[0] if near and not names_a_unit(word) else ""


# From words to a raid -----------------------------------------------------------------------------------


_ASKED = {
    "bombers": N_("How many bombers? For example `{example}`."),
    "points": N_("How much more damage can the factory take? For example `{example}`."),
}


def _raid(line: str, said: dict[str, Said]) -> Raid:
    edition = _edition(line, said)
    if not _raiders(edition):
        place = said.get("variant", Said("", 0, len(line)))
        reason = _("{edition} has no bombers.", edition=_(edition.name))
        error = MatchupError(line, place.start, place.end, reason)
        error.better = in_edition(line, USUAL)
        raise error
    for key, asked in _ASKED.items():
        if key not in said:
            raise MatchupError(line, len(line), len(line) + 1, _(asked, example=example(RAID)))
    dice = [name for name in ("lowluck", "biased") if name in said and said[name].value]
    if len(dice) > 1:
        raise MatchupError(line, *said[dice[1]][1:3], _("Use either low luck or biased dice, not both."))
    fired = "aafired" in said and said["aafired"].value
    try:
        return Raid(
            edition.rules,
            said["bombers"].value,
            said["points"].value,
            "low_luck" if dice == ["lowluck"] else "biased" if dice else "standard",
            fired,
            read_worth(edition, {word: field.value for word, field in said.items()}),
        )
    except BattleError as error:
        key = "points" if error.field == "factory_points" else error.field.partition(".")[0]
        place = said[key]
        raise MatchupError(line, place.start, place.end, sentence_of(in_notation(error, edition))) from None


def _raiders(edition: Edition) -> tuple[str, ...]:
    """The unit of an edition that raids, if there is one."""
    try:
        return (raider(edition.rules).name,)
    except BattleError:
        return ()


def _edition(line: str, said: dict[str, Said]) -> Edition:
    name = said["variant"].value if "variant" in said else unsaid().edition
    if name in editions():
        return editions()[name]
    raise MatchupError(line, *said["variant"][1:3], no_edition(name), nearest_edition(name))
