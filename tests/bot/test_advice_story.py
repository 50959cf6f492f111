"""Advice on dice, as a chat: where fewer are better, and small gains where they are asked for."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from bot.discord_app.client import Client
from solver import Battle, Ships
from solver.dice.advice import LaterAdvice, advice
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of
from tests.helpers.bot.lines import is_name, parse, write
from tests.helpers.cases import each
from tests.helpers.solver.brute import round_law

CAPITAL, ESCORTED = Ships(0, 0, 1), Ships(0, 1, 1)


def listed(battle: Battle, side: str) -> tuple[Fraction, set[tuple[int, int]]]:
    """The attacker's chance where one side rolls the best number of dice, and where that is less than all.

    By trying every number of dice at every size the battle comes to, with every roll listed.
    """
    attack, defence = battle.pools
    better: set[tuple[int, int]] = set()

    @cache
    def won(a: int, d: int) -> Fraction:
        if a == 0 or d == 0:
            return Fraction(d == 0)
        dice = range(min(a, 3) if side == "attacker" else min(d, 2), 0, -1)
        worths = [after(a, d, *((n, d) if side == "attacker" else (a, n))) for n in dice]
        return (max if side == "attacker" else min)(worths)

    def after(a: int, d: int, ours: int, theirs: int) -> Fraction:
        law = round_law(attack, defence, ours, theirs, "defender")
        return sum((chance * won(a - lost, d - killed) for (lost, killed), chance in law.items()), Fraction(0))

    ahead, seen = [(battle.attackers, battle.defenders)], set()
    while ahead:
        a, d = ahead.pop()
        if (a, d) in seen or a <= 0 or d <= 0:
            continue
        seen.add((a, d))
        dice = range(min(a, 3) if side == "attacker" else min(d, 2), 0, -1)
        best = next(n for n in dice if won(a, d) == after(a, d, *((n, d) if side == "attacker" else (a, n))))
        if best != dice[0]:
            better.add((a, d))
        law = round_law(attack, defence, *((best, d) if side == "attacker" else (a, best)), "defender")
        ahead += [(a - lost, d - killed) for lost, killed in law]
    return won(battle.attackers, battle.defenders), better


@each(
    [
        (ships, side)
        for side in ["attacker", "defender"]
        for ships in [(CAPITAL, Ships()), (CAPITAL, ESCORTED), (Ships(), CAPITAL), (ESCORTED, CAPITAL)]
    ]
)
def test_advice_names_the_sizes_that_brute_force_names(ships: tuple[Ships, Ships], side: str) -> None:
    for a, d in product((1, 2, 5, 8), (1, 2, 4, 7)):
        battle = Battle(a, d, attack_ships=ships[0], defence_ships=ships[1])
        given = advice(battle)[side == "defender"]
        assert given is not None
        best, better = listed(battle, side)
        assert given.best == pytest.approx(float(best), rel=1e-12)
        first = {
            cell for cell in better if not any(cell[0] <= x and cell[1] <= y and cell != (x, y) for x, y in better)
        }
        if (a, d) in better:
            assert given.dice < given.most
            assert given.later is None
        else:
            assert set(given.later.sizes if given.later else ()) == first


def test_advice_counts_armies_in_reserve() -> None:
    given, _ = advice(Battle(12, 9, attack_ships=CAPITAL, reserve=3))
    assert given is not None
    assert given.later == LaterAdvice(((5, 2),), 1, 2)


async def test_advice_names_the_armies_where_fewer_dice_begin_to_help(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="14 8 capitals:1 vs bombers:1 capitals:1")
    assert (
        "**The defender does better with fewer dice** (roll 1, not 2, from 12 against 8): "
        "the attacker wins 76.1% with the best number each time, 77.2% otherwise"
    ) in shown.content


async def test_the_word_advice_shows_small_gains_too(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "fewer dice" not in (await alice.sends("battle", matchup="12 10 capitals:1")).content
    asked = await alice.sends("battle", matchup="12 10 capitals:1 advice")
    assert (
        "**The attacker does better with fewer dice** (roll 1, not 2, from 2 against 2): "
        "90.54% to win with the best number each time, 90.50% otherwise"
    ) in asked.content
    assert line_of(asked) == "12 10 capitals:1 advice", "a button asks it again"
    several = await alice.sends("battle", matchup="14 14 ADVICE dcapitals:1 exact")
    assert (
        "**The defender does better with fewer dice** (roll 1, not 2, from 5 against 13 or 4 against 14)"
        in several.content
    )
    assert "exactly" in several.content
    tiny = await alice.sends("battle", matchup="40 40 abonus:5 advice")
    told = (
        "The attacker does better with fewer dice (roll 1, not 3, from 20 against 40), but by less than 0.0001 points"
    )
    assert told in tiny.content
    off = await alice.sends("battle", matchup="12 10 capitals:1 advice:no")
    assert "fewer dice" not in off.content


async def test_advice_says_where_fewer_dice_gain_nothing(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("12 9 advice", "Nobody does better with fewer dice here"),
        ("12 9 capitals:1 advice", "Nobody does better with fewer dice here"),
        ("12 0 advice", "With these rules I can't tell whether fewer dice are better"),
        ("12 9 late advice", "With these rules I can't tell whether fewer dice are better"),
        ("icons A,D 3 4 advice", "With these rules I can't tell whether fewer dice are better"),
        ("400 400 advice", "This battle is too large for advice on dice; 399 against 399 works"),
    ]:
        alice = discord.member("Alice")
        assert told in (await alice.sends("battle", matchup=line)).content.splitlines()
        assert told not in (await alice.sends("battle", matchup=line.replace(" advice", ""))).content


async def test_a_bonus_for_the_best_die_may_make_rolling_1_die_better(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="2 2 abonus:5")
    assert "(roll 1 now, not 2): 99.6% to win with the best number each time, 97.5% otherwise" in shown.content


async def test_advice_is_refused_by_commands_other_than_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    refused = await alice.sends("roll", matchup="12 9 advice")
    assert "`advice` works with `/battle`: it says whether fewer dice are better." in refused.content
    assert (refused.private, refused.labels[0]) == (True, "12 9 advice")
    path = await alice.sends("battle", matchup="20 > 5 > 4 advice")
    assert "A path can't have `advice`." in path.content
    armies = await alice.sends("battle", matchup="3 inf vs 2 inf advice")
    assert "`advice` works for games that compare dice, such as `12 9`." in armies.content
    assert (await alice.sends("preset save", name="west", matchup="12 9 advice")).private


async def test_advice_is_suggested_while_typing(discord: FakeDiscord, bot: Client) -> None:
    offered = await discord.member("Alice").types("battle", matchup="12 9 adv")
    assert "12 9 advice" in [choice.value for choice in offered]


def test_a_preset_named_advice_still_works() -> None:
    assert not is_name("advice")
    reading = parse("advice stop:3", {"advice": "12 9"}, takes=("advice",))
    assert (write(reading.battle), reading.asked.get("advice", False)) == ("12 9 stop:3", False)


async def test_advice_works_in_the_menu_of_a_message(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    said = await alice.says("who wins?\n12 10 capitals:1 advice", reply=False)
    assert "from 2 against 2" in (await alice.uses("Battle odds", on=said)).content
