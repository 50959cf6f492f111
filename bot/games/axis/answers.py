"""Axis & Allies: the answers to "what are the odds" and "which unit matters most", plans compared, and their work."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from bot.charts import Chart
from bot.editions import Edition, editions, names_a_unit
from bot.errors import UserError, sentence_of
from bot.games.axis.bombardment import allowed_change, bombardment_remarks, other_bombardment
from bot.games.axis.chosen_casualties import gain_text, too_large_text
from bot.games.axis.matchup import describe, join_words, matchup
from bot.games.axis.money import money_lost, value_unit
from bot.games.axis.options import WORDS
from bot.games.axis.outcomes import fates, law_of, success, three_chances
from bot.games.axis.swing import drawn_swings, swing_unit
from bot.games.axis.words import alternative, answer, asked_end, caveats, certainty, with_usual_decimals
from bot.games.axis.writing import write_armies
from bot.games.base import Change, Reading
from bot.languages import N_, _, _p
from bot.replies import Button, Picture, Reply, picture_name
from bot.request import Request, Services
from bot.words.asked_ends import facts_of
from bot.words.compared_plan import BEATS, LOSES, PROFIT, ROUNDS, ComparedPlan, law_by_winner, possible
from bot.words.narrow import narrow
from bot.words.numbers import LAST, USUAL_DECIMALS, exactness, signed_tenths, victory, writing_decimals
from bot.work.engine import Engine
from solver import BattleError
from solver.axis.battle import AxisBattle
from solver.axis.best.order_names import movable_units, roles_in_waves
from solver.axis.casualties.limits import chosen_odds_within, worth_of_odds
from solver.axis.limits import odds_within, sensitivity_within, waves_within
from solver.axis.odds import AxisOdds
from solver.axis.sensitivity import UnitChange
from solver.axis.simulation.sample import SampledPair, sample_pair
from solver.axis.solve import DROPPED
from solver.axis.units import AMPHIBIOUS, ROLES, Role
from solver.axis.waves.odds import WavesOdds
from solver.axis.waves.waves import Waves

FULL = N_("That's the most there can be.")
CHART = Chart("bot.games.axis.chart.draw_axis", personal=False)
PREVIEW_UNITS, CHOSEN_UNITS, PREVIEW_WAVES = 12, 6, 3


def odds_work(battle: Waves, exact: bool, most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a battle, as far as it fits into a limit; `exact` leaves nothing out."""
    dropped = 0.0 if exact else DROPPED
    if battle.has_choices:
        return chosen_odds_within, (battle, dropped, most_work)
    return (odds_within if battle.only else waves_within), (battle.only or battle, dropped, most_work)


def is_quick(battle: Waves) -> bool:
    """Say whether the odds of a battle are found while somebody types."""
    waves, limit = battle.battles, CHOSEN_UNITS if battle.has_choices else PREVIEW_UNITS
    most_waves = 1 if battle.has_choices else PREVIEW_WAVES
    sides = [side for wave in waves for side in (wave.attacker, wave.defender)]
    return len(waves) <= most_waves and all(sum(count for _name, count in side.units) <= limit for side in sides)


async def answer_battle(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds, what choosing casualties gains, a picture, and buttons for what may be next."""
    odds = await services.engine.odds(battle, reading.in_full)
    if odds.sampled and reading.digits > USUAL_DECIMALS:
        with writing_decimals(USUAL_DECIMALS):
            return await answer_battle(battle, with_usual_decimals(reading), request, services)
    remarks = [*reading.remarks, *bombardment_remarks(battle)]
    gain = ""
    if battle.has_choices:
        usual = await services.engine.odds(battle.in_order, reading.in_full)
        if odds.ordered:
            remarks.insert(len(reading.remarks), too_large_text(battle, odds.ordered, usual))
        elif isinstance(odds, WavesOdds) or not odds.declined:
            gain = gain_text(battle, odds, usual)
    reply, end_facts = answer(battle, odds, remarks), facts_of(asked_end(battle, odds, reading))
    picture = await _picture(battle, odds, services)
    return replace(
        reply,
        facts=(*end_facts, *reply.facts, *filter(None, [gain])),
        picture=picture and replace(picture, beside=end_facts),
        buttons=_buttons(battle, odds, reading),
        private=request.private,
    )


def _buttons(battle: Waves, odds: Any, reading: Reading) -> tuple[Button, ...]:
    """Return the buttons under the odds of a battle."""
    ends = Button(_("All endings"), "ends", enabled=law_of(odds) is not None)
    last = Button(_("Edit"), "edit"), Button(_("Save"), "save")
    if battle.has_choices:
        return ends, *other_bombardment(battle, reading), *last
    has_orders = any(len(movable_units(wave, role)) > 1 for wave in battle.battles for role in ROLES)
    return (
        Button(_("Roll it"), "roll"),
        *([Button(_("Swap sides"), "swap", enabled=_is_possible(swap, battle))] if battle.only else []),
        Button(_("+1 attacker"), "more"),
        Button(_("−1 attacker"), "fewer", enabled=_is_possible(partial(add_attackers, -1), battle)),
        Button(_("Which unit?"), "table"),
        Button(_("Best order?"), "order", enabled=has_orders),
        Button(_("What to bring?"), "need"),
        *other_bombardment(battle, reading),
        ends,
        *last,
    )


async def _picture(battle: Waves, odds: Any, services: Services) -> Picture | None:
    """Draw the odds of a battle; None if there is nothing to draw."""
    law = law_of(odds)
    if law is None:
        return None
    key = battle, odds.error, odds.sampled, odds.success
    with writing_decimals(USUAL_DECIMALS):
        drawn = drawn_swings(battle, odds, law)
    png = await services.engine.draw(CHART, key, drawn, swing_unit(battle.battles[0]))
    return Picture(png, picture_name(write_armies(battle)), alternative(battle, odds, law))


def swap(waves: Waves) -> tuple[Waves, tuple[str, ...]]:
    """Return the battle with the sides exchanged, and remarks about what was left out; UserError if that cannot be."""
    if not waves.only:
        raise UserError(_("You can't swap the sides of a battle with several waves."))
    battle = waves.only
    try:
        after = battle.swap_sides()
    except BattleError as error:
        raise UserError(sentence_of(error)) from None
    short = editions()[battle.rules.key].short
    pairs = (battle.attacker, after.defender), (battle.defender, after.attacker)
    gone = [
        f"{count} {short[name]}"
        for old, new in pairs
        for name, count in old.units
        if not new.count(name.removeprefix(AMPHIBIOUS))
    ]
    remarks: list[str] = []
    if battle.has_plans:
        remarks.append(_("I left out plans and casualty orders: they were for the old sides."))
    if gone:
        remarks.append(_("Left out: {units}. These units can't change sides.", units=join_words(gone, units=True)))
    return Waves.one(after), tuple(remarks)


def add_attackers(count: int, battle: Waves) -> tuple[Waves, tuple[str, ...]]:
    """Return the battle with more in the first attack, of the kind that is lost first; UserError if that cannot be."""
    first, *_later = battle.battles
    alone = sum(number for _name, number in first.attacker.units) + count < 1
    after = None if alone else _change_units(battle, "attack", 0, _first_lost(first), count)
    if after is None:
        raise UserError(_(LAST if count < 0 else FULL))
    return after, ()


def _is_possible(change: Change, battle: Waves) -> bool:
    """Tell whether a change of a battle leads to another."""
    try:
        change(battle)
    except UserError:
        return False
    return True


def _change_units(battle: Waves, role: Role, wave: int, unit: str, more: int) -> Waves | None:
    """Return the battle with so many more units of a side in a wave; None if that cannot be."""
    try:
        return battle.with_more(unit, more, wave, role)
    except BattleError:
        return None


def _first_lost(battle: AxisBattle) -> str:
    """Return the kind of unit that the attacker loses first, or a ship if there are only ships."""
    segments = [segment for segment in battle.segments("attack") if not segment.spare]
    return segments[0].unit.name if segments else battle.attacker.units[0][0]


def compared_plan(battle: Waves, odds: AxisOdds | WavesOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its battle, its odds and its canonical line."""
    first, chances = battle.battles[0], three_chances(odds)
    remarks = [*bombardment_remarks(battle), *caveats(battle, odds)]
    sureness: dict[str, Any] = {}
    if isinstance(odds, AxisOdds):
        sureness = {"gain_error": odds.profit_error, "unplanned": odds.unplanned}
        if odds.declined:
            remarks.append(_("No attack: a retreat rule applies before the first shot"))
    if odds.ordered:
        remarks.append(too_large_text(battle, odds.ordered))
    law = odds if isinstance(odds, AxisOdds) else odds.joint
    ours, theirs = money_lost(battle, law) if law else (None, None)
    if law:
        gain = float(law.profits @ law.chances)
        by_winner = law_by_winner(np.round(law.profits, 6), law.winners == 0, law.winners == 1, law.chances)
    else:
        gain = worth_of_odds(odds, "profit")
        by_winner = np.array([gain]), np.array(chances)[:, None]
    return ComparedPlan(
        line=line,
        description=matchup(battle),
        game=_(editions()[first.rules.key].name),
        odds=odds,
        attacker_result=success(battle).compared,
        chances=chances,
        ends=possible(fates(battle, odds)),
        law=by_winner,
        measure=value_unit(first),
        gain=gain,
        amounts={LOSES: ours, BEATS: theirs, PROFIT: gain, ROUNDS: odds.rounds},
        certainty=certainty(odds),
        error=odds.wins_error if isinstance(odds, AxisOdds) and odds.sampled else odds.error,
        caveats=tuple(remarks),
        worth=first.worth,
        **sureness,
    )


def line_options(line: str) -> list[str]:
    """Return the words of a canonical line that are neither numbers nor units; the defender's with a d in front."""
    options, theirs = [], False
    for word in line.split():
        theirs = word == "vs" or (theirs and word != "then")
        if not word.isdigit() and word not in ("vs", ">") and not names_a_unit(word):
            name = word.partition(":")[0]
            options.append(f"d{word}" if theirs and name in WORDS and WORDS[name].sided else word)
    return options


async def find_pair(engine: Engine, first: Waves, second: Waves) -> SampledPair | None:
    """Simulate two plans with the same luck; None if the attacker declines one of them, or losses are chosen."""
    plans = [plan.only for plan in (first, second) if plan.only and not plan.has_choices]
    if len(plans) < 2:
        return None
    swapped = repr(plans[0]) > repr(plans[1])  # the other way round the numbers are the same
    plan, rival = sorted(plans, key=repr)
    pair: SampledPair | None = await engine.compute_or_explain(sample_pair, plan, rival)
    return pair._replace(first=pair.second, second=pair.first) if pair and swapped else pair


LEAST_GAIN = 0.0005
HELPS: dict[tuple[Role, bool], str] = {
    ("attack", False): N_("One more {unit} helps the attacker most ({points})"),
    ("defence", False): N_("One more {unit} helps the defender most ({points})"),
    ("attack", True): N_("One more {unit} in wave {wave} helps the attacker most ({points})"),
    ("defence", True): N_("One more {unit} in wave {wave} helps the defender most ({points})"),
}
"""The texts about the unit that helps a side most, by whether there are several waves."""


async def answer_table(battle: Waves, reading: Reading, request: Request, services: Services) -> Reply:
    """Show what one unit more or less of each kind, in each wave, does to the attacker's chance."""
    waves = not battle.only
    wins, tried = await services.engine.compute_within(sensitivity_within, battle)
    changes = []
    for change in tried:
        role = roles_in_waves(battle, ROLES.index(change.role))[change.wave]
        changed = _change_units(battle, role, change.wave, change.unit, change.more)
        if changed and (allowed := allowed_change(battle, changed)):
            after = change.wins if allowed == changed else (await services.engine.odds(allowed)).success
            changes.append(change._replace(wins=after))
    first, *_later = battle.battles
    edition, now = editions()[first.rules.key], victory(await services.engine.odds(battle))
    counted_in = _("change in the attacker's win %")
    return Reply(
        f"{most_helpful(edition, wins, changes, waves)} · {_(success(battle).chance, chance=now)} · {describe(battle)}",
        remarks=reading.remarks,
        table=change_rows(edition, wins, changes, waves),
        note=f"{counted_in} · {exactness(1e-6)}",
        line=write_armies(battle),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def most_helpful(edition: Edition, wins: float, changes: Sequence[UnitChange], waves: bool) -> str:
    """Say which unit helps each side most if it has one more, with the wave if there are several."""
    best = [_best(edition, role, wins, changes, waves) for role in ROLES]
    return f"**{' · '.join(filter(None, best)) or _('One more unit of any kind makes no difference')}**"


def _best(edition: Edition, role: Role, wins: float, changes: Iterable[UnitChange], waves: bool) -> str:
    """Say which unit helps a side most if it has one more; empty if none helps."""
    sign = 1 if role == "attack" else -1
    larger = [change for change in changes if change.role == role and change.more == 1]
    best = max(larger, key=lambda change: sign * change.wins, default=None)
    if best is None or sign * (best.wins - wins) < LEAST_GAIN:
        return ""
    unit, points = edition.short[best.unit], signed_tenths(100 * (best.wins - wins))
    return _(HELPS[role, waves], unit=unit, points=points, wave=best.wave + 1)


def change_rows(edition: Edition, wins: float, changes: Sequence[UnitChange], waves: bool) -> tuple[str, ...]:
    """Return how much one more or one less of every kind of unit changes the attacker's chance, best first."""
    moved = {(change.role, change.wave, change.unit, change.more): change.wins for change in changes}
    wave = [_p("column", "wave")] if waves else []
    cells: list[list[str]] = [["", "", *wave, _("one more"), _("one less")]]
    for role, side, sign in (("attack", _("attacker"), 1), ("defence", _("defender"), -1)):
        kinds = dict.fromkeys((role, change.wave, change.unit) for change in changes if change.role == role)
        for kind in sorted(kinds, key=lambda kind: -sign * moved.get((*kind, 1), wins)):
            _role, number, unit = kind
            after = [moved.get((*kind, more)) for more in (1, -1)]
            moves = ["" if chance is None else signed_tenths(100 * (chance - wins)) for chance in after]
            cells.append([side, edition.short[unit], *([str(number + 1)] if waves else []), *moves])
    return narrow(cells, "<<>>>" if waves else "<<>>")
