"""Descriptions of two plans: each battle, or if these are alike the options that only one of them has."""

from collections.abc import Sequence
from typing import NamedTuple

from bot.games.base import Comparison, GameRoom, require
from bot.languages import _, join_texts
from bot.words.compared_plan import ComparedPlan


def describe_plans(rooms: tuple[GameRoom, GameRoom], plans: tuple[ComparedPlan, ComparedPlan]) -> tuple[str, str]:
    """Describe the battle of each plan; if these are alike, name the words that only one of them has."""
    battles = plans[0].description, plans[1].description
    if battles[0] != battles[1] or plans[0].line == plans[1].line:
        return (battles[0], _("the same")) if battles[0] == battles[1] else battles
    first, second = (_waves(require(room.comparison), plan.line) for plan, room in zip(plans, rooms, strict=True))
    ours, theirs = _own_words(first, second), _own_words(second, first)
    shared = [word for word in first if word not in ours]
    if not (ours or theirs) or shared != [word for word in second if word not in theirs]:
        return battles[0], f"`{plans[1].line}`"
    text = _("{battle} with {options}", battle=battles[0], options=_option_texts(ours)) if ours else battles[0]
    return text, _("the same with {options}", options=_option_texts(theirs)) if theirs else _("the same without")


class _Word(NamedTuple):
    """A word of a line: an option, perhaps with the d of a defender, or not; 0 is the wave of words about all."""

    text: str
    wave: int
    option: bool


def _waves(comparison: Comparison, line: str) -> list[_Word]:
    """Return the words of a canonical line with their waves."""
    words: list[_Word] = []
    parts = line.split(" then ")
    for wave, part in enumerate(parts, start=1):
        options = comparison.options(part)
        whole = {text for text in options if len(parts) == 1 or text.partition(":")[0] in comparison.whole}
        words += [_Word(text, 0 if text in whole else wave, True) for text in options]
        named = {"vs", *options, *(text[1:] for text in options if text.startswith("d"))}
        words += [_Word(text, wave, False) for text in part.split() if text not in named]
    return words


def _own_words(words: Sequence[_Word], others: Sequence[_Word]) -> list[_Word]:
    """Return the options that the other plan lacks."""
    return [word for word in words if word.option and word not in others]


def _option_texts(own: Sequence[_Word]) -> str:
    """Name options with their waves: "`lowluck`, `choose` in wave 2"."""
    texts = []
    for wave in sorted({word.wave for word in own}):
        options = f"`{' '.join(word.text for word in own if word.wave == wave)}`"
        texts.append(_("{options} in wave {wave}", options=options, wave=wave) if wave else options)
    return join_texts(", ", texts)
