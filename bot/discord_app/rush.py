"""Rush: when many questions come at once, defers all answers before the work begins; Discord waits only 3 seconds."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 0.5
"""Seconds for which work waits for the deferrals of other answers; one of them may not get through."""


class Rush:
    """The deferrals that are on their way to Discord."""

    def __init__(self) -> None:
        self._deferrals: set[asyncio.Future[None]] = set()

    @contextmanager
    def deferral(self) -> Iterator[None]:
        """Count a deferral as on its way during the block."""
        deferral = asyncio.get_running_loop().create_future()
        self._deferrals.add(deferral)
        try:
            yield
        finally:
            self._deferrals.remove(deferral)
            deferral.cancel()

    async def wait_for_deferrals(self) -> None:
        """Wait for the deferrals that are on their way now, but not for long."""
        if self._deferrals:
            await asyncio.wait(set(self._deferrals), timeout=LONGEST)
