"""/roll: the battle fought to its end with real dice, every die of every round shown."""

from gettext import ngettext

from bot.commands.request import Request, Services, read
from bot.engine import Played
from bot.matchup import write
from bot.replies import Button, Reply
from bot.wording import describe, percent
from solver import Battle, Pool
from solver.play import Die, Round, over


async def roll(request: Request, services: Services) -> Reply:
    """The battle rolled out."""
    battle = (await read(request, services)).battle
    return tell(battle, await services.engine.play(battle), request.private)


def tell(battle: Battle, played: Played, private: bool) -> Reply:
    """The story of a battle: how it ended, and a line for every round."""
    return Reply(
        f"🎲 **{_outcome(battle, played.rounds)}** · {describe(battle)}",
        table=tuple(_table(battle, played)),
        note=f"dice from the system's randomness · `{write(battle)}`",
        buttons=(Button("Roll again", "roll"),),
        private=private,
    )


def _outcome(battle: Battle, rounds: list[Round]) -> str:
    """How it ended, in words."""
    attackers, defenders = battle.attackers, battle.defenders
    if rounds:
        attackers, defenders = rounds[-1].attackers, rounds[-1].defenders
    if defenders == 0:
        return f"Attacker wins with {attackers} left" if attackers else "Nobody is left"
    if not rounds and attackers <= battle.floor:
        return "The attack ends before the first roll"
    if attackers == 0:
        return f"Defender holds with {defenders} left"
    fought = f"after {len(rounds)} {ngettext('round', 'rounds', len(rounds))}"
    state = f"{attackers} against {defenders} left"
    if attackers <= battle.floor:
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
            attack = _dice(fought.attack, attack_pool, fought.attack_values)
            dice = [str(number), attack, _dice(fought.defence, defence_pool, fought.defence_values)]
        win = "" if over(battle, attackers, defenders, number) else percent(chance, played.odds)
        cells.append([*dice, f"{attackers} v {defenders}", win])
    widths = [max(len(row[column]) for row in cells) for column in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


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
