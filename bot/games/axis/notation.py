"""Lines of Axis & Allies: "3 inf 2 arm 3 fig vs 5 inf 1 aa rounds:2 then 4 arm", to the battle they mean.

Units come with their number, in any words an edition knows; options that belong to a side stand on its side of "vs", or
have a d in front for the defender; those of the whole battle stand anywhere. What follows "then" is a wave of its own.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from bot.editions import USUAL, editions, example_here, has_own_units, is_table, names_a_unit, only_a_unit
from bot.games.axis.dice.reading import read_lone_army
from bot.games.axis.lasting_orders import USUAL_ORDER
from bot.games.axis.named.openings import NamedArmy, edition_named, named_defenders
from bot.games.axis.named.presets import (
    join_tables,
    may_be_armies,
    options_of_army,
    presets_in,
    remarks_on_whole,
    split_presets,
    unit_words,
)
from bot.games.axis.need_lines import MONEY, check_asker, find_asker, read_least
from bot.games.axis.options import ALL_WORDS, ARMIES, KEYS, OTHER_WORDS, SYNONYMS, WHOLE_BATTLE, WORDS
from bot.games.axis.reading import (
    CHANGE,
    battle_of,
    count_waves,
    edition_of,
    forms_of,
    mistake_sentence,
    place_of,
    read_ends,
    unit_named,
    wave_prefix,
)
from bot.games.axis.remarks import line_remarks
from bot.games.axis.values import read_chance
from bot.games.base import Claim, Reading
from bot.languages import N_, _
from bot.notation.asked_ends import WORDS as WORDS_OF_ENDS
from bot.notation.defaults import current_defaults
from bot.notation.dice_options import QUESTION_WORDS, THROW, order_of
from bot.notation.lexer import DICE, VERSUS, Fields, ParsedOption, Token, chance_of, normal, put
from bot.notation.mistakes import MatchupError, WrongCommandError, did_you_mean, nearest_word, unknown_word_hint
from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.units import Role

_VERSUS = re.compile(rf"{VERSUS}(?![a-z_])")
_BEFORE_NAME = re.compile(rf"{VERSUS}[\s,;]+[^\W\d_]")
"""The beginning of a line without attackers, against those who stand in a place."""
_NAMES_ENEMY = re.compile(rf"(?<![^\s,;]){_VERSUS.pattern}")
_NAME = re.compile(r"[a-z][a-z-]*")
_JUNK = re.compile(r"[^\s,;]+")
_COUNT = r"(?:(?<![^\s,;])(?P<sign>[+-]) ?)?(?P<count>\d+) ?"
_COUNTED = re.compile(rf"{_COUNT}(?P<word>[a-z][a-z_]*)")
_IN_TWO_WORDS = re.compile(rf"{_COUNT}(?P<word>[a-z]+ [a-z]+)(?![a-z_:=])")


def _match_units(line: str, start: int) -> re.Match[str] | None:
    """Match a number and the word behind it, with the next one if both are a unit: "2 aa guns"."""
    longer = _IN_TWO_WORDS.match(line, start)
    if longer and names_a_unit(longer["word"].replace(" ", "_")):
        return longer
    return _COUNTED.match(line, start)


LEXER = replace(
    DICE,
    forms=(
        ("money", MONEY.match),
        ("units", _match_units),
        ("versus", _VERSUS.match),
        ("chance", re.compile(r"\d+(?:[.,]\d+)? ?%(?=[\s,;]|$)").match),
        ("wave", re.compile(r"then(?![a-z])(?:[ ,]*(hold)(?: ?: ?([a-z]*))?(?![a-z]))?").match),
    ),
    options=ALL_WORDS,
    synonyms=SYNONYMS,
    keys=KEYS,
    word=_NAME,
    other=re.compile(rf"{_NAME.pattern}|{_JUNK.pattern}"),
    wrong=re.compile(rf" ?[:=](?: ?(?!{VERSUS}(?![a-z_]))[^\s;]+)?"),
    ends=r"\s,;",
    bare=False,
    letters=False,
)
TABLE = N_("`{name}` holds the rules of your table: `/battle {name} ...` uses them in any battle.")
"""Says what a preset holds that has own units and rules alone."""
_OF_LINE = {*WHOLE_BATTLE, *QUESTION_WORDS}
"""The options that have one field in a line of several waves."""


def claims(text: str, saved: Mapping[str, str]) -> Claim:
    """Claim lines that name units, money or a preset with units; some units may also be ships of Star Wars Risk."""
    line = normal(text)
    presets = presets_in(line, saved)
    named = (
        may_be_armies(normal(saved[presets[0].text]))
        if presets
        else has_own_units(line) or any(map(only_a_unit, unit_words(line)))
    )
    if named or MONEY.search(line):
        return Claim.LIKELY
    return Claim.MAYBE if may_be_armies(line) or _BEFORE_NAME.match(line) else Claim.NO


def read(text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """Read a line as a battle of Axis & Allies, of one wave or several, by itself or with the name of a preset.

    Where a command takes THROW, the army of one side may stand alone.
    """
    line = normal(text)
    if THROW in takes and not _NAMES_ENEMY.search(line) and not presets_in(line, saved):
        role: Role = "defence" if lone == "defenders" else "attack"
        return read_lone_army(line, role, lambda both: read_armies(both, takes=takes, presets=saved))
    preset, armies = split_presets(line, saved)
    saved_line, rest = "", line
    if preset:
        saved_line, before, behind = normal(saved[preset.text]), line[: preset.start], line[preset.end :]
        if is_table(saved_line):
            rest = f"{before}{' ' * len(preset.text)}{behind}"  # armies keep their places
            if rest.isspace():
                raise MatchupError(line, preset.start, preset.end, _(TABLE, name=preset.text))
        else:
            rest, armies = f"{before} {behind}".strip(), []
    try:
        reading = read_armies(rest, saved_line, takes, saved, armies)
        remarks = remarks_on_whole(line, preset, saved_line) if preset else ()
        return reading._replace(of_words=(*remarks, *reading.of_words))
    except MatchupError as error:
        word = error.line[error.start : error.end]
        mistake = error
        if "chance" in takes and re.fullmatch(r"[1-9]\d|0\.\d+", word):
            chance = f"{100 * read_chance(word):.10g}%"
            mistake = MatchupError(error.line, error.start, error.end, did_you_mean(chance), chance)
        if preset and mistake.better:
            mistake.better = f"{preset.text} {mistake.better.strip()}"
        raise mistake from None


@cache
def reserved_words() -> frozenset[str]:
    """Return the words that mean a unit or an option in lines of Axis & Allies."""
    return OTHER_WORDS.union(*(edition.words for edition in editions().values()))


def read_armies(
    line: str,
    saved_line: str = "",
    takes: Collection[str] = (),
    presets: Collection[str] = (),
    armies: Sequence[NamedArmy] = (),
) -> Reading:
    """Read a normal line; `saved_line` is that of a preset that it changes.

    `takes` are the options about the question, rather than the battle, that have a meaning here.

    A name of `presets` is no name of a place; `armies` are the armies of presets that the line names.
    """
    saved_edition = next(filter(None, [saved_line, *(army.line for army in armies)]), "")
    place = named_defenders(line, edition_named(line, saved_edition), presets)
    armies = [*armies, *filter(None, [place])]
    options = parse_rest(line, [*filter(None, [saved_line])], armies)
    if not saved_edition and current_defaults().edition != USUAL:
        options.setdefault("variant", ParsedOption(current_defaults().edition, 0, len(line), saved=True))
    asked = _take(options, QUESTION_WORDS)
    asker = find_asker(line, options, takes)
    battle = battle_of(line, options, empty=asker.side if asker else "")
    for word, field in asked.items():
        if word not in takes and field.value is not False:
            raise WrongCommandError(line, field.start, field.end, _(QUESTION_WORDS[word]))
    ends = read_ends(line, _take(asked, WORDS_OF_ENDS), battle, options)
    values = {word: field.value for word, field in asked.items()}
    if asker:
        check_asker(line, asker, battle.battles[0], asked)
        values |= {"side": asker.role, "money": asker.money and asker.money.value}
    if "least" in asked:
        role: Role = values.get("side") or "attack"
        values["least"] = read_least(line, asked["least"], battle.battles[0], role, options, asker)
    values |= {"all": order_of(values.get("all")), **ends}
    remarks = [*(army.remark for army in armies), *line_remarks(battle, options)]
    return Reading(battle, tuple(dict.fromkeys(remarks)), asked=values)


def _take(options: Fields, words: Iterable[str]) -> Fields:
    """Take the fields of these words out of the options of a line."""
    return {word: options.pop(word) for word in words if word in options}


class Attack(NamedTuple):
    """An attack on a territory that may still have no defender.

    `order` is the order of loss of its future defenders, empty if the line has none; `value` is the worth of the
    territory, if the line has one. `options` are all options of the `line`, with their places.
    """

    battle: AxisBattle
    order: tuple[str, ...]
    value: float | None
    line: str
    options: Mapping[str, ParsedOption]

    def mistake(self, error: BattleError) -> MatchupError:
        """Return an error about this attack that points at its place in the line."""
        edition = editions()[self.battle.rules.key]
        start, end = place_of(self.line, self.options, edition, error.field)
        return MatchupError(self.line, start, end, mistake_sentence(error, edition))


def read_attack(
    line: str, saved_lines: Sequence[str], armies: Sequence[NamedArmy] = (), presets: Collection[str] = ()
) -> Attack:
    """Read the attack of a normal line; the `saved_lines` add what it leaves out, later ones first.

    A name of `presets` is no name of a place; `armies` are the armies of presets that the line names.
    """
    saved = " ".join([*saved_lines, *(army.line for army in armies)])
    named = named_defenders(line, edition_named(line, saved), presets)
    options = parse_rest(line, saved_lines, [*armies, *filter(None, [named])])
    asked = next((word for word in QUESTION_WORDS if word in options), None)
    if asked:
        raise MatchupError(line, *options[asked][1:3], _(QUESTION_WORDS[asked]))
    battle = battle_of(line, options, empty="defender").only
    if battle is None:
        raise MatchupError(line, *options["1|hold"][1:3], _("Here each territory is attacked once, in one wave."))
    if any(battle.chooses):
        place = next(options[key] for key in ("attacker:choose", "defender:choose") if key in options)
        raise MatchupError(line, place.start, place.end, _("Here both sides follow their casualty orders."))
    words = editions()[battle.rules.key].words
    named_order = options["defender:loss"].value if "defender:loss" in options else ()
    order = () if named_order == (USUAL_ORDER,) else tuple(words[word] for word in named_order)
    value = options["value"].value if "value" in options else None
    return Attack(battle, order, value, line, options)


def read_units(line: str, variant: str) -> tuple[dict[str, int], dict[str, tuple[int, int]], str]:
    """Read the units at hand in a normal line, their places, and the options for all attacks.

    `variant` is their edition where the line says none.
    """
    if versus := _NAMES_ENEMY.search(line):
        raise MatchupError(line, *versus.span(), _("Your units come first, then the attacks after `||`."))
    options = _parse_options(line, {})
    edition = edition_of(line, options, variant)
    units: dict[str, int] = {}
    places: dict[str, tuple[int, int]] = {}
    rest, forms = line, forms_of(line, options, "attacker", edition)
    for key, field in options.items():
        _side, dot, word = key.partition(".")
        if dot:
            unit = unit_named(line, field, word, edition, forms)
            units[unit] = units.get(unit, 0) + field.value
            places[unit] = field.start, field.end
        if dot or key == "attacker:tech":
            rest = f"{rest[: field.start]}{' ' * (field.end - field.start)}{rest[field.end :]}"
    return units, places, " ".join(rest.split())


# Options -------------------------------------------------------------------------------------------


def parse_rest(line: str, saved_lines: Sequence[str], armies: Sequence[NamedArmy]) -> dict[str, ParsedOption]:
    """Parse the options and units of a line over those of the saved lines, later ones first, and of named armies.

    When defenders leave at a table holds in each wave that does not say it otherwise.
    """
    options: dict[str, ParsedOption] = {}
    for other in saved_lines:
        options = _as_saved(line, _parse_options(other, options))
    of_table = {"dretreat": options["dretreat"]} if any(map(is_table, saved_lines)) and "dretreat" in options else {}
    options = _parse_options(line, options, armies)
    spread = {f"{wave_prefix(wave)}{key}": of_table[key] for key in of_table for wave in range(count_waves(options))}
    return spread | options


def _as_saved(line: str, options: Mapping[str, ParsedOption]) -> dict[str, ParsedOption]:
    """Return options of another line, which stand nowhere in this one."""
    return {key: ParsedOption(field.value, 0, len(line), saved=True) for key, field in options.items()}


def _parse_options(
    line: str, options: dict[str, ParsedOption], armies: Sequence[NamedArmy] = ()
) -> dict[str, ParsedOption]:
    """Parse the options and units of a line, over those of a preset, whose units "+1 fig" and "-1 arm" change.

    Each of the `armies` adds its own where its name stands.
    """
    signs = current_defaults().rules > 1 and (bool(armies) or any("." in key for key in options))
    saved = options
    named, changeable = {army.start: army for army in armies}, {0}
    options, side, crossed, wave = dict(options), "attacker", False, 0
    for token in LEXER.tokens(line, {army.start: army.end for army in armies}):
        if token.kind == "name":
            options = _with_army(options, named[token.start], wave)
            saved = saved | _with_army({}, named[token.start], wave)
            changeable.add(wave)
            continue
        if token.kind == "versus":
            if crossed:
                reason = _("Use one `vs`, with the attacker's units before it.")
                raise MatchupError(line, token.start, token.end, reason)
            crossed, side = True, "defender"
            continue
        if token.kind == "wave":
            # Later options come after all waves of a preset.
            wave, side, crossed = max(wave + 1, count_waves(options)), "attacker", False
        key, field = _field(line, token, side, signs and wave in changeable)
        put(line, options, key if key in _OF_LINE else f"{wave_prefix(wave)}{key}", field, WORDS.get(key))
    return options | join_tables(options, saved)


def _field(line: str, token: Token, side: str, signs: bool) -> tuple[str, ParsedOption]:
    """Return the field of a wave that a piece sets, and its value; units may have `signs` where they change others."""
    start, end = token.start, token.end
    if token.kind == "units" and (signs or not token.value["sign"]):
        word = line[token.value.start("word") : end].replace(" ", "_")
        if word in ("v", "vs"):
            raise MatchupError(line, start, end, _("Units need names: `{example}`.", example=example_here(ARMIES)))
        change = CHANGE if token.value["sign"] else ""
        number = "".join(filter(None, token.value.group("sign", "count")))
        return f"{side}.{change}{word}", ParsedOption(int(number), start, end)
    if token.kind == "money":
        return f"{side}:money", ParsedOption(int(token.value["amount"]), start, end)
    if token.kind == "chance":
        return "chance", ParsedOption(round(chance_of(token), 10), start, end)
    if token.kind == "wave":
        holder = token.value[2]
        if holder not in (None, "last"):
            raise MatchupError(line, start, end, _("`hold:` takes only `last`, as in `... then hold:last 6 inf`."))
        return "hold", ParsedOption("" if not token.value[1] else holder or "any", start, end)
    if token.kind in ("option", "unread"):
        return LEXER.read_option(line, token, side)
    if token.kind == "word" and _NAME.fullmatch(token.text):
        raise MatchupError(line, start, end, _unknown_word_text(token.text), _nearest_option(token.text))
    reason = _("I can't read this. Put a number before each unit: `{example}`.", example=example_here(ARMIES))
    raise MatchupError(line, start, _JUNK.match(line, start).end(), reason)  # type: ignore[union-attr]


def _with_army(options: Mapping[str, ParsedOption], army: NamedArmy, wave: int) -> dict[str, ParsedOption]:
    """Return options with those of a named army, in place of an army of a preset, and under those of the line."""
    prefix = wave_prefix(wave)
    own = {
        key: field for key, field in options.items() if not (field.saved and key.startswith(f"{prefix}{army.side}."))
    }
    added = {
        key if key in WHOLE_BATTLE else f"{prefix}{key}": field
        for key, field in options_of_army(_parse_options(army.line, {}), army, wave).items()
    }
    return own | {key: field for key, field in added.items() if key not in own or own[key].saved}


def _unknown_word_text(word: str) -> str:
    if names_a_unit(word):
        return _("How many? Put a number before the unit: `3 {unit}`.", unit=word)
    if word == "hold":
        return _("A counter-attack needs its own wave: `... then hold 6 inf`.")
    if word == "advice":
        return _("`advice` works for games that compare dice, such as `12 9`.")
    words = ", ".join(
        f"`{name}`"
        for name in ("vs", "then", "loss", "rounds", "retreat", "keep", "value", "worth", "lowluck", "variant")
    )
    text = _("I read units, {words} and more: `/help axis` lists them all.", words=words)
    return unknown_word_hint(word, _nearest_option(word), text)


def _nearest_option(word: str) -> str:
    """Return the option that was probably meant; empty if none is near or the word only lacks a part."""
    if names_a_unit(word) or word in ("hold", "advice"):
        return ""
    near = nearest_word(word, [*WORDS, *SYNONYMS, "then", "hold"], 0.7)
    return SYNONYMS.get(near, near)
