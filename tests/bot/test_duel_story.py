"""Duels as a chat: who may press what, whose choice a roll waits for, for how long, and what the others are told."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.commands.run import run
from bot.discord_app.client import Client
from bot.games.live import LATE
from bot.replies import Reply
from bot.request import Request, Services
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.duels import DICE, LINE, Table
from tests.helpers.bot.live_battles import LIVE, MISTYPED, OVER, TYPED, log_of, record_of, types_dice, under

pytestmark = pytest.mark.usefixtures("quick_frames", "unannounced")

MISSES = "6 6 6 6 6 vs 6 6 6 6"
ASK = "What should I lose?"
KEEP, ALWAYS = "Keep these losses", "Keep the order to the end"
WAITING = [KEEP, ALWAYS, ASK]
OWN = "Roll your own"


def first_line(shown: Shown) -> str:
    return shown.content.splitlines()[0]


async def entries_of(services: Services, shown: Shown) -> list[dict[str, Any]]:
    return [json.loads(roll.entry) for roll in (await record_of(services, shown)).rolls]


async def duel(alice: Person, bob: Person, dice: str = DICE, **given: Any) -> Shown:
    """A battle of Alice against Bob after its first throw."""
    return await types_dice(alice, await alice.sends("roll", matchup=LINE, opponent=bob, **given), dice)


async def checks(person: Person, shown: Shown) -> str:
    return (await person.sends("verify", battle=under(shown, "battle"))).content


# Who goes on ----------------------------------------------------------------------------------------------


async def test_the_attacker_alone_rolls_retreats_and_types_dice(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await alice.sends("roll", matchup="12 9", opponent=bob)
    assert first_line(shown).endswith("· 12 against 9 · Alice attacks Bob")
    shown = await alice.presses(shown, "Roll")
    for label in LIVE:
        refused = await bob.presses(shown, label)
        assert (refused.private, refused.labels) == (True, [])
        assert refused.content.startswith("Only the attacker rolls, retreats and types dice: Alice. If Alice doesn't ")
        strange = await xena.presses(shown, label)
        assert strange.private
        assert (strange.content, strange.labels) == ("Only the two players can press here: Alice attacks Bob.", [OWN])
    assert discord.messages[shown.id].content == shown.content
    assert len((await record_of(services, shown)).rolls) == 1
    assert "Attack called off after 1 round" in (await alice.presses(shown, "Retreat")).content


async def test_without_an_opponent_only_the_starter_presses(discord: FakeDiscord, bot: Client) -> None:
    alice, xena = discord.member("Alice"), discord.member("Xena")
    shown = await alice.sends("roll", matchup=LINE)
    for label in LIVE:
        refused = await xena.presses(shown, label)
        assert (refused.private, refused.labels) == (True, [OWN])
        assert refused.content == "Only Alice can press here: this battle has no opponent."
    shown = await types_dice(alice, shown, DICE)
    assert shown.labels == [*LIVE, ASK, *TYPED], "one person chooses for both sides, so that nothing waits"
    assert (await xena.presses(shown, ASK)).labels == [OWN]
    over = await alice.presses(shown, "Roll to the end")
    assert over.labels == [*OVER, MISTYPED]
    assert "no problems found" in (await xena.presses(over, "Verify")).content


async def test_everybody_can_roll_their_own_in_public(discord: FakeDiscord, bot: Client) -> None:
    alice, xena = discord.member("Alice"), discord.member("Xena")
    shown = await alice.sends("roll", matchup="12 9 stop:4")
    own = await xena.presses(await xena.presses(shown, "Roll"), OWN)
    assert (own.private, own.labels) == (False, LIVE)
    assert own.content.endswith("`12 9 stop:4`")
    assert under(own, "battle") != under(shown, "battle")
    assert (await xena.presses(own, "Roll")).id == own.id
    assert (await alice.presses(own, "Roll")).private


async def test_a_press_under_an_old_message_is_told_where_the_battle_goes_on(discord: FakeDiscord, bot: Client) -> None:
    alice, xena, thread = (
        discord.member("Alice"),
        discord.member("Xena"),
        discord.add_thread(discord.guild.channel, "war"),
    )
    shown = await alice.sends("roll", matchup="12 9")
    shared = await alice.moves(thread).sends("history share")
    await alice.moves(thread).presses(shared, "Roll")
    refused = await xena.presses(shown, "Roll")
    link = f"https://discord.com/channels/{discord.guild.id}/{thread.id}/{shared.id}"
    assert refused.content == f"Only Alice can press here: this battle has no opponent. The battle goes on here: {link}"
    assert refused.labels == [OWN]
    there = xena.moves(thread)
    assert link not in (await there.presses(shared, "Roll")).content
    await alice.moves(thread).presses(shared, "Roll to the end")
    assert link not in (await xena.moves(discord.guild.channel).presses(shown, "Roll")).content, "it is over"


async def test_an_open_table_takes_presses_of_everybody(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await alice.sends("roll", matchup=LINE, opponent=bob, open=True)
    assert first_line(shown).endswith("· Alice attacks Bob · open table")
    shown = await types_dice(xena, shown, DICE)
    assert shown.labels == [*LIVE, ASK, *TYPED]
    told = await xena.presses(await xena.presses(shown, ASK), "Defender loses 1 inf")
    assert told.content.startswith("Done: ")
    shown = await discord.next_edit(shown)
    assert (await xena.presses(shown, "Retreat")).content == "Only the attacker can retreat."
    over = await xena.presses(shown, "Roll to the end")
    log = log_of(await xena.presses(over, "Verify"))
    assert log["press"] == log["rolls"][0]["press"] == "everybody"
    assert "open table" in (await xena.presses(over, "Roll again")).content


async def test_a_channel_may_have_open_tables(discord: FakeDiscord, bot: Client) -> None:
    boss, xena = discord.member("Boss", manage_guild=True), discord.member("Xena")
    changed = await boss.sends("settings", open=True)
    assert "`open:no` → `open:yes`" in changed.content
    shown = await boss.sends("roll", matchup="12 9")
    assert (await xena.presses(shown, "Roll")).id == shown.id
    closed = await boss.sends("roll", matchup="12 9", open=False)
    assert (await xena.presses(closed, "Roll")).labels == [OWN]
    again = await boss.presses(await boss.presses(closed, "Roll to the end"), "Roll again")
    assert (await xena.presses(again, "Roll")).labels == [OWN], "as before, whatever the place has set"
    await boss.sends("settings", open=False, channel=True)
    assert (await xena.presses(await boss.sends("roll", matchup="12 9"), "Roll")).labels == [OWN]


async def test_roll_again_keeps_who_may_press(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await alice.presses(await alice.sends("roll", matchup="6 4", opponent=bob), "Roll to the end")
    again = await bob.presses(over, "Roll again")
    assert "Alice attacks Bob" in again.content
    assert (await bob.presses(again, "Roll")).private, "who attacks rolls, whoever has begun it again"
    assert (await alice.presses(again, "Roll")).id == again.id
    assert (await record_of(services, again)).rights == {"attacker": "1", "defender": "2", "wait": 24}


# A side that must choose ----------------------------------------------------------------------------------


async def test_a_roll_waits_for_the_losses_of_the_defender(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await duel(alice, bob)
    assert "** · waiting for the defender's losses · " in first_line(shown)
    assert shown.labels == [*WAITING, *TYPED]
    for label in (KEEP, ALWAYS):
        refused = await alice.presses(shown, label)
        assert refused.private
        assert refused.content.startswith(
            "Only the player whose units are hit chooses what to lose. If Bob doesn't go on by "
        )
        assert (await xena.presses(shown, label)).labels == [OWN]
    here, name = f"guild:{discord.guild.id}", under(shown, "battle")
    for command in ("roll on", "roll out", "retreat", "ask dice"):
        forged = await run(Request(command, str(alice.id), "Alice", here, argument=f"{name}:1"), services)
        assert isinstance(forged, Reply)
        assert forged.text.startswith("The next roll waits until Bob has chosen. If Bob doesn't go on by ")
    kept = await bob.presses(shown, KEEP)
    assert (kept.id, kept.labels) == (shown.id, [*LIVE, ASK, MISTYPED])
    assert "waiting" not in kept.content
    assert kept.content.split("```")[1] == shown.content.split("```")[1], "the table is about dice and choices"
    after = await types_dice(alice, kept, "6 6 6 vs 6 6 6")
    assert after.labels == [*LIVE, *TYPED]
    assert [entry.get("keep") for entry in await entries_of(services, after)] == [None, "defender", None]
    assert "The hashes match: 0 rolls, 0 dice." in await checks(xena, after)


async def test_the_defender_releases_a_roll_by_a_choice(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await duel(alice, bob)
    advice = await alice.presses(shown, ASK)
    await alice.presses(advice, "Lose 2 inf")
    shown = await discord.next_edit(shown)
    assert shown.labels == [*WAITING, MISTYPED], "the attacker's choice is not the defender's"
    await bob.presses(await bob.presses(shown, ASK), "Lose 1 inf")
    shown = await discord.next_edit(shown)
    assert shown.labels == [*LIVE, ASK, MISTYPED]
    over = await alice.presses(shown, "Roll")
    assert "no problems found" in await checks(bob, over)


async def test_rolling_to_the_end_stops_where_the_defender_chooses(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    line = "20 inf 10 arm vs 20 inf 10 arm loss:inf,arm"
    shown = await alice.sends("roll", matchup=line, opponent=bob)
    presses = 0
    while shown.labels != OVER:
        shown = await alice.presses(shown, "Roll to the end")
        if KEEP in shown.labels:
            presses += 1
            shown = await bob.presses(shown, KEEP)
    assert presses > 1
    assert "no problems found" in await checks(alice, shown)


async def test_the_defender_can_keep_the_order_to_the_end(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="20 inf 10 arm vs 20 inf 10 arm", opponent=bob)
    while KEEP not in shown.labels:
        shown = await alice.presses(shown, "Roll to the end")
    shown = await bob.presses(shown, ALWAYS)
    assert (await entries_of(services, shown))[-1]["always"] is True
    over = await alice.presses(shown, "Roll to the end")
    if over.labels != OVER:  # an end that the attacker's losses can change
        over = await alice.presses(over, KEEP)
    assert over.labels == OVER
    assert "no problems found" in await checks(alice, over)


async def test_after_keeping_the_order_the_defender_still_chooses(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await bob.presses(await duel(alice, bob), ALWAYS)
    await bob.presses(await bob.presses(shown, ASK), "Lose 1 inf")
    shown = await discord.next_edit(shown)
    assert "defender loses 1 inf" in shown.content
    assert shown.labels == [*LIVE, ASK, MISTYPED]


async def test_in_a_hold_the_roll_waits_for_the_player_who_attacked_first(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    line = "3 inf 1 arm vs 1 inf then hold 3 inf loss:arm,inf"
    shown = await types_dice(alice, await alice.sends("roll", matchup=line, opponent=bob), "1 6 6 6 vs 6")
    assert "** · Bob rolls · " in first_line(shown)
    assert (await alice.presses(shown, "Roll")).content.startswith(
        "Only the attacker rolls, retreats and types dice: Bob."
    )
    shown = await types_dice(bob, shown, "1 6 6 vs 6 6 6 6")
    assert shown.labels == [*WAITING, *TYPED]
    assert "** · waiting for the defender's losses: Alice · " in first_line(shown)
    assert (await bob.presses(shown, KEEP)).private
    shown = await alice.presses(shown, KEEP)
    over = await bob.presses(shown, "Roll to the end")
    while over.labels != [*OVER, MISTYPED]:
        over = await bob.presses(await alice.presses(over, ALWAYS), "Roll to the end")
    assert {"attacker", "defender"} == {entry["side"] for entry in await entries_of(services, over)}
    assert "no problems found" in await checks(alice, over)


async def test_rolling_to_the_end_stops_before_the_attack_of_the_other_player(
    discord: FakeDiscord, bot: Client
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="30 inf vs 1 inf then hold 2 inf", opponent=bob)
    shown = await alice.presses(shown, "Roll to the end")
    assert shown.labels == LIVE
    assert (await alice.presses(shown, "Retreat")).content.startswith(
        "Only the attacker rolls, retreats and types dice: "
    )
    assert (await bob.presses(shown, "Retreat")).labels == OVER


async def test_the_end_of_a_wave_keeps_the_order_of_a_defender_who_does(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="2 inf 1 arm vs 3 inf 3 arm then 4 arm", opponent=bob)
    shown = await bob.presses(await types_dice(alice, shown, "1 6 6 vs 6 6 6 6 6 6"), ALWAYS)
    shown = await types_dice(alice, shown, "1 1 6 vs 1 1 1 6 6")
    assert first_line(shown).startswith("🎲 **Wave 2 of 2: 4 arm against 3 arm")
    assert shown.labels == [*LIVE, *TYPED]
    assert "no problems found" in await checks(alice, shown)


async def test_a_side_without_a_choice_makes_nobody_wait(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    assert (await duel(alice, bob, MISSES)).labels == [*LIVE, *TYPED]
    lines = ["12 9", "5 4 icons:AAD,ADD,A,D,-,-", "14 > 4 > 3 leave:1", "20 siam > 9 indonesia", "3 inf vs 2 inf"]
    for line in [*lines, "5 bom vs 20"]:
        shown = await alice.presses(await alice.sends("roll", matchup=line, opponent=bob), "Roll")
        assert not {KEEP, ALWAYS} & {*shown.labels}, (line, shown.content)
        assert "waiting" not in shown.content


# Waiting --------------------------------------------------------------------------------------------------


async def test_the_attacker_goes_on_if_the_defender_does_not_come(services: Services) -> None:
    table = Table(services)
    await table.begin()
    await table.presses("1", "real dice", dice=DICE)
    table.after(23.9)
    assert (await table.presses("1", "keep")).startswith("Only the player whose units are hit chooses")
    table.after(0.1)
    assert "waiting" not in await table.presses("1", "keep")
    assert [entry["user"] for entry in await table.entries()] == ["1", "1"]
    assert "no problems found" in await table.verify()


async def test_nobody_chooses_the_losses_of_a_player_who_does_not_come(services: Services) -> None:
    table = Table(services)
    await table.begin()
    await table.presses("1", "real dice", dice=DICE)
    table.after(25)
    for command, text in (("choose", "defender 1 inf"), ("ask choice", "defender"), ("keep always", "")):
        refused = await table.presses("1", command, text)
        assert refused.startswith("Only Bob can choose here. Keep the losses to go on."), command
    assert "defender's losses" not in await table.presses("1", "advise")
    await table.presses("1", "keep")
    assert [entry.get("always") for entry in await table.entries()] == [None, None]


async def test_a_defender_who_does_not_come_is_waited_for_only_once(services: Services) -> None:
    table = Table(services)
    await table.begin("4 inf vs 4 inf 2 arm loss:arm,inf")
    await table.presses("1", "real dice", dice="1 6 6 6 vs 6 6 6 6 6 6")
    table.after(24)
    await table.presses("1", "keep")
    assert "waiting" in await table.presses("1", "real dice", dice="1 6 6 6 vs 6 6 6 6 6")
    assert "waiting" not in await table.presses("1", "keep")
    await table.presses("2", "choose", "defender 1 inf")
    assert "waiting" in await table.presses("1", "real dice", dice="1 6 6 6 vs 6 6 6 6")
    assert (await table.presses("1", "keep")).startswith("Only the player whose units are hit chooses"), (
        "the defender has come"
    )
    assert [entry["user"] for entry in await table.entries()] == ["1", "1", "1", "1", "2", "1"]
    assert "no problems found" in await table.verify()


async def test_the_defender_goes_on_if_the_attacker_does_not_come(services: Services) -> None:
    table = Table(services)
    await table.begin("12 9")
    for command in ("roll on", "roll out", "retreat", "ask dice", "real dice"):
        refused = await table.presses("2", command, dice="6 6 6 vs 1 1")
        assert refused.startswith("Only the attacker rolls, retreats and types dice: Alice. If Alice doesn't go on ")
    table.after(25)
    assert (await table.presses("3", "roll on")).startswith("Only the two players")
    await table.presses("2", "roll on")
    await table.presses("2", "roll on")
    assert [entry["user"] for entry in await table.entries()] == ["2", "2"]
    await table.presses("1", "roll on")
    assert (await table.presses("2", "roll on")).startswith("Only the attacker rolls"), "the attacker has come"
    assert [entry["user"] for entry in await table.entries()] == ["2", "2", "1"]
    assert "no problems found" in await table.verify()


async def test_a_place_chooses_how_long_battles_wait(services: Services) -> None:
    await services.store.set_settings("guild:1", {"wait": "1"})
    table = Table(services)
    await table.begin("12 9")
    table.after(1.1)
    await table.presses("2", "roll on")
    assert (await table.record()).rights == {"attacker": "1", "defender": "2", "wait": 1}
    await services.store.set_settings("guild:1", {"wait": "168"})
    await table.presses("2", "roll on")
    assert len(await table.entries()) == 2, "the rules of a battle stay as they were when it began"


# Forgotten players ----------------------------------------------------------------------------------------


async def test_the_other_player_goes_on_for_one_who_is_forgotten(services: Services) -> None:
    for forgotten, other in (("1", "2"), ("2", "1")):
        table = Table(services)
        await table.begin()
        await table.presses("1", "real dice", dice=DICE)
        await services.store.cleaning.erase(forgotten)
        assert (await table.presses("3", "keep")).startswith("Only the two players")
        await table.presses(other, "keep")
        await table.presses(other, "real dice", dice="6 6 6 vs 6 6 6")
        await table.presses(other, "roll out")
        entries = await table.entries()
        assert {entry["user"] for entry in entries[1:]} == {other}
        assert all(entry["forgotten"] for entry in entries[1:])
        checked = await table.verify()
        assert "no problems found" in checked
        assert "Somebody went on for a player whose name was removed." in checked


async def test_everybody_goes_on_with_a_battle_of_forgotten_players(services: Services) -> None:
    table = Table(services)
    await table.begin("12 9")
    for user in "12":
        await services.store.cleaning.erase(user)
    await table.presses("3", "roll on")
    assert [entry["user"] for entry in await table.entries()] == ["3"]
    assert "no problems found" in await table.verify()


async def test_a_battle_of_an_older_version_goes_on_by_its_own_rules(services: Services) -> None:
    table = Table(services)
    await table.begin("12 9")
    old = (await table.record()).battle
    for duel, others in ((True, "12"), (False, "123")):
        name = f"older{duel}"
        people = (await table.record()).players[: 1 + duel]
        assert await services.store.battles.begin(old._replace(id=name, press=None), people, 100)
        older = Table(services, name)
        for user in others:
            await older.presses(user, "roll on")
        assert [entry["user"] for entry in await older.entries()] == [*others]
        assert "press" not in (await older.entries())[0]
        assert (await older.presses("2", "retreat")).startswith("Only the attacker can retreat.")
        if duel:
            assert (await older.presses("3", "roll on")).startswith("Only the two players")


# Presses that come twice, late or forged ------------------------------------------------------------------


async def test_the_same_press_twice_counts_once(services: Services) -> None:
    table = Table(services)
    await table.begin()
    await table.presses("1", "real dice", dice=DICE)
    for command, text in (("keep", ""), ("choose", "defender 1 inf"), ("roll on", "")):
        user = "1" if command == "roll on" else "2"
        turn = len(await table.entries())
        asked = Request(command, user, "Bob", "guild:1", {}, argument=f"{table.name}:{turn}{text and f':{text}'}")
        asked = replace(asked, interaction=table.id, message="1439870000000000000")
        replies = [await run(asked, services) for _ in range(2)]
        after = len(await table.entries())
        assert all(isinstance(reply, Reply) and not (reply.failed or reply.aside) for reply in replies), replies
        assert {entry["interaction"] for entry in (await table.entries())[turn:]} == {asked.interaction}
        assert command == "roll on" or after == turn + 1


async def test_a_late_press_of_the_defender_changes_nothing(services: Services) -> None:
    table = Table(services)
    await table.begin("12 9")
    await table.presses("1", "roll on")
    late = Request("roll on", "1", "Alice", "guild:1", {}, argument=f"{table.name}:0", interaction=table.id)
    reply = await run(late, services)
    assert isinstance(reply, Reply)
    assert reply.aside == LATE
    assert len(await table.entries()) == 1


async def test_forged_presses_of_a_duel_change_nothing(services: Services) -> None:
    """Changed clients can press what they like."""
    table = Table(services)
    await table.begin()
    for command in ("keep", "keep always", "choose"):
        await table.presses("2", command)
    assert await table.entries() == []
    await table.presses("1", "real dice", dice=DICE)
    for user in "13":
        for command in ("keep", "keep always", "roll on", "roll out", "retreat"):
            await table.presses(user, command)
    for user, text in (("1", "defender 1 inf"), ("2", "attacker 2 inf"), ("3", "defender 1 inf")):
        await table.presses(user, "choose", text)
        await table.presses(user, "ask choice", text)
    assert await table.presses("2", "ask dice") == "First keep these losses, or choose others. "
    assert len(await table.entries()) == 1
    await table.begin("12 9")
    await table.presses("1", "roll on")
    await table.presses("2", "keep")
    assert len(await table.entries()) == 1


async def test_a_duel_that_waits_goes_on_after_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    async with discord.running(Client(services)):
        shown = await duel(alice, bob)
    async with discord.running(Client(services)):
        opened = await alice.sends("history open", battle=under(shown, "battle"))
        assert (opened.content, opened.labels) == (shown.content, [*WAITING, *TYPED])
        assert (await bob.presses(shown, KEEP)).labels == [*LIVE, ASK, MISTYPED]
