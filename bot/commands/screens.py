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
        N_("**Who wins?** Ask me, and read the exact odds of a battle on your board."),
        N_("Type `/battle`, the attackers, the defenders: `/battle 12 9`"),
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
        N_("**Risk**: the attackers, then the defenders. The army that must stay behind is not counted."),
        N_("`12 9` who wins, and with how many left; `12v9` and `12-9` are the same"),
        N_("`12 9 stop:4` the attacker stops with 4 or fewer"),
        N_("`20 > 5 > 4 > 2 leave:1` a path: take 5, leave 1 behind, take 4 …"),
        N_("`12 9 variant:2210` a rule pack, here Risk 2210; `/help packs` has dozens"),
        "",
        N_(
            "**Plans** `reserve:4` 4 never roll · `rounds:3` at most 3 · `value:6` stop when best for a territory "
            "worth 6 armies"
        ),
        N_("**Paths** a territory may have rules of its own: `20 > 5 > 4 ties:attacker > 2 leave:2,1`"),
        N_("**House rules** other dice, bonuses, ties: `/help rules`"),
        N_("**Questions** how many it takes, all sizes, one round, two plans: `/help questions`"),
        N_(
            "Words come in any order, in capitals or not. `12 9 all` lists every way to end, `12 9 exact` gives the "
            "chance as a fraction too."
        ),
    ),
    ("battle 12 9", "battle 12 9 stop:4", "battle 20 > 5 > 4 > 2 leave:1", "battle 12 9 variant:2210"),
    ("rules", "questions", "packs", ""),
)

RULES = Screen(
    N_("House rules"),
    (
        N_("**House rules** for dice that are compared, highest with highest. They stand behind the numbers:"),
        N_("`12 9 dbonus:1` +1 to the defender's highest die, `dbonus:-1` less; `abonus:1,1` both attack dice"),
        N_("`12 9 adice:8,6,6` other dice, best first; `ddice:8,8` the defender's"),
        N_("`12 9 ties:attacker` who wins ties: also `defender`, `both` lose, `neither` does"),
        N_("`12 9 late` the defender chooses how many dice after seeing the attack"),
        "",
        N_("`dice:2v1` fewer dice, `dice:4v3` more · `arerolls:1` one 1 is rolled again until it is none"),
        N_("`dclamp:1..6` the defender's dice stay within 1 to 6, whatever the bonus"),
        N_("`reshape:0.05,1.3,0.1,1.8` odds bent as a whole, as in Balanced Blitz; `reshape:none` as they are"),
        N_("With `a` in front a word is the attacker's, with `d` the defender's; so is what stands behind `vs`."),
        N_("`variant:2210` is a whole pack of rules: `/help packs`, and `/help 2210` for one of them."),
    ),
    ("battle 12 9 dbonus:1", "battle 12 9 adice:8,6,6", "battle 12 9 ties:attacker", "battle 12 9 late"),
    ("risk", "packs", "questions", ""),
)

STARWARS = Screen(
    N_("Star Wars Risk"),
    (
        N_("**Star Wars Risk**: armies as in Risk, and the ships of either side."),
        N_("`12 9 bombers:2` the attacker brings 2 bombers"),
        N_("`12 9 fighters:1 capitals:1` a fighter and a capital ship"),
        N_("`12 fighters:1 vs 9 capitals:1` what follows `vs` is the defender's"),
        N_("`12 9 bombers:2 dcapitals:1` so is a ship with a `d` in front"),
        "",
        N_(
            "A fighter rolls a 1 again, a bomber adds 1 to a die, a capital ship makes a die eight-sided. They do not "
            "fight, and stay for the whole battle."
        ),
        N_("`/need 9 bombers:1` how many it takes, and which ship would help most"),
        N_(
            "`/dice 3 fighters:1` what three dice with a fighter show; "
            "`/dice all fighters:1` all rounds and dice at once"
        ),
        N_("Plans, paths and house rules are those of Risk: `/help risk`, `/help rules`"),
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
        N_("**Icon dice**: the faces of a die with commas between them, A attacks, D defends, - is blank."),
        N_("`icons AAD,ADD,A,D,-,- 3 4` six faces; 3 attack, 4 defend"),
        N_("`3 4 icons:AA,A,D,-` four faces will do, and the order is free"),
        N_("A blank face is `-`, `blank`, `empty` or `0`. The last two faces of `A,D,,` are blank too."),
        N_("`3 4 icons:AA,D dicons:A,D` other dice for the defender"),
        N_("`3 4 variant:battle-dice` dice that have a name; `/help packs`"),
        "",
        N_("**Plans** as in Risk: `stop:2` stop with 2 or fewer · `reserve:1` 1 never rolls · `rounds:3` at most 3"),
        N_("`/dice icons AA,A,D,- 3 4` what one round costs · `/need 4 icons:AA,A,D,-` how many it takes"),
    ),
    (
        "battle icons AAD,ADD,A,D,-,- 3 4",
        "battle 3 4 icons:AA,A,D,-",
        "battle 3 4 icons:AA,D dicons:A,D",
        "battle 3 4 variant:battle-dice",
    ),
    ("questions", "packs", "rolling", ""),
)

AXIS = Screen(
    N_("Axis & Allies"),
    (
        N_("**Axis & Allies**: units with their numbers, the defender's after `vs`."),
        N_("`3 inf 2 arm vs 4 inf` also `3i 2t vs 4i`, plurals, full names"),
        N_("`3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa` on land"),
        N_("`4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat` at sea; `dbat` is a damaged battleship"),
        N_("`2 ainf 1 arm 1 bat vs 3 inf` `ainf aart aarm` are landed from the sea, ships bombard"),
        "",
        N_("**Plans** retreats, what it is worth, several waves (`then`, `hold`): `/help waves`"),
        N_("**Losses** `loss:inf,art` first lost first, others as usual; on its side of `vs`, or `aloss:` `dloss:`"),
        N_(
            "`keep:1` `dkeep:1` land units to the last · `gunslast` AA guns last but one · `keepdestroyer` "
            "`dkeepdestroyer`"
        ),
        N_(
            "`submerge` `dsubmerge` submarines leave · `crash` the defender's planes without a carrier are lost, "
            "`acrash` the attacker's"
        ),
        N_("**Dice** `lowluck` · `biased` · `aafired` the guns have fired · `land` `sea` where both could be"),
        N_(
            "**Editions** `variant:1940` (also `1940-europe`, `1940-pacific`, `1941`, `1914`); {usual} is the usual one"
        ),
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
        N_("`5 inf 2 arm vs 4 inf retreat:win<40%` retreat where the chance to take it is below 40%"),
        N_("`5 inf 2 arm vs 4 inf retreat:profit<0 value:4` where going on no longer pays; the territory is worth 4"),
        N_("`6 inf vs 4 inf then 4 arm 2 fig` the next attack on what is left; `vs 1 inf` there joins the defence"),
        N_("`6 inf vs 4 inf then hold 5 inf` the counter-attack on who has taken it"),
        "",
        N_(
            "**Retreat** also `retreat:units<=2`, `destroy<40%`, `air>20%`, `clear>30%`, several with commas · "
            "`rounds:2` at most · `decline:no` attack all the same"
        ),
        N_(
            "**Money** `deadzone` what takes it is lost again · `planvalue:` `plandeadzone` to plan by · `worth:units` "
            "one each, `worth:power` what they hit with, `worth:fig=14,bom=15` own prices, `aworth:` `dworth:` of one "
            "side"
        ),
        N_(
            "**Waves** have plans of their own; with `lookahead` these know of those to come. Orders of loss go on; "
            "`loss:usual` takes them back. `hold:last` is only against the wave before."
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
        N_("**What else can be asked of Axis & Allies**"),
        N_("`/need 6 inf 4 art 3 arm vs 5 inf` what to bring: the cheapest part that takes it, and what pays best"),
        N_("`/order 3 inf 2 arm vs 4 inf 1 arm` the best order of loss · `/table` which unit matters most"),
        N_("`/bombing 5 bom vs 20` a raid on a factory that can take 20 points: does it pay?"),
        N_("`/place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf` where to put 8 inf 1 fig, so that all is held"),
        "",
        N_(
            "**/need** `90%` another chance · `side:defender` what holds · `least:2arm` these come anyway · `survive` "
            "somebody is left"
        ),
        N_("**/place** `hold:2` two at least, `hold:value` what is worth most (`value:3` behind each)"),
        N_("**/bombing** with `lowluck` `biased` `aafired` `variant:1940`; no escorts, no interceptors"),
        N_("`/compare 5 inf 2 arm vs 4 inf || retreat:profit<0` two plans; of the second what changes is enough"),
        N_(
            "`/battle … all` every way to end, likeliest first; `all:money` `all:winner` other orders · `… exact` "
            "drops nothing at all"
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
        N_("**More questions** than who wins"),
        N_("`/need 9` how many take it, with 80%; `/need 12 vs` how many hold; `/need 12 9 90%` both, for 90%"),
        N_("`/table 12 9` the chance of every size of battle around it, as a map"),
        N_(
            "`/dice 3 2` what one round costs; `/dice 3 fighters:1` what three dice show; `/dice all` all of it at once"
        ),
        N_("`/compare 12 9 stop:4 || stop:6` which plan is better, and by how much"),
        "",
        N_("Between two plans `or` will do, or a new line, and of the second what changes is enough."),
        N_("All words of a battle go with them: `/need 9 bombers:1`, `/table 12 9 variant:2210`"),
        N_("`/battle 12 9 all` every number of losses, and how likely it is · `12 9 exact` the chance as a fraction"),
        N_("`/battle 12 10 capitals:1 advice` whether fewer dice are better, however little"),
        N_("Of Axis & Allies there is more: `/help armies`"),
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

SETUPS = Screen(
    N_("Saved set-ups"),
    (
        N_("**Saved set-ups** belong to the server; in direct messages they are your own. All may save and use them."),
        N_(
            "`/preset save alamo 12 9`, or **Save** under an answer; then `/battle alamo`, `/roll alamo stop:3`, any "
            "command"
        ),
        N_("`/preset list` what there is · `/preset show alamo` its odds, who saved it, its note"),
        N_("`/preset change alamo 13 9` another battle; `/preset change alamo alamo stop:3` adds to it"),
        N_("`/preset rename alamo rorke` another name"),
        N_("`/preset note alamo the last stand` what it is for; `/preset note alamo` takes the note away"),
        N_("`/preset delete alamo` forget it"),
        N_(
            "Changing somebody else's needs the right to manage the server, or the role that `/settings setup_role:` "
            "gives it to."
        ),
        "",
        N_("`/preset export` all of them in one file · `/preset import` takes such a file in, anywhere."),
        N_(
            "First you see what it would change; then all of it is done, or nothing. What is here under the same name "
            "stays, but with `replace:True`"
        ),
    ),
    ("preset list",),
    ("more", ""),
)

MORE = Screen(
    N_("Everything else"),
    (
        N_("**Everything else**"),
        N_("`/help questions` how many it takes, all sizes, one round, two plans"),
        N_("`/help rules` house rules · `/help packs` dozens of rule packs"),
        N_("`/help armies` Axis & Allies: what to bring, raids, placing · `/help waves` retreats and waves"),
        N_("`/help setups` battles kept under a name: `/battle ukraine stop:3`"),
        N_("`/help fairness` how anybody can check the dice"),
        "",
        N_(
            "`/settings` what is usual here: game, edition, behind (numbers count the army that stays behind), show "
            "(words, pictures or both), private, setup_role, history, language"
        ),
        N_(
            "In a channel mention me: `@Sandtable 12 9`. In direct messages the line alone will do. On any message "
            "with a battle in it: **Apps → Battle odds**"
        ),
    ),
    leads=("questions", "rules", "packs", "armies", "setups", "fairness", "rolling", ""),
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
    "setups": SETUPS,
    "fairness": FAIRNESS,
    "proof": PROOF,
}
"""Every screen by its topic."""

ALSO = dict.fromkeys(("order", "bombing", "raid", "place", "least", "survive"), "armies")
ALSO |= dict.fromkeys(("fair", "seed", "commitment", "hash", "verify", "fair.py"), "fairness")
ALSO |= dict.fromkeys(("roll", "live", "luck", "history", "opponent", "real dice"), "rolling")
ALSO |= dict.fromkeys(("preset", "set-ups", "save", "rename", "note", "import", "export", "setup_role"), "setups")
ALSO |= dict.fromkeys(("worth", "then", "hold", "lookahead", "retreat", "deadzone"), "waves")
ALSO |= dict.fromkeys(("loss", "units", "edition", "editions", "lowluck"), "axis")
ALSO |= dict.fromkeys(("need", "table", "dice", "compare", "plans", "exact", "all", "ends", "advice"), "questions")
ALSO |= dict.fromkeys(("path", "paths", "stop", "reserve", "rounds", "value"), "risk")
ALSO |= dict.fromkeys(("star wars", "fighters", "bombers", "capitals", "ships"), "starwars")
ALSO |= dict.fromkeys(("house rules", "bonus", "ties", "late", "clamp", "rerolls", "reshape"), "rules")
ALSO |= {"settings": "more", "language": "more", "behind": "more", "variant": "packs", "battle": "", "help": ""}
"""Words that people look for, and the topic that has them."""
