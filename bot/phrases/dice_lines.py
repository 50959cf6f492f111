"""Composes lines of battles with dice, and of paths."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from bot.phrases.armies import MOST_SHIPS, SHIPS, SUBJECTS, Army, Mark, Stack, gather
from bot.phrases.meaning import ARROWS, Meaning, NotClearError, check_end
from bot.phrases.options import has_options_of_defender, options_of, self_defends
from bot.phrases.order import straighten
from bot.phrases.sides import judge
from bot.phrases.tag import Tag

MOST_TERRITORIES = 12
"""The most territories with as many armies each."""
ENDS_CLAUSE = ("pause", "end")
"""The roles of marks that end a clause."""
OF_UNITS = {"unit", "against", "pause", "then", "counter", "hold"}
"""The roles of the words around numbers of "units" where nothing else says which game it is."""


def compose_dice(pieces: Sequence[Stack | Mark], tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle with dice, or of a path; NotClearError if there is none."""
    if any(number.table == "number" and points.is_role("points") for number, points in pairwise(tags)):
        raise NotClearError("points beside a battle")
    armies, after = gather(pieces)
    _name_ships(armies)
    main, after = _split_off_ships(armies, after)
    marks = [mark for army in armies for mark in army.before] + after
    if len(main) < 2:
        raise NotClearError("one number", *([f"/need {main[0].numbers[0]}"] if main else []))
    if sum(mark.role == "unit" for mark in marks) >= len(main) and {mark.role for mark in marks} <= OF_UNITS:
        raise NotClearError("which units", " ".join(str(army.numbers[0]) for army in main))
    named = any(mark.role == "territory" for mark in marks) or counts_of_territories(tags) == [len(main) - 1]
    several = named and len(main) > 2
    leaves = len(main) > 2 and any(tag.table == "options" and tag.value.startswith("leave:") for tag in tags)
    path = several or leaves or any(mark.role in ("through", "row") for mark in marks) or _is_row(main, after)
    if len(main) > 2 or path:
        return _compose_path(main, armies, after, tags, path)
    check_end([mark for mark in main[1].before if mark.role == "then"] + after)
    if any(mark.role == "reinforces" for mark in after):
        raise NotClearError("what comes next")
    sides = judge(main[0], main[1], after)
    if counts := [count for count in counts_of_territories(tags) if count > 1]:
        return _compose_equal(main, after, counts, sides.first_attacks, tags)
    attack, defence = main if sides.first_attacks else main[::-1]
    mine = not self_defends(attack, defence, marks)
    ships = list_ships(armies, main, attack, defence, mine)
    options = [*options_of(tags, not mine), *_of_zombies(attack, defence, main[1].before)]
    options = without_implied(options, ships)
    if any(mark.role == "zombies" for mark in [*main[0].before, *main[1].before, *after]):
        raise NotClearError("which variant")
    stops = [tag for tag, after in pairwise(tags) if tag.value.startswith("stop:") and after.is_role("defender")]
    if stops or has_options_of_defender(tags, not mine):
        raise NotClearError("which side")
    line = " ".join([f"{attack.numbers[0]} {defence.numbers[0]}", *ships, *options])
    if any(stack.unit and stack.count > MOST_SHIPS for army in armies for stack in army.stacks):
        raise NotClearError("so many ships")
    if "leave:" in line:
        raise NotClearError("leave", line.replace("leave:", "behind:"), line.replace("leave:", "stop:"))
    if sides.doubtful:
        swapped = " ".join([f"{defence.numbers[0]} {attack.numbers[0]}", *options])
        raise NotClearError("who attacks", line, swapped)
    return Meaning(line, sides.reasons)


def exchange_sides(ships: Sequence[str]) -> list[str]:
    """Return the options of ships as the other side's."""
    return [ship[1:] if ship.startswith("d") else f"d{ship}" for ship in ships]


def without_implied(options: Sequence[str], ships: Sequence[str]) -> list[str]:
    """Return options without the game that ships name already."""
    return [option for option in options if not (ships and option == "variant:starwars")]


def _of_zombies(attack: Army, defence: Army, between: Sequence[Mark]) -> list[str]:
    """Return the variant of a battle with zombies: "9 zombies come for my 6"; nobody knows whose "12 9 zombies" are."""
    if (attack.horde and defence.horde) or ((attack.horde or defence.horde) and not between):
        raise NotClearError("which variant")
    return ["variant:zombies-attack"] * attack.horde + ["variant:zombies-defend"] * defence.horde


def _split_off_ships(armies: Sequence[Army], after: Sequence[Mark]) -> tuple[list[Army], list[Mark]]:
    """Return the armies that are more than ships, each with all marks before it, and the marks behind the last."""
    main: list[Army] = []
    marks: list[Mark] = []
    for army in armies:
        if army.numbers:
            main.append(replace(army, before=[*marks, *army.before]))
            marks = []
        else:
            if any(mark.role == "attack" for mark in army.before) and "with" not in [mark.role for mark in army.before]:
                raise NotClearError("so many ships")  # "he kills 2 bombers"
            marks += [mark for mark in army.before if mark.role not in ("with", "have", "send", "self", "other")]
    return main, [*marks, *after]


def _is_row(main: Sequence[Army], after: Sequence[Mark]) -> bool:
    """Tell whether numbers follow one another with words such as "then"."""
    if len(main) < 3:
        return False
    roles = [{mark.role for mark in army.before} for army in main[1:]]
    arrows = all(any(mark.text in (*ARROWS, ":") for mark in army.before) for army in main[1:2])
    arrows = arrows and all(any(mark.text in ARROWS for mark in army.before) for army in main[2:])
    verbs = all("attack" in one for one in roles)
    listed = "attack" in roles[0] and all(one and one <= {"pause", "and"} for one in roles[1:])
    owned = {mark.role for mark in main[0].before} & {"self", "other", "have", "with"}
    taken = not owned and "with" in roles[-1] and "then" in roles[0]
    told = {mark.role for mark in main[0].before} & {"with", "attack"}
    attacked = "attack" in {mark.role for mark in main[0].before}
    listed_first = (
        attacked and all(one == {"pause"} for one in roles[:-1]) and {"with"} <= roles[-1] <= {"with", "self"}
    )
    defended = bool(told) and "defender" in roles[0] and all(one <= {"pause", "and"} for one in roles[1:])
    gaps = [*roles, {mark.role for mark in after}]
    places = [bool({"name", "territory"} & gap) for gap in gaps]
    placed = bool(told) and (all(places[:-1]) or all(places[1:]))
    into = all("onto" in one and "with" not in one for one in roles) and len(main) > 3
    return (
        arrows
        or verbs
        or listed_first  # "wipe out Green: 2, 2, 3 with 15"
        or defended  # "clear Asia with 16? Defenders are 3, 2, 5"
        or placed  # "from Ural with 16: Siberia 3, Yakutsk 2"
        or taken  # "take out 5, then 3 with 13"
        or into  # "10 into 2 into 2 into 1"
        or (listed and (len(main) > 3 or "and" in roles[-1]))
        or any(mark.role == "then" for army in main[2:] for mark in army.before)
    )


def _name_ships(armies: Sequence[Army]) -> None:
    """Give a number its ship: in "2 fighters for me and 1 for him" it has none of its own."""
    for before, army in pairwise(armies):
        if before.closed and army.closed and before.is_of_ships and army.numbers:
            army.stacks = [replace(stack, unit=before.stacks[-1].unit) for stack in army.stacks]


def list_ships(
    armies: Sequence[Army], main: Sequence[Army], attack: Army, defence: Army, mine: bool = True
) -> list[str]:
    """Return the options of all ships; those without a word about their side belong to the army before them.

    `mine` tells whether "I" is the attacker.
    """
    owners = {"attacker": attack, "defender": defence}
    for army, other in ((attack, defence), (defence, attack)):
        if army.label in ("self", "other"):
            owners[army.label] = army
            owners.setdefault("other" if army.label == "self" else "self", other)
    owners.setdefault("self", attack if mine else defence)
    owners.setdefault("other", defence if mine else attack)
    found: dict[str, list[Stack]] = {"": [], "d": []}
    nearest = main[0]
    marked = any(army.before for army in armies[1:]) or any(mark.role not in ENDS_CLAUSE for mark in armies[0].before)
    last_unit = ""
    for army in armies:
        if army.numbers:
            own = next(one for one in main if one.stacks is army.stacks)
            nearest = own if own is main[0] or marked else nearest
            extra = [stack for stack in army.stacks if stack.unit]
            holders = [nearest]
        else:
            extra = [replace(stack, unit=stack.unit or last_unit) for stack in army.stacks]
            holders = [attack, defence] if army.label == "each" else [owners.get(army.label, nearest)]
        for holder in holders:
            found["" if holder is attack else "d"] += extra
        last_unit = extra[-1].unit if extra else last_unit
    return [
        f"{prefix}{SHIPS[stack.unit]}:{stack.count}"
        for prefix, stacks in found.items()
        for stack in stacks
        if stack.unit in SHIPS and stack.count
    ]


def _compose_equal(
    main: Sequence[Army], after: Sequence[Mark], counts: Sequence[int], first: bool, tags: Sequence[Tag]
) -> Meaning:
    """Compose a path through territories with as many armies each: "20 through 3 territories with 2 each"."""
    attack, defence = main if first else main[::-1]
    behind = after if defence is main[1] else main[1].before
    each = defence.label == "each" or any(mark.role == "each" for mark in behind)
    if len(counts) > 1 or counts[0] > MOST_TERRITORIES or not each:
        raise NotClearError("third number")
    row = [attack.numbers[0], *counts[0] * [defence.numbers[0]]]
    options = (option.replace("behind:", "leave:") for option in options_of(tags))
    return Meaning(" ".join([" > ".join(map(str, row)), *options]))


def _compose_path(
    main: Sequence[Army], armies: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag], sure: bool
) -> Meaning:
    numbers = [army.numbers[0] for army in main]
    marks = [*(mark for army in main for mark in army.before), *after]
    _check_path(main, after, tags, sure)
    if [mark.role for mark in main[0].before][-1:] == ["through"] and not any(
        _goes_through(army, "", leads=False) > 0 for army in main[1:]
    ):
        raise NotClearError("through with how many")
    attacks = next((one.role for one, verb in pairwise(marks) if one.role in SUBJECTS and verb.role == "attack"), "")
    first = max(range(len(main)), key=lambda index: (_goes_through(main[index], attacks, index == 0), -index))
    order = [numbers[first], *(number for index, number in enumerate(numbers) if index != first)]
    attack = main[first]
    ships = list_ships(armies, main, attack, main[1 if first == 0 else 0])
    if len(main) > 2 and any(ship.startswith("d") for ship in ships):
        raise NotClearError("so many ships")
    options = options_of(tags)
    if len(main) == 2:  # "17 punch through 12"
        return Meaning(" ".join([*map(str, order), *ships, *options]))
    line = " > ".join(map(str, order)).replace(" >", "".join(f" {ship}" for ship in ships) + " >", 1)
    line = " ".join([line, *(option.replace("behind:", "leave:") for option in options)])
    if not sure:
        raise NotClearError("third number", line)
    return Meaning(line)


def _check_path(main: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag], sure: bool) -> None:
    """Raise NotClearError if a row of numbers may be more than one army's way through territories."""
    told = counts_of_territories(tags)
    told_apart = [{mark.role for mark in army.before} for army in main[2 if sure else 1 :]]
    parted = [bool(roles) for roles in told_apart]
    listed = sure and all(tag.text.isdecimal() for tag in tags if tag.table == "number")
    listed = listed and all(roles <= {"pause", "and"} for roles in told_apart)  # "through 6 4 and 3"
    back = any({"other", "attack"} <= {mark.role for mark in army.before} or army.label == "other" for army in main[2:])
    back = back or any(mark.role == "attacked" for army in main[2:] for mark in army.before)
    back = back or any(mark.role == "attack" for mark in after)  # "after that 5 attack me"
    versus = [army.before for army in main[2:] if any(mark.role == "against" for mark in army.before)]
    twice = any(not any(mark.role == "then" for mark in before) for before in versus)  # but "7, then against 6"
    kept = any(number.table == "number" and left.text == "left" for number, left in pairwise(tags))  # "with 3 left"
    if kept or any(number != len(main) - 1 for number in told) or any(tag.text == "x" for tag in tags):
        raise NotClearError("third number")
    if (
        twice
        or back
        or (any(parted) and not all(parted) and not listed)
        or any(
            mark.role in ("counter", "reinforces") for mark in [*(one for army in main for one in army.before), *after]
        )
    ):
        raise NotClearError("third number")


def counts_of_territories(tags: Sequence[Tag]) -> list[int]:
    """Return the numbers of territories that a phrase names, as in "4 territories: 9, 6, 5, 2"."""
    return [tag.numbers[0] for tag in tags if tag.table == "skips" and tag.value == "count" and tag.numbers]


def _goes_through(army: Army, attacks: str, leads: bool) -> int:
    """Return how sure it is that an army is the one that attacks a row of territories.

    `attacks` is whose it is, `leads` whether it is named first, as in "go through 3 countries with 30: 10, 8, 4".
    """
    roles = [mark.role for mark in straighten(army.before)]
    if "through" in roles:
        return 3 if leads and "with" in roles[roles.index("through") :] else -1
    if army.label == "attacker" or ("attack" in roles and "with" in roles[roles.index("attack") :]):
        return 3
    if army.label == (attacks or "self"):
        return 2
    return int("with" in roles and "row" not in roles)
