"""The registry of games: one line for each, in the order in which a line is offered to them."""

from bot.games.axis.room import ROOM as AXIS
from bot.games.base import Rooms
from bot.games.conquest.holding_room import ROOM as HOLDING
from bot.games.conquest.room import ROOM as CONQUEST
from bot.games.dice.room import ROOM as DICE
from bot.games.path.room import ROOM as PATH
from bot.games.placing.room import ROOM as PLACING
from bot.games.raid.room import ROOM as RAID

ROOMS = Rooms((DICE, PATH, CONQUEST, HOLDING, AXIS, RAID, PLACING))
