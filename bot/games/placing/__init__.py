"""Axis & Allies: where to place units."""
