"""The canonical line of a battle of Axis & Allies, its parts, and what a second plan changes of it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from bot.editions import USUAL, Edition, editions, names_a_unit, own_words
from bot.games.axis.lasting_orders import USUAL_ORDER, Lasting, LastingOrders, full_order
from bot.games.axis.options import OF_SIDES, OPTIONS, PLANS, RULES, WHOLE_BATTLE, WORDS
from bot.games.base import PlanChanges
from bot.notation.lexer import VERSUS
from bot.notation.options import dropped_words
from solver.axis.battle import AxisBattle
from solver.axis.loss_order import usual_order
from solver.axis.sides import SIDES, Units
from solver.axis.units import ROLES, Role
from solver.axis.waves.waves import Waves


def write_armies(waves: Waves) -> str:
    """Write the canonical line of a battle."""
    first, *later = waves.battles
    orders = LastingOrders(first.rules) if later else None
    words = [_sides(first, waves.fresh[0], orders), *_shared_words(waves.battles)]
    words += ["lookahead"] if waves.look_ahead else []
    for wave, fresh, hold in zip(later, waves.fresh[1:], waves.holds[1:], strict=True):
        assert orders, "later waves go on with those of earlier ones"
        orders.begin(bool(hold))
        words += ["then", *{"": [], "any": ["hold"], "last": ["hold:last"]}[hold]]
        words += [_sides(wave, fresh, orders), *_wave_words(wave)]
    return " ".join(words)


def _sides(battle: AxisBattle, defenders: Units, orders: LastingOrders | None = None) -> str:
    """Write both sides of a wave, with these defenders; those of a later wave may be empty.

    `orders` are those that go on from the waves before, and what is written here is noted there.
    """
    edition, battle = editions()[battle.rules.key], battle.free
    ours = [units_text(dict(battle.attacker.units), edition), *side_words(battle, "attack")]
    losing = _loss_words(battle, edition, orders) if orders else side_words(battle, "defence")
    theirs = [units_text(dict(defenders), edition), *losing]
    versus = ["vs"] if any(theirs) or not battle.defender.units else []
    return " ".join(filter(None, [*ours, *versus, *theirs]))


def _loss_words(battle: AxisBattle, edition: Edition, orders: LastingOrders) -> list[str]:
    """Return the words about the defender's losses in a wave, if they differ from the orders that last."""
    side, there = battle.defender, dict(battle.defender.units)
    usual = usual_order(battle.rules, battle.theatre, "defence")
    if battle.attacker.loss_order != usual_order(battle.rules, battle.theatre, "attack"):
        orders.attacks(battle.attacker.loss_order)
    if battle.attacker.keep_land:
        orders.keeps(battle.attacker.keep_land)
    expected = full_order(orders.defender.order, battle.rules, battle.theatre, "defence", there) or usual
    (order, guns, keep), words = orders.defender, list[str]()
    if [*filter(there.__contains__, expected)] != [*filter(there.__contains__, side.loss_order)]:
        order = () if side.loss_order == usual else side.loss_order
        words = [f"loss:{','.join(edition.short[name] for name in order) or USUAL_ORDER}"]
        guns, keep = guns and bool(order), keep if order else 0
    lasting = ("gunslast", "loss", "dkeep")
    words += [word for word in side_words(battle, "defence") if word.partition(":")[0] not in lasting]
    if battle.chooses[1]:
        orders.defends(Lasting(order, guns, keep))  # nothing is kept here; what was kept goes on
        return words
    late, late_words = _late_words(battle, guns, keep)
    orders.defends(Lasting(order, late, side.keep_land))
    return words + late_words


def _late_words(battle: AxisBattle, guns: bool, keep: int) -> tuple[bool, list[str]]:
    """Return whether the defender's guns are lost last but one, and the words about units that are lost late.

    `guns` and `keep` go on from the waves before.
    """
    side, words = battle.defender, list[str]()
    has_guns = any(battle.rules.table[name].antiaircraft for name, _count in side.units)
    late = side.aa_second_last if has_guns else guns
    if side.keep_land != (0 if late else keep):
        words.append(f"dkeep:{side.keep_land}")
        guns = guns and not side.keep_land
    if not has_guns or guns == late:
        return guns, words
    return late, [*words, "gunslast" if late else "gunslast:no"]


def attack_words(battle: AxisBattle, everybody: AxisBattle) -> tuple[list[str], list[str]]:
    """Return the words of an attack on a territory that may have no defender yet.

    The defenders' order of loss is that of the same battle with `everybody` who may come to stand there.
    """
    edition = editions()[battle.rules.key]
    ours = [units_text(dict(battle.attacker.units), edition), *side_words(battle, "attack")]
    theirs = list(filter(None, [units_text(dict(battle.defender.units), edition), *side_words(everybody, "defence")]))
    return [*ours, *(["vs", *theirs] if theirs else [])], _shared_words([battle])


def units_text(units: Mapping[str, int], edition: Edition) -> str:
    """Write units: "3 inf 2 arm"."""
    return " ".join(f"{count} {edition.short[name]}" for name, count in units.items() if count)


def sorted_units_text(units: Units, edition: Edition) -> str:
    """Write units in the order of the edition."""
    counts = dict(units)
    return units_text({name: counts[name] for name in edition.rules.table if name in counts}, edition)


def side_words(battle: AxisBattle, role: Role) -> list[str]:
    """Return the words about one side beside its units."""
    side, other = ROLES.index(role), SIDES[1 - ROLES.index(role)]
    return [word for option in OF_SIDES if option.owner != other and (word := option.write([battle], side))]


def words_without_dice(battle: AxisBattle) -> list[str]:
    """Return the words about losses and plans, which change no dice of a throw."""
    plans = [word for option in PLANS if option.word != "scramble" and (word := option.write([battle]))]
    return [*side_words(battle, "attack"), *side_words(battle, "defence"), *plans]


def _shared_words(waves: Sequence[AxisBattle]) -> list[str]:
    """Return the words about all waves of a battle, and about its first."""
    return [word for option in (*reversed(RULES), *PLANS) if (word := option.write(waves))]


def _wave_words(battle: AxisBattle) -> list[str]:
    """Return the words about a later wave."""
    return [word for option in PLANS if not option.whole and (word := option.write([battle]))]


# Second plans -----------------------------------------------------------------------------------------

_COUNTED = re.compile(r"(?<![\w:=.<>+-])(?<![+-] )(\d+) ?([a-z_]+(?: [a-z]+)?)(?![a-z_:=])")
_VERSUS = re.compile(rf"(?<![^\s,;]){VERSUS}(?=[\d\s,;+-]|$)")
_THEN = re.compile(r"(?<![^\s,;])then(?![a-z_])")


def rest_of_line(line: str, change: str) -> str:
    """Return a canonical line without the units of the sides for which a change of it lists units.

    Of several waves only what goes for all of them is left where the change lists both sides: it says which waves
    there are.
    """
    head, then, later = line.partition(" then ")
    sides = head.partition(" vs ")
    waves = _THEN.split(change)
    own = own_words(line)
    listed = [_lists_units(side, own) for side in [*_VERSUS.split(waves[0], maxsplit=1), ""][:2]]
    ours, theirs = (
        re.sub(r"(?<!\S)\d+(?= [a-z])", "0", side) if anew else side
        for side, anew in zip(sides[::2], listed, strict=True)
    )
    head = f"{ours} vs {theirs}"
    if then and all(listed):
        gone = WORDS.keys() - WHOLE_BATTLE | ({"lookahead"} if len(waves) == 1 else set())
        return " ".join(word for word in head.split() if word.partition(":")[0] not in gone)
    return f"{head}{then}{later}"


def _lists_units(side: str, own: Collection[str]) -> bool:
    """Tell whether a side has units without a sign, perhaps own ones; "0 arm" only takes some away."""
    counted = ((int(count), word) for count, word in _COUNTED.findall(side))
    return any(
        count and any(name in own or names_a_unit(name) for name in (word.replace(" ", "_"), word.split()[0]))
        for count, word in counted
    )


def completions(waves: Waves, before: str, begun: str) -> Iterator[str]:
    """Complete a word of a change to a unit of the first wave."""
    first, *_later = waves.battles
    short = editions()[first.rules.key].short
    if begun.isdecimal():
        yield from (f"{begun} {short[name]}" for name, _count in first.attacker.units)
    elif before.split()[-1:] and before.split()[-1].isdecimal():
        yield from (word for word in short.values() if word.startswith(begun))


CHANGES = PlanChanges(
    rest=rest_of_line,
    dropped=dropped_words(OPTIONS, "a"),
    variant=USUAL,
    offers=(
        *("retreat:profit<0", "retreat:units<=2", "retreat:win<40%", "retreat:air>20%", "rounds:2", "choose", "keep:1"),
        *("dretreat:2", "lowluck", "submerge", "dsubmerge", "gunslast", "deadzone", "value:4", "decline:no"),
    ),
    example="rounds:2",
    complete=completions,
)
