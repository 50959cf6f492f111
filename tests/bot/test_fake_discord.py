"""The manual of the stand-in for Discord, tried from end to end with a tiny bot."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from tests.fake_discord import Choice, File, ImpossibleError, Upload
from tests.fake_discord.tiny_bot import Asked, GameMenu, Press, Table, png, too_long

CALLBACK = "POST /interactions/{id}/{token}/callback"


async def test_a_command_is_answered_with_text_picture_and_buttons(table: Table) -> None:
    alice = table.discord.member("Alice", locale="de")
    shown = await alice.sends("battle", matchup="12 9")
    assert (shown.content, shown.private, shown.deferred, shown.edited) == ("12 9 in de", False, False, 0)
    assert shown.labels == ["Swap sides", "Save", "Tell me", "Roll it", "Keep", "Off"]
    assert shown.button("Off").disabled
    assert shown.files == (File(shown.files[0].id, "chart.png", png(8, 4), "a chart", shown.files[0].url),)
    assert table.discord.channel_messages == [shown]
    sent = table.discord.requests_to(CALLBACK)[0]
    assert sent.status == 200
    assert sent.parts[0].data == png(8, 4)
    assert sent.answer["resource"]["message"]["attachments"][0]["width"] == 8


async def test_a_person_can_be_an_option(table: Table) -> None:
    bob = table.discord.member("Bob")
    shown = await table.discord.member("Alice").sends("battle", matchup="12 9", opponent=bob)
    assert shown.content.endswith(f"v {bob.mention}")
    assert shown.pings == ("Bob",)


async def test_suggestions_are_offered_while_typing(table: Table) -> None:
    alice = table.discord.member("Alice")
    assert await alice.types("battle", matchup="1") == [Choice("1 → 50%", "1")]


async def test_a_deferred_answer_is_public_or_private(table: Table) -> None:
    alice, bob = table.discord.member("Alice"), table.discord.member("Bob")
    interaction = alice.begins("slow", private=True)
    await interaction.acknowledged()
    assert [shown.thinking for shown in alice.sees] == [True]
    table.bot.may_go_on.set()
    shown = await interaction.answered()
    assert (shown.content, shown.private, shown.deferred, shown.thinking) == ("at last", True, True, False)
    assert alice.sees == [shown]
    assert bob.sees == []
    assert not (await bob.sends("slow")).private
    assert interaction.acknowledged_after is not None
    assert interaction.answered_after is not None
    assert 0 < interaction.acknowledged_after < interaction.answered_after


async def test_buttons_edit_the_message_or_whisper(table: Table) -> None:
    alice, bob = table.discord.member("Alice"), table.discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9")
    swapped = await bob.presses(shown, "Swap sides")
    assert (swapped.id, swapped.content, swapped.edited) == (shown.id, "9 12", 1)
    assert swapped.files == shown.files
    whisper = await bob.presses(swapped, "Tell me")
    assert (whisper.content, whisper.private) == ("only for you: 9 12", True)
    assert whisper in bob.sees
    assert whisper not in alice.sees
    with pytest.raises(ImpossibleError, match="does not see"):
        alice.begins_pressing(whisper, "anything")


async def test_files_are_replaced_or_kept_on_edit(table: Table) -> None:
    alice = table.discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    both = await alice.presses(shown, "Keep")
    assert [file.name for file in both.files] == ["chart.png", "second.png"]
    assert both.files[0] == shown.files[0]
    rolled = await alice.presses(both, "Roll it")
    assert [file.name for file in rolled.files] == ["round-1.png"]
    assert rolled.deferred


async def test_a_form_keeps_its_values(table: Table) -> None:
    alice = table.discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    modal = await alice.opens(shown, "Save")
    assert (modal.title, modal.field("Line").value) == ("Save set-up", "12 9")
    saved = await alice.submits(modal, {"Name": "ukraine"})
    assert (saved.content, saved.private) == ("saved ukraine: 12 9", True)
    with pytest.raises(ImpossibleError, match="must be filled in"):
        alice.begins_submitting(modal, {})
    with pytest.raises(ImpossibleError, match="0 to 20 characters"):
        alice.begins_submitting(modal, {"Name": "x" * 21})
    with pytest.raises(ImpossibleError, match="on the screen of Alice"):
        table.discord.member("Bob").begins_submitting(modal, {"Name": "x"})


async def test_a_button_of_an_older_message_works(table: Table) -> None:
    old = table.discord.old_message("an old battle", {"Swap": "t1:swap:1 2"})
    assert (await table.discord.member("Alice").presses(old, "Swap")).content == "2 1"


async def test_context_menus_of_messages_and_people_work(table: Table) -> None:
    alice = table.discord.member("Alice")
    message = await alice.says("12 9 then", reply=False)
    assert (await alice.uses("Battle odds", on=message)).content == "odds of 12 9 then"
    bob = table.discord.member("Bob")
    assert (await alice.uses("Who", on=bob)).content == "this is Bob"


async def test_a_select_menu_of_a_message_can_be_chosen(table: Table) -> None:
    async def choose(interaction: Asked) -> None:
        view = discord.ui.View(timeout=None).add_item(GameMenu())
        await interaction.response.send_message("which?", view=view)

    table.bot.misdeed = choose
    alice = table.discord.member("Alice")
    shown = await alice.sends("try")
    assert (await alice.picks(shown, "Game", "Icons")).content == "chose ['icons']"
    with pytest.raises(ImpossibleError, match="cannot be chosen"):
        alice.begins_picking(shown, "Game", "Chess")


async def test_a_layout_with_a_picture(table: Table) -> None:
    async def lay_out(interaction: Asked) -> None:
        view = discord.ui.LayoutView()
        view.add_item(discord.ui.TextDisplay("**odds**"))
        view.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://chart.png")))
        view.add_item(discord.ui.ActionRow(Press("Swap", "swap", "1 2")))
        await interaction.response.send_message(view=view, file=table.bot.picture())

    table.bot.misdeed = lay_out
    shown = await table.discord.member("Alice").sends("try")
    assert (shown.is_v2, shown.content, shown.labels) == (True, "", ["Swap"])
    assert shown.files[0].name == "chart.png"


async def test_a_message_notifies_only_allowed_mentions(table: Table) -> None:
    async def shout(interaction: Asked) -> None:
        text = f"@everyone {interaction.user.mention}"
        await interaction.response.send_message(text)
        await interaction.followup.send(text, allowed_mentions=discord.AllowedMentions.none())

    interaction = await table.misbehaves(shout)
    assert (await interaction.answered()).pings == ("Tester", "everyone")
    assert [shown.pings for shown in interaction.followups] == [()]


async def test_an_edit_without_a_press(table: Table) -> None:
    async def roll_on(interaction: Asked) -> None:
        await interaction.response.send_message("round 0")
        await table.bot.may_go_on.wait()
        await interaction.edit_original_response(content="round 1")

    table.bot.misdeed = roll_on
    shown = await table.discord.member("Alice").sends("try")
    with pytest.raises(AssertionError, match="was not edited"):
        await table.discord.next_edit(shown, within=0.05)
    table.bot.may_go_on.set()
    assert (await table.discord.next_edit(shown)).content == "round 1"


async def test_two_presses_at_once(table: Table) -> None:
    alice, bob = table.discord.member("Alice"), table.discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9")
    presses = [person.begins_pressing(shown, "Swap sides") for person in (alice, bob)]
    assert {(await press.answered()).id for press in presses} == {shown.id}
    assert table.discord.messages[shown.id].edited == 2


async def test_the_bot_hears_mentions_and_no_other_talk(table: Table) -> None:
    alice = table.discord.member("Alice")
    reply = await alice.says("@bot 12 9")
    assert reply.content == "heard: 12 9"
    own = table.discord.messages[reply.reply_to or 0]
    assert own.author == "Alice"
    with pytest.raises(AssertionError, match="the bot did not answer 'hello'"):
        await alice.says("hello", within=0.1)
    assert (await alice.says("again", to=reply)).content == "heard: again"
    with pytest.raises(AssertionError, match="the bot did not answer 'silently'"):
        await alice.says("silently", to=reply, ping=False, within=0.1)


async def test_a_reply_to_the_answer_of_an_interaction_is_read_only_if_its_text_mentions_the_bot(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, robot = table.discord.member("Alice"), table.discord.member("Robot", bot=True)
    us = table.discord.world.bot.id
    heard: asyncio.Queue[tuple[str, list[int], str]] = asyncio.Queue()

    async def note(message: discord.Message) -> None:
        if not message.author.bot:
            replied = message.reference and message.reference.resolved
            assert isinstance(replied, discord.Message)
            heard.put_nowait((message.content, [user.id for user in message.mentions], replied.content))

    monkeypatch.setattr(table.bot, "on_message", note)
    answer = await alice.sends("battle", matchup="12 9")
    pressed = await alice.presses(answer, "Swap sides")
    for text, told in [
        ("again", ("", [], "9 12")),
        (f"again {robot.mention}", ("", [robot.id], "9 12")),
        ("@bot again", (f"<@{us}> again", [us], "9 12")),
    ]:
        await alice.says(text, to=pressed, reply=False)
        assert await heard.get() == told
    carl = table.discord.stranger("Carl")
    await carl.says("again", to=await carl.sends("battle", matchup="12 9"), reply=False)
    assert await heard.get() == ("again", [], "12 9 in en-US")


async def test_direct_messages_are_heard_without_a_mention(table: Table) -> None:
    carl = table.discord.stranger("Carl")
    assert (await carl.says("12 9")).content == "heard: 12 9"
    assert (await carl.sends("battle", matchup="1 2")).content == "1 2 in en-US"
    assert table.discord.channel_messages == []


async def test_people_use_the_bot_in_a_server_without_it(table: Table) -> None:
    seen: list[tuple[Any, ...]] = []

    async def chatter(interaction: Asked) -> None:
        seen.append((interaction.is_user_integration(), interaction.is_guild_integration()))
        await interaction.response.send_message("one")
        for _ in range(6):
            await interaction.followup.send("more")

    dora = table.discord.stranger("Dora", guild=True)
    with table.discord.violations.expected("maximum number of follow up"):
        interaction = await table.misbehaves(chatter, dora)
    assert table.bot.errors == [40094]
    assert seen == [(True, False)]
    assert len(interaction.followups) == 5
    with pytest.raises(ImpossibleError, match="reads nothing"):
        await dora.says("hello")


async def test_interactions_name_their_group_or_server(table: Table) -> None:
    seen: list[tuple[Any, ...]] = []

    async def look(interaction: Asked) -> None:
        seen.append((interaction.guild_id, interaction.context.private_channel, interaction.is_guild_integration()))
        await interaction.response.send_message("ok")

    table.bot.misdeed = look
    other = table.discord.add_guild("Other", locale="fr")
    await table.discord.stranger("Eve", group=True).sends("try")
    await table.discord.member("Fred", guild=other).sends("try")
    assert seen == [(None, True, False), (other.id, False, True)]


async def test_an_uploaded_file_can_be_fetched(table: Table) -> None:
    boss = table.discord.member("Boss", manage_guild=True)
    assert (await boss.sends("preset load", file=Upload("a.txt", b"presets"))).content == "presets"


async def test_people_cannot_do_what_discord_does_not_offer(table: Table) -> None:
    alice = table.discord.member("Alice")
    for words, options, match in (
        ("battles", {}, "not registered 'battles'"),
        ("battle", {}, "needs 'matchup'"),
        ("battle", {"matchup": "12 9", "mode": "x"}, "no option 'mode'"),
        ("battle", {"matchup": "x" * 21}, "at most 20"),
        ("battle", {"matchup": "x"}, "at least 3"),
        ("battle", {"matchup": 12}, "cannot be 12"),
        ("preset load", {}, "does not see 'preset'"),
    ):
        with pytest.raises(ImpossibleError, match=match):
            alice.begins(words, **options)
    with pytest.raises(ImpossibleError, match="needs a subcommand"):
        table.discord.member("Boss", manage_guild=True).begins("preset")
    shown = await alice.sends("battle", matchup="12 9")
    with pytest.raises(ImpossibleError, match="disabled"):
        alice.begins_pressing(shown, "Off")
    with pytest.raises(ImpossibleError, match="no button 'Attack'"):
        alice.begins_pressing(shown, "Attack")
    table.discord.delete(shown)
    with pytest.raises(ImpossibleError, match="any more"):
        alice.begins_pressing(shown, "Save")


async def test_a_failure_says_what_happened_instead(table: Table) -> None:
    interaction = table.discord.member("Alice").begins("slow")
    await interaction.acknowledged()
    with pytest.raises(AssertionError, match=r"(?s)/slow by Alice was not answered.*callback type 5 -> 200"):
        await interaction.answered(within=0.05)
    table.bot.may_go_on.set()
    await interaction.answered()


async def test_a_failure_shows_what_was_refused(table: Table) -> None:
    with table.discord.violations.expected("data.content"):
        interaction = await table.misbehaves(too_long)
        with pytest.raises(AssertionError, match=r"(?s)callback type 4 -> 400.*Invalid Form Body.*violation: POST"):
            await interaction.answered(within=0.01)


async def test_thirty_commands_at_once(table: Table) -> None:
    people = [table.discord.member(f"P{number}") for number in range(30)]
    interactions = [person.begins("battle", matchup=f"{person.id}") for person in people]
    answers = [await interaction.answered() for interaction in interactions]
    assert [shown.content for shown in answers] == [f"{person.id} in en-US" for person in people]


# Registered commands


async def test_commands_come_back_as_from_discord(table: Table) -> None:
    first = {command["name"]: command["id"] for command in table.discord.commands}
    assert set(first) == {"battle", "slow", "try", "preset", "Battle odds", "Who"}
    again = await table.bot.tree.sync()
    assert {command.name: str(command.id) for command in again} == first
    preset = next(command for command in table.discord.commands if command["name"] == "preset")
    assert preset["default_member_permissions"] == "32"
    assert preset["contexts"] == [0, 1, 2]
    guild = discord.Object(table.discord.guild.id)
    table.bot.tree.copy_global_to(guild=guild)
    await table.bot.tree.sync(guild=guild)
    assert len(table.discord.guild_commands()) == len(first)
    assert len(await table.bot.tree.fetch_commands(guild=guild)) == len(first)
