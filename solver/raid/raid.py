"""Bombing raids of Axis & Allies: bombers and their escorts against a factory or a base, its flak and interceptors.

If there are interceptors, all planes first fight one round in the air, as the edition has it: see `air.py`. Then the
flak fires one shot at each bomber, which hits with 1 of 6 (biased dice: 0.1; with low luck all shots are one group).
Each bomber left rolls a die, and some editions add to it. The sum is the damage, up to the limit of the target. One
point of damage costs its owner 1 IPC.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal, get_args

from solver.axis.units import Role, Rules, Unit
from solver.axis.worth import IPC, Prices, Worth, plain_number
from solver.documents import check_fields, check_nulls, read_part
from solver.errors import BattleError, CountLimit, check_choice, check_flag, check_limits

MOST_BOMBERS = 500
MOST_POINTS = 500
MOST_PLANES = 30
"""The most planes of each kind in a raid with escorts or interceptors."""
Target = Literal["factory", "base"]
Dice = Literal["standard", "low_luck", "biased"]
BOMBS = {"standard": (1, 2, 3, 4, 5, 6), "low_luck": (3, 4), "biased": (1, 2, 2, 3, 3, 3, 4, 4, 5, 6)}
"""The faces of a bomber's die: with low luck it has two, of biased dice ten."""
PLANES = (
    CountLimit("escorts", 0, MOST_PLANES, "the number of escorts must be {least} to {most}, not {value}"),
    CountLimit("interceptors", 0, MOST_PLANES, "the number of interceptors must be {least} to {most}, not {value}"),
)
ALONE = CountLimit("bombers", 1, MOST_BOMBERS, "the number of bombers must be {least} to {most}, not {value}")
TOGETHER = CountLimit(
    "bombers",
    1,
    MOST_PLANES,
    "with escorts or interceptors the number of bombers must be {least} to {most}, not {value}",
)
"""The limits of bombers alone, and of those in a raid with escorts or interceptors."""
POINTS = CountLimit(
    "factory_points", 1, MOST_POINTS, "the damage a factory can take must be {least} to {most}, not {value}"
)
DAMAGE = CountLimit("damage", 0, MOST_POINTS, "the damage a factory has must be {least} to {most}, not {value}")


@dataclass(frozen=True, slots=True)
class Raid:
    """A bombing raid on one factory or base.

    Attributes:
        rules: The edition.
        bombers: The number of bombers, 1 to 500; at most 30 if there are escorts or interceptors.
        factory_points: The damage that the target can still take, 1 to 500.
        dice: The kind of dice.
        aa_already_fired: Whether the flak has fired without a hit.
        worth: The worth of units; only the prices of planes in the raid are kept, if they are not their costs.
        escorts: The number of fighters with the bombers, 0 to 30.
        interceptors: The number of fighters against them, 0 to 30.
        target: "factory", or "base" for an air base or a naval base.
        kind: The kind of bomber; empty for the kind that raids factories.
        damage: The damage that a factory has already; None if nobody said. A base has the rest of the damage that it
            can have, so for a base it is always None.

    Raises:
        BattleError: A number is out of range, or the edition has no such planes or no air battle before a raid.

    Example:
        >>> rules = Rules("mini", (Unit("bomber", "air", 4, 1, 12),), ((),) * 4)
        >>> Raid(rules, bombers=2, factory_points=8).damages
        (0, 8)
    """

    rules: Rules
    bombers: int
    factory_points: int
    dice: Dice = "standard"
    aa_already_fired: bool = False
    worth: Worth = IPC
    escorts: int = 0
    interceptors: int = 0
    target: Target = "factory"
    kind: str = ""
    damage: int | None = None

    def __post_init__(self) -> None:
        """Check the fields and reduce the worth to the prices of the planes."""
        check_limits(self, PLANES)
        check_limits(self, (ALONE if self.most_bombers == MOST_BOMBERS else TOGETHER, POINTS))
        if self.damage is not None:
            if self.rules.raids_cost_money:
                raise BattleError("damage", "in these rules raids cost money; factories take no damage")
            check_limits(self, (DAMAGE,))
        if self.rules.faces > 6:
            raise BattleError("bombers", "raids are rolled with dice of 6 faces")
        check_choice("dice", self.dice, get_args(Dice), "the dice must be one of {known}, not {value}")
        check_choice("target", self.target, get_args(Target), "the target must be one of {known}, not {value}")
        check_flag("aa_already_fired", self.aa_already_fired)
        if self.kind == raiding_unit(self.rules).name:
            object.__setattr__(self, "kind", "")
        self._check_planes()
        if self.target == "base":
            self._check_base()
            object.__setattr__(self, "damage", None)
        object.__setattr__(self, "worth", self._prices())

    def _check_planes(self) -> None:
        """Refuse planes that the edition does not have, or that cannot fly this raid."""
        if self.kind != "":
            kinds = [unit.name for unit in self.rules.units if unit.raid is not None]
            check_choice("kind", self.kind, kinds, "the kind of bomber must be one of {known}, not {value}")
            if self.target == "factory" and self.rules.table[self.kind].only_bases:
                raise BattleError("kind", "these bombers can bomb bases, but no factories")
        for name, count in (("escorts", self.escorts), ("interceptors", self.interceptors)):
            if count and self.fighter is None:
                raise BattleError(name, "these rules have no air battle before a raid")
        if self.interceptors and self.aa_already_fired:
            raise BattleError("interceptors", "the air battle comes before the AA fire, so it is over already")

    def _check_base(self) -> None:
        """Refuse a base that the edition does not have, or with more damage than a base can have."""
        points, left = self.rules.base_points, self.factory_points
        if points is None:
            raise BattleError("target", "these rules have no bases to bomb")
        if left > points:
            raise BattleError(
                "factory_points", "a base can take {most} damage at most, not {value}", most=points, value=str(left)
            )
        if self.damage is not None and self.damage != points - left:
            raise BattleError(
                "damage",
                "a base can have {most} damage; this one has the rest, {rest}, and not {value}",
                most=points,
                rest=points - left,
                value=self.damage,
            )

    def _prices(self) -> Worth:
        """Return the worth with the prices of the planes in the raid alone."""
        worth = read_part("worth", partial(self.worth.canonical, self.rules))
        flown: list[tuple[Unit, Role]] = [(self._bomber, "attack")]
        if self.fighter is not None:
            flown += [(self.fighter, "attack")] * bool(self.escorts)
            flown += [(self.fighter, "defence")] * bool(self.interceptors)
        ours = {unit.name: worth.of(unit, role) for unit, role in flown if role == "attack"}
        theirs = {unit.name: worth.of(unit, role) for unit, role in flown if role == "defence"}
        both = {name: price for name, price in (theirs | ours).items() if theirs.get(name, price) == price}

        def own(prices: dict[str, float], known: Collection[str] = ()) -> Prices:
            changed = {name: price for name, price in prices.items() if price != self.rules.table[name].cost}
            return tuple((name, plain_number(price)) for name, price in changed.items() if name not in known)

        return Worth("ipc", own(both), own(ours, both), own(theirs, both))

    @property
    def most_bombers(self) -> int:
        """The most bombers that such a raid may have."""
        return MOST_PLANES if self.escorts or self.interceptors else MOST_BOMBERS

    @property
    def _bomber(self) -> Unit:
        return self.rules.table[self.kind] if self.kind else raiding_unit(self.rules)

    @property
    def bomber(self) -> Unit:
        """The unit that raids, at its price."""
        return self.worth.at_worth(self._bomber, "attack")

    @property
    def fighter(self) -> Unit | None:
        """The unit that escorts and intercepts; None if the edition has no air battle before a raid."""
        return next((unit for unit in self.rules.units if unit.air_defence is not None), None)

    @property
    def fighter_prices(self) -> tuple[float, float]:
        """The price of an escort and that of an interceptor; 0 in an edition without them."""
        if self.fighter is None:
            return 0.0, 0.0
        return self.worth.of(self.fighter, "attack"), self.worth.of(self.fighter, "defence")

    @property
    def die(self) -> tuple[float, ...]:
        """The chance that one bomber does 0, 1, 2, ... points of damage."""
        faces, more = BOMBS[self.dice], self.bomber.raid or 0
        return tuple(faces.count(damage - more) / len(faces) for damage in range(max(faces) + more + 1))

    @property
    def shot_down(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The fewest and the most planes that each side can lose in the air battle, the attacker first."""
        if not self.interceptors or self.fighter is None:
            return (0, 0), (0, 0)
        planes = (self.bombers, self._bomber.air_attack), (self.escorts, self.fighter.air_attack)
        down = tuple(min(hits, self.interceptors) for hits in self._hits(*planes))
        # The fewest planes are lost where the most interceptors do not fire back, and the other way round.
        silent = down[::-1] if self.rules.air_attack_first else (0, 0)
        back = [self._hits((self.interceptors - lost, self.fighter.air_defence or 0)) for lost in silent]
        ours = self.bombers + self.escorts
        return (min(back[0][0], ours), min(back[1][1], ours)), (down[0], down[1])

    def _hits(self, *groups: tuple[int, int]) -> tuple[int, int]:
        """Return the fewest and the most hits of planes that roll together: how many there are of each strength."""
        power = sum(count * strength for count, strength in groups)
        if self.dice == "low_luck":
            return power // 6, -(-power // 6)
        return 0, sum(count for count, strength in groups if strength)

    @property
    def losses(self) -> tuple[int, int]:
        """The fewest and the most bombers that can be lost."""
        low, high = (max(planes - self.escorts, 0) for planes in self.shot_down[0])
        return low + self._flak_hits(self.bombers - low)[0], high + self._flak_hits(self.bombers - high)[1]

    def _flak_hits(self, bombers: int) -> tuple[int, int]:
        """Return the fewest and the most of so many bombers that the flak can shoot down."""
        return (0, 0) if self.aa_already_fired else self._hits((bombers, 1))

    @property
    def damages(self) -> tuple[int, int]:
        """The least and the most damage that the target can take."""
        left = [self.bombers - lost for lost in self.losses]
        die, points = self.die, self.factory_points
        lowest = next(damage for damage, chance in enumerate(die) if chance)
        return min(left[1] * lowest, points), min(left[0] * (len(die) - 1), points)

    @property
    def profits(self) -> tuple[float, float]:
        """The least and the most profit, in money: a raid that loses more planes does no more damage."""
        escort, interceptor = self.fighter_prices
        ours, theirs = self.shot_down
        lost, (low, high) = self.losses, self.damages
        lowest, greatest = (self.bomber.cost * lost[end] + escort * min(ours[end], self.escorts) for end in (0, 1))
        return round(low - greatest + interceptor * theirs[0], 2), round(high - lowest + interceptor * theirs[1], 2)

    @property
    def damage_before(self) -> int | None:
        """The damage that the target has before the raid; None if nobody said how much a factory has."""
        return self.damage if self.target == "factory" else (self.rules.base_points or 0) - self.factory_points

    @property
    def puts_out_of_action(self) -> int | None:
        """The damage that puts the target out of action: half of the most that it can have, less the damage it has.

        None if nobody said how much damage a factory has.
        """
        if self.damage_before is None:
            return None
        return max(-(-(self.damage_before + self.factory_points) // 2) - self.damage_before, 0)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], rules: Rules) -> "Raid":
        """Read the raid from a JSON document.

        Args:
            document: The fields of the raid, as docs/api.md lists them.
            rules: The edition.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.
        """
        check_nulls(document)
        check_fields(document, {"game", *_FIELDS, "worth"})
        for name in _FIELDS[:2]:
            if name not in document:
                raise BattleError(name, "this must be a whole number")
        own = {name: document[name] for name in _FIELDS if name in document}
        worth = read_part("worth", partial(Worth.from_dict, document["worth"])) if "worth" in document else IPC
        return cls(rules, **own, worth=worth)

    def to_dict(self) -> dict[str, Any]:
        """Return the raid as a JSON document; fields that few raids have are left out where they say nothing."""
        fields = {name: getattr(self, name) for name in _FIELDS[:4]}
        rare = {name: getattr(self, name) for name in _FIELDS[4:] if getattr(self, name) != _USUAL[name]}
        own = {"worth": self.worth.to_dict()} if self.worth != IPC else {}
        return {**self.rules.to_dict(), "question": "bombing", **fields, **rare, **own}


_USUAL = {field.name: field.default for field in fields(Raid)}
_FIELDS = tuple(name for name in _USUAL if name not in ("rules", "worth"))
"""The fields of a document that are fields of a raid; the first two are required."""


def raiding_unit(rules: Rules) -> Unit:
    """Return the unit that usually raids factories: one of the edition with a raid bonus, else the bomber.

    Args:
        rules: The edition.

    Raises:
        BattleError: The edition has no bombers.
    """
    raiders = [unit for unit in rules.units if unit.raid is not None and not unit.only_bases]
    usual = [unit for unit in raiders if unit.name not in rules.own[0]]
    if not usual and "bomber" in rules.table:
        return rules.table["bomber"]
    if not raiders:
        raise BattleError("bombers", "these rules have no bombers")
    return (usual or raiders)[0]
