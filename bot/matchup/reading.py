"""Reading the notation: a line to the battle or the path it means, or an error that points at the wrong word."""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from bot.editions import names_a_unit
from bot.errors import sentence_of
from bot.languages import _, joined
from bot.matchup.armies import Wish, is_armies, may_be_armies, read_armies
from bot.matchup.army_words import ASKED, is_a_word, read_chance
from bot.matchup.building import built, ships_of
from bot.matchup.habits import meaning, unsaid
from bot.matchup.meant import Field, Fields, in_usual_game, staying
from bot.matchup.mistakes import MatchupError, UnknownWordError, meant, put_right
from bot.matchup.nearest import nearest, nearest_pack, no_surplus, offered, surplus, unknown_pack, unknown_word
from bot.matchup.remarks import battle_remarks, own_remarks, path_remarks
from bot.matchup.writing import AnyBattle, usual, write
from bot.packs import load
from bot.words import CLASSIC, LONGEST_TEXT, OPTIONS, Token, normal, order_of, tokens
from solver import Battle, BattleError, Ships
from solver.axis import AxisBattle
from solver.paths import Path
from solver.ships import SHIPS
from solver.waves import Waves

LONGEST_LINE = 1_000
LONGEST_TYPED = LONGEST_LINE + len(f" variant:{CLASSIC} behind:0")
"""With what lines say only where a place has habits of its own."""
EXAMPLE = "12 9"
EXAMPLES = dict.fromkeys(SHIPS, "12 9 bombers:2") | {"icons": "icons AAD,ADD,A,D,-,- 3 4"}
"""Lines of the games that a word belongs to."""
MARCH = {
    *("leave", "stop", "behind", "exact", "all", "advice", "chance", "attackers"),
    *(f"attack.{kind}" for kind in SHIPS),
}
"""What belongs to a whole path wherever it stands in the line: the army's, and the attacker's plans."""


class Reading(NamedTuple):
    """What a line means: a battle or a path, what is to be said of the words of the line, and what else is asked.

    `given` are the sides whose numbers stand in the line, `exact` asks for fractions, `chance` is one to be reached,
    `fleets` are the ships of both sides as the line has them, more than the dice can use among them; None where it
    does not speak of ships. `wish` is what is asked about a battle of Axis & Allies. `behind` is how many of an
    attacker's number stay behind; they are not in the battle. `advice` asks for small gains of fewer dice too. `ends`
    is the order of `words.ENDS` in which all ends are asked for; "" where they are not.
    """

    battle: AnyBattle
    of_words: tuple[str, ...] = ()
    given: frozenset[str] = frozenset({"attackers", "defenders"})
    exact: bool = False
    chance: float | None = None
    fleets: tuple[Ships, Ships] | None = None
    wish: Wish | None = None
    behind: int = 0
    advice: bool = False
    ends: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """All that is to be said: of the words of the line, then of the battle itself."""
        return *self.of_words, *own_remarks(self.battle)


def parse(text: str, saved: Mapping[str, str] | None = None, takes: Collection[str] = (), lone: str = "") -> Reading:
    """The battle or the path a line describes; `saved` maps names of saved set-ups, in lower case, to their lines.

    `takes` are the words about the question, rather than the battle, that have a meaning here: "exact", "all", ...
    Where numbers may be missing, `lone` is the side that a single one belongs to; the missing ones then are 1.
    """
    try:
        return _parsed(text, saved or {}, takes, lone)
    except MatchupError as error:
        raise put_right(error, lambda line: _parsed(line, saved or {}, takes, lone), normal(text)) from None


def _parsed(text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    line = normal(text)
    if (between := line.find("||")) >= 0:
        reason = _("Type one battle here; `||` is for two plans after `/compare`.")
        raise MatchupError(line, between, between + 2, reason)
    if len(line) > LONGEST_TYPED or len(text.partition("→")[0]) > LONGEST_TEXT:
        reason = _("A line can have at most {most} characters.", most=LONGEST_LINE)
        raise MatchupError(line, min(LONGEST_LINE, len(line)), len(line), reason)
    reading = _of_armies(line, saved, takes) or _of_dice(line, saved, takes, lone)
    if len(write(reading.battle)) > LONGEST_LINE:
        # Answers carry the line in full, and what stands under an answer must be read again.
        reason = _("Written out in full, this has more than {most} characters.", most=LONGEST_LINE)
        raise MatchupError(line, 0, len(line), reason)
    return reading


def _of_armies(line: str, saved: Mapping[str, str], takes: Collection[str]) -> Reading | None:
    """What a line of Axis & Allies means, by itself or with the name of a saved one; None for any other."""
    kept = next((token for token in tokens(line) if _may_be_name(token) and _is_saved(token, saved)), None)
    rest = line
    if kept:
        if not is_armies(normal(saved[kept.text])) and not _only_armies(normal(saved[kept.text])):
            return None
        rest = f"{line[: kept.start]} {line[kept.end :]}".strip()
    elif not is_armies(line):
        return None
    try:
        return _fitting(*read_armies(rest, normal(saved[kept.text]) if kept else ""), takes)
    except MatchupError as error:
        word = error.line[error.start : error.end]
        if "chance" in takes and re.fullmatch(r"[1-9]\d|0\.\d+", word):
            chance = f"{100 * read_chance(word):.10g}%"
            error = MatchupError(error.line, error.start, error.end, meant(chance), chance)
        if kept and error.better:
            error.better = f"{kept.text} {error.better}"
        raise error from None


def _fitting(battle: AxisBattle | Waves, wish: Wish, takes: Collection[str]) -> Reading:
    for word, field in wish.said.items():
        if word not in takes and field.value is not False:
            raise MatchupError(wish.line, field.start, field.end, _(ASKED[word]))
    exact, chance, ends = bool(wish.value("exact")), wish.value("chance"), order_of(wish.value("all"))
    return Reading(battle, wish.remarks, exact=exact, chance=chance, wish=wish, ends=ends)


def _is_saved(token: Token, saved: Mapping[str, str]) -> bool:
    """Whether it names a saved set-up; one that was saved under a unit's name is not meant beside units."""
    return token.text in saved and not names_a_unit(token.text)


def _only_armies(line: str) -> bool:
    """Whether a line whose units might be ships of Star Wars Risk can only be of Axis & Allies."""
    try:
        _reading(line, _fields(line, {}), (), "")
    except MatchupError:
        return may_be_armies(line)
    return False


def _of_dice(line: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """What a line of a dice game means; one that is none may still be of planes alone, in Axis & Allies."""
    try:
        return _reading(line, in_usual_game(line, _fields(line, saved, lone)), takes, lone)
    except MatchupError as error:
        if may_be_armies(line):
            try:
                battle, wish = read_armies(line)
            except MatchupError:
                pass
            else:
                return _fitting(battle, wish, takes)
        if unsaid().game != CLASSIC:
            raise _with_way_out(error, line, saved, takes, lone) from None
        raise


def _with_way_out(
    error: MatchupError, line: str, saved: Mapping[str, str], takes: Collection[str], lone: str
) -> MatchupError:
    """The same, with how to say that another game is meant where only the usual one makes it an error."""
    usual_game = unsaid().game
    with meaning(unsaid()._replace(game=CLASSIC)):
        try:
            _of_dice(line, saved, takes, lone)
        except MatchupError:
            return error
    hint = _(
        "Plain numbers mean `variant:{game}` here; add `variant:classic` after the first number to change that.",
        game=usual_game,
    )
    reason = joined("{reason} {hint}", reason=error.reason, hint=hint)
    told = MatchupError(error.line, error.start, error.end, reason)
    first, sign, others = line.partition(">")
    told.better = error.better or f"{first.rstrip()} variant:{CLASSIC} {sign}{others}".strip()
    return told


def _reading(line: str, legs: list[Fields], takes: Collection[str], lone: str) -> Reading:
    """What is said, as a battle or a path, where the words about the question belong here."""
    for word, where in ASKED.items():
        if word in legs[0] and word not in takes:
            raise MatchupError(line, legs[0][word].start, legs[0][word].end, _(where))
    behind, stays = staying(line, legs, lone)
    said = legs[0].keys() & {"attackers", "defenders"}
    asked: dict[str, Any] = {word: legs[0][word].value for word in ("exact", "advice", "chance") if word in legs[0]}
    asked |= {"behind": behind, "ends": order_of(legs[0]["all"].value if "all" in legs[0] else None)}
    if len(legs) > 1:
        return Reading(_path(line, legs), (*path_remarks(line, legs), *stays), **asked)
    if "leave" in legs[0]:
        raise MatchupError(line, *legs[0]["leave"][1:3], _("`leave` works with a path such as `20 > 5 > 4 > 2`."))
    if lone:
        legs[0] = {side: Field(1, 0, len(line)) for side in ("attackers", "defenders")} | legs[0]
    battle = _battle(line, legs[0])
    values = {key: field.value for key, field in legs[0].items()}
    spoken = any(f"{side}.{kind}" in values for side in ("attack", "defence") for kind in SHIPS)
    fleets = ships_of("attack", values, battle.attack_ships), ships_of("defence", values, battle.defence_ships)
    remarks = (*battle_remarks(line, legs[0], battle), *stays)
    return Reading(battle, remarks, frozenset(said), fleets=fleets if spoken else None, **asked)


def strangers(text: str) -> list[str]:
    """The pieces of a line that are not notation; they may be names of saved set-ups."""
    return [token.text for token in tokens(normal(text)[:LONGEST_LINE]) if token.kind in ("word", "junk")]


def may_name_a_setup(text: str) -> bool:
    """Whether a saved set-up may be meant in a line."""
    return any(_may_be_name(token) for token in tokens(normal(text)[:LONGEST_LINE]))


def _may_be_name(token: Token) -> bool:
    """Set-ups that were saved before their name became a word of the notation keep it."""
    bare = token.kind in ("option", "unread") and token.end - token.start == len(token.text)
    return token.kind in ("word", "junk") or bare


def is_name(text: str) -> bool:
    """Whether a saved set-up can be called so: a word of two letters or more, as `normal` leaves it, not notation."""
    if names_a_unit(text) or is_a_word(text):
        return False
    return len(text) > 1 and text == normal(text) and [token[:2] for token in tokens(text)] == [("word", text)]


# What is said -------------------------------------------------------------------------------------------


def _fields(line: str, saved: Mapping[str, str], lone: str = "") -> list[Fields]:
    """What the line says; of a path first what goes for all of it, then what each territory has of its own."""
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
        elif token.text in saved and _may_be_name(token):
            if setup:
                reason = _("Use one preset at a time; `{setup}` is already one.", setup=setup)
                raise MatchupError(line, start, end, reason)
            if len(legs) > 1:
                raise MatchupError(line, start, end, _("Write a path out in full, without presets."))
            setup = token.text
            legs = _with_setup(legs[0], _fields(normal(saved[setup]), {}), token)
        elif token.kind != "sign":
            key, field = _said(line, token, side, legs, leg, before, saved)
            fields = legs[0] if key in MARCH else legs[leg]
            if key in fields and not fields[key].kept:
                raise MatchupError(line, start, end, _("This is in the line twice."))
            fields[key] = field
        before = token.text
    if (
        lone == "defenders"
        and len(legs) == 1
        and side == "attack"
        and "defenders" not in legs[0]
        and "attackers" in legs[0]
    ):
        legs[0]["defenders"] = legs[0].pop("attackers")
    return legs


def _with_setup(said: Fields, kept: list[Fields], token: Token) -> list[Fields]:
    """What a saved set-up says, with what this line has said before it: the set-up is in a game of its own."""
    if unsaid().game != CLASSIC:
        kept[0].setdefault("variant", Field(CLASSIC, token.start, token.end))
    marked = [
        {key: Field(field.value, token.start, token.end, kept=True) for key, field in leg.items()} for leg in kept
    ]
    return [marked[0] | said, *marked[1:]]


def _said(
    line: str, token: Token, side: str, legs: list[Fields], leg: int, before: str, saved: Mapping[str, str]
) -> tuple[str, Field]:
    """What one word says about the battle."""
    start, end = token.start, token.end
    if token.kind == "number":
        ours = legs[0].get("attackers")
        key = "defenders" if side == "defence" or (ours and not ours.kept) else "attackers"
        known = legs[leg].get(key)
        if (known and not known.kept) or (key == "defenders" and leg == 0 and len(legs) > 1):
            error = MatchupError(line, start, end, surplus(before, token.text), no_surplus(before, token.text))
            if not error.better and re.fullmatch(r"\d+( \d+)+", line):
                error.better = line.replace(" ", " > ")
            raise error
        return key, Field(int(token.text), start, end)
    if token.kind == "chance":
        return "chance", Field(token.value, start, end)
    if token.kind == "unread":
        option = OPTIONS[token.text][1]
        reason = _("`{name}:` needs {wanted}.", name=token.text, wanted=_(option.wanted))
        raise MatchupError(line, start, end, reason, offered(token.text, line[start:end], option.offers))
    if token.kind != "option":
        near = nearest(token.text, saved)
        wrong = MatchupError if near else UnknownWordError
        raise wrong(line, start, end, unknown_word(token.text, saved), near)
    return OPTIONS[token.text][0].format(side=side), Field(token.value, start, end)


# From words to a battle ---------------------------------------------------------------------------------


def _path(line: str, legs: list[Fields]) -> Path:
    """The path that a line with ">" means."""
    for fields in legs:
        for key in fields.keys() & {"reserve", "rounds", "value", "reshape", "advice"}:
            if key != "rounds" or fields[key].value is not None:
                raise MatchupError(line, *fields[key][1:3], _("A path can't have `{word}`.", word=key))
    if "defenders" in legs[0]:
        reason = _("Put `>` between the numbers of a path: `20 > 5 > 4`.")
        raise MatchupError(line, *legs[0]["defenders"][1:3], reason)
    battles = []
    for fields in legs[1:]:
        if "defenders" not in fields:
            reason = _("Each territory needs defenders: `20 > 5 > 4`.")
            raise MatchupError(line, len(line), len(line) + 1, reason)
        battles.append(_battle(line, legs[0] | fields))
    given = legs[0].get("leave")
    leave = given.value if given else (1,)
    if len(leave) == 1:
        leave = leave * (len(battles) - 1)
    elif len(leave) == len(battles):
        leave = leave[:-1]  # A number for the last territory is forgiven.
    if given and len(leave) != len(battles) - 1:
        reason = _(
            "`leave:` needs one number for all territories, or one for each of the {territories}.",
            territories=len(battles),
        )
        raise MatchupError(line, given.start, given.end, reason)
    try:
        return Path.of(battles, leave)
    except BattleError as error:
        start, end = (given.start, given.end) if given and error.field == "leave" else (0, len(line))
        raise MatchupError(line, start, end, sentence_of(error)) from None


def _battle(line: str, fields: Fields) -> Battle:
    said = {key: field.value for key, field in fields.items()}
    if not {"attackers", "defenders"} <= said.keys():
        raise MatchupError(line, len(line), len(line) + 1, _missing(said))
    variant = said.get("variant", "")
    variant = "" if variant == CLASSIC else variant
    if variant and variant not in load():
        raise MatchupError(line, *fields["variant"][1:3], unknown_pack(variant), nearest_pack(variant))
    try:
        return built(said, usual(variant))
    except BattleError as error:
        start, end = _place(line, fields, error.field)
        raise MatchupError(line, start, end, sentence_of(error)) from None


def _missing(said: Mapping[str, Any]) -> str:
    """What is asked back where a number, or both, are missing."""
    example = next((example for word, example in EXAMPLES.items() if any(word in key for key in said)), EXAMPLE)
    if "attackers" in said:
        return _("Against how many? For example `{example}`.", example=example)
    if "defenders" in said:
        return _("How many attack? For example `{example}`.", example=example)
    return _("How many attack, and how many defend? For example `{example}`.", example=example)


def _place(line: str, fields: Fields, name: str) -> tuple[int, int]:
    """Where the line speaks of the field an error names: the field, else its side's dice, else the whole line."""
    side = name.partition(".")[0]
    near = [key for key in fields if name.startswith(f"{key}.") or key.startswith(f"{side}.")]
    icons = ("attack.icons", "defence.icons") if name == "faces" else ()
    for key in (name, *near, *icons, "dice", "variant"):
        if key in fields:
            return fields[key].start, fields[key].end
    return 0, len(line)
