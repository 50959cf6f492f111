"""Live conquests of older logs by the rules alone: the fronts, the battle under way, the choices between the battles.

Each attack is fought to its end. So it is today where the defender chooses how many dice to roll; for all others see
live_turn.py.

A choice is a JSON object, with the names of territories as the conquest has them:

    {"shares": {"siam": ["china"], "peru": ["brazil"]}}   how the targets are shared among the starts
    {"attack": "china"}                                   the next target of the front
    {"stop": true}                                        the front stops, which the aim "all" does not allow
    {"move": 9, "onward": ["india"]}                      9 move into the captured territory, to take India from there

The front that was opened last acts first, then the one where its attack came from, then the others in their order.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Literal, NamedTuple

from solver.conquest.board import Board, members
from solver.conquest.conquest import Conquest
from solver.conquest.plan import ArmedFront
from solver.dice.fight import DiceFight, Round
from solver.errors import BattleError, quoted
from solver.game import DiceToRoll, Ending, Fight, Source

Decision = Literal["shares", "attack", "move"]
"""A choice that is due: the shares of the starts, the next target of a front, or the number that moves in."""


class Assault(NamedTuple):
    """The battle for a target.

    Attributes:
        target: The target.
        fight: The battle: all free armies of the front against the garrison.
    """

    target: int
    fight: DiceFight


class Clash(NamedTuple):
    """The battle under way.

    Attributes:
        place: Where the attack comes from.
        target: The target.
        fight: The battle.
    """

    place: int
    target: int
    fight: DiceFight


@dataclass(frozen=True, slots=True)
class ConquestFight(Fight):
    """A live conquest in which each front fights its attacks to their ends.

    Attributes:
        conquest: The conquest.
        fronts: The fronts that go on; the first one acts.
        assault: The battle of the first front, whose target may just be captured; None if it has to choose one. When
            the turn is over, the last battle.
        taken: The targets that are taken, in order.
        sharing: Whether the starts have yet to share the targets. Until then each front has all that it can reach.
        retreated: Whether the attacker has ended the turn.
    """

    conquest: Conquest
    fronts: tuple[ArmedFront, ...]
    assault: Assault | None = None
    taken: tuple[int, ...] = ()
    sharing: bool = False
    retreated: bool = False

    @classmethod
    def begin(cls, conquest: Conquest) -> "ConquestFight":
        """Return a conquest before its first choice: see `Game`."""
        board = board_of(conquest)
        whole = (1 << board.targets) - 1
        reached = ((start, board.reach(start, whole)) for start in board.starts if board.armies(start))
        fronts = tuple(ArmedFront(start, targets, board.armies(start)) for start, targets in reached if targets)
        together = _all_targets(fronts)
        if conquest.aim == "all" and together != whole:
            fronts = ()
        return cls(conquest, fronts, sharing=sum(front.targets for front in fronts) > together)

    @property
    def board(self) -> Board:
        """The map as bits: it has the names of the places."""
        return board_of(self.conquest)

    @property
    def ended(self) -> Ending | None:
        """See `Fight`: "won" means that all targets are taken, "stopped" that some of them are."""
        if self.retreated:
            return "retreat"
        if self.conquest.aim == "all" and any(not front.armies for front in self.fronts):
            return "lost"
        if self.fronts:
            return None
        if len(self.taken) == self.board.targets:
            return "won"
        return "stopped" if self.taken else "lost"

    @property
    def decision(self) -> Decision | None:
        """The choice that is due before the next throw; None if none is."""
        if self.ended:
            return None
        if self.sharing:
            return "shares"
        if self.assault is None:
            return "attack"
        return "move" if self.assault.fight.ended else None

    @property
    def numbers(self) -> range | None:
        """The numbers of armies that may move into the territory just captured; None if nothing is to be decided."""
        if self.decision != "move" or self.assault is None:
            return None
        left = self.assault.fight.attackers
        minimum = min(left, self.conquest.most_dice)
        return range(minimum, left + 1) if minimum < left else None

    @property
    def clash(self) -> Clash | None:
        """The battle under way, or the last one; None if the first front has to choose."""
        return Clash(self.fronts[0].place, *self.assault) if self.assault and self.fronts else None

    @property
    def armies(self) -> list[tuple[int, int]]:
        """The place of each front, and its armies."""
        return [(front.place, front.armies) for front in self.fronts]

    @property
    def rest(self) -> int:
        """The set that the first front has yet to take, without its present target."""
        return self.fronts[0].targets & ~(1 << self.assault.target if self.assault else 0)

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`: while something has to be chosen there are none."""
        return ([], []) if self.assault is None or self.ended else self.assault.fight.next_dice()

    def throw(self, source: Source) -> tuple[Round, "ConquestFight"]:
        """See `Fight`; nothing may be left to choose."""
        assert self.assault, "the target is chosen before the dice are rolled"
        fought, after = self.assault.fight.throw(source)
        return fought, self._after_battle(self.assault._replace(fight=after))

    def retreat(self) -> "ConquestFight":
        """See `Fight`."""
        return self if self.ended else replace(self, retreated=True)

    def choose(self, choice: Any) -> "ConquestFight":
        """Return the conquest after a choice.

        Args:
            choice: Any JSON value.

        Raises:
            BattleError: The rules do not allow it here.
        """
        if self.decision is None:
            raise BattleError("choice", "there is nothing to choose here")
        return {"shares": self._share, "attack": self._attack, "move": self._move_in}[self.decision](choice)

    def names(self, targets: int) -> list[str]:
        """Return the names of a set.

        Args:
            targets: The set.
        """
        return [self.board.names[target] for target in members(targets)]

    # What a choice does -----------------------------------------------------------------------------------

    def _share(self, choice: Any) -> "ConquestFight":
        shares = _read(choice, {"shares"}, "shares")["shares"]
        names = self.board.names
        if not isinstance(shares, dict) or shares.keys() != {names[front.place] for front in self.fronts}:
            raise _mistake("shares")
        together = _all_targets(self.fronts)
        sets = [self._set_of(shares[names[front.place]], together, "shares") for front in self.fronts]
        if sum(sets) != together or reduce(or_, sets) != together:
            raise _bad_shares()
        for front, targets in zip(self.fronts, sets, strict=True):
            self._check_reach(front.place, targets)
        fronts = (front._replace(targets=targets) for front, targets in zip(self.fronts, sets, strict=True))
        return replace(self, fronts=tuple(fronts), sharing=False)._go_on()

    def _attack(self, choice: Any) -> "ConquestFight":
        front = self.fronts[0]
        if choice == {"stop": True} and choice["stop"] is True and self.conquest.aim != "all":
            return replace(self, fronts=self.fronts[1:])._go_on()
        name = _read(choice, {"attack"}, "attack")["attack"]
        target = self._target(name, "attack")
        if not self.board.adjacent[front.place] & front.targets & 1 << target:
            here = self.board.names[front.place]
            raise BattleError("choice", "{target} can't be attacked from {place}", target=quoted(name), place=here)
        garrison = self.conquest.targets[target].garrison
        battle = replace(self.conquest.rules, attackers=front.armies, defenders=garrison)
        return self._after_battle(Assault(target, DiceFight(battle, front.armies, garrison)))

    def _move_in(self, choice: Any) -> "ConquestFight":
        assert self.assault, "a territory has just been captured"
        target, fight = self.assault
        fields = _read(choice, {"move", "onward"}, "move")
        front, left = self.fronts[0], fight.attackers
        moving = check_moving(fields["move"], range(min(left, self.conquest.most_dice), left + 1))
        onward = self._set_of(fields["onward"], self.rest, "move")
        behind = self.rest & ~onward
        self._check_reach(target, onward)
        self._check_reach(front.place, behind)
        opened = ArmedFront(target, onward, max(moving - self.conquest.targets[target].leave, 0))
        back = ArmedFront(front.place, behind, left - moving)
        return replace(self, fronts=(opened, back, *self.fronts[1:]))._go_on()

    def _target(self, name: Any, decision: Decision) -> int:
        """Return the number of a target."""
        if not isinstance(name, str):
            raise _mistake(decision)
        names = self.board.names[: self.board.targets]
        if name not in names:
            raise BattleError("choice", "{name} isn't one of the targets", name=quoted(name))
        return names.index(name)

    def _set_of(self, names: Any, within: int, decision: Decision) -> int:
        """Return a set of targets, each of which is named once; BattleError unless all are in the set `within`."""
        if not isinstance(names, list):
            raise _mistake(decision)
        targets = [1 << self._target(name, decision) for name in names]
        if len(set(targets)) < len(targets) or sum(targets) & ~within:
            raise _bad_shares()
        return sum(targets)

    def _check_reach(self, place: int, targets: int) -> None:
        """Raise BattleError unless a set can be reached from a place."""
        if self.board.reach(place, targets) != targets:
            raise _bad_shares()

    # What follows by itself -------------------------------------------------------------------------------

    def _after_battle(self, assault: Assault) -> "ConquestFight":
        """Return the conquest with this battle, which may be over, up to the next choice."""
        here = replace(self, assault=assault)
        if not assault.fight.ended:
            return here
        if assault.fight.ended == "won":
            won = replace(here, taken=(*self.taken, assault.target))
            return won if won.rest else replace(won, fronts=self.fronts[1:])._go_on()
        if self.conquest.aim == "all":
            return replace(here, fronts=(self.fronts[0]._replace(armies=0), *self.fronts[1:]))
        return replace(here, fronts=self.fronts[1:])._go_on()

    def _go_on(self) -> "ConquestFight":
        """Return the conquest with the fronts that have something left to do, before the next of them acts."""
        fronts = (front for front in self.fronts if front.targets)
        here = replace(self, fronts=tuple(front for front in fronts if front.armies or self.conquest.aim == "all"))
        return here if here.ended else replace(here, assault=None)


@lru_cache(maxsize=64)
def board_of(conquest: Conquest) -> Board:
    """Return the map of a conquest as bits, which every step of a live conquest needs: see `Board`."""
    return Board(conquest)


def check_moving(moving: Any, numbers: range) -> int:
    """Return how many armies move into a captured territory.

    Args:
        moving: Their number; any JSON value.
        numbers: The numbers that may; the last is that of all armies left.

    Raises:
        BattleError: It is none of these numbers.
    """
    if type(moving) is not int:
        raise _mistake("move")
    if moving not in numbers:
        places = {"left": numbers[-1], "least": numbers[0], "value": quoted(moving)}
        raise BattleError("choice", "of {left} armies {least} to {left} move in, not {value}", **places)
    return moving


def _all_targets(fronts: Iterable[ArmedFront]) -> int:
    return reduce(or_, (front.targets for front in fronts), 0)


def _read(choice: Any, fields: set[str], decision: Decision) -> dict[str, Any]:
    """Return a choice as an object with these fields alone."""
    if not isinstance(choice, dict) or choice.keys() != fields:
        raise _mistake(decision)
    return choice


def _mistake(decision: Decision) -> BattleError:
    """Return the error for a choice of another kind than is due."""
    if decision == "shares":
        return BattleError("choice", "here the starts share the targets")
    if decision == "attack":
        return BattleError("choice", "here the attacker chooses the next target")
    return BattleError("choice", "here the attacker chooses how many armies move in")


def _bad_shares() -> BattleError:
    """Return the error for targets that are left out, named twice or out of reach."""
    return BattleError("choice", "these targets can't be shared like that")
