"""The program `sandtable`: it reads the settings and starts Discord, the terminal or one of the host's tools."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING

from bot.command_line import TERMINAL, command_words, read_words
from bot.errors import LaterError, UserError

# Everything else is imported where it is needed: a terminal starts anew for each question.
if TYPE_CHECKING:
    from bot.settings import Settings

SYSTEMS = "linux", "darwin"
SYSTEM: str = sys.platform
BOTS = "discord", "http"
"""The commands that run until they are asked to end, and log why if they end before."""
SETTINGS_WRONG, AWAY = 78, 75
"""The exit statuses of a bot that will never start with these settings, and of one that may later."""
WHILE_LOADING = 50_000
"""How many new objects a program makes before it looks for garbage while it loads: modules are many, and none is."""


def program() -> int:
    """Run the program `sandtable` as a process of its own, which ends with it, and return its exit status."""
    gc.set_threshold(WHILE_LOADING)
    status = main()
    # The process ends now, and all of its memory with it: looking for garbage in it once more would take long.
    gc.freeze()
    return status


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program `sandtable` and return its exit status."""
    words = read_words(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # What a terminal cannot show, or a file should not hold, becomes a question mark rather than an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if SYSTEM not in SYSTEMS:
        print(f"Sandtable runs on Linux and macOS, not on {SYSTEM}; Docker or WSL brings Linux there.", file=sys.stderr)
        return 1
    from bot.settings import load

    try:
        return STARTS[words.command](words, load())
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if words.command in BOTS:
            return _end_bot(error)
        if isinstance(error, UserError):
            print(error.text, file=sys.stderr)
            return 2
        if not isinstance(error, OSError):
            raise
        # The reader of the output has closed it, or the disk is full. Python would complain again when it ends.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        if not isinstance(error, BrokenPipeError):
            print(_limit(error), file=sys.stderr)
        return 1


def _end_bot(error: Exception) -> int:
    """Log why a bot ends, in the form of its log, and return its exit status."""
    import logging

    from bot import logs
    from bot.settings import log_format

    logs.configure("ERROR", log_format())  # unless that is done already
    log = logging.getLogger("bot")
    if isinstance(error, UserError):
        log.critical("%s", error)
        return AWAY if isinstance(error, LaterError) else SETTINGS_WRONG
    if isinstance(error, OSError):
        log.critical("%s", _limit(error))
    else:
        log.critical("a fault of the program ends it", exc_info=error)
    return 1


def _limit(error: OSError) -> str:
    return f"This is as far as the system lets it go: {error.strerror or error}."


def _run_terminal(words: argparse.Namespace, settings: "Settings") -> int:
    line = " ".join(words.line)
    if words.chart and (not line or command_words(words.line)):
        raise UserError("--chart goes with one battle: sandtable --chart odds.png 12 9")
    if words.line and not line.strip():
        raise UserError("There is no question in an empty line: sandtable --help says what you can ask.")
    import asyncio

    from bot import console

    _prepare_terminal()
    if line or not (sys.stdin and sys.stdin.isatty()):
        return asyncio.run(console.answer_lines(settings, [line] if line else sys.stdin or [], words.chart))
    from bot.prompt import converse

    return asyncio.run(converse(settings))


def _answer(words: argparse.Namespace, settings: "Settings") -> int:
    import asyncio

    from bot import console

    _prepare_terminal()
    if words.command == "solve":
        return asyncio.run(console.solve_lines(settings, sys.stdin or [], sys.stdout, like_input=words.like_input))
    if words.command == "verify":
        return console.write_page(words.page) if words.page else console.verify(settings, words.file)
    return console.explain_line(" ".join(words.line))


def _run_bot(words: argparse.Namespace, settings: "Settings") -> int:
    import asyncio
    import logging
    from functools import partial

    _end_when_asked(0)
    _load_rules()
    from bot import logs
    from bot.languages import load_languages
    from bot.maps.reading import load_maps
    from bot.openings import openings
    from bot.phrases.explain import explain
    from bot.rooms import ROOMS
    from bot.store.unopened import hold_lock
    from bot.work.forks import end_loading, prepared_parent
    from bot.work.pool import prepare
    from solver.compiled import library
    from solver.late import load_all

    load_languages()
    openings()  # like the maps
    load_all()
    load_maps()  # not in `_load_rules`: a terminal needs them only where somebody asks for one
    # What is loaded by now is shared with the workers. Threads, locks and sockets, which must not be, come later.
    with (
        prepared_parent(partial(prepare, ROOMS)) as parent,
        hold_lock(settings.file, elsewhere=settings.store != settings.file),
    ):
        list(explain(ROOMS, "12 agianst 9"))  # loads all words and what mends them, before the first person waits
        # Imported here, because workers need no database, and the terminal need not wait for Discord's library.
        from bot.upkeep import NO_KERNEL, check_database

        if words.command == "http":
            from bot.discord_app.http.client import serve_http

            serve = partial(serve_http, settings, parent)
        else:
            from bot.discord_app import serve as serve_discord

            serve = partial(serve_discord, settings, parent, words.take_over)

        if settings.store == settings.file and settings.file.exists():
            # The host learns of damage now, not the people whose battle is in the damaged part.
            check_database(settings.file)
        logs.configure(settings.log, settings.log_format)
        if not library.library():
            logging.getLogger("bot").warning(NO_KERNEL)
        load_all()  # what commands need
        end_loading()
        asyncio.run(serve())
    return 0


def _register(words: argparse.Namespace, settings: "Settings") -> int:
    import asyncio

    _load_rules()
    from bot.discord_app.registering import register

    return asyncio.run(register(settings, words.installs, words.emoji))


def _keep_up(words: argparse.Namespace, settings: "Settings") -> int:
    if words.command == "edition":
        from bot.foreign.triplea_packs import write_edition

        return write_edition(words.file, words.to, words.opening)
    if words.command != "check":
        _end_when_asked(1)
    from bot import upkeep

    if words.command == "check":
        return upkeep.check(settings)
    if words.command == "backup":
        return upkeep.back_up(settings, words.file)
    return upkeep.move_to(settings, words.address)


def _end_when_asked(status: int) -> None:
    """Let the process end with this status when it is asked to, before `serve` knows more to do."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(status))
    # There are workers for all processors already, and numpy's threads would take memory in each of them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _load_rules() -> None:
    """Load variants and editions: the host learns of a wrong one now, not the first person who uses it."""
    from bot import editions, packs

    packs.load()
    editions.editions()


def _prepare_terminal() -> None:
    from bot import logs, packs

    packs.load()  # lines with dice name variants; editions wait for a line that needs them
    logs.configure("WARNING")


STARTS: Mapping[str, Callable[[argparse.Namespace, "Settings"], int]] = {
    TERMINAL: _run_terminal,
    **dict.fromkeys(("solve", "verify", "explain"), _answer),
    **dict.fromkeys(("discord", "http"), _run_bot),
    "register": _register,
    **dict.fromkeys(("check", "edition", "backup", "move-to"), _keep_up),
}
"""The functions that do what the command line asks for."""


if __name__ == "__main__":
    sys.exit(program())
