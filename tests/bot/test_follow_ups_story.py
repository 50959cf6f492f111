"""What people ask next about the battle of an answer: in a reply, in a direct message, with the button."""

from bot.commands.following import differences
from bot.discord_app.client import Client
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.cases import each


@each(
    [
        ("12 9", "15 9", ["12 → 15 attackers"]),
        ("12 9 stop:4 bombers:1", "12 8 stop:6", ["9 → 8 defenders", "`stop:6`", "without `bombers:1`"]),
        ("3 inf 2 arm vs 4 inf", "3 arm vs 4 inf 1 aa", ["3 → 0 inf of the attacker", "2 → 3 arm of the attacker"]),
        ("20 > 5 > 4 leave:1", "20 > 5 > 6 leave:1", ["4 → 6 defenders"]),
        ("12 9", "3 inf vs 4 inf", []),
        ("20 > 5 > 4 leave:1", "/roll 20 > 5 > 4 leave:1", []),
    ]
)
def test_a_change_names_numbers_units_and_options(before: str, after: str, changes: list[str]) -> None:
    assert [*differences(before, after)][: len(changes) or 1] == changes


async def test_a_reply_to_an_answer_goes_on_from_its_battle(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    first = await alice.says("@bot 12 9")
    more = await bob.says("and with 3 more?", to=first)
    assert line_of(more) == "15 9"
    assert "12 → 15 attackers: 79.0% → 91.2%" in more.content
    german = await alice.says("@bot auf Deutsch", to=more)
    assert (line_of(german), "Angreifer" in german.content) == ("15 9", True)
    unclear = await alice.says("14", to=first)
    assert "Whose number is that?" in unclear.content
    assert [button.label.partition(" · ")[0] for button in unclear.buttons][:2] == ["14 9", "12 14"]


async def test_a_follow_up_without_an_answer_says_so(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.says("@bot 12 9")
    alone = await alice.says("@bot and with 3 more?")
    assert alone.content.startswith("That sounds like a follow-up")


async def test_a_direct_message_goes_on_from_the_last_answer(discord: FakeDiscord, bot: Client) -> None:
    carl = discord.stranger("Carl")
    await carl.sends("battle", matchup="12 9 bombers:2")
    for said, line in (("what if he has 10", "12 10 bombers:2"), ("without the bombers", "12 10"), ("3 2", "3 2")):
        assert line_of(await carl.says(said)) == line
    await carl.says("/help")
    assert "3 against 2" in (await carl.says("roll it")).content


async def test_the_button_asks_on_in_a_new_message(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9")
    form = await bob.opens(shown, "Ask on")
    answer = await bob.submits(form, {"matchup": "stop at 4"})
    assert line_of(answer) == "12 9 stop:4"
    assert "`stop:4`: 79.0% → 56.1%" in answer.content
    assert line_of(discord.messages[shown.id]) == "12 9"
    unclear = await bob.submits(await bob.opens(shown, "Ask on"), {"matchup": "qwertz uiop"})
    assert (unclear.private, unclear.content) == (True, "I can't tell what `qwertz` means here.")
    whole = await bob.submits(await bob.opens(answer, "Ask on"), {"matchup": "/need 9"})
    assert line_of(whole) == "13 9"


async def test_the_button_under_a_private_answer_answers_in_private(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("battle", matchup="12 9", private=True)
    answer = await alice.submits(await alice.opens(shown, "Ask on"), {"matchup": "vs 11"})
    assert (answer.private, line_of(answer), bob.sees) == (True, "12 11", [])
