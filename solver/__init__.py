"""Exact odds of board-game battles: `solve(Battle(12, 9))` gives the `Odds`. Needs numpy and nothing else."""

from solver.battle import Battle
from solver.dice import Pool, Ties
from solver.dice_chain import DiceChain
from solver.errors import BattleError
from solver.icons import Faces
from solver.odds import Odds, solve
from solver.reshape import Reshape
from solver.ships import Ships

__all__ = ["Battle", "BattleError", "DiceChain", "Faces", "Odds", "Pool", "Reshape", "Ships", "Ties", "solve"]
