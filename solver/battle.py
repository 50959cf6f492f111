"""A battle as one value: who meets whom under which rules, and the chain of states it becomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, get_args

import numpy as np

from solver.chain import LossTable
from solver.dice import MOST_COMPARISONS, Pool, Ties, loss_table
from solver.errors import BattleError, check_count, shown

MOST_ARMIES = 1_000_000

ATTACK = Pool((6, 6, 6))
DEFENCE = Pool((6, 6))


@dataclass(frozen=True, slots=True)
class Ships:
    """The spaceships of one side in Star Wars Risk (Original Trilogy Edition, 2006).

    They do not fight and stay for the whole battle. A fighter re-rolls a 1 until it is none, a bomber adds 1
    to a die (the first to the highest), a capital ship makes a die eight-sided. More of a kind than dice are
    idle.
    """

    fighters: int = 0
    bombers: int = 0
    capitals: int = 0

    def __post_init__(self) -> None:
        """Refuse numbers that are not counts."""
        for kind in ("fighters", "bombers", "capitals"):
            check_count(kind, getattr(self, kind), 0, MOST_ARMIES, f"the number of {kind} is")

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.fighters or self.bombers or self.capitals)

    def useful(self, dice: int, pairs: int) -> Self:
        """The ships that can make a difference where so many dice are rolled and so many pairs compared."""
        return type(self)(min(self.fighters, dice), min(self.bombers, pairs), min(self.capitals, dice))

    def arm(self, pool: Pool) -> Pool:
        """The pool of six-sided dice as these ships change it."""
        dice = ((8,) * self.capitals + pool.dice[self.capitals :])[: len(pool.dice)]
        return Pool(dice, min(self.fighters, len(dice)), (1,) * min(self.bombers, len(dice)))

    def to_dict(self) -> dict[str, int]:
        """The ships as documents write them."""
        return {"fighters": self.fighters, "bombers": self.bombers, "capitals": self.capitals}


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle of dice, as it is known before the first roll.

    `attackers` are the armies that may fight: where a rule leaves one behind, it is not counted. After a
    round that leaves `stop` of them or fewer (a round may overshoot) the attacker calls it off; `reserve`
    armies never roll; `rounds` is how many rounds are fought at the most. Ships go with plain six-sided dice,
    and those that are more than the dice of a side can use are left out.
    """

    attackers: int
    defenders: int
    attack: Pool = ATTACK
    defence: Pool = DEFENCE
    attack_ships: Ships = Ships()
    defence_ships: Ships = Ships()
    ties: Ties = "defender"
    stop: int = 0
    reserve: int = 0
    rounds: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no battle."""
        for name in ("attackers", "defenders", "stop", "reserve"):
            check_count(name, getattr(self, name), 0, MOST_ARMIES, "the number of armies is")
        if self.rounds is not None:
            check_count("rounds", self.rounds, 0, MOST_ARMIES, "the number of rounds is")
        if self.ties not in get_args(Ties):
            raise BattleError("ties", f"ties go to {', '.join(get_args(Ties))}, not {shown(self.ties)}")
        if self.attack.rolls * self.defence.rolls > MOST_COMPARISONS:
            raise BattleError("attack.dice", "these dice compare in too many ways; take fewer or smaller ones")
        for side, pool in (("attack", self.attack), ("defence", self.defence)):
            if (self.attack_ships or self.defence_ships) and pool != Pool((6,) * len(pool.dice)):
                raise BattleError(side, "ships go with plain six-sided dice")
        pairs = min(len(self.attack.dice), len(self.defence.dice))
        object.__setattr__(self, "attack_ships", self.attack_ships.useful(len(self.attack.dice), pairs))
        object.__setattr__(self, "defence_ships", self.defence_ships.useful(len(self.defence.dice), pairs))

    @property
    def floor(self) -> int:
        """The attack is over once no more attackers than this are left, those in reserve among them."""
        return max(self.stop, self.reserve)

    @property
    def game(self) -> str:
        """The name of the game in documents: Star Wars Risk as soon as there are ships."""
        return "starwars" if self.attack_ships or self.defence_ships else "risk"

    @property
    def pools(self) -> tuple[Pool, Pool]:
        """The attacker's and the defender's dice with what the ships do to them."""
        if self.game == "risk":
            return self.attack, self.defence
        return self.attack_ships.arm(self.attack), self.defence_ships.arm(self.defence)

    def chain(self) -> "DiceChain":
        """The chain this battle is: all that cannot change the odds is left out or brought to one form."""
        attack, defence = self.pools
        acting = max(self.attackers - self.reserve, 0)
        floor = min(max(self.stop - self.reserve, 0), acting)
        rounds = self.rounds
        if rounds is not None and rounds >= acting + self.defenders and self.ties != "neither":
            rounds = None
        return DiceChain(
            acting=acting,
            defenders=self.defenders,
            attack=attack.first(max(acting, 1)),
            defence=defence.first(max(self.defenders, 1)),
            ties=self.ties,
            floor=floor,
            reserve=self.attackers - acting,
            rounds=rounds,
        )

    def swapped(self) -> Self:
        """The battle with the parts exchanged: each army keeps its ships and its best dice in its new role.

        How many dice a role rolls stays with the role; stop and reserve were the old attacker's plans and go.
        """
        return type(self)(
            self.defenders,
            self.attackers,
            _in_role(self.defence, len(self.attack.dice)),
            _in_role(self.attack, len(self.defence.dice)),
            self.defence_ships,
            self.attack_ships,
            self.ties,
            rounds=self.rounds,
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The battle of a JSON document; BattleError names the field that is wrong."""
        game = document.get("game")
        if game not in ("risk", "starwars"):
            raise BattleError("game", f"the games are risk and starwars, not {shown(game)}")
        _check_fields(document, {"game", "attackers", "defenders", "attack", "defence", *_PLAIN_FIELDS})
        for name in ("attackers", "defenders"):
            if name not in document:
                raise BattleError(name, "the number of armies is missing")
        fields = {name: document[name] for name in _PLAIN_FIELDS if name in document}
        for side, default in (("attack", ATTACK), ("defence", DEFENCE)):
            try:
                fields |= _side_from(side, game, document.get(side, {}), default)
            except BattleError as error:
                raise error.inside(side) from None
        return cls(document["attackers"], document["defenders"], **fields)

    def to_dict(self) -> dict[str, Any]:
        """The battle as a JSON document, with every field."""
        document: dict[str, Any] = {
            "game": self.game,
            "attackers": self.attackers,
            "defenders": self.defenders,
        }
        if self.game == "risk":
            document |= {"attack": self.attack.to_dict(), "defence": self.defence.to_dict()}
        else:
            document["attack"] = {**self.attack_ships.to_dict(), "dice": list(self.attack.dice)}
            document["defence"] = {**self.defence_ships.to_dict(), "dice": list(self.defence.dice)}
        return document | {name: getattr(self, name) for name in _PLAIN_FIELDS}


@dataclass(frozen=True, slots=True)
class DiceChain:
    """All that decides the odds of a dice battle, one value for every way of saying it: the key of caches.

    `acting` attackers fight until no more than `floor` of them are left; `reserve` more stand by.
    """

    acting: int
    defenders: int
    attack: Pool
    defence: Pool
    ties: Ties
    floor: int
    reserve: int
    rounds: int | None

    def table(self) -> LossTable:
        """The law of a round, for every number of dice that can be rolled here."""
        return loss_table(self.attack, self.defence, self.ties)

    def won(self, dtype: type = float) -> Any:
        """What the attacker's victory pays at the final cells: 1 where no defender is left but an attacker is."""
        won: Any = np.zeros((self.acting + 1, self.defenders + 1), dtype)
        won[:, 0] = 1
        won[0, 0] = int(self.reserve > 0)
        return won

    @property
    def cells(self) -> int:
        """How many numbers the grid of this chain holds."""
        return (self.acting + 1) * (self.defenders + 1)

    @property
    def table_work(self) -> int:
        """About how long it takes to find the laws of its rounds, in the unit of `work`."""
        few, many = sorted((self.attack.rolls, self.defence.rolls))
        return self.attack.work + self.defence.work + few * (1_000 + many * len(self.attack.dice))

    @property
    def work(self) -> int:
        """About how many cells are worked on to solve it; everything else is counted as so many cells."""
        before = self.table_work + self.cells
        if self.acting <= self.floor or self.defenders == 0:
            return before
        if self.rounds is None:
            return before + 500 * (self.acting + self.defenders)
        # Only cells that have been reached are touched: a third of those at the end, on average over the rounds.
        reach = self.rounds * min(len(self.attack.dice), len(self.defence.dice))
        reached = min(self.acting, reach) * min(self.defenders, reach) // 3
        return before + self.rounds * (reached + 20_000)


_PLAIN_FIELDS = ("ties", "stop", "reserve", "rounds")


def _in_role(pool: Pool, dice: int) -> Pool:
    """This army's pool where its new role rolls so many dice: the best it has, then more of the last kind."""
    filled = (pool.dice + pool.dice[-1:] * dice)[:dice]
    return Pool(filled, pool.rerolls, pool.bonus[:dice], pool.clamp)


def _side_from(side: str, game: str, document: Any, default: Pool) -> dict[str, Any]:
    """The keyword arguments of Battle that one side's document means."""
    if not isinstance(document, Mapping):
        raise BattleError("", f"an object is wanted here, not {shown(document)}")
    lists = {name: tuple(_list_from(document, name)) for name in ("dice", "bonus") if name in document}
    if game == "starwars":
        kinds = ("fighters", "bombers", "capitals")
        _check_fields(document, {*kinds, "dice"})
        ships = Ships(**{kind: document[kind] for kind in kinds if kind in document})
        pool = Pool(lists.get("dice", default.dice))
        if set(pool.dice) != {6}:
            raise BattleError("dice", "in Star Wars Risk all dice are six-sided but those that capital ships change")
        return {f"{side}_ships": ships, side: pool}
    _check_fields(document, {"dice", "rerolls", "bonus", "clamp"})
    clamp = document.get("clamp")
    if clamp is not None:
        ends = _list_from(document, "clamp")
        if len(ends) != 2:
            raise BattleError("clamp", "two numbers are wanted, the lowest and the highest value")
        clamp = (ends[0], ends[1])
    dice = lists.get("dice", default.dice)
    return {side: Pool(dice, document.get("rerolls", 0), lists.get("bonus", ()), clamp)}


def _list_from(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document[name]
    if not isinstance(value, list):
        raise BattleError(name, f"a list of numbers is wanted, not {shown(value)}")
    return value


def _check_fields(document: Mapping[str, Any], known: set[str]) -> None:
    for name in document:
        if name not in known:
            raise BattleError(str(name), f"there is no such field; here are {', '.join(sorted(known))}")
