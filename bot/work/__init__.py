"""Runs the solver off the event loop: the cached engine, its workers, limits and turns."""
