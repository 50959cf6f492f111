"""The canonical line of a conquest, and the map that it is on."""

from dataclasses import replace
from functools import lru_cache

from bot.errors import UserError
from bot.games.conquest.notation.garrisons import write_garrisons
from bot.games.dice.notation.writing import option_words
from bot.languages import _
from bot.maps.map import Map, Territory, name_of_key
from bot.maps.reading import USUAL_MAP, usual_maps
from solver.conquest.conquest import Conquest


@lru_cache(maxsize=64)
def map_of(conquest: Conquest) -> Map:
    """Return the first map on which a conquest asks the same; UserError if there is none. One answer asks often."""
    names = {name for name, _armies in conquest.starts} | {target.name for target in conquest.targets}
    for found in usual_maps():
        if names <= found.territories.keys():
            borders = ((one, other) for one in names for other in found.neighbours[one])
            if replace(conquest, borders=tuple(borders)) == conquest:
                return found
    raise UserError(_("I don't have the map of this battle any more."))


def targets_in_order(conquest: Conquest, found: Map) -> list[Territory]:
    """Return the targets of a conquest in the order of the map."""
    names = {target.name for target in conquest.targets}
    return [territory for key, territory in found.territories.items() if key in names]


def write_conquest(conquest: Conquest, left_out: str = "") -> str:
    """Write the canonical line of a conquest; the start `left_out` goes without its number, as it is asked for."""
    found = map_of(conquest)
    garrisons = {target.name: target.garrison for target in conquest.targets}
    order = [territory.key for territory in targets_in_order(conquest, found)]
    starts = (
        name_of_key(name) if name == left_out else f"{armies} {name_of_key(name)}"
        for name, armies in starts_in_order(conquest, found)
    )
    words = [", ".join(starts), ">", write_garrisons((key, garrisons[key]) for key in order)]
    words += [f"map:{found.key}"] if found.key != USUAL_MAP else []
    return " ".join([*words, *write_options(conquest, order)])


def write_options(conquest: Conquest, order: list[str]) -> list[str]:
    """Write the rules of the dice, the aim, and the armies that stay behind; `order` has the keys of the targets."""
    return [*option_words(conquest.rules), *_plan_words(conquest, order)]


def starts_in_order(conquest: Conquest, found: Map) -> list[tuple[str, int]]:
    """Return the starts with their armies in the order of the map."""
    armies = dict(conquest.starts)
    return [(key, armies[key]) for key in found.territories if key in armies]


def _plan_words(conquest: Conquest, order: list[str]) -> list[str]:
    """Write the aim, and the armies that stay behind."""
    words = ["most"] if conquest.aim == "most" else []
    worths = {target.name: target.worth for target in conquest.targets}
    if conquest.aim == "value":
        told = [(key, worths[key]) for key in order if worths[key] != 1] or [(order[0], 1)]
        words.append(f"value:{write_garrisons(told)}")
    leave = {target.name: target.leave for target in conquest.targets}
    if len(set(leave.values())) == 1:
        first = leave[order[0]]
        return words if first == 1 else [*words, f"leave:{first}"]
    return [*words, f"leave:{write_garrisons((key, leave[key]) for key in order if leave[key] != 1)}"]
