"""The contents of the picture of a conquest: the part of its map, the plan, and how likely each territory falls."""

from typing import NamedTuple

from bot.games.conquest.notation.writing import map_of, plain_number, write_conquest
from bot.games.conquest.words import UNLIKELY, fall_text, titles
from bot.games.conquest.work import CHART
from bot.languages import _, in_percent, number
from bot.replies import Picture, picture_name
from bot.request import Services
from bot.words.numbers import shorter_percent, victory
from solver.conquest.conquest import Conquest
from solver.conquest.odds import ConquestOdds


class Node(NamedTuple):
    """A territory in the picture; `place` is from the left and from the top, in percent of the whole map.

    `name` has up to 12 letters. `armies` are the free armies of a start or the garrison of a target. `fall` is the
    chance that it falls, None for a start, and `chance` the same in words.
    """

    name: str
    place: tuple[float, float]
    armies: int
    fall: float | None
    chance: str


class Border(NamedTuple):
    """Two neighbours, by their numbers; `around` says whether their border goes around the edge of the map."""

    one: int
    other: int
    around: bool


class Arrow(NamedTuple):
    """An attack of the plan, with the numbers of two nodes, and the armies that go."""

    origin: int
    target: int
    armies: str


async def plan_picture(
    conquest: Conquest, odds: ConquestOdds, services: Services, said: str, result: tuple[str, str]
) -> Picture:
    """Return the picture of a typical turn; `result` is its large number and what that is, `said` both in words."""
    board = map_of(conquest)
    armies = dict(conquest.starts) | {target.name: target.garrison for target in conquest.targets}
    areas = [area for key, area in board.territories.items() if key in armies]
    index = {area.key: number for number, area in enumerate(areas)}
    nodes = [
        Node(area.short, area.place, armies[area.key], odds.fall.get(area.key), chance_in_picture(area.key, odds))
        for area in areas
    ]
    borders = [Border(index[a], index[b], around) for a, b, around in board.borders if a in index and b in index]
    arrows = [Arrow(index[a], index[b], count) for (a, b), count in _attacks(conquest, odds).items()]
    footer = _("on arrows: how many go in a typical turn")
    if any(arrow.armies.startswith("(") for arrow in arrows):
        footer = _("on arrows: how many go in a typical turn (in brackets: if that fails)")
    parts = titles(conquest)[-1], *result, nodes, borders, arrows, footer
    png = await services.engine.draw(CHART, conquest, *parts)
    words = _("The map shows the plan as arrows, and how likely each territory falls.")
    return Picture(png, picture_name(write_conquest(conquest)), f"{said}. {words}")


def chance_in_picture(name: str, odds: ConquestOdds) -> str:
    """Write the chance that a territory falls; "" for a start."""
    return in_percent(shorter_percent(odds.fall[name], fall_text(odds, name))) if name in odds.fall else ""


def result_in_picture(odds: ConquestOdds) -> tuple[str, str]:
    """Return the large number of the picture, and what it is."""
    conquest = odds.conquest
    if conquest.aim == "all":
        chance = victory(odds)
        reached = chance if odds.exact or chance.startswith(">") else f"≥{chance}"
        return reached, _("takes all") if len(conquest.targets) > 1 else _("takes it")
    mean = f"{'' if odds.exact else '≥'}{number(odds.worth, 2)}"
    if conquest.aim == "most":
        return mean, _("territories on average, of {total}", total=len(conquest.targets))
    whole = plain_number(sum(target.worth for target in conquest.targets))
    return mean, _("value on average, of {total}", total=whole)


def _attacks(conquest: Conquest, odds: ConquestOdds) -> dict[tuple[str, str], str]:
    """Return the attacks of a typical turn, each with the armies that go first, and those if one fails, in brackets."""
    attacks: dict[tuple[str, str], str] = {}
    for fight in odds.fights:
        attacks.setdefault((fight.origin, fight.to), str(fight.armies))
    starts = dict(conquest.starts)
    for fight in odds.fights:
        if fight.otherwise and fight.otherwise[0] in starts and 1 - fight.takes >= UNLIKELY:
            attacks.setdefault(fight.otherwise, f"({starts[fight.otherwise[0]]})")
    return attacks
