"""/need: how many armies it takes, and which ship helps most; with Axis & Allies which army to bring."""

from dataclasses import replace

from bot.commands.bring import bring
from bot.commands.path import file_called
from bot.commands.request import Request, Services, only, read
from bot.errors import UserError
from bot.languages import _n
from bot.matchup import write
from bot.packs import load
from bot.replies import Button, Picture, Reply
from bot.wording import exactness, fleet, game, uncertain
from solver import Battle, Ships
from solver.axis import AxisBattle
from solver.tables import MARKS, Need, Side, sized
from solver.waves import Waves

GOAL = 0.8
SHIPS = {"fighters": "fighter", "bombers": "bomber", "capitals": "capital ship"}
DEEDS = {
    "attackers": "take it from",
    "defenders": "hold against",
    "attacker": "takes it from",
    "defender": "holds against",
}


async def need(request: Request, services: Services) -> Reply:
    """How many attackers take it, how many defenders hold it: what stands in the line decides which is asked."""
    reading = await read(request, services, takes=("chance", "side", "least", "survive"), lone="defenders")
    goal = GOAL if reading.chance is None else reading.chance
    if not 0 < goal < 1:
        raise UserError("A chance between 0 % and 100 % is wanted, such as `80%`.")
    if isinstance(reading.battle, AxisBattle):
        return await bring(reading.battle, reading, request, services)
    if isinstance(reading.battle, Waves):
        raise UserError("What to bring is worked out for one wave at a time.")
    battle, given = only(reading.battle), reading.given
    if not given:
        raise UserError(
            "Against how many? `/need 9` for the attack, `/need 12 vs` for the defence; which units to bring:"
            " `/need 6 inf 4 art vs 5 inf`."
        )
    asked: list[Side] = ["attackers"] if "defenders" in given else []
    asked += ["defenders"] if "attackers" in given else []
    found = [await services.engine.need(battle, side, goal, getattr(battle, side) * (side in given)) for side in asked]
    main = found[0]
    lines = [line for one in found for line in _told(battle, one)]
    if reading.behind and "attackers" in asked:
        lines.append(_also_behind(found[0], reading.behind))
    pack = load().get(battle.variant)
    ships = reading.fleets or "starwars" in (battle.game, pack and pack.game)
    return Reply(
        "\n".join([*lines, *(f"-# {remark}" for remark in reading.remarks)]),
        table=tuple(await _ships(battle, main, services) if not main.limited and ships else ()),
        note=f"{exactness(main.error)} · {game(battle)} · `{write(_filled(battle, main, given))}`",
        picture=await _picture(battle, main, given, services),
        buttons=(Button("Odds", "battle"), Button("Table", "table")),
        private=request.private,
    )


async def _picture(battle: Battle, found: Need, given: frozenset[str], services: Services) -> Picture | None:
    """The curve; there is none where it ends only because more cannot be worked out."""
    if found.limited:
        return None
    here = getattr(battle, found.side) if found.side in given else None
    parts = (found.side, found.counts, found.chances, found.goal, found.answer, here)
    png = await services.engine.drawn((battle, found, here), "draw_need", _title(battle, found.side), *parts)
    name = file_called(f"need {100 * found.goal:.10g} {found.side} {write(_filled(battle, found, given))}")
    return Picture(
        png, name, f"{_headline(battle, found).replace('*', '')}. The curve: the chance by number.", table=False
    )


def _told(battle: Battle, found: Need) -> list[str]:
    return [_headline(battle, found), *([_marks(found)] if found.answer else [])]


def _headline(battle: Battle, found: Need) -> str:
    """ "**13 attackers** take it from 9 (84.0 %)"."""
    against = _other(battle, found.side)
    goal = f"{100 * found.goal:.10g} %"
    if found.answer is None:
        most = found.counts[-1]
        least = f"{most} {found.side} {DEEDS[found.side]} {against} in {_chance(found, most)}"
        if found.limited:
            return f"**More than {most} {found.side}** are needed, and that is as far as this is worked out: {least}"
        return f"**{goal} is out of reach**: even {least}"
    own = battle.attack_ships if found.side == "attackers" else battle.defence_ships
    name = found.side if found.answer > 1 else found.side.removesuffix("s")
    who = f"**{found.answer} {name}**{fleet(own)}"
    return f"{who} {DEEDS[name]} {against} with a chance of {goal}: {_chance(found, found.answer)}"


def _also_behind(found: Need, behind: int) -> str:
    """That more stay behind than the attackers who are needed."""
    if found.answer is None:
        told = _n("{n} more stays behind.", "{n} more stay behind.", behind)
    else:
        told = _n(
            "{n} more stays behind: {counted} in all.",
            "{n} more stay behind: {counted} in all.",
            behind,
            counted=found.answer + behind,
        )
    return f"-# {told}"


def _marks(found: Need) -> str:
    marks = [(mark, found.least(mark)) for mark in MARKS]
    return " · ".join(
        f"{100 * mark:g} %: {'more than ' * (least is None)}{least or found.counts[-1]}" for mark, least in marks
    )


def _chance(found: Need, count: int) -> str:
    return uncertain(found.chances[found.counts.index(count)])


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
    return sized(battle, found.side, found.answer or found.counts[-1])


async def _ships(battle: Battle, main: Need, services: Services) -> list[str]:
    """What one more ship of each kind would bring this side: how many armies it then takes, best first."""
    side = "attack_ships" if main.side == "attackers" else "defence_ships"
    fleet_now: Ships = getattr(battle, side)
    count = main.answer or main.counts[-1]
    rows = []
    for kind, name in SHIPS.items():
        with_one = _with(battle, side, replace(fleet_now, **{kind: getattr(fleet_now, kind) + 1}))
        if with_one == battle:
            continue  # More of this kind than dice are idle.
        found = await services.engine.need(with_one, main.side, main.goal, count)
        if count in found.counts:
            chance = found.chances[found.counts.index(count)]
            rows.append((chance, f"one more {name:<12}  {uncertain(chance):>7}  {found.answer or 'out of reach'}"))
    if not rows:
        return []
    head = f"{'':<21}  {f'with {count}':>7}  needed"
    return [head, *(row for _, row in sorted(rows, reverse=True))]


def _with(battle: Battle, side: str, ships: Ships) -> Battle:
    return replace(battle, attack_ships=ships) if side == "attack_ships" else replace(battle, defence_ships=ships)
