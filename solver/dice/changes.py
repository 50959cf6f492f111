"""Rules that stack: what each changes of a battle with dice, and the document of a battle that has several together."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, product
from typing import Any

from solver.dice.pools import MOST_DICE, MOST_SIDES
from solver.dice.ships import SHIPS
from solver.documents import read_list, read_object, read_part
from solver.errors import BattleError, check_count

Rules = Mapping[str, Any]
"""The changes of a rule: fields of a battle's document, and for each side also those of `CHANGES_OF_DICE`."""

NUMBER, MORE, SIDES, EIGHTS, SPARE = "number", "more", "sides", "eights", "spare"
CHANGES_OF_DICE = {
    NUMBER: (1, MOST_DICE),
    MORE: (-MOST_DICE, MOST_DICE),
    SIDES: (2, MOST_SIDES),
    EIGHTS: (0, MOST_DICE),
    SPARE: (0, MOST_DICE),
}
"""Changes of a side's dice: how many there are, how many more than usual, the sides of all, how many have eight, and
how many are rolled besides and not compared.

Each has its least and its greatest value.
"""
USUAL_DICE = {"attack": [6, 6, 6], "defence": [6, 6]}
DIE, EIGHT = 6, 8


def _add_each(bonuses: list[list[int]]) -> list[int]:
    """Add lists of numbers rank by rank."""
    longest = max(map(len, bonuses))
    return [sum(bonus[rank] for bonus in bonuses if rank < len(bonus)) for rank in range(longest)]


_SUMS: Mapping[str, Callable[[list[Any]], Any]] = {
    **dict.fromkeys((EIGHTS, "rerolls"), lambda counts: min(sum(counts), MOST_DICE)),
    **dict.fromkeys((MORE, SPARE, "leader", *SHIPS), sum),
    "bonus": _add_each,
}
"""The fields of a side that add up; all others can only be alike."""
_WORDS = {**dict.fromkeys(CHANGES_OF_DICE, "dice"), "faces": "icons", "leader": "leaderbonus", "luck": "luckmodifier"}
"""The words of lines for fields that have another one."""


def stack(rules: Mapping[str, Rules]) -> dict[str, Any]:
    """Return the fields of the document of a battle that has some rules together.

    Bonuses, rerolls, ships, additional dice and eight-sided dice add up, but not those of two versions of one rule,
    whose names begin with the same two words. What else two rules say of one thing must be the same.

    Args:
        rules: The changes of each rule, by the name of the rule.

    Raises:
        BattleError: Two rules contradict each other; the error names both.

    Example:
        >>> stack({"wall": {"defence": {"more": 1}}, "leader": {"defence": {"bonus": [1]}}})
        {'defence': {'bonus': [1], 'dice': [6, 6, 6]}}
    """
    fields = {name: one for name, one in _join("", rules).items() if name not in USUAL_DICE}
    for side, usual in USUAL_DICE.items():
        of_side = {
            key: read_part(side, partial(read_object, rule[side])) for key, rule in rules.items() if side in rule
        }
        if of_side:
            joined = _join(side, of_side)
            fields[side] = read_part(side, partial(_with_dice, joined, usual, len(of_side) > 1))
    return fields


def side_with(rules: Mapping[str, Rules], side: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a side under some rules, where a battle says itself which dice it has or how they explode.

    The battle's own fields replace those of the rules; the bonuses, limits and rerolls of the rules suit its dice.

    Args:
        rules: What each rule changes, by the name of the rule; they don't contradict each other.
        side: "attack" or "defence".
        own: The fields of the battle: "dice", or "number" for so many dice as the rules have them, and "explosions".

    Example:
        >>> side_with({"d8": {"defence": {"sides": 8}}}, "defence", {"number": 3})
        {'dice': [8, 8, 8]}
    """
    replaced = {*own, *(MORE, SPARE, "keep")} if NUMBER in own else {*own}
    if "dice" in own:
        replaced |= {*CHANGES_OF_DICE, "keep", "worst"}
    left = {
        key: {side: {name: value for name, value in rule[side].items() if name not in replaced}}
        for key, rule in rules.items()
        if side in rule
    }
    fields: dict[str, Any] = stack({**left, "": {side: own}})[side]
    return fields


def _join(side: str, rules: Mapping[str, Rules]) -> dict[str, Any]:
    """Return what some rules say together of a side, or of a whole battle with the side ""."""
    said: dict[str, dict[str, Any]] = {}
    for key, rule in rules.items():
        for name, value in rule.items():
            said.setdefault(name, {})[key] = value
    for one, other in product(said.get(SIDES, ()), said.get(EIGHTS, ())):
        if one != other and said[SIDES][one] > EIGHT:
            raise _contradiction(one, other, side, SIDES)
    joined = {}
    for name, by_rule in said.items():
        joined[name] = next(iter(by_rule.values()))
        if name in USUAL_DICE and not side:
            continue
        for one, other in combinations(by_rule, 2):
            alike = _rule_of(one) != _rule_of(other) if name in _SUMS else by_rule[one] == by_rule[other]
            if not alike:
                raise _contradiction(one, other, side, name)
        if name in _SUMS and len(by_rule) > 1:
            joined[name] = _SUMS[name](list(by_rule.values()))
    return joined


def _contradiction(one: str, other: str, side: str, name: str) -> BattleError:
    """Return the error of two rules that say something else of the same field."""
    values = {"one": one, "other": other, "what": f"{side[:1]}{_WORDS.get(name, name)}"}
    return BattleError("variant", "`{one}` and `{other}` contradict each other: both set `{what}`", **values)


def _rule_of(name: str) -> list[str]:
    """Return the words with which the names of all versions of a rule begin."""
    return name.split("-")[:2]


def _with_dice(fields: dict[str, Any], usual: list[int], cut: bool) -> dict[str, Any]:
    """Return the fields of a side with its changes of dice made.

    If `cut`, only dice have bonuses, and a bonus that ends at the highest number of usual dice ends at that of these.
    """
    changes = {name: fields.pop(name) for name in CHANGES_OF_DICE if name in fields}
    for name, value in changes.items():
        least, most = CHANGES_OF_DICE[name]
        check_count(name, value, least, most, "the number must be {least} to {most}, not {value}")
    dice = sorted(read_list(fields, "dice") if "dice" in fields else usual, reverse=True)
    if changes:
        die = changes.get(SIDES, DIE)
        dice = [die if SIDES in changes else sides for sides in dice]
        count = max(changes.get(NUMBER, len(dice)) + changes.get(MORE, 0), 1)
        spare = changes.get(SPARE, 0)
        dice = [*dice, *[die] * (count + spare)][: count + spare]
        if spare:
            fields["keep"] = count
        eights = changes.get(EIGHTS, 0)
        fields["dice"] = [*(max(sides, EIGHT) for sides in dice[:eights]), *dice[eights:]]
    if cut and "bonus" in fields:
        fields["bonus"] = fields["bonus"][: len(dice) - changes.get(SPARE, 0)]
    if cut and fields.get("clamp", [])[1:] == [DIE]:
        highest = max(fields.get("dice", dice)) * (fields.get("explosions", 0) + 1)
        fields["clamp"] = [fields["clamp"][0], min(max(highest, DIE), MOST_SIDES)]
    return fields
