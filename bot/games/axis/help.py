"""The help of Axis & Allies: units and options, plans and waves, armies to bring, the editions."""

import re
from functools import lru_cache

from bot.editions import USUAL, Edition, editions, names_a_unit
from bot.games.axis.options import ARMIES as BATTLE
from bot.games.axis.options import OPTIONS
from bot.games.help import Help, Screen, Variant
from bot.languages import N_, _, _p, language
from bot.words.narrow import narrow
from solver.axis.own_units import words_of_rules
from solver.axis.units import Rules

AXIS = Screen(
    N_("Axis & Allies"),
    (
        N_("**Axis & Allies**: numbers and units, the defender's after `vs`."),
        N_("`3 inf 2 arm vs 4 inf` also `3i 2t vs 4i`, plurals and full names"),
        N_("`3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa` on land"),
        N_("`4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat` at sea; `dbat` is a damaged battleship"),
        N_("`2 ainf 1 arm 1 bat vs 3 inf` `ainf aart aarm` land from the sea, ships bombard"),
        N_("`3 inf 2 arm vs karelia` a place on the map means who stands there at the opening (not in 1941, 1914)"),
        "",
        N_("**Plans** retreats, the territory's value, several waves (`then`, `hold`): `/help waves`"),
        N_(
            "**Casualties** `loss:inf,art` these go first, the rest in the usual order; write it on "
            "its side of `vs`, or use `aloss:` `dloss:` · `choose` `dchoose` choose the best after each roll"
        ),
        N_(
            "`keep:1` `dkeep:1` keep a land unit to the end · `gunslast` lose AA guns last but one · "
            "`keepdestroyer` `dkeepdestroyer`"
        ),
        N_(
            "`submerge` `dsubmerge` submarines leave · `crash` the defender loses planes that have "
            "no carrier, `acrash` the attacker does"
        ),
        *(option.help for option in OPTIONS if option.help),
        N_("**TUV swing** in an answer: the value of the units the defender loses, minus the value you lose"),
        N_("**Dice** `lowluck` · `biased` · `aafired` AA guns have already fired · `land` `sea` if it could be either"),
        N_("**House rules** own units, dice and rules: `/help house`"),
        N_(
            "**Editions** `variant:1940` (`1940-europe` `1940-pacific` `1941` `1914` `aa50` `revised` `aa-classic`); "
            "the default is {usual} · `tech:jets` technologies: `/help 1940`"
        ),
    ),
    (
        "battle 3 inf 2 arm vs 4 inf",
        "battle 3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa",
        "battle 4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat",
        "battle 2 ainf 1 arm 1 bat vs 3 inf",
    ),
    ("waves", "armies", "house", "rolling", ""),
    home=True,
)

HOUSE = Screen(
    N_("Rules of your table"),
    (
        N_("**Rules of your table** in Axis & Allies"),
        N_("`3 mech vs 4 inf unit:mech=1/2/4` your own unit: attack/defence/price"),
        N_("`2 zep vs 1 nest unit:zep=4/1/11/air/hits2,nest=0/1/6/aa2` a plane with two hits, a gun with two shots"),
        N_("`3 inf 2 arm vs 4 inf unit:arm=3/2/5` other numbers for a known unit"),
        N_("`5 inf 2 fig vs 4 inf 1 aa lowluck:aa` low luck for the AA guns alone, `lowluck:noaa` for all others"),
        N_("`3 inf 2 arm vs 4 inf dice:d12` dice with 12 faces"),
        N_("`2 des vs 1 bat scramble:3fig variant:1940` planes from an air base defend too"),
        "",
        N_(
            "**Units** behind the numbers `air` `sea` `sub` `des` `tra` `bombards` `supported` (by artillery) `hits2` "
            "`aa3` (shots) `carries2` (planes) `dice2` `raid2` · `plain` nothing else of a known unit"
        ),
        N_(
            "**Rules of other editions**, with commas between: `rule:bombard-first` units hit by ships "
            "don't fire, with `bombard-with` they do"
        ),
        N_(
            "`bombard-all` more ships than units that land, or `bombard-limited` · `bombard-bat` `bombard-cru` "
            "`bombard-des` battleships alone, cruisers too, destroyers too · `lone-guns-fire` `lone-guns-fall` AA guns "
            "alone"
        ),
        N_(
            "`aa-by-order` `aa-by-kind` `aa-at-random` which planes the AA guns hit · `damage-stays` `repaired` "
            "damaged ships in later waves"
        ),
        N_(
            "`planes-hit-subs` `planes-need-destroyers` · `subs-strike-both` `subs-strike-attacking` who fires first · "
            "`submerge-after` a round · `submerge:1` one alone · `transports-leave`, or `retreat:transports` for one "
            "wave: transports alone leave"
        ),
        N_("`/preset save ours unit:mech=1/2/4 variant:1940` saves them for all your battles"),
    ),
    (
        "battle 3 mech vs 4 inf unit:mech=1/2/4",
        "battle 2 ainf 1 bat vs 3 inf rule:bombard-first",
        "battle 5 inf 2 fig vs 4 inf 1 aa lowluck:aa",
        "battle 3 inf 2 arm vs 4 inf dice:d12",
    ),
    ("axis", "waves", "armies", ""),
)

WAVES = Screen(
    N_("Plans and waves"),
    (
        N_("**Plans and waves** in Axis & Allies"),
        N_("`5 inf 2 arm vs 4 inf retreat:win<40%` retreat when the chance to take it drops below 40%"),
        N_(
            "`5 inf 2 arm vs 4 inf retreat:profit<0 value:4` retreat when the expected TUV swing is "
            "negative; the territory is worth 4"
        ),
        N_("`6 inf vs 4 inf then 4 arm 2 fig` the next attack on what is left; units after its `vs` join the defence"),
        N_("`6 inf vs 4 inf then hold 5 inf` the counter-attack if you take it"),
        "",
        N_(
            "**Retreat** also `retreat:units<=2`, `destroy<40%`, `air>20%`, `clear>30%`, several "
            "with commas · `rounds:2` at most 2 · `decline:no` attack anyway · by a house rule: `dretreat:2` "
            "`dretreat:units<=2` the defender leaves"
        ),
        N_(
            "**Value** `deadzone` the units that take it are lost again · `planvalue:` "
            "`plandeadzone` only for the plan · `worth:units` count units, `worth:power` count "
            "hitting power, `worth:fig=14,bom=15` your own prices, `aworth:` `dworth:` for one side"
        ),
        N_(
            "**Waves** have their own plans; with `lookahead` a plan counts the waves to come. "
            "Casualty orders stay for later waves until `loss:usual`. `hold:last` attacks only the "
            "wave before."
        ),
        N_(
            "`/need`, `/order` and `/table` work with waves too: what to bring first, and the best order and unit "
            "by wave"
        ),
    ),
    (
        "battle 5 inf 2 arm vs 4 inf retreat:win<40%",
        "battle 5 inf 2 arm vs 4 inf retreat:profit<0 value:4",
        "battle 6 inf vs 4 inf then 4 arm 2 fig",
        "battle 6 inf vs 4 inf then hold 5 inf",
    ),
    ("axis", "armies", "rolling", ""),
)

ARMIES = Screen(
    N_("What to bring"),
    (
        N_("**More questions about Axis & Allies**"),
        N_(
            "`/need 6 inf 4 art 3 arm vs 5 inf` what to bring: the cheapest force that takes it, and the best TUV swing"
        ),
        N_(
            "`/need vs 5 inf 90%` out of all units · `/need 24 ipc vs 5 inf` what to buy, "
            "`/need 5 inf vs 24 ipc` to hold"
        ),
        N_("`/order 3 inf 2 arm vs 4 inf 1 arm` the best casualty order · `/table` which unit matters most"),
        N_(
            "`/dice 10 inf` the hits of one throw; `/dice 5 bat defend`, `/dice 3 inf vs 4 inf`, `/dice 10 inf hits:3+`"
        ),
        N_("`/bombing 5 bom vs 20` a raid on a factory that can take 20 damage: is it worth it?"),
        N_("`/place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf` where to put 8 inf 1 fig to hold both territories"),
        "",
        N_(
            "**/need** `90%` another target · `side:defender` what the defender needs · `least:2arm` "
            "these come anyway · `survive` only survivors count"
        ),
        N_("**/place** `hold:2` hold at least two, `hold:value` hold the most value (add `value:3` to each)"),
        N_("`/bombing 5 bom 2 fig vs 3 fig 20` escorts against interceptors · `damaged:6` damage it has already"),
        N_("`/compare 5 inf 2 arm vs 4 inf || retreat:profit<0` two plans; for the second, type only what changes"),
        N_(
            "`/battle … all` every ending, likeliest first; `all:money` `all:winner` sort by TUV or "
            "winner · `… exact` leaves out nothing, however unlikely"
        ),
        N_(
            "`/battle … left:2+fig` how likely it is that at least 2 fighters are left · `lost:0` nothing lost · "
            "`dleft:0acc` the carrier sunk · `left:20+ipc`"
        ),
    ),
    (
        "need 6 inf 4 art 3 arm vs 5 inf",
        "order 3 inf 2 arm vs 4 inf 1 arm",
        "bombing 5 bom vs 20",
        "place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf",
    ),
    ("axis", "waves", "rolling", ""),
)

_EXAMPLES = {
    "axis": {
        **dict.fromkeys(("battle", "roll", "table", "order"), BATTLE),
        "need": "6 inf 4 art 3 arm vs 5 inf",
        "compare": "3 inf 2 arm vs 4 inf || retreat:profit<0",
    }
}
_WORDS = {
    **dict.fromkeys(("order", "bombing", "raid", "place", "least", "survive"), "armies"),
    **dict.fromkeys(("worth", "then", "hold", "lookahead", "retreat", "dretreat", "deadzone"), "waves"),
    **dict.fromkeys(("loss", "units", "edition", "editions", "lowluck", "submerge", "kamikaze"), "axis"),
    N_("opening, openings, set-up"): "axis",
    **dict.fromkeys(("unit", "rule", "d12", "scramble"), "house"),
    N_("own units, our table, rules of our table"): "house",
}


def _guess(line: str) -> str:
    """Return the topic of a line that names a unit."""
    return "axis" if any(map(names_a_unit, re.findall("[a-z]{2,}", line.casefold()))) else ""


def _variants() -> dict[str, Variant]:
    """Return the editions with the values of their units."""
    return {key: _variant(key, language()) for key in editions()}


@lru_cache
def _variant(key: str, _language: str) -> Variant:
    """Return an edition as it is described in the language of the moment."""
    edition = editions()[key]
    cells = [["", "", _p("column", "attack"), _p("column", "defence"), "IPC"]]
    for unit in sorted(edition.plain_rules.units, key=lambda unit: bool(unit.form_of)):
        more, less = unit.supremacy or (unit.boost, None)
        attack, defence = (
            f"{usual}" if raised is None else f"{usual} ({raised})"
            for usual, raised in ((unit.attack, more), (unit.defence, less))
        )
        if unit.rolls_more("attack"):
            attack = f"{attack}/{attack}" if unit.better_of_two else f"{unit.attack_dice}×{attack}"
        cells.append([edition.short[unit.name], _(unit.name.replace("_", " ")), attack, defence, str(unit.cost)])
    return Variant(
        edition.name,
        edition.about,
        edition.unsure,
        edition.source,
        f"battle 3 inf vs 2 inf variant:{edition.key}",
        ("axis", "variants", ""),
        narrow(cells, "<<>>>"),
        " ".join(filter(None, [_other_rules(edition.plain_rules), _technologies(edition)])),
    )


def _other_rules(rules: Rules) -> str:
    """Name the rules that an edition has and the usual one has not, as they are typed."""
    usual = words_of_rules(editions()[USUAL].plain_rules)
    words = [f"rule:{word}" for word in words_of_rules(rules) if word not in usual]
    words += [f"rounds:{rules.land_rounds}"] * bool(rules.land_rounds)
    if not words:
        return ""
    listed = " ".join(f"`{word}`" for word in words)
    return _("Rules unlike those of {usual}: {rules} (`/help house`).", usual=USUAL, rules=listed)


def _technologies(edition: Edition) -> str:
    """Name the technologies of an edition, and say how they are typed."""
    names = list(dict.fromkeys(edition.technologies.values()))
    if not names:
        return ""
    (plain, form), *_others = edition.forms(names[:1]).items()
    short, line = edition.short, "3 {unit}{more} vs 4 inf"
    return _(
        "Technologies: {names}. Type `{option}` or `{units}`.",
        names=", ".join(names),
        option=line.format(unit=short[plain], more=f" tech:{names[0]}"),
        units=line.format(unit=short[form], more=""),
    )


HELP = Help(
    screens={"axis": AXIS, "waves": WAVES, "armies": ARMIES, "house": HOUSE},
    words=_WORDS,
    examples=_EXAMPLES,
    questions="armies",
    guess=_guess,
    variants=_variants,
)
