"""Finding one's way, as a chat: the help, its topics, and suggestions for what is half typed."""

import re
from collections.abc import Callable
from importlib.metadata import version

import pytest

from bot.commands.guide import labels, show_help, suggest_topics
from bot.commands.screens import _in_each_language, screens, topic_of
from bot.commands.typed import TYPED
from bot.discord_app.client import Client
from bot.editions import editions
from bot.games.axis.options import WORDS
from bot.games.dice.rounds.words import take_all
from bot.games.placing.notation import parse_placing
from bot.notation.dice_options import ASKED_WITH_BATTLE, ASKED_WITH_NEED, OF_BOTH_SIDES, OF_SIDES, THROW
from bot.notation.lexer import take_defend, take_table
from bot.packs import load
from bot.request import Request, Services
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import parse, parse_plans, read_raid

SCREENS, LABELS = screens(ROOMS), labels(ROOMS)
SAVED = {"ukraine": "12 9", "alamo": "12 9", "germany": "8 inf 2 fig"}
READERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(("battle", "roll", "order"), lambda line: parse(line, SAVED, ASKED_WITH_BATTLE)),
    **dict.fromkeys(("need", "table"), lambda line: parse(take_table(line)[0], SAVED, ASKED_WITH_NEED, "defenders")),
    "dice": lambda line: parse(take_defend(take_all(line)[0])[0], SAVED, (THROW, "hits"), "defenders"),
    "compare": parse_plans,
    "bombing": read_raid,
    "place": parse_placing,
}


@pytest.fixture(autouse=True)
def words_of_real_languages() -> None:
    """The words that people look for, as other tests say everything in a language that does not exist."""
    _in_each_language.cache_clear()


async def screen_of(person: Person, topic: str) -> Shown:
    """A screen of the help; without a topic the first."""
    return await (person.sends("help", topic=topic) if topic else person.sends("help"))


# Help ---------------------------------------------------------------------------------------------------


async def test_the_first_screen_is_understood_in_ten_seconds(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("help")
    assert shown.private
    assert len(shown.content) < 600
    assert "`/battle 12 9`" in shown.content.splitlines()[1]
    games = ["Risk", "Star Wars Risk", "Icon dice", "Axis & Allies", "Live battles"]
    assert shown.labels == [*games, "Everything else"]
    assert all(f"**{game}** `" in shown.content for game in games)


async def test_tapping_a_line_of_the_help_asks_it(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    home = await alice.sends("help")
    risk = await alice.presses(home, "Risk")
    assert (risk.id, risk.private) == (home.id, True)
    assert risk.content.startswith("**Risk**: attackers first, then defenders.")
    asked = await alice.presses(risk, "12 9 stop:4")
    assert asked.id != home.id
    assert (asked.private, line_of(asked)) == (True, "12 9 stop:4")
    after = await alice.presses(asked, "+1 attacker")
    assert (after.id, line_of(after)) == (asked.id, "13 9 stop:4")
    live = await alice.presses(await alice.presses(risk, "← Help"), "Live battles")
    rolled = await alice.presses(live, "/roll 12 9")
    assert rolled.private
    assert "attack  defence" in (await alice.presses(rolled, "Roll")).content


async def test_lines_of_public_help_are_answered_in_public(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    home = await alice.says("@bot")
    assert not home.private
    icons = await bob.presses(home, "Icon dice")
    assert icons.id == home.id
    asked = await bob.presses(icons, "3 4 icons:AA,A,D,-")
    assert (asked.private, line_of(asked)) == (False, "3 4 icons:AA,A,D,-")


async def test_every_screen_is_short_and_its_lines_work(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for name in SAVED:
        await alice.sends("preset save", name=name, matchup="12 9")
    for topic in SCREENS:
        screen = await screen_of(alice, topic)
        assert len(screen.content) < 1500, "other languages need more room"
        for button in screen.buttons:
            if button.custom_id.startswith("b2:ask:"):
                told = (await alice.presses(screen, button.label)).content
                assert "^^" not in told
                assert "went wrong" not in told
        for line in (piece for piece in screen.content.split("`")[1::2] if " " in piece and "…" not in piece):
            command, _, rest = line.removeprefix("/").partition(" ")
            if command in READERS:
                READERS[command](rest)
            elif re.match(r"\d+ \d+(?! \d)|\d+ [a-z]|\d+ >|icons", line):
                READERS["battle"](line)


@pytest.mark.whole
async def test_every_screen_leads_to_the_next(discord: FakeDiscord, bot: Client) -> None:
    alice, seen = discord.member("Alice"), set[str]()
    for topic, screen in SCREENS.items():
        shown = await screen_of(alice, topic)
        leads = [button.label for button in shown.buttons if button.custom_id.startswith("b2:turn to")]
        assert leads == [LABELS[lead] for lead in screen.leads]
        for lead, label in zip(screen.leads, leads, strict=True):
            if lead in SCREENS and lead not in seen:
                seen.add(lead)
                shown = await screen_of(alice, topic)
                said = "\n".join(SCREENS[lead].lines).format(usual=1942, version=version("sandtable"))
                assert (await alice.presses(shown, label)).content == said


async def test_every_command_and_option_is_within_reach_of_the_first_screen(discord: FakeDiscord, bot: Client) -> None:
    reached, ahead = set(), [""]
    while ahead:
        topic = ahead.pop()
        if topic not in reached and topic in SCREENS:
            reached.add(topic)
            ahead += SCREENS[topic].leads
    assert reached == set(SCREENS)
    text = "\n".join(line for screen in SCREENS.values() for line in screen.lines)
    for word in {*WORDS, *(option.word for option in (*OF_SIDES, *OF_BOTH_SIDES))}:
        assert any(re.search(rf"\b{name}\b", text) for name in (word, f"a{word}", f"d{word}")), word
    for command in TYPED:
        first, _, second = command.partition(" ")
        assert f"/{first}" in text
        assert second in text


def test_the_name_of_every_command_leads_to_a_screen() -> None:
    assert {name for name in TYPED if topic_of(ROOMS, name.split()[0]) not in SCREENS} == set()


async def test_words_that_people_search_lead_to_their_topic(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for topic, words in {
        "armies": ("/order", "place"),
        "axis": ("Units",),
        "waves": ("worth",),
        "questions": ("need",),
        "presets": ("setup_role",),
        "rolling": ("luck",),
        "more": ("version",),
        "fairness": ("Hash", "/verify"),
    }.items():
        told = (await alice.sends("help", topic=topic)).content
        for word in words:
            shown = await alice.says(f"@bot help {word}")
            assert shown.content == told
            assert word.strip("/").casefold() in shown.content.casefold()
    for topic, said in {
        "rules": ("stacking", "combine", "exploding", "eigene regeln", "dados que explotan", "переброс"),
        "house": ("our table", "unser tisch", "nuestra mesa", "наш стол"),
    }.items():
        assert {topic_of(ROOMS, word) for word in said} == {topic}
    assert "variant:dice-wars" in (await alice.says("@bot help Dice Wars")).content


async def test_the_last_screen_names_the_version(discord: FakeDiscord, bot: Client) -> None:
    mona, number = discord.member("Mona", manage_guild=True), version("sandtable")
    assert (await mona.sends("help", topic="more")).content.endswith(f"\n-# Sandtable, version {number}")
    await mona.sends("settings", language="de")
    assert (await mona.says("@bot help version")).content.endswith(f"\n-# Sandtable, Version {number}")


async def test_the_topic_fairness_has_fair_py_and_the_page(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("help", topic="fairness")
    assert [file.name for file in shown.files] == ["fair.py", "verify.html"]
    assert not (await alice.presses(shown, "What is not proved")).files


async def test_the_help_has_a_topic_of_variants(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("help", topic="variants")
    assert shown.private
    assert shown.content.startswith("**Variants**: add `variant:` to a line, as in `/battle 12 9 variant:2210`")
    assert len(shown.content) <= 2000
    assert {*load(), *editions()} <= set(shown.content.split("`"))
    (file,) = shown.files
    assert [row.split("  ")[0] for row in file.data.decode().splitlines() if row[0] != " "] == [
        *(key for game in ("risk", "starwars", "icons") for key, pack in load().items() if pack.game == game),
        *editions(),
    ]


async def test_each_variant_is_a_topic_of_the_help(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    bunker = (await alice.says("@bot help bunker")).content
    assert bunker == (
        "**Legacy, bunker** `/battle 12 9 variant:bunker`\n"
        "A bunker adds 1 to the highest defence die, up to 6.\n"
        "-# source: article on the rules, and published odds that agree"
    )
    assert (await alice.says("@bot help Variant:Bunker")).content == bunker
    unsure = (await alice.says("@bot help halo-hero")).content
    assert "\nIt is unconfirmed whether the bonus is for the highest die or for all; `halo-hero-all` is" in unsure
    assert "`/battle 3 4 variant:coin`" in (await alice.says("@bot help coin")).content


async def test_an_unknown_topic_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert (await alice.says("@bot help pack")).content.startswith("**Variants**")
    near = await alice.says("@bot help vriants")
    assert "Did you mean `/help variants`?" in near.content
    assert (await alice.presses(near, "/help variants")).content.startswith("**Variants**")
    assert "Did you mean `/help bunker`?" in (await alice.says("@bot help bunkers")).content
    nothing = await alice.says("@bot help @everyone")
    assert nothing.content == "There is no help on that. `/help` alone shows all topics."
    assert not nothing.pings


async def test_the_help_of_every_variant_has_a_working_line(services: Services) -> None:
    for key, pack in load().items():
        reply = await show_help(Request("help", "user", "User", "user:1", {"topic": f"variant:{key}"}), services)
        line = reply.text.split("`")[1]
        assert parse(line).battle == pack.battle(*((3, 4) if pack.game == "icons" else (12, 9)))
        assert pack.about in reply.text
        assert pack.unsure in reply.text
        assert len(reply.text) < 2000


async def test_every_topic_is_suggested_and_can_be_sent(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def offered(typed: str) -> list[str]:
        return [choice.name for choice in await alice.types("help", topic=typed)]

    everything = await offered("")
    assert everything[:4] == ["risk → Risk", "starwars → Star Wars Risk", "icons → Icon dice", "axis → Axis & Allies"]
    assert len(everything) == 25
    for key in (*load(), *editions()):
        found = await suggest_topics(Request("help", "user", "User", "user:1", {"topic": key}), bot.services)
        assert key in [suggestion.line for suggestion in found]
    assert await offered("verif") == ["verify → Fair dice"]
    assert "2210-two → 2210, commanders 2 v 2" in await offered("Commanders 2")
    assert await offered("qqq") == []
    for topic in ("2210 → 2210, commanders 1 v 1", "/help 2210", "variant:2210"):
        assert (await alice.sends("help", topic=topic)).content.startswith("**2210, commanders 1 v 1**")


async def test_answers_have_a_button_for_the_help_they_name(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    battle = await alice.sends("battle", matchup="3 inf vs 2 inf variant:1940")
    assert "`/help 1940`" in battle.content
    assert battle.labels[-2:] == ["Ask on", "/help 1940"]
    help_on_edition = await alice.presses(battle, "/help 1940")
    assert help_on_edition.private
    assert help_on_edition.content.startswith("**A&A Global 1940**")
    assert "Rules unlike those of 1942: `rule:damage-stays` (`/help house`)." in help_on_edition.content
    wrong = await alice.sends("battle", matchup="12 9 variant:qqq")
    assert wrong.labels == ["12 9", "/help variants"]
    assert (await alice.presses(wrong, "/help variants")).content.startswith("**Variants**")


async def test_help_behind_a_command_is_about_the_command(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command, about in {
        "battle": "**Who wins?**",
        "roll": "**Live battles**",
        "dice": "**More questions",
        "order": "**More questions about Axis & Allies**",
        "conquer": "**Territories on a map**",
    }.items():
        shown = await alice.sends(command, matchup="help")
        assert shown.content.startswith(about)
        assert shown.private
    assert (await alice.sends("roll", matchup="Hilfe?")).content.startswith("**Live battles**")
    assert (await alice.says("@bot /verify help")).content.startswith("**Are the dice fair?**")
    await alice.sends("preset save", name="help", matchup="12 9")
    assert line_of(await alice.sends("battle", matchup="help")) == "12 9"


# Suggestions --------------------------------------------------------------------------------------------


async def test_half_typed_words_of_a_line_are_completed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def offered(typed: str) -> list[str]:
        choices = await alice.types("battle", matchup=typed)
        for choice in choices:
            parse(str(choice.value), takes=("exact",))
        return [choice.name for choice in choices]

    assert "12 9 variant:2210 → 78.1% attacker" in await offered("12 9 var")
    assert (await offered("12 9 variant:22"))[0] == "12 9 variant:2210 → 78.1% attacker"
    assert all("variant:22" in label for label in await offered("12 9 variant:22"))
    assert await offered("12 9 variant:bunk") == ["12 9 variant:bunker → 50.9% attacker", "12 9 → 79.0% attacker"]
    assert (await offered("20 >"))[0] == "20 > 5 > 4 > 2 leave:1 → 94.4% to take all"
    assert (await offered("icons aa"))[0].startswith("icons aad,add,a,d,-,- 3 4 → 22.1% attacker · 3 4 icons:AAD")
    assert (await offered("12 9 la"))[0] == "12 9 late → 70.2% attacker"
    assert (await offered("12 9 ex"))[0] == "12 9 exact → 79.0% attacker · 12 9"
    assert (await offered("20 > 5 > 4 le"))[0] == "20 > 5 > 4 leave:1 → 98.2% to take all"
    assert "12 9 value:1 → 0% attacker" in await offered("12 9 val")
    assert "12 9 ties:both" in (await offered("12 9 tie"))[1]


async def test_a_path_is_labelled_with_its_chance(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    labels = [choice.name for choice in await alice.types("battle", matchup="20 > 5 bombers:1 > 3")]
    assert labels[0] == "20 > 5 dbombers:1 > 3 leave:1 → 96.1% to take all"
    assert labels[1] == "20 > 5 bombers:1 → 99.2% to take all · 20 dbombers:1 > 5"
    long = await alice.types("battle", matchup="900" + " > 5" * 22)
    assert all(len(choice.name) <= 100 for choice in long)


async def test_suggestions_keep_options_of_the_question(discord: FakeDiscord, bot: Client) -> None:
    """To the one who types it in the right place, "works with `/battle`" would be nonsense."""
    alice = discord.member("Alice")
    exact, *_ = await alice.types("battle", matchup="3 2 exact")
    assert (exact.name, exact.value) == ("3 2 exact → 65.6% attacker · 3 2", "3 2 exact")
    assert "exactly 6610505" in (await alice.sends("battle", matchup=exact.name)).content
    chance, *_ = await alice.types("need", matchup="12 9 90%")
    assert chance.value == "12 9 90%"
    half, *_ = await alice.types("need", matchup="9 90%")
    assert "works with" not in half.name
    assert (
        "**You need 15 attackers to beat 9** (91.2% to win, target 90%)"
        in (await alice.sends("need", matchup=chance.name)).content
    )


async def test_suggestions_name_the_mistake_in_a_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")

    async def first(typed: str) -> str:
        return (await alice.types("battle", matchup=typed))[0].name

    assert await first("12 9 variant:qqq") == (
        "12 9 variant:qqq → There is no variant called `qqq`. `/help variants` lists them."
    )
    assert await first("12 9 leave:3") == ("12 9 leave:3 → `leave` works with a path such as `20 > 5 > 4 > 2`.")
    assert await first("20 > 5 rounds:3") == "20 > 5 rounds:3 → A path can't have `rounds`."


@pytest.mark.whole
async def test_every_suggestion_can_be_sent(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command in ("battle", "roll", "need", "table", "dice"):
        for choice in await alice.types(command, matchup="12 9 variant:2210-d"):
            assert line_of(await alice.sends(command, matchup=choice.name)) == choice.value
