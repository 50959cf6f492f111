"""Axis & Allies in the registry: the classes of its battles, and where their questions and live battles are.

A battle has one wave or several. In each, casualties may be chosen round by round.
"""

from solver.axis.battle import AxisBattle
from solver.axis.waves.waves import Waves
from solver.game import Game
from solver.late import LateModule

_questions, _live = LateModule("solver.axis.questions"), LateModule("solver.axis.live.choices")

AXIS = Game(
    "axis",
    AxisBattle | Waves,
    ask=_questions.read_axis_question,
    begin=_questions.begin,
    chances=_live.axis_chances,
    percentile=_questions.percentile,
    choices=_live.CHOICES,
)
