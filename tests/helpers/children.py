"""Programs that tests start, and that end with the tests, however these end."""

import os
import signal
import sys
from collections.abc import Sequence

LAUNCHER = """
import ctypes, os, sys
parent, number, user, group, *command = sys.argv[1:]
if user:
    os.setgroups([])
    os.setgid(int(group))
    os.setuid(int(user))
prctl = getattr(ctypes.CDLL(None), "prctl", None)
if prctl:
    prctl(1, int(number))  # PR_SET_PDEATHSIG: Linux sends this signal when the parent ends; exec does not change that
    if os.getppid() != int(parent):
        sys.exit("the tests have ended already")
os.execv(command[0], command)
"""


def mortal(
    command: Sequence[str], end: signal.Signals = signal.SIGKILL, owner: tuple[int, int] | None = None
) -> list[str]:
    """The command line of a program that gets the signal `end` when we end; it runs as `owner`, a user and a group.

    The launcher takes its own place, so the process that is started is the program. The thread that starts it has to
    live as long as the program is to live.
    """
    user, group = map(str, owner) if owner else ("", "")
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid()), str(int(end)), user, group, *command]
