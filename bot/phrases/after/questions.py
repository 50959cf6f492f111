"""Questions of a follow-up about the battle before it: another one, as "how many for 95%?", or about its ends."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.notation.asked_ends import WORDS as ENDS
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.phrases.after.context import Context
from bot.phrases.after.said import HOLDS, Said
from bot.phrases.canonical import canonical
from bot.phrases.meaning import NotClearError, Rule
from bot.phrases.options import ends_asked, options_of
from bot.phrases.pieces import ATTACKS

_AT_LEAST = re.compile(r"(?<!\S)left:\d+\+$")
MORE_EXACT = "digits:6"
"""The option for "more exactly"."""
BESIDE_CHANCE = ("and", "for", "with", "onto", "or")
"""The roles of words beside a chance that somebody wants to reach."""
OF_BATTLE = ("roll", "table", "table rounds", "table stop", "order")
"""The questions about a battle as it stands."""


class Asked(NamedTuple):
    """A question about a battle: the context, what is said, the line of the battle before, and after the change."""

    context: Context
    said: Said
    line: str

    def asks(self, *questions: str) -> bool:
        """Tell whether words ask one of these questions."""
        return any(tag.value in questions for tag in self.said.values("questions"))


def asked_options(said: Said) -> Sequence[str]:
    """Return the options about the question that words ask for, each once."""
    asked = [option for option in options_of(said.values("options")) if option.partition(":")[0] in ASKED_WITH_BATTLE]
    asked += ends_asked(said.values("outlooks"), said.defends)
    exact = {"finer": MORE_EXACT, "exact": "exact"}
    asked += [option for mark, option in exact.items() if mark in said.marks and not said.amounts]
    return list(dict.fromkeys(asked))


def still_asked(context: Context, asked: Sequence[str]) -> Sequence[str]:
    """Return the options about the question before that these do not replace; other ends are another question."""
    words = {option.partition(":")[0] for option in asked}
    words |= ENDS.keys() if words & ENDS.keys() else set()
    return [option for option in context.asked.split() if option.partition(":")[0] not in words]


def _is_beside_chance(said: Said) -> bool:
    """Tell whether words beside a chance want to reach it: "and for 95%?", "not enough, give me 95%"."""
    return said.roles <= {*BESIDE_CHANCE} or ("judged" in said.marks and said.roles <= {*BESIDE_CHANCE, "self"})


def _need(asked: Asked) -> str:
    """Return the line of the question how many armies a chance takes."""
    said, line, numbers = asked.said, asked.line, replace(asked.context, line=asked.line).numbers
    chances = [tag.value for tag in said.values("chance")]
    if asked.context.command == "need":
        rest = [word for word in line.split() if "%" not in word]
        return " ".join(["/need", *rest, *(chances or re.findall(r"\S+%", line))])
    if re.match(r"\d+(?: [a-z]+:\S+)* > \d", line):  # all numbers of a need are defenders
        own, _step, territories = line.partition(" > ")
        if not own.isdecimal():
            raise NotClearError("need against how many")
        line = territories
    if not numbers:
        return " ".join(["/need", line, *chances])
    if any(amount.side == "attacker" and not amount.unit for amount in said.amounts):
        likely = [f"/need {numbers[1]} {amount.count}%" for amount in said.amounts if amount.mode == "set"]
        raise NotClearError("a chance beside a battle", *likely)  # "what do I need for 95"
    enemy = _enemy_of_need(asked, numbers)
    left = [] if enemy.endswith("vs") else _AT_LEAST.findall(asked.context.asked)
    return " ".join(["/need", enemy, *line.split()[2:], *left, *chances])


def _enemy_of_need(asked: Asked, numbers: tuple[int, int]) -> str:
    """Return the number that is to be beaten, or the one to hold against; NotClearError if both may be meant."""
    said = asked.said
    if not (asked.asks("need defenders") or said.roles & {*HOLDS}):
        return str(numbers[1])
    if "other" in said.owners or any(tag.who == "other" for tag in said.values("questions")):
        return f"{numbers[0]} vs"
    raise NotClearError("who attacks", *(f"/need {number} vs" for number in numbers))


def _compare(asked: Asked) -> str:
    """Return the line that compares the battle with the changed one."""
    if asked.context.plans:
        return f"/compare {asked.line}"
    if asked.line == asked.context.line:
        raise NotClearError("the second plan")
    ends = [option for option in asked.context.asked.split() if option.partition(":")[0] in ENDS]
    return f"/compare {' '.join([asked.context.line, *ends])} || {asked.line}"


def _same_battle(asked: Asked) -> str:
    """Return the line of another question about the battle."""
    question, *others = {tag.value for tag in asked.said.values("questions")}
    if others:
        raise NotClearError("a battle beside another question")
    talk = question == "roll" and bool(asked.said.roles & {"other", "each"} or "if" in asked.said.marks)
    attacks = asked.said.defends or not asked.said.roles.isdisjoint(ATTACKS)  # "what if he goes first and attacks me"
    if talk or attacks or asked.context.command in ("need", "compare", "dice"):
        raise NotClearError("another command")
    command, _space, word = question.partition(" ")  # "table stop"
    return f"/{command} {asked.line} {word}"


def _refuse(_asked: Asked) -> str:
    raise NotClearError("another command")


QUESTIONS: Sequence[Rule[Asked, Callable[[Asked], str]]] = (
    Rule("how many for 95%", lambda it: it.asks("need", "need defenders"), _need),
    Rule("and for 95%?", lambda it: bool(it.said.values("chance")) and _is_beside_chance(it.said), _need),
    Rule("is 79% good?", lambda it: bool(it.said.values("chance")), _refuse),
    Rule("compare that with 14", lambda it: it.asks("compare"), _compare),
    Rule("roll it", lambda it: it.asks(*OF_BATTLE), _same_battle),
    Rule(
        "just the odds",
        lambda it: "odds" in it.said.marks and not asked_options(it.said),
        lambda it: canonical(it.context.rooms, it.line),
    ),
    Rule("what about the dice", lambda it: bool(it.said.values("questions")), _refuse),
)
"""The questions about a battle, by an example of each."""
