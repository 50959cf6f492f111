"""The command line of `sandtable`: its commands, what each of them takes, and the help of each."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.version import version

TERMINAL = "terminal"
"""The command that answers a line. Nobody types it: any words that aren't a command are a line."""
ALONE = ("solve", "discord", "http", "register", "check")
"""Commands that no other word follows: `solve my 12 against his 9` is a line."""
TAKING = ("verify", "explain", "edition", "backup", "move-to")
"""Commands that a file, a line or an address follows."""


def read_words(words: Sequence[str]) -> argparse.Namespace:
    """Return what the words after `sandtable` mean: the `command`, and what that takes.

    This prints help, or the mistake in the words, and then ends the program.
    """
    if list(words[:1]) not in (["-h"], ["--help"]):
        words = command_words(words) or [TERMINAL, *words]
    return _parser().parse_args(words)


def command_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command, such as those of "verify battle.json"; none if they are a line."""
    first, _, rest = words[0].partition(" ") if words else ("", "", "")
    if first in TAKING:
        return [first, *([rest] if rest else []), *words[1:]]
    is_alone = words[:1] and words[0] in ALONE and all(word.startswith("-") for word in words[1:])
    return list(words) if is_alone else []


def _parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--chart", type=Path, metavar="FILE", help="where the picture of the answer goes")
    options.add_argument("--version", action=_ShowVersion)
    usage = "sandtable [-h] [--version] [--chart FILE] [LINE ...]"
    parser = argparse.ArgumentParser(
        prog="sandtable",
        usage=f"{usage}\n       sandtable COMMAND ...",
        description='Exact odds for battles in board games. A line such as "/battle 12 9 bombers:2" is answered once; '
        "lines from a pipe are answered one after the other. sandtable alone asks what you want to know.",
        epilog="sandtable COMMAND --help tells what a command takes.",
        parents=[options],
    )
    commands = parser.add_subparsers(prog="sandtable", title="commands", dest="command", metavar="COMMAND")
    terminal = commands.add_parser(TERMINAL, prog="sandtable", usage=usage, parents=[options])
    terminal.add_argument("line", nargs="*", metavar="LINE", help='a battle or a command, such as "/battle 12 9"')
    terminal.epilog = "sandtable --help lists the commands."

    def add(name: str, short: str, more: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(name, help=short, description=f"{short[0].upper()}{short[1:]}. {more}")

    _add_tools(add)
    _add_commands_of_hosts(add)
    return parser


def _add_tools(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that answer, check or make something."""
    solve = add(
        "solve",
        "answer battles that come as JSON lines",
        "It reads a question from each line of the standard input, and writes a line with the answer.",
    )
    solve.add_argument(
        "--like-input", action="store_true", help="answer a MultiwaveInput of aacalc2 with a MultiwaveOutput"
    )
    solve.epilog = """echo '{"text": "12 9"}' | sandtable solve"""
    verify = add("verify", "check the dice of a battle that was rolled", "It also checks the rules of the battle.")
    either = verify.add_mutually_exclusive_group(required=True)
    either.add_argument(
        "file", nargs="?", metavar="FILE", help="the log from /verify or /history export; or - for standard input"
    )
    either.add_argument("--page", metavar="FILE", help="write a page to this new file that checks dice in a browser")
    explain = add("explain", "show how a line is read, word by word")
    explain.add_argument("line", nargs="+", metavar="LINE", help='what you would ask, such as "my 12 vs his 9"')
    edition = add(
        "edition", "make an edition of Axis & Allies from a map file of TripleA", "It lists what it leaves out."
    )
    edition.add_argument("file", metavar="FILE", help="the map file, such as game.xml")
    edition.add_argument("--to", metavar="FILE", help="a new file for the edition; without it, standard output")
    edition.add_argument("--opening", metavar="FILE", help="a new file for who stands where at the beginning")


def _add_commands_of_hosts(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that run the bot and look after its data."""
    discord = add(
        "discord",
        "run the bot on Discord",
        "Its token is in the environment, in SANDTABLE_TOKEN. SIGTERM or Ctrl-C ends it after its open answers.",
    )
    discord.add_argument(
        "--take-over",
        action="store_true",
        help="take the shards over from the process that has them, which then ends; needs PostgreSQL",
    )
    add(
        "http",
        "answer commands that Discord sends as HTTP requests",
        "Discord sends each question as an HTTP request to the address in the settings http_host and http_port. "
        "Several equal processes can share the work.",
    )
    register = add("register", "tell Discord the commands, once before sandtable http and after each update")
    register.add_argument(
        "--installs", action="store_true", help="also switch on both ways to install it, on servers and for people"
    )
    register.add_argument("--emoji", action="store_true", help="also upload the dice that live battles show as emoji")
    add("check", "check the settings, variants and database that the bot would start with", "It changes nothing.")
    backup = add("backup", "copy the database, also while the bot runs")
    backup.add_argument("file", metavar="FILE", help="the copy; a file that exists is not overwritten")
    move = add("move-to", "copy the database to PostgreSQL", "Stop the bot first. The file keeps all its data.")
    move.add_argument("address", metavar="ADDRESS", help="an empty database, such as postgresql://user@host/name")


class _ShowVersion(argparse.Action):
    """The option that prints the version of the program and ends it."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show program's version number and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version."""
        print(version())
        parser.exit()
