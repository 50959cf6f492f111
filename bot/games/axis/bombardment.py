"""The rulebook's limit on bombarding ships in Axis & Allies: the battle it allows, and a button for the other one."""

from collections.abc import Collection
from typing import NamedTuple

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.writing import units_text, write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button
from solver.axis.battle import AxisBattle
from solver.axis.waves.units import add_units
from solver.axis.waves.waves import Waves


class TypedLine(NamedTuple):
    """The details of a line with more ships than may bombard: the canonical line of the battle with all of them."""

    line: str


def allow(reading: Reading, parts: bool = False) -> Reading:
    """Return the reading of a typed line without the ships that may not bombard, where it says which units land.

    The details then hold the line of the battle as it was typed. A wave without units that land keeps its ships; so
    does the first wave with `parts`, as the question is which part of its attackers is best.
    """
    waves = reading.battle
    whole = list(enumerate(waves.battles))[int(parts) :]
    forbidden = [number for number, wave in whole if landing_units(wave) and _too_many(wave)]
    after = _by_rulebook(waves, forbidden) if forbidden and _source(waves.battles[0]) else None
    if after is None:
        return reading
    edition = editions()[waves.battles[0].rules.key]
    lost: dict[str, int] = {}
    for before, left in zip(waves.battles, after.battles, strict=True):
        here = dict(left.attacker.units)
        lost = add_units(lost, {name: count - here.get(name, 0) for name, count in before.attacker.units})
    remark = _(
        "Left out {ships}: only as many ships may bombard as units land from the sea ({source}).",
        ships=units_text(lost, edition),
        source=_(edition.bombardment),
    )
    return reading._replace(battle=after, of_words=(*reading.of_words, remark), details=TypedLine(write_armies(waves)))


def landing_units(wave: AxisBattle) -> int:
    """Return how many units are said to land from the sea."""
    return sum(count for name, count in wave.attacker.units if wave.rules.table[name].amphibious)


def limited_ships(battle: AxisBattle) -> tuple[str, ...]:
    """Return the kinds of ships of which a part of the attackers has at most as many as units that land."""
    limited = _source(battle) and landing_units(battle)
    return tuple(unit.name for unit, _count in battle.fleet) if limited else ()


def allowed_change(waves: Waves, changed: Waves) -> Waves | None:
    """Return a changed battle as the rulebook allows it, if the battle itself keeps to the limit on its ships.

    None if no unit would attack.
    """
    landings = [number for number, wave in enumerate(waves.battles) if landing_units(wave) and not _too_many(wave)]
    return _by_rulebook(changed, landings) if landings and _source(waves.battles[0]) else changed


def bombardment_remarks(waves: Waves) -> list[str]:
    """Return the remark about the rule if more ships bombard than it allows."""
    return [limit_text(waves.battles[0])] if _broken_rule(waves) else []


def limit_text(battle: AxisBattle) -> str:
    """Return the rule in words, with its source."""
    return _("Only as many ships may bombard as units land from the sea ({source}).", source=_(_source(battle)))


def other_bombardment(waves: Waves, reading: Reading) -> list[Button]:
    """Return the button for the battle with all ships, or for the one by the rulebook, if that is another one."""
    if reading.details:
        return [Button(_("All ships fire"), "as typed", argument=reading.details.line)]
    there = _broken_rule(waves) and _by_rulebook(waves, range(len(waves.battles))) is not None
    return [Button(_("By the rulebook"), "rulebook")] if there else []


def by_rulebook(waves: Waves) -> tuple[Waves, tuple[str, ...]]:
    """Return the battle with only as many ships as may bombard."""
    after = _by_rulebook(waves, range(len(waves.battles)))
    if after is None:
        raise UserError(_("No unit could attack."))
    return after, ()


def _by_rulebook(waves: Waves, limited: Collection[int]) -> Waves | None:
    """Return the battle with only the strongest ships that may bombard in these waves; None if no unit would attack."""
    for number in limited:
        wave = waves.battles[number]
        units, left = dict(wave.attacker.units), _too_many(wave)
        for unit, count in sorted(wave.fleet, key=lambda ship: ship[0].attack):
            gone = min(count, left)
            left, units[unit.name] = left - gone, count - gone
        if not any(units.values()):
            return None
        waves = waves.with_army(units, number)
    return waves


def _source(battle: AxisBattle) -> str:
    """Return the source of the rule; an empty text if the edition or the table has none."""
    return "" if battle.rules.all_ships_bombard else editions()[battle.rules.key].bombardment


def _broken_rule(waves: Waves) -> bool:
    """Return whether more ships bombard than the rule allows."""
    return bool(_source(waves.battles[0])) and any(map(_too_many, waves.battles))


def _too_many(wave: AxisBattle) -> int:
    """Return how many more ships bombard than units land."""
    return max(sum(count for _unit, count in wave.fleet) - landing_units(wave), 0)
