"""A battle as one value: who meets whom under which rules, and its chain."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Self, get_args

from solver.dice import MOST_COMPARISONS, Pool, Ties
from solver.dice_chain import DiceChain
from solver.documents import check_fields, check_nulls, faces_from, fleet_from, pool_from, reshape_from, within
from solver.errors import BattleError, check_count, shown
from solver.icons import Faces
from solver.reshape import Reshape
from solver.ships import Ships

MOST_ARMIES = 1_000_000

ATTACK = Pool((6, 6, 6))
DEFENCE = Pool((6, 6))
NO_SHIPS = Ships()


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle of dice, as it is known before the first roll.

    `attackers` are the armies that may fight: where a rule leaves one behind, it is not counted. After a
    round that leaves `stop` of them or fewer (a round may overshoot) the attacker calls it off; `reserve`
    armies never roll; `rounds` is how many rounds are fought at the most. With a `value` the attacker stops
    wherever that is best for somebody to whom the territory is worth so many armies. Ships go with plain
    six-sided dice, and those that are more than the dice of a side can use are left out. With `faces`, the icon
    dice of both sides, every unit rolls one of these and pools and ties have no say. `late`: the defender
    chooses how many dice to roll after seeing the attacker's. `reshape` bends the odds as a whole. `variant` is
    the name of the rules for people; it changes nothing.
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
    late: bool = False
    reshape: Reshape | None = None
    variant: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no battle."""
        for name in ("attackers", "defenders", "stop", "reserve"):
            check_count(
                name, getattr(self, name), 0, MOST_ARMIES, "the number of armies must be {least} to {most}, not {value}"
            )
        if self.rounds is not None:
            check_count(
                "rounds", self.rounds, 0, MOST_ARMIES, "the number of rounds must be {least} to {most}, not {value}"
            )
        if self.value is not None:
            check_count(
                "value",
                self.value,
                0,
                MOST_ARMIES,
                "the territory's value in armies must be {least} to {most}, not {value}",
            )
        if self.ties not in get_args(Ties):
            raise BattleError(
                "ties",
                "ties must be one of {known}, not {value}",
                known=", ".join(get_args(Ties)),
                value=shown(self.ties),
            )
        if self.attack.rolls * self.defence.rolls > MOST_COMPARISONS:
            raise BattleError("attack.dice", "these dice compare in too many ways; use fewer or smaller dice")
        for side, pool in (("attack", self.attack), ("defence", self.defence)):
            if (self.attack_ships or self.defence_ships) and pool != Pool((6,) * len(pool.dice)):
                raise BattleError(side, "ships work only with plain six-sided dice")
        self._check_together()
        pairs = min(len(self.attack.dice), len(self.defence.dice))
        object.__setattr__(self, "attack_ships", self.attack_ships.useful(len(self.attack.dice), pairs))
        object.__setattr__(self, "defence_ships", self.defence_ships.useful(len(self.defence.dice), pairs))

    def _check_together(self) -> None:
        """Refuse rules that have no meaning beside each other."""
        plain = (self.attack, self.defence, self.ties) == (ATTACK, DEFENCE, "defender")
        if self.faces and not (plain and not self.attack_ships and not self.defence_ships):
            raise BattleError("faces", "icon dice can't be combined with other dice, ships or tie rules")
        if type(self.late) is not bool:
            raise BattleError("late", "this must be true or false, not {value}", value=shown(self.late))
        if self.late and (self.faces or self.ties == "neither" or self.rounds is not None or self.value is not None):
            raise BattleError(
                "late",
                "`late` can't be combined with icon dice, `ties:neither`, `rounds` or `value`",
            )
        if self.value is not None and self.rounds is not None:
            raise BattleError("value", "`value` can't be combined with `rounds`")
        if self.reshape and (self.faces or self.ties in ("both", "neither") or self.stop or self.rounds is not None):
            raise BattleError(
                "reshape",
                "`reshape` needs a battle that one side wins: no icon dice, shared ties, `stop` or `rounds`",
            )
        if self.reshape and (self.late or self.value is not None):
            raise BattleError("reshape", "`reshape` can't be combined with `late` or `value`")

    @property
    def floor(self) -> int:
        """The attack is over once no more attackers than this are left, those in reserve among them."""
        return max(self.stop, self.reserve)

    @property
    def game(self) -> str:
        """The name of the game in documents: Star Wars Risk as soon as there are ships."""
        if self.faces:
            return "icons"
        return "starwars" if self.attack_ships or self.defence_ships else "risk"

    @property
    def pools(self) -> tuple[Pool, Pool]:
        """The attacker's and the defender's dice with what the ships do to them."""
        if self.game != "starwars":
            return self.attack, self.defence
        return self.attack_ships.arm(self.attack), self.defence_ships.arm(self.defence)

    def chain(self) -> "DiceChain":
        """The chain this battle is: all that cannot change the odds is left out or brought to one form."""
        attack, defence = self.pools
        acting = max(self.attackers - self.reserve, 0)
        floor = min(max(self.stop - self.reserve, 0), acting)
        rounds = self.rounds
        lossless = self.faces or self.ties == "neither"
        if rounds is not None and rounds >= acting + self.defenders and not lossless:
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
            faces=self.faces and (self.faces[0].reduced(), self.faces[1].reduced()),
            late=self.late,
            value=self.value,
            reshape=self.reshape,
        )

    def swapped(self) -> Self:
        """The battle with the parts exchanged: each army keeps its ships and its best dice in its new role.

        How many dice a role rolls stays with the role; stop, reserve and value were the old attacker's plans and go,
        and so does the name of the rules, which may be for these roles only.
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
            faces=self.faces and self.faces[::-1],
            late=self.late,
            reshape=self.reshape,
        )

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The battle of a JSON document; BattleError names the field that is wrong."""
        check_nulls(document)
        game = document.get("game")
        if not isinstance(game, str) or game not in GAMES:
            raise BattleError(
                "game", "the game must be one of {known}, not {value}", known=", ".join(GAMES), value=shown(game)
            )
        check_fields(document, {"game", "attackers", "defenders", "attack", "defence", *GAMES[game]})
        for name in ("attackers", "defenders"):
            if name not in document:
                raise BattleError(name, "the number of armies is missing")
        fields = {name: document[name] for name in GAMES[game] if name in document}
        if "reshape" in fields and fields["reshape"] is not None:
            fields["reshape"] = within("reshape", lambda: reshape_from(document["reshape"]))
        if game == "icons":
            fields["faces"] = faces_from(document)
            return cls(document["attackers"], document["defenders"], **fields)
        for side, usual in (("attack", ATTACK), ("defence", DEFENCE)):
            given = document.get(side, {})
            if game == "starwars":
                fields[side], fields[f"{side}_ships"] = within(side, partial(fleet_from, given, usual))
            else:
                fields[side] = within(side, partial(pool_from, given, usual))
        return cls(document["attackers"], document["defenders"], **fields)

    def to_dict(self) -> dict[str, Any]:
        """The battle as a JSON document, with every field."""
        document: dict[str, Any] = {
            "game": self.game,
            "attackers": self.attackers,
            "defenders": self.defenders,
        }
        if self.faces:
            ours, theirs = (list(faces.words) for faces in self.faces)
            document |= {"attack": {"faces": ours}, "defence": {"faces": theirs}}
        elif self.game == "risk":
            document |= {"attack": self.attack.to_dict(), "defence": self.defence.to_dict()}
        else:
            document["attack"] = {**self.attack_ships.to_dict(), "dice": list(self.attack.dice)}
            document["defence"] = {**self.defence_ships.to_dict(), "dice": list(self.defence.dice)}
        plain = {name: getattr(self, name) for name in GAMES[self.game] if name not in ("faces", "reshape")}
        if self.reshape:
            plain["reshape"] = asdict(self.reshape)
        return document | plain


# The games of documents, and the fields of each beside the two armies and their dice.
_PLANS = ("stop", "reserve", "rounds", "value")
GAMES = {
    "risk": ("ties", "late", "reshape", *_PLANS),
    "starwars": ("ties", "late", "reshape", *_PLANS),
    "icons": ("faces", *_PLANS),
}


def _in_role(pool: Pool, dice: int) -> Pool:
    """This army's pool where its new role rolls so many dice: the best it has, then more of the last kind."""
    filled = (pool.dice + pool.dice[-1:] * dice)[:dice]
    return Pool(filled, pool.rerolls, pool.bonus[:dice], pool.clamp)
