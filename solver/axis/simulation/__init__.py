"""Axis & Allies: battles that are too large to solve are rolled many times."""
