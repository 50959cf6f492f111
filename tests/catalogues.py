"""The texts of the code, and the catalogues that say them in other languages.

python -m tests.catalogues      brings all catalogues up to date with the code, and says what they lack
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.languages import CATALOGUES, ENGLISH, LANGUAGES
from bot.settings import CONFIG

ROOT = Path(__file__).parents[1]
KEYWORDS = {
    "_": None,
    "N_": None,
    "_n": (1, 2),
    "_p": ((1, "c"), 2),
    # What the solver says of a battle that cannot be; its parts are texts too.
    "BattleError": (2,),
    "check_count": (5,),
    "check_number": (5,),
}
DATA = "name", "about", "unsure"
"""What people read of the rule packs and editions in config/games."""
FOREIGN = tuple(code for code in LANGUAGES if code != ENGLISH)


def template() -> Catalog:
    """All texts that may be said in another language, from the code and from the rule packs."""
    found = Catalog()
    for folder in ("bot", "solver"):
        every = extract_from_dir(ROOT / folder, [("**.py", "python")], keywords=KEYWORDS)
        for file, line, text, _comments, context in every:
            found.add(text, locations=[(f"{folder}/{file}", line)], context=context)
    for file, text in _data():
        found.add(text, locations=[(file, 1)])
    return found


def _data() -> Iterator[tuple[str, str]]:
    for file in sorted((CONFIG / "games").glob("*.toml")):
        for pack in tomllib.loads(file.read_text()).values():
            texts = [pack[name].strip() for name in DATA if name in pack]
            texts += [unit.replace("_", " ") for unit in pack.get("units", ())]
            yield from ((f"config/games/{file.name}", text) for text in texts)


def catalogue(language: str) -> Catalog:
    """What is said in a language."""
    file = CATALOGUES / f"{language}.po"
    if not file.exists():
        return Catalog(language)
    with file.open("rb") as stream:
        return read_po(stream, language, abort_invalid=True)


def lacking(language: str) -> list[str]:
    """The texts that would be said in English, as nobody has said them in this language yet."""
    known = catalogue(language)
    return [first(text) for text in template() if text.id and not _said(known.get(text.id, text.context))]


def _said(message: Message | None) -> bool:
    if message is None or message.fuzzy:
        return False
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


def first(message: Message) -> str:
    """The English text, of a plural the one of one."""
    return message.id if isinstance(message.id, str) else message.id[0]


def renew(language: str) -> None:
    """Bring a catalogue up to date: new texts are added empty, those that nothing says any more go."""
    known = catalogue(language)
    known.update(template(), no_fuzzy_matching=True)
    known.obsolete.clear()
    with (CATALOGUES / f"{language}.po").open("wb") as stream:
        write_po(stream, known, width=120, sort_by_file=True, include_lineno=False)


class Strange(NullTranslations):
    """A language in which every text can be told from one that nobody has marked: no letter is a Latin one.

    They are Cyrillic, which pictures can show.
    """

    def gettext(self, message: str) -> str:
        """The text, but for what is filled in and what is notation."""
        pieces = re.split(r"(\{\w+\}|`[^`]*`|</?\w[^>]*>|https?://\S+)", message)
        return "".join(piece if index % 2 else piece.translate(_STRANGE) for index, piece in enumerate(pieces))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same by number."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, _context: str, message: str) -> str:
        """The same whatever the context."""
        return self.gettext(message)


_STRANGE = {ord(a) + i: ord(b) + i for a, b in (("a", "а"), ("A", "А")) for i in range(26)}


def english_in(text: str) -> list[str]:
    """The words of a text said in that language that are English: nobody has marked them."""
    bare = re.sub(r"`[^`]*`|<[^>]+>|https?://\S+", " ", text)
    return re.findall(r"[A-Za-z]{2,}", bare)


if __name__ == "__main__":
    for code in FOREIGN:
        renew(code)
        missing = lacking(code)
        print(f"{code}: {len(missing)} texts are not there yet", *missing[:20], sep="\n    ", file=sys.stderr)
