"""Losses that players choose in live battles of several waves: who is asked, and the chance after each choice."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.live import choices, foresight
from solver.axis.live.choices import CHOICES, loss_chooser, order_or_wish, player_of, way_chances
from solver.axis.sides import Ruling
from solver.axis.waves.fight import WavesFight
from solver.axis.waves.waves import Waves, battle_from_dict
from solver.errors import BattleError, TooLargeError
from solver.game import SideName
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.axis_battles import RULES
from tests.helpers.solver.axis_chains import chains
from tests.helpers.solver.axis_chosen import best
from tests.helpers.solver.axis_fought import by_order, check_means_from, dice
from tests.helpers.solver.axis_hits import loses
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin, chances


def started(waves: AxisBattle | Waves) -> WavesFight:
    fight = begin(waves)
    assert isinstance(fight, WavesFight)
    return fight


def of_line(line: str) -> WavesFight:
    return started(parse(line).battle)


def thrown(fight: WavesFight, *fallen: int) -> WavesFight:
    return fight.throw(script(*fallen))[1]


def kept(fight: WavesFight) -> WavesFight:
    after = by_order(fight)
    assert isinstance(after, WavesFight)
    return after


def chance(fight: WavesFight) -> float:
    (now,) = chances([fight])
    assert now is not None
    return now


# Who is asked ----------------------------------------------------------------------------------------------

ASKED: dict[str, tuple[str, tuple[int, ...], tuple[SideName, ...]]] = {
    "who captured defends in a hold": ("1 inf 1 arm vs 2 inf then hold 1 inf", (1, 1, 1, 6), ("attacker",)),
    "who captured meets nobody": ("1 inf 1 arm vs 2 inf then 1 inf", (1, 1, 1, 6), ()),
    "who stood meets the next attackers": ("2 inf vs 1 inf 1 arm then 1 arm", (1, 6, 1, 1), ("defender",)),
    "the same units, be they chosen or not": ("2 inf vs 2 inf then 1 arm", (1, 6, 1, 1), ()),
    "a fighter or who takes it": ("2 inf 1 fig vs 2 inf then hold 1 inf", (1, 6, 1, 1, 1), ("attacker",)),
    "a fleet that stays": ("1 des 1 cru vs 2 des then hold 1 des", (2, 2, 2, 6), ("attacker",)),
}


@each(ASKED)
def test_a_wave_waits_for_losses_that_change_who_goes_on(name: str) -> None:
    line, fallen, asked = ASKED[name]
    after = thrown(of_line(line), *fallen)
    assert (after.fight.pending is not None, after.fight.asked if after.fight.pending else ()) == (bool(asked), asked)
    assert CHOICES.due(after) == bool(asked)
    assert (after.wave, after.ended) == (0, None) or not asked


def test_in_a_hold_the_second_player_chooses_for_the_attackers() -> None:
    hold = kept(thrown(of_line("2 inf vs 1 inf then hold 1 inf 1 arm then hold 1 inf"), 1, 6, 6))
    assert (hold.wave, hold.attacking_side, CHOICES.choosers(hold)) == (1, "defender", ())
    after = thrown(hold, 6, 1, 1, 6)
    assert (CHOICES.due(after), loss_chooser(after)) == (False, None)
    assert [player_of(after, side) for side in after.fight.choosers] == ["defender"]
    waits = thrown(after.choose(loses("attacker", tank=1)), 1, 6)
    assert (waits.wave, waits.ended) == (2, None), "who is left has no choice"
    waits = thrown(hold, 1, 1, 1, 6)
    assert (loss_chooser(waits), waits.fight.asked, waits.fight.left[0]) == ("defender", ("attacker",), {"tank": 1})
    for choice, left in (({"infantry": 1}, {"tank": 1}), ({"tank": 1}, {"infantry": 1})):
        assert waits.choose({"side": "attacker", "lose": choice}).fight.left[1] == left
    assert order_or_wish(waits) == loses("attacker", infantry=1)


def test_old_logs_of_waves_ask_nobody() -> None:
    today = parse(ASKED["who captured defends in a hold"][0]).battle
    old = replace(today, battles=tuple(replace(battle, ruling=Ruling.FLEETS_STAY) for battle in today.battles))
    after = thrown(started(old), 1, 1, 1, 6)
    assert (after.wave, after.fight.volley) == (1, None)
    with pytest.raises(BattleError):
        after.choose(loses("attacker", tank=1))


@examples(150)
@given(st.one_of(chains("land"), chains("sea")), st.integers(0, 2**32))
def test_waves_fought_by_order_come_to_the_stages_of_old_logs(document: dict[str, Any], seed: int) -> None:
    waves = battle_from_dict(document, RULES)
    assert isinstance(waves, Waves)
    before = replace(waves, battles=tuple(replace(battle, ruling=Ruling.FLEETS_STAY) for battle in waves.battles))
    new, old, source, again = started(waves), started(before), dice(seed), dice(seed)
    for _throw in range(40):
        if old.ended:
            break
        new, old = kept(new.throw(source)[1]), old.throw(again)[1]
        assert (new.wave, new.fight.left, new.fight.gone, new.ended) == (
            old.wave,
            old.fight.left,
            old.fight.gone,
            old.ended,
        )


# The chance ------------------------------------------------------------------------------------------------

SMALL = {
    "again": "1 inf 1 arm 1 fig vs 2 inf then 1 arm",
    "hold": "2 inf 1 arm vs 1 inf 1 art then hold 1 inf 1 fig",
    "rounds": "1 ainf 1 inf 1 fig rounds:1 vs 2 inf then hold 1 arm rounds:1",
    "retreat": "2 inf 1 arm retreat:units<=1 vs 1 inf 1 arm then 1 arm vs 1 inf",
    "sea": "1 sub 1 cru vs 1 sub 1 des then 1 fig vs 1 tra then hold 1 des",
    "guns": "1 inf 1 fig 1 bom vs 1 inf 1 aa then hold 1 arm",
}


@each(pick(["hold", "sea"], SMALL))
def test_the_chance_of_waves_after_chosen_losses_is_the_mean_over_all_dice(name: str) -> None:
    """Down to the ends, after every choice of the first throws that leave one."""
    start, stages, compared = of_line(SMALL[name]), [], 0
    for seed in range(pick(2, 12)):
        fight, source = start, dice(seed)
        for _throw in range(2):
            fight = thrown_by(fight, source)
            for side in fight.fight.choosers:
                for way in way_chances(fight, side).ways:
                    after = fight if way.now else fight.choose(way.choice)
                    stages.append(after)
                    compared += not way.now
            fight = kept(fight)
            if fight.ended:
                break
    assert compared > pick(1, 5)
    assert check_means_from(*map(by_order, stages)) == pytest.approx(list(map(chance, stages)), abs=1e-9)


def thrown_by(fight: WavesFight, source: Any) -> WavesFight:
    return fight.throw(source)[1]


@examples(pick(100, 200))
@given(st.one_of(chains("land"), chains("sea")), st.integers(0, 2**32))
def test_the_odds_of_ways_are_those_after_the_choice(document: dict[str, Any], seed: int) -> None:
    generator, source = random.Random(seed), dice(seed)
    fight = started(battle_from_dict(document | {"look_ahead": False}, RULES))
    for _throw in range(12):
        if fight.ended:
            break
        fight = thrown_by(fight, source)
        for side in fight.fight.choosers:
            found = way_chances(fight, side)
            signs = [way.chance * (-1 if player_of(fight, side) == "attacker" else 1) for way in found.ways]
            assert signs == pytest.approx(sorted(signs), abs=1e-9)
            way = generator.choice(found.ways)
            after = fight if way.now else fight.choose(way.choice)
            if not found.chooses:
                assert chance(after) == pytest.approx(way.chance, abs=1e-9)
            sign = 1 if player_of(fight, side) == "attacker" else -1
            assert sign * (way.chance - chance(after)) > -1e-9, "the orders are among the choices"
            fight = fight if generator.random() < 0.5 else after
            if not fight.fight.volley:
                break
        fight = kept(fight)


FORESEEN: dict[str, tuple[str, tuple[tuple[int, ...], ...]]] = {
    "again": ("1 inf 1 arm vs 1 inf 1 arm then 1 arm", ((1, 6, 1, 6),)),
    "hold": ("1 inf 1 arm 1 fig vs 2 inf then hold 1 inf 1 arm", ((6, 6, 6, 1, 6),)),
    "in a hold": ("1 inf 1 arm vs 1 inf then hold 1 inf 1 arm then hold 1 inf", ((1, 6, 6), (1, 6, 1, 6))),
    "rounds": ("2 inf 1 arm vs 2 inf then 1 inf 1 arm rounds:1 then hold 1 arm rounds:2", ((6, 6, 6, 1, 6),)),
    "kept": ("1 inf 1 arm vs 1 inf 1 arm then 1 inf 1 fig keep:1 vs 1 inf", ((6, 6, 1, 6),)),
    "the end": ("1 inf 1 arm vs 1 inf then hold 1 inf", ((1, 6, 1),)),
    "leaving": ("1 inf 2 arm vs 2 inf dretreat:units<=1 then hold 1 inf dretreat:2", ((1, 6, 6, 1, 6),)),
    "guns": ("1 fig 1 bom 1 inf vs 1 inf 1 aa then hold 1 inf 1 arm", ((1, 6),)),
    "sea": ("1 des 1 cru vs 2 cru then 1 des vs 1 sub", ((6, 6, 2, 6),)),
    "fleet": ("1 des 1 cru vs 1 cru then hold 1 cru 1 sub", ((6, 6, 2),)),
    "last at sea": ("1 des vs 1 des then 1 sub 1 cru", ((6, 2), (6, 6, 1))),
}


@each(pick(["in a hold", "leaving", "guns", "fleet"], FORESEEN))
def test_a_player_who_goes_on_choosing_in_all_waves_has_the_best_chance(name: str) -> None:
    line, throws = FORESEEN[name]
    after = of_line(line)
    for fallen in throws:
        after = thrown(kept(after), *fallen)
    assert after.fight.choosers
    for side in after.fight.choosers:
        found, sign = way_chances(after, side), 1 if player_of(after, side) == "attacker" else -1
        assert found.chooses
        assert found.ways == sorted(found.ways, key=lambda way: -sign * round(way.chance, 9))
        chosen = [by_order(after if way.now else after.choose(way.choice)) for way in found.ways]
        expected = best(chosen, player_of(after, side))
        assert [way.chance for way in found.ways] == pytest.approx(expected, abs=1e-9)


def test_waves_with_lookahead_say_no_odds_of_ways() -> None:
    after = thrown(of_line("2 inf 1 arm lookahead retreat:profit<0 vs 2 inf then 2 inf"), 1, 6, 6, 1, 6)
    assert after.fight.choosers == ("attacker",)
    with pytest.raises(TooLargeError):
        way_chances(after, "attacker")


@each(
    [
        ("2 inf 1 arm 1 fig retreat:units<=2 vs 2 inf 1 arm then 1 arm vs 1 inf", (6, 6, 6, 6, 6, 6, 2), False),
        ("1 inf 1 arm 1 fig vs 2 inf then 1 inf 1 arm retreat:units<=1", (6, 6, 6, 1, 6), False),
        ("1 des 1 cru vs 2 cru then 1 sub 1 des submerge vs 1 fig", (6, 6, 2, 6), False),
        ("1 des 1 cru vs 2 cru then 1 sub 1 des vs 1 fig", (6, 6, 2, 6), True),
    ]
)
def test_with_plans_in_this_or_a_later_wave_nobody_chooses_again(
    line: str, fallen: tuple[int, ...], chooses: bool
) -> None:
    after = thrown(of_line(line), *fallen)
    assert after.fight.choosers
    for side in after.fight.choosers:
        found = way_chances(after, side)
        assert found.chooses == chooses
        for way in () if chooses else found.ways:
            assert way.chance == pytest.approx(chance(after if way.now else after.choose(way.choice)), abs=1e-9)


def test_ways_too_large_to_foresee_have_the_odds_of_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (choices, foresight):
        monkeypatch.setattr(module, "MOST_FORESEEN", 1.0)
    for line, throws in (FORESEEN[name] for name in ("again", "hold", "rounds")):
        after = thrown(of_line(line), *throws[0])
        for side in after.fight.choosers:
            found = way_chances(after, side)
            assert not found.chooses
            for way in found.ways:
                assert way.chance == pytest.approx(chance(after if way.now else after.choose(way.choice)), abs=1e-9)
