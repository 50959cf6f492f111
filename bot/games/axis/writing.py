"""The canonical line of a battle of Axis & Allies, and its parts."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from bot.editions import USUAL, Edition, editions
from bot.games.axis.options import read_chance
from bot.games.axis.reading import theatre_of
from bot.games.waves.lasting_orders import USUAL_ORDER, LastingOrders, full_order
from solver.axis.battle import AxisBattle
from solver.axis.checks import usual_kamikaze
from solver.axis.loss_order import usual_order
from solver.axis.sides import RETREATS, Units
from solver.axis.units import Role, Rules
from solver.axis.worth import Worth
from solver.casualties.battle import ChosenBattle
from solver.waves.waves import Waves


def write_armies(battle: AxisBattle | Waves) -> str:
    """Write the canonical line of a battle, of one wave or several."""
    if isinstance(battle, AxisBattle):
        return " ".join([_sides(battle, battle.defender.units), *_shared_words(battle, [battle])])
    first, *later = battle.battles
    orders = LastingOrders(first.rules)
    words = [_sides(first, battle.fresh[0], orders), *_shared_words(first, battle.battles)]
    words += ["lookahead"] if battle.look_ahead else []
    for wave, fresh, hold in zip(later, battle.fresh[1:], battle.holds[1:], strict=True):
        orders.begin(bool(hold))
        words += ["then", *{"": [], "any": ["hold"], "last": ["hold:last"]}[hold]]
        words += [_sides(wave, fresh, orders), *_wave_words(wave)]
    return " ".join(words)


def _sides(battle: AxisBattle, defenders: Units, orders: LastingOrders | None = None) -> str:
    """Write both sides of a wave, with these defenders; those of a later wave may be empty.

    `orders` are those that go on from the waves before, and what is written here is noted there.
    """
    edition = editions()[battle.rules.key]
    ours = [units_text(dict(battle.attacker.units), edition), *_side_words(battle, edition, "attack")]
    losing = _loss_words(battle, edition, orders) if orders else _side_words(battle, edition, "defence")
    theirs = [units_text(dict(defenders), edition), *losing]
    return " ".join([*ours, *(["vs", *filter(None, theirs)] if any(theirs) else [])])


def _loss_words(battle: AxisBattle, edition: Edition, orders: LastingOrders) -> list[str]:
    """Return the words about the defender's losses in a wave, if they differ from the orders that last."""
    side, usual = battle.defender, usual_order(battle.rules, battle.theatre, "defence")
    if battle.attacker.loss_order != usual_order(battle.rules, battle.theatre, "attack"):
        orders.attacks(battle.attacker.loss_order)
    if battle.attacker.keep_land:
        orders.keeps(battle.attacker.keep_land)
    lasting = ("gunslast", "loss", "dkeep")
    words = [word for word in _side_words(battle, edition, "defence") if word.partition(":")[0] not in lasting]
    there = dict(side.units)
    expected = full_order(orders.defender, battle.rules, battle.theatre, "defence", there)
    guns, keep = orders.guns, orders.keep
    if [name for name in expected or usual if name in there] != [name for name in side.loss_order if name in there]:
        order = () if side.loss_order == usual else side.loss_order
        words.insert(0, f"loss:{','.join(edition.short[name] for name in order) or USUAL_ORDER}")
        guns, keep = guns and bool(order), keep if order else 0
    else:
        order = orders.defender
    there_are_guns = any(battle.rules.table[name].antiaircraft for name in there)
    late = side.aa_second_last if there_are_guns else guns
    if side.keep_land != (0 if late else keep):
        words.append(f"dkeep:{side.keep_land}")
        guns = guns and not side.keep_land
    if there_are_guns and guns != late:
        words.append("gunslast" if late else "gunslast:no")
        guns = late
    orders.defends(order, guns, side.keep_land)
    return words


def attack_words(battle: AxisBattle, everybody: AxisBattle) -> tuple[list[str], list[str]]:
    """Return the words of an attack on a territory that may have no defender yet.

    The defenders' order of loss is that of the same battle with `everybody` who may come to stand there.
    """
    edition = editions()[battle.rules.key]
    ours = [units_text(dict(battle.attacker.units), edition), *_side_words(battle, edition, "attack")]
    theirs = list(
        filter(None, [units_text(dict(battle.defender.units), edition), *_side_words(everybody, edition, "defence")])
    )
    return [*ours, *(["vs", *theirs] if theirs else [])], _shared_words(battle, [battle])


def units_text(units: Mapping[str, int], edition: Edition) -> str:
    """Write units: "3 inf 2 arm"."""
    return " ".join(f"{count} {edition.short[name]}" for name, count in units.items() if count)


def _side_words(battle: AxisBattle, edition: Edition, role: Role) -> list[str]:
    """Return the words about one side beside its units."""
    side, place = (battle.attacker, 0) if role == "attack" else (battle.defender, 1)
    words = []
    if side.loss_order != usual_order(battle.rules, battle.theatre, role):
        words.append(f"loss:{','.join(edition.short[name] for name in side.loss_order)}")
    words += [f"{'keep' if role == 'attack' else 'dkeep'}:{side.keep_land}"] if side.keep_land else []
    if isinstance(battle, ChosenBattle) and battle.chooses[place]:
        words.append("choose:tuv" if battle.aim == "profit" else "choose")
    words += ["submerge"] if battle.submerge[place] else []
    words += ["keepdestroyer"] if battle.keep_last_destroyer[place] else []
    return words + (["gunslast"] if side.aa_second_last else [])


def _shared_words(battle: AxisBattle, waves: Sequence[AxisBattle]) -> list[str]:
    """Return the words about all `waves` of a battle, and about its first."""
    words = [f"variant:{battle.rules.key}"] if battle.rules.key != USUAL else []
    words += _theatre_words(waves)
    words += {"standard": [], "low_luck": ["lowluck"], "biased": ["biased"]}[battle.dice]
    words += _stop_words(battle)
    words += ["deadzone"] if battle.deadzone else []
    words += [f"value:{plain(battle.territory_value)}"] if battle.territory_value else []
    words += _goal_words(battle)
    words += worth_words(battle.worth, battle.rules)
    words += [] if battle.decline_allowed else ["decline:no"]
    words += ["aafired"] if battle.aa_already_fired else []
    return words + _kamikaze(battle) + _crashes(battle)


def _kamikaze(battle: AxisBattle) -> list[str]:
    """Return the word about kamikaze attacks, with their aims if these are not the usual ones."""
    if not battle.kamikaze:
        return []
    total, short = sum(count for _, count in battle.kamikaze), editions()[battle.rules.key].short
    if dict(usual_kamikaze(total, battle.attacker, battle.rules)) == dict(battle.kamikaze):
        return [f"kamikaze:{total}"]
    return [f"kamikaze:{','.join(f'{count}{short[name]}' for name, count in battle.kamikaze)}"]


def _wave_words(battle: AxisBattle) -> list[str]:
    """Return the words about a later wave."""
    return [*_stop_words(battle), *_goal_words(battle), *_kamikaze(battle), *_crashes(battle)]


def _crashes(battle: AxisBattle) -> list[str]:
    """Return the words about planes that crash because no carrier has room for them."""
    flags = {"crash": battle.crash_stranded_fighters, "acrash": battle.crash_attacking_fighters}
    return [word for word, crashes in flags.items() if crashes]


def _stop_words(battle: AxisBattle) -> list[str]:
    """Return the words about when the attacker stops."""
    usual = battle.rules.land_rounds if battle.theatre == "land" else None
    words = [f"rounds:{battle.round_limit}"] if battle.round_limit != usual else []
    rules = [_rule(name, battle) for name in RETREATS if getattr(battle.retreat, name) is not None]
    return words + ([f"retreat:{','.join(rules)}"] if rules else [])


def _goal_words(battle: AxisBattle) -> list[str]:
    """Return the words about the goal of the attacker's plan."""
    words = [f"planvalue:{plain(battle.planned_value)}"] if battle.planned_value is not None else []
    if battle.planned_deadzone is not None:
        words.append("plandeadzone" if battle.planned_deadzone else "plandeadzone:no")
    return words


def worth_words(worth: Worth, rules: Rules) -> list[str]:
    """Return the words about the worth of units, if it is not their price."""
    short = editions()[rules.key].short
    parts: list[str] = [worth.measure] if worth.measure != "ipc" else []
    own = ("worth", worth.units), ("aworth", worth.attacker), ("dworth", worth.defender)
    prices = {word: [f"{short[name]}={plain(price)}" for name, price in given] for word, given in own}
    prices["worth"] = parts + prices["worth"]
    return [f"{word}:{','.join(given)}" for word, given in prices.items() if given]


def _theatre_words(waves: Sequence[AxisBattle]) -> list[str]:
    """Return the word for the theatre, if the units alone do not show it."""
    sides = [dict(side.units) for battle in waves for side in (battle.attacker, battle.defender)]
    theatre = waves[0].theatre
    return [theatre] if theatre_of(editions()[waves[0].rules.key], sides, {}) != theatre else []


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
    """Write a chance with all its digits, so that it is read again exactly."""
    text = plain(round(100 * chance, 10))
    return f"{text}%" if read_chance(f"{text}%") == chance else plain(chance)


def plain(number: float) -> str:
    """Write a number without a power of ten: 4, -2.5, 0.0001."""
    return f"{Decimal(str(number)):f}".removesuffix(".0")
