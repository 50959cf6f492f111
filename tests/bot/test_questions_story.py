"""How many, all sizes, and the dice: what people ask beside the odds, as a chat."""

import pytest

from bot.discord_app.client import Client
from bot.errors import UserError
from solver import Battle
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.answers import line_of, picture, rows, small_print
from tests.helpers.solver.kernels import needs_library

# How many -----------------------------------------------------------------------------------------------


async def test_need_says_how_many_attackers_win(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="9")
    assert shown.content == (
        "**You need 13 attackers to beat 9** (83.9% to win, target 80%)\n"
        "50%: 9 · 80%: 13 · 95%: 17\n"
        "-# exact · classic Risk · `13 9`"
    )
    assert picture(shown).startswith("You need 13 attackers to beat 9 (83.9% to win, target 80%).")
    assert not shown.private
    assert shown.labels == ["Odds", "Table", "Ask on"]


async def test_need_says_how_many_defenders_hold(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="12 vs")
    assert shown.content.startswith("**You need 19 defenders to hold against 12** (81.1% to hold, target 80%)\n")
    assert line_of(shown) == "12 19"
    assert picture(shown).startswith("You need 19 defenders to hold against 12 (81.1% to hold, target 80%).")


async def test_need_with_two_numbers_answers_for_both_sides(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="12 9 90%")
    first, marks, second, _, last = shown.content.splitlines()
    assert first == "**You need 15 attackers to beat 9** (91.2% to win, target 90%)"
    assert second == "**You need 22 defenders to hold against 12** (90.1% to hold, target 90%)"
    assert marks == "50%: 9 · 80%: 13 · 95%: 17"
    assert last == "-# exact · classic Risk · `12 9`"


async def test_need_takes_a_target_chance(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "**You need 10 attackers to beat 9** (65.0% to win, target 62.5%)" in (
        (await alice.sends("need", matchup="9 62.5%")).content
    )
    assert (await alice.sends("need", matchup="99% 3")).content.startswith("**You need 12 attackers to beat 3** (")
    for wrong in ("9 100%", "9 0%", "9 300%"):
        refused = await alice.sends("need", matchup=wrong)
        assert refused.private
        assert refused.content == "Give a chance between 0% and 100%, such as `80%`."


async def test_need_uses_the_singular_for_1_army(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert (await alice.sends("need", matchup="1 40%")).content.startswith("**You need 1 attacker to beat 1** (")
    assert (await alice.sends("need", matchup="1 vs 50%")).content.startswith(
        "**You need 1 defender to hold against 1** ("
    )


async def test_need_says_if_the_target_is_out_of_reach(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="9 rounds:2")
    first = shown.content.splitlines()[0]
    assert first == "**80% is out of reach**: even 1900 attackers beat 9 <0.1% of the time"
    assert line_of(shown) == "1900 9 rounds:2"
    assert "out of reach" in picture(shown)


async def test_need_lists_the_best_ship_first(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("need", matchup="9 bombers:1")
    assert rows(shown) == [
        ["with", "9", "you", "need"],
        ["+1", "bomber", "95.7%", "7"],
        ["+1", "fighter", "95.2%", "7"],
        ["+1", "capital", "ship", "94.1%", "7"],
    ]
    full = await alice.sends("need", matchup="9 bombers:2 fighters:3 capitals:3")
    assert "```" not in full.content, "no ship more is of use"
    held = await alice.sends("need", matchup="12 dbombers:1 vs")
    assert held.content.startswith("**You need 13 defenders with 1 bomber to hold against 12** (")
    assert [row[1] for row in rows(held)[1:]] == ["fighter", "bomber", "capital"]
    assert "```" not in (await alice.sends("need", matchup="9")).content, "in classic Risk there are no ships"


async def test_need_shows_a_ship_that_brings_the_target_within_reach(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="4 rounds:2 fighters:1 20%")
    assert "is out of reach" in shown.content
    assert rows(shown)[1:] == [
        ["+1", "bomber", "35.8%", "3"],
        ["+1", "capital", "ship", "29.8%", "3"],
        ["+1", "fighter", "19.8%", "out", "of", "reach"],
    ]


async def test_need_remarks_on_ships_that_make_no_difference(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("need", matchup="vs 9 capitals:3")
    assert "beat 9 with 2 capital ships" in shown.content
    assert "-# `capitals:3` counts as 2; more make no difference." in shown.content


@pytest.mark.painted
async def test_need_rings_the_typed_number(discord: FakeDiscord, bot: Client) -> None:
    """Where the reader has a number, the picture shows it; so it is another picture."""
    alice = discord.member("Alice")
    alone, own, other = [await alice.sends("need", matchup=line) for line in ("9", "12 9", "20 9")]
    assert len({shown.files[0].data for shown in (alone, own, other)}) == 3


async def test_need_without_a_number_asks_back(discord: FakeDiscord, bot: Client) -> None:
    for line in ["80%", "bombers:1", "variant:2210"]:
        shown = await discord.member("Alice").sends("need", matchup=line)
        assert shown.private
        assert shown.content == (
            "Against how many? `/need 9` to attack 9, `/need 12 vs` to hold against 12, `/need 6 "
            "inf 4 art vs 5 inf` for the units to bring."
        )


async def test_table_and_dice_refuse_paths_and_all_refuse_exact(discord: FakeDiscord, bot: Client) -> None:
    for command in ["need", "table", "dice"]:
        alice = discord.member("Alice")
        exact = await alice.sends(command, matchup="12 9 exact")
        assert "`exact` works with `/battle`." in exact.content
        if command != "need":
            path = await alice.sends(command, matchup="20 > 5 > 4")
            assert path.private
            assert path.content == "That works for a single battle such as `12 9`, not for a path."
            assert (
                "A chance such as `80%` works with `/need`." in (await alice.sends(command, matchup="12 80%")).content
            )


async def test_dice_remarks_on_options_that_make_no_difference(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("3 fighters:4", ["`fighters:4` counts as 3; more make no difference."]),
        ("3 fighters:3 bombers:3", []),
        ("vs 2 dbombers:4", ["`dbombers:4` counts as 2; more make no difference."]),
        ("3 2 bombers:3", ["`bombers:3` counts as 2; more make no difference."]),
        ("3 arerolls:5", ["`arerolls:5` counts as 3; more make no difference."]),
    ]:
        shown = await discord.member("Alice").sends("dice", matchup=line)
        assert small_print(shown)[:-1] == told


@pytest.mark.whole
async def test_every_answer_remarks_that_rounds_100_is_a_limit(discord: FakeDiscord, bot: Client) -> None:
    for command, line in [
        *((command, "12 9 rounds:100") for command in ("battle", "roll", "dice")),
        *((command, "3 inf vs 2 inf rounds:100") for command in ("need", "table")),
        ("roll", "9 0 rounds:100"),
        ("order", "3 inf 1 arm vs 2 inf rounds:100"),
        ("battle", "3 inf vs 2 inf then 4 arm rounds:100"),
        ("place", "8 inf || 4 inf rounds:100 || 3 arm"),
    ]:
        alice = discord.member("Alice")
        said = "-# `rounds:100` is a limit of 100 rounds; `rounds:all` means no limit."
        assert said in (await alice.sends(command, matchup=line)).content.splitlines()
        assert "is a limit" not in (await alice.sends(command, matchup=line.replace("100", "all"))).content


# All sizes ----------------------------------------------------------------------------------------------


async def test_table_shows_cells_around_a_battle(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("table", matchup="12 9")
    head, *_ = shown.content.splitlines()
    assert head == "**Attackers you need for a 50 / 80 / 95% chance**, up to 20 against 15 · classic Risk"
    assert rows(shown)[0] == ["defenders", "50%", "80%", "95%"]
    assert rows(shown)[1:3] == [["2", "3", "5", "7"], ["4", "5", "7", "10"]]
    assert rows(shown)[4:7] == [["8", "8", "12", "16"], ["9", "9", "13", "17"], ["10", "10", "14", "18"]]
    assert rows(shown)[-1] == ["14", "13", "18", "more"]
    assert shown.content.endswith("-# exact · `12 9`")
    assert picture(shown) == (
        "A map of the attacker's win chance for all army sizes. 12 against 9: 79.0%. "
        "For a 50 / 80 / 95% chance against 9 defenders you need 9 / 13 / 17 attackers."
    )
    assert "against 20 defenders you need 18 / more / more attackers" in picture(
        await discord.member("Bob").sends("table")
    )
    assert shown.labels == ["Odds", "How many?", "Round by round", "When to stop?", "Ask on"]


async def test_a_table_has_the_size_of_its_line(discord: FakeDiscord, bot: Client) -> None:
    for line, size, below in [
        ("", "20 against 20 · classic Risk", "20 20"),
        ("bombers:2", "20 against 20 · Star Wars Risk", "20 20 bombers:2"),
        ("12", "12 against 20 · classic Risk", "12 20"),
        ("vs 9", "20 against 9 · classic Risk", "20 9"),
        ("1 1", "10 against 10 · classic Risk", "1 1"),
        ("40 7", "60 against 15 · classic Risk", "40 7"),
        ("0 5", "20 against 5 · classic Risk", "0 5"),
    ]:
        alice = discord.member("Alice")
        shown = await (alice.sends("table", matchup=line) if line else alice.sends("table"))
        assert f"up to {size}\n" in shown.content
        assert line_of(shown) == below
        assert picture(shown)


@needs_library
async def test_a_large_table_takes_the_size_that_fits(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    assert "up to 1350 against 1350 ·" in (await alice.sends("table", matchup="900 900")).content
    refused = await alice.sends("table", matchup="100000 100000")
    assert refused.private
    assert "is too large for this question. With these rules the limit is " in refused.content


async def test_a_table_goes_up_to_the_largest_army_and_no_further(
    discord: FakeDiscord, bot: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    async def draw_table(_engine: object, battle: Battle, *_: object) -> None:
        asked.append((battle.attackers, battle.defenders))
        raise UserError("That takes a while.")

    monkeypatch.setattr("bot.games.dice.need.draw_table", draw_table)
    assert (await discord.member("Alice").sends("table", matchup="900000 1")).content == "That takes a while."
    assert asked == [(900_000, 1)]


@pytest.mark.painted
async def test_table_rings_a_battle_only_with_both_numbers(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    drawn = [(await alice.sends("table", matchup=line)).files[0].data for line in ("18 13", "17 12", "20 vs", "vs 20")]
    assert drawn[0] != drawn[1], "the same size, another ring"
    assert drawn[2] == drawn[3]


# Dice ---------------------------------------------------------------------------------------------------


async def test_dice_shows_the_average_loss_per_round(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="3 2")
    assert shown.content.startswith(
        "**Average loss per round: attacker 0.92, defender 1.08** · 3 against 2 · classic Risk\n"
    )
    assert rows(shown) == [
        ["attacker", "defender"],
        ["0", "−2", "37.2%", "1445/3888"],
        ["−1", "−1", "33.6%", "2611/7776"],
        ["−2", "0", "29.3%", "2275/7776"],
    ]
    assert picture(shown).startswith("Average loss per round: attacker 0.92, defender 1.08")
    assert shown.labels == ["Odds", "Ask on"]
    alone = await alice.sends("dice")
    assert (alone.content, alone.files[0].data) == (shown.content, shown.files[0].data), "all dice, where none are said"
    many = await alice.sends("dice", matchup="12 9 stop:4 reserve:10")
    assert "**Average loss per round: attacker 1.22, defender 0.78** · 2 against 2" in many.content
    assert line_of(many) == "12 9 stop:4 reserve:10"


async def test_dice_with_a_single_number_shows_the_dice_of_a_side(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="2")
    assert shown.content.startswith("**2 dice**: highest 4.47, second 2.53 on average · classic Risk\n")
    assert rows(shown)[:3] == [["high", "of", "36"], ["6", "6", "1", "2.8%"], ["6", "5", "2", "5.6%"]]
    assert rows(shown)[-1] == ["1", "1", "1", "2.8%"]
    assert len(rows(shown)) == 22
    assert picture(shown) == "What 2 dice show: highest 4.47, second 2.53 on average."
    one = await alice.sends("dice", matchup="1")
    assert one.content.startswith("**1 die**: highest 3.50 on average · classic Risk\n")
    assert rows(one)[1] == ["6", "1", "16.7%"]


async def test_dice_shows_the_dice_of_the_defender(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="vs 2 bombers:1")
    assert shown.content.startswith("**2 dice with 1 bomber**: highest 5.47, second 2.53 on average · Star Wars Risk\n")
    refused = await alice.sends("dice", matchup="vs 3")
    assert refused.content == "This side rolls 1 to 2 dice; change them with `adice:` or `ddice:`."


async def test_ships_and_variants_change_the_dice(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    ships = await alice.sends("dice", matchup="3 fighters:1")
    assert ships.content.startswith("**3 dice with 1 fighter**: highest 5.17, second 3.93, third 2.67 on average")
    assert rows(ships)[0] == ["high", "of", "1080"]
    pack = await alice.sends("dice", matchup="1 variant:2210")
    assert rows(pack)[1] == ["8", "1", "12.5%"]
    assert "2210, commanders 1 v 1" in pack.content


async def test_a_long_table_of_dice_comes_with_a_file(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("dice", matchup="4 dice:4v3")
    assert len(shown.content) <= 2000
    assert [file.name for file in shown.files] == ["roll.png", "all.txt"]
    whole = shown.files[1].data.decode().splitlines()
    assert len(whole) == 127
    assert ": all.txt …" in shown.content
    assert whole[1] in shown.content
    assert whole[-1] in shown.content


async def test_dice_refuses_more_dice_than_a_side_rolls(discord: FakeDiscord, bot: Client) -> None:
    for line in ["4", "0", "9 dice:2v1"]:
        shown = await discord.member("Alice").sends("dice", matchup=line)
        assert shown.private
        assert shown.content.startswith("This side rolls 1 to ")


async def test_a_round_of_a_late_defender_has_no_table(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="3 2 late")
    assert shown.private
    told = "With `late` the odds of a round depend on the attacker's roll. Add `late:no` to ask without it."
    assert shown.content == told
    assert "**3 dice**" in (await alice.sends("dice", matchup="3 late")).content


async def test_icon_dice_show_attacks_and_defences(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("dice", matchup="icons AAD,ADD,A,D,-,- 3")
    assert shown.content.startswith("**3 icon dice**: attack 2.00, defence 2.00 on average · icon dice\n")
    assert rows(shown)[:2] == [["attack", "defence", "of", "216"], ["6", "3", "1", "0.5%"]]
    theirs = await alice.sends("dice", matchup="icons A,A dicons D,D vs 2")
    assert rows(theirs)[1:] == [["0", "2", "1", "100%"]]
    both = await alice.sends("dice", matchup="icons A,D 3 4")
    assert "· 3 against 4 · icon dice" in both.content
    assert rows(both)[1:3] == [["0", "0", "50.0%", "1/2"], ["−3", "−3", "0.8%", "1/128"]]
    pack = await alice.sends("dice", matchup="3 variant:coin")
    assert "Coins" in pack.content


@needs_library
async def test_need_names_its_limit_of_armies(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    refused = await alice.sends("need", matchup="21000")
    assert refused.content == "`/need` works against up to 20000, not against 21000."
    shown = await alice.sends("need", matchup="3000")
    assert shown.content.startswith("**You need 2629 attackers to beat 3000** (80.3% to win, target 80%)")
    assert "-# accurate to 11 decimals" in shown.content


async def test_a_thin_table_shows_where_few_attackers_have_a_chance(discord: FakeDiscord, bot: Client) -> None:
    shown = await discord.member("Alice").sends("table", matchup="3 200")
    assert rows(shown)[1] == ["1", "2", "3", "4"]
    assert len(rows(shown)) > 5


@pytest.mark.painted
async def test_need_draws_attack_and_defence_differently(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    attack, defence = [await alice.sends("need", matchup=line) for line in ("1", "1 vs")]
    assert attack.content.startswith("**You need 3 attackers to beat 1** (")
    assert defence.content.startswith("**You need 2 defenders to hold against 1** (")
    assert attack.files[0].data != defence.files[0].data
