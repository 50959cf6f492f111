"""Live turns on a map by the rules alone: the next throw, which may come from any front, and the moves after captures.

A choice is a JSON object, with the names of territories as the conquest has them:

    {"attack": {"from": "siam", "to": "china"}}   the next throw, and those after it until something else is chosen
    {"move": 9}                                   9 move into the territory just captured
    {"stop": true}                                the player stops

Battles of older logs are in fight.py.
"""

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, Literal

from solver.conquest.board import Board
from solver.conquest.conquest import Conquest
from solver.conquest.fight import Clash, board_of, check_moving
from solver.conquest.phase import TAKEN, MapThrow, State, first_state, throws
from solver.dice.fight import DiceFight, Round
from solver.errors import BattleError, quoted
from solver.game import DiceToRoll, Ending, Fight, Source

Decision = Literal["attack", "move"]
"""A choice that is due: the next throw, or the number that moves in."""


@dataclass(frozen=True, slots=True)
class LiveTurn(Fight):
    """A live turn on a map.

    Attributes:
        conquest: The conquest.
        state: The free armies and the garrisons. A target whose garrison is 0 while it is attacked is just captured.
        attack: The throw that is next, unless a choice is due; then the last one. None before the first choice.
        taken: The targets that are taken, in order.
        stopped: Whether the player has stopped, as nothing can be gained any more.
        retreated: Whether the attacker has ended the turn.
        rounds: The number of throws.
        chosen: Whether the attack was chosen since the last throw. If not, best play may choose another one.
    """

    conquest: Conquest
    state: State
    attack: MapThrow | None = None
    taken: tuple[int, ...] = ()
    stopped: bool = False
    retreated: bool = False
    rounds: int = 0
    chosen: bool = False

    @classmethod
    def begin(cls, conquest: Conquest) -> "LiveTurn":
        """Return a turn before its first choice.

        Args:
            conquest: The conquest.
        """
        return cls(conquest, first_state(board_of(conquest)))

    @property
    def board(self) -> Board:
        """The map as bits: it has the names of the places."""
        return board_of(self.conquest)

    @property
    def ended(self) -> Ending | None:
        """See `Fight`: "won" means that all targets are taken, "stopped" that some of them are."""
        if self.retreated:
            return "retreat"
        if len(self.taken) == self.board.targets:
            return "won"
        if self._has_captured or not (self.stopped or self._is_hopeless):
            return None
        return "stopped" if self.taken and self.conquest.aim != "all" else "lost"

    @property
    def decision(self) -> Decision | None:
        """The choice that is due before the next throw; None if none is."""
        if self.ended:
            return None
        if self._has_captured:
            return "move"
        return None if self.attack in self.throws else "attack"

    @property
    def throws(self) -> tuple[MapThrow, ...]:
        """The throws that are possible; none while armies have to move in, or after the end."""
        return () if self._has_captured or self.ended else tuple(throws(self.board, self.state))

    @property
    def moves(self) -> range:
        """The numbers of armies that may move into the territory just captured; empty if none was."""
        if self.attack is None or not self._has_captured:
            return range(0)
        left = self.state.free[self.attack.place]
        return range(min(left, self.conquest.most_dice), left + 1)

    @property
    def numbers(self) -> range | None:
        """The numbers of armies that may move in; None if that is not to be decided, or makes no difference."""
        if self.decision != "move" or self.attack is None or len(self.moves) < 2:
            return None
        near = self.board.adjacent[self.attack.target] | self.board.adjacent[self.attack.place]
        return self.moves if near & self._left else None

    @property
    def clash(self) -> Clash | None:
        """The battle of the next throw, or of the last one; None before the first, and once armies have moved in."""
        if self.attack is None or self.state.garrisons[self.attack.target] == TAKEN:
            return None
        place, target = self.attack
        sizes = self.state.free[place], self.state.garrisons[target]
        battle = replace(self.conquest.rules, attackers=sizes[0], defenders=sizes[1])
        return Clash(place, target, DiceFight(battle, *sizes, rounds=self.rounds))

    @property
    def armies(self) -> list[tuple[int, int]]:
        """The places with free armies, each with their number."""
        return [(place, free) for place, free in enumerate(self.state.free) if free]

    @property
    def _left(self) -> int:
        """The set of targets that are not taken."""
        return sum(1 << target for target in range(self.board.targets) if target not in self.taken)

    @property
    def _has_captured(self) -> bool:
        """Whether armies have to move into a territory."""
        return bool(self.taken) and self.state.garrisons[self.taken[-1]] != TAKEN

    @property
    def _is_hopeless(self) -> bool:
        """Whether no throw is possible, or, if all targets are to be taken, one of them is out of reach."""
        left = self._left
        reached = reduce(or_, (self.board.reach(place, left) for place, _free in self.armies), 0)
        return reached != left if self.conquest.aim == "all" else not reached

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`: while something has to be chosen there are none."""
        clash = self.clash
        return ([], []) if clash is None or self.ended or self.decision else clash.fight.next_dice()

    def throw(self, source: Source) -> tuple[Round, "LiveTurn"]:
        """See `Fight`; nothing may be left to choose."""
        clash = self.clash
        assert clash, "the throw is chosen before the dice are rolled"
        fought, after = clash.fight.throw(source)
        free, garrisons = list(self.state.free), list(self.state.garrisons)
        free[clash.place], garrisons[clash.target] = after.attackers, after.defenders
        here = replace(self, state=State(tuple(free), tuple(garrisons)), rounds=after.rounds, chosen=False)
        return fought, replace(here, taken=(*self.taken, clash.target)) if after.ended == "won" else here

    def retreat(self) -> "LiveTurn":
        """See `Fight`."""
        return self if self.ended else replace(self, retreated=True)

    def choose(self, choice: Any) -> "LiveTurn":
        """Return the turn after a choice. A throw may be chosen until its dice are rolled.

        Args:
            choice: Any JSON value.

        Raises:
            BattleError: The rules do not allow it here.
        """
        if self.ended:
            raise BattleError("choice", "there is nothing to choose here")
        if self._has_captured:
            return self._move_in(choice)
        if isinstance(choice, dict) and choice.keys() == {"stop"} and choice["stop"] is True:
            return replace(self, stopped=True)
        return self._attack(choice)

    def _attack(self, choice: Any) -> "LiveTurn":
        sides = choice["attack"] if isinstance(choice, dict) and choice.keys() == {"attack"} else None
        if not isinstance(sides, dict) or [*map(type, map(sides.get, ("from", "to")))] != [str, str] or len(sides) > 2:
            raise BattleError("choice", "here the attacker chooses the next throw")
        place, target = (self._place(sides[name]) for name in ("from", "to"))
        attack = MapThrow(place, target)
        if attack not in self.throws:
            places = {"target": quoted(sides["to"]), "place": quoted(sides["from"])}
            raise BattleError("choice", "{target} can't be attacked from {place}", **places)
        entered = (target,) if not self.state.garrisons[target] else ()
        return replace(self, attack=attack, taken=(*self.taken, *entered), chosen=True)

    def _place(self, name: str) -> int:
        """Return the number of a place."""
        names = self.board.names
        if name not in names:
            raise BattleError("choice", "{name} isn't one of the territories", name=quoted(name))
        return names.index(name)

    def _move_in(self, choice: Any) -> "LiveTurn":
        assert self.attack, "a territory has just been captured"
        moving = check_moving(
            choice["move"] if isinstance(choice, dict) and choice.keys() == {"move"} else None, self.moves
        )
        leave = self.conquest.targets[self.attack.target].leave
        return replace(self, state=self.state.after_capture(*self.attack, moving, leave))
