"""A rush: people press in many battles at the same moment, and all of them are answered."""

import asyncio

import pytest

from bot.commands.live import MOST_PRESSES, new_seed
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.live.fair import commitment
from bot.settings import Settings
from tests.fake_discord import FakeDiscord, Shown
from tests.helpers.bot.rolled_battles import ALICE, fought
from tests.helpers.bot.storm import Storm, check_log, draw_dots, hash_in, idle
from tests.helpers.extent import pick

BATTLES = pick(50, 200)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried here is writing, so pictures are small."""
    draw_dots(monkeypatch)


async def test_no_press_is_refused_in_a_rush_of_battles(discord: FakeDiscord, bot: Client, settings: Settings) -> None:
    store, names = bot.services.store, [f"aaaaa{number:03}" for number in range(BATTLES)]
    shown = await asyncio.gather(*(begin(discord, bot, name) for name in names))
    asked = [discord.member(f"P{number}").begins_pressing(one, "Roll") for number, one in enumerate(shown)]
    answers = await asyncio.gather(*(press.answered(within=60) for press in asked))
    assert [answer.content for answer in answers if answer.private] == []
    assert [answer.id for answer in answers] == [one.id for one in shown]
    await idle(bot)
    for name, answer in zip(names, answers, strict=True):
        record = await store.battles.find(name)
        assert record is not None
        assert (record.battle.turn, record.battle.shown) == (1, 1)
        assert record.battle.head[:8] == hash_in(answer.content)
        check_log(record, settings)


async def begin(discord: FakeDiscord, bot: Client, name: str) -> Shown:
    """A battle that waits for its first press, and its message."""
    seed = new_seed()
    promise = commitment(name, seed)
    battle = fought(name, f"guild:{discord.guild.id}", start=0.79, chance=0.79)
    battle = battle._replace(seed=seed, commitment=promise, head=promise)
    await bot.services.store.battles.begin(battle, [ALICE._replace(user=name)], BATTLES)
    return discord.old_message(f"12 against 9\n-# battle `{name}` · `12 9`", {"Roll": f"b2:roll on:{name}:0"})


async def test_frames_go_without_a_picture_in_a_rush_of_presses(discord: FakeDiscord, bot: Client) -> None:
    alice, presses = discord.member("Alice"), bot.services.presses
    shown = await alice.sends("roll", matchup="30 30")
    presses += ["aaaaaaaa"] * MOST_PRESSES
    shown = await alice.presses(shown, "Roll")
    assert (hash_in(shown.content) != "", shown.files) == (True, ())
    presses.clear()
    assert len((await alice.presses(shown, "Roll")).files) == 1


async def test_an_end_without_its_percentile_counts_as_shown(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> None:
        raise UserError("I'm busy with too many battles right now.")

    storm, alice = Storm(discord), discord.member("Alice")
    before = await alice.sends("roll", matchup="12 9")
    with monkeypatch.context() as patched:
        patched.setattr(bot.services.engine, "odds", busy)
        ended = await alice.presses(before, "Roll to the end")
    await idle(bot)
    assert (" points of win chance\n" in ended.content, "such battles" in ended.content) == (True, False)
    records = await storm.check(bot.services)
    assert await storm.behind(records, bot.services) == []
    discord.board.posts[ended.id].content = before.content
    assert [message.id for message in await storm.behind(records, bot.services)] == [ended.id]
