"""/need: how many armies it takes, and which ship helps most; with Axis & Allies which army to bring."""

from dataclasses import replace

from bot.commands.bring import bring
from bot.commands.path import file_called
from bot.commands.request import Request, Services, only, read
from bot.errors import UserError
from bot.languages import N_, _, _n, in_percent, shortest
from bot.matchup import write
from bot.narrow import narrow
from bot.packs import load
from bot.replies import Button, Picture, Reply, with_remarks
from bot.wording import exactness, fleet, game, remarks_with, uncertain
from solver import Battle, Ships
from solver.axis import AxisBattle
from solver.tables import MARKS, Need, Side, sized
from solver.waves import Waves

GOAL = 0.8
SHIPS = {
    "fighters": N_("+1 fighter"),
    "bombers": N_("+1 bomber"),
    "capitals": N_("+1 capital ship"),
}


async def need(request: Request, services: Services) -> Reply:
    """How many attackers take it, how many defenders hold it: what stands in the line decides which is asked."""
    reading = await read(request, services, takes=("chance", "side", "least", "survive"), lone="defenders")
    goal = GOAL if reading.chance is None else reading.chance
    if not 0 < goal < 1:
        raise UserError(_("Give a chance between 0% and 100%, such as `80%`."))
    if isinstance(reading.battle, AxisBattle):
        return await bring(reading.battle, reading, request, services)
    if isinstance(reading.battle, Waves):
        raise UserError(_("I can work out what to bring for one wave at a time."))
    battle, given = only(reading.battle), reading.given
    if not given:
        raise UserError(
            _(
                "Against how many? `/need 9` to attack 9, `/need 12 vs` to hold against 12, `/need 6 "
                "inf 4 art vs 5 inf` for the units to bring."
            ),
            "need 9",
        )
    asked: list[Side] = ["attackers"] if "defenders" in given else []
    asked += ["defenders"] if "attackers" in given else []
    found = [await services.engine.need(battle, side, goal, getattr(battle, side) * (side in given)) for side in asked]
    main, behind = found[0], request.stays_behind(reading)
    lines = [line for one in found for line in _lines(battle, one, behind)]
    pack = load().get(battle.variant)
    ships = reading.fleets or "starwars" in (battle.game, pack and pack.game)
    return Reply(
        with_remarks("\n".join(lines), remarks_with(reading, behind)),
        table=await _ships(battle, main, behind, services) if not main.limited and ships else (),
        note=f"{exactness(main.error)} · {game(battle)} · `{write(_filled(battle, main, given))}`",
        picture=await _picture(battle, main, given, behind, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Table"), "table")),
        private=request.private,
    )


async def _picture(
    battle: Battle, found: Need, given: frozenset[str], behind: int, services: Services
) -> Picture | None:
    """The curve; there is none where it ends only because more cannot be worked out."""
    if found.limited:
        return None
    told, ours = _counted(found, behind), behind if found.side == "attackers" else 0
    here = getattr(battle, found.side) + ours if found.side in given else None
    parts = (told.side, told.counts, told.chances, told.goal, told.answer, here, ours)
    png = await services.engine.drawn((battle, told, here), "draw_need", _title(battle, found.side, behind), *parts)
    name = file_called(f"need {100 * found.goal:.10g} {found.side} {write(_filled(battle, found, given))}")
    head = _headline(battle, told, behind).replace("*", "")
    return Picture(png, name, _("{answer}. The curve shows the chance for each number.", answer=head), table=False)


def _counted(found: Need, behind: int) -> Need:
    """Count the attackers who stay behind among those who are needed."""
    if found.side == "defenders" or not behind:
        return found
    counts, answer = tuple(count + behind for count in found.counts), found.answer
    return replace(found, counts=counts, answer=None if answer is None else answer + behind)


def _lines(battle: Battle, found: Need, behind: int) -> list[str]:
    counted = _counted(found, behind)
    return [_headline(battle, counted, behind), *([_marks(counted)] if found.answer else [])]


def _headline(battle: Battle, found: Need, behind: int) -> str:
    """Answer the question: "**You need 13 attackers to beat 9** (83.9% to win, target 80%)"."""
    other, goal = _other(battle, found.side, behind), in_percent(shortest(100 * found.goal))
    if found.answer is None:
        return _too_few(found, other, goal)
    chance = {"goal": goal, "chance": _chance(found, found.answer)}
    if found.side == "attackers":
        return _n(
            "**You need {n} attacker{ships} to beat {defenders}** ({chance} to win, target {goal})",
            "**You need {n} attackers{ships} to beat {defenders}** ({chance} to win, target {goal})",
            found.answer,
            **chance,
            ships=fleet(battle.attack_ships),
            defenders=other,
        )
    return _n(
        "**You need {n} defender{ships} to hold against {attackers}** ({chance} to hold, target {goal})",
        "**You need {n} defenders{ships} to hold against {attackers}** ({chance} to hold, target {goal})",
        found.answer,
        **chance,
        ships=fleet(battle.defence_ships),
        attackers=other,
    )


def _too_few(found: Need, other: str, goal: str) -> str:
    """Say that no number has the chance, or none that can be worked out."""
    most, least = found.counts[-1], _most(found, other)
    if not found.limited:
        return _("**{goal} is out of reach**: even {least}", goal=goal, least=least)
    if found.side == "attackers":
        return _n(
            "**You need more than {n} attacker**, the most I can work out: {least}",
            "**You need more than {n} attackers**, the most I can work out: {least}",
            most,
            least=least,
        )
    return _n(
        "**You need more than {n} defender**, the most I can work out: {least}",
        "**You need more than {n} defenders**, the most I can work out: {least}",
        most,
        least=least,
    )


def _most(found: Need, other: str) -> str:
    """What the most that are worked out come to: "1000 attackers beat 2000 0.4% of the time"."""
    most = found.counts[-1]
    chance = _chance(found, most)
    if found.side == "attackers":
        return _n(
            "{n} attacker beats {defenders} {chance} of the time",
            "{n} attackers beat {defenders} {chance} of the time",
            most,
            defenders=other,
            chance=chance,
        )
    return _n(
        "{n} defender holds against {attackers} {chance} of the time",
        "{n} defenders hold against {attackers} {chance} of the time",
        most,
        attackers=other,
        chance=chance,
    )


def _marks(found: Need) -> str:
    told = []
    for mark in MARKS:
        least, chance = found.least(mark), in_percent(shortest(100 * mark))
        more = _("{chance}: over {count}", chance=chance, count=found.counts[-1])
        told.append(more if least is None else f"{chance}: {least}")
    return " · ".join(told)


def _chance(found: Need, count: int) -> str:
    return uncertain(found.chances[found.counts.index(count)])


def _other(battle: Battle, side: Side, behind: int) -> str:
    """Say who stands on the other side, its attackers counted with those who stay behind."""
    if side == "attackers":
        return f"{battle.defenders}{fleet(battle.defence_ships)}"
    return f"{battle.attackers + behind}{fleet(battle.attack_ships)}"


def _title(battle: Battle, side: Side, behind: int) -> str:
    if side == "attackers":
        ships = fleet(battle.defence_ships, short=True)
        return _n("Beat {n} defender{ships}", "Beat {n} defenders{ships}", battle.defenders, ships=ships)
    ships, attackers = fleet(battle.attack_ships, short=True), battle.attackers + behind
    return _n("Hold against {n} attacker{ships}", "Hold against {n} attackers{ships}", attackers, ships=ships)


def _filled(battle: Battle, found: Need, given: frozenset[str]) -> Battle:
    """The battle with the answer in place of the number that nobody gave."""
    if found.side in given:
        return battle
    return sized(battle, found.side, found.answer or found.counts[-1])


async def _ships(battle: Battle, main: Need, behind: int, services: Services) -> tuple[str, ...]:
    """What one more ship of each kind would bring this side: how many armies it then takes, best first."""
    side = "attack_ships" if main.side == "attackers" else "defence_ships"
    fleet_now: Ships = getattr(battle, side)
    count = main.answer or main.counts[-1]
    rows: list[tuple[float, tuple[str, str, str]]] = []
    for kind, name in SHIPS.items():
        with_one = _with(battle, side, replace(fleet_now, **{kind: getattr(fleet_now, kind) + 1}))
        if with_one == battle:
            continue  # More of this kind than dice are idle.
        found = await services.engine.need(with_one, main.side, main.goal, count)
        if count in found.counts:
            chance = found.chances[found.counts.index(count)]
            needed = _counted(found, behind).answer if found.answer else _("out of reach")
            rows.append((chance, (_(name), uncertain(chance), str(needed))))
    if not rows:
        return ()
    cells = [
        ("", _("with {count}", count=count + behind * (main.side == "attackers")), _("you need")),
        *(row for _chance, row in sorted(rows, reverse=True)),
    ]
    return narrow(cells, "<>>")


def _with(battle: Battle, side: str, ships: Ships) -> Battle:
    return replace(battle, attack_ships=ships) if side == "attack_ships" else replace(battle, defence_ships=ships)
