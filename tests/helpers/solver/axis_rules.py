"""Axis & Allies 1942 for the slow twins: the table of units, and a battle of one wave with its units put in order."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

Units = tuple[str, ...]
"""Unit after unit, the most protected first; the last one is the next casualty."""
Counts = tuple[tuple[str, int], ...]
"""How many of each unit, by name."""


@dataclass(frozen=True)
class Prices:
    """What a unit of each kind counts in money, on one side: so many whole parts, `over` of which are 1."""

    each: dict[str, int]
    over: int = 1

    @classmethod
    def of(cls, prices: dict[str, Fraction]) -> "Prices":
        over = lcm(*(price.denominator for price in prices.values()))
        return cls({name: int(price * over) for name, price in prices.items()}, over)


class Unit(NamedTuple):
    """A row of the table: the strengths, the price, and whether it is a land, air or sea unit or a gun."""

    attack: int
    defence: int
    cost: int
    kind: str


UNITS = {
    "infantry": Unit(1, 2, 3, "land"),
    "artillery": Unit(2, 2, 4, "land"),
    "tank": Unit(3, 3, 6, "land"),
    "amphibious_infantry": Unit(1, 2, 3, "land"),
    "amphibious_artillery": Unit(2, 2, 4, "land"),
    "amphibious_tank": Unit(3, 3, 6, "land"),
    "aa_gun": Unit(0, 0, 5, "gun"),
    "fighter": Unit(3, 4, 10, "air"),
    "bomber": Unit(4, 1, 12, "air"),
    "submarine": Unit(2, 1, 6, "sea"),
    "transport": Unit(0, 0, 7, "sea"),
    "destroyer": Unit(2, 2, 8, "sea"),
    "cruiser": Unit(3, 3, 12, "sea"),
    "carrier": Unit(1, 2, 14, "sea"),
    "battleship": Unit(4, 4, 20, "sea"),
    "damaged_battleship": Unit(4, 4, 20, "sea"),
    "spare_hit": Unit(0, 0, 0, "spare"),
}
"""Section 1. A spare hit is the first, free hit of an undamaged battleship: it stands in the order like a unit."""


class Sea(NamedTuple):
    """The rules at sea in which editions differ: by default those of 1942.

    `hunted`: planes hit submarines without a destroyer. `late`: submarines strike first only where they attack.
    `transports_fight`: they fire, and they are casualties like others. `waits`: nobody submerges before a first round.
    """

    hunted: bool = False
    late: bool = False
    transports_fight: bool = False
    waits: bool = False


SEA = Sea()
MORE_DICE: dict[str, int] = {}
"""Units that roll more than one die where they attack: 100 for the better of two, 200 for two, 300 for three."""
FACES = 6
"""The faces of a die."""
LONE_GUNS_FIRE = False
"""Whether guns alone fire before they are destroyed."""

TWO_HITS: tuple[str, ...] = ("battleship",)
SHOTS = {"aa_gun": 3}
"""The shots at planes of each gun."""
SHIPS = ("battleship", "damaged_battleship", "cruiser")
"""The ships that bombard."""
BIASED = {
    0: Fraction(0),
    1: Fraction(1, 10),
    2: Fraction(3, 10),
    3: Fraction(6, 10),
    4: Fraction(8, 10),
    5: Fraction(9, 10),
}
"""Section 6: the chance to hit of each strength with biased dice."""


class State(NamedTuple):
    """Who fights and who is gone, on both sides."""

    attackers: Units
    attackers_gone: Units
    defenders: Units
    defenders_gone: Units
    away: Units = ()
    """Those among the attackers gone who have retreated or never came."""


@dataclass(frozen=True)
class Wave:
    """A battle of one wave, each side in its order of loss."""

    land: bool
    dice: str
    attackers: Units
    ships: Units
    defenders: Units
    guns_fired: bool
    may_decline: bool
    deadzone: bool
    value: Fraction
    plan_deadzone: bool
    plan_value: Fraction
    limit: int | None
    at_most: int
    transports_leave: bool
    defender_leaves_after: int | None
    defender_leaves_at: int
    profit_below: Fraction | None
    win_below: Fraction | None
    win_takes: bool
    clear_above: Fraction | None
    air_above: Fraction | None
    attackers_submerge: int
    defenders_submerge: int
    attackers_keep: bool
    defenders_keep: bool
    crash: bool
    our_crash: bool
    our_prices: Prices
    their_prices: Prices
    damage_stays: bool

    @property
    def start(self) -> State:
        return State(self.attackers, (), self.defenders, ())

    @property
    def defender_may_leave(self) -> bool:
        """Then defenders who are gone have left the field, and none is submerged there."""
        return self.defender_leaves_after is not None or self.defender_leaves_at > 0

    @property
    def gun_dice(self) -> str:
        return {"low_luck_aa": "low_luck", "low_luck_but_aa": "standard"}.get(self.dice, self.dice)

    @property
    def landing(self) -> bool:
        """Section 8.7: landed units fight on when the others leave, if an early end is possible at all."""
        rules = (self.profit_below, self.win_below, self.clear_above, self.air_above, self.limit)
        return any(map(landed, self.attackers)) and (
            self.at_most > 0 or self.transports_leave or any(rule is not None for rule in rules)
        )


def kind(unit: str) -> str:
    return UNITS[unit].kind


def is_land(unit: str) -> bool:
    return kind(unit) == "land"


def is_plane(unit: str) -> bool:
    return UNITS[unit].kind == "air"


def is_sub(unit: str) -> bool:
    return unit in ("submarine", "super_submarine")


def landed(unit: str) -> bool:
    return unit.startswith("amphibious")


USUAL = Prices({name: unit.cost for name, unit in UNITS.items()})


def cost(units: Iterable[str], prices: Prices = USUAL) -> Fraction:
    return Fraction(sum(map(prices.each.__getitem__, units)), prices.over)


def size(units: Iterable[str]) -> int:
    """How many units; spare hits are none."""
    return sum(unit != "spare_hit" for unit in units)


def counted(units: Iterable[str]) -> Counter[str]:
    """Section 1: spare hits are no units, and a damaged battleship is reported as an ordinary one."""
    names = (unit.removeprefix("damaged_") for unit in units if unit != "spare_hit")
    return Counter(names)


def counted_after(wave: Wave, units: Iterable[str]) -> Counter[str]:
    """The units after the battle: where damage stays, a battleship without its spare hit is a damaged one."""
    if not wave.damage_stays:
        return counted(units)
    found = Counter(units)
    hurt = found["battleship"] - found.pop("spare_hit", 0)
    return +(found + Counter({"damaged_battleship": hurt}) - Counter({"battleship": hurt}))


def attack_strengths(units: Units) -> list[int]:
    """Section 3.1, round by round: artillery raises as many infantry by 1, from the first lost on."""
    supported = sum((1 + ("advanced" in unit)) * unit.endswith("artillery") for unit in units)
    strengths = []
    for unit in reversed(units):
        strength = UNITS[unit].attack + MORE_DICE.get(unit, 0)
        if unit.endswith("infantry") and supported:
            strength, supported = strength + 1, supported - 1
        strengths.append(strength)
    return strengths[::-1]


def defence_strengths(units: Units) -> list[int]:
    return [UNITS[unit].defence for unit in units]


def helpless(units: Units) -> bool:
    """Section 4.5: nothing but transports, or nothing but guns."""
    transports = not SEA.transports_fight and set(units) == {"transport"}
    return bool(units) and (transports or set(units) == {"aa_gun"})


def deadlocked(ours: Units, theirs: Units) -> bool:
    """Section 4.6: only submarines against only planes."""
    return _apart(ours, theirs) or _apart(theirs, ours)


def _apart(ours: Units, theirs: Units) -> bool:
    return not SEA.hunted and bool(ours) and all(map(is_sub, ours)) and bool(theirs) and all(map(is_plane, theirs))


def deadzone_cost(wave: Wave, units: Units) -> Fraction:
    """Section 10.1: what a land force is expected to lose where it stands, after a shot at enemy infantry."""
    land = tuple(filter(is_land, units))
    shots = Fraction(sum(defence_strengths(land)), FACES)
    return cost(land, wave.our_prices) - shots * cost(("infantry",), wave.their_prices)


def landed_only(units: Units) -> Units:
    return tuple(filter(landed, units))


def without_landed(units: Units) -> Units:
    return tuple(unit for unit in units if not landed(unit))


def next_planes(units: Units, hits: int) -> Units:
    """The planes that are lost first, at most so many."""
    return tuple(unit for unit in reversed(units) if is_plane(unit))[:hits]


def stranded(units: Units, but: str = "") -> Units:
    """Section 9: the planes for which the carriers have no room, the least protected ones, `but` those of a kind."""
    room = 2 * units.count("carrier")
    return tuple(unit for unit in units if is_plane(unit) and unit != but)[room:]


def without(units: Units, lost: Units) -> Units:
    """The units that are left when these, in the order of loss, are taken away."""
    left = list(reversed(units))
    for unit in lost:
        left.remove(unit)
    return tuple(reversed(left))


def read(battle: dict[str, Any]) -> Wave:
    """A battle of one wave as its document says; what is left out is left off."""
    (wave,) = battle["waves"]
    land = battle["theatre"] == "land"
    retreat: dict[str, Any] = wave.get("retreat") or {}
    submerge: dict[str, bool | int] = wave.get("submerge") or {}
    keep: dict[str, bool] = wave.get("keep_last_destroyer") or {}
    own: dict[str, Any] = wave.get("retreat_ev_override") or {}
    attacker, defender = wave["attacker"], wave["defender"]
    deadzone, value = bool(battle.get("deadzone")), Fraction(battle.get("territory_value") or 0)
    return Wave(
        land=land,
        dice=battle.get("dice", "standard"),
        attackers=_attackers(attacker, land),
        ships=tuple(unit for unit in _listed(attacker["units"]) if land and unit in SHIPS),
        defenders=_defenders(defender, land),
        guns_fired=bool(battle.get("aa_already_fired")),
        may_decline=bool(battle.get("decline_allowed", True)),
        deadzone=deadzone,
        value=value,
        plan_deadzone=deadzone if own.get("deadzone") is None else bool(own["deadzone"]),
        plan_value=value if own.get("territory_value") is None else Fraction(own["territory_value"]),
        limit=wave.get("round_limit"),
        at_most=retreat.get("units_at_most") or 0,
        transports_leave=bool(retreat.get("transports_alone")),
        defender_leaves_after=(wave.get("defender_retreat") or {}).get("rounds"),
        defender_leaves_at=(wave.get("defender_retreat") or {}).get("units_at_most") or 0,
        profit_below=_threshold(retreat.get("profit_below")),
        win_below=_threshold(retreat.get("win_chance_below")),
        win_takes=retreat.get("win_means", "take" if land else "destroy") == "take",
        clear_above=_threshold(retreat.get("clear_chance_above")),
        air_above=_threshold(retreat.get("air_loss_chance_above")),
        attackers_submerge=_how_many(submerge.get("attacker", False)),
        defenders_submerge=_how_many(submerge.get("defender", False)),
        attackers_keep=bool(keep.get("attacker")),
        defenders_keep=bool(keep.get("defender")),
        crash=bool(wave.get("crash_stranded_fighters")) and not land,
        our_crash=bool(wave.get("crash_attacking_fighters")) and not land,
        our_prices=_prices(battle, "attack", "attacker"),
        their_prices=_prices(battle, "defence", "defender"),
        damage_stays=bool(battle.get("damage_stays")),
    )


def _how_many(submerge: bool | int) -> int:
    """How many submarines submerge: true stands for all."""
    return 100 if submerge is True else int(submerge)


def _prices(battle: dict[str, Any], role: str, side: str) -> Prices:
    """What units count: their cost, one each or what they hit with, or their own price, or that of their plain kind.

    A price of the side goes before one of both.
    """
    worth: dict[str, Any] = battle.get("worth") or {}
    own, prices = worth.get("units", {}) | worth.get(side, {}), dict[str, float]()
    for name, unit in UNITS.items():
        plain = name.removeprefix("amphibious_").removeprefix("damaged_")
        measured = {"ipc": unit.cost, "units": 1, "power": getattr(unit, role)}[worth.get("measure", "ipc")]
        prices[name] = own.get(name, own.get(plain, measured))
    return _in_whole_parts(tuple((prices | {"spare_hit": 0}).items()))


@cache
def _in_whole_parts(prices: tuple[tuple[str, float], ...]) -> Prices:
    """Prices as they are written, found once: a twin reads thousands of waves with the same ones."""
    return Prices.of({name: Fraction(str(price)) for name, price in prices})


def _threshold(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _listed(units: dict[str, int]) -> list[str]:
    return [unit for unit, count in units.items() for _ in range(count)]


def _ordered(units: dict[str, int], loss_order: list[str], *, land: bool) -> list[str]:
    """Section 3, steps 1 to 4: the most protected first; at sea transports are always the last to be lost."""
    last = [] if land or SEA.transports_fight else ["transport"]
    protected = list(dict.fromkeys(last + loss_order[::-1]))
    unlisted = [unit for unit, count in units.items() if count and unit not in protected]
    if unlisted:
        raise ValueError(f"not in the order of loss: {unlisted}")
    return [unit for unit in protected for _ in range(units.get(unit, 0))]


def _with_spare_hits(order: list[str], *, land: bool) -> Units:
    """Section 3, step 7: the spare hits go before anything else."""
    known = [unit for unit in TWO_HITS if f"damaged_{unit}" in UNITS and not (land and unit in SHIPS)]
    return (*order, *(["spare_hit"] * sum(map(order.count, known))))


def _attackers(side: dict[str, Any], land: bool) -> Units:
    """Section 3, step 6: on land so many land units outlive even the planes. The bombarding ships stand apart."""
    fighting = {unit: count for unit, count in side["units"].items() if not (land and unit in SHIPS)}
    rest = _ordered(fighting, side["loss_order"], land=land)
    return _with_spare_hits(_with_kept(rest, side.get("keep_land", 0) if land else 0), land=land)


def _with_kept(rest: list[str], number: int) -> list[str]:
    """The units, the most protected first, once so many land units are the most protected of all; never guns."""
    head: list[str] = []
    for _ in range(number):
        kept = next((unit for unit in rest if is_land(unit) and unit != "aa_gun"), None)
        if kept is not None:
            rest.remove(kept)
            head.append(kept)
    return head + rest


def _defenders(side: dict[str, Any], land: bool) -> Units:
    """Section 3, step 5: the guns may be the last casualties but one."""
    order = _ordered(side["units"], side["loss_order"], land=land)
    if land and side.get("aa_second_last"):
        others = [unit for unit in order if unit != "aa_gun"]
        guns = [unit for unit in order if unit == "aa_gun"]
        order = others[:1] + guns + others[1:]
    if land:
        order = _with_kept(order, side.get("keep_land", 0))
    return _with_spare_hits(order, land=land)


# Where a wave ends.


def over(state: State, ships: Units = ()) -> bool:
    """One side has nobody who fights, or nobody can hit."""
    return not state.defenders or not (state.attackers or ships) or deadlocked(state.attackers, state.defenders)


def withdrawn(wave: Wave, state: State) -> State:
    """Section 8.7: all attackers leave, but landed ones stay where an early end was possible."""
    stay = landed_only(state.attackers) if wave.landing else ()
    leaving = without_landed(state.attackers) if wave.landing else state.attackers
    return state._replace(attackers=stay, attackers_gone=state.attackers_gone + leaving, away=leaving)


def left_field(wave: Wave, state: State, rounds: int) -> State:
    """The state once the defender has left, if that is the plan after so many rounds.

    Guns are lost, and planes that crash at every end.
    """
    late = wave.defender_leaves_after is not None and rounds >= wave.defender_leaves_after
    if over(state) or not (late or size(state.defenders) <= wave.defender_leaves_at):
        return state
    units = tuple(unit for unit in state.defenders if unit != "aa_gun")
    units = without(units, stranded(units)) if wave.crash else units
    return state._replace(defenders=(), defenders_gone=state.defenders_gone + units)


def left_by(wave: Wave, state: State) -> State:
    """The end where all attackers leave; they stay if they are alone, as all planes against them crash."""
    alone = crashed(wave, state)
    return crashed(wave, withdrawn(wave, state)) if alone.defenders else alone


def declined(wave: Wave) -> State:
    """Section 4.1: nobody attacks, landed ones neither, and nobody crashes."""
    return State((), wave.attackers, wave.defenders, (), away=wave.attackers)


class End(NamedTuple):
    """Who is left, gone and lost at the end; bombarding ships are none of them."""

    attackers_left: Counts
    attackers_gone: Counts
    attackers_lost: Counts
    defenders_left: Counts
    defenders_gone: Counts
    defenders_lost: Counts


def taken(wave: Wave, state: State) -> bool:
    """Section 15: on land, with a land unit and against nobody left."""
    return wave.land and not state.defenders and any(map(is_land, state.attackers))


def losses(wave: Wave, state: State) -> tuple[Fraction, Fraction]:
    """Section 10.2: the money lost; a taken territory counts for its taker, and those who stand on it against him."""
    ours = cost(wave.attackers, wave.our_prices) - cost(state.attackers + state.attackers_gone, wave.our_prices)
    theirs = cost(wave.defenders, wave.their_prices) - cost(state.defenders + state.defenders_gone, wave.their_prices)
    if taken(wave, state):
        ours += wave.deadzone * deadzone_cost(wave, state.attackers) - wave.value
    return ours, theirs


def ending(wave: Wave, state: State) -> End:
    """Section 15: attackers who are not alone at the end are gone."""
    left, gone = counted_after(wave, state.attackers), counted_after(wave, state.attackers_gone)
    if state.defenders:
        left, gone = Counter(), left + gone
    lost = counted(wave.attackers) - counted(state.attackers + state.attackers_gone)
    their_left, their_gone = counted_after(wave, state.defenders), counted_after(wave, state.defenders_gone)
    their_lost = counted(wave.defenders) - counted(state.defenders + state.defenders_gone)
    return End(*(tuple(sorted(count.items())) for count in (left, gone, lost, their_left, their_gone, their_lost)))


def crashed(wave: Wave, state: State) -> State:
    """Section 9: at every end the planes without room on a carrier are lost; at sea all attackers leave together.

    Bombers of the attacker never land on carriers.
    """
    lost = stranded(state.defenders) if wave.crash else ()
    state = state._replace(defenders=without(state.defenders, lost))
    if not wave.our_crash:
        return state
    here, gone = (without(units, stranded(units, but="bomber")) for units in (state.attackers, state.attackers_gone))
    return state._replace(attackers=here, attackers_gone=gone)
