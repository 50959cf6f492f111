"""/roll: the battle fought to its end with real dice, every die of every round shown."""

from dataclasses import replace
from gettext import ngettext

from bot.commands.path import every, march_text
from bot.commands.request import Request, Services, only, read
from bot.engine import Played
from bot.errors import UserError
from bot.matchup import write
from bot.matchup.bombing import pasted_raid
from bot.replies import Button, Reply, aligned
from bot.wording import describe, percent
from solver import Battle, Faces, Pool
from solver.axis import AxisBattle
from solver.paths import Path
from solver.play import Die, Round, over
from solver.waves import Waves

MOST_DICE_SHOWN = 8


async def roll(request: Request, services: Services) -> Reply:
    """The battle, or the path, rolled out."""
    try:
        battle = (await read(request, services)).battle
    except UserError:
        if pasted_raid(request.options["matchup"]):
            raise UserError("Bombing raids are not rolled here yet; `/bombing` has their odds.") from None
        raise
    if isinstance(battle, AxisBattle | Waves):
        raise UserError("Battles of Axis & Allies are not rolled here yet; `/battle` has their odds.")
    if isinstance(battle, Path):
        return await _march(battle, request, services)
    return tell(only(battle), await services.engine.play(only(battle)), request.private)


async def _march(path: Path, request: Request, services: Services) -> Reply:
    """One territory after the other, as far as the army comes."""
    rows: list[str] = []
    attackers, ended = path.legs[0].attackers, ""
    for number, (leg, stay) in enumerate(zip(path.legs, (*path.leave, 0), strict=True), start=1):
        battle = replace(leg, attackers=attackers)
        played = await services.engine.play(battle)
        rows += [f"territory {number}", *_table(battle, played)]
        left, defenders = _left(battle, played.rounds)
        if defenders or not left:
            ended = f"Stopped at territory {number} of {len(path.legs)}, {left} against {defenders} left"
            break
        attackers = max(left - stay, 0)
    return Reply(
        f"🎲 **{ended or f'Takes {every(len(path.legs))} with {attackers} left'}** · {march_text(path)}",
        table=tuple(rows),
        note=f"dice from the system's randomness · `{write(path)}`",
        buttons=(Button("Roll again", "roll"),),
        private=request.private,
    )


def _left(battle: Battle, rounds: list[Round]) -> tuple[int, int]:
    return (rounds[-1].attackers, rounds[-1].defenders) if rounds else (battle.attackers, battle.defenders)


def tell(battle: Battle, played: Played, private: bool) -> Reply:
    """The story of a battle: how it ended, and a line for every round."""
    return Reply(
        f"🎲 **{_outcome(battle, played.rounds)}** · {describe(battle)}",
        table=_table(battle, played),
        note=f"dice from the system's randomness · `{write(battle)}`",
        buttons=(Button("Roll again", "roll"),),
        private=private,
    )


def _outcome(battle: Battle, rounds: list[Round]) -> str:
    """How it ended, in words."""
    attackers, defenders = _left(battle, rounds)
    if defenders == 0:
        return f"Attacker wins with {attackers} left" if attackers else "Nobody is left"
    if not rounds and (attackers <= battle.floor or battle.value is not None):
        return "The attack ends before the first roll"
    if attackers == 0:
        return f"Defender holds with {defenders} left"
    fought = f"after {len(rounds)} {ngettext('round', 'rounds', len(rounds))}"
    state = f"{attackers} against {defenders} left"
    if attackers <= battle.floor or battle.value is not None:
        return f"Attack called off {fought}, {state}"
    return f"{'Undecided' if over(battle, attackers, defenders, len(rounds)) else 'Still undecided'} {fought}, {state}"


def _table(battle: Battle, played: Played) -> tuple[str, ...]:
    """A line for the start and for each round: number, dice, what is left, the chance to win from there."""
    attack_pool, defence_pool = battle.pools
    cells = [["", "attack", "defence", "left", "win"]]
    states = [(battle.attackers, battle.defenders), *((r.attackers, r.defenders) for r in played.rounds)]
    for number, ((attackers, defenders), chance) in enumerate(zip(states, played.chances, strict=True)):
        dice = ["", "", ""]
        if number:
            fought = played.rounds[number - 1]
            if battle.faces:
                ours = _icons(fought.attack, battle.faces[0], fought.attack_values)
                theirs = _icons(fought.defence, battle.faces[1], fought.defence_values)
            else:
                ours = _dice(fought.attack, attack_pool, fought.attack_values)
                theirs = _dice(fought.defence, defence_pool, fought.defence_values)
            dice = [str(number), ours, theirs]
        win = "" if over(battle, attackers, defenders, number) else percent(chance, played.odds)
        cells.append([*dice, f"{attackers} v {defenders}", win])
    return aligned(cells)


def _icons(dice: tuple[Die, ...], faces: Faces, values: tuple[int, ...]) -> str:
    """Icon dice, "AAD A – = 3A 1D"; of many only what they show together."""
    total = f"{values[0]}A {values[1]}D"
    if len(dice) > MOST_DICE_SHOWN:
        return f"{len(dice)} dice = {total}"
    return f"{' '.join(faces.words[die.face - 1] or '–' for die in dice)} = {total}"


def _dice(dice: tuple[Die, ...], pool: Pool, values: tuple[int, ...]) -> str:
    """Dice, highest first: "6+1 4 1→5" is a six with its bonus, a four, and a one that was rolled again.

    What counts is added where that is not plain to see: "9-1 2 = 5 2" for dice held within 2 to 5.
    """
    ranked = sorted(dice, key=lambda die: die.face, reverse=True)
    bonus = (*pool.bonus, *[0] * len(ranked))
    falls = ["→".join(str(face) for face in die.faces) for die in ranked]
    text = " ".join(f"{fall}{plus:+d}" if plus else fall for fall, plus in zip(falls, bonus, strict=False))
    seen = tuple(die.face + plus for die, plus in zip(ranked, bonus, strict=False))
    return text if seen == values else f"{text} = {' '.join(map(str, values))}"
