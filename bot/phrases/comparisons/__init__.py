"""Reads comparisons of two plans in a phrase."""
