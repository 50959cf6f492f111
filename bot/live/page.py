"""The page that checks the dice of a battle in a browser, verify.html: beside answers, as a file, and over HTTP.

It does the same as fair.py, and tests compare them. `python -m tests.catalogues` writes its translations into it.
"""

import re
from functools import cache
from pathlib import Path

from bot.replies import TextFile


@cache
def page() -> TextFile:
    """Return the page."""
    file = Path(__file__).with_name("verify.html")
    return TextFile(file.name, file.read_text("utf-8"))


def page_headers() -> dict[str, str]:
    """Return the headers with which the page is served: its own policy, and that no other site may frame it."""
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page().text)
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
