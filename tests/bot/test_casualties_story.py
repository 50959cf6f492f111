"""Chosen casualties as a chat: what choosing gains, what to lose now, where it works, and what programs are told."""

import json
import re
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.console import solve_lines
from bot.discord_app.client import Client
from bot.editions import editions
from bot.games.axis.chosen_casualties import choice_rows
from bot.notation.lexer import LONGEST_LINE
from bot.notation.mistakes import MatchupError
from bot.request import Services
from bot.rooms import ROOMS
from bot.settings import load
from bot.work.engine import Engine
from solver.axis.battle import AxisBattle
from solver.axis.best.orders import best_orders
from solver.axis.casualties.limits import choices_within
from solver.axis.casualties.solve import solve_casualties
from solver.axis.sides import Aim
from solver.axis.solve import solve_axis
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, reply_to, rows
from tests.helpers.bot.lines import parse, wave_of, write
from tests.helpers.extent import examples
from tests.helpers.solver.any_axis_battle import Document, at_sea, on_land

LINE = "3 inf 2 arm 2 fig vs 4 inf 1 fig"
CHOSEN = "3 inf 2 arm 2 fig choose vs 4 inf 1 fig"


def value(line: str) -> float:
    """What a battle is worth to the attacker if casualties are chosen in the best way."""
    return solve_casualties(wave_of(line)).value


def wins(line: str) -> float:
    """The attacker's chance by the orders of loss."""
    return solve_axis(wave_of(line)).wins


async def test_choose_shows_the_odds_of_the_best_choices(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup=CHOSEN)
    chosen, usual = 100 * value(CHOSEN), 100 * wins(LINE)
    assert shown.content.startswith(f"**Attacker takes it: {chosen:.1f}%, defender holds 8.2%")
    assert " · 3 inf 2 arm 2 fig against 4 inf 1 fig, attacker chooses casualties · A&A 1942\n" in shown.content
    gain = (
        f"With fixed casualty orders the attacker takes it {usual:.1f}%; choosing changes that by +{chosen - usual:.1f}"
    )
    assert f"{gain} points\n" in shown.content
    assert line_of(shown) == CHOSEN
    assert f"{chosen:.1f}%" in picture(shown)
    assert shown.labels == ["All endings", "Edit", "Save", "Ask on"]
    ends = await alice.presses(shown, "All endings")
    assert line_of(ends) == CHOSEN


async def test_both_sides_may_choose_for_the_tuv_swing(discord: FakeDiscord, bot: Client) -> None:
    line = "2 inf 2 fig choose:tuv vs 2 inf 1 arm choose:tuv"
    shown = await discord.member("Alice").sends("battle", matchup=line)
    assert "2 inf 2 fig against 2 inf 1 arm, both choose casualties for the TUV swing · " in shown.content
    assert "\nCompared with fixed casualty orders, choosing gains nothing\n" in shown.content
    assert f"TUV swing: {value(line):+.1f} IPC on average".replace("-", "−") in shown.content


async def test_the_gain_of_choosing_is_over_the_typed_casualty_order(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="3 inf 2 fig keep:1 choose vs 2 inf 1 aa")
    usual = 100 * wins("3 inf 2 fig keep:1 vs 2 inf 1 aa")
    assert f"\nWith fixed casualty orders the attacker takes it {usual:.1f}%; choosing gains nothing\n" in shown.content
    assert line_of(shown) == "3 inf 2 fig choose vs 2 inf 1 aa"
    swing = await alice.sends("battle", matchup="4 inf 2 arm 1 fig vs 3 inf 2 fig dchoose:tuv loss:fig,inf")
    assert "\nCompared with fixed casualty orders, choosing changes the TUV swing by −" in swing.content
    assert " IPC\n" in swing.content


async def test_the_gain_of_choosing_includes_when_to_stop(discord: FakeDiscord, bot: Client) -> None:
    alice, line = discord.member("Alice"), "3 inf 2 fig{} vs 2 inf 1 aa retreat:units<=1"
    shown = await alice.sends("battle", matchup=line.format(" choose"))
    assert "; choosing casualties and when to stop changes that by +" in shown.content
    order = await alice.sends("order", matchup=line.format(""))
    assert "\nChoosing casualties and when to stop instead of keeping the best order and the plan: " in order.content


async def test_choosing_at_sea_says_wins_and_not_takes_it(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("battle", matchup="2 sub 1 des choose vs 1 sub 1 cru")
    assert "With fixed casualty orders the attacker wins " in shown.content


async def test_order_says_what_choosing_gains_and_what_to_lose_now(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("order", matchup="2 inf 2 fig vs 2 inf 2 fig")
    assert (
        "\nChoosing after each roll instead of keeping the best order: "
        f"attacker takes it {100 * value('2 inf 2 fig choose vs 2 inf 2 fig'):.1f}% (+5.4)\n"
    ) in shown.content, "nothing of what gains nothing"
    table = " ".join(chain.from_iterable(rows(shown)))
    head = "attacker: what to lose now; gain in points over your order if you choose well afterwards, and TUV saved now"
    assert f" {head} hits gain TUV 2 +10.5 −7 lose 1 inf 1 fig 3 +1.4 −7 lose 1 inf 2 fig" in table


async def test_order_says_if_choosing_gains_nothing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    best = await alice.sends("order", matchup="3 inf 2 arm vs 4 inf")
    assert "\nChoosing gains nothing\n" in best.content
    assert "what to lose now" not in best.content
    other = await alice.sends("order", matchup=LINE)
    assert "\nChoosing gains nothing over the best order\n" in other.content
    assert "what to lose now" in other.content


async def test_order_says_what_choosing_gains_in_chance_and_money_at_sea(discord: FakeDiscord, bot: Client) -> None:
    line = "3 sub 2 des 1 bat 1 fig vs 2 sub 2 des 1 cru 1 bat"
    shown = await discord.member("Alice").sends("order", matchup=line)
    table = " ".join(chain.from_iterable(rows(shown)))
    assert (
        "attacker wins 78.9% (+1.2), TUV swing +22.9 IPC (+0.3) · defender TUV swing −22.5 IPC (+0.1)" in shown.content
    )
    assert "1 by subs, 3 by others +2.3 −2 lose 2 sub 1 des, damage 1 bat " in table


def test_no_loss_is_recommended_for_a_gain_too_small_to_show() -> None:
    """To lose the bomber for the artillery costs 8 and changes the chance by less than shows."""
    battle = wave_of("3 inf 3 arm 1 bom vs 4 art 4 fig 1 bom")
    gains = choices_within(battle, 10**8)
    assert gains
    assert gains.defender
    first = gains.defender.takes.now[0]
    assert (first.lose, first.order_lose) == ({"bomber": 1}, {"artillery": 1})
    assert first.order_value
    assert 0 < first.order_value - first.value < 0.0005
    told = choice_rows(battle, best_orders(battle, 1e9), gains)
    assert "lose 1 bom" not in "".join(told)
    assert any(re.fullmatch(r"4 +\+0\.4 +−8  lose 3 art 1 bom", line) for line in told)


def test_an_unknown_gain_of_choosing_is_not_called_nothing() -> None:
    battle = wave_of(LINE)
    orders, gains = best_orders(battle, 1e9), choices_within(battle, 10**8)
    assert gains
    assert gains.attacker
    first, *others = gains.attacker.takes.now
    takes = gains.attacker.takes._replace(now=[first._replace(order_value=None), *others])
    told = choice_rows(battle, orders, gains._replace(attacker=gains.attacker._replace(takes=takes)))
    assert any(re.fullmatch(r"1 +– +0  lose 1 inf", line) for line in told)
    assert not any(line.startswith("2 ") for line in told), "the order loses 2 inf, too"
    alone = choices_within(wave_of("3 inf vs 4 inf 1 fig"), 10**8)
    assert alone
    assert alone.attacker is None, "there is nothing to choose"
    assert alone.defender


async def test_compare_shows_choosing_beside_casualty_orders(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("compare", matchup=f"{LINE} or choose")
    chosen, usual = 100 * value(CHOSEN), 100 * wins(LINE)
    told = f"**B takes it more often: {chosen:.1f}% instead of {usual:.1f}% (+{chosen - usual:.1f} points)"
    assert shown.content.startswith(told)
    assert "\nB: the same with `choose`\n" in shown.content
    assert line_of(shown) == f"{LINE} || {CHOSEN}"
    theirs = await alice.sends("compare", matchup=f"{CHOSEN} || dchoose")
    assert line_of(theirs) == f"{CHOSEN} || {CHOSEN} choose"
    neither = await alice.sends("compare", matchup=f"{CHOSEN} || choose:no")
    assert line_of(neither) == f"{CHOSEN} || {LINE} achoose:no"
    (offered,) = await alice.types("compare", matchup=f"{LINE} || ch")
    assert offered.name.startswith(f"{LINE} || choose → A ")


IGNORED = "-# `/order` ignores `choose`.\n"


async def test_commands_that_do_not_take_choose_say_so(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command, told in (
        ("roll", "Roll it without `choose`, and press **What should I lose?** after a roll."),
        ("need", "Leave out `choose` for that: it works with `/battle` and `/compare`, and `/order` ignores it."),
        ("table", "Leave out `choose` for that"),
        ("dice", "Leave out `choose` for that"),
    ):
        for line in (CHOSEN, f"{LINE} then 4 arm choose"):
            shown = await alice.sends(command, matchup=line)
            assert shown.private
            assert told in shown.content
    order = await alice.sends("order", matchup=CHOSEN)
    assert order.content.startswith("**Attacker's best casualty order: inf, fig, arm**")
    assert IGNORED in order.content
    assert line_of(order) == LINE
    assert IGNORED not in (await alice.sends("order", matchup=LINE)).content


async def test_choose_keeps_to_the_limit_on_bombarding_ships(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="1 ainf 1 arm 2 cru choose vs 2 inf 1 fig")
    assert line_of(shown) == "1 arm 1 cru 1 ainf choose vs 2 inf 1 fig"
    after = await alice.presses(shown, "All ships fire")
    assert line_of(after) == "1 arm 2 cru 1 ainf choose vs 2 inf 1 fig"
    assert line_of(await alice.presses(after, "By the rulebook")) == line_of(shown)


async def test_choose_is_suggested_while_typing(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    offered = [choice.name for choice in await alice.types("battle", matchup="3 inf 2 arm cho")]
    found = [name.partition(" → ")[0] for name in offered]
    assert found == ["3 inf 2 arm choose vs 4 inf", "3 inf 2 arm choose:tuv vs 4 inf"]
    for word in ("dchoose", "achoose"):
        offered = [choice.name for choice in await alice.types("battle", matchup=f"3 inf 2 arm vs 4 inf {word[:2]}")]
        assert word in {name.partition(" → ")[0].split()[-1] for name in offered}


async def test_synonyms_and_typos_of_choose_are_read(discord: FakeDiscord, bot: Client) -> None:
    for typed, line in [
        ("3 inf chose vs 2 inf 1 fig", "3 inf choose vs 2 inf 1 fig"),
        ("3 inf 1 arm vs 2 inf 1 fig, both choose", "3 inf 1 arm choose vs 2 inf 1 fig choose"),
        ("3 inf 1 arm choose:takes vs 2 inf", "3 inf 1 arm choose vs 2 inf"),
    ]:
        assert line_of(await discord.member("Alice").sends("battle", matchup=typed)) == line


@pytest.mark.parametrize(
    ("typed", "marked", "reason"),
    [
        ("3 inf 1 arm choose: vs 2 inf", "choose:", "`choose:` needs yes, no, takes to choose for the chance, or tuv"),
        (
            "3 inf 1 arm choose:tuv vs 2 inf dchoose:win",
            "dchoose:win",
            "Both sides need the same aim: `choose:takes` for both, or `choose:tuv` for both",
        ),
    ],
)
def test_mistakes_about_choosing_are_marked(typed: str, marked: str, reason: str) -> None:
    with pytest.raises(MatchupError, match=re.escape(reason)) as error:
        parse(typed)
    assert error.value.line[error.value.start : error.value.end] == marked


async def test_choosing_casualties_is_answered_in_german(discord: FakeDiscord, bot: Client) -> None:
    reader = discord.member("Hans", locale="de", guild=discord.add_guild("Home", locale="de"))
    battle = await reader.sends("battle", matchup=CHOSEN)
    assert ", Angreifer wählt Verluste · A&A 1942" in battle.content
    gain = "Mit festen Verlustreihenfolgen gelingt die Eroberung: 70,7 %; die Wahl ändert das um +19,0"
    assert gain in battle.content
    order = await reader.sends("order", matchup="2 inf 2 fig vs 2 inf 2 fig")
    assert "Wahl nach jedem Wurf statt der besten festen Reihenfolge: Angreifer – Eroberung gelingt: " in order.content
    compared = await reader.sends("compare", matchup=f"{LINE} or choose")
    assert line_of(compared) == f"{LINE} || {CHOSEN}"


async def test_choose_in_a_battle_too_large_follows_the_best_orders(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.axis.casualties.solve.MOST_CELLS", 20)
    async with Engine(services.settings, ROOMS, processes=False) as engine:
        small = replace(services, engine=engine)
        told = await reply_to("battle 2 inf 3 arm 2 fig choose vs 4 inf 1 fig", small)
        best, usual = "attacker inf fig arm", 100 * wins("2 inf 3 arm 2 fig vs 4 inf 1 fig")
        large = "Too large to choose casualties round by round: these are the odds with the best fixed orders found, "
        assert f"{large}{best} (usual order: {usual:.1f}%)\n" in told
        assert "choosing changes" not in told
        compared = await reply_to("compare 2 inf 3 arm 2 fig vs 4 inf 1 fig or choose", small)
        assert f"{large}{best}" in compared
        assert f"takes it: {100 * wins('2 inf 3 arm 2 fig loss:inf,fig,arm vs 4 inf 1 fig'):.1f}%" in told
        order = await reply_to("order 2 inf 3 arm 2 fig vs 4 inf 1 fig", small)
        assert "This battle is too large to choose casualties round by round" in order
        assert "what to lose now" not in order


async def test_json_answers_chosen_casualties(tmp_path: Path) -> None:
    units = {"attacker": {"infantry": 3, "tank": 2, "fighter": 2}, "defender": {"infantry": 4, "fighter": 1}}
    wave = {side: {"units": counts} for side, counts in units.items()}
    asked = {"question": "casualties", "game": "axis1942", "theatre": "land", "chooses": "attacker", "waves": [wave]}
    lines = [asked, {**asked, "aim": "profit"}, {"text": CHOSEN}, {"text": f"{CHOSEN} exact"}, {**asked, "aim": 3}]
    lines.append({"text": "3 inf 2 fig keep:1 choose vs 2 inf 1 aa"})
    with (tmp_path / "out").open("w+") as out:
        assert await solve_lines(load(data=tmp_path), map(json.dumps, lines), out) == 1
        out.seek(0)
        takes, profit, text, exact, wrong, kept = map(json.loads, out)
    assert kept["value_of_orders"] == pytest.approx(wins("3 inf 2 fig keep:1 vs 2 inf 1 aa"), rel=0, abs=1e-9)
    assert takes["value"] == pytest.approx(value(CHOSEN), rel=0, abs=1e-12)
    assert takes["value_of_orders"] == pytest.approx(wins(LINE), rel=0, abs=1e-12)
    assert profit["value"] == pytest.approx(value(CHOSEN.replace("choose", "choose:tuv")), rel=0, abs=1e-9)
    assert takes == text == exact
    assert {losses["side"] for losses in takes["now"]} == {"attacker"}
    assert [sum(losses["lose"].values()) for losses in takes["now"]] == [losses["hits"] for losses in takes["now"]]
    assert wrong == {"error": "aim: the aim must be one of takes, profit, not 3"}


SIDES = st.sampled_from([(True, False), (False, True), (True, True)])
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["takes", "profit"])


@examples(50, derandomize=True)
@given(st.one_of(on_land(), at_sea()), SIDES, AIMS)
def test_every_line_with_choose_is_read_again(document: Document, chooses: tuple[bool, bool], aim: Aim) -> None:
    plain = AxisBattle.from_dict(document, editions()["1942"].rules)
    assume(all(any(count for _name, count in side.units) for side in (plain.attacker, plain.defender)))
    # In the chat nobody plans for a win that can never be: to take a sea.
    assume(plain.theatre == "land" or plain.retreat.win_means != "take")
    for battle in (plain, replace(plain, chooses=chooses, aim=aim)):
        line = write(battle)
        assume(len(line) <= LONGEST_LINE)
        assert wave_of(line) == battle.free
        assert write(parse(line).battle) == line
