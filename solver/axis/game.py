"""The entry of battles of Axis & Allies in the registry of games."""

from solver.axis.battle import AxisBattle
from solver.axis.live.choices import CHOICES, axis_chances, axis_percentile
from solver.axis.live.fight import AxisFight
from solver.game import Game

AXIS = Game(
    "axis", AxisBattle, begin=AxisFight.begin, chances=axis_chances, percentile=axis_percentile, choices=CHOICES
)
