"""Lines of bombing raids: "5 bom 2 fig vs 3 fig 20", and back to text.

These are five bombers and two escorts against three interceptors and a factory that can take 20 points. The lines are
read only where a raid is asked about; to `/battle` a number without a unit means something else.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import cast

from bot.editions import USUAL, Edition, editions, example_here, in_edition, names_a_unit
from bot.games.axis.notation import LEXER as ARMY_LEXER
from bot.games.axis.options import WORDS as ARMY_WORDS
from bot.games.axis.reading import edition_of, mistake_sentence
from bot.games.axis.values import dice_of, read_worth
from bot.games.base import Claim, Reading
from bot.languages import N_, _
from bot.notation.defaults import current_defaults
from bot.notation.dice_options import QUESTION_WORDS, YES, order_of
from bot.notation.lexer import ParsedOption, Token, normal
from bot.notation.mistakes import MatchupError, WrongCommandError, nearest_word, unknown_word_hint, with_correction
from bot.notation.options import Option, Value, by_word, words_of_synonyms
from bot.notation.reading import check_length
from solver import BattleError
from solver.raid.raid import Dice, Raid, raiding_unit

RAID = "5 bom vs 20"
MONEY_ALONE = 5
"""The first rules by which `damaged` is refused where raids cost money; before, it only lowered what they can cost."""
OPTIONS = (
    replace(ARMY_WORDS["lowluck"], value=YES, offers=(), synonyms=("low luck", "low-luck")),
    ARMY_WORDS["biased"],
    replace(ARMY_WORDS["aafired"], synonyms=("aa-fired", "aa fired")),
    replace(ARMY_WORDS["variant"], synonyms=("edition",)),
    ARMY_WORDS["worth"],
    ARMY_WORDS["unit"],
    Option(
        "damaged",
        Value(r"\d{1,3}", int, N_("the damage that the target has, for example 6")),
        offers=("6",),
        field="damage",
        find=lambda of: of[0].damage_before or of[0].damage,
    ),
)
WORDS = by_word(OPTIONS)
_NO_ROUNDS = Value(r"all|0", lambda _text: None, N_("all or 0, because a raid has no rounds to limit"))
_TAKEN = WORDS | {word: ARMY_WORDS[word] for word in ("aworth", "dworth", "all")}
_TAKEN["rounds"] = Option("rounds", _NO_ROUNDS)
"""All words of a line: also prices of one side, a word about the question, and one that makes no difference."""
SYNONYMS = words_of_synonyms(OPTIONS)
VERSUS = {"v", "vs", "x", "versus", "against", "on", "at"}
POINTS = {"point", "points", "pts", "ipc", "ipcs", "factory", "factories", "ic", "complex", "damage", "factory_points"}
PLANES = {"escort": "escorts", "escorts": "escorts", "interceptor": "interceptors", "interceptors": "interceptors"}

_COUNTED = re.compile(
    r"(\d+)(?!\d|\.\d)(?: ?(?:strategic (?=bom))?(?!aa[ -]fired)([a-z][a-z_]*)"
    r"(?:(?:(?<=tac)|(?<=tacs)|(?<=tactical)) bom[a-z]*)?)?"
)
_NUMBER = re.compile(r"(\d+)(?!\d|\.\d)")
_NAMED = re.compile(r"([a-z][a-z_]*)(?: ?[:=] ?| )(\d+)(?![a-z0-9])")
_BASE = re.compile(r"(?:(\d+) ?)?(?:(?:air|naval)?[ -]?base|air ?field|harbou?r)s?\b(?!:)")
_WORD = re.compile(r"[a-z][a-z_]*")
_OWN = re.compile(r"([a-z_]+) ?= ?\d+/")
_PIECE = re.compile(r"[^\s,;]+")


def _match_counted(line: str, start: int) -> re.Match[str] | None:
    """Match a number and what it counts, in this order: "2 bom"."""
    match = _COUNTED.match(line, start)
    return match if match and (_is_counted(match[2] or "") or match[2] in _own_words(line)) else None


def _match_named(line: str, start: int) -> re.Match[str] | None:
    """Match what is counted and its number, in this order: "bom 2"."""
    match = _NAMED.match(line, start)
    return match if match and (_is_counted(match[1]) or match[1] in _own_words(line)) else None


@lru_cache(100)
def _own_words(line: str) -> frozenset[str]:
    """Return the names of the own units of a line."""
    return frozenset(_OWN.findall(line))


LEXER = replace(
    ARMY_LEXER,
    forms=(
        ("base", _BASE.match),
        ("counted", _match_counted),
        ("bare", _NUMBER.match),
        ("step", re.compile(r"-*>+|-(?= ?\d)").match),
        ("versus", re.compile(rf"(?:{'|'.join(VERSUS)})(?![a-z_])").match),
        ("named", _match_named),
    ),
    options={word: replace(option, offers=()) for word, option in _TAKEN.items()},
    synonyms=SYNONYMS,
    keys={word: word for word in _TAKEN},
    word=re.compile(r"low[ -]luck|aa[ -]fired|[a-z][a-z_]*"),
    other=re.compile(rf"{_WORD.pattern}|{_PIECE.pattern}"),
    gap=re.compile(r"[\s,;.]+"),
)


def read_corrected(text: str, takes: Collection[str] = ()) -> Reading:
    """Read a line that can only be a raid; MatchupError points at a mistake. `takes` may have the option "all"."""
    try:
        return read(text, {}, takes, "")
    except MatchupError as error:
        raise with_correction(error, lambda line: read(line, {}, takes, ""), normal(text)) from None


def asked_ends(text: str) -> str:
    """Return the order in which a line about a raid asks for all ends; "" if it does not."""
    try:
        return order_of(_parse_options(normal(text))["all"].value)
    except (MatchupError, KeyError):
        return ""


def claims(text: str, _saved: Mapping[str, str]) -> Claim:
    """Claim lines that can be read as a raid, with bombers in words: without these a number may mean armies."""
    line = normal(text)
    words = [match[2] or "" for match in _COUNTED.finditer(line)]
    if not any(names_a_unit(word) or word in _own_words(line) for word in words):
        return Claim.NO
    try:
        read(text, {}, ("all",), "")
    except MatchupError:
        return Claim.NO
    return Claim.YES


def read(text: str, _saved: Mapping[str, str], takes: Collection[str], _lone: str) -> Reading:
    """Read a line as a raid."""
    line = normal(text)
    check_length(text)
    options = _parse_options(line)
    if "all" not in takes and (field := options.get("all")) and field.value:
        raise WrongCommandError(line, field.start, field.end, _(QUESTION_WORDS["all"]))
    return Reading(_raid(line, options), asked={"all": order_of(options["all"].value if "all" in options else None)})


def write_raid(raid: Raid) -> str:
    """Write the canonical line of a raid."""
    points = "base" if raid.target == "base" else f"{raid.factory_points + (raid.damage or 0)}"
    theirs = [interceptors_text(raid, raid.interceptors)] if raid.interceptors else []
    words = [planes_text(raid, raid.bombers, raid.escorts), "vs", *theirs, points]
    written = ("variant", "unit", "lowluck", "biased", "aafired", "damaged", "worth", "aworth", "dworth")
    return " ".join([*words, *filter(None, (_TAKEN[word].write([raid]) for word in written))])


def planes_text(raid: Raid, bombers: int, escorts: int) -> str:
    """Name so many bombers and escorts: "4 bom 2 fig"; "–" for none."""
    short = editions()[raid.rules.key].short
    names = short[raid.bomber.name], short[raid.fighter.name] if raid.fighter else ""
    return " ".join(f"{count} {name}" for count, name in zip((bombers, escorts), names, strict=True) if count) or "–"


def interceptors_text(raid: Raid, count: int) -> str:
    """Name so many interceptors, also none: "0 fig"."""
    return f"{count} {editions()[raid.rules.key].short[raid.fighter.name]}" if raid.fighter else str(count)


# Options -------------------------------------------------------------------------------------------


def _parse_options(line: str) -> dict[str, ParsedOption]:
    """Parse a line: "bombers", "points", and the options."""
    options: dict[str, ParsedOption] = {}
    crossed = False
    for token in LEXER.tokens(line):
        if (token.kind == "step" and options and not crossed) or token.kind == "versus":
            crossed = True
        elif token.text not in POINTS:
            key, field = _field(line, token, crossed or "bombers" in options, crossed or "points" in options)
            if key == "base" and field.value is not None:
                _store(line, options, "points", field)
            _store(line, options, key, field)
    return options


def _store(line: str, options: dict[str, ParsedOption], key: str, field: ParsedOption) -> None:
    """Add an option, once."""
    if key in options:
        number = str(field.value)
        instead = f"variant:{number}" if key in ("bombers", "points") and number in editions() else ""
        raise MatchupError(line, field.start, field.end, _surplus(key, number), instead)
    options[key] = field


def _field(line: str, token: Token, factory: bool, defending: bool) -> tuple[str, ParsedOption]:
    """Return the field that a piece of the line sets, and its value.

    A number without a word is the factory's if that comes next, and fighters intercept if the defender comes next.
    """
    start, end, match = token.start, token.end, token.value
    if token.kind in ("option", "unread"):
        return LEXER.read_option(line, token, "")
    if token.kind == "base":
        # "1 air base" counts bases, "4 base" is the damage that one can take.
        return "base", ParsedOption(None if match[1] in (None, "1") else int(match[1]), start, end)
    if token.kind == "bare":
        return "points" if factory else "bombers", ParsedOption(int(match[1]), start, end)
    if token.kind in ("counted", "named"):
        number, word = match.groups() if token.kind == "counted" else match.groups()[::-1]
        return _number_key(line, start, end, word, defending), ParsedOption(int(number), start, end)
    if _WORD.fullmatch(token.text):
        raise MatchupError(line, start, end, _unknown_word_text(token.text), _nearest_word(token.text))
    reason = _(
        "I can't read this. Type bombers and the damage the factory can take: `{example}`.", example=example_here(RAID)
    )
    raise MatchupError(line, start, _PIECE.match(line, start).end(), reason)  # type: ignore[union-attr]


def _is_counted(word: str) -> bool:
    """Return whether a word beside a number says what it counts."""
    return word in POINTS or word in PLANES or names_a_unit(word)


def _number_key(line: str, start: int, end: int, word: str, defending: bool) -> str:
    """Return what a number with this word counts: "points", "bombers", "escorts" or "interceptors"."""
    if word in POINTS:
        return "points"
    if word in PLANES:
        return PLANES[word]
    if _means(word, _raiders) or not _is_counted(word):
        return "bombers"
    if _means(word, _fighters):
        return "interceptors" if defending else "escorts"
    reason = _(
        "In a raid only bombers and fighters fly, and only the factory's own AA fires: `{example}`.",
        example=example_here(RAID),
    )
    raise MatchupError(line, start, end, reason)


def _means(word: str, units: Callable[[Edition], Collection[str]]) -> bool:
    """Return whether a word means such a unit in some edition; in a raid it then does in all."""
    return any(word in edition.words and edition.words[word] in units(edition) for edition in editions().values())


def _surplus(key: str, number: str) -> str:
    if key == "bombers":
        return _(
            "A raid has one kind of bomber, and only fighters intercept: `{example}`.",
            example=example_here("5 bom 2 fig vs 3 fig 20"),
        )
    if key != "points":
        return _("This is in the line twice.")
    if number in editions():
        return _("A raid has two numbers. Did you mean `{near}`?", near=f"variant:{number}")
    return _(
        "A raid has two numbers, the bombers and the damage the factory can take: `{example}`.",
        example=example_here(RAID),
    )


def _unknown_word_text(word: str) -> str:
    if names_a_unit(word):
        return _("How many? Write a raid like this: `{example}`.", example=example_here(RAID))
    words = ", ".join(f"`{name}`" for name in WORDS)
    hint = _("Write a raid like `{example}`; it also takes {words}.", example=example_here(RAID), words=words)
    return unknown_word_hint(word, _nearest_word(word), hint)


def _nearest_word(word: str) -> str:
    """Return the word that was probably meant; empty if none is near or a unit only lacks its number."""
    return "" if names_a_unit(word) else nearest_word(word, [*WORDS, *POINTS, *PLANES, "bom", "bombers", "base"], 0.6)


# From words to a raid -----------------------------------------------------------------------------------


_ASKED = {
    "bombers": N_("How many bombers? For example `{example}`."),
    "points": N_("How much more damage can the factory take? For example `{example}`."),
}


def _raid(line: str, options: dict[str, ParsedOption]) -> Raid:
    edition = edition_of(line, options, current_defaults().edition)
    if not _raiders(edition):
        place = options.get("variant", ParsedOption("", 0, len(line)))
        reason = _("{edition} has no bombers.", edition=_(edition.name))
        raise MatchupError(line, place.start, place.end, reason, better=in_edition(line, USUAL))
    if "base" in options and "points" not in options and edition.plain_rules.base_points:
        options["points"] = options["base"]._replace(value=edition.plain_rules.base_points)
    for key, asked in _ASKED.items():
        if key not in options and not (key == "points" and "base" in options):
            raise MatchupError(line, len(line), len(line) + 1, _(asked, example=example_here(RAID)))
    values = {word: field.value for word, field in options.items()}
    if edition.plain_rules.raids_cost_money and current_defaults().rules < MONEY_ALONE:
        values.pop("damaged", None)
    try:
        dice = cast(Dice, dice_of(values))
        return Raid(
            edition.plain_rules,
            values["bombers"],
            _points_left(line, options),
            dice,
            values.get("aafired", False),
            read_worth(edition, values),
            values.get("escorts", 0),
            values.get("interceptors", 0),
            "base" if "base" in options else "factory",
            _kind(line, options["bombers"], edition),
            values.get("damaged"),
        )
    except BattleError as error:
        key = _PLACES.get(error.field, error.field.partition(".")[0])
        place = options[key]
        better = _in_edition_with(line, error.field, edition)
        sentence = mistake_sentence(error, edition)
        raise MatchupError(line, place.start, place.end, sentence, better=better) from None


def _in_edition_with(line: str, field: str, edition: Edition) -> str:
    """Return the line in an edition that has the bases or the air battle which this one lacks; "" if it is not that."""
    if field == "target":
        able = [key for key, other in editions().items() if other.plain_rules.base_points]
    elif field in ("escorts", "interceptors") and not _fighters(edition):
        able = [key for key in (USUAL, *editions()) if _fighters(editions()[key])]
    else:
        able = []
    return in_edition(line, able[0]) if able else ""


_PLACES = {"factory_points": "points", "kind": "bombers", "target": "base", "lowluck": "biased"} | {
    option.field: option.word for option in OPTIONS if option.field
}
"""The options that give the fields of a raid with other names."""


def _points_left(line: str, options: dict[str, ParsedOption]) -> int:
    """Return the damage that the target can still take: beside the damage that it has, a line names the most it can."""
    points = options["points"].value if "points" in options else 1
    if "damaged" not in options:
        return int(points)
    damage = options["damaged"]
    if damage.value >= points:
        reason = _("It can have {most} damage, so with {n} it can't take any more.", most=points, n=damage.value)
        raise MatchupError(line, damage.start, damage.end, reason)
    return int(points - damage.value)


def _kind(line: str, bombers: ParsedOption, edition: Edition) -> str:
    """Return the kind of bomber if the line names another one than the usual, which bombs factories; "" for that."""
    for word in _WORD.findall(line[bombers.start : bombers.end]):
        if word in _own_words(line) and not names_a_unit(word):
            if edition.plain_rules.table[word].raid is None:
                reason = _(
                    "`{unit}` can't raid: a bomber of your own has `/raid0` or more behind its numbers.", unit=word
                )
                raise MatchupError(line, bombers.start, bombers.end, reason)
            return str(word)
        kinds = {key: known.words[word] for key, known in editions().items() if word in known.words}
        only = {key: kind for key, kind in kinds.items() if editions()[key].plain_rules.table[kind].only_bases}
        if edition.key in only:
            return only[edition.key]
        if only and edition.key not in kinds:
            other = next(iter(only))
            reason = _(
                "`{word}` is a bomber of {edition}, and bombs only bases: `{example}`.",
                word=word,
                edition=_(editions()[other].name),
                example=f"3 {word} vs base variant:{other}",
            )
            raise MatchupError(line, bombers.start, bombers.end, reason)
    return ""


def _raiders(edition: Edition) -> tuple[str, ...]:
    """Return the units of an edition that raid."""
    try:
        usual = raiding_unit(edition.plain_rules).name
    except BattleError:
        return ()
    return usual, *(unit.name for unit in edition.plain_rules.units if unit.only_bases)


def _fighters(edition: Edition) -> tuple[str, ...]:
    """Return the units of an edition that escort and intercept."""
    return tuple(unit.name for unit in edition.plain_rules.units if unit.air_defence is not None)
