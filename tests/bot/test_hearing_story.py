"""Which messages the bot answers, and what they ask: mentions, replies, quotes, direct messages."""

import pytest

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.answers import line_of


async def answers(person: Person, discord: FakeDiscord, bot: Client) -> list[Shown]:
    """All answers to messages so far, when the bot has dealt with all messages."""
    await person.says("@bot 3 2")
    await bot.wait_for_answers()
    return [shown for shown in discord.channel_messages if shown.author == "Sandtable"]


@pytest.mark.parametrize(
    "said",
    [
        "12 9 @bot",
        "12 @bot 9",
        "my 12 vs his 9, @bot?",
        "hey @bot, what about 12 against 9?",
        "We can't agree.\n@bot 12 9",
        "12 9 @bot!",
        "> Is 15 9 enough?\n> Or 16 9?\n@bot 12 9",
        "> 12 9\n@bot",
        "@bot `12 9`",
    ],
)
async def test_a_mention_anywhere_in_a_message_is_answered(discord: FakeDiscord, bot: Client, said: str) -> None:
    alice = discord.member("Alice")
    shown = await alice.says(said)
    assert (line_of(shown), shown.pings) == ("12 9", ())


@pytest.mark.parametrize(
    "said",
    [
        "12 9",
        "> @bot 12 9",
        "> Bob asked @bot 12 9\nand you?",
        ">>> look:\n@bot 12 9",
        "`@bot 12 9` is how you ask",
        "```\n@bot 12 9\n```",
        "@everyone 12 9",
        "@here 12 9",
        "<@&{role}> 12 9",
        "{bob} 12 9",
    ],
)
async def test_what_only_quotes_a_mention_or_mentions_others_is_not_answered(
    discord: FakeDiscord, bot: Client, said: str
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    await alice.says(said.format(role=discord.role("Sandtable").id, bob=bob.mention), reply=False)
    assert len(await answers(alice, discord, bot)) == 1


async def test_bots_forwards_and_edits_are_not_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    robot = discord.member("Robot", bot=True)
    await robot.says("@bot 12 9", reply=False)
    await robot.says("12 9", to=await alice.says("@bot 4 2"), reply=False)
    alice.forwards(await discord.member("Bob").says("`@bot 12 9`", reply=False))
    talk = await alice.says("12 9", reply=False)
    mention = f"<@{discord.world.bot.id}>"
    discord.board.edit(discord.board.posts[talk.id], {"content": f"{mention} 12 9"}, ())
    assert len(await answers(alice, discord, bot)) == 2


@pytest.mark.parametrize("said", ["13 9", "`13 9`", "@bot 13 9", "13 9, @bot?", "> 12 9\n13 9"])
async def test_a_reply_that_notifies_the_bot_needs_no_mention(discord: FakeDiscord, bot: Client, said: str) -> None:
    alice = discord.member("Alice")
    assert line_of(await discord.member("Bob").says(said, to=await alice.says("@bot 12 9"))) == "13 9"


async def test_a_reply_to_the_answer_of_a_command_or_button_needs_a_mention(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("battle", matchup="12 9")
    for shown in (first, await alice.presses(first, "How many?"), await alice.presses(first, "Table")):
        for unheard in ("14 9", "> @bot 12 9\n14 9"):
            await alice.says(unheard, to=shown, reply=False)
        assert line_of(await alice.says("15 9, @bot", to=shown)) == "15 9"
    assert not any("14 9" in shown.content for shown in await answers(alice, discord, bot))


async def test_a_reply_to_somebody_else_is_answered_if_it_mentions_the_bot(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    talk = await alice.says("I have 12 against 9", reply=False)
    await bob.says("13 9", to=talk, reply=False)
    await bob.says("> @bot 12 9\n13 9", to=talk, reply=False)
    assert line_of(await bob.says("hey, 14 9, @bot?", to=talk)) == "14 9"
    assert len(await answers(alice, discord, bot)) == 2


async def test_a_reply_that_notifies_nobody_or_asks_nothing_is_not_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    answer = await alice.says("@bot 12 9")
    await alice.says("13 9", to=answer, ping=False, reply=False)
    for nothing in ("", "> 12 9", ">>> look:\n12 9"):
        await alice.says(nothing, to=answer, reply=False)
    assert len(await answers(alice, discord, bot)) == 2


async def test_a_reply_that_mentions_everyone_or_a_role_is_not_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    answer = await alice.says("@bot 12 9")
    for everybody in ("@everyone", "@here", f"<@&{discord.role('Sandtable').id}>"):
        await alice.says(f"{everybody} 13 9", to=answer, reply=False)
    assert line_of(await alice.says("`@everyone` 14 9", to=answer)) == "14 9"
    assert len(await answers(alice, discord, bot)) == 3


async def test_every_direct_message_is_answered(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    for said in ("12 9", "@bot 12 9", "@everyone 12 9", "> 12 9", "> 15 9\n12 9", "`12 9`", "12\n> 9"):
        assert line_of(await carl.says(said)).startswith("12 "), said
    assert line_of(await carl.says("12 9", to=await carl.sends("battle", matchup="15 9"))) == "12 9"
    assert (await carl.says("")).content.startswith("**Who wins?**")
