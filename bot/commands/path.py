"""Paths: the answer to "how far does this army come"."""

from gettext import ngettext

import numpy as np

from bot.commands.request import Request, Services
from bot.matchup import Reading, write
from bot.replies import Button, Picture, Reply
from bot.wording import fleet, fraction, game, uncertain
from solver.paths import Path, PathOdds


async def show_path(path: Path, reading: Reading, request: Request, services: Services) -> Reply:
    """The odds of a path: the chance to take each territory, and who is left where it ends."""
    odds = await services.engine.march(path)
    won = odds.taken == odds.legs
    ends = dict(zip(odds.attackers_end[won].tolist(), odds.chances[won].tolist(), strict=True))
    labels = [f"{leg.defenders}{fleet(leg.defence_ships, short=True)}" for leg in path.legs]
    png = await services.engine.drawn(path, "draw_path", _title(path), labels, odds.takes, ends)
    name = "".join(c if c.isalnum() else "-" for c in write(path))[:100]
    short, long = fraction(await services.engine.exact(path)) if reading.exact else ("", "")
    lines = [_verdict(path, odds), *_spread(odds, ends), *filter(None, [short])]
    return Reply(
        "\n".join(lines),
        table=tuple(_table(path, odds)),
        note=f"exact · `{write(path)}`",
        long=long,
        picture=Picture(png, f"{name}.png", f"{_verdict(path, odds).replace('*', '')}. Towers show how far it comes."),
        buttons=(
            Button("Roll it", "roll", enabled=not odds.never),
            Button("+1", "more"),
            Button("−1", "fewer", enabled=path.legs[0].attackers > 1),
            Button("Edit", "edit"),
            Button("Save", "save"),
        ),
        private=request.private,
    )


def march_text(path: Path) -> str:
    """Who goes where: "20 > 5 > 4 > 2, 1 stays in each"."""
    text = " > ".join([str(path.legs[0].attackers), *(str(leg.defenders) for leg in path.legs)])
    if not path.leave:
        return text
    if len(set(path.leave)) > 1:
        return f"{text}, {', '.join(map(str, path.leave))} stay"
    return f"{text}, {path.leave[0] or 'nobody'} {'stays' if path.leave[0] < 2 else 'stay'} in each"


def every(territories: int) -> str:
    """All territories of a path: "both territories"."""
    return {1: "it", 2: "both territories"}.get(territories, f"all {territories} territories")


def _percent(odds: PathOdds, chance: float) -> str:
    """A chance of this path; a 0 is only believed where it cannot be one too small for a float."""
    return "0 %" if chance == 0 and odds.true_zeros else uncertain(chance)


def _title(path: Path) -> str:
    text = march_text(path)
    return text if len(text) <= 52 else f"{path.legs[0].attackers} through {len(path.legs)} territories"


def _verdict(path: Path, odds: PathOdds) -> str:
    names = dict.fromkeys(game(leg) for leg in path.legs)
    return f"**Takes {every(odds.legs)} {_percent(odds, odds.takes_all)}** · {march_text(path)} · {', '.join(names)}"


def _spread(odds: PathOdds, ends: dict[int, float]) -> list[str]:
    """How many are left in the last territory if all fall, and how far it comes on average."""
    fallen = f"{float(odds.taken @ odds.chances):.1f} territories fall on average"
    if not ends:
        return [fallen]
    counts = np.array(sorted(ends))
    reached = np.cumsum([ends[count] for count in counts.tolist()])
    low, high = counts[np.searchsorted(reached / reached[-1], [0.1, 0.9])]
    between = f"{low} to {high}" if low < high else str(low)
    return [f"{fallen} · if all do, 8 in 10: {between} {ngettext('attacker', 'attackers', int(high))} in the last"]


def _table(path: Path, odds: PathOdds) -> list[str]:
    """A line for each territory: its defenders, the chance that it falls, and that the march ends before it."""
    cells = [["", "defenders", "taken", "ends here"]]
    before = 1.0
    for number, (leg, takes) in enumerate(zip(path.legs, odds.takes, strict=True), start=1):
        defenders = f"{leg.defenders}{fleet(leg.defence_ships, short=True)}"
        cells.append([str(number), defenders, _percent(odds, takes), _percent(odds, before - takes)])
        before = takes
    widths = [max(len(row[column]) for row in cells) for column in range(4)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
