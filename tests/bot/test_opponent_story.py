"""The opponent of a battle is asked by one mention: of exactly that person, once for each battle."""

from dataclasses import replace

import pytest

from bot.commands.run import run
from bot.discord_app import answers
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.replies import Question, Reply
from bot.request import Request, Services
from tests.fake_discord import FakeDiscord, Person
from tests.helpers.program import until

VIEW = 1 << 10
OPTIONS = "`opponent:` and `open:` are options of the command `/roll`. Choose them there, outside the line."
FOLLOW_UP = "POST /webhooks/{id}/{token}"
NAMED = {"matchup": "12 9", "opponent": "2", "opponent_name": "Bob", "opponent_sees": "yes"}
ASKED = Request("roll", "1", "Alice", "guild:1", NAMED, interaction="7", channel="5")


def pings(discord: FakeDiscord) -> list[str]:
    """Everybody whom the messages in the channel have notified, as often as they did."""
    return [name for message in discord.channel_messages for name in message.pings]


def mention(person: Person) -> str:
    return f"\n-# {person.mention}, Alice attacks you.\n"


async def test_the_opponent_is_mentioned_once_in_the_first_message(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 9", opponent=bob)
    assert shown.pings == ("Bob",)
    assert mention(bob) in shown.content
    body = discord.requests[-1].body["data"]
    assert body["allowed_mentions"] == {"parse": [], "users": [bob.id]}
    over = await alice.presses(await alice.presses(shown, "Roll"), "Roll to the end")
    assert "Alice attacks Bob" in over.content
    assert bob.mention not in over.content
    assert pings(discord) == ["Bob"]


async def test_a_deferred_battle_asks_the_opponent_in_a_message_of_its_own(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord tells nobody of a mention that comes with a change of a message."""
    monkeypatch.setattr(answers, "PATIENCE", 0)
    alice, bob = discord.member("Alice"), discord.member("Bob")
    asked = alice.begins("roll", matchup="12 9", opponent=bob)
    shown = await asked.answered()
    await until(lambda: bool(asked.followups))
    (question,) = asked.followups
    assert (shown.deferred, shown.pings, bob.mention in shown.content) == (True, (), False)
    assert (question.pings, question.private) == (("Bob",), False)
    assert question.content == f"{bob.mention}, Alice attacks you."
    assert pings(discord) == ["Bob"]


async def test_a_question_that_cannot_be_sent_costs_no_battle(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0)
    alice, bob = discord.member("Alice"), discord.member("Bob")
    discord.fail_next(FOLLOW_UP, status=403, code=50013)
    shown = await alice.sends("roll", matchup="12 9", opponent=bob)
    await until(lambda: bool(discord.requests_to(FOLLOW_UP)))
    assert "Roll" in (await alice.presses(shown, "Roll")).labels
    assert pings(discord) == []


async def test_who_cannot_see_the_channel_is_not_mentioned(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, gone = discord.member("Alice"), discord.member("Bob"), discord.stranger("Gone")
    bob.user.permissions &= ~VIEW
    for opponent in (bob, gone):
        shown = await alice.sends("roll", matchup="12 9", opponent=opponent)
        assert f"Alice attacks {opponent.name}" in shown.content
        again = await alice.presses(await alice.presses(shown, "Roll to the end"), "Roll again")
        assert (shown.pings, again.pings) == ((), ())
        assert opponent.mention not in shown.content


async def test_a_mention_brings_nobody_into_a_private_thread(discord: FakeDiscord, bot: Client) -> None:
    thread = discord.add_thread(discord.guild.channel, "plans", private=True)
    alice, bob = discord.member("Alice").moves(thread), discord.member("Bob")
    assert (await alice.sends("roll", matchup="12 9", opponent=bob)).pings == ()


async def test_who_wants_no_pings_is_not_mentioned(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, carl = discord.member("Alice"), discord.member("Bob"), discord.member("Carl")
    page = await bob.sends("settings", mine=True, pings=False)
    assert "**I don't ping you** when somebody names you as the opponent. 👤 Without your choice: `pings:yes`." in (
        page.content
    )
    shown = await alice.sends("roll", matchup="12 9", opponent=bob)
    assert (shown.pings, bob.mention in shown.content) == ((), False)
    assert (await bob.sends("roll", matchup="12 9", opponent=carl)).pings == ("Carl",)
    await bob.sends("settings", mine=True, pings=True)
    assert (await alice.sends("roll", matchup="12 9", opponent=bob)).pings == ("Bob",)


async def test_pings_are_a_choice_of_people_alone(discord: FakeDiscord, bot: Client) -> None:
    boss = discord.member("Boss", manage_guild=True)
    refused = await boss.sends("settings", pings=False)
    assert refused.content.startswith("With `mine` people choose `show`, `private`, `language`, `pings`")
    assert "ping" not in (await boss.sends("settings")).content


async def test_roll_again_asks_the_opponent_of_one_new_battle(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, carl = discord.member("Alice"), discord.member("Bob"), discord.member("Carl")
    over = await alice.presses(await alice.sends("roll", matchup="6 4", opponent=bob), "Roll to the end")
    again = await alice.presses(over, "Roll again")
    assert (again.pings, mention(bob) in again.content) == (("Bob",), True)
    for person in (bob, carl):
        own = await person.presses(over, "Roll again")
        assert (own.pings, "attacks you" in own.content) == ((), False), "nobody asks themselves, or for others"
    assert pings(discord) == ["Bob", "Bob"]


async def test_a_name_in_a_question_mentions_nobody(discord: FakeDiscord, bot: Client) -> None:
    bob = discord.member("Bob")
    hostile = discord.member(f"@everyone <@{discord.member('Carl').id}> @here")
    assert (await hostile.sends("roll", matchup="12 9", opponent=bob)).pings == ("Bob",)


@pytest.mark.parametrize(
    "said",
    [
        "let's roll 12 against 9 {bob}",
        "{bob} let's roll 12 against 9",
        "let's roll 12 and 9 or so {bob}",
        "let's roll 12 against 9 opponent Bob",
        "roll 12 9 with opponent Bob",
        "roll 12 against 9 with Bob as my opponent",
        "roll 12 9 open",
        "roll 12 against 9, open to everybody",
        "roll 12 against 9 at an open table",
        "roll 12 9 offen",
        "roll 12 9 mesa abierta",
        "roll 12 9 открытый стол",
    ],
)
async def test_no_battle_begins_without_the_players_whom_somebody_says(
    discord: FakeDiscord, bot: Client, said: str
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    assert (await alice.says(f"@bot {said.format(bob=bob.mention)}")).content == OPTIONS


async def test_odds_say_how_players_are_named(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    for said in ("12 9 opponent Bob", "12 9 open", "12 against 9 gegner Bob"):
        assert f"\n-# {OPTIONS}\n" in (await alice.says(f"@bot {said}")).content, said
    for said in (f"12 9 {bob.mention}", "12 against my opponent's 9", "I open with 12 against 9"):
        shown = await alice.says(f"@bot {said}")
        assert ("Read as `12 9`." in shown.content, OPTIONS in shown.content) == (True, False), said


async def test_the_odds_of_a_message_begin_no_battle(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    said = await alice.says(f"let's roll 12 against 9 {bob.mention}", reply=False)
    shown = await bob.uses("Battle odds", on=said)
    assert ("Read as `12 9`." in shown.content, "Roll it" in shown.labels) == (True, True)


async def test_a_battle_in_words_begins_where_only_the_bot_is_mentioned(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for said in ("@bot let's roll 12 against 9 @bot", "@bot roll 12 9 @bot", "@bot roll 12 against my opponent's 9"):
        assert "Roll to the end" in (await alice.says(said)).labels, said


async def test_a_battle_that_is_begun_again_asks_nobody(services: Services) -> None:
    """Discord may send a command twice, and a process may end between the battle and its answer."""
    first, again = await run(ASKED, services), await run(ASKED, services)
    assert isinstance(first, Reply)
    assert isinstance(again, Reply)
    assert first.question == Question("<@2>, Alice attacks you.", "2")
    assert (again.frame, again.question) == (first.frame, None)


async def test_nobody_is_mentioned_whose_wish_cannot_be_read(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(place: str) -> dict[str, str]:
        raise UserError("The database cannot be reached just now.")

    monkeypatch.setattr(services.store, "settings", away)
    shown = await run(replace(ASKED, settings_channel="5"), services)
    assert isinstance(shown, Reply)
    assert (shown.frame is not None, shown.question) == (True, None)
