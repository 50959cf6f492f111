"""Composes lines of Axis & Allies: battles of one wave and of several."""

from collections.abc import Sequence
from dataclasses import replace

from bot.phrases.armies import Army, check_end, gather
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.options import OF_ATTACKER, edition_of, ends_asked, says_leave, self_defends, unit_options
from bot.phrases.pieces import HOLD_LAST, LANDING, Mark, Piece, marks_of, roles_of, stacks_of
from bot.phrases.sides import OF_ORDER, judge
from bot.phrases.tag import NOTHING, OF_ARMIES, OWNERS, Tag, has_role, tag_at

TELLING = ("against", "attack", "attacked", "hold", "attacker", "defender", "by")
"""The roles of words that part two armies better than "on" does."""
OF_SEA = {"sub", "tra", "des", "cru", "acc", "bat", "dbat", "dacc"}
OF_LAND = {"inf", "art", "arm", "mec", "aa"}
BOMBARDING = ("bat", "dbat", "cru")
"""The ships that bombard where units land."""
_OF_WAVE = (*OF_ATTACKER, "dretreat:", "dsubmerge", "dchoose")
"""How the options begin that one wave has."""
THIRD_PERSON = ("other", "third")
"""The values of a tag's case for verbs in the third person."""
BETWEEN_ALLIES = {"pause", "open", "and", "self", "have", "end", "for", "with", "landed"}
"""The roles of words between an army and the ships that bombard for it."""


def compose_units(pieces: Sequence[Piece], tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle of Axis & Allies; NotClearError if there is none."""
    armies, after = _armies_of_units(_without_rule_before(pieces, tags))
    if any(army.numbers for army in armies):
        raise NotClearError("units against a number")
    if len(armies) < 2:
        raise NotClearError("one army")
    if any(army.label == "each" for army in armies):
        raise NotClearError("how many")  # "2 tanks each from two territories"
    return _compose_waves(armies, after, tags) if len(armies) > 2 else _read_wave(pieces, armies, after, tags)


def _without_rule_before(pieces: Sequence[Piece], tags: Sequence[Tag]) -> Sequence[Piece]:
    """Leave out whom a rule before all armies is about: "the defender may retreat after a round: 5 inf vs 4 inf"."""
    armies = (index for index, tag in enumerate(tags) if tag.table in OF_ARMIES)
    if not any(tag.table == "options" and tag.who == "defender" for tag in tags[: next(armies, 0)]):
        return pieces
    start = next((index for index, piece in enumerate(pieces) if not isinstance(piece, Mark)), 0)
    marks = [mark for mark in marks_of(pieces[:start]) if mark.role != "defender"]
    return [*marks, *pieces[start:]]


def _read_wave(pieces: Sequence[Piece], armies: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag]) -> Meaning:
    """Compose a battle of two armies."""
    check_end([mark for mark in armies[1].before if mark.role == "then"] + [*after])
    if not {"leftover", "wave"}.isdisjoint((*armies[0].roles, *armies[1].roles, *roles_of(after))):
        raise NotClearError("which army")
    sides = judge(armies[0], armies[1], after)
    attack, defence = armies if sides.first_attacks else armies[::-1]
    if len(sides.reasons) == 1 and {*armies[1].roles} <= {"pause", "and", "open", "end"}:
        raise NotClearError("no word between the sides")
    ordered = all(reason.rule in OF_ORDER for reason in sides.reasons)
    if ordered:
        attack, defence = _guns_last(attack, defence)
    _check_meeting(attack, defence)
    marks = marks_of(pieces)
    roles, defends = roles_of(marks), self_defends(attack, defence, marks)
    tags = _name_leaver(tags)
    if readings := _leaves_on_either_side(tags):
        raise NotClearError("which side", *(write_units(read, attack, defence, defends=defends) for read in readings))
    tags = _name_sides(tags) if defends else tags
    _land(pieces, attack)
    line = write_units(tags, attack, defence, defends=defends)
    swapped = write_units(tags, defence, attack, defends=not defends)
    _check_roles(roles, attack, line)
    if sides.doubtful:
        raise NotClearError("who attacks", line, swapped)
    # The other army may attack where no word between them says which.
    may_swap = ordered and "against" not in armies[1].roles
    return Meaning(line, sides.reasons, swapped if may_swap else "")


def _name_leaver(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Let a verb in the third person speak of the other player: "mis 5 inf contra 4 inf, se retira tras una ronda"."""
    owned = has_role(tags, *OWNERS)
    return [replace(tag, who="other") if owned and _leaves_unnamed(tag) else tag for tag in tags]


def _leaves_unnamed(tag: Tag) -> bool:
    """Tell whether somebody leaves whom only the form of a verb names, "leaves after a round"."""
    return _leaves(tag) and not tag.who and tag.case in THIRD_PERSON


def _leaves(tag: Tag) -> bool:
    """Tell whether an option says that a side leaves."""
    return tag.table == "options" and tag.value.startswith(OF_ATTACKER) and says_leave(tag)


def _leaves_on_either_side(tags: Sequence[Tag]) -> list[list[Tag]]:
    """Return the tags with an option as the defender's, and as the attacker's, if the only word about a player says it.

    "He retreats after one round, 3 inf vs 4 inf" names no side, and neither does "attacker: 3 inf, defender: 4 inf,
    leaves after one round". None where there is no such option.
    """
    people = [index for index, tag in enumerate(tags) if tag.is_role(*OWNERS)]
    said = tag_at(tags, people[0] + 1) if len(people) == 1 and tags[people[0]].is_role("other") else NOTHING
    listed = has_role(tags, "attacker") and has_role(tags, "defender")
    leaver = said if _leaves(said) else next((tag for tag in tags if listed and _leaves_unnamed(tag)), None)
    sides = ("defender", "attacker") if leaver else ()
    return [[replace(tag, who=side) if tag is leaver else tag for tag in tags] for side in sides]


def _name_sides(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Replace "I" and "he" in the tags by their sides where "I" is the defender."""
    names = {"self": "defender", "other": "attacker"}
    return [replace(tag, who=names.get(tag.who, tag.who)) for tag in tags]


def _check_roles(roles: Sequence[str], attack: Army, line: str) -> None:
    """Raise NotClearError if words say what the line does not: when a strafe ends, or that ships don't bombard."""
    if "strafe" in roles and "rounds:" not in line and "retreat:" not in line:
        raise NotClearError("strafe", line)
    bombards = any(stack.unit in BOMBARDING for stack in attack.stacks)
    if "unbombarded" in roles and (bombards or "landed" not in roles):
        raise NotClearError("which units")


def _check_meeting(attack: Army, defence: Army) -> None:
    """Raise NotClearError if one side has only ships and the other only units on land."""
    kinds = [{stack.unit for stack in army.stacks} for army in (attack, defence)]
    if any(ships <= OF_SEA and units <= OF_LAND for ships, units in (kinds, kinds[::-1])):
        raise NotClearError("which units")


def _armies_of_units(pieces: Sequence[Piece]) -> tuple[list[Army], list[Mark]]:
    """Gather armies with more and more words that may part them, until there are two."""
    roles = roles_of(marks_of(pieces))
    first: list[tuple[str, ...]] = [()] if not {*TELLING}.isdisjoint(roles) else []
    verb = not {"attack", "attacked", "send"}.isdisjoint(roles)
    for breaks in [*first, ("onto",), *[("with",)] * verb, ("end",)]:
        armies, after = gather(pieces, breaks)
        armies = _join_allies(armies)
        if len(armies) > 1:
            break
    return armies, after


def _join_allies(armies: Sequence[Army]) -> list[Army]:
    """Put armies together that one side has: "2 bat defend 1 tra against 3 sub", "3 inf land, my bat shells them"."""
    joined: list[Army] = []
    for index, army in enumerate(armies):
        met = any(role in ("against", "from") for later in armies[index + 1 :] for role in later.roles)
        holds = bool(joined) and {*army.roles} == {"hold"} and met
        if holds or (joined and _supports(joined[-1], army)):
            joined[-1].stacks += army.stacks
            joined[-1].label = "defender" if holds else joined[-1].label
        else:
            joined.append(army)
    return joined


def _supports(landing: Army, ships: Army) -> bool:
    """Tell whether ships bombard for the army before them."""
    landed = "landed" in (*landing.roles, *ships.roles) and {*ships.roles} <= BETWEEN_ALLIES
    return landed and all(stack.unit in BOMBARDING for stack in ships.stacks)


def _land(pieces: Sequence[Piece], attack: Army) -> None:
    """Mark those of the attacker's units that the phrase says land from the sea."""
    own = {id(stack) for stack in attack.stacks}
    mine = [piece for piece in pieces if isinstance(piece, Mark) or id(piece) in own]
    roles = [piece.role if isinstance(piece, Mark) else "" for piece in mine]
    if "landed" not in roles:
        return
    at = roles.index("landed")
    over = max((index + 1 for index, role in enumerate(roles[:at]) if role == "overland"), default=0)
    landed = stacks_of(mine[over:at]) or stacks_of(mine[at:])
    for stack in landed:
        stack.unit = LANDING.get(stack.unit, stack.unit)


def _compose_waves(armies: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag]) -> Meaning:
    """Compose a battle of several waves."""
    start = next((index for index, army in enumerate(armies) if index and _comes_later(army)), len(armies))
    if start < 2:
        return _numbered_waves(armies, tags)
    if start > 2:
        raise NotClearError("which army")
    sides = judge(armies[0], armies[1], ())
    attack, defence = _guns_last(*(armies[:2] if sides.first_attacks else armies[1::-1]))
    return Meaning(write_units(tags, attack, defence, _later_waves(armies[2:], after)), sides.reasons)


def _later_waves(armies: Sequence[Army], after: Sequence[Mark]) -> list[str]:
    """Return the waves behind the first as a line has them; `after` are the marks behind the last army."""
    later: list[str] = []
    for army in armies:
        behind = after if army is armies[-1] else ()
        if later and not _comes_later(army):
            later[-1] += f" vs {army.units}"
        elif army.label == "defender" or "reinforces" in army.roles:
            later.append(f"vs {army.units}")
        else:
            later.append(f"then {'hold ' if _counters(army, behind) else ''}{army.units}")
    return later


def _guns_last(attack: Army, defence: Army) -> tuple[Army, Army]:
    """Return the attacker and the defender, who are swapped if only that can be: AA guns never attack."""
    guns = [any(stack.unit == "aa" for stack in army.stacks) for army in (attack, defence)]
    return (defence, attack) if guns == [True, False] else (attack, defence)


def _comes_later(army: Army) -> bool:
    """Tell whether an army is of a later wave."""
    roles = {*army.roles}
    ends = {"end", "hold"} <= roles or {"hold", "against"} <= roles  # "..., do I hold against 5 inf?"
    return ends or not roles.isdisjoint(("then", "wave", "counter", "leftover"))


def _counters(army: Army, after: Sequence[Mark]) -> bool:
    """Tell whether an army strikes back: "then hold against 4 inf", "danach gegen 4 inf halten"."""
    struck = "attacked" in army.roles and army.label == "other"  # "then I'm hit by his 4 inf"
    strikes = {"counter", *HOLD_LAST} & {*army.roles, *roles_of(after)}
    return struck or bool(strikes) or "hold" in army.roles


def _numbered_waves(armies: Sequence[Army], tags: Sequence[Tag]) -> Meaning:
    """Compose waves that are named one by one: "first wave 6 inf, second wave 4 arm, against 7 inf"."""
    against = [army for army in armies if "against" in army.roles]
    rest = against or [army for army in armies if army.label == "defender" or not _comes_later(army)]
    waves = [army for army in armies if army not in rest]
    if len(rest) != 1 or len(waves) < 2 or not any(_comes_later(army) for army in armies):
        raise NotClearError("which army")
    return Meaning(write_units(tags, waves[0], rest[0], [f"then {wave.units}" for wave in waves[1:]]))


def write_units(
    tags: Sequence[Tag], attack: Army, defence: Army, later: Sequence[str] = (), defends: bool = False
) -> str:
    """Write a battle of Axis & Allies with its options, each beside the side and the wave that has it.

    `defends` tells whether the player who asks is the defender.
    """
    then = next((index for index, tag in enumerate(tags) if tag.is_role("then", "wave", "counter")), len(tags))
    ours, early = unit_options(tags[:then] if later else tags, attack, defence)
    rest = _later_options(tags[then:], attack, defence, later) if later else []
    rest += edition_of([*attack.stacks, *defence.stacks], [*early, *rest])
    rest += ends_asked(tags, defends)
    return " ".join([attack.units, *ours, "vs", defence.units, *early, *later, *rest])


def _later_options(tags: Sequence[Tag], attack: Army, defence: Army, later: Sequence[str]) -> list[str]:
    """Return the options behind all waves; NotClearError if they may be of another wave or of the other side."""
    ours, rest = unit_options(tags, attack, defence)
    waves = sum(wave.startswith("then ") for wave in later)
    if ours or (waves > 1 and any(option.startswith(_OF_WAVE) for option in rest)):
        raise NotClearError("which wave")
    # Who attacks first defends then.
    turned = any(wave.startswith("then hold ") for wave in later)
    if turned and any(tag.who in ("self", "other") and tag.value.startswith(OF_ATTACKER) for tag in tags):
        raise NotClearError("which side")
    return rest
