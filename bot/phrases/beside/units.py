"""Says what words beside units make of them: technologies, loads, damage, titles, slashes, the classic edition."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from bot.editions import editions
from bot.notation.dice_options import CLASSIC
from bot.phrases.beside.clauses import says
from bot.phrases.pieces import ATTACKS, SHIPS, uses_letters
from bot.phrases.tag import (
    NOTHING,
    OF_UNITS,
    OWNERS,
    PARTING,
    Tag,
    first_meaning,
    has_table,
    leave_out,
    tag_at,
    tags_of,
)
from bot.phrases.vocabulary import Vocabulary

PLANES_ON_CARRIER = 2
"""The planes that a carrier can have on it."""
OF_LEADERS = (*OF_UNITS, "special")
"""The tables of words for ships, and for leaders and other cards."""
DAMAGED = {"bat": "dbat", "acc": "dacc"}
"""The damaged ships, by the whole ones."""


def read_units(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Return tags in which the words beside units have done their work; `known` are the words of their language."""
    tags = _put_behind_army(tags)
    units = has_table(tags, "units") or uses_letters(tags)
    rest = [_of_edition(_join_units(tags, index, known), known, units) for index in range(len(tags))]
    rest = [replace(tag, plural=tag.plural and not _is_single(rest, index, known)) for index, tag in enumerate(rest)]
    return _name_technologies(_load_carriers([*_without_marks(_name_attackers(_damage_ships(rest)))]), known)


def _put_behind_army(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Put ships that a line begins with behind the first army: "2 bombers: 12 vs 9"."""
    count, ship, colon, army, after = (tag_at(tags, place) for place in range(5))
    leads = (count.table, colon.text, army.table) == ("number", ":", "number") and after.table not in OF_UNITS
    if not leads or ship.value not in {*SHIPS, *SHIPS.values()}:
        return tags
    return [army, replace(colon, table="roles", value="with"), count, ship, *tags[4:]]


def _name_attackers(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Let units that are named again say who attacks: "3 subs vs 1 dd, subs attack"."""
    said = [index for index, tag in enumerate(tags) if not (tag.means_nothing or tag.table == "sign")]
    unit, verb = [0, 0, *said][-2:]
    against = next((index for index, tag in enumerate(tags) if tag.is_role("against")), unit)
    again = tag_at(tags, unit)
    sides = [any(tag.value == again.value for tag in side) for side in (tags[:against], tags[against:unit])]
    attacks = tag_at(tags, verb).is_role(*ATTACKS) and again.plural and tag_at(tags, unit - 1).table != "number"
    attacks = attacks and again.table in OF_UNITS and sides == [True, False]
    return leave_out(tags, range(unit if attacks else len(tags), len(tags)))


def _join_units(tags: Sequence[Tag], index: int, known: Vocabulary) -> Tag:
    """Return a word that names one more unit where it might name the other player: "y el destructor"."""
    joins = tags[index].text in known.asides["and_the"] and tag_at(tags, index + 1).table == "units"
    return replace(tags[index], table="roles", value="and") if joins else tags[index]


def _is_single(tags: Sequence[Tag], index: int, known: Vocabulary) -> bool:
    """Tell whether a word with one form for all numbers names one unit: "der Zerstörer", "Träger mit 2 Jägern"."""
    before, loaded = tag_at(tags, index - 1), tag_at(tags, index + 1).is_role("with")
    loaded = loaded and not (before.table == "noise" or before.is_role(*OWNERS))  # but not "meine Träger mit 2 Jägern"
    return tags[index].text in known.asides["alike"] and (loaded or before.text in known.asides["of_one"])


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
    classic = tag.value == CLASSIC and says([tag], known.asides["classic"])
    return replace(tag, value="aa-classic") if classic and units and tag.table == "variants" else tag


def _without_marks(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Yield tags without slashes within an army ("3 inf/1 tank") and labels before it ("vs transports: 4 trans")."""
    parted = any(tag.is_role(*PARTING, "self", "other") and tag.text != "/" for tag in tags)
    for index, tag in enumerate(tags):
        first, before, after, last = (tag_at(tags, index + place) for place in (-2, -1, 1, 2))
        counted = after.table == "number" and last.table in OF_UNITS
        joins = parted and tag.text == "/" and before.table in OF_UNITS and counted and last.value != before.value
        if not (joins or (_is_label(before, tag, after)) or _is_label(first, before, tag)):
            yield tag


def _is_label(before: Tag, tag: Tag, after: Tag) -> bool:
    """Tell whether a word only names the units that follow it, behind a word such as "vs"."""
    return before.is_role(*PARTING) and tag.table in OF_UNITS and tag.plural and after.text == ":"


def _load_carriers(tags: Sequence[Tag]) -> list[Tag]:
    """Put two fighters on each carrier that is said to be loaded, where these are the only planes of carriers."""
    kinds = [
        editions()[tag.value].short.values() for tag in tags if tag.table == "variants" and tag.value in editions()
    ]
    only = not any("tac" in short for short in kinds)
    loaded: list[Tag] = []
    for index, tag in enumerate(tags):
        beside = {tag_at(tags, index - 1).value, tag_at(tags, index + 1).value}
        if not tag.is_role("loaded"):
            loaded.append(tag)
        elif not (only and "acc" in beside):
            loaded.append(replace(tag, value="vague"))
        if only and tag.value == "acc" and "loaded" in beside:
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
        for unit in edition.plain_rules.units
        if unit.technology and unit.form_of in edition.short
    }


def _name_technologies(tags: Sequence[Tag], known: Vocabulary) -> list[Tag]:
    """Give units the technology that is named beside them without a number: "3 bom vs 4 inf, heavy bombers"."""
    rest = list(tags)
    for index, tag in enumerate(tags):
        form = "jet" if tag.text in known.asides["jets"] else tag.value
        counted = tag_at(tags, index - 1).table == "number" or tag_at(tags, index - 1).value == "1"
        if tag.table not in OF_UNITS or form not in _plain_units() or counted:
            continue
        if side := _side_with(rest, index, _plain_units()[form]):
            bracketed = tag_at(tags, index - 1).text == "(" and tag_at(tags, index + 1).text == ")"
            rest = leave_out(rest, range(index - bracketed, index + bracketed + 1))
            rest = [replace(tag, table="units", value=form) if at in side else tag for at, tag in enumerate(rest)]
    return rest


def _side_with(tags: Sequence[Tag], index: int, plain: str) -> list[int]:
    """Return the places of the units that a technology changes: on its side, else on the other."""
    words = (plain, SHIPS.get(plain, ""))
    places = [at for at, tag in enumerate(tags) if tag.value in words and tag.table in OF_UNITS and at != index]
    parted = next((place for place, tag in enumerate(tags) if tag.is_role("against", "attack", "attacked")), len(tags))
    near = [place for place in places if (place > parted) == (index > parted)]
    return near or places


def name_ships(tags: Sequence[Tag], _known: Vocabulary) -> list[Tag]:
    """Let ships and leaders be those of the player who is named right behind: "12 v 9, 2 bombers me, fighter him"."""
    last = next((tag for tag in reversed(tags) if not (tag.means_nothing or tag.table == "sign")), NOTHING)
    ships = {"", *SHIPS, *SHIPS.values()}
    if not last.is_role(*OWNERS) or not ships.issuperset(tag.value for tag in tags_of(tags, *OF_UNITS)):
        return list(tags)
    rest: list[Tag] = []
    for index, tag in enumerate(tags):
        before, after = tag_at(tags, index - 1), first_meaning(tags[index + 1 :])
        ends = after.table in ("", "sign", "number", *OF_LEADERS) or after.is_role("and")
        if tag.is_role(*OWNERS) and before.table in OF_LEADERS and ends:
            rest.append(Tag("roles", "for", tag.start, tag.start, text="for"))
        rest.append(tag)
    return rest
