"""Reads the words of a follow-up: the armies that it names, whose they are, and what becomes of them.

"what if he has 2 more" is one change: 2 more for the defender. What that makes of a battle says `changes.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from bot.phrases.after.marks import MARK, tags_with_marks
from bot.phrases.after.said import HOLDS, KINDS, POINTS, TIMES, Amount, Said
from bot.phrases.meaning import NotClearError
from bot.phrases.pieces import ATTACKS, SIDES
from bot.phrases.special import OPEN
from bot.phrases.tag import NOTHING, OF_UNITS, Tag, tag_at
from bot.phrases.words import Words

DEFENDING = (["defender"], ["self", "defender"], ["other", "attacker"])
"""The owners that a phrase without armies names if the player who asks is to defend."""
COUNTING = ("more", "fewer")
"""The words that may stand behind the number that they change."""
MODES = ("more", "fewer", "without", "no", "old")
"""The words that say what becomes of an army; without one it is there."""
PREFIXES = {"lost": "fewer", "one more": "more", "plus": "more"}
"""The words that say so of what stands behind them only."""
GONE = ("without", "no", "old")
"""The words among them after which an option ends, or all units of a kind are gone."""
OWNERS = {side: side for side in SIDES} | {"self": "attacker", "other": "defender", "here": "defender"}
"""The sides that words name: the player who asks about an answer attacks there, unless a word says otherwise."""
PASSING = (
    *("and", "have", "men", "unit", "outcome", "send", "territory", "for", "is", "are", "instead", "escort"),
    *("here", "there", "another", "attacked", *ATTACKS, *HOLDS),
)
"""The roles of words that change nothing by themselves beside a battle that is known."""
UNSURE = ("count", "unsure")
"""The skips that leave something open: "one more territory", "10, not sure"."""
SWAPPING = {"as_defender": "swapped", "swap": "swap"}
"""The roles of words for the other side, with the words of follow-ups that say the same."""
KNOWN = ("options", "variants", "questions", "chance", "noise", "names", "skips", "outlooks")
"""The tables of words that are no part of an army."""
DEFENDED = dict.fromkeys(ATTACKS, "defender") | dict.fromkeys((*HOLDS, "attacked"), "attacker")
"""The verbs that say that the player who asks is to defend, with the side that a word before them names."""
ACTS = ("have", "send", *ATTACKS, *HOLDS)
"""The roles of verbs whose form may say whose they are."""
ONE = 1


def read_words(words: Words) -> Said:
    """Read the words of a follow-up; NotClearError if a unit has no number."""
    return _Walk(tags_with_marks(words)).read()


def _complete(said: Said, place: str) -> Said:
    """Return the parts of a follow-up with what only all of them tell; NotClearError if nobody knows who attacks."""
    _mark_old(said)
    if said.owners[:1] == ["other"]:
        said.marks.discard("swapped")  # the other player defends already
    if "without" in said.marks and not said.amounts and place:
        said.amounts = [Amount(None, "", "defender", "without", "have", place)]  # "forget the last one"
    sides = {"each": SIDES}
    said.amounts = [replace(one, side=side) for one in said.amounts for side in sides.get(one.side, (one.side,))]
    if not said.amounts:
        said.defends = _defends(said)
    elif said.defends or "swapped" in said.marks or _is_aimed(said):
        raise NotClearError("who attacks")
    if _is_verb(said):
        said.unknown = []
    return said


def _defends(said: Said) -> bool:
    """Tell whether a text without armies says that the player who asks is to defend."""
    acts = any([tag.who] == said.owners for tag in said.values("options"))  # "if the defender retreats after 2 rounds"
    return said.marks.isdisjoint(COUNTING) and (said.defends or (said.owners in DEFENDING and not acts))


def _mark_old(said: Said) -> None:
    """Mark the first of two armies as old if the second one takes its place."""
    swaps = "swap" in said.marks and len(said.amounts) == len(SIDES)  # "swap a tank for a fighter"
    gone = [one.mode in ("fewer", "without") for one in said.amounts]
    if swaps or ("instead" in said.marks and gone == [True, False]):  # "take the fighters out, 2 tanks instead"
        said.amounts[0].mode = "old"
        said.marks.discard("swap")


def _is_aimed(said: Said) -> bool:
    """Tell whether a verb of attack stands beside a bare number: "we meet at 7"."""
    bare = any((one.unit, one.mode, one.led) == ("", "set", "have") for one in said.amounts)
    return bare and bool(said.roles & {*ATTACKS}) and said.roles.isdisjoint(("with", "have", "send", "against"))


def _is_verb(said: Said) -> bool:
    """Tell whether the only word that nobody knows is a verb beside a number: "what if he ferries in 4 more"."""
    alone = [tag.table for tag in said.unknown] == ["unknown"] and len(said.amounts) == 1
    owned = alone and said.amounts[0].side and not said.amounts[0].unit
    return bool(owned and said.marks & {"if", "down"} and said.roles <= {"and", *OWNERS})


class _Walk:
    """Walks over the tags of a follow-up."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self._tags, self._place = tags, 0
        self._said = Said()
        self._side = self._led = self._mode = self._where = ""
        self._end = -1

    def read(self) -> Said:
        """Return the parts of the follow-up."""
        readers = {MARK: self._read_mark, "roles": self._read_roles, "sign": self._read_sign}
        readers |= dict.fromkeys(("number", *OF_UNITS), self._read_amount)
        while self._place < len(self._tags):
            tag = self._tags[self._place]
            self._place += 1
            (self._read_amount if self._is_one(tag) else readers.get(tag.table, self._read_other))(tag)
        if self._where and self._said.amounts:
            self._said.amounts[-1].where = self._said.amounts[-1].where or self._where  # "10 in the first one"
        return _complete(self._said, self._where)

    def _next(self, ahead: int = 0) -> Tag:
        return tag_at(self._tags, self._place + ahead)

    def _is_one(self, tag: Tag) -> bool:
        """Tell whether a word for one counts armies: "one more", "einer weniger"."""
        if tag.table != "noise" or tag.value != str(ONE):
            return False
        after = self._next()
        counts = self._mode in COUNTING and after.table not in (*OF_UNITS, "variants", *OPEN)  # "plus a fortification"
        counted = counts or self._is_between(after) or after.is_role("with")
        mark = self._next(1) if after.is_role(*SIDES) else after  # "ein Verteidiger mehr"
        return counted or (mark.table == MARK and mark.value in COUNTING)

    def _set(self, side: str, led: str, mode: str = "") -> None:
        """Note what the words before the next army say of it."""
        self._side, self._led, self._mode = side, led, mode

    def _lead(self, led: str) -> None:
        """Note what a word says of the next number, or of the one right before it: "17, sorry"."""
        self._led, self._mode = led, "" if led == "make" and self._mode == "without" else self._mode
        last = self._said.amounts[-1:]
        if last and not last[0].led and self._place - self._end <= len((",", led)):
            last[0].led = led
        if last and self._place - 2 == self._end and tag_at(self._tags, self._end).is_role("have"):
            last[0].mode = "old"  # "the 4 is actually a 6"
            self._said.marks.add("old")

    def _read_other(self, tag: Tag) -> None:
        said = self._said
        if tag.table in ("options", "variants", *OPEN) and self._mode in GONE:
            said.ended.append(tag)
        elif tag.table in KNOWN and not (tag.table == "skips" and tag.value in UNSURE):
            said.tags.append(tag)
            if tag.table == "names" and self._next().is_role("have", "send"):
                self._set("defender", "have")  # "what if Tom has 10"
        else:
            said.unknown.append(tag)

    def _read_mark(self, tag: Tag) -> None:
        """Read a word of follow-ups."""
        amounts, name = self._said.amounts, tag.value
        self._said.marks.add(name)
        if name == "first" and self._next().is_role("have"):
            name = "place 1"  # "what if the first has 6"
        if name.startswith("place "):
            self._where = name.removeprefix("place ")
        elif mode := self._mode_behind(name):
            amounts[-1].mode = mode
        elif name == "gone" and not amounts:
            self._mode = "fewer"  # "murieron 2 de mis tanques"
        elif name == "clock" and self._next().table == "number" and self._next(1).value not in COUNTING:
            self._said.unknown.append(tag)  # "um 7"
        elif name in (*MODES, *PREFIXES):
            self._mode = PREFIXES.get(name, name)
        elif name in ("make", "corrects"):
            self._lead(name)
        elif name == "instead" and self._mode in GONE:
            self._mode = ""
        elif name == "other":
            self._set("defender", "have", self._mode_before())
        else:
            self._read_as(tag)

    def _mode_behind(self, name: str) -> str:
        """Return what becomes of the army before a word; "" if the word does not say so."""
        if name == "lost":
            return "fewer" if [one.led for one in self._said.amounts[-1:]] == ["have"] else ""  # "wenn ich 2 verliere"
        if self._place - 1 != self._end:
            return ""
        ends = name == "without" and self._next().table in ("", "sign", "roles")  # "nimm ihm 2 weg"
        return "fewer" if ends else name if name in COUNTING else ""

    def _read_as(self, tag: Tag) -> None:
        """Read a word of follow-ups as what it stands for: an army, the owner of one, or a question."""
        table, _space, value = tag.value.partition(" ")
        if table == "roles":
            self._read_roles(replace(tag, table=table, value=value, case="own"))
        elif table == "questions":
            self._said.tags.append(replace(tag, table=table, value=value))
        elif table in TIMES:
            self._read_amount(tag)
        elif table in MODES:
            self._read_as(replace(tag, value=value))
            self._mode = table

    def _read_amount(self, tag: Tag) -> None:
        """Read a number with its unit, or a unit alone."""
        count, another = self._count(tag), tag_at(self._tags, self._place - 2).value == "one more"
        if count == ONE and self._next().is_role("with") and self._next(1).table == "number":
            self._set("", "then" if self._led == "then" else "has", "more")  # "another one with 3"
            self._place += 1
            return
        mode, kind = self._read_kind(tag)
        if tag.value in TIMES:
            mode = tag.value
        elif self._is_gone():
            mode, count = ("without", None) if kind.plural and count is None else ("fewer", count or ONE)
        elif kind.value and count is None:
            mode, count = self._count_of_kind(mode, kind, another)
        self._add(Amount(count, KINDS.get(kind.value, kind.value), self._side, mode, self._led, self._where, kind.text))

    def _add(self, amount: Amount) -> None:
        """Note an army, with what becomes of it in plain words."""
        mode, counted = amount.mode, amount.count is not None
        if mode == "no" and counted and not amount.unit:
            amount.mode, amount.led = "set", amount.led or "corrects"  # "no 13"
        elif not mode or (mode, amount.led) == ("more", "then"):
            amount.mode = "set"  # "then 4 more"
        elif mode in ("without", "no"):
            amount.mode = "fewer" if counted else "without"
        self._said.amounts.append(amount)
        self._where, self._end = "", self._place
        self._mode = "" if mode == "old" else self._mode

    def _count_of_kind(self, mode: str, kind: Tag, another: bool) -> tuple[str, int | None]:
        """Return what becomes of units without a number, and how many these are; NotClearError if nobody says so."""
        if mode == "fewer" and "lost" in self._said.marks:
            return "without", None  # "if he loses the aa gun"
        if mode in GONE:
            return mode, None if kind.plural or mode != "old" else ONE  # "вместо танка"
        count = self._count_behind()
        if count is None and kind.plural and not another:
            raise NotClearError("how many")
        return mode, ONE if count is None else count

    def _is_gone(self) -> bool:
        """Tell whether the words behind an army say that it is gone: "his fighter flew off"."""
        behind = takewhile(lambda tag: tag.table not in ("sign", "number", *OF_UNITS), self._tags[self._place :])
        return any(tag.table == MARK and tag.value == "gone" for tag in behind)

    def _read_kind(self, tag: Tag) -> tuple[str, Tag]:
        """Read what stands behind a number, and return what becomes of the army, and its kind of unit, or NOTHING."""
        mode = self._mode
        while tag.table not in OF_UNITS:
            tag = self._next()
            if tag.is_role("by", "for", "self", "other") and self._is_between(tag):
                self._side = OWNERS.get(tag.value, self._side)  # "2 of his tanks"
                self._place += 1
                continue
            if tag.table == MARK and tag.value in COUNTING:
                mode = tag.value
                self._said.marks.add(mode)
            elif tag.is_role("points"):
                tag = Tag("units", POINTS, 0, 0)
            elif tag.table not in OF_UNITS and (not tag.means_nothing or tag.value or tag.table == "skips"):
                return mode, NOTHING
            self._place += 1
        return mode, tag

    def _count_behind(self) -> int | None:
        """Read the number that stands behind a unit and its owner: "пехоты у него 8"; None if there is none."""
        idle = takewhile(lambda tag: tag.is_role("have", *OWNERS) or tag.text == ":", self._tags[self._place :])
        between = [*idle]
        number, after = self._next(len(between)), self._next(len(between) + 1)
        if number.table != "number" or after.table in OF_UNITS:
            return None
        self._place += len(between) + 1
        for tag in between:
            self._read_roles(tag)
        return number.numbers[0]

    def _is_between(self, tag: Tag) -> bool:
        """Tell whether the next word names the owner of units right behind it."""
        owner, ahead = (tag, 1) if tag.value in OWNERS else (self._next(1), 2)
        return owner.value in OWNERS and self._next(ahead).table in OF_UNITS

    def _count(self, tag: Tag) -> int | None:
        """Return the number that a word is, or that stands before a unit as an article."""
        if tag.table in ("number", "noise"):
            return tag.numbers[0] if tag.numbers else ONE
        before = tag_at(self._tags, self._place - 2)
        article = before.table == "noise" and before.value == str(ONE) and self._mode not in ("without", "no")
        return ONE if article else None

    def _read_roles(self, tag: Tag) -> None:
        """Read a word about the armies beside it."""
        said, roles = self._said, tag.value.split()
        said.roles |= {*roles}
        for role in roles:
            owner = "each" if role == "each" else OWNERS.get(role) or (OWNERS.get(tag.case, "") if role in ACTS else "")
            if owner and said.amounts and self._is_behind(tag, role):
                said.amounts[-1].side, said.amounts[-1].led = owner, "have"  # "10 defenders", "3 more for him"
                self._end = self._place
            elif owner and (role != "here" or self._next().is_role("have", "have there")):
                self._set(owner, "have", self._mode_before())
            elif not self._read_role(role, tag):
                said.unknown.append(tag)
            said.owners += {role} & OWNERS.keys()
            said.defends |= DEFENDED.get(role) == self._side and self._led == "have" and not said.amounts

    def _is_behind(self, tag: Tag, role: str) -> bool:
        """Tell whether a word for a side stands behind its army."""
        words = [tag for tag in self._tags[: self._place - 1] if tag.table != "noise"]  # "for the defender"
        before = tag_at(words, len(words) - 1)
        near = self._end == self._place - 1 or before.is_role("men", "for", "onto")
        if near and (role in (*SIDES, "each") or before.is_role("for", "onto") or tag.text.startswith("of ")):
            return True
        after, apart = self._next(), before.is_role("have") and self._place - 2 == self._end  # "15 у него"
        owned = apart or (near and (tag.case in ("own", "object") or after.table in ("", "sign")))  # "8 los suyos"
        free = not self._said.amounts[-1].side or self._said.amounts[-1].led == "with"
        return owned and free and after.table not in ("number", *OF_UNITS)

    def _read_role(self, role: str, tag: Tag) -> bool:
        """Read a word that is none for a side; tell whether it says something that is known."""
        if role == "onto" and "compare" in [some.value for some in self._said.tags]:
            role = "with"  # "compare it to 15"
        if leads := self._leads(role):
            self._set(*leads)
        elif role == "then":
            self._read_then()
        elif role == "corrects":
            self._lead(role)
        elif role in SWAPPING:
            self._said.marks.add(SWAPPING[role])
        elif tag.text in ("+", "-"):
            self._read_sign(tag)
        else:
            return role in PASSING or tag.text == ":" or (role in ("onto", "from") and self._aims_at_nothing())
        return True

    def _leads(self, role: str) -> tuple[str, str, str] | None:
        """Return the side, the word before and the change that a word says of the next army; None for other words."""
        side, led, mode = self._side, self._led, self._mode
        still = "" if mode in GONE else mode
        leads = {
            "against": ("defender", "against", ""),
            "with": (side or "attacker", "with" if led in ("", "has") else led, still),
            "add": (side or "attacker", led or "with", "more"),
            "have": (side, led or "has", still if side else mode),  # nobody knows who: "y si tuviera 3 más"
        }
        return leads.get("with" if role == "by" else role)

    def _read_then(self) -> None:
        """Read a word for the next territory, before its army or right behind it: "another 3 after that"."""
        last = self._said.amounts[-1:]
        owned = last and last[0].side and "there" not in self._said.roles
        if last and self._place - 1 == self._end and not owned and self._next().table not in ("number", MARK):
            last[0].led, last[0].mode = "then", "set"
        else:
            self._set("", "then", self._mode)

    def _mode_before(self) -> str:
        """Return what a word right before says becomes of the next army: "добавь ему 2"."""
        before = tag_at(self._tags, self._place - 2)
        return self._mode if self._mode in GONE or (before.table == MARK and before.value in COUNTING) else ""

    def _aims_at_nothing(self) -> bool:
        """Tell whether a word such as "on" stands before no bare number: "auf Deutsch", "на 3 больше"."""
        return self._next().table not in ("number", *OF_UNITS) or self._next(1).table == MARK

    def _read_sign(self, tag: Tag) -> None:
        if tag.text in ("+", "-") and self._next().table == "number":
            self._mode = "more" if tag.text == "+" else "fewer"
        elif tag.text == "," and (self._mode == "more" or (self._mode == "without" and not self._said.amounts)):
            self._said.marks.discard(self._mode)
            self._mode = ""  # "he reinforced, 22 now", "forget it, 8 v 7"
        elif tag.text == "," and (self._mode == "no" or tag_at(self._tags, self._place - 2).value == "old"):
            self._mode, self._led = "", "corrects"  # "no, 13"
            self._said.marks.discard("old")
        elif any(letter.isdecimal() for letter in tag.text):
            self._said.unknown.append(tag)
