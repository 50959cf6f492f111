"""Reads lines of games with dice: "12 9 bombers:2", to the battle that they mean."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, NamedTuple

from bot.errors import reason_of, sentence_of
from bot.games.base import Claim, Reading
from bot.games.dice.notation.building import (
    build_battle,
    die_remarks,
    in_usual_game,
    reroll_remarks,
    ship_remarks,
    ships_of,
    take_garrison,
)
from bot.games.dice.notation.suggestions import (
    nearest_option,
    nearest_pack,
    nearest_stacked,
    surplus_hint,
    surplus_text,
    unknown_pack_text,
    unknown_word_text,
)
from bot.games.dice.notation.writing import usual_rules
from bot.languages import _, compose
from bot.notation.asked_ends import WORDS, asked_ends
from bot.notation.defaults import current_defaults, reading_with
from bot.notation.dice_options import CLASSIC, OF_BOTH_SIDES, QUESTION_WORDS, RULES, VARIANT_NAMES, order_of
from bot.notation.lexer import DICE, Fields, ParsedOption, Token, chance_of, may_be_name, normal, put, tokens
from bot.notation.mistakes import MatchupError, UnknownWordError, WrongCommandError
from bot.notation.reading import preset_remark
from bot.packs import find, load
from solver import Battle, BattleError, Ships
from solver.dice.ships import SHIPS

EXAMPLE = "12 9"
EXAMPLES = dict.fromkeys(SHIPS, "12 9 bombers:2") | {"icons": "icons AAD,ADD,A,D,-,- 3 4"}
"""Lines of the games that a word belongs to."""
SIZES = {"attackers", "defenders"}
MARCH = {
    *("chance", "attackers"),
    *(option.word for option in OF_BOTH_SIDES if option.whole),
    *(f"attack.{kind}" for kind in SHIPS),
}
"""Fields that hold for a whole path wherever they stand in the line: the army's, and the attacker's plans."""

OF_BOTH = {"attack.icons", "defence.icons", *(option.word for option in OF_BOTH_SIDES if option.owner == "both")}
"""Fields of a preset that go with each of its armies: the rules, and the worth of the territory."""


class DiceLine(NamedTuple):
    """The parts of a line about dice beside its battle.

    Attributes:
        given: The sides whose numbers stand in the line: "attackers", "defenders".
        fleets: The ships of both sides as the line has them, more than the dice can use among them; None if it has
            none.
        behind: How many of the attacker's number must stay behind. They are not in the battle.
        other: The battle that the line may mean instead; None if there is none.
    """

    given: frozenset[str]
    fleets: tuple[Ships, Ships] | None
    behind: int
    other: Any = None


class Built(NamedTuple):
    """A battle as the fields of a line make it, the remarks about words of the line, and more of its `DiceLine`."""

    battle: Any
    remarks: tuple[str, ...]
    fleets: tuple[Ships, Ships] | None = None
    other: Any = None


Build = Callable[[str, list[Fields], str], Built]
"""Builds the battle of a line."""


def claims(text: str, saved: Mapping[str, str]) -> Claim:
    """Claim every line without `>`, so that this game explains mistakes in numbers."""
    return Claim.NO if has_steps(text, saved) else Claim.MAYBE


def has_steps(text: str, saved: Mapping[str, str]) -> bool:
    """Tell whether a line, or the line of a preset that it names, has the sign `>` of a path."""
    line = normal(text)
    names = [token.text for token in tokens(line) if token.text in saved and may_be_name(token)] if saved else []
    return ">" in line or any(">" in normal(saved[name]) for name in names)


def read_numbers(build: Build, text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """Read a line as what `build` makes of it, in the game that is usual in this place."""
    line = normal(text)
    name, side = _army_named(line, saved) if saved else ("", "")
    try:
        reading = _reading(build, line, in_usual_game(line, line_fields(line, saved, lone)), takes, lone)
        return reading._replace(of_words=(preset_remark(name, side), *reading.of_words)) if side else reading
    except MatchupError as error:
        if current_defaults().game == CLASSIC:
            raise
        with reading_with(current_defaults()._replace(game=CLASSIC)):
            try:
                _reading(build, line, in_usual_game(line, line_fields(line, saved, lone)), takes, lone)
            except MatchupError:
                raise error from None
        raise _with_way_out(error, line) from None


def _with_way_out(error: MatchupError, line: str) -> MatchupError:
    """Return a mistake of the usual game alone, with how to say that another game is meant."""
    hint = _(
        "Plain numbers mean `variant:{game}` here; add `variant:classic` after the first number to change that.",
        game=current_defaults().game,
    )
    reason = compose("{reason} {hint}", reason=error.reason, hint=hint)
    first, sign, others = line.partition(">")
    better = error.better or f"{first.rstrip()} variant:{CLASSIC} {sign}{others}".strip()
    return MatchupError(error.line, error.start, error.end, reason, better=better)


def _reading(build: Build, line: str, legs: list[Fields], takes: Collection[str], lone: str) -> Reading:
    """Return the reading of these fields; WrongCommandError for words about a question that is not asked here."""
    for word, where in QUESTION_WORDS.items():
        if word in legs[0] and word not in takes:
            raise WrongCommandError(line, legs[0][word].start, legs[0][word].end, _(where))
    behind, stays = take_garrison(line, legs, lone)
    numbers = frozenset(legs[0].keys() & SIZES)
    asked: dict[str, Any] = {
        word: legs[0][word].value for word in ("exact", "advice", "digits", "chance") if word in legs[0]
    }
    if "all" in legs[0]:
        asked["all"] = order_of(legs[0]["all"].value)
    asked |= asked_ends({word: legs[0][word].value for word in WORDS if word in legs[0]})
    built = build(line, legs, lone)
    line_details = DiceLine(numbers, built.fleets, behind, built.other)
    return Reading(built.battle, (*built.remarks, *stays), asked=asked, details=line_details)


def _one_battle(line: str, legs: list[Fields], lone: str) -> Built:
    """Build one battle."""
    if "leave" in legs[0]:
        raise MatchupError(line, *legs[0]["leave"][1:3], _("`leave` works with a path such as `20 > 5 > 4 > 2`."))
    if lone:
        legs[0] = {side: ParsedOption(1, 0, len(line)) for side in ("attackers", "defenders")} | legs[0]
    battle = battle_of(line, legs[0])
    values = {key: field.value for key, field in legs[0].items()}
    spoken = any(f"{side}.{kind}" in values for side in ("attack", "defence") for kind in SHIPS)
    fleets = ships_of("attack", values, battle.attack_ships), ships_of("defence", values, battle.defence_ships)
    remarks = *ship_remarks(line, legs[0], battle), *die_remarks(line, legs[0]), *reroll_remarks(line, legs[0], battle)
    return Built(battle, remarks, fleets if spoken else None)


read = partial(read_numbers, _one_battle)
"""Reads a line as a battle with dice."""


# Options -------------------------------------------------------------------------------------------


def line_fields(line: str, saved: Mapping[str, str], lone: str = "") -> list[Fields]:
    """Return what a line says; of a path first what goes for all of it, then what each territory has of its own."""
    legs: list[Fields] = [{}]
    leg, side, setup, before = 0, "attack", "", ""
    for token in tokens(line):
        start, end = token.start, token.end
        if token.kind == "step":
            if setup:
                reason = _("Write a path out in full, without a preset such as `{setup}`.", setup=setup)
                raise MatchupError(line, start, end, reason)
            legs.append({})
            leg, side = leg + 1, "defence"
        elif token.kind == "versus":
            side = "defence"
        elif token.text in saved and may_be_name(token):
            if setup:
                reason = _("Use one preset at a time; `{setup}` is already one.", setup=setup)
                raise MatchupError(line, start, end, reason)
            if len(legs) > 1:
                raise MatchupError(line, start, end, _("Write a path out in full, without presets."))
            setup = token.text
            saved_legs = line_fields(normal(saved[setup]), {})
            legs = _with_setup(legs[0], [_army_of(saved_legs[0], _army_named(line, saved)[1]), *saved_legs[1:]], token)
        elif token.kind != "sign":
            key, field = _parse_token(line, token, side, legs, leg, before, saved)
            fields = legs[0] if key in MARCH else legs[leg]
            put(line, fields, key, _put_together(line, fields, field) if key == "variant" else field)
        before = token.text
    if lone == "defenders":
        _turn_lone(legs, side)
    return legs


def _turn_lone(legs: list[Fields], side: str) -> None:
    """Give a lone number to the defenders, as in "/need 9" and "/need 5 > 4 > 2"; `side` is that of the last army."""
    if len(legs) == 1:
        if side == "attack" and legs[0].keys() & SIZES == {"attackers"}:
            legs[0]["defenders"] = legs[0].pop("attackers")
    elif _is_set(legs[0], "attackers"):
        legs.insert(1, {"defenders": legs[0].pop("attackers")})


def _put_together(line: str, fields: Fields, field: ParsedOption) -> ParsedOption:
    """Return the names of variants together with those that stand before them in the line."""
    if not _is_set(fields, "variant"):
        return field
    before = fields.pop("variant")
    if any(token.kind == "versus" for token in tokens(line[before.end : field.start])):
        _check_sides(line, before, field)
    return before._replace(value=f"{before.value},{field.value}", end=field.end)


def _check_sides(line: str, ours: ParsedOption, theirs: ParsedOption) -> None:
    """Refuse variants that change the other side alone, where both sides of `vs` name some."""
    before = VARIANT_NAMES.split(ours.value)
    for key in VARIANT_NAMES.split(f"{ours.value},{theirs.value}"):
        changes = load()[key].changes.values() if key in load() else ()
        changed = {what for change in changes for what in change}
        if changed == {"defence"} and key in before:
            text = _("`{name}` is a rule for the defender: write it after `vs`.", name=key)
            raise MatchupError(line, ours.start, ours.end, text)
        if changed == {"attack"} and key not in before:
            text = _("`{name}` is a rule for the attacker: write it before `vs`.", name=key)
            raise MatchupError(line, theirs.start, theirs.end, text)


def _army_named(line: str, saved: Mapping[str, str]) -> tuple[str, str]:
    """Return the preset that stands across `vs` from a number, and the side of which it gives the army alone.

    Returns:
        Its name, and "attacker" or "defender"; the side is "" for a preset that gives both armies, and for a path.
    """
    pieces = list(tokens(line))
    versus = next((number for number, token in enumerate(pieces) if token.kind == "versus"), len(pieces))
    place = next((number for number, token in enumerate(pieces) if token.text in saved and may_be_name(token)), None)
    if place is None:
        return "", ""
    name, behind = pieces[place].text, place > versus
    others = pieces[:versus] if behind else pieces[versus:]
    if ">" in normal(saved[name]) or not any(token.kind == "number" for token in others):
        return name, ""
    return name, "defender" if behind else "attacker"


def _army_of(fields: Fields, side: str) -> Fields:
    """Return the fields of a preset that go with the army of a side; all if that is ""."""
    defence = {key for key in fields if key == "defenders" or key.startswith("defence.")}
    keys = {"attacker": fields.keys() - defence, "defender": defence}.get(side, set(fields))
    return {key: fields[key] for key in fields if key in keys | OF_BOTH}


def _with_setup(options: Fields, saved_legs: list[Fields], token: Token) -> list[Fields]:
    """Return the fields of a preset, under those that the line has set before its name. It has a game of its own."""
    if current_defaults().game != CLASSIC:
        saved_legs[0].setdefault("variant", ParsedOption(CLASSIC, token.start, token.end))
    marked = [
        {key: ParsedOption(field.value, token.start, token.end, saved=True) for key, field in leg.items()}
        for leg in saved_legs
    ]
    return [marked[0] | options, *marked[1:]]


def _is_set(fields: Fields, key: str) -> bool:
    """Tell whether a line itself sets a field, rather than its preset."""
    return key in fields and not fields[key].saved


def _parse_token(
    line: str, token: Token, side: str, legs: list[Fields], leg: int, before: str, saved: Mapping[str, str]
) -> tuple[str, ParsedOption]:
    """Return the field that one piece of a line sets, and its value."""
    start, end = token.start, token.end
    if token.kind == "number":
        key = "defenders" if side == "defence" or _is_set(legs[0], "attackers") else "attackers"
        if _is_set(legs[leg], key) or (key == "defenders" and leg == 0 and len(legs) > 1):
            path = line.replace(" ", " > ") if re.fullmatch(r"\d+( \d+)+", line) else ""
            hint = surplus_hint(before, token.text)
            raise MatchupError(line, start, end, surplus_text(before, token.text), hint, path)
        return key, ParsedOption(int(token.text), start, end)
    if token.kind == "chance":
        return "chance", ParsedOption(chance_of(token), start, end)
    if token.kind in ("option", "unread"):
        return DICE.read_option(line, token, side)
    if before == "variant" and (key := nearest_stacked(legs[leg]["variant"].value, token.text)):
        behind = "," * (line[:start].rstrip()[-1:] not in (",", "+"))
        raise MatchupError(line, start, end, unknown_pack_text(token.text), behind + key)
    near = nearest_option(token.text, saved)
    wrong = MatchupError if near else UnknownWordError
    raise wrong(line, start, end, unknown_word_text(token.text, saved), near)


# From words to a battle ---------------------------------------------------------------------------------


def battle_of(line: str, fields: Fields) -> Battle:
    """Build the battle of these fields; MatchupError points at the field that is wrong."""
    options = {key: field.value for key, field in fields.items()}
    if not options.keys() >= SIZES:
        raise MatchupError(line, len(line), len(line) + 1, _missing(options))
    variant = options.get("variant", "")
    variant = "" if variant == CLASSIC else variant
    try:
        if variant and not find(variant):
            unknown = next(name for name in VARIANT_NAMES.split(variant) if name not in load())
            near = nearest_pack(unknown) if unknown == variant else ""
            raise MatchupError(line, *fields["variant"][1:3], unknown_pack_text(unknown), near)
        return build_battle(options, usual_rules(variant))
    except BattleError as error:
        start, end = _place(line, fields, error.field)
        reason = sentence_of(_with_variant(error, variant, options))
        raise MatchupError(line, start, end, reason, error.values.get("instead", "")) from None


def _with_variant(error: BattleError, variant: str, options: Mapping[str, Any]) -> BattleError:
    """Return an error that names the variant if the options of the line are right without it."""
    if not variant or error.field == "variant":
        return error
    try:
        build_battle(options, usual_rules(""))
    except BattleError:
        return error
    values = {"variant": variant, "why": reason_of(error)}
    return BattleError(error.field, "`{variant}` does not allow that: {why}", **values)


def _missing(options: Mapping[str, Any]) -> str:
    """Ask for the number, or for both, that a line lacks."""
    example = next((example for word, example in EXAMPLES.items() if any(word in key for key in options)), EXAMPLE)
    if "attackers" in options:
        return _("Against how many? For example `{example}`.", example=example)
    if "defenders" in options:
        return _("How many attack? For example `{example}`.", example=example)
    return _("How many attack, and how many defend? For example `{example}`.", example=example)


def _place(line: str, fields: Fields, name: str) -> tuple[int, int]:
    """Return where a line sets the field of an error, else its side's dice; the whole line if neither stands there."""
    name = next((option.word for option in RULES if option.field == name), name)
    side = name.partition(".")[0]
    near = [key for key in fields if name.startswith(f"{key}.") or key.startswith(f"{side}.")]
    icons = ("attack.icons", "defence.icons") if name == "faces" else ()
    for key in (name, *near, *icons, "dice", "variant"):
        if key in fields:
            return fields[key].start, fields[key].end
    return 0, len(line)
