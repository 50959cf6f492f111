"""Turns that are to be held: their lines and mistakes, garrisons from a preset, and the answer in the chat."""

import pytest

from bot.discord_app.client import Client
from bot.games.conquest.notation.reading import read
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse
from bot.phrases.canonical import canonical as line_in_one_form
from bot.rooms import ROOMS
from solver.conquest import held, hold_odds
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.cases import each
from tests.helpers.extent import pick

BOARD = {"ourgame": "map:classic 1 ural, 5 afghanistan, 4 siam, 7 china"}
LINES = {
    "12 siam > 3 india then fortify hold:india=3": "12 siam > 3 india then fortify hold:3 india",
    "12 siam > 3 india and then fortify counter = 2 china, 4 afghanistan": (
        "12 siam > 3 india then fortify counter:4 afghanistan, 2 china"
    ),
    "10 siam > australia rest:1 hold:2": (
        "10 siam > 1 indonesia, 1 new guinea, 1 western australia, 1 eastern australia "
        "hold:2 indonesia, 2 new guinea, 2 western australia, 2 eastern australia"
    ),
    "12 siam > 3 indonesia, 2 new guinea hold:australia=3": "12 siam > 3 indonesia, 2 new guinea hold:3 indonesia",
    "12 siam > 3 india counter:china": "12 siam > 3 india counter:6 china",
    "12 siam > 3 india hold:2 counter": "12 siam > 3 india hold:2 india counter:4 afghanistan, 6 china",
    "12 siam > 3 india then fortify": "12 siam > 3 india then fortify counter:4 afghanistan, 6 china",
    "12, 8 > 9 > 4 hold:3 fortify": "12, 8 > 9 > 4 then fortify hold:3",
    "9 ural, 0 china > 3 india fortify far hold:5": "9 ural, 0 china > 3 india then fortify:far hold:5 india",
}
MISTAKES = {
    "12 siam > 3 indonesia then fortify": "Who attacks then, or how many must stand?",
    "12 siam > 3 indonesia hold": "Who attacks then, or how many must stand?",
    "12 siam > 3 india counter:ural": "How many armies attack from Ural?",
    "12 siam > 3 india counter:8": "Where do these armies attack from?",
    "12 siam > 3 india counter:8 asia": "An attack starts in one territory",
    "12 siam > 3 india counter:8 china, 2 china": "This is in the line twice",
    "12 siam > 3 india counter:8 siam": "comes from a territory of an enemy",
    "12 siam > 3 india counter:8 peru": "doesn't border any of the targets",
    "12 siam > 3 india hold:india": "Type a number before the name",
    "12 siam > 3 india hold:2 china": "China isn't one of the territories to take",
    "9 indonesia > 3 new guinea hold:australia=2": "name a territory",
    "12 siam > 3 india hold:3: india": "I don't understand `:` here",
    "12 siam > 3 india hold:3 most": "you can only hold all targets together",
    "12 siam > 3 india hold:3 then fortify:near": "through all your territories that are connected",
    "12 siam > 3 india leave:2 hold:3": "with `hold` or `counter` best play decides",
    "12 siam > 3 india hold:3 place:2": "one after the other",
    "12 siam > 3 india hold:2 late": "where the defender chooses the dice",
    "12 siam > 3 india hold:?, 2 india": "I don't understand `?` here",
    "12, 8 > 9 counter:3": "works only with territories that have names",
}


@each(LINES.items())
def test_lines_say_what_is_to_be_held(line: str, canonical: str) -> None:
    holding = read(line, BOARD, (), "").battle
    assert ROOMS.write(holding) == canonical
    assert read(canonical, {}, (), "").battle == holding
    assert {line_in_one_form(ROOMS, f"{command}{line}", BOARD) for command in ("/conquer ", "")} == {canonical}


@each(MISTAKES.items())
def test_mistakes_about_holding_are_explained(line: str, reason: str) -> None:
    with pytest.raises(MatchupError) as mistake:
        read(line, BOARD, ("place",), "")
    assert reason.casefold() in mistake.value.reason.casefold()


def test_a_wrong_name_before_a_number_is_not_left_out() -> None:
    with pytest.raises(MatchupError) as mistake:
        parse(ROOMS, "12 siam > 3 indonesia hold:mars=2")
    assert mistake.value.better == "", "without the name it would be no line"


async def test_conquer_says_whether_it_can_be_held(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold_odds, "MOST_HELD_STATES", pick(20_000, held.MOST_HELD_STATES))
    alice = discord.member("Alice")
    await alice.sends("map", garrisons="afghanistan 7, china 1")
    shown = await alice.sends("conquer", matchup="12 siam, 8 china > 9 india counter then fortify")
    first, taken, *rest = shown.content.splitlines()
    assert first.startswith("**Takes it and holds it: ")
    assert taken.startswith("Takes it: 98.0%, then it stands with ")
    assert "2. Fortify: " in shown.content
    assert "From `ourgame` attack 6 Afghanistan: one army of each garrison stays behind." in shown.content
    assert line_of(shown) == "8 china, 12 siam > 9 india then fortify counter:6 afghanistan"
    assert any(row.split()[:3] == ["India", "9", "98.0%"] for row in rest)
    assert (shown.files[-1].description or "").startswith("Takes it and holds it: ")
    hopeless = await alice.sends("conquer", matchup="12 siam > 3 brazil hold:2")
    assert hopeless.content.startswith("**Takes it and holds it: 0%**")
    assert "Your armies can't get to Brazil" in hopeless.content
    assert ["Brazil", "3", "0%", "–"] in [row.split() for row in hopeless.content.splitlines()]
    plain = await alice.presses(shown, "Only take it")
    assert plain.content.startswith("**Takes it: 98.0%**")
    large = await alice.sends("conquer", matchup="20 ukraine > asia rest:1 then fortify counter:5 alaska")
    assert "too large to tell whether you can hold" in large.content
    late = await alice.sends("conquer", matchup="12 siam > 3 india late hold:3 india")
    assert "don't work where the defender chooses the dice" in late.content
    rolled = await alice.sends("roll", matchup="12 siam > 3 india hold:3 india")
    assert rolled.content.startswith("`/roll` rolls the turn alone: leave out `hold`")


async def test_a_turn_to_hold_is_saved_and_changed_by_its_name(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("conquer", matchup="12 siam > 3 india then fortify counter:8 china")
    saved = await alice.submits(await alice.opens(shown, "Save"), {"Name": "push"})
    assert saved.content.startswith("Saved `push`: `12 siam > 3 india then fortify counter:8 china`.")
    more = await alice.presses(await alice.sends("preset show", name="push"), "+1 attacker")
    assert line_of(more) == "13 siam > 3 india then fortify counter:8 china"
    both = await alice.sends("conquer", matchup="push hold:3 bombers:1")
    assert "counter-attacks don't work with ships" in both.content.casefold()
    longer = await alice.sends("conquer", matchup="push hold:3 ties:attacker")
    assert line_of(longer) == "12 siam > 3 india ties:attacker then fortify hold:3 india counter:8 china"


async def test_need_says_how_many_take_and_hold(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="siam, 4 china > 3 india then fortify counter:8 afghanistan 70%")
    first, _marks, note = shown.content.splitlines()
    assert first == "**You need 10 in Siam to take and hold India** (71.3%, target 70%)"
    assert note.endswith("`4 china, 10 siam > 3 india then fortify counter:8 afghanistan`")
    assert (shown.files[-1].description or "").startswith("You need 10 in Siam to take and hold India")
    odds = await alice.presses(shown, "Odds")
    assert odds.content.startswith("**Takes it and holds it: 71.3%**")
    nowhere = await alice.sends("need", matchup="siam > 3 brazil hold:2")
    assert "Your armies can't get to Brazil" in nowhere.content


async def test_turns_to_hold_are_compared_by_the_chance_to_take_and_hold(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="push", matchup="12 siam > 3 india counter:8 china")
    two = await alice.sends("compare", matchup="push || 14 siam > 3 india counter:8 china")
    first, *rows = two.content.splitlines()
    assert first == "**B is better for the attacker: 71.3% instead of 58.3% (+13.0 points)**"
    assert ["taken,", "but", "not", "held", "41.0%", "28.5%", "−12.6"] in [row.split() for row in rows]
    assert line_of(two).startswith("12 siam > 3 india counter:8 china || 14 siam > 3 india counter:8 china")
    third = await alice.sends("compare", matchup="push || push hold:2 || push then fortify")
    assert third.content.startswith("**Hardly any difference: takes and holds 58.3%**")
    mixed = await alice.sends("compare", matchup="12 siam > 3 india hold:3 or 14 siam > 3 india")
    assert "Some plans ask to hold what they take, others don't" in mixed.content
