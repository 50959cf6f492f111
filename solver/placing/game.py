"""The entry of units to place in the registry of games: they are no battle, so nothing is rolled."""

from solver.game import Game
from solver.placing.placing import Placing
from solver.placing.questions import read_placing_question

PLACING = Game("placing", Placing, ask=read_placing_question)
