"""Composes lines of battles with dice, and of paths."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple

from bot.notation.dice_options import OPTIONS
from bot.phrases.armies import Army, check_end, gather
from bot.phrases.asking import ask_who_attacks, show_counter
from bot.phrases.beside.companions import is_first_in_place
from bot.phrases.meaning import Conditions, Meaning, NotClearError, find_condition
from bot.phrases.options import (
    ends_asked,
    has_options_of_defender,
    options_of,
    options_of_horde,
    self_defends,
    stop_at_rest,
    without_implied,
)
from bot.phrases.pieces import (
    ARROWS,
    ATTACKS,
    HOLD_LAST,
    MOST_SHIPS,
    SHIPS,
    SUBJECTS,
    Mark,
    Piece,
    Stack,
    roles_behind,
    roles_of,
)
from bot.phrases.sides import OF_ORDER, judge
from bot.phrases.tag import Tag, tags_of, values_of
from bot.phrases.verbs import ENDS, straighten

MOST_TERRITORIES = 12
"""The most territories with as many armies each."""
OF_UNITS = {"unit", "against", "pause", "then", "counter", "hold"}
"""The roles of the words around numbers of "units" where nothing else says which game it is."""
LISTED = {"pause", "and"}
"""The roles of marks between the numbers of a list."""
ATTACKING, FACING = {*ATTACKS, "self", "with", "have", "from"}, {*ATTACKS, "self", "other", "against", "pause"}
"""The roles of marks before the numbers of fronts, and before the number that they attack."""
BEFORE_FRONTS = {"with", "from", "self", "pause"}
"""The roles of marks between the number that is attacked and those of the fronts."""
HOLDING = [{role} for role in ("hold", *HOLD_LAST)]
"""The meanings of the marks behind fronts, besides of whom, if somebody wants to hold what they attack."""
SUMS = {"+", "plus", "más", "плюс"}
"""Words that may add numbers up as well as list them."""


class Phrase(NamedTuple):
    """A phrase about dice.

    Attributes:
        armies: All armies.
        main: The armies that are more than ships.
        after: The marks behind the last army.
        tags: The tags.
        roles: The meanings of all marks.
        opening: The meanings of the marks before the first army.
        gaps: The meanings of the marks before each other army.
        counts: The numbers of territories that it names.
    """

    armies: Sequence[Army]
    main: Sequence[Army]
    after: Sequence[Mark]
    tags: Sequence[Tag]
    roles: Sequence[str]
    opening: set[str]
    gaps: Sequence[set[str]]
    counts: Sequence[int]


def compose_dice(pieces: Sequence[Piece], tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle with dice, or of a path; NotClearError if there is none."""
    _check_words(tags)
    armies, after = gather(pieces)
    _name_ships(armies)
    main, after = _split_off_ships(armies, after)
    roles = [*chain(*(army.roles for army in main)), *roles_of(after)]
    if len(main) < 2:
        raise NotClearError("one number", *(f"/need {army.numbers[0]}" for army in main))
    if roles.count("unit") >= len(main) and {*roles} <= OF_UNITS:
        raise NotClearError("which units", " ".join(str(army.numbers[0]) for army in main))
    opening, *gaps = ({*army.roles} for army in main)
    phrase = Phrase(armies, main, after, tags, roles, opening, gaps, counts_of_territories(tags))
    if find_condition(_FRONTS, phrase) and not any(tag.text in SUMS for tag in tags):
        return _compose_fronts(phrase)
    path = not {"through", "row"}.isdisjoint(roles) or (len(main) > 2 and find_condition(_ROWS, phrase) != "")
    return _compose_path(phrase, path) if path or len(main) > 2 else _compose_battle(phrase)


def _name_ships(armies: Sequence[Army]) -> None:
    """Give a number its ship: in "2 fighters for me and 1 for him" it has none of its own."""
    for before, army in pairwise(armies):
        if before.closed and army.closed and before.is_of_ships and army.numbers:
            army.stacks = [replace(stack, unit=before.stacks[-1].unit) for stack in army.stacks]


def _check_words(tags: Sequence[Tag]) -> None:
    """Raise NotClearError for options of units, and for a number that is one of points, as in a raid."""
    if any("~" in value for value in values_of(tags, "options")):
        raise NotClearError("which units")  # "12 against 9, my subs submerge"
    if any(number.table == "number" and points.is_role("points") for number, points in pairwise(tags)):
        raise NotClearError("points beside a battle")


def _compose_battle(phrase: Phrase) -> Meaning:
    """Compose the line of a battle of two armies."""
    _armies, main, after, tags = phrase[:4]
    check_end([mark for mark in main[1].before if mark.role == "then"] + [*after])
    if "reinforces" in roles_of(after):
        raise NotClearError("what comes next")
    sides = judge(main[0], main[1], after)
    attack, defence = main if sides.first_attacks else main[::-1]
    if any(count > 1 for count in phrase.counts):
        return _compose_equal(phrase, attack, defence)
    line = _line_between(phrase, attack, defence)
    ordered = all(reason.rule in OF_ORDER for reason in sides.reasons)
    if ordered and is_first_in_place(tags):
        raise NotClearError("who attacks", _line_between(phrase, defence, attack), line)
    if sides.doubtful:
        raise NotClearError("who attacks", line, _line_between(phrase, defence, attack))
    return Meaning(line, sides.reasons)


def _line_between(phrase: Phrase, attack: Army, defence: Army) -> str:
    """Return the line of the battle in which one of the two armies attacks the other."""
    armies, main, after, tags = phrase[:4]
    mine = not self_defends(attack, defence, [mark for army in main for mark in army.before] + [*after])
    ships = list_ships(armies, main, attack, defence, mine)
    options = [*options_of(tags, not mine), *options_of_horde(attack, defence, main[1].before)]
    options = [option for option in without_implied(options, ships) if option != "leave:0"]  # as usual in one battle
    options = [stop_at_rest(option, attack.numbers[0]) for option in options]
    options += ends_asked(tags, not mine)
    line = " ".join([f"{attack.numbers[0]} {defence.numbers[0]}", *ships, *options])
    _check_battle(phrase, line, not mine)
    return line


def _check_battle(phrase: Phrase, line: str, self_defends: bool) -> None:
    """Raise NotClearError if a phrase says something of a side that its line does not."""
    if "zombies" in phrase.roles:
        raise NotClearError("which variant")
    if "wave" in phrase.roles:
        raise NotClearError("which army")  # "3 waves, the first 16 units against 10": only some games have these
    attackers = int(line.split()[0])
    if any(attackers <= int(stop) for stop in re.findall(r" stop:(\d+)", line)):
        raise NotClearError("a number is left")  # "12 vs 9, but I stop at 15"
    if has_options_of_defender(phrase.tags, self_defends):
        raise NotClearError("which side")
    if any(stack.unit and stack.count > MOST_SHIPS for army in phrase.armies for stack in army.stacks):
        raise NotClearError("so many ships")
    if "leave:" in line:
        raise NotClearError("leave", line.replace("leave:", "behind:"), line.replace("leave:", "stop:"))


def _split_off_ships(armies: Sequence[Army], after: Sequence[Mark]) -> tuple[list[Army], list[Mark]]:
    """Return the armies that are more than ships, each with all marks before it, and the marks behind the last."""
    main: list[Army] = []
    marks: list[Mark] = []
    for army in armies:
        if army.numbers:
            main.append(replace(army, before=[*marks, *army.before]))
            marks = []
        elif "attack" in army.roles and "with" not in army.roles:
            raise NotClearError("so many ships")  # "he kills 2 bombers"
        else:
            marks += [mark for mark in army.before if mark.role not in ("with", "have", "send", "self", "other")]
    return main, [*marks, *after]


def _has_arrows(phrase: Phrase) -> bool:
    """Tell whether an arrow stands before each number; before the second a colon does as well."""
    texts = [{mark.text for mark in army.before} for army in phrase.main[1:]]
    return not texts[0].isdisjoint((*ARROWS, ":")) and not any(some.isdisjoint(ARROWS) for some in texts[1:])


def _names_each_place(phrase: Phrase) -> bool:
    """Tell whether a place is named beside each number."""
    gaps = [*phrase.gaps, {*roles_of(phrase.after)}]
    places = [not gap.isdisjoint(("name", "territory")) for gap in gaps]
    return all(places[:-1]) or all(places[1:])


def _are_listed(gaps: Sequence[set[str]]) -> bool:
    """Tell whether nothing but commas and "and" stands between numbers."""
    return all(gap and gap <= LISTED for gap in gaps)


_ROWS: Conditions[Phrase] = {
    "a territory": lambda it: "territory" in it.roles or it.counts == [len(it.main) - 1],
    "arrows": _has_arrows,
    "from Ural with 16: Siberia 3, Yakutsk 2": lambda it: (
        bool(it.opening & {"with", "attack"}) and _names_each_place(it)
    ),
    "start with 40, kill 10, kill 8": lambda it: all("attack" in gap for gap in it.gaps),
    "10 into 2 into 2 into 1": lambda it: (
        len(it.gaps) > 2 and all("onto" in gap and "with" not in gap for gap in it.gaps)
    ),
    "take out 5, then 3 with 13": lambda it: (
        "with" in it.gaps[-1] and ("then" in it.gaps[0] or ("attack" in it.opening and _are_listed(it.gaps[:-1])))
    ),
    "20 attack 9, 6 and 5": lambda it: (
        "attack" in it.gaps[0] and _are_listed(it.gaps[1:]) and (len(it.gaps) > 2 or "and" in it.gaps[-1])
    ),
    "then": lambda it: any("then" in gap for gap in it.gaps[1:]),
}
"""Reasons to read three or more numbers as a row of territories, most of them named by an example."""


_FRONTS: Conditions[Phrase] = {
    "12, 8 and 5 against 9": lambda it: (
        _are_fronts(it.gaps[:-1])
        and it.opening <= ATTACKING
        and bool(it.gaps[-1] & {*ATTACKS, "against"})
        and it.gaps[-1] <= FACING
    ),
    "attack his 9 with 12 and 8": lambda it: (
        _are_fronts(it.gaps[1:])
        and bool(it.opening & {*ATTACKS})
        and it.opening <= FACING
        and "with" in it.gaps[0]
        and it.gaps[0] <= BEFORE_FRONTS
    ),
    "attack his 9 from two sides: 12, 8": lambda it: (
        _counts_fronts(it)
        and _are_listed(it.gaps[1:])
        and bool(it.opening & {*ATTACKS})
        and it.opening <= FACING
        and it.gaps[0] <= {*BEFORE_FRONTS, "colon", "onto"}
    ),
}
"""Reasons to read three or more numbers as fronts next to one territory, named by an example."""


def _are_fronts(gaps: Sequence[set[str]]) -> bool:
    """Tell whether numbers are a list that ends with "and"."""
    return bool(gaps) and _are_listed(gaps) and "and" in gaps[-1]


def _counts_fronts(it: Phrase) -> bool:
    """Tell whether the phrase says from how many sides the attack comes, as many as there are numbers left for."""
    return any(tag.value == "fronts" and tag.numbers == (len(it.main) - 1,) for tag in it.tags)


def _compose_fronts(phrase: Phrase) -> Meaning:
    """Compose an attack from several sides: "12 and 8 against 9"."""
    numbers = [army.numbers[0] for army in phrase.main]
    target = numbers.pop(-1 if _are_fronts(phrase.gaps[:-1]) else 0)
    check_end(phrase.after)
    line, behind = f"{', '.join(map(str, numbers))} > {target}", {*roles_of(phrase.after)}
    if "other" in behind and behind - {"other", "pause", "end"} in HOLDING:
        behind = set()  # "..., can he hold it" asks about this attack
    if not phrase.counts and behind - {"self", "pause", "end"} in HOLDING:  # "..., can I hold it"
        raise NotClearError(ask_who_attacks(f"/conquer {line} hold:3"), line)
    if phrase.counts or len(phrase.armies) > len(phrase.main) or behind:
        raise NotClearError("third number")
    return Meaning(" ".join([line, *options_of(phrase.tags)]))


def list_ships(
    armies: Sequence[Army], main: Sequence[Army], attack: Army, defence: Army, mine: bool = True
) -> list[str]:
    """Return the options of all ships; those without a word about their side belong to the army before them.

    `mine` tells whether "I" is the attacker.
    """
    ours, theirs = (attack, defence) if mine else (defence, attack)
    owners = {"attacker": attack, "defender": defence, "self": ours, "other": theirs}
    ships: dict[str, list[Stack]] = {"": [], "d": []}
    nearest = main[0]
    marked = any(army.before for army in armies[1:]) or not {*armies[0].roles} <= {*ENDS}
    for army in armies:
        if army.numbers:
            own = next(other for other in main if other.stacks is army.stacks)
            nearest = own if marked else nearest
            holders = [nearest]
        else:
            holders = [attack, defence] if army.label == "each" else [owners.get(army.label, nearest)]
        for holder in holders:
            ships["" if holder is attack else "d"] += army.stacks
    return [ship for prefix, stacks in ships.items() for ship in write_ships(stacks, prefix)]


def write_ships(ships: Iterable[Stack], prefix: str = "") -> list[str]:
    """Return ships as options, with a prefix for the side."""
    return [f"{prefix}{SHIPS[ship.unit]}:{ship.count}" for ship in ships if ship.unit in SHIPS]


def _compose_equal(phrase: Phrase, attack: Army, defence: Army) -> Meaning:
    """Compose a path through territories with as many armies each: "20 through 3 territories with 2 each"."""
    counts = [count for count in phrase.counts if count > 1]
    behind = phrase.after if attack is phrase.main[0] else phrase.main[1].before
    each = defence.label == "each" or "each" in roles_of(behind)
    if len(counts) > 1 or counts[0] > MOST_TERRITORIES or not each:
        raise NotClearError("third number")
    return Meaning(_write_path([attack.numbers[0], *counts[0] * [defence.numbers[0]]], (), phrase.tags))


def _write_path(row: Sequence[int], ships: Sequence[str], tags: Sequence[Tag]) -> str:
    """Write a path; its rules hold at each territory, and those who stay behind do so in each."""
    options = [stop_at_rest(option, row[0]) for option in options_of(tags)] + ends_asked(tags)
    rows = {option: OPTIONS.get(option.partition(":")[0]) for option in options}  # that of "hits:3" is for /dice alone
    rules = [option for option, row in rows.items() if row and not row.whole]
    plans = [option for option in options if option not in rules]
    line = " ".join([str(row[0]), *ships, *rules, ">", " > ".join(map(str, row[1:]))])
    return " ".join([line, *(plan.replace("behind:", "leave:") for plan in plans)])


def _compose_path(phrase: Phrase, sure: bool) -> Meaning:
    """Compose a path, or ask back if it is not `sure` that the numbers are one."""
    armies, main, _after, tags = phrase[:4]
    _check_counter(phrase)
    if find_condition(_OTHER_ARMIES, phrase) or not _is_even(phrase, sure):
        raise NotClearError("third number")
    if main[0].roles[-1:] == ["through"] and not any(_goes_through(army, "", leads=False) > 0 for army in main[1:]):
        raise NotClearError("through with how many")
    attacks = next((role for role, verb in pairwise(phrase.roles) if role in SUBJECTS and verb == "attack"), "")
    first = max(range(len(main)), key=lambda index: (_goes_through(main[index], attacks, index == 0), -index))
    row = [army.numbers[0] for army in (main[first], *main[:first], *main[first + 1 :])]
    ships = list_ships(armies, main, main[first], main[first - 1])
    if len(main) > 2 and any(ship.startswith("d") for ship in ships):
        raise NotClearError("so many ships")
    if len(main) == 2:  # "17 punch through 12"
        return Meaning(" ".join([*map(str, row), *ships, *options_of(tags)]))
    line = _write_path(row, ships, tags)
    if not sure:
        raise NotClearError("third number", line)
    return Meaning(line)


def _check_counter(phrase: Phrase) -> None:
    """Raise NotClearError if the third army strikes back: only territories with names have counterattacks."""
    behind, gap = {*roles_of(phrase.after)}, phrase.gaps[-1]
    held = "hold" in behind and "against" in phrase.gaps[0] and "pause" in gap and "self" not in gap
    held = held or (
        "hold" in gap and gap.isdisjoint(("other", "defender"))
    )  # "attack 6 with 15 and then hold against 9"
    if len(phrase.main) == 3 and (held or not (behind | gap).isdisjoint(("counter", *HOLD_LAST))):
        ours, theirs, counter = (army.numbers[0] for army in phrase.main)
        if "with" in phrase.gaps[0] and "attack" in phrase.opening:  # "I hit his 6 with 15"
            ours, theirs = theirs, ours
        typed = f"/conquer {ours} siam > {theirs} india counter:{counter} china"
        raise NotClearError(show_counter(typed), f"{ours} {theirs}")


def _is_even(phrase: Phrase, sure: bool) -> bool:
    """Tell whether there are words between all numbers or between none, or a list: "through 6 4 and 3"."""
    gaps = phrase.gaps[1 if sure else 0 :]
    if "row" in phrase.roles and gaps and gaps[-1] & {"self", "with"}:
        gaps = gaps[:-1]  # "a chain of 3 2 2 1, I start with 13"
    typed = sure and all(tag.text.isdecimal() for tag in tags_of(phrase.tags, "number"))
    return not any(gaps) or all(gaps) or (typed and all(gap <= LISTED for gap in gaps))


_OTHER_ARMIES: Conditions[Phrase] = {
    "with 3 left": lambda it: (
        "row" not in it.roles
        and any(tag.text == "left" and before.table == "number" for before, tag in pairwise(it.tags))
    ),
    "so many territories": lambda it: any(count != len(it.gaps) for count in it.counts),
    "times": lambda it: any(tag.text == "x" for tag in it.tags),
    "he has 5": lambda it: any(army.label == "other" for army in it.main[2:]),
    "he attacks with 5": lambda it: any({"other", "attack"} <= gap or "attacked" in gap for gap in it.gaps[1:]),
    "after that 5 attack me": lambda it: "attack" in roles_of(it.after) and "row" not in it.roles,
    # but not "7, then against 6"
    "another enemy": lambda it: any("against" in gap and "then" not in gap for gap in it.gaps[1:]),
    "a counterattack": lambda it: not {"counter", "reinforces"}.isdisjoint(it.roles),
}
"""Reasons not to read a row of numbers as one army's way through territories, some named by an example."""


def counts_of_territories(tags: Sequence[Tag]) -> list[int]:
    """Return the numbers of territories that a phrase names, as in "4 territories: 9, 6, 5, 2"."""
    return [tag.numbers[0] for tag in tags if tag.table == "skips" and tag.value == "count" and tag.numbers]


def _goes_through(army: Army, attacks: str, leads: bool) -> int:
    """Return how sure it is that an army is the one that attacks a row of territories.

    `attacks` is whose it is, `leads` whether it is named first, as in "go through 3 countries with 30: 10, 8, 4".
    """
    roles = roles_of(straighten(army.before))
    if "then" in roles and "with" not in roles:
        return 0
    if "through" in roles:
        return 3 if leads and "with" in roles_behind(roles, "through") else -1
    if army.label == "attacker" or "with" in roles_behind(roles, "attack"):
        return 3
    if army.label == (attacks or "self"):
        return 2
    return int("with" in roles and "row" not in roles)
