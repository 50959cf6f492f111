"""Luck as a chat: of oneself, a player, a pair, everybody; from exact odds, and never more than it says."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any

import pytest

from bot.commands.live import name_of
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import Player
from solver import Battle, solve
from tests.fake_discord import FakeDiscord, Shown
from tests.helpers.bot.live_battles import fought, listed, under
from tests.helpers.bot.rolled_battles import ALICE, BOB, roll
from tests.helpers.bot.rolled_battles import fought as fought_battle

pytestmark = pytest.mark.usefixtures("quick_frames")

WIN = 100 * solve(Battle(6, 4)).attacker_wins


def signed(of: float) -> str:
    """A number as the answers write it: "+25.5", "−74.5"."""
    return f"{of:+.1f}".replace("-", "−")


def headline(luck: float, battles: str) -> str:
    """How lucky somebody was, from the luck in percentage points."""
    kind, more = ("lucky", "more") if luck > 0 else ("unlucky", "fewer")
    return f"{kind}, {abs(luck) / 100:.1f} wins {more} than expected in {battles}"


def lucks(shown: Shown) -> list[str]:
    """The luck of each battle in the table."""
    return [row.split()[-1] for row in listed(shown)]


def luck_of_one(shown: Shown) -> float:
    """The luck of the only battle in the table, in percentage points."""
    (luck,) = lucks(shown)
    return float(luck.replace("−", "-"))


def won(over: Shown) -> bool:
    return "Attacker wins" in over.content


async def test_the_luck_of_a_battle_is_what_dice_did_to_the_chance_to_win(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    none = await alice.sends("luck")
    assert none.private
    assert none.content == (
        "**Alice: no battles yet.** Battles rolled with `/roll` count, up to the first dice that someone typed."
    )
    over = await fought(alice)
    luck = (100 if won(over) else 0) - WIN
    shown = await alice.sends("luck")
    verdict, rarity = f"Alice: {headline(luck, '1 battle')}", "After 5 battles I can tell how rare that is."
    assert shown.content.startswith(f"**{verdict}**\n{rarity}\n")
    assert listed(shown) == [f"{under(over, 'battle')} attacker {WIN:.1f}% {signed(luck)}"]
    (picture,) = shown.files
    assert picture.data.startswith(b"\x89PNG")
    assert picture.description == f"{verdict}. {rarity}"
    side = "attacker" if luck > 0 else "defender"
    assert f"The dice helped the {side}: +{abs(luck):.1f} points of win chance" in over.content


async def test_the_luck_of_both_sides_sums_to_0(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    battles = [await fought(alice, opponent=bob), await fought(bob, opponent=alice), await fought(alice, opponent=bob)]
    attackers = [(100 if won(over) else 0) - WIN for over in battles]
    expected = [attackers[0], -attackers[1], attackers[2]]
    ours = await alice.sends("luck", against=bob)
    theirs = await xena.sends("luck", player=bob, against=alice)
    assert ours.content.startswith(f"**Alice against Bob: {headline(sum(expected), '3 battles')}**\n")
    assert theirs.content.startswith(f"**Bob against Alice: {headline(-sum(expected), '3 battles')}**\n")
    assert lucks(ours) == [signed(luck) for luck in expected]
    assert lucks(theirs) == [signed(-luck) for luck in expected]
    assert [row.split()[1] for row in listed(theirs)] == ["defender", "attacker", "defender"]
    assert (await bob.sends("luck", player=bob)).content == (await bob.sends("luck")).content
    own = await alice.sends("luck", player=alice, against=alice)
    assert (own.private, own.content) == (True, "For `against`, pick someone other than the player.")


async def test_luck_of_a_pair_counts_their_battles_against_each_other(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    await fought(alice, opponent=bob)
    await fought(alice, opponent=xena)
    await fought(alice)
    assert "in 3 battles" in (await alice.sends("luck")).content
    assert "in 1 battle" in (await alice.sends("luck", against=bob)).content
    assert "no battles yet" in (await bob.sends("luck", against=xena)).content


async def test_everybody_is_a_ranking_from_lucky_to_unlucky(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob *x*"), discord.member("Xena")
    assert "**Everyone here: no battles yet.**" in (await xena.sends("luck", everybody=True)).content
    overs = [await fought(alice, opponent=bob) for _ in range(3)]
    await fought(xena, private=True)
    luck = sum((1 if won(over) else 0) - WIN / 100 for over in overs)
    shown = await xena.sends("luck", everybody=True)
    assert not shown.private
    title, attackers, *_rest = shown.content.splitlines()
    assert title == "**Luck of 2 players**", "private battles are nobody's business"
    together = f"All attackers: {headline(100 * luck, '3 battles')}"
    assert attackers == f"{together}. After 5 battles I can tell how rare that is."
    ranking = [f"Alice {signed(luck)} 3", f"Bob x {signed(-luck)} 3"]
    assert listed(shown) == ranking if luck > 0 else ranking[::-1]
    (picture,) = shown.files
    assert picture.data.startswith(b"\x89PNG")
    assert picture.description == "Luck of 2 players"
    assert (await xena.says("@bot luck everybody")).content == shown.content
    for refused in (
        await alice.sends("luck", everybody=True, player=bob),
        await alice.sends("luck", everybody=True, against=bob),
    ):
        assert refused.content == "`everybody` is about all players here, so leave out `player` and `against`."
    await alice.sends("history forget")
    after = await xena.sends("luck", everybody=True)
    assert after.content.startswith(f"**Luck of 1 player**\n{together}.")
    assert listed(after) == [ranking[1]]
    await bob.sends("history forget")
    nobody = await xena.sends("luck", everybody=True)
    assert nobody.content.startswith(f"**Luck of 0 players**\n{together}.")
    assert not nobody.files


@pytest.fixture
def record(discord: FakeDiscord, services: Services) -> Callable[..., Awaitable[None]]:
    """Stores battles that players have fought here, from a chance of 75%, so many hours ago."""

    async def store(*people: Player, won: bool, hours: float = 0) -> None:
        place, battles = f"guild:{discord.guild.id}", services.store.battles
        name = name_of(str(next(numbers)))
        await battles.begin(
            fought_battle(name, place, started_at=datetime.now(UTC) - timedelta(hours=hours)), people, 500
        )
        assert await roll(battles, name, chance=float(won), ended="won" if won else "lost", presser=None)

    numbers = count(1)
    return store


async def test_a_ranking_says_what_could_be_chance_from_five_battles_on(
    discord: FakeDiscord, bot: Client, record: Callable[..., Awaitable[None]]
) -> None:
    alice, bob = ALICE._replace(tag="1"), BOB._replace(tag="2")
    for battle in range(5):
        await record(alice, *([bob] if battle else []), won=False)
    shown = await discord.member("Xena").sends("luck", everybody=True)
    assert listed(shown) == [f"Bob {signed(3.0)} 4", f"Alice {signed(-3.75)} 5 0.1%"], "0.25 ** 5"
    assert "chance alone" not in shown.content, "of a single player"
    await record(alice._replace(name="Alicia"), bob, won=False)
    shown = await discord.member("Xena").sends("luck", everybody=True)
    assert listed(shown) == [f"Bob {signed(3.75)} 5 0.1%", f"Alicia {signed(-4.5)} 6 <0.1%"], "by the latest name"
    assert "Of 2 players with 5 battles or more, chance alone puts about one at 50.0% or below." in shown.content


async def test_a_long_ranking_shows_both_ends(
    discord: FakeDiscord, bot: Client, record: Callable[..., Awaitable[None]]
) -> None:
    for number in range(12):
        player = Player("1", f"{2000 + number}", f"Player {number:02}", "attacker")
        for _battle in range(number + 1):
            await record(player, won=True)
    shown = await discord.member("Xena").sends("luck", everybody=True)
    assert shown.content.startswith("**Luck of 12 players**\n")
    assert "… 2 players in between" in shown.content
    numbers = [row.split()[1] for row in listed(shown) if row != "…"]
    assert numbers == ["11", "10", "09", "08", "07", "04", "03", "02", "01", "00"]
    assert listed(shown)[5] == "…"
    (picture,) = shown.files
    assert picture.data.startswith(b"\x89PNG")


async def test_luck_of_a_time_counts_battles_that_began_since(
    discord: FakeDiscord, bot: Client, record: Callable[..., Awaitable[None]]
) -> None:
    person, other = discord.member("Alice"), discord.member("Bob")
    alice = Player("1", str(person.id), "Alice", "attacker")
    bob = Player("2", str(other.id), "Bob", "defender")
    none = await person.sends("luck", tonight=True)
    assert none.content.startswith("**Alice: no battles in that time.** ")
    for hours in (0.5, 2, 11.9, 12.1, 30, 24 * 9):
        await record(alice, bob, won=True, hours=hours)

    async def battles(**given: Any) -> str:
        shown = await person.sends("luck", **given)
        found = re.search(r"in (\d+) battles?\*\* · (.+)", shown.content.splitlines()[0])
        assert found, shown.content
        assert found[2] in (shown.files[0].description or "")
        return f"{found[1]}: {found[2]}"

    assert await battles(tonight=True) == await battles(since="tonight") == "3: last 12 hours"
    assert await battles(since="1h") == "1: last hour"
    assert await battles(since=" 3 H") == await battles(since="3h", tonight=True) == "2: last 3 hours"
    assert await battles(since="2d", player=other, against=person) == "5: last 2 days"
    assert await battles(since="30d", tonight=True) == "3: last 12 hours", "battles that both allow"
    week_ago = f"{datetime.now(UTC) - timedelta(days=8):%Y-%m-%d}"
    assert await battles(since=week_ago) == f"5: since {week_ago}"
    assert (await person.sends("luck", everybody=True, since="1d")).content.startswith(
        "**Luck of 2 players** · last day\nAll attackers: lucky, 1.0 wins more than expected in 4 battles."
    )
    for typed in ("luck tonight", "/luck since: 12h", "luck since 12h", "luck since:tonight"):
        assert "battles** · last 12 hours" in (await person.says(f"@bot {typed}")).content, typed
    assert "**Luck of 2 players** · last 12 hours" in (await person.says("@bot luck everybody tonight")).content


async def test_times_are_suggested_with_their_meaning(discord: FakeDiscord, bot: Client) -> None:
    alice, carlos, now = discord.member("Alice"), discord.member("Carlos", locale="es-ES"), datetime.now(UTC)
    days = [f"{now - timedelta(days=ago):%Y-%m-%d}" for ago in range(7)]
    offered = await alice.types("luck", since="")
    assert [choice.value for choice in offered] == ["tonight", "3h", "1d", "7d", "30d", *days]
    assert [choice.value for choice in await alice.types("luck", since="3")] == ["3h", "3d", "30d"]
    assert [choice.value for choice in await alice.types("luck", since="0001-01-01")] == ["0001-01-01"]
    assert await alice.types("luck", since="soon") == []
    labels = [offered[0].name, offered[5].name, (await carlos.types("luck", since=" 5D"))[0].name]
    assert labels == ["tonight → last 12 hours", f"{days[0]} → since {days[0]}", "5d → últimos 5 días"]
    for label in labels:  # some apps send what they show
        assert "no battles in that time" in (await alice.sends("luck", since=label)).content


async def test_a_time_that_cannot_be_read_is_a_sentence(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for typed in ("soon", "0h", "-3h", "99999h", "3", "2026-13-01", "h", "3h 2d"):
        refused = await alice.sends("luck", since=typed)
        assert (refused.private, refused.content) == (
            True,
            f"`since:` takes hours, days or a date, for example `3h`, `2d`, `{datetime.now(UTC):%Y-%m-%d}`.",
        ), typed
    assert (await alice.sends("luck", since="9999-12-31")).content == "That day has not begun yet."
    for since in ("0001-01-01", "9999d"):
        assert "no battles in that time" in (await alice.sends("luck", since=since)).content
    for typed in ("luck Bob", "luck since:", "luck tonight:3h", "luck everybody:x"):
        said = (await alice.says(f"@bot {typed}")).content
        assert said == (
            "Type one of these: `/luck`, `/luck everybody`, `/luck tonight`, `/luck since:3h`, "
            "`/luck 12 9 lost 4`. In Discord it has options."
        ), typed


async def test_luck_says_how_rare_it_is_from_five_battles_on(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    overs = [await fought(alice) for _ in range(4)]
    assert "After 5 battles I can tell how rare that is." in (await alice.sends("luck")).content
    overs.append(await fought(alice))
    total = sum((1 if won(over) else 0) - WIN / 100 for over in overs)
    z = total / (5 * WIN / 100 * (1 - WIN / 100)) ** 0.5
    shown = await alice.sends("luck")
    first, second = shown.content.splitlines()[:2]
    assert first == f"**Alice: {headline(100 * total, '5 battles')}**"
    rarity = r"Luck this extreme, good or bad: (1 time in \d+|nothing unusual)"
    assert re.fullmatch(rarity + re.escape(f" (z {signed(z)})."), second)
    assert not shown.private
    assert (await alice.sends("luck", private=True)).private


async def test_a_left_battle_counts_the_luck_so_far(discord: FakeDiscord, bot: Client, services: Services) -> None:
    """And a battle that is left lying counts as it stands: nobody gains by leaving."""
    alice = discord.member("Alice")
    left = await alice.presses(await alice.sends("roll", matchup="12 9"), "Roll")
    found = re.search(r"attacker wins (\d+\.\d)%", left.content)
    assert found
    luck = float(found[1]) - 100 * solve(Battle(12, 9)).attacker_wins
    assert luck_of_one(await alice.sends("luck")) == pytest.approx(luck, abs=0.11)
    await alice.presses(left, "Retreat")
    assert luck_of_one(await alice.sends("luck")) == pytest.approx(luck, abs=0.11)


async def test_the_last_frame_names_the_luckiest_roll(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.presses(await alice.sends("roll", matchup="12 9", opponent=bob), "Roll")
    assert "Luckiest roll" not in shown.content, "before the end nobody knows"
    over = await alice.presses(shown, "Roll to the end")
    record = await services.store.battles.find(under(over, "battle"))
    assert record
    chances = [record.battle.start, *(roll.chance for roll in record.rolls)]
    lucks = [after - before for before, after in pairwise(chances) if before is not None and after is not None]
    assert len(lucks) == len(record.rolls)
    luck = max(lucks, key=abs)
    side = "attacker" if luck > 0 else "defender"
    assert over.content.splitlines()[2] == (
        f"Luckiest roll: round {lucks.index(luck) + 1}, +{100 * abs(luck):.1f} points for the {side}"
    )
    assert "Luckiest roll" not in (await fought(alice, "2 1 rounds:1")).content, "there is only one"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("my luck tonight", "/luck tonight"),
        ("who is the luckiest?", "/luck everybody"),
        ("who's the luckiest of us tonight?", "/luck everybody tonight"),
        ("luck of everybody since yesterday", "/luck everybody since:1d"),
        ("show me the luck ranking", "/luck everybody"),
        ("how lucky was I today", "/luck"),
        ("mein Glück heute Abend", "/luck tonight"),
        ("Wer ist der größte Glückspilz?", "/luck everybody"),
        ("Glück von allen seit gestern", "/luck everybody since:1d"),
        ("mi suerte de esta noche", "/luck tonight"),
        ("¿quién es el más suertudo?", "/luck everybody"),
        ("suerte de todos desde ayer", "/luck everybody since:1d"),
        ("моя удача сегодня вечером", "/luck tonight"),
        ("кто самый везучий?", "/luck everybody"),
        ("удача всех со вчерашнего дня", "/luck everybody since:1d"),
    ],
)
async def test_luck_is_asked_in_words(services: Services, said: str, line: str) -> None:
    shown = await run(Request("battle", "1", "Alice", "guild:1", {"matchup": said}), services)
    assert isinstance(shown, Reply)
    assert shown.remarks == (f"Read as `{line}`.",)
    assert shown.text.startswith("**Everyone here: " if "everybody" in line else "**Alice: ")


async def test_the_ranking_answers_to_its_name(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.says("@bot luck ranking")
    assert shown.content == (await alice.says("@bot luck everybody")).content
    assert shown.content.startswith("**Everyone here: ")
