"""The whole story as a chat: what people type and press on Discord, and what they get to see."""

import asyncio
from contextlib import AsyncExitStack
from gettext import NullTranslations
from io import BytesIO

import pytest
from PIL import Image

from bot import charts, languages
from bot.charts import Chart
from bot.discord_app.client import Client
from bot.request import Services
from bot.work.limits import SLOTS_EACH
from tests.catalogues import Strange
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import ANSWER, line_of
from tests.helpers.program import until


@pytest.mark.painted
async def test_a_typed_line_is_answered_with_odds_a_picture_and_buttons(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="12 9 bombers:2")
    assert shown.content == ANSWER
    assert not shown.private
    assert not shown.deferred
    assert [button.label for button in shown.buttons] == [
        *("Roll it", "Swap sides", "+1 attacker", "−1 attacker"),
        *("How many?", "Table", "All endings", "Edit", "Save", "Ask on"),
    ]
    (file,) = shown.files
    picture = Image.open(BytesIO(file.data)).convert("RGB")
    assert picture.size == (800, 640)
    colours = {colour for _, colour in picture.getcolors(100_000) or []}
    assert {(0x1E, 0x1F, 0x22), (0xE6, 0x9F, 0x00), (0x56, 0xB4, 0xE9)} <= colours
    assert "8 battles in 10 end between 6 and 12 attackers left." in (file.description or "")


async def test_an_answer_can_be_private(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9", private=True)
    assert shown.private
    after = await alice.presses(shown, "+1 attacker")
    assert (after.private, after.id, line_of(after)) == (True, shown.id, "13 9")
    rolled = await alice.presses(after, "Roll it")
    assert rolled.private, "what was asked in private goes on in private"
    over = await alice.presses(rolled, "Roll to the end")
    assert over.private
    assert (await alice.presses(over, "Roll again")).private
    changed = await alice.submits(await alice.opens(after, "Edit"), {"Attackers and defenders": "5 4"})
    assert (changed.private, changed.id, line_of(changed)) == (True, shown.id, "5 4")


async def test_the_buttons_ask_the_next_question_in_the_same_message(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9 bombers:2")
    for label, expected in (
        ("+1 attacker", "13 9 bombers:2"),
        ("−1 attacker", "12 9 bombers:2"),
        ("−1 attacker", "11 9 bombers:2"),
        ("Swap sides", "9 11 dbombers:2"),
    ):
        after = await bob.presses(shown, label)
        assert after.id == shown.id
        assert line_of(after) == expected
        assert [file.name for file in after.files] == [f"{expected.replace(' ', '-').replace(':', '-')}.png"]
        shown = after


async def test_the_button_minus_1_is_off_at_1_attacker(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="1 1")
    assert shown.button("−1 attacker").disabled


async def test_the_battle_can_be_changed_in_a_form(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9")
    form = await alice.opens(shown, "Edit")
    assert [field.value for field in form.fields] == ["12 9"]
    after = await alice.submits(form, {"Attackers and defenders": "12 9 stop:4"})
    assert (after.id, line_of(after)) == (shown.id, "12 9 stop:4")
    wrong = await alice.submits(await alice.opens(after, "Edit"), {"Attackers and defenders": "12 9 stp:4"})
    assert wrong.private
    assert "Did you mean `stop:4`" in wrong.content
    assert line_of(discord.messages[shown.id]) == "12 9 stop:4"


async def test_a_preset_is_saved_used_listed_shown_and_deleted(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9 bombers:2")
    saved = await alice.submits(await alice.opens(shown, "Save"), {"Name": "Ukraine"})
    assert saved.private
    assert "Saved `ukraine`" in saved.content
    assert line_of(await bob.sends("battle", matchup="ukraine stop:3")) == "12 9 bombers:2 stop:3"
    assert "ukraine  12 9 bombers:2" in (await bob.sends("preset list")).content
    assert "saved by Alice" in (await bob.sends("preset show", name="ukraine")).content
    assert [choice.value for choice in await bob.types("preset show", name="ukr")] == ["ukraine"]
    refused = await bob.sends("preset delete", name="ukraine")
    assert "saved by Alice" in refused.content
    assert (await bob.sends("preset save", name="ukraine", matchup="1 1")).content == refused.content.replace(
        "delete it", "change it"
    )
    assert "Deleted `ukraine`" in (await alice.sends("preset delete", name="ukraine")).content
    assert "There are no presets here yet" in (await bob.sends("preset list")).content


async def test_a_save_form_saves_the_line_it_shows(discord: FakeDiscord, bot: Client) -> None:
    """Whatever others do to the message while the form is open."""
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9")
    form = await alice.opens(shown, "Save")
    assert [(field.label, field.value) for field in form.fields] == [("Name", ""), ("Attackers and defenders", "12 9")]
    await bob.presses(shown, "Swap sides")
    assert "Saved `alamo`: `12 9`." in (await alice.submits(form, {"Name": "alamo"})).content
    form = await alice.opens(discord.messages[shown.id], "Save")
    again = await alice.submits(form, {"Name": "alamo", "Attackers and defenders": "9 12 stop:2"})
    assert "Saved `alamo`: `9 12 stop:2` (it was `12 9`)." in again.content


async def test_an_impossible_swap_of_sides_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 ddice:100,100")
    swapped = await alice.presses(shown, "Swap sides")
    assert swapped.private
    assert swapped.content.startswith("That battle doesn't work: these dice can fall in too many ways")
    plans = await alice.presses(await alice.sends("battle", matchup="12 9 stop:4"), "Swap sides")
    assert "I left out what only makes sense for the other side." in plans.content


async def test_a_battle_that_never_ends_has_no_picture_and_no_roll(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="5 5 adice:6 aclamp:3..3 dclamp:3..3 ties:neither")
    assert shown.content.startswith("**Neither side can ever win**")
    assert not shown.files
    assert shown.button("Roll it").disabled


async def test_presets_of_a_person_follow_to_servers_without_the_bot(discord: FakeDiscord, bot: Client) -> None:
    """In a server where the bot is not, set-ups are the person's own; nobody there knows of them."""
    carl = discord.stranger("Carl", guild=True)
    await carl.sends("preset save", name="mine", matchup="3 2")
    carl.moves(discord.world.direct(carl.user))
    assert line_of(await carl.sends("battle", matchup="mine")) == "3 2"


async def test_a_mistyped_preset_gets_a_suggestion(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="alamo-2", matchup="3 2")
    assert "Did you mean `alamo-2`?" in (await alice.sends("battle", matchup="alamo-3")).content


async def test_no_name_of_a_person_pings_or_formats(discord: FakeDiscord, bot: Client) -> None:
    hostile = discord.member("**@everyone** [x](http://x) `y`")
    await hostile.sends("preset save", name="alamo", matchup="3 2")
    bob = discord.member("Bob")
    for shown in (await bob.sends("preset show", name="alamo"), await bob.sends("preset delete", name="alamo")):
        assert "saved by everyone xhttpx y" in shown.content
        assert not shown.pings


async def test_commands_work_in_groups_and_servers_without_the_bot(discord: FakeDiscord, bot: Client) -> None:
    for place in ["a server without the bot", "a group"]:
        carl = discord.stranger("Carl", guild=place == "a server without the bot", group=place == "a group")
        shown = await carl.sends("battle", matchup="12 9 bombers:2")
        assert shown.content == ANSWER
        assert line_of(await carl.presses(shown, "Swap sides")) == "9 12 dbombers:2"
        assert "win" in (await carl.presses(shown, "Roll it")).content
        saved = await carl.submits(await carl.opens(discord.messages[shown.id], "Save"), {"Name": "mine"})
        assert "Saved `mine`" in saved.content
        assert line_of(await carl.sends("battle", matchup="mine")) == "9 12 dbombers:2"


async def test_suggestions_show_odds(discord: FakeDiscord, bot: Client, patient: None) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="12 9 bombers:2")

    async def offered(typed: str) -> list[tuple[str, str]]:
        return [(choice.name, str(choice.value)) for choice in await alice.types("battle", matchup=typed)]

    assert (await offered("12 9 bombers:2"))[0] == ("12 9 bombers:2 → 99.4% attacker", "12 9 bombers:2")
    assert (await offered("12 9 bo"))[1] == ("12 9 bombers:2 → 99.4% attacker", "12 9 bombers:2")
    assert (await offered("ukr"))[0] == ("ukraine → 99.4% attacker · 12 9 bombers:2", "ukraine")
    assert (await offered(""))[0][1] == "ukraine"
    assert [value for _, value in await offered("12")][:2] == ["12 6", "12 9"]
    assert (await offered("qqq"))[0][0].startswith("qqq → I don't know `qqq`")
    assert [label for label, _ in await offered("12 9 bomers:2")] == [
        "12 9 bomers:2 → I don't know `bomers:2`. Did you mean `bombers:2`?",
        "12 9 bombers:2 → 99.4% attacker",
        "12 9 → 79.0% attacker",
    ]
    assert await offered("12 9 " + "stop:1 " * 20) == [], "what cannot be sent as a suggestion is none"
    assert len(await offered("12 9 d")) <= 25


async def test_saved_presets_and_settings_count_for_suggestions_at_once(discord: FakeDiscord, bot: Client) -> None:
    mona = discord.member("Mona", manage_guild=True)

    async def offered(typed: str) -> str:
        return str((await mona.types("battle", matchup=typed))[0].name)

    for name, line in (("ukraine", "12 9"), ("ural", "8 8")):
        assert (await offered(name)).startswith(f"{name} → I don't know")
        await mona.sends("preset save", name=name, matchup=line)
        assert (await offered(name)).endswith(line)
    await mona.sends("settings", game="2210")
    assert (await offered("ural")).endswith("8 8 variant:classic"), "plain numbers are of another game now"
    await mona.sends("preset delete", name="ural")
    assert "I don't know" in await offered("ural")


async def test_outdated_suggestions_are_not_computed(discord: FakeDiscord, bot: Client, patient: None) -> None:
    alice = discord.member("Alice")
    async with AsyncExitStack() as busy:
        for _ in range(SLOTS_EACH):
            await busy.enter_async_context(bot.slots.slot(str(alice.id)))
        typed = [alice.begins_typing("battle", matchup=text) for text in ("12", "12 9", "12 8")]
        await until(lambda: bot.typed.get(str(alice.id)) == typed[-1].id)
    *older, newest = [[choice.value for choice in await one.offered()] for one in typed]
    assert older == [[], []]
    assert newest[0] == "12 8"


async def test_suggestions_are_in_the_language_of_the_typist(
    discord: FakeDiscord, bot: Client, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = Strange()
    monkeypatch.setattr(languages, "_catalogue", {"de": strange, "en": NullTranslations()}.__getitem__)
    for locale, chance in (("de", f" % {strange.gettext('attacker')}"), ("en-GB", "% attacker")):
        person = discord.member(f"From {locale}", locale=locale)
        first = (await person.types("battle", matchup="12 9 bombers:2"))[0]
        assert first.name.startswith("12 9 bombers:2 → 99")
        assert first.name.endswith(chance)
        assert first.value == "12 9 bombers:2"


async def test_the_label_of_a_suggestion_can_be_sent(discord: FakeDiscord, bot: Client) -> None:
    """Some Discord clients send a suggestion's label instead of its value."""
    alice = discord.member("Alice")
    for choice in await alice.types("battle", matchup="12 9 bombers:2"):
        by_label = await alice.sends("battle", matchup=choice.name)
        assert line_of(by_label) == choice.value


async def test_typed_markup_pings_nobody_and_breaks_no_answer(discord: FakeDiscord, bot: Client) -> None:
    for line in ["<@1> 9", "```12 9 zz``` @here", "12 9 [x](http://x)"]:
        alice = discord.member("Alice")
        for shown in (
            await alice.sends("battle", matchup=line),
            await alice.sends("preset save", name=line, matchup="1 1"),
        ):
            assert shown.private
            assert not shown.pings
        assert "There are no presets" in (await alice.sends("preset list")).content


async def test_a_battle_too_large_is_refused_with_the_limit(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="300000 300000 ties:both")
    assert shown.private
    assert "is too large for me. With these rules the limit is " in shown.content


async def test_a_mention_is_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.says("@bot 12 9 bombers:2")
    assert shown.content == ANSWER
    assert not shown.pings
    assert line_of(await alice.presses(shown, "+1 attacker")) == "13 9 bombers:2"
    assert "win" in (await alice.says("@bot roll 3 2")).content
    assert line_of(await alice.says("@bot battle\n12 9\nstop:4")) == "12 9 stop:4"
    assert "/battle 12 9" in (await alice.says("@bot")).content
    assert "Did you mean" in (await alice.says("@bot 12 9 bomers:2")).content
    assert "Saved `alamo`" in (await alice.says("@bot /preset save alamo 5 4")).content
    assert "alamo  5 4" in (await alice.says("@bot preset list")).content
    assert "I don't know that command. The commands are `/battle`, " in (await alice.says("@bot /xyzzy")).content


async def test_direct_messages_need_no_mention(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    await carl.says("", kind=6, reply=False)
    assert (await carl.says("12 9 bombers:2")).content == ANSWER
    assert [message.author for message in carl.sees] == ["Carl", "Carl", "Sandtable"], "a pin is no question"


async def test_talk_without_a_mention_is_not_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.says("12 9", reply=False)
    await discord.member("Robot", bot=True).says("@bot 12 9", reply=False)
    shown = await alice.says("@bot 3 2")
    assert [message.content for message in discord.channel_messages if message.author == shown.author] == [
        shown.content
    ]


async def test_the_menu_of_a_message_reads_its_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    said = await alice.says(f"what about this?\n{alice.mention} 12 9 bombers:2", reply=False)
    assert (await alice.uses("Battle odds", on=said)).content == ANSWER
    answer = await alice.sends("battle", matchup="12 9 bombers:2")
    assert (await alice.uses("Battle odds", on=answer)).content == ANSWER
    both = await alice.says("first `3 2`, then `5 4`", reply=False)
    assert line_of(await alice.uses("Battle odds", on=both)) == "5 4", "an answer's own line comes last"
    private = await alice.sends("battle", matchup="12 9", private=True)
    assert (await alice.uses("Battle odds", on=private)).private
    nothing = await alice.uses("Battle odds", on=await alice.says("hello", reply=False))
    assert nothing.private
    assert "I found no battle such as `12 9` in that message." in nothing.content


async def test_two_people_pressing_at_once_are_both_answered(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9")
    presses = [alice.begins_pressing(shown, "+1 attacker"), bob.begins_pressing(shown, "Swap sides")]
    await asyncio.gather(*(press.answered() for press in presses))
    now = discord.messages[shown.id]
    assert line_of(now) in ("13 9", "9 12")
    assert now.files[0].name == f"{line_of(now).replace(' ', '-')}.png"


async def test_equal_questions_of_six_people_are_drawn_once(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    draw = charts.draw

    def counted(kind: Chart, *parts: object) -> bytes:
        drawn.append(kind)
        return draw(kind, *parts)

    monkeypatch.setattr(charts, "draw", counted)
    people = [discord.member(f"Player {number}") for number in range(6)]
    asked = [person.begins("battle", matchup="12 9") for person in people]
    shown = await asyncio.gather(*(question.answered() for question in asked))
    assert len({message.content for message in shown}) == 1
    assert len(drawn) == 1


async def test_commands_are_registered_only_after_a_change(discord: FakeDiscord, services: Services) -> None:
    for _ in range(2):
        async with discord.running(Client(services)):
            pass
    assert len(discord.requests_to("PUT /applications/{id}/commands")) == 1
    await services.store.set_fact("commands", "those of an earlier version")
    discord.fail_next("PUT /applications/{id}/commands", status=403, code=50001)
    async with discord.running(Client(services)):
        assert (await discord.member("Alice").sends("battle", matchup="3 2")).content, "the old ones still work"
    async with discord.running(Client(services)):
        pass
    assert len(discord.requests_to("PUT /applications/{id}/commands")) == 3
    names = {command["name"]: command for command in discord.commands}
    asked = {
        "battle",
        "conquer",
        "map",
        "compare",
        "roll",
        "need",
        "table",
        "dice",
        "order",
        "place",
        "bombing",
        "preset",
        "help",
    }
    asked |= {"luck", "verify", "history", "settings", "privacy"}
    assert set(names) == {*asked, "Battle odds"}
    matchup = names["battle"]["options"][0]
    assert (matchup["name"], matchup["required"], matchup["autocomplete"]) == ("matchup", True, True)
    assert names["battle"]["integration_types"] == [0, 1]
    assert names["battle"]["contexts"] == [0, 1, 2]
