"""Paths: the answer to "how far does this army come"."""

from functools import reduce
from zlib import crc32

import numpy as np

from bot.commands.request import Request, Services
from bot.errors import UserError
from bot.languages import N_, _, _n, _p, number
from bot.matchup import AnyBattle, Reading, write
from bot.matchup.writing import leg_words
from bot.narrow import with_texts
from bot.replies import Button, Picture, Reply, TextFile, with_remarks
from bot.wording import CALLED_OFF, fated, fleet, fraction, game, percent, victory
from solver import Battle
from solver.paths import Path, PathOdds

LONGEST_NAME = 100


async def show_path(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """The odds of a path: the chance to take each territory, and who is left where it ends."""
    odds = await services.engine.march(path)
    won = odds.taken == odds.legs
    ends = dict(zip(odds.attackers_end[won].tolist(), odds.chances[won].tolist(), strict=True))
    labels = [_defenders(leg) for leg in path.legs]
    parts = path_title(path), labels, odds.takes, ends, chances_in_words(odds)
    png = await services.engine.drawn(path, "draw_path", *parts)
    short, long = await exactly(path, services) if reading.exact else ("", "")
    lines = [verdict_line(path, odds), *_spread(odds, ends), *filter(None, [short])]
    alternative = _("{odds}. The towers show how far the attacker gets.", odds=lines[0].replace("*", ""))
    return Reply(
        with_remarks("\n".join(lines), reading.remarks),
        table=_table(path, odds),
        note=f"{_('exact')} · `{write(path)}`",
        file=TextFile("exact.txt", long) if long else None,
        picture=Picture(png, file_name(path), alternative, lines=1),
        buttons=(
            Button(_("Roll it"), "roll", enabled=not odds.never),
            Button(_("+1 attacker"), "more"),
            Button(_("−1 attacker"), "fewer", enabled=path.legs[0].attackers > 1),
            Button(_("All endings"), "ends", enabled=len(odds.chances) > 0),
            Button(_("Edit"), "edit"),
            Button(_("Save"), "save"),
        ),
        private=request.private,
    )


def _defenders(leg: Battle) -> tuple[str, str]:
    """Say who defends a territory, in short and in words: "2 (1 C)", "2 defenders (1 C)"."""
    ships = fleet(leg.defence_ships, short=True)
    return f"{leg.defenders}{ships}", _n("{n} defender{ships}", "{n} defenders{ships}", leg.defenders, ships=ships)


async def exactly(battle: Battle | Path, services: Services) -> tuple[str, str]:
    """The fraction as `wording.fraction` has it, or why there is none: that is no reason to go without the odds."""
    try:
        return fraction(await services.engine.exact(battle))
    except UserError as error:
        return error.text.removesuffix("."), ""


def file_name(battle: AnyBattle) -> str:
    """A name for the file of a picture, safe everywhere."""
    return file_called(write(battle))


def file_called(text: str) -> str:
    """The same after what was asked; texts that are too long for a name differ in a number at its end."""
    name = "".join(c if c.isalnum() else "-" for c in text)
    return f"{name}.png" if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}-{crc32(text.encode()):08x}.png"


def march_text(path: Path) -> str:
    """Who goes where: "20 > 5 > 4 > 2, 1 stays in each, stop at 3"."""
    text = " > ".join([str(path.legs[0].attackers), *(str(leg.defenders) for leg in path.legs)])
    stop = _("stop at {attackers}", attackers=path.legs[0].stop) if path.legs[0].stop else ""
    return ", ".join(filter(None, [text, _staying(path.leave), stop]))


def _staying(leave: tuple[int, ...]) -> str:
    """Who stays behind: "1 stays in each", "2, then 1 stay behind"."""
    if not leave:
        return ""
    if not any(leave):
        return _("leave nobody behind")
    if len(set(leave)) > 1:
        told = reduce(lambda before, count: _("{before}, then {count}", before=before, count=count), map(str, leave))
        return _("leave {attackers} behind", attackers=told)
    return _n("leave {n} in each", "leave {n} in each", leave[0])


def every(territories: int) -> str:
    """All territories of a path: "both territories"."""
    few = {1: N_("it"), 2: N_("both territories")}
    return _(few[territories]) if territories in few else _n("all {n} territory", "all {n} territories", territories)


def path_title(path: Path) -> str:
    """Say who goes where, in a line that fits a picture."""
    text = march_text(path)
    if len(text) <= 52:
        return text
    many, attackers = len(path.legs), path.legs[0].attackers
    return _n("{attackers} through {n} territory", "{attackers} through {n} territories", many, attackers=attackers)


def verdict_line(path: Path, odds: PathOdds) -> str:
    """Whether the march takes all, who goes where, and by which rules."""
    names = dict.fromkeys(game(leg) for leg in path.legs)
    ends = [_takes(odds.legs, victory(odds))]
    if odds.called_off:
        ends.append(fated(_(CALLED_OFF), percent(odds.called_off, odds)))
    return f"**{', '.join(ends)}** · {march_text(path)} · {', '.join(names)}"


def _takes(legs: int, chance: str) -> str:
    """What the attacker does with a chance: "Takes both territories 63.2%"."""
    if legs == 1:
        return _("Takes it: {chance}", chance=chance)
    if legs == 2:
        return _("Takes both territories: {chance}", chance=chance)
    return _n("Takes all {n} territories: {chance}", "Takes all {n} territories: {chance}", legs, chance=chance)


def chances_in_words(odds: PathOdds) -> tuple[str, ...]:
    """The chances that the march is stopped, is called off, and takes the first territories, in words."""
    stopped = percent(odds.beaten + odds.never, odds, odds.takes_all + odds.called_off)
    off = percent(odds.called_off, odds) if odds.called_off else ""
    return stopped, off, *(_taken(odds, leg) for leg in range(1, odds.legs + 1))


def _taken(odds: PathOdds, legs: int) -> str:
    """The chance that the march takes so many territories or more, in words."""
    return percent(odds.takes[legs - 1], odds, float(odds.chances[odds.taken < legs].sum()) + odds.never)


def _spread(odds: PathOdds, ends: dict[int, float]) -> list[str]:
    """How many are left in the last territory if all fall, and how far it comes on average."""
    mean = number(float(odds.taken @ odds.chances))
    fallen: list[str] = [_("{mean} territories taken on average", mean=mean)] if odds.legs > 1 else []
    if not ends:
        return fallen
    counts = np.array(sorted(ends))
    reached = np.cumsum([ends[count] for count in counts.tolist()])
    low, high = counts[np.searchsorted(reached / reached[-1], [0.1, 0.9])]
    left = _n("{n} attacker", "{n} attackers", int(high))
    if low < high:
        left = _n("{low} to {n} attacker", "{low} to {n} attackers", int(high), low=int(low))
    if fallen:
        return [
            " · ".join([*fallen, _("if all are taken, 8 battles in 10 leave {attackers} in the last", attackers=left)])
        ]
    return [_("if it is taken, 8 battles in 10 leave {attackers}", attackers=left)]


def _table(path: Path, odds: PathOdds) -> tuple[str, ...]:
    """A line for each territory: its defenders, the chances that it falls and that the march ends there, its rules."""
    own = leg_words(path)
    rules = _("rules") if any(own) else ""
    cells: list[list[str]] = [["", _("defenders"), _p("territory", "taken"), _("ends here")]]
    for territory, leg in enumerate(path.legs, start=1):
        here = odds.taken == territory - 1
        ends, others = float(odds.chances[here].sum()), float(odds.chances[~here].sum())
        ending = percent(ends, odds, others + odds.never)
        cells.append([str(territory), str(leg.defenders), _taken(odds, territory), ending])
    return with_texts(cells, ">>>>", [rules, *map(" ".join, own)])
