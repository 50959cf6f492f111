"""Luck as a chat: of oneself, a player, a pair, everybody; from exact odds, and never more than it says."""

import re
from itertools import pairwise

import pytest

from bot.discord_app.client import Client
from bot.request import Services
from solver import Battle, solve
from tests.fake_discord import FakeDiscord, Shown
from tests.helpers.bot.live_battles import fought, listed, under

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
    assert "in 3 battles" in (await xena.sends("luck", everybody=True)).content
    assert (await xena.says("@bot luck everybody")).content.startswith("**All attackers: ")


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
