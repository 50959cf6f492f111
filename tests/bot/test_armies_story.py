"""Axis & Allies, as a chat: the odds, who is left, which unit matters, and what goes wrong."""

import json
from pathlib import Path

import pytest

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.rooms import ROOMS
from bot.settings import load
from bot.work.engine import Engine
from solver.axis.simulation import sample
from solver.axis.solve import solve_axis
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows
from tests.helpers.bot.lines import parse, wave_of
from tests.helpers.extent import pick


async def test_a_land_battle_is_answered_with_odds_losses_and_picture(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa")
    assert shown.content == (
        "**Attacker takes it: 13.4%, defender holds 63.2%, attacker clears it 20.9%, both wiped out 2.5%** · "
        "3 inf 2 arm 3 fig against 5 inf 2 art 1 arm 1 aa · A&A 1942\n"
        "TUV swing: −18.3 IPC on average, median −27 (8 battles in 10: −40 to +19)\n"
        "Average losses: attacker 3.0 inf, 1.8 arm, 2.2 fig (41.9 of 51 IPC); "
        "defender 1.0 aa, 4.2 inf, 1.0 art, 0.4 arm (23.6 of 34 IPC)\n"
        "```\n"
        "       attacker left  defender left\n"
        "12.1%  –              1 inf 2 art 1 arm\n"
        "11.2%  –              2 art 1 arm\n"
        "11.0%  –              2 inf 2 art 1 arm\n"
        " 9.1%  –              1 art 1 arm\n"
        " 8.1%  2 fig          –\n"
        " 7.8%  –              3 inf 2 art 1 arm\n"
        "40.6%  27 other endings\n"
        "```\n"
        "-# exact · about 3 rounds · `3 inf 2 arm 3 fig vs 5 inf 2 art 1 arm 1 aa`"
    )
    assert picture(shown).startswith("Attacker takes it: 13.4%")
    assert shown.labels[0] == "Roll it"
    assert shown.labels[1:] == [
        "Swap sides",
        "+1 attacker",
        "−1 attacker",
        "Which unit?",
        "Best order?",
        "What to bring?",
        "All endings",
        "Edit",
        "Save",
        "Ask on",
    ]


async def test_worth_sets_what_losses_and_swings_are_counted_in(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    line = "3 inf 2 arm 1 fig vs 5 inf 1 aa"
    whole = {
        "": ("31 IPC", "20 IPC"),
        " worth:units": ("6 units", "6 units"),
        " worth:units,fig=2.5": ("7.5", "6"),
    }
    for worth, (ours, theirs) in whole.items():
        battle = wave_of(line + worth)
        odds = solve_axis(battle)
        shown = await alice.sends("battle", matchup=line + worth)
        assert f" ({odds.attacker_loss:.1f} of {ours}); defender " in shown.content
        assert f" ({odds.defender_loss:.1f} of {theirs})\n" in shown.content
        assert line_of(shown) == line + worth
        assert "Bars show how likely each TUV swing is." in picture(shown)
    swapped = await alice.presses(shown, "Swap sides")
    assert line_of(swapped) == "5 inf vs 3 inf 2 arm 1 fig worth:units,fig=2.5"
    wrong = await alice.sends("battle", matchup=f"{line} worth:figh=2")
    assert "^" * len("worth:figh=2") in wrong.content
    assert "but it has `fig`" in wrong.content


async def test_the_value_of_a_territory_is_left_out_of_losses(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    bare, rich = [await alice.sends("battle", matchup=f"3 inf vs 2 inf{more}") for more in ("", " value:8 deadzone")]
    for shown in (bare, rich):
        assert "Average losses: attacker 2.0 inf (5.9 of 9 IPC); defender 1.3 inf (4.0 of 6 IPC)" in shown.content
    assert "territory included" in rich.content
    assert "territory included" not in bare.content


async def test_the_buttons_go_on_with_the_battle(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 inf 1 arm keep:1 vs 2 inf 1 aa")
    for label, expected in (
        ("+1 attacker", "2 inf 1 arm keep:1 vs 2 inf 1 aa"),
        ("−1 attacker", "1 inf 1 arm keep:1 vs 2 inf 1 aa"),
        ("−1 attacker", "1 arm keep:1 vs 2 inf 1 aa"),
    ):
        shown = await alice.presses(shown, label)
        assert line_of(shown) == expected
        assert len(shown.files) == 1
    assert shown.button("−1 attacker").disabled
    swapped = await alice.presses(shown, "Swap sides")
    assert line_of(swapped) == "2 inf vs 1 arm", "guns do not attack"
    assert "I left out plans and casualty orders: they were for the old sides." in swapped.content
    form = await alice.opens(swapped, "Edit")
    changed = await alice.submits(form, {"Attackers and defenders": "4 sub vs 3 des"})
    assert changed.content.startswith("**Attacker wins ")


async def test_sides_whose_units_cannot_swap_have_no_swap_button(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("3 inf vs 3 aa", "1 bat vs 2 inf"):
        assert (await alice.sends("battle", matchup=line)).button("Swap sides").disabled
    shown = await alice.sends("battle", matchup="3 inf 1 bat vs 2 inf 1 aa")
    swapped = await alice.presses(shown, "Swap sides")
    assert line_of(swapped) == "2 inf vs 3 inf"
    assert "-# Left out: 1 bat and 1 aa. These units can't change sides." in swapped.content
    assert "casualty orders" not in swapped.content


async def test_a_submerged_defender_is_not_beaten(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="1 sub vs 1 sub submerge")
    assert shown.content.startswith("**Attacker wins 0%, defender submerged 100%**")


async def test_table_says_if_no_further_unit_makes_a_difference(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("table", matchup="3 inf 2 art vs 4 inf retreat:win<99%")
    assert shown.content.startswith("**One more unit of any kind makes no difference** · attacker takes it 0%")


async def test_a_battle_at_sea_in_which_nobody_can_hit(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="2 sub vs 1 fig")
    assert shown.content.startswith("**Attacker wins 0%, stalemate 100%** · 2 sub against 1 fig")
    assert "TUV swing: always 0 IPC\n" in shown.content


async def test_an_attack_below_its_retreat_chance_is_not_made(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 inf vs 8 inf retreat:win<40%")
    assert shown.content.startswith(
        "**No attack is made** · 1 inf against 8 inf, with options · A&A 1942\nA retreat rule applies"
    )
    assert not shown.files
    forced = await alice.sends("battle", matchup="1 inf vs 8 inf retreat:win<40% decline:no")
    assert "attack called off" in forced.content


async def test_the_option_crash_says_whose_planes_crash(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    theirs = await alice.sends("battle", matchup="2 cru vs 1 acc 2 fig crash")
    assert "-# `crash`: the defender loses planes without room on a carrier at the end." in theirs.content
    ours = await alice.sends("battle", matchup="1 acc 3 fig vs 2 des acrash")
    assert "-# `acrash`: the attacker loses planes without room on a carrier at the end." in ours.content
    assert rows(ours)[1][1:] == ["2", "fig", "1", "acc", "–"], "one plane of three is lost without a hit"
    swapped = await alice.presses(theirs, "Swap sides")
    assert line_of(swapped) == "2 fig 1 acc vs 2 cru acrash", "the planes stay those of their side"
    assert swapped.content.count("-# `acrash`: the attacker loses planes without room on a carrier") == 1
    on_land = await alice.sends("battle", matchup="3 inf vs 2 inf crash")
    assert "-# `crash` makes no difference on land." in on_land.content


async def test_an_edition_has_its_own_units(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 tac 2 mec 1 arm vs 4 inf 1 aa variant:1940")
    assert "A&A Global 1940" in shown.content
    assert line_of(shown) == "2 mec 1 arm 3 tac vs 4 inf 1 aa variant:1940"
    one_round = await alice.sends("battle", matchup="4 inf 2 art 1 arm vs 4 inf variant:1914")
    assert "attack called off" in one_round.content
    assert "1 round" in one_round.content


async def test_table_names_the_unit_that_matters_most(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 inf 2 arm vs 4 inf")
    asked = await alice.presses(shown, "Which unit?")
    assert asked.content.startswith(
        "**One more arm helps the attacker most (+16.4) · One more fig helps the defender most (−49.0)**"
    )
    told = {tuple(row[:2]): row[2:] for row in rows(asked)}
    battle = wave_of("3 inf 2 arm vs 4 inf")
    more = wave_of("3 inf 3 arm vs 4 inf")
    assert told["attacker", "arm"][0] == f"{100 * (solve_axis(more).wins - solve_axis(battle).wins):+.1f}"
    assert told["defender", "inf"][1].startswith("+"), "one defender less helps the attacker"
    back = await alice.presses(asked, "Odds")
    assert line_of(back) == "3 inf 2 arm vs 4 inf"


async def test_an_army_too_large_to_solve_is_simulated_and_says_so(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "MOST_WORK", pick(5_000, sample.MOST_WORK))
    line = "90 fig 90 sub 90 des 90 cru 90 acc 90 bat vs 90 fig 90 sub 90 des 90 cru 90 acc 90 bat"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "simulated: " in shown.content
    assert "battles, ±" in shown.content
    assert {line.index("%") for line in shown.content.splitlines() if line.endswith((" –", "other endings"))} == {4}
    refused = await discord.member("Alice").sends("table", matchup=line)
    assert "too large to try one unit more or less" in refused.content


async def test_commands_and_units_that_do_not_fit_a_battle_are_named(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command, line, told in (
        ("dice", "all 3 inf vs 2 inf", "not for Axis & Allies"),
        ("battle", "3 inf 2 sub vs 2 inf", "`sub` can't fight on land"),
        ("battle", "3 inf 2 art loss:inf,cats vs 2 inf", "A&A 1942 has no unit `cats`, but it has `cars`."),
        (
            "battle",
            "1 inf 2 fig vs 1 inf 1 nest unit:nest=0/1/6/aa2 variant:revised",
            "so write `aa99` for a shot of `nest`",
        ),
        ("battle", "3 inf vs 5 cats", "A&A 1942 has no unit `cats`. Did you mean `cars`?"),
        ("battle", "2 yak vs 1 cats unit:yak=3/1/7 retreat:air>20%", "has no unit `cats`"),  # Yakutsk is on a map
    ):
        shown = await alice.sends(command, matchup=line)
        assert shown.private
        assert told in shown.content


async def test_a_casualty_order_may_name_only_some_units(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="3 inf 2 art 1 arm aloss:art vs 2 inf 1 aa dloss:inf")
    assert "After `loss:art` the attacker loses inf, arm in the usual order." in shown.content
    assert "After `loss:inf` the defender loses aa in the usual order." in shown.content
    assert line_of(shown) == "3 inf 2 art 1 arm loss:art,inf,arm vs 2 inf 1 aa loss:inf,aa"


async def test_a_preset_of_armies_is_saved_and_changed(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    await alice.sends("preset save", name="ukraine", matchup="3 inf 2 arm vs 5 inf 1 aa")
    shown = await alice.sends("battle", matchup="ukraine rounds:2")
    assert line_of(shown) == "3 inf 2 arm vs 5 inf 1 aa rounds:2"
    for line, expected in (
        ("ukraine 4 arm lowluck", "3 inf 4 arm vs 5 inf 1 aa lowluck"),
        ("ukraine 0 t", "3 inf vs 5 inf 1 aa"),
        ("ukraine vs 6 infantry", "3 inf 2 arm vs 6 inf"),
    ):
        assert line_of(await alice.sends("battle", matchup=line)) == expected
    refused = await alice.sends("preset save", name="tank", matchup="12 9")
    assert "Names are one word" in refused.content


async def test_words_of_armies_are_no_preset_names(discord: FakeDiscord, bot: Client) -> None:
    """Those who have saved something under such a name before still have it."""
    for name in ("hold", "worth"):
        refused = await discord.member("Alice").sends("preset save", name=name, matchup="12 9")
        assert "start with a letter" in refused.content
    for name in [
        *("hold", "then", "lookahead", "worth", "or", "side", "least", "survive", "retreat", "sea", "keep", "aafired"),
        *("last", "loss", "dloss", "dsubmerge", "prices", "land", "rounds"),
    ]:
        assert parse(f"{name} rounds:2", {name: "3 inf vs 2 inf"}).battle == parse("3 inf vs 2 inf rounds:2").battle
        assert parse(name, {name: "13 9"}).battle == parse("13 9").battle


async def test_suggestions_of_armies_show_odds(discord: FakeDiscord, bot: Client) -> None:
    choices = await discord.member("Alice").types("battle", matchup="3 inf 2 arm vs 4 inf")
    assert choices[0].name == "3 inf 2 arm vs 4 inf → 79.4% attacker"


async def test_half_typed_words_of_armies_are_completed(discord: FakeDiscord, bot: Client) -> None:
    for typed, first in [
        ("3 in", "3 inf vs 4 inf"),
        ("3 inf 2 ar", "3 inf 2 art vs 4 inf"),
        ("3 inf 2 arm vs", "3 inf 2 arm vs 4 inf"),
        ("3 sub vs", "3 sub vs 2 des"),
        ("3 inf vs 4 inf t", "3 inf vs 4 inf then 4 arm"),
        ("3 inf vs 4 inf then", "3 inf vs 4 inf then 4 arm"),
        ("3 inf vs 4 inf then ho", "3 inf vs 4 inf then hold 4 inf"),
        ("3 inf vs 4 inf then hold 4", "3 inf vs 4 inf then hold 4 inf"),
        ("2 sub vs 1 des then", "2 sub vs 1 des then 2 des"),
        ("3 inf vs 4 inf then 4 arm look", "3 inf vs 4 inf then 4 arm lookahead"),
        ("3 inf vs 4 inf retr", "3 inf vs 4 inf retreat:profit<0"),
        ("3 inf vs 4 inf retreat:w", "3 inf vs 4 inf retreat:win<40%"),
        ("3 inf vs 4 inf wor", "3 inf vs 4 inf worth:units"),
        ("3 inf vs 4 inf lo", "3 inf vs 4 inf lowluck"),
    ]:
        alice = discord.member("Alice")
        for command in ("battle", "need") if "then" not in first else ("battle",):
            choices = await alice.types(command, matchup=typed)
            complete = command == "need" and typed.endswith(" vs")  # "3 inf 2 arm vs" asks for the other side
            assert first in [choice.value for choice in choices[: 1 + complete]]
            for choice in choices:
                parse(str(choice.value), takes=(*ASKED_WITH_BATTLE, *(("open",) * complete)))
                assert "surv" not in choice.name


async def test_options_of_need_and_order_are_completed_in_their_command(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for typed, first in (
        ("6 inf vs 4 inf side:d", "6 inf vs 4 inf side:defender"),
        ("6 inf 1 arm vs 4 inf least:", "6 inf 1 arm vs 4 inf least:1inf"),
        ("6 inf vs 4 inf surv", "6 inf vs 4 inf survive"),
    ):
        assert (await alice.types("need", matchup=typed))[0].value == first
        assert (await alice.sends("need", matchup=first)).files
        assert first not in [choice.value for choice in await alice.types("battle", matchup=typed)]


async def test_waves_get_no_suggestions_for_need_table_and_order(discord: FakeDiscord, bot: Client) -> None:
    for command in ("need", "table", "order"):
        assert await discord.member("Alice").types(command, matchup="3 inf vs 2 inf then 2 arm") == []


async def test_json_answers_armies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load(data=tmp_path)
    battle = wave_of("3 inf 2 arm vs 4 inf retreat:units<=1")
    document = battle.to_dict()
    lines = [
        json.dumps(document),
        json.dumps({"text": "3 inf 2 arm vs 4 inf retreat:units<=1"}),
        json.dumps({**document, "question": "units"}),
        json.dumps({**document, "question": "need"}),
        json.dumps({**document, "question": "army", "recommend": {"goal": "target_wins", "target": 0.5}}),
        json.dumps({**document, "question": "army", "recommend": {"minimum": {"tank": 3}}}),
        json.dumps({**document, "dice": "loaded"}),
    ]
    with (tmp_path / "out").open("w+") as out:
        assert await solve_lines(settings, lines, out) == 1
        out.seek(0)
        first, second, units, need, army, few, wrong = (json.loads(line) for line in out)
    assert first == second
    assert first["waves"][0]["takes"] == pytest.approx(solve_axis(battle).takes, abs=1e-10)
    assert first["waves"][0]["units_lost"]["defender"]["infantry"] == pytest.approx(
        solve_axis(battle).defender_loss / 3
    )
    assert first["loss_orders"] == {"attacker": ["infantry", "tank"], "defender": ["infantry"]}
    assert {change["more"] for change in units["changes"]} == {1, -1}
    assert "odds, units, order, army" in need["error"]
    assert army["best"][0]["army"] == {"infantry": 3, "tank": 2}
    assert army["best"][0]["wins"] == pytest.approx(solve_axis(battle).wins)
    assert "You can bring 0 to 2 of these units, not 3" in few["error"]
    assert "dice: the dice must be one of" in wrong["error"]


async def test_equal_battles_of_armies_are_computed_once(tmp_path: Path) -> None:
    async with Engine(load(data=tmp_path), ROOMS, processes=False) as engine:
        one, other = (parse(line).battle for line in ("3 inf 2 arm vs 4 inf", "2 tanks 3 infantry vs 4i loss:inf"))
        assert await engine.odds(one) is await engine.odds(other)
