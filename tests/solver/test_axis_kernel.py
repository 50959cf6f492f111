"""The parts of the solver of Axis & Allies: laws of hits, casualties, fire and rounds, each against a slow twin."""

from fractions import Fraction
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.kernel import lattice as lattice_module
from solver.axis.kernel.fire import Fire
from solver.axis.kernel.forces import REACHES, Take, full_force, withdraw
from solver.axis.kernel.hits import add_hits, hit_laws
from solver.axis.kernel.lattice import Lattice, Leaving
from solver.axis.kernel.ways import FireStage, Troop
from solver.axis.loss_order import Force, Segment
from solver.axis.sides import EVERYBODY, FACES, LOW_LUCK, Army, Dice
from solver.axis.solve import solve_axis
from solver.axis.units import Theatre
from solver.chain import backward
from solver.progress import Meter
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute, axis_rules
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import ATTACK, RULES, document

Units = tuple[str, ...]
"""Unit after unit, the next casualty last; a spare hit stands for itself."""
Law = dict[Any, Fraction]

BIASED = [Fraction(tenths, 10) for tenths in (0, 1, 3, 6, 8, 9, 10)]
STAGES = {
    "one": ["any:all"],
    "together": ["any:subs+planes+others"],
    "subs first": ["ships:subs", "any:planes+others"],
    "planes apart": ["surface:planes", "any:others&subs"],
    "three": ["ships:subs", "surface:planes", "any:others"],
}


def hits_of(strengths: list[int], dice: Dice) -> Law:
    """The law of the hits of some dice, every roll in turn."""
    faces = FACES[dice]
    if dice in LOW_LUCK:
        sure, rest = divmod(sum(strengths), faces)
        return {sure: 1 - Fraction(rest, faces), sure + 1: Fraction(rest, faces)}
    law: Law = {}
    for rolled in product((False, True), repeat=len(strengths)):
        chance = Fraction(1)
        for hit, strength in zip(rolled, strengths, strict=True):
            likely = BIASED[strength] if dice == "biased" else Fraction(strength, faces)
            chance *= likely if hit else 1 - likely
        law[sum(rolled)] = law.get(sum(rolled), Fraction(0)) + chance
    return law


def units_of(segments: tuple[Segment, ...], active: tuple[int, ...]) -> Units:
    """A force unit by unit."""
    names = [
        "spare_hit" if segment.spare else segment.unit.name
        for segment, count in zip(segments, active, strict=True)
        for _ in range(count)
    ]
    return tuple(reversed(names))


def hit(units: Units, take: Take) -> Units:
    """What is left after one hit: the next unit of those that it may take falls."""
    reached = {
        "any": lambda unit: True,
        "ships": lambda unit: not axis_rules.is_plane(unit),
        "surface": lambda unit: unit != "submarine",
        "planes": axis_rules.is_plane,
    }[take.reach]
    return axis_brute.allotted(units, 1, take.keep, lambda unit: unit == "spare_hit" or reached(unit))


def fleet(units: list[str], order: list[str], dice: Dice, role: Any, takes: list[Take]) -> Lattice:
    """The forces of a fleet."""
    counts = {name: units.count(name) for name in units}
    side = Army.of(counts, *order)
    other = Army.of({})
    battle = AxisBattle(RULES, "sea", *((side, other) if role == "attack" else (other, side)))
    segments = battle.segments(role)
    return Lattice(segments, role, dice, [full_force(segments)], takes)


ships = st.lists(st.sampled_from(["submarine", "destroyer", "fighter", "battleship", "transport"]), max_size=4)
orders = st.permutations(ATTACK["sea"])
every_dice = st.sampled_from([dice for dice in FACES if FACES[dice] == 6])


# Laws of hits ------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 6), max_size=7), min_size=1, max_size=4), st.sampled_from(get_args(Dice)))
def test_hits_have_the_law_of_every_roll_in_turn(volleys: list[list[int]], dice: Dice) -> None:
    powers = np.array([[volley.count(strength) for strength in range(7)] for volley in volleys])
    laws = hit_laws(powers, dice)
    for law, volley in zip(laws, volleys, strict=True):
        expected = hits_of(volley, dice)
        assert all(not chance for hits, chance in expected.items() if hits >= len(law))
        wanted = [float(expected.get(hits, 0)) for hits in range(len(law))]
        assert law.tolist() == pytest.approx(wanted, rel=1e-12, abs=0), "even the smallest chance is right"


laws = st.lists(st.floats(0, 1), min_size=1, max_size=5).map(lambda law: np.array([law]))


@given(laws, laws, st.integers(0, 6), st.booleans())
def test_two_volleys_have_the_law_of_the_sum_of_their_hits(first: Any, second: Any, most: int, capped: bool) -> None:
    sums: dict[int, float] = {}
    for (one, chance), (two, other) in product(enumerate(first[0]), enumerate(second[0])):
        if one <= most or capped:
            sums[min(one, most) + two] = sums.get(min(one, most) + two, 0.0) + chance * other
    law = add_hits(first, second, most, capped)[0]
    assert law.tolist() == pytest.approx([sums.get(hits, 0.0) for hits in range(len(law))], abs=1e-12)
    assert all(hits < len(law) for hits in sums)


# Casualties ----------------------------------------------------------------------------------------------------


def test_forces_on_land_are_places_on_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REACHES, "planes", lambda unit: unit.kind == "air")
    order = "artillery", "infantry", "fighter", "tank"
    battle = AxisBattle(RULES, "land", Army.of({"infantry": 2, "tank": 1, "fighter": 2}, *order), Army.of({"tank": 1}))
    segments = battle.segments("attack")
    assert [(segment.unit.name, segment.units) for segment in segments] == [
        ("infantry", 2),
        ("fighter", 2),
        ("tank", 1),
    ]
    lattice = Lattice(segments, "attack", "standard", [full_force(segments)], [Take("any"), Take("planes")])
    line = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1)]
    assert [force for force in lattice.nodes if force.active in line] == [Force(one, (0, 0, 0)) for one in line]
    assert {force.active for force in lattice.nodes} == {*line, (2, 1, 1), (2, 0, 1), (1, 1, 1), (1, 0, 1)}
    assert lattice.rank.tolist() == sorted(lattice.rank.tolist()), "the weakest are first"
    planes = lattice.nodes_after(Take("planes"), 99)[lattice.place[full_force(segments)]]
    assert [lattice.nodes[node].active for node in planes] == [(2, 2, 1), (2, 1, 1), *[(2, 0, 1)] * 4]


def test_the_lattice_spares_the_last_destroyer() -> None:
    keep = Take("any", keep=True)
    lattice = fleet(
        ["destroyer", "destroyer", "submarine", "transport"], ["destroyer", "submarine"], "standard", "attack", [keep]
    )
    names = [units_of(lattice.segments, lattice.nodes[node].active) for node in lattice.nodes_after(keep, 99)[-1]]
    assert names == [
        ("transport", "submarine", "destroyer", "destroyer"),
        ("transport", "submarine", "destroyer"),
        ("transport", "destroyer"),
        ("transport",),
        (),
    ]


@given(ships, orders, st.sampled_from(["attack", "defence"]))
def test_every_force_loses_the_units_that_the_rules_name(units: list[str], order: list[str], role: Any) -> None:
    takes = [Take(reach, keep) for reach in ("any", "ships", "surface") for keep in (False, True)]
    lattice = fleet(units, order, "standard", role, takes)
    for take in takes:
        for node, row in enumerate(lattice.nodes_after(take, 99).tolist()):
            left = units_of(lattice.segments, lattice.nodes[node].active)
            for after in row:
                assert units_of(lattice.segments, lattice.nodes[after].active) == left
                left = hit(left, take)


def test_submerged_units_are_gone_and_not_lost() -> None:
    segments = AxisBattle(RULES, "sea", Army.of({"submarine": 2, "cruiser": 1}), Army.of({})).segments("attack")
    force = withdraw(full_force(segments), {0})
    subs = Leaving(frozenset({0}), frozenset(), frozenset())
    lattice = Lattice(segments, "attack", "standard", [full_force(segments)], [Take("any")], subs)
    assert force == Force((0, 1), (2, 0))
    assert lattice.cost_left[lattice.place[force]] == 12
    assert lattice.cost_gone[lattice.place[force]] == 12


@given(ships, orders, st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)), st.booleans(), st.data())
def test_forces_by_rank_are_those_of_the_plain_search(
    units: list[str], order: list[str], landed: set[int], others: set[int], subs_leave: bool, data: st.DataObject
) -> None:
    takes = [Take("any"), Take("ships", keep=True), Take("surface"), Take("planes", keep=True)]
    segments = fleet(units, order, "standard", "attack", takes).segments
    subs = frozenset(place for place, one in enumerate(segments) if one.unit.surprise and subs_leave)
    there = [frozenset(one for one in places if one < len(segments)) for places in (others, landed)]
    leave = Leaving(subs, there[0], there[1], data.draw(st.sampled_from([EVERYBODY, 1, 2])))
    counts = st.tuples(*(st.integers(0, segment.units) for segment in segments))
    roots = [Force(*pair) for pair in data.draw(st.lists(st.tuples(counts, counts), min_size=1, max_size=4))]
    slow = Lattice(segments, "attack", "standard", roots, takes, leave)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.axis.kernel.lattice.MANY", 0)
        fast = Lattice(segments, "attack", "standard", roots, takes, leave)
    assert fast.nodes == slow.nodes
    assert fast.starts.tolist() == slow.starts.tolist()
    for take in takes:
        assert fast.nodes_after(take, 99).tolist() == slow.nodes_after(take, 99).tolist()


# Fire ----------------------------------------------------------------------------------------------------------


def naive_fire(lattices: tuple[Lattice, Lattice], nodes: tuple[int, int], stages: list[FireStage], dice: Dice) -> Law:
    """What the fire of a force makes of another, every number of hits of every group in turn."""
    shooter, target = lattices
    segments, active = shooter.segments, shooter.nodes[nodes[0]].active
    law: Law = {units_of(target.segments, target.nodes[nodes[1]].active): Fraction(1)}
    for stage in stages:
        for rolling in stage.group.split("&"):
            groups = {"submarine" if one == "subs" else one for one in rolling.split("+")}
            strengths = [
                segment.unit.strength(shooter.role)
                for segment, count in zip(segments, active, strict=True)
                for _ in range(0 if segment.spare else count)
                if groups & {"all", _group(segment.unit.name)}
            ]
            after: Law = {}
            for (left, chance), (hits, likely) in product(law.items(), hits_of(strengths, dice).items()):
                for _ in range(hits):
                    left = hit(left, stage.take)
                after[left] = after.get(left, Fraction(0)) + chance * likely
            law = after
    return law


def _group(name: str) -> str:
    return name if name == "submarine" else "planes" if axis_rules.is_plane(name) else "others"


@examples(pick(40, 60), derandomize=True)
@given(ships, ships, orders, every_dice, st.sampled_from(list(STAGES)), st.booleans(), st.booleans())
def test_fire_of_the_kernel_sums_over_all_numbers_of_hits(
    ours: list[str], theirs: list[str], order: list[str], dice: Dice, kind: str, keep: bool, trim: bool
) -> None:
    stages = []
    for name in STAGES[kind]:
        reach, _, group = name.partition(":")
        stages.append(FireStage(Take(reach, keep), group))
    shooter = fleet(ours, order, dice, "attack", [Take("any")])
    target = fleet(theirs, order, dice, "defence", [stage.take for stage in stages])
    everybody = [np.arange(len(lattice.nodes)) for lattice in (shooter, target)]
    troops = [Troop(target, everybody[1]), Troop(shooter, everybody[0])]
    fire = Fire(troops[0], troops[1], stages, trim, Meter())
    chances, after, first, _ = fire.outcomes(*everybody)
    assert after[first].tolist() == list(range(len(target.nodes))), "first comes who is not hit"
    assert np.add.reduceat(chances, first, axis=1) == pytest.approx(
        np.ones((len(shooter.nodes), len(first))), abs=1e-12
    )
    ends = [*first[1:].tolist(), len(after)]
    for row, (node, (begin, end)) in product(range(len(chances)), enumerate(zip(first.tolist(), ends, strict=True))):
        wanted = naive_fire((shooter, target), (row, node), stages, dice)
        given_law = dict.fromkeys((one for one, chance in wanted.items() if chance), 0.0)
        for place in range(begin, end):
            left = units_of(target.segments, target.nodes[after[place]].active)
            given_law[left] = given_law.get(left, 0.0) + float(chances[row, place])
        assert given_law == pytest.approx({left: float(wanted.get(left, 0)) for left in given_law}, abs=1e-12)
    some = np.arange(0, len(target.nodes), 2)
    chosen = fire.outcomes(everybody[0], some)
    assert chosen.after[chosen.first].tolist() == some.tolist()
    parts = [slice(int(first[node]), ends[node]) for node in some.tolist()]
    assert np.array_equal(chosen.chances, np.concatenate([chances[:, part] for part in parts], axis=1))


# Rounds --------------------------------------------------------------------------------------------------------


def chain_of(battle: dict[str, Any]) -> AxisChain:
    return AxisChain(AxisBattle.from_dict(battle, RULES))


either = st.one_of(on_land(retreats=False), at_sea(retreats=False))


def without_ships(battle: dict[str, Any]) -> dict[str, Any]:
    """The battle without what happens before its first usual round."""
    (wave,) = battle["waves"]
    units = wave["attacker"]["units"]
    kept = {
        name: count for name, count in units.items() if battle["theatre"] == "sea" or axis_rules.kind(name) != "sea"
    }
    return battle | {"aa_already_fired": True, "waves": [wave | {"attacker": wave["attacker"] | {"units": kept}}]}


@examples(pick(40, 75), derandomize=True)
@given(either.map(without_ships))
def test_a_round_of_the_kernel_agrees_with_brute_force(battle: dict[str, Any]) -> None:
    chain, wave = chain_of(battle), axis_rules.read(battle)
    kernel = chain.kernel()
    start, law = kernel.empty(), kernel.empty()
    chain.begin(start, [1.0])
    kernel.make_moves(start)
    if axis_rules.over(axis_brute.settled(wave, wave.start)):
        assert kernel.spread(law, start, (0, 0)) == 0
        assert np.array_equal(law, start)
        return
    assert kernel.spread(law, start, (0, 0)) == pytest.approx(1)
    expected: dict[tuple[Units, Units], float] = {}
    for state, chance in axis_brute.next_states(wave, axis_brute.settled(wave, wave.start)).items():
        # Helpless defenders are destroyed at once; in the grid they stand until they are counted.
        expected[state.attackers, state.defenders] = expected.get((state.attackers, state.defenders), 0) + float(chance)
    given_law = dict.fromkeys(expected, 0.0)
    for row, column in np.argwhere(law > 0).tolist():
        ours = units_of(chain.attack.segments, chain.attack.nodes[row].active)
        theirs = units_of(chain.defence.segments, chain.defence.nodes[column].active)
        if ours and axis_rules.helpless(theirs):
            theirs = ()
        given_law[ours, theirs] = given_law.get((ours, theirs), 0.0) + float(law[row, column])
    assert given_law == pytest.approx({end: expected.get(end, 0.0) for end in given_law}, abs=1e-12)


@examples(pick(40, 75), derandomize=True)
@given(either.map(without_ships))
def test_the_worth_of_the_start_is_that_of_the_ends(battle: dict[str, Any]) -> None:
    """Backward and forward are one: the worth of a taken territory and of money lost, and their law."""
    battle = battle | {"deadzone": False, "territory_value": 0}
    calm = {"crash_stranded_fighters": False, "crash_attacking_fighters": False}
    battle["waves"] = [battle["waves"][0] | calm]
    chain, odds = chain_of(battle), solve_axis(AxisBattle.from_dict(battle, RULES), 0)
    attack, defence = chain.attack, chain.defence
    cleared = ~defence.alive[None, :] | (defence.helpless[None, :] & attack.alive[:, None])
    land = (attack.count(lambda unit: unit.kind == "land") > 0) & (battle["theatre"] == "land")
    lost = attack.cost_left.max() - attack.cost_left - attack.cost_gone
    killed = defence.cost_left.max() - np.where(cleared, 0, defence.cost_left[None, :]) - defence.cost_gone
    kernel = chain.kernel()
    start = kernel.empty()
    worth = np.zeros((3, *start.shape))
    payoffs = np.broadcast_arrays(cleared & land[:, None], lost[:, None], killed)
    worth[:, : len(attack.nodes)] = np.where(chain.fights, 0, payoffs)
    backward(kernel, worth)
    chain.begin(start, [1.0])
    kernel.make_moves(start)
    paid = (worth * start).sum(axis=(1, 2))
    assert paid.tolist() == pytest.approx([odds.takes, odds.attacker_loss, odds.defender_loss], rel=1e-12, abs=1e-12)


LONG: list[tuple[Theatre, dict[str, int], dict[str, int], dict[str, Any]]] = [
    ("land", {"infantry": 8, "artillery": 3, "fighter": 2, "cruiser": 1}, {"aa_gun": 1, "infantry": 7, "tank": 1}, {}),
    ("land", {"amphibious_infantry": 4, "tank": 3}, {"infantry": 6}, {"dice": "biased", "deadzone": True}),
    ("sea", {"submarine": 3, "destroyer": 1, "fighter": 2}, {"submarine": 3, "carrier": 1, "fighter": 2}, {}),
    ("sea", {"submarine": 2, "carrier": 1, "fighter": 1}, {"destroyer": 2, "fighter": 1}, {"dice": "low_luck"}),
    ("sea", {"battleship": 2, "cruiser": 1}, {"battleship": 1, "submarine": 2}, {"submerge": {"defender": True}}),
]


@pytest.mark.whole
@pytest.mark.parametrize(("theatre", "ours", "theirs", "rules"), LONG)
def test_a_limit_of_400_rounds_equals_no_limit(
    theatre: Theatre, ours: dict[str, int], theirs: dict[str, int], rules: dict[str, Any]
) -> None:
    names = "takes", "attacker_survives", "defender_survives", "attacker_loss", "defender_loss", "rounds"
    found = []
    for limit in (None, 400):
        battle = document(ours, theirs, theatre=theatre, round_limit=limit, **rules)
        odds = solve_axis(AxisBattle.from_dict(battle, RULES), 0)
        found.append([getattr(odds, name) for name in names])
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-9)


# Lattices that are kept ------------------------------------------------------------------------------------


def test_a_repeated_side_reuses_its_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice_module, "_kept", {})
    first = AxisChain(AxisBattle(RULES, "sea", Army.of({"submarine": 3}), Army.of({"cruiser": 2})))
    one_more = AxisChain(AxisBattle(RULES, "sea", Army.of({"submarine": 4}), Army.of({"cruiser": 2})))
    assert one_more.defence is first.defence
    assert one_more.attack is not first.attack
    submerging = AxisBattle(RULES, "sea", Army.of({"submarine": 3}), Army.of({"cruiser": 2}), submerge=(True, False))
    assert AxisChain(submerging).attack is not first.attack


def test_the_cache_of_lattices_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice_module, "_kept", {})
    monkeypatch.setattr(lattice_module, "MOST_KEPT", 10_000)

    def chain(infantry: int) -> AxisChain:
        return AxisChain(AxisBattle(RULES, "land", Army.of({"infantry": infantry}), Army.of({"infantry": 1})))

    first = chain(9)
    assert chain(9).attack is first.attack
    for infantry in range(10, 20):
        chain(infantry)
    assert chain(9).attack is not first.attack
    assert chain(400).attack is not chain(400).attack, "one of more than half of what is kept"
    assert sum(kept.numbers for kept in lattice_module._kept.values()) <= 10_000
