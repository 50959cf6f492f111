"""Says what words mean where they are no part of a battle: nouns, titles, sums, places, people and presets."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from bot.phrases.beside.clauses import BREAKS, leave_out_talk
from bot.phrases.meaning import Rule, find_rule
from bot.phrases.pieces import SHIPS
from bot.phrases.tag import ENDS, NOTHING, OF_UNITS, PARTING, Tag, has_role, has_table, tag_at, tags_of
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.vocabulary import Vocabulary, vocabularies

AROUND_ARMIES = ("apart", "self", "other", "have", "for", "men", "unit", "with", "from")
"""The roles of words that may stand between an army and what is said of it."""
SHORTEST_NAME = 3
"""The fewest letters of an unknown word that may be a name."""
NAMES_WITH_S = ("en", "de")
"""The languages in which a name with an "s" says whose something is."""
DOING: Mapping[str, Collection[str]] = {
    "bombards": ("bat", "dbat", "cru"),
    "support": ("bat", "dbat", "cru", "fig", "jet", "tac", "bom"),
}
"""The units that do what words say: a bombardment says nothing new of battleships."""
ON_OR_OFF = ("attack", "self", "hold")
"""The roles of words that may stand behind an "or" that only asks whether to go on: "or stay at home"."""
OF_OWNERS = ("have", "hold", "attack", "attacked", "send", "is_attacker", "is_defender")
"""The roles of verbs whose subject has an army."""
WEST = "w"
"""A short form of "with" that may be a point of the compass: "w russia"."""
COUNTABLE = ("number", "units", "ships", "die", "chance")
"""The tables of words beside which an unknown word may be a unit, or change one."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?:\n]+")


def leave_out_asides(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let words mean nothing where they are no part of a battle.

    Args:
        tags: The tags of a phrase.
        known: The words of its language.
    """
    titled = (
        len(tags) > 1 and tags[0].table == "questions" and tags[1].text in known.asides["claims"]
    )  # "table says ..."
    tags = [tags[0].left_out, *tags[1:]] if titled else tags
    pairs = pairwise([NOTHING, *tags])
    plain = [tag.left_out if _is_noun(before, tag, known.articles) else tag for before, tag in pairs]
    told = leave_out_talk(_leave_out_sum(_leave_out_title(_leave_out_apart(plain))), known)
    return _leave_out_idle_or(_leave_out_ranks(told, known.asides["ranks"]))


def _is_noun(before: Tag, tag: Tag, articles: Set[str]) -> bool:
    """Tell whether a word that may ask something is a noun: "the place", "my roll"."""
    return tag.table == "questions" and " " not in tag.text and before.text in articles and tag.value != "bombing"


def _leave_out_apart(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out words that matter only beside an army, as in "3 dead"; beside ships a capital is one."""
    ships = any(tag.table in OF_UNITS and tag.value in {*SHIPS, *SHIPS.values()} for tag in tags)
    tags = [replace(tag, table="ships", value="capitals") if ships and tag.is_role("capital") else tag for tag in tags]
    return [tag.left_out if _is_apart(tags, index) else tag for index, tag in enumerate(tags)]


def _is_apart(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a word matters only beside other words, and these are not there, or name what it does."""
    tag = tags[index]
    if tag.is_role("apart"):
        given = tag_at(tags, index - 1).is_role("have", "with") or tag_at(tags, index - 2).is_role("have", "with")
        return not (given or _begins_with_army(tags[index + 1 :]) or _begins_with_army(tags[:index][::-1]))
    units = {other.value for other in tags_of(tags, *OF_UNITS)}
    raid = tag.is_role("factory") and any(other.value.startswith("bombing") for other in tags_of(tags, "questions"))
    return raid or bool(tag.table == "roles" and units.intersection(DOING.get(tag.value, ())))


def _begins_with_army(tags: Sequence[Tag]) -> bool:
    """Tell whether an army comes first among tags, but for words that make no difference."""
    first = next((tag for tag in tags if not (tag.means_nothing or tag.is_role(*AROUND_ARMIES))), NOTHING)
    return first.table in COUNTABLE


def _leave_out_title(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out the units in a title without numbers: "sub duel, ...", "kill the transports: ..."."""
    end = next((index for index, tag in enumerate(tags) if tag.text in (":", ",")), 0)
    if not _is_title(tags[:end], tags[end:]):
        return list(tags)
    title = (tag.left_out if tag.table in OF_UNITS or tag.is_role("attack") else tag for tag in tags[:end])
    return [*title, *tags[end:]]


def _is_title(title: Sequence[Tag], rest: Sequence[Tag]) -> bool:
    """Tell whether words with units are a title, and no part of a list."""
    if not has_table(title, *OF_UNITS) or has_table(title, "number", "die", "chance"):
        return False
    if len(tags_of(rest, *OF_UNITS)) < 2:
        return False
    again = _counts(rest[1], rest[2])  # "the U-boats: 3 subs"
    attack = rest[0].text == ":" and has_role(title, "attack")
    # "just inf on inf, 5 inf vs 4 inf"
    apart = again and (rest[0].text == ":" or has_role(title, "onto", "against"))
    return apart or attack or (title[-1].table not in OF_UNITS and not rest[1].is_role("and"))


def _leave_out_idle_or(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out an "or" that compares nothing: "12 vs 9, good or bad?", "is 7 v 7 stupid or ok"."""
    plain = list(tags)
    for index, tag in enumerate(tags):
        if tag.is_role("or") and _says_nothing(tags[index + 1 :]) and _ends_plainly(tags[:index]):
            plain[index] = tag.left_out
    return plain


def _says_nothing(tags: Sequence[Tag]) -> bool:
    """Tell whether the rest of a sentence has words, but none that means something."""
    clause = list(takewhile(lambda tag: tag.text not in ENDS, tags))
    return bool(clause) and all(tag.means_nothing or tag.is_role(*ON_OR_OFF) for tag in clause)


def _ends_plainly(tags: Sequence[Tag]) -> bool:
    """Tell whether the last words before an "or" are no option of a battle."""
    last = next((tag for tag in reversed(tags) if not (tag.means_nothing or tag.table == "sign")), NOTHING)
    return last.table not in ("options", "variants", "questions")


def _leave_out_sum(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out the sum of units that are named one by one: "7 planes (4 fighters, 3 bombers)"."""
    for index, (number, kind, mark) in enumerate(zip(tags, tags[1:], tags[2:], strict=False)):
        plural = kind.is_role("vague", "men", "unit") or kind.table in OF_UNITS
        if number.table != "number" or not plural or mark.text not in ("(", ":"):
            continue
        end = next((place for place in range(index + 3, len(tags)) if _ends_sum(tags[place], mark)), len(tags))
        parts = [tag.numbers[0] for tag, unit in pairwise(tags[index + 3 : end]) if _counts(tag, unit)]
        if len(parts) > 1 and sum(parts) == number.numbers[0]:
            return [*tags[:index], number.left_out, kind.left_out, mark.left_out, *tags[index + 3 :]]
    return list(tags)


def _ends_sum(tag: Tag, mark: Tag) -> bool:
    return tag.text == ")" if mark.text == "(" else tag.is_role("against", "attack", "onto")


def _counts(tag: Tag, unit: Tag) -> bool:
    return tag.table == "number" and unit.table in OF_UNITS


def _leave_out_ranks(tags: Sequence[Tag], ranks: Set[str]) -> list[Tag]:
    """Leave out a rank before a name, where no game has such a piece: "General Tom attacks my 9"."""
    if has_table(tags, "games"):
        return list(tags)
    pairs = pairwise([*tags, NOTHING])
    return [tag.left_out if tag.text in ranks and after.table == "names" else tag for tag, after in pairs]


def capital_words(text: str) -> frozenset[str]:
    """Return the words that begin with a capital letter in the middle of a sentence, in small letters."""
    names: set[str] = set()
    for sentence in _SENTENCE.split(unicodedata.normalize("NFKC", text)):
        words = _WORD.findall(sentence)
        capital = [word for word in words if word[0].isupper() and word[1:].islower()]
        if 2 * len(capital) <= len(words):
            names.update(word.casefold() for word in capital[capital[:1] == words[:1] :])
    return frozenset(names)


class Place(NamedTuple):
    """A word that may be a name, and where it stands.

    Attributes:
        tags: The tags of the phrase.
        at: Its place among them.
        known: The words of the language.
        capital: Whether it begins with a capital letter.
    """

    tags: Sequence[Tag]
    at: int
    known: Vocabulary
    capital: bool

    @property
    def tag(self) -> Tag:
        """The word itself."""
        return self.tags[self.at]

    @property
    def after(self) -> Tag:
        """The word behind it."""
        return tag_at(self.tags, self.at + 1)

    @property
    def verb(self) -> Tag:
        """The word behind it, or behind whom it does something to: "Iker me ataca"."""
        return tag_at(self.tags, self.at + 2) if self.after.is_role("self") else self.after

    @property
    def article(self) -> Tag:
        """The article before it; NOTHING if there is none."""
        before = tag_at(self.tags, self.at - 1)
        return before if before.text in self.known.articles else NOTHING

    @property
    def before(self) -> Tag:
        """The word before it, or before its article."""
        return tag_at(self.tags, self.at - 1 - (self.article is not NOTHING))

    @property
    def owner(self) -> Tag:
        """The word before it, its article and other names: "у" in "у дяди вовы"."""
        words = reversed(self.tags[: self.at - (self.article is not NOTHING)])
        return next((tag for tag in words if tag.table != "names"), NOTHING)

    @property
    def is_open(self) -> bool:
        """Whether it is not known, wherever it stands: long enough, like no word but a name, no thing, no denial."""
        tag, known = self.tag, self.known
        letters = len(tag.text) >= SHORTEST_NAME and tag.text.replace("'", "").isalpha()
        like = any(row.table == "names" for row in known.patterns.get(tag.value, ())) or not tag.value
        other = tag.table != "unknown" or not like or tag.text in known.asides["things"] or tag.text in known.negations
        return letters and not other

    @property
    def is_apart(self) -> bool:
        """Whether nothing before it says what it is: it begins a clause, but for words of no weight such as "so"."""
        owner = self.owner
        light = owner.table == "noise" and owner.text in self.known.light
        return light or owner is NOTHING or owner.table == "sign" or owner.is_role("and", "pause")

    @property
    def has_army(self) -> bool:
        """Whether it may be the subject of a verb: neither "a flurb attacks" nor "my flurb attacks"."""
        return self.article is NOTHING or self.capital or (self.article.table == "noise" and self.article.value != "1")

    @property
    def is_possessive(self) -> bool:
        """Whether its form says whose army follows: "Kev's", and "thorbens" behind a word such as "gegen"."""
        text = self.tag.text
        bare = text.endswith("s") and (self.before.is_role(*PARTING) or self.before is NOTHING)
        named = bare and (self.capital or self.has_rival) and self.known.language in NAMES_WITH_S
        return named or text.endswith(("'s", "s'"))

    @property
    def is_owner(self) -> bool:
        """Whether a word such as "у" says that it has an army."""
        return self.owner.text in self.known.asides["owns"] and (self.capital or self.has_rival)

    @property
    def has_rival(self) -> bool:
        """Whether another army is this player's."""
        return has_role(self.tags, "self")

    @property
    def ends(self) -> bool:
        """Whether a sign or nothing follows."""
        return self.after is NOTHING or self.after.table == "sign"

    @property
    def may_be_thing(self) -> bool:
        """Whether an article makes it a thing: "in the mountains" is no place, "a flurb attacks" is no person."""
        return self.article is not NOTHING and not self.capital


_NAMES: Sequence[Rule[Place, bool]] = (
    Rule("Horst: 12 vs 9", lambda it: not it.at and it.after.text == ":", True),
    Rule("9 flurb inf", lambda it: it.after.table in COUNTABLE[1:], False),
    Rule("der Horst hat 14", lambda it: it.is_apart and it.verb.is_role(*OF_OWNERS) and it.has_army, True),
    Rule("Kev's 14, Thorbens 14", lambda it: it.is_possessive and it.after.table == "number", True),
    Rule("у Зины 9", lambda it: it.is_owner and it.after.table == "number", True),
    Rule("me 12, sinead 9", lambda it: it.is_apart and it.after.table == "number" and it.has_rival, True),
    Rule("hey jonno, 12 v 9", lambda it: it.before.text in it.known.asides["calls"] and it.ends, True),
    Rule("атакую из Аляски, like a name", lambda it: it.tag.value != "", False),
    Rule("a flurb", lambda it: it.may_be_thing, False),
    Rule("12 flurb", lambda it: it.before is NOTHING or it.before.table in COUNTABLE, False),
    Rule("with flurb", lambda it: it.before.is_role("have", "with"), False),
    Rule("in Karlsruhe", lambda it: it.before.text in it.known.asides["places"] and it.after.table != "number", True),
    Rule("vs Karl", lambda it: it.capital or it.before.is_role("attack"), True),
)
"""Where a word that is not known is a name; the first rule that fits counts."""


def name_places(tags: Sequence[Tag], capitals: Set[str], known: Vocabulary) -> list[Tag]:
    """Return tags in which an unknown word is a name if it stands where a place or a person does, and only there."""
    named = list(tags)
    for index, tag in enumerate(tags):
        place = Place(named, index, known, tag.text in capitals)
        rule = find_rule(_NAMES, place) if place.is_open else None
        if rule and rule.make:
            named[index] = replace(tag, table="names", value="name")
        elif _fights(tags, index, known.articles) or _is_had(tags, index, known):
            named[index] = replace(tag, table="unknown", value="")
    return named


def _is_had(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a clause ends with what an army has, as in "he has Darth Vader"; "what are my odds" asks."""

    def is_head(tag: Tag) -> bool:
        return tag.table == "names" or (tag.table == "noise" and not tag.value and tag.text not in known.light)

    def is_part(tag: Tag) -> bool:
        return is_head(tag) or tag.text in known.articles or tag.is_role("for", "onto", "self", "other", "men")

    person = known.asides["people"] | known.asides["persons"]
    if not is_head(tags[index]) or tags[index].text in person:
        return False
    rest = next((tag for tag in tags[index:] if not is_part(tag)), NOTHING)
    before = [*takewhile(lambda tag: tag.text not in BREAKS, reversed(tags[:index]))]
    owner = next((tag for tag in before if not is_part(tag)), NOTHING)
    if not (rest is NOTHING or rest.text in BREAKS) or has_table(before, "questions"):
        return False
    return (owner.is_role("have") and owner.text not in known.asides["copula"]) or (
        owner.is_role("with") and owner.text != WEST and (before[-1] is owner or has_table(before, *COUNTABLE))
    )


def _fights(tags: Sequence[Tag], index: int, articles: Set[str]) -> bool:
    """Tell whether somebody with a name fights beside an army, as in "12 with gandalf vs 9"; "w russia" is western."""
    before, after = tag_at(tags, index - 1), tag_at(tags, index + 1)
    before = tag_at(tags, index - 2) if before.text in articles else before
    beside = before.is_role("with") and before.text != WEST
    return tags[index].table == "names" and beside and after.table not in COUNTABLE


def name_presets(tags: Iterable[Tag], saved: Collection[str]) -> Iterator[Tag]:
    """Let the names of presets mean these, wherever a word means nothing else for a battle."""
    for tag in tags:
        named = tag.text in saved and (tag.means_nothing or tag.table == "unknown")
        yield replace(tag, table="presets", value=tag.text) if named else tag


def says_who_plays(text: str) -> bool:
    """Tell whether somebody says in words who plays: "12 9 opponent Bob", "12 9 open", "12 9 at an open table"."""
    words = [token.text for token in tokens_of(normal_phrase(text)) if token.text[0].isalnum()]
    said, last = " ".join(["", *words, ""]), words[-1] if words and words[-1].isalpha() else ""
    for known in vocabularies().values():
        says, ends, names = (known.asides[name] for name in ("plays", "opens", "opponents"))
        behind = (*ends, *(f"{name} {last}" for name in names if last))
        if any(f" {words} " in said for words in says) or any(said.endswith(f" {words} ") for words in behind):
            return True
    return False
