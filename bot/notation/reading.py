"""Reads lines of any game: asks the games whose line it is, and lets one of them read it; remarks about its battle."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from bot.games.base import Claim, GameRoom, Reading, Rooms, require
from bot.languages import N_, _, _n, join_texts
from bot.notation.dice_options import CLASSIC, OPTIONS
from bot.notation.lexer import LONGEST_LINE, LONGEST_TEXT, may_be_name, normal, tokens
from bot.notation.mistakes import MatchupError, WrongCommandError, nearest_word, with_correction

LONGEST_TYPED = LONGEST_LINE + len(f" variant:{CLASSIC} behind:0")
"""The most characters of a typed line, with what it must say only where a place has defaults of its own."""
_NUMBERS_ALONE = re.compile(r"[\d ]+")
MOST_MISTYPED = 1
"""The most words of a line that no game knows, for the line to be notation with a mistake."""


def parse(
    rooms: Rooms,
    text: str,
    saved: Mapping[str, str] | None = None,
    takes: Collection[str] = (),
    lone: str = "",
    own_commands: bool = False,
) -> Reading:
    """Read the battle that a line means; MatchupError points at a mistake, and has the line put right if possible.

    Args:
        rooms: The games that are asked, in order.
        text: The line as it was typed.
        saved: The lines of presets, by their names in lower case.
        takes: The options about the question, rather than the battle, that have a meaning here: "exact", "all", ...
        lone: The side of a number that stands alone. With it numbers may be missing, and are 1.
        own_commands: Whether games with a command of their own are asked too, after all others.
    """
    known = saved or {}
    try:
        return _read_battle(rooms, text, known, takes, lone)
    except MatchupError as error:
        room = own_room(rooms, text) if own_commands else None
        if room is None:
            corrected = with_correction(
                error, lambda line: _read_battle(rooms, line, known, takes, lone), normal(text), partial(_may_go, rooms)
            )
            corrected.certain = corrected.certain or is_certain(rooms, text, known)
            raise corrected from None
    return read_in_room(rooms, room, text, known, takes, lone)


def _may_go(rooms: Rooms, word: str) -> bool:
    """Tell whether a corrected line may lack a word: not if a game knows it or one like it, which somebody asks for."""
    return not nearest_word(word, _reserved_words(rooms), 0.7)


def _reserved_words(rooms: Rooms) -> set[str]:
    """Return the words of all games that no preset can have as its name, except those that every game has."""
    return set().union(*(room.notation.reserved_words() for room in rooms if room.notation.reserved_words))


def read_in_room(
    rooms: Rooms, room: GameRoom, text: str, saved: Mapping[str, str], takes: Collection[str] = (), lone: str = ""
) -> Reading:
    """Read a line that can only be of one game; the arguments are those of `parse`."""
    read = room.notation.read
    try:
        return rooms.with_remarks(read(text, saved, takes, lone))
    except MatchupError as error:
        corrected = with_correction(error, lambda line: read(line, saved, takes, lone), normal(text))
        corrected.certain = corrected.certain or is_certain(rooms, text, saved)
        raise corrected from None


def own_room(rooms: Rooms, text: str) -> GameRoom | None:
    """Return the room with a command of its own that claims a line; None if there is none."""
    for room in rooms:
        if room.notation.own_command and room.notation.claims and room.notation.claims(text, {}):
            return room
    return None


def _read_battle(rooms: Rooms, text: str, saved: Mapping[str, str], takes: Collection[str], lone: str) -> Reading:
    line = normal(text)
    if (between := line.find("||")) >= 0:
        reason = _("Type one battle here; `||` is for two plans after `/compare`.")
        raise MatchupError(line, between, between + 2, reason)
    check_length(text)
    if saved:
        _check_presets(rooms, text, saved)
    claims = _claims(rooms, text, saved)
    strongest = max(claim for claim, _room in claims)
    reading = _first_reading([room for claim, room in claims if claim == strongest], text, saved, takes, lone)
    if len(f"{rooms.write(reading.battle)} {reading.asked_words()}".rstrip()) > LONGEST_LINE:
        # Answers carry the line in full, and what stands under an answer must be read again.
        reason = _("Written out in full, this has more than {most} characters.", most=LONGEST_LINE)
        raise MatchupError(line, 0, len(line), reason)
    return rooms.with_remarks(reading)


def check_length(
    text: str,
    limit: int = LONGEST_TYPED,
    shown_limit: int = LONGEST_LINE,
    sentence: str = N_("A line can have at most {most} characters."),
) -> None:
    """Raise MatchupError for a text longer than `limit`.

    The sentence names `shown_limit`; the rest is for what a line must say only in places with defaults of their own.
    """
    typed, line = text.partition("→")[0], normal(text)
    # Some characters stand for many, as U+FDFA for 18.
    if max(len(typed), len(unicodedata.normalize("NFKC", typed).casefold())) > LONGEST_TEXT or len(line) > limit:
        raise MatchupError(line, min(shown_limit, len(line)), len(line), _(sentence, most=shown_limit))


def _check_presets(rooms: Rooms, text: str, saved: Mapping[str, str]) -> None:
    """Raise WrongCommandError for a preset that holds no battle, unless the line is of the game that knows it."""
    line = normal(text)
    names = [token for token in tokens(line) if token.text in saved and may_be_name(token)]
    for token in names:
        room = room_of_other(rooms, saved[token.text])
        if room and room.notation.claims and not room.notation.claims(text, saved):
            reason = about_other(room, token.text, saved[token.text])
            raise WrongCommandError(line, token.start, token.end, reason)


def room_of_other(rooms: Rooms, line: str) -> GameRoom | None:
    """Return the room whose presets hold a canonical line that is no battle; None if it can only be a battle."""
    for room in rooms:
        if room.notation.other_lines and room.notation.other_lines.has(line):
            return room
    return None


def about_other(room: GameRoom, name: str, line: str) -> str:
    """Say what a preset of a game holds in place of a battle, by its line, and how it is used."""
    return _(require(room.notation.other_lines).about(line), name=name)


def _claims(rooms: Rooms, text: str, saved: Mapping[str, str]) -> list[tuple[Claim, GameRoom]]:
    """Return the claim of each room to a line, except those of games with a command of their own.

    About a line of numbers alone, as most lines are, only the games are asked that can mean it.
    """
    numbers = _NUMBERS_ALONE.fullmatch(normal(text))
    return [
        (room.notation.claims(text, saved), room)
        for room in rooms.rooms
        if room.notation.claims and not room.notation.own_command and (room.notation.numbers_alone or not numbers)
    ]


def _first_reading(
    rooms: list[GameRoom], text: str, saved: Mapping[str, str], takes: Collection[str], lone: str
) -> Reading:
    """Return the reading of the first room that can read a line, else raise the mistake that the first one found."""
    first: MatchupError | None = None
    for room in rooms:
        try:
            return room.notation.read(text, saved, takes, lone)
        except MatchupError as error:
            if first and isinstance(error, WrongCommandError):
                raise  # The line is of this game.
            first = first or error
    assert first is not None, "some room was asked"
    raise first


def is_name(rooms: Rooms, text: str) -> bool:
    """Tell whether a preset can be called so: a word of two letters or more, as `normal` leaves it, not notation."""
    if text in _reserved_words(rooms):
        return False
    return len(text) > 1 and text == normal(text) and [token[:2] for token in tokens(text)] == [("word", text)]


def is_notation(rooms: Rooms, text: str, error: MatchupError) -> bool:
    """Tell whether a line with this mistake can only be notation: by its options or its strokes.

    A line with dots between its parts is none: somebody pastes an answer.
    """
    if error.certain:
        return True
    if " · " in text:
        return False
    options = re.findall(r"(?<![^\W\d_])([^\W\d_]++)[:=](\S)", text.casefold())
    empty = re.findall(r"\s([^\W\d_]++)[:=](?=\s*$|\s+(?:vs|then)\b)", text.casefold())
    if any(word in OPTIONS or word in _reserved_words(rooms) for word in empty):
        return True  # "12 9 left:", "3 inf unit: vs 2 inf"
    kinds = {token.kind for token in tokens(normal(text))}
    if "option" in kinds and kinds <= {"option", "number", "versus", "sign"}:
        return True  # "12 9 bytotal late"
    if "||" in text or any(option in OPTIONS or value.isalpha() for option, value in options):
        return True
    return bool(error.better and options)


def looks_like_prose(rooms: Rooms, text: str) -> bool:
    """Tell whether a line has so many words that no game knows that somebody says it, rather than writes notation."""
    return _count_strange_words(rooms, text) > MOST_MISTYPED


def _count_strange_words(rooms: Rooms, text: str) -> int:
    """Return how many words of a line no game knows."""
    return sum(is_name(rooms, word) for word in re.findall(r"[^\W\d_]+", text.casefold()))


def has_own_words(rooms: Rooms, text: str) -> bool:
    """Tell whether a line has words of a game that are no options of dice, such as units."""
    claims = [claim for claim, _room in _claims(rooms, text, {})]
    return max(claims) >= Claim.LIKELY or claims.count(Claim.MAYBE) > 1


def is_certain(rooms: Rooms, text: str, saved: Mapping[str, str]) -> bool:
    """Tell whether a game claims a line for certain: it is notation of that game, or a mistake in it."""
    return any(claim == Claim.YES for claim, _room in _claims(rooms, text, saved))


def is_claimed(rooms: Rooms, text: str, besides: Reading) -> bool:
    """Tell whether a line has words of a game with another notation than that of a reading."""
    claims = _claims(rooms, text, {})
    return any(claim >= Claim.LIKELY and not shares_notation(rooms, room, besides) for claim, room in claims)


def shares_notation(rooms: Rooms, room: GameRoom, reading: Reading) -> bool:
    """Tell whether lines of a room are read like that of a reading."""
    return room.notation.read is rooms.of(reading.battle).notation.read


ALL_ELSEWHERE = 100
"""The number of rounds that means all of them in other calculators."""


def idle_options_remarks(options: Sequence[str]) -> tuple[str, ...]:
    """Say which options of a line make no difference, as it asks about single rounds."""
    words = join_texts(", ", [f"`{option}`" for option in options])
    text = _n(
        "In a single round {options} makes no difference.",
        "In a single round {options} make no difference.",
        len(options),
        options=words,
    )
    return (text,) if options else ()


def idle_remark(word: str, useful: int) -> str:
    """Say that a word counts no more than is useful."""
    return _("`{word}` counts as {useful}; more make no difference.", word=word, useful=useful)


def preset_remark(name: str, side: str) -> str:
    """Say that a line uses one army of a preset, the "attacker" or the "defender", and nothing of the other."""
    if side == "defender":
        return _("Only the defenders of the preset `{name}` are used.", name=name)
    return _("Only the attackers of the preset `{name}` are used.", name=name)


def round_remarks(limits: Iterable[int | None]) -> Iterator[str]:
    """Explain a limit of 100 rounds if one of these is that."""
    if ALL_ELSEWHERE in limits:
        yield _("`rounds:100` is a limit of 100 rounds; `rounds:all` means no limit.")
