"""Exact odds of board-game battles: `solve(Battle(12, 9))` gives the `Odds`. Needs numpy and nothing else.

The names here are the public ones; docs/api.md explains them. Each is imported when it is first used, because all games
together take several times as long to import as numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# A name imported as itself is public for type checkers; isort would give each a line of its own.
# isort: off
if TYPE_CHECKING:
    from solver.axis.battle import AxisBattle as AxisBattle
    from solver.axis.best.armies import ArmyGoal as ArmyGoal, best_armies as best_armies
    from solver.axis.best.orders import best_orders as best_orders
    from solver.axis.odds import AxisOdds as AxisOdds
    from solver.axis.sensitivity import unit_sensitivity as unit_sensitivity
    from solver.axis.sides import Army as Army, Retreat as Retreat
    from solver.axis.solve import solve_axis as solve_axis
    from solver.axis.units import Rules as Rules, Unit as Unit
    from solver.axis.worth import Worth as Worth
    from solver.conquest.conquest import Conquest as Conquest
    from solver.conquest.odds import ConquestOdds as ConquestOdds, conquer as conquer
    from solver.dice.battle import Battle as Battle
    from solver.dice.chain import DiceChain as DiceChain
    from solver.dice.exact import attacker_wins as attacker_wins
    from solver.dice.faces import Faces as Faces
    from solver.dice.odds import Odds as Odds, solve as solve
    from solver.dice.pools import Pool as Pool, Ties as Ties
    from solver.dice.reshape import Reshape as Reshape
    from solver.dice.rolls import round_law as round_law
    from solver.dice.ships import Ships as Ships
    from solver.dice.sizes import need as need, win_chances as win_chances
    from solver.errors import BattleError as BattleError, TooLargeError as TooLargeError
    from solver.game import Game as Game, GameOdds as GameOdds
    from solver.games import GAMES as GAMES, game_of as game_of
    from solver.path.odds import PathOdds as PathOdds, march as march, takes_all as takes_all
    from solver.path.path import Path as Path
    from solver.placing.placements import Placements as Placements, place as place
    from solver.placing.placing import Placing as Placing, Territory as Territory
    from solver.questions import read_question as read_question
    from solver.raid.odds import RaidOdds as RaidOdds
    from solver.raid.raid import Raid as Raid
    from solver.raid.solve import solve_raid as solve_raid
    from solver.axis.waves.odds import WavesOdds as WavesOdds, solve_waves as solve_waves
    from solver.axis.waves.waves import Waves as Waves
# isort: on

_NAMES = {
    "solver.axis.battle": "AxisBattle",
    "solver.axis.best.armies": "ArmyGoal best_armies",
    "solver.axis.best.orders": "best_orders",
    "solver.axis.odds": "AxisOdds",
    "solver.axis.sensitivity": "unit_sensitivity",
    "solver.axis.sides": "Army Retreat",
    "solver.axis.solve": "solve_axis",
    "solver.axis.units": "Rules Unit",
    "solver.axis.worth": "Worth",
    "solver.conquest.conquest": "Conquest",
    "solver.conquest.odds": "ConquestOdds conquer",
    "solver.dice.battle": "Battle",
    "solver.dice.chain": "DiceChain",
    "solver.dice.exact": "attacker_wins",
    "solver.dice.faces": "Faces",
    "solver.dice.odds": "Odds solve",
    "solver.dice.pools": "Pool Ties",
    "solver.dice.reshape": "Reshape",
    "solver.dice.rolls": "round_law",
    "solver.dice.ships": "Ships",
    "solver.dice.sizes": "need win_chances",
    "solver.errors": "BattleError TooLargeError",
    "solver.game": "Game GameOdds",
    "solver.games": "GAMES game_of",
    "solver.path.odds": "PathOdds march takes_all",
    "solver.path.path": "Path",
    "solver.placing.placements": "Placements place",
    "solver.placing.placing": "Placing Territory",
    "solver.questions": "read_question",
    "solver.raid.odds": "RaidOdds",
    "solver.raid.raid": "Raid",
    "solver.raid.solve": "solve_raid",
    "solver.axis.waves.odds": "WavesOdds solve_waves",
    "solver.axis.waves.waves": "Waves",
}
"""The public names of each module."""
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used; AttributeError for any other."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return sorted({*globals(), *__all__})
