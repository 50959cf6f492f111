"""The answer about a turn that takes territories to hold them: the chance, the plan, and the armies left there."""

from bot.games.base import Reading
from bot.games.conquest.notation.writing import (
    map_of,
    targets_in_order,
    write_conquest,
    write_holding,
    write_what_to_hold,
)
from bot.games.conquest.picture import plan_picture
from bot.games.conquest.words import (
    continent_name,
    describe,
    fall_text,
    first_steps,
    plan_file,
    plan_steps,
    shown_rows,
    takes_text,
    unreachable_texts,
)
from bot.games.dice.words import game
from bot.languages import N_, _, number
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import percent, unsure_percent
from solver.conquest.hold_odds import HoldOdds, hold
from solver.conquest.holding import Holding
from solver.conquest.planned import UNIT

LEAST_LOSS = 0.0005
"""The smallest loss of chance that an answer names."""


async def answer_holding(holding: Holding, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the chance to take all and hold it, by best play for both together."""
    conquest = holding.conquest
    odds = await services.engine.compute_or_explain(hold, holding, UNIT * services.engine.most_work)
    steps = plan_steps(conquest, odds.turn, all_moves=True)
    steps += _fortify_step(odds, len(steps))
    shown = first_steps(conquest, steps)
    verdict, rows = _verdict(odds), _rows(odds)
    head = f"**{verdict}** · {describe(conquest)} {write_what_to_hold(holding)}"
    several = len(conquest.targets) > 1
    result = _chance_text(odds, odds.holds), _("takes all and holds all") if several else _("takes it and holds it")
    return Reply(
        head,
        facts=(*_facts(odds), *shown),
        remarks=(*reading.remarks, *unreachable_texts(conquest)),
        table=shown_rows(rows),
        note=f"{_('exact, best play to take and hold it')} · {game(conquest.rules)}",
        line=write_holding(holding),
        file=plan_file(head, shown, steps, rows),
        picture=await plan_picture(conquest, odds.turn, services, verdict, result),
        buttons=(
            Button(_("Only take it"), "as typed", argument=write_conquest(conquest)),
            Button(_("Edit"), "edit"),
        ),
        private=request.private,
    )


def _verdict(odds: HoldOdds) -> str:
    """Say how likely all is taken and held: "Takes Australia and holds it: 41.2%"."""
    conquest, chance = odds.holding.conquest, _chance_text(odds, odds.holds)
    if name := continent_name(conquest, map_of(conquest)):
        return _("Takes {territory} and holds it: {chance}", territory=name, chance=chance)
    several = len(conquest.targets) > 1
    return _(
        N_("Takes all and holds all: {chance}") if several else N_("Takes it and holds it: {chance}"), chance=chance
    )


def _chance_text(odds: HoldOdds, chance: float) -> str:
    """Write a chance that may be 0, but is never certain."""
    return percent(chance, odds.turn, rest=1.0)


def _facts(odds: HoldOdds) -> list[str]:
    """Say how the turn and what comes after it share in the chance, and what is given up to hold it."""
    conquest, facts = odds.holding.conquest, list[str]()
    if odds.holding.counters and odds.holds:
        taken = takes_text(conquest, _chance_text(odds, odds.turn.takes_all))
        stands = _("then it stands with {chance}, wherever they attack", chance=_chance_text(odds, odds.stands))
        facts.append(f"{taken}, {stands}")
    if odds.takes_at_best is not None and odds.takes_at_best - odds.turn.takes_all >= LEAST_LOSS:
        facts.append(_("if you only take it: {chance}", chance=unsure_percent(odds.takes_at_best)))
    return facts


def _fortify_step(odds: HoldOdds, before: int) -> list[str]:
    """Return the last step of the typical turn, if armies go somewhere after the attacks."""
    if not odds.last_move:
        return []
    names = map_of(odds.holding.conquest).territories
    origin, target, armies = odds.last_move
    values = {"origin": names[origin].name, "target": names[target].name, "armies": armies}
    return [_("{place}. Fortify: {armies} from {origin} to {target}", place=before + 1, **values)]


def _rows(odds: HoldOdds) -> tuple[str, ...]:
    """Return a row for each target: its garrison, the chance that it falls, and the armies there after the turn."""
    conquest = odds.holding.conquest
    garrisons = {target.name: target.garrison for target in conquest.targets}
    rows = []
    for place in targets_in_order(conquest, map_of(conquest)):
        stand = number(1 + odds.mean_left(place.key), 1) if odds.turn.takes_all else "–"
        rows.append([place.name, str(garrisons[place.key]), fall_text(odds.turn, place.key), stand])
    return narrow([["", _("armies"), _("falls"), _("armies then")], *rows], "<>>>")
