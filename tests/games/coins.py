"""A game from test code alone, the duel of coins: its odds, its live battles and its room.

Each side has coins. In a round both toss all of theirs at once, and each head removes a coin of the other side. Who has
no coins left has lost; if both lose their last coins in one round, nobody wins.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np

from bot.charts import Chart
from bot.charts.shapes import box
from bot.charts.sheet import new_sheet
from bot.charts.style import ATTACKER, DEFENDER, DRAW, WIDTH
from bot.errors import UserError, sentence_of
from bot.games.base import Claim, Comparison, GameRoom, Notation, Reading, Solving, Words
from bot.games.help import Help, Screen
from bot.games.live import Live, LiveStage
from bot.languages import N_
from bot.notation.lexer import normal
from bot.notation.mistakes import MatchupError
from bot.replies import Button, Picture, Reply, picture_name, without_marks
from bot.request import Request, Services
from bot.words.compared_plan import ComparedPlan, law_by_winner
from bot.words.narrow import narrow
from bot.words.numbers import DRAWN, HELD, brief_victory, exact_percent, percent
from solver import BattleError
from solver.chain import Chances
from solver.documents import check_fields
from solver.errors import check_count
from solver.game import DiceToRoll, Die, Ending, Fight, Game, GameOdds, Question, QuestionKind, Source
from solver.progress import takes

MOST = 60
"""The most coins of a side."""
HEADS, FACES = 1, 2

# What belongs to the solver ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coins:
    """A duel: how many coins each side has."""

    attackers: int
    defenders: int

    def __post_init__(self) -> None:
        for field in ("attackers", "defenders"):
            check_count(field, getattr(self, field), 1, MOST, "each side has {least} to {most} coins, not {value}")

    def to_dict(self) -> dict[str, Any]:
        """Return the duel as a JSON document."""
        return {"game": "coins", "attackers": self.attackers, "defenders": self.defenders}


@dataclass(frozen=True, eq=False)
class CoinOdds(GameOdds):
    """How a duel may end: the chance that so many attackers and so many defenders are left."""

    coins: Coins
    law: Chances

    @property
    def success(self) -> float:
        """The chance that the attacker wins."""
        return float(self.law[1:, 0].sum())

    @property
    def held(self) -> float:
        """The chance that the defender wins."""
        return float(self.law[0, 1:].sum())

    @property
    def drawn(self) -> float:
        """The chance that nobody is left."""
        return float(self.law[0, 0])

    @property
    def fate_chances(self) -> tuple[float, ...]:
        """The chances of the three ways to end."""
        return self.success, self.held, self.drawn

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory the odds take."""
        return self.law.nbytes

    @property
    def places(self) -> tuple[Chances, Chances]:
        """The ends as coins left, those of the defender as less than 0, and their chances."""
        return np.subtract.outer(np.arange(self.law.shape[0]), np.arange(self.law.shape[1])).ravel(), self.law.ravel()

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as a JSON document."""
        return {"attacker_wins": self.success, "defender_wins": self.held, "nobody_wins": self.drawn}


def heads(tossed: int, most: int) -> Chances:
    """Return the chance of each number of heads, with all above `most` counted there."""
    law = np.zeros(most + 1)
    for number in range(tossed + 1):
        law[min(number, most)] += comb(tossed, number) / 2**tossed
    return law


@takes(lambda coins: 2e-5 * coins.attackers * coins.defenders)
@lru_cache(100)
def solve_coins(coins: Coins) -> CoinOdds:
    """Return the exact odds: the rounds in which no head falls change nothing, so they are left out."""
    law = np.zeros((coins.attackers + 1, coins.defenders + 1))
    law[-1, -1] = 1
    for attackers in range(coins.attackers, 0, -1):
        for defenders in range(coins.defenders, 0, -1):
            lost = np.outer(heads(defenders, attackers), heads(attackers, defenders))
            idle, lost[0, 0] = lost[0, 0], 0
            here, law[attackers, defenders] = law[attackers, defenders], 0
            law[: attackers + 1, : defenders + 1] += here / (1 - idle) * lost[::-1, ::-1]
    return CoinOdds(coins, law)


@dataclass(frozen=True, slots=True)
class Toss:
    """The coins of one round as they fell."""

    attack: tuple[Die, ...]
    defence: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Duel(Fight):
    """A live duel: the coins that are left."""

    attackers: int
    defenders: int
    retreated: bool = False

    @property
    def ended(self) -> Ending | None:
        """See `Fight`."""
        if self.retreated:
            return "retreat"
        if self.attackers and self.defenders:
            return None
        return "won" if self.attackers else "lost" if self.defenders else "nobody"

    def next_dice(self) -> tuple[list[DiceToRoll], list[DiceToRoll]]:
        """See `Fight`."""
        if self.ended:
            return [], []
        return [DiceToRoll(self.attackers, FACES, HEADS)], [DiceToRoll(self.defenders, FACES, HEADS)]

    def throw(self, source: Source) -> tuple[Toss, "Duel"]:
        """See `Fight`."""
        ours, theirs = (
            tuple(Die(FACES, (source(FACES),)) for _coin in range(number))
            for number in (self.attackers, self.defenders)
        )
        kills, losses = (sum(die.face == HEADS for die in side) for side in (ours, theirs))
        return Toss(ours, theirs), Duel(max(self.attackers - losses, 0), max(self.defenders - kills, 0))

    def retreat(self) -> "Duel":
        """See `Fight`."""
        return self if self.ended else Duel(self.attackers, self.defenders, retreated=True)


def begin(coins: Coins) -> Duel:
    """Return a duel before its first toss."""
    return Duel(coins.attackers, coins.defenders)


def chances(duels: Sequence[Duel], _most: float) -> list[float | None]:
    """Return the chance to win at each stage: see `Game`."""
    return [
        float(duel.ended == "won") if duel.ended else solve_coins(Coins(duel.attackers, duel.defenders)).success
        for duel in duels
    ]


def percentile(odds: CoinOdds, duel: Duel) -> float | None:
    """Return where an end stands among all: see `Game`."""
    ends, law = odds.places
    here = duel.attackers - duel.defenders
    return float(law[ends < here].sum() + law[ends == here].sum() / 2)


def ask(document: dict[str, Any], kind: Any, _rules: Mapping[str, Any]) -> Question | None:
    """Read a question about a duel: see `Game`."""
    if document.get("game") != "coins":
        return None
    check_fields(document, {"game", "attackers", "defenders"})
    if kind != "odds":
        raise BattleError("question", "a duel of coins is only asked for its odds")
    if absent := {"attackers", "defenders"} - document.keys():
        raise BattleError(min(absent), "this is missing")
    coins = Coins(document["attackers"], document["defenders"])
    return Question(ODDS, coins)


def odds_document(coins: Coins) -> dict[str, Any]:
    """Return the odds of a duel as a JSON document."""
    return solve_coins(coins).to_dict()


ODDS = QuestionKind("odds", odds_document)
COINS_GAME = Game("coins", Coins, ask=ask, begin=begin, chances=chances, percentile=percentile)

# The notation --------------------------------------------------------------------------------------------


def claims(text: str, _saved: Mapping[str, str]) -> Claim:
    """Claim every line that begins with "coins"; a line with the name of a preset may be one."""
    first, *_rest = [*normal(text).split(), ""]
    return Claim.YES if first == "coins" or normal(_saved.get(first, "")).startswith("coins ") else Claim.NO


def read(text: str, saved: Mapping[str, str], _takes: Collection[str], _lone: str) -> Reading:
    """Read "coins 5 4" or "coins 5 vs 4", or the name of a preset."""
    line = normal(text)
    if line in saved:
        return read(saved[line], {}, (), "")._replace(of_words=(f"`{line}` is `{saved[line]}`",))
    words = [*re.finditer(r"\S+", line)][1:]
    found = [word for word in words if word[0] != "vs"]
    for word in found:
        if not word[0].isdecimal():
            instead = "vs" if word[0].startswith("v") else ""
            raise MatchupError(line, *word.span(), f"I don't know `{word[0]}` in a duel of coins.", instead)
    if len(found) != 2:
        start, end = found[2].span() if len(found) > 2 else (len(line), len(line) + 1)
        raise MatchupError(line, start, end, "A duel of coins has two numbers: `coins 5 4`.")
    try:
        return Reading(Coins(*(int(word[0]) for word in found)))
    except BattleError as error:
        wrong = found[error.field == "defenders"]
        raise MatchupError(line, *wrong.span(), sentence_of(error), str(MOST) if int(wrong[0]) else "1") from None


def phrase(text: str) -> str:
    """Return the line of a duel that somebody tells: "5 coins against 4"."""
    told = re.fullmatch(r"(?:i have )?(\d+) coins (?:against|vs) (\d+)(?: coins)?", normal(text))
    return f"coins {told[1]} {told[2]}" if told else ""


def write(coins: Coins) -> str:
    """Write the canonical line."""
    return f"coins {coins.attackers} {coins.defenders}"


def remarks(coins: Coins) -> Iterator[str]:
    """Yield the remark about a duel of equals."""
    if coins.attackers == coins.defenders:
        yield "Both sides have the same chance."


def complete(text: str, _questions: bool) -> Iterator[str]:
    """Complete the word "coins", and a line with a number missing."""
    words = text.split()
    if len(words) == 1 and "coins".startswith(words[0]):
        yield from ("coins 5 4", "coins 3 3")
    if len(words) == 2 and words[0] == "coins" and words[1].isdecimal():
        yield f"coins {words[1]} {words[1]}"


def reserved_words() -> frozenset[str]:
    """Return the word that no preset can have as its name."""
    return frozenset({"coins"})


# The words -----------------------------------------------------------------------------------------------


def describe(coins: Coins) -> str:
    """Say who fights whom."""
    return f"{coins.attackers} coins against {coins.defenders}"


def titles(coins: Coins) -> tuple[str, ...]:
    """Return the titles of a picture."""
    return f"Duel of coins: {describe(coins)}", describe(coins)


def left(duel: Duel) -> str:
    """Say who is left."""
    return f"{duel.attackers} coins against {duel.defenders}"


def outcome(duel: Duel, rounds: int) -> str:
    """Say how a duel ended."""
    ends: dict[Ending, str] = {
        "won": "Attacker wins with {attackers} coins left",
        "lost": "Defender wins with {defenders} coins left",
        "nobody": "Nobody has a coin left",
        "retreat": "Duel called off, {attackers} against {defenders} left",
    }
    assert duel.ended, "asked only of the end"
    return f"{ends[duel.ended].format(attackers=duel.attackers, defenders=duel.defenders)} after {rounds} rounds"


def rows(stages: Sequence[LiveStage[Duel, Toss]]) -> tuple[str, ...]:
    """Return the table of a live duel."""
    cells = [["", "heads", "left", "wins"]]
    for number, stage in enumerate(stages):
        sides = (stage.throw.attack, stage.throw.defence) if stage.throw else ()
        fell = " v ".join(str(sum(die.face == HEADS for die in side)) for side in sides)
        chance = "" if stage.chance is None else exact_percent(stage.chance)
        cells.append([str(number or ""), fell, f"{stage.fight.attackers} v {stage.fight.defenders}", chance])
    return narrow(cells, "><<>")


def compared_plan(coins: Coins, odds: CoinOdds, line: str) -> ComparedPlan:
    """Return how a duel turns out, for a comparison."""
    ends, law = odds.places
    return ComparedPlan(
        line=line,
        description=describe(coins),
        game="duel of coins",
        odds=odds,
        attacker_result="wins",
        chances=(odds.success, odds.held, odds.drawn),
        ends={HELD: odds.held, DRAWN: odds.drawn},
        law=law_by_winner(ends, ends > 0, ends < 0, law),
        gain=float((np.arange(coins.attackers + 1) @ odds.law).sum()) - coins.attackers,
    )


def options(_line: str) -> list[str]:
    """Return no options: a duel has none."""
    return []


# The answer and its picture ------------------------------------------------------------------------------


CHART = Chart(f"{__name__}.draw_coins", personal=False)


async def answer_battle(coins: Coins, reading: Reading, request: Request, services: Services) -> Reply:
    """Answer with the odds of a duel."""
    odds: CoinOdds = await services.engine.odds(coins)
    numbers = tuple(percent(chance, odds) for chance in odds.fate_chances)
    png = await services.engine.draw(CHART, coins, titles(coins)[0], odds.fate_chances, numbers)
    verdict = f"**Attacker wins: {numbers[0]}** · {describe(coins)} · duel of coins"
    return Reply(
        verdict,
        remarks=reading.remarks,
        table=narrow([["end", "chance"], [HELD, numbers[1]], [DRAWN, numbers[2]]], "<>"),
        note="exact",
        line=write(coins),
        picture=Picture(png, picture_name(write(coins)), without_marks(verdict)),
        buttons=(
            Button("Roll it", "roll"),
            Button("+1 attacker", "more", enabled=coins.attackers < MOST),
            Button("Edit", "edit"),
            Button("Save", "save"),
        ),
        private=request.private,
    )


def draw_coins(title: str, fates: Sequence[float], numbers: Sequence[str]) -> bytes:
    """Return the picture of a duel as PNG: a bar for each way to end."""
    sheet = new_sheet(title)
    for place, (chance, words, colour) in enumerate(zip(fates, numbers, (ATTACKER, DEFENDER, DRAW), strict=True)):
        x = WIDTH * (place + 0.5) / 3
        sheet.add_shape(box(x - 60, 540, 120, 400 * chance), colour)
        sheet.write(x, 570, words)
    return sheet.png()


def more(coins: Coins) -> tuple[Coins, tuple[str, ...]]:
    """Return the duel with one attacker more."""
    return Coins(coins.attackers + 1, coins.defenders), ()


# The room ------------------------------------------------------------------------------------------------


def odds_work(coins: Coins, _exact: bool, _most_work: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the work for the odds of a duel."""
    return solve_coins, (coins,)


def is_quick(_coins: Coins) -> bool:
    """Say that odds are found while somebody types."""
    return True


def check_work(coins: Coins, most_work: int) -> None:
    """Raise UserError if a duel is too large for the host."""
    if (coins.attackers * coins.defenders) ** 2 > most_work:
        raise UserError("That duel has too many coins.")


def guess(line: str) -> str:
    """Return the topic of a line with a mistake."""
    return "coins" if line.startswith("coins") else ""


SCREEN = Screen(
    "Coins",
    ("**Duel of coins** `/battle coins 5 4`", "Both sides toss all their coins; each head removes one of the other's."),
    tries=("battle coins 5 4",),
    home=True,
)

COINS = GameRoom(
    COINS_GAME,
    notation=Notation(read, write, claims, remarks, complete=complete, reserved_words=reserved_words, phrase=phrase),
    words=Words(describe=describe, titles=titles, brief=brief_victory),
    comparison=Comparison(compared_plan, options),
    live=Live(left=left, outcome=outcome, rows=rows),
    solving=Solving(odds_work, is_quick, check_work),
    charts=(CHART,),
    answers={"battle": answer_battle},
    changes={"more": more},
    help=Help(
        screens={"coins": SCREEN},
        words={"duel": "coins"},
        examples={"coins": {"battle": "coins 5 4", "roll": "coins 5 4"}},
        guess=guess,
    ),
    refusals={"table": N_("A duel of coins has no table.")},
)
