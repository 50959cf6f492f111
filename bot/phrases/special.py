"""Reads names of games, words such as "marshal" by the special rules that they may mean, and dice that no side has."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from bot.packs import load
from bot.phrases.beside.companions import find_companions, read_sites
from bot.phrases.tag import CHOICES, Tag, has_role, has_table, tag_at, tags_of, values_of
from bot.phrases.vocabulary import Vocabulary

OPEN = ("games", "special")
"""The tables of words that choose no variant by themselves; the value of such a word names those it may mean."""
OWNERS = {"general": "self", "marshal": "other"}
"""The owner of each card that only one side can use, where "I" attack."""
DICE_OF_BOTH = "adice:{d},{d},{d} ddice:{d},{d}"
"""The dice of both sides in battles of numbers, as the files of words have them."""
MOST_VARIANTS = 2
"""The most variants that are offered for a word, beside the line without it."""


def choose_variants(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Let words of one game choose variants where only one fits each: "Castle Risk, he plays the marshal in a castle".

    The name of a game says no more where a variant of it is named; without a word of a special rule it stays open.
    """
    tags = _without_leaders(_read_cards(tags, known))
    named = {*values_of(tags, "variants")}
    alone = {tag.value for tag in tags_of(tags, "special") if " " not in tag.value}
    tags = [_of_named_game(tags, index, named | alone - {tag.value}) for index, tag in enumerate(tags)]
    named = {*values_of(tags, "variants")}
    opened = tags_of(tags, *OPEN)
    if not opened:
        return list(tags)
    if named or {tag.table for tag in opened} != {*OPEN}:
        return [_leave_out(tag) if tag.table == "games" and named & {*tag.value.split()} else tag for tag in tags]
    games, special = tags_of(opened, "games"), tags_of(opened, "special")
    keys = {id(tag): _only_variant([*games, tag], tags[: tags.index(tag)]) for tag in special}
    if not all(keys.values()):
        return list(tags)
    return [_choose(tag, keys[id(tag)]) if id(tag) in keys else _leave_out(tag) for tag in tags]


def name_dice(tags: Sequence[Tag]) -> list[Tag]:
    """Let dice that no word gives to a side be those of both sides' units; right behind two numbers that stays open."""
    if has_table(tags, "units"):
        return [_of_units(tag) for tag in tags if not (tag.is_role("dice") and has_table(tags, "die"))]
    first = _first_behind_armies(tags)
    if len(tags_of(tags, "die")) != 1 or first is None or first.table != "die":
        return list(tags)
    open_dice = CHOICES.join((DICE_OF_BOTH, *DICE_OF_BOTH.split()))
    return [replace(tag, table="options", value=open_dice, slots=(tag.value,)) if tag is first else tag for tag in tags]


def _first_behind_armies(tags: Sequence[Tag]) -> Tag | None:
    """Return the first word of weight behind the last number if there are two; None if there is none."""
    counts = [index for index, tag in enumerate(tags) if tag.table == "number"]
    behind = tags[counts[-1] + 1 :] if len(counts) == 2 else ()
    return next((tag for tag in behind if not tag.is_role("with", "onto") and tag.text not in ("(", ",")), None)


def _of_units(tag: Tag) -> Tag:
    """Return a word for dice as the option of a battle of units."""
    if tag.table == "die":
        return replace(tag, table="options", value=f"dice:d{tag.value}")
    return replace(tag, value="dice:d{d}") if tag.value == DICE_OF_BOTH else tag


def _of_named_game(tags: Sequence[Tag], index: int, named: Set[str]) -> Tag:
    """Return a word for a single variant as that where another one of its game is named: "castle and marshal"."""
    tag = tags[index]
    only = _only_variant([tag], tags[:index]) if tag.table == "special" else ""
    if not only:
        return tag
    if only in named:
        return _leave_out(tag)
    games = {pack.name.partition(",")[0] for key, pack in load().items() if key in named and "," in pack.name}
    return _choose(tag, only) if load()[only].name.partition(",")[0] in games else tag


def _read_cards(tags: Sequence[Tag], known: Vocabulary) -> Sequence[Tag]:
    """Read words for cards and leaders: whose they are, and what is only a name or a number of them."""
    tags = [tag.left_out if _is_name(tags, index, known) else tag for index, tag in enumerate(tags)]
    tags = [replace(tag, table="special") if _is_in_wrong_hands(tag) else tag for tag in tags]
    return find_companions(read_sites(tags))


def _without_leaders(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Let the name of Risk 2210 mean no commanders where there are none; if one side has none it leaves that open."""
    at = next((index for index, tag in enumerate(tags) if tag.table == "skips" and tag.value == "unled"), None)
    if at is None or has_table(tags, "companions"):
        return tags
    owned = has_role(tags[max(at - 1, 0) : at + 4], "self", "other") and len(tags_of(tags, "variants")) == 1
    named = (replace(tag, table="special", value="2210-attack 2210-defence") if owned else tag.left_out for tag in tags)
    return [new if tag.value == "2210" else tag for tag, new in zip(tags, named, strict=True)]


def _is_name(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word is only what somebody is called: "my cat is called General"."""
    return tags[index].table in OPEN and tag_at(tags, index - 1).text in known.asides["naming"]


def _only_variant(opened: Sequence[Tag], before: Sequence[Tag]) -> str:
    """Return the one variant that all open words may mean; "" if there are more, or `before` it is the other side's."""
    keys = set.intersection(*({*tag.value.split()} for tag in opened)) & load().keys()
    key = keys.pop() if len(keys) == 1 else ""
    owner = next((tag.value for tag in reversed(before) if tag.is_role(*OWNERS.values())), "")
    return "" if owner and OWNERS.get(key, owner) != owner else key


def _is_in_wrong_hands(tag: Tag) -> bool:
    """Tell whether a card is said to be the other side's: the general's only helps who attacks."""
    return tag.table == "variants" and tag.who in OWNERS.values() and OWNERS.get(tag.value, tag.who) != tag.who


def _choose(tag: Tag, key: str) -> Tag:
    return replace(tag, table="variants" if key in load() else "options", value=key)


def _leave_out(tag: Tag) -> Tag:
    return tag.left_out if tag.table in OPEN else tag


def leaves_options_open(tag: Tag) -> bool:
    """Tell whether words may mean several options."""
    return tag.table == "options" and CHOICES in tag.value


def with_each_choice(tags: Sequence[Tag]) -> Iterator[list[Tag]]:
    """Yield tags with each of the variants or the options that the first words that leave one open may mean."""
    opened = next((tag for tag in tags if leaves_options_open(tag)), None)
    for value in opened.value.split(CHOICES) if opened else ():
        yield [replace(tag, value=value) if tag is opened else tag for tag in tags]
    named = tags_of(tags, *OPEN)
    for key in named[0].value.split()[:MOST_VARIANTS] if named else ():
        yield [_choose(tag, key) if tag is named[0] else _leave_out(tag) for tag in tags]
