"""The canonical lines of conquests and of garrisons, such as "map:classic 3 indonesia", and changes of them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from bot.errors import UserError
from bot.games.base import PlanChanges
from bot.games.conquest.notation.fronts import NAMELESS, map_of_fronts
from bot.games.conquest.notation.pieces import FORTIFY, MOST
from bot.games.dice.notation.writing import option_words
from bot.languages import LANGUAGES, _
from bot.maps.map import WORDS, Map, Territory, common_form, name_of_key
from bot.maps.reading import USUAL_MAP, load_maps, usual_maps
from bot.notation.dice_options import CLASSIC
from solver.conquest.conquest import MOST_FREE, Conquest
from solver.conquest.holding import FAR, Holding

MAP_WORD = "map:"
"""The beginning of the line of a preset with garrisons."""
DECIMALS = 6
"""The most decimals of a territory's worth."""
_PAIR = re.compile(r"([0-9]{1,3}) ([a-z ]+)")


class Garrisons(NamedTuple):
    """The garrisons on a map, by the keys of their territories."""

    map: str
    garrisons: Mapping[str, int]


def write_board(board: Garrisons) -> str:
    """Write the line of a preset with garrisons, in the order of the map."""
    order = [key for key in load_maps()[board.map].territories if key in board.garrisons]
    return f"{MAP_WORD}{board.map} {write_garrisons((key, board.garrisons[key]) for key in order)}".strip()


def read_board(line: str) -> Garrisons | None:
    """Read the line of a preset with garrisons; None if something in it is not on the maps that there are."""
    key, _space, rest = line.removeprefix(MAP_WORD).partition(" ")
    if key not in load_maps():
        return None
    keys = load_maps()[key].territories
    garrisons: dict[str, int] = {}
    for pair in rest.split(", ") if rest else ():
        match = _PAIR.fullmatch(pair)
        name = match[2].replace(" ", "_") if match else ""
        if match is None or name not in keys or name in garrisons or int(match[1]) > MOST_FREE:
            return None
        garrisons[name] = int(match[1])
    return Garrisons(key, garrisons)


def is_board(line: str) -> bool:
    """Tell whether the line of a preset has garrisons."""
    return line.startswith(MAP_WORD)


def boards_of(saved: Mapping[str, str]) -> dict[str, Garrisons | None]:
    """Return the presets that hold garrisons, by their names; None is one that `read_board` cannot read."""
    return {name: read_board(line) for name, line in saved.items() if is_board(line)}


def leading_preset(line: str, boards: Iterable[str]) -> str:
    """Return the name of a preset with garrisons that a normal line begins with; "" if it begins with none."""
    word = line.split()[0].rstrip(",:") if line else ""
    return word if word in boards and may_name_a_board(word) else ""


def without_preset(line: str, preset: str) -> str:
    """Return a line with the preset that it begins with blank, so that all else keeps its place."""
    return re.sub(r"^\S+", lambda word: " " * len(word[0]), line) if preset else line


def after_name(line: str) -> str:
    """Return what stands after the first word of a normal line, which names a preset."""
    return line.partition(" ")[2]


def boards_on(line_map: Map, boards: Mapping[str, Garrisons | None]) -> list[str]:
    """Return the names of the presets with garrisons on a map; without one, of those that cannot be read."""
    here = [name for name, board in boards.items() if board and board.map == line_map.key]
    return here or [name for name, board in boards.items() if board is None]


def several_text(presets: Iterable[str]) -> str:
    """Say that several presets may be meant."""
    names = ", ".join(f"`{preset}`" for preset in presets)
    return _("Several presets have garrisons: {presets}. Begin the line with one of them.", presets=names)


def unreadable_text(preset: str) -> str:
    """Say that the garrisons of a preset no longer fit a map."""
    return _(
        "I can't read the garrisons of `{preset}`: they don't fit any map here. `/preset change` replaces them.",
        preset=preset,
    )


def may_name_a_board(name: str) -> bool:
    """Tell whether garrisons can be saved under a name: no territory's name begins with that word."""
    return name not in WORDS and common_form(name) not in _first_words()


@lru_cache
def _first_words() -> frozenset[str]:
    """Return the first words of the names on all maps, and the names themselves, in every language."""
    maps = load_maps().values()
    parts = [part for known in maps for part in (*known.territories.values(), *known.continents.values())]
    names = [name_of_key(name) for part in parts for code in LANGUAGES for name in part.all_names(code)]
    return frozenset(common_form(word) for name in names for word in (name, name.split()[0]))


def write_garrisons(garrisons: Iterable[tuple[str, float]]) -> str:
    """Write numbers with the names of their territories: "3 indonesia, 2 new guinea"."""
    return ", ".join(f"{plain_number(count)} {name_of_key(key)}" for key, count in garrisons)


def plain_number(value: float) -> str:
    """Write a number without needless digits."""
    return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")


@lru_cache(maxsize=64)
def map_of(conquest: Conquest) -> Map:
    """Return the first map on which a conquest asks the same; UserError if there is none. One answer asks often."""
    names = {name for name, _armies in conquest.starts} | {target.name for target in conquest.targets}
    for known in (map_of_fronts(len(conquest.starts), len(conquest.targets)), *usual_maps()):
        if names <= known.territories.keys():
            borders = ((name, other) for name in names for other in known.neighbours[name])
            if replace(conquest, borders=tuple(borders)) == conquest:
                return known
    raise UserError(_("I don't have the map of this battle any more."))


def targets_in_order(conquest: Conquest, board: Map) -> list[Territory]:
    """Return the targets of a conquest in the order of the map."""
    names = {target.name for target in conquest.targets}
    return [territory for key, territory in board.territories.items() if key in names]


def write_conquest(conquest: Conquest, left_out: str = "") -> str:
    """Write the canonical line of a conquest; the start `left_out` goes without its number, as it is asked for."""
    board = map_of(conquest)
    garrisons = {target.name: target.garrison for target in conquest.targets}
    order = [territory.key for territory in targets_in_order(conquest, board)]
    if board.key == NAMELESS:
        return " ".join([numbers_of_fronts(conquest, board, left_out), *write_options(conquest, order)])
    starts = (
        name_of_key(name) if name == left_out else f"{armies} {name_of_key(name)}"
        for name, armies in starts_in_order(conquest, board)
    )
    words = [", ".join(starts), ">", write_garrisons((key, garrisons[key]) for key in order)]
    words += [f"map:{board.key}"] if board.key != USUAL_MAP else []
    return " ".join([*words, *write_options(conquest, order)])


def write_holding(holding: Holding, left_out: str = "") -> str:
    """Write the canonical line of a turn with what is to be held after it; `left_out` is that of `write_conquest`."""
    return f"{write_conquest(holding.conquest, left_out)} {write_what_to_hold(holding)}"


def write_what_to_hold(holding: Holding) -> str:
    """Write what is to be held: "then fortify hold:3 indonesia counter:8 china"."""
    board = map_of(holding.conquest)
    words = [f"then fortify:{FAR}" if holding.fortify == FAR else "then fortify"] if holding.fortify else []
    least, counters = dict(holding.least), {counter.name: counter.armies for counter in holding.counters}
    if least and board.key == NAMELESS:  # where a number can only be that of all
        words.append(f"hold:{holding.least[0][1]}")
    elif least:
        words.append(f"hold:{write_garrisons((key, least[key]) for key in board.territories if key in least)}")
    if counters:
        armies = ((key, counters[key]) for key in board.territories if key in counters)
        words.append(f"counter:{write_garrisons(armies)}")
    return " ".join(words)


def numbers_of_fronts(conquest: Conquest, board: Map, left_out: str = "") -> str:
    """Write a conquest whose territories have no names: "12, 8 > 9 > 4"; `?` stands for the start `left_out`."""
    garrisons = {target.name: target.garrison for target in conquest.targets}
    row = [str(garrisons[territory.key]) for territory in targets_in_order(conquest, board)]
    starts = ["?" if key == left_out else str(armies) for key, armies in starts_in_order(conquest, board)]
    return " > ".join([", ".join(starts), *row])


def write_options(conquest: Conquest, order: list[str]) -> list[str]:
    """Write the rules of the dice, the aim, and the armies that stay behind; `order` has the keys of the targets."""
    return [*option_words(conquest.rules), *_plan_words(conquest, order)]


def starts_in_order(conquest: Conquest, board: Map) -> list[tuple[str, int]]:
    """Return the starts with their armies in the order of the map."""
    armies = dict(conquest.starts)
    return [(key, armies[key]) for key in board.territories if key in armies]


def _plan_words(conquest: Conquest, order: list[str]) -> list[str]:
    """Write the aim, and the armies that stay behind."""
    words = ["most"] if conquest.aim == "most" else []
    worths = {target.name: target.worth for target in conquest.targets}
    if conquest.aim == "value":
        unusual = [(key, worths[key]) for key in order if worths[key] != 1] or [(order[0], 1)]
        words.append(f"value:{write_garrisons(unusual)}")
    leave = {target.name: target.leave for target in conquest.targets}
    if len(set(leave.values())) == 1:
        first = leave[order[0]]
        return words if first == 1 else [*words, f"leave:{first}"]
    return [*words, f"leave:{write_garrisons((key, leave[key]) for key in order if leave[key] != 1)}"]


_BEFORE_OPTION = re.compile(rf" (?=then {FORTIFY}|{MOST}\b|[a-z]+:)")
"""The gaps before the options of a normal line."""


def rest_of_turn(line: str, change: str) -> str:
    """Return what a second plan keeps of the canonical line of the first: all but the options that it names."""
    named = {_option_word(option) for option in _BEFORE_OPTION.split(f" {change}")}
    turn, *options = _BEFORE_OPTION.split(line)
    return " ".join([turn, *(option for option in options if _option_word(option) not in named)])


def _option_word(option: str) -> str:
    """Return the word of an option; one for both aims."""
    word = option.partition(":")[0]
    return MOST if word == "value" else word


CHANGES = PlanChanges(
    rest=rest_of_turn,
    dropped={},
    variant=CLASSIC,
    offers=("leave:2", "most", "ties:attacker"),
    example="leave:2",
)
HOLDING_CHANGES = replace(CHANGES, offers=("hold:3", "then fortify", "leave:2"), example="hold:3")
