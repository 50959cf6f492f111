"""The entry of conquests in the registry of games."""

from solver.conquest.choices import CHOICES, conquest_chances
from solver.conquest.conquest import Conquest
from solver.conquest.fight import ConquestFight
from solver.conquest.questions import read_conquest_question
from solver.game import Game

CONQUEST = Game(
    "conquest",
    Conquest,
    ask=read_conquest_question,
    begin=ConquestFight.begin,
    chances=conquest_chances,
    choices=CHOICES,
)
"""Conquests: armies in some territories of a map take others, and split up on the way."""
