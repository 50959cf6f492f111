"""Axis & Allies: the answer to "what are the odds", and to "which unit matters most"."""

from collections.abc import Sequence

from bot.army_wording import (
    alternative,
    answer,
    describe,
    ends,
    fate_names,
    listed,
    note,
    units_rows,
)
from bot.commands.bombardment import bombardment_remarks, rulebook_button
from bot.commands.path import file_name
from bot.commands.request import Request, Services
from bot.editions import editions
from bot.errors import UserError, sentence_of
from bot.languages import _, _p
from bot.matchup import Reading, write
from bot.replies import Button, Picture, Reply, with_remarks
from bot.swing_wording import LEAST_NEITHER, battle_swings, battle_titles, other_ends, swing_summaries, swing_unit
from bot.wording import exactness, gained, parted, percent, uncertain, victory
from solver import BattleError
from solver.axis import AxisBattle
from solver.axis_matters import with_one
from solver.axis_odds import DROPPED, AxisOdds
from solver.axis_orders import movable
from solver.sides import Side
from solver.units import AMPHIBIOUS, ROLES

LEAST_GAIN = 0.0005
NEITHER = ("cleared", "dived", "both", "nobody")
"""The ends that are nobody's victory."""


async def show_armies(battle: AxisBattle, reading: Reading, request: Request, services: Services) -> Reply:
    """The odds of a battle of Axis & Allies: text, the likeliest ends, a picture and what may be asked next."""
    odds = await services.engine.armies(battle, 0.0 if reading.exact else DROPPED)
    edition = editions()[battle.rules.key]
    return Reply(
        answer(battle, odds, [*reading.remarks, *bombardment_remarks(battle)]),
        table=() if odds.declined else ends(odds, edition),
        note=note(battle, odds),
        picture=await _picture(battle, odds, services),
        buttons=(
            Button(_("Roll it"), "roll"),
            Button(_("Swap sides"), "swap", enabled=_can_swap(battle)),
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=fewer_units(battle) is not None),
            Button(_("Which unit?"), "table"),
            Button(_("Best order?"), "order", enabled=_can_choose(battle)),
            Button(_("What to bring?"), "need"),
            *rulebook_button(battle),
            Button(_("All endings"), "ends", enabled=not odds.declined),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


async def _picture(battle: AxisBattle, odds: AxisOdds, services: Services) -> Picture | None:
    if odds.declined:
        return None
    parts = _drawn(battle, odds)
    png = await services.engine.drawn((battle, odds.error, odds.sampled, odds.wins), "draw_axis", *parts)
    return Picture(png, file_name(battle), alternative(battle, odds))


def _drawn(battle: AxisBattle, odds: AxisOdds) -> tuple[object, ...]:
    """What the picture shows: see `charts.draw_axis`."""
    fates = sorted(((odds.fates[fate], fate) for fate in NEITHER if odds.fates[fate] > LEAST_NEITHER), reverse=True)
    short = fate_names(battle, short=True)
    others = [(short[fate], percent(chance, odds)) for chance, fate in fates]
    middle = others[0][0] if len(others) == 1 else _p("short", "no winner")
    wins = _p("short", "attacker takes it") if odds.land else _p("short", "attacker wins")
    chances = odds.wins, odds.fates["holds"], sum(odds.fates[fate] for fate in NEITHER)
    neither = percent(chances[2], odds, chances[0] + chances[1]) if others else ""
    return (
        battle_titles(battle),
        _(editions()[battle.rules.key].name),
        (wins, _p("short", "defender holds"), middle),
        (victory(odds), percent(chances[1], odds), neither),
        parted(chances),
        other_ends(others) if len(others) > 1 else (),
        battle_swings(odds),
        swing_summaries(odds),
        swing_unit(battle),
    )


async def show_units(battle: AxisBattle, request: Request, services: Services, remarks: Sequence[str] = ()) -> Reply:
    """Which unit matters most: what one more or one less does to the attacker's chance."""
    wins, tried = await services.engine.matters(battle)
    moved: dict[tuple[str, str, int], float] = {(one.role, one.unit, one.more): one.wins for one in tried}
    best = [_best(battle, role, wins, moved) for role in ROLES]
    land, now = battle.theatre == "land", uncertain(wins)
    won = _("attacker takes it {chance}", chance=now) if land else _("attacker wins {chance}", chance=now)
    counted_in = _("change in the attacker's win %")
    told = " · ".join(filter(None, best)) or _("One more unit of any kind makes no difference")
    return Reply(
        with_remarks(f"**{told}** · {won} · {describe(battle)}", remarks),
        table=units_rows(battle, wins, moved),
        note=f"{counted_in} · {exactness(1e-6)} · `{write(battle)}`",
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def _best(battle: AxisBattle, role: str, wins: float, moved: dict[tuple[str, str, int], float]) -> str:
    """The unit of which one more helps a side most."""
    sign = 1 if role == "attack" else -1
    gains = {unit: sign * (after - wins) for (of, unit, more), after in moved.items() if of == role and more == 1}
    if not gains or max(gains.values()) < LEAST_GAIN:
        return ""
    unit = max(gains, key=lambda name: gains[name])
    short, points = editions()[battle.rules.key].short[unit], gained(100 * sign * gains[unit])
    if role == "attack":
        return _("One more {unit} helps the attacker most ({points})", unit=short, points=points)
    return _("One more {unit} helps the defender most ({points})", unit=short, points=points)


def swapped_units(battle: AxisBattle) -> tuple[AxisBattle, tuple[str, ...]]:
    """The battle with the sides exchanged, and remarks about what went."""
    try:
        after = battle.swapped()
    except BattleError as error:
        raise UserError(sentence_of(error)) from None
    short = editions()[battle.rules.key].short
    pairs = (battle.attacker, after.defender), (battle.defender, after.attacker)
    gone = [f"{count} {short[name]}" for old, new in pairs for name, count in old.units if not _kept(name, new)]
    told: list[str] = []
    if battle.planned:
        told.append(_("I left out plans and casualty orders: they were for the old sides."))
    if gone:
        told.append(_("Left out: {units}. These units can't change sides.", units=listed(gone, units=True)))
    return after, tuple(told)


def _kept(name: str, side: Side) -> bool:
    return side.count(name.removeprefix(AMPHIBIOUS)) > 0


def _can_swap(battle: AxisBattle) -> bool:
    try:
        battle.swapped()
    except BattleError:
        return False
    return True


def _can_choose(battle: AxisBattle) -> bool:
    """Whether a side has two kinds of units whose order is to be chosen."""
    return any(len(movable(battle, role)) > 1 for role in ROLES)


def more_units(battle: AxisBattle) -> AxisBattle:
    """The battle with one attacker more, of the kind that is lost first."""
    changed = with_one(battle, "attack", first_lost(battle), 1)
    if changed is None:
        raise UserError(_("That's the most there can be."))
    return changed


def fewer_units(battle: AxisBattle) -> AxisBattle | None:
    """The battle with one attacker less; None where that would be the last."""
    return with_one(battle, "attack", first_lost(battle), -1)


def first_lost(battle: AxisBattle) -> str:
    """The kind of unit that the attacker loses first; of an attack by ships alone one of these."""
    segments = [segment for segment in battle.segments("attack") if not segment.spare]
    return segments[0].unit.name if segments else battle.attacker.units[0][0]
