"""Reads a line: as the notation has it if that can be, else as people say it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from bot.errors import UserError, sentence_of
from bot.games.base import Rooms
from bot.languages import _
from bot.notation.defaults import NotationDefaults, reading_with
from bot.notation.mistakes import MatchupError
from bot.notation.reading import is_notation
from bot.phrases.asides import leave_out_asides
from bot.phrases.asking import (
    GREETING,
    MOST_REPAIRS,
    UNKNOWN,
    check_words,
    no_number_in,
    repair,
    sentence_for,
)
from bot.phrases.beside.companions import TABLE as COMPANIONS
from bot.phrases.beside.companions import compose_led
from bot.phrases.beside.dice_alone import read_dice_alone
from bot.phrases.beside.names import capital_words, name_people, name_places, name_presets
from bot.phrases.beside.stories import rewrite
from bot.phrases.canonical import canonical, canonical_or_none, without_places
from bot.phrases.commands.buys import has_money
from bot.phrases.commands.results import compose_result, mark_results
from bot.phrases.comparisons.several import with_ends_of_one
from bot.phrases.conquest.names import is_in
from bot.phrases.conquest.reader import IN_ORDER, ConquestPhrase, idle_places, read_conquest
from bot.phrases.conquest.unknown import find_unknown_in_line
from bot.phrases.lines import compose_battle, compose_beside_preset, other_line, write_out_armies, write_out_tables
from bot.phrases.meaning import Meaning, NotClearError, Offer, Understood
from bot.phrases.options import ends_asked, options_of
from bot.phrases.pasted_answers import UNSAID_RULES, Headline, find_headline, find_line, leaves_out_options
from bot.phrases.questions import LINE_ALONE, compose, questions_of
from bot.phrases.special import choose_variants, name_dice
from bot.phrases.tag import OF_ARMIES, OF_UNITS, Tag, has_role, has_table, is_private, is_talk, tags_of, values_of
from bot.phrases.tags import Tagger
from bot.phrases.tokens import (
    LONGEST_PHRASE,
    MOST_TOKENS,
    drop_times,
    drop_turns,
    is_time,
    normal_phrase,
    spell_sides,
    tokens_of,
)
from bot.phrases.vocabulary import Vocabulary
from bot.phrases.words import Words
from solver import BattleError

OF_MAPS = ("", "battle", "conquer", "need", "roll", LINE_ALONE)
"""The commands that answer about territories of a map."""
MOST_OFFERS = 3
"""The most lines that a question back offers."""
NOUNS_IN_CAPITALS = ("de",)
"""The languages in which a capital letter says nothing about a name."""


def understand(
    rooms: Rooms, text: str, language: str = "", saved: Mapping[str, str] | None = None, command: str = ""
) -> Understood:
    """Read a phrase freely, by the defaults of lines that hold now; it never raises.

    Args:
        rooms: The games.
        text: The phrase.
        language: The language that wins where the words are of two.
        saved: The lines of presets, by their names.
        command: The command after which the phrase is typed; "" and "battle" leave the question to the phrase, and
            LINE_ALONE takes battles only.
    """
    return _Reader(rooms, language, saved or {}, command).understand(text)


@dataclass(frozen=True)
class _Reader:
    """Reads phrases; the attributes are the arguments of `understand`."""

    rooms: Rooms
    language: str
    saved: Mapping[str, str]
    command: str

    def understand(self, text: str) -> Understood:
        """Read a phrase: as an answer that somebody pasted, as dice, as a battle and as a question about a map."""
        if pasted := self._understand_answer(text):
            return pasted
        phrase = normal_phrase(text)
        tokens = tokens_of(phrase) if len(phrase) <= LONGEST_PHRASE else []
        if len(phrase) > LONGEST_PHRASE or len(tokens) > MOST_TOKENS:
            return Understood(why="too long")
        if dice := read_dice_alone(self.rooms, phrase, self.language):
            return dice
        tokens = drop_times(drop_turns(spell_sides(tokens)))
        if time := next((tokens[index : index + 3] for index in range(len(tokens)) if is_time(tokens, index)), None):
            return Understood(why=UNKNOWN + "".join(token.text for token in time))
        words = Words(tokens, self.language)
        if wrong := find_unknown_in_line(phrase, words.languages):
            return Understood(why=wrong, on_map=True)
        capitals = capital_words(text) if words.language not in NOUNS_IN_CAPITALS else frozenset()
        battle = self._understand_battle(words, capitals)
        if self.command in OF_MAPS:
            battle = self._understand_conquest(words, capitals, battle)
        return _with_places(battle, words)

    def _canonical(self, line: str) -> str:
        """Return a line in canonical form; "" if it is none."""
        return canonical_or_none(self.rooms, line, self.saved)

    def _understand_answer(self, text: str) -> Understood | None:
        """Read an answer that somebody pasted by its own line, else by its headline; None if the text is neither.

        So is read what people say about a game that reads phrases by itself.
        """
        said = (room.notation.phrase(text) for room in self.rooms if room.notation.phrase)
        line = next(filter(None, said), "") or canonical_or_none(self.rooms, find_line(text))
        if not line:
            if leaves_out_options(text):
                return Understood(why=UNSAID_RULES)
            headline = find_headline(text)
            if not headline:
                return None
            described = self._understand_headline(headline)
            if not described.line:
                return described
            line = described.line
        try:
            return Understood(self._after_command(Meaning(line)).line)
        except NotClearError as error:
            return Understood("", _as_offers(error.readings), error.why)

    def _understand_headline(self, headline: Headline) -> Understood:
        """Read the description in a headline by the rules that the headline names; its numbers are those that fight."""
        with reading_with(NotationDefaults()):
            line = canonical_or_none(self.rooms, headline.description)
            described = Understood(line) if line else understand(self.rooms, headline.description, self.language)
            if not described.line:
                return described
            line = canonical_or_none(self.rooms, headline.complete(described.line))
            return Understood(line) if line else Understood(why=UNSAID_RULES)

    def _understand_battle(self, words: Words, capitals: Set[str]) -> Understood:
        """Read a phrase about anything but a map."""
        raw, known = Tagger(words).tags(), words.order[0]
        tagged, tags = self._settle(raw, known, capitals)
        if wrong := no_number_in(words.tokens, tagged, known.asides["of"]):
            return Understood(why=f"{UNKNOWN}{wrong}")
        try:
            marked = mark_results(raw, known) if self.command in ("", "battle") else []
            if line := marked and self._result(self._settle(marked, known, capitals)[1]):
                return Understood(line, (), "", tags, is_private=is_private(tags))
            meaning = self._meaning(tags)
        except NotClearError as error:
            why = GREETING if is_talk(tags) else error.why
            return Understood("", self._offers(error, tags), why, tags, is_private=is_private(tags))
        other = self._canonical(meaning.other) if meaning.other else ""
        other = other if other != meaning.line else ""
        remark, private = meaning.remark, is_private(tags)
        return Understood(meaning.line, (), "", tags, meaning.reasons, other, remark=remark, is_private=private)

    def _settle(
        self, tags: Sequence[Tag], known: Vocabulary, capitals: Set[str]
    ) -> tuple[Sequence[Tag], tuple[Tag, ...]]:
        """Return tags without what is taken back, and then without names and asides."""
        tagged = rewrite(tags, known)
        plain = name_places(choose_variants(leave_out_asides(name_dice(tagged), known), known), capitals, known)
        named = write_out_tables(name_presets(plain, self.saved), self.saved)
        return tagged, tuple(name_people([*write_out_armies(named, self.saved)], known))

    def _result(self, tags: Sequence[Tag]) -> str:
        """Return the line of `/luck` for a battle that somebody says the end of; "" if there is none."""
        line = compose_result(tags)
        if line:
            _check_numbers(tags, line)
        return self._canonical(line) if line else ""

    def _readings(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Return lines in canonical form, each once, without those that are none."""
        return tuple(dict.fromkeys(filter(None, map(self._canonical, lines))))

    def _offers(self, problem: NotClearError, tags: tuple[Tag, ...]) -> tuple[Offer, ...]:
        """Return the lines that a phrase may mean which has a problem, at most MOST_OFFERS."""
        offers = dict.fromkeys(self._readings(problem.readings), "")
        for repaired in islice(repair(tags), MOST_REPAIRS):
            if len(offers) >= MOST_OFFERS:
                break
            try:
                meaning = self._meaning(tuple(repaired.tags))
                lines: Sequence[str] = (meaning.line, meaning.other)
            except NotClearError as error:
                lines = error.readings
            for line in self._readings(lines):
                offers.setdefault(line, repaired.without)
        return tuple(Offer(*offer) for offer in offers.items())[:MOST_OFFERS]

    def _meaning(self, tags: tuple[Tag, ...]) -> Meaning:
        """Return the meaning of tagged words, in canonical notation."""
        check_words(tags)
        first: NotClearError | None = None
        for question in questions_of(tags, self.command):
            try:
                meaning = self._after_command(_compose(question, tags))
                if not meaning.is_summed:
                    _check_numbers(tags, meaning.line)
                line = canonical(self.rooms, meaning.line, self.saved)
                if meaning.remark:
                    return replace(meaning, line=line)
                return Meaning(line, meaning.reasons, other_line(line, tags, meaning.reasons))
            except (NotClearError, UserError, BattleError) as error:
                first = first or _problem_of(error)
        assert first is not None
        raise first

    def _after_command(self, meaning: Meaning) -> Meaning:
        """Return a meaning with the command after which it is typed; NotClearError if it asks another question."""
        command, line, other = self.command, meaning.line, meaning.other
        if command in ("", "battle", LINE_ALONE) or line.startswith(f"/{command} "):
            return meaning
        if line.startswith("/"):
            raise NotClearError("another command", line)
        return replace(meaning, line=f"/{command} {line}", other=other and f"/{command} {other}")

    def _understand_conquest(self, words: Words, capitals: Set[str], battle: Understood) -> Understood:
        """Read a phrase about a map, if it is clearer so than as a battle: its line, or a question back about it."""
        read = read_conquest(words, battle.tags, capitals, self.saved, self.command)
        if self.command == "conquer" or (read and read.is_turn):
            battle = Understood(tags=battle.tags)  # which no line of another game answers
        if read is None or not _is_about_map(read, battle, words):
            return battle
        try:
            if read.problem:
                raise read.problem
            line = canonical(self.rooms, self._after_command(Meaning(read.line)).line, self.saved)
        except (NotClearError, UserError, BattleError) as error:
            return self._ask_about_map(read, _problem_of(error), battle)
        if battle.line and not read.is_sure and read.targets <= battle.line.count(">"):
            return replace(battle, other=battle.other or (line if ">" in battle.line else ""))
        ordered = has_role(read.tags, *IN_ORDER)
        other = battle.line if ordered and battle.line.count(">") >= read.targets else self._canonical(read.other)
        return Understood(line, (), "", read.tags, other=other, on_map=True)

    def _ask_about_map(self, read: ConquestPhrase, problem: NotClearError, battle: Understood) -> Understood:
        """Ask back about a map, unless the phrase is a battle that leaves nothing open."""
        if battle.line and (">" in battle.line or not problem.readings) and not read.is_firm:
            return battle
        readings = self._readings([*problem.readings, *([battle.line] if battle.line else [])])
        example = self._canonical(read.example) and read.example
        offers = _as_offers(readings)
        return Understood("", offers, problem.why, read.tags, example=example, on_map=True)


def _with_places(battle: Understood, words: Words) -> Understood:
    """Return a battle that says which places it leaves out: "12 from China against 9"."""
    if not battle.line or battle.on_map or battle.other or battle.remark:
        return battle
    places = idle_places(words, battle.tags)
    return replace(battle, remark=_("Left out: `{words}`.", words=places)) if places else battle


def _as_offers(lines: Iterable[str]) -> tuple[Offer, ...]:
    """Return offers that leave nothing out."""
    return tuple(map(Offer, lines))


def _is_about_map(read: ConquestPhrase, battle: Understood, words: Words) -> bool:
    """Tell whether a phrase that names places is about these, rather than about a battle."""
    # A number may be that of several territories: "2 each".
    each = any(is_in(token.text, words.languages, "each") for token in words.tokens)
    if battle.line and ">" not in battle.line and not each and not read.is_firm:
        return False
    unclear = not battle.line and (read.line or not battle.why.startswith(UNKNOWN))
    return read.is_likely or bool(unclear and read.is_open)


def _problem_of(error: NotClearError | UserError | BattleError) -> NotClearError:
    """Return the problem of a line, or the reason for which the notation refuses it as one."""
    if isinstance(error, NotClearError):
        return error
    if isinstance(error, BattleError):
        return NotClearError(sentence_of(error))
    if isinstance(error, MatchupError):
        added = " ".join({*error.better.split()} - {*error.line.split()})
        return NotClearError(error.reason, *([error.better] if added.startswith("variant:") else []))
    return NotClearError(error.text)


def _check_chances(tags: Sequence[Tag], line: str) -> None:
    """Raise NotClearError unless every chance of the phrase is in the line."""
    written = {float(chance) for chance in re.findall(r"[\d.]+(?=%)", line)}
    if any(float(chance.rstrip("%")) not in written for chance in values_of(tags, "chance")):
        raise NotClearError("a chance beside a battle")


def _check_numbers(tags: Sequence[Tag], line: str) -> None:
    """Raise NotClearError unless every number of the phrase is in the line; units of a kind may be added up."""
    _check_chances(tags, line)
    if line.startswith("/bombing") and any(tag.value == "bombing damage" for tag in tags):
        return  # "max 20, 7 damage" is 13
    counted = [tag for tag in tags_of(tags, "number") if tag.value != "1" or tag.text == "1"]
    said = Counter(number for tag in counted for number in tag.numbers)
    written = Counter(int(number) for number in re.findall(r"\d+", line))
    # A row tells how many territories there are, and who stays counts among all.
    implied = {line.count(">"), max(written, default=0) + 1}
    left = [number for number in (said - written).elements() if number not in implied]
    summed = has_table(tags, *OF_UNITS) and not line.startswith(("/compare", "/place"))
    if sum(left) > sum((written - said if summed else Counter[int]()).elements()):
        raise NotClearError("a number is left")


def _compose(question: str, tags: tuple[Tag, ...]) -> Meaning:
    """Compose the line of a question, also of one about a preset or about armies that somebody leads."""
    if has_table(tags, COMPANIONS):
        return compose_led(tags, lambda plain: _compose_checked(question, plain))
    presets = tags_of(tags, "presets")
    if presets and question != "compare":
        return _compose_preset(question, tags, presets)
    _check_points_and_money(question, tags)
    if question == "battle":
        return compose_battle(tags)
    if question == "compare":
        return with_ends_of_one(compose(question, tags))
    meaning = compose(question, tuple(tag.left_out if tag.table == "outlooks" else tag for tag in tags))
    if question == "need" and not has_table(tags, *OF_UNITS):
        return replace(meaning, line=" ".join([meaning.line, *ends_asked(tags, " vs" in meaning.line)]))
    return meaning


def _check_points_and_money(question: str, tags: Sequence[Tag]) -> None:
    """Raise NotClearError for points of a raid, or for money, that the question takes no notice of."""
    raids = (tag for tag in tags_of(tags, "questions") if tag.value.startswith("bombing"))
    if not question.startswith("bombing") and any(tag.numbers for tag in raids):
        raise NotClearError("points beside a battle")
    if not question.startswith(("bombing", "buy")) and has_money(tags):
        raise NotClearError("money beside a battle")


def _compose_checked(question: str, tags: tuple[Tag, ...]) -> Meaning:
    """Compose a line in which every number of the phrase is."""
    meaning = _compose(question, tags)
    _check_numbers(tags, meaning.line)
    return meaning


def _compose_preset(question: str, tags: tuple[Tag, ...], presets: Sequence[Tag]) -> Meaning:
    """Compose the line of a preset with the options beside it."""
    before = "" if question == "battle" else f"/{question} "
    line = " ".join([f"{before}{presets[0].value}", *options_of(tags), *([] if before else ends_asked(tags))])
    if len(presets) > 1 or has_table(tags, *OF_ARMIES, "die"):
        beside = compose_beside_preset(question, tags, presets[0], _compose) if len(presets) == 1 else None
        if beside:
            return beside
        readings = []
        with suppress(NotClearError):
            numbers = _compose(question, tuple(tag for tag in tags if tag.table != "presets")).line
            readings = [numbers, *(f"{before}{tag.value}" for tag in presets)]
        raise NotClearError("a preset beside a battle", *readings)
    return Meaning(" ".join([line, *(values_of(tags, "chance") if question == "need" else ())]))


def meaning_document(rooms: Rooms, text: str) -> dict[str, object]:
    """Answer the JSON question "meaning"."""
    stripped = text.strip()
    with suppress(UserError, BattleError):
        try:
            line = canonical(rooms, stripped)
            return {"line": without_places(line) or line}
        except MatchupError as error:
            if is_notation(rooms, stripped, error):
                return {"error": error.reason}
    return document_of(understand(rooms, stripped))


def document_of(meant: Understood) -> dict[str, object]:
    """Return the answer to the JSON question "meaning"."""
    if meant.line:
        return {"line": meant.line}
    readings = [line for line, without in meant.offers if not without]
    offers = [line for line, without in meant.offers if without]
    document: dict[str, object] = {"readings": readings} if readings else {"error": sentence_for(meant.why)}
    return document | ({"offers": offers} if offers else {})
