"""/roll: the battle fought to its end with real dice, every die of every round shown."""

from gettext import ngettext

from bot.commands.request import Request, Services, read
from bot.engine import Played
from bot.matchup import write
from bot.replies import Button, Reply
from bot.wording import describe, uncertain
from solver import Battle
from solver.play import Die, Round, over

LONGEST_TABLE = 1_600


async def roll(request: Request, services: Services) -> Reply:
    """The battle rolled out; a long one is shortened in the text and whole in the log."""
    battle = (await read(request, services)).battle
    played = await services.engine.play(battle)
    rows = _table(battle, played)
    table = "\n".join(rows)
    shown = _shortened(rows)
    text = (
        f"🎲 **{_outcome(battle, played.rounds)}** · {describe(battle)}\n```\n{shown}\n```\n"
        f"-# dice from the system's randomness · `{write(battle)}`"
    )
    return Reply(
        text, log=table if shown != table else None, buttons=(Button("Roll again", "roll"),), private=request.private
    )


def _outcome(battle: Battle, rounds: list[Round]) -> str:
    """How it ended, in words."""
    attackers, defenders = battle.attackers, battle.defenders
    if rounds:
        attackers, defenders = rounds[-1].attackers, rounds[-1].defenders
    if defenders == 0:
        return f"Attacker wins with {attackers} left" if attackers else "Nobody is left"
    if attackers == 0:
        return f"Defender holds with {defenders} left"
    fought = f"after {len(rounds)} {ngettext('round', 'rounds', len(rounds))}"
    state = f"{attackers} against {defenders} left"
    if attackers <= max(battle.stop, battle.reserve):
        return f"Attack called off {fought}, {state}"
    return f"{'Undecided' if over(battle, attackers, defenders, len(rounds)) else 'Still undecided'} {fought}, {state}"


def _table(battle: Battle, played: Played) -> list[str]:
    """A line for the start and for each round: number, dice, what is left, the chance to win from there."""
    attack_pool, defence_pool = battle.pools
    cells = [["", "attack", "defence", "left", "win"]]
    states = [(battle.attackers, battle.defenders), *((r.attackers, r.defenders) for r in played.rounds)]
    for number, ((attackers, defenders), chance) in enumerate(zip(states, played.chances, strict=True)):
        dice = ["", "", ""]
        if number:
            fought = played.rounds[number - 1]
            dice = [str(number), _dice(fought.attack, attack_pool.bonus), _dice(fought.defence, defence_pool.bonus)]
        win = "" if over(battle, attackers, defenders, number) else uncertain(chance)
        cells.append([*dice, f"{attackers} v {defenders}", win])
    widths = [max(len(row[column]) for row in cells) for column in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _dice(dice: tuple[Die, ...], bonus: tuple[int, ...]) -> str:
    """Dice, highest first: "6+1 4 1→5" is a six with its bonus, a four, and a one that was rolled again."""
    ranked = sorted(dice, key=lambda die: die.face, reverse=True)
    falls = ["→".join(str(face) for face in die.faces) for die in ranked]
    return " ".join(
        fall + (f"{plus:+d}" if plus else "") for fall, plus in zip(falls, (*bonus, *[0] * len(falls)), strict=False)
    )


def _shortened(rows: list[str]) -> str:
    """The table as far as a message holds it: its beginning and its end."""
    most = LONGEST_TABLE // (len(rows[0]) + 1)
    if len(rows) <= most:
        return "\n".join(rows)
    last = most // 3
    first = most - last - 1
    return "\n".join([*rows[:first], f"… {len(rows) - first - last} more rounds: all in the file …", *rows[-last:]])
