"""Commands that are typed as a line, in a terminal or in a message: their names and options."""

import re

from bot.commands import fought
from bot.commands.table import COMMANDS
from bot.errors import UserError
from bot.languages import _, compose
from bot.names import nearest
from bot.notation.plans import BETWEEN
from bot.replies import HELP

TYPED = {name: command.typed for name, command in COMMANDS.items() if command.typed is not None}
"""The options that follow each command that can be typed."""
WITHOUT_BATTLE = {name.split()[0] for name in TYPED} - {name for name, options in TYPED.items() if "matchup" in options}
"""The first words of the commands that take no battle right behind them."""
SAID = ("help", "luck")
"""Commands whose names often begin what somebody says."""
MOST_AFTER = 2
"""The most words after them that are no sentence."""


def command_in(line: str) -> tuple[str, dict[str, str]]:
    """Return the command that a line names, and its options; a line without one is about a battle, or two plans.

    Behind the name of a command that takes no battle "help" asks for the help about it.
    """
    asked = re.fullmatch(r"/(\w+)\s+help", line.casefold())
    if asked and asked[1] in WITHOUT_BATTLE:
        return HELP, {"topic": asked[1]}
    for name, options in TYPED.items():
        words = r"\s+".join(name.split())
        if match := re.match(rf"/?{words}(\s+|$)", line, re.IGNORECASE):
            rest = line[match.end() :]
            tells_ends = rest[:1].isdigit() and fought.tells_ends(rest)
            if name in SAID and line[0] != "/" and len(rest.split()) > MOST_AFTER and not tells_ends:
                break  # such as "help me with 12 against 9"
            values = rest.split(maxsplit=len(options) - 1) if len(options) > 1 else [rest]
            return name, dict(zip(options, [*values, *[""] * len(options)], strict=False))
    if line.startswith("/"):
        raise _unknown_command_error(line[1:].split())
    return "compare" if BETWEEN in line else "battle", {"matchup": line}


def _unknown_command_error(typed: list[str]) -> UserError:
    """Return the error for the words of a command that does not exist, with the nearest one."""
    hint, instead = _("The commands are {names}.", names=", ".join(f"`/{name}`" for name in TYPED)), ""
    if near := nearest(" ".join(typed[:2]), TYPED) or nearest(" ".join(typed[:1]), TYPED):
        hint = _("Did you mean `{near}`?", near=f"/{near}")
        instead = " ".join([near, *typed[len(near.split()) :]])
    return UserError(compose("{what} {hint}", what=_("I don't know that command."), hint=hint), instead)
