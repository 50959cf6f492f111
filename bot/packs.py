"""Rule packs: named variants of the games, read from data, so that one more needs no code.

A file is a game and a table in it a pack; config/games/risk.toml says how they are written. What a pack means is for
the solver to say: its rules are fields of the solver's JSON documents, and a pack is right if a battle can be had
under them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import combinations
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.errors import UserError, reason_of
from bot.host_files import data_folders, read_tables
from bot.languages import _
from bot.notation.defaults import SUITED, current_defaults
from bot.notation.dice_options import CLASSIC, VARIANT_NAMES
from bot.notation.lexer import tokens
from bot.settings import CONFIG
from solver import Battle, BattleError
from solver.dice.battle import ATTACK, GAMES
from solver.dice.battle import RULES as DICE_RULES
from solver.dice.changes import DIE, Rules, side_with, stack
from solver.dice.documents import read_pool
from solver.documents import read_part
from solver.errors import quoted

FOLDER = CONFIG / "games"
OWN = Path("config", "games")
LONGEST_ROW = 99

KEY = re.compile(r"(?=.{2,24}$)[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Pack:
    """A named variant of a game: its names in the notation and for people, and its rules.

    `rules` are the fields of a battle's document that are not as usual in the game, and `changes` what the packs say of
    which it is made, by their keys: itself, those that `both` names, or those that a line names together. `unsure` says
    what about them is not sure, and is empty where nothing is.
    """

    key: str
    game: str
    name: str
    about: str
    source: str
    unsure: str
    changes: Mapping[str, Rules]
    both: str = ""

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """Return the rules; BattleError says what is wrong with them, or which contradict each other."""
        return stack(self.changes)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the packs that a line names together, for people."""
        return tuple(load()[key].name for key in self.key.split(","))

    def battle(self, attackers: int, defenders: int) -> Battle:
        """Return a battle between so many armies under these rules; BattleError names the field that is wrong."""
        document = {"game": self.game, "attackers": attackers, "defenders": defenders, **self.rules}
        return replace(Battle.from_dict(document), variant=self.key)

    @cached_property
    def usual(self) -> Battle:
        """Return the battle to which lines with this pack add their options."""
        return self.battle(1, 1)


@lru_cache
def load(folder: Path = FOLDER, own: Path = OWN) -> Mapping[str, Pack]:
    """Load the packs by their keys: those of the folder, then the host's own, which add to them or replace them.

    Files are read once, as the settings are. UserError says which pack is wrong, and why.
    """
    packs: dict[str, tuple[Pack, Path]] = {}
    for place in data_folders(folder, own):
        packs |= {pack.key: (pack, file) for file, pack in _folder(place)}
    return MappingProxyType({key: _complete(pack, file, packs) for key, (pack, file) in packs.items()})


VARIANT_NAMES.known = load
MOST_TOGETHER = 6
"""The most packs that a line names together."""
STACKED = " + "
"""Stands between the names of packs that a line names together, for people."""


@lru_cache(500)
def find(names: str) -> Pack | None:
    """Return the pack of a name or of several with commas between them; None if one of them is unknown.

    Packs whose sum has a name of its own are named by that. BattleError says which of them can't stand together.
    """
    packs = load()
    keys = VARIANT_NAMES.split(names)
    if len(keys) == 1:
        return packs.get(keys[0])
    if not {*keys} <= packs.keys():
        return None
    if len(keys) > MOST_TOGETHER:
        raise BattleError("variant", "at most {most} variants stack", most=MOST_TOGETHER)
    if twice := next((key for key in keys if keys.count(key) > 1), ""):
        raise BattleError("variant", "`{one}` is named twice", one=twice)
    one, *others = (packs[key] for key in keys)
    if other := next((pack for pack in others if pack.game != one.game), None):
        raise BattleError("variant", "`{one}` and `{other}` are of different games", one=one.key, other=other.key)
    together = _fold([one, *others])
    if len(together) == 1:
        return together[0]
    pack = _sum(together)
    try:
        pack.battle(1, 1)
    except BattleError as error:
        raise error if error.field == "variant" else _clash(together, error) from None
    return pack


def _sum(packs: Sequence[Pack]) -> Pack:
    """Return the pack that says what several say."""
    changes = {key: change for pack in packs for key, change in pack.changes.items()}
    return replace(packs[0], key=",".join(pack.key for pack in packs), changes=changes, both="")


def _clash(packs: Sequence[Pack], error: BattleError) -> BattleError:
    """Return the error of packs that can't stand together: it names the first two of them that can't, or else all."""
    for pair in combinations(packs, 2):
        try:
            _sum(pair).battle(1, 1)
        except BattleError as of_pair:
            packs, error = pair, of_pair
            break
    *others, last = (pack.key for pack in packs)
    values = {"one": "`, `".join(others), "other": last, "why": reason_of(error)}
    return BattleError("variant", "`{one}` and `{other}` don't go together: {why}", **values)


def _fold(named: Sequence[Pack]) -> list[Pack]:
    """Return packs that say the same together, in the order of all packs, with those in place that are sums of them."""
    changes = {key for pack in named for key in pack.changes}
    packs, together = load(), set[str]()
    for pack in (pack for pack in packs.values() if len(pack.changes) > 1):
        if pack.changes.keys() <= changes:
            together.add(pack.key)
            changes -= pack.changes.keys()
    return [pack for pack in packs.values() if pack.key in together | changes]


def with_variant_rules(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a battle or a path with the rules of its `variant` in place of the name."""
    whole = {name: value for name, value in document.items() if name != "variant"}
    if "variant" not in document:
        return _with_legs(whole, {})
    named = document["variant"]
    names = named if isinstance(named, list) and named and all(isinstance(name, str) for name in named) else [named]
    pack = find(",".join(names)) if isinstance(names[0], str) else None
    if pack is None:
        raise UserError(f"variant: there is no rule pack {quoted(named)}.")
    if whole.setdefault("game", pack.game) != pack.game:
        raise UserError(f"variant: {pack.key} is a rule pack of {pack.game}, not of {quoted(whole['game'])}.")
    merged = {**pack.rules, **whole}
    for side in ("attack", "defence"):
        if isinstance(whole.get(side), dict):
            merged[side] = {**_rules_of_side(pack, side, whole[side]), **whole[side]}
    return _with_legs(merged, {field: whole.get(field, _USUAL[field]) for field in pack.rules})


def rules_with_dice(variant: str, side: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return what variants say of a side with dice that a line has: see `side_with`; nothing without such dice."""
    pack = find(variant)
    if pack and current_defaults().rules < SUITED:
        usual, count = getattr(pack.usual, side), own.get("number", 0)
        return {"dice": (*usual.dice, *[DIE] * count)[:count]} if count else {}
    rules = side_with(pack.changes if pack else {}, side, own) if own else {}
    return rules | {name: tuple(rules[name]) for name in ("dice", "bonus", "clamp") if name in rules}


def _rules_of_side(pack: Pack, side: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a pack says of a side whose document may have dice of its own."""
    own = {name: document[name] for name in ("dice", "explosions") if name in document}
    if not own:
        usual: Mapping[str, Any] = pack.rules.get(side, {})
        return usual
    read_part(side, partial(read_pool, own, ATTACK))  # refuses what are no dice
    return side_with(pack.changes, side, own)


_USUAL = {"attack": {}, "defence": {}, **{name: getattr(Battle(1, 1), name) for name in (*DICE_RULES, "rounds")}}


def _with_legs(document: dict[str, Any], without: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a path with the rules of its territories, which may have variants of their own.

    Such a variant takes the place of the document's: `without` is what that one's fields would be without it.
    """
    if isinstance(document.get("legs"), list):
        document["legs"] = [
            {name: value for name, value in {**without, **with_variant_rules(leg)}.items() if name != "game"}
            if isinstance(leg, dict) and "variant" in leg
            else leg
            for leg in document["legs"]
        ]
    return document


def row_text(key: str, name: str, about: str, unsure: str) -> str:
    """Describe a pack in one line."""
    called = _("{name} (unconfirmed)", name=_(name)) if unsure else _(name)
    text = f"{called}: {_(about)}"
    return f"{key}  {shorten(text, LONGEST_ROW - len(key) - 2, break_on_hyphens=False, placeholder=' …')}"


# Reading ------------------------------------------------------------------------------------------------


class Texts(NamedTuple):
    """The texts of a pack or an edition about itself; "" where there is none."""

    name: str
    about: str
    source: str
    unsure: str = ""


MOST_LETTERS = {"name": 24, "about": 300, "source": 300, "unsure": 300, "both": 50}
"""The most letters of each text."""
MAY_BE_MISSING = ("unsure", "both")
FIELDS = (*Texts._fields, "both")
"""The texts of a pack."""
RULES = (*_USUAL,)
"""The rules that a pack may have; the solver checks them."""


def texts_of(table: Mapping[str, Any]) -> Texts:
    """Return the texts in a table; BattleError names the one that is missing or wrong."""
    return Texts(*(_text(name, table) for name in Texts._fields))


def _text(name: str, table: Mapping[str, Any]) -> str:
    text = table.get(name)
    if text is None:
        if name in MAY_BE_MISSING:
            return ""
        raise BattleError(name, "it is missing")
    if not isinstance(text, str):
        raise BattleError(name, "input should be a valid string")
    text = text.strip()
    if len(text) > MOST_LETTERS[name]:
        raise BattleError(name, f"string should have at most {MOST_LETTERS[name]} characters")
    if not re.fullmatch(".+", text):
        raise BattleError(name, "one line of text is wanted")
    return text


def _folder(folder: Path) -> Iterator[tuple[Path, Pack]]:
    """Yield the packs of a folder, each with its file."""
    packs: dict[str, Pack] = {}
    for file in sorted(set(folder.glob("*.toml")) - set(folder.glob("axis*.toml"))):
        for pack in _file(file):
            if pack.key in packs:
                first = file.with_stem(packs[pack.key].game)
                raise UserError(f"{file}, [{pack.key}]: this name is taken by a pack in {first}.")
            packs[pack.key] = pack
            yield file, pack


def _file(file: Path) -> Iterator[Pack]:
    if file.stem not in GAMES:
        names = ", ".join(f"{game}.toml" for game in (*GAMES, "axis*"))
        raise UserError(f"{file}: there is no game of this name; the files here are {names}.")
    for key, table in read_tables(file).items():
        if not KEY.fullmatch(key):
            reason = "a name is 2 to 24 small letters, digits and single hyphens between them"
            raise UserError(f"{file}, [{quoted(key)}]: {reason}.")
        if _is_taken(key):
            raise UserError(f"{file}, [{key}]: this means something else in a battle already; take another name.")
        if not isinstance(table, dict):
            raise UserError(f"{file}, [{key}]: a pack is a table of fields, not {quoted(table)}.")
        try:
            yield _pack(key, file.stem, table)
        except BattleError as error:
            raise UserError(f"{file}, [{key}] {error.field}: {error.reason}.") from None


def _is_taken(key: str) -> bool:
    """Return whether the notation reads a key as something else; a mere number is fine after "variant"."""
    return key == CLASSIC or (not key.isdigit() and all(token.kind not in ("word", "junk") for token in tokens(key)))


def _pack(key: str, game: str, table: Mapping[str, Any]) -> Pack:
    texts = texts_of(table)
    rules = {field: value for field, value in table.items() if field not in FIELDS}
    for field in rules:
        if field not in RULES:
            reason = f"there is no such field; a pack has {', '.join((*FIELDS, *RULES))}"
            raise BattleError(field, reason)
    pack = Pack(key, game, texts.name, texts.about, texts.source, texts.unsure, {key: rules}, _text("both", table))
    pack.battle(1, 1)
    return pack


def _complete(pack: Pack, file: Path, packs: Mapping[str, tuple[Pack, Path]]) -> Pack:
    """Return a pack with the rules of those whose sum it is, if it has none of its own."""
    if not pack.both or pack.changes[pack.key]:
        return pack
    parts = [packs[key][0] for key in pack.both.split() if key in packs]
    if [part.key for part in parts] != pack.both.split() or any(part.both for part in parts):
        raise UserError(f"{file}, [{pack.key}] both: give the names of packs that have rules of their own.")
    complete = replace(pack, changes={part.key: part.changes[part.key] for part in parts})
    try:
        complete.battle(1, 1)
    except BattleError as error:
        raise UserError(f"{file}, [{pack.key}] {error.field}: {error.reason}.") from None
    return complete
