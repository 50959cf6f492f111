"""How battles of Axis & Allies end, of one wave or several: the names of the ends, their chances, and their law."""

from typing import NamedTuple

from bot.languages import N_, _, _p
from bot.words.numbers import CALLED_OFF, HELD
from solver.axis.battle import AxisBattle
from solver.axis.odds import AxisOdds
from solver.axis.waves.joint import JointOdds
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves

Law = AxisOdds | JointOdds
"""The law of all ends of a battle, with who has lost what."""
LEAST_NEITHER = 0.0005
"""The chance that neither side wins is worth a word where it is more than this."""
FATES = {
    "holds": HELD,
    "cleared": N_("attacker clears it"),
    "submerged": N_("defender submerged"),
    "both": N_("stalemate"),
    "nobody": N_("both wiped out"),
}
UNHELD = {0: N_("attacker submerged"), 1: FATES["submerged"], None: N_("nobody holds it")}
"""The names of the ends of several waves in which nobody holds the field, by the side with submarines under water."""


class Success(NamedTuple):
    """The attacker's success in words.

    Attributes:
        headline: With the chance, at the beginning of a text.
        chance: With the chance, elsewhere.
        alone: Without the chance.
        compared: As `ComparedPlan.attacker_result`.
    """

    headline: str
    chance: str
    alone: str
    compared: str


_IN_THE_END = Success(
    N_("Attacker holds it in the end: {chance}"),
    N_("attacker holds it in the end {chance}"),
    N_("attacker holds it"),
    "holds it in the end",
)
SUCCESS = {
    ("land", False): Success(
        N_("Attacker takes it: {chance}"), N_("attacker takes it {chance}"), N_("attacker takes it"), "takes it"
    ),
    ("sea", False): Success(N_("Attacker wins {chance}"), N_("attacker wins {chance}"), N_("attacker wins"), "wins"),
    ("land", True): _IN_THE_END,
    ("sea", True): _IN_THE_END._replace(headline=N_("Attacker holds the sea in the end: {chance}")),
}


def success(battle: Waves) -> Success:
    """Return the words for the attacker's success in a battle."""
    first, *later = battle.battles
    return SUCCESS[first.theatre, bool(later)]


def fate_names(battle: AxisBattle, short: bool = False) -> dict[str, str]:
    """Return a name for each end but the attacker's victory; in short for a picture."""
    called_off = bool(battle.retreat) or battle.round_limit is not None
    names: dict[str, str] = {fate: _(name) for fate, name in FATES.items()}
    names |= {"both": _(CALLED_OFF)} if called_off else {}
    if short:
        names = {
            "holds": _p("short", "defender holds"),
            "cleared": _p("short", "attacker clears it"),
            "submerged": _p("short", "defender submerged"),
            "both": _p("short", "attack called off") if called_off else _p("short", "stalemate"),
            "nobody": _p("short", "both wiped out"),
        }
    return names | ({"nobody": names["cleared"]} if only_bombards(battle) else {})


def only_bombards(battle: AxisBattle) -> bool:
    """Return whether ships alone attack a territory, so that none of them can be lost."""
    kinds = {battle.rules.table[name].kind for name, _count in battle.attacker.units}
    return battle.theatre == "land" and kinds <= {"sea"}


def fates(battle: Waves, odds: AxisOdds | WavesOdds) -> dict[str, float]:
    """Return all ends but the attacker's success by their names, with their chances."""
    if isinstance(odds, AxisOdds):
        return {name: odds.end_chances[fate] for fate, name in fate_names(battle.battles[0]).items()}
    unheld = {name: odds.joint.unheld_chance(side) for side, name in UNHELD.items()} if odds.joint else {}
    return {HELD: odds.hold_chance(1)} | unheld


def three_chances(odds: AxisOdds | WavesOdds) -> tuple[float, float, float]:
    """Return the chances that the attacker succeeds, that the defender does, and that neither does."""
    wins, holds, *others = odds.fate_chances
    return wins, holds, sum(others)


def law_of(odds: AxisOdds | WavesOdds) -> Law | None:
    """Return the law of all ends; None if no attack is made, or if there are too many ends to keep apart."""
    if isinstance(odds, WavesOdds):
        return odds.joint
    return None if odds.declined else odds
