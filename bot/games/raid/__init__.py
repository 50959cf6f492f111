"""Axis & Allies: bombing raids."""
