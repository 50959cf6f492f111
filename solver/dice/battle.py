"""Battles with dice: `Battle` holds the armies, the dice and the rules of one battle."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from solver.dice.documents import read_faces, read_fleet, read_pool, read_reshape
from solver.dice.faces import ALL_LUCK, Faces
from solver.dice.pools import DIE_BY_DIE, MOST_COMPARISONS, Pool, Ties
from solver.dice.reshape import Reshape
from solver.dice.ships import Ships
from solver.documents import check_fields, check_nulls, read_part
from solver.errors import BattleError, CountLimit, check_choice, check_flag, check_limits, quoted

if TYPE_CHECKING:  # who only reads and writes battles loads nothing that computes
    from solver.dice.chain import DiceChain

MOST_ARMIES = 1_000_000

ATTACK = Pool((6, 6, 6))
DEFENCE = Pool((6, 6))
NO_SHIPS = Ships()

LIMITS = (
    CountLimit("attackers", 0, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"),
    CountLimit("defenders", 0, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"),
    CountLimit("stop", 0, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"),
    CountLimit("reserve", 0, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"),
    CountLimit("rounds", 0, MOST_ARMIES, "the number of rounds must be {least} to {most}, not {value}", True),
    CountLimit("luck", 0, ALL_LUCK, "luck must be {least} to {most} percent, not {value}"),
    CountLimit("value", 0, MOST_ARMIES, "the territory's value in armies must be {least} to {most}, not {value}", True),
)


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle with dice before the first roll: classic Risk, Star Wars Risk or icon dice.

    Attributes:
        attackers: The armies that may fight, without those that a rule keeps at home.
        defenders: The armies of the defender.
        attack: The attacker's dice.
        defence: The defender's dice.
        attack_ships: The attacker's spaceships. Ships go with plain six-sided dice only; idle ones are left out.
        defence_ships: The defender's spaceships.
        ties: The winner of equal dice.
        stop: The attacker calls the attack off after a round that leaves this many attackers or fewer.
        reserve: The attackers that never roll.
        rounds: The most rounds that are fought; None for a fight to the end.
        value: The value of the territory in armies. The attacker stops wherever that maximizes the armies left plus
            this value if the territory is taken. None for no such plan.
        faces: The icon dice of both sides; every unit rolls one, and pools and ties are not used. None for dice with
            numbers.
        late: Whether the defender sees the attacker's roll before choosing how many dice to roll; "die" if it also
            rolls a first die before choosing whether to roll a second.
        reshape: A change of the odds as a whole, such as Balanced Blitz.
        totals: Whether the totals of both sides' dice are compared, and the side with less loses all units that rolled.
        luck: The luck of icon dice that show no defence, in percent. The less there is, the nearer is what they kill to
            the average: see `Faces.kills`.
        variant: The name of the rules for people; it changes no odds.

    Raises:
        BattleError: The values break a rule or a limit, or do not go together.

    Example:
        >>> Battle(12, 9, stop=4).floor
        4
    """

    attackers: int
    defenders: int
    attack: Pool = ATTACK
    defence: Pool = DEFENCE
    attack_ships: Ships = NO_SHIPS
    defence_ships: Ships = NO_SHIPS
    ties: Ties = "defender"
    stop: int = 0
    reserve: int = 0
    rounds: int | None = None
    value: int | None = None
    faces: tuple[Faces, Faces] | None = None
    late: bool | Literal["die"] = False
    reshape: Reshape | None = None
    variant: str = ""
    totals: bool = False
    luck: int = ALL_LUCK

    def __post_init__(self) -> None:
        """Check the fields and leave out idle ships."""
        check_limits(self, LIMITS)
        check_choice("ties", self.ties, get_args(Ties), "ties must be one of {known}, not {value}")
        if not self.totals and self.attack.rolls * self.defence.rolls > MOST_COMPARISONS:
            raise BattleError("attack.dice", "these dice compare in too many ways; use fewer or smaller dice")
        for side, pool in (("attack", self.attack), ("defence", self.defence)):
            if (self.attack_ships or self.defence_ships) and pool != Pool((6,) * len(pool.dice)):
                raise BattleError(
                    side,
                    "ships work only with plain six-sided dice; with others write what they do: a fighter is "
                    "`arerolls:1`, a bomber `abonus:1`, a capital ship `adice:8,6,6`",
                )
        self._check_combinations()
        ours, theirs = len(self.attack.dice), len(self.defence.dice)
        pairs = max(ours, theirs) if self.totals else min(ours, theirs)
        object.__setattr__(self, "attack_ships", self.attack_ships.without_idle(ours, min(pairs, ours)))
        object.__setattr__(self, "defence_ships", self.defence_ships.without_idle(theirs, min(pairs, theirs)))

    def _check_combinations(self) -> None:
        """Refuse rules that do not go together."""
        numbers = self.attack, self.defence, self.ties, self.attack_ships, self.defence_ships
        if self.faces and numbers != (ATTACK, DEFENCE, "defender", NO_SHIPS, NO_SHIPS):
            raise BattleError("faces", "icon dice can't be combined with other dice, ships or tie rules")
        self._check_late()
        if self.luck < ALL_LUCK and not (self.faces and not any(faces.most_icons[1] for faces in self.faces)):
            raise BattleError("luck", "`luckmodifier` works only with icon dice that show no defence, such as `60%`")
        check_flag("totals", self.totals)
        if self.totals and (self.faces or self.late):
            raise BattleError("totals", "`bytotal` can't be combined with icon dice or `late`")
        if self.value is not None and self.rounds is not None:
            raise BattleError("value", "`value` can't be combined with `rounds`")
        if self.reshape:
            self._check_reshape()

    def _check_late(self) -> None:
        """Refuse a defender who decides late by another rule, or with rules that do not go with it."""
        if self.late == DIE_BY_DIE:
            self._check_die_by_die()
        elif type(self.late) is not bool:
            raise BattleError("late", 'this must be true, false or "die", not {value}', value=quoted(self.late))
        limited, priced = self.rounds is not None, self.value is not None
        if self.late and any((self.faces, self.ties == "neither", limited, priced)):
            raise BattleError("late", "`late` can't be combined with icon dice, `ties:neither`, `rounds` or `value`")

    def _check_reshape(self) -> None:
        if any((self.faces, self.ties in ("both", "neither"), self.stop, self.rounds is not None)):
            raise BattleError(
                "reshape", "`reshape` needs a battle that one side wins: no icon dice, shared ties, `stop` or `rounds`"
            )
        if self.late or self.value is not None:
            raise BattleError("reshape", "`reshape` can't be combined with `late` or `value`")

    def _check_die_by_die(self) -> None:
        """Refuse dice that are not rolled one after the other."""
        if len(self.defence.dice) > 2 or self.defence.spare:
            raise BattleError("late", "`late:die` works for a defender with at most two dice, both of them compared")

    @property
    def floor(self) -> int:
        """The attack is over once no more attackers than this are left, including those in reserve."""
        return max(self.stop, self.reserve)

    @property
    def game(self) -> str:
        """The name of the game in documents: "risk", "starwars" as soon as there are ships, or "icons"."""
        if self.faces:
            return "icons"
        return "starwars" if self.attack_ships or self.defence_ships else "risk"

    @property
    def pools(self) -> tuple[Pool, Pool]:
        """The attacker's and the defender's dice with the effects of their ships."""
        if self.game != "starwars":
            return self.attack, self.defence
        return self.attack_ships.arm(self.attack), self.defence_ships.arm(self.defence)

    def chain(self) -> "DiceChain":
        """Return the chain of this battle, without anything that does not change its odds."""
        from solver.dice.chain import DiceChain

        attack, defence = self.pools
        acting = max(self.attackers - self.reserve, 0)
        floor = min(max(self.stop - self.reserve, 0), acting)
        rounds, lossless = self.rounds, self.faces or self.ties == "neither"
        if rounds is not None and rounds >= acting + self.defenders and not lossless:
            rounds = None
        return DiceChain(
            acting=acting,
            defenders=self.defenders,
            attack=attack.for_units(max(acting, 1)),
            defence=defence.for_units(max(self.defenders, 1)),
            ties=self.ties,
            floor=floor,
            reserve=self.attackers - acting,
            rounds=rounds,
            faces=self.faces and (self.faces[0].in_lowest_terms(), self.faces[1].in_lowest_terms()),
            late=self.late,
            value=self.value,
            reshape=self.reshape,
            totals=self.totals,
            luck=self.luck,
        )

    def swap_sides(self) -> Self:
        """Return the battle with the sides exchanged: each army keeps its ships and its best dice.

        The number of dice stays with the role. Stop, reserve and value are dropped as plans of the old attacker, and so
        is the name of the rules.
        """
        return replace(
            self,
            attackers=self.defenders,
            defenders=self.attackers,
            attack=_pool_in_role(self.defence, self.attack),
            defence=_pool_in_role(self.attack, self.defence),
            attack_ships=self.defence_ships,
            defence_ships=self.attack_ships,
            stop=0,
            reserve=0,
            value=None,
            faces=self.faces and self.faces[::-1],
            variant="",
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read the battle from a JSON document.

        Args:
            document: The fields of the battle, as docs/api.md lists them.

        Raises:
            BattleError: A field is missing, unknown or wrong; the error names it.

        Example:
            >>> Battle.from_dict({"game": "risk", "attackers": 3, "defenders": 2}) == Battle(3, 2)
            True
        """
        check_nulls(document)
        game: Any = document.get("game")
        check_choice("game", game, tuple(GAMES), "the game must be one of {known}, not {value}")
        check_fields(document, {"game", "attackers", "defenders", "attack", "defence", *GAMES[game]})
        for name in ("attackers", "defenders"):
            if name not in document:
                raise BattleError(name, "the number of armies is missing")
        fields = {name: document[name] for name in GAMES[game] if name in document}
        if fields.get("reshape") is not None:
            fields["reshape"] = read_part("reshape", lambda: read_reshape(document["reshape"]))
        if game == "icons":
            fields["faces"] = read_faces(document)
            return cls(document["attackers"], document["defenders"], **fields)
        for side, usual in (("attack", ATTACK), ("defence", DEFENCE)):
            own = document.get(side, {})
            if game == "starwars":
                fields[side], fields[f"{side}_ships"] = read_part(side, partial(read_fleet, own, usual))
            else:
                fields[side] = read_part(side, partial(read_pool, own, usual))
        return cls(document["attackers"], document["defenders"], **fields)

    def to_dict(self) -> dict[str, Any]:
        """Return the battle as a JSON document with every field."""
        if self.faces:
            sides: list[dict[str, Any]] = [{"faces": list(faces.words)} for faces in self.faces]
        elif self.game == "risk":
            sides = [self.attack.to_dict(), self.defence.to_dict()]
        else:
            fleets = (self.attack_ships, self.attack), (self.defence_ships, self.defence)
            sides = [{**ships.to_dict(), "dice": list(pool.dice)} for ships, pool in fleets]
        document = {"game": self.game, "attackers": self.attackers, "defenders": self.defenders}
        document |= {"attack": sides[0], "defence": sides[1]}
        plain = {name: getattr(self, name) for name in GAMES[self.game] if name not in ("faces", "reshape")}
        for name, usual in (("totals", False), ("luck", ALL_LUCK)):
            if plain.get(name) == usual:
                plain.pop(name)
        if self.reshape:
            plain["reshape"] = asdict(self.reshape)
        return document | plain


_PLANS = ("stop", "reserve", "rounds", "value")
_OF_NUMBERS = ("ties", "late", "reshape", "totals")
RULES = (*_OF_NUMBERS, "luck")
"""The fields that are rules, beside the dice themselves: those of dice with numbers, and that of icon dice."""
GAMES = {"risk": (*_OF_NUMBERS, *_PLANS), "starwars": (*_OF_NUMBERS, *_PLANS), "icons": ("faces", "luck", *_PLANS)}
"""The games of documents, and the fields of each beside the two armies and their dice."""


def _pool_in_role(pool: Pool, role: Pool) -> Pool:
    """Return an army's pool with as many dice as its new role rolls and keeps: its best dice, then more of the last."""
    dice = len(role.dice)
    filled = (pool.dice + pool.dice[-1:] * dice)[:dice]
    return replace(pool, dice=filled, bonus=pool.bonus[: role.units], keep=role.keep, worst=role.worst)


def grid_seconds(battle: Battle) -> float:
    """Estimate the seconds for the chances of a battle from every number of armies: see `Estimate`."""
    from solver.dice.chain import STEP

    return STEP * battle.chain().grid_work
