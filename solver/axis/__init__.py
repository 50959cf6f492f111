"""Axis & Allies: battles of one wave or several on land, at sea and in the air."""
