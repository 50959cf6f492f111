"""The version of the program and its files, as they are installed."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import PackagePath

PACKAGES = "bot", "solver"
"""The names of its folders among those of all packages, which others may have too."""


@cache
def version() -> str:
    """Return the version, such as 0.1.0."""
    # Loaded here, because only a few answers need it.
    from importlib.metadata import version as version_of

    return version_of("sandtable")


def check_files() -> str:
    """Describe in a sentence whose the installed files are; UserError if not all of them are Sandtable's."""
    import json
    from importlib.metadata import distribution, packages_distributions

    from bot.errors import UserError

    installed = distribution("sandtable")
    if json.loads(installed.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable"):
        return "The program runs from the folder in which it is developed."
    owners = packages_distributions()
    others = {owner for name in PACKAGES for owner in owners.get(name, ())} - {"sandtable"}
    recorded = [file for file in installed.files or () if file.hash and file.parts[0] in PACKAGES]
    wrong = [str(file) for file in recorded if not _is_as_installed(file)]
    if others or wrong:
        what = f"{len(wrong)} of Sandtable's files are not as they were installed, such as {wrong[0]}" if wrong else ""
        whose = f"{' and '.join(sorted(others))} has files in the same folders" if others else ""
        raise UserError(
            f"{'; '.join(filter(None, (what, whose)))}. Install Sandtable into an environment of its own: "
            "uv, pipx and Docker do that."
        )
    return f"The {len(recorded)} installed files are Sandtable's own."


def _is_as_installed(file: "PackagePath") -> bool:
    """Whether a file that was installed with a hash still has it."""
    from base64 import urlsafe_b64encode
    from hashlib import new
    from pathlib import Path

    assert file.hash is not None, "files without one are left out"
    try:
        digest = new(file.hash.mode, Path(str(file.locate())).read_bytes()).digest()
    except OSError:
        return False
    return urlsafe_b64encode(digest).decode().rstrip("=") == file.hash.value
