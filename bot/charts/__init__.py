"""Odds to PNG: the only room that draws. Everything here is made to be read at 400 px on a phone."""

from bot.charts.battle import draw_battle

__all__ = ["draw_battle"]
