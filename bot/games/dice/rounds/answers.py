"""/dice: how often a side rolls what, and what one round costs both; with `all`, every round and all dice at once."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.charts import LOSSES
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.writing import plan_words, write_dice
from bot.games.dice.rounds.words import (
    ALL,
    ICONS,
    RANKS,
    Weights,
    average_costs,
    best_first,
    describe_round,
    rank_rows,
    roll_rows,
    round_fractions,
    round_rows,
    rounds_rows,
    take_all,
    value_names,
)
from bot.games.dice.words import fleet, game
from bot.games.dice.work import ROLL, ROUNDS, compute_on_grid
from bot.languages import N_, _, _n, number
from bot.notation.dice_options import THROW
from bot.notation.lexer import DEFEND, take_defend
from bot.notation.mistakes import MatchupError
from bot.notation.reading import idle_options_remarks, idle_remark
from bot.replies import Button, Picture, Reply, TextFile, without_marks
from bot.request import Request, Services, read
from solver import Battle, Ships
from solver.chain import Cell, RoundLaw
from solver.dice.rolls import (
    MOST_ICON_CELLS,
    MOST_ICON_UNITS,
    icon_weights,
    rank_laws,
    roll_weights,
    round_law,
    round_laws,
)


async def dice(request: Request, services: Services) -> Reply:
    """Answer about the dice of the line: of both sides or of one, in one round or, with `all`, in every round."""
    text, everything = await _without_all(request, services)
    text, defends = take_defend(text)
    asked = replace(request, options={**request.options, "matchup": text})
    try:
        reading = await read(asked, services, takes=(THROW, "hits"), lone="defenders" if defends else "attackers")
    except MatchupError as error:
        words = *([ALL] if everything else []), error.better, *([DEFEND] if defends else [])
        error.better = " ".join(words) if error.better else ""
        raise
    return await services.rooms.answer("dice all" if everything else "dice", reading, request, services)


async def _without_all(request: Request, services: Services) -> tuple[str, bool]:
    """Return the request's line without `all`, and whether that was there; here it may be the name of a preset."""
    text = request.options["matchup"]
    rest, everything = take_all(text)
    if not everything or ALL in await services.saved_lines(request.place):
        return text, False
    return rest, True


async def answer_dice(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say what the dice of one side show, or what a round costs both."""
    reading = reading._replace(of_words=(*reading.of_words, *idle_options_remarks(plan_words(battle))))
    if len(reading.details.given) == 1:
        return await _roll(battle, reading, request, services)
    if not reading.details.given:
        battle = replace(battle, attackers=battle.pools[0].units, defenders=battle.pools[1].units)
    return await _round(battle, reading.remarks, request, services)


async def _round(battle: Battle, remarks: Sequence[str], request: Request, services: Services) -> Reply:
    """Say what one round costs."""
    check_rules(battle)
    if battle.faces and battle.attackers * battle.defenders > MOST_ICON_CELLS:
        raise UserError(_("That table would have too many rows. Ask for fewer icon dice, such as `5 5`."))
    rolling = battle if battle.faces else only_rollers(battle)
    if battle.faces and not (battle.attackers and battle.defenders):
        raise nobody_rolls()
    law = await compute_on_grid(services.engine, round_law, rolling)
    who = describe_round(rolling)
    title = _("One round: {battle}", battle=who)
    outcomes = [(*lost, float(chance)) for lost, chance in law.items()]
    png = await services.engine.draw(LOSSES, (rolling, "round"), title, outcomes)
    text, fractions = f"{average_costs(law)} · {who} · {game(battle)}", round_fractions(law)
    return Reply(
        text,
        remarks=tuple(remarks),
        table=round_rows(law),
        note=_("exact"),
        line=write_dice(battle),
        file=TextFile("round.txt", fractions) if fractions else None,
        picture=Picture(png, "round.png", f"{without_marks(text)}."),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


async def _roll(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say what the dice of one side show; all its ships count, as nothing is compared."""
    side = 0 if "attackers" in reading.details.given else 1
    units, remarks = (battle.attackers, battle.defenders)[side], reading.remarks
    if battle.faces:
        _check_units(units, MOST_ICON_UNITS, N_("A roll table works for 1 to {most} icon dice."))
        weights = await services.engine.compute(icon_weights, battle.faces[side], units)
        what = _n("{n} icon dice", "{n} icon dice", units)
    else:
        ships = (reading.details.fleets or (battle.attack_ships, battle.defence_ships))[side]
        pool = ships.arm((battle.attack, battle.defence)[side]) if ships else battle.pools[side]
        _check_units(units, pool.units, N_("This side rolls 1 to {most} dice; change them with `adice:` or `ddice:`."))
        weights = await services.engine.compute(roll_weights, pool, units)
        useful = ships.without_idle(units, units)
        what = _n("{n} die{ships}", "{n} dice{ships}", units, ships=fleet(useful))
        if ships:
            remarks = (*idle_ships(ships, useful, "d" * side), *idle_options_remarks(plan_words(battle)))
    laws = rank_laws(weights)
    ranks = [{value: float(chance) for value, chance in law.items()} for law in laws]
    title, names = _("Roll of {dice}", dice=what), [_(name) for name in (ICONS if battle.faces else RANKS)]
    parts = (ranks, names) if battle.faces else (ranks,)
    png = await services.engine.draw(ROLL, (battle, side, units, tuple(weights)), title, *parts)
    means = (number(float(sum(value * chance for value, chance in law.items())), 2) for law in laws)
    averages = ", ".join(f"{name} {mean}" for name, mean in zip(names, means, strict=False))
    return Reply(
        f"{_('**{dice}**: {values} on average', dice=what, values=averages)} · {game(battle)}",
        remarks=remarks,
        table=roll_rows(weights, names if battle.faces else value_names(len(laws))),
        note=_("exact"),
        picture=Picture(png, "roll.png", _("What {dice} show: {values} on average.", dice=what, values=averages)),
        private=request.private,
    )


def _check_units(units: int, most: int, refusal: str) -> None:
    """Raise UserError for a side without units, or with more than `most`."""
    if not 1 <= units <= most:
        raise UserError(_(refusal, most=most))


MOST_DICE = 4
"""Up to so many dice of a side are told in all rounds at once: that is sixteen rounds."""
ROOM = 1_600
"""About so many characters of tables fit into a message beside its other words."""
SIDES = N_("attacker"), N_("defender")


async def answer_dice_all(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Return the laws of all rounds between two fleets, and how often each of their dice shows what."""
    check_rules(battle)
    rolling = with_all_dice(battle, reading)
    laws = await compute_on_grid(services.engine, round_laws, rolling)
    fleets = reading.details.fleets or (battle.attack_ships, battle.defence_ships)
    sizes = rolling.attackers, rolling.defenders
    # All ships of both sides count, as nothing is compared.
    sides = zip((battle.attack, battle.defence), battle.pools, fleets, strict=True)
    pools = [ships.arm(pool) if ships else armed for pool, armed, ships in sides]
    rolled = [
        [await services.engine.compute(roll_weights, pool, units) for units in range(most, 0, -1)]
        for pool, most in zip(pools, sizes, strict=True)
    ]
    ranks = await asyncio.to_thread(lambda: [[rank_laws(weights) for weights in tables] for tables in rolled])
    who, headline = describe_round(rolling), average_costs(next(iter(laws.values())))
    text = f"{headline} · {who} · {game(battle)}"
    legend = _("Below: every round, and how often each die shows each number. The file counts all rolls.")
    useful = [ships.without_idle(most, most) for ships, most in zip(fleets, sizes, strict=True)]
    idle = [*idle_ships(fleets[0], useful[0], ""), *idle_ships(fleets[1], useful[1], "d")]
    remarks = [*(idle if reading.details.fleets else reading.remarks), *idle_options_remarks(plan_words(battle))]
    return Reply(
        text,
        facts=(legend,),
        remarks=tuple(remarks),
        table=_table(laws, ranks),
        note=_("exact"),
        line=write_dice(rolling),
        file=TextFile("rolls.txt", await asyncio.to_thread(_everything, who, laws, ranks, rolled)),
        picture=await _picture(rolling, fleets, laws, ranks[0], f"{without_marks(text)}.", services),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def check_rules(battle: Battle) -> None:
    """Raise UserError where a round of the battle has no odds of its own."""
    if battle.reshape:
        raise UserError(_("Reshaped odds have no rounds. Add `reshape:none` to ask about the dice."))
    if battle.late:
        raise UserError(
            _("With `late` the odds of a round depend on the attacker's roll. Add `late:no` to ask without it.")
        )


def nobody_rolls() -> UserError:
    """Return the error for a side without dice."""
    return UserError(_("Both sides need dice to roll, as in `/dice 3 2`."), "dice 3 2")


def only_rollers(battle: Battle) -> Battle:
    """Return the battle with only those who roll; a round does not care who stands behind them."""
    acting = max(battle.attackers - battle.reserve, 0)
    rolling = replace(
        battle,
        attackers=min(acting, battle.pools[0].units),
        defenders=min(battle.defenders, battle.pools[1].units),
        reserve=0,
    )
    if not rolling.attackers or not rolling.defenders:
        raise nobody_rolls()
    return rolling


def idle_ships(ships: Ships, useful: Ships, mark: str) -> Iterator[str]:
    """Say which ships are more than the dice can use; `mark` stands before the words of their side."""
    for (kind, count), used in zip(ships.to_dict().items(), useful.to_dict().values(), strict=True):
        if count > used:
            yield idle_remark(f"{mark}{kind}:{count}", used)


def with_all_dice(battle: Battle, reading: Reading) -> Battle:
    """Return the battle with a unit for each die where no number is said; UserError where that is too much to tell."""
    dice = [pool.units for pool in battle.pools]
    attackers = battle.attackers if "attackers" in reading.details.given else dice[0] + battle.reserve
    defenders = battle.defenders if "defenders" in reading.details.given else dice[1]
    manned = replace(battle, attackers=attackers, defenders=defenders)
    if battle.faces:
        line = f"dice {write_dice(manned)}"
        raise UserError(
            _("`all` is for dice with numbers. For icon dice ask for one round: `/{line}`.", line=line), line
        )
    rolling = only_rollers(manned)
    if max(rolling.attackers, rolling.defenders) > MOST_DICE:
        line = f"dice {write_dice(rolling)}"
        raise UserError(
            _(
                "`all` works for up to {most} dice a side. For more, ask for one round: `/{line}`.",
                most=MOST_DICE,
                line=line,
            ),
            line,
        )
    return rolling


Ranks = Sequence[Sequence[Mapping[int, Fraction]]]
"""For each number of dice of a side, most first, the law of the highest, of the second, ..."""


def _table(laws: Mapping[Cell, RoundLaw], ranks: Sequence[Ranks]) -> tuple[str, ...]:
    """Return the rounds, then as many of the tables of dice as fit, the attacker's first."""
    rows = list(rounds_rows(laws))
    for block in _rank_blocks(ranks):
        if sum(len(row) + 1 for row in (*rows, *block)) > ROOM:
            break
        rows += block
    return tuple(rows)


def _rank_blocks(ranks: Sequence[Ranks]) -> Iterator[tuple[str, ...]]:
    """Return for each side, and each number of its dice, how often these show what; a gap before each."""
    for side, tables in zip(SIDES, ranks, strict=True):
        for index, of_dice in enumerate(tables):
            yield "", *([_(side)] if index == 0 else []), *rank_rows(of_dice)


def _everything(
    who: str, laws: Mapping[Cell, RoundLaw], ranks: Sequence[Ranks], rolled: Sequence[Sequence[Weights]]
) -> str:
    """Return the text of the file: the rounds with their fractions, the dice by rank, and every roll counted."""
    rows = [who, "", *rounds_rows(laws, fractions=True)]
    for block in _rank_blocks(ranks):
        rows += block
    for side, tables in zip(SIDES, rolled, strict=True):
        for weights in tables:
            dice = len(next(iter(weights)))
            rows += ["", f"{_(side)}, {_n('{n} die{ships}', '{n} dice{ships}', dice, ships='')}"]
            rows += roll_rows(weights, value_names(dice))
    return "\n".join([*rows, ""])


async def _picture(
    rolling: Battle,
    fleets: tuple[Ships, Ships],
    laws: Mapping[Cell, RoundLaw],
    ranks: Ranks,
    alternative: str,
    services: Services,
) -> Picture:
    """Return the picture of all rounds and of the attacker's dice."""
    rounds = [
        (f"{ours}v{theirs}", [(*lost, float(chance)) for lost, chance in best_first(law)])
        for (ours, theirs), law in laws.items()
    ]
    dice = [
        (
            _n("{n} die{ships}", "{n} dice{ships}", len(of_dice), ships=""),
            [{value: float(chance) for value, chance in law.items()} for law in of_dice],
        )
        for of_dice in ranks
    ]
    title, names = _("All rounds: {battle}", battle=describe_round(rolling)), [_(name) for name in RANKS]
    png = await services.engine.draw(ROUNDS, (rolling, fleets, ALL), title, rounds, dice, names)
    return Picture(png, "rounds.png", alternative)
