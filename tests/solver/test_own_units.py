"""Own units of a table: they fight as their texts say, and a wrong text is refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.editions import editions, rules_by_game
from solver import Army, BattleError, read_question
from solver.axis.battle import AxisBattle
from solver.axis.loss_order import usual_order
from solver.axis.own_units import with_own_rules, with_own_units
from solver.axis.sides import LATEST_RULING, Retreat, Ruling
from solver.axis.solve import solve_axis
from solver.axis.units import ROLES, Rules
from solver.games import GAMES
from solver.raid.raid import raiding_unit
from solver.raid.solve import solve_raid
from tests.helpers.cases import each
from tests.helpers.extent import examples, pick
from tests.helpers.solver import axis_brute
from tests.helpers.solver.any_axis_battle import DICE, NEVER, Document, armies, at_sea, both, plans
from tests.helpers.solver.axis_battles import RULES, document
from tests.helpers.solver.axis_compare import compare
from tests.helpers.solver.axis_editions import twins_play
from tests.helpers.solver.axis_fought import check_that_chances_are_means, stages_from
from tests.helpers.solver.fights import begin
from tests.helpers.solver.kernels import each_kernel

LANDED = "amphibious_infantry"
OWN = {
    "bunker": "1/3/7/hits2",
    "skyguard": "0/1/4/aa2",
    "guard_infantry": "2/1/4/supported",
    "infantry": "3/3/4",
    "tank": "4/2/5",
    "zep": "2/3/9/air",
}
LAND = [*OWN, "artillery", "aa_gun", "fighter", "bunker", "zep", "skyguard"]


@st.composite
def battles(draw: st.DrawFn) -> Document:
    """A small battle on land with own units."""
    rules, sides = with_own_units(editions()["1942"].rules, OWN), []
    for role in ROLES:
        order = list(usual_order(rules, "land", role))
        sides.append((draw(armies([name for name in LAND if name in order], 4)), draw(st.permutations(order))))
    (ours, our_order), (theirs, their_order) = sides
    dice = draw(DICE)
    more = draw(plans("land")) if draw(st.booleans()) else NEVER
    return document(ours, theirs, attack_order=our_order, defence_order=their_order, dice=dice, **more)


@examples(pick(50, 200), derandomize=True)
@given(battles(), st.booleans(), st.booleans())
def test_own_units_on_land_agree_with_every_die(battle: Document, twelve: bool, lone: bool) -> None:
    """With dice of 12 faces some units are stronger than any die of 6 lets them be."""
    twelve = twelve and battle["dice"] != "biased"
    own = OWN | {"tank": "10/7/5", "skyguard": "8/12/4/aa2", "guard_infantry": "7/3/4/supported"} if twelve else OWN
    words = [*(["d12"] if twelve else []), *(["lone-guns-fire"] if lone else [])]
    key = with_own_units(with_own_rules(editions()["1942"].rules, words), own).key
    with twins_play(key) as rules:
        answer = axis_brute.solve(battle)
        for _kernel in each_kernel():
            compare(solve_axis(AxisBattle.from_dict(battle, rules), 0), answer)


TWINS = {
    "boat": ("transport", "0/0/7/tra"),
    "dread": ("battleship", "4/4/20/bombards/hits2"),
    "escort": ("destroyer", "2/2/8/des"),
    "flattop": ("carrier", "1/2/14/sea/carries2"),
    "kite": ("fighter", "3/4/10/air"),
    "uboat": ("submarine", "2/1/6/sub"),
}
"""Own units with the values of those of 1942."""


@examples(pick(25, 100), derandomize=True)
@given(
    st.tuples(armies([*TWINS, "uboat", "kite"], 5), armies([*TWINS, "uboat", "escort"], 5)),
    st.fixed_dictionaries({"submerge": both, "keep_last_destroyer": both, "crash_stranded_fighters": st.booleans()}),
    st.sampled_from(["standard", "low_luck"]),
)
def test_own_ships_fight_like_those_with_the_same_words(
    units: tuple[dict[str, int], dict[str, int]], more: dict[str, Any], dice: str
) -> None:
    rules, sums = with_own_units(RULES, {name: text for name, (_twin, text) in TWINS.items()}), []
    known = {name: twin for name, (twin, _text) in TWINS.items()}
    order = [*sorted({*known} - {"boat"}), "boat"]
    for names in ({name: name for name in known}, known):
        ours, theirs = ({names[name]: count for name, count in side.items()} for side in units)
        orders = {key: [names[name] for name in order] for key in ("attack_order", "defence_order")}
        odds = solve_axis(
            AxisBattle.from_dict(document(ours, theirs, theatre="sea", dice=dice, **orders, **more), rules)
        )
        sums.append([odds.wins, odds.end_chances["holds"], odds.attacker_loss, odds.defender_loss, odds.rounds])
    assert sums[0] == pytest.approx(sums[1], abs=1e-12)


def test_a_document_with_own_units_is_written_and_read_again() -> None:
    wave = {"attacker": {"units": {"mech": 3}}, "defender": {"units": {"tank": 2}}}
    own = {"own_units": {"tank": "3/2/5.0", "mech": "1/2/4/land"}, "own_rules": ["bombard-first"]}
    asked = {"game": "axis1942", **own, "waves": [wave]}
    question = read_question(asked, rules_by_game(), GAMES)
    written = question.battle.to_dict()
    assert (written["game"], written["own_units"]) == ("axis1942", {"mech": "1/2/4", "tank": "3/2/5"})
    assert written["own_rules"] == ["bombard-first"]
    assert read_question(written, rules_by_game(), GAMES).battle == question.battle
    assert "own_units" not in AxisBattle.from_dict(document({"tank": 1}, {"tank": 1}), RULES).to_dict()


@each([("theatre", {}), ("theatre", "air"), ("own_rules", [[]])])
def test_a_document_with_another_kind_of_value_is_refused(field: str, value: Any) -> None:
    asked = {"game": "axis1942", field: value, "waves": [{"attacker": {"units": {"tank": 3}}}]}
    with pytest.raises(BattleError) as error:
        read_question(asked, rules_by_game())
    assert error.value.field == field


def test_rules_of_a_table_change_those_of_the_edition() -> None:
    """The battleship hits with 4 before the infantry fire: 2/3, and else the infantry win with 1/4."""
    first, battle = (
        with_own_rules(RULES, ["repaired", "bombard-first"]),
        document({"battleship": 1, LANDED: 1}, {"infantry": 1}),
    )
    assert (first.key, first.own) == ("axis1942 +bombard-first", ({}, ["bombard-first"]))
    assert solve_axis(AxisBattle.from_dict(battle, first), 0).takes == pytest.approx(3 / 4)
    assert solve_axis(AxisBattle.from_dict(battle, RULES), 0).takes == pytest.approx(
        13 / 18 * 2 / 3 + 5 / 18 * 2 / 3 / 4
    )
    ships = with_own_rules(RULES, ["bombard-des"])
    shelled = AxisBattle.from_dict(document({"destroyer": 1, LANDED: 1}, {"infantry": 1}), ships)
    assert solve_axis(shelled, 0).takes == pytest.approx(4 / 9 * 2 / 3 + 5 / 9 * 2 / 3 / 4)
    assert with_own_rules(RULES, ["bombard-cru"]) == RULES, "that is the rule of the edition"
    together = with_own_rules(editions()["revised"].rules, ["bombard-with", "aa-by-order"])
    assert (together.bombardment_first, together.antiaircraft_by_kind) == (False, False)


@examples(pick(40, 200), derandomize=True)
@given(
    at_sea(),
    st.sampled_from(["planes-hit-subs", "subs-strike-attacking", "submerge-after", "submerge-after planes-hit-subs"]),
)
def test_rules_about_submarines_agree_with_every_die(battle: Document, words: str) -> None:
    with twins_play(with_own_rules(editions()["1942"].rules, words.split()).key) as rules:
        answer = axis_brute.solve(battle)
        for _kernel in each_kernel():
            compare(solve_axis(AxisBattle.from_dict(battle, rules), 0), answer)


def test_artillery_supports_the_same_unit_in_any_order_of_loss() -> None:
    """Of two that gain as much it is the weaker one, so the best order has the odds of a battle with that order."""
    own = {"own_units": {"yak": "2/4/2.5/supported", "zep": "4/0/1/hits2"}}
    attacker, defender = {"yak": 1, "infantry": 1, "zep": 1, "artillery": 1}, {"yak": 2, "artillery": 1}
    waves = [{"attacker": {"units": attacker}, "defender": {"units": defender}}]
    asked = {"game": "axis1942", "question": "order", "waves": waves, **own}
    best = read_question(asked, rules_by_game()).work()["attacker"]["chance"]["best"]
    waves[0]["attacker"] |= {"loss_order": best["loss_order"]}
    again = read_question(asked, rules_by_game()).work()["attacker"]["given"]
    assert again["chance"] == pytest.approx(best["chance"], abs=1e-12)


def test_a_table_lets_transports_leave_in_all_its_battles() -> None:
    rules = with_own_rules(RULES, ["transports-leave"])
    fleet, enemy = Army.of({"cruiser": 1, "transport": 2}), Army.of({"destroyer": 2})
    battle = AxisBattle(rules, "sea", fleet, enemy)
    assert battle.retreat == Retreat(transports_alone=True)
    asked = solve_axis(AxisBattle(RULES, "sea", fleet, enemy, retreat=battle.retreat))
    stayed = solve_axis(AxisBattle(RULES, "sea", fleet, enemy))
    assert solve_axis(battle).attacker_loss == asked.attacker_loss < stayed.attacker_loss
    assert not AxisBattle(rules, "sea", enemy, fleet).retreat
    assert not AxisBattle(rules, "land", Army.of({"infantry": 1}), Army.of({"tank": 1})).retreat


def test_own_bombers_raid_with_their_own_bonus_and_price() -> None:
    """Each is shot down with 1 of 6; else its die and 2 are the damage."""
    document = {"question": "bombing", "game": "axis1942", "bombers": 1, "factory_points": 20, "kind": "zep"}
    own = {"own_units": {"zep": "4/1/11/air/raid2", "bomber": "4/1/15"}}
    raid = read_question(document | own, rules_by_game()).battle
    flight = solve_raid(raid).expected
    assert raid.bomber.air_attack == 1
    assert (flight.damage, flight.loss) == pytest.approx((5 / 6 * 5.5, 11 / 6))
    assert read_question(raid.to_dict(), rules_by_game()).battle == raid
    assert raiding_unit(raid.rules).name == "bomber"


def test_a_plain_unit_has_only_what_its_text_says() -> None:
    rules = with_own_units(RULES, {"destroyer": "2/2/8/plain", "submarine": "2/1/6/plain/sub", "battleship": "4/4/20"})
    assert rules.key == "axis1942 battleship=4/4/20 destroyer=2/2/8/plain submarine=2/1/6/sub/plain"
    assert not rules.table["destroyer"].screens
    assert rules.table["submarine"] == RULES.table["submarine"]
    assert rules.table["battleship"].hits == 2


@each(
    [
        (["faster"], "a rule of a table must be one of aa-by-kind"),
        (["bombard-first", "bombard-with"], "`bombard-with` contradicts"),
        (["bombard-cru", "bombard-bat"], "`bombard-bat` contradicts"),
        (["aa-by-kind"], "guns fire separately at each kind of plane only if"),
    ]
)
def test_a_wrong_rule_is_refused(words: list[str], told: str) -> None:
    with pytest.raises(BattleError) as error:
        with_own_rules(RULES, words)
    assert error.value.reason.startswith(told)


def test_a_technology_changes_the_unit_of_the_table() -> None:
    rules = with_own_units(editions()["revised"].rules, {"fighter": "2/6/8", "destroyer": "4/4/9"})
    jet, destroyer = rules.table["jet_fighter"], rules.table["bombarding_destroyer"]
    assert (jet.attack, jet.defence, jet.cost) == (2, 5, 8), "jets of Revised defend with 5"
    assert (destroyer.attack, destroyer.cost, destroyer.bombards) == (4, 9, True)
    again = with_own_units(rules, {"jet_fighter": "1/1/1", "fighter": "3/3/3"}).table["jet_fighter"]
    assert (again.attack, again.defence, again.cost) == (1, 1, 1)


def test_what_an_edition_has_not_is_refused_in_words_of_players() -> None:
    """Submarines of 1914 fight like other ships; guns of Revised hit each kind of plane apart."""
    with pytest.raises(BattleError) as error:
        with_own_rules(editions()["1914"].rules, ["planes-hit-subs"])
    assert error.value.reason.startswith("`planes-hit-subs` needs submarines that strike first")
    revised = editions()["revised"].rules
    with pytest.raises(BattleError) as error:
        with_own_units(revised, {"zep": "4/1/11/air/hits2"})
    assert (error.value.field, error.value.reason[-13:]) == ("zep", "`aa-by-order`")
    by_order = with_own_rules(revised, ["aa-by-order"])
    assert with_own_units(by_order, {"zep": "4/1/11/air/hits2"}).table["zep"].hits == 2


def test_a_gun_that_fires_at_each_kind_of_plane_has_a_shot_at_every_plane() -> None:
    """Which kinds get its few shots no rule says; old logs gave it more."""
    rules = with_own_units(editions()["revised"].rules, {"nest": "0/0/7/aa1", "tower": "0/0/7/aa99"})
    planes = Army.of({"fighter": 2, "bomber": 1, "infantry": 1})
    with pytest.raises(BattleError) as error:
        AxisBattle(rules, "land", planes, Army.of({"nest": 1, "infantry": 1}))
    assert (error.value.field, error.value.reason[:9]) == ("defender.units.nest", "guns fire")
    assert AxisBattle(rules, "land", planes, Army.of({"tower": 1, "infantry": 1}))
    assert AxisBattle(rules, "land", planes, Army.of({"nest": 1}), ruling=Ruling.TURNS_BY_THROWS)


def test_planes_that_take_two_hits_crash_like_others() -> None:
    """The battleship falls to all three; the carrier has room for two, of which one may be damaged."""
    rules = with_own_units(RULES, {"zep": "0/6/9/air/hits2"})
    fleet = Army.of({"carrier": 1, "zep": 3})
    battle = AxisBattle(rules, "sea", Army.of({"battleship": 1}), fleet, crash_stranded_fighters=True)
    odds = solve_axis(battle)
    assert (odds.attacker_loss, odds.defender_loss) == pytest.approx((20, 9))
    alone = replace(battle, attacker=Army.of({"submarine": 1}), defender=Army.of({"zep": 3}))
    assert solve_axis(alone).defender_loss == pytest.approx(27)


@pytest.mark.parametrize("form", ["bunker", "amphibious_bunker"])
def test_damaged_units_hold_what_they_took(form: str) -> None:
    """Both sides hit in the first wave; in the second the tank falls, and hits the bunker that is left with 1/2."""
    own = {"own_units": {"bunker": "6/6/7/hits2", "post": "0/6/1"}}
    waves = [
        {"attacker": {"units": {form: 1}}, "defender": {"units": {"post": 1}}},
        {"attacker": {"units": {"tank": 1}}, "previous_attackers_defend": True},
    ]
    answer = read_question({"game": "axis1940", "waves": waves, **own}, rules_by_game()).work()
    assert [wave["takes"] for wave in answer["waves"]] == [1, 0]
    assert answer["waves"][1]["defender_loss"] == pytest.approx(7 / 2)
    rules = with_own_units(editions()["1940"].rules, own["own_units"])
    odds = solve_axis(AxisBattle(rules, "land", Army.of({form: 1}), Army.of({"post": 1})))
    assert [fate.left for fate in odds.attackers] == [(("damaged_bunker", 1),)]


def test_an_order_decides_which_kind_of_transport_is_lost_first() -> None:
    rules = with_own_units(RULES, {"boat": "0/0/1/tra"})
    fleet = Army.of({"boat": 1, "transport": 1})
    usual = AxisBattle(rules, "sea", fleet, Army.of({"destroyer": 1}), round_limit=1)
    orders = ("cruiser", "transport", "boat"), ("transport", "cruiser", "boat"), ("boat", "cruiser", "transport")
    first, again, last = (replace(usual, attacker=replace(fleet, loss_order=order)) for order in orders)
    assert first == again != last == usual, "all other ships are lost before"
    assert (solve_axis(first).attacker_loss, solve_axis(last).attacker_loss) == pytest.approx((7 / 3, 1 / 3))


def _on_land(edition: str, attackers: dict[str, int], defenders: dict[str, int]) -> AxisBattle:
    rules = with_own_units(editions()[edition].rules, ZEP)
    return AxisBattle(rules, "land", Army.of(attackers), Army.of(defenders))


ZEP = {"zep": "2/6/9/air/hits2", "infantry": "0/0/3", "nest": "0/0/7/aa1/hits2"}


def test_a_plane_that_takes_two_hits_is_one_target_of_guns() -> None:
    """A gun has one shot at each plane, so it never brings down a whole one."""
    battle = {"zep": 1, "infantry": 1}, {"aa_gun": 1, "infantry": 1}
    assert solve_axis(_on_land("1942", *battle)).attacker_loss == 0


def test_a_gun_that_takes_two_hits_has_the_shots_of_one() -> None:
    battle = _on_land("1942", {"fighter": 2, "infantry": 1}, {"nest": 1, "infantry": 1})
    assert solve_axis(battle).attacker_loss == pytest.approx(10 / 6)


def test_a_plane_that_takes_two_hits_has_one_die_in_the_air() -> None:
    """Each plane hits with 2. Of rounds with a hit 2 of 5 hit the fighter alone, 1 both and 2 the zeppelin alone."""
    battle = _on_land("1914", {"zep": 1, "infantry": 1}, {"fighter": 1})
    assert solve_axis(battle).wins == pytest.approx(3 / 5 + 2 / 5 * 3 / 5)
    check_that_chances_are_means(battle, solve_axis(battle, 0).wins)


def test_transports_that_take_two_hits_are_lost_by_their_order() -> None:
    """Their first hits come before whole ships, though players may lose transports only after all others."""
    waves = [
        {"attacker": {"units": {"boat": 2, "battleship": 1}}, "defender": {"units": {"destroyer": 3}}},
        {"attacker": {"units": {"destroyer": 1}}, "previous_attackers_defend": True},
    ]
    own = {"own_units": {"boat": "0/0/7/tra/hits2"}}
    asked = read_question({"game": "axis1942", "theatre": "sea", "waves": waves, **own}, rules_by_game())
    assert stages_from(begin(asked.battle))


@each(
    [
        ({"mech": "1/2"}, "mech: write a unit as attack/defence/price"),
        ({"mech": "7/2/4"}, "mech: attack and defence must be 0 to 6"),
        ({"mech": "1/2/4/fast"}, "mech: `fast` is no word for a unit"),
        ({"mech": "1/2/4/hits"}, "mech: `hits` is no word"),
        ({"mech": "1/2/4/hits3"}, "mech: `hits` needs a number from 1 to 2"),
        ({"mech": "1/2/4/raid1"}, "mech: only planes raid"),
        ({"mech": "1/2/4/air/sub"}, "mech: `sub` contradicts"),
        ({"mech": "1/2/4/air/aa1"}, "mech: only land units"),
        ({"mech": "0/1/7/tra"}, "mech: a transport falls without a fight; write `sea` for a ship that defends"),
        ({"transport": "0/1/7"}, "transport: a transport falls without a fight; write `plain`"),
        ({"tank": "3/3/6/air"}, "tank: a known unit can't change"),
        ({"amphibious_tank": "3/3/6"}, "amphibious_tank: change the unit itself"),
        ({"x": "3/3/6"}, "x: change the unit itself, or give a new one a name of 2 to 20 letters"),
        ({f"unit_{letter}": "1/1/1" for letter in "abcdefghi"}, ": a table can have at most 8"),
    ]
)
def test_a_wrong_own_unit_is_refused(own: dict[str, str], told: str) -> None:
    with pytest.raises(BattleError) as error:
        with_own_units(RULES, own)
    assert f"{error.value.field}: {error.value.reason}".startswith(told)


def test_submarines_of_revised_submerge_before_a_round_in_old_logs() -> None:
    """A table that switched the rule played by it at all times."""

    def won(rules: Rules, ruling: int = LATEST_RULING) -> float:
        fleet = Army.of({"submarine": 3})
        return solve_axis(AxisBattle(rules, "sea", fleet, fleet, submerge=(True, True), ruling=ruling)).wins

    revised, late = editions()["revised"].rules, with_own_rules(RULES, ["submerge-after"])
    assert won(revised) > won(revised, Ruling.TURNS_BY_THROWS) == won(with_own_rules(revised, ["submerge-before"])) == 0
    assert won(late) == won(late, Ruling.TURNS_BY_THROWS) > 0
