"""The entry of battles in several waves in the registry of games."""

from solver.game import Game
from solver.waves.fight import WavesFight, waves_chances
from solver.waves.questions import read_axis_question
from solver.waves.waves import Waves

WAVES = Game("waves", Waves, ask=read_axis_question, begin=WavesFight.begin, chances=waves_chances)
