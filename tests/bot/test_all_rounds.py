"""/dice all, as a chat: every round of a fleet, and how all its dice fall, against every roll listed one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord_app.client import Client
from bot.games.dice.rounds.chart import draw_rounds
from bot.games.dice.rounds.words import rank_rows, rounds_rows, take_all
from solver import Battle, Ships
from solver.dice.rolls import round_laws
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, small_print
from tests.helpers.bot.readable import check_readable, pixels, titles, words
from tests.helpers.cases import each
from tests.helpers.extent import examples

ROUNDS = ["3v2", "3v1", "2v2", "2v1", "1v2", "1v1"]


def listed(ours: int, theirs: int, bombers: int = 0, ties: str = "defender") -> dict[tuple[int, int], float]:
    """What a round costs, by listing every way that plain dice can fall; each bomber adds 1, the highest die first."""
    costs = Counter[tuple[int, int]]()
    for faces in product(range(1, 7), repeat=ours + theirs):
        attack, defence = sorted(faces[:ours], reverse=True), sorted(faces[ours:], reverse=True)
        lost = [0, 0]
        for rank, (mine, other) in enumerate(zip(attack, defence, strict=False)):
            mine += rank < bombers
            lost[0] += mine < other or (mine == other and ties in ("defender", "both"))
            lost[1] += mine > other or (mine == other and ties in ("attacker", "both"))
        costs[lost[0], lost[1]] += 1
    return {cost: count / 6 ** (ours + theirs) for cost, count in costs.items()}


def shown_at(dice: int, rank: int, value: int, bombers: int = 0) -> float:
    """How often the die of a rank shows a value, by listing every way that plain dice can fall."""
    falls = [sorted(faces, reverse=True)[rank] + (rank < bombers) for faces in product(range(1, 7), repeat=dice)]
    return falls.count(value) / len(falls)


def blocks(table: str) -> list[list[list[str]]]:
    """The tables of an answer, parted by empty lines, in words."""
    return [[row.split() for row in block.splitlines()] for block in table.strip("\n").split("\n\n")]


def check_rounds(rows: list[list[str]], bombers: int = 0, ties: str = "defender") -> None:
    """That the rows tell every round, and every outcome of it, as listing does."""
    told: dict[str, dict[tuple[int, int], float]] = {}
    label = ""
    for row in rows[1:]:
        label = row.pop(0) if "v" in row[0] else label
        lost, killed = (abs(int(count.replace("−", "-"))) for count in row[:2])
        told.setdefault(label, {})[lost, killed] = float(row[2].rstrip("%")) / 100
    assert list(told) == ROUNDS
    for label, outcomes in told.items():
        ours, theirs = map(int, label.split("v"))
        assert outcomes == pytest.approx(listed(ours, theirs, bombers, ties), abs=5.1e-4)


async def test_all_rounds_and_dice_of_a_fleet(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("dice", matchup="all bombers:1")
    assert shown.content.startswith(
        "**Average loss per round: attacker 0.67, defender 1.33** · 3 (1 B) against 2 · Star Wars Risk\n"
    )
    assert len(shown.content) <= 2000
    assert [file.name for file in shown.files] == ["rounds.png", "rolls.txt"]
    assert picture(shown).startswith("Average loss per round: attacker 0.67, defender 1.33 · 3 (1 B) against 2")
    assert (shown.labels, line_of(shown)) == (["Odds", "Ask on"], "3 2 bombers:1")
    rounds, *dice = blocks(shown.content.split("```")[1])
    check_rounds(rounds, bombers=1)
    assert [block[0][0] for block in dice] == ["attacker", "2", "1", "defender", "1"]
    for block, count, bombers in zip(dice, (3, 2, 1, 2, 1), (1, 1, 1, 0, 0), strict=True):
        rows = [row for row in block if row[0].isdecimal() and "dice" not in row and "die" not in row]
        assert [int(row[0]) for row in rows] == list(range(6 + bombers, 1 if count == bombers else 0, -1))
        for value, *cells in rows:
            told = [0.0 if cell == "–" else float(cell.rstrip("%")) for cell in cells]
            expected = [100 * shown_at(count, rank, int(value), bombers) for rank in range(count)]
            assert told == pytest.approx(expected, abs=0.051)


async def test_all_without_dice_means_classic_risk(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="all")
    assert "· 3 against 2 · classic Risk\n" in shown.content
    check_rounds(blocks(shown.content.split("```")[1])[0])
    whole = shown.files[1].data.decode()
    assert "1445/3888" in whole
    assert "attacker, 3 dice" in whole
    assert len(whole.splitlines()) > 56 + 21 + 6 + 21 + 6, "every roll is counted there"
    odds = await alice.presses(shown, "Odds")
    assert (odds.id, line_of(odds)) == (shown.id, "3 2")
    assert (await discord.stranger("Carl").says("dice all")).content == shown.content


async def test_all_rounds_follow_the_rules_of_the_line(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    both = await alice.sends("dice", matchup="ties:both ALL")
    check_rounds(blocks(both.content.split("```")[1])[0], ties="both")
    theirs = await alice.sends("dice", matchup="all vs bombers:1 capitals:1")
    assert "· 3 against 2 (1 B, 1 C) ·" in theirs.content
    pack = await alice.sends("dice", matchup="all variant:2210")
    assert "2210, commanders 1 v 1" in pack.content
    assert "36.2%" in pack.content
    few = await alice.sends("dice", matchup="2 1 all rounds:all")
    assert [row[0] for row in blocks(few.content.split("```")[1])[0] if "v" in row[0]] == ["2v1", "1v1"]
    idle = await alice.sends("dice", matchup="all bombers:4 dfighters:3")
    assert small_print(idle)[:2] == [
        "`bombers:4` counts as 3; more make no difference.",
        "`dfighters:3` counts as 2; more make no difference.",
    ]


async def test_all_rounds_of_up_to_4_dice_fit_a_message(discord: FakeDiscord, bot: Client) -> None:
    for line in ["all dice:4v4", "all adice:20,20,20", "all dice:4v3", "all ddice:100,20"]:
        shown = await discord.member("Alice").sends("dice", matchup=line)
        assert len(shown.content) <= 2000
        assert [file.name for file in shown.files] == ["rounds.png", "rolls.txt"]
        assert "1v1" in shown.content


async def test_too_many_outcomes_for_a_message_are_in_a_file(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("dice", matchup="all dice:4v4 ties:both")
    assert len(shown.content) <= 2000
    assert [file.name for file in shown.files] == ["rounds.png", "all.txt", "rolls.txt"]


async def test_dice_without_a_table_of_all_rounds_are_refused(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("all icons A,D", ("`all` is for dice with numbers. For icon dice ask for one round: `/dice 3 2 icons:A,D`.")),
        ("all dice:6v2", ("`all` works for up to 4 dice a side. For more, ask for one round: `/dice 6 2 dice:6v2`.")),
        ("all 0 2", "Both sides need dice to roll, as in `/dice 3 2`."),
        ("all late", "With `late` the odds of a round depend on the attacker's roll."),
        ("all variant:blitz", "Reshaped odds have no rounds."),
        ("all 3 inf vs 2 inf", "That works for dice games such as `12 9`, not for Axis & Allies."),
    ]:
        shown = await discord.member("Alice").sends("dice", matchup=line)
        assert shown.private
        assert shown.content.startswith(told)


async def test_icon_dice_and_many_dice_have_a_button_for_one_round(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for line in ("all icons A,D", "all dice:6v2"):
        refused = await alice.sends("dice", matchup=line)
        assert (await alice.presses(refused, refused.labels[0])).content.startswith("**Average loss per round: ")


async def test_all_is_refused_by_commands_without_it(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    for command in ("roll", "need", "table"):
        assert "and `/dice` (all rounds of a fleet)." in (await alice.sends(command, matchup="9 all")).content
    wrong = await alice.sends("dice", matchup="all bombrs:1")
    assert "Did you mean `bombers:1`?" in wrong.content
    assert wrong.labels == ["/dice all bombers:1", "Help"]


async def test_a_preset_named_all_still_works(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    # It was saved before its name became a word of the notation.
    await alice.sends("preset save", name="alamo", matchup="2 2 bombers:1")
    (setup,) = await bot.services.store.setups(f"guild:{discord.guild.id}")
    await bot.services.store.save(f"guild:{discord.guild.id}", setup._replace(name="all"), 9, manages=False)
    assert "· 2 (1 B) against 2 ·" in (await alice.sends("dice", matchup="all")).content


async def test_all_is_suggested_while_typing_dice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "all bombers:1" in [choice.value for choice in await alice.types("dice", matchup="al")]
    assert "all bombers:2" in [choice.value for choice in await alice.types("dice", matchup="all bom")]
    wrong = await alice.types("dice", matchup="all bombrs:1")
    assert [choice.value for choice in wrong] == ["all bombrs:1", "all bombers:1"]


@each(
    [
        ("all", ("", True)),
        ("/dice all bombers:1", ("bombers:1", True)),
        ("12 9 ALL", ("12 9", True)),
        ("3, all, 2", ("3, , 2", True)),
        ("12 9 rounds:all", ("12 9 rounds:all", False)),
        ("12 9 rounds all", ("12 9 rounds all", False)),
        ("alle 3 2", ("alle 3 2", False)),
    ]
)
def test_take_all_removes_the_word_all_from_a_line(line: str, rest: tuple[str, bool]) -> None:
    assert take_all(line) == rest


@given(st.integers(1, 3), st.integers(1, 2), st.builds(Ships, *[st.integers(0, 3)] * 3))
def test_each_round_has_the_law_of_a_battle_of_its_size(ours: int, theirs: int, ships: Ships) -> None:
    laws = round_laws(Battle(3, 2, attack_ships=ships))
    assert [f"{a}v{d}" for a, d in laws] == ROUNDS
    alone = round_laws(Battle(ours, theirs, attack_ships=ships))
    assert laws[ours, theirs] == next(iter(alone.values()))
    assert sum(laws[ours, theirs].values()) == 1


def test_impossible_outcomes_have_a_dash() -> None:
    assert rank_rows([{2: Fraction(1)}, {1: Fraction(1)}])[1:] == ("     2     100%       –", "     1        –    100%")
    assert rounds_rows({(1, 1): {(0, 1): Fraction(1)}}, fractions=True)[1] == "1v1         0        −1  100%  1"


# The picture --------------------------------------------------------------------------------------------

laws = st.dictionaries(st.integers(-30, 210), st.floats(1e-6, 1), min_size=1, max_size=60)
costs = st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(1e-9, 1))
NAMES = ["highest", "second", "third", "fourth"]


@examples(25)
@given(
    titles,
    st.lists(st.lists(costs, min_size=1, max_size=15), min_size=1, max_size=16),
    st.lists(st.lists(laws, min_size=1, max_size=4), min_size=1, max_size=4),
)
def test_every_picture_can_be_read(
    title: str, rounds: list[list[tuple[int, int, float]]], dice: list[list[dict[int, float]]]
) -> None:
    labelled = [("3v2", [(a, d, of / sum(one[2] for one in outcomes)) for a, d, of in outcomes]) for outcomes in rounds]
    pixels(draw_rounds(title, labelled, [("4 dice", some) for some in dice], NAMES))
    check_readable()


def test_the_picture_of_all_rounds_writes_chances_that_fit() -> None:
    outcomes = [(0, 2, 0.6), (1, 1, 0.08), (1, 0, 0.02), (2, 0, 0.3)]
    draw_rounds("one", [("3v2", outcomes)], [("1 die", [dict.fromkeys(range(1, 7), 1 / 6)])], NAMES)
    assert {"3v2", "60.0%", "8", "30.0%", "1 die", "highest", "2", "4", "6"} <= set(words())
    assert "2.0%" not in words()
    assert "second" not in words()
