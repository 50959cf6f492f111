"""The canonical line of a path, and its parts."""

from dataclasses import replace

from bot.games.dice.notation.writing import option_words, usual_rules
from bot.notation.dice_options import commas
from solver.path.path import Path


def leg_options(path: Path) -> list[list[str]]:
    """Return the options of each territory that are not those of the whole path."""
    shared, legs = _split_options(path)
    return [[word for word in words if word not in shared] for words in legs]


def shared_options(path: Path) -> list[str]:
    """Return the options of the whole path that are no plans: the rules of all territories, and the army's ships."""
    return [*_split_options(path)[0], *_army(path)]


def write_path(path: Path) -> str:
    """Write the canonical line of a path.

    Rules that all legs share stand before the first leg, other rules in their leg, and plans at the end.
    """
    first = path.legs[0]
    line = " ".join([str(first.attackers), *shared_options(path)])
    for leg, words in zip(path.legs, leg_options(path), strict=True):
        own = (f"a{word}" if word.startswith("icons") else word for word in words)
        line += " > " + " ".join([str(leg.defenders), *own])
    same = len(set(path.leave)) <= 1
    line += f" leave:{path.leave[0] if same else commas(path.leave)}" if path.leave else ""
    return line + (f" stop:{first.stop}" if first.stop else "")


def _split_options(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the options that all legs share, and all options of each leg, both without plans and the army's ships."""
    ships = path.legs[0].attack_ships.to_dict()
    words = [
        [word for word in option_words(replace(leg, stop=0)) if word.partition(":")[0] not in ships]
        for leg in path.legs
    ]
    return [word for word in words[0] if all(word in of_leg for of_leg in words)], words


def _army(path: Path) -> list[str]:
    """Return the options for the army's ships, which go all the way: as many as are of use in some leg."""
    fleets = [(leg.attack_ships.to_dict(), usual_rules(leg.variant).attack_ships.to_dict()) for leg in path.legs]
    kinds = [kind for kind in fleets[0][0] if any(ours[kind] != base[kind] for ours, base in fleets)]
    return [f"{kind}:{max(ours[kind] for ours, _base in fleets)}" for kind in kinds]
