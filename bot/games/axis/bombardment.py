"""The rulebook's limit on bombarding ships in Axis & Allies: the battle it allows, and a button for the other one."""

from bot.editions import editions
from bot.errors import UserError
from bot.games.axis.writing import units_text, write_armies
from bot.games.base import Reading
from bot.languages import _
from bot.replies import Button
from solver.axis.battle import AxisBattle
from solver.casualties.battle import ChosenBattle
from solver.waves.waves import Waves, add_units, battle_from_dict, waves_of


def allow(reading: Reading) -> Reading:
    """Return the reading of a typed line without the ships that may not bombard, where it says which units land.

    The line of the battle as it was typed goes into the details. A line that says nothing of landing keeps its ships.
    """
    battle = reading.battle
    forbidden = any(_landing_units(wave) and _too_many(wave) for wave in waves_of(battle)) and _broken_rule(battle)
    after = _by_rulebook(battle, unsaid=False) if forbidden else None
    if after is None:
        return reading
    edition = editions()[waves_of(battle)[0].rules.key]
    lost: dict[str, int] = {}
    for before, left in zip(waves_of(battle), waves_of(after), strict=True):
        here = dict(left.attacker.units)
        lost = add_units(lost, {name: count - here.get(name, 0) for name, count in before.attacker.units})
    remark = _(
        "Left out {ships}: only as many ships may bombard as units land from the sea ({source}).",
        ships=units_text(lost, edition),
        source=_(edition.bombardment),
    )
    return reading._replace(battle=after, of_words=(*reading.of_words, remark), details=write_armies(battle))


def bombardment_remarks(battle: AxisBattle | Waves) -> list[str]:
    """Return the remark about the rule if more ships bombard than it allows."""
    if not (source := _broken_rule(battle)):
        return []
    return [_("Only as many ships may bombard as units land from the sea ({source}).", source=_(source))]


def other_bombardment(battle: AxisBattle | Waves, reading: Reading) -> list[Button]:
    """Return the button for the battle with all ships, or for the one by the rulebook, if that is another one."""
    if reading.details:
        return [Button(_("All ships fire"), "as typed", argument=reading.details)]
    there = _broken_rule(battle) and _by_rulebook(battle) is not None
    return [Button(_("By the rulebook"), "rulebook")] if there else []


def _broken_rule(battle: AxisBattle | Waves) -> str:
    """Return the source of the rule if more ships bombard than it allows; else an empty text."""
    waves = waves_of(battle)
    return editions()[waves[0].rules.key].bombardment if any(map(_too_many, waves)) else ""


def by_rulebook(battle: AxisBattle | Waves) -> tuple[AxisBattle | Waves, tuple[str, ...]]:
    """Return the battle with only as many ships as may bombard."""
    after = _by_rulebook(battle)
    if after is None:
        raise UserError(_("No unit could attack."))
    return after, ()


def _by_rulebook(battle: AxisBattle | Waves, unsaid: bool = True) -> AxisBattle | Waves | None:
    """Return the battle with only the strongest ships that may bombard; None if no unit would attack.

    Without `unsaid`, waves that do not say which units land keep their ships.
    """
    if isinstance(battle, ChosenBattle):
        plain = _by_rulebook(battle.in_order, unsaid)
        return ChosenBattle.of(plain, battle.chooses, battle.aim) if isinstance(plain, AxisBattle) else None
    document = battle.to_dict()
    for wave, fields in zip(waves_of(battle), document["waves"], strict=True):
        units = fields["attacker"]["units"]
        left = _too_many(wave) if unsaid or _landing_units(wave) else 0
        for unit, count in sorted(wave.fleet, key=lambda ship: ship[0].attack):
            gone = min(count, left)
            left, units[unit.name] = left - gone, count - gone
        if not any(units.values()):
            return None
    return battle_from_dict(document, waves_of(battle)[0].rules)


def _landing_units(wave: AxisBattle) -> int:
    """Return how many units are said to land from the sea."""
    return sum(count for name, count in wave.attacker.units if wave.rules.table[name].amphibious)


def _too_many(wave: AxisBattle) -> int:
    """Return how many more ships bombard than units land."""
    return max(sum(count for _unit, count in wave.fleet) - _landing_units(wave), 0)
