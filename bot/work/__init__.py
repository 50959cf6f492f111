"""Runs the solver off the event loop: the cached engine, its workers, the queue and quotas."""
