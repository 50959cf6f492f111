"""Axis & Allies where a side chooses its casualties round by round, after it has seen the hits.

`solve.py` finds the worth of a battle, `forward.py` its odds, `advice.py` what to lose first. `limits.py`
answers within a limit of work.

A force is a number of units of each kind, and a node its place among the forces of its side, weakest first. A cell is a
pair of forces: a column is the defender's node, a row the attacker's. The worth of a cell is what the attacker makes as
large and the defender as small as possible: see `AxisBattle.aim`. A reach says which units a hit may take.
"""
