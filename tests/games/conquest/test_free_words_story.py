"""Territories on a map in free words, as a chat: questions back are about the map and about what is typed."""

from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, small_print

AUSTRALIA = "Indonesia, New Guinea, Western Australia, Eastern Australia"


async def test_need_in_words_counts_the_armies_in_the_start(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.says("@bot how many from Siam for Indonesia with 80 %, they have 3")
    assert shown.content.startswith("**You need 6 in Siam to take Indonesia** (85.7%, target 80%)")
    assert small_print(shown)[0] == "Read as `/need siam > 3 indonesia 80%`."


async def test_missing_armies_are_asked_for_with_an_example_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="can I take Australia from Siam with 12")
    assert shown.content.startswith(f"How many armies hold {AUSTRALIA}?")
    assert shown.labels == ["12 siam > australia: 3 2 1 1", "Help"]
    shown = await alice.sends("conquer", matchup="can I take Australia from Siam with 12")
    assert shown.labels == ["/conquer 12 siam > australia: 3 2 1 1", "Help"]
    shown = await alice.sends("battle", matchup="can I take Australia")
    assert shown.content.endswith(f"How many armies hold {AUSTRALIA}?")
    assert shown.labels == ["12 siam > australia: 3 2 1 1", "Help"]


async def test_territories_without_a_border_get_a_plain_battle_offered(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="can I take Brazil from Siam with 12, they have 3")
    assert shown.content == "Siam doesn't border Brazil. Do you mean `12 3`?"
    assert shown.labels == ["12 3 · 99.3% attacker", "Help"]


async def test_an_unknown_territory_is_an_error_in_every_command(discord: FakeDiscord, bot: Client) -> None:
    for command, line in [
        ("battle", "12 atlantis > 3 india"),
        ("need", "atlantis > 3 india"),
        ("need", "siam > 3 atlantis"),
        ("roll", "atlantis 12 > 3 india"),
        ("compare", "12 atlantis > 3 india or 14 atlantis > 3 india"),
        ("conquer", "20 atlantis > 3 siam"),
    ]:
        shown = await discord.member("Alice").sends(command, matchup=line)
        assert shown.private
        assert shown.content.endswith("There is no `atlantis` on this map.")


async def test_an_error_names_the_unknown_territory_of_the_typed_line(discord: FakeDiscord, bot: Client) -> None:
    for line, reason in [
        ("20 atlantis > 3 siam", "There is no `atlantis` on this map."),
        ("12 western > 3 siam", "There is no `western` on this map."),
        ("12 us > 3 siam", "There is no `us` on this map."),
        ("20 ukraine > world rest:2", "There is no `world` on this map."),
        ("> 3 indonesia", "Where does the attack start?"),
    ]:
        shown = await discord.member("Alice").sends("conquer", matchup=line)
        assert shown.content.splitlines()[1] == line
        assert reason in shown.content


async def test_battle_gives_the_error_of_a_conquest_line_too(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="20 ukraine > world rest:2")
    assert "There is no `world` on this map." in shown.content


async def test_a_conquest_without_commas_is_read_by_its_territories(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command in ("conquer", "battle"):
        shown = await alice.sends(command, matchup="12 siam > 3 ural siberia 2")
        assert shown.content == "The attack can't reach all these territories from there."
    assert line_of(await alice.sends("conquer", matchup="12 from siam to indonesia 3")) == "12 siam > 3 indonesia"
