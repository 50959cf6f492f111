"""Axis & Allies: strategic bombing raids on factories."""
