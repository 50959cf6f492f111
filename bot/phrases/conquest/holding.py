"""Reads what a phrase says of the time after a turn: armies that stand, a last move, enemies that attack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from bot.maps.map import Map, name_of_key
from bot.phrases.asking import WHERE_STAND, ask_who_attacks
from bot.phrases.conquest.gathering import Situation
from bot.phrases.conquest.lines import MOST_READINGS, Plan, beside
from bot.phrases.conquest.pieces import Piece
from bot.phrases.conquest.standing import FORTIFY, KINDS, LEAVE
from bot.phrases.meaning import NotClearError
from bot.phrases.tag import BATTLE


class OpenTurnError(NotClearError):
    """Somebody wants to hold what they take, and does not say against whom, or with how many."""


@dataclass(frozen=True)
class After:
    """The words of a phrase about the time after its turn.

    Attributes:
        verbs: The pieces that say how many armies stand where, and whether armies move after the attacks.
        counters: The armies that attack then, by their territories.
        enemies: The armies that attack then from a place that nobody names; 0 for none.
        wants_to_hold: Whether somebody wants to hold what they take.
        is_doubtful: Whether these attacks may be part of the turn, or the turn may be over.
    """

    verbs: Sequence[Piece] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    enemies: int = 0
    wants_to_hold: bool = False
    is_doubtful: bool = False

    def __bool__(self) -> bool:
        """Tell whether it says what stands or who attacks then, which no battle can."""
        return bool(self.verbs or self.counters or self.enemies)

    def options(self, situation: Situation) -> str:
        """Return the options of notation that say this of a turn."""
        left, held, border = list[str](), list[str](), border_of(situation)
        alone = not border and len({mention.part.key for mention in situation.mentions}) <= BATTLE
        for verb in self.verbs:
            place = f"{verb.number} {name_of_key(verb.part.key)}" if verb.part else ""
            if verb.number:
                stays = verb.kind == LEAVE and place and not alone
                (left if stays else held).append(place or f"{verb.number} {border}".strip())
        attacks = [f"{armies} {name_of_key(key)}" for key, armies in self.counters.items()]
        moves = [""] * any(verb.kind == FORTIFY for verb in self.verbs)
        rows = {"leave:": left, "then fortify": moves, "hold:": held, "counter:": attacks}
        return " ".join(f"{word}{', '.join(texts)}" for word, texts in rows.items() if texts)

    def check(self, board: Map, plan: Plan, situation: Situation, line: str) -> None:
        """Raise NotClearError with the lines that may be meant if this leaves something open about a turn."""
        self._check_places(plan, border_of(situation), line)
        whole = f"{line} {self.options(situation)}"
        if self.is_doubtful:
            raise NotClearError("who attacks", whole)
        moves = [verb for verb in self.verbs if verb.kind == FORTIFY]
        may_hold = "hold:" not in whole and not self.counters and (bool(moves) or self.wants_to_hold)
        if self.enemies or may_hold:
            self._ask_for_enemies(board, plan, line, whole)
        if any(verb.number or verb.part for verb in moves):
            raise NotClearError(ask_who_attacks(_as_typed(whole)), whole)  # stand there, or move there?

    def _ask_for_enemies(self, board: Map, plan: Plan, line: str, whole: str) -> NoReturn:
        """Raise NotClearError, as nobody says from where enemies attack; an OpenTurnError if there may be none."""
        near = [name_of_key(key) for key in beside(board, plan.targets) if key not in plan.starts]
        counters = [f"{whole} counter:{self.enemies or 8} {name}" for name in near] or [f"{whole} hold:3"]
        question = ask_who_attacks(_as_typed(counters[0]))
        if self.enemies:
            raise NotClearError(question, *(counters[:MOST_READINGS] if near else ()))
        raise OpenTurnError(question, line)

    def _check_places(self, plan: Plan, border: str, line: str) -> None:
        """Raise NotClearError unless it is clear where each number of armies stands."""
        last = name_of_key([*plan.targets][-1])
        for verb in self.verbs:
            if verb.part and verb.part.key in plan.starts and verb.kind != FORTIFY:  # "... but keep 3 in Siam"
                raise NotClearError(WHERE_STAND, _without(plan, verb.part.key, verb.number))
            if verb.part or not verb.number:
                continue
            if verb.kind == LEAVE:
                numbers = " ".join(map(str, (*plan.starts.values(), *plan.targets.values())))
                behind = f"{numbers} behind:{verb.number}" if plan.is_battle else f"{line} leave:{verb.number}"
                raise NotClearError(WHERE_STAND, f"{line} hold:{verb.number} {border or last}", behind)
            if len(plan.targets) > 1 and not border:
                raise NotClearError(WHERE_STAND, f"{line} hold:{verb.number} {last}", f"{line} hold:{verb.number}")


def _without(plan: Plan, start: str, number: int) -> str:
    """Return the line of a turn in which so many armies stay in a start."""
    left = {key: (armies or 0) - (number if key == start else 0) for key, armies in plan.starts.items()}
    return replace(plan, starts={**left}).line()


def border_of(situation: Situation) -> str:
    """Return the continent that a phrase wants, whose border is to be held; "" if it wants none, or several."""
    continents = [*situation.continents]
    return name_of_key(continents[0]) if len(continents) == 1 else ""


def _as_typed(line: str) -> str:
    """Return a line with the command that answers it."""
    line = " ".join(line.split())
    return line if line.startswith("/") else f"/conquer {line}"


def split_after(pieces: Sequence[Piece], needs: bool) -> tuple[Sequence[Piece], After]:
    """Split what somebody says of the time after a turn from the pieces of the turn.

    In "12 from Siam against India 3, can I hold it against 8 in China" enemies attack then.
    """
    verbs = [piece for piece in pieces if piece.kind in KINDS]
    pieces = _with_turn_first([piece for piece in pieces if piece.kind not in KINDS])
    kinds = [piece.kind for piece in pieces]
    later = _find_later_attack(kinds)
    if later:
        pieces = [*pieces[:later], replace(pieces[later], kind="counter"), *pieces[later + 1 :]]
        kinds[later] = "counter"
    turn, counters = _split_counters(pieces, needs)
    if enemies := 0 if counters else _find_enemies_alone(pieces):
        turn = pieces[: kinds.index("counter")]
    wants_to_hold = not (verbs or counters or enemies) and _wants_to_hold(turn)
    return turn, After(verbs, counters, enemies, wants_to_hold, bool(counters) and (later > 0 or _is_own(kinds)))


def _find_enemies_alone(pieces: Sequence[Piece]) -> int:
    """Return how many strike back after a whole turn from a place that nobody names: "..., he counters with 8"."""
    kinds = [piece.kind for piece in pieces]
    begin = kinds.index("counter") if "counter" in kinds else 0
    behind = [piece for piece in pieces[begin:] if piece.kind in ("number", "place")]
    whole = min(kinds[:begin].count("number"), kinds[:begin].count("place")) >= BATTLE
    return behind[0].number if whole and len(behind) == 1 and not _is_own(kinds) else 0


def _find_later_attack(kinds: Sequence[str]) -> int:
    """Return where others attack after a whole turn, 0 if nowhere: "12 Siam take India 3, 6 from China attack it"."""
    verbs = [index for index, kind in enumerate(kinds) if kind in ("attack", "attacked") and "counter" not in kinds]
    verb = max(verbs, default=0)
    clause = max((index for index in range(verb) if kinds[index] in ("pause", "end")), default=0)
    turn, later = kinds[:clause], kinds[clause + 1 :]
    whole = min(turn.count("number"), turn.count("place")) >= BATTLE
    pair = later.count("number") == later.count("place") == 1
    subject = {"other", "number", "place"} & {*kinds[clause + 1 : verb]} and "self" not in later
    return verb if whole and pair and subject and not {"attack", "against"}.isdisjoint(turn) else 0


def _with_turn_first(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return pieces with a turn before its counterattack: "if he counterattacks ... after I take India ..."."""
    kinds = [piece.kind for piece in pieces]
    counter = kinds.index("counter") if "counter" in kinds else len(kinds)
    turn = kinds.index("attack", counter) if "attack" in kinds[counter:] else 0
    return [*pieces[turn:], *pieces[:turn]]


def _split_counters(pieces: Sequence[Piece], needs: bool) -> tuple[Sequence[Piece], dict[str, int]]:
    """Split attacks after a turn from the pieces before them; none where their numbers and places are no pairs."""
    kinds = [piece.kind for piece in pieces]
    end, begin = _find_counter(kinds, needs) if "counter" in kinds else _find_enemies(kinds)
    behind = [piece for piece in pieces[begin:] if piece.kind in ("number", "place")]
    pairs = list(zip(behind[::2], behind[1::2], strict=False))
    if not behind or len(behind) % 2 or any({one.kind, other.kind} != {"number", "place"} for one, other in pairs):
        return pieces, {}
    of_place = [(one, other) if one.kind == "number" else (other, one) for one, other in pairs]
    counters = {place.part.key: number.number for number, place in of_place if place.part}
    return (pieces[:end], counters) if len(counters) == len(pairs) else (pieces, {})


def _find_enemies(kinds: Sequence[str]) -> tuple[int, int]:
    """Return where the words about a turn end, and where those about the enemies begin who attack after it."""
    first = next((index for index, kind in enumerate(kinds) if kind in ("attack", "against")), len(kinds))
    behind = range(first + 1, len(kinds))
    hold = next((index for index in behind if kinds[index] == "hold"), 0)
    against = [index for index in behind if kinds[index] == "against"]
    if not hold or not (against or _is_attack_before(kinds[:hold])):
        return len(kinds), len(kinds)
    begin = next((index for index in against if index > hold), hold)  # "can I hold off 8 from China"
    if against and begin == hold:
        begin = against[0]  # in German the verb is last
    takes_too = kinds[max(hold - 2, 0) : hold] == ["attack", "and"]  # "take and hold India 3 with 12 against 8 ..."
    return begin if takes_too else min(begin, hold), begin


def _find_counter(kinds: Sequence[str], needs: bool) -> tuple[int, int]:
    """Return where an enemy begins who takes something back: "can China 8 take it back", "counterattack with 8 ...".

    Where somebody asks how many they need, the turn before that has one number less.
    """
    counter = kinds.index("counter")
    behind = [index for index in range(counter, len(kinds)) if kinds[index] in ("number", "place")]
    begin = counter
    if not behind or (len(behind) % 2 and kinds[counter - 1] == "place"):  # "China counterattacks with 8"
        begin = _first_of_pairs(kinds[:counter], len(behind) % 2)
    places = kinds[:begin].count("place") + (not _is_own(kinds))  # "he attacked Siam, I counter from India": no turn
    is_whole = min(kinds[:begin].count("number") + needs, places) > 1
    return (begin, begin) if is_whole else (len(kinds), len(kinds))


def _is_own(kinds: Sequence[str]) -> bool:
    """Tell whether the player strikes back: "red takes India 3 from Siam with 12, I counter from China with 8"."""
    counter = kinds.index("counter") if "counter" in kinds else 0
    verb = max((index for index in range(counter) if kinds[index] in ("attack", "against")), default=0)
    return "self" in kinds[verb + 1 : counter]


def _first_of_pairs(kinds: Sequence[str], own: int) -> int:
    """Return where the numbers and places before a verb begin that belong to it: "8 in China and 5 in Ural hit back".

    `own` is how many of these the first one behind the verb completes.
    """
    counted = [index for index, kind in enumerate(kinds) if kind in ("number", "place")]
    size = 1 if own else 2
    while not own and "and" in kinds[counted[-size] - 1 : counted[-size]] and len(counted) > size + 2:
        size += 2
    return counted[-size] if len(counted) >= size else 0


def _is_attack_before(kinds: Sequence[str]) -> bool:
    """Tell whether a whole attack stands before a word for holding, which is not said of those who are attacked."""
    whole = min(kinds.count("number"), kinds.count("place")) > 1
    return whole and kinds[-1] not in ("other", "place")


def _wants_to_hold(pieces: Sequence[Piece]) -> bool:
    """Tell whether somebody wants to hold what they take: "take and hold Australia", "..., can I hold it?"."""
    kinds = [piece.kind for piece in pieces]
    before = kinds[: kinds.index("counter")] if "counter" in kinds else []
    if not {"attack", "against"}.isdisjoint(before) and before[-1] != "self":
        return True  # "..., can he take it back?"
    if any(kinds[index : index + 3] == ["attack", "and", "hold"] for index in range(len(kinds))):
        return True
    last = max((index for index, kind in enumerate(kinds) if kind in ("number", "place")), default=0)
    behind, verb, _rest = " ".join(kinds[last + 1 :]).partition("hold")
    return bool(verb and behind) and "other" not in behind  # in "3 hold it", "they hold it" these are the defenders
