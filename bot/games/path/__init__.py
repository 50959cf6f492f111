"""Paths: one army through several territories."""
