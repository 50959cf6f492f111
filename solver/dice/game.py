"""Battles with dice in the registry: the class of a battle, and where their questions and live battles are."""

from solver.dice.battle import Battle
from solver.game import Game
from solver.late import LateModule

_fight = LateModule("solver.dice.fight")

DICE = Game(
    "dice",
    Battle,
    ask=LateModule("solver.dice.questions").read_dice_question,
    begin=_fight.begin_dice,
    chances=_fight.dice_chances,
    percentile=_fight.dice_percentile,
)
