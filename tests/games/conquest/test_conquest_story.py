"""Territories on a map, as a chat: the best plan, what may be asked next, and what is refused."""

from dataclasses import replace

import pytest

from bot.discord_app.client import Client
from bot.maps.documents import with_neighbours
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.work.engine import Engine
from solver.conquest import odds, phase, whole_fights
from solver.questions import read_question
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture
from tests.helpers.bot.lines import parse
from tests.helpers.extent import pick

AUSTRALIA = "12 siam > 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"


async def test_a_turn_is_answered_with_the_plan_step_by_step(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("conquer", matchup="12 siam > australia: 3 2 1 1")
    head, *rest = shown.content.splitlines()
    assert head == "**Takes Australia: 84.2%** · 12 Siam > Australia: 3 2 1 1 · classic Risk"
    assert rest == [
        "3.64 of 4 taken on average",
        "1. Siam → Indonesia with all 12 · move all in, leave 1",
        "2. Indonesia → New Guinea with about 9 · move all in, leave 1",
        "3. New Guinea → Eastern Australia with about 7 · move all in, leave 1",
        "4. Eastern Australia → Western Australia with about 6",
        "```",
        "                   armies  falls",
        "Indonesia               3  97.9%",
        "New Guinea              2  92.6%",
        "Western Australia       1  84.2%",
        "Eastern Australia       1  89.5%",
        "```",
        f"-# exact, best play · `{AUSTRALIA}`",
    ]
    assert picture(shown).startswith("Takes Australia: 84.2%")
    assert shown.labels == ["Roll it", "+1 attacker", "−1 attacker", "Most territories", "Edit", "Save", "Ask on"]


async def test_a_conquest_works_in_every_command_and_by_mention(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    answers = [
        await alice.sends("battle", matchup="12 siam > australia: 3 2 1 1"),
        await alice.says("@bot 12 from siam: 3 2 1 1"),
        await alice.says("@bot /conquer 12 siam > australia: 3 2 1 1"),
    ]
    assert {line_of(answer) for answer in answers} == {AUSTRALIA}


async def test_the_buttons_go_on_with_the_turn(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("conquer", matchup="12 siam, 3 china > 3 indonesia, 1 india")
    for label, line in (
        ("+1 attacker", "3 china, 13 siam > 1 india, 3 indonesia"),
        ("−1 attacker", "3 china, 12 siam > 1 india, 3 indonesia"),
        ("Most territories", "3 china, 12 siam > 1 india, 3 indonesia most"),
        ("Take all", "3 china, 12 siam > 1 india, 3 indonesia"),
    ):
        shown = await alice.presses(shown, label)
        assert line_of(shown) == line
    changed = await alice.submits(await alice.opens(shown, "Edit"), {"Attackers and defenders": "5 siam > 3 indonesia"})
    assert line_of(changed) == "5 siam > 3 indonesia"
    assert "Most territories" not in changed.labels
    saved = await alice.submits(await alice.opens(changed, "Save"), {"Name": "push"})
    assert "Saved `push`" in saved.content
    assert line_of(await discord.member("Bob").sends("conquer", matchup="push")) == "5 siam > 3 indonesia"
    assert line_of(await alice.sends("roll", matchup="push")) == "5 siam > 3 indonesia"


async def test_steps_say_when_to_break_off_and_where_to_go_on(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    two = await alice.sends("conquer", matchup="12 siam, 8 china > 9 india")
    assert two.content.startswith("**Takes it: 98.0%**")
    assert "1. Siam → India with all 12 · if that fails, go on from China" in two.content
    three = (await alice.sends("conquer", matchup="20 siam > 3 indonesia, 3 new guinea, 4 india")).content
    assert (
        "1. Siam → India with all 20 · until fewer than 13 are left · with 18 left, move in 3 and go on from Siam"
        " · if that fails, Siam → Indonesia\n"
    ) in three
    assert "exact, best play; these simple steps cost at most 0.09% each" in three
    fork = await alice.sends("conquer", matchup="9 siam > 3 indonesia, 9 india most")
    assert "1. Siam → Indonesia with all 9 · until Indonesia has at most 1\n" in fork.content


async def test_the_option_most_takes_as_many_as_possible(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("conquer", matchup="9 siam > 3 indonesia, 9 india most")
    assert shown.content.startswith("**Takes 1.")
    assert "territories on average**" in shown.content
    valued = await alice.sends("conquer", matchup="9 siam > 3 indonesia, 9 india value:2 indonesia")
    assert "**Takes a value of 2." in valued.content
    assert "of 3 on average" in valued.content
    alone = await alice.sends("conquer", matchup="1 siam > 3 indonesia most")
    assert "of 1 territory on average**" in alone.content


async def test_need_says_how_many_armies_take_the_targets(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="siam > australia: 3 2 1 1 80%")
    assert shown.content.splitlines()[:2] == [
        "**You need 12 in Siam to take Australia** (84.2%, target 80%)",
        "50%: 9 · 80%: 12 · 95%: 15",
    ]
    assert line_of(shown) == AUSTRALIA
    assert "84.2%" in (await alice.presses(shown, "Odds")).content
    both = await alice.sends("need", matchup="siam, 8 china > 9 india")
    assert both.content.startswith("**You need 6 in Siam to take India** (84.9%, target 80%)")
    second = await alice.sends("need", matchup="siam, 5 china > 3 indonesia, 4 mongolia 50%")
    assert "in Siam to take Mongolia, Indonesia**" in second.content
    assert "One more army helps most in China: " in second.content
    nameless = await alice.sends("need", matchup="?, 8 > 9")
    assert nameless.content.startswith("**You need 6 in front 1 to take the target** (84.9%, target 80%)")
    assert line_of(nameless) == "6, 8 > 9"
    refused = await alice.sends("need", matchup="12 siam, 8 china > 3 indonesia, 4 mongolia")
    assert "Leave out the number that I should" in refused.content
    never = await alice.sends("need", matchup="siam, 1 china > 3 indonesia, 40 mongolia 99%")
    assert never.content.startswith("**99% is out of reach**: even 500 in Siam have <0.1%")


async def test_new_armies_are_placed_where_they_help_most(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("conquer", matchup="12 siam, 8 china > 9 india, 3 mongolia place:6")
    first, without, *rest = shown.content.splitlines()
    assert first.startswith("**Best: China +6** · Takes both territories: 98.1% · ")
    assert without == "without new armies: 86.5%"
    assert any(row.split() == ["China", "+5,", "Siam", "+1", "98.0%"] for row in rest)
    assert line_of(shown) == "14 china, 12 siam > 3 mongolia, 9 india"
    assert "98.1%" in (await alice.presses(shown, "Odds")).content
    refused = await alice.sends("roll", matchup="12, 8 > 9 place:6")
    assert "`place:` is a question of its own" in refused.content


async def test_need_counts_armies_that_stay_behind(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    plain = await alice.sends("need", matchup="siam > 3 indonesia")
    assert plain.content.startswith("**You need 6 in Siam to take Indonesia** (85.7%")
    told = await alice.sends("need", matchup="siam > 3 indonesia behind:1")
    await discord.member("Boss", manage_guild=True).sends("settings", behind=True)
    usual = await alice.sends("need", matchup="siam > 3 indonesia")
    for answer in (told, usual):
        assert answer.content.splitlines()[:2] == [
            "**You need 7 in Siam to take Indonesia** (85.7%, target 80%)",
            "50%: 5 · 80%: 7 · 95%: 10",
        ]
        assert "The attackers include the 1 that stays behind." in answer.content
        assert line_of(answer).startswith("6 siam > 3 indonesia"), "a canonical line has free armies alone"
    assert "Takes it: 85.7%" in (await alice.presses(usual, "Odds")).content
    played = await alice.sends("conquer", matchup="7 siam > 3 indonesia")
    assert "Takes it: 85.7%" in played.content
    several = await alice.sends("need", matchup="siam, 8 china > 3 indonesia, 4 mongolia 50%")
    assert "1 of the 8 stays behind." in several.content


async def test_two_conquests_are_compared(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends(
        "compare", matchup="12 siam > australia: 3 2 1 1 || 15 siam > australia: 3 2 1 1"
    )
    assert shown.content.startswith("**B is better for the attacker: 95.2% instead of 84.2%")
    assert "territories taken" in shown.content


async def test_turns_that_are_too_large_are_compared_by_their_bounds(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds, "MOST_STATES", 20_000)
    large = "20 middle_east, 20 china > 20 afghanistan, 20 india"
    near, far = large.replace("20 china", "19 china"), large.replace("20 middle_east, 20 china", "9 china")
    said = []
    for plans in ((large, near), (large, far), (near, large, far)):
        shown = await discord.member("Alice").sends("compare", matchup=" || ".join(plans))
        said.append(shown.content.splitlines()[0])
    assert said == [
        "**I can't tell which is better: A: 40.1–69.8%; B: 36.5–65.7%**",
        "**A is better for the attacker: 40.1–69.8% instead of <0.1%**",
        "**I can't tell which of these is best: A, B**",
    ]


async def test_conquests_with_most_are_compared_by_territories(discord: FakeDiscord, bot: Client) -> None:
    alice, most = discord.member("Alice"), "12 siam > australia: 3 2 1 1 most"
    shown = await alice.sends("compare", matchup=f"{most} || {most} leave:2")
    assert shown.content.startswith("**A is better: 3.77 territories on average instead of 3.42 territories**")
    mixed = await alice.sends("compare", matchup=f"{most.removesuffix(' most')} || {most}")
    assert "A takes all more often: 84.2% instead of 82.5%" in mixed.content
    assert "but takes 0.12 fewer territories on average" in mixed.content


async def test_targets_out_of_reach_are_named(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    far = await alice.sends("conquer", matchup="20 siam > 3 brazil, 2 indonesia")
    assert "Your armies can't get to Brazil over these territories" in far.content
    assert "You can't take them all this turn, however the dice fall. With `most`: Takes 1.00 of 2" in far.content
    assert "1. Siam → Indonesia with all 20" in far.content
    both = await alice.sends("need", matchup="siam, china > 9 india")
    assert "How many armies attack from China?" in both.content
    assert "/need siam > 9 india" in [button.label for button in both.buttons]
    needed = await alice.sends("need", matchup="siam > 3 indonesia most")
    assert "This is for taking all of them, whatever aim the line has" in needed.content


async def test_a_whole_continent_on_one_screen_and_the_world_in_a_file(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, states in (("LARGE", pick(1_000, whole_fights.LARGE)), ("PART", pick(1_000, whole_fights.PART))):
        monkeypatch.setattr(whole_fights, name, states)  # so many are not enough for the world either
    monkeypatch.setattr(odds, "MOST_STATES", pick(50_000, phase.MOST_STATES))
    alice = discord.member("Alice")
    continent = await alice.sends("conquer", matchup="30 venezuela > north america rest:1")
    assert "9. " in continent.content
    assert len(continent.content) < 2_000
    line = "100 siam > " + ", ".join(("asia", "australia", "europe", "africa", "north america", "south america"))
    world = await alice.sends("conquer", matchup=f"{line} rest:1")
    assert world.content.startswith("**Takes all 41 territories: >99.9%** · 100 Siam > 41 territories, 41 armies")
    assert "too large to be exact: these steps reach the lower number" in world.content
    assert "and 30 more steps" in world.content
    late = await alice.sends("conquer", matchup="12 siam, 8 china > 9 india late")
    assert late.content.startswith("**Takes it: at least 70.2%, at most 100%**")
    assert "not exact, as the defender chooses the dice" in late.content
    assert "plan.txt" in [file.name for file in world.files]
    assert world.button("Roll it").disabled


async def test_mistakes_in_a_conquest_use_the_names_of_the_map(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, reason in (
        (
            "12 siam > australia: 3 2",
            "Type a number for each: Indonesia, New Guinea, Western Australia, Eastern Australia.",
        ),
        ("12 siam > 3 mars", "There is no `mars` on this map."),
        ("12 siam > australia", "How many armies hold Indonesia, New Guinea, "),
        ("12 australia > 3 siam", "An attack starts in one territory"),
    ):
        refused = await alice.sends("conquer", matchup=line)
        assert refused.private
        assert reason in refused.content
    for command in ("table", "dice"):
        refused = await alice.sends(command, matchup="12 siam > 3 indonesia")
        assert "That doesn't work with territories of a map" in refused.content


async def test_names_of_territories_are_in_the_readers_language(discord: FakeDiscord, bot: Client) -> None:
    gerda = discord.member("Gerda", locale="de")
    shown = await gerda.sends("conquer", matchup="12 siam > australien: 3 2 1 1", private=True)
    assert shown.content.startswith(
        "**Australien erobert: 84,2 %** · 12 Siam > Australien: 3 2 1 1 · klassisches Risiko"
    )
    assert "Neuguinea" in shown.content
    assert line_of(shown) == AUSTRALIA


async def test_conquests_are_suggested_with_their_odds(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.types("conquer", matchup="12 siam > australia: 3 2 1 1")
    assert shown[0].name == "12 siam > australia: 3 2 1 1 → 84.2% to take all"
    assert any(one.name.startswith("12 siam > australia: 3 2 1 1") for one in await alice.types("conquer", matchup=""))
    near = [str(one.value) for one in await alice.types("conquer", matchup="12 siam")]
    assert "12 siam > australia rest:1" in near
    begun = [str(one.value) for one in await alice.types("conquer", matchup="12 siam > 3 indon")]
    assert any("indonesia" in line for line in begun)
    for line in (*near, *begun):
        parse(line)
    await alice.sends("preset save", name="ourgame", matchup="australia: 3 2 1 1")
    for typed, rest in (
        ("12 siam, 8 china > 3 indon", "esia"),
        ("8 china, 12 siam > indon", "esia"),
        ("8 china > 3 siam, 4 mongo", "lia"),
        ("ourgame 12 siam > austra", "lia"),
    ):
        for command in ("conquer", "battle"):
            lines = [str(one.value) for one in await alice.types(command, matchup=typed)]
            assert any(line.startswith(f"{typed}{rest}") for line in lines), (command, typed)
    mistake = (await alice.types("conquer", matchup="12 siam > 3 marsupia"))[0]
    assert "There is no" in mistake.name


async def test_the_limit_of_the_host_holds_for_documents_of_conquests(settings: Settings) -> None:
    document = {"question": "conquer", "map": "classic", "starts": {"Siam": 20, "China": 20}}
    document["targets"] = {"India": 20, "Afghanistan": 20}
    for most_work, exact in ((200, True), (1, False)):
        async with Engine(replace(settings, most_work=most_work), ROOMS, processes=False) as engine:
            answer = await engine.document(read_question(with_neighbours(document)))
        assert answer["exact"] == exact
        assert answer["takes_all"] > 0
