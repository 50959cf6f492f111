"""Editions of Axis & Allies: the shipped ones have the values of their rulebooks, and a wrong one is refused."""

from pathlib import Path

import pytest

from bot.editions import Edition, editions
from bot.errors import UserError
from solver import BattleError
from solver.axis.live.fight import AxisFight
from solver.axis.odds import AxisOdds
from solver.axis.solve import solve_axis
from solver.raid.raid import Raid, raiding_unit
from solver.raid.solve import solve_raid
from tests.helpers.bot.lines import parse, wave_of, write
from tests.helpers.cases import check_each, each
from tests.helpers.solver.dice_rolled import script
from tests.helpers.solver.fights import begin

NOWHERE = Path("nowhere")
SHIPPED = editions(own=NOWHERE)

# Attack, defence and cost of every unit.
VALUES = {
    "1942": (
        "infantry 1 2 3, artillery 2 2 4, tank 3 3 6, aa_gun 0 0 5, fighter 3 4 10, bomber 4 1 12, submarine 2 1 6, "
        "transport 0 0 7, destroyer 2 2 8, cruiser 3 3 12, carrier 1 2 14, battleship 4 4 20"
    ),
    "1941": (
        "infantry 1 2 3, tank 3 3 6, fighter 3 4 10, bomber 4 1 12, submarine 2 1 6, transport 0 0 7, destroyer 2 2 8, "
        "carrier 1 2 12, battleship 4 4 16"
    ),
    "1940": (
        "infantry 1 2 3, mech_infantry 1 2 4, artillery 2 2 4, tank 3 3 6, aa_gun 0 0 5, fighter 3 4 10, "
        "tactical_bomber 3 3 11, bomber 4 1 12, submarine 2 1 6, transport 0 0 7, destroyer 2 2 8, cruiser 3 3 12, "
        "carrier 0 2 16, battleship 4 4 20"
    ),
    "aa50": (
        "infantry 1 2 3, artillery 2 2 4, tank 3 3 5, aa_gun 0 0 6, fighter 3 4 10, bomber 4 1 12, submarine 2 1 6, "
        "transport 0 0 7, destroyer 2 2 8, cruiser 3 3 12, carrier 1 2 14, battleship 4 4 20"
    ),
    "revised": (
        "infantry 1 2 3, artillery 2 2 4, tank 3 3 5, aa_gun 0 0 5, fighter 3 4 10, bomber 4 1 15, submarine 2 2 8, "
        "transport 0 1 8, destroyer 3 3 12, carrier 1 3 16, battleship 4 4 24"
    ),
    "aa-classic": (
        "infantry 1 2 3, tank 3 2 5, aa_gun 0 0 5, fighter 3 4 12, bomber 4 1 15, submarine 2 2 8, transport 0 1 8, "
        "carrier 1 3 18, battleship 4 4 24"
    ),
    "1914": (
        "infantry 2 3 3, artillery 3 3 4, tank 2 1 6, fighter 2 2 6, submarine 2 2 6, transport 0 0 6, cruiser 3 3 9, "
        "battleship 4 4 12"
    ),
}


@each(VALUES)
def test_editions_have_the_values_of_their_rulebook(key: str) -> None:
    units = [unit for unit in SHIPPED[key].rules.units if not unit.form_of]
    assert ", ".join(f"{unit.name} {unit.attack} {unit.defence} {unit.cost}" for unit in units) == VALUES[key]


# Attack, defence and dice in attack of what technologies make of units: 0 dice for the better of two.
FORMS = {
    "1940": "advanced_artillery 2 2 1, radar_gun 0 0 1, jet_fighter 4 4 1, heavy_bomber 4 1 0, super_submarine 3 1 1",
    "aa50": "advanced_artillery 2 2 1, radar_gun 0 0 1, jet_fighter 4 4 1, heavy_bomber 4 1 0, super_submarine 3 1 1",
    "revised": "jet_fighter 3 5 1, heavy_bomber 4 1 2, super_submarine 3 2 1, bombarding_destroyer 3 3 1",
    "aa-classic": "jet_fighter 3 5 1, heavy_bomber 4 1 3, super_submarine 3 2 1",
}


@each(VALUES)
def test_editions_have_the_technologies_of_their_rulebook(key: str) -> None:
    forms = [unit for unit in SHIPPED[key].rules.units if unit.form_of]
    told = (f"{one.name} {one.attack} {one.defence} {0 if one.better_of_two else one.attack_dice}" for one in forms)
    assert ", ".join(told) == FORMS.get(key, "")
    for form in forms:
        plain = SHIPPED[key].rules.table[form.form_of]
        assert (form.cost, form.kind, form.surprise, form.screens) == (
            plain.cost,
            plain.kind,
            plain.surprise,
            plain.screens,
        )


def test_the_three_1940_editions_have_the_same_units() -> None:
    assert SHIPPED["1940"].rules.units == SHIPPED["1940-europe"].rules.units == SHIPPED["1940-pacific"].rules.units
    assert {key for key in SHIPPED if key.startswith("1940")} == {"1940", "1940-europe", "1940-pacific"}


@each(SHIPPED.values())
def test_every_edition_has_a_source_and_words_for_its_units(edition: Edition) -> None:
    assert edition.about
    assert edition.source
    assert edition.unsure or edition.key == "1942"
    assert set(edition.short) == set(edition.rules.table)
    assert set(edition.words.values()) == set(edition.rules.table)
    for unit, word in edition.short.items():
        assert edition.words[word] == unit
    guns = [unit.name for unit in edition.rules.units if unit.antiaircraft]
    for gun in guns or [""]:  # guns of two kinds do not defend together
        there = [unit.name for unit in edition.rules.units if unit.kind == "land"]
        there = [name for name in there if name not in guns or name == gun]
        line = f"1 inf vs {' '.join(f'1 {edition.short[name]}' for name in there)} variant:{edition.key}"
        assert write(parse(line).battle) == line.removesuffix(" variant:1942")


def solved(line: str) -> AxisOdds:
    battle = wave_of(line)
    return solve_axis(battle, 0)


def test_a_side_wiped_out_at_sea_has_not_won() -> None:
    odds = solved("1 cru vs 1 cru")
    assert (odds.wins, odds.end_chances["holds"], odds.end_chances["nobody"]) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


@each(
    [
        ("1 cru vs 1 acc 2 fig crash rounds:1 variant:1940", 1.0),  # half the time the carrier is hit, and holds none
        ("1 cru vs 1 bat 1 acc 2 fig crash rounds:1 variant:1940", 0.0),  # the battleship takes the first hit
        ("1 cru vs 1 dacc 1 fig crash rounds:1 variant:1940", 1.0),  # a damaged carrier has no room
        ("1 cru vs 1 acc 2 fig crash rounds:1", 1.0),
    ]
)
def test_a_damaged_carrier_of_1940_holds_no_planes(line: str, fighters: float) -> None:
    assert solved(line).lost_units(defenders=True).get("fighter", 0.0) == pytest.approx(fighters)


def test_ships_of_1940_stay_damaged() -> None:
    """A hit of the destroyer damages the battleship; without one it is whole."""
    ends = {fate.left: fate for fate in solved("1 des vs 1 bat rounds:1 variant:1940").defenders}
    assert set(ends) == {(("battleship", 1),), (("damaged_battleship", 1),)}
    assert not any(fate.lost for fate in ends.values())
    assert {fate.left for fate in solved("1 des vs 1 bat rounds:1").defenders} == {(("battleship", 1),)}
    (gone,) = {fate.gone for fate in solved("1 dbat vs 1 bat rounds:1 variant:1940").attackers} - {()}
    assert gone == (("damaged_battleship", 1),)


def test_an_attacking_tank_of_1914_takes_a_hit_for_free() -> None:
    odds = solved("1 arm vs 1 inf variant:1914")
    assert odds.attacker_survives == pytest.approx(1)
    assert odds.attacker_loss == 0
    assert odds.rounds == 1


def test_a_hit_tank_of_1914_is_still_a_tank() -> None:
    fight = begin(parse("1 arm vs 2 inf variant:1914").battle)
    _throw, after = fight.throw(script(6, 1, 6))
    assert isinstance(after, AxisFight)
    assert after.gone == ({"tank": 1}, {})


def test_a_supporting_unit_raises_a_unit_of_any_kind() -> None:
    one, other = solved("1 inf 1 mec 1 art vs 1 arm variant:1940"), solved("2 inf 1 art vs 1 arm variant:1940")
    assert one.takes == pytest.approx(other.takes)
    paired = solved("1 tac 1 fig vs 2 aa 1 inf aafired rounds:1 variant:1940")
    alone = solved("1 tac 1 bom vs 2 aa 1 inf aafired rounds:1 variant:1940")
    assert sum(paired.lost_units(True).values()) == pytest.approx(4 / 6 + 3 / 6), "4 beside a fighter"
    assert sum(alone.lost_units(True).values()) == pytest.approx(3 / 6 + 4 / 6), "3 beside a bomber"


def test_bombers_raid_by_the_rules_of_their_edition() -> None:
    of = {key: edition.rules for key, edition in editions().items()}
    means = {key: solve_raid(Raid(of[key], 1, 20)).expected for key in ("1942", "1941", "1940", "1940-europe")}
    assert means["1942"].damage == means["1941"].damage == pytest.approx(5 / 6 * 3.5)
    assert means["1940"].damage == means["1940-europe"].damage == pytest.approx(5 / 6 * 5.5)
    assert {flight.loss for flight in means.values()} == {2.0}
    assert (raiding_unit(of["1941"]).raid, raiding_unit(of["1940"]).name) == (None, "bomber")
    with pytest.raises(BattleError, match="these rules have no bombers"):
        Raid(of["1914"], 1, 20)


UNIT = '[mine.units.infantry]\nwords = ["inf"]\nkind = "land"\nattack = 1\ndefence = 2\ncost = 3\n'
HEAD = '[mine]\nname = "Mine"\nabout = "x"\nsource = "y"\n'
ORDERS = 'land_attack = ["infantry"]\nland_defence = ["infantry"]\nsea_attack = []\nsea_defence = []\n'


def test_an_edition_of_the_host_needs_no_code(tmp_path: Path) -> None:
    (tmp_path / "axis-mine.toml").write_text(HEAD + ORDERS + UNIT)
    found = editions(own=tmp_path)
    assert found["mine"].rules.table["infantry"].cost == 3
    assert found.keys() > SHIPPED.keys()


def test_a_wrong_edition_is_refused_with_file_key_and_reason(tmp_path: Path) -> None:
    def check(text: str, sentence: str) -> None:
        file = tmp_path / "axis-mine.toml"
        file.write_text(text)
        with pytest.raises(UserError) as error:
            editions(own=tmp_path)
        assert str(file) in error.value.text
        assert sentence in error.value.text

    check_each(
        [
            (HEAD + UNIT, "[mine] land_attack: give a list of units, first casualty first."),
            (HEAD + ORDERS, "[mine] units: give a table of units"),
            (ORDERS + HEAD + UNIT, "[land_attack]"),
            (HEAD + ORDERS + UNIT.replace("attack = 1\n", ""), "[mine] units.infantry.attack: it is missing"),
            (
                HEAD + ORDERS + UNIT.replace("attack = 1", "attack = 9"),
                "[mine] units.infantry.attack: the attack of a unit must be",
            ),
            (HEAD + ORDERS + UNIT.replace('"land"', '"moon"'), "[mine] units.infantry.kind: a unit must belong to"),
            (HEAD + ORDERS + UNIT + "speed = 2\n", "[mine] units.infantry.speed: there is no such field"),
            (HEAD + ORDERS + UNIT + "screens = 1\n", "[mine] units.infantry.screens: this must be true or false"),
            (
                HEAD + ORDERS + UNIT + 'boost = { attack = 2, by = ["gun"] }\n',
                "[mine] units.infantry.boost: there is no unit",
            ),
            (
                HEAD + ORDERS + UNIT + "raid = -1\n",
                "[mine] units.infantry.raid: the bonus on a raid die must be 0 to",
            ),
            (HEAD + ORDERS + UNIT + "boost = 2\n", "[mine] units.infantry.boost: write it as"),
            (HEAD + ORDERS + UNIT.replace('["inf"]', '["vs"]'), "`vs` means something else"),
            (HEAD + ORDERS + UNIT.replace('["inf"]', '["stop"]'), "`stop` means something else"),
            (HEAD + ORDERS + UNIT.replace('["inf"]', "[]"), "give a list of words in lower case"),
            (HEAD + ORDERS.replace('["infantry"]', '["cavalry"]') + UNIT, "[mine] land_attack: there is no unit"),
            (HEAD + 'like = "yours"\n', "[mine] like: give the name of an earlier variant here"),
            (
                HEAD + ORDERS + UNIT + HEAD.replace("mine", "table") + 'like = "mine"\nown_units = { guard = "2/2" }\n',
                "[table] own_units.guard: write a unit as attack/defence/price",
            ),
            (HEAD.replace("about", "abuot") + ORDERS + UNIT, "[mine] about: it is missing"),
            (HEAD + "land_rounds = 0\n" + ORDERS + UNIT, "[mine] land_rounds: the number of rounds must be 1 to 99"),
            (
                HEAD + ORDERS + UNIT + '[mine.technologies.guards]\ninfantry = { name = "guard", words = ["g"] }\n',
                "[mine] technologies.guards.words: give a list of words",
            ),
            (
                HEAD
                + ORDERS
                + UNIT
                + '[mine.technologies.guards]\nwords = ["guards"]\ninfantry = { name = "guard" }\n',
                "[mine] technologies.guards.infantry.words: give a list of words",
            ),
            ("mine = 3\n", "[mine] : a pack is a table of fields"),
            ("[mine\n", "cannot be read"),
        ],
        check,
    )


def test_a_line_does_not_say_twice_that_transports_leave() -> None:
    line = "2 tra 1 cru vs 2 des rule:transports-leave"
    assert write(parse(f"{line} retreat:transports then 1 des retreat:units<=1").battle) == (
        f"{line} then 1 des retreat:units<=1"
    )


def test_a_host_gives_a_table_its_own_units_and_rules(tmp_path: Path) -> None:
    table = HEAD.replace("mine", "table") + 'like = "mine"\nown_units = { guard = "9/2/5", inf = "2/3/4/hits2" }\n'
    table += 'own_rules = ["d12"]\n'
    (tmp_path / "axis.toml").write_text(f'{HEAD}bombardment = "our book"\n{ORDERS}{UNIT}{table}')
    edition = editions(tmp_path, NOWHERE)["table"]
    assert (edition.key, edition.rules.key, edition.rules.own) == ("table", "table", ({}, []))
    assert {edition.words[word] for word in ("guards", "aguard")} == {"guard", "amphibious_guard"}
    assert (edition.rules.table["guard"].attack, edition.rules.table[edition.words["dinf"]].defence) == (9, 3)
    assert (edition.rules.faces, edition.bombardment) == (12, "our book")
    assert edition.rules.orders[0] == ("infantry", "guard")
