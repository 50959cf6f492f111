"""One army through many territories, as a chat: its odds, what may be asked next, and its dice."""

import re

import pytest

from bot.discord_app.client import Client
from solver.path.path import Path
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import parse
from tests.helpers.bot.live_battles import types_dice


async def test_a_path_is_answered_with_its_odds_a_picture_and_buttons(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="20 > 5 > 4 > 2 leave:1")
    assert shown.content == (
        "**Takes all 3 territories: 94.4%** · 20 > 5 > 4 > 2, leave 1 in each · classic Risk\n"
        "2.9 territories taken on average · if all are taken, 8 battles in 10 leave 5 to 15 "
        "attackers in the last\n"
        "```\n"
        "   defenders  taken  ends here\n"
        "1          5  99.9%       0.1%\n"
        "2          4  98.2%       1.8%\n"
        "3          2  94.4%       3.7%\n"
        "```\n"
        "-# exact · `20 > 5 > 4 > 2 leave:1`"
    )
    assert picture(shown).startswith("Takes all 3 territories: 94.4% · 20 > 5 > 4 > 2")
    assert shown.labels == ["Roll it", "+1 attacker", "−1 attacker", "All endings", "Edit", "Save", "Ask on"]
    assert not any(button.disabled for button in shown.buttons)


async def test_the_buttons_go_on_with_the_path(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="2 > 5 > 4 dbonus:1 leave:0")
    for label, expected in (
        ("+1 attacker", "3 > 5 > 4 dbonus:1 leave:0"),
        ("−1 attacker", "2 > 5 > 4 dbonus:1 leave:0"),
        ("−1 attacker", "1 > 5 > 4 dbonus:1 leave:0"),
    ):
        after = await alice.presses(shown, label)
        assert (after.id, line_of(after)) == (shown.id, expected)
        assert len(after.files) == 1
        shown = after
    assert shown.button("−1 attacker").disabled
    form = await alice.opens(shown, "Edit")
    assert [field.value for field in form.fields] == ["1 > 5 > 4 dbonus:1 leave:0"]
    changed = await alice.submits(form, {"Attackers and defenders": "30 > 5 > 4"})
    assert (changed.id, line_of(changed)) == (shown.id, "30 > 5 > 4 leave:1")
    single = await alice.submits(await alice.opens(changed, "Edit"), {"Attackers and defenders": "30 5"})
    assert (single.id, line_of(single), len(single.buttons)) == (shown.id, "30 5", 10)


async def test_a_path_is_saved_and_used_by_name(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="20 > 5 dbonus:1 > 4")
    saved = await alice.submits(await alice.opens(shown, "Save"), {"Name": "march"})
    assert "Saved `march`: `20 > 5 dbonus:1 > 4 leave:1`." in saved.content
    assert line_of(await bob.sends("battle", matchup="march 25 leave:3")) == "25 > 5 dbonus:1 > 4 leave:3"
    assert line_of(await bob.sends("roll", matchup="march")) == "20 > 5 dbonus:1 > 4 leave:1"
    refused = await bob.sends("battle", matchup="march > 3")
    assert refused.private
    assert "Write a path out in full, without a preset such as `march`." in refused.content


async def test_a_path_says_how_many_armies_stay_behind(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def told(line: str) -> str:
        return (await alice.sends("battle", matchup=line)).content.splitlines()[0].split(" · ")[1]

    assert await told("20 > 5 > 4 leave:0") == "20 > 5 > 4, leave nobody behind"
    assert await told("20 > 5 > 4 leave:2") == "20 > 5 > 4, leave 2 in each"
    assert await told("20 > 5 > 4 > 2 leave:1,3") == "20 > 5 > 4 > 2, leave 1, then 3 behind"
    assert await told("20 > 5") == "20 > 5"


async def test_a_path_names_every_rule_of_its_territories(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="20 bombers:1 > 5 capitals:1 > 4 > 3")
    assert shown.content.splitlines()[0].endswith(" · Star Wars Risk")
    assert rows(shown)[1:4] == [["rules"], ["1", "5", "99.9%", "0.1%"], ["dcapitals:1"]]
    assert "There `capitals:1` is for the defender; use `acapitals:1` for the attacker." in shown.content
    packs = await discord.member("Bob").sends("battle", matchup="20 variant:2210 > 5 > 4 variant:wall > 3 late")
    assert packs.content.splitlines()[0].endswith(", leave 1 in each, house rules · 2210, commanders 1 v 1, Wall")
    late = await discord.member("Bob").sends("battle", matchup="20 > 5 late > 4")
    assert late.content.splitlines()[0].endswith(" · 20 > 5 > 4, leave 1 in each, house rules · Risk")


async def test_ships_typed_behind_a_territory_may_be_the_attackers(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 > 5 > 4 bombers:2")
    assert line_of(shown) == "12 > 5 > 4 dbombers:2 leave:1"
    assert "-# If they are the attacker's: 99.0% to take all\n" in shown.content
    other = await alice.presses(shown, "12 bombers:2 > 5 > 4 leave:1")
    assert other.content.startswith("**Takes both territories: 99.0%**")
    assert other.labels[-2:] == ["Save", "Ask on"]
    for line in ("12 > 5 > 4 dbombers:2", "12 bombers:1 > 5 > 4 bombers:2", "12 > 5 bombers:1 > 4 bombers:2"):
        clear = await alice.sends("battle", matchup=line)
        assert clear.labels[-2:] == ["Save", "Ask on"]


async def test_attackers_keep_their_ships_through_all_buttons_of_a_path(discord: FakeDiscord, bot: Client) -> None:
    """Where one territory allows fewer dice, fewer ships are of use there, and only there."""
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="9 bombers:2 > 5 dice:2v1 > 4")
    assert line_of(shown) == "9 bombers:2 > 5 dice:2v1 > 4 leave:1"
    there_and_back = await alice.presses(await alice.presses(shown, "+1 attacker"), "−1 attacker")
    assert there_and_back.content == shown.content


async def test_a_path_that_cannot_be_finished(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    nobody = await alice.sends("battle", matchup="0 > 5")
    assert nobody.content.startswith("**Takes it: 0%**")
    assert nobody.button("−1 attacker").disabled
    stuck = await alice.sends("battle", matchup="5 icons:D,D > 5 > 4")
    assert stuck.button("Roll it").disabled
    assert "forever" in (await alice.sends("roll", matchup="5 icons:D,D > 5 > 4")).content


async def test_a_path_too_large_is_refused(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="100000 > 100000 > 3")
    assert shown.private
    assert "too large" in shown.content


@pytest.mark.usefixtures("quick_frames")
async def test_a_path_is_rolled_territory_by_territory(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="5 > 3 > 1 leave:2")
    for fell in ("6 5 1 vs 5 4", "3 2 1 vs 3", "6 1 6 vs 5", "6 5 vs 6", "6 vs 5"):
        shown = await types_dice(alice, shown, fell)
    assert shown.content.splitlines()[0] == "🎲 **Takes both territories with 1 left** · 5 > 3 > 1, leave 2 in each"
    table = [" ".join(row) for row in rows(shown)]
    assert table[1:4] == ["1: 5 v 3 45.4%", "1* 6 5 1 5 4 1: 5 v 1 80.6%", "2* 3 2 1 3 1: 4 v 1 59.1%"]
    assert line_of(shown) == "5 > 3 > 1 leave:2"
    assert shown.labels == ["Roll again", "Verify", "Mistyped"]
    again = await alice.presses(shown, "Roll again")
    assert (again.id != shown.id, line_of(again)) == (True, line_of(shown))


async def test_a_path_works_by_mention_and_in_the_menu(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    answer = await alice.says("@bot 20 > 5 > 4 > 2")
    assert answer.content.startswith("**Takes all 3 territories: 94.4%**")
    said = await alice.says(f"how about this, {alice.mention}?\n20 > 5 > 4 leave:2", reply=False)
    assert line_of(await alice.uses("Battle odds", on=said)) == "20 > 5 > 4 leave:2"
    assert (await alice.uses("Battle odds", on=answer)).content == answer.content
    rolled = await alice.sends("roll", matchup="20 > 5 > 4")
    assert line_of(await alice.uses("Battle odds", on=rolled)) == "20 > 5 > 4 leave:1"


async def test_the_longest_paths_fit_a_message(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in (
        "300" + " > 5" * 40 + " leave:" + ",".join("12" * 19 + "3"),
        "90 fighters:1" + " > 5 fighters:1 bombers:1" * 10,
        "90"
        + "".join(f" > 5 variant:{key}" for key in ("halo-hero-all", "lotr-siege", "general", "marshal", "wall") * 2),
    ):
        shown = await alice.sends("battle", matchup=line)
        assert not shown.private, shown.content
        assert len(shown.content) <= 2000
        path = parse(line_of(shown)).battle
        assert isinstance(path, Path)
        assert path == parse(line).battle
        assert (
            len(re.findall(r"^ *\d+ +5 ", shown.content, re.MULTILINE)) == len(path.legs)
            or shown.files[1].name == "all.txt"
        )


async def test_a_saved_path_has_no_remark_about_words_of_its_preset(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="march", matchup="20 > 5 > 4 dcapitals:1 > 2")
    assert "would be the attacker's" not in (await alice.sends("battle", matchup="march stop:2")).content


async def test_a_live_path_speaks_as_its_odds_do(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, territories in {"99 > 1 > 1": "both territories", "99 > 1 > 1 > 1": "all 3 territories"}.items():
        asked, rolled = await alice.sends("battle", matchup=line), await alice.sends("roll", matchup=line)
        for shown in (asked, rolled):
            assert f"**Takes {territories}: " in shown.content
        on = await alice.presses(rolled, "Roll")
        assert " · takes all: " in on.content.splitlines()[0]
        assert f"**Takes {territories} with " in (await alice.presses(on, "Roll to the end")).content
    assert "all taken" in (await alice.sends("history list")).content


async def test_a_list_says_who_took_or_holds_a_territory(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, end in {
        "9 inf 9 arm vs 1 inf": "attacker took it",
        "9 inf 9 arm vs 1 inf then hold 1 inf": "attacker holds it",
        "9 cru vs 1 des": "attacker won",
    }.items():
        await alice.presses(await alice.sends("roll", matchup=line), "Roll to the end")
        assert end in (await alice.sends("history list")).content


async def test_need_of_a_path_counts_who_takes_all_territories(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="5 > 4 > 2")
    assert shown.content == (
        "**You need 16 attackers to take 5, 4, 2** (81.8% to take all, target 80%)\n"
        "50%: 12 · 80%: 16 · 95%: 21\n"
        "-# All numbers are defenders, in the order in which they are attacked.\n"
        "-# exact · `16 > 5 > 4 > 2 leave:1`"
    )
    odds = await alice.presses(shown, "Odds")
    assert odds.content.startswith("**Takes all 3 territories: 81.8%**")
    said = await alice.says("@bot how many do I need for 5, 4 and 2 with 90%?")
    assert "(92.4% to take all, target 90%)" in said.content
