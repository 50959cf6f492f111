"""Composes lines of Axis & Allies: battles of one wave and of several."""

from collections.abc import Sequence
from dataclasses import replace

from bot.phrases.armies import LANDING, Army, Mark, Stack, gather
from bot.phrases.meaning import Meaning, NotClearError, check_end
from bot.phrases.options import edition_of, has_options_of_defender, self_defends, unit_options
from bot.phrases.sides import BY, SURE, Evidence, judge
from bot.phrases.tag import Tag

TELLING = ("against", "attack", "attacked", "hold", "attacker", "defender", "by")
"""The roles of words that part two armies better than "on" does."""
OF_SEA = {"sub", "tra", "des", "cru", "acc", "bat", "dbat", "dacc"}
OF_LAND = {"inf", "art", "arm", "mec", "aa"}
BOMBARDING = ("bat", "dbat", "cru")
"""The ships that bombard where units land."""
WHERE_SELF_DEFENDS = {"self": "defender", "other": "attacker"}
"""The sides of those of whom options are said where "I" is the defender."""
BETWEEN_ALLIES = {"pause", "open", "and", "self", "other", "have", "end", "for", "with"}
"""The roles of words between two armies of one side."""


def compose_units(pieces: Sequence[Stack | Mark], tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle of Axis & Allies; NotClearError if there is none."""
    armies, after = _armies_of_units(pieces)
    if any(army.numbers for army in armies):
        raise NotClearError("units against a number")
    if len(armies) < 2:
        raise NotClearError("one army")
    if any(army.label == "each" for army in armies) or any(mark.role == "each" for mark in after):
        raise NotClearError("how many")  # "2 tanks each from two territories"
    if len(armies) > 2:
        return _compose_waves(armies, after, tags)
    check_end([mark for mark in armies[1].before if mark.role == "then"] + after)
    if any(mark.role in ("leftover", "wave") for army in armies for mark in [*army.before, *after]):
        raise NotClearError("which army")
    sides = judge(armies[0], armies[1], after)
    if len(sides.reasons) == 1 and {mark.role for mark in armies[1].before} <= {"pause", "and", "open", "end"}:
        raise NotClearError("no word between the sides")
    attack, defence = armies if sides.first_attacks else armies[::-1]
    if len(sides.reasons) == 1 and _has_guns(attack) and not _has_guns(defence):
        attack, defence = defence, attack  # AA guns never attack
    if _never_meet(attack, defence):
        raise NotClearError("which units")
    marks = [piece for piece in pieces if isinstance(piece, Mark)]
    defends = self_defends(attack, defence, marks)
    if has_options_of_defender(tags, defends):
        raise NotClearError("which side")
    if defends:
        tags = [replace(tag, who=WHERE_SELF_DEFENDS.get(tag.who, tag.who)) for tag in tags]
    roles = {mark.role for mark in marks}
    ships = any(stack.unit in BOMBARDING for stack in attack.stacks)
    if "unbombarded" in roles and (ships or "landed" not in roles):
        raise NotClearError("which units")
    _land(pieces, attack)
    line = write_units(tags, attack, defence)
    if any(mark.role == "strafe" for mark in marks) and not any(option in line for option in ("rounds:", "retreat:")):
        raise NotClearError("strafe", line)
    if sides.doubtful:
        raise NotClearError("who attacks", line, write_units(tags, defence, attack))
    other = write_units(tags, defence, attack) if _may_swap(armies, sides.reasons) else ""
    return Meaning(line, sides.reasons, other)


def _never_meet(attack: Army, defence: Army) -> bool:
    """Tell whether one side has only ships and the other only units on land."""
    kinds = [{stack.unit for stack in army.stacks} for army in (attack, defence)]
    return any(one <= OF_SEA and two <= OF_LAND for one, two in (kinds, kinds[::-1]))


def _may_swap(armies: Sequence[Army], reasons: Sequence[Evidence]) -> bool:
    """Tell whether the other army may attack: no word between them says which."""
    versus = any(mark.role == "against" for mark in armies[1].before)
    return not versus and all(abs(one.weight) < SURE for one in reasons)


def _armies_of_units(pieces: Sequence[Stack | Mark]) -> tuple[list[Army], list[Mark]]:
    """Gather armies with more and more words that may part them, until there are two."""
    quiet = not any(isinstance(piece, Mark) and piece.role in TELLING for piece in pieces)
    first = [("onto",)] if quiet else [(), ("onto",)]
    for breaks in (*first, ("with",), ("end",), ("with", "end", "pause")):
        verbs = any(isinstance(piece, Mark) and piece.role in ("attack", "attacked", "send") for piece in pieces)
        if "with" in breaks and not verbs:
            continue
        armies, after = gather(pieces, breaks)
        armies = _join_allies(armies)
        if len(armies) > 1:
            return armies, after
    return armies, after


def _defends_another(armies: Sequence[Army], index: int) -> bool:
    """Tell whether an army is guarded by the one before it: "2 bat defend 1 tra against 3 sub"."""
    before = {mark.role for mark in armies[index].before}
    return before == {"hold"} and any(
        mark.role in ("against", "from") for army in armies[index + 1 :] for mark in army.before
    )


def _join_allies(armies: Sequence[Army]) -> list[Army]:
    """Put armies together that one side has, with nothing but a pause or an owner between them."""
    found: list[Army] = []
    for index, army in enumerate(armies):
        if found and _defends_another(armies, index):
            found[-1].stacks += army.stacks
            found[-1].label = "defender"
            continue
        quiet = {mark.role for mark in army.before} <= BETWEEN_ALLIES
        if found and quiet and army.label == found[-1].label and army.label:
            found[-1].stacks += army.stacks
        else:
            found.append(army)
    return found


def _land(pieces: Sequence[Stack | Mark], attack: Army) -> None:
    """Let the units of the attacker come from the sea of which the phrase says so."""
    own = {id(stack) for stack in attack.stacks}
    mine = [piece for piece in pieces if not isinstance(piece, Stack) or id(piece) in own]
    roles = [piece.role if isinstance(piece, Mark) else "" for piece in mine]
    if "landed" not in roles:
        return
    at = roles.index("landed")
    over = max((index for index, role in enumerate(roles[:at]) if role == "overland"), default=-1)
    before = [piece for piece in mine[over + 1 : at] if isinstance(piece, Stack)]
    behind: list[Stack] = []
    for piece in mine[at + 1 :]:
        if isinstance(piece, Stack):
            behind.append(piece)
        elif piece.role == "overland" or (piece.role == "with" and behind):
            break
    for stack in before or behind:
        stack.unit = LANDING.get(stack.unit, stack.unit)


def _compose_waves(armies: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag]) -> Meaning:
    after_first = [
        index for index, army in enumerate(armies) if index and (_comes_later(army) or (index > 1 and _holds(army)))
    ]
    first_then = after_first[0] if after_first else len(armies)
    if first_then < 2 or _names_enemy_last(armies):
        return _numbered_waves(armies, tags)
    start, later = list(armies[:first_then]), armies[first_then:]
    if len(start) > 2:
        raise NotClearError("which army")
    sides = judge(start[0], start[1], after if not later else ())
    attack, defence = start if sides.first_attacks else start[::-1]
    if _has_guns(attack) and not _has_guns(defence):
        attack, defence = defence, attack
    lines: list[str] = []
    for army in later:
        between = army is later[-1] and any(mark.role == "afterwards" for mark in [*army.before, *after])
        against = not _comes_later(army) and any(mark.role == "against" for mark in army.before)
        if lines and (between or against):
            lines[-1] += f" vs {army.units}"
        elif _reinforces(army):
            lines.append(f"vs {army.units}")
        else:
            lines.append(f"then {'hold ' if _counters(army, after if army is later[-1] else ()) else ''}{army.units}")
    return Meaning(write_units(tags, attack, defence, lines), sides.reasons)


def _has_guns(army: Army) -> bool:
    """Tell whether an army has AA guns, which never attack."""
    return any(stack.unit == "aa" for stack in army.stacks)


def _names_enemy_last(armies: Sequence[Army]) -> bool:
    """Tell whether only the last army is one that others go against, as in "first 3 subs, then 2 des, vs 1 bat"."""
    against = [army for army in armies if any(mark.role == "against" for mark in army.before)]
    return against == [armies[-1]] and not _counters(armies[-1])


def _comes_later(army: Army) -> bool:
    roles = [mark.role for mark in army.before]
    return any(role in ("then", "wave", "counter", "leftover") for role in roles) or (
        "end" in roles and "hold" in roles
    )


def _holds(army: Army) -> bool:
    """Tell whether an army is one to hold against: "..., do I hold against 5 inf?"."""
    return {"hold", "against"} <= {mark.role for mark in army.before}


def _counters(army: Army, after: Sequence[Mark] = ()) -> bool:
    """Tell whether an army strikes back: "then hold against 4 inf", "danach gegen 4 inf halten"."""
    roles = {mark.role for mark in army.before if mark.role != "attacked" or not mark.text.endswith(BY)}
    behind = {mark.role for mark in after}
    return bool(roles & {"counter", "hold", "attacked"} or behind & {"counter", "hold-last", "hold-object"})


def _reinforces(army: Army) -> bool:
    return army.label == "defender" or any(mark.role == "reinforces" for mark in army.before)


def _numbered_waves(armies: Sequence[Army], tags: Sequence[Tag]) -> Meaning:
    """Compose waves that are named one by one: "first wave 6 inf, second wave 4 arm, against 7 inf"."""
    against = [army for army in armies if any(mark.role == "against" for mark in army.before)]
    rest = against or [army for army in armies if army.label == "defender" or not _comes_later(army)]
    waves = [army for army in armies if army not in rest]
    if len(rest) != 1 or len(waves) < 2 or not any(_comes_later(army) for army in armies):
        raise NotClearError("which army")
    return Meaning(write_units(tags, waves[0], rest[0], [f"then {wave.units}" for wave in waves[1:]]))


def write_units(tags: Sequence[Tag], attack: Army, defence: Army, later: Sequence[str] = ()) -> str:
    """Write a battle of Axis & Allies with its options, each beside the side and the wave that has it."""
    then = next((index for index, tag in enumerate(tags) if tag.is_role("then", "wave", "counter")), len(tags))
    ours, early = unit_options(tags[:then] if later else tags, attack, defence)
    _ours, rest = unit_options(tags[then:] if later else (), attack, defence)
    rest += edition_of([*attack.stacks, *defence.stacks], [*early, *rest])
    return " ".join([attack.units, *ours, "vs", defence.units, *early, *later, *rest])
