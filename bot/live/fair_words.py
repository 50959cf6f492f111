"""The sentences of bot/live/fair.py in the reader's language; that file has none, so that it works on its own."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.languages import N_, _, _n, _p
from bot.live.fair import MODERATOR, MOST_SHOWN, base64url

FINDINGS = (
    N_("roll {number}: {problem}"),
    N_("this is not the log of a battle"),
    N_('"{name}" is missing or garbled'),
    N_("the seed doesn't match the commitment"),
    N_("it was rolled for another line"),
    N_("it was rolled for another message"),
    N_("it was rolled under other rules"),
    N_("its hash doesn't match: this roll was changed, or one before it is missing"),
    N_("it can't be hashed"),
    N_("it is garbled"),
    N_('its number "n" should be {number}'),
    N_("its faces are missing or garbled"),
    N_("it is a retreat, but it has dice"),
    N_("it is a choice, but it has dice, too"),
    N_("it is a choice and a retreat"),
    N_('"dice" is garbled'),
    N_("its numbers of dice and faces differ"),
    N_("a die can't have {sides} sides"),
    N_("attacking die {place} should be {right}, not {face}"),
    N_("defending die {place} should be {right}, not {face}"),
    N_("attacking die {place} has {sides} sides and can't show {face}"),
    N_("defending die {place} has {sides} sides and can't show {face}"),
)
"""All problems that bot/live/fair.py finds in a log whose rules are followed, too."""


def translate_problem(finding: str) -> str:
    """Return a problem that bot/live/fair.py found in the reader's language."""
    for text, pattern in _patterns():
        if match := pattern.fullmatch(finding):
            return _(text, **{name: translate_problem(value) for name, value in match.groupdict().items()})
    return finding


@lru_cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(text, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text)))) for text in FINDINGS]


def problem_list(wrong: Sequence[str]) -> str:
    """Write problems as a list, at most MOST_SHOWN of them."""
    left = len(wrong) - MOST_SHOWN
    more: list[str] = [_n("... and {n} more", "... and {n} more", left)] if left > 0 else []
    return "\n- ".join([_("This log has problems:"), *map(translate_problem, wrong[:MOST_SHOWN]), *more])


def report_lines(log: Mapping[str, Any]) -> list[str]:
    """List the checks that a log has passed, those of its rules too, and the checks left to the reader.

    The first line says that there are none.
    """
    first = _("Battle {battle}, {line}: no problems found.", battle=str(log["battle"]), line=json.dumps(log["line"]))
    return [first, *_results(log), _comparison(log)]


def _results(log: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the check has proven, and what it cannot prove."""
    thrown = [entry for entry in log["rolls"] if not entry.get("retreat") and "choice" not in entry]
    choices = sum("choice" in entry for entry in log["rolls"])
    real = [entry for entry in thrown if entry.get("real")]
    drawn = _counts([entry for entry in thrown if not entry.get("real")])
    if log["seed"] is None:
        yield _("The battle isn't over: its seed is still secret, so the dice can't be checked yet.")
        yield _("The hashes match: {rolls}.", rolls=drawn)
    else:
        yield _("The dice match the seed: {rolls}.", rolls=drawn)
    if log.get("ended") == MODERATOR:
        yield _("A moderator ended this battle: only the log hash in the chat shows that no roll is missing.")
    else:
        yield _("Every roll follows the rules, and none is missing.")
    if real:
        yield _("Real dice, typed in, can't be checked: {rolls}.", rolls=_counts(real))
    if choices:
        yield _("Choices between the rolls: {n}.", n=choices)
    if any(entry.get("retreat") for entry in log["rolls"]):
        yield _("The attacker retreated.")
    if log.get("people"):
        yield _("The players' names are not proven: no hash covers them.")


def _counts(rolls: Sequence[Mapping[str, Any]]) -> str:
    """Count rolls and dice: "3 rolls, 14 dice"."""
    dice = sum(len(entry["attack"]) + len(entry["defence"]) for entry in rolls)
    return f"{_n('{n} roll', '{n} rolls', len(rolls))}, {_n('{n} dice', '{n} dice', dice)}"


def _comparison(log: Mapping[str, Any]) -> str:
    """Ask the reader to compare the hashes with the chat."""
    last = log["rolls"][-1]["hash"][:8] if log["rolls"] else _p("hash", "none")
    return _(
        "Compare with the chat: commitment `{base64url}` (in hex `{commitment}`), log `{hash}`, message `{message}`.",
        base64url=base64url(log["commitment"]),
        commitment=log["commitment"],
        hash=last,
        message=log["message"],
    )
