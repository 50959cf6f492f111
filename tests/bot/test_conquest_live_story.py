"""A whole turn on a map as a chat: presses, how many move in, who may say so, luck and choices, and the check."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.commands.run import run
from bot.discord_app.client import Client
from bot.live import fair
from bot.replies import Reply
from bot.request import Request, Services
from bot.store.records import BattleRecord
from bot.work.engine import Engine
from solver.conquest import play
from solver.errors import TooLargeError
from tests.fake_discord import FakeDiscord, Person, Shown
from tests.helpers.bot.live_battles import (
    LIVE,
    MISTYPED,
    OVER,
    TYPED,
    first_line,
    log_of,
    record_of,
    rows,
    types_dice,
    under,
)
from tests.helpers.program import until

pytestmark = pytest.mark.usefixtures("quick_frames")

TURN = "12 siam > 3 indonesia, 2 new guinea, 1 western australia, 1 eastern australia"
SURE = "20 siam > 1 indonesia, 3 new guinea"
"""Nobody doubts that Indonesia falls; with few armies New Guinea may not."""
FIELD = "How many move in, 3 to {most}"


async def take_indonesia(person: Person, shown: Shown) -> Shown:
    """Roll until Indonesia has fallen, which takes a few rounds."""
    while "Roll" in shown.labels:
        shown = await person.presses(shown, "Roll")
    assert "Other number" in shown.labels
    return shown


# From the first frame to the last --------------------------------------------------------------------------


async def test_a_turn_is_rolled_throw_by_throw_by_best_play(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup=TURN)
    assert (first_line(shown), shown.labels) == ("Takes Australia: 84.2%", LIVE)
    assert shown.content.splitlines()[1] == "Next: Siam → Indonesia, 12 against 3"
    shown = await types_dice(alice, shown, "6 6 1 vs 1 1")
    assert first_line(shown).startswith("Next: Siam → Indonesia, 12 against 1 · takes all: ")
    assert rows(shown)[1] == "Siam 12 > Indonesia 3 84.2%", "the plan's attack, with the chance before it"
    shown = await types_dice(alice, shown, "6 1 1 vs 1")
    assert re.fullmatch(r"Indonesia falls with 12 left: how many move in\? · takes all: \d\d\.\d%", first_line(shown))
    assert shown.labels == ["Move all 12 in (plan)", "Fewest: 3", "Other number", "Roll to the end", "Retreat", *TYPED]
    shown = await alice.presses(shown, "Move all 12 in (plan)")
    assert first_line(shown).startswith("Next: Indonesia → New Guinea, 11 against 2 · takes all: ")
    assert rows(shown)[-2:] == ["→ 12 of 12 move into Indonesia", f"Indonesia 11 > New Guinea 2 {chance(shown)}"]
    assert shown.labels == [*LIVE, "Other attack", MISTYPED]
    shown = await types_dice(alice, shown, "6 6 1 vs 1 1")
    shown = await alice.presses(shown, "Move all 11 in (plan)")
    shown = await types_dice(alice, shown, "6 1 1 vs 1")
    shown = await alice.presses(shown, "Move all 10 in (plan)")
    shown = await types_dice(alice, shown, "6 1 1 vs 1")
    assert first_line(shown) == "Takes Australia", "where nothing is left to take, nobody has to move in"
    assert shown.labels == [*OVER, MISTYPED]
    assert "The dice" not in shown.content, "who knows, with dice from the table"


def chance(shown: Shown) -> str:
    return first_line(shown).rpartition(" ")[2]


async def test_another_front_attacks_next_if_the_player_likes(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    shown = await alice.sends("roll", matchup="12 siam, 3 china > 9 india, 1 indonesia", opponent=bob)
    assert shown.labels == [*LIVE, "China → India", "Siam → Indonesia"]
    assert "Next: Siam → India, 12 against 9" in shown.content
    refused = await bob.presses(shown, "China → India")
    assert refused.content.startswith("Only the attacker chooses attacks and how many armies move in.")
    shown = await alice.presses(shown, "China → India")
    assert first_line(shown) == "Next: China → India, 3 against 9 · takes all: 77.3%"
    assert (rows(shown), shown.labels) == (["China 3 > India 9 77.3%"], [*LIVE, "Other attack"])
    shown = await alice.presses(shown, "Roll")
    assert (await record_of(services, shown)).entries[1]["dice"] == ["3d6", "2d6"]
    assert first_line(shown).startswith("Next: Siam → India, 12 against "), "best play goes on from there"
    asked = await alice.presses(shown, "Other attack")
    assert asked.private
    head, first, *others = rows(asked)
    assert (head, first.split()[-1]) == ("attack takes all change", "next")
    assert asked.labels == [" ".join(row.split()[:3]) for row in others]
    done = await alice.presses(asked, asked.labels[-1])
    await until(lambda: f"Next: {asked.labels[-1]}, " in discord.messages[shown.id].content)
    shown = discord.messages[shown.id]
    assert done.content == f"Done: {first_line(shown)}"
    assert others[-1].split()[3] == rows(shown)[-1].split()[-1] == chance(shown)
    over = await alice.presses(shown, "Roll to the end")
    assert re.search(r"choices: −\d+\.\d points against best play", over.content)
    assert "no problems found" in (await alice.presses(over, "Verify")).content


async def test_another_number_is_chosen_with_a_button_or_in_a_form(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    begun = await alice.sends("roll", matchup=TURN.replace("3 indonesia", "1 indonesia"))
    asked, left = await types_dice(alice, begun, "6 6 6 vs 1"), 12
    assert first_line(asked).startswith(f"Indonesia falls with {left} left: how many move in?")
    form = await alice.opens(asked, "Other number")
    (field,) = form.fields
    assert (form.title, field.label) == ("Other number", FIELD.format(most=left))
    for typed in ("2", str(left + 1), "0", "-3", "all", "9" * 6, "3.5"):
        refused = await alice.submits(form, {field.label: typed})
        assert (refused.private, refused.content) == (True, f"Type a number from 3 to {left}.")
    shown = await alice.submits(form, {field.label: " 5 "})
    assert f"→ 5 of {left} move into Indonesia" in rows(shown)
    assert first_line(shown).startswith("Next: Indonesia → New Guinea, 4 against 2"), "one stays in Indonesia"


async def test_rolling_to_the_end_is_best_play_and_logs_choices(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    over = await alice.presses(await alice.sends("roll", matchup=TURN), "Roll to the end")
    assert over.labels == OVER
    assert over.content.splitlines()[1].endswith(" · choices: best play")
    log = log_of(await alice.presses(over, "Verify"))
    choices = [entry["choice"] for entry in log["rolls"] if "choice" in entry]
    assert choices[0] == {"attack": {"from": "siam", "to": "indonesia"}}
    assert [entry["n"] for entry in log["rolls"]] == list(range(1, len(log["rolls"]) + 1))
    assert {entry["user"] for entry in log["rolls"]} == {"1"}
    assert all(entry["dice"] == ["", ""] for entry in log["rolls"] if "choice" in entry)


async def test_a_turn_with_the_option_most_goes_on_with_other_fronts(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="6 siam, 6 peru > 3 indonesia, 3 brazil most")
    assert re.fullmatch(r"Takes \d\d\.\d% on average", first_line(shown))
    while "Roll" in shown.labels:
        shown = await alice.presses(shown, "Roll")
    assert shown.labels == OVER
    assert re.fullmatch(r"Takes both territories|[01] of 2 territories taken", first_line(shown))
    assert re.match(
        r"The dice (helped the \w+: \+\d+\.\d points|were even) · choices: best play", shown.content.splitlines()[1]
    )
    assert (await record_of(services, shown)).battle.judged == 0
    assert "no battles yet" in (await alice.sends("luck")).content, "a share is no chance to win"


async def test_a_retreat_ends_the_turn(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE))
    gone = await alice.presses(asked, "Retreat")
    assert (first_line(gone), gone.labels) == ("Attack called off, 1 of 2 territories taken", OVER)
    assert rows(gone)[-1] == "retreat"
    luck = gone.content.splitlines()[1]
    assert re.search(r" · choices: −\d+\.\d points against best play$", luck), (
        "who retreats gives the rest of the chance away"
    )
    assert "The attacker retreated." in (await alice.presses(gone, "Verify")).content


async def test_a_hopeless_turn_is_named_before_the_first_roll(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("roll", matchup="9 siam > 3 indonesia, 2 brazil")
    assert first_line(shown) == "There is no way to take all, 0 of 2 territories taken"
    assert shown.labels == ["Ask on"]


# Luck and choices -------------------------------------------------------------------------------------------


async def test_the_luck_of_dice_and_of_choices_is_shown_separately(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE))
    judged = (await record_of(services, asked)).battle
    over = await alice.presses(await alice.presses(asked, "Fewest: 3"), "Roll to the end")
    record = await record_of(services, over)
    chances = [record.battle.start, *(roll.chance for roll in record.rolls)]
    known = [found for found in chances if found is not None]
    assert len(known) == len(chances)
    by_dice = by_choices = 0.0
    for before, after, roll in zip(known, known[1:], record.rolls, strict=False):
        if "choice" in json.loads(roll.entry):
            by_choices += after - before
        else:
            by_dice += after - before
    assert by_choices < -0.3
    assert by_dice + by_choices == pytest.approx(known[-1] - known[0], abs=1e-12)
    side = "attacker" if by_dice > 0 else "defender"
    assert over.content.splitlines()[1] == (
        f"The dice helped the {side}: +{abs(100 * by_dice):.1f} points of win chance"
        f" · choices: −{abs(100 * by_choices):.1f} points against best play"
    )
    assert record.battle.chance == judged.chance, "luck counts up to the choice that cost something"
    assert (record.battle.judged, judged.judged) == (judged.judged, kinds(record).index("move") - 1)
    assert "1 battle" in (await alice.sends("luck")).content


def kinds(record: BattleRecord) -> list[str]:
    entries = [json.loads(roll.entry) for roll in record.rolls]
    return [next(iter(entry["choice"])) if "choice" in entry else "roll" for entry in entries]


async def test_choices_as_planned_leave_the_luck_to_count(
    discord: FakeDiscord, bot: Client, services: Services
) -> None:
    alice = discord.member("Alice")
    over = await alice.presses(await alice.sends("roll", matchup=TURN), "Roll to the end")
    record = await record_of(services, over)
    assert record.battle.judged == kinds(record).count("roll")
    assert record.battle.chance in (0.0, 1.0)


# Who presses, and when --------------------------------------------------------------------------------------


async def test_with_an_opponent_only_the_attacker_decides(discord: FakeDiscord, bot: Client) -> None:
    alice, bob, xena = discord.member("Alice"), discord.member("Bob"), discord.member("Xena")
    shown = await alice.sends("roll", matchup=SURE, opponent=bob)
    asked = await take_indonesia(alice, shown)
    plan = asked.labels[0]
    for label in (plan, "Fewest: 3", "Roll to the end"):
        refused = await bob.presses(asked, label)
        assert refused.private
        assert refused.content.startswith("Only the attacker chooses attacks and how many armies move in.")
        assert "Only the two players can press here" in (await xena.presses(asked, label)).content
    assert "Only the attacker" in (await bob.presses(asked, "Other number")).content
    assert discord.messages[asked.id].content == asked.content
    after = await alice.presses(asked, plan)
    assert (await bob.presses(after, "Roll")).private
    assert (await alice.presses(after, "Roll")).id == asked.id


async def test_a_late_press_in_a_turn_moves_no_armies(discord: FakeDiscord, bot: Client, services: Services) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE, open=True))
    form = await bob.opens(asked, "Other number")
    after = await alice.presses(asked, "Fewest: 3")
    turns = len((await record_of(services, after)).rolls)
    await bob.submits(form, {form.fields[0].label: "5"})
    await bot.finish_answers()
    (late,) = (seen for seen in bob.sees if seen.private)
    assert late.content == "That round is already rolled; the result is in the message."
    assert len((await record_of(services, after)).rolls) == turns
    assert discord.messages[asked.id].content == after.content


async def test_the_opponent_goes_on_after_the_attacker_is_erased(discord: FakeDiscord, bot: Client) -> None:
    alice, bob = discord.member("Alice"), discord.member("Bob")
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE, opponent=bob))
    await alice.sends("history forget")
    assert (await bob.presses(asked, "Fewest: 3")).labels == LIVE


async def test_a_forged_press_in_a_turn_changes_nothing(services: Services) -> None:
    """Changed clients can press what they like."""

    async def presses(command: str, argument: str, **options: str) -> str:
        reply = await run(Request(command, "1", "Alice", "guild:1", options, argument=argument), services)
        return reply.text if isinstance(reply, Reply) else reply.title

    first = await run(Request("roll", "1", "Alice", "guild:1", {"matchup": SURE}), services)
    assert isinstance(first, Reply)
    assert first.frame
    name = first.frame.battle
    late = "That round is already rolled; the result is in the message."
    for number in ("3", "", "x"):
        assert await presses("choose", f"{name}:0:{number}") == late
    assert await presses("ask number", f"{name}:0") == late
    turn, shown = 0, ""
    while "how many move in?" not in shown:
        shown = await presses("roll on", f"{name}:{turn}")
        record = await services.store.battles.find(name)
        assert record
        turn = len(record.rolls)
    for command, options in (("roll on", {}), ("ask dice", {}), ("real dice", {"dice": "6 6 6 vs 1"})):
        assert await presses(command, f"{name}:{turn}", **options) == "First choose how many armies move in."
    for number in ("2", "21", "", "x", "-1", "3.5", "1e1", "9" * 5000):
        assert (await presses("choose", f"{name}:{turn}:{number}")).startswith("Type a number from 3 to ")
    again = await services.store.battles.find(name)
    assert again == record


async def test_a_turn_of_older_rules_goes_on_by_its_plan(
    discord: FakeDiscord, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        with monkeypatch.context() as older:
            older.setattr("bot.commands.live.RULES", 7)
            begun = await alice.sends("roll", matchup="12 siam, 8 china > 4 india, 4 mongolia")
        shown = await alice.presses(begun, "Roll")
        assert re.match(r"\d in China against [234] in Mongolia · takes all: ", first_line(shown))
    async with discord.running(Client(services)):
        over = await alice.presses(shown, "Roll to the end")
        checked = await alice.presses(over, "Verify")
    assert "no problems found" in checked.content
    log = log_of(checked)
    assert (log["rules"], log["rolls"][0]["choice"]) == (7, {"shares": {"china": ["mongolia"], "siam": ["india"]}})
    assert rows(over)[1:3] == ["China: Mongolia", "Siam: India"]


async def test_a_turn_goes_on_after_a_restart(discord: FakeDiscord, services: Services) -> None:
    alice = discord.member("Alice")
    async with discord.running(Client(services)):
        asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE))
    async with discord.running(Client(services)):
        opened = await alice.sends("history open", battle=under(asked, "battle"))
        assert (opened.content, opened.labels) == (asked.content, asked.labels)
        over = await alice.presses(await alice.presses(asked, asked.labels[0]), "Roll to the end")
        assert rows(over)[: len(rows(asked))] == rows(asked)
        assert "no problems found" in (await alice.presses(over, "Verify")).content


async def test_a_moderator_ends_a_turn_that_waits_for_a_choice(discord: FakeDiscord, bot: Client) -> None:
    alice, mod = discord.member("Alice"), discord.member("Mod", manage_guild=True)
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE))
    await mod.sends("history end", battle=under(asked, "battle"))
    await until(lambda: discord.messages[asked.id].labels == OVER)
    assert re.fullmatch(r"Ended by a moderator · Indonesia falls with \d+ left", first_line(discord.messages[asked.id]))


async def test_a_turn_without_a_plan_offers_all_or_the_fewest_armies(
    discord: FakeDiscord, bot: Client, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup=SURE)

    async def refuse(*_: object) -> None:
        raise TooLargeError("targets", "this battle takes more work than is allowed")

    monkeypatch.setattr(Engine, "compute", refuse)
    asked = await take_indonesia(alice, shown)
    left = first_line(asked).split("with ")[1].split()[0]
    assert asked.labels == [f"All {left}", "Fewest: 3", "Other number", "Roll to the end", "Retreat"]
    assert first_line(await alice.presses(asked, f"All {left}")).startswith(
        f"Next: Indonesia → New Guinea, {int(left) - 1} against 3"
    )


async def test_a_turn_too_large_for_best_play_is_refused(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "UNIT", 1e-3)
    line = "100 siam > asia, africa, europe rest:2"
    shown = await discord.member("Alice").sends("roll", matchup=line)
    assert (shown.private, shown.content) == (True, "This battle takes more work than is allowed.")


async def test_a_turn_too_large_for_best_play_begins_with_a_plan(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = discord.member("Alice")
    monkeypatch.setattr(play, "UNIT", 1e-3)
    shown = await alice.sends("roll", matchup="40 siam, 40 china > 9 india, 4 mongolia")
    assert (first_line(shown), shown.content.splitlines()[1][:6]) == ("40 China, 40 Siam", "Next: ")
    shown = await alice.presses(shown, "Roll")
    asked = await alice.presses(shown, "Other attack")
    assert "The turn is too large to know the chances yet." in asked.content
    assert (rows(asked), len(asked.labels)) == ([], 2)
    while "Roll" in shown.labels and " · " not in first_line(shown):
        shown = await alice.presses(shown, "Roll")
    over = await alice.presses(shown, "Roll to the end")
    assert "no problems found" in (await alice.presses(over, "Verify")).content


# The check --------------------------------------------------------------------------------------------------


async def test_bot_program_and_fair_py_verify_the_log_of_a_turn(
    discord: FakeDiscord, bot: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alice = discord.member("Alice")
    asked = await take_indonesia(alice, await alice.sends("roll", matchup=SURE))
    over = await alice.presses(await alice.presses(asked, "Fewest: 3"), "Roll to the end")
    checked = await alice.presses(over, "Verify")
    log = log_of(checked)
    choices = f"Choices between the rolls: {sum('choice' in entry for entry in log['rolls'])}."
    assert "no problems found" in checked.content
    assert choices in checked.content
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(log))
    assert main(["verify", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "Every roll follows the rules, and none is missing." in told
    assert choices in told
    alone = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-I", fair.__file__, str(file)], capture_output=True
    )
    assert (alone.returncode, alone.stderr) == (0, b"")
    assert choices in alone.stdout.decode().splitlines()
    moved = next(entry for entry in log["rolls"] if "move" in entry.get("choice", {}))
    moved["choice"]["move"] = 2
    file.write_text(json.dumps(log))
    assert main(["verify", str(file)]) == 1
    assert f"roll {moved['n']}: by the rules of" in capsys.readouterr().out


async def test_a_single_territory_is_not_called_all(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("roll", matchup="60 siam > 3 indonesia")
    assert first_line(shown).startswith("Takes it: ")
    on = await alice.presses(shown, "Roll")
    assert " · attacker takes it " in first_line(on)
    assert first_line(await alice.presses(on, "Roll to the end")) == "Takes Indonesia"
    assert "attacker took it" in (await alice.sends("history list")).content
