"""Changes the armies of a battle as a follow-up says, for every game: so many units of a kind on each side.

Armies without units, as in Risk, are of the kind "".
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.languages import N_
from bot.phrases.after.said import TIMES, Amount
from bot.phrases.meaning import Conditions, NotClearError, find_condition
from bot.phrases.pieces import SIDES

Armies = Mapping[str, Mapping[str, int]]
"""How many units of each kind are on a side, "attacker" or "defender"."""
WHOSE = N_("Whose number is that?")
ADDED_OR_ALL = N_("Is that the total, or do these join the others?")
ONLY_DEFEND = ("aa",)
"""The units that attack nobody."""
ADDING = ("with", "make")
"""The meanings of the words before units of the attacker, unless these only defend."""


def change_armies(armies: Armies, amounts: Sequence[Amount], instead: bool = False) -> Armies:
    """Return the armies after a change; NotClearError if something is open.

    Args:
        armies: The armies before.
        amounts: The armies that the follow-up names.
        instead: Whether what it names takes the place of what is there.
    """
    said = [replace(amount, unit=_unit_of(amount, armies)) for amount in _without_old(amounts, armies)]
    said = [replace(amount, side=_side_of(amount, said, armies)) for amount in said]
    if len({(amount.side, amount.unit) for amount in said}) < len(said):
        raise NotClearError("a number is left")
    after = {side: dict(army) for side, army in armies.items()}
    for amount in said:
        if amount.led == "against" and amount.mode == "set" and amount.unit:
            after[amount.side] = {}  # all units of that side are named
    for amount in said:
        now = armies[amount.side].get(amount.unit, 0)
        if now and amount.unit and (amount.mode, amount.led) == ("set", "with") and not instead:
            raise NotClearError(ADDED_OR_ALL)
        after[amount.side][amount.unit] = count_after(amount, now)
    return after


def count_after(amount: Amount, now: int) -> int:
    """Return how many there are after a change."""
    count = now if amount.count is None and amount.mode in ("without", "old") else amount.count
    if amount.mode in TIMES and not (amount.mode == "half" and now % 2):
        return 2 * now if amount.mode == "twice" else now // 2
    if count is None:
        raise NotClearError("how many")
    after = {"more": now + count, "set": count, **dict.fromkeys(TIMES, -1)}.get(amount.mode, now - count)
    if after < (not amount.unit and amount.mode == "fewer"):
        raise NotClearError("a number is left")
    return after


def _without_old(amounts: Sequence[Amount], armies: Armies) -> Sequence[Amount]:
    """Return amounts in which what another takes the place of is gone: "15 instead of 12", "a tank for a fighter"."""
    old, new = ([one for one in amounts if (one.mode == "old") is gone] for gone in (True, False))
    if not old:
        return amounts
    if not len(old) == len(new) == 1:
        raise NotClearError("a number is left")
    gone, come = old[0], new[0]
    kind = gone.unit or come.unit
    there = [
        side
        for side, army in armies.items()
        if kind in army and {come.side, gone.side} <= {"", side} and (gone.unit or gone.count == army[kind])
    ]
    if len(there) != 1:
        raise NotClearError("which side")
    come = replace(come, side=there[0], led="have")
    return [come] if kind == come.unit else [replace(gone, side=there[0], led="have"), replace(come, mode="more")]


def _unit_of(amount: Amount, armies: Armies) -> str:
    """Return the kind of an amount; armies of one kind need none."""
    kinds = armies[amount.side or "attacker"]
    if amount.unit or "" in kinds:
        return amount.unit
    if len(kinds) != 1:
        raise NotClearError("which units")
    return next(iter(kinds))


class Named(NamedTuple):
    """An amount, all that a follow-up says, and the armies before."""

    amount: Amount
    said: Sequence[Amount]
    armies: Armies

    @property
    def is_alone(self) -> bool:
        """Whether the follow-up names nothing else."""
        return len(self.said) == 1

    @property
    def is_nearer_attacker(self) -> bool:
        """Whether a number without a unit is nearer to the attacker's than to the defender's."""
        ours, theirs = (abs(self.armies[side].get("", 0) - (self.amount.count or 0)) for side in SIDES)
        return not self.amount.unit and ours < theirs


_OF_ATTACKER: Conditions[Named] = {
    "with 3": lambda it: it.amount.side != "",
    "make it 14": lambda it: it.amount.led == "make",
    "sorry, 13": lambda it: it.amount.led == "corrects" and it.is_nearer_attacker,
    "3 more": lambda it: it.amount.mode in ("more", "fewer") and it.amount.led != "has" and it.is_alone,
    "and 2 more inf": lambda it: it.amount.unit != "" and it.amount.mode == "more",
}
"""When an amount belongs to the attacker though no word says so, by an example of each."""


def _side_of(amount: Amount, said: Sequence[Amount], armies: Armies) -> str:
    """Return the side of an amount; NotClearError unless a word or the armies say it."""
    if amount.side and amount.led not in ADDING:
        return amount.side
    others = [other.side for other in said if other is not amount and other.unit == amount.unit]
    if others in ([SIDES[0]], [SIDES[1]]):
        return SIDES[others[0] == SIDES[0]]  # "15 against 10"
    if amount.unit and (amount.mode in ("without", "fewer", "old") or amount.led == "corrects"):
        having = [side for side, army in armies.items() if amount.unit in army]
        if len(having) != 1:
            raise NotClearError("which side")
        return having[0]
    if find_condition(_OF_ATTACKER, Named(amount, said, armies)):
        return SIDES[amount.unit in ONLY_DEFEND]
    raise NotClearError(WHOSE)
