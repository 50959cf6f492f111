"""Says what words mean where they are no part of a battle: nouns, titles, and words that matter beside armies only."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise, takewhile

from bot.phrases.beside.clauses import leave_out_talk
from bot.phrases.beside.names import COUNTABLE
from bot.phrases.pieces import SHIPS
from bot.phrases.tag import ENDS, NOTHING, OF_UNITS, Tag, has_role, has_table, leave_out, tag_at, tags_of
from bot.phrases.vocabulary import Vocabulary

AROUND_ARMIES = ("apart", "self", "other", "have", "for", "men", "unit", "with", "from")
"""The roles of words that may stand between an army and what is said of it."""
DOING: Mapping[str, Collection[str]] = {
    "bombards": ("bat", "dbat", "cru"),
    "support": ("bat", "dbat", "cru", "fig", "jet", "tac", "bom"),
}
"""The units that do what words say: a bombardment says nothing new of battleships."""


def leave_out_asides(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let words mean nothing where they are no part of a battle.

    Args:
        tags: The tags of a phrase.
        known: The words of its language.
    """
    titled = tag_at(tags, 0).table == "questions" and tag_at(tags, 1).text in known.asides["claims"]  # "table says"
    tags = leave_out(tags, [0] if titled else [])
    pairs = pairwise([NOTHING, *tags])
    plain = [tag.left_out if _is_noun(before, tag, known.asides["articles"]) else tag for before, tag in pairs]
    return _leave_out_idle_or(leave_out_talk(_leave_out_title(_leave_out_apart(plain)), known))


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
        given = has_role(tags[max(index - 2, 0) : index], "have", "with")
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
    named = {index for index, tag in enumerate(tags[:end]) if tag.table in OF_UNITS or tag.is_role("attack")}
    return leave_out(tags, named if _is_title(tags[:end], tags[end:]) else ())


def _is_title(title: Sequence[Tag], rest: Sequence[Tag]) -> bool:
    """Tell whether words with units are a title, and no part of a list."""
    if not has_table(title, *OF_UNITS) or has_table(title, "number", "die", "chance"):
        return False
    if len(tags_of(rest, *OF_UNITS)) < 2:
        return False
    colon, again = rest[0].text == ":", rest[1].table == "number" and rest[2].table in OF_UNITS
    # "the U-boats: 3 subs", "just inf on inf, 5 inf vs 4 inf", "attack on his carriers: ..."
    apart = (again and (colon or has_role(title, "onto", "against"))) or (colon and has_role(title, "attack"))
    return apart or (title[-1].table not in OF_UNITS and not rest[1].is_role("and"))


def _leave_out_idle_or(tags: Sequence[Tag]) -> list[Tag]:
    """Leave out an "or" that compares nothing: "12 vs 9, good or bad?", "is 7 v 7 stupid or ok"."""
    idle = (index for index, tag in enumerate(tags) if tag.is_role("or") and _compares_nothing(tags, index))
    return leave_out(tags, [*idle])


def _compares_nothing(tags: Sequence[Tag], at: int) -> bool:
    """Tell whether the sentence behind an "or" means nothing, and the last words before are no option of a battle."""
    clause = list(takewhile(lambda tag: tag.text not in ENDS, tags[at + 1 :]))
    last = next((tag for tag in tags[:at][::-1] if not (tag.means_nothing or tag.table == "sign")), NOTHING)
    quiet = clause and all(tag.means_nothing or tag.is_role("attack", "self", "hold") for tag in clause)
    return bool(quiet) and last.table not in ("options", "variants", "questions")
