"""Changes the battle of a line as a follow-up says: the numbers, the units and the options of the new line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.games.base import Rooms
from bot.languages import N_
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.plans import read_change
from bot.phrases.after.words import POINTS, Amount, Said
from bot.phrases.armies import gather
from bot.phrases.canonical import canonical
from bot.phrases.meaning import NotClearError
from bot.phrases.options import has_options_of_defender, options_of, stop_at_rest, unit_options
from bot.phrases.pieces import SHIPS, pieces_of
from bot.phrases.tags import Tagger
from bot.phrases.tokens import tokens_of
from bot.phrases.words import Words

WHOSE = N_("Whose number is that?")
WHICH_PLACE = N_("Which territory is that about?")
ADDED_OR_ALL = N_("Are these all there are, or are they added?")
NO_CHANGE = N_("I can't change that battle so. Type it in full.")
_DICE = re.compile(r"(\d+) (\d+)(?= [a-z]|$)")
_PATH = re.compile(r"\d+ > \d+")
_UNITS = re.compile(r"(\d+) ([a-z]+)(?= |$)")
_MAP = re.compile(r"(\d+) [a-z ]+ > ")


@dataclass(frozen=True)
class Context:
    """The question that was answered: its command, the line of its battle, and the words about the question."""

    rooms: Rooms
    command: str
    line: str
    asked: str = ""

    @property
    def full(self) -> str:
        """The whole line, in canonical form."""
        return self.write(self.line)

    def write(self, line: str) -> str:
        """Return another line as the same question, in canonical form."""
        command = f"/{self.command} " if self.command else ""
        return canonical(self.rooms, f"{command}{line} {self.asked}".strip())

    @property
    def numbers(self) -> tuple[int, int] | None:
        """The numbers of a battle with dice; None for other lines."""
        match = _DICE.match(self.line)
        return (int(match[1]), int(match[2])) if match else None

    @property
    def is_path(self) -> bool:
        """Whether the line is a path through several territories."""
        return bool(_PATH.match(self.line))

    @property
    def plans(self) -> Sequence[str]:
        """The two plans of a comparison; none for other lines."""
        return self.line.split(" or ") if self.command == "compare" else ()


def context_of(rooms: Rooms, after: str) -> Context:
    """Return the question that a line asks; UserError if it is none."""
    line = canonical(rooms, after)
    command, _space, rest = line[1:].partition(" ") if line.startswith("/") else ("", "", line)
    words = rest.split()
    at = next((index for index, word in enumerate(words) if word.partition(":")[0] in ASKED_WITH_BATTLE), len(words))
    return Context(rooms, command, " ".join(words[:at]), " ".join(words[at:]))


def change(context: Context, said: Said) -> str:
    """Return the line of a battle after a change of its armies and options; NotClearError if that is open."""
    if context.plans:
        return _change_plans(context, said)
    return next(make for fits, make in _KINDS if fits(context))(context, said)


def _change_plans(context: Context, said: Said) -> str:
    """Change both plans of a comparison, which stay two."""
    first, second = (change(Context(context.rooms, "", plan), said) for plan in context.plans)
    if canonical(context.rooms, first) == canonical(context.rooms, second):
        raise NotClearError("the second plan", f"/compare {context.plans[0]} || {second}")
    return f"{first} || {second}"


def _apply(context: Context, line: str, text: str) -> str:
    """Return a line after a change in notation."""
    return context.rooms.write(read_change(context.rooms, line, text).battle) if text.strip() else line


# Battles with dice ------------------------------------------------------------------------------------


def _change_dice(context: Context, said: Said) -> str:
    """Change the numbers, ships and options of a battle with dice, or make a path of it."""
    assert context.numbers
    attackers, defenders = context.numbers
    armies = _with_sides([amount for amount in said.amounts if not amount.unit], context, attackers, defenders)
    new = {"attacker": attackers, "defender": defenders}
    for amount in armies:
        if amount.led == "then" and amount.mode == "set":
            return _change_path(replace(context, line=context.line.replace(" ", " > ", 1)), said)
        new[amount.side] = _count(amount, new[amount.side])
    text = [str(new["attacker"])] if new["attacker"] != attackers else []
    text += _ships(context, said)
    text += _dice_options(said, new["attacker"])
    text += ["vs", str(new["defender"])] if new["defender"] != defenders else []
    return _apply(context, context.line, " ".join(text))


def _with_sides(amounts: Sequence[Amount], context: Context, attackers: int, defenders: int) -> list[Amount]:
    """Return amounts of armies, each with its side; NotClearError if nobody says whose a number is."""
    old = {amount.count for amount in amounts if amount.mode == "old"}
    said = [amount for amount in amounts if amount.mode != "old"]
    if old and (len(old) > 1 or len(said) != 1):
        raise NotClearError("a number is left")
    sides = {(attackers, "attacker"), (defenders, "defender")}
    replaced = [side for count, side in sides if count in old]
    if old and not replaced:
        raise NotClearError("a number is left")
    for amount in said:
        if len(replaced) == 1:
            amount.side = amount.side or replaced[0]
        if not amount.side and amount.led != "then":
            amount.side = _side_of(amount, context, said, attackers, defenders)
    if len({amount.side for amount in said}) < len(said):
        raise NotClearError("a number is left")
    return said


def _side_of(amount: Amount, context: Context, said: Sequence[Amount], attackers: int, defenders: int) -> str:
    """Return the side of a number of which no word says whose it is: the attacker's, where that is sure."""
    others = [other.side for other in said if other is not amount]
    if len(others) == 1 and others[0]:
        return "defender" if others[0] == "attacker" else "attacker"  # "15 against 10"
    near = amount.led == "corrects" and abs(attackers - (amount.count or 0)) < abs(defenders - (amount.count or 0))
    if len(said) == 1 and amount.led != "has" and (amount.mode in ("more", "fewer") or amount.led == "make" or near):
        return "attacker"
    rest = context.line.removeprefix(f"{attackers} {defenders}")
    lines = [f"{amount.count} {defenders}{rest}", f"{attackers} {amount.count}{rest}"] if len(said) == 1 else []
    raise NotClearError(WHOSE, *filter(None, (_or_none(context, line) for line in lines)))


def _or_none(context: Context, line: str) -> str:
    """Return a line as the same question; it may be no line of notation, which whoever offers it leaves out."""
    return f"/{context.command} {line}" if context.command else line


def _count(amount: Amount, now: int) -> int:
    """Return how many there are after a change."""
    if amount.count is None:
        raise NotClearError("how many")
    after = {"more": now + amount.count, "fewer": now - amount.count, "set": amount.count}.get(amount.mode)
    if after is None or after < 0 or (amount.mode == "fewer" and after < 1):
        raise NotClearError("a number is left")
    return after


def _ships(context: Context, said: Said) -> list[str]:
    """Return the options for the ships that a follow-up names."""
    words = []
    there = dict(re.findall(r"(?<= )(d?(?:bombers|fighters|capitals)):(\d+)", context.line))
    for amount in said.amounts:
        if not amount.unit:
            continue
        if amount.unit not in SHIPS:
            raise NotClearError("which units")
        names = [f"{side}{SHIPS[amount.unit]}" for side in ("", "d")]
        gone = amount.mode in ("without", "old")
        having = [name for name in names if name in there]
        if not amount.side and (gone or amount.mode == "fewer"):
            if len(having) != 1:
                raise NotClearError("which side")
            name = having[0]
        else:
            name = names[amount.side == "defender"]
        now = int(there.get(name, 0))
        if gone and amount.count is not None and amount.mode == "without":
            amount = replace(amount, mode="fewer")
        words.append(f"{name}:{0 if gone and amount.count is None else _count(_plain(amount), now)}")
    return words


def _plain(amount: Amount) -> Amount:
    """Return an amount that is gone as one that is fewer."""
    return replace(amount, mode="fewer" if amount.mode in ("without", "old") else amount.mode)


def _dice_options(said: Said, attackers: int) -> list[str]:
    """Return the options of a battle with dice that a follow-up names, in notation."""
    options = [stop_at_rest(option, attackers) for option in options_of(said.tags)]
    if any("~" in option for option in options) or has_options_of_defender(said.tags, False):
        raise NotClearError("which side")
    return [option for option in options if option.partition(":")[0] not in ASKED_WITH_BATTLE]


def _change_path(context: Context, said: Said) -> str:
    """Change the attackers, the territories and the options of a path."""
    first, *places = context.line.split(" > ")
    attackers, text = int(first), list[str]()
    for amount in said.amounts:
        if amount.unit:
            continue
        if amount.led == "then" and amount.mode == "set" and not amount.where:
            last, _space, options = places[-1].partition(" ")
            places[-1:] = [last, f"{amount.count} {options}".strip()]
        elif amount.side == "defender" or amount.where:
            places = _change_place(context, places, amount)
        elif amount.side == "attacker" or amount.led == "make" or amount.mode in ("more", "fewer"):
            attackers = _count(amount, attackers)
        else:
            raise NotClearError(WHOSE)
    text = [*_ships(context, said), *(option.replace("behind:", "leave:") for option in _dice_options(said, attackers))]
    return _apply(context, " > ".join([str(attackers), *places]), " ".join(text))


def _change_place(context: Context, places: Sequence[str], amount: Amount) -> list[str]:
    """Return the territories of a path of which one has other defenders; NotClearError if nobody says which."""

    def change_at(index: int) -> list[str]:
        now, space, options = places[index].partition(" ")
        return [*places[:index], f"{_count(amount, int(now))}{space}{options}", *places[index + 1 :]]

    if not amount.where:
        first = context.line.partition(" > ")[0]
        lines = [" > ".join([first, *change_at(index)]) for index in range(len(places))]
        raise NotClearError(WHICH_PLACE, *(_or_none(context, line) for line in lines))
    index = len(places) - 1 if amount.where == "last" else int(amount.where) - 1
    if index >= len(places):
        raise NotClearError(WHICH_PLACE)
    return change_at(index)


# Battles of units -------------------------------------------------------------------------------------


def _change_units(context: Context, said: Said) -> str:
    """Change the units and options of the first wave of a battle."""
    first = context.line.partition(" then ")[0]
    armies = [{unit: int(count) for count, unit in _UNITS.findall(side)} for side in first.split(" vs ")]
    if len(armies) != 2:
        raise NotClearError(NO_CHANGE)
    if any(amount.led == "then" for amount in said.amounts):
        units = " ".join(f"{amount.count} {amount.unit}" for amount in said.amounts)
        if " then " in context.line or not all(amount.led == "then" and amount.unit for amount in said.amounts):
            raise NotClearError("what comes next")
        return _apply(context, context.line, f"then {units}")
    ours, theirs = list[str](), list[str]()
    replaced = [amount for amount in said.amounts if amount.mode == "old"]
    for amount in said.amounts:
        if replaced and not amount.side:
            amount.side = ("attacker", "defender")[_side_of_units(replaced[0], armies)]
        side = _side_of_units(amount, armies)
        (theirs if side else ours).append(_unit_change(amount, armies[side], said))
    options = [tag for tag in said.tags if tag.table in ("options", "variants")]
    tags = Tagger(Words(tokens_of(" vs ".join(_text(army) for army in armies)), "en")).tags()
    sides, _after = gather(pieces_of(tags))
    of_ours, rest = unit_options(options, sides[0], sides[-1])
    rest = [option for option in rest if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    text = " ".join([*ours, *of_ours, *(["vs", *theirs] if theirs else []), *rest])
    return _apply(context, context.line, text)


def _text(army: Mapping[str, int]) -> str:
    return " ".join(f"{count} {unit}" for unit, count in army.items())


def _side_of_units(amount: Amount, armies: Sequence[Mapping[str, int]]) -> int:
    """Return the army that a change is about, 0 for the attacker's: that with the units, where they are gone."""
    if not amount.unit:
        kinds = armies[amount.side == "defender"]
        if len(kinds) != 1:
            raise NotClearError("which units")
        amount.unit = next(iter(kinds))
        if not amount.side and not (amount.mode in ("more", "fewer") or amount.led == "make"):
            raise NotClearError(WHOSE)
    if amount.side and amount.led not in ("with", "make"):
        return int(amount.side == "defender")
    having = [side for side, army in enumerate(armies) if amount.unit in army]
    if amount.mode in ("without", "fewer", "old"):
        if len(having) != 1:
            raise NotClearError("which side")
        return having[0]
    if not amount.side and amount.mode == "set" and amount.led != "make":
        raise NotClearError("which side")
    return int(amount.unit == "aa")


def _unit_change(amount: Amount, army: Mapping[str, int], said: Said) -> str:
    """Return the change of an army in notation: "+2 inf"."""
    now = army.get(amount.unit, 0)
    if amount.mode in ("without", "old"):
        gone = now if amount.count is None else amount.count
        if not now or gone > now:
            raise NotClearError("which units")
        return f"-{gone} {amount.unit}"
    if amount.led == "against":
        listed = [f"{'+' if some.mode == 'more' else '-' if some.mode == 'fewer' else ''}" for some in [amount]]
        return f"{listed[0]}{amount.count} {amount.unit}"
    if amount.mode == "set" and now and amount.led == "with" and not said.marks & {"instead", "old"}:
        raise NotClearError(ADDED_OR_ALL)
    more = _count(amount, now) - now
    return f"{'+' if more >= 0 else '-'}{abs(more)} {amount.unit}"


# Other lines ------------------------------------------------------------------------------------------


def _change_raid(context: Context, said: Said) -> str:
    """Change the planes of a raid, or the damage that the factory can take."""
    sides = context.line.split(" vs ")
    armies = [{unit: int(count) for count, unit in _UNITS.findall(side)} for side in sides]
    rest = re.sub(r"^(\d+ [a-z]+ )*", "", f"{sides[1]} ").strip()
    for amount in said.amounts:
        if amount.unit in ("", POINTS):
            if amount.side == "attacker" or amount.mode == "old" or not rest[:1].isdigit():
                raise NotClearError("a raid")
            now, _space, words = rest.partition(" ")
            rest = f"{_count(amount, int(now))} {words}".strip()
            continue
        army = armies[amount.side == "defender"]
        army[amount.unit] = _count(_plain(amount), army.get(amount.unit, 0)) if amount.count is not None else 0
    options = [option for option in options_of(said.tags) if option.partition(":")[0] not in ASKED_WITH_BATTLE]
    ours, theirs = (_text({unit: count for unit, count in army.items() if count}) for army in armies)
    return " ".join(filter(None, [ours, "vs", theirs, rest, *options]))


def _change_map(context: Context, said: Said) -> str:
    """Change the number of those who attack on a map."""
    armies = [amount for amount in said.amounts if not amount.unit and amount.side != "defender" and not amount.where]
    if len(armies) != len(said.amounts) or len(armies) > 1:
        raise NotClearError(WHICH_PLACE)
    line = context.line
    for amount in armies:
        if amount.mode == "set" and not amount.side and amount.led not in ("make", "corrects"):
            raise NotClearError(WHOSE)
        number, _space, rest = line.partition(" ")
        line = f"{_count(amount, int(number))} {rest}"
    return " ".join([line, *_dice_options(said, 0)])


def _change_need(context: Context, said: Said) -> str:
    """Change the number that somebody wants to beat, or to hold against."""
    side = "attacker" if re.match(r"\d+ vs\b", context.line) else "defender"
    number, _space, rest = context.line.partition(" ")
    battle = Context(context.rooms, "", f"1 {number}" if side == "defender" else f"{number} 1")
    if any(amount.side not in ("", side) for amount in said.amounts if not amount.unit):
        raise NotClearError("another command")
    for amount in said.amounts:
        amount.side = amount.side or side if not amount.unit else amount.side
    options = " ".join(word for word in rest.split() if word != "vs" and "%" not in word)
    chances = [word for word in rest.split() if "%" in word]
    changed = change(replace(battle, line=f"{battle.line} {options}".strip()), said)
    one, two, *words = changed.split()
    return " ".join([*([two] if side == "defender" else [one, "vs"]), *words, *chances])


def _refuse(_context: Context, _said: Said) -> str:
    raise NotClearError(NO_CHANGE)


_KINDS: Sequence[tuple[Callable[[Context], bool], Callable[[Context, Said], str]]] = (
    (lambda it: it.command == "need" and not _UNITS.match(it.line) and it.numbers is None, _change_need),
    (lambda it: it.command == "bombing", _change_raid),
    (lambda it: it.command == "place", _refuse),
    (lambda it: it.numbers is not None, _change_dice),
    (lambda it: it.is_path, _change_path),
    (lambda it: bool(_MAP.match(it.line)), _change_map),
    (lambda it: " vs " in it.line, _change_units),
    (lambda _it: True, _refuse),
)
"""What changes the lines of each kind."""
