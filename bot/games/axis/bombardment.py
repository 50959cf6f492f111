"""The rulebook's limit on bombarding ships in Axis & Allies: a remark, and a button for the battle it allows."""

from bot.editions import editions
from bot.errors import UserError
from bot.languages import _
from bot.replies import Button
from solver.axis.battle import AxisBattle
from solver.casualties.battle import ChosenBattle
from solver.waves.waves import Waves, battle_from_dict, waves_of


def bombardment_remarks(battle: AxisBattle | Waves) -> list[str]:
    """Return the remark about the rule if more ships bombard than it allows."""
    if not (source := _broken_rule(battle)):
        return []
    return [_("Only as many ships may bombard as units land from the sea ({source}).", source=_(source))]


def rulebook_button(battle: AxisBattle | Waves) -> list[Button]:
    """Return the button for the battle as the rulebook allows it, if that is another one."""
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


def _by_rulebook(battle: AxisBattle | Waves) -> AxisBattle | Waves | None:
    """Return the battle with only the strongest ships that may bombard; None if no unit would attack."""
    if isinstance(battle, ChosenBattle):
        plain = _by_rulebook(battle.in_order)
        return ChosenBattle.of(plain, battle.chooses, battle.aim) if isinstance(plain, AxisBattle) else None
    document = battle.to_dict()
    for wave, fields in zip(waves_of(battle), document["waves"], strict=True):
        units = fields["attacker"]["units"]
        left = _too_many(wave)
        for unit, count in sorted(wave.fleet, key=lambda ship: ship[0].attack):
            gone = min(count, left)
            left, units[unit.name] = left - gone, count - gone
        if not any(units.values()):
            return None
    return battle_from_dict(document, waves_of(battle)[0].rules)


def _too_many(wave: AxisBattle) -> int:
    """Return how many more ships bombard than units land."""
    landed = sum(count for name, count in wave.attacker.units if wave.rules.table[name].amphibious)
    return max(sum(count for _unit, count in wave.fleet) - landed, 0)
