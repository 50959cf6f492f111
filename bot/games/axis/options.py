"""The options of lines of Axis & Allies, a row for each; those of raids are among them."""

import re
from dataclasses import replace

from bot.games.axis import values
from bot.languages import N_
from bot.notation.asked_ends import HITS, OF_UNITS
from bot.notation.dice_options import ALL, COUNT, DIGITS, EXACT, OF_NEED, UNITS, YES, read_units
from bot.notation.lexer import NUMBER, RETREAT_RULE, UNITS_LEFT
from bot.notation.options import Option, Owner, Value, by_word, read_number, words_of, words_of_synonyms
from solver.axis.own_units import OWN_RULES
from solver.axis.sides import SIDES

ARMIES = "3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa"


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(re.split(" ?, ?", text))


# Kinds of values ----------------------------------------------------------------------------------------

_LIST = r"(?!(?:vs?|versus|against)(?![a-z_]))[a-z_]+(?: ?, ?[a-z_]+)*"
_OWN_PRICE = r"[a-z_]+ ?= ?[+-]?\d+(?:\.\d+)?"
_PRICE = rf"(?:ipc|units|power|strength|{_OWN_PRICE})"
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
    N_("a rule such as units<=2, profit<0, win<40%, destroy<40%, air>20%, clear>30% or transports"),
)
_LEAVES = rf"(?:{UNITS_LEFT}|\d+)"
_DEFENDER_LEAVES = Value(
    rf"{_LEAVES}(?:,{_LEAVES})*",
    lambda text: tuple(re.findall(_LEAVES, text)),
    N_("so many rounds, such as 2, or units left, such as units<=2; or both, joined by a comma, but no chance"),
)
_AIMS = Value(
    rf"\d+|{UNITS}",
    lambda text: int(text) if text.isdigit() else read_units(text),
    N_("a number, or ships with their numbers, such as 2acc,1bat"),
)
_PLANES = Value(UNITS, read_units, N_("planes with their numbers, such as 3fig"))
_EDITION = Value(r"[a-z0-9]+(?:-[a-z0-9]+)*", str, N_("the name of an edition, such as 1940"))

_OWN_UNITS = Value(
    r"[a-z_]+ ?= ?[^\s,;]+(?: ?, ?[a-z_]+ ?= ?[^\s,;]+)*",
    _split_list,
    N_("units such as mech=1/2/4: a name of letters from a to z, attack/defence/price, and words such as /hits2"),
)
_OWN_RULES = Value(
    "[a-z][a-z0-9-]*(?: ?, ?[a-z][a-z0-9-]*)*",
    _split_list,
    N_("rules joined by commas, such as aa-by-kind or bombard-first"),
)

_LOW_LUCK = Value(
    rf"{YES.form}|aa|noaa",
    lambda text: text if text in ("aa", "noaa") else YES.read(text),
    N_("yes, no, aa for the AA guns alone, or noaa for all others"),
    flag=True,
)

_DIVES = Value(
    rf"{YES.form}|(?:(?<=[:=])|(?<=[:=] ))\d{{1,4}}",  # without a sign units follow
    lambda text: int(text) if text.isdigit() else YES.read(text),
    N_("yes, no, or how many submarines, such as 1"),
    flag=True,
)

_SIDES: tuple[Owner, ...] = "attacker", "defender"

# The rows -----------------------------------------------------------------------------------------------

OF_SIDES = (
    Option("loss", _ORDER, "side", ("loss-order",), field="loss_order", find=values.loss_order),
    Option("keep", COUNT, offers=("1",), field="attacker.keep_land"),
    Option("dkeep", COUNT, "defender", offers=("1",), field="defender.keep_land"),
    Option("choose", _CHOICES, "side", ("chooses", "chose", "choosing"), ("tuv",), field="chooses", find=values.choice),
    Option("submerge", _DIVES, "side", offers=("1",), field="submerge", find=values.submerging),
    Option("keepdestroyer", YES, "side", field="keep_last_destroyer"),
    Option("gunslast", YES, "defender", field="defender.aa_second_last"),
)
"""The options that are written on a side of the line, in that order."""
PLANS = (
    Option(
        "rounds",
        _ROUNDS,
        synonyms=("round",),
        offers=("2", "3", "all"),
        gone="all",
        field="round_limit",
        find=values.round_limit,
    ),
    Option(
        "retreat",
        _RETREAT,
        synonyms=("retreats", "stop"),
        offers=("profit<0", "units<=2", "win<40%", "air>20%", "clear>30%", "destroy<40%", "transports"),
        repeatable=True,
        field="retreat",
        make=values.read_retreat,
        find=values.write_retreat,
    ),
    Option(
        "dretreat",
        _DEFENDER_LEAVES,
        "defender",
        synonyms=("dretreats",),
        offers=("2", "units<=2"),
        repeatable=True,
        field="defender_retreat",
        make=values.read_defender_retreat,
        find=values.write_defender_retreat,
    ),
    Option("deadzone", YES, "both", whole=True, field="deadzone"),
    Option("value", _MONEY, "both", offers=("4",), whole=True, field="territory_value"),
    Option("planvalue", _MONEY, offers=("4",), field="planned_value"),
    Option("plandeadzone", YES, field="planned_deadzone"),
    Option(
        "worth",
        _WORTH,
        "both",
        ("price", "prices", "cost", "costs"),
        ("units", "power", "fig=14"),
        whole=True,
        repeatable=True,
        find=lambda of: values.write_prices(of[0], "units"),
    ),
    *(
        Option(
            f"{side[0]}worth",
            _PRICES,
            side,
            offers=("fig=14",),
            whole=True,
            repeatable=True,
            field=f"worth.{side}",
            find=lambda of, side=side: values.write_prices(of[0], side),
        )
        for side in _SIDES
    ),
    Option("decline", YES, whole=True, field="decline_allowed"),
    Option("aafired", YES, whole=True, field="aa_already_fired"),
    Option(
        "kamikaze",
        _AIMS,
        "defender",
        offers=("3",),
        help=N_(
            "`kamikaze:3` in 1940 the defender makes so many kamikaze attacks first; `kamikaze:2acc,1bat` aims them"
        ),
        field="kamikaze",
        make=values.read_kamikaze,
        find=values.write_kamikaze,
    ),
    Option("scramble", _PLANES, "defender", ("scrambles",), offers=("3fig",), find=values.among_units),
    Option(
        "crash",
        YES,
        "defender",
        ("dcrash",),
        remark=N_("`crash`: the defender loses planes without room on a carrier at the end."),
        field="crash_stranded_fighters",
    ),
    Option(
        "acrash",
        YES,
        remark=N_("`acrash`: the attacker loses planes without room on a carrier at the end."),
        field="crash_attacking_fighters",
    ),
)
"""The options about a wave that are written behind its sides, in that order."""
RULES = (
    Option("lowluck", _LOW_LUCK, "both", ("low-luck",), ("aa", "noaa"), whole=True, find=values.low_luck),
    Option("biased", YES, "both", whole=True, find=lambda of: of[0].dice == "biased"),
    Option("land", YES, "both", whole=True, find=lambda of: values.is_hidden_theatre(of, "land")),
    Option("sea", YES, "both", whole=True, find=lambda of: values.is_hidden_theatre(of, "sea")),
    Option(
        "unit",
        _OWN_UNITS,
        "both",
        offers=("mech=1/2/4",),
        whole=True,
        repeatable=True,
        find=values.own_units,
    ),
    Option(
        "rule",
        _OWN_RULES,
        "both",
        ("rules", "dice"),
        offers=tuple(OWN_RULES),
        whole=True,
        repeatable=True,
        find=values.own_rules,
    ),
    Option("variant", _EDITION, "both", whole=True, find=values.unusual_edition),
)
"""The options about the rules; the last is written first, before those in `PLANS`."""
OPTIONS = (
    *OF_SIDES,
    Option("tech", _TECHNOLOGIES, "side", ("techs", "technology", "technologies")),
    *PLANS,
    *RULES,
    Option("lookahead", YES, whole=True),
    EXACT,
    replace(ALL, offers=("money", "winner")),
    *OF_NEED,
    DIGITS,
    *OF_UNITS,
    HITS,
)
WORDS = by_word(OPTIONS)
ALL_WORDS, KEYS = words_of(OPTIONS, SIDES, ":")
"""The rows by all words that they answer to, and the field that each word sets."""
SYNONYMS = words_of_synonyms(OPTIONS)
WORD_OF_FIELD = {option.field: option.word for option in OPTIONS if option.field}
WORD_OF_FIELD |= {"dice": "lowluck", "look_ahead": "lookahead"}
WHOLE_BATTLE = {option.word for option in OPTIONS if option.whole}


OTHER_WORDS = frozenset(
    {*WORDS, *SYNONYMS, *(f"d{word}" for word in WORDS if WORDS[word].sided), "then", "hold", "last", "or"}
)
"""The words that lines of Axis & Allies, or of two plans, have beside their units."""
