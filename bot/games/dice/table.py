"""/table for battles with dice: the chance to win of every size of attack against every size of defence."""

from dataclasses import replace

from bot.games.base import Reading
from bot.games.dice.notation.building import stays_behind
from bot.games.dice.notation.writing import write_dice
from bot.games.dice.words import game, remarks_with
from bot.games.dice.work import Limits, draw_table
from bot.languages import _, _n, _p, in_percent, short_number
from bot.replies import Button, Picture, Reply
from bot.request import Request, Services
from bot.words.narrow import narrow
from bot.words.numbers import unsure_percent
from solver import Battle
from solver.dice.battle import MOST_ARMIES
from solver.dice.sizes import MARKS

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
        buttons=(Button(_("Odds"), "battle"), Button(_("How many?"), "need")),
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
