"""Axis & Allies: strategic bombing raids on factories and bases."""
