"""/table: the chance to win of every size of attack against every size of defence."""

from dataclasses import replace

from bot.commands.armies import show_units
from bot.commands.request import Request, Services, only, read
from bot.errors import UserError
from bot.languages import _, _p, in_percent, shortest
from bot.matchup import Reading, write
from bot.narrow import narrow
from bot.replies import Button, Picture, Reply, with_remarks
from bot.wording import game, remarks_with
from solver import Battle
from solver.axis import AxisBattle
from solver.battle import MOST_ARMIES
from solver.tables import MARKS
from solver.waves import Waves

USUAL = 20
MOST_ROWS = 12
LONGEST_TITLE = 52


async def table(request: Request, services: Services) -> Reply:
    """The table around a battle, or up to 20 against 20; for Axis & Allies which unit matters most."""
    reading = await read(request, services, lone="attackers")
    if isinstance(reading.battle, AxisBattle):
        return await show_units(reading.battle, request, services, reading.remarks)
    if isinstance(reading.battle, Waves):
        raise UserError(_("I can find out which unit matters most for one wave at a time."))
    battle = only(reading.battle)
    asked = reading.given == {"attackers", "defenders"} and battle.attackers > 0 and battle.defenders > 0
    behind = request.stays_behind(reading)
    whole = _around(battle, behind, services) if asked else _up_to(battle, reading, behind)
    ring = (battle.attackers, battle.defenders) if asked else None
    size = {"attackers": whole.attackers + behind, "defenders": whole.defenders}
    title = _("Up to {attackers} against {defenders}, {game}", **size, game=game(battle))
    if len(title) > LONGEST_TITLE:
        title = _("Up to {attackers} against {defenders}", **size)
    png, least = await services.engine.table(whole, ring, title, MARKS, behind)
    head = _("**Attackers you need for a 50 / 80 / 95% chance**, up to {attackers} against {defenders}", **size)
    return Reply(
        with_remarks(f"{head} · {game(battle)}", remarks_with(reading, behind)),
        table=_rows(least, behind),
        note=f"{_('exact')} · `{write(battle if len(reading.given) == 2 else whole)}`",
        picture=Picture(png, "table.png", _("A map of the attacker's win chance for all army sizes.")),
        buttons=(Button(_("Odds"), "battle"), Button(_("How many?"), "need")),
        private=request.private,
    )


def _up_to(battle: Battle, reading: Reading, behind: int) -> Battle:
    """The usual size; a number that stands in the line is the size of its side, but none has no table."""
    attackers = battle.attackers - behind + reading.behind if "attackers" in reading.given else 0
    defenders = battle.defenders if "defenders" in reading.given else 0
    return replace(
        battle, attackers=attackers if attackers > 0 else max(USUAL - behind, 1), defenders=defenders or USUAL
    )


def _around(battle: Battle, behind: int, services: Services) -> Battle:
    """A size that shows what a few armies more or less do, where that can be worked out."""
    attackers = max(_wide(battle.attackers + behind) - behind, battle.attackers)
    wider = replace(battle, attackers=attackers, defenders=_wide(battle.defenders))
    return wider if services.engine.fits(wider) else battle


def _wide(count: int) -> int:
    return min(max(10, -(-3 * count // 10) * 5), MOST_ARMIES)


def _rows(least: list[tuple[int | None, ...]], behind: int) -> tuple[str, ...]:
    """For a few sizes of defence the least attackers that reach each mark, counted with those who stay behind."""
    most = max((count for count, (even, *_) in enumerate(least) if count and even), default=len(least) - 1)
    step = -(-most // MOST_ROWS)
    head = [_("defenders"), *(in_percent(f"{shortest(100 * mark):>3}") for mark in MARKS)]
    rows = [
        [
            str(defenders),
            *(str(count + behind) if count else _p("than the table has", "more") for count in least[defenders]),
        ]
        for defenders in range(step, most + 1, step)
    ]
    return narrow([head, *rows], ">" * len(head))
