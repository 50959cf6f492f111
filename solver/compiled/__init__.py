"""Compiled code for the hot loops: its sources in C, how they are compiled, and how they are called."""
