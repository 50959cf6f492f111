"""Conquests in words: who attacks what, how likely it falls, and the plan step by step."""

from collections.abc import Mapping, Sequence
from math import ceil

from bot.games.conquest.notation.fronts import NAMELESS
from bot.games.conquest.notation.writing import (
    map_of,
    numbers_of_fronts,
    plain_number,
    starts_in_order,
    targets_in_order,
    write_options,
)
from bot.games.path.battle import takes_all_text
from bot.languages import N_, _, _n, in_percent, number
from bot.maps.map import Map, Territory
from bot.replies import TextFile, without_marks
from bot.words.narrow import narrow
from bot.words.numbers import NEARLY_HALF, exact_percent, outer_percents, percent, unsure_percent, victory
from solver.conquest.conquest import Conquest
from solver.conquest.odds import ConquestOdds
from solver.conquest.turn import MapFight

LONGEST_TITLE = 48
UNLIKELY = 0.005
"""The smallest chance of a failed fight for which the plan says how to go on."""
ALL_BUT_CERTAIN = 0.9995
"""A higher bound says nothing that "at most 100%" does not say."""
CHEAP = 1e-4
"""The smallest loss by a simple step that the plan names, as a share of the worth."""
MOST_STEPS, MOST_ROWS = 12, 12
"""The most steps, and rows of the table, that a message has room for; a file has the others."""
FEW_STEPS = 6
"""The steps that are shown even with fewer targets; of a turn that goes to and fro, more are hard to follow."""


def continent_name(conquest: Conquest, board: Map) -> str:
    """Return the name of the continent that is to be taken, apart from what is the player's own; "" if it is none."""
    targets, own = {target.name for target in conquest.targets}, {name for name, _armies in conquest.starts}
    for continent in board.continents.values():
        if targets == {key for key in continent.territories if key not in own}:
            return continent.name
    return ""


def starts_text(conquest: Conquest, board: Map) -> str:
    """Name the starts with their armies: "12 Siam, 8 China"."""
    return ", ".join(f"{armies} {board.territories[key].name}" for key, armies in starts_in_order(conquest, board))


def targets_text(conquest: Conquest, board: Map, short: bool) -> str:
    """Name the targets with their garrisons: "Australia: 3 2 1 1", "3 Indonesia, 2 New Guinea"."""
    garrisons = {target.name: target.garrison for target in conquest.targets}
    territories = targets_in_order(conquest, board)
    if name := continent_name(conquest, board):
        return f"{name}: {' '.join(str(garrisons[place.key]) for place in territories)}"
    return ", ".join(f"{garrisons[place.key]} {place.short if short else place.name}" for place in territories)


def describe(conquest: Conquest) -> str:
    """Say who attacks what: "20 Siam > Australia: 3 2 1 1"."""
    board = map_of(conquest)
    options = write_options(conquest, [territory.key for territory in targets_in_order(conquest, board)])
    text = " ".join([_armies_text(conquest, board), *options])
    return text if len(text) <= 3 * LONGEST_TITLE else _short_text(conquest, board)


def _armies_text(conquest: Conquest, board: Map, short: bool = False) -> str:
    """Write all armies with the names of their territories; without, where they have none."""
    if board.key == NAMELESS:
        return numbers_of_fronts(conquest, board)
    return f"{starts_text(conquest, board)} > {targets_text(conquest, board, short)}"


def titles(conquest: Conquest) -> tuple[str, ...]:
    """Return titles of a picture, the longest first."""
    board = map_of(conquest)
    text, shorter = _armies_text(conquest, board, short=True), _short_text(conquest, board)
    if board.key == NAMELESS or len(text) <= len(shorter):
        return (text,)
    return (text, shorter) if len(text) <= LONGEST_TITLE else (shorter,)


def _short_text(conquest: Conquest, board: Map) -> str:
    """Name the starts and the size of the attack: "20 Siam > 12 territories, 31 armies"."""
    armies = sum(target.garrison for target in conquest.targets)
    names = {"starts": starts_text(conquest, board), "continent": continent_name(conquest, board)}
    if len(conquest.starts) > 2:
        names["starts"] = _n("{n} army", "{n} armies", sum(count for _name, count in conquest.starts))
    if names["continent"]:
        return _n("{starts} > {continent}, {n} army", "{starts} > {continent}, {n} armies", armies, **names)
    names["targets"] = _n("{n} territory", "{n} territories", len(conquest.targets))
    return _n("{starts} > {targets}, {n} army", "{starts} > {targets}, {n} armies", armies, **names)


def brief(odds: ConquestOdds) -> str:
    """Say how likely the aim is reached, in the few words of a suggestion."""
    if odds.conquest.aim == "all":
        return _("{chance} to take all", chance=_between(odds))
    return average_text(odds.conquest, _between(odds))


def verdict(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say how likely the aim is reached: "Takes Australia: 68.4%"."""
    return (
        takes_text(conquest, _between(odds)) if conquest.aim == "all" else average_text(odds.conquest, _between(odds))
    )


def _between(odds: ConquestOdds) -> str:
    """Write the worth, or the two bounds where it is not exact."""
    if odds.exact:
        return victory(odds) if odds.conquest.aim == "all" else number(odds.worth, 2)
    if odds.conquest.aim == "all":
        low, high = outer_percents(odds.worth, odds.bound)
    else:
        low, high = number(max(odds.worth - NEARLY_HALF / 100, 0), 2), number(odds.bound + NEARLY_HALF / 100, 2)
    if low == high:
        return low
    if low.startswith("<"):
        low = exact_percent(0)
    if odds.conquest.aim == "all" and odds.bound >= ALL_BUT_CERTAIN:
        high = exact_percent(1)
    return _("at least {low}, at most {high}", low=low, high=high)


def takes_text(conquest: Conquest, chance: str) -> str:
    """Say with which chance all targets are taken: "Takes Australia: 68.4%"."""
    name = continent_name(conquest, map_of(conquest))
    if name:
        return _("Takes {territory}: {chance}", territory=name, chance=chance)
    return takes_all_text(len(conquest.targets), chance)


def average_text(conquest: Conquest, mean: str) -> str:
    """Say what is taken on average."""
    targets = len(conquest.targets)
    if conquest.aim == "most":
        return _n(
            "Takes {mean} of {n} territory on average",
            "Takes {mean} of {n} territories on average",
            targets,
            mean=mean,
        )
    whole = plain_number(sum(target.worth for target in conquest.targets))
    return _("Takes a value of {mean} of {whole} on average", mean=mean, whole=whole)


def summary(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say what falls beside the aim: how many territories on average, or how likely all of them."""
    if len(conquest.targets) == 1:
        return ""
    if conquest.aim == "all":
        return _(
            "{mean} of {territories} taken on average", mean=number(odds.expected, 2), territories=len(conquest.targets)
        )
    return _("{chance} to take all", chance=exact_percent(odds.takes_all) if odds.takes_all < 1 else unsure_percent(1))


def hopeless_text(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say that all targets can't be taken, and what the turn reaches if it takes as many as possible."""
    why, steps = _("You can't take them all this turn, however the dice fall."), plan_steps(conquest, odds)
    if not steps:
        return why
    return f"{why} {_('With `most`: {verdict}', verdict=verdict(conquest, odds))} · {steps[0]}"


def certainty(odds: ConquestOdds) -> str:
    """Say how sure the answer is, and what the steps give up of it."""
    if not odds.exact and odds.conquest.rules.late:
        return _("not exact, as the defender chooses the dice: these steps reach the lower number")
    if not odds.exact:
        return _("too large to be exact: these steps reach the lower number")
    cost = max((fight.gives_up for fight in odds.fights), default=0.0)
    if cost <= CHEAP * odds.worth:
        return _("exact, best play")
    # It is rounded up, as it is the most.
    whole = (
        in_percent(number(ceil(10_000 * cost) / 100, 2))
        if odds.conquest.aim == "all"
        else number(ceil(1_000 * cost) / 1_000, 3)
    )
    return _("exact, best play; these simple steps cost at most {cost} each", cost=whole)


def plan_steps(conquest: Conquest, odds: ConquestOdds, all_moves: bool = False) -> list[str]:
    """Return the fights of a typical turn step by step; with all moves, also with those that only count at its end."""
    names = map_of(conquest).territories
    starts = dict(conquest.starts)
    steps = []
    for place, fight in enumerate(odds.fights, start=1):
        text = N_("{place}. {origin} → {target} with about {armies}")
        if fight.armies == starts.get(fight.origin):
            text = N_("{place}. {origin} → {target} with all {armies}")
        origin, target = names[fight.origin].name, names[fight.to].name
        line = _(text, place=place, origin=origin, target=target, armies=fight.armies)
        parts = (
            line,
            _until(fight, target),
            _after(conquest, fight, odds.fights[place:], origin, all_moves),
            _if_it_fails(fight, names),
        )
        steps.append(" · ".join(filter(None, parts)))
    return steps


def first_steps(conquest: Conquest, steps: list[str]) -> list[str]:
    """Return the steps that a message shows, and how many more there are."""
    most = min(MOST_STEPS, max(FEW_STEPS, len(conquest.targets)))
    if len(steps) <= most:
        return steps
    return [*steps[: most - 1], _n("… and {n} more step", "… and {n} more steps", len(steps) - most + 1)]


def shown_rows(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return a table that a message has room for; none if it is too long."""
    return rows if len(rows) <= MOST_ROWS + 1 else ()


def plan_file(head: str, shown: Sequence[str], steps: Sequence[str], rows: tuple[str, ...]) -> TextFile | None:
    """Return a file with all steps and rows; None if a message shows them."""
    if shown == steps and shown_rows(rows):
        return None
    return TextFile("plan.txt", "\n".join([without_marks(head), *steps, "", *rows]) + "\n")


def _until(fight: MapFight, target: str) -> str:
    """Say when a fight is broken off: "until India has at most 2"; "" if it is fought to its end."""
    values = {"armies": fight.rule.armies, "target": target, "garrison": fight.rule.garrison - 1}
    if fight.rule.armies > 1 and fight.rule.garrison > 1:
        return _("until fewer than {armies} are left or {target} has at most {garrison}", **values)
    if fight.rule.armies > 1:
        return _("until fewer than {armies} are left", **values)
    return _("until {target} has at most {garrison}", **values) if fight.rule.garrison > 1 else ""


def _after(conquest: Conquest, fight: MapFight, later: Sequence[MapFight], origin: str, all_moves: bool) -> str:
    """Say what to do after a capture: "move all in, leave 1"; "" if that does not matter."""
    origins = {other.origin for other in later}
    stays = fight.left - fight.moving
    values = {"left": fight.left, "moving": fight.moving, "origin": origin}
    if fight.garrison_left or not (all_moves or origins & {fight.origin, fight.to}):
        return ""
    if fight.origin in origins and fight.to not in origins:
        return _("with {left} left, move in {moving} and go on from {origin}", **values)
    if stays:
        return _("with {left} left, move in {moving}, keep {stays} in {origin}", **values, stays=stays)
    if not origins & {fight.origin, fight.to}:
        return _("move all in")
    leave = next(target.leave for target in conquest.targets if target.name == fight.to)
    return _n("move all in, leave {n}", "move all in, leave {n}", leave)


def _if_it_fails(fight: MapFight, names: Mapping[str, Territory]) -> str:
    """Say where to go on if a fight fails that succeeds in a typical turn: "if that fails, from China"."""
    if fight.garrison_left or not fight.otherwise or 1 - fight.takes < UNLIKELY:
        return ""
    origin, target = (names[name].name for name in fight.otherwise)
    if fight.otherwise[1] == fight.to:
        return _("if that fails, go on from {origin}", origin=origin)
    return _("if that fails, {origin} → {target}", origin=origin, target=target)


def unreachable_texts(conquest: Conquest) -> list[str]:
    """Say which targets no border leads to."""
    area, targets = map_of(conquest), [target.name for target in conquest.targets]
    reached = area.reach([name for name, _armies in conquest.starts], targets)
    names = ", ".join(area.territories[key].name for key in targets if key not in reached)
    return [_("Your armies can't get to {territories} over these territories", territories=names)] if names else []


def fall_rows(conquest: Conquest, odds: ConquestOdds) -> tuple[str, ...]:
    """Return a row for each target: its garrison and the chance that it falls."""
    garrisons = {target.name: target.garrison for target in conquest.targets}
    territories = targets_in_order(conquest, map_of(conquest))
    rows = ([place.name, str(garrisons[place.key]), fall_text(odds, place.key)] for place in territories)
    return narrow([["", _("armies"), _("falls")], *rows], "<>>")


def fall_text(odds: ConquestOdds, name: str) -> str:
    """Write the chance that a target falls."""
    chance = odds.fall[name]
    return percent(chance, odds, max(1 - chance, odds.fate_chances[1]) if chance < 1 else odds.fate_chances[1])
