"""The program in a terminal: runs its commands in the process of the test, and returns what they print."""

import pytest

from bot.__main__ import main


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command; return its exit status, its output and its errors."""
    status = main(arguments)
    printed = capsys.readouterr()
    return status, printed.out, printed.err
