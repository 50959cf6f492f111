"""Hits of anti-aircraft guns that take planes at random: every die and every draw, in fractions."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.editions import editions
from solver.axis.battle import AxisBattle
from solver.axis.casualties.advice import find_casualties
from solver.axis.casualties.solve import solve_casualties
from solver.axis.course import guns_draw
from solver.axis.live.fight import AxisFight
from solver.axis.live.throws import draw_planes
from solver.axis.own_units import with_own_rules
from solver.axis.sides import Army, Retreat
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES
from solver.axis.waves.odds import solve_waves
from solver.game import DiceToRoll
from tests.helpers.bot.lines import parse
from tests.helpers.cases import each
from tests.helpers.extent import pick
from tests.helpers.solver import axis_brute as brute
from tests.helpers.solver.axis_battles import document
from tests.helpers.solver.axis_compare import agree_on_parts, check_sweep
from tests.helpers.solver.axis_fought import check_means_from, key
from tests.helpers.solver.dice_rolled import by_chance, script
from tests.helpers.solver.sampled_battles import check_that_shares_are_chances

RULES = with_own_rules(editions()["1942"].rules, ["aa-at-random"])
Side = dict[str, int]
CASES: list[tuple[Side, Side]] = [
    ({"infantry": 2, "fighter": 2, "bomber": 1}, {"infantry": 2, "aa_gun": 1}),
    ({"tank": 1, "fighter": 1, "bomber": 3}, {"infantry": 1, "fighter": 1, "aa_gun": 1}),
    ({"fighter": 1, "bomber": 1}, {"artillery": 1, "aa_gun": 2}),
    ({"infantry": 1, "fighter": 3}, {"infantry": 1, "aa_gun": 1}),
]
FIRST = CASES[0]


def battle(ours: Side, theirs: Side, **more: Any) -> AxisBattle:
    return AxisBattle.from_dict(document(ours, theirs, **more), RULES)


def falls(shots: int, dice: str) -> dict[int, Fraction]:
    """The law of the hits of so many shots that hit with 1, or with 1 of 10."""
    if dice.startswith("low_luck"):
        sure, over = divmod(shots, 6)
        return {sure: 1 - Fraction(over, 6), sure + 1: Fraction(over, 6)}
    chance, law = Fraction(1, 10 if dice == "biased" else 6), {0: Fraction(1)}
    for _ in range(shots):
        law = {
            hits: law.get(hits, Fraction(0)) * (1 - chance) + law.get(hits - 1, Fraction(0)) * chance
            for hits in range(len(law) + 1)
        }
    return law


def drawn(ours: Side, hits: int) -> Iterator[tuple[Side, Fraction]]:
    """What so many hits leave, plane after plane: each takes any of those left, all of them as likely."""
    planes = {name: ours.get(name, 0) for name in ("fighter", "bomber")}
    if not hits or not any(planes.values()):
        yield {name: count for name, count in ours.items() if count}, Fraction(1)
        return
    for name, count in planes.items():
        if count:
            for left, chance in drawn(ours | {name: count - 1}, hits - 1):
                yield left, chance * Fraction(count, sum(planes.values()))


def shot_at(ours: Side, theirs: Side, dice: str = "standard") -> Iterator[tuple[Side, Fraction]]:
    """What the guns leave of the attackers."""
    planes = ours.get("fighter", 0) + ours.get("bomber", 0)
    for hits, chance in falls(min(planes, 3 * theirs["aa_gun"]), dice).items():
        if chance:
            yield from ((left, chance * share) for left, share in drawn(ours, hits))


@each([(ours, theirs, dice) for ours, theirs in CASES for dice in ("standard", "biased", "low_luck", "low_luck_aa")])
def test_hits_at_random_take_each_plane_as_likely(ours: Side, theirs: Side, dice: str) -> None:
    """The odds are those of the slow twin after the guns, for each draw of planes."""
    prices = {unit.name: unit.cost for unit in RULES.units}
    later = {"low_luck_aa": "standard"}.get(dice, dice)
    takes, lost, beaten = Fraction(0), Fraction(0), Fraction(0)
    for left, chance in shot_at(ours, theirs, dice):
        lost += chance * sum(
            (Fraction(prices[name]) * (n - left.get(name, 0)) for name, n in ours.items()), Fraction(0)
        )
        if left:
            answer = brute.solve(document(left, theirs, aa_already_fired=True, dice=later))
            takes, lost = takes + chance * answer.takes, lost + chance * answer.attacker_loss
            beaten += chance * answer.defender_loss
    odds = solve_axis(battle(ours, theirs, dice=dice), 0)
    assert (odds.takes, odds.attacker_loss, odds.defender_loss) == pytest.approx(
        (float(takes), float(lost), float(beaten)), abs=1e-12
    )


def test_parts_orders_and_simulations_agree_on_hits_at_random() -> None:
    there = battle(*FIRST)
    for role in ROLES:
        agree_on_parts(there, role)
        check_sweep(there, role)
    agree_on_parts(replace(there, retreat=Retreat(profit_below=0.1)), "attack")
    check_that_shares_are_chances(battle({"infantry": 3, "fighter": 3, "bomber": 2}, FIRST[1]), seed=1)


def test_nobody_chooses_planes_that_are_hit_at_random() -> None:
    """The worth is the mean over what the guns leave."""
    choosing = replace(battle(*FIRST), chooses=(True, True))
    mean = 0.0
    for left, chance in shot_at(*FIRST):
        later = replace(choosing, attacker=Army.of(left, *choosing.attacker.loss_order), aa_already_fired=True)
        mean += float(chance) * solve_casualties(later).value
    assert solve_casualties(choosing).value == pytest.approx(mean, abs=1e-9)
    assert all(first.by != {"guns": first.hits} for first in find_casualties(choosing).now)


def test_a_shot_at_every_plane_hits_at_random_as_by_kind() -> None:
    """In Anniversary each plane is as likely to fall either way, in every wave."""
    line = "2 inf 2 fig 1 bom vs 2 inf 1 aa then 1 inf 1 fig 1 bom variant:aa50"
    usual, drawn_ones = (parse(f"{line}{rule}").battle for rule in ("", " rule:aa-at-random"))
    assert solve_waves(usual, 0).hold_chance(0) == pytest.approx(solve_waves(drawn_ones, 0).hold_chance(0), abs=1e-12)
    assert [guns_draw(wave) for wave in drawn_ones.battles] == [True, True]


# Live battles ------------------------------------------------------------------------------------------------


def throws(fight: AxisFight) -> dict[Any, tuple[AxisFight, Fraction]]:
    """Where the next throw leads, and how likely, with every face of every die and of every draw."""
    found: dict[Any, tuple[AxisFight, Fraction]] = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        asked: list[int] = []

        def source(sides: int, faces: tuple[int, ...] = faces, asked: list[int] = asked) -> int:
            asked.append(sides)
            return faces[len(asked) - 1] if len(asked) <= len(faces) else sides

        after = fight.throw(source)[1]
        if len(asked) > len(faces):
            size = asked[len(faces)]
            waiting += [((*faces, face), chance / size) for face in range(1, size + 1)]
        else:
            found[key(after)] = after, chance + found.get(key(after), (after, Fraction(0)))[1]
    return found


@each([({"fighter": 2, "bomber": 1}, "standard"), ({"fighter": 5, "bomber": 2}, "low_luck")])
def test_a_live_throw_of_guns_draws_planes_fairly(planes: Side, dice: str) -> None:
    there = battle({"infantry": 1} | planes, {"infantry": 1, "aa_gun": 3}, dice=dice)
    found = throws(AxisFight.begin(there))
    assert sum(chance for _, chance in found.values()) == 1
    wanted: dict[tuple[int, int], Fraction] = {}
    for left, chance in shot_at(dict(there.attacker.units), {"aa_gun": 3}, dice):
        kinds = left.get("fighter", 0), left.get("bomber", 0)
        wanted[kinds] = wanted.get(kinds, Fraction(0)) + chance
    assert wanted == {
        (after.left[0].get("fighter", 0), after.left[0].get("bomber", 0)): chance for after, chance in found.values()
    }
    if dice == "standard":
        means = check_means_from(*(after for after, _ in found.values()))
        shares = [float(chance) for _, chance in found.values()]
        mean = sum(share * win for share, win in zip(shares, means, strict=True))
        assert mean == pytest.approx(solve_axis(there, 0).wins, abs=1e-9)


def test_a_draw_names_the_plane_that_a_hit_takes() -> None:
    """Two of three shots hit; the third of three planes is the bomber, then the second of two is a fighter."""
    throw, after = AxisFight.begin(battle(*FIRST)).throw(script(1, 6, 1, 3, 2))
    assert [die.sides for die in throw.defence] == [6, 6, 6, 3, 2]
    assert (throw.needs[1], throw.hits, throw.lost[0]) == ((1, 1, 1, 0, 0), (0, 2), {"bomber": 1, "fighter": 1})
    assert (after.left[0], after.choosers) == ({"infantry": 2, "fighter": 1}, ())
    every, _ = AxisFight.begin(battle(*FIRST)).throw(script(1, 1, 1))
    assert every.lost[0] == {"fighter": 2, "bomber": 1}, "nothing is to draw where all planes are hit"


def test_hits_without_dice_draw_planes_too() -> None:
    """With low luck six shots are one hit."""
    fight = AxisFight.begin(
        battle({"infantry": 1, "fighter": 4, "bomber": 2}, {"infantry": 1, "aa_gun": 2}, dice="low_luck")
    )
    assert fight.next_dice() == ([], [DiceToRoll(1, 6, None)])
    assert fight.throw(script(5))[0].lost[0] == {"bomber": 1}


def test_more_planes_than_a_die_has_sides_are_drawn_with_two_dice() -> None:
    """Of 300 planes the second row of 256 has 44: what lies behind them is rolled again."""
    dice, fallen = draw_planes({"fighter": 299, "bomber": 1}, 1, script(2, 45, 2, 44))
    assert ([die.sides for die in dice], fallen) == ([2, 256, 2, 256], (0, 1))
    counts = [draw_planes({"fighter": 200, "bomber": 100}, 3, by_chance(seed))[1] for seed in range(pick(200, 5_000))]
    assert sum(bombers for _, bombers in counts) / len(counts) == pytest.approx(1, abs=0.25)
