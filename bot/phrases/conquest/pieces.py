"""Splits a phrase about a map into pieces: places, numbers, and the words that say whose they are."""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest

from bot.maps.map import Continent, Territory
from bot.phrases.asides import leave_out_asides
from bot.phrases.beside.names import name_places, name_presets
from bot.phrases.conquest.names import Name, is_in
from bot.phrases.conquest.standing import find_standing
from bot.phrases.pieces import ARROWS, ATTACKS, HOLD_LAST, SHIPS
from bot.phrases.tag import ENDS, Tag
from bot.phrases.tags import Tagger
from bot.phrases.tokens import Token
from bot.phrases.vocabulary import Vocabulary
from bot.phrases.words import Words

MARK = "@"
"""The sign that stands in the tokens for a name, or for words of a conquest, with its number behind it."""
MOST_BETWEEN = 3
"""The most articles between "from" and the name of a territory."""
SIGNS = dict.fromkeys(ENDS, "end") | dict.fromkeys(ARROWS, "against")
SIGNS |= {"(": "open", ")": "close", ":": "colon", "=": "colon", **dict.fromkeys((*",;/-+&",), "pause")}
"""The kinds of signs."""
KINDS = {
    **dict.fromkeys(ATTACKS, "attack"),
    **dict.fromkeys(("hold", *HOLD_LAST), "hold"),
    **dict.fromkeys(("held", "defender"), "other"),
    **dict.fromkeys(("against", "onto"), "against"),
    **{role: role for role in ("self", "other", "have", "with", "and", "each", "for", "counter", "attacked")},
    "attacker": "self",
    "then": "pause",
}
"""The kinds of words by their roles."""
FOLLOWING = ("rest", "most")
"""The tables of words that are marked before a phrase is read, as they mean something else elsewhere."""
LONGEST = 6
"""The most words that belong together, such as "as many territories as I can"."""
BEFORE = ("from", "at", "want")
"""The tables of words that matter only in front of a place."""


@dataclass(frozen=True)
class Piece:
    """A place, a number, or a word that says something about them.

    Attributes:
        kind: "place", "number", "ships", or the meaning of a word.
        tag: The words.
        number: The value of a number.
        part: The territory or the continent of a place.
        lead: The meaning of the words before a place: "from", "at" or "want"; "" if nothing.
    """

    kind: str
    tag: Tag
    number: int = 0
    part: Territory | Continent | None = None
    lead: str = ""


@dataclass(frozen=True)
class Phrase:
    """A phrase about a map: all its words with their tags, and the pieces among them."""

    tags: tuple[Tag, ...]
    pieces: tuple[Piece, ...]


def split_phrase(words: Words, names: Sequence[Name], capitals: Set[str], saved: Collection[str]) -> Phrase:
    """Split a phrase in which places are named; `saved` are the names of presets."""
    marks: dict[str, Piece] = {}
    marked = Words(_mark(words, names, marks), words.language)
    known = marked.languages
    plain = name_places(leave_out_asides(Tagger(marked).tags(), known[0]), capitals, known[0])
    tags = [_known_tag(tag, known, marks) for tag in name_presets(plain, saved)]
    pieces = [piece for tag in tags for piece in _pieces_of(tag, marked, known, marks)]
    return Phrase(tuple(tags), tuple(_with_attacks([*_with_single_ones(pieces)])))


def _mark(words: Words, names: Sequence[Name], marks: dict[str, Piece]) -> list[Token]:
    """Return the tokens with a mark for each name, and for words that mean something else elsewhere."""
    marked: list[Token] = []
    tokens, index, last = words.tokens, 0, 0
    starts = {name.start: name for name in names}
    known = words.languages
    while index < len(tokens):
        name = starts.get(index)
        if standing := find_standing(words, names, index):
            text = " ".join(token.text for token in tokens[index : standing.end])
            mark, tag = f"{MARK}{len(marks)}", Tag(standing.kind, "", 0, 0, text=text)
            marks[mark] = Piece(standing.kind, tag, standing.number, standing.part)
            marked.append(tokens[index]._replace(text=mark, end=tokens[standing.end - 1].end, number=None))
            index = last = standing.end
            continue
        kind, end = ("place", name.end) if name else _following(tokens, index, known)
        if not kind:
            marked.append(tokens[index])
            index += 1
            continue
        lead = _lead(tokens[last:index], known) if name else ""
        if lead == "from" and end < len(tokens) and is_in(tokens[end].text, known, "behind"):
            end += 1  # "von Siam aus"
        text = " ".join(token.text for token in tokens[index:end])
        mark = f"{MARK}{len(marks)}"
        tag = Tag("places" if name else kind, name.part.key if name else "", 0, 0, text=text)
        marks[mark] = Piece(kind, tag, part=name.part if name else None, lead=lead)
        marked.append(tokens[index]._replace(text=mark, end=tokens[end - 1].end))
        index = last = end
    return marked


def _following(tokens: Sequence[Token], start: int, known: Sequence[Vocabulary]) -> tuple[str, int]:
    """Return the kind and the end of the longest words for the rest, or for an aim, that begin with a token."""
    for end in range(min(start + LONGEST, len(tokens)), start, -1):
        text = " ".join(token.text for token in tokens[start:end])
        if kind := next((kind for kind in FOLLOWING if is_in(text, known, kind)), ""):
            return kind, end
    return "", start


def _lead(before: Sequence[Token], known: Sequence[Vocabulary]) -> str:
    """Return what the words in front of a name say about it."""
    end = len(before)
    for _article in range(MOST_BETWEEN + 1):
        for start in range(max(end - LONGEST, 0), end):
            text = " ".join(token.text for token in before[start:end])
            if kind := next((kind for kind in BEFORE if is_in(text, known, kind)), ""):
                return kind
        if not end or before[end - 1].text not in known[0].asides["articles"]:
            return ""
        end -= 1
    return ""


def _known_tag(tag: Tag, known: Sequence[Vocabulary], marks: dict[str, Piece]) -> Tag:
    """Return the tag of a mark as that of the words that it stands for, and words for each territory as such."""
    if piece := marks.get(tag.text):
        return replace(piece.tag, start=tag.start, end=tag.end)
    if tag.table == "unknown" and is_in(tag.text, known, "want"):
        return replace(tag, table="roles", value="attack")
    return replace(tag, table="roles", value="each") if is_in(tag.text, known, "each") else tag


def _pieces_of(tag: Tag, words: Words, known: Sequence[Vocabulary], marks: dict[str, Piece]) -> Iterator[Piece]:
    """Yield the pieces of a tag."""
    if mark := marks.get(words.tokens[tag.start].text):
        yield replace(mark, tag=tag)
    elif tag.table == "number":
        yield Piece("number", tag, tag.numbers[0])
    elif tag.table == "noise" and tag.value == "1" and tag.text not in known[0].asides["articles"]:
        yield Piece("one", tag, 1)
    elif _is_garrison(tag, words, known):
        yield Piece("number", tag, int(tag.slots[0]) if tag.slots else 1)
        yield Piece("each", tag)
    elif tag.value in SHIPS:
        yield Piece("ships", tag)
    elif tag.table in ("questions", "chance", "ships"):
        yield Piece(tag.table, tag)
    elif tag.table == "sign":
        yield Piece(SIGNS.get(tag.text, "pause"), tag)
    elif tag.table == "roles":
        for role in tag.value.split():
            if kind := "at" if is_in(tag.text, known, "at") else KINDS.get(role):
                yield Piece(kind, tag)


def _is_garrison(tag: Tag, words: Words, known: Sequence[Vocabulary]) -> bool:
    """Tell whether a tag is a number for each territory, and says nothing of those who stay: "2 each"."""
    return tag.value.startswith("leave:") and all(
        words.numbers[index] is not None
        or words.meaning(index, "roles") in ("men", "have", "territory")
        or is_in(words.tokens[index].text, known, "each", "at")
        for index in range(tag.start, tag.end)
    )


def _with_single_ones(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield pieces with words for one as numbers in a row of numbers, for each territory, and for a place."""
    before: Sequence[str] = ()  # the kinds of the last two
    for piece, behind in zip_longest(pieces, pieces[1:]):
        row = before[-1:] == ("number",) or before in (("number", "pause"), ("number", "and"))
        counts = behind is not None and (behind.kind in ("each", "rest") or behind.lead == "at")
        kind = "number" if piece.kind == "one" and (row or counts) else piece.kind
        before = (*before[-1:], kind)
        yield replace(piece, kind=kind)


def _with_attacks(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield pieces in which "on" between two sides attacks: "12 on 3", in Russian "12 Сиам на Индонезию 3"."""
    before: list[str] = []
    for piece, behind in zip_longest(pieces, pieces[1:]):
        kind = behind.kind if behind else ""
        sides = (kind == "number" and {*before[-1:]} & {"number", "place"}) or (
            kind == "place" and {*before[-2:]} == {"number", "place"}
        )
        lead = "" if before[-1:] == ["onto"] else piece.lead
        before.append("onto" if sides and piece.kind == "at" and piece.tag.is_role("onto") else piece.kind)
        yield replace(piece, kind="against" if before[-1] == "onto" else piece.kind, lead=lead)
