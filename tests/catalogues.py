"""The texts of the code, and the catalogues that say them in other languages.

python -m tests.catalogues      brings all catalogues up to date with the code, and says what they lack

It also writes the translations of bot/live/verify.html into that page, and the hashes that let browsers run its script.
"""

import ast
import base64
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from functools import lru_cache
from gettext import NullTranslations
from hashlib import sha256
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from bot.catalogues.build import build
from bot.derived import CATALOGUES
from bot.languages import ENGLISH, LANGUAGES
from bot.settings import CONFIG

ROOT = Path(__file__).parents[1]
SOLVER = ROOT / "solver"
PAGE = ROOT / "bot" / "live" / "verify.html"
KEYWORDS = {
    "_": (0,),
    "N_": (0,),
    "_n": (0, 1),
    "_p": (1,),
    # What bot/live/fair.py says of a log; it runs without the rest of the product.
    "Finding": (0,),
    # What the solver says of a battle that cannot be; its parts are texts too.
    "BattleError": (1,),
    "TooLargeError": (1,),
    "check_choice": (3,),
    "check_count": (4,),
    "check_number": (4,),
    "CountLimit": (3,),
}
"""Which arguments of which functions are texts; the first of `_p` is the context."""
DATA = "name", "about", "unsure", "source", "bombardment"
"""What people read of the rule packs and editions in config/games."""
BORN = datetime(2026, 11, 22, tzinfo=UTC)
"""The date in the heads of all catalogues: what changed when is git's to say."""
FOREIGN = tuple(code for code in LANGUAGES if code != ENGLISH)


@lru_cache
def template() -> Catalog:
    """All texts that may be said in another language, from the code and from the rule packs; not to be changed."""
    found = Catalog()
    for file in sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "solver").rglob("*.py")]):
        for text, context, line in texts_in(file):
            found.add(text, locations=[(str(file.relative_to(ROOT)), line)], context=context)
    for words in page_texts():
        found.add(words, locations=[(str(PAGE.relative_to(ROOT)), 1)])
    for source, text in _data():
        found.add(text, locations=[(source, 1)])
    return found


def texts_in(file: Path) -> Iterator[tuple[str | tuple[str, ...], str | None, int]]:
    """The texts of a module, with their contexts and lines."""
    source = file.read_text()
    if not re.search(rf"\b(?:{'|'.join(KEYWORDS)})\(", source):
        return  # to read what a module says takes long, and most say nothing
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            texts = [_literal(call, place) for place in KEYWORDS[call.func.id]]
            if not all(texts) and file.is_relative_to(SOLVER) and file.name != "errors.py":
                _check_argument(call, file)
            if all(texts):
                context = _literal(call, 0) if call.func.id == "_p" else None
                yield texts[0] if len(texts) == 1 else tuple(texts), context, call.lineno


def _literal(call: ast.Call, place: int) -> str:
    """An argument that is a text; nothing of any other. Babel's own search does not look into f-strings."""
    argument = call.args[place] if place < len(call.args) else None
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""


def _check_argument(call: ast.Call, file: Path) -> None:
    """Raise ValueError if the text of an error of the solver is neither in the call, nor that of another error."""
    place = KEYWORDS[ast.unparse(call.func)][0]
    whole = len(call.args) > place and not any(isinstance(argument, ast.Starred) for argument in call.args)
    if not whole or not isinstance(call.args[place], ast.JoinedStr | ast.Attribute):
        raise ValueError(f"no catalogue finds the text of {ast.unparse(call)} in {file}")


def page_texts() -> list[str | tuple[str, str]]:
    """The texts of the page that checks dice in a browser: those of elements, and of `_`, `finding` and `_n`."""
    quoted = r'("(?:[^"\\]|\\.)*")'
    pattern = rf"data-text>([^<]+)<|\b(?:_|finding)\(\s*{quoted}|\b_n\({quoted}, {quoted}"
    found = re.findall(pattern, PAGE.read_text())
    texts = [inside or json.loads(text or f"[{one}, {more}]") for inside, text, one, more in found]
    return list(dict.fromkeys(tuple(text) if isinstance(text, list) else text for text in texts))


def renewed_page() -> str:
    """The page with its texts as the catalogues translate them, and with the hashes of its script and its style."""
    known = [catalogue(code) for code in FOREIGN]
    messages = [(first_of(text), [language[text] for language in known]) for text in page_texts()]
    rows = [(text, [message.string for message in found]) for text, found in messages]
    lines = "".join(f"  {_as_json(text)}: {_as_json(translations)},\n" for text, translations in rows)
    # The table is found as a whole: a match that may be empty would be found twice.
    table = re.compile(r"const TEXTS = \{\n.*?^\};$", re.MULTILINE | re.DOTALL)
    page = table.sub(lambda _: f"const TEXTS = {{\n{lines}}};", PAGE.read_text())
    for tag in ("script", "style"):
        (inside,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(sha256(inside.encode()).digest()).decode()
        page = re.sub(f"(?<={tag}-src )'[^']*'", f"'sha256-{digest}'", page)
    return page


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _data() -> Iterator[tuple[str, str]]:
    for file in sorted((CONFIG / "games").glob("*.toml")):
        for pack in tomllib.loads(file.read_text()).values():
            texts = [pack[name].strip() for name in DATA if name in pack]
            texts += [unit.replace("_", " ") for unit in pack.get("units", ())]
            technologies = pack.get("technologies", {})
            forms = [form for table in technologies.values() for form in table.values() if isinstance(form, dict)]
            texts += [form["name"].replace("_", " ") for form in forms]
            yield from ((f"config/games/{file.name}", text) for text in texts)
    for file in sorted((CONFIG / "openings").glob("*.toml")):
        nations = tomllib.loads(file.read_text()).keys() - {"sources", "also"}
        yield from ((f"config/openings/{file.name}", nation) for nation in sorted(nations))


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
    return first_of(message.id)


def first_of(text: str | Sequence[str]) -> str:
    """The English text of an id, of a plural the one of one."""
    return text if isinstance(text, str) else text[0]


def broken(language: str) -> list[str]:
    """What a catalogue says with other placeholders than the English text, or with other notation."""
    return [
        told
        for message in catalogue(language)
        if message.id
        for told in _forms(message.string)
        if _differs(message, told)
    ]


def _differs(message: Message, told: str) -> bool:
    english = _forms(message.id)
    filled = [_holes(text) for text in english]
    kept = set.intersection(*filled) <= _holes(told) <= set.union(*filled)
    return not kept or _notation(told) not in [_notation(text) for text in english]


def _forms(of: str | Sequence[str] | None) -> list[str]:
    return [of] if isinstance(of, str) else list(of or ())


def _holes(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def _notation(text: str) -> list[str]:
    return sorted(re.findall("`[^`]*`", text))


def renew(language: str) -> None:
    """Bring a catalogue up to date: new texts are added empty, those that nothing says any more go."""
    known = catalogue(language)
    known.update(deepcopy(template()), no_fuzzy_matching=True)  # or the next language would get this one's words
    known.obsolete.clear()
    known.header_comment = "# Sandtable in another language; python -m tests.catalogues keeps it up to date."
    known.msgid_bugs_address = known.last_translator = known.language_team = "Sandtable"
    known.creation_date = known.revision_date = BORN
    with (CATALOGUES / f"{language}.po").open("wb") as stream:
        write_po(stream, known, width=120, sort_by_file=True, include_lineno=False)


@lru_cache
def marked() -> frozenset[str]:
    """Every text that a catalogue holds, of a plural both: all that can be said, as a test of catalogues says."""
    ids = [text.id if isinstance(text.id, tuple | list) else [text.id] for text in catalogue(FOREIGN[0])]
    return frozenset(chain.from_iterable(ids))


class Strange(NullTranslations):
    """A language in which every text can be told from one that nobody has marked: no letter is a Latin one."""

    def gettext(self, message: str) -> str:
        """The text, but for what is filled in and what is notation; as it is where no catalogue can hold it."""
        if message not in marked():
            return message
        pieces = re.split(r"(\{\w+\}|`[^`]*`|</?\w[^>]*>|https?://\S+)", message)
        return "".join(piece if index % 2 else piece.translate(_STRANGE) for index, piece in enumerate(pieces))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same by number."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, _context: str, message: str) -> str:
        """The same whatever the context."""
        return self.gettext(message)


_STRANGE = {ord(a) + i: ord(b) + i for a, b in (("a", "а"), ("A", "А")) for i in range(26)}
"""Cyrillic letters: fonts have them, and they are no Latin ones, however they look."""


def english_in(text: str) -> list[str]:
    """The words of a text said in that language that are English: nobody has marked them."""
    bare = re.sub(r"`[^`]*`|<[^>]+>|https?://\S+|\w+:[\w,.]+", " ", text)
    return re.findall(r"[A-Za-z]{2,}", bare)


if __name__ == "__main__":
    for code in FOREIGN:
        renew(code)
        missing = lacking(code)
        print(f"{code}: {len(missing)} texts are not there yet", *missing[:20], sep="\n    ", file=sys.stderr)
    build()
    PAGE.write_text(renewed_page())
