"""The README and the pages of docs/ as tests read them: blocks, code in back-ticks, tables, links and headings."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A block of code: the words behind its fence ("" for an indented one), and its lines."""

    language: str
    lines: tuple[str, ...]


class Page:
    """A page in Markdown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text()
        self.blocks: list[Block] = []
        self.prose = self._without_blocks()

    def __repr__(self) -> str:
        return self.name

    def _without_blocks(self) -> str:
        """Collect the blocks of code and return the other lines."""
        prose: list[str] = []
        block: list[str] | None = None
        language = before = ""
        for line in self.text.splitlines():
            fence = re.fullmatch(r" *```(.*)", line)
            if block is not None and (fence if language != "" else not line.startswith("    ")):
                self.blocks.append(Block(language, tuple(block)))
                block = None
                if fence:
                    continue
            if block is not None:
                block.append(line if language else line.strip())
            elif fence:
                block, language = [], fence[1]
                assert language, f"{self.name}: say behind the fence what the block is"
            elif line.startswith("    ") and not before:
                block, language = [line.strip()], ""
            else:
                prose.append(line)
            before = line
        if block is not None:
            assert not language, f"{self.name}: a block is not closed"
            self.blocks.append(Block("", tuple(block)))
        return "\n".join(prose)

    @property
    def first_paragraph(self) -> str:
        """What stands below the title, in one line."""
        return " ".join(self.prose.split("\n\n")[1].split())

    @property
    def codes(self) -> list[str]:
        """All that stands in back-ticks outside of blocks."""
        return _codes(self.prose)

    def lines_of(self, *languages: str) -> list[str]:
        """All lines of the blocks with these words behind their fence."""
        return [line for block in self.blocks if block.language in languages for line in block.lines if line]

    def first_cells(self, header: str) -> list[str]:
        """The first column of the tables that have this header there."""
        tables = re.findall(rf"^\| {re.escape(header)} \|.*\n\|-.*\n((?:\|.*\n?)+)", self.prose, re.MULTILINE)
        return [re.split(r"(?<!\\)\|", row)[1].strip() for table in tables for row in table.splitlines()]

    def first_codes(self, header: str) -> list[str]:
        """What stands in back-ticks there."""
        return [code for cell in self.first_cells(header) for code in _codes(cell)]

    @property
    def links(self) -> list[str]:
        """Where links and pictures lead."""
        return re.findall(r"\]\(([^)]+)\)", self.prose) + re.findall(r"<(https?://[^>]+)>", self.prose)

    @property
    def anchors(self) -> set[str]:
        """The headings as links name them."""
        headings = re.findall(r"^#+ (.*)$", self.prose, re.MULTILINE)
        return {re.sub(r"[^\w -]", "", heading.casefold()).replace(" ", "-") for heading in headings}

    @property
    def answers(self) -> list[tuple[str, str]]:
        """Each typed line that has its answer in the block behind it, with that answer."""
        pairs = zip(self.blocks, self.blocks[1:], strict=False)
        return [(asked.lines[0], "\n".join(said.lines)) for asked, said in pairs if said.language == "text"]


def _codes(text: str) -> list[str]:
    return [code.replace(r"\|", "|") for code in re.findall(r"`([^`\n]+)`", text)]


README = Page(ROOT / "README.md")
DOCS = {path.name: Page(path) for path in sorted((ROOT / "docs").glob("*.md"))}
PAGES = [README, *DOCS.values()]
