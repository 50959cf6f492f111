"""Live battles as a chat: who presses what, what falls, who may press, and how the dice are known to be fair."""

import json
import re
from base64 import urlsafe_b64encode
from dataclasses import replace
from hashlib import sha256

import pytest

from bot.commands.run import run
from bot.discord_app.client import Client
from bot.errors import UserError
from bot.games.dice.live import LIVE as DICE_LIVE
from bot.live.fair import Dice
from bot.live.rolling import read_faces
from bot.notation.defaults import RULES
from bot.replies import Reply
from bot.request import Request, Services
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord, Shown
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import parse
from tests.helpers.bot.live_battles import FIELD, LIVE, MISTYPED, OVER, log_of, record_of, types_dice, under
from tests.helpers.solver.fights import begin

pytestmark = pytest.mark.usefixtures("quick_frames")


def rows(shown: Shown) -> list[str]:
    """The rows of a battle's table, without the names of the columns."""
    block = shown.content.split("```\n")[1] if "```" in shown.content else ""
    return [" ".join(row.split()) for row in block.splitlines()[1:]]


# From the first frame to the last --------------------------------------------------------------------------


async def test_the_first_frame_shows_odds_and_commitment_without_a_roll(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    shown = await discord.member("Alice").sends("roll", matchup="12 9")
    first, commitment, battle = shown.content.splitlines()
    assert first == "⚔️ **Attacker wins 79.0%** · 12 against 9"
    assert re.fullmatch(r"-# commitment `[\w-]{43}`", commitment)
    assert re.fullmatch(r"-# battle `[a-z2-9]{8}` · `12 9`", battle)
    assert (shown.labels, shown.files, shown.private) == (LIVE, (), False)
    await bot.finish_answers()
    record = await record_of(services, shown)
    assert (record.rolls, record.battle.shown) == ((), 0)
    assert record.battle.seed not in shown.content


async def test_each_press_adds_a_row_with_dice_odds_and_a_picture(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="20 20")
    shown = first
    for number in (1, 2, 3):
        shown = await alice.presses(shown, "Roll")
        assert shown.id == first.id, "one message is edited"
        assert re.fullmatch(r"20 v 20 \d\d.\d%", rows(shown)[0])
        last = re.fullmatch(rf"{number} (\d \d \d) (\d \d) (\d+) v (\d+) (\d\d\.\d)%", rows(shown)[-1])
        assert last, rows(shown)
        assert len(rows(shown)) == number + 1
        odds = f"**{last[3]} against {last[4]} · attacker wins {last[5]}%**"
        assert shown.content.startswith(f"🎲 {odds} · 20 against 20\n")
        (picture,) = shown.files
        assert picture.data.startswith(b"\x89PNG")
        assert last[5] in (picture.description or "")
        record = await record_of(services, shown)
        assert under(shown, "log") == record.rolls[-1].hash[:8]
        entry = json.loads(record.rolls[-1].entry)
        assert [sorted(entry[side], reverse=True) for side in ("attack", "defence")] == [
            [int(face) for face in last[group].split()] for group in (1, 2)
        ]
        assert shown.labels == LIVE


async def test_a_finished_battle_can_be_computed_from_its_seed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    first = await alice.sends("roll", matchup="6 4")
    after = await alice.presses(first, "Roll")
    shown = await alice.presses(after, "Roll to the end")
    assert shown.labels == OVER
    seed, name = under(await alice.presses(shown, "Verify"), "seed"), under(shown, "battle")
    assert seed not in shown.content
    promise = sha256(f"sandtable-fair-1|{name}|{seed}".encode())
    committed, short = promise.hexdigest(), urlsafe_b64encode(promise.digest()).decode()
    frames = {frame.content: under(frame, "commitment") for frame in (first, after, shown)}
    assert frames == dict.fromkeys(frames, short.removesuffix("="))
    assert re.match(
        r"🎲 \*\*(Attacker wins|Defender holds) with \d left\*\* · 6 against 4\nThe dice helped the ", shown.content
    )
    log = log_of(await alice.sends("history export", battle=name))
    assert log["rules"] == log["rolls"][0]["rules"] == RULES
    assert log["message"] == str(first.id), "the message that the commitment stands in"
    head, table = committed, rows(shown)[1:]
    for number, (entry, row) in enumerate(zip(log["rolls"], table, strict=True), start=1):
        dice = Dice(seed, name, first.id, number, entry["interaction"])
        assert [dice(6) for _ in entry["attack"]] == entry["attack"]
        assert [dice(6) for _ in entry["defence"]] == entry["defence"]
        told = [str(face) for side in ("attack", "defence") for face in sorted(entry[side], reverse=True)]
        assert row.startswith(" ".join([str(number), *told]))
        bare = {key: value for key, value in entry.items() if key != "hash"}
        text = json.dumps(bare, sort_keys=True, separators=(",", ":"))
        head = sha256(f"{head}|{text}".encode()).hexdigest()
        assert head == entry["hash"]
    assert head[:8] == under(shown, "log")
    assert under(after, "log") == log["rolls"][0]["hash"][:8], "what was shown then has not changed"


async def test_a_battle_that_is_decided_before_the_first_roll_has_no_dice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, told in (
        ("9 0", "Attacker wins with 9 left"),
        ("0 9", "Defender holds with 9 left"),
        ("4 9 stop:4", "ends before the first roll"),
    ):
        shown = await alice.sends("roll", matchup=line)
        assert told in shown.content
        assert (shown.labels, line_of(shown)) == (["Ask on"], line)
    assert "No battles here yet" in (await alice.sends("history list")).content


async def test_live_battles_follow_the_plans_of_their_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    lost = "1 1 1 vs 6 6"
    for line, dice, told in (
        ("5 9 stop:4", lost, "Attack called off after 1 round, 3 against 9 left"),
        ("5 9 reserve:4", "1 vs 6 6", "Attack called off after 1 round, 4 against 9 left"),
    ):
        shown = await types_dice(alice, await alice.sends("roll", matchup=line), dice)
        assert shown.content.startswith(f"🎲 **{told}**"), line
        assert (shown.labels, line_of(shown)) == ([*OVER, MISTYPED], line)


async def test_a_retreat_ends_a_live_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    gone = await alice.presses(shown, "Retreat")
    assert gone.content.startswith("🎲 **Attack called off after 0 rounds, 12 against 9 left** · 12 against 9\n")
    assert "The dice helped" not in gone.content, "there were none"
    assert not gone.files, "a picture of no round would be empty"
    assert rows(gone) == ["12 v 9 79.0%", "retreat 12 v 9"]
    assert gone.labels == OVER
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    assert re.search(
        r"\nThe dice helped .* (more|fewer) than in \d+% of such battles\n",
        (await alice.presses(shown, "Retreat")).content,
    )


async def test_a_long_battle_comes_with_a_file_of_every_round(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("roll", matchup="200 200"), "Roll to the end")
    picture, table = shown.files
    log = table.data.decode().splitlines()
    assert picture.name.endswith(".png")
    assert len(log) > 150
    assert ": all.txt …" in shown.content
    assert log[5] in shown.content
    assert log[-1] in shown.content
    assert len(shown.content) <= 2000


# Who presses -----------------------------------------------------------------------------------------------


async def test_roll_again_keeps_the_players(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    over = await alice.presses(await alice.sends("roll", matchup="6 4", opponent=bob), "Roll to the end")
    again = await bob.presses(over, "Roll again")
    assert (again.id != over.id, "Alice attacks Bob" in again.content) == (True, True)
    assert under(again, "battle") != under(over, "battle")
    assert (await xena.presses(again, "Roll")).private
    own = await xena.presses(over, "Roll again")
    assert "attacks" not in own.content
    assert (await xena.presses(own, "Roll")).id == own.id


async def test_opponents_that_are_refused(discord: FakeDiscord, bot: Client) -> None:
    alice, robot, bob = discord.member("Alice"), discord.member("Robot", bot=True), discord.member("Bob")
    for given, told in (
        ({"opponent": alice}, "Pick someone else, or leave `opponent` empty to roll both sides."),
        (
            {"opponent": robot},
            "A bot can't press buttons. Pick a person, or leave `opponent` empty to roll both sides.",
        ),
        (
            {"opponent": bob, "private": True},
            "Your opponent can't see a private battle. Leave out `private` or `opponent`.",
        ),
    ):
        shown = await alice.sends("roll", matchup="12 9", **given)
        assert (shown.private, shown.content) == (True, told)
    refused = await discord.stranger("Carl").sends("roll", matchup="12 9", opponent=bob)
    assert refused.content == "Your opponent can't see our direct messages. Use a server, or leave out `opponent`."
    assert "Roll" in (await discord.stranger("Dora", group=True).sends("roll", matchup="12 9", opponent=bob)).labels


async def test_players_typed_into_the_line_are_refused(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    told = "`opponent:` and `open:` are options of the command `/roll`. Choose them there, outside the line."
    for typed in (bob.mention, f"opponent:{bob.mention}", "opponent:Bob", "open: yes"):
        assert (await alice.sends("roll", matchup=f"12 9 {typed}")).content == told, typed
        assert (await alice.says(f"@bot roll 12 9 {typed}")).content == told, typed
    assert "Roll" in (await alice.sends("roll", matchup="my 12 against my opponent's 9")).labels


async def test_names_in_live_battles_never_ping_or_format(discord: FakeDiscord, bot: Client) -> None:
    hostile, bob = discord.member("**@everyone** <@1> `x`"), discord.member("@here [b](http://b)")
    shown = await hostile.sends("roll", matchup="6 4", opponent=bob)
    assert shown.content.splitlines()[0].endswith("· everyone 1 x attacks here bhttpb")
    over = await hostile.presses(await hostile.presses(shown, "Roll"), "Roll to the end")
    seen = [over, await bob.presses(over, "Verify")]
    seen += [await bob.sends(f"history {name}") for name in ("list", "open", "share", "export")]
    seen += [await hostile.sends("luck"), await bob.sends("luck", player=hostile, against=bob)]
    seen.append(await discord.member("Xena").presses(await bob.presses(over, "Roll again"), "Roll"))
    assert shown.pings == (bob.name,), "the opponent is asked"
    assert not any(one.pings for one in seen[1:])
    assert not any(sign in one.content for one in seen for sign in ("@", "](", "`x`"))


async def test_a_press_on_an_old_frame_rolls_nothing(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 9", open=True)
    form = await bob.opens(shown, "Real dice")
    after = await alice.presses(shown, "Roll")
    late = await bob.submits(form, {FIELD: "6 6 6 vs 1 1"})
    assert late.private
    assert late.content == "That round is already rolled; the result is in the message."
    assert len((await record_of(services, after)).rolls) == 1
    assert discord.messages[shown.id].content == after.content


# Private battles -------------------------------------------------------------------------------------------


async def test_a_private_battle_stays_with_its_starter(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="6 4", private=True)
    assert shown.private
    over = await alice.presses(await alice.presses(shown, "Roll"), "Roll to the end")
    assert (over.private, over.id) == (True, shown.id)
    assert (await alice.presses(over, "Roll again")).private
    assert (await alice.presses(over, "Verify")).private
    name = under(over, "battle")
    assert (await record_of(services, over)).battle.place == f"user:{alice.id}"
    for who in (alice, bob):
        assert "No battles here yet" in (await who.sends("history list")).content
    assert "can't find that battle here" in (await bob.sends("history open", battle=name)).content
    assert (await alice.sends("history open", battle=name)).private
    assert "No dice have been rolled here yet" in (await bob.sends("history faces")).content
    assert "no battles yet" in (await alice.sends("luck")).content


# Dice from the table ---------------------------------------------------------------------------------------


async def test_dice_on_the_table_are_typed_in_a_form_and_marked(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    form = await alice.opens(shown, "Real dice")
    (field,) = form.fields
    assert (form.title, field.label, field.description) == ("Dice on your table", FIELD, "attacker 3; defender 2")
    shown = await alice.submits(form, {FIELD: "6 4 1 vs 5 3"})
    assert rows(shown)[1] == "1* 6 4 1 5 3 12 v 7 89.6%"
    assert "-# * real dice, typed in; they don't count for luck and statistics" in shown.content
    assert (await record_of(services, shown)).battle.judged == 0
    over = await alice.presses(await alice.presses(shown, "Roll"), "Roll to the end")
    assert [row.split()[0] for row in rows(over)[1:3]] == ["1*", "2"]
    assert "The dice helped" not in over.content, "who knows"
    assert "no battles yet" in (await alice.sends("luck")).content
    checked = await alice.presses(over, "Verify")
    assert "Real dice, typed in, can't be checked: 1 roll, 5 dice." in checked.content
    fallen = sum(len(entry["attack"]) + len(entry["defence"]) for entry in log_of(checked)["rolls"][1:])
    assert f"{fallen} dice of 6 sides" in (await alice.sends("history faces")).content


async def test_wrong_typed_dice_are_a_sentence_and_change_nothing(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="12 9")
    next_up = "Next roll: attacker 3; defender 2."
    for typed, told in (
        ("6 4 vs 5 3", f"{next_up} You typed 2 and 2 dice."),
        ("6 4 1", f"{next_up} You typed 3 dice."),
        ("6 4 7 vs 5 3", "A die with 6 sides has no 7."),
        ("six four vs 5 3", f"Type what you rolled, the attacker's dice first: `6 4 1 vs 5 3`. {next_up}"),
        ("1 vs 2 vs 3", f"Type what you rolled, the attacker's dice first: `6 4 1 vs 5 3`. {next_up}"),
    ):
        refused = await types_dice(alice, shown, typed)
        assert (refused.private, refused.content) == (True, told), typed
    assert (await record_of(services, shown)).rolls == ()
    assert rows(await types_dice(alice, shown, "6,4,1 against 5,3"))[1].startswith("1* 6 4 1 5 3 ")


async def test_typed_dice_of_every_kind(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, typed, row in [
        ("3 2 fighters:1", "1 1 5 4 2 vs 3 3", "1* 1→1→5 4 2 3 3"),
        ("3 2 aexplosions:2 arerolls:1 aleaderbonus:1", "1 6 2 5 1 vs 3 3", "1* 1→(6+2)+1 5 1 3 3"),
        ("2 2 icons:A,AD,-", "ad - against A,A", "1* att AD – = 1A 1D def A A = 2A 0D"),
        ("4 3 icons:60% luckmodifier:0%", "A A A A vs A A -", "1* att A A A A = 4A, 0% luck: 2A def A A – = 2A 0D"),
    ]:
        shown = await types_dice(alice, await alice.sends("roll", matchup=line), typed)
        assert f" {row} " in " ".join(shown.content.split("```")[1].split()), shown.content
    for line, typed, same in [
        ("3 2 capitals:1", "8 4 2 3 3", "8 4 2 vs 3 3"),
        ("2 2 icons:A,AD,-", "AD blank vs A A", "1 3 vs 2 2"),
        ("2 2 icons:A,AD,-", "empty 0 vs blank -", "3 3 vs 3 3"),
        ("3 2", "6 4 1 / 5 3", "6 4 1 vs 5 3"),
    ]:
        fight = begin(parse(line).battle)
        assert read_faces(DICE_LIVE, typed, fight) == read_faces(DICE_LIVE, same, fight), typed


async def test_a_typed_reroll_follows_its_1(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="3 2 fighters:1")
    refused = await types_dice(alice, shown, "1 4 2 vs 3 3")
    assert refused.content == (
        "Next roll: attacker 3; defender 2. You typed 3 and 2 dice. Type a reroll right after the 1 it replaces."
    )
    with pytest.raises(UserError, match="attacker 1 of 8 sides, 2; defender 2"):
        read_faces(DICE_LIVE, "1", begin(parse("3 2 capitals:1").battle))
    with pytest.raises(UserError, match=r"attacker 3; defender 2; the leader's die first.*Type each throw of a die"):
        read_faces(DICE_LIVE, "1", begin(parse("3 2 aleaderbonus:1 dexplosions:1").battle))


async def test_typed_dice_end_the_judging_of_luck(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    judged = (await record_of(services, shown)).battle
    shown = await types_dice(alice, shown, "1 1 1 vs 6 6")
    shown = await alice.presses(shown, "Roll")
    after = (await record_of(services, shown)).battle
    assert (after.judged, after.chance) == (1, judged.chance), "whoever is behind cannot hide what fell before"
    (fortune,) = await services.store.battles.luck_records(f"guild:{discord.guild.id}", str(alice.id))
    assert fortune.chance == judged.chance


# Retreats --------------------------------------------------------------------------------------------------


async def test_units_landed_from_the_sea_cannot_retreat(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="30 ainf vs 30 inf")
    assert not shown.button("Retreat").disabled, "an attack that has not begun can be called off"
    shown = await alice.presses(shown, "Roll")
    assert shown.button("Retreat").disabled
    record = await record_of(services, shown)
    asked = Request("retreat", str(alice.id), "Alice", record.battle.place, argument=f"{record.battle.id}:1")
    refused = await run(asked, services)
    assert isinstance(refused, Reply)
    assert "can't retreat" in refused.text
    assert (await record_of(services, shown)).rolls == record.rolls


async def test_a_retreat_before_the_first_roll_is_no_battle_for_luck(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.presses(await alice.sends("roll", matchup="12 9"), "Retreat")
    assert "no battles yet" in (await alice.sends("luck")).content


# What cannot be rolled -------------------------------------------------------------------------------------


async def test_battles_that_cannot_be_rolled_are_refused_in_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("5 5 adice:6 aclamp:3..3 dclamp:3..3 ties:neither", "would go on forever. Add a limit such as `rounds:100`."),
        ("12 9 variant:blitz", "Reshaped odds have no dice to roll."),
        ("9999 9999 icons:A,D", "would show 19998 dice at once; the limit is 1000."),
        ("300000 300000 ties:both", "300000 against 300000 is too large for me."),
        ("12 9 bomers:2", "Did you mean `bombers:2`?"),
    ]:
        shown = await discord.member("Alice").sends("roll", matchup=line)
        assert shown.private
        assert told in shown.content
        assert set(shown.labels) <= {"/roll 12 9 bombers:2", "Help"}, "there is no battle to go on with"


async def test_the_limit_of_unfinished_battles(discord: FakeDiscord, services: Services) -> None:
    few = Services(replace(services.settings, most_battles=2), services.engine, services.find_store, ROOMS)
    alice, moderator = discord.member("Alice"), discord.member("Mo", manage_guild=True)
    async with discord.running(Client(few)):
        first = await alice.sends("roll", matchup="12 9")
        await alice.sends("roll", matchup="12 9")
        full = await alice.sends("roll", matchup="12 9")
        assert full.private
        assert full.content == "Too many unfinished battles. Finish one first (`/history list`)."
        await alice.presses(first, "Roll to the end")
        assert (await alice.sends("roll", matchup="12 9")).labels == LIVE
        assert (await moderator.sends("roll", matchup="12 9")).labels == LIVE
