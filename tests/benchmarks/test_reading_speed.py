"""How long lines take that are made to take long: they are read while everybody else waits."""

import time

import pytest

from tests.helpers.bot.lines import WORDS, read_slow_lines


@pytest.mark.parametrize("word", WORDS)
def test_every_nasty_line_is_read_quickly(word: str) -> None:
    """All of these take a hundredth of what is allowed here, or far more."""
    begun = time.process_time()
    read_slow_lines(word)
    assert time.process_time() - begun < 5
