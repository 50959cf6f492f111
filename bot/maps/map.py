"""A map: its territories, continents and borders, and what in it a name means."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bot.errors import UserError
from bot.languages import LANGUAGES, _, compose, in_each_language, join_texts, language
from bot.names import bare_name

WORDS = "map", "from", "most", "rest", "none"
"""Words with a meaning of their own in lines about a map."""
MOST_SUGGESTIONS = 3
LONGEST_TYPED = 40
"""The most letters of what somebody typed that an answer repeats, and that is compared with the names of a map."""


class Names(NamedTuple):
    """The names of something on a map in one language: `short` is for the picture, `also` are the others."""

    name: str
    short: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A part of a map that has names: a territory or a continent. `names` has those of each language."""

    key: str
    names: Mapping[str, Names]

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return in_each_language({code: names.name for code, names in self.names.items()})

    @property
    def short(self) -> str:
        """The name in the reader's language in 12 letters or fewer."""
        return self.names[language()].short

    def all_names(self, code: str) -> tuple[str, ...]:
        """Return everything that it is called in a language, and its key."""
        name, short, also = self.names[code]
        return name, short, *also, self.key


@dataclass(frozen=True)
class Territory(Part):
    """A territory; `place` is where it stands on the picture, from the left and from the top in percent."""

    place: tuple[float, float]


@dataclass(frozen=True)
class Continent(Part):
    """A continent: the armies that it brings each turn, and the keys of its territories in the order of the map."""

    bonus: int
    territories: tuple[str, ...]


class Border(NamedTuple):
    """The keys of two neighbours; `around` says whether their border goes around the edge of the picture."""

    first: str
    second: str
    around: bool = False


@dataclass(frozen=True)
class Map:
    """A map: its name in each language, the source of its facts, and its territories and continents by their keys."""

    key: str
    names: Mapping[str, str]
    source: str
    territories: Mapping[str, Territory]
    continents: Mapping[str, Continent]
    borders: tuple[Border, ...]

    def reach(self, starts: Iterable[str], within: Collection[str]) -> set[str]:
        """Return starts with all territories of some that can be reached from them through these territories."""
        seen, ahead = set(starts), list(starts)
        while ahead:
            new = set(self.neighbours[ahead.pop()]).intersection(within) - seen
            seen |= new
            ahead += new
        return seen

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The keys of the neighbours of each territory, in the order of the map."""
        near: dict[str, set[str]] = {key: set() for key in self.territories}
        for key, other, _around in self.borders:
            near[key].add(other)
            near[other].add(key)
        return {key: tuple(other for other in self.territories if other in near[key]) for key in near}

    def territory(self, text: str) -> Territory:
        """Return the territory with this name or key in any language; UserError says which ones are near."""
        return self.territories[self._find(text, set(self.territories))]

    def find(self, text: str) -> tuple[Territory, ...]:
        """Return the territory with this name, or all territories of the continent with this name.

        UserError if nothing or more than one thing has the name; it says which names are near.
        """
        key = self._find(text, {*self.territories, *self.continents})
        keys = self.continents[key].territories if key in self.continents else (key,)
        return tuple(self.territories[key] for key in keys)

    def has(self, text: str) -> bool:
        """Tell whether a territory or a continent has this name in any language."""
        typed = common_form(text)
        return any(typed in names for names in self._keys.values())

    def nearest(self, text: str) -> str:
        """Return the key of the territory or continent whose name is the nearest; "" if none or several are."""
        typed = common_form(text)
        known = {name: key for names in self._keys.values() for name, key in names.items()}
        similar = _similar_names(typed, known)
        best = {known[name] for name, distance in similar if distance == similar[0][1]}
        return best.pop() if len(best) == 1 else ""

    def _find(self, text: str, wanted: set[str]) -> str:
        """Return the one of the wanted keys with this name. The reader's language comes first."""
        typed, word = common_form(text), bare_name(text[:LONGEST_TYPED]) or "…"
        for languages in ((language(),), tuple(LANGUAGES)):
            keys = {key for code in languages if (key := self._keys[code].get(typed)) in wanted}
            if len(keys) == 1:
                return keys.pop()
            if keys:
                raise UserError(_("`{word}` can mean {names}.", word=word, names=self._either(keys)))
        if near := self._near(typed, wanted):
            names = self._either(near)
            raise UserError(_("There is no `{word}` on this map. Did you mean {names}?", word=word, names=names))
        raise UserError(_("There is no `{word}` on this map.", word=word))

    @cached_property
    def _keys(self) -> Mapping[str, Mapping[str, str]]:
        """The keys of all names in each language."""
        parts = self._parts.values()
        return {
            code: {common_form(name): part.key for part in parts for name in part.all_names(code)} for code in LANGUAGES
        }

    @property
    def _parts(self) -> Mapping[str, Part]:
        return {**self.territories, **self.continents}

    def _near(self, typed: str, wanted: set[str]) -> list[str]:
        """Return the keys whose names begin with what was typed, or have it in them, or differ in a letter or two."""
        if not 1 < len(typed) <= LONGEST_TYPED:
            return []
        known = {name: key for code in LANGUAGES for name, key in self._keys[code].items() if key in wanted}
        similar = [name for name, _distance in _similar_names(typed, known)]
        proper = {common_form(part.name) for part in self._parts.values()}
        longer = [name for name in known if typed in name]
        longer.sort(key=lambda name: (name not in proper, not name.startswith(typed)))
        return list(dict.fromkeys(known[name] for name in [*similar, *longer]))[:MOST_SUGGESTIONS]

    def _either(self, keys: Collection[str]) -> str:
        *others, last = [compose("`{name}`", name=part.name) for key, part in self._parts.items() if key in keys]
        return _("{first} or {second}", first=join_texts(", ", others), second=last) if others else last


def _similar_names(typed: str, names: Iterable[str]) -> list[tuple[str, int]]:
    """Return the names most like what was typed, the nearest first, with the number of wrong letters: two at most."""
    # Imported here, because most names are known.
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    similar = extract(typed, list(names), scorer=OSA.distance, score_cutoff=min(2, len(typed) // 3), limit=None)
    return [(name, distance) for name, distance, _index in similar]


def name_of_key(key: str) -> str:
    """Return the name by which every language knows a territory or a continent: its key, with spaces."""
    return key.replace("_", " ")


def common_form(name: str) -> str:
    """Return a name without all in which people write it differently.

    Example:
        >>> common_form("Süd-Afrika") == common_form("sued afrika") == common_form("SUDAFRIKA")
        True
    """
    text = unicodedata.normalize("NFKD", name.casefold())
    return re.sub("(?<=[aou])e", "", "".join(c for c in text if c.isalnum()))
