"""The fights of many battles at once: in every turn each of them ends or has a round."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.axis.battle import AxisBattle
from solver.axis.course import OPENING, ROUND, count_planes, guns_draw
from solver.axis.kernel.forces import ONLY, Forces, Nodes
from solver.axis.kernel.search import unique_inverse
from solver.axis.rows import AxisRows, BattleRows, Salvo, Salvos, SubFlags
from solver.axis.sides import dice_of
from solver.axis.simulation.even_luck import EvenLuck, Moment
from solver.axis.simulation.lucky_hits import LuckyHits
from solver.chain import Chances

ENDLESS = 2_000
"""A battle that is not over after so many rounds counts as undecided."""
THROW_OF = {"any": 0, "planes": 0, "ships": 4, "surface": 6}
"""The number of the attacker's throw of each group in a round, others one after the other; the defender's is the next.
"""
GUNS = 0, list(OPENING).index("guns")
"""The beginning of the moments at which anti-aircraft guns fire."""
STRIKE = 2
"""The number of the throw of the attacker's submarines that strike first."""
IN_THE_AIR = 1 / 3
"""The part of a tilt that dice have where planes fight each other first. With all of it they would fight far shorter
than they mostly do where the end is a rare one, and a few weights would be much larger than the others."""

Rows = npt.NDArray[np.int16]


class Endings(NamedTuple):
    """Battles that are over.

    Attributes:
        attack: The attacker's units in the fight, then those gone from it: [battle, segment].
        defence: The defender's units in the fight, then those gone from it: [battle, segment].
        rounds: The number of rounds of all battles together.
        work: The same with the volleys before the first round, such as rounds in the air.
        undecided: The number of battles given up after `ENDLESS` rounds.
        weights: The logarithm of the weight of each battle; 0 where dice are not tilted: [battle].
    """

    attack: Rows
    defence: Rows
    rounds: int
    work: int
    undecided: int
    weights: Chances


class Simulator:
    """A simulator of many battles at once.

    Attributes:
        battle: The battle.
        rows: Its rules.

    Args:
        battle: The battle.
        tilt: How much more often the attacker's dice hit than real ones, and the defender's less often: see
            `LuckyHits`.
    """

    def __init__(self, battle: AxisBattle, tilt: float = 0.0) -> None:
        self.battle, self.rows = battle, AxisRows(battle)
        self._tilt = tilt
        self._tilted = lru_cache(LuckyHits)
        strengths = (
            [0 if segment.spare else segment.unit.strength(role) for segment in segments]
            for role, segments in self.rows.segments.items()
        )
        self._strengths = [np.array(of, np.int64) for of in strengths]

    def roll(self, luck: EvenLuck, battles: int) -> Endings:
        """Fight battles until all are over: in every turn each one ends or has a round.

        Args:
            luck: Their luck.
            battles: How many.
        """
        self._luck, self._weights = luck, np.zeros(battles)
        self._here: Nodes = np.arange(battles)
        field, volleys = self._open(self.rows.start(battles))
        ships = self.battle.ships
        ended: list[tuple[BattleRows, Nodes]] = []
        undecided = 0
        while len(field.rounds):
            field, fights, _ = self.rows.make_moves(field, ships)
            endless = fights & (field.rounds >= ENDLESS)
            undecided += int(endless.sum())
            over = ~fights | endless
            if over.any():
                ended.append((field.select(over), self._here[over]))
                field, self._here = field.select(~over), self._here[~over]
            field = self._round(field._replace(attack=field.attack.with_ships(ships)))
            ships = ()
        rounds = sum(int(some.rounds.sum()) for some, _ in ended)
        ours, theirs = [some.attack for some, _ in ended], [some.defence for some, _ in ended]
        weights = self._weights[np.concatenate([which for _, which in ended])]
        work = rounds + volleys * battles
        return Endings(_counts_of(ours), _counts_of(theirs), rounds, work, undecided, weights)

    def _open(self, field: BattleRows) -> tuple[BattleRows, int]:
        """The battles after the opening, and how many volleys it had."""
        volleys = 0
        for place, (phase, rule) in enumerate(OPENING.items()):
            salvos, step = self.rows.salvos(phase, field), 0
            while any(powers.any() for salvo in salvos for powers in salvo.powers):
                for volley in _one_after_the_other(salvos):
                    self._begin(field, (0, place, step))
                    field, step = self._volley(field, volley), step + 1
                if not rule.repeats:
                    break
                salvos = self.rows.salvos(phase, field)
            volleys += step
        return field, volleys

    def _begin(self, field: BattleRows, moment: Moment) -> None:
        """Put the battles in order for the throws of a moment."""
        self._moment, ours, theirs = moment, self._tilt, -self._tilt
        if moment[0] == 0 and self.battle.air_battle:
            ours, theirs = ours * IN_THE_AIR, theirs * IN_THE_AIR
        elif moment == (1, (self.battle.round_limit or 0) - 1):
            # In the last round the other side hits nothing that could still fire.
            ours, theirs = max(ours, 0.0), max(theirs, 0.0)
        dice = dice_of(self.battle.dice, self.battle.rules.faces, guns=moment[:2] == GUNS)
        self._dice = self._tilted(dice, ours), self._tilted(dice, theirs)
        self._luck.begin(moment, self._here, self._ahead(field))

    def _round(self, field: BattleRows) -> BattleRows:
        """The battles after one more round."""
        self._begin(field, (1, int(field.rounds[0]) if len(field.rounds) else 0))
        had = (field.attack.subs, field.defence.subs) if self.rows.subs_about else None
        for phase in ROUND:
            if had or phase == "fire":
                field = self._volley(field, self.rows.salvos(phase, field, had), had, phase == "strike")
        return field._replace(rounds=field.rounds + 1)

    def _ahead(self, field: BattleRows) -> Chances:
        """How far the attacker is ahead in each battle: what both sides could hit, times what they can lose."""
        ours, theirs = (
            np.log1p((side.active @ strengths) * side.rank)
            for side, strengths in zip((field.attack, field.defence), self._strengths, strict=True)
        )
        return np.asarray(ours - theirs)

    def _volley(
        self, field: BattleRows, salvos: Salvos, had: SubFlags | None = None, strikes: bool = False
    ) -> BattleRows:
        """The battles after both sides have fired."""
        shots = []
        for side, salvo in enumerate(salvos):
            hits = []
            for place, (reach, powers) in enumerate(zip(salvo.reaches, salvo.powers, strict=True)):
                throw = side + (STRIKE if strikes else THROW_OF.get(reach, 2 * place))
                numbers = self._luck.numbers(self._moment, throw, self._here)
                fallen, weights = self._dice[side].hits(powers, numbers, self._luck.generator)
                self._weights[self._here] += weights
                hits.append(fallen)
            shots.append(salvo.shots(hits))
        at_theirs, at_ours = shots
        if guns_draw(self.battle):
            at_ours = [drawn for reach, hits in at_ours for drawn in self._draw_planes(reach, hits)]
        return self.rows.take_hits(field, at_theirs, at_ours, had)

    def _draw_planes(self, reach: str, hits: Nodes) -> Iterator[tuple[str, Nodes]]:
        """Yield hits on the attacker, those of guns for each kind of plane that they take at random."""
        planes = count_planes(self.battle, self.rows.segments["attack"])
        if reach != OPENING["guns"].reach:
            yield reach, hits
            return
        left = sum(planes.values())
        for name, count in planes.items():
            left -= count
            taken = self._luck.generator.hypergeometric(count, left, hits)
            yield ONLY + name, taken
            hits = hits - taken


def gather_ends(rows: AxisRows, parts: Sequence[Endings]) -> tuple[tuple[Forces, Forces, Nodes, Nodes], Nodes]:
    """Return the different ends of many battles, and the end of each battle.

    An end has two of the different forces of both sides.

    Args:
        rows: The rules of the battle.
        parts: Parts that were rolled.
    """
    ours, first = _unique_rows(np.concatenate([endings.attack for endings in parts]))
    theirs, second = _unique_rows(np.concatenate([endings.defence for endings in parts]))
    pairs, place = unique_inverse(first * len(theirs) + second)
    which, beside = np.divmod(pairs, len(theirs))
    return (rows.forces("attack", ours), rows.forces("defence", theirs), which, beside), place


def _one_after_the_other(salvos: Salvos) -> list[Salvos]:
    """The fire before the first round without more than one group of dice of a side at once.

    Kamikaze attacks have a group for each ship that is attacked, and guns that fire at each kind of plane apart have
    one for each kind.
    """
    groups = range(max(len(salvo.reaches) for salvo in salvos))
    ours, theirs = ([Salvo(of.reaches[at : at + 1], of.powers[at : at + 1]) for at in groups] for of in salvos)
    return list(zip(ours, theirs, strict=True))


def _counts_of(sides: Sequence[Forces]) -> Rows:
    """The units of a side in all battles: those in the fight, then those gone from it."""
    return np.concatenate([np.concatenate([side.active, side.gone], axis=1).astype(np.int16) for side in sides])


def _unique_rows(rows: Rows) -> tuple[Rows, Nodes]:
    """The different rows, and the place of each row among them."""
    place = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, place = unique_inverse(place * (int(column.max(initial=0)) + 1) + column)
    some = np.empty(int(place.max(initial=-1)) + 1, np.int64)
    some[place] = np.arange(len(rows))
    return rows[some], place
