"""Axis & Allies: several attacks on one territory, one after the other."""
