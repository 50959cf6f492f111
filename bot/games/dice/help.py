"""The help about battles with dice: Risk, Star Wars Risk, icon dice, house rules."""

import re
from functools import lru_cache

from bot.games.dice.notation.reading import EXAMPLE
from bot.games.dice.notation.reading import EXAMPLES as BY_WORD
from bot.games.help import Help, Screen, Variant
from bot.languages import N_
from bot.notation.dice_options import OF_BOTH_SIDES
from bot.notation.plans import PLANS
from bot.packs import load
from solver.dice.battle import GAMES

RISK = Screen(
    N_("Risk"),
    (
        N_("**Risk**: attackers first, then defenders. Don't count the army that must stay behind."),
        N_("`12 9` who wins, and what is left; also `12v9` or `12-9`"),
        N_("`12 9 stop:4` stop attacking with 4 or fewer left"),
        N_("`20 > 5 > 4 > 2 leave:1` a path: take 5, leave 1 behind, take 4 …"),
        N_("`/conquer 12 siam > australia: 3 2 1 1` a whole turn on the map: `/help conquer`"),
        N_("`12 9 variant:2210` a variant, here Risk 2210; `/help variants` lists dozens"),
        "",
        N_(
            "**Plans** `reserve:4` 4 never roll · `rounds:3` at most 3 · `value:6` stop at the best "
            "moment if the territory is worth 6 armies"
        ),
        N_("**Paths** each territory can have its own rules: `20 > 5 > 4 ties:attacker > 2 leave:2,1`"),
        N_("**House rules** other dice, bonuses, ties: `/help rules`"),
        N_("**Questions** how many you need, a table, one round, two plans: `/help questions`"),
        N_(
            "Words can come in any order, in upper or lower case. `12 9 all` lists every ending, `12 "
            "9 exact` adds the chance as a fraction."
        ),
    ),
    ("battle 12 9", "battle 12 9 stop:4", "battle 20 > 5 > 4 > 2 leave:1", "battle 12 9 variant:2210"),
    ("conquer", "rules", "questions", "variants", ""),
    home=True,
)

RULES = Screen(
    N_("House rules"),
    (
        N_("**House rules** for games that compare the highest dice. Add them after the numbers:"),
        N_("`12 9 dbonus:1` +1 on the defender's highest die, `dbonus:-1` is −1; `abonus:1,1` +1 on two attack dice"),
        N_("`12 9 adice:8,6,6` other dice, best first; `ddice:8,8` the defender's"),
        N_("`12 9 ties:attacker` who wins ties: also `defender`, `both` (both lose one), `neither`"),
        *(option.help for option in OF_BOTH_SIDES if option.help),
        "",
        N_("`dice:2v1` fewer dice, `dice:4v3` more · `arerolls:1` the attacker rerolls a 1, once with `arerollonce`"),
        N_("`ddice:3k2` the best two of three, `3kl2` the lowest · `late:die` a second die after seeing the first"),
        N_("`bytotal` the higher total wins it all · `icons:5+` each army hits on 5 or more, both sides at once"),
        N_("`aexplosions:1` a die that shows its highest number is rolled once more, and adds up"),
        N_("`aleaderbonus:1` +1 on the leader's own die, the first · `dclamp:1..6` dice stay between 1 and 6"),
        N_("`reshape:0.05,1.3,0.1,1.8` reshapes the final odds, as in Balanced Blitz; `reshape:none` doesn't"),
        N_("Put `a` before a word for the attacker, `d` for the defender. After `vs`, words are the defender's."),
        N_("`variant:2210` is a set of rules (`/help variants`, `/help 2210`); several stack: `variant:wall,bunker`"),
    ),
    ("battle 12 9 dbonus:1", "battle 12 9 adice:8,6,6", "battle 12 9 ties:attacker", "battle 12 9 late"),
    ("risk", "variants", "questions", ""),
)

STARWARS = Screen(
    N_("Star Wars Risk"),
    (
        N_("**Star Wars Risk**: armies as in Risk, plus ships on either side."),
        N_("`12 9 bombers:2` the attacker brings 2 bombers"),
        N_("`12 9 fighters:1 capitals:1` a fighter and a capital ship"),
        N_("`12 fighters:1 vs 9 capitals:1` ships after `vs` are the defender's"),
        N_("`12 9 bombers:2 dcapitals:1` so are ships with a `d` in front"),
        "",
        N_(
            "A fighter rerolls a 1, a bomber adds 1 to a die, a capital ship makes a die "
            "eight-sided. Ships don't fight and can't be lost."
        ),
        N_("`/need 9 bombers:1` how many you need, and which ship would help most"),
        N_(
            "`/dice 3 fighters:1` what three dice with a fighter show; `/dice all fighters:1` every "
            "round and every die at once"
        ),
        N_("Plans, paths and house rules work as in Risk: `/help risk`, `/help rules`"),
    ),
    (
        "battle 12 9 bombers:2",
        "battle 12 9 fighters:1 capitals:1",
        "battle 12 fighters:1 vs 9 capitals:1",
        "battle 12 9 bombers:2 dcapitals:1",
        "need 9 bombers:1",
        "dice 3 fighters:1",
        "table 12 9 bombers:2",
        "compare 12 9 bombers:2 || bombers:1",
    ),
    ("risk", "rules", "questions", ""),
    home=True,
)

ICONS = Screen(
    N_("Icon dice"),
    (
        N_("**Icon dice**: list the faces of a die with commas. A attacks, D defends, - is blank."),
        N_("`icons AAD,ADD,A,D,-,- 3 4` six faces; 3 attackers, 4 defenders"),
        N_("`3 4 icons:AA,A,D,-` four faces also work, in any order"),
        N_("Write a blank face as `-`, `blank`, `empty` or `0`. The last two faces of `A,D,,` are blank too."),
        N_("`3 4 icons:AA,D dicons:A,D` other dice for the defender"),
        N_("`3 4 variant:battle-dice` dice with a name; see `/help variants`"),
        N_("`7 4 variant:warzone luckmodifier:16%` less luck: losses come closer to the average, then are rounded"),
        "",
        N_("**Plans** as in Risk: `stop:2` stop with 2 or fewer · `reserve:1` 1 never rolls · `rounds:3` at most 3"),
        N_("`/dice icons AA,A,D,- 3 4` what one round costs · `/need 4 icons:AA,A,D,-` how many you need"),
    ),
    (
        "battle icons AAD,ADD,A,D,-,- 3 4",
        "battle 3 4 icons:AA,A,D,-",
        "battle 3 4 icons:AA,D dicons:A,D",
        "battle 3 4 variant:battle-dice",
    ),
    ("questions", "variants", "rolling", ""),
    home=True,
)

_SHIPS, _ICONS = BY_WORD["bombers"], BY_WORD["icons"]
_ALIKE = "battle", "roll", "table"
"""Commands with the same examples."""
_EXAMPLES = {
    "risk": dict.fromkeys(_ALIKE, EXAMPLE) | {"need": "9", "dice": "3 2", "compare": "12 9 stop:4 || stop:6"},
    "starwars": dict.fromkeys(_ALIKE, _SHIPS) | {"need": "9 bombers:1", "dice": "3 fighters:1", "compare": PLANS},
    "icons": dict.fromkeys(("dice", *_ALIKE), _ICONS)
    | {"need": "4 icons:AA,A,D,-", "compare": "4 4 icons:AA,A,D,- || 5"},
}
_WORDS = {
    **dict.fromkeys(("path", "paths", "stop", "reserve", "rounds", "value"), "risk"),
    **dict.fromkeys(("star wars", "fighters", "bombers", "capitals", "ships"), "starwars"),
    N_("house rules, own rules, stacking, stack, combine, exploding, exploding dice, reroll, best dice"): "rules",
    **dict.fromkeys(("bonus", "ties", "late", "clamp", "rerolls", "reshape"), "rules"),
    **dict.fromkeys(("explosions", "leaderbonus", "bytotal", "totals", "rerollonce", "keep"), "rules"),
    "luckmodifier": "icons",
}


def _guess(line: str) -> str:
    """Return the topic of a line with icons, with ships, or that begins with two numbers."""
    text = line.casefold()
    if "icon" in text:
        return "icons"
    ships = re.search("fighter|bomber|capital", text)
    if re.match(r"\s*\d++\W*(?:vs?|x)?\W*\d", text) or re.search("(?:fighter|bomber|capital)s? ?[:=]", text):
        return "starwars" if ships else "risk"
    return ""


@lru_cache(1)
def _variants() -> dict[str, Variant]:
    """Return the rule packs, those of one kind of dice together."""
    variants = {}
    for pack in sorted(load().values(), key=lambda pack: [*GAMES].index(pack.game)):
        line = f"battle {'3 4' if pack.game == 'icons' else EXAMPLE} variant:{pack.key}"
        variants[pack.key] = Variant(pack.name, pack.about, pack.unsure, pack.source, line, ("variants", ""))
    return variants


HELP = Help(
    screens={"risk": RISK, "rules": RULES, "starwars": STARWARS, "icons": ICONS},
    words=_WORDS,
    examples=_EXAMPLES,
    guess=_guess,
    variants=_variants,
)
