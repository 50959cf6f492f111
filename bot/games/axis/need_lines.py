"""Lines of /need for Axis & Allies: a side without units, money that buys some, and units that come in any case."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from bot.editions import editions
from bot.games.axis.reading import forms_of, unit_named
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import N_, _
from bot.notation.lexer import VERSUS_ALONE, Fields, ParsedOption
from bot.notation.mistakes import MatchupError, WrongCommandError
from solver.axis.battle import AxisBattle
from solver.axis.sides import MOST_BUDGET, SIDES
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves

MONEY = re.compile(r"(?P<amount>\d+) ?ipcs?(?![a-z_:=-])")
"""Money in a normal line, such as "24 ipc"."""
_REFUSAL = N_("Money works with `/need`: `/need 24 ipc vs 5 inf` says what it buys best.")


class Asker(NamedTuple):
    """The side that a line of /need leaves open, or whose money it names.

    Attributes:
        side: "attacker" or "defender".
        money: Its money; None if it has none, so that any units are asked for.
    """

    side: str
    money: ParsedOption | None

    @property
    def role(self) -> Role:
        """The role of the side."""
        return ROLES[SIDES.index(self.side)]


def find_asker(line: str, options: Fields, takes: Collection[str]) -> Asker | None:
    """Take the money out of the options of a line, and return the side that has it, or that has no units.

    `takes` are the options about the question: with "money" the attacker may have some, with "open" also the defender,
    and in a line with `vs` a side may have no units.

    Returns:
        None if both sides have units and no money.

    Raises:
        MatchupError: If the command does not take money, there are several waves, or both sides have money.
    """
    buyer = _find_buyer(line, options, takes)
    without = [side for side in SIDES if not any(field.value > 0 for _key, field in _units_of(options, side))]
    if buyer and {*without} - {buyer.side}:
        raise _nobody_error(line, buyer.side)
    is_open = len(without) == 1 and "open" in takes and VERSUS_ALONE.search(line)
    asker = buyer or (Asker(without[0], None) if is_open else None)
    if asker and (later := next((field for key, field in options.items() if "|" in key), None)):
        reason = _("With several waves, type the units to choose from in place of money or of a side without units.")
        raise MatchupError(line, later.start, later.end, reason)
    return asker


def _find_buyer(line: str, options: Fields, takes: Collection[str]) -> Asker | None:
    """Take the money out of the options of a line, and return the side that has it."""
    purses = {key: options.pop(key) for key in [*options] if key.endswith(":money")}
    for key, field in purses.items():
        # Without "open" the defender's money may be the points of a factory that bombers raid.
        if "money" not in takes or ("open" not in takes and not key.startswith("attacker")):
            raise WrongCommandError(line, field.start, field.end, _(_REFUSAL))
        if len(purses) > 1:
            raise MatchupError(line, field.start, field.end, _("Only one side can have money."))
        if not 0 < field.value <= MOST_BUDGET:
            reason = _("The money must be 1 to {most}, not {value}.", most=MOST_BUDGET, value=field.value)
            raise MatchupError(line, field.start, field.end, reason)
    return next((Asker(key.rpartition("|")[2].removesuffix(":money"), field) for key, field in purses.items()), None)


def _units_of(options: Mapping[str, ParsedOption], side: str) -> Iterator[tuple[str, ParsedOption]]:
    """Yield the fields of the units of a side in the first wave."""
    return ((key, field) for key, field in options.items() if key.startswith(f"{side}."))


def _nobody_error(line: str, side: str) -> MatchupError:
    """Return the error for money without an army on the other side."""
    reason = _("Against whom? For example `{example}`.", example="24 ipc vs 5 inf")
    if side == "defender":
        reason = _("Who attacks? For example `{example}`.", example="5 inf 2 arm vs 24 ipc")
    mistake = MatchupError(line, len(line), len(line) + 1, reason)
    mistake.certain = True
    return mistake


def check_asker(line: str, asker: Asker, battle: AxisBattle, asked: Mapping[str, ParsedOption]) -> None:
    """Raise MatchupError for a battle at sea, or for words that ask about another side."""
    if battle.theatre == "sea":
        reason = _("At sea, type the ships to choose from: `/need 4 sub 2 des vs 3 des`.")
        raise MatchupError(line, 0, len(line), reason)
    side = asked.get("side")
    if side and side.value != asker.role:
        reason = _("This line asks about the other side already: leave out `side`.")
        raise MatchupError(line, side.start, side.end, reason)
    chance = asked.get("chance")
    if chance and asker.money:
        reason = _("Money buys the best chance there is: leave out `{chance}`.", chance=line[chance.start : chance.end])
        raise MatchupError(line, chance.start, chance.end, reason)


def read_least(
    line: str,
    field: ParsedOption,
    battle: AxisBattle,
    role: Role,
    options: Mapping[str, ParsedOption],
    asker: Asker | None,
) -> tuple[tuple[str, int], ...]:
    """Read the units that take part in any case; MatchupError if they are more than the side has to choose from."""
    edition = editions()[battle.rules.key]
    side = battle.army(role)
    forms = forms_of(line, options, SIDES[ROLES.index(role)], edition)
    required: dict[str, int] = {}
    for count, word in field.value:
        unit = unit_named(line, field, word, edition, forms)
        required[unit] = required.get(unit, 0) + int(count)
        if asker is None and required[unit] > side.count(unit):
            there, units = side.count(unit), f"{count} {word}"
            reason = _("There is no `{units}` to choose from.", units=units)
            if there:
                reason = _(
                    "`{units}` is more than you have: there are only {there} to choose from.", units=units, there=there
                )
            raise MatchupError(line, field.start, field.end, reason)
    return tuple(required.items())


def write_need(reading: Reading, _lone: str = "") -> str:
    """Write the canonical line of a reading of /need, without its chance."""
    battle: Waves = reading.battle
    first, line, asked = battle.battles[0], write_armies(battle), reading.asked
    role, money = asked.get("side"), asked.get("money")
    if money and role == "attack":
        line = f"{money} ipc {line}"
    elif money:
        line = line.replace(" vs", f" vs {money} ipc", 1)
    least = ",".join(f"{count}{editions()[first.rules.key].short[unit]}" for unit, count in asked.get("least") or ())
    implied = money or not all(army.units for army in (first.attacker, first.defender))
    side = "side:defender" if role == "defence" and not implied else ""
    words = [line, side, least and f"least:{least}", "survive" if asked.get("survive") else ""]
    return " ".join(filter(None, words))
