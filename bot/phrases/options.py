"""Writes the options of a phrase in notation."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, pairwise, takewhile

from bot.editions import Edition, editions
from bot.notation.defaults import USUAL_EDITION, current_defaults
from bot.notation.dice_options import CLASSIC, OF_DICE, POOL
from bot.packs import find
from bot.phrases.armies import Army
from bot.phrases.beside.own_units import OPTION
from bot.phrases.meaning import NotClearError
from bot.phrases.pieces import FRONT, SUBJECTS, VERBS, Mark, Stack, roles_of
from bot.phrases.tag import Tag, has_role, has_table, tags_of, values_of
from bot.phrases.tokens import normal_phrase, tokens_of
from bot.phrases.vocabulary import SLOTS, vocabularies
from solver.axis.loss_order import usual_order
from solver.axis.units import Role, Theatre
from solver.errors import BattleError

SIDED = {"keep": "dkeep", "submerge": "dsubmerge", "choose": "dchoose"}
"""The defender's words for options that a side has; the attacker's stand before `vs`."""
_ABOUT_DICE = tuple(
    f"{side}{word}" for side in ("", "a", "d") for word in ("dice:", "icons:", "bonus:", "clamp:", "late", "rounds:")
)
"""Options that are said with words about dice."""
OF_ATTACKER = ("stop:", "losses:", "behind:", "reserve:", "retreat:", "rounds:")
"""Options that only the attacker has."""
_LIMIT = re.compile(r"(?:rounds:|retreat:)(?P<rule>(?:units<=)?[1-9]\d*)")
"""An option that ends an attack after some rounds, or with so many units left."""
OF_LOSS = ("loss", "last", "before", "kept")
"""The options that say what a side loses."""
AIR = "air"
"""Stands for all planes of an army in an order of loss."""
PLANES = {"fig", "tac", "bom", "jet", "heavy"}
THEIRS = (("other", "attack"), ("other", FRONT))
"""The roles of two words that say that another player attacks."""
OTHER = {"attacker": "defender", "defender": "attacker"}
EXCHANGED = {
    "ties:{side}": "ties:{other}",
    "ties:defender": "ties:attacker",
    "adice:{d},{d},{d}": "ddice:{d},{d}",
    "adice:{n},{n},{n}": "ddice:{n},{n}",
    "adice:{d},6,6": "ddice:{d},6",
    "abonus:{n},{n},{n}": "dbonus:{n},{n}",
    "abonus:-{n1},-{n1},-{n1}": "dbonus:-{n1},-{n1}",
    "arerolls:3": "drerolls:2",
    "dice:{n}v{n}": "dice:{n2}v{n1}",
    "dice:1v2": "dice:3v1",
    "dice:2v2": "dice:3v2",
    "dice:4v2": "dice:3v3",
}
EXCHANGED |= {theirs: ours for ours, theirs in EXCHANGED.items() if theirs != "dice:3v2"}  # which is usual
"""The attacker's options as the defender's where they differ by more than the letter of the side."""
_SIDE = re.compile(rf"\b[ad](?={'|'.join(option.word for option in (*OF_DICE, POOL))})")
"""The letter of the side before an option of its dice."""


def _exchange(option: str) -> str:
    """Return an option of one side as that of the other: "adice:8,8" becomes "ddice:8,8"."""
    if option in EXCHANGED or len({*_SIDE.findall(option)}) != 1:  # also an option of both sides
        return EXCHANGED.get(option, option)
    return _SIDE.sub("d" if option.startswith("a") else "a", option)


def options_of(tags: Sequence[Tag], self_defends: bool = False) -> list[str]:
    """Return the options of a phrase in notation, each once; "I" is the attacker unless `self_defends`."""
    if self_defends:
        theirs = [tag for tag in tags if tag.who in ("self", "other")]
        tags = [replace(tag, value=_exchange(tag.value)) if tag in theirs else tag for tag in tags]
    if any(tag.value[1:].startswith("bonus:") and after.is_role("men", "unit") for tag, after in pairwise(tags)):
        raise NotClearError("a number is left")  # "a bonus of 3 armies"
    options = [fill_slots(tag) for tag in tags if tag.table == "options"]
    variant = join_variants(values_of(tags, "variants"))
    return list(dict.fromkeys([*options, *([f"variant:{variant}"] if variant else [])]))


def ends_asked(tags: Sequence[Tag], self_defends: bool = False) -> list[str]:
    """Return the ends whose chance a phrase asks for, as options; "I" is the attacker unless `self_defends`."""
    asked = []
    for index, tag in enumerate(tags):
        if tag.table == "outlooks":
            who = tag.who or _subject_before(tags[:index]) or "self"
            theirs = who == "defender" or who == ("self" if self_defends else "other")
            option = fill_slots(tag)
            asked.append(f"d{option}" if theirs and not option.startswith("d") else option)
    return list(dict.fromkeys(asked))


def _subject_before(tags: Sequence[Tag]) -> str:
    """Return whom the words at the end of some tags name; "" if a pause or a number comes first."""
    for tag in reversed(tags):
        if tag.table in ("sign", "number"):
            break
        if tag.is_role("self", "other", "attacker", "defender"):
            return tag.value
    return ""


def stop_at_rest(option: str, attackers: int) -> str:
    """Return an option that ends an attack after some losses as one that ends it with those who are left then."""
    if not option.startswith("losses:"):
        return option
    left = attackers - int(option.removeprefix("losses:"))
    if left < 0:
        raise NotClearError("a number is left")
    return f"stop:{left}"


def says_dice(tags: Sequence[Tag]) -> bool:
    """Tell whether options of a phrase are said with words about dice."""
    return any(option.startswith(_ABOUT_DICE) for option in values_of(tags, "options"))


def has_options_of_defender(tags: Sequence[Tag], self_defends: bool) -> bool:
    """Tell whether the defender is said to stop or to hold armies back, which only the attacker can."""
    owner = "self" if self_defends else "other"
    return any(
        tag.table == "options" and tag.value.startswith(OF_ATTACKER) and tag.who in (owner, "defender") for tag in tags
    )


def self_defends(attack: Army, defence: Army, marks: Sequence[Mark]) -> bool:
    """Tell whether the words "I" and "he" of options are the defender and the attacker."""
    pairs = {*pairwise(roles_of(marks))}
    attacks, defends = _owner_in_clause(attack), _owner_in_clause(defence)
    defends = "self" if ("self", "hold") in pairwise(defence.roles) else defends
    return attacks == "other" or defends == "self" or bool(pairs & {*THEIRS, ("attack", "self")})


def _owner_in_clause(army: Army) -> str:
    """Return whose an army is, by a word that no end of a sentence parts from it: not "he rolls as usual. 14 ..."."""
    roles = army.roles
    clause = roles[len(roles) - roles[::-1].index("end") :] if "end" in roles else roles
    return "" if army.label in roles and army.label not in clause else army.label


def join_variants(named: Sequence[str], led: Sequence[str] = ()) -> str:
    """Return the variant of which a phrase names the parts: "lotr-leader" and "lotr-stronghold" are "lotr-siege".

    NotClearError if they can't stand together. `led` are the variants for those who lead the armies.
    """
    keys = [key for key in dict.fromkeys(named) if key != CLASSIC]
    if len(keys) < 2 and not led:
        return next(iter(keys), CLASSIC if named and current_defaults().game != CLASSIC else "")
    # "2210" and "2210-station" are the latter
    parts = {*"-".join(keys).split("-")}
    whole = (key for key in keys if parts <= {*key.split("-")})
    if not led and (key := next(whole, "")):
        return key
    named = [key for key in keys if not any(other.startswith(f"{key}-") for other in (*keys, *led))]
    with suppress(BattleError):
        if pack := find(",".join([*named, *led])):
            return pack.key
    raise NotClearError("which variant")


def without_implied(options: Sequence[str], ships: Sequence[str]) -> list[str]:
    """Return options without the game that ships name already."""
    return [option for option in options if not (ships and option == "variant:starwars")]


def options_of_horde(attack: Army, defence: Army, between: Sequence[Mark]) -> list[str]:
    """Return the variant of a battle with zombies: "9 zombies come for my 6"; nobody knows whose "12 9 zombies" are."""
    if (attack.horde or defence.horde) and not between:
        raise NotClearError("which variant")
    return ["variant:zombies-attack"] * attack.horde + ["variant:zombies-defend"] * defence.horde


def fill_slots(tag: Tag) -> str:
    """Return the notation of an option with its slots filled."""
    text, slots = tag.value, list(tag.slots)
    text = text.replace("{other}", OTHER.get(next(iter(slots), ""), ""))
    for place, slot in enumerate(slots, 1):
        text = text.replace(f"{{n{place}}}", slot)
    for slot, more in (("{n-1}", -1), ("{n+1}", 1)):  # "fewer than 4", "more than 4"
        if slot in text:
            text = text.replace(slot, str(max(int(slots[0]) + more, 0)))
    for slot in SLOTS:
        if len(slots) == 1 or text.count(slot) == 1:
            text = text.replace(slot, slots[0])
            slots = slots[1:] or slots
        else:
            while slot in text and slots:
                text = text.replace(slot, slots.pop(0), 1)
    return text


def _as_retreat(option: str, tag: Tag, who: str, attack: Army, defence: Army) -> str:
    """Return an option of a phrase that ends an attack as one for units, and for the side of whom it says that."""
    mine = _is_attackers("", "", who, attack, defence)
    option = stop_at_rest(option, sum(stack.count for stack in (attack if mine else defence).stacks))
    return _end_of_attack(option.replace("stop:", "retreat:units<="), tag, bool(mine))


def unit_options(tags: Sequence[Tag], attack: Army, defence: Army) -> tuple[list[str], list[str]]:
    """Return the options of the attacker, and all others, in notation."""
    ours: list[str] = []
    rest: list[str] = []
    losses: list[tuple[bool | None, str, str]] = []
    for tag in tags_of(tags, "options"):
        _check_submerging(tag, tags)
        _check_whose_submerge(tag, tags, (attack, defence))
        for part in fill_slots(tag).split():
            side, sided, option = part.rpartition("~")
            if option.startswith(OF_ATTACKER):
                option = _as_retreat(option, tag, tag.who or _teller(tag, tags), attack, defence)
            word, colon, value = option.partition(":")
            if not sided:
                rest.append(option)
                continue
            mine = _is_attackers(word, value, side or tag.who, attack, defence)
            if word in OF_LOSS:
                losses.append((mine, word, value))
            elif mine is None:
                raise NotClearError("which side")
            elif mine:
                ours.append(option.replace("crash", "acrash"))
            else:
                rest.append(f"{SIDED.get(word, word)}{colon}{value}")
    for mine, said in _orders_of_sides(losses).items():
        if mine:
            ours.append(f"loss:{_order_of_loss(said, attack, 'attack', tags)}")
        else:
            rest.append(f"dloss:{_order_of_loss(said, defence, 'defence', tags)}")
    rest += [option for option in options_of(tags) if option.startswith("variant:")]
    return list(dict.fromkeys(ours)), list(dict.fromkeys(rest))


def _check_submerging(tag: Tag, tags: Sequence[Tag]) -> None:
    """Raise NotClearError where only some of the submarines may submerge: "3 subs vs 2 cru, one sub submerges"."""
    before = [other for other in tags if other.start < tag.start]
    if not tag.value.startswith("~submerge") or not before:
        return
    named = before[-1].value == "sub"
    unnamed = before[:-1] if named else before
    counts = [*takewhile(lambda other: other.table in ("number", "noise"), reversed(unnamed))]
    earlier = unnamed[: len(unnamed) - len(counts)]
    again = has_table(earlier[-1:], "sign") and any(other.value == "sub" for other in earlier)
    some = bool(counts) and again if named else any(other.table == "noise" and other.value for other in counts)
    if some:
        raise NotClearError("which units")


def _check_whose_submerge(tag: Tag, tags: Sequence[Tag], armies: Sequence[Army]) -> None:
    """Raise NotClearError where both sides have submarines and nothing says whose: "3 sub vs 2 sub, subs dive asap"."""
    before = [other for other in tags if other.start < tag.start]
    behind = has_table(before[-1:], "sign") and not any(
        other.table == "units" and other.start > tag.start for other in tags
    )
    both = all(any(stack.unit == "sub" for stack in army.stacks) for army in armies)
    if tag.value.startswith("~submerge") and not tag.who and behind and both:
        raise NotClearError("which side")


def _teller(tag: Tag, tags: Sequence[Tag]) -> str:
    """Return the side of which words behind "and" say more: "he has 4 inf and leaves after 2 rounds"; "" if none.

    Raises:
        NotClearError: Behind "which", as in "5 inf vs 4 inf, which leave after 2 rounds".
    """
    before = [other for other in tags if other.end <= tag.start]
    if any(other.text in known.asides["relatives"] for other in before[-1:] for known in vocabularies().values()):
        raise NotClearError("which side")
    before = [other for other in before if not other.means_nothing]
    if not has_role(before[-1:], "and"):
        return ""
    does = [of for of, verb in pairwise(before) if of.is_role(*SUBJECTS) and verb.is_role(*VERBS, "have")]
    return does[-1].value if does else ""


def _end_of_attack(option: str, tag: Tag, is_attackers: bool) -> str:
    """Return an option that ends an attack, or by the defender's words when they leave; NotClearError if they don't."""
    if is_attackers:
        return option
    limit = _LIMIT.fullmatch(option)
    if not limit or not says_leave(tag):
        raise NotClearError("which side")
    return f"dretreat:{limit['rule']}"


def says_leave(tag: Tag) -> bool:
    """Tell whether the words of an option say that a side stops or leaves."""
    text = " ".join(token.text for token in tokens_of(normal_phrase(tag.text)))
    return any(f" {words} " in f" {text} " for known in vocabularies().values() for words in known.leaving)


def _orders_of_sides(losses: Sequence[tuple[bool | None, str, str]]) -> dict[bool, dict[str, list[str]]]:
    """Return what is said of the losses of the attacker (True) and of the defender (False), by the words.

    What names no side goes on with the only one that is named: "I lose the tanks first, then the inf".
    """
    orders: dict[bool, dict[str, list[str]]] = {mine: {} for mine, _word, _value in losses if mine is not None}
    for mine, word, value in losses:
        if mine is None and len(orders) != 1:
            raise NotClearError("which side")
        side = mine if mine is not None else next(iter(orders))
        orders[side].setdefault(word, []).append(value)
    return orders


def _order_of_loss(said: Mapping[str, Sequence[str]], army: Army, role: Role, tags: Sequence[Tag]) -> str:
    """Return the order in which an army loses its units, of all that is said: what goes first, what last.

    Units that are only "kept" are no order; another part must say what goes first: "I lose the tanks first, I need the
    inf".
    """
    edition, usual = _usual_order(army, role, tags)
    first = _kinds_of(edition, usual, said.get("loss", ()))
    last = _kinds_of(edition, usual, [*said.get("last", ()), *said.get("kept", ())])
    pairs = [value.split(",") for value in said.get("before", ())]
    missing = {*last, *chain(*pairs)} - {*usual} or (usual and first and {*first}.isdisjoint(usual))
    if missing or said.keys() == {"kept"} or (pairs and len(pairs) + len(said) > 2):
        raise NotClearError("which units")
    for early, late in pairs:
        place = min(usual.index(early), usual.index(late))
        first = [*usual[:place], early, *usual[place:]]
    if last:
        first += [unit for unit in usual if unit not in last]
    return ",".join(dict.fromkeys([*first, *last]))


def _kinds_of(edition: Edition, order: Sequence[str], lists: Sequence[str]) -> list[str]:
    """Return the units of lists in options; AIR stands for the planes of an army, in their order of loss."""
    planes = [unit for unit in order if edition.rules.table[edition.words[unit]].kind == AIR]
    if AIR in lists and not planes:
        raise NotClearError("which units")
    return [unit for units in lists for unit in (planes if units == AIR else units.split(","))]


def _usual_order(army: Army, role: Role, tags: Sequence[Tag]) -> tuple[Edition, list[str]]:
    """Return the edition of a phrase, and the units of an army in their usual order of loss there, in short words."""
    named = join_variants(values_of(tags, "variants"))
    edition = editions().get(named or current_defaults().edition, editions()[USUAL_EDITION])
    kinds = {edition.words.get(stack.unit, "") for stack in army.stacks}
    theatres: tuple[Theatre, ...] = ("land", "sea")
    orders = [usual_order(edition.rules, theatre, role) for theatre in theatres]
    order = next((order for order in orders if kinds <= {*order}), ())
    return edition, [edition.short[kind] for kind in order if kind in kinds]


def edition_of(stacks: Sequence[Stack], options: Sequence[str]) -> list[str]:
    """Return the option for the edition that has all units, where the usual one lacks some."""
    if any(option.startswith("variant:") for option in options) or current_defaults().edition != USUAL_EDITION:
        return []
    own = {option.removeprefix(OPTION).partition("=")[0] for option in options if option.startswith(OPTION)}
    units = {stack.unit for stack in stacks} - own
    fits = [key for key, edition in editions().items() if units <= edition.words.keys()]
    return [] if USUAL_EDITION in fits or not fits else [f"variant:{fits[0]}"]


def _is_attackers(word: str, value: str, who: str, attack: Army, defence: Army) -> bool | None:
    """Tell whether an option that both sides can have is the attacker's; None if nothing says so."""
    mine = attack.label == "self" or defence.label == "other" or not {attack.label, defence.label} & {"self", "other"}
    owners = {"attacker": True, "defender": False, "self": mine, "other": not mine}
    unit = "sub" if word == "submerge" else value.split(",")[0] if word in OF_LOSS else ""
    kinds = PLANES if unit == AIR else {unit}
    having, other = (any(stack.unit in kinds for stack in army.stacks) for army in (attack, defence))
    if having != other:
        return having
    if word in (*OF_LOSS, "choose") and who not in owners:
        return None
    return owners.get(who, word != "crash")
