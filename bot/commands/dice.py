"""/dice: how often a side rolls what, and what one round costs both."""

from dataclasses import replace
from fractions import Fraction

from bot.commands.request import Request, Services, read_battle
from bot.errors import UserError
from bot.matchup import Reading, write
from bot.replies import Button, Picture, Reply, aligned
from bot.wording import fleet, game, uncertain
from solver import Battle
from solver.chain import RoundLaw
from solver.rolls import MOST_ICON_CELLS, MOST_ICON_UNITS, icon_weights, rank_laws, roll_weights, round_law

ICONS = ("attack", "defence")


async def dice(request: Request, services: Services) -> Reply:
    """One number: what so many dice show. Two, or none: what a round costs both."""
    battle, reading = await read_battle(request, services, lone="attackers")
    if len(reading.given) == 1:
        return await _roll(battle, reading, request, services)
    if not reading.given:
        battle = replace(battle, attackers=len(battle.pools[0].dice), defenders=len(battle.pools[1].dice))
    return await _round(battle, request, services)


async def _round(battle: Battle, request: Request, services: Services) -> Reply:
    """What one round costs."""
    if battle.reshape:
        raise UserError("Odds that are reshaped as a whole have no rounds; `reshape:none` asks about the dice.")
    if battle.late:
        raise UserError(
            "With this rule a round has no odds of its own: they depend on what is rolled first. `late:no` does without it."
        )
    if battle.faces and battle.attackers * battle.defenders > MOST_ICON_CELLS:
        raise UserError("That is a table of too many rows. Ask for fewer icon dice, such as `5 5`.")
    rolling = battle if battle.faces else _rolling(battle)
    if not rolling.attackers or not rolling.defenders:
        raise UserError("Somebody must be there to roll on both sides, as in `/dice 3 2`.", "dice 3 2")
    law: RoundLaw = await services.engine.ask(round_law, rolling)
    means = [float(sum(lost[side] * chance for lost, chance in law.items())) for side in (0, 1)]
    who = _who(rolling)
    title = f"One round: {who}"
    outcomes = [(*lost, float(chance)) for lost, chance in law.items()]
    png = await services.engine.drawn((rolling, "round"), "draw_losses", title[:52], outcomes)
    text = f"**One round costs the attacker {means[0]:.2f}, the defender {means[1]:.2f}** · {who} · {game(battle)}"
    return Reply(
        text,
        table=_costs(law),
        note=f"exact · `{write(battle)}`",
        picture=Picture(png, "round.png", f"{text.replace('*', '')}."),
        buttons=(Button("Odds", "battle"),),
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
    return f"{battle.attackers}{ours} against {battle.defenders}{theirs}"


def _costs(law: RoundLaw) -> tuple[str, ...]:
    """A line for each outcome, the attacker's best first."""
    ordered = sorted(law.items(), key=lambda outcome: (outcome[0][0] - outcome[0][1], outcome[0]))
    cells = [["attacker", "defender", "", ""]]
    cells += [[f"−{a}" if a else "0", f"−{d}" if d else "0", _sure(chance), str(chance)] for (a, d), chance in ordered]
    return aligned(cells, right=True)


async def _roll(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """What the dice of one side show; all its ships count, as nothing is compared."""
    side = 0 if "attackers" in reading.given else 1
    units = (battle.attackers, battle.defenders)[side]
    if battle.faces:
        if not 1 <= units <= MOST_ICON_UNITS:
            raise UserError(f"A roll table is made for 1 to {MOST_ICON_UNITS} icon dice.")
        weights = await services.engine.find(icon_weights, battle.faces[side], units)
        names: tuple[tuple[str, ...], ...] = (ICONS,)
        what = f"{units} icon dice"
    else:
        ships = (reading.fleets or (battle.attack_ships, battle.defence_ships))[side]
        pool = ships.arm((battle.attack, battle.defence)[side]) if ships else battle.pools[side]
        if not 1 <= units <= len(pool.dice):
            raise UserError(f"This side rolls 1 to {len(pool.dice)} dice; `adice:` and `ddice:` give it others.")
        weights = await services.engine.find(roll_weights, pool, units)
        names = ()
        what = f"{units} {'die' if units == 1 else 'dice'}{fleet(ships.useful(units, units))}"
    total = sum(weights.values())
    laws = rank_laws(weights)
    ranks = [{value: float(chance) for value, chance in law.items()} for law in laws]
    png = await services.engine.drawn(
        (battle, side, units, tuple(weights)), "draw_roll", f"Rolled by {what}"[:52], ranks, *names
    )
    means = [float(sum(value * chance for value, chance in law.items())) for law in laws]
    titles = ICONS if battle.faces else ("highest", "second", "third", "fourth", "fifth", "sixth")
    told = ", ".join(f"{name} {mean:.2f}" for name, mean in zip(titles, means, strict=False))
    head = [[*(("attack", "defence") if battle.faces else ("high", *[""] * (len(means) - 1))), f"of {total}", ""]]
    rows = [[*map(str, values), str(weight), _sure(Fraction(weight, total))] for values, weight in weights.items()]
    return Reply(
        f"**{what[0].upper()}{what[1:]}**: on average {told} · {game(battle)}",
        table=aligned(head + rows[::-1], right=True),
        note="exact",
        picture=Picture(png, "roll.png", f"What {what} show: on average {told}."),
        private=request.private,
    )


def _sure(chance: Fraction) -> str:
    return "100 %" if chance == 1 else uncertain(float(chance))
