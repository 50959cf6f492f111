"""/need: how many armies it takes, and which ship helps most."""

from dataclasses import replace

from bot.commands.request import Request, Services, only, read_battle
from bot.errors import UserError
from bot.matchup import write
from bot.replies import Button, Picture, Reply
from bot.wording import fleet, game, uncertain
from solver import Battle, Ships
from solver.tables import Need, Side

GOAL = 0.8
MARKS = (0.5, 0.8, 0.95)
SHIPS = {"fighters": "fighter", "bombers": "bomber", "capitals": "capital ship"}
DEEDS = {
    "attackers": "take it from",
    "defenders": "hold against",
    "attacker": "takes it from",
    "defender": "holds against",
}


async def need(request: Request, services: Services) -> Reply:
    """How many attackers take it, how many defenders hold it: what stands in the line decides which is asked."""
    reading = await read_battle(request, services, takes=("chance",), lone="defenders")
    battle, given = only(reading.battle), reading.given
    goal = GOAL if reading.chance is None else reading.chance
    if not 0 < goal < 1:
        raise UserError("A chance between 0 % and 100 % is wanted, such as `80%`.")
    if not given:
        raise UserError("Against how many? `/need 9` for the attack, `/need 12 vs` for the defence.")
    asked: list[Side] = ["attackers"] if "defenders" in given else []
    asked += ["defenders"] if "attackers" in given else []
    found = [await services.engine.need(battle, side, goal) for side in asked]
    main = found[0]
    here = getattr(battle, main.side) if main.side in given else None
    parts = (main.side, main.counts, main.chances, goal, main.answer, here)
    png = await services.engine.drawn((battle, goal, here), "draw_need", _title(battle, main.side), *parts)
    lines = [line for one in found for line in (_headline(battle, one), _marks(one))]
    return Reply(
        "\n".join([*lines, *(f"-# {remark}" for remark in reading.remarks)]),
        table=tuple(await _ships(battle, main, services) if reading.fleets else ()),
        note=f"exact · {game(battle)} · `{write(_filled(battle, main, given))}`",
        picture=Picture(
            png, "need.png", f"{_headline(battle, main).replace('*', '')}. The curve: the chance by number."
        ),
        buttons=(Button("Odds", "battle"), Button("Table", "table")),
        private=request.private,
    )


def _headline(battle: Battle, found: Need) -> str:
    """ "**13 attackers** take it from 9 (84.0 %)"."""
    against = _other(battle, found.side)
    goal = f"{100 * found.goal:g} %"
    if found.answer is None:
        most = found.counts[-1]
        even = f"even {most} {found.side} {DEEDS[found.side]} {against} in only {_chance(found, most)}"
        return f"**{goal} is out of reach** as far as this is worked out: {even}"
    own = battle.attack_ships if found.side == "attackers" else battle.defence_ships
    name = found.side if found.answer > 1 else found.side.removesuffix("s")
    who = f"**{found.answer} {name}**{fleet(own)}"
    return f"{who} {DEEDS[name]} {against} with a chance of {goal}: {_chance(found, found.answer)}"


def _marks(found: Need) -> str:
    marks = [(mark, found.least(mark)) for mark in MARKS]
    return " · ".join(
        f"{100 * mark:g} %: {'more than ' * (least is None)}{least or found.counts[-1]}" for mark, least in marks
    )


def _chance(found: Need, count: int) -> str:
    return uncertain(found.chances[count - 1])


def _other(battle: Battle, side: Side) -> str:
    """What stands on the other side."""
    if side == "attackers":
        return f"{battle.defenders}{fleet(battle.defence_ships)}"
    return f"{battle.attackers}{fleet(battle.attack_ships)}"


def _title(battle: Battle, side: Side) -> str:
    return f"{DEEDS[side].capitalize()} {_other(battle, side)}"[:52]


def _filled(battle: Battle, found: Need, given: frozenset[str]) -> Battle:
    """The battle with the answer in place of the number that nobody gave."""
    if found.side in given:
        return battle
    number = found.answer or found.counts[-1]
    return replace(battle, attackers=number) if found.side == "attackers" else replace(battle, defenders=number)


async def _ships(battle: Battle, main: Need, services: Services) -> list[str]:
    """What one more ship of each kind would bring this side: how many armies it then takes, best first."""
    side = "attack_ships" if main.side == "attackers" else "defence_ships"
    fleet_now: Ships = getattr(battle, side)
    rows = []
    for kind, name in SHIPS.items():
        with_one = _with(battle, side, replace(fleet_now, **{kind: getattr(fleet_now, kind) + 1}))
        if with_one == battle:
            continue  # More of this kind than dice are idle.
        found = await services.engine.need(with_one, main.side, main.goal)
        count = main.answer or main.counts[-1]
        chance = found.chances[count - 1] if count <= len(found.chances) else found.chances[-1]
        rows.append((chance, f"one more {name:<12}  {uncertain(chance):>7}  {found.answer or 'out of reach'}"))
    if not rows:
        return []
    count = main.answer or main.counts[-1]
    head = f"{'':<21}  {f'with {count}':>7}  needed"
    return [head, *(row for _, row in sorted(rows, reverse=True))]


def _with(battle: Battle, side: str, ships: Ships) -> Battle:
    return replace(battle, attack_ships=ships) if side == "attack_ships" else replace(battle, defence_ships=ships)
