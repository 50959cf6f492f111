"""What an answer may hold besides odds, as a chat: fractions, plans, advice, icon dice, rule packs, large armies."""

import re
from typing import Any

import pytest

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture

ICONS = "icons AAD,ADD,A,D,-,- 3 4"


# Icon dice ----------------------------------------------------------------------------------------------


async def test_icon_dice_are_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup=ICONS)
    assert shown.content == (
        "**Attacker wins 22.1%, draw 0.4%** · 3 against 4, with options · icon dice\n"
        "Ends between 4 defenders and 3 attackers left · average losses: attacker 2.4 of 3, defender 1.2 of 4\n"
        "-# exact · about 3 rounds · `3 4 icons:AAD,ADD,A,D,-,-`"
    )
    assert picture(shown).startswith("Attacker wins 22.1%, draw 0.4%; defender holds 77.5%.")
    more = await alice.presses(shown, "+1 attacker")
    assert line_of(more) == "4 4 icons:AAD,ADD,A,D,-,-"
    swapped = await alice.presses(more, "Swap sides")
    assert line_of(swapped) == "4 4 icons:AAD,ADD,A,D,-,-"
    assert "I left out" not in swapped.content
    other = await alice.presses(await alice.sends("battle", matchup="3 4 icons:A,D dicons:AA,D"), "Swap sides")
    assert line_of(other) == "4 3 icons:AA,D dicons:A,D"


async def test_a_blank_icon_face_may_be_empty(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("icons AAD,ADD,A,D,, 3 4", '3 4 icons:["AAD", "ADD", "A", "D", "", ""]'):
        shown = await alice.sends("battle", matchup=line)
        assert "Attacker wins 22.1%" in shown.content
        assert line_of(shown) == "3 4 icons:AAD,ADD,A,D,-,-"
    shown = await alice.sends("battle", matchup="icons A,D,, 3 3")
    assert "Attacker wins 48.4%" in shown.content
    assert line_of(shown) == "3 3 icons:A,D,-,-"


async def test_a_draw_of_icon_dice_is_in_the_headline(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 1 icons:A,A")
    assert shown.content.startswith("**Attacker wins 0%, draw 100%** · 1 against 1, with options · icon dice")
    assert "\nEnds with both sides wiped out · " in shown.content


# Fractions ----------------------------------------------------------------------------------------------


async def test_the_exact_chance_stands_in_the_answer(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 2 exact")
    assert shown.content.splitlines()[2] == "exactly 6610505/10077696"
    assert line_of(shown) == "3 2 exact", "a button asks it again"
    assert len(shown.files) == 1
    assert "exactly" not in (await alice.sends("battle", matchup="3 2")).content
    path = await alice.sends("battle", matchup="3 > 1 > 1 exact")
    assert re.search(r"^exactly \d+/\d+$", path.content, re.MULTILINE)
    assert "exactly 1/2" in (await alice.sends("battle", matchup="1 1 icons:A,- dicons:-,- rounds:1 exact")).content


async def test_a_long_fraction_is_a_file(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="100 100 exact")
    assert "exactly a fraction whose denominator has 439 digits: see the file" in shown.content
    assert [file.name for file in shown.files] == ["100-100.png", "exact.txt"]
    above, _, below = shown.files[1].data.decode().partition("/")
    assert len(below) == 439
    assert int(above) / int(below) == pytest.approx(0.82436, abs=0.00001)
    path = await alice.sends("battle", matchup="90 > 40 > 40 exact")
    assert [file.name for file in path.files][1:] == ["exact.txt"]


async def test_exact_says_why_a_battle_has_no_fraction(discord: FakeDiscord, bot: Client) -> None:
    for line, why in [
        ("600 600 exact", "600 against 600 is too large for a fraction; its odds still work"),
        ("12 9 variant:blitz exact", "reshaped odds can't be fractions"),
    ]:
        shown = await discord.member("Alice").sends("battle", matchup=line)
        assert not shown.private
        assert shown.content.startswith("**Attacker wins")
        assert shown.content.splitlines()[2] == f"I can't show that as a fraction: {why}"


async def test_a_path_without_a_fraction_has_its_odds(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="600 > 580 > 5 exact")
    assert shown.content.startswith("**Takes both territories")
    assert "too large for a fraction; its odds still work" in shown.content


async def test_exact_works_only_with_odds(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command in ("roll", "preset save"):
        options: dict[str, Any] = {"matchup": "12 9 exact"} | ({"name": "alamo"} if command == "preset save" else {})
        shown = await alice.sends(command, **options)
        assert shown.private
        assert "`exact` works with `/battle`." in shown.content
    said = await alice.says("look: `3 2 exact`", reply=False)
    assert "exactly 6610505/10077696" in (await alice.uses("Battle odds", on=said)).content


# Plans --------------------------------------------------------------------------------------------------


async def test_a_territory_with_a_value_has_a_plan(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="12 9 value:100")
    assert shown.content.startswith(
        "**Attacker wins 78.9%, attack called off 7.7%** · 12 against 9, territory worth 100 · classic Risk\n"
    )
    plan, worth = shown.content.splitlines()[2:4]
    assert plan == (
        "Keep going while you have at least: 1 v 1 · 1 v 2 · 1 v 3 · 2 v 4 · 2 v 5 · 2 v 6 · 3 v 7 · 3 v 8 · 3 v 9"
    )
    assert worth == "Expected value: 83.94 armies (12 if you don't attack)"


async def test_an_attack_that_does_not_pay_is_named(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 value:6")
    assert shown.content.startswith(
        "**Don't attack: a territory worth 6 armies doesn't justify the losses** · 12 against 9, territory worth 6"
    )
    assert "7 v 6\n" in shown.content
    never = await alice.sends("battle", matchup="12 9 value:0")
    assert "The territory is never worth an attack" in never.content
    rolled = await alice.sends("roll", matchup="12 9 value:6")
    assert "The attack ends before the first roll" in rolled.content
    undefended = (await alice.sends("battle", matchup="12 0 value:6")).content
    assert undefended.startswith("**Attacker wins 100%** · 12 against 0, territory worth 6 · classic Risk\n")
    assert "keep going" not in undefended.casefold()
    assert "Don't attack" not in undefended


# A late choice, packs, reshaped odds --------------------------------------------------------------------


async def test_a_late_defender_is_answered(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 late")
    assert shown.content.startswith("**Attacker wins 70.2%** · 12 against 9, house rules · Risk\n")
    assert line_of(shown) == "12 9 late"
    pack = await alice.sends("battle", matchup="12 9 variant:late-defence")
    assert pack.content.startswith("**Attacker wins 70.2%** · 12 against 9 · Defender decides late\n")
    rolled = await alice.presses(await alice.presses(shown, "Roll it"), "Roll")
    assert "attack  defence" in rolled.content


async def test_a_variant_is_named_with_its_changed_rules(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 variant:2210")
    assert shown.content.startswith("**Attacker wins 78.1%** · 12 against 9 · 2210, commanders 1 v 1\n")
    changed = await alice.sends("battle", matchup="12 9 variant:2210 ddice:6,6")
    assert changed.content.startswith("**Attacker wins 93.5%** · 12 against 9, house rules · 2210, commanders 1 v 1\n")
    swapped = await alice.presses(shown, "Swap sides")
    assert line_of(swapped) == "9 12 adice:8,6,6 ddice:8,6", "a pack may be for these roles only"


async def test_balanced_blitz_has_no_rounds_and_no_roll(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 variant:blitz")
    assert shown.content == (
        "**Attacker wins 93.5%** · 12 against 9 · Balanced Blitz\n"
        "8 battles in 10 end between 2 and 8 attackers left · average losses: attacker 6.6 of 12, defender 8.9 of 9\n"
        "-# The game only estimates large battles, so its own odds can differ a little.\n"
        "-# exact · `12 9 variant:blitz`"
    )
    assert shown.button("Roll it").disabled
    refused = await alice.sends("roll", matchup="12 9 variant:blitz")
    assert refused.private
    assert refused.content == "Reshaped odds have no dice to roll."


# Large armies -------------------------------------------------------------------------------------------


async def test_huge_armies_say_to_how_many_decimals(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="100000 117000")
    assert re.search(r"^-# accurate to \d+ decimals · about \d+ rounds · `100000 117000`$", shown.content, re.MULTILINE)
    assert shown.content.startswith("**Attacker wins ")
    assert picture(shown)
    assert "would last about" in (await alice.presses(shown, "Roll it")).content


# Advice -------------------------------------------------------------------------------------------------


async def test_fewer_dice_are_advised_where_they_win_more(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    attacker = await alice.sends("battle", matchup="2 2 capitals:1")
    assert (
        "**The attacker does better with fewer dice** (roll 1 now, not 2): 51.9% to win with "
        "the best number each time, 51.1% otherwise"
    ) in attacker.content
    defender = await alice.sends("battle", matchup="5 5 capitals:1 vs bombers:1 capitals:1")
    assert (
        "**The defender does better with fewer dice** (roll 1 now, not 2): the attacker wins "
        "29.7% with the best number each time, 32.5% otherwise"
    ) in defender.content
    assert "The attacker does better" not in defender.content


async def test_classic_risk_gives_no_advice_on_fewer_dice(discord: FakeDiscord, bot: Client) -> None:
    for line in ["2 2", "12 9 dice:4v3", "5 5 vs capitals:1", "12 9 late"]:
        assert "fewer dice" not in (await discord.member("Alice").sends("battle", matchup=line)).content


# The round of the buttons -------------------------------------------------------------------------------


async def test_buttons_lead_from_answer_to_answer_in_the_same_message(discord: FakeDiscord, bot: Client) -> None:
    for line in ["12 9 bombers:2 stop:3", "12 9 variant:blitz", "0 5"]:
        alice, bob = discord.member("Alice"), discord.member("Bob")
        shown = await alice.sends("battle", matchup=line)
        first = shown.content
        for label, begins, labels in (
            ("How many?", "**", ["Odds", "Table", "Ask on"]),
            (
                "Table",
                "**Attackers you need for a 50 / 80 / 95% chance**",
                ["Odds", "How many?", "Round by round", "When to stop?", "Ask on"],
            ),
            ("Odds", "**", None),
        ):
            after = await bob.presses(shown, label)
            assert after.id == shown.id
            assert after.content.startswith(begins)
            assert line_of(after) == line_of(shown)
            assert len(after.files) == 1
            assert labels is None or after.labels == labels
            if label == "Odds":
                assert after.content == first
            shown = after


async def test_an_undefended_territory_has_its_buttons_disabled(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="5 0")
    assert [button.label for button in shown.buttons if button.disabled] == ["Swap sides", "How many?", "Table"]


async def test_the_button_odds_leads_from_dice_to_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="5 4 bombers:1")
    odds = await alice.presses(shown, "Odds")
    assert (odds.id, line_of(odds), len(odds.buttons)) == (shown.id, "5 4 bombers:1", 10)


# Questions as messages ----------------------------------------------------------------------------------


async def test_every_question_works_by_mention(discord: FakeDiscord, bot: Client) -> None:
    alice, carl = discord.member("Alice"), discord.stranger("Carl")
    assert (await alice.says("@bot need 9")).content.startswith(
        "**You need 13 attackers to beat 9** (83.9% to win, target 80%)"
    )
    assert (await alice.says("@bot /table 12 9")).content.startswith(
        "**Attackers you need for a 50 / 80 / 95% chance**"
    )
    assert (await carl.says("dice 3 2")).content.startswith("**Average loss per round: ")
    assert (await carl.says("dice")).content.startswith("**Average loss per round: ")
    assert "exactly" in (await carl.says("3 2 exact")).content


async def test_the_menu_of_a_message_reads_icons_and_variants(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    said = await alice.says(f"what do you think?\n{ICONS}", reply=False)
    assert line_of(await alice.uses("Battle odds", on=said)) == "3 4 icons:AAD,ADD,A,D,-,-"
    table = await alice.sends("table", matchup="12 9 variant:2210")
    assert line_of(await alice.uses("Battle odds", on=table)) == "12 9 variant:2210"
    faces = await alice.sends("roll", matchup=ICONS)
    assert line_of(await alice.uses("Battle odds", on=faces)) == "3 4 icons:AAD,ADD,A,D,-,-"
