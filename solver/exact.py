"""A whole battle as one fraction: the same engine over whole numbers, slower, and right to the last digit."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import chain as joined
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from solver.battle import Battle
from solver.chain import RoundLaw, backward, worth_by_rounds
from solver.choices import ChoiceTable, late_table
from solver.dice import loss_laws
from solver.dice_chain import DiceChain
from solver.errors import BattleError, TooLargeError
from solver.icons import Faces, IconTable
from solver.paths import Path
from solver.table import LossTable, Moves, Outcome, given_a_loss

MOST_BYTES = 100_000_000
MOST_BYTE_ROUNDS = 1_000_000_000
MOST_ICON_WORK = 400_000
MOST_BITS = 14_000
"""Python does not write numbers of more than 4300 digits, and nobody reads them."""


def attacker_wins(battle: Battle | DiceChain) -> Fraction:
    """The exact chance that no defender is left but an attacker is; TooLargeError for too large a question."""
    chain = battle.chain() if isinstance(battle, Battle) else battle
    if chain.reshape:
        raise BattleError("exact", "reshaped odds can't be fractions")
    if chain.value is not None and chain.acting > chain.floor and chain.defenders:
        return _with_stops(chain)
    won = [Fraction(pays) for pays in chain.won(object)[:, 0]]
    return (_to_the_end(chain, won) if chain.rounds is None else _by_rounds(chain, won, chain.rounds))[-1]


def takes_all(path: Path) -> Fraction:
    """The exact chance that an attacker takes every territory of a path; TooLargeError as in `attacker_wins`."""
    chains = [leg.chain() for leg in path.legs]
    pays = [Fraction(0), *[Fraction(1)] * chains[-1].acting]
    for chain, stay in zip(chains[::-1], (*path.leave, 0)[::-1], strict=True):
        # Whoever has taken this territory goes on to the next without those who stay.
        pays = _to_the_end(chain, [Fraction(0), *(pays[max(a - stay, 0)] for a in range(1, chain.acting + 1))])
    return pays[-1]


def _to_the_end(chain: DiceChain, pays: list[Fraction]) -> list[Fraction]:
    """The worth of beginning with 0, 1, ... attackers, given what it pays to end with so many and no defender.

    The worth of a cell, times `unit` to the power of its level, is a whole number. So is the chance, once somebody
    loses something, of an outcome that leads i + j levels down, times `unit` to the power of i + j. With these
    nothing is divided and no fraction is reduced before the end.
    """
    if chain.acting <= chain.floor or chain.defenders == 0:
        return _unfought(chain, pays)
    if chain.faces is not None:
        return _with_icons(chain, chain.faces, pays)
    shared = lcm(*(pay.denominator for pay in pays))
    kernel, unit = _kernel(chain, shared.bit_length())
    worth = _whole(chain, [int(pay * shared * unit**left) for left, pay in enumerate(pays)])
    backward(kernel, worth, chain.floor)
    begun = worth[:, chain.defenders]
    return [Fraction(begun[left], shared * unit ** (left + chain.defenders)) for left in range(chain.acting + 1)]


def _kernel(chain: DiceChain, bits: int = 0) -> tuple[LossTable | ChoiceTable, int]:
    """The kernel over whole numbers and its unit; TooLargeError where the grid is too large.

    `bits` is by how many bits its numbers are longer.
    """
    kernel: LossTable | ChoiceTable
    if chain.late:
        kernel = late_table(chain.attack, chain.defence, chain.ties, exact=True)
        unit = kernel.unit
    else:
        laws = loss_laws(chain.attack, chain.defence, chain.ties)
        unit = lcm(*(share.denominator for law in joined(*laws) for share in given_a_loss(law).values()))
        kernel = LossTable(laws, partial(_scaled, unit))
    bits += (chain.acting + chain.defenders) * unit.bit_length()
    _check_size(chain, bits, _bytes(chain, bits) * (40 if chain.late else 1) / MOST_BYTES)
    return kernel, unit


def _with_stops(chain: DiceChain) -> Fraction:
    """The chance to win of an attacker who stops where that is best for the territory's value.

    Whoever stops has lost, and nothing is worse: so the chance to lose is the best that somebody gets who wants to
    lose, and may stop in just these cells.
    """
    kernel, unit = (_icons(chain, chain.faces), 1) if chain.faces else _kernel(chain)
    certain: Any = np.array(
        [[Fraction(unit ** (a + d)) for d in range(chain.defenders + 1)] for a in range(chain.acting + 1)]
    )
    lost = certain * (1 - chain.won(object))
    backward(kernel, lost, chain.floor, np.where(np.asarray(chain.stopped()), certain, 0))
    return Fraction(1 - lost[-1, -1] / certain[-1, -1])


def _scaled(unit: int, law: RoundLaw) -> Moves:
    shares = given_a_loss(law)
    outcomes = (Outcome(i, j, int(share * unit ** (i + j))) for (i, j), share in shares.items())
    return Moves(tuple(outcomes), int(bool(shares)), 0)


def _with_icons(chain: DiceChain, faces: tuple[Faces, Faces], pays: list[Fraction]) -> list[Fraction]:
    """The same with icon dice, where every cell has a law, and so a denominator, of its own."""
    return list(backward(_icons(chain, faces), _whole(chain, pays), chain.floor)[:, chain.defenders])


def _icons(chain: DiceChain, faces: tuple[Faces, Faces]) -> IconTable:
    kernel = IconTable(*faces, exact=True)
    sizes = product(range(1, chain.acting + 1), range(1, chain.defenders + 1))
    bits = sum(kernel.total(*size).bit_length() for size in sizes)
    _check_size(chain, bits)
    return kernel


def _by_rounds(chain: DiceChain, pays: list[Fraction], rounds: int) -> list[Fraction]:
    """The same with a worth that is a whole number times `unit` to the power of the rounds still to fight."""
    if chain.acting <= chain.floor or chain.defenders == 0:
        return _unfought(chain, pays)
    if chain.faces is not None:
        return _with_icons_by_rounds(chain, chain.faces, pays, rounds)
    laws = loss_laws(chain.attack, chain.defence, chain.ties)
    unit = lcm(*(chance.denominator for law in joined(*laws) for chance in law.values()))
    bits = rounds * unit.bit_length()
    _check_size(chain, bits, rounds * _bytes(chain, bits) / MOST_BYTE_ROUNDS)

    def scaled(law: RoundLaw) -> Moves:
        whole = {losses: int(chance * unit) for losses, chance in law.items()}
        outcomes = tuple(Outcome(*losses, weight) for losses, weight in whole.items() if any(losses))
        return Moves(outcomes, 1, whole.get((0, 0), 0))

    won = _whole(chain, [int(pay) for pay in pays])
    for left, worth in enumerate(worth_by_rounds(LossTable(laws, scaled), won, rounds, chain.floor)):
        if 0 < left < rounds:
            worth[:, 0] *= unit  # what is won already is worth the same with more rounds to come
    return [Fraction(worth, unit**rounds) for worth in won[:, chain.defenders]]


def _with_icons_by_rounds(
    chain: DiceChain, faces: tuple[Faces, Faces], pays: list[Fraction], rounds: int
) -> list[Fraction]:
    kernel = IconTable(*faces, exact=True)
    bits = rounds * kernel.total(chain.acting, chain.defenders).bit_length()
    _check_size(chain, bits, rounds * chain.cells**2 / MOST_ICON_WORK)
    worth = _whole(chain, pays)
    for _ in worth_by_rounds(kernel, worth, rounds, chain.floor):
        pass
    return list(worth[:, chain.defenders])


def _unfought(chain: DiceChain, pays: list[Fraction]) -> list[Fraction]:
    return pays if chain.defenders == 0 else [Fraction(0)] * len(pays)


def _whole(chain: DiceChain, pays: Sequence[Fraction | int]) -> Any:
    """A grid of whole numbers or fractions with the payoff in place."""
    worth: Any = np.zeros((chain.acting + 1, chain.defenders + 1), object)
    worth[:, 0] = pays
    return worth


def _bytes(chain: DiceChain, bits: int) -> float:
    """About how much memory the grid takes: on average its numbers are half as long as the longest."""
    return chain.cells * (50 + bits / 16)


def _check_size(chain: DiceChain, bits: int, size: float = 0.0) -> None:
    if size > 1 or bits > MOST_BITS:
        raise TooLargeError(
            "exact",
            "{attackers} against {defenders} is too large for a fraction; its odds still work",
            attackers=chain.acting,
            defenders=chain.defenders,
        )
