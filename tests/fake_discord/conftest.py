"""What the tests of the stand-in share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from .tiny_bot import Table, laid_table


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    async with laid_table() as laid:
        yield laid
