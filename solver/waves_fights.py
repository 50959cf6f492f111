"""Several waves of Axis & Allies on the table: wave after wave, each fought as a battle of its own.

Who holds the field after a wave meets the next attackers, with those who are fresh. Each wave follows its own plan: on
the table no rule looks ahead to later waves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from solver.axis_chances import TOGETHER, Standing, ends_from
from solver.axis_fights import AxisFight, Volley
from solver.errors import TooLargeError
from solver.play import Ending, Source
from solver.product import Meter
from solver.sides import Units
from solver.waves import Waves, added
from solver.waves_ahead import Holder, Ways, in_order
from solver.waves_odds import holds_from


@dataclass(frozen=True, slots=True)
class WavesFight:
    """Waves as they stand: the number of the wave under way, the first is 0, who meets it, and its battle.

    `ended`: "won" says that the first attacker's side holds the field after the last wave, "lost" that the first
    defender's side does; "nobody" that no unit is left at sea.
    """

    waves: Waves
    wave: int
    holder: Holder
    fight: AxisFight
    ended: Ending | None = None

    @classmethod
    def begin(cls, waves: Waves) -> "WavesFight":
        """The waves before the first shot."""
        return cls(waves, 0, Holder(-1, ()), AxisFight.begin(waves.battles[0]))._moved_on()

    @property
    def resting(self) -> bool:
        """See `Fight`."""
        return self.fight.resting

    @property
    def side(self) -> int:
        """Whose attack this wave is: 0 is the first attacker's, 1 the first defender's."""
        return self.waves.side(self.wave)

    def throw(self, source: Source) -> tuple[Volley, "WavesFight"]:
        """See `Fight`."""
        volley, after = self.fight.throw(source)
        return volley, replace(self, fight=after)._moved_on()

    def retreat(self) -> "WavesFight":
        """See `Fight`: the attackers of this wave leave, and the next wave comes."""
        return self if self.ended else replace(self, fight=self.fight.retreat())._moved_on()

    def _moved_on(self) -> "WavesFight":
        """The waves once all are over that need no more dice."""
        here = self
        while here.fight.ended and not here.ended:
            here = here._after_wave()
        return here

    def _after_wave(self) -> "WavesFight":
        """The next wave, against whoever holds the field now; or the end of all."""
        odds = self.fight.as_odds()
        against = self.waves.against(self.wave, dict(self.holder.before))
        ways = Ways(self.waves, self.wave, self.holder, against)
        captured = bool(ways.captured(odds)[0])
        holder, units = ways.of_attacker(odds.attackers[0]) if captured else ways.of_defender(odds.defenders[0])
        following = ways.next[captured]
        if following is not None:
            return WavesFight(self.waves, following, holder, _against(self.waves, following, holder, units))
        if not units and not ways.owned:
            return replace(self, ended="nobody")
        return replace(self, ended="won" if (ways.side if captured else 1 - ways.side) == 0 else "lost")


def waves_chances(fights: Sequence[WavesFight], most: float = inf) -> list[float | None]:
    """The chance in each of these stages that the first attacker's side holds the field after the last wave.

    None within a round, where rules look ahead, and once all of it has been more work than `TOGETHER` times `most`.
    """
    found: list[float | None] = []
    meter = Meter(TOGETHER * most)
    for stage in fights:
        chance = None
        if stage.ended:
            chance = float(stage.ended == "won")
        elif stage.resting and not stage.waves.look_ahead:
            try:
                standing = Standing(stage.fight.attack, stage.fight.defence, stage.fight.rounds)
                odds = ends_from(stage.fight.battle, standing, meter)
                chance = holds_from(stage.waves, stage.wave, stage.holder, odds, meter)
            except TooLargeError:
                pass
        found.append(chance)
    return found


def _against(waves: Waves, number: int, holder: Holder, units: Units) -> AxisFight:
    """The battle of a wave against these units of one holder, and those who are fresh in it."""
    battle = waves.against(number, dict(holder.before))
    there = in_order(added(dict(units), dict(waves.fresh[number])))
    return AxisFight.begin(replace(battle, defender=replace(battle.defender, units=there)))
