"""Composes the line of the notation that the tags of a phrase mean."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bot import packs
from bot.editions import editions
from bot.notation.defaults import USUAL_EDITION, current_defaults
from bot.notation.lexer import CLASSIC
from bot.phrases.armies import LANDING, SHIPS, SUBJECTS, Army, Mark, Stack, gather, pieces_of
from bot.phrases.order import straighten
from bot.phrases.sides import Evidence, judge
from bot.phrases.tags import Tag

SIDED = {"keep": "dkeep", "submerge": "dsubmerge", "loss": "dloss"}
"""The defender's words for options that a side has; the attacker's stand before `vs`."""
MOST_SHIPS = 9
"""More ships than this beside a number of armies are more likely armies."""
OF_DICE = tuple(
    f"{side}{word}" for side in ("", "a", "d") for word in ("dice:", "icons:", "bonus:", "clamp:", "late", "rounds:")
)
"""Options that are said with words about dice."""
ARROWS = ("→", "->", ">", "➡", "=>")


class NotClearError(Exception):
    """The phrase has no one meaning; `readings` are the lines that it may mean, and `why` says what is missing."""

    def __init__(self, why: str, *readings: str) -> None:
        super().__init__(why)
        self.why, self.readings = why, readings


@dataclass
class Meaning:
    """The line of a phrase, with the reasons for it and the line that it may mean instead."""

    line: str
    reasons: tuple[Evidence, ...] = ()
    other: str = ""


@dataclass
class Side:
    """One side of a battle: its number of armies or its units, and its ships."""

    stacks: list[Stack] = field(default_factory=list)

    def text(self, of_ships: str = "") -> str:
        """Return the side in notation."""
        numbers = [str(stack.count) for stack in self.stacks if not stack.unit]
        if not numbers:
            return Army(self.stacks).units
        return " ".join(numbers)

    def ships(self, prefix: str) -> list[str]:
        """Return the options of its ships."""
        return [
            f"{prefix}{SHIPS[stack.unit]}:{stack.count}" for stack in self.stacks if stack.unit in SHIPS and stack.count
        ]


def compose_battle(tags: Sequence[Tag]) -> Meaning:
    """Compose the line of a battle of any game; NotClearError if there is none."""
    pieces = pieces_of([tag for tag in tags if tag.table not in ("options", "variants", "questions", "skips")])
    stacks = [piece for piece in pieces if isinstance(piece, Stack)]
    if any(tag.is_role("icons") for tag in tags) and not any("icons:" in tag.value for tag in tags):
        raise NotClearError("which faces")
    thrown = any(tag.table == "options" and tag.value.startswith(OF_DICE) for tag in tags)
    if not thrown and any(tag.is_role("dice") for tag in tags):
        raise NotClearError("which dice")
    if not stacks:
        raise NotClearError("no armies")
    if any(stack.vague for stack in stacks):
        raise NotClearError("how many")
    by_unit = any(stack.unit and stack.unit not in SHIPS for stack in stacks) or all(stack.unit for stack in stacks)
    if by_unit and "capitals" not in {stack.unit for stack in stacks}:
        return _compose_units(pieces, tags)
    return _compose_dice(pieces, tags)


# Dice ---------------------------------------------------------------------------------------------------


def _compose_dice(pieces: Sequence[Stack | Mark], tags: Sequence[Tag]) -> Meaning:
    if any(number.table == "number" and points.is_role("points") for number, points in pairwise(tags)):
        raise NotClearError("points beside a battle")
    armies, after = gather(pieces)
    _count_ships(armies)
    main, after = _without_ships(armies, after)
    marks = [mark for army in armies for mark in army.before] + after
    if len(main) < 2:
        raise NotClearError("one number", *([f"/need {main[0].numbers[0]}"] if main else []))
    several = any(mark.role == "territory" for mark in marks) and len(main) > 2
    path = several or any(mark.role in ("through", "row") for mark in marks) or _is_row(main)
    if len(main) > 2 or path:
        return _compose_path(main, armies, marks, tags, path)
    _check_end(after)
    sides = judge(main[0], main[1], after)
    attack, defence = main if sides.first_attacks else main[::-1]
    ships = _ships(armies, main, attack, defence)
    options = options_of(tags)
    line = " ".join([f"{attack.numbers[0]} {defence.numbers[0]}", *ships, *options])
    if any(stack.unit and stack.count > MOST_SHIPS for army in armies for stack in army.stacks):
        raise NotClearError("so many ships")
    if "leave:" in line:
        raise NotClearError("leave", line.replace("leave:", "behind:"), line.replace("leave:", "stop:"))
    if sides.doubtful:
        swapped = " ".join([f"{defence.numbers[0]} {attack.numbers[0]}", *options])
        raise NotClearError("who attacks", line, swapped)
    return Meaning(line, sides.reasons)


def _without_ships(armies: Sequence[Army], after: Sequence[Mark]) -> tuple[list[Army], list[Mark]]:
    """Return the armies that are more than ships, each with all marks before it, and the marks behind the last."""
    main: list[Army] = []
    marks: list[Mark] = []
    for army in armies:
        if army.numbers:
            main.append(replace(army, before=[*marks, *army.before]))
            marks = []
        else:
            marks += [mark for mark in army.before if mark.role not in ("with", "have", "self", "other")]
    return main, [*marks, *after]


def _check_end(after: Sequence[Mark]) -> None:
    """Raise NotClearError if a word behind the last army wants another one behind it."""
    if any(mark.role in ("then", "counter", "against", "or", "through") for mark in after):
        raise NotClearError("what comes next")


def _is_row(main: Sequence[Army]) -> bool:
    """Tell whether numbers follow one another with words such as "then"."""
    if len(main) < 3:
        return False
    arrows = all(any(mark.text in ARROWS for mark in army.before) for army in main[1:])
    verbs = all(any(mark.role == "attack" for mark in army.before) for army in main[1:])
    return arrows or verbs or any(mark.role == "then" for army in main[2:] for mark in army.before)


def _count_ships(armies: Sequence[Army]) -> None:
    """Give a number its ship: in "2 fighters for me and 1 for him" it has none of its own."""
    for before, army in pairwise(armies):
        if before.closed and army.closed and before.is_of_ships and army.numbers:
            army.stacks = [replace(stack, unit=before.stacks[-1].unit) for stack in army.stacks]


def _ships(armies: Sequence[Army], main: Sequence[Army], attack: Army, defence: Army) -> list[str]:
    """Return the options of all ships; those without a word about their side belong to the army before them."""
    owners = {"attacker": attack, "defender": defence}
    for army, other in ((attack, defence), (defence, attack)):
        if army.label in ("self", "other"):
            owners[army.label] = army
            owners.setdefault("other" if army.label == "self" else "self", other)
    owners.setdefault("self", attack)
    owners.setdefault("other", defence)
    found: dict[str, list[Stack]] = {"": [], "d": []}
    nearest = main[0]
    marked = any(army.before for army in armies)
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
    return [text for prefix, stacks in found.items() for text in Side(stacks).ships(prefix)]


def _compose_path(
    main: Sequence[Army], armies: Sequence[Army], marks: Sequence[Mark], tags: Sequence[Tag], sure: bool
) -> Meaning:
    numbers = [army.numbers[0] for army in main]
    if [mark.role for mark in main[0].before][-1:] == ["through"] and not any(
        _goes_through(army, "") for army in main[1:]
    ):
        raise NotClearError("through with how many")
    attacks = next((one.role for one, verb in pairwise(marks) if one.role in SUBJECTS and verb.role == "attack"), "")
    first = max(range(len(main)), key=lambda index: (_goes_through(main[index], attacks), -index))
    order = [numbers[first], *(number for index, number in enumerate(numbers) if index != first)]
    attack = main[first]
    ships = _ships([army for army in armies], main, attack, main[1 if first == 0 else 0])
    options = [option.replace("behind:", "leave:") for option in options_of(tags)]
    line = " > ".join(map(str, order)).replace(" >", "".join(f" {ship}" for ship in ships) + " >", 1)
    line = " ".join([line, *options])
    if not sure:
        raise NotClearError("third number", line)
    return Meaning(line)


def _goes_through(army: Army, attacks: str) -> int:
    """Return how sure it is that an army is the one that attacks a row of territories; `attacks` is whose it is."""
    roles = [mark.role for mark in straighten(army.before)]
    if army.label == "attacker" or ("attack" in roles and "with" in roles[roles.index("attack") :]):
        return 3
    if army.label == (attacks or "self"):
        return 2
    return int("with" in roles and "row" not in roles)


# Units --------------------------------------------------------------------------------------------------


def _compose_units(pieces: Sequence[Stack | Mark], tags: Sequence[Tag]) -> Meaning:
    armies, after = _armies_of_units(pieces)
    if any(army.numbers for army in armies):
        raise NotClearError("units against a number")
    if len(armies) < 2:
        raise NotClearError("one army")
    if len(armies) > 2:
        return _compose_waves(armies, after, tags)
    _check_end(after)
    if any(mark.role in ("leftover", "wave") for army in armies for mark in [*army.before, *after]):
        raise NotClearError("which army")
    sides = judge(armies[0], armies[1], after)
    if len(sides.reasons) == 1 and {mark.role for mark in armies[1].before} <= {"pause", "and", "open", "end"}:
        raise NotClearError("no word between the sides")
    attack, defence = armies if sides.first_attacks else armies[::-1]
    _land(pieces, attack)
    line = write_units(tags, attack, defence)
    if sides.doubtful:
        raise NotClearError("who attacks", line, write_units(tags, defence, attack))
    return Meaning(line, sides.reasons, write_units(tags, defence, attack) if len(sides.reasons) == 1 else "")


def _armies_of_units(pieces: Sequence[Stack | Mark]) -> tuple[list[Army], list[Mark]]:
    """Gather armies with more and more words that may part them, until there are two."""
    for breaks in ((), ("onto",), ("with",), ("end",), ("with", "end", "pause")):
        verbs = any(isinstance(piece, Mark) and piece.role in ("attack", "attacked", "send") for piece in pieces)
        if "with" in breaks and not verbs:
            continue
        armies, after = gather(pieces, breaks)
        armies = _merged(armies)
        if len(armies) > 1:
            return armies, after
    return armies, after


def _defends_another(armies: Sequence[Army], index: int) -> bool:
    """Tell whether an army is guarded by the one before it: "2 bat defend 1 tra against 3 sub"."""
    before = {mark.role for mark in armies[index].before}
    return before == {"hold"} and any(mark.role == "against" for army in armies[index + 1 :] for mark in army.before)


def _merged(armies: Sequence[Army]) -> list[Army]:
    """Put armies together that one side has, with nothing but a pause or an owner between them."""
    found: list[Army] = []
    for index, army in enumerate(armies):
        if found and _defends_another(armies, index):
            found[-1].stacks += army.stacks
            found[-1].label = "defender"
            continue
        quiet = {mark.role for mark in army.before} <= {
            "pause",
            "open",
            "and",
            "self",
            "other",
            "have",
            "end",
            "also",
            "for",
            "with",
        }
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
    before = [piece for piece in mine[:at] if isinstance(piece, Stack)]
    behind: list[Stack] = []
    for piece in mine[at + 1 :]:
        if isinstance(piece, Stack):
            behind.append(piece)
        elif piece.role in ("overland", "with"):
            break
    for stack in before or behind:
        stack.unit = LANDING.get(stack.unit, stack.unit)


def _compose_waves(armies: Sequence[Army], after: Sequence[Mark], tags: Sequence[Tag]) -> Meaning:
    first_then = next((index for index, army in enumerate(armies) if index and _comes_later(army)), len(armies))
    if first_then < 2 or _names_enemy_last(armies):
        return _numbered_waves(armies, tags)
    start, later = list(armies[:first_then]), armies[first_then:]
    if len(start) > 2:
        raise NotClearError("which army")
    sides = judge(start[0], start[1], after if not later else ())
    attack, defence = start if sides.first_attacks else start[::-1]
    lines: list[str] = []
    for army in later:
        between = army is later[-1] and any(mark.role == "afterwards" for mark in [*army.before, *after])
        against = not _comes_later(army) and any(mark.role == "against" for mark in army.before)
        if lines and (between or against):
            lines[-1] += f" vs {army.units}"
        elif _reinforces(army):
            lines.append(f"vs {army.units}")
        elif any(mark.role == "against" for mark in army.before) and not _comes_later(army) and lines:
            lines[-1] += f" vs {army.units}"
        else:
            lines.append(f"then {'hold ' if _counters(army, after) else ''}{army.units}")
    return Meaning(write_units(tags, attack, defence, lines), sides.reasons)


def _names_enemy_last(armies: Sequence[Army]) -> bool:
    """Tell whether only the last army is one that others go against, as in "first 3 subs, then 2 des, against 1 bat"."""
    against = [army for army in armies if any(mark.role == "against" for mark in army.before)]
    return against == [armies[-1]] and not _counters(armies[-1])


def _comes_later(army: Army) -> bool:
    roles = [mark.role for mark in army.before]
    return any(role in ("then", "wave", "counter", "leftover") for role in roles) or (
        "end" in roles and "hold" in roles
    )


def _counters(army: Army, after: Sequence[Mark] = ()) -> bool:
    """Tell whether an army strikes back: "then hold against 4 inf", "danach gegen 4 inf halten"."""
    roles = {mark.role for mark in army.before}
    return bool(roles & {"counter", "hold"}) or any(mark.role.startswith("hold-") for mark in after)


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


# Options ------------------------------------------------------------------------------------------------


def options_of(tags: Sequence[Tag]) -> list[str]:
    """Return the options of a phrase in notation, each once."""
    found = [_filled(tag) for tag in tags if tag.table == "options"]
    variant = _variant([tag.value for tag in tags if tag.table == "variants"])
    return list(dict.fromkeys([*found, *([f"variant:{variant}"] if variant else [])]))


def _variant(named: Sequence[str]) -> str:
    """Return the variant of which a phrase names the parts: "blitz" and "capital-city" are "blitz-capital"."""
    keys = list(dict.fromkeys(key for key in named if key != CLASSIC))
    if not keys and CLASSIC in named and current_defaults().game != CLASSIC:
        return CLASSIC
    if len(keys) < 2:
        return keys[0] if keys else ""
    parts = [set(key.split("-")) for key in keys]
    for key in sorted([*packs.load(), *editions()], key=lambda key: -key.count("-")):
        own = set(key.split("-"))
        if own <= set().union(*parts) and all(own & part for part in parts):
            return key
    raise NotClearError("which variant")


def _filled(tag: Tag) -> str:
    """Return the notation of an option with its slots filled."""
    text, slots = tag.value, list(tag.slots)
    named = [slot for slot in ("{n}", "{p}", "{d}", "{u}", "{side}") if slot in text]
    for slot in named:
        if len(slots) == 1 or text.count(slot) == 1:
            text = text.replace(slot, slots[0])
            slots = slots[1:] or slots
        else:
            while slot in text and slots:
                text = text.replace(slot, slots.pop(0), 1)
    return text


def write_units(tags: Sequence[Tag], attack: Army, defence: Army, later: Sequence[str] = ()) -> str:
    """Write a battle of Axis & Allies with its options, each beside the side and the wave that has it."""
    then = next((index for index, tag in enumerate(tags) if tag.is_role("then", "wave", "counter")), len(tags))
    ours, early = unit_options(tags[:then] if later else tags, attack, defence)
    _ours, rest = unit_options(tags[then:] if later else (), attack, defence)
    rest += edition_of([*attack.stacks, *defence.stacks], [*early, *rest])
    return " ".join([attack.units, *ours, "vs", defence.units, *early, *later, *rest])


def unit_options(tags: Sequence[Tag], attack: Army, defence: Army) -> tuple[list[str], list[str]]:
    """Return the options of the attacker, and all others, in notation."""
    ours: list[str] = []
    rest: list[str] = []
    for tag in tags:
        if tag.table != "options":
            continue
        option = _filled(tag)
        if option.startswith("stop:"):
            option = f"retreat:units<={option.removeprefix('stop:')}"
        side, sided, option = option.rpartition("~")
        if not sided:
            rest.append(option)
        elif _is_attackers(option, side or tag.who, attack, defence):
            ours.append(option.replace("crash", "acrash"))
        else:
            word, colon, value = option.partition(":")
            rest.append(f"{SIDED.get(word, word)}{colon}{value}")
    rest += [option for option in options_of(tags) if option.startswith("variant:")]
    return list(dict.fromkeys(ours)), list(dict.fromkeys(rest))


def edition_of(stacks: Sequence[Stack], options: Sequence[str]) -> list[str]:
    """Return the option for the edition that has all units, where the usual one lacks some."""
    if any(option.startswith("variant:") for option in options) or current_defaults().edition != USUAL_EDITION:
        return []
    units = {stack.unit for stack in stacks}
    fits = [key for key, edition in editions().items() if units <= edition.words.keys()]
    usual = current_defaults().edition
    return [] if usual in fits or not fits else [f"variant:{fits[0]}"]


def _is_attackers(option: str, who: str, attack: Army, defence: Army) -> bool:
    """Tell whether an option that both sides can have is the attacker's."""
    owners = {"attacker": True, "defender": False, "self": True, "other": False}
    if {attack.label, defence.label} & {"self", "other"}:
        mine = attack.label == "self" or defence.label == "other"
        owners |= {"self": mine, "other": not mine}
    divers = [any(stack.unit == "sub" for stack in army.stacks) for army in (attack, defence)]
    if option == "submerge" and divers[0] != divers[1]:
        return divers[0]
    return owners.get(who, option != "crash")
