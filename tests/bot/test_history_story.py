"""Battles of before as a chat: listed, opened, shared, exported, checked, and forgotten; and servers that keep none."""

from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.commands.history import ENDED
from bot.discord_app.client import Client
from bot.games.raid.live import ENDINGS
from bot.live.fair import MODERATOR, base64url, commitment, problems
from bot.request import Services
from solver.game import Ending
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import check
from tests.helpers.bot.live_battles import LIVE, OVER, fought, listed, log_of, types_dice, under
from tests.helpers.bot.storm import idle

pytestmark = pytest.mark.usefixtures("quick_frames")


# Listed, opened, shared ------------------------------------------------------------------------------------


async def test_history_lists_the_latest_battles_with_players_and_ends(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    assert (await alice.sends("history list")).content == "No battles here yet. Start one with `/roll 12 9`."
    over = await fought(alice)
    gone = await bob.presses(await bob.sends("roll", matchup="12 9", opponent=alice), "Retreat")
    line = "20 > 5 > 4 > 2 > 1 > 2 > 3 leave:1,2,1,2,1,2"
    on = await alice.presses(await alice.sends("roll", matchup=line), "Roll")
    shown = await xena.sends("history list")
    assert shown.private
    latest, retreated, first = listed(shown)
    assert latest.startswith(f"{under(on, 'battle')} ")
    assert latest.endswith(f" not over {line[:39]}… Alice"), "its beginning: `/history open` shows all of it"
    assert retreated.startswith(f"{under(gone, 'battle')} ")
    assert retreated.endswith(" called off 12 9 · Bob attacks Alice")
    assert first.startswith(f"{under(over, 'battle')} ")
    assert any(f" {how} 6 4 · Alice" in first for how in ("attacker won", "defender held"))
    assert [row.split()[0] for row in listed(await xena.sends("history list", player=bob))] == [under(gone, "battle")]
    assert len(listed(await xena.sends("history list", player=alice))) == 3
    assert "No battles here yet" in (await xena.sends("history list", player=xena)).content


async def test_history_calls_a_finished_raid_over(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    over = await alice.presses(await alice.sends("roll", matchup="5 bom vs 20 aafired"), "Roll to the end")
    [raid] = listed(await alice.sends("history list"))
    assert raid.endswith(" raid over 5 bom vs 20 aafired · Alice")
    [offered] = await alice.types("verify", battle=under(over, "battle"))
    assert offered.name.endswith(" 5 bom vs 20 aafired · raid over")
    await alice.presses(await alice.sends("roll", matchup="12 9 rounds:1"), "Roll to the end")
    battle, _raid = listed(await alice.sends("history list"))
    assert battle.endswith(" called off 12 9 rounds:1 · Alice")


async def test_a_finished_battle_is_opened_privately_and_shared_publicly(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await fought(alice)
    await fought(alice, "9 8")
    name = under(over, "battle")
    opened = await bob.sends("history open", battle=name)
    assert (opened.private, opened.content, opened.labels) == (True, over.content, OVER)
    shared = await bob.sends("history share", battle=name)
    assert (shared.private, shared.content) == (False, over.content)
    assert [file.name for file in shared.files] == [file.name for file in over.files]
    latest = await bob.sends("history open")
    assert "9 8" in latest.content
    assert "· 6 against 4\n" in (await bob.presses(shared, "Roll again")).content


async def test_an_unfinished_battle_is_opened_publicly_and_goes_on(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9", open=True), "Roll")
    opened = await bob.sends("history open")
    assert (opened.private, opened.content, opened.labels) == (False, shown.content, LIVE)
    over = await bob.presses(opened, "Roll to the end")
    assert over.id == opened.id
    assert under(over, "commitment") == under(shown, "commitment")
    late = await alice.presses(shown, "Roll")
    assert discord.messages[shown.id].content == over.content, "the old message follows with the next press on it"
    assert late.private or late.id == shown.id


async def test_battle_ids_are_suggested_with_their_battles(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await fought(alice, "6 4", opponent=bob)
    await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    for command in ("verify", "history open", "history share", "history export"):
        offered = await bob.types(command, battle="")
        assert len(offered) == 2
        assert offered[0].name.endswith(" 12 9 · not over")
        assert offered[1].name.endswith("· Alice attacks Bob")
        for typed in (under(over, "battle")[:4], "6 4"):
            assert [one.value for one in await bob.types(command, battle=typed)] == [under(over, "battle")]
    by_label = await bob.sends("history open", battle=offered[1].name)
    assert by_label.content == over.content, "some Discord clients send the label"


async def test_battles_of_other_places_are_refused(discord: FakeDiscord, bot: Client) -> None:
    alice, carl = discord.member("Alice"), discord.member("Carl", guild=discord.add_guild("Elsewhere"))
    refusal = "I can't find that battle here. See `/history list`."
    commands = "verify", "history open", "history share", "history export"
    for command in commands:
        assert (await alice.sends(command)).content == refusal
    name = under(await fought(alice), "battle")
    for command in commands:
        for unknown in (name, "`'; DROP TABLE battles; --"):
            refused = await carl.sends(command, battle=unknown)
            assert (refused.private, refused.content) == (True, refusal)
        assert name in (await alice.sends(command, battle=f"`{name.upper()}`")).content


# Verified and exported -------------------------------------------------------------------------------------


async def test_everybody_can_verify_a_good_battle(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await fought(alice, opponent=bob)
    name = under(over, "battle")
    for shown in (
        await bob.presses(over, "Verify"),
        await bob.sends("verify"),
        await bob.sends("verify", battle=name),
    ):
        assert not shown.private
        assert shown.content.startswith(f'✅ **Battle {name}, "6 4": no problems found.**\nThe dice match the seed: ')
        log = log_of(shown)
        promise = f"commitment `{under(over, 'commitment')}` (in hex `{log['commitment']}`), log `{under(over, 'log')}`"
        assert f"Compare with the chat: {promise}, message `{log['message']}`." in shown.content
        assert under(shown, "seed") == log["seed"]
        assert problems(log) == check(log) == []
        assert log["people"] == {"1": "Alice", "2": "Bob"}
    assert (await bob.sends("verify", private=True)).private


async def test_an_unfinished_battle_hides_its_seed(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    checked = await alice.sends("verify")
    assert "The battle isn't over: its seed is still secret, so the dice can't be checked yet." in checked.content
    assert "The players' names are not proven: no hash covers them." in checked.content
    exported = await alice.sends("history export")
    assert (exported.private, log_of(exported)["seed"]) == (True, None)
    assert "It will include the seed once the battle is over." in exported.content
    record = await services.store.battles.find(under(shown, "battle"))
    assert record
    for seen in (shown, checked, exported):
        assert record.battle.seed not in seen.content + "".join(str(file.data) for file in seen.files)


async def altered(data: Path, statement: str) -> None:
    """Somebody with the database in his hands."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{data / 'sandtable.db'}")
    async with engine.begin() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


async def test_verify_detects_a_changed_battle(discord: FakeDiscord, bot: Client, services: Services) -> None:
    for statement, told in [
        ("UPDATE battles SET line = '30 40'", "by the rules"),
        ("UPDATE battles SET message = '1'", "should be"),
    ]:
        alice = discord.member("Alice")
        over = await fought(alice)
        await altered(services.settings.data, statement)
        shown = await alice.presses(over, "Verify")
        assert shown.content.startswith(f"❌ **Battle `{under(over, 'battle')}`** This log has problems:\n- ")
        assert told in shown.content
        assert len(shown.content) <= 2000


async def test_a_damaged_log_is_a_sentence_in_every_command(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    await altered(services.settings.data, "UPDATE battles SET line = '1 9'")
    for refused in (await alice.presses(shown, "Roll"), await alice.sends("history open")):
        assert refused.private
        assert refused.content.startswith(
            "The log of this battle is damaged: roll 1: by the rules the attacker rolls 1"
        )


# Names that go ---------------------------------------------------------------------------------------------


async def test_history_forget_removes_a_name_and_keeps_logs_valid(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await fought(alice, opponent=bob)
    open_yet = await alice.presses(await alice.sends("roll", matchup="12 9", opponent=bob), "Roll")
    await fought(alice, private=True)
    told = await alice.sends("history forget")
    assert told.private
    assert told.content.startswith("Your name was removed from 3 battles on all servers. ")
    assert (await alice.sends("history forget")).content == "Your name isn't in any battle or preset."
    name = under(over, "battle")
    seen = [await bob.sends(command, battle=name) for command in ("verify", "history share", "history export")]
    seen += [await bob.sends("history list"), await bob.sends("luck"), await bob.presses(over, "Roll again")]
    seen.append(await bob.presses(open_yet, "Roll"))
    for shown in seen:
        assert "Alice" not in shown.content + "".join(str(file.data) for file in shown.files)
        assert str(alice.id) not in str([file.data for file in shown.files])
    assert "someone attacks Bob" in seen[1].content
    assert "no problems found" in seen[0].content
    assert problems(log_of(seen[0])) == []
    assert "No battles here yet" in (await bob.sends("history list", player=alice)).content
    assert str(alice.id).encode() not in (services.settings.data / "sandtable.db").read_bytes()


async def test_a_battle_of_an_erased_player_can_be_finished(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await alice.sends("roll", matchup="12 9", opponent=bob)
    await bob.sends("history forget")
    for stranger in (xena, bob):
        assert (await stranger.presses(shown, "Roll")).content.startswith(
            "Only the two players can press here: Alice attacks"
        )
    assert (await alice.presses(shown, "Retreat")).content.startswith("🎲 **Attack called off after 0 rounds")
    shown = await alice.sends("roll", matchup="12 9")
    over = await alice.presses(shown, "Roll to the end")
    assert "no problems found" in (await xena.presses(over, "Verify")).content


def test_every_end_of_a_battle_has_a_word() -> None:
    assert set(ENDED) == {*get_args(Ending), MODERATOR, None}
    assert {key for key, word in ENDINGS.items() if ENDED[key] != word} == set(ENDINGS) == {"rounds", "lost"}


# Servers that keep nothing ---------------------------------------------------------------------------------


async def test_settings_are_for_those_who_manage_the_server(discord: FakeDiscord, bot: Client) -> None:
    alice, owner = discord.member("Alice"), discord.member("Owner", manage_guild=True)
    assert (
        "\n"
        "**History is on**: I store who played and what was rolled, nothing else. Change it "
        "with `/settings history:off` or `on`.\n"
    ) in (await owner.sends("settings")).content
    refused = await alice.says("@bot /settings off")
    assert (
        refused.content
        == "You need the Manage Server permission to change these settings. `mine:True` changes your own."
    )
    off = await owner.sends("settings", history="off")
    assert off.private
    assert "\n**History is off**: I delete a battle once its result has been shown; older battles stay. " in off.content
    shown = (await alice.says("@bot /settings")).content
    assert off.content == f"**Changed:** `history:on` → `history:off`\n{shown}", "all may know"
    assert (await discord.stranger("Carl").says("settings maybe")).content.startswith("I don't know `maybe`. ")


async def test_without_history_a_battle_is_deleted_after_its_end(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, owner = discord.member("Alice"), discord.member("Owner", manage_guild=True)
    await owner.sends("settings", history="off")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    assert not [file for file in shown.files if file.name.endswith(".json")]
    over = await alice.presses(shown, "Roll to the end")
    log = log_of(over)
    assert problems(log) == []
    assert base64url(commitment(log["battle"], log["seed"])) == under(over, "commitment")
    assert over.labels == ["Roll again"], "there is nothing left that could be verified here"
    await idle(bot)
    assert await services.store.battles.find(under(over, "battle")) is None
    assert "No battles here yet" in (await alice.sends("history list")).content
    assert "no battles yet" in (await alice.sends("luck")).content
    assert "No dice have been rolled here yet" in (await alice.sends("history faces")).content
    again = await alice.presses(over, "Roll again")
    assert again.labels == LIVE
    await owner.sends("settings", history="on")
    await fought(alice)
    assert len(listed(await alice.sends("history list"))) == 1


async def test_history_off_in_direct_messages_holds_for_private_battles(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    await carl.sends("settings", history="off")
    assert log_of(await fought(carl))
    assert "No battles here yet" in (await carl.sends("history list")).content


# All dice --------------------------------------------------------------------------------------------------


async def test_history_faces_counts_every_rolled_face(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert (await alice.sends("history faces")).content == "No dice have been rolled here yet. Try `/roll 12 9`."
    await fought(alice, "3 2 capitals:1")
    log = log_of(await alice.sends("history export"))
    await types_dice(alice, await alice.sends("roll", matchup="12 9"), "6 6 6 vs 6 6")
    shown = await alice.sends("history faces")
    assert not shown.private
    total = sum(len(entry["attack"]) + len(entry["defence"]) for entry in log["rolls"])
    counted = [row.split() for row in listed(shown)]
    assert sum(int(row[2]) for row in counted) == total
    assert {row[0] for row in counted} == {"d6", "d8"}
    assert [row[1] for row in counted[:6]] == list("123456")
    assert shown.files[0].data.startswith(b"\x89PNG")
