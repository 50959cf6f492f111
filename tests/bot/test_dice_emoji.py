"""Dice as emoji: `sandtable register --emoji` uploads them, and live battles show their last throw with them."""

import asyncio
import logging
import re
from base64 import b64encode
from io import BytesIO
from unittest.mock import AsyncMock

import numpy as np
import pytest
from PIL import Image

from bot.__main__ import main
from bot.charts import die
from bot.charts.die import draw_die
from bot.charts.style import ATTACKER, DEFENDER, rgb
from bot.discord_app import emoji
from bot.discord_app.client import Client
from bot.games.dice.live import LIVE as DICE_LIVE
from bot.games.live import LiveStage
from bot.live.dice import LONGEST_TEXT, PICTURED, with_dice
from bot.replies import Reply, full_text
from bot.request import Services
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.http_bots import http_bot
from tests.helpers.bot.lines import parse
from tests.helpers.bot.live_battles import BACK, types_dice
from tests.helpers.program import until
from tests.helpers.solver.fights import begin

EMOJIS = "/applications/{application_id}/emojis"
PNG = f"data:image/png;base64,{b64encode(draw_die('attack', 6, 1)).decode()}"

pytestmark = pytest.mark.usefixtures("quick_frames")


def upload(discord: FakeDiscord, drawing: str = "0a1b") -> None:
    """Put all dice up, as the command does, but without drawing them."""
    for name in PICTURED:
        discord.emojis.create(f"{name}_{drawing}", PNG)


def throw(discord: FakeDiscord, shown: Shown) -> str:
    """The last throw where it is shown as dice, "A6 A4 v D5", or "A6/8 v D5" with eight sides; "" where it is not."""
    assert all(discord.emojis.names[name] == number for name, number in re.findall(r"<:(\w+):(\d+)>", shown.content))
    line = shown.content.splitlines()[1]
    dice = re.sub(r"<:(a|d)\w+_(\d)_of_(\d)_\w{4}:\d+>", lambda die: f"{die[1].upper()}{die[2]}/{die[3]}", line)
    return dice.replace("/6", "") if dice != line else ""


async def rolls(person: Person, line: str, dice: str) -> Shown:
    """The frame of a battle after its first throw, whose dice somebody typed."""
    return await types_dice(person, await person.sends("roll", matchup=line), dice)


# Drawn and uploaded ----------------------------------------------------------------------------------------


def test_a_die_shows_its_face_in_the_colour_of_its_side() -> None:
    for side, ground, pip in (("attack", ATTACKER, None), ("defence", None, DEFENDER)):
        ink = []
        for face in range(1, 7):
            pixels = np.asarray(Image.open(BytesIO(draw_die(side, 6, face))).convert("RGBA")).astype(int)
            assert pixels.shape == (128, 128, 4)
            assert pixels[0, 0, 3] == 0, "around a die it is transparent"
            inside = pixels[16:-16, 16:-16, :3]
            coloured = int((np.abs(inside - rgb(ground or pip or "")).max(axis=2) < 9).sum())
            ink.append(coloured if pip else inside.shape[0] * inside.shape[1] - coloured)
        area = np.pi * die.PIP**2
        assert ink == pytest.approx([face * area for face in range(1, 7)], rel=0.12)


@pytest.mark.usefixtures("host")
async def test_register_uploads_each_die_once(discord: FakeDiscord, capsys: pytest.CaptureFixture[str]) -> None:
    discord.limit_next(f"POST {EMOJIS}", retry_after=0.05, times=2)
    for new in (28, 0):
        assert await asyncio.to_thread(main, ["register", "--emoji"]) == 0
        said = capsys.readouterr().out.splitlines()
        assert said == [
            f"Discord has all {len(discord.commands)} commands.",
            f"Discord has all 28 dice as emoji; {new} of them are new.",
        ]
    assert {name[:-5] for name in discord.emojis.names} == set(PICTURED)
    assert len(set(discord.emojis.pictures.values())) == 28
    posts = [request.status for request in discord.requests_to(f"POST {EMOJIS}")]
    assert sorted(posts) == [201] * 28 + [429] * 2
    assert discord.requests_to(f"DELETE {EMOJIS}/{{emoji_id}}") == []
    assert discord.gateway.identified == 0


@pytest.mark.usefixtures("host")
async def test_a_new_drawing_takes_the_place_of_the_old_one(
    discord: FakeDiscord, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [discord.emojis.create(name, PNG)["name"] for name in ("attack", "attack_6_of_6", "cat")]
    assert await asyncio.to_thread(main, ["register", "--emoji"]) == 0
    before = dict(discord.emojis.names)
    monkeypatch.setattr(die, "PIP", 9.0)
    assert await asyncio.to_thread(main, ["register", "--emoji"]) == 0
    assert capsys.readouterr().out.endswith("; 12 of them are new.\n")
    after = discord.emojis.names
    assert len(after) == len(before) == 28 + len(others)
    assert set(others) < set(after), "the host's own emoji stay"
    assert {name for name in before if "of_8" in name} == {name for name in after if "of_8" in name}
    assert not {name for name in before if re.search(r"of_6_", name)} & set(after)


@pytest.mark.usefixtures("host")
async def test_register_without_room_for_emoji_says_so(
    discord: FakeDiscord, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1990):
        discord.emojis.create(f"cat_{number}", PNG)
    assert await asyncio.to_thread(main, ["register", "--emoji"]) == 2
    assert "Maximum number of emojis reached (2000)." in capsys.readouterr().err
    for number in range(18):
        discord.emojis.delete(discord.emojis.names[f"cat_{number}"])
    assert await asyncio.to_thread(main, ["register", "--emoji"]) == 0
    assert capsys.readouterr().out.endswith("; 18 of them are new.\n")


# Shown -----------------------------------------------------------------------------------------------------


async def test_a_throw_is_shown_as_dice_of_both_colours(discord: FakeDiscord, services: Services) -> None:
    upload(discord)
    async with discord.running(Client(services)):
        await until(lambda: bool(services.dice))
        alice = discord.member("Alice")
        first = await alice.sends("roll", matchup="12 9")
        assert "<:" not in first.content
        shown = await types_dice(alice, first, "1 6 4 vs 3 5")
        assert throw(discord, shown) == "A6 A4 A1 v D5 D3"
        assert "1*  6 4 1   5 3" in shown.content, "the table keeps the digits"
        assert throw(discord, await types_dice(alice, shown, "2 2 2 vs 6 1")) == "A2 A2 A2 v D6 D1"
        assert throw(discord, await alice.presses(shown, BACK)) == "A6 A4 A1 v D5 D3"
        rolled = await alice.presses(shown, "Roll")
        attack, defence = throw(discord, rolled).split(" v ")
        row = rolled.content.split("```")[1].splitlines()[-1].split()
        assert row[1:6] == [die[1] for die in (*attack.split(), *defence.split())]
        over = await alice.presses(rolled, "Retreat")
        assert throw(discord, over) == f"{attack} v {defence}"
        assert line_of(await alice.uses("Battle odds", on=over)) == "12 9"
        assert throw(discord, await alice.sends("history open")) == f"{attack} v {defence}"
    assert len(discord.requests_to(f"GET {EMOJIS}")) == 1, "Discord is not asked at each throw"


async def test_dice_are_shown_in_every_game_that_rolls_them(discord: FakeDiscord, services: Services) -> None:
    upload(discord)
    async with discord.running(Client(services)):
        await until(lambda: bool(services.dice))
        alice = discord.member("Alice")
        for line, dice, shown in [
            ("12 9 variant:d8-defence", "6 5 4 vs 8 1", "A6 A5 A4 v D8/8 D1/8"),
            ("12 9 variant:d8", "7 5 4 vs 8 1", "A7/8 A5/8 A4/8 v D8/8 D1/8"),
            ("12 9 bombers:2", "6 1 2 vs 3 3", "A6 A2 A1 v D3 D3"),
            ("12 > 2 > 3", "6 1 2 vs 3 3", "A6 A2 A1 v D3 D3"),
            ("12 siam > 3 indonesia, 2 new guinea", "6 1 2 vs 3 3", "A6 A2 A1 v D3 D3"),
            ("2 inf 1 arm vs 2 inf", "4 1 6 vs 6 2", "A4 A1 A6 v D6 D2"),
            ("3 bom vs 1 inf 1 aa", "1 6 3", "D1 D6 D3"),
            ("10 inf vs 1 inf", "1 2 3 4 5 6 1 2 3 4 vs 2", "A1 A2 A3 A4 A5 A6 A1 A2 A3 A4 v D2"),
            ("11 inf vs 1 inf", "1 2 3 4 5 6 1 2 3 4 5 vs 2", ""),
            ("12 9 variant:d10", "6 5 4 vs 8 1", ""),
            ("icons AAD,ADD,A,D,-,- 3 4", "AAD A - vs D D A ADD", ""),
        ]:
            assert throw(discord, await rolls(alice, line, dice)) == shown, line


async def test_who_wants_words_reads_digits(discord: FakeDiscord, services: Services) -> None:
    upload(discord)
    async with discord.running(Client(services)):
        await until(lambda: bool(services.dice))
        mona = discord.member("Mona", manage_guild=True)
        await mona.sends("settings", show="words")
        shown = await rolls(mona, "12 9", "6 4 1 vs 5 3")
        assert ("<:" in shown.content, "6 4 1   5 3" in shown.content) == (False, True)
        await mona.sends("settings", show="pictures")
        assert throw(discord, await mona.presses(shown, "Roll"))


async def test_dice_are_shown_soon_after_they_are_uploaded_and_until_they_are_deleted(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emoji, "LOOK_EVERY", 0.05)
    async with discord.running(Client(services)):
        alice = discord.member("Alice")
        shown = await rolls(alice, "12 9", "6 4 1 vs 5 3")
        assert "<:" not in shown.content
        upload(discord)
        await until(lambda: bool(services.dice))
        shown = await types_dice(alice, shown, "6 6 6 vs 1 1")
        assert throw(discord, shown) == "A6 A6 A6 v D1 D1"
        upload(discord, "0a1c")
        await until(lambda: "0a1c" in str(services.dice))
        for name, number in discord.emojis.names.items():
            if name.endswith("0a1b"):
                discord.emojis.delete(number)
        shown = await types_dice(alice, shown, "5 5 5 vs 1 1")
        assert throw(discord, shown) == "A5 A5 A5 v D1 D1"
        for number in discord.emojis.names.values():
            discord.emojis.delete(number)
        await until(lambda: not services.dice)
        assert "<:" not in (await types_dice(alice, shown, "4 4 4 vs 1 1")).content


async def test_if_discord_does_not_say_which_dice_it_has_digits_are_shown(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    upload(discord)
    discord.fail_next(f"GET {EMOJIS}", status=403)
    alice = discord.member("Alice")
    with caplog.at_level(logging.INFO, emoji.__name__):
        async with discord.running(Client(services)):
            await until(lambda: "403 Forbidden" in caplog.text)
            shown = await rolls(alice, "12 9", "6 4 1 vs 5 3")
            assert ("<:" in shown.content, "6 4 1   5 3" in shown.content) == (False, True)
        monkeypatch.setattr(emoji, "LOOK_EVERY", 0.05)
        async with discord.running(Client(services)):
            await until(lambda: bool(services.dice))
            monkeypatch.setattr(Client, "fetch_application_emojis", AsyncMock(side_effect=KeyError("items")))
            await until(lambda: caplog.text.count("KeyError") > 1)  # it goes on looking
            assert throw(discord, await alice.presses(shown, "Roll")), "what is known stays known"


async def test_dice_are_shown_over_http(discord: FakeDiscord, services: Services) -> None:
    upload(discord)
    async with http_bot(discord, services):
        await until(lambda: bool(services.dice))
        shown = await rolls(discord.member("Alice"), "12 9", "6 4 1 vs 5 3")
        assert throw(discord, shown) == "A6 A4 A1 v D5 D3"


def test_dice_need_room_in_the_message() -> None:
    begun = begin(parse("12 9").battle)
    thrown, after = begun.throw(lambda _sides: 3)
    stages = [LiveStage(begun), LiveStage(after, thrown)]
    dice = {name: f"<:{name}_0a1b:1234567890123456789>" for name in PICTURED}

    def pictured(table: str, known: dict[str, str] = dice) -> Reply:
        return with_dice(Reply("12 9", facts=("luck",), table=(table,)), DICE_LIVE, stages, known)

    line, luck = pictured("").facts
    assert (line.count("<:attack"), line.count("<:defence"), luck) == (3, 2, "luck")
    room = LONGEST_TEXT - len(full_text(pictured("")))
    assert pictured("x" * room).facts == (line, "luck")
    assert pictured("x" * (room + 1)).facts == ("luck",)
    assert pictured("", {}).facts == ("luck",)
    assert pictured("", {**dice, "defence_3_of_6": ""}).facts == ("luck",), "a die has no picture"
