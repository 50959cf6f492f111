"""Reads who leads an army by a special rule, such as a commander, and finds the variant by the sides that have one."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import join_variants
from bot.phrases.pieces import ATTACKS, HOLD_LAST, SIDES, SUBJECTS
from bot.phrases.tag import NOTHING, Tag, first_meaning, has_role, has_table, tag_at, tags_of, values_of
from bot.phrases.vocabulary import Vocabulary

TABLE = "companions"
"""The table of tags for those who lead an army; the value is the variant in which one attacks."""
LED: Mapping[str, Mapping[tuple[int, int], str]] = {
    "2210-attack": {
        **{(1, 0): "2210-attack", (2, 0): "2210-attack-two", (3, 0): "2210-attack-three"},
        **{(0, 1): "2210-defence", (0, 2): "2210-defence-two"},
        **{(1, 1): "2210", (2, 2): "2210-two", (3, 2): "2210-three"},
    },
    "lotr-leader": {(1, 0): "lotr-leader", (0, 1): "lotr-leader-defence", (1, 1): "lotr-leaders"},
    "halo-hero": {(1, 0): "halo-hero", (0, 1): "halo-hero-defence"},
}
"""The variants by how many lead the attacker's and the defender's army; the key of each table names its words."""
MOST = 3
"""The most who lead one army."""
ONLY_IN_GAME = ("halo-hero",)
"""Those whose words say nothing where their game is not named."""
_OF_SIDE = re.compile(r" (d?)capitals:(\d+)")
_VARIANT = re.compile(r" variant:(\S+)")
_PLANS = re.compile(r"( or | \|\| )")
_ATTACKS = (*ATTACKS, "attack-with")
_MEETS = (*_ATTACKS, "against", "onto")
"""The roles of words behind one who attacks: "leader against a stronghold"."""
_HOLDS = ("hold", *HOLD_LAST)


def find_companions(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let words such as "commander" stand for those who lead an army, where the phrase has no units of another game."""
    first = next((key for tag in tags_of(tags, "special") if (key := tag.value.split()[0]) in LED), "")
    units = {*values_of(tags, "units"), *values_of(tags, "ships")}
    in_game = any(first in tag.value.split() for tag in tags_of(tags, "games"))
    if not first or units or (first in ONLY_IN_GAME and not in_game):
        return list(tags)
    led = [replace(tag, table=TABLE, value=first) if _leads(tag, first) else tag for tag in tags]
    return _add_same(_leave_out_denials(_open_family(led, first), known), known.asides["too"])


def _leads(tag: Tag, key: str) -> bool:
    return tag.table == "special" and tag.value.split()[0] == key


def _open_family(tags: Sequence[Tag], first: str) -> list[Tag]:
    """Let the name of the game of those who lead, and words such as "fortress" that mean one thing there, say that."""
    named = [_in_family(tag, first.split("-")[0]) for tag in tags]
    return [tag.left_out if tag.table == "games" and first in tag.value.split() else tag for tag in named]


def _in_family(tag: Tag, family: str) -> Tag:
    keys = [key for key in tag.value.split() if key.startswith(family)] if tag.table == "special" else []
    return replace(tag, table="variants", value=keys[0]) if keys else tag


def _leave_out_denials(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Leave out that a side has none, with its name: "I got a commander, he doesn't"."""
    result = list(tags)
    for index in range(len(tags)):
        owner = _denied_owner(tags, index, known)
        if owner is not None:
            result[index], result[owner] = tags[index].left_out, tags[owner].left_out
    return result


def _denied_owner(tags: Sequence[Tag], index: int, known: Vocabulary) -> int | None:
    """Return the place of the side, or of the word before it, that is said to have none; None if nothing says so."""
    tag, after = tags[index], tag_at(tags, index + 1)
    nothing = tag.value == "0" and not tag.text.isdecimal()
    denies = nothing or tag.text in known.negations or tag.text in known.asides["denies"]
    if not denies or after.table in ("number", TABLE):
        return None
    if after.is_role(*SIDES, *_ATTACKS, *_HOLDS):
        return index + 1  # "one commander attacking, none defending"
    before = [place for place in range(max(index - 4, 0), index) if not _is_idle(tags[place])]
    owned = bool(before) and (tags[before[-1]].is_role(*SUBJECTS, "and", "with") or tags[before[-1]].table == TABLE)
    return before[-1] if owned else None  # "Anführer gibt's keinen"


def _is_idle(tag: Tag) -> bool:
    return tag.means_nothing or tag.is_role("have")


def _add_same(tags: Sequence[Tag], too: frozenset[str]) -> list[Tag]:
    """Put those who lead where a word such as "too" stands for them: "he has a commander and so do I"."""
    one = next((tag for tag in tags if tag.table == TABLE), NOTHING)
    result: list[Tag] = []
    for index, tag in enumerate(tags):
        here = [some for some in tags[max(index - 4, 0) : index + 5] if some.table == TABLE]
        again = (
            one is not NOTHING
            and tag.text in too
            and index > tags.index(one)
            and not any(_is_near(tags, index, some) for some in here)
        )
        owner = next((some for some in tags[index + 1 :] if not _is_idle(some)), NOTHING)
        if again and owner.is_role("self", "other"):
            result += [owner, replace(one, start=tag.start, end=tag.end, text=tag.text)]
        else:
            result.append(replace(one, start=tag.start, end=tag.end, text=tag.text) if again else tag)
    return result


def _is_near(tags: Sequence[Tag], index: int, companion: Tag) -> bool:
    """Tell whether no number, side or pause stands between a word and one who leads."""
    place = tags.index(companion)
    between = tags[min(index, place) + 1 : max(index, place)]
    return not (has_role(between, *SUBJECTS, "and") or any(tag.text in {",", ".", ";"} for tag in between)) and not (
        any(tag.table == "number" and tag.text.isdecimal() for tag in between)
    )


def compose_led(tags: tuple[Tag, ...], compose: Callable[[tuple[Tag, ...]], Meaning]) -> Meaning:
    """Compose a line about armies that somebody leads: they belong to an army as a capital ship does.

    NotClearError if nobody can tell whose they are, or no variant has so many.
    """
    companions = tags_of(tags, TABLE)
    if has_table(tags, "ships"):
        raise NotClearError("which variant")
    loose = _is_loose(tags)
    mine = _acts(tags, companions[0]) if loose else None
    try:
        meaning = compose(tuple(_stand_in(tags)))
    except NotClearError as error:
        kind = companions[0].value
        raise NotClearError(error.why, *(_with_variant(line, kind, "as said") for line in error.readings)) from error
    readings = [
        _with_variant(meaning.line, companions[0].value, side) for side in (("", "d") if loose else ("as said",))
    ]
    if loose and mine is None:
        raise NotClearError("which variant", *readings)
    line = readings[-1] if loose and not mine else readings[0]
    if not line:
        raise NotClearError("which variant")
    return Meaning(line, meaning.reasons, is_summed=True, remark=meaning.remark)


def _stand_in(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield tags with a capital ship for each who leads, and without what only these do."""
    loose = _is_loose(tags)
    for index, tag in enumerate(tags):
        before = next((some for some in reversed(tags[:index]) if not some.means_nothing), NOTHING)
        if tag.table == TABLE:
            if before.table == "number" and before.numbers[0] > MOST:
                yield replace(tag, table="roles", value="with")  # "10 v 8, leaders on both sides" are no 8 leaders
            yield replace(tag, table="ships", value="capitals", plural=False)
        elif tag.table == "names" and _owns(tags[index + 1 :]):
            yield replace(tag, table="roles", value="other")  # "Dave has a commander"
        elif not (before.table == TABLE and _is_of_companion(tags, index, loose)):
            yield tag


def _is_of_companion(tags: Sequence[Tag], index: int, loose: bool) -> bool:
    """Tell whether a verb behind one who leads says what only that one does: "my leader attacks a stronghold"."""
    after = first_meaning(tags[index + 1 :])
    return tags[index].is_role(*_MEETS, *_HOLDS) and (loose or after.table == "variants")


def _owns(tags: Sequence[Tag]) -> bool:
    """Tell whether one who leads follows behind a word such as "has"."""
    behind = next((tag for tag in tags if not _is_idle(tag)), NOTHING)
    return bool(tags) and tags[0].is_role("have") and behind.table == TABLE


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
    if has_role(tags[numbers[-1] + 1 : places[0]], "and") and tag_at(tags, numbers[-1] - 1).is_role("with"):
        return False  # "attack 9 with 13 and a leader"
    return not has_role(tags[numbers[-1] + 1 :], *SUBJECTS, "each", "have")


def _acts(tags: Sequence[Tag], companion: Tag) -> bool | None:
    """Tell whether one who leads attacks; None if no verb behind says so."""
    behind = tags[tags.index(companion) + 1 :]
    verb = first_meaning(behind)
    if verb.is_role(*_MEETS):
        return True
    return False if verb.is_role(*_HOLDS) else None


def _with_variant(line: str, kind: str, side: str) -> str:
    """Return a line with the variant for those who lead; "" if there is none.

    Args:
        line: A line with capital ships in their place.
        kind: The key of their table.
        side: "" and "d" put all on the attacker's and on the defender's side, "as said" leaves them where they are.
    """
    parts = [
        _name_variant(part, kind, side) if index % 2 == 0 else part for index, part in enumerate(_PLANS.split(line))
    ]
    return "".join(parts) if all(parts) else ""


def _name_variant(line: str, kind: str, side: str) -> str:
    counts = {"": 0, "d": 0}
    for prefix, count in _OF_SIDE.findall(line):
        counts[prefix if side == "as said" else side] += int(count)
    plain = _OF_SIDE.sub("", line)
    if not any(counts.values()):
        return plain
    key = LED[kind].get((counts[""], counts["d"]), "")
    named = _VARIANT.findall(plain)
    return f"{_VARIANT.sub('', plain)} variant:{join_variants([*named, key])}" if key else ""
