"""The entry of battles with dice in the registry of games."""

from solver.dice.battle import Battle
from solver.dice.fight import DiceFight, dice_chances, dice_percentile
from solver.dice.questions import read_dice_question
from solver.game import Game

DICE = Game(
    "dice", Battle, ask=read_dice_question, begin=DiceFight.begin, chances=dice_chances, percentile=dice_percentile
)
