"""Live battles with dice: the state of a battle, its next throw, and the chance to win at any stage.

Dice come from a source, so a battle can be replayed throw by throw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

from solver.chain import Mask
from solver.dice.battle import Battle
from solver.dice.odds import Odds
from solver.dice.round import Round, is_over, roll_round
from solver.dice.sizes import chances_by_rounds, win_chances
from solver.errors import BattleError
from solver.game import DiceToRoll, Ending, Fight, Source, group_dice


@dataclass(frozen=True, slots=True)
class DiceFight(Fight):
    """A live battle with dice.

    Attributes:
        battle: The battle.
        attackers: The attackers left.
        defenders: The defenders left.
        rounds: The number of rounds that are over.
        retreated: Whether the attacker has retreated.
    """

    battle: Battle
    attackers: int
    defenders: int
    rounds: int = 0
    retreated: bool = False

    @classmethod
    def begin(cls, battle: Battle) -> "DiceFight":
        """Return a battle before its first throw.

        Args:
            battle: The battle.

        Raises:
            BattleError: Its odds are reshaped, so it has no dice.
        """
        if battle.reshape:
            raise BattleError("reshape", "reshaped odds have no dice to roll")
        return cls(battle, battle.attackers, battle.defenders)

    @property
    def ended(self) -> Ending | None:
        """See `Fight`."""
        battle = self.battle
        if not self.defenders:
            return "won" if self.attackers else "nobody"
        if not self.attackers:
            return "lost"
        if self.retreated:
            return "retreat"
        if is_over(battle, self.attackers, self.defenders, self.rounds):
            return "stopped" if self.attackers <= battle.floor else "rounds"
        mask = None if battle.value is None else _stop_mask(battle)
        return "stopped" if mask is not None and mask[self.attackers - battle.reserve, self.defenders] else None

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        if self.ended:
            return [], []
        battle, acting = self.battle, (self.attackers - self.battle.reserve, self.defenders)
        pools = zip(battle.pools, acting, strict=True)
        dice: Iterable[tuple[int, ...]] = (pool.for_units(count).dice for pool, count in pools)
        if battle.faces:
            dice = ((len(faces.faces),) * count for faces, count in zip(battle.faces, acting, strict=True))
        attack, defence = (group_dice((sides, None) for sides in side) for side in dice)
        return attack, defence

    def throw(self, source: Source) -> tuple[Round, "DiceFight"]:
        """See `Fight`."""
        fought = roll_round(self.battle, self.attackers, self.defenders, self.rounds + 1, source)
        return fought, DiceFight(self.battle, fought.attackers, fought.defenders, fought.number, self.retreated)

    def retreat(self) -> "DiceFight":
        """See `Fight`."""
        return replace(self, retreated=True)


def dice_chances(fights: Sequence[DiceFight], most: float = inf) -> list[float | None]:  # noqa: ARG001
    """Return the attacker's chance to win at each stage, which is always known: see `Game`."""
    battle, chain = fights[0].battle, fights[0].battle.chain()
    cells = [(stage.attackers, stage.defenders) for stage in fights]
    if chain.rounds is None:
        grid = win_chances(battle, max(a for a, _ in cells), max(d for _, d in cells))
        found = [grid.item(cell) for cell in cells]
    else:
        left = {chain.rounds - stage.rounds: (stage.attackers - chain.reserve, stage.defenders) for stage in fights}
        grids = enumerate(chances_by_rounds(chain))
        worth = {rounds: grid.item(left[rounds]) for rounds, grid in grids if rounds in left}
        found = [worth[chain.rounds - stage.rounds] for stage in fights]
    return [
        chance if stage.ended is None else float(stage.ended == "won")
        for stage, chance in zip(fights, found, strict=True)
    ]


def dice_percentile(odds: Odds, fight: DiceFight) -> float | None:
    """Return where the end of a battle stands among all: see `Game`."""
    return odds.percentile(fight.attackers, fight.defenders)


@lru_cache(maxsize=4)
def _stop_mask(battle: Battle) -> Mask | None:
    """Return where an attacker who fights for a value stops: [attackers who may roll, defenders]; None if no value."""
    return battle.chain().stop_mask()
