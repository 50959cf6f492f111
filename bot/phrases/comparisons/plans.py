"""Composes lines of /compare: two plans in a phrase, or a plan and what is different in another."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from bot.phrases.armies import gather
from bot.phrases.comparisons.changes import CHANGES, plans_with_changes
from bot.phrases.comparisons.several import compose_plans, compose_several
from bot.phrases.dice_lines import SUMS
from bot.phrases.lines import compose_battle
from bot.phrases.meaning import Meaning, NotClearError
from bot.phrases.pieces import ATTACKS, OR, SHIPS, SUBJECTS, pieces_of_armies
from bot.phrases.tag import ENDS, NOTHING, OF_ARMIES, OF_UNITS, Tag, has_role, has_table, tag_at, tags_of, values_of

ATTACKER = Tag("roles", "self", 0, 0)
"""Goes before what two plans differ in: ships without a side are the attacker's there."""
PARTING = ("with", "and", "against", "then", "onto")
"""The roles of words that may stand between two plans, beside "or"."""
PARTING_SIDES = ("against", "onto", "then", "through")
"""The roles of words that part two sides, or territories."""
BATTLES_IN_A_ROW = ["number", "against", "number", "against", "number", "against", "number"]
"""The meanings of the words of two battles that are compared like two armies."""
LEAST_ENEMIES = 2
"""How many enemies are compared."""
BESIDES = {*("too", "also", "auch", "zusätzlich", "dazu", "también", "además", "тоже", "также", "ещё"), *SUMS}
"""The words with which a second plan has all of the first, and more."""
LIMITS = {"stop", "losses", "rounds", "retreat"}
"""The options that end an attack."""
_DEFENDERS_SHIP = re.compile(r" d((?:bombers|fighters|capitals):)")
_SHIP = re.compile(r"(?<= )d?(?:bombers|fighters|capitals):")
_SHIPS = re.compile(r" d?(?:bombers|fighters|capitals):\d+")
_DICE = re.compile(r"\d+ \d+")


def compose_comparison(_question: str, tags: Sequence[Tag]) -> Meaning:
    """Compose the comparison of the two plans in a phrase; NotClearError if there are not two."""
    asked = any(tag.value == "compare" for tag in tags)
    if not asked and any(tag.table == "skips" and tag.value == "unsure" for tag in tags):
        raise NotClearError("two plans")  # "he has 2 or 3, not sure"
    tags = part_battles([tag for tag in tags if tag.table != "questions"])
    with suppress(NotClearError):
        first, second = map(_compose_plan, plans_with_changes(tags))
        return Meaning(f"/compare {first.line} || {second.line}", first.reasons, is_summed=True)
    tags = _without_changes(tags)
    at = [index for index, tag in enumerate(tags) if tag.is_role(*OR)]
    if several := None if _are_paths(tags, at) else compose_several(tags, _compose_plan):
        return several
    if len(at) > 1:
        return compose_plans(tags, at, _compose_plan)
    if at:
        return _compare_beside_or(tags, at[0], asked)
    return _compare_beside_words(tags) or _compare_enemies(tags, asked)


def _without_changes(tags: Sequence[Tag]) -> list[Tag]:
    """Return tags with the battle first, and without the words for a change and those that only say who comes along."""
    rest = [tag for tag in _battle_first(tags) if not tag.is_role(*CHANGES)]
    return [ATTACKER if _brings_ships(rest, index) else tag for index, tag in enumerate(rest)]


def _are_paths(tags: Sequence[Tag], at: Sequence[int]) -> bool:
    """Tell whether a path stands on each side of the only "or"."""
    return len(at) == 1 and has_role(tags[: at[0]], "through") and has_role(tags[at[0] :], "through")


def _compare_beside_or(tags: Sequence[Tag], at: int, asked: bool) -> Meaning:
    """Compare the plans on both sides of a word such as "or", at a place; `asked` if words ask for that."""
    if not asked and _limits_twice(tags[:at], tags[at + 1 :]):
        raise NotClearError("two plans")  # "for 10 rounds or until 4 are left"
    try:
        return _compare_parts(tags[:at], tags[at + 1 :])
    except NotClearError:
        if pair := compose_several(tags, _compose_plan, least=2):
            raise NotClearError("two plans", pair.line) from None  # or somebody is not sure
        raise


def _compare_beside_words(tags: Sequence[Tag]) -> Meaning | None:
    """Compare the plans on both sides of a word such as "and", or of a sign; None if there are not two."""
    parted = [index for index, tag in enumerate(tags) if tag.is_role(*PARTING) or tag.table == "sign"]
    for index in sorted(parted, key=lambda index: not tags[index].is_role("and")):
        with suppress(NotClearError):
            first, second = _compose_plan(tags[:index]), _compose_plan(tags[index + 1 :])
            return Meaning(f"/compare {first.line} or {second.line}", first.reasons)
    return None


def part_battles(tags: Sequence[Tag]) -> list[Tag]:
    """Return tags in which the second of three words such as "versus" means "or": "9 v 6 versus 13 v 10"."""
    said = [tag for tag in tags if tag.table in OF_ARMIES or tag.is_role(*PARTING_SIDES, *OR)]
    middle = said[len(said) // 2] if said else NOTHING
    parted = [tag.table if tag.table in OF_ARMIES else tag.value for tag in said] == BATTLES_IN_A_ROW
    parted = parted and middle.text not in {tag.text for tag in said if tag is not middle}  # not "8 vs 6 vs 4 vs 2"
    return [replace(tag, value="or") if parted and tag is middle else tag for tag in tags]


def _compare_enemies(tags: Sequence[Tag], asked: bool) -> Meaning:
    """Compare the battles of one's own army against each of two: "Tom has 7, Anna 9 and I have 12. Who do I hit?"."""
    armies, _after = gather(pieces_of_armies(tags))
    own = [army for army in armies if army.label == "self" or "self" in army.roles]
    others = [army for army in armies if army not in own]
    plain = all(len(army.stacks) == len(army.numbers) == 1 for army in armies)
    if not asked or len(own) != 1 or len(others) != LEAST_ENEMIES or not plain or has_role(tags, *PARTING_SIDES):
        raise NotClearError("two plans")
    first, second = (f"{own[0].numbers[0]} {army.numbers[0]}" for army in others)
    return Meaning(f"/compare {first} or {second}")


def _brings_ships(tags: Sequence[Tag], index: int) -> bool:
    """Tell whether a verb only says which ships come along: "should I take 2 bombers along or 3 fighters"."""
    kind = tag_at(tags, index + 2)
    ships = kind.table in OF_UNITS and (kind.value in SHIPS or kind.table == "ships")
    return tags[index].is_role("attack") and tag_at(tags, index - 1).is_role("self") and ships


def _battle_first(tags: Sequence[Tag]) -> Sequence[Tag]:
    """Return tags with the battle before the two plans: "stop at 2 or at 5? 14 vs 11"."""
    at = next((index for index, tag in enumerate(tags) if tag.is_role(*OR)), None)
    end = next((index for index, tag in enumerate(tags) if at and index > at and tag.text in (",", *ENDS)), None)
    if at is None or end is None or has_role(tags[:end], "against") or not has_table(tags[:at], "options"):
        return tags
    with suppress(NotClearError):
        compose_battle(tags[end + 1 :])
        return [*tags[end + 1 :], *tags[:end]]
    return tags


def _compare_parts(left: Sequence[Tag], right: Sequence[Tag]) -> Meaning:
    """Compare two plans: whole ones, or a whole one and a change, or two against the same enemy."""
    problem: NotClearError | None = None
    bare = [tag for tag, after in pairwise([*right, NOTHING]) if not _is_without(tag, after)]
    nothing, right = len(bare) < len(right), bare
    for plans in _PLANS:
        try:
            first, second = (_compose_plan(plan) for plan in plans(left, right))
        except NotClearError as error:
            problem = problem or error
        else:
            if _kind_of(first.line) != _kind_of(second.line):
                raise NotClearError("the second plan")
            line = _SHIPS.sub("", second.line) if nothing else second.line
            line = _without_ships_of(first.line, line) if nothing or plans is _whole_plans else line
            if line == first.line:
                raise NotClearError("the second plan")
            if _is_number_alone(left, right) and not has_role([*left, *right], "men", *ATTACKS, "with"):
                raise NotClearError("two plans", f"/compare {first.line} or {line}")  # "10 or 12 vs 9": of whom?
            return Meaning(f"/compare {first.line} or {line}", first.reasons)
    assert problem is not None
    raise problem


def _words_of(tags: Sequence[Tag]) -> list[Tag]:
    """Return the words among tags that mean something."""
    return [tag for tag in tags if not (tag.means_nothing or tag.table == "sign")]


def _is_without(tag: Tag, after: Tag) -> bool:
    """Tell whether a word says that a plan has no ships: "or with 15 and nothing else"."""
    none = tag.table == "number" and tag.value == "0" and not tag.text.isdecimal() and after.table not in OF_UNITS
    return none or (tag.table == "skips" and tag.value == "bare")


def _compose_plan(tags: Sequence[Tag]) -> Meaning:
    """Compose a plan; ships behind it are the attacker's: "12 vs 9 with 2 bombers or with a capital ship"."""
    meaning = compose_battle(tags)
    if leaves_ships_open(tags):
        return replace(meaning, line=_DEFENDERS_SHIP.sub(r" \1", meaning.line))
    return meaning


def _limits_twice(left: Sequence[Tag], right: Sequence[Tag]) -> bool:
    """Tell whether the words behind "or" are one more limit of the same plan."""
    limits = [{tag.value.split(":")[0] for tag in part if tag.table == "options"} for part in (left, right)]
    rest = [tag for tag in _words_of(right) if tag.table != "options" and not tag.is_role("onto")]
    return not rest and all(limits) and not limits[0] & limits[1] and all(some <= LIMITS for some in limits)


def _without_ships_of(first: str, second: str) -> str:
    """Return a second plan that says that it has none of the ships of the first: those stay each plan's."""
    named = set(_SHIP.findall(second))
    return " ".join([second, *(f"{ship}0" for ship in _SHIP.findall(first) if ship not in named)])


def _kind_of(line: str) -> str:
    """Return whether a line is about units, a path, or a battle with dice."""
    return "units" if not _DICE.match(line.replace(" > ", " ")) else "path" if ">" in line else "dice"


def _whole_plans(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    return left, right


def _changed_plans(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    base, old = _parts_of_plan(left, right)
    return [*base, ATTACKER, *old], [*base, ATTACKER, *right]


def _plans_with_one_enemy(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans of which the second names the enemy: "5 subs or 4 destroyers attacking 2 cruisers"."""
    units = has_table(left, *OF_UNITS) or _is_number_alone(left, right)
    for index, tag in enumerate(right):
        if index and units and (tag.is_role("attack", "against", "onto") or tag.text in ENDS):
            return [*left, *right[index:]], right
    raise NotClearError("the second plan")


def _is_number_alone(left: Sequence[Tag], right: Sequence[Tag]) -> bool:
    """Tell whether "or" stands between two numbers that attack the same, and of which none is another player's."""
    says = [tag for tag in _words_of(left) if not tag.is_role("men", *ATTACKS)]
    return [tag.table for tag in says] == ["number"] and not has_role([*left, *right], "self", "other")


def _plans_of_title(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans behind what both share: "vs 5 inf: 4 inf 2 figs or 4 inf 3 tanks"."""
    shares = [index for index, tag in enumerate(left) if tag.text in (":", ",", *ENDS)]
    if right and right[0].is_role("with"):
        shares = [index - 1 for index, tag in enumerate(left) if tag.is_role("with")]
    if not shares or not has_table(right, *OF_ARMIES):
        raise NotClearError("the second plan")
    return left, [*left[: shares[-1] + 1], *right]


def _plans_of_verb(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans that share the verb: "attack 9 with 12 or 12 with 15"."""
    verbs = [replace(tag, value="attack") for tag in left if tag.is_role(*ATTACKS)]
    if len(verbs) != 1 or has_role(right, "attack", "against", "onto", "hold"):
        raise NotClearError("the second plan")
    return left, [*verbs, *right]


def _plans_in_front(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans in front of their battle: "2 fighters or a bomber for my 12 against 9", "stop at 3 or 5 ..."."""
    options = _options_with_number(left)
    ships = any(tag.table == "ships" or tag.value in SHIPS for tag in left)
    for index, tag in enumerate(right):
        begins = index or tag.text == ":"  # "with 2 bombers or without: 12 vs 9"
        if not begins or not tag.is_role("for", "with", "when", "against", "onto", "attack", "self", "have"):
            continue
        with suppress(NotClearError):
            if _DICE.match(compose_battle(right[index:]).line):
                first, second = _plans_of_number(left, right[:index]) if options else (left, right[:index])
                if ships or options:
                    return [*right[index:], ATTACKER, *first], [*right[index:], ATTACKER, *second]
    raise NotClearError("the second plan")


def _options_with_number(tags: Sequence[Tag]) -> list[Tag]:
    """Return the options with a single number."""
    return [tag for tag in tags_of(tags, "options") if len(tag.slots) == 1]


def _plans_of_number(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans that differ in the number of an option: "quit at 3 or at 6"."""
    numbers = [tag for tag in _words_of(right) if not tag.is_role("onto", "with")]
    options = _options_with_number(left)
    if [tag.table for tag in numbers] != ["number"] or len(options) != 1:
        raise NotClearError("the second plan")
    other = replace(options[0], slots=(numbers[0].value,), numbers=numbers[0].numbers)
    return left, [other if tag is options[0] else tag for tag in left]


def _parts_of_plan(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[list[Tag], list[Tag]]:
    """Split the tags of a first plan: what both plans have, and what the second, which is no whole battle, changes."""
    tables = {tag.table for tag in right} & {"options", "variants", *OF_UNITS}
    if not tables or has_table(right[-1:], "number"):
        raise NotClearError("the second plan")
    options = {value.split(":")[0] for value in values_of(right, "options")}
    replaced = _replaced_variants(left, right)
    shared: list[Tag] = []
    old: list[Tag] = []
    for tag in left:
        if tag in replaced or (tag.table == "options" and tag.value.split(":")[0] in options):
            old.append(tag)
        elif tag.value in (*SHIPS, *SHIPS.values()) and tables & {*OF_UNITS}:
            last = tag_at(shared, len(shared) - 1)
            counted = last.table == "number" or (last.table == "noise" and last.value != "")
            old += [*([shared.pop()] if counted else []), tag]
        else:
            shared.append(tag)
    return shared, old


def _replaced_variants(left: Sequence[Tag], right: Sequence[Tag]) -> Sequence[Tag]:
    """Return the variant for which a second plan has another: "with a bunker or with a wall", not "or a wall too"."""
    variants = tags_of(left, "variants")
    words = {word for tag in right for word in tag.text.split()}
    if not has_table(right, "variants") or words & BESIDES:
        return []
    if len(variants) > 1:
        raise NotClearError("the second plan")  # for both of them, or for the last
    return variants


def leaves_ships_open(tags: Sequence[Tag]) -> bool:
    """Tell whether ships stand behind "with", and no word says whose they are."""
    at = next((index for index, tag in enumerate(tags) if tag.table == "ships" or tag.value in SHIPS), 0)
    one = at > 0 and tags[at - 1].table == "noise" and tags[at - 1].value == "1"  # "with a bomber"
    before = [tag for tag in tags[: at - one] if not tag.means_nothing]
    counted = one or tag_at(before, len(before) - 1).table == "number"
    link = len(before) - (1 if one else 2)
    owners = [owner for word, owner in pairwise(tags[at:]) if word.is_role("for", "onto", "have")]
    said = has_role([tag_at(before, link - 1), *owners], *SUBJECTS)
    return counted and tag_at(before, link).is_role("with") and not said


def _plans_with_one_number(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans of which the second names one number: "attack 8 with 10 or 13", "12 at Bob's 8 or Lisa's 9"."""
    says = _words_of(right)
    numbers = tags_of(says, "number")
    battle = _DICE.match(compose_battle(left).line)
    if len(numbers) != 1 or not battle or {tag.table for tag in says} - {"number", "roles"}:
        raise NotClearError("the second plan")
    attackers, defenders = battle[0].split()
    brings, meets = _brings_number(left, says), has_role(says, "onto", "against", "other")
    if attackers == defenders or not (brings or meets) or has_role(says, "hold", "then"):
        raise NotClearError("the second plan")
    old = attackers if brings else defenders
    return left, [numbers[0] if tag.table == "number" and tag.value == old else tag for tag in left]


def _brings_number(left: Sequence[Tag], says: Sequence[Tag]) -> bool:
    """Tell whether the number of a second plan is how many attack: "attack 8 with 10 or 13"."""
    last = next((index for index, tag in reversed([*enumerate(left)]) if not tag.means_nothing), 0)
    alone = len(says) == 1 and tag_at(left, last - 1).is_role("with") and has_role(left, *ATTACKS)
    return alone or any("with" in tag.value.split() for tag in says)


def _plans_to_the_end(left: Sequence[Tag], right: Sequence[Tag]) -> tuple[Sequence[Tag], Sequence[Tag]]:
    """Return two plans of which only the first stops: "stop at 6, or go all the way"."""
    stops = [tag for tag in left if tag.table == "options" and tag.value == "stop:{n}"]
    says = [tag for tag in right if not (tag.means_nothing or tag.text in ENDS or tag.is_role("onto"))]
    if len(stops) != 1 or not right or says:
        raise NotClearError("the second plan")
    return left, [replace(tag, slots=("0",), numbers=(0,)) if tag is stops[0] else tag for tag in left]


_PLANS = (
    *(_whole_plans, _changed_plans, _plans_with_one_enemy, _plans_of_title),
    *(_plans_of_number, _plans_of_verb, _plans_in_front, _plans_with_one_number, _plans_to_the_end),
)
"""The ways to find two plans on both sides of "or"."""
