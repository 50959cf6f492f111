"""Whose presses count: in a battle's place, where it is shown, from its players, and from nowhere else."""

from dataclasses import replace

import pytest

from bot.commands.live import GONE, battle_in
from bot.discord_app.client import Client
from bot.request import Services
from tests.fake_discord import FakeDiscord, Interaction, Person, Shown
from tests.fake_discord.posts import numbered
from tests.fake_discord.wire import Kind
from tests.helpers.bot.live_battles import under
from tests.helpers.bot.storm import idle

pytestmark = pytest.mark.usefixtures("quick_frames")

LIVE = ["roll on", "roll out", "retreat", "ask dice"]
GUARDED = [*LIVE, "verify"]


def forges(discord: FakeDiscord, person: Person, under_message: Shown, action: str) -> Interaction:
    """A press that only a changed client can send: a button that the bot never put under the message."""
    data = {"component_type": 2, "custom_id": f"b2:{action}", "id": 1}
    button = {"type": 2, "style": 2, "label": "Roll", "custom_id": f"b2:{action}"}
    post = replace(discord.board.posts[under_message.id], components=numbered([{"type": 1, "components": [button]}]))
    return discord.desk.begin(Kind.COMPONENT, person.user, person.channel, data, f"forged {action}", source=post)


async def turn_of(services: Services, shown: Shown) -> int:
    """How many entries the log of the battle in a message has."""
    record = await services.store.battles.find(under(shown, "battle"))
    assert record is not None
    return record.battle.turn


async def test_a_press_from_elsewhere_gets_the_answer_of_an_unknown_battle(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, eve = discord.member("Alice"), discord.member("Eve", guild=discord.add_guild("Elsewhere"))
    shown, own = await alice.sends("roll", matchup="12 9"), await eve.sends("roll", matchup="12 9")
    for rolled in [False, True]:
        for command in GUARDED:
            action = f"{command}:{under(shown, 'battle')}" + (f":{int(rolled)}" if command in LIVE else "")
            refused = await forges(discord, eve, own, action).answered()
            unknown = await forges(discord, eve, own, f"{command}:zzzzzzzz:0").answered()
            assert (refused.private, refused.content, refused.labels) == (True, unknown.content, unknown.labels)
            assert refused.content == GONE
        await idle(bot)
        assert await turn_of(services, shown) == rolled
        assert discord.messages[shown.id].content == shown.content
        shown = await alice.presses(shown, "Roll")


async def test_a_private_battle_takes_no_press_of_other_people(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, eve = discord.member("Alice"), discord.member("Eve")
    shown = await alice.sends("roll", matchup="12 9", private=True)
    own = await eve.sends("roll", matchup="12 9")
    refused = await forges(discord, eve, own, f"roll on:{under(shown, 'battle')}:0").answered()
    assert refused.content == GONE
    assert await turn_of(services, shown) == 0


async def test_a_player_may_press_from_anywhere(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="20 20", open=True)
    await bob.presses(shown, "Roll")
    far = discord.add_guild("Elsewhere").channel
    for turn, person in enumerate((alice, bob), start=1):
        shared = await alice.moves(far).sends("history share", battle=under(shown, "battle"))
        there = person.moves(far)
        assert (await there.presses(shared, "Roll")).id == shared.id
        assert await turn_of(services, shown) == turn + 1


async def test_a_shared_battle_takes_presses_in_its_new_place(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, guild = discord.member("Alice"), discord.add_guild("Elsewhere")
    carl = discord.member("Carl", guild=guild)
    shown = await alice.sends("roll", matchup="20 20", open=True)
    shared = await alice.moves(guild.channel).sends("history share")
    assert shared.private, "in the other server there is no battle yet"
    shared = await alice.moves(guild.channel).sends("history share", battle=under(shown, "battle"))
    assert (await carl.presses(shared, "Roll")).id == shared.id
    assert await turn_of(services, shown) == 1
    over = await carl.presses(shared, "Roll to the end")
    assert "no problems found" in (await carl.presses(over, "Verify")).content


async def test_buttons_of_older_messages_still_work(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    messages = [await alice.sends("roll", matchup="20 20", open=True)]
    messages += [await alice.sends("history open") for _ in range(2)]
    for turn, message in enumerate((messages[0], messages[1], messages[2], messages[0])):
        pressed = await bob.presses(discord.messages[message.id], "Roll")
        while await turn_of(services, pressed) == turn:
            pressed = await bob.presses(pressed, "Roll")  # the first press under an older frame brings it up to date
        assert pressed.id == message.id


async def test_buttons_of_the_first_version_still_work(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    name = under(shown, "battle")
    old = discord.old_message(f"12 against 9\n-# battle `{name}` · `12 9`", {"Roll": f"b1:roll on:{name}:0"})
    await alice.presses(old, "Roll")
    assert await turn_of(services, shown) == 1
    old = discord.old_message("12 against 9: 79%\n-# `12 9`", {"+1": "b1:more", "Need": "b1:ask:need 9"})
    assert "13" in (await alice.presses(old, "Need")).content
    assert "`13 9`" in (await alice.presses(old, "+1")).content


async def test_friends_in_a_group_roll_under_every_message_of_a_battle(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    sam = discord.stranger("Sam", group=True)
    pat = discord.stranger("Pat").moves(sam.channel)
    messages = [await sam.sends("roll", matchup="20 20", open=True)]
    messages += [await sam.sends("history share", battle=under(messages[0], "battle")) for _ in range(2)]
    for turn, message in enumerate(messages, start=1):
        pressed = await pat.presses(message, "Roll")
        while await turn_of(services, pressed) < turn:
            pressed = await pat.presses(pressed, "Roll")
        assert pressed.id == message.id


async def test_a_battle_shared_from_direct_messages_goes_on_in_both(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    sam, group = discord.stranger("Sam"), discord.stranger("Gus", group=True)
    pat = discord.stranger("Pat").moves(group.channel)
    shown = await sam.sends("roll", matchup="20 20", open=True)
    shared = await sam.moves(group.channel).sends("history share", battle=under(shown, "battle"))
    assert (await pat.presses(shared, "Roll")).id == shared.id
    assert await turn_of(services, shown) == 1


async def test_a_message_names_its_battle_in_every_state(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice", manage_guild=True)
    shown = await alice.sends("roll", matchup="12 9")
    name = under(shown, "battle")
    assert battle_in(shown.content) == name
    shown = await alice.presses(shown, "Roll")
    assert battle_in(shown.content) == name
    assert battle_in((await alice.presses(shown, "Roll to the end")).content) == name
    for other in ("12 9", "history list", "luck"):
        assert battle_in((await alice.says(f"@bot {other}")).content) == ""
