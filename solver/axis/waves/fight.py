"""Live battles of Axis & Allies in several waves: each wave is fought as a battle of its own.

The side that holds the field after a wave meets the next attackers, together with its fresh units. Each wave follows
its own plan: in a live battle no rule looks ahead to later waves. Hits are taken by the orders of loss alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from solver.axis.live.chances import TOGETHER, odds_from
from solver.axis.live.choices import standing_of
from solver.axis.live.fight import AxisFight, is_declined
from solver.axis.live.throws import AxisThrow
from solver.axis.sides import Ruling, Units
from solver.axis.waves.ahead import Holder, WaveEnds, canonical_units
from solver.axis.waves.odds import hold_chance_from
from solver.axis.waves.waves import Waves, add_units
from solver.errors import TooLargeError
from solver.game import DiceToRoll, Ending, SideName, Source
from solver.progress import Meter


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
        return cls(waves, 0, Holder(-1, ()), AxisFight.begin(waves.battles[0], follows_orders=True))._skip_ended_waves()

    @property
    def resting(self) -> bool:
        """See `Fight`."""
        return self.fight.resting

    @property
    def pending(self) -> Ending | None:
        """See `AxisFight`."""
        return self.fight.pending

    @property
    def choosers(self) -> tuple[SideName, ...]:
        """See `AxisFight`."""
        return self.fight.choosers

    @property
    def asked(self) -> tuple[SideName, ...]:
        """See `AxisFight`."""
        return self.fight.asked

    @property
    def side(self) -> int:
        """The side that attacks in this wave: 0 is the first attacker's, 1 the first defender's."""
        return self.waves.side(self.wave)

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

    def retreat(self) -> "WavesFight":
        """See `Fight`: the attackers of this wave leave, and the next wave comes."""
        return self if self.ended else replace(self, fight=self.fight.retreat())._skip_ended_waves()

    def _skip_ended_waves(self) -> "WavesFight":
        """Return the waves at the first battle that needs dice, or at their end."""
        here = self
        while here.fight.ended and not here.ended:
            here = here._after_wave()
        return here

    def _after_wave(self) -> "WavesFight":
        """Return the next wave, against the side that holds the field now; or the end of all."""
        odds = self.fight.as_odds()
        if not self.fight.rounds and is_declined(self.fight.battle):
            odds = replace(odds, declined_at=np.ones(1, bool))
        against = self.waves.battle_against(self.wave, dict(self.holder.before))
        ways = WaveEnds(self.waves, self.wave, self.holder, against)
        captured = bool(ways.capture_mask(odds)[0])
        if captured:
            holder, units = ways.holder_after_capture(odds.attackers[0])
        else:
            (holder,), _ = ways.holders_after_defence(odds)
            units = ways.units_after_defence(odds.defenders[0])
        following = ways.next[captured]
        if following is not None:
            return WavesFight(self.waves, following, holder, _against(self.waves, following, holder, units))
        if not units and not ways.owned:
            return replace(self, ended="nobody")
        return replace(self, ended="won" if (ways.side if captured else 1 - ways.side) == 0 else "lost")


def waves_chances(fights: Sequence[WavesFight], limit: float = inf) -> list[float | None]:
    """Return the chance at each stage that the first attacker's side holds the field after the last wave: see `Game`.

    It is None within a round, if rules look ahead, and for the stages that are too much work: all together may take
    `TOGETHER` times as much as the limit.
    """
    chances: list[float | None] = []
    meter = Meter(TOGETHER * limit)
    for stage in fights:
        chance = None
        if stage.ended:
            chance = float(stage.ended == "won")
        elif (stage.resting or stage.fight.opening_phase) and not stage.waves.look_ahead:
            try:
                standing = standing_of(stage.fight)
                assert standing, "it has not ended"
                odds = odds_from(stage.fight.battle, standing, meter)
                chance = hold_chance_from(stage.waves, stage.wave, stage.holder, odds, meter)
            except TooLargeError:
                pass
        chances.append(chance)
    return chances


def _against(waves: Waves, number: int, holder: Holder, units: Units) -> AxisFight:
    """Return the battle of a wave against these units of a holder and its fresh units."""
    battle = waves.battle_against(number, dict(holder.before))
    there = add_units(dict(units), dict(waves.fresh[number]))
    if battle.ruling >= Ruling.FLEETS_STAY:
        there |= dict(battle.captured_guns)
        battle = battle if any(there.values()) else battle.without_crashes
    defender = replace(battle.defender, units=canonical_units(there))
    return AxisFight.begin(replace(battle, defender=defender), follows_orders=True)
