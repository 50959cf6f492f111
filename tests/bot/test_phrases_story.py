"""Lines as people say them, as a chat: they are answered, the answer says how they were read, or it asks back."""

import ast
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.discord_app.client import Client
from bot.phrases.asking import SENTENCES, sentence_for
from bot.phrases.canonical import canonical
from bot.phrases.explain import explain
from bot.phrases.reader import understand
from bot.phrases.vocabulary import vocabularies
from bot.rooms import ROOMS
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, small_print
from tests.helpers.documents import DOCS

PHRASES = Path(__file__).parents[2] / "bot" / "phrases"


async def test_a_phrase_is_answered_with_the_line_it_was_read_as(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="my 12 against his 9, I have 2 bombers")
    assert shown.content.startswith("**Attacker wins 99.4%** · 12 with 2 bombers against 9 · Star Wars Risk")
    assert small_print(shown)[0] == "Read as `12 9 bombers:2`."
    assert not shown.private


async def test_words_for_one_person_make_the_answer_private(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for said in (
        "12 vs 9 just for me",
        "12 gegen 9 nur für mich",
        "12 contra 9 solo para mí",
        "12 против 9 только мне",
    ):
        shown = await alice.sends("battle", matchup=said)
        assert shown.private, said
        assert line_of(shown) == "12 9"
    assert not (await alice.sends("battle", matchup="just give me 12 vs 9")).private


async def test_greetings_and_thanks_show_the_first_screen_of_help(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    first = (await alice.sends("help")).content
    for said in ("hello there", "thank you so much", "guten Morgen", "danke dir", "buenos días", "добрый день"):
        assert (await alice.sends("battle", matchup=said)).content == first


async def test_a_line_of_notation_has_no_remark_on_its_reading(discord: FakeDiscord, bot: Client) -> None:
    assert "Read as" not in (await discord.member("Alice").sends("battle", matchup="12 9 bombers:2")).content


async def test_every_command_takes_phrases(discord: FakeDiscord, bot: Client) -> None:
    for command, said, line in [
        ("battle", "13 attackers 8 defenders", "13 8"),
        ("battle", "how many do I need to beat 9", "/need 9"),
        ("need", "to beat 9 with 95%", "/need 9 95%"),
        ("roll", "12 on 9", "/roll 12 9"),
        ("table", "my 12 against his 9", "/table 12 9"),
        ("order", "3 infantry against 2 infantry and a tank", "/order 3 inf vs 2 inf 1 arm"),
        ("compare", "my 12 against 9 or my 13 against 9", "/compare 12 9 || 13 9"),
        ("dice", "three dice against two", "/dice 3 2"),
        ("bombing", "three bombers on 20", "/bombing 3 bom vs 20"),
    ]:
        shown = await discord.member("Alice").sends(command, matchup=said)
        assert f"-# Read as `{line}`." in shown.content.splitlines()
        assert shown.pings == ()


async def test_a_question_about_a_map_is_answered_with_the_best_plan(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="can I take Australia from Siam with 12, they have 3 2 1 1")
    line = "12 siam > 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"
    assert f"-# Read as `{line}`." in shown.content.splitlines()
    assert line_of(shown) == line
    asked = await alice.sends("battle", matchup="can I take Australia with 12, they have 3 2 1 1")
    assert asked.content == f"Where does the attack start? Do you mean `{line}`?"
    assert line_of(await alice.presses(asked, asked.labels[0])) == line
    short = await alice.sends("conquer", matchup="can I take Australia from Siam with 12, they have 3 2 1")
    assert "Type a number for each: Indonesia, New Guinea, Western Australia, Eastern Australia." in short.content


async def test_phrases_in_messages_are_read(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert line_of(await alice.says("@bot what are my odds with 12 against 9?")) == "12 9"
    assert line_of(await discord.stranger("Carl").says("twelve against nine")) == "12 9"


async def test_phrases_in_forms_are_read(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    form = await alice.opens(await alice.sends("battle", matchup="12 9"), "Edit")
    assert line_of(await alice.submits(form, {"matchup": "thirteen against nine"})) == "13 9"


async def test_presets_are_saved_and_asked_about_in_phrases(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    saved = await alice.sends("preset save", name="alamo", matchup="twelve against nine")
    assert saved.content.startswith("Saved `alamo`: `12 9`.")
    assert line_of(await alice.sends("battle", matchup="what are the odds in alamo?")) == "12 9"
    both = await alice.sends("battle", matchup="what are the odds of 8 against 5 in alamo?")
    assert both.labels == ["8 5 · 81.8% attacker", "12 9 · 79.0% attacker", "Help"]


async def test_an_unclear_phrase_is_asked_back_with_buttons(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await alice.sends("battle", matchup="15")
    assert (asked.private, asked.labels) == (True, ["/need 15", "Help"])
    assert asked.content == "That is the number of one side only. What is the other? Do you mean `/need 15`?"
    assert "**You need " in (await alice.presses(asked, "/need 15")).content
    other = await alice.sends("roll", matchup="how many do I need to beat 9")
    assert other.labels == ["/need 9", "Help"]


async def test_a_phrase_applies_the_settings_of_its_place_once(discord: FakeDiscord, bot: Client) -> None:
    boss = discord.member("Boss", manage_guild=True)
    await boss.sends("settings", behind=True, game="2210")
    typed, said = [await boss.sends("battle", matchup=line) for line in ("12 9", "my 12 against his 9")]
    assert line_of(said) == line_of(typed)
    assert said.content.splitlines()[0] == typed.content.splitlines()[0]
    read = small_print(said)[0].split("`")[1]
    assert (await boss.sends("battle", matchup=read)).content.splitlines()[0] == typed.content.splitlines()[0]
    dice = await boss.sends("dice", matchup="three dice against two")
    assert dice.content.splitlines()[0] == (await boss.sends("dice", matchup="3 2")).content.splitlines()[0]
    classic = await boss.sends("battle", matchup="classic risk, my 12 against his 9")
    assert "· classic Risk" in classic.content


async def test_a_mistake_in_notation_keeps_its_caret(discord: FakeDiscord, bot: Client) -> None:
    for line, label in {
        "12 9 bomers:2": "12 9 bombers:2",
        "12 8 7 zz": "12 > 8 > 7 leave:1 · 32.4% to take all · without zz",
    }.items():
        wrong = await discord.member("Alice").sends("battle", matchup=line)
        assert "^" in wrong.content
        assert wrong.labels[0] == label


def test_the_notation_page_has_the_right_reading_of_each_phrase() -> None:
    section = DOCS["notation.md"].text.partition("## As you would say it")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \|$", section, re.MULTILINE)
    assert len(rows) > 5
    assert {said: understand(ROOMS, said).line for said, _line in rows} == dict(rows)


def test_each_reason_to_ask_back_has_a_sentence() -> None:
    reasons = {
        call.args[0].value
        for file in PHRASES.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "NotClearError"
        if call.args and isinstance(call.args[0], ast.Constant)
    }
    assert reasons <= SENTENCES.keys()


async def test_the_second_reading_of_a_phrase_has_a_button(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 guys against 9, 2 bombers")
    assert small_print(shown)[0] == "Read as `12 9 dbombers:2`. Did you mean `12 9 bombers:2` (99.4% attacker)?"
    assert shown.labels[-1] == "12 9 bombers:2"
    assert line_of(await alice.presses(shown, "12 9 bombers:2")) == "12 9 bombers:2"
    sure = await alice.sends("battle", matchup="my 12 guys with 2 bombers against his 9")
    assert small_print(sure)[0] == "Read as `12 9 bombers:2`."
    saved = await alice.sends("preset save", name="alamo", matchup="12 guys against 9, 2 bombers")
    assert "/preset save alamo 12 9 bombers:2" in saved.labels


# The menu of a message ----------------------------------------------------------------------------------


async def test_a_battle_in_the_middle_of_a_message_is_read(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for text, line in [
        ("my 12 against his 9, what do you think?", "12 9"),
        ("Hello all!\nI have 12, he defends with 9.\nSee you tonight", "12 9"),
        ("I reckon 12 9 bombers:2 would be plenty, no?", "12 9 bombers:2"),
        ("so we settled on 3 inf 2 arm vs 4 inf lowluck eventually", "3 inf 2 arm vs 4 inf lowluck"),
        ("how many do I need to beat 9?", "13 9"),
    ]:
        message = await alice.says(text, reply=False)
        shown = await alice.uses("Battle odds", on=message)
        assert line_of(shown) == line
        assert small_print(shown)[0].startswith("Read as `")
    assert line_of(await alice.uses("Battle odds", on=alice.forwards(message))) == "13 9"


async def test_a_message_about_no_battle_has_none(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for text in ("help", "see you at 8", "I have 12 cats and 9 dogs", "12 9 times 4 xx"):
        shown = await alice.uses("Battle odds", on=await alice.says(text, reply=False))
        assert shown.content.startswith("I found no battle such as `12 9` in that message.")


# While somebody types -----------------------------------------------------------------------------------


async def test_suggestions_show_the_reading_of_a_phrase_with_its_odds(discord: FakeDiscord, bot: Client) -> None:
    for command, typed, label, value in [
        ("battle", "my 12 against his 9", "12 9 → 79.0% attacker", "12 9"),
        ("roll", "my 12 against his 9", "12 9 → 79.0% attacker", "12 9"),
        ("battle", "how many do I need to beat 9", "/need 9", "how many do i need to beat 9"),
        ("need", "to beat 9 with 95%", "9 95%", "9 95%"),
        ("dice", "three dice against two", "3 2", "3 2"),
        ("compare", "my 12 against 9 or my 13 against 9", "12 9 || 13 9 → A 79.0%, B 83.9%", "12 9 || 13 9"),
        ("preset save", "twelve against nine", "12 9 → 79.0% attacker", "12 9"),
    ]:
        first, *_ = await discord.member("Alice").types(command, matchup=typed)
        assert (first.name, first.value) == (label, value)


async def test_suggestions_show_the_question_back_first(discord: FakeDiscord, bot: Client) -> None:
    first, second, *_ = await discord.member("Alice").types("battle", matchup="so my 15")
    assert first.name == "so my 15 → That is the number of one side only. What is the other?"
    assert (first.value, second.value) == ("so my 15", "/need 15")
    assert (await discord.member("Bob").sends("battle", matchup="/need 15")).content.startswith("**You need ")


async def test_a_sentence_may_begin_with_the_name_of_a_command(discord: FakeDiscord, bot: Client) -> None:
    for said, line in [
        ("order of losses for 3 infantry and a tank against 4 inf", "/order 3 inf 1 arm vs 4 inf"),
        ("need 9 to fall with 90%", "/need 9 90%"),
        ("roll it for me 12 v 9", "/roll 12 9"),
    ]:
        shown = await discord.member("Alice").says(f"@bot {said}")
        assert f"-# Read as `{line}`." in shown.content.splitlines()


async def test_no_example_replaces_typed_numbers(discord: FakeDiscord, bot: Client) -> None:
    for typed in ("15 frobnicators", "12.5 against 9", "nobody knows 7"):
        shown = await discord.member("Alice").sends("battle", matchup=typed)
        numbers = set(re.findall(r"[\d.]+", typed))
        assert all(numbers <= set(re.findall(r"[\d.]+", label)) for label in shown.labels[:-1])
    for typed in (
        *("12 9 lowluck", "12 against 9 with at least five wizards", "twelve against nine with at least five wizards"),
        *("3 inf 2 arm gegen belorussia", "12 9 inf", "twelve against nine with at least 5 wizards and 2 bombers"),
    ):
        labels = (await discord.member("Alice").sends("battle", matchup=typed)).labels[:-1]
        assert all(" · without " in label for label in labels)


async def test_thousands_with_k_or_a_space_are_read_in_order(discord: FakeDiscord, bot: Client) -> None:
    for typed, line in (("1k 900", "1000 900"), ("1 000 900", "1000 900"), ("12 9 no bombers", "12 9")):
        shown = await discord.member("Alice").sends("battle", matchup=typed)
        assert f"-# Read as `{line}`." in shown.content.splitlines()


words = st.deferred(lambda: st.sampled_from(sorted({word for one in vocabularies().values() for word in one.words})))
spoken = st.lists(words | st.integers(0, 30).map(str) | st.text(max_size=5), max_size=12).map(" ".join)


@given(
    spoken | st.text(max_size=80), st.sampled_from(["", "battle", "line", "need", "dice", "compare", "place", "order"])
)
def test_any_line_is_a_reading_a_question_back_or_a_mistake(text: str, command: str) -> None:
    found = understand(ROOMS, text, command=command)
    assert bool(found.line) != bool(found.why)
    for line in (found.line, *(offer.line for offer in found.offers), found.other):
        assert line == canonical(ROOMS, line) if line else True
    assert found.line or sentence_for(found.why)
    assert list(explain(ROOMS, text))
