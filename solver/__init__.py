"""Exact odds of board-game battles: `solve(Battle(12, 9))` gives the `Odds`. Needs numpy and nothing else."""

from solver.battle import Battle, DiceChain, Ships
from solver.dice import Pool, Ties
from solver.errors import BattleError
from solver.odds import Odds, solve

__all__ = ["Battle", "BattleError", "DiceChain", "Odds", "Pool", "Ships", "Ties", "solve"]
