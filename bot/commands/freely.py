"""Answers lines that are no notation: reads them as people say it, shows how, or asks back with buttons."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from bot.commands.battle import MOST_PIECES, NoBattleError
from bot.commands.error_help import buttons_for, corrections, help_topic
from bot.commands.fought import EXAMPLE, SHAPE, NoResultError
from bot.commands.opponent import OPTIONS_OF_PLAYERS, PLAYERS_IN_LINE
from bot.commands.table import COMMANDS
from bot.commands.typed import TYPED, command_in
from bot.errors import UserError
from bot.games.base import Claim, Rooms
from bot.languages import _, compose
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.lexer import normal, unknown_words
from bot.notation.mistakes import MatchupError, WrongCommandError
from bot.notation.old_lines import explicit
from bot.notation.plans import BETWEEN, parse_plans
from bot.notation.reading import has_own_words, is_certain, is_notation, looks_like_prose, parse
from bot.phrases.after.reader import NOTHING_BEFORE, is_follow_up
from bot.phrases.asking import DICE_ALONE, GREETING, UNKNOWN, sentence_for, unclear_words
from bot.phrases.beside.names import says_who_plays
from bot.phrases.canonical import canonical_or_none
from bot.phrases.meaning import Offer, Understood
from bot.phrases.questions import LINE_ALONE
from bot.phrases.reader import understand
from bot.phrases.tag import OF_ARMIES, has_table, values_of
from bot.phrases.tokens import LONGEST_PHRASE
from bot.replies import HELP, LONGEST_BUTTON, Button, Form, Reply, ask_button
from bot.request import Request, Services

MOST_WORDS_BEHIND = 10
"""The most words of a line in the middle of a sentence from its last number on."""
BATTLES = "preset save", "preset change"
"""The commands that take a battle and nothing else."""

_TWO_NUMBERS = re.compile(r"^\s*(\d+) (\d+)\b")
"""A battle in notation, in front of what somebody tells of it."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n")


def _check_plans(rooms: Rooms, text: str, saved: Mapping[str, str]) -> None:
    """Raise the mistake in plans with "or" between them, if each of them is surely notation."""
    plans = text.split(" or ")
    if len(plans) > 1 and all(is_certain(rooms, plan, saved) for plan in plans):
        parse_plans(rooms, f" {BETWEEN} ".join(plans), saved)


def understand_here(request: Request, services: Services, text: str, saved: Mapping[str, str]) -> Understood:
    """Read a text that somebody typed after a command as people say it, by the settings and presets of the place."""
    command = LINE_ALONE if request.command in BATTLES else request.command
    with reading_with(request.line_defaults):
        return understand(services.rooms, text, request.reader, saved, command)


async def answer_freely(error: MatchupError, request: Request, services: Services) -> Reply | Form:
    """Answer a line in which the notation finds a mistake; raise the mistake if nobody says such a line."""
    text = request.options.get("matchup", "")
    if not request.typed or not text or request.command not in TYPED or is_notation(services.rooms, text, error):
        raise error
    if other := _command_typed(text, request):
        return await COMMANDS[other.command].run(other, services)
    prose = looks_like_prose(services.rooms, text)
    if isinstance(error, WrongCommandError) and not prose:
        raise error
    saved = await services.saved_lines(request.place)
    with reading_with(request.line_defaults):
        _check_plans(services.rooms, text, saved)
    phrase = await _understand_typed(request, services, text, saved)
    if asked := _help_asked(phrase, prose, request):
        return await COMMANDS[HELP].run(asked, services)
    if phrase.line:
        with _error_of_what_is_typed(error):
            return await _answer_phrase(phrase, text, request, services)
    _check_follow_up(text, request)
    check_players(text, phrase)
    if _asks_back(error, phrase, prose, request, services, saved):
        return await ask_back(phrase, request, services)
    if phrase.offers and not prose and not corrections(services.rooms, error, request):
        return replace(await ask_back(phrase, request, services), text=error.text)
    raise error


def _check_follow_up(text: str, request: Request) -> None:
    """Raise UserError if a text goes on from an answer, and there is none before it."""
    if request.command == "battle" and not request.after and is_follow_up(text, request.reader):
        raise UserError(_(NOTHING_BEFORE))


async def answer_result(error: NoResultError, request: Request, services: Services) -> Reply | Form:
    """Answer what somebody tells of a battle behind /luck; raise the error if nobody does."""
    text = request.options.get("fought") or request.options.get("words", "")
    if not request.typed or not looks_like_prose(services.rooms, text):
        raise error
    saved = await services.saved_lines(request.place)
    text = _TWO_NUMBERS.sub(r"\1 vs \2", text)
    for said in (text, f"{text} how unlucky was that"):
        await asyncio.sleep(0)  # others are answered in between
        phrase = understand_here(replace(request, command="battle"), services, said, saved)
        if phrase.line.startswith("/luck "):
            return await _answer_phrase(phrase, text, replace(request, options={}), services)
    raise UserError(_(SHAPE), EXAMPLE) from None


async def _understand_typed(request: Request, services: Services, text: str, saved: Mapping[str, str]) -> Understood:
    """Read a typed text; with its command, too, which may be the first word: "order of losses for 3 inf against 2"."""
    phrase = understand_here(request, services, text, saved)
    if phrase.line or phrase.on_map or request.command in ("battle", *BATTLES) or _asks_for_help(phrase):
        return phrase
    await asyncio.sleep(0)  # others are answered in between
    whole = understand_here(request, services, f"{request.command} {text}", saved)
    return whole if whole.line else phrase


def _asks_for_help(phrase: Understood) -> bool:
    """Tell whether a phrase behind a command asks what that does."""
    beside = has_table(phrase.tags, *OF_ARMIES, "variants", "games") or unclear_words(phrase.tags)
    plain = not (phrase.line or phrase.on_map or beside)
    return plain and {*values_of(phrase.tags, "questions")} == {HELP}


def _help_asked(phrase: Understood, prose: bool, request: Request) -> Request | None:
    """Return the request for the help that a phrase asks for; None if it asks for none."""
    if request.command not in ("battle", *BATTLES) and _asks_for_help(phrase):
        return replace(request, options={"topic": request.command})
    greets = phrase.why == GREETING and prose and request.command == "battle"
    return replace(request, command=HELP, options={}) if greets else None


def _command_typed(text: str, request: Request) -> Request | None:
    """Return the request for a line that begins with another command than /battle; None if there is none."""
    if not text.startswith("/") or request.command != "battle":
        return None
    command, options = command_in(text)
    other = command != "battle" and COMMANDS[command].anybody_may_press
    return replace(request, command=command, options=options) if other else None


async def _answer_phrase(phrase: Understood, text: str, request: Request, services: Services) -> Reply | Form:
    """Answer the line in which a phrase is read."""
    check_players(text, phrase)
    asked = request_for(phrase.line, replace(request, private=request.private or phrase.is_private))
    answer = await with_reading(await COMMANDS[asked.command].run(asked, services), phrase, asked, services)
    return _with_options_of_players(answer) if asked.command == "battle" and says_who_plays(text) else answer


def check_players(text: str, phrase: Understood) -> None:
    """Raise UserError if a battle is to begin, and words say who plays, which no line does.

    A mention beside a question about the odds is only for who is to see them.
    """
    rolls = any(line.startswith("/roll") for line in (phrase.line, *(offer.line for offer in phrase.offers)))
    if rolls and (says_who_plays(text) or PLAYERS_IN_LINE.search(text)):
        raise UserError(_(OPTIONS_OF_PLAYERS))


def _with_options_of_players(answer: Reply | Form) -> Reply | Form:
    """Return an answer about the odds that says how to name the players of a battle."""
    if isinstance(answer, Form) or answer.failed:
        return answer
    return replace(answer, remarks=(*answer.remarks, _(OPTIONS_OF_PLAYERS)))


def _asks_back(
    error: MatchupError, phrase: Understood, prose: bool, request: Request, services: Services, saved: Mapping[str, str]
) -> bool:
    """Tell whether a question back about a phrase says more than the mistake that the notation finds."""
    if _knows_better(error, phrase, request, services, saved):
        return False
    if (phrase.on_map and not _has_readings(phrase)) or phrase.why == DICE_ALONE:
        return True
    if _has_readings(phrase):
        return prose or saved.keys().isdisjoint(request.options["matchup"].casefold().split())
    return prose and not corrections(services.rooms, error, request)


def _has_readings(phrase: Understood) -> bool:
    """Tell whether a line may be meant that leaves nothing out."""
    return any(not offer.without for offer in phrase.offers)


def _knows_better(
    error: MatchupError, phrase: Understood, request: Request, services: Services, saved: Mapping[str, str]
) -> bool:
    """Tell whether the notation of conquests says better what is wrong with a line than a question back does."""
    if phrase.on_map:
        return error.reason == phrase.why
    if _has_readings(phrase) and request.command != "conquer":
        return False
    text = request.options["matchup"]
    rooms = (room.notation for room in services.rooms if "conquer" in room.commands and room.notation.claims)
    claimed = any(notation.claims and notation.claims(text, saved) >= Claim.LIKELY for notation in rooms)
    return request.command == "conquer" or (claimed and phrase.why.startswith(UNKNOWN))


@contextmanager
def _error_of_what_is_typed(error: MatchupError) -> Iterator[None]:
    """Raise the error of a typed line in place of one about the line that it is read as, which nobody has typed."""
    try:
        yield
    except MatchupError:
        raise error from None


async def find_freely(error: NoBattleError, request: Request, services: Services) -> Reply | Form:
    """Answer about the first battle that somebody tells in a message; raise the error if nobody does."""
    text = request.options["text"]
    saved = await services.saved_lines(request.place)
    for piece in list(dict.fromkeys([text, *_SENTENCE_END.split(text)]))[:MOST_PIECES]:
        await asyncio.sleep(0)  # others are answered in between
        if is_certain(services.rooms, piece, saved):
            continue  # It was tried as notation.
        phrase = understand_here(replace(request, command="battle"), services, piece, saved)
        if not any(map(str.isdecimal, phrase.line)):  # a question about no battle, or no line at all
            with reading_with(request.line_defaults):
                phrase = Understood(_line_within(services.rooms, piece))
        if phrase.line:
            # The odds of it are asked for: whoever wrote the message begins the battle, or nobody.
            line, other = (meant.removeprefix("/roll ") for meant in (phrase.line, phrase.other))
            phrase = replace(phrase, line=line, other=other)
            asked = request_for(phrase.line, request)
            return await with_reading(await COMMANDS[asked.command].run(asked, services), phrase, asked, services)
    raise error


def _line_within(rooms: Rooms, sentence: str) -> str:
    """Return the line of notation in the middle of a sentence, with all numbers of that; "" if there is none."""
    words = sentence.split()
    numbers = [index for index, word in enumerate(words) if any(map(str.isdecimal, word))]
    if not numbers:
        return ""
    for end in range(min(len(words), numbers[-1] + MOST_WORDS_BEHIND), numbers[-1], -1):
        line = normal(" ".join(words[numbers[0] : end]))
        if len(line) > LONGEST_PHRASE:
            continue
        bare = all(word.isdecimal() for word in line.split())
        if not bare and (has_own_words(rooms, line) or not unknown_words(line)):
            canonical_line = canonical_or_none(rooms, line)
            if canonical_line:
                return canonical_line
    return ""


def request_for(line: str, request: Request) -> Request:
    """Return the request for a line in which a phrase is read; it needs no settings of the place any more."""
    if line.startswith("/"):
        command, options = command_in(line)
    else:
        command, options = request.command if request.command in BATTLES else "battle", {"matchup": line}
    private = request.private or bool(COMMANDS[command].private)
    options = {**request.options, **options}
    return replace(request, command=command, options=options, private=private, typed=False, in_own_words=True)


async def with_reading(reply: Reply | Form, phrase: Understood, request: Request, services: Services) -> Reply | Form:
    """Return an answer that says how the line was read, with the odds of the other reading and a button for it."""
    if isinstance(reply, Form) or reply.failed:
        return reply
    line, other = line_here(phrase.line, request, services), line_here(phrase.other, request, services)
    said = _("Read as `{line}`.", line=line)
    if odds := await _odds_in_brief(phrase.other, services):
        said = _("Read as `{line}`. Did you mean `{other}` ({odds})?", line=line, other=other, odds=odds)
    elif other:
        said = _("Read as `{line}`. Did you mean `{other}`?", line=line, other=other)
    buttons = (ask_button(_command_line(other, request), not reply.private),) if other else ()
    remarks = filter(None, (said, phrase.remark))
    if phrase.is_private and reply.frame is None:
        reply = replace(reply, private=True)
    return replace(reply, remarks=(*remarks, *reply.remarks), buttons=(*reply.buttons, *buttons))


async def _odds_in_brief(line: str, services: Services) -> str:
    """Return the odds of a canonical line in a few words; "" if it is about something else, or they take long."""
    if not line or line.startswith("/"):
        return ""
    with suppress(UserError):
        with reading_with(NotationDefaults()):
            battle = services.rooms.allow(parse(services.rooms, line)).battle
        room = services.rooms.of(battle)
        if room.words and room.solving and room.solving.is_quick(battle):
            return room.words.brief(await services.engine.odds(battle))
    return ""


async def ask_back(phrase: Understood, request: Request, services: Services) -> Reply:
    """Return the question back, with the lines that may be meant as buttons, each with its odds."""
    # A preset is a line without a command.
    offers = [offer for offer in phrase.offers if request.command not in BATTLES or not offer.line.startswith("/")]
    lines = {_command_line(line_here(offer.line, request, services), request): offer for offer in offers}
    text: str = sentence_for(phrase.why)
    if len(lines) > 1:
        text = compose("{what} {which}", what=text, which=_("Which do you mean?"))
    elif lines:
        text = compose(
            "{what} {which}", what=text, which=_("Do you mean `{line}`?", line=ask_button(next(iter(lines))).label)
        )
    example = [_command_line(_after(request.command, phrase.example), request)] if phrase.example else []
    topic = help_topic(services.rooms, request, next(iter(lines), ""))
    buttons = [
        await _with_odds(button, lines.get(button.argument), services)
        for button in buttons_for([*lines] or example, request, [topic])
    ]
    return Reply(text, buttons=tuple(buttons), private=True, failed=True)


async def _with_odds(button: Button, offer: Offer | None, services: Services) -> Button:
    """Return a button with the odds of its line on it, and the words of the phrase that the line leaves out."""
    if offer is None:
        return button
    without = _("without {words}", words=offer.without) if offer.without else ""
    label = " · ".join(filter(None, [button.label, await _odds_in_brief(offer.line, services), without]))
    return replace(button, label=label) if len(label) <= LONGEST_BUTTON else button


def _after(command: str, line: str) -> str:
    """Return a line with the command after which it is typed, unless it has one."""
    return line if command in ("battle", *BATTLES) or line.startswith("/") else f"/{command} {line}"


def line_here(line: str, request: Request, services: Services) -> str:
    """Return a line, with or without a command, so that it means the same if it is typed in this place."""
    command, _space, said = line[1:].partition(" ") if line.startswith("/") else ("", "", line)
    typed = replace(request, command=command or request.command, typed=True)
    said = explicit(services.rooms, said.replace(" or ", f" {BETWEEN} "), typed.line_defaults)
    return f"/{command} {said}".strip() if command else said


def _command_line(line: str, request: Request) -> str:
    """Return a line with its command and without its stroke, as buttons ask it."""
    if request.command in BATTLES:
        return f"{request.command} {request.options['name']} {line}"
    return line[1:] if line.startswith("/") else f"battle {line}"
