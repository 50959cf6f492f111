"""Remarks about a battle and the words of its line: options without effect, and words with a second meaning."""

from collections.abc import Iterable, Iterator

from bot.languages import _

ALL_ELSEWHERE = 100
"""The number of rounds that means all of them in other calculators."""


def idle_remark(word: str, useful: int) -> str:
    """Say that a word counts no more than is useful."""
    return _("`{word}` counts as {useful}; more make no difference.", word=word, useful=useful)


def preset_remark(name: str, side: str) -> str:
    """Say that a line uses one army of a preset, the "attacker" or the "defender", and nothing of the other."""
    if side == "defender":
        return _("Only the defenders of the preset `{name}` are used.", name=name)
    return _("Only the attackers of the preset `{name}` are used.", name=name)


def round_remarks(limits: Iterable[int | None]) -> Iterator[str]:
    """Explain a limit of 100 rounds if one of these is that."""
    if ALL_ELSEWHERE in limits:
        yield _("`rounds:100` is a limit of 100 rounds; `rounds:all` means no limit.")
