"""Answers to mistakes: an explanation, with buttons for a right line and for the help."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from bot.commands.screens import helps
from bot.commands.table import COMMANDS
from bot.commands.typed import TYPED, command_in
from bot.errors import UserError
from bot.games.base import Rooms
from bot.languages import _
from bot.notation.asked_ends import asks_more
from bot.notation.defaults import reading_with
from bot.notation.dice_options import ASKED_WITH_BATTLE
from bot.notation.lexer import normal, tokens
from bot.notation.mistakes import MatchupError, numbers_of, replaces_numbers, without_corrections
from bot.notation.plans import BETWEEN, parse_plans
from bot.notation.reading import parse
from bot.replies import HELP, Button, Reply, ask_button
from bot.request import Request


def explain(rooms: Rooms, error: UserError, request: Request | None = None) -> Reply:
    """Say what is wrong; a wrong line gets buttons with a right line and with the help.

    The answer to the right line is as private as that to the wrong one.
    """
    lines = [error.instead] if error.instead else []
    topics = []
    if isinstance(error, MatchupError) and request and request.command in TYPED:
        lines += corrections(rooms, error, request) or examples_for(rooms, request)
        topics = [help_topic(rooms, request, error.better)]
    buttons = buttons_for(lines, request, topics)
    if error.label:
        buttons = tuple(replace(button, label=error.label) for button in buttons)
    return Reply(error.text, buttons=buttons, private=True, failed=True)


def buttons_for(lines: Sequence[str], request: Request | None, topics: Sequence[str]) -> tuple[Button, ...]:
    """Return buttons that ask these lines, those that anybody may press if all see them, and buttons to the help."""
    everybody = request is None or not request.private
    shared = [line for line in lines if COMMANDS[command_in(line)[0]].anybody_may_press]
    right = [ask_button(line, everybody) for line in (shared if everybody else lines)]
    return *right, *(Button(_("Help"), HELP, argument=topic) for topic in topics)


def help_topic(rooms: Rooms, request: Request, line: str) -> str:
    """Return the topic of the help that fits a request with a line that is wrong."""
    return _screen(rooms, request.command, guess_topic(rooms, line or request.options.get("matchup", "")))


def corrections(rooms: Rooms, error: MatchupError, request: Request) -> list[str]:
    """Return the line that was probably meant; none if it would have other numbers."""
    command, options = request.command, request.options
    if _has_more(request):
        return []
    with reading_with(request.line_defaults):
        other = _line_for_other_command(rooms, options["matchup"]) if examples_of(rooms, command) else ""
    if other:
        return [other]
    if not error.better or replaces_numbers(options["matchup"], error.better):
        return []
    line = _line_of(replace(request, options={**options, "matchup": error.better}))
    return [line] if line != _line_of(request) else []


def examples_for(rooms: Rooms, request: Request) -> list[str]:
    """Return an example of a right line; none for a command that changes something.

    If numbers were typed, it has all that was typed: otherwise it would be another battle.
    """
    examples, typed = examples_of(rooms, request.command), request.options.get("matchup", "")
    if not examples or _has_more(request):
        return []
    example = examples.get(guess_topic(rooms, typed)) or next(iter(examples.values()))
    with reading_with(request.line_defaults):
        line = request.as_example_here(rooms, f"{request.command} {example}")
    return [] if numbers_of(typed) and _pieces(typed) - _pieces(example) else [line]


def _pieces(line: str) -> Counter[str]:
    """Return the numbers, options and words of a line, without the signs between sides."""
    return Counter(token.text for token in tokens(normal(line)) if token.kind not in ("versus", "sign", "step"))


def _has_more(request: Request) -> bool:
    """Tell whether a request has options, such as an opponent, that do not fit into a line."""
    return any(value for name, value in request.options.items() if name not in TYPED[request.command])


def _line_of(request: Request) -> str:
    """Return the request as a typed line."""
    return " ".join([request.command, *(request.options[name] for name in TYPED[request.command])])


def _line_for_other_command(rooms: Rooms, line: str) -> str:
    """Return the line with the command that takes it, if that is another: "12 9 80%" has a chance as in /need."""
    if BETWEEN in line:
        return f"compare {line}" if _is_pair(rooms, line) else ""
    try:
        with without_corrections():
            reading = parse(rooms, line, takes=(*ASKED_WITH_BATTLE, "chance"))
    except MatchupError:
        return ""
    command = "battle" if asks_more(reading.asked) else "need" if reading.chance is not None else ""
    return f"{command} {line}" if command else ""


def _is_pair(rooms: Rooms, line: str) -> bool:
    try:
        with without_corrections():
            parse_plans(rooms, line)
    except MatchupError:
        return False
    return True


def _screen(rooms: Rooms, command: str, topic: str) -> str:
    """Return the topic of the screen about a command, for a line about this topic."""
    screen = COMMANDS[command].help
    if screen == "questions":
        return next((part.questions for part in helps(rooms) if topic in part.examples), screen)
    return screen or topic


def examples_of(rooms: Rooms, command: str) -> dict[str, str]:
    """Return a right line of a command for each topic that has one."""
    lines = (item for part in helps(rooms) for item in part.examples.items())
    return {topic: examples[command] for topic, examples in lines if command in examples}


def guess_topic(rooms: Rooms, line: str) -> str:
    """Guess by the words of a line what it is about: the topic of a screen, that of the first game if none fits."""
    guesses = (part.guess(line) for part in helps(rooms) if part.guess)
    return next(filter(None, guesses), "") or next(topic for part in helps(rooms) for topic in part.examples)
