"""Live battles of Axis & Allies in several waves: each wave is fought as a battle of its own.

The side that holds the field after a wave meets the next attackers, together with its fresh units. Each wave follows
its own plan: in a live battle no rule looks ahead to later waves. Players choose their losses as in one wave; a wave
waits for its end also where they can choose who goes on into the next one.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from solver.axis.live.fight import AxisFight, is_declined
from solver.axis.live.throws import AxisThrow
from solver.axis.sides import Ruling, Units
from solver.axis.waves.ahead import Holder, WaveEnds, canonical_units
from solver.axis.waves.units import add_units
from solver.axis.waves.waves import Waves
from solver.game import DiceToRoll, Ending, SideName, Source


class NextWave(NamedTuple):
    """A wave that comes: its number, the holder that it meets, and the holder's units without the reinforcements."""

    number: int
    holder: Holder
    units: Units


@dataclass(frozen=True, slots=True)
class WavesFight:
    """A live battle in several waves.

    Attributes:
        waves: The waves.
        wave: The number of the wave under way, from 0.
        holder: The side that meets it.
        fight: Its battle.
        ended: "won" if the first attacker's side holds the field after the last wave, "lost" if the first defender's
            side does, "nobody" if no unit is left at sea; None before.
    """

    waves: Waves
    wave: int
    holder: Holder
    fight: AxisFight
    ended: Ending | None = None

    @classmethod
    def begin(cls, waves: Waves) -> "WavesFight":
        """Return the waves before the first throw.

        Args:
            waves: The waves.
        """
        return cls(waves, 0, Holder(-1, ()), AxisFight.begin(waves.battles[0], in_waves=True))._skip_ended_waves()

    @property
    def resting(self) -> bool:
        """See `Fight`."""
        return self.fight.resting

    @property
    def side(self) -> int:
        """The side that attacks in this wave: 0 is the first attacker's, 1 the first defender's."""
        return self.waves.side(self.wave)

    @property
    def ends(self) -> WaveEnds:
        """The future after this wave."""
        against = self.waves.battle_against(self.wave, dict(self.holder.before))
        return WaveEnds(self.waves, self.wave, self.holder, against)

    @property
    def attacking_side(self) -> SideName:
        """See `Fight`."""
        return "defender" if self.side == 1 else "attacker"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        return self.fight.next_dice()

    def throw(self, source: Source) -> tuple[AxisThrow, "WavesFight"]:
        """See `Fight`."""
        volley, after = self.fight.throw(source)
        return volley, replace(self, fight=after)._skip_ended_waves()

    def choose(self, choice: Any) -> "WavesFight":
        """Return the battle after a side has chosen other losses in the last volley: see `AxisFight.choose`.

        The sides are those of the wave, as those of its dice.
        """
        return replace(self, fight=self.fight.choose(choice))._skip_ended_waves()

    def retreat(self) -> "WavesFight":
        """See `Fight`: the attackers of this wave leave, and the next wave comes."""
        return self if self.ended else replace(self, fight=self.fight.retreat())._skip_ended_waves()

    def _skip_ended_waves(self) -> "WavesFight":
        """Return the waves at the first battle that needs dice, or at their end."""
        here = self._ask_about_next_wave()
        while here.fight.ended and not here.ended:
            after = here._after(here.fight)
            if isinstance(after, str):
                return replace(here, ended=after)
            number, holder, units = after
            here = WavesFight(here.waves, number, holder, _against(here.waves, number, holder, units))
        return here

    def _ask_about_next_wave(self) -> "WavesFight":
        """Return the battle in which a wave waits for its end only if losses can change what comes then."""
        fight = self.fight
        if not fight.pending:
            return self
        asked = _sides_that_change(self)
        return replace(self, fight=replace(fight, asked=asked) if asked else fight.keep_losses())

    def what_counts(self, fight: AxisFight) -> Any:
        """Return what comes after a stage of this wave, as far as losses decide it; None while the wave goes on.

        Args:
            fight: A stage.
        """
        after = self._after(fight) if fight.ended else None
        if isinstance(after, NextWave):
            return after.number, after.units, after.holder.captor, after.holder.fleet
        return after

    def _after(self, fight: AxisFight) -> "NextWave | Ending":
        """Return what comes after an end of this wave: the next one, or the end of all."""
        odds = fight.as_odds()
        if not fight.rounds and is_declined(fight.battle):
            odds = replace(odds, declined_at=np.ones(1, bool))
        ways = self.ends
        captured = bool(ways.capture_mask(odds)[0])
        if captured:
            holder, units = ways.holder_after_capture(odds.attackers[0])
        else:
            (holder,), _ = ways.holders_after_defence(odds)
            units = ways.units_after_defence(odds.defenders[0])
        following = ways.next[captured]
        if following is not None:
            return NextWave(following, holder, units)
        endings: dict[int | None, Ending] = {0: "won", 1: "lost", None: "nobody"}
        return endings[ways.last_holder(captured, units)]


@lru_cache(maxsize=64)
def _sides_that_change(here: WavesFight) -> tuple[SideName, ...]:
    """The sides whose losses can change what comes after a wave that waits for its end. Each press asks for them."""
    fight, usual = here.fight, here.what_counts(here.fight.keep_losses())
    assert fight.volley, "a battle that waits had a volley"
    others = {side: fight.volley.outcomes(side) for side in fight.asked}
    return tuple(side for side, outcomes in others.items() if any(here.what_counts(one) != usual for one in outcomes))


def _against(waves: Waves, number: int, holder: Holder, units: Units) -> AxisFight:
    """Return the battle of a wave against these units of a holder and its fresh units."""
    battle = waves.battle_against(number, dict(holder.before))
    there = add_units(dict(units), dict(waves.fresh[number]))
    if battle.ruling >= Ruling.FLEETS_STAY:
        there |= dict(battle.captured_guns)
        battle = battle if any(there.values()) else battle.without_crashes
    defender = replace(battle.defender, units=canonical_units(there))
    return AxisFight.begin(replace(battle, defender=defender), in_waves=True)
