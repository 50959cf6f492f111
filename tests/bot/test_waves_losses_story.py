"""Losses that players choose in live battles of several waves, as a chat; and logs from before they could."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.discord_app.client import Client
from bot.games.axis.live.losses import CHOOSING
from bot.languages import LANGUAGES, speaking
from bot.live.replay import ReplayError, replay
from bot.notation.defaults import RULES
from bot.request import Services
from bot.rooms import ROOMS
from bot.words.narrow import WIDEST
from solver.axis.sides import Ruling
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import battle_of, check, parse
from tests.helpers.bot.live_battles import (
    LIVE,
    MISTYPED,
    OVER,
    TYPED,
    first_line,
    log_of,
    rows,
    types_dice,
    under,
)
from tests.helpers.cases import each
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin

pytestmark = pytest.mark.usefixtures("quick_frames", "unannounced")

OLD_LOGS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "waves_logs.json").read_text())
"""Logs of several waves as they were rolled by the rules 1 to 5, and how each battle ended."""
LINE = "2 inf 1 arm vs 1 inf 1 art then hold 1 inf 1 arm loss:arm,inf"
ASK = "What should I lose?"
REFUSED = "Only the player whose units are hit chooses what to lose."
KEEP = ["Keep these losses", ASK]


async def test_in_a_hold_the_other_player_chooses(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup=LINE, opponent=bob)
    waits = await types_dice(alice, shown, "1 1 1 vs 1 6")
    assert first_line(waits) == (
        "Wave 1: the attacker can still choose other losses · attacker holds it in the end 72.5%"
    )
    assert waits.labels == [*KEEP, *TYPED]
    for label in KEEP:
        assert (await bob.presses(waits, label)).content.startswith(REFUSED)
    advice = await alice.presses(waits, ASK)
    assert rows(advice) == [
        "attacker loses in the end change TUV",
        "1 inf *72.5% order *+7.3",
        "1 arm 60.1% −12.4 +4.0",
    ]
    form = await alice.opens(advice, "Other losses")
    told = await alice.submits(form, {form.fields[0].label: "1 arm"})
    assert told.content == "Done: Wave 2 of 2: 1 arm 1 inf against 2 inf · attacker holds it in the end 60.1%"
    shown = await discord.next_edit(waits)
    assert rows(shown)[-4:] == [
        "1 inf 1 arm v nobody 72.5%",
        "attacker loses 1 arm",
        "wave 2",
        "1 arm 1 inf v 2 inf 60.1%",
    ]
    hold = await types_dice(bob, shown, "6 6 vs 1 6")
    assert hold.labels == [*LIVE, ASK, *TYPED], "a battle that goes on does not wait"
    assert (await alice.presses(hold, ASK)).content.startswith(REFUSED)
    advice = await bob.presses(hold, ASK)
    assert rows(advice)[1:] == ["1 inf *14.3% +11.3 *−5.6", "1 arm 2.9% order −8.0"]
    told = await bob.presses(advice, "Lose 1 inf")
    assert told.content == "Done: Wave 2 of 2: 1 arm against 2 inf · attacker holds it in the end 85.7%"
    shown = await discord.next_edit(hold)
    assert "Only the attacker rolls" in (await alice.presses(shown, "Roll")).content
    over = await types_dice(bob, await types_dice(bob, shown, "3 vs 6 6"), "3 vs 6")
    assert first_line(over) == "Defender holds it in the end with 1 arm left"
    assert over.labels == [*OVER, MISTYPED]
    checked = await alice.presses(over, "Verify")
    assert "no problems found" in checked.content
    sides = [entry["choice"]["side"] for entry in log_of(checked)["rolls"] if "choice" in entry]
    assert sides[:2] == ["attacker", "attacker"]
    assert "Choices between the rolls" in checked.content


async def test_rolling_waves_to_the_end_keeps_the_casualty_orders(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    over = await alice.presses(await alice.sends("roll", matchup=LINE), "Roll to the end")
    assert over.labels == OVER
    assert "no problems found" in (await alice.presses(over, "Verify")).content
    shown = await alice.sends("roll", matchup="2 inf 1 arm vs 3 inf 3 arm then 4 arm", opponent=bob)
    shown = await types_dice(alice, shown, "1 1 6 vs 1 1 1 6 6 6")
    assert (first_line(shown).split(" · ")[0], shown.labels) == (
        "Wave 1: the defender can still choose other losses",
        [*KEEP, *TYPED],
    )
    assert (await alice.presses(shown, "Keep these losses")).content.startswith(REFUSED)
    on = await bob.presses(shown, "Keep these losses")
    assert first_line(on).startswith("Wave 2 of 2: 4 arm against 1 inf 3 arm")


async def test_a_choice_between_two_waves_outlives_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        waits = await types_dice(alice, await alice.sends("roll", matchup=LINE), "1 1 1 vs 1 6")
        advice = await alice.presses(waits, ASK)
    async with discord.running(Client(services)):
        opened = await alice.sends("history open", battle=under(waits, "battle"))
        assert (opened.content, opened.labels) == (waits.content, [*KEEP, *TYPED])
        form = await alice.opens(advice, "Other losses")
        told = await alice.submits(form, {form.fields[0].label: "1 arm"})
    async with discord.running(Client(services)):
        assert told.content.startswith("Done: Wave 2 of 2: 1 arm 1 inf against 2 inf")
        shown = await alice.sends("history open", battle=under(waits, "battle"))
        assert rows(shown)[-1] == "1 arm 1 inf v 2 inf 60.1%"
        assert "Roll" in shown.labels


async def test_the_odds_of_losses_in_waves_fit_on_a_phone(services: Services) -> None:
    for spoken in LANGUAGES:
        for line, fallen in {
            LINE: (1, 1, 1, 1, 6),
            "2 bat 2 acc 2 fig vs 3 bat then hold 1 des": (*[6] * 6, 4, 4, 4),
        }.items():
            after: Any = begin(parse(line).battle).throw(script(*fallen))[1]
            assert CHOOSING.advice
            with speaking(spoken):
                advice = await CHOOSING.advice[1](services.engine, after, ("attacker", "defender"))
                assert max(map(len, advice.table)) <= WIDEST


# Logs ------------------------------------------------------------------------------------------------------


@each(range(len(OLD_LOGS)))
def test_logs_of_waves_from_before_losses_were_chosen_replay(number: int) -> None:
    old = OLD_LOGS[number]
    log = old["log"]
    assert check(log) == []
    battle = battle_of(log["line"], log.get("rules", 1))
    last: Any = replay(ROOMS.of(battle).game, battle, log["rolls"])[-1].fight
    assert (last.ended, last.wave, list(last.fight.left)) == (old["ended"], old["wave"], old["left"])


def test_the_rules_of_a_log_of_waves_decide_whether_losses_are_chosen() -> None:
    logs = [old["log"] for old in OLD_LOGS if old["log"].get("rules") == Ruling.FLEETS_STAY]
    assert len(logs) > 5
    for log in logs:
        battle = battle_of(log["line"], RULES)
        with pytest.raises(ReplayError, match="something has to be chosen before the next roll"):
            replay(ROOMS.of(battle).game, battle, log["rolls"])
