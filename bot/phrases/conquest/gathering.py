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
ENDS = ("end", "colon", "close", "chance", "pause")
"""The kinds of pieces behind which "with" speaks of something else."""


@dataclass
class Mention:
    """A place that a phrase names.

    Attributes:
        part: The territory or the continent.
        side: Whose it is.
        lead: The meaning of the words before it.
        number: The armies there; None if the phrase does not say it here.
        early: Whether no verb, and no target, stands before it.
    """

    part: Territory | Continent
    side: str
    lead: str
    number: int | None = None
    early: bool = False


@dataclass
class Situation:
    """The places and numbers of a phrase.

    Attributes:
        mentions: The places, in the order of the phrase.
        ours, theirs: The numbers that stand at no place: the player's, and all others.
        each: The garrison of every territory that has no other; None if the phrase does not say it.
        each_ours: The armies in each territory of the player.
        ships: The options of ships.
        most: Whether as many territories as possible are wanted.
    """

    mentions: list[Mention] = field(default_factory=list)
    ours: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)
    each: int | None = None
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
        places = {(mention.part.key, mention.number) for mention in self.mentions}
        numbers = (self.each, self.each_ours, *(number for _key, number in places))
        return [*self.ours, *self.theirs, *(number for number in numbers if number is not None)]


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
        self._decide()
        return self._situation

    def _decide(self) -> None:
        """Let an attack start at the places at which armies stand, or that come first, where nothing says it."""
        open_ones = [mention for mention in self._situation.mentions if not mention.side]
        early = [mention for mention in open_ones if mention.early]
        starts = [mention for mention in early or open_ones if mention.lead == "at"] or early
        keys = self._situation.starts or {mention.part.key for mention in starts}
        for mention in open_ones:
            mention.side = OURS if mention.part.key in keys else THEIRS

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
            self._continues = bool(self._situation.mentions) and self._situation.mentions[-1].side == OURS
        elif piece.kind in ("attack", "against"):
            self._side, self._owner = THEIRS, ""
            self._late, self._continues = True, False
        elif piece.kind == "with":
            self._with = self._owner != THEIRS
        elif piece.kind == "most":
            self._situation.most = True
        if piece.kind in ENDS:
            self._with = False

    def _kind(self, index: int) -> str:
        return self._pieces[index].kind if 0 <= index < len(self._pieces) else "end"

    def _part(self, index: int) -> Territory | Continent | None:
        return self._pieces[index].part if index < len(self._pieces) else None

    def _add_place(self, index: int, piece: Piece, number: int | None = None) -> None:
        """Add a place, with the number right before it or behind it."""
        assert piece.part is not None, "a place has a part of the map"
        joined = [self._kind(index - 1), self._kind(index - 2)] == ["and", "place"]
        before = self._situation.mentions[-1] if joined else None
        mention = Mention(piece.part, self._side_of(piece), piece.lead, number, not self._late)
        if before:  # "from Siam and China"
            mention.side, mention.lead = before.side, before.lead
        self._situation.mentions.append(mention)
        self._with = self._continues = False
        if isinstance(piece.part, Continent):
            held = self._kind(index - 1) in ("have", "hold")  # "Blue owns Australia with 3, 2"
            self._side, self._owner, self._late = THEIRS, THEIRS if held else "", True
            return
        if number is None and not before:
            self._find_number_behind(index, mention)

    def _side_of(self, piece: Piece) -> str:
        """Return whose a place is, by the words before it and by who was spoken of."""
        if isinstance(piece.part, Continent):
            return THEIRS
        if piece.lead == "from" or self._continues:
            return OURS
        return "" if self._side == OURS and piece.lead != "at" else self._side

    def _find_number_behind(self, index: int, mention: Mention) -> None:
        """Give a place the number right behind it: "Siam (12)", "Siam has 12", "from Siam with 12"."""
        place = index + 1
        held = mention.side == OURS or (self._kind(index - 1) == "hold" and self._owner == THEIRS)
        while self._kind(place) in BRIDGES or (self._kind(place) == "with" and held):
            place += 1
        if self._kind(place) == "number" and self._kind(place + 1) not in ("each", "rest", "ships"):
            mention.number = self._pieces[place].number
            self._used.update(range(index + 1, place + 1))

    def _add_number(self, index: int, piece: Piece) -> None:
        """Add a number: to the place behind it, to each place, or alone."""
        if self._kind(index + 1) == "ships":
            self._situation.ships.append(self._ships(index, piece))
            self._used.add(index + 1)
            return
        if self._is_of_each(index, piece) or self._goes_on(index, piece):
            return
        ours = self._with or self._side == OURS
        (self._situation.ours if ours else self._situation.theirs).append(piece.number)
        self._with = self._with and self._kind(index + 1) == "and"  # "with 12 and 8"

    def _goes_on(self, index: int, piece: Piece) -> bool:
        """Tell whether a number belongs to the place right behind it, and add that."""
        place = index + 1
        if self._kind(place) in ("at", "have"):
            place += 1
        if not isinstance(self._part(place), Territory) or self._has_own_number(index, place):
            return False
        self._used.add(place)
        self._add_place(place, self._pieces[place], piece.number)
        return True

    def _has_own_number(self, index: int, place: int) -> bool:
        """Tell whether a start has its number behind it: the 12 in "Australia 3 2 1 1 from Siam with 12"."""
        kinds = [self._kind(at) for at in range(place + 1, place + 4)]
        in_row = self._kind(index - 1) == "number"  # "3 2 1 1 from Siam 12"
        number = int(kinds[0] == "with")
        own = self._pieces[place].lead == "from" and kinds[number] == "number" and (number or in_row)
        return bool(own) and kinds[number + 1] not in ("ships", "place", "at", "each", "rest")

    def _is_of_each(self, index: int, piece: Piece) -> bool:
        """Tell whether a number is that of each place, or of the rest, and keep it."""
        beside = {*self._kinds_beside(index, 1), *self._kinds_beside(index, -1)}
        field = "each_ours" if self._with or self._side != THEIRS else "each"
        if beside.isdisjoint(("each", "rest")) or getattr(self._situation, field) not in (None, piece.number):
            return False
        setattr(self._situation, field, piece.number)
        self._with = False
        return True

    def _kinds_beside(self, index: int, step: int) -> Iterator[str]:
        """Yield the kinds of the words beside a number, as far as they may speak of it."""
        place = index + step
        while self._kind(place) in ("each", "rest", "at", "have", "other", "self", "with"):
            yield self._kind(place)
            place += step

    def _ships(self, index: int, piece: Piece) -> str:
        tag = self._pieces[index + 1].tag
        word = SHIPS.get(tag.value, tag.value)
        return f"{'d' if self._owner == THEIRS else ''}{word}:{piece.number}"


def _is_attacked_by_others(pieces: Sequence[Piece]) -> bool:
    """Tell whether it is another player who attacks: "can he take Australia"."""
    kinds = [piece.kind for piece in pieces]
    clause = kinds[: kinds.index("attack")] if "attack" in kinds else []
    while "end" in clause:
        clause = clause[clause.index("end") + 1 :]
    return {"self", "other"} & {*clause} == {"other"}
