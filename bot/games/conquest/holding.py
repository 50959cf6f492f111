"""A turn that takes territories to hold them: the answer with its plan, and its part of a comparison."""

from dataclasses import replace

from bot.games.base import Reading
from bot.games.conquest import answers
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
    titles,
    unreachable_texts,
)
from bot.games.dice.words import game
from bot.languages import N_, _, number
from bot.replies import Button, Reply
from bot.request import Request, Services
from bot.words.compared_plan import NOT_HELD, STOPPED, ComparedPlan, possible
from bot.words.narrow import narrow
from bot.words.numbers import percent, unsure_percent
from solver.conquest.hold_odds import HoldOdds
from solver.conquest.holding import Holding

LEAST_LOSS = 0.0005
"""The smallest loss of chance that an answer names."""


async def answer_battle(holding: Holding, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the chance to take all and hold it, by best play for both together."""
    conquest, odds = holding.conquest, await services.engine.odds(holding)
    steps = plan_steps(conquest, odds.turn, all_moves=True)
    steps += _fortify_step(odds, len(steps))
    shown = first_steps(conquest, steps)
    verdict, rows = _verdict(odds), _rows(odds)
    head = f"**{verdict}** · {describe_holding(holding)}"
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
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=any(armies > 1 for _name, armies in conquest.starts)),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


def describe_holding(holding: Holding) -> str:
    """Say who attacks what, and what is to be held: "12 Siam > 3 Indonesia hold:3 indonesia"."""
    return f"{describe(holding.conquest)} {write_what_to_hold(holding)}"


def titles_of_holding(holding: Holding) -> tuple[str, ...]:
    """Return titles of a picture, the longest first."""
    return titles(holding.conquest)


def brief(odds: HoldOdds) -> str:
    """Say how likely all is taken and held, in the few words of a suggestion."""
    return _("{chance} to take and hold", chance=_chance_text(odds, odds.holds))


def add_attackers(count: int, holding: Holding) -> tuple[Holding, tuple[str, ...]]:
    """Return the turn with so many armies more in the largest start; UserError if none would be left."""
    conquest, remarks = answers.add_attackers(count, holding.conquest)
    return replace(holding, conquest=conquest), remarks


def compared_plan(holding: Holding, odds: HoldOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its question, its odds and its canonical line."""
    holds, not_held, stopped = odds.fate_chances
    texts = (_chance_text(odds, holds), _chance_text(odds, stopped), _chance_text(odds, not_held))
    return ComparedPlan(
        line=line,
        description=describe_holding(holding),
        game=game(holding.conquest.rules),
        odds=odds,
        attacker_result="takes and holds",
        defender_result=STOPPED,
        chances=(holds, stopped, not_held),
        texts=texts,
        ends=possible({STOPPED: stopped, NOT_HELD: not_held}),
        gain=None,
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
