"""The terminal without a prompt: commands of a line or a file, JSON lines, logs, and the ways to install the bot."""

import getpass
import json
import logging
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from bot.commands import fought
from bot.commands.run import note_fault, run
from bot.commands.typed import command_in
from bot.editions import resolve_variant, rules_by_game
from bot.errors import UserError
from bot.games.base import Reading, Rooms
from bot.host_files import refuse_pipe
from bot.languages import N_, _, language, speaking
from bot.notation.asked_ends import WORDS
from bot.notation.mistakes import MatchupError
from bot.notation.reading import parse, read_in_room
from bot.pace import at_pace
from bot.packs import with_variant_rules
from bot.replies import ASK, ASK_ALL, IMPORT, Button, Reply, full_text
from bot.request import TERMINAL, Request, Services
from bot.rooms import ROOMS
from bot.settings import Settings
from bot.store.late import LateStore
from bot.words.numbers import progress_text
from bot.work.engine import Drawing, Engine, putting_off_pictures
from solver import BattleError
from solver.documents import check_nulls
from solver.game import Game, Question
from solver.games import GAMES
from solver.late import LateModule
from solver.progress import Progress, listening
from solver.questions import read_question

log = logging.getLogger(__name__)

fair, page, replay = (LateModule(f"bot.live.{name}") for name in ("fair", "page", "replay"))
multiwave, multiwave_answers, multiwave_raids = (
    LateModule(f"bot.foreign.multiwave{part}") for part in ("", "_answers", "_raids")
)
transfer = LateModule("bot.commands.transfer")
document_after: Callable[..., dict[str, object]] = LateModule("bot.phrases.after.reader").document_after
explain: Callable[[Rooms, str], Iterable[str]] = LateModule("bot.phrases.explain").explain

TELL_EVERY = at_pace(2.0)
"""Seconds after which a long answer says again how far its work is."""


async def answer_lines(settings: Settings, lines: Iterable[str], chart: Path | None = None) -> int:
    """Answer each line that is not blank; return 1 if any of them failed, else 0."""
    status = 0
    async with open_services(settings) as services:
        for line in filter(None, map(str.strip, lines)):
            with speaking(await chosen_language(services)):
                try:
                    status |= await _answer(with_file(request_from(line), settings), services, chart)
                except UserError as error:
                    print(plain(error.text))
                    status = 1
    return status


async def _answer(request: Request, services: Services, chart: Path | None) -> bool:
    """Answer one request, battles to their end and imports with their button; return whether that failed."""
    with putting_off_pictures() as drawings, progress_line():
        reply = await run(request, services)
    assert isinstance(reply, Reply), "no command that can be typed asks back with a form"
    if request.command in ("history export", "preset export"):
        # So that it can go into a file, the text of the file is all that is printed; words for people go beside it.
        print(plain(full_text(reply)), file=sys.stderr)
        print(reply.file.text if reply.file else "", end="")
        return reply.failed or not reply.file
    then = next((button for button in reply.buttons if button.command in ("roll out", IMPORT)), None)
    await show(reply, drawings, services, None if then else chart)
    return await _answer(press_request(then, request), services, chart) if then else reply.failed


@contextmanager
def progress_line() -> Iterator[None]:
    """Show how far the work inside is, in a line of standard error that goes away again, if that is a terminal."""
    out = sys.stderr
    if out is None or not out.isatty():
        yield
        return
    last, shown = time.monotonic(), False

    def show_line(progress: Progress) -> None:
        nonlocal last, shown
        if time.monotonic() - last >= TELL_EVERY:
            last, shown = time.monotonic(), True
            print(f"\r{progress_text(progress)}\033[K", end="", file=out, flush=True)

    with listening(show_line):
        try:
            yield
        finally:
            if shown:
                print("\r\033[K", end="", file=out, flush=True)


async def solve_lines(
    settings: Settings,
    lines: Iterable[str],
    out: TextIO,
    rooms: Rooms = ROOMS,
    games: Iterable[Game] = GAMES,
    like_input: bool = False,
) -> int:
    """Answer the battles of a file, one JSON answer a line in order; return 1 if any line was an error, else 0.

    With `like_input` a question in the shape of another program is answered in that program's shape.
    """
    status = 0
    async with Engine(settings, rooms, processes=False) as engine:
        for line in lines:
            try:
                document = _document(line)
                meaning = _meaning(document, rooms)
                answer = meaning or await _luck(document, engine, rooms)
                answer = answer or await _calculator(document, engine, like_input)
                answer = answer or await _odds(document, engine, rooms, games)
                status |= "error" in meaning
            except (BattleError, UserError) as error:
                answer = {"error": error.reason if isinstance(error, MatchupError) else str(error)}
                status = 1
            except Exception:
                # Whatever is wrong with one line or with us, the lines after it are answered.
                log.exception("fault at %s", line[:200])
                answer = {"error": "Something went wrong here, not with this line."}
                status = 1
            print(json.dumps(answer, allow_nan=False), file=out, flush=True)
    return status


def verify(settings: Settings, file: str, rooms: Rooms = ROOMS) -> int:
    """Check the log of a battle, its dice and its rules; return the exit status of bot/live/fair.py."""
    try:
        refuse_pipe(Path(file))
    except ValueError as error:
        raise UserError(f"{file!a} cannot be read: {error}.") from None
    status: int = fair.main([file], lambda log: replay.check(rooms, log, settings.most_work * 1_000_000))
    return status


def write_page(name: str) -> int:
    """Write the page that checks dice in a browser to a new file, and return 0."""
    try:
        with Path(name).open("x", encoding="utf-8") as file:
            file.write(page.page().text)
    except FileExistsError:
        raise UserError(f"{name} is there already, and the page takes nothing's place. Give another name.") from None
    except OSError as error:
        raise UserError(f"The page can't be written to {name}: {error.strerror}.") from None
    print(f"Open {name} in a browser, and give it the log of a battle.")
    return 0


def explain_line(line: str) -> int:
    """Print how a line is read, word by word; return 1 if it is not clear, else 0."""
    said = list(explain(ROOMS, line))
    print(*said, sep="\n")
    return int(any(row.startswith("not clear: ") for row in said))


@asynccontextmanager
async def open_services(settings: Settings, rooms: Rooms = ROOMS) -> AsyncIterator[Services]:
    """Open the services for one person at a terminal."""
    async with LateStore(settings.store) as late, Engine(settings, rooms, processes=False) as engine:
        yield Services(settings, engine, late.store, rooms, late)


async def chosen_language(services: Services) -> str:
    """Return the language that was chosen for this terminal."""
    return (await services.place_settings(TERMINAL)).language or language()


def request_from(line: str) -> Request:
    """Return the request of a line that the person at this terminal typed."""
    command, options = command_in(line)
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "you"  # Containers may run as a user that has no name.
    request = Request(command, user, user, TERMINAL, options, manages=True, moderates=True, interaction=_now())
    return replace(request, reader=language(), here=language())


def with_file(request: Request, settings: Settings) -> Request:
    """Return the request with the text of the file that it names; only the person at this terminal may name one."""
    typed = request.options.get("file", "").strip()
    if request.command != "preset import" or not typed:
        return request
    path, _space, word = typed.rpartition(" ")
    replaces = word.casefold() in ("replace", "replace:true") and bool(path)
    path = path.strip() if replaces else typed
    try:
        refuse_pipe(named := Path(path).expanduser())
        with named.open("rb") as file:
            data = file.read(transfer.most_bytes(settings) + 1)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(_("I can't read the file {path}: {reason}.", path=path, reason=reason)) from None
    return replace(request, options={"file": transfer.text_of(data)} | ({"replace": "yes"} if replaces else {}))


def press_request(button: Button, request: Request) -> Request:
    """Return the request of a button under the answer to a request."""
    return replace(request, command=button.command, argument=button.argument, interaction=_now(), typed=False)


def _now() -> str:
    """Return the time in milliseconds, with which a terminal draws fair dice."""
    return str(time.time_ns() // 1_000_000)


async def show(reply: Reply, drawings: Sequence[Drawing], services: Services, chart: Path | None = None) -> None:
    """Print an answer; write its picture and its file to the data folder and print their paths.

    `drawings` has the drawing of a picture that was put off: what draws is loaded while the words are read.
    """
    print(plain(full_text(reply)), flush=True)
    for button in reply.buttons:
        if reply.failed and button.command in (ASK, ASK_ALL) and f"`{button.label}`" not in reply.text:
            print(plain(_("Try: {line}", line=f"`{button.label}`")))
    if chart and not reply.picture and not reply.failed:
        raise UserError(_("That has no picture, so nothing was written to {file}.", file=chart))
    if reply.picture:
        file = chart or services.settings.data / "pictures" / reply.picture.name
        _write(file, reply.picture.png or await _draw(drawings), N_("I can't write the picture to {file}: {reason}."))
    for text in filter(None, (reply.file, reply.page)):
        if not text.for_buttons:
            file = services.settings.data / "files" / text.name
            _write(file, text.text.encode(), N_("I can't write the file to {file}: {reason}."))
    if reply.aside:
        print(plain(reply.aside))
    if reply.frame:
        await services.store.battles.mark_seen(*reply.frame)


async def _draw(drawings: Sequence[Drawing]) -> bytes:
    """Draw the picture of an answer; UserError says that it cannot be had."""
    *_others, drawing = drawings
    try:
        return await drawing()
    except UserError:
        raise
    except Exception:
        raise UserError(note_fault("a picture")) from None


def _write(file: Path, data: bytes, mistake: str) -> None:
    """Write a file and print its path; `mistake` is the text that says why it cannot be written."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise UserError(_(mistake, file=file, reason=error.strerror)) from None
    print(file)


def plain(text: str, colour: bool | None = None) -> str:
    """Return Discord's markdown for a terminal: bold and small print if it can show them, else bare text."""
    if colour is None:
        colour = sys.stdout is not None and sys.stdout.isatty()
    bold, dim, end = ("\033[1m", "\033[2m", "\033[0m") if colour else ("", "", "")
    lines, fenced = [], False
    for line in text.splitlines():
        if line == "```":
            fenced = not fenced
        elif fenced:
            lines.append(line)  # Text between two fences is taken to the letter.
        elif line.startswith("-# "):
            lines.append(f"{dim}{line.removeprefix('-# ').replace('`', '')}{end}")
        else:
            # So is text in back-ticks.
            quoted = re.sub("`([^`]+)`", lambda code: f'"{code[1]}"'.replace("*", "\0"), line)
            lines.append(re.sub(r"\*\*(.+?)\*\*", rf"{bold}\1{end}", quoted).replace("\0", "*"))
    return "\n".join(lines)


def _document(line: str) -> dict[str, Any]:
    """Return the object of one JSON line."""
    try:
        document = json.loads(line.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise UserError(f"This line is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except (ValueError, RecursionError):
        raise UserError("This line holds a number that is too long, or too much inside each other.") from None
    if not isinstance(document, dict):
        raise UserError('A line is an object: {"game": "risk", "attackers": 12, "defenders": 9}.')
    return document


def _meaning(document: dict[str, Any], rooms: Rooms) -> dict[str, object]:
    """Say which line a text means; nothing if the document asks something else."""
    if document.get("question") != "meaning":
        return {}
    texts = {name: value for name, value in document.items() if name != "question"}
    if not {"text"} <= texts.keys() <= {"text", "after"} or not all(isinstance(text, str) for text in texts.values()):
        raise UserError('A meaning is that of a text: {"question": "meaning", "text": "my 12 against his 9"}.')
    return document_after(rooms, **texts)


async def _luck(document: dict[str, Any], engine: Engine, rooms: Rooms) -> dict[str, Any]:
    """Say how lucky the battles of a text were; nothing if the document asks something else."""
    if document.get("question") != "luck":
        return {}
    if document.keys() != {"question", "text"} or not isinstance(document["text"], str):
        raise UserError('Luck is that of a text: {"question": "luck", "text": "12 9 lost 4; 20 3 won 5"}.')
    return await fought.document(document["text"], engine, rooms)


async def _calculator(document: dict[str, Any], engine: Engine, like_input: bool) -> dict[str, Any]:
    """Answer the question of another calculator; return nothing for other documents."""
    if "wave_info" in document:
        reading, answer_like = multiwave, multiwave_answers.multiwave_answer
        asked = multiwave.read_multiwave(document)
    elif "game" not in document and document.keys() >= {"attack", "defense"}:
        reading, answer_like = multiwave_raids, multiwave_raids.raid_answer
        asked = multiwave_raids.read_raid(document)
    else:
        return {}
    every = {"all": True} if like_input and asked.battle.get("waves", ())[1:] else {}
    try:
        answer = await engine.document(read_question({**asked.battle, **every}, rules_by_game()))
    except BattleError as error:
        raise reading.with_their_names(error) from None
    if like_input:
        answer = answer_like(asked, answer)
    elif asked.remark:
        answer = {**answer, "remark": asked.remark}  # the engine may give its answer to others, too
    return answer


async def _odds(document: dict[str, Any], engine: Engine, rooms: Rooms, games: Iterable[Game]) -> dict[str, Any]:
    """Answer a document about a battle, or its text in the notation with the remarks about that."""
    question, remarks = _question(document, rooms, games)
    answer = await engine.document(question)  # it may go to others, too
    return {**answer, "remark": " ".join(remarks)} if remarks else answer


def _question(document: dict[str, Any], rooms: Rooms, games: Iterable[Game]) -> tuple[Question, tuple[str, ...]]:
    """Return the question of a document, or of its text in the notation with the remarks about that."""
    if "text" in document:
        if document.keys() != {"text"} or not isinstance(document["text"], str):
            raise UserError('A line in the notation has nothing but its text: {"text": "12 9"}.')
        reading = rooms.allow(_reading(document["text"], rooms))
        return _question_of(reading, rooms, games), reading.of_words
    check_nulls(document)
    if document.get("question") == "conquer" and "map" in document:
        # Imported here, because few questions are about a map, and no line is.
        from bot.maps.documents import with_neighbours

        document = with_neighbours(document)
    return read_question(with_variant_rules(resolve_variant(document)), rules_by_game(), games), ()


def _question_of(reading: Reading, rooms: Rooms, games: Iterable[Game]) -> Question:
    """Return the question of a line in the notation."""
    own = rooms.of(reading.battle).notation.own_command
    if own and own.ask:
        return own.ask(reading.battle)
    asked: dict[str, Any] = {name: True for name in ("exact", "all") if reading.asked.get(name)}
    if ends := reading.asked.get("end"):
        asked["ends"] = [part.to_dict() for part in ends.ranges]
    try:
        return read_question({**reading.battle.to_dict(), **asked}, rules_by_game(), games)
    except BattleError as error:
        if error.field.endswith("all"):
            raise UserError("`all` lists the endings of a battle of Axis & Allies.") from None
        raise


def _reading(text: str, rooms: Rooms) -> Reading:
    """Read a text of a JSON line, which may have the command of a game alone; UserError if it is no battle."""
    command, options = command_in(text)
    for room in rooms:
        if room.notation.own_command and room.notation.own_command.name == command:
            return read_in_room(rooms, room, options["matchup"], {})
    if command == "compare":
        raise UserError("A text is one battle; give each plan a line of its own.")
    if command != "battle":
        raise UserError(f"A text is a battle; /{command} is asked with a `question` in a document.")
    return parse(rooms, options["matchup"], takes=("exact", "all", "digits", *WORDS), own_commands=True)
