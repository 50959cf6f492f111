"""Losses that players choose, as a chat: the odds of each way, buttons and a form, who may choose, and luck."""

import asyncio
import json
from typing import Any

import pytest

from bot.commands.run import run
from bot.discord_app.client import Client
from bot.games.axis.live.losses import CHOOSING
from bot.games.axis.live.words import rows as rows_of_stages
from bot.games.live import LiveStage
from bot.languages import LANGUAGES, speaking
from bot.replies import Reply
from bot.request import Request, Services
from bot.words.narrow import WIDEST
from solver.axis.live.choices import WayChances, way_chances
from solver.axis.live.fight import AxisFight
from solver.game import SIDES
from solver.progress import takes
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.lines import wave_of
from tests.helpers.bot.live_battles import LIVE, MISTYPED, OVER, TYPED, first_line, log_of, record_of, rows, types_dice
from tests.helpers.extent import pick
from tests.helpers.solver.dice_rolled import script

pytestmark = pytest.mark.usefixtures("quick_frames")

LINE = "2 inf 2 arm 1 fig loss:arm,inf,fig vs 3 inf 1 arm loss:arm,inf"
DICE = "3 6 6 6 6 vs 3 6 6 2"
"""One hit of the attacker, two of the defender."""
ASK = "What should I lose?"
TUV = "TUV: the swing that the side can expect from this roll on."


async def begins(person: Person, line: str = LINE, dice: str = DICE, **given: Any) -> Shown:
    return await types_dice(person, await person.sends("roll", matchup=line, **given), dice)


async def catches_up(discord: FakeDiscord, shown: Shown) -> Shown:
    """The message of the battle after a choice in another message."""
    return await discord.next_edit(shown)


async def begins_with_a_choice(person: Person, line: str = LINE, **given: Any) -> Shown:
    """A battle with fair dice in which there is something to choose."""
    while True:
        shown = await person.sends("roll", matchup=line, **given)
        while "Roll" in shown.labels:
            shown = await person.presses(shown, "Roll")
            if ASK in shown.labels:
                return shown


# The odds, a button and a form ----------------------------------------------------------------------------


async def test_what_should_i_lose_shows_the_odds_of_each_choice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice)
    assert shown.labels == [*LIVE, ASK, *TYPED]
    assert first_line(shown) == "2 inf 1 fig against 3 inf · attacker takes it 24.8%"
    advice = await alice.presses(shown, ASK)
    assert advice.private
    assert rows(advice) == [
        "attacker loses takes it change TUV",
        "2 inf *69.4% +31.5 *−3.6",
        "1 arm 1 inf 61.1% +23.3 −5.9",
        "1 inf 1 fig 61.1% +23.3 −8.3",
        "1 arm 1 fig 45.3% +7.5 −11.9",
        "2 arm 37.9% order −10.1",
        "",
        "defender loses holds change TUV",
        "1 inf *85.2% +10.0 *+14.3",
        "1 arm 75.2% order +10.1",
    ]
    assert advice.content.startswith(
        "**What should I lose?** The attacker's losses: the odds if the attacker goes on choosing the best ones, and "
        "the defender follows the casualty order. The defender's losses: the odds if the defender goes on choosing the "
    )
    assert advice.labels == [
        *("Attacker loses 2 inf", "Defender loses 1 inf"),
        *("Attacker: other losses", "Defender: other losses"),
    ]
    assert discord.messages[shown.id].content == shown.content


async def test_a_button_chooses_and_the_message_of_the_battle_follows(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice)
    advice = await alice.presses(shown, ASK)
    told = await alice.presses(advice, "Attacker loses 2 inf")
    assert (told.id, told.private, told.labels) == (advice.id, True, [])
    assert told.content == "Done: 2 arm 1 fig against 3 inf · attacker takes it 45.5%"
    shown = await catches_up(discord, shown)
    assert first_line(shown) == "2 arm 1 fig against 3 inf · attacker takes it 45.5%"
    assert rows(shown)[-3:] == [
        "2 inf 1 fig v 3 inf 24.8%",
        "attacker loses 2 inf",
        "2 arm 1 fig v 3 inf 45.5%",
    ]
    again = await alice.presses(shown, ASK)
    assert "2 inf *69.4% +31.5 *−3.6" in rows(again)
    assert again.labels[:2] == ["Attacker loses 2 arm", "Defender loses 1 inf"], "the order's losses can be taken back"
    on = await types_dice(alice, shown, "6 6 6 vs 6 6 6")
    assert first_line(on).startswith("2 arm 1 fig against 3 inf")
    assert ASK not in on.labels


async def test_further_choices_of_losses_are_typed_in_a_form(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice)
    form = await alice.opens(await alice.presses(shown, ASK), "Attacker: other losses")
    (field,) = form.fields
    assert (form.title, field.label, field.value) == ("Other losses", "What you lose: 2 hits", "2 arm")
    wrong = "By the rules 2 hits can't be taken like that. In casualty order you lose `2 arm`."
    for typed, answer in {
        "2 arm 1 fig": wrong,
        "1 arm": wrong,
        "1 sub 1 arm": wrong,
        "2 arm": "These are the losses already.",
        "2 dragons": "I don't know a unit `dragons`.",
        "arm": "Type what you lose, with a number before each unit: `2 arm`.",
        "-1 arm 3 inf": "Type what you lose, with a number before each unit: `2 arm`.",
    }.items():
        refused = await alice.submits(form, {field.label: typed})
        assert (refused.private, refused.content) == (True, answer), typed
    told = await alice.submits(form, {field.label: " 1 TANK, 1fig and 0 inf"})
    assert told.content.startswith("Done: 1 arm 2 inf against 3 inf")
    shown = await catches_up(discord, shown)
    assert "attacker loses 1 arm 1 fig" in rows(shown)


async def test_a_first_hit_on_a_ship_is_written_as_a_damaged_ship(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, "2 bat 1 cru vs 2 bat 1 cru", "6 6 6 vs 4 4 6")
    assert first_line(shown).startswith("1 cru 2 dbat against 1 cru 2 bat")
    advice = await alice.presses(shown, ASK)
    assert {row.rpartition("%")[0].rpartition(" ")[0] for row in rows(advice)[1:]} == {
        *("2 dbat", "1 cru 1 dbat", "1 bat 1 dbat")
    }
    form = await alice.opens(advice, "Other losses")
    assert form.fields[0].value == "2 dbat"
    await alice.submits(form, {form.fields[0].label: "1 bat 1 dbat"})
    shown = await catches_up(discord, shown)
    assert first_line(shown).startswith("1 cru 1 bat against 1 cru 2 bat")
    form = await alice.opens(await alice.presses(shown, ASK), "Other losses")
    same = await alice.submits(form, {form.fields[0].label: "1 bat"})
    assert same.content == "These are the losses already.", "both hits fall on a ship that is typed once"


async def test_losses_are_typed_with_the_word_for_and_of_each_language(discord: FakeDiscord, bot: Client) -> None:
    typed_ways = ["1 arm и 1 fig", "1 arm + 1 fig", "1 arm and 1 fig", "1 arm und 1 fig", "1 arm y 1 fig"]
    for typed in typed_ways[: pick(2, 5)]:
        alice = discord.member("Alice")
        shown = await begins(alice)
        form = await alice.opens(await alice.presses(shown, ASK), "Attacker: other losses")
        await alice.submits(form, {form.fields[0].label: typed})
        assert "attacker loses 1 arm 1 fig" in rows(await catches_up(discord, shown))


async def test_only_better_losses_have_a_button(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    guns = await begins(alice, "2 inf 1 fig 1 bom loss:inf,fig,bom vs 2 inf 1 aa", "1 6")
    advice = await alice.presses(guns, ASK)
    assert rows(advice)[1:] == ["1 fig *59.9% order *−8.0", "1 bom 49.6% −10.3 −11.8"]
    assert advice.labels == ["Other losses"]


async def test_a_chance_that_does_not_show_is_worth_no_unit(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, "2 inf 2 fig vs 4 inf 1 arm", "6 6 6 6 vs 1 1 6 6 6")
    advice = await alice.presses(shown, ASK)
    assert rows(advice)[1:] == ["2 inf 0% order −21.9"]
    assert advice.labels == ["Other losses"]


async def test_a_decided_battle_has_a_button_for_the_best_tuv(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, "2 inf 2 fig loss:fig,inf vs 4 inf 1 arm", "6 6 6 6 vs 1 1 6 6 6")
    advice = await alice.presses(shown, ASK)
    assert rows(advice)[1:] == [
        "2 inf 0% 0.0 *−21.9",
        "1 fig 1 inf 0.1% +0.1 −23.1",
        "2 fig <0.1% order −24.7",
    ]
    assert advice.labels == ["Lose 2 inf", "Other losses"]


async def test_a_choice_with_a_worse_chance_and_tuv_than_another_has_no_button(
    discord: FakeDiscord, bot: Client
) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, "4 inf 4 fig vs 2 inf 2 fig value:3", "6 6 6 6 6 6 6 6 vs 1 1 1 1")
    advice = await alice.presses(shown, ASK)
    assert rows(advice)[1:3] == ["3 inf 1 fig *23.1% +23.1 −31.4", "2 inf 2 fig 16.0% +16.0 −35.9"]
    assert advice.labels == ["Lose 3 inf 1 fig", "Other losses"]


async def test_the_best_tuv_has_a_button_beside_the_best_chance(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, "2 inf 3 fig loss:fig,inf vs 3 inf", "1 6 6 6 6 vs 1 1 6")
    advice = await alice.presses(shown, ASK)
    assert rows(advice)[1:] == ["1 fig 1 inf *83.7% +8.1 −10.3", "2 fig 75.6% order −17.0", "2 inf 0% −75.6 *−6.7"]
    assert advice.labels == ["Lose 1 fig 1 inf", "Lose 2 inf", "Other losses"]


async def test_a_retreat_with_a_better_tuv_is_said_to_the_attacker(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await begins(alice, "2 inf 3 fig vs 3 inf 1 arm", "1 6 6 6 6 vs 1 1 6 6", opponent=bob)
    said = "By TUV a retreat is better: −3.0 IPC now, best left of fighting on: −13.6 IPC."
    assert said in (await alice.presses(shown, ASK)).content.splitlines()
    assert "retreat" not in (await bob.presses(shown, ASK)).content
    other = await begins(alice)
    advice = await alice.presses(other, ASK)
    assert (
        "By TUV it is better to lose 2 inf and retreat: 0.0 IPC, best left of fighting on: −3.6 IPC."
        in advice.content.splitlines()
    )
    waits = await begins(alice, "1 inf 1 fig vs 1 inf", "3 6 vs 2")
    assert "retreat" not in (await alice.presses(waits, ASK)).content


async def test_without_work_for_the_tuv_the_odds_are_shown(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")

    def without_swings(*given: Any) -> WayChances:
        found = way_chances(*given)
        return found._replace(ways=[way._replace(swing=None) for way in found.ways])

    monkeypatch.setattr("bot.games.axis.live.losses.way_chances", takes(lambda *_given: 0.1)(without_swings))
    advice = await alice.presses(await begins(alice), ASK)
    assert rows(advice)[:3] == ["attacker loses takes it change", "2 inf *69.4% +31.5", "1 arm 1 inf 61.1% +23.3"]
    assert "TUV" not in advice.content
    assert "retreat" not in advice.content
    assert advice.labels[:2] == ["Attacker loses 2 inf", "Defender loses 1 inf"]


async def test_the_odds_of_losses_look_ahead_to_later_choices(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line, text, table in (
        (
            "2 arm 2 fig vs 2 inf",
            "The attacker's losses: the odds if the attacker goes on choosing the best ones, and the defender "
            "follows the casualty order.",
            ["1 arm 93.4% order −7.1"],
        ),
        (
            "2 arm 2 fig rounds:9 vs 2 inf",
            "The attacker's losses: the odds if nobody chooses again, and both sides follow their casualty orders.",
            ["1 fig *76.6% +41.8 −10.1", "1 arm 34.8% order *−7.1"],
        ),
    ):
        advice = await alice.presses(await begins(alice, line, "6 6 6 6 vs 1 6"), ASK)
        assert advice.content.startswith(f"**What should I lose?** {text} {TUV}")
        assert rows(advice)[1:] == table


async def test_a_private_battle_goes_on_in_the_message_of_the_odds(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await begins(alice, private=True)
    after = await alice.presses(await alice.presses(shown, ASK), "Attacker loses 2 inf")
    assert after.private
    assert first_line(after).startswith("2 arm 1 fig against 3 inf")
    assert after.labels == [*LIVE, ASK, MISTYPED]


async def test_there_is_no_choice_of_losses_without_alternatives(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    start = await alice.sends("roll", matchup=LINE)
    assert start.labels == LIVE
    assert start.content.startswith("⚔️ **Attacker takes it: ")
    missed = await types_dice(alice, start, "6 6 6 6 6 vs 6 6 6 6")
    assert missed.labels == [*LIVE, *TYPED]
    assert " · attacker takes it " in missed.content.splitlines()[0]
    assert (await alice.sends("roll", matchup="1 sub vs 1 des")).content.startswith("⚔️ **Attacker wins ")


async def test_the_odds_and_the_choices_fit_on_a_phone(services: Services) -> None:
    for spoken in LANGUAGES:
        for line, fell in {
            LINE: (3, 6, 6, 6, 6, 3, 6, 6, 2),
            "2 bat 2 acc 2 fig vs 3 bat": (*[6] * 6, 4, 4, 4),
        }.items():
            fight, source = AxisFight.begin(wave_of(line)), script(*fell)
            after = fight.throw(source)[1]
            assert CHOOSING.advice
            with speaking(spoken):
                advice = await CHOOSING.advice[1](services.engine, after, SIDES)
                choice = after.choosers and {
                    "side": after.choosers[0],
                    "lose": {"battleship": 12, "carrier": 34, "fighter": 5},
                }
                stages = [LiveStage(fight), LiveStage(after, choice=choice)]
                assert max(map(len, (*advice.table, *rows_of_stages(stages)))) <= WIDEST


async def test_both_players_can_choose_at_the_same_time(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await begins(alice, opponent=bob)
    ours, theirs = await alice.presses(shown, ASK), await bob.presses(shown, ASK)
    presses = alice.begins_pressing(ours, "Lose 2 inf"), bob.begins_pressing(theirs, "Lose 1 inf")
    told = await asyncio.gather(*(press.answered() for press in presses))
    assert all(one.content.startswith("Done: ") for one in told)
    assert len((await record_of(services, shown)).rolls) == 3


# The end --------------------------------------------------------------------------------------------------


async def test_an_end_that_losses_can_change_waits_for_a_choice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for choice, end in {"Lose 1 fig": "Attacker takes it with 1 inf left", "": "Attacker clears it but can't"}.items():
        shown = await begins(alice, "1 inf 1 fig vs 1 inf", "3 6 vs 2")
        assert first_line(shown) == "The attacker can still choose other losses · attacker takes it 0%"
        assert shown.labels == ["Keep these losses", ASK, *TYPED]
        if choice:
            advice = await alice.presses(shown, ASK)
            assert rows(advice) == [
                "attacker loses takes it change TUV",
                "1 fig *100% +100.0 −7.0",
                "1 inf 0% order *0.0",
            ]
            await alice.presses(advice, choice)
            over = await catches_up(discord, shown)
        else:
            over = await alice.presses(shown, "Keep these losses")
        assert first_line(over).startswith(end)
        assert over.labels == [*OVER, MISTYPED]
        log = log_of(await alice.presses(over, "Verify"))
        assert log["rolls"][-1]["choice"] == {"side": "attacker", "lose": {"fighter" if choice else "infantry": 1}}


async def test_rolling_to_the_end_keeps_the_casualty_order(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for _ in range(2):
        over = await alice.presses(await alice.sends("roll", matchup="1 inf 1 fig vs 1 inf"), "Roll to the end")
        assert over.labels == OVER
        assert "no problems found" in (await alice.presses(over, "Verify")).content


# Luck and the check ---------------------------------------------------------------------------------------


async def test_the_luck_of_dice_and_the_effect_of_losses_are_separate(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await begins_with_a_choice(
        alice, "6 inf 4 arm 2 fig loss:fig,arm,inf vs 7 inf 3 arm 1 fig loss:fig,arm,inf"
    )
    judged = (await record_of(services, shown)).battle
    advice = await alice.presses(shown, ASK)
    await alice.presses(advice, advice.labels[0])
    shown = await catches_up(discord, shown)
    over = await alice.presses(shown, "Roll to the end")
    record = await record_of(services, over)
    chances = [record.battle.start, *(roll.chance for roll in record.rolls)]
    known = [found for found in chances if found is not None]
    assert len(known) == len(chances)
    by_dice, by_choices, choices = 0.0, 0.0, 0
    for before, after, roll in zip(known, known[1:], record.rolls, strict=False):
        if "choice" in json.loads(roll.entry):
            by_choices, choices = by_choices + after - before, choices + 1
        else:
            by_dice += after - before
    assert by_choices
    assert by_dice + by_choices == pytest.approx(known[-1] - known[0], abs=1e-12)
    helped = "attacker" if by_dice > 0 else "defender"
    sign = "+" if by_choices > 0 else "−"
    assert over.content.splitlines()[1] == (
        f"The dice helped the {helped}: +{abs(100 * by_dice):.1f} points of win chance"
        f" · choices: {sign}{abs(100 * by_choices):.1f} points for the attacker, compared with the order"
    )
    assert record.battle.chance == judged.chance, "luck counts up to the choice that changed something"
    assert f"Choices between the rolls: {choices}." in (await alice.presses(over, "Verify")).content


async def test_a_round_of_several_volleys_has_a_chance_at_each_roll(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await begins_with_a_choice(alice, "4 sub 1 bom vs 2 des 2 cru 2 bat")
    record = await record_of(services, shown)
    assert None not in [record.battle.start, *(roll.chance for roll in record.rolls)]


# Who chooses, and when ------------------------------------------------------------------------------------


async def test_with_an_opponent_each_player_chooses_their_own_losses(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await begins(alice, opponent=bob)
    ours, theirs = await alice.presses(shown, ASK), await bob.presses(shown, ASK)
    assert (rows(ours)[0], rows(theirs)[0]) == ("attacker loses takes it change TUV", "defender loses holds change TUV")
    assert ours.labels == ["Lose 2 inf", "Other losses"]
    assert theirs.labels == ["Lose 1 inf", "Other losses"]
    assert "Only the two players can press here" in (await xena.presses(shown, ASK)).content
    await alice.submits(await alice.opens(ours, "Other losses"), {"What you lose: 2 hits": "1 inf 1 fig"})
    shown = await catches_up(discord, shown)
    told = await bob.presses(theirs, "Lose 1 inf")
    assert told.content.startswith("Done: 2 arm 1 inf against 1 arm 2 inf"), "the opponent's choice does not undo his"
    shown = await catches_up(discord, shown)
    assert [row for row in rows(shown) if " loses " in row] == ["attacker loses 1 inf 1 fig", "defender loses 1 inf"]


async def test_an_end_waits_for_the_player_whose_losses_can_change_it(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await begins(alice, "1 inf 1 fig vs 1 inf", "3 6 vs 2", opponent=bob)
    refused = "Only the player whose units are hit chooses what to lose."
    for label in ("Keep these losses", ASK):
        assert (await bob.presses(shown, label)).content.startswith(refused)
    assert (await alice.presses(shown, "Keep these losses")).labels == [*OVER, MISTYPED]


async def test_a_late_choice_of_losses_gets_a_sentence(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await begins(alice, open=True)
    advice = await bob.presses(shown, ASK)
    form = await bob.opens(advice, "Attacker: other losses")
    await types_dice(alice, shown, "6 6 6 vs 6 6 6")
    entries = len((await record_of(services, shown)).rolls)
    late = "The battle has gone on: these losses can't be chosen any more."
    assert (await bob.presses(advice, "Attacker loses 2 inf")).content == late
    assert (await bob.presses(advice, "Attacker: other losses")).content == late
    assert (await bob.submits(form, {form.fields[0].label: "2 inf"})).content == late
    assert len((await record_of(services, shown)).rolls) == entries


async def test_a_forged_choice_of_losses_changes_nothing(services: Services) -> None:
    """Changed clients can press what they like."""

    async def presses(command: str, argument: str, **options: str) -> str:
        reply = await run(Request(command, "1", "Alice", "guild:1", options, argument=argument), services)
        return reply.text if isinstance(reply, Reply) else reply.title

    first = await run(Request("roll", "1", "Alice", "guild:1", {"matchup": LINE}), services)
    assert isinstance(first, Reply)
    assert first.frame
    name = first.frame.battle
    late = "The battle has gone on: these losses can't be chosen any more."
    for text in ("attacker 2 arm", "nobody 2 arm", "", "9", "attacker"):
        assert await presses("choose", f"{name}:0:{text}") == late
        assert await presses("ask choice", f"{name}:0:{text}") == late
    await presses("real dice", f"{name}:0", dice=DICE)
    for text in ("nobody 2 arm", "", "9"):
        assert await presses("choose", f"{name}:1:{text}") == late
    for text in ("attacker", "attacker " + "9" * 5000 + " arm", "attacker 2 arm 2 arm", "defender 1 arm; DROP TABLE"):
        assert await presses("choose", f"{name}:1:{text}") != late
    record = await services.store.battles.find(name)
    assert record
    assert len(record.rolls) == 1
    other = await run(Request("roll", "1", "Alice", "guild:1", {"matchup": "12 9"}), services)
    assert isinstance(other, Reply)
    assert other.frame
    for command in ("advise", "choose", "ask choice"):
        assert await presses(command, f"{other.frame.battle}:0:attacker 1 inf")
