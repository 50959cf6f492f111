"""Names of people: all scripts stay as they are; what shows nothing, piles up or is markup goes."""

import json

from bot.discord_app.client import Client
from bot.names import bare_name, safe_name
from tests.fake_discord import FakeDiscord
from tests.helpers.cases import each

ORDINARY = (
    *("Alice", "Jean-Luc P.", "Åsa 九", "O'Brien", "Đặng Thị Ngọc Ánh", "Łukasz", "Ελένη", "Дмитрий", "Naïve2000"),
    *("محمد", "مُحَمَّد", "می\u200cروم", "שָׁלוֹם", "सुनीता", "क\u094d\u200dष", "น้ำผึ้ง", "ကြွေး", "ខ្មែរ", "தமிழ்", "བསྒྲུབས"),
    *("김민준", "山田太郎", "葛\U000e0100城", "𝓐𝓵𝓲𝓬𝓮", "🎲 Bob", "👩🏽‍🚀", "👨‍👩‍👧", "❤️‍🔥 Eve", "🇩🇪", "Zoe\u0301"),
)
UNSEEN = (
    *("", " ", "\u3164", "\u3164\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u200b", "\u200d\u200c", "\u202e\u2066"),
    *(
        "\ufeff",
        "\U000e0041\U000e007f",
        "\ufe0f",
        "\U000e0100",
        "\u034f\u034f",
        "\u0301" * 20,
        "\u180e",
        "\xad",
        "\u2060",
    ),
    *("\xad", "\u2060", "\u3000\u2003", "\u17b4\u17b5", "\ufffc", "\u3164 \u200d \u0301", "|| ||", "`*_~"),
)


@each(ORDINARY)
def test_ordinary_names_stay_unchanged(name: str) -> None:
    assert safe_name(name) == name


@each(UNSEEN)
def test_an_invisible_name_is_shown_as_someone(name: str) -> None:
    assert safe_name(name) == "someone"
    assert bare_name(name) == ""


@each(
    [
        ("a\u3164\u115fb", "ab"),
        ("Al\u202eice\u200b", "Alice"),
        ("Z" + "\u0300\u0301" * 30 + "o", "Z\u0300\u0301\u0300o"),
        ("ก" + "็" * 50, "ก็็็"),
        ("ก" + "\u0903" * 50, "ก" + "\u0903" * 4),
        ("\u302e" * 50 + "k", "\u302e" * 4 + "k"),
        ("\u0301Alice", "Alice"),
        ("*\u0301Alice", "Alice"),
        ("a\u200d\u200d\u200db", "a\u200db"),
        ("Alice\u200d", "Alice"),
        ("  Alice \u2003 Smith ", "Alice Smith"),
        ("x\U000e0041y", "xy"),
    ]
)
def test_names_lose_invisible_letters_and_piled_marks(name: str, shown: str) -> None:
    assert safe_name(name) == shown
    assert safe_name(shown) == shown


async def test_a_name_is_shown_the_same_in_frames_history_luck_and_logs(discord: FakeDiscord, bot: Client) -> None:
    """In a frame, the history, the luck, the log, and the list of set-ups."""
    unseen, piled = discord.member("\u3164\u115f"), discord.member("Z" + "\u0301" * 25)
    rolled = await unseen.sends("roll", matchup="3 2", opponent=piled)
    assert "someone attacks Z\u0301\u0301\u0301" in rolled.content
    over = await unseen.presses(rolled, "Roll to the end")
    assert "someone attacks Z\u0301\u0301\u0301" in over.content
    assert "someone attacks Z\u0301\u0301\u0301" in (await unseen.sends("history list")).content
    assert "someone against Z\u0301\u0301\u0301" in (await unseen.sends("luck", against=piled)).content
    exported = await unseen.sends("history export")
    people = json.loads(exported.files[0].data)["people"]
    assert people == {"1": "somebody", "2": "Z\u0301\u0301\u0301"}
    await piled.sends("preset save", name="alamo", matchup="12 9")
    await unseen.sends("preset save", name="kyiv", matchup="12 9")
    listed = (await unseen.sends("preset list")).content
    assert "\u3164" not in listed
    assert "\u0301" * 4 not in listed
    assert listed.count("someone") == 1
