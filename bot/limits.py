"""How large battles with dice may be that are worked out here, and how much memory an answer takes that is kept."""

import pickle
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace

from bot.errors import UserError
from bot.languages import _, joined
from solver import Battle, Odds
from solver.axis_odds import AxisOdds
from solver.battle import MOST_ARMIES
from solver.paths import Path, PathOdds
from solver.tables import MOST_NEEDED, Need, Side, need, need_of_many, sized, tries_of_many
from solver.waves_odds import WavesOdds

MOST_NUMBERS = 6_000_000
LEAST_TRIED = 50
"""The fewest armies of a side for which a table is made; a smaller one would say nothing."""
MOST_OF_MANY = 20_000
"""The most armies on the other side against which each number is tried by itself, where no table is large enough."""
TRYING = 4
"""How many times the work of the largest battle may go into that."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is worked out: up to `most_work`, in the unit of `DiceChain.work`."""

    most_work: int

    def check_march(self, path: Path) -> None:
        """UserError says that a path is too large."""
        for leg in path.legs:
            self.check_size(leg, grid=True)
        if sum(leg.chain().grid_work for leg in path.legs) > self.most_work:
            raise UserError(_("This path is too large for me. Try a part of it."))

    def fits(self, battle: Battle, grid: bool = False) -> bool:
        """Whether a battle is small enough to be worked out here, or a grid of its size is."""
        chain = battle.chain()
        numbers = max(chain.numbers, chain.cells * grid * (8 if chain.reshape else 3))
        work = chain.grid_work if grid else chain.work
        return numbers <= MOST_NUMBERS and work <= self.most_work

    def check_size(self, battle: Battle, grid: bool = False) -> None:
        """UserError says how large a battle, or a grid of its size, may be that is too large."""
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
        raise UserError(joined("{what} {fine}", what=what, fine=self._fine(battle, grid)))

    def need(
        self, battle: Battle, side: Side, goal: float, shown: int
    ) -> tuple[Callable[..., Need], tuple[Hashable, ...]]:
        """The work that finds out how many of a side it takes, with its arguments; UserError where that is too much.

        It is done from a table, or with armies too large for that one by one.
        """
        theirs = battle.defenders if side == "attackers" else battle.attackers
        bare = sized(battle, side, 1)
        most = largest(lambda number: self.fits(sized(battle, side, number), grid=True), MOST_NEEDED)
        if 2 * theirs > most and bare.chain().line and not battle.reshape:
            self._check_tries(bare, side)
            return need_of_many, (bare, side, goal, min(shown, 4 * theirs))
        if most < LEAST_TRIED:
            self.check_size(sized(battle, side, LEAST_TRIED), grid=True)
        return need, (bare, side, goal, most, shown)

    def _check_tries(self, battle: Battle, side: Side) -> None:
        """UserError says against how many armies each number can be tried by itself."""
        other: Side = "defenders" if side == "attackers" else "attackers"

        def fits(theirs: int) -> bool:
            against = sized(battle, other, theirs)
            possible = 4 * theirs <= MOST_ARMIES and self.fits(sized(against, side, 4 * theirs))
            return possible and theirs <= MOST_OF_MANY and tries_of_many(against, side) <= TRYING * self.most_work

        if not fits(theirs := getattr(battle, other)):
            text = _(
                "`/need` works against up to {most}, not against {number}.",
                most=largest(fits, MOST_OF_MANY),
                number=theirs,
            )
            raise UserError(text)

    def _fine(self, battle: Battle, grid: bool) -> str:
        """How large such a battle may be."""
        plain = replace(battle, stop=0, reserve=0, rounds=None)

        def most(*sides: Side) -> int:
            def fits(number: int) -> bool:
                whole = plain
                for side in sides:
                    whole = sized(whole, side, number)
                return self.fits(whole, grid)

            return largest(fits, MOST_ARMIES)

        even, attackers, defenders = most("attackers", "defenders"), most("attackers"), most("defenders")
        told = {"even": even, "attackers": attackers, "defenders": battle.defenders}
        if defenders > even:
            told |= {"attackers": battle.attackers, "defenders": defenders}
        if max(attackers, defenders) <= even:
            if battle.rounds is None:
                return _("With these rules the limit is {even} against {even}.", even=even)
            return _("With these rules, but without `rounds`, the limit is {even} against {even}.", even=even)
        if battle.rounds is None:
            return _("With these rules the limit is {even} against {even}, or {attackers} against {defenders}.", **told)
        return _(
            "With these rules, but without `rounds`, the limit is {even} against {even}, or "
            "{attackers} against {defenders}.",
            **told,
        )


def largest(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits, where all smaller ones do."""
    return bisect_left(range(1, most + 1), True, key=lambda number: not fits(number))


def size_of(answer: object) -> int:
    """About how much memory an answer takes with its key; odds with what people will have asked of them."""
    if isinstance(answer, Odds | PathOdds):
        return 3_500 + 2 * sum(a.nbytes for a in (answer.attackers_end, answer.defenders_end, answer.chances))
    if isinstance(answer, AxisOdds):
        return 3_500 + 400 * (len(answer.attackers) + len(answer.defenders)) + 8 * answer.chances.nbytes
    if isinstance(answer, WavesOdds):
        return sum(size_of(wave.own) for wave in answer.waves) + _together_size(answer)
    if isinstance(answer, bytes | str):
        return 1_000 + len(answer)
    return 1_000 + 2 * len(pickle.dumps(answer))


def _together_size(odds: WavesOdds) -> int:
    every = odds.together
    return 0 if every is None else 32 * len(every.chances) + 400 * sum(map(len, (*every.losses, every.fields)))
