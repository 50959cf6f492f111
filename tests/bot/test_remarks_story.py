"""Remarks about battles, as a chat: under every answer, once, and only where they are true."""

from bot.commands.run import run
from bot.discord_app.client import Client
from bot.replies import Reply, full_text
from bot.request import Request, Services
from tests.fake_discord import FakeDiscord
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each


async def test_every_answer_has_the_remarks_of_its_battle_once(discord: FakeDiscord, bot: Client) -> None:
    for line, told in [
        ("3 cru vs 1 acc 2 fig crash", "-# `crash`: the defender loses planes without room on a carrier at the end."),
        ("1 acc 3 fig vs 2 des acrash", "-# `acrash`: the attacker loses planes without room on a carrier at the end."),
        ("3 inf vs 2 inf crash", "-# `crash` makes no difference on land."),
        ("3 inf vs 2 inf rounds:100", "-# `rounds:100` is a limit of 100 rounds; `rounds:all` means no limit."),
        ("12 9 stop:3 reserve:4", "-# With `reserve:4`, `stop:3` makes no difference."),
        ("3 cru vs 1 cru then hold 1 acc 2 fig acrash", "-# Wave 2, `acrash`"),
    ]:
        alice = discord.member("Alice")
        shown = await alice.sends("battle", matchup=line)
        for label in ("+1 attacker", "All endings"):
            assert shown.content.count(told) == 1, label
            shown = await alice.presses(shown, label)
        assert shown.content.count(told) == 1


async def test_crash_in_waves_names_the_wave_and_not_the_first_attacker(discord: FakeDiscord, bot: Client) -> None:
    alice = discord.member("Alice")
    shown = await alice.sends("battle", matchup="2 acc 3 fig vs 2 des 2 fig then hold 1 acc 2 fig acrash")
    said = "-# Wave 2, `acrash`: its attackers lose planes without room on a carrier at its end."
    assert said in shown.content
    shown = await alice.sends("battle", matchup="2 cru vs 1 acc 1 fig crash then 2 cru then 1 cru crash")
    said = "-# Waves 1, 3, `crash`: their defenders lose planes without room on a carrier at their end."
    assert said in shown.content
    on_land = await alice.sends("battle", matchup="3 inf vs 2 inf crash then 2 inf crash")
    assert on_land.content.count("-# `crash` makes no difference on land.") == 1


async def test_swapping_sides_says_if_plans_or_orders_are_left_out(services: Services) -> None:
    for line, had in [
        ("3 inf vs 2 inf", False),
        ("3 inf vs 2 inf worth:inf=4 rounds:3 lowluck", False),
        ("2 ainf 1 inf vs 2 inf", False),
        ("1 acc 3 fig vs 2 des acrash", False),
        ("2 sub 1 des submerge vs 2 des keepdestroyer", False),
        ("3 inf vs 2 inf retreat:units<=1", True),
        ("3 inf 1 art loss:art,inf vs 2 inf", True),
        ("3 inf vs 2 inf 1 fig loss:fig,inf", True),
        ("3 inf 1 fig keep:1 vs 2 inf", True),
        ("3 inf vs 2 inf 1 aa gunslast", True),
        ("3 inf vs 2 inf value:3", True),
        ("3 inf 1 fig vs 2 inf deadzone", True),
    ]:
        swapped = await run(Request("swap", "1", "Alice", "user:1", {"matchup": line}), services)
        assert isinstance(swapped, Reply)
        told = "-# I left out plans and casualty orders: they were for the old sides."
        assert (told in full_text(swapped)) is had, line


LATE = "Transports are lost last, so `loss:` moves other units alone."


@each(
    [
        ("2 tra 1 des loss:tra vs 2 des", LATE),
        (
            "2 tra 1 des 1 cru loss:tra,cru vs 2 des",
            f"After `loss:cru` the attacker loses des in the usual order. {LATE}",
        ),
        ("2 tra 1 des loss:des,tra vs 2 des", ""),
        ("2 tra 1 des loss:des vs 2 des", ""),
        ("2 inf vs 2 inf 1 aa loss:inf gunslast", ""),
        ("2 inf vs 2 inf 1 aa loss:aa gunslast", ""),
        ("2 inf vs 2 inf 1 art 1 aa loss:art gunslast", "After `loss:art` the defender loses inf in the usual order."),
        ("2 inf vs 2 inf 1 aa loss:inf", "After `loss:inf` the defender loses aa in the usual order."),
    ]
)
def test_an_order_is_not_about_units_whose_place_the_rules_give(line: str, told: str) -> None:
    assert " ".join(parse(line).remarks) == told


@each(
    [
        ("3 inf 2 fig vs 2 inf 1 aa aafired then 2 fig", False),
        ("aafired 3 inf 2 fig vs 2 inf 1 aa then 2 fig", False),
        ("3 inf 2 fig vs 2 inf 1 aa then 2 fig aafired", True),
        ("3 inf 2 fig vs 2 inf 1 aa then hold 2 fig vs 1 aa aafired then 1 inf", True),
        ("3 inf 2 fig vs 2 inf 1 aa then 2 fig aafired:no", False),
    ]
)
def test_a_line_that_says_in_a_later_wave_that_guns_have_fired_gets_a_sentence(line: str, told: bool) -> None:
    remark = "`aafired` is about the first wave; in later waves AA guns fire again."
    assert parse(line).remarks == ((remark,) if told else ())


def test_a_lone_small_number_is_said_to_be_the_sides_of_one_die() -> None:
    assert parse("12 9 ddice:3").remarks == ("`ddice:3` is one die with 3 sides; `ddice:6,6,6` are 3 dice with six.",)
    assert parse("12 9 adice:4 ddice:3k2").remarks == ()


def test_a_single_reroll_is_said_to_be_of_one_die() -> None:
    remark = "`drerolls:1` rerolls one 1 a round; `drerolls:2` rerolls every 1."
    assert parse("12 9 drerolls:1 arerolls:3").remarks == (remark,)
    assert parse("12 9 drerolls:1 ddice:6").remarks == ()
