"""/table with `rounds` or `stop`: a battle with dice round by round, and what stopping earlier changes."""

from dataclasses import replace
from typing import NamedTuple

from bot.charts import CURVES, Curves
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.words import game, matchup
from bot.languages import _, number
from bot.replies import Button, Picture, Reply, picture_name
from bot.request import Request, Services
from bot.words.after_rounds import MOST_ROWS, OVER, AfterRound, round_table, rounds_picture, rounds_shown
from bot.words.narrow import narrow
from bot.words.numbers import exactness, percent
from solver import Battle, Odds


def goes_by_rounds(battle: Battle) -> bool:
    """Tell whether a battle that is cut short is the beginning of the whole one."""
    return battle.value is None and not battle.late and not battle.reshape


async def answer_rounds(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say after each round what is left on average, and how likely the battle is over and won."""
    _check(battle, services, MOST_ROWS)
    if not goes_by_rounds(battle):
        raise UserError(_("Leave out `value`, `late` and `reshape`: they don't work in a table round by round."))
    whole = await services.engine.odds(battle)
    rows: list[AfterRound] = []
    for rounds in rounds_shown(whole.rounds or MOST_ROWS):
        if battle.rounds is not None and rounds > battle.rounds:
            break
        odds = await services.engine.odds(replace(battle, rounds=rounds))
        going = odds.unresolved + odds.never
        rows.append(AfterRound(rounds, odds, odds.attackers_left, odds.defenders_left, going))
        if going < 1 - OVER:
            break
    head = _("{battle}, round by round", battle=matchup(battle))
    return Reply(
        f"**{head}** · {game(battle)}",
        remarks=reading.remarks,
        table=round_table(rows, (battle.attackers, battle.defenders)),
        note=exactness(whole.error),
        line=write_dice(battle),
        picture=await rounds_picture(rows, head, write_dice(battle), services.engine.draw),
        buttons=(Button(_("Odds"), "battle"), Button(_("When to stop?"), "table stop")),
        private=request.private,
    )


class Stop(NamedTuple):
    """A plan to stop with so many attackers, or never to attack at all: None."""

    stop: int | None
    wins: float
    left: float
    beaten: float
    odds: Odds | None = None


async def answer_stops(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say what stopping with so many attackers does to the chance and the price, and for which worth it is best."""
    step = -(-battle.attackers // MOST_ROWS)
    numbers = [*range(0, battle.attackers, max(step, 1))]
    plain = replace(battle, stop=0, value=None)
    _check(plain, services, len(numbers))
    stops = []
    for stop in numbers:
        odds = await services.engine.odds(replace(plain, stop=stop))
        if odds.never:
            raise UserError(_("Some of these battles never end, so I can't say what they cost on average."))
        stops.append(Stop(stop, odds.attacker_wins, odds.attackers_left, battle.defenders - odds.defenders_left, odds))
    idle = Stop(None, 0.0, float(battle.attackers), 0.0)
    pays = min((_break_even(row, idle) for row in stops if row.wins > 0), default=None)
    cells = [["stop:", _("wins"), _("attacker loses"), _("defender loses"), _("best if worth")]]
    for row in stops:
        assert row.odds is not None
        lost = number(battle.attackers - row.left)
        worth = best_from(row, [*stops, idle])
        best = "" if worth is None else f"{number(worth)}+"
        chance = percent(row.wins, row.odds, 1 - row.wins)
        cells.append([str(row.stop), chance, lost, number(row.beaten), best])
    facts: list[str] = [
        _("`value:6` means that the territory is worth 6 armies to you: then the attacker stops at the best moment.")
    ]
    if pays is not None:
        facts.insert(0, _("An attack pays if the territory is worth more than {armies} armies", armies=number(pays)))
    head = _("When to stop: {battle}", battle=matchup(plain))
    return Reply(
        f"**{head}** · {game(battle)}",
        facts=tuple(facts),
        remarks=reading.remarks,
        table=narrow(cells, ">>>>>"),
        note=exactness(max(row.odds.error for row in stops if row.odds)),
        line=write_dice(battle),
        picture=replace(await _stops_picture(stops, battle, head, services), beside=tuple(facts)),
        buttons=(
            Button(_("Odds"), "battle"),
            Button(_("Round by round"), "table rounds", enabled=goes_by_rounds(battle)),
        ),
        private=request.private,
    )


async def _stops_picture(stops: list[Stop], battle: Battle, title: str, services: Services) -> Picture:
    """Return the picture of the chance to win and of the attacker's losses with each `stop:`."""
    names = _("attacker wins"), _("attackers lost")
    numbers, chances = [row.stop or 0 for row in stops], [row.wins for row in stops]
    lost = [1 - row.left / battle.attackers for row in stops]
    curves = Curves(title, _("attackers to stop with"), numbers, names, chances, lost, battle.attackers)
    described = _("{title}. Curves show for each number of attackers: {names}.", title=title, names=", ".join(names))
    line = write_dice(battle)
    png = await services.engine.draw(CURVES, ("stop", line), curves)
    return Picture(png, picture_name(f"stop {line}"), described, table=False)


def _break_even(one: Stop, other: Stop) -> float:
    """Return the worth of the territory from which a plan that wins more often is as good as another."""
    return max((other.left - one.left) / (one.wins - other.wins), 0.0)


def best_from(row: Stop, stops: list[Stop]) -> float | None:
    """Return the worth of the territory from which a plan is the best of some; None if it never is."""
    below = [_break_even(row, other) for other in stops if other.wins < row.wins]
    above = [_break_even(other, row) for other in stops if other.wins > row.wins]
    alike = any(other.wins == row.wins and other.left > row.left for other in stops)
    low, high = max(below, default=0.0), min(above, default=float("inf"))
    return None if alike or low >= high else low


def _check(battle: Battle, services: Services, rows: int) -> None:
    """Raise UserError if there is nothing to fight, or if so many such battles are too much work."""
    if not (battle.attackers and battle.defenders):
        raise UserError(_("Both sides need armies for that, as in `/table 12 9 rounds`."))
    if rows * battle.chain().work > services.engine.most_work:
        raise UserError(_("This battle is too large for a table of that kind. Try fewer armies."))
