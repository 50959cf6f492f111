"""Small chains of waves of Axis & Allies 1942 for the tests: several documents joined, and any chains at random."""

from typing import Any

from hypothesis import strategies as st

from tests.helpers.solver.any_axis_battle import DICE, PLANES, PROFITS, SHIPS, VALUES, Document, both, plans
from tests.helpers.solver.axis_battles import ATTACK, DEFENCE, document

ON_LAND = ["tank", "infantry", "artillery", "amphibious_infantry", "amphibious_tank", *PLANES]
GUARDS = ["infantry", "artillery", "tank", *PLANES]
AT_SEA = ["destroyer", "submarine", *SHIPS, *PLANES]
PLAIN: Document = {}


def chain(first: Document, *later: Document, **rules: Any) -> Document:
    """The waves of several documents as one; the fields of the battle are those of the first, and `rules`."""
    return first | rules | {"waves": [wave for battle in (first, *later) for wave in battle["waves"]]}


def armies(kinds: list[str], least: int, most: int) -> st.SearchStrategy[dict[str, int]]:
    """So many units of some of these kinds."""
    names = st.integers(least, most).flatmap(
        lambda size: st.lists(st.sampled_from(kinds), min_size=size, max_size=size)
    )
    return names.map(lambda names: {name: names.count(name) for name in names})


@st.composite
def _on_land(draw: st.DrawFn, later: bool, plan: Document) -> Document:
    attackers = draw(armies(ON_LAND, 1, 4))
    if draw(st.booleans()):
        attackers |= draw(armies(["cruiser", "battleship", "damaged_battleship"], 0, 1))
    defenders = draw(armies(GUARDS, 0, 1) if later else armies(GUARDS, 1, 3))
    if draw(st.booleans()):
        defenders |= draw(armies(["aa_gun"], 0, 1 if later else 2))
    return document(
        attackers,
        defenders,
        **plan,
        attack_order=draw(st.permutations(ATTACK["land"])),
        defence_order=draw(st.permutations(DEFENCE["land"])),
        keep_land=draw(st.integers(0, 2)),
        aa_second_last=draw(st.booleans()),
        keep_defenders=draw(st.integers(0, 2)),
    )


@st.composite
def _at_sea(draw: st.DrawFn, later: bool, plan: Document) -> Document:
    return document(
        draw(armies(AT_SEA, 1, 3)),
        draw(armies(AT_SEA, 0, 1) if later else armies(AT_SEA, 1, 3)),
        theatre="sea",
        **plan,
        attack_order=draw(st.permutations(ATTACK["sea"])),
        defence_order=draw(st.permutations(DEFENCE["sea"])),
        submerge=draw(
            st.fixed_dictionaries(dict.fromkeys(("attacker", "defender"), st.sampled_from([False, True, 1])))
        ),
        keep_last_destroyer=draw(both),
        crash_stranded_fighters=draw(st.booleans()),
        crash_attacking_fighters=draw(st.booleans()),
    )


@st.composite
def _waves(draw: st.DrawFn, theatre: str, number: int, retreats: bool, look_ahead: bool) -> Document:
    """The document of one wave; who looks ahead mostly plans for profit."""
    plan = draw(plans(theatre)) if retreats else PLAIN
    if look_ahead and draw(st.integers(0, 3)):
        plan = plan | {"retreat": plan.get("retreat", {}) | {"profit_below": draw(PROFITS)}}
    battle = draw((_on_land if theatre == "land" else _at_sea)(number > 0, plan))
    if number == 0 and draw(st.integers(0, 15)) == 15:
        battle["waves"][0]["attacker"]["units"] = {}
    if number and draw(st.booleans()):
        battle["waves"][0]["previous_attackers_defend"] = True
        battle["waves"][0]["earlier_captors_defend"] = draw(st.booleans())
    return battle


@st.composite
def chains(draw: st.DrawFn, theatre: str, retreats: bool = True, most: int = 4, ahead: bool = False) -> Document:
    """From two to so many waves on land or at sea, with everything that a document may say.

    Reinforcements, holds, holds against earlier captors, limits of rounds, all rules of retreat, units that are landed,
    guns, submarines that dive, orders of loss, all dice, declining allowed or not, and looking ahead.
    Without `retreats` nobody plans but those who look ahead, for profit; with `ahead` all do that.
    """
    rules: Document = {"dice": draw(DICE)}
    if theatre == "land":
        rules |= {"deadzone": draw(st.booleans()), "territory_value": draw(VALUES)}
        rules["aa_already_fired"] = draw(st.booleans())
    rules |= {"decline_allowed": draw(st.booleans()), "look_ahead": ahead or draw(st.booleans())}
    numbers = range(draw(st.integers(2, most)))
    return chain(*[draw(_waves(theatre, number, retreats, rules["look_ahead"])) for number in numbers], **rules)


any_chain = st.one_of(chains("land"), chains("sea"), chains("land", retreats=False), chains("sea", retreats=False))
"""What has to be solved right, whatever it is."""
