"""/table for Axis & Allies: which unit matters most, in a battle of one wave or of several."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bot.editions import Edition, editions
from bot.games.axis.bombardment import allowed_change
from bot.games.axis.words import describe
from bot.games.axis.writing import write_armies
from bot.games.base import Reading
from bot.languages import N_, _, _p
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exactness, signed_tenths, victory
from solver.axis.battle import AxisBattle
from solver.axis.limits import sensitivity_within
from solver.axis.sensitivity import with_more_units
from solver.axis.units import ROLES, Role

LEAST_GAIN = 0.0005
HELPS: dict[tuple[Role, bool], str] = {
    ("attack", False): N_("One more {unit} helps the attacker most ({points})"),
    ("defence", False): N_("One more {unit} helps the defender most ({points})"),
    ("attack", True): N_("One more {unit} in wave {wave} helps the attacker most ({points})"),
    ("defence", True): N_("One more {unit} in wave {wave} helps the defender most ({points})"),
}
"""The texts about the unit that helps a side most, by whether there are several waves."""


class Change(NamedTuple):
    """One unit more (1) or less (-1) of a side, in which wave, and the attacker's chance to win after it."""

    role: Role
    wave: int
    unit: str
    more: int
    wins: float


async def answer_table(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """Show what one unit more or less of each kind does to the attacker's chance."""
    wins, tried = await services.engine.compute_within(sensitivity_within, battle)
    changes = []
    for role, unit, more, usual in tried:
        changed = with_more_units(battle, role, unit, more)
        if changed and (allowed := allowed_change(battle, changed)):
            after = usual if allowed == changed else (await services.engine.odds(allowed)).wins
            changes.append(Change(role, 0, unit, more, after))
    edition, now = editions()[battle.rules.key], victory(await services.engine.odds(battle))
    land = battle.theatre == "land"
    won = _("attacker takes it {chance}", chance=now) if land else _("attacker wins {chance}", chance=now)
    head = f"{most_helpful(edition, wins, changes)} · {won} · {describe(battle)}"
    return table_reply(head, change_rows(edition, wins, changes), write_armies(battle), reading, request)


def table_reply(head: str, rows: tuple[str, ...], line: str, reading: Reading, request: Request) -> Reply:
    """Return the answer about the battle with this line."""
    counted_in = _("change in the attacker's win %")
    return Reply(
        head,
        remarks=reading.remarks,
        table=rows,
        note=f"{counted_in} · {exactness(1e-6)}",
        line=line,
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def most_helpful(edition: Edition, wins: float, changes: Sequence[Change], waves: bool = False) -> str:
    """Say which unit helps each side most if it has one more, with the wave if there are several."""
    best = [_best(edition, role, wins, changes, waves) for role in ROLES]
    return f"**{' · '.join(filter(None, best)) or _('One more unit of any kind makes no difference')}**"


def _best(edition: Edition, role: Role, wins: float, changes: Iterable[Change], waves: bool) -> str:
    """Say which unit helps a side most if it has one more; empty if none helps."""
    sign = 1 if role == "attack" else -1
    larger = [change for change in changes if change.role == role and change.more == 1]
    best = max(larger, key=lambda change: sign * change.wins, default=None)
    if best is None or sign * (best.wins - wins) < LEAST_GAIN:
        return ""
    unit, points = edition.short[best.unit], signed_tenths(100 * (best.wins - wins))
    return _(HELPS[role, waves], unit=unit, points=points, wave=best.wave + 1)


def change_rows(edition: Edition, wins: float, changes: Sequence[Change], waves: bool = False) -> tuple[str, ...]:
    """Return how much one more or one less of every kind of unit changes the attacker's chance, best first."""
    moved = {change[:4]: change.wins for change in changes}
    wave = [_p("column", "wave")] if waves else []
    cells: list[list[str]] = [["", "", *wave, _("one more"), _("one less")]]
    for role, side, sign in (("attack", _("attacker"), 1), ("defence", _("defender"), -1)):
        kinds = dict.fromkeys(change[:3] for change in changes if change.role == role)
        for kind in sorted(kinds, key=lambda kind: -sign * moved.get((*kind, 1), wins)):
            _role, number, unit = kind
            after = [moved.get((*kind, more)) for more in (1, -1)]
            moves = ["" if chance is None else signed_tenths(100 * (chance - wins)) for chance in after]
            cells.append([side, edition.short[unit], *([str(number + 1)] if waves else []), *moves])
    return narrow(cells, "<<>>>" if waves else "<<>>")
