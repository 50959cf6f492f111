"""The words of lines of Axis & Allies: each option with the form of its name and its value."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from bot.languages import N_
from bot.notation.lexer import ALL, NUMBER, RETREAT_RULE

ARMIES = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa"


class Word(NamedTuple):
    """An option: the form of its value, how to read it, and how to describe it; a `flag` has no value."""

    form: str
    read: Callable[[str], Any]
    wanted: str
    sided: bool = False
    flag: bool = False


def read_number(text: str) -> float:
    """Read a number with a point or a comma; whole numbers become int."""
    number = round(float(text.replace(",", ".")), 6)
    return int(number) if number.is_integer() else number


_SOME = r"\d+ ?[a-z_]+"
_LIST = r"(?!(?:vs?|versus|against)(?![a-z_]))[a-z_]+(?: ?, ?[a-z_]+)*"
_YES = Word(r"yes|no|on|off|true|false", lambda text: text in ("yes", "on", "true"), N_("yes or no"), flag=True)
_SIDED_YES = _YES._replace(sided=True)
_CHOICES = Word(
    r"yes|no|on|off|true|false|takes|win|tuv",
    lambda text: "profit" if text == "tuv" else text not in ("no", "off", "false"),
    N_("yes, no, takes to choose for the chance, or tuv to choose for the TUV swing"),
    sided=True,
    flag=True,
)
_COUNT = Word(r"\d+", int, N_("a whole number"))
_OWN_PRICE = r"[a-z_]+ ?= ?[+-]?\d+(?:\.\d+)?"
_PRICE = rf"(?:ipc|units|power|strength|{_OWN_PRICE})"
_PRICES = Word(
    rf"{_OWN_PRICE}(?: ?, ?{_OWN_PRICE})*",
    lambda text: tuple(re.split(" ?, ?", text)),
    N_("prices such as fig=14,bom=15"),
)
_MONEY = Word(NUMBER, read_number, N_("a number, such as 4 or -2.5"))
_ORDER = Word(
    _LIST, lambda text: tuple(re.split(" ?, ?", text)), N_("units joined by commas, first casualty first"), sided=True
)

WORDS: dict[str, Word] = {
    "loss": _ORDER,
    "choose": _CHOICES,
    "tech": Word(
        _LIST,
        lambda text: tuple(re.split(" ?, ?", text)),
        N_("technologies joined by commas, such as jets"),
        sided=True,
    ),
    "keep": _COUNT,
    "dkeep": _COUNT,
    "submerge": _SIDED_YES,
    "keepdestroyer": _SIDED_YES,
    "gunslast": _YES,
    "rounds": Word(
        r"\d+|all", lambda text: None if text == "all" else int(text) or None, N_("a whole number, or all for no limit")
    ),
    "retreat": Word(
        rf"{RETREAT_RULE}(?: ?[,|] ?{RETREAT_RULE})*",
        lambda text: tuple(re.findall(RETREAT_RULE, text)),
        N_("a rule such as units<=2, profit<0, win<40%, destroy<40%, air>20% or clear>30%"),
    ),
    "value": _MONEY,
    "deadzone": _YES,
    "worth": Word(
        rf"{_PRICE}(?: ?, ?{_PRICE})*",
        lambda text: tuple(re.split(" ?, ?", text.replace("strength", "power"))),
        N_("`units`, `power` (what they hit on) or prices such as fig=14,bom=15"),
    ),
    "aworth": _PRICES,
    "dworth": _PRICES,
    "planvalue": _MONEY,
    "plandeadzone": _YES,
    "decline": _YES,
    "aafired": _YES,
    "kamikaze": Word(
        rf"\d+|{_SOME}(?: ?, ?{_SOME})*",
        lambda text: int(text) if text.isdigit() else tuple(re.findall(r"(\d+) ?([a-z_]+)", text)),
        N_("a number, or ships with their numbers, such as 2acc,1bat"),
    ),
    "crash": _YES,
    "acrash": _YES,
    "lowluck": _YES,
    "biased": _YES,
    "land": _YES,
    "sea": _YES,
    "variant": Word(r"[a-z0-9]+(?:-[a-z0-9]+)*", str, N_("the name of an edition, such as 1940")),
    "lookahead": _YES,
    "exact": _YES,
    "all": Word(ALL.form, ALL.read, ALL.wanted, flag=True),
    "side": Word(
        r"attackers?|defenders?|attack|defen[cs]e",
        lambda text: "attack" if text.startswith("a") else "defence",
        N_("attacker or defender"),
    ),
    "least": Word(
        rf"{_SOME}(?: ?, ?{_SOME})*",
        lambda text: tuple(re.findall(r"(\d+) ?([a-z_]+)", text)),
        N_("units with their numbers, such as 2inf,1arm"),
    ),
    "survive": _YES,
}
OFFERS = {
    "retreat": ("profit<0", "units<=2", "win<40%", "air>20%", "clear>30%", "destroy<40%"),
    "rounds": ("2", "3", "all"),
    "choose": ("tuv",),
    "keep": ("1",),
    "dkeep": ("1",),
    "kamikaze": ("3",),
    "value": ("4",),
    "planvalue": ("4",),
    "worth": ("units", "power", "fig=14"),
    "aworth": ("fig=14",),
    "dworth": ("fig=14",),
    "side": ("defender", "attacker"),
    "all": ("money", "winner"),
}
"""Examples of values for the words that take one, the likeliest first."""
SHARED = {
    "value",
    "worth",
    "aworth",
    "dworth",
    "deadzone",
    "decline",
    "aafired",
    "lowluck",
    "biased",
    "land",
    "sea",
    "variant",
    "lookahead",
    "exact",
    "all",
}
"""Options of all waves; the others belong to the wave they stand in."""
MANY = {"retreat", "worth", "aworth", "dworth"}
"""Words whose value is a list that may be said in parts."""
ALSO = {"round": "rounds", "retreats": "retreat", "low-luck": "lowluck", "loss-order": "loss", "stop": "retreat"}
ALSO["dcrash"] = "crash"
ALSO |= {f"{side}{word}": f"{side}choose" for side in ("", "a", "d") for word in ("chooses", "chose", "choosing")}
ALSO |= {f"{side}{word}": f"{side}tech" for side in ("", "a", "d") for word in ("techs", "technology", "technologies")}
ALSO |= dict.fromkeys(("price", "prices", "cost", "costs"), "worth")


def is_a_word(text: str) -> bool:
    """Return whether lines of Axis & Allies, or of two plans, have such a word beside their units."""
    sided = text.removeprefix("d")
    return text in {*WORDS, *ALSO, "then", "hold", "last", "or"} or (sided in WORDS and WORDS[sided].sided)


def read_chance(text: str) -> float:
    """Read a chance: both "40%" and "0.4" are 0.4."""
    number = round(float(text.rstrip("% ")), 8)
    return number / 100 if "%" in text or number > 1 else number
