"""Random small battles of Axis & Allies."""

from typing import Any, get_args

from hypothesis import strategies as st

from solver.axis.sides import Luck
from tests.helpers.solver.axis_battles import ATTACK, DEFENCE, document

Document = dict[str, Any]

# Nothing comes to exactly one of these.
CHANCES = st.sampled_from([0.0101, 0.0707, 0.1503, 0.3001, 0.4507, 0.6203, 0.8501, 0.9701])
PROFITS = st.sampled_from([-20.013, -9.037, -4.071, -1.013, -0.013, 0.017, 1.031, 3.057, 8.023])
VALUES = st.sampled_from([-3, 0, 2, 6, 7.5, 30])
MEASURES = st.sampled_from(["ipc", "units", "power"])
PRICES = st.sampled_from([0, 0.25, 1, 2.5, 7, 14])
SHIPS = ["submarine", "destroyer", "carrier", "cruiser", "damaged_battleship", "battleship", "transport"]
PLANES = ["fighter", "bomber"]
DICE = st.sampled_from(get_args(Luck))
NEVER: dict[str, Any] = {}


def armies(kinds: list[str], most: int) -> st.SearchStrategy[dict[str, int]]:
    """A few units of some of these kinds."""
    one = st.sampled_from(kinds)
    return st.lists(one, max_size=most).map(lambda names: {name: names.count(name) for name in names})


@st.composite
def plans(draw: st.DrawFn, theatre: str) -> Document:
    """The attacker's plans: mostly one rule, sometimes several, sometimes a limit of rounds."""
    rules: dict[str, st.SearchStrategy[Any]] = {
        "units_at_most": st.integers(1, 3),
        "profit_below": PROFITS,
        "win_chance_below": CHANCES,
    }
    if theatre == "land":
        rules |= {"clear_chance_above": CHANCES, "air_loss_chance_above": CHANCES}
    chosen = draw(st.lists(st.sampled_from(sorted(rules)), max_size=2, unique=True))
    retreat: Document = {name: draw(rules[name]) for name in chosen}
    if theatre == "sea" and draw(st.booleans()):
        retreat["transports_alone"] = True
    if "win_chance_below" in retreat:
        retreat["win_means"] = draw(st.sampled_from(["take", "destroy"]))
    plan: Document = {"retreat": retreat, "decline_allowed": draw(st.booleans())}
    if draw(st.booleans()):
        plan["round_limit"] = draw(st.integers(1, 4))
    if "profit_below" in retreat and draw(st.booleans()):
        plan["retreat_ev_override"] = {"deadzone": draw(st.booleans()), "territory_value": draw(VALUES)}
    return plan


LEAVES: st.SearchStrategy[Document] = st.sampled_from(
    [{"rounds": 1}, {"rounds": 2}, {"units_at_most": 1}, {"units_at_most": 2}, {"rounds": 3, "units_at_most": 1}]
)


def where_defenders_leave(battle: Document, leaves: Document) -> Document:
    """The same battle where the defender leaves in each wave, without the options that this rule refuses."""
    waves = []
    for wave in battle["waves"]:
        plans = wave.get("retreat", {}).keys() & {"profit_below", "win_chance_below"}
        own = {"units_at_most": 2} if plans and "rounds" in leaves else leaves
        submerge = {**wave.get("submerge", {}), "defender": False}
        waves.append(wave | {"defender_retreat": own, "submerge": submerge})
    return battle | {"waves": waves}


def worths(kinds: list[str]) -> st.SearchStrategy[Document]:
    """What units of these kinds count: their cost more often than not, else another measure, or some own prices."""
    prices = st.dictionaries(st.sampled_from(kinds), PRICES, max_size=3)
    sides = {"attacker": prices, "defender": prices}
    other: st.SearchStrategy[Document] = st.fixed_dictionaries({"measure": MEASURES, "units": prices}, optional=sides)
    return st.one_of(st.just(NEVER), st.just(NEVER), other)


@st.composite
def on_land(draw: st.DrawFn, retreats: bool = True) -> Document:
    """A small battle on land."""
    attackers = draw(armies([*ATTACK["land"], *PLANES], 4))
    defenders = draw(armies(draw(st.sampled_from([["aa_gun", *DEFENCE["land"]], ["aa_gun"]])), 4))
    attackers |= draw(armies(["cruiser", "battleship", "damaged_battleship"], 1))
    return document(
        attackers,
        defenders,
        **(draw(plans("land")) if retreats else NEVER),
        dice=draw(DICE),
        attack_order=draw(st.permutations(ATTACK["land"])),
        defence_order=draw(st.permutations(DEFENCE["land"])),
        keep_land=draw(st.integers(0, 2)),
        aa_second_last=draw(st.booleans()),
        keep_defenders=draw(st.integers(0, 2)),
        aa_already_fired=draw(st.booleans()),
        deadzone=draw(st.booleans()),
        territory_value=draw(VALUES),
        worth=draw(worths(["aa_gun", *ATTACK["land"], *PLANES])),
    )


divers = st.fixed_dictionaries(dict.fromkeys(("attacker", "defender"), st.sampled_from([False, True, 1])))
both = st.fixed_dictionaries({"attacker": st.booleans(), "defender": st.booleans()})


@st.composite
def at_sea(draw: st.DrawFn, retreats: bool = True) -> Document:
    """A small battle at sea: submarines, destroyers and planes are there more often than others."""
    often = ["submarine", "submarine", "destroyer", "fighter", *PLANES, *SHIPS]
    return document(
        draw(armies(often, 4)),
        draw(armies(often, 4)),
        theatre="sea",
        **(draw(plans("sea")) if retreats else NEVER),
        dice=draw(DICE),
        attack_order=draw(st.permutations(ATTACK["sea"])),
        defence_order=draw(st.permutations(DEFENCE["sea"])),
        submerge=draw(divers),
        keep_last_destroyer=draw(both),
        crash_stranded_fighters=draw(st.booleans()),
        crash_attacking_fighters=draw(st.booleans()),
        worth=draw(worths([*SHIPS, *PLANES])),
    )
