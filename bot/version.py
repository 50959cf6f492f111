"""The version of the program, as it is installed."""

from functools import cache


@cache
def version() -> str:
    """Return the version, such as 0.1.0."""
    # Loaded here, because only a few answers need it.
    from importlib.metadata import version as version_of

    return version_of("sandtable")
