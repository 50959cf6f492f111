"""Finds out whose the places and the numbers of a phrase are: "12 in Siam" attack, "they have 3 in Indonesia" hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.maps.map import Continent, Territory
from bot.phrases.conquest.pieces import Piece
from bot.phrases.pieces import SHIPS

OURS, THEIRS = "ours", "theirs"
"""The side of a place or a number; "" where nothing says it."""
BRIDGES = ("open", "have", "colon")
"""The kinds of pieces that may stand between a place and its number behind it."""
MOST_APART = 4
"""The most pieces between a start and the word that adds another: "from Siam with 12 and ..."."""
ENDS = ("end", "colon", "close", "chance")
"""The kinds of pieces behind which "with" speaks of something else."""


@dataclass
class Mention:
    """A place that a phrase names.

    Attributes:
        part: The territory or the continent.
        side: Whose it is.
        lead: What the words before it say.
        number: The armies there; None if the phrase does not say it here.
        early: Whether no verb, and no target, stands before it.
    """

    part: Territory | Continent
    side: str
    lead: str
    number: int | None = None
    early: bool = False


@dataclass
class Loose:
    """A number that stands at no place: whose it is, and the place named before it."""

    number: int
    side: str
    behind: Mention | None = None


@dataclass
class Situation:
    """The places and numbers of a phrase.

    Attributes:
        mentions: The places, in the order of the phrase.
        loose: The numbers that stand at no place.
        each: The garrison of every territory; None if the phrase does not say it.
        rest: The garrison of those that have no other.
        each_ours: The armies in each territory of the player.
        ships: The options of ships.
        most: Whether as many territories as possible are wanted.
    """

    mentions: list[Mention] = field(default_factory=list)
    loose: list[Loose] = field(default_factory=list)
    each: int | None = None
    rest: int | None = None
    each_ours: int | None = None
    ships: list[str] = field(default_factory=list)
    most: bool = False

    @property
    def starts(self) -> set[str]:
        """The places where attacks start."""
        return {mention.part.key for mention in self.mentions if mention.side == OURS}

    @property
    def continents(self) -> dict[str, Continent]:
        """The continents that it names."""
        return {mention.part.key: mention.part for mention in self.mentions if isinstance(mention.part, Continent)}

    @property
    def numbers(self) -> list[int]:
        """All numbers, those of a place once."""
        places = {mention.part.key: mention.number for mention in self.mentions if mention.number is not None}
        others = [number for number in (self.each, self.rest, self.each_ours) if number is not None]
        return [*(loose.number for loose in self.loose), *places.values(), *others]


def gather(pieces: Sequence[Piece]) -> Situation:
    """Gather the places and the numbers of a phrase."""
    return _Gatherer(pieces).gather()


class _Gatherer:
    """Goes through the pieces of a phrase and remembers whom the last ones spoke of.

    Attributes:
        _ours, _theirs: The kinds of the words for the attacker and for the defender; they are swapped if the question
            is whether another player takes something.
        _used: The pieces that belong to one before them.
        _side: The side whose places and numbers come next, from a subject, a verb or a `>` on.
        _owner: The subject of the clause, until its verb attacks; a continent ends it too.
        _with: Whether the next number or place is the attacker's, behind "with", until a pause or its number.
        _late: Whether an attack or a target was named, so that a place without a lead is no start any more.
        _continues: Whether the next place is a start too: "from Siam with 12 and China with 8".
        _last_ours: The place of the last number of the attacker that stands at no territory; -1 without one.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = [piece for piece in pieces if piece.kind not in ("questions", "for")]
        self._ours, self._theirs = ("other", "self") if _is_attacked_by_others(self._pieces) else ("self", "other")
        self._situation = Situation()
        self._used: set[int] = set()
        self._side = self._owner = ""
        self._with = False
        self._late = False
        self._continues = False
        self._last_ours = -1

    def gather(self) -> Situation:
        """Go through the pieces."""
        for index, piece in enumerate(self._pieces):
            if index in self._used:
                continue
            if piece.kind == "place":
                self._add_place(index, piece)
            elif piece.kind == "number":
                self._add_number(index, piece)
            else:
                self._listen(index, piece)
        return self._situation

    def _listen(self, index: int, piece: Piece) -> None:
        """Take note of a word that says whose the next numbers are."""
        if piece.kind in (self._ours, self._theirs):
            self._with = self._continues = False
            self._side = self._owner = OURS if piece.kind == self._ours else THEIRS
        elif piece.kind == "hold":
            holds = self._owner == OURS and isinstance(self._part(index + 1), Territory)
            self._side = self._owner = OURS if holds else THEIRS  # "I hold Siam"
            self._continues = holds
        elif piece.kind == "and":
            self._continues = bool(self._situation.mentions) and self._is_start_before(index)
        elif piece.kind in ("attack", "against"):
            self._side, self._owner = THEIRS, ""
            self._late, self._continues = True, False
        elif piece.kind == "with":
            self._with = self._owner != THEIRS
        elif piece.kind == "end":
            self._side = self._owner = ""
        elif piece.kind == "colon" and any(mention.side != THEIRS for mention in self._situation.mentions):
            self._side = THEIRS
        elif piece.kind == "most":
            self._situation.most = True
        if piece.kind in ENDS or (piece.kind == "pause" and self._kind(index - 1) != "with"):
            self._with = False

    def _kind(self, index: int) -> str:
        return self._pieces[index].kind if 0 <= index < len(self._pieces) else "end"

    def _part(self, index: int) -> Territory | Continent | None:
        return self._pieces[index].part if index < len(self._pieces) else None

    def _is_start_before(self, index: int) -> bool:
        """Tell whether a start of the player, with its number, stands right before a piece."""
        last = self._situation.mentions[-1]
        places = [place for place in range(index) if self._pieces[place].part is last.part]
        return last.side == OURS and last.number is not None and index - max(places) < MOST_APART

    def _add_place(self, index: int, piece: Piece, number: int | None = None) -> None:
        """Add a place, with the number right before it or behind it."""
        assert piece.part is not None, "a place has a part of the map"
        joined = [self._kind(index - 1), self._kind(index - 2)] == ["and", "place"]
        before = self._situation.mentions[-1] if joined else None
        mention = Mention(piece.part, self._side_of(piece, number), piece.lead, number, not self._late)
        if before and not piece.lead and isinstance(piece.part, Territory):  # "from Siam and China"
            mention.side, mention.lead = before.side, before.lead
        self._situation.mentions.append(mention)
        self._with = self._continues = False
        if isinstance(piece.part, Continent):
            held = self._kind(index - 1) in ("have", "hold") and self._owner != OURS  # "Blue owns Australia with 3, 2"
            self._side, self._owner, self._late = THEIRS, THEIRS if held else "", True
            return
        if number is None and not (before and mention.side == OURS and before.number is None):
            self._find_number_behind(index, mention)
        if mention.side == THEIRS:
            self._side, self._late = THEIRS, True

    def _side_of(self, piece: Piece, number: int | None) -> str:
        """Return whose a place is, by the words before it and by who was spoken of."""
        if isinstance(piece.part, Continent) or piece.lead == "want":
            return THEIRS
        if piece.lead == "from" or self._with or (self._continues and piece.lead in ("at", "")):
            return OURS
        if self._side == OURS:
            return OURS if piece.lead == "at" or number is not None else ""
        return self._side

    def _find_number_behind(self, index: int, mention: Mention) -> None:
        """Give a place the number right behind it: "Siam (12)", "Siam has 12", "from Siam with 12"."""
        place = index + 1
        while self._kind(place) in BRIDGES or (self._kind(place) == "with" and mention.side == OURS):
            place += 1
        if self._kind(place - 1) == "open" and self._kind(place) in (self._ours, self._theirs):  # "Siam (mine, 12)"
            mention.side = OURS if self._kind(place) == self._ours else THEIRS
            place += 1
            while self._kind(place) in ("pause", "have"):
                place += 1
        behind = self._kind(place + 1)
        if self._kind(place) != "number" or behind in ("each", "rest", "ships"):
            return
        if behind == "number" and self._kind(place - 1) == "colon":
            return  # "from Siam: 3 2 1 1"
        if mention.side == OURS and self._is_row(place) and any(loose.side == OURS for loose in self._situation.loose):
            return  # "with 12, from Siam, 3 2 1 1"
        mention.number = self._pieces[place].number
        self._used.update(range(index + 1, place + 1))

    def _is_row(self, place: int) -> bool:
        """Tell whether a number begins a row of three or more."""
        kinds = [self._kind(at) for at in range(place, len(self._pieces)) if self._kind(at) not in ("pause", "and")]
        return kinds[:3] == ["number"] * 3

    def _add_number(self, index: int, piece: Piece) -> None:
        """Add a number: to the place behind it, to each place, or alone."""
        if self._kind(index + 1) == "ships":
            self._situation.ships.append(self._ships(index, piece))
            self._used.add(index + 1)
            return
        if self._is_of_each(index, piece) or self._goes_on(index, piece):
            return
        with_it = self._kind(index - 1) == "and" and index - 2 == self._last_ours  # "with 12 and 8"
        side = OURS if self._with or with_it else self._side
        self._situation.loose.append(Loose(piece.number, side, next(reversed(self._situation.mentions), None)))
        self._last_ours = index if side == OURS else -1
        self._with = False

    def _goes_on(self, index: int, piece: Piece) -> bool:
        """Tell whether a number belongs to the place right behind it, and add that."""
        place = index + 1
        if self._kind(place) in ("at", "have") and self._kind(place + 1) == "place":
            place += 1
        following = self._pieces[place] if self._kind(place) == "place" else None
        if following is None or isinstance(following.part, Continent):
            return False
        numbered = self._kind(place + 1) in ("with", "open", "number")
        listed = self._kind(index - 1) in ("number", "and", "pause") and self._kind(index - 2) in ("number", "pause")
        if following.lead == "from" and not self._with and (numbered or (listed and self._side == THEIRS)):
            return False  # "3, 2, 1 and 1 from Siam with 12"
        self._used.add(place)
        self._add_place(place, following, piece.number)
        return True

    def _is_of_each(self, index: int, piece: Piece) -> bool:
        """Tell whether a number is that of each place, or of the rest, and keep it."""
        beside = {*self._kinds_beside(index, 1), *self._kinds_beside(index, -1)}
        rest, each = "rest" in beside, "each" in beside
        ours = self._with or self._side == OURS or (not self._side and self._begins(index))
        field = "rest" if rest else "each_ours" if ours else "each"
        if not (rest or each) or getattr(self._situation, field) not in (None, piece.number):
            return False
        setattr(self._situation, field, piece.number)
        self._with = False
        return True

    def _begins(self, index: int) -> bool:
        """Tell whether a number stands in front of the first places: "8 each in Siam and China"."""
        return not self._late and self._kind(index + 1) == "each" and self._part(index + 2) is not None

    def _kinds_beside(self, index: int, step: int) -> Iterator[str]:
        """Yield the kinds of the words beside a number, as far as they may speak of it."""
        between = ("each", "rest", "at", "have", "other", "self", "with") if step < 0 else ("each", "rest", "at")
        place = index + step
        while self._kind(place) in between and 0 <= place < len(self._pieces):
            yield self._kind(place)
            place += step

    def _ships(self, index: int, piece: Piece) -> str:
        tag = self._pieces[index + 1].tag
        word = SHIPS.get(tag.value, tag.value)
        return f"{'d' if self._owner == THEIRS else ''}{word}:{piece.number}"


def _is_attacked_by_others(pieces: Sequence[Piece]) -> bool:
    """Tell whether it is another player who attacks: "can he take Australia"."""
    verb = next((index for index, piece in enumerate(pieces) if piece.kind == "attack"), 0)
    clause: list[str] = []
    for piece in pieces[:verb]:
        clause = [] if piece.kind == "end" else [*clause, piece.kind]
    subjects = [kind for kind in clause if kind in ("self", "other")]
    return subjects[-1:] == ["other"] and "self" not in subjects
