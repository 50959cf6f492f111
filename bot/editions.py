"""Editions of Axis & Allies: rule packs with units, read from data, the words for these, and lines with an edition.

The files config/games/axis*.toml hold them; axis1942.toml says how they are written. What a unit means is for the
solver to say; an edition is right if the solver takes its rules.
"""

import gc
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.errors import UserError
from bot.host_files import data_files, read_tables
from bot.languages import _
from bot.notation.defaults import USUAL_EDITION, NotationDefaults, current_defaults
from bot.notation.dice_options import OPTIONS, SYNONYMS
from bot.notation.mistakes import nearest_variant, nearest_word
from bot.packs import FOLDER, KEY, OWN, Texts, texts_of
from solver import BattleError
from solver.axis.own_units import take_rules, with_own_rules, with_own_units
from solver.axis.packs import rules_of_pack
from solver.axis.units import AMPHIBIOUS, DAMAGED, EDITION_RULES, Rules
from solver.errors import quoted
from solver.games import AXIS
from solver.late import LateModule, load

_kernel = LateModule("solver.compiled.library")

USUAL = USUAL_EDITION
VARIANT = re.compile(r"(?<![^\s,;])variant ?[:= ] ?([a-z0-9-]+)")
"""The option for the edition in a normal line."""
_OWN_UNIT = re.compile(r"(?<![^\s,;])(?:unit ?[:=] ?[a-z_]+ ?= ?\d|rule ?[:=] ?[a-z]|dretreat ?[:=] ?[u\d])")
_TABLE = re.compile(r"(?:variant:\S+(?: |$))?(?=[urd])(?:unit:\S+(?: |$))?(?:rule:\S+(?: |$))?(?:dretreat:\S+)?")
_ARMY = re.compile(r"\d+ ([a-z_]+)(?: \d+ [a-z_]+)*(?: variant:\S+)?((?: unit:\S+)?(?: rule:\S+)?)")


@dataclass(frozen=True)
class Edition:
    """An edition: its names, its rules, and the words for its units.

    `plain_rules` are its rules for code that solves nothing. `words` is every word a unit answers to, `short` the word
    each unit is written with, and `technologies` the name of the technology that each word for one means. `unsure` says
    what about it is not sure, and is empty where nothing is. `bombardment` is the source of the rule that ships which
    bombard may not outnumber the units that land; empty where the rules have none.
    """

    key: str
    name: str
    about: str
    source: str
    unsure: str
    bombardment: str
    plain_rules: Rules
    words: Mapping[str, str]
    short: Mapping[str, str]
    technologies: Mapping[str, str]

    @property
    def rules(self) -> Rules:
        """Its rules for code that then solves a battle: this loads the solver, so the first battle need not."""
        _load_solver()
        return self.plain_rules

    def forms(self, words: Iterable[str]) -> dict[str, str]:
        """Return the units that technologies change, each with what it becomes, landed from the sea or not."""
        known = {self.technologies[word] for word in words}
        forms = {unit.form_of: unit.name for unit in self.plain_rules.units if unit.technology in known}
        landed = {f"{AMPHIBIOUS}{plain}": f"{AMPHIBIOUS}{form}" for plain, form in forms.items()}
        return forms | {plain: form for plain, form in landed.items() if plain in self.plain_rules.table}

    @property
    def remarks(self) -> list[str]:
        """The remarks about what is not certain in this edition."""
        if not self.unsure:
            return []
        return [
            _("Some rules of {edition} are unconfirmed or missing: `/help {key}`", edition=_(self.name), key=self.key)
        ]


class _Editions(dict[str, Edition]):
    """Editions by their keys; those with own units or rules of a table are made when they are asked for."""

    def __missing__(self, key: str) -> Edition:
        edition, _space, own = key.partition(" ")
        if not own:
            raise KeyError(key)
        return _with_own_units(edition, own)


@lru_cache(200)
def _with_own_units(key: str, own: str) -> Edition:
    """Return an edition with own units and rules of a table, from what the key of its rules has of them."""
    plain = editions()[key]
    texts = own.split()
    rules = with_own_rules(plain.plain_rules, [text[1:] for text in texts if "=" not in text])
    return _with_words(plain, with_own_units(rules, dict(text.split("=", 1) for text in texts if "=" in text)))


def _with_words(plain: Edition, rules: Rules) -> Edition:
    """Return an edition with these rules, which have own units beside its own, and with the words for them."""
    spoken = {name: [name] for name in rules.own[0] if name not in plain.plain_rules.table}
    taken = next((name for name in spoken if name in RESERVED | set(OPTIONS) - TWICE), "")
    if taken:
        raise BattleError(taken, "`{word}` means something else in a battle already", word=taken)
    words, short = dict(plain.words), dict(plain.short)
    _learn(rules, spoken, words, short)
    return replace(plain, plain_rules=rules, words=words, short=short)


@lru_cache
def editions(folder: Path = FOLDER, own: Path = OWN) -> Mapping[str, Edition]:
    """Return the editions by their keys: those of the folder, and the host's own. UserError says what is wrong."""
    known = _Editions()
    for file in data_files(folder, own, "axis*.toml"):
        for key, table in read_tables(file).items():
            try:
                known[key] = read_edition(key, table, known)
            except BattleError as error:
                raise UserError(f"{file}, [{quoted(key)[1:-1]}] {error.field}: {error.reason}.") from None
    return MappingProxyType(known)


@lru_cache
def _load_solver() -> None:
    """Load what solves usual battles, which takes many times as long as one of them."""
    load(AXIS.ask)
    _kernel.library()
    # Editions and modules stay as long as the program: to look for garbage among them takes longer than a battle.
    gc.freeze()


def read_edition(key: str, table: Any, known: Mapping[str, Edition]) -> Edition:
    """Read the pack of an edition, and take the words out of its tables; BattleError names the field that is wrong."""
    if not KEY.fullmatch(key):
        raise BattleError("", "a name needs 2 to 24 lower-case letters or digits, with single hyphens between them")
    if not isinstance(table, dict):
        raise BattleError("", f"a pack is a table of fields, not {quoted(table)}")
    texts, bombardment = texts_of(table), table.get("bombardment", "")
    if not isinstance(bombardment, str):
        raise BattleError("bombardment", "input should be a valid string")
    rest = {name: value for name, value in table.items() if name not in (*Texts._fields, "bombardment")}
    if "like" in rest:
        of_edition = _known_units(key, rest, known)
        return Edition(key, *texts, table.get("bombardment", known[rest["like"]].bombardment), *of_edition)
    units = rest.get("units")
    spoken: dict[str, list[str]] = {}
    for name, unit in units.items() if isinstance(units, dict) else ():
        if isinstance(unit, dict):
            spoken[name] = _words(f"units.{name}", unit.pop("words", None))
    technologies = _technologies(rest.get("technologies"), spoken)
    rules = rules_of_pack(key, rest)
    return Edition(key, *texts, bombardment, rules, *_vocabulary(rules, spoken), technologies)


def _technologies(tables: Any, spoken: dict[str, list[str]]) -> dict[str, str]:
    """Return the technology of every word, and add the words for the units that they make of others."""
    words: dict[str, str] = {}
    for key, table in tables.items() if isinstance(tables, dict) else ():
        if not isinstance(table, dict):
            continue
        place = f"technologies.{key}"
        for word in _words(place, table.pop("words", None)):
            if words.setdefault(word, key) != key:
                raise BattleError(f"{place}.words", f"`{word}` means {words[word]} already")
        for base, form in table.items():
            if isinstance(form, dict) and isinstance(form.get("name"), str):
                spoken[form["name"]] = _words(f"{place}.{base}", form.pop("words", None))
    return words


def _known_units(
    key: str, rest: Mapping[str, Any], known: Mapping[str, Edition]
) -> tuple[Rules, Mapping[str, str], Mapping[str, str], Mapping[str, str]]:
    """Return the rules of an edition with those of an earlier one, own units and own rules, and the words of its units.

    The words of technologies are the last.
    """
    other = known.get(rest["like"]) if isinstance(rest["like"], str) else None
    own = {name: rest[name] for name in EDITION_RULES if name in rest}
    table = {name: rest[name] for name in ("own_units", "own_rules") if name in rest}
    if other is None or rest.keys() - {"like", *table, *own}:
        raise BattleError("like", "give the name of an earlier variant here, and no fields but texts beside it")
    if isinstance(units := table.get("own_units"), dict):
        table["own_units"] = {other.words.get(word, word): text for word, text in units.items()}
        if len(table["own_units"]) < len(units):
            raise BattleError("own_units", "write each unit once")
    edition = _with_words(other, take_rules(table, other.plain_rules))
    return replace(edition.plain_rules, key=key, **own), edition.words, edition.short, edition.technologies


def _words(place: str, words: Any) -> list[str]:
    good = isinstance(words, list) and words and all(isinstance(word, str) for word in words)
    if not good or not all(re.fullmatch("[a-z][a-z_]{0,19}", word) for word in words):
        raise BattleError(f"{place}.words", "give a list of words in lower case")
    for word in words:
        if word in RESERVED or (word in OPTIONS and word not in TWICE):
            raise BattleError(f"{place}.words", f"`{word}` means something else in a battle already")
    return list(words)


RESERVED = {"v", "x", "vs", "versus", "against", "then", "hold"}
TWICE = {"fighters", "bombers"}
"""Ships of Star Wars Risk too; there their number follows them."""


def _vocabulary(rules: Rules, spoken: Mapping[str, list[str]]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the unit of every word, and the word that writes every unit."""
    words: dict[str, str] = {}
    short: dict[str, str] = {}
    _learn(rules, spoken, words, short)
    return words, short


def _learn(rules: Rules, spoken: Mapping[str, list[str]], words: dict[str, str], short: dict[str, str]) -> None:
    """Add units to the unit of every word, and to the word that writes every unit, with their landed forms."""

    def learn(unit: str, forms: list[str]) -> None:
        if not forms:
            raise BattleError(f"units.{unit}.words", "no word is free for its landed or damaged form")
        short[unit] = forms[0]
        for form in [unit, *forms]:
            for word in (form, *_plurals(form)):
                if words.setdefault(word, unit) != unit:
                    raise BattleError(f"units.{unit}.words", f"`{word}` means {words[word]} already")

    for unit, forms in spoken.items():
        learn(unit, forms)
    for unit in [name for name in rules.table if name not in short]:
        for prefix, letter in ((AMPHIBIOUS, "a"), (DAMAGED, "d")):
            if unit.startswith(prefix):
                whole = unit.removeprefix(prefix)
                forms = spoken.get(whole) or [short[whole]]
                learn(unit, [letter + form for form in forms if len(form) > 1 and letter + form not in words])


def _plurals(word: str) -> list[str]:
    """Return the plural of a word; none for an abbreviation of one or two letters."""
    if len(word) < 3:
        return []
    return [f"{word[:-1]}ies"] if word.endswith("y") else [f"{word}s"]


def resolve_variant(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a battle with the game of an edition in place of its `variant`."""
    key = document.get("variant")
    if str(document.get("game")).startswith("axis") and isinstance(key, str) and key in editions():
        return {**{name: value for name, value in document.items() if name != "variant"}, "game": f"axis{key}"}
    return dict(document)


def rules_by_game() -> dict[str, Rules]:
    """Return the rules of every edition by the name of its game in documents: "axis1942"."""
    return {f"axis{key}": edition.rules for key, edition in editions().items()}


def names_a_unit(word: str) -> bool:
    """Return whether a word means a unit in any edition."""
    return any(word in edition.words for edition in editions().values())


def is_army(line: str) -> bool:
    """Return whether a canonical line is that of an army without an enemy: "8 inf 2 fig variant:1940"."""
    army = _ARMY.fullmatch(line)
    return army is not None and (bool(army[2]) or names_a_unit(army[1]))


def has_own_units(line: str) -> bool:
    """Return whether a normal line has own units or rules of a table: "unit:mech=1/2/4", "rule:d12", "dretreat:2"."""
    return _OWN_UNIT.search(line) is not None


def is_table(line: str) -> bool:
    """Return whether a canonical line has own units and rules of a table alone: "variant:1940 unit:mech=1/2/4"."""
    return _TABLE.fullmatch(line) is not None


def own_words(line: str) -> list[str]:
    """Return the words for own units that a canonical line describes."""
    return [word for part in re.findall(r"(?<!\S)unit:(\S+)", line) for word in re.findall("([a-z_]+)=", part)]


def only_a_unit(word: str) -> bool:
    """Return whether a word means a unit in some edition, and nothing else in a line."""
    return word not in OPTIONS and word not in SYNONYMS and names_a_unit(word)


def nearest_edition(name: str) -> str:
    """Return the option for the edition of nearly this name; empty if none is near."""
    return nearest_variant(name, editions())


def nearest_unit(word: str, edition: Edition) -> str:
    """Return the word of an edition for the unit of nearly this name; empty if none is near."""
    return nearest_word(word, edition.words, 0.6)


def edition_with(word: str) -> str:
    """Return the edition that has a word for a unit, the best known one of several; empty if there is none."""
    return next((key for key in (USUAL, *editions()) if word in editions()[key].words), "")


def in_edition(line: str, edition: str) -> str:
    """Return a line of Axis & Allies in another edition than it is in."""
    variant = f"variant:{edition}"
    changed, count = VARIANT.subn(variant, line, count=1)
    return changed if count else f"{line} {variant}"


def with_edition(line: str, defaults: NotationDefaults) -> str:
    """Return a canonical line with its edition if these defaults have another and it does not say it."""
    return line if defaults.edition == USUAL or " variant:" in line else f"{line} variant:{USUAL}"


def example_here(line: str) -> str:
    """Return an example of Axis & Allies, with its edition if another is usual in this place."""
    first, between, others = line.partition(" || ")
    return line if current_defaults().edition == USUAL else f"{first} variant:{USUAL}{between}{others}"
