"""Changes of a first plan with dice by a second one: what the second keeps, and when it stands alone."""

from bot.games.base import PlanChanges
from bot.notation.dice_options import FIELDS, OF_SIDES, PLANS
from bot.notation.lexer import CLASSIC, names_variant, tokens
from bot.notation.options import dropped_words
from solver import Battle
from solver.dice.ships import SHIPS

_PLANS = *(option.word for option in PLANS), "leave"
"""Options that are no rules: a plan keeps them in another variant too."""
_DICE_WORDS = {f"{side}{word}" for side in ("", "a", "d") for word in (*SHIPS, "icons", "dice")}
"""Options that tell whether dice have faces of their own."""


def kept_line(line: str, change: str) -> str:
    """Return what a second plan keeps of the canonical line of the first, where the second is a change of it."""
    return _without_rules(line) if names_variant(change) else _without_ships(line, change)


def starts_anew(first: Battle, second: Battle, line: str) -> bool:
    """Tell whether a second plan that can stand by itself does: one of both has icon dice, and its line names dice."""
    faces = [battle.faces is not None for battle in (first, second)]
    return faces[0] != faces[1] and any(token.text in _DICE_WORDS for token in tokens(line))


def _without_rules(line: str) -> str:
    """Return a line with its numbers and plans alone."""
    return " ".join(
        word for word in line.split() if word in ">" or word.isdecimal() or word.partition(":")[0] in _PLANS
    )


def _without_ships(line: str, change: str) -> str:
    """Return a line without the ships of a side for which the change has others."""
    theirs = False
    named = set()
    for token in tokens(change):
        theirs = theirs or token.kind == "versus"
        if token.kind != "option" or not token.value:
            continue
        side, _dot, kind = FIELDS[token.text].format(side="defence" if theirs else "attack").partition(".")
        if kind in SHIPS:
            named.add("d" if side == "defence" else "")
    gone = {f"{side}{kind}" for side in named for kind in SHIPS}
    return " ".join(word for word in line.split() if word.partition(":")[0] not in gone)


CHANGES = PlanChanges(
    kept=kept_line,
    dropped=dropped_words((*OF_SIDES, *PLANS), ""),
    variant=CLASSIC,
    offers=("stop:4", "bombers:1", "rounds:3", "dice:2v2", "ties:attacker"),
    example="stop:3",
    starts_anew=starts_anew,
)
