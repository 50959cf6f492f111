"""/need for battles with dice: how many armies it takes, and which ship helps most."""

from dataclasses import replace
from itertools import chain

from bot.charts import NEED
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.building import stays_behind
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.words import fleet, game, remarks_with
from bot.games.dice.work import find_need
from bot.languages import N_, _, _n, in_percent, short_number
from bot.packs import load
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exactness, unsure_percent
from solver import Battle, Ships
from solver.dice.sizes import MARKS, ArmySide, Need, with_armies

GOAL = 0.8
SHIPS = {
    "fighters": N_("+1 fighter"),
    "bombers": N_("+1 bomber"),
    "capitals": N_("+1 capital ship"),
}


async def answer_need(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many attackers take it, how many defenders hold it, or both: the side whose number the line lacks."""
    goal, given = GOAL if reading.chance is None else reading.chance, reading.details.given
    if not given:
        raise UserError(
            _(
                "Against how many? `/need 9` to attack 9, `/need 12 vs` to hold against 12, `/need 6 "
                "inf 4 art vs 5 inf` for the units to bring."
            ),
            "need 9",
        )
    asked: list[ArmySide] = ["attackers"] if "defenders" in given else []
    asked += ["defenders"] if "attackers" in given else []
    found = [
        await find_need(services.engine, battle, side, goal, getattr(battle, side) * (side in given)) for side in asked
    ]
    main, behind = found[0], stays_behind(reading, request.place_settings.line_defaults)
    lines = [_lines(battle, one, behind) for one in found]
    head, *facts = chain(*lines)
    beside = tuple(one[0] for one in lines[1:])
    pack = load().get(battle.variant)
    ships = reading.details.fleets or "starwars" in (battle.game, pack and pack.game)
    return Reply(
        head,
        facts=tuple(facts),
        remarks=tuple(remarks_with(reading, behind)),
        table=await _ships(battle, main, behind, services) if not main.limited and ships else (),
        note=f"{exactness(main.error)} · {game(battle)}",
        line=write_dice(_with_answer(battle, main, given)),
        picture=await _picture(battle, main, given, behind, beside, services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Table"), "table")),
        private=request.private,
    )


async def _picture(
    battle: Battle, found: Need, given: frozenset[str], behind: int, beside: tuple[str, ...], services: Services
) -> Picture | None:
    """Return the curve; None if it ends only because more armies are too much work."""
    if found.limited:
        return None
    told, ours = _with_garrison(found, behind), behind if found.side == "attackers" else 0
    here = getattr(battle, found.side) + ours if found.side in given else None
    parts = (told.side, told.counts, told.chances, told.goal, told.answer, here, ours)
    png = await services.engine.draw(NEED, (battle, told, here), _title(battle, found.side, behind), *parts)
    name = picture_name(f"need {100 * found.goal:.10g} {found.side} {write_dice(_with_answer(battle, found, given))}")
    head = without_marks(_headline(battle, told, behind))
    alternative = _("{answer}. The curve shows the chance for each number.", answer=head)
    return Picture(png, name, alternative, beside, table=False)


def _with_garrison(found: Need, behind: int) -> Need:
    """Count the attackers who stay behind among those who are needed."""
    if found.side == "defenders" or not behind:
        return found
    counts, answer = tuple(count + behind for count in found.counts), found.answer
    return replace(found, counts=counts, answer=None if answer is None else answer + behind)


def _lines(battle: Battle, found: Need, behind: int) -> list[str]:
    """Answer for one side: the headline, and below it the numbers for other chances."""
    counted = _with_garrison(found, behind)
    return [_headline(battle, counted, behind), *([_marks(counted)] if found.answer else [])]


def _headline(battle: Battle, found: Need, behind: int) -> str:
    """Answer the question: "**You need 13 attackers to beat 9** (83.9% to win, target 80%)"."""
    other, goal = _other(battle, found.side, behind), in_percent(short_number(100 * found.goal))
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
    """Say how the most armies that were worked out do: "1000 attackers beat 2000 0.4% of the time"."""
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
        least, chance = found.least(mark), in_percent(short_number(100 * mark))
        more = _("{chance}: over {count}", chance=chance, count=found.counts[-1])
        told.append(more if least is None else f"{chance}: {least}")
    return " · ".join(told)


def _chance(found: Need, count: int) -> str:
    return unsure_percent(found.chances[found.counts.index(count)])


def _other(battle: Battle, side: ArmySide, behind: int) -> str:
    """Say who stands on the other side, its attackers counted with those who stay behind."""
    if side == "attackers":
        return f"{battle.defenders}{fleet(battle.defence_ships)}"
    return f"{battle.attackers + behind}{fleet(battle.attack_ships)}"


def _title(battle: Battle, side: ArmySide, behind: int) -> str:
    if side == "attackers":
        ships = fleet(battle.defence_ships, short=True)
        return _n("Beat {n} defender{ships}", "Beat {n} defenders{ships}", battle.defenders, ships=ships)
    ships, attackers = fleet(battle.attack_ships, short=True), battle.attackers + behind
    return _n("Hold against {n} attacker{ships}", "Hold against {n} attackers{ships}", attackers, ships=ships)


def _with_answer(battle: Battle, found: Need, given: frozenset[str]) -> Battle:
    """Return the battle with the answer in place of the number that the line lacks."""
    if found.side in given:
        return battle
    return with_armies(battle, found.side, found.answer or found.counts[-1])


async def _ships(battle: Battle, main: Need, behind: int, services: Services) -> tuple[str, ...]:
    """Return a row for one more ship of each kind: the chance, and how many armies it then takes; the best first."""
    side = "attack_ships" if main.side == "attackers" else "defence_ships"
    fleet_now: Ships = getattr(battle, side)
    count = main.answer or main.counts[-1]
    rows: list[tuple[float, tuple[str, str, str]]] = []
    for kind, name in SHIPS.items():
        with_one = _with_ships(battle, side, replace(fleet_now, **{kind: getattr(fleet_now, kind) + 1}))
        if with_one == battle:
            continue  # More of this kind than dice are idle.
        found = await find_need(services.engine, with_one, main.side, main.goal, count)
        if count in found.counts:
            chance = found.chances[found.counts.index(count)]
            needed = _with_garrison(found, behind).answer if found.answer else _("out of reach")
            rows.append((chance, (_(name), unsure_percent(chance), str(needed))))
    if not rows:
        return ()
    cells = [
        ("", _("with {count}", count=count + behind * (main.side == "attackers")), _("you need")),
        *(row for _chance, row in sorted(rows, reverse=True)),
    ]
    return narrow(cells, "<>>")


def _with_ships(battle: Battle, side: str, ships: Ships) -> Battle:
    return replace(battle, attack_ships=ships) if side == "attack_ships" else replace(battle, defence_ships=ships)
