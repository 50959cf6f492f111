"""Axis & Allies: battles of several waves."""
