"""The screens of /help: what each says, the lines that can be tapped on it, and which screens it leads to."""

from typing import NamedTuple

from bot.languages import N_


class Screen(NamedTuple):
    """A screen: the label of the button that leads to it, its text, lines to tap, and topics of the screens to go to.

    A row holds four buttons, so four or eight lines leave the rows below to the other screens.
    """

    label: str
    lines: tuple[str, ...]
    tries: tuple[str, ...] = ()
    leads: tuple[str, ...] = ("",)


HOME = Screen(
    N_("← Help"),
    (
        N_("**Who wins?** Ask me for the odds of a battle on your board."),
        N_("Type `/battle`, then attackers, then defenders: `/battle 12 9`"),
        "",
        N_("**Risk** `12 9`"),
        N_("**Star Wars Risk** `12 9 bombers:2`"),
        N_("**Icon dice** `icons AAD,A,D,- 3 4`"),
        N_("**Axis & Allies** `3 inf 2 arm vs 4 inf`"),
        N_("**Live battles** `/roll 12 9`, with fair dice"),
        N_("-# More of each: `/help risk`, `starwars`, `icons`, `axis`, `rolling`, `more`"),
    ),
    leads=("risk", "starwars", "icons", "axis", "rolling", "more"),
)

RISK = Screen(
    N_("Risk"),
    (
        N_("**Risk**: attackers first, then defenders. Don't count the army that must stay behind."),
        N_("`12 9` who wins, and what is left; also `12v9` or `12-9`"),
        N_("`12 9 stop:4` stop attacking with 4 or fewer left"),
        N_("`20 > 5 > 4 > 2 leave:1` a path: take 5, leave 1 behind, take 4 …"),
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
    ("rules", "questions", "variants", ""),
)

RULES = Screen(
    N_("House rules"),
    (
        N_("**House rules** for games that compare the highest dice. Add them after the numbers:"),
        N_("`12 9 dbonus:1` +1 on the defender's highest die, `dbonus:-1` is −1; `abonus:1,1` +1 on two attack dice"),
        N_("`12 9 adice:8,6,6` other dice, best first; `ddice:8,8` the defender's"),
        N_("`12 9 ties:attacker` who wins ties: also `defender`, `both` (both lose one), `neither`"),
        N_("`12 9 late` the defender picks how many dice to roll after seeing the attack"),
        "",
        N_("`dice:2v1` fewer dice, `dice:4v3` more · `arerolls:1` the attacker rerolls one die while it shows 1"),
        N_("`dclamp:1..6` the defender's dice stay between 1 and 6, whatever the bonus"),
        N_("`reshape:0.05,1.3,0.1,1.8` reshapes the final odds, as in Balanced Blitz; `reshape:none` doesn't"),
        N_("Put `a` before a word for the attacker, `d` for the defender. After `vs`, words are the defender's."),
        N_("`variant:2210` is a whole set of rules: see `/help variants`, or `/help 2210` for one of them."),
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
)

AXIS = Screen(
    N_("Axis & Allies"),
    (
        N_("**Axis & Allies**: numbers and units, the defender's after `vs`."),
        N_("`3 inf 2 arm vs 4 inf` also `3i 2t vs 4i`, plurals and full names"),
        N_("`3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa` on land"),
        N_("`4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat` at sea; `dbat` is a damaged battleship"),
        N_("`2 ainf 1 arm 1 bat vs 3 inf` `ainf aart aarm` land from the sea, ships bombard"),
        "",
        N_("**Plans** retreats, the territory's value, several waves (`then`, `hold`): `/help waves`"),
        N_(
            "**Casualties** `loss:inf,art` these go first, the rest in the usual order; write it on "
            "its side of `vs`, or use `aloss:` `dloss:`"
        ),
        N_(
            "`keep:1` `dkeep:1` keep a land unit to the end · `gunslast` lose AA guns last but one · "
            "`keepdestroyer` `dkeepdestroyer`"
        ),
        N_(
            "`submerge` `dsubmerge` submarines leave · `crash` the defender loses planes that have "
            "no carrier, `acrash` the attacker does"
        ),
        N_("**TUV swing** in an answer: the value of the units the defender loses, minus the value you lose"),
        N_("**Dice** `lowluck` · `biased` · `aafired` AA guns have already fired · `land` `sea` if it could be either"),
        N_("**Editions** `variant:1940` (also `1940-europe`, `1940-pacific`, `1941`, `1914`); the default is {usual}"),
    ),
    (
        "battle 3 inf 2 arm vs 4 inf",
        "battle 3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa",
        "battle 4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat",
        "battle 2 ainf 1 arm 1 bat vs 3 inf",
    ),
    ("waves", "armies", "rolling", ""),
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
            "with commas · `rounds:2` at most 2 · `decline:no` attack anyway"
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
        N_("`/order 3 inf 2 arm vs 4 inf 1 arm` the best casualty order · `/table` which unit matters most"),
        N_("`/bombing 5 bom vs 20` a raid on a factory that can take 20 damage: is it worth it?"),
        N_("`/place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf` where to put 8 inf 1 fig to hold both territories"),
        "",
        N_(
            "**/need** `90%` another target · `side:defender` what the defender needs · `least:2arm` "
            "these come anyway · `survive` only survivors count"
        ),
        N_("**/place** `hold:2` hold at least two, `hold:value` hold the most value (add `value:3` to each)"),
        N_("**/bombing** with `lowluck` `biased` `aafired` `variant:1940`; no escorts, no interceptors"),
        N_("`/compare 5 inf 2 arm vs 4 inf || retreat:profit<0` two plans; for the second, type only what changes"),
        N_(
            "`/battle … all` every ending, likeliest first; `all:money` `all:winner` sort by TUV or "
            "winner · `… exact` leaves out nothing, however unlikely"
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

QUESTIONS = Screen(
    N_("More questions"),
    (
        N_("**More questions you can ask**"),
        N_(
            "`/need 9` how many you need to beat 9 (80%); `/need 12 vs` to hold against 12; `/need 12 "
            "9 90%` both, at 90%"
        ),
        N_("`/table 12 9` a map of win chances for all army sizes"),
        N_(
            "`/dice 3 2` what one round costs; `/dice 3 fighters:1` what three dice show; `/dice "
            "all` everything at once"
        ),
        N_("`/compare 12 9 stop:4 || stop:6` which plan is better, and by how much"),
        "",
        N_("Put `or`, `||` or a new line between two plans. For the second, type only what changes."),
        N_("They take the same words as a battle: `/need 9 bombers:1`, `/table 12 9 variant:2210`"),
        N_("`/battle 12 9 all` every ending and its chance · `12 9 exact` the chance as a fraction"),
        N_("`/battle 12 10 capitals:1 advice` whether fewer dice are better, even by a little"),
        N_("More for Axis & Allies: `/help armies`"),
    ),
    ("need 9", "table 12 9", "dice 3 2", "compare 12 9 stop:4 || stop:6"),
    ("risk", "armies", "more", ""),
)

ROLLING = Screen(
    N_("Live battles"),
    (
        N_("**Live battles** `/roll 12 9`, or **Roll it** under an answer: every die, and the odds after each round."),
        N_("**Roll** one round · **Roll to the end** · **Retreat**. Every game works, with all options of the line."),
        N_("`opponent:` the defender; only you two can press, only the attacker retreats · `private:` only you see it"),
        N_(
            "**Real dice**: roll your own and type them, `6 4 1 vs 5 3`. A * marks these rounds; they don't count for "
            "luck and statistics"
        ),
        N_("In Axis & Allies `@3 1 6` means two dice that hit on 3 or less; units are lost in casualty order."),
        "",
        N_("`/luck` how lucky you were, or a `player:`, a pair (`against:`), `everybody:`"),
        N_("`/history list` `open` `share` `export` earlier battles · `/history faces` counts every face rolled here"),
        N_("`/history end` for moderators: ends a battle early. Anyone can verify it; it doesn't count for luck."),
        N_("`/verify` checks that the dice were fair; `/help fairness` explains how"),
        N_(
            "I store who played and what was rolled. `/history forget` removes your name; after `/settings "
            "history:off` I delete each battle when it ends."
        ),
    ),
    ("roll 12 9", "luck", "history list", "verify"),
    ("fairness", "more", ""),
)

FAIRNESS = Screen(
    N_("Fair dice"),
    (
        N_("**Are the dice fair?** Anyone can check every die of a battle."),
        N_(
            "Before the first roll I draw a secret number, the seed, and show the fingerprint of the seed "
            "(commitment). It fits no other seed, so I can't change the seed later."
        ),
        N_(
            "I compute each die from the seed and from two numbers that Discord assigns after that: the id of the "
            "message and the id of your press. So I can't choose a seed for its dice, and you can't predict them."
        ),
        N_(
            "The 8 characters after `log` are a fingerprint (hash) of the rolls: changing any earlier roll would "
            "change them."
        ),
        N_(
            "When the battle is over, **Verify** or `/verify` shows the seed, computes every die again and checks the "
            "rules. It also gives you the log: check it yourself with `sandtable verify battle.json`, or with `python3 "
            "fair.py battle.json`. This small file, `fair.py`, needs only Python. Then compare commitment, log and "
            "message id with the chat."
        ),
        "",
        N_("**What this does not prove:** that the host runs my program unchanged. See `/help proof`"),
    ),
    ("verify",),
    ("proof", "rolling", "more", ""),
)

PROOF = Screen(
    N_("What is not proved"),
    (
        N_("**What fair dice do not prove** (`/help fairness` explains what they prove)"),
        N_("The host can change my program. A changed program could look at the seed early."),
        N_("It could record another number for your press than Discord gave. Only Discord knows the right one."),
        N_("It could lose a press that rolls badly. The dice in the log would still fit."),
        N_("A battle that someone abandons because it goes badly stays in the history."),
        N_("Dice that players roll on their table and type in are only as honest as the players."),
    ),
    leads=("fairness", "rolling", "more", ""),
)

PRESETS = Screen(
    N_("Presets"),
    (
        N_(
            "**Presets** are saved battles. They belong to the server; in direct messages they are "
            "your own. Anyone can save and use them."
        ),
        N_(
            "`/preset save alamo 12 9`, or **Save** under an answer; then `/battle alamo`, `/roll alamo stop:3`, any "
            "command"
        ),
        N_("`/preset list` all presets · `/preset show alamo` its odds, its note, who saved it"),
        N_("`/preset change alamo 13 9` a new battle; `/preset change alamo alamo stop:3` adds to it"),
        N_("`/preset rename alamo rorke` a new name"),
        N_("`/preset note alamo the last stand` adds a note; `/preset note alamo` removes it"),
        N_("`/preset delete alamo` deletes it"),
        N_(
            "To change someone else's preset you need the Manage Server permission, or the role set "
            "with `/settings setup_role:`."
        ),
        "",
        N_("`/preset export` all presets in one file · `/preset import` reads such a file, on any server."),
        N_(
            "You see first what would change; then you import all of it or nothing. Presets with the "
            "same name stay, unless you add `replace:True`"
        ),
    ),
    ("preset list",),
    ("more", ""),
)

MORE = Screen(
    N_("Everything else"),
    (
        N_("**Everything else**"),
        N_("`/help questions` how many you need, a table, one round, two plans"),
        N_("`/help rules` house rules · `/help variants` dozens of variants"),
        N_("`/help armies` Axis & Allies: what to bring, raids, placement · `/help waves` retreats and waves"),
        N_("`/help presets` presets, battles saved under a name: `/battle ukraine stop:3`"),
        N_("`/help fairness` how anyone can check the dice"),
        "",
        N_(
            "`/settings` the defaults here: game, edition, behind (numbers include the army that "
            "stays behind), show (words, pictures or both), private, setup_role, history, language"
        ),
        N_(
            "In a channel, mention me: `@Sandtable 12 9`. In direct messages, just type the battle. "
            "On a message with a battle in it: **Apps → Battle odds**"
        ),
    ),
    leads=("questions", "rules", "variants", "armies", "presets", "fairness", "rolling", ""),
)

SCREENS = {
    "": HOME,
    "risk": RISK,
    "starwars": STARWARS,
    "icons": ICONS,
    "axis": AXIS,
    "rolling": ROLLING,
    "more": MORE,
    "questions": QUESTIONS,
    "rules": RULES,
    "waves": WAVES,
    "armies": ARMIES,
    "presets": PRESETS,
    "fairness": FAIRNESS,
    "proof": PROOF,
}
"""Every screen by its topic."""

ALSO = dict.fromkeys(("order", "bombing", "raid", "place", "least", "survive"), "armies")
ALSO |= dict.fromkeys(("fair", "seed", "commitment", "hash", "verify", "fair.py"), "fairness")
ALSO |= dict.fromkeys(("roll", "live", "luck", "history", "opponent", "real dice"), "rolling")
ALSO |= dict.fromkeys(("preset", "save", "rename", "note", "import", "export"), "presets")
ALSO |= dict.fromkeys(("setups", "set-ups", "setup_role"), "presets")
ALSO |= dict.fromkeys(("worth", "then", "hold", "lookahead", "retreat", "deadzone"), "waves")
ALSO |= dict.fromkeys(("loss", "units", "edition", "editions", "lowluck"), "axis")
ALSO |= dict.fromkeys(("need", "table", "dice", "compare", "plans", "exact", "all", "ends", "advice"), "questions")
ALSO |= dict.fromkeys(("path", "paths", "stop", "reserve", "rounds", "value"), "risk")
ALSO |= dict.fromkeys(("star wars", "fighters", "bombers", "capitals", "ships"), "starwars")
ALSO |= dict.fromkeys(("house rules", "bonus", "ties", "late", "clamp", "rerolls", "reshape"), "rules")
ALSO |= {
    "settings": "more",
    "language": "more",
    "behind": "more",
    "variant": "variants",
    "pack": "variants",
    "packs": "variants",
    "battle": "",
    "help": "",
}
"""Words that people look for, and the topic that has them."""
