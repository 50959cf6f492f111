"""The entry of battles with chosen casualties in the registry of games."""

from solver.casualties.battle import ChosenBattle
from solver.game import Game

CASUALTIES = Game("casualties", ChosenBattle)
