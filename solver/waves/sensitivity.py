"""The sensitivity of the attacker's chance to hold the field after all waves to one unit more or less in each wave."""

from typing import NamedTuple

from solver.axis.sensitivity import kinds_to_change, with_more_units
from solver.axis.units import ROLES
from solver.errors import BattleError
from solver.progress import Meter
from solver.waves.orders import role_in_wave
from solver.waves.steps import waves_worth
from solver.waves.waves import Waves


class WaveChange(NamedTuple):
    """A change by one unit, and its effect.

    Attributes:
        side: 0 for the first attacker's side, 1 for the first defender's.
        wave: The number of the wave in which the unit comes, from 0.
        unit: The kind of unit.
        more: 1 for one unit more, -1 for one less.
        wins: The chance that the first attacker's side holds the field at the end, after the change.
    """

    side: int
    wave: int
    unit: str
    more: int
    wins: float


def _changes_to_try(waves: Waves) -> list[WaveChange]:
    """Every change by one unit in one wave, of the kinds that can take part; some of them may be impossible.

    The defender of a later wave has more or fewer reinforcements there. The chances are not known yet.
    """
    changes = []
    for number, battle in enumerate(waves.battles):
        for role, units in zip(ROLES, (battle.attacker.units, waves.fresh[number]), strict=True):
            side = waves.side(number) if role == "attack" else 1 - waves.side(number)
            # Nobody attacks without units, and the first defenders need some.
            last = sum(count for _, count in units) == 1 and (role == "attack" or not number)
            for name in kinds_to_change(battle.rules, role, units):
                if with_more_units(battle, role, name, 1):
                    changes.append(WaveChange(side, number, name, 1, 0.0))
                if dict(units).get(name) and not last:
                    changes.append(WaveChange(side, number, name, -1, 0.0))
    return changes


def wave_sensitivity(waves: Waves, limit: float) -> tuple[float, list[WaveChange]]:
    """Return the first attacker's chance to hold the field at the end, and that chance after every change by one unit.

    Args:
        waves: The waves.
        limit: The most work that this may take, in the unit of `Meter`.

    Raises:
        TooLargeError: It takes more work, or a wave is too large.
    """
    meter = Meter(limit)
    wins = waves_worth(waves, meter).holds
    changes = _changes_to_try(waves)
    # Each is about as much work, so what is too much is refused before it begins.
    Meter(limit).add(meter.done * (1 + len(changes)))
    tried = []
    for change in changes:
        role = role_in_wave(waves, change.side, change.wave)
        try:
            changed = waves.with_more(change.unit, change.more, change.wave, role)
        except BattleError:
            continue
        tried.append(change._replace(wins=waves_worth(changed, meter).holds))
    return wins, tried
