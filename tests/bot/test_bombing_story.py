"""Bombing raids, as a chat: what they do and cost, whether they pay, and with how many bombers best."""

import io
import json

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot.commands.run import run
from bot.console import request_from, solve_lines
from bot.discord_app.client import Client
from bot.editions import editions
from bot.games.raid.notation import write_raid
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from bot.prompt import Suggestions, converse
from bot.replies import Reply, full_text
from bot.request import Services
from bot.settings import Settings
from solver.raid.solve import solve_raid
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import check_in_order, line_of, picture, rows
from tests.helpers.bot.lines import read_raid


async def test_bombing_answers_with_damage_losses_and_swing(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("bombing", matchup="5 bom vs 20")
    assert shown.content == (
        "**Worth it: +4.3 IPC on average (14.3 damage, 10.0 lost), max damage 14.4%** · "
        "5 bom against a factory that can take 20 damage · A&A 1942\n"
        "8 raids in 10: −14 to +20 IPC, median +4 · 9 to 20 damage · worth it in 66.9% of such raids\n"
        "Best: send all 5 · 5 bombers are worth it if the target can take 11 damage or more\n"
        "```\n"
        "bombers  damage  lost   TUV  max damage\n"
        "      1     2.9   2.0  +0.9          0%\n"
        "      2     5.8   4.0  +1.8          0%\n"
        "      3     8.8   6.0  +2.8          0%\n"
        "      4    11.6   8.0  +3.6        2.6%\n"
        "      5    14.3  10.0  +4.3       14.4%\n"
        "```\n"
        "-# exact · `5 bom vs 20`"
    )
    assert picture(shown) == (
        "Worth it: +4.3 IPC on average (14.3 damage, 10.0 lost), max damage 14.4%. "
        "8 raids in 10: −14 to +20 IPC, median +4. Bars show what the raid gains in IPC, losses to the left of 0."
    )
    assert shown.labels == ["Roll it", "+1 bomber", "−1 bomber", "All endings", "Edit", "Ask on"]
    assert not shown.private
    assert [file.name for file in shown.files] == ["5-bom-vs-20.png"]


async def test_the_buttons_go_on_with_the_raid(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("bombing", matchup="1 bom vs 12 lowluck variant:1940")
    assert shown.button("−1 bomber").disabled
    for label, expected in (
        ("+1 bomber", "2 bom"),
        ("+1 bomber", "3 bom"),
        ("−1 bomber", "2 bom"),
    ):
        after = await alice.presses(shown, label)
        assert (after.id, line_of(after)) == (shown.id, f"{expected} vs 12 variant:1940 lowluck")
        assert len(after.files) == 1
        shown = after
    changed = await alice.submits(
        await alice.opens(shown, "Edit"), {"Bombers, and damage the factory can take": "4 bombers 16"}
    )
    assert (changed.id, line_of(changed)) == (shown.id, "4 bom vs 16")
    refused = await alice.submits(
        await alice.opens(changed, "Edit"), {"Bombers, and damage the factory can take": "4 inf vs 16"}
    )
    assert refused.private
    assert "In a raid only bombers and fighters fly" in refused.content
    assert discord.messages[shown.id].content == changed.content


async def test_bombing_says_how_many_bombers_are_best(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("bombing", matchup="10 bom vs 20")
    assert shown.content.startswith("**Not worth it: −0.2 IPC on average (19.8 damage, 20.0 lost)")
    assert (
        "\nBest: send 6 of the 10 (+4.5) · 10 bombers are worth it if the target can take 21 damage or more\n"
        in shown.content
    )
    assert [row[0] for row in rows(shown)[1:]] == ["1", "2", "4", "5", "6", "7", "8", "10"]
    assert ["6", "16.5", "12.0", "+4.5", "34.7%"] in rows(shown)


async def test_every_kind_of_raid_has_its_sentences(services: Services) -> None:
    for line, told in [
        (
            "6 bom vs 3 lowluck",
            "**Not worth it: −9.0 IPC on average (3.0 damage, 12.0 lost), max damage 100%**",
        ),
        ("6 bom vs 3 lowluck", "\nalways −9 IPC · 3 damage · worth it in 0% of such raids"),
        ("12 bom vs 6 biased aafired", "\nalways +6 IPC · 6 damage · worth it in 100% of such raids"),
        ("12 bom vs 6 biased aafired", ("\nBest: send 6 of the 12 (+6.0)\n")),
        ("2 bom vs 20", "\nBest: send both · "),
        ("1 bom vs 1", "· 1 bom against a factory that can take 1 damage · A&A 1942\n"),
        ("1 bom vs 1", "\n1 bomber is worth it if the target can take 3 damage or more\n"),
        (
            "2 bom vs 1",
            "\nNo number of bombers is worth it · 2 bombers are worth it if the target can take 5 damage or more\n",
        ),
        ("2 bom vs 4 lowluck variant:1940", "**Breaks even on average (4.0 damage, 4.0 lost)"),
        ("500 bom vs 20", "max damage >99.9%**"),
        ("500 bom vs 20", "worth it in <0.1% of such raids"),
        ("3 bom vs 20", "max damage 0%**"),
        ("3 bom vs 20 variant:1940", "**Worth it: +7.7 IPC on average (13.7 damage, 6.0 lost)"),
        ("3 bom vs 20 variant:1940", ("\n-# Some rules of A&A Global 1940 are unconfirmed or missing: `/help 1940`\n")),
        (
            "3 bom vs 20 variant:1941",
            ("\n-# A&A 1941 has no rules for raids on factories; this raid follows those of 1942\n"),
        ),
    ]:
        reply = await run(request_from(f"/bombing {line}"), services)
        assert isinstance(reply, Reply)
        assert told in full_text(reply)
        assert reply.buttons[1].enabled is not line.startswith("500 "), "no more bombers may fly"


async def test_a_raid_is_read_in_messages_and_in_other_commands(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await alice.sends("bombing", matchup="5 bombers 20")
    for text in ("@bot bombing 5 bom vs 20", "@bot /bombing 5 20", "@bot 5 bom vs 20"):
        assert (await alice.says(text)).content == asked.content
    assert (await alice.sends("battle", matchup="5 bom vs 20")).content == asked.content
    again = await alice.uses("Battle odds", asked)
    assert again.content == asked.content


def test_the_option_aafired_is_read_in_every_spelling() -> None:
    for words in ["aafired", "aa fired", "AA-fired", "aafired:yes"]:
        for line in (f"5 bom vs 20 {words}", f"5 bom {words} vs 20"):
            assert write_raid(read_raid(line)) == "5 bom vs 20 aafired"


async def test_a_raid_is_rolled_and_checked(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="5 bom vs 20")
    assert shown.content.startswith(
        "⚔️ **5 bom on their way** · 5 bom against a factory that can take 20 damage\n-# commitment `"
    )
    over = await alice.presses(shown, "Roll to the end")
    assert over.labels == ["Roll again", "Verify"]
    assert "The dice helped" not in over.content, "nobody wins a raid"
    assert "no problems found" in (await alice.presses(over, "Verify")).content


async def test_a_raid_is_not_saved(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    saved = await alice.sends("preset save", name="raid", matchup="5 bom vs 20")
    assert saved.content == "You can save a battle, but not a bombing raid; `/bombing` has its odds."
    wrong = await alice.sends("preset save", name="raid", matchup="12 9 bomers:2")
    assert "Did you mean `bombers:2`?" in wrong.content


async def test_a_mistake_in_a_raid_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    for line, sentence in [
        ("5 bom vs -3", "I can't read this. Type bombers and the damage the factory can take: `5 bom vs 20`."),
        ("5 bom", "How much more damage can the factory take? For example `5 bom vs 20`."),
        ("5 fig vs 20", "How many bombers? For example `5 bom vs 20`."),
        ("5 sub vs 20", "In a raid only bombers and fighters fly, and only the factory's own AA fires: `5 bom vs 20`."),
        ("999999 bom vs 20", "The number of bombers must be 1 to 500, not 999999."),
        ("5 bom vs 20 variant:1914", "A&A WWI 1914 has no bombers."),
        ("5 bom vs 20 damaged:6 variant:revised", "In these rules raids cost money; factories take no damage."),
        ("5 bom vs 20 damaged:6 variant:aa-classic", "In these rules raids cost money; factories take no damage."),
        (
            "ukraine",
            (
                "I don't know `ukraine`. Write a raid like `5 bom vs 20`; it also takes `lowluck`, "
                "`biased`, `aafired`, `variant`, `worth`, `unit`, `damaged`."
            ),
        ),
    ]:
        shown = await discord.member("Alice").sends("bombing", matchup=line)
        assert shown.private
        assert not shown.pings
        assert shown.content.endswith(f"\n{sentence}")


def test_raids_of_older_rules_may_have_damage_in_money_editions() -> None:
    line = "5 bom vs {} variant:{}"
    for edition in ("revised", "aa-classic"):
        with reading_with(NotationDefaults(rules=4)):
            assert read_raid(line.format("20 damaged:6", edition)) == read_raid(line.format("14", edition))
    with pytest.raises(MatchupError, match="raids cost money"):
        read_raid(line.format("20 damaged:6", "revised"))


async def test_suggestions_say_what_a_raid_does(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def offered(typed: str) -> list[str]:
        choices = await alice.types("bombing", matchup=typed)
        for choice in choices:
            read_raid(str(choice.value))
            assert read_raid(choice.name) == read_raid(str(choice.value)), "some clients send the label"
        return [choice.name for choice in choices]

    whole = "5 bom vs 20 → +4.3 IPC: 14.3 damage, 10.0 lost"
    assert (await offered(""))[0] == whole
    assert (await offered("5"))[0] == whole
    assert (await offered("5 bombers vs"))[:2] == [whole, "5 bom vs 16 → +3.4 IPC: 13.4 damage, 10.0 lost"]
    assert (await offered("5 bom vs 20"))[0] == whole
    fired = solve_raid(read_raid("5 bom vs 20 aafired")).expected
    assert f"5 bom vs 20 aafired → +{fired.profit:.1f} IPC: {fired.damage:.1f} damage, 0.0 lost" in (
        await offered("5 bom vs 20")
    )
    assert (await offered("5 bom vs 20 lo"))[0].startswith("5 bom vs 20 lowluck → ")
    assert (await offered("5 bom vs 20 variant:1940-e"))[0].startswith("5 bom vs 20 variant:1940-europe → ")
    assert (await offered("5 bom vs 20 va"))[0].startswith("5 bom vs 20 variant:")
    pasted, *_ = await alice.types("battle", matchup="5 bom vs 20")
    assert (pasted.name, pasted.value) == (whole, "5 bom vs 20")
    misplaced, *_ = await alice.types("roll", matchup="5 bom vs 20")
    assert misplaced.name == "5 bom vs 20 → That is a bombing raid; use `/bombing`."
    (wrong,) = await alice.types("bombing", matchup="5 fig vs 20")
    assert wrong.name == ("5 fig vs 20 → How many bombers? For example `5 bom vs 20`.")
    told = " ".join(await offered("5 bom vs 20 variant"))
    assert all(f"variant:{key} →" in told for key in editions() if key not in ("1914", "1942"))


async def test_the_terminal_answers_and_rolls_raids(
    services: Services, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {"/bombing 5 bombers 20": "Worth it: +4.3 IPC", "+1": "6 bom vs 20", "-1": "5 bom vs 20"}
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("".join(f"{line}\r" for line in lines) + "edit\r\x0b lowluck\r\x04")
        assert await converse(settings) == 0
    check_in_order(capsys.readouterr().out, (*lines.values(), "5 bom vs 20 lowluck"))
    begun = Document("/bombing 5 bom vs 20 bia")
    offered = [one.text async for one in Suggestions(services).get_completions_async(begun, CompleteEvent())]
    assert offered[0] == "5 bom vs 20 biased"


async def test_json_answers_raids(settings: Settings) -> None:
    raid = read_raid("5 bom vs 20 biased")
    lines = [json.dumps(raid.to_dict()), '{"text": "/bombing 5 bom vs 20 biased"}', '{"text": "5 bombers 20 biased"}']
    out = io.StringIO()
    assert await solve_lines(settings, lines, out) == 0
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [json.loads(json.dumps(solve_raid(raid).to_dict()))] * 3
    out = io.StringIO()
    other = {**raid.to_dict(), "game": "axis1942", "variant": "1940"}
    assert await solve_lines(settings, [json.dumps(other), '{"text": "/bombing 5 bom"}'], out) == 1
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["damage"] > answers[0]["damage"]
    assert second == {"error": "How much more damage can the factory take? For example `5 bom vs 20`."}


async def test_the_menu_names_a_battle_too_large_before_a_raid(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await alice.says("1000000 1000000 ties:both\n5 bom vs 20", reply=False)
    found = await alice.uses("Battle odds", asked)
    assert "1000000 against 1000000 is too large for me." in found.content


# Escorts and interceptors -----------------------------------------------------------------------------------


async def test_a_raid_of_planes_with_two_hits_says_that_one_is_enough(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("bombing", matchup="2 bom vs 20 unit:bom=4/1/12/hits2")
    assert "-# In a raid every plane falls with its first hit.\n" in shown.content


async def test_a_raid_names_the_best_number_of_planes_of_both_sides(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("bombing", matchup="5 bom 2 fig vs 3 fig 20")
    assert shown.content == (
        "**Worth it: +9.6 IPC on average (14.3 damage, 11.5 shot down, 16.2 lost), max damage 14.3%** · "
        "5 bom 2 fig against 3 fig and a factory that can take 20 damage · A&A 1942\n"
        "8 raids in 10: −16 to +34 IPC, median +10 · 9 to 20 damage · worth it in 68.7% of such raids\n"
        "Best against 3 fig: 5 bom 2 fig (+9.6) · best defence: 0 fig (+4.3) · "
        "best if the defender answers: 5 bom 1 fig against 0 fig (+4.3)\n"
        "-# An optional rule: bombers and escorts fire first, and interceptors that are hit don't fire back.\n"
        "```\n"
        "against  TUV    best raid      TUV\n"
        "  0 fig  +4.3   5 bom         +4.3\n"
        "  1 fig  +10.6  5 bom 2 fig  +10.6\n"
        "  2 fig  +11.7  5 bom 2 fig  +11.7\n"
        "  3 fig  +9.6   5 bom 2 fig   +9.6\n"
        "```\n"
        "-# exact · `5 bom 2 fig vs 3 fig 20`"
    )
    assert picture(shown).startswith("Worth it: +9.6 IPC on average (14.3 damage, 11.5 shot down, 16.2 lost)")
    fewer = await discord.member("Alice").presses(shown, "−1 bomber")
    assert line_of(fewer) == "4 bom 2 fig vs 3 fig 20"
    most = await discord.member("Alice").sends("bombing", matchup="30 bom vs 1 fig 20")
    assert most.button("+1 bomber").disabled


async def test_raids_with_interceptors_and_on_bases_have_their_sentences(services: Services) -> None:
    for line, told in [
        ("1 bom vs 9 fig 20", "\nNo raid is worth it against 9 fig · best defence: 9 fig (−10.0) · "),
        ("1 bom vs 9 fig 20", " · no raid is worth it against the best defence\n"),
        ("5 bom 2 fig vs 20", "\n-# Escorts make no difference without interceptors.\n"),
        ("3 tac vs base variant:1940", " · 3 tac against a base that can take 6 damage · A&A Global 1940\n"),
        ("3 bom 1 fig vs 1 fig base variant:1940", " · 3 bom 1 fig against 1 fig and a base that can take 6 damage · "),
        ("3 tac vs base variant:1940", " · 3 bombers are worth it if the target can take 6 damage or more\n"),
        ("3 tac vs base damaged:2 variant:1940", " · out of action 99.5%\n"),
        ("3 bom vs base variant:1940", "\nBest: send 1 of the 3 (+2.2)\n"),
        ("3 bom vs 20 damaged:12", " · out of action 100%\n"),
        ("1 bom vs 20 damaged:1", " · out of action 0%\n"),
    ]:
        reply = await run(request_from(f"/bombing {line}"), services)
        assert isinstance(reply, Reply)
        assert told in full_text(reply)


async def test_all_endings_name_the_planes_of_both_sides(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("bombing", matchup="1 bom 1 fig vs 1 fig 3 all")
    assert "  lost / shot down / damage\n" in shown.content
    assert "  1 bom 1 fig / 1 fig / 0\n" not in shown.content, "one interceptor hits one plane"
    assert "  1 fig / 0 fig / 3\n" in shown.content
    assert "  – / 1 fig / 3\n" in shown.content


async def test_a_raid_with_interceptors_is_rolled_to_its_end(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    begun = await alice.sends("roll", matchup="5 bom 2 fig vs 3 fig 20 variant:1940")
    assert "5 bom 2 fig against 3 fig" in begun.content
    over = await alice.presses(begun, "Roll to the end")
    assert "\nplanes" in over.content
    assert "\nfighters" in over.content
    assert "Factory damage" in over.content


async def test_the_first_frame_of_a_raid_names_planes_lost_without_dice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    begun = await alice.sends("roll", matchup="6 bom vs 6 fig 20 lowluck variant:1940")
    assert "5 bom on their way" in begun.content
    assert "Retreat" not in [button.label for button in begun.buttons if not button.disabled]
    assert "\nplanes → 1 lost\nfighters → 1 lost\n" in (await alice.presses(begun, "Roll to the end")).content


async def test_a_raid_is_compared_with_another_whole_raid(services: Services) -> None:
    for line, told in [
        ("5 bom vs 20 || lowluck", "Plan B: Type the second plan in full, like the first: `5 bom vs 20`."),
        ("5 bom vs 20 || 5 inf vs 3 inf", "These two can't be compared: they are of different kinds."),
        ("12 9 || 5 bom vs 20", "These two can't be compared: they are of different kinds."),
    ]:
        reply = await run(request_from(f"/compare {line}"), services)
        assert isinstance(reply, Reply)
        assert told in full_text(reply)


async def test_two_raids_are_compared_by_their_average_ipc(services: Services) -> None:
    reply = await run(request_from("/compare 5 bom vs 1 fig 20 || 5 bom 2 fig vs 1 fig 20"), services)
    assert isinstance(reply, Reply)
    assert reply.text == "**B is better: +10.6 IPC on average instead of +8.6 IPC**"
    assert reply.line == "5 bom vs 1 fig 20 || 5 bom 2 fig vs 1 fig 20"
    assert any(row.split() == ["shot", "down", "6.0", "7.2", "+1.2"] for row in reply.table)
