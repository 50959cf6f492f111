"""Conquests in words: who attacks what, how likely it falls, and the plan step by step."""

from collections.abc import Iterator, Sequence

from bot.games.conquest.notation.writing import map_of, plain_number, starts_in_order, targets_in_order, write_options
from bot.games.path.battle import takes_all_text
from bot.languages import N_, _, _n, number
from bot.maps.map import Map
from bot.words.narrow import narrow
from bot.words.numbers import exact_percent, percent, unsure_percent, victory
from solver.conquest.conquest import Conquest
from solver.conquest.odds import ConquestOdds
from solver.conquest.plan import PlanNode

LONGEST_TITLE = 48
MOST_STEPS, MOST_ROWS = 12, 12
"""The most steps, and rows of the table, that a message has room for; a file has the others."""


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


def targets_text(conquest: Conquest, board: Map, short: bool = False) -> str:
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
    text = " ".join([f"{starts_text(conquest, board)} > {targets_text(conquest, board)}", *options])
    return text if len(text) <= 3 * LONGEST_TITLE else _short_text(conquest, board)


def titles(conquest: Conquest) -> tuple[str, ...]:
    """Return titles of a picture, the longest first."""
    board = map_of(conquest)
    text = f"{starts_text(conquest, board)} > {targets_text(conquest, board, short=True)}"
    return (text, _short_text(conquest, board)) if len(text) <= LONGEST_TITLE else (_short_text(conquest, board),)


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
        return _("{chance} to take all", chance=victory(odds))
    return _average_text(odds)


def verdict(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say how likely the aim is reached: "Takes Australia: 68.4%"."""
    return takes_text(conquest, victory(odds)) if conquest.aim == "all" else _average_text(odds)


def takes_text(conquest: Conquest, chance: str) -> str:
    """Say with which chance all targets are taken: "Takes Australia: 68.4%"."""
    name = continent_name(conquest, map_of(conquest))
    if name:
        return _("Takes {territory}: {chance}", territory=name, chance=chance)
    return takes_all_text(len(conquest.targets), chance)


def _average_text(odds: ConquestOdds) -> str:
    """Say what is taken on average."""
    targets = len(odds.conquest.targets)
    if odds.conquest.aim == "most":
        return _n(
            "Takes {mean} of {n} territory on average",
            "Takes {mean} of {n} territories on average",
            targets,
            mean=number(odds.worth, 2),
        )
    whole = plain_number(sum(target.worth for target in odds.conquest.targets))
    return _("Takes a value of {mean} of {whole} on average", mean=number(odds.worth, 2), whole=whole)


def summary(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say what falls beside the aim: how many territories on average, or how likely all of them."""
    if len(conquest.targets) == 1:
        return ""
    if conquest.aim == "all":
        return _(
            "{mean} of {territories} taken on average", mean=number(odds.expected, 2), territories=len(conquest.targets)
        )
    return _("{chance} to take all", chance=exact_percent(odds.takes_all) if odds.takes_all < 1 else unsure_percent(1))


def certainty(odds: ConquestOdds) -> str:
    """Say how sure it is that no plan is better."""
    if odds.exact:
        return _("exact, best plan")
    if odds.conquest.aim == "all":
        return _("best plan found; no plan has more than {chance}", chance=unsure_percent(odds.bound))
    return _("best plan found; no plan has more than {mean}", mean=number(odds.bound, 2))


def plan_steps(conquest: Conquest, odds: ConquestOdds) -> list[str]:
    """Return the plan step by step, if battles end as is likeliest."""
    nodes = list(_in_order(odds.plan.tree()))
    names = map_of(conquest).territories
    leave = {target.name: target.leave for target in conquest.targets}
    starts = dict(conquest.starts)
    steps = []
    for place, node in enumerate(nodes, start=1):
        attack = node.attack
        text = N_("{place}. {origin} → {target} with about {armies}")
        if attack.origin in starts and attack.armies == starts[attack.origin]:
            text = N_("{place}. {origin} → {target} with all {armies}")
        origin, target = names[attack.origin].name, names[attack.to].name
        line = _(text, place=place, origin=origin, target=target, armies=attack.armies)
        steps.append(" · ".join(filter(None, [line, _after(node, leave[attack.to], origin)])))
    return steps


def _in_order(nodes: Sequence[PlanNode]) -> Iterator[PlanNode]:
    for node in nodes:
        yield node
        yield from _in_order(node.then)


def _after(node: PlanNode, leave: int, origin: str) -> str:
    """Say what to do after a capture: "move all in and leave 1"; "" if nothing follows."""
    if not node.then:
        return ""
    move = node.move
    stays = move.left - move.moving
    values = {"left": move.left, "moving": move.moving, "origin": origin}
    if not move.onward:
        return _("with {left} left, move in {moving} and go on from {origin}", **values)
    if stays:
        return _("with {left} left, move in {moving}, keep {stays} in {origin}", **values, stays=stays)
    return _n("move all in, leave {n}", "move all in, leave {n}", leave)


def stop_rule(conquest: Conquest, odds: ConquestOdds) -> str:
    """Say when the plan stops attacking; "" if it never does before nobody is left."""
    if conquest.aim == "all":
        return ""
    rules = []
    names = map_of(conquest).territories
    for origin, targets in odds.plan.shares.items():
        armies = dict(conquest.starts)[origin]
        limit = next((count for count in range(1, armies + 1) if odds.attack(origin, targets, count)), 1)
        if limit > 1:
            rules.append(_("stop in {origin} with fewer than {armies}", origin=names[origin].name, armies=limit))
    return " · ".join(rules)


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
