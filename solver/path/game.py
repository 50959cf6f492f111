"""Paths in the registry: the class of a path, and where their questions and live battles are."""

from solver.game import Game
from solver.late import LateModule
from solver.path.path import Path

_fight = LateModule("solver.path.fight")

PATH = Game(
    "path",
    Path,
    ask=_fight.read_path_question,
    begin=_fight.begin_path,
    chances=_fight.path_chances,
    percentile=_fight.path_percentile,
)
