"""Several waves of Axis & Allies, as a chat: who holds the field in the end, and what goes wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.editions import editions
from bot.games.axis.at_sea import remarks_at_sea
from bot.notation.lexer import LONGEST_LINE
from bot.settings import load
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.waves import Waves, battle_from_dict
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import parse, write
from tests.helpers.cases import each
from tests.helpers.extent import examples
from tests.helpers.solver import axis_waves_brute as brute
from tests.helpers.solver.axis_chains import any_chain

LINE = "3 inf 2 arm 1 fig vs 4 inf 1 art then 4 arm 2 fig"


async def test_an_empty_territory_stays_with_its_last_holder(discord: FakeDiscord, bot: Client) -> None:
    line = "6 inf vs 2 inf 1 aa value:100 then hold 2 fig 3 inf"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "**Attacker holds it in the end: 51.2%, defender 48.8%**" in shown.content
    assert (
        "TUV swing: +58.5 IPC on average, median +102 (8 battles in 10: −7 to +131), territory included"
        in shown.content
    )
    assert "24.4%  empty, still the attacker's" in shown.content


async def test_the_survivors_meet_the_next_wave(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup=LINE)
    assert shown.content == (
        "**Attacker holds it in the end: 99.8%, defender 0.2%**"
        " · 3 inf 2 arm 1 fig against 4 inf 1 art, then 4 arm 2 fig · A&A 1942\n"
        "TUV swing: +2.1 IPC on average, median +7 (8 battles in 10: −15 to +13)\n"
        "Average losses in all waves: attacker 13.9 of 75 IPC, defender 16.0 of 16 IPC\n"
        "```\n"
        "   fought  holds it  loses  kills\n"
        "1    100%     74.1%   13.2   14.9\n"
        "2   25.9%     99.8%    0.7    1.1\n"
        "\n"
        "       left at the end\n"
        "24.0%  attacker: 2 arm\n"
        "20.4%  attacker: 1 inf 2 arm\n"
        "17.7%  attacker: 4 arm\n"
        "17.1%  attacker: 1 arm\n"
        "11.8%  attacker: 2 inf 2 arm\n"
        " 5.7%  attacker: 3 arm\n"
        " 3.3%  7 other endings\n"
        "```\n"
        f"-# exact · about 3 rounds · `{LINE}`"
    )
    assert picture(shown).startswith("Attacker holds it in the end: 99.8%")
    asks = ["Which unit?", "Best order?", "What to bring?", "All endings"]
    assert shown.labels == ["Roll it", "+1 attacker", "−1 attacker", *asks, "Edit", "Save", "Ask on"]


async def test_submerged_attackers_count_as_left(discord: FakeDiscord, bot: Client) -> None:
    alice, line = discord.member("Alice"), "1 cru vs 1 cru then 1 sub 1 cru submerge vs 1 cru"
    shown = await alice.sends("battle", matchup=line)
    fates = "defender 52.4%, attacker submerged 12.7%"
    assert f"**Attacker holds the sea in the end: 34.9%, {fates}**" in shown.content
    assert "12.7%  attacker submerged: 1 sub\n" in shown.content
    ends = await alice.sends("battle", matchup=f"{line} all:winner")
    assert "attacker submerged 12.7%\n 12.7%   100%    0\n  attacker submerged: 1 sub\n" in ends.content
    both = await alice.sends("compare", matchup=f"{line} || 2 cru vs 1 cru")
    assert "attacker submerged  12.7%" in both.content
    mirrored = await alice.sends("battle", matchup="1 cru vs 1 cru then hold 1 sub 1 des submerge")
    assert "  defender submerged: 1 sub\n" in mirrored.content


async def test_waves_at_sea_name_the_fleet_that_stays(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 bat vs 1 des then 1 des then hold 2 cru")
    assert "**Attacker holds the sea in the end: >99.9%" in shown.content
    assert "99.7%  attacker: 1 des 3 bat\n" in shown.content
    joined = await alice.sends("battle", matchup="3 des vs 2 des then 2 sub")
    assert "2   14.7%  10.8%    0.7    1.2\n" in joined.content
    beside = await alice.sends("battle", matchup="1 cru vs 1 sub dsubmerge then 1 bom")
    assert "defender: 1 sub; attacker: 1 bom\n        1 cru\n" in beside.content


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        (
            "3 des vs 2 des then 2 sub",
            "Wave 2 is not fought if no enemy is left (85.3%): its units join any fleet there.",
        ),
        (
            "1 bat vs 1 des then 1 des then 1 cru then hold 2 cru",
            "Waves 2, 3 are not fought if no enemy is left (98.0%, 99.2%): their units join any fleet there.",
        ),
        # Wave 4 is not fought either where the hold before it does not come, but then its units stay away.
        (
            "1 cru vs 2 des then 1 bat then hold 1 sub then 1 des",
            "Waves 2, 4 are not fought if no enemy is left (21.4%, 4.2%): their units join any fleet there.",
        ),
        ("3 bat vs 1 des then 1 des vs 1 sub", ""),
        ("6 inf vs 2 inf then 2 arm", ""),
    ],
)
async def test_an_answer_says_which_waves_at_sea_may_find_no_enemy(
    line: str, remark: str, discord: FakeDiscord, bot: Client
) -> None:
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert shown.content.count("if no enemy is left") == bool(remark)
    assert remark in shown.content
    waves = parse(line).battle
    assert isinstance(waves, Waves)
    calm = [float(wave.come - wave.fought) for wave in brute.solve(waves.to_dict()).waves]
    shares = ", ".join(f"{chance:.1%}" for chance in calm if chance)
    assert f"({shares})" in remark if shares else not remark


ALONE = "own units attack: a fleet that has stayed there fights no more, but holds the sea once no enemy is left."
AWAY = "the whole fleet there; if an enemy of that fleet is left, or no ship of it,"
LEAVE = "attackers who retreat or run out of rounds leave the sea zone"


async def test_after_a_hold_each_wave_says_whose_attack_it_is(discord: FakeDiscord, bot: Client) -> None:
    line = "3 inf vs 2 inf then hold 2 inf then {}1 arm then hold 1 inf"
    alice = discord.member("Alice")
    for hold, labels in (
        ("", ["hold", "the defender's attack", "hold: the attacker's attack"]),
        ("hold ", ["hold", "hold: the attacker's attack", "hold: the defender's attack"]),
    ):
        shown = await alice.sends("battle", matchup=line.format(hold))
        assert [row.strip() for row in shown.content.splitlines() if row.strip().endswith(("hold", "attack"))] == labels


@each(
    [
        # Both ships miss with 4/6 3/6.
        ("1 des vs 1 cru rounds:1 then 1 cru", [f"Wave 1: {LEAVE} (33.3%)."]),
        ("1 des vs 1 cru then 1 cru rounds:1", []),
        ("1 des vs 1 cru retreat:units<=1 then 1 cru", []),
        # Three ends are equally likely: either cruiser is left, or none.
        *(
            (f"1 cru vs 1 cru then hold 1 sub{more}", [f"Wave 2 attacks {AWAY} the wave stays away (66.7%)."])
            for more in ("", " vs 1 des")
        ),
        (
            "1 cru vs 1 cru then hold 1 sub then 2 sub",
            [f"Waves 2, 3 attack {AWAY} they stay away (66.7%, 66.7%)."],
        ),
        ("1 bat vs 1 des then 1 bat vs 1 cru", [f"In wave 2 only its {ALONE}"]),
        ("1 cru vs 1 sub dsubmerge then 1 bom", [f"In wave 2 only its {ALONE}"]),
        ("2 fig vs 1 sub then 1 des then 1 cru", [f"In waves 2, 3 only their {ALONE}"]),
        ("1 cru vs 1 cru then 1 cru", []),
        # Nobody attacks in wave 1, so nobody retreats.
        ("1 des vs 2 cru retreat:units<=1 then 1 cru", []),
        ("1 inf vs 1 inf rounds:1 then hold 1 inf then 1 inf vs 1 inf", []),
    ]
)
def test_an_answer_says_who_stays_at_sea_and_which_waves_attack(line: str, remarks: list[str]) -> None:
    waves = parse(line).battle
    assert isinstance(waves, Waves)
    said = remarks_at_sea(waves, solve_waves(waves))
    assert [remark for remark in said if any(part in remark for part in ("attack", "leave"))] == remarks


async def test_a_hold_wave_attacks_the_captors(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="6 inf 2 art vs 4 inf value:5 then hold 4 inf 1 arm vs 1 inf")
    assert [row[0] for row in rows(shown)[1:3]] == ["1", "2"]
    assert "territory included" in shown.content
    assert line_of(shown) == "6 inf 2 art vs 4 inf value:5 then hold 4 inf 1 arm vs 1 inf"


async def test_the_buttons_of_waves_change_the_first_attack(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 inf 1 arm vs 2 inf then hold 2 inf")
    for label, expected in (("+1 attacker", "2 inf 1 arm"), ("−1 attacker", "1 inf 1 arm"), ("−1 attacker", "1 arm")):
        shown = await alice.presses(shown, label)
        assert line_of(shown) == f"{expected} vs 2 inf then hold 2 inf"
    assert shown.button("−1 attacker").disabled


async def test_a_wave_without_an_attack_is_named(discord: FakeDiscord, bot: Client) -> None:
    line = "5 inf vs 3 inf then 3 inf retreat:profit<0 lookahead"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "Wave 2: no attack" in shown.content


async def test_a_preset_goes_on_with_further_waves(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="kiev", matchup="6 inf vs 4 inf then 2 arm")
    shown = await alice.sends("battle", matchup="kiev then hold 5 inf")
    assert line_of(shown) == "6 inf vs 4 inf then 2 arm then hold 5 inf"
    changed = await alice.sends("battle", matchup="kiev 7 inf")
    assert line_of(changed) == "7 inf vs 4 inf then 2 arm"


async def test_waves_that_are_too_large_are_refused(discord: FakeDiscord, bot: Client) -> None:
    line = "90 sub 90 fig 90 acc 90 cru vs 90 sub 90 fig 90 acc 90 cru then 90 sub 90 cru 90 fig"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "too large for me; try up to 100 units a side on land, 40 at sea." in shown.content


async def test_suggestions_show_the_odds_of_small_waves(discord: FakeDiscord, bot: Client) -> None:
    choices = await discord.member("Alice").types("battle", matchup="3 inf vs 2 inf then 2 arm")
    assert choices[0].name == "3 inf vs 2 inf then 2 arm → 90.9% attacker"


async def test_json_answers_waves_by_line_or_document(tmp_path: Path) -> None:
    waves = parse(LINE).battle
    assert isinstance(waves, Waves)
    lines = [json.dumps({"text": LINE}), json.dumps(waves.to_dict()), json.dumps(waves.to_dict() | {"waves": []})]
    with (tmp_path / "out").open("w+") as out:
        assert await solve_lines(load(data=tmp_path), lines, out) == 1
        out.seek(0)
        first, second, wrong = (json.loads(line) for line in out)
    assert first == second
    assert len(first["waves"]) == 2
    assert first["all_waves"]["holds"]["attacker"] == pytest.approx(first["waves"][1]["takes"])
    assert first["waves"][1]["loss_orders"]["attacker"] == ["tank", "fighter"]
    assert "one wave" in wrong["error"]


async def test_programs_see_submerged_units(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+") as out:
        line = "1 cru vs 1 cru then 1 sub 1 cru submerge vs 1 cru"
        await solve_lines(load(data=tmp_path), [json.dumps({"text": line})], out)
        out.seek(0)
        left = json.loads(out.read())["all_waves"]["left"]
    field = {"holder": "nobody", "units": {}, "submerged": {"attacker": {"submarine": 1}}}
    assert [field, pytest.approx(8 / 63)] in left


@examples(40, derandomize=True)
@given(any_chain)
def test_every_line_of_waves_is_read_again(document: dict[str, Any]) -> None:
    waves = battle_from_dict(document | {"game": "axis1942"}, editions()["1942"].rules)
    assert isinstance(waves, Waves)
    # In the chat nobody plans for a win that can never be: to take a sea.
    assume(all(wave.theatre == "land" or wave.retreat.win_means != "take" for wave in waves.battles))
    line = write(waves)
    assume(len(line) <= LONGEST_LINE and any(waves.battles[0].attacker.units) and any(waves.fresh[0]))
    assert parse(line).battle == waves
