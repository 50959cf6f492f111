"""Axis & Allies: battles of one wave or several."""
