"""Reads places that change how their defenders fight, and hordes of zombies, by who attacks whom."""

from collections.abc import Sequence
from dataclasses import replace

from bot.phrases.pieces import ATTACKS, HOLD_LAST
from bot.phrases.tag import Tag, first_meaning, has_table, tag_at

SITES = frozenset(
    (
        *("castle", "2210-station", "2210-station-one", "lotr-stronghold", "lotr-siege"),
        *("fortification", "bunker", "capital-city", "wall", "capital-wall"),
    )
)
"""The variants of places that somebody defends."""
MEETING = ("attack", "against", "onto")
"""The roles of words before such a place: "storming a castle"."""
_ATTACKS = (*ATTACKS, "self attacked")
_HOLDS = ("hold", "have", "here", *HOLD_LAST)
HORDES = {"attacks": "zombies-attack", "holds": "zombies-defend"}
"""The variants of a horde that attacks, and of one that is attacked."""


def is_site(tag: Tag) -> bool:
    """Tell whether a word names a place that somebody defends."""
    return tag.table in ("variants", "special") and SITES.issuperset(tag.value.split())


def read_sites(tags: Sequence[Tag]) -> list[Tag]:
    """Return tags in which a number behind a place is that of its defenders: "11 storm a castle with 7"."""
    result = list(tags)
    for index, tag in enumerate(tags):
        link, count = tag_at(tags, index + 1), tag_at(tags, index + 2)
        if is_site(tag) and link.is_role("with", "for") and count.table == "number":
            result[index + 1] = link.left_out
    return _read_hordes(result)


def _read_hordes(tags: Sequence[Tag]) -> list[Tag]:
    """Let zombies without a number be the other player's: "zombies come at us with 20, we are 12"."""
    hordes = [index for index, tag in enumerate(tags) if tag.is_role("zombies")]
    lone = [index for index in hordes if not _is_counted(tags, index)]
    if len(hordes) != 1 or not lone or has_table(tags, "units", "ships"):
        return list(tags)
    acts = _acts(tags, lone[0])
    if not acts:
        return list(tags)
    horde = tags[lone[0]]
    rule = replace(horde, table="variants", value=HORDES[acts])
    return [*tags[: lone[0]], rule, replace(horde, value="other"), *tags[lone[0] + 1 :]]


def _is_counted(tags: Sequence[Tag], index: int) -> bool:
    before = first_meaning(reversed(tags[:index]))
    return before.table == "number" or before.is_role("for", "self")


def _acts(tags: Sequence[Tag], index: int) -> str:
    """Return what a horde does, by the verb behind it or by the word before it; "" if nothing says so."""
    before = first_meaning(reversed(tags[:index]))
    if before.is_role(*MEETING):
        return "holds" if has_table(tags[:index], "number") or before.is_role("attack") else ""
    verb = first_meaning(tags[index + 1 :])
    return "attacks" if verb.is_role(*_ATTACKS) else "holds" if verb.is_role(*_HOLDS) else ""
