"""Says what words beside units make of them: technologies, loads, damage, titles, slashes, the classic edition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from bot.editions import editions
from bot.notation.lexer import CLASSIC
from bot.phrases.pieces import ATTACKS, SHIPS, uses_letters
from bot.phrases.tag import OF_UNITS, PARTING, Tag, has_table, tag_at
from bot.phrases.vocabulary import Vocabulary

AA_CLASSIC = "aa-classic"
PLANES_ON_CARRIER = 2
"""The planes that a carrier can have on it."""
DAMAGED = {"bat": "dbat", "acc": "dacc"}
"""The damaged ships, by the whole ones."""
JETS = "jets"
"""A word for fighters that is one for a technology where no number counts them."""


def read_units(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which the words beside units have done their work; `known` are the words of their language."""
    units = has_table(tags, "units") or uses_letters(tags)
    rest = [_of_edition(_join_units(tags, index, known), known, units) for index in range(len(tags))]
    rest = [replace(tag, plural=tag.plural and not _is_single(rest, index, known)) for index, tag in enumerate(rest)]
    whole = _damage_ships(_without_owners(rest))
    return _name_technologies(_load_carriers([*_without_marks(_put_ships_behind(_name_attackers(whole)))]))


def _name_attackers(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Let units that are named again say who attacks: "3 subs vs 1 dd, subs attack"."""
    said = [index for index, tag in enumerate(tags) if not (tag.means_nothing or tag.table == "sign")]
    if len(said) < 4 or not has_table(tags, "number"):
        return tags
    unit, verb = said[-2:]
    before = tags[:unit]
    again = tags[unit].table in OF_UNITS and tags[unit].plural and tag_at(tags, unit - 1).table != "number"
    against = [index for index, tag in enumerate(before) if tag.is_role("against")]
    if not again or not tags[verb].is_role(*ATTACKS) or len(against) != 1:
        return tags
    sides = [
        any(tag.value == tags[unit].value for tag in side) for side in (before[: against[0]], before[against[0] :])
    ]
    return [*before, *(tag.left_out for tag in tags[unit:])] if sides == [True, False] else tags


def _join_units(tags: Sequence[Tag], index: int, known: Vocabulary) -> Tag:
    """Return a word that names one more unit where it might name the other player: "y el destructor"."""
    joins = tags[index].text in known.asides["and_the"] and tag_at(tags, index + 1).table == "units"
    return replace(tags[index], table="roles", value="and") if joins else tags[index]


def _is_single(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether an article says of a word with one form for all numbers that it names one unit: "der Zerstörer"."""
    return tags[index].text in known.asides["alike"] and tag_at(tags, index - 1).text in known.asides["of_one"]


def _without_owners(tags: Sequence[Tag]) -> list[Tag]:
    """Let the owner of guns that have fired mean nothing: "his aa already fired. 2 inf vs 3 inf 1 aa"."""
    fired = [tag.table == "options" and tag.value == "aafired" for tag in tags]
    return [
        tag.left_out if owned and tag.is_role("self", "other") else tag
        for tag, owned in zip(tags, [*fired[1:], False], strict=False)
    ]


def _damage_ships(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Make a ship a damaged one beside a word that says so: "a battleship that is damaged", "2 hit carriers"."""
    changed: list[Tag | None] = list(tags)
    for index, tag in enumerate(tags):
        if not tag.is_role("damaged"):
            continue
        ship = next((place for place in _around(tags, index) if tags[place].value in DAMAGED), None)
        if ship is None:
            changed[index] = replace(tag, value="apart")
        else:
            start, end = sorted((ship, index))
            changed[start : end + 1] = [None] * (end + 1 - start)  # "is damaged"
            changed[ship] = replace(tags[ship], value=DAMAGED[tags[ship].value])
    return [tag for tag in changed if tag]


def _around(tags: Sequence[Tag], index: int) -> Iterator[int]:
    """Yield the places of the next words before and behind a word that mean something; the one behind first."""
    for places in (range(index + 1, len(tags)), range(index - 1, -1, -1)):
        words = (place for place in places if not tags[place].means_nothing or tags[place].value == "1")
        yield from islice(
            (place for place in words if tags[place].text not in "()" and not tags[place].is_role("have", "is")), 1
        )


def _of_edition(tag: Tag, known: Vocabulary, units: bool) -> Tag:
    """Return the tag of a variant that is an edition beside units: "5 inf vs 4 inf, classic rules"."""
    classic = tag.value == CLASSIC and not known.asides["classic"].isdisjoint(tag.text.split())
    return replace(tag, value=AA_CLASSIC) if classic and units and tag.table == "variants" else tag


def _put_ships_behind(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Put ships in a title behind the army that has them: "2 bombers: 12 vs 9"."""
    if len(tags) < 4 or tags[2].text != ":" or tags[1].value not in {*SHIPS, *SHIPS.values()}:
        return tags
    titled = (tags[0].table, tags[1].table in OF_UNITS, tags[3].table) == ("number", True, "number")
    return [tags[3], *tags[:2], *tags[4:]] if titled and not has_table(tags[2:], *OF_UNITS) else tags


def _without_marks(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield tags without slashes within an army ("3 inf/1 tank") and labels before it ("vs transports: 4 trans")."""
    parted = any(tag.is_role(*PARTING, "self", "other") and tag.text != "/" for tag in tags)
    for index, tag in enumerate(tags):
        first, before, after, last = (tag_at(tags, index + place) for place in (-2, -1, 1, 2))
        counted = after.table == "number" and last.table in OF_UNITS
        joins = parted and tag.text == "/" and before.table in OF_UNITS and counted and last.value != before.value
        label = _is_label(before, tag, after) and last.table == "number"
        if not (joins or label or (_is_label(first, before, tag) and counted)):
            yield tag


def _is_label(before: Tag, tag: Tag, after: Tag) -> bool:
    """Tell whether a word only names the units that follow it, behind a word such as "vs"."""
    return before.is_role(*PARTING) and tag.table in OF_UNITS and tag.plural and after.text == ":"


def _load_carriers(tags: Sequence[Tag]) -> list[Tag]:
    """Put two fighters on each carrier that is said to be loaded, where these are the only planes of carriers."""
    kinds = [
        editions()[tag.value].short.values() for tag in tags if tag.table == "variants" and tag.value in editions()
    ]
    if any("tac" in short for short in kinds):
        return [replace(tag, value="vague") if tag.is_role("loaded") else tag for tag in tags]
    loaded: list[Tag] = []
    for index, tag in enumerate(tags):
        full = {tag_at(tags, index - 1).value, tag_at(tags, index + 1).value}
        if tag.is_role("loaded"):
            loaded += [] if "acc" in full else [replace(tag, value="vague")]
            continue
        loaded.append(tag)
        if tag.value == "acc" and "loaded" in full:
            carriers = next((some.numbers[0] for some in tags[max(index - 2, 0) : index] if some.table == "number"), 1)
            count = carriers * PLANES_ON_CARRIER
            number = Tag("number", str(count), tag.end, tag.end, (count,), text=str(count))
            loaded += [number, Tag("units", "fig", tag.end, tag.end, text="fighters", plural=True)]
    return loaded


@lru_cache
def _plain_units() -> Mapping[str, str]:
    """Return the units without a technology by the units that it makes of them, in short words."""
    return {
        edition.short[unit.name]: edition.short[unit.form_of]
        for edition in editions().values()
        for unit in edition.rules.units
        if unit.technology and unit.form_of in edition.short
    }


def _name_technologies(tags: Sequence[Tag]) -> list[Tag]:
    """Give units the technology that is named beside them without a number: "3 bom vs 4 inf, heavy bombers"."""
    rest = list(tags)
    for index, tag in enumerate(tags):
        form = "jet" if tag.text == JETS else tag.value
        if tag.table not in OF_UNITS or form not in _plain_units() or _is_counted(tags, index):
            continue
        if side := _side_with(rest, index, _plain_units()[form]):
            start, end = _clause_of(tags, index)
            rest[start:end] = [word.left_out for word in tags[start:end]]
            for place in side:
                rest[place] = replace(rest[place], table="units", value=form)
    return rest


def _clause_of(tags: Sequence[Tag], index: int) -> tuple[int, int]:
    """Return where the brackets begin and end around a technology; only its own place without brackets."""
    start = next((place for place in range(index, -1, -1) if tags[place].text in "()"), 0)
    bracketed = tags[start].text == "(" and tag_at(tags, index + 1).text == ")"
    return (start, index + 2) if bracketed else (index, index + 1)


def _is_counted(tags: Sequence[Tag], index: int) -> bool:
    before = tag_at(tags, index - 1)
    return before.table == "number" or (before.table == "noise" and before.value == "1")


def _side_with(tags: Sequence[Tag], index: int, plain: str) -> list[int]:
    """Return the places of the units that a technology changes: on its side, else on the other."""
    words = (plain, SHIPS.get(plain, ""))
    places = [
        place for place, tag in enumerate(tags) if tag.value in words and tag.table in OF_UNITS and place != index
    ]
    parted = next((place for place, tag in enumerate(tags) if tag.is_role("against", "attack", "attacked")), len(tags))
    before = [place for place in places if place < parted]
    behind = [place for place in places if place > parted]
    return (behind or before) if index > parted else (before or behind)
