"""/dice: how often a side rolls what, and what one round costs both."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.request import Request, Services, read_battle
from bot.commands.rounds import check_rules, idle_ships, nobody_rolls, only_rollers, read_all, show_all
from bot.dice_wording import (
    ICONS,
    RANKS,
    average_costs,
    describe_round,
    roll_rows,
    round_fractions,
    round_rows,
    value_names,
)
from bot.errors import UserError
from bot.languages import _, _n, number
from bot.matchup import Reading, write
from bot.replies import Button, Picture, Reply, TextFile, with_remarks
from bot.wording import fleet, game
from solver import Battle
from solver.chain import RoundLaw
from solver.rolls import MOST_ICON_CELLS, MOST_ICON_UNITS, icon_weights, rank_laws, roll_weights, round_law


async def dice(request: Request, services: Services) -> Reply:
    """One number: what so many dice show. Two, or none: what a round costs both. With `all`: all rounds and rolls."""
    if everything := await read_all(request, services):
        return await show_all(*everything, request, services)
    battle, reading = await read_battle(request, services, lone="attackers")
    if len(reading.given) == 1:
        return await _roll(battle, reading, request, services)
    if not reading.given:
        battle = replace(battle, attackers=len(battle.pools[0].dice), defenders=len(battle.pools[1].dice))
    return await _round(battle, reading.remarks, request, services)


async def _round(battle: Battle, remarks: Sequence[str], request: Request, services: Services) -> Reply:
    """What one round costs."""
    check_rules(battle)
    if battle.faces and battle.attackers * battle.defenders > MOST_ICON_CELLS:
        raise UserError(_("That table would have too many rows. Ask for fewer icon dice, such as `5 5`."))
    rolling = battle if battle.faces else only_rollers(battle)
    if battle.faces and not (battle.attackers and battle.defenders):
        raise nobody_rolls()
    law: RoundLaw = await services.engine.ask(round_law, rolling)
    who = describe_round(rolling)
    title = _("One round: {battle}", battle=who)
    outcomes = [(*lost, float(chance)) for lost, chance in law.items()]
    png = await services.engine.drawn((rolling, "round"), "draw_losses", title, outcomes)
    text, fractions = f"{average_costs(law)} · {who} · {game(battle)}", round_fractions(law)
    return Reply(
        with_remarks(text, remarks),
        table=round_rows(law),
        note=f"{_('exact')} · `{write(battle)}`",
        file=TextFile("round.txt", fractions) if fractions else None,
        picture=Picture(png, "round.png", f"{text.replace('*', '')}."),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


async def _roll(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """What the dice of one side show; all its ships count, as nothing is compared."""
    side = 0 if "attackers" in reading.given else 1
    units, remarks = (battle.attackers, battle.defenders)[side], reading.remarks
    if battle.faces:
        if not 1 <= units <= MOST_ICON_UNITS:
            raise UserError(_("A roll table works for 1 to {most} icon dice.", most=MOST_ICON_UNITS))
        weights = await services.engine.find(icon_weights, battle.faces[side], units)
        what = _n("{n} icon dice", "{n} icon dice", units)
    else:
        ships = (reading.fleets or (battle.attack_ships, battle.defence_ships))[side]
        pool = ships.arm((battle.attack, battle.defence)[side]) if ships else battle.pools[side]
        if not 1 <= units <= len(pool.dice):
            most = len(pool.dice)
            raise UserError(_("This side rolls 1 to {most} dice; change them with `adice:` or `ddice:`.", most=most))
        weights = await services.engine.find(roll_weights, pool, units)
        useful = ships.useful(units, units)
        what = _n("{n} die{ships}", "{n} dice{ships}", units, ships=fleet(useful))
        remarks = tuple(idle_ships(ships, useful, "d" * side)) if ships else remarks
    laws = rank_laws(weights)
    ranks = [{value: float(chance) for value, chance in law.items()} for law in laws]
    title, names = _("Roll of {dice}", dice=what), [_(name) for name in (ICONS if battle.faces else RANKS)]
    png = await services.engine.drawn(
        (battle, side, units, tuple(weights)), "draw_roll", title, ranks, *([names] if battle.faces else [])
    )
    means = (number(float(sum(value * chance for value, chance in law.items())), 2) for law in laws)
    told = ", ".join(f"{name} {mean}" for name, mean in zip(names, means, strict=False))
    return Reply(
        with_remarks(f"{_('**{dice}**: {values} on average', dice=what, values=told)} · {game(battle)}", remarks),
        table=roll_rows(weights, names if battle.faces else value_names(len(laws))),
        note=_("exact"),
        picture=Picture(png, "roll.png", _("What {dice} show: {values} on average.", dice=what, values=told)),
        private=request.private,
    )
