"""/help: what can be asked, on one screen; and screens of their own for the rule packs and other topics."""

import inspect
from difflib import get_close_matches

from bot import fair
from bot.commands.request import Request, Services
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.packs import described, load, row
from bot.replies import Reply, TextFile, aligned
from solver.battle import GAMES

TEXT = """\
**Who wins?** Type `/battle`, the attackers, the defenders:
`/battle 12 9` — classic Risk, 12 against 9 (the army that stays behind is not counted)
`/battle 12 9 bombers:2` — Star Wars Risk; also `fighters:` and `capitals:`
`/battle 12 fighters:1 vs 9 capitals:1` — what follows `vs` is the defender's; or write `dcapitals:1`
`/battle icons AAD,ADD,A,D,-,- 3 4` — icon dice: A attacks, D defends, - is blank
`/battle 20 > 5 > 4 > 2 leave:1` — a path: take 5, leave 1, take 4 …
`/battle 3 inf 2 arm 3 fig vs 5 inf 1 aa` — Axis & Allies, land or sea: `/help axis`; \
`/bombing 5 bom vs 20` raids a factory, `/order` finds the best order of loss

**Plans** `stop:4` stop at 4 or fewer · `reserve:4` 4 never roll · `rounds:3` at most 3 · `value:6` stop when best \
for a territory worth 6 armies
**House rules** `variant:2210` a rule pack (`/help packs`) · `dice:2v1` · `adice:8,6,6` `ddice:8,8` · `abonus:1` \
`dbonus:1` on the highest die · `arerolls:1` · `dclamp:1..6` · `ties:attacker` (`both`, `neither`) · `late` the \
defender chooses dice after seeing the attack

`/need 9` how many take it · `/need 12 vs` how many hold · `/need 12 9 90%` both, for 90 %
`/table 12 9` all sizes around it · `/dice 3 2` what a round costs · `/dice 3 fighters:1` what three dice show
`/compare 12 9 stop:4 || stop:6` which plan is better; `or` between them will do, and of the second what changes
`/roll 12 9` fights it live, with fair dice (`/help rolling`) · `/battle 12 9 exact` the fraction
`/preset save` keeps a set-up under a name: `/battle ukraine stop:3` (`/help setups`)
Order and case do not matter, `12v9` and `12-9` are fine. In a channel: mention me, `@Sandtable 12 9`."""

ARMY_TEXT = """\
**Axis & Allies**: units with their numbers, the defender's after `vs`. Land or sea is told by the units.
`/battle 3 inf 2 arm 3 fig vs 5 inf 2 art 1 aa` — or `3i 2t 3f`, plurals, full names
`/battle 4 sub 2 des 3 fig 1 acc vs 3 des 2 cru 1 bat` — `dbat` is a damaged battleship
`/battle 2 ainf 1 arm 1 bat vs 3 inf` — `ainf aart aarm` are landed from the sea, cruisers and battleships bombard

**Losses** `loss:inf,art,arm,fig,bom` first lost first, on its side of `vs` or `dloss:` · `keep:1` land units to the \
last · `gunslast` AA guns last but one · `keepdestroyer` `dkeepdestroyer` · `submerge` `dsubmerge` · `crash` planes \
without a carrier are lost
**Plans** `rounds:2` · `retreat:units<=2` `retreat:profit<0` `retreat:win<40%` (`destroy<40%`) `retreat:air>20%` \
`retreat:clear>30%`, several with commas · `decline:no` attack all the same
**Money** `value:4` the territory · `deadzone` what takes it is lost again · `planvalue:` `plandeadzone` to plan by \
· `worth:units` one each, `worth:power` what they hit with, `worth:fig=14,bom=15` own prices
**Waves** `… then 4 arm 2 fig vs 1 inf` the next attack, and who joins the defence · `… then hold 6 inf` the \
counter-attack on who has taken it · each with plans of its own; with `lookahead` they know of those to come
**Dice** `lowluck` · `biased` · `aafired` the guns have fired · `land` `sea` where both could be
**Editions** `variant:1940` (also `1940-europe`, `1940-pacific`, `1941`, `1914`); 1942 is the usual one

`/help armies`: what else can be asked about them"""

ASKED_TEXT = """\
**What else can be asked of Axis & Allies**
`/need 90% 6 inf 4 art 3 arm vs 5 inf` what to bring: the cheapest part that takes it, and what pays best · \
`side:defender` what holds · `least:2arm` these come anyway · `survive` somebody is left
`/table 3 inf 2 arm vs 4 inf` which unit matters most · `/order` with such a line: the best order of loss
`/compare 5 inf 2 arm vs 4 inf || retreat:profit<0` two plans side by side; of the second what changes is enough
`/place 8 inf 1 fig || 4 inf 2 arm vs 1 inf || 6 inf` where to put 8 inf 1 fig against these attacks: all held, \
`hold:2` two at least, `hold:value` what is worth most (`value:3` behind each)
`/bombing 5 bom vs 20` — a raid on a factory that can take 20 points: does it pay, with how many bombers best; also \
with `lowluck` `biased` `aafired` `variant:1940`. No escorts, no interceptors
`/battle … exact` drops nothing at all"""

LIVE_TEXT = """\
**Live battles** `/roll 12 9`, or **Roll it** under any answer. Any game goes: Risk, icon dice, paths, Axis & Allies.
**Roll** one round · **Roll to the end** · **Retreat** · every die is shown, with the odds after each round
`opponent:` who defends; then only the two of you can press, and only the attacker can retreat
`private:` for your eyes only · what the line says is obeyed: `12 9 stop:4 rounds:6`
**Real dice** for those on your table: type them as they lie, `6 4 1 vs 5 3`. Such rolls are marked, and left out of \
luck and audit
In Axis & Allies `@3 1 6` are two dice that hit at 3 or less; casualties follow the order of loss

`/luck` what the dice did for you, for a `player:`, for a pair (`against:`), for `everybody:`
`/history list` `open` `share` `export` battles of before · `/history faces` every face that ever fell here
`/verify` whether the dice were fair: `/help fairness` says how that is known
Kept is who fought and pressed, and what was rolled. `/history forget` takes your name out; with \
`/settings history:off` nothing is kept of what ends from then on."""

SETUP_TEXT = """\
**Saved set-ups** belong to the server; in direct messages they are your own. All may save and use them.
`/preset save alamo 12 9`, or **Save** under an answer · then `/battle alamo`, `/roll alamo stop:3`, any command
`/preset list` what there is · `/preset show alamo` its odds, who saved it, its note
`/preset change alamo 13 9` another battle; `/preset change alamo alamo stop:3` adds to it
`/preset rename alamo rorke` another name · `/preset note alamo the last stand` what it is for
`/preset note alamo` takes the note away · `/preset delete alamo` all of it
Changing somebody else's needs the right to manage the server, or the role that `/settings setup_role:` gives it to.

`/preset export` all of them in one file · `/preset import` takes such a file in, anywhere. First you see what it \
would change; then all of it is done, or nothing. What is here under the same name stays, but with `replace:True`"""

FAIR_TEXT = """\
**Are the dice fair?** Every die of a battle can be checked, by anybody.
Before the first roll I draw a secret, the seed, and show its fingerprint, the commitment. No other seed has the same \
fingerprint, so I cannot change it later.
Each die is made of that seed and of numbers that Discord gives only afterwards: that of the message, and that of your \
press. So a seed cannot be chosen for its dice, and you cannot know them before you press.
Below the rolls stand 8 digits, the start of a hash that depends on all that was rolled before: who changes an old \
roll changes it.
When the battle is over the seed is shown. `/verify` computes every die again and follows the rules; the log it gives \
can be checked anywhere: `sandtable verify battle.json`, or `python3 fair.py battle.json`, this one small file that \
needs only Python. Compare commitment, last hash and the message's id with what you see here.

**What that does not prove** Who runs me can change my program. Such a program could look at the seed early, write \
down another number for your press than Discord gave, which only Discord knows, or lose a press whose dice are bad; \
the dice of the log would still fit. A battle that is broken off, because it goes badly, stays in the history. And \
dice that people roll on their table and type are as fair as these people."""

TOPICS = ("packs", "axis", "armies", "rolling", "fairness", "setups")
SCREENS = {"": TEXT, "axis": ARMY_TEXT, "armies": ASKED_TEXT, "rolling": LIVE_TEXT}
SCREENS |= {"fairness": FAIR_TEXT, "setups": SETUP_TEXT}
ALSO = dict.fromkeys(("order", "bombing", "compare", "need"), "armies")
ALSO |= dict.fromkeys(("fair", "seed", "commitment", "hash", "verify", "fair.py"), "fairness")
ALSO |= dict.fromkeys(("roll", "live", "luck", "history", "settings", "opponent", "real dice"), "rolling")
ALSO |= dict.fromkeys(("preset", "set-ups", "save", "rename", "note", "import", "export", "setup_role"), "setups")
ALSO |= dict.fromkeys(("waves", "worth", "then", "hold", "lookahead", "loss", "retreat"), "axis")
"""Words that people look for, and the topic that has them."""


async def show_help(request: Request, services: Services) -> Reply:
    """What can be asked, for the person who asked."""
    topic = request.options.get("topic", "").strip().casefold().removeprefix("/")
    topic = ALSO.get(topic, topic)
    if topic in SCREENS:
        verifier = TextFile("fair.py", inspect.getsource(fair)) if topic == "fairness" else None
        return Reply(SCREENS[topic], file=verifier, private=True)
    if topic in TOPICS:
        rows = _rows()
        return Reply("**Rule packs**, for `variant:` in a line: `/battle 12 9 variant:2210`", tuple(rows), private=True)
    key = topic.removeprefix("variant:")
    if edition := editions().get(key):
        return _edition(edition)
    if pack := load().get(key):
        about = f"{pack.about.rstrip('.')}."
        unsure = f"\nNot sure: {pack.unsure.rstrip('.')}." if pack.unsure else ""
        line = "3 4" if pack.game == "icons" else "12 9"
        text = f"**{pack.name}** `/battle {line} variant:{pack.key}`\n{about}{unsure}\n-# known from: {pack.source}"
        return Reply(text, private=True)
    rows = [found for found in _rows() if topic in found.casefold()]
    if rows:
        return Reply(f"**{len(rows)} of the rule packs**, for `variant:` in a line", tuple(rows), private=True)
    near = get_close_matches(topic, [*TOPICS, *load(), *editions()], n=1)
    hint = f"Did you mean `/help {near[0]}`?" if near else "`/help` alone shows what can be asked."
    raise UserError(f"There is no help on that. {hint}")


def _rows() -> list[str]:
    """Every rule pack, one a row."""
    dice = [told for game in GAMES for told in described(load(), game)]
    return dice + [row(one.key, one.name, one.about, one.unsure) for one in editions().values()]


def _edition(edition: Edition) -> Reply:
    """An edition with the values of its units."""
    cells = [["", "", "attack", "defence", "IPC"]]
    for unit in edition.rules.units:
        attack = f"{unit.attack}" if unit.boost is None else f"{unit.attack} ({unit.boost})"
        cells.append([edition.short[unit.name], unit.name.replace("_", " "), attack, str(unit.defence), str(unit.cost)])
    unsure = f"\nNot sure: {edition.unsure.rstrip('.')}." if edition.unsure else ""
    text = f"**{edition.name}** `/battle 3 inf vs 2 inf variant:{edition.key}`\n{edition.about.rstrip('.')}.{unsure}"
    return Reply(text, aligned(cells), note=f"known from: {edition.source}", private=True)
