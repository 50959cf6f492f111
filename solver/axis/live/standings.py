"""Stages of a live battle of Axis & Allies as cells of a chain, the law of a volley, and the attacker's plan.

Players come to stages by their choices, wherever those lead; the law and the plan follow the order of loss from there.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from math import inf, prod
from typing import NamedTuple

import numpy as np

from solver.axis.battle import AxisBattle
from solver.axis.chain import MOST_NUMBERS, AxisChain
from solver.axis.course import last_round
from solver.axis.kernel.forces import full_force
from solver.axis.kernel.hits import hit_laws
from solver.axis.loss_order import Force, Segment
from solver.axis.opening import JointLaw
from solver.axis.plans import RetreatPlans
from solver.axis.rows import AxisRows, BattleRows, Salvo, SubFlags
from solver.axis.units import ROLES
from solver.chain import Grid, Mask
from solver.errors import TooLargeError
from solver.progress import Meter

MOST_HITS = 20_000
"""The most combinations of hits of the groups of a salvo."""

Law = tuple[tuple[Force, float], ...]
"""Forces, each with its probability."""


def laws_after(rows: AxisRows, field: BattleRows, salvos: Sequence[Salvo], had: SubFlags | None) -> tuple[Law, Law]:
    """Return what the attacker and the defender may have left after a volley.

    Args:
        rows: The rules of the battle.
        field: The battle before the volley, as the only row.
        salvos: The fire of the attacker and of the defender: all who have not fired yet in the round.
        had: Whether each side had submarines when the round began; None if there are no submarines.

    Raises:
        TooLargeError: A side's hits can fall in too many ways.
    """
    laws = []
    for side, role in enumerate(ROLES):
        salvo = salvos[1 - side]
        chances = [hit_laws(powers, rows.battle.unit_dice)[0] for powers in salvo.powers]
        if prod(map(len, chances)) > MOST_HITS:
            raise TooLargeError("units", "this battle takes more work than is allowed")
        hits = np.indices([len(law) for law in chances]).reshape(len(chances), -1)
        shares = np.ones(hits.shape[1])
        for law, counts in zip(chances, hits, strict=True):
            shares = shares * law[counts]
        possible = shares > 0
        shots = salvo.shots([counts[possible] for counts in hits])
        target = (field.attack, field.defence)[side]
        counts_before = np.repeat(np.hstack([target.active, target.gone]), int(possible.sum()), axis=0)
        forces = rows.forces(role, counts_before)
        taken = rows.take_hits(
            field._replace(attack=forces) if side == 0 else field._replace(defence=forces),
            shots if side else [],
            [] if side else shots,
            had,
        )
        left = (taken.attack, taken.defence)[side]
        law_of_side: dict[Force, float] = {}
        for active, gone, share in zip(
            left.active.tolist(), left.gone.tolist(), shares[possible].tolist(), strict=True
        ):
            force = Force(tuple(active), tuple(gone))
            law_of_side[force] = law_of_side.get(force, 0.0) + share
        laws.append(tuple(law_of_side.items()))
    return laws[0], laws[1]


class Standing(NamedTuple):
    """A battle at the beginning of a round, or within one.

    Attributes:
        attack: The attacker's force.
        defence: The defender's force.
        rounds: The number of rounds fought.
        spread: The forces that both sides may have left after the round, which is then one more; None between
            rounds.
        opening: The forces that both may have left after the opening, if that is under way; else None.
    """

    attack: Force
    defence: Force
    rounds: int
    spread: tuple[Law, Law] | None = None
    opening: JointLaw | None = None

    @property
    def rounds_then(self) -> int:
        """The number of rounds fought at the end of the round under way."""
        return self.rounds + (self.spread is not None)

    @property
    def forces(self) -> tuple[list[Force], list[Force]]:
        """The forces of the attacker and of the defender that a chain must have to hold it."""
        later = self.opening or ()
        return [self.attack, *(ours for ours, _, _ in later)], [self.defence, *(theirs for _, theirs, _ in later)]


class StandingChain:
    """The chain of a battle in which some stages stand.

    Attributes:
        chain: The chain.
        usual: Whether it begins with the start of the battle.

    Args:
        battle: The battle.
        meter: Counts the work; TooLargeError is raised if it is more than the meter allows.
        roots: The forces of the attacker and of the defender with which the chain begins; None for those of the
            battle's start.
    """

    def __init__(self, battle: AxisBattle, meter: Meter, roots: tuple[list[Force], list[Force]] | None = None) -> None:
        chain = AxisChain(battle)
        self._order, self.usual = battle.segments("defence"), roots is None
        if roots:
            forces = [self._plain(chain, force) for force in roots[0]]
            chain = chain.with_roots("attack", list(dict.fromkeys(forces)))
            chain = chain.with_roots("defence", list(dict.fromkeys(roots[1])), self._order, full_force(self._order))
        chain.meter = meter
        if chain.numbers > MOST_NUMBERS and meter.limit < inf:
            raise TooLargeError("units", "this battle takes more work than is allowed")
        chain.trim = True
        self.chain = chain

    @staticmethod
    def _plain(chain: AxisChain, force: Force) -> Force:
        """The force as the chain has it: if no rule ends the battle early, it does not count who has retreated."""
        return force if chain.attackers_leave else Force(force.active, (0,) * len(force.gone))

    def row(self, force: Force) -> int | None:
        """Return the row of a force of the attacker, see `Force`; None if the chain lacks it."""
        return self.chain.attack.place.get(self._plain(self.chain, force))

    def column(self, force: Force) -> int | None:
        """Return the column of a force of the defender, see `Force`; None if the chain lacks it."""
        if self.chain.segments[1] == self._order:
            return self.chain.defence.place.get(force)
        # Here the chain has an order of loss of its own, but its forces are those of the battle rank by rank.
        return self._columns.get(sum(force.active)) if _is_in_order(self._order, force) else None

    @staticmethod
    def _known_place(node: int | None) -> int:
        """A node that the chain has."""
        assert node is not None, "what hits leave of a force is in its chain"
        return node

    @cached_property
    def _columns(self) -> Mapping[int, int]:
        """The column of each rank of the defender."""
        nodes = enumerate(self.chain.defence.nodes)
        return {sum(force.active): column for column, force in nodes if not any(force.gone)}

    def holds(self, standing: Standing) -> bool:
        """Return whether a stage stands in the chain: see `Standing`."""
        ours, theirs = standing.forces
        return None not in map(self.row, ours) and None not in map(self.column, theirs)

    def law(self, standing: Standing) -> Grid:
        """Return the probability of each cell at the stage, or at the end of the opening or the round under way.

        Args:
            standing: A stage that the chain holds.
        """
        law = self.chain.kernel().empty()
        if standing.opening:
            for attack, defence, share in standing.opening:
                law[self._known_place(self.row(attack)), self._known_place(self.column(defence))] += share
            return law
        ours, theirs = standing.spread or (((standing.attack, 1.0),), ((standing.defence, 1.0),))
        rows = [self._known_place(self.row(force)) for force, _ in ours]
        columns = [self._known_place(self.column(force)) for force, _ in theirs]
        shares = np.outer([share for _, share in ours], [share for _, share in theirs])
        np.add.at(law, np.ix_(rows, columns), shares)
        return law


def chains_of(battle: AxisBattle, standings: Sequence[Standing], meter: Meter) -> list[tuple[StandingChain, list[int]]]:
    """Return the chains in which these stages stand, each with the places of its stages: see `StandingChain`.

    They are two at most; with a limit of rounds stages off the usual course have a small chain each, as they are solved
    one by one.
    """
    if not standings:
        return []
    usual = StandingChain(battle, meter)
    there = [place for place, standing in enumerate(standings) if usual.holds(standing)]
    others = [place for place in range(len(standings)) if place not in there]
    chains = [(usual, there)] if there else []
    groups = [[place] for place in others] if last_round(battle) is not None else [others]
    for group in filter(None, groups):
        needed = [standings[place].forces for place in group]
        roots = [force for ours, _ in needed for force in ours], [force for _, theirs in needed for force in theirs]
        chains.append((StandingChain(battle, meter, roots), group))
    return chains


def _is_in_order(segments: Sequence[Segment], force: Force) -> bool:
    """Whether a force is what hits leave of all units of a side that take the next unit each."""
    whole = [count == segment.units for count, segment in zip(force.active, segments, strict=True)]
    first = next((place for place, count in enumerate(force.active) if count), len(whole))
    return all(whole[first + 1 :])


MOST_PLANNED = 200_000_000.0
"""About how much work a plan may take, in the unit of `Meter`: a second or so."""
MOST_KEPT = 16
"""The most parts of a plan that are kept beside the first."""


class _Part(NamedTuple):
    """The plan for what follows from some forces: the cells, and whether the attacker stops in each."""

    cells: StandingChain
    stops: Mask


class Plan:
    """The plan of an attacker who looks to the end of the battle, at first for its usual course.

    TooLargeError is raised where a plan takes more work than `MOST_PLANNED`.

    Attributes:
        declined: Whether they decline the battle.
    """

    def __init__(self, battle: AxisBattle) -> None:
        self._battle = battle
        cells = StandingChain(battle, Meter(MOST_PLANNED))
        plans = RetreatPlans(cells.chain)
        self.declined = plans.declines()[0]
        self._parts = [_Part(cells, plans.stops)]

    @property
    def usual_stops(self) -> Mask:
        """Whether the attacker stops in each cell of the battle's own chain: [row, column]."""
        return self._parts[0].stops

    def stops_at(self, attack: Force, defence: Force) -> bool:
        """Return whether the attacker stops where two forces meet, the attacker's and the defender's: see `Plan`."""
        if (known := self._known_stop(attack, defence)) is None:
            self.add([attack], [defence])
            known = self._known_stop(attack, defence)
        assert known is not None, "it was just added"
        return known

    def _known_stop(self, attack: Force, defence: Force) -> bool | None:
        """Whether the attacker stops where two forces meet; None if the plan for them is not there."""
        for part in self._parts:
            row, column = part.cells.row(attack), part.cells.column(defence)
            if row is not None and column is not None:
                return bool(part.stops[row, column])
        return None

    def add(self, attacks: list[Force], defences: list[Force]) -> None:
        """Find the plan for what follows from forces of both sides, unless it is there: see `Plan`."""
        if None not in (self._known_stop(*pair) for pair in product(attacks, defences)):
            return
        cells = StandingChain(self._battle, Meter(MOST_PLANNED), (attacks, defences))
        part = _Part(cells, RetreatPlans(cells.chain).stops)
        self._parts = [self._parts[0], part, *self._parts[1:MOST_KEPT]]
