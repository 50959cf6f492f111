"""The entry of bombing raids in the registry of games."""

from solver.game import Game
from solver.raid.fight import RaidFight
from solver.raid.questions import read_raid_question
from solver.raid.raid import Raid

RAID = Game("raid", Raid, ask=read_raid_question, begin=RaidFight.begin)
