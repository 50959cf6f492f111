"""Mistakes as a chat: what somebody is told who has typed a wrong line, and the right line to tap."""

from bot.commands.error_help import examples_of, guess_topic
from bot.commands.table import COMMANDS
from bot.discord_app.client import Client
from bot.games.placing.notation import parse_placing
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import parse, parse_plans, read_raid
from tests.helpers.cases import each

EXAMPLES = [(command, game, line) for command in COMMANDS for game, line in examples_of(ROOMS, command).items()]


async def test_a_mistake_has_a_button_with_the_corrected_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    wrong = await alice.sends("battle", matchup="12 9 bomers:2")
    assert wrong.private
    assert wrong.labels == ["12 9 bombers:2", "Help"]
    asked = await alice.presses(wrong, "12 9 bombers:2")
    assert not asked.private, "the answer would have been for all"
    assert (asked.id != wrong.id, line_of(asked)) == (True, "12 9 bombers:2")
    told = await alice.presses(wrong, "Help")
    assert (told.id != wrong.id, told.private) == (True, True)
    assert told.content.startswith("**Star Wars Risk**")
    private = await alice.sends("battle", matchup="12 9 bomers:2", private=True)
    assert (await alice.presses(private, "12 9 bombers:2")).private, "what was asked in private stays so"


async def test_a_mistake_offers_a_line_of_the_game_it_resembles(discord: FakeDiscord, bot: Client) -> None:
    for command, line, labels in [
        ("battle", "12", ["/need 12", "Help"]),
        ("battle", "bombers:2", ["12 9 bombers:2", "Help"]),
        ("battle", "infantry against tanks", ["3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa", "Help"]),
        ("battle", "12 9 90%", ["/need 12 9 90%", "Help"]),
        ("need", "12 9 || 11 9", ["/compare 12 9 || 11 9", "Help"]),
        ("table", "12 9 exact", ["12 9 exact", "Help"]),
        ("roll", "12 9 stp:4", ["/roll 12 9 stop:4", "Help"]),
        ("dice", "3 nonsense", ["/dice 3", "Help"]),
        ("dice", "nonsense", ["/dice 3 2", "Help"]),
        ("compare", "3 inf 2 arm vs 4 inf", ["/compare 3 inf 2 arm vs 4 inf || retreat:profit<0", "Help"]),
        ("bombing", "5 bom", ["/bombing 5 bom vs 20", "Help"]),
        ("place", "8 inf", ["/place 8 inf 2 art 1 fig || 4 inf 2 arm vs 1 inf || 6 inf 1 fig", "Help"]),
    ]:
        alice = discord.member("Alice")
        wrong = await alice.sends(command, matchup=line)
        assert wrong.private
        assert wrong.labels == labels
        asked = await alice.presses(wrong, labels[0])
        assert not asked.private
        assert "^^" not in asked.content


async def test_typed_numbers_are_never_replaced_in_a_correction(discord: FakeDiscord, bot: Client) -> None:
    for line in ["12.000.5 9", "15 bombers:x"]:
        wrong = await discord.member("Alice").sends("battle", matchup=line)
        assert all(" · without " in label for label in wrong.labels[:-1])
        assert "Did you mean" not in wrong.content


async def test_a_correction_too_long_for_a_button_has_no_button(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    path = " > ".join(["900", *["5"] * 22])
    assert (await alice.sends("battle", matchup=f"{path} leav:1")).labels == ["Help"]
    assert (await alice.sends("roll", matchup="12 9 stp:4", opponent=bob)).labels == ["Help"]
    long = "12 9 bomers:2 fighters:1 capitals:1 dfighters:1 dbombers:1 dcapitals:10 rounds:14"
    assert (await alice.sends("battle", matchup=long)).labels == ["Help"], "what cannot be read is not pressed"


async def test_a_mistyped_line_of_a_preset_is_saved_only_corrected(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert (await alice.sends("preset save", name="alamo", matchup="hello")).labels == ["Help"]
    wrong = await alice.sends("preset save", name="alamo", matchup="12 9 stp:3")
    assert "Saved `alamo`" in (await alice.presses(wrong, "/preset save alamo 12 9 stop:3")).content


async def test_public_corrections_never_change_or_delete_data(discord: FakeDiscord, bot: Client) -> None:
    alice, eve = discord.member("Alice"), discord.member("Eve")
    await alice.sends("preset save", name="alamo", matchup="12 9")
    for line in (
        "/preset delet alamo",
        "/setings history:off show:words",
        "/histroy forget",
        "/preset change alamo 3 3 stp:1",
    ):
        wrong = await eve.says(f"@bot {line}")
        assert not [label for label in wrong.labels if label.startswith("/")], line


async def test_a_mistake_in_a_mention_is_public_with_its_correction(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    wrong = await alice.says("@bot 12 9 bomers:2")
    assert not (await bob.presses(wrong, "12 9 bombers:2")).private
    assert (await bob.presses(wrong, "Help")).private
    unknown = await alice.says("@bot /neeed 9")
    assert "Did you mean `/need`?" in unknown.content
    assert "**You need 13 attackers to beat 9**" in (await bob.presses(unknown, "/need 9")).content
    nothing = await alice.says("@bot /nonsense")
    assert nothing.content.startswith("I don't know that command. The commands are `/battle`, ")
    assert nothing.labels == []
    longer = await alice.says("@bot /setings language:de")
    assert longer.labels == [], "whoever pressed would change them"


async def test_corrected_lines_are_suggested_while_typing(discord: FakeDiscord, bot: Client) -> None:
    for command, typed, meant in [
        ("battle", "12 9 bomers:2", "12 9 bombers:2"),
        ("roll", "12 9 bomers:2 stp:4", "12 9 bombers:2 stop:4"),
        ("need", "9 bomers:1", "9 bombers:1"),
        ("compare", "12 9 || bomers:1", "12 9 || bombers:1"),
        ("bombing", "5 bmo vs 20", "5 bom vs 20"),
        ("place", "8 inf || 4 inf lowlck || 6 inf", "8 inf || 4 inf lowluck || 6 inf"),
    ]:
        wrong, right, *_ = await discord.member("Alice").types(command, matchup=typed)
        assert wrong.value == typed, "Enter sends the typed line"
        assert right.value == meant
        assert right.name.startswith(meant), "some people's Discord sends this in place of the value"


async def test_refusals_without_a_typing_mistake_have_no_buttons(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("preset show", name="nothing")
    assert not shown.buttons


@each(EXAMPLES)
def test_every_example_of_a_mistake_works_and_is_of_its_game(command: str, game: str, line: str) -> None:
    if command == "compare":
        parse_plans(line)
    elif command == "bombing":
        read_raid(line)
    elif command == "place":
        parse_placing(line)
    else:
        parse(line, lone="defenders")
    assert guess_topic(ROOMS, line) == game


@each(
    [
        ("", "risk"),
        ("hello", "risk"),
        ("20 > 5 >", "risk"),
        ("12 9 bombers", "starwars"),
        ("12v9 dcapitals 2", "starwars"),
        ("fighters:1", "starwars"),
        ("icons", "icons"),
        ("3 4 dicons", "icons"),
        ("3 bombers 2 inf", "axis"),
        ("3inf", "axis"),
    ]
)
def test_the_game_of_a_mistake_is_guessed_by_its_words(line: str, game: str) -> None:
    assert guess_topic(ROOMS, line) == game
