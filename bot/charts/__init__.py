"""Odds to PNG: the only room that draws. Everything here is made to be read at 400 px on a phone."""

from bot.charts.axis import draw_axis
from bot.charts.battle import draw_battle
from bot.charts.bombing import draw_raid
from bot.charts.dice import draw_losses, draw_roll
from bot.charts.faces import draw_faces
from bot.charts.luck import draw_luck
from bot.charts.need import draw_bring, draw_need
from bot.charts.path import draw_path
from bot.charts.places import draw_places
from bot.charts.plans import draw_plans
from bot.charts.ribbon import draw_ribbon
from bot.charts.rounds import draw_rounds
from bot.charts.table import draw_table

__all__ = [
    "draw_axis",
    "draw_battle",
    "draw_bring",
    "draw_faces",
    "draw_losses",
    "draw_luck",
    "draw_need",
    "draw_path",
    "draw_places",
    "draw_plans",
    "draw_raid",
    "draw_ribbon",
    "draw_roll",
    "draw_rounds",
    "draw_table",
]
