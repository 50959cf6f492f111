"""Paths: the work for their odds, the answer to "how far does this army come", all ends, and a compared plan."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from bot.charts import Chart
from bot.errors import UserError, sentence_of
from bot.games.base import Reading
from bot.games.dice.ends import ends_file, order_remarks, path_table
from bot.games.dice.notation.writing import usual_rules
from bot.games.dice.words import exactly, fleet, game, game_name, house_rules
from bot.games.dice.work import PREVIEW_WORK, check_size, explain_fraction
from bot.games.path.notation import leg_options, shared_options, write_path
from bot.languages import N_, _, _n, _p, number
from bot.replies import Button, Picture, Reply, TextFile, ask_button, picture_name, without_marks
from bot.request import Request, Services
from bot.words.asked_ends import AskedChance, asked_chance, facts_of
from bot.words.compared_plan import LOST, STOPPED, TAKEN, ComparedPlan, law_by_winner, possible
from bot.words.ends import with_odds_button
from bot.words.narrow import with_texts
from bot.words.numbers import (
    CALLED_OFF,
    LAST,
    NEVER,
    USUAL_DECIMALS,
    describe_with,
    exactness,
    fate_text,
    percent,
    victory,
    writing_decimals,
)
from bot.work.engine import Engine
from solver import Battle, BattleError
from solver.documents import quotient
from solver.game import Question
from solver.luck import central_80
from solver.path.odds import PathOdds, march, march_seconds, takes_all
from solver.path.path import Path
from solver.progress import takes

TEXTS = {("attacker", False): N_("all taken, attacker has {count} left in the last")}
CHART = Chart("bot.games.path.chart.draw_path", personal=False)


def odds_work(path: Path, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a path."""
    return march, (path,)


def is_quick(path: Path) -> bool:
    """Say whether the odds of a path are found while somebody types."""
    return sum(leg.chain().work for leg in path.legs) <= PREVIEW_WORK


async def find_fraction(engine: Engine, path: Path) -> str:
    """Return the chance to take all territories as "p/q"; UserError if it cannot be had."""
    return await explain_fraction(engine, in_fractions, path, check_march)


@takes(lambda path: 10 * march_seconds(path))
def in_fractions(path: Path) -> str:
    """Return the chance to take all territories as "p/q"; BattleError says why it cannot be had."""
    return quotient(takes_all(path))


def check_march(path: Path, most_work: int) -> None:
    """Raise UserError if a path is too large."""
    for leg in path.legs:
        check_size(leg, most_work, grid=True)
    if sum(leg.chain().grid_work for leg in path.legs) > most_work:
        raise UserError(_("This path is too large for me. Try a part of it."))


async def answer_odds(question: Question, engine: Engine) -> dict[str, Any]:
    """Answer how a path ends, if it is not too large."""
    check_march(question.battle, engine.most_work)
    return await engine.answer(question)


async def answer_battle(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the chance to take each territory, and who is left at the end."""
    odds = await services.engine.odds(path)
    won = odds.taken == odds.legs
    ends = dict(zip(odds.attackers_end[won].tolist(), odds.chances[won].tolist(), strict=True))
    labels = [_defenders(leg) for leg in path.legs]
    short, long = await exactly(find_fraction(services.engine, path)) if reading.exact else ("", "")
    end_facts = facts_of(asked_end(path, odds, reading))
    head, facts = verdict_line(path, odds), (*end_facts, *_spread(odds, ends), *filter(None, [short]))
    picture = None
    if odds.takes[0]:
        with writing_decimals(USUAL_DECIMALS):
            parts = short_titles(path)[0], labels, odds.takes, ends, chances_in_words(odds), odds.called_off
        png = await services.engine.draw(CHART, path, *parts)
        alternative = _("{odds}. The towers show how far the attacker gets.", odds=without_marks(head))
        picture = Picture(png, picture_name(write_path(path)), alternative, (*end_facts, *facts[len(end_facts) + 1 :]))
    remarks, others = await _other_reading(reading, request, services)
    return Reply(
        head,
        facts=facts,
        remarks=(*reading.remarks, *remarks),
        table=_table(path, odds),
        note=exactness(0),
        line=write_path(path),
        file=TextFile("exact.txt", long) if long else None,
        picture=picture,
        buttons=(
            Button(_("Roll it"), "roll", enabled=not odds.never),
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=path.legs[0].attackers > 1),
            Button(_("All endings"), "ends", enabled=len(odds.chances) > 0),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
            *others,
        ),
        private=request.private,
    )


def asked_end(_path: Path, odds: PathOdds, reading: Reading) -> AskedChance | None:
    """Return how likely the ends are that a line asks about; None if it asks about none."""
    try:
        return asked_chance(reading.asked.get("end"), odds, odds.count, odds.chances, texts=TEXTS)
    except BattleError as error:
        raise UserError(sentence_of(error)) from None


async def _other_reading(
    reading: Reading, request: Request, services: Services
) -> tuple[tuple[str, ...], tuple[Button, ...]]:
    """Return the odds of the path that the line may mean instead, and a button that asks for it."""
    other: Path | None = reading.details and reading.details.other
    if other is None:
        return (), ()
    odds = await services.engine.odds(other)
    line = request.line_for_here(services.rooms, write_path(other))
    said = _("If they are the attacker's: {odds}", odds=chance_of_all(odds))
    return (said,), (ask_button(f"battle {line}", not request.private),)


def add_attackers(count: int, path: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the path with so many attackers more; UserError if none would be left."""
    first, *others = path.legs
    if first.attackers + count < 1:
        raise UserError(_(LAST))
    return Path.of((replace(first, attackers=first.attackers + count), *others), path.leave), ()


def _defenders(leg: Battle) -> tuple[str, str]:
    """Say who defends a territory, in short and in words: "2 (1 C)", "2 defenders (1 C)"."""
    ships = fleet(leg.defence_ships, short=True)
    return f"{leg.defenders}{ships}", _n("{n} defender{ships}", "{n} defenders{ships}", leg.defenders, ships=ships)


def describe(path: Path) -> str:
    """Say who goes where, and whether there are more rules: "20 > 5 > 4, leave 1 in each, house rules"."""
    changed = any(house_rules(leg, usual_rules(leg.variant)) for leg in path.legs)
    more = any(leg_options(path)) or any(not word.startswith("variant:") for word in shared_options(path))
    return describe_with(march_text(path), changed, more)


def march_text(path: Path) -> str:
    """Say who goes where: "20 > 5 > 4 > 2, 1 stays in each, stop at 3"."""
    text = " > ".join([str(path.legs[0].attackers), *(str(leg.defenders) for leg in path.legs)])
    stop = _("stop at {attackers}", attackers=path.legs[0].stop) if path.legs[0].stop else ""
    return ", ".join(filter(None, [text, _garrison_text(path.leave), stop]))


def _garrison_text(leave: tuple[int, ...]) -> str:
    """Say who stays behind: "1 stays in each", "2, then 1 stay behind"."""
    if not leave:
        return ""
    if not any(leave):
        return _("leave nobody behind")
    if len(set(leave)) > 1:
        counts = reduce(lambda before, count: _("{before}, then {count}", before=before, count=count), map(str, leave))
        return _("leave {attackers} behind", attackers=counts)
    return _n("leave {n} in each", "leave {n} in each", leave[0])


def all_territories(territories: int) -> str:
    """Name all territories of a path: "both territories"."""
    few = {1: N_("it"), 2: N_("both territories")}
    return _(few[territories]) if territories in few else _n("all {n} territory", "all {n} territories", territories)


def short_titles(path: Path) -> tuple[str, ...]:
    """Return the only title that fits a picture: who goes where."""
    text, legs, attackers = march_text(path), len(path.legs), path.legs[0].attackers
    if len(text) > 52:
        text = _n("{attackers} through {n} territory", "{attackers} through {n} territories", legs, attackers=attackers)
    return (text,)


def titles(path: Path) -> tuple[str, ...]:
    """Return the only title of a path."""
    return (march_text(path),)


def verdict_line(path: Path, odds: PathOdds) -> str:
    """Say how likely the march takes all, who goes where, and by which rules."""
    names = dict.fromkeys(game_name(leg) for leg in path.legs)
    if _("Risk") in names:
        names.pop(_("classic Risk"), None)
    ends = [takes_all_text(odds.legs, victory(odds))]
    if odds.called_off:
        ends.append(fate_text(_(CALLED_OFF), percent(odds.called_off, odds)))
    return f"**{', '.join(ends)}** · {describe(path)} · {', '.join(names)}"


def takes_all_text(legs: int, chance: str) -> str:
    """Say with which chance the attacker takes all: "Takes both territories: 63.2%"."""
    if legs == 1:
        return _("Takes it: {chance}", chance=chance)
    if legs == 2:
        return _("Takes both territories: {chance}", chance=chance)
    return _n("Takes all {n} territories: {chance}", "Takes all {n} territories: {chance}", legs, chance=chance)


def chance_of_all(odds: PathOdds) -> str:
    """Say how likely the attacker takes every territory, in a few words."""
    return _("{chance} to take all", chance=victory(odds))


def chances_in_words(odds: PathOdds) -> tuple[str, ...]:
    """Write the chances that the march is stopped, is called off, and takes the first territories."""
    stopped = percent(odds.beaten + odds.never, odds, odds.takes_all + odds.called_off)
    off = percent(odds.called_off, odds) if odds.called_off else ""
    return stopped, off, *(_chance_to_take(odds, leg) for leg in range(1, odds.legs + 1))


def _chance_to_take(odds: PathOdds, legs: int) -> str:
    """Write the chance that the march takes so many territories or more."""
    return percent(odds.takes[legs - 1], odds, float(odds.chances[odds.taken < legs].sum()) + odds.never)


def _spread(odds: PathOdds, ends: dict[int, float]) -> list[str]:
    """Say how far the march comes on average, and how many are left in the last territory if all fall."""
    mean = number(float(odds.taken @ odds.chances))
    fallen: list[str] = [_("{mean} territories taken on average", mean=mean)] if odds.legs > 1 else []
    if not ends:
        return fallen
    counts = sorted(ends)
    low, high = central_80(np.array(counts), np.array([ends[count] for count in counts]))
    left = _n("{n} attacker", "{n} attackers", high)
    if low < high:
        left = _n("{low} to {n} attacker", "{low} to {n} attackers", high, low=low)
    if fallen:
        return [
            " · ".join([*fallen, _("if all are taken, 8 battles in 10 leave {attackers} in the last", attackers=left)])
        ]
    return [_("if it is taken, 8 battles in 10 leave {attackers}", attackers=left)]


def _table(path: Path, odds: PathOdds) -> tuple[str, ...]:
    """Return a row for each territory: defenders, the chances that it falls and that the march ends there, rules."""
    own = leg_options(path)
    rules = _("rules") if any(own) else ""
    cells: list[list[str]] = [["", _("defenders"), _p("territory", "taken"), _("ends here")]]
    for territory, leg in enumerate(path.legs, start=1):
        here = odds.taken == territory - 1
        ends, others = float(odds.chances[here].sum()), float(odds.chances[~here].sum())
        ending = percent(ends, odds, others + odds.never)
        cells.append([str(territory), str(leg.defenders), _chance_to_take(odds, territory), ending])
    return with_texts(cells, ">>>>", [rules, *map(" ".join, own)])


MOST_ROWS = 30


async def answer_ends(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """List how far the attacker comes, and how likely each end is."""
    odds = await services.engine.odds(path)
    short, long = await exactly(find_fraction(services.engine, path)) if reading.exact else ("", "")
    head = verdict_line(path, odds)
    rows, missing = await asyncio.to_thread(path_table, odds, MOST_ROWS)
    said = _("Territories taken and armies left, best ending first")
    if missing:
        said = _("Territories taken and armies left; the likeliest endings, best first. The file has all of them.")
    legend = f"{said} · {_('A / D: what attacker / defender have left')}"
    lines = (await asyncio.to_thread(path_table, odds, fine=True))[0] if missing else ()
    file = ends_file([head, write_path(path)], lines, long)
    reply = Reply(
        head,
        facts=(*facts_of(asked_end(path, odds, reading)), *filter(None, [legend, short])),
        remarks=order_remarks(reading),
        table=rows,
        note=exactness(0),
        line=write_path(path),
        file=file,
    )
    return with_odds_button(reply, request.private)


def compared_plan(path: Path, odds: PathOdds, line: str) -> ComparedPlan:
    """Return the result of a plan from its path, its odds and its canonical line."""
    ahead = np.cumsum([0, *(leg.defenders for leg in path.legs[:0:-1])])[::-1]
    waiting = np.append(ahead, 0)[odds.taken]
    through = odds.taken == odds.legs
    rungs = np.where(through, odds.attackers_end, -(odds.defenders_end + waiting))
    return ComparedPlan(
        line=line,
        description=march_text(path),
        game=", ".join(dict.fromkeys(game(leg) for leg in path.legs)),
        odds=odds,
        attacker_result="takes all" if odds.legs > 1 else "takes it",
        defender_result=STOPPED,
        chances=(odds.takes_all, odds.beaten, odds.called_off + odds.never),
        ends=possible({STOPPED: odds.beaten, CALLED_OFF: odds.called_off, NEVER: odds.never}),
        law=law_by_winner(rungs, through, ~through & (odds.attackers_end == 0), odds.chances),
        gain=None if odds.lost is None else -odds.lost,
        amounts={LOST: odds.lost, TAKEN: float(odds.taken @ odds.chances)},
    )
