"""More decimals: chances are written with those that the line asks for, in words alone, and right to the last."""

import io
import json
import re
from decimal import Decimal, localcontext

import pytest

from bot.commands.run import run
from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.replies import Reply, full_text
from bot.request import Request, Services
from bot.settings import Settings
from solver import Battle
from solver.axis.odds import AxisOdds
from solver.axis.simulation.sample import sample_axis
from solver.dice.exact import attacker_wins
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse


async def answer(line: str, services: Services) -> Reply:
    reply = await run(Request("battle", "1", "Alice", "user:1", {"matchup": line}), services)
    assert isinstance(reply, Reply)
    return reply


def in_decimals(battle: Battle, digits: int) -> str:
    """The chance in percent with so many decimals, from the fraction."""
    wins = attacker_wins(battle)
    with localcontext() as context:
        context.prec = 60
        return f"{Decimal(100 * wins.numerator) / Decimal(wins.denominator):.{digits}f}"


async def test_digits_are_those_of_the_fraction_also_under_a_button(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="12 9 digits:6")
    assert shown.content.startswith(f"**Attacker wins {in_decimals(Battle(12, 9), 6)}%**")
    assert "exact except for rounding" in shown.content
    more = await alice.presses(shown, "+1 attacker")
    assert more.content.startswith(f"**Attacker wins {in_decimals(Battle(13, 9), 6)}%**")
    assert (await alice.says("@bot 12 vs 9 more exactly")).content.startswith("**Attacker wins 78.988090%**")


async def test_twelve_decimals_are_right_and_none_is_more_certain_than_they_show(services: Services) -> None:
    for attackers, defenders in ((12, 9), (3, 2), (25, 30)):
        reply = await answer(f"{attackers} {defenders} digits:12", services)
        assert f" {in_decimals(Battle(attackers, defenders), 12)}%**" in reply.text
    sure = await answer("300 3 digits:12", services)
    assert ">99.999999999999%" in sure.text
    assert "needs how many decimals, 1 to 12" in (await answer("12 9 digits:13", services)).text


async def test_every_game_writes_them_but_no_picture(services: Services) -> None:
    assert "98.15781%" in (await answer("20 > 5 > 4 digits:5", services)).text
    assert "45.915618%" in (await answer("3 inf 2 fig vs 4 inf digits:6", services)).text
    pictures = [(await answer(f"20 > 5 > 4{digits}", services)).picture for digits in (" digits:3", "")]
    assert pictures[0]
    assert pictures[1]
    assert pictures[0].png == pictures[1].png


async def test_a_simulation_has_no_more_decimals_and_says_so(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    waves = parse("3 inf 2 fig vs 4 inf").battle
    rolled = sample_axis(waves.only, 2_000, 1)

    async def odds(_battle: object, _exact: bool = False) -> AxisOdds:
        return rolled

    monkeypatch.setattr(services.engine, "odds", odds)
    for line in ("3 inf 2 fig vs 4 inf digits:6", "3 inf 2 fig vs 4 inf all digits:6"):
        shown = full_text(await answer(line, services))
        assert "have no more decimals" in shown
        assert not re.search(r"\d\.\d\d+%", shown)


async def test_json_lines_are_as_ever(settings: Settings) -> None:
    out = io.StringIO()
    await solve_lines(settings, [json.dumps({"text": line}) for line in ("12 9 digits:6", "12 9")], out)
    first, second = out.getvalue().splitlines()
    assert first == second
