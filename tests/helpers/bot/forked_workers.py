"""Workers that start within milliseconds, as forks of a process that has imported the bot."""

import multiprocessing

import pytest

from bot.work import workers


def fork_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the workers of a test, where it is not about their start; what else they do is the same."""
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["pytest", "bot.work.engine", "bot.games.dice.chart"])
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # with no threads of its own it can be forked
    monkeypatch.setattr(workers, "START", forking)
