"""/dice: how often a side rolls what, and what one round costs both."""

from collections.abc import Sequence
from dataclasses import replace

from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.rounds.all_rounds import check_rules, idle_ships, nobody_rolls, only_rollers
from bot.games.dice.rounds.words import (
    ALL,
    ICONS,
    RANKS,
    average_costs,
    describe_round,
    roll_rows,
    round_fractions,
    round_rows,
    take_all,
    value_names,
)
from bot.games.dice.words import fleet, game
from bot.games.dice.work import LOSSES, ROLL, compute_on_grid
from bot.languages import _, _n, number
from bot.notation.mistakes import MatchupError
from bot.replies import Button, Picture, Reply, TextFile, without_marks
from bot.request import Request, Services, read
from solver import Battle
from solver.dice.rolls import MOST_ICON_CELLS, MOST_ICON_UNITS, icon_weights, rank_laws, roll_weights, round_law


async def dice(request: Request, services: Services) -> Reply:
    """Answer about the dice of the line: of both sides or of one, in one round or, with `all`, in every round."""
    text, everything = await _without_all(request, services)
    try:
        reading = await read(replace(request, options={**request.options, "matchup": text}), services, lone="attackers")
    except MatchupError as error:
        error.better = f"{ALL} {error.better}" if everything and error.better else error.better
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
    if len(reading.details.given) == 1:
        return await _roll(battle, reading, request, services)
    if not reading.details.given:
        battle = replace(battle, attackers=len(battle.pools[0].dice), defenders=len(battle.pools[1].dice))
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
        if not 1 <= units <= MOST_ICON_UNITS:
            raise UserError(_("A roll table works for 1 to {most} icon dice.", most=MOST_ICON_UNITS))
        weights = await services.engine.compute(icon_weights, battle.faces[side], units)
        what = _n("{n} icon dice", "{n} icon dice", units)
    else:
        ships = (reading.details.fleets or (battle.attack_ships, battle.defence_ships))[side]
        pool = ships.arm((battle.attack, battle.defence)[side]) if ships else battle.pools[side]
        if not 1 <= units <= len(pool.dice):
            most = len(pool.dice)
            raise UserError(_("This side rolls 1 to {most} dice; change them with `adice:` or `ddice:`.", most=most))
        weights = await services.engine.compute(roll_weights, pool, units)
        useful = ships.without_idle(units, units)
        what = _n("{n} die{ships}", "{n} dice{ships}", units, ships=fleet(useful))
        remarks = tuple(idle_ships(ships, useful, "d" * side)) if ships else remarks
    laws = rank_laws(weights)
    ranks = [{value: float(chance) for value, chance in law.items()} for law in laws]
    title, names = _("Roll of {dice}", dice=what), [_(name) for name in (ICONS if battle.faces else RANKS)]
    png = await services.engine.draw(
        ROLL,
        (battle, side, units, tuple(weights)),
        title,
        ranks,
        *([names] if battle.faces else []),
    )
    means = (number(float(sum(value * chance for value, chance in law.items())), 2) for law in laws)
    told = ", ".join(f"{name} {mean}" for name, mean in zip(names, means, strict=False))
    return Reply(
        f"{_('**{dice}**: {values} on average', dice=what, values=told)} · {game(battle)}",
        remarks=remarks,
        table=roll_rows(weights, names if battle.faces else value_names(len(laws))),
        note=_("exact"),
        picture=Picture(png, "roll.png", _("What {dice} show: {values} on average.", dice=what, values=told)),
        private=request.private,
    )
