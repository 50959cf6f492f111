"""The canonical line of a battle of Axis & Allies, and its parts."""

from collections.abc import Mapping
from decimal import Decimal

from bot.editions import USUAL, Edition, editions
from bot.matchup.armies import read_chance, theatre_of
from solver.axis import RETREATS, AxisBattle, Side, usual_order
from solver.units import Role


def write_armies(battle: AxisBattle) -> str:
    """The canonical line of a battle."""
    edition = editions()[battle.rules.key]
    ours = [_units(battle.attacker, edition), *_sided(battle, edition, "attack")]
    theirs = [_units(battle.defender, edition), *_sided(battle, edition, "defence")]
    return " ".join([*ours, "vs", *theirs, *_shared(battle)])


def attack_words(battle: AxisBattle, everybody: AxisBattle) -> tuple[list[str], list[str]]:
    """An attack on a territory in which nobody need stand yet: both sides, and what is said about it as a whole.

    The defenders' order of loss is that of the same battle with `everybody` who may come to stand there.
    """
    edition = editions()[battle.rules.key]
    ours = [_units(battle.attacker, edition), *_sided(battle, edition, "attack")]
    theirs = list(filter(None, [_units(battle.defender, edition), *_sided(everybody, edition, "defence")]))
    return [*ours, *(["vs", *theirs] if theirs else [])], _shared(battle)


def told_units(units: Mapping[str, int], edition: Edition) -> str:
    """Units as they are written: "3 inf 2 arm"."""
    return " ".join(f"{count} {edition.short[name]}" for name, count in units.items() if count)


def _units(side: Side, edition: Edition) -> str:
    return told_units(dict(side.units), edition)


def _sided(battle: AxisBattle, edition: Edition, role: Role) -> list[str]:
    """What is said about one side beside its units."""
    side, place = (battle.attacker, 0) if role == "attack" else (battle.defender, 1)
    words = []
    names = {name for name, _ in side.units}
    order = [name for name in side.loss_order if name in names]
    usual = [name for name in usual_order(battle.rules, battle.theatre, role) if name in names]
    if order != usual:
        words.append(f"loss:{','.join(edition.short[name] for name in order)}")
    words += [f"keep:{side.keep_land}"] if side.keep_land else []
    words += ["submerge"] if battle.submerge[place] else []
    words += ["keepdestroyer"] if battle.keep_last_destroyer[place] else []
    return words + (["gunslast"] if side.aa_second_last else [])


def _shared(battle: AxisBattle) -> list[str]:
    """What is said about the battle as a whole."""
    words = [f"variant:{battle.rules.key}"] if battle.rules.key != USUAL else []
    words += _where(battle)
    words += {"standard": [], "low_luck": ["lowluck"], "biased": ["biased"]}[battle.dice]
    usual = battle.rules.land_rounds if battle.theatre == "land" else None
    words += [f"rounds:{battle.round_limit}"] if battle.round_limit != usual else []
    rules = [_rule(name, battle) for name in RETREATS if getattr(battle.retreat, name) is not None]
    words += [f"retreat:{','.join(rules)}"] if rules else []
    words += ["deadzone"] if battle.deadzone else []
    words += [f"value:{plain(battle.territory_value)}"] if battle.territory_value else []
    words += [f"planvalue:{plain(battle.planned_value)}"] if battle.planned_value is not None else []
    if battle.planned_deadzone is not None:
        words.append("plandeadzone" if battle.planned_deadzone else "plandeadzone:no")
    words += [] if battle.decline_allowed else ["decline:no"]
    words += ["aafired"] if battle.aa_already_fired else []
    return words + (["crash"] if battle.crash_stranded_fighters else [])


def _where(battle: AxisBattle) -> list[str]:
    """The theatre, where the units alone do not tell."""
    units = {"attacker": dict(battle.attacker.units), "defender": dict(battle.defender.units)}
    told = theatre_of(editions()[battle.rules.key], units, {})
    return [battle.theatre] if told != battle.theatre else []


def _rule(name: str, battle: AxisBattle) -> str:
    value = getattr(battle.retreat, name)
    if name == "units_at_most":
        return f"units<={value}"
    if name == "profit_below":
        return f"profit<{plain(value)}"
    word = {"win_chance_below": "win<", "clear_chance_above": "clear>", "air_loss_chance_above": "air>"}[name]
    if name == "win_chance_below" and battle.retreat.win_means == "destroy":
        word = "destroy<"
    return f"{word}{_percent(value)}"


def _percent(chance: float) -> str:
    """A chance so that it is read again to the last digit."""
    text = plain(round(100 * chance, 10))
    return f"{text}%" if read_chance(f"{text}%") == chance else plain(chance)


def plain(number: float) -> str:
    """A number without a power of ten: 4, -2.5, 0.0001."""
    return f"{Decimal(str(number)):f}".removesuffix(".0")
