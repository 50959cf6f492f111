"""/dice: how often a side rolls what, and what one round costs both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bot.commands.request import Request, Services, read_battle
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, number
from bot.matchup import Reading, write
from bot.matchup.reading import idle_remark
from bot.replies import Button, Picture, Reply, aligned, with_remarks
from bot.wording import fleet, game, uncertain
from solver import Battle, Ships
from solver.chain import RoundLaw
from solver.rolls import MOST_ICON_CELLS, MOST_ICON_UNITS, icon_weights, rank_laws, roll_weights, round_law

ICONS = N_("attack"), N_("defence")
RANKS = N_("highest"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth")


async def dice(request: Request, services: Services) -> Reply:
    """One number: what so many dice show. Two, or none: what a round costs both."""
    battle, reading = await read_battle(request, services, lone="attackers")
    if len(reading.given) == 1:
        return await _roll(battle, reading, request, services)
    if not reading.given:
        battle = replace(battle, attackers=len(battle.pools[0].dice), defenders=len(battle.pools[1].dice))
    return await _round(battle, reading.remarks, request, services)


async def _round(battle: Battle, remarks: Sequence[str], request: Request, services: Services) -> Reply:
    """What one round costs."""
    if battle.reshape:
        raise UserError(_("Odds that are reshaped as a whole have no rounds; `reshape:none` asks about the dice."))
    if battle.late:
        raise UserError(
            _(
                "With this rule a round has no odds of its own: they depend on what is rolled first. "
                "`late:no` asks without it."
            )
        )
    if battle.faces and battle.attackers * battle.defenders > MOST_ICON_CELLS:
        raise UserError(_("That is a table of too many rows. Ask for fewer icon dice, such as `5 5`."))
    rolling = battle if battle.faces else _rolling(battle)
    if not rolling.attackers or not rolling.defenders:
        raise UserError(_("Somebody must be there to roll on both sides, as in `/dice 3 2`."), "dice 3 2")
    law: RoundLaw = await services.engine.ask(round_law, rolling)
    ours, theirs = (number(float(sum(lost[side] * of for lost, of in law.items())), 2) for side in (0, 1))
    who = _who(rolling)
    title = _("One round: {battle}", battle=who)
    outcomes = [(*lost, float(chance)) for lost, chance in law.items()]
    png = await services.engine.drawn((rolling, "round"), "draw_losses", title[:52], outcomes)
    costs = _(
        "**One round costs the attacker {attackers}, the defender {defenders}**", attackers=ours, defenders=theirs
    )
    text = f"{costs} · {who} · {game(battle)}"
    return Reply(
        with_remarks(text, remarks),
        table=_costs(law),
        note=f"{_('exact')} · `{write(battle)}`",
        picture=Picture(png, "round.png", f"{text.replace('*', '')}."),
        buttons=(Button(_("Odds"), "battle"),),
        private=request.private,
    )


def _rolling(battle: Battle) -> Battle:
    """Only those who roll: a round does not care who stands behind them."""
    acting = max(battle.attackers - battle.reserve, 0)
    return replace(
        battle,
        attackers=min(acting, len(battle.pools[0].dice)),
        defenders=min(battle.defenders, len(battle.pools[1].dice)),
        reserve=0,
    )


def _who(battle: Battle) -> str:
    ours, theirs = fleet(battle.attack_ships, short=True), fleet(battle.defence_ships, short=True)
    attackers, defenders = f"{battle.attackers}{ours}", f"{battle.defenders}{theirs}"
    return _("{attackers} against {defenders}", attackers=attackers, defenders=defenders)


def _costs(law: RoundLaw) -> tuple[str, ...]:
    """A line for each outcome, the attacker's best first."""
    ordered = sorted(law.items(), key=lambda outcome: (outcome[0][0] - outcome[0][1], outcome[0]))
    cells: list[list[str]] = [[_("attacker"), _("defender"), "", ""]]
    cells += [[f"−{a}" if a else "0", f"−{d}" if d else "0", _sure(chance), str(chance)] for (a, d), chance in ordered]
    return aligned(cells, right=True)


async def _roll(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """What the dice of one side show; all its ships count, as nothing is compared."""
    side = 0 if "attackers" in reading.given else 1
    units, remarks = (battle.attackers, battle.defenders)[side], reading.remarks
    if battle.faces:
        if not 1 <= units <= MOST_ICON_UNITS:
            raise UserError(_("A roll table is made for 1 to {most} icon dice.", most=MOST_ICON_UNITS))
        weights = await services.engine.find(icon_weights, battle.faces[side], units)
        what = _n("{n} icon dice", "{n} icon dice", units)
    else:
        ships = (reading.fleets or (battle.attack_ships, battle.defence_ships))[side]
        pool = ships.arm((battle.attack, battle.defence)[side]) if ships else battle.pools[side]
        if not 1 <= units <= len(pool.dice):
            most = len(pool.dice)
            raise UserError(_("This side rolls 1 to {most} dice; `adice:` and `ddice:` give it others.", most=most))
        weights = await services.engine.find(roll_weights, pool, units)
        useful = ships.useful(units, units)
        what = _n("{n} die{ships}", "{n} dice{ships}", units, ships=fleet(useful))
        remarks = tuple(_idle_ships(ships, useful, "d" * side)) if ships else remarks
    laws = rank_laws(weights)
    ranks = [{value: float(chance) for value, chance in law.items()} for law in laws]
    title, names = _("Rolled by {dice}", dice=what), [_(name) for name in (ICONS if battle.faces else RANKS)]
    png = await services.engine.drawn(
        (battle, side, units, tuple(weights)), "draw_roll", title[:52], ranks, *([names] if battle.faces else [])
    )
    means = (number(float(sum(value * chance for value, chance in law.items())), 2) for law in laws)
    told = ", ".join(f"{name} {mean}" for name, mean in zip(names, means, strict=False))
    return Reply(
        with_remarks(f"{_('**{dice}**: on average {values}', dice=what, values=told)} · {game(battle)}", remarks),
        table=_shown(
            weights, names if battle.faces else [_p("column of the highest die", "high"), *[""] * (len(laws) - 1)]
        ),
        note=_("exact"),
        picture=Picture(png, "roll.png", _("What {dice} show: on average {values}.", dice=what, values=told)),
        private=request.private,
    )


def _idle_ships(ships: Ships, useful: Ships, mark: str) -> Iterator[str]:
    """Say which ships are more than the dice can use; `mark` stands before the words of their side."""
    for (kind, count), used in zip(ships.to_dict().items(), useful.to_dict().values(), strict=True):
        if count > used:
            yield idle_remark(f"{mark}{kind}:{count}", used)


def _shown(weights: Mapping[tuple[int, ...], int], names: Sequence[str]) -> tuple[str, ...]:
    """A line for each roll, the best first: its values below these names, and how likely it is."""
    total = sum(weights.values())
    head = [*names, _("of {total}", total=total), ""]
    rows = [[*map(str, values), str(weight), _sure(Fraction(weight, total))] for values, weight in weights.items()]
    return aligned([head, *rows[::-1]], right=True)


def _sure(chance: Fraction) -> str:
    return "100 %" if chance == 1 else uncertain(float(chance))
