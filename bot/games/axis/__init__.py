"""Axis & Allies: battles of one wave."""
