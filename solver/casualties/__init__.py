"""Axis & Allies where a side chooses its casualties round by round, after it has seen the hits."""
