"""/help: what can be asked, on one screen; and the rule packs, a screen of their own."""

from difflib import get_close_matches

from bot.commands.request import Request, Services
from bot.editions import Edition, editions
from bot.errors import UserError
from bot.packs import described, load, row
from bot.replies import Reply, aligned
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
`/roll 12 9` rolls it out with real dice · `/battle 12 9 exact` the fraction
`/preset save` keeps a set-up under a name: `/battle ukraine stop:3`
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

TOPICS = ("packs", "axis", "armies")
ALSO = dict.fromkeys(("order", "bombing", "compare", "need"), "armies")
ALSO |= dict.fromkeys(("waves", "worth", "then", "hold", "lookahead", "loss", "retreat"), "axis")
"""Words that people look for, and the topic that has them."""


async def show_help(request: Request, services: Services) -> Reply:
    """What can be asked, for the person who asked."""
    topic = request.options.get("topic", "").strip().casefold().removeprefix("/")
    topic = ALSO.get(topic, topic)
    if not topic:
        return Reply(TEXT, private=True)
    if topic in ("axis", "armies"):
        return Reply(ARMY_TEXT if topic == "axis" else ASKED_TEXT, private=True)
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
