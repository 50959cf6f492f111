"""Files that installing the package derives from texts and words, so that no start has to.

`bot/catalogues/build.py` makes them. Each begins with the hash of its sources, so that an old one is known.
"""

import logging
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

log = logging.getLogger(__name__)

CATALOGUES = Path(__file__).parent / "catalogues"
"""The folder of the catalogues, and of the files derived from them and from the words."""


def hash_of(sources: Iterable[Path]) -> bytes:
    """Return the hash of files, in which their order counts."""
    return sha256(b"".join(sha256(source.read_bytes()).digest() for source in sources)).digest()


def write_derived(name: str, source_hash: bytes, content: bytes) -> None:
    """Write a derived file with the hash of its sources; another process may read it meanwhile."""
    new = CATALOGUES / f"{name}.new"
    new.write_bytes(source_hash + content)
    new.replace(CATALOGUES / name)


def is_fresh(name: str, source_hash: bytes) -> bool:
    """Tell whether a derived file is there whose sources have this hash."""
    return _read(name).startswith(source_hash)


def read_derived(name: str, source_hash: bytes) -> tuple[bytes, bool]:
    """Return the content of a derived file, empty without the file, and whether its sources have this hash."""
    whole = _read(name)
    fresh = whole.startswith(source_hash)
    if not fresh:
        _warn()
    return whole[len(source_hash) :], fresh


def _read(name: str) -> bytes:
    try:
        return (CATALOGUES / name).read_bytes()
    except OSError:
        return b""


@cache
def _warn() -> None:
    """Say once what makes a start slower, or texts English."""
    log.warning("What is derived from words and texts is old or not there; `pip install` makes it anew.")
