"""Gives each word of a phrase its tag: the longest patterns of the vocabulary first, then the words that are left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from bot.phrases.faces import find_faces
from bot.phrases.found import Found
from bot.phrases.options import OF_ATTACKER
from bot.phrases.spelling import (
    SHORTEST_TYPO,
    fit,
    may_be_mistyped,
    near_words,
    nearest_language,
    without_long_letters,
    without_possessive,
)
from bot.phrases.tag import Tag, percent
from bot.phrases.tokens import SIDES, Token
from bot.phrases.vocabulary import FIRST, Element, Pattern, vocabularies

SHORTEST_NUMBER = 3
"""The fewest letters of a word for one that is no article."""
MOST_SKIPPED = 7
"""The most words of no weight between two words of a pattern."""
LETTERS = "iatfbmscdx"
"""The letters that mean something right behind a number: units, sides, and "times"."""
LONG = 7
"""The fewest letters of a mistyped word that may mean nothing."""
OF_UNITS = ("aafired",)
"""The options that begin with a unit."""
NEVER_MISTYPED = ("row", "through", "landed", "counter", "wave", "leftover", "reinforces")
"""The roles of words that change a whole line; too many ordinary words are like one of them."""
UNREADABLE = ("^", "√", "≠", "<", "~", "±", "%", "≤", "≥")
"""The signs that change a number."""
PATH = 4
"""The fewest numbers of a path with armies that stay: attackers, two territories, and those who stay."""
DOZEN = 12
SIDED = ("sided", "sider", "siders", "seitige", "seitigen", "seitiger")
PAUSES = {",", ";"}


class Tagger:
    """Tags the tokens of one phrase."""

    def __init__(self, tokens: Sequence[Token], language: str = "") -> None:
        """Find the language of the tokens; `language` wins where two fit equally well."""
        known = vocabularies()
        tokens = [without_long_letters(without_possessive(token, known[FIRST]), known) for token in tokens]
        if not any(token.text in one.words for token in tokens for one in known.values()):
            language = nearest_language(tokens, known) or language
        self._order = sorted(known.values(), key=lambda one: -fit(one, tokens, language, known))
        self.language = self._order[0].language
        first = next(iter(known))
        spoken = [one for one in self._order if any(token.text in one.words for token in tokens)]
        self._order = [one for one in self._order if one in spoken or one.language in (self.language, first)]
        self._order.sort(key=lambda one: (one.language != self.language, one.language != first))
        self.tokens = self._with_whole_numbers(tokens)
        self._texts = [self._candidates(token) for token in self.tokens]
        self._numbers = [self._number(token) for token in self.tokens]
        self._light = [self._is_light(index) for index in range(len(self.tokens))]

    def tags(self) -> list[Tag]:
        """Return the tags in the order of the phrase."""
        taken: dict[int, Tag] = {}
        for tag in self._faces():
            taken.update(dict.fromkeys(range(tag.start, tag.end), tag))
        for found in sorted(self._all_found(), key=lambda one: one.order):
            span = range(found.start, found.end)
            if not any(index in taken for index in span):
                tag = self._tag(found)
                taken.update(dict.fromkeys(span, tag))
                if label := self._label_of(found):
                    taken[found.start] = label
                    taken.update(dict.fromkeys(span[1:], replace(tag, start=found.start + 1)))
        tags: list[Tag] = []
        index = 0
        while index < len(self.tokens):
            tag = taken.get(index) or self._single(index)
            tags.append(tag)
            index = tag.end
        return tags

    def _faces(self) -> list[Tag]:
        """Return the tags of icon dice, whose faces the phrase names."""
        roles = [self._value(index, "roles") for index in range(len(self.tokens))]
        if not any(self._may_be(index, "icons") for index in range(len(self.tokens))):
            return []
        words = {word: face for one in reversed(self._order[:2]) for word, face in one.faces.items()}
        fillers = frozenset(word for one in self._order[:2] for word in one.face_fillers)
        tags: list[Tag] = []
        for die in find_faces(self.tokens, words, fillers, self._count):
            sides = {"self": "a", "attacker": "a", "other": "d", "defender": "d"}
            start = die.start
            while start and (self.tokens[start - 1].text == ":" or roles[start - 1] in (*sides, "dice", "throws")):
                start -= 1  # "attacker dice: A A D"
            before = roles[min(start, max(die.start - 2, 0)) : die.start]
            side = next((sides[role] for role in before if role in sides), "")
            text = " ".join(token.text for token in self.tokens[start : die.end])
            tags.append(Tag("options", f"{side}icons:{','.join(die.faces)}", start, die.end, text=text))
        return tags

    def _count(self, index: int) -> int | None:
        """Return the number of faces that a token counts; a single letter is a face."""
        letter = self.tokens[index].text.isalpha() and len(self.tokens[index].text) == 1
        return None if letter or self._attacks_number(index) else self._numbers[index]

    def _attacks_number(self, index: int) -> bool:
        """Tell whether a number attacks another: in "2 blanks, 5 attack 4" the last words are no faces."""
        verb = index + 2 < len(self.tokens) and self._value(index + 1, "roles") == "attack"
        return verb and self._numbers[index + 2] is not None and self._value(index + 3, "roles") != "icons"

    def _case(self, start: int, end: int) -> str:
        """Return the role that the form of a word plays."""
        for index, one in product(range(start, end), self._order[:2]):
            text = self.tokens[index].text
            for form in (text, text.rpartition(" ")[2], "-" + text.rpartition("-")[2]):
                if form in one.cases:
                    return one.cases[form]
        return ""

    # Single words --------------------------------------------------------------------------------------

    def _candidates(self, token: Token) -> Mapping[str, int]:
        """Return the words that a token may be, with the number of letters that are wrong."""
        if token.number is not None or token.chance or token.die or not token.text[0].isalpha():
            return {token.text: 0}
        return near_words(token.text, tuple(one.language for one in self._order))

    def _with_whole_numbers(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with numbers of several words as one ("twenty five"), and "8-sided" as a kind of die."""
        found: list[Token] = []
        for token in tokens:
            value = self._number(token) if token.number is None else None
            tens = self._number(found[-1]) if found and not found[-1].text[0].isdigit() else None
            if value == DOZEN and tens and tens < 10:
                found[-1] = found[-1]._replace(
                    text=f"{found[-1].text} {token.text}", end=token.end, number=tens * value
                )
                continue
            if value and tens and ((value < 10 and tens >= 20 and tens % 10 == 0) or (value < tens == 100)):
                both = f"{found[-1].text} {token.text}"
                found[-1] = found[-1]._replace(text=both, end=token.end, number=tens + value)
                continue
            many, _hyphen, sided = token.text.rpartition("-")
            if sided in SIDED and many and (sides := self._number(token._replace(text=many))):
                found.append(token._replace(text=f"d{sides}s", die=sides))
                continue
            if token.text in SIDED and found:
                gap = 2 if found[-1].text == "-" else 1
                sides = self._number(found[-gap]) if len(found) >= gap else None
                if sides:
                    found[-gap:] = [token._replace(text=f"d{sides}s", start=found[-gap].start, die=sides)]
                    continue
            found.append(token)
        return found

    def _number(self, token: Token) -> int | None:
        if token.number is not None:
            return token.number
        parts = token.text.split("-")
        for one in self._order[:2]:
            if one is not self._order[0] and token.text in self._order[0].light:
                break  # a word of no weight is no number of another language
            values = [one.numbers.get(part) for part in parts]
            if len(values) == 1 and values[0] is not None:
                return values[0]
            if len(values) == 2 and values[0] in range(20, 100, 10) and values[1] in range(1, 10):
                return sum(filter(None, values))
        near = self._candidates(token) if len(token.text) > SHORTEST_TYPO else ()
        mistyped = {one.numbers[text] for text in near for one in self._order[:2] if text in one.numbers}
        return mistyped.pop() if len(mistyped) == 1 else None

    def _is_light(self, index: int) -> bool:
        if self.tokens[index].text in PAUSES:
            return True
        return any(self._is_light_word(text) for text in self._texts[index])

    def _is_light_word(self, text: str) -> bool:
        """Tell whether a word has no weight in the first of the two languages that know it."""
        if text in self._order[0].negations:
            return False
        knows = (one for one in self._order[:2] if text in one.light or text in one.noise or text in one.numbers)
        first = next(knows, None)
        return first is not None and (text in first.light or text in first.noise)

    def _is_letter(self, index: int) -> bool:
        """Tell whether a token is a letter right behind a number, as in "12a"."""
        token = self.tokens[index]
        before = self.tokens[index - 1] if index and token.glued else None
        return before is not None and before.number is not None and len(token.text) == 1 and token.text in LETTERS

    def _single(self, index: int) -> Tag:
        """Return the tag of a word that is part of no pattern."""
        token = self.tokens[index]
        text = token.text
        if token.chance:
            return Tag("chance", token.chance, index, index + 1, text=text)
        if token.die:
            return Tag("die", str(token.die), index, index + 1, (token.die,), text=text)
        number = self._numbers[index]
        if self._is_letter(index):
            return Tag("sign" if text == "x" else "letter", text, index, index + 1, text=text)
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if text in SIDES and following and following.glued and following.number is not None:
            return Tag("roles", SIDES[text], index, index + 1, text=text)
        if number == 1 and token.number is None and self._light[index]:
            return Tag("noise", "1", index, index + 1, text=text)
        if number is not None and (token.number is not None or not self._light[index]):
            case = self._case(index, index + 1)
            return Tag("number", str(number), index, index + 1, (number,), text=text, case=case)
        if text == "?" and index and self.tokens[index - 1].text in (",", "vs", "v", "against", ">", "→"):
            return Tag("unknown", text, index, index + 1, text=text)
        counted = index > 0 and self._numbers[index - 1] is not None
        if (text in UNREADABLE and (counted or text != "%")) or (
            text == "=" and index and self.tokens[index - 1].text in ("!", "<", ">")
        ):
            return Tag("unknown", text, index, index + 1, text=text)
        if not text[0].isalpha():
            return Tag("sign", text, index, index + 1, text=text)
        before = self.tokens[index - 1] if index and token.glued else None
        if before is not None and before.number is not None and len(text) == 1:
            return Tag("unknown", text, index, index + 1, text=text)  # "12k"
        if self._is_noise(index):
            value = str(number) if number is not None else ""
            return Tag("noise", value, index, index + 1, text=text)
        near = next((word for word in self._texts[index] if word != text), "")
        return Tag("unknown", near, index, index + 1, text=text)

    def _is_noise(self, index: int) -> bool:
        """Tell whether a word means nothing; a mistyped one only if it is long and can be no word that matters."""
        text, known = self.tokens[index].text, self._order[:2]
        if index and (self._numbers[index - 1] or 0) > 1 and any(text in one.counted for one in known):
            return False
        if any(text in one.negations for one in known[:1]):
            return False
        near = [word for word in self._texts[index] if word != text]
        light = len(text) > SHORTEST_TYPO and any(word in one.light for one in known for word in near)
        near = near if light or len(text) >= LONG else [word for word in near if sorted(word) == sorted(text)]
        if any(self._texts[index][word] > 1 for word in near):
            return False
        return all(any(word in one.light | one.noise | one.chatter for one in known) for word in near or [text])

    # Patterns ------------------------------------------------------------------------------------------

    def _all_found(self) -> Iterator[Found]:
        """Return all places where patterns fit."""
        present = {text for texts in self._texts for text in texts}
        possible = [(vocabulary, vocabulary.possible(present)) for vocabulary in self._order]
        for start, texts in enumerate(self._texts):
            if self._is_letter(start):
                continue
            counted = start > 0 and self._numbers[start - 1] is not None
            beginnings = [*texts.items(), *((slot, 0) for slot in self._slots_at(start))]
            for rank, (vocabulary, patterns) in enumerate(possible):
                for text, wrong in beginnings:
                    for pattern in patterns.get(text, ()):
                        if pattern.counted and not self._is_counted(start):
                            continue
                        if pattern.value == "leave:{n}" and self._counts_armies(start):
                            continue
                        single = len(pattern.elements) == 1
                        if (
                            wrong
                            and single
                            and (
                                not may_be_mistyped(self.tokens[start].text, text, wrong, counted and pattern.counts)
                                or (pattern.value in NEVER_MISTYPED and not self._is_exchanged(start, text))
                                or (pattern.table == "questions" and start)
                            )
                        ):
                            continue  # too many other words are near
                        if vocabulary.language not in (self.language, FIRST) and single and len(text) < SHORTEST_TYPO:
                            continue  # short words mean something in many languages
                        if found := self._match(pattern, start):
                            found.rank, found.corrected = rank, found.corrected + wrong
                            found.likely = counted and pattern.counts
                            yield found

    def _is_counted(self, index: int) -> bool:
        """Tell whether a number stands right before a word, and no article."""
        return index > 0 and (self._numbers[index - 1] or 0) > 0 and not self._light[index - 1]

    def _counts_armies(self, index: int) -> bool:
        """Tell whether a number counts armies, whatever follows: "3, 3, 1 along the way", "11 vs 9 each with a bomber"."""
        if self._numbers[index] is not None and sum(number is not None for number in self._numbers) < PATH:
            return True
        before = self._numbers[index - 2] if index > 1 and self.tokens[index - 1].text in PAUSES else None
        return before is not None and self._numbers[index] is not None

    def _is_exchanged(self, index: int, text: str) -> bool:
        return sorted(self.tokens[index].text) == sorted(text)

    def _slots_at(self, index: int) -> list[str]:
        """Return the slots of patterns that a token may fill."""
        token = self.tokens[index]
        fits = {"{n}": self._numbers[index] is not None, "{p}": bool(token.chance), "{d}": bool(token.die)}
        return [*(slot for slot, fit in fits.items() if fit), "{u}", "{side}"]

    def _match(self, pattern: Pattern, start: int) -> Found | None:
        found = Found(pattern, start, start, 0)
        chunks = list(pattern.chunks)
        while chunks:
            here = chunks if pattern.any_order else chunks[:1]
            chunk = self._seek(here, found)
            if chunk:
                chunks.remove(chunk)
            elif pattern.any_order:
                return found if all(one[0].optional for one in chunks) else None
            elif chunks.pop(0)[0].optional:
                continue
            else:
                return None
        return found

    def _seek(self, chunks: Sequence[Sequence[Element]], found: Found) -> Sequence[Element] | None:
        """Move a match past the first of these chunks, and the words of no weight before it; leave it if none fits."""
        end, skipped = found.end, found.skipped
        most = MOST_SKIPPED if found.pattern.loose and end > found.start else 0
        for _attempt in range(most + 1):
            if found.end >= len(self.tokens):
                break
            for chunk in chunks:
                if self._take_all(chunk, found):
                    return chunk
            if not self._may_skip(found):
                break
            found.end += 1
            found.skipped += 1
        found.end, found.skipped = end, skipped
        return None

    def _may_skip(self, found: Found) -> bool:
        """Tell whether the next word may stand between those of a pattern: no number, and no pause in any order."""
        token, number = self.tokens[found.end], self._numbers[found.end]
        article = number is None or len(token.text) < SHORTEST_NUMBER
        return self._light[found.end] and article and not (found.pattern.any_order and token.text in PAUSES)

    def _take_all(self, chunk: Sequence[Element], found: Found) -> bool:
        """Move a match past a chunk if all of it fits."""
        before = found.end, found.skipped, len(found.slots), len(found.numbers), found.corrected
        fits = self._take(chunk[0], found) and all(self._seek([[element]], found) for element in chunk[1:])
        if fits:
            found.size += len(chunk)
        else:
            found.end, found.skipped, slots, numbers, found.corrected = before
            del found.slots[slots:], found.numbers[numbers:]
        return fits

    def _take(self, element: Element, found: Found) -> bool:
        """Move a match past the next token if that fits; fill the slots."""
        index = found.end
        token = self.tokens[index]
        if element.slot == "{n}":
            number = self._numbers[index]
            article = number == 1 and len(token.text) < SHORTEST_NUMBER and token.number is None
            if number is None or (element.fixed is None and article) or element.fixed not in (None, number):
                return False
            found.slots.append(str(number))
            found.numbers.append(number)
        elif element.slot == "{p}":
            if not token.chance:
                return False
            found.slots.append(token.chance)
        elif element.slot == "{d}":
            if not token.die:
                return False
            found.slots.append(str(token.die))
        elif element.slot in ("{u}", "{side}"):
            value = self._value(index, "units" if element.slot == "{u}" else "roles")
            if element.slot == "{side}":
                value = {"self": "attacker", "other": "defender"}.get(value, value)
            if not value or (element.slot == "{side}" and value not in ("attacker", "defender")):
                return False
            found.slots.append(value)
        else:
            wrong = [self._texts[index][word] for word in element.words if word in self._texts[index]]
            if not wrong or (found.pattern.language != self.language and self._is_quiet(index, found.pattern)):
                return False
            if min(wrong) and found.pattern.table == "skips":
                return False
            found.corrected += min(wrong)
        found.end += 1
        return True

    def _is_quiet(self, index: int, pattern: Pattern) -> bool:
        """Tell whether a word has no weight in the phrase's language, as "die" in German; "2 des" are still units."""
        counted = pattern.table == "units" and index > 0 and self._numbers[index - 1] is not None
        own, text = self._order[0], self.tokens[index].text
        return not counted and (text in own.light or text in own.noise)

    def _value(self, index: int, table: str) -> str:
        """Return the meaning of a single word within a table; "" if it has none."""
        if index >= len(self.tokens):
            return ""
        for text, one in product(self._texts[index], self._order[:2]):
            for pattern in one.patterns.get(text, ()):
                if pattern.table == table and len(pattern.elements) == 1:
                    return pattern.value
        return ""

    def _may_be(self, index: int, role: str) -> bool:
        """Tell whether a single word may have a role, as "faces" may be a verb or the sides of a die."""
        patterns = [one for words in self._order[:2] for one in words.patterns.get(self.tokens[index].text, ())]
        return any(one.table == "roles" and one.value == role and len(one.elements) == 1 for one in patterns)

    def _label_of(self, found: Found) -> Tag | None:
        """Return the tag of the army that an option begins with: "9 defenders roll one die"."""
        start = found.start
        side = self._value(start, "roles") if found.pattern.table == "options" and found.end > start + 1 else ""
        counts = start > 0 and self._numbers[start - 1] is not None and self.tokens[start].text.endswith("s")
        unit = self._value(start, "units") if found.pattern.value in OF_UNITS else ""
        if unit and start > 0 and self._numbers[start - 1] is not None:  # "2 inf and an AA gun that has fired"
            return Tag("units", unit, start, start + 1, text=self.tokens[start].text)
        if side not in ("attacker", "defender") or not counts:
            return None
        return Tag("roles", side, start, start + 1, text=self.tokens[start].text)

    def _is_modal(self, index: int) -> bool:
        """Tell whether a word may stand between a side and what is said of it: "the attacker must keep 1"."""
        return self._light[index] and self.tokens[index].text not in PAUSES and not self._value(index, "roles")

    def _tag(self, found: Found) -> Tag:
        pattern = found.pattern
        gap = 2 if found.start > 1 and self._is_modal(found.start - 1) else 1
        span = range(max(found.start - gap, 0), found.end)
        owned = [index for index in span if not index or self.tokens[index - 1].text != "of"]  # "4 of them stay out"
        if pattern.value.startswith(OF_ATTACKER):  # "strafe him for 2 rounds" is said of the attacker
            owned = [index for index in owned if self.tokens[index].text not in self._order[0].objects]
        owners = [role for index in owned for role in self._value(index, "roles").split()]
        who = next((owner for owner in owners if owner in ("self", "other", "attacker", "defender")), "")
        return Tag(
            {"numbers": "number", "chances": "chance"}.get(pattern.table, pattern.table),
            percent(pattern.value, found.numbers) if pattern.table == "chances" else pattern.value,
            found.start,
            found.end,
            (int(pattern.value),) if pattern.table == "numbers" else tuple(found.numbers),
            tuple(found.slots),
            who if pattern.loose else "",
            pattern.plural,
            " ".join(token.text for token in self.tokens[found.start : found.end]),
            self._case(found.start, found.end),
        )
