"""A busy evening in small: everybody is answered, and nothing is lost across restarts."""

from pathlib import Path
from signal import SIGKILL, SIGTERM

import pytest

from tests.fake_discord import BUSY, FakeDiscord
from tests.helpers.bot.evening import Evening
from tests.helpers.bot.evening_check import check
from tests.helpers.bot.evening_errands import ERRANDS


@pytest.mark.whole
async def test_an_evening_with_kills_and_restarts_has_no_faults(tmp_path: Path) -> None:
    async with FakeDiscord(openapi=False, slack=BUSY) as discord:
        evening = Evening(discord, ERRANDS, servers=10, seed=1, rounds=1)
        await evening.lasts(120, 60, tmp_path, ((30, SIGTERM), (60, SIGKILL), (90, SIGTERM)))
        await check(evening, tmp_path)
    assert [line for line in evening.said if " WARNING " not in line] == []
    assert len(evening.took) >= 120 + evening.suggestions - 60
