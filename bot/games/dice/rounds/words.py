"""Dice in words: the word `all` of /dice, the losses of one round, and how often a side rolls each value."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.games.dice.words import fleet
from bot.languages import N_, _, _n, _p, in_percent, number
from bot.notation.lexer import normal, tokens
from bot.replies import align_columns
from bot.words.narrow import is_narrow, narrow
from bot.words.numbers import unsure_percent
from solver import Battle
from solver.chain import Cell, RoundLaw

ICONS = N_("attack"), N_("defence")
RANKS = N_("highest"), N_("second"), N_("third"), N_("fourth"), N_("fifth"), N_("sixth"), N_("seventh"), N_("eighth")

Weights = Mapping[tuple[int, ...], int]
"""How often a side rolls which values, highest first, as whole numbers."""


def describe_round(battle: Battle) -> str:
    """Return who rolls in a round: "3 (1 B) against 2"."""
    ours, theirs = fleet(battle.attack_ships, short=True), fleet(battle.defence_ships, short=True)
    attackers, defenders = f"{battle.attackers}{ours}", f"{battle.defenders}{theirs}"
    return _("{attackers} against {defenders}", attackers=attackers, defenders=defenders)


def average_costs(law: RoundLaw) -> str:
    """Return what both sides lose in a round on average, as the headline of an answer."""
    ours, theirs = (number(float(sum(lost[side] * of for lost, of in law.items())), 2) for side in (0, 1))
    return _("**Average loss per round: attacker {attackers}, defender {defenders}**", attackers=ours, defenders=theirs)


def round_rows(law: RoundLaw) -> tuple[str, ...]:
    """Return the table of a round: a row for each outcome, the attacker's best first, with its fraction if all fit."""
    cells = _outcomes(law)
    return narrow(cells, ">>>>") if is_narrow(cells) else narrow([row[:3] for row in cells], ">>>")


def round_fractions(law: RoundLaw) -> str:
    """Return the table of a round with its fractions as the text of a file; nothing where they fit into the chat."""
    cells = _outcomes(law)
    return "" if is_narrow(cells) else "\n".join([*align_columns(cells, right=True), ""])


def _outcomes(law: RoundLaw) -> list[list[str]]:
    cells: list[list[str]] = [[_("attacker"), _("defender"), "", ""]]
    return cells + [[*_losses(lost), percent_of(chance), str(chance)] for lost, chance in best_first(law)]


def rounds_rows(laws: Mapping[Cell, RoundLaw], fractions: bool = False) -> tuple[str, ...]:
    """Return the table of several rounds, by the dice of both sides; with `fractions` also these."""
    cells = [["", _("attacker"), _("defender"), "", *[""] * fractions]]
    for (ours, theirs), law in laws.items():
        label = f"{ours}v{theirs}"
        for lost, chance in best_first(law):
            cells.append([label, *_losses(lost), percent_of(chance), *[str(chance)] * fractions])
            label = ""
    return align_columns(cells, right=True) if fractions else narrow(cells, ">>>>")


def best_first(law: RoundLaw) -> list[tuple[Cell, Fraction]]:
    """Return the outcomes of a round, the attacker's best first."""
    return sorted(law.items(), key=lambda outcome: (outcome[0][0] - outcome[0][1], outcome[0]))


def roll_rows(weights: Weights, names: Sequence[str]) -> tuple[str, ...]:
    """Return a row for each roll, the best first: its values below these names, and how likely it is."""
    total = sum(weights.values())
    head = [*names, _("of {total}", total=total), ""]
    rows = [[*map(str, values), str(weight), percent_of(Fraction(weight, total))] for values, weight in weights.items()]
    return narrow([head, *rows[::-1]], ">" * len(head))


def value_names(dice: int) -> list[str]:
    """Return the names of the columns of `roll_rows` for so many dice with numbers."""
    return [_p("column of the highest die", "high"), *[""] * (dice - 1)]


def rank_rows(laws: Sequence[Mapping[int, Fraction]]) -> tuple[str, ...]:
    """Return how often the highest die, the second, ... shows each value, a row for each value, the best first."""
    dice = len(laws)
    head = [_n("{n} die{ships}", "{n} dice{ships}", dice, ships=""), *(_(name) for name in RANKS[:dice])]
    rows = [
        [number(value, 0), *(percent_of(law[value]) if value in law else "–" for law in laws)]
        for value in sorted(set().union(*laws), reverse=True)
    ]
    return narrow([head, *rows], ">" * len(head))


def percent_of(chance: Fraction) -> str:
    """Return an exact chance in percent; what cannot fail is certain."""
    return in_percent("100") if chance == 1 else unsure_percent(float(chance))


def _losses(lost: Cell) -> list[str]:
    return [f"−{count}" if count else "0" for count in lost]


ALL = "all"


def take_all(text: str) -> tuple[str, bool]:
    """Return a line without the word `all`, and whether it was there; in `rounds:all` it is no word of its own."""
    line = normal(text)
    word = next((token for token in tokens(line) if token.text == ALL and line[token.start : token.end] == ALL), None)
    if word is None:
        return text, False
    return f"{line[: word.start].rstrip()} {line[word.end :].lstrip()}".strip(), True
