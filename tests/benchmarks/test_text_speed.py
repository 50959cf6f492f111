"""How long texts hold the event loop that are made to hold it: everybody else waits meanwhile."""

import asyncio
import gc

import pytest

from bot.request import Services
from tests.helpers.bot.asked_texts import Way, timed_turns, ways
from tests.helpers.bot.nasty_texts import nasty_texts

LONGEST = 0.05
"""The most seconds of a turn of the loop."""
KNOWN = ("my 12 against his 9 with bombrs", "3 inf 2 arm gegen 4 inf", "12 siam > austrailia: 3 2 1 1", "12 9")
"""Lines that load all that is loaded once."""


@pytest.mark.parametrize("way", [*ways()], ids=lambda way: way.name)
async def test_no_nasty_text_holds_the_loop(way: Way, services: Services) -> None:
    """The processor time of the loop's thread counts; what workers do is theirs."""
    for line in KNOWN:
        await way.ask(services, line)
    gc.collect()
    gc.freeze()  # as the bot does when it starts
    texts = [(size, name, text) for size in way.sizes for name, text in nasty_texts(size, seed=size)]
    slow = []
    worst = ("", 0, 0.0, 0.0)
    with timed_turns() as turns:
        for size, name, text in texts:
            await asyncio.sleep(0)  # the turn in which this test has worked ends
            turns.reset()
            await asyncio.ensure_future(way.ask(services, text))
            took = (name, size, round(1000 * turns.longest), round(1000 * turns.total))
            worst = max(worst, took, key=lambda one: one[2])
            slow += [took] if turns.longest > LONGEST else []
    print(f"\n{way.name}: {worst}")
    assert not slow
