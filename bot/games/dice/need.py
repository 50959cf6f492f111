"""/need and /table for battles with dice: how many armies it takes, which ship helps most, and the chances by size."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from bot.charts import NEED, NeedCurve
from bot.errors import UserError
from bot.games.base import Reading
from bot.games.dice.notation.building import stays_behind
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.tables import goes_by_rounds
from bot.games.dice.words import fleet, game, remarks_with
from bot.games.dice.work import Limits, draw_table, find_need
from bot.languages import N_, _, _n, _p, in_percent, short_number
from bot.packs import find
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import exactness, unsure_percent
from solver import Battle
from solver.dice.battle import MOST_ARMIES
from solver.dice.sizes import MARKS, ArmySide, Need, stop_for_ends, with_armies

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
    needs = [
        await find_need(services.engine, battle, side, goal, getattr(battle, side) * (side in given)) for side in asked
    ]
    main, behind = needs[0], stays_behind(reading, request.place_settings.line_defaults)
    counted = [_with_garrison(need, behind) for need in needs]
    heads = [_headline(battle, need, behind) for need in counted]
    marks = [marks_text(need.least, need.counts[-1]) if need.answer else "" for need in counted]
    head, *facts = filter(None, chain(*zip(heads, marks, strict=True)))
    pack = find(battle.variant)
    ships = reading.details.fleets or "starwars" in (battle.game, pack and pack.game)
    return Reply(
        head,
        facts=tuple(facts),
        remarks=tuple(remarks_with(reading, behind)),
        table=await _ships(battle, main, behind, services) if not main.limited and ships else (),
        note=f"{exactness(main.error)} · {game(battle)}",
        line=write_dice(_with_answer(battle, main, given)),
        picture=await _picture(battle, main, given, behind, tuple(heads[1:]), services),
        buttons=(Button(_("Odds"), "battle"), Button(_("Table"), "table")),
        private=request.private,
    )


async def answer_need_left(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Say how many attackers take it with so many of them left."""
    asked, given = reading.asked["end"], reading.details.given
    stopped = stop_for_ends(battle, asked.ranges) if "defenders" in given else None
    if stopped is None:
        refusal = _("`/need` takes only ends like `/need 9 left:5+`: how many beat 9 and have at least 5 left.")
        raise UserError(refusal, "need 9 left:5+")
    least, goal = int(asked.ranges[0].least), reading.chance or GOAL
    behind = stays_behind(reading, request.place_settings.line_defaults)
    need = await find_need(services.engine, stopped, "attackers", goal, battle.attackers * ("attackers" in given))
    counted = _with_garrison(need, behind)
    head = _head_with_left(battle, counted, goal, least)
    title = _("{title}, at least {left} left", title=_title(battle, "attackers", behind), left=least)
    succeeds = _("chance of at least {left} left", left=least)
    chances, answer = counted.chances, counted.answer
    curve = NeedCurve(title, "attackers", counted.counts, chances, goal, answer, None, behind, succeeds=succeeds)
    line = f"{write_dice(_with_answer(battle, need, given))} {asked}"
    png = await services.engine.draw(NEED, (stopped, counted), curve)
    described = _("{answer}. The curve shows the chance for each number.", answer=without_marks(head))
    return Reply(
        head,
        facts=(marks_text(counted.least, counted.counts[-1]),) if need.answer else (),
        remarks=tuple(remarks_with(reading, behind)),
        note=f"{exactness(need.error)} · {game(battle)}",
        line=line,
        picture=Picture(png, picture_name(f"need {100 * goal:.10g} {line}"), described, table=False),
        buttons=(Button(_("Odds"), "battle"), Button(_("Table"), "table")),
        private=request.private,
    )


def _head_with_left(battle: Battle, need: Need, goal: float, least: int) -> str:
    """Say how many attackers beat a defender with at least so many of them left."""
    count = need.counts[-1] if need.answer is None else need.answer
    values = {
        "defenders": f"{battle.defenders}{fleet(battle.defence_ships)}",
        "left": least,
        "chance": unsure_percent(need.chances[need.counts.index(count)]),
        "goal": in_percent(short_number(100 * goal)),
    }
    if need.answer is None:
        return _n(
            "**You need more than {n} attacker** to beat {defenders} with at least {left} left: {chance} with {n}",
            "**You need more than {n} attackers** to beat {defenders} with at least {left} left: {chance} with {n}",
            count,
            **values,
        )
    return _n(
        "**You need {n} attacker to beat {defenders} with at least {left} left** ({chance}, target {goal})",
        "**You need {n} attackers to beat {defenders} with at least {left} left** ({chance}, target {goal})",
        count,
        **values,
    )


async def _picture(
    battle: Battle, need: Need, given: frozenset[str], behind: int, beside: tuple[str, ...], services: Services
) -> Picture | None:
    """Return the curve; None if it ends only because more armies are too much work."""
    if need.limited:
        return None
    counted, ours = _with_garrison(need, behind), behind if need.side == "attackers" else 0
    here = getattr(battle, need.side) + ours if need.side in given else None
    title, side, goal = _title(battle, need.side, behind), counted.side, counted.goal
    curve = NeedCurve(title, side, counted.counts, counted.chances, goal, counted.answer, here, ours)
    png = await services.engine.draw(NEED, (battle, counted, here), curve)
    name = picture_name(f"need {100 * need.goal:.10g} {need.side} {write_dice(_with_answer(battle, need, given))}")
    head = without_marks(_headline(battle, counted, behind))
    alternative = _("{answer}. The curve shows the chance for each number.", answer=head)
    return Picture(png, name, alternative, beside, table=False)


def _with_garrison(need: Need, behind: int) -> Need:
    """Count the attackers who stay behind among those who are needed."""
    if need.side == "defenders" or not behind:
        return need
    counts, answer = tuple(count + behind for count in need.counts), need.answer
    return replace(need, counts=counts, answer=None if answer is None else answer + behind)


def _headline(battle: Battle, need: Need, behind: int) -> str:
    """Answer the question: "**You need 13 attackers to beat 9** (83.9% to win, target 80%)"."""
    count = need.counts[-1] if need.answer is None else need.answer
    values = {
        "attackers": f"{battle.attackers + behind}{fleet(battle.attack_ships)}",
        "defenders": f"{battle.defenders}{fleet(battle.defence_ships)}",
        "goal": in_percent(short_number(100 * need.goal)),
        "chance": unsure_percent(need.chances[need.counts.index(count)]),
        "ships": fleet(battle.attack_ships if need.side == "attackers" else battle.defence_ships),
    }
    if need.answer is None:
        return _too_few(need, count, values)
    if need.side == "attackers":
        return _n(
            "**You need {n} attacker{ships} to beat {defenders}** ({chance} to win, target {goal})",
            "**You need {n} attackers{ships} to beat {defenders}** ({chance} to win, target {goal})",
            count,
            **values,
        )
    return _n(
        "**You need {n} defender{ships} to hold against {attackers}** ({chance} to hold, target {goal})",
        "**You need {n} defenders{ships} to hold against {attackers}** ({chance} to hold, target {goal})",
        count,
        **values,
    )


def _too_few(need: Need, count: int, values: dict[str, str]) -> str:
    """Say that no number has the chance, or none that can be worked out, and how this number of armies does."""
    if need.side == "attackers":
        values["least"] = _n(
            "{n} attacker beats {defenders} {chance} of the time",
            "{n} attackers beat {defenders} {chance} of the time",
            count,
            **values,
        )
        limit = _n(
            "**You need more than {n} attacker**, the most I can work out: {least}",
            "**You need more than {n} attackers**, the most I can work out: {least}",
            count,
            **values,
        )
    else:
        values["least"] = _n(
            "{n} defender holds against {attackers} {chance} of the time",
            "{n} defenders hold against {attackers} {chance} of the time",
            count,
            **values,
        )
        limit = _n(
            "**You need more than {n} defender**, the most I can work out: {least}",
            "**You need more than {n} defenders**, the most I can work out: {least}",
            count,
            **values,
        )
    return limit if need.limited else _("**{goal} is out of reach**: even {least}", **values)


def marks_text(find_count: Callable[[float], int | None], last: int, behind: int = 0) -> str:
    """Say how many armies other chances take, of up to `last`; so many more stay `behind`."""
    texts: list[str] = []
    for mark in MARKS:
        count, chance = find_count(mark), in_percent(short_number(100 * mark))
        over = _("{chance}: over {count}", chance=chance, count=last + behind)
        texts.append(over if count is None else f"{chance}: {count + behind}")
    return " · ".join(texts)


def _title(battle: Battle, side: ArmySide, behind: int) -> str:
    if side == "attackers":
        ships = fleet(battle.defence_ships, short=True)
        return _n("Beat {n} defender{ships}", "Beat {n} defenders{ships}", battle.defenders, ships=ships)
    ships, attackers = fleet(battle.attack_ships, short=True), battle.attackers + behind
    return _n("Hold against {n} attacker{ships}", "Hold against {n} attackers{ships}", attackers, ships=ships)


def _with_answer(battle: Battle, need: Need, given: frozenset[str]) -> Battle:
    """Return the battle with the answer in place of the number that the line lacks."""
    if need.side in given:
        return battle
    return with_armies(battle, need.side, need.answer or need.counts[-1])


async def _ships(battle: Battle, main: Need, behind: int, services: Services) -> tuple[str, ...]:
    """Return a row for one more ship of each kind: the chance, and how many armies it then takes; the best first."""
    attacks = main.side == "attackers"
    fleet_now = battle.attack_ships if attacks else battle.defence_ships
    count = main.answer or main.counts[-1]
    rows: list[tuple[float, tuple[str, str, str]]] = []
    for kind, name in SHIPS.items():
        ships = replace(fleet_now, **{kind: getattr(fleet_now, kind) + 1})
        with_one = replace(battle, attack_ships=ships) if attacks else replace(battle, defence_ships=ships)
        if with_one == battle:
            continue  # More of this kind than dice are idle.
        need = await find_need(services.engine, with_one, main.side, main.goal, count)
        if count in need.counts:
            chance = need.chances[need.counts.index(count)]
            needed = _with_garrison(need, behind).answer if need.answer else _("out of reach")
            rows.append((chance, (_(name), unsure_percent(chance), str(needed))))
    if not rows:
        return ()
    cells = [
        ("", _("with {count}", count=count + behind * attacks), _("you need")),
        *(row for _chance, row in sorted(rows, reverse=True)),
    ]
    return narrow(cells, "<>>")


USUAL = 20
MOST_ROWS = 12
LONGEST_TITLE = 52


async def answer_table(battle: Battle, reading: Reading, request: Request, services: Services) -> Reply:
    """Show the table around a battle, or up to 20 against 20."""
    asked = reading.details.given == {"attackers", "defenders"} and battle.attackers > 0 and battle.defenders > 0
    behind = stays_behind(reading, request.place_settings.line_defaults)
    whole = _around(battle, behind, services) if asked else _up_to(battle, reading, behind)
    ring = (battle.attackers, battle.defenders) if asked else None
    size = {"attackers": whole.attackers + behind, "defenders": whole.defenders}
    title = _("Up to {attackers} against {defenders}, {game}", **size, game=game(battle))
    if len(title) > LONGEST_TITLE:
        title = _("Up to {attackers} against {defenders}", **size)
    png, chance, least = await draw_table(services.engine, whole, ring, title, MARKS, behind)
    head = _("**Attackers you need for a 50 / 80 / 95% chance**, up to {attackers} against {defenders}", **size)
    return Reply(
        f"{head} · {game(battle)}",
        remarks=tuple(remarks_with(reading, behind)),
        table=_rows(least, behind, battle.defenders if asked else 0),
        note=_("exact"),
        line=write_dice(battle if len(reading.details.given) == 2 else whole),
        picture=Picture(png, "table.png", _alternative(ring, chance, least, behind)),
        buttons=(
            Button(_("Odds"), "battle"),
            Button(_("How many?"), "need"),
            Button(_("Round by round"), "table rounds", enabled=goes_by_rounds(battle)),
            Button(_("When to stop?"), "table stop"),
        ),
        private=request.private,
    )


def _up_to(battle: Battle, reading: Reading, behind: int) -> Battle:
    """Return the battle with the usual sizes; a number in the line is the size of its side, unless it is 0."""
    attackers = battle.attackers - behind + reading.details.behind if "attackers" in reading.details.given else 0
    defenders = battle.defenders if "defenders" in reading.details.given else 0
    return replace(
        battle, attackers=attackers if attackers > 0 else max(USUAL - behind, 1), defenders=defenders or USUAL
    )


def _around(battle: Battle, behind: int, services: Services) -> Battle:
    """Return the battle with sizes that show a few armies more, if that is not too much work."""
    attackers = max(_wide(battle.attackers + behind) - behind, battle.attackers)
    wider = replace(battle, attackers=attackers, defenders=_wide(battle.defenders))
    return wider if Limits(services.engine.most_work).fits(wider, grid=True) else battle


def _alternative(
    ring: tuple[int, int] | None, chance: float | None, least: list[tuple[int | None, ...]], behind: int
) -> str:
    """Describe the picture with the numbers on it, for people who cannot see it."""
    texts: list[str] = [_("A map of the attacker's win chance for all army sizes.")]
    if ring and chance is not None:
        sizes = _("{attackers} against {defenders}", attackers=ring[0] + behind, defenders=ring[1])
        texts.append(f"{sizes}: {unsure_percent(chance)}.")
    defenders = ring[1] if ring else _most_defenders(least)
    needed = _n(
        "For a 50 / 80 / 95% chance against {n} defender you need {counts} attackers.",
        "For a 50 / 80 / 95% chance against {n} defenders you need {counts} attackers.",
        defenders,
        counts=" / ".join(_counts(least[defenders], behind)),
    )
    return " ".join([*texts, needed])


def _wide(count: int) -> int:
    return min(max(10, -(-3 * count // 10) * 5), MOST_ARMIES)


def _rows(least: list[tuple[int | None, ...]], behind: int, asked: int) -> tuple[str, ...]:
    """Return for some sizes of defence the least attackers that reach each mark, with those who stay behind.

    `asked` is a size with a row of its own; 0 if there is none.
    """
    most = _most_defenders(least)
    step = -(-most // MOST_ROWS)
    head = [_("defenders"), *(in_percent(f"{short_number(100 * mark):>3}") for mark in MARKS)]
    sizes = sorted({*range(step, most + 1, step), asked} - {0})
    rows = [[str(defenders), *_counts(least[defenders], behind)] for defenders in sizes]
    return narrow([head, *rows], ">" * len(head))


def _most_defenders(least: list[tuple[int | None, ...]]) -> int:
    """Return the most defenders that some attackers of the table beat with the least of the chances."""
    return max((count for count, (even, *_other) in enumerate(least) if count and even), default=len(least) - 1)


def _counts(least: tuple[int | None, ...], behind: int) -> list[str]:
    return [str(count + behind) if count else _p("than the table has", "more") for count in least]
