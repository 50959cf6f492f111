"""/help: what can be asked, on one screen; and the rule packs, a screen of their own."""

from difflib import get_close_matches

from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.packs import described, load
from bot.replies import Reply
from solver.battle import GAMES

TEXT = """\
**Who wins?** Type `/battle`, the attackers, the defenders:
`/battle 12 9` — classic Risk, 12 against 9 (the army that stays behind is not counted)
`/battle 12 9 bombers:2` — Star Wars Risk; also `fighters:` and `capitals:`
`/battle 12 fighters:1 vs 9 capitals:1` — what follows `vs` is the defender's; or write `dcapitals:1`
`/battle icons AAD,ADD,A,D,-,- 3 4` — icon dice: A attacks, D defends, - is blank
`/battle 20 > 5 > 4 > 2 leave:1` — a path: take 5, leave 1, take 4 …

**Plans** `stop:4` stop at 4 or fewer · `reserve:4` 4 never roll · `rounds:3` at most 3 · `value:6` stop when best \
for a territory worth 6 armies
**House rules** `variant:2210` a rule pack (`/help packs`) · `dice:2v1` · `adice:8,6,6` `ddice:8,8` · `abonus:1` \
`dbonus:1` on the highest die · `arerolls:1` · `dclamp:1..6` · `ties:attacker` (`both`, `neither`) · `late` the \
defender chooses dice after seeing the attack

`/need 9` how many take it · `/need 12 vs` how many hold · `/need 12 9 90%` both, for 90 %
`/table 12 9` all sizes around it · `/dice 3 2` what a round costs · `/dice 3 fighters:1` what three dice show
`/roll 12 9` rolls it out with real dice · `/battle 12 9 exact` the fraction
`/preset save` keeps a set-up under a name: `/battle ukraine stop:3`
Order and case do not matter, `12v9` and `12-9` are fine. In a channel: mention me, `@Sandtable 12 9`."""

TOPICS = ("packs",)


async def show_help(request: Request, services: Services) -> Reply:
    """What can be asked, for the person who asked."""
    topic = request.options.get("topic", "").strip().casefold()
    if not topic:
        return Reply(TEXT, private=True)
    if topic in TOPICS:
        rows = [row for game in GAMES for row in described(load(), game)]
        return Reply("**Rule packs**, for `variant:` in a line: `/battle 12 9 variant:2210`", tuple(rows), private=True)
    if pack := load().get(topic.removeprefix("variant:")):
        about = f"{pack.about.rstrip('.')}."
        unsure = f"\nNot sure: {pack.unsure.rstrip('.')}." if pack.unsure else ""
        line = "3 4" if pack.game == "icons" else "12 9"
        text = f"**{pack.name}** `/battle {line} variant:{pack.key}`\n{about}{unsure}\n-# known from: {pack.source}"
        return Reply(text, private=True)
    rows = [row for game in GAMES for row in described(load(), game) if topic in row.casefold()]
    if rows:
        return Reply(f"**{len(rows)} of the rule packs**, for `variant:` in a line", tuple(rows), private=True)
    near = get_close_matches(topic, [*TOPICS, *load()], n=1)
    hint = f"Did you mean `/help {near[0]}`?" if near else "`/help` alone shows what can be asked."
    raise UserError(f"There is no help on that. {hint}")
