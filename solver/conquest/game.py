"""The entry of conquests in the registry of games: nothing of them is rolled yet."""

from solver.conquest.conquest import Conquest
from solver.conquest.questions import read_conquest_question
from solver.game import Game

CONQUEST = Game("conquest", Conquest, ask=read_conquest_question)
"""Conquests: armies in some territories of a map take others, and split up on the way."""
