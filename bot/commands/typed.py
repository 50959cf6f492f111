"""Commands as a line of text, in a terminal or in a message: which one is meant, and with which options."""

import difflib
import re

from bot.errors import UserError
from bot.languages import _, joined
from bot.matchup import BETWEEN

# What can be typed, with the options that follow; the last takes the rest of the line.
TYPED = {
    "battle": ("matchup",),
    "roll": ("matchup",),
    "need": ("matchup",),
    "table": ("matchup",),
    "dice": ("matchup",),
    "bombing": ("matchup",),
    "order": ("matchup",),
    "compare": ("matchup",),
    "place": ("matchup",),
    "preset save": ("name", "matchup"),
    "preset list": (),
    "preset show": ("name",),
    "preset change": ("name", "matchup"),
    "preset rename": ("name", "new"),
    "preset note": ("name", "text"),
    "preset delete": ("name",),
    "preset export": (),
    "preset import": ("file",),
    "verify": ("battle",),
    "luck": ("everybody",),
    "history list": (),
    "history open": ("battle",),
    "history share": ("battle",),
    "history export": ("battle",),
    "history end": ("battle",),
    "history faces": (),
    "history forget": (),
    "settings": ("setting",),
    "help": ("topic",),
}


def command_in(line: str) -> tuple[str, dict[str, str]]:
    """The command a line names and its options; without a slash and a name it is about a battle, or two."""
    for name, options in TYPED.items():
        words = r"\s+".join(name.split())
        if found := re.match(rf"/?{words}(\s+|$)", line, re.IGNORECASE):
            rest = line[found.end() :]
            values = rest.split(maxsplit=len(options) - 1) if len(options) > 1 else [rest]
            return name, dict(zip(options, [*values, *[""] * len(options)], strict=False))
    if line.startswith("/"):
        typed = line[1:].split()
        near = _near(" ".join(typed[:2])) or _near(" ".join(typed[:1]))
        if near:
            hint = _("Did you mean `{near}`?", near=f"/{near[0]}")
        else:
            hint = _("The commands are {names}.", names=", ".join(f"`/{name}`" for name in TYPED))
        instead = " ".join([*near, *typed[len(near[0].split()) :]]) if near else ""
        raise UserError(joined("{what} {hint}", what=_("I don't know that command."), hint=hint), instead)
    return "compare" if BETWEEN in line else "battle", {"matchup": line}


def _near(name: str) -> list[str]:
    """The command that was probably meant, if any is near."""
    return difflib.get_close_matches(name, TYPED, n=1, cutoff=0.6)
