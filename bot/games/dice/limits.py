"""The limits on the size of battles with dice."""

from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from bot.errors import UserError
from bot.languages import _, compose
from solver import Battle
from solver.dice.battle import MOST_ARMIES
from solver.dice.sizes import MOST_NEEDED, ArmySide, Need, large_need_work, need, need_for_large_army, with_armies

MOST_NUMBERS = 6_000_000
LEAST_TRIED = 50
"""The fewest armies of a side for which a table is made; a smaller one would say nothing."""
MOST_OF_MANY = 20_000
"""The most armies on the other side against which each number is tried by itself, where no table is large enough."""
TRYING = 4
"""The most work for trying numbers, in multiples of that of the largest battle."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of this host: battles take up to `most_work`, in the unit of `DiceChain.work`."""

    most_work: int

    def fits(self, battle: Battle, grid: bool = False) -> bool:
        """Return whether a battle, or a grid of its size, is small enough."""
        chain = battle.chain()
        numbers = max(chain.numbers, chain.cells * grid * (8 if chain.reshape else 3))
        work = chain.grid_work if grid else chain.work
        return numbers <= MOST_NUMBERS and work <= self.most_work

    def check_size(self, battle: Battle, grid: bool = False) -> None:
        """Raise UserError, with the largest possible size, if a battle or a grid of its size is too large."""
        if self.fits(battle, grid):
            return
        if battle.chain().table_work > self.most_work:
            raise UserError(_("These dice can fall in too many ways. Use fewer or smaller dice."))
        if battle.rounds is not None and self.fits(replace(battle, rounds=0), grid):
            most = largest(lambda number: self.fits(replace(battle, rounds=number), grid), battle.rounds)
            text = _(
                "{rounds} rounds are too many; for this battle the limit is {most}.",
                rounds=battle.rounds,
                most=most,
            )
            raise UserError(text)
        sides = {"attackers": battle.attackers, "defenders": battle.defenders}
        if grid and self.fits(battle):
            what = _("{attackers} against {defenders} is too large for this question.", **sides)
        else:
            what = _("{attackers} against {defenders} is too large for me.", **sides)
        raise UserError(compose("{what} {fine}", what=what, fine=self._fine(battle, grid)))

    def need(
        self, battle: Battle, side: ArmySide, goal: float, shown: int
    ) -> tuple[Callable[..., Need], tuple[Hashable, ...]]:
        """Return the work that finds how many armies of a side are needed; UserError if it is too large.

        It is done from a table, or with armies too large for that one by one.
        """
        theirs = battle.defenders if side == "attackers" else battle.attackers
        bare = with_armies(battle, side, 1)
        most = largest(lambda number: self.fits(with_armies(battle, side, number), grid=True), MOST_NEEDED)
        if 2 * theirs > most and bare.chain().level_by_level and not battle.reshape:
            self._check_tries(bare, side)
            return need_for_large_army, (bare, side, goal, min(shown, 4 * theirs))
        if most < LEAST_TRIED:
            self.check_size(with_armies(battle, side, LEAST_TRIED), grid=True)
        return need, (bare, side, goal, most, shown)

    def _check_tries(self, battle: Battle, side: ArmySide) -> None:
        """Raise UserError if the other side has too many armies to try each number by itself."""
        other: ArmySide = "defenders" if side == "attackers" else "attackers"

        def fits(theirs: int) -> bool:
            against = with_armies(battle, other, theirs)
            possible = 4 * theirs <= MOST_ARMIES and self.fits(with_armies(against, side, 4 * theirs))
            return possible and theirs <= MOST_OF_MANY and large_need_work(against, side) <= TRYING * self.most_work

        if not fits(theirs := getattr(battle, other)):
            text = _(
                "`/need` works against up to {most}, not against {number}.",
                most=largest(fits, MOST_OF_MANY),
                number=theirs,
            )
            raise UserError(text)

    def _fine(self, battle: Battle, grid: bool) -> str:
        """Say how large such a battle may be."""
        plain = replace(battle, stop=0, reserve=0, rounds=None)

        def most(*sides: ArmySide) -> int:
            def fits(number: int) -> bool:
                whole = plain
                for side in sides:
                    whole = with_armies(whole, side, number)
                return self.fits(whole, grid)

            return largest(fits, MOST_ARMIES)

        even, attackers, defenders = most("attackers", "defenders"), most("attackers"), most("defenders")
        values = {"even": even, "attackers": attackers, "defenders": battle.defenders}
        if defenders > even:
            values |= {"attackers": battle.attackers, "defenders": defenders}
        if max(attackers, defenders) <= even:
            if battle.rounds is None:
                return _("With these rules the limit is {even} against {even}.", even=even)
            return _("With these rules, but without `rounds`, the limit is {even} against {even}.", even=even)
        if battle.rounds is None:
            return _(
                "With these rules the limit is {even} against {even}, or {attackers} against {defenders}.", **values
            )
        return _(
            "With these rules, but without `rounds`, the limit is {even} against {even}, or "
            "{attackers} against {defenders}.",
            **values,
        )


def largest(fits: Callable[[int], bool], most: int) -> int:
    """Return the largest number up to `most` that fits, if all smaller ones do."""
    return bisect_left(range(1, most + 1), True, key=lambda number: not fits(number))
