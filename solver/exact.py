"""A whole battle as one fraction: the same engine over whole numbers, slower, and right to the last digit."""

from fractions import Fraction
from itertools import chain as joined
from math import lcm
from typing import Any

import numpy as np

from solver.battle import Battle, DiceChain
from solver.chain import LossTable, Moves, Outcome, RoundLaw, backward, worth_by_rounds
from solver.dice import loss_laws
from solver.errors import BattleError

MOST_BYTES = 100_000_000
MOST_BYTE_ROUNDS = 1_000_000_000
MOST_BITS = 14_000
"""Python does not write numbers of more than 4300 digits, and nobody reads them."""


def attacker_wins(battle: Battle | DiceChain) -> Fraction:
    """The exact chance that no defender is left but an attacker is; BattleError where that is too large a question."""
    chain = battle.chain() if isinstance(battle, Battle) else battle
    won = chain.won(object)
    if chain.acting <= chain.floor or chain.defenders == 0:
        return Fraction(won[chain.acting, chain.defenders])
    return _to_the_end(chain, won) if chain.rounds is None else _by_rounds(chain, won, chain.rounds)


def _to_the_end(chain: DiceChain, won: Any) -> Fraction:
    """The worth of a cell, times `unit` to the power of its level, is a whole number.

    So is the chance, once somebody loses something, of an outcome that leads i + j levels down, times `unit` to the
    power of i + j. With these nothing is divided and no fraction is reduced before the end.
    """
    laws = loss_laws(chain.attack, chain.defence, chain.ties)
    unit = lcm(*(share.denominator for law in joined(*laws) for share in _shares(law).values()))
    level = chain.acting + chain.defenders
    _check_size(chain, _bytes(chain, unit, level) / MOST_BYTES, unit, level)

    def scaled(law: RoundLaw) -> Moves:
        shares = _shares(law)
        outcomes = (Outcome(i, j, int(share * unit ** (i + j))) for (i, j), share in shares.items())
        return Moves(tuple(outcomes), int(bool(shares)), 0)

    won[:, 0] *= np.array([unit**attackers for attackers in range(chain.acting + 1)], dtype=object)
    worth: Any = backward(LossTable(laws, scaled), won, chain.floor)
    return Fraction(worth[chain.acting, chain.defenders], unit**level)


def _by_rounds(chain: DiceChain, won: Any, rounds: int) -> Fraction:
    """The same with a worth that is a whole number times `unit` to the power of the rounds still to fight."""
    laws = loss_laws(chain.attack, chain.defence, chain.ties)
    unit = lcm(*(chance.denominator for law in joined(*laws) for chance in law.values()))
    _check_size(chain, rounds * _bytes(chain, unit, rounds) / MOST_BYTE_ROUNDS, unit, rounds)

    def scaled(law: RoundLaw) -> Moves:
        whole = {losses: int(chance * unit) for losses, chance in law.items()}
        outcomes = tuple(Outcome(*losses, weight) for losses, weight in whole.items() if any(losses))
        return Moves(outcomes, 1, whole.get((0, 0), 0))

    for left, worth in enumerate(worth_by_rounds(LossTable(laws, scaled), won, rounds, chain.floor)):
        if 0 < left < rounds:
            worth[:, 0] *= unit  # what is won already is worth the same with more rounds to come
    return Fraction(won[chain.acting, chain.defenders], unit**rounds)


def _shares(law: RoundLaw) -> dict[tuple[int, int], Fraction]:
    """The chances of the outcomes in which somebody loses something, given that one of them comes."""
    leaving = {losses: chance for losses, chance in law.items() if any(losses) and chance}
    total = sum(leaving.values())
    return {losses: chance / total for losses, chance in leaving.items()}


def _bytes(chain: DiceChain, unit: int, power: int) -> float:
    """About how much memory the grid takes: on average its numbers are half as long as the longest."""
    return chain.cells * (50 + power * unit.bit_length() / 16)


def _check_size(chain: DiceChain, size: float, unit: int, power: int) -> None:
    if size > 1 or power * unit.bit_length() > MOST_BITS:
        sizes = f"{chain.acting} against {chain.defenders}"
        raise BattleError("exact", f"{sizes} is too large to work out as a fraction; its odds are fine")
