"""Axis & Allies: battles of one wave on land, at sea and in the air."""
