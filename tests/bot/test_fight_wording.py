"""A live battle in words: every die of every round as it fell and as it counted, where it stands, how it ended."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord_app.delivery import message_parts
from bot.games.axis import room as axis_room
from bot.games.axis.live import words as army_live
from bot.games.dice import live as dice_live
from bot.games.dice.words import describe
from bot.games.live import Live, LiveStage
from bot.games.path import live as path_live
from bot.live import words
from bot.live.replay import throw_entry
from bot.live.rolling import next_dice_text
from bot.live.words import Stages, live_stages, players_text
from bot.names import safe_name
from bot.replies import Reply, line_of
from bot.store.records import Player, Roll
from bot.words.luck import luck_sentence
from solver import Battle, Odds, solve
from solver.axis.live.fight import AxisFight
from solver.axis.waves.fight import WavesFight
from solver.dice.fight import DiceFight
from solver.game import Fight, Source, Throw
from solver.games import game_of
from solver.path.fight import PathFight
from solver.path.odds import PathOdds, march
from solver.path.path import Path
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_battle import battles
from tests.helpers.solver.chance_tests import refused
from tests.helpers.solver.dice_rolled import by_chance, script
from tests.helpers.solver.dice_rolled import stages as fights
from tests.helpers.solver.fights import begin, chances

LIVE: dict[type[Any], Live] = {
    DiceFight: dice_live.LIVE,
    PathFight: path_live.LIVE,
    AxisFight: axis_room.LIVE,
    WavesFight: axis_room.LIVE,
}


def headline(stages: Stages) -> str:
    return words.headline(LIVE[type(stages[0].fight)], stages)


def course(stages: Stages) -> words.Course:
    return words.course(LIVE[type(stages[0].fight)], stages)


def table(stages: Stages) -> tuple[str, ...]:
    return LIVE[type(stages[0].fight)].rows(stages)


def standing(odds: Odds | PathOdds, battle: object, fight: Fight) -> float | None:
    percentile = game_of(battle).percentile
    assert percentile
    return percentile(odds, fight)


def logged(line: str, source: Source, most: int, real: tuple[int, ...], retreats: bool) -> list[Roll]:
    """The log of a battle with these dice; those of the rounds in `real` were typed."""
    battle = parse(line).battle
    assert isinstance(battle, Battle | Path)
    fight, rolls = begin(battle), list[Roll]()
    while fight.ended is None and len(rolls) < most:
        before = fight
        throw, fight = before.throw(source)
        n = len(rolls) + 1
        entry = {"n": n, "interaction": "1", "user": "1", **throw_entry(throw), **({"real": True} if n in real else {})}
        rolls.append(Roll(n, json.dumps(entry), "", chances([fight])[0]))
    if retreats:
        n = len(rolls) + 1
        entry = {"n": n, "interaction": "1", "user": "1", "attack": [], "defence": [], "retreat": True}
        rolls.append(Roll(n, json.dumps(entry), "", 0.0))
    return rolls


def told(line: str, *faces: int, most: int = 100, real: tuple[int, ...] = (), retreats: bool = False) -> Stages:
    """The stages of a battle with dice that fall as written."""
    battle = parse(line).battle
    assert isinstance(battle, Battle | Path)
    dice = script(*faces)
    rolls = logged(line, dice, most, real, retreats)
    with pytest.raises(StopIteration):
        dice(6)  # All dice were rolled.
    return live_stages(game_of(battle), battle, rolls, chances([begin(battle)])[0])


def luckiest(stages: Stages) -> str:
    return words.luckiest_round(LIVE[type(stages[0].fight)], stages)


def test_the_luckiest_roll_names_the_round_whose_fair_dice_changed_most() -> None:
    """78.5%, 91.6%, 100%."""
    rolled = 6, 4, 1, 5, 4, 3, 3, 3, 2
    assert luckiest(told("4 2", *rolled)) == "Luckiest roll: round 1, +13.1 points for the attacker"
    assert luckiest(told("4 2", *rolled, real=(1,))) == "Luckiest roll: round 2, +8.4 points for the attacker"
    assert luckiest(told("4 2", *rolled, real=(1, 2))) == "", "typed dice are nobody's luck"
    lost = told("4 2", 1, 1, 1, 6, 6, 1, 1, 6, 6)
    assert luckiest(lost) == "Luckiest roll: round 1, +42.3 points for the defender"
    assert luckiest([stage._replace(chance=None) for stage in lost]) == "", "nobody knows"


def test_a_battle_of_a_single_round_has_no_luckiest_roll() -> None:
    assert luckiest(told("2 1", 6, 1, 1)) == ""
    assert luckiest(told("4 2", 6, 4, 1, 5, 4, most=1, retreats=True)) == "", "leaving is no luck"


def test_the_luckiest_roll_of_several_waves_names_the_wave() -> None:
    first, second = ("3 inf vs 2 inf", "3 inf vs 2 inf then 2 arm")
    throws = [LiveStage(begin(parse(line).battle)).fight.throw(by_chance(1))[0] for line in (first, second)]
    names = [
        axis_room.LIVE.round_name(begin(parse(line).battle), throw, 7)
        for line, throw in zip((first, second), throws, strict=True)
    ]
    assert names == ["round 1", "wave 1, round 1"]


def test_every_round_is_a_row_with_dice_survivors_and_chance() -> None:
    stages = told("4 2", 6, 4, 1, 5, 4, 3, 3, 3, 2)
    assert headline(stages) == "Attacker wins with 3 left"
    assert describe(Battle(4, 2)) == "4 against 2"
    assert table(stages) == (
        "   attack  defence  left     win",
        "                    4 v 2  78.5%",
        "1  6 4 1   5 4      3 v 1  91.6%",
        "2  3 3 3   2        3 v 0",
    )
    chances, befores, marks = course(stages)
    assert chances == pytest.approx([0.785, 0.916, 1], abs=1e-3)
    assert befores == chances[:-1]
    assert marks == ["4–2", "3–1", "3–0"]


def test_the_headline_before_the_first_roll_is_the_odds() -> None:
    assert headline(told("4 2", most=0)) == "Attacker wins 78.5%"
    assert headline(told("6 > 4 > 1", most=0)) == "Takes both territories: 60.1%"


def test_the_headline_of_a_battle_has_survivors_and_the_chance() -> None:
    assert headline(told("4 2", 6, 4, 1, 5, 4, most=1)) == "3 against 1 · attacker wins 91.6%"
    on_the_way = told("5 > 3 > 1", 6, 6, 1, 1, 1, 6, 6, 1, 1, most=2)
    assert headline(on_the_way) == "4 against 1 in territory 2 of 2 · takes all: 97.2%"


def test_typed_dice_are_marked() -> None:
    rows = table(told("4 2", 6, 4, 1, 5, 4, 3, 3, 3, 2, real=(2,)))
    assert [row.split()[0] for row in rows[2:]] == ["1", "2*"]


def test_a_retreat_is_a_row_without_a_number() -> None:
    stages = told("4 2", 6, 4, 1, 5, 4, most=1, retreats=True)
    assert headline(stages) == "Attack called off after 1 round, 3 against 1 left"
    assert table(stages)[-1] == "   retreat           3 v 1"
    assert course(stages).chances == pytest.approx([0.785, 0.916], abs=1e-3)


def test_a_die_shows_rerolls_bonus_and_what_counts() -> None:
    rows = table(told("2 1 fighters:1 bombers:1", 1, 1, 5, 2, 5))
    assert rows[2].startswith("1  1→1→5+1 2  5")
    rows = table(told("2 2 dbonus:-1 dclamp:1..4", 3, 2, 6, 1, most=1))
    assert rows[2].startswith("1  3 2     6-1 1 = 4 1")
    rows = table(told("2 1 adice:6,6 abonus:1,-1 aclamp:2..5 ddice:6 drerolls:1", 6, 3, 1, 1, 4, most=1))
    assert rows[2].split("  ")[1:3] == ["6+1 3-1 = 5 2", "1→1→4"]


def test_icon_dice_show_their_icons_or_counts_of_them() -> None:
    rows = table(told("2 2 icons:A,AD,- dicons:D,D", 2, 3, 1, 2, most=1))
    assert rows[2].startswith("1  A – = 1A 0D  D D = 0A 2D  2 v 2")
    rows = table(told("9 2 icons:A,AD,- dicons:A,D", *[2] * 4, *[1] * 3, *[3] * 2, 1, 2, most=1))
    assert rows[1:] == ("1  att 3×AD 4×A 2×– = 7A 3D", "   def A D = 1A 1D", "   9 v 0"), "one line has no room"


@each(
    [
        ("1 1", [1, 6], "Defender holds with 1 left"),
        ("1 1 ties:both", [3, 3], "Both sides are wiped out"),
        ("5 9 stop:4", [1, 1, 1, 6, 6], "Attack called off after 1 round, 3 against 9 left"),
        ("5 9 reserve:4", [1, 6, 6], "Attack called off after 1 round, 4 against 9 left"),
        ("5 9 rounds:1", [1, 1, 1, 6, 6], "Attack called off after 1 round, 3 against 9 left"),
        ("5 9 rounds:0", [], "Attack called off after 0 rounds, 5 against 9 left"),
        ("4 9 stop:4", [], "The attack ends before the first roll"),
        ("0 9", [], "Defender holds with 9 left"),
        ("9 0", [], "Attacker wins with 9 left"),
        ("1 > 1", [6, 1], "Takes it with 1 left"),
        ("3 > 1 > 1", [6, 6, 6, 1, 6, 6, 1], "Takes both territories with 2 left"),
        ("3 > 1 > 5", [6, 6, 6, 1, 1, 1, 6, 6], "Stopped at territory 2 of 2, 0 against 5 left"),
        ("9 > 1 > 5 leave:5 stop:4", [6, 6, 6, 1], "Attack called off at territory 2 of 2, 4 against 5 left"),
        ("3 > 1 > 5 leave:9", [6, 6, 6, 1], "Stopped at territory 2 of 2, 0 against 5 left"),
        ("1 ties:both > 1 > 1", [3, 3], "Stopped at territory 1 of 2, 0 against 0 left"),
    ]
)
def test_the_headline_says_how_a_battle_ended(line: str, faces: list[int], outcome: str) -> None:
    assert headline(told(line, *faces)) == outcome


@each(
    [
        ("1 sub submerge vs 1 sub 1 des submerge", [1, 6], "Defender submerged, 1 sub against 1 sub left"),
        ("2 cru vs 1 aa", [], "Attacker clears it but can't take it, 2 cru left"),
        ("1 sub 1 cru submerge vs 1 cru then hold 1 des", [1, 1, 6, 1], "Attacker holds it in the end with 1 sub left"),
        ("1 fig vs 1 cru then hold 1 des", [1, 6], "Nobody holds it in the end, 1 fig left"),
        ("1 cru vs 1 cru then hold 1 des", [1, 1], "Nobody is left in the end"),
        ("1 des vs 1 des then 1 fig", [2, 6], "Attacker holds it in the end with 1 fig 1 des left"),
        ("1 inf vs 1 aa then hold 1 fig", [1, 6], "It ends up empty; the attacker still owns it"),
        ("1 inf vs 1 aa then hold 1 fig", [6, 1], "Attacker holds it in the end with 1 inf left"),
        ("1 fig vs 1 inf then 1 fig", [1, 6], "It ends up empty; the defender still owns it"),
        ("1 fig vs 1 inf then 1 inf", [1, 6], "Attacker holds it in the end with 1 inf left"),
        ("1 des vs 1 bat dretreat:1", [2, 6], "Attacker wins with 1 des left"),
        ("1 fig vs 1 inf 1 aa dretreat:1", [6, 6, 6], "Attacker clears it but can't take it, 1 fig left"),
    ]
)
def test_the_end_of_armies_has_the_name_that_odds_use(line: str, faces: list[int], told: str) -> None:
    fight, dice = begin(parse(line).battle), script(*faces)
    while fight.ended is None:
        _, fight = fight.throw(dice)
    assert LIVE[type(fight)].outcome(fight, 1) == told


@each([("1 des vs 1 des then 1 des", "the sea"), ("1 inf vs 1 inf then 1 inf", "it")])
def test_waves_begin_with_the_chance_in_the_words_of_the_odds(line: str, field: str) -> None:
    fight = begin(parse(line).battle)
    assert LIVE[type(fight)].win_text(fight, "50%", True) == f"Attacker holds {field} in the end: 50%"


@each(
    [
        (
            "1 inf 2 fig 1 bom vs 2 inf 1 aa variant:revised",
            "attacker none; defender 3 at 1; in this order: 2 against fig, 1 against bom",
        ),
        (
            "1 inf 1 fig 1 bom vs 2 inf 1 aa then 2 inf vs 1 inf variant:aa50",
            "attacker none; defender 2 at 1; in this order: 1 against fig, 1 against bom",
        ),
        ("1 inf 2 fig vs 2 inf 1 aa variant:revised", "attacker none; defender 2 at 1"),
        (
            "1 acc 2 bat vs 1 des kamikaze:1acc,2bat variant:1940",
            "attacker none; defender 3 at 2; in this order: 1 against acc, 1 against bat, 1 against bat",
        ),
        ("1 inf 1 fig 1 bom vs 2 inf 1 aa", "attacker none; defender 2 at 1"),
    ]
)
def test_aimed_dice_are_typed_in_the_order_that_is_shown(line: str, told: str) -> None:
    fight = begin(parse(line).battle)
    assert str(next_dice_text(LIVE[type(fight)], fight)) == told


@each(
    [
        ("1 inf 2 fig 1 bom vs 2 inf 1 aa variant:revised", [4, 6, 1], "1  guns fig @1 4 6  bom @1 1 → 1 hit"),
        ("1 inf 2 fig vs 2 inf 1 aa variant:revised", [4, 1], "1  guns @1 4 1 → 1 hit"),
        ("1 inf 1 fig 1 bom vs 2 inf 1 aa then 2 inf variant:aa50", [4, 1], "1  guns fig @1 4  bom @1 1 → 1 hit"),
    ]
)
def test_a_row_names_the_planes_at_which_dice_of_guns_are_aimed(line: str, faces: list[int], row: str) -> None:
    start = begin(parse(line).battle)
    throw, fight = start.throw(script(*faces))
    assert row in table([LiveStage(start), LiveStage(fight, throw)])


def test_a_wave_that_ends_without_a_roll_has_a_row() -> None:
    starts = [table([LiveStage(begin(parse(f"2 fig vs 1 {ship} then 1 des").battle))]) for ship in ("sub", "des")]
    assert [rows[:2] for rows in starts] == [("wave 1: no roll", "wave 2"), ("wave 1", "   2 fig v 1 des")]


@each(["", " then hold 1 inf"])
def test_a_row_says_that_the_defender_leaves_and_by_which_rule(later: str) -> None:
    start = begin(parse(f"1 inf vs 2 inf dretreat:1{later}").battle)
    throw, fight = start.throw(script(1, 6, 6))
    assert "   the defender leaves (`dretreat:1`)" in table([LiveStage(start), LiveStage(fight, throw)])


def test_a_list_names_who_submerged() -> None:
    sea, land = parse("1 sub vs 1 sub").battle, parse("1 fig vs 1 inf").battle
    assert army_live.ending(sea, "cleared") == "defender submerged"
    assert army_live.ending(land, "cleared") is army_live.ending(sea, "won") is None


def test_an_impossible_win_is_0_and_not_a_small_chance() -> None:
    rows = table(told("9 9 rounds:2", *[3, 3, 3, 3, 3] * 2))
    assert [row.split()[-1] for row in rows[1:3]] == ["0%", "0%"]


@given(battles, st.integers(0, 2**32), st.integers(1, 2000))
@examples(50)
def test_a_long_battle_fits_a_message_and_its_file_has_the_rest(battle: Battle, seed: int, most: int) -> None:
    source, stage = by_chance(seed), LiveStage[Fight, Throw](begin(battle))
    known = [stage]
    while stage.fight.ended is None and len(known) <= most:
        throw, fight = stage.fight.throw(source)
        known.append(stage := LiveStage(fight, throw, 0.123))
    parts = message_parts(Reply("🎲", table=table(known), note="`12 9`"))
    assert len(parts["content"]) <= 2000
    assert line_of(parts["content"]) == "12 9"
    whole_table = "\n".join(table(known))
    if whole_table not in parts["content"]:
        (file,) = parts["files"]
        assert file.fp.read().decode() == whole_table


# Names -----------------------------------------------------------------------------------------------------


@each(
    [
        ("Alice", "Alice"),
        ("Jean-Luc P.", "Jean-Luc P."),
        ("**@everyone** [x](http://x) `y`", "everyone xhttpx y"),
        ("<@123>", "123"),
        ("Åsa 九", "Åsa 九"),
        ("|| ||", "someone"),
        ("", "someone"),
    ]
)
def test_names_of_players_are_shown_without_markup(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_players_are_named_if_there_is_an_opponent() -> None:
    alice, bob = Player("1", "11", "Alice", "attacker"), Player("2", "12", "Bob", "defender")
    assert players_text([alice, bob]) == "Alice attacks Bob"
    assert players_text([alice]) == ""
    assert players_text([alice, Player("2", None, "", "defender")]) == "Alice attacks someone"


# Luck ------------------------------------------------------------------------------------------------------


@each(["5 4", "5 4 stop:2", "5 4 reserve:2", "6 4 rounds:2", "7 > 2 > 3 leave:2", "3 > 1 > 5 leave:9", "9 > 1 > 1"])
def test_the_percentile_of_ends_is_a_half_on_average(line: str) -> None:
    """For each end counts half itself; nobody gets rich who bets on something else."""
    battle = parse(line).battle
    assert isinstance(battle, Battle | Path)
    odds = march(battle) if isinstance(battle, Path) else solve(battle)
    places = []
    for seed in range(pick(300, 600)):
        *_, last = fights(battle, by_chance(seed))
        places.append(standing(odds, battle, last))
    assert not refused(places, 0.5, 0, 1)
    assert len(set(places)) > 1, "ends differ"


def test_a_win_with_further_survivors_has_a_higher_percentile() -> None:
    odds = solve(Battle(4, 2))
    best, worse, lost = (
        standing(odds, parse("4 2").battle, told("4 2", *faces)[-1].fight)
        for faces in ([6, 6, 6, 1, 1], [6, 4, 1, 5, 4, 3, 3, 3, 2], [1, 1, 1, 6, 6, 1, 1, 6, 6])
    )
    assert best is not None
    assert worse is not None
    assert lost is not None
    assert 1 > best > worse > lost > 0


@each(
    [
        (
            0.21,
            0.739,
            "The dice helped the attacker: +21.0 points of win chance · survivors: more than in 73% of such battles",
        ),
        (
            0.1,
            0.151,
            ("The dice helped the attacker: +10.0 points of win chance · survivors: fewer than in 84% of such battles"),
        ),
        (
            -0.79,
            0.16,
            "The dice helped the defender: +79.0 points of win chance · survivors: more than in 84% of such battles",
        ),
        (
            0.21,
            0.9999,
            "The dice helped the attacker: +21.0 points of win chance · survivors: more than in 99% of such battles",
        ),
        (-0.21, None, "The dice helped the defender: +21.0 points of win chance"),
        (0.0004, 0.5, "The dice were even"),
        (-0.0004, 0.5, "The dice were even"),
    ]
)
def test_the_luck_sentence_says_whom_the_dice_helped(luck: float, place: float | None, text: str) -> None:
    assert luck_sentence(luck, place) == text
