"""The options of lines about dice, a row for each, and those about questions, which several games have."""

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import astuple
from decimal import Decimal
from fractions import Fraction
from functools import partial

from bot.languages import N_
from bot.notation.asked_ends import HITS, OF_ARMIES, WORDS
from bot.notation.options import Option, Value, words_of, words_of_synonyms
from solver.dice.faces import BLANKS
from solver.dice.pools import DiceKept
from solver.dice.reshape import Reshape
from solver.documents import read_part

# Kinds of values ----------------------------------------------------------------------------------------


_MOST_TYPED = 999
"""The most dice that are counted of a line; no side can roll so many."""


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"-?\d+", text.replace("+", "")))


def _faces(text: str) -> tuple[str, ...]:
    """Read the faces of a die: each, or how it hits: "5+" from six sides, or "60%"."""
    if text.endswith("+"):
        least = int(text[:-1])
        return ("a",) * (SIX + 1 - least) + ("-",) * (least - 1)
    if text.endswith("%"):
        share = Fraction(int(text[:-1].strip()), 100)
        return ("a",) * share.numerator + ("-",) * (share.denominator - share.numerator)
    return tuple(re.split("[,/]", re.sub(rf"[][ {_QUOTES}]", "", text)))


def _clamp(text: str) -> tuple[int, ...] | None:
    return None if text == "none" else tuple(int(end) for end in re.split(r"(?<=\d) ?(?:\.\.|-) ?", text))


def _reshape(text: str) -> tuple[float, ...] | None:
    return None if text == "none" else tuple(float(number) for number in text.split(","))


def commas(numbers: Iterable[int]) -> str:
    """Join numbers with commas."""
    return ",".join(map(str, numbers))


def _dice(text: str) -> DiceKept:
    """Read the sides of each die, or a number of six-sided ones; behind "k" how many are kept, with "l" the lowest."""
    listed, _k, keep = text.partition("k")
    dice = _numbers(listed)
    if keep and len(dice) == 1 and "d" not in listed:
        dice = (6,) * min(dice[0], _MOST_TYPED)
    return DiceKept(dice, int(keep.lstrip("hl")) if keep else None, keep.startswith("l"))


def _write_dice(pool: DiceKept) -> str:
    if pool.keep is None:
        return commas(pool.dice)
    dice = str(len(pool.dice)) if {*pool.dice} == {6} else f"d{commas(pool.dice)}"
    return f"{dice}k{'l' * pool.worst}{pool.keep}"


def _decimals(reshape: Reshape | None) -> str:
    """Write the numbers that reshape odds without powers of ten, which are not read: 0.00001, not 1e-05."""
    return ",".join(f"{Decimal(str(number)):f}" for number in astuple(reshape)) if reshape else "none"


YES = Value(r"yes|no|on|off|true|false", lambda text: text in ("yes", "on", "true"), N_("yes or no"), flag=True)
COUNT = Value(r"\d+", int, N_("a whole number"))
_ROUNDS = Value(
    r"\d+|all",
    lambda text: None if text == "all" else int(text),
    N_("a whole number, or all for no limit"),
    write=lambda rounds: "all" if rounds is None else str(rounds),
)
_DICE = Value(
    r"d?\d+(?: ?, ?d?\d+)*(?: ?k[hl]?\d+)?",
    _dice,
    N_("the sides of each die, such as 8,6,6, or 3k2 for the best two of three"),
    is_list=True,
    write=_write_dice,
)
_BONUS = Value(
    r"[+-]?\d+(?: ?, ?[+-]?\d+)*",
    _numbers,
    N_("a bonus for the highest dice, such as 1 or 1,1"),
    is_list=True,
    write=lambda bonus: commas(bonus or (0,)),
)
_LEADER = Value(r"[+-]?\d+", int, N_("the bonus of the leader's own die, such as 1"))
_CLAMP = Value(
    r"-?\d+ ?(?:\.\.|-) ?-?\d+|none",
    _clamp,
    N_("the lowest and the highest value, such as 1..6, or none"),
    write=lambda clamp: f"{clamp[0]}..{clamp[1]}" if clamp else "none",
)
# The faces of a die. In a run of commas each empty place is a blank face, the last too; a single comma at the end of a
# list means nothing. A list must not end early: what follows a run of commas is a face or the end of the word.
SIX = 6
_QUOTES = "\"'“”‘’"
_LETTERS = rf"(?:[ad]+|{'|'.join(filter(None, BLANKS))})"
_FACE = rf"{_LETTERS}(?=[\s,/;>]|$)"
_RUN = r" ?[,/](?: ?[,/])+(?! ?[,/])"
_NEXT = rf"(?: ?[,/](?: ?[,/])* ?{_FACE})"
_TAIL = rf"(?:{_RUN}|(?!{_RUN}))"
_PERCENT = "(?:[1-9]?[24568]|[1-9]0) ?%"  # those of dice with up to 50 faces
_QUOTED = rf"[{_QUOTES}]{_LETTERS}?[{_QUOTES}]"
_JSON = rf"\[ ?{_QUOTED}(?: ?, ?{_QUOTED})+ ?\]"
_ICONS = Value(
    rf"[2-6]\+|{_PERCENT}|(?:[,/] ?){{2,}}{_FACE}{_NEXT}*+{_TAIL}|{_FACE}(?:{_NEXT}++{_TAIL}|{_RUN})|{_JSON}",
    _faces,
    N_(
        "the faces of a die with commas between them: A for attack, D for defence, - for blank, such as "
        "AAD,ADD,A,D,-,-; or how it hits: 5+, or 60%: an even percentage or a multiple of 5"
    ),
    is_list=True,
)
_CAPS = Value(
    r"\d+ ?[vx-] ?\d+", lambda text: _numbers(text.replace("-", " ")), N_("the dice of both sides, such as 2v1")
)
_TIES = Value(
    r"attackers?|defenders?|both|neither|none",
    lambda text: "neither" if text == "none" else text.removesuffix("s"),
    N_("attacker, defender, both or neither"),
)
_LATE = YES._replace(
    form=rf"{YES.form}|die",
    read=lambda text: text if text == "die" else YES.read(text),
    wanted=N_("yes or no, or die for one die after the other"),
)
_LUCK = Value(
    r"\d+ ?%?", lambda text: int(text.rstrip(" %")), N_("the luck in percent, such as 16%"), write="{}%".format
)
_PART = r"(?:\d+(?:\.\d+)?|\.\d+)"
_RESHAPE = Value(
    rf"none|{_PART}(?: ?, ?{_PART}){{3}}",
    _reshape,
    N_("four numbers, as in 0.05,1.3,0.1,1.8, or none"),
    write=_decimals,
)


CLASSIC = "classic"
"""The value of "variant:" for classic Risk, in places where another game is usual."""


def _nobody() -> Container[str]:
    return ()


class VariantNames:
    """The names of variants, which `bot.packs` gives: to read them, it needs the rows below.

    Attributes:
        known: Returns all names.
    """

    def __init__(self) -> None:
        """Begin without a name."""
        self.known: Callable[[], Container[str]] = _nobody

    def split(self, names: str) -> list[str]:
        """Return the names that stand together: "2210-naval,station" are 2210-naval and 2210-station.

        A later name may leave out the beginning of the first one. Classic Risk changes no rule.
        """
        first, *others = [name for name in re.split(" ?[,+] ?", names) if name != CLASSIC] or [CLASSIC]
        known, begin = self.known(), f"{first.partition('-')[0]}-"
        return [first, *(begin + name if name not in known and begin + name in known else name for name in others)]

    def goes_on(self, names: str, further: str) -> bool:
        """Tell whether a word behind names is another one."""
        return self.split(f"{names},{further}")[-1] in self.known()


VARIANT_NAMES = VariantNames()
_KEY = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = Value(
    rf"{_KEY}(?: ?[,+] ?{_KEY})*",
    lambda names: re.sub(r" ?[,+] ?", ",", names),
    N_("the name of a variant, such as 2210"),
    goes_on=VARIANT_NAMES.goes_on,
)
_GARRISONS = Value(
    r"\d+(?: ?, ?\d+)*", _numbers, N_("the armies that stay in each territory, such as 1 or 1,3"), is_list=True
)
_SIDE = Value(
    r"attackers?|defenders?|attack|defen[cs]e",
    lambda text: "attack" if text.startswith("a") else "defence",
    N_("attacker or defender"),
)
UNITS = r"\d+ ?[a-z_]+(?: ?, ?\d+ ?[a-z_]+)*"


def read_units(text: str) -> tuple[tuple[str, str], ...]:
    """Read units with their numbers."""
    return tuple(re.findall(r"(\d+) ?([a-z_]+)", text))


_LEAST = Value(UNITS, read_units, N_("units with their numbers, such as 2inf,1arm"))

ENDS = "chance", "money", "winner"
"""The orders in which all ends of a battle can be asked for, the usual one first."""


def _order(text: str) -> str | bool:
    """Return the order named after "all"; True for the usual one, False for none."""
    order = {"profit": "money"}.get(text, text)
    return order if order in ENDS else text in ("yes", "on", "true")


def order_of(asked: str | bool | None) -> str:
    """Return the order of the list of all ends, from the value of "all"; "" if nobody asks for it."""
    return ENDS[0] if asked is True else asked or ""


_ALL = Value(
    rf"{'|'.join(ENDS)}|profit|yes|no|on|off|true|false", _order, N_("chance, money or winner, or nothing"), flag=True
)

# The rows -----------------------------------------------------------------------------------------------

EXACT = Option("exact", YES, whole=True, refusal=N_("`exact` works with `/battle`."))
_ADVICE = Option(
    "advice", YES, whole=True, refusal=N_("`advice` works with `/battle`: it says whether fewer dice are better.")
)
ALL = Option(
    "all",
    _ALL,
    whole=True,
    refusal=N_("`all` works with `/battle` (every ending) and `/dice` (all rounds of a fleet)."),
)
THROW = "throw"
"""The mark of a command that can be asked about the dice of one army alone."""
DIGITS = Option(
    "digits",
    Value(r"1[0-2]|[1-9]", int, N_("how many decimals, 1 to 12")),
    "both",
    ("digit", "decimals"),
    ("4", "6", "12"),
    whole=True,
    refusal=N_("`digits` works with `/battle`: it asks for chances with more decimals."),
)
OF_NEED = (
    Option(
        "side",
        _SIDE,
        offers=("defender", "attacker"),
        refusal=N_("`side` works with `/need`: it says whose units to choose from."),
    ),
    Option("least", _LEAST, refusal=N_("`least` works with `/need`: it says which units come anyway.")),
    Option("survive", YES, refusal=N_("`survive` works with `/need`: it asks for survivors instead of a win.")),
)
"""The options of `/need` for Axis & Allies."""
QUESTION_WORDS = {
    **{option.word: option.refusal for option in (EXACT, _ADVICE, ALL, DIGITS, *OF_ARMIES)},
    "chance": N_("A chance such as `80%` works with `/need`."),
    **{option.word: option.refusal for option in (*OF_NEED, HITS)},
}
"""Options about the question rather than the battle, and the refusal of a command that does not take them."""
ASKED_WITH_BATTLE = ("exact", "all", "advice", "digits", *WORDS)
"""The options of a question that go with a battle itself."""
ASKED_OF_BATTLE = (*ASKED_WITH_BATTLE, "money", "place")
"""The options of a question that go with `/battle`; "place" with a turn on a map."""
ASKED_WITH_NEED = ("chance", *(option.word for option in OF_NEED), "money", "open", *WORDS)
"""The options of a question that go with `/need`; with "money" a side may have some, with "open" no units."""

_FEW = "1", "2", "3"
SHIPS = (
    Option("fighters", COUNT, "side", ("fighter",), _FEW, gone="0", field="{side}_ships.fighters"),
    Option("bombers", COUNT, "side", ("bomber",), _FEW, gone="0", field="{side}_ships.bombers"),
    Option("capitals", COUNT, "side", ("capital",), _FEW, gone="0", field="{side}_ships.capitals"),
)
OF_DICE = (
    Option("rerolls", COUNT, "side", ("reroll",), _FEW, field="{side}.rerolls"),
    Option("bonus", _BONUS, "side", offers=("1", "1,1"), field="{side}.bonus"),
    Option("rerollonce", YES, "side", field="{side}.once"),
    Option("explosions", COUNT, "side", ("explosion",), field="{side}.explosions"),
    Option("leaderbonus", _LEADER, "side", field="{side}.leader"),
    Option("clamp", _CLAMP, "side", offers=("1..6",), field="{side}.clamp"),
)
"""The options of each side for its dice, in the order in which they are written."""
OF_SIDES = (
    *SHIPS,
    *OF_DICE,
    Option("icons", _ICONS, "side", ("icon",), ("aad,add,a,d,-,-", "aa,a,d,dd")),
)
"""The options that each side can have."""
POOL = Option("dice", _DICE, "side", offers=("8,6,6", "8,8", "3k2"), field="{side}.kept")
"""The dice of a side, whose word always has the letter of the side."""
RULES = (
    Option("ties", _TIES, "both", ("tie",), ("attacker", "both", "neither"), field="ties"),
    Option(
        "late",
        _LATE,
        "both",
        help=N_("`12 9 late` the defender picks how many dice to roll after seeing the attack"),
        field="late",
    ),
    Option(
        "reshape",
        _RESHAPE,
        "both",
        field="reshape",
        make=lambda numbers: numbers and read_part("reshape", partial(Reshape, *numbers)),
    ),
    Option("bytotal", YES, "both", ("bytotals", "bysum"), field="totals"),
    Option("luckmodifier", _LUCK, "both", ("luckmod",), ("16%", "0%"), field="luck"),
)
"""The rules that are no dice of a side, in the order in which they are written."""
PLANS = (
    Option("stop", COUNT, offers=_FEW, whole=True, gone="0", field="stop"),
    Option("reserve", COUNT, synonyms=("reserves",), offers=_FEW, gone="0", field="reserve"),
    Option("rounds", _ROUNDS, synonyms=("round",), offers=(*_FEW, "all"), gone="all", field="rounds"),
    Option("value", COUNT, "both", offers=_FEW, field="value"),
)
"""The options about the attacker's plans that stand in a battle, in the order in which they are written."""
OF_BOTH_SIDES = (
    Option("dice", _CAPS, "both", offers=("2v2", "1v1", "4v3")),
    *RULES[:2],
    Option("variant", _NAME, "both"),
    *RULES[2:],
    *PLANS,
    Option("behind", COUNT, offers=_FEW, whole=True),
    Option("leave", _GARRISONS, offers=("1",), whole=True),
    EXACT,
    _ADVICE,
    ALL,
    DIGITS,
    *OF_ARMIES,
)
"""The options that stand once in a line."""

OPTIONS, FIELDS = words_of((*OF_SIDES, POOL, *OF_BOTH_SIDES), ("attack", "defence"), ".")
"""The rows by all words of options, and the field that each word sets."""
SYNONYMS = words_of_synonyms((*OF_SIDES, *OF_BOTH_SIDES)) | {"abonu": "abonus", "dbonu": "dbonus"}
"""The words that other words stand for; the last two are in old lines by accident."""
