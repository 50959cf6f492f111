"""Casualties chosen in several waves as a chat: what choosing gains, how lines are read, and what programs get."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.editions import editions, rules_by_game
from bot.games.axis.chosen_casualties import gain_text
from bot.games.axis.matchup import describe
from bot.notation.lexer import LONGEST_LINE
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.work.engine import Engine
from solver.axis.casualties.advice import find_casualties
from solver.axis.casualties.limits import chosen_odds_within
from solver.axis.endings import endings_to_dict
from solver.axis.sides import Aim, Chooses
from solver.axis.solve import DROPPED
from solver.axis.waves.choices import ChosenWorths, find_wave_casualties
from solver.axis.waves.odds import solve_waves
from solver.axis.waves.steps import waves_worth
from solver.axis.waves.waves import battle_from_dict
from solver.games import GAMES
from solver.progress import Meter
from solver.questions import read_question
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, reply_to
from tests.helpers.bot.lines import parse, wave_of, write
from tests.helpers.cases import each
from tests.helpers.extent import examples
from tests.helpers.solver.any_axis_battle import Document
from tests.helpers.solver.axis_chains import chains

LINE = "6 inf 4 fig vs 5 inf 1 art then hold 4 inf 1 arm"
CHOSEN = "6 inf 4 fig choose vs 5 inf 1 art then hold 4 inf 1 arm"
GAIN = "With fixed casualty orders the attacker holds it in the end 19.8%; choosing changes that by +49.4 points"


async def test_an_answer_says_what_choosing_in_waves_brings(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup=CHOSEN)
    assert shown.content.startswith("**Attacker holds it in the end: 69.1%, defender 30.9%** · ")
    assert ", then hold 4 inf 1 arm, attacker chooses casualties in wave 1 · A&A 1942\n" in shown.content
    assert GAIN in shown.content
    assert shown.labels == ["All endings", "Edit", "Save", "Ask on"]
    assert line_of(shown) == CHOSEN
    assert picture(shown)
    ends = await alice.presses(shown, "All endings")
    assert "likeliest of " in ends.content
    assert "  attacker: 4 inf" in ends.content


async def test_two_plans_with_choices_in_waves_are_compared(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup=f"{LINE} or choose")
    assert "B holds it in the end more often: 69.1% instead of 19.8% (+49.4 points)" in shown.content
    assert line_of(shown) == f"{LINE} || {CHOSEN}"


async def test_orders_ignore_choices_in_waves(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("order", matchup="2 inf 1 arm vs 2 inf then 2 inf 1 arm choose")
    assert "-# `/order` ignores `choose`.\n" in shown.content
    assert line_of(shown) == "2 inf 1 arm vs 2 inf then 2 inf 1 arm"


async def test_choices_in_waves_keep_to_the_limit_on_bombarding_ships(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 ainf 1 arm 2 cru choose vs 2 inf then 3 arm choose")
    assert line_of(shown) == "1 arm 1 cru 1 ainf choose vs 2 inf then 3 arm choose"
    after = await alice.presses(shown, "All ships fire")
    assert line_of(after) == "1 arm 2 cru 1 ainf choose vs 2 inf then 3 arm choose"


@each(
    [
        ("3 inf 2 arm vs 3 inf then 3 arm choose", "attacker chooses casualties in wave 2"),
        ("3 inf choose vs 3 inf then 3 arm choose", "attacker chooses casualties in waves 1 and 2"),
        ("3 inf choose vs 3 inf then 3 arm choose then 2 inf choose", "attacker chooses casualties in waves 1, 2, 3"),
        ("3 inf choose:tuv vs 3 inf then 3 arm", "attacker chooses casualties for the TUV swing in wave 1"),
        ("3 inf vs 3 inf then hold 2 inf dchoose", "then hold 2 inf, defender chooses casualties in wave 2"),
        (
            "3 inf choose vs 3 inf then 3 arm choose vs choose then 1 inf vs choose",
            ", attacker chooses casualties in wave 1, both choose casualties in wave 2,"
            " defender chooses casualties in wave 3",
        ),
        ("3 inf choose vs 3 inf choose then 3 arm choose vs choose", "both choose casualties"),
    ]
)
def test_a_description_says_who_chooses_casualties_in_which_waves(line: str, text: str) -> None:
    assert describe(parse(line).battle).endswith(text)


def test_what_choosing_brings_in_money_counts_all_waves() -> None:
    waves = parse("2 sub 2 des 1 cru choose:tuv vs 1 sub 1 des 1 cru then hold 1 des 1 sub").battle
    gain = ChosenWorths(waves.free, Meter()).value() - waves_worth(waves.in_order, Meter()).profit
    text = gain_text(waves, solve_waves(waves), solve_waves(waves.in_order))
    assert text == f"Compared with fixed casualty orders, choosing changes the TUV swing by +{gain:.1f} IPC"


def test_a_hold_by_planes_leaves_the_advice_of_one_wave() -> None:
    """Planes take no territory, so who holds it in the end is who takes it."""
    line = "3 inf 2 arm 2 fig vs 3 inf 1 art 1 fig"
    for chooses in ((True, False), (False, True)):
        one = find_casualties(replace(wave_of(line), chooses=chooses), 1e9)
        waves = parse(f"{line} then hold 1 fig").battle.with_choices([chooses, (False, False)], "takes")
        several = find_wave_casualties(waves, 1e9)
        assert several.value == pytest.approx(one.value, abs=1e-9)
        assert [row.lose for row in several.now] == [row.lose for row in one.now]
        assert [row.value for row in several.now] == pytest.approx([row.value for row in one.now], abs=1e-9)


async def test_json_answers_choices_in_waves(tmp_path: Path) -> None:
    waves: list[dict[str, Any]] = [
        {"attacker": {"units": {"infantry": 6, "fighter": 4}}, "defender": {"units": {"infantry": 5, "artillery": 1}}},
        {"attacker": {"units": {"infantry": 4, "tank": 1}}, "previous_attackers_defend": True},
    ]
    asked = {"question": "casualties", "game": "axis1942", "waves": waves}
    own = {**asked, "waves": [waves[0] | {"chooses": "attacker"}, waves[1]]}
    both = {**asked, "waves": [wave | {"chooses": "both"} for wave in waves]}
    wrong = {**asked, "waves": [waves[0] | {"chooses": "me"}, waves[1]]}
    lines = [own, {"text": CHOSEN}, {**own, "aim": "profit"}, asked, both, {**asked, "chooses": "both"}, wrong]
    with (tmp_path / "out").open("w+") as out:
        assert await solve_lines(load(data=tmp_path), map(json.dumps, lines), out) == 1
        out.seek(0)
        attacker, text, profit, usual, every, top, error = map(json.loads, out)
    chosen = parse(CHOSEN).battle
    assert attacker == text
    assert attacker["value"] == pytest.approx(solve_waves(chosen).hold_chance(0), abs=1e-9)
    assert attacker["value_of_orders"] == pytest.approx(solve_waves(parse(LINE).battle).hold_chance(0), abs=1e-9)
    assert {row["side"] for row in attacker["now"]} == {"attacker"}
    assert profit["value"] >= profit["value_of_orders"]
    assert usual == every == top
    assert error == {"error": 'waves.0.chooses: `chooses` must be one of attacker, defender, both, nobody, not "me"'}


LARGE = "Too large to choose casualties round by round: these are the odds with the best fixed orders found, "


async def test_waves_too_large_to_choose_in_follow_the_best_orders(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.axis.casualties.solve.MOST_CELLS", 20)
    line, chosen = "3 inf 1 arm 3 fig{} vs 4 inf 1 fig then hold 3 inf 1 arm 1 fig{}", (" choose", " choose vs choose")
    usual = solve_waves(parse(line.format("", "")).battle).hold_chance(0)
    orders = "attacker wave 1 fig inf arm; wave 2 inf arm · defender wave 2 inf fig arm"
    async with Engine(services.settings, ROOMS, processes=False) as engine:
        small = replace(services, engine=engine)
        shown = await reply_to(f"battle {line.format(*chosen)}", small)
        assert f"{LARGE}{orders} (usual orders: {100 * usual:.1f}%)\n" in shown
        assert "choosing changes" not in shown
        assert f"{LARGE}attacker wave 1 " in await reply_to(f"compare {line.format('', '')} or choose", small)
        money = await reply_to(f"battle {line.format(' choose:tuv', '')}", small)
        assert re.search(r"attacker wave 1 [a-z ]+ \(usual orders: [+−][\d.]+ IPC\)", money)


def test_json_answers_waves_too_large_to_choose_in_with_the_best_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.axis.casualties.solve.MOST_CELLS", 20)
    for aim in ("takes", "profit"):
        waves = parse(LINE).battle.with_choices([(True, False), (False, False)], aim)
        told = read_question(waves.to_dict() | {"all": True}, rules_by_game(), GAMES).work()
        best = chosen_odds_within(waves, 0.0, 10**9)
        assert best.ordered
        worths = [waves_worth(each.in_order, Meter())[aim == "profit"] for each in (best.ordered, waves)]
        assert [told["value"], told["value_of_orders"]] == pytest.approx(worths, rel=0, abs=1e-8)
        assert (told["value"] > told["value_of_orders"] + 0.01) == (aim == "takes")
        assert (told["exact"], told["now"]) == (False, [])
        assert told["loss_orders"] == [
            {"attacker": list(wave.order_of_loss("attack")), "defender": list(wave.order_of_loss("defence"))}
            for wave in best.ordered.battles
        ]
        assert told["endings"] == endings_to_dict(solve_waves(best.ordered))["endings"]


def test_json_lists_all_endings_under_the_best_choices() -> None:
    for line in (CHOSEN, "3 inf 2 fig choose vs 2 inf 1 fig", "3 inf 2 fig choose:tuv vs 2 inf 1 fig choose:tuv"):
        battle = parse(line).battle
        question = battle.to_dict()
        usual, every = (
            read_question(asked, rules_by_game(), GAMES).work() for asked in (question, question | {"all": True})
        )
        assert every == usual | endings_to_dict(chosen_odds_within(battle, DROPPED, 10**9))
        if battle.aim == "profit":
            worths = [row["profit"] for row in every["endings"]]
        else:
            worths = [row.get("ending", row["left"].get("holder")) in ("wins", "attacker") for row in every["endings"]]
        mean = sum(row["chance"] * worth for row, worth in zip(every["endings"], worths, strict=True))
        assert mean == pytest.approx(usual["value"], rel=0, abs=1e-6)


SIDES = st.lists(st.sampled_from([(True, False), (False, True), (True, True), (False, False)]), min_size=4, max_size=4)
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


@examples(40, derandomize=True)
@given(st.one_of(chains("land"), chains("sea")), SIDES, AIMS)
def test_every_line_with_choices_in_waves_is_read_again(document: Document, sides: list[Chooses], aim: Aim) -> None:
    plain = battle_from_dict(document | {"look_ahead": False}, editions()["1942"].rules)
    # In the chat nobody plans for a win that can never be: to take a sea.
    assume(all(wave.theatre == "land" or wave.retreat.win_means != "take" for wave in plain.battles))
    waves = plain.with_choices(sides[: len(plain.battles)], aim)
    line = write(waves)
    assume(len(line) <= LONGEST_LINE and any(waves.battles[0].attacker.units) and any(waves.fresh[0]))
    again = parse(line).battle
    assert write(again) == line
    assert again.free == waves.free
    question = read_question(waves.to_dict(), rules_by_game(), GAMES)
    assert question.battle == waves
