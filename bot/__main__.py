"""The program `sandtable`: it reads the settings and starts Discord, the terminal or one of the host's tools."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import UserError

# Everything else is imported where it is needed: a terminal starts anew for each question.
if TYPE_CHECKING:
    from bot.settings import Settings

WHILE_LOADING = 50_000
"""How many new objects the program of a terminal makes before it looks for garbage: modules are many, and none is."""


def program() -> int:
    """Run the program `sandtable` as a process of its own, which ends with it, and return its exit status."""
    if sys.argv[1:] != ["discord"]:
        gc.set_threshold(WHILE_LOADING)
    status = main()
    # The process ends now, and all of its memory with it: looking for garbage in it once more would take long.
    gc.freeze()
    return status


CHARTLESS = "", "solve", "check", "discord", "http", "register"
"""Lines that make no picture."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program `sandtable` and return its exit status."""
    given = _parser().parse_args(arguments)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # What a terminal cannot show, or a file should not hold, becomes a question mark rather than an error.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    from bot.settings import load

    try:
        settings = load()
        return _start(" ".join(given.line), given, settings)
    except UserError as error:
        print(error.text, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        # The reader of the output has closed it, or the disk is full. Python would complain again when it ends.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        if not isinstance(error, BrokenPipeError):
            print(f"This is as far as the system lets it go: {error.strerror or error}.", file=sys.stderr)
        return 1


def _start(line: str, given: argparse.Namespace, settings: "Settings") -> int:
    command, _, rest = line.partition(" ")
    chart: Path | None = given.chart
    if given.installs and line != "register":
        raise UserError("--installs goes with the command register: sandtable register --installs")
    if line in ("discord", "http") or command in ("backup", "move-to"):
        # From the first moment an end that is asked for is one in order; `serve` will know more to do.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1 if command in ("backup", "move-to") else 0))
        # There are workers for all processors already, and numpy's threads would take memory in each of them.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if chart and (line in CHARTLESS or command in ("verify", "explain", "backup", "move-to")):
        raise UserError("--chart goes with one battle: sandtable --chart odds.png 12 9")
    if line == "check" or command in ("backup", "move-to"):
        from bot import upkeep

        if command == "move-to":
            return upkeep.move_to(settings, rest)
        return upkeep.check(settings) if line == "check" else upkeep.back_up(settings, rest)
    from bot import editions, packs

    # The host learns of a wrong pack now, not the first person who uses it.
    packs.load()
    editions.editions()
    if line == "register":
        import asyncio

        from bot.discord_app.registering import register

        return asyncio.run(register(settings, given.installs))
    return _run_discord(line, settings) if line in ("discord", "http") else _run_terminal(line, chart, settings)


def _run_discord(line: str, settings: "Settings") -> int:
    import asyncio
    from functools import partial

    from bot import logs
    from bot.languages import load_languages
    from bot.phrases.vocabulary import vocabularies
    from bot.rooms import ROOMS
    from bot.store.lock import hold_lock
    from bot.work.crew import prepare
    from bot.work.forks import prepared_parent

    load_languages()
    # What is loaded by now is shared with the workers. Threads, locks and sockets, which must not be, come later.
    with (
        prepared_parent(partial(prepare, ROOMS)) as parent,
        hold_lock(settings.file, elsewhere=settings.store != settings.file),
    ):
        vocabularies()  # now, rather than while the first person waits
        # Imported here, because the terminal need not wait for Discord's library.
        if line == "http":
            from bot.discord_app.door.client import serve_http as serve
        else:
            from bot.discord_app import serve

        if settings.store == settings.file and settings.file.exists():
            # The host learns of damage now, not the people whose battle is in the damaged part.
            from bot.upkeep import check_database

            check_database(settings.file)
        logs.configure(settings.log, settings.log_format)
        asyncio.run(serve(settings, parent))
    return 0


def _run_terminal(line: str, chart: Path | None, settings: "Settings") -> int:
    import asyncio

    from bot import console, logs

    logs.configure("WARNING")
    if line == "solve":
        return asyncio.run(console.solve_lines(settings, sys.stdin or [], sys.stdout))
    command, _, rest = line.partition(" ")
    if command == "verify":
        if not rest:
            raise UserError("Which log is to be checked? sandtable verify battle.json")
        return console.verify(settings, rest)
    if command == "explain":
        if not rest:
            raise UserError('Which line is to be explained? sandtable explain "my 12 vs his 9"')
        return console.explain_line(rest)
    if line or not (sys.stdin and sys.stdin.isatty()):
        return asyncio.run(console.answer_lines(settings, [line] if line else sys.stdin or [], chart))
    from bot.prompt import converse

    return asyncio.run(converse(settings))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sandtable",
        description="Exact odds for battles in board games.",
        epilog='sandtable "/battle 12 9 bombers:2" answers once; sandtable alone asks what you want to know; '
        "sandtable solve reads battles as JSON lines and writes their odds; sandtable verify battle.json checks the "
        'dice of a battle that was rolled; sandtable explain "my 12 vs his 9" shows how a line is read, word by word; '
        "sandtable discord runs the bot; sandtable http answers commands that Discord sends as HTTP requests, and "
        "sandtable register tells Discord the commands for that, with --installs also that the bot may be installed on "
        "servers and for people; sandtable check looks at what it would start with; sandtable backup FILE copies its "
        "database, also while it runs, and sandtable move-to ADDRESS moves it to PostgreSQL.",
    )
    parser.add_argument(
        "line",
        nargs="*",
        help='a command such as "/battle 12 9", or: solve, verify FILE, explain LINE, discord, http, register, '
        "check, backup FILE, move-to ADDRESS",
    )
    parser.add_argument("--chart", type=Path, metavar="FILE", help="where the picture goes")
    parser.add_argument("--installs", action="store_true", help="with register: switch both ways to install on")
    parser.add_argument("--version", action=_ShowVersion)
    return parser


class _ShowVersion(argparse.Action):
    """The option that prints the version of the program and ends it."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show program's version number and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version."""
        from importlib.metadata import version

        parser.exit(message=f"{version('sandtable')}\n")


if __name__ == "__main__":
    sys.exit(program())
