"""What all pictures share, and the pictures of no single game. All are readable on a phone, 400 pixels wide."""

from bot.work.jobs import Chart

PLANS = Chart("bot.charts.plans.draw_plans", personal=False)
NEED = Chart("bot.charts.need.draw_need", personal=False)
BRING = Chart("bot.charts.need.draw_bring", personal=False)
COURSE = Chart("bot.charts.ribbon.draw_ribbon", personal=True)
LUCK = Chart("bot.live.luck_chart.draw_luck", personal=True)
FACES = Chart("bot.live.faces_chart.draw_faces", personal=True)
CHARTS = PLANS, NEED, BRING, COURSE, LUCK, FACES
"""The pictures of no single game. Those of a game are in the `charts` of its room."""
