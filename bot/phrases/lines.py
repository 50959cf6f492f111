"""Composes the line of the battle that the tags of a phrase mean, also of one against a preset."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from bot.editions import USUAL, has_own_units, is_army, is_table, own_words
from bot.notation.defaults import current_defaults
from bot.notation.reading import preset_remark
from bot.phrases.dice_lines import compose_dice
from bot.phrases.meaning import Evidence, Meaning, NotClearError, Rule, refuse
from bot.phrases.options import says_dice
from bot.phrases.pieces import SHIPS, SUBJECTS, Stack, pieces_of_armies, stacks_of
from bot.phrases.sides import OF_ORDER
from bot.phrases.tag import Tag, has_role, has_table, tags_of
from bot.phrases.unit_lines import compose_units

FACING = ("face", "faces")
"""Words for the faces of a die that are verbs too: "8 defenders face 15 attackers"."""
_COUNT = 98_765_432
"""How many stand in place of the preset while its line is composed; nobody types so many."""
_OPTIONS = r"(?P<options>(?: [a-z]\S*)*)"
_UNITS = re.compile(rf"(/\w+ )?(?:{_COUNT} inf vs (?P<army>.+)|(?P<attack>.+) vs {_COUNT} inf{_OPTIONS})")
_TWO_NUMBERS = re.compile(r"(/\w+ )?(\d+) (\d+)((?: \S+)*)")
_SHIP = re.compile(r"(?<= )(d?)(bombers|fighters|capitals):")
OWNING = ("have", "with", "and", "each", "for", "attack", "hold")
"""The roles of words by which ships belong to an army."""
_NUMBERS = re.compile(rf"(/\w+ )?(?:{_COUNT} (?P<army>\d+)|(?P<attack>\d+) {_COUNT}){_OPTIONS}")


def compose_battle(tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle of any game; NotClearError if there is none."""
    pieces = pieces_of_armies(tags)
    stacks = stacks_of(pieces)
    refuse(_DOUBTS, (tags, stacks))
    units = {stack.unit for stack in stacks}
    if units - {"", *SHIPS} or "" not in units:
        return compose_units(pieces, tags)
    return compose_dice(pieces, tags)


def _lacks_faces(tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase about icon dice names no faces."""
    icons = any(tag.is_role("icons") and tag.text not in FACING for tag in tags)
    return icons and not any("icons:" in tag.value for tag in tags)


def _leaves_dice_open(tags: Sequence[Tag]) -> bool:
    """Tell whether a phrase is about dice, and does not say which."""
    unknown = any(die.text != f"d{die.value}" for die in tags_of(tags, "die"))
    return unknown or (has_role(tags, "dice") and not says_dice(tags))


_DOUBTS: Sequence[Rule[tuple[Sequence[Tag], list[Stack]], str]] = (
    Rule("icon dice without faces", lambda it: _lacks_faces(it[0]), "which faces"),
    Rule("unknown dice", lambda it: _leaves_dice_open(it[0]), "which dice"),
    Rule("no number", lambda it: not it[1], "no armies"),
    Rule("units without a number", lambda it: any(stack.vague for stack in it[1]), "how many"),
)
"""Questions that no battle leaves open, with the reason to ask back."""


def write_out_armies(tags: Iterable[Tag], saved: Mapping[str, str]) -> Iterator[Tag]:
    """Put the units of armies in place of the presets that hold them: "germany attacks 6 inf"."""
    editions: dict[str, Tag] = {}
    for tag in tags:
        if tag.table != "presets" or not is_army(saved[tag.value]) or has_own_units(saved[tag.value]):
            yield tag
            continue
        units, _variant, edition = saved[tag.value].partition(" variant:")
        editions.setdefault(edition or USUAL, tag)
        for count, unit in zip(units.split()[::2], units.split()[1::2], strict=True):
            yield replace(tag, table="number", value=count, numbers=(int(count),), text=count)
            yield replace(tag, table="units", value=unit, text=unit)
    if editions.keys() - {current_defaults().edition}:
        yield from (replace(tag, table="variants", value=edition, text=edition) for edition, tag in editions.items())


def write_out_tables(tags: Iterable[Tag], saved: Mapping[str, str]) -> Iterator[Tag]:
    """Put rules and units of tables in place of the presets that hold them: "3 mechs against 4 inf with ours"."""
    tags = [*tags]
    tables = [tag for tag in tags if tag.table == "presets" and is_table(saved[tag.value])]
    own = {word for tag in tables for word in own_words(saved[tag.value])}
    for tag in tags:
        if tag in tables:
            for option in saved[tag.value].split():
                edition = option.removeprefix("variant:")
                yield replace(tag, table="options" if edition == option else "variants", value=edition)
        elif tag.text.removesuffix("s") in own:
            yield replace(tag, table="units", value=tag.text.removesuffix("s"))
        else:
            yield tag


def compose_beside_preset(
    question: str, tags: Sequence[Tag], preset: Tag, compose: Callable[[str, tuple[Tag, ...]], Meaning]
) -> Meaning | None:
    """Compose the line of one army and a preset on the other side; None if the phrase is not plainly that.

    Args:
        question: The question of the phrase.
        tags: The tags of the phrase.
        preset: The tag among them that names a preset.
        compose: Composes the line of a phrase without presets.
    """
    if question != "need" and not has_role(tags, "against", "onto", "attack", "attacked"):
        return None
    units = has_table(tags, "units")
    stand_in = [Tag("number", "", preset.start, preset.end, (_COUNT,), text=str(_COUNT))]
    stand_in += [Tag("units", "inf", preset.start, preset.end, text="inf")] * units
    at = tags.index(preset)
    try:
        meaning = compose(question, (*tags[:at], *stand_in, *tags[at + 1 :]))
    except NotClearError:
        return None
    match = (_UNITS if units else _NUMBERS).fullmatch(meaning.line)
    if not match or meaning.line.count(str(_COUNT)) > 1 or " then " in meaning.line:
        return None
    army, attack, options = match["army"], match["attack"], match["options"] or ""
    sides = f"{preset.value} vs {army}" if army else f"{attack} vs {preset.value}"
    # Behind `vs` the ships of a line about dice would be the defender's.
    line = f"{sides}{options}" if units else f"{options} {sides}".strip()
    remark = preset_remark(preset.value, "attacker" if army else "defender")
    return Meaning(f"{match[1] or ''}{line}", meaning.reasons, remark=remark)


def other_line(line: str, tags: Sequence[Tag], reasons: Sequence[Evidence]) -> str:
    """Return the line with the ships on the other side, or with the sides changed; "" if the phrase leaves no doubt."""
    match = _TWO_NUMBERS.fullmatch(line)
    if not match or line.startswith("/compare"):
        return ""
    command, attackers, defenders, options = match.groups("")
    if _SHIP.search(options):
        return exchange_ships(line) if _has_loose_ships(tags) else ""
    parted = has_role(tags, "against", "onto") or has_table(tags, "options", "variants")
    parted = parted or ("number", "number") in pairwise(tag.table for tag in tags)  # as in notation
    ordered = all(reason.rule in OF_ORDER for reason in reasons)
    return f"{command}{defenders} {attackers}" if ordered and not parted and not options else ""


def exchange_ships(line: str) -> str:
    """Return a line with the ships on the other side."""
    return _SHIP.sub(lambda ship: f"{'' if ship[1] else 'd'}{ship[2]}:", line)


def _has_loose_ships(tags: Sequence[Tag]) -> bool:
    """Tell whether all ships stand behind both numbers, and no word says whose they are."""
    ships = [index for index, tag in enumerate(tags) if tag.table == "ships" or tag.value in SHIPS]
    numbers = [index for index, tag in enumerate(tags) if tag.table == "number" and index + 1 not in ships]
    if len(numbers) < 2 or not ships or min(ships) < numbers[1]:
        return False
    between = tags[numbers[1] + 1 : max(ships) + 2]
    return not has_role(between, *SUBJECTS, *OWNING)
