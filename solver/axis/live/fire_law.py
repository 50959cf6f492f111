"""The law of a volley: what each side may have left after it, by the order of loss."""

from collections.abc import Sequence
from math import prod

import numpy as np

from solver.axis.kernel.forces import Force
from solver.axis.kernel.hits import hit_laws
from solver.axis.rows import AxisRows, BattleRows, Salvo, SubFlags
from solver.axis.units import ROLES
from solver.errors import TooLargeError

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
        chances = [hit_laws(powers, rows.battle.dice)[0] for powers in salvo.powers]
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
