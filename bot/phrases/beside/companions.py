"""Reads who leads an army, such as a commander, who holds a place such as a castle, and which army is a horde."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import join_variants
from bot.phrases.pieces import ATTACKS, HOLD_LAST, SUBJECTS
from bot.phrases.tag import (
    NOTHING,
    OWNERS,
    Tag,
    first_meaning,
    has_role,
    has_table,
    leave_out,
    tag_at,
    tags_of,
    values_of,
)

TABLE = "companions"
"""The table of tags for those who lead an army; the value is the variant in which one attacks."""
LED: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "2210-attack": (
        ("2210-attack", "2210-attack-two", "2210-attack-three"),
        ("2210-defence", "2210-defence-two", "2210-defence-two"),
    ),
    "lotr-leader": (("lotr-leader",), ("lotr-leader-defence",)),
    "halo-hero": (("halo-hero",), ("halo-hero-defence",)),
}
"""The variants by how many lead the attacker's army, and the defender's; the key of each table names its words."""
MOST = 3
"""The most who lead one army."""
ONLY_IN_GAME = ("halo-hero",)
"""The leaders whose words say nothing where their game is not named."""
_OF_SIDE = re.compile(r" (d?)capitals:(\d+)")
_VARIANT = re.compile(r" variant:(\S+)")
PLANS = (" or ", " || ")
"""The signs between two plans."""
_PLANS = re.compile("(" + "|".join(map(re.escape, PLANS)) + ")")
SITES = frozenset(
    (
        *("castle", "2210-station", "2210-station-one", "lotr-stronghold", "lotr-siege"),
        *("fortification", "bunker", "capital-city", "wall", "capital-wall"),
    )
)
"""The variants of places that somebody defends."""
MEETING = ("attack", "against", "onto")
"""The roles of words before such a place: "storming a castle"."""
_HOLDS = ("hold", "have", "here", *HOLD_LAST)
HORDES = {"attacks": "zombies-attack", "holds": "zombies-defend"}
"""The variants of a horde that attacks, and of one that is attacked."""


def find_companions(tags: Sequence[Tag]) -> list[Tag]:
    """Let words such as "commander" stand for those who lead an army, where the phrase has no units of another game.

    The name of their game, and words such as "fortress" that mean one thing there, say that.
    """
    first = next((key for tag in tags_of(tags, "special") if (key := tag.value.split()[0]) in LED), "")
    units = {*values_of(tags, "units"), *values_of(tags, "ships")}
    in_game = any(first in tag.value.split() for tag in tags_of(tags, "games"))
    if not first or units or (first in ONLY_IN_GAME and not in_game):
        return list(tags)
    return _read_meetings([_in_game(tag, first) for tag in tags])


def _read_meetings(tags: Sequence[Tag]) -> list[Tag]:
    """Let those who meet a place be the attacker's where no armies do: "12 vs 9, leader against a stronghold"."""
    result = list(tags)
    for index, leader in enumerate(tags):
        verb = _next(tags, index)
        place = _place_met(tags, index, verb) if leader.table == TABLE else 0
        if place:
            before = takewhile(lambda at: tags[at].is_role("with", *OWNERS), range(index - 1, -1, -1))
            holds = _next_past_leader(tags, place)
            gone = {*before, *range(verb, place), *([holds] if tag_at(tags, holds).is_role(*_HOLDS) else [])}
            attackers = [replace(tags[verb], value=role) for role in ("for", "attacker")]
            result = leave_out(tags, gone)
            result[index + 1 : index + 1] = attackers
    return result


def _place_met(tags: Sequence[Tag], index: int, verb: int) -> int:
    """Return where the place stands that those at an index meet; 0 if they meet none, or an army."""
    place = _next(tags, verb, *OWNERS)
    if (tag_at(tags, place).table, tag_at(tags, place).value) == ("sign", ","):
        place = _next(tags, place, *OWNERS)  # "leader attacks, stronghold defends"
        if not tag_at(tags, _next_past_leader(tags, place)).is_role(*_HOLDS):
            return 0
    parted = {at < index for at, tag in enumerate(tags) if tag.table == "number"} == {True, False}
    met = tag_at(tags, verb).is_role(*ATTACKS) or (tag_at(tags, verb).is_role(*MEETING) and not parted)
    return place if met and tag_at(tags, place).table == "variants" else 0


def _next_past_leader(tags: Sequence[Tag], place: int) -> int:
    """Return the next index behind a place and one who leads there: "his stronghold and a leader defend"."""
    behind = _next(tags, place)
    leader = _next(tags, behind)
    led = tag_at(tags, behind).is_role("and") and tag_at(tags, leader).table == TABLE
    return _next(tags, leader) if led else behind


def _next(tags: Sequence[Tag], index: int, *skipped: str) -> int:
    """Return the next index of a tag that makes a difference and has none of these roles."""
    return next(
        (at for at in range(index + 1, len(tags)) if not (tags[at].means_nothing or tags[at].is_role(*skipped))),
        len(tags),
    )


def _in_game(tag: Tag, first: str) -> Tag:
    """Return what a word means in the game of those who lead."""
    values = tag.value.split()
    if tag.table == "games" and first in values:
        return tag.left_out
    if tag.table != "special":
        return tag
    if values[0] == first:
        return replace(tag, table=TABLE, value=first)
    key = next((key for key in values if key.startswith(first.split("-")[0])), "")
    return replace(tag, table="variants", value=key) if key else tag


def compose_led(tags: tuple[Tag, ...], compose: Callable[[tuple[Tag, ...]], Meaning]) -> Meaning:
    """Compose a line about armies that somebody leads: they belong to an army as a capital ship does.

    NotClearError if nobody can tell whose they are, or no variant has so many.
    """
    kind = tags_of(tags, TABLE)[0].value
    try:
        meaning = compose(tuple(_stand_in(tags)))
    except NotClearError as error:
        raise NotClearError(error.why, *(_with_variant(line, kind) for line in error.readings)) from error
    line = _with_variant(meaning.line, kind)
    if _is_loose(tags):
        raise NotClearError("which variant", *(_with_variant(meaning.line, kind, side) for side in ("", "d")))
    if not line:
        raise NotClearError("which variant")
    if shared := _share_leader(tags, meaning.line):
        raise NotClearError("which variant", _with_variant(shared, kind))
    return Meaning(line, meaning.reasons, is_summed=True, remark=meaning.remark)


def _share_leader(tags: Sequence[Tag], line: str) -> str:
    """Return a line with the leader who meets a place on the attacker's side and all others on the defender's.

    It is "" where the line has the attacker's there already: "naval commander against a station with a commander".
    """
    leaders = [index for index, tag in enumerate(tags) if tag.table == TABLE]
    met = sum(tag_at(tags, at + 1).is_role("for") and tag_at(tags, at + 2).is_role("attacker") for at in leaders)
    if sum(int(count) for side, count in _OF_SIDE.findall(line) if not side) >= met:
        return ""
    return f"{_OF_SIDE.sub('', line)} capitals:{met} dcapitals:{len(leaders) - met}"


def _stand_in(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield tags with a capital ship for each who leads."""
    for index, tag in enumerate(tags):
        before = first_meaning(reversed(tags[:index]))
        if tag.table != TABLE:
            yield tag
            continue
        if before.table == "number" and before.numbers[0] > MOST:
            yield replace(tag, table="roles", value="with")  # "10 v 8, leaders on both sides" are no 8 leaders
        yield replace(tag, table="ships", value="capitals", plural=False)


def _is_loose(tags: Sequence[Tag]) -> bool:
    """Tell whether the only one who leads stands before or behind both armies, and no word says whose that is."""
    places = [index for index, tag in enumerate(tags) if tag.table == TABLE]
    pairs = enumerate(pairwise([*tags, NOTHING]))
    numbers = [index for index, (tag, after) in pairs if tag.table == "number" and after.table != TABLE]
    if len(places) != 1 or not numbers or numbers[0] < places[0] <= numbers[-1]:
        return False
    if places[0] < numbers[0]:
        before = tags[: numbers[0]]
        return not (has_role(before, *SUBJECTS, "with", "and", "each", "for") or has_table(before, "names"))
    with_it = tag_at(tags, numbers[-1] - 1).is_role("with")  # "attack 9 with 13 and a leader"
    return not has_role(tags[numbers[-1] + 1 :], *SUBJECTS, "each", "have", *(["and"] if with_it else []))


def _with_variant(line: str, kind: str, side: str | None = None) -> str:
    """Return a line with the variant for those who lead; "" if there is none.

    Args:
        line: A line with capital ships in their place.
        kind: The key of their table.
        side: "" and "d" put all on the attacker's and on the defender's side, None leaves them where they are.
    """
    parts = [part if part in PLANS else _name_variant(part, kind, side) for part in _PLANS.split(line)]
    return "".join(parts) if all(parts) else ""


def _name_variant(line: str, kind: str, side: str | None) -> str:
    counts = {"": 0, "d": 0}
    for prefix, count in _OF_SIDE.findall(line):
        counts[prefix if side is None else side] += int(count)
    plain = _OF_SIDE.sub("", line)
    if not any(counts.values()):
        return plain
    sides = [(count, keys) for count, keys in zip(counts.values(), LED[kind], strict=True) if count]
    if any(count > len(keys) for count, keys in sides):
        return ""
    led = [keys[count - 1] for count, keys in sides]
    return f"{_VARIANT.sub('', plain)} variant:{join_variants(_VARIANT.findall(plain), led)}"


def is_site(tag: Tag) -> bool:
    """Tell whether a word names a place that somebody defends."""
    return tag.table in ("variants", "special") and SITES.issuperset(tag.value.split())


def is_first_in_place(tags: Sequence[Tag]) -> bool:
    """Tell whether the first army stands in a place that somebody defends: "9 in a bunker against 12"."""
    numbers = [index for index, tag in enumerate(tags) if tag.table == "number"]
    against = next((index for index, tag in enumerate(tags) if tag.is_role("against")), numbers[-1])
    places = [at for at in range(numbers[0], against) if tags[at].table == "variants" and is_site(tags[at])]
    return any(not tag_at(tags, _before(tags, at)).is_role(*MEETING, "attacker") for at in places)


def _before(tags: Sequence[Tag], index: int) -> int:
    """Return the index of the last tag before one that makes a difference and names nobody."""
    idle = takewhile(lambda at: tags[at].means_nothing or tags[at].is_role(*OWNERS), range(index - 1, -1, -1))
    return index - 1 - len([*idle])


def read_sites(tags: Sequence[Tag]) -> list[Tag]:
    """Return tags in which a number behind a place is that of its defenders: "11 storm a castle with 7"."""
    result = list(tags)
    for index, tag in enumerate(tags):
        link, count = tag_at(tags, index + 1), tag_at(tags, index + 2)
        if is_site(tag) and link.is_role("with", "for") and count.table == "number":
            result[index + 1] = link.left_out
        if is_site(tag) and tag_at(tags, _before(tags, index)).is_role("from"):
            result[index] = replace(tag, table="special")  # "12 from my bunker": it may not matter to those who attack
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
    return "attacks" if verb.is_role(*ATTACKS, "self attacked") else "holds" if verb.is_role(*_HOLDS) else ""
