"""How many ships may bombard in Axis & Allies by the rulebook: a remark, and a button for the battle it allows."""

from bot.editions import editions
from bot.languages import _
from bot.replies import Button
from solver.axis import AxisBattle
from solver.waves import Waves, battle_from, waves_of


def bombardment_remarks(battle: AxisBattle | Waves) -> list[str]:
    """What the edition's rulebook says, where more ships bombard than it allows."""
    if not (source := _broken_rule(battle)):
        return []
    return [_("Only as many ships may bombard as units land from the sea ({source}).", source=_(source))]


def rulebook_button(battle: AxisBattle | Waves) -> list[Button]:
    """The button for the same battle as the rulebook allows it, where that is another one."""
    there = _broken_rule(battle) and by_rulebook(battle) is not None
    return [Button(_("By the rulebook"), "rulebook")] if there else []


def _broken_rule(battle: AxisBattle | Waves) -> str:
    """The source of the rule, where more ships bombard than it allows; else nothing."""
    waves = waves_of(battle)
    return editions()[waves[0].rules.key].bombardment if any(map(_too_many, waves)) else ""


def by_rulebook(battle: AxisBattle | Waves) -> AxisBattle | Waves | None:
    """The battle with only as many ships as may bombard, the strongest; None where nobody would be left to attack."""
    document = battle.to_dict()
    for wave, told in zip(waves_of(battle), document["waves"], strict=True):
        units = told["attacker"]["units"]
        left = _too_many(wave)
        for unit, count in sorted(wave.ships, key=lambda ship: ship[0].attack):
            gone = min(count, left)
            left, units[unit.name] = left - gone, count - gone
        if not any(units.values()):
            return None
    return battle_from(document, waves_of(battle)[0].rules)


def _too_many(wave: AxisBattle) -> int:
    """How many ships more bombard than units land."""
    landed = sum(count for name, count in wave.attacker.units if wave.rules.table[name].amphibious)
    return max(sum(count for _unit, count in wave.ships) - landed, 0)
