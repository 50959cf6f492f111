"""Lines of paths: "20 > 5 > 4 > 2", to the path that they mean, and back."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from bot.errors import sentence_of
from bot.games.base import Claim, Reading
from bot.games.dice.notation.building import doubts
from bot.games.dice.notation.reading import Built, battle_of, has_steps, read_numbers
from bot.games.dice.notation.writing import CHANGES, option_words, usual_rules
from bot.languages import _
from bot.notation.dice_options import commas
from bot.notation.lexer import Fields, ParsedOption
from bot.notation.mistakes import MatchupError
from solver import BattleError
from solver.dice.ships import SHIPS
from solver.path.path import Path

PATH_CHANGES = replace(CHANGES, offers=("leave:2", "stop:4", "bombers:1"), starts_anew=None)


def claims(text: str, saved: Mapping[str, str]) -> Claim:
    """Claim lines with `>`, and those with a preset that is a path."""
    return Claim.MAYBE if has_steps(text, saved) else Claim.NO


def read(text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    """Read a line as a path."""
    return read_numbers(_path_and_remarks, text, saved, takes, lone)


def path_remarks(path: Path) -> list[str]:
    """Say what is not sure about the rules of a path's territories."""
    return doubts(path.legs)


def _path_and_remarks(line: str, legs: list[Fields], lone: str) -> Built:
    """Build a path, and the one that the line means if ships behind a territory's number are the attacker's."""
    if lone == "defenders":
        legs[0].setdefault("attackers", ParsedOption(1, 0, len(line)))
    path, doubtful = _path(line, legs), list(_doubtful_ships(line, legs))
    words = [line[leg[key].start : leg[key].end] for leg, key in doubtful]
    remarks = [_("There `{word}` is for the defender; use `a{word}` for the attacker.", word=word) for word in words]
    return Built(path, tuple(remarks), other=_path_with_ships(line, legs, doubtful))


def _doubtful_ships(line: str, legs: list[Fields]) -> Iterator[tuple[Fields, str]]:
    """Yield the ships behind a territory's number: they are its defender's, though the attacker's may be meant."""
    for fields in legs[1:]:
        for key, field in fields.items():
            ship = key.startswith("defence.") and key.removeprefix("defence.") in SHIPS
            if ship and not field.saved and line[field.start] != "d":
                yield fields, key


def _path_with_ships(line: str, legs: list[Fields], doubtful: list[tuple[Fields, str]]) -> Path | None:
    """Return the path on which the doubtful ships go with the army; None if none can, or they are of several armies."""
    moved = {key.replace("defence", "attack"): leg[key] for leg, key in doubtful}
    if not doubtful or len(moved) < len(doubtful) or moved.keys() & legs[0].keys():
        return None
    left = [
        {key: field for key, field in leg.items() if not any(leg is of and key == ship for of, ship in doubtful)}
        for leg in legs[1:]
    ]
    try:
        return _path(line, [legs[0] | moved, *left])
    except MatchupError:
        return None


def _path(line: str, legs: list[Fields]) -> Path:
    """Return the path that a line describes."""
    for fields in legs:
        for key in fields.keys() & {"reserve", "rounds", "value", "reshape", "advice"}:
            if key != "rounds" or fields[key].value is not None:
                raise MatchupError(line, *fields[key][1:3], _("A path can't have `{word}`.", word=key))
    if "defenders" in legs[0]:
        reason = _("Put `>` between the numbers of a path: `20 > 5 > 4`.")
        raise MatchupError(line, *legs[0]["defenders"][1:3], reason)
    battles = []
    for fields in legs[1:]:
        if "defenders" not in fields:
            reason = _("Each territory needs defenders: `20 > 5 > 4`.")
            raise MatchupError(line, len(line), len(line) + 1, reason)
        try:
            battles.append(battle_of(line, legs[0] | fields))
        except MatchupError as error:
            error.better = error.better or _with_icons_first(line, fields, error)
            raise
    option = legs[0].get("leave", ParsedOption((1,), 0, len(line)))
    leave = option.value
    if len(leave) == 1:
        leave = leave * (len(battles) - 1)
    elif len(leave) == len(battles):
        leave = leave[:-1]  # A number for the last territory is forgiven.
    if len(leave) != len(battles) - 1:
        reason = _(
            "`leave:` needs one number for all territories, or one for each of the {territories}.",
            territories=len(battles),
        )
        raise MatchupError(line, option.start, option.end, reason)
    try:
        return Path.of(battles, leave)
    except BattleError as error:
        start, end = (option.start, option.end) if error.field == "leave" else (0, len(line))
        raise MatchupError(line, start, end, sentence_of(error)) from None


def _with_icons_first(line: str, fields: Fields, error: MatchupError) -> str:
    """Return a line with the icon dice behind a territory's number beside the attacker's, who lacks some; "" else."""
    icons = fields.get("defence.icons")
    if icons is None or icons.start != error.start or line[icons.start] == "d":
        return ""
    first, sign, others = f"{line[: icons.start].rstrip()}{line[icons.end :]}".partition(">")
    return f"{first.rstrip()} {line[icons.start : icons.end]} {sign} {others.strip()}"


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


def write_territories(path: Path) -> str:
    """Write the line of a need, whose numbers are all defenders: "5 > 4 > 2 leave:1"."""
    army, first, *others = write_path(path).split(" > ")
    head = " ".join([first, *army.split()[1:]])
    return " > ".join([head, *others])


def write_part(reading: Reading, lone: str) -> str:
    """Write the canonical line of a reading, in a need without attackers."""
    return write_territories(reading.battle) if lone == "defenders" else write_path(reading.battle)


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
