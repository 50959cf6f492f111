"""The choices of losses before the first round of a battle in which casualties are chosen.

The attacker chooses among planes that guns have shot down before anybody knows what follows, unless guns decide that;
kamikaze attacks leave no choice; the defender chooses what is lost to the planes and ships of the attacker, and knows
what the attacker has left.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.axis.casualties.sides import Side
from solver.axis.casualties.tables import SAME, Grid, find_loss_ways
from solver.axis.chain import AxisChain
from solver.axis.course import OPENING, guns_choose
from solver.axis.kernel.forces import Nodes, Take
from solver.axis.kernel.hits import Laws

PLANES, ANY = Take(OPENING["guns"].reach), Take(OPENING["bombard"].reach)

Worth = Callable[[int, bool], Grid]
"""The worth before the first round against a force of the defender, for each of the attacker's forces: [row].

It also takes whether the defenders were helpless before the opening.
"""


@dataclass(frozen=True, eq=False)
class ChosenOpening:
    """The forces with which both sides come to the first round.

    Attributes:
        law: The chance of each loss: [place of the attacker's losses, place of the defender's losses].
        rows: The attacker's force after each of its losses: [place].
        columns: The defender's force after each of its losses: [attacker's place, place].
        value: The worth of the battle before it begins.
        helpless: Whether the defenders are helpless before it.
    """

    law: Laws
    rows: Nodes
    columns: Nodes
    value: float
    helpless: bool


def find_chosen_opening(chain: AxisChain, attack: Side, defence: Side, worth: Worth, start: int) -> ChosenOpening:
    """Return the opening with the best choices of those who choose.

    Args:
        chain: The chain of the battle.
        attack: The attacker's forces.
        defence: The defender's forces.
        worth: Returns what a force of the defender is worth before the first round.
        start: The place of the defender's force among those with which they may begin.
    """
    law, count, chooses = chain.opening[start], chain.sizes[0], chain.battle.chooses
    begin = int(defence.starts[start])
    helpless = bool(defence.forces.helpless[begin])
    left = [np.array([node]) for node in chain.opened[start].tolist()]
    if chooses[1]:
        left = _defenders_left(chain, defence, begin)
    known = {column: worth(column, helpless) for column in dict.fromkeys(np.concatenate(left).tolist())}
    values = [np.stack([known[column] for column in columns.tolist()]) for columns in left]
    best = np.stack([value.min(axis=0) for value in values])
    rows = chain.rows
    if chooses[0] and (guns_choose(chain.battle) or chain.battle.kamikaze):
        rows = attack.find(chain.roots)
    elif chooses[0]:
        ways = find_loss_ways(attack, np.array([attack.start]), [PLANES] * (count > 1), [count - 1] * (count > 1))
        rows = np.array(
            [attack.start, *(ways.best(planes, law[planes] @ best) for planes in range(1, count))], np.int64
        )
    chosen = [
        [
            int(columns[np.argmax(value[:, row] <= value[:, row].min() + SAME)])
            for columns, value in zip(left, values, strict=True)
        ]
        for row in rows.tolist()
    ]
    return ChosenOpening(law, rows, np.array(chosen), float((law * best[:, rows].T).sum()), helpless)


def _defenders_left(chain: AxisChain, defence: Side, begin: int) -> list[Nodes]:
    """Return the defender's forces by choice after each number of planes lost and of hits, the best liked first."""
    (_, downed, hit), start = chain.sizes, np.array([begin])
    takes, limits = ([PLANES, ANY], [downed - 1, hit - 1]) if downed * hit > 1 else ([], [])
    ways = find_loss_ways(defence, start, takes, limits)
    left = []
    for place in range(downed * hit):
        some = np.flatnonzero(ways.hits == place)
        left.append(ways.left[some[np.argsort(ways.ranks[some])]] if len(some) else start)
    return left
