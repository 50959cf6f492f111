"""A live battle for several territories in words, typed dice and the checks before it begins."""

from collections.abc import Sequence

from bot.games.dice import live as dice_live
from bot.games.live import Live, LiveStage, TypedDice
from bot.games.path.battle import all_territories
from bot.games.path.work import march_seconds
from bot.languages import N_, _
from bot.work.engine import Engine
from solver.dice.fight import Round
from solver.path.fight import PathFight
from solver.path.path import Path


def left_text(fight: PathFight) -> str:
    """Say who is left and where: "8 against 5 in territory 2 of 3"."""
    armies, legs = dice_live.left_text(fight.fight), len(fight.path.legs)
    return _("{armies} in territory {place} of {territories}", armies=armies, place=fight.leg + 1, territories=legs)


def outcome(fight: PathFight, _rounds: int) -> str:
    """Say how the path ended."""
    legs = len(fight.path.legs)
    if fight.ended == "won":
        return _(
            "Takes {territories} with {attackers} left",
            territories=all_territories(legs),
            attackers=fight.fight.attackers,
        )
    text = (
        N_("Attack called off at territory {place} of {territories}, {left} left")
        if fight.fight.attackers
        else N_("Stopped at territory {place} of {territories}, {left} left")
    )
    return _(text, place=fight.leg + 1, territories=legs, left=dice_live.left_text(fight.fight))


def rows(stages: Sequence[LiveStage[PathFight, Round]]) -> tuple[str, ...]:
    """Return the table: number, dice, the territory with who is left there, and the chance to take all."""
    fights = [stage.fight for stage in stages]
    lefts = [f"{fight.leg + 1}: {dice_live.left_briefly(fight.fight)}" for fight in fights]
    return dice_live.rounds_table(stages, [fight.fight for fight in fights], lefts)


def read_faces(text: str, fight: PathFight) -> TypedDice | None:
    """Read icons that somebody typed as letters; None if they are numbers."""
    return dice_live.read_faces(text, fight.fight)


def faces_hint(fight: PathFight) -> str:
    """Say how icons are typed, "" for dice with numbers."""
    return dice_live.faces_hint(fight.fight)


def dice_hints(fight: PathFight) -> list[str]:
    """Return the rules that people forget who type a wrong number of dice."""
    return dice_live.dice_hints(fight.fight)


def check_plan(most_work: int, path: Path) -> None:
    """Raise UserError if a battle for a value is too large to plan."""
    for leg in path.legs:
        dice_live.check_plan(most_work, leg)


def check_size(most_work: int, path: Path) -> None:
    """Raise UserError if a path is too large to follow its log."""
    for leg in path.legs:
        dice_live.check_size(most_work, leg)


async def check_length(engine: Engine, path: Path) -> None:
    """Raise UserError if one of the battles takes too many rounds to be rolled, or its chances take too much work."""
    for leg in path.legs:
        await dice_live.check_length(engine, leg)


LIVE = Live(
    left=left_text,
    outcome=outcome,
    rows=rows,
    read_faces=read_faces,
    faces_hint=faces_hint,
    dice_hints=dice_hints,
    check_plan=check_plan,
    check_size=check_size,
    check_length=check_length,
    seconds=march_seconds,
)
