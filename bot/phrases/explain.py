"""Explains how a line was read: each word with its meaning, why an army attacks, and the line of notation."""

import re
from collections.abc import Iterator

from bot.games.base import Rooms
from bot.phrases.asking import sentence_for
from bot.phrases.canonical import canonical_or_none
from bot.phrases.meaning import Understood
from bot.phrases.reader import understand
from bot.phrases.tag import Tag

ROLES = {
    "attacker": "the attacker",
    "defender": "the defender",
    "self": "the player who asks",
    "other": "the other player",
    "attack": "attacks",
    "attacked": "is attacked",
    "hold": "defends",
    "against": "between the two sides",
    "onto": "before the target of an attack",
    "with": "before units of the army before it, or before an attacker",
    "by": "before an attacker",
    "have": "before an army of this player",
    "here": "the army there defends",
    "each": "both sides",
    "men": "armies",
    "unit": "units",
    "then": "before the next territory or wave",
    "through": "before a row of territories",
    "row": "a row of territories",
    "or": "between two plans",
    "and": "before more of the same army",
    "vague": "not clear, and may matter",
}
"""The meanings of roles; other roles are shown by their names."""
TABLES = {
    "number": "a number",
    "chance": "a chance",
    "die": "a kind of die",
    "units": "unit `{value}`",
    "ships": "ship `{value}`",
    "options": "option `{value}`",
    "variants": "option `variant:{value}`",
    "outlooks": "what is {value} at the end: the battle as it stands",
    "questions": "asks for `/{value}`",
    "presets": "the preset `{value}`",
    "places": "a place to take: `{value}`",
    "starts": "where an attack starts: `{value}`",
    "rest": "all other territories",
    "most": "wants as many territories as possible",
    "names": "a name, which makes no difference",
    "skips": "small talk, which makes no difference",
    "noise": "makes no difference",
    "sign": "a sign",
    "games": "a game with several variants: {value}",
    "special": "a rule of one of the variants {value}",
    "unknown": "not known",
}
"""The meanings of tables."""


def explain(rooms: Rooms, text: str) -> Iterator[str]:
    """Yield the lines of an explanation."""
    if line := canonical_or_none(rooms, text.strip()):
        yield "This is notation."
        yield f"read as: {line}"
        return
    understood = understand(rooms, text)
    width = max((len(tag.text) for tag in understood.tags), default=0)
    for tag in understood.tags:
        yield f"{tag.text:{width}}  {_meaning_of(tag)}"
    yield from _conclusion(understood)


def _meaning_of(tag: Tag) -> str:
    """Return what a word means, in plain words."""
    if tag.table == "roles":
        return ROLES.get(tag.value, tag.value.replace("_", " "))
    value = tag.value
    for slot in tag.slots:
        value = re.sub(r"\{\w+\}", slot, value, count=1)
    about = TABLES.get(tag.table, tag.table).format(value=value)
    return f"{about}, {value}" if tag.table in ("number", "chance") and value != tag.text else about


def _conclusion(understood: Understood) -> Iterator[str]:
    """Yield why an army attacks, and the line, or what is missing."""
    for reason in sorted(understood.reasons, key=lambda reason: -abs(reason.weight)):
        verb = "attacks" if reason.weight > 0 else "defends"
        rule = f"the army's enemy: {reason.rule}" if reason.of_enemy else reason.rule
        yield f"the {('first', 'second')[reason.army]} army {verb}: “{reason.why}”, {rule} ({abs(reason.weight):g})"
    if understood.reasons:
        sums = [
            sum(abs(reason.weight) for reason in understood.reasons if (reason.weight > 0) is (reason.army == army))
            for army in (0, 1)
        ]
        (loser, less), (winner, more) = sorted(zip(("first", "second"), sums, strict=True), key=lambda pair: pair[1])
        yield f"together: the {winner} army attacks ({more:.4g}); runner-up: the {loser} ({less:.4g})"
    if understood.line:
        yield f"read as: {understood.line}"
        if understood.other:
            yield f"or perhaps: {understood.other}"
        return
    yield f"not clear: {sentence_for(understood.why)}"
    for line, without in understood.offers:
        yield f"it may be: {line}" + (f" (without {without})" if without else "")
