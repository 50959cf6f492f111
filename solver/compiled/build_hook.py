"""Compiles the C files while the package is installed, where there is a C compiler, and derives what the bot reads.

Hatch runs this file, which also writes the text for an index page. If nothing can be compiled the package has no
library, and battles are solved with numpy alone.
"""

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

FOLDER = Path("solver", "compiled")
FLAGS = ("-std=c99", "-O3", "-shared", "-fPIC")
OLDEST_GLIBC = 17
"""The minor version of the oldest C library that wheels are made for today: manylinux2014."""
MUSL = "musllinux_1_2"
"""The same where the system has musl instead, such as Alpine since 3.17."""
LONGEST = 300
"""Seconds after which compiling is given up; a fast machine takes five."""


class KernelHook(BuildHookInterface):  # type: ignore[misc,type-arg,unused-ignore]
    """Puts the compiled kernel, the vocabularies and the catalogues into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make these files.

        Args:
            version: The kind of build.
            build_data: The contents that hatch puts into the wheel, changed in place.
        """
        libraries = compile_kernel(Path(self.root, FOLDER))
        if libraries:
            build_data["artifacts"] += [str(FOLDER / library.name) for library in libraries]
            build_data["pure_python"] = False
            # One wheel is for every Python: the libraries are loaded, and not linked with it.
            build_data["tag"] = f"py3-none-{platform_tag(libraries)}"
        # In a process of its own, as it imports the bot.
        subprocess.run([sys.executable, "-m", "bot.catalogues.build"], cwd=self.root, check=True)
        build_data["artifacts"] += ["bot/catalogues/*.mo", "bot/catalogues/*.words"]
        if version == "editable":
            # Installers compile the modules of a wheel, but not those that stay where they are. Where Python may write
            # no bytecode, each start of the terminal would compile them all.
            subprocess.run([sys.executable, "-m", "compileall", "-q", "bot", "solver"], cwd=self.root, check=False)


class IndexPage(MetadataHookInterface):  # type: ignore[misc,unused-ignore]
    """Makes the README a text for an index page, which has none of the other files."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the text to the metadata of the package.

        Args:
            metadata: The table `project`, changed in place.
        """
        text = without_files(Path(self.root, "README.md").read_text())
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def without_files(text: str) -> str:
    """Return a text in Markdown with the descriptions of its pictures in their places, and no links to other files.

    Args:
        text: The text with both.
    """
    return re.sub(r"!?\[([^]]*)\]\((?!https?://|#)[^)]*\)", r"\1", text)


def platform_tag(libraries: list[Path]) -> str:
    """Return the platforms on which compiled libraries run; for Linux, by the C library that they need.

    Args:
        libraries: The files of the libraries.
    """
    from sysconfig import get_platform

    here = get_platform().replace("-", "_").replace(".", "_")
    system, _, machine = here.partition("_")
    needed = b"".join(library.read_bytes() for library in libraries)
    if system == "linux" and (minors := re.findall(rb"\0GLIBC_2\.(\d+)", needed)):
        return f"manylinux_2_{max(OLDEST_GLIBC, *map(int, minors))}_{machine}"
    if system == "linux" and b"libc.musl-" in needed:
        return f"{MUSL}_{machine}"
    return here


def compile_kernel(folder: Path) -> list[Path]:
    """Compile the kernel, for every processor and for those with AVX2, and remove what was compiled before.

    A library is there whole or not at all, so another process may load or compile it meanwhile.

    Args:
        folder: Where the sources are, and where the libraries are put.

    Returns:
        The libraries; nothing if there is no compiler.
    """
    compiler = os.environ.get("CC") or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    libraries = _compile(compiler.split(), folder) if compiler else []
    for old in {*folder.glob("kernel-*.lib")}.difference(libraries):
        old.unlink(missing_ok=True)
    return libraries


def _compile(compiler: list[str], folder: Path) -> list[Path]:
    sources = sorted([*folder.glob("*.c"), *folder.glob("*.h")])
    version = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    usual, fast = f"kernel-{version}.lib", f"kernel-{version}-avx2.lib"
    command = [*compiler, *FLAGS, *map(str, folder.glob("*.c")), "-o"]
    with TemporaryDirectory(dir=folder) as made:
        tasks = [
            (name, subprocess.Popen([*command, str(Path(made, name)), *more], stderr=subprocess.DEVNULL))
            for name, more in ((usual, ()), (fast, ("-mavx2", "-mfma")))
        ]
        done = [name for name, task in tasks if task.wait(LONGEST) == 0]
        return [Path(made, name).replace(folder / name) for name in done] if usual in done else []
