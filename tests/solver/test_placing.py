"""Placing units over territories: the best placements are those of trying every one, each battle solved by itself."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from solver.axis.battle import AxisBattle
from solver.axis.sides import Army, Retreat
from solver.axis.solve import solve_axis
from solver.errors import BattleError
from solver.placing.placements import hold_chances, place
from solver.placing.placing import Placing, Territory
from solver.questions import read_question
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver.any_axis_battle import at_sea, on_land
from tests.helpers.solver.axis_battles import RULES

CLOSE = 1e-12
Share = tuple[int, ...]


def land(
    attackers: dict[str, int], defenders: dict[str, int] | None = None, value: float = 1, **plans: Any
) -> Territory:
    """A territory on land with those who threaten it, and those who stand there."""
    return Territory(AxisBattle(RULES, "land", Army.of(attackers), Army.of(defenders or {}), **plans), value)


def placing(units: dict[str, int], *territories: Territory, **asked: Any) -> Placing:
    """A question."""
    return Placing(tuple(units.items()), territories, **asked)


# The slow twin ---------------------------------------------------------------------------------------------------


@cache
def held(territory: Territory, share: tuple[tuple[str, int], ...]) -> float:
    """The chance that a territory is held with these units, solved by itself."""
    return 1 - solve_axis(territory.with_units(dict(share)), 0).wins


def parts(most: Share) -> Iterator[Share]:
    """Everything up to so many of each kind."""
    return product(*(range(count + 1) for count in most))


def splits(units: Share, places: int) -> Iterator[list[Share]]:
    """All ways to share units out, all or some of them."""
    if not places:
        yield []
        return
    for share in parts(units):
        rest = tuple(count - taken for count, taken in zip(units, share, strict=True))
        for others in splits(rest, places - 1):
            yield [share, *others]


def worth_of(asked: Placing, chances: list[float]) -> float:
    """What was asked for, by all ways in which territories may be held or not."""
    total = 0.0
    for which in product((False, True), repeat=len(chances)):
        chance = prod(one if stays else 1 - one for one, stays in zip(chances, which, strict=True))
        if asked.aim == "value":
            total += chance * sum(place.value for place, stays in zip(asked.territories, which, strict=True) if stays)
        else:
            total += chance * (sum(which) >= asked.wanted)
    return total


class Every:
    """Every placement there is, one by one: `worths` of all, and `told` are those worth telling, best first."""

    def __init__(self, asked: Placing) -> None:
        self.asked = asked
        self.names = [name for name, _ in asked.units]
        self.able = [asked.placeable(place) for place in range(len(asked.territories))]
        self.chance = cache(self._chance)
        units = tuple(count for _, count in asked.units)
        self.worths: list[float] = []
        kept = []
        for shares in splits(units, len(asked.territories)):
            if not all(self.fits(*one) for one in enumerate(shares)):
                continue
            chances = [self.chance(*one) for one in enumerate(shares)]
            self.worths.append(worth_of(asked, chances))
            left = tuple(count - sum(taken) for count, taken in zip(units, zip(*shares, strict=True), strict=True))
            if all(self.needed(place, share, left) for place, share in enumerate(shares)):
                kept.append(self.worths[-1])
        self.told: list[float] = []
        for worth in sorted(kept, reverse=True):
            if not self.told or worth < self.told[-1] - 1e-9:
                self.told.append(worth)

    def fits(self, place: int, share: Share) -> bool:
        return all(count == 0 or name in self.able[place] for name, count in zip(self.names, share, strict=True))

    def _chance(self, place: int, share: Share) -> float:
        units = tuple((name, count) for name, count in zip(self.names, share, strict=True) if count)
        return held(self.asked.territories[place], units)

    def needed(self, place: int, share: Share, left: Share) -> bool:
        """Whether every unit placed here helps, and none that is left over would."""
        if self.asked.aim == "value" and not self.asked.territories[place].value:
            return not any(share)
        own = self.chance(place, share)
        if any(self.chance(place, less) >= own - CLOSE for less in parts(share) if less != share):
            return False
        more = (tuple(map(sum, zip(share, extra, strict=True))) for extra in parts(left))
        return all(self.chance(place, one) <= own + CLOSE for one in more if self.fits(place, one))


def agree(asked: Placing) -> None:
    """Compare an answer with every placement."""
    every, answer = Every(asked), place(asked)
    best = answer.best[0]
    assert best.worth == pytest.approx(max(every.worths), rel=0, abs=1e-9)
    for one in (*answer.best, answer.without, answer.even, answer.together):
        chances = [held(*pair) for pair in zip(asked.territories, one.shares, strict=True)]
        assert list(one.chances) == pytest.approx(chances, rel=0, abs=1e-9)
        assert one.worth == pytest.approx(worth_of(asked, chances), rel=0, abs=1e-9)
        assert sum(one.law) == pytest.approx(1)
        placed = [dict(share) for share in (*one.shares, one.kept)]
        assert {name: sum(share.get(name, 0) for share in placed) for name, _ in asked.units} == dict(asked.units)
    if answer.held == asked.wanted:
        told = [one.worth for one in answer.best]
        assert told == pytest.approx(every.told[: asked.how_many], rel=0, abs=1e-9)
    else:
        assert max(every.worths) < 1e-9


hands = st.dictionaries(
    st.sampled_from(["infantry", "artillery", "tank", "aa_gun", "fighter", "bomber"]), st.integers(1, 3), min_size=1
).filter(lambda units: sum(units.values()) <= 4)
few = examples(pick(25, 60), derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def territory(document: dict[str, Any], value: float) -> Territory:
    """The territory of a battle at random; its order of loss names everybody."""
    order = tuple(document["waves"][0]["defender"]["loss_order"])
    return Territory(AxisBattle.from_dict(document, RULES), value, order)


@st.composite
def questions(draw: st.DrawFn) -> Placing:
    """A small question about territories on land, sometimes two of them the same."""
    values = st.sampled_from([0, 1, 2, 2.5, 10])
    found = [territory(draw(on_land()), draw(values)) for _ in range(draw(st.integers(1, 3)))]
    if len(found) == 2 and draw(st.booleans()):
        found.append(found[0])
    aim = draw(st.sampled_from(["all", "at_least", "at_least", "value"]))
    wanted = draw(st.integers(1, len(found))) if aim == "at_least" else None
    return placing(draw(hands), *found, aim=aim, at_least=wanted, how_many=draw(st.integers(1, 6)))


@few
@given(questions())
def test_the_placement_is_the_best_by_brute_force(asked: Placing) -> None:
    agree(asked)


@few
@given(
    at_sea(), on_land(), st.sampled_from([{"fighter": 2, "destroyer": 1}, {"submarine": 1, "fighter": 1, "tank": 2}])
)
def test_units_are_placed_only_on_their_theatre(sea: Any, land: Any, units: dict[str, int]) -> None:
    agree(placing(units, territory(sea, 1), territory(land, 1), how_many=4))


EAST = land({"infantry": 4, "tank": 2}, {"infantry": 1}, 3)
WEST = land({"infantry": 3, "fighter": 1}, None, 2)
NORTH = land({"tank": 3, "bomber": 1}, {"infantry": 2}, 5)
HAND = {"infantry": 4, "artillery": 1, "fighter": 1}


@each([{}, {"aim": "at_least", "at_least": 2}, {"aim": "at_least", "at_least": 1}, {"aim": "value"}])
def test_every_goal_of_placing_over_three_territories(asked: dict[str, Any]) -> None:
    agree(placing(HAND, EAST, WEST, NORTH, how_many=8, **asked))


def test_a_placing_over_four_territories_of_which_two_count() -> None:
    weak = land({"infantry": 2}, None)
    agree(placing({"infantry": 3, "tank": 1}, weak, weak, WEST, land({"tank": 1, "infantry": 1}), aim="at_least",
                  at_least=2, how_many=6))  # fmt: skip


# What is worth telling -------------------------------------------------------------------------------------------


def test_placing_keeps_back_units_if_fewer_make_attackers_leave() -> None:
    """Who only raids retreats before he clears the territory: one more defender, and he stays and takes it."""
    raid = land({"infantry": 2, "tank": 2}, {"infantry": 1}, retreat=Retreat(clear_chance_above=0.5))
    answer = place(placing({"infantry": 1}, raid))
    assert answer.best[0].kept == (("infantry", 1),)
    assert answer.best[0].chances == (1.0,)
    assert answer.together.chances[0] < 1
    agree(placing({"infantry": 3}, raid, EAST))


def test_placing_keeps_back_units_that_help_nowhere() -> None:
    safe = land({"fighter": 2})  # planes take nothing
    answer = place(placing({"infantry": 2, "aa_gun": 1}, safe))
    assert answer.best[0].shares == ((),)
    assert answer.best[0].kept == (("infantry", 2), ("aa_gun", 1))
    assert answer.best[0].chances == (1.0,)
    assert len(answer.best) == 1


def test_the_placing_search_merges_equivalent_kinds() -> None:
    answer = place(placing({"infantry": 3, "artillery": 2, "tank": 1}, EAST, WEST, how_many=4))
    assert answer.alike == (("infantry", "artillery"),)
    agree(placing({"infantry": 3, "artillery": 2, "tank": 1}, EAST, WEST, how_many=4))
    plan = Retreat(profit_below=0.01)
    planned = land({"infantry": 2, "tank": 1}, {"infantry": 1}, retreat=plan)
    assert place(placing({"infantry": 1, "artillery": 1}, planned)).alike == ()  # for the attacker they are other prey


def test_equal_territories_are_not_listed_twice() -> None:
    answer = place(placing({"infantry": 3}, WEST, WEST, how_many=5))
    assert len(answer.best) == 2  # 2 and 1, or 3 and nobody
    agree(placing({"infantry": 3}, WEST, WEST, how_many=5))


def test_placing_holds_as_many_territories_as_possible() -> None:
    answer = place(placing({"infantry": 2}, WEST, land({"tank": 3}), land({"tank": 4})))
    assert answer.held == 2
    assert answer.best[0].worth == 0
    assert sum(answer.best[0].law[2:]) > 0
    agree(placing({"infantry": 2}, WEST, land({"tank": 3}), land({"tank": 4})))


def test_an_undefendable_territory_cannot_be_held() -> None:
    answer = place(placing({"aa_gun": 1}, land({"tank": 1}), land({"infantry": 1})))
    assert answer.held == 1
    assert answer.best[0].law == (1.0, 0.0, 0.0)


def test_an_even_spread_is_even_for_each_kind() -> None:
    answer = place(placing({"infantry": 4, "tank": 2}, EAST, WEST, NORTH))
    one_each = (("infantry", 1), ("tank", 1))
    assert answer.even.shares == ((("infantry", 2),), one_each, one_each)


def test_simple_placements_are_never_better() -> None:
    for aim in ("all", "value"):
        answer = place(placing(HAND, EAST, WEST, NORTH, aim=aim))
        assert answer.best[0].worth > max(answer.even.worth, answer.together.worth)
        assert answer.even.worth > answer.without.worth


def test_a_goal_of_at_least_all_equals_all() -> None:
    assert placing(HAND, EAST, WEST, aim="at_least", at_least=2) == placing(HAND, EAST, WEST)


# Limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_large_placings_are_solved() -> None:
    units = {"infantry": 12, "artillery": 4, "tank": 4, "fighter": 3, "bomber": 2}
    attacks: list[Mapping[str, int]] = [
        {"infantry": 3 + one, "tank": one % 3, "fighter": one % 2 + 1, "artillery": (one + 1) % 3} for one in range(8)
    ]
    asked = placing(units, *(land(dict(one), {"infantry": 2}) for one in attacks), aim="at_least", at_least=5)
    answer = place(asked, most=5e8)
    assert answer.best[0].worth > answer.even.worth
    assert [one.worth for one in answer.best] == sorted((one.worth for one in answer.best), reverse=True)


@each([1e3, 1e6, 3e6])
def test_a_placing_of_too_much_work_is_refused(most: float) -> None:
    units = {"infantry": 30, "tank": 20, "fighter": 12, "bomber": 8}
    with pytest.raises(BattleError, match=r"more work|too many"):
        place(placing(units, EAST, WEST, NORTH, aim="at_least", at_least=2), most)


@pytest.mark.parametrize("units", [{"infantry": 250, "tank": 250}, {"infantry": 200, "tank": 200, "fighter": 9}])
def test_a_placing_with_too_many_shares_is_refused(units: dict[str, int]) -> None:
    with pytest.raises(BattleError, match=r"more work|too many"):
        place(placing(units, EAST), 5e8)


def test_too_many_shares_are_noticed_early() -> None:
    asked = placing({"infantry": 250, "tank": 250}, EAST)
    with pytest.raises(BattleError, match="too many"):
        place(asked, 1e7)
    with pytest.raises(BattleError, match="more work"):
        hold_chances(asked, 1e7)


def test_counting_shares_merges_equivalent_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = placing({"infantry": 3, "artillery": 2, "tank": 1}, EAST, WEST)  # 24 shares, or 12 of two kinds
    answer = place(asked)
    monkeypatch.setattr("solver.placing.placements.FEW_SHARES", 8)
    monkeypatch.setattr("solver.placing.placements.MOST_SHARES", 12)
    assert place(asked) == answer
    monkeypatch.setattr("solver.placing.placements.MOST_SHARES", 11)
    with pytest.raises(BattleError, match="too many"):
        place(asked)


# Documents -------------------------------------------------------------------------------------------------------


def wave(attackers: dict[str, int], defenders: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"waves": [{"attacker": {"units": attackers}, "defender": {"units": defenders, **more}}]}


ASKED: dict[str, Any] = {
    "game": "axis1942",
    "units": {"infantry": 2, "fighter": 1},
    "territories": [
        {**wave({"infantry": 3}, {"infantry": 1}), "value": 3},
        {**wave({"tank": 2}, {}, loss_order=["fighter", "infantry"]), "dice": "low_luck"},
    ],
    "goal": "value",
    "how_many": 2,
}


def test_a_document_of_a_placing_is_read() -> None:
    asked = Placing.from_dict(ASKED, RULES)
    assert asked.units == (("infantry", 2), ("fighter", 1))
    assert [one.value for one in asked.territories] == [3, 1]
    assert asked.territories[1].attack.dice == "low_luck"
    everybody = asked.territories[1].with_units(dict(asked.units))
    assert everybody.order_of_loss("defence") == ("fighter", "infantry")
    assert (asked.aim, asked.wanted, asked.how_many) == ("value", 2, 2)
    agree(asked)


@each(
    [
        ({"units": {}}, "units"),
        ({"units": 3}, "units"),
        ({"units": {"infantry": -1}}, "units.infantry"),
        ({"units": {"zeppelin": 1}}, "units.zeppelin"),
        ({"units": {"submarine": 1}}, "units.submarine"),
        ({"units": {"infantry": 400, "fighter": 101}}, "units"),
        ({"territories": [wave({"infantry": 900}, {"infantry": 98})]}, "territories.0.waves.0.attacker"),
        ({"units": {"amphibious_infantry": 1}}, "units.amphibious_infantry"),
        ({"units": {"tank": 1}}, "territories.1.waves.0.defender.loss_order"),
        ({"territories": []}, "territories"),
        ({"territories": ASKED["territories"] * 5}, "territories"),
        ({"territories": [3]}, "territories.0"),
        ({"territories": [{}]}, "territories.0.waves"),
        ({"territories": [{**wave({"infantry": 1}, {}), "value": -1}]}, "territories.0.value"),
        ({"territories": [{**wave({"infantry": 1}, {}), "value": "much"}]}, "territories.0.value"),
        (
            {"territories": [{**wave({"infantry": 1}, {"zeppelin": 1})}]},
            "territories.0.waves.0.defender.units.zeppelin",
        ),
        ({"territories": [{**wave({"infantry": 1}, {}), "game": "axis1940"}]}, "territories.0.game"),
        ({"goal": "most"}, "goal"),
        ({"goal": ["all"]}, "goal"),
        ({"goal": "at_least"}, "at_least"),
        ({"goal": "at_least", "at_least": 3}, "at_least"),
        ({"goal": "all", "at_least": 1}, "at_least"),
        ({"how_many": 0}, "how_many"),
        ({"how_many": 21}, "how_many"),
        ({"placement": 1}, "placement"),
    ]
)
def test_a_wrong_document_of_a_placing_names_its_field(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(BattleError) as refused:
        Placing.from_dict(ASKED | wrong, RULES)
    assert refused.value.field == field


def test_the_placing_answer_has_every_placement_with_its_chances() -> None:
    asked = Placing.from_dict(ASKED, RULES)
    told = read_question(ASKED | {"question": "place"}, {"axis1942": RULES}).work()
    answer = place(asked)
    assert told.keys() == {"best", "reached", "without", "even", "together", "alike"}
    assert told["reached"]
    assert [one["worth"] for one in told["best"]] == [one.worth for one in answer.best]
    best = told["best"][0]
    assert sum(best["exactly"]) == pytest.approx(1)
    for territory, known in zip(asked.territories, best["territories"], strict=True):
        alone = solve_axis(territory.with_units(known["units"]), 0)
        assert known["held"] == pytest.approx(1 - alone.takes, rel=0, abs=1e-9)
    assert best["worth"] == pytest.approx(sum(one["value"] * one["held"] for one in best["territories"]))
    assert told["even"]["worth"] < best["worth"]
    assert told["without"]["kept"] == ASKED["units"]


def test_the_placing_answer_says_if_the_goal_is_out_of_reach() -> None:
    alone = {"units": {"fighter": 1}, "goal": "all"}
    empty = [wave({"tank": 1}, {}), wave({"infantry": 1}, {})]
    told = read_question(ASKED | alone | {"question": "place", "territories": empty}, {"axis1942": RULES}).work()
    assert not told["reached"]
    assert told["best"][0]["worth"] == 0
    assert told["best"][0]["exactly"][1] > 0.6
