"""The entry of paths in the registry of games."""

from solver.game import Game
from solver.path.fight import PathFight, path_chances, path_percentile
from solver.path.path import Path
from solver.path.questions import read_path_question

PATH = Game(
    "path", Path, ask=read_path_question, begin=PathFight.begin, chances=path_chances, percentile=path_percentile
)
