"""/help: what can be asked, on one screen."""

from bot.commands.request import Request, Services
from bot.replies import Reply

TEXT = """\
**Who wins?** Type `/battle`, the attackers, the defenders:
`/battle 12 9` — classic Risk, 12 against 9 (the army that stays behind is not counted)
`/battle 12 9 bombers:2` — Star Wars Risk; also `fighters:` and `capitals:`
`/battle 12 fighters:1 vs 9 capitals:1` — what follows `vs` is the defender's; or write `dcapitals:1`

**Plans** `stop:4` stop once 4 or fewer are left · `reserve:4` 4 armies never roll · `rounds:3` at most 3 rounds
**House rules** `dice:2v1` fewer dice · `adice:8,6,6` `ddice:8,8` other dice · `abonus:1` `dbonus:1` on the highest die
`arerolls:1` a 1 is rolled again · `dclamp:1..6` keeps dice within · `ties:attacker` (or `both`, `neither`)

`/roll 12 9` rolls it out with real dice · `/preset save` keeps a set-up under a name: `/battle ukraine stop:3`
Order and case do not matter, `12v9` and `12-9` are fine. In a channel: mention me, `@Sandtable 12 9`."""


async def show_help(request: Request, services: Services) -> Reply:
    """What can be asked, for the person who asked."""
    return Reply(TEXT, private=True)
