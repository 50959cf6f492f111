"""The chance to win as a fraction: the same engine over whole numbers, slower, but right to the last digit."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import chain as joined
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from solver.chain import RoundLaw, backward, worth_by_rounds
from solver.dice.battle import Battle
from solver.dice.chain import DiceChain
from solver.dice.choices import ChoiceTable, late_table
from solver.dice.compared import LossTable, Moves, Outcome, law_given_loss
from solver.dice.icons import IconTable
from solver.dice.kill_rates import icon_table
from solver.dice.pools import DIE_BY_DIE, loss_laws
from solver.errors import BattleError, TooLargeError

MOST_BYTES = 100_000_000
MOST_BYTE_ROUNDS = 1_000_000_000
MOST_ICON_WORK = 400_000
MOST_BITS = 14_000
"""Python writes no numbers of more than 4300 digits, and nobody reads them."""


def attacker_wins(battle: Battle | DiceChain) -> Fraction:
    """Return the exact chance that an attacker and no defender is left.

    Args:
        battle: A battle, or its chain.

    Raises:
        TooLargeError: The battle takes too much work, or the fraction is too long.
        BattleError: The battle has reshaped odds.

    Example:
        >>> attacker_wins(Battle(1, 1))
        Fraction(5, 12)
    """
    chain = battle.chain() if isinstance(battle, Battle) else battle
    if chain.reshape:
        raise BattleError("exact", "reshaped odds can't be fractions")
    if chain.value is not None and chain.acting > chain.floor and chain.defenders:
        return _chance_with_stops(chain)
    won = [Fraction(pays) for pays in chain.win_pays(object)[:, 0]]
    worth = worth_fought_out(chain, won) if chain.rounds is None else _worth_within_rounds(chain, won, chain.rounds)
    return worth[-1]


def worth_fought_out(chain: DiceChain, pays: list[Fraction]) -> list[Fraction]:
    """Return the worth of beginning a battle with 0, 1, ... attackers, all fought to the end.

    Args:
        chain: The chain of the battle.
        pays: The payoff of ending with 0, 1, ... attackers and no defender.

    The worth of a cell times `unit` to the power of its level is a whole number. So is the chance, once somebody loses
    something, of an outcome that leads i + j levels down, times `unit` to the power of i + j. With these numbers
    nothing is divided and no fraction is reduced before the end.
    """
    if chain.acting <= chain.floor or chain.defenders == 0:
        return _worth_unfought(chain, pays)
    if chain.faces is not None:
        # Each cell has a law, and so a denominator, of its own.
        return list(backward(_icon_kernel(chain), _payoff_grid(chain, pays), chain.floor)[:, chain.defenders])
    shared = lcm(*(pay.denominator for pay in pays))
    kernel, unit = _kernel(chain, shared.bit_length())
    worth = _payoff_grid(chain, [int(pay * shared * unit**left) for left, pay in enumerate(pays)])
    backward(kernel, worth, chain.floor)
    begun = worth[:, chain.defenders]
    return [Fraction(begun[left], shared * unit ** (left + chain.defenders)) for left in range(chain.acting + 1)]


def _kernel(chain: DiceChain, bits: int = 0) -> tuple[LossTable | ChoiceTable, int]:
    """Return the kernel over whole numbers and its unit.

    `bits` is the additional length of its numbers. TooLargeError if the grid is too large.
    """
    kernel: LossTable | ChoiceTable
    if chain.late:
        by_die = chain.late == DIE_BY_DIE
        kernel = late_table(chain.attack, chain.defence, chain.ties, exact=True, by_die=by_die)
        unit = kernel.unit
    else:
        laws = loss_laws(chain.attack, chain.defence, chain.ties, chain.totals)
        unit = lcm(*(share.denominator for law in joined(*laws) for share in law_given_loss(law).values()))
        kernel = LossTable(laws, partial(_whole_moves, unit))
    bits += (chain.acting + chain.defenders) * unit.bit_length()
    _check_size(chain, bits, _grid_bytes(chain, bits) * (40 if chain.late else 1) / MOST_BYTES)
    return kernel, unit


def _chance_with_stops(chain: DiceChain) -> Fraction:
    """Return the chance to win of an attacker who stops where that is best for the territory's value.

    Stopping loses for certain, and nothing is worse. So the chance to lose is the best result of a player who wants to
    lose and may stop in these cells.
    """
    kernel, unit = (_icon_kernel(chain), 1) if chain.faces else _kernel(chain)
    certain: Any = np.array(
        [[Fraction(unit ** (a + d)) for d in range(chain.defenders + 1)] for a in range(chain.acting + 1)]
    )
    lost = certain * (1 - chain.win_pays(object))
    backward(kernel, lost, chain.floor, np.where(np.asarray(chain.stop_mask()), certain, 0))
    return Fraction(1 - lost[-1, -1] / certain[-1, -1])


def _whole_moves(unit: int, law: RoundLaw) -> Moves:
    shares = law_given_loss(law)
    outcomes = (Outcome(i, j, int(share * unit ** (i + j))) for (i, j), share in shares.items())
    return Moves(tuple(outcomes), int(bool(shares)), 0)


def _icon_kernel(chain: DiceChain) -> IconTable:
    kernel = _icon_table(chain)
    sizes = product(range(1, chain.acting + 1), range(1, chain.defenders + 1))
    _check_size(chain, sum(kernel.total(*size).bit_length() for size in sizes))
    return kernel


def _icon_table(chain: DiceChain) -> IconTable:
    assert chain.faces, "this battle has no icon dice"
    return icon_table(*chain.faces, chain.luck, exact=True)


def _worth_within_rounds(chain: DiceChain, pays: list[Fraction], rounds: int) -> list[Fraction]:
    """Return the worth as `worth_fought_out` does, with a limit of rounds.

    The worth times `unit` to the power of the rounds left is a whole number.
    """
    if chain.acting <= chain.floor or chain.defenders == 0:
        return _worth_unfought(chain, pays)
    if chain.faces is not None:
        return _icon_worth_within_rounds(chain, pays, rounds)
    laws = loss_laws(chain.attack, chain.defence, chain.ties, chain.totals)
    unit = lcm(*(chance.denominator for law in joined(*laws) for chance in law.values()))
    bits = rounds * unit.bit_length()
    _check_size(chain, bits, rounds * _grid_bytes(chain, bits) / MOST_BYTE_ROUNDS)

    def scale(law: RoundLaw) -> Moves:
        whole = {losses: int(chance * unit) for losses, chance in law.items()}
        outcomes = tuple(Outcome(*losses, weight) for losses, weight in whole.items() if any(losses))
        return Moves(outcomes, 1, whole.get((0, 0), 0))

    won = _payoff_grid(chain, [int(pay) for pay in pays])
    for left, worth in enumerate(worth_by_rounds(LossTable(laws, scale), won, rounds, chain.floor)):
        if 0 < left < rounds:
            worth[:, 0] *= unit  # a battle already won is worth the same with more rounds to come
    return [Fraction(worth, unit**rounds) for worth in won[:, chain.defenders]]


def _icon_worth_within_rounds(chain: DiceChain, pays: list[Fraction], rounds: int) -> list[Fraction]:
    kernel = _icon_table(chain)
    bits = rounds * kernel.total(chain.acting, chain.defenders).bit_length()
    _check_size(chain, bits, rounds * chain.cells**2 / MOST_ICON_WORK)
    worth = _payoff_grid(chain, pays)
    for _ in worth_by_rounds(kernel, worth, rounds, chain.floor):
        pass
    return list(worth[:, chain.defenders])


def _worth_unfought(chain: DiceChain, pays: list[Fraction]) -> list[Fraction]:
    return pays if chain.defenders == 0 else [Fraction(0)] * len(pays)


def _payoff_grid(chain: DiceChain, pays: Sequence[Fraction | int]) -> Any:
    """Return a grid of whole numbers or fractions with this payoff in its cells without defenders."""
    worth: Any = np.zeros((chain.acting + 1, chain.defenders + 1), object)
    worth[:, 0] = pays
    return worth


def _grid_bytes(chain: DiceChain, bits: int) -> float:
    """Return the approximate memory of the grid: on average its numbers are half as long as the longest."""
    return chain.cells * (50 + bits / 16)


def _check_size(chain: DiceChain, bits: int, size: float = 0.0) -> None:
    if size > 1 or bits > MOST_BITS:
        raise TooLargeError(
            "exact",
            "{attackers} against {defenders} is too large for a fraction; its odds still work",
            attackers=chain.acting,
            defenders=chain.defenders,
        )
