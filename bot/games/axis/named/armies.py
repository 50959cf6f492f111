"""Lines without an enemy that presets hold: armies and tables.

Lines name an army, "8 inf 3 art 4 arm 2 fig", on either side of `vs`, and a table, "unit:mech=1/2/4", anywhere.
"""

import re
from collections.abc import Iterator, Mapping

from bot.editions import USUAL, Edition, is_army, is_table
from bot.games.axis.matchup import count_text
from bot.games.axis.named.presets import may_be_armies, presets_in
from bot.games.axis.notation import TABLE, parse_rest, read_armies
from bot.games.axis.reading import edition_of, unit_counts
from bot.games.axis.values import own_units_text, write_defender_retreat
from bot.games.axis.writing import sorted_units_text
from bot.languages import N_, _
from bot.notation.defaults import current_defaults
from bot.notation.lexer import VERSUS, ParsedOption, normal
from bot.notation.mistakes import MatchupError
from bot.notation.options import write_number
from bot.replies import Reply
from solver.axis.sides import Units

_ABOUT = N_(
    "`{name}` is an army: `/battle {name} vs ...` attacks with it, `/battle ... vs {name}` defends with it, and "
    "`{name} +1 inf` has one more."
)
_BATTLE = re.compile(rf"(?<![^\s,;])(?:{VERSUS}|then)(?![^\W\d_])|\|")
_ENEMIES = "inf", "sub"
"""Units of every edition, one on land and one at sea."""
_OF_ARMIES = "attacker:tech", "variant", "unit", "rule"
_LEAVES = "dretreat"
"""The option of a wave that is also a rule of a table: then it holds in each wave."""
_RULES = re.compile(" (?:variant|unit|rule):")


def holds(line: str) -> bool:
    """Return whether a canonical line is an army without an enemy, or a table."""
    return is_army(line) or is_table(line)


def about(line: str) -> str:
    """Return the text that says what a preset with such a line holds."""
    return TABLE if is_table(line) else _ABOUT


def keep(text: str, saved: Mapping[str, str]) -> str | None:
    """Return the canonical line of an army, which may be that of a preset with changes; None if it is none.

    MatchupError points at what only a battle has, or at an army that no battle can have.
    """
    line = normal(text)
    preset = next((token for token in presets_in(line, saved) if holds(saved[token.text])), None)
    if _BATTLE.search(line) or not (preset or may_be_armies(line)):
        return None
    rest = f"{line[: preset.start]} {line[preset.end :]}".strip() if preset else line
    try:
        units, edition, others, leaves = _read(rest, saved[preset.text] if preset else "")
    except MatchupError:
        return None  # It may be what people say about a battle.
    if others or (units and leaves):
        reason = _("An army on its own has only units and `variant:`. For anything else, add `vs` and the other side.")
        if not units:
            reason = _(
                "Rules of a table are `unit:`, `rule:`, `dretreat:` and `variant:`. Save anything else with a battle."
            )
        raise MatchupError(line, 0, len(line), reason)
    words = sorted_units_text(units, edition), *_options_of(edition), _leaving_option(line, leaves) if leaves else ""
    army = " ".join(filter(None, words))
    if not is_table(army):
        _check(line, army)
    return army


def _options_of(edition: Edition) -> tuple[str, str, str]:
    """Return the options by which an edition is named, with the units and the rules of a table."""
    variant = "" if edition.key == USUAL else f"variant:{edition.key}"
    own, rules = own_units_text(edition), ",".join(edition.rules.own[1])
    return variant, own and f"unit:{own}", rules and f"rule:{rules}"


def _leaving_option(line: str, leaves: ParsedOption) -> str:
    """Return the canonical option for a table where the defender leaves; MatchupError if that can't be."""
    try:
        battles = read_armies(f"1 inf vs 1 inf {_LEAVES}:{','.join(leaves.value)}").battle.battles
    except MatchupError as error:
        raise MatchupError(line, leaves.start, leaves.end, error.reason) from None
    return f"{_LEAVES}:{write_defender_retreat(battles)}"


def _read(line: str, saved_line: str) -> tuple[Units, Edition, list[ParsedOption], ParsedOption | None]:
    """Return the units of a normal line, which may change those of a saved one, its edition, and all else in it.

    When defenders leave comes last.
    """
    options = parse_rest(line, [saved_line] if saved_line else [], [])
    if not saved_line:
        options.setdefault("variant", ParsedOption(current_defaults().edition, 0, len(line), saved=True))
    edition = edition_of(line, options)
    units = tuple((name, count) for name, count in unit_counts(line, options, edition)["attacker"].items() if count)
    leaves = options.pop(_LEAVES, None)
    others = [field for key, field in options.items() if not key.startswith("attacker.") and key not in _OF_ARMIES]
    return units, edition, others, leaves


def _check(line: str, army: str) -> None:
    """Raise MatchupError if an army has no units, or can fight on neither side of any battle."""
    end = rules.start() if (rules := _RULES.search(army)) else len(army)
    mistakes = [_mistake(f"{battle}{army[end:]}") for battle in _battles(army[:end])]
    if all(mistakes):
        raise MatchupError(line, 0, len(line), mistakes[0])


def _mistake(battle: str) -> str:
    """Return why a line is no battle; "" if it is one."""
    try:
        read_armies(battle)
    except MatchupError as error:
        return error.reason
    return ""


def _battles(units: str) -> Iterator[str]:
    """Yield the shortest battles in which an army attacks or defends."""
    for enemy in _ENEMIES:
        yield f"{units} vs 1 {enemy}"
        yield f"1 {enemy} vs {units}"


def show(name: str, line: str) -> Reply:
    """Return the answer about a preset with an army, its units, their number and their price; or about a table."""
    units, edition, *_others = _read(line, "")
    if is_table(line):
        return Reply(f"**{line}** · {_(edition.name)}", remarks=(_(about(line), name=name),))
    money = write_number(sum(edition.rules.table[unit].cost * count for unit, count in units))
    facts = count_text(units), _("{amount} IPC", amount=money), _(edition.name)
    return Reply(" · ".join([f"**{line}**", *facts]), remarks=(_(about(line), name=name),))
