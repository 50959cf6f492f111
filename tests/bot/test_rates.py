"""How often somebody may ask: so much a minute, all at once or bit by bit; then a kind sentence, to him alone."""

from collections.abc import AsyncIterator
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord_app.client import Client
from bot.request import Services
from bot.settings import Settings, load
from bot.work import limits
from bot.work.limits import Quotas, Rates
from tests.fake_discord import FakeDiscord

LATER = "Try again in 20 seconds."


class Clock:
    """A clock that stands still unless it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_000_000.3

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "monotonic", clock)
    return clock


def few(settings: Settings) -> Settings:
    """Three questions a minute for a person, five for a server."""
    return replace(settings, most_per_minute_user=3, most_per_minute_server=5)


@pytest.fixture
async def strict(discord: FakeDiscord, services: Services, clock: Clock, unannounced: None) -> AsyncIterator[Client]:
    """A bot that soon has enough."""
    client = Client(replace(services, settings=few(services.settings)))
    async with discord.running(client):
        yield client
        await client.finish_answers()


# In the chat


async def test_too_many_questions_of_a_person_are_refused_in_private(
    discord: FakeDiscord, strict: Client, clock: Clock
) -> None:
    alice = discord.member("Alice")
    for _ in range(3):
        assert "79.0%" in (await alice.sends("battle", matchup="12 9")).content
    for _ in range(2):
        told = await alice.sends("battle", matchup="12 9")
        assert (told.private, told.content) == (True, f"You are sending too many requests. {LATER}")
    clock.now += 19.5
    assert "Try again in a second." in (await alice.sends("battle", matchup="12 9")).content
    clock.now += 0.5
    assert "79.0%" in (await alice.sends("battle", matchup="12 9")).content
    assert LATER in (await alice.sends("battle", matchup="12 9")).content
    assert "79.0%" in (await discord.member("Bob").sends("battle", matchup="12 9")).content


async def test_all_people_of_a_server_share_its_limit(discord: FakeDiscord, strict: Client) -> None:
    people = [discord.member(f"P{number}") for number in range(6)]
    shown = [await person.sends("battle", matchup="12 9") for person in people]
    assert all("79.0%" in message.content for message in shown[:5])
    assert shown[5].private
    assert shown[5].content == "This server is sending too many requests. Try again in 12 seconds."
    elsewhere = discord.member("Carl", guild=discord.add_guild("Elsewhere"))
    assert "79.0%" in (await elsewhere.sends("battle", matchup="12 9")).content
    assert "79.0%" in (await discord.stranger("Dora").sends("battle", matchup="12 9")).content


async def test_presses_and_forms_count_for_the_limit(
    discord: FakeDiscord, strict: Client, clock: Clock, quick_frames: None
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    clock.now += 60
    form = await alice.opens(shown, "Real dice")
    await alice.submits(form, {"dice": "6 5 4 vs 1 1"})
    rolled = await alice.presses(shown, "Roll")
    for label in ("Roll", "Roll to the end", "Real dice"):
        told = await alice.presses(shown, label)
        assert (told.private, LATER in told.content) == (True, True)
    assert discord.messages[shown.id].content == rolled.content
    clock.now += 20
    assert (await alice.presses(shown, "Roll to the end")).content != rolled.content


async def test_suggestions_count_a_tenth_of_a_question(discord: FakeDiscord, strict: Client, clock: Clock) -> None:
    alice = discord.member("Alice")
    for _ in range(30):
        assert await alice.types("battle", matchup="12 9")
    assert await alice.types("battle", matchup="12 9") == []
    assert LATER in (await alice.sends("battle", matchup="12 9")).content
    clock.now += 2
    assert await alice.types("battle", matchup="12 9")
    assert await alice.types("battle", matchup="12 9") == []


async def test_a_long_text_counts_as_several_questions(discord: FakeDiscord, strict: Client) -> None:
    """The menu of messages reads 4,000 letters, while everybody else waits."""
    alice, bob = discord.member("Alice"), discord.member("Bob")
    said = await bob.says("bombrs " * 220, reply=False)
    first = await alice.uses("Battle odds", on=said)
    assert "I found no battle" in first.content
    refused = await alice.sends("help")
    assert "You are sending too many requests" in refused.content


async def test_the_refusal_of_mentions_is_sent_once_a_minute(
    discord: FakeDiscord, strict: Client, clock: Clock
) -> None:
    alice = discord.member("Alice")
    for _ in range(3):
        assert "79.0%" in (await alice.says("@bot 12 9")).content
    assert LATER in (await alice.says("@bot 12 9")).content
    for _ in range(5):
        await alice.says("@bot 12 9", reply=False)
    assert "79.0%" in (await discord.member("Bob").says("@bot 12 9")).content
    assert sum(LATER in message.content for message in discord.channel_messages) == 1
    clock.now += 60
    for _ in range(3):
        assert "79.0%" in (await alice.says("@bot 12 9")).content
    assert LATER in (await alice.says("@bot 12 9")).content


# The quotas


def test_refused_questions_do_not_count_for_the_server(clock: Clock) -> None:
    strict = Rates(few(load()))
    for _ in range(20):
        strict.refusal("1", "guild:1")
    assert [strict.refusal("2", "guild:1") is None for _ in range(3)] == [True, True, False]


def test_a_person_in_direct_messages_is_counted_once(clock: Clock) -> None:
    strict = Rates(replace(load(), most_per_minute_user=3, most_per_minute_server=1))
    assert [strict.refusal("1", "user:1") is None for _ in range(4)] == [True, True, True, False]


def test_the_number_of_remembered_people_is_limited(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_KNOWN", 10)
    strict = Rates(few(load()))
    for number in range(100):
        assert strict.refusal(str(number), f"guild:{number}") is None
        assert not strict.was_warned(str(number))
    assert [len(strict._questions), len(strict._warned)] == [10 + 10, 10]
    clock.now += 60
    assert [len(strict._questions), len(strict._warned)] == [0, 0]


@given(
    st.sampled_from([1, 3, 60, 300]),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from([Fraction(1), Fraction(1, 10)])), max_size=80),
)
def test_a_quota_agrees_with_a_bucket_in_fractions(most: int, asked: list[tuple[int, Fraction]]) -> None:
    """Against a bucket looked at every tenth of a second, in fractions; a tenth after each wait there is room."""
    clock, level = Clock(), Fraction(0)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "monotonic", clock)
        watched = Quotas(most, most, "")
        for tenths, cost in asked:
            clock.now += tenths / 10
            for _ in range(tenths):
                level = max(Fraction(0), level - Fraction(most, 600))
            wait, _alone = watched.wait("1", "user:1", float(cost))
            over = level + cost - most
            assert wait == pytest.approx(max(0, float(over * 60 / most)), abs=1e-4)
            if over <= 0:
                assert wait == 0
                level += cost
                watched.count("1", "user:1", float(cost))
