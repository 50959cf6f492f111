"""Lines about several territories: what they mean, that they come back, and where a mistake is shown."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.editions import editions
from bot.games.placing.notation import LONGEST_PLACING, is_placing, parse_placing, write_placing
from bot.notation.mistakes import MatchupError
from tests.helpers.bot.any_line import placing_lines, wild
from tests.helpers.bot.lines import wave_of
from tests.helpers.cases import each

SAVED = {"ukraine": "3 inf 2 arm vs 4 inf", "inf": "9 inf vs 9 inf", "march": "20 > 5 > 4"}


def test_a_placing_has_units_attacks_and_defenders() -> None:
    asked = parse_placing("8 inf 2 art || 4 inf 2 arm vs 1 inf 1 aa value:3 || 6 inf 1 fig lowluck")
    assert asked.units == (("infantry", 8), ("artillery", 2))
    first, second = asked.territories
    battle = wave_of("4 inf 2 arm vs 1 inf 1 aa value:3")
    assert first.attack == battle
    assert first.value == 3
    assert second.attack.attacker.units == (("infantry", 6), ("fighter", 1))
    assert second.attack.defender.units == ()
    assert second.attack.dice == "low_luck"
    assert second.value == 1
    assert asked.aim == "all"


def test_the_casualty_order_of_a_territory_covers_placed_units() -> None:
    asked = parse_placing("2 inf 1 fig || 4 inf vs 1 arm loss:fig,arm,inf")
    everybody = asked.territories[0].with_units({"infantry": 2, "fighter": 1})
    assert everybody.order_of_loss("defence") == ("fighter", "tank", "infantry")
    assert parse_placing(write_placing(asked)) == asked


def test_the_rules_of_a_table_hold_for_all_wherever_their_name_stands() -> None:
    saved = SAVED | {"ours": "unit:mech=1/2/4 rule:d12"}
    typed = parse_placing("4 mech rule:d12 unit:mech=1/2/4 || 4 inf || 3 arm")
    assert parse_placing("ours 4 mech || 4 inf || 3 arm", saved) == typed
    assert parse_placing("4 mech || 4 inf ours || ours 3 arm", saved) == typed


def test_options_beside_the_units_hold_for_each_territory() -> None:
    asked = parse_placing("8 inf lowluck rounds:3 || 4 inf || 3 arm rounds:1")
    assert [one.attack.round_limit for one in asked.territories] == [3, 1]
    assert [one.attack.dice for one in asked.territories] == ["low_luck", "low_luck"]


def test_a_preset_is_an_attack_in_a_placing() -> None:
    asked = parse_placing("8 inf || ukraine 5 inf value:2 || 4 inf", SAVED)
    assert asked.territories[0].attack.attacker.units == (("infantry", 5), ("tank", 2))
    assert asked.territories[0].value == 2
    assert asked.territories[1].attack.attacker.units == (("infantry", 4),), "a unit is no name here"


@each(editions())
def test_a_placing_has_the_units_of_its_edition(key: str) -> None:
    asked = parse_placing(f"2 inf 1 fig variant:{key} || 2 inf vs 1 inf || 3 inf")
    assert asked.rules == editions()[key].rules
    assert parse_placing(write_placing(asked)) == asked


@given(placing_lines)
@example("3 inf || 2 inf sea vs 1 fig")
@example("2 fig || 2 fig vs submerge || 3 fig land")
def test_a_written_placing_is_read_again(line: str) -> None:
    try:
        asked = parse_placing(line)
    except MatchupError:
        return
    written = write_placing(asked)
    assert parse_placing(written) == asked
    assert write_placing(parse_placing(written)) == written
    assert is_placing(written)
    assert len(written) <= LONGEST_PLACING


@given(wild | st.lists(wild, max_size=4).map("||".join))
@example("||")
@example("place")
@example("3 inf || hold:")
@example("hold:1||2 inf")
@example("3 inf||variant:1940")
@example("0a|variant:0")
@example("1 tra || 1 fig v 1 tra loss:inf,art,arm,fig,bom")
def test_any_text_is_a_placing_or_an_error(text: str) -> None:
    try:
        asked = parse_placing(text, SAVED)
    except MatchupError:
        return
    assert parse_placing(write_placing(asked)) == asked


def test_a_mistake_in_a_placing_is_shown_in_its_part() -> None:
    with pytest.raises(MatchupError) as wrong:
        parse_placing("8 inf || 4 inf || 3 inf 2 zep vs 1 inf")
    assert str(wrong.value).startswith(
        "```\n3 inf 2 zep vs 1 inf\n      ^^^^^\n```\nTerritory 2: A&A 1942 has no unit `zep`."
    )
    with pytest.raises(MatchupError) as short:
        parse_placing("8 inf hold:4 || 4 inf || 3 inf")
    assert str(short.value).startswith(
        "```\n8 inf hold:4\n      ^^^^^^\n```\nYour units: You can hold 1 to 2 territories, not 4."
    )


def test_placings_have_a_limit_of_length() -> None:
    many = " || ".join(["8 inf", *["4 inf 2 art 3 arm 1 fig 1 bom vs 2 inf retreat:units<=2,air>20%,clear>30%"] * 8])
    asked = parse_placing(many)
    assert len(asked.territories) == 8, "what all have in common is said once"
    with pytest.raises(MatchupError, match="at most 1500 characters"):
        parse_placing(" || ".join([many] * 3))
    with pytest.raises(MatchupError, match="1 to 8, not 9"):
        parse_placing("8 inf" + " || 3 inf" * 9)
