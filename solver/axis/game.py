"""Axis & Allies in the registry: the classes of its battles, and where their questions and live battles are.

A battle has one wave or several. In each, casualties may be chosen round by round.
"""

from solver.axis.battle import AxisBattle
from solver.axis.waves.waves import Waves
from solver.game import Game
from solver.late import LateModule

_live = LateModule("solver.axis.live.choices")

AXIS = Game(
    "axis",
    AxisBattle | Waves,
    ask=LateModule("solver.axis.questions").read_axis_question,
    begin=_live.begin_axis,
    chances=_live.axis_chances,
    percentile=_live.axis_percentile,
    choices=_live.CHOICES,
)
