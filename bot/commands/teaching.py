"""What somebody is told whose question cannot be answered: why, and buttons with a right line and with the help."""

import re
from collections.abc import Mapping
from dataclasses import replace

from bot.commands.request import Request
from bot.commands.typed import TYPED, command_in
from bot.editions import names_a_unit
from bot.errors import UserError
from bot.languages import _
from bot.matchup import BETWEEN, EXAMPLE, PLANS, MatchupError, meaning, parse, parse_plans
from bot.matchup.army_words import ARMIES
from bot.matchup.bombing import RAID
from bot.matchup.placing import PLACING
from bot.matchup.reading import EXAMPLES as OF_WORDS
from bot.replies import HELP, Button, Reply, to_ask

SHIPS = OF_WORDS["bombers"]
ICONS = OF_WORDS["icons"]
BATTLES = {"risk": EXAMPLE, "starwars": SHIPS, "icons": ICONS, "axis": ARMIES}
EXAMPLES: dict[str, dict[str, str]] = {
    "battle": BATTLES,
    "roll": BATTLES,
    "table": BATTLES,
    "need": {"risk": "9", "starwars": "9 bombers:1", "icons": "4 icons:AA,A,D,-", "axis": "6 inf 4 art 3 arm vs 5 inf"},
    "dice": {"risk": "3 2", "starwars": "3 fighters:1", "icons": ICONS},
    "compare": {
        "risk": "12 9 stop:4 || stop:6",
        "starwars": PLANS,
        "icons": "4 4 icons:AA,A,D,- || 5",
        "axis": "3 inf 2 arm vs 4 inf || retreat:profit<0",
    },
    "order": {"axis": ARMIES},
    "place": {"axis": PLACING},
    "bombing": {"axis": RAID},
}
"""A right line of each command, by the games that it answers for; the first where another game is meant."""
QUESTIONS = ("need", "dice", "table", "compare")
OF_ARMIES = ("order", "place", "bombing")
"""What is asked beside the odds, and what only of Axis & Allies."""


FOR_ALL = {*EXAMPLES, "luck", "history list", "preset list", "preset show", HELP}
"""What a button may ask that all can see and press: questions. Whoever presses acts with rights of his own, so that
somebody else might have written there what it shall do."""


def taught(error: UserError, request: Request | None = None) -> Reply:
    """The error, with buttons where a line is wrong: a right one, seen by who would have seen the answer, and help."""
    everybody = request is None or not request.private
    lines, help_on = [error.instead] if error.instead else [], []
    if isinstance(error, MatchupError) and request and request.command in TYPED:
        with meaning(request.meant):
            lines += [line for line in _right(error, request) if line != _asked(request)]
        game = meant(error.better or request.options.get("matchup", ""))
        help_on.append(Button(_("Help"), HELP, argument=_topic(request.command, game)))
    right = [to_ask(line, everybody) for line in lines if not everybody or command_in(line)[0] in FOR_ALL]
    return Reply(error.text, buttons=(*right, *help_on), private=True, failed=True)


def _right(error: MatchupError, request: Request) -> list[str]:
    """The line that was probably meant, else one that shows how it is written; none where it would do something."""
    command, options = request.command, request.options
    if any(value for name, value in options.items() if name not in TYPED[command]):
        return []  # Such as an opponent, who does not fit into a line.
    if command in EXAMPLES and (line := _elsewhere(options["matchup"])):
        return [line]
    if error.better:
        return [_asked(replace(request, options={**options, "matchup": error.better}))]
    if command not in EXAMPLES:
        return []
    return [request.offered(f"{command} {_example(command, meant(options['matchup']))}")]


def _asked(request: Request) -> str:
    """The line that asks the same."""
    return " ".join([request.command, *(request.options[name] for name in TYPED[request.command])])


def _elsewhere(line: str) -> str:
    """The line with the command that it goes with, where that is another: the chance of "12 9 80%" goes with /need."""
    if BETWEEN in line:
        return f"compare {line}" if _is_pair(line) else ""
    try:
        reading = parse(line, takes=("exact", "all", "advice", "chance"))
    except MatchupError:
        return ""
    told = reading.exact or reading.ends or reading.advice
    command = "battle" if told else "need" if reading.chance is not None else ""
    return f"{command} {line}" if command else ""


def _is_pair(line: str) -> bool:
    try:
        parse_plans(line)
    except MatchupError:
        return False
    return True


def _topic(command: str, game: str) -> str:
    """The screen of the help for a question about a game."""
    if command in OF_ARMIES or (command in QUESTIONS and game == "axis"):
        return "armies"
    return "questions" if command in QUESTIONS else game


def _example(command: str, game: str) -> str:
    lines: Mapping[str, str] = EXAMPLES[command]
    return lines.get(game) or next(iter(lines.values()))


def meant(line: str) -> str:
    """The game that a line seems to be about, by its words: "risk", "starwars", "icons" or "axis"."""
    text = line.casefold()
    if "icon" in text:
        return "icons"
    ships = re.search("fighter|bomber|capital", text)
    if re.match(r"\s*\d+\W*(?:vs?|x)?\W*\d", text) or re.search("(?:fighter|bomber|capital)s? ?[:=]", text):
        return "starwars" if ships else "risk"
    return "axis" if any(map(names_a_unit, re.findall("[a-z]{2,}", text))) else "risk"
