"""The limit on bombarding ships in the chat: the battle that the rulebook allows, whatever the question."""

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of

BOMBARDMENT = "-# Only as many ships may bombard as units land from the sea (1942 rulebook, second edition)."
LEFT_OUT = "Left out {}: only as many ships may bombard as units land from the sea (1942 rulebook, second edition)."


async def test_no_more_ships_bombard_than_units_land(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 ainf 2 bat vs 2 inf")
    assert shown.content.startswith("**Attacker takes it: 12.1%")
    assert LEFT_OUT.format("1 bat") in shown.content
    assert line_of(shown) == "1 bat 1 ainf vs 2 inf"
    everything = await alice.presses(shown, "All ships fire")
    assert everything.content.startswith("**Attacker takes it: 27.5%")
    assert line_of(everything) == "2 bat 1 ainf vs 2 inf"
    assert BOMBARDMENT in everything.content
    more = await alice.presses(everything, "+1 attacker")
    assert line_of(more).startswith("2 bat 2 ainf "), "a button keeps the ships of its message"
    rolled = await alice.sends("roll", matchup="2 ainf 1 bat 2 cru vs 3 inf")
    assert line_of(rolled) == "1 cru 1 bat 2 ainf vs 3 inf", "the strongest ships"
    assert LEFT_OUT.format("1 cru") in rolled.content
    for command in ("table", "order"):
        asked = await alice.sends(command, matchup="1 inf 1 ainf 2 bat vs 2 inf")
        assert LEFT_OUT.format("1 bat") in asked.content
        assert "1 inf 1 bat 1 ainf vs 2 inf" in asked.content
    waves = await alice.sends("battle", matchup="1 ainf 1 bat vs 1 inf then 2 bat 1 cru 2 ainf 1 inf")
    assert LEFT_OUT.format("1 cru") in waves.content
    assert line_of(waves) == "1 bat 1 ainf vs 1 inf then 1 inf 2 bat 2 ainf"
    compared = await alice.sends("compare", matchup="1 ainf 1 bat vs 2 inf || 1 ainf 2 bat vs 2 inf")
    assert "-# B: Only as many ships may bombard as units land" in compared.content, "both plans are as typed"
    offered = [choice.name for choice in await alice.types("battle", matchup="1 ainf 2 bat vs 2 inf")]
    assert " → 12.1% attacker · 1 bat 1 ainf vs 2 inf" in offered[0]
    await alice.sends("preset save", name="beach", matchup="1 ainf 2 bat vs 2 inf")
    assert line_of(await alice.sends("battle", matchup="beach")) == "1 bat 1 ainf vs 2 inf"
    assert line_of(await alice.sends("preset show", name="beach")) == "1 bat 1 ainf vs 2 inf"


async def test_a_line_without_landing_units_keeps_its_ships(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    nobody_lands = await alice.sends("battle", matchup="3 inf 1 dbat vs 3 inf")
    assert BOMBARDMENT in nobody_lands.content
    assert line_of(await alice.presses(nobody_lands, "By the rulebook")) == "3 inf vs 3 inf"
    ships_alone = await alice.sends("battle", matchup="1 cru vs 1 inf")
    assert BOMBARDMENT in ships_alone.content
    assert "By the rulebook" not in ships_alone.labels, "nobody would be left to attack"
    waves = await alice.sends("battle", matchup="1 ainf 2 bat vs 1 inf then 2 bat 1 inf")
    assert line_of(waves) == "1 bat 1 ainf vs 1 inf then 1 inf 2 bat"
    assert BOMBARDMENT in waves.content
    at_sea = await alice.sends("battle", matchup="2 bat vs 1 cru")
    assert "bombard" not in at_sea.content


async def test_each_edition_names_the_source_of_its_bombardment_rule(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for edition, source in (("1914", "TripleA's map file (WWI 1914)"), ("1940", "TripleA's map file (Global 1940")):
        shown = await alice.sends("battle", matchup=f"3 inf 1 bat vs 3 inf variant:{edition}")
        assert f"may bombard as units land from the sea ({source}" in shown.content


async def test_the_limit_on_bombarding_ships_holds_for_phrases(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    said = "my 1 landed infantry and 2 battleships against 2 infantry"
    for shown in (await alice.sends("battle", matchup=said), await alice.sends("roll", matchup=said)):
        assert line_of(shown) == "1 bat 1 ainf vs 2 inf"
        assert LEFT_OUT.format("1 bat") in shown.content
    everything = await alice.presses(await alice.sends("battle", matchup=said), "All ships fire")
    assert line_of(everything) == "2 bat 1 ainf vs 2 inf"


async def test_need_keeps_to_the_limit_on_bombarding_ships(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="3 ainf 2 bat 2 cru vs 2 inf")
    assert line_of(shown) == "2 cru 3 ainf vs 2 inf", "all ships are there to choose from"
    assert "Best TUV swing: **1 cru 2 bat 3 ainf**" in shown.content
    assert BOMBARDMENT in shown.content
    waves = await alice.sends("need", matchup="1 ainf 2 bat vs 1 inf then 1 ainf 2 bat")
    assert line_of(waves) == "1 bat 1 ainf vs 1 inf then 1 bat 1 ainf"
    assert LEFT_OUT.format("1 bat") in waves.content, "later waves are whole"
    impossible = await alice.sends("need", matchup="1 ainf 2 bat least:2bat vs 1 inf")
    assert impossible.content == BOMBARDMENT.removeprefix("-# ")
    attacked = await alice.sends("need", matchup="1 ainf 2 bat vs 2 inf side:defender")
    assert LEFT_OUT.format("1 bat") in attacked.content


async def test_a_ship_above_the_bombardment_limit_adds_nothing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("table", matchup="1 ainf 2 bat vs 2 inf")
    assert "\nattacker  cru        0.0\nattacker  bat        0.0      −9.2\n" in shown.content
    stronger = await alice.sends("table", matchup="1 inf 1 ainf 1 cru vs 2 inf")
    assert "\nattacker  ainf     +29.4     −35.7\nattacker  bat       +5.7\n" in stronger.content, "it takes the place"
    waves = await alice.sends("table", matchup="1 ainf vs 1 inf then 1 ainf 1 cru")
    assert "\nattacker  cru      2       0.0 " in waves.content


async def test_the_limit_on_bombarding_ships_holds_where_units_are_placed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("place", matchup="2 inf || 1 ainf 2 bat vs 1 inf")
    assert shown.content.startswith("**Hold it: 98.6%** · 2 inf\nWith no reinforcements: 47.2%\n")
    assert LEFT_OUT.format("1 bat") in shown.content
    assert line_of(shown) == "place 2 inf || 1 bat 1 ainf vs 1 inf"
    unsaid = await alice.sends("place", matchup="2 inf || 1 inf 2 bat vs 1 inf")
    assert BOMBARDMENT in unsaid.content
