"""The options of lines of Axis & Allies, a row for each; those of raids are among them."""

import re

from bot.languages import N_
from bot.notation.lexer import ALL, NUMBER, RETREAT_RULE
from bot.notation.options import Option, Value, by_word, words_of_synonyms

ARMIES = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa"


def read_number(text: str) -> float:
    """Read a number with a point or a comma; whole numbers become int."""
    number = round(float(text.replace(",", ".")), 6)
    return int(number) if number.is_integer() else number


def read_chance(text: str) -> float:
    """Read a chance: both "40%" and "0.4" are 0.4."""
    number = round(float(text.rstrip("% ")), 8)
    return number / 100 if "%" in text or number > 1 else number


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(re.split(" ?, ?", text))


def _read_units(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(re.findall(r"(\d+) ?([a-z_]+)", text))


# Kinds of values ----------------------------------------------------------------------------------------

_SOME = r"\d+ ?[a-z_]+"
_UNITS = rf"{_SOME}(?: ?, ?{_SOME})*"
_LIST = r"(?!(?:vs?|versus|against)(?![a-z_]))[a-z_]+(?: ?, ?[a-z_]+)*"
_OWN_PRICE = r"[a-z_]+ ?= ?[+-]?\d+(?:\.\d+)?"
_PRICE = rf"(?:ipc|units|power|strength|{_OWN_PRICE})"
_YES = Value(r"yes|no|on|off|true|false", lambda text: text in ("yes", "on", "true"), N_("yes or no"), flag=True)
_COUNT = Value(r"\d+", int, N_("a whole number"))
_MONEY = Value(NUMBER, read_number, N_("a number, such as 4 or -2.5"))
_PRICES = Value(rf"{_OWN_PRICE}(?: ?, ?{_OWN_PRICE})*", _split_list, N_("prices such as fig=14,bom=15"))
_WORTH = Value(
    rf"{_PRICE}(?: ?, ?{_PRICE})*",
    lambda text: _split_list(text.replace("strength", "power")),
    N_("`units`, `power` (what they hit on) or prices such as fig=14,bom=15"),
)
_ORDER = Value(_LIST, _split_list, N_("units joined by commas, first casualty first"))
_TECHNOLOGIES = Value(_LIST, _split_list, N_("technologies joined by commas, such as jets"))
_CHOICES = Value(
    r"yes|no|on|off|true|false|takes|win|tuv",
    lambda text: "profit" if text == "tuv" else text not in ("no", "off", "false"),
    N_("yes, no, takes to choose for the chance, or tuv to choose for the TUV swing"),
    flag=True,
)
_ROUNDS = Value(
    r"\d+|all", lambda text: None if text == "all" else int(text) or None, N_("a whole number, or all for no limit")
)
_RETREAT = Value(
    rf"{RETREAT_RULE}(?: ?[,|] ?{RETREAT_RULE})*",
    lambda text: tuple(re.findall(RETREAT_RULE, text)),
    N_("a rule such as units<=2, profit<0, win<40%, destroy<40%, air>20% or clear>30%"),
)
_AIMS = Value(
    rf"\d+|{_UNITS}",
    lambda text: int(text) if text.isdigit() else _read_units(text),
    N_("a number, or ships with their numbers, such as 2acc,1bat"),
)
_EDITION = Value(r"[a-z0-9]+(?:-[a-z0-9]+)*", str, N_("the name of an edition, such as 1940"))
_ALL = Value(ALL.form, ALL.read, ALL.wanted, flag=True)
_SIDE = Value(
    r"attackers?|defenders?|attack|defen[cs]e",
    lambda text: "attack" if text.startswith("a") else "defence",
    N_("attacker or defender"),
)
_LEAST = Value(_UNITS, _read_units, N_("units with their numbers, such as 2inf,1arm"))

# The rows -----------------------------------------------------------------------------------------------

OPTIONS = (
    Option("loss", _ORDER, "side", ("loss-order",)),
    Option("choose", _CHOICES, "side", ("chooses", "chose", "choosing"), ("tuv",)),
    Option("tech", _TECHNOLOGIES, "side", ("techs", "technology", "technologies")),
    Option("keep", _COUNT, offers=("1",)),
    Option("dkeep", _COUNT, "defender", offers=("1",)),
    Option("submerge", _YES, "side"),
    Option("keepdestroyer", _YES, "side"),
    Option("gunslast", _YES, "defender"),
    Option("rounds", _ROUNDS, synonyms=("round",), offers=("2", "3", "all")),
    Option(
        "retreat",
        _RETREAT,
        synonyms=("retreats", "stop"),
        offers=("profit<0", "units<=2", "win<40%", "air>20%", "clear>30%", "destroy<40%"),
        repeatable=True,
    ),
    Option("value", _MONEY, "both", offers=("4",), whole=True),
    Option("deadzone", _YES, "both", whole=True),
    Option(
        "worth",
        _WORTH,
        "both",
        ("price", "prices", "cost", "costs"),
        ("units", "power", "fig=14"),
        whole=True,
        repeatable=True,
    ),
    Option("aworth", _PRICES, offers=("fig=14",), whole=True, repeatable=True),
    Option("dworth", _PRICES, "defender", offers=("fig=14",), whole=True, repeatable=True),
    Option("planvalue", _MONEY, offers=("4",)),
    Option("plandeadzone", _YES),
    Option("decline", _YES, whole=True),
    Option("aafired", _YES, whole=True),
    Option("kamikaze", _AIMS, "defender", offers=("3",)),
    Option("crash", _YES, "defender", ("dcrash",)),
    Option("acrash", _YES),
    Option("lowluck", _YES, "both", ("low-luck",), whole=True),
    Option("biased", _YES, "both", whole=True),
    Option("land", _YES, "both", whole=True),
    Option("sea", _YES, "both", whole=True),
    Option("variant", _EDITION, "both", whole=True),
    Option("lookahead", _YES, whole=True),
    Option("exact", _YES, whole=True),
    Option("all", _ALL, offers=("money", "winner"), whole=True),
    Option("side", _SIDE, offers=("defender", "attacker")),
    Option("least", _LEAST),
    Option("survive", _YES),
)
WORDS = by_word(OPTIONS)
SYNONYMS = words_of_synonyms(OPTIONS)
WHOLE_BATTLE = {option.word for option in OPTIONS if option.whole}


def is_a_word(text: str) -> bool:
    """Tell whether lines of Axis & Allies, or of two plans, have such a word beside their units."""
    sided = text.removeprefix("d")
    return text in {*WORDS, *SYNONYMS, "then", "hold", "last", "or"} or (sided in WORDS and WORDS[sided].sided)
