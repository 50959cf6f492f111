"""Axis & Allies on lines of forces, in compiled code: the same as rank by rank, and as hits one after the other."""

from copy import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.chain import AxisChain
from solver.axis.kernel.forces import Take
from solver.axis.kernel.lattice import Lattice, Leaving
from solver.axis.kernel.levels import LevelKernel
from solver.axis.kernel.product import ProductKernel
from solver.axis.plans import RetreatPlans
from solver.axis.sides import Units
from solver.axis.solve import solve_axis, solve_chain
from solver.chain import Grid, forward, forward_rounds
from solver.compiled import library
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import CHANCES, PROFITS
from tests.helpers.solver.axis_battles import ATTACK, DEFENCE, RULES, document

pytestmark = pytest.mark.skipif(not library.library(), reason="there is no compiled kernel here")
SURFACE = ["destroyer", "carrier", "cruiser", "damaged_battleship", "battleship", "transport", "fighter", "bomber"]
ON_LAND = ["infantry", "artillery", "tank", "fighter", "bomber"]


def some_of(kinds: list[str], most: int) -> st.SearchStrategy[dict[str, int]]:
    return st.dictionaries(st.sampled_from(kinds), st.integers(1, most), max_size=4)


@st.composite
def chains(draw: st.DrawFn) -> AxisChain:
    """A battle of which the forces stand on lines; the defender may begin with several sets of units."""
    theatre = draw(st.sampled_from(["land", "land", "sea"]))
    ours, theirs = (ON_LAND, ["aa_gun", *ON_LAND]) if theatre == "land" else (SURFACE, SURFACE)
    defenders = draw(some_of(theirs, 5))
    rules: dict[str, st.SearchStrategy[Any]] = {
        "units_at_most": st.integers(1, 3),
        "profit_below": PROFITS,
        "win_chance_below": CHANCES,
    }
    battle: dict[str, Any] = document(
        draw(some_of(ours, 5)),
        defenders,
        theatre=theatre,
        retreat={name: draw(rules[name]) for name in draw(st.sets(st.sampled_from(sorted(rules)), max_size=2))},
        dice=draw(st.sampled_from(["standard", "low_luck", "biased"])),
        attack_order=draw(st.permutations(ATTACK[theatre])),
        defence_order=draw(st.permutations(DEFENCE[theatre])),
    )
    if theatre == "land":
        battle["waves"][0]["defender"]["aa_second_last"] = draw(st.booleans())
    less = draw(st.lists(st.fixed_dictionaries({name: st.integers(0, n) for name, n in defenders.items()}), max_size=3))
    sets: dict[Units, float] = {tuple(counts.items()): 0.1 for counts in [defenders, *less]}
    return AxisChain(AxisBattle.from_dict(battle, RULES), chances=sets)


def by_products(chain: AxisChain) -> AxisChain:
    """The same with the kernel of battles in which forces stand on no lines."""
    other = copy(chain)
    other.__dict__.pop("_usual_kernel", None)
    for name in ("attack", "defence"):
        lattice = copy(getattr(chain, name))
        lattice.lines = None
        setattr(other, name, lattice)
    return other


def kernels(chain: AxisChain) -> tuple[LevelKernel, ProductKernel]:
    other = by_products(chain)
    slow = ProductKernel(other._ground(other.attack, other.fights))
    return LevelKernel(chain.attack, chain.defence, chain.fights, False, 0.0, chain.meter), slow


def begun(chain: AxisChain, starts: list[float]) -> Grid:
    law = chain.kernel().empty()
    chain.begin(law, starts)
    return law


@given(chains())
def test_forces_on_lines_agree_with_a_plain_lattice(chain: AxisChain) -> None:
    for lattice, roots in ((chain.attack, chain.roots), (chain.defence, [])):
        roots = roots or [lattice.nodes[node] for node in lattice.starts]
        slow = Lattice(
            lattice.segments,
            lattice.role,
            "standard",
            roots,
            [Take("any")],
            Leaving(frozenset(), frozenset(), frozenset()),
        )
        assert slow.lines is None
        assert {*slow.nodes} == {*lattice.nodes}
        assert lattice.rank.tolist() == sorted(slow.rank.tolist())
        assert [lattice.nodes[node] for node in lattice.starts] == roots
        taken = lattice.nodes_after(Take("any"), 99)
        for node, after in enumerate(slow.nodes_after(Take("any"), 99).tolist()):
            here = taken[lattice.place[slow.nodes[node]]]
            assert [lattice.nodes[one] for one in here] == [slow.nodes[one] for one in after]
        assert lattice.lines is not None
        for root, line in zip(lattice.lines.max(axis=1).tolist(), lattice.lines.tolist(), strict=True):
            assert [node for node in line if node >= 0] == taken[root, lattice.rank[root] :: -1].tolist()


@examples(pick(40, 75))
@given(chains(), st.data())
def test_solving_on_lines_and_by_rank_agree(chain: AxisChain, data: st.DataObject) -> None:
    stops = np.array(data.draw(st.lists(st.booleans(), min_size=40, max_size=40)), bool)
    fast, slow = (kernel.with_stops(np.resize(stops, chain.fights.shape)) for kernel in kernels(chain))
    starts = [data.draw(st.floats(0, 1)) for _ in chain.columns]
    wanted, law = begun(chain, starts), begun(chain, starts)
    assert forward(fast, law) == pytest.approx(forward(slow, wanted), rel=1e-12)
    ended = ~fast.fights
    assert law[ended] == pytest.approx(wanted[ended], rel=1e-12)
    assert law[fast.fights] == pytest.approx(0, abs=1e-300)
    after = [begun(chain, starts) for _ in range(2)]
    fought = [forward_rounds(kernel, law, 2, everywhere=True) for kernel, law in zip((fast, slow), after, strict=True)]
    assert fought[0] == pytest.approx(fought[1], rel=1e-12)
    assert after[0] == pytest.approx(after[1], rel=1e-12)


@examples(pick(40, 75))
@given(chains())
def test_battles_solved_at_once_agree_with_single_battles(chain: AxisChain) -> None:
    kernel, _ = kernels(chain)
    alone = [
        begun(chain, [float(one == start) for one in range(len(chain.columns))]) for start in range(len(chain.columns))
    ]

    def two_rounds(law: Grid) -> float:
        return forward_rounds(kernel, law, 2, everywhere=True)

    def to_the_end(law: Grid) -> float:
        return forward(kernel, law)

    for fight in (two_rounds, to_the_end):
        single, every = [law.copy() for law in alone], np.stack(alone)
        assert fight(every) == pytest.approx(sum(map(fight, single)), rel=1e-12)
        assert every == pytest.approx(np.stack(single), rel=1e-12)


@examples(pick(40, 75))
@given(chains())
def test_plans_on_lines_and_by_rank_agree(chain: AxisChain) -> None:
    fast, slow = RetreatPlans(chain, always=True), RetreatPlans(by_products(chain), always=True)
    assert np.array_equal(fast.stops, slow.stops)
    assert fast.worth is not None
    assert slow.worth is not None
    assert fast.worth == pytest.approx(slow.worth, rel=1e-9, abs=1e-9)
    assert fast.declines() == slow.declines()


def test_merging_lines_are_not_followed_separately() -> None:
    order = "infantry", "fighter", "tank"
    fighters = document(
        {"infantry": 2, "fighter": 12, "tank": 6}, {"infantry": 9, "aa_gun": 4}, attack_order=list(order)
    )
    chain = AxisChain(AxisBattle.from_dict(fighters, RULES))
    assert chain.attack.lines is not None
    assert len(chain.attack.lines) == 13
    assert isinstance(chain.kernel(), ProductKernel)
    fast, slow = kernels(chain)
    wanted, law = begun(chain, [1.0]), begun(chain, [1.0])
    assert forward(fast, law) == pytest.approx(forward(slow, wanted), rel=1e-12)
    assert law[~chain.fights] == pytest.approx(wanted[~chain.fights], rel=1e-12)


ARMIES = [
    ({"infantry": 9, "artillery": 3, "tank": 3, "fighter": 2}, {"infantry": 12, "tank": 2, "fighter": 2, "aa_gun": 1}),
    ({"infantry": 60}, {"infantry": 45, "artillery": 2}),
]


@each(
    [
        (ours, theirs, rules)
        for ours, theirs in ARMIES
        for rules in [{}, {"retreat": {"profit_below": 0}}, {"round_limit": 3}]
    ]
)
def test_the_error_bounds_the_dropped_chances(
    ours: dict[str, int], theirs: dict[str, int], rules: dict[str, Any]
) -> None:
    battle = AxisBattle.from_dict(document(ours, theirs, **rules), RULES)
    exact = solve_axis(battle, 0)
    for dropped in (1e-3, 1e-7, 1e-10):
        odds = solve_chain(AxisChain(battle), dropped)
        assert 0 < odds.error <= dropped
        for name in ("takes", "attacker_survives", "defender_survives"):
            assert getattr(odds, name) == pytest.approx(getattr(exact, name), rel=0, abs=odds.error)
